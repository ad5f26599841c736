/* run/runner.h: the parent's side: workers, their orders, their deaths.
 *
 * Slot 0 is the judge: it runs single cases, traced. Slots 1..jobs explore in batches; with
 * no_fork there is slot 0 alone, and orders are carried out before they return. The
 * parent gives orders and waits; everything that can happen to a worker (it crashes, hangs,
 * exits, eats memory) comes back as an outcome with a verdict.
 */
#ifndef WRI_RUN_RUNNER_H
#define WRI_RUN_RUNNER_H

#include "run/place.h"
#include "run/shared.h"

typedef struct wri_limits {
    uint64_t deadline_ms; /* CPU time of one case; four times that on the clock */
    uint64_t memory;      /* resident bytes; 0: no limit */
} wri_limits;

typedef struct wri_runner_setup {
    unsigned jobs;
    bool     no_fork;
    unsigned explorers; /* that may be used: a bit for each row of the table */
    bool     machines;  /* batches may be traced, and what is known of machines has room */
    void (*on_crash)(wr_case *t); /* no_fork: called before a crash goes its way */
} wri_runner_setup;

typedef struct wri_runner wri_runner;

/* Forks the zygote. NULL and a line in `error` when it cannot. */
wri_runner *wri_runner_start(const wri_runner_setup *setup, char *error, size_t error_size);
/* Ends every process, and removes temporary folders. */
void wri_runner_free(wri_runner *runner);

/* What became of a case. */
typedef struct wri_outcome {
    wri_verdict verdict; /* file and line are resolved where they can be */
    wri_place   place;
    uint64_t    origin; /* the bug's identity; 0 when it did not fail */
    wri_trace   trace;  /* the runner's; valid until the next single case */
    char       *text;   /* printed values, as gen/show.h writes them; likewise */
    size_t      text_used, text_lost;
    char       *output;  /* likewise */
    uint64_t    redrawn; /* a single case: runs of it that were refuted */
    wri_played  played;  /* a single case of a machine */
    bool        exact_done;
    bool        died;
    bool        abandoned; /* the run was interrupted before the case came to an end */
} wri_outcome;

/* Runs one case in the judge and waits for it. fresh: in a worker that ran nothing before. */
void wri_runner_single(wri_runner *runner, const wri_job *job, const wri_trace *plan, bool fresh,
                       const wri_limits *limits, wri_outcome *outcome);

/* A batch in an exploring slot; the worker is made if there is none. */
void wri_runner_batch(wri_runner *runner, unsigned slot, const wri_job *job, bool fresh);

/* Waits at most `milliseconds` for any batch to end, watching limits. Returns its slot, or -1. */
int wri_runner_wait(wri_runner *runner, const wri_limits *limits, uint64_t milliseconds);
/* How it stands, or how it ended. */
void wri_runner_batch_now(wri_runner *runner, unsigned slot, wri_batch *batch);
/* The verdict that a batch ended in. */
void wri_runner_batch_outcome(wri_runner *runner, unsigned slot, wri_outcome *outcome);
/* A hash of the journal of the case that ended the batch, and of the judge's last case: equal
 * when the same was asked and answered. */
uint64_t wri_runner_journal(wri_runner *runner, unsigned slot);
/* The log of the case that ended a guided or traced batch; the runner's, until the next single
 * case. */
const wri_trace *wri_runner_batch_trace(wri_runner *runner, unsigned slot);
/* Copies compiled patterns to memory that workers only read, for play.known of a job. They
 * replace those that were there, so no batch that uses them may run. NULL: there is no room. */
const wri_avoided *wri_runner_avoid(wri_runner *runner, const wri_avoided *known, size_t bytes);
/* The set that a job's play.ran can name, likewise; and what the batch that ended last in a slot
 * adds to it: hashes, in memory that workers can write to. */
wri_ran *wri_runner_ran(wri_runner *runner);
size_t   wri_runner_list_ran(wri_runner *runner, unsigned slot, const uint64_t **hashes);
/* The blocks of explorers (explore/explorer.h): a slot's, and that of the run. */
void *wri_runner_block(wri_runner *runner, unsigned slot);
void *wri_runner_shared_block(wri_runner *runner, const wri_explorer *explorer);
/* Ends the batch after the case that is running. */
void wri_runner_stop(wri_runner *runner, unsigned slot);
/* Takes the worker away; the next order gets a new one. */
void wri_runner_drop(wri_runner *runner, unsigned slot);
void wri_runner_no_leak_check(wri_runner *runner);
void wri_runner_leak_check_again(wri_runner *runner); /* unless it does not work at all */

/* Adds an origin to the list of those that workers count and pass over. Returns its number in the
 * list, from 1; 0: the list is full. */
unsigned wri_runner_know(wri_runner *runner, uint64_t origin);
void     wri_runner_forget_all(wri_runner *runner);

/* What a slot's cases showed since that was forgotten. */
const wri_seen *wri_runner_seen(wri_runner *runner, unsigned slot);
void            wri_runner_forget_seen(wri_runner *runner, unsigned slot);

/* True while a signal asked the run to end. */
void wri_runner_interrupt_watch(void);
void wri_runner_interrupt_unwatch(void); /* what signals do is as it was before */
bool wri_runner_interrupted(void);

#endif
