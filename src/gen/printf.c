/* gen/printf.c: formats of printf() with one conversion.
 *
 * The user says which conversions the argument allows. The rest is drawn: flags that these
 * conversions may have, a width, a precision, and text around it. "%d" is simplest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/draw.h"
#include "gen/example.h"

/* Widths and precisions up to this: more than any number has digits, by a few. */
#define WIDEST 40
#define TEXT_MOST 6

static const struct {
    const char *letters, *flags;
    bool        precise;
} SORTS[] = {
    { "di", "-0+ ", true }, { "u", "-0", true },           { "oxX", "-0#", true },
    { "c", "-", false },    { "eEfFgGaA", "-0+ #", true }, { "s", "-", true },
    { "p", "-", false },
};

static const char *const MODIFIERS[] = { "hh", "ll", "h", "l", "j", "z", "t", "L" };

static size_t modifier_length(const char *conversions)
{
    for (size_t i = 0; i < sizeof MODIFIERS / sizeof *MODIFIERS; i++)
        if (strncmp(conversions, MODIFIERS[i], strlen(MODIFIERS[i])) == 0)
            return strlen(MODIFIERS[i]);
    return 0;
}

static size_t sort_of(char letter)
{
    size_t sort = 0;
    while (sort < sizeof SORTS / sizeof *SORTS && strchr(SORTS[sort].letters, letter) == NULL)
        sort++;
    return sort;
}

static void check_letters(wr_case *t, const char *name, const char *letters)
{
    if (*letters == '\0')
        wri_case_misuse(t, "wr_printf_format%s: no conversion was given",
                        wri_draw_named(t, name));
    for (; *letters != '\0'; letters++)
        if (sort_of(*letters) == sizeof SORTS / sizeof *SORTS)
            wri_case_misuse(t,
                            "wr_printf_format%s: '%c' is no conversion; expected a length "
                            "such as ll, then letters of diouxXeEfFgGaAcsp",
                            wri_draw_named(t, name), *letters);
}

/* Text without a meaning: a per cent sign is doubled. */
static char *put_text(wr_case *t, const char *name, char *at)
{
    wri_request    request = { .kind = WRI_INDEX,
                               .max = sizeof WRI_PRINTABLE - 2,
                               .name = name,
                               .letters = WRI_LETTERS_PRINTABLE };
    size_t         n = wri_draw_length(t, name, 0, TEXT_MOST);
    const uint8_t *indices = wri_case_choose_many(t, &request, n, 1, wri_case_last_node(t));
    for (size_t i = 0; i < n; i++) {
        *at++ = WRI_PRINTABLE[indices[i]];
        if (at[-1] == '%')
            *at++ = '%';
    }
    return at;
}

/* 0 in half of all cases: it is left out. */
static uint64_t fresh_number(wr_case *t, const wri_request *request)
{
    uint64_t word = wri_prng_next(&t->random);
    return word >> 63 == 0 ? 0 : wri_lean_commonly(wri_prng_next(&t->random), request->max);
}

static unsigned draw_number(wr_case *t, const char *name)
{
    wri_request request = {
        .kind = WRI_INTEGER, .max = WIDEST, .name = name, .fresh = fresh_number
    };
    return (unsigned)wri_case_choose(t, &request);
}

static char *put_conversion(wr_case *t, const char *conversions, char *at)
{
    size_t      skip = modifier_length(conversions), letters = strlen(conversions + skip);
    char        letter = conversions[skip + wri_draw_index(t, "conversion", letters - 1)];
    size_t      sort = sort_of(letter);
    wri_request request = { .kind = WRI_BOOLEAN, .max = 1, .name = "flags" };
    size_t      flags = strlen(SORTS[sort].flags);
    const bool *given = wri_case_choose_many(t, &request, flags, 1, WRI_NO_NODE);
    *at++ = '%';
    for (size_t i = 0; i < flags; i++)
        if (given[i])
            *at++ = SORTS[sort].flags[i];
    unsigned width = draw_number(t, "width");
    unsigned precision = SORTS[sort].precise ? draw_number(t, "precision") : 0;
    if (width > 0)
        at += sprintf(at, "%u", width);
    if (precision > 0)
        at += sprintf(at, ".%u", precision - 1);
    at = mempcpy(at, conversions, skip);
    *at++ = letter;
    return at;
}

