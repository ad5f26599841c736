/* explore/ground.c: walks from case to case, and reads what came of it. Alternatives are taken
 * simplest first, unless the explorer picks, and the last choice changes first.
 */
#include "explore/ground.h"
#include "explore/sketch.h"

#include <string.h>

wri_walking wri_walking_now;
#define NOW (&wri_walking_now)

bool wri_ground_belongs(const wri_shard *shard, const wri_step *steps, size_t count, bool all)
{
    uint64_t first = 0, stride = 1;
    if (shard->count <= 1)
        return true; /* without a division: it is asked of every case */
    for (size_t i = 0; i < count; i++) {
        uint64_t group = (shard->count - first + stride - 1) / stride;
        uint64_t which = steps[i].masked ? steps[i].rank : steps[i].at;
        if (group == 1)
            break;
        if (steps[i].lone)
            continue;
        first += stride * (which % group);
        stride *= steps[i].max < group ? steps[i].max + 1 : group;
    }
    return all ? first == shard->number
               : shard->number >= first && (shard->number - first) % stride == 0;
}

/* ---- The worker's side ---- */

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    (void)self, (void)label;
    return wri_walk_draw(t, request, false);
}

static void choose_many(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)label, (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = wri_walk_draw(t, request, true);
}

bool wri_ground_lay(wri_ground *on, const wri_work *work, wr_case *t)
{
    static wri_answerer answerer = { .choose = choose, .choose_many = choose_many };
    wri_walk           *walk = &NOW->walk;
    NOW->work = *work;
    NOW->shard = on->shard;
    if (!wri_walk_start(walk, &on->terms, &on->walked, on->steps, &on->count,
                        wri_ground_steps(on)))
        return false;
    walk->run = work->at;
    walk->end = work->end;
    walk->shared_run = work->shared_at;
    walk->shown = &work->seen->count;
    t->limit = t->journal;
    t->answerer = &answerer;
    t->walk = walk;
    return true;
}

bool wri_ground_begin(const wri_work *work, wr_case *t)
{
    return wri_ground_lay(work->block, work, t);
}

bool wri_ground_next(wr_case *t, uint64_t number)
{
    (void)t, (void)number;
    if (NOW->walk.walked->cases >= NOW->walk.terms.wanted)
        return false;
    while (wri_hole_next(&NOW->walk))
        if (wri_ground_belongs(&NOW->shard, NOW->walk.steps, NOW->walk.count, false))
            return true;
    NOW->walk.walked->over = true;
    return false;
}

bool wri_ground_known(void)
{
    return wri_walk_small(&NOW->walk) ||
           !wri_ground_belongs(&NOW->shard, NOW->walk.steps, NOW->walk.count, true);
}

void wri_ground_count(void)
{
    wri_walked *walked = NOW->walk.walked;
    uint64_t    values = wri_ground_known() ? 0 : wri_hole_values(&NOW->walk);
    if (values == 0) {
        walked->repeated++;
        wri_seen_take_back(NOW->work.seen, *NOW->work.at);
        wri_sketch_drop();
        return;
    }
    walked->cases++;
    walked->values = values > UINT64_MAX - walked->values ? UINT64_MAX : walked->values + values;
}

void wri_ground_count_refuted(wr_case *t, bool overrun)
{
    NOW->walk.walked->cut |= overrun;
    if (overrun || NOW->walk.beyond)
        NOW->walk.walked->beyond++;
    else if (NOW->walk.barren)
        NOW->walk.walked->repeated++;
    else
        wri_hole_refuted(t);
    wri_seen_take_back(NOW->work.seen, *NOW->work.at);
}

wri_after wri_ground_not_deterministic(wr_case *t)
{
    t->verdict->kind = WRI_MISUSE;
    t->verdict->frames = 0;
    t->verdict->line = 0;
    t->verdict->file[0] = '\0';
    strcpy(t->verdict->message, "the property is not deterministic: on the same choices it asked "
                                "for fewer, so its cases cannot be enumerated");
    return WRI_AFTER_STOP;
}

wri_after wri_ground_learn(wr_case *t, uint32_t verdict, wri_left left)
{
    if (verdict == WRI_DISCARD || verdict == WRI_OVERRUN) {
        wri_ground_count_refuted(t, verdict == WRI_OVERRUN);
        return WRI_AFTER_IGNORE;
    }
    if (verdict == WRI_NONE && WRI_UNLIKELY(!wri_hole_as_before(&NOW->walk)))
        return wri_ground_not_deterministic(t);
    bool met = left != WRI_LEFT_RETURNING && wri_verdict_failed(t->verdict) && wri_ground_known();
    wri_ground_count();                              /* it is one, whatever came of it */
    return met ? WRI_AFTER_IGNORE : WRI_AFTER_COUNT; /* it is told of where it counts */
}

bool wri_ground_end(wr_case *t)
{
    wri_hole_sum_up(&NOW->walk);
    t->walk = NULL;
    return NOW->walk.drew;
}

void wri_ground_free(void)
{
    wri_walk_free(&NOW->walk);
}

/* ---- The parent's side ---- */

static double share(double of)
{
    return of >= 0 && of <= 1 ? of : 0;
}

void wri_ground_read(const wri_ground *on, uint64_t runs, wri_walked *walked)
{
    *walked = on->walked;
    walked->position = share(walked->position);
    walked->split_position = share(walked->split_position);
    if (walked->cases > runs || walked->refuted > runs || walked->repeated > runs ||
        walked->beyond > runs ||
        walked->cases + walked->refuted + walked->repeated + walked->beyond > runs) {
        walked->cases = walked->values = walked->refuted = walked->repeated = walked->beyond = 0;
        walked->cut = true; /* whatever it was, it is no proof */
    }
    if (walked->requirement_count > WRI_REQUIREMENTS)
        walked->requirement_count = 0;
    if (walked->blamed_count > WRI_BLAMED)
        walked->blamed_count = 0;
    for (unsigned i = 0; i < walked->blamed_count; i++)
        walked->blamed[i].name[sizeof walked->blamed[i].name - 1] = '\0';
}

size_t wri_ground_steps(const wri_ground *on)
{
    uint64_t count = on->count;
    return count <= WRI_MAX_STEPS ? (size_t)count : 0;
}

bool wri_ground_log(void *context, const wri_order *order, const void *block, wri_trace *log)
{
    const wri_ground *on = block;
    size_t            count = wri_ground_steps(on);
    (void)context, (void)order;
    if (!wri_trace_reserve(log, count + 1, 0))
        return false;
    log->nodes[0] = (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    log->node_count = 1;
    log->number_count = 0;
    for (size_t i = 0; i < count; i++) {
        wri_step step = on->steps[i];
        if (step.kind != WRI_SILENT)
            log->nodes[log->node_count++] = (wri_node){ .what = WRI_CHOICE,
                                                        .kind = step.kind,
                                                        .tie = WRI_NO_NODE,
                                                        .number = step.number,
                                                        .max = step.max };
    }
    return true;
}
