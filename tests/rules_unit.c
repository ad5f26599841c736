/* tests/rules_unit.c: patterns as text: what is written for the patterns of a registry, that
 * whatever is written is read back as the same, and what is said of files that are wrong.
 */
#include "check.h"
#include "machine/pattern/condition.h"
#include "machine/pattern/opaque.h"
#include "match_in.h"
#include "patterned.h"
#include "unit.h"

/* ---- Helpers ---- */

static void check_text(int line, const char *got, const char *wanted)
{
    if (got != NULL && strcmp(got, wanted) == 0)
        return;
    printf("%s:%d: got\n%s\nwanted\n%s\n", __FILE__, line, got == NULL ? "nothing" : got, wanted);
    failures++;
}

static bool read_text(const char *text, wri_rules *rules, char *error, size_t error_size)
{
    size_t length = strlen(text);
    char  *copy = malloc(length == 0 ? 1 : length); /* so that reading past the end is seen */
    memcpy(copy, text, length);
    bool fine = wri_rules_read(&patterned, copy, length, rules, error, error_size);
    free(copy);
    return fine;
}

/* The rule, read and written again. */
static void stays(int line, const char *rule)
{
    char      error[256] = "", text[2048];
    wri_rules rules;
    snprintf(text, sizeof text, "rule \"r\" of patterned\n%s", rule);
    if (!read_text(text, &rules, error, sizeof error)) {
        printf("%s:%d: %s\n", __FILE__, line, error);
        failures++;
        return;
    }
    CHECK(rules.count == 1 && strcmp(rules.list[0].name, "r") == 0);
    char *again = wri_rule_text(&patterned, &rules.list[0].pattern, NULL);
    check_text(line, again, rule);
    free(again);
    wri_rules_free(&rules);
}

/* ---- Tests ---- */

