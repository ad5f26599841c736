/* store/files/failures.h: a failure as a text file. */
#ifndef WRI_STORE_FILES_FAILURES_H
#define WRI_STORE_FILES_FAILURES_H

#include "store/store.h"

/* Writes the file, as wri_store.put says. A file over WRI_STORE_BYTES is refused. */
bool wri_failures_write(const char *path, const wri_owner *owner, uint64_t key,
                        const wri_failure *failure, wri_note *note);

/* Reads a failure from memory; `path` is its name in the line that says what is wrong. A text
 * without a key gets the hash of its token. The old content of `stored` is overwritten, not
 * freed; after false it is empty. */
bool wri_failures_parse(const char *path, const char *bytes, size_t count, wri_stored *stored,
                        wri_note *note);

#endif
