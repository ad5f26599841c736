/* tests/machines_drawn.c: machines that draw in .start, in commands, and with a look at the
 * model, for tests/drawn_test.c. */
#include <string.h>

#include <warren.h>

/* ---- An index below the size ---- */

typedef struct list {
    int64_t items[60];
    int64_t size;
    int     gets;
} list;

static void do_append(wr_case *t, wr_call *call)
{
    list *l = wr_model(call);
    (void)t;
    l->items[l->size++] = wr_value(call, 0);
}

static bool has_room(const wr_call *call)
{
    return ((const list *)wr_model(call))->size < 60;
}

static bool has_items(const wr_call *call)
{
    return ((const list *)wr_model(call))->size > 0;
}

static void do_get(wr_case *t, wr_call *call)
{
    list *l = wr_model(call);
    wr_assert(t, wr_value(call, 0) >= 0 && wr_value(call, 0) < l->size);
    l->gets++;
}

/* The bug: the fourth item is not the one to go. */
static void do_remove(wr_case *t, wr_call *call)
{
    list *l = wr_model(call);
    wr_assert(t, wr_value(call, 0) < l->size);
    wr_assert(t, wr_value(call, 0) != 3);
    l->size--;
}

static void stop_list(wr_case *t, void *model)
{
    wr_classify(t, ((const list *)model)->gets >= 8, "often");
}

static int64_t draw_index(wr_case *t, const void *model)
{
    return wr_int(t, NULL, 0, ((const list *)model)->size - 1);
}

static const wr_kind    ITEM = { "item", .values = 4 };
static const wr_kind    INDEX = { "index", .draw_in = draw_index };
static const wr_command LIST[] = {
    { "append", do_append, .takes = { &ITEM }, .when = has_room, .weight = 3 },
    { "get", do_get, .takes = { &INDEX }, .when = has_items },
    { 0 },
};
WR_MACHINE(list_in_order, .commands = LIST, .model_size = sizeof(list), .stop = stop_list);

static const wr_command BROKEN_LIST[] = {
    { "append", do_append, .takes = { &ITEM }, .when = has_room, .weight = 3 },
    { "get", do_get, .takes = { &INDEX }, .when = has_items },
    { "remove", do_remove, .takes = { &INDEX }, .when = has_items },
    { 0 },
};
WR_MACHINE(list_keeps_its_fourth, .commands = BROKEN_LIST, .model_size = sizeof(list));

/* ---- A ring of as many slots as .start draws ---- */

typedef struct ring {
    int64_t slots, used, taken;
    int64_t mode;
} ring;

static void start_ring(wr_case *t, void *model)
{
    ring *r = model;
    r->slots = wr_int(t, "slots", 1, 12);
    r->mode = wr_int(t, "mode", 0, 3);
}

static void do_push(wr_case *t, wr_call *call)
{
    ring *r = wr_model(call);
    (void)t;
    r->used++;
}

static void do_pull(wr_case *t, wr_call *call)
{
    ring *r = wr_model(call);
    (void)t;
    r->used--;
    r->taken++;
}

static bool is_used(const wr_call *call)
{
    return ((const ring *)wr_model(call))->used > 0;
}

static void do_look(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

/* The bugs: each has one machine. */
static void do_overfill(wr_case *t, wr_call *call)
{
    ring *r = wr_model(call);
    wr_assert(t, r->used < r->slots);
    r->used++;
}

static void do_look_of_three(wr_case *t, wr_call *call)
{
    const ring *r = wr_model(call);
    wr_assert(t, r->slots != 3 || r->taken == 0);
}

static void do_look_of_many(wr_case *t, wr_call *call)
{
    const ring *r = wr_model(call);
    wr_assert(t, r->slots < 5 || r->taken == 0);
}

static void do_look_of_any(wr_case *t, wr_call *call)
{
    const ring *r = wr_model(call);
    wr_assert(t, r->taken == 0);
}

#define RING(name_, push_, look_)                                                                \
    static const wr_command name_##_[] = {                                                       \
        { .name = "push", .call = push_, .weight = 3 },                                          \
        { .name = "pull", .call = do_pull, .when = is_used },                                    \
        { .name = "look", .call = look_, .observer = true },                                     \
        { 0 },                                                                                   \
    };                                                                                           \
    WR_MACHINE(name_, .commands = name_##_, .model_size = sizeof(ring), .start = start_ring)

RING(ring_gets_full, do_overfill, do_look);
RING(ring_of_three, do_push, do_look_of_three);
RING(ring_of_many, do_push, do_look_of_many);
RING(ring_of_any, do_push, do_look_of_any);

/* ---- .start draws a text, a list, and more in one mode than in the other ---- */

typedef struct shop {
    int64_t sizes[4];
    int64_t count, sold, discount;
    size_t  letters;
} shop;

static void start_shop(wr_case *t, void *model)
{
    shop *s = model;
    s->letters = strlen(wr_text(t, "name", 0, 6));
    s->count = (int64_t)wr_size(t, "count", 0, 4);
    for (wr_each(t, i, (size_t)s->count))
        s->sizes[i] = wr_int(t, "sizes", 0, 9);
    if (wr_bool(t, "cheap"))
        s->discount = wr_int(t, "discount", 1, 50);
}

static void do_sell(wr_case *t, wr_call *call)
{
    shop *s = wr_model(call);
    (void)t;
    s->sold++;
}

static void do_close_shop(wr_case *t, wr_call *call)
{
    const shop *s = wr_model(call);
    wr_assert(t, s->sizes[1] != 7 || s->sold == 0);
}

static const wr_command SHOP[] = {
    { .name = "sell", .call = do_sell, .weight = 2 },
    { .name = "close_shop", .call = do_close_shop, .observer = true },
    { 0 },
};
WR_MACHINE(shop, .commands = SHOP, .model_size = sizeof(shop), .start = start_shop);

/* ---- Commands that draw ---- */

typedef struct dice {
    int64_t sum, armed;
} dice;

static void do_arm(wr_case *t, wr_call *call)
{
    (void)t;
    ((dice *)wr_model(call))->armed++;
}

static void do_roll(wr_case *t, wr_call *call)
{
    dice   *d = wr_model(call);
    int64_t die = wr_int(t, "die", 1, 100);
    wr_assert(t, d->armed == 0 || die < 40);
    d->sum += die;
}

static void do_roll_any(wr_case *t, wr_call *call)
{
    dice *d = wr_model(call);
    d->sum += wr_int(t, "die", 1, 100) + (int64_t)strlen(wr_text(t, "says", 0, 4));
    wr_assert(t, d->armed < 2);
}

static void do_wait(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

#define DICE(name_, roll_)                                                                       \
    static const wr_command name_##_[] = {                                                       \
        { .name = "arm", .call = do_arm },                                                       \
        { .name = "roll", .call = roll_, .weight = 2 },                                          \
        { .name = "wait", .call = do_wait, .takes = { &ITEM } },                                 \
        { 0 },                                                                                   \
    };                                                                                           \
    WR_MACHINE(name_, .commands = name_##_, .model_size = sizeof(dice))

DICE(die_of_forty, do_roll);
DICE(any_die, do_roll_any);
