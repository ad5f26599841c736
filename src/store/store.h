/* store/store.h: what is remembered between runs.
 *
 * Tokens: a case as one word of text. Failures: one small text file a bug, made for version
 * control. Both come from outside (a shell line, a checkout, a merge conflict), so reading
 * them trusts nothing and says what is wrong in one line.
 */
#ifndef WRI_STORE_STORE_H
#define WRI_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* False, and one line in `error`, when it is not a token, damaged, or of another version; then
 * `saved` holds nothing. What it held before is overwritten, not freed. */
bool wri_token_read(const char *token, wri_saved *saved, char *error, size_t error_size);
/* The same for a token's bytes without its checksum: where tests and fuzzers come in. */
bool wri_token_unpack(const uint8_t *bytes, size_t count, wri_saved *saved, char *error,
                      size_t error_size);

/* Everything a failure file holds. Strings are the caller's. */
typedef struct wri_failure_file {
    const char        *program, *property;
    const char        *kind, *message, *place; /* place: "file.c:12", or "" */
    uint64_t           seed;
    bool               minimal;              /* shrinking was finished */
    const char *const *names, *const *texts; /* the values, for a reader */
    size_t      value_count;
    const char *token;
} wri_failure_file;

/* The folder of failures: DIR/failures when `dir` is given, else .warren/failures beside the
 * nearest .git or .warren above the current folder, else here. Malloced. Makes nothing. */
char *wri_store_folder(const char *dir);

/* The file's path for a bug: PROGRAM.PROPERTY.HASH.txt in the folder. The names are made safe and
 * cut to 100 characters, the program's to its base name first; HASH is of the full names and
 * `origin`, the bug's kind and place, so that no two bugs share a file. Malloced. */
char *wri_store_path(const char *folder, const char *program, const char *property,
                     uint64_t origin);

/* Writes it as a whole or not at all (a temporary file, then rename), making the folders; a file
 * that differs in nothing but the seed stays. NULL strings count as ""; a file over 16 MiB, which
 * could not be read back, is refused. */
bool wri_store_write(const char *path, const wri_failure_file *failure, char *error,
                     size_t error_size);

/* One failure that was read back. */
typedef struct wri_stored {
    char     *path;
    char     *program; /* base name; "" when the file does not say */
    char     *property;
    char     *kind, *place;
    bool      minimal;
    char     *token;
    wri_saved saved;
} wri_stored;

/* Reads one file; false and a line (file, line number, what was expected) when it is damaged;
 * then `stored` holds nothing. What it held before is overwritten, not freed. */
bool wri_store_read(const char *path, wri_stored *stored, char *error, size_t error_size);
/* The same from memory; `path` is what the line calls it. */
bool wri_store_parse(const char *path, const char *bytes, size_t count, wri_stored *stored,
                     char *error, size_t error_size);
void wri_stored_free(wri_stored *stored);

/* All stored failures of a property, by name of file; those that cannot be read are told to
 * `complain` and left where they are. The list is malloced: wri_stored_free() each, then free()
 * it. A folder that is not there is an empty one; one that cannot be read is an error (false). */
bool wri_store_list(const char *folder, const char *program, const char *property,
                    wri_stored **list, size_t                               *count,
                    void (*complain)(void *context, const char *line), void *context, char *error,
                    size_t error_size);

#endif
