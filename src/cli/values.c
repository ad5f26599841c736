/* cli/values.c: words, numbers, seeds, durations and sizes, each read from a text as a whole. */
#include "cli/values.h"

#include <stddef.h>
#include <string.h>

int wri_values_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; words; i++) {
        size_t here = strcspn(words, "|");
        if (here == length && memcmp(words, word, length) == 0)
            return i;
        words = words[here] ? words + here + 1 : NULL;
    }
    return -1;
}

/* Reads digits up to something else, where *text is then; false: there are none, or too many. */
static bool digits(const char **text, unsigned base, uint64_t *value)
{
    const char *start = *text;
    for (*value = 0;; (*text)++) {
        char     c = **text;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                : 16;
        if (digit >= base)
            return *text > start;
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
}

/* 12, or 0xC. */
static bool seed(const char *text, uint64_t *value)
{
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    text += hexadecimal ? 2 : 0;
    return digits(&text, hexadecimal ? 16 : 10, value) && !*text;
}

/* A number's digits after the point, as so many of a thousand million. */
static bool read_fraction(const char **text, uint64_t *billionths)
{
    uint64_t    unit = 100000000;
    const char *start = *text;
    for (*billionths = 0; **text >= '0' && **text <= '9'; (*text)++, unit /= 10)
        *billionths += (uint64_t)(**text - '0') * unit;
    return *text > start;
}

/* 10s, 1.5s, 500ms, 2m, 1h, or seconds, as milliseconds; false also where the number before the
 * unit is above `most`. */
static bool duration(const char *text, uint64_t most, uint64_t *ms)
{
    static const struct {
        const char *name;
        uint64_t    ms;
    } UNITS[] = { { "", 1000 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
    uint64_t whole, billionths = 0;
    if (!digits(&text, 10, &whole) || whole > most)
        return false;
    if (*text == '.' && (text++, !read_fraction(&text, &billionths)))
        return false;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (strcmp(text, UNITS[i].name) == 0) {
            *ms = whole * UNITS[i].ms + billionths * UNITS[i].ms / 1000000000;
            return true;
        }
    return false;
}

/* 2/5, of at most `most`. */
static bool part(const char *text, uint64_t most, uint64_t *value)
{
    uint64_t number, count;
    if (!digits(&text, 10, &number) || *text++ != '/' || !digits(&text, 10, &count) || *text ||
        number < 1 || number > count || count > most)
        return false;
    *value = number << 32 | count;
    return true;
}

/* 4096, or 512K, 64M, 2G, 1T. */
static bool bytes(const char *text, uint64_t *value)
{
    static const char UNITS[] = "KkMmGgTt";
    const char       *unit;
    if (!digits(&text, 10, value))
        return false;
    if (*text) {
        unit = strchr(UNITS, *text);
        if (!unit || text[1] ||
            __builtin_mul_overflow(*value, UINT64_C(1024) << (10 * ((unit - UNITS) / 2)), value))
            return false;
    }
    return true;
}

/* A number, or the position of one of the words. */
static bool number_or_word(const wri_option *option, const char *text, uint64_t *value)
{
    int word = option->words ? wri_values_word(option->words, text) : -1;
    *value = (uint64_t)(word < 0 ? 0 : word);
    return word >= 0 || (digits(&text, 10, value) && !*text && *value >= option->low &&
                         *value <= option->high);
}

/* A bit for each of the words in "a,b". */
static bool set(const char *words, const char *text, uint64_t *value)
{
    char one[64];
    *value = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        int found = wri_values_word(words, one);
        if (found < 0)
            return false;
        *value |= UINT64_C(1) << found;
    }
    return true;
}

/* Might it be a token, or @FILE? */
static bool token(const char *text)
{
    return text[0] == '@' ? text[1] != '\0' : text[0] == 'w' && text[1] >= '0' && text[1] <= '9';
}

bool wri_values_read(const wri_option *option, const char *text, uint64_t *value)
{
    bool read = false;
    *value = 0;
    switch (option->kind) {
    case WRI_OPTION_FLAG: return false;
    case WRI_OPTION_NUMBER: return number_or_word(option, text, value);
    case WRI_OPTION_PART: return part(text, option->high, value);
    case WRI_OPTION_WORD:
        *value = (uint64_t)wri_values_word(option->words, text);
        return *value != UINT64_MAX;
    case WRI_OPTION_SET: return set(option->words, text, value);
    case WRI_OPTION_TEXT: return *text != '\0';
    case WRI_OPTION_TOKEN: return token(text);
    case WRI_OPTION_SEED: read = seed(text, value); break;
    case WRI_OPTION_DURATION: read = duration(text, option->high, value); break;
    case WRI_OPTION_BYTES: read = bytes(text, value); break;
    }
    return read && *value >= option->low && *value <= option->high;
}
