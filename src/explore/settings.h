/* explore/settings.h: the options of a run, from the command line, the environment and defaults.
 */
#ifndef WRI_EXPLORE_SETTINGS_H
#define WRI_EXPLORE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/redraw.h"
#include "machine/study/manner.h"
#include "warren.h"

typedef enum {
    WRI_FORMAT_HUMAN,
    WRI_FORMAT_GITHUB,
    WRI_FORMAT_TAP,
    WRI_FORMAT_JSON,
    WRI_FORMAT_EVENTS,
} wri_format;
typedef enum { WRI_COLOR_AUTO, WRI_COLOR_ALWAYS, WRI_COLOR_NEVER } wri_color;

/* A field counts when its bit in `given` is set (WRI_GIVEN_...). Else the property's own option
 * counts, else the default. */
typedef struct wri_settings {
    const char  *program;        /* argv[0] */
    bool         by_environment; /* called from wr_check(): options come from variables only */
    char *const *patterns;
    size_t       pattern_count;
    bool         list, help, version;
    uint64_t     shard;      /* I/N as I << 32 | N; 0: all cases */
    uint64_t     confidence; /* of --check-coverage; 0: the usual */
    uint64_t     cases, time_ms, seed, deadline_ms, memory, processes, shrink_time_ms;
    size_t       size, depth, strength, fineness, budget;
    unsigned     radix;    /* digits for ranges: 0 off, 1 the best base, or the base */
    unsigned     thin;     /* wri_thin */
    const char  *rows;     /* a file of rows that run as cases */
    const char  *rows_out; /* where rows are written to */
    unsigned     jobs;     /* 0: the cores */
    bool         many_bugs, no_fork, fork_each, no_store, quiet, verbose, check_coverage;
    bool         until_stable, at_once, exactly, forget_stale;
    wr_explore   explore;
    wri_redraw_manner redraw;
    bool              plain;                 /* random answers are uniform (--lean off) */
    unsigned          constants;             /* wri_constants */
    bool              why;                   /* say which other cases fail like a bug's */
    bool              no_swarm, no_learning; /* of restarted searches */
    wri_level         abstraction;           /* of machines: what patterns keep */
    wri_reduction     shrink;
    wri_ordering      order;
    bool              values_together, no_guards, no_results, join;
    uint32_t          without; /* of machines: heuristics (machine/table/heuristics.h) */
    size_t            calls, mean_calls; /* in a machine's random sequences; 0: they grow */
    const char       *known;             /* a file of rules */
    const char       *replay;            /* TOKEN or @FILE */
    const char       *store;             /* a folder, or more (store/store.h) */
    const char       *redis_password;    /* not to be printed */
    const char       *seed_files;        /* a folder */
    const char       *fuzz_files;        /* a folder, or a file: inputs of a fuzzing target */
    const char       *export_to;         /* a folder */
    const char       *fuzz_export;       /* a folder, for inputs of a fuzzing target */
    const char       *junit;             /* a file */
    const char       *sarif;             /* a file */
    const char       *html;              /* a file */
    const char       *observations;      /* a file */
    wri_format        format;
    wri_color         color;
    unsigned          given;
    const char       *current; /* the property that runs now */
} wri_settings;

/* Which of some random cases is run. */
typedef enum { WRI_THIN_OFF, WRI_THIN_COMBINATIONS, WRI_THIN_DISTANCE } wri_thin;

/* Whether random answers are constants of the program now and then. AUTO: where the explorer
 * WRI_USES_CONSTANTS. */
typedef enum { WRI_CONSTANTS_AUTO, WRI_CONSTANTS_ON, WRI_CONSTANTS_OFF } wri_constants;

/* The limits of a case, if nobody sets them. */
#define WRI_USUAL_DEADLINE_MS 10000
#define WRI_USUAL_PROCESSES 64

enum {
    WRI_GIVEN_CASES = 1 << 0,
    WRI_GIVEN_TIME = 1 << 1,
    WRI_GIVEN_SEED = 1 << 2,
    WRI_GIVEN_DEADLINE = 1 << 3,
    WRI_GIVEN_MEMORY = 1 << 4,
    WRI_GIVEN_SHRINK_TIME = 1 << 5,
    WRI_GIVEN_BUGS = 1 << 6,
    WRI_GIVEN_FORK_EACH = 1 << 7,
    WRI_GIVEN_SIZE = 1 << 8,
    WRI_GIVEN_EXPLORE = 1 << 9,
    WRI_GIVEN_DEPTH = 1 << 10,
    WRI_GIVEN_REDRAW = 1 << 11,
    WRI_GIVEN_PATTERNS = 1 << 12,
    WRI_GIVEN_SHRINK = 1 << 13,
    WRI_GIVEN_PROCESSES = 1 << 14,
    WRI_GIVEN_STRENGTH = 1 << 20,
    WRI_GIVEN_FINENESS = 1 << 21,
    WRI_GIVEN_BUDGET = 1 << 22,
};

#endif
