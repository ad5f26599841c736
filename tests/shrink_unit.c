/* tests/shrink_unit.c: the rooms plan/ and shrink/ by themselves: plans that are cut and
 * compared, and the shrinker on simulated properties, which look at a plan and run nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "plan/compare.h"
#include "plan/cut.h"
#include "shrink/shrink.h"
#include "unit.h"

static uint32_t add(wri_trace *trace, wri_node node)
{
    CHECK(wri_trace_reserve(trace, trace->node_count + 1, 0));
    trace->nodes[trace->node_count] = node;
    return (uint32_t)trace->node_count++;
}

static wri_trace empty_case(void)
{
    wri_trace trace = { 0 };
    add(&trace, (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE });
    return trace;
}

static wri_node number(uint32_t parent, uint32_t label, uint64_t answer)
{
    return (wri_node){ .what = WRI_CHOICE,
                       .kind = WRI_INDEX,
                       .label = label,
                       .parent = parent,
                       .tie = WRI_NO_NODE,
                       .number = answer,
                       .max = 1000 };
}

/* A length, and a loop of as many elements, each with one number. */
static wri_trace a_list(const uint64_t *values, uint64_t count)
{
    wri_trace trace = empty_case();
    wri_node  length = number(0, 1, count);
    length.kind = WRI_LENGTH;
    uint32_t tie = add(&trace, length);
    uint32_t loop = add(&trace, (wri_node){ .what = WRI_LOOP, .tie = tie, .count = count });
    for (uint64_t i = 0; i < count; i++) {
        uint32_t element = add(
            &trace,
            (wri_node){ .what = WRI_ELEMENT, .label = 2, .parent = loop, .tie = WRI_NO_NODE });
        add(&trace, number(element, 3, values[i]));
    }
    return trace;
}

/* The numbers of the elements; returns how many. */
static uint64_t read_list(const wri_trace *trace, uint64_t *values)
{
    uint64_t count = 0;
    for (size_t i = 0; i < trace->node_count; i++)
        if (trace->nodes[i].what == WRI_CHOICE && trace->nodes[i].label == 3)
            values[count++] = trace->nodes[i].number;
    return count;
}

TEST(an_element_goes_with_its_length)
{
    wri_trace trace = a_list((const uint64_t[]){ 5, 6, 7, 8 }, 4);
    uint64_t  left[8];
    CHECK(wri_cut_length_count(&trace, 1) == 4);
    wri_cut_elements(&trace, 1, 1, 2, false);
    CHECK(trace.nodes[1].number == 2 && trace.nodes[2].count == 2);
    CHECK(read_list(&trace, left) == 2 && left[0] == 5 && left[1] == 8);
    CHECK(wri_trace_valid(&trace));
    wri_trace_free(&trace);
}

TEST(a_marked_span_goes_with_everything_below_it)
{
    wri_trace trace = a_list((const uint64_t[]){ 5, 6 }, 2);
    uint64_t  left[8];
    wri_cut_mark(&trace, 3); /* the first element */
    wri_cut_marked(&trace);
    CHECK(read_list(&trace, left) == 1 && left[0] == 6);
    bool below[8];
    wri_cut_below(&trace, 2, below);
    CHECK(!below[1] && below[2] && below[4]);
    wri_trace_free(&trace);
}

TEST(a_descendant_takes_the_place_of_its_span)
{
    wri_trace trace = empty_case();
    wri_node  span = { .what = WRI_SPAN, .tie = WRI_NO_NODE };
    uint32_t  outer = add(&trace, span);
    add(&trace, number(outer, 3, 1));
    span.parent = outer;
    uint32_t inner = add(&trace, span);
    add(&trace, number(inner, 3, 2));
    wri_cut_hoist(&trace, outer, inner);
    CHECK(trace.node_count == 3 && trace.nodes[2].number == 2 && trace.nodes[2].parent == outer);
    wri_trace_free(&trace);
}

TEST(fewer_choices_are_simpler_and_then_the_earlier_decides)
{
    wri_trace a = a_list((const uint64_t[]){ 9, 9 }, 2),
              b = a_list((const uint64_t[]){ 1, 2, 3 }, 3);
    wri_trace c = a_list((const uint64_t[]){ 9, 8 }, 2);
    CHECK(wri_compare_traces(&a, &b) < 0 && wri_compare_traces(&b, &a) > 0);
    CHECK(wri_compare_traces(&c, &a) < 0 && wri_compare_traces(&a, &a) == 0);
    wri_trace_free(&a);
    wri_trace_free(&b);
    wri_trace_free(&c);
}

