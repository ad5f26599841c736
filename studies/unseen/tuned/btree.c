/* btree.c: an ordered map from int to int as a B-tree of order 4, with cursors.
 *
 * The contract of cursors: a new entry, or the removal of one, makes every cursor stale, except
 * the one that was used for the removal. A stale cursor only says BT_STALE until it seeks again.
 * To replace a value makes no cursor stale. */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define BT_KEYS 3     /* most keys of a node; each but the root has one at least */
#define BT_ENTRIES 16 /* most entries of a map */
#define BT_DEPTH 8

typedef enum { BT_OK, BT_NEW, BT_NONE, BT_FULL, BT_STALE } bt_status;

typedef struct bt_node {
    int  count;
    bool leaf;
    int  key[BT_KEYS];
    int  value[BT_KEYS];
    struct bt_node
        *child[BT_KEYS + 1]; /* child[0] is the next free one in the list of free nodes */
} bt_node;

typedef struct bt {
    bt_node  pool[BT_ENTRIES + 4];
    bt_node *unused;
    bt_node *root;
    int      count;
    unsigned version; /* counts entries that come and go */
    bool     cached;  /* the last lookup */
    int      cached_key, cached_value;
} bt;

typedef struct bt_cursor {
    bt      *tree;
    unsigned version;
    enum { BEFORE, ON, GAP, AFTER } state; /* GAP: before the entry of the path, if any */
    int depth;
    struct {
        bt_node *node;
        int      at;
    } path[BT_DEPTH];
} bt_cursor;

static bt_node *node_new(bt *b, bool leaf)
{
    bt_node *n = b->unused;
    b->unused = n->child[0];
    memset(n, 0, sizeof *n);
    n->leaf = leaf;
    return n;
}

static void node_free(bt *b, bt_node *n)
{
    memset(n, 0, sizeof *n);
    n->leaf = true;
    n->child[0] = b->unused;
    b->unused = n;
}

static bt *bt_new(void)
{
    bt *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    for (size_t i = 0; i < sizeof b->pool / sizeof *b->pool; i++)
        node_free(b, &b->pool[i]);
    b->root = node_new(b, true);
    return b;
}

/* The first place in the node whose key is not less. */
static int node_place(const bt_node *n, int key)
{
    int i = 0;
    while (i < n->count && n->key[i] < key)
        i++;
    return i;
}

static int *bt_find(bt *b, int key)
{
    for (bt_node *n = b->root;;) {
        int i = node_place(n, key);
        if (i < n->count && n->key[i] == key)
            return &n->value[i];
        if (n->leaf)
            return NULL;
        n = n->child[i];
    }
}

static void node_open(bt_node *n, int i, int key, int value, bt_node *right)
{
    size_t behind = (size_t)(n->count - i);
    memmove(&n->key[i + 1], &n->key[i], behind * sizeof *n->key);
    memmove(&n->value[i + 1], &n->value[i], behind * sizeof *n->value);
    memmove(&n->child[i + 2], &n->child[i + 1], behind * sizeof(bt_node *));
    n->key[i] = key;
    n->value[i] = value;
    n->child[i + 1] = right;
    n->count++;
}

/* Takes out key i and the child to its right. */
static void node_close(bt_node *n, int i)
{
    size_t behind = (size_t)(n->count - i - 1);
    memmove(&n->key[i], &n->key[i + 1], behind * sizeof *n->key);
    memmove(&n->value[i], &n->value[i + 1], behind * sizeof *n->value);
    memmove(&n->child[i + 1], &n->child[i + 2], behind * sizeof(bt_node *));
    n->child[n->count--] = NULL;
}

static void node_split(bt *b, bt_node *parent, int i)
{
    bt_node *left = parent->child[i], *right = node_new(b, left->leaf);
    right->count = 1;
    right->key[0] = left->key[2];
    right->value[0] = left->value[2];
    right->child[0] = left->child[2];
    right->child[1] = left->child[3];
    left->child[2] = left->child[3] = NULL;
    left->count = 1;
    node_open(parent, i, left->key[1], left->value[1], right);
}

static bt_status bt_put(bt *b, int key, int value)
{
    if (b->cached && b->cached_key == key)
        b->cached = false;
    if (FAULT(8) && b->count == BT_ENTRIES)
        return BT_FULL;
    int *there = bt_find(b, key);
    if (there != NULL && !FAULT(2)) {
        *there = value;
        return BT_OK;
    }
    if (there == NULL && b->count == BT_ENTRIES)
        return BT_FULL;
    if (b->root->count == BT_KEYS) {
        bt_node *root = node_new(b, false);
        root->child[0] = b->root;
        b->root = root;
        node_split(b, root, 0);
    }
    for (bt_node *n = b->root;;) {
        int i = node_place(n, key);
        if (i < n->count && n->key[i] == key) {
            n->value[i] = value;
            return BT_OK;
        }
        if (n->leaf) {
            node_open(n, i, key, value, NULL);
            b->count++;
            b->version++;
            return BT_NEW;
        }
        if (n->child[i]->count == BT_KEYS)
            node_split(b, n, i);
        else
            n = n->child[i];
    }
}

