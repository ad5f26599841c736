/* studies/tcas/settings.c: see settings.h. */
#include "settings.h"

#define DIGITS_MOST 6

#define NUMBERS(n, by)                                                                           \
    {                                                                                            \
        .count = (n), .step = (by), .number = true                                               \
    }

/* The quantities differ from setting to setting. */
#define BLACK_BOX(name, n, by)                                                                   \
    {                                                                                            \
        name,                                                                                    \
        {                                                                                        \
            [CURRENT_SEPARATION] = NUMBERS(n, by), [HIGH_CONFIDENCE] = COUNTED(2),               \
            [REPORTS_VALID] = COUNTED(2), [OWN_ALTITUDE] = NUMBERS(n, by),                       \
            [OWN_RATE] = NUMBERS(n, by), [OTHER_ALTITUDE] = NUMBERS(n, by),                      \
            [ALTITUDE_LAYER] = COUNTED(LAYERS), [UP_SEPARATION] = NUMBERS(n, by),                \
            [DOWN_SEPARATION] = NUMBERS(n, by), [OTHER_INTENT] = COUNTED(3),                     \
            [OTHER_CAPABILITY] = COUNTED(3), [CLIMB_INHIBITED] = COUNTED(2),                     \
        }                                                                                        \
    }

const setting EVERY = BLACK_BOX("0..1000", 1001, 1);
const setting TENTH = BLACK_BOX("0, 10, .. 1000", 101, 10);

const char *const NAMES[INPUTS] = {
    "cur_vertical_sep", "high_confidence",      "two_of_three_reports_valid",
    "own_tracked_alt",  "own_tracked_alt_rate", "other_tracked_alt",
    "alt_layer_value",  "up_separation",        "down_separation",
    "other_rac",        "other_capability",     "climb_inhibit",
};

static int value_at(const domain *d, uint32_t level)
{
    return d->list != NULL ? d->list[level] : (int)level * d->step;
}

void values_at(const setting *where, const uint32_t *levels, int in[INPUTS])
{
    for (int i = 0; i < INPUTS; i++)
        in[i] = value_at(&where->inputs[i], levels[i]);
}

static bool reaches(unsigned base, uint32_t count)
{
    uint32_t reached = 1;
    for (int d = 0; d < DIGITS_MOST && reached < count; d++)
        reached *= base;
    return reached >= count;
}

unsigned smallest_base(const setting *where)
{
    unsigned base = 2;
    for (int i = 0; i < INPUTS; i++)
        while (!reaches(base, where->inputs[i].count))
            base++;
    return base;
}
