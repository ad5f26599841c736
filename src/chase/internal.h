/* chase/internal.h: the parts of a chase, for the files of this room.
 *
 * A chase has three parts. The rules describe the known bugs of the machine. The pace says how
 * random sequences are made. The inquiry is the failure that is looked into at the moment.
 */
#ifndef WRI_CHASE_INTERNAL_H
#define WRI_CHASE_INTERNAL_H

#include "chase/chase.h"
#include "machine/calls/book.h"
#include "machine/calls/results.h"
#include "machine/study/study.h"

/* ---- What is known of bugs ---- */

/* A bug has a number: its place in quest->bugs; or, if it was known before this run, one from
 * WRI_OLD_BUGS on. Rules of one name are of one bug. */
#define WRI_OLD_BUGS (SIZE_MAX / 2)

static inline bool wri_chase_is_old(size_t bug)
{
    return bug >= WRI_OLD_BUGS && bug != WRI_NO_BUG;
}

/* A rule: one pattern of a bug, which is not met any more. A bug may have several. */
typedef struct wri_known_bug {
    wri_pattern pattern;
    uint64_t    mark; /* of the pattern: it changes when the pattern does */
    char       *name; /* in a file of rules */
    size_t      bug;
    bool        waits;     /* the rule counts only once its stored case has failed again */
    bool        included;  /* another rule says as much */
    bool        given;     /* it was read from a file, and stays as it is */
    bool        outside;   /* the store does not get it: it is from --known, or of an old bug */
    bool        written;   /* the store has it */
    uint64_t    key;       /* of its failure (wri_chase_key()); 0: not known */
    uint64_t    met;       /* the case that showed it */
    bool        hit_limit; /* the failure is a limit of time or memory that was reached */
    unsigned    too_long;  /* how many ways to fail like this were too long for a rule */

    /* Its guards are learnt later from this example. No calls: they are learnt, or there are
     * none. */
    wri_sequence example;
    uint64_t     origin;
    bool         after_call;
} wri_known_bug;

/* Some of the rules, compiled, so that all are looked for at once. */
typedef struct wri_known_set {
    wri_avoided *search; /* NULL: there are none */
    size_t       bytes;
    uint64_t    *marks;
    size_t       count;
} wri_known_set;

/* Which rules: all; those whose guards are learnt; those of the bugs of one origin. */
typedef enum {
    WRI_KNOWN_ALL,
    WRI_KNOWN_GUARDED,
    WRI_KNOWN_HERE,
    WRI_KNOWN_SETS
} wri_known_choice;

typedef struct wri_chase_rules {
    wri_quest         *quest;
    const wri_machine *machine;
    wri_known_bug     *known;
    size_t             count;
    uint64_t           last_mark;
    unsigned      too_long_left; /* by a bug's last rule, for the rule that takes its place */
    wri_known_set sets[WRI_KNOWN_SETS];
    wri_avoider  *avoider;            /* searches in them */
    const wri_avoided *avoided;       /* what random sequences never complete; NULL: nothing */
    bool               told_too_many; /* a warning said that there are too many to be avoided */

    /* The store's file of rules. */
    wri_stored_text text;     /* no bytes: there is none yet */
    bool            removed;  /* some rule is in the file that is known no more */
    bool            unusable; /* it cannot be read or written, and is left alone */
    bool told_wrong; /* a warning said that a rule does not fit the values that were seen */
} wri_chase_rules;

/* ---- How random sequences are made ---- */

/* The sequences that a batch has run (machine/play/already_run.h), until all cases before it have
 * counted. */
typedef struct wri_ran_part {
    uint64_t  from;
    uint64_t *hashes;
    size_t    count;
} wri_ran_part;

typedef struct wri_chase_pace {
    /* The case after the last one that found a bug, or a known one that no rule can say:
     * sequences get longer from there on. */
    uint64_t lengths_from;
    /* The case after the last one that found a bug or learnt guards: the next guards are learnt
     * some cases later. */
    uint64_t      guards_from;
    uint64_t      counted_from;   /* from this case on, */
    uint64_t      known_failures; /* so many failed as known bugs. */
    bool          mostly_known;   /* most did, when that was looked at last */
    wri_ran_part *ran;
    size_t        ran_count;
} wri_chase_pace;

/* ---- The failure that is looked into ---- */

