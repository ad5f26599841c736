/* report/report.h: the events of a run, and the formats that print them.
 *
 *     WRI_TELL(reporter, begin, &run);
 *     WRI_TELL(reporter, result, &result);
 *
 * The conductor (hunt/) tells a reporter each event. A format is one file that implements
 * wri_reporter. Nothing outside report/ prints.
 */
#ifndef WRI_REPORT_REPORT_H
#define WRI_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/failure.h"

/* How a property ended. One table: enumeration, the word in JSON, is it bad? */
#define WRI_STATUSES(X)                                                                          \
    X(HELD, "held", false)                                                                       \
    X(PROVED, "proved", false)                                                                   \
    X(FAILED, "failed", true)                                                                    \
    X(FLAKY, "flaky", true)                                                                      \
    X(GAVE_UP, "gave up", true)                                                                  \
    X(SKIPPED, "skipped", false)                                                                 \
    X(INTERRUPTED, "interrupted", false)                                                         \
    X(ERROR, "error", true)

typedef enum wri_status {
#define WRI_STATUS_ENUM(name, text, bad) WRI_STATUS_##name,
    WRI_STATUSES(WRI_STATUS_ENUM)
#undef WRI_STATUS_ENUM
} wri_status;

const char *wri_status_name(wri_status status);
bool        wri_status_bad(wri_status status);

/* The effort of the run of a machine. */
typedef struct wri_machine_effort {
    bool     asked;     /* the property is a machine; else the rest means nothing */
    uint64_t calls;     /* all calls that were made */
    size_t   patterns;  /* patterns of bugs that are known at the end */
    bool     saturated; /* known bugs cut most sequences short */
} wri_machine_effort;

typedef struct wri_label_count {
    const char *label;
    uint64_t    cases;
} wri_label_count;

/* Do new cases still show new features? (explore/stable.h has the formulas.) */
typedef struct wri_stability {
    bool     asked;       /* with --until-stable; else the rest means nothing */
    bool     reached;     /* the property ended because it was stable */
    uint64_t cases;       /* number of cases */
    uint64_t last;        /* number of the last case that showed something new */
    uint64_t features;    /* number of features that were seen */
    double   unseen;      /* estimate of those not seen */
    double   probability; /* estimate that the next case shows something new */
    double   bound;       /* upper bound on that probability, at 95 % */
} wri_stability;

/* The counts of an enumeration at one size. */
typedef struct wri_size_row {
    uint64_t size, cases, values, runs;
} wri_size_row;

/* A place that refuted cases, and how many. */
typedef struct wri_refuter {
    char    *name;
    uint64_t count;
} wri_refuter;

/* The enumeration of all cases up to a bound, or as far as it came. */
typedef struct wri_enumerated {
    bool                asked;     /* else the rest means nothing */
    bool                exhausted; /* every case up to the bound was run */
    bool                by_depth;  /* the bound is one of depth, not of size */
    bool                exactly;   /* only cases of this size */
    uint64_t            bound;
    uint64_t            depth;  /* beside a size: only values up to it; 0 or UINT64_MAX: any */
    uint64_t            cases;  /* that were run; 0: they are the run's */
    uint64_t            values; /* values that the cases stand for; UINT64_MAX: not known */
    uint64_t            runs;   /* starts of the body while enumerating */
    const wri_size_row *sizes;  /* when it went from size to size */
    size_t              size_count;
    const wri_refuter  *refuters; /* most frequent first */
    size_t              refuter_count;
    const uint64_t     *workers; /* runs of each */
    size_t              worker_count;
} wri_enumerated;

/* The state of all combinations of so many draws (--explore combine). */
typedef struct wri_tuples {
    unsigned strength;
    uint64_t covered;
    uint64_t missed;     /* refuted whenever they were tried */
    uint64_t infeasible; /* proved: every case that has them was refuted */
    uint64_t left;       /* not tried yet */
    uint64_t rows;       /* of the array, when none was left; 0: some are */
} wri_tuples;

