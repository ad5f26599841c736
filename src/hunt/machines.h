/* hunt/machines.h: the hunt for the bugs of a machine.
 *
 * Its cases are explored as those of any property (hunt/explore.c), but traced, so that a case that
 * failed need not be run again to be known, and longer as long as nothing is found. A failing
 * sequence is made smaller by trying others in the judge (lab.c); with --bugs many it becomes a
 * pattern, which random sequences avoid from then on (machines.c). Patterns are kept as rules
 * (rules.c). Every call that is made on the way is counted.
 */
#ifndef WRI_HUNT_MACHINES_H
#define WRI_HUNT_MACHINES_H

#include "hunt/hunt.h"
#include "machine/book.h"
#include "machine/study.h"

#define WRI_NO_BUG SIZE_MAX

/* A bug that is not looked for any more. */
typedef struct wri_known_bug {
    wri_pattern pattern;
    char       *name;     /* in a file of rules */
    size_t      bug;      /* of the quest; WRI_NO_BUG: it was known before */
    bool        waits;    /* it counts once its stored case has failed again */
    bool        included; /* another one says as much */
    bool        outside;  /* it is from --known, and not for the store; */
    bool        written;  /* it is there */
    uint64_t    key;      /* of its failure; 0: that is not known */

    /* What its guards are learnt from, once they are asked for; no calls: they need not be. */
    wri_sequence example;
    uint64_t     origin;
    bool         afterwards;
} wri_known_bug;

/* A case that failed and is to be looked into. */
typedef struct wri_lead {
    wri_trace   trace;
    wri_outcome outcome;    /* its verdict, place and origin */
    uint64_t    key;        /* what went wrong where, and in which command's call */
    uint64_t    executions; /* up to it, */
    uint64_t    calls;      /* and up to the call that failed */
} wri_lead;

#define WRI_LEADS 16

/* What a batch has run (machine/ran.h), until all before it are settled. */
typedef struct wri_ran_part {
    uint64_t  from;
    uint64_t *hashes;
    size_t    count;
} wri_ran_part;

/* A machine while it is hunted. */
typedef struct wri_chase {
    wri_quest         *quest;
    const wri_machine *machine;
    wri_book          *book;
    wri_results       *results; /* NULL: nothing is remembered */
    wri_study_setup    setup;
    bool               patterned; /* bugs are told apart by patterns, */
    bool               again;     /* or by origins, and each failure is shrunk nevertheless */
    wri_known_bug     *known;
    size_t             known_count;
    const wri_avoided *avoided;   /* what random calls do not complete; NULL: nothing */
    bool               crowded;   /* there are more bugs than can be avoided */
    char              *rules;     /* the store's file; NULL: there is none yet */
    bool               rule_gone; /* from it, */
    bool               rules_unread; /* or it cannot be read or written, and is left alone */
    uint64_t           since;     /* the case after the last that found a bug: lengths grow */
    uint64_t           quiet;     /* likewise, or that learnt guards */
    wri_ran_part      *ran;
    size_t             ran_count;
    wri_lead           leads[WRI_LEADS];
    size_t             lead_count;

    /* The failure that is looked into. */
    uint64_t     key;
    uint64_t     origin;
    bool         afterwards; /* it was seen after the call, not within it */
    double       until;   /* no more tries after that */
    bool         stopped; /* tries were refused */
    bool         guarding; /* its guards are looked for */
    bool         doubted; /* the same calls came to different ends */
    wri_trace    plan;    /* of the last try */
    wri_sequence made;    /* and the calls that it made */
} wri_chase;

/* Before anything is run; NULL in quest->chase: it is explored like any other property. */
void wri_chase_start(wri_quest *quest);
void wri_chase_end(wri_quest *quest);

/* How the cases from this one on are played, and how many of them alike. */
wri_play_terms wri_chase_terms(const wri_chase *chase, uint64_t index);
uint64_t       wri_chase_stretch(const wri_chase *chase, uint64_t index);
/* A batch has come back; all before `settled` are done with, later ones count for nothing; no batch
 * is out. */
void wri_chase_ran(wri_chase *chase, unsigned slot, uint64_t from);
void wri_chase_settle_ran(wri_chase *chase, uint64_t settled);

/* The case of this number failed, as all before it did not: what is found on the way is looked
 * into, too. */
void wri_chase_judge(wri_chase *chase, uint64_t index, const wri_outcome *first,
                     uint64_t journal, uint64_t before, const wri_trace *found);
/* A case has failed in the judge. */
void wri_chase_look_into(wri_chase *chase, const wri_outcome *outcome);
/* A new bug, as it failed in the judge, and nothing is learnt of it; WRI_NO_BUG: memory is out. */
size_t wri_chase_found(wri_chase *chase, const wri_outcome *outcome);
/* Its case once more, in a fresh worker: else it is flaky. */
void wri_chase_confirm(wri_chase *chase, size_t bug);
/* A stored case has failed again. */
void wri_chase_recall(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored);
/* It has not. */
void wri_chase_forget(wri_chase *chase, const wri_stored *stored);
/* All of them were tried: rules without one are known all the same. */
void wri_chase_recalled(wri_chase *chase);

/* Nothing was found for a while, so known bugs may forbid too much: are guards to be learnt before the
 * case of this number? Then do so, when all before it are done with. */
bool wri_chase_rests(const wri_chase *chase, uint64_t index);
void wri_chase_rest(wri_chase *chase, uint64_t index);
/* There will be no more cases: learns those that are left. */
void wri_chase_finish(wri_chase *chase);

/* A try failed in another way than the case that is looked into. */
void wri_chase_meet(wri_chase *chase, const wri_outcome *outcome, uint64_t key);
/* How many patterns are kept, and whether they leave too little. */
wri_machine_effort wri_chase_effort(const wri_chase *chase);

/* ---- lab.c ---- */

/* A way to run sequences in the judge. */
wri_lab wri_chase_lab(wri_chase *chase);
/* Runs a plan there. */
void wri_chase_run(wri_chase *chase, const wri_trace *plan, bool fresh, bool loud,
                   wri_outcome *outcome);
/* A failure's key. */
uint64_t wri_chase_key(const wri_outcome *outcome, const wri_sequence *made);
/* Was the failure seen after a call had come back? */
bool     wri_chase_afterwards(const wri_outcome *outcome);
/* Is a known bug in it? */
bool wri_chase_knows(const wri_chase *chase, const wri_sequence *sequence);
/* What was run is not gone by any more. */
void wri_chase_doubt(wri_chase *chase);
/* Tries end so long from now on. */
void wri_chase_give_time(wri_chase *chase);

/* ---- rules.c ---- */

/* Takes the rules of --known and of the store; false: the first cannot be read, and quest->why says
 * why. */
bool wri_chase_read_rules(wri_chase *chase);
/* Writes what the store is to know next time. */
void wri_chase_write_rules(wri_chase *chase);
/* The name that a bug's rule has. */
char *wri_chase_rule_name(const wri_bug *bug);
/* Another bug, which is avoided from now on. False: memory is out. */
bool wri_chase_know(wri_chase *chase, const wri_pattern *pattern, const char *name, size_t bug);

#endif
