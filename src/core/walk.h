/* core/walk.h: a walk through all cases, one choice after the other.
 *
 * The choices of the running case are a stack of steps. After a case, the last step that has
 * another alternative takes it, and all steps above it are dropped. Then the next case runs. So
 * no case is run twice, and a case that ended early has decided every case that begins with the
 * same choices.
 *
 * The steps lie in shared memory. They are the log of the running case, and the whole state of
 * the walk: another process can go on from them. It rebuilds everything else by running the first
 * case. A bound limits the size of cases. The budget is the bound, less the cost of all choices
 * made, less the least cost of everything that is drawn and not yet chosen.
 */
#ifndef WRI_CORE_WALK_H
#define WRI_CORE_WALK_H

#include "core/case.h"

/* A case with more steps is too large. */
#define WRI_MAX_STEPS ((size_t)1 << 14)
#define WRI_WALK_TREES 512
#define WRI_REQUIREMENTS 8
#define WRI_NO_BOUND UINT64_MAX

/* The kind of a step that is not a choice of the log, because only one answer was possible. */
#define WRI_SILENT 255

typedef struct wri_step {
    uint64_t number, max;
    uint64_t left;   /* alternatives to come: a bit for each, or their number */
    uint64_t at;     /* the alternative taken now, counted from 0 */
    uint8_t  kind;   /* of the choice, or WRI_SILENT */
    bool     masked; /* `left` is a set of bits */
    bool     lone;   /* there was never another alternative */
    uint8_t  rank;   /* of the bit taken now, if masked: how many came before it */
} wri_step;

/* The data for taking a step back. */
typedef struct wri_trail {
    wr_node    *node;   /* the hole that the step filled; NULL: the step is a draw */
    const char *name;   /* of a draw */
    uint64_t    budget; /* before it */
    uint64_t    all;    /* its alternatives: a bit for each, or the number of the last */
    size_t      pool;
    uint64_t    reserved;
    uint32_t    open, loose;
    bool        index; /* the step is the node's index, not its constructor; */
    bool        turn;  /* or it says where the node's path goes on (data/path.h) */
} wri_trail;

/* A precondition of a tree. The walk can ask it without running the property. */
typedef struct wri_requirement {
    bool (*predicate)(wr_node *);
    const wr_type *type;
    uint32_t       tree; /* the number of the tree in its case, from 0 */
} wri_requirement;

/* The orders of a walk. Everything it learns counts from the next bound on, so the result does
 * not depend on which worker walked which part. */
typedef struct wri_walk_terms {
    uint64_t        bound;  /* of size */
    uint64_t        depth;  /* WRI_NO_BOUND: any */
    uint64_t        wanted; /* ends after this number of cases */
    bool            exact;  /* cases smaller than the bound were run before, and do not count */
    bool            prune;  /* nothing with a cost is drawn after all trees are complete */
    bool            fresh;  /* start at the first case; else at the one after the given steps */
    unsigned        requirement_count;
    wri_requirement requirements[WRI_REQUIREMENTS];
} wri_walk_terms;

/* The draw or constructor at which refuted cases ended. */
#define WRI_BLAMED 48
typedef struct wri_blamed {
    char     name[64]; /* "App of Term", or the name of a draw */
    uint64_t count;
} wri_blamed;

/* The results of a walk; in shared memory. */
typedef struct wri_walked {
    uint64_t cases, values; /* that held; what they stand for, UINT64_MAX: not known */
    uint64_t refuted;       /* runs that a precondition ended */
    uint64_t repeated;      /* cases of a smaller size */
    uint64_t beyond;        /* runs that ended at the bound */
    /* Flags, as bytes: shared memory may hold any byte, which a bool may not. */
    uint8_t         over;      /* there is no further case */
    uint8_t         cut;       /* a case did not fit into the bound */
    uint8_t         late;      /* a draw with a cost came after all trees were complete */
    uint8_t         irregular; /* not every case asked the same requirements in the same order */
    uint32_t        open;      /* of the running case: holes that may have a cost */
    uint64_t        spare;     /* of the running case: the budget left */
    size_t          split;     /* the first step that has an alternative left */
    double          position, split_position; /* the share of all cases that lies before them */
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
    int      number; /* its number among the known requirements; negative: not known */
} wri_asked;

