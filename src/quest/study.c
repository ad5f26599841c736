/* quest/study.c: makes and runs the cases by which a reason is learnt. */
#include "quest/study.h"

#include <string.h>

#include "core/hash.h"

/* Executions for the reason of one bug. */
#define MOST_EXECUTIONS 4000

/* ---- Spots ---- */

static bool is_length(const wri_trace *trace, uint32_t node)
{
    for (uint32_t i = node + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == node)
            return true;
    return false;
}

static bool add_spot(wri_study *study, uint32_t node, uint64_t element)
{
    const wri_trace *trace = &study->bug->trace;
    const wri_node  *at = &trace->nodes[node];
    if (study->spot_count == WRI_STUDY_SPOTS)
        return false;
    wri_spot *spot = &study->spots[study->spot_count++];
    *spot = (wri_spot){ .node = node,
                        .element = element,
                        .length = at->what == WRI_CHOICE && is_length(trace, node),
                        .value = wri_reason_value(at, wri_trace_number(trace, node, element)),
                        .least = wri_reason_least(at),
                        .most = wri_reason_most(at) };
    spot->lo = spot->hi = spot->value;
    return true;
}

static bool add_list(wri_study *study, uint32_t node)
{
    const wri_node *at = &study->bug->trace.nodes[node];
    if (study->list_count == WRI_REASON_LISTS)
        return false;
    study->lists[study->list_count++] = (wri_study_list){ .array = node, .length = at->tie };
    return true;
}

/* Numbers are small now and then, and at the ends of their range. */
int64_t wri_study_random(wri_study *study, int64_t lo, int64_t hi)
{
    uint64_t word = wri_prng_next(&study->random), range = (uint64_t)hi - (uint64_t)lo;
    uint64_t sort = word & 7;
    word = wri_prng_next(&study->random);
    if (sort == 0)
        return word & 1 ? lo : hi;
    if (sort <= 2 && range > 16)
        range = range >> wri_prng_scale(wri_prng_next(&study->random),
                                        63 - (uint64_t)__builtin_clzll(range));
    return (int64_t)((uint64_t)lo + wri_prng_scale(word, range));
}

/* A longer array is looked at as a whole first. */
#define FEW_ELEMENTS 3

static void stir_array(wri_study *study, uint32_t array)
{
    wri_node *node = &study->plan.nodes[array];
    for (uint64_t i = 0; i < node->count; i++)
        study->plan.numbers[node->number + i] = wri_reason_number(
            node, wri_study_random(study, wri_reason_least(node), wri_reason_most(node)));
}

/* Does it fail whatever the elements are? */
static bool is_idle(wri_study *study, uint32_t array)
{
    for (int i = 0; i < 6; i++) {
        wri_study_plan(study);
        stir_array(study, array);
        wri_answered answer = wri_study_run(study);
        if (answer != WRI_ANSWERED_FAILS && answer != WRI_ANSWERED_KNOWN)
            return false;
    }
    return true;
}

bool wri_study_begin(wri_study *study, wri_quest *quest, const wri_bug *bug, double until)
{
    const wri_trace *trace = &bug->trace;
    memset(study, 0, sizeof *study);
    study->quest = quest;
    study->bug = bug;
    study->until = until;
    study->random = bug->key;
    if (!wri_reason_addresses(trace, study->addresses))
        return false;
    for (uint32_t i = 1; i < trace->node_count; i++) {
        const wri_node *at = &trace->nodes[i];
        if (at->what == WRI_CHOICE && at->max > 0 && !add_spot(study, i, 0))
            return false;
        if (at->what != WRI_ARRAY)
            continue;
        if (!add_list(study, i))
            return false;
        if (at->count > FEW_ELEMENTS && is_idle(study, i)) {
            study->lists[study->list_count - 1].idle = true;
            continue;
        }
        for (uint64_t k = 0; k < at->count; k++)
            if (!add_spot(study, i, k))
                return false;
    }
    return study->spot_count > 0;
}

void wri_study_end(wri_study *study)
{
    wri_trace_free(&study->plan);
}

/* ---- Plans ---- */

void wri_study_plan(wri_study *study)
{
    study->over |= !wri_trace_copy(&study->plan, &study->bug->trace);
    for (size_t i = 0; i < study->list_count; i++)
        study->lists[i].later = 0;
}

/* Where the spot's element stands in the plan. */
static uint64_t element_of(const wri_study *study, const wri_spot *spot)
{
    for (size_t i = 0; i < study->list_count; i++)
        if (study->lists[i].array == spot->node)
            return spot->element + (uint64_t)study->lists[i].later;
    return spot->element;
}

static bool grows_in_front(const wri_study *study, uint32_t length)
{
    for (size_t i = 0; i < study->list_count; i++)
        if (study->lists[i].length == length && study->lists[i].front && !study->lists[i].back)
            return true;
    return false;
}

