/* tests/cover_interface_unit.c: warren/cover.h as a program uses it. */
#include <warren/cover.h>

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "unit.h"

static const char *const MODES[] = { "fast", "slow", "safe" };
static const char *const ANSWERS[] = { "true", "false" };

static wr_covering *small_model(void)
{
    wr_covering *c = wr_covering_new();
    CHECK(wr_covering_range(c, "size", 0, 40, 10) == 0);
    CHECK(wr_covering_values(c, "mode", 3, MODES) == 1);
    CHECK(wr_covering_values(c, "quick", 2, ANSWERS) == 2);
    return c;
}

/* Whether some row has these two. */
static bool has_pair(const wr_covering *c, unsigned a, uint32_t x, unsigned b, uint32_t y)
{
    for (uint64_t r = 0; r < wr_covering_rows(c); r++)
        if (wr_covering_level(c, r, a) == x && wr_covering_level(c, r, b) == y)
            return true;
    return false;
}

TEST(every_pair_that_is_allowed_is_in_a_row)
{
    wr_covering *c = small_model();
    char         space[24];
    CHECK(wr_covering_require(c, "mode = safe => size < 20"));
    CHECK(wr_covering_build(c, NULL));
    CHECK(wr_covering_columns(c) == 3 && strcmp(wr_covering_name(c, 1), "mode") == 0);
    for (uint32_t x = 0; x < 5; x++)
        for (uint32_t y = 0; y < 3; y++)
            CHECK(has_pair(c, 0, x, 1, y) == (y != 2 || x < 2));
    for (uint64_t r = 0; r < wr_covering_rows(c); r++) {
        CHECK(wr_covering_number(c, r, 0) == 10 * (int64_t)wr_covering_level(c, r, 0));
        CHECK(atoi(wr_covering_text(c, r, 0, space, sizeof space)) ==
              wr_covering_number(c, r, 0));
        CHECK(strcmp(wr_covering_text(c, r, 1, space, sizeof space),
                     MODES[wr_covering_level(c, r, 1)]) == 0);
        CHECK(wr_covering_number(c, r, 2) == (wr_covering_level(c, r, 2) == 0));
    }
    CHECK(wr_covering_rows(c) >= 12 && wr_covering_rows(c) <= 15);
    CHECK(wr_covering_lower_bound(c) <= wr_covering_rows(c));
    CHECK(strcmp(wr_covering_error(c), "") == 0);
    wr_covering_free(c);
}

TEST(the_same_seed_gives_the_same_rows)
{
    wr_covering_options options = { .seed = 7, .moves = 1000 };
    wr_covering        *a = small_model(), *b = small_model();
    CHECK(wr_covering_strength(a, 3) && wr_covering_strength(b, 3));
    CHECK(wr_covering_build(a, &options) && wr_covering_build(b, NULL));
    CHECK(wr_covering_build(b, &options)); /* again, with others */
    CHECK(wr_covering_rows(a) == 30 && wr_covering_rows(b) == 30);
    for (uint64_t r = 0; r < 30; r++)
        for (unsigned column = 0; column < 3; column++)
            CHECK(wr_covering_level(a, r, column) == wr_covering_level(b, r, column));
    wr_covering_free(a);
    wr_covering_free(b);
}

TEST(kept_rows_come_first)
{
    static const char *const KEPT[] = { "40", "safe", NULL };
    wr_covering             *c = small_model();
    CHECK(wr_covering_relation(c, 2, 2, (const unsigned[]){ 1, 0 }));
    CHECK(wr_covering_keep(c, KEPT));
    CHECK(wr_covering_build(c, NULL) && wr_covering_rows(c) == 15);
    CHECK(wr_covering_level(c, 0, 0) == 4 && wr_covering_level(c, 0, 1) == 2);
    wr_covering_free(c);
}

