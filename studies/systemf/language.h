/* studies/systemf/language.h: System F as the study has it: constructors and mutants.
 *
 * Terms and types are in de Bruijn's notation, with separate indices for term variables and type
 * variables. A constructor costs 1, and index k costs k more. The order is by what the smallest
 * value costs, so that a tag is also its rank in an enumeration.
 */
#ifndef SYSTEMF_LANGUAGE_H
#define SYSTEMF_LANGUAGE_H

/* ANYTHING is no constructor: it stands for any type in what a checker wants to see. */
enum { BASE, BOOL, TVAR, FORALL, FUN, ANYTHING };
enum { CON, TRUE, FALSE, VAR, TLAM, LAM, APP, TAPP, COND };

/* What can be wrong in the evaluators: the name, the function and case, and the size of the
 * smallest term that shows it. The first twenty are those of the published experiments, as far as
 * they are known. */
#define MUTANTS(_)                                                                               \
    _(LiftVar, "lift, Var", 12)                                                                  \
    _(LiftLam, "lift, Lam", 12)                                                                  \
    _(LiftTLamA, "lift, TLam", 12)                                                               \
    _(LiftTLamB, "lift, TLam", 12)                                                               \
    _(LiftTApp, "lift, TApp", 13)                                                                \
    _(SubstVar, "subst, Var", 8)                                                                 \
    _(SubstLT, "subst, Var", 7)                                                                  \
    _(SubstInTypeNoDecr, "substInType, TVar", 8)                                                 \
    _(SubstInTypeLT, "substInType, TVar", 7)                                                     \
    _(LiftTypeTVar, "liftType, TVar", 9)                                                         \
    _(LiftTypeForAll, "liftType, ForAll", 9)                                                     \
    _(TSubstNoIncr, "tSubst, TLam", 7)                                                           \
    _(AppForgetSubst, "beta", 5)                                                                 \
    _(TAppForgetSubst, "tbeta", 6)                                                               \
    _(SubstSwapped, "beta", 5)                                                                   \
    _(SubstNoIncr, "subst, Lam", 7)                                                              \
    _(SubstNoLift, "subst, Lam", 10)                                                             \
    _(SubstInTypeNoIncr, "substInType, ForAll", 7)                                               \
    _(SubstNoLiftT, "subst, TLam", 11)                                                           \
    _(LiftTNoIncr, "liftTypes, TLam", 11)                                                        \
    _(SubstApp, "subst, App", 9)                                                                 \
    _(SubstInTypeNoLift, "substInType, ForAll", 9)                                               \
    _(TSubstNoLift, "tSubst, TLam", 9)                                                           \
    _(CondFalseToTrue, "Cond", 4)

/* More of them, which the study `radix` looks for besides: the name, the place, and the size of
 * the smallest term that is known to show it. The last nine are deep. */
#define MORE_MUTANTS(_)                                                                          \
    _(LiftAppArg, "lift, App", 0)                                                                \
    _(LiftCondElse, "lift, Cond", 0)                                                             \
    _(SubstTApp, "subst, TApp", 0)                                                               \
    _(SubstCondElse, "subst, Cond", 0)                                                           \
    _(SubstNoIncrN1, "subst, Lam, from 1 on", 0)                                                 \
    _(SubstInTypeFun, "substInType, Fun", 0)                                                     \
    _(LiftTypeFun, "liftType, Fun", 0)                                                           \
    _(LiftTypesLam, "liftTypes, Lam", 0)                                                         \
    _(LiftTypesTApp, "liftTypes, TApp", 0)                                                       \
    _(TSubstLam, "tSubst, Lam", 0)                                                               \
    _(TSubstTApp, "tSubst, TApp", 0)                                                             \
    _(TSubstCondElse, "tSubst, Cond", 0)                                                         \
    _(LiftTLamN1, "lift, TLam, from 1 on", 0)                                                    \
    _(LiftTAppN1, "lift, TApp, from 1 on", 0)                                                    \
    _(LiftCondThenN1, "lift, Cond, from 1 on", 0)                                                \
    _(LiftAppArgN2, "lift, App, from 2 on", 0)                                                   \
    _(LiftLamN2, "lift, Lam, from 2 on", 0)                                                      \
    _(LiftVarFar, "lift, Var, three from n on", 0)                                               \
    _(SubstNoLiftN2, "subst, Lam, from 2 on", 0)                                                 \
    _(LiftTypesElse, "liftTypes, Cond", 0)                                                       \
    _(LiftTypesElseN1, "liftTypes, Cond, from 1 on", 0)

#define MUTANT_NUMBER_(name, where, size) name,
typedef enum mutant { MUTANTS(MUTANT_NUMBER_) MORE_MUTANTS(MUTANT_NUMBER_) NO_MUTANT } mutant;

#endif
