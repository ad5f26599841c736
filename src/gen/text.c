/* gen/text.c: strings.
 *
 * A text is a span with a length and one packed array of indices into an alphabet. The alphabet's
 * simplest character comes first. So lowering a number makes the text simpler, and dropping an
 * element drops a character.
 */
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "core/walk.h"
#include "gen/draw.h"
#include "gen/example.h"
#include "gen/words.h"

static const char PRINTABLE[] = WRI_PRINTABLE;
static const char IDENTIFIER_FIRST[] = WRI_IDENTIFIER_FIRST;
static const char IDENTIFIER_REST[] = WRI_IDENTIFIER_REST;

#define PRINTABLES (sizeof PRINTABLE - 1)

static void check_lengths(wr_case *t, const char *function, const char *name, size_t min,
                          size_t max)
{
    if (WRI_UNLIKELY(min > max))
        wri_case_misuse(t, "%s%s: min %zu is above max %zu", function, wri_draw_named(t, name),
                        min, max);
}

/* ---- Words ---- */

static size_t measure_of_alphabet(const char *word, const char *alphabet, bool whole)
{
    (void)whole;
    size_t length = strspn(word, alphabet);
    return word[length] == '\0' ? length : SIZE_MAX;
}

static uint32_t number_in_alphabet(const char **word, const char *alphabet)
{
    return (uint32_t)(strchr(alphabet, *(*word)++) - alphabet);
}

static size_t measure_identifier(const char *word, const char *alphabet, bool whole)
{
    if (whole && (word[0] == '\0' || strchr(IDENTIFIER_FIRST, word[0]) == NULL))
        return SIZE_MAX;
    return measure_of_alphabet(word, alphabet, whole);
}

static size_t measure_utf8(const char *word, const char *alphabet, bool whole)
{
    size_t   length = 0;
    uint32_t character = 0;
    (void)alphabet, (void)whole;
    for (; *word != '\0' && character != WRI_NOT_UTF8; length++)
        word += wri_utf8_next(word, &character);
    return character == WRI_NOT_UTF8 ? SIZE_MAX : length;
}

/* ---- Examples ---- */

/* Reads a text of this kind: `lead` numbers are the caller's, then come the length and the
 * characters after the first `apart`. Returns the numbers; NULL: there is no example. */
static uint64_t *read_text(wr_case *t, const char *name, const wri_words_kind *kind, size_t min,
                           size_t max, size_t lead, size_t apart, const char **text)
{
    size_t length;
    *text = wri_example_quoted(t, name, &length);
    if (*text == NULL)
        return NULL;
    size_t count =
        strlen(*text) == length ? kind->measure(*text, kind->alphabet, true) : SIZE_MAX;
    if (count == SIZE_MAX)
        wri_example_wrong(t, "the text has a character that the draw has not");
    if (count < min || count > max)
        wri_example_wrong(t, "expected %zu to %zu characters", min, max);
    uint64_t   *numbers = wri_example_expect(t, lead + 1 + count - apart);
    const char *at = *text;
    numbers[lead] = count - min;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = kind->number(&at, kind->alphabet);
        if (i >= apart)
            numbers[lead + 1 + i - apart] = number;
    }
    return numbers;
}

/* ---- One byte for each character ---- */

/* Writes `n` characters of the alphabet; they belong to the length that was drawn last. */
static void draw_characters(wr_case *t, const char *name, const char *alphabet, size_t count,
                            uint16_t letters, wri_words_use *use, size_t n, char *text)
{
    wri_request request = {
        .kind = WRI_INDEX, .max = count - 1, .name = name, .letters = letters, .about = use
    };
    request.alphabet = letters == WRI_NO_LETTERS ? alphabet : NULL;
    if (count <= 256) {
        const uint8_t *indices = wri_case_choose_many(t, &request, n, 1, wri_case_last_node(t));
        for (size_t i = 0; i < n; i++)
            text[i] = alphabet[indices[i]];
    } else {
        const uint32_t *indices = wri_case_choose_many(t, &request, n, 4, wri_case_last_node(t));
        for (size_t i = 0; i < n; i++)
            text[i] = alphabet[indices[i]];
    }
    text[n] = '\0';
}

static char *draw_of(wr_case *t, const char *name, const char *alphabet, size_t count,
                     uint16_t letters, size_t min, size_t max)
{
    wri_words_kind kind = { measure_of_alphabet, number_in_alphabet, alphabet, NULL };
    wri_words_use  use; /* filled in if there are words */
    use.lead = 0;
    bool worded = wri_words_begin(t, &use, &kind, min, max);
    if (wri_example_given(t))
        read_text(t, name, &kind, min, max, 0, 0, &(const char *){ NULL });
    wr_begin(t, name);
    size_t n =
        worded ? wri_words_length(t, &use, name, min, max) : wri_draw_length(t, name, min, max);
    char *text = wri_memory_take(t, n < SIZE_MAX ? n + 1 : n);
    draw_characters(t, name, alphabet, count, letters, worded ? &use : NULL, n, text);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}