void wri_study_set(wri_study *study, const wri_spot *spot, int64_t value)
{
    wri_node *node = &study->plan.nodes[spot->node];
    uint64_t  number = wri_reason_number(node, value);
    if (node->what == WRI_ARRAY && element_of(study, spot) < node->count)
        study->plan.numbers[node->number + element_of(study, spot)] = number;
    else if (spot->length)
        wri_study_resize(study, spot->node, (uint64_t)value, grows_in_front(study, spot->node));
    else if (node->what == WRI_CHOICE)
        node->number = number;
}

int64_t wri_study_any(wri_study *study, const wri_spot *spot)
{
    const wri_node *node = &study->bug->trace.nodes[spot->node];
    if (node->kind == WRI_REAL) /* by numbers, which are whole more often */
        return wri_reason_value(node, (uint64_t)wri_study_random(study, 0, INT64_MAX) >>
                                          wri_study_random(study, 0, 60));
    return wri_study_random(study, spot->least, spot->most);
}

static bool resize_array(wri_study *study, wri_node *node, uint64_t count, bool front)
{
    wri_trace *plan = &study->plan;
    size_t     start = plan->number_count;
    if (!wri_trace_reserve(plan, plan->node_count, start + count))
        return false;
    const uint64_t *old = plan->numbers + node->number;
    uint64_t        kept = count < node->count ? count : node->count, made = count - kept;
    uint64_t       *to = plan->numbers + start;
    wri_spot        like = { .least = wri_reason_least(node), .most = wri_reason_most(node) };
    memcpy(front ? to + made : to, front ? old + node->count - kept : old, kept * sizeof *to);
    for (uint64_t i = 0; i < made; i++)
        to[front ? i : kept + i] =
            wri_reason_number(node, wri_study_random(study, like.least, like.most));
    plan->number_count += count;
    node->number = start;
    node->count = count;
    return true;
}

/* Arrays that are longer than so many elements say little more. */
#define LONGEST 4096

void wri_study_resize(wri_study *study, uint32_t length, uint64_t count, bool front)
{
    wri_trace *plan = &study->plan;
    wri_node  *node = &plan->nodes[length];
    uint64_t   least = (uint64_t)wri_reason_least(node), most = (uint64_t)wri_reason_most(node);
    count = count > most ? most : count > LONGEST ? LONGEST : count < least ? least : count;
    node->number = wri_reason_number(node, (int64_t)count);
    for (size_t i = 0; i < study->list_count && front; i++)
        if (study->lists[i].length == length)
            study->lists[i].later +=
                (int64_t)count - (int64_t)plan->nodes[study->lists[i].array].count;
    for (uint32_t i = length + 1; i < plan->node_count; i++)
        if (plan->nodes[i].tie == length && plan->nodes[i].what == WRI_ARRAY)
            study->over |= !resize_array(study, &plan->nodes[i], count, front);
}

/* ---- Running ---- */

wri_answered wri_study_run(wri_study *study)
{
    wri_quest  *quest = study->quest;
    wri_trial   trial;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    study->over |= study->executions >= MOST_EXECUTIONS || wri_clock_seconds() > study->until ||
                   wri_interrupt_came();
    if (study->over)
        return WRI_ANSWERED_VOID;
    study->executions++;
    wri_quest_try(quest, &job, &study->plan, &outcome, &trial);
    wri_quest_progress(quest);
    if (outcome.verdict.kind == WRI_PASS)
        return WRI_ANSWERED_HOLDS;
    if (!wri_verdict_failed(&outcome.verdict))
        return WRI_ANSWERED_VOID;
    if (outcome.origin != study->bug->origin)
        return WRI_ANSWERED_KNOWN;
    return wri_quest_explained(quest, outcome.origin, &outcome.trace) == NULL
               ? WRI_ANSWERED_FAILS
               : WRI_ANSWERED_KNOWN;
}

void wri_study_stir_idle(wri_study *study)
{
    for (size_t i = 0; i < study->list_count; i++)
        if (study->lists[i].idle)
            stir_array(study, study->lists[i].array);
}

/* Lengths stay: the plan may be about them. */
static bool stir(wri_study *study)
{
    bool any = false;
    for (size_t i = 0; i < study->spot_count; i++) {
        const wri_spot *spot = &study->spots[i];
        if (!spot->free || spot->length)
            continue;
        wri_study_set(study, spot, wri_study_any(study, spot));
        any = true;
    }
    for (size_t i = 0; i < study->list_count; i++)
        any |= study->lists[i].idle;
    wri_study_stir_idle(study);
    return any;
}

/* A free number may have a rare value with which it holds after all: two of three decide. */
wri_answered wri_study_ask(wri_study *study)
{
    wri_answered answer = wri_study_run(study);
    unsigned     holds = 0, fails = 0;
    if (answer != WRI_ANSWERED_FAILS && answer != WRI_ANSWERED_KNOWN)
        return answer;
    for (int i = 0; i < 4 && holds < 2 && fails < 1 + holds && stir(study); i++) {
        wri_answered other = wri_study_run(study);
        holds += other == WRI_ANSWERED_HOLDS;
        fails += other == WRI_ANSWERED_FAILS;
    }
    return holds + fails == 0 ? answer : holds > fails ? WRI_ANSWERED_HOLDS : WRI_ANSWERED_FAILS;
}
