/* quest/quest.h: the run of one property, and its bugs: confirmed, shrunk and stored.
 *
 * A quest holds the settings that apply to the property, the counts of its cases and the bugs
 * that were found. The judge turns a failing case into a bug: it repeats the case in a fresh
 * worker, shrinks it and stores it.
 */
#ifndef WRI_QUEST_QUEST_H
#define WRI_QUEST_QUEST_H

#include "core/clock.h"
#include "quest/bug.h"
#include "explore/settings.h"
#include "explore/sketch.h"
#include "explore/stable.h"
#include "plan/reason.h"
#include "quest/tally.h"
#include "report/report.h"
#include "shrink/shrink.h"
#include "warren.h"

/* A failure of another origin than the bug that was being shrunk. One failing case leads to so
 * many further bugs at most, also by way of each other: a property whose failures all differ
 * would lead to new ones without end. */
#define WRI_QUEST_MET 16
typedef struct wri_met {
    uint64_t  origin;
    wri_trace trace;
} wri_met;

/* Why cases of a bug fail. A bug may have several reasons. */
typedef struct wri_known_reason {
    wri_reason reason;
    uint64_t   origin;
    size_t     bug;    /* of the quest */
    unsigned   passed; /* number, from 1, in the runner's list of known bugs; 0: not there */
} wri_known_reason;

/* Other bugs that were met while one was shrunk, and wait. */
typedef struct wri_met_list {
    wri_met list[WRI_QUEST_MET];
    size_t  count, taken; /* that wait; that this failing case has led to so far */
} wri_met_list;

/* The lines that the report shows under the property. */
typedef struct wri_warnings {
    char **list;
    size_t count;
} wri_warnings;

/* Faults that the user was warned of once. */
typedef struct wri_trouble {
    bool labels_lost, store_broken, store_refused, full;
} wri_trouble;

/* Calls of a machine's commands. */
typedef struct wri_calls_made {
    uint64_t judged, explored; /* in the judge; in batches that count */
    uint64_t sequences, cut;   /* at random; those that ended for known bugs */
    uint64_t full;             /* at random: those that ended because their log was full */
    uint64_t given;            /* in batches: the kinds of handles that were given */
} wri_calls_made;

/* The live line. */
typedef struct wri_live {
    double    last; /* when it was updated */
    wri_phase phase;
    size_t    choices;    /* while shrinking: of the best case so far */
    uint64_t  executions; /* of this phase */
    uint64_t  running;    /* cases that batches have run, and that do not count yet */
} wri_live;

/* One property while it is hunted. */
typedef struct wri_quest {
    const wri_settings *settings;
    const wr_property_ *property;
    const wr_options   *options;
    wri_runner         *runner;
    wri_reporter       *reporter;
    wri_store          *store; /* NULL: nothing is stored */
    wri_owner           owner; /* the program and the property, for the store */
    wri_limits        limits;  /* deadline_ms is shorter while a case that hangs is looked into */
    uint64_t          seed, cases_wanted, time_ms, shrink_time_ms;
    wri_shard         shard;
    size_t            size;
    unsigned          jobs;
    bool              many, fork_each, check_coverage;
    wri_redraw_manner redraw;
    bool              by_time;      /* no number of cases ends it */
    bool              until_stable; /* it ends when cases show nothing new, by `seen` */
    bool              sized;        /* a size was asked for */
    const wri_explorer *explorer;   /* its row, */
    void               *exploring;  /* and its state in the parent; NULL before it begins */
    double              started;

    /* The results. */
    uint64_t          cases, discarded, overrun, redrawn;
    uint64_t          told;       /* cases that reports were told, one by one */
    uint64_t          aside;      /* of the cases: those that belong to no sample */
    uint64_t          executions; /* in the judge; at the end, all of them */
    uint64_t          explored;   /* in batches */
    uint64_t          largest;    /* journal entries of the largest case */
    bool              drew;
    size_t            mended;    /* stored failures that do not fail any more */
    uint64_t         *left_keys; /* of stored failures that did not fail this time */
    size_t            left_count, left_room;
    wri_bug          *bugs;
    size_t            bug_count;
    wri_known_reason *reasons;
    size_t            reason_count, reason_room;
    wri_warnings      warnings;
    wri_status        status;
    char             *why;
    wri_tally         tally; /* labels, tables and assertions of its cases */
    wri_trouble       trouble;
    wri_sightings     seen;
    wri_sketch       *sketch; /* what its cases drew, for a page; NULL: nothing */
    wri_met_list      met;
    bool              too_few; /* bugs were found, and most cases were discarded: it gave up */
    bool              interrupted; /* a case did not end when the run was to stop: */
    wri_bug           running;     /* this one */
    wri_trace         trial_trace; /* of the last try; the runner's memory */
    /* The chase of a machine whose bugs are told apart by their calls; NULL: they are not. */
    struct wri_chase *chase;
    wri_calls_made    calls;
    wri_live          live;
} wri_quest;

