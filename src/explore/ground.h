/* explore/ground.h: the worker's side of every explorer that walks: enumerate, restart, radix.
 *
 * Draws are steps of the walk (core/walk.h). Trees make their steps themselves (data/hole.c),
 * because a chosen node stays from case to case. The ground is the worker's block. It says where
 * a walk starts, and, in memory that the worker can write to, where it stands and what came of
 * it.
 */
#ifndef WRI_EXPLORE_GROUND_H
#define WRI_EXPLORE_GROUND_H

#include "data/hole.h"
#include "explore/answer.h"
#include "explore/explorer.h"

typedef struct wri_ground {
    wri_walk_terms terms;
    wri_shard      shard;
    uint64_t       count;
    wri_walked     walked;
    wri_step       steps[WRI_MAX_STEPS];
} wri_ground;

/* ---- In the parent ---- */

/* Which of the shards have cases that begin with these steps? Those from `first` on, `stride`
 * apart. `all`: the steps are the whole case, and it belongs to the first of them. */
bool wri_ground_divides(const wri_shard *shard, const wri_step *steps, size_t count, bool all);
static inline bool wri_ground_belongs(const wri_shard *shard, const wri_step *steps, size_t count,
                                      bool all)
{
    return shard->count <= 1 || wri_ground_divides(shard, steps, count, all);
}
/* The worker can write to its block: takes what so many runs can have come to. */
void   wri_ground_read(const wri_ground *on, uint64_t runs, wri_walked *walked);
size_t wri_ground_steps(const wri_ground *on);
/* The choices of the case that an order ended with, one behind the other; for a row's `log`. */
bool wri_ground_log(const wri_order *order, const void *block, wri_trace *log);

/* ---- In the worker ---- */

typedef struct wri_walking {
    wri_walk  walk;
    wri_work  work;
    wri_shard shard;
} wri_walking;
extern wri_walking wri_walking_now;

/* Lays the walk on the ground, with the work's count of runs. */
bool wri_ground_lay(wri_ground *on, const wri_work *work, wr_case *t);
/* Was the case met at a smaller bound, or does it belong to another shard? */
bool wri_ground_known(void);
/* Counts a case that was not refuted, or one that was. */
void      wri_ground_count(void);
void      wri_ground_count_refuted(wr_case *t, bool overrun);
wri_after wri_ground_not_deterministic(wr_case *t);

/* Members for the row of an explorer that walks and whose block begins with a ground. */
bool      wri_ground_begin(const wri_work *work, wr_case *t);
bool      wri_ground_next(wr_case *t, uint64_t number);
wri_after wri_ground_learn(wr_case *t, uint32_t verdict, wri_left left);
bool      wri_ground_end(wr_case *t);
void      wri_ground_free(void);

#endif
