/* explore/guide/mutant.c: the answerer of a changed case.
 *
 * The plan's answers are foretold up to the next change (wri_answerer), so that most draws take
 * them without a call.
 */
#include "explore/guide/mutant.h"

#include "explore/answer.h"

/* From here on answers are looked up. */
static void fall_out_of_order(wri_mutant *mutant)
{
    if (!wri_align_resume(&mutant->align, mutant->plan, mutant->base.next, mutant->limit))
        wri_case_no_memory();
    mutant->aligned = true;
    mutant->base.foretold = 0;
}

/* The answers up to the next change, or the end, are foretold. */
static void foretell(wri_mutant *mutant)
{
    size_t end = mutant->limit;
    for (unsigned i = 0; i < mutant->change_count; i++) {
        uint32_t node = mutant->changes[i].node;
        if (node >= mutant->base.next && node < end)
            end = node;
    }
    mutant->base.foretold = end;
}

/* The plan's counterpart of what is asked for now, or WRI_NO_NODE. */
static uint32_t counterpart(wri_mutant *mutant, uint32_t label, wri_node_what what)
{
    size_t          next = mutant->base.next;
    const wri_node *node = &mutant->base.plan[next];
    if (!mutant->aligned && next >= mutant->limit)
        return WRI_NO_NODE;
    if (!mutant->aligned && node->what == what && node->label == label &&
        node->parent == mutant->align.open[mutant->align.depth - 1]) {
        mutant->base.next++;
        if (next >= mutant->base.foretold)
            foretell(mutant);
        return (uint32_t)next;
    }
    if (!mutant->aligned)
        fall_out_of_order(mutant);
    return wri_align_find(&mutant->align, label, what);
}

/* The next of the plan without names, if it could be meant; else there is none any more. */
static uint32_t next_in_order(wri_mutant *mutant, const wri_request *request, wri_node_what what)
{
    size_t *next = &mutant->base.next;
    while (*next < mutant->limit && mutant->base.plan[*next].what < WRI_CHOICE)
        ++*next;
    if (*next >= mutant->limit)
        return WRI_NO_NODE;
    const wri_node *node = &mutant->base.plan[*next];
    if (node->what == what && node->kind == request->kind && node->max == request->max)
        return (uint32_t)(*next)++;
    mutant->limit = 0;
    return WRI_NO_NODE;
}

/* The answer of a choice of the plan, changed or not. */
static inline uint64_t planned(const wri_mutant *mutant, uint32_t node, uint64_t number)
{
    for (unsigned i = 0; i < mutant->change_count; i++)
        if (mutant->changes[i].node == node)
            return mutant->changes[i].number;
    return number;
}

static uint64_t mutant_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                              uint32_t label)
{
    wri_mutant *mutant = (wri_mutant *)self;
    uint32_t    at = mutant->blind ? next_in_order(mutant, request, WRI_CHOICE)
                                   : counterpart(mutant, label, WRI_CHOICE);
    if (at == WRI_NO_NODE) {
        wri_answerer *random = wri_answer_randomly();
        return random->choose(random, t, request, label);
    }
    uint64_t number = planned(mutant, at, mutant->base.plan[at].number);
    if (wri_kind_may_be_none(request->kind) && !wri_request_legal(request, number))
        return WRI_NO_ANSWER;
    return wri_request_next_legal(request, number > request->max ? request->max : number);
}

static void mutant_array(wri_answerer *self, wr_case *t, const wri_request *request,
                         uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    wri_mutant     *mutant = (wri_mutant *)self;
    uint32_t        at = mutant->blind ? next_in_order(mutant, request, WRI_ARRAY)
                                       : counterpart(mutant, label, WRI_ARRAY);
    const wri_node *node = at == WRI_NO_NODE ? NULL : &mutant->base.plan[at];
    size_t          known = node == NULL ? 0 : node->count < count ? node->count : count;
    if (known < count) {
        wri_answerer *random = wri_answer_randomly();
        random->choose_many(random, t, request, label, count, width, numbers);
    }
    for (size_t i = 0; i < known; i++) {
        uint64_t number = mutant->plan->numbers[node->number + i];
        numbers[i] = number > request->max ? request->max : number;
    }
    for (unsigned i = 0; i < mutant->change_count && node != NULL; i++) {
        const wri_change *change = &mutant->changes[i];
        if (change->node == at && change->element < known)
            numbers[change->element] =
                change->number > request->max ? request->max : change->number;
    }
}

static uint32_t mutant_enter(wri_answerer *self, wr_case *t, uint32_t label, wri_node_what what)
{
    (void)t;
    wri_mutant *mutant = (wri_mutant *)self;
    uint32_t    found = mutant->blind ? WRI_NO_NODE : counterpart(mutant, label, what);
    wri_align_push(&mutant->align, found);
    return found;
}

static void mutant_resume(wri_answerer *self, wr_case *t, uint32_t found)
{
    (void)t;
    wri_align_push(&((wri_mutant *)self)->align, found);
}

static void mutant_leave(wri_answerer *self, wr_case *t)
{
    (void)t;
    wri_align_leave(&((wri_mutant *)self)->align);
}

wri_answerer *wri_mutant_start(wri_mutant *mutant, const wri_trace *plan, size_t limit)
{
    mutant->plan = plan;
    mutant->limit = limit < plan->node_count ? limit : plan->node_count;
    mutant->base = (wri_answerer){ .choose = mutant_choice,
                                   .choose_many = mutant_array,
                                   .enter = mutant_enter,
                                   .resume = mutant_resume,
                                   .leave = mutant_leave,
                                   .plan = plan->nodes,
                                   .next = 1, /* the root is the case itself */
                                   .foretold = mutant->limit,
                                   .other = SIZE_MAX,
                                   .searches = true };
    mutant->change_count = 0;
    mutant->aligned = mutant->blind = false;
    if (!wri_align_open(&mutant->align))
        wri_case_no_memory();
    return &mutant->base;
}

wri_answerer *wri_mutant_start_blind(wri_mutant *mutant, const wri_trace *plan)
{
    wri_mutant_start(mutant, plan, plan->node_count);
    mutant->base.next = mutant->base.foretold = 0;
    mutant->blind = true;
    return &mutant->base;
}

bool wri_mutant_change(wri_mutant *mutant, uint32_t node, uint32_t element, uint64_t number)
{
    if (mutant->change_count == WRI_CHANGES)
        return false;
    if (mutant->change_count == 0) {
        mutant->base.other = node;
        mutant->base.other_number = number;
    } else if (node < mutant->base.foretold) {
        mutant->base.foretold = node;
    }
    mutant->changes[mutant->change_count++] = (wri_change){ node, element, number };
    return true;
}

void wri_mutant_free(wri_mutant *mutant)
{
    wri_align_free(&mutant->align);
}
