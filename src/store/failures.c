/* store/failures.c: failures as small text files, made for people and version control.
 *
 * A file is a first line with the version and then lines "key: value". Values are escaped so that
 * each stays on its line and loses nothing when an editor trims the end of a line. A file may
 * come out of any checkout or merge, so reading trusts nothing; keys that it does not know are
 * left to newer versions. Which failures are worth keeping is decided elsewhere.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/prng.h"
#include "store/refuse.h"
#include "store/store.h"

#define FIRST_LINE "warren failure 1"
#define MAX_FILE_BYTES ((size_t)16 << 20)
#define TOKEN_LINE 100 /* characters of a token on one line */
#define NAME_PART 100  /* characters of a program or property in a file's name */
#define QUOTED 40      /* characters of a wrong line that an error shows */

static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Malloced; NULL when memory is out. */
static char *print(const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int   length = vsnprintf(NULL, 0, format, values);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(values);
    return text;
}

/* ---- names and folders ---- */

static const char *base_name(const char *program)
{
    const char *slash = strrchr(program, '/');
    return slash == NULL ? program : slash + 1;
}

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
    make_safe(safe_program, base_name(program));
    make_safe(safe_property, property);
    snprintf(prefix, 2 * NAME_PART + 3, "%s.%s.", safe_program, safe_property);
}

char *wri_store_path(const char *folder, const char *program, const char *property,
                     uint64_t origin)
{
    char     prefix[2 * NAME_PART + 3];
    uint64_t hash = origin;
    program = base_name(program);
    name_prefix(prefix, program, property);
    hash = wri_hash_step(hash, wri_hash_bytes(program, strlen(program)));
    hash = wri_hash_step(hash, wri_hash_bytes(property, strlen(property)));
    return print("%s/%s%016llx.txt", folder, prefix, (unsigned long long)hash);
}

/* Is `name` in the folder whose path is the first `length` characters of `path`? A .git may be a
 * file: in a worktree it is. */
static bool holds(const char *path, size_t length, const char *name)
{
    struct stat status;
    char       *entry = print("%.*s/%s", (int)length, path, name);
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
        return print("%.*s/failures", (int)length, dir);
    }
    char *here = getcwd(NULL, 0);
    if (here == NULL || here[0] != '/') {
        free(here);
        return print(".warren/failures");
    }
    char *folder = print("%.*s/.warren/failures", (int)project_length(here), here);
    free(here);
    return folder;
}

/* ---- writing ---- */

/* Two characters of escape, or none when the byte may stand as it is or needs \xHH. */
static const char *short_escape(char c)
{
    return c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\\' ? "\\\\" : NULL;
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        bool          trimmed = byte == ' ' && text[1] == '\0';
        if (short_escape(*text) != NULL)
            fputs(short_escape(*text), out);
        else if (byte < ' ' || byte == 0x7f || trimmed)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
}

/* A key without a value is left out: nothing stands after the colon that could be trimmed. */
static void put_line(FILE *out, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    fprintf(out, "%s: ", key);
    put_escaped(out, value);
    fputc('\n', out);
}

static void put_value(FILE *out, const char *name, const char *text)
{
    if (name == NULL)
        return;
    fputs("value: ", out);
    put_escaped(out, name);
    fputs(" =", out);
    if (text != NULL && text[0] != '\0') {
        fputc(' ', out);
        put_escaped(out, text);
    }
    fputc('\n', out);
}

static void put_failure(FILE *out, const wri_failure_file *failure)
{
    fputs(FIRST_LINE "\n", out);
    put_line(out, "program", failure->program == NULL ? NULL : base_name(failure->program));
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

/* The file's text, malloced; NULL when memory is out. */
static char *failure_text(const wri_failure_file *failure, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    put_failure(out, failure);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* Another process may make it at the same time; what counts is that it is there. */
static bool make_folder(const char *folder, char *error, size_t error_size)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0)
        return true;
    int reason = errno;
    if (stat(folder, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return true;
        reason = ENOTDIR;
    }
    return wri_refuse(error, error_size, "%s: cannot make this folder: %s", folder, strerror(reason));
}

/* Makes the folders that `path` lies in. */
static bool make_folders(const char *path, char *error, size_t error_size)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool  made = true;
    char *slash = strchr(folder + (path[0] == '/'), '/');
    while (made && slash != NULL) {
        *slash = '\0';
        made = make_folder(folder, error, error_size);
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(folder);
    return made;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        size -= (size_t)written;
    }
    return fsync(file) == 0 || errno == EINVAL; /* EINVAL: it cannot be synchronised */
}

