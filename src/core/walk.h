/* core/walk.h: a walk through all cases, one choice after the other.
 *
 * The choices of the running case are a stack of steps. After a case the last step that has
 * another alternative takes it, what was chosen after it is forgotten, and the next case runs. So
 * no case is met twice, and a case that ended early has decided all that agree with it so far.
 *
 * The steps lie in shared memory: they are the log of the case that runs, and the whole state of
 * the walk, which can go on from them in another process. What else the walk keeps is made anew
 * by running the first case. What fits into a bound is counted as budget: the bound, less what
 * was chosen, less the least that everything drawn and not yet chosen will cost.
 */
#ifndef WRI_CORE_WALK_H
#define WRI_CORE_WALK_H

#include "core/case.h"

/* A case of more steps is too large. */
#define WRI_MAX_STEPS ((size_t)1 << 14)
#define WRI_WALK_TREES 512
#define WRI_REQUIREMENTS 8
#define WRI_NO_BOUND UINT64_MAX

/* The kind of a step that is no choice of the log: what it fills in could be nothing else. */
#define WRI_SILENT 255

typedef struct wri_step {
    uint64_t number, max;
    uint64_t left;   /* alternatives to come: a bit for each; or how many, */
    uint64_t at;     /* and which is taken now, counted from 0 */
    uint8_t  kind;   /* of the choice, or WRI_SILENT */
    bool     masked; /* which of the two `left` is */
} wri_step;

/* What taking a step back needs. */
typedef struct wri_trail {
    wr_node    *node;   /* the hole that it filled; NULL: a draw */
    const char *name;   /* of a draw */
    uint64_t    budget; /* before it */
    uint64_t    all;    /* its alternatives: a bit for each, or the last */
    size_t      pool;
    uint32_t    open, loose;
    bool        index; /* of the node, it is the index */
} wri_trail;

/* A precondition of a tree, which can be asked apart from the property. */
typedef struct wri_requirement {
    bool (*predicate)(wr_node *);
    const wr_type *type;
    uint32_t       tree; /* the how-manieth of the case */
} wri_requirement;

/* What a walk is to do. Whatever it learns counts for the next bound: so the result does not
 * depend on who walked where. */
typedef struct wri_walk_terms {
    uint64_t        bound;  /* of size */
    uint64_t        depth;  /* WRI_NO_BOUND: any */
    uint64_t        wanted; /* ends after so many cases */
    bool            exact;  /* smaller cases are known already, and do not count */
    bool            prune;  /* once all trees are complete, nothing that costs is drawn */
    bool            fresh;  /* from the first case; else from the one after the steps given */
    unsigned        requirement_count;
    wri_requirement requirements[WRI_REQUIREMENTS];
} wri_walk_terms;

/* Where refuted cases ended. */
#define WRI_BLAMED 48
typedef struct wri_blamed {
    char     name[64]; /* "App of Term", or what a draw is called */
    uint64_t count;
} wri_blamed;

/* What came of it; in shared memory. */
typedef struct wri_walked {
    uint64_t cases, values; /* that held; what they stand for, UINT64_MAX: not known */
    uint64_t refuted;       /* runs that a precondition ended */
    uint64_t repeated;      /* cases of a smaller size */
    uint64_t beyond;        /* runs that ended at the bound */
    /* Flags, as bytes: whoever reads them from shared memory cannot be sure what they are. */
    uint8_t         over;      /* there is no further case */
    uint8_t         cut;       /* something did not fit into the bound */
    uint8_t         late;      /* something that costs was drawn after all trees were complete */
    uint8_t         irregular; /* not every case asked the same requirements in the same order */
    uint32_t        open;      /* of the running case: holes that may cost, */
    uint64_t        spare;     /* and what is left of the bound */
    size_t          split;     /* the first step that has an alternative left */
    double          position, split_position; /* the share of all cases before them */
    unsigned        requirement_count;
    wri_requirement requirements[WRI_REQUIREMENTS];
    unsigned        blamed_count;
    wri_blamed      blamed[WRI_BLAMED];
} wri_walked;

typedef struct wri_walk_tree {
    struct wr_tree_ *tree;
    const wr_type   *type;
    size_t           made; /* steps that were made before it was drawn */
} wri_walk_tree;

