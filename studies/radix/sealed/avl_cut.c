/* A balanced search tree (AVL): deleting a key, cutting the tree in two at a key, and joining the
 * parts. Few trees are in order, and few of these are balanced.
 */
#include <warren.h>
#include <string.h>

#include "faults.h"

enum { LEAF, NODE, KEYS = 24 };
WR_TYPE(TREE, "Tree", { "Leaf", .show = "." },
        { "Node", .args = { &TREE, &TREE }, .index = KEYS, .show = "(%0 %i %1)" });

/* The height, or -1: not in order, or not balanced. */
static int check(wr_node *e, size_t low, size_t high)
{
    if (wr_tag(e) == LEAF)
        return 0;
    size_t key = wr_index(e);
    if (key < low || key >= high)
        return -1;
    int left = check(wr_arg(e, 0), low, key);
    if (left < 0)
        return -1;
    int right = check(wr_arg(e, 1), key + 1, high);
    if (right < 0 || left - right > 1 || right - left > 1)
        return -1;
    return 1 + (left > right ? left : right);
}

static bool is_avl(wr_node *e)
{
    return check(e, 0, KEYS) >= 0;
}

/* ---- The code under test --------------------------------------------------------------------
 */

typedef struct node node;
struct node {
    int   key, height;
    node *kid[2];
};

static int height(const node *n)
{
    return n == NULL ? 0 : n->height;
}

static void measure(node *n)
{
    int left = height(n->kid[0]), right = height(n->kid[1]);
    n->height = 1 + (left > right ? left : right);
}

/* Lifts the child of that side. */
static node *rotate(node *n, int side)
{
    node *up = n->kid[side];
    n->kid[side] = up->kid[!side];
    up->kid[!side] = n;
    measure(n);
    measure(up);
    return up;
}

static node *balance(node *n)
{
    measure(n);
    int lean = height(n->kid[1]) - height(n->kid[0]);
    if (lean >= -1 && lean <= 1)
        return n;
    int   side = lean > 0;
    node *heavy = n->kid[side];
    int   inner = height(heavy->kid[!side]), outer = height(heavy->kid[side]);
    if (FAULT(4) ? inner >= outer && side == 1 : false)
        return n->kid[side] = rotate(heavy, !side), rotate(n, side);
    if (inner > outer) {
        node *middle = heavy->kid[!side];
        int   lost = height(middle->kid[side]) < height(middle->kid[!side]);
        n->kid[side] = rotate(heavy, !side);
        node *top = rotate(n, side);
        if (FAULT(5) && lost && side == 0)
            top->kid[1]->height++;
        if (FAULT(9) && !lost && top->height >= 4 && height(middle->kid[!side]->kid[0]) == 1)
            top->height--;
        return top;
    }
    return rotate(n, side);
}

/* Takes the largest key out of n; *taken is its node. */
static node *take_last(node *n, node **taken)
{
    if (n->kid[1] == NULL) {
        *taken = n;
        return FAULT(3) ? NULL : n->kid[0];
    }
    int before = n->kid[1]->height;
    n->kid[1] = take_last(n->kid[1], taken);
    if (FAULT(6) && n->kid[1] != NULL && before == n->kid[1]->height + 1 && before >= 2)
        return measure(n), n;
    return balance(n);
}

static node *delete (node *n, int key)
{
    if (n == NULL)
        return NULL;
    if (key != n->key) {
        int side = key > n->key, before = n->height;
        n->kid[side] = delete (n->kid[side], key);
        if (FAULT(1) && height(n->kid[side]) == 0)
            return n;
        node *top = balance(n);
        if (FAULT(7) && before >= 5 && top == n && height(n->kid[side]) + 1 < before)
            top->height = before; /* "below five levels nothing changes at the top" */
        return top;
    }
    if (n->kid[0] == NULL)
        return FAULT(2) ? NULL : n->kid[1];
    node *last, *rest = take_last(n->kid[0], &last);
    last->kid[0] = rest;
    last->kid[1] = n->kid[1];
    if (FAULT(8) && height(rest) + 2 == height(last->kid[1]) && last->kid[1]->kid[0] != NULL)
        return measure(last), last;
    return balance(last);
}

/* All of a, then the node m, then all of b. */
static node *join(node *a, node *m, node *b)
{
    int lean = height(b) - height(a);
    if (lean > 1) {
        b->kid[0] = join(a, m, b->kid[0]);
        if (FAULT(10) && lean >= 3)
            return measure(b), b;
        return balance(b);
    }
    if (lean < -1) {
        a->kid[1] = join(a->kid[1], m, b);
        if (FAULT(11) && b != NULL && height(a->kid[1]) > height(a->kid[0]) + 1)
            return rotate(a, 1);
        return balance(a);
    }
    m->kid[0] = a;
    m->kid[1] = b;
    measure(m);
    return m;
}

