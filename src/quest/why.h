/* quest/why.h: learns what makes the cases of a bug fail, by running cases like its smallest one.
 *
 * The result is a reason (plan/reason.h). Nothing in it is guessed: each condition was tested,
 * and the whole was sampled.
 */
#ifndef WRI_QUEST_WHY_H
#define WRI_QUEST_WHY_H

#include "plan/reason.h"
#include "quest/quest.h"

/* Learns why the bug's case fails. `until` is the end of its time. False: nothing was learnt. */
bool wri_why_learn(wri_quest *quest, const wri_bug *bug, double until, wri_reason *reason);
/* Are the reasons so near that the bugs are one? Their conditions are about the same draws, and
 * touch each other; or the second includes the first. */
bool wri_why_joins(const wri_reason *one, const wri_reason *other);
/* Are they about the same draws, in the same way? */
bool wri_why_alike(const wri_reason *one, const wri_reason *other);
/* Is a draw of the one in another element of a loop than that of the other? */
bool wri_why_moved(const wri_reason *one, const wri_reason *other);
/* The same draws, and maybe other conditions. */
bool wri_why_same_draws(const wri_reason *one, const wri_reason *other);
/* Do the cases between the two bugs' fail, too? The reason is that of the first. */
bool wri_why_connected(wri_quest *quest, const wri_bug *bug, const wri_reason *reason,
                       const wri_bug *other, double until);
/* The reason in words: "fails for every x >= 64, whatever y". Malloced; NULL: memory is out, or
 * there is nothing to say. */
char *wri_why_text(const wri_bug *bug, const wri_reason *reason);

#endif
