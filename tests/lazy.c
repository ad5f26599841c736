/* tests/lazy.c: properties over lazy data, for tests/data_test.c: each shows one thing. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "search_trees.h"

/* ---- Search trees over small keys ---- */

static bool contains(wr_node *e, size_t key)
{
    return wr_tag(e) == NODE &&
           (wr_index(e) == key || contains(wr_arg(e, 0), key) || contains(wr_arg(e, 1), key));
}

WR_PROPERTY(has_fewer_than_three_nodes)
{
    wr_assert(t, nodes_of(wr_tree(t, "e", &TREE)) < 3);
}

WR_PROPERTY(never_has_a_five)
{
    wr_assert(t, !contains(wr_tree(t, "e", &TREE), 5));
}

WR_PROPERTY(search_trees_never_have_three_and_four)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, search_tree, e);
    wr_assert(t, !(contains(e, 3) && contains(e, 4)));
}

WR_PROPERTY(looks_at_the_root_alone)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_assert(t, wr_tag(e) == LEAF);
}

WR_PROPERTY(looks_at_the_right_side_first)
{
    wr_node *a = wr_tree(t, "a", &TREE), *b = wr_tree(t, "b", &TREE);
    int32_t  x = wr_i32(t, "x");
    wr_assume(t, wr_tag(b) == NODE && wr_tag(a) == NODE);
    wr_assert(t, wr_tag(wr_arg(a, 1)) == LEAF || wr_tag(wr_arg(b, 0)) == LEAF || x < 10);
}

WR_PROPERTY(does_not_look_at_all)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_note(t, "%s", wr_shown(t, e));
    wr_assert(t, wr_bool(t, "b") == false);
}

WR_PROPERTY(crashes_on_a_deep_left_side)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    int32_t  after = wr_i32(t, "after");
    if (wr_tag(e) == NODE && wr_tag(wr_arg(e, 0)) == NODE &&
        wr_tag(wr_arg(wr_arg(e, 0), 0)) == NODE)
        raise(SIGSEGV);
    (void)after;
}

WR_PROPERTY(trees_in_a_loop)
{
    size_t    n = wr_size(t, "n", 0, 6);
    wr_node **all = wr_alloc(t, 8 * sizeof *all);
    size_t    sum = 0;
    for (wr_each(t, i, n))
        all[i] = wr_tree(t, "e", &TREE);
    for (size_t i = n; i-- > 0;)
        sum += nodes_of(all[i]);
    wr_assert(t, sum < 4);
}

/* ---- Terms ---- */

enum { BASE, ARROW };
WR_TYPE(TYPE, "Type", { "Base" }, { "Arrow", .args = { &TYPE, &TYPE } });
enum { CON, VAR, LAM, APP };
WR_TYPE(TERM, "Term", { "Con" }, { "Var", .index = WR_ANY_INDEX },
        { "Lam", .args = { &TYPE, &TERM }, .show = "lam %0. %1" },
        { "App", .args = { &TERM, &TERM } });

static bool closed_below(wr_node *e, size_t bound)
{
    switch (wr_tag(e)) {
    case VAR: return wr_index(e) < bound;
    case LAM: return closed_below(wr_arg(e, 1), bound + 1);
    case APP: return closed_below(wr_arg(e, 0), bound) && closed_below(wr_arg(e, 1), bound);
    default: return true;
    }
}

static bool closed(wr_node *e)
{
    return closed_below(e, 0);
}

static bool uses_outer_variable(wr_node *e)
{
    switch (wr_tag(e)) {
    case VAR: return wr_index(e) >= 1;
    case LAM: return uses_outer_variable(wr_arg(e, 1));
    case APP: return uses_outer_variable(wr_arg(e, 0)) || uses_outer_variable(wr_arg(e, 1));
    default: return false;
    }
}

WR_PROPERTY(closed_terms_use_the_innermost_variable)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_require(t, closed, e);
    wr_assert(t, !uses_outer_variable(e));
}

/* The same with demands: nothing is ever discarded for an index. */
static void demand_closed(wr_case *t, wr_node *e, size_t bound)
{
    uint64_t wanted = 1u << CON | 1u << LAM | 1u << APP | (bound > 0 ? 1u << VAR : 0);
    int      tag = wr_need(e, wanted);
    wr_assert(t, (wanted >> tag & 1) != 0);
    if (tag == VAR)
        wr_assert(t, wr_need_index_below(e, bound) < bound);
    if (tag == LAM)
        demand_closed(t, wr_arg(e, 1), bound + 1);
    if (tag == APP) {
        demand_closed(t, wr_arg(e, 0), bound);
        demand_closed(t, wr_arg(e, 1), bound);
    }
}

WR_PROPERTY(demands_are_met)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    demand_closed(t, e, 0);
    wr_assert(t, closed(e));
}

WR_PROPERTY(the_same_is_equal)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    wr_need_same(b, a);
    wr_assert(t, wr_equal(a, b));
    wr_assert(t, wr_hash(a) == wr_hash(b));
    wr_assert_str_eq(t, wr_shown(t, a), wr_shown(t, b));
}

WR_PROPERTY(demands_that_nothing_fits)
{
    wr_need(wr_tree(t, "e", &TERM), 1u << 7);
}

/* A shape that random terms hardly ever have. */
WR_PROPERTY(a_shape_is_found)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    unsigned depth = 0;
    for (; depth < 9 && wr_tag(e) == (depth % 2 == 0 ? LAM : APP); depth++)
        e = wr_arg(e, depth % 2 == 0 ? 1 : 0);
    wr_label(t, "depth %u", depth);
    wr_assert(t, depth < 9);
}

/* ---- Misuse ---- */

static void go_on_for_ever(wr_node *e)
{
    if (wr_need(e, 1u << NODE) == NODE) /* it always is */
        go_on_for_ever(wr_arg(e, 1));
}

WR_PROPERTY(demands_without_an_end)
{
    go_on_for_ever(wr_tree(t, "e", &TREE));
}

WR_PROPERTY(asks_for_an_argument_too_many)
{
    wr_arg(wr_tree(t, "e", &TREE), 2);
}

WR_PROPERTY(asks_for_an_index_that_is_not_there)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_need(e, 1u << APP);
    wr_index(e);
}

static const wr_type ENDLESS = { "Endless",
                                 (const wr_con[]){ { "Again", .args = { &ENDLESS } }, { 0 } } };
WR_PROPERTY(an_endless_type)
{
    wr_tree(t, "e", &ENDLESS);
}

/* ---- Values of one's own ---- */

typedef struct own_tree {
    struct own_tree *left, *right;
    size_t           key;
} own_tree;

static void *make_own(wr_case *t, wr_node *e, void **made, void *context)
{
    (void)context;
    if (wr_tag(e) == LEAF)
        return NULL;
    own_tree *own = wr_alloc(t, sizeof *own);
    *own = (own_tree){ .left = made[0], .right = made[1], .key = wr_index(e) };
    return own;
}

static bool agrees(wr_node *e, const own_tree *own)
{
    if (wr_tag(e) == LEAF)
        return own == NULL;
    return own != NULL && own->key == wr_index(e) && agrees(wr_arg(e, 0), own->left) &&
           agrees(wr_arg(e, 1), own->right);
}

WR_PROPERTY(a_fold_makes_the_same_tree)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_assert(t, agrees(e, wr_fold(t, e, make_own, NULL)));
}
