/* explore/weights.c: counts what choices came to, and makes weights of it. */
#include "explore/weights.h"

#include "core/prng.h"

/* exp(N(0,1)) at the middles of 64 equal parts of its distribution; 4096 is 1. */
static const uint64_t FACTORS[64] = {
    365,   561,   704,   826,   939,   1045,  1147,  1247,  1346,  1443,  1541,  1638,  1736,
    1835,  1934,  2035,  2138,  2242,  2349,  2457,  2568,  2682,  2798,  2917,  3040,  3166,
    3297,  3431,  3570,  3713,  3862,  4017,  4177,  4344,  4518,  4700,  4890,  5089,  5298,
    5519,  5751,  5996,  6256,  6533,  6828,  7143,  7482,  7847,  8242,  8673,  9145,  9665,
    10243, 10891, 11625, 12468, 13453, 14625, 16058, 17876, 20308, 23848, 29887, 45951,
};

/* Counts are halved before they overflow. */
#define COUNTED_MOST ((uint32_t)1 << 30)

/* Sizes below 4 are told apart, larger ones by their bits. */
static uint64_t class_of(uint64_t budget)
{
    return budget < 4 ? budget : 66 - (uint64_t)__builtin_clzll(budget);
}

static uint64_t key_of(uint32_t type, uint64_t ranks, uint64_t budget)
{
    return wri_prng_mix(ranks ^ wri_prng_mix((uint64_t)type << 8 | class_of(budget))) | 1;
}

/* The row with this key, or a free one for it; WRI_WEIGHT_ROWS: there is none. */
static size_t find(wri_learnt_weights *learnt, uint64_t key)
{
    size_t at = key >> 32;
    for (size_t tries = 0; tries < WRI_WEIGHT_ROWS; tries++, at++) {
        wri_weight_row *row = &learnt->rows[at % WRI_WEIGHT_ROWS];
        if (row->key == 0)
            row->key = key;
        if (row->key == key)
            return at % WRI_WEIGHT_ROWS;
    }
    return WRI_WEIGHT_ROWS;
}

uint16_t wri_weights_row(wri_weights *weights, uint32_t type, uint64_t ranks, uint64_t budget)
{
    size_t row = find(weights->learnt, key_of(type, ranks, budget));
    return row == WRI_WEIGHT_ROWS ? WRI_NO_WEIGHTS : (uint16_t)row;
}

/* ---- Weights ---- */

static uint64_t root(uint64_t square)
{
    uint64_t of = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((of | bit) * (of | bit) <= square)
            of |= bit;
    return of;
}

/* 65536 for a constructor that always met the preconditions, and for one not taken yet. */
static uint64_t share_of(const wri_weight_row *row, unsigned rank)
{
    uint64_t taken = (uint64_t)row->taken[rank] + 1, met = (uint64_t)row->met[rank] + 1;
    return root((met < taken ? met : taken) * UINT32_MAX / taken) + 1;
}

static uint64_t factor_of(const wri_weights *weights, uint32_t type, unsigned rank)
{
    return FACTORS[wri_prng_stream(weights->swarm ^ type, rank) >> 58];
}

static void make(wri_weights *weights, uint16_t at, uint32_t type, uint64_t ranks)
{
    for (; ranks != 0; ranks &= ranks - 1) {
        unsigned rank = (unsigned)__builtin_ctzll(ranks);
        uint64_t weight = 1;
        if (weights->swarms)
            weight *= factor_of(weights, type, rank);
        if (weights->learns)
            weight *= share_of(&weights->learnt->rows[at], rank);
        weights->weights[at][rank] = weight;
    }
    weights->made[at] = weights->period;
}

unsigned wri_weights_pick(wri_weights *weights, uint16_t at, uint32_t type, uint64_t ranks,
                          uint64_t left, uint64_t *random)
{
    uint64_t sum = 0, rest = left;
    if (weights->made[at] != weights->period)
        make(weights, at, type, ranks);
    const uint64_t *row = weights->weights[at];
    for (; rest != 0; rest &= rest - 1)
        sum += row[__builtin_ctzll(rest)];
    uint64_t wanted = wri_prng_scale(wri_prng_next(random), sum - 1);
    unsigned rank = (unsigned)__builtin_ctzll(left);
    while (wanted >= row[rank]) {
        wanted -= row[rank];
        left &= left - 1;
        rank = (unsigned)__builtin_ctzll(left);
    }
    weights->learnt->rows[at].taken[rank]++;
    return rank;
}

void wri_weights_met(wri_weights *weights, uint16_t row, uint64_t rank)
{
    weights->learnt->rows[row].met[rank]++;
}

/* ---- Sums ---- */

static void halve(wri_weight_row *row)
{
    for (unsigned rank = 0; rank < WRI_WEIGHT_RANKS; rank++) {
        row->taken[rank] /= 2;
        row->met[rank] /= 2;
    }
}

void wri_weights_add(wri_learnt_weights *sum, const wri_learnt_weights *after,
                     const wri_learnt_weights *before)
{
    for (size_t i = 0; i < WRI_WEIGHT_ROWS; i++) {
        const wri_weight_row *now = &after->rows[i], *then = &before->rows[i];
        if (now->key == 0 || (then->key != 0 && then->key != now->key))
            continue;
        size_t at = find(sum, now->key);
        if (at == WRI_WEIGHT_ROWS)
            continue;
        wri_weight_row *to = &sum->rows[at];
        bool            large = false;
        for (unsigned rank = 0; rank < WRI_WEIGHT_RANKS; rank++) {
            uint32_t taken = now->taken[rank] - then->taken[rank];
            uint32_t met = now->met[rank] - then->met[rank];
            if (met > taken || taken > COUNTED_MOST)
                continue;
            to->taken[rank] += taken;
            to->met[rank] += met;
            large |= to->taken[rank] > COUNTED_MOST;
        }
        if (large)
            halve(to);
    }
}
