/* machine/study/trial.h: functions that several files of study/ call. They run a sequence, find
 * values that it does not have, and do parts of reducing and generalising. */
#ifndef WRI_MACHINE_STUDY_TRIAL_H
#define WRI_MACHINE_STUDY_TRIAL_H

#include "machine/study/study.h"

/* Runs the sequence. If a known bug is in it, it counts as impossible. `at`: as in wri_lab.run.
 */
wri_tried wri_trial_try(const wri_lab *lab, const wri_sequence *sequence, size_t *at);
/* Does it fail in the same way, in its last call? */
bool wri_trial_fails_at_end(const wri_lab *lab, const wri_sequence *sequence);

/* A value that is nowhere in the sequence: one of the kind, or one that this argument could have.
 * False: none is known. */
bool wri_trial_fresh_of(const wri_lab *lab, const wri_sequence *sequence, const wr_kind *kind,
                        int64_t *value);
bool wri_trial_fresh_value(const wri_lab *lab, const wri_sequence *sequence, size_t call,
                           unsigned argument, int64_t *value);
/* A value of a sequence: all arguments of one kind that have it; or a setting
 * (WRI_SETTING_CALL). */
#define WRI_CLASSES WRI_PATTERN_VARIABLES
typedef struct wri_class {
    const wr_kind *kind;
    int64_t        value;
    unsigned       uses; /* how often, */
    size_t         call; /* and where first */
    unsigned       argument;
} wri_class;
/* The values of a sequence that are no handles, in the order in which they first come, and
 * its settings; at most WRI_CLASSES. */
size_t wri_trial_classes_of(const wri_machine *machine, const wri_sequence *sequence,
                            wri_class classes[WRI_CLASSES]);
/* Copies the sequence, and replaces the value of classes[i] by values[i] everywhere. False: no
 * memory. */
bool wri_trial_recast(const wri_machine *machine, const wri_sequence *from,
                      const wri_class *classes, const int64_t *values, size_t count,
                      wri_sequence *to);

/* The number to try next in a search between `low` and `high`, which have a number between them:
 * powers of two first. */
uint64_t wri_trial_between(uint64_t low, uint64_t high);

/* Gives settings simpler values with which the sequence fails, too. If it fails earlier then, it
 * ends there. False: there are none. (configure.c) */
bool wri_configure_simply(const wri_lab *lab, wri_sequence *failing);
/* Lets the functions of calls draw what is simplest, as far as the sequence fails then. */
void wri_configure_draws(const wri_lab *lab, wri_sequence *failing);
/* Gives one argument a smaller value with which the sequence fails, too. False: there is none.
 * wri_rename_jointly() makes all values simpler; equal ones stay equal. (rename.c) */
bool wri_rename_singly(const wri_lab *lab, wri_sequence *failing);
void wri_rename_jointly(const wri_lab *lab, wri_sequence *failing);

/* Finds what each value must be for the sequence to fail: its number, a number of a range, or
 * anything. (vary.c) */
void wri_vary_learn(const wri_lab *lab, const wri_sequence *failing, const wri_class *classes,
                    size_t count, wri_term *terms);

/* Removes from the pattern's order what the failure does not need. (order.c) */
void wri_order_learn(const wri_lab *lab, wri_ordering ordering, const wri_sequence *smallest,
                     wri_pattern *pattern);

#endif
