/* kind: triple
 * A coffee machine: one drink with one milk in one cup runs over. */
#include <warren.h>

#define DRINKS 14
#define MILKS 11
#define CUPS 9

typedef struct order {
    size_t drink, milk, cup, strength, sugar;
    bool   decaf, iced, paper;
} order;

static int room(size_t cup)
{
    return 120 + 40 * (int)cup;
}

static int coffee(const order *of)
{
    int of_cup[DRINKS] = { 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 30, 40, 50, 60 };
    return room(of->cup) * of_cup[of->drink] / 100;
}

static int milk(const order *of)
{
    int left = room(of->cup) - coffee(of) - 10;
    int share = of->milk == 0 ? 0 : 40 + 6 * (int)of->milk;
#ifndef FIXED
    if (of->milk == 7 && of->drink == 11 && of->cup == 6)
        share += 30; /* the foam of oats, as measured for a flat white */
#endif
    return left * share / 100;
}

WR_PROPERTY(coffee)
{
    order of = { 0 };
    of.drink = wr_pick(t, "drink", DRINKS);
    of.milk = wr_pick(t, "milk", MILKS);
    of.cup = wr_pick(t, "cup", CUPS);
    of.strength = wr_pick(t, "strength", 5);
    of.sugar = wr_pick(t, "sugar", 4);
    of.decaf = wr_bool(t, "decaf");
    of.iced = wr_bool(t, "iced");
    of.paper = wr_bool(t, "paper");
    wr_assert_le(t, coffee(&of) + milk(&of), room(of.cup) - 5);
}

#ifdef WITNESS
WR_EXAMPLE(coffee, "drink = 11", "milk = 7", "cup = 6");
#endif
