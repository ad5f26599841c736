/* rope.c: text as a tree of short leaves. Ropes are handles; their nodes may be shared, and never
 * change while they are. Each rope has a small window, the text around the last character read.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define LEAF 4
#define WINDOW 8
#define DEEPEST 5
#define BATCH 8
#define MANY_EDITS 12

typedef struct node {
    int          refs;
    int          depth; /* 0: a leaf */
    size_t       length;
    struct node *left, *right;
    char         text[LEAF];
} node;

typedef struct rope_heap {
    int ropes;
    int nodes;
} rope_heap;

typedef struct rope {
    rope_heap *heap;
    node      *root;  /* NULL: no text */
    int        edits; /* since the leaves were last full */
    size_t     window_at, window_length;
    char       window[WINDOW];
} rope;

static node *node_new(rope_heap *h, size_t length)
{
    node *n = calloc(1, sizeof *n);
    if (n == NULL)
        abort();
    n->refs = 1;
    n->length = length;
    h->nodes++;
    return n;
}

static node *node_keep(node *n)
{
    if (n != NULL)
        n->refs++;
    return n;
}

static void node_drop(rope_heap *h, node *n)
{
    if (n == NULL || --n->refs > 0)
        return;
    node_drop(h, n->left);
    node_drop(h, n->right);
    h->nodes--;
    free(n);
}

static size_t node_length(const node *n)
{
    return n == NULL ? 0 : n->length;
}

static node *leaf_new(rope_heap *h, const char *text, size_t length)
{
    node *n = node_new(h, length);
    memcpy(n->text, text, length);
    return n;
}

static void node_read(const node *n, size_t at, size_t length, char *to)
{
    if (n == NULL || length == 0)
        return;
    if (n->depth == 0) {
        memcpy(to, n->text + at, length);
        return;
    }
    size_t left = n->left->length;
    size_t first = at >= left ? 0 : left - at < length ? left - at : length;
    node_read(n->left, at, first, to);
    node_read(n->right, at + first - left, length - first, to + first);
}

/* Takes over a and b. */
static node *node_join(rope_heap *h, node *a, node *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    node *n = node_new(h, a->length + b->length);
    if (a->depth == 0 && b->depth == 0 && n->length <= LEAF) {
        memcpy(n->text, a->text, a->length);
        memcpy(n->text + a->length, b->text, b->length);
        node_drop(h, a);
        node_drop(h, b);
        return n;
    }
    n->depth = 1 + (a->depth > b->depth ? a->depth : b->depth);
    n->left = a;
    n->right = b;
    return n;
}

static node *node_from(rope_heap *h, const char *text, size_t length)
{
    if (length == 0)
        return NULL;
    if (length <= LEAF)
        return leaf_new(h, text, length);
    size_t half = length / 2;
    return node_join(h, node_from(h, text, half), node_from(h, text + half, length - half));
}

/* Leaves n as it is. */
static void node_split(rope_heap *h, node *n, size_t at, node **a, node **b)
{
    if (at == 0 || at >= node_length(n)) {
        *a = at == 0 ? NULL : node_keep(n);
        *b = at == 0 ? node_keep(n) : NULL;
    } else if (n->depth == 0) {
        *a = leaf_new(h, n->text, at);
        *b = leaf_new(h, n->text + at, n->length - at);
    } else if (at <= n->left->length) {
        node *middle;
        node_split(h, n->left, at, a, &middle);
        *b = node_join(h, middle, node_keep(n->right));
    } else {
        node *middle;
        node_split(h, n->right, at - n->left->length, &middle, b);
        *a = node_join(h, node_keep(n->left), middle);
    }
}

typedef struct batch {
    node  *trees[BATCH];
    size_t count;
    node  *done;
} batch;

static node *join_row(rope_heap *h, node **row, size_t count)
{
    if (count <= 1)
        return count == 0 ? NULL : row[0];
    return node_join(h, join_row(h, row, count / 2),
                     join_row(h, row + count / 2, count - count / 2));
}

static void collect(rope_heap *h, node *n, batch *b)
{
    if (n == NULL)
        return;
    if (n->depth > 0) {
        collect(h, n->left, b);
        collect(h, n->right, b);
        return;
    }
    if (b->count == BATCH) {
        b->done = node_join(h, b->done, join_row(h, b->trees, b->count));
        b->count = 0;
        if (FAULT(6)) /* the leaf that did not fit */
            return;
    }
    b->trees[b->count++] = node_keep(n);
}

