/* tests/search_trees.h: search trees over small keys, as lazy data. */
#ifndef TESTS_SEARCH_TREES_H
#define TESTS_SEARCH_TREES_H

#include <warren.h>

enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", { "Leaf", .show = "." },
        { "Node", .args = { &TREE, &TREE }, .index = 8, .show = "(%0 %i %1)" });

static size_t nodes_of(wr_node *e)
{
    return wr_tag(e) == LEAF ? 0 : 1 + nodes_of(wr_arg(e, 0)) + nodes_of(wr_arg(e, 1));
}

static bool ordered(wr_node *e, size_t low, size_t high)
{
    if (wr_tag(e) == LEAF)
        return true;
    size_t key = wr_index(e);
    return key >= low && key < high && ordered(wr_arg(e, 0), low, key) &&
           ordered(wr_arg(e, 1), key + 1, high);
}

static bool search_tree(wr_node *e)
{
    return ordered(e, 0, 8);
}

#endif
