/* store/corpus.h: the cases of a property that are worth running first the next time.
 *
 * A corpus is one small text file a property, made for version control: a first line, comments
 * for people, then a line a case. It is a set. The order of lines means nothing, a line may be
 * there twice, and two files of the same property one after the other are a file; so a merge that
 * keeps the lines of both sides is always right.
 */
#ifndef WRI_STORE_CORPUS_H
#define WRI_STORE_CORPUS_H

#include "store/store.h"

/* The cases as tokens give them (store.h: no spans, names or ties), smallest token first; to
 * each what it shows, for people, or "". */
typedef struct wri_corpus {
    wri_trace *cases;
    char     **notes;
    size_t     count;
} wri_corpus;

/* The property's file: PROGRAM.PROPERTY.HASH.txt in the folder `corpus` beside that of failures.
 * Malloced; NULL: memory is out. */
char *wri_corpus_path(const char *failures_folder, const char *program, const char *property);

/* Reads the file; none is an empty corpus. False, and a line that says where and what, when
 * anything in it is wrong; then `corpus` is empty. What it held before is overwritten, not freed.
 * `property_hash` is wri_trace_label_hash() of the property's name. */
bool wri_corpus_read(const char *path, uint32_t property_hash, wri_corpus *corpus, char *error,
                     size_t error_size);
/* The same from memory; `path` is what the line calls it. */
bool wri_corpus_parse(const char *path, const char *bytes, size_t count, uint32_t property_hash,
                      wri_corpus *corpus, char *error, size_t error_size);

/* Writes these cases in place of those that are there, as a whole or not at all. The same cases
 * make the same bytes in whatever order they are given, and a file that says so already is not
 * touched. One that cannot be read is kept beside. An empty corpus makes no file, but empties
 * one. `notes` may be NULL, and so may each of them; over 16 MiB, or with a member that is no
 * trace, it is refused. */
bool wri_corpus_write(const char *path, const char *program, const char *property,
                      const wri_corpus *corpus, char *error, size_t error_size);

void wri_corpus_free(wri_corpus *corpus);

#endif
