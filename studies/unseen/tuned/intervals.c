/* intervals.c: a map from ranges of points to values, its copies and its cursors, as a machine.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define POINTS 12 /* points are 0..11, ranges are [from, to) */
#define MOST_SEGMENTS 6

/* ---- The library ---- */

typedef struct segment {
    int from, to, value;
} segment;

/* Sorted, disjoint; neighbours that touch have different values. Copies share it until a write.
 */
typedef struct storage {
    int     owners;
    int     count;
    segment segments[MOST_SEGMENTS];
} storage;

typedef struct imap {
    storage *store;
    int      last;    /* the segment that the last lookup hit, or -1 */
    int      covered; /* points that have a value */
    unsigned version;
} imap;

typedef struct cursor {
    imap    *map;
    int      next;
    unsigned version;
} cursor;

static imap *imap_new(void)
{
    imap *m = calloc(1, sizeof *m);
    if (m == NULL)
        abort();
    m->store = calloc(1, sizeof *m->store);
    if (m->store == NULL)
        abort();
    m->store->owners = 1;
    m->last = -1;
    return m;
}

static imap *imap_copy(imap *from)
{
    imap *m = calloc(1, sizeof *m);
    if (m == NULL)
        abort();
    *m = *from;
    m->version = 0;
    m->store->owners++;
    return m;
}

static void imap_free(imap *m)
{
    if (--m->store->owners == 0)
        free(m->store);
    free(m);
}

static void own(imap *m)
{
    if (m->store->owners == 1)
        return;
    storage *mine = calloc(1, sizeof *mine);
    if (mine == NULL)
        abort();
    *mine = *m->store;
    mine->owners = 1;
    m->store->owners--;
    m->store = mine;
}

static void put(segment *list, int *count, int from, int to, int value)
{
    if (from < to)
        list[(*count)++] = (segment){ from, to, value };
}

/* What the segments become when [from, to) is taken out of them. Returns where a new segment
 * goes. */
static int cut(const storage *s, segment *list, int *count, int from, int to)
{
    int place = 0;
    *count = 0;
    for (int i = 0; i < s->count; i++) {
        segment g = s->segments[i];
        if (g.to <= from) {
            put(list, count, g.from, g.to, g.value);
            place = *count;
        } else if (g.from >= to) {
            put(list, count, g.from, g.to, g.value);
        } else {
            put(list, count, g.from, from, g.value);
            place = *count;
            if (FAULT(3) && g.from < from)
                put(list, count, to + 1, g.to, g.value); /* the right half of a split */
            else
                put(list, count, to, g.to, g.value);
        }
    }
    return place;
}

static void merge(segment *list, int *count, int place)
{
    bool left = place > 0 && list[place - 1].to == list[place].from &&
                list[place - 1].value == list[place].value;
    bool right = place + 1 < *count && list[place].to == list[place + 1].from &&
                 list[place].value == list[place + 1].value;
    if (FAULT(1) && left && list[place - 1].to - list[place - 1].from == 1)
        left = false;
    if (FAULT(2) && left)
        right = false;
    if (right) {
        list[place].to = list[place + 1].to;
        memmove(list + place + 1, list + place + 2, (size_t)(*count - place - 2) * sizeof *list);
        --*count;
    }
    if (left) {
        list[place - 1].to = list[place].to;
        memmove(list + place, list + place + 1, (size_t)(*count - place - 1) * sizeof *list);
        --*count;
    }
}

static void replace(imap *m, const segment *list, int count)
{
    m->store->count = count;
    memcpy(m->store->segments, list, (size_t)count * sizeof *list);
    m->covered = 0;
    for (int i = 0; i < count; i++)
        m->covered += list[i].to - list[i].from;
    m->version++;
}

/* False, and nothing has changed: there would be too many segments. */
static bool imap_set(imap *m, int from, int to, int value)
{
    segment list[MOST_SEGMENTS + 3];
    int     count;
    int     place = cut(m->store, list, &count, from, to);
    memmove(list + place + 1, list + place, (size_t)(count - place) * sizeof *list);
    list[place] = (segment){ from, to, value };
    count++;
    if (FAULT(6) && count > MOST_SEGMENTS)
        return false; /* before neighbours were merged */
    merge(list, &count, place);
    if (count > MOST_SEGMENTS)
        return false;
    own(m);
    replace(m, list, count);
    m->last = -1;
    return true;
}

