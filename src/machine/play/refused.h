/* machine/play/refused.h: calls that are not drawn, because they would complete a known bug.
 *
 *     ?P = spawn()  kill(?P)  register(_, ?P)
 *
 * After kill(v1), register("a", v1) completes this bug, and so does every register(_, v1). The
 * cause is one argument, so v1 is not drawn again for that argument. If a call completes a bug
 * whatever its arguments are, its command is not drawn again. Both end when a guard of the bug is
 * called.
 */
#ifndef WRI_MACHINE_PLAY_REFUSED_H
#define WRI_MACHINE_PLAY_REFUSED_H

#include "machine/pattern/pattern.h"

/* The most refusals that are remembered at a time: the bits of a mask. */
#define WRI_REFUSALS_MOST 64

typedef struct wri_refusal {
    uint8_t   command, argument, number; /* argument: WRI_ARGUMENTS: whatever they are */
    uint64_t  revivers;                  /* commands that it may end with */
    wri_until until;
} wri_refusal;

typedef struct wri_refused {
    uint64_t    given_up;   /* commands that are not to be called, */
    uint64_t    exhausted;  /* and those that have an argument of which all values are spent */
    uint64_t    remembered; /* which of the list there are, */
    uint64_t    waiting[WRI_COMMANDS]; /* and which of them a command may bring back */
    wri_refusal list[WRI_REFUSALS_MOST];
    uint64_t    spent[][WRI_ARGUMENTS]; /* of each command, argument by argument: these numbers */
} wri_refused;

/* Is there room for calls that were never drawn? They get half of the list; the other half is
 * left to calls that were drawn and refused. */
static inline bool wri_refused_has_room(const wri_refused *refused)
{
    return (refused->remembered >> WRI_REFUSALS_MOST / 2) == 0;
}

size_t wri_refused_bytes(const wri_machine *machine);
void   wri_refused_begin(wri_refused *refused, const wri_machine *machine);
/* A call was refused because of its argument, which has a number below WRI_HANDLES. */
void wri_refused_add(wri_refused *refused, const wri_refusal *refusal);
/* This call is made: ends the refusals that wait for it. */
void wri_refused_revive(wri_refused *refused, const wri_made *call);
/* The number is given to a new handle: refusals of the old one are not true of it. */
void wri_refused_forget(wri_refused *refused, const wri_machine *machine, unsigned kind,
                        unsigned number);

#endif
