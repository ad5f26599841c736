/* tests/machines_coupled.c: machines whose bugs depend on numbers, alone and together: sums,
 * remainders, distances, thresholds, a few that are special, one that is as large as something
 * else. Behind each is a second bug, of three calls, that a rule which says too much would hide.
 */
#include <warren.h>

typedef struct model {
    int64_t noted; /* plus one */
    int64_t kept;  /* likewise */
    int64_t size;
    bool    ready;
} model;

static int64_t draw_number(wr_case *t)
{
    return wr_int(t, NULL, 0, 999);
}

static const wr_kind NUMBER = { "number", .draw = draw_number };
static const wr_kind DIGIT = { "digit", .values = 10 };
static const wr_kind OTHER = { "other", .values = 10 };

/* ---- The second bug: what was noted last is 3, and it is closed and opened ---- */

static void note(wr_call *call, int64_t number)
{
    model *m = wr_model(call);
    m->noted = number + 1;
    m->ready = false;
}

static void do_close(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->ready = true;
}

static void do_open(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    wr_assert(t, !m->ready || m->noted != 3 + 1);
}

/* ---- The first: two numbers ---- */

#define COUPLED(name_, kind_, wrong_)                                                            \
    static void do_##name_(wr_case *t, wr_call *call)                                            \
    {                                                                                            \
        int64_t a = wr_value(call, 0), b = wr_value(call, 1);                                    \
        (void)b;                                                                                 \
        wr_assert(t, !(wrong_));                                                                 \
        note(call, a);                                                                           \
    }                                                                                            \
    static const wr_command name_##_commands[] = {                                               \
        { "use", do_##name_, .takes = { &kind_, &kind_ } },                                      \
        { .name = "close", .call = do_close },                                                   \
        { .name = "open", .call = do_open },                                                     \
        { 0 },                                                                                   \
    };                                                                                           \
    WR_MACHINE(name_, .commands = name_##_commands, .model_size = sizeof(model))

COUPLED(sum_of_digits, DIGIT, a + b == 7);
COUPLED(sum_of_numbers, NUMBER, a + b == 700);
COUPLED(remainder_of_digits, DIGIT, a % 4 == 1);
COUPLED(remainder_of_numbers, NUMBER, a % 7 == 2);
COUPLED(distance_of_digits, DIGIT, b - a == 3);
COUPLED(distance_of_numbers, NUMBER, b - a == 3);
COUPLED(threshold_of_digits, DIGIT, a >= 6);
COUPLED(threshold_of_numbers, NUMBER, a >= 100);
COUPLED(two_thresholds, NUMBER, a >= 100 && b < 300);
COUPLED(sum_that_is_large, NUMBER, a + b >= 1500);
COUPLED(special_numbers, NUMBER, a == 13 || a == 77);
COUPLED(one_of_them_is_zero, DIGIT, a * b == 0);

/* ---- A number of another kind that is the same ---- */

static void do_keep(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->kept = wr_value(call, 0) + 1;
}

static void do_compare(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    wr_assert(t, m->kept != wr_value(call, 0) + 1);
    note(call, wr_value(call, 0));
}

static const wr_command EARLIER[] = {
    { "keep", do_keep, .takes = { &DIGIT } },
    { "compare", do_compare, .takes = { &OTHER } },
    { .name = "close", .call = do_close },
    { .name = "open", .call = do_open },
    { 0 },
};
WR_MACHINE(earlier_argument, .commands = EARLIER, .model_size = sizeof(model));

/* ---- An index that is the size ---- */

static void do_push(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->size++;
}

static void do_clear(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->size = 0;
}

static void do_look(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    wr_assert(t, m->size == 0 || m->size != wr_value(call, 0));
    note(call, wr_value(call, 0));
}

static const wr_command INDEXED[] = {
    { "push", do_push, .takes = { &NUMBER } },
    { .name = "clear", .call = do_clear },
    { "look", do_look, .takes = { &DIGIT } },
    { .name = "close", .call = do_close },
    { .name = "open", .call = do_open },
    { 0 },
};
WR_MACHINE(index_that_is_the_size, .commands = INDEXED, .model_size = sizeof(model));

/* ---- The same calls, and two places where they fail ---- */

static void do_arm(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->ready = true;
}

static void do_fire(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    if (wr_value(call, 0) == 3)
        wr_assert(t, !m->ready && "it is armed, and the digit is 3");
    wr_assert(t, !m->ready);
}

static const wr_command TWO_PLACES[] = {
    { .name = "arm", .call = do_arm },
    { "fire", do_fire, .takes = { &DIGIT } },
    { 0 },
};
WR_MACHINE(two_places, .commands = TWO_PLACES, .model_size = sizeof(model));

/* ---- More ways to fail than rules can say: what is taken is in six pieces ---- */

static int pieces(int64_t taken)
{
    return __builtin_popcountll((uint64_t)taken & ~((uint64_t)taken << 1));
}

static void do_take(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    m->kept |= INT64_C(1) << wr_value(call, 0);
    wr_assert(t, pieces(m->kept) < 6);
}

static void do_give_back(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    m->kept &= ~(INT64_C(1) << wr_value(call, 0));
    wr_assert(t, pieces(m->kept) < 6);
}

static const wr_kind PLACE = { "place", .values = 20 };
static const wr_command PIECES[] = {
    { "take", do_take, .takes = { &PLACE } },
    { "give_back", do_give_back, .takes = { &PLACE } },
    { 0 },
};
WR_MACHINE(many_pieces, .commands = PIECES, .model_size = sizeof(model));
