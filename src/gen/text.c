/* gen/text.c: strings.
 *
 * A text is a span with a length and one packed array of indices into an alphabet. The alphabet's
 * simplest character comes first. So lowering a number makes the text simpler, and dropping an
 * element drops a character. If the user gave words, one choice before the length says whether
 * the text is one of the words that fit.
 */
#include <string.h>

#include "core/utf8.h"
#include "core/walk.h"
#include "gen/draw.h"
#include "gen/show.h"

static const char PRINTABLE[] = WRI_PRINTABLE;
static const char IDENTIFIER_FIRST[] = WRI_IDENTIFIER_FIRST;
static const char IDENTIFIER_REST[] = WRI_IDENTIFIER_REST;

#define PRINTABLES (sizeof PRINTABLE - 1)

static void check_lengths(wr_case *t, const char *function, const char *name, size_t min,
                          size_t max)
{
    if (WRI_UNLIKELY(min > max))
        wri_case_misuse(t, "%s \"%s\": min %zu is above max %zu", function, wri_draw_name(name),
                        min, max);
}

/* ---- Words ---- */

/* The number of characters of a word for a kind of text; SIZE_MAX: such a text does not have one
 * of them. */
typedef size_t measure(const char *word, const char *alphabet);

static size_t measure_of_alphabet(const char *word, const char *alphabet)
{
    size_t length = strspn(word, alphabet);
    return word[length] == '\0' ? length : SIZE_MAX;
}

static size_t measure_identifier(const char *word, const char *alphabet)
{
    if (word[0] == '\0' || strchr(IDENTIFIER_FIRST, word[0]) == NULL)
        return SIZE_MAX;
    return measure_of_alphabet(word, alphabet);
}

static size_t measure_utf8(const char *word, const char *alphabet)
{
    size_t   length = 0;
    uint32_t character = 0;
    (void)alphabet;
    for (; *word != '\0' && character != WRI_NOT_UTF8; length++)
        word += wri_utf8_next(word, &character);
    return character == WRI_NOT_UTF8 ? SIZE_MAX : length;
}

/* Chooses none (0) or one of `count`: none seven times in eight. */
static uint64_t choose_word(wr_case *t, size_t count)
{
    uint32_t *weights = wri_memory_take(t, (count + 1) * sizeof *weights);
    weights[0] = (uint32_t)(7 * count);
    for (size_t i = 1; i <= count; i++)
        weights[i] = 1;
    wri_request request = { .kind = WRI_INDEX, .max = count, .weights = weights, .name = "word" };
    return wri_case_choose(t, &request);
}

/* One of the user's words that fit, copied, now and then; else NULL. */
static WRI_COLD char *draw_word(wr_case *t, size_t min, size_t max, measure *measured,
                                const char *alphabet)
{
    const char **fitting = wri_memory_take(t, t->word_count * sizeof *fitting);
    size_t       count = 0;
    for (size_t i = 0; i < t->word_count; i++) {
        const char *word = t->words[i];
        size_t      length = word == NULL ? SIZE_MAX : measured(word, alphabet);
        if (length != SIZE_MAX && length >= min && length <= max)
            fitting[count++] = word;
    }
    uint64_t which = count == 0 ? 0 : choose_word(t, count);
    if (which != 0 && t->walk != NULL)
        wri_walk_barren(t); /* all texts come anyway, and each once */
    return which == 0 ? NULL : wr_copy(t, fitting[which - 1], strlen(fitting[which - 1]) + 1);
}

/* ---- One byte for each character ---- */

