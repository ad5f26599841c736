/* explore/guide/fewest.h: the fewest, smallest cases that together show all that was shown. */
#ifndef WRI_EXPLORE_GUIDE_FEWEST_H
#define WRI_EXPLORE_GUIDE_FEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wri_shown {
    const uint32_t *features; /* ascending, none twice */
    size_t          count;
    size_t          size; /* of the case: of two that show as much, the smaller is chosen */
} wri_shown;

/* Sets chosen[i] for each of `count` cases. Each feature of any case is then one of a chosen
 * case, and no chosen case could be left out. The same cases in another order give a choice that
 * is as good, not always the same. To find the very fewest is hopeless in general: this is within
 * the logarithm of the number of features. False when memory is out; then every case that shows
 * anything is chosen. */
bool wri_fewest(const wri_shown *cases, size_t count, bool *chosen);

#endif
