/* cover/oracle/cadical.c: CaDiCaL, by its C interface, where the build found it.
 *
 * It is far ahead on hard questions, and slow on the many easy ones that an oracle is asked: so
 * Warren's own solver begins, and hands over what it does not settle soon.
 */
#include "cover/oracle/solver.h"

#ifdef WARREN_HAVE_CADICAL

#include <ccadical.h>
#include <stdlib.h>

enum { PATIENCE = 2000 }; /* conflicts, some milliseconds */

typedef struct pair {
    void     *own;
    CCaDiCaL *cadical;
    bool      by_cadical; /* who gave the last answer */
} pair;

static void close_pair(void *solver)
{
    pair *p = solver;
    if (p == NULL)
        return;
    wrc_solver_own.close(p->own);
    if (p->cadical != NULL)
        ccadical_release(p->cadical);
    free(p);
}

static void *open_pair(void)
{
    pair *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->own = wrc_solver_own.open();
    p->cadical = ccadical_init();
    if (p->own == NULL || p->cadical == NULL) {
        close_pair(p);
        return NULL;
    }
    ccadical_set_option(p->cadical, "quiet", 1);
    return p;
}

static bool add_to_pair(void *solver, const int *literals, size_t count)
{
    pair *p = solver;
    for (size_t i = 0; i < count; i++)
        ccadical_add(p->cadical, literals[i]);
    ccadical_add(p->cadical, 0);
    return wrc_solver_own.add(p->own, literals, count);
}

static bool solve_by_pair(void *solver, const int *assumed, size_t count)
{
    pair      *p = solver;
    wrc_solved solved = wrc_solver_try(p->own, assumed, count, PATIENCE);
    p->by_cadical = solved == WRC_SOLVED_NOT;
    if (!p->by_cadical)
        return solved == WRC_SOLVED_YES;
    for (size_t i = 0; i < count; i++)
        ccadical_assume(p->cadical, assumed[i]);
    return ccadical_solve(p->cadical) == 10; /* IPASIR's number for satisfiable */
}

static bool is_true_in_pair(void *solver, int literal)
{
    pair *p = solver;
    return p->by_cadical ? ccadical_val(p->cadical, literal) > 0
                         : wrc_solver_own.is_true(p->own, literal);
}

static bool failed_in_pair(void *solver, int literal)
{
    pair *p = solver;
    return p->by_cadical ? ccadical_failed(p->cadical, literal) != 0
                         : wrc_solver_own.failed(p->own, literal);
}

static size_t implied_in_pair(void *solver, const int *assumed, size_t count, int *literals)
{
    pair *p = solver;
    return wrc_solver_own.implied(p->own, assumed, count, literals);
}

static void prefer_in_pair(void *solver, int literal)
{
    pair *p = solver;
    wrc_solver_own.prefer(p->own, literal);
}

const wrc_solver_engine wrc_solver_cadical = {
    .name = "CaDiCaL",
    .open = open_pair,
    .close = close_pair,
    .add = add_to_pair,
    .solve = solve_by_pair,
    .is_true = is_true_in_pair,
    .failed = failed_in_pair,
    .implied = implied_in_pair,
    .prefer = prefer_in_pair,
};

#endif
