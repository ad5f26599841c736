/* gen/draw.h: the draws that other generators are made of.
 *
 * Each draw makes one choice, on the fast path if it is open, and returns it. None of them shows
 * or remembers a value.
 */
#ifndef WRI_GEN_DRAW_H
#define WRI_GEN_DRAW_H

#include "core/case.h"
#include "core/lean.h"

/* A LENGTH choice, lo..hi. */
size_t wri_draw_length(wr_case *t, const char *name, size_t lo, size_t hi);
/* An INDEX choice, 0..max; every number is equally likely. */
uint64_t wri_draw_index(wr_case *t, const char *name, uint64_t max);
/* The same for a number that stands for a letter. */
uint64_t wri_draw_letter(wr_case *t, const char *name, uint64_t max, uint16_t letters);

/* Misuse: an array of so many elements cannot be meant. */
_Noreturn void wri_draw_refuse_count(wr_case *t, const char *function, const char *name,
                                     size_t n);
/* A negative number that was converted to size_t is above PTRDIFF_MAX. */
static inline void wri_draw_check_count(wr_case *t, const char *function, const char *name,
                                        size_t n)
{
    if (WRI_UNLIKELY(n > PTRDIFF_MAX))
        wri_draw_refuse_count(t, function, name, n);
}

/* A draw's name in quotes and a space before it, for a message; or nothing. */
static inline const char *wri_draw_named(wr_case *t, const char *name)
{
    return name == NULL ? "" : wr_format(t, " \"%s\"", name);
}

/* Appends one entry to the journal. The caller has checked !wri_case_slow(t). */
static inline uint64_t wri_draw_record(wr_case *t, uint64_t number, uint64_t max)
{
    t->next->number = number;
    t->next->max = max;
    t->next++;
    return number;
}

#endif