/* Makes `temporary` with this text. On false errno says why, and it may be there in part. */
static bool write_file(const char *temporary, const char *text, size_t size)
{
    unlink(temporary); /* left behind by a process that had this one's number */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool written = write_all(file, text, size);
    int  reason = errno;
    if (close(file) != 0 && written)
        return false;
    errno = reason;
    return written;
}

/* A file that is about to be replaced but cannot be read may hold what somebody still wants: a
 * merge gone wrong, say. It stays beside, as PATH.bad. */
static void keep_damaged(const char *path)
{
    wri_stored there;
    char       error[256];
    struct stat what;
    if (lstat(path, &what) != 0 || !S_ISREG(what.st_mode))
        return;
    if (wri_store_read(path, &there, error, sizeof error)) {
        wri_stored_free(&there);
        return;
    }
    char *aside = print("%s.bad", path);
    if (aside != NULL && rename(path, aside) != 0)
        errno = 0; /* then it is lost, as without this */
    free(aside);
}

static bool replace(const char *path, const char *text, size_t size, char *error,
                    size_t error_size)
{
    char *temporary = print("%s.tmp.%ld", path, (long)getpid());
    if (temporary == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    keep_damaged(path);
    bool replaced = write_file(temporary, text, size) && rename(temporary, path) == 0;
    if (!replaced) {
        int reason = errno;
        unlink(temporary);
        wri_refuse(error, error_size, "%s: cannot write this file: %s", path, strerror(reason));
    }
    free(temporary);
    return replaced;
}

bool wri_store_write(const char *path, const wri_failure_file *failure, char *error,
                     size_t error_size)
{
    if (failure->property == NULL || failure->property[0] == '\0')
        return wri_refuse(error, error_size, "%s: a failure without a property", path);
    if (failure->token == NULL || failure->token[0] == '\0')
        return wri_refuse(error, error_size, "%s: a failure without a token", path);
    size_t size = 0;
    char  *text = failure_text(failure, &size);
    if (text == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool written;
    if (size > MAX_FILE_BYTES)
        written = wri_refuse(error, error_size, "%s: a failure over 16 MiB is not stored", path);
    else
        written = make_folders(path, error, error_size) &&
                  replace(path, text, size, error, error_size);
    free(text);
    return written;
}

/* ---- reading ---- */

/* A file while it is read: the line at hand, and where a complaint goes. */
typedef struct reader {
    const char *path, *at, *end; /* what is left after this line */
    const char *line;
    size_t      length, number;
    wri_stored *stored;
    size_t      token_line; /* the number of the first token line; 0: none yet */
    size_t      token_length;
    bool        minimal_seen;
    char       *error;
    size_t      error_size;
} reader;

static bool unexpected(reader *from, const char *expected, const char *found)
{
    return wri_refuse(from->error, from->error_size, "%s:%zu: expected %s, found %s", from->path,
                  from->number, expected, found);
}

/* The same, showing the beginning of `text`; bytes that would upset a terminal become '?'. */
static bool unexpected_text(reader *from, const char *expected, const char *text, size_t length)
{
    char   found[QUOTED + 6];
    size_t shown = length < QUOTED ? length : QUOTED;
    if (length == 0)
        return unexpected(from, expected, "nothing");
    found[0] = '\'';
    for (size_t i = 0; i < shown; i++)
        found[1 + i] = (char)(text[i] < ' ' || text[i] > '~' ? '?' : text[i]);
    snprintf(found + 1 + shown, sizeof found - 1 - shown, "%s'", shown < length ? "..." : "");
    return unexpected(from, expected, found);
}

static bool no_memory(reader *from)
{
    return wri_refuse(from->error, from->error_size, "%s: memory is out", from->path);
}

/* Steps to the next line, without its end ("\n" or "\r\n"); false when there is none. */
static bool next_line(reader *from)
{
    from->number++;
    if (from->at == from->end)
        return false;
    size_t      left = (size_t)(from->end - from->at);
    const char *newline = memchr(from->at, '\n', left);
    from->line = from->at;
    from->length = newline == NULL ? left : (size_t)(newline - from->at);
    from->at += from->length + (newline != NULL);
    if (from->length > 0 && from->line[from->length - 1] == '\r')
        from->length--;
    return true;
}

static bool starts_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* What no line may be, whatever its key. */
static bool line_sound(reader *from, const char *expected)
{
    static const char *const MARKERS[] = {"<<<<<<<", "|||||||", "=======", ">>>>>>>"};
    for (size_t i = 0; i < sizeof MARKERS / sizeof *MARKERS; i++)
        if (starts_with(from->line, from->length, MARKERS[i]))
            return unexpected(from, expected,
                              "a git conflict marker: keep one side, or delete the file");
    if (memchr(from->line, '\0', from->length) != NULL)
        return unexpected(from, expected, "a NUL byte");
    return true;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes the escape at `text`; returns its length, 0 when it is none. \x00 is none: it would
 * end the string. */
static size_t take_escape(const char *text, size_t length, char *decoded)
{
    if (length >= 2 && (text[1] == 'n' || text[1] == 't' || text[1] == '\\')) {
        *decoded = (char)(text[1] == 'n' ? '\n' : text[1] == 't' ? '\t' : '\\');
        return 2;
    }
    if (length < 4 || text[1] != 'x' || hex_value(text[2]) < 0 || hex_value(text[3]) < 0)
        return 0;
    *decoded = (char)(hex_value(text[2]) * 16 + hex_value(text[3]));
    return *decoded == '\0' ? 0 : 4;
}

/* A value of which there is one, unescaped into *slot. */
static bool take_string(reader *from, char **slot, const char *text, size_t length)
{
    size_t used = 0, step;
    if (*slot != NULL)
        return unexpected_text(from, "a key only once", from->line, from->length);
    char *value = *slot = malloc(length + 1);
    if (value == NULL)
        return no_memory(from);
    for (size_t i = 0; i < length; i += step) {
        step = 1;
        value[used] = text[i];
        if (text[i] == '\\')
            step = take_escape(text + i, length - i, &value[used]);
        if (step == 0)
            return unexpected_text(from, "an escape (\\n, \\t, \\\\ or \\xHH)", text + i,
                                   length - i);
        used++;
    }
    value[used] = '\0';
    return true;
}

static bool take_minimal(reader *from, const char *text, size_t length)
{
    if (from->minimal_seen)
        return unexpected_text(from, "a key only once", from->line, from->length);
    from->minimal_seen = true;
    from->stored->minimal = length == 3 && memcmp(text, "yes", 3) == 0;
    if (from->stored->minimal || (length == 2 && memcmp(text, "no", 2) == 0))
        return true;
    return unexpected_text(from, "'yes' or 'no'", text, length);
}

/* Joins the token's lines in a buffer that is as long as the rest of the file from the first. */
static bool take_token(reader *from, const char *text, size_t length)
{
    wri_stored *stored = from->stored;
    if (from->token_line == 0) {
        stored->token = malloc((size_t)(from->end - text) + 1);
        if (stored->token == NULL)
            return no_memory(from);
        from->token_line = from->number;
    }
    memcpy(stored->token + from->token_length, text, length);
    from->token_length += length;
    stored->token[from->token_length] = '\0';
    return true;
}

/* Where the value of this line begins: after the first ": ". NULL: nowhere. */
static const char *value_start(const reader *from)
{
    for (size_t i = 0; i + 1 < from->length; i++)
        if (from->line[i] == ':' && from->line[i + 1] == ' ')
            return from->line + i + 2;
    return NULL;
}

static bool take_line(reader *from)
{
    if (!line_sound(from, "'key: value'"))
        return false;
    const char *text = value_start(from);
    if (text == NULL)
        return unexpected_text(from, "'key: value'", from->line, from->length);
    const struct {
        const char *key;
        char      **slot;
    } STRINGS[] = {
        {"program: ", &from->stored->program},
        {"property: ", &from->stored->property},
        {"kind: ", &from->stored->kind},
        {"place: ", &from->stored->place},
    };
    size_t length = (size_t)(from->line + from->length - text);
    for (size_t i = 0; i < sizeof STRINGS / sizeof *STRINGS; i++)
        if (starts_with(from->line, from->length, STRINGS[i].key))
            return take_string(from, STRINGS[i].slot, text, length);
    if (starts_with(from->line, from->length, "minimal: "))
        return take_minimal(from, text, length);
    if (starts_with(from->line, from->length, "token: "))
        return take_token(from, text, length);
    return true;
}

static bool take_first_line(reader *from)
{
    const char *expected = "'" FIRST_LINE "'";
    if (!next_line(from))
        return unexpected(from, expected, "an empty file");
    if (!line_sound(from, expected))
        return false;
    if (from->length == strlen(FIRST_LINE) && memcmp(from->line, FIRST_LINE, from->length) == 0)
        return true;
    return unexpected_text(from, expected, from->line, from->length);
}

/* What only the whole file can tell: that it has all it needs, and that this fits together. */
static bool complete(reader *from)
{
    wri_stored *stored = from->stored;
    char        problem[200];
    if (stored->property == NULL || stored->property[0] == '\0')
        return unexpected(from, "'property: NAME'", "the end of the file");
    if (stored->token == NULL)
        return unexpected(from, "'token: ...'", "the end of the file");
    from->number = from->token_line;
    if (!wri_token_read(stored->token, &stored->saved, problem, sizeof problem))
        return wri_refuse(from->error, from->error_size, "%s:%zu: expected a token, found: %s",
                      from->path, from->number, problem);
    if (stored->saved.property != wri_label_hash(stored->property))
        return unexpected(from, "a token of this property", "one of another");
    char **optional[] = {&stored->program, &stored->kind, &stored->place};
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        if (*optional[i] == NULL && (*optional[i] = strdup("")) == NULL)
            return no_memory(from);
    return true;
}

static bool take_file(reader *from)
{
    from->stored->path = strdup(from->path);
    if (from->stored->path == NULL)
        return no_memory(from);
    if (from->end - from->at > (ptrdiff_t)MAX_FILE_BYTES)
        return wri_refuse(from->error, from->error_size,
                      "%s:1: expected at most 16 MiB, found a larger file", from->path);
    if (!take_first_line(from))
        return false;
    while (next_line(from))
        if (!take_line(from))
            return false;
    return complete(from);
}

bool wri_store_parse(const char *path, const char *bytes, size_t count, wri_stored *stored,
                     char *error, size_t error_size)
{
    reader from = {.path = path, .at = bytes, .end = bytes + count, .stored = stored,
                   .error = error, .error_size = error_size};
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

/* The file's bytes, malloced, one more than allowed at most: then it is too large. NULL, and
 * errno, when it cannot be read. */
static char *read_bytes(FILE *file, size_t *count)
{
    size_t room = 4096;
    char  *bytes = malloc(room);
    *count = 0;
    while (bytes != NULL && *count <= MAX_FILE_BYTES) {
        *count += fread(bytes + *count, 1, room - *count, file);
        if (ferror(file)) {
            int reason = errno;
            free(bytes);
            errno = reason;
            return NULL;
        }
        if (*count < room)
            return bytes;
        room *= 2;
        char *more = realloc(bytes, room);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    return bytes;
}

bool wri_store_read(const char *path, wri_stored *stored, char *error, size_t error_size)
{
    size_t count = 0;
    char  *bytes = NULL;
    memset(stored, 0, sizeof *stored);
    FILE *file = fopen(path, "rbe");
    if (file != NULL)
        bytes = read_bytes(file, &count);
    int reason = errno;
    if (file != NULL)
        fclose(file);
    if (bytes == NULL)
        return wri_refuse(error, error_size, "%s: cannot read this file: %s", path, strerror(reason));
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
    if (list->count == list->room) {
        size_t room = list->room * 2 + 8;
        char **names = realloc(list->names, room * sizeof *names);
        if (names == NULL)
            return false;
        list->names = names;
        list->room = room;
    }
    list->names[list->count] = strdup(name);
    return list->names[list->count] != NULL && ++list->count > 0;
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
           (stored->program[0] == '\0' || strcmp(stored->program, base_name(program)) == 0);
}

bool wri_store_list(const char *folder, const char *program, const char *property,
                    wri_stored **list, size_t *count,
                    void (*complain)(void *context, const char *line), void *context, char *error,
                    size_t error_size)
{
    char      prefix[2 * NAME_PART + 3], line[4096 + 512];
    name_list found = {0};
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
        char       *path = print("%s/%s", folder, found.names[i]);
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
