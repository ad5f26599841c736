/* studies/etna/rbt.c: red-black trees with insert and delete, and fifteen mutants.
 *
 * Insertion is Okasaki's, deletion Kahrs's. Every property has a variant for each mutant of the
 * function that it is about: NAME_with_MUTANT.
 */
#include "maps.h"

#define INSERT_MUTANTS(_)                                                                        \
    _(ForgetsTheRest)                                                                            \
    _(KeepsTwoOfAKey)                                                                            \
    _(KeepsTheOldValue)                                                                          \
    _(LeavesTheRootRed) _(AddsBlackNodes) _(NeverBalancesLeft) _(NeverBalancesRight)
#define DELETE_MUTANTS(_)                                                                        \
    _(ForgetsTheRoot)                                                                            \
    _(TurnsTheWrongWay)                                                                          \
    _(PaintsLeftBlack) _(PaintsRightBlack) _(JoinsRedAsBlack) _(JoinsBlackAsRed)

#define BALANCE_MUTANTS(_) _(SwapsInnerParts) _(SwapsOuterParts) /* of both functions */

#define MUTANT_NUMBER_(name) name,
typedef enum mutant {
    NO_MUTANT,
    INSERT_MUTANTS(MUTANT_NUMBER_) DELETE_MUTANTS(MUTANT_NUMBER_) BALANCE_MUTANTS(MUTANT_NUMBER_)
} mutant;

static mutant active;

/* ---- The trees ---- */

enum { LEAF, RED, BLACK };
#define PARTS_                                                                                   \
    {                                                                                            \
        &TREE, &NUMBER, &NUMBER, &TREE                                                           \
    }
WR_TYPE(TREE, "Tree", [LEAF] = { "Leaf", .cost = WR_FREE, .show = "." },
        [RED] = { "Red", .args = PARTS_, .show = "(%0 red %1:%2 %3)" },
        [BLACK] = { "Black", .args = PARTS_, .show = "(%0 black %1:%2 %3)" });

#define ANY_HEIGHT (-1)

/* The black nodes on every way down, of which there must be `height`; a red node has no red part.
 * Keys are from low on and below high. */
static int demand_valid(wr_node *e, int height, bool below_red, size_t low, size_t high)
{
    uint64_t tags = (height <= 0 ? 1u << LEAF : 0) | (below_red ? 0 : 1u << RED) |
                    (height != 0 ? 1u << BLACK : 0);
    int tag = wr_need(e, tags), black = tag == BLACK;
    if (tag == LEAF)
        return 0;
    size_t key = wr_need_index_below(wr_arg(e, 1), high);
    if (key < low)
        wr_need(e, 0);
    height = demand_valid(wr_arg(e, 0), height == ANY_HEIGHT ? height : height - black,
                          tag == RED, low, key);
    demand_valid(wr_arg(e, 3), height, tag == RED, key + 1, high);
    return height + black;
}

static bool is_red_black(wr_node *e)
{
    demand_valid(e, ANY_HEIGHT, true, 0, KEYS); /* the root is black */
    return true;
}

static const map *copy(wr_node *e)
{
    if (wr_tag(e) == LEAF)
        return NULL;
    const map *left = copy(wr_arg(e, 0)), *right = copy(wr_arg(e, 3));
    return new_map(wr_tag(e), left, wr_index(wr_arg(e, 1)), wr_arg(e, 2), right);
}

static bool is(int colour, const map *m)
{
    return m != NULL && m->colour == colour;
}

static const map *painted(int colour, const map *m)
{
    return m == NULL ? NULL : new_map(colour, m->left, m->key, m->value, m->right);
}

/* As many black nodes on every way down; negative: no, or a red node has a red part. */
static int black_height(const map *m)
{
    if (m == NULL)
        return 0;
    int left = black_height(m->left), right = black_height(m->right);
    if (left < 0 || left != right ||
        (m->colour == RED && (is(RED, m->left) || is(RED, m->right))))
        return -1;
    return left + (m->colour == BLACK);
}

static bool valid(const map *m)
{
    return !is(RED, m) && black_height(m) >= 0 && sorted(m);
}

/* ---- The code under test ---- */

/* A red node over two black ones: x between a and b, y on top, z between c and d. */
static const map *three(const map *a, const map *x, const map *b, const map *y, const map *c,
                        const map *z, const map *d)
{
    if (active == SwapsInnerParts) {
        const map *other = b;
        b = c;
        c = other;
    }
    if (active == SwapsOuterParts) {
        const map *other = c;
        c = d;
        d = other;
    }
    return new_map(RED, new_map(BLACK, a, x->key, x->value, b), y->key, y->value,
                   new_map(BLACK, c, z->key, z->value, d));
}

/* A black node with these parts, in one of which two red nodes may follow each other. */
static const map *balance(const map *l, const map *m, const map *r)
{
    if (is(RED, l) && is(RED, r))
        return new_map(RED, painted(BLACK, l), m->key, m->value, painted(BLACK, r));
    if (is(RED, l) && is(RED, l->left))
        return three(l->left->left, l->left, l->left->right, l, l->right, m, r);
    if (is(RED, l) && is(RED, l->right))
        return three(l->left, l, l->right->left, l->right, l->right->right, m, r);
    if (is(RED, r) && is(RED, r->right))
        return three(l, m, r->left, r, r->right->left, r->right, r->right->right);
    if (is(RED, r) && is(RED, r->left))
        return three(l, m, r->left->left, r->left, r->left->right, r, r->right);
    return new_map(BLACK, l, m->key, m->value, r);
}

