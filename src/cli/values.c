/* cli/values.c: see values.h. */
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

bool wri_values_digits(const char **text, unsigned base, uint64_t *value)
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

bool wri_values_seed(const char *text, uint64_t *value)
{
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    text += hexadecimal ? 2 : 0;
    return wri_values_digits(&text, hexadecimal ? 16 : 10, value) && !*text;
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

bool wri_values_duration(const char *text, uint64_t most, uint64_t *ms)
{
    static const struct {
        const char *name;
        uint64_t    ms;
    } UNITS[] = { { "", 1000 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
    uint64_t whole, billionths = 0;
    if (!wri_values_digits(&text, 10, &whole) || whole > most)
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
