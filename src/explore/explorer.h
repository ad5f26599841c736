/* explore/explorer.h: an explorer decides which cases are run, and answers their requests.
 *
 * An explorer is a row of one table. Its parent's side hands out orders and takes what came of
 * them; its worker's side answers the cases of one order. The two sides meet in two blocks of
 * shared memory that belong to the explorer: one for the whole run, and one for each worker.
 * Workers can write to both, so the parent's side checks what it reads there.
 *
 * The conductor (hunt/batches.c) and the case loop (run/case_loop.c) know the table and no
 * explorer by name. A new explorer is one file and one row.
 */
#ifndef WRI_EXPLORE_EXPLORER_H
#define WRI_EXPLORE_EXPLORER_H

#include <stdatomic.h>

#include "core/case.h"
#include "core/verdict.h"
#include "explore/redraw.h"
#include "explore/stable.h"
#include "machine/calls/book.h"
#include "machine/play/stage.h"
#include "observe/seen.h"
#include "report/report.h"

#define WRI_KNOWN_BUGS 64

/* How one case is answered. */
typedef enum {
    WRI_MANNER_RANDOM,  /* the stream of (seed, from) once more */
    WRI_MANNER_ALIGNED, /* a plan, by address */
    WRI_MANNER_EXACT,   /* a plan; any mismatch is stale */
    WRI_MANNER_ORDER,   /* likewise, and the plan is the steps of a walk */
} wri_manner;

/* What an explorer needs of the conductor and of the case loop. */
enum {
    WRI_NEEDS_TRACE = 1 << 0,   /* the log of each case */
    WRI_NEEDS_SIGNALS = 1 << 1, /* the compiler's signals, for each case by itself */
    WRI_NEEDS_MACHINE = 1 << 2, /* it explores machines only */
    WRI_NEEDS_JUDGE = 1 << 3,   /* each order is one case, which the judge runs */
    WRI_NEEDS_CORPUS = 1 << 4,  /* its pool is kept from run to run */
    WRI_NEEDS_PACE = 1 << 5,    /* of a machine the chase says how many cases go out together */
    WRI_HOT = 1 << 6,           /* plain random: the case loop without calls */
    WRI_COUNTS_RUNS = 1 << 7,   /* it says itself which of its runs are cases */
    WRI_SKEWS = 1 << 8,         /* shares of its cases are not those of random cases */
};

/* How a machine's chase paces random cases, in rounds of a fixed number of batches: what one
 * round has run, the next does not run again, however many workers there are. */
typedef struct wri_pace {
    /* Is something to be learnt before this case? Then no order goes out before a round begins.
     */
    bool (*pauses)(void *context, uint64_t next);
    /* All cases before this one are done with. */
    void (*round)(void *context, uint64_t next);
    /* So many cases from this one on are alike. */
    uint64_t (*alike)(void *context, uint64_t next);
    void *context;
} wri_pace;

/* The property's run, as far as an explorer may know it. */
typedef struct wri_exploration {
    uint64_t           seed;
    uint64_t           wanted;    /* cases; UINT64_MAX / 2: time or stability ends the run */
    unsigned           workers;   /* that can run batches at the same time */
    bool               by_time;   /* no number of cases ends it */
    bool               fork_each; /* an order is one case */
    bool               until_stable;
    bool               verbose;
    wri_redraw_manner *redraw;      /* an explorer may turn it off */
    bool               sized, deep; /* a size, or a depth, was asked for: */
    uint64_t           size, depth;
    bool               at_once, exactly;
    void              *shared; /* the explorer's block for the run */
    wri_pace           pace;   /* of a chased machine, where the explorer WRI_NEEDS_PACE */
    /* Of a machine: its table, what is known of making its calls, and whether a known bug is in
     * calls. */
    const wri_machine *machine;
    wri_book          *book;
    bool (*known)(void *context, const wri_sequence *calls);
    void *context;
} wri_exploration;

/* A batch of cases, as plain data. The conductor keeps orders in the sequence in which their
 * cases count. */
