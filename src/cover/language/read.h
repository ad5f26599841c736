/* cover/language/read.h: models out of files.
 *
 * Four languages, told apart by what is in the file: ACTS's text form (sections in square
 * brackets), CASA's (nothing but numbers), Warren's own (a line `model …` or `parameter …`
 * first), and else PICT's. A mistake is one line with its place and what was expected there.
 */
#ifndef WRC_COVER_LANGUAGE_READ_H
#define WRC_COVER_LANGUAGE_READ_H

#include "cover/model/draft.h"

/* What is asked for besides what the file says. */
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

/* One language each: everything from the source into the draft. */
bool wrc_read_acts(wrc_draft *draft, const wrc_source *source);
bool wrc_read_casa(wrc_draft *draft, const wrc_source *source, const wrc_source *constraints);
bool wrc_read_pict(wrc_draft *draft, const wrc_source *source, bool case_sensitive);
bool wrc_read_warren(wrc_draft *draft, const wrc_source *source);

/* What the languages share: the parameters named in a list with commas, added to `group`. */
bool wrc_read_group(wrc_draft *draft, const wrc_source *source, wrc_span list, wrc_list *group);
/* "first..last" or "first..last/step"; false where it is no range. */
bool wrc_read_range(wrc_span span, int64_t *first, int64_t *last, int64_t *step);

#endif
