/* tests/guide_unit.c: the parts of the guided explorer, without a worker or a hunt.
 *
 * Mutants and edited plans are run against a case built by hand over plain memory; the pool and
 * substitution are driven directly. Seeds are fixed: nothing here fails by chance.
 */
#include <math.h>

#include "plan/rearrange.h"
#include "explore/answer.h"
#include "explore/constant.h"
#include "explore/guide/guide.h"
#include "explore/guide/substitute.h"
#include "plan/splice.h"
#include "lone_case.h"
#include "unit.h"

/* Runs a body to its end; what it asked and was answered is in the_trace. */
static void run_to_end(void (*body)(wr_case *t), uint64_t seed, wri_answerer *answerer)
{
    CHECK(run_as(TRACED, body, seed, answerer) == WRI_PASS);
}

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

/* Do two traces ask and answer the same in their nodes from `from` up to `to`? */
static bool same(const wri_trace *a, const wri_trace *b, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const wri_node *x = &a->nodes[i], *y = &b->nodes[i];
        if (i >= a->node_count || i >= b->node_count || x->what != y->what ||
            x->label != y->label || x->parent != y->parent || x->max != y->max)
            return false;
        if (x->what == WRI_CHOICE && x->number != y->number)
            return false;
        if (x->what == WRI_ARRAY &&
            (x->count != y->count || memcmp(a->numbers + x->number, b->numbers + y->number,
                                            x->count * sizeof *a->numbers) != 0))
            return false;
    }
    return true;
}

static bool all_the_same(const wri_trace *a, const wri_trace *b)
{
    return a->node_count == b->node_count && same(a, b, 0, a->node_count);
}

/* The k-th node with this name, WRI_NO_NODE when there is none. */
static uint32_t named(const wri_trace *trace, const char *name, unsigned k)
{
    uint32_t label = wri_trace_label_hash(name);
    for (uint32_t i = 1; i < trace->node_count; i++)
        if (trace->nodes[i].label == label && trace->nodes[i].what >= WRI_CHOICE && k-- == 0)
            return i;
    return WRI_NO_NODE;
}

static uint64_t answer(const wri_trace *trace, const char *name, unsigned k)
{
    uint32_t node = named(trace, name, k);
    CHECK(node != WRI_NO_NODE);
    return trace->nodes[node].number;
}

/* ---- Mutants ---- */

static wri_trace  plan;
static wri_mutant mutant;

/* What a_record() asks for besides, or does not. */
static bool   asks_more, asks_less;
static size_t bytes_wanted = 12;

static void a_record(wr_case *t)
{
    wr_u32(t, "first");
    if (asks_more)
        wr_u32(t, "extra");
    if (!asks_less)
        wr_u32(t, "second");
    wr_begin(t, "inner");
    wr_u64(t, "inside");
    if (asks_more)
        wr_bool(t, "flag");
    wr_bytes(t, "bytes", bytes_wanted);
    wr_end(t);
    wr_u32(t, "second");
    wr_u64(t, "last");
}

static void plan_a_record(uint64_t seed)
{
    asks_more = asks_less = false;
    bytes_wanted = 12;
    run_to_end(a_record, seed, NULL);
    CHECK(wri_trace_copy(&plan, &the_trace));
}

TEST(a_plan_is_answered_in_order)
{
    plan_a_record(1);
    for (uint64_t seed = 2; seed < 20; seed++) {
        run_to_end(a_record, seed, wri_mutant_start(&mutant, &plan, plan.node_count));
        CHECK(all_the_same(&the_trace, &plan));
        CHECK(!mutant.aligned);
    }
}

TEST(a_change_is_one_answer)
{
    plan_a_record(1);
    for (uint64_t number = 0; number < 50; number++) {
        uint32_t      node = named(&plan, "inside", 0);
        wri_answerer *answerer = wri_mutant_start(&mutant, &plan, plan.node_count);
        CHECK(wri_mutant_change(&mutant, node, 0, number));
        run_to_end(a_record, 9, answerer);
        CHECK(answer(&the_trace, "inside", 0) == number);
        the_trace.nodes[node].number = plan.nodes[node].number;
        CHECK(all_the_same(&the_trace, &plan));
    }
    uint32_t      array = named(&plan, "bytes", 0);
    wri_answerer *answerer = wri_mutant_start(&mutant, &plan, plan.node_count);
    CHECK(wri_mutant_change(&mutant, array, 7, 1000)); /* more than a byte holds */
    run_to_end(a_record, 9, answerer);
    uint64_t *changed = &the_trace.numbers[the_trace.nodes[array].number + 7];
    CHECK(*changed == 255);
    *changed = plan.numbers[plan.nodes[array].number + 7];
    CHECK(all_the_same(&the_trace, &plan));
    for (unsigned i = 1; i < WRI_CHANGES; i++)
        CHECK(wri_mutant_change(&mutant, 1, 0, i));
    CHECK(!wri_mutant_change(&mutant, 1, 0, 0));
}

/* ---- What is foretold ---- */

static bool     takes_back;
static unsigned asked;
static uint64_t (*choose)(wri_answerer *self, wr_case *t, const wri_request *request,
                          uint32_t label);

static uint64_t choose_counted(wri_answerer *self, wr_case *t, const wri_request *request,
                               uint32_t label)
{
    asked++;
    return choose(self, t, request, label);
}

static void one_of_each_kind(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 20);
    for (wr_each(t, i, n)) {
        wr_int(t, "signed", -500, 100000);
        wr_uint(t, "unsigned", 3, 40);
        wr_bool(t, "flag");
    }
    if (takes_back) {
        wri_mark mark = wri_case_mark(t);
        wr_u8(t, "draft");
        wri_case_rewind(t, &mark);
    }
    wr_pick(t, "pick", 7);
    wr_identifier(t, "word", 0, 5);
    wr_u16s(t, "array", n, 0, 999);
    wr_i64(t, NULL);
    wr_chance(t, "chance", 1, 3);
    wr_u8(t, "last");
}

/* Runs a mutant of the plan, the same for the same number; how often it was asked. */
static unsigned ask_a_mutant(manner how, uint64_t number)
{
    uint64_t random = number;
    size_t   limit = number % 2 == 0 ? plan.node_count : 1 + below(&random, plan.node_count);
    uint64_t changes = number == 0 ? 0 : below(&random, WRI_CHANGES + 1);
    wri_mutant_start(&mutant, &plan, limit);
    for (uint64_t i = 0; i < changes; i++)
        wri_mutant_change(&mutant, (uint32_t)(1 + below(&random, plan.node_count - 1)), 0,
                          below(&random, i % 2 == 0 ? 8 : 100000));
    choose = mutant.base.choose;
    mutant.base.choose = choose_counted;
    asked = 0;
    CHECK(run_as(how, one_of_each_kind, number + 1000, &mutant.base) == WRI_PASS);
    return asked;
}

/* A case that is shown is told every answer, so the two must agree, in their lengths too. */
TEST(what_is_foretold_is_what_would_be_answered)
{
    static wri_trace  foretold;
    static wri_length lengths[WRI_LENGTHS];
    unsigned          asked_seldom = 0, asked_often = 0;
    for (uint64_t number = 0; number < 600; number++) {
        takes_back = number % 3 == 2;
        run_to_end(one_of_each_kind, number / 20, NULL);
        CHECK(wri_trace_copy(&plan, &the_trace));
        unsigned seldom = ask_a_mutant(TRACED, number);
        CHECK(wri_trace_copy(&foretold, &the_trace));
        memcpy(lengths, the_case.lengths, sizeof lengths);
        size_t   length_count = the_case.length_count;
        size_t   journal = (size_t)(the_case.next - the_case.journal);
        unsigned often = ask_a_mutant(SHOWN, number);
        asked_seldom += seldom;
        asked_often += often;
        CHECK(the_trace.node_count == foretold.node_count);
        CHECK(memcmp(the_trace.nodes, foretold.nodes,
                     foretold.node_count * sizeof *foretold.nodes) == 0);
        CHECK(all_the_same(&the_trace, &foretold));
        CHECK(journal == (size_t)(the_case.next - the_case.journal));
        CHECK(length_count == the_case.length_count);
        for (size_t i = 0; i < length_count; i++)
            CHECK(lengths[i].value == the_case.lengths[i].value &&
                  lengths[i].node == the_case.lengths[i].node);
    }
    CHECK(asked_seldom > 0 && asked_seldom < asked_often * 3 / 4);
    wri_trace_free(&foretold);
    takes_back = false;
}

