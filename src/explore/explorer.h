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
#include "explore/settings.h"
#include "explore/stable.h"
#include "machine/calls/book.h"
#include "machine/play/stage.h"
#include "observe/seen.h"
#include "report/report.h"

#define WRI_KNOWN_BUGS 64

/* How one case is answered. */
typedef enum {
    WRI_MANNER_RANDOM,  /* the random stream of (seed, from) */
    WRI_MANNER_ALIGNED, /* a plan, by address */
    WRI_MANNER_EXACT,   /* a plan; a mismatch ends the case as stale */
    WRI_MANNER_ORDER,   /* the same, for a plan that is the steps of a walk */
    WRI_MANNER_EXAMPLE, /* an explicit case, by its values */
    WRI_MANNER_BYTES,   /* a fuzzer's bytes: the plan has them as numbers (explore/answer.h) */
    WRI_MANNER_PACK,    /* EXACT; the case's log ends with such bytes */
} wri_manner;

/* Needs and traits of an explorer. */
enum {
    WRI_NEEDS_TRACE = 1 << 0,   /* the log of each case is traced */
    WRI_NEEDS_SIGNALS = 1 << 1, /* the compiler's signals are told for each case alone */
    WRI_NEEDS_MACHINE = 1 << 2, /* it explores only machines */
    WRI_NEEDS_JUDGE = 1 << 3,   /* each order is one case, which the judge runs; only machines */
    WRI_NEEDS_PACE = 1 << 4,    /* for a machine, the chase says how many cases go out together */
    WRI_HOT = 1 << 5,           /* plain random: the case loop without calls */
    WRI_SKEWS = 1 << 7,         /* its cases are not distributed as random cases are */
    WRI_COUNTS_RUNS = 1 << 8,   /* its take() says which of its runs count as cases */
    WRI_ENDS_BY_SIZE = 1 << 9,  /* it ends when there are no more cases up to a size */
    WRI_REFUTES = 1 << 10, /* most of its runs are refuted: they are not traced for a token, */
                           /* and are closed without looking around */
    WRI_NOT_MACHINES = 1 << 11,   /* machines are explored at random instead */
    WRI_USES_CONSTANTS = 1 << 12, /* random answers are constants of the program now and then */
};

/* How a machine's chase paces random cases: in rounds of a fixed number of batches. A sequence
 * that ran in one round is not run again in the next. That does not depend on the number of
 * workers. */
typedef struct wri_pace {
    /* Does the chase want to learn before this case? Then no order goes out until a round
     * begins. */
    bool (*pauses)(void *context, uint64_t next);
    /* A round begins: all cases before `next` are finished. */
    void (*round)(void *context, uint64_t next);
    /* The number of cases from `next` on that can go out in one batch. */
    uint64_t (*alike)(void *context, uint64_t next);
    void *context;
} wri_pace;

/* One of several disjoint parts of the cases (--shard). Cases by number go to the shards in turn,
 * a block at a time. Each explorer says in its file which cases a shard has. */
typedef struct wri_shard {
    uint32_t number, count; /* number: from 0; count 1: all cases */
    uint64_t block;         /* cases */
} wri_shard;

/* The part of a property's run that an explorer may know. */
typedef struct wri_exploration {
    uint64_t  seed;
    wri_shard shard;
    uint64_t  wanted; /* cases of this shard; UINT64_MAX / 2: no limit, time or stability ends the
                         run */
    unsigned            workers;   /* workers that can run batches at the same time */
    bool                by_time;   /* the time limit ends it */
    bool                fork_each; /* every order is one case */
    bool                until_stable;
    bool                owned; /* another explorer says how many cases it may run (`allow`) */
    bool                sized; /* the user gave a size, or the property did */
    uint64_t            size;
    const wri_settings *settings; /* the options of the run, an explorer's own among them */
    wri_redraw_manner  *redraw;   /* the explorer may turn redrawing off */
    void               *shared;   /* the explorer's block for the whole run */
    void *const        *blocks;   /* the same of each row, for those that it owns */
    wri_pace            pace;     /* for a chased machine and an explorer that WRI_NEEDS_PACE */
    /* For a machine: its table, the book of its calls, and the question whether calls contain
     * a known bug. */
    const wri_machine *machine;
    wri_book          *book;
    bool (*known)(void *context, const wri_sequence *calls);
    void *context;
} wri_exploration;

struct wri_explorer;

