/* tests/machines_api.c: machines of APIs that do what real ones do: calls that take an argument
 * only if they succeed, handles that die with others, ids, callbacks, systems apart from their
 * models, known bugs, and calls with several results.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

static const wr_kind FEW = { "few", .values = 3 };
static const wr_kind THING = { "thing", .handle = true };

static void gives(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, 1));
}

/* ---- A call that takes its argument only if it succeeds ---- */

/* A box has room for one parcel. A parcel that found no room stays with its sender, and is
 * marked: the planted bug. */
typedef struct parcel {
    bool refused, there;
} parcel;

static int parcels_there;

static void release_parcel(void *handle)
{
    parcels_there--;
    free(handle);
}

static const wr_kind PARCEL = { "parcel", .handle = true, .type = "parcel *",
                                .release = release_parcel };

static void start_posting(wr_case *t, void *state)
{
    (void)state;
    wr_assert(t, parcels_there == 0 && "each parcel was freed once");
}

static void do_pack(wr_case *t, wr_call *call)
{
    parcel *p = calloc(1, sizeof *p);
    (void)t;
    p->there = true;
    parcels_there++;
    wr_give(call, p);
}

static void do_post(wr_case *t, wr_call *call)
{
    parcel *p = wr_handle(call, 0), **box = wr_model(call);
    wr_assert(t, p->there && "no dead handle is passed");
    if (*box == NULL) {
        *box = p;
        p->there = false;
        return;
    }
    p->refused = true;
    wr_keep(call, 0);
}

static void do_fetch(wr_case *t, wr_call *call)
{
    parcel **box = wr_model(call);
    (void)t;
    if (*box != NULL)
        release_parcel(*box);
    *box = NULL;
}

static void do_weigh(wr_case *t, wr_call *call)
{
    const parcel *p = wr_handle(call, 0);
    wr_assert(t, p->there && "no dead handle is weighed");
    wr_assert(t, !p->refused && "planted");
}

static void stop_posting(wr_case *t, void *state)
{
    parcel **box = state;
    (void)t;
    if (*box != NULL)
        release_parcel(*box);
}

static const wr_command POST[] = {
    { "pack", do_pack, .gives = &PARCEL },
    { "post", do_post, .takes = { &PARCEL }, .consumes = 1u << 0 },
    { "fetch", do_fetch, .weight = 1 },
    { "weigh", do_weigh, .takes = { &PARCEL } },
    { 0 },
};
WR_MACHINE(parcels_come_back, .commands = POST, .model_size = sizeof(parcel *),
           .start = start_posting, .stop = stop_posting);

/* ---- Handles that die with others, and handles that are numbers ---- */

/* A shop lets ids of trees and of their leaves, from 0 on. A tree that is felled takes its leaves
 * along. The planted bug: a leaf cannot be turned if a tree was felled after it had come. */
typedef struct garden {
    int      trees, leaves;     /* all that there ever were */
    int      tree_of[64];       /* by number of a leaf: the tree's id */
    int64_t  felled, grown[64]; /* by number of a leaf: how many trees were felled before it */
    uint64_t green;
    int64_t  released;
} garden;

static int things_released;

static void release_id(void *handle)
{
    (void)handle;
    things_released++;
}

static const wr_kind TREE = { "tree", .handle = true, .type = "int", .release = release_id };
static const wr_kind LEAF = { "leaf", .handle = true, .type = "int", .release = release_id };

static void do_plant(wr_case *t, wr_call *call)
{
    garden *g = wr_model(call);
    (void)t;
    wr_give_id(call, g->trees++);
}

static void do_grow(wr_case *t, wr_call *call)
{
    garden *g = wr_model(call);
    wr_assert_lt(t, wr_id(call, 0), g->trees);
    unsigned number = wr_give_id(call, g->leaves++);
    g->tree_of[number] = (int)wr_id(call, 0);
    g->grown[number] = g->felled;
    g->green |= UINT64_C(1) << number;
}

