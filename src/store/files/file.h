/* store/files/file.h: text files that are read as a whole (wri_stored_text_read()) and replaced
 * as a whole. */
#ifndef WRI_STORE_FILES_FILE_H
#define WRI_STORE_FILES_FILE_H

#include "store/store.h"

/* Prints into malloced memory; NULL when memory is out. */
char *wri_file_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Replaces the file, and makes the folders on its path. A reader sees the old text or the new
 * one, never a part. */
bool wri_file_replace(const char *path, const char *text, size_t size, wri_note *note);

/* Removes the temporary files that wri_file_replace() left in this folder, in processes that were
 * killed meanwhile. */
void wri_file_remove_strays(const char *folder);

/* Renames a file that cannot be read but is about to be replaced: somebody may still want it,
 * e.g. after a merge gone wrong. The new name is the first free one of PATH.bad, PATH.bad2 and so
 * on, and the note says it. No file, or something else than a file, is left alone, and that is no
 * error. */
bool wri_file_set_aside(const char *path, wri_note *note);

#endif
