/* plan/rearrange.h: makes plans whose shape differs from the log they were made from.
 *
 * The result is a plan: parents, labels and answers are right in it, ties are not kept. Every
 * function returns false, and makes no plan, if the log has nothing of the kind.
 */
#ifndef WRI_PLAN_REARRANGE_H
#define WRI_PLAN_REARRANGE_H

#include "core/trace.h"

typedef enum wri_arrangement {
    WRI_DROP,    /* remove consecutive elements */
    WRI_DOUBLE,  /* repeat consecutive elements, here or elsewhere */
    WRI_INSERT,  /* put in a fresh element */
    WRI_SWAP,    /* exchange two elements */
    WRI_SPLICE,  /* continue behind some element with the elements of another log */
    WRI_REPLACE, /* put a fresh element in the place of another */
    WRI_JOIN,    /* continue behind all elements with all elements of another log */
} wri_arrangement;

/* A length is a LENGTH choice, or an integer that equals the number of elements tied to it. The
 * first two are the number of elements that it says, and the largest number that it can say. The
 * third is the answer that says `count`, or as near as its bounds allow. */
uint64_t wri_rearrange_length(const wri_node *length);
uint64_t wri_rearrange_longest(const wri_node *length);
uint64_t wri_rearrange_answer(const wri_node *length, uint64_t count);

/* Rearranges the elements of all loops and arrays that are tied to a length, and corrects the
 * length. Handles name the same elements as before. */
bool wri_rearrange_elements(wri_trace *plan, const wri_trace *trace, uint32_t length,
                            wri_arrangement how, const wri_trace *other, uint64_t *random);
/* The same with the first `most` elements, as if there were no others. */
bool wri_rearrange_first(wri_trace *plan, const wri_trace *trace, uint32_t length, uint32_t most,
                         wri_arrangement how, const wri_trace *other, uint64_t *random);
/* Empties a random span: its requests will be answered afresh. */
bool wri_rearrange_regrow(wri_trace *plan, const wri_trace *trace, uint64_t *random);
/* Replaces a random span by a span of `other` with the same label. */
bool wri_rearrange_graft(wri_trace *plan, const wri_trace *trace, const wri_trace *other,
                         uint64_t *random);

#endif