static const map *insert_below(const map *m, size_t key, wr_node *value)
{
    if (m == NULL || active == ForgetsTheRest)
        return new_map(active == AddsBlackNodes ? BLACK : RED, NULL, key, value, NULL);
    bool left = key < m->key;
    bool balanced =
        m->colour == BLACK && active != (left ? NeverBalancesLeft : NeverBalancesRight);
    if (key == m->key && active != KeepsTwoOfAKey)
        return active == KeepsTheOldValue ? m : new_map(m->colour, m->left, key, value, m->right);
    const map *l = left ? insert_below(m->left, key, value) : m->left;
    const map *r = left ? m->right : insert_below(m->right, key, value);
    return balanced ? balance(l, m, r) : with_parts(m, l, r);
}

static const map *insert(const map *m, size_t key, wr_node *value)
{
    m = insert_below(m, key, value);
    return active == LeavesTheRootRed ? m : painted(BLACK, m);
}

/* The left part has lost a black node. */
static const map *balance_left(const map *l, const map *m, const map *r)
{
    if (is(RED, l))
        return new_map(active == PaintsLeftBlack ? BLACK : RED, painted(BLACK, l), m->key,
                       m->value, r);
    if (is(BLACK, r))
        return balance(l, m, painted(RED, r));
    const map *top = r == NULL ? NULL : r->left;
    if (top == NULL)
        return with_parts(m, l, r); /* only mutants come here */
    return new_map(RED, new_map(BLACK, l, m->key, m->value, top->left), top->key, top->value,
                   balance(top->right, r, painted(RED, r->right)));
}

static const map *balance_right(const map *l, const map *m, const map *r)
{
    if (is(RED, r))
        return new_map(active == PaintsRightBlack ? BLACK : RED, l, m->key, m->value,
                       painted(BLACK, r));
    if (is(BLACK, l))
        return balance(painted(RED, l), m, r);
    const map *top = l == NULL ? NULL : l->right;
    if (top == NULL)
        return with_parts(m, l, r);
    return new_map(RED, balance(painted(RED, l->left), l, top->left), top->key, top->value,
                   new_map(BLACK, top->right, m->key, m->value, r));
}

/* All of the first come before all of the second; both have the same black height. */
static const map *join(const map *a, const map *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    if (a->colour == BLACK && b->colour == RED)
        return with_parts(b, join(a, b->left), b->right);
    if (a->colour == RED && b->colour == BLACK)
        return with_parts(a, a->left, join(a->right, b));
    const map *between = join(a->right, b->left);
    int        colour = a->colour;
    if (active == (colour == RED ? JoinsRedAsBlack : JoinsBlackAsRed))
        colour = colour == RED ? BLACK : RED;
    if (is(RED, between))
        return new_map(RED, new_map(colour, a->left, a->key, a->value, between->left),
                       between->key, between->value,
                       new_map(colour, between->right, b->key, b->value, b->right));
    const map *right = new_map(colour, between, b->key, b->value, b->right);
    return a->colour == RED ? with_parts(a, a->left, right) : balance_left(a->left, a, right);
}

static const map *delete_below(const map *m, size_t key)
{
    if (m == NULL)
        return NULL;
    if (key == m->key)
        return join(m->left, m->right);
    bool       left = (key < m->key) != (active == TurnsTheWrongWay);
    const map *part = left ? m->left : m->right, *rest = delete_below(part, key);
    if (active == ForgetsTheRoot)
        return rest;
    if (is(BLACK, part))
        return left ? balance_left(rest, m, m->right) : balance_right(m->left, m, rest);
    return new_map(RED, left ? rest : m->left, m->key, m->value, left ? m->right : rest);
}

static const map *delete (const map *m, size_t key)
{
    return painted(BLACK, delete_below(m, key));
}

/* ---- Properties ---- */

static const map *draw_map(wr_case *t, const char *name)
{
    wr_node *e = wr_tree(t, name, &TREE);
    wr_require(t, is_red_black, e);
    return copy(e);
}

#include "map_properties.h"

#define PROPERTY_(name, which)                                                                   \
    WR_PROPERTY(name##_with_##which)                                                             \
    {                                                                                            \
        now = t;                                                                                 \
        active = which;                                                                          \
        name(t);                                                                                 \
    }
#define INSERT_PROPERTIES_(which)                                                                \
    PROPERTY_(insert_is_valid, which) PROPERTY_(insert_post, which) PROPERTY_(insert_model, which)
#define DELETE_PROPERTIES_(which)                                                                \
    PROPERTY_(delete_is_valid, which) PROPERTY_(delete_post, which) PROPERTY_(delete_model, which)

INSERT_PROPERTIES_(NO_MUTANT)
INSERT_MUTANTS(INSERT_PROPERTIES_)
BALANCE_MUTANTS(INSERT_PROPERTIES_)
DELETE_PROPERTIES_(NO_MUTANT)
DELETE_MUTANTS(DELETE_PROPERTIES_) BALANCE_MUTANTS(DELETE_PROPERTIES_)
