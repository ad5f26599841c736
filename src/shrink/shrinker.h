/* shrink/shrinker.h: what the passes share.
 *
 * A pass edits a copy of the best case (the plan), and asks wri_shrink_attempt() whether it still
 * fails. When it does and what was really asked and answered is simpler, that becomes the best
 * case, with new nodes: a pass that goes on must look its places up again.
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
    uint8_t                *lengths; /* of each node of the best case: is it a length? */
    size_t                  length_room;
    uint64_t                lengths_of;           /* improvements + 1 when that was found out */
    uint64_t                enumerated;           /* executions spent on enumerating */
    uint64_t                settled[WRI_SETTLED]; /* values that searches ended at (lower.c) */
    size_t                  settle_next;
} wri_shrinker;

/* Starts a plan: a copy of the best case. */
wri_trace *wri_shrink_plan(wri_shrinker *s);
/* Tries the plan; true when the best case was replaced. Never runs what is known already. */
bool wri_shrink_attempt(wri_shrinker *s);

/* One number of a case: a choice, or an element of an array. */
typedef struct wri_point {
    uint32_t node;
    uint64_t element;
} wri_point;

uint64_t wri_point_number(const wri_trace *trace, wri_point point);
void     wri_point_set(wri_trace *trace, wri_point point, uint64_t number);
/* Is the point there, with room for this number? */
bool wri_point_valid(const wri_trace *trace, wri_point point);
/* The best case's points from a given one on; false at the end. Lengths that something is tied
 * to are left out: they are shrunk with what belongs to them. */
bool wri_point_first(wri_shrinker *s, wri_point *point);
bool wri_point_next(wri_shrinker *s, wri_point *point);
/* The first of them that are wanted (NULL: all), as many as there is room for. */
typedef bool wri_wanted(const wri_trace *trace, wri_point point);
size_t       wri_points(wri_shrinker *s, wri_wanted *wanted, bool zeroes_too, wri_point *points,
                        size_t room);

/* Is something tied to this node of the best case? */
bool wri_shrink_is_length(wri_shrinker *s, uint32_t node);

/* The passes; each returns nothing: improvements are counted. */
void wri_shrink_pass_delete(wri_shrinker *s);
void wri_shrink_pass_apart(wri_shrinker *s);
void wri_shrink_pass_spans(wri_shrinker *s);
void wri_shrink_pass_zero(wri_shrinker *s);
void wri_shrink_pass_together(wri_shrinker *s);
void wri_shrink_pass_lower(wri_shrinker *s);
void wri_shrink_pass_pairs(wri_shrinker *s);
void wri_shrink_pass_share(wri_shrinker *s);
void wri_shrink_pass_exchange(wri_shrinker *s);
void wri_shrink_pass_order(wri_shrinker *s);
void wri_shrink_pass_join(wri_shrinker *s);
void wri_shrink_pass_renumber(wri_shrinker *s);
void wri_shrink_pass_fuse(wri_shrinker *s);
void wri_shrink_pass_fuse_neighbours(wri_shrinker *s);
void wri_shrink_pass_nearby(wri_shrinker *s);
void wri_shrink_pass_flat(wri_shrinker *s);

/* Does a span draw the same name more than once? (delete.c) */
bool wri_shrink_has_repeats(const wri_trace *trace);

/* Looks for a partner that goes down together with this point (pairs.c). */
void wri_shrink_pair_with_others(wri_shrinker *s, wri_point point);

/* Lowers several points by one search: set(plan, value) is tried for values below `from`. */
typedef void wri_setter(wri_shrinker *s, void *context, uint64_t value);
/* The least value found, or `from`. `fine`: not only 0. */
uint64_t wri_shrink_search_down(wri_shrinker *s, wri_setter *set, void *context, uint64_t from,
                                bool fine);

#endif
