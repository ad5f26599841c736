/* kind: relation
 * An infusion pump: a bag that lasts exactly a day at its rate is reminded of as one that runs
 * dry within the day. */
#include <warren.h>

#define DAY_MINUTES 1440

typedef struct pump {
    int  volume; /* tenths of a millilitre */
    int  rate;   /* the same, in an hour */
    int  warned; /* minutes before the end */
    bool night;
} pump;

typedef enum { QUIET, REMIND, ALARM } signal_of;

/* Minutes until the bag is empty; the last one counts as whole. */
static int lasts(const pump *of)
{
    return (int)(((int64_t)of->volume * 60 + of->rate - 1) / of->rate);
}

static signal_of at_start(const pump *of)
{
#ifndef FIXED
    bool whole_day = (of->volume - 1) / of->rate >= 24; /* a bag is never quite full */
#else
    bool whole_day = of->volume / of->rate >= 24;
#endif
    if (whole_day)
        return QUIET;
    return of->night && lasts(of) - of->warned <= DAY_MINUTES / 3 ? ALARM : REMIND;
}

WR_PROPERTY(infusion)
{
    pump of;
    of.volume = (int)wr_int(t, "volume", 1, 30000);
    of.rate = (int)wr_int(t, "rate", 1, 9999);
    of.warned = (int)wr_int(t, "warned", 5, 60);
    of.night = wr_bool(t, "night");
    signal_of now = at_start(&of);
    pump      fuller = of;
    fuller.volume++;
    wr_assert_ge(t, now, at_start(&fuller));
    wr_assert_eq(t, now == QUIET, (int64_t)of.volume * 60 >= (int64_t)of.rate * DAY_MINUTES);
}

#ifdef WITNESS
WR_EXAMPLE(infusion, "volume = 2400", "rate = 100", "warned = 5", "night = false");
#endif
