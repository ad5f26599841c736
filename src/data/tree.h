/* data/tree.h: lazy values: what their files share. */
#ifndef WRI_DATA_TREE_H
#define WRI_DATA_TREE_H

#include "data/type.h"

/* What wr_tree() made: the root, and what all of its nodes have in common. */
typedef struct wr_tree_ {
    wr_case         *t;
    struct wr_tree_ *before; /* the tree that the case drew before it; NULL: it is the first */
    wri_branch       branch; /* the span with its name */
    wr_node          root;
    bool             sized; /* the root's size is known */
    bool             shown; /* the report shows it, as entry number `entry` */
    size_t           entry;
    size_t           choices; /* made in it */
} wri_tree;

static inline wri_form *wri_form_of(const wr_node *e)
{
    return &((wri_type *)(uintptr_t)e->type_)->forms[e->tag_];
}

/* The node has these arguments, all of them holes; there is room for them. */
static inline void wri_make_arguments(wr_node *e, const wri_form *form, wr_node *arguments)
{
    for (unsigned i = 0; i < form->arity; i++)
        arguments[i] = (wr_node){ .tag_ = -1,
                                  .position_ = (uint8_t)i,
                                  .span_ = WRI_NO_NODE,
                                  .type_ = form->args[i],
                                  .tree_ = e->tree_,
                                  .parent_ = e };
    e->args_ = arguments;
    e->arity_ = (uint8_t)form->arity;
}

/* Ends the case: this value is not wanted. */
_Noreturn void wri_tree_refute(const wr_node *e);

/* The next node after e in the tree below `top`, each before its arguments; NULL: none. Past e's
 * own arguments, if they are not to be gone into. */
wr_node *wri_tree_following(wr_node *e, const wr_node *top, bool into);

/* A random size for a tree of the type (size.c), of which there are values; a number below
 * `count`, all alike. */
uint32_t  wri_size_at_random(wr_case *t, wri_type *type);
wri_count wri_size_below(wr_case *t, wri_count count);
/* The random answers: of a constructor, by rank; of an index. */
uint64_t wri_size_fresh_rank(wr_case *t, const wri_request *request);
uint64_t wri_size_fresh_index(wr_case *t, const wri_request *request);

/* Something was chosen: what the report would show is brought up to date (show.c). */
void wri_tree_begin_showing(wri_tree *tree, const char *name);
void wri_tree_show_again(wri_tree *tree);

#endif