TEST(invalid_values_come_one_at_a_time)
{
    wr_covering *c = small_model();
    uint64_t     invalid = 0;
    CHECK(wr_covering_invalid(c, "maybe"));
    CHECK(wr_covering_values(c, "port", 2, (const char *const[]){ "80", "443" }) == 3);
    CHECK(wr_covering_invalid(c, "-1"));
    CHECK(wr_covering_build(c, NULL));
    for (uint64_t r = 0; r < wr_covering_rows(c); r++) {
        int here = (wr_covering_level(c, r, 2) == 2) + (wr_covering_level(c, r, 3) == 2);
        CHECK(here <= 1);
        invalid += (uint64_t)here;
    }
    CHECK(invalid >= 10); /* each of the two with each of the five sizes */
    wr_covering_free(c);
}

static bool take_three(void *state, const uint32_t *levels)
{
    uint64_t *taken = state;
    CHECK(levels[0] <= 1000 && levels[1] <= 1000);
    return ++*taken < 3;
}

static bool count_rows(void *state, const uint32_t *levels)
{
    (void)levels;
    ++*(uint64_t *)state;
    return true;
}

TEST(long_arrays_are_handed_out_row_by_row)
{
    wr_covering *c = wr_covering_new();
    uint64_t     taken = 0, counted = 0;
    CHECK(wr_covering_range(c, "a", 0, 1000, 1) == 0 &&
          wr_covering_range(c, "b", 0, 1000, 1) == 1);
    CHECK(wr_covering_range(c, "c", 0, 1000, 1) == 2);
    CHECK(wr_covering_each(c, NULL, take_three, &taken) && taken == 3);
    CHECK(wr_covering_each(c, NULL, count_rows, &counted) && counted == 1002001);
    wr_covering_free(c);
}

TEST(models_are_read_as_texts)
{
    wr_covering *c = wr_covering_new();
    CHECK(wr_covering_parse(c, "A: 1, 2\nB: x, y\nC: 1, 2, 3\nIF [A] = 1 THEN [B] = \"x\";"));
    CHECK(wr_covering_build(c, NULL));
    CHECK(wr_covering_columns(c) == 3 && !has_pair(c, 0, 0, 1, 1) && has_pair(c, 0, 1, 1, 1));
    wr_covering_free(c);
}

static void fails(wr_covering *c, const char *why)
{
    if (strcmp(wr_covering_error(c), why) != 0) {
        printf("wanted %s\ngot    %s\n", why, wr_covering_error(c));
        failures++;
    }
    CHECK(!wr_covering_build(c, NULL) && wr_covering_rows(c) == 0);
    wr_covering_free(c);
}

TEST(the_first_mistake_stays)
{
    wr_covering *c = small_model();
    CHECK(wr_covering_range(c, "size", 0, 1, 1) == -1);
    CHECK(!wr_covering_require(c, "size > 1"));
    fails(c, "expected a new name, found size, which is a parameter already");

    c = small_model();
    CHECK(!wr_covering_require(c, "size > = 1"));
    fails(c, "formula:1:8: expected a parameter, a value or '(', found '='");

    c = small_model();
    CHECK(!wr_covering_relation(c, 2, 1, (const unsigned[]){ 9 }));
    fails(c, "a relation names a column that is not there");

    c = small_model();
    CHECK(wr_covering_require(c, "size > 1"));
    CHECK(wr_covering_range(c, "more", 0, 1, 1) == -1);
    fails(c, "parameters come before relations, constraints and rows");

    c = wr_covering_new();
    CHECK(!wr_covering_read(c, "/nowhere/model"));
    fails(c, "/nowhere/model: cannot be read: No such file or directory");

    c = wr_covering_new();
    CHECK(!wr_covering_build(c, NULL));
    fails(c, "expected at least one parameter, found none");

    c = small_model();
    CHECK(!wr_covering_strength(c, 0));
    fails(c, "a strength is 1 or more");
}

TEST(a_contradiction_is_an_error)
{
    wr_covering *c = small_model();
    CHECK(wr_covering_require(c, "size > 20") && wr_covering_require(c, "quick"));
    CHECK(wr_covering_require(c, "size < 20"));
    CHECK(!wr_covering_build(c, NULL));
    CHECK(strstr(wr_covering_error(c), "size > 20") && strstr(wr_covering_error(c), "size < 20"));
    CHECK(!strstr(wr_covering_error(c), "quick"));
    wr_covering_free(c);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    wr_covering_free(NULL);
    return status != 0 ? status : failures > 0;
}
