/* studies/radix/tuned/systemf.c: System F: the evaluators of the study `systemf`, with all their
 * mutants, on terms that have a type. The mutants are in ../../systemf/language.h.
 */
#include "faults.h"
#include "terms.h"

static bool is_typed(wr_node *e)
{
    count_run();
    return strong_check(e);
}

static bool shows(int number, void *context)
{
    empty_pool();
    return mutant_shows((mutant)(number - 1), copy_term(context));
}

WR_PROPERTY(systemf)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_require(t, is_typed, e);
    uint64_t touched = 0;
    if (reducible(e)) {
        empty_pool();
        touched = mutants_touched(copy_term(e));
    }
    try_asked(t, NO_MUTANT, touched, shows, e);
}

/* One for each of the deep ones. */
#ifdef WITNESS
WR_EXAMPLE(systemf, "e = (lam (). ((lam (()->(forall ())). (lam (). 1)) (lam (). (Lam. 1))))");
WR_EXAMPLE(systemf, "e = (lam (forall ()). ((lam (()->()). (lam (). 1)) (lam (). (1 [()]))))");
WR_EXAMPLE(systemf, "e = (lam B. ((lam (()->B). (lam (). 1)) (lam (). (if 1 1 T))))");
WR_EXAMPLE(systemf, "e = (lam (). ((lam ((()->())->(()->())). (lam (). 1)) "
                    "(lam (()->()). (lam (). (1 2)))))");
WR_EXAMPLE(systemf,
           "e = ((lam (()->(()->(()->()))). (lam (). 1)) (lam (). (lam (). (lam (). 2))))");
WR_EXAMPLE(systemf, "e = (lam (). (lam (). (lam (). (lam (). ((lam (). (lam (). 1)) 3)))))");
WR_EXAMPLE(systemf, "e = (lam (). ((lam (). (lam (). (lam (). (lam (). 3)))) 0))");
WR_EXAMPLE(systemf, "e = (Lam. (lam B. ((lam (0->0). (Lam. 0)) (if 0 (lam 0. 0) (lam 0. 0)))))");
WR_EXAMPLE(systemf, "e = (Lam. (lam B. ((lam (forall (1->1)). (Lam. 0)) "
                    "(Lam. (if 0 (lam 1. 0) (lam 1. 0))))))");
#endif
