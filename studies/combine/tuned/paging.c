/* kind: relation
 * Pages of a list: the page behind a last one that is full is told to be there. */
#include <warren.h>

#define MOST 10000000

typedef struct page {
    bool    there, more;
    int64_t first, count;
} page;

/* The first page is always there, even of an empty list. */
static page page_of(int64_t total, int64_t number, int64_t size)
{
    page    one = { 0 };
    int64_t offset = number * size;
#ifndef FIXED
    if (offset > total)
        return one;
#else
    if (number > 0 && offset >= total)
        return one;
#endif
    one.there = true;
    one.first = offset;
    one.count = total - offset < size ? total - offset : size;
    one.more = offset + one.count < total;
    return one;
}

WR_PROPERTY(paging)
{
    int64_t total = wr_int(t, "total", 0, MOST);
    int64_t number = wr_int(t, "number", 0, 20000);
    int64_t size = wr_int(t, "size", 1, 500);
    page    one = page_of(total, number, size);
    int64_t pages = total == 0 ? 1 : (total + size - 1) / size;
    wr_assert_eq(t, one.there, number < pages);
    wr_assert_eq(t, one.more, number + 1 < pages);
    wr_assert_le(t, one.count, size);
}

#ifdef WITNESS
WR_EXAMPLE(paging, "total = 500", "number = 1", "size = 500");
#endif
