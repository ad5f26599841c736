/* cover/check/witness.h: decides whether a tuple can be had, by searching for a row that has it.
 *
 * This is the checker's own answer: plain backtracking over values, with constraints evaluated as
 * far as they are decided. It shares no code with the oracle that building asks. If the search
 * takes too long, it gives up and asks the second opinion.
 */
#ifndef WRC_COVER_CHECK_WITNESS_H
#define WRC_COVER_CHECK_WITNESS_H

#include "cover/check/opinion.h"

typedef struct wrc_witness wrc_witness;

typedef enum wrc_answer {
    WRC_ANSWER_NO,      /* no row has it: all were tried */
    WRC_ANSWER_YES,     /* one was found */
    WRC_ANSWER_NO_ELSE, /* the search was given up; the second opinion is no */
    WRC_ANSWER_YES_ELSE,
    WRC_ANSWER_UNKNOWN, /* given up, and nobody else can tell */
} wrc_answer;

/* NULL: out of memory. */
wrc_witness *wrc_witness_open(const wrc_model *model, wrc_opinion second);
void         wrc_witness_close(wrc_witness *witness); /* NULL is fine */

/* Whether there is a row with these levels in these columns, and valid ones everywhere else. */
wrc_answer wrc_witness_tuple(wrc_witness *witness, const uint32_t *columns,
                             const uint32_t *levels, uint32_t count);

/* Whether every tuple of these columns can be had: no constraint speaks of them. */
bool wrc_witness_free(const wrc_witness *witness, const uint32_t *columns, uint32_t count);

/* Whether a complete row breaks no constraint: the first that it breaks, or NULL. */
const wrc_constraint *wrc_witness_broken_constraint(const wrc_model *model, const uint32_t *row);

#endif
