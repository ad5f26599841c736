/* machine/study/study.h: from a failing sequence to the smallest one, and to its pattern.
 *
 * A study only knows a lab: a way to run a sequence. It runs one sequence after the other and
 * learns from how each ends. Every call costs, so a sequence whose end is known is not run.
 */
#ifndef WRI_MACHINE_STUDY_STUDY_H
#define WRI_MACHINE_STUDY_STUDY_H

#include "machine/pattern/pattern.h"
#include "machine/study/manner.h"
#include "machine/table/heuristics.h"

typedef enum {
    WRI_TRIED_PASSED,     /* all its calls were made, and nothing failed */
    WRI_TRIED_SAME,       /* it failed as the one that is studied does, */
    WRI_TRIED_OTHER,      /* or in another way */
    WRI_TRIED_IMPOSSIBLE, /* some call could not be made */
    WRI_TRIED_STOP, /* nothing was run and nothing will be: interrupted, or the budget is out */
} wri_tried;

typedef struct wri_lab {
    const wri_machine *machine;
    /* Runs the sequence. `at` is the call that failed. If the sequence is impossible, it is the
     * first call that could not be made; SIZE_MAX: not known. */
    wri_tried (*run)(void *context, const wri_sequence *sequence, size_t *at);
    /* Other values that this argument could have, numbered from 0. False: there are no more. */
    bool (*other)(void *context, const wri_sequence *sequence, size_t call, unsigned argument,
                  unsigned number, int64_t *value);
    /* The range of an argument that is a number, or of a setting (WRI_SETTING_CALL); all numbers
     * of the range can be run. False: it has none. */
    bool (*range)(void *context, const wri_sequence *sequence, size_t call, unsigned argument,
                  int64_t *least, int64_t *most);
    /* Other choices that the function of a call could make (wri_made.drawn), numbered from 0.
     * False: there are no more. */
    bool (*redraw)(void *context, const wri_made *call, unsigned number, int64_t *drawn);
    /* Must the sequence not be run, because a known bug is in it? */
    bool (*veto)(void *context, const wri_sequence *sequence);
    /* Values of a kind with .draw or .draw_in, numbered from 0, for a call that is put in. False:
     * there are no more. */
    bool (*some)(void *context, const wr_kind *kind, unsigned number, int64_t *value);
    /* An invariant or a contract shows the failure after a call, which may be of any command. */
    bool     afterwards;
    uint32_t without; /* heuristics (machine/table/heuristics.h) */
    void    *context;
} wri_lab;

typedef struct wri_study_setup {
    wri_level     level;
    wri_reduction reduction;
    wri_ordering  ordering;
    /* All occurrences of a value get a simpler one together, and values are generalised one by
     * one, by tests. Else, as published, occurrences change one by one, and values are
     * generalised all at once. */
    bool varying;
} wri_study_setup;

/* Replaces `failing` by its smallest part that fails the same way, in its last call. False: no
 * part failed, not even all of it. (reduce.c) */
bool wri_reduce_calls(const wri_lab *lab, const wri_study_setup *setup, wri_sequence *failing);
/* Makes a reduced sequence smaller, by several changes at once, and makes no more than `effort`
 * calls for that. False: it is as it was. (refine.c) */
bool wri_refine_calls(const wri_lab *lab, wri_sequence *failing, size_t effort);
/* The same more thoroughly, for a sequence that is reported. (minimise.c) */
bool wri_minimise_calls(const wri_lab *lab, wri_sequence *failing, size_t effort);
/* The pattern of a smallest sequence. Values of the sequence that need not be equal become
 * different. False: it is too long for a pattern, or the failure needs what the function of a
 * call drew, which no pattern can say. (generalise.c, vary.c, order.c) */
bool wri_generalise_calls(const wri_lab *lab, const wri_study_setup *setup,
                          wri_sequence *smallest, wri_pattern *pattern);
/* Adds the guards to a pattern; `smallest` is the sequence that it was generalised from.
 * (guards.c) */
void wri_guards_learn(const wri_lab *lab, const wri_sequence *smallest, wri_level level,
                      wri_pattern *pattern);
/* Narrows a pattern until its instances fail. Call i of the example is call i of the pattern.
 * (sample.c) */
void wri_sample_rule(const wri_lab *lab, const wri_sequence *example, wri_pattern *pattern);

#endif
