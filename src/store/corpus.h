/* store/corpus.h: the cases of a property that the next run tries first.
 *
 *     warren corpus 1 PROGRAM PROPERTY
 *     # for people
 *     w1AbCd... what the case shows
 *
 * A corpus is a set of lines in the store, one line a case. The order of lines means nothing, a
 * line may be there twice, and two corpora of one property, one after the other, are a corpus. So
 * a merge that keeps the lines of both sides is always right.
 */
#ifndef WRI_STORE_CORPUS_H
#define WRI_STORE_CORPUS_H

#include "store/store.h"

/* Cases as tokens hold them (token.h), smallest token first, each with a note: "" or the things
 * that the case shows, for people. */
typedef struct wri_corpus {
    wri_trace *cases;
    char     **notes;
    size_t     count;
} wri_corpus;

/* Reads the corpus of the owner; no corpus is an empty one. False, and a line that names the
 * place, when anything in it is wrong; then `corpus` is empty. The old content of `corpus` is
 * overwritten, not freed. */
bool wri_corpus_read(wri_store *store, const wri_owner *owner, wri_corpus *corpus,
                     wri_note *note);
/* Reads it from memory; `path` is its name in the note, `property_hash` is
 * wri_trace_label_hash() of the property's name. */
bool wri_corpus_parse(const char *path, const char *bytes, size_t count, uint32_t property_hash,
                      wri_corpus *corpus, wri_note *note);

/* Replaces the cases in the store by these, as a whole or not at all. The same cases make the
 * same text in every order, and a text that is there already is not written again. An old text
 * that cannot be read is kept aside. An empty corpus replaces an old one, and else writes
 * nothing. `notes` may be NULL, and so may each note. A text over 16 MiB and a case that is no
 * trace are refused. */
bool wri_corpus_write(wri_store *store, const wri_owner *owner, const wri_corpus *corpus,
                      wri_note *note);

void wri_corpus_free(wri_corpus *corpus);

#endif