#define WRI_TUPLES 6
typedef struct wri_combined {
    bool               asked; /* else the rest means nothing */
    unsigned           draws;
    wri_tuples         tuples[WRI_TUPLES]; /* by strength */
    unsigned           tuple_count;
    uint64_t           rows, steps, boundaries, sites; /* cases of each sort */
    uint64_t           candidates;                     /* of --thin */
    double             thinning;                       /* seconds for them */
    const char *const *missed;                         /* some of those missed, in words */
    size_t             missed_count;
} wri_combined;

/* For a long run of `auto` that found nothing: what it has tried, and what would help. */
typedef struct wri_surety {
    bool        asked; /* else the rest means nothing */
    bool        sized; /* all values up to a size were tried */
    uint64_t    size, values;
    unsigned    draws;  /* 0: no combinations of draws were counted */
    wri_tuples  tuples; /* of the highest strength that was begun */
    bool        shown;  /* its cases showed labels, */
    double      fresh;  /* and the next one shows a new one with about this probability */
    size_t      never;  /* labels that are wanted, and that no case has shown */
    const char *next;   /* NULL: no advice */
} wri_surety;

/* A line of instrumented code. */
typedef struct wri_code_line {
    const char *function;
    const char *file;
    int         line;
    uint64_t    cases; /* 0: no case reached it */
} wri_code_line;

/* The instrumented places that cases reached. known 0: nothing is instrumented. */
typedef struct wri_code_covered {
    uint64_t             known, covered;
    const wri_code_line *uncovered; /* by file and line; may be fewer than known - covered */
    size_t               uncovered_count;
    const wri_code_line *rare; /* rarest first, none usual; only when each case was watched */
    size_t               rare_count;
} wri_code_covered;

/* A table that wr_collect() or wr_state() filled in: rows in their order, or the most frequent
 * first. */
typedef struct wri_table {
    const char            *name;
    const wri_label_count *rows;
    size_t                 row_count;
} wri_table;

/* A wr_cover(): the share that was asked for, and the cases that had the label. */
typedef struct wri_cover {
    const char *label, *file;
    int         line;
    double      wanted;    /* percent of the cases */
    uint64_t    cases;     /* in which it was true */
    double      low, high; /* percent: ends of Wilson's interval at 95 % */
    bool        below;     /* the share is lower than wanted */
    bool        enough;    /* by the sequential test (observe/share.h); neither: it is open */
    bool        missed;
} wri_cover;

/* A place in the program with wr_sometimes(), wr_always() or one of their kind. */
typedef struct wri_assertion {
    const char *label, *sort, *file; /* sort: "sometimes", "always", "reachable", "unreachable" */
    int         line;
    uint64_t    reached, yes, no; /* cases in which it was reached, and was true, or false */
    bool        unmet;            /* never true or never reached, though it should be */
} wri_assertion;

/* The best value of a slot. */
typedef struct wri_best {
    const char *name;
    bool        least; /* smaller is better */
    double      value;
} wri_best;

/* A point of a curve. */
typedef struct wri_curve_point {
    uint64_t x, y;
} wri_curve_point;

/* A name that cases drew, and how often each value, or each bin of a range, came. */
typedef struct wri_drawn_name {
    char            *name;
    bool             bins;
    wri_label_count *levels; /* simplest or lowest first */
    size_t           level_count;
} wri_drawn_name;

typedef struct wri_drawn_pair {
    uint64_t covered, all; /* pairs of levels; all 0: no case drew both */
} wri_drawn_pair;

/* The commands of a machine, or the states that wr_state() told: how often each came, and which
 * followed which. */
typedef struct wri_drawn_step {
    size_t   from, to;
    uint64_t count;
} wri_drawn_step;

typedef struct wri_drawn_walk {
    wri_label_count *nodes;
    wri_drawn_step  *steps;
    size_t           node_count, step_count;
} wri_drawn_walk;

/* What the cases drew, for a page. Names and pairs are of the first draw of a name in a case. */
typedef struct wri_drawn_values {
    uint64_t        cases; /* those that were looked at */
    wri_drawn_name *names;
    size_t          count;
    size_t          paired;   /* the first so many names have pairs, */
    wri_drawn_pair *pairs;    /* of i and j < i at i * (i - 1) / 2 + j */
    wri_drawn_walk  walks[2]; /* of commands, of states */
} wri_drawn_values;

