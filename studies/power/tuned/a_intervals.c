/* kind: assumed
 * Opening hours that do not overlap, in their order: two that touch are joined, but the third of
 * three in a row that touch is dropped. */
#include <warren.h>

typedef struct hours {
    int from, to;
} hours;

static int open_hours(const hours *of, size_t count)
{
    int sum = 0;
    for (size_t i = 0; i < count; i++) {
#ifndef FIXED
        if (i >= 2 && of[i].from == of[i - 1].to && of[i - 1].from == of[i - 2].to)
            continue;
#endif
        sum += of[i].to - of[i].from;
    }
    return sum;
}

WR_PROPERTY(a_intervals)
{
    size_t count = wr_size(t, "count", 0, 5);
    hours  of[5];
    int    sum = 0;
    for (wr_each(t, i, count)) {
        of[i].from = (int)wr_int(t, "from", 0, 168);
        of[i].to = (int)wr_int(t, "to", 0, 168);
        wr_assume(t, of[i].from < of[i].to);
        wr_assume(t, i == 0 || of[i - 1].to <= of[i].from);
        sum += of[i].to - of[i].from;
    }
    wr_assert_eq(t, open_hours(of, count), sum);
}

#ifdef WITNESS
WR_EXAMPLE(a_intervals, "count = 3", "from = 1", "to = 2", "from[1] = 2", "to[1] = 3",
           "from[2] = 3", "to[2] = 4");
#endif
