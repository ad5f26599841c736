/* store/lines.c: takes lines apart, words what is wrong with one, and escapes values. */
#include "store/lines.h"

#include <stdlib.h>
#include <string.h>

#define QUOTED 40 /* characters of a wrong line that an error shows */

/* ---- lines ---- */

bool wri_lines_unexpected(wri_lines *from, const char *expected, const char *found)
{
    return wri_note_refuse(from->note, "%s:%zu: expected %s, found %s", from->path, from->number,
                           expected, found);
}

/* Bytes that would upset a terminal become '?'. */
bool wri_lines_unexpected_text(wri_lines *from, const char *expected, const char *text,
                               size_t length)
{
    char   found[QUOTED + 6];
    size_t shown = length < QUOTED ? length : QUOTED;
    if (length == 0)
        return wri_lines_unexpected(from, expected, "nothing");
    found[0] = '\'';
    for (size_t i = 0; i < shown; i++)
        found[1 + i] = (char)(text[i] < ' ' || text[i] > '~' ? '?' : text[i]);
    snprintf(found + 1 + shown, sizeof found - 1 - shown, "%s'", shown < length ? "..." : "");
    return wri_lines_unexpected(from, expected, found);
}

bool wri_lines_no_memory(wri_lines *from)
{
    return wri_note_refuse(from->note, "%s: memory is out", from->path);
}

bool wri_lines_next(wri_lines *from)
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

bool wri_lines_start_with(const wri_lines *from, const char *start)
{
    size_t length = strlen(start);
    return from->length >= length && memcmp(from->line, start, length) == 0;
}

bool wri_lines_sound(wri_lines *from, const char *expected)
{
    static const char *const MARKERS[] = { "<<<<<<<", "|||||||", "=======", ">>>>>>>" };
    for (size_t i = 0; i < sizeof MARKERS / sizeof *MARKERS; i++)
        if (wri_lines_start_with(from, MARKERS[i]))
            return wri_lines_unexpected(from, expected, from->conflict);
    if (memchr(from->line, '\0', from->length) != NULL)
        return wri_lines_unexpected(from, expected, "a NUL byte");
    return true;
}

bool wri_lines_fit(wri_lines *from)
{
    if (from->end - from->at <= (ptrdiff_t)WRI_STORE_BYTES)
        return true;
    return wri_note_refuse(from->note, "%s:1: expected at most 16 MiB, found a larger file",
                           from->path);
}

bool wri_lines_token(wri_lines *from, const char *token, uint32_t property, wri_saved *saved)
{
    wri_note problem;
    if (!wri_token_read(token, saved, &problem))
        return wri_note_refuse(from->note, "%s:%zu: expected a token, found: %s", from->path,
                               from->number, problem.text);
    if (saved->property == property)
        return true;
    wri_saved_free(saved);
    return wri_lines_unexpected(from, "a token of this property", "one of another");
}

/* ---- escapes ---- */

/* Two characters of escape, or none when the byte may stand as it is or needs \xHH. */
static const char *short_escape(char c)
{
    return c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\\' ? "\\\\" : NULL;
}

void wri_lines_put_escaped(FILE *out, const char *text)
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

bool wri_lines_unescape(wri_lines *from, char **slot, const char *text, size_t length)
{
    size_t used = 0, step;
    char  *value = *slot = malloc(length + 1);
    if (value == NULL)
        return wri_lines_no_memory(from);
    for (size_t i = 0; i < length; i += step) {
        step = 1;
        value[used] = text[i];
        if (text[i] == '\\')
            step = take_escape(text + i, length - i, &value[used]);
        if (step == 0)
            return wri_lines_unexpected_text(from, "an escape (\\n, \\t, \\\\ or \\xHH)",
                                             text + i, length - i);
        used++;
    }
    value[used] = '\0';
    return true;
}

char *wri_lines_take_escaped(char *to, const char *text, size_t length)
{
    for (size_t i = 0, step; i < length; i += step, to++) {
        step = 1;
        *to = text[i];
        if (text[i] == '\\')
            step = take_escape(text + i, length - i, to);
        if (step == 0) {
            *to = text[i];
            step = 1;
        }
    }
    *to = '\0';
    return to;
}

/* ---- writing ---- */

char *wri_lines_print(void (*put)(FILE *out, const void *what), const void *what, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    put(out, what);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