typedef struct wri_inquiry {
    uint64_t     index; /* of its case */
    uint64_t     key;
    uint64_t     origin;
    uint8_t      command;          /* of the last call */
    bool         after_call;       /* it was seen after the call, not within it */
    bool         hit_limit;        /* a limit of time or memory was reached */
    uint64_t     tries, calls;     /* so many may still be tried, and calls be made for that */
    double       until;            /* nothing is tried after that time, */
    bool         late;             /* which has come: results depend on the clock */
    bool         out_of_time;      /* something was not tried, for one of these reasons */
    bool         learns_guards;    /* the guards of a rule are looked for */
    bool         without_rule;     /* it is a known bug, in a way that no rule says */
    bool         aside;            /* tries are not kept as run: batches may be out */
    bool         explained;        /* a rule has its calls */
    bool         contradicts_rule; /* it has the calls of a rule, but did not fail at their end */
    wri_trace    plan;             /* of the last try, */
    wri_sequence made;             /* and the calls that were made */
} wri_inquiry;

/* ---- All of it ---- */

/* A case that failed and is to be looked into. */
typedef struct wri_suspect {
    wri_trace   trace;
    wri_outcome outcome;    /* its verdict, place and origin */
    uint64_t    key;        /* what went wrong where, and in which command's call */
    uint64_t    executions; /* up to it, */
    uint64_t    calls;      /* and up to the call that failed */
    bool        random;     /* it is the random case of the inquiry's index */
} wri_suspect;

#define WRI_SUSPECTS 16

/* A place and last command where failures were looked into and turned out to be a known bug, so
 * often. Some of the next failures there are only counted. */
typedef struct wri_dull {
    uint64_t key;
    size_t   bug;
    uint64_t known, left;
} wri_dull;

/* Executions and calls of the judge. */
typedef struct wri_toll {
    uint64_t executions, calls;
} wri_toll;

struct wri_chase {
    wri_quest         *quest;
    const wri_machine *machine;
    wri_book          *book;
    wri_results       *results; /* NULL: nothing is remembered */
    wri_lab            lab;
    wri_study_setup    setup;
    bool               joins;        /* failures of one cause are one bug (--join) */
    bool               by_patterns;  /* bugs are told apart by patterns; else by origins */
    bool               shrinks_each; /* each failure is shrunk, also one of a known origin */
    wri_chase_rules    rules;
    wri_chase_pace     pace;
    wri_inquiry        inquiry;
    wri_suspect        suspects[WRI_SUSPECTS];
    size_t             suspect_count;
    wri_dull          *dull;
    size_t             dull_count;
    wri_toll           charged; /* so much of what was run is put down to a bug */
};

/* Is the heuristic of this name used? (machine/table/heuristics.h) */
#define WRI_CHASE_USES(chase, name) WRI_USES((chase)->quest->settings->without, name)

/* ---- chase.c ---- */

/* A try failed in another way than the failure that is looked into: keeps it for later. */
void wri_chase_meet(wri_chase *chase, const wri_outcome *outcome, uint64_t key);
/* From now on this is the failure that tries are compared with. */
void wri_chase_look_at(wri_chase *chase, const wri_outcome *outcome, const wri_sequence *failing);
/* Looks into the failures that tries met. */
void wri_chase_study_suspects(wri_chase *chase);
/* Learns the guards of one rule: there is one that waits for that. */
void wri_chase_learn_guards(wri_chase *chase, uint64_t index);

/* A case that went on failed: looks into it, if it is not known. */
void wri_chase_look_on(wri_chase *chase, const wri_outcome *outcome);
/* Does a case of this number go on behind a known bug? Then wri_chase_survive() does that.
 * (survive.c) */
bool wri_chase_survives(const wri_chase *chase, uint64_t index);
void wri_chase_survive(wri_chase *chase, uint64_t index, const wri_outcome *first,
                       const wri_trace *trace);

/* The bug of a rule whose calls are in the failure and fail by themselves; WRI_NO_BUG: none is.
 * (prove.c) */
size_t wri_chase_prove(wri_chase *chase, const wri_sequence *failing);

/* The rules of the bug do not count while they are held. (minimise.c) */
void wri_chase_hold_rules(wri_chase_rules *rules, size_t bug, bool held);

/* ---- same_bug.c ---- */

/* The known bug that the failure is in another way. `failing` becomes smaller. */
size_t wri_chase_find_same(wri_chase *chase, wri_sequence *failing);
/* The same for smallest calls, whose failure is looked into. Nothing is learnt. */
size_t wri_chase_same_as(wri_chase *chase, wri_sequence *failing);
/* Failures like this one were known again and again: the bug that this one counts as.
 * WRI_NO_BUG: it is to be looked into. */
