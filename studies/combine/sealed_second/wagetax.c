/* kind: edge
 * Wage tax in steps, in cents: who earns exactly the last cent of a step gets no tax credit. */
#include <warren.h>

#define STEPS 5
#define CREDIT_ENDS 3751234
#define CREDIT 44500

typedef struct step {
    int64_t from; /* cents */
    int64_t permille;
} step;

static const step TABLE[STEPS] = {
    { 0, 0 }, { 1190400, 140 }, { 3751234, 310 }, { 6676100, 420 }, { 27782600, 450 },
};

typedef struct payslip {
    int64_t yearly;
    int     children;
    bool    church, married;
} payslip;

static int64_t by_steps(int64_t income)
{
    int64_t tax = 0;
    for (size_t i = 0; i < STEPS && income > TABLE[i].from; i++) {
        int64_t to = i + 1 < STEPS && income > TABLE[i + 1].from ? TABLE[i + 1].from : income;
        tax += (to - TABLE[i].from) * TABLE[i].permille / 1000;
    }
    return tax;
}

/* The credit goes to incomes up to its end, and falls by half of what lies above. */
static int64_t credit(int64_t income)
{
#ifndef FIXED
    if (income < CREDIT_ENDS)
        return CREDIT;
    if (income == CREDIT_ENDS)
        return 0;
#else
    if (income <= CREDIT_ENDS)
        return CREDIT;
#endif
    int64_t left = CREDIT - (income - CREDIT_ENDS) / 2;
    return left > 0 ? left : 0;
}

static int64_t tax_of(const payslip *of)
{
    int64_t income = of->married ? of->yearly / 2 : of->yearly;
    int64_t tax = by_steps(income) - credit(income) - 10000 * of->children;
    if (tax < 0)
        tax = 0;
    if (of->church)
        tax += tax * 8 / 100;
    return of->married ? 2 * tax : tax;
}

WR_PROPERTY(wagetax)
{
    payslip of = { 0 };
    of.yearly = wr_int(t, "yearly", 0, 40000000);
    of.children = (int)wr_int(t, "children", 0, 9);
    of.church = wr_bool(t, "church");
    of.married = wr_bool(t, "married");
    payslip more = of;
    more.yearly += 2;
    int64_t rise = tax_of(&more) - tax_of(&of);
    wr_assert_between(t, rise, 0, 8);
}

#ifdef WITNESS
WR_EXAMPLE(wagetax, "yearly = 3751234", "children = 0", "church = false", "married = false");
#endif
