/* tests/enumerate_test.c: enumerating through the command line.
 *
 *     enumerate_test WALKED [WORD...]
 *
 * Expected counts are known from elsewhere: binary trees are counted by Catalan's numbers, closed
 * terms by their published sequence, the rest by hand.
 */
#include "drive.h"
#include "sanitized.h"

static const char *walked;
static const bool  sanitized = SANITIZED; /* the program is compiled as this one is */

#define PLAIN "--no-store --color never --format json --seed 1 --explore enumerate"

static run *enumerate(const char *property, const char *options)
{
    run *r = call("%s " PLAIN " %s %s", walked, options, property);
    CHECK(r->signal == 0);
    return r;
}

static void holds(const char *property, const char *options, const char *status, long cases,
                  long values)
{
    run *r = enumerate(property, options);
    snprintf(now_testing, sizeof now_testing, "%s %s", property, options);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "status"), status);
    CHECK_NUMBER(json_number(r->out, "cases"), cases);
    CHECK_NUMBER(json_number(r->out, "enumeration.values"), values);
    free(r);
}

static void fails(const char *property, const char *options, long size, const char *name,
                  const char *value)
{
    char path[100];
    run *r = enumerate(property, options);
    snprintf(now_testing, sizeof now_testing, "%s %s", property, options);
    snprintf(path, sizeof path, "failure.values.%s", name);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, path), value);
    if (size >= 0)
        CHECK_NUMBER(json_number(r->out, "failure.size"), size);
    free(r);
}

static void every_tree_is_met_once(void)
{
    /* Catalan: 1, 1, 2, 5, 14, 42, 132 trees of size 1, 3, 5, ... */
    holds("looks_at_all", "--size 13", "held", 197, 197);
    holds("looks_at_all", "--size 13 --at-once", "held", 197, 197);
    holds("looks_at_all", "--size 13 --exactly", "held", 132, 132);
    holds("looks_at_all", "--size 12", "held", 65, 65);
    holds("looks_at_all", "--depth 3", "held", 26, 26);
    holds("looks_at_all", "--depth 3 --size 7", "held", 1 + 1 + 2 + 5, 1 + 1 + 2 + 5);
    /* Pairs: the sum of products, Catalan again. */
    holds("two_trees", "--size 12", "held", 1 + 2 + 5 + 14 + 42 + 132, 1 + 2 + 5 + 14 + 42 + 132);
}

/* Every case belongs to one shard. */
static void shards_share_the_cases(void)
{
    static const struct {
        const char *property, *options;
        long        cases, values;
    } ROWS[] = {
        { "looks_at_all", "--size 13", 197, 197 },
        { "looks_at_all", "--size 13 --at-once", 197, 197 },
        { "looks_at_the_left_side", "--size 13 --at-once", 65, 196 },
        { "unique_numbers", "", 210, 210 },
        { "weighted_picks", "", 200, 200 },
        { "a_byte_and_a_flag", "", 512, 512 },
        { "draws_nothing_at_all", "", 1, 1 },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        long cases = 0, values = 0, most = 0;
        for (int shard = 1; shard <= 3; shard++) {
            char options[100];
            snprintf(options, sizeof options, "%s --cases 100000 --shard %d/3 --jobs %d",
                     ROWS[i].options, shard, shard);
            run *r = enumerate(ROWS[i].property, options);
            snprintf(now_testing, sizeof now_testing, "%s %s", ROWS[i].property, options);
            CHECK_TEXT(json_text(r->out, "status"), "held"); /* a part proves nothing */
            long own = json_number(r->out, "cases");
            cases += own;
            most = own > most ? own : most;
            values += json_number(r->out, "enumeration.values");
            free(r);
        }
        CHECK_NUMBER(cases, ROWS[i].cases);
        CHECK_NUMBER(values, ROWS[i].values);
        CHECK(cases == 1 || most < cases);
    }
}

