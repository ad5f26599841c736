/* core/failure.h: a failing case as people read of it.
 *
 * The report shows this record and the store keeps it. A bug (quest/bug.h) owns the texts;
 * everybody else only reads them.
 */
#ifndef WRI_CORE_FAILURE_H
#define WRI_CORE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wri_value {
    const char *name; /* "xs", "xs[1]"; unique within a case */
    const char *text; /* "[0, 1]" */
} wri_value;

/* One bug, with its smallest case. */
typedef struct wri_failure {
    const char        *kind;     /* "assertion", "signal", "deadline", ... */
    const char        *message;  /* may have several lines; the first is a summary */
    const char        *file;     /* "" when not known */
    int                line;     /* 0 when not known */
    const char        *function; /* "" when not known */
    const wri_value   *values;   /* drawn values in the order drawn */
    size_t             value_count;
    size_t             values_lost; /* number of drawn values that found no room */
    const char *const *notes;       /* wr_note() lines */
    size_t             note_count;
    const char        *output; /* printed by the code under test in the confirming run */
    const char        *replay; /* the shell line that runs this case again */
    const char        *token;  /* the case as one word (store/token.h) */
    uint64_t           key;    /* names the bug, in a store, too; 0: nothing does */
    const char        *stored; /* where the store keeps it, e.g. a path; NULL: nowhere */
    uint64_t           seed;
    bool               minimal;         /* the shrinker finished: no simpler case was found */
    uint64_t    executions_before;      /* starts in this run up to and with the first failing */
    uint64_t    executions_after;       /* confirming and shrinking */
    uint64_t    cases_before;           /* cases that held before it */
    uint64_t    seen;                   /* how many cases of this run failed like this */
    size_t      first_choices, choices; /* before and after shrinking */
    bool        from_store;             /* an earlier run stored it */
    bool        replayed;               /* it is the one case that was asked for */
    const char *example_file;           /* of the WR_EXAMPLE that it is; NULL: it is none */
    int         example_line;
    bool        unfinished; /* the shrink budget ran out, */
    bool        stopped;    /* or the run was interrupted */
    bool        unshrunk;   /* nothing was shrunk: --shrink off */
    bool        as_found;   /* shrinking found no simpler case */
    bool        flaky;      /* it did not fail again */
    bool        misuse;     /* the property misused the library: that is no bug */
    bool        sized;      /* no case of a smaller size than `size` fails */
    uint64_t    size;
    const char *reason;    /* "fails for every x >= 64, whatever y"; NULL: not known */
    const char *flaky_why; /* a sentence, when flaky or depending on earlier cases */
    /* The rest describes a failure of a machine. */
    bool        counted;      /* the three counts of calls are known: */
    uint64_t    calls_found;  /* calls of this run up to and with the one that failed */
    uint64_t    calls_before; /* calls of this run until the bug was confirmed, with its rule */
    uint64_t    calls_after;  /* calls that shrinking, the rule and confirming took */
    const char *rule;         /* the calls that make it fail, as lines; NULL: not known */
    size_t      ways;         /* how many such rules there are */
    bool        subsumed;     /* the rule of a later bug includes this one's, or it is a way: */
    size_t      way_of;   /* number, from 1, of the failure whose bug this shows, too; 0: none */
    uint64_t    possibly; /* so many that could not be shrunk in time may be this bug */
    uint64_t    unexplained; /* so many that were seen have none of these rules */
    size_t same_origin; /* number, from 1, of an earlier failure at the same place; 0: none */
} wri_failure;

#endif
