/* store/token.h: a case as one word of text.
 *
 *     prog --replay w1AbCdEf...
 *
 * A token holds the choices of a case, and a checksum. Tokens come from shell lines, files and
 * mails, so the reader trusts nothing and says in one line what is wrong.
 */
#ifndef WRI_STORE_TOKEN_H
#define WRI_STORE_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "core/note.h"
#include "core/trace.h"

/* A case as it is written down: the choices without spans, names or ties. Its trace has node 0
 * and then CHOICE and ARRAY nodes under it; `shape` is wri_trace_shape() of the traced run. */
typedef struct wri_saved {
    uint32_t  property; /* wri_trace_label_hash() of the property's name */
    uint32_t  shape;
    wri_trace choices;
} wri_saved;

void wri_saved_free(wri_saved *saved);

/* Writes a token: "w1" and letters, digits, '-' and '_' only. Malloced; NULL: memory is out. */
char *wri_token_write(uint32_t property, const wri_trace *trace);
/* Reads a token. False, and a line in the note, when the text is not a token, is damaged or has
 * another version; then `saved` is empty. The old content of `saved` is overwritten, not freed.
 */
bool wri_token_read(const char *token, wri_saved *saved, wri_note *note);
/* Reads the bytes of a token without their checksum. Tests and fuzzers start here. */
bool wri_token_unpack(const uint8_t *bytes, size_t count, wri_saved *saved, wri_note *note);

#endif