/* ---- Limits and order ---- */

TEST(behind_the_limit_answers_are_fresh)
{
    plan_a_record(1);
    for (size_t limit = 1; limit < plan.node_count; limit++) {
        unsigned others = 0;
        for (uint64_t seed = 2; seed < 12; seed++) {
            run_to_end(a_record, seed, wri_mutant_start(&mutant, &plan, limit));
            CHECK(the_trace.node_count == plan.node_count);
            CHECK(same(&the_trace, &plan, 0, limit));
            others += !same(&the_trace, &plan, limit, plan.node_count);
        }
        CHECK(others == 10);
    }
}

TEST(out_of_order_answers_go_by_address)
{
    plan_a_record(1);
    uint32_t array = named(&plan, "bytes", 0);
    for (unsigned way = 1; way < 4; way++) {
        asks_more = (way & 1) != 0;
        asks_less = (way & 2) != 0;
        run_to_end(a_record, 5, wri_mutant_start(&mutant, &plan, plan.node_count));
        CHECK(mutant.aligned);
        CHECK(answer(&the_trace, "first", 0) == answer(&plan, "first", 0));
        CHECK(answer(&the_trace, "second", 0) == answer(&plan, "second", 0));
        if (!asks_less) /* else the second of that name has no second request */
            CHECK(answer(&the_trace, "second", 1) == answer(&plan, "second", 1));
        CHECK(answer(&the_trace, "inside", 0) == answer(&plan, "inside", 0));
        CHECK(answer(&the_trace, "last", 0) == answer(&plan, "last", 0));
        uint32_t there = named(&the_trace, "bytes", 0);
        CHECK(memcmp(the_trace.numbers + the_trace.nodes[there].number,
                     plan.numbers + plan.nodes[array].number, 12 * sizeof(uint64_t)) == 0);
    }
    /* With a limit, what lies behind it is not found by address either. */
    unsigned kept = 0;
    asks_more = true;
    asks_less = false;
    for (uint64_t seed = 2; seed < 12; seed++) {
        run_to_end(a_record, seed, wri_mutant_start(&mutant, &plan, named(&plan, "second", 1)));
        CHECK(answer(&the_trace, "inside", 0) == answer(&plan, "inside", 0));
        kept += answer(&the_trace, "last", 0) == answer(&plan, "last", 0);
    }
    CHECK(kept == 0);
}

TEST(arrays_may_be_longer_or_shorter_than_planned)
{
    static const size_t LENGTHS[] = { 0, 1, 11, 13, 40 };
    plan_a_record(1);
    uint32_t array = named(&plan, "bytes", 0);
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        bytes_wanted = LENGTHS[i];
        size_t common = bytes_wanted < 12 ? bytes_wanted : 12;
        for (uint64_t seed = 2; seed < 6; seed++) {
            run_to_end(a_record, seed, wri_mutant_start(&mutant, &plan, plan.node_count));
            CHECK(the_trace.nodes[array].count == bytes_wanted);
            CHECK(memcmp(the_trace.numbers + the_trace.nodes[array].number,
                         plan.numbers + plan.nodes[array].number,
                         common * sizeof(uint64_t)) == 0);
            CHECK(answer(&the_trace, "last", 0) == answer(&plan, "last", 0));
        }
    }
}

/* The plan as a token would give it: no spans, names or ties. */
static void forget_names(wri_trace *trace)
{
    size_t kept = 1;
    for (size_t i = 1; i < trace->node_count; i++) {
        if (trace->nodes[i].what < WRI_CHOICE)
            continue;
        trace->nodes[kept] = trace->nodes[i];
        trace->nodes[kept].label = 0;
        trace->nodes[kept].parent = 0;
        trace->nodes[kept++].tie = WRI_NO_NODE;
    }
    trace->node_count = kept;
}

TEST(a_plan_without_names_goes_by_order)
{
    wri_trace whole = { 0 };
    plan_a_record(1);
    CHECK(wri_trace_copy(&whole, &plan));
    forget_names(&plan);
    CHECK(wri_trace_valid(&plan) && plan.node_count < whole.node_count);
    for (uint64_t seed = 2; seed < 12; seed++) {
        run_to_end(a_record, seed, wri_mutant_start_blind(&mutant, &plan));
        CHECK(all_the_same(&the_trace, &whole));
    }
    /* Something of another kind is asked for: answers are fresh from there on. */
    unsigned kept = 0;
    asks_more = true;
    for (uint64_t seed = 2; seed < 12; seed++) {
        run_to_end(a_record, seed, wri_mutant_start_blind(&mutant, &plan));
        CHECK(answer(&the_trace, "first", 0) == answer(&whole, "first", 0));
        CHECK(answer(&the_trace, "extra", 0) == answer(&whole, "second", 0));
        kept += answer(&the_trace, "last", 0) == answer(&whole, "last", 0);
    }
    CHECK(kept == 0);
    wri_trace_free(&whole);
}

/* Some bound: of any size, small ones more often. */
static uint64_t any_max(uint64_t *random)
{
    uint64_t max = wri_prng_next(random) >> below(random, 64);
    return below(random, 8) == 0 ? UINT64_MAX : max;
}