size_t wri_chase_find_dull(wri_chase *chase);
/* A failure was looked into: it is this known bug. A new bug: WRI_NO_BUG. */
void wri_chase_note_known(wri_chase *chase, size_t bug);

/* ---- lab.c: running sequences in the judge ---- */

/* For the failure that is looked into now. */
const wri_lab *wri_chase_lab(wri_chase *chase);
void           wri_chase_run(wri_chase *chase, const wri_trace *plan, bool fresh, bool loud,
                             wri_outcome *outcome);
/* Replaces a failure by its smallest part that fails (wri_reduce_calls). */
bool wri_chase_reduce(wri_chase *chase, wri_sequence *failing);
/* Was the failure seen after a call had come back? */
bool wri_chase_is_after_call(const wri_outcome *outcome);
/* Remembers how calls ended, as long as the same calls end in the same way. */
void wri_chase_remember(wri_chase *chase, const wri_sequence *made, const wri_outcome *outcome,
                        uint64_t key);
/* The same calls ended differently: forgets all that was remembered, and warns. */
void wri_chase_doubt(wri_chase *chase);
/* An inquiry has tries, calls and time from now on. */
void wri_chase_give_time(wri_chase *chase);
/* Is there none left? Also if the run is to end. */
bool wri_chase_is_out_of_time(wri_chase *chase);
/* Something of this length is tried. */
void wri_chase_spend(wri_chase *chase, size_t calls);

/* ---- rules.c: rules in files ---- */

/* Reads the rules of --known and of the store. False: the first cannot be read, and quest->why
 * says why. */
bool wri_chase_read_rules(wri_chase_rules *rules);
/* Writes the rules that the store does not have yet. */
void wri_chase_write_rules(wri_chase_rules *rules);
/* Remembers how a loud run showed the values of its calls: rules are written with that. */
void wri_chase_listen(wri_chase *chase, const wri_outcome *outcome);
/* Runs the sequence loudly, if that is not known for some value of the pattern. */
void wri_chase_show_values(wri_chase *chase, const wri_pattern *pattern,
                           const wri_sequence *sequence);
/* The name of the rule of a bug that has this key: WRI_LEARNT and the key. */
#define WRI_LEARNT "bug_"
typedef struct wri_rule_name {
    char text[sizeof WRI_LEARNT + 16];
} wri_rule_name;
wri_rule_name wri_chase_rule_name(uint64_t key);

/* ---- known.c: the rules ---- */

/* Is a known bug in the sequence? `guarded`: rules whose guards are still to be learnt do not
 * count. */
bool wri_chase_knows(wri_chase_rules *rules, const wri_sequence *sequence, bool guarded);
/* The bug of this run that the failing calls show, by its pattern and origin; WRI_NO_BUG: none.
 * `other`: then the pattern of a bug of another origin is in them. */
size_t wri_chase_bug_in(wri_chase_rules *rules, const wri_sequence *failing, uint64_t origin,
                        bool *other);
/* Does this rule say that these calls, or some at their beginning, fail? */
bool wri_chase_is_in(const wri_chase_rules *rules, const wri_known_bug *known,
                     const wri_sequence *calls);
/* Does a rule of this bug say that these calls fail? */
bool wri_chase_explains(wri_chase_rules *rules, size_t bug, const wri_sequence *failing);
/* Rules that were read and have the name of this failure get its key. */
void wri_chase_place(wri_chase_rules *rules, const wri_inquiry *inquiry);
/* The commands of which the rules forbid every call (wri_avoided_forbidden). */
uint64_t wri_chase_forbidden(wri_chase_rules *rules);
/* The same for one rule by itself. */
uint64_t wri_chase_forbidden_by(const wri_chase_rules *rules, const wri_known_bug *known);
/* Could the failure be this bug? Their keys are compared; if the rule has none, the commands
 * that failed. */
bool wri_chase_may_be(const wri_inquiry *inquiry, const wri_known_bug *known);

/* How many rules the bug has; `included`: those count that another rule says as much as. */
unsigned wri_chase_rules_of(const wri_chase_rules *rules, size_t bug, bool included);
/* Adds a rule. False: memory is out. */
bool wri_chase_know(wri_chase_rules *rules, const wri_pattern *pattern, const char *name,
                    size_t bug);
/* Adds a rule of the bug that is looked into, and avoids it from now on. Its guards are learnt
 * later from the example, which is taken over; NULL: none are. False: memory is out. */