/* An order: a batch of cases, as plain data. The conductor keeps orders in the sequence in
 * which their cases count. */
typedef struct wri_order {
    const struct wri_explorer *by;   /* runs it; NULL: the explorer that gave it */
    uint64_t                   salt; /* the seed of its cases is the run's, exclusive or this */
    uint64_t                   from, count; /* numbers of cases, from 0 */
    uint64_t spare;     /* at most this many further cases may replace discarded ones */
    uint64_t rest;      /* cases after `count` that belong to the order and wait */
    uint64_t wanted;    /* the order may end after this many cases that count */
    bool     audit;     /* after each case look for leaks, closed descriptors, reports */
    uint32_t suspect;   /* the verdict of a check that failed after these cases, or after the
                           rest; 0: none */
    uint64_t suspected; /* the first case that may have caused it */
    unsigned shard;     /* the search that it belongs to */
    void    *state;     /* belongs to the explorer; drop() frees it */
} wri_order;

/* Why a batch ended. */
typedef enum {
    WRI_BATCH_DONE,    /* every case was run, or the batch was told to stop */
    WRI_BATCH_ENDED,   /* the last case has a verdict that the parent must look at */
    WRI_BATCH_SUSPECT, /* a check after the batch found a problem that no case reported */
} wri_batch_end;

/* The state of a batch. It has run the cases before `next`. */
typedef struct wri_batch {
    bool          busy;   /* still running */
    unsigned      worker; /* from 0 */
    uint64_t      next;   /* the first case not run; after a verdict, the case with the verdict */
    uint64_t      discarded, overrun, known, redrawn;
    uint64_t      passes; /* of the redrawn ones: first passes of cases with faults, */
    uint64_t      warm;   /* and of these: those that each process makes once */
    uint64_t      known_hits[WRI_KNOWN_BUGS];
    uint64_t      largest;
    uint64_t      lost;   /* observations that found no room in the table */
    wri_played    played; /* of machines: the calls of its cases, with the case that ended it */
    bool          drew;
    wri_batch_end end;
    uint32_t      suspicion;  /* SUSPECT: which verdict; KILLED: the worker died */
    uint64_t      leaker;     /* SUSPECT: index + 1 of the case that leaked; 0: not known */
    bool          leaked;     /* DONE: it had leaks, and they are known of */
    bool          died;       /* the worker died in the case that ended the batch */
    bool          checks_die; /* the worker died while it checked for leaks */
    bool          crowded;    /* the worker was killed because it had too many processes */
    bool          excused;    /* a case jumped out and leaked; an audit has stopped there */
} wri_batch;

/* The counts of a batch. The conductor fills them in; an explorer that WRI_COUNTS_RUNS
 * corrects them. */
typedef struct wri_batch_counts {
    uint64_t cases, discarded, overrun, redrawn;
    uint64_t executions;
    uint64_t calls, sequences, cut, full; /* of machines */
    uint64_t given;                       /* kinds of handles, a bit for each */
    uint64_t hits[WRI_KNOWN_BUGS];        /* failures of each known bug */
    uint64_t lost;
    uint64_t aside; /* of the cases: those that are not distributed as random cases are, but were
                       run beside such */
} wri_batch_counts;

/* A summary of orders, at this moment. */
typedef struct wri_standing {
    uint64_t outstanding; /* cases of orders that are out or wait, with their rests */
    bool     lone;        /* an order with `spare` cases is out */
    size_t   shown; /* ways in which the cases that have counted differ, by what they showed */
    /* The same for the orders of one row; for an explorer that owns others. */
    void (*of)(const void *context, const struct wri_explorer *by, struct wri_standing *standing);
    const void *context;
} wri_standing;

/* A batch that came back may be followed by at most two orders, in their sequence. */
#define WRI_RESTS 2

/* How the judge repeats a failing case, and the case's size if it is known. */
typedef struct wri_repeat {
    wri_manner manner;
    bool       minimal; /* no smaller case fails */
    bool       sized;
    uint64_t   size;
    /* The conductor fills these in. */
    uint64_t                   salt; /* the order's */
    const struct wri_explorer *by;   /* the row that ran it; NULL: the run's explorer */
} wri_repeat;

typedef enum {
    WRI_ROUND_OVER,
    WRI_ROUND_NEXT,
    WRI_ROUND_ANEW, /* begin again: the cases so far count as executions only */
} wri_round;

