/* parser.c: a parser of "key=value;key=value" that reads past the end of its input.
 *
 * The input is a buffer with a length and no NUL. A copy of it that ends at a page that may not
 * be touched (wr_guarded_copy) turns a read of one byte too many into a crash, with no sanitizer
 * and no special build; Warren runs the property in a process of its own, so that the crash is a
 * failure like any other and is shrunk like any other.
 *
 * buggy_parser_stays_inside_its_input crashes by design, with text = "a".
 */
#include <warren.h>

#include <string.h>

typedef struct span {
    const char *from;
    size_t      length;
} span;

typedef struct setting {
    span key, value;
} setting;

#define MALFORMED SIZE_MAX

/* Where `wanted` is in from..end, or `end`. */
static const char *find(const char *from, const char *end, char wanted)
{
    while (from < end && *from != wanted)
        from++;
    return from;
}

/* Writes up to `room` settings and returns how many there are, or MALFORMED: a key is not empty
 * and has no ';', a value has no ';' and may have '='. Empty text has no settings. */
static size_t parse(const char *text, size_t length, setting *settings, size_t room)
{
    const char *end = text + length;
    size_t      count = 0;
    while (text < end) {
        const char *semicolon = find(text, end, ';');
        const char *equals = find(text, semicolon, '=');
        if (equals == text || equals == semicolon)
            return MALFORMED;
        if (count < room) {
            settings[count].key = (span){ text, (size_t)(equals - text) };
            settings[count].value = (span){ equals + 1, (size_t)(semicolon - equals - 1) };
        }
        count++;
        text = semicolon < end ? semicolon + 1 : end;
    }
    return count;
}

/* The same, but it takes for granted that an '=' follows. */
static size_t trusting_parse(const char *text, size_t length, setting *settings, size_t room)
{
    const char *end = text + length;
    size_t      count = 0;
    while (text < end) {
        const char *equals = text;
        while (*equals != '=')
            equals++;
        const char *semicolon = find(equals, end, ';');
        if (equals == text)
            return MALFORMED;
        if (count < room) {
            settings[count].key = (span){ text, (size_t)(equals - text) };
            settings[count].value = (span){ equals + 1, (size_t)(semicolon - equals - 1) };
        }
        count++;
        text = semicolon < end ? semicolon + 1 : end;
    }
    return count;
}

typedef size_t parser(const char *text, size_t length, setting *settings, size_t room);

/* ---- Any text: it must not crash, and what it accepts must lie inside the text ---- */

static void check_stays_inside(wr_case *t, parser *parsing)
{
    char   *text = wr_text_of(t, "text", "ab=;", 0, 40);
    size_t  length = strlen(text);
    char   *input = wr_guarded_copy(t, text, length);
    setting settings[8];
    size_t  count = parsing(input, length, settings, 8);
    wr_classify(t, count == MALFORMED, "malformed");
    if (count == MALFORMED)
        return;
    for (size_t i = 0; i < count && i < 8; i++) {
        wr_assert(t, settings[i].key.from >= input);
        wr_assert(t, settings[i].value.from + settings[i].value.length <= input + length);
    }
}

WR_PROPERTY(parser_stays_inside_its_input) {
    check_stays_inside(t, parse);
}

WR_PROPERTY(buggy_parser_stays_inside_its_input) {
    check_stays_inside(t, trusting_parse);
}

/* ---- Good text: what was written is what is read ---- */

static void check_reads_what_was_written(wr_case *t, parser *parsing)
{
    size_t   n = wr_size(t, "n", 0, 8);
    char   **keys = wr_alloc(t, n * sizeof *keys);
    char   **values = wr_alloc(t, n * sizeof *values);
    char    *text = wr_format(t, "%s", "");
    setting *settings = wr_alloc(t, n * sizeof *settings);

    for (wr_each(t, i, n)) {
        keys[i] = wr_identifier(t, "key", 1, 10);
        values[i] = wr_text_of(t, "value", "a1 =", 0, 10);
        text = wr_format(t, "%s%s%s=%s", text, i == 0 ? "" : ";", keys[i], values[i]);
    }
    wr_note(t, "text: %s", text);

    size_t length = strlen(text);
    wr_assert_eq(t, parsing(wr_guarded_copy(t, text, length), length, settings, n), n);
    for (size_t i = 0; i < n; i++) {
        const setting *s = &settings[i];
        wr_assert_str_eq(t, wr_format(t, "%.*s", (int)s->key.length, s->key.from), keys[i]);
        wr_assert_str_eq(t, wr_format(t, "%.*s", (int)s->value.length, s->value.from), values[i]);
    }
}

WR_PROPERTY(parser_reads_what_was_written) {
    check_reads_what_was_written(t, parse);
}

WR_PROPERTY(trusting_parser_reads_what_was_written) {
    check_reads_what_was_written(t, trusting_parse);
}
