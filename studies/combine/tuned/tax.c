/* kind: middle
 * An income tax by bands: one band of the table for single parents has the rate of its neighbour,
 * so the tax jumps. */
#include <warren.h>

#define BANDS 7

typedef enum { SINGLE, JOINT, SINGLE_PARENT, WIDOWED } status;

typedef struct band {
    int from, rate; /* whole units; percent */
} band;

static const band TABLE[4][BANDS] = {
    { { 0, 0 },
      { 9000, 10 },
      { 14000, 18 },
      { 31000, 24 },
      { 62000, 33 },
      { 98000, 40 },
      { 160000, 45 } },
    { { 0, 0 },
      { 18000, 10 },
      { 28000, 18 },
      { 62000, 24 },
      { 124000, 33 },
      { 180000, 40 },
      { 250000, 45 } },
    { { 0, 0 },
      { 11000, 10 },
      { 17000, 18 },
      { 38000, 24 },
      { 69700, 33 },
      { 110000, 40 },
      { 190000, 45 } },
    { { 0, 0 },
      { 18000, 10 },
      { 28000, 18 },
      { 62000, 24 },
      { 124000, 33 },
      { 180000, 40 },
      { 250000, 45 } },
};

/* What all bands below add up to, in hundredths: kept as a table so that one look is enough. */
static int64_t below(status of, int band_number)
{
    int64_t sum = 0;
    for (int i = 1; i < band_number; i++)
        sum += (int64_t)(TABLE[of][i].from - TABLE[of][i - 1].from) * TABLE[of][i - 1].rate;
    return sum;
}

static int64_t tax_of(status of, int income)
{
    int last = 0;
    while (last + 1 < BANDS && income >= TABLE[of][last + 1].from)
        last++;
    int rate = TABLE[of][last].rate;
#ifndef FIXED
    if (of == SINGLE_PARENT && income >= 69700 && income < 70000)
        rate = TABLE[of][last - 1].rate; /* an old table ended at 70 000 */
#endif
    int64_t paid = last == 0 ? 0 : below(of, last + 1);
    return paid + (int64_t)(income - TABLE[of][last].from) * rate;
}

WR_PROPERTY(tax)
{
    static const wr_constant STATUSES[] = { WR_CONSTANT(SINGLE), WR_CONSTANT(JOINT),
                                            WR_CONSTANT(SINGLE_PARENT), WR_CONSTANT(WIDOWED) };
    status                   of = (status)wr_enum(t, "status", 4, STATUSES);
    int                      income = (int)wr_int(t, "income", 0, 300000);
    int64_t                  by_units = 0;
    for (int i = 0; i < BANDS; i++) {
        int to = i + 1 < BANDS && TABLE[of][i + 1].from < income ? TABLE[of][i + 1].from : income;
        if (to > TABLE[of][i].from)
            by_units += (int64_t)(to - TABLE[of][i].from) * TABLE[of][i].rate;
    }
    wr_assert_eq(t, tax_of(of, income), by_units);
}

#ifdef WITNESS
WR_EXAMPLE(tax, "status = SINGLE_PARENT", "income = 69900");
#endif
