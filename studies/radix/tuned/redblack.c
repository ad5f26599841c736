/* studies/radix/tuned/redblack.c: red-black trees over twelve keys, valid ones, into which a key
 * is put and from which it is taken. Taking leaves a part that lacks a black node: it is marked
 * DOUBLE until a rotation has made up for it.
 */
#include <string.h>

#include "faults.h"

#define KEYS 12
#define FAULTS 10

/* ---- Trees as lazy data ---- */

/* A key is kept as its distance from the smallest that could stand there: 0 for the next one. */
enum { LEAF, RED, BLACK, DOUBLE };
WR_TYPE(KEY, "Key", { "Key", .index = KEYS, .cost = WR_FREE, .show = "+%i" });
WR_TYPE(TREE, "Tree", [LEAF] = { "Leaf", .show = "." },
        [RED] = { "Red", .args = { &TREE, &KEY, &TREE }, .show = "(%0 red %1 %2)" },
        [BLACK] = { "Black", .args = { &TREE, &KEY, &TREE }, .show = "(%0 black %1 %2)" });

#define ANY_HEIGHT (-1)

/* The black nodes on every way down, of which there must be `height`. A red node has no red part.
 * Keys are from low on and below high. */
static int demand_valid(wr_node *e, int height, bool below_red, size_t low, size_t high)
{
    uint64_t tags = height <= 0 ? 1u << LEAF : 0;
    if (low < high)
        tags |= (below_red ? 0 : 1u << RED) | (height != 0 ? 1u << BLACK : 0);
    int tag = wr_need(e, tags), black = tag == BLACK;
    if (tag == LEAF)
        return 0;
    size_t key = low + wr_need_index_below(wr_arg(e, 1), high - low);
    height = demand_valid(wr_arg(e, 0), height == ANY_HEIGHT ? height : height - black,
                          tag == RED, low, key);
    demand_valid(wr_arg(e, 2), height, tag == RED, key + 1, high);
    return height + black;
}

static bool is_red_black(wr_node *e)
{
    count_run();
    demand_valid(e, ANY_HEIGHT, true, 0, KEYS); /* the root is black */
    return true;
}

/* ---- The code under test ---- */

typedef struct node node;
struct node {
    int         colour, key;
    const node *left, *right; /* NULL: empty */
};

static const node GAP = { .colour = DOUBLE, .key = -1 }; /* empty, and lacks a black node */

#define NODES_MOST 4096
static node   nodes[NODES_MOST];
static size_t used;

static const node *make(int colour, const node *left, int key, const node *right)
{
    node *made = &nodes[used++ % NODES_MOST];
    *made = (node){ colour, key, left, right };
    return made;
}

static bool is(int colour, const node *n)
{
    return n != NULL && n->colour == colour;
}

static const node *paint(int colour, const node *n)
{
    return n == NULL || n == &GAP ? NULL : make(colour, n->left, n->key, n->right);
}

/* Three keys in order and the four trees around them, the middle one on top. */
static const node *three(int colour, const node *a, int x, const node *b, int y, const node *c,
                         int z, const node *d)
{
    return make(colour, make(BLACK, a, x, b), y, make(BLACK, c, z, d));
}

/* A node in one part of which two red nodes may follow each other. */
static const node *balance(int colour, const node *l, int key, const node *r)
{
    int top = colour == DOUBLE ? BLACK : RED;
    if (colour == RED)
        return make(colour, l, key, r);
    if (is(RED, l) && is(RED, l->left) && colour != DOUBLE)
        return three(top, l->left->left, l->left->key, l->left->right, l->key, l->right, key, r);
    if (is(RED, l) && is(RED, l->right) && !(colour == BLACK && FAULT(3)))
        return three(top, l->left, l->key, l->right->left, l->right->key, l->right->right, key,
                     r);
    if (is(RED, r) && is(RED, r->left) && !(colour == DOUBLE && FAULT(6)))
        return three(top, l, key, r->left->left, r->left->key, r->left->right, r->key, r->right);
    if (is(RED, r) && is(RED, r->right) && colour != DOUBLE)
        return three(top, l, key, r->left, r->key, r->right->left, r->right->key,
                     r->right->right);
    return make(colour, l, key, r);
}

static const node *put_below(const node *n, int key)
{
    if (n == NULL)
        return make(FAULT(1) ? BLACK : RED, NULL, key, NULL);
    if (key < n->key || (key == n->key && FAULT(2)))
        return balance(n->colour, put_below(n->left, key), n->key, n->right);
    if (key > n->key)
        return balance(n->colour, n->left, n->key, put_below(n->right, key));
    return n;
}

static const node *put(const node *n, int key)
{
    return paint(BLACK, put_below(n, key));
}

/* A part without its mark. */
static const node *whole(const node *n)
{
    return is(DOUBLE, n) ? paint(BLACK, n) : n;
}

/* The left part is marked; the right one, r, is red. */
static const node *under_red_right(const node *l, int key, const node *r)
{
    const node *near = r->left;
    const node *given = l != &GAP && FAULT(8) ? make(RED, l->left, l->key, l->right) : whole(l);
    return make(BLACK, balance(BLACK, make(RED, given, key, near->left), near->key, near->right),
                r->key, r->right);
}

