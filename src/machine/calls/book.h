/* machine/calls/book.h: from calls to a log that makes them.
 *
 * A sequence says put("cab"), but not which choices drew "cab". The book remembers that, from the
 * logs of cases that were run. So it can make a plan for any sequence whose values were seen
 * before, or are numbers from a range that was seen. The case that follows the plan may not be
 * able to make all calls: read its log, and compare.
 */
#ifndef WRI_MACHINE_CALLS_BOOK_H
#define WRI_MACHINE_CALLS_BOOK_H

#include "machine/calls/sequence.h"

typedef struct wri_book wri_book;

/* NULL: out of memory. */
wri_book *wri_book_make(const wri_machine *machine);
void      wri_book_free(wri_book *book);

/* Remembers the choices of a log: those that drew values, and those of calls besides their
 * arguments. Plans have the choices that the last case with the same settings made outside of its
 * calls; those of sequences without settings, that the last case made. False: this is no log of
 * the machine, or memory is out. */
bool wri_book_read(wri_book *book, const wri_trace *trace);

/* Makes a plan for these calls; the memory of `plan` is its own and is used again. After them
 * come as many `more`, which the plan says nothing of (wri_play_terms). False: the choices of a
 * value are not known, a handle is not given, or memory is out. */
bool wri_book_plan(wri_book *book, const wri_sequence *sequence, size_t more, wri_trace *plan);

/* Another value of an argument, as wri_lab.other. The book may have to guess: it changes some
 * choices, and only a run tells which number they come to. Until then the value is a hash that
 * stands for the choices; it works in plans, and no case has it. It may turn out to be the value
 * that the argument has already. */
bool wri_book_other(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    unsigned number, int64_t *value);
/* Other choices of a call's function, as wri_lab.redraw. */
bool wri_book_redraw(wri_book *book, const wri_made *call, unsigned number, int64_t *drawn);
/* Is the argument such a guess? */
bool wri_book_guessed(const wri_book *book, const wri_made *call, unsigned argument);
/* The guess was run: the choices came to this value, or, if not `came`, to none. From now on
 * wri_book_other() returns that. */
void wri_book_learn(wri_book *book, const wri_made *guessed, unsigned argument, bool came,
                    int64_t value);
/* As wri_lab.some and wri_lab.range. */
bool wri_book_some(wri_book *book, const wr_kind *kind, unsigned number, int64_t *value);
bool wri_book_range(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    int64_t *least, int64_t *most);

#endif