static void do_fell(wr_case *t, wr_call *call)
{
    garden *g = wr_model(call);
    (void)t;
    for (unsigned i = 0; i < 64; i++)
        if ((g->green >> i & 1) != 0 && g->tree_of[i] == wr_id(call, 0)) {
            wr_dead(call, &LEAF, i);
            g->green &= ~(UINT64_C(1) << i);
        }
    g->felled++;
}

static void do_turn(wr_case *t, wr_call *call)
{
    const garden *g = wr_model(call);
    unsigned      number = wr_number(call, 0);
    wr_assert(t, (g->green >> number & 1) != 0 && "no dead leaf is turned");
    wr_assert(t, g->grown[number] == g->felled && "planted");
}

/* What is alive at the end is released, and nothing else. */
static void stop_garden(wr_case *t, void *state)
{
    const garden *g = state;
    wr_assert(t, things_released == __builtin_popcountll(g->green) + g->trees - (int)g->felled);
    things_released = 0;
}

static const wr_command GARDEN[] = {
    { "plant", do_plant, .gives = &TREE },
    { "grow", do_grow, .takes = { &TREE }, .gives = &LEAF },
    { "fell", do_fell, .takes = { &TREE }, .consumes = 1u << 0 },
    { "turn", do_turn, .takes = { &LEAF } },
    { 0 },
};
WR_MACHINE(leaves_die_with_their_tree, .commands = GARDEN, .model_size = sizeof(garden),
           .stop = stop_garden);

/* ---- A system apart from its model ---- */

/* A stack remembers the last answer, whatever is asked: the model does not. The planted bug: it
 * counts three only. */
typedef struct counter {
    int  count, asked;
    int *memory; /* another address in each case */
} counter;

static void start_counter(wr_case *t, void *model)
{
    counter *c = wr_system_of(t);
    wr_assert(t, c->count == 0 && c->memory == NULL && *(int *)model == 0);
    c->memory = malloc(sizeof *c->memory);
}

static void stop_counter(wr_case *t, void *model)
{
    counter *c = wr_system_of(t);
    (void)model;
    free(c->memory);
}

static void counts_agree(wr_case *t, void *model)
{
    const counter *c = wr_system_of(t);
    wr_assert_eq(t, c->count, *(int *)model);
}

static void do_count(wr_case *t, wr_call *call)
{
    counter *c = wr_system(call);
    int     *model = wr_model(call);
    (void)t;
    c->count += c->count < 3;
    ++*model;
}

static bool below_three(const wr_call *call)
{
    return *(const int *)wr_model(call) < 3;
}

static void do_ask(wr_case *t, wr_call *call)
{
    counter *c = wr_system(call);
    (void)t;
    *c->memory = ++c->asked;
}

static const wr_command COUNTER[] = {
    { "count_up", do_count, .weight = 1 },
    { "ask", do_ask, .observer = true },
    { 0 },
};
WR_MACHINE(counter_counts_three, .commands = COUNTER, .model_size = sizeof(int),
           .system_size = sizeof(counter), .start = start_counter, .stop = stop_counter,
           .invariant = counts_agree);

static const wr_command UP_TO_THREE[] = {
    { "count_up", do_count, .when = below_three },
    { "ask", do_ask, .observer = true },
    { 0 },
};
WR_MACHINE(counter_is_right, .commands = UP_TO_THREE, .model_size = sizeof(int),
           .system_size = sizeof(counter), .start = start_counter, .stop = stop_counter,
           .invariant = counts_agree);

/* ---- Callbacks ---- */

/* A bus calls back with its lock held. The planted bug: it delivers a message twice, if another
 * one was sent before. */
typedef struct bus {
    bool locked;
    int  sent, delivered;
    void (*deliver)(struct bus *b, int64_t message);
} bus;

