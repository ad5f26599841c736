/* explore/fewest.h: chooses few and small cases that together show every feature. */
#ifndef WRI_EXPLORE_FEWEST_H
#define WRI_EXPLORE_FEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wri_shown {
    const uint32_t *features; /* ascending, none twice */
    size_t          count;
    size_t          size; /* of the case: of two that show as much, the smaller is chosen */
} wri_shown;

/* Sets chosen[i] for each of `count` cases. Chosen cases show every feature, and none of them
 * could be left out. The same cases in another order give a choice that is as good, not always
 * the same one. The very fewest cannot be found in general; this choice is within the
 * logarithm of the number of features. False: out of memory, and every case that shows
 * anything is chosen. */
bool wri_fewest(const wri_shown *cases, size_t count, bool *chosen);

/* Sorts features, drops those that are there twice, and returns how many are left. */
size_t wri_fewest_sort(uint32_t *features, size_t count);
/* Is the feature among these, which are ascending? */
bool wri_fewest_has(const uint32_t *features, size_t count, uint32_t feature);

#endif
