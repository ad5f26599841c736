/* hunt/internal.h: the conductor's steps, between the files of this room. */
#ifndef WRI_HUNT_INTERNAL_H
#define WRI_HUNT_INTERNAL_H

#include "quest/quest.h"

/* batches.c: runs cases until the budget ends or a bug ends the run. */
void wri_batches_run(wri_quest *quest);
/* corpus.c: for an explorer with `keeping`, reads the corpus before the first case, and stores it
 * after the last. */
typedef struct wri_recalled {
    size_t count;  /* stored cases */
    bool   partly; /* the explorer had no room for all of them */
} wri_recalled;
wri_recalled wri_corpus_recall(wri_quest *quest);
void         wri_corpus_remember(wri_quest *quest, const wri_recalled *recalled);
/* history.c: what a store with a database keeps besides: the run of a property, */
void wri_history_keep_run(wri_quest *quest, wri_status status);
/* and cases with what they show. */
void wri_history_keep_cases(wri_quest *quest, const wri_keepsake *kept, size_t count);
/* examples.c: runs the explicit cases of the property. True: one fails, and that is enough; or
 * one cannot be run, and the status says so. */
bool wri_examples_try(wri_quest *quest);
/* stored.c: tells of stored failures whose property this program does not have: it was renamed,
 * perhaps. --forget-stale removes them. False: one of them could not be removed. */
bool wri_stored_tell_lost(wri_store *store, const wri_settings *settings, wri_reporter *reporter);
/* Tries the stored failures. True: one still fails, and that is enough. */
bool wri_stored_try(wri_quest *quest);
/* seeds.c: can --seed-files and --fuzz-files be read? If not, `error` says why, in a line. */
bool wri_seeds_readable(const wri_settings *settings, char *error, size_t error_size);
bool wri_seeds_given(const wri_quest *quest);
/* Runs the cases that the files make. True: one fails, and that is enough. */
bool wri_seeds_try(wri_quest *quest);
/* Looks in a few random cases for the draw that a file can become. False, and a warning: the
 * property has none. The caller frees the import after true. */
struct wri_import;
bool wri_seeds_find_draw(wri_quest *quest, struct wri_import *import);
/* export.c: writes the cases of the corpus as files (--export, --fuzz-export). */
bool wri_export_asked(const wri_settings *settings);
void wri_export_corpus(wri_quest *quest);
/* The same for a guided search: they wait in its pool. */
void wri_seeds_plant(wri_quest *quest);
/* coverage.c: the instrumented code that the quest's cases reached. The caller frees the lists
 * with wri_coverage_free(). */
wri_code_covered wri_coverage_of_quest(const wri_quest *quest);
void             wri_coverage_free(wri_code_covered *covered);
/* promises.c: did the cases show everything that the property promised? Warns, or makes the
 * property fail. */
void wri_promises_check(wri_quest *quest);
/* Would more cases tell whether a cover is as wanted? */
bool wri_promises_open(const wri_quest *quest);
/* The same for the program, over all properties. Reports, and returns the number of assertions
 * that fail the run. whole: every property was run, so an assertion that was not reached is
 * reached nowhere. */
size_t wri_promises_tell(wri_tally *all, wri_reporter *reporter, bool whole, bool failing);
/* health.c: warnings about the property itself. */
void wri_health_check(wri_quest *quest);
/* Why so few cases counted, as a line, malloced. */
char *wri_health_why_few(const wri_quest *quest);

#endif
