/* tests/machines_coupled.c: machines whose bugs depend on numbers, alone and together: sums,
 * remainders, distances, thresholds, a few that are special, one that is as large as something
 * else. Behind each is a second bug, of three calls, that a rule which says too much would hide.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warren.h>

typedef struct model {
    int64_t  noted; /* plus one */
    int64_t  kept;  /* likewise */
    int64_t  size, total;
    unsigned held; /* 1u << digit */
    bool     ready;
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
COUPLED(one_of_them_is_zero, DIGIT, a *b == 0);

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
    { "push", do_push, .takes = { &NUMBER } }, { .name = "clear", .call = do_clear },
    { "look", do_look, .takes = { &DIGIT } },  { .name = "close", .call = do_close },
    { .name = "open", .call = do_open },       { 0 },
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

/* ---- What calls add up to ---- */

static void do_add(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->size++;
    m->total += wr_value(call, 0);
    m->held |= 1u << wr_value(call, 0);
    note(call, wr_value(call, 0));
}

/* `wrong_` is what must not be when it is asked for a number. */
#define HELD(name_, kind_, wrong_)                                                               \
    static void do_##name_(wr_case *t, wr_call *call)                                            \
    {                                                                                            \
        const model *m = wr_model(call);                                                         \
        int64_t      number = wr_value(call, 0);                                                 \
        (void)number;                                                                            \
        wr_assert(t, !(wrong_));                                                                 \
    }                                                                                            \
    static const wr_command name_##_commands[] = {                                               \
        { "add", do_add, .takes = { &DIGIT } },                                                  \
        { "has", do_##name_, .takes = { &kind_ } },                                              \
        { .name = "close", .call = do_close },                                                   \
        { .name = "open", .call = do_open },                                                     \
        { 0 },                                                                                   \
    };                                                                                           \
    WR_MACHINE(name_, .commands = name_##_commands, .model_size = sizeof(model))

static bool holds(const model *m, int64_t digit)
{
    return (m->held >> digit & 1) != 0;
}

HELD(total_that_is_exact, DIGIT, m->total == 8);
HELD(number_that_is_the_total, NUMBER, m->size > 0 && number == m->total);
HELD(number_that_is_twice_the_size, NUMBER, m->size > 0 && number == 2 * m->size);
HELD(number_below_the_size, NUMBER, number < m->size);
HELD(number_large_for_the_size, NUMBER, m->size > 0 && number + m->size >= 900);

/* ---- Two bugs, one of which needs more calls ---- */

HELD(two_digits, DIGIT, (number == 4 && m->size > 0) || (number == 7 && m->size >= 3));
HELD(two_that_are_held, DIGIT, holds(m, 4) || (holds(m, 7) && m->size >= 3));
HELD(one_digit_and_three, DIGIT, (number == 5 && holds(m, 5)) || m->size >= 3);
/* ---- Keys that leave the same when they are divided, with something between them ---- */

static const wr_kind KEY = { "key", .values = 24 };

static void do_pair(wr_case *t, wr_call *call)
{
    int64_t first = wr_value(call, 0), second = wr_value(call, 2);
    wr_assert(t, first == second || first % 8 != second % 8);
    note(call, first);
}

static const wr_command KEYS[] = {
    { "pair", do_pair, .takes = { &KEY, &DIGIT, &KEY } },
    { .name = "close", .call = do_close },
    { .name = "open", .call = do_open },
    { 0 },
};
WR_MACHINE(keys_that_collide, .commands = KEYS, .model_size = sizeof(model));

/* ---- What functions draw is the number that they give, or a pointer ---- */

static int64_t draw_of_two(wr_case *t)
{
    int64_t tens = wr_int(t, NULL, 0, 9);
    return 10 * tens + wr_int(t, NULL, 0, 9);
}

static int64_t draw_large(wr_case *t)
{
    return 5000 + wr_int(t, NULL, 0, 999);
}

static int64_t draw_word(wr_case *t)
{
    return (int64_t)(intptr_t)wr_text_of(t, NULL, "ab", 0, 3);
}

static void show_word(wr_out *out, int64_t word)
{
    wr_put(out, "\"%s\"", (const char *)(intptr_t)word);
}

static const wr_kind OF_TWO = { "of_two", .draw = draw_of_two };
static const wr_kind LARGE = { "large", .draw = draw_large };
static const wr_kind WORD = { "word", .draw = draw_word, .show = show_word };

static void do_take(wr_case *t, wr_call *call)
{
    wr_assert(t, wr_value(call, 0) != 47);
}

static void do_weigh(wr_case *t, wr_call *call)
{
    wr_assert(t, wr_value(call, 0) < 5300);
}

static void do_say(wr_case *t, wr_call *call)
{
    wr_assert(t, strcmp(wr_pointer(call, 0), "ba") != 0);
}

static const wr_command TAKING[] = { { "take", do_take, .takes = { &OF_TWO } }, { 0 } };
static const wr_command WEIGHING[] = { { "weigh", do_weigh, .takes = { &LARGE } }, { 0 } };
static const wr_command SAYING[] = { { "say", do_say, .takes = { &WORD } }, { 0 } };
WR_MACHINE(number_of_two_choices, .commands = TAKING);
WR_MACHINE(number_that_is_moved, .commands = WEIGHING);
WR_MACHINE(word_that_is_shown, .commands = SAYING);

/* ---- Calls that are known to be bugs from the beginning ---- */

/* How much there is room for is known when .start has seen it, and not before. */
static const int64_t *room;

static void see_room(wr_case *t, void *m)
{
    static const int64_t SEEN = 4;
    (void)t;
    (void)m;
    room = &SEEN;
}

static int64_t up_to_room(int64_t length)
{
    return length > *room ? *room + 1 : length;
}

static void do_put_in(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    m->size++;
    wr_assert(t, wr_value(call, 0) <= 4);
}

static void do_take_out(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    wr_assert(t, m->size <= 3);
}

static const wr_kind    LENGTH = { "length", .values = 16, .abstract = up_to_room };
static const wr_command ROOM[] = {
    { "put_in", do_put_in, .takes = { &LENGTH } },
    { .name = "take_out", .call = do_take_out },
    { 0 },
};
WR_MACHINE(length_that_start_knows, .commands = ROOM, .start = see_room,
           .model_size = sizeof(model));

/* Nothing else may be called. */
static bool is_third(const wr_call *call)
{
    return wr_value(call, 0) == 3;
}

static void do_step(wr_case *t, wr_call *call)
{
    wr_assert(t, wr_value(call, 0) != 3);
}

static const wr_kind    STEP = { "step", .values = 8 };
static const wr_command STEPS[] = { { "step", do_step, .takes = { &STEP }, .when = is_third },
                                    { 0 } };
WR_MACHINE(step_that_is_known, .commands = STEPS);

/* Whoever makes it leaves a trace. */
static void do_known(wr_case *t, wr_call *call)
{
    const char *path = getenv("BEHAVE_LOG");
    FILE       *file = path == NULL ? NULL : fopen(path, "a");
    (void)call;
    if (file != NULL)
        fclose(file);
    wr_assert(t, file == NULL);
}

static void do_nothing(wr_case *t, wr_call *call)
{
    (void)t;
    (void)call;
}

static const wr_kind    HUNDRED = { "hundred", .values = 100 };
static const wr_command TRACED[] = {
    { "known", do_known, .takes = { &HUNDRED } },
    { .name = "rest", .call = do_nothing },
    { 0 },
};
WR_MACHINE(call_that_is_never_made, .commands = TRACED);

/* ---- More ways to fail than rules can say: what is taken is in six pieces ---- */

static int pieces(int64_t taken)
{
    return __builtin_popcountll((uint64_t)taken & ~((uint64_t)taken << 1));
}

static void do_take_place(wr_case *t, wr_call *call)
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

static const wr_kind    PLACE = { "place", .values = 20 };
static const wr_command PIECES[] = {
    { "take", do_take_place, .takes = { &PLACE } },
    { "give_back", do_give_back, .takes = { &PLACE } },
    { 0 },
};
WR_MACHINE(many_pieces, .commands = PIECES, .model_size = sizeof(model));
