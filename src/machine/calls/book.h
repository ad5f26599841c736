/* machine/calls/book.h: from calls to a log that makes them.
 *
 * A sequence says which value an argument has, not which choices drew it. The book remembers that
 * from logs of cases that were run. With it any sequence of values that were seen, or that are
 * numbers out of a range that was, becomes a plan for a case that is aligned to it. Whether the
 * case could make all calls is seen by reading its own log and comparing.
 */
#ifndef WRI_MACHINE_CALLS_BOOK_H
#define WRI_MACHINE_CALLS_BOOK_H

#include "machine/calls/sequence.h"

typedef struct wri_book wri_book;

/* NULL: out of memory. */
wri_book *wri_book_make(const wri_machine *machine);
void      wri_book_free(wri_book *book);

/* Remembers the values of a log, and what calls drew besides their arguments. What the case
 * drew outside of its calls is taken over by every plan from now on. False: it is no log of
 * this machine, or memory is out. */
bool wri_book_read(wri_book *book, const wri_trace *trace);

/* A plan for these calls, in memory of its own that is replaced. False: a value is not known, a
 * handle is not one, or memory is out. `extra` is a command, from 1, that comes after them with
 * arguments at random (wri_play_terms); 0: none. */
bool wri_book_plan(wri_book *book, const wri_sequence *sequence, unsigned extra, wri_trace *plan);

/* As in wri_lab; but where what is drawn is a number, what other choices come to is not known
 * before they are run: a value that is guessed at is in no case, only in plans; and it may come
 * to the one that there is. */
bool wri_book_other(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    unsigned number, int64_t *value);
bool wri_book_guessed(const wri_book *book, const wri_made *call, unsigned argument);
/* What it came to, if to anything: wri_book_other() says that from now on. */
void wri_book_learn(wri_book *book, const wri_made *guessed, unsigned argument, bool came,
                    int64_t value);
bool wri_book_some(wri_book *book, const wr_kind *kind, unsigned number, int64_t *value);
bool wri_book_range(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    int64_t *least, int64_t *most);

#endif
