/* store/files/failures.c: failures as small text files, made for people and version control.
 *
 * A file is a first line with the version and then lines "key: value". Values are escaped so that
 * each stays on its line and loses nothing when an editor trims the end of a line. A file may
 * come out of any checkout or merge, so reading trusts nothing; keys that it does not know are
 * left to newer versions. Which failures are worth keeping is decided elsewhere.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/prng.h"
#include "core/grow.h"
#include "store/files/file.h"
#include "store/files/lines.h"
#include "store/refuse.h"
#include "store/store.h"

#define FIRST_LINE "warren failure 1"
#define TOKEN_LINE 100 /* characters of a token on one line */
#define NAME_PART 100  /* characters of a program or property in a file's name */

/* ---- names and folders ---- */

static bool safe_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '_' || c == '-';
}

/* Makes a name fit for a file's, in room for NAME_PART characters and a NUL. */
static void make_safe(char *safe, const char *name)
{
    size_t length = strnlen(name, NAME_PART);
    for (size_t i = 0; i < length; i++)
        safe[i] = safe_character(name[i]) ? name[i] : '_';
    safe[length] = '\0';
}

/* "PROGRAM.PROPERTY.": how the names of a property's files begin. */
static void name_prefix(char prefix[2 * NAME_PART + 3], const char *program, const char *property)
{
    char safe_program[NAME_PART + 1], safe_property[NAME_PART + 1];
    make_safe(safe_program, wri_folder_last_name(program));
    make_safe(safe_property, property);
    snprintf(prefix, 2 * NAME_PART + 3, "%s.%s.", safe_program, safe_property);
}

char *wri_store_path(const char *folder, const char *program, const char *property,
                     uint64_t origin)
{
    char     prefix[2 * NAME_PART + 3];
    uint64_t hash = origin;
    program = wri_folder_last_name(program);
    name_prefix(prefix, program, property);
    hash = wri_hash_step(hash, wri_hash_bytes(program, strlen(program)));
    hash = wri_hash_step(hash, wri_hash_bytes(property, strlen(property)));
    return wri_file_print("%s/%s%016llx.txt", folder, prefix, (unsigned long long)hash);
}

/* Is `name` in the folder whose path is the first `length` characters of `path`? A .git may be a
 * file: in a worktree it is. */
static bool holds(const char *path, size_t length, const char *name)
{
    struct stat status;
    char       *entry = wri_file_print("%.*s/%s", (int)length, path, name);
    bool        held = entry != NULL && lstat(entry, &status) == 0;
    free(entry);
    return held;
}

/* The length of the prefix of `here`, an absolute path, that holds a .git or .warren; without
 * one, all of it. The root's length is 0. */
static size_t project_length(const char *here)
{
    size_t whole = strcmp(here, "/") == 0 ? 0 : strlen(here);
    for (size_t length = whole;; length--) {
        if (length == 0 || here[length] == '/' || length == whole)
            if (holds(here, length, ".git") || holds(here, length, ".warren"))
                return length;
        if (length == 0)
            return whole;
    }
}

char *wri_store_folder(const char *dir)
{
    if (dir != NULL && dir[0] != '\0') {
        size_t length = strlen(dir);
        while (length > 0 && dir[length - 1] == '/')
            length--;
        return wri_file_print("%.*s/failures", (int)length, dir);
    }
    char *here = getcwd(NULL, 0);
    if (here == NULL || here[0] != '/') {
        free(here);
        return wri_file_print(".warren/failures");
    }
    char *folder = wri_file_print("%.*s/.warren/failures", (int)project_length(here), here);
    free(here);
    return folder;
}

/* ---- writing ---- */

/* A key without a value is left out: nothing stands after the colon that could be trimmed. */
static void put_line(FILE *out, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    fprintf(out, "%s: ", key);
    wri_lines_put_escaped(out, value);
    fputc('\n', out);
}

static void put_value(FILE *out, const char *name, const char *text)
{
    if (name == NULL)
        return;
    fputs("value: ", out);
    wri_lines_put_escaped(out, name);
    fputs(" =", out);
    if (text != NULL && text[0] != '\0') {
        fputc(' ', out);
        wri_lines_put_escaped(out, text);
    }
    fputc('\n', out);
}

