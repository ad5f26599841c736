/* kind: edge
 * Life insurance: a sum of exactly the limit for a medical report, up to exactly the oldest age,
 * is neither accepted nor referred. */
#include <warren.h>

#define REPORT_FROM 250000
#define OLDEST 75

typedef enum { REFUSED, ACCEPTED, REFERRED } decision;

typedef struct proposal {
    int64_t sum;
    int     age, term;
    bool    smoker, pilot;
} proposal;

static decision decide(const proposal *of)
{
    int end = of->age + of->term;
    if (end > OLDEST)
        return REFUSED;
    if (of->pilot && of->smoker)
        return REFERRED;
#ifndef FIXED
    if (of->sum < REPORT_FROM && end <= OLDEST)
        return ACCEPTED;
    if (of->sum > REPORT_FROM || end < OLDEST)
        return REFERRED;
    return REFUSED;
#else
    return of->sum < REPORT_FROM ? ACCEPTED : REFERRED;
#endif
}

WR_PROPERTY(premium)
{
    proposal of;
    of.sum = wr_int(t, "sum", 1000, 1000000);
    of.age = (int)wr_int(t, "age", 18, 70);
    of.term = (int)wr_int(t, "term", 5, 40);
    of.smoker = wr_bool(t, "smoker");
    of.pilot = wr_bool(t, "pilot");
    decision now = decide(&of);
    wr_assert_eq(t, now == REFUSED, of.age + of.term > OLDEST);
    proposal less = of;
    less.sum = of.sum - 1;
    if (now == ACCEPTED)
        wr_assert_eq(t, decide(&less), ACCEPTED);
}

#ifdef WITNESS
WR_EXAMPLE(premium, "sum = 250000", "age = 55", "term = 20", "smoker = false", "pilot = false");
#endif
