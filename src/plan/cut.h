/* plan/cut.h: takes parts out of a plan, in place. Parts are elements with the length they are
 * tied to, nodes, and the spans between a span and one of its descendants. */
#ifndef WRI_PLAN_CUT_H
#define WRI_PLAN_CUT_H

#include "core/trace.h"

/* The number of elements that are tied to a length. */
uint64_t wri_cut_length_count(const wri_trace *trace, uint32_t length);
/* Recognises a plain loop, without wr_each. Nothing is tied to its length, and as many rounds of
 * nodes with the same labels follow in the same span. Returns the number of nodes in a round, or
 * 0. */
uint64_t wri_cut_plain_round(const wri_trace *trace, uint32_t length);
/* Takes elements [from, from + count) out of everything tied to the length, and lowers the
 * length. Elements with a handle that names a removed element are removed, too; all other
 * handles name the same elements as before. Indices into the elements are corrected; those
 * inside the elements only with inside_too. */
void wri_cut_elements(wri_trace *trace, uint32_t length, uint64_t from, uint64_t count,
                      bool inside_too);
/* Do the elements contain indices that may point at elements? */
bool wri_cut_points_inside(const wri_trace *trace, uint32_t length);
/* A mark on a node's kind; and removes the marked nodes with everything below them. */
#define WRI_CUT_MARK 0x80u
static inline void wri_cut_mark(wri_trace *trace, uint32_t node)
{
    trace->nodes[node].kind |= WRI_CUT_MARK;
}
void wri_cut_marked(wri_trace *trace);
/* Replaces the content of a span by that of one of its descendants. */
void wri_cut_hoist(wri_trace *trace, uint32_t span, uint32_t descendant);
/* Which nodes are below the span, itself included; `below` has room for all nodes. */
void wri_cut_below(const wri_trace *trace, uint32_t span, bool *below);
/* Is the span one call of a sequence: a command and its arguments? */
bool wri_cut_is_call(const wri_trace *trace, uint32_t span);

#endif
