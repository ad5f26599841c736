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

#define MUTANT_NUMBER_(name, where, size) name,
typedef enum mutant { MUTANTS(MUTANT_NUMBER_) NO_MUTANT } mutant;

#endif
