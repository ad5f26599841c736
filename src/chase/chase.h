/* chase/chase.h: the hunt for the bugs of a machine.
 *
 * Its cases are explored as those of any property (hunt/batches.c), but traced, so that a case
 * that failed need not be run again to be known, and longer as long as nothing is found (pace.c).
 * A failing sequence is made smaller by trying others in the judge (lab.c, pare.c); with --bugs
 * many it becomes a pattern (settle.c), which random sequences avoid from then on (known.c).
 * Patterns are kept as rules (rules.c). Every call that is made on the way is counted.
 */
#ifndef WRI_CHASE_CHASE_H
#define WRI_CHASE_CHASE_H

#include "machine/calls/book.h"
#include "quest/quest.h"

/* A machine while it is hunted. */
typedef struct wri_chase wri_chase;

/* Before anything is run; NULL in quest->chase: it is explored like any other property. */
void wri_chase_start(wri_quest *quest);
void wri_chase_end(wri_quest *quest);

/* How the cases from this one on are played, and how many of them alike. */
wri_play_terms wri_chase_terms(const wri_chase *chase, uint64_t index);
uint64_t       wri_chase_stretch(const wri_chase *chase, uint64_t index);
/* A batch has come back; all before `settled` are done with, later ones count for nothing; no
 * batch is out. */
void wri_chase_ran(wri_chase *chase, unsigned slot, uint64_t from);
void wri_chase_settle_ran(wri_chase *chase, uint64_t settled);

/* A case failed: is it nothing new, which is counted, and changes nothing for those after it? */
bool wri_chase_count(wri_chase *chase, const wri_outcome *first, const wri_trace *found);
/* Are the rules of --known of use, as far as this case shows? False: they name numbers of what
 * has none, and quest->why says where. */
bool wri_chase_check_rules(wri_chase *chase, const wri_trace *found);
/* All before the case of this number are done with: is it worth while to keep from what is known?
 */
void wri_chase_weigh(wri_chase *chase, uint64_t index);
/* The case of this number failed, as all before it did not: what is found on the way is looked
 * into, too. */
void wri_chase_judge(wri_chase *chase, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found);
/* A stored case has failed again. */
void wri_chase_recall(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored);
/* It has not. */
void wri_chase_forget(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored);
/* All of them were tried: rules without one are known all the same. */
void wri_chase_recalled(wri_chase *chase);

/* Nothing was found for a while, so known bugs may forbid too much: are guards to be learnt
 * before the case of this number? Then do so, when all before it are done with. */
bool wri_chase_rests(const wri_chase *chase, uint64_t index);
void wri_chase_rest(wri_chase *chase, uint64_t index);
/* There will be no more cases: learns those that are left. */
void wri_chase_finish(wri_chase *chase);

/* How many patterns are kept, and whether they leave too little. */
wri_machine_effort wri_chase_effort(const wri_chase *chase);

/* Is a known bug in the calls? guarded: only bugs count whose guards are learnt, if there are any
 * to learn. */
bool wri_chase_knows(wri_chase *chase, const wri_sequence *sequence, bool guarded);
/* The machine's table, and the book of its calls. */
const wri_machine *wri_chase_machine(const wri_chase *chase);
wri_book          *wri_chase_book(const wri_chase *chase);

#endif