/* A crash is told by the shard that has the case, and by no other. */
static void a_crash_belongs_to_one_shard(void)
{
    int failed = 0;
    for (int shard = 1; shard <= 3; shard++) {
        char options[60];
        snprintf(options, sizeof options, "--size 9 --shard %d/3", shard);
        run *r = enumerate("crashes_when_it_is_small", options);
        failed += r->status == 1;
        free(r);
    }
    CHECK_NUMBER(failed, 1);
}

static void what_is_not_looked_at_is_not_chosen(void)
{
    holds("looks_at_nothing", "", "proved", 1, 1);
    /* Left sides of up to 11; each stands for all right sides that fit. */
    holds("looks_at_the_left_side", "--size 13 --at-once", "held", 65, 196);
}

static void finite_spaces_are_proved(void)
{
    holds("finite_data", "", "proved", 36, 36);
    holds("equal_pairs_are_found", "", "proved", 6, 6);
    holds("a_byte_and_a_flag", "", "proved", 512, 512);
    holds("unique_numbers", "", "proved", 210, 210);
    holds("weighted_picks", "", "proved", 200, 200);
    holds("draws_nothing_at_all", "", "proved", 1, 1);
    holds("length_does_not_fit", "", "proved", 5, 5);
    run *r = enumerate("a_byte_and_a_flag", "--size 7");
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_NUMBER(json_number(r->out, "bound"), 7);
    CHECK_NUMBER(json_number(r->out, "cases"), 256);
    free(r);
}

static void the_smallest_case_comes_first(void)
{
    fails("has_fewer_than_five_nodes", "", 11, "e", "(. (. (. (. (. .)))))");
    fails("draws_after_a_tree", "", 6, "k", "6");
    fails("two_integers", "", 5, "a", "8");
    fails("a_list", "", 7, "x", "[0, 0, -7]");
    fails("a_word", "", 6, "s", "\"bad\"");
    fails("a_real", "", 4, "d", "2.5");
    fails("any_real", "", 5, "d", "nan");
    run *r = enumerate("recursion", "");
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "failure.size"), 5);
    free(r);
    fails("crashes_on_a_deep_right_side", "", 9, "e", "(_ (_ (_ (_ .))))");
    fails("has_fewer_than_five_nodes", "--size 15 --at-once", -1, "e", "(. (. (. (. (. .)))))");
}

static void counts_of_closed_terms(void)
{
    static const char *const PROPERTIES[] = { "closed_terms_required", "closed_terms_assumed",
                                              "closed_terms_needed", "closed_terms_labelled" };
    /* 0, 1, 1, 3, 6, 17, 41, 116, 313, 895 terms of size 1, 2, ... */
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
        holds(PROPERTIES[i], "--size 10", "held", 1393, 1393);
        holds(PROPERTIES[i], "--size 10 --at-once", "held", 1393, 1393);
        holds(PROPERTIES[i], "--size 10 --exactly", "held", 895, 895);
    }
    run *required = enumerate("closed_terms_required", "--size 9");
    run *assumed = enumerate("closed_terms_assumed", "--size 9");
    run *needed = enumerate("closed_terms_needed", "--size 9");
    run *labelled = enumerate("closed_terms_labelled", "--size 9");
    CHECK_NUMBER(json_number(required->out, "executions"),
                 json_number(assumed->out, "executions"));
    CHECK(json_number(needed->out, "executions") < json_number(assumed->out, "executions"));
    CHECK_NUMBER(json_number(needed->out, "discarded"), 0);
    CHECK_NUMBER(json_number(labelled->out, "labels.drawn"), 498);
    free(required);
    free(assumed);
    free(needed);
    free(labelled);
}

static void requirements_jump_back(void)
{
    /* One tree that leans left for each number of nodes. */
    holds("one_requirement_after_the_other", "--size 17", "held", 5, 5);
    holds("the_same_as_one_condition", "--size 17", "held", 5, 5);
    run *apart = enumerate("one_requirement_after_the_other", "--size 17");
    run *plain = enumerate("the_same_as_one_condition", "--size 17");
    CHECK(json_number(apart->out, "executions") <= json_number(plain->out, "executions"));
    free(apart);
    free(plain);
    /* b need not be gone through for an a that is refused: 65 trees b against 1 run. */
    run *older = enumerate("an_older_look_decides", "--size 14 --at-once");
    run *deepening = enumerate("an_older_look_decides", "--size 14");
    CHECK_NUMBER(json_number(older->out, "enumeration.values"),
                 json_number(deepening->out, "enumeration.values"));
    CHECK(json_number(deepening->out, "discarded") < json_number(older->out, "discarded"));
    free(older);
    free(deepening);
}

