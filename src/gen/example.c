/* gen/example.c: finds and reads the texts of an explicit case. */
#include "gen/example.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/folder.h"

void wri_example_begin(wr_case *t, wri_example *example, const wr_example_ *given)
{
    *example = (wri_example){ .given = given };
    t->example = example;
}

_Noreturn void wri_example_wrong(wr_case *t, const char *expected, ...)
{
    const wri_example *example = t->example;
    char               text[512];
    va_list            arguments;
    va_start(arguments, expected);
    vsnprintf(text, sizeof text, expected, arguments);
    va_end(arguments);
    wri_case_misuse(t, "%s:%d: WR_EXAMPLE(%s, \"%s\"): %s",
                    wri_folder_from_here(example->given->file), example->given->line,
                    example->given->property, example->now == NULL ? "" : example->now, text);
}

/* ---- Texts by name ---- */

/* The beginning of the value in "name = value"; NULL: there is no name. */
static const char *value_in(const char *text)
{
    const char *sign = strchr(text, '=');
    return sign == NULL ? NULL : sign + 1 + strspn(sign + 1, " ");
}

static bool is_named(const char *text, const char *name, unsigned occurrence)
{
    char   wanted[256];
    size_t length = strcspn(text, "=");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(wanted, sizeof wanted, occurrence == 0 ? "%s" : "%s[%u]", name, occurrence);
    return strlen(wanted) == length && memcmp(wanted, text, length) == 0;
}

static unsigned count_name(wr_case *t, const char *name)
{
    wri_example_name *at = t->example->names;
    while (at != NULL && strcmp(at->name, name) != 0)
        at = at->next;
    if (at == NULL) {
        at = wri_memory_take(t, sizeof *at);
        *at = (wri_example_name){ .next = t->example->names, .name = name };
        t->example->names = at;
    }
    return at->count++;
}

const char *wri_example_text(wr_case *t, const char *name)
{
    wri_example *example = t->example;
    if (name == NULL)
        return NULL;
    example->count = example->next = 0;
    unsigned occurrence = count_name(t, name);
    for (size_t i = 0; i < example->given->count && i < WRI_EXAMPLE_TEXTS; i++) {
        example->now = example->given->texts[i];
        if (example->used[i] || !is_named(example->now, name, occurrence))
            continue;
        example->used[i] = true;
        return value_in(example->now);
    }
    return NULL;
}

/* No draw has the name of the text. The names that draws have, the first one last, are listed. */
static _Noreturn void refuse_name(wr_case *t)
{
    char   names[300] = "";
    size_t used = 0;
    for (const wri_example_name *at = t->example->names; at != NULL; at = at->next) {
        char more[100];
        int  length = snprintf(more, sizeof more, "%s%s", at->name, used > 0 ? ", " : "");
        if (length < 0 || length >= (int)sizeof more || used + (size_t)length >= sizeof names)
            break;
        memmove(names + length, names, used + 1);
        memcpy(names, more, (size_t)length);
        used += (size_t)length;
    }
    if (used == 0)
        wri_example_wrong(t, "no draw has a name");
    wri_example_wrong(t, "no draw has this name; draws are called %s", names);
}

void wri_example_end(wr_case *t)
{
    wri_example *example = t->example;
    for (size_t i = 0; i < example->given->count; i++) {
        example->now = example->given->texts[i];
        if (i >= WRI_EXAMPLE_TEXTS)
            wri_example_wrong(t, "an example has at most %d values", WRI_EXAMPLE_TEXTS);
        if (value_in(example->now) == NULL)
            wri_example_wrong(t, "expected \"name = value\", or one token");
        if (!example->used[i])
            refuse_name(t);
    }
}

/* ---- Answers ---- */

uint64_t *wri_example_expect(wr_case *t, size_t count)
{
    wri_example *example = t->example;
    example->numbers = wri_memory_array(t, count, sizeof *example->numbers);
    example->count = count;
    example->next = 0;
    return example->numbers;
}

bool wri_example_answer(wri_example *example, uint64_t *number)
{
    if (example->next == example->count)
        return false;
    *number = example->numbers[example->next++];
    return true;
}

/* ---- Numbers ---- */

/* A report prints some numbers in hexadecimal, too. A 0 in front is no sign of octal digits. */
static int base_of(const char *text)
{
    text += *text == '-';
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
}

/* Each reader takes a value off the text. */
static int64_t take_signed(wr_case *t, const char **at, int64_t lo, uint64_t max)
{
    char *end;
    errno = 0;
    int64_t value = strtoll(*at, &end, base_of(*at));
    if (end == *at)
        wri_example_wrong(t, "expected an integer");
    if (errno == ERANGE || value < lo || (uint64_t)value - (uint64_t)lo > max)
        wri_example_wrong(t, "expected a number from %lld to %lld", (long long)lo,
                          (long long)((uint64_t)lo + max));
    *at = end;
    return value;
}

static uint64_t take_unsigned(wr_case *t, const char **at, uint64_t lo, uint64_t max)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(*at, &end, base_of(*at));
    if (end == *at || **at == '-')
        wri_example_wrong(t, "expected a number");
    if (errno == ERANGE || value < lo || value - lo > max)
        wri_example_wrong(t, "expected a number from %llu to %llu", (unsigned long long)lo,
                          (unsigned long long)(lo + max));
    *at = end;
    return value;
}

static bool take_bool(wr_case *t, const char **at)
{
    bool yes = strncmp(*at, "true", 4) == 0;
    if (!yes && strncmp(*at, "false", 5) != 0)
        wri_example_wrong(t, "expected true or false");
    *at += yes ? 4 : 5;
    return yes;
}

