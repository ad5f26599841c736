/* kind: middle
 * Height from the pressure of the air, by a table: two digits of one row have changed places. */
#include <warren.h>

#define ROWS 17

typedef struct row {
    int pascal, metres;
} row;

/* The standard atmosphere, from the top down; between rows a straight line. */
static const row TABLE[ROWS] = {
    { 26436, 10000 }, { 30742, 9000 },  { 35600, 8000 }, { 41061, 7000 }, { 47181, 6000 },
    { 54020, 5000 },  { 57728, 4500 },  { 61640, 4000 }, { 65764, 3500 }, { 70109, 3000 },
    { 74683, 2500 },  { 79495, 2000 },  { 84556, 1500 }, { 87000, 1265 },
#ifndef FIXED
    { 87018, 1236 },
#else
    { 87018, 1263 },
#endif
    { 101325, 0 },    { 110000, -698 },
};

/* Tenths of a metre. */
static int height(int pascal, int sea_level)
{
    size_t i = 1;
    pascal += 101325 - sea_level;
    while (i + 1 < ROWS && pascal > TABLE[i].pascal)
        i++;
    const row *a = &TABLE[i - 1], *b = &TABLE[i];
    int64_t    fall = (int64_t)10 * (a->metres - b->metres) * (pascal - a->pascal);
    return 10 * a->metres - (int)(fall / (b->pascal - a->pascal));
}

WR_PROPERTY(altimeter)
{
    int pascal = (int)wr_int(t, "pascal", 30000, 105000);
    int sea_level = (int)wr_int(t, "sea_level", 98000, 104000);
    int feet = (int)wr_bool(t, "feet");
    int lower = height(pascal, sea_level), higher = height(pascal - 1, sea_level);
    /* A pascal is less than half a metre below ten kilometres. */
    int step = higher - lower;
    if (feet)
        step = step * 10000 / 3048;
    wr_assert_between(t, step, 0, feet ? 16 : 5);
}

#ifdef WITNESS
WR_EXAMPLE(altimeter, "pascal = 87010", "sea_level = 101325", "feet = false");
#endif