static void on_delivery(bus *b, int64_t message)
{
    if (++b->delivered > b->sent)
        wr_fail_later("message %d was delivered twice", (int)message);
    if (b->delivered > b->sent)
        wr_fail_later("this is the second failure");
}

static void start_bus(wr_case *t, void *model)
{
    bus *b = wr_system_of(t);
    (void)model;
    b->deliver = on_delivery;
}

static void do_send(wr_case *t, wr_call *call)
{
    bus *b = wr_system(call);
    wr_assert(t, !b->locked && "the lock was left");
    b->locked = true;
    *(int *)wr_model(call) = ++b->sent;
    b->deliver(b, wr_value(call, 0));
    if (b->sent > 1 && wr_value(call, 0) == 2)
        b->deliver(b, wr_value(call, 0));
    b->locked = false;
}

static const wr_command BUS[] = { { "send", do_send, .takes = { &FEW } }, { 0 } };
WR_MACHINE(messages_come_once, .commands = BUS, .model_size = sizeof(int),
           .system_size = sizeof(bus), .start = start_bus);

/* ---- Known bugs ---- */

/* A file loses what is appended to it at the size of 2: that is known. Another bug is not: at the
 * size of 4 it cannot be read. If it is appended later, a callback tells of the known one. */
typedef struct log_file {
    int size;
} log_file;

static void do_append(wr_case *t, wr_call *call)
{
    log_file *f = wr_system(call);
    int      *size = wr_model(call), before = f->size;
    int       more = (int)wr_value(call, 0);
    f->size += before == 2 ? 0 : more;
    wr_assert_eq(t, f->size, before + more);
    *size = f->size;
}

static void do_append_later(wr_case *t, wr_call *call)
{
    const log_file *f = wr_system(call);
    (void)t;
    if (f->size == 2)
        wr_fail_later("nothing was appended");
}

static void do_read(wr_case *t, wr_call *call)
{
    wr_assert(t, *(int *)wr_model(call) != 4 && "planted");
}

static bool loses(const wr_call *call)
{
    return *(const int *)wr_model(call) == 2 && wr_value(call, 0) > 0;
}

static bool loses_later(const wr_call *call)
{
    return *(const int *)wr_model(call) == 2;
}

static bool loses_nothing(const wr_call *call)
{
    return *(const int *)wr_model(call) == 1 && wr_value(call, 0) == 0;
}

static bool fits(const wr_call *call)
{
    return *(const int *)wr_model(call) + wr_value(call, 0) <= 5;
}

#define APPENDING .model_size = sizeof(int), .system_size = sizeof(log_file)

static const wr_command LOSES[] = {
    { "append", do_append, .takes = { &FEW }, .when = fits, .known_bug = loses },
    { "append_later", do_append_later, .when = loses_later, .known_bug = loses_later },
    { "read", do_read, .observer = true },
    { 0 },
};
WR_MACHINE(appends_but_for_a_known_bug, .commands = LOSES, APPENDING);

static void do_look(wr_case *t, wr_call *call)
{
    wr_assert_le(t, *(int *)wr_model(call), 5);
}

static const wr_command LOSES_ONLY[] = {
    { "append", do_append, .takes = { &FEW }, .when = fits, .known_bug = loses },
    { "look", do_look, .observer = true },
    { 0 },
};
WR_MACHINE(has_known_bugs_only, .commands = LOSES_ONLY, APPENDING);

static bool is_small(const wr_call *call)
{
    return *(const int *)wr_model(call) < 2 && fits(call) &&
           *(const int *)wr_model(call) + wr_value(call, 0) != 2;
}

static const wr_command LOSES_NOTHING[] = {
    { "append", do_append, .takes = { &FEW }, .when = is_small, .known_bug = loses_nothing },
    { "look", do_look, .observer = true },
    { 0 },
};
WR_MACHINE(has_a_mended_bug, .commands = LOSES_NOTHING, APPENDING);

/* ---- Calls with several results ---- */