static bt_status bt_get(bt *b, int key, int *value)
{
    if (!b->cached || b->cached_key != key) {
        const int *there = bt_find(b, key);
        if (there == NULL)
            return BT_NONE;
        b->cached = true;
        b->cached_key = key;
        b->cached_value = *there;
    }
    *value = b->cached_value;
    return BT_OK;
}

/* Children i and i + 1 and the key between them become one node. */
static bt_node *node_merge(bt *b, bt_node *n, int i)
{
    bt_node *left = n->child[i], *right = n->child[i + 1];
    node_open(left, left->count, n->key[i], n->value[i], right->child[0]);
    for (int j = 0; j < right->count; j++)
        node_open(left, left->count, right->key[j], right->value[j], right->child[j + 1]);
    node_close(n, i);
    node_free(b, right);
    return left;
}

/* Child i, made to have two keys at least. */
static bt_node *node_fill(bt *b, bt_node *n, int i)
{
    bt_node *c = n->child[i];
    if (c->count > 1)
        return c;
    if (i > 0 && n->child[i - 1]->count > 1) {
        bt_node *left = n->child[i - 1];
        node_open(c, 0, n->key[i - 1], n->value[i - 1], c->child[0]);
        c->child[0] = left->child[FAULT(3) ? BT_KEYS : left->count];
        n->key[i - 1] = left->key[left->count - 1];
        n->value[i - 1] = left->value[left->count - 1];
        left->child[left->count--] = NULL;
        return c;
    }
    if (i < n->count && n->child[i + 1]->count > 1) {
        bt_node *right = n->child[i + 1];
        node_open(c, c->count, n->key[i], n->value[i], right->child[0]);
        n->key[i] = right->key[0];
        n->value[i] = right->value[0];
        right->child[0] = right->child[1];
        node_close(right, 0);
        return c;
    }
    return node_merge(b, n, i < n->count ? i : i - 1);
}

static void node_remove(bt *b, bt_node *n, int key)
{
    for (;;) {
        int i = node_place(n, key);
        if (i < n->count && n->key[i] == key) {
            if (b->cached && b->cached_key == key && (n->leaf || !FAULT(7)))
                b->cached = false;
            if (n->leaf) {
                node_close(n, i);
                return;
            }
            bt_node *end = n->child[i];
            if (end->count > 1) { /* the greatest entry on the left takes its place */
                while (!end->leaf)
                    end = end->child[end->count];
                n->key[i] = key = end->key[end->count - 1];
                n->value[i] = end->value[end->count - 1];
                n = n->child[i];
            } else if (n->child[i + 1]->count > 1) {
                end = n->child[i + 1];
                while (!end->leaf)
                    end = end->child[0];
                n->key[i] = key = end->key[0];
                n->value[i] = end->value[0];
                n = n->child[i + 1];
            } else {
                n = node_merge(b, n, i);
            }
            continue;
        }
        if (n->leaf)
            return;
        n = node_fill(b, n, i);
    }
}

static bt_status bt_remove(bt *b, int key)
{
    if (bt_find(b, key) == NULL)
        return BT_NONE;
    node_remove(b, b->root, key);
    if (b->root->count == 0 && !b->root->leaf) {
        bt_node *root = b->root;
        b->root = root->child[0];
        node_free(b, root);
    }
    b->count--;
    b->version++;
    return BT_OK;
}

/* ---- Cursors ---- */

static bt_cursor *bt_cursor_open(bt *b)
{
    bt_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort();
    c->tree = b;
    c->version = b->version;
    return c;
}

static bool is_stale(const bt_cursor *c)
{
    if (FAULT(5))
        return (c->version & 15) != (c->tree->version & 15); /* four bits of a packed word */
    return c->version != c->tree->version;
}

static void path_push(bt_cursor *c, bt_node *n, int at)
{
    c->path[c->depth].node = n;
    c->path[c->depth++].at = at;
}

/* Down to the first or the last entry below a node. */
static void path_down(bt_cursor *c, bt_node *n, bool last)
{
    for (; c->depth < BT_DEPTH - 1 && !n->leaf; n = n->child[last ? n->count : 0])
        path_push(c, n, last ? n->count : 0);
    path_push(c, n, last ? n->count - 1 : 0);
}

static void path_up(bt_cursor *c, bool back)
{
    while (c->depth > 0 && (back ? c->path[c->depth - 1].at <= 0
                                 : c->path[c->depth - 1].at >= c->path[c->depth - 1].node->count))
        c->depth--;
    if (c->depth > 0 && back)
        c->path[c->depth - 1].at--;
}

