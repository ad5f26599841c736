/* kind: edge
 * Ranges of a file over HTTP: a request for a suffix as long as the file gets an empty answer. */
#include <warren.h>

#define FILE_MOST 4000000

typedef struct part {
    int64_t from, to; /* `to` is the byte behind it */
    bool    satisfiable;
} part;

static part of_range(int64_t first, int64_t last, int64_t size)
{
    part of = { 0, 0, false };
    if (first >= size || last < first)
        return of;
    of.from = first;
    of.to = last >= size ? size : last + 1;
    of.satisfiable = true;
    return of;
}

static part of_suffix(int64_t length, int64_t size)
{
    part of = { 0, 0, false };
    if (length == 0 || size == 0)
        return of;
#ifndef FIXED
    of.from = length > size ? 0 : (size - length) % size;
    of.to = length == size ? of.from : size;
#else
    of.from = length > size ? 0 : size - length;
    of.to = size;
#endif
    of.satisfiable = true;
    return of;
}

WR_PROPERTY(range)
{
    int64_t size = wr_int(t, "size", 0, FILE_MOST);
    bool    suffix = wr_bool(t, "suffix");
    int64_t one = wr_int(t, "one", 0, FILE_MOST), other = wr_int(t, "other", 0, FILE_MOST);
    part    of = suffix ? of_suffix(one, size) : of_range(one, other, size);
    if (!of.satisfiable)
        return;
    wr_assert_between(t, of.to, of.from + 1, size);
    wr_assert_le(t, of.to - of.from, suffix ? one : other - one + 1);
}

#ifdef WITNESS
WR_EXAMPLE(range, "size = 1000", "suffix = true", "one = 1000", "other = 0");
#endif
