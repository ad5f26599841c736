/* machine/play/stage.h: how the cases of a worker play a machine, and what they tell about it.
 *
 * By default a machine draws a length and then calls. The chase asks for more: how long sequences
 * are, which bugs they avoid, which sequences were run before. Replay ignores all of this but the
 * bound of the length, which is part of the log.
 */
#ifndef WRI_MACHINE_PLAY_STAGE_H
#define WRI_MACHINE_PLAY_STAGE_H

#include "machine/pattern/pattern.h"
#include "machine/play/already_run.h"
#include "machine/table/heuristics.h"

/* How many calls a sequence has. */
typedef enum {
    WRI_CALLS_LEAN,      /* as lengths lean, up to the machine's own bound */
    WRI_CALLS_FIXED,     /* all have `calls`, */
    WRI_CALLS_GEOMETRIC, /* or that many on average; one is the least */
} wri_calls_law;

/* The most calls of a sequence that does not lean, if the machine's table does not say. */
#define WRI_CALLS_LONG 240

typedef struct wri_play_terms {
    uint8_t law; /* wri_calls_law */
    /* After the calls of a plan, one more of this command, counted from 1, is made with random
     * arguments; 0: none. */
    uint8_t  extra;
    uint32_t tail;         /* so many calls after those of a plan are made at random */
    bool     told;         /* wri_played gets .state and .callable */
    uint8_t  bold;         /* one case in so many does not avoid known bugs; 0: all do */
    bool     short_search; /* a search for a known bug is given up sooner */
    uint32_t calls;
    uint32_t without; /* heuristics (machine/table/heuristics.h) */
    /* Random calls of traced cases never complete one of these bugs; NULL: nothing is avoided. */
    const wri_avoided *known;
    /* A random sequence of a traced case is none of these, nor one that its batch has run, nor a
     * beginning of one. NULL: it may be. */
    const wri_ran *ran;
} wri_play_terms;

/* When a case failed: after a call, in a call, or after all calls. */
typedef enum { WRI_AFTER_CALL, WRI_IN_CALL, WRI_AFTER_ALL } wri_within;

/* The report of a worker's cases to the parent, in memory that buggy code could write to. */
typedef struct wri_played {
    uint64_t calls;     /* that all cases made */
    uint64_t sequences; /* random ones, */
    uint64_t cut;       /* and those of them that ended early: every call was to be avoided */
    uint64_t full;      /* and those that ended early: there is no room for more in the log */
    uint64_t given;     /* the kinds of handles that were given, a bit for each */
    uint32_t within;    /* wri_within */
    bool     there;     /* all calls of a plan were made; then these two are known: */
    uint64_t state;     /* a hash of the model and of the living handles, */
    uint64_t callable;  /* and the commands that can be called now */
} wri_played;

/* In a worker, for as long as it lives. */
typedef struct wri_stage {
    wri_play_terms       terms;
    wri_played          *played;
    wri_avoider         *avoider; /* made when first needed */
    wri_ran_list         mine;    /* what this batch has run */
    struct wri_answerer *random;  /* who answers at random */
} wri_stage;

/* Before an order; false when memory is out. */
bool wri_stage_begin(wri_stage *stage, const wri_play_terms *terms);
void wri_stage_free(wri_stage *stage);

#endif
