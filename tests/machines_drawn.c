/* tests/machines_drawn.c: machines that draw in .start, in commands, and with a look at the
 * model, for tests/drawn_test.c. */
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