/* Calls of a machine's commands so far. */
static inline uint64_t wri_quest_calls(const wri_quest *quest)
{
    return quest->calls.explored + quest->calls.judged;
}

/* Starts of the body so far. */
static inline uint64_t wri_quest_executions(const wri_quest *quest)
{
    return quest->executions + quest->explored;
}

/* A batch counts; so do several as one. */
void wri_quest_count(wri_quest *quest, const wri_batch_counts *counts, const wri_tally *tally);
void wri_quest_add_counts(wri_batch_counts *to, const wri_batch_counts *from);
/* Cases count from 0 again; executions stay. */
void wri_quest_count_anew(wri_quest *quest);
/* Adds a line that the report shows under the property. */
void wri_quest_warn(wri_quest *quest, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Updates the live line, at most ten times a second. */
void wri_quest_progress(wri_quest *quest);
/* The number of different things that its cases showed: features of a search that keeps them;
 * else labels, rows of tables and best values, and so many covered places of code. */
uint64_t wri_quest_features(const wri_quest *quest, uint64_t covered);
bool     wri_quest_time_is_up(const wri_quest *quest);
/* A verdict that is no failure may end the property: wr_skip(), or a misuse of the library. */
bool wri_quest_ends(wri_quest *quest, const wri_verdict *verdict);
/* The property cannot be run, for this reason: its status is an error. */
void wri_quest_refuse(wri_quest *quest, const char *why);
#define WRI_QUEST_NO_MEMORY "out of memory" /* a reason */
/* The case misused the library, in the judge: the property is in error, and shows the case.
 * False: it did not. */
bool wri_quest_misused(wri_quest *quest, const wri_outcome *outcome);

/* ---- running one case ---- */

wri_job wri_quest_job(const wri_quest *quest);
/* Are constants of the program among the random answers of cases that this row runs? */
bool wri_quest_draws_constants(const wri_quest *quest, const wri_explorer *by);
/* Runs one case in the judge, or in a fresh worker, and counts it (wri_runner_single). */
void wri_quest_single(wri_quest *quest, const wri_job *job, const wri_trace *plan, bool fresh,
                      wri_outcome *outcome);
/* Runs a plan for the shrinker. trial->trace is valid until the next call. */
void wri_quest_try(wri_quest *quest, wri_job *job, const wri_trace *plan, wri_outcome *outcome,
                   wri_trial *trial);

/* A case that hangs is looked into: from now on a case hangs that takes many times as long as
 * those that ended. A case that is reported has the whole deadline (.loud). The second ends it.
 */
void wri_quest_hurry(wri_quest *quest);
void wri_quest_no_hurry(wri_quest *quest);

/* ---- the list of bugs (known.c) ---- */

/* The bug of this origin; NULL: not yet known. */
wri_bug *wri_quest_bug(wri_quest *quest, uint64_t origin);
/* The bug that a failure of this origin shows: one that is all of its origin, or one whose
 * reasons the case has. NULL: not yet known. Without a case only the former. */
wri_bug *wri_quest_explained(wri_quest *quest, uint64_t origin, const wri_trace *trace);
/* Adds a reason of the bug. False: there is no more room. */
bool wri_quest_add_reason(wri_quest *quest, const wri_bug *bug, const wri_reason *reason);
/* The bug that was added last is another one in fact: forgets it, in the store, too. */
void wri_quest_take_back(wri_quest *quest);
/* A new bug, with this case, as the outcome describes it, found in the execution of this number.
 * NULL: memory is out, and the status says so. */
wri_bug *wri_quest_add_bug(wri_quest *quest, const wri_trace *trace, const wri_outcome *outcome,
                           uint64_t executions);
/* Workers count cases that fail like this bug from now on, and do not stop at them. */
void wri_quest_pass_over(wri_quest *quest, wri_bug *bug);
/* A run looks into so many bugs of a property: workers can pass over no more. */
#define WRI_MOST_BUGS WRI_KNOWN_BUGS
/* Has it found as many? Then the run ends with the next one, and a line says why. */
bool wri_quest_full(wri_quest *quest);
/* Adds the cases that workers counted, by the numbers of the runner's list. */
void wri_quest_count_known(wri_quest *quest, const uint64_t hits[WRI_KNOWN_BUGS]);
/* The bugs of one origin have keys that follow one another: this is the key of this number, from
 * 0. */
uint64_t wri_quest_key(const wri_quest *quest, uint64_t origin, unsigned number);
/* A stored failure that does not fail any more, or is stale, keeps its key: it is a test that
 * somebody may want, and the failure at its place is another bug now. */
void wri_quest_leave_key(wri_quest *quest, uint64_t key);

/* ---- keeping a bug (keep.c) ---- */

/* Makes the token and the shell line that run the bug's case again. */
void wri_quest_tell_replay(wri_quest *quest, wri_bug *bug);
/* The same, and stores the bug. */
void wri_quest_keep(wri_quest *quest, wri_bug *bug, bool minimal);

/* ---- judging a failure (judge.c) ---- */

/* A case failed in a batch: confirms it, shrinks it and stores the bug. `journal` is the hash of
 * the requests of the case, `before` the number of executions up to it. `found` is its log; NULL:
 * the case is a function of seed and index. `repeat` says how the judge runs it again. */
void wri_quest_judge(wri_quest *quest, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found, const wri_repeat *repeat);
/* A case just failed in the judge: shrinks it, unless it is known to be minimal. `stored` is the
 * store's entry; NULL: the failure is new. Returns the bug, if it is a new one. */
wri_bug *wri_quest_settle(wri_quest *quest, const wri_outcome *outcome, uint64_t before,
                          const wri_stored *stored, bool minimal);
/* A case did not end when the run was to stop. Runs it again for a moment, to see what it draws
 * and where it stays: it will be shown. `found` is its log; NULL: it is a function of the seed.
 */
void wri_quest_show_running(wri_quest *quest, uint64_t index, uint64_t ran_ms,
                            const wri_trace *found, const wri_repeat *repeat);
/* A worker died while it ran no case: a failure that has no case. */
void wri_quest_judge_idle(wri_quest *quest);
/* An explicit case just failed in the judge: the bug is this case. */
void wri_quest_settle_example(wri_quest *quest, const wri_outcome *outcome,
                              const wr_example_ *example);
/* Remembers a failure of another origin, met while a bug was shrunk; and judges those. */
void wri_quest_met(wri_quest *quest, const wri_outcome *outcome);
void wri_quest_settle_met(wri_quest *quest, uint64_t before);
/* A case of a batch misused the library: runs it again, to show it. */
void wri_quest_repeat_misuse(wri_quest *quest, uint64_t index, const wri_trace *found,
                             const wri_repeat *repeat);

#endif