/* The same text in full leaves. Takes over n. */
static node *compact(rope_heap *h, node *n)
{
    char   chars[LEAF];
    node  *full = NULL;
    size_t at = 0;
    for (; at + LEAF <= node_length(n); at += LEAF) {
        node_read(n, at, LEAF, chars);
        full = node_join(h, full, leaf_new(h, chars, LEAF));
    }
    if (!FAULT(8) && at < node_length(n)) {
        node_read(n, at, n->length - at, chars);
        full = node_join(h, full, leaf_new(h, chars, n->length - at));
    }
    node_drop(h, n);
    return full;
}

static void rope_set(rope *r, node *root)
{
    if (++r->edits == MANY_EDITS) {
        root = compact(r->heap, root);
        r->edits = 0;
    }
    if (root != NULL && root->depth > DEEPEST) {
        batch b = { .count = 0 };
        collect(r->heap, root, &b);
        node_drop(r->heap, root);
        root = node_join(r->heap, b.done, join_row(r->heap, b.trees, b.count));
    }
    r->root = root;
}

/* The text from `at` on is about to change. */
static void rope_touch(rope *r, size_t at)
{
    if (at < r->window_at + r->window_length)
        r->window_length = 0;
}

static size_t rope_length(const rope *r)
{
    return node_length(r->root);
}

static rope *rope_new(rope_heap *h, const char *text)
{
    rope *r = calloc(1, sizeof *r);
    if (r == NULL)
        abort();
    r->heap = h;
    r->root = node_from(h, text, strlen(text));
    h->ropes++;
    return r;
}

static rope *rope_share(const rope *r)
{
    rope *copy = rope_new(r->heap, "");
    copy->root = node_keep(r->root);
    return copy;
}

static void rope_free(rope *r)
{
    r->heap->ropes--;
    node_drop(r->heap, r->root);
    free(r);
}

/* False: there is no such place. */
static bool rope_insert(rope *r, size_t at, const char *text)
{
    node  *a, *b, *middle = node_from(r->heap, text, strlen(text));
    size_t more = strlen(text);
    node  *root = r->root;
    if (at > rope_length(r)) {
        if (FAULT(5))
            return false;
        node_drop(r->heap, middle);
        return false;
    }
    rope_touch(r, at);
    bool alone = FAULT(1) ? true : root != NULL && root->refs == 1;
    if (root != NULL && root->depth == 0 && alone && root->length + more <= LEAF) {
        memmove(root->text + at + more, root->text + at, root->length - at); /* in place */
        memcpy(root->text + at, text, more);
        root->length += more;
        node_drop(r->heap, middle);
        return true;
    }
    node_split(r->heap, root, at, &a, &b);
    node_drop(r->heap, root);
    rope_set(r, node_join(r->heap, node_join(r->heap, a, middle), b));
    return true;
}

/* Deletes up to `count` characters; returns how many there were. */
static size_t rope_delete(rope *r, size_t at, size_t count)
{
    node  *a, *b, *c, *rest;
    size_t length = rope_length(r);
    if (at >= length)
        return 0;
    if (count > length - at)
        count = length - at;
    if (FAULT(2))
        rope_touch(r, at + count);
    else
        rope_touch(r, at);
    node_split(r->heap, r->root, at, &a, &rest);
    node_split(r->heap, rest, count, &b, &c);
    node_drop(r->heap, rest);
    node_drop(r->heap, b);
    node_drop(r->heap, r->root);
    rope_set(r, node_join(r->heap, a, c));
    return count;
}

/* r keeps what is before `at`; the result has the others. */
static rope *rope_split(rope *r, size_t at)
{
    rope *rest = rope_new(r->heap, "");
    node *a, *b;
    if (!FAULT(3))
        rope_touch(r, at);
    node_split(r->heap, r->root, at, &a, &b);
    node_drop(r->heap, r->root);
    rope_set(r, a);
    rope_set(rest, b);
    return rest;
}

