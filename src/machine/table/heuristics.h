/* machine/table/heuristics.h: heuristics that can be switched off, to measure what each is worth.
 *
 *     WARREN_WITHOUT=refine,crowd build/tests/machines --bugs many
 *
 * This is for `script/bench ablation` alone: it is no option, and --help does not name it. A new
 * heuristic is a row here, a question WRI_USES() where it acts, and a row in bench/ablation.c.
 */
#ifndef WRI_MACHINE_TABLE_HEURISTICS_H
#define WRI_MACHINE_TABLE_HEURISTICS_H

#define WRI_HEURISTICS(X)                                                                        \
    X(refine)    /* smallest sequences: several changes at once (study/refine.c) */              \
    X(minimise)  /* at the end: fewer calls for each bug (chase/minimise.c) */                   \
    X(distances) /* values: other distances between numbers (study/vary.c) */                    \
    X(related)   /* a known bug with other values (chase/same_bug_other_values.c) */             \
    X(same)      /* a known bug in another way (chase/same_bug.c) */                             \
    X(prove)     /* a rule explains what fails by itself (chase/prove.c) */                      \
    X(survive)   /* some cases go on behind a known bug (chase/survive.c) */                     \
    X(cause)     /* reports of one cause are told as one (chase/cause.c) */                      \
    X(sample)    /* rules whose instances pass are narrowed (study/sample.c) */                  \
    X(merge)     /* two rules that differ in one value become one (same_bug_other_values.c) */   \
    X(cut)       /* the calls of a long rule are tried first (same_bug_other_values.c) */        \
    X(apart)     /* repeated calls: one bug or two (chase/two_bugs.c) */                         \
    X(ways)      /* a known bug with more calls (chase/same_bug_more_calls.c) */                 \
    X(gather)    /* longer ways become part of a new bug (same_bug_more_calls.c) */              \
    X(crowd)     /* a bug with many rules is not looked into (same_bug_more_calls.c) */          \
    X(correct)   /* a guard that did not help is taken back (chase/correct_rule.c) */            \
    X(shorten)   /* a known bug is shown with fewer calls (chase/settle.c) */                    \
    X(suspects)  /* other failures that tries meet are looked into (chase/chase.c) */            \
    X(unguarded) /* after rules without guards, none are learnt (chase/known.c) */               \
    X(bold)      /* some cases do what rules forbid (chase/pace.c) */                            \
    X(hasty)     /* known bugs are searched for less if most are met (chase/pace.c) */           \
    X(grow)      /* sequences get longer (chase/pace.c) */                                       \
    X(refusals)  /* a refused call is not drawn again (play/wary.c) */                           \
    X(foreseen)  /* calls are refused before they are drawn (play/wary.c) */                     \
    X(denials)   /* the search for known bugs remembers what it did not find (avoid.c) */

#define WRI_HEURISTIC(name) WRI_HEURISTIC_##name,
enum { WRI_HEURISTICS(WRI_HEURISTIC) WRI_HEURISTIC_COUNT };
#undef WRI_HEURISTIC

/* `without` is a set of heuristics that are switched off. 0, the default: none are. */
#define WRI_USES(without, name) (((without) >> WRI_HEURISTIC_##name & 1) == 0)

/* The names as words of an option; the last word is empty. */
#define WRI_HEURISTIC_WORD(name) #name "|"
#define WRI_HEURISTIC_WORDS WRI_HEURISTICS(WRI_HEURISTIC_WORD)

#endif
