/* chase/chase.h: the hunt for all bugs of a machine.
 *
 *     v1 = spawn()  v2 = spawn()  register("b", v2)  kill(v2)  whereis("b")
 *     v1 = spawn()  register("a", v1)  kill(v1)  whereis("a")
 *     ?P = spawn()  register(?A, ?P)  kill(?P)  whereis(?A)
 *
 * The first line is a case that failed. The second is its smallest part that fails (shrink.c).
 * The third is its pattern, which is kept as a rule (settle.c).
 *
 * With --bugs many, each failing case is compared with the patterns of the bugs that are known
 * (known.c). A case that is a new bug is shrunk and generalised in the judge (lab.c), and random
 * sequences never complete its pattern again. Every call that is made on the way is counted.
 */
#ifndef WRI_CHASE_CHASE_H
#define WRI_CHASE_CHASE_H

#include "machine/calls/book.h"
#include "quest/quest.h"

typedef struct wri_chase wri_chase;

/* "No bug", where the number of a bug is returned. */
#define WRI_NO_BUG SIZE_MAX

/* Sets quest->chase, before anything is run. It stays NULL if the machine's table is wrong: the
 * first case says why. */
void wri_chase_start(wri_quest *quest);
void wri_chase_end(wri_quest *quest);
/* Tells the explorer about the machine: its calls, its known bugs and its pace. */
void wri_chase_describe(wri_chase *chase, wri_exploration *run);

/* ---- Random sequences (pace.c) ---- */

/* How the cases from this one on are played. */
wri_play_terms wri_chase_terms(const wri_chase *chase, uint64_t index);
/* Keeps the sequences that a batch has run, which begins with case `from`. */
void wri_chase_ran(wri_chase *chase, unsigned slot, uint64_t from);
/* All cases before `settled` are done with: their sequences are not run again. Those of later
 * cases are forgotten. No batch is out. */
void wri_chase_settle_ran(wri_chase *chase, uint64_t settled);
/* Do random sequences avoid any known bug? */
bool wri_chase_avoids(const wri_chase *chase);

/* ---- Failures (chase.c) ---- */

/* A case failed. True: it is a known bug; it is counted, and changes nothing for later cases. */
bool wri_chase_count(wri_chase *chase, uint64_t index, const wri_outcome *first,
                     const wri_trace *found);
/* Do the rules of --known fit the values of this case? False: a rule names numbers for a kind
 * that has none, and quest->why says where. */
bool wri_chase_check_rules(wri_chase *chase, const wri_trace *found);
/* The case of this number failed, and all before it are done with. Looks into it, and into the
 * other failures that are met on the way. */
void wri_chase_judge(wri_chase *chase, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found);
/* The same for a case that failed in the judge. */
void wri_chase_look_into(wri_chase *chase, const wri_outcome *outcome);

/* A stored case has failed again; or it has not. */
void wri_chase_recall(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored);
void wri_chase_forget(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored);
/* All stored cases were tried: rules without a stored case are known from now on. */
void wri_chase_recalled(wri_chase *chase);

/* Learns the guards of one rule, if some cases in a row found nothing new: rules without their
 * guards may forbid too much. All cases before this one are done with. */
void wri_chase_rest(wri_chase *chase, uint64_t index);
/* There will be no more cases: shortens the sequences of bugs, with a budget of calls for each.
 * (minimise.c) */
void wri_chase_minimise(wri_chase *chase);
/* Learns all guards that are left. */
void wri_chase_finish(wri_chase *chase);

/* Reports that show one bug are told as one: the others are ways of it. There will be no more
 * cases, and all guards are learnt. (cause.c) */
void wri_chase_join_reports(wri_chase *chase);

/* How many patterns are kept, and whether they leave too little to call. */
wri_machine_effort wri_chase_effort(const wri_chase *chase);

/* The rule of --known with the fewest calls, which forbids most; NULL: there is none. */
const char *wri_chase_shortest_given(const wri_chase *chase);

/* Brings bugs, by their numbers, into the order in which they are reported: the one with the
 * fewest calls, then the one that is most unlike those before it. Without memory they stay as
 * they are. (furthest.c) */
void wri_chase_order(wri_chase *chase, size_t *bugs, size_t count);

/* ---- For sequences that are not random (hunt/judged.c) ---- */

/* The calls of a case, until the next one is run; NULL: this is no log of the machine. */
const wri_sequence *wri_chase_calls(wri_chase *chase, const wri_trace *trace);
/* The case before this one found a bug: guards are learnt some cases later. */
void wri_chase_put_off_guards(wri_chase *chase, uint64_t index);

/* Tells failures apart: a hash of their origin and of the command that failed. */
uint64_t wri_chase_key(const wri_chase *chase, const wri_outcome *outcome,
                       const wri_sequence *made);
/* Adds a bug, as it failed in the judge, without shrinking it; WRI_NO_BUG: memory is out. */
size_t wri_chase_found(wri_chase *chase, const wri_outcome *outcome);
/* Runs the case of a bug in a fresh worker. If it does not fail there, the bug is flaky. */
void wri_chase_confirm(wri_chase *chase, size_t bug);

#endif
