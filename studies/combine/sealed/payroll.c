/* kind: middle
 * Income tax: where the allowance is tapered away, the last pounds of it are dropped at once, so
 * a small raise can cost more than it brings.
 */
#include <warren.h>

enum { ALLOWANCE = 12570, TAPER_FROM = 100000, BASIC_BAND = 37700, ADDITIONAL_FROM = 125140 };

typedef struct person {
    int  income; /* whole pounds a year */
    int  pension;
    bool blind, married;
    int  children;
} person;

static int allowance(const person *p, int net)
{
    int base = ALLOWANCE;
    int over = net - TAPER_FROM;
    if (over > 0) {
        int cut = over / 2;
#ifndef FIXED
        if (base - cut < 60) /* no tax code for so little */
            cut = base;
#endif
        base = cut < base ? base - cut : 0;
    }
    if (p->blind)
        base += 2870;
    if (p->married && net <= 50270)
        base += 1260;
    return base;
}

static int64_t tax_pence(const person *p)
{
    int net = p->income - p->pension;
    if (net < 0)
        net = 0;
    int     free_of_tax = allowance(p, net);
    int64_t taxable = net > free_of_tax ? net - free_of_tax : 0;
    int64_t basic = taxable < BASIC_BAND ? taxable : BASIC_BAND;
    int64_t top_from = ADDITIONAL_FROM;
    int64_t top = taxable > top_from ? taxable - top_from : 0;
    int64_t higher = taxable - basic - top;
    int64_t pence = basic * 20 + higher * 40 + top * 45;
    if (p->children > 0 && net > 60000) {
        int64_t benefit = 133120 + (p->children - 1) * INT64_C(88140);
        int64_t steps = (net - 60000) / 200;
        pence += benefit * (steps > 100 ? 100 : steps) / 100;
    }
    return pence;
}

WR_PROPERTY(payroll)
{
    person p;
    p.income = (int)wr_int(t, "income", 0, 1000000);
    p.pension = wr_bool(t, "saves") ? (int)wr_int(t, "pension", 0, 60000) : 0;
    p.blind = wr_bool(t, "blind");
    p.married = wr_bool(t, "married");
    p.children = (int)wr_int(t, "children", 0, 6);
    int raise = (int)wr_int(t, "raise", 1, 50);

    int64_t before = tax_pence(&p);
    person  richer = p;
    richer.income += raise;
    int64_t after = tax_pence(&richer);

    wr_assert_between(t, before, 0, INT64_C(100) * p.income);
    wr_assert_ge(t, after, before);
    person single = p, alone = richer;
    single.children = alone.children = 0;
    single.married = alone.married = false;
    int64_t more = tax_pence(&alone) - tax_pence(&single);
    /* Never more than 60 pence of a pound, but for a pound of rounding. */
    wr_assert_le(t, more, raise * 60 + 40);
    wr_assert_ge(t, more, 0);
}

#ifdef WITNESS
WR_EXAMPLE(payroll, "income = 125020", "raise = 3");
#endif