typedef struct wri_walk wri_walk;

/* An explorer's part in a walk. Any member may be NULL. */
typedef struct wri_walk_hooks {
    /* The step at this place fills a node, and has more than one alternative: takes one of them.
     * NULL: the simplest that is left. */
    void (*pick)(wri_walk *walk, size_t at);
    /* The size that one more tree adds to the budget. NULL: the bound is of the whole case. */
    uint64_t (*sized)(wr_case *t, const wr_type *type, uint64_t least);
} wri_walk_hooks;

struct wri_walk {
    wri_walk_terms          terms;
    wri_walk_hooks          hooks;
    const struct wri_paths *paths; /* which constructors trees begin with; NULL: any */
    wri_walked             *walked;
    wri_step               *steps;
    uint64_t               *shared_count;
    size_t                  count; /* steps on the stack, */
    size_t   made; /* steps that the running case has made, now or in an earlier run */
    size_t   keep; /* the most steps that stay after this case */
    uint64_t budget;
    uint64_t reserved; /* held back from the budget, for paths */
    uint32_t open;     /* holes that may have a cost */
    uint32_t loose;    /* holes that have none */
    bool     drew;     /* a step was made since the start */
    bool     resumed;  /* the first case has been found */
    bool     barren;   /* the case can only be one of a smaller size */
    bool     beyond;   /* the case ended at the bound */
    bool     counted;  /* its refutation is counted */
    int      within;   /* the requirement that is being asked; negative: none */

    wri_trail     *trails;
    uint32_t      *draws; /* the steps that are draws, in order */
    size_t         draw_count, draw_next;
    wri_walk_tree *trees;
    size_t         tree_count, tree_next;
    wri_asked      asked[WRI_ASKED];
    size_t         asked_count, asked_next;
    uint64_t      *run, end; /* the worker's count of runs, and the run at which to come back */
    _Atomic uint64_t       *shared_run; /* the same count, for the parent */
    const _Atomic uint32_t *shown;      /* the number of observations of its cases */
    char                   *pool;       /* nodes live here, from case to case */
    size_t                  pool_used, pool_room;

    bool   asking;    /* a requirement is asked without the property: nothing new is chosen */
    bool   undecided; /* the requirement looked at an open hole */
    size_t deepest;   /* the last step that the requirement looked at, plus one */
    struct {
        const char *name;
        uint64_t    count;
    } blamed[16]; /* draws */
};

/* Prepares to walk on from `count` steps (none: from the beginning). False: no memory. */
bool wri_walk_start(wri_walk *walk, const wri_walk_terms *terms, wri_walked *walked,
                    wri_step *steps, uint64_t *shared_count, size_t count);
void wri_walk_free(wri_walk *walk);
/* Drops all steps: the next case is a first one. */
void wri_walk_anew(wri_walk *walk);
/* Must a value that another answer gives, too, come only once? Not at random. */
bool wri_walk_lists(const wr_case *t);

/* ---- From case to case ---- */

/* Fills the node of a step that has just taken its next alternative. Nodes belong to data/, so
 * data/ passes this function in. */
typedef void wri_refill(wri_walk *walk, size_t step);

static inline void wri_step_take_next(wri_step *step)
{
    if (step->masked) {
        step->number = (uint64_t)__builtin_ctzll(step->left);
        step->left &= step->left - 1;
        step->rank++;
    } else {
        step->number = ++step->at;
        step->left--;
    }
}

/* Opens the hole again that a step has filled. */
static inline void wri_walk_empty(wri_walk *walk, const wri_trail *trail)
{
    wr_node *node = trail->node;
    if (node == NULL) {
        walk->draw_count--;
    } else if (trail->turn) {
        node->opened_ = 0;
    } else if (trail->index) {
        node->indexed_ = false;
    } else {
        node->tag_ = -1;
        node->arity_ = 0;
    }
}

