/* explore/redraw.h: a refuted random case is drawn again, without the refuted values.
 *
 * A refuted case refutes every case that begins with the same choices. A trie of these choices
 * knows the number of values left below each of them. The next answers are as likely as they have
 * values left. So each value of its size that the preconditions allow is equally likely to be
 * found. The skewed manner goes back only as far as it must. It is faster, and prefers values
 * that stand among many refuted ones.
 *
 * Only trees are drawn again. Their sizes stay the same, so that sizes with many values left are
 * not preferred.
 */
#ifndef WRI_EXPLORE_REDRAW_H
#define WRI_EXPLORE_REDRAW_H

#include "core/case.h"

typedef enum { WRI_REDRAW_UNIFORM, WRI_REDRAW_SKEWED, WRI_REDRAW_OFF } wri_redraw_manner;

/* A case is discarded after this many refuted runs. Half of all cases have the lowest limit.
 * Each doubled limit belongs to half as many cases, up to the highest. The best limit is not
 * known beforehand and differs by size; this schedule never spends much more than the best one
 * (Luby, Sinclair and Zuckerman 1993). The limit depends on the number of the case alone. */
#define WRI_REDRAWS_LEAST 32u
#define WRI_REDRAWS 4096u

static inline unsigned wri_redraws_of(uint64_t number)
{
    unsigned most = (unsigned)__builtin_ctz(WRI_REDRAWS / WRI_REDRAWS_LEAST);
    unsigned twice = number == UINT64_MAX ? most : (unsigned)__builtin_ctzll(number + 1);
    return WRI_REDRAWS_LEAST << (twice < most ? twice : most);
}

typedef struct wri_redraw wri_redraw;

/* A random case was refuted. True: run it again, under the same number, with the stream going
 * on; t->answerer makes its choices. False: it is discarded. *redraw is made when it is first
 * needed. */
bool wri_redraw_refuted(wri_redraw **redraw, wr_case *t, wri_redraw_manner manner);
/* The case is over: the next one is answered at random again. */
void wri_redraw_end(wri_redraw *redraw, wr_case *t);
void wri_redraw_free(wri_redraw *redraw);

#endif
