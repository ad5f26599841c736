/* constants/dictionary.c: what was harvested, sorted, each once. */
#include "constants/dictionary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constants/binary.h"
#include "constants/harvest.h"
#include "core/prng.h"

/* ---- Sorting ---- */

static int by_value(const void *a, const void *b)
{
    int64_t one = ((const wri_harvested_number *)a)->value;
    int64_t other = ((const wri_harvested_number *)b)->value;
    return (one > other) - (one < other);
}

static int by_real(const void *a, const void *b)
{
    double one = ((const wri_harvested_real *)a)->value;
    double other = ((const wri_harvested_real *)b)->value;
    return (one > other) - (one < other);
}

static int by_letters(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The heaviest weight of a value counts: a number that code uses often is no better than others.
 */
static void keep_numbers(wri_dictionary *to, wri_harvested *from)
{
    wri_known_number *kept = malloc((from->number_count + 1) * sizeof *kept);
    size_t            count = 0;
    uint64_t          sum = 0;
    if (kept == NULL)
        return;
    if (from->number_count > 0)
        qsort(from->numbers, from->number_count, sizeof *from->numbers, by_value);
    for (size_t i = 0; i < from->number_count; i++) {
        const wri_harvested_number *at = &from->numbers[i];
        if (count == 0 || kept[count - 1].value != at->value)
            kept[count++] = (wri_known_number){ at->value, at->weight, 0 };
        else if (kept[count - 1].weight < at->weight)
            kept[count - 1].weight = at->weight;
    }
    for (size_t i = 0; i < count; i++) {
        kept[i].before = sum;
        sum += kept[i].weight;
    }
    to->numbers = kept;
    to->number_count = count;
}

static void keep_reals(wri_dictionary *to, wri_harvested *from)
{
    wri_known_real *kept = malloc((from->real_count + 1) * sizeof *kept);
    size_t          count = 0;
    uint64_t        sum = 0;
    if (kept == NULL)
        return;
    if (from->real_count > 0)
        qsort(from->reals, from->real_count, sizeof *from->reals, by_real);
    for (size_t i = 0; i < from->real_count; i++) {
        const wri_harvested_real *at = &from->reals[i];
        if (count == 0 || kept[count - 1].value != at->value)
            kept[count++] = (wri_known_real){ at->value, at->weight, 0 };
        else if (kept[count - 1].weight < at->weight)
            kept[count - 1].weight = at->weight;
    }
    for (size_t i = 0; i < count; i++) {
        kept[i].before = sum;
        sum += kept[i].weight;
    }
    to->reals = kept;
    to->real_count = count;
}

/* The texts move into the dictionary; repeated ones are freed. */
static void keep_words(wri_dictionary *to, wri_harvested *from)
{
    size_t count = 0;
    if (from->word_count > 0)
        qsort(from->words, from->word_count, sizeof *from->words, by_letters);
    for (size_t i = 0; i < from->word_count; i++) {
        if (count > 0 && strcmp(from->words[count - 1], from->words[i]) == 0)
            free(from->words[i]);
        else
            from->words[count++] = from->words[i];
    }
    to->words = (const char *const *)from->words;
    to->word_count = count;
}

static wri_dictionary sorted(wri_harvested *from)
{
    wri_dictionary made = { 0 };
    keep_numbers(&made, from);
    keep_reals(&made, from);
    keep_words(&made, from);
    free(from->numbers);
    free(from->reals);
    return made;
}

/* ---- Dictionaries ---- */

wri_dictionary wri_dictionary_read(const char *path)
{
    wri_harvested all = { 0 };
    wri_harvest(&all, path);
    return sorted(&all);
}

void wri_dictionary_free(wri_dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->word_count; i++)
        free((void *)dictionary->words[i]);
    free((void *)dictionary->words);
    free((void *)dictionary->numbers);
    free((void *)dictionary->reals);
    *dictionary = (wri_dictionary){ 0 };
}

static void harvest_module(void *context, const char *path)
{
    wri_harvest(context, path);
}

const wri_dictionary *wri_dictionary_own(void)
{
    static wri_dictionary own;
    static bool           known;
    if (!known) {
        wri_harvested all = { 0 };
        wri_binary_each_own(harvest_module, &all);
        own = sorted(&all);
        known = true;
    }
    return &own;
}

/* ---- Choosing ---- */

/* The first entry that is not below lo. */
static size_t first_number(const wri_dictionary *of, int64_t lo)
{
    size_t low = 0, high = of->number_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->numbers[middle].value < lo)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t first_real(const wri_dictionary *of, double lo)
{
    size_t low = 0, high = of->real_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->reals[middle].value < lo)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The entry in which this place of the weights lies. */
static size_t number_at(const wri_dictionary *of, size_t low, size_t high, uint64_t place)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (of->numbers[middle].before <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t real_at(const wri_dictionary *of, size_t low, size_t high, uint64_t place)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (of->reals[middle].before <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The entries from..to of a dictionary, and their weights together. */
typedef struct slice {
    size_t   from, to;
    uint64_t first, weight;
} slice;

static slice numbers_between(const wri_dictionary *of, int64_t lo, int64_t hi)
{
    slice in = { .from = first_number(of, lo) };
    in.to = hi == INT64_MAX ? of->number_count : first_number(of, hi + 1);
    if (in.to > in.from) {
        const wri_known_number *last = &of->numbers[in.to - 1];
        in.first = of->numbers[in.from].before;
        in.weight = last->before + last->weight - in.first;
    }
    return in;
}

static slice reals_between(const wri_dictionary *of, double lo, double hi)
{
    slice in = { .from = first_real(of, lo) };
    in.to = first_real(of, nextafter(hi, INFINITY));
    if (in.to > in.from) {
        const wri_known_real *last = &of->reals[in.to - 1];
        in.first = of->reals[in.from].before;
        in.weight = last->before + last->weight - in.first;
    }
    return in;
}

bool wri_dictionary_number(const wri_dictionary *dictionary, int64_t lo, int64_t hi,
                           uint64_t word, int64_t *value)
{
    slice in = numbers_between(dictionary, lo, hi);
    if (in.weight == 0)
        return false;
    uint64_t place = in.first + wri_prng_scale(wri_prng_mix(word), in.weight - 1);
    int64_t  found = dictionary->numbers[number_at(dictionary, in.from, in.to, place)].value;
    if ((word & 3) == 0 && found > lo)
        found--;
    else if ((word & 3) == 1 && found < hi)
        found++;
    *value = found;
    return true;
}

/* A whole number of the range, as a real. */
static bool whole_real(const wri_dictionary *dictionary, double lo, double hi, uint64_t word,
                       double *value)
{
    const double most = 9007199254740992.0; /* 2^53 */
    int64_t      whole;
    lo = lo > -most ? ceil(lo) : -most;
    hi = hi < most ? floor(hi) : most;
    if (lo > hi || !wri_dictionary_number(dictionary, (int64_t)lo, (int64_t)hi, word, &whole))
        return false;
    *value = (double)whole;
    return true;
}

bool wri_dictionary_real(const wri_dictionary *dictionary, double lo, double hi, uint64_t word,
                         double *value)
{
    slice    in = reals_between(dictionary, lo, hi);
    uint64_t mixed = wri_prng_mix(word);
    if ((in.weight == 0 || mixed >> 62 == 0) && whole_real(dictionary, lo, hi, word, value))
        return true;
    if (in.weight == 0)
        return false;
    uint64_t place = in.first + wri_prng_scale(mixed << 2, in.weight - 1);
    *value = dictionary->reals[real_at(dictionary, in.from, in.to, place)].value;
    return true;
}
