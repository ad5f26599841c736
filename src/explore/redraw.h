/* explore/redraw.h: a random case that was refuted is drawn again, without what is refuted.
 *
 * All that agrees with the choices that a refuted case had made is refuted, too. A trie of these
 * choices knows how many values are left below each of them, and the next answers are as likely
 * as they have values left: so the case that is found is any of its size that the preconditions
 * allow, all alike. The skewed manner goes back only as far as it must; it is faster, and values
 * that stand among many refuted ones come up more often.
 *
 * Only trees are drawn again. Their sizes stay what they were, so that a case does not lean to
 * sizes that have many values left.
 */
#ifndef WRI_EXPLORE_REDRAW_H
#define WRI_EXPLORE_REDRAW_H

#include "core/case.h"

typedef enum { WRI_REDRAW_UNIFORM, WRI_REDRAW_SKEWED, WRI_REDRAW_OFF } wri_redraw_manner;

/* A case is discarded when so many further runs of it were refuted: half of them after the
 * fewest, and each time twice as many after half as many cases, up to the most. How many runs pay
 * is not known beforehand, and differs from size to size; so whatever it is, not much more is
 * spent (Luby, Sinclair and Zuckerman 1993). A case of a number always has the same limit. */
#define WRI_REDRAWS_LEAST 32u
#define WRI_REDRAWS 4096u

static inline unsigned wri_redraws_of(uint64_t number)
{
    unsigned most = (unsigned)__builtin_ctz(WRI_REDRAWS / WRI_REDRAWS_LEAST);
    unsigned twice = number == UINT64_MAX ? most : (unsigned)__builtin_ctzll(number + 1);
    return WRI_REDRAWS_LEAST << (twice < most ? twice : most);
}

typedef struct wri_redraw wri_redraw;

/* The case, which is answered at random, was refuted. True: it is to begin once more, as case of
 * the same number, with the stream going on; t->answerer makes its choices. False: it is
 * discarded. *redraw is made when it is first needed. */
bool wri_redraw_refuted(wri_redraw **redraw, wr_case *t, wri_redraw_manner manner);
/* The case is over: what comes next is answered at random again. */
void wri_redraw_end(wri_redraw *redraw, wr_case *t);
void wri_redraw_free(wri_redraw *redraw);

#endif
