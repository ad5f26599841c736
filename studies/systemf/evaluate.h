/* studies/systemf/evaluate.h: the evaluators under test, and what a mutant changes in them. */
#ifndef SYSTEMF_EVALUATE_H
#define SYSTEMF_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language.h"

/* A term or a type, by its tag and where it stands. Indices may become negative: mutants do
 * that. */
typedef struct expr {
    uint8_t            tag, arity;
    int32_t            index;
    const struct expr *args[3];
} expr;

/* What has arguments is kept in one pool, which is emptied before a term is copied into it. When
 * it is full it is used again from the start: what was in it is of no use then. */
#define POOL_MOST (1 << 18)
extern expr   pool[POOL_MOST];
extern size_t pool_used;
extern bool   pool_full;

static inline void empty_pool(void)
{
    pool_used = 0;
    pool_full = false;
}

static inline const expr *keep(unsigned tag, unsigned arity, const expr *a, const expr *b,
                               const expr *c)
{
    if (__builtin_expect(pool_used == POOL_MOST, 0)) {
        pool_full = true;
        pool_used = 0;
    }
    expr *made = &pool[pool_used++];
    *made = (expr){ (uint8_t)tag, (uint8_t)arity, 0, { a, b, c } };
    return made;
}

/* What has none: a constant or a variable. */
const expr *leaf(unsigned tag, int32_t index);

/* Do the evaluators do something else with the mutant on this term? Single steps are compared one
 * by one, up to 100 of them, and where they end; of parallel steps only what they end in is
 * compared, after at most 100. A well-typed term of no mutant ends long before. */
bool mutant_shows(mutant which, const expr *e);

/* With MANY_MUTANTS: those whose places the evaluators come to, a bit for each. No other shows.
 */
uint64_t mutants_touched(const expr *e);

#endif