/* A plan that is a tree of anything under a handful of names. */
static void plan_anything(uint64_t *random)
{
    size_t count = 1 + below(random, 60);
    CHECK(wri_trace_reserve(&plan, count + 1, 60 * 20));
    plan.node_count = plan.number_count = 0;
    plan.nodes[plan.node_count++] = (wri_node){ .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    for (uint32_t i = 1; i < count; i++) {
        uint32_t parent = i - 1;
        while (plan.nodes[parent].what > WRI_ELEMENT || (parent > 0 && below(random, 3) == 0))
            parent = plan.nodes[parent].parent;
        wri_node node = { .what = (uint8_t)below(random, 5),
                          .kind = (uint8_t)below(random, WRI_HANDLE + 1),
                          .label = (uint32_t)below(random, 4),
                          .parent = parent,
                          .tie = WRI_NO_NODE,
                          .max = any_max(random) };
        if (node.what == WRI_CHOICE)
            node.number = wri_prng_scale(wri_prng_next(random), node.max);
        if (node.what == WRI_ARRAY) {
            node.number = plan.number_count;
            node.count = below(random, 20);
            for (uint64_t k = 0; k < node.count; k++)
                plan.numbers[plan.number_count++] =
                    wri_prng_scale(wri_prng_next(random), node.max);
        }
        plan.nodes[plan.node_count++] = node;
    }
    CHECK(wri_trace_valid(&plan));
}

/* A request that could come from any generator. */
static wri_request any_request(uint64_t *random)
{
    wri_request request = { .kind = (wri_kind)below(random, WRI_HANDLE + 1) };
    switch (request.kind) {
    case WRI_BOOLEAN: request.max = 1; break;
    case WRI_REAL: request.max = UINT64_MAX; break;
    case WRI_INTEGER:
        request.max = any_max(random);
        request.lo = below(random, 2) == 0 ? 0 : -(int64_t)(request.max / 4);
        break;
    default: request.max = any_max(random); break;
    }
    if (request.max < 64 && request.kind >= WRI_INDEX && below(random, 2) == 0)
        while (request.legal == 0)
            request.legal = wri_prng_next(random) & wri_prng_next(random) &
                            (UINT64_MAX >> (63 - request.max));
    return request;
}

static void ask_anything(uint64_t *random, wri_answerer *answerer)
{
    static uint64_t numbers[64];
    wri_request     request = any_request(random);
    uint32_t        label = (uint32_t)below(random, 4);
    switch (below(random, 5)) {
    case 0: answerer->enter(answerer, &the_case, label, (wri_node_what)below(random, 3)); break;
    case 1: answerer->leave(answerer, &the_case); break;
    case 2: {
        size_t count = below(random, 24);
        request.legal = 0;
        answerer->choose_many(answerer, &the_case, &request, label, count, 8, numbers);
        for (size_t i = 0; i < count; i++)
            CHECK(numbers[i] <= request.max);
        break;
    }
    default: {
        uint64_t number = answerer->choose(answerer, &the_case, &request, label);
        CHECK(wri_request_legal(&request, number) ||
              (number == WRI_NO_ANSWER && wri_kind_may_be_none(request.kind)));
    }
    }
}

TEST(answers_are_legal_whatever_the_plan)
{
    uint64_t random = 7;
    for (unsigned i = 0; i < 4000; i++) {
        plan_anything(&random);
        wri_case_begin(&the_case, wri_prng_next(&random), 0);
        wri_case_begin_slow(&the_case);
        wri_answerer *answerer =
            i % 4 == 0 ? wri_mutant_start_blind(&mutant, &plan)
                       : wri_mutant_start(&mutant, &plan, below(&random, plan.node_count + 2));
        for (unsigned k = 0; k < i % 5; k++)
            wri_mutant_change(&mutant, (uint32_t)below(&random, plan.node_count + 1),
                              (uint32_t)below(&random, 20), wri_prng_next(&random));
        for (unsigned k = 0; k < 60; k++)
            ask_anything(&random, answerer);
    }
}

/* ---- Elements ---- */

/* Lengths as they are told here, everything else a number higher than the one before. */
static uint64_t length_told, told_next;

static uint64_t told_choose(wri_answerer *self, wr_case *t, const wri_request *request,
                            uint32_t label)
{
    (void)self, (void)t, (void)label;
    if (request->kind == WRI_LENGTH)
        return length_told > request->max ? request->max : length_told;
    return told_next++ % (request->max + 1);
}

static void told_many(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                      size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)label, (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = told_next++ % (request->max + 1);
}

static wri_answerer told = { .choose = told_choose, .choose_many = told_many };

#define LEAST 3 /* what has fewer elements is not taken for one of that length */
#define MOST 40

/* An array and a loop that belong to one length, with a loop in each element, and more around. */
static void a_table(wr_case *t)
{
    wr_u32(t, "before");
    size_t n = wr_size(t, "n", LEAST, MOST);
    wr_u32s(t, "keys", n, 0, UINT32_MAX);
    for (wr_each(t, i, n)) {
        wr_u32(t, "value");
        for (wr_each(t, k, 2))
            wr_u32(t, "part");
    }
    wr_u32s(t, "after", 2, 0, UINT32_MAX);
    wr_u32(t, "end");
}

#define FROM_OTHER 1000000
#define FRESH_ELEMENT UINT64_MAX

static wri_trace log_of, other_log;

static void log_tables(size_t own, size_t other)
{
    length_told = own - LEAST;
    told_next = 0;
    run_to_end(a_table, 1, &told);
    CHECK(wri_trace_copy(&log_of, &the_trace));
    length_told = other - LEAST;
    told_next = FROM_OTHER;
    run_to_end(a_table, 1, &told);
    CHECK(wri_trace_copy(&other_log, &the_trace));
}

/* Which elements of the log an edited array is made of, by the first key of each log. */
static size_t keys_of(const wri_trace *trace, uint64_t *elements)
{
    const wri_node *array = &trace->nodes[named(trace, "keys", 0)];
    uint64_t        first = log_of.numbers[log_of.nodes[named(&log_of, "keys", 0)].number];
    for (size_t i = 0; i < array->count; i++)
        elements[i] = trace->numbers[array->number + i] - first;
    return array->count;
}

/* And a loop, by the values: an element has three numbers. */
static size_t values_of(const wri_trace *trace, uint64_t *elements)
{
    uint64_t first = answer(&log_of, "value", 0);
    uint32_t loop = 0;
    size_t   count = 0;
    for (uint32_t i = 1; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_LOOP && node->parent == 0 && loop == 0)
            loop = i;
        if (node->what != WRI_ELEMENT || node->parent != loop)
            continue;
        bool fresh = i + 1 == trace->node_count || trace->nodes[i + 1].parent != i;
        if (!fresh) { /* it came with its parts */
            uint64_t number = trace->nodes[i + 1].number;
            CHECK(trace->nodes[i + 2].what == WRI_LOOP && trace->nodes[i + 2].parent == i);
            CHECK(trace->nodes[i + 4].number == number + 1);
            CHECK(trace->nodes[i + 6].number == number + 2);
        }
        uint64_t value = fresh ? 0 : trace->nodes[i + 1].number;
        elements[count++] = fresh                 ? FRESH_ELEMENT
                            : value >= FROM_OTHER ? value
                                                  : (value - first) / 3;
    }
    CHECK(trace->nodes[loop].count == count);
    return count;
}

static size_t in_a_row(const uint64_t *elements, size_t count, uint64_t from)
{
    size_t i = 0;
    while (i < count && elements[i] == from + i)
        i++;
    return i;
}

/* Some elements in a row are missing, no other. */
static void check_dropped(const uint64_t *now, size_t count, size_t before)
{
    size_t head = in_a_row(now, count, 0);
    CHECK(count < before);
    CHECK(in_a_row(now + head, count - head, head + before - count) == count - head);
}

static void check_doubled(const uint64_t *now, size_t count, size_t before)
{
    bool found = false;
    CHECK(count > before);
    for (size_t to = 0; to <= before && !found; to++) {
        size_t some = count - before;
        found = in_a_row(now, to, 0) == to && now[to] + some <= before &&
                in_a_row(now + to, some, now[to]) == some &&
                in_a_row(now + to + some, before - to, to) == before - to;
    }
    CHECK(found);
}

static void check_inserted(const uint64_t *now, size_t count, size_t before)
{
    size_t head = in_a_row(now, count, 0);
    CHECK(count == before + 1 && head < count);
    CHECK(in_a_row(now + head + 1, before - head, head) == before - head);
}

static void check_swapped(const uint64_t *now, size_t count, size_t before)
{
    size_t moved = 0;
    CHECK(count == before);
    for (size_t i = 0; i < count; i++) {
        CHECK(now[i] < count && now[now[i]] == i);
        moved += now[i] != i;
    }
    CHECK(moved == 2);
}

static void check_replaced(const uint64_t *now, size_t count, size_t before)
{
    size_t other = 0;
    CHECK(count == before);
    for (size_t i = 0; i < count; i++)
        other += now[i] != i;
    CHECK(other <= 1);
}

static void check_edited(wri_arrangement how, const uint64_t *now, size_t count, size_t before)
{
    switch (how) {
    case WRI_DROP: check_dropped(now, count, before); break;
    case WRI_DOUBLE: check_doubled(now, count, before); break;
    case WRI_INSERT: check_inserted(now, count, before); break;
    case WRI_SWAP: check_swapped(now, count, before); break;
    case WRI_SPLICE: CHECK(in_a_row(now, count, 0) >= 1); break;
    case WRI_REPLACE: check_replaced(now, count, before); break;
    case WRI_JOIN: CHECK(count > before && in_a_row(now, before, 0) == before); break;
    }
}

/* What is not of the length is as it was, and the length fits. */
static void check_surroundings(const wri_trace *edited, size_t count)
{
    uint64_t length = count < LEAST ? LEAST : count > MOST ? MOST : count;
    CHECK(wri_trace_valid(edited));
    CHECK(answer(edited, "n", 0) == length - LEAST);
    CHECK(answer(edited, "before", 0) == answer(&log_of, "before", 0));
    CHECK(answer(edited, "end", 0) == answer(&log_of, "end", 0));
    const wri_node *after = &edited->nodes[named(edited, "after", 0)];
    CHECK(after->count == 2);
    CHECK(edited->numbers[after->number + 1] ==
          log_of.numbers[log_of.nodes[named(&log_of, "after", 0)].number + 1]);
}

/* A case that is run with the plan has the elements of the plan. */
static void check_run(const wri_trace *edited, size_t count, uint64_t seed)
{
    run_to_end(a_table, seed, wri_mutant_start(&mutant, edited, edited->node_count));
    size_t length = count < LEAST ? LEAST : count > MOST ? MOST : count;
    size_t known = count < length ? count : length;
    CHECK(answer(&the_trace, "n", 0) == length - LEAST);
    CHECK(answer(&the_trace, "end", 0) == answer(&log_of, "end", 0));
    const wri_node *ran = &the_trace.nodes[named(&the_trace, "keys", 0)];
    const wri_node *keys = &edited->nodes[named(edited, "keys", 0)];
    CHECK(memcmp(the_trace.numbers + ran->number, edited->numbers + keys->number,
                 known * sizeof(uint64_t)) == 0);
}

