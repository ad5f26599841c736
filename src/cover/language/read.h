/* cover/language/read.h: reads models from files.
 *
 * There are four languages, and the content of the file decides. Sections in square brackets are
 * ACTS's text form. A file of nothing but numbers is CASA's. A first line `model …` or `parameter
 * …` is Warren's own, and the rest is PICT's. A mistake is reported in one line, with its place
 * and what was expected there.
 */
#ifndef WRC_COVER_LANGUAGE_READ_H
#define WRC_COVER_LANGUAGE_READ_H

#include "cover/model/model.h"

/* Wishes of the caller; they add to the file. */
typedef struct wrc_asked {
    uint32_t strength;       /* 0: nothing */
    bool     case_sensitive; /* PICT's names and values, too */
} wrc_asked;

/* Reads a file. `second` is CASA's file of constraints, or NULL: for X.model (or X.citmodel) it
 * is X.constraints (or X.constraint), if there is one. */
wrc_model *wrc_read_model(const char *path, const char *second, wrc_asked asked,
                          wrc_complaint *complaint);

/* The same from memory; the second text is CASA's constraints, or NULL. */
wrc_model *wrc_read_text(const char *file, const char *text, size_t size, const char *second_file,
                         const char *second_text, size_t second_size, wrc_asked asked,
                         wrc_complaint *complaint);

/* A file's bytes, malloced; NULL with a complaint. "-" is standard input. */
char *wrc_read_file(const char *path, size_t *size, wrc_complaint *complaint);

#endif
