/* machine/pattern/relate.h: patterns that differ in values, or in how often calls are repeated.
 *
 *     put(3)             put(7)                   put(3)
 *     get()              get()                    put(3)
 *                                                 get()
 *
 * The second pattern is the first with another value, the third is the first with put() repeated.
 * Whether such patterns are one bug or two is for others to find out, by tests: nothing here runs
 * anything.
 */
#ifndef WRI_MACHINE_PATTERN_RELATE_H
#define WRI_MACHINE_PATTERN_RELATE_H

#include "machine/pattern/pattern.h"

/* Replaces the values in the first `calls` calls of the pattern by "anything", and removes its
 * conditions. False: there were none. */
bool wri_relate_loosen(const wri_machine *machine, wri_pattern *pattern, unsigned calls);
/* Does some call of the pattern name a value, or has it a condition? */
bool wri_relate_names_values(const wri_machine *machine, const wri_pattern *pattern);

/* Has the sequence another number of calls than the pattern, but the same commands in the same
 * order? Each run of equal commands counts as one. */
bool wri_relate_repeats(const wri_machine *machine, const wri_pattern *pattern,
                        const wri_sequence *calls);

/* Widens the ranges of `pattern` so that they include those of `other`. False, and nothing is
 * changed, if the patterns differ in more than values. `exactly`: false also if the result would
 * include what neither of them says. */
bool wri_relate_extend(const wri_machine *machine, wri_pattern *pattern, const wri_pattern *other,
                       bool exactly);

/* ---- A sequence beside a known pattern ---- */

typedef struct wri_relate_pair {
    const wri_machine  *machine;
    const wri_pattern  *known;
    const wri_pattern  *pattern; /* of these calls: */
    const wri_sequence *calls;
} wri_relate_pair;

/* Do both patterns name values in the same calls, and have no conditions? Then the calls that one
 * of them has more of name none. */
bool wri_relate_is_comparable(const wri_relate_pair *c);

typedef enum { WRI_VALUES_OWN, WRI_VALUES_KNOWN, WRI_VALUES_BETWEEN } wri_relate_values;

/* The sequence with each call repeated at least as often as in the known pattern. Its values are
 * its own, the nearest that the known pattern allows, or those half-way between. False: out of
 * memory. */
bool wri_relate_lengthen(const wri_relate_pair *c, wri_relate_values which, wri_sequence *to);

#endif
