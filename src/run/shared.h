/* run/shared.h: the memory that parent, zygote and workers share.
 *
 * It is one mapping, made before the zygote is forked. The header belongs to the run; each worker
 * has a slot. A slot begins with orders and results. The case, its journal, its trace and its
 * text follow, page-aligned. So a forked child of the code under test can be given a private copy
 * of just those.
 *
 * Buggy code can write to all of it. The parent copies the data it needs and checks every count
 * and index before it uses them. Only the cradles, which say which process to kill and how one
 * died, lie in pages that workers may not write to.
 */
#ifndef WRI_RUN_SHARED_H
#define WRI_RUN_SHARED_H

#include <stdatomic.h>

#include "core/case.h"
#include "explore/explorer.h"
#include "explore/sketch.h"
#include "observe/seen.h"
#include "observe/told.h"
#include "plan/reason.h"

#define WRI_OUTPUT_KEPT ((size_t)64 << 10)
/* Descriptors of outputs begin here, out of the way of those that code under test is given. */
#define WRI_OUTPUT_FIRST 200

typedef enum { WRI_TASK_NONE, WRI_TASK_BATCH, WRI_TASK_SINGLE, WRI_TASK_END } wri_task;

/* A worker's order. Its pointers are valid in the worker, which was forked from this very
 * process. */
typedef struct wri_job {
    const void         *owner; /* the property; another one gets a fresh worker */
    wr_body            *body;
    const wr_options   *options;
    size_t              size; /* the size of recursive values */
    uint64_t            seed, from, count;
    uint64_t            spare; /* at most this many further cases replace discarded ones */
    wri_manner          manner;
    const wr_example_  *example;   /* EXAMPLE: which */
    wri_redraw_manner   redraw;    /* RANDOM: whether a refuted case is drawn again */
    bool                plain;     /* random answers do not lean */
    bool                constants; /* and are constants of the program now and then */
    bool                audit;  /* after each case look for leaks, closed descriptors, reports */
    bool                traced; /* RANDOM, a batch: keep the log of the case that ends it */
    wri_play_terms      play;   /* of a machine */
    bool                loud;   /* let a sanitizer symbolise: this case will be reported */
    bool                sketched; /* a batch: note what cases draw (explore/sketch.h) */
    bool                told;     /* a batch: tell each case (observe/told.h) */
    bool                silent;   /* a single case: its values need not be printed */
    const wri_explorer *explorer; /* of a batch; of a single case: who watches it, or NULL */
} wri_job;

/* What a worker does: it waits for an order; it calls worker_setup; it runs cases; it looks at
 * the process after them, and undoes what they did; it runs the leak checker; at last it calls
 * worker_teardown. */
enum {
    WRI_PHASE_IDLE,
    WRI_PHASE_SETUP,
    WRI_PHASE_CASE,
    WRI_PHASE_CHECK,
    WRI_PHASE_LEAKS,
    WRI_PHASE_TEARDOWN
};

typedef struct wri_slot {
    /* Parent to worker. */
    _Atomic uint32_t order_number; /* a futex: the worker sleeps until it changes */
    _Atomic uint32_t stop;         /* end the batch after this case */
    wri_task         task;
    wri_job          job;
    size_t           plan_nodes, plan_numbers;

    /* Worker to parent. */
    _Atomic uint32_t taken_number; /* the number of the order that was begun last */
    _Atomic uint32_t done_number;  /* the number of the order that is done */
    _Atomic uint64_t index;        /* the running case; after a batch, the first case not run */
    _Atomic uint64_t discarded, overrun, known; /* cases of this batch; all others held */
    _Atomic uint64_t redrawn; /* runs of redrawn cases; they do not count as cases */
    _Atomic uint64_t passes;  /* of these: first passes of cases with faults, */
    _Atomic uint64_t warm;    /* and of these: those that each process makes once */
    _Atomic uint32_t phase;
    _Atomic uint64_t stray; /* index + 1 of a case whose forked child returned */
    wri_batch_end    end;
    uint64_t         largest;    /* journal entries of the largest case */
    uint64_t         drew;       /* did any case draw? */
    bool             left;       /* the cases may have left processes behind */
    bool             deaf;       /* the worker has lost its output: it should not go on */
    bool             exact_done; /* EXACT: the case asked for every answer */
    bool             spoiled;    /* the worker should not run another case */
    bool             leaked;     /* DONE: there were leaks, and each is known of */
    uint64_t         leaker;     /* SUSPECT: index + 1 of the case that leaked; 0: none */
    _Atomic uint32_t began;      /* the worker is ready for orders */
    _Atomic uint32_t located;    /* the frames of `verdict` say where the case is */
    uint64_t         nodes, numbers, text; /* filled so far */
    uint64_t         text_lost;            /* entries of the text that did not fit */
    uint64_t         known_hits[WRI_KNOWN_BUGS];
    wri_verdict      verdict;
    wri_verdict      last; /* of worker_teardown: `verdict` may not have been read yet */
    wri_violation    violation;
    wri_played       played; /* of machines; in a batch, of all its cases so far */
    uint64_t         ran;    /* number of sequences and beginnings listed */
    wri_seen         seen;   /* the observations of this batch */
} wri_slot;

/* A slot's processes, for parent, zygote and nurse. Read-only in workers. */
typedef struct wri_cradle {
    _Atomic uint32_t wanted; /* a futex: the parent wants a worker in this slot */
    _Atomic int32_t  nurse;  /* the process that forks the workers; 0: none */
    _Atomic int32_t  pid;    /* the worker; 0: none */
    _Atomic uint32_t dead;   /* the worker was reaped, and all that it left behind */
    _Atomic int32_t  status; /* as waitpid() gives it */
} wri_cradle;

/* How the zygote starts. Read-only in workers. */
typedef struct wri_start {
    _Atomic uint32_t ready;    /* a futex: the zygote forks workers from now on */
    char             why[200]; /* one that ended before it was ready says why */
} wri_start;

typedef struct wri_shared {
    _Atomic uint32_t event; /* a futex: wakes the parent */
    _Atomic uint32_t known_count;
    uint64_t         known[WRI_KNOWN_BUGS];   /* origins of known bugs, */
    wri_reason       reasons[WRI_KNOWN_BUGS]; /* and why their cases fail */
    _Atomic uint32_t no_leak_check;           /* leak checking does not work here */
} wri_shared;

/* The addresses of a slot's parts. Slots that explore have no text, and have trace and plan only
 * if an explorer or a machine needs them; with --observations they have all three. */
typedef struct wri_layout {
    wri_cradle *cradle;
    wri_slot   *slot;
    wr_case    *t; /* from here on, a forked child gets its own copy */
    wri_record *journal;
    void       *block;  /* the explorer's block for this worker */
    wri_sketch *sketch; /* NULL: nobody asks what cases draw */
    char       *text;
    wri_told   *told;  /* NULL: nobody asks for cases one by one */
    bool        judge; /* it runs single cases */
    wri_trace   trace, plan;
    uint64_t   *ran; /* machines: the sequences of a batch */
    char       *end;
    int         output; /* a file in memory: standard output and error go there */
} wri_layout;

void wri_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t milliseconds);
void wri_futex_wake(_Atomic uint32_t *word);

/* File and line as a number. It uses the file's name without its folders, so the same bug has
 * the same identity in every checkout. */
uint64_t wri_worker_place_hash(const wri_verdict *verdict);
/* The identity of an assertion. Workers and parent both compute it. */
uint64_t wri_worker_assertion_origin(const wri_verdict *verdict);

#endif
