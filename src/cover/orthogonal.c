/* cover/orthogonal.c: see orthogonal.h. */
#include "cover/orthogonal.h"

#include "cover/field.h"

#include <stdlib.h>
#include <string.h>

/* No ring above: an array over a larger one has more rows than anybody can take. */
#define RING_LIMIT (UINT32_C(1) << 20)
#define MOST_PARTS 8

uint64_t wri_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t wri_power(uint64_t a, uint32_t n)
{
    uint64_t result = 1;
    while (n-- > 0)
        result = wri_times(result, a);
    return result;
}

/* ---- A ring: the product of the fields of its size's prime powers ---- */

typedef struct ring {
    uint32_t size, parts;
    bool plain; /* all of them prime: the numbers modulo the size are as good, and faster */
    wri_field part[MOST_PARTS];
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
        wri_field_close(&r->part[i]);
}

static bool ring_open(ring *r, uint32_t size)
{
    *r = (ring){.size = size, .plain = true};
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
        if (!wri_field_open(&r->part[r->parts], part)) {
            ring_close(r);
            return false;
        }
        r->parts++;
    }
    return true;
}

typedef uint32_t field_operation(const wri_field *field, uint32_t a, uint32_t b);

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
    return by_parts(r, wri_field_sum, a, b);
}

static uint32_t ring_product(const ring *r, uint32_t a, uint32_t b)
{
    if (r->plain)
        return (uint32_t)((uint64_t)a * b % r->size);
    return by_parts(r, wri_field_product, a, b);
}

/* The i-th point: the differences of two of the first smallest_part() are units. */
static uint32_t ring_point(const ring *r, uint32_t i)
{
    if (r->plain)
        return i;
    uint32_t point = 0, weight = 1;
    for (uint32_t part = 0; part < r->parts; part++) {
        point += weight * i;
        weight *= r->part[part].size;
    }
    return point;
}

/* ---- Which array ---- */

/* How many slots polynomials over the ring have. In characteristic 2 the middle coefficient of a
 * square polynomial is one more. */
static uint32_t polynomial_slots(uint32_t size, uint32_t strength)
{
    uint32_t part = smallest_part(size);
    bool even = part == size && (size & (size - 1)) == 0;
    return part + (strength == 3 && even && size > 2 ? 2 : 1);
}

/* Puts the columns, widest first, into slots: the first has room `top`, the others `room`. False:
 * they need more than `slots`. */
static bool pack(uint32_t columns, const uint32_t *levels, const uint32_t *order, uint32_t slots,
                 uint32_t top, uint32_t room, wri_slot_use *uses, uint32_t *used)
{
    for (uint32_t slot = 0; slot < slots; slot++)
        used[slot] = 1;
    uint32_t open = 0; /* slots from here on are empty */
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t column = order[i], slot = open < slots && slots - open >= columns - i ? open : 0;
        while (slot < open && (uint64_t)used[slot] * levels[column] > (slot == 0 ? top : room))
            slot++;
        if (slot == slots)
            return false;
        open += slot == open;
        uses[column] = (wri_slot_use){slot, used[slot], levels[column], 0};
        used[slot] *= levels[column];
    }
    for (uint32_t column = 0; column < columns; column++)
        uses[column].used = used[uses[column].slot];
    return true;
}

/* Whether that many columns can fit at all: a quick no. */
static bool may_fit(uint32_t columns, uint32_t narrowest, uint32_t slots, uint32_t room)
{
    uint32_t each = 0;
    for (uint64_t product = narrowest; product <= room; product *= narrowest)
        each++;
    return (uint64_t)each * slots >= columns;
}

