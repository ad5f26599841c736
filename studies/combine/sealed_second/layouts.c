/* kind: pair
 * Keyboards: on one layout one key gives with AltGr what it gives without. */
#include <warren.h>

#define KEYS 48
#define LAYOUTS 24

typedef enum { PLAIN, SHIFT, ALTGR, SHIFT_ALTGR } level;

typedef struct press {
    size_t key, layout, repeat;
    level  at;
    bool   caps, num, sticky, slow;
} press;

/* Symbols are numbers; those of a key differ from level to level. */
static unsigned symbol(const press *of)
{
    unsigned first = (unsigned)(of->key * 4 + of->layout * KEYS * 4);
    level    at = of->at;
    if (of->caps && of->key % 3 != 0) /* letters */
        at ^= SHIFT;
#ifndef FIXED
    if (of->layout == 13 && of->key == 41 && (at & ALTGR) != 0)
        at &= ~(unsigned)ALTGR; /* the key beside the left shift has two levels elsewhere */
#endif
    return first + at;
}

WR_PROPERTY(layouts)
{
    press of = { 0 };
    of.key = wr_pick(t, "key", KEYS);
    of.layout = wr_pick(t, "layout", LAYOUTS);
    of.repeat = wr_pick(t, "repeat", 5);
    of.at = wr_bool(t, "shift") ? SHIFT : PLAIN;
    of.caps = wr_bool(t, "caps");
    of.num = wr_bool(t, "num");
    of.sticky = wr_bool(t, "sticky");
    of.slow = wr_bool(t, "slow");
    press more = of;
    more.at |= ALTGR;
    wr_assert_ne(t, symbol(&of), symbol(&more));
    wr_assert_eq(t, symbol(&of) / (KEYS * 4), of.layout);
}

#ifdef WITNESS
WR_EXAMPLE(layouts, "key = 41", "layout = 13");
#endif
