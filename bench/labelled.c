/* bench/labelled.c: the properties that `observe` measures, with and without what they show.
 *
 * Two properties that are compared draw the same and differ in their labels only.
 */
#include <warren.h>

/* Nothing is known of x any more: what is computed from it stays. */
static inline void keep(uint64_t x)
{
    __asm__ volatile("" : : "r"(x) : "memory");
}

/* ---- A label ---- */

WR_PROPERTY(shows_nothing)
{
    uint64_t a = wr_uint(t, "a", 0, 99), b = wr_uint(t, "b", 0, 99);
    keep(a + b);
}

/* As many sites as lines below. */
#define CONSTANT_LABELS 8

WR_PROPERTY(shows_constant_labels)
{
    uint64_t a = wr_uint(t, "a", 0, 99), b = wr_uint(t, "b", 0, 99);
    keep(a + b);
    wr_label(t, "one");
    wr_label(t, "two");
    wr_label(t, "three");
    wr_label(t, "four");
    wr_label(t, "five");
    wr_label(t, "six");
    wr_label(t, "seven");
    wr_label(t, "eight");
}

WR_PROPERTY(shows_a_formatted_label)
{
    uint64_t a = wr_uint(t, "a", 0, 99), b = wr_uint(t, "b", 0, 99);
    keep(a + b);
    wr_label(t, "about %u", (unsigned)(a / 10));
}

/* ---- A guided run ---- */

/* One of sixty-four labels, each a site of its own, so that a pool has more than fifty entries.
 */
#define ONE(n)                                                                                   \
    case n:                                                                                      \
        wr_label(t, "cell " #n);                                                                 \
        break;
#define EIGHT(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7)

static inline void show_cell(wr_case *t, uint64_t cell)
{
    switch (cell) { /* octal */
        EIGHT(00)
        EIGHT(01) EIGHT(02) EIGHT(03) EIGHT(04) EIGHT(05) EIGHT(06) EIGHT(07) default : break;
    }
}

WR_PROPERTY(shows_five_labels_and_a_cell)
{
    uint64_t kind = wr_uint(t, "kind", 0, 7), size = wr_uint(t, "size", 0, 1000);
    uint64_t from = wr_uint(t, "from", 0, 255), to = wr_uint(t, "to", 0, 255);
    bool     flag = wr_bool(t, "flag");
    if (kind == 0)
        wr_label(t, "plain");
    if (size > 500)
        wr_label(t, "large");
    if (from > to)
        wr_label(t, "backwards");
    if (flag)
        wr_label(t, "flagged");
    if (size == 0)
        wr_label(t, "empty");
    show_cell(t, kind * 8 + from % 8);
    keep(kind + size + from + to + flag);
}
