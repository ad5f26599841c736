/* cover/read.h: models out of files.
 *
 * Four languages, told apart by what is in the file: ACTS's text form (sections in square
 * brackets), CASA's (nothing but numbers), Warren's own (a line `model …` or `parameter …`
 * first), and else PICT's. A mistake is one line with its place and what was expected there.
 */
#ifndef WRI_COVER_READ_H
#define WRI_COVER_READ_H

#include "cover/draft.h"

/* What is asked for besides what the file says. */
typedef struct wri_asked {
    uint32_t strength;       /* 0: nothing */
    bool     case_sensitive; /* PICT's names and values, too */
} wri_asked;

/* Reads a file. `second` is CASA's file of constraints, or NULL: for X.model (or X.citmodel) it
 * is X.constraints (or X.constraint), if there is one. */
wri_model *wri_read_model(const char *path, const char *second, wri_asked asked,
                          wri_complaint *complaint);

/* The same from memory; the second text is CASA's constraints, or NULL. */
wri_model *wri_read_text(const char *file, const char *text, size_t size, const char *second_file,
                         const char *second_text, size_t second_size, wri_asked asked,
                         wri_complaint *complaint);

/* A file's bytes, malloced; NULL with a complaint. "-" is standard input. */
char *wri_read_file(const char *path, size_t *size, wri_complaint *complaint);

/* One language each: everything from the source into the draft. */
bool wri_read_acts(wri_draft *draft, const wri_source *source);
bool wri_read_casa(wri_draft *draft, const wri_source *source, const wri_source *constraints);
bool wri_read_pict(wri_draft *draft, const wri_source *source, bool case_sensitive);
bool wri_read_warren(wri_draft *draft, const wri_source *source);

/* What the languages share: the parameters named in a list with commas, added to `group`. */
bool wri_read_group(wri_draft *draft, const wri_source *source, wri_span list, wri_list *group);
/* "first..last" or "first..last/step"; false where it is no range. */
bool wri_read_range(wri_span span, int64_t *first, int64_t *last, int64_t *step);

#endif
