/* cover/check/opinion.h: a second opinion on whether a tuple can be had.
 *
 * The checker searches for a row by itself. It asks the second opinion only when its search takes
 * too long, and counts such answers apart.
 */
#ifndef WRC_COVER_CHECK_OPINION_H
#define WRC_COVER_CHECK_OPINION_H

#include "cover/model/model.h"

/* Somebody else who can tell whether a partial row (WRC_ANY: open) can be completed; `allows`
 * may be NULL. */
typedef struct wrc_opinion {
    bool (*allows)(void *state, const uint32_t *row);
    void    *state;
    uint64_t patience; /* values to try for all questions before others are short; 0: 10^8 */
    double   until;    /* the process's CPU seconds at which all questions end; 0: never */
} wrc_opinion;

#endif
