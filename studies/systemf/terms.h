/* studies/systemf/terms.h: System F as lazy data: terms and types, their checkers, and copies for
 * the evaluators. Included once in a program.
 */
#ifndef SYSTEMF_TERMS_H
#define SYSTEMF_TERMS_H

#include <stdio.h>
#include <stdlib.h>
#include <warren.h>

#include "evaluate.h"

WR_TYPE(TYPE, "Type", [BASE] = { "Base", .show = "()" }, [BOOL] = { "Bool", .show = "B" },
        [TVAR] = { "TVar", .index = WR_ANY_INDEX, .show = "%i" },
        [FORALL] = { "ForAll", .args = { &TYPE }, .show = "(forall %0)" },
        [FUN] = { "Fun", .args = { &TYPE, &TYPE }, .show = "(%0->%1)" });

WR_TYPE(
    TERM, "Term", [CON] = { "Con", .show = "#" }, [TRUE] = { "True", .show = "T" },
    [FALSE] = { "False", .show = "F" }, [VAR] = { "Var", .index = WR_ANY_INDEX, .show = "%i" },
    [TLAM] = { "TLam", .args = { &TERM }, .show = "(Lam. %0)" },
    [LAM] = { "Lam", .args = { &TYPE, &TERM }, .show = "(lam %0. %1)" },
    [APP] = { "App", .args = { &TERM, &TERM }, .show = "(%0 %1)" },
    [TAPP] = { "TApp", .args = { &TERM, &TYPE }, .show = "(%0 [%1])" },
    [COND] = { "Cond", .args = { &TERM, &TERM, &TERM }, .show = "(if %0 %1 %2)" });

#define NODE wr_node *
#define TAG(e) wr_tag(e)
#define ARG(e, i) wr_arg(e, i)
#define INDEX(e) wr_index(e)
#define NEED(e, tags) wr_need(e, tags)
#define NEED_INDEX_BELOW(e, k) wr_need_index_below(e, k)
#define REFUTE(e) wr_need(e, 0) /* no constructor would do */
#include "checker.h"

static void types_are_full(void)
{
    fputs("there is no room for types\n", stderr);
    abort();
}

static const expr *copy_type(wr_node *e)
{
    const expr *a;
    unsigned    tag = (unsigned)wr_tag(e);
    switch (tag) {
    case TVAR: return leaf(tag, (int32_t)wr_index(e));
    case FORALL: return keep(tag, 1, copy_type(wr_arg(e, 0)), NULL, NULL);
    case FUN: a = copy_type(wr_arg(e, 0)); return keep(tag, 2, a, copy_type(wr_arg(e, 1)), NULL);
    default: return leaf(tag, 0);
    }
}

static const expr *copy_term(wr_node *e)
{
    const expr *a, *b;
    unsigned    tag = (unsigned)wr_tag(e);
    switch (tag) {
    case VAR: return leaf(tag, (int32_t)wr_index(e));
    case TLAM: return keep(tag, 1, copy_term(wr_arg(e, 0)), NULL, NULL);
    case LAM: a = copy_type(wr_arg(e, 0)); return keep(tag, 2, a, copy_term(wr_arg(e, 1)), NULL);
    case APP: a = copy_term(wr_arg(e, 0)); return keep(tag, 2, a, copy_term(wr_arg(e, 1)), NULL);
    case TAPP: a = copy_term(wr_arg(e, 0)); return keep(tag, 2, a, copy_type(wr_arg(e, 1)), NULL);
    case COND:
        a = copy_term(wr_arg(e, 0));
        b = copy_term(wr_arg(e, 1));
        return keep(tag, 3, a, b, copy_term(wr_arg(e, 2)));
    default: return leaf(tag, 0);
    }
}

/* Is there anything to reduce? If not, the evaluators leave the term alone, whatever is wrong. */
static bool reducible(wr_node *e)
{
    switch (wr_tag(e)) {
    case TLAM: return reducible(wr_arg(e, 0));
    case LAM: return reducible(wr_arg(e, 1));
    case APP:
        return wr_tag(wr_arg(e, 0)) == LAM || reducible(wr_arg(e, 0)) || reducible(wr_arg(e, 1));
    case TAPP: return wr_tag(wr_arg(e, 0)) == TLAM || reducible(wr_arg(e, 0));
    case COND:
        return wr_tag(wr_arg(e, 0)) == TRUE || wr_tag(wr_arg(e, 0)) == FALSE ||
               reducible(wr_arg(e, 0)) || reducible(wr_arg(e, 1)) || reducible(wr_arg(e, 2));
    default: return false;
    }
}

#endif
