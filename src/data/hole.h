/* data/hole.h: trees in a walk through all values (core/walk.h).
 *
 * A chosen part of a tree stays chosen from case to case, until its step is taken back. So a case
 * that runs again only reads its trees. Only alternatives that fit into the budget are taken, so
 * the size never leads a case into a dead end.
 */
#ifndef WRI_DATA_HOLE_H
#define WRI_DATA_HOLE_H

#include "core/walk.h"
#include "data/tree.h"

/* Finds the next case. False: there is none. */
bool wri_hole_next(wri_walk *walk);

/* wri_hole_tree() draws a new tree. wri_hole_same_tree() returns a tree that the case before
 * drew, too. */
wr_node               *wri_hole_tree(wr_case *t, const wr_type *type);
static inline wr_node *wri_hole_same_tree(wr_case *t, const wr_type *type)
{
    wri_walk            *walk = t->walk;
    const wri_walk_tree *known = &walk->trees[walk->tree_next++];
    if (WRI_UNLIKELY(known->type != type))
        wri_walk_not_deterministic(t);
    return &known->tree->root;
}

/* Fills the hole with a constructor of one of these ranks, and returns its tag.
 * wri_hole_settle() fills it with a constructor without a choice. */
int  wri_hole_fill(wr_node *e, uint64_t ranks);
void wri_hole_settle(wr_node *e, int tag);
/* wri_hole_index() chooses an index of at most `most`. wri_hole_set_index() sets one without a
 * choice. */
size_t wri_hole_index(wr_node *e, size_t most);
void   wri_hole_set_index(wr_node *e, size_t index);

/* Calls the predicate of a wr_require(), and remembers it as a requirement. */
bool wri_hole_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e);

/* For a requirement that is asked without the property. They note that it looks at a node for
 * the first time. If the node is still open, the answer is "undecided", and they do not
 * return. */
void               wri_hole_reveal_tag(wr_node *e);
void               wri_hole_reveal_index(wr_node *e);
static inline bool wri_hole_asked_apart(const wr_node *e)
{
    const wri_walk *walk = e->tree_->t->walk;
    return walk != NULL && walk->asking;
}

/* The number of values that a case which held stands for, of the walk's size or up to it. */
uint64_t               wri_hole_count(const wri_walk *walk);
static inline uint64_t wri_hole_values(const wri_walk *walk)
{
    return walk->open == 0 && walk->loose == 0 ? 1 : wri_hole_count(walk);
}
/* How many requirements of whole trees this case has asked before the record `upto`. */
static inline unsigned wri_hole_asked(const wri_walk *walk, size_t upto)
{
    unsigned count = 0;
    for (size_t i = 0; i < upto; i++)
        count += walk->asked[i].number >= 0;
    return count;
}
/* Did the case that just ended ask for everything that the case before it asked for? */
static inline bool wri_hole_as_before(wri_walk *walk)
{
    if (WRI_UNLIKELY(walk->draw_next != walk->draw_count || walk->tree_next != walk->tree_count ||
                     walk->made != walk->count))
        return false;
    if (WRI_UNLIKELY(wri_hole_asked(walk, walk->asked_next) != walk->walked->requirement_count))
        walk->walked->irregular = true;
    return true;
}
/* Counts a refuted case, finds the last step that the requirement looked at, and notes the
 * name to blame. */
void wri_hole_refuted(wr_case *t);
/* Writes the results of a walk that comes back: where it stands, and what refuted its cases. */
void wri_hole_sum_up(wri_walk *walk);

#endif
