/* store/files/failures.c: writes and reads the file of one failure.
 *
 *     warren failure 1
 *     program: sort
 *     property: sorting_sorts
 *     key: 0123456789abcdef
 *     value: n = 2
 *     token: w1AbCd...
 *
 * The first line holds the version; "key: value" lines follow, with escaped values. A file may
 * come from any checkout or merge, so the reader trusts nothing. It passes over unknown keys:
 * newer versions may write more. quest/ decides which failures are worth keeping.
 */
#include "store/files/failures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "store/files/file.h"
#include "store/lines.h"

#define FIRST_LINE "warren failure 1"
#define TOKEN_LINE 100 /* characters of a token on one line */
#define KEY_DIGITS 16

/* ---- writing ---- */

/* A key without a value is left out: an editor could trim the blank after its colon. */
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

/* "sort.c:42", or the function when no line is known. */
static void put_place(FILE *out, const wri_failure *failure)
{
    char place[600];
    bool known = failure->line != 0 && failure->file != NULL;
    if (known)
        snprintf(place, sizeof place, "%s:%d", failure->file, failure->line);
    put_line(out, "place", known ? place : failure->function);
}

typedef struct page {
    const wri_owner   *owner;
    uint64_t           key;
    const wri_failure *failure;
} page;

static void put_failure(FILE *out, const void *what)
{
    const page        *made = what;
    const wri_failure *failure = made->failure;
    fputs(FIRST_LINE "\n", out);
    put_line(out, "program", made->owner->program);
    put_line(out, "property", made->owner->property);
    fprintf(out, "key: %0*llx\n", KEY_DIGITS, (unsigned long long)made->key);
    put_line(out, "kind", failure->kind);
    put_place(out, failure);
    put_line(out, "message", failure->message);
    fprintf(out, "seed: %llu\n", (unsigned long long)failure->seed);
    fprintf(out, "minimal: %s\n", failure->minimal ? "yes" : "no");
    for (size_t i = 0; i < failure->value_count; i++)
        put_value(out, failure->values[i].name, failure->values[i].text);
    for (const char *token = failure->token; *token != '\0'; token += strnlen(token, TOKEN_LINE))
        fprintf(out, "token: %.*s\n", TOKEN_LINE, token);
}

/* The line with the seed, with the newline before it and without its own; NULL: there is none. */
static const char *find_seed(const char *text, size_t size, size_t *length)
{
    const char *line = memmem(text, size, "\nseed: ", strlen("\nseed: "));
    const char *end =
        line == NULL ? NULL : memchr(line + 1, '\n', size - (size_t)(line + 1 - text));
    *length = end == NULL ? 0 : (size_t)(end - line);
    return end == NULL ? NULL : line;
}

/* Do both files say the same, apart from the seed of the run that wrote them? */
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

/* Does the text hold no failure? Without the memory to read it, it may hold one. */
static bool is_damaged(const char *path, const wri_stored_text *there)
{
    wri_stored stored;
    errno = 0;
    bool parsed = wri_failures_parse(path, there->bytes, there->size, &stored, NULL);
    bool damaged = !parsed && errno != ENOMEM;
    wri_stored_free(&stored);
    return damaged;
}

/* Is there a file at all, whose bytes might be read another time? */
static bool may_be_good(int reason)
{
    return reason != ENOENT && reason != ENOTDIR && reason != EISDIR && reason != ESPIPE;
}

/* A file that says the same stays as it is: then version control has nothing to show. A damaged
 * one is moved aside. One that cannot be read now may be a good one: it stays. */
static bool replace(const char *path, const char *text, size_t size, wri_note *note)
{
    wri_stored_text there;
    bool            read = wri_stored_text_read(path, &there, note);
    if (!read && may_be_good(errno))
        return false;
    wri_note_clear(note); /* of the file that is not there */
    bool same = read && same_but_seed(there.bytes, there.size, text, size);
    bool damaged = read && !same && is_damaged(path, &there);
    wri_stored_text_free(&there);
    return same || ((!damaged || wri_file_set_aside(path, note)) &&
                    wri_file_replace(path, text, size, note));
}

bool wri_failures_write(const char *path, const wri_owner *owner, uint64_t key,
                        const wri_failure *failure, wri_note *note)
{
    page   made = { owner, key, failure };
    size_t size = 0;
    if (owner->property[0] == '\0')
        return wri_note_refuse(note, "%s: a failure without a property", path);
    if (failure->token == NULL || failure->token[0] == '\0')
        return wri_note_refuse(note, "%s: a failure without a token", path);
    char *text = wri_lines_print(put_failure, &made, &size);
    bool  written = false;
    if (text == NULL)
        wri_note_refuse(note, "%s: memory is out", path);
    else if (size > WRI_STORE_BYTES)
        wri_note_refuse(note, "%s: a failure over 16 MiB is not stored", path);
    else
        written = replace(path, text, size, note);
    free(text);
    return written;
}