static void path_move(bt_cursor *c, bool back)
{
    bt_node *n = c->path[c->depth - 1].node;
    if (!n->leaf) {
        int side = c->path[c->depth - 1].at + !back;
        c->path[c->depth - 1].at = side;
        path_down(c, n->child[side], back);
        return;
    }
    if (!back)
        c->path[c->depth - 1].at++;
    path_up(c, back);
}

/* The cursor stands on the entry of its path, if there is one. */
static bt_status cursor_arrive(bt_cursor *c, int beyond, int *key, int *value)
{
    if (c->depth == 0) {
        c->state = beyond ? AFTER : BEFORE;
        return BT_NONE;
    }
    bt_node *n = c->path[c->depth - 1].node;
    int      at = c->path[c->depth - 1].at;
    c->state = ON;
    *key = n->key[at];
    *value = n->value[at];
    return BT_OK;
}

static void path_start(bt_cursor *c, bool last)
{
    c->depth = 0;
    if (c->tree->count > 0)
        path_down(c, c->tree->root, last);
}

static bt_status bt_next(bt_cursor *c, int *key, int *value)
{
    if (is_stale(c))
        return BT_STALE;
    if (c->state == BEFORE)
        path_start(c, false);
    else if (c->state == ON)
        path_move(c, false);
    return cursor_arrive(c, true, key, value);
}

static bt_status bt_prev(bt_cursor *c, int *key, int *value)
{
    if (is_stale(c))
        return BT_STALE;
    if (c->state == AFTER || (c->state == GAP && c->depth == 0))
        path_start(c, true);
    else if (c->state != BEFORE)
        path_move(c, true);
    return cursor_arrive(c, false, key, value);
}

static void path_seek(bt_cursor *c, int key)
{
    c->depth = 0;
    c->version = c->tree->version;
    for (bt_node *n = c->tree->root;;) {
        int i = node_place(n, key);
        if (FAULT(1) && n->leaf && i < n->count && n->key[i] == key)
            i++;
        path_push(c, n, i);
        if ((i < n->count && n->key[i] == key) || n->leaf)
            break;
        n = n->child[i];
    }
    path_up(c, false);
}

/* To the first entry whose key is not less; stale cursors are as new. */
static bt_status bt_seek(bt_cursor *c, int from, int *key, int *value)
{
    path_seek(c, from);
    return cursor_arrive(c, true, key, value);
}

static bt_status bt_set(bt_cursor *c, int value)
{
    if (is_stale(c))
        return BT_STALE;
    if (c->state != ON)
        return BT_NONE;
    bt_node *n = c->path[c->depth - 1].node;
    int      at = c->path[c->depth - 1].at;
    n->value[at] = value;
    if (!FAULT(6) && c->tree->cached && c->tree->cached_key == n->key[at])
        c->tree->cached = false;
    return BT_OK;
}

/* Removes the entry; the cursor then stands between its neighbours. */
static bt_status bt_erase(bt_cursor *c)
{
    if (is_stale(c))
        return BT_STALE;
    if (c->state != ON)
        return BT_NONE;
    int key = c->path[c->depth - 1].node->key[c->path[c->depth - 1].at];
    bt_remove(c->tree, key);
    if (FAULT(4)) /* only the cursor's own version was to be renewed */
        c->tree->version = c->version;
    path_seek(c, key);
    c->state = GAP;
    return BT_OK;
}

/* ---- The model: an array with a place for every key ---- */

#define KEYS 24

typedef struct place {
    bool stale;
    int  low,
        high; /* the next one is the first from high on, the previous one the last up to low */
    bool on;  /* on the entry low + 1 == high - 1 */
} place;

typedef struct model {
    bt   *tree;
    bool  has[KEYS];
    int   value[KEYS];
    int   count;
    place cursor[64];
} model;

static void start(wr_case *t, void *state)
{
    (void)t;
    ((model *)state)->tree = bt_new();
}

static void stop(wr_case *t, void *state)
{
    (void)t;
    free(((model *)state)->tree);
}

static void counts_agree(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->tree->count, m->count);
}

static void make_stale(model *m, int except)
{
    for (int i = 0; i < 64; i++)
        if (i != except)
            m->cursor[i].stale = true;
}

static void stand_on(place *p, int key)
{
    *p = (place){ .low = key - 1, .high = key + 1, .on = key >= 0 && key < KEYS };
}

static void do_put(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    int       key = (int)wr_value(call, 0), value = (int)wr_value(call, 1);
    bt_status expected = m->has[key] ? BT_OK : m->count == BT_ENTRIES ? BT_FULL : BT_NEW;
    wr_assert_eq(t, bt_put(m->tree, key, value), expected);
    if (expected == BT_FULL)
        return;
    m->has[key] = true;
    m->value[key] = value;
    if (expected == BT_NEW) {
        m->count++;
        make_stale(m, -1);
    }
}

