/* studies/systemf/types.h: types as the checkers compute them.
 *
 * They live in a pool that is emptied before each run. Each knows how many type variables around
 * it it may mention, so that shifting a closed type is no work, and whether ANYTHING is in it.
 */
#ifndef SYSTEMF_TYPES_H
#define SYSTEMF_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language.h"

typedef struct type {
    uint8_t            tag;
    bool               vague; /* ANYTHING is somewhere in it */
    int32_t            index; /* of a variable */
    int32_t            open;  /* its free variables are below this */
    const struct type *a, *b;
} type;

#define TYPES_MOST (1 << 18)
static type   types[TYPES_MOST];
static size_t types_used;

/* Called when the pool is full; does not return. */
_Noreturn static void types_are_full(void);

static const type base_type = { .tag = BASE };
static const type bool_type = { .tag = BOOL };
static const type any_type = { .tag = ANYTHING, .vague = true };
static const type any_forall = { .tag = FORALL, .vague = true, .a = &any_type };

static inline type *new_type(unsigned tag, bool vague, int32_t open)
{
    if (__builtin_expect(types_used == TYPES_MOST, 0))
        types_are_full();
    type *made = &types[types_used++];
    made->tag = (uint8_t)tag;
    made->vague = vague;
    made->open = open;
    return made;
}

static inline const type *variable(int32_t index)
{
    type *made = new_type(TVAR, false, index + 1);
    made->index = index;
    return made;
}

static inline const type *forall(const type *a)
{
    type *made = new_type(FORALL, a->vague, a->open > 0 ? a->open - 1 : 0);
    made->a = a;
    return made;
}

static inline const type *function(const type *a, const type *b)
{
    type *made = new_type(FUN, a->vague || b->vague, a->open > b->open ? a->open : b->open);
    made->a = a;
    made->b = b;
    return made;
}

static bool same_type(const type *one, const type *other)
{
    if (one == other)
        return true;
    if (one->tag != other->tag)
        return false;
    switch (one->tag) {
    case TVAR: return one->index == other->index;
    case FORALL: return same_type(one->a, other->a);
    case FUN: return same_type(one->a, other->a) && same_type(one->b, other->b);
    default: return true;
    }
}

/* Adds `by` to the variables from `cutoff` on. */
static const type *shift_type(const type *one, int32_t cutoff, int32_t by)
{
    if (one->open <= cutoff || by == 0)
        return one;
    switch (one->tag) {
    case TVAR: return variable(one->index + by);
    case FORALL: return forall(shift_type(one->a, cutoff + 1, by));
    default: return function(shift_type(one->a, cutoff, by), shift_type(one->b, cutoff, by));
    }
}

/* `one` with `given` for variable `n`, and the variables after it one less. `given` belongs where
 * variable 0 was. */
static const type *instantiate(const type *one, int32_t n, const type *given)
{
    if (one->open <= n)
        return one;
    switch (one->tag) {
    case TVAR: return one->index == n ? shift_type(given, 0, n) : variable(one->index - 1);
    case FORALL: return forall(instantiate(one->a, n + 1, given));
    default: return function(instantiate(one->a, n, given), instantiate(one->b, n, given));
    }
}

/* Is it a type of the wanted form? */
static bool fits(const type *one, const type *wanted)
{
    if (wanted->tag == ANYTHING || one == wanted)
        return true;
    if (one->tag != wanted->tag)
        return false;
    switch (one->tag) {
    case TVAR: return one->index == wanted->index;
    case FORALL: return fits(one->a, wanted->a);
    case FUN: return fits(one->a, wanted->a) && fits(one->b, wanted->b);
    default: return true;
    }
}

/* Does it mention one of the `n` innermost variables? */
static bool mentions_below(const type *one, int32_t from, int32_t n)
{
    if (one->open <= from)
        return false;
    switch (one->tag) {
    case TVAR: return one->index >= from && one->index < from + n;
    case FORALL: return mentions_below(one->a, from + 1, n);
    case FUN: return mentions_below(one->a, from, n) || mentions_below(one->b, from, n);
    default: return false;
    }
}

#endif