/* A pipe has two ends. The planted bug: a 2 that another pipe's end came after is not read. */
typedef struct pipe_end {
    unsigned         number; /* that Warren gave it */
    int64_t          value;
    struct pipe_end *other;
    int              pipes; /* that there were when it was written to */
} pipe_end;

typedef struct pipes {
    int     count;
    int64_t last[64]; /* value in a pipe, by its reader */
} pipes;

static const wr_kind READER = { "reader", .handle = true, .type = "reader *", .release = free };
static const wr_kind WRITER = { "writer", .handle = true, .type = "writer *", .release = free };

static void do_pipe(wr_case *t, wr_call *call)
{
    pipe_end *r = calloc(1, sizeof *r), *w = calloc(1, sizeof *w);
    (void)t;
    ((pipes *)wr_model(call))->count++;
    r->number = wr_give(call, r);
    w->number = wr_give_also(call, 0, w);
    w->other = r;
}

static void do_put(wr_case *t, wr_call *call)
{
    pipe_end *w = wr_handle(call, 0);
    wr_assert(t, w->number == wr_number(call, 0) && w->other != NULL);
    w->other->value = wr_value(call, 1);
    ((pipes *)wr_model(call))->last[w->other->number] = w->other->value;
    w->other->pipes = ((const pipes *)wr_model(call))->count;
}

static void do_get(wr_case *t, wr_call *call)
{
    const pipe_end *r = wr_handle(call, 0);
    wr_assert(t, r->number == wr_number(call, 0) && r->other == NULL);
    wr_assert(t,
              (r->value != 2 || ((const pipes *)wr_model(call))->count == r->pipes) && "planted");
}

static const wr_command PIPES[] = {
    { "make_pipe", do_pipe, .gives = &READER, .gives_also = { &WRITER } },
    { "put", do_put, .takes = { &WRITER, &FEW } },
    { "get", do_get, .takes = { &READER } },
    { 0 },
};
WR_MACHINE(pipes_have_two_ends, .commands = PIPES, .model_size = sizeof(pipes));

/* Three results of one kind, and many of them: each has the number that it was given with. */
static const wr_kind CELL = { "cell", .handle = true, .release = free };

static void give_cell(wr_call *call, int which)
{
    unsigned *cell = malloc(sizeof *cell);
    *cell = which == 0 ? wr_give(call, cell) : wr_give_also(call, (unsigned)which - 1, cell);
}

static void do_divide(wr_case *t, wr_call *call)
{
    (void)t;
    for (int i = 0; i < 3; i++)
        give_cell(call, i);
}

static void do_divide_some(wr_case *t, wr_call *call)
{
    (void)t;
    for (int i = 0; i < (int)wr_value(call, 1) + 1; i++)
        give_cell(call, i);
    free(wr_handle(call, 0));
}

static void do_compare(wr_case *t, wr_call *call)
{
    const unsigned *a = wr_handle(call, 0), *b = wr_handle(call, 1);
    wr_assert(t, *a == wr_number(call, 0) && *b == wr_number(call, 1));
}

static void do_end(wr_case *t, wr_call *call)
{
    wr_assert(t, *(unsigned *)wr_handle(call, 0) == wr_number(call, 0));
    free(wr_handle(call, 0));
}

static const wr_command CELLS[] = {
    { "divide", do_divide, .gives = &CELL, .gives_also = { &CELL, &CELL } },
    { "divide_some", do_divide_some, .takes = { &CELL, &FEW }, .consumes = 1u << 0,
      .gives = &CELL, .gives_also = { &CELL, &CELL } },
    { "compare", do_compare, .takes = { &CELL, &CELL } },
    { "end", do_end, .takes = { &CELL }, .consumes = 1u << 0, .weight = 3 },
    { 0 },
};
static const wr_macro CELL_MACROS[] = {
    { "through", { "divide", "compare", "end", "end" }, .weight = 1 },
    { 0 },
};
WR_MACHINE(cells_divide, .commands = CELLS, .macros = CELL_MACROS);

