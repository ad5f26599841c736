/* chase/pace.c: how random sequences are made, from case to case.
 *
 * They get longer while nothing is found. They avoid known bugs, but for a few cases, and
 * sequences that were run. From time to time they stop, so that guards can be learnt. All of this
 * depends on the number of the case and on all cases before it, never on the number of workers.
 */
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"

/* Sequences begin with so many calls, or such a part of the most there can be, and have twice as
 * many after so many cases without a new bug. */
#define FIRST_CALLS 60
#define FIRST_PART 16
#define IDLE_CASES 128
/* After so many cases without a new bug the guards of one are learnt. */
#define QUIET_CASES 2
/* One case in so many does what rules forbid; more do after some cases without a new bug. */
#define BOLD 32
#define BOLD_IDLE 16
/* After fewer cases it is too early to say that most of them fail. */
#define FEW_CASES 64

/* ---- When guards are learnt ---- */

wri_known_bug *wri_chase_unguarded(const wri_chase_rules *rules)
{
    wri_known_bug *best = NULL;
    for (size_t i = 0; i < rules->count; i++) {
        wri_known_bug *known = &rules->known[i];
        if (known->example.count > 0 &&
            (best == NULL || known->example.count < best->example.count))
            best = known;
    }
    return best;
}

static bool rests(void *context, uint64_t index)
{
    const wri_chase *chase = context;
    return index >= chase->pace.guards_from + QUIET_CASES &&
           wri_chase_unguarded(&chase->rules) != NULL;
}

void wri_chase_rest(wri_chase *chase, uint64_t index)
{
    if (rests(chase, index))
        wri_chase_learn_guards(chase, index);
}

/* ---- How cases are played ---- */

static uint64_t most_calls(const wri_machine *machine)
{
    return machine->table->calls == 0 ? WRI_CALLS_LONG : machine->table->calls;
}

static uint64_t growing_calls(const wri_chase *chase, uint64_t index)
{
    uint64_t most = most_calls(chase->machine), part = most / FIRST_PART;
    uint64_t calls = part > FIRST_CALLS ? part : FIRST_CALLS, from = chase->pace.lengths_from;
    uint64_t idle = index > from && WRI_CHASE_USES(chase, grow) ? (index - from) / IDLE_CASES : 0;
    while (idle-- > 0 && calls < most)
        calls *= 2;
    return calls < most ? calls : most;
}

/* A rule may forbid more than fails, and hide what is behind that. So some cases do what it
 * forbids: if it fails as it has before, that is known, and costs little. Unless it took long;
 * and what was known before this quest must not be met. */
static bool may_be_bold(const wri_chase_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (!rules->known[i].waits &&
            (wri_chase_is_old(rules->known[i].bug) || rules->known[i].hit_limit))
            return false;
    return true;
}

wri_play_terms wri_chase_terms(const wri_chase *chase, uint64_t index)
{
    const wri_settings *settings = chase->quest->settings;
    bool                bold = WRI_CHASE_USES(chase, bold) && may_be_bold(&chase->rules);
    bool                idle = chase->joins && index >= chase->pace.lengths_from + IDLE_CASES;
    wri_play_terms      terms = { .law = settings->mean_calls != 0 ? WRI_CALLS_GEOMETRIC
                                                                   : WRI_CALLS_FIXED,
                                  .bold = !bold  ? 0
                                          : idle ? BOLD_IDLE
                                                 : BOLD,
                                  .short_search = chase->pace.mostly_known,
                                  .known = chase->rules.avoided,
                                  .without = settings->without };
    terms.calls = (uint32_t)(settings->mean_calls != 0 ? settings->mean_calls
                             : settings->calls != 0    ? settings->calls
                                                       : growing_calls(chase, index));
    if (!settings->no_results)
        terms.ran = wri_runner_ran(chase->quest->runner);
    return terms;
}

/* A bug may have more ways to fail than rules can say. Then it is met whatever is known of it,
 * and the time to look for that is lost. */
static void weigh(wri_chase *chase, uint64_t index)
{
    wri_chase_pace *pace = &chase->pace;
    if (index < pace->counted_from + FEW_CASES)
        return;
    pace->mostly_known = WRI_CHASE_USES(chase, hasty) && chase->setup.varying &&
                         pace->known_failures > (index - pace->counted_from) / 2;
    pace->counted_from = index;
    pace->known_failures = 0;
}

/* How many cases from this one on are played alike. */
static uint64_t stretch(void *context, uint64_t index)
{
    const wri_chase      *chase = context;
    const wri_chase_pace *pace = &chase->pace;
    uint64_t              idle = index > pace->lengths_from ? index - pace->lengths_from : 0;
    uint64_t alike = IDLE_CASES - idle % IDLE_CASES, quiet = pace->guards_from + QUIET_CASES;
    bool     waits = wri_chase_unguarded(&chase->rules) != NULL && index < quiet;
    return waits && quiet - index < alike ? quiet - index : alike;
}

static void begin_round(void *context, uint64_t next)
{
    wri_chase_settle_ran(context, UINT64_MAX);
    weigh(context, next);
    wri_chase_rest(context, next);
}

wri_pace wri_chase_pace_of(wri_chase *chase)
{
    return (wri_pace){ rests, begin_round, stretch, chase };
}

/* ---- What was run ---- */

void wri_chase_ran(wri_chase *chase, unsigned slot, uint64_t from)
{
    wri_chase_pace *pace = &chase->pace;
    const uint64_t *hashes;
    size_t          count = wri_runner_list_ran(chase->quest->runner, slot, &hashes);
    wri_ran_part   *grown = realloc(pace->ran, (pace->ran_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    pace->ran = grown;
    wri_ran_part *part = &grown[pace->ran_count];
    *part = (wri_ran_part){ .from = from,
                            .hashes = malloc(count * sizeof *hashes + 1),
                            .count = count };
    if (part->hashes == NULL)
        return;
    memcpy(part->hashes, hashes, count * sizeof *hashes);
    pace->ran_count++;
}

static int by_beginning(const void *a, const void *b)
{
    const wri_ran_part *one = a, *two = b;
    return (one->from > two->from) - (one->from < two->from);
}

/* In their order, not in that in which they came back: there may be no room for all. */
void wri_chase_settle_ran(wri_chase *chase, uint64_t settled)
{
    wri_chase_pace *pace = &chase->pace;
    wri_ran        *all = wri_runner_ran(chase->quest->runner);
    if (pace->ran_count > 1)
        qsort(pace->ran, pace->ran_count, sizeof *pace->ran, by_beginning);
    for (size_t i = 0; i < pace->ran_count; i++) {
        const wri_ran_part *part = &pace->ran[i];
        for (size_t k = 0; k < part->count && part->from < settled; k++)
            wri_ran_add(all, part->hashes[k]);
        free(part->hashes);
    }
    pace->ran_count = 0;
}