TEST(elements_are_arranged_alike_in_all_that_belongs_to_a_length)
{
    static uint64_t  keys[3 * MOST], values[3 * MOST];
    static wri_trace edited;
    uint64_t         random = 3;
    for (unsigned i = 0; i < 2500; i++) {
        wri_arrangement how = (wri_arrangement)(i % 7);
        size_t          own = LEAST + below(&random, i % 2 == 0 ? 4 : MOST - LEAST + 1);
        size_t          other = LEAST + below(&random, MOST - LEAST + 1);
        log_tables(own, other);
        CHECK(wri_rearrange_elements(&edited, &log_of, named(&log_of, "n", 0), how, &other_log,
                                     &random));
        size_t count = keys_of(&edited, keys);
        CHECK(values_of(&edited, values) == count);
        check_edited(how, keys, count, own);
        check_edited(how, values, count, own);
        if (how == WRI_SPLICE) { /* then the other's, to its end */
            size_t head = in_a_row(keys, count, 0);
            size_t others = head < count ? count - head : 0;
            for (size_t k = head; k < count; k++)
                CHECK(keys[k] >= FROM_OTHER && values[k] >= FROM_OTHER);
            CHECK(others >= 1 && others <= other);
            CHECK(in_a_row(keys + head, others, keys[head]) == others);
            const wri_node *there = &other_log.nodes[named(&other_log, "keys", 0)];
            const wri_node *here = &edited.nodes[named(&edited, "keys", 0)];
            CHECK(edited.numbers[here->number + count - 1] ==
                  other_log.numbers[there->number + other - 1]);
        } else if (how == WRI_JOIN) {
            CHECK(count == own + other && keys[own] >= FROM_OTHER && values[own] >= FROM_OTHER);
        } else if (how != WRI_INSERT && how != WRI_REPLACE) {
            CHECK(memcmp(keys, values, count * sizeof *keys) == 0);
        }
        check_surroundings(&edited, count);
        check_run(&edited, count, i);
    }
    wri_trace_free(&edited);
}

static void a_single_loop(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 8);
    for (wr_each(t, i, n))
        wr_u32(t, "value");
    wr_u32s(t, "others", 3, 0, 9);
}

TEST(what_cannot_be_arranged_is_refused)
{
    wri_trace edited = { 0 };
    uint64_t  random = 1;
    length_told = 0;
    run_to_end(a_single_loop, 1, &told);
    CHECK(wri_trace_copy(&log_of, &the_trace));
    uint32_t length = named(&log_of, "n", 0);
    CHECK(!wri_rearrange_elements(&edited, &log_of, length, WRI_DROP, &log_of, &random));
    CHECK(!wri_rearrange_elements(&edited, &log_of, length, WRI_DOUBLE, &log_of, &random));
    CHECK(!wri_rearrange_elements(&edited, &log_of, length, WRI_SWAP, &log_of, &random));
    CHECK(!wri_rearrange_elements(&edited, &log_of, length, WRI_SPLICE, &log_of, &random));
    CHECK(wri_rearrange_elements(&edited, &log_of, length, WRI_INSERT, &log_of, &random));
    CHECK(wri_trace_valid(&edited) && answer(&edited, "n", 0) == 1);
    run_to_end(a_single_loop, 1, wri_mutant_start(&mutant, &edited, edited.node_count));
    CHECK(named(&the_trace, "value", 0) != WRI_NO_NODE);
    length_told = 1;
    run_to_end(a_single_loop, 1, &told);
    CHECK(wri_trace_copy(&log_of, &the_trace));
    CHECK(!wri_rearrange_elements(&edited, &log_of, length, WRI_SWAP, &log_of, &random));
    CHECK(!wri_rearrange_regrow(&edited, &log_of, &random)); /* a loop is no such span */
    CHECK(!wri_rearrange_graft(&edited, &log_of, &log_of, &random));
    wri_trace_free(&edited);
}

/* Any integer can turn out to be a length; here numbers are no offsets from the lower end. */
static void a_length_below_zero(wr_case *t)
{
    int64_t n = wr_int(t, "n", -10, 30);
    wr_bytes(t, "bytes", n < 0 ? 0 : (size_t)n);
}

TEST(a_plain_integer_is_a_length_too)
{
    wri_trace edited = { 0 };
    uint64_t  random = 1;
    run_to_end(a_length_below_zero, 1, NULL);
    for (uint64_t seed = 2; the_trace.nodes[2].count < 12; seed++)
        run_to_end(a_length_below_zero, seed, NULL);
    CHECK(wri_trace_copy(&log_of, &the_trace));
    uint64_t before = log_of.nodes[2].count;
    CHECK(log_of.nodes[2].tie == 1);
    CHECK(wri_rearrange_elements(&edited, &log_of, 1, WRI_SWAP, &log_of, &random));
    run_to_end(a_length_below_zero, 1, wri_mutant_start(&mutant, &edited, edited.node_count));
    CHECK(the_trace.nodes[2].count == before);
    CHECK(wri_rearrange_elements(&edited, &log_of, 1, WRI_DROP, &log_of, &random));
    run_to_end(a_length_below_zero, 1, wri_mutant_start(&mutant, &edited, edited.node_count));
    CHECK(the_trace.nodes[2].count == edited.nodes[2].count);
    CHECK(the_trace.nodes[2].count < before && the_trace.nodes[2].count > 0);
    wri_trace_free(&edited);
}

/* ---- Trees ---- */

static const wr_recursion TREE;

static void *grow(wr_case *t, size_t form, size_t budget, void *context)
{
    (void)context;
    if (form == 0)
        wr_u32(t, "leaf");
    for (size_t i = 0; i < form; i++)
        wr_recurse(t, &TREE, budget / form);
    return NULL;
}

static const wr_recursion TREE = { .label = "tree", .leaves = 1, .forms = 4, .grow = grow };

static void a_tree(wr_case *t)
{
    wr_u32(t, "before");
    wr_recurse(t, &TREE, WR_SIZE);
    wr_u32(t, "end");
}

/* How many nodes are in a span, itself not counted. */
static uint32_t inside(const wri_trace *trace, uint32_t span)
{
    uint32_t end = span + 1;
    while (end < trace->node_count && trace->nodes[end].parent >= span)
        end++;
    return end - span - 1;
}

static void check_regrown(const wri_trace *edited)
{
    uint32_t span = 0;
    for (uint32_t i = 1; i < edited->node_count; i++)
        if (edited->nodes[i].what == WRI_SPAN && inside(edited, i) == 0)
            span = i;
    CHECK(span != 0);
    uint32_t gone = inside(&log_of, span);
    CHECK(gone > 0 && edited->node_count + gone == log_of.node_count);
    CHECK(same(edited, &log_of, 0, span + 1));
    for (size_t i = span + 1; i < edited->node_count; i++)
        CHECK(edited->nodes[i].label == log_of.nodes[i + gone].label &&
              edited->nodes[i].number == log_of.nodes[i + gone].number);
}

TEST(trees_are_regrown_and_grafted)
{
    static wri_trace edited;
    uint64_t         random = 5;
    for (uint64_t seed = 1; seed < 600; seed++) {
        run_to_end(a_tree, seed, NULL);
        CHECK(wri_trace_copy(&log_of, &the_trace));
        CHECK(wri_rearrange_regrow(&edited, &log_of, &random));
        CHECK(wri_trace_valid(&edited));
        check_regrown(&edited);
        run_to_end(a_tree, seed + 1000, wri_mutant_start(&mutant, &edited, edited.node_count));
        CHECK(answer(&the_trace, "before", 0) == answer(&log_of, "before", 0));
        CHECK(answer(&the_trace, "end", 0) == answer(&log_of, "end", 0));

        run_to_end(a_tree, seed + 2000, NULL);
        CHECK(wri_trace_copy(&other_log, &the_trace));
        CHECK(wri_rearrange_graft(&edited, &log_of, &other_log, &random));
        CHECK(wri_trace_valid(&edited));
        CHECK(edited.nodes[edited.node_count - 1].parent == 0);
        CHECK(answer(&edited, "before", 0) == answer(&log_of, "before", 0));
        CHECK(answer(&edited, "end", 0) == answer(&log_of, "end", 0));
        run_to_end(a_tree, seed + 3000, wri_mutant_start(&mutant, &edited, edited.node_count));
        CHECK(answer(&the_trace, "end", 0) == answer(&log_of, "end", 0));
    }
    wri_trace_free(&edited);
}

