/* tests/drawn_test.c: what machines draw outside of their kinds, through the command line.
 *
 *     drawn_test MACHINES SEEDS [WORD...]
 */
#include "drive.h"

static const char *machines;
static int         seeds; /* that are tried of every machine that fails */

#define PLAIN "--no-store --color never --format json"

/* ---- Values that depend on the model ---- */

static void an_index_below_the_size_needs_no_second_try(void)
{
    run *r = call("%s " PLAIN " --seed 1 --cases 200 --calls 60 list_in_order", machines);
    CHECK_NUMBER(r->status, 0);
    CHECK(json_number(r->out, "labels.often") > 180);
    free(r);
}

static void an_index_is_shrunk_with_the_calls_that_it_needs(void)
{
    static const char CALLS[] = "append(0);\nappend(0);\nappend(0);\nappend(0);\nremove(3);";
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " PLAIN " --seed %d list_keeps_its_fourth", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.values.calls"), CALLS);
        free(r);
    }
}

static void a_rule_names_an_index(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " PLAIN " --bugs many --seed %d list_keeps_its_fourth", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_HAS(json_text(r->out, "failure.rule"), "remove(3)");
        free(r);
    }
}

static const test TESTS[] = {
    TEST(an_index_below_the_size_needs_no_second_try),
    TEST(an_index_is_shrunk_with_the_calls_that_it_needs),
    TEST(a_rule_names_an_index),
};

int main(int argc, char **argv)
{
    if (argc < 3 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: drawn_test MACHINES SEEDS [WORD...]\n");
        return 1;
    }
    machines = argv[1];
    seeds = atoi(argv[2]);
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
