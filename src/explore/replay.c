/* explore/replay.c: answerers for recorded answers.
 *
 * For a token, every request must be the one that was written down. For shrinking, the plan is
 * aligned to the requests (plan/align.h).
 */
#include "plan/align.h"
#include "explore/answer.h"

/* ---- Exactly ---- */

_Noreturn static void stale(wr_case *t, const char *what)
{
    wri_case_end(t, WRI_STALE, "", 0, "%s", what);
}

static const wri_node *next_node(wri_exact *exact, wr_case *t, const wri_request *request,
                                 wri_node_what what)
{
    while (exact->next < exact->plan->node_count &&
           exact->plan->nodes[exact->next].what < WRI_CHOICE)
        exact->next++;
    if (exact->next >= exact->plan->node_count)
        stale(t, "the property now draws more than was recorded");
    const wri_node *node = &exact->plan->nodes[exact->next++];
    if (node->what != what || node->kind != request->kind || node->max != request->max)
        stale(t, "the property now draws something else than was recorded");
    return node;
}

static uint64_t exact_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                             uint32_t label)
{
    (void)label;
    const wri_node *node = next_node((wri_exact *)self, t, request, WRI_CHOICE);
    if (!wri_legal(request, node->number))
        stale(t, "a recorded choice is not legal any more");
    return node->number;
}

static void exact_array(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)label, (void)width;
    wri_exact      *exact = (wri_exact *)self;
    const wri_node *node = next_node(exact, t, request, WRI_ARRAY);
    if (node->count != count)
        stale(t, "an array has another length than was recorded");
    for (size_t i = 0; i < count; i++)
        numbers[i] = exact->plan->numbers[node->number + i];
}

static uint64_t length_bound(const wri_node *node)
{
    return node->what == WRI_CHOICE && node->kind == WRI_LENGTH ? node->max : UINT64_MAX;
}

static uint64_t exact_bound(const wri_answerer *self)
{
    const wri_exact *exact = (const wri_exact *)self;
    size_t           next = exact->next;
    while (next < exact->plan->node_count && exact->plan->nodes[next].what < WRI_CHOICE)
        next++;
    return next < exact->plan->node_count ? length_bound(&exact->plan->nodes[next]) : UINT64_MAX;
}

wri_answerer *wri_answer_exactly(wri_exact *exact, const wri_trace *plan)
{
    *exact = (wri_exact){
        .base = { .choose = exact_choice, .choose_many = exact_array, .bound = exact_bound },
        .plan = plan
    };
    return &exact->base;
}

bool wri_exact_done(const wri_exact *exact)
{
    for (size_t i = exact->next; i < exact->plan->node_count; i++)
        if (exact->plan->nodes[i].what >= WRI_CHOICE)
            return false;
    return true;
}

/* ---- In order ---- */

static uint64_t next_number(wri_in_order *order, wr_case *t, const wri_request *request)
{
    if (order->next >= order->plan->node_count)
        stale(t, "the property now draws more than when it was enumerated");
    const wri_node *node = &order->plan->nodes[order->next++];
    if (node->kind != request->kind || node->max != request->max ||
        !wri_legal(request, node->number))
        stale(t, "the property now draws something else than when it was enumerated");
    return node->number;
}

static uint64_t ordered_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                               uint32_t label)
{
    (void)label;
    return next_number((wri_in_order *)self, t, request);
}

static void ordered_array(wri_answerer *self, wr_case *t, const wri_request *request,
                          uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)label, (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = next_number((wri_in_order *)self, t, request);
}

static uint64_t ordered_bound(const wri_answerer *self)
{
    const wri_in_order *order = (const wri_in_order *)self;
    return order->next < order->plan->node_count ? length_bound(&order->plan->nodes[order->next])
                                                 : UINT64_MAX;
}

wri_answerer *wri_answer_in_order(wri_in_order *order, const wri_trace *plan)
{
    *order = (wri_in_order){ .base = { .choose = ordered_choice,
                                       .choose_many = ordered_array,
                                       .bound = ordered_bound },
                             .plan = plan,
                             .next = 1 };
    return &order->base;
}

bool wri_in_order_done(const wri_in_order *order)
{
    return order->next >= order->plan->node_count;
}

/* ---- Aligned ---- */

static uint64_t aligned_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                               uint32_t label)
{
    (void)t;
    return wri_align_choice(((wri_aligned *)self)->align, request, label);
}

static void aligned_array(wri_answerer *self, wr_case *t, const wri_request *request,
                          uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)t, (void)width;
    wri_align_array(((wri_aligned *)self)->align, request->max, label, count, numbers);
}

static uint32_t aligned_enter(wri_answerer *self, wr_case *t, uint32_t label, wri_node_what what)
{
    (void)t;
    return wri_align_enter(((wri_aligned *)self)->align, label, what);
}

static void aligned_resume(wri_answerer *self, wr_case *t, uint32_t counterpart)
{
    (void)t;
    wri_align_push(((wri_aligned *)self)->align, counterpart);
}

static void aligned_leave(wri_answerer *self, wr_case *t)
{
    (void)t;
    wri_align_leave(((wri_aligned *)self)->align);
}

wri_answerer *wri_answer_aligned(wri_aligned *aligned, struct wri_align *align)
{
    *aligned = (wri_aligned){ .base = { .choose = aligned_choice,
                                        .choose_many = aligned_array,
                                        .enter = aligned_enter,
                                        .resume = aligned_resume,
                                        .leave = aligned_leave },
                              .align = align };
    return &aligned->base;
}
