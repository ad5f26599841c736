/* studies/tcas/picked.c: the values that somebody picked who knows the code. They are in a file
 * of their own: a program that has them would tell its constants.
 */
#include "settings.h"

#define LISTED(values)                                                                           \
    {                                                                                            \
        .count = sizeof(values) / sizeof *(values), .list = (values), .number = true             \
    }

static const int SEPARATIONS[] = { 299, 300, 601 };
static const int ALTITUDES[] = { 1, 2 };
static const int RATES[] = { 600, 601 };
static const int EXPECTED[] = { 0, 399, 400, 499, 500, 639, 640, 739, 740, 840 };
static const int CAPABILITIES[] = { 1, 2 };

const setting PICKED = {
    "picked values",
    {
        [CURRENT_SEPARATION] = LISTED(SEPARATIONS),
        [HIGH_CONFIDENCE] = COUNTED(2),
        [REPORTS_VALID] = COUNTED(2),
        [OWN_ALTITUDE] = LISTED(ALTITUDES),
        [OWN_RATE] = LISTED(RATES),
        [OTHER_ALTITUDE] = LISTED(ALTITUDES),
        [ALTITUDE_LAYER] = COUNTED(LAYERS),
        [UP_SEPARATION] = LISTED(EXPECTED),
        [DOWN_SEPARATION] = LISTED(EXPECTED),
        [OTHER_INTENT] = COUNTED(3),
        [OTHER_CAPABILITY] = { .count = 2, .list = CAPABILITIES },
        [CLIMB_INHIBITED] = COUNTED(2),
    },
};
