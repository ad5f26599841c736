/* machine/play/already_run.h: the sequences that were run, so that none is run twice.
 *
 * A sequence is kept as a hash of its calls. Interchangeable values are numbered in the order in
 * which they come, so that renaming them changes no hash. The beginnings of a sequence are kept,
 * too, up to WRI_RAN_BEGINNINGS calls: no longer one is ever drawn again.
 *
 * The set lies in shared memory. Only the parent adds to it, between batches; a worker lists what
 * its own batch adds. So what a case knows depends on the batches before it and on its own batch,
 * and on nothing else.
 */
#ifndef WRI_MACHINE_PLAY_ALREADY_RUN_H
#define WRI_MACHINE_PLAY_ALREADY_RUN_H

#include "machine/calls/sequence.h"

#define WRI_RAN_BEGINNINGS 24
#define WRI_RAN_PLACES ((size_t)1 << 21)
#define WRI_RAN_LISTED ((size_t)1 << 20)

/* A set that is all zero is empty. Nothing is added to a full one. */
typedef struct wri_ran {
    uint64_t count;
    uint64_t places[WRI_RAN_PLACES]; /* 0: none */
} wri_ran;

/* No hash is 0. */
bool wri_ran_has(const wri_ran *ran, uint64_t hash);
void wri_ran_add(wri_ran *ran, uint64_t hash);
void wri_ran_clear(wri_ran *ran);
/* Adds the sequence and its beginnings. */
void wri_ran_add_sequence(wri_ran *ran, const wri_machine *machine, const wri_sequence *sequence);

/* The hashes that a batch adds: a list for the parent, and a set for the worker. */
typedef struct wri_ran_list {
    uint64_t *hashes;       /* room for WRI_RAN_LISTED; NULL: nothing is listed */
    uint64_t *shared_count; /* how many there are, for the parent */
    uint64_t *places;       /* of the set */
    size_t    place_count, count;
} wri_ran_list;

bool wri_ran_listed(const wri_ran_list *list, uint64_t hash);
/* True: it was not there. wri_ran_list_drop_last() takes back the last one that was added. */
bool wri_ran_list_add(wri_ran_list *list, uint64_t hash);
void wri_ran_list_drop_last(wri_ran_list *list);
bool wri_ran_list_begin(wri_ran_list *list); /* empty; false when memory is out */
void wri_ran_list_free(wri_ran_list *list);

/* The hash of a sequence, call by call. */
typedef struct wri_signature {
    uint64_t hash;
    uint64_t named[WRI_KINDS_MOST]; /* of each kind of values: those that have a name, */
    uint8_t  names[WRI_KINDS_MOST][WRI_HANDLES]; /* and which */
} wri_signature;

void wri_signature_begin(wri_signature *signature, const wri_machine *machine);
/* The hash with this call added, which is never 0; and adding it. */
uint64_t wri_signature_with(const wri_signature *signature, const wri_machine *machine,
                            const wri_made *call);
void     wri_signature_add(wri_signature *signature, const wri_machine *machine,
                           const wri_made *call);
/* The function of the call that was added last drew this (wri_made.drawn). */
void wri_signature_add_drawn(wri_signature *signature, int64_t drawn);

#endif