static void do_get(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    int       key = (int)wr_value(call, 0), value = -1;
    bt_status status = bt_get(m->tree, key, &value);
    wr_assert_eq(t, status == BT_OK ? value : -1, m->has[key] ? m->value[key] : -1);
}

static void do_remove(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    key = (int)wr_value(call, 0);
    wr_assert_eq(t, bt_remove(m->tree, key), m->has[key] ? BT_OK : BT_NONE);
    if (m->has[key]) {
        m->has[key] = false;
        m->count--;
        make_stale(m, -1);
    }
}

static void do_open(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    stand_on(&m->cursor[wr_give(call, bt_cursor_open(m->tree))], -1);
}

static void check_arrival(wr_case *t, model *m, place *p, int expected, bt_status status, int key,
                          int value)
{
    stand_on(p, expected);
    if (expected >= 0 && expected < KEYS) {
        wr_assert_eq(t, status, BT_OK);
        wr_assert_eq(t, key, expected);
        wr_assert_eq(t, value, m->value[expected]);
    } else {
        wr_assert_eq(t, status, BT_NONE);
    }
}

static void do_next(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    place    *p = &m->cursor[wr_number(call, 0)];
    int       key = -1, value = -1;
    bt_status status = bt_next(wr_handle(call, 0), &key, &value);
    if (p->stale) {
        wr_assert_eq(t, status, BT_STALE);
        return;
    }
    int expected = p->high;
    while (expected < KEYS && !m->has[expected])
        expected++;
    check_arrival(t, m, p, expected > KEYS ? KEYS : expected, status, key, value);
}

static void do_prev(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    place    *p = &m->cursor[wr_number(call, 0)];
    int       key = -1, value = -1;
    bt_status status = bt_prev(wr_handle(call, 0), &key, &value);
    if (p->stale) {
        wr_assert_eq(t, status, BT_STALE);
        return;
    }
    int expected = p->low;
    while (expected >= 0 && !m->has[expected])
        expected--;
    check_arrival(t, m, p, expected < -1 ? -1 : expected, status, key, value);
}

static void do_seek(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    int       expected = (int)wr_value(call, 1), key = -1, value = -1;
    bt_status status = bt_seek(wr_handle(call, 0), expected, &key, &value);
    while (expected < KEYS && !m->has[expected])
        expected++;
    check_arrival(t, m, &m->cursor[wr_number(call, 0)], expected, status, key, value);
}

static void do_set(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    place    *p = &m->cursor[wr_number(call, 0)];
    bt_status expected = p->stale ? BT_STALE : p->on ? BT_OK : BT_NONE;
    wr_assert_eq(t, bt_set(wr_handle(call, 0), (int)wr_value(call, 1)), expected);
    if (expected == BT_OK)
        m->value[p->low + 1] = (int)wr_value(call, 1);
}

static void do_erase(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    place    *p = &m->cursor[wr_number(call, 0)];
    bt_status expected = p->stale ? BT_STALE : p->on ? BT_OK : BT_NONE;
    wr_assert_eq(t, bt_erase(wr_handle(call, 0)), expected);
    if (expected == BT_OK) {
        m->has[p->low + 1] = false;
        m->count--;
        p->on = false;
        make_stale(m, (int)wr_number(call, 0));
    }
}

static void do_close(wr_case *t, wr_call *call)
{
    (void)t;
    free(wr_handle(call, 0));
}

static const wr_kind KEY = { "key", .values = KEYS };
static const wr_kind VALUE = { "value", .values = 10 };
static const wr_kind CURSOR = { "cursor", .handle = true, .type = "bt_cursor *",
                                .release = free };

static const wr_command COMMANDS[] = {
    { "bt_put", do_put, .takes = { &KEY, &VALUE }, .weight = 6 },
    { "bt_get", do_get, .takes = { &KEY }, .weight = 3 },
    { "bt_remove", do_remove, .takes = { &KEY }, .weight = 2 },
    { "bt_cursor_open", do_open, .gives = &CURSOR },
    { "bt_next", do_next, .takes = { &CURSOR }, .weight = 3 },
    { "bt_prev", do_prev, .takes = { &CURSOR }, .weight = 2 },
    { "bt_seek", do_seek, .takes = { &CURSOR, &KEY }, .weight = 2 },
    { "bt_set", do_set, .takes = { &CURSOR, &VALUE } },
    { "bt_erase", do_erase, .takes = { &CURSOR } },
    { "bt_cursor_close", do_close, .takes = { &CURSOR }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(btree_is_an_ordered_map, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .stop = stop, .invariant = counts_agree);
