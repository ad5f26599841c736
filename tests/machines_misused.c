/* tests/machines_misused.c: machines that make no sense, each in one way. */
#include <warren.h>

static void nothing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static void gives(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, 1));
}

static bool same(const void *a, const void *b)
{
    return a == b;
}

static uint64_t hash(const void *a)
{
    return (uintptr_t)a;
}

static int64_t draw(wr_case *t)
{
    return wr_int(t, NULL, 0, 9);
}

static int64_t nothing_of(int64_t value)
{
    return value & 0;
}

static const wr_kind FEW = { "few", .values = 3 };
static const wr_kind THING = { "thing", .handle = true };

#define MACHINE_OF(machine, ...)                                                                 \
    static const wr_command COMMANDS_##machine[] = { __VA_ARGS__, { 0 } };                       \
    WR_MACHINE(machine, .commands = COMMANDS_##machine)

static const wr_command NO_COMMANDS[] = { { 0 } };
WR_MACHINE(has_no_commands, .commands = NO_COMMANDS);
WR_MACHINE(has_no_table, .calls = 3);

MACHINE_OF(has_no_function, { .name = "f" });
MACHINE_OF(has_no_name, { .name = "f", .call = nothing }, { .call = nothing });
MACHINE_OF(has_two_of_a_name, { "f", nothing, .weight = 1 }, { "f", nothing, .weight = 1 });
MACHINE_OF(has_an_empty_name, { "", nothing, .weight = 1 });
MACHINE_OF(has_an_odd_name, { "g h(", nothing, .weight = 1 });
MACHINE_OF(has_a_number_for_a_name, { "1", nothing, .weight = 1 });
MACHINE_OF(nobody_gives, { "f", nothing, .takes = { &THING } });
MACHINE_OF(gives_a_value, { "f", gives, .gives = &FEW });
MACHINE_OF(consumes_a_value, { "f", nothing, .takes = { &FEW }, .consumes = 1u });
MACHINE_OF(consumes_too_much, { "f", nothing, .takes = { &FEW }, .consumes = 2u });

static const wr_kind NAMELESS = { .values = 3 };
MACHINE_OF(kind_without_a_name, { "f", nothing, .takes = { &NAMELESS } });
static const wr_kind UNSORTED = { "unsorted", .values = 0 };
MACHINE_OF(kind_of_no_sort, { "f", nothing, .takes = { &UNSORTED } });
static const wr_kind BOTH = { "both", .values = 3, .draw = draw };
MACHINE_OF(kind_of_two_sorts, { "f", nothing, .takes = { &BOTH } });
static int64_t draw_inside(wr_case *t, const void *model)
{
    (void)model;
    return wr_int(t, NULL, 0, 3);
}
static const wr_kind INNER = { "inner", .draw_in = draw_inside };
MACHINE_OF(draws_in_no_model, { "f", nothing, .takes = { &INNER } });
static const wr_kind SAME_NAME = { "few", .values = 4 };
MACHINE_OF(kinds_of_a_name, { "f", nothing, .takes = { &FEW, &SAME_NAME } });
static const wr_kind EQUAL_VALUES = { "values", .values = 3, .equal = same };
MACHINE_OF(value_with_a_contract, { "f", nothing, .takes = { &EQUAL_VALUES } });
static const wr_kind HASHED = { "hashed", .handle = true, .hash = hash };
MACHINE_OF(hash_without_equal, { "f", gives, .gives = &HASHED });
static const wr_kind SYMMETRIC = { "symmetric", .symmetric = true, .handle = true };
MACHINE_OF(symmetric_handle, { "f", gives, .gives = &SYMMETRIC });

#define KINDS_OF(letter)                                                                         \
    { letter "1", .values = 2 }, { letter "2", .values = 2 }, { letter "3", .values = 2 },       \
        { letter "4", .values = 2 }, { letter "5", .values = 2 }, { letter "6", .values = 2 },   \
        { letter "7", .values = 2 },                                                             \
    {                                                                                            \
        letter "8", .values = 2                                                                  \
    }
static const wr_kind MANY[] = { KINDS_OF("a"), KINDS_OF("b"), KINDS_OF("c"),
                                KINDS_OF("d"), KINDS_OF("e"), KINDS_OF("f"),
                                KINDS_OF("g"), KINDS_OF("h"), { "i", .values = 2 } };
#define TAKES(from)                                                                              \
    {                                                                                            \
        &MANY[from], &MANY[from + 1], &MANY[from + 2], &MANY[from + 3], &MANY[from + 4],         \
            &MANY[from + 5], &MANY[from + 6], &MANY[from + 7]                                    \
    }
MACHINE_OF(has_too_many_kinds, { "a", nothing, .takes = TAKES(0) },
           { "b", nothing, .takes = TAKES(8) }, { "c", nothing, .takes = TAKES(16) },
           { "d", nothing, .takes = TAKES(24) }, { "e", nothing, .takes = TAKES(32) },
           { "f", nothing, .takes = TAKES(40) }, { "g", nothing, .takes = TAKES(48) },
           { "h", nothing, .takes = TAKES(56) }, { "i", nothing, .takes = { &MANY[64] } });

static const wr_command FINE[] = { { "f", nothing, .weight = 1 }, { 0 } };
static const wr_macro   UNKNOWN[] = { { "m", { "g" }, .weight = 1 }, { 0 } };
WR_MACHINE(macro_of_an_unknown, .commands = FINE, .macros = UNKNOWN);
static const wr_macro NOTHING[] = { { .name = "m" }, { 0 } };
WR_MACHINE(macro_of_nothing, .commands = FINE, .macros = NOTHING);
static void free_nothing(void *from)
{
    (void)from;
}
WR_MACHINE(frees_and_copies_not, .commands = FINE, .free = free_nothing, .model_size = 8);
WR_MACHINE(far_too_long, .commands = FINE, .calls = SIZE_MAX);

/* ---- What a function does ---- */

MACHINE_OF(gives_without_saying, { "f", gives, .weight = 1 });

static void gives_twice(wr_case *t, wr_call *call)
{
    gives(t, call);
    gives(t, call);
}
MACHINE_OF(gives_two, { "f", gives_twice, .gives = &THING });

static void value_of_a_handle(wr_case *t, wr_call *call)
{
    (void)t;
    wr_value(call, 0);
}
MACHINE_OF(asks_a_handle_for_its_value, { "f", gives, .gives = &THING },
           { "g", value_of_a_handle, .takes = { &THING } });

static void handle_of_a_value(wr_case *t, wr_call *call)
{
    (void)t;
    wr_handle(call, 0);
}
MACHINE_OF(asks_a_value_for_its_handle, { "g", handle_of_a_value, .takes = { &FEW } });
MACHINE_OF(asks_for_too_much, { "g", handle_of_a_value, .weight = 1 });

static void opens_a_span(wr_case *t, wr_call *call)
{
    (void)call;
    wr_begin(t, "half");
}
MACHINE_OF(leaves_a_span_open, { "f", opens_a_span, .weight = 1 });

static void looks_at_the_model(wr_case *t, wr_call *call)
{
    (void)t;
    (void)wr_model(call);
}
MACHINE_OF(has_no_model, { "f", looks_at_the_model, .weight = 1 });

static void changes(wr_case *t, wr_call *call)
{
    (void)t;
    ++*(int *)wr_model(call);
}
static const wr_command OBSERVERS[] = { { "look", changes, .observer = true }, { 0 } };
WR_MACHINE(observer_changes, .commands = OBSERVERS, .model_size = sizeof(int));

static bool gives_in_when(const wr_call *call)
{
    wr_give((wr_call *)(uintptr_t)call, (void *)(uintptr_t)call);
    return true;
}
MACHINE_OF(gives_too_early, { "f", gives, .gives = &THING, .when = gives_in_when });

static const wr_kind NAMES = { "names", .values = 3, .symmetric = true, .abstract = nothing_of };
MACHINE_OF(abstracts_what_is_symmetric, { "f", nothing, .takes = { &NAMES } });