/* ---- The pool ---- */

static wri_pool *pool;

static uint32_t feature(uint64_t key)
{
    return wri_pool_feature(pool, key, WRI_FEATURE_LABEL, 0, "a feature");
}

/* A log of one choice and an array, recognisable by its number. */
static void log_with(wri_trace *trace, uint64_t number, size_t count)
{
    CHECK(wri_trace_reserve(trace, 3, count + 1));
    trace->node_count = 3;
    trace->number_count = count;
    trace->nodes[0] = (wri_node){ .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    trace->nodes[1] =
        (wri_node){ .what = WRI_CHOICE, .max = UINT64_MAX, .number = number, .tie = WRI_NO_NODE };
    trace->nodes[2] =
        (wri_node){ .what = WRI_ARRAY, .max = UINT64_MAX, .count = count, .tie = WRI_NO_NODE };
    for (size_t i = 0; i < count; i++)
        trace->numbers[i] = wri_prng_mix(number + i * WRI_GAMMA);
}

/* Keeps such a log as the owner of the feature with its number as key. */
static uint32_t keep_with(uint64_t number, size_t count)
{
    static wri_trace trace;
    uint32_t         shown = feature(number);
    log_with(&trace, number, count);
    uint32_t entry = wri_pool_add(pool, &trace, number, false, &shown, 1);
    if (entry != WRI_NOBODY)
        wri_pool_own(pool, entry, shown);
    wri_trace_free(&trace);
    return entry;
}

static void check_kept(uint32_t entry, uint64_t number, size_t count)
{
    wri_entry_view view;
    CHECK(wri_pool_look(pool, entry, &view));
    CHECK(pool->entries[entry].number == number);
    CHECK(view.trace.node_count == 3 && view.trace.nodes[1].number == number);
    CHECK(view.trace.nodes[2].count == count && view.position_count == count + 1);
    CHECK(view.shown_count == 1 && view.shown[0] == feature(number));
    for (size_t i = 0; i < count; i++)
        CHECK(view.trace.numbers[i] == wri_prng_mix(number + i * WRI_GAMMA));
}

TEST(features_are_found_again)
{
    wri_pool_clear(pool);
    uint32_t most = 0; /* that are shown, and as many that are shown often */
    while (wri_pool_feature(pool, most * WRI_GAMMA, WRI_FEATURE_LABEL, 3, NULL) == 2 * most)
        CHECK(feature(most * WRI_GAMMA) == 2 * most + 1 && ++most < WRI_POOL_FEATURES);
    CHECK(most >= 1024);
    for (uint32_t i = 0; i < most; i++)
        CHECK(feature(i * WRI_GAMMA) == 2 * i + 1);
    CHECK(pool->lost == 0 && pool->feature_count == 2 * most);
    CHECK(feature(1) == WRI_NOBODY && pool->lost == 1);
    CHECK(feature(0) == 1);
    /* Edges do not take the labels' room, nor the other way round. */
    for (uint32_t i = 0; i < WRI_POOL_FEATURES; i++)
        wri_pool_feature(pool, i, WRI_FEATURE_EDGE, 0, NULL);
    CHECK(pool->counts[WRI_FEATURE_EDGE] >= 1024 && pool->feature_count < WRI_POOL_FEATURES);
    CHECK(wri_pool_feature(pool, 7, WRI_FEATURE_CELL, 0, NULL) != WRI_NOBODY);
    CHECK(wri_pool_find(pool, 7, WRI_FEATURE_CELL, 0) == pool->feature_count - 1);
    CHECK(wri_pool_find(pool, 8, WRI_FEATURE_CELL, 0) == WRI_NOBODY);
    CHECK(strcmp(pool->features[1].text, "a feature") == 0);
    wri_pool_clear(pool);
    CHECK(feature(1) == 0);
    uint32_t slot = wri_pool_feature(pool, 1, WRI_FEATURE_SLOT, 0, "a gap");
    CHECK(slot == 1 && feature(1) == 0);
    CHECK(wri_pool_feature(pool, 1, WRI_FEATURE_SLOT, 0, "a gap") == slot);
}

TEST(an_owner_of_nothing_is_let_go)
{
    wri_trace trace = { 0 };
    wri_pool_clear(pool);
    log_with(&trace, 1, 3);
    uint32_t a = feature(10), b = feature(11), both[] = { a, b };
    uint32_t first = wri_pool_add(pool, &trace, 1, false, both, 2);
    wri_pool_own(pool, first, a);
    wri_pool_own(pool, first, b);
    wri_pool_own(pool, first, b); /* again is the same */
    CHECK(pool->live_count == 1 && pool->entries[first].owned == 2);
    uint32_t second = wri_pool_add(pool, &trace, 2, false, both, 2);
    pool->features[a].cut_now = 5;
    wri_pool_own(pool, second, a);
    CHECK(pool->live_count == 2 && pool->entries[first].owned == 1);
    CHECK(pool->features[a].owner == second && pool->features[a].cut == 5);
    wri_pool_own(pool, second, b);
    CHECK(pool->live_count == 1 && !pool->entries[first].live && pool->entries[second].live);
    wri_entry_view view;
    CHECK(!wri_pool_look(pool, first, &view) && wri_pool_look(pool, second, &view));
    wri_trace_free(&trace);
}

TEST(blocks_are_moved_together_and_stay_what_they_are)
{
    enum { EACH = 1 << 16, KEPT = 60 }; /* more than half a MiB each: most of the room */
    uint64_t number[200];
    uint32_t entry[200], count = 0, made = 0;
    wri_pool_clear(pool);
    for (; count < KEPT; count++, made++) {
        number[count] = 1000 + made;
        entry[count] = keep_with(number[count], EACH + made);
        CHECK(entry[count] != WRI_NOBODY);
    }
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = round % 2; i < count; i += 2) { /* another shows its feature */
            static wri_trace trace;
            log_with(&trace, 7, 1);
            uint32_t thief = wri_pool_add(pool, &trace, 7, false, NULL, 0);
            CHECK(thief != WRI_NOBODY);
            wri_pool_own(pool, thief, feature(number[i]));
            CHECK(!pool->entries[entry[i]].live);
            wri_trace_free(&trace);
            number[i] = 0;
        }
        for (uint32_t i = round % 2; i < count; i += 2) {
            number[i] = 2000 + made++;
            entry[i] = keep_with(number[i], EACH);
            CHECK(entry[i] != WRI_NOBODY);
        }
        for (uint32_t i = 0; i < count; i++)
            check_kept(entry[i], number[i],
                       number[i] < 2000 ? EACH + (size_t)(number[i] - 1000) : EACH);
        CHECK(pool->used <= WRI_POOL_ARENA && pool->evicted == 0);
    }
    CHECK(keep_with(5000, WRI_POOL_ARENA / 64) == WRI_NOBODY); /* larger than any may be */
    CHECK(pool->too_large == 1);
    for (uint32_t i = 0; i < KEPT; i++) /* no room, but for others */
        CHECK(keep_with(6000 + i, EACH) != WRI_NOBODY);
    CHECK(pool->evicted > 0 && wri_pool_sound(pool));
    check_kept(pool->features[feature(6000 + KEPT - 1)].owner, 6000 + KEPT - 1, EACH);
}

TEST(slots_of_entries_are_used_again)
{
    wri_pool_clear(pool);
    for (uint32_t i = 0; i < WRI_POOL_ENTRIES; i++)
        CHECK(keep_with(i, i % 3) == i);
    wri_pool_own(pool, 5, feature(17)); /* 17 had nothing else */
    CHECK(pool->live_count == WRI_POOL_ENTRIES - 1);
    CHECK(keep_with(9999, 4) == 17);
    check_kept(17, 9999, 4);
    check_kept(18, 18, 0);
}