/* A requirement of the running case. */
#define WRI_ASKED 16
typedef struct wri_asked {
    bool (*predicate)(wr_node *);
    wr_node *node;
    size_t   made;   /* steps that were made before it was asked */
    int      number; /* among all that are known; negative: none of them */
} wri_asked;

typedef struct wri_walk wri_walk;
struct wri_walk {
    wri_walk_terms terms;
    wri_walked    *walked;
    wri_step      *steps;
    uint64_t      *shared_count;
    size_t         count; /* steps on the stack, */
    size_t         made;  /* and how many of them the running case has made, now or before */
    size_t         keep;  /* after this case: no more than so many steps stay */
    uint64_t       budget;
    uint32_t       open;    /* holes that may cost something, */
    uint32_t       loose;   /* and those that never do */
    bool           drew;    /* a step was made since the start */
    bool           resumed; /* the first case has been found */
    bool           barren;  /* the case can only be one of a smaller size */
    bool           beyond;  /* the case ended at the bound */
    bool           counted; /* that it was refuted is counted already */
    int            within;  /* the requirement that is being asked; negative: none */

    wri_trail        *trails;
    uint32_t         *draws; /* the steps that are draws, in order */
    size_t            draw_count, draw_next;
    wri_walk_tree    *trees;
    size_t            tree_count, tree_next;
    wri_asked         asked[WRI_ASKED];
    size_t            asked_count, asked_next;
    uint64_t         *run, end;    /* the worker's: the run's number, and where to come back; */
    _Atomic uint64_t *shared_run;  /* and where it is told; */
    const _Atomic uint32_t *shown; /* how many things its cases have shown */
    char                   *pool;  /* nodes live here, from case to case */
    size_t                  pool_used, pool_room;

    bool   asking;    /* a requirement is asked apart: nothing new is chosen */
    bool   undecided; /* and it would have needed to */
    size_t deepest;   /* the last step that it looked at, plus one */
    struct {
        const char *name;
        uint64_t    count;
    } blamed[16]; /* draws */
};

/* Prepares to walk on from `count` steps (none: from the beginning). False: no memory. */
bool wri_walk_start(wri_walk *walk, const wri_walk_terms *terms, wri_walked *walked,
                    wri_step *steps, uint64_t *shared_count, size_t count);
void wri_walk_free(wri_walk *walk);

/* ---- From case to case ---- */

/* Fills the node of a step that has just taken its next alternative. What nodes are is data/'s
 * business, so it is data/ that goes on to the next case, with these. */
typedef void wri_refill(wri_walk *walk, size_t step);

static inline void wri_step_take_next(wri_step *step)
{
    if (step->masked) {
        step->number = (uint64_t)__builtin_ctzll(step->left);
        step->left &= step->left - 1;
    } else {
        step->number = ++step->at;
        step->left--;
    }
}

/* What a step has filled is open again. */
static inline void wri_walk_empty(wri_walk *walk, const wri_trail *trail)
{
    wr_node *node = trail->node;
    if (node == NULL) {
        walk->draw_count--;
    } else if (trail->index) {
        node->indexed_ = false;
    } else {
        node->tag_ = -1;
        node->arity_ = 0;
    }
}

/* The last step takes its next alternative. A node is filled at once, so that the next case only
 * reads it; a draw is answered when it is asked for. */
static inline void wri_walk_go_on(wri_walk *walk, size_t last, wri_refill *refill)
{
    const wri_trail *trail = &walk->trails[last];
    wri_step_take_next(&walk->steps[last]);
    if (walk->made <= last) /* it was given, and no case has made it yet */
        return;
    walk->budget = trail->budget;
    walk->open = trail->open;
    walk->loose = trail->loose;
    walk->pool_used = trail->pool;
    if (trail->node != NULL) {
        refill(walk, last);
    } else {
        wri_walk_empty(walk, trail);
        walk->made = last;
    }
}

static inline void wri_walk_begin_case(wri_walk *walk)
{
    size_t kept = walk->count > 0 ? walk->count - 1 : 0; /* steps that are as they were */
    while (walk->tree_count > 0 && walk->trees[walk->tree_count - 1].made > kept)
        walk->tree_count--;
    while (walk->asked_count > 0 && walk->asked[walk->asked_count - 1].made > kept)
        walk->asked_count--;
    walk->draw_next = walk->tree_next = walk->asked_next = 0;
    walk->barren = walk->beyond = walk->counted = false;
    walk->within = -1;
    walk->keep = SIZE_MAX;
}

