/* machine/study/study.h: from a sequence that fails to the smallest one and to its pattern, by
 * trying others.
 *
 * All of it is given a way to run a sequence and goes by what that says. Each call that is made
 * so has its price: what is known already is never run.
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
    /* Runs it. Where it failed, `at` is the call that did; where it is impossible, the first call
     * that could not be made, or SIZE_MAX, if that is not known. */
    wri_tried (*run)(void *context, const wri_sequence *sequence, size_t *at);
    /* Another value that this argument could have, the one of this number (from 0), none of them
     * the one that it has. False: there are no more. NULL: only kinds with .values have others.
     */
    bool (*other)(void *context, const wri_sequence *sequence, size_t call, unsigned argument,
                  unsigned number, int64_t *value);
    /* The argument is a number from this range, all of which can be asked for. False: it is not.
     */
    bool (*range)(void *context, const wri_sequence *sequence, size_t call, unsigned argument,
                  int64_t *least, int64_t *most);
    /* A known bug is in it: it must not be run. NULL: nothing is known. */
    bool (*veto)(void *context, const wri_sequence *sequence);
    /* Some value of a kind with .draw, the one of this number (from 0), for a call that is put
     * in. False: there are no more. NULL: none is known. */
    bool (*some)(void *context, const wr_kind *kind, unsigned number, int64_t *value);
    /* What fails is seen after a call, by an invariant or a contract: after any command's. */
    bool     afterwards;
    uint32_t without; /* heuristics (machine/table/heuristics.h) */
    void    *context;
} wri_lab;

typedef struct wri_study_setup {
    wri_level     level;
    wri_reduction reduction;
    wri_ordering  ordering;
    bool renaming; /* all occurrences of a value together; else one by one, as published */
    bool varying;  /* values are generalised one by one, by tests; else all at once */
    bool guards;
} wri_study_setup;

/* The smallest part of `failing` that still fails the same way, in place; its last call is the
 * one that fails. False: no part did, not even all of it. (reduce.c) */
bool wri_reduce_calls(const wri_lab *lab, const wri_study_setup *setup, wri_sequence *failing);
/* Makes what was reduced smaller still, if it is long: by several changes at once, with no more
 * calls than these. False: it is as it was. (refine.c) */
bool wri_refine_calls(const wri_lab *lab, wri_sequence *failing, size_t effort);
/* The pattern of a smallest sequence, which becomes one in which only those values are the same
 * that must be. False: it has none, being too long. (generalise.c, with order.c and guards.c) */
bool wri_generalise_calls(const wri_lab *lab, const wri_study_setup *setup,
                          wri_sequence *smallest, wri_pattern *pattern);
/* Adds guards to the pattern of a sequence, as it was generalised without. (guards.c) */
void wri_guards_learn(const wri_lab *lab, const wri_sequence *smallest, wri_level level,
                      wri_pattern *pattern);

#endif
