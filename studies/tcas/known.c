/* studies/tcas/known.c: see known.h. */
#include "known.h"

#include <stdio.h>

#include "settings.h"

/* On the whole grid of picked values: how often each advice is given without a fault, and how
 * often a fault changes it. */
static const int ADVICES[] = { 458000, 2030, 770 };
static const int SHOWN[FAULTS + 1] = {
    0,    280,  392, 1200, 770,  5600, 4060,  161, 70,  210,  5936, 7476, 16800, 2800,
    2800, 5600, 210, 161,  98,   49,   182,   210, 210, 210,  210,  238,  2800,  5600,
    840,  420,  420, 5936, 5264, 1337, 26400, 840, 770, 1904, 1071, 238,  770,   770,
};

/* Tests that together expose every fault, and which of them each exposes, with its advice. */
typedef struct exposing {
    int in[INPUTS];
    int advice;
    struct {
        int fault, advice;
    } shows[13]; /* up to fault 0 */
} exposing;

static const exposing TESTS[] = {
    { { 601, 1, 1, 800, 600, 639, 1, 500, 500, 0, 2, 0 },
      2,
      { { 7, 0 },
        { 9, 0 },
        { 14, 0 },
        { 17, 0 },
        { 23, 0 },
        { 25, 0 },
        { 28, 0 },
        { 30, 0 },
        { 35, 0 },
        { 36, 1 },
        { 39, 0 },
        { 40, 0 } } },
    { { 601, 1, 0, 740, 600, 741, 3, 640, 700, 0, 2, 1 },
      1,
      { { 8, 0 },
        { 14, 0 },
        { 22, 0 },
        { 28, 0 },
        { 29, 0 },
        { 33, 0 },
        { 35, 0 },
        { 37, 0 },
        { 38, 0 } } },
    { { 600, 1, 0, 500, 600, 300, 0, 499, 741, 0, 0, 0 },
      0,
      { { 5, 2 }, { 12, 2 }, { 15, 2 }, { 27, 2 }, { 34, 2 } } },
    { { 601, 1, 0, 400, 600, 400, 3, 601, 399, 1, 0, 0 },
      0,
      { { 6, 1 }, { 10, 1 }, { 11, 1 }, { 31, 1 } } },
    { { 601, 1, 1, 740, 600, 639, 2, 640, 740, 1, 2, 1 },
      2,
      { { 2, 0 }, { 9, 0 }, { 14, 0 }, { 18, 0 }, { 25, 0 }, { 36, 1 }, { 39, 0 }, { 40, 0 } } },
    { { 601, 1, 1, 639, 601, 740, 3, 739, 200, 2, 2, 0 },
      0,
      { { 12, 1 }, { 13, 1 }, { 26, 1 }, { 34, 1 } } },
    { { 800, 1, 1, 499, 500, 741, 0, 500, 500, 0, 2, 0 }, 0, { { 4, 1 }, { 41, 1 } } },
    { { 601, 1, 1, 399, 600, 501, 2, 540, 540, 0, 1, 0 },
      0,
      { { 20, 1 }, { 21, 1 }, { 28, 1 }, { 30, 1 }, { 35, 1 } } },
    { { 601, 1, 1, 200, 600, 401, 0, 501, 400, 0, 1, 1 }, 0, { { 1, 1 }, { 16, 1 } } },
    { { 601, 1, 1, 700, 600, 501, 1, 800, 900, 1, 1, 1 }, 0, { { 3, 2 } } },
    { { 601, 1, 0, 740, 600, 740, 2, 100, 200, 1, 2, 1 }, 0, { { 32, 2 } } },
    { { 601, 1, 1, 500, 600, 800, 3, 741, 750, 0, 1, 1 }, 0, { { 19, 1 } } },
    { { 601, 1, 0, 900, 600, 500, 0, 601, 700, 1, 2, 1 },
      0,
      { { 24, 2 }, { 28, 2 }, { 29, 2 }, { 35, 2 } } },
};

static int differs(const char *what, long found, long known)
{
    if (found == known)
        return 0;
    printf("%s: %ld, and it is known to be %ld\n", what, found, known);
    return 1;
}

/* ---- The tests ---- */

static int shown_by(const exposing *test, int fault)
{
    for (int i = 0; test->shows[i].fault != 0; i++)
        if (test->shows[i].fault == fault)
            return test->shows[i].advice;
    return test->advice;
}

static int check_tests(void)
{
    int  wrong = 0;
    char what[64];
    for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++)
        for (int f = 0; f <= FAULTS; f++) {
            snprintf(what, sizeof what, "test %zu, fault %d", i + 1, f);
            wrong += differs(what, (long)advise(&UNITS[f], TESTS[i].in), shown_by(&TESTS[i], f));
        }
    return wrong;
}

/* ---- The grid ---- */

typedef struct tally {
    int advices[DOWNWARD + 1];
    int shown[FAULTS + 1];
    int unlike; /* the closed form */
} tally;

/* The unit without a fault, as one condition for each advice. */
static advice closed_form(const int *in)
{
    static const int THRESHOLDS[] = { 400, 500, 640, 740 };
    int              least = THRESHOLDS[in[ALTITUDE_LAYER]], own = in[OWN_ALTITUDE];
    int  up = in[UP_SEPARATION] + (in[CLIMB_INHIBITED] ? 100 : 0), down = in[DOWN_SEPARATION];
    bool heard = in[OTHER_CAPABILITY] != 1 || (in[REPORTS_VALID] && in[OTHER_INTENT] == 0);
    if (!in[HIGH_CONFIDENCE] || in[OWN_RATE] > 600 || in[CURRENT_SEPARATION] <= 600 || !heard)
        return UNRESOLVED;
    if (own < in[OTHER_ALTITUDE] && up > down && down < least)
        return UPWARD;
    if (own > in[OTHER_ALTITUDE] && up <= down && in[UP_SEPARATION] >= least)
        return DOWNWARD;
    return UNRESOLVED;
}

static void count_row(tally *all, const int *in)
{
    advice right = advise(&UNITS[0], in);
    all->advices[right]++;
    all->unlike += closed_form(in) != right;
    for (int f = 1; f <= FAULTS; f++)
        all->shown[f] += advise(&UNITS[f], in) != right;
}

/* The next row of a grid, as an odometer; false after the last. */
static bool step(const setting *grid, uint32_t *levels)
{
    for (int i = 0; i < INPUTS; i++) {
        if (++levels[i] < grid->inputs[i].count)
            return true;
        levels[i] = 0;
    }
    return false;
}

static int check_grid(void)
{
    uint32_t levels[INPUTS] = { 0 };
    int      in[INPUTS], wrong = 0;
    tally    all = { .unlike = 0 };
    do {
        values_at(&PICKED, levels, in);
        count_row(&all, in);
    } while (step(&PICKED, levels));
    for (int a = UNRESOLVED; a <= DOWNWARD; a++)
        wrong += differs("rows of an advice", all.advices[a], ADVICES[a]);
    for (int f = 1; f <= FAULTS; f++)
        wrong += differs(UNITS[f].fault, all.shown[f], SHOWN[f]);
    return wrong + differs("rows unlike the closed form", all.unlike, 0);
}

int check_known(void)
{
    return check_tests() + check_grid();
}
