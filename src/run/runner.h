/* run/runner.h: the parent's side of running cases: workers, their orders, their deaths.
 *
 * Slot 0 is the judge: it runs single cases, traced. Slots 1..jobs explore in batches. With
 * no_fork there is only slot 0, and orders are carried out before the call returns. The parent
 * gives orders and waits. A worker may crash, hang, exit or eat memory: each comes back as an
 * outcome with a verdict.
 */
#ifndef WRI_RUN_RUNNER_H
#define WRI_RUN_RUNNER_H

#include "run/limits.h"
#include "run/place/place.h"
#include "run/shared.h"

typedef struct wri_runner_setup {
    unsigned jobs;
    bool     no_fork;
    bool     guest;               /* no_fork: signals and sanitizers are left to the program */
    unsigned explorers;           /* the explorers in use, a bit for each row of the table */
    bool     machines;            /* there are machines: batches may be traced */
    bool     sketched;            /* workers may be asked what their cases draw */
    bool     told;                /* and to tell each case */
    void (*on_crash)(wr_case *t); /* no_fork: called before a crash ends the process */
} wri_runner_setup;

typedef struct wri_runner wri_runner;

/* Forks the zygote. NULL: it cannot, and `error` has a line that says why. */
wri_runner *wri_runner_start(const wri_runner_setup *setup, char *error, size_t error_size);
/* Ends every process, and removes temporary folders. */
void wri_runner_free(wri_runner *runner);

/* The end of a case. */
typedef struct wri_outcome {
    wri_verdict verdict; /* file and line are filled in if they are known */
    wri_place   place;
    uint64_t    origin; /* the bug's identity; 0 when it did not fail */
    wri_trace   trace;  /* belongs to the runner; valid until the next single case */
    char       *text;   /* printed values, as gen/show.h writes them; likewise */
    size_t      text_used, text_lost;
    char       *output;  /* likewise */
    uint64_t    redrawn; /* a single case: its refuted runs, and first passes */
    uint64_t    passes;  /* of these: first passes of a case with faults */
    wri_played  played;  /* a single case of a machine */
    bool        exact_done;
    bool        died;
    bool        in_teardown; /* in worker_teardown: no case did it */
    const void *owner;       /* of a death while nothing ran: the property that was served */
    bool        abandoned;   /* the run was interrupted before the case ended */
} wri_outcome;

/* Runs one case in the judge and waits for it. fresh: in a worker that has run nothing before. */
void wri_runner_single(wri_runner *runner, const wri_job *job, const wri_trace *plan, bool fresh,
                       const wri_limits *limits, wri_outcome *outcome);

/* Gives a batch to an exploring slot. A worker is made if the slot has none. */
void wri_runner_batch(wri_runner *runner, unsigned slot, const wri_job *job, bool fresh);

/* Waits at most `milliseconds` for any batch to end, and enforces the limits. Returns its
 * slot, or -1. */
int wri_runner_wait(wri_runner *runner, const wri_limits *limits, uint64_t milliseconds);
/* Fills in the state of a slot's batch. */
void wri_runner_batch_now(wri_runner *runner, unsigned slot, wri_batch *batch);
/* Fills in the outcome of the case that ended a batch. */
void wri_runner_batch_outcome(wri_runner *runner, unsigned slot, wri_outcome *outcome);
/* A hash of the journal of the slot's last case; slot 0 is the judge. Equal hashes: the same
 * requests and answers. */
uint64_t wri_runner_journal(wri_runner *runner, unsigned slot);
/* The log of the case that ended a traced batch. It belongs to the runner, until the next
 * single case. NULL: there is no memory for it. */
const wri_trace *wri_runner_batch_trace(wri_runner *runner, unsigned slot);
/* Copies compiled patterns to memory that workers only read, for play.known of a job. They
 * replace those that were there, so no batch that uses them may run. NULL: there is no room. */
