/* machine/study/draft.h: drafts, for the files that look for a smaller sequence than reduce.c
 * left. A draft is the failing sequence with several changes. If it fails in the same way, it
 * takes the sequence's place. No draft is run twice, and the calls of all of them are counted. */
#ifndef WRI_MACHINE_STUDY_DRAFT_H
#define WRI_MACHINE_STUDY_DRAFT_H

#include "machine/study/trial.h"

/* So many drafts are remembered; a power of two. */
#define WRI_DRAFTS 8192

typedef struct wri_drafts {
    const wri_lab *lab;
    wri_sequence  *failing;
    wri_sequence   draft, part;
    wri_sequence   before; /* steps were made that may have to be taken back */
    bool          *selected;
    size_t        *order;
    uint64_t      *tried; /* hashes of drafts */
    size_t         tried_count;
    size_t         effort; /* calls that may still be made */
    uint64_t       random;
    bool           stopped; /* by the lab */
    bool           over;    /* so it is, or no effort is left */
} wri_drafts;

/* False: no memory. wri_drafts_close() must be called all the same. */
bool wri_drafts_open(wri_drafts *d, const wri_lab *lab, wri_sequence *failing, size_t effort);
void wri_drafts_close(wri_drafts *d);

/* The calls of `from` that are selected, or all but one, without those that would take what
 * nobody gives. False: the call that fails is not among them. */
bool wri_drafts_select(wri_drafts *d, const wri_sequence *from, wri_sequence *to);
bool wri_drafts_without(wri_drafts *d, const wri_sequence *from, size_t call, wri_sequence *to);

/* The first call that takes a handle which `*consumer` has consumed before; false: there is
 * none. */
bool wri_drafts_find_dead(const wri_machine *machine, const wri_sequence *sequence, size_t *user,
                          size_t *consumer);

/* Does the draft fail? Then it is the sequence from now on, without the calls behind the one that
 * fails. A call that cannot be made is left out. */
bool wri_drafts_try(wri_drafts *d);
/* Takes out single calls for as long as one can go. False: none could. */
bool wri_drafts_take_out_singles(wri_drafts *d);

/* A random number below `count`. */
size_t wri_drafts_pick(wri_drafts *d, size_t count);
/* Moves a call of the draft; the last stays, which fails. */
void wri_drafts_move_call(wri_drafts *d);

#endif
