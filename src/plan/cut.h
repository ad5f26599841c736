/* plan/cut.h: parts of a plan taken out in place: elements with the length they are tied to,
 * nodes, and the spans between a span and one of its descendants. */
#ifndef WRI_PLAN_CUT_H
#define WRI_PLAN_CUT_H

#include "core/trace.h"

/* How many elements are tied to a length. */
uint64_t wri_cut_length_count(const wri_trace *trace, uint32_t length);
/* A plain loop, without wr_each: a length that nothing is tied to, and after it in the same span
 * as many rounds of nodes with the same labels. Returns the nodes of a round, or 0. */
uint64_t wri_cut_plain_round(const wri_trace *trace, uint32_t length);
/* Takes elements [from, from + count) out of everything tied to the length, and lowers it.
 * Elements whose handles name one of them go with them; all other handles name what they named.
 * Indices into the elements are aimed again; those inside the elements only when asked. */
void wri_cut_elements(wri_trace *trace, uint32_t length, uint64_t from, uint64_t count,
                      bool inside_too);
/* Are there indices inside the elements that may point at elements? */
bool wri_cut_points_inside(const wri_trace *trace, uint32_t length);
/* Removes marked nodes with everything below them. */
void wri_cut_marked(wri_trace *trace, const bool *marked);
/* Puts the content of a span's descendant in its place. False: memory is out. */
bool wri_cut_hoist(wri_trace *trace, uint32_t span, uint32_t descendant);
bool wri_cut_is_below(const wri_trace *trace, uint32_t node, uint32_t ancestor);
/* Is the span one call of a sequence: a command, and what belongs to it? */
bool wri_cut_is_call(const wri_trace *trace, uint32_t span);

#endif
