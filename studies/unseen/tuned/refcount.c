/* refcount.c: reference-counted objects with links and weak references, as a machine. Cycles are
 * broken by hand, with obj_unlink. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define OBJECTS 6    /* of a heap */
#define LINKS 2      /* of an object */
#define MOST_REFS 10 /* to an object, from users and from links */

/* ---- The library ---- */

typedef struct obj {
    bool        used;
    int         refs;
    int         value;
    unsigned    generation; /* how often this place has died */
    struct obj *links[LINKS];
} obj;

typedef struct heap {
    obj objects[OBJECTS];
    int alive;
} heap;

typedef struct weak {
    obj     *target;
    unsigned generation;
} weak;

/* A new object with one reference, or NULL: the heap is full. */
static obj *obj_new(heap *h, int value)
{
    for (int i = 0; i < OBJECTS; i++) {
        obj *o = &h->objects[i];
        if (o->used)
            continue;
        o->used = true;
        o->refs = 1;
        o->value = value;
        memset(o->links, 0, sizeof o->links);
        h->alive++;
        return o;
    }
    return NULL;
}

static bool has_room(const obj *o)
{
    return FAULT(5) ? o->refs <= MOST_REFS : o->refs < MOST_REFS;
}

/* One more reference, or NULL: there are too many. */
static obj *obj_retain(obj *o)
{
    if (!has_room(o))
        return NULL;
    o->refs++;
    return o;
}

static void obj_drop(heap *h, obj *o, bool by_link)
{
    if (--o->refs != 0)
        return;
    o->used = false;
    h->alive--;
    if (!FAULT(2) || !by_link)
        o->generation++;
    for (int i = 0; i < (FAULT(6) ? LINKS - 1 : LINKS); i++) {
        obj *to = o->links[i];
        o->links[i] = NULL;
        if (to != NULL)
            obj_drop(h, to, true);
    }
}

static void obj_release(heap *h, obj *o)
{
    obj_drop(h, o, false);
}

static int obj_value(const obj *o)
{
    return o->value;
}

/* False: too many references to `to`. */
static bool obj_link(heap *h, obj *from, int slot, obj *to)
{
    obj *old = from->links[slot];
    if (FAULT(1)) {
        if (obj_retain(to) == NULL)
            return false;
        if (old == to)
            return true; /* and the old reference is never dropped */
    } else {
        if (old == to)
            return true;
        if (obj_retain(to) == NULL)
            return false;
    }
    from->links[slot] = to;
    if (old != NULL)
        obj_drop(h, old, true);
    return true;
}

static void obj_unlink(heap *h, obj *from, int slot)
{
    obj *old = from->links[slot];
    from->links[slot] = NULL;
    if (old != NULL)
        obj_drop(h, old, true);
}

/* A reference to what is linked. NULL: nothing is, or there are too many references. */
static obj *obj_follow(const obj *from, int slot)
{
    obj *to = from->links[slot];
    if (to == NULL)
        return NULL;
    if (FAULT(4) && slot == LINKS - 1 && to == from)
        return to; /* not retained */
    return obj_retain(to);
}

/* Moves a link, and what `to` had there is unlinked. */
static void obj_move_link(heap *h, obj *to, obj *from, int slot)
{
    if (!FAULT(7) && to == from)
        return;
    obj *old = to->links[slot];
    to->links[slot] = from->links[slot];
    from->links[slot] = NULL;
    if (old != NULL)
        obj_drop(h, old, true);
}

static weak *weak_new(obj *o)
{
    weak *w = calloc(1, sizeof *w);
    if (w == NULL)
        abort();
    w->target = o;
    w->generation = o->generation;
    return w;
}

/* A reference to the object, or NULL: it has died, or there are too many references. */
static obj *weak_get(const weak *w)
{
    bool same = FAULT(3) ? ((w->generation ^ w->target->generation) & 3) == 0
                         : w->generation == w->target->generation;
    if (!same || !w->target->used)
        return NULL;
    return obj_retain(w->target);
}

static void weak_free(weak *w)
{
    free(w);
}

/* ---- The model: objects are serial numbers, and are counted anew each time ---- */

typedef struct thing {
    int serial; /* 0: none */
    int value;
    int refs; /* of users */
    int links[LINKS];
} thing;

typedef struct model {
    heap  heap;
    thing things[OBJECTS];
    int   next;
    int   refs[64];  /* the serial of a reference */
    int   weaks[64]; /* the serial of a weak reference */
} model;

static thing *find(model *m, int serial)
{
    for (int i = 0; i < OBJECTS; i++)
        if (serial != 0 && m->things[i].serial == serial)
            return &m->things[i];
    return NULL;
}

static int count_refs(const model *m, const thing *x)
{
    int count = x->refs;
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < LINKS; k++)
            count += m->things[i].serial != 0 && m->things[i].links[k] == x->serial;
    return count;
}

static int count_things(const model *m)
{
    int count = 0;
    for (int i = 0; i < OBJECTS; i++)
        count += m->things[i].serial != 0;
    return count;
}

