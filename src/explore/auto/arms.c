/* explore/auto/arms.c: the shares of the explorers.
 *
 * A run goes through phases, by its executions. In each, every explorer has a share of the
 * executions. The first phase has random cases only: most bugs need no more. In the next ones
 * each explorer has enough to find what it finds quickly. In the last phase a share is as large
 * as the explorer deserves by its cost: a run that walks, plans or traces costs 10 to 50 times a
 * random case where nothing is observed, and hardly more than one where the compiler's signals
 * are.
 */
#include "explore/auto/arms.h"

/* A round is as long as so many parts of all before it. */
#define ROUND_PART 2
#define LEAST_ROUND 64
#define LARGEST_ROUND ((uint64_t)1 << 20)
/* A run of fewer cases is short: labels cannot guide it yet, and their shares are of its cases.
 */
#define LONG_RUN 1001
/* With so few cases left, all are random. */
#define FEW_CASES 32
/* Runs beside the cases are at most one for so many cases. */
#define BESIDE_ONE_IN 8

#define EVER UINT64_MAX

/* Shares in thousandths, until a run has so many executions. Random cases have the rest. */
typedef struct phase {
    uint64_t until;
    uint16_t guide, combine, knowing, enumerate;
} phase;

typedef enum { BY_NOTHING, BY_LABELS, BY_SIGNALS, SHORT_BY_NOTHING, SHORT_BY_SIGNALS } situation;
#define PHASES 6

static const phase RUN[][PHASES] = {
    [BY_NOTHING] = { { 64, 0, 0, 0, 0 },
                     { 320, 0, 0, 700, 0 },
                     { 2048, 0, 300, 250, 300 },
                     { 16384, 0, 150, 450, 200 },
                     { 131072, 0, 15, 150, 40 },
                     { EVER, 0, 0, 8, 1 } },
    [BY_LABELS] = { { 64, 0, 0, 0, 0 },
                    { 512, 500, 0, 100, 0 },
                    { 16384, 450, 100, 100, 100 },
                    { EVER, 450, 5, 15, 10 } },
    [BY_SIGNALS] = { { 24, 0, 0, 0, 0 },
                     { 256, 1000, 0, 0, 0 },
                     { 2560, 550, 150, 150, 150 },
                     { EVER, 880, 35, 40, 25 } },
    [SHORT_BY_NOTHING] = { { 64, 0, 0, 0, 0 }, { EVER, 0, 25, 50, 50 } },
    [SHORT_BY_SIGNALS] = { { 24, 0, 0, 0, 0 }, { 128, 800, 0, 0, 0 }, { EVER, 500, 40, 40, 40 } },
};

/* Trees that preconditions refute: walks that go back over the choices pass over what random
 * cases meet again and again. */
enum { TREES_RESTART = 200, TREES_ENUMERATE = 200 };

static situation situation_of(const wri_round_terms *terms)
{
    bool lengthy = terms->wanted >= WRI_LONG_RUN;
    if (terms->signals)
        return lengthy ? BY_SIGNALS : SHORT_BY_SIGNALS;
    return !lengthy ? SHORT_BY_NOTHING : terms->shown > 1 ? BY_LABELS : BY_NOTHING;
}

static const phase *phase_of(const wri_round_terms *terms)
{
    const phase *now = RUN[situation_of(terms)];
    while (terms->total >= now->until)
        now++;
    return now;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t round_size(const wri_round_terms *terms, const phase *now)
{
    uint64_t size = terms->total / ROUND_PART;
    size = size < LEAST_ROUND ? LEAST_ROUND : lesser(size, LARGEST_ROUND);
    return lesser(size, now->until - terms->total);
}

/* The guide's share falls while it learns nothing; by then half of its cases are fresh. */
static double part_guided(const phase *now, double idle)
{
    return now->guide * (idle < 0.5 ? 1 - idle * 0.4 : 0.8);
}

static double part_of(const phase *now, unsigned arm, const wri_round_terms *terms)
{
    bool trees = terms->redrawn > 0 && terms->total >= LEAST_ROUND;
    switch (arm) {
    case WRI_ARM_GUIDE: return part_guided(now, terms->idle);
    case WRI_ARM_COMBINE: return now->combine;
    case WRI_ARM_KNOWING: return trees ? 0 : now->knowing;
    case WRI_ARM_RESTART: return trees ? TREES_RESTART : 0;
    case WRI_ARM_ENUMERATE:
        return trees && now->enumerate < TREES_ENUMERATE ? TREES_ENUMERATE : now->enumerate;
    default: return 0;
    }
}

/* The cases that have so many executions: a case that is refuted may be drawn again and again. */
static uint64_t first_runs(const wri_arm *random, uint64_t executions)
{
    uint64_t first = random->executions - random->redrawn;
    double   part = first == 0 ? 1 : (double)first / (double)random->executions;
    return (uint64_t)((double)executions * part) + 1;
}

void wri_arms_share(wri_arm arms[WRI_ARMS], const wri_round_terms *terms)
{
    const phase *now = phase_of(terms);
    uint64_t     size = round_size(terms, now), others = 0, cases = 0, beside = 0;
    uint64_t     room = terms->left / 2, most = terms->wanted / BESIDE_ONE_IN;
    for (unsigned i = 0; i < WRI_ARMS; i++)
        beside += arms[i].beside ? arms[i].executions : 0;
    for (unsigned i = 0; i < WRI_ARM_RANDOM; i++) {
        wri_arm *arm = &arms[i];
        arm->quota = (uint64_t)((double)size * part_of(now, i, terms) / 1000 + 0.5);
        if (arm->over || terms->left < FEW_CASES)
            arm->quota = 0;
        arm->quota = lesser(arm->quota, arm->beside ? most - lesser(most, beside) : room - cases);
        beside += arm->beside ? arm->quota : 0;
        cases += arm->beside ? 0 : arm->quota;
        others += arm->quota;
    }
    /* Where no other has a share for good, no round ends. */
    bool     alone = others == 0 && now->until == EVER;
    uint64_t rest = size > others ? size - others : 1;
    arms[WRI_ARM_RANDOM].quota = alone ? EVER : first_runs(&arms[WRI_ARM_RANDOM], rest);
    arms[WRI_ARM_RANDOM].room = terms->left - cases;
}