static void put_failure(FILE *out, const void *what)
{
    const wri_failure_file *failure = what;
    fputs(FIRST_LINE "\n", out);
    put_line(out, "program",
             failure->program == NULL ? NULL : wri_folder_last_name(failure->program));
    put_line(out, "property", failure->property);
    put_line(out, "kind", failure->kind);
    put_line(out, "place", failure->place);
    put_line(out, "message", failure->message);
    fprintf(out, "seed: %llu\n", (unsigned long long)failure->seed);
    fprintf(out, "minimal: %s\n", failure->minimal ? "yes" : "no");
    for (size_t i = 0; i < failure->value_count; i++)
        put_value(out, failure->names[i], failure->texts[i]);
    for (const char *token = failure->token; *token != '\0'; token += strnlen(token, TOKEN_LINE))
        fprintf(out, "token: %.*s\n", TOKEN_LINE, token);
}

/* A file that cannot be read is kept beside. False where that cannot be done. */
static bool keep_damaged(const char *path, char *error, size_t error_size)
{
    wri_stored  there;
    struct stat what;
    if (lstat(path, &what) != 0 || !S_ISREG(what.st_mode))
        return true;
    if (wri_store_read(path, &there, error, error_size)) {
        wri_stored_free(&there);
        return true;
    }
    return wri_file_set_aside(path, error, error_size);
}

/* The line with the seed, from the end of the one before it to its own; NULL: there is none. */
static const char *find_seed(const char *text, size_t size, size_t *length)
{
    const char *line = memmem(text, size, "\nseed: ", strlen("\nseed: "));
    const char *end =
        line == NULL ? NULL : memchr(line + 1, '\n', size - (size_t)(line + 1 - text));
    *length = end == NULL ? 0 : (size_t)(end - line);
    return end == NULL ? NULL : line;
}

/* Do both say the same, but for the seed of the run that wrote them? */
static bool same_but_seed(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t      a_length, b_length;
    const char *a_seed = find_seed(a, a_size, &a_length),
               *b_seed = find_seed(b, b_size, &b_length);
    if (a_seed == NULL || b_seed == NULL || a_size - a_length != b_size - b_length)
        return false;
    size_t before = (size_t)(a_seed - a), after = a_size - a_length - before;
    return before == (size_t)(b_seed - b) && memcmp(a, b, before) == 0 &&
           memcmp(a_seed + a_length, b_seed + b_length, after) == 0;
}

/* A file that says it already stays as it is: version control has nothing to show then. */
static bool is_there(const char *path, const char *text, size_t size)
{
    size_t count = 0;
    char  *there = wri_file_read(path, &count);
    bool   same = there != NULL && same_but_seed(there, count, text, size);
    free(there);
    return same;
}