/* Appends the text of b, which may be a. */
static void rope_append(rope *a, const rope *b)
{
    size_t more = rope_length(b);
    node  *tail = node_keep(b->root);
    if (FAULT(4) && more > 0 && tail->depth == 0 && a->root != NULL && a->root->depth > 0 &&
        a->root->right->depth == 0 && a->root->right->length + more <= LEAF) {
        node *last = a->root->right; /* fills the last leaf up */
        memcpy(last->text + last->length, tail->text, more);
        last->length += more;
        a->root->length += more;
        node_drop(a->heap, tail);
        return;
    }
    rope_set(a, node_join(a->heap, a->root, tail));
}

/* Appends b, which is gone then. */
static void rope_join(rope *a, rope *b)
{
    rope_append(a, b);
    rope_free(b);
}

/* -1: there is no such place. */
static int rope_at(rope *r, size_t at)
{
    size_t length = rope_length(r);
    if (at >= length)
        return -1;
    if (at < r->window_at || at >= r->window_at + r->window_length) {
        r->window_at = at - at % WINDOW;
        r->window_length = length - r->window_at < WINDOW ? length - r->window_at : WINDOW;
        node_read(r->root, r->window_at, r->window_length, r->window);
    }
    return (unsigned char)r->window[at - r->window_at];
}

static bool rope_equal(const rope *a, const rope *b)
{
    char x[LEAF], y[LEAF];
    if (a->root == b->root)
        return true;
    if (rope_length(a) != rope_length(b))
        return false;
    for (size_t at = 0; at < rope_length(a); at += LEAF) {
        size_t part = rope_length(a) - at < LEAF ? rope_length(a) - at : LEAF;
        if (FAULT(7) && part < LEAF)
            break; /* the rest */
        node_read(a->root, at, part, x);
        node_read(b->root, at, part, y);
        if (memcmp(x, y, part) != 0)
            return false;
    }
    return true;
}

/* ---- The model: an array of characters for each rope ---- */

#define MOST 120

typedef struct text {
    size_t length;
    char   chars[MOST];
} text;

typedef struct model {
    rope_heap heap;
    int       ropes;
    text      texts[64];
} model;

static const char *const WORDS[] = { "", "a", "b", "xy", "rope", "hello", "split it" };

static void show_word(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", WORDS[value]);
}

static int64_t draw_place(wr_case *t)
{
    return wr_int(t, NULL, 0, 20);
}

static void release_rope(void *handle)
{
    rope_free(handle);
}

static const wr_kind ROPE = { "rope", .handle = true, .type = "rope *", .release = release_rope };
static const wr_kind WORD = { "word", .values = sizeof WORDS / sizeof *WORDS, .show = show_word };
static const wr_kind PLACE = { "place", .draw = draw_place };
static const wr_kind COUNT = { "count", .values = 6 };

static text *text_of(const wr_call *call, unsigned argument)
{
    model *m = wr_model(call);
    return &m->texts[wr_number(call, argument)];
}

static void text_insert(text *x, size_t at, const char *chars, size_t count)
{
    memmove(x->chars + at + count, x->chars + at, x->length - at);
    memcpy(x->chars + at, chars, count);
    x->length += count;
}

static void do_new(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *word = WORDS[wr_value(call, 0)];
    rope       *r = rope_new(&m->heap, word);
    text       *x = &m->texts[wr_give(call, r)];
    memset(x, 0, sizeof *x);
    text_insert(x, 0, word, strlen(word));
    m->ropes++;
    wr_assert_eq(t, rope_length(r), x->length);
}

static void do_share(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    rope  *r = rope_share(wr_handle(call, 0));
    text  *x = &m->texts[wr_give(call, r)];
    *x = *text_of(call, 0);
    m->ropes++;
    wr_assert(t, rope_equal(wr_handle(call, 0), r));
}

static void do_free(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    rope_free(wr_handle(call, 0));
    m->ropes--;
}

static bool word_fits(const wr_call *call)
{
    return text_of(call, 0)->length + strlen(WORDS[wr_value(call, 2)]) <= MOST;
}

static void do_insert(wr_case *t, wr_call *call)
{
    text       *x = text_of(call, 0);
    size_t      at = (size_t)wr_value(call, 1);
    const char *word = WORDS[wr_value(call, 2)];
    bool        done = rope_insert(wr_handle(call, 0), at, word);
    wr_assert_eq(t, done, at <= x->length);
    if (done)
        text_insert(x, at, word, strlen(word));
    wr_assert_eq(t, rope_length(wr_handle(call, 0)), x->length);
}

