/* cursor.c: a list with cursors, as a machine.
 *
 * A list of numbers is changed while cursors stand in it. Cursors are handles: they are opened, moved,
 * and closed, and whoever closes one cannot use it any more. The model knows the list as an array and
 * each cursor as a position in it. list_remove() moves the cursors behind the place that is gone;
 * list_remove_only() forgets to, and the next one is skipped.
 *
 * buggy_cursors_see_every_element fails by design, and the report is the shortest sequence of calls
 * that shows it.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#define MOST 16
#define CURSORS 64

/* ---- The list ---- */

typedef struct cursor {
    size_t         at;
    struct cursor *next;
} cursor;

typedef struct list {
    int     items[MOST];
    size_t  count;
    cursor *cursors;
} list;

static void list_append(list *l, int item)
{
    l->items[l->count++] = item;
}

static void list_remove_only(list *l, size_t place)
{
    l->count--;
    memmove(l->items + place, l->items + place + 1, (l->count - place) * sizeof *l->items);
}

static void list_remove(list *l, size_t place)
{
    list_remove_only(l, place);
    for (cursor *c = l->cursors; c != NULL; c = c->next)
        c->at -= c->at > place;
}

static cursor *cursor_open(list *l)
{
    cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort();
    c->next = l->cursors;
    l->cursors = c;
    return c;
}

/* -1: there is no more. */
static int cursor_next(const list *l, cursor *c)
{
    return c->at < l->count ? l->items[c->at++] : -1;
}

static void cursor_close(list *l, cursor *c)
{
    cursor **at = &l->cursors;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free(c);
}

/* ---- The model ---- */

typedef struct model {
    list   list;
    int    items[MOST];
    size_t count;
    size_t positions[CURSORS]; /* of cursors, by their numbers */
    bool   open[CURSORS];
} model;

static void stop(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    while (m->list.cursors != NULL)
        cursor_close(&m->list, m->list.cursors);
}

static void same_items(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->list.count, m->count);
    wr_assert_mem_eq(t, m->list.items, m->items, m->count * sizeof *m->items);
}

/* ---- The commands ---- */

static const wr_kind ITEM = { "item", .values = 10 };
static const wr_kind PLACE = { "place", .values = MOST };
static const wr_kind CURSOR = { "cursor", .handle = true, .type = "cursor *" };

static bool has_room(const wr_call *call)
{
    return ((const model *)wr_model(call))->count < MOST;
}

static bool is_there(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->count > 0 && (size_t)wr_value(call, 0) < m->count;
}

static void do_append(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    list_append(&m->list, (int)wr_value(call, 0));
    m->items[m->count++] = (int)wr_value(call, 0);
}

static void remove_by(wr_call *call, void (*remove)(list *l, size_t place))
{
    model *m = wr_model(call);
    size_t place = (size_t)wr_value(call, 0);
    remove(&m->list, place);
    m->count--;
    memmove(m->items + place, m->items + place + 1, (m->count - place) * sizeof *m->items);
    for (size_t i = 0; i < CURSORS; i++)
        m->positions[i] -= m->open[i] && m->positions[i] > place;
}

static void do_remove(wr_case *t, wr_call *call)
{
    (void)t;
    remove_by(call, list_remove);
}

static void do_buggy_remove(wr_case *t, wr_call *call)
{
    (void)t;
    remove_by(call, list_remove_only);
}

static void do_open(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned number = wr_give(call, cursor_open(&m->list));
    (void)t;
    m->positions[number] = 0;
    m->open[number] = true;
}

static void do_next(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    size_t *position = &m->positions[wr_number(call, 0)];
    int     expected = *position < m->count ? m->items[(*position)++] : -1;
    wr_assert_eq(t, cursor_next(&m->list, wr_handle(call, 0)), expected);
}

static void do_close(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    cursor_close(&m->list, wr_handle(call, 0));
    m->open[wr_number(call, 0)] = false;
}

static const wr_command COMMANDS[] = {
    { "list_append", do_append, .takes = { &ITEM }, .when = has_room, .weight = 2 },
    { "list_remove", do_remove, .takes = { &PLACE }, .when = is_there },
    { "cursor_open", do_open, .gives = &CURSOR },
    { "cursor_next", do_next, .takes = { &CURSOR }, .weight = 3 },
    { "cursor_close", do_close, .takes = { &CURSOR }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(cursors_see_every_element, .commands = COMMANDS, .model_size = sizeof(model),
           .stop = stop, .invariant = same_items);

static const wr_command BUGGY_COMMANDS[] = {
    { "list_append", do_append, .takes = { &ITEM }, .when = has_room, .weight = 2 },
    { "list_remove_only", do_buggy_remove, .takes = { &PLACE }, .when = is_there },
    { "cursor_open", do_open, .gives = &CURSOR },
    { "cursor_next", do_next, .takes = { &CURSOR }, .weight = 3 },
    { "cursor_close", do_close, .takes = { &CURSOR }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(buggy_cursors_see_every_element, .commands = BUGGY_COMMANDS,
           .model_size = sizeof(model), .stop = stop, .invariant = same_items);
