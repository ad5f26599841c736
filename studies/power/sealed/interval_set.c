/* kind: tree
 * A set of numbers as intervals in ascending order, with a gap between any two: taking away an
 * interval that ends where another one ends, and begins in an earlier one, leaves an empty
 * interval.
 */
#include <warren.h>

enum { LIMIT = 40 };
enum { END, FROM };
enum { TO };
extern const wr_type REST;
WR_TYPE(SET, "Set", { "End", .show = "." },
        { "From", .args = { &REST }, .index = LIMIT, .show = "%i-%0" });
WR_TYPE(REST, "Rest",
        { "To", .args = { &SET }, .index = LIMIT, .cost = WR_FREE, .show = "%i %0" });

static bool is_set(wr_node *e)
{
    size_t low = 0;
    while (wr_tag(e) == FROM) {
        wr_node *rest = wr_arg(e, 0);
        if (wr_index(e) < low || wr_index(rest) <= wr_index(e))
            return false;
        low = wr_index(rest) + 1; /* a gap */
        e = wr_arg(rest, 0);
    }
    return true;
}

typedef struct interval {
    int from, to; /* to: not included */
} interval;

/* Takes [from, to) away. Writes at most n + 1 intervals. */
static int subtract(const interval *set, int n, int from, int to, interval *out)
{
    int  made = 0;
    bool inside = false;
    for (int i = 0; i < n; i++) {
        interval in = set[i];
        if (in.to <= from || in.from >= to) {
            out[made++] = in;
            continue;
        }
        if (in.from < from) {
            out[made++] = (interval){ in.from, from };
            inside = true;
        }
#ifndef FIXED
        if (in.to > to || (inside && in.from > from && in.to == to))
#else
        (void)inside;
        if (in.to > to)
#endif
            out[made++] = (interval){ to, in.to };
    }
    return made;
}

static uint64_t bits(const interval *set, int n)
{
    uint64_t all = 0;
    for (int i = 0; i < n; i++)
        for (int k = set[i].from; k < set[i].to; k++)
            all |= UINT64_C(1) << k;
    return all;
}

WR_PROPERTY_WITH(interval_set, .size = 8)
{
    wr_node *e = wr_tree(t, "e", &SET);
    wr_require(t, is_set, e);
    int      from = (int)wr_int(t, "from", 0, LIMIT - 1), to = (int)wr_int(t, "to", from, LIMIT);
    interval set[LIMIT], out[LIMIT + 1];
    int      n = 0;
    for (; wr_tag(e) == FROM; e = wr_arg(wr_arg(e, 0), 0))
        set[n++] = (interval){ (int)wr_index(e), (int)wr_index(wr_arg(e, 0)) };

    int made = from < to ? subtract(set, n, from, to, out) : 0;
    if (from == to)
        return;
    wr_classify(t, made > n, "split");
    for (int i = 0; i < made; i++) {
        wr_assert_lt(t, out[i].from, out[i].to);
        if (i > 0)
            wr_assert_gt(t, out[i].from, out[i - 1].to);
    }
    uint64_t gone = bits(&(interval){ from, to }, 1);
    wr_assert(t, bits(out, made) == (bits(set, n) & ~gone));
}

#ifdef WITNESS
WR_EXAMPLE(interval_set, "e = 3-8 12-20 .", "from = 5", "to = 20");
#endif
