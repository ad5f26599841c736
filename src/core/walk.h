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
    uint64_t left;   /* alternatives to come: a bit for each; or the last of them, */
    uint64_t at;     /* and which is taken now, counted from 0 */
    uint8_t  kind;   /* of the choice, or WRI_SILENT */
    bool     masked; /* which of the two `left` is */
} wri_step;

static inline bool wri_step_has_left(const wri_step *step)
{
    return step->masked ? step->left != 0 : step->at < step->left;
}

/* What taking a step back needs. */
typedef struct wri_trail {
    wr_node    *node;   /* the hole that it filled; NULL: a draw */
    const char *name;   /* of a draw */
    uint64_t    budget; /* before it */
    uint64_t    all;    /* its alternatives: a bit for each, or the last */
    size_t      pool;
    uint32_t    open, loose;
    bool        index;  /* of the node, it is the index */
} wri_trail;

/* A precondition of a tree, which can be asked apart from the property. */
typedef struct wri_requirement {
    bool (*predicate)(wr_node *);
    uint32_t tree; /* the how-manieth of the case */
} wri_requirement;

/* What a walk is to do. Whatever it learns counts for the next bound: so the result does not
 * depend on who walked where. */
typedef struct wri_walk_terms {
    uint64_t        bound; /* of size */
    uint64_t        depth; /* WRI_NO_BOUND: any */
    uint64_t        wanted; /* ends after so many cases */
    bool            exact; /* smaller cases are known already, and do not count */
    bool            prune; /* once all trees are complete, nothing that costs is drawn */
    bool            fresh; /* from the first case; else from the one after the steps given */
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
    uint64_t   cases, values;  /* that held; what they stand for, UINT64_MAX: so many or more */
    uint64_t   refuted;        /* runs that a precondition ended */
    uint64_t   repeated;       /* cases of a smaller size */
    uint64_t   beyond;         /* runs that ended at the bound */
    bool       over;           /* there is no further case */
    bool       cut;            /* something did not fit into the bound */
    bool       late;           /* something that costs was drawn after all trees were complete */
    size_t     split;          /* the first step that has an alternative left */
    double     position, split_position; /* the share of all cases before them */
    unsigned        requirement_count;
    wri_requirement requirements[WRI_REQUIREMENTS];
    unsigned   blamed_count;
    wri_blamed blamed[WRI_BLAMED];
} wri_walked;

typedef struct wri_walk_tree {
    struct wr_tree_ *tree;
    const wr_type   *type;
    size_t           made; /* steps that were made before it was drawn */
} wri_walk_tree;

typedef struct wri_walk {
    wri_walk_terms terms;
    wri_walked    *walked;
    wri_step      *steps;
    uint64_t      *shared_count;
    size_t         count; /* steps on the stack, */
    size_t         made;  /* and how many of them the running case has made, now or before */
    size_t         keep;  /* after this case: no more than so many steps stay */
    uint64_t       budget;
    uint32_t       open;  /* holes that may cost something, */
    uint32_t       loose; /* and those that never do */
    bool           resumed; /* the first case has been found */
    bool           stepped; /* a step was made since the start */
    bool           barren; /* the case can only be one of a smaller size */
    bool           beyond; /* the case ended at the bound */
    int            within; /* the requirement that is being asked; negative: none */

    wri_trail     *trails;
    uint32_t      *draws;  /* the steps that are draws, in order */
    size_t         draw_count, draw_next;
    wri_walk_tree *trees;
    size_t         tree_count, tree_next;
    char          *pool;   /* nodes live here, from case to case */
    size_t         pool_used, pool_room;

    bool           asking;    /* a requirement is asked apart: nothing new is chosen */
    bool           undecided; /* and it would have needed to */
    size_t         deepest;   /* the last step that it looked at, plus one */
    struct { const char *name; uint64_t count; } blamed[16]; /* draws */
} wri_walk;

/* Prepares to walk on from `count` steps (none: from the beginning). False: no memory. */
bool wri_walk_start(wri_walk *walk, const wri_walk_terms *terms, wri_walked *walked,
                    wri_step *steps, uint64_t *shared_count, size_t count);
void wri_walk_free(wri_walk *walk);

/* Finds the next case; false: there is none. */
bool wri_walk_next(wri_walk *walk);

/* Makes a step: the one that is on the stack, or a new one with these alternatives, of which there
 * is at least one. The caller pays for it. */
wri_step *wri_walk_make(wr_case *t, uint8_t kind, uint64_t max, bool masked, uint64_t all);

/* A draw: its number. */
uint64_t wri_walk_draw(wr_case *t, const wri_request *request, bool element);
/* The last draw turned out to be this number instead, since those before it were taken. */
void wri_walk_amend(wr_case *t, uint64_t number);

/* Memory that lasts until the step before it is taken back. */
void *wri_walk_take(wr_case *t, size_t bytes);

/* Ends the case: it does not fit. */
_Noreturn void wri_walk_beyond(wr_case *t);
/* Ends the case: all that it could become was met at a smaller bound. */
_Noreturn void wri_walk_barren(wr_case *t);

/* Something that costs is drawn: are all trees complete already? */
static inline void wri_walk_note_draw(wri_walk *walk)
{
    if (walk->tree_count > 0 && walk->open == 0)
        walk->walked->late = true;
}

#endif
