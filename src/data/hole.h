/* data/hole.h: trees in a walk through all values (core/walk.h).
 *
 * What is chosen of a tree stays chosen from case to case, until its step is taken back: a case
 * that runs again only reads. Only what fits into the budget is an alternative, so no case comes
 * to a dead end for its size.
 */
#ifndef WRI_DATA_HOLE_H
#define WRI_DATA_HOLE_H

#include "core/walk.h"
#include "data/tree.h"

/* Finds the next case; false: there is none. */
bool wri_hole_next(wri_walk *walk);

/* A tree that is drawn now; and one that was drawn in the case before, and is the same. */
wr_node               *wri_hole_tree(wr_case *t, const wr_type *type);
static inline wr_node *wri_hole_same_tree(wr_case *t, const wr_type *type)
{
    wri_walk            *walk = t->walk;
    const wri_walk_tree *known = &walk->trees[walk->tree_next++];
    if (WRI_UNLIKELY(known->type != type))
        wri_walk_not_deterministic(t);
    return &known->tree->root;
}

/* Fills the hole with one of these ranks; returns the tag. */
int wri_hole_fill(wr_node *e, uint64_t ranks);
/* Gives it an index, at most this; or this very one, which is no choice. */
size_t wri_hole_index(wr_node *e, size_t most);
void   wri_hole_set_index(wr_node *e, size_t index);

/* Calls a predicate that was given apart, and remembers it. */
bool wri_hole_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e);

/* Where a requirement is asked apart: what it looks at for the first time counts as looked at.
 * What is not chosen cannot be looked at: the answer is "undecided", and this does not return. */
void               wri_hole_reveal_tag(wr_node *e);
void               wri_hole_reveal_index(wr_node *e);
static inline bool wri_asked_apart(const wr_node *e)
{
    const wri_walk *walk = e->tree_->t->walk;
    return walk != NULL && walk->asking;
}

/* A case held: for how many values does it stand, of the walk's size or up to it? */
uint64_t               wri_hole_count(const wri_walk *walk);
static inline uint64_t wri_hole_values(const wri_walk *walk)
{
    return walk->open == 0 && walk->loose == 0 ? 1 : wri_hole_count(walk);
}
/* A case came to its end: did it ask for all that it asked for before? */
static inline bool wri_hole_as_before(wri_walk *walk)
{
    if (WRI_UNLIKELY(walk->draw_next != walk->draw_count || walk->tree_next != walk->tree_count ||
                     walk->made != walk->count))
        return false;
    unsigned asked = 0;
    for (size_t i = 0; i < walk->asked_next; i++)
        asked += walk->asked[i].number >= 0;
    if (WRI_UNLIKELY(asked != walk->walked->requirement_count))
        walk->walked->irregular = true;
    return true;
}
/* A case was refuted: counts it, finds out how far back, and notes by what. */
void wri_hole_refuted(wr_case *t);
/* The walk ends for now: where it stands, and what refuted. */
void wri_hole_sum_up(wri_walk *walk);

#endif
