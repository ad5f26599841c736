/* explore/guide/substitute.c: matches the sides of comparisons with the values of choices.
 *
 * A wish is a place in the code and a constant. Each wish wears out with its tries, so a
 * comparison that leads nowhere costs little.
 */
#include "explore/guide/substitute.h"

#include <string.h>

#include "core/hash.h"
#include "core/prng.h"

/* A wish that was tried so often without a new feature is tried again only now and then. */
#define PATIENCE 10
/* So many wishes are looked at, those least tried first. */
#define LOOKED_AT 16
/* So many positions are searched for a value, from the last. */
#define SEARCHED 512

/* After so many cases half of the tries are forgotten: the case may be another one by then. */
#define EPOCH 256

/* The wish of a comparison: a place, and the constant if it is one. */
static uint32_t wish_of(const wri_comparison *comparison)
{
    uint64_t wanted = comparison->constant ? comparison->a : 0;
    return (uint32_t)wri_hash_step(comparison->place, wanted) % WRI_POOL_WISHES;
}

static wri_wish *look_up(wri_pool *pool, const wri_comparison *comparison)
{
    wri_wish *wish = &pool->wishes[wish_of(comparison)];
    uint16_t  epoch = (uint16_t)(pool->cases / EPOCH), passed = (uint16_t)(epoch - wish->epoch);
    wish->tries = (uint16_t)(wish->tries >> (passed < 15 ? passed : 15));
    wish->epoch = epoch;
    return wish;
}

