/* kind: parser
 * Durations such as 1h30m or 250ms: units must fall, but milliseconds may come twice.
 */
#include <warren.h>
#include <ctype.h>
#include <string.h>

static const struct unit {
    const char *name;
    uint64_t    ms;
} UNITS[] = { { "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 } };
enum { UNIT_COUNT = 5 };

/* False: not a duration. */
static bool parse(const char *s, uint64_t *total)
{
    int last = -1;
    *total = 0;
    if (*s == '\0')
        return false;
    while (*s != '\0') {
        uint64_t n = 0;
        if (!isdigit((unsigned char)*s))
            return false;
        for (; isdigit((unsigned char)*s); s++) {
            n = n * 10 + (uint64_t)(*s - '0');
            if (n > 1000000000)
                return false;
        }
        int found = -1;
        for (int i = 0; i < UNIT_COUNT; i++) {
            size_t length = strlen(UNITS[i].name);
            if (strncmp(s, UNITS[i].name, length) == 0)
                found = i; /* the last one that fits: ms wins over m */
        }
#ifndef FIXED
        if (found < 0 || found < last || (found == last && found < UNIT_COUNT - 1))
#else
        if (found < 0 || found <= last)
#endif
            return false;
        last = found;
        s += strlen(UNITS[found].name);
        *total += n * UNITS[found].ms;
    }
    return true;
}

/* Reads the text from behind, where units must rise. */
static bool read_backwards(const char *text, uint64_t *total)
{
    size_t at = strlen(text);
    int    next = UNIT_COUNT;
    *total = 0;
    if (at == 0)
        return false;
    while (at > 0) {
        int unit;
        switch (text[--at]) {
        case 'd': unit = 0; break;
        case 'h': unit = 1; break;
        case 'm': unit = 2; break;
        case 's':
            unit = at > 0 && text[at - 1] == 'm' ? 4 : 3;
            at -= unit == 4;
            break;
        default: return false;
        }
        uint64_t n = 0, power = 1;
        size_t   end = at;
        for (; at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9'; at--) {
            n += power * (uint64_t)(text[at - 1] - '0');
            power *= 10;
        }
        if (at == end || unit >= next || n > 1000000000)
            return false;
        next = unit;
        *total += n * UNITS[unit].ms;
    }
    return true;
}

WR_PROPERTY(duration_text)
{
    char    *text = wr_text_of(t, "text", "0123456789dhms", 0, 12);
    uint64_t got, expected;
    bool     ok = parse(text, &got), should = read_backwards(text, &expected);
    wr_classify(t, should, "a duration");
    wr_assert_eq(t, ok, should);
    if (ok)
        wr_assert_eq(t, got, expected);
}

#ifdef WITNESS
WR_EXAMPLE(duration_text, "text = \"2ms1ms\"");
#endif
