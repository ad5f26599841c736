/* cover/algebra/field.c: finite fields, by tables of sums, products and logarithms. */
#include "cover/algebra/field.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_LIMIT 256
#define LOG_LIMIT 65536

/* Whether the number is a power of a prime; then *prime and *degree say which. */
static bool is_order(uint32_t number, uint32_t *prime, uint32_t *degree)
{
    if (number < 2)
        return false;
    uint32_t p = 2;
    while ((uint64_t)p * p <= number && number % p != 0)
        p++;
    if (number % p != 0)
        p = number;
    *prime = p;
    for (*degree = 0; number % p == 0; number /= p)
        ++*degree;
    return number == 1;
}

uint32_t wrc_field_next_order(uint32_t number)
{
    uint32_t prime, degree;
    while (!is_order(number, &prime, &degree))
        number++;
    return number;
}

/* Digit by digit, without carry. */
static uint32_t add_digits(const wrc_field *field, uint32_t a, uint32_t b)
{
    uint32_t p = field->prime, sum = 0;
    for (uint32_t weight = 1; weight < field->size; weight *= p, a /= p, b /= p)
        sum += (a % p + b % p) % p * weight;
    return sum;
}

/* x times a polynomial, modulo x^degree = tail. */
static uint32_t times_x(const wrc_field *field, uint32_t a, uint32_t tail)
{
    uint32_t lead = field->size / field->prime;
    uint32_t times = a / lead, result = a % lead * field->prime;
    for (uint32_t i = 0; i < times; i++)
        result = add_digits(field, result, tail);
    return result;
}

/* Fills the logarithms if x, modulo x^degree = tail, runs through all of the field but 0. */
static bool fill_logs(wrc_field *field, uint32_t tail)
{
    uint32_t order = field->size - 1, at = 1;
    for (uint32_t i = 0; i < order; i++) {
        if (at == 0 || (i > 0 && at == 1))
            return false;
        field->power[i] = field->power[i + order] = at;
        field->log[at] = i;
        at = field->degree == 1 ? (uint32_t)((uint64_t)at * tail % field->size)
                                : times_x(field, at, tail);
    }
    return at == 1;
}

static bool open_logs(wrc_field *field)
{
    field->power = malloc(2 * (size_t)field->size * sizeof *field->power);
    field->log = calloc(field->size, sizeof *field->log);
    if (field->power == NULL || field->log == NULL)
        return false;
    for (uint32_t tail = 1; tail < field->size; tail++)
        if (fill_logs(field, tail))
            return true;
    return false;
}

static bool open_tables(wrc_field *field)
{
    uint32_t q = field->size;
    uint8_t *sums = malloc((size_t)q * q), *products = malloc((size_t)q * q);
    for (uint32_t a = 0; sums != NULL && products != NULL && a < q; a++)
        for (uint32_t b = 0; b < q; b++) {
            sums[a * q + b] = (uint8_t)wrc_field_sum(field, a, b);
            products[a * q + b] = (uint8_t)wrc_field_product(field, a, b);
        }
    field->sums = sums;
    field->products = products;
    return sums != NULL && products != NULL;
}

bool wrc_field_open(wrc_field *field, uint32_t size)
{
    memset(field, 0, sizeof *field);
    field->size = size;
    if (!is_order(size, &field->prime, &field->degree))
        return false;
    if (size > LOG_LIMIT)
        return field->degree == 1;
    if (open_logs(field) && (size > TABLE_LIMIT || open_tables(field)))
        return true;
    wrc_field_close(field);
    return false;
}

void wrc_field_close(wrc_field *field)
{
    free(field->power);
    free(field->log);
    free(field->sums);
    free(field->products);
    memset(field, 0, sizeof *field);
}

uint32_t wrc_field_sum(const wrc_field *field, uint32_t a, uint32_t b)
{
    if (field->sums != NULL)
        return field->sums[a * field->size + b];
    if (field->degree == 1)
        return (uint32_t)(((uint64_t)a + b) % field->size);
    return field->prime == 2 ? a ^ b : add_digits(field, a, b);
}

uint32_t wrc_field_product(const wrc_field *field, uint32_t a, uint32_t b)
{
    if (field->products != NULL)
        return field->products[a * field->size + b];
    if (field->power == NULL)
        return (uint32_t)((uint64_t)a * b % field->size);
    return a == 0 || b == 0 ? 0 : field->power[field->log[a] + field->log[b]];
}

uint32_t wrc_field_negative(const wrc_field *field, uint32_t a)
{
    uint32_t minus_one = field->prime == 2 ? 1 : field->prime - 1; /* whatever the degree */
    return wrc_field_product(field, a, minus_one);
}

/* a^(q-2): there are logarithms for all but large primes. */
uint32_t wrc_field_inverse(const wrc_field *field, uint32_t a)
{
    if (field->power != NULL)
        return field->power[field->size - 1 - field->log[a]];
    uint64_t result = 1, square = a;
    for (uint32_t e = field->size - 2; e > 0; e >>= 1, square = square * square % field->size)
        if (e & 1)
            result = result * square % field->size;
    return (uint32_t)result;
}
