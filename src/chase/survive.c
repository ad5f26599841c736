/* chase/survive.c: what lies behind a known bug?
 *
 *     a() b() c() d()          d() fails, and that is known
 *     a() b() c() e() f()      so the case goes on without it
 *
 * A rule that is too wide keeps other bugs from being met. Some cases heed no rule (pace.c). One
 * that fails in a known way is run again without its last call, and goes on with other calls, as
 * if the bug was mended. What fails then is known, or is looked into.
 */
#include "chase/internal.h"
#include "machine/calls/log.h"

/* A case goes on so often, */
#define LIVES 24
/* or so often after what costs a process. */
#define LIVES_CRASHED 4

/* Runs the calls, and as many at random after them. */
static bool go_on(wri_chase *chase, const wri_sequence *calls, uint64_t index, uint32_t tail,
                  wri_outcome *outcome)
{
    wri_quest *quest = chase->quest;
    wri_job    job = wri_quest_job(quest);
    if (!wri_book_plan(chase->book, calls, tail, &chase->inquiry.plan))
        return false;
    job.manner = WRI_MANNER_ALIGNED;
    job.play = wri_chase_terms(chase, 0);
    job.play.tail = tail;
    job.silent = true;
    job.from = index;
    wri_quest_single(quest, &job, &chase->inquiry.plan, quest->fork_each, outcome);
    return true;
}

bool wri_chase_survives(const wri_chase *chase, uint64_t index)
{
    unsigned bold = wri_chase_terms(chase, index).bold;
    return chase->joins && WRI_CHASE_USES(chase, survive) && bold != 0 &&
           index % bold == bold - 1;
}

void wri_chase_survive(wri_chase *chase, uint64_t index, const wri_outcome *first,
                       const wri_trace *trace)
{
    wri_sequence calls = { 0 };
    wri_outcome  outcome = *first;
    uint64_t     length = wri_chase_terms(chase, index).calls, seed = index;
    unsigned     lives = LIVES;
    if (!wri_sequence_read(chase->machine, trace, &calls))
        calls.count = 0;
    while (calls.count > 0 && lives-- > 0 && !wri_interrupt_came()) {
        if (outcome.verdict.kind != WRI_ASSERTION && lives >= LIVES_CRASHED)
            lives = LIVES_CRASHED;
        calls.count--;
        seed = wri_prng_mix(seed + WRI_GAMMA);
        uint32_t tail = length > calls.count ? (uint32_t)(length - calls.count) : 1;
        if (!go_on(chase, &calls, seed, tail, &outcome) ||
            !wri_verdict_failed(&outcome.verdict) ||
            !wri_sequence_read(chase->machine, &outcome.trace, &calls))
            break;
        wri_chase_look_on(chase, &outcome);
    }
    wri_sequence_free(&calls);
}
