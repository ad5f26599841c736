/* plan/align.h: looking answers up by address.
 *
 * A plan is a tree of answers. The case that replays it, whatever it asks, is matched span by
 * span: the k-th request with a label in a span gets the k-th answer with that label in the
 * span's counterpart. What has no counterpart is answered 0, the simplest; what is left over
 * is dropped. So taking something out of one place of a plan moves nothing elsewhere.
 *
 * The worker uses it to replay, and the shrinker to foresee what a replay would ask.
 */
#ifndef WRI_PLAN_ALIGN_H
#define WRI_PLAN_ALIGN_H

#include "core/trace.h"

typedef struct wri_align {
    const wri_trace *plan;
    uint32_t *first, *next; /* of each node of the plan: its first child, its next sibling */
    uint32_t *cursor;       /* of each span: the first child not yet used */
    uint8_t  *used;
    size_t    room;
    uint32_t *open; /* counterparts of the open spans, outermost first */
    size_t    depth, open_room;
} wri_align;

/* Begins with a plan, which must stay; false when memory is out. */
bool wri_align_start(wri_align *align, const wri_trace *plan);
void wri_align_free(wri_align *align);
/* The same in the middle of a case that has followed the plan in order so far: nodes below `from`
 * are used up, those from `limit` on are not there, and the spans that are open stay open. */
bool wri_align_resume(wri_align *align, const wri_trace *plan, size_t from, size_t limit);
/* For whoever keeps the open spans himself: with no plan yet, one by one, and one for all. */
bool wri_align_open(wri_align *align);
void wri_align_push(wri_align *align, uint32_t counterpart);
void wri_align_only(wri_align *align, uint32_t counterpart);
/* The next unused counterpart in the open span, which is used up by it; WRI_NO_NODE: none. */
uint32_t wri_align_find(wri_align *align, uint32_t label, wri_node_what what);

/* Enters a span; returns its counterpart, with which it can be entered again by
 * wri_align_push(), as long as this goes on. */
uint32_t wri_align_enter(wri_align *align, uint32_t label, wri_node_what what);
void     wri_align_leave(wri_align *align);

/* The plan's answer, brought into the request's bounds; of kinds that may have none,
 * WRI_NO_ANSWER where that would change it. */
uint64_t wri_align_choice(wri_align *align, const wri_request *request, uint32_t label);
void     wri_align_array(wri_align *align, uint64_t max, uint32_t label, size_t count,
                         uint64_t *numbers);

#endif
