/* store/files/file.h: text files that are read as a whole and replaced as a whole. */
#ifndef WRI_STORE_FILES_FILE_H
#define WRI_STORE_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WRI_FILE_BYTES ((size_t)16 << 20) /* of a file that is still read */

/* Prints into memory of its own; NULL when memory is out. */
char *wri_file_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What open_memstream() collects, malloced; NULL when memory is out. */
char *wri_file_print_by(void (*put)(FILE *out, const void *what), const void *what, size_t *size);

/* The file's bytes, malloced, at most one more than WRI_FILE_BYTES: then it is too large. NULL,
 * and errno, when it cannot be read. */
char *wri_file_read(const char *path, size_t *count);

/* Writes it as a whole or not at all (a temporary file, then rename), making the folders. */
bool wri_file_replace(const char *path, const char *text, size_t size, char *error,
                      size_t error_size);

/* A file that is about to be replaced but cannot be read may hold what somebody still wants: a
 * merge gone wrong, say. It stays beside, as PATH.bad, PATH.bad2 and so on: the first name that
 * is free. */
bool wri_file_set_aside(const char *path, char *error, size_t error_size);

#endif