/* The case loop's next action, after a case has ended. */
typedef enum {
    WRI_AFTER_COUNT,  /* it counts */
    WRI_AFTER_IGNORE, /* it does not count, whatever its verdict */
    WRI_AFTER_AGAIN,  /* run the same case again: the answerer has other answers */
    WRI_AFTER_STOP,   /* end the batch: the parent must look at the case */
} wri_after;

/* How a case left its body. */
typedef enum {
    WRI_LEFT_RETURNING,
    WRI_LEFT_JUMPING, /* a draw or an assertion ended it */
    WRI_LEFT_LEAKING, /* the same, and it leaked: it must not be run again */
} wri_left;

/* The data of one order, for the worker's side. */
typedef struct wri_work {
    void             *block; /* the worker's block, as send() filled it in */
    uint64_t          seed;
    uint64_t         *at, end; /* the running case, and the first case not to run */
    _Atomic uint64_t *shared_at;
    wri_seen         *seen;
    wri_redraw_manner redraw;
    _Atomic uint32_t *stop;
} wri_work;

/* A case that a search wants to have again in the next run. */
typedef struct wri_keepsake {
    wri_trace trace;
    uint32_t *features; /* names of what it shows, ascending, none twice */
    size_t    count;
    bool      best;      /* it is the best so far in some respect */
    char      note[160]; /* what it is kept for, in words */
} wri_keepsake;

/* The knowledge of a search, beside the cases that were stored. */
typedef enum {
    WRI_LEARNT_LESS, /* it did not come to run them all */
    WRI_LEARNT_SAME,
    WRI_LEARNT_MORE,
} wri_learnt;

/* For an explorer whose finds are stored from run to run (hunt/corpus.c). */
typedef struct wri_keeping {
    size_t most; /* keepsakes there can be */
    /* Lays a stored case before the search, to be run as it is. False: there is no room. */
    bool (*recall)(void *self, const wri_trace *stored);
    wri_learnt (*learnt)(void *self);
    /* Copies the cases that are worth keeping, and returns how many. */
    size_t (*keep)(void *self, wri_keepsake *kept, size_t room);
    /* Did the case of this number, which the search watched, show all these features? */
    bool (*shows)(void *self, uint64_t number, const uint32_t *features, size_t count);
    /* Writes the note, by the features. */
    void (*describe)(void *self, wri_keepsake *kept);
} wri_keeping;

/* Takes one line of text. */
typedef void wri_sayer(void *context, const char *line);