const wri_avoided *wri_runner_avoid(wri_runner *runner, const wri_avoided *known, size_t bytes);
/* The set of sequences that were run; a job's play.ran points there. wri_runner_list_ran()
 * returns the hashes that the slot's last batch adds, in memory that workers can write to. */
wri_ran *wri_runner_ran(wri_runner *runner);
size_t   wri_runner_list_ran(wri_runner *runner, unsigned slot, const uint64_t **hashes);
/* The blocks of explorers (explore/explorer.h): a slot's, and the one for the run. */
void *wri_runner_block(wri_runner *runner, unsigned slot);
void *wri_runner_shared_block(wri_runner *runner, const wri_explorer *explorer);
/* Those of all rows, in the order of the table. */
void *const *wri_runner_shared_blocks(wri_runner *runner);
/* Ends the batch after the running case. */
void wri_runner_stop(wri_runner *runner, unsigned slot);
/* Ends the slot's worker. The next order gets a new one. */
void wri_runner_drop(wri_runner *runner, unsigned slot);
/* How long the slot's case has been running, in milliseconds; 0: none is. The second asks for the
 * case that has been running longest, and for its number. */
uint64_t wri_runner_running_ms(const wri_runner *runner, unsigned slot);
uint64_t wri_runner_slowest_ms(wri_runner *runner, uint64_t *index);
/* Is called now and then while the judge runs a case. */
void wri_runner_on_wait(wri_runner *runner, void (*waits)(void *context), void *context);
/* The resident bytes of a worker that has run nothing; 0: not known. */
uint64_t wri_runner_resident(wri_runner *runner);
/* Ends all workers. A property with a worker_teardown wants that before its report. */
void wri_runner_end_workers(wri_runner *runner);
/* Has a worker died while it ran nothing, or in worker_teardown? The outcome describes the first
 * such death since the last call; it has no case. */
bool wri_runner_died_idle(wri_runner *runner, wri_outcome *outcome);
/* The longest time that a case has taken, as far as it was seen; and from now on anew. */
uint64_t wri_runner_longest_ms(const wri_runner *runner);
void     wri_runner_forget_longest(wri_runner *runner);
void     wri_runner_no_leak_check(wri_runner *runner);
void     wri_runner_leak_check_again(wri_runner *runner); /* if it works here */

/* Adds an origin to the list of those that workers count and pass over; with a reason, only cases
 * that fail for it, in traced batches. Returns its number in the list, from 1; 0: the list is
 * full. */
unsigned wri_runner_know(wri_runner *runner, uint64_t origin, const wri_reason *reason);
void     wri_runner_forget_all(wri_runner *runner);

/* Why no worker can be started; NULL: they can. Cases are in error at once then, until hope says
 * to try again. Hope ends after three times. */
const char *wri_runner_stuck(const wri_runner *runner);
void        wri_runner_hope(wri_runner *runner);

/* The observations of a slot's cases since the last wri_runner_forget_seen(). */
const wri_seen *wri_runner_seen(wri_runner *runner, unsigned slot);
void            wri_runner_forget_seen(wri_runner *runner, unsigned slot);
/* What cases of the slot's last batch drew, in memory that the worker could write to; NULL: it
 * was not asked. */
const wri_sketch *wri_runner_sketch(const wri_runner *runner, unsigned slot);

/* The records of the cases of the slot's last batch, in memory that the worker could write to;
 * NULL: nobody asks. The second writes one of the case that the worker was in, for a verdict that
 * the parent found (observe/told.h). */
const wri_told *wri_runner_told(const wri_runner *runner, unsigned slot);
size_t          wri_runner_put_told(const wri_runner *runner, unsigned slot, uint64_t index,
                                    const wri_verdict *verdict, char *to);

/* interrupt.c: notes SIGINT, SIGTERM and SIGHUP between watch and unwatch. A child of the process
 * restores them: cases see them as the program does. */
void wri_interrupt_watch(void);
void wri_interrupt_unwatch(void);
bool wri_interrupt_came(void);
bool wri_interrupt_hurries(void); /* it came, and what is left must be told now */
void wri_interrupt_restore(void);

#endif