TEST(what_is_common_makes_room)
{
    wri_pool_clear(pool);
    for (uint32_t i = 0; i < WRI_POOL_ENTRIES; i++) {
        CHECK(keep_with(i, 1) == i);
        pool->features[feature(i)].cases = i < 2000 ? 1000 : 1;
    }
    uint32_t slot = wri_pool_feature(pool, 5, WRI_FEATURE_SLOT, 0, "a slot");
    pool->features[slot].cases = 1000000;
    wri_pool_own(pool, 5, slot);
    CHECK(keep_with(9999, 4) != WRI_NOBODY);
    CHECK(pool->evicted > 100 && pool->evicted < 2000);
    CHECK(pool->features[slot].owner == 5 && pool->entries[5].live);
    for (uint32_t i = 0; i < WRI_POOL_ENTRIES; i++) {
        const wri_feature *of = &pool->features[feature(i)];
        CHECK(of->owner == WRI_NOBODY ? of->given_up && i < 2000 : pool->entries[of->owner].live);
    }
    check_kept(3000, 3000, 1);
}

TEST(positions_are_choices_and_elements)
{
    wri_trace trace = { 0 };
    wri_pool_clear(pool);
    for (uint64_t seed = 1; seed < 40; seed++) {
        run_to_end(seed % 2 == 0 ? a_table : a_tree, seed, NULL);
        uint32_t entry = wri_pool_add(pool, &the_trace, seed, false, NULL, 0);
        CHECK(entry != WRI_NOBODY);
        wri_entry_view view = wri_pool_view(pool, entry);
        CHECK(all_the_same(&view.trace, &the_trace));
        uint32_t position = 0, node, element;
        for (uint32_t i = 0; i < the_trace.node_count; i++) {
            const wri_node *at = &the_trace.nodes[i];
            uint64_t        count = at->what == WRI_ARRAY && at->max > 0
                                        ? at->count
                                        : at->what == WRI_CHOICE && at->max > 0;
            CHECK(wri_pool_position_from(&view, i) == position);
            for (uint64_t k = 0; k < count; k++) {
                wri_pool_position(&view, position++, &node, &element);
                CHECK(node == i && element == k);
            }
        }
        CHECK(position == view.position_count);
        CHECK(wri_pool_position_from(&view, (uint32_t)the_trace.node_count) == position);
    }
    wri_trace_free(&trace);
}

TEST(rare_features_are_picked_most)
{
    static const uint64_t CASES[] = { 1, 9, 99 };
    unsigned              picked[5] = { 0 };
    uint64_t              random = 1;
    wri_pool_clear(pool);
    CHECK(wri_pool_pick(pool, &random) == WRI_NOBODY);
    for (uint32_t i = 0; i < 3; i++) {
        keep_with(i, 2);
        pool->features[i].cases = CASES[i];
    }
    feature(77); /* has no owner */
    for (unsigned i = 0; i < 10000; i++)
        picked[wri_pool_pick(pool, &random)]++;
    /* One in (cases + 1) squared: about 96, 3.8 and 0.04 percent. */
    CHECK(picked[0] > 9200 && picked[1] > 200 && picked[1] < 700 && picked[2] < 40);
    CHECK(picked[3] == 0);
    /* Of a label and an edge that are as rare, the label six times as often. */
    uint32_t edge = wri_pool_feature(pool, 5, WRI_FEATURE_EDGE, 0, "an edge");
    wri_pool_own(pool, 0, edge);
    memset(picked, 0, sizeof picked);
    for (unsigned i = 0; i < 10000; i++)
        picked[wri_pool_pick(pool, &random)]++;
    CHECK(picked[edge] > 1000 && picked[edge] < 2000);
    /* The longer nothing comes of it, the less. */
    pool->features[1].cases = 1;
    pool->features[0].effort = 512 * 9;
    pool->stale = true;
    memset(picked, 0, sizeof picked);
    for (unsigned i = 0; i < 10000; i++)
        picked[wri_pool_pick(pool, &random)]++;
    CHECK(picked[1] > 6 * picked[0] && picked[0] > 300);
}

/* Reads all that the parent would read. */
static uint64_t read_all(const wri_entry_view *view)
{
    uint64_t sum = wri_trace_choices(&view->trace) + wri_trace_shape(&view->trace);
    for (size_t i = 0; i < view->trace.node_count; i++) {
        const wri_node *node = &view->trace.nodes[i];
        for (uint64_t k = 0; node->what == WRI_ARRAY && k < node->count; k++)
            sum += view->trace.numbers[node->number + k];
    }
    for (uint32_t i = 0; i < view->shown_count; i++)
        sum += view->shown[i];
    return sum;
}

/* Whatever is in the pool, what it gives out lies inside the arena. */
static bool inside_arena(const wri_entry_view *view)
{
    const char *end = pool->arena + WRI_POOL_ARENA;
    const char *nodes = (const char *)view->trace.nodes,
               *numbers = (const char *)view->trace.numbers;
    const char *shown = (const char *)view->shown;
    return nodes >= pool->arena && nodes + view->trace.node_count * sizeof(wri_node) <= end &&
           numbers >= pool->arena &&
           numbers + view->trace.number_count * sizeof(uint64_t) <= end && shown >= pool->arena &&
           shown + view->shown_count * sizeof(uint32_t) <= end;
}

TEST(damaged_entries_are_refused_or_harmless)
{
    unsigned refused = 0, accepted = 0;
    uint64_t random = 11, sum = 0;
    wri_pool_clear(pool);
    for (uint32_t i = 0; i < 24; i++)
        keep_with(i, i);
    size_t bytes = offsetof(wri_pool, arena) + (size_t)pool->used - offsetof(wri_pool, entries);
    size_t table = 24 * sizeof(wri_entry), arena = (size_t)pool->used;
    wri_entry *saved = malloc(bytes);
    CHECK(saved != NULL);
    memcpy(saved, pool->entries, bytes);
    for (unsigned i = 0; i < 3000; i++) {
        for (unsigned k = 0; k < 1 + i % 4; k++) {
            unsigned char *at = below(&random, 2) == 0
                                    ? (unsigned char *)pool->entries + below(&random, table)
                                    : (unsigned char *)pool->arena + below(&random, arena);
            *at = (unsigned char)(below(&random, 3) == 0 ? 0xff : wri_prng_next(&random));
        }
        for (uint32_t entry = 0; entry < 24; entry++) {
            wri_entry_view view;
            if (!wri_pool_look(pool, entry, &view)) {
                refused++;
                continue;
            }
            CHECK(inside_arena(&view));
            sum += read_all(&view);
            accepted++;
        }
        memcpy(pool->entries, saved, bytes);
    }
    CHECK(refused > 500 && accepted > 5000 && sum != 0);
    wri_pool *copy = calloc(1, sizeof *copy);
    CHECK(copy != NULL);
    wri_pool_copy(copy, pool);
    for (uint32_t entry = 0; entry < 24; entry++) {
        wri_entry_view one, other;
        CHECK(wri_pool_look(pool, entry, &one) && wri_pool_look(copy, entry, &other));
        CHECK(read_all(&one) == read_all(&other));
    }
    pool->used = UINT64_MAX; /* whatever a worker wrote there */
    pool->feature_count = pool->entry_count = pool->picks[WRI_FEATURE_CLASSES] = UINT32_MAX;
    wri_pool_copy(copy, pool);
    free(copy);
    free(saved);
}

