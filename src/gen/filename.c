/* gen/filename.c: names of files: any bytes but NUL and '/', and neither "." nor "..".
 *
 * One choice says of which of three alphabets the name is: letters that nobody minds, printable
 * ASCII, or any bytes. Each holds the one before it. Names that programs are known to stumble
 * over come as words do.
 */
#include <string.h>

#include "core/walk.h"
#include "gen/draw.h"
#include "gen/example.h"
#include "gen/words.h"

#define LONGEST 255

static const char PLAIN[] = WRI_LOWER WRI_DIGITS WRI_UPPER "_-.";
#define PLAINS (sizeof PLAIN - 1)
static const char PRINTED[] = " !\"#$%&'()*+,:;<=>?@[\\]^`{|}~";
/* The largest number of each alphabet: all bytes are 256 without NUL and '/'. */
static const uint8_t MOST[] = { PLAINS - 1, PLAINS + sizeof PRINTED - 2, 253 };

static const char *const SPECIAL[] = {
    "-",         "--",       "-rf",          "...",  " ",   "a b",   " a",
    "a ",        ".a",       "a.",           "~",    "*",   "%s",    "$HOME",
    "'",         "\"",       "\\",           "a\nb", "con", "nul.a", "a.tar.gz",
    "e\xcc\x81", "\xc3\xa9", "\xe2\x80\xae", "\xff", NULL
};

static char byte_of(uint64_t number)
{
    if (number < PLAINS)
        return PLAIN[number];
    if (number <= MOST[1])
        return PRINTED[number - PLAINS];
    number -= MOST[1] + 1u;
    return (char)(number < 31 ? number + 1 : number + 0x7f - 31);
}

static bool is_folder(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static size_t measure(const char *word, const char *alphabet, bool whole)
{
    (void)alphabet, (void)whole;
    return *word == '\0' || strchr(word, '/') != NULL || is_folder(word) ? SIZE_MAX
                                                                         : strlen(word);
}

static uint32_t number_of(const char **word, const char *alphabet)
{
    uint32_t number = 0;
    (void)alphabet;
    while (byte_of(number) != **word)
        number++;
    ++*word;
    return number;
}

/* The smallest alphabet that has the name. */
static uint64_t manner_of(const char *name)
{
    uint64_t manner = 0;
    while (*name != '\0')
        for (uint32_t number = number_of(&name, NULL); number > MOST[manner];)
            manner++;
    return manner;
}

static uint64_t fresh_manner(wr_case *t, const wri_request *request)
{
    const char *word = wri_words_decide(t, request->about);
    return word != NULL ? manner_of(word)
                        : wri_prng_scale(wri_prng_next(&t->random), request->max);
}

static void read_example(wr_case *t, const char *name, size_t min, size_t max)
{
    size_t      length;
    const char *text = wri_example_quoted(t, name, &length);
    if (text == NULL)
        return;
    if (strlen(text) != length || measure(text, NULL, true) == SIZE_MAX)
        wri_example_wrong(t, "expected the name of a file");
    if (length < min || length > max)
        wri_example_wrong(t, "expected %zu to %zu bytes", min, max);
    uint64_t *numbers = wri_example_expect(t, 2 + length);
    *numbers++ = manner_of(text);
    *numbers++ = length - min;
    while (*text != '\0')
        *numbers++ = number_of(&text, NULL);
}

static char *draw(wr_case *t, const char *name, size_t min, size_t max, wri_words_use *use)
{
    wri_request of = {
        .kind = WRI_INDEX, .max = 2, .name = "manner", .fresh = fresh_manner, .about = use
    };
    uint64_t       manner = wri_case_choose(t, &of), largest = 0;
    size_t         n = wri_words_length(t, use, name, min, max);
    wri_request    request = { .kind = WRI_INDEX,
                               .max = MOST[manner],
                               .name = name,
                               .letters = WRI_LETTERS_REST,
                               .about = use };
    const uint8_t *numbers = wri_case_choose_many(t, &request, n, 1, wri_case_last_node(t));
    char          *text = wri_memory_take(t, n + 1);
    for (size_t i = 0; i < n; i++) {
        text[i] = byte_of(numbers[i]);
        largest = numbers[i] > largest ? numbers[i] : largest;
    }
    text[n] = '\0';
    if (wri_walk_lists(t) && (is_folder(text) || (manner > 0 && largest <= MOST[manner - 1])))
        wri_walk_barren(t); /* another choice has it, too */
    if (is_folder(text))
        text[n - 1] = '_';
    return text;
}

char *wr_filename(wr_case *t, const char *name, size_t min, size_t max)
{
    static const wri_words_kind KIND = { measure, number_of, NULL, SPECIAL };
    wri_words_use               use = { .lead = 0 };
    min = min == 0 ? 1 : min;
    if (min > max || max > LONGEST)
        wri_case_misuse(t, "wr_filename%s: a name has %zu to %zu bytes; expected 1 to %d",
                        wri_draw_named(t, name), min, max, LONGEST);
    wri_words_fit(t, &use, &KIND, min, max);
    if (wri_example_given(t))
        read_example(t, name, min, max);
    wr_begin(t, name);
    char *text = draw(t, name, min, max, &use);
    wr_end(t);
    wr_show_text(t, name, text);
    return text;
}
