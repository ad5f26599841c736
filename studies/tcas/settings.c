/* studies/tcas/settings.c: see settings.h. */
#include "settings.h"

#include <stdio.h>

#define DIGITS_MOST 6

#define COUNTED(n)                                                                               \
    {                                                                                            \
        .count = (n), .step = 1                                                                  \
    }
#define NUMBERS(n, by)                                                                           \
    {                                                                                            \
        .count = (n), .step = (by), .number = true                                               \
    }
#define LISTED(values)                                                                           \
    {                                                                                            \
        .count = sizeof(values) / sizeof *(values), .list = (values), .number = true             \
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

static const char *const NAMES[INPUTS] = {
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

/* Quantities are ranges of levels, which can be split whatever their values are; choices are
 * lists, which at this length never are. */
static void add_input(wr_covering *model, const char *name, const domain *d)
{
    static const char *const LEVELS[] = { "0", "1", "2", "3" };
    if (d->number)
        wr_covering_range(model, name, 0, (int64_t)d->count - 1, 1);
    else
        wr_covering_values(model, name, d->count, LEVELS);
}

wr_covering *model_of(const setting *where, unsigned strength)
{
    wr_covering *model = wr_covering_new();
    if (model == NULL)
        return NULL;
    for (int i = 0; i < INPUTS; i++)
        add_input(model, NAMES[i], &where->inputs[i]);
    if (!wr_covering_strength(model, strength)) {
        fprintf(stderr, "%s: %s\n", where->name, wr_covering_error(model));
        wr_covering_free(model);
        return NULL;
    }
    return model;
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
