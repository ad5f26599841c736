/* run/shared.h: the memory that parent, zygote and workers share.
 *
 * One mapping, made before the zygote is forked. The header belongs to the run; each worker has
 * a slot. A slot's control part is for orders and results; the case, its journal, its trace
 * and its text come after it, page-aligned, so that a forked child of the code under test can
 * be given a private copy of just those.
 *
 * All of it was writable by buggy code. The parent copies what it needs and checks every
 * count and index before it goes by them. Only what says which process to kill, and how one
 * died, lies in pages of its own that workers may not write to.
 */
#ifndef WRI_RUN_SHARED_H
#define WRI_RUN_SHARED_H

#include <stdatomic.h>

#include "core/case.h"
#include "explore/explorer.h"
#include "observe/seen.h"

#define WRI_OUTPUT_KEPT ((size_t)64 << 10)

typedef enum { WRI_TASK_NONE, WRI_TASK_BATCH, WRI_TASK_SINGLE, WRI_TASK_END } wri_task;

/* What a worker is to do. Pointers are valid in it: it was forked from this very process. */
typedef struct wri_job {
    wr_body            *body;
    const wr_options   *options;
    size_t              size; /* how large recursive values grow */
    uint64_t            seed, from, count;
    uint64_t            spare; /* a discarded case is made up for, with at most so many more */
    wri_manner          manner;
    wri_redraw_manner   redraw; /* RANDOM: what becomes of a refuted case */
    bool                audit;  /* after each case look for leaks, closed descriptors, reports */
    bool                traced; /* RANDOM, a batch: the log of the case that ends it is kept */
    wri_play_terms      play;   /* of a machine */
    bool                loud;   /* let a sanitizer symbolise: this one is shown */
    bool                silent; /* a single case: nobody will read what it prints of its values */
    const wri_explorer *explorer; /* of a batch; of a single case: who looks at it, or NULL */
} wri_job;

enum { WRI_PHASE_IDLE, WRI_PHASE_CASE, WRI_PHASE_CHECK };

typedef struct wri_slot {
    /* Parent to worker. */
    _Atomic uint32_t order_number; /* a futex: the worker sleeps until it changes */
    _Atomic uint32_t stop;         /* end the batch after this case */
    wri_task         task;
    wri_job          job;
    size_t           plan_nodes, plan_numbers;

    /* Worker to parent. */
    _Atomic uint32_t done_number; /* the order that is done */
    _Atomic uint64_t index;       /* of the case that runs; after a batch, the first not run */
    _Atomic uint64_t discarded, overrun, known; /* of this batch; all others held */
    _Atomic uint64_t redrawn; /* runs of cases that were refuted before; they are no cases */
    _Atomic uint32_t phase;
    _Atomic uint64_t stray; /* index + 1 of a case whose forked child came back */
    wri_batch_end    end;
    uint64_t         largest;    /* journal entries of the largest case */
    uint64_t         drew;       /* did any case draw? */
    _Atomic uint32_t forks;      /* a case called fork(): there may be children to end */
    bool             exact_done; /* EXACT: everything was asked for */
    bool             spoiled;    /* the worker should not run another case */
    _Atomic uint32_t began;      /* the worker got as far as taking orders */
    uint64_t         nodes, numbers, text; /* filled so far */
    uint64_t         text_lost;            /* entries of the text that did not fit */
    uint64_t         known_hits[WRI_KNOWN_BUGS];
    wri_verdict      verdict;
    wri_violation    violation;
    wri_played       played; /* of machines; a batch: of all its cases so far */
    uint64_t         ran;    /* so many sequences and beginnings are listed */
    wri_seen         seen;   /* what the cases of this batch showed */
} wri_slot;

/* Between parent and zygote, for one slot. Read-only in workers. */
typedef struct wri_cradle {
    _Atomic uint32_t wanted; /* the parent wants a worker in this slot */
    _Atomic int32_t  pid;    /* 0: none */
    _Atomic uint32_t dead;   /* the worker was reaped */
    _Atomic int32_t  status; /* as waitpid() gives it */
} wri_cradle;

typedef struct wri_shared {
    _Atomic uint32_t event; /* a futex: something happened that the parent wants to see */
    _Atomic uint32_t known_count;
    uint64_t         known[WRI_KNOWN_BUGS]; /* origins that need no second look */
    _Atomic uint32_t no_leak_check;         /* it does not work here */
} wri_shared;

/* Where the parts of a slot lie. Slots that explore have no text; they have trace and plan only
 * where an explorer or a machine needs them. */
typedef struct wri_layout {
    wri_cradle *cradle;
    wri_slot   *slot;
    wr_case    *t; /* the first byte a forked child gets its own copy of */
    wri_record *journal;
    void       *block; /* of the explorer whose batch it runs */
    char       *text;
    wri_trace   trace, plan;
    uint64_t   *ran; /* where there may be machines: the sequences of a batch */
    char       *end;
    int         output; /* a file in memory: standard output and error go there */
} wri_layout;

void wri_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t milliseconds);
void wri_futex_wake(_Atomic uint32_t *word);

/* File and line as a number. The file's name alone, without its folders: the same bug has the
 * same identity in every checkout. */
uint64_t wri_worker_place_hash(const wri_verdict *verdict);
/* The identity of an assertion's place, as workers and parent both compute it. */
uint64_t wri_worker_assertion_origin(const wri_verdict *verdict);

#endif