/* ---- Misuse ---- */

static void gives_the_second_first(wr_case *t, wr_call *call)
{
    wr_give_also(call, 0, wr_alloc(t, 1));
}

static const wr_command DISORDERLY[] = {
    { "give", gives_the_second_first, .gives = &THING, .gives_also = { &THING } },
    { 0 },
};
WR_MACHINE(gives_out_of_order, .commands = DISORDERLY);
static const wr_command ALSO_ALONE[] = {
    { "give", gives, .gives_also = { &THING } },
    { 0 },
};
WR_MACHINE(gives_also_alone, .commands = ALSO_ALONE);
static void gives_more(wr_case *t, wr_call *call)
{
    gives(t, call);
    wr_give_also(call, 0, wr_alloc(t, 1));
}
static const wr_command MORE[] = { { "give", gives_more, .gives = &THING }, { 0 } };
WR_MACHINE(gives_more_than_it_says, .commands = MORE);

static const wr_command LIKE_NONE[] = { { "give", gives, .gives = &THING, .like = "take" },
                                        { 0 } };
WR_MACHINE(is_like_no_command, .commands = LIKE_NONE);
static const wr_command LIKE_OTHERS[] = {
    { "give", gives, .gives = &THING },
    { "keep", gives, .gives = &THING, .takes = { &THING }, .like = "give" },
    { 0 },
};
WR_MACHINE(is_like_one_of_other_kinds, .commands = LIKE_OTHERS);
static const wr_command LIKE_IN_TURN[] = {
    { "give", gives, .gives = &THING },
    { "make", gives, .gives = &THING, .like = "give" },
    { "find", gives, .gives = &THING, .like = "make" },
    { 0 },
};
WR_MACHINE(is_like_one_that_is_like, .commands = LIKE_IN_TURN);

WR_PROPERTY(fails_later_without_a_machine)
{
    wr_bool(t, "b");
    wr_fail_later("too late");
}

static void asks_for_a_system(wr_case *t, wr_call *call)
{
    (void)t;
    (void)wr_system(call);
}

static const wr_command ASKS[] = { { "ask", asks_for_a_system, .weight = 1 }, { 0 } };
WR_MACHINE(has_no_system, .commands = ASKS);

WR_PROPERTY(is_no_machine)
{
    wr_bool(t, "b");
    (void)wr_system_of(t);
}

static void ends_a_dead_one(wr_case *t, wr_call *call)
{
    (void)t;
    wr_dead(call, &THING, wr_number(call, 0));
    wr_dead(call, &THING, wr_number(call, 0));
}

static const wr_command ENDS_TWICE[] = {
    { "give", gives, .gives = &THING },
    { "end", ends_a_dead_one, .takes = { &THING } },
    { 0 },
};
WR_MACHINE(ends_a_handle_twice, .commands = ENDS_TWICE);

static void ends_another(wr_case *t, wr_call *call)
{
    (void)t;
    wr_dead(call, &LEAF, 0);
}

static const wr_command ENDS_ANOTHER[] = {
    { "end", ends_another, .weight = 1 },
    { 0 },
};
WR_MACHINE(ends_what_it_does_not_know, .commands = ENDS_ANOTHER);

static void keeps(wr_case *t, wr_call *call)
{
    (void)t;
    wr_keep(call, 0);
}

static const wr_command KEEPS_A_VALUE[] = { { "keep", keeps, .takes = { &FEW } }, { 0 } };
WR_MACHINE(keeps_a_value, .commands = KEEPS_A_VALUE);
static const wr_command KEEPS_ANYWAY[] = {
    { "give", gives, .gives = &THING },
    { "keep", keeps, .takes = { &THING } },
    { 0 },
};
WR_MACHINE(keeps_what_it_does_not_consume, .commands = KEEPS_ANYWAY);