typedef struct wri_explorer {
    const char        *name; /* --explore NAME; NULL: not an option */
    unsigned           needs;
    size_t             shared_bytes, worker_bytes; /* the sizes of its two blocks */
    const wri_keeping *keeping;                    /* NULL: nothing is stored from run to run */
    unsigned           owns; /* other rows, a bit for each: their orders are among its own */

    /* ---- In the parent. Every row has open, close, give and conclude. A row that
     * WRI_NEEDS_JUDGE has plan and judged, every other row has take. A row that WRI_NEEDS_PACE
     * has back, and a row with `keeping` has send, watch and watched. Any other member may be
     * NULL (tests/run_unit.c) ---- */

    /* Makes the explorer's state. NULL: out of memory. *error is set if the exploration is
     * impossible. */
    void *(*open)(const wri_exploration *exploration, const char **error);
    void (*close)(void *self);
    /* Makes the next order, after all others. False: there is none now. */
    bool (*give)(void *self, const wri_standing *standing, wri_order *order);
    /* Fills in the worker's block for an order that goes out. */
    void (*send)(void *self, wri_order *order, void *block);
    /* For an explorer that WRI_NEEDS_JUDGE: the plan of the order's case, in the explorer's
     * memory, and how the machine is played. */
    void (*plan)(void *self, const wri_order *order, wri_trace *plan, wri_play_terms *play);
    /* A batch has come back, and will not be run again. Corrects the counts, and returns the
     * number of orders that follow it. A failure that does not count becomes WRI_BATCH_DONE. */
    unsigned (*take)(void *self, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS]);
    /* A case has come back from the judge, with the calls that it made; NULL: they cannot be
     * read. False: out of memory. */
    bool (*judged)(void *self, const wri_sequence *made, const wri_trace *trace,
                   const wri_verdict *verdict, const wri_played *played);
    /* The same order will be run again. Undoes everything that the explorer learnt from its
     * batch. */
    void (*undo)(void *self, const wri_order *order);
    /* An order counts now, as all orders before it do. False: further exploring is in vain. */
    bool (*count)(void *self, const wri_order *order, const wri_batch_counts *counts);
    /* All orders after case `index` are dropped; cases go on after it. */
    void (*back)(void *self, uint64_t index, uint64_t counted);
    void (*drop)(void *self, wri_order *order);
    /* No order is out and none is left. `bugs` is the number of bugs found. */
    wri_round (*rest)(void *self, const wri_sightings *seen, size_t bugs);
    /* So many cases are wanted now, more than before. NULL: their number is fixed. */
    void (*more)(void *self, uint64_t wanted);
    /* The log of the case that ended a batch, if the trace does not have it. */
    bool (*log)(const wri_order *order, const void *block, wri_trace *log);
    wri_repeat (*repeat)(void *self, const wri_order *order);
    /* The number of cases of a running batch that count so far. NULL: all but discarded ones. */
    uint64_t (*running)(const void *block);
    /* The counts of the features that cases showed. False: the conductor's labels are all
     * there is. */
    bool (*sightings)(void *self, wri_sightings *seen);
    /* The status of a property without a failure, and the reason if it gave up. */
    wri_status (*conclude)(void *self, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why);
    void (*progress)(void *self, wri_progress *progress);
    /* Fills in the report's figures; may be called again. self NULL: the property was not
     * explored. */
    void (*tell)(void *self, wri_result *result);
    /* For an explorer with an owner: it may give orders for so many further cases, and for no
     * more. The owner sets the count of the orders of a row that has no such limit. */
    void (*allow)(void *self, uint64_t cases);
    /* Says, in lines, what the search did since the last call. The order has just come back;
     * NULL: none will any more. */
    void (*remarks)(void *self, const wri_order *order, wri_sayer *say, void *context);
    /* Says, as warnings, what the search left out for lack of room. */
    void (*limits)(void *self, wri_sayer *say, void *context);

    /* ---- In the worker. A row that does not need the judge has begin, next and learn; one that
     * is WRI_HOT has no next; one that owns others has none of them ---- */

    /* Before the first case of an order; false: out of memory. */
    bool (*begin)(const wri_work *work, wr_case *t);
    /* Hangs an answerer into the case that begins. False: there is no further case. */
    bool (*next)(wr_case *t, uint64_t number);
    /* The case has ended; WRI_NONE: it held. */
    wri_after (*learn)(wr_case *t, uint32_t verdict, wri_left left);
    /* Called after the last case of an order. True: it made choices that are not in the
     * journal. */
    bool (*end)(wr_case *t);
    /* Called around a case that another explorer answers, and that this one only watches. */
    void (*watch)(const wri_work *work, wr_case *t, uint64_t number);
    void (*watched)(wr_case *t);
    void (*free)(void);
} wri_explorer;

/* The table. The rows with a name for users come first, in the order of the public enum
 * wr_explore. */
#define WRI_NAMED_EXPLORERS(X)                                                                   \
    X(random) X(guide) X(enumerate) X(feedback) X(restart) X(combine) X(radix)
#define WRI_EXPLORERS(X) WRI_NAMED_EXPLORERS(X) X(watch) X(knowing) X(auto)
#define WRI_EXPLORER_ROW(word) extern const wri_explorer wri_explorer_##word;
WRI_EXPLORERS(WRI_EXPLORER_ROW)
#undef WRI_EXPLORER_ROW

enum {
#define WRI_EXPLORER_NUMBER(word) WRI_EXPLORER_##word,
    WRI_EXPLORERS(WRI_EXPLORER_NUMBER)
#undef WRI_EXPLORER_NUMBER
        WRI_EXPLORER_COUNT,
#define WRI_EXPLORER_NAME(word) +1
    WRI_EXPLORERS_NAMED = WRI_NAMED_EXPLORERS(WRI_EXPLORER_NAME)
#undef WRI_EXPLORER_NAME
};
_Static_assert(WRI_EXPLORERS_NAMED == WR_RADIX - WR_RANDOM + 1 &&
                   WRI_EXPLORER_feedback == WR_FEEDBACK - WR_RANDOM &&
                   WRI_EXPLORER_restart == WR_RESTART - WR_RANDOM &&
                   WRI_EXPLORER_combine == WR_COMBINE - WR_RANDOM &&
                   WRI_EXPLORER_radix == WR_RADIX - WR_RANDOM,
               "the rows and wr_explore have the same order");

extern const wri_explorer *const wri_explorers[WRI_EXPLORER_COUNT];

#endif