char *wr_text(wr_case *t, const char *name, size_t min, size_t max)
{
    check_lengths(t, "wr_text", name, min, max);
    return draw_of(t, name, PRINTABLE, PRINTABLES, WRI_LETTERS_PRINTABLE, min, max);
}

char *wr_text_of(wr_case *t, const char *name, const char *alphabet, size_t min, size_t max)
{
    check_lengths(t, "wr_text_of", name, min, max);
    if (alphabet == NULL || (alphabet[0] == '\0' && max > 0))
        wri_case_misuse(t, "wr_text_of%s: the alphabet is empty", wri_draw_named(t, name));
    size_t count = strlen(alphabet);
    return draw_of(t, name, alphabet, count == 0 ? 1 : count, WRI_NO_LETTERS, min, max);
}

static uint64_t fresh_first(wr_case *t, const wri_request *request)
{
    const char *word = wri_words_decide(t, request->about);
    return word != NULL ? number_in_alphabet(&word, IDENTIFIER_FIRST)
                        : wri_prng_scale(wri_prng_next(&t->random), request->max);
}

/* The first character has an alphabet of its own; the length is that of what follows it. */
static char *draw_identifier(wr_case *t, const char *name, size_t min, size_t max,
                             wri_words_use *use)
{
    wri_request ask = { .kind = WRI_INDEX,
                        .max = sizeof IDENTIFIER_FIRST - 2,
                        .name = "first",
                        .letters = WRI_LETTERS_FIRST,
                        .fresh = fresh_first,
                        .about = use };
    uint64_t    first = use != NULL ? wri_case_choose(t, &ask)
                                    : wri_draw_letter(t, ask.name, ask.max, ask.letters);
    size_t      rest = use != NULL ? wri_words_length(t, use, name, min - 1, max - 1)
                                   : wri_draw_length(t, name, min - 1, max - 1);
    char       *text = wri_memory_take(t, rest < SIZE_MAX - 1 ? rest + 2 : rest);
    text[0] = IDENTIFIER_FIRST[first];
    draw_characters(t, name, IDENTIFIER_REST, sizeof IDENTIFIER_REST - 1, WRI_LETTERS_REST, use,
                    rest, text + 1);
    return text;
}

static void read_identifier(wr_case *t, const char *name, const wri_words_kind *kind, size_t min,
                            size_t max)
{
    const char *text;
    uint64_t   *numbers = read_text(t, name, kind, min, max, 1, 1, &text);
    if (numbers != NULL)
        numbers[0] = number_in_alphabet(&text, IDENTIFIER_FIRST);
}

char *wr_identifier(wr_case *t, const char *name, size_t min, size_t max)
{
    static const wri_words_kind KIND = { measure_identifier, number_in_alphabet, IDENTIFIER_REST,
                                         NULL };
    wri_words_use               use; /* filled in if there are words */
    use.lead = 1;
    check_lengths(t, "wr_identifier", name, min, max);
    if (max == 0)
        wri_case_misuse(t, "wr_identifier%s: an identifier has at least 1 character",
                        wri_draw_named(t, name));
    if (min == 0)
        min = 1;
    bool worded = wri_words_begin(t, &use, &KIND, min, max);
    if (wri_example_given(t))
        read_identifier(t, name, &KIND, min, max);
    wr_begin(t, name);
    char *text = draw_identifier(t, name, min, max, worded ? &use : NULL);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}

/* ---- UTF-8 ---- */

/* The largest number of each plane: ASCII, then what takes two, three and four bytes. Uniform
 * code points are nearly all of four bytes, so each text is of one plane and those below. */
static const uint32_t PLANE_MAX[] = { 0x7e, 0x7fe, 0xf7fe, 0x10f7fe };

/* Printable ASCII first, then the other ASCII without NUL, then upwards without surrogates, and
 * U+0000 as the last. */
#define CODE_POINTS (UINT32_C(0x10ffff) - 0x800)

static uint32_t code_point(uint32_t number)
{
    if (number < PRINTABLES)
        return (unsigned char)PRINTABLE[number];
    if (number < PLANE_MAX[0])
        return number - (uint32_t)PRINTABLES + 1;
    uint32_t code = number == CODE_POINTS ? 0 : number + 1;
    return code < 0xd800 ? code : code + 0x800;
}

static uint32_t number_of(uint32_t code)
{
    const char *printable = code == 0 || code > 0x7f ? NULL : strchr(PRINTABLE, (int)code);
    if (printable != NULL)
        return (uint32_t)(printable - PRINTABLE);
    if (code == 0)
        return CODE_POINTS;
    return code < ' '    ? code - 1 + (uint32_t)PRINTABLES
           : code < 0x80 ? PLANE_MAX[0]
                         : code - 1 - (code < 0xd800 ? 0 : 0x800);
}

static char *put_code_point(char *at, uint32_t code)
{
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (more == 0) {
        *at++ = (char)code;
        return at;
    }
    *at++ = (char)((0xff00u >> (more + 1) & 0xff) | code >> 6 * more);
    while (more-- > 0)
        *at++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return at;
}

