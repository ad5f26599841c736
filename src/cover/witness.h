/* cover/witness.h: whether a tuple can be had, by searching for a row that has it.
 *
 * The checker's own answer: plain backtracking over values, constraints evaluated as far as they
 * are decided. It shares nothing with the oracle that building asks. Where the search grows too
 * long it says so, and a second opinion is asked for.
 */
#ifndef WRI_COVER_WITNESS_H
#define WRI_COVER_WITNESS_H

#include "cover/model.h"

typedef struct wri_witness wri_witness;

typedef enum wri_answer {
    WRI_ANSWER_NO,      /* no row has it: all were tried */
    WRI_ANSWER_YES,     /* one was found */
    WRI_ANSWER_NO_ELSE, /* the search was given up; the second opinion is no */
    WRI_ANSWER_YES_ELSE,
    WRI_ANSWER_UNKNOWN, /* given up, and nobody else can tell */
} wri_answer;

/* Somebody else who can tell whether a partial row (WRI_ANY: open) can be completed; `allows`
 * may be NULL. */
typedef struct wri_opinion {
    bool (*allows)(void *state, const uint32_t *row);
    void    *state;
    uint64_t patience; /* values to try for all questions before others are short; 0: 10^8 */
} wri_opinion;

/* NULL: out of memory. */
wri_witness *wri_witness_open(const wri_model *model, wri_opinion second);
void wri_witness_close(wri_witness *witness); /* NULL is fine */

/* Whether there is a row with these levels in these columns, and valid ones everywhere else. */
wri_answer wri_witness_tuple(wri_witness *witness, const uint32_t *columns,
                              const uint32_t *levels, uint32_t count);

/* Whether every tuple of these columns can be had: no constraint speaks of them. */
bool wri_witness_free(const wri_witness *witness, const uint32_t *columns, uint32_t count);

/* Whether a complete row breaks no constraint: the first that it breaks, or NULL. */
const wri_constraint *wri_broken_constraint(const wri_model *model, const uint32_t *row);

#endif