static const node *under_red_left(const node *l, int key, const node *r)
{
    const node *near = l->right;
    int         below = r != &GAP && FAULT(9) ? BLACK : RED;
    return make(BLACK, l->left, l->key,
                balance(BLACK, near->left, near->key, make(below, near->right, key, whole(r))));
}

/* Moves the mark of a part up, or makes up for it. */
static const node *rotate(int colour, const node *l, int key, const node *r)
{
    int above = colour == BLACK ? DOUBLE : BLACK;
    if (is(DOUBLE, l) && is(BLACK, r)) {
        if (colour == BLACK && l != &GAP && is(RED, r->left) && is(RED, r->right) && FAULT(10))
            return make(BLACK, whole(l), key, r);
        return balance(above, make(RED, whole(l), key, r->left), r->key, r->right);
    }
    if (is(DOUBLE, r) && is(BLACK, l))
        return balance(FAULT(7) ? colour : above, l->left, l->key,
                       make(RED, l->right, key, whole(r)));
    if (is(DOUBLE, l) && is(RED, r))
        return under_red_right(l, key, r);
    if (is(DOUBLE, r) && is(RED, l))
        return under_red_left(l, key, r);
    return make(colour, l, key, r);
}

/* Without its smallest key, which goes to *key. */
static const node *take_smallest(const node *n, int *key)
{
    if (n->left != NULL)
        return rotate(n->colour, take_smallest(n->left, key), n->key, n->right);
    *key = n->key;
    if (n->right != NULL)
        return paint(BLACK, n->right);
    return n->colour == BLACK ? &GAP : NULL;
}

static const node *take_here(const node *n)
{
    int         next = 0;
    const node *rest;
    if (n->right == NULL && n->left == NULL)
        return n->colour == BLACK && !FAULT(5) ? &GAP : NULL;
    if (n->right == NULL)
        return FAULT(4) ? n->left : paint(BLACK, n->left);
    rest = take_smallest(n->right, &next);
    return rotate(n->colour, n->left, next, rest);
}

static const node *take_below(const node *n, int key)
{
    if (n == NULL)
        return NULL;
    if (key < n->key)
        return rotate(n->colour, take_below(n->left, key), n->key, n->right);
    if (key > n->key)
        return rotate(n->colour, n->left, n->key, take_below(n->right, key));
    return take_here(n);
}

static const node *take(const node *n, int key)
{
    return paint(BLACK, take_below(n, key));
}

/* ---- The property ---- */

/* The black nodes on every way down; negative: the tree is not valid. Its keys go to `held`. */
static int height_of(const node *n, int low, int high, unsigned *held)
{
    if (n == NULL)
        return 0;
    if (n->key < low || n->key >= high || n->colour == DOUBLE ||
        (n->colour == RED && (is(RED, n->left) || is(RED, n->right))))
        return -1;
    *held |= 1u << n->key;
    int left = height_of(n->left, low, n->key, held);
    return left < 0 || left != height_of(n->right, n->key + 1, high, held)
               ? -1
               : left + (n->colour == BLACK);
}

static bool holds(const node *n, unsigned wanted)
{
    unsigned held = 0;
    return !is(RED, n) && height_of(n, 0, KEYS, &held) >= 0 && held == wanted;
}

static const node *copy(wr_node *e, int low, unsigned *keys)
{
    if (wr_tag(e) == LEAF)
        return NULL;
    int key = low + (int)wr_index(wr_arg(e, 1));
    *keys |= 1u << key;
    const node *left = copy(wr_arg(e, 0), low, keys);
    return make(wr_tag(e), left, key, copy(wr_arg(e, 2), key + 1, keys));
}

/* Some key goes wrong. */
static bool shows(int number, void *context)
{
    unsigned keys = 0;
    (void)number;
    used = 0;
    const node *tree = copy(context, 0, &keys);
    size_t      kept = used;
    for (int key = 0; key < KEYS; key++) {
        used = kept;
        if (!holds(put(tree, key), keys | 1u << key) ||
            !holds(take(tree, key), keys & ~(1u << key)))
            return true;
    }
    return false;
}

WR_PROPERTY(redblack)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, is_red_black, e);
    try_faults(t, FAULTS, shows, e);
}

#ifdef WITNESS
WR_EXAMPLE(redblack, "e = (((. black +0 .) black +1 (. black +0 .)) black +3 (((. black +0 .) bla"
                     "ck +1 (. black +0 .)) red +3 ((. black +0 .) black +1 (. black +0 .))))");
WR_EXAMPLE(redblack, "e = ((((. black +0 .) black +1 (. black +0 .)) red +3 ((. black +0 .) black"
                     " +1 (. black +0 .))) black +7 ((. black +0 .) black +1 (. black +0 .)))");
WR_EXAMPLE(redblack, "e = (((. black +0 .) black +1 (. black +0 .)) black +3 (((. black +0 .) re"
                     "d +1 (. black +0 .)) black +3 ((. black +0 .) red +1 (. black +0 .))))");
#endif