/* The last step takes its next alternative. A node is filled at once, so that the next case
 * only reads it. A draw is answered when it is asked for. */
static inline void wri_walk_go_on(wri_walk *walk, size_t last, wri_refill *refill)
{
    const wri_trail *trail = &walk->trails[last];
    wri_step_take_next(&walk->steps[last]);
    if (walk->made <= last) /* a step given by the parent, which no case has made yet */
        return;
    walk->budget = trail->budget;
    walk->reserved = trail->reserved;
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
    size_t kept = walk->count > 0 ? walk->count - 1 : 0; /* steps that have not changed */
    while (walk->tree_count > 0 && walk->trees[walk->tree_count - 1].made > kept)
        walk->tree_count--;
    while (walk->asked_count > 0 && walk->asked[walk->asked_count - 1].made > kept)
        walk->asked_count--;
    walk->draw_next = walk->tree_next = walk->asked_next = 0;
    walk->barren = walk->beyond = walk->counted = false;
    walk->within = -1;
    walk->keep = SIZE_MAX;
}

/* Takes the next alternative of the last step that has one, and is not below `floor`. False:
 * no step has one, and only `floor` steps are left. */
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

/* Ends the case: it does not fit into the bound. */
_Noreturn void wri_walk_beyond(wr_case *t);
/* Ends the case: every case that it could become was run at a smaller bound. */
_Noreturn void wri_walk_barren(wr_case *t);
_Noreturn void wri_walk_not_deterministic(wr_case *t);

/* Makes a step: the one on the stack, or a new one with these alternatives, at least one. The
 * caller subtracts its cost and says which hole it fills. */
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
        step->left = masked ? all & (all - 1) : all; /* the first alternative is taken */
        step->at = step->rank = 0;
        step->lone = step->left == 0;
        step->max = max;
        step->kind = kind;
        step->masked = masked;
        *walk->shared_count = ++walk->count;
    } else if (WRI_UNLIKELY(step->kind != kind || step->max != max || step->masked != masked)) {
        wri_walk_not_deterministic(t);
    }
    walk->trails[at] = (wri_trail){ .budget = walk->budget,
                                    .all = all,
                                    .reserved = walk->reserved,
                                    .pool = walk->pool_used,
                                    .open = walk->open,
                                    .loose = walk->loose };
    walk->made = at + 1;
    walk->drew = true;
    return step;
}

/* Answers a draw. */
uint64_t wri_walk_draw(wr_case *t, const wri_request *request, bool element);
/* Answers a draw with this number, which costs nothing and has no alternative. */
void wri_walk_put(wr_case *t, const wri_request *request, uint64_t number);
/* The answer that an earlier run of the same steps gave to a draw. False: this run is the first.
 */
bool wri_walk_recall(wr_case *t, const wri_request *request, uint64_t *number);
/* Corrects the number of the last draw, because its answer was already taken by an earlier
 * element. */
void wri_walk_amend(wr_case *t, uint64_t number);

/* Memory that lasts until the step before it is taken back. NULL: the pool is full. */
static inline void *wri_walk_take(wri_walk *walk, size_t bytes)
{
    size_t rounded = (bytes + WRI_ALIGN - 1) & ~(size_t)(WRI_ALIGN - 1);
    if (WRI_UNLIKELY(rounded > walk->pool_room - walk->pool_used))
        return NULL;
    void *block = walk->pool + walk->pool_used;
    walk->pool_used += rounded;
    return block;
}

/* Tells the parent how far the running case has come, in case it dies. */
static inline void wri_walk_tell(wri_walk *walk)
{
    if (walk->terms.exact) { /* else the parent does not ask */
        walk->walked->open = walk->open;
        walk->walked->spare = walk->budget;
    }
}

/* Was this case run at a smaller bound? */
static inline bool wri_walk_small(const wri_walk *walk)
{
    return walk->terms.exact && walk->open == 0 && walk->budget > 0;
}

/* Notes that a draw with a cost came after all trees were complete. */
static inline void wri_walk_note_draw(wri_walk *walk)
{
    if (walk->tree_count > 0 && walk->open == 0)
        walk->walked->late = true;
}

#endif