/* A pool that code under test has written to, and that the parent adds to nevertheless. */
TEST(a_pool_that_is_sound_can_be_added_to)
{
    static wri_trace large;
    unsigned         sound = 0;
    uint64_t         random = 13;
    wri_pool        *whole = calloc(1, sizeof *whole);
    CHECK(whole != NULL);
    log_with(&large, 3, 100000);
    wri_pool_clear(pool);
    for (uint32_t i = 0; i < 72; i++)
        CHECK(keep_with(i, 1 << 16) != WRI_NOBODY);
    CHECK(wri_pool_sound(pool));
    wri_pool_copy(whole, pool);
    for (unsigned i = 0; i < 150; i++) {
        unsigned char *table = (unsigned char *)pool->entries;
        for (unsigned k = 0; k < 1 + i % 3; k++)
            table[below(&random, pool->entry_count * sizeof(wri_entry))] =
                (unsigned char)(below(&random, 2) == 0 ? 0 : wri_prng_next(&random));
        if (i % 10 == 0)
            pool->entry_count = (uint32_t)wri_prng_next(&random) >> below(&random, 32);
        if (i % 10 == 1)
            pool->used = wri_prng_next(&random) >> below(&random, 64);
        if (wri_pool_sound(pool)) { /* it is full: the parent has to move things */
            sound++;
            wri_pool_await(pool, &large, false);
            CHECK(pool->used <= WRI_POOL_ARENA);
        }
        wri_pool_copy(pool, whole);
    }
    CHECK(sound > 20 && sound < 140);
    pool->entries[3].bytes = 0; /* would be moved for ever */
    CHECK(!wri_pool_sound(pool));
    wri_trace_free(&large);
    free(whole);
}

TEST(what_waits_is_given_out_once)
{
    wri_trace trace = { 0 };
    wri_pool_clear(pool);
    CHECK(wri_pool_awaited(pool) == WRI_NOBODY);
    keep_with(1, 4);
    for (uint64_t i = 0; i < 3; i++) {
        log_with(&trace, 100 + i, 2);
        wri_pool_await(pool, &trace, i == 1);
    }
    CHECK(pool->awaiting == 3 && pool->live_count == 4);
    for (uint64_t i = 0; i < 3; i++) {
        uint32_t entry = wri_pool_awaited(pool);
        CHECK(entry != WRI_NOBODY && pool->entries[entry].blind == (i == 1));
        CHECK(wri_pool_view(pool, entry).trace.nodes[1].number == 100 + i);
        wri_pool_drop(pool, entry);
    }
    CHECK(wri_pool_awaited(pool) == WRI_NOBODY && pool->live_count == 1);
    wri_trace_free(&trace);
}

/* ---- Constants of the program ---- */

static const wri_known_number KNOWN_NUMBERS[] = { { -1000000, 2, 0 }, { 4711, 16, 2 } };
static const wri_known_real   KNOWN_REALS[] = { { 218.33, 16, 0 } };
static const char *const      KNOWN_WORDS[] = { "rollback", "x-y" };
static const wri_dictionary   KNOWN = { KNOWN_NUMBERS, 2, KNOWN_REALS, 1, KNOWN_WORDS, 2 };

static struct {
    unsigned number, next_to_it, real, next_to_real, word, digits, inside, field[2], element;
    unsigned letters;
} met;

/* Do these bytes hold the others? */
static bool holds(const void *bytes, size_t n, const char *wanted, size_t length)
{
    for (size_t at = 0; at + length <= n; at++)
        if (memcmp((const char *)bytes + at, wanted, length) == 0)
            return true;
    return false;
}

static void draws_of_all_kinds(wr_case *t)
{
    int64_t        number = wr_int(t, "number", -5, 100000);
    double         real = wr_double(t, "real", 0, 500);
    const char    *text = wr_text(t, "text", 0, 20);
    const char    *letters = wr_text_of(t, "letters", "abcklor", 8, 20);
    const uint8_t *bytes = wr_bytes(t, "bytes", 12);
    const int32_t *numbers = wr_i32s(t, "numbers", 5, INT32_MIN, INT32_MAX);
    met.number += number == 4711;
    met.next_to_it += number == 4710 || number == 4712;
    met.real += real == 218.33;
    met.next_to_real += real != 218.33 && fabs(real - 218.33) < 1e-10;
    met.word += strcmp(text, "rollback") == 0;
    met.digits += strcmp(text, "4711") == 0;
    met.inside += strlen(text) > 8 && strstr(text, "rollback") != NULL;
    met.letters += strstr(letters, "rollback") != NULL;
    met.field[0] += holds(bytes, 12, "\x12\x67", 2);
    met.field[1] += holds(bytes, 12, "\x67\x12\0\0", 4);
    for (int i = 0; i < 5; i++)
        met.element += numbers[i] == -1000000;
}

static void known_draws(wr_case *t)
{
    t->known = &KNOWN;
    draws_of_all_kinds(t);
    t->known = NULL;
}

TEST(constants_come_up_in_random_draws)
{
    for (uint64_t seed = 0; seed < 3000; seed++)
        run_to_end(known_draws, seed, wri_answer_randomly());
    CHECK(met.number > 100 && met.number < 300 && met.next_to_it > 100);
    CHECK(met.real > 150 && met.next_to_real > 40);
    CHECK(met.word > 20 && met.digits > 3 && met.inside > 50 && met.letters > 50);
    CHECK(met.field[0] > 50 && met.field[1] > 0 && met.element > 50);
    memset(&met, 0, sizeof met);
    for (uint64_t seed = 0; seed < 3000; seed++)
        run_to_end(draws_of_all_kinds, seed, wri_answer_randomly());
    CHECK(met.number + met.real + met.word + met.inside + met.letters + met.field[1] < 5);
}

TEST(a_case_without_constants_that_fit_is_answered_as_ever)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        static const wri_dictionary NOTHING = { 0 };
        wri_request                 request = { .kind = WRI_INTEGER, .max = 1000, .name = "n" };
        wr_case                     one = { .random = seed }, other = { .random = seed };
        one.known = &NOTHING;
        wri_answerer *random = wri_answer_randomly();
        CHECK(random->choose(random, &one, &request, 1) ==
              random->choose(random, &other, &request, 1));
        CHECK(one.random == other.random);
    }
}

TEST(constants_are_written_as_the_request_can_have_them)
{
    wri_request bytes = { .kind = WRI_INTEGER, .max = UINT8_MAX, .lo = INT8_MIN };
    wri_request few = { .kind = WRI_INDEX, .max = 2, .alphabet = "abc" };
    wri_request wide = { .kind = WRI_INTEGER, .max = UINT64_MAX };
    uint64_t    random = 1, numbers[16], number;
    CHECK(wri_constant_spells(&bytes) && wri_constant_spells(&few));
    CHECK(!wri_constant_spells(&wide));
    for (unsigned i = 0; i < 256; i++)
        CHECK(wri_constant_byte_of(&bytes, wri_constant_number_of(&bytes, (uint8_t)i)) == i);
    CHECK(wri_constant_number_of(&few, 'c') == 2 && wri_constant_number_of(&few, 'd') > 2);
    for (unsigned i = 0; i < 100; i++) {
        CHECK(wri_constant_letters(&KNOWN, &few, &random, 16, numbers) == 0);
        CHECK(wri_constant_letters(&KNOWN, &bytes, &random, 1, numbers) == 0);
        CHECK(wri_constant_number(&KNOWN, &wide, &random, &number));
        CHECK(number + 1000000 <= 1 || number - 4710 <= 2 || number + 1000001 <= 2);
    }
}

/* A length and an array that is tied to it, and another array. */
static void two_arrays(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 8);
    wr_u8s(t, "first", n, 0, 255);
    wr_u8s(t, "second", 3, 0, 255);
}

TEST(a_part_of_an_array_is_replaced)
{
    static const uint64_t NEW[] = { 7, 8, 9, 10, 11 };
    wri_trace             cut = { 0 };
    uint64_t              seed = 0;
    do
        run_to_end(two_arrays, seed++, wri_answer_randomly());
    while (answer(&the_trace, "n", 0) != 5);
    CHECK(wri_trace_copy(&cut, &the_trace));
    uint32_t first = named(&cut, "first", 0), second = named(&cut, "second", 0);
    CHECK(cut.nodes[first].tie == named(&cut, "n", 0));
    CHECK(wri_splice(&cut, first, 1, 2, NEW, 5));
    CHECK(wri_trace_valid(&cut) && answer(&cut, "n", 0) == 8 && cut.nodes[first].count == 8);
    for (uint64_t i = 0; i < 8; i++)
        CHECK(wri_trace_number(&cut, first, i) ==
              (i < 1   ? wri_trace_number(&the_trace, first, i)
               : i < 6 ? NEW[i - 1]
                       : wri_trace_number(&the_trace, first, i - 3)));
    for (uint64_t i = 0; i < 3; i++)
        CHECK(wri_trace_number(&cut, second, i) == wri_trace_number(&the_trace, second, i));
    CHECK(!wri_splice(&cut, first, 0, 0, NEW, 1));  /* the length says 8 at most */
    CHECK(!wri_splice(&cut, second, 0, 1, NEW, 2)); /* it always has 3 */
    CHECK(!wri_splice(&cut, second, 2, 2, NEW, 2)); /* that is behind its end */
    CHECK(wri_splice(&cut, second, 1, 2, NEW, 2) && wri_trace_number(&cut, second, 2) == 8);
    CHECK(wri_splice(&cut, first, 0, 8, NEW, 0) && answer(&cut, "n", 0) == 0);
    CHECK(wri_trace_valid(&cut) && wri_trace_number(&cut, second, 1) == 7);
    wri_trace_free(&cut);
}

