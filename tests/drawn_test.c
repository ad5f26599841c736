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

/* ---- What .start draws ---- */

static const struct {
    const char *machine, *slots, *calls, *rule;
} RINGS[] = {
    { "ring_gets_full", "1", "push();\npush();", "with slots = 1\npush() | push()\n" },
    { "ring_of_three", "3", "push();\npull();\nlook();",
      "with slots = 3\npush()\npull()\nlook()" },
    { "ring_of_many", "5", "push();\npull();\nlook();",
      "with slots = 5..\npush()\npull()\nlook()" },
    { "ring_of_any", "1", "push();\npull();\nlook();", "push()\npull()\nlook()" },
};
#define RING_COUNT (sizeof RINGS / sizeof *RINGS)

static void a_configuration_is_shrunk_with_the_calls(void)
{
    for (int seed = 1; seed <= seeds; seed++)
        for (size_t i = 0; i < RING_COUNT; i++) {
            run *r = call("%s " PLAIN " --seed %d %s", machines, seed, RINGS[i].machine);
            CHECK_NUMBER(r->status, 1);
            CHECK_TEXT(json_text(r->out, "failure.values.slots"), RINGS[i].slots);
            CHECK_TEXT(json_text(r->out, "failure.values.mode"), "0");
            CHECK_TEXT(json_text(r->out, "failure.values.calls"), RINGS[i].calls);
            free(r);
        }
}

static void a_rule_has_the_configuration_that_it_needs(void)
{
    for (int seed = 1; seed <= seeds; seed++)
        for (size_t i = 0; i < RING_COUNT; i++) {
            run *r =
                call("%s " PLAIN " --bugs many --seed %d %s", machines, seed, RINGS[i].machine);
            CHECK_NUMBER(r->status, 1);
            CHECK(strncmp(json_text(r->out, "failure.rule"), RINGS[i].rule,
                          strlen(RINGS[i].rule)) == 0);
            CHECK(strstr(r->out, "not deterministic") == NULL);
            CHECK(strstr(r->out, "mode =") == NULL);
            free(r);
        }
}

static void whatever_start_draws_is_part_of_the_case(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " PLAIN " --bugs many --seed %d shop", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK(strstr(r->out, "not deterministic") == NULL);
        CHECK_HAS(json_text(r->out, "failure.rule"), "with sizes[1] = 7");
        free(r);
    }
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void a_known_rule_counts_only_with_its_configuration(void)
{
    static const char CALLS[] = "push()\npull()\nlook()\n";
    char              text[200];
    snprintf(text, sizeof text, "rule \"r\" of ring_of_many\nwith slots = 5..\n%s", CALLS);
    write_file("known", text);
    run *r = call("%s " PLAIN " --bugs many --seed 1 --known known ring_of_many", machines);
    CHECK_NUMBER(r->status, 0);
    free(r);
    snprintf(text, sizeof text, "rule \"r\" of ring_of_any\nwith slots = 5..\n%s", CALLS);
    write_file("known", text);
    r = call("%s " PLAIN " --bugs one --seed 1 --known known ring_of_any", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.slots"), "1");
    free(r);
    write_file("known", "rule \"r\" of ring_of_any\nwith slots 5\npush()\n");
    r = call("%s " PLAIN " --seed 1 --known known ring_of_any", machines);
    CHECK_NUMBER(r->status, 99);
    free(r);
    unlink("known");
}

static void workers_do_not_matter(void)
{
    static const char *const NAMES[] = { "ring_gets_full", "shop", "ring_of_three" };
    for (size_t i = 0; i < 3; i++) {
        run *one = call("%s --no-store --color never --format tap --bugs many --verbose --jobs 1 "
                        "--seed 3 %s",
                        machines, NAMES[i]);
        run *three = call("%s --no-store --color never --format tap --bugs many --verbose "
                          "--jobs 3 --seed 3 %s",
                          machines, NAMES[i]);
        char *rule = strstr(one->out, "rule"), *other = strstr(three->out, "rule");
        CHECK(rule != NULL && other != NULL);
        if (rule != NULL && other != NULL)
            CHECK(strncmp(rule, other, 60) == 0);
        free(one);
        free(three);
    }
}

/* ---- What commands draw ---- */

static void what_a_command_draws_is_shrunk(void)
{
    for (int seed = 1; seed <= seeds; seed++)
        for (int many = 0; many < 2; many++) {
            run *r = call("%s " PLAIN " --bugs %s --seed %d die_of_forty", machines,
                          many ? "many" : "one", seed);
            CHECK_NUMBER(r->status, 1);
            CHECK_TEXT(json_text(r->out, "failure.values.calls"), "arm();\nroll();");
            CHECK_TEXT(json_text(r->out, "failure.values.die"), "40");
            CHECK(strstr(r->out, "not deterministic") == NULL);
            CHECK(strstr(r->out, "\"rule\":\"") == NULL); /* none can say it */
            free(r);
        }
}

static void a_rule_need_not_say_what_any_draw_does(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " PLAIN " --bugs many --seed %d any_die", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.values.calls"), "arm();\narm();\nroll();");
        CHECK_TEXT(json_text(r->out, "failure.values.die"), "1");
        CHECK_TEXT(json_text(r->out, "failure.values.says"), "\"\"");
        CHECK_TEXT(json_text(r->out, "failure.rule"), "arm() | arm()\nroll()");
        CHECK(strstr(r->out, "not deterministic") == NULL);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(what_a_command_draws_is_shrunk),
    TEST(a_rule_need_not_say_what_any_draw_does),
    TEST(a_configuration_is_shrunk_with_the_calls),
    TEST(a_rule_has_the_configuration_that_it_needs),
    TEST(whatever_start_draws_is_part_of_the_case),
    TEST(a_known_rule_counts_only_with_its_configuration),
    TEST(workers_do_not_matter),
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