TEST(rules_are_written_as_they_were_read)
{
    static const char *const RULES[] = {
        "use(_)\n",
        "idle()\n  unless open() came before\n",
        "?P = make(?A)\nuse(?P)\n",
        "?P = open()\nput(?A, ?P) | put(?B, ?P)\n  unless close(?P) came between\n",
        "?P = open() | ?Q = open()\n(put(?A, ?P); close(?P)) | put(?B, ?Q)\nput(?A, ?Q)\n",
        "(idle(); use(_) | write(_)) | (swap(?A, ?A); swap(_, ?A))\n",
        "write(5)\nwrite(-3..7)\nwrite(64..)\nwrite(..-1)\nwrite(..)\n",
        "swap(\"a\", \"d\")\nswap(1..2, 3..)\nswap(\"b\", ..2)\n",
        "put(?A, _)\n  unless put(?A, _) came before, consumed by put(?A, _)\n",
        "put(?A, ?P) | close(?P)\n"
        "  unless idle() came between, if close(?P) is last\n"
        "  unless idle() came between, if put(?A, ?P) is last, consumed by put(?A, ?P)\n"
        "  unless use(_) came between, consumed by the last\n",
        "idle() | idle()\n  unless use(_) came between, if call 2 is last\n",
        "1: idle()\n2: use(_)\n3: open() after 1\n4: ?P = open() after 1, 2\n",
        "write(9223372036854775807)\nwrite(-9223372036854775808)\n",
        "write(#0123456789ab)\nwrite(\"a, (b\" #ba9876543210)\n",
        "write(?_ {1, #2} #ba9876543211)\n  unless write(\"a, (b\" #ba9876543210) came before\n",
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        stays((int)i + 1000, RULES[i]);
}

TEST(an_order_is_what_lines_and_bars_say)
{
    static const char TEXT[] = "# all of them\n"
                               "rule \"a \\\"b\\\" \\\\\" of patterned # one\r\n"
                               "\tidle() | (open();use( _ ))   \r\n"
                               "\n"
                               "  write(1) # and then\n"
                               "rule \"of others\" of registry\n"
                               "  whatever( it says\n"
                               "rule \"c\" of patterned\n"
                               "1:idle()\n2: open()after 1\n3: use(_) after 2\n";
    wri_rules         rules;
    char              error[256] = "";
    CHECK(read_text(TEXT, &rules, error, sizeof error));
    CHECK(rules.count == 2 && strcmp(rules.list[0].name, "a \"b\" \\") == 0);
    if (rules.count == 2) {
        const wri_pattern *a = &rules.list[0].pattern, *c = &rules.list[1].pattern;
        CHECK(a->count == 4 && a->before[0] == 0 && a->before[1] == 0 && a->before[2] == 2 &&
              a->before[3] == 7);
        CHECK(c->count == 3 && c->before[0] == 0 && c->before[1] == 1 && c->before[2] == 3);
    }
    wri_rules_free(&rules);
}

TEST(entries_have_names_and_stand_in)
{
    wri_pattern pattern = {
        .count = 2,
        .before = { 0, 1 },
        .calls = { { .command = 9, .result = WRI_NO_VARIABLE },
                   { .command = 9, .result = WRI_NO_VARIABLE } },
        .guard_count = 1,
        .guards = { { .last = 2, .call = { .command = 9, .result = WRI_NO_VARIABLE } } }
    };
    char *entry = wri_rule_text(&patterned, &pattern, "twice \"idle\"\n");
    check_text(__LINE__, entry,
               "rule \"twice \\\"idle\\\" \" of patterned\n  idle()\n  idle()\n"
               "    unless idle() came between\n");
    free(entry);
}

/* Up to how calls and variables are numbered. */
static void check_same(const wri_pattern *a, const wri_pattern *b, uint64_t *random)
{
    static wri_made calls[16];
    wri_sequence    sequence = { .calls = calls, .room = 16 };
    char           *first = wri_rule_text(&patterned, a, NULL),
         *second = wri_rule_text(&patterned, b, NULL);
    check_text(__LINE__, second, first == NULL ? "" : first);
    free(first);
    free(second);
    for (unsigned i = 0; i < 5; i++) {
        some_sequence(random, &sequence, 1 + below(random, 15), COMMAND_COUNT);
        CHECK(match_in(&patterned, a, &sequence) == match_in(&patterned, b, &sequence));
    }
}

TEST(what_is_written_is_read_back)
{
    unsigned numbered = 0;
    for (uint64_t seed = 0; seed < 10000 && failures == 0; seed++) {
        uint64_t    random = wri_prng_stream(seed, 3);
        wri_pattern pattern;
        wri_rules   rules;
        char        error[256] = "";
        some_pattern(&random, &pattern, 8, COMMAND_COUNT);
        char *entry = wri_rule_text(&patterned, &pattern, "some");
        CHECK(entry != NULL && read_text(entry, &rules, error, sizeof error));
        if (error[0] != '\0')
            printf("%s\n%s\n", entry, error);
        numbered += strstr(entry, "1: ") != NULL;
        if (failures == 0)
            check_same(&pattern, &rules.list[0].pattern, &random);
        free(entry);
        wri_rules_free(&rules);
    }
    CHECK(numbered > 1000 && numbered < 9000);
}

#define NO_NUMBER ":2:8: expected a number, LEAST..MOST, the #... of a report, ?NAME or _, found "

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *text, *error;
    } WRONG[] = {
        { "idle()", ":1:1: expected rule \"NAME\" of MACHINE, found 'idle()'" },
        { "rule x", ":1:6: expected the name of the rule, in quotes, found 'x'" },
        { "rule \"x", ":1:8: expected a quote after the name, found the end of the line" },
        { "rule \"x\" for y", ":1:10: expected of MACHINE, found 'for y'" },
        { "rule \"x\" of patterned\n# nothing\n",
          ":2:1: expected a call: the rule has none, found '# nothing'" },
        { "R  fly()", ":2:3: expected a command of the machine, found 'fly'" },
        { "R  usee(_)",
          ":2:3: expected a command of the machine, found 'usee' (did you mean use?)" },
        { "R use", ":2:2: expected a call, COMMAND(...), found 'use'" },
        { "R use()", ":2:6: expected ?NAME or _ for a thing, which is a handle" },
        { "R use(_, _)", ":2:7: expected ')' (use takes 1 argument), found ', _)'" },
        { "R put(_)", ":2:7: expected ',' (put takes 2 arguments), found ')'" },
        { "R idle(_)", ":2:7: expected ')' (idle takes 0 arguments), found '_)'" },
        { "R use(3)", ":2:6: expected ?NAME or _ for a thing, which is a handle" },
        { "R write(x)", NO_NUMBER "'x)'" },
        { "R write(9..1)", NO_NUMBER "'9..1)'" },
        { "R write(99999999999999999999)", NO_NUMBER "'99999999999999999999)'" },
        { "R write(#0123456789a)", NO_NUMBER "'#0123456789a)'" },
        { "R write(\"a\" #0123456789AB)", NO_NUMBER "'\"a\" #0123456789AB)'" },
        { "R write(_ #0123456789ab)", NO_NUMBER "'_ #0123456789ab)'" },
        { "R write(?A #0123456789ab)",
          ":2:11: expected ')' (write takes 1 argument), found '#0123456789ab)'" },
        { "R write(#0123456789ab ?A)", NO_NUMBER "'#0123456789ab ?A)'" },
        { "R write(1)\nunless write(?A #0123456789ab) came before",
          ":3:14: the calls have no ?A: what is not in them is written _" },
        { "R swap(\"a\", #0123456789ab)",
          ":2:12: expected a value of kind few, LEAST..MOST, ?NAME or _, found "
          "'#0123456789ab)'" },
        { "R swap(\"a\", \"e\")",
          ":2:12: expected a value of kind few, LEAST..MOST, ?NAME or _, found '\"e\")'" },
        { "R swap(4, 1)", ":2:7: a few is a number from 0 to 3, not 4" },
        { "R swap(1, -1..2)", ":2:10: a few is a number from 0 to 3, not -1..2" },
        { "R swap(\"a, 1)", ":2:7: expected an argument whose quotes and brackets "
                            "end, found '\"a, 1)'" },
        { "R ?P = idle()", ":2:2: idle gives nothing" },
        { "R ?P = open() | ?P = open()", ":2:16: ?P is given twice" },
        { "R put(?A, ?A)", ":2:10: expected a place, and ?A is a few" },
        { "R put(?, _)", ":2:7: expected the name of a variable, of at most 31 "
                         "letters, found ', _)'" },
        { "R close(?P)\n?P = open()\n",
          ":3:12: in the rule above ?P is used before it is given" },
        { "R idle() idle()", ":2:9: expected the end of the line, found 'idle()'" },
        { "R (idle(); use(_)", ":2:17: expected ; | or ), found the end of the line" },
        { "R idle()\n1: idle()", ":3:1: expected a call without a number, as those "
                                 "above, found '1: idle()'" },
        { "R1: idle()\nidle()",
          ":3:1: expected a number, as the calls above have one, found 'idle()'" },
        { "R1: idle()\n3: idle()", ":3:1: expected the number of the call, 2:" },
        { "R1: idle()\n2: idle() after 2",
          ":3:17: expected the number of a call above, found '2'" },
        { "R unless idle() came before", ":2:2: unless comes after the calls" },
        { "R idle()\nunless idle() came between",
          ":3:20: expected came before, found 'between'" },
        { "R idle()\nuse(_)\nunless idle() came before",
          ":4:20: expected came between (the other calls and the last), found "
          "'before'" },
        { "R use(_)\nunless use(?P) came before",
          ":3:12: the calls have no ?P: what is not in them is written _" },
        { "R idle()\nunless idle() came before, eaten",
          ":3:28: expected if CALL is last, or consumed by CALL, found 'eaten'" },
        { "R idle()\nunless idle() came before, consumed by open()",
          ":3:40: expected the call that comes last, or the words: the last, found "
          "'open()'" },
        { "R open() | idle()\nunless idle() came between, consumed by idle()",
          ":3:41: expected the call that comes last, or the words: the last, found "
          "'idle()'" },
        { "R idle() | idle()\nunless use(_) came between, if idle() is last",
          ":3:32: expected call NUMBER, for several calls are like this, found "
          "'idle() is last'" },
        { "R open()\nidle()\nunless use(_) came between, if open() is last",
          ":4:32: expected a call that can be the last, found 'open() is last'" },
        { "R open() | idle()\nunless use(_) came between, if open() was last",
          ":3:39: expected or, or is last, found 'was last'" },
        { "R idle()\nunless use(_) came before\nidle()",
          ":4:1: expected unless, or another rule: calls come first, found "
          "'idle()'" },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char        text[256], error[256] = "";
        wri_rules   rules;
        const char *given = WRONG[i].text;
        snprintf(text, sizeof text, "%s%s", *given == 'R' ? "rule \"x\" of patterned\n" : "",
                 *given == 'R' ? given + 1 : given);
        CHECK(!read_text(text, &rules, error, sizeof error));
        check_text((int)i + 2000, error, WRONG[i].error);
        CHECK(rules.count == 0);
        wri_rules_free(&rules);
    }
}

