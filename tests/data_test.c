/* tests/data_test.c: lazy data through the command line.
 *
 *     data_test LAZY [WORD...]
 */
#include "drive.h"

static const char *lazy;

#define PLAIN "--no-store --color never --format json"

/* The value of a name in the smallest failing case. */
static void fails_with(const char *property, const char *name, const char *value)
{
    char path[100];
    snprintf(path, sizeof path, "failure.values.%s", name);
    for (int seed = 1; seed <= 10; seed++) {
        run *r = call("%s " PLAIN " --cases 20000 --seed %d %s", lazy, seed, property);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, path), value);
        free(r);
    }
}

static void trees_shrink_to_the_smallest(void)
{
    fails_with("has_fewer_than_three_nodes", "e", "(. _ (. _ (. _ .)))");
    fails_with("never_has_a_five", "e", "(_ 5 _)");
    fails_with("search_trees_never_have_three_and_four", "e", "(. 3 (. 4 .))");
    fails_with("closed_terms_use_the_innermost_variable", "e", "lam _. lam _. Var 1");
    fails_with("trees_in_a_loop", "e", "(. _ (. _ (. _ (. _ .))))");
}

static void reports_show_what_was_looked_at(void)
{
    fails_with("looks_at_the_root_alone", "e", "(_ _ _)");
    fails_with("does_not_look_at_all", "e", "_");
    fails_with("looks_at_the_right_side_first", "a", "(_ _ (_ _ _))");
    fails_with("looks_at_the_right_side_first", "b", "((_ _ _) _ _)");
    fails_with("looks_at_the_right_side_first", "x", "10");
}

static void a_crash_loses_no_tree(void)
{
    fails_with("crashes_on_a_deep_left_side", "e", "(((_ _ _) _ _) _ _)");
    fails_with("crashes_on_a_deep_left_side", "after", "0");
}

static void tokens_replay_trees(void)
{
    static const char *const PROPERTIES[] = {
        "has_fewer_than_three_nodes",
        "looks_at_the_right_side_first",
        "closed_terms_use_the_innermost_variable",
        "crashes_on_a_deep_left_side",
        "trees_in_a_loop",
    };
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
        run  *r = call("%s " PLAIN " --seed 1 %s", lazy, PROPERTIES[i]);
        char *token = strdup(json_text(r->out, "failure.token"));
        char *values = strdup(json_find(r->out, "failure.values"));
        run  *again = call("%s " PLAIN " %s --replay %s", lazy, PROPERTIES[i], token);
        CHECK_NUMBER(again->status, 1);
        values[strcspn(values, "}")] = '\0';
        CHECK_HAS(again->out, values);
        free(r);
        free(again);
        free(token);
        free(values);
    }
}

static void tokens_fit_at_every_size(void)
{
    run  *r = call("%s " PLAIN " --seed 1 --cases 100000 --size 200 "
                    "closed_terms_use_the_innermost_variable",
                   lazy);
    char *token = strdup(json_text(r->out, "failure.token"));
    free(r);
    r = call("%s " PLAIN " closed_terms_use_the_innermost_variable --replay %s", lazy, token);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.e"), "lam _. lam _. Var 1");
    free(r);
    free(token);
}

static void demands_are_met_by_every_explorer(void)
{
    static const char *const WAYS[] = { "random", "guide" };
    for (size_t i = 0; i < 2; i++) {
        run *r = call("%s " PLAIN " --seed 1 --cases 5000 --explore %s demands_are_met "
                      "the_same_is_equal a_fold_makes_the_same_tree",
                      lazy, WAYS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(json_number(r->out, "discarded"), 0);
        free(r);
    }
    run *r = call("%s " PLAIN " --seed 1 demands_that_nothing_fits", lazy);
    CHECK_TEXT(json_text(r->out, "status"), "gave up");
    free(r);
    static const char *const ALL[] = { "random", "guide", "enumerate --size 9" };
    for (size_t i = 0; i < 3; i++) {
        r = call("%s " PLAIN " --seed 1 --explore %s demands_without_an_end", lazy, ALL[i]);
        CHECK_TEXT(json_text(r->out, "status"), "gave up");
        free(r);
    }
}

static void guidance_grows_a_labelled_shape(void)
{
    run *r = call("%s " PLAIN " --seed 1 --cases 2000 --explore guide a_shape_is_found", lazy);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.e"),
               "lam _. App(lam _. App(lam _. App(lam _. App(lam _. _, _), _), _), _)");
    free(r);
    r = call("%s " PLAIN " --seed 1 --cases 20000 --explore random a_shape_is_found", lazy);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

static void misuse_is_named(void)
{
    static const struct {
        const char *property, *message;
    } CASES[] = {
        { "asks_for_an_argument_too_many", "wr_arg: constructor" },
        { "asks_for_an_argument_too_many", "of Tree has no argument 2" },
        { "asks_for_an_index_that_is_not_there",
          "wr_index: constructor App of Term has no index" },
        { "an_endless_type", "wr_type Endless: it has no finite value" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run *r = call("%s --no-store --color never --seed 1 %s", lazy, CASES[i].property);
        CHECK_NUMBER(r->status, 99);
        CHECK(strstr(r->out, CASES[i].message) != NULL ||
              strstr(r->err, CASES[i].message) != NULL);
        free(r);
    }
}

static void the_result_does_not_depend_on_workers(void)
{
    run  *one = call("%s " PLAIN " --seed 3 --jobs 1 has_fewer_than_three_nodes", lazy);
    run  *two = call("%s " PLAIN " --seed 3 --jobs 2 has_fewer_than_three_nodes", lazy);
    run  *apart = call("%s " PLAIN " --seed 3 --fork-each has_fewer_than_three_nodes", lazy);
    run  *here = call("%s " PLAIN " --seed 3 --no-fork has_fewer_than_three_nodes", lazy);
    char *token = strdup(json_text(one->out, "failure.replay"));
    CHECK_TEXT(json_text(two->out, "failure.replay"), token);
    CHECK_TEXT(json_text(apart->out, "failure.replay"), token);
    CHECK_TEXT(json_text(here->out, "failure.replay"), token);
    free(token);
    free(one);
    free(two);
    free(apart);
    free(here);
}

static const test TESTS[] = {
    TEST(trees_shrink_to_the_smallest),
    TEST(reports_show_what_was_looked_at),
    TEST(a_crash_loses_no_tree),
    TEST(tokens_replay_trees),
    TEST(tokens_fit_at_every_size),
    TEST(demands_are_met_by_every_explorer),
    TEST(guidance_grows_a_labelled_shape),
    TEST(misuse_is_named),
    TEST(the_result_does_not_depend_on_workers),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: data_test LAZY [WORD...]\n");
        return 1;
    }
    lazy = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
