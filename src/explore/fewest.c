/* explore/fewest.c: greedy set cover.
 *
 * The next case taken is the one that shows most of the missing features. At the end a case is
 * dropped if later ones have made it superfluous. A case's gain never grows, so a case whose last
 * known gain is too small need not be looked at again.
 */
#include "explore/fewest.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const wri_shown *cases;
    size_t           count;
    bool            *chosen;
    size_t          *gains;   /* at most so much does a case add */
    uint32_t        *places;  /* each feature's place in `shown`, case after case */
    size_t          *starts;  /* where a case's places start */
    uint32_t        *numbers; /* all features, ascending, each once */
    size_t          *shown;   /* how many chosen cases show it */
    size_t           missing; /* features that none shows */
} search;

static int compare_numbers(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

size_t wri_fewest_sort(uint32_t *features, size_t count)
{
    size_t left = 0;
    if (count > 1)
        qsort(features, count, sizeof *features, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (left == 0 || features[i] != features[left - 1])
            features[left++] = features[i];
    return left;
}

bool wri_fewest_has(const uint32_t *features, size_t count, uint32_t feature)
{
    return bsearch(&feature, features, count, sizeof feature, compare_numbers) != NULL;
}

static void free_search(search *s)
{
    free(s->gains);
    free(s->places);
    free(s->starts);
    free(s->numbers);
    free(s->shown);
}

static bool reserve(search *s, size_t total)
{
    s->gains = malloc((s->count + 1) * sizeof *s->gains);
    s->starts = malloc((s->count + 1) * sizeof *s->starts);
    s->places = malloc((total + 1) * sizeof *s->places);
    s->numbers = malloc((total + 1) * sizeof *s->numbers);
    s->shown = calloc(total + 1, sizeof *s->shown);
    return s->gains != NULL && s->starts != NULL && s->places != NULL && s->numbers != NULL &&
           s->shown != NULL;
}

/* All features in order, each once. */
static void list_features(search *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->cases[i].count; k++)
            s->numbers[count++] = s->cases[i].features[k];
    s->missing = wri_fewest_sort(s->numbers, count);
}

static void place_features(search *s)
{
    size_t at = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->starts[i] = at;
        s->gains[i] = s->cases[i].count;
        for (size_t k = 0; k < s->cases[i].count; k++) {
            const uint32_t *found = bsearch(&s->cases[i].features[k], s->numbers, s->missing,
                                            sizeof *s->numbers, compare_numbers);
            s->places[at++] = (uint32_t)(found - s->numbers);
        }
    }
}

/* How many features of this case are shown by exactly so many chosen ones. */
static size_t shown_by(const search *s, size_t i, size_t by)
{
    size_t count = 0;
    for (size_t k = 0; k < s->cases[i].count; k++)
        count += s->shown[s->places[s->starts[i] + k]] == by;
    return count;
}

static bool better(const search *s, size_t i, size_t best)
{
    if (best == s->count || s->gains[i] != s->gains[best])
        return best == s->count ? s->gains[i] > 0 : s->gains[i] > s->gains[best];
    return s->cases[i].size < s->cases[best].size;
}

/* The case that adds most; of those, the smallest; of those, the first. */
static size_t next_case(search *s)
{
    size_t best = s->count;
    for (size_t i = 0; i < s->count; i++) {
        if (s->chosen[i] || !better(s, i, best))
            continue;
        s->gains[i] = shown_by(s, i, 0);
        if (better(s, i, best))
            best = i;
    }
    return best;
}

static void take(search *s, size_t i)
{
    s->missing -= shown_by(s, i, 0);
    s->chosen[i] = true;
    for (size_t k = 0; k < s->cases[i].count; k++)
        s->shown[s->places[s->starts[i] + k]]++;
}

/* Leaves out every case all of whose features others show, the largest first. */
static void drop_superfluous(search *s)
{
    for (;;) {
        size_t worst = s->count;
        for (size_t i = 0; i < s->count; i++)
            if (s->chosen[i] && shown_by(s, i, 1) == 0 &&
                (worst == s->count || s->cases[i].size >= s->cases[worst].size))
                worst = i;
        if (worst == s->count)
            return;
        s->chosen[worst] = false;
        for (size_t k = 0; k < s->cases[worst].count; k++)
            s->shown[s->places[s->starts[worst] + k]]--;
    }
}

bool wri_fewest(const wri_shown *cases, size_t count, bool *chosen)
{
    search s = { .cases = cases, .count = count, .chosen = chosen };
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        chosen[i] = cases[i].count > 0;
        total += cases[i].count;
    }
    bool made = reserve(&s, total);
    if (made) {
        if (count > 0)
            memset(chosen, 0, count * sizeof *chosen);
        list_features(&s);
        place_features(&s);
        while (s.missing > 0)
            take(&s, next_case(&s));
        drop_superfluous(&s);
    }
    free_search(&s);
    return made;
}
