/* tests/combined.c: properties for combined_test.c. */
#include <stdlib.h>
#include <warren.h>

enum { FAST, SLOW, SAFE };
static const wr_constant MODES[] = { WR_CONSTANT(FAST), WR_CONSTANT(SLOW), WR_CONSTANT(SAFE) };

/* The bug is that draw i has a certain value, for each bit i that is set in BUG. */
static bool in_the_bug(unsigned which, bool there)
{
    const char *bug = getenv("BUG");
    return there || bug == NULL || (strtoul(bug, NULL, 10) >> which & 1) == 0;
}

WR_PROPERTY(has_a_bug_of_some_draws)
{
    bool    cold = wr_bool(t, "cold"), dry = wr_bool(t, "dry");
    size_t  kind = wr_pick(t, "kind", 5);
    int64_t size = wr_int(t, "size", -100, 1000), rate = wr_int(t, "rate", 1, 500);
    int64_t mode = wr_enum(t, "mode", 3, MODES);
    size_t  count = wr_size(t, "count", 0, 20);
    bool    none = getenv("BUG") == NULL;
    wr_assert(t,
              none || !(in_the_bug(0, cold) && in_the_bug(1, !dry) && in_the_bug(2, kind == 3) &&
                        in_the_bug(3, size == -100) && in_the_bug(4, rate == 499) &&
                        in_the_bug(5, mode == SAFE) && in_the_bug(6, count == 20)));
}

WR_PROPERTY(has_draws_of_every_sort)
{
    bool     flag = wr_bool(t, "flag");
    int64_t  size = wr_int(t, "size", -100, 1000);
    double   share = wr_double(t, "share", 0, 1);
    int64_t  mode = wr_enum(t, "mode", 3, MODES);
    size_t   n = wr_size(t, "n", 0, 9);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 99);
    int64_t  again = wr_int(t, "size", 0, 50);
    int64_t  extra = mode == SAFE ? wr_int(t, "extra", 0, 7) : -1;
    wr_label(t, "%s", mode == SAFE ? "safe" : "other");
    wr_assert(t, !(flag && size == -7 && share == 0.5 && n == 3 && xs[0] == 42 && again == 9 &&
                   extra == 5));
}

WR_PROPERTY(refutes_a_pair)
{
    bool   a = wr_bool(t, "a"), b = wr_bool(t, "b");
    size_t kind = wr_pick(t, "kind", 3);
    wr_assume(t, !(a && b));
    if (kind == 1)
        wr_int(t, "wide", 0, 1000000);
}

WR_PROPERTY(refutes_a_pair_of_few)
{
    bool   a = wr_bool(t, "a"), b = wr_bool(t, "b");
    size_t kind = wr_pick(t, "kind", 3);
    wr_assume(t, !(a && b) || kind == 2);
    wr_assume(t, !(a && kind == 0));
}

WR_PROPERTY(relates_draws)
{
    bool a = wr_bool(t, "a"), b = wr_bool(t, "b");
    bool c = wr_bool(t, "c"), d = wr_bool(t, "d");
    wr_relate(t, 4, 4, (const char *const[]){ "a", "b", "c", "d" });
    wr_assert(t, getenv("BUG") == NULL || !(a && !b && c && !d));
}

WR_PROPERTY(relates_a_draw_that_is_not_there)
{
    wr_bool(t, "a");
    wr_bool(t, "b");
    wr_relate(t, 2, 2, (const char *const[]){ "a", "c" });
}

WR_PROPERTY(relates_one_draw)
{
    wr_bool(t, "a");
    wr_relate(t, 1, 1, (const char *const[]){ "a" });
}

/* Labels change at 640; nothing else tells of it. */
WR_PROPERTY(has_an_edge_in_the_middle)
{
    bool    on = wr_bool(t, "on");
    int64_t x = wr_int(t, "x", 0, 1000000), y = wr_int(t, "y", 0, 1000000);
    wr_label(t, "%s", on && x > 271828 ? "far" : "near");
    wr_assert(t, !(on && x == 271829 && y > 3));
}

WR_PROPERTY(crashes_at_both_ends)
{
    int64_t x = wr_int(t, "x", 0, 100000), y = wr_int(t, "y", 0, 100000);
    if (x == 0 && y == 100000)
        abort();
}

/* Its code knows both values. */
WR_PROPERTY(has_a_bug_behind_constants)
{
    int64_t number = wr_int(t, "number", INT64_MIN, INT64_MAX);
    double  real = wr_double(t, "real", -1000, 1000);
    wr_assert(t, number < 4034717 || number > 4034718 || real != 81.40625);
}

typedef struct model {
    int64_t sum;
} model;

static void add(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    m->sum += wr_value(call, 0);
    wr_assert(t, m->sum != 7);
}

static void take(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    m->sum--;
    wr_assert(t, m->sum > -4);
}

static const wr_kind    NUMBER = { "number", .values = 5 };
static const wr_command COMMANDS[] = { { "add", add, .takes = { &NUMBER } },
                                       { .name = "take", .call = take },
                                       { 0 } };
WR_MACHINE(sums, .commands = COMMANDS, .model_size = sizeof(model));