/* ---- The shrinker, on a property that is a function of the list ---- */

typedef struct subject {
    bool (*fails)(const uint64_t *values, uint64_t count);
    wri_trace asked;
    uint64_t  runs;
} subject;

/* What a worker would make of the plan: the list as far as the plan has it. */
static bool run(void *context, const wri_trace *plan, wri_trial *trial)
{
    subject *of = context;
    uint64_t values[64] = { 0 }, count = 0, wanted = 0;
    of->runs++;
    for (size_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i].what == WRI_CHOICE && plan->nodes[i].label == 1)
            wanted = plan->nodes[i].number;
    count = read_list(plan, values);
    count = wanted; /* elements that are missing are 0 */
    wri_trace_free(&of->asked);
    of->asked = a_list(values, count);
    trial->trace = &of->asked;
    trial->same = of->fails(values, count);
    return true;
}

static bool has_a_large_one(const uint64_t *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (values[i] >= 13)
            return true;
    return false;
}

static bool has_two_alike(const uint64_t *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t k = 0; k < i; k++)
            if (values[i] == values[k] && values[i] > 4)
                return true;
    return false;
}

static uint64_t shrink(bool (*fails)(const uint64_t *, uint64_t), const uint64_t *from,
                       uint64_t count, uint64_t *left, uint64_t most)
{
    subject          of = { .fails = fails };
    wri_shrink_setup setup = {
        .run = run, .context = &of, .max_executions = most, .time_ms = 60000
    };
    wri_trace         best = a_list(from, count);
    wri_shrink_result result = wri_shrink(&setup, &best);
    CHECK(result.executions == of.runs && of.runs <= most);
    CHECK(result.finished == (most > 100));
    uint64_t now = read_list(&best, left);
    wri_trace_free(&best);
    wri_trace_free(&of.asked);
    return now;
}

static const uint64_t FROM[] = { 700, 2, 31, 31, 5, 999, 0, 44 };

TEST(the_smallest_list_with_a_large_number_is_that_number)
{
    uint64_t left[64];
    CHECK(shrink(has_a_large_one, FROM, 8, left, 10000) == 1 && left[0] == 13);
}

TEST(two_numbers_that_must_be_alike_go_down_together)
{
    uint64_t left[64];
    CHECK(shrink(has_two_alike, FROM, 8, left, 10000) == 2 && left[0] == 5 && left[1] == 5);
}

TEST(a_budget_of_executions_is_kept)
{
    uint64_t left[64];
    uint64_t count = shrink(has_two_alike, FROM, 8, left, 5);
    CHECK(has_two_alike(left, count));
}

/* ---- Reals ---- */

typedef struct real_subject {
    bool (*fails)(const double *values);
    size_t    count;
    wri_trace asked;
} real_subject;

static wri_trace some_reals(const double *values, size_t count)
{
    wri_trace trace = empty_case();
    for (size_t i = 0; i < count; i++) {
        wri_node node = number(0, (uint32_t)i + 1, wri_choice_real_number(values[i]));
        node.kind = WRI_REAL;
        node.max = UINT64_MAX;
        add(&trace, node);
    }
    return trace;
}

static void read_reals(const wri_trace *trace, double *values)
{
    for (size_t i = 1; i < trace->node_count; i++)
        values[trace->nodes[i].label - 1] = wri_choice_real_value(trace->nodes[i].number);
}

static bool run_reals(void *context, const wri_trace *plan, wri_trial *trial)
{
    real_subject *of = context;
    double        values[4] = { 0 };
    read_reals(plan, values);
    wri_trace_free(&of->asked);
    of->asked = some_reals(values, of->count);
    trial->trace = &of->asked;
    trial->same = of->fails(values);
    return true;
}

static void shrink_reals(bool (*fails)(const double *), double *values, size_t count)
{
    real_subject     of = { .fails = fails, .count = count };
    wri_shrink_setup setup = {
        .run = run_reals, .context = &of, .max_executions = 2000, .time_ms = 60000
    };
    wri_trace best = some_reals(values, count);
    CHECK(fails(values) && wri_shrink(&setup, &best).finished);
    read_reals(&best, values);
    CHECK(fails(values));
    wri_trace_free(&best);
    wri_trace_free(&of.asked);
}

