/* Levels that change places: each has one, the seed says which, and nothing else changes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cover/search/relabel.h"
#include "unit.h"

#define MANY 1100

static wrc_places *places_for(uint32_t columns, const uint32_t *levels, uint64_t seed)
{
    return wrc_places_new(&(wrc_goal){ .columns = columns, .levels = levels }, seed);
}

/* How many of a column's levels are where they were; -1: two have the same place. */
static int count_unmoved(uint32_t levels, uint64_t seed)
{
    static bool taken[MANY];
    int         unmoved = 0;
    wrc_places *places = places_for(1, &levels, seed);
    memset(taken, 0, sizeof taken);
    for (uint32_t level = 0; level < levels && unmoved >= 0; level++) {
        uint32_t place = level;
        wrc_relabel(places, 1, &place);
        unmoved = place >= levels || taken[place] ? -1 : unmoved + (place == level);
        if (place < levels)
            taken[place] = true;
    }
    free(places);
    return unmoved;
}

TEST(every_level_has_a_place_of_its_own)
{
    for (uint32_t levels = 1; levels <= MANY; levels++)
        for (uint64_t seed = 0; seed < 5; seed++)
            CHECK(count_unmoved(levels, seed) >= 0);
}

TEST(wide_columns_are_mixed_well)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        CHECK(count_unmoved(101, seed) < 20);
        CHECK(count_unmoved(1001, seed) < 20);
    }
}

TEST(columns_and_seeds_differ)
{
    uint32_t    levels[] = { 1001, 1001 }, row[] = { 7, 7 }, other[] = { 7, 7 };
    wrc_places *places = places_for(2, levels, 1), *others = places_for(2, levels, 2);
    wrc_relabel(places, 2, row);
    wrc_relabel(others, 2, other);
    CHECK(row[0] != row[1]);
    CHECK(row[0] != other[0]);
    free(places);
    free(others);
}

TEST(open_cells_stay_open_and_the_widest_range_fits)
{
    uint32_t    levels[] = { UINT32_MAX - 1, 3 };
    wrc_places *places = places_for(2, levels, 1);
    for (uint32_t level = 0; level < 1000; level++) {
        uint32_t row[] = { levels[0] - 1 - level, WRC_ANY };
        wrc_relabel(places, 2, row);
        CHECK(row[0] < levels[0]);
        CHECK(row[1] == WRC_ANY);
    }
    free(places);
}

TEST(what_is_fixed_or_constrained_stays)
{
    static const wrc_parameter PARAMETERS[] = {
        { .name = "a", .domain = WRC_DOMAIN_RANGE, .levels = 1001, .step = 1 },
        { .name = "b", .domain = WRC_DOMAIN_RANGE, .levels = 1001, .step = 1 },
        { .name = "c", .domain = WRC_DOMAIN_RANGE, .levels = 1001, .step = 1 },
    };
    static const wrc_expression VALUE = { .op = WRC_OP_VALUE, .parameter = 0 };
    static const wrc_expression LIMIT = { .op = WRC_OP_NUMBER, .number = 500 };
    static const wrc_expression HOLDS = { .op = WRC_OP_LESS, .left = &VALUE, .right = &LIMIT };
    static const wrc_constraint RULE = { .holds = &HOLDS, .text = "a < 500" };
    wrc_model                   model = { .parameter_count = 3,
                                          .parameters = PARAMETERS,
                                          .constraint_count = 1,
                                          .constraints = &RULE };
    wrc_complaint               complaint;
    const uint32_t levels[] = { 1001, 1001, 1001 }, fixed[] = { WRC_ANY, 7, WRC_ANY };
    wrc_goal       goal = { .columns = 3,
                            .levels = levels,
                            .fixed = fixed,
                            .oracle = wrc_oracle_open(&model, &complaint) };
    wrc_places    *places = wrc_places_new(&goal, 1);
    int            moved = 0;
    for (uint32_t level = 0; level < 500; level++) {
        uint32_t row[] = { level, 7, level };
        wrc_relabel(places, 3, row);
        CHECK(row[0] == level);
        CHECK(row[1] == 7);
        moved += row[2] != level;
    }
    CHECK(moved > 450);
    free(places);
    wrc_oracle_close(goal.oracle);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