/* Once such a value was seen; where numbers were, too, they mean something. */
TEST(numbers_are_not_what_has_none)
{
    static const char RULE[] = "rule \"x\" of patterned\nidle()\nwrite(%s)\n";
    static const struct {
        const char *value;
        bool        fine[3]; /* before, after a hash was seen, after a number was */
    } VALUES[] = { { "7", { true, false, true } },
                   { "7..", { true, false, true } },
                   { "..7", { true, false, true } },
                   { "..", { true, true, true } },
                   { "0", { true, true, true } },
                   { "_", { true, true, true } },
                   { "?A", { true, true, true } },
                   { "#0123456789ab", { true, true, true } },
                   { "4294967296", { true, false, false } },
                   { "#0123", { false, false, false } },
                   { "x#0123456789ab", { false, false, false } } };
    wri_made     calls[] = { { .command = 9 },
                             { .command = 7, .arguments = { wri_made_opaque(5) } } };
    wri_sequence sequence = { .calls = calls, .count = 2 };
    char         text[128], error[256];
    wri_rules    rules;
    for (unsigned time = 0; time < 3; time++) {
        if (time == 2)
            calls[1].arguments[0] = 7;
        if (time > 0)
            CHECK(wri_opaque_see(&patterned, &sequence) == (time == 1));
        for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
            snprintf(text, sizeof text, RULE, VALUES[i].value);
            bool fine = read_text(text, &rules, error, sizeof error);
            CHECK(fine == VALUES[i].fine[time]);
            if (!fine && i == 0)
                CHECK(strstr(error, ":3:7: a number is not the number 7: ") == error);
            wri_rules_free(&rules);
        }
    }
    patterned_values[1].seen = 0;
}