static bool is_not_associative(const double *x)
{
    volatile double left = x[0] + x[1], right = x[1] + x[2];
    return left + x[2] != x[0] + right && isfinite(left + x[2]) && isfinite(x[0] + right);
}

static bool needs_seventeen_digits(const double *x)
{
    char text[40];
    snprintf(text, sizeof text, "%.16g", x[0]);
    return strtod(text, NULL) != x[0];
}

static bool is_beyond(const double *x)
{
    return x[0] > 1e300;
}

TEST(reals_that_fail_by_their_digits_get_a_readable_size)
{
    double three[] = { -4.131599804939054e+121, 3.721414268393521e+137, 1.1908525658859223e+139 };
    double one[] = { 4.4757263950533464e+307 }, tiny[] = { -1.2569176510071093e-119 };
    shrink_reals(is_not_associative, three, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK(fabs(three[i]) <= 0x1p53);
    shrink_reals(needs_seventeen_digits, one, 1);
    CHECK(one[0] == 1.0000152587890625); /* 1 + 2^-16 */
    shrink_reals(needs_seventeen_digits, tiny, 1);
    CHECK(tiny[0] == 1.0000152587890625);
}

TEST(a_real_that_must_be_large_stays_large)
{
    double one[] = { 4.4757263950533464e+307 };
    shrink_reals(is_beyond, one, 1);
    CHECK(one[0] < 1.0000001e300);
}

/* ---- Deep spans ---- */

typedef struct deep_subject {
    wri_trace asked;
    uint64_t  depth, tries, asks, last; /* .ends says so at ask `last` */
} deep_subject;

static wri_trace a_number_deep_down(uint64_t depth, uint64_t answer)
{
    wri_trace trace = empty_case();
    uint32_t  parent = 0;
    for (uint64_t i = 0; i < depth; i++)
        parent =
            add(&trace,
                (wri_node){ .what = WRI_SPAN, .label = 1, .parent = parent, .tie = WRI_NO_NODE });
    add(&trace, number(parent, 2, answer));
    return trace;
}

/* Opens all its spans whatever the plan says, and draws in the last: fails from 20 on. */
static bool run_deep(void *context, const wri_trace *plan, wri_trial *trial)
{
    deep_subject *of = context;
    wri_node      last = plan->nodes[plan->node_count - 1];
    bool          fits = plan->node_count == of->depth + 2 && last.what == WRI_CHOICE;
    uint64_t      answer = fits ? last.number : 0;
    wri_trace_free(&of->asked);
    of->asked = a_number_deep_down(of->depth, answer);
    trial->trace = &of->asked;
    trial->same = answer >= 20;
    return true;
}

static bool count_try(void *context, const wri_trace *plan)
{
    (void)plan;
    ((deep_subject *)context)->tries++;
    return false;
}

static bool ends(void *context)
{
    deep_subject *of = context;
    return ++of->asks >= of->last;
}

static wri_shrink_result shrink_deep(deep_subject *of, uint64_t *answer)
{
    wri_shrink_setup  setup = { .run = run_deep,
                                .ends = ends,
                                .veto = count_try,
                                .context = of,
                                .max_executions = 10000,
                                .time_ms = 60000 };
    wri_trace         best = a_number_deep_down(of->depth, 77);
    wri_shrink_result result = wri_shrink(&setup, &best);
    *answer = best.nodes[best.node_count - 1].number;
    wri_trace_free(&best);
    wri_trace_free(&of->asked);
    return result;
}

TEST(spans_around_spans_are_not_tried_one_by_one)
{
    deep_subject      of = { .depth = 1000, .last = UINT64_MAX };
    uint64_t          answer;
    wri_shrink_result result = shrink_deep(&of, &answer);
    CHECK(result.finished && answer == 20);
    CHECK(of.tries < 200);
}

TEST(a_run_that_is_to_end_ends_shrinking_where_nothing_runs)
{
    deep_subject      of = { .depth = 1000, .last = 3 };
    uint64_t          answer;
    wri_shrink_result result = shrink_deep(&of, &answer);
    CHECK(!result.finished && of.asks < 6);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