/* One property, finished. */
typedef struct wri_result {
    const char        *program;
    const char        *property;
    const char        *file;
    int                line;
    wri_status         status;
    uint64_t           cases;      /* executed and not discarded */
    uint64_t           aside;      /* of these: no sample of cases; shares are of the others */
    uint64_t           confidence; /* one verdict on a cover in so many is wrong; 0: the usual */
    uint64_t           discarded;
    uint64_t           executions; /* every start of the body, shrinking included */
    uint64_t           redrawn;    /* of these: of cases that were refuted before */
    uint64_t           features;   /* different things that its cases showed */
    double             seconds;
    uint64_t           seed;
    const char        *why;           /* skipped, gave up, error: the reason; else NULL */
    unsigned           shard, shards; /* it ran one of so many parts, from 1; 0: all cases */
    bool               many;          /* --bugs many: failures did not end it */
    size_t             mended;        /* stored failures that do not fail any more */
    const wri_failure *failures;
    size_t             failure_count;
    const wri_failure *running; /* a case that did not end when the run was to stop; NULL: none */
    size_t subsumed_count;      /* further failures behind those, included in their rules */
    wri_machine_effort machine;
    const char *const *warnings; /* health checks, stale stored cases */
    size_t             warning_count;
    /* Observations of its cases; shares are of `cases`, but for `aside`. */
    const wri_label_count *labels; /* most frequent first */
    size_t                 label_count;
    wri_stability          stable;
    wri_enumerated         enumerated;
    wri_combined           combined;
    wri_surety             sure;
    wri_code_covered       coverage;
    const wri_table       *tables;
    size_t                 table_count;
    const wri_cover       *covers;
    size_t                 cover_count;
    const wri_assertion   *assertions; /* of the whole program; those not reached have zeroes */
    size_t                 assertion_count;
    const wri_best        *bests;
    size_t                 best_count;
    /* For a page. */
    const char            *explorer; /* its name; NULL: not known */
    bool                   skewed;   /* its cases are not distributed as random cases are */
    wri_stability          unseen;   /* the same as `stable`, of any run that showed features */
    const wri_curve_point *curve;    /* how many features so many cases had shown */
    size_t                 curve_count;
    wri_drawn_values       drawn; /* empty unless it was asked for */
} wri_result;

/* A case that has run, with its values. Only a run with --observations tells cases, and of each
 * property the first ones. */
#define WRI_REPORT_CASES 10000
typedef enum wri_report_status {
    WRI_REPORT_PASSED,
    WRI_REPORT_FAILED,
    WRI_REPORT_GAVE_UP, /* it was discarded, or is too large */
} wri_report_status;

typedef struct wri_report_case {
    const char        *property;
    const char        *explorer; /* NULL: none */
    uint64_t           number;   /* of those that are told, from 1 */
    wri_report_status  status;
    const char        *reason;   /* of a case that did not pass; else empty */
    const wri_failure *values;   /* its values and notes, and nothing else */
    const wri_value   *features; /* labels and rows of tables, sorted; a label has no text */
    size_t             feature_count;
    double             seconds;
} wri_report_case;

typedef enum wri_phase { WRI_PHASE_EXPLORE, WRI_PHASE_CONFIRM, WRI_PHASE_SHRINK } wri_phase;

/* The numbers of the live line, up to ten times a second. */
typedef struct wri_progress {
    const char *property;
    wri_phase   phase;
    uint64_t    cases, discarded, target; /* target 0: by time */
    uint64_t    executions;               /* of this phase */
    double      seconds;
    size_t      choices;              /* SHRINK: of the best case so far */
    size_t      failures;             /* bugs found so far */
    uint64_t    features;             /* different things that its cases showed so far */
    bool        bounded;              /* EXPLORE: an enumeration, up to this bound */
    uint64_t    bound, runs;          /* runs: starts of the body so far */
    uint64_t    slow_case;            /* number, from 1, of a case that runs for long; 0: none */
    double      slow_seconds;         /* for how long */
    bool        stopping;             /* the run was interrupted, and ends soon */
    double      share, bound_seconds; /* share of the bound that is decided, and its seconds */
} wri_progress;

