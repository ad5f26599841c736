/* plan/align.h: looks answers up by address.
 *
 * A plan is a tree of answers. The case that replays it may ask for something else, so requests
 * are matched span by span. The k-th request with a label in a span gets the k-th answer with
 * that label in the span's counterpart. A request without a counterpart is answered 0, the
 * simplest; answers left over are dropped. So taking something out of one place of a plan moves
 * nothing elsewhere.
 *
 * The worker uses it to replay, and the shrinker to foresee the requests of a replay.
 */
#ifndef WRI_PLAN_ALIGN_H
#define WRI_PLAN_ALIGN_H

#include "core/trace.h"

typedef struct wri_align {
    const wri_trace *plan;
    struct wri_aligned_node {
        uint32_t next;   /* its next sibling */
        uint32_t cursor; /* of a span: its first child not yet used */
        bool     used;
    } * nodes; /* by node of the plan */
    size_t    room;
    uint32_t *open; /* counterparts of the open spans, outermost first */
    size_t    depth, open_room;
} wri_align;

/* Begins with a plan, which must outlive the alignment. False: out of memory. */
bool wri_align_start(wri_align *align, const wri_trace *plan);
void wri_align_free(wri_align *align);
/* Begins in the middle of a case that has followed the plan in order so far. Nodes below
 * `from` are used up, nodes from `limit` on are ignored, and open spans stay open. */
bool wri_align_resume(wri_align *align, const wri_trace *plan, size_t from, size_t limit);
/* For callers that keep the open spans themselves: open without a plan, push one counterpart,
 * and set the only one. */
bool wri_align_open(wri_align *align);
void wri_align_push(wri_align *align, uint32_t counterpart);
void wri_align_only(wri_align *align, uint32_t counterpart);
/* Finds the next unused counterpart in the open span, and uses it up. WRI_NO_NODE: none. */
uint32_t wri_align_find(wri_align *align, uint32_t label, wri_node_what what);

/* Enters a span and returns its counterpart. With it wri_align_push() can enter the span
 * again. */
uint32_t wri_align_enter(wri_align *align, uint32_t label, wri_node_what what);
void     wri_align_leave(wri_align *align);

/* The plan's answer, clamped to the request's bounds. For a kind that may have no answer:
 * WRI_NO_ANSWER if clamping would change it. */
uint64_t wri_align_choice(wri_align *align, const wri_request *request, uint32_t label);
void     wri_align_array(wri_align *align, uint64_t max, uint32_t label, size_t count,
                         uint64_t *numbers);

#endif
