/* explore/guide/calls.c: changes of a machine's sequence, call by call.
 *
 * The calls up to the one that showed the feature are kept, with one change: a call left out, put
 * in, replaced, or with another argument; calls repeated or swapped; or the calls of another
 * entry behind them. Fresh calls follow, until the sequence is as long as a random one. So a
 * change that leads to nothing costs no more than a random case.
 *
 * Numbers are not changed one by one as in mutate.c: another number in the place of a handle or
 * of a command names something else, or nothing.
 */
#include "core/prng.h"
#include "explore/guide/mutate.h"
#include "machine/calls/log.h"
#include "plan/cut.h"

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

/* The calls of an entry up to a feature. */
typedef struct calls {
    uint32_t length, loop; /* nodes */
    uint32_t count;        /* of the calls that are kept */
    uint32_t end;          /* the first node behind them */
} calls;

/* False: the case ended before its calls began. */
static bool find_calls(const wri_trace *trace, uint32_t cut, calls *found)
{
    *found = (calls){ .end = (uint32_t)trace->node_count };
    if (!wri_log_find_calls(trace, &found->length, &found->loop))
        return false;
    for (uint32_t i = found->loop + 1; i < trace->node_count; i++) {
        if (trace->nodes[i].parent != found->loop)
            continue;
        if (i >= cut) {
            found->end = i;
            break;
        }
        found->count++;
    }
    return true;
}

/* Starts with a plan of so many calls, which fresh ones follow. The length of the calls comes
 * right before them, in a plan as in a log. */
static void start(wri_mutation *mutation, const wri_trace *plan, size_t limit, uint32_t length,
                  uint64_t count)
{
    const wri_node *node = &plan->nodes[length];
    uint64_t        more = mutation->calls > count ? mutation->calls : count;
    if (mutation->calls == 0) /* as long as it happens to be */
        more += below(mutation->random, 1 + wri_rearrange_longest(node) / 4);
    wri_mutant_start(mutation->mutant, plan, limit);
    wri_mutant_change(mutation->mutant, length, 0, wri_rearrange_answer(node, more));
}

/* ---- Changes ---- */

/* Only fresh calls behind the feature. */
static bool go_on(wri_mutation *mutation, const calls *kept, wri_arrangement how)
{
    (void)how;
    start(mutation, &mutation->view.trace, kept->end, kept->length, kept->count);
    return true;
}

static uint32_t loop_of(const wri_trace *plan)
{
    uint32_t at = 0;
    while (at < plan->node_count &&
           (plan->nodes[at].what != WRI_LOOP || plan->nodes[at].label != WRI_CALL_LABEL))
        at++;
    return at;
}

/* Calls are taken from another entry, up to the feature that it was picked for. */
static wri_trace another(wri_mutation *mutation)
{
    uint32_t           number = wri_pool_pick(mutation->pool, mutation->random);
    const wri_feature *feature = &mutation->pool->features[number];
    wri_entry_view     view = wri_pool_view(mutation->pool, feature->owner);
    calls              of;
    if (find_calls(&view.trace, feature->cut, &of))
        view.trace.node_count = of.end;
    return view.trace;
}

static bool arrange(wri_mutation *mutation, const calls *kept, wri_arrangement how)
{
    wri_trace *plan = mutation->edited, other = another(mutation);
    if (!wri_rearrange_first(plan, &mutation->view.trace, kept->length, kept->count, how, &other,
                             mutation->random))
        return false;
    uint32_t loop = loop_of(plan);
    if (loop == plan->node_count || loop == 0)
        return false;
    start(mutation, plan, plan->node_count, loop - 1, plan->nodes[loop].count);
    return true;
}

/* One argument of one call is drawn anew. */
static bool another_argument(wri_mutation *mutation, const calls *kept, wri_arrangement how)
{
    wri_trace *plan = mutation->edited;
    uint32_t   found = 0, seen = 0;
    (void)how;
    if (!wri_trace_copy(plan, &mutation->view.trace))
        return false;
    plan->node_count = kept->end;
    for (uint32_t i = kept->loop + 1; i < kept->end; i++) {
        const wri_node *node = &plan->nodes[i];
        bool            argument = node->parent != WRI_NO_NODE && node->parent > kept->loop &&
                        plan->nodes[node->parent].parent == kept->loop &&
                        plan->nodes[node->parent].what == WRI_ELEMENT &&
                        !(node->what == WRI_CHOICE && node->kind == WRI_COMMAND);
        if (argument && below(mutation->random, ++seen) == 0)
            found = i;
    }
    if (found == 0)
        return false;
    wri_cut_mark(plan, found);
    wri_cut_marked(plan);
    start(mutation, plan, plan->node_count, kept->length, kept->count);
    return true;
}

static const struct {
    const char *name;
    unsigned    weight;
    bool (*make)(wri_mutation *mutation, const calls *kept, wri_arrangement how);
    wri_arrangement how;
} CHANGES[] = {
    { "fresh calls", 8, go_on, 0 },
    { "call put in", 1, arrange, WRI_INSERT },
    { "calls left out", 1, arrange, WRI_DROP },
    { "another call", 1, arrange, WRI_REPLACE },
    { "another argument", 1, another_argument, 0 },
    { "calls repeated", 2, arrange, WRI_DOUBLE },
    { "calls swapped", 1, arrange, WRI_SWAP },
    { "spliced", 1, arrange, WRI_SPLICE },
    { "joined", 2, arrange, WRI_JOIN },
};
enum { CHANGE_COUNT = sizeof CHANGES / sizeof *CHANGES };

static unsigned pick_change(uint64_t *random)
{
    unsigned sum = 0, i = 0;
    for (; i < CHANGE_COUNT; i++)
        sum += CHANGES[i].weight;
    unsigned left = (unsigned)below(random, sum);
    for (i = 0; left >= CHANGES[i].weight; i++)
        left -= CHANGES[i].weight;
    return i;
}

wri_answerer *wri_mutate_calls(wri_mutation *mutation)
{
    calls kept;
    wri_pool_view_into(&mutation->view, mutation->pool, mutation->entry);
    mutation->in_place = false;
    if (!find_calls(&mutation->view.trace, mutation->cut, &kept))
        return wri_mutate(mutation);
    unsigned i = kept.count == 0 ? 0 : pick_change(mutation->random);
    if (!CHANGES[i].make(mutation, &kept, CHANGES[i].how))
        CHANGES[i = 0].make(mutation, &kept, 0);
    mutation->name = CHANGES[i].name;
    return &mutation->mutant->base;
}
