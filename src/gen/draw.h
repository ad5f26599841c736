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

/* A draw's name, for a message. */
static inline const char *wri_draw_name(const char *name)
{
    return name == NULL ? "" : name;
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