static void do_delete(wr_case *t, wr_call *call)
{
    text  *x = text_of(call, 0);
    size_t at = (size_t)wr_value(call, 1), count = (size_t)wr_value(call, 2);
    size_t rest = at < x->length ? x->length - at : 0;
    count = count < rest ? count : rest;
    wr_assert_eq(t, rope_delete(wr_handle(call, 0), at, (size_t)wr_value(call, 2)), count);
    memmove(x->chars + at, x->chars + at + count, rest - count);
    x->length -= count;
}

static void do_split(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    text  *x = text_of(call, 0);
    size_t at = (size_t)wr_value(call, 1);
    rope  *rest = rope_split(wr_handle(call, 0), at);
    text  *y = &m->texts[wr_give(call, rest)];
    at = at < x->length ? at : x->length;
    memset(y, 0, sizeof *y);
    text_insert(y, 0, x->chars + at, x->length - at);
    x->length = at;
    m->ropes++;
    wr_assert_eq(t, rope_length(wr_handle(call, 0)), x->length);
    wr_assert_eq(t, rope_length(rest), y->length);
}

static bool both_fit(const wr_call *call)
{
    return text_of(call, 0)->length + text_of(call, 1)->length <= MOST;
}

static void do_append(wr_case *t, wr_call *call)
{
    text *x = text_of(call, 0), y = *text_of(call, 1);
    rope_append(wr_handle(call, 0), wr_handle(call, 1));
    text_insert(x, x->length, y.chars, y.length);
    wr_assert_eq(t, rope_length(wr_handle(call, 0)), x->length);
}

static void do_join(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    text  *x = text_of(call, 0), *y = text_of(call, 1);
    rope_join(wr_handle(call, 0), wr_handle(call, 1));
    text_insert(x, x->length, y->chars, y->length);
    m->ropes--;
    wr_assert_eq(t, rope_length(wr_handle(call, 0)), x->length);
}

static void do_at(wr_case *t, wr_call *call)
{
    const text *x = text_of(call, 0);
    size_t      at = (size_t)wr_value(call, 1);
    wr_assert_eq(t, rope_at(wr_handle(call, 0), at), at < x->length ? x->chars[at] : -1);
}

static void do_read(wr_case *t, wr_call *call)
{
    const text *x = text_of(call, 0);
    const rope *r = wr_handle(call, 0);
    char        chars[MOST];
    wr_assert_eq(t, rope_length(r), x->length);
    node_read(r->root, 0, x->length, chars);
    wr_assert_mem_eq(t, chars, x->chars, x->length);
}

static void do_equal(wr_case *t, wr_call *call)
{
    const text *x = text_of(call, 0), *y = text_of(call, 1);
    bool        same = x->length == y->length && memcmp(x->chars, y->chars, x->length) == 0;
    wr_assert_eq(t, rope_equal(wr_handle(call, 0), wr_handle(call, 1)), same);
}

static void nothing_leaks(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->heap.ropes, m->ropes);
    if (m->ropes == 0)
        wr_assert_eq(t, m->heap.nodes, 0);
}

static const wr_command COMMANDS[] = {
    { "rope_new", do_new, .takes = { &WORD }, .gives = &ROPE },
    { "rope_share", do_share, .takes = { &ROPE }, .gives = &ROPE },
    { "rope_free", do_free, .takes = { &ROPE }, .consumes = 1u << 0, .weight = 2 },
    { "rope_insert", do_insert, .takes = { &ROPE, &PLACE, &WORD }, .when = word_fits,
      .weight = 2 },
    { "rope_delete", do_delete, .takes = { &ROPE, &PLACE, &COUNT } },
    { "rope_split", do_split, .takes = { &ROPE, &PLACE }, .gives = &ROPE },
    { "rope_append", do_append, .takes = { &ROPE, &ROPE }, .when = both_fit },
    { "rope_join", do_join, .takes = { &ROPE, &ROPE }, .consumes = 1u << 1, .when = both_fit },
    { "rope_at", do_at, .takes = { &ROPE, &PLACE }, .weight = 2 },
    { "rope_read", do_read, .takes = { &ROPE }, .weight = 2 },
    { "rope_equal", do_equal, .takes = { &ROPE, &ROPE } },
    { 0 },
};

WR_MACHINE(ropes_are_texts, .commands = COMMANDS, .model_size = sizeof(model),
           .invariant = nothing_leaks);