/* What has no references goes, until nothing more goes. */
static void collect(model *m)
{
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < OBJECTS; i++) {
            if (m->things[i].serial == 0 || count_refs(m, &m->things[i]) > 0)
                continue;
            memset(&m->things[i], 0, sizeof m->things[i]);
            again = true;
        }
    }
}

static void alive_agrees(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->heap.alive, count_things(m));
}

/* ---- The commands ---- */

static const wr_kind REF = { "ref", .handle = true, .type = "obj *" };
static const wr_kind WEAK = { "weak", .handle = true, .type = "weak *", .release = free };
static const wr_kind VALUE = { "value", .values = 5 };
static const wr_kind SLOT = { "slot", .values = LINKS };

static thing *thing_of(const wr_call *call, unsigned argument)
{
    model *m = wr_model(call);
    return find(m, m->refs[wr_number(call, argument)]);
}

static void give(wr_case *t, wr_call *call, obj *got, thing *expected)
{
    model *m = wr_model(call);
    wr_assert_eq(t, got != NULL, expected != NULL);
    if (expected == NULL)
        return;
    wr_assert_eq(t, obj_value(got), expected->value);
    expected->refs++;
    m->refs[wr_give(call, got)] = expected->serial;
}

static void do_new(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    value = (int)wr_value(call, 0);
    thing *x = NULL;
    for (int i = 0; i < OBJECTS && x == NULL; i++)
        if (m->things[i].serial == 0)
            x = &m->things[i];
    if (x != NULL)
        *x = (thing){ .serial = ++m->next, .value = value };
    give(t, call, obj_new(&m->heap, value), x);
}

static void do_retain(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    thing *x = thing_of(call, 0);
    give(t, call, obj_retain(wr_handle(call, 0)), count_refs(m, x) < MOST_REFS ? x : NULL);
}

static void do_release(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    obj_release(&m->heap, wr_handle(call, 0));
    thing_of(call, 0)->refs--;
    collect(m);
}

static void do_value(wr_case *t, wr_call *call)
{
    wr_assert_eq(t, obj_value(wr_handle(call, 0)), thing_of(call, 0)->value);
}

static void do_link(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    thing *from = thing_of(call, 0), *to = thing_of(call, 2);
    int    slot = (int)wr_value(call, 1);
    bool   can = from->links[slot] == to->serial || count_refs(m, to) < MOST_REFS;
    wr_assert_eq(t, obj_link(&m->heap, wr_handle(call, 0), slot, wr_handle(call, 2)), can);
    if (can)
        from->links[slot] = to->serial;
    collect(m);
}

static void do_unlink(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    slot = (int)wr_value(call, 1);
    (void)t;
    obj_unlink(&m->heap, wr_handle(call, 0), slot);
    thing_of(call, 0)->links[slot] = 0;
    collect(m);
}

static void do_follow(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    slot = (int)wr_value(call, 1);
    thing *x = find(m, thing_of(call, 0)->links[slot]);
    if (x != NULL && count_refs(m, x) >= MOST_REFS)
        x = NULL;
    give(t, call, obj_follow(wr_handle(call, 0), slot), x);
}

static void do_move(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    thing *to = thing_of(call, 0), *from = thing_of(call, 1);
    int    slot = (int)wr_value(call, 2);
    (void)t;
    obj_move_link(&m->heap, wr_handle(call, 0), wr_handle(call, 1), slot);
    if (to != from) {
        to->links[slot] = from->links[slot];
        from->links[slot] = 0;
    }
    collect(m);
}

static void do_weak(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->weaks[wr_give(call, weak_new(wr_handle(call, 0)))] = thing_of(call, 0)->serial;
}

static void do_weak_get(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    thing *x = find(m, m->weaks[wr_number(call, 0)]);
    if (x != NULL && count_refs(m, x) >= MOST_REFS)
        x = NULL;
    give(t, call, weak_get(wr_handle(call, 0)), x);
}

static void do_weak_free(wr_case *t, wr_call *call)
{
    (void)t;
    weak_free(wr_handle(call, 0));
}

static const wr_command COMMANDS[] = {
    { "obj_new", do_new, .takes = { &VALUE }, .gives = &REF, .weight = 3 },
    { "obj_retain", do_retain, .takes = { &REF }, .gives = &REF, .weight = 2 },
    { "obj_release", do_release, .takes = { &REF }, .consumes = 1u << 0, .weight = 4 },
    { "obj_value", do_value, .takes = { &REF } },
    { "obj_link", do_link, .takes = { &REF, &SLOT, &REF }, .weight = 2 },
    { "obj_unlink", do_unlink, .takes = { &REF, &SLOT } },
    { "obj_follow", do_follow, .takes = { &REF, &SLOT }, .gives = &REF },
    { "obj_move_link", do_move, .takes = { &REF, &REF, &SLOT } },
    { "weak_new", do_weak, .takes = { &REF }, .gives = &WEAK },
    { "weak_get", do_weak_get, .takes = { &WEAK }, .gives = &REF, .weight = 2 },
    { "weak_free", do_weak_free, .takes = { &WEAK }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(refcount, .commands = COMMANDS, .model_size = sizeof(model),
           .invariant = alive_agrees);
