/* studies/systemf/properties.c: System F as lazy data, for `systemf` and `bench/lazy` to run.
 *
 * plain and strong count well-typed terms: they hold always. plain_NAME and strong_NAME say that
 * the evaluators do the same with the mutant NAME as without; each is wrong from some size on.
 */
#include "terms.h"

/* ---- Counting ---- */

WR_PROPERTY(plain)
{
    wr_require(t, plain_check, wr_tree(t, "e", &TERM));
}

WR_PROPERTY(strong)
{
    wr_require(t, strong_check, wr_tree(t, "e", &TERM));
}

/* ---- Mutants ---- */

static void try_mutant(wr_case *t, bool check(wr_node *), mutant which)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_require(t, check, e);
    if (!reducible(e))
        return;
    empty_pool();
    wr_assert(t, !mutant_shows(which, copy_term(e)));
}

#define MUTANT_PROPERTIES_(name, where, size)                                                    \
    WR_PROPERTY(plain_##name)                                                                    \
    {                                                                                            \
        try_mutant(t, plain_check, name);                                                        \
    }                                                                                            \
    WR_PROPERTY(strong_##name)                                                                   \
    {                                                                                            \
        try_mutant(t, strong_check, name);                                                       \
    }
MUTANTS(MUTANT_PROPERTIES_)
