/* tests/machine_unit.c: sequences of calls in the log: both paths agree, whatever a plan says the
 * log that comes of it replays, a call that is taken out takes along what depends on it, and
 * nothing else, and calls that are arranged in another way have the handles that they had.
 */
#include "plan/align.h"
#include "plan/rearrange.h"
#include "lone_case.h"
#include "shrink/shrinker.h"
#include "unit.h"

/* ---- A machine that writes down what is called ---- */

#define MOST 64

typedef struct event {
    int64_t  what;    /* 'm'ake, 'u'se, 'c'ompare, 'e'nd, 'w'rite */
    int64_t  value;   /* of make and write */
    unsigned from[2]; /* the calls that made the handles */
} event;

static event    events[MOST];
static unsigned event_count;
static int64_t  the_objects[MOST]; /* the call that made each; its address is the handle */

static event *note(char what)
{
    CHECK(event_count < MOST);
    events[event_count] = (event){ .what = what };
    return &events[event_count++];
}

static unsigned maker(const wr_call *call, unsigned argument)
{
    return (unsigned)*(int64_t *)wr_handle(call, argument);
}

static void do_make(wr_case *t, wr_call *call)
{
    (void)t;
    the_objects[event_count] = event_count;
    wr_give(call, &the_objects[event_count]);
    note('m')->value = wr_value(call, 0);
}

static void do_use(wr_case *t, wr_call *call)
{
    (void)t;
    note('u')->from[0] = maker(call, 0);
}

static void do_compare(wr_case *t, wr_call *call)
{
    event *now = note('c');
    (void)t;
    now->from[0] = maker(call, 0);
    now->from[1] = maker(call, 1);
}

static void do_end(wr_case *t, wr_call *call)
{
    (void)t;
    note('e')->from[0] = maker(call, 0);
}

static void do_write(wr_case *t, wr_call *call)
{
    (void)t;
    note('w')->value = wr_value(call, 0);
}

static int64_t draw_number(wr_case *t)
{
    return wr_int(t, "n", -1000, 1000);
}

static bool not_negative(const wr_call *call)
{
    return event_count % 7 != 3 && wr_value(call, 0) >= 0;
}

static const wr_kind    FEW = { "few", .values = 5 };
static const wr_kind    NUMBER = { "number", .draw = draw_number };
static const wr_kind    THING = { "thing", .handle = true };
static const wr_command COMMANDS[] = {
    { "make", do_make, .takes = { &FEW }, .gives = &THING },
    { "use", do_use, .takes = { &THING }, .weight = 3 },
    { "compare", do_compare, .takes = { &THING, &THING } },
    { "end", do_end, .takes = { &THING }, .consumes = 1u },
    { "write", do_write, .takes = { &NUMBER } },
    { 0 },
};
static const wr_machine MACHINE = { .commands = COMMANDS };

static const wr_command PARTIAL[] = {
    { "make", do_make, .takes = { &FEW }, .gives = &THING },
    { "use", do_use, .takes = { &THING } },
    { "end", do_end, .takes = { &THING }, .consumes = 1u },
    { "write", do_write, .takes = { &NUMBER }, .when = not_negative },
    { 0 },
};
static const wr_macro MACROS[] = {
    { "through", { "make", "use", "end" }, .weight = 2 },
    { 0 },
};
static const wr_machine PARTIAL_MACHINE = { .commands = PARTIAL, .macros = MACROS, .calls = 30 };

static void play(wr_case *t)
{
    event_count = 0;
    wr_play_(t, &MACHINE, "unit", __FILE__, __LINE__);
}

static void play_partial(wr_case *t)
{
    event_count = 0;
    wr_play_(t, &PARTIAL_MACHINE, "partial", __FILE__, __LINE__);
}

/* ---- Runs ---- */

static wri_trace plan, before;

static void run_aligned(void (*body)(wr_case *t), const wri_trace *by)
{
    static wri_align align;
    wri_aligned      aligned;
    CHECK(wri_align_start(&align, by));
    CHECK(run_as(TRACED, body, 1, wri_answer_aligned(&aligned, &align)) == WRI_PASS);
    wri_align_free(&align);
}

static size_t journal_bytes(void)
{
    return (size_t)(the_case.next - the_case.journal) * sizeof *the_case.journal;
}

TEST(both_paths_agree)
{
    static void (*const BODIES[])(wr_case * t) = { play, play_partial };
    static event first[MOST];
    for (uint64_t seed = 0; seed < 4000; seed++) {
        RUN(BODIES[seed % 2], seed, false);
        size_t      bytes = journal_bytes();
        unsigned    count = event_count;
        wri_record *journal = malloc(bytes + 1);
        memcpy(journal, the_case.journal, bytes);
        memcpy(first, events, sizeof first);
        RUN(BODIES[seed % 2], seed, true);
        CHECK(journal_bytes() == bytes && memcmp(journal, the_case.journal, bytes) == 0);
        CHECK(event_count == count && memcmp(first, events, count * sizeof *events) == 0);
        free(journal);
    }
}

/* ---- Plans ---- */

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

/* Other answers, and some nodes gone. */
static void spoil(uint64_t *random)
{
    for (uint64_t i = below(random, 6); i > 0 && plan.node_count > 1; i--) {
        uint32_t  at = 1 + (uint32_t)below(random, plan.node_count - 1);
        wri_node *node = &plan.nodes[at];
        if (node->what == WRI_CHOICE && below(random, 2) == 0)
            node->number = below(random, node->max + 1);
        else
            wri_cut_mark(&plan, at);
    }
    wri_cut_marked(&plan);
}

