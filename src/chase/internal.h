/* chase/internal.h: a machine while it is hunted, for those who look into its failures. */
#ifndef WRI_CHASE_INTERNAL_H
#define WRI_CHASE_INTERNAL_H

#include "chase/chase.h"
#include "machine/calls/book.h"
#include "machine/calls/results.h"
#include "machine/study/study.h"

#define WRI_NO_BUG SIZE_MAX
/* Bugs that were known before this quest have numbers from this one on: rules of one name the
 * same. */
#define WRI_OLD_BUGS (SIZE_MAX / 2)

static inline bool wri_is_old(size_t bug)
{
    return bug >= WRI_OLD_BUGS && bug != WRI_NO_BUG;
}

/* A bug that is not looked for any more. */
typedef struct wri_known_bug {
    wri_pattern pattern;
    uint64_t    mark;     /* of the pattern: another one has another */
    char       *name;     /* in a file of rules */
    size_t      bug;      /* which may have several: of the quest, or an old one */
    bool        waits;    /* it counts once its stored case has failed again */
    bool        included; /* another one says as much */
    bool        given;    /* it was read, and stays as it is; */
    bool        outside;  /* it is from --known, or learnt of an old one: not for the store; */
    bool        written;  /* it is there */
    uint64_t    key;      /* of its failure; 0: that is not known */
    uint64_t    met;      /* the case that showed it */
    bool        slow;     /* it takes long to fail */
    unsigned    unsaid;   /* ways like it that were too long for rules */

    /* What its guards are learnt from, once they are asked for; no calls: they need not be. */
    wri_sequence example;
    uint64_t     origin;
    bool         afterwards;
} wri_known_bug;

/* Some of them, ready to be looked for all at once. */
typedef struct wri_known_set {
    wri_avoided *search; /* NULL: there are none */
    uint64_t    *marks;
    size_t       count;
} wri_known_set;

typedef enum {
    WRI_KNOWN_ALL,
    WRI_KNOWN_GUARDED,
    WRI_KNOWN_HERE,
    WRI_KNOWN_SETS
} wri_known_choice;

/* A case that failed and is to be looked into. */
typedef struct wri_suspect {
    wri_trace   trace;
    wri_outcome outcome;    /* its verdict, place and origin */
    uint64_t    key;        /* what went wrong where, and in which command's call */
    uint64_t    executions; /* up to it, */
    uint64_t    calls;      /* and up to the call that failed */
} wri_suspect;

#define WRI_SUSPECTS 16

/* What was run in the judge. */
typedef struct wri_toll {
    uint64_t executions, calls;
} wri_toll;

/* What a batch has run (machine/play/already_run.h), until all before it are settled. */
typedef struct wri_ran_part {
    uint64_t  from;
    uint64_t *hashes;
    size_t    count;
} wri_ran_part;

struct wri_chase {
    wri_quest         *quest;
    const wri_machine *machine;
    wri_book          *book;
    wri_results       *results; /* NULL: nothing is remembered */
    wri_study_setup    setup;
    bool               patterned; /* bugs are told apart by patterns, */
    bool               again;     /* or by origins, and each failure is shrunk nevertheless */
    wri_known_bug     *known;
    size_t             known_count;
    uint64_t           known_marks;
    unsigned           unsaid_left; /* by a bug's last rule, for the one that takes its place */
    wri_known_set      sets[WRI_KNOWN_SETS];
    wri_avoider       *avoider;       /* looks for them */
    const wri_avoided *avoided;       /* what random calls do not complete; NULL: nothing */
    bool               crowded;       /* there are more bugs than can be avoided */
    char              *rules;         /* the store's file; NULL: there is none yet */
    bool               rule_gone;     /* from it, */
    bool               rules_unread;  /* or it cannot be read or written, and is left alone */
    bool               rules_refuted; /* or some of it is known to be wrong, and was told of */
    uint64_t since;        /* the case after the last that found a bug, or an unsaid way of one:
                              lengths grow */
    uint64_t      quiet;   /* likewise, or that learnt guards */
    uint64_t      weighed; /* from this case on */
    uint64_t      counted; /* so many have failed as others had before; */
    bool          hasty;   /* those were most of them: to keep from it is not worth much */
    wri_ran_part *ran;
    size_t        ran_count;
    wri_suspect   suspects[WRI_SUSPECTS];
    size_t        suspect_count;
    wri_toll      charged; /* so much of what was run is put down to a bug */