bool wri_chase_know_pattern(wri_chase *chase, size_t bug, const wri_pattern *pattern,
                            wri_sequence *example);
void wri_chase_change(wri_chase_rules *rules, wri_known_bug *known, const wri_pattern *pattern);
/* Removes the rule at this place. */
void wri_chase_drop(wri_chase_rules *rules, size_t at);
void wri_chase_free_rules(wri_chase_rules *rules);
/* Tells random sequences which rules there are. No batch is out. */
void wri_chase_avoid(wri_chase_rules *rules);
/* Puts the rules of a bug into its report. An old bug has none. */
void wri_chase_tell_rule(const wri_chase_rules *rules, size_t bug);

/* ---- Is a failure a known bug, though no rule says so? ----
 *
 * Each function returns the number of the known bug; WRI_NO_BUG: it is none that this function
 * knows of, and `failing` may have become smaller. */

/* A rule said that these calls are harmless. The rule is corrected. (correct_rule.c) */
size_t wri_chase_find_refuted(wri_chase *chase, wri_sequence *failing);
/* The calls of a rule, with other values: these are another rule of the bug from now on. The
 * first function is for a sequence that is the smallest already. (same_bug_other_values.c) */
size_t wri_chase_relate(wri_chase *chase, wri_sequence *smallest);
size_t wri_chase_find_related(wri_chase *chase, wri_sequence *failing);
/* Reduces the failure to the calls of a rule, if these fail by themselves. */
void wri_chase_cut_down(wri_chase *chase, wri_sequence *failing);
/* Two smallest sequences fail in one call and place, and have the same commands in the same
 * order, but for how often each is repeated. `calls` has the pattern `pattern`. Are they two
 * bugs? (two_bugs.c) */
bool wri_chase_is_apart(wri_chase *chase, const wri_pattern *known, const wri_sequence *calls,
                        const wri_pattern *pattern);
/* The calls of a rule, among others: these are another rule of the bug from now on.
 * (same_bug_more_calls.c) */
size_t wri_chase_find_way(wri_chase *chase, wri_sequence *failing);
/* The same, if the bug has so many rules that nothing more is learnt of it. */
size_t wri_chase_find_crowd(wri_chase *chase, const wri_sequence *failing);
/* Bugs that are this new one with more calls become part of it. */
void wri_chase_gather_ways(wri_chase *chase, size_t bug);

/* ---- shrink.c ---- */

/* The smallest case that fails the same way, as a plan or as it was run. False: no part of it
 * failed again, nor all of it. */
bool wri_chase_make_small(wri_chase *chase, wri_sequence *failing, wri_trace *best);
/* May a sequence become smaller than the reduction left it? Not as published, nor without time.
 */
bool wri_chase_may_refine(const wri_chase *chase);

/* ---- settle.c: from a failure to a bug ---- */

/* Adds a bug, as it was found; WRI_NO_BUG: memory is out. */
size_t wri_chase_add_bug(wri_chase *chase, const wri_suspect *suspect);
/* Shrinks and confirms a bug. True: it is confirmed, and `failing` is its smallest calls. */
bool wri_chase_settle(wri_chase *chase, wri_bug *bug, const wri_suspect *suspect,
                      wri_sequence *failing);
/* A known bug fails in these calls, too. If they are fewer than its report shows, and fail in a
 * fresh worker, its report shows them from now on. True: it does, and `smallest` is what was run
 * there. */
bool wri_chase_shorten(wri_chase *chase, size_t bug, wri_sequence *smallest);
/* Learns the pattern of the bug, and adds it as a rule. If there is no pattern, its origin is
 * passed over. */
void wri_chase_generalise(wri_chase *chase, size_t bug, wri_sequence *smallest);
/* The effort that is charged to no bug yet. */
wri_toll wri_chase_uncharged(const wri_chase *chase);
/* The bug is as it will be: it goes to the store. All that was run since `before`, but what other
 * bugs took on the way, is put down to it. */
void wri_chase_keep(wri_chase *chase, size_t bug, const wri_toll *before);

/* ---- pace.c ---- */

/* When the rounds of random cases end, and what happens between them. */
wri_pace wri_chase_pace_of(wri_chase *chase);

/* The rule with the fewest calls among those whose guards are still to be learnt, for it forbids
 * most; NULL: there is none. */
wri_known_bug *wri_chase_unguarded(const wri_chase_rules *rules);

#endif
