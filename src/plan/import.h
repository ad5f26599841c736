/* plan/import.h: makes a plan of bytes from elsewhere, such as a file of a fuzzing corpus.
 *
 *     wri_import_find(&import, &log) == 1 &&
 *         wri_import_plan(&import, bytes, count, &plan, &note)
 *
 * The log of a case shows the draw that the bytes become: an array of bytes (wr_bytes), or a text
 * (wr_text, wr_text_of, wr_utf8). The plan is that log with another content of this draw. All
 * other answers stay. Nothing runs here.
 */
#ifndef WRI_PLAN_IMPORT_H
#define WRI_PLAN_IMPORT_H

#include "core/note.h"
#include "core/trace.h"

typedef struct wri_import {
    wri_trace like;  /* the log */
    uint32_t  array; /* the draw */
    uint32_t  plane; /* of a wr_utf8: the choice that its bound depends on; else WRI_NO_NODE */
    bool      text;
    bool      spelt;        /* the letters of the text are known */
    uint16_t  numbers[256]; /* of a text: the answer for each byte + 1; 0: it has none */
} wri_import;

/* Looks for the draw in the log of a case, which is copied. Returns the number of such draws;
 * only 1 can be imported to. 0 also if memory is out. The import is freed either way. */
unsigned wri_import_find(wri_import *import, const wri_trace *log);
void     wri_import_free(wri_import *import);

/* A log has no alphabet of wr_text_of. While `spelt` is false, the caller runs this plan for each
 * answer, a text of one letter only, and says which byte that is. False: out of memory. */
bool wri_import_letter(const wri_import *import, uint64_t number, wri_trace *plan);
void wri_import_spell(wri_import *import, uint64_t number, unsigned char byte);
/* The largest answer of a letter. */
uint64_t wri_import_last(const wri_import *import);

/* The plan of these bytes. False, and a reason, if the draw cannot have them. */
bool wri_import_plan(const wri_import *import, const char *bytes, size_t count, wri_trace *plan,
                     wri_note *why);

#endif
