/* cover/oracle/solver.h: satisfiability, under assumptions.
 *
 * Clauses are added once; then it is asked many times whether they can all be true together with
 * some literals that are assumed. A literal is a variable's number, 1 and up, or its negative.
 * The engine learns clauses, and it always goes on with the memory it has. Another engine gives
 * the same answers, but may find another assignment, or other assumptions that failed: no result
 * may depend on them. Questions that begin with the same assumptions are best asked in a row.
 */
#ifndef WRC_COVER_ORACLE_SOLVER_H
#define WRC_COVER_ORACLE_SOLVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wrc_solver_engine {
    const char *name;
    void *(*open)(void); /* NULL: no memory */
    void (*close)(void *solver);
    bool (*add)(void *solver, const int *literals, size_t count); /* false: no memory */
    bool (*solve)(void *solver, const int *assumed, size_t count);
    bool (*is_true)(void *solver, int literal); /* after a solve that was true */
    bool (*failed)(void *solver,
                   int   literal); /* after one that was false: an assumption's part */
    /* Writes the literals that are seen to follow without a search, the assumed ones among them
     * (room for all variables), and says how many; 0: a contradiction was seen. */
    size_t (*implied)(void *solver, const int *assumed, size_t count, int *literals);
    /* The next assignment may rather have this literal. */
    void (*prefer)(void *solver, int literal);
} wrc_solver_engine;

extern const wrc_solver_engine wrc_solver_own;

#endif
