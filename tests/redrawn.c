/* tests/redrawn.c: properties whose trees are refuted and drawn again, for tests/redraw_test.c.
 */
#include <signal.h>

#include "search_trees.h"

WR_PROPERTY(search_trees_are_counted)
{
    static const char *const SIZES[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8" };
    wr_node                 *e = wr_tree(t, "e", &TREE);
    wr_require(t, search_tree, e);
    wr_label(t, "%s", SIZES[nodes_of(e)]);
}

WR_PROPERTY(search_trees_have_fewer_than_six_nodes)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, search_tree, e);
    wr_assert(t, nodes_of(e) < 6);
}

WR_PROPERTY(crashes_on_five_nodes)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, search_tree, e);
    int32_t after = wr_i32(t, "after");
    if (nodes_of(e) >= 5)
        raise(SIGSEGV);
    (void)after;
}

/* The precondition itself does, where it would have refuted. */
static bool crashes(wr_node *e)
{
    if (wr_tag(e) == NODE && wr_index(e) == 5 && wr_tag(wr_arg(e, 0)) == NODE &&
        wr_index(wr_arg(e, 0)) == 6)
        raise(SIGSEGV);
    return wr_tag(e) == NODE && wr_index(e) == 7 && search_tree(e);
}

WR_PROPERTY(crashes_while_it_is_refuted)
{
    wr_require(t, crashes, wr_tree(t, "e", &TREE));
}

/* Fails when it was refuted before in the same process. */
WR_PROPERTY(remembers_its_runs)
{
    static int starts;
    wr_node   *e = wr_tree(t, "e", &TREE);
    starts++;
    wr_assume(t, wr_tag(e) == NODE && wr_index(e) == 3);
    wr_assert(t, starts == 1);
}

static int open_cases, deferred;

static void open_case(wr_case *t)
{
    (void)t;
    open_cases++;
}

static void close_case(wr_case *t)
{
    (void)t;
    open_cases--;
}

static void run_deferred(void *unused)
{
    (void)unused;
    deferred--;
}

WR_PROPERTY_WITH(every_run_is_closed, .setup = open_case, .teardown = close_case)
{
    wr_assert(t, open_cases == 1 && deferred == 0);
    deferred++;
    wr_defer(t, run_deferred, NULL);
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, search_tree, e);
    nodes_of(e);
}

static bool sums_up_to_a_thousand(wr_node *e)
{
    return nodes_of(e) == 1000;
}

WR_PROPERTY(nothing_satisfies_it)
{
    wr_require(t, sums_up_to_a_thousand, wr_tree(t, "e", &TREE));
}

WR_PROPERTY_WITH(asks_for_it_itself, .redraw = WR_REDRAW_OFF)
{
    wr_require(t, search_tree, wr_tree(t, "e", &TREE));
}