static uint64_t mask_of(unsigned bytes)
{
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

/* ---- Values of choices ---- */

static uint64_t value_of(const wri_node *node, uint64_t number)
{
    const char *letters = wri_choice_alphabet(node->letters);
    if (letters != NULL && number < strlen(letters))
        return (unsigned char)letters[number];
    if (node->kind == WRI_INTEGER)
        return (uint64_t)wri_choice_integer_value(number, node->lo, node->max);
    return node->kind == WRI_LENGTH ? number + (uint64_t)node->lo : number;
}

/* The number of a value; false when the choice cannot have it. */
static bool number_of(const wri_node *node, uint64_t value, uint64_t *number)
{
    const char *letters = wri_choice_alphabet(node->letters);
    if (letters != NULL) {
        const char *found = value == 0 || value > 127 ? NULL : strchr(letters, (int)value);
        *number = found == NULL ? 0 : (uint64_t)(found - letters);
        return found != NULL && *number <= node->max;
    }
    bool     based = node->kind == WRI_INTEGER || node->kind == WRI_LENGTH;
    uint64_t offset = based ? value - (uint64_t)node->lo : value;
    if (offset > node->max)
        return false;
    *number = node->kind == WRI_INTEGER
                  ? wri_choice_integer_number((int64_t)value, node->lo, node->max)
                  : offset;
    return true;
}

/* The value with its low bytes put in the place of others, as wide as the comparison; or, where
 * both sides are small, as narrow as they are: code may have looked at a part only. */
static bool put_in_place(const wri_node *node, uint64_t number, uint64_t is, uint64_t wanted,
                         unsigned width, uint64_t *made)
{
    uint64_t value = value_of(node, number);
    for (unsigned bytes = width; bytes >= 1; bytes /= 2) {
        uint64_t mask = mask_of(bytes);
        if (((is | wanted) & ~mask) != 0)
            return false;
        if ((value & mask) != (is & mask))
            continue;
        uint64_t changed = (value & ~mask) | (wanted & mask);
        if (changed != value && number_of(node, changed, made))
            return true;
        /* A negative number in fewer bytes. */
        uint64_t sign = (wanted & mask) ^ (mask ^ mask >> 1);
        changed = (sign & mask) - (mask ^ mask >> 1);
        if (bytes < 8 && changed != value && number_of(node, changed, made))
            return true;
    }
    return false;
}

/* A choice whose value is one side; each that is found with the same chance. */
static bool find_side(const wri_trace *trace, uint64_t is, uint64_t wanted, unsigned width,
                      uint64_t *random, wri_change *change)
{
    unsigned found = 0, searched = 0;
    for (uint32_t i = (uint32_t)trace->node_count; i-- > 1 && searched < SEARCHED;) {
        const wri_node *node = &trace->nodes[i];
        if (node->what < WRI_CHOICE || node->kind == WRI_REAL || node->max == 0)
            continue;
        uint64_t count = node->what == WRI_ARRAY ? node->count : 1;
        for (uint32_t element = 0; element < count && searched < SEARCHED;
             element++, searched++) {
            uint64_t made;
            if (put_in_place(node, wri_trace_number(trace, i, element), is, wanted, width,
                             &made) &&
                wri_prng_scale(wri_prng_next(random), found++) == 0)
                *change = (wri_change){ .node = i, .element = element, .number = made };
        }
    }
    return found > 0;
}

/* The last choice that was made before the comparison, or one some way back: if one side is its
 * value with something added, the difference is the same. */
static bool find_difference(const wri_trace *trace, const wri_comparison *comparison, bool turned,
                            unsigned back, wri_change *change)
{
    uint64_t difference = turned ? comparison->b - comparison->a : comparison->a - comparison->b;
    uint64_t mask = mask_of(comparison->width);
    uint32_t at =
        comparison->when < trace->node_count ? comparison->when : (uint32_t)trace->node_count;
    while (at-- > 1) {
        const wri_node *node = &trace->nodes[at];
        if (node->what != WRI_CHOICE || node->kind == WRI_REAL || node->max == 0 || back-- > 0)
            continue;
        uint64_t number, value = value_of(node, node->number);
        if (!number_of(node, value + difference, &number) &&
            !number_of(node, (value + difference) & mask, &number))
            return false;
        *change = (wri_change){ .node = at, .number = number };
        return number != node->number;
    }
    return false;
}

/* One way to make the sides equal, of WAYS that come round again, each time for a choice that
 * lies further back. A constant is never what is changed. */
#define WAYS 4
static bool try_way(unsigned way, const wri_trace *trace, const wri_comparison *comparison,
                    uint64_t *random, wri_change *change)
{
    uint64_t a = comparison->a, b = comparison->b;
    bool     turned = (way & 1) != 0 && !comparison->constant;
    if ((way & 2) != 0)
        return find_difference(trace, comparison, turned, way / WAYS, change);
    return turned ? find_side(trace, a, b, comparison->width, random, change)
                  : find_side(trace, b, a, comparison->width, random, change);
}

/* Another way at each try, or the next one that there is. */
static bool fulfil(const wri_trace *trace, const wri_comparison *comparison, unsigned tries,
                   uint64_t *random, wri_change *change)
{
    for (unsigned i = 0; i < WAYS; i++)
        if (try_way(tries + i, trace, comparison, random, change))
            return true;
    return false;
}

/* ---- Which comparison ---- */

/* Is it worth an execution? Wishes that are new are; and in a run that lost what it was picked
 * for, those that could be fulfilled before. */
static bool worth_it(const wri_wish *wish, bool lost, uint64_t *random)
{
    if (wish->tries < PATIENCE)
        return true;
    unsigned one_in = lost && wish->helped > 0 ? 1 : 2 + wish->tries;
    return wri_prng_scale(wri_prng_next(random), one_in - 1) == 0;
}

bool wri_substitute(wri_pool *pool, const wri_trace *trace, const wri_comparison *made,
                    size_t count, bool lost, uint64_t *random, wri_change *change,
                    uint32_t *place)
{
    uint32_t least = UINT32_MAX;
    /* The least tried; of those alike, the last, which is likely where the run turned back. */
    for (unsigned round = 0; round < LOOKED_AT && count > 0; round++) {
        size_t   best = count;
        uint32_t best_tries = UINT32_MAX;
        for (size_t i = count; i-- > 0;) {
            uint32_t tries = look_up(pool, &made[i])->tries;
            if (tries < best_tries && (least == UINT32_MAX || tries > least)) {
                best = i;
                best_tries = tries;
            }
        }
        if (best == count)
            return false;
        least = best_tries;
        wri_wish *wish = look_up(pool, &made[best]);
        if (!worth_it(wish, lost, random))
            continue;
        if (wish->tries < UINT16_MAX)
            wish->tries++;
        if (fulfil(trace, &made[best], wish->tries - 1u, random, change)) {
            *place = wish_of(&made[best]);
            return true;
        }
    }
    return false;
}