    /* The failure that is looked into. */
    uint64_t     index; /* of its case */
    uint64_t     key;
    uint64_t     origin;
    uint8_t      command;    /* whose call was the last */
    bool         afterwards; /* it was seen after the call, not within it */
    bool         slow;       /* a limit was reached */
    double       until;      /* no more tries after that */
    bool         stopped;    /* tries were refused */
    bool         guarding;   /* its guards are looked for */
    bool         unsaid;     /* it is a known bug in a way that no rule says */
    bool         beyond;     /* it has what a known bug's rule says, which did not fail there */
    bool         doubted;    /* the same calls came to different ends */
    wri_trace    plan;       /* of the last try */
    wri_sequence made;       /* and the calls that it made */
};

/* ---- machines.c ---- */

/* A try failed in another way than the case that is looked into. */
void wri_chase_meet(wri_chase *chase, const wri_outcome *outcome, uint64_t key);
/* A case has failed in the judge. */
void wri_chase_look_into(wri_chase *chase, const wri_outcome *outcome);

/* ---- lab.c ---- */

/* A way to run sequences in the judge. */
wri_lab wri_chase_lab(wri_chase *chase);
/* Runs a plan there. */
void wri_chase_run(wri_chase *chase, const wri_trace *plan, bool fresh, bool loud,
                   wri_outcome *outcome);
/* A failure's key. */
uint64_t wri_chase_key(const wri_outcome *outcome, const wri_sequence *made);
/* Was the failure seen after a call had come back? */
bool wri_chase_afterwards(const wri_outcome *outcome);
/* Remembers what calls have come to, as long as that can be gone by. */
void wri_chase_remember(wri_chase *chase, const wri_sequence *made, const wri_outcome *outcome,
                        uint64_t key);
/* What was run is not gone by any more. */
void wri_chase_doubt(wri_chase *chase);
/* Tries end so long from now on. */
void wri_chase_give_time(wri_chase *chase);

/* ---- rules.c ---- */

/* Takes the rules of --known and of the store; false: the first cannot be read, and quest->why
 * says why. */
bool wri_chase_read_rules(wri_chase *chase);
/* Writes what the store is to know next time. */
void wri_chase_write_rules(wri_chase *chase);
/* Remembers what values were shown as in a loud run, for rules that have them. */
void wri_chase_listen(wri_chase *chase, const wri_outcome *outcome);
/* Sees to it that this is known of the values of a pattern, which are those of the sequence. */
void wri_chase_show_values(wri_chase *chase, const wri_pattern *pattern,
                           const wri_sequence *sequence);
/* The name that a bug's rule has, which begins so. */
#define WRI_LEARNT "bug_"
char *wri_chase_rule_name(const wri_bug *bug);

/* ---- known.c ---- */

/* Is a known bug in it? Nobody has changed a pattern by himself. Only those count whose guards
 * are learnt, if there are any to learn: `guarded`. */
bool wri_chase_knows(wri_chase *chase, const wri_sequence *sequence, bool guarded);
/* Rules that were read and are named by the place of the failure that is looked into get its key.
 */
void wri_chase_place(wri_chase *chase);
/* Could the failure that is looked into be this one, by its key? Where that is not known, by the
 * command that failed. */
bool wri_chase_may_be(const wri_chase *chase, const wri_known_bug *known);
/* The bug of this quest that the failing calls show; WRI_NO_BUG: none does, and `other` says
 * whether what is known of another origin is in them. */
size_t wri_chase_bug_in(wri_chase *chase, const wri_sequence *failing, uint64_t origin,
                        bool *other);
/* Another bug. False: memory is out. */
bool wri_chase_know(wri_chase *chase, const wri_pattern *pattern, const char *name, size_t bug);
/* Its pattern is another one from now on. */
void wri_chase_change(wri_chase *chase, wri_known_bug *known, const wri_pattern *pattern);
/* One that is known by its place is so no more. */
void wri_chase_drop(wri_chase *chase, size_t at);
/* A bug is known by this pattern, too, from now on, and avoided. Guards are learnt later from
 * the example, which is taken over; NULL: none are. False: memory is out. */
