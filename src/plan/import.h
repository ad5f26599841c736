/* plan/import.h: makes a plan of bytes from elsewhere, such as a file of a fuzzing corpus.
 *
 *     wri_import_find(&import, &log) == 1 &&
 *         wri_import_plan(&import, bytes, count, &plan, &note)
 *
 * The log of a case shows the draw that the bytes become: an array of bytes (wr_bytes), a text
 * (wr_text, wr_text_of, wr_utf8, wr_identifier), or pieces (wr_pieces, wr_byte_pieces). The plan
 * is that log with another content of this draw. All other answers stay. Nothing runs here.
 */
#ifndef WRI_PLAN_IMPORT_H
#define WRI_PLAN_IMPORT_H

#include "core/note.h"
#include "core/trace.h"
#include "gen/pieces.h"

#define WRI_IMPORT_PIECES 256

typedef struct wri_import {
    wri_trace like;  /* the log */
    uint32_t  array; /* the draw */
    uint32_t  plane; /* of a wr_utf8: the choice that its bound depends on; else WRI_NO_NODE */
    uint32_t  first; /* of a wr_identifier: the choice of its first letter; else WRI_NO_NODE */
    bool      text;
    bool      spelt;                     /* the letters of the text are known */
    bool      pieced;                    /* it has pieces that are not one byte each, */
    wr_piece  pieces[WRI_IMPORT_PIECES]; /* these; in memory of the import */
    uint16_t  numbers[256]; /* of a text: the answer for each byte + 1; 0: it has none */
} wri_import;

/* Looks for the draw in the log of a case, which is copied. An identifier counts if there is no
 * other. Returns the number of such draws; only 1 can be imported to. 0 also if memory is out.
 * The import is freed either way. */
unsigned wri_import_find(wri_import *import, const wri_trace *log);
void     wri_import_free(wri_import *import);

/* A log has no alphabet of wr_text_of, and no pieces. While `spelt` is false, the caller runs
 * this plan for each answer, a text of one letter or piece only, and says which bytes that has.
 * False: out of memory. */
bool wri_import_letter(const wri_import *import, uint64_t number, wri_trace *plan);
bool wri_import_spell(wri_import *import, uint64_t number, const char *bytes, size_t count);
/* The largest answer of a letter. */
uint64_t wri_import_last(const wri_import *import);

/* The other way round: the bytes that the draw has in the log of a case, malloced. False: the log
 * has no such draw, or memory is out. */
bool wri_import_bytes(const wri_import *import, const wri_trace *log, char **bytes,
                      size_t *count);

/* The plan of these bytes. False, and a reason, if the draw cannot have them. */
bool wri_import_plan(const wri_import *import, const char *bytes, size_t count, wri_trace *plan,
                     wri_note *why);

#endif
