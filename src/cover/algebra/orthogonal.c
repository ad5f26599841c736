/* cover/algebra/orthogonal.c: finds the smallest orthogonal array for some columns, and computes
 * its rows. */
#include "cover/algebra/orthogonal.h"

#include "cover/algebra/count.h"
#include "cover/algebra/field.h"
#include "cover/model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* No ring above: an array over a larger one has more rows than anybody can take. */
#define RING_LIMIT (UINT32_C(1) << 20)
#define MOST_PARTS 8

/* ---- A ring: the product of the fields of its size's prime powers ---- */

typedef struct ring {
    uint32_t  size, parts;
    bool      plain; /* all of them prime: the numbers modulo the size are as good, and faster */
    wrc_field part[MOST_PARTS];
} ring;

/* The smallest of the prime powers whose product the number is. */
static uint32_t smallest_part(uint32_t number)
{
    uint32_t smallest = number;
    for (uint32_t p = 2; p <= number / p; p++) {
        uint32_t part = 1;
        for (; number % p == 0; number /= p)
            part *= p;
        if (part > 1 && part < smallest)
            smallest = part;
    }
    return number > 1 && number < smallest ? number : smallest;
}

static void ring_close(ring *r)
{
    for (uint32_t i = 0; i < r->parts; i++)
        wrc_field_close(&r->part[i]);
}

static bool ring_open(ring *r, uint32_t size)
{
    *r = (ring){ .size = size, .plain = true };
    uint32_t rest = size;
    for (uint32_t p = 2; rest > 1; p++) {
        if (p > rest / p)
            p = rest; /* what is left is prime */
        uint32_t part = 1, degree = 0;
        for (; rest % p == 0; rest /= p, degree++)
            part *= p;
        if (part == 1)
            continue;
        r->plain = r->plain && degree == 1;
        if (!wrc_field_open(&r->part[r->parts], part)) {
            ring_close(r);
            return false;
        }
        r->parts++;
    }
    return true;
}

typedef uint32_t field_operation(const wrc_field *field, uint32_t a, uint32_t b);

static uint32_t by_parts(const ring *r, field_operation *operation, uint32_t a, uint32_t b)
{
    uint32_t result = 0, weight = 1;
    for (uint32_t i = 0; i < r->parts; i++) {
        uint32_t q = r->part[i].size;
        result += weight * operation(&r->part[i], a % q, b % q);
        weight *= q;
        a /= q;
        b /= q;
    }
    return result;
}

static uint32_t ring_sum(const ring *r, uint32_t a, uint32_t b)
{
    if (r->plain)
        return a + b < r->size ? a + b : a + b - r->size;
    return by_parts(r, wrc_field_sum, a, b);
}

static uint32_t ring_product(const ring *r, uint32_t a, uint32_t b)
{
    if (r->plain)
        return (uint32_t)((uint64_t)a * b % r->size);
    return by_parts(r, wrc_field_product, a, b);
}

/* The number that is the parts' elements modulo each of them: plain rings count so. */
static uint32_t from_parts(const ring *r, uint32_t parts)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < r->parts; i++) {
        uint32_t q = r->part[i].size, others = r->size / q;
        uint32_t one = wrc_field_inverse(&r->part[i], others % q); /* others * one = 1 modulo q */
        number += (uint64_t)others * (one * (uint64_t)(parts % q) % q);
        parts /= q;
    }
    return (uint32_t)(number % r->size);
}

/* ---- Which array ---- */

/* How many slots polynomials over the ring have. In characteristic 2 the middle coefficient of a
 * square polynomial is one more. */
static uint32_t polynomial_slots(uint32_t size, uint32_t strength)
{
    uint32_t part = smallest_part(size);
    bool     even = part == size && (size & (size - 1)) == 0;
    return part + (strength == 3 && even && size > 2 ? 2 : 1);
}