/* The log of the last run, exactly. */
static void check_replay(void (*body)(wr_case *t))
{
    static event first[MOST];
    wri_exact    exact;
    unsigned     count = event_count;
    memcpy(first, events, sizeof first);
    CHECK(wri_trace_copy(&before, &the_trace));
    CHECK(run_as(TRACED, body, 99, wri_answer_exactly(&exact, &before)) == WRI_PASS);
    CHECK(wri_exact_done(&exact));
    CHECK(event_count == count && memcmp(first, events, count * sizeof *events) == 0);
}

TEST(whatever_a_plan_says_the_log_replays)
{
    static void (*const BODIES[])(wr_case * t) = { play, play_partial };
    uint64_t random = 5;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        CHECK(run_as(TRACED, BODIES[seed % 2], seed, NULL) == WRI_PASS);
        CHECK(wri_trace_copy(&plan, &the_trace));
        spoil(&random);
        run_aligned(BODIES[seed % 2], &plan);
        /* The length is that of the calls made, whoever is asked. */
        CHECK(the_trace.nodes[1].number == event_count &&
              the_trace.nodes[2].count == event_count);
        CHECK(the_case.journal[0].number == event_count);
        check_replay(BODIES[seed % 2]);
    }
}

/* ---- Taking calls out ---- */

static bool has_handle(const event *now)
{
    return now->what == 'u' || now->what == 'c' || now->what == 'e';
}

static bool depends(const event *now, const bool *gone)
{
    return has_handle(now) && (gone[now->from[0]] || (now->what == 'c' && gone[now->from[1]]));
}

/* What is left of the events when some are gone, with handles named as they are then. */
static unsigned without(event *all, unsigned count, bool *gone)
{
    unsigned moved[MOST], left = 0;
    for (unsigned i = 0; i < count; i++) {
        gone[i] |= depends(&all[i], gone);
        moved[i] = left;
        if (gone[i])
            continue;
        all[left] = all[i];
        if (has_handle(&all[i]))
            all[left].from[0] = moved[all[i].from[0]];
        if (all[i].what == 'c')
            all[left].from[1] = moved[all[i].from[1]];
        left++;
    }
    return left;
}

/* No precondition is in the way in this machine: nothing else is left out. */
TEST(a_call_takes_along_what_depends_on_it_and_nothing_else)
{
    uint64_t random = 9;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        event    expected[MOST];
        bool     gone[MOST] = { 0 };
        unsigned count;
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        if (event_count == 0)
            continue;
        CHECK(wri_trace_copy(&plan, &the_trace));
        memcpy(expected, events, sizeof expected);
        uint64_t from = below(&random, event_count), most = event_count - from;
        uint64_t number = 1 + below(&random, most < 4 ? most : 4);
        for (uint64_t i = 0; i < number; i++)
            gone[from + i] = true;
        count = without(expected, event_count, gone);
        wri_cut_elements(&plan, 1, from, number, false);
        run_aligned(play, &plan);
        CHECK(event_count == count);
        CHECK(memcmp(expected, events, count * sizeof *events) == 0);
    }
}

/* ---- Arranging calls ---- */

static bool is_element(const wri_trace *trace, uint32_t node)
{
    return trace->nodes[node].what == WRI_ELEMENT && trace->nodes[node].parent == 2;
}

/* Elements know their places, before they are arranged and after. */
static unsigned mark_places(wri_trace *trace)
{
    unsigned count = 0;
    for (uint32_t i = 3; i < trace->node_count; i++)
        if (is_element(trace, i))
            trace->nodes[i].max = count++;
    return count;
}

static unsigned read_places(const wri_trace *trace, uint64_t *places)
{
    unsigned count = 0;
    for (uint32_t i = 3; i < trace->node_count; i++)
        if (is_element(trace, i) && count < MOST)
            places[count++] = trace->nodes[i].max;
    return count;
}

/* The last call before `end` that is the one that was at a place; `end`: there is none. */
static unsigned last_copy(const uint64_t *places, unsigned end, unsigned place)
{
    for (unsigned i = end; i-- > 0;)
        if (places[i] == place)
            return i;
    return end;
}

/* How far all calls have living handles that they had before; `expected` is what they then are.
 */
static unsigned expect(const event *old, const uint64_t *places, unsigned count, event *expected)
{
    bool dead[MOST] = { 0 };
    for (unsigned i = 0; i < count; i++) {
        expected[i] = old[places[i]];
        for (unsigned k = 0; k < (expected[i].what == 'c' ? 2u : has_handle(&expected[i])); k++) {
            unsigned from = last_copy(places, i, expected[i].from[k]);
            if (from == i || dead[from])
                return i;
            expected[i].from[k] = from;
            dead[from] = expected[i].what == 'e';
        }
    }
    return count;
}

TEST(calls_that_are_arranged_have_the_handles_that_they_had)
{
    static const wri_arrangement HOW[] = { WRI_DROP, WRI_DOUBLE, WRI_SWAP };
    uint64_t                     random = 11, compared = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        event    old[MOST], expected[MOST];
        uint64_t places[MOST];
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        memcpy(old, events, sizeof old);
        CHECK(mark_places(&the_trace) == event_count);
        if (!wri_rearrange_elements(&plan, &the_trace, 1, HOW[seed % 3], &the_trace, &random))
            continue;
        unsigned sure = expect(old, places, read_places(&plan, places), expected);
        run_aligned(play, &plan);
        sure = sure < event_count ? sure : event_count; /* no more than the longest */
        CHECK(memcmp(expected, events, sure * sizeof *events) == 0);
        compared += sure;
    }
    CHECK(compared > 30000);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    wri_trace_free(&plan);
    wri_trace_free(&before);
    free_case();
    puts("machine: all checks passed");
    return status;
}