/* The program may have set a locale with another decimal sign. */
static uint64_t take_real(wr_case *t, const char **at, const wri_request *request)
{
    char        digits[64], *end;
    size_t      length = strcspn(*at, ",] "), used = 0;
    const char *sign = localeconv()->decimal_point;
    for (size_t i = 0; i < length && used + strlen(sign) < sizeof digits; i++)
        used += (size_t)sprintf(digits + used, "%.*s", (*at)[i] == '.' ? 8 : 1,
                                (*at)[i] == '.' ? sign : &(*at)[i]);
    if (used == 0)
        wri_example_wrong(t, "expected a real number");
    double value = request->single ? (double)strtof(digits, &end) : strtod(digits, &end);
    if (*end != '\0')
        wri_example_wrong(t, "expected a real number");
    if (isnan(value) && digits[0] == '-')
        value = copysign(value, -1); /* musl reads it without its sign */
    uint64_t number = wri_choice_real_number(value);
    double   answer = wri_choice_real_answer(request, number);
    if (wri_choice_real_number(answer) != number)
        wri_example_wrong(t, "the draw has no such value");
    *at += length;
    return number;
}

static void check_end(wr_case *t, const char *at)
{
    if (at[strspn(at, " ")] != '\0')
        wri_example_wrong(t, "expected nothing behind the value, got %s", at);
}

void wri_example_signed(wr_case *t, const char *name, int64_t lo, uint64_t max)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return;
    *wri_example_expect(t, 1) = wri_choice_integer_number(take_signed(t, &at, lo, max), lo, max);
    check_end(t, at);
}

bool wri_example_unsigned(wr_case *t, const char *name, uint64_t lo, uint64_t max)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return false;
    *wri_example_expect(t, 1) = take_unsigned(t, &at, lo, max) - lo;
    check_end(t, at);
    return true;
}

void wri_example_bool(wr_case *t, const char *name)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return;
    *wri_example_expect(t, 1) = take_bool(t, &at);
    check_end(t, at);
}

void wri_example_real(wr_case *t, const char *name, const wri_request *request)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return;
    *wri_example_expect(t, 1) = take_real(t, &at, request);
    check_end(t, at);
}

static uint64_t take_element(wr_case *t, const char **at, wri_show_as as,
                             const wri_request *request, uint64_t base)
{
    int64_t  lo = request->kind == WRI_INTEGER ? request->lo : 0;
    uint64_t from = (uint64_t)lo + base;
    switch (as) {
    case WRI_SHOW_SIGNED:
        return wri_choice_integer_number(take_signed(t, at, lo, request->max), lo, request->max);
    case WRI_SHOW_UNSIGNED: return take_unsigned(t, at, from, request->max) - from;
    case WRI_SHOW_BOOL: return take_bool(t, at);
    default: return take_real(t, at, request);
    }
}

bool wri_example_array(wr_case *t, const char *name, wri_show_as as, const wri_request *request,
                       size_t n, uint64_t base)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return false;
    uint64_t *numbers = wri_example_expect(t, n);
    for (size_t i = 0; i < n; i++) {
        if (*at != (i == 0 ? '[' : ','))
            wri_example_wrong(t, "expected [ and %zu values, as many as the draw has", n);
        at += 1 + strspn(at + 1, " ");
        numbers[i] = take_element(t, &at, as, request, base);
        at += strspn(at, " ");
    }
    at += n == 0 && *at == '[' ? 1 + strspn(at + 1, " ") : 0;
    if (*at != ']')
        wri_example_wrong(t, "expected %zu values, as many as the draw has, and ]", n);
    check_end(t, at + 1);
    return true;
}

/* ---- Words and texts ---- */

bool wri_example_either(wr_case *t, const char *text, const char *yes, const char *no)
{
    if (strcmp(text, yes) != 0 && strcmp(text, no) != 0)
        wri_example_wrong(t, "expected %s or %s", yes, no);
    return strcmp(text, yes) == 0;
}

/* The character of an escape; `at` is behind the backslash and goes behind the escape. */
static char take_escape(wr_case *t, const char **at)
{
    static const char NAMED[] = "ntr\"\\", PLAIN[] = "\n\t\r\"\\";
    const char       *named = **at == '\0' ? NULL : strchr(NAMED, **at);
    unsigned          byte;
    int               used = 0;
    if (named != NULL) {
        ++*at;
        return PLAIN[named - NAMED];
    }
    if (sscanf(*at, "x%2x%n", &byte, &used) != 1 || used == 0)
        wri_example_wrong(t, "expected one of \\n \\t \\r \\\" \\\\ \\xHH");
    *at += used;
    return (char)byte;
}

const char *wri_example_quoted(wr_case *t, const char *name, size_t *length)
{
    const char *at = wri_example_text(t, name);
    if (at == NULL)
        return NULL;
    char *bytes = wri_memory_take(t, strlen(at) + 1);
    *length = 0;
    do { /* "a" "b", and "\x1f""a", are one text */
        if (*at++ != '"')
            wri_example_wrong(t, "expected a text in quotes");
        while (*at != '"') {
            if (*at == '\0')
                wri_example_wrong(t, "expected a quote at the end of the text");
            bool escape = *at++ == '\\';
            bytes[(*length)++] = escape ? take_escape(t, &at) : at[-1];
        }
        at += 1 + strspn(at + 1, " ");
    } while (*at == '"');
    check_end(t, at);
    bytes[*length] = '\0';
    return bytes;
}