bool wri_chase_know_pattern(wri_chase *chase, size_t bug, const wri_pattern *pattern,
                            wri_sequence *example);
/* Frees what they are looked for with. */
void wri_chase_free_searches(wri_chase *chase);
/* What random calls must not complete, after that has changed; no batch is out. */
void wri_chase_avoid(wri_chase *chase);
/* The report says what is known of the bug; of an old one it says nothing. */
void wri_chase_tell_rule(const wri_chase *chase, size_t bug);

/* ---- refute.c ---- */

/* The known bug that a failure is, though its rule did not say so, and is corrected; WRI_NO_BUG:
 * it is none, and `failing` may be smaller. */
size_t wri_chase_find_refuted(wri_chase *chase, wri_sequence *failing);

/* ---- related.c ---- */

/* The known bug that a failure is with other values; that is known from now on. Else as above. Of
 * a smallest sequence it can be said at once. */
size_t wri_chase_relate(wri_chase *chase, wri_sequence *smallest);
/* If it fails with the calls of a rule alone, these are left of it. */
void   wri_chase_cut_down(wri_chase *chase, wri_sequence *failing);
size_t wri_chase_find_related(wri_chase *chase, wri_sequence *failing);

/* ---- apart.c ---- */

/* Is a failure another bug than the known one, though its smallest calls, of this pattern, have
 * the same commands in the same order but for how often each is repeated, and the same call and
 * place? */
bool wri_chase_is_apart(wri_chase *chase, const wri_pattern *known, const wri_sequence *calls,
                        const wri_pattern *pattern);

/* ---- ways.c ---- */

/* The known bug that a failure is for all that is known, as it has failed in many ways;
 * WRI_NO_BUG: there is none. */
size_t wri_chase_find_crowd(wri_chase *chase, const wri_sequence *failing);
/* The known bug that a failure is in another way; that is known from now on. Else as above. */
size_t wri_chase_find_way(wri_chase *chase, wri_sequence *failing);
/* What was known as other bugs, and is this new one in longer ways, becomes part of it. */
void wri_chase_gather_ways(wri_chase *chase, size_t bug);

/* ---- pare.c ---- */

/* The smallest case that fails the same way, as a plan or as it was run. False: no part of it
 * failed again, nor all of it. */
bool wri_chase_make_small(wri_chase *chase, wri_sequence *failing, wri_trace *best);

/* ---- settle.c ---- */

/* A new bug, as it was found; WRI_NO_BUG: memory is out. */
size_t wri_chase_add_bug(wri_chase *chase, const wri_suspect *suspect);
/* The smallest case of a bug. True: it is confirmed, and `failing` is its calls. */
bool wri_chase_settle(wri_chase *chase, wri_bug *bug, const wri_suspect *suspect,
                      wri_sequence *failing);
/* A known bug is what fails in these calls, too, the smallest of a failure. If they are fewer
 * than it is told with, and fail in a fresh worker, it is told with them from now on. True: so it
 * is, and `smallest` is what was run there. */
bool wri_chase_shorten(wri_chase *chase, size_t bug, wri_sequence *smallest);
/* What makes the bug is learnt, and known from now on; or, where that cannot be, its origin is.
 * Where guards are wanted, the calls are kept for them. */
void wri_chase_generalise(wri_chase *chase, size_t bug, wri_sequence *smallest);
/* What was run so far and is put down to no bug. */
wri_toll wri_chase_uncharged(const wri_chase *chase);
/* It is all that it will be: goes to the store. What was run since it was looked into is put down
 * to it, but for what went to another bug on the way; `before`: all that had been uncharged then.
 */
void wri_chase_keep(wri_chase *chase, size_t bug, const wri_toll *before);
/* A new bug, as it failed in the judge, and nothing is learnt of it; WRI_NO_BUG: memory is out.
 */
size_t wri_chase_found(wri_chase *chase, const wri_outcome *outcome);
/* Its case once more, in a fresh worker: else it is flaky. */
void wri_chase_confirm(wri_chase *chase, size_t bug);

/* ---- pace.c ---- */

/* The bug that forbids most of those whose guards are not learnt, the one of the fewest calls;
 * NULL: there is none. */
wri_known_bug *wri_chase_unguarded(const wri_chase *chase);

#endif