/* The keys below `key` and those above; `key` itself goes. */
static void cut(node *n, int key, node **below, node **above)
{
    if (n == NULL) {
        *below = *above = NULL;
        return;
    }
    node *left = n->kid[0], *right = n->kid[1], *part;
    if (key == n->key) {
        *below = left;
        *above = FAULT(12) && height(right) == 3 && left->height == 2 ? right->kid[1] : right;
    } else if (key < n->key) {
        cut(left, key, below, &part);
        *above = join(part, n, right);
    } else {
        cut(right, key, &part, above);
        *below = join(left, n, part);
    }
}

/* ---- The property -----------------------------------------------------------------------------
 */

static void *to_struct(wr_case *t, wr_node *e, void **made, void *context)
{
    (void)context;
    if (wr_tag(e) == LEAF)
        return NULL;
    node *n = wr_alloc(t, sizeof *n);
    n->key = (int)wr_index(e);
    n->kid[0] = made[0];
    n->kid[1] = made[1];
    measure(n);
    return n;
}

static int real_height(const node *n)
{
    if (n == NULL)
        return 0;
    int left = real_height(n->kid[0]), right = real_height(n->kid[1]);
    return 1 + (left > right ? left : right);
}

/* Whether n is an AVL tree with just these keys, from *at on. */
static bool is_sound(const node *n)
{
    if (n == NULL)
        return true;
    int lean = real_height(n->kid[1]) - real_height(n->kid[0]);
    return n->height == real_height(n) && lean >= -1 && lean <= 1 && is_sound(n->kid[0]) &&
           is_sound(n->kid[1]);
}

static void list(const node *n, uint32_t *keys, int *last)
{
    if (n == NULL)
        return;
    list(n->kid[0], keys, last);
    if (n->key <= *last)
        *keys |= UINT32_C(1) << 31; /* out of order */
    *last = n->key;
    *keys |= UINT32_C(1) << n->key;
    list(n->kid[1], keys, last);
}

static uint32_t keys_of(const node *n)
{
    uint32_t keys = 0;
    int      last = -1;
    list(n, &keys, &last);
    return keys;
}

WR_PROPERTY(avl_cut)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, is_avl, e);
    int  key = (int)wr_int(t, "key", 0, KEYS - 1);
    bool cuts = wr_bool(t, "cuts");

    node    *tree = wr_fold(t, e, to_struct, NULL);
    uint32_t before = keys_of(tree), low = (UINT32_C(1) << key) - 1;
    if (cuts) {
        node *below, *above;
        cut(tree, key, &below, &above);
        wr_assert(t, is_sound(below) && is_sound(above));
        wr_assert_eq(t, keys_of(below), before & low);
        wr_assert_eq(t, keys_of(above), before & ~low & ~(low + 1));
    } else {
        tree = delete (tree, key);
        wr_assert(t, is_sound(tree));
        wr_assert_eq(t, keys_of(tree), before & ~(low + 1));
    }
}

#ifdef WITNESS
/* One for each of the deep faults: 4, 5, 6, 7, 9, 10, 11 and 12. */
WR_EXAMPLE(avl_cut, "e = ((. 0 (. 1 .)) 2 (((. 3 .) 4 .) 5 (. 6 (. 7 .))))", "key = 0");
WR_EXAMPLE(avl_cut, "e = ((. 0 (. 1 .)) 2 ((. 3 (. 4 .)) 5 (. 6 .)))", "key = 0", "cuts = true");
WR_EXAMPLE(avl_cut,
           "e = ((((. 0 .) 1 (. 2 (. 3 .))) 4 (. 5 (. 6 .))) 7 ((. 8 .) 9 (. 10 (. 11 .))))",
           "key = 7");
WR_EXAMPLE(avl_cut,
           "e = (((. 0 .) 1 (. 2 (. 3 .))) 4 ((. 5 (. 6 .)) 7 ((. 8 .) 9 (. 10 (. 11 .)))))",
           "key = 5");
WR_EXAMPLE(avl_cut,
           "e = (((. 0 .) 1 (. 2 (. 3 .))) 4 (((. 5 (. 6 .)) 7 (. 8 .)) 9 (. 10 (. 11 .))))",
           "key = 0", "cuts = true");
WR_EXAMPLE(avl_cut, "e = ((. 0 (. 1 .)) 2 (((. 3 .) 4 (. 5 .)) 6 (. 7 .)))", "key = 1",
           "cuts = true");
WR_EXAMPLE(avl_cut, "e = (((. 0 .) 1 (. 2 (. 3 .))) 4 (. 5 (. 6 .)))", "key = 6", "cuts = true");
WR_EXAMPLE(avl_cut, "e = ((. 0 (. 1 .)) 2 ((. 3 .) 4 (. 5 (. 6 .))))", "key = 2", "cuts = true");
#endif
