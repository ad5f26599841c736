/* explore/enumerate.c: the explorer that walks through all cases.
 *
 * Draws are steps of the walk (core/walk.h); trees make theirs themselves, since what is chosen
 * of them stays from case to case (data/hole.c). Simplest first, and the last choice changes
 * first.
 */
#include "core/walk.h"
#include "explore/answer.h"

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

wri_answerer *wri_answer_enumerating(void)
{
    static wri_answerer answerer = { .choose = choose, .choose_many = choose_many };
    return &answerer;
}