typedef struct wri_order {
    uint64_t from, count; /* numbers of cases, from 0 */
    uint64_t spare;       /* discarded cases are made up for with at most so many more */
    uint64_t rest;        /* cases behind `count` that belong to the order and wait */
    uint64_t wanted;      /* the order may end after so many cases that count */
    bool     audit;       /* after each case look for leaks, closed descriptors, reports */
    bool     suspect;     /* something was wrong after these cases, or after the rest */
    unsigned shard;       /* which of several searches it belongs to */
    void    *state;       /* the explorer's own; drop() frees it */
} wri_order;

/* Why a batch ended. */
typedef enum {
    WRI_BATCH_DONE,    /* all of it, or told to stop */
    WRI_BATCH_ENDED,   /* a case ended in a way the parent must look at: the verdict */
    WRI_BATCH_SUSPECT, /* after it something was found that no case was seen doing */
} wri_batch_end;

/* How a batch stands: what it ran, up to `next`. */
typedef struct wri_batch {
    bool          busy;   /* still running */
    unsigned      worker; /* from 0 */
    uint64_t      next;   /* the first case not run; when it ended in a verdict, that case */
    uint64_t      discarded, overrun, known, redrawn;
    uint64_t      known_hits[WRI_KNOWN_BUGS];
    uint64_t      largest;
    uint64_t      lost;   /* observations: a case had more than a batch can count */
    wri_played    played; /* of machines: what its cases did, with that which ended it */
    bool          drew;
    wri_batch_end end;
    bool          died;       /* the worker, in the case that ended the batch */
    bool          checks_die; /* the worker died while it looked for leaks */
    bool          excused;    /* an audit stopped at a case that jumped out and leaked */
} wri_batch;

/* What a batch comes to. The conductor fills it in from the batch; an explorer that
 * WRI_COUNTS_RUNS corrects it. */
typedef struct wri_batch_counts {
    uint64_t cases, discarded, overrun, redrawn;
    uint64_t executions;
    uint64_t calls, sequences, cut; /* of machines */
    uint64_t hits[WRI_KNOWN_BUGS];  /* of each bug that was known */
    uint64_t lost;
} wri_batch_counts;

/* The orders at this moment. */
typedef struct wri_standing {
    uint64_t outstanding; /* cases of orders that are out or wait, with their rests */
    bool     lone;        /* an order that may make up for discards is out */
} wri_standing;

/* What a batch that came back leaves to be done: at most two orders, in their sequence. */
#define WRI_RESTS 2

/* How the judge repeats a failing case, and what is known of its size. */
typedef struct wri_repeat {
    wri_manner manner;
    bool       minimal; /* no smaller case fails */
    bool       sized;
    uint64_t   size;
} wri_repeat;

typedef enum {
    WRI_ROUND_OVER,
    WRI_ROUND_NEXT,
    WRI_ROUND_ANEW, /* all over again: the cases so far count as executions only */
} wri_round;

/* What becomes of a case that has ended in the worker. */
typedef enum {
    WRI_AFTER_COUNT,  /* it counts as any case does */
    WRI_AFTER_IGNORE, /* it counts for nothing, whatever its verdict: go on */
    WRI_AFTER_AGAIN,  /* the same case once more: the answerer has other answers */
    WRI_AFTER_STOP,   /* the parent must look at it */
} wri_after;

/* What the worker's side is given for one order. */
typedef struct wri_work {
    void             *block; /* the worker's, as send() left it */
    uint64_t          seed;
    uint64_t         *at, end; /* the case that runs, and the first that is not to run */
    _Atomic uint64_t *shared_at;
    wri_seen         *seen;
    wri_redraw_manner redraw;
    _Atomic uint32_t *stop;
} wri_work;

/* Takes one line of text. */
typedef void wri_sayer(void *context, const char *line);

