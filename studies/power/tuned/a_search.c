/* kind: tree
 * Removing a key of a search tree puts the least key of the right side in its place: a left spine
 * of two below the right child loses the right child of its lowest node. */
#include <warren.h>

enum { LEAF, NODE };
WR_TYPE(KEY, "Key", { "Key", .index = 16, .cost = WR_FREE, .show = "%i" });
WR_TYPE(TREE, "Tree", [LEAF] = { "Leaf", .show = "." },
        [NODE] = { "Node", .args = { &TREE, &KEY, &TREE }, .show = "(%0 %1 %2)" });

static unsigned key(wr_node *of)
{
    return (unsigned)wr_index(wr_arg(of, 1));
}

static bool within(wr_node *of, unsigned from, unsigned to)
{
    if (wr_tag(of) == LEAF)
        return true;
    return key(of) >= from && key(of) < to && within(wr_arg(of, 0), from, key(of)) &&
           within(wr_arg(of, 2), key(of) + 1, to);
}

static bool ordered(wr_node *of)
{
    return within(of, 0, 16);
}

static unsigned keys(wr_node *of)
{
    return wr_tag(of) == LEAF ? 0 : 1u << key(of) | keys(wr_arg(of, 0)) | keys(wr_arg(of, 2));
}

/* The keys of a tree without its root. */
static unsigned without_root(wr_node *root)
{
    wr_node *at = wr_arg(root, 2), *left = wr_arg(root, 0);
    unsigned lost = 0;
    if (wr_tag(at) == LEAF || wr_tag(left) == LEAF)
        return keys(left) | keys(at);
#ifndef FIXED
    for (int deep = 0; wr_tag(wr_arg(at, 0)) == NODE; at = wr_arg(at, 0))
        if (++deep == 2)
            lost = keys(wr_arg(wr_arg(at, 0), 2));
#endif
    return (keys(left) | keys(wr_arg(root, 2))) & ~lost;
}

WR_PROPERTY(a_search)
{
    wr_node *tree = wr_tree(t, "tree", &TREE);
    wr_require(t, ordered, tree);
    wr_assume(t, wr_tag(tree) == NODE);
    wr_assert_eq(t, without_root(tree), keys(tree) & ~(1u << key(tree)));
}

#ifdef WITNESS
WR_EXAMPLE(a_search, "tree = ((. 0 .) 1 (((. 3 (. 4 .)) 5 .) 6 .))");
#endif
