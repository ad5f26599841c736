/* cover/oracle/solver.h: satisfiability, under assumptions.
 *
 * Clauses are added once; then it is asked many times whether they can all be true together with
 * some literals that are assumed. A literal is a variable's number, 1 and up, or its negative.
 * The solver learns clauses, and it always goes on with the memory it has. Questions that begin
 * with the same assumptions are best asked in a row.
 */
#ifndef WRC_COVER_ORACLE_SOLVER_H
#define WRC_COVER_ORACLE_SOLVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wrc_solver wrc_solver;

wrc_solver *wrc_solver_open(void);                /* NULL: no memory */
void        wrc_solver_close(wrc_solver *solver); /* NULL is fine */

bool wrc_solver_add(wrc_solver *solver, const int *literals, size_t count); /* false: no memory */
bool wrc_solver_solve(wrc_solver *solver, const int *assumed, size_t count);

/* After a solve that was true: whether the literal is. After one that was false: whether the
 * assumed literal had a part in it. */
bool wrc_solver_is_true(const wrc_solver *solver, int literal);
bool wrc_solver_failed(const wrc_solver *solver, int literal);

/* Writes the literals that follow without a search, the assumed ones among them, and says how
 * many; 0: a contradiction was seen. There is room for all variables. */
size_t wrc_solver_implied(wrc_solver *solver, const int *assumed, size_t count, int *literals);

/* The next assignment may rather have this literal. */
void wrc_solver_prefer(wrc_solver *solver, int literal);

#endif