static uint32_t number_in_utf8(const char **word, const char *alphabet)
{
    uint32_t code;
    (void)alphabet;
    *word += wri_utf8_next(*word, &code);
    return number_of(code);
}

/* The first plane that the text fits into. */
static uint64_t plane_of(const char *text)
{
    uint64_t plane = 0;
    while (*text != '\0')
        for (uint32_t number = number_in_utf8(&text, NULL); number > PLANE_MAX[plane];)
            plane++;
    return plane;
}

static uint64_t fresh_plane(wr_case *t, const wri_request *request)
{
    const char *word = wri_words_decide(t, request->about);
    return word != NULL ? plane_of(word)
                        : wri_prng_scale(wri_prng_next(&t->random), request->max);
}

static uint64_t draw_plane(wr_case *t, wri_words_use *use)
{
    wri_request request = {
        .kind = WRI_INDEX, .max = 3, .name = "plane", .fresh = fresh_plane, .about = use
    };
    return use != NULL ? wri_case_choose(t, &request) : wri_draw_index(t, "plane", 3);
}

static char *draw_utf8(wr_case *t, const char *name, size_t min, size_t max, wri_words_use *use)
{
    uint64_t        plane = draw_plane(t, use);
    size_t          n = use != NULL ? wri_words_length(t, use, name, min, max)
                                    : wri_draw_length(t, name, min, max);
    wri_request     request = { .kind = WRI_INDEX,
                                .max = PLANE_MAX[plane],
                                .name = name,
                                .letters = WRI_LETTERS_PRINTABLE,
                                .about = use };
    const uint32_t *numbers = wri_case_choose_many(t, &request, n, 4, wri_case_last_node(t));
    char           *text = wri_memory_take(t, 4 * n + 1);
    char           *at = text;
    uint32_t        largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = numbers[i] > largest ? numbers[i] : largest;
        at = put_code_point(at, code_point(numbers[i]));
    }
    *at = '\0';
    if (wri_walk_lists(t) && plane > 0 && (n == 0 || largest <= PLANE_MAX[plane - 1]))
        wri_walk_barren(t); /* a lower plane has it, too */
    return text;
}

static void read_utf8(wr_case *t, const char *name, const wri_words_kind *kind, size_t min,
                      size_t max)
{
    const char *text;
    uint64_t   *numbers = read_text(t, name, kind, min, max, 1, 0, &text);
    if (numbers != NULL)
        numbers[0] = plane_of(text);
}

char *wr_utf8(wr_case *t, const char *name, size_t min, size_t max)
{
    static const wri_words_kind KIND = { measure_utf8, number_in_utf8, NULL, NULL };
    wri_words_use               use; /* filled in if there are words */
    use.lead = 0;
    check_lengths(t, "wr_utf8", name, min, max);
    bool worded = wri_words_begin(t, &use, &KIND, min, max);
    if (wri_example_given(t))
        read_utf8(t, name, &KIND, min, max);
    wr_begin(t, name);
    char *text = draw_utf8(t, name, min, max, worded ? &use : NULL);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}

/* ---- One code point ---- */

/* Those that need most care: ends, and characters that are longer, shorter or invisible when they
 * are mapped or shown. */
static const uint32_t SPECIAL_CODES[] = { 0,      0x7f,   0xad,   0xdf,    0x130,   0x131,
                                          0x149,  0x17f,  0x301,  0x3c2,   0x2028,  0x200d,
                                          0x202e, 0x2126, 0xd7ff, 0xe000,  0xfb01,  0xfeff,
                                          0xfffd, 0xfffe, 0xffff, 0x10000, 0x1f600, 0x10ffff };

static uint64_t fresh_code_point(wr_case *t, const wri_request *request)
{
    const size_t specials = sizeof SPECIAL_CODES / sizeof *SPECIAL_CODES;
    uint64_t     word = wri_prng_next(&t->random), next = wri_prng_next(&t->random);
    (void)request;
    if (word >> 61 == 0)
        return number_of(SPECIAL_CODES[wri_prng_scale(next, specials - 1)]);
    return wri_prng_scale(next, PLANE_MAX[word & 3]);
}

static void read_code_point(wr_case *t, const char *name)
{
    const char *text = wri_example_text(t, name);
    uint32_t    code;
    int         used = 0;
    if (text == NULL)
        return;
    if (sscanf(text, "U+%x%n", &code, &used) != 1 || text[used] != '\0' || code > 0x10ffff ||
        code >> 11 == 0x1b)
        wri_example_wrong(t, "expected a code point such as U+00DF");
    *wri_example_expect(t, 1) = number_of(code);
}

uint32_t wr_codepoint(wr_case *t, const char *name)
{
    wri_request request = { .kind = WRI_INDEX,
                            .max = CODE_POINTS,
                            .name = name,
                            .letters = WRI_LETTERS_PRINTABLE,
                            .fresh = fresh_code_point };
    if (wri_example_given(t))
        read_code_point(t, name);
    uint32_t code = code_point((uint32_t)wri_case_choose(t, &request));
    if (WRI_UNLIKELY(wri_case_showing(t)) && name != NULL)
        wr_show(t, name, "U+%04X", code);
    return code;
}
