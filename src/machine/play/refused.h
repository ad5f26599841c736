/* machine/play/refused.h: calls that are known to be none to make, before they are drawn.
 *
 * A call that completes a known bug does so, whatever else is called, until one of the bug's
 * guards is. If it does for the sake of one argument, or of none, that is remembered: the value
 * is not drawn again for that argument, the command not at all, until such a guard is called.
 */
#ifndef WRI_MACHINE_PLAY_REFUSED_H
#define WRI_MACHINE_PLAY_REFUSED_H

#include "machine/pattern/pattern.h"

/* More are not remembered at a time, and are found out again. As many as a mask can say. */
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

/* For what is not even drawn yet: half of the list is left to what is. */
static inline bool wri_refused_has_room(const wri_refused *refused)
{
    return (refused->remembered >> WRI_REFUSALS_MOST / 2) == 0;
}

size_t wri_refused_bytes(const wri_machine *machine);
void   wri_refused_begin(wri_refused *refused, const wri_machine *machine);
/* A call was refused, with this number, below WRI_HANDLES, as its argument. */
void wri_refused_add(wri_refused *refused, const wri_refusal *refusal);
/* This call is made. */
void wri_refused_revive(wri_refused *refused, const wri_made *call);
/* The number was another handle's before: what was known of that one is not true of this one. */
void wri_refused_forget(wri_refused *refused, const wri_machine *machine, unsigned kind,
                        unsigned number);

#endif