/* The widest first. Insertion keeps columns of the same width in their order. */
static void by_width(uint32_t columns, const uint32_t *levels, uint32_t *order)
{
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t at = i;
        for (; at > 0 && levels[order[at - 1]] < levels[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* As many rows as the t widest columns need: their full product. The others have to fit into one
 * more slot. */
static bool plan_sum(wri_orthogonal *array, const uint32_t *levels, const uint32_t *order)
{
    uint32_t t = array->strength;
    uint64_t rest = 1;
    for (uint32_t i = t; i < array->columns && rest <= UINT32_MAX; i++)
        rest *= levels[order[i]];
    uint32_t narrowest = levels[order[t - 1]];
    if (rest > narrowest && t > 1)
        return false;
    array->ring = 0;
    array->slots = t + 1;
    array->rows = 1;
    uint32_t weight = 1;
    for (uint32_t i = 0; i < array->columns; i++) {
        uint32_t column = order[i], wide = levels[column];
        if (i < t) {
            array->ranges[i] = wide;
            array->rows = wri_times(array->rows, wide);
            array->uses[column] = (wri_slot_use){i, 1, wide, wide};
        } else if (t == 1) { /* the one slot is enough for all */
            array->uses[column] = (wri_slot_use){0, 1, wide, wide};
        } else {
            array->uses[column] = (wri_slot_use){t, weight, wide, (uint32_t)rest};
            weight *= wide;
        }
    }
    array->ranges[t] = narrowest;
    return true;
}

/* The smallest ring whose slots hold all columns: only the column at infinity may be wider. */
static bool plan_polynomials(wri_orthogonal *array, const uint32_t *levels, const uint32_t *order,
                             uint32_t *used)
{
    uint32_t columns = array->columns, widest = levels[order[0]], second = levels[order[1]];
    uint32_t narrowest = levels[order[columns - 1]];
    for (uint32_t size = second; size <= RING_LIMIT; size++) {
        uint32_t slots = polynomial_slots(size, array->strength);
        if (slots > columns)
            slots = columns;
        uint32_t top = widest > size ? widest : size;
        if (slots < array->strength || !may_fit(columns, narrowest, slots, top) ||
            !pack(columns, levels, order, slots, top, size, array->uses, used))
            continue;
        array->ring = size;
        array->slots = slots;
        array->top = top;
        array->rows = wri_times(top, wri_power(size, array->strength - 1));
        return true;
    }
    return false;
}

bool wri_orthogonal_open(wri_orthogonal *array, uint32_t strength, uint32_t columns,
                         const uint32_t *levels)
{
    memset(array, 0, sizeof *array);
    array->strength = strength;
    array->columns = columns;
    array->ranges = malloc((strength + 1) * sizeof *array->ranges);
    array->uses = malloc(columns * sizeof *array->uses);
    uint32_t *order = malloc(2 * (size_t)columns * sizeof *order);
    bool found = false;
    if (array->ranges != NULL && array->uses != NULL && order != NULL) {
        by_width(columns, levels, order);
        found = plan_sum(array, levels, order) ||
                plan_polynomials(array, levels, order, order + columns);
    }
    free(order);
    if (found && array->rows <= INT64_MAX)
        return true;
    wri_orthogonal_close(array);
    return false;
}

void wri_orthogonal_close(wri_orthogonal *array)
{
    free(array->ranges);
    free(array->uses);
    memset(array, 0, sizeof *array);
}

/* ---- The rows, in blocks that differ in the constant coefficient (the first term) ---- */

typedef struct block {
    const wri_orthogonal *array;
    ring ring;
    uint32_t *coefficients; /* or the terms of a sum */
    uint32_t *points;       /* for each slot */
    uint32_t length;        /* of a block */
    uint32_t *symbols;      /* slot by slot, `length` each */
    uint32_t *levels;       /* column by column, the level that each symbol of its slot stands for */
    size_t *level_at;       /* where a column's begin in that; SIZE_MAX: the symbol is the level */
    uint32_t *row;
} block;

/* The value of the polynomial without its constant coefficient. */
static uint32_t value_at(const block *b, uint32_t point)
{
    const ring *r = &b->ring;
    uint32_t value = 0;
    for (uint32_t j = b->array->strength; j-- > 1;)
        value = ring_product(r, ring_sum(r, value, b->coefficients[j] % r->size), point);
    return value;
}

static void fill_constant(const block *b, uint32_t slot, uint32_t symbol)
{
    for (uint32_t i = 0; i < b->length; i++)
        b->symbols[(size_t)slot * b->length + i] = symbol;
}

/* Slot 0 is at infinity, so that the widest column comes there. */
static void fill_polynomials(const block *b)
{
    uint32_t finite = smallest_part(b->ring.size);
    fill_constant(b, 0, b->coefficients[b->array->strength - 1]);
    for (uint32_t slot = 1; slot < b->array->slots; slot++) {
        if (slot > finite) {
            fill_constant(b, slot, b->coefficients[1]);
            continue;
        }
        uint32_t *symbols = b->symbols + (size_t)slot * b->length;
        uint32_t value = value_at(b, b->points[slot]);
        for (uint32_t i = 0; i < b->length; i++)
            symbols[i] = ring_sum(&b->ring, value, i);
    }
}

static void fill_sums(const block *b)
{
    uint32_t t = b->array->strength, modulus = b->array->ranges[t];
    uint64_t sum = 0;
    for (uint32_t slot = 1; slot < t; slot++) {
        sum += b->coefficients[slot];
        fill_constant(b, slot, b->coefficients[slot]);
    }
    uint32_t *last = b->symbols + (size_t)t * b->length, at = (uint32_t)(sum % modulus);
    for (uint32_t i = 0; i < b->length; i++) {
        b->symbols[i] = i;
        last[i] = at;
        at = at + 1 == modulus ? 0 : at + 1;
    }
}

static bool take_block(const block *b, wri_row_taker *take, void *state)
{
    uint32_t columns = b->array->columns;
    for (uint32_t i = 0; i < b->length; i++) {
        for (uint32_t column = 0; column < columns; column++) {
            const wri_slot_use *use = &b->array->uses[column];
            uint32_t symbol = b->symbols[(size_t)use->slot * b->length + i];
            if (symbol >= use->used)
                b->row[column] = WRI_ANY;
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

static uint32_t coefficient_range(const wri_orthogonal *array, uint32_t j)
{
    if (array->ring == 0)
        return array->ranges[j];
    return j + 1 == array->strength ? array->top : array->ring;
}

/* Counts the coefficients but the constant one; false: that was the last. */
static bool next_block(const block *b)
{
    for (uint32_t j = 1; j < b->array->strength; j++) {
        if (++b->coefficients[j] < coefficient_range(b->array, j))
            return true;
        b->coefficients[j] = 0;
    }
    return false;
}

/* What a symbol stands for, where it carries several columns. */
static bool open_levels(block *b)
{
    const wri_orthogonal *array = b->array;
    size_t total = 0;
    for (uint32_t column = 0; column < array->columns; column++) {
        const wri_slot_use *use = &array->uses[column];
        bool shared = use->used != use->levels;
        b->level_at[column] = shared ? total : SIZE_MAX;
        total += shared ? use->used : 0;
    }
    b->levels = malloc((total + 1) * sizeof *b->levels);
    for (uint32_t column = 0; b->levels != NULL && column < array->columns; column++) {
        const wri_slot_use *use = &array->uses[column];
        for (uint32_t i = 0; b->level_at[column] != SIZE_MAX && i < use->used; i++)
            b->levels[b->level_at[column] + i] = i / use->weight % use->levels;
    }
    return b->levels != NULL;
}

static bool block_open(block *b, const wri_orthogonal *array)
{
    *b = (block){.array = array, .length = coefficient_range(array, 0)};
    if (array->ring > 0 && !ring_open(&b->ring, array->ring))
        return false;
    b->coefficients = calloc(array->strength, sizeof *b->coefficients);
    b->points = calloc(array->slots, sizeof *b->points);
    b->symbols = malloc((size_t)array->slots * b->length * sizeof *b->symbols);
    b->level_at = malloc(array->columns * sizeof *b->level_at);
    b->row = malloc(array->columns * sizeof *b->row);
    if (b->coefficients == NULL || b->points == NULL || b->symbols == NULL ||
        b->level_at == NULL || b->row == NULL || !open_levels(b))
        return false;
    for (uint32_t slot = 1; array->ring > 0 && slot < array->slots; slot++)
        b->points[slot] = ring_point(&b->ring, slot - 1);
    return true;
}

static void block_close(block *b)
{
    ring_close(&b->ring);
    free(b->coefficients);
    free(b->points);
    free(b->symbols);
    free(b->levels);
    free(b->level_at);
    free(b->row);
}

bool wri_orthogonal_rows(const wri_orthogonal *array, wri_row_taker *take, void *state)
{
    block b;
    bool opened = block_open(&b, array);
    if (opened)
        do {
            if (array->ring > 0)
                fill_polynomials(&b);
            else
                fill_sums(&b);
        } while (take_block(&b, take, state) && next_block(&b));
    block_close(&b);
    return opened;
}