/* False, and nothing has changed: there would be too many segments. */
static bool imap_clear(imap *m, int from, int to)
{
    segment list[MOST_SEGMENTS + 3];
    int     count;
    cut(m->store, list, &count, from, to);
    if (count > MOST_SEGMENTS)
        return false;
    if (!FAULT(5) || count >= m->store->count)
        own(m); /* 5: a copy that gets smaller is not taken away from its twin */
    if (!FAULT(4) || count > m->store->count)
        m->last = -1;
    replace(m, list, count);
    return true;
}

/* The value at a point, or -1. */
static int imap_get(imap *m, int point)
{
    if (m->last >= 0) {
        segment g = m->store->segments[m->last];
        if (g.from <= point && point < g.to)
            return g.value;
    }
    for (int i = 0; i < m->store->count; i++) {
        segment g = m->store->segments[i];
        if (g.from <= point && point < g.to) {
            m->last = i;
            return g.value;
        }
    }
    return -1;
}

static cursor *cursor_open(imap *m)
{
    cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort();
    c->map = m;
    c->version = m->version;
    return c;
}

/* 1: *out is the next segment. 0: there is none. -1: the map has changed since. */
static int cursor_next(cursor *c, segment *out)
{
    unsigned now = c->map->version;
    if (FAULT(7) ? ((now ^ c->version) & 7) != 0 : now != c->version) /* 7: three bits are kept */
        return -1;
    if (c->next >= c->map->store->count)
        return 0;
    *out = c->map->store->segments[c->next++];
    return 1;
}

static void cursor_close(cursor *c)
{
    free(c);
}

/* ---- The model: the value of each point ---- */

typedef struct map_model {
    imap  *map;
    int8_t values[POINTS]; /* 0: none, else the value + 1 */
    int    cursors;
    int    changes;
} map_model;

typedef struct cursor_model {
    unsigned map;
    int      changes;
    int      point;
} cursor_model;

typedef struct model {
    map_model    maps[64];
    cursor_model cursors[64];
} model;

static int segments_of(const int8_t *values)
{
    int count = 0;
    for (int i = 0; i < POINTS; i++)
        count += values[i] != 0 && (i == 0 || values[i - 1] != values[i]);
    return count;
}

static void maps_agree(wr_case *t, void *state)
{
    const model *m = state;
    for (unsigned i = 0; i < 64; i++) {
        const map_model *x = &m->maps[i];
        if (x->map == NULL)
            continue;
        int covered = 0;
        for (int k = 0; k < POINTS; k++)
            covered += x->values[k] != 0;
        wr_assert_eq(t, x->map->covered, covered);
        wr_assert_eq(t, x->map->store->count, segments_of(x->values));
    }
}

/* ---- The commands ---- */

static const wr_kind MAP = { "map", .handle = true, .type = "imap *" };
static void          release(void *c)
{
    cursor_close(c);
}
static const wr_kind CURSOR = { "cursor", .handle = true, .type = "cursor *",
                                .release = release };
static const wr_kind POINT = { "point", .values = POINTS };
static const wr_kind BOUND = { "bound", .values = POINTS + 1 };
static const wr_kind VALUE = { "value", .values = 3 };

static void do_new(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    imap    *map = imap_new();
    unsigned number = wr_give(call, map);
    (void)t;
    m->maps[number] = (map_model){ .map = map };
}

static bool few_maps(const wr_call *call)
{
    const model *m = wr_model(call);
    int          count = 0;
    for (int i = 0; i < 64; i++)
        count += m->maps[i].map != NULL;
    return count < 4;
}

static void do_copy(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    map_model *from = &m->maps[wr_number(call, 0)];
    imap      *map = imap_copy(from->map);
    unsigned   number = wr_give(call, map);
    (void)t;
    m->maps[number] = *from;
    m->maps[number].map = map;
    m->maps[number].cursors = 0;
}

static bool no_cursors(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->maps[wr_number(call, 0)].cursors == 0;
}

