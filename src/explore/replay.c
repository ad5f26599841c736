/* explore/replay.c: answerers for recorded answers.
 *
 * For a token, every request must be the one that was written down. For shrinking, the plan is
 * aligned to the requests (plan/align.h). For an example, generators have read the answers.
 */
#include "plan/align.h"
#include "explore/answer.h"

/* ---- Exactly ---- */

_Noreturn static void stale(wr_case *t, const char *what)
{
    wri_case_end(t, WRI_STALE, "", 0, "%s", what);
}

/* The next answer of the plan; NULL: there is none. */
static const wri_node *upcoming(const wri_exact *exact)
{
    const wri_trace *plan = exact->plan;
    size_t           next = exact->next;
    while (next < plan->node_count && plan->nodes[next].what < WRI_CHOICE)
        next++;
    return next < plan->node_count ? &plan->nodes[next] : NULL;
}

static const wri_node *next_node(wri_exact *exact, wr_case *t, const wri_request *request,
                                 wri_node_what what)
{
    const wri_node *node = upcoming(exact);
    if (node == NULL)
        stale(t, "the property now draws more than was recorded");
    if (node->what != what || node->kind != request->kind || node->max != request->max)
        stale(t, "the property now draws something else than was recorded");
    exact->next = (size_t)(node - exact->plan->nodes) + 1;
    return node;
}

static uint64_t exact_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                             uint32_t label)
{
    (void)label;
    const wri_node *node = next_node((wri_exact *)self, t, request, WRI_CHOICE);
    if (!wri_request_legal(request, node->number))
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

static void ordered_array(wri_answerer *self, wr_case *t, const wri_request *request,
                          uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = exact_choice(self, t, request, label);
}

static uint64_t exact_bound(const wri_answerer *self)
{
    const wri_node *node = upcoming((const wri_exact *)self);
    bool            length = node != NULL && node->what == WRI_CHOICE && node->kind == WRI_LENGTH;
    return length ? node->max : UINT64_MAX;
}

wri_answerer *wri_answer_exactly(wri_exact *exact, const wri_trace *plan)
{
    *exact = (wri_exact){
        .base = { .choose = exact_choice, .choose_many = exact_array, .bound = exact_bound },
        .plan = plan
    };
    return &exact->base;
}

wri_answerer *wri_answer_in_order(wri_exact *exact, const wri_trace *plan)
{
    wri_answer_exactly(exact, plan)->choose_many = ordered_array;
    return &exact->base;
}

bool wri_exact_done(const wri_exact *exact)
{
    return upcoming(exact) == NULL;
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

/* ---- As an example says ---- */

static uint64_t given_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                             uint32_t label)
{
    uint64_t number;
    (void)label;
    if (!wri_example_answer(((wri_as_given *)self)->example, &number))
        return wri_request_next_legal(request, 0);
    if (!wri_request_legal(request, number))
        wri_example_wrong(t, "the draw does not allow this value now");
    return number;
}

static void given_array(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = given_choice(self, t, request, label);
}

wri_answerer *wri_answer_as_given(wri_as_given *given, wri_example *example)
{
    *given = (wri_as_given){ .base = { .choose = given_choice, .choose_many = given_array },
                             .example = example };
    return &given->base;
}