/* The room of a slot: those that are given have as many symbols as their column needs. */
static uint32_t slot_room(const wrc_orthogonal *array, uint32_t slot)
{
    return slot < array->strength ? array->ranges[slot] : array->ring;
}

/* Puts the columns, widest first, into slots. False: they need more than there are. */
static bool pack(wrc_orthogonal *array, const uint32_t *levels, const uint32_t *order,
                 uint32_t *used)
{
    for (uint32_t slot = 0; slot < array->slots; slot++)
        used[slot] = 1;
    uint32_t open = 0; /* slots from here on are empty */
    for (uint32_t i = 0; i < array->columns; i++) {
        uint32_t column = order[i], empty = array->slots - open;
        uint32_t slot = empty > 0 && empty >= array->columns - i ? open : 0;
        while (slot < open && (uint64_t)used[slot] * levels[column] > slot_room(array, slot))
            slot++;
        if (slot == array->slots || levels[column] > slot_room(array, slot))
            return false;
        open += slot == open;
        array->uses[column] = (wrc_slot_use){ slot, used[slot], levels[column], 0 };
        used[slot] *= levels[column];
    }
    for (uint32_t column = 0; column < array->columns; column++)
        array->uses[column].used = used[array->uses[column].slot];
    return true;
}

/* Whether so many columns can fit at all: a quick no. */
static bool may_fit(const wrc_orthogonal *array, uint32_t narrowest)
{
    uint64_t fit = 0;
    for (uint32_t slot = 0; slot < array->slots && fit < array->columns; slot++)
        for (uint64_t product = narrowest; product <= slot_room(array, slot);
             product *= narrowest)
            fit++;
    return fit >= array->columns;
}