/* Writes `n` characters of the alphabet; they belong to the length that was drawn last. */
static void draw_characters(wr_case *t, const char *name, const char *alphabet, size_t count,
                            uint16_t letters, size_t n, char *text)
{
    wri_request request = {
        .kind = WRI_INDEX, .max = count - 1, .name = name, .letters = letters
    };
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
    wr_begin(t, name);
    char *text = t->word_count > 0 ? draw_word(t, min, max, measure_of_alphabet, alphabet) : NULL;
    if (text == NULL) {
        size_t n = wri_draw_length(t, name, min, max);
        text = wri_memory_take(t, n < SIZE_MAX ? n + 1 : n);
        draw_characters(t, name, alphabet, count, letters, n, text);
    }
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
        wri_case_misuse(t, "wr_text_of \"%s\": the alphabet is empty", wri_draw_name(name));
    size_t count = strlen(alphabet);
    return draw_of(t, name, alphabet, count == 0 ? 1 : count, WRI_NO_LETTERS, min, max);
}

/* The length is that of what follows the first character, which has an alphabet of its own. */
static char *draw_identifier(wr_case *t, const char *name, size_t min, size_t max)
{
    uint64_t first = wri_draw_letter(t, "first", sizeof IDENTIFIER_FIRST - 2, WRI_LETTERS_FIRST);
    size_t   rest = wri_draw_length(t, name, min - 1, max - 1);
    char    *text = wri_memory_take(t, rest < SIZE_MAX - 1 ? rest + 2 : rest);
    text[0] = IDENTIFIER_FIRST[first];
    draw_characters(t, name, IDENTIFIER_REST, sizeof IDENTIFIER_REST - 1, WRI_LETTERS_REST, rest,
                    text + 1);
    return text;
}

char *wr_identifier(wr_case *t, const char *name, size_t min, size_t max)
{
    check_lengths(t, "wr_identifier", name, min, max);
    if (max == 0)
        wri_case_misuse(t, "wr_identifier \"%s\": an identifier has at least 1 character",
                        wri_draw_name(name));
    if (min == 0)
        min = 1;
    wr_begin(t, name);
    char *text =
        t->word_count > 0 ? draw_word(t, min, max, measure_identifier, IDENTIFIER_REST) : NULL;
    if (text == NULL)
        text = draw_identifier(t, name, min, max);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}

/* ---- UTF-8 ---- */

/* The largest number of each plane: ASCII, then what takes two, three and four bytes. Uniform
 * code points are nearly all of four bytes, so each text is of one plane and those below. */
static const uint32_t PLANE_MAX[] = { 0x7e, 0x7fe, 0xf7fe, 0x10f7fe };

/* Printable ASCII first, then the other ASCII without NUL, then upwards without surrogates. */
static uint32_t code_point(uint32_t number)
{
    if (number < PRINTABLES)
        return (unsigned char)PRINTABLE[number];
    if (number < PLANE_MAX[0])
        return number - (uint32_t)PRINTABLES + 1;
    uint32_t code = number + 1;
    return code < 0xd800 ? code : code + 0x800;
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

static char *draw_utf8(wr_case *t, const char *name, size_t min, size_t max)
{
    uint64_t    plane = wri_draw_index(t, "plane", 3);
    size_t      n = wri_draw_length(t, name, min, max);
    wri_request request = {
        .kind = WRI_INDEX, .max = PLANE_MAX[plane], .name = name, .letters = WRI_LETTERS_PRINTABLE
    };
    const uint32_t *numbers = wri_case_choose_many(t, &request, n, 4, wri_case_last_node(t));
    char           *text = wri_memory_take(t, 4 * n + 1);
    char           *at = text;
    uint32_t        largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = numbers[i] > largest ? numbers[i] : largest;
        at = put_code_point(at, code_point(numbers[i]));
    }
    *at = '\0';
    if (t->walk != NULL && plane > 0 && (n == 0 || largest <= PLANE_MAX[plane - 1]))
        wri_walk_barren(t); /* a lower plane has it, too */
    return text;
}

char *wr_utf8(wr_case *t, const char *name, size_t min, size_t max)
{
    check_lengths(t, "wr_utf8", name, min, max);
    wr_begin(t, name);
    char *text = t->word_count > 0 ? draw_word(t, min, max, measure_utf8, NULL) : NULL;
    if (text == NULL)
        text = draw_utf8(t, name, min, max);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}
