/* machine/study/trial.h: what the parts of a study share (reduce.c, refine.c, rename.c,
 * generalise.c, vary.c, order.c, guards.c): trying a sequence, and values that it does not have.
 * (trial.c)
 */
#ifndef WRI_MACHINE_STUDY_TRIAL_H
#define WRI_MACHINE_STUDY_TRIAL_H

#include "machine/study/study.h"

/* Runs it, unless a known bug is in it: then it is impossible. `at` is SIZE_MAX where no call is
 * named. */
wri_tried wri_trial_try(const wri_lab *lab, const wri_sequence *sequence, size_t *at);
/* Does it fail in the same way, and with its last call? */
bool wri_trial_fails_at_end(const wri_lab *lab, const wri_sequence *sequence);

/* A value of the kind, or one that this argument could have, that is nowhere in the sequence, nor
 * in `beside`, which may be NULL. False: none is known. */
bool wri_trial_fresh_of(const wri_lab *lab, const wri_sequence *sequence,
                        const wri_sequence *beside, const wr_kind *kind, int64_t *value);
bool wri_trial_fresh_value(const wri_lab *lab, const wri_sequence *sequence,
                           const wri_sequence *beside, size_t call, unsigned argument,
                           int64_t *value);
/* A value and where it is: the arguments of one kind, no handles, that have it. */
#define WRI_CLASSES WRI_PATTERN_VARIABLES
typedef struct wri_class {
    const wr_kind *kind;
    int64_t        value;
    unsigned       uses; /* how often, */
    size_t         call; /* and where first */
    unsigned       argument;
} wri_class;
/* All of a sequence, in the order in which they first come; or as many as there is room for. */
size_t wri_trial_classes_of(const wri_machine *machine, const wri_sequence *sequence,
                            wri_class classes[WRI_CLASSES]);
/* Writes the sequence with the values of classes changed, all at once. False: no memory. */
bool wri_trial_recast(const wri_machine *machine, const wri_sequence *from,
                      const wri_class *classes, const int64_t *values, size_t count,
                      wri_sequence *to);

/* What to try next when a number is looked for above `low` and below `high`, between which there
 * is one: powers of two first. */
uint64_t wri_trial_between(uint64_t low, uint64_t high);

/* Gives one argument of the sequence a smaller value with which it fails, too; false: none can
 * have one. Or makes all its values simpler, those that are the same together. (rename.c) */
bool wri_rename_singly(const wri_lab *lab, wri_sequence *failing);
void wri_rename_jointly(const wri_lab *lab, wri_sequence *failing);

/* What each of the sequence's values must be for it to fail: its number or one of a range, or, as
 * far as it was tried, anything. (vary.c) */
void wri_vary_learn(const wri_lab *lab, const wri_sequence *failing, const wri_class *classes,
                    size_t count, wri_term *terms);

/* Takes out of the pattern's order what is not needed. (order.c) */
void wri_order_learn(const wri_lab *lab, wri_ordering ordering, const wri_sequence *smallest,
                     wri_pattern *pattern);

#endif