static void nothing_is_missed(void)
{
    fails("draws_what_must_cost_after_a_tree", "--size 9", 3, "n", "2");
    holds("one_tree_after_the_other", "--size 9", "held", 22, 22);
    holds("requires_now_and_then", "--size 13", "held", 87, 87);
    holds("assumes_now_and_then", "--size 13", "held", 87, 87);
    holds("trees_of_either_type", "--size 7", "held", 158, 158);
    holds("trees_of_either_type", "--size 7 --at-once", "held", 158, 158);
    holds("fails_when_it_is_small", "--size 9 --exactly", "held", 14, 14);
    holds("crashes_when_it_is_small", "--size 9 --exactly", "held", 14, 14);
    holds("many_weights", "", "proved", 2, 2);
    holds("a_small_number", "--depth 3", "held", 4, 4);
    run *r = enumerate("texts", "--size 5");
    run *once = enumerate("texts", "--size 5 --at-once");
    CHECK_NUMBER(json_number(r->out, "cases"), json_number(once->out, "cases"));
    CHECK_NUMBER(json_number(r->out, "cases"), 37);
    free(r);
    free(once);
    holds("tokens", "", "proved", 13, 13);
    holds("code_points", "--size 4", "held", 16, 16);
    holds("dates", "--size 60", "proved", 731, 731);
    holds("names", "--size 6", "held", 80, 80);
    holds("addresses", "--size 1", "held", 132, 132);
    holds("formats", "--size 3", "held", 1040, 1040);
    r = enumerate("varied_trees", "--size 12");
    CHECK_TEXT(json_text(r->out, "failure.values.a"), "(. (. .))");
    CHECK_TEXT(json_text(r->out, "failure.values.b"), ".");
    free(r);
    r = enumerate("labels_in_a_requirement", "--size 13");
    CHECK_NUMBER(json_number(r->out, "labels.refused"), -1);
    free(r);
}

static void the_result_does_not_depend_on_jobs(void)
{
    static const char *const PROPERTIES[] = {
        "closed_terms_required",           "closed_terms_needed",
        "one_requirement_after_the_other", "two_trees",
        "has_fewer_than_five_nodes",       "a_list"
    };
    static const char *const FIELDS[] = { "status",
                                          "cases",
                                          "discarded",
                                          "executions",
                                          "enumeration.values",
                                          "failure.executions_before" };
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
        run *one = enumerate(PROPERTIES[i], "--size 14 --jobs 1");
        for (int jobs = 2; jobs <= 4; jobs++) {
            char options[40];
            snprintf(options, sizeof options, "--size 14 --jobs %d", jobs);
            run *more = enumerate(PROPERTIES[i], options);
            for (size_t k = 0; k < sizeof FIELDS / sizeof *FIELDS; k++) {
                char *expected = strdup(json_text(one->out, FIELDS[k]));
                CHECK_TEXT(json_text(more->out, FIELDS[k]), expected);
                free(expected);
            }
            free(more);
        }
        free(one);
    }
}

static void work_is_shared(void)
{
    bool shared = false;
    for (int i = 0; i < 20 && !shared; i++) { /* a busy machine may let one worker wait */
        run *r = enumerate("closed_terms_required", "--size 16 --jobs 2");
        long all = json_number(r->out, "executions"),
             first = json_number(r->out, "enumeration.workers.0");
        shared = first > 0 && first < all;
        free(r);
    }
    CHECK(shared);
}

static void limits_end_it(void)
{
    run *r = enumerate("looks_at_all", "--cases 100");
    CHECK_NUMBER(json_number(r->out, "cases"), 100);
    free(r);
    r = enumerate("looks_at_all", "");
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    free(r);
    r = enumerate("two_integers", "--cases 50");
    CHECK_NUMBER(r->status, 0);
    free(r);
    r = enumerate("looks_at_all", "--time 500ms"); /* it ends, after however many cases */
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    free(r);
    r = enumerate("nothing_is_met", "");
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "gave up");
    free(r);
}

