/* shrink/shrinker.h: the state and the functions that all passes share.
 *
 * A pass edits a copy of the best case (the plan), and calls wri_shrink_attempt() to see whether
 * it still fails. If it does, and the log of that run is simpler, the log becomes the best case.
 * Its nodes are new: a pass that goes on must look its places up again.
 */
#ifndef WRI_SHRINK_SHRINKER_H
#define WRI_SHRINK_SHRINKER_H

#include "plan/compare.h"
#include "plan/cut.h"
#include "shrink/foreseen.h"
#include "shrink/shrink.h"

#define WRI_SETTLED 32

typedef struct wri_shrinker {
    const wri_shrink_setup *setup;
    wri_trace              *best;
    wri_trace               plan;
    wri_known               known;
    uint64_t                executions, improvements;
    double                  until;   /* on the monotonic clock */
    bool                    over;    /* the budget is spent, or the run interrupted */
    uint8_t                *lengths; /* by node of the best case: is it a length? */
    size_t                  length_room;
    uint64_t                lengths_of; /* improvements + 1 when `lengths` was filled in */
    bool                   *below;      /* by node of the best case: is it in a span? */
    size_t                  below_room;
    uint32_t               *draws; /* by node of the best case: choices and arrays in it */
    size_t                  draws_room;
    uint64_t                draws_of;   /* improvements + 1 when `draws` was filled in */
    uint64_t                enumerated; /* executions spent on enumerating */
    uint64_t                settled[WRI_SETTLED]; /* values that searches ended at (lower.c) */
    size_t                  settle_next;
} wri_shrinker;

/* Starts a plan: a copy of the best case. */
wri_trace *wri_shrink_plan(wri_shrinker *s);
/* Tries the plan. True: it replaced the best case. Never runs a case whose verdict is known. */
bool wri_shrink_attempt(wri_shrinker *s);

/* Asks whether the time is up, or the run is to end; a pass whose cost grows with the square of
 * the case does so now and then, as looking at a case costs time, too. False: it is over. */
bool wri_shrink_goes_on(wri_shrinker *s);

/* One number of a case: a choice, or an element of an array. */
typedef struct wri_point {
    uint32_t node;
    uint64_t element;
} wri_point;

uint64_t wri_point_number(const wri_trace *trace, wri_point point);
/* Sets the number, if the point exists. */
void wri_point_set(wri_trace *trace, wri_point point, uint64_t number);
/* Is it a number to count with: an integer or a real? */
bool wri_point_is_number(const wri_trace *trace, wri_point point);
/* Does the point exist in the trace? */
bool wri_point_valid(const wri_trace *trace, wri_point point);
/* Iterate over the points of the best case. False: there are no more. Lengths with tied
 * elements are left out: they shrink with their elements. */
bool wri_point_first(wri_shrinker *s, wri_point *point);
bool wri_point_next(wri_shrinker *s, wri_point *point);
/* Collects the points that are wanted (NULL: all), up to `room`. */
typedef bool wri_wanted(const wri_trace *trace, wri_point point);
size_t       wri_points(wri_shrinker *s, wri_wanted *wanted, bool zeroes_too, wri_point *points,
                        size_t room);

/* Which nodes of the best case are below the span, by node. NULL: memory is out, and it is over.
 */
bool *wri_shrink_below(wri_shrinker *s, uint32_t span);

/* How many choices and arrays are below this node of the best case, itself included? */
uint32_t wri_shrink_draws(wri_shrinker *s, uint32_t node);

/* Are elements tied to this node of the best case? */
bool wri_shrink_is_length(wri_shrinker *s, uint32_t node);

/* The passes, in the order of their first round. Passes that delete much come first: those after
 * them have less to look at. The later ones are for cases that the earlier ones leave stuck. Each
 * is a function of the shrinker, which counts improvements. The second column: the cost does not
 * grow with the square of the case. */
#define WRI_SHRINK_PASSES(X)                                                                     \
    X(delete, true)                                                                              \
    X(spans, false)                                                                              \
    X(zero, true)                                                                                \
    X(renumber, false)                                                                           \
    X(fuse_neighbours, false)                                                                    \
    X(flat, false)                                                                               \
    X(together, false)                                                                           \
    X(lower, true)                                                                               \
    X(scale, true)                                                                               \
    X(pairs, true)                                                                               \
    X(share, true)                                                                               \
    X(order, false)                                                                              \
    X(exchange, true)                                                                            \
    X(join, false)                                                                               \
    X(fuse, true)                                                                                \
    X(apart, false)                                                                              \
    X(nearby, false)
#define WRI_SHRINK_PASS(name, coarse) void wri_shrink_pass_##name(wri_shrinker *s);
WRI_SHRINK_PASSES(WRI_SHRINK_PASS)
#undef WRI_SHRINK_PASS

/* Does a span draw the same name more than once? (delete.c) */
bool wri_shrink_has_repeats(const wri_trace *trace);

/* Looks for a second point that can be lowered together with this one (pairs.c). */
void wri_shrink_pair_with_others(wri_shrinker *s, wri_point point);

/* Lowers several points in one search: tries set(plan, value) for values below `from`. */
typedef void wri_setter(wri_shrinker *s, void *context, uint64_t value);
/* Returns the least value found, or `from`. */
uint64_t wri_shrink_search_down(wri_shrinker *s, wri_setter *set, void *context, uint64_t from);

#endif