void wrc_orthogonal_by_width(uint32_t columns, const uint32_t *levels, uint32_t *order)
{
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t at = i;
        for (; at > 0 && levels[order[at - 1]] < levels[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Sets the ring, and with it the slots and how many rows there are. */
static void set_ring(wrc_orthogonal *array, const uint32_t *levels, const uint32_t *order,
                     uint32_t size)
{
    uint32_t slots = polynomial_slots(size, array->strength);
    array->ring = size;
    array->sum = slots <= array->strength;
    if (array->sum)
        slots = array->strength + 1;
    array->slots = slots < array->columns ? slots : array->columns;
    if (array->slots < array->strength)
        array->slots = array->strength;
    array->rows = 1;
    for (uint32_t i = 0; i < array->strength; i++) {
        array->ranges[i] = levels[order[i]] > size ? levels[order[i]] : size;
        array->rows = wrc_count_times(array->rows, array->ranges[i]);
    }
}

/* The smallest ring whose slots hold all columns: with a larger one there are no fewer rows. */
static bool plan(wrc_orthogonal *array, const uint32_t *levels, const uint32_t *order,
                 uint32_t *used)
{
    bool     all_given = array->columns <= array->strength;
    uint32_t smallest = all_given ? 2 : levels[order[array->strength]]; /* of a computed slot */
    for (uint32_t size = smallest; size <= RING_LIMIT; size++) {
        set_ring(array, levels, order, size);
        if (array->rows > INT64_MAX)
            return false;
        if (may_fit(array, levels[order[array->columns - 1]]) && pack(array, levels, order, used))
            return true;
    }
    return false;
}

/* Strength 1 needs no ring: all columns read the same slot. */
static bool plan_levels(wrc_orthogonal *array, const uint32_t *levels, const uint32_t *order)
{
    set_ring(array, levels, order, 2);
    array->slots = 1;
    for (uint32_t i = 0; i < array->columns; i++)
        array->uses[i] = (wrc_slot_use){ 0, 1, levels[i], levels[i] };
    return true;
}

bool wrc_orthogonal_open(wrc_orthogonal *array, uint32_t strength, uint32_t columns,
                         const uint32_t *levels)
{
    memset(array, 0, sizeof *array);
    array->strength = strength;
    array->columns = columns;
    array->ranges = malloc((strength + 1) * sizeof *array->ranges);
    array->uses = malloc(columns * sizeof *array->uses);
    uint32_t *order = malloc((2 * (size_t)columns + strength) * sizeof *order);
    bool      found = false;
    if (array->ranges != NULL && array->uses != NULL && order != NULL) {
        wrc_orthogonal_by_width(columns, levels, order);
        found = strength == 1 ? plan_levels(array, levels, order)
                              : plan(array, levels, order, order + columns);
    }
    free(order);
    if (found)
        return true;
    wrc_orthogonal_close(array);
    return false;
}

void wrc_orthogonal_close(wrc_orthogonal *array)
{
    free(array->ranges);
    free(array->uses);
    memset(array, 0, sizeof *array);
}

/* ---- How computed slots depend on given ones ---- */

/* The factor of the value at point i in slot `at`, for one field, by interpolation. At
 * infinity that is the leading coefficient; beyond, with three points, the middle one. */
static uint32_t factor(const wrc_field *f, uint32_t points, uint32_t i, uint32_t at)
{
    uint32_t above = 1, below = 1, others = 0;
    for (uint32_t j = 0; j < points; j++) {
        if (j == i)
            continue;
        uint32_t minus = wrc_field_negative(f, j);
        below = wrc_field_product(f, below, wrc_field_sum(f, i, minus));
        others = wrc_field_sum(f, others, minus);
        if (at < f->size)
            above = wrc_field_product(f, above, wrc_field_sum(f, at, minus));
    }
    if (at > f->size)
        above = others;
    return wrc_field_product(f, above, wrc_field_inverse(f, below));
}

/* The same for all parts of the ring, where the factor of the first slot is made 1. A point at
 * infinity comes after those of the smallest part. */
static uint32_t ring_factor(const ring *r, uint32_t points, uint32_t i, uint32_t at)
{
    uint32_t result = 0, weight = 1, finite = smallest_part(r->size);
    for (uint32_t part = 0; part < r->parts; part++) {
        const wrc_field *f = &r->part[part];
        uint32_t         place = at < finite ? at : f->size + (at - finite);
        uint32_t         first = factor(f, points, 0, place);
        uint32_t         here = factor(f, points, i, place);
        result += weight * wrc_field_product(f, here, wrc_field_inverse(f, first));
        weight *= f->size;
    }
    return r->plain ? from_parts(r, result) : result;
}

/* ---- The rows, in blocks that differ in the first given slot ---- */

typedef struct block {
    const wrc_orthogonal *array;
    wrc_blocks            blocks;
    ring                  ring;
    uint32_t *given;    /* the symbols of the given slots; the first is counted within a block */
    uint32_t *factors;  /* for each computed slot, those of the given ones */
    uint32_t  length;   /* of a block */
    uint32_t *symbols;  /* slot by slot, `length` each */
    uint32_t *levels;   /* column by column, the level that each symbol of its slot stands for */
    size_t   *level_at; /* where a column's begin in that; SIZE_MAX: the symbol is the level */
    uint32_t *row;
} block;

static void fill_given(const block *b, uint32_t slot)
{
    uint32_t *symbols = b->symbols + (size_t)slot * b->length;
    for (uint32_t i = 0; i < b->length; i++)
        symbols[i] = slot == 0 ? i : b->given[slot];
}

static void fill_computed(const block *b, uint32_t slot)
{
    uint32_t        t = b->array->strength, size = b->array->ring, value = 0;
    const uint32_t *factors = b->factors + (size_t)(slot - t) * t;
    uint32_t       *symbols = b->symbols + (size_t)slot * b->length;
    for (uint32_t i = 1; i < t; i++)
        value = b->array->sum ? (value + b->given[i] % size) % size
                              : ring_sum(&b->ring, value,
                                         ring_product(&b->ring, factors[i], b->given[i] % size));
    for (uint32_t i = 0, at = 0; i < b->length; i++, at = at + 1 == size ? 0 : at + 1)
        symbols[i] = b->array->sum ? (value + at) % size : ring_sum(&b->ring, value, at);
}

static void fill_block(const block *b)
{
    for (uint32_t slot = 0; slot < b->array->slots; slot++)
        if (slot < b->array->strength)
            fill_given(b, slot);
        else
            fill_computed(b, slot);
}

static bool take_block(const block *b, wrc_row_taker *take, void *state)
{
    uint32_t columns = b->array->columns;
    for (uint32_t i = 0; i < b->length; i++) {
        for (uint32_t column = 0; column < columns; column++) {
            const wrc_slot_use *use = &b->array->uses[column];
            uint32_t            symbol = b->symbols[(size_t)use->slot * b->length + i];
            if (symbol >= use->used)
                b->row[column] = WRC_ANY;
            else
                b->row[column] = b->level_at[column] == SIZE_MAX
                                     ? symbol
                                     : b->levels[b->level_at[column] + symbol];
        }
        if (!take(state, b->row))
            return false;
    }
    return true;
}

/* Counts the given slots but the first; false: that was the last. */
static bool next_block(const block *b)
{
    for (uint32_t i = 1; i < b->array->strength; i++) {
        if (++b->given[i] < b->array->ranges[i])
            return true;
        b->given[i] = 0;
    }
    return false;
}

/* The levels that a symbol stands for, if it carries several columns. */
static bool open_levels(block *b)
{
    const wrc_orthogonal *array = b->array;
    size_t                total = 0;
    for (uint32_t column = 0; column < array->columns; column++) {
        const wrc_slot_use *use = &array->uses[column];
        bool                shared = use->used != use->levels;
        b->level_at[column] = shared ? total : SIZE_MAX;
        total += shared ? use->used : 0;
    }
    b->levels = wrc_blocks_take(&b->blocks, total + 1, sizeof *b->levels);
    for (uint32_t column = 0; b->levels != NULL && column < array->columns; column++) {
        const wrc_slot_use *use = &array->uses[column];
        for (uint32_t i = 0; b->level_at[column] != SIZE_MAX && i < use->used; i++)
            b->levels[b->level_at[column] + i] = i / use->weight % use->levels;
    }
    return b->levels != NULL;
}

static bool block_open(block *b, const wrc_orthogonal *array)
{
    uint32_t t = array->strength, computed = array->slots > t ? array->slots - t : 0;
    *b = (block){ .array = array, .length = array->ranges[0] };
    if (!array->sum && computed > 0 && !ring_open(&b->ring, array->ring))
        return false;
    b->given = wrc_blocks_take(&b->blocks, t, sizeof *b->given);
    b->factors = wrc_blocks_take(&b->blocks, (size_t)computed * t + 1, sizeof *b->factors);
    b->symbols =
        wrc_blocks_take(&b->blocks, (size_t)array->slots * b->length, sizeof *b->symbols);
    b->level_at = wrc_blocks_take(&b->blocks, array->columns, sizeof *b->level_at);
    b->row = wrc_blocks_take(&b->blocks, array->columns, sizeof *b->row);
    if (b->blocks.failed || !open_levels(b))
        return false;
    for (uint32_t i = 0; !array->sum && i < computed * t; i++)
        b->factors[i] = ring_factor(&b->ring, t, i % t, t + i / t);
    return true;
}

bool wrc_orthogonal_rows(const wrc_orthogonal *array, wrc_row_taker *take, void *state)
{
    block b;
    bool  opened = block_open(&b, array);
    if (opened)
        do
            fill_block(&b);
        while (take_block(&b, take, state) && next_block(&b));
    ring_close(&b.ring);
    wrc_blocks_free(&b.blocks);
    return opened;
}
