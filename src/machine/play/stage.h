/* machine/play/stage.h: how the cases of a worker play a machine, and what they tell of it.
 *
 * By itself a machine draws a length, and calls. Whoever hunts for its bugs says more: how long
 * sequences are, which calls are not to be made, what was made before. None of it is consulted
 * where a case is replayed, but for the length's bound, which is part of the log.
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

/* Sequences that do not lean have no more than this, where the machine says nothing. */
#define WRI_CALLS_LONG 240

#define WRI_BOLD 32

typedef struct wri_play_terms {
    uint8_t law;   /* wri_calls_law */
    uint8_t extra; /* a plan: after its calls comes one more, of this command, counted from 1,
                      with  arguments at random; 0: none */
    bool     told; /* where the sequence has led is told (state, callable) */
    bool     bold; /* one case in WRI_BOLD pays no heed to known bugs */
    bool     short_search; /* a search for a known bug is given up sooner */
    uint32_t calls;
    uint32_t without; /* heuristics (machine/table/heuristics.h) */
    /* Random calls never complete one of these bugs; NULL: they may. Only traced cases can tell.
     */
    const wri_avoided *known;
    /* A random sequence is none of these, nor one that its batch had before, nor the beginning of
     * one; NULL: that does not matter. Likewise. */
    const wri_ran *ran;
} wri_play_terms;

/* When something went wrong: after a call, in it, or after all of them. */
typedef enum { WRI_AFTER_CALL, WRI_IN_CALL, WRI_AFTER_ALL } wri_within;

/* What came of it: in memory that the parent reads, and that was writable by buggy code. */
typedef struct wri_played {
    uint64_t calls;     /* that were made, by all cases */
    uint64_t sequences; /* at random, */
    uint64_t cut;       /* and those of them that ended because every call was one to avoid */
    uint32_t within;    /* wri_within */
    bool     there;     /* all calls were made, and these are known: */
    uint64_t state;     /* a hash of the model and of the handles that are alive, */
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
