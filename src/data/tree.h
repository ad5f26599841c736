/* data/tree.h: lazy values, between the files of this room. */
#ifndef WRI_DATA_TREE_H
#define WRI_DATA_TREE_H

#include "data/type.h"

/* A tree of an explicit case, as it is written there (read.c). */
typedef struct wri_written wri_written;

/* A tree that wr_tree() made: the root, and the data that all of its nodes share. */
typedef struct wr_tree_ {
    wr_case         *t;
    struct wr_tree_ *before; /* the tree drawn before it in this case; NULL: none */
    wri_branch       branch; /* the span around the root, labelled with the tree's name */
    wr_node          root;
    bool             sized; /* the root's size is known */
    bool             shown; /* the report shows it, as entry `entry` */
    size_t           entry;
    size_t           choices; /* made in it */
    wri_written     *written; /* in an explicit case; NULL: it says nothing of this tree */
} wri_tree;

static inline wri_form *wri_form_of(const wr_node *e)
{
    return &((wri_type *)(uintptr_t)e->type_)->forms[e->tag_];
}

/* Gives the node these arguments, all of them holes. The caller has made room for them. */
static inline void wri_tree_make_arguments(wr_node *e, const wri_form *form, wr_node *arguments)
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

/* Ends the case: the property does not want this value. */
_Noreturn void wri_tree_refute(const wr_node *e);

/* Gives a hole the constructor and the index of another node, without a choice. */
void wri_tree_settle(wr_node *e, const wr_node *like);

/* The next node after e in the tree below `top`, each node before its arguments; NULL: none.
 * `into` false: e's own arguments are skipped. */
wr_node *wri_tree_following(wr_node *e, const wr_node *top, bool into);

/* wri_size_at_random(): a random size for a tree, one that the type has values of.
 * wri_size_near(): a random one up to about twice the given size.
 * wri_size_below(): a random number below `count`, all equally likely. */
uint32_t  wri_size_at_random(wr_case *t, wri_type *type);
uint32_t  wri_size_near(wr_case *t, wri_type *type, uint64_t size);
wri_count wri_size_below(wr_case *t, wri_count count);
/* Random answers to requests: the rank of a constructor, and an index. */
uint64_t wri_size_fresh_rank(wr_case *t, const wri_request *request);
uint64_t wri_size_fresh_index(wr_case *t, const wri_request *request);

/* read.c: reads the tree of this name; NULL: the example has none. */
wri_written *wri_written_read(wr_case *t, const char *name, wri_type *type);
/* Expects the answers to a node's next choice. */
void wri_written_expect_tag(const wr_node *e);
void wri_written_expect_index(const wr_node *e);
/* The number of the one node, from 1, each before its arguments, that must change to make the
 * written tree of e; 0: none must. */
size_t wri_written_change(const wr_node *e, const wri_written *written);

/* show.c: shows the tree for the first time, and again when a node was chosen. */
void wri_tree_begin_showing(wri_tree *tree, const char *name);
void wri_tree_show_again(wri_tree *tree);

#endif