/* From what a report has shown of calls. */
TEST(texts_are_heard_from_calls)
{
    static const char LINES[] =
        "thing *v1 = make(\"a\");\nwrite({1, \")\"});\nwrite(oh no\n);\nwrite(x);";
    wri_made     calls[] = { { .command = 0 },
                             { .command = 7, .arguments = { wri_made_opaque(UINT64_C(1) << 16) } },
                             { .command = 7, .arguments = { wri_made_opaque(UINT64_C(2) << 16) } },
                             { .command = 7, .arguments = { wri_made_opaque(UINT64_C(3) << 16) } } };
    wri_sequence sequence = { .calls = calls, .count = 4 };
    wri_opaque_listen(&patterned, &sequence, LINES);
    const char *text = wri_opaque_text(&patterned, &NUMBER, calls[1].arguments[0]);
    CHECK(text != NULL && strcmp(text, "{1, \")\"}") == 0);
    CHECK(wri_opaque_text(&patterned, &NUMBER, calls[2].arguments[0]) == NULL);
    CHECK(wri_opaque_text(&patterned, &NUMBER, calls[3].arguments[0]) == NULL);
    stays(__LINE__, "write({1, \")\"} #000000000001)\nwrite(#000000000002)\n");
    wri_opaque_note(&patterned, &NUMBER, calls[2].arguments[0], "?x", 2); /* that is a variable */
    wri_opaque_note(&patterned, &NUMBER, calls[3].arguments[0], "_", 1);
    stays(__LINE__, "write(#000000000002)\nwrite(#000000000003)\n");
    wri_opaque_note(&patterned, &NUMBER, calls[3].arguments[0], "?", 1);
    stays(__LINE__, "write(? #000000000003)\n");
}

static uint32_t label_of(const char *name)
{
    return wri_trace_label_hash(name);
}

