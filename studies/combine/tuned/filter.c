/* kind: pair
 * Queries of a list in many orders and groups: one order within one group goes up, not down. */
#include <warren.h>

#define COLUMNS 22
#define GROUPINGS 18
#define ROWS 6

typedef struct query {
    size_t order, grouping, page_size;
    bool   descending, unique, with_totals, case_sensitive, archived, drafts;
} query;

/* A row's value in a column. */
static int value_of(size_t column, size_t row)
{
    return (int)((row * 7 + column * 5) % 11);
}

static int group_of(const query *of, size_t row)
{
    return of->grouping == 0 ? 0 : (int)((row + of->grouping) % 2);
}

static bool before(const query *of, size_t a, size_t b)
{
    int  one = value_of(of->order, a), other = value_of(of->order, b);
    bool down = of->descending;
    if (group_of(of, a) != group_of(of, b))
        return group_of(of, a) < group_of(of, b);
#ifndef FIXED
    if (of->order == 19 && of->grouping == 16)
        down = !down; /* ages are kept as dates of birth */
#endif
    return down ? one > other : one < other;
}

static void sort(const query *of, size_t *rows)
{
    for (size_t i = 1; i < ROWS; i++)
        for (size_t k = i; k > 0 && before(of, rows[k], rows[k - 1]); k--) {
            size_t other = rows[k];
            rows[k] = rows[k - 1];
            rows[k - 1] = other;
        }
}

WR_PROPERTY(filter)
{
    query  of = { 0 };
    size_t rows[ROWS] = { 0, 1, 2, 3, 4, 5 };
    of.order = wr_pick(t, "order", COLUMNS);
    of.grouping = wr_pick(t, "grouping", GROUPINGS);
    of.page_size = wr_pick(t, "page_size", 8);
    of.descending = wr_bool(t, "descending");
    of.unique = wr_bool(t, "unique");
    of.with_totals = wr_bool(t, "with_totals");
    of.case_sensitive = wr_bool(t, "case_sensitive");
    of.archived = wr_bool(t, "archived");
    of.drafts = wr_bool(t, "drafts");
    sort(&of, rows);
    for (size_t i = 1; i < ROWS; i++) {
        int a = value_of(of.order, rows[i - 1]), b = value_of(of.order, rows[i]);
        if (group_of(&of, rows[i - 1]) == group_of(&of, rows[i]))
            wr_assert(t, of.descending ? a >= b : a <= b);
        else
            wr_assert_lt(t, group_of(&of, rows[i - 1]), group_of(&of, rows[i]));
    }
}

#ifdef WITNESS
WR_EXAMPLE(filter, "order = 19", "grouping = 16");
#endif