static void do_free(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    imap_free(wr_handle(call, 0));
    memset(&m->maps[wr_number(call, 0)], 0, sizeof(map_model));
}

static bool in_order(const wr_call *call)
{
    return wr_value(call, 1) < wr_value(call, 2);
}

static void change(wr_case *t, wr_call *call, int value)
{
    model     *m = wr_model(call);
    map_model *x = &m->maps[wr_number(call, 0)];
    int        from = (int)wr_value(call, 1), to = (int)wr_value(call, 2);
    int8_t     after[POINTS];
    memcpy(after, x->values, sizeof after);
    memset(after + from, value + 1, (size_t)(to - from));
    bool fits = segments_of(after) <= MOST_SEGMENTS;
    bool done = value < 0 ? imap_clear(x->map, from, to) : imap_set(x->map, from, to, value);
    wr_assert_eq(t, done, fits);
    if (fits) {
        memcpy(x->values, after, sizeof after);
        x->changes++;
    }
}

static void do_set(wr_case *t, wr_call *call)
{
    change(t, call, (int)wr_value(call, 3));
}

static void do_clear(wr_case *t, wr_call *call)
{
    change(t, call, -1);
}

static void do_get(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    map_model *x = &m->maps[wr_number(call, 0)];
    wr_assert_eq(t, imap_get(x->map, (int)wr_value(call, 1)), x->values[wr_value(call, 1)] - 1);
}

static void do_open(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    map_model *x = &m->maps[wr_number(call, 0)];
    unsigned   number = wr_give(call, cursor_open(x->map));
    (void)t;
    x->cursors++;
    m->cursors[number] = (cursor_model){ wr_number(call, 0), x->changes, 0 };
}

static void do_next(wr_case *t, wr_call *call)
{
    model        *m = wr_model(call);
    cursor_model *c = &m->cursors[wr_number(call, 0)];
    map_model    *x = &m->maps[c->map];
    segment       got = { 0, 0, 0 };
    int           result = cursor_next(wr_handle(call, 0), &got);
    if (c->changes != x->changes) {
        wr_assert_eq(t, result, -1);
        return;
    }
    int from = c->point;
    while (from < POINTS && x->values[from] == 0)
        from++;
    wr_assert_eq(t, result, from < POINTS);
    if (from == POINTS)
        return;
    int to = from + 1;
    while (to < POINTS && x->values[to] == x->values[from])
        to++;
    wr_assert_eq(t, got.from, from);
    wr_assert_eq(t, got.to, to);
    wr_assert_eq(t, got.value, x->values[from] - 1);
    c->point = to;
}

static void do_close(wr_case *t, wr_call *call)
{
    model        *m = wr_model(call);
    cursor_model *c = &m->cursors[wr_number(call, 0)];
    (void)t;
    m->maps[c->map].cursors--;
    cursor_close(wr_handle(call, 0));
    memset(c, 0, sizeof *c);
}

static void stop(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    for (int i = 0; i < 64; i++)
        if (m->maps[i].map != NULL)
            imap_free(m->maps[i].map);
}

static const wr_command COMMANDS[] = {
    { "imap_new", do_new, .gives = &MAP, .when = few_maps },
    { "imap_copy", do_copy, .takes = { &MAP }, .gives = &MAP, .when = few_maps },
    { "imap_free", do_free, .takes = { &MAP }, .consumes = 1u << 0, .when = no_cursors },
    { "imap_set", do_set, .takes = { &MAP, &BOUND, &BOUND, &VALUE }, .when = in_order,
      .weight = 4 },
    { "imap_clear", do_clear, .takes = { &MAP, &BOUND, &BOUND }, .when = in_order, .weight = 2 },
    { "imap_get", do_get, .takes = { &MAP, &POINT }, .weight = 3 },
    { "cursor_open", do_open, .takes = { &MAP }, .gives = &CURSOR },
    { "cursor_next", do_next, .takes = { &CURSOR }, .weight = 2 },
    { "cursor_close", do_close, .takes = { &CURSOR }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(intervals, .commands = COMMANDS, .model_size = sizeof(model), .stop = stop,
           .invariant = maps_agree);