/* Names are known from reports; a rule can be read without. */
TEST(conditions_name_what_start_drew)
{
    static const char TEXT[] = "with slots = 3, slots[2] = 1..9, \"max \\\"size\\\"\" = 64..\n"
                               "with [1] = ..-1\nidle()\n";
    static const char KNOWN[] = "with slots = 3, slots[2] = 1..9, \"max \\\"size\\\"\" = 64.., "
                                "[1] = ..-1\nidle()\n";
    wri_configuration settings = { .count = 2,
                                   .list = { { .label = label_of("slots") },
                                             { .label = label_of("max \"size\"") } } };
    char              text[256], error[256], hashed[256];
    wri_rules         rules;
    snprintf(text, sizeof text, "rule \"r\" of patterned\n%s", TEXT);
    CHECK(read_text(text, &rules, error, sizeof error));
    const wri_pattern *pattern = &rules.list[0].pattern;
    CHECK(pattern->condition_count == 4 && pattern->conditions[1].number == 2 &&
          pattern->conditions[2].most == INT64_MAX && pattern->conditions[3].most == -1);
    snprintf(hashed, sizeof hashed,
             "with @%08x = 3, @%08x[2] = 1..9, @%08x = 64.., [1] = ..-1\nidle()\n",
             label_of("slots"), label_of("slots"), label_of("max \"size\""));
    char *unknown = wri_rule_text(&patterned, pattern, NULL);
    check_text(__LINE__, unknown, hashed);
    free(unknown);
    stays(__LINE__, hashed);
    wri_condition_note(&patterned, &settings, "slots");
    wri_condition_note(&patterned, &settings, "max \"size\"");
    wri_condition_note(&patterned, &settings, "calls");
    stays(__LINE__, KNOWN);
    wri_rules_free(&rules);
    while (patterned_names != NULL) {
        wri_kind_text *next = patterned_names->next;
        free(patterned_names);
        patterned_names = next;
    }
}

TEST(a_wrong_condition_is_named)
{
    static const struct {
        const char *rule, *error;
    } WRONG[] = {
        { "with\nidle()", ":2:5: expected the name of a draw of .start" },
        { "with slots 3\nidle()", ":2:12: expected = and a number" },
        { "with slots = x\nidle()", ":2:14: expected = and a number" },
        { "with slots = 3, slots = 4\nidle()", ":2:16: there are two conditions" },
        { "with slots[x] = 3\nidle()", ":2:6: expected the name of a draw" },
        { "with \"slots = 3\nidle()", ":2:6: expected the name of a draw" },
        { "idle()\nwith slots = 3", ":3:1: with comes before the calls" },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char      text[256], error[256] = "";
        wri_rules rules;
        snprintf(text, sizeof text, "rule \"r\" of patterned\n%s\n", WRONG[i].rule);
        CHECK(!read_text(text, &rules, error, sizeof error));
        error[strlen(error) < strlen(WRONG[i].error) ? strlen(error) : strlen(WRONG[i].error)] =
            '\0';
        check_text((int)i + 1000, error, WRONG[i].error);
    }
}

TEST(a_rule_has_its_limits)
{
    char      text[4096] = "rule \"x\" of patterned\n", error[256];
    wri_rules rules;
    for (unsigned i = 0; i < WRI_PATTERN_CALLS; i++)
        strcat(text, "idle()\n");
    CHECK(read_text(text, &rules, error, sizeof error) && rules.list[0].pattern.count == 32);
    CHECK(rules.list[0].pattern.before[31] == 0x7fffffff);
    wri_rules_free(&rules);
    strcat(text, "idle()\n");
    CHECK(!read_text(text, &rules, error, sizeof error));
    check_text(__LINE__, error, ":34:1: a rule has at most 32 calls");
    strcpy(text, "rule \"x\" of patterned\n");
    memset(text + strlen(text), '(', 2000);
    CHECK(!read_text(text, &rules, error, sizeof error));
    check_text(__LINE__, error, ":2:34: there are more than 32 brackets in brackets");
    strcpy(text, "rule \"x\" of patterned\nidle()\n");
    for (unsigned i = 0; i <= WRI_PATTERN_GUARDS; i++)
        strcat(text, "unless idle() came before\n");
    CHECK(!read_text(text, &rules, error, sizeof error));
    check_text(__LINE__, error, ":19:1: a rule has unless at most 16 times");
}

int main(int argc, char **argv)
{
    build_machine();
    int status = run_tests(argc, argv);
    if (failures == 0)
        puts("rules: all checks passed");
    return status != 0 ? status : failures != 0;
}
