/* explore/auto/arms.c: the shares of the explorers.
 *
 * The shares count executions. They come from a portfolio that was simulated on measured runs of
 * other properties. A run of an explorer that walks, plans or traces costs 10 to 50 times a
 * random case. So where nothing guides it, such an explorer has a fair share of the first
 * thousands of executions, which take no time worth mentioning, and a small one of all others.
 */
#include "explore/auto/arms.h"

/* A random case goes alone up to here: most bugs need no more. */
#define FIRST_ROUND 64
/* A round is as long as so many parts of all before it. */
#define ROUND_PART 2
#define LARGEST_ROUND ((uint64_t)1 << 20)
/* Labels tell a search where to go after so many cases, and in a run that is long enough. */
#define LABELS_AFTER 256
#define LONG_RUN 1001
/* Below so many cases, only random ones. */
#define FEW_CASES 32

#define EVER UINT64_MAX

/* What there is to go by. */
typedef enum { BY_NOTHING, BY_LABELS, BY_SIGNALS, SITUATIONS } situation;

/* In thousandths of a round: the share of an arm until it had so many executions, and then. */
typedef struct share {
    unsigned first;
    uint64_t until;
    unsigned then;
} share;

static const share SHARES[SITUATIONS][WRI_ARMS] = {
    [BY_NOTHING] = { [WRI_ARM_COMBINE] = { 150, 8192, 2 },
                     [WRI_ARM_KNOWING] = { 150, 8192, 5 },
                     [WRI_ARM_ENUMERATE] = { 100, 8192, 10 } },
    [BY_LABELS] = { [WRI_ARM_GUIDE] = { 450, EVER, 0 },
                    [WRI_ARM_COMBINE] = { 100, 8192, 5 },
                    [WRI_ARM_ENUMERATE] = { 100, 8192, 10 } },
    [BY_SIGNALS] = { [WRI_ARM_GUIDE] = { 950, EVER, 0 },
                     [WRI_ARM_COMBINE] = { 20, EVER, 0 },
                     [WRI_ARM_ENUMERATE] = { 20, EVER, 0 } },
};

/* Trees that preconditions refute: walks that go back over the choices pass over what random
 * cases meet again and again. */
static const share OF_TREES[WRI_ARMS] = {
    [WRI_ARM_RESTART] = { 250, EVER, 0 }, [WRI_ARM_ENUMERATE] = { 250, EVER, 0 }
};

static situation situation_of(const wri_round_terms *terms)
{
    bool labels = terms->shown > 1 && terms->wanted >= LONG_RUN && terms->total >= LABELS_AFTER;
    return terms->signals ? BY_SIGNALS : labels ? BY_LABELS : BY_NOTHING;
}

/* The guide's share falls to half of itself while nothing is new. */
static double guided(double most, double idle)
{
    return most * (idle < 0.5 ? 1 - idle * 0.95 : 0.525);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t round_size(const wri_round_terms *terms)
{
    uint64_t size = terms->total < FIRST_ROUND ? FIRST_ROUND : terms->total / ROUND_PART;
    return lesser(size, LARGEST_ROUND);
}

static unsigned per_mille(const share *of, const wri_arm *arm)
{
    return arm->executions < of->until ? of->first : of->then;
}

void wri_arms_share(wri_arm arms[WRI_ARMS], const wri_round_terms *terms)
{
    const share *shares = SHARES[situation_of(terms)];
    uint64_t     size = round_size(terms), others = 0, room = terms->left / 2;
    for (unsigned i = 0; i < WRI_ARMS; i++) {
        wri_arm *arm = &arms[i];
        unsigned part = per_mille(&shares[i], arm);
        if (terms->redrawn > 0 && per_mille(&OF_TREES[i], arm) > part)
            part = per_mille(&OF_TREES[i], arm);
        double wanted = (double)size * part / 1000;
        if (i == WRI_ARM_GUIDE)
            wanted = guided(wanted, terms->idle);
        arm->quota = arm->over || terms->total == 0 ? 0 : (uint64_t)wanted;
        if (!arm->beside)
            arm->quota = lesser(arm->quota, room - lesser(room, others));
        if (terms->left < FEW_CASES)
            arm->quota = 0;
        others += arm->beside ? 0 : arm->quota;
    }
    uint64_t rest = size > others ? size - others : 1;
    bool     alone = others == 0 && terms->total > 0;
    for (unsigned i = 0; i < WRI_ARMS; i++)
        alone &= arms[i].quota == 0;
    arms[WRI_ARM_RANDOM].quota = alone ? EVER : rest;
    arms[WRI_ARM_RANDOM].room = terms->left - others;
}
