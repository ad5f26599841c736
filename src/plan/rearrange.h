/* plan/rearrange.h: plans that have another shape than the log they were made from.
 *
 * The result is a plan, to answer with: parents, labels and answers are right in it, ties are
 * not kept. Every function gives false, and no plan, when there is nothing of the kind to do.
 */
#ifndef WRI_PLAN_REARRANGE_H
#define WRI_PLAN_REARRANGE_H

#include "core/trace.h"

typedef enum wri_arrangement {
    WRI_DROP,   /* some elements in a row are gone */
    WRI_DOUBLE, /* some elements in a row come again, here or elsewhere */
    WRI_INSERT, /* a fresh element is put in */
    WRI_SWAP,   /* two elements change places */
    WRI_SPLICE, /* behind some element, the elements of another log go on */
} wri_arrangement;

/* A length is a choice of that kind, or any integer that there were as many elements as. How many
 * elements it says, and at most; and its answer for so many, or as near as its bounds allow. */
uint64_t wri_rearrange_length(const wri_node *length);
uint64_t wri_rearrange_longest(const wri_node *length);
uint64_t wri_rearrange_answer(const wri_node *length, uint64_t count);

/* Arranges the elements of all loops and arrays that belong to a length in another way, and the
 * length with them; handles name what they named. */
bool wri_rearrange_elements(wri_trace *plan, const wri_trace *trace, uint32_t length,
                            wri_arrangement how, const wri_trace *other, uint64_t *random);
/* Empties some span: what it asks is answered afresh. */
bool wri_rearrange_regrow(wri_trace *plan, const wri_trace *trace, uint64_t *random);
/* Puts some span of `other` in the place of one with the same label. */
bool wri_rearrange_graft(wri_trace *plan, const wri_trace *trace, const wri_trace *other,
                         uint64_t *random);

#endif