typedef struct wri_run {
    const char *program; /* as it was called */
    uint64_t    seed;
    size_t      properties; /* how many will run */
    bool        seed_given;
    unsigned    shard, shards; /* --shard, from 1; 0: all cases are run */
    size_t      name_width;    /* of the longest property's name; 0: columns are not aligned */
} wri_run;

typedef struct wri_summary {
    size_t held, failed, flaky, gave_up, skipped, interrupted, errors;
    size_t unmet; /* assertions that make the run fail: --check-coverage */
    double seconds;
    bool   stopped; /* by Ctrl-C */
    size_t not_run; /* properties that were left when it was */
} wri_summary;

/* A format fills in the events that it uses; a NULL member means that the event is ignored. They
 * are called through WRI_TELL. A NULL `free`: there is nothing but the reporter to free. */
typedef struct wri_reporter wri_reporter;
struct wri_reporter {
    void (*begin)(wri_reporter *, const wri_run *);
    void (*progress)(wri_reporter *, const wri_progress *);
    /* A case counts. */
    void (*ran)(wri_reporter *, const wri_report_case *);
    /* A failure was just found, before it is shrunk. */
    void (*found)(wri_reporter *, const char *property, const wri_failure *);
    void (*result)(wri_reporter *, const wri_result *);
    /* One line of its own, e.g. that a file could not be written. */
    void (*warn)(wri_reporter *, const char *line);
    /* A line about the progress of the search, for --verbose. */
    void (*remark)(wri_reporter *, const char *property, const char *line);
    /* Instead of result: a replayed case that held, and its values. */
    void (*replayed)(wri_reporter *, const wri_result *, const wri_failure *case_);
    /* The assertions of the program, over all properties; after the last of them, if there is
     * any. failing: an unmet one fails the run. */
    void (*assertions)(wri_reporter *, const wri_assertion *, size_t count, bool failing);
    void (*end)(wri_reporter *, const wri_summary *);
    void (*free)(wri_reporter *);
    bool          broken; /* not everything could be written */
    int           why;    /* standard output can be written to no more: an errno */
    wri_reporter *also;   /* told the same, after this one; NULL: nobody */
};

#define WRI_TELL(reporter, event, ...)                                                           \
    do                                                                                           \
        for (wri_reporter *told_ = (reporter); told_ != NULL; told_ = told_->also)               \
            if (told_->event != NULL)                                                            \
                told_->event(told_, __VA_ARGS__);                                                \
    while (0)

/* For reports: what is written goes to `file`, and waits for its reader. NULL: there is no
 * memory.
 */
FILE *wri_report_stream(FILE *file);
/* Writes what was printed. If that fails, the reporter is broken. */
void wri_report_flush(wri_reporter *reporter, FILE *out);
/* Could one of the reporters in a row not write everything? */
bool wri_report_broken(const wri_reporter *reporter);
/* Frees all of them. */
void wri_report_free(wri_reporter *reporter);

typedef struct wri_style {
    bool quiet, verbose;
    bool color;
    bool live; /* a terminal: a status line may be rewritten */
} wri_style;

/* Each returns NULL when memory is out. */
wri_reporter *wri_human_new(FILE *out, wri_style style);
wri_reporter *wri_tap_new(FILE *out, wri_style style);
wri_reporter *wri_json_new(FILE *out, wri_style style);
/* The same, and lines of what happens meanwhile. */
wri_reporter *wri_json_events_new(FILE *out, wri_style style);
/* Failures as commands of GitHub's workflows, beside a report for people. */
wri_reporter *wri_github_new(FILE *out);
/* Writes the file at the end, atomically; *error says in a line why it cannot. */
wri_reporter *wri_junit_new(const char *path, char *error, size_t error_size);
/* Lines about cases, written as they come. */
wri_reporter *wri_observations_new(const char *path, char *error, size_t error_size);
wri_reporter *wri_sarif_new(const char *path, char *error, size_t error_size);
/* A page for a browser (report/page/). */
wri_reporter *wri_html_new(const char *path, char *error, size_t error_size);

#endif
