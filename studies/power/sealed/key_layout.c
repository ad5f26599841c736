/* kind: triple
 * Keyboard layouts: on the Czech layout, the key of the dollar sign gives the same character with
 * AltGr and Shift as another key does.
 */
#include <warren.h>

enum { LAYOUTS = 24, KEYS = 48, LEVELS = 8 }; /* a level is Shift, AltGr, Caps as bits */

/* Where a layout departs from the common table. */
static const struct exception {
    unsigned char layout, key, level;
    unsigned      code;
} EXCEPTIONS[] = {
    { 1, 12, 2, 0x20ac },
    { 1, 30, 0, 0xe4 },
    { 2, 12, 2, 0xa3 },
    { 3, 7, 1, 0xf1 },
    { 4, 40, 3, 0x152 },
    { 5, 41, 3, 0x160 },
#ifndef FIXED
    { 6, 27, 3, 0x1000 + 6 * 64 + 19 },
#else
    { 6, 27, 3, 0x1000 + 6 * 64 + 49 },
#endif
    { 7, 3, 0, 0xe5 },
    { 9, 44, 6, 0x17d },
    { 11, 20, 2, 0x141 },
    { 12, 21, 2, 0x142 },
    { 15, 2, 5, 0x398 },
    { 19, 33, 7, 0x416 },
    { 23, 47, 2, 0x20bd },
};
enum { EXCEPTION_COUNT = sizeof EXCEPTIONS / sizeof *EXCEPTIONS };

/* The character of a key, or 0. */
static unsigned code_of(unsigned layout, unsigned key, unsigned level)
{
    for (unsigned i = 0; i < EXCEPTION_COUNT; i++)
        if (EXCEPTIONS[i].layout == layout && EXCEPTIONS[i].key == key &&
            EXCEPTIONS[i].level == level)
            return EXCEPTIONS[i].code;
    if (level == 3)
        return key < 24 ? 0x1000 + layout * 64 + key : 0;
    return 0x4000 + (layout * LEVELS + level) * 64 + key;
}

/* Which key types a character; false: none does. */
static bool key_of(unsigned layout, unsigned code, unsigned *key, unsigned *level)
{
    for (unsigned k = 0; k < KEYS; k++)
        for (unsigned l = 0; l < LEVELS; l++)
            if (code_of(layout, k, l) == code) {
                *key = k;
                *level = l;
                return true;
            }
    return false;
}

WR_PROPERTY(key_layout)
{
    unsigned layout = (unsigned)wr_pick(t, "layout", LAYOUTS);
    unsigned key = (unsigned)wr_pick(t, "key", KEYS);
    bool     shift = wr_bool(t, "shift"), altgr = wr_bool(t, "altgr"), caps = wr_bool(t, "caps");
    unsigned level = (unsigned)shift | (unsigned)altgr << 1 | (unsigned)caps << 2;
    unsigned code = code_of(layout, key, level), found_key = KEYS, found_level = LEVELS;
    if (code == 0)
        return;
    wr_assert(t, key_of(layout, code, &found_key, &found_level));
    wr_assert_eq(t, found_key, key);
    wr_assert_eq(t, found_level, level);
}

#ifdef WITNESS
WR_EXAMPLE(key_layout, "layout = 6", "key = 27", "shift = true", "altgr = true");
#endif
