/* quest/quest.h: one property's run: its bugs, confirmed, shrunk and kept.
 *
 * A quest holds the settings that apply to the property, the counts of its cases and the bugs
 * that were found. The judge turns a failing case into a bug: it repeats the case in a fresh
 * worker, shrinks it and stores it.
 */
#ifndef WRI_QUEST_QUEST_H
#define WRI_QUEST_QUEST_H

#include "core/clock.h"
#include "quest/settings.h"
#include "explore/stable.h"
#include "quest/tally.h"
#include "report/report.h"
#include "run/runner.h"
#include "shrink/shrink.h"
#include "store/store.h"
#include "warren.h"

/* A bug with its smallest case; owns everything. */
typedef struct wri_bug {
    uint64_t    origin;
    uint64_t    key; /* under which it is stored, unless it was: no two bugs have the same */
    wri_trace   trace;
    wri_failure failure; /* what is told; points into the fields below */
    char       *message, *file, *function, *output, *token, *replay, *stored, *rule;
    char       *text; /* printed values, as the case wrote them */
    size_t      text_used;
    wri_value  *values;
    char      **notes;
    char      **names;
    wri_status  status; /* FAILED, FLAKY, SKIPPED or ERROR */
} wri_bug;

void wri_bug_free(wri_bug *bug);
/* Takes verdict, place, printed values and output over from a run of the case. */
bool wri_bug_describe(wri_bug *bug, const wri_outcome *outcome);

/* A bug of another origin, met while one was shrunk. */
#define WRI_MET 16
typedef struct wri_met {
    uint64_t  origin;
    wri_trace trace;
} wri_met;

/* One property while it is hunted. */
typedef struct wri_quest {
    const wri_settings *settings;
    const wr_property_ *property;
    const wr_options   *options;
    wri_runner         *runner;
    wri_reporter       *reporter;
    const char         *folder; /* of failures; NULL: nothing is stored */
    wri_limits          limits;
    uint64_t            seed, cases_wanted, time_ms, shrink_time_ms;
    size_t              size;
    unsigned            jobs;
    bool                many, fork_each, check_coverage;
    wri_redraw_manner   redraw;
    bool                by_time;      /* no number of cases ends it */
    bool                until_stable; /* it ends when cases show nothing new, by `seen` */
    bool                sized;        /* a size was asked for */
    const wri_explorer *explorer;     /* its row, */
    void               *exploring;    /* and its state in the parent; NULL before it begins */
    double              started;

    /* What came of it. */
    uint64_t      cases, discarded, overrun, redrawn;
    uint64_t      executions; /* in the judge; at the end, all of them */
    uint64_t      explored;   /* in batches */
    uint64_t      largest;    /* journal entries of the largest case */
    bool          drew;
    wri_bug      *bugs;
    size_t        bug_count;
    char        **warnings;
    size_t        warning_count;
    wri_status    status;
    char         *why;
    wri_tally     tally; /* what its cases showed */
    bool          observations_lost, store_broken, store_refused;
    wri_sightings seen;
    wri_met       met[WRI_MET];
    size_t        met_count;
    size_t        passed_over[WRI_KNOWN_BUGS]; /* bugs that workers count and go on after, */
    size_t        passed_over_count;
    wri_trace     trial_trace; /* of the last try; the runner's memory */
    /* Of a machine whose bugs are told apart by their calls; NULL: they are not. */
    struct wri_chase *chase;
    uint64_t          calls;  /* made in the judge, */
    uint64_t  explored_calls; /* and in batches, up to the last failure that was looked into */
    uint64_t  sequences, cut_short; /* at random; those that ended for known bugs */
    double    last_progress;
    wri_phase phase;
    size_t    shrunk_to;
    uint64_t  phase_executions;
} wri_quest;

/* Calls of a machine's commands so far. */
static inline uint64_t wri_quest_calls(const wri_quest *quest)
{
    return quest->explored_calls + quest->calls;
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
/* A live line, at most ten times a second. `running`: cases not yet counted. */
void    wri_quest_progress(wri_quest *quest, uint64_t running);
wri_job wri_quest_job(const wri_quest *quest);
/* Runs one case in the judge, or in a fresh worker, and counts it (wri_runner_single). (judge.c)
 */
void     wri_quest_single(wri_quest *quest, const wri_job *job, const wri_trace *plan, bool fresh,
                          wri_outcome *outcome);
wri_bug *wri_quest_bug(wri_quest *quest, uint64_t origin); /* NULL: not yet known */
/* Several bugs of one origin are stored under keys that follow one another, the first under it;
 * and the file that is for a key. */
uint64_t wri_quest_next_key(uint64_t key);
char    *wri_quest_path(const wri_quest *quest, uint64_t key);

/* What a case that is no failure can end the whole property with. */
bool wri_quest_ends(wri_quest *quest, const wri_verdict *verdict);
bool wri_quest_time_is_up(const wri_quest *quest);
/* a case that failed in a batch: confirms, shrinks, stores. `journal` is the hash of
 * what it was asked, `before` the executions up to it. `found` is its log; NULL: the case is a
 * function of seed and index.
 * `repeat` says how the judge runs it again. */
void wri_quest_judge(wri_quest *quest, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found, const wri_repeat *repeat);
/* Workers count cases of its origin from now on, and go on. */
void wri_quest_pass_over(wri_quest *quest, const wri_bug *bug);
/* A new bug, with this case, as the outcome tells it; NULL: memory is out, and the status says
 * so. */
wri_bug *wri_quest_add_bug(wri_quest *quest, const wri_trace *trace, const wri_outcome *outcome);
/* Writes a bug's case to the store, into the file that it is from, if it is from one, and says
 * how to replay it. */
void wri_quest_keep(wri_quest *quest, wri_bug *bug, bool minimal);
/* A case that just failed in the judge; shrinks it unless it is known to be minimal. `stored` is
 * its file; NULL: it is new. */
void wri_quest_settle(wri_quest *quest, const wri_outcome *outcome, uint64_t before,
                      const char *stored, bool minimal);
void wri_quest_met(wri_quest *quest, const wri_outcome *outcome);
void wri_quest_settle_met(wri_quest *quest, uint64_t before);

#endif