static void what_goes_wrong_is_told(void)
{
    run *r = enumerate("not_deterministic", "--size 20");
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "not deterministic");
    free(r);
    r = enumerate("asks_for_less", "--size 20");
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "not deterministic");
    free(r);
    r = enumerate("two_integers", "--exactly");
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "--exactly needs --size");
    free(r);
    fails("hangs_at_five", "--deadline 200ms", 3, "a", "5");
    r = enumerate("has_two_bugs", "--bugs many");
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failures.0.values.a"), "9");
    CHECK_TEXT(json_text(r->out, "failures.1.values.a"), "100");
    CHECK(json_number(r->out, "cases") >= 256);
    free(r);
    r = enumerate("fails_twice", "--bugs many");
    CHECK_NUMBER(json_number(r->out, "cases"), 256);
    CHECK_TEXT(json_text(r->out, "failures.1.values.a"), "100");
    free(r);
    fails("has_two_bugs", "--fork-each", 4, "a", "9");
    r = call("%s " PLAIN " --no-fork two_integers", walked);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.a"), "8");
    free(r);
}

static void leaks_are_found(void)
{
    run *r = enumerate("leaks_when_it_is_seven", "--size 20");
    if (sanitized) {
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.kind"), "leak");
        CHECK_TEXT(json_text(r->out, "failure.values.a"), "7");
    }
    free(r);
}

static void tokens_replay(void)
{
    static const char *const PROPERTIES[] = { "has_fewer_than_five_nodes", "a_list", "a_real",
                                              "draws_after_a_tree", "a_word" };
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
        run  *r = enumerate(PROPERTIES[i], "");
        char *token = strdup(json_text(r->out, "failure.token"));
        run  *again =
            call("%s --no-store --format json %s --replay %s", walked, PROPERTIES[i], token);
        CHECK_NUMBER(again->status, 1);
        CHECK_TEXT(json_text(again->out, "failure.token"), token);
        free(r);
        free(again);
        free(token);
    }
}

static void people_are_told_the_fact(void)
{
    run *r =
        call("%s --no-store --color never --explore enumerate --size 13 looks_at_all", walked);
    CHECK_HAS(r->out, "held for all 197 values up to size 13");
    free(r);
    r = call("%s --no-store --color never --explore enumerate a_byte_and_a_flag", walked);
    CHECK_HAS(r->out, "proved: held for every case, 512 cases in all");
    free(r);
    r = call("%s --no-store --color never --explore enumerate --depth 4 looks_at_the_left_side",
             walked);
    CHECK_HAS(r->out, "held for all 26 cases up to depth 4");
    free(r);
    r = call("%s --no-store --color never --explore enumerate --size 9 closed_terms_assumed",
             walked);
    CHECK_HAS(r->out, "runs for each case; refuted by ");
    free(r);
    r = call("%s --no-store --color never --explore enumerate has_fewer_than_five_nodes", walked);
    CHECK_HAS(r->out, ", of size 11: no smaller case fails");
    free(r);
}

static const test TESTS[] = {
    TEST(every_tree_is_met_once),
    TEST(shards_share_the_cases),
    TEST(a_crash_belongs_to_one_shard),
    TEST(what_is_not_looked_at_is_not_chosen),
    TEST(finite_spaces_are_proved),
    TEST(the_smallest_case_comes_first),
    TEST(counts_of_closed_terms),
    TEST(requirements_jump_back),
    TEST(nothing_is_missed),
    TEST(the_result_does_not_depend_on_jobs),
    TEST(work_is_shared),
    TEST(limits_end_it),
    TEST(what_goes_wrong_is_told),
    TEST(leaks_are_found),
    TEST(tokens_replay),
    TEST(people_are_told_the_fact),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: enumerate_test WALKED [WORD...]\n");
        return 1;
    }
    walked = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