/* Goes to the next alternative of a step from `floor` on, the last first; false: there is none,
 * and there are no more than so many steps now. */
static inline bool wri_walk_advance(wri_walk *walk, size_t floor, wri_refill *refill)
{
    size_t count = walk->count;
    for (; count > floor; count--) {
        if (walk->steps[count - 1].left != 0 && count <= walk->keep)
            break;
        if (walk->made == count) {
            wri_walk_empty(walk, &walk->trails[count - 1]);
            walk->made--;
        }
    }
    walk->count = count;
    *walk->shared_count = count;
    if (count == floor)
        return false;
    wri_walk_go_on(walk, count - 1, refill);
    return true;
}

/* Finds the next case; false: there is none. */
static inline bool wri_walk_next(wri_walk *walk, wri_refill *refill)
{
    if ((walk->resumed || !walk->terms.fresh) && !wri_walk_advance(walk, 0, refill))
        return false;
    walk->resumed = true;
    wri_walk_begin_case(walk);
    return true;
}
/* ---- Steps ---- */

/* Ends the case: it does not fit. */
_Noreturn void wri_walk_beyond(wr_case *t);
/* Ends the case: all that it could become was met at a smaller bound. */
_Noreturn void wri_walk_barren(wr_case *t);
_Noreturn void wri_walk_not_deterministic(wr_case *t);

/* Makes a step: the one that is on the stack, or a new one with these alternatives, of which
 * there is at least one. The caller pays for it, and says what it fills. */
static inline wri_step *wri_walk_make(wr_case *t, uint8_t kind, uint64_t max, bool masked,
                                      uint64_t all)
{
    wri_walk *walk = t->walk;
    size_t    at = walk->made;
    wri_step *step = &walk->steps[at];
    if (at == walk->count) {
        if (WRI_UNLIKELY(at == WRI_MAX_STEPS))
            wri_walk_beyond(t);
        step->number = masked ? (uint64_t)__builtin_ctzll(all) : 0;
        step->left = masked ? all & (all - 1) : all; /* the first is taken */
        step->at = 0;
        step->max = max;
        step->kind = kind;
        step->masked = masked;
        *walk->shared_count = ++walk->count;
    } else if (WRI_UNLIKELY(step->kind != kind || step->max != max || step->masked != masked)) {
        wri_walk_not_deterministic(t);
    }
    walk->trails[at] = (wri_trail){ .budget = walk->budget,
                                    .all = all,
                                    .pool = walk->pool_used,
                                    .open = walk->open,
                                    .loose = walk->loose };
    walk->made = at + 1;
    walk->drew = true;
    return step;
}

/* A draw: its number. */
uint64_t wri_walk_draw(wr_case *t, const wri_request *request, bool element);
/* The last draw turned out to be this number instead, since those before it were taken. */
void wri_walk_amend(wr_case *t, uint64_t number);

/* Memory that lasts until the step before it is taken back; NULL: there is no more. */
static inline void *wri_walk_take(wri_walk *walk, size_t bytes)
{
    size_t rounded = (bytes + WRI_ALIGN - 1) & ~(size_t)(WRI_ALIGN - 1);
    if (WRI_UNLIKELY(rounded > walk->pool_room - walk->pool_used))
        return NULL;
    void *block = walk->pool + walk->pool_used;
    walk->pool_used += rounded;
    return block;
}

/* Tells the parent how the running case stands, should it die. */
static inline void wri_walk_tell(wri_walk *walk)
{
    if (walk->terms.exact) { /* else nobody asks */
        walk->walked->open = walk->open;
        walk->walked->spare = walk->budget;
    }
}

/* Is the case one that was met at a smaller bound? */
static inline bool wri_walk_small(const wri_walk *walk)
{
    return walk->terms.exact && walk->open == 0 && walk->budget > 0;
}

/* Something that costs is drawn: are all trees complete already? */
static inline void wri_walk_note_draw(wri_walk *walk)
{
    if (walk->tree_count > 0 && walk->open == 0)
        walk->walked->late = true;
}

#endif
