/* core/spelling.h: which name was probably meant in place of one that is not known.
 *
 *     size_t far = wri_spelling_far(given);
 *     for (each name)
 *         if (wri_spelling_nearer(given, name, &far))
 *             meant = name;
 */
#ifndef WRI_CORE_SPELLING_H
#define WRI_CORE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WRI_SPELLING_MOST 64 /* letters; longer names are like no other */

/* How many letters to change, add, drop or swap with the next one, from one name to another. */
static inline size_t wri_spelling_distance(const char *a, const char *b)
{
    size_t cost[WRI_SPELLING_MOST][WRI_SPELLING_MOST] = { 0 };
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length >= WRI_SPELLING_MOST || b_length >= WRI_SPELLING_MOST)
        return SIZE_MAX;
    for (size_t i = 0; i < WRI_SPELLING_MOST; i++)
        cost[i][0] = cost[0][i] = i;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t j = 1; j <= b_length; j++) {
            bool   differ = a[i - 1] != b[j - 1];
            bool   swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            size_t least = cost[i - 1][j - 1] + differ;
            least = cost[i - 1][j] + 1 < least ? cost[i - 1][j] + 1 : least;
            least = cost[i][j - 1] + 1 < least ? cost[i][j - 1] + 1 : least;
            if (swapped && cost[i - 2][j - 2] + 1 < least)
                least = cost[i - 2][j - 2] + 1;
            cost[i][j] = least;
        }
    return cost[a_length][b_length];
}

/* A name as far away as this was not meant: short names are soon like another, and a single
 * letter is like all. */
static inline size_t wri_spelling_far(const char *given)
{
    size_t length = strlen(given);
    return length < 2 ? 0 : length < 4 ? 2 : length < 8 ? 3 : 4;
}

/* Is the name nearer than *distance? Then that is the distance from now on. */
static inline bool wri_spelling_nearer(const char *given, const char *name, size_t *distance)
{
    size_t here = wri_spelling_distance(given, name);
    bool   nearer = here < *distance;
    *distance = nearer ? here : *distance;
    return nearer;
}

#endif