/* ---- Examples ---- */

/* The numbers of a text up to a conversion, or to the end; returns where it ends. */
static const char *read_plain(wr_case *t, const char *at, uint64_t **numbers)
{
    uint64_t *length = (*numbers)++;
    *length = 0;
    while (*at != '\0' && (*at != '%' || at[1] == '%')) {
        const char *letter = strchr(WRI_PRINTABLE, *at);
        if (letter == NULL || ++*length > TEXT_MOST)
            wri_example_wrong(t, "expected up to %d printable characters", TEXT_MOST);
        *(*numbers)++ = (uint64_t)(letter - WRI_PRINTABLE);
        at += *at == '%' ? 2 : 1;
    }
    return at;
}

/* A number of the format, plus `more`; 0: it has none. */
static uint64_t read_number(wr_case *t, const char **at, uint64_t more)
{
    char *end;
    if (**at < '0' || **at > '9')
        wri_example_wrong(t, "expected a number");
    uint64_t number = strtoull(*at, &end, 10) + more;
    if (number > WIDEST)
        wri_example_wrong(t, "expected widths and precisions up to %d", WIDEST);
    *at = end;
    return number;
}

/* Flags, width, precision, length and letter; the letter's choice comes first. */
static const char *read_conversion(wr_case *t, const char *at, const char *conversions,
                                   uint64_t **numbers)
{
    size_t      skip = modifier_length(conversions);
    size_t      before = strspn(at, "-0+ #123456789.") + skip;
    const char *letter = strlen(at) <= before || at[before] == '\0'
                             ? NULL
                             : strchr(conversions + skip, at[before]);
    if (letter == NULL || strncmp(at + before - skip, conversions, skip) != 0)
        wri_example_wrong(t, "expected one of the draw's conversions");
    size_t sort = sort_of(*letter);
    *(*numbers)++ = (uint64_t)(letter - conversions) - skip;
    for (const char *flag = SORTS[sort].flags; *flag != '\0'; flag++) {
        *(*numbers)++ = *at == *flag;
        at += *at == *flag;
    }
    *(*numbers)++ = *at >= '1' && *at <= '9' ? read_number(t, &at, 0) : 0;
    uint64_t precision = *at == '.' && SORTS[sort].precise ? (at++, read_number(t, &at, 1)) : 0;
    if (SORTS[sort].precise)
        *(*numbers)++ = precision;
    if (strncmp(at, conversions, skip) != 0 || at[skip] != *letter)
        wri_example_wrong(t, "expected flags in the order %s, a width, a precision",
                          SORTS[sort].flags);
    return at + skip + 1;
}

static void read_example(wr_case *t, const char *name, const char *conversions)
{
    size_t      length;
    const char *text = wri_example_quoted(t, name, &length);
    if (text == NULL)
        return;
    uint64_t *first = wri_example_expect(t, 2 * TEXT_MOST + 16), *numbers = first;
    text = read_plain(t, text, &numbers);
    if (*text++ != '%')
        wri_example_wrong(t, "expected a conversion");
    text = read_conversion(t, text, conversions, &numbers);
    if (*read_plain(t, text, &numbers) != '\0')
        wri_example_wrong(t, "expected one conversion");
    t->example->count = (size_t)(numbers - first);
}

char *wr_printf_format(wr_case *t, const char *name, const char *conversions)
{
    if (conversions == NULL)
        wri_case_misuse(t, "wr_printf_format%s: no conversion was given",
                        wri_draw_named(t, name));
    check_letters(t, name, conversions + modifier_length(conversions));
    if (wri_example_given(t))
        read_example(t, name, conversions);
    char *text = wri_memory_take(t, 4 * TEXT_MOST + 32);
    wr_begin(t, name);
    char *at = put_text(t, "before", text);
    at = put_conversion(t, conversions, at);
    at = put_text(t, "behind", at);
    wr_end(t);
    *at = '\0';
    wr_show_text(t, name, text);
    return text;
}