bool wri_store_write(const char *path, const wri_failure_file *failure, char *error,
                     size_t error_size)
{
    if (failure->property == NULL || failure->property[0] == '\0')
        return wri_refuse(error, error_size, "%s: a failure without a property", path);
    if (failure->token == NULL || failure->token[0] == '\0')
        return wri_refuse(error, error_size, "%s: a failure without a token", path);
    size_t size = 0;
    char  *text = wri_file_print_by(put_failure, failure, &size);
    if (text == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool written;
    if (size > WRI_FILE_BYTES)
        written = wri_refuse(error, error_size, "%s: a failure over 16 MiB is not stored", path);
    else
        written =
            is_there(path, text, size) || (keep_damaged(path, error, error_size) &&
                                           wri_file_replace(path, text, size, error, error_size));
    free(text);
    return written;
}

/* ---- reading ---- */

/* A failure file while it is read. */
typedef struct reader {
    wri_lines   lines;
    wri_stored *stored;
    size_t      token_line; /* the number of the first token line; 0: none yet */
    size_t      token_length;
    bool        minimal_seen;
} reader;

static bool twice(reader *from)
{
    return wri_lines_unexpected_text(&from->lines, "a key only once", from->lines.line,
                                     from->lines.length);
}

/* A value of which there is one, unescaped into *slot. */
static bool take_string(reader *from, char **slot, const char *text, size_t length)
{
    if (*slot != NULL)
        return twice(from);
    return wri_lines_unescape(&from->lines, slot, text, length);
}

static bool take_minimal(reader *from, const char *text, size_t length)
{
    if (from->minimal_seen)
        return twice(from);
    from->minimal_seen = true;
    from->stored->minimal = length == 3 && memcmp(text, "yes", 3) == 0;
    if (from->stored->minimal || (length == 2 && memcmp(text, "no", 2) == 0))
        return true;
    return wri_lines_unexpected_text(&from->lines, "'yes' or 'no'", text, length);
}

/* Joins the token's lines in a buffer that is as long as the rest of the file from the first. */
static bool take_token(reader *from, const char *text, size_t length)
{
    wri_stored *stored = from->stored;
    if (from->token_line == 0) {
        stored->token = malloc((size_t)(from->lines.end - text) + 1);
        if (stored->token == NULL)
            return wri_lines_no_memory(&from->lines);
        from->token_line = from->lines.number;
    }
    memcpy(stored->token + from->token_length, text, length);
    from->token_length += length;
    stored->token[from->token_length] = '\0';
    return true;
}

/* Where the value of this line begins: after the first ": ". NULL: nowhere. */
static const char *value_start(const reader *from)
{
    for (size_t i = 0; i + 1 < from->lines.length; i++)
        if (from->lines.line[i] == ':' && from->lines.line[i + 1] == ' ')
            return from->lines.line + i + 2;
    return NULL;
}

static bool take_line(reader *from)
{
    if (!wri_lines_sound(&from->lines, "'key: value'"))
        return false;
    const char *text = value_start(from);
    if (text == NULL)
        return wri_lines_unexpected_text(&from->lines, "'key: value'", from->lines.line,
                                         from->lines.length);
    const struct {
        const char *key;
        char      **slot;
    } STRINGS[] = {
        { "program: ", &from->stored->program },
        { "property: ", &from->stored->property },
        { "kind: ", &from->stored->kind },
        { "place: ", &from->stored->place },
    };
    size_t length = (size_t)(from->lines.line + from->lines.length - text);
    for (size_t i = 0; i < sizeof STRINGS / sizeof *STRINGS; i++)
        if (wri_lines_start_with(&from->lines, STRINGS[i].key))
            return take_string(from, STRINGS[i].slot, text, length);
    if (wri_lines_start_with(&from->lines, "minimal: "))
        return take_minimal(from, text, length);
    if (wri_lines_start_with(&from->lines, "token: "))
        return take_token(from, text, length);
    return true;
}

static bool take_first_line(wri_lines *lines)
{
    const char *expected = "'" FIRST_LINE "'";
    if (!wri_lines_next(lines))
        return wri_lines_unexpected(lines, expected, "an empty file");
    if (!wri_lines_sound(lines, expected))
        return false;
    if (lines->length == strlen(FIRST_LINE) && wri_lines_start_with(lines, FIRST_LINE))
        return true;
    return wri_lines_unexpected_text(lines, expected, lines->line, lines->length);
}

/* What only the whole file can tell: that it has all it needs, and that this fits together. */
static bool complete(reader *from)
{
    wri_stored *stored = from->stored;
    if (stored->property == NULL || stored->property[0] == '\0')
        return wri_lines_unexpected(&from->lines, "'property: NAME'", "the end of the file");
    if (stored->token == NULL)
        return wri_lines_unexpected(&from->lines, "'token: ...'", "the end of the file");
    from->lines.number = from->token_line;
    if (!wri_lines_token(&from->lines, stored->token, wri_trace_label_hash(stored->property),
                         &stored->saved))
        return false;
    char **optional[] = { &stored->program, &stored->kind, &stored->place };
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        if (*optional[i] == NULL && (*optional[i] = strdup("")) == NULL)
            return wri_lines_no_memory(&from->lines);
    return true;
}

static bool take_file(reader *from)
{
    from->stored->path = strdup(from->lines.path);
    if (from->stored->path == NULL)
        return wri_lines_no_memory(&from->lines);
    if (!wri_lines_fit(&from->lines) || !take_first_line(&from->lines))
        return false;
    while (wri_lines_next(&from->lines))
        if (!take_line(from))
            return false;
    return complete(from);
}

bool wri_store_parse(const char *path, const char *bytes, size_t count, wri_stored *stored,
                     char *error, size_t error_size)
{
    reader from = { .lines = { .path = path,
                               .at = bytes,
                               .end = bytes + count,
                               .conflict =
                                   "a git conflict marker: keep one side, or delete the file",
                               .error = error,
                               .error_size = error_size },
                    .stored = stored };
    memset(stored, 0, sizeof *stored);
    if (take_file(&from))
        return true;
    wri_stored_free(stored);
    return false;
}

void wri_stored_free(wri_stored *stored)
{
    free(stored->path);
    free(stored->program);
    free(stored->property);
    free(stored->kind);
    free(stored->place);
    free(stored->token);
    wri_saved_free(&stored->saved);
    memset(stored, 0, sizeof *stored);
}

bool wri_store_read(const char *path, wri_stored *stored, char *error, size_t error_size)
{
    size_t count = 0;
    memset(stored, 0, sizeof *stored);
    char *bytes = wri_file_read(path, &count);
    if (bytes == NULL)
        return wri_refuse(error, error_size, "%s: cannot read this file: %s", path,
                          strerror(errno));
    bool read = wri_store_parse(path, bytes, count, stored, error, error_size);
    free(bytes);
    return read;
}

/* ---- listing ---- */

/* PREFIX, something without a dot, ".txt": so that property "a" leaves the files of "a.b", and
 * everybody leaves temporary files. */
static bool file_of(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    const char *dot = strchr(name + length, '.');
    return dot != NULL && strcmp(dot, ".txt") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct name_list {
    char **names;
    size_t count, room;
} name_list;

static void free_names(name_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
}

static bool add_name(name_list *list, const char *name)
{
    char **names = wri_grow(list->names, sizeof *names, list->count, &list->room);
    if (names == NULL)
        return false;
    list->names = names;
    names[list->count] = strdup(name);
    return names[list->count] != NULL && ++list->count > 0;
}

/* The names of the files that may be this property's, sorted. False and errno on failure; the
 * list is to be freed either way. */
static bool list_names(const char *folder, const char *prefix, name_list *list)
{
    DIR           *open_folder = opendir(folder);
    struct dirent *entry;
    if (open_folder == NULL)
        return errno == ENOENT;
    bool listed = true;
    while (listed && (errno = 0, entry = readdir(open_folder)) != NULL)
        if (file_of(entry->d_name, prefix))
            listed = add_name(list, entry->d_name);
    int reason = errno;
    closedir(open_folder);
    errno = reason;
    if (list->count > 1)
        qsort(list->names, list->count, sizeof *list->names, compare_names);
    return listed && reason == 0;
}

/* Two names may have become the same when they were made safe; what the file says counts. */
static bool belongs(const wri_stored *stored, const char *program, const char *property)
{
    return strcmp(stored->property, property) == 0 &&
           (stored->program[0] == '\0' ||
            strcmp(stored->program, wri_folder_last_name(program)) == 0);
}

bool wri_store_list(const char *folder, const char *program, const char *property,
                    wri_stored **list, size_t                               *count,
                    void (*complain)(void *context, const char *line), void *context, char *error,
                    size_t error_size)
{
    char      prefix[2 * NAME_PART + 3], line[4096 + 512];
    name_list found = { 0 };
    *list = NULL;
    *count = 0;
    name_prefix(prefix, program, property);
    bool listed = list_names(folder, prefix, &found);
    if (listed && found.count > 0)
        listed = (*list = malloc(found.count * sizeof **list)) != NULL;
    if (!listed)
        wri_refuse(error, error_size, "%s: cannot read this folder: %s", folder, strerror(errno));
    for (size_t i = 0; listed && i < found.count; i++) {
        wri_stored *stored = &(*list)[*count];
        char       *path = wri_file_print("%s/%s", folder, found.names[i]);
        bool        read = path != NULL && wri_store_read(path, stored, line, sizeof line);
        if (read && belongs(stored, program, property))
            ++*count;
        else if (read)
            wri_stored_free(stored);
        else if (complain != NULL)
            complain(context, path != NULL ? line : "memory is out");
        free(path);
    }
    free_names(&found);
    return listed;
}