/* ---- Substitution ---- */

static wri_node   subject_nodes[4];
static wri_trace  subject = { .nodes = subject_nodes, .node_count = 4 };
static wri_change change;

/* A log of a small integer, the node that is asked about, and an index. */
static void subject_is(wri_node node)
{
    subject_nodes[0] = (wri_node){ .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    subject_nodes[1] = (wri_node){
        .what = WRI_CHOICE, .kind = WRI_INTEGER, .max = 3, .number = 1, .tie = WRI_NO_NODE
    };
    subject_nodes[2] = node;
    subject_nodes[2].what = WRI_CHOICE;
    subject_nodes[2].tie = WRI_NO_NODE;
    subject_nodes[3] = (wri_node){
        .what = WRI_CHOICE, .kind = WRI_REAL, .max = UINT64_MAX, .number = 2, .tie = WRI_NO_NODE
    };
}

/* The number that the node in question gets so that `is` becomes `wanted`; UINT64_MAX: none. */
static uint64_t substituted(uint64_t is, uint64_t wanted, uint8_t width, bool constant)
{
    static uint32_t place;
    wri_comparison  made = {
         .a = wanted, .b = is, .place = ++place, .when = 4, .width = width, .constant = constant
    };
    uint64_t random = place;
    uint32_t wish;
    wri_pool_clear(pool);
    if (!wri_substitute(pool, &subject, &made, 1, false, &random, &change, &wish))
        return UINT64_MAX;
    CHECK(change.node == 2 && wish < WRI_POOL_WISHES);
    CHECK(change.number <= subject_nodes[2].max);
    return change.number;
}

static uint64_t number_for(int64_t value)
{
    return wri_choice_integer_number(value, subject_nodes[2].lo, subject_nodes[2].max);
}

TEST(a_value_that_was_compared_is_replaced)
{
    subject_is((wri_node){ .kind = WRI_INTEGER, .max = 1000000, .number = 1234 });
    CHECK(substituted(1234, 777, 4, true) == 777);
    CHECK(substituted(1234, 777, 8, true) == 777);
    CHECK(substituted(777, 1234, 4, false) != 1234); /* the other side is looked for, too */
    CHECK(substituted(777, 1234, 4, false) == 777);
    CHECK(substituted(1234, 2000000, 4, true) == UINT64_MAX); /* out of its range */
    /* The low byte of it. */
    subject_is((wri_node){ .kind = WRI_INTEGER, .max = UINT32_MAX, .number = 0x12345678 });
    CHECK(substituted(0x78, 0x41, 1, true) == 0x12345641);
    CHECK(substituted(0x5678, 0xbeef, 2, true) == 0x1234beef);
    CHECK(substituted(0x78, 0x41, 4, true) == 0x12345641); /* promoted before it was compared */
}

TEST(negative_values_are_known_at_their_width)
{
    subject_is((wri_node){ .kind = WRI_INTEGER, .lo = -1000, .max = 2000 });
    subject_nodes[2].number = number_for(-5);
    CHECK(substituted((uint32_t)-5, (uint32_t)-42, 4, true) == number_for(-42));
    CHECK(substituted((uint64_t)-5, (uint64_t)-42, 8, true) == number_for(-42));
    subject_nodes[2].number = number_for(6);
    CHECK(substituted(6, (uint32_t)-42, 4, true) == number_for(-42));
    CHECK(substituted(6, (uint16_t)-42, 2, true) == number_for(-42));
}

TEST(letters_and_lengths_are_replaced_by_what_they_stand_for)
{
    uint64_t z = (uint64_t)(strchr(wri_choice_alphabet(WRI_LETTERS_PRINTABLE), 'Z') -
                            wri_choice_alphabet(WRI_LETTERS_PRINTABLE));
    subject_is((wri_node){ .kind = WRI_INDEX,
                           .letters = WRI_LETTERS_PRINTABLE,
                           .max = strlen(wri_choice_alphabet(WRI_LETTERS_PRINTABLE)) - 1 });
    CHECK(substituted('a', 'Z', 1, true) == z);
    CHECK(substituted('a', 'Z', 4, true) == z);
    CHECK(substituted('a', '\n', 4, true) == UINT64_MAX);
    subject_is((wri_node){ .kind = WRI_LENGTH, .lo = 10, .max = 90, .number = 4 });
    CHECK(substituted(14, 77, 8, true) == 67);
    CHECK(substituted(14, 3, 8, true) == UINT64_MAX);
}

TEST(what_was_added_to_a_value_stays_added)
{
    subject_is((wri_node){ .kind = WRI_INTEGER, .max = 1000, .number = 10 });
    CHECK(substituted(15, 100, 4, true) == 95);
    CHECK(substituted(15, 7, 4, true) == 2);
    CHECK(substituted(15, 3, 4, true) == UINT64_MAX);
}

TEST(an_element_of_an_array_is_replaced)
{
    wri_trace trace = { 0 };
    uint32_t  wish, found[2] = { 0 };
    log_with(&trace, 5, 6);
    trace.numbers[2] = trace.numbers[4] = 0xabcdef;
    trace.nodes[2].kind = WRI_INDEX;
    for (uint32_t i = 0; i < 200; i++) {
        wri_comparison made = {
            .a = 99, .b = 0xabcdef, .place = i, .when = 3, .width = 4, .constant = true
        };
        uint64_t random = i;
        wri_pool_clear(pool);
        CHECK(wri_substitute(pool, &trace, &made, 1, false, &random, &change, &wish));
        CHECK(change.node == 2 && (change.element == 2 || change.element == 4));
        CHECK(change.number == 99);
        found[change.element == 4]++;
    }
    CHECK(found[0] > 50 && found[1] > 50);
    wri_trace_free(&trace);
}

TEST(wishes_wear_out)
{
    unsigned       tried = 0;
    uint64_t       random = 1;
    uint32_t       wish = 0;
    wri_comparison made[2] = {
        { .a = 77, .b = 10, .place = 1, .when = 4, .width = 4, .constant = true },
        { .a = 78, .b = 10, .place = 2, .when = 4, .width = 4, .constant = true }
    };
    subject_is((wri_node){ .kind = WRI_INTEGER, .max = 1000, .number = 10 });
    wri_pool_clear(pool);
    for (unsigned i = 0; i < 2000; i++)
        tried += wri_substitute(pool, &subject, made, 1, false, &random, &change, &wish);
    CHECK(tried >= 6 && tried < 250);
    CHECK(wri_substitute(pool, &subject, made, 2, false, &random, &change, &wish));
    CHECK(change.number == 78); /* a new one goes first */
    uint32_t old = UINT32_MAX;
    for (unsigned i = 0; i < WRI_POOL_WISHES; i++)
        if (pool->wishes[i].tries >= 6)
            old = i;
    CHECK(old != UINT32_MAX);
    pool->wishes[old].helped = 1; /* what is lost without it is worth it each time */
    for (unsigned i = 0; i < 50; i++)
        CHECK(wri_substitute(pool, &subject, made, 1, true, &random, &change, &wish));
}

int main(int argc, char **argv)
{
    pool = calloc(1, sizeof *pool);
    CHECK(pool != NULL);
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    wri_mutant_free(&mutant);
    wri_trace_free(&plan);
    wri_trace_free(&log_of);
    wri_trace_free(&other_log);
    free(pool);
    return status;
}