/* ---- reading ---- */

/* A failure file while it is read. */
typedef struct reader {
    wri_lines   lines;
    wri_stored *stored;
    size_t      token_line; /* the number of the first token line; 0: none yet */
    size_t      token_length, values_length;
    bool        minimal_seen;
} reader;

static bool twice(reader *from)
{
    return wri_lines_unexpected_text(&from->lines, "a key only once", from->lines.line,
                                     from->lines.length);
}

/* A value that may be there only once, unescaped into *slot. */
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

static bool take_key(reader *from, const char *text, size_t length)
{
    char digits[KEY_DIGITS + 1] = "";
    if (from->stored->key != 0)
        return twice(from);
    if (length == KEY_DIGITS)
        memcpy(digits, text, length);
    if (strspn(digits, "0123456789abcdef") != KEY_DIGITS)
        return wri_lines_unexpected_text(&from->lines, "16 hexadecimal digits", text, length);
    from->stored->key = strtoull(digits, NULL, 16);
    return true;
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

/* A seed that is none is 0: nothing depends on it. */
static void take_seed(wri_stored *stored, const char *text, size_t length)
{
    char digits[24] = "";
    if (length < sizeof digits)
        memcpy(digits, text, length);
    stored->seed = strtoull(digits, NULL, 10);
}

/* Adds a line to the values, escaped as it is. */
static bool take_value(reader *from, const char *text, size_t length)
{
    wri_stored *stored = from->stored;
    char       *longer = realloc(stored->values, from->values_length + length + 2);
    if (longer == NULL)
        return wri_lines_no_memory(&from->lines);
    stored->values = longer;
    if (from->values_length > 0)
        longer[from->values_length++] = '\n';
    memcpy(longer + from->values_length, text, length);
    from->values_length += length;
    longer[from->values_length] = '\0';
    return true;
}

/* The start of the value of this line, after the first ": "; NULL: there is none. */
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
        { "program: ", &from->stored->program }, { "property: ", &from->stored->property },
        { "kind: ", &from->stored->kind },       { "place: ", &from->stored->place },
        { "message: ", &from->stored->message },
    };
    size_t length = (size_t)(from->lines.line + from->lines.length - text);
    for (size_t i = 0; i < sizeof STRINGS / sizeof *STRINGS; i++)
        if (wri_lines_start_with(&from->lines, STRINGS[i].key))
            return take_string(from, STRINGS[i].slot, text, length);
    if (wri_lines_start_with(&from->lines, "minimal: "))
        return take_minimal(from, text, length);
    if (wri_lines_start_with(&from->lines, "key: "))
        return take_key(from, text, length);
    if (wri_lines_start_with(&from->lines, "value: "))
        return take_value(from, text, length);
    if (wri_lines_start_with(&from->lines, "seed: "))
        take_seed(from->stored, text, length);
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

/* Checks that the whole file has everything it needs, and that its parts fit together. */
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
    if (stored->key == 0)
        stored->key = wri_hash_bytes(stored->token, from->token_length);
    char **optional[] = { &stored->program, &stored->kind, &stored->place, &stored->message,
                          &stored->values };
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        if (*optional[i] == NULL && (*optional[i] = strdup("")) == NULL)
            return wri_lines_no_memory(&from->lines);
    return true;
}

static bool take_file(reader *from)
{
    from->stored->where = strdup(from->lines.path);
    if (from->stored->where == NULL)
        return wri_lines_no_memory(&from->lines);
    if (!wri_lines_fit(&from->lines) || !take_first_line(&from->lines))
        return false;
    while (wri_lines_next(&from->lines))
        if (!take_line(from))
            return false;
    return complete(from);
}

bool wri_failures_parse(const char *path, const char *bytes, size_t count, wri_stored *stored,
                        wri_note *note)
{
    reader from = { .lines = { .path = path,
                               .at = bytes,
                               .end = bytes + count,
                               .conflict =
                                   "a git conflict marker: keep one side, or delete the file",
                               .note = note },
                    .stored = stored };
    memset(stored, 0, sizeof *stored);
    if (take_file(&from))
        return true;
    wri_stored_free(stored);
    return false;
}

bool wri_stored_read(const char *path, wri_stored *stored, wri_note *note)
{
    wri_stored_text text;
    memset(stored, 0, sizeof *stored);
    bool read = wri_stored_text_read(path, &text, note) &&
                wri_failures_parse(path, text.bytes, text.size, stored, note);
    wri_stored_text_free(&text);
    return read;
}