typedef struct wri_explorer {
    const char *name; /* --explore NAME; NULL: nobody can ask for it */
    unsigned    needs;
    size_t      shared_bytes, worker_bytes; /* of its two blocks */

    /* ---- In the parent: NULL where there is nothing to do ---- */

    /* NULL: out of memory. `error` stays empty unless the exploration cannot be. */
    void *(*open)(const wri_exploration *exploration, const char **error);
    void (*close)(void *self);
    /* The next order, behind all others; false: there is none now. */
    bool (*give)(void *self, const wri_standing *standing, wri_order *order);
    /* An order goes out: fills in the worker's block. */
    void (*send)(void *self, wri_order *order, void *block);
    /* The judge runs the order's case: the plan, in the explorer's memory, and how it is played.
     */
    void (*plan)(void *self, const wri_order *order, wri_trace *plan, wri_play_terms *play);
    /* A batch has come back, and will not be run again: corrects the counts, and says which
     * orders follow it. A failure that counts for nothing becomes WRI_BATCH_DONE. */
    unsigned (*take)(void *self, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS]);
    /* A case has come back from the judge, with the calls that it made; NULL: they cannot be
     * read. False: memory is out. */
    bool (*judged)(void *self, const wri_sequence *made, const wri_trace *trace,
                   const wri_verdict *verdict, const wri_played *played);
    /* The same order will be run again: what its batch has learnt is undone. */
    void (*undo)(void *self, const wri_order *order);
    /* An order counts, after all before it; false: exploring on is in vain. */
    bool (*count)(void *self, const wri_order *order, const wri_batch_counts *counts);
    /* All orders after a case are dropped, and cases go on behind it. */
    void (*back)(void *self, uint64_t index, uint64_t counted);
    void (*drop)(void *self, wri_order *order);
    /* No order is out and none is left; so many bugs were found. */
    wri_round (*rest)(void *self, const wri_sightings *seen, size_t bugs);
    /* The log of the case that ended a batch, where the trace does not have it. */
    bool (*log)(void *self, const wri_order *order, const void *block, wri_trace *log);
    wri_repeat (*repeat)(void *self, const wri_order *order);
    /* Cases of a batch that is out which count so far; NULL: all but discarded ones. */
    uint64_t (*running)(void *self, const void *block);
    /* What cases have shown; false: the conductor's labels are all there is. */
    bool (*sightings)(void *self, wri_sightings *seen);
    /* The status of a property that nothing failed in, and why it gave up. */
    wri_status (*conclude)(void *self, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why);
    void (*progress)(void *self, wri_progress *progress);
    /* Figures for the report. self NULL: the property was not explored. */
    void (*tell)(void *self, wri_result *result);
    /* Lines on how the search goes, since it was asked. */
    void (*remarks)(void *self, unsigned shard, wri_sayer *say, void *context);
    /* What the search could not do for want of room, as warnings. */
    void (*limits)(void *self, wri_sayer *say, void *context);

    /* ---- In the worker ---- */

    /* Before the first case of an order; false: out of memory. */
    bool (*begin)(const wri_work *work, wr_case *t);
    /* Hangs an answerer into the case that begins; false: there is no further case. */
    bool (*next)(wr_case *t, uint64_t number);
    /* The case has ended: WRI_NONE when it held. `jumped`: out of its body. */
    wri_after (*learn)(wr_case *t, uint32_t verdict, bool jumped);
    /* After the last case of an order; true: choices were made that are not in the journal. */
    bool (*end)(wr_case *t);
    /* Around a case that somebody else answers, which it only looks at. */
    void (*watch)(const wri_work *work, wr_case *t, uint64_t number);
    void (*watched)(wr_case *t);
    void (*free)(void);
} wri_explorer;

/* The table. A row's number is that of the public enum wr_explore; rows behind those have no
 * name. */
#define WRI_NAMED_EXPLORERS(X) X(random) X(guide) X(enumerate) X(feedback)
#define WRI_EXPLORERS(X) WRI_NAMED_EXPLORERS(X) X(watch)
#define WRI_EXPLORER_ROW(word) extern const wri_explorer wri_explorer_##word;
WRI_EXPLORERS(WRI_EXPLORER_ROW)
#undef WRI_EXPLORER_ROW

enum {
#define WRI_EXPLORER_NUMBER(word) WRI_EXPLORER_##word,
    WRI_EXPLORERS(WRI_EXPLORER_NUMBER)
#undef WRI_EXPLORER_NUMBER
        WRI_EXPLORER_COUNT
};

extern const wri_explorer *const wri_explorers[WRI_EXPLORER_COUNT];

#endif
