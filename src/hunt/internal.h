/* hunt/internal.h: the conductor's steps, between the files of this room. */
#ifndef WRI_HUNT_INTERNAL_H
#define WRI_HUNT_INTERNAL_H

#include "quest/quest.h"

/* batches.c: cases until the budget ends or a bug stops it. */
void wri_batches_run(wri_quest *quest);
/* corpus.c: what guided runs have learnt. Before the first case; and after the last. */
void wri_corpus_recall(wri_quest *quest);
void wri_corpus_remember(wri_quest *quest);
/* stored.c: what is known from earlier runs; true when one still fails and that is enough. */
bool wri_stored_try(wri_quest *quest);
/* coverage.c: what of the instrumented code the quest's cases came to. Its lists are the caller's
 * to free with wri_coverage_free(). */
wri_code_covered wri_coverage_of_quest(const wri_quest *quest);
void             wri_coverage_free(wri_code_covered *covered);
/* promises.c: did the cases show what the property promised? Warns, or makes it fail. */
void wri_promises_check(wri_quest *quest);
/* And the program, over all its properties? Tells, and returns how many assertions fail the run.
 * whole: every property was run, so one that was not reached cannot be reached elsewhere. */
size_t wri_promises_tell(wri_tally *all, wri_reporter *reporter, bool whole, bool failing);
/* health.c: warnings about the property itself. */
void wri_health_check(wri_quest *quest);

#endif
