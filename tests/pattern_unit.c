/* tests/pattern_unit.c: patterns of bugs: what a pattern means in the cases at hand, that the
 * fast search says the same as the plain one, and that what is said to be a case of another bug
 * is one. Random patterns have orders of any shape, ranges, handles, and guards of all sorts.
 */
#include "check.h"
#include "machine/pattern/relate.h"
#include "match_in.h"
#include "patterned.h"
#include "unit.h"

#define LONGEST 64

static wri_made     calls[LONGEST];
static wri_sequence sequence = { .calls = calls, .room = LONGEST };

/* ---- Sequences and patterns written down ---- */

/* "open, put 3 0": a command and its arguments, numbers all. */
static void write_down(const char *text)
{
    sequence.count = 0;
    while (*text != '\0') {
        wri_made *made = &calls[sequence.count++];
        size_t    length = strcspn(text, " ,");
        unsigned  command = 0, argument = 0;
        while (strlen(PATTERNED[command].name) != length ||
               memcmp(PATTERNED[command].name, text, length) != 0)
            command++;
        *made = (wri_made){ .command = (uint8_t)command };
        for (text += length; *text == ' '; argument++)
            made->arguments[argument] = strtoll(text, (char **)&text, 10);
        text += strspn(text, ", ");
    }
}

static wri_pattern pattern_of(const char *rule)
{
    char        text[1024], error[256];
    wri_rules   rules;
    wri_pattern pattern = { 0 };
    snprintf(text, sizeof text, "rule \"r\" of patterned\n%s\n", rule);
    if (wri_rules_read(&patterned, text, strlen(text), &rules, error, sizeof error)) {
        pattern = rules.list[0].pattern;
        wri_rules_free(&rules);
    } else {
        printf("%s: %s\n", rule, error);
        failures++;
    }
    return pattern;
}

static void check_rule(int line, const wri_pattern *pattern, const char *wanted)
{
    char *rule = wri_rule_text(&patterned, pattern, NULL);
    if (rule == NULL || strcmp(rule, wanted) != 0) {
        printf("%s:%d: got\n%s", __FILE__, line, rule == NULL ? "nothing\n" : rule);
        failures++;
    }
    free(rule);
}

/* Conditions are part of both answers, and of what is a case of what. */
TEST(a_pattern_asks_for_settings)
{
    wri_pattern pattern = { .count = 1,
                            .condition_count = 2,
                            .conditions = { { 7, 0, 3, 5 }, { 7, 1, INT64_MIN, 0 } },
                            .calls = { { .command = 9, .result = WRI_NO_VARIABLE } } };
    wri_pattern bare = pattern, narrow = pattern;
    bare.condition_count = 0;
    narrow.conditions[0].least = 4;
    sequence.count = 1;
    calls[0] = (wri_made){ .command = 9 };
    for (int64_t first = 2; first < 7; first++)
        for (int64_t second = -1; second < 2; second++)
            for (unsigned count = 1; count < 3; count++) {
                sequence.settings =
                    (wri_configuration){ count, 1, { { 7, 0, first }, { 7, 1, second } } };
                bool has = count == 2 && first >= 3 && first <= 5 && second <= 0;
                CHECK(wri_match_at_end(&patterned, &pattern, &sequence) == has);
                CHECK(wri_pattern_meets_at_end(&patterned, &pattern, &sequence) == has);
            }
    sequence.settings = (wri_configuration){ 0 };
    CHECK(wri_subsume_is_case_of(&patterned, &bare, &pattern));
    CHECK(!wri_subsume_is_case_of(&patterned, &pattern, &bare));
    CHECK(wri_subsume_is_case_of(&patterned, &pattern, &narrow));
    CHECK(!wri_subsume_is_case_of(&patterned, &narrow, &pattern));
}

TEST(a_pattern_keeps_what_its_level_says)
{
    wri_pattern pattern;
    write_down("make 2, open, put 2 1, move 0 1 2, write 2, swap 2 3");
    CHECK(wri_abstract_calls(&patterned, &sequence, WRI_LEVEL_NAMES, &pattern));
    check_rule(__LINE__, &pattern,
               "make(_)\nopen()\nput(_, _)\nmove(_, _, _)\nwrite(_)\nswap(_, _)\n");
    CHECK(wri_abstract_calls(&patterned, &sequence, WRI_LEVEL_OBJECTS, &pattern));
    check_rule(__LINE__, &pattern,
               "?P = make(_)\n?Q = open()\nput(_, ?Q)\nmove(?P, ?Q, _)\nwrite(_)\nswap(_, _)\n");
    CHECK(wri_abstract_calls(&patterned, &sequence, WRI_LEVEL_SHARED, &pattern));
    check_rule(__LINE__, &pattern,
               "?P = make(?A)\n?Q = open()\nput(?A, ?Q)\nmove(?P, ?Q, ?A)\nwrite(?B)\n"
               "swap(?A, ?C)\n");
    CHECK(wri_match_at_end(&patterned, &pattern, &sequence));
    for (sequence.count = 0; sequence.count <= WRI_PATTERN_CALLS; sequence.count++)
        calls[sequence.count] = (wri_made){ .command = 9 };
    CHECK(!wri_abstract_calls(&patterned, &sequence, WRI_LEVEL_NAMES, &pattern));
    sequence.count = WRI_PATTERN_CALLS;
    CHECK(wri_abstract_calls(&patterned, &sequence, WRI_LEVEL_NAMES, &pattern));
}

TEST(a_sequence_has_a_bug_or_not)
{
    static const char UNNAMED[] = "swap(?A, _)\n"
                                  "unless put(?A, _) came before, consumed by swap(?A, _)";
    static const char TWICE[] = "?P = open()\nput(?A, ?P) | put(?B, ?P)\n"
                                "unless swap(?A, _) came between, if put(?B, ?P) is last\n"
                                "unless swap(?B, _) came between, if put(?A, ?P) is last";
    static const struct {
        const char *rule, *calls;
        bool        has, at_end;
    } CASES[] = {
        { "idle()", "", false, false },
        { "idle()", "open, idle", true, true },
        { "idle()", "idle, open", true, false },
        { "idle()\nidle()", "idle", false, false },
        { "idle() | idle()", "idle, open, idle", true, true },
        { "open()\nidle()", "idle, open", false, false },
        { "open() | idle()", "idle, open", true, true },
        { "write(3..5)", "write 6, write 2", false, false },
        { "write(3..5)", "write 6, write 5", true, true },
        { "swap(?A, ?A)", "swap 1 2", false, false },
        { "swap(?A, ?A)", "swap 2 2", true, true },
        { "swap(?A, ?B)\nswap(?B, ?A)", "swap 1 2, swap 1 2, swap 0 1", false, false },
        { "swap(?A, ?B)\nswap(?B, ?A)", "swap 1 2, swap 1 2, swap 2 1", true, true },
        { "?P = open() | ?Q = open()\nput(?A, ?P)\nput(?A, ?Q)", "open, open, put 1 0, put 1 0",
          false, false },
        { "?P = open() | ?Q = open()\nput(?A, ?P)\nput(?A, ?Q)", "open, open, put 1 1, put 1 0",
          true, true },
        { "put(?A, ?P)\nput(?A, ?Q)", "open, put 1 0, put 1 0", true, true },
        { UNNAMED, "swap 1 0", true, true },
        { UNNAMED, "open, put 1 0, swap 1 0", false, false },
        { UNNAMED, "open, put 2 0, swap 1 0", true, true },
        { UNNAMED, "open, put 1 0, swap 1 0, swap 1 0", true, true },
        { UNNAMED, "open, put 1 0, swap 2 0", true, true },
        { UNNAMED, "open, put 1 0, put 2 0, swap 2 0, swap 1 0", false, false },
        { TWICE, "open, put 1 0, put 2 0", true, true },
        { TWICE, "open, put 1 0, swap 1 3, put 2 0", false, false },
        { TWICE, "open, put 1 0, swap 2 3, put 2 0", true, true },
        { TWICE, "open, swap 1 3, put 1 0, put 2 0", true, true },
        { TWICE, "open, put 1 0, swap 1 3, put 2 0, put 3 0", true, true },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wri_pattern pattern = pattern_of(CASES[i].rule);
        write_down(CASES[i].calls);
        bool has = match_in(&patterned, &pattern, &sequence);
        bool at_end = wri_match_at_end(&patterned, &pattern, &sequence);
        if (has == CASES[i].has && at_end == CASES[i].at_end)
            continue;
        printf("%s: %s: %d %d\n", CASES[i].rule, CASES[i].calls, has, at_end);
        failures++;
    }
}

/* ---- The fast search against the plain one ---- */

#define SET 5

static wri_pattern        set[SET];
static const wri_pattern *set_of[SET];
static wri_avoider       *avoider;

/* So many of the set, made ready. */
static wri_avoided *know_first(size_t count)
{
    wri_avoided *known = malloc(wri_avoided_bytes(set_of, count));
    wri_avoided_write(&patterned, set_of, count, known);
    return known;
}

typedef struct tally {
    unsigned long asked, met, guarded;
} tally;

/* The first pattern that the sequence ends with; -1: none. */
static int plainly(size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wri_match_at_end(&patterned, &set[i], &sequence))
            return (int)i;
    return -1;
}

/* Would it be another answer without guards? */
static bool guards_matter(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wri_pattern bare = set[i];
        bare.guard_count = 0;
        if (bare.guard_count != set[i].guard_count &&
            wri_match_at_end(&patterned, &bare, &sequence))
            return true;
    }
    return false;
}

static void compare_along(const wri_avoided *known, size_t count, tally *all)
{
    size_t length = sequence.count;
    wri_avoider_begin(avoider, &patterned, known);
    for (sequence.count = 1; sequence.count <= length; sequence.count++) {
        const wri_made *last = &sequence.calls[sequence.count - 1];
        int             wanted = plainly(count), got = wri_avoider_meets(avoider, last);
        CHECK(got == wanted);
        all->asked++;
        all->met += got >= 0;
        all->guarded += got < 0 && guards_matter(count);
        wri_avoider_add(avoider, last);
    }
    sequence.count = length;
}

static void both_searches_agree_on_all(uint64_t seed, unsigned commands, tally *all)
{
    uint64_t     random = wri_prng_stream(seed, commands);
    size_t       count = 1 + below(&random, SET);
    wri_avoided *known;
    for (size_t i = 0; i < count; i++)
        some_pattern(&random, &set[i], 5, commands);
    known = know_first(count);
    for (unsigned i = 0; i < 3; i++) {
        some_sequence(&random, &sequence, 1 + below(&random, 20), commands);
        compare_along(known, count, all);
    }
    free(known);
}

TEST(the_fast_search_says_what_the_plain_one_says)
{
    static const unsigned COMMANDS[] = { 2, 5, COMMAND_COUNT };
    tally                 all = { 0 };
    for (uint64_t seed = 0; seed < 20000 && failures == 0; seed++)
        both_searches_agree_on_all(seed, COMMANDS[seed % 3], &all);
    CHECK(all.met > all.asked / 20 && all.met < all.asked * 19 / 20 && all.guarded > 5000);
    printf("pattern: %lu questions, %lu met a bug, %lu guards\n", all.asked, all.met,
           all.guarded);
}

/* Long sequences of few commands and values, where a search could look at much and finds little.
 */
TEST(both_searches_agree_on_long_ones)
{
    tally all = { 0 };
    for (uint64_t seed = 0; seed < 1500 && failures == 0; seed++) {
        uint64_t     random = wri_prng_stream(seed, 77);
        unsigned     commands = 2 + (unsigned)below(&random, 6);
        size_t       count = 1 + below(&random, SET);
        wri_avoided *known;
        for (size_t i = 0; i < count; i++)
            some_pattern(&random, &set[i], 4, commands);
        known = know_first(count);
        some_sequence(&random, &sequence, LONGEST, commands);
        compare_along(known, count, &all);
        free(known);
    }
    CHECK(all.asked > 50000 && all.met < all.asked * 19 / 20 && all.guarded > 500);
}

/* What was said of the call that met a bug last is kept: it is one still, with any other
 * arguments, until one of the calls is made that it waits for. */
typedef struct standing {
    bool      on;
    wri_made  call;
    uint32_t  arguments;
    wri_until until;
} standing;

static bool ends_standing(const standing *now, const wri_made *call)
{
    for (unsigned i = 0; i < now->until.count; i++)
        if (now->until.calls[i].command == call->command &&
            now->until.values[i] == call->arguments[now->until.calls[i].argument])
            return true;
    return (now->until.commands >> call->command & 1) != 0;
}

/* A call of the same command that has these arguments in common. */
static bool is_like(const standing *now, const wri_made *call)
{
    if (call->command != now->call.command)
        return false;
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        if ((now->arguments >> i & 1) != 0 && call->arguments[i] != now->call.arguments[i])
            return false;
    return true;
}

TEST(a_refusal_stands_until_a_guard_is_called)
{
    unsigned long asked = 0, ended = 0;
    for (uint64_t seed = 0; seed < 4000 && failures == 0; seed++) {
        uint64_t     random = wri_prng_stream(seed, 78);
        unsigned     commands = 2 + (unsigned)below(&random, COMMAND_COUNT - 1);
        standing     now = { .on = false };
        wri_avoided *known;
        do
            some_pattern(&random, &set[0], 3, commands);
        while (set[0].guard_count == 0);
        known = know_first(1);
        some_sequence(&random, &sequence, LONGEST, commands);
        wri_avoider_begin(avoider, &patterned, known);
        for (size_t i = 0; i < LONGEST; i++) {
            bool met = wri_avoider_meets(avoider, &calls[i]) >= 0;
            asked += now.on && is_like(&now, &calls[i]);
            CHECK(met || !now.on || !is_like(&now, &calls[i]));
            if (met) {
                now.call = calls[i];
                now.on = wri_avoider_why(avoider, &now.arguments, &now.until);
            }
            ended += now.on && ends_standing(&now, &calls[i]);
            now.on = now.on && !ends_standing(&now, &calls[i]);
            wri_avoider_add(avoider, &calls[i]);
        }
        free(known);
    }
    CHECK(asked > 5000 && ended > 1000);
    printf("pattern: %lu questions about refused calls, %lu guards\n", asked, ended);
}

/* What is foreseen with this value is so, if it is asked about, for the sake of that argument. */
static bool is_foreseen(const wri_foreseen *foreseen, int64_t value, uint64_t *random)
{
    wri_made  call = { .command = foreseen->command };
    uint32_t  arguments;
    wri_until until;
    if (!wri_avoider_is_sure(avoider, foreseen, value))
        return false;
    CHECK(wri_avoider_why(avoider, &arguments, &until) && arguments == 1u << foreseen->argument);
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        call.arguments[i] = (int64_t)below(random, FEW_VALUES);
    call.arguments[foreseen->argument] = value;
    CHECK(wri_avoider_meets(avoider, &call) >= 0);
    return true;
}

static unsigned long count_foreseen(const wri_made *last, uint64_t *random)
{
    unsigned            count;
    unsigned long       found = 0;
    const wri_foreseen *list =
        wri_avoider_foresees(avoider, last == NULL ? WRI_COMMANDS : last->command, &count);
    for (unsigned i = 0; i < count; i++)
        if (last != NULL)
            found += is_foreseen(&list[i], last->arguments[list[i].source], random);
        else
            for (int64_t value = 0; value < FEW_VALUES; value++)
                found += is_foreseen(&list[i], value, random);
    return found;
}

TEST(what_is_foreseen_comes_true)
{
    unsigned long begun = 0, found = 0;
    for (uint64_t seed = 0; seed < 20000 && failures == 0; seed++) {
        uint64_t     random = wri_prng_stream(seed, 79);
        unsigned     commands = 2 + (unsigned)below(&random, COMMAND_COUNT - 1);
        size_t       count = 1 + below(&random, SET);
        wri_avoided *known;
        for (size_t i = 0; i < count; i++)
            some_pattern(&random, &set[i], 3, commands);
        known = know_first(count);
        some_sequence(&random, &sequence, 20, commands);
        wri_avoider_begin(avoider, &patterned, known);
        begun += count_foreseen(NULL, &random);
        for (size_t i = 0; i < sequence.count; i++) {
            wri_avoider_add(avoider, &calls[i]);
            found += count_foreseen(&calls[i], &random);
        }
        free(known);
    }
    CHECK(begun > 1000 && found > 1000);
    printf("pattern: %lu calls foreseen at the beginning, %lu later\n", begun, found);
}

/* ---- The fast search by itself ---- */

static wri_avoided *know(const char *rule)
{
    set[0] = pattern_of(rule);
    return know_first(1);
}

/* The first call and the last of a long sequence. */
TEST(a_sequence_may_be_long)
{
    wri_avoided *known = know("swap(?A, 3)\nput(?A, _)");
    for (unsigned round = 0; round < 3; round++) {
        wri_avoider_begin(avoider, &patterned, known);
        wri_avoider_add(avoider, &(wri_made){ .command = 1 });
        wri_avoider_add(avoider, &(wri_made){ .command = 6, .arguments = { round, 3 } });
        for (int64_t i = 0; i < 5000; i++)
            wri_avoider_add(avoider, &(wri_made){ .command = 6, .arguments = { 3, i % 3 } });
        for (int64_t i = 0; i < 4; i++)
            CHECK(wri_avoider_meets(avoider, &(wri_made){ .command = 4, .arguments = { i } }) ==
                  (i == round ? 0 : -1));
    }
    free(known);
}

/* How many calls of the first argument's value are known to be bugs, at the beginning, and after
 * each. */
TEST(calls_are_foreseen)
{
    static const struct {
        const char   *rule, *made;
        unsigned long first, then[4];
    } CASES[] = {
        { "swap(?A, _)\n  unless put(?A, _) came before, consumed by swap(?A, _)",
          "open, put 1 0, swap 1 0",
          FEW_VALUES,
          { 0, 0, 1 } },
        { "swap(?A, _)\n  unless put(?A, _) came before",
          "open, put 1 0, swap 1 0",
          FEW_VALUES,
          { 0, 0, 0 } },
        { "swap(?A, _)\n  unless swap(_, _) came before, consumed by swap(?A, _)",
          "swap 1 0",
          FEW_VALUES,
          { 0 } },
        { "swap(1..2, _)", "open", 2, { 0 } },
        { "write(?A)", "write 1", 0, { 0 } },
        { "close(?P)\nput(_, ?P)", "open, close 0", 0, { 0, 1 } },
        { "swap(?A, _)\nswap(?A, _)\nswap(?A, _)",
          "swap 1 0, swap 2 0, swap 1 0, swap 1 3",
          0,
          { 0, 0, 1, 1 } },
        { "put(?A, _)\nswap(?A, 2)", "open, put 1 0", 0, { 0, 0 } },
        { "put(?A, _)\nswap(?A, _)\n  unless open() came between", "open, put 1 0", 0, { 0, 0 } },
    };
    uint64_t random = wri_prng_stream(1, 80);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wri_avoided *known = know(CASES[i].rule);
        write_down(CASES[i].made);
        wri_avoider_begin(avoider, &patterned, known);
        CHECK(count_foreseen(NULL, &random) == CASES[i].first);
        for (size_t k = 0; k < sequence.count; k++) {
            wri_avoider_add(avoider, &sequence.calls[k]);
            CHECK(count_foreseen(&sequence.calls[k], &random) == CASES[i].then[k]);
        }
        free(known);
    }
}

/* As many values as a mask can say are remembered one by one; of more none is. */
TEST(of_many_values_nothing_is_foreseen)
{
    for (unsigned values = 63; values <= 66; values++) {
        wr_kind             kind = { "kind", .values = values };
        wr_command          table = { "pick", .takes = { &kind } };
        wri_machine_command command = { .table = &table, .arity = 1, .plain = true };
        wri_machine         machine = patterned;
        wri_pattern         pattern = pattern_of("swap(1..2, _)");
        const wri_pattern  *only = &pattern;
        wri_avoided        *known = malloc(wri_avoided_bytes(&only, 1));
        unsigned            first, later;
        machine.commands = &command;
        machine.command_count = 1;
        pattern.calls[0].command = 0;
        wri_avoided_write(&machine, &only, 1, known);
        wri_avoider_begin(avoider, &machine, known);
        wri_avoider_foresees(avoider, WRI_COMMANDS, &first);
        wri_avoider_foresees(avoider, 0, &later);
        CHECK(first == (values <= 64) && later == (values <= 64));
        free(known);
    }
}

TEST(only_the_machines_own_patterns_count)
{
    wri_machine  other = patterned;
    wri_avoided *known = know("idle()");
    wri_made     idle = { .command = 9 };
    other.name = "another";
    wri_avoider_begin(avoider, &other, known);
    CHECK(wri_avoider_meets(avoider, &idle) == -1);
    wri_avoider_add(avoider, &idle);
    wri_avoider_begin(avoider, &patterned, NULL);
    CHECK(wri_avoider_meets(avoider, &idle) == -1);
    wri_avoider_begin(avoider, &patterned, known);
    CHECK(wri_avoider_meets(avoider, &idle) == 0);
    free(known);
    known = malloc(wri_avoided_bytes(NULL, 0));
    wri_avoided_write(&patterned, NULL, 0, known);
    wri_avoider_begin(avoider, &patterned, known);
    CHECK(wri_avoider_meets(avoider, &idle) == -1);
    free(known);
}

/* The plain search has so many looks for each end that it tries, not for all of them together. */
TEST(a_plain_search_begins_anew_with_each_end)
{
    enum { CALLS = 1500 };
    wri_made    *many = calloc(CALLS, sizeof *many);
    wri_sequence all = { .calls = many, .count = CALLS, .room = CALLS };
    wri_pattern  pattern = pattern_of("write(1)\nwrite(2)");
    for (size_t i = 0; i < CALLS; i++)
        many[i] = (wri_made){ .command = 7, .arguments = { 2 } };
    CHECK(!match_in(&patterned, &pattern, &all));
    many[0].arguments[0] = 1;
    CHECK(match_in(&patterned, &pattern, &all));
    free(many);
}

/* Rules of a queue: most calls are of one command, with values that matter only to a guard, or
 * twice. Nothing has them, and all ways to see that but a few would be too long: the answer would
 * be that they have. */
TEST(a_guard_may_name_what_the_last_call_does_not)
{
    static const char *const RULES[] = {
        "write(?A)\nwrite(?B)\nwrite(?C)\nwrite(?D)\nopen()\nidle()\nunless write(?A) came "
        "between",
        "write(_)\nwrite(_)\nwrite(?A)\nopen()\nidle()\nunless write(?A) came between, consumed "
        "by idle()",
        "write(?A)\nwrite(?B)\nopen()\nwrite(?C)\nopen()\nwrite(?A)\nidle()",
        "write(?A) | write(?B) | write(?C)\nwrite(?D) | idle() | write(?E)\nopen()\nidle()",
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        wri_avoided *known = know(RULES[i]);
        wri_avoider_begin(avoider, &patterned, known);
        for (int64_t j = 0; j < 400; j++)
            wri_avoider_add(avoider, &(wri_made){ .command = 7, .arguments = { j % 9 } });
        wri_avoider_add(avoider, &(wri_made){ .command = 1 });
        wri_avoider_add(avoider, &(wri_made){ .command = 9 });
        for (int64_t j = 0; j < 9; j++)
            wri_avoider_add(avoider, &(wri_made){ .command = 7, .arguments = { j } });
        CHECK(wri_avoider_meets(avoider, &(wri_made){ .command = 9 }) == -1);
        free(known);
    }
}

/* A way from thing to thing to one that no pair has: with few pairs the answer is known, with
 * many it is not looked for to the end. */
TEST(a_search_without_hope_ends)
{
    wri_avoided *known =
        know("pair(?P, ?Q) | pair(?Q, ?R) | pair(?R, ?S) | pair(?S, ?T) | use(?T)\n"
             "move(?P, _, _)");
    wri_made move = { .command = 5, .arguments = { 0, 1, 0 } };
    uint64_t random = 3;
    wri_avoider_begin(avoider, &patterned, known);
    for (unsigned i = 0; i < 42; i++)
        wri_avoider_add(avoider, &(wri_made){ .command = i % 2 });
    wri_avoider_add(avoider, &(wri_made){ .command = 2, .arguments = { 40 } });
    for (unsigned i = 0; i < 800; i++) {
        if (i < 60)
            CHECK(wri_avoider_meets(avoider, &move) == -1);
        wri_made pair = { .command = 3 };
        for (unsigned j = 0; j < 2; j++)
            pair.arguments[j] = (int64_t)below(&random, 20) * 2;
        wri_avoider_add(avoider, &pair);
    }
    CHECK(wri_avoider_meets(avoider, &move) == 0);
    free(known);
}

/* ---- One bug a case of another ---- */

static void check_subsumes(int line, const char *general, const char *special, bool wanted)
{
    wri_pattern a = pattern_of(general), b = pattern_of(special);
    if (wri_subsume_is_case_of(&patterned, &a, &b) == wanted)
        return;
    printf("%s:%d: %s\n-- and --\n%s\n", __FILE__, line, general, special);
    failures++;
}
#define INCLUDES(general, special) check_subsumes(__LINE__, general, special, true)
#define DIFFERS(general, special) check_subsumes(__LINE__, general, special, false)

TEST(a_bug_is_a_case_of_another_or_not)
{
    INCLUDES("idle()", "open()\nidle()");
    DIFFERS("open()\nidle()", "idle()");
    INCLUDES("open() | idle()", "idle()\nopen()");
    DIFFERS("open()\nidle()", "idle() | open()");
    INCLUDES("open()\nidle()", "open()\nuse(_)\nidle()");
    INCLUDES("swap(?A, ?B)", "swap(?A, ?A)");
    DIFFERS("swap(?A, ?A)", "swap(?A, ?B)");
    INCLUDES("swap(?A, ?A)", "swap(2, 2)");
    DIFFERS("swap(?A, ?A)", "swap(2..3, 2..3)");
    INCLUDES("write(1..9)", "write(3..4)");
    DIFFERS("write(1..9)", "write(3..)");
    DIFFERS("write(1..9)", "write(?A)");
    INCLUDES("swap(0..3, 1..)", "swap(?A, 1..3)"); /* there are no others */
    INCLUDES("?P = open()\nput(_, ?P)", "?Q = open()\nput(?A, ?Q) | close(?Q)");
    DIFFERS("?P = open()\nput(_, ?P)", "open()\nput(?A, ?Q)");

    INCLUDES("swap(?A, _)", "swap(?A, _)\nunless put(?A, _) came before");
    DIFFERS("swap(?A, _)\nunless put(?A, _) came before", "swap(?A, _)");
    DIFFERS("swap(?A, _)\nunless put(?A, _) came before", "put(?A, _)\nswap(?A, _)");
    INCLUDES("swap(?A, _)\nunless put(?A, _) came before",
             "swap(?A, ?B)\nunless put(_, _) came before");
    DIFFERS("swap(?A, _)\nunless put(_, _) came before",
            "swap(?A, ?B)\nunless put(?A, _) came before");
    INCLUDES("swap(?A, _)\nunless put(?A, _) came before, consumed by swap(?A, _)",
             "swap(?A, ?B)\nunless put(?A, _) came before");
    DIFFERS("swap(?A, _)\nunless put(?A, _) came before",
            "swap(?A, ?B)\nunless put(?A, _) came before, consumed by swap(?A, ?B)");
    INCLUDES("open()\nidle()\nunless use(_) came between",
             "use(_)\nopen()\nidle()\nunless use(_) came between");
    DIFFERS("open()\nidle()\nunless use(_) came between",
            "open()\nwrite(_)\nidle()\nunless use(_) came between");

    INCLUDES("idle()", "(open(); use(_)) | (open(); use(_)) | (open(); use(_))\nidle()"); /* 90 */
    INCLUDES("idle()", "idle() | idle() | idle() | idle() | idle() | idle()"); /* 720 */
    DIFFERS("idle()", "idle() | idle() | idle() | idle() | idle() | idle() | idle()");
}

/* ---- Other values, and calls repeated ---- */

TEST(values_can_be_taken_out_of_a_pattern)
{
    wri_pattern first = pattern_of("  write(3)\n  swap(\"a\", ?A)\n  swap(?A, \"b\")");
    wri_pattern all = first, none = pattern_of("  swap(?A, _)\n  idle()");
    CHECK(wri_relate_names_values(&patterned, &first));
    CHECK(wri_relate_loosen(&patterned, &first, 2));
    check_rule(__LINE__, &first, "write(_)\nswap(_, ?A)\nswap(?A, \"b\")\n");
    CHECK(wri_relate_loosen(&patterned, &all, 3) && !wri_relate_names_values(&patterned, &all));
    CHECK(!wri_relate_names_values(&patterned, &none) &&
          !wri_relate_loosen(&patterned, &none, 2));
}

static void check_repeats(int line, const char *rule, const char *text, bool wanted)
{
    wri_pattern pattern = pattern_of(rule);
    write_down(text);
    if (wri_relate_repeats(&patterned, &pattern, &sequence) == wanted)
        return;
    printf("%s:%d: %s\n", __FILE__, line, text);
    failures++;
}

TEST(calls_are_repeated_or_not)
{
    check_repeats(__LINE__, "  write(3)\n  idle()", "write 1, write 2, idle", true);
    check_repeats(__LINE__, "  write(3)\n  write(3)\n  idle()", "write 1, idle", true);
    check_repeats(__LINE__, "  write(3)\n  idle()", "write 1, idle", false); /* as often */
    check_repeats(__LINE__, "  write(3)\n  idle()", "write 1, write 1", false);
    check_repeats(__LINE__, "  write(3)\n  idle()", "write 1, idle, write 1", false);
}

static void check_extended(int line, const char *rule, const char *other, bool exactly,
                           const char *wanted)
{
    wri_pattern pattern = pattern_of(rule), its = pattern_of(other), before = pattern;
    bool        extended = wri_relate_extend(&patterned, &pattern, &its, exactly);
    CHECK(extended == (wanted != NULL));
    if (wanted != NULL)
        check_rule(line, &pattern, wanted);
    else
        CHECK(memcmp(&pattern, &before, sizeof before) == 0);
}

TEST(ranges_become_one_if_nothing_else_differs)
{
    check_extended(__LINE__, "  write(3)\n  idle()", "  write(7)\n  idle()", false,
                   "write(3..7)\nidle()\n");
    check_extended(__LINE__, "  write(3)\n  idle()", "  write(4..)\n  idle()", true,
                   "write(3..)\nidle()\n");
    check_extended(__LINE__, "  write(4..5)", "  write(..3)", true, "write(..5)\n");
    check_extended(__LINE__, "  write(3)", "  write(5)", true, NULL);     /* 4 is in neither */
    check_extended(__LINE__, "  swap(0, 0)", "  swap(1, 1)", true, NULL); /* nor is (0, 1) */
    check_extended(__LINE__, "  write(3)", "  write(_)", false, NULL);
    check_extended(__LINE__, "  write(3)\n  idle()", "  write(3) | idle()", false, NULL);
    check_extended(__LINE__, "  write(3)\n  idle()", "  write(3)", false, NULL);
    check_extended(__LINE__, "  swap(?A, ?A)", "  swap(?A, ?B)", false, NULL);
}

/* The calls `text`, of the pattern `rule`, beside the pattern `known`, with these values. */
static void check_lengthened(int line, const char *rule, const char *text, const char *known,
                             wri_relate_values which, const char *wanted)
{
    wri_pattern     own = pattern_of(rule), its = pattern_of(known);
    wri_sequence    given = { 0 }, to = { 0 };
    wri_relate_pair c = { &patterned, &its, &own, &given };
    write_down(text);
    CHECK(wri_sequence_copy(&given, &sequence));
    CHECK(wri_relate_is_comparable(&c) == (wanted != NULL));
    CHECK(wanted == NULL || wri_relate_lengthen(&c, which, &to));
    write_down(wanted == NULL ? "" : wanted);
    if (!wri_sequence_same(&to, &sequence)) {
        printf("%s:%d: not %s\n", __FILE__, line, wanted);
        failures++;
    }
    wri_sequence_free(&given);
    wri_sequence_free(&to);
}

TEST(a_sequence_gets_the_values_and_repeated_calls_of_another)
{
    const char *rule = "  write(2)\n  idle()", *known = "  write(8..9)\n  idle()\n  idle()";
    check_lengthened(__LINE__, rule, "write 2, idle", known, WRI_VALUES_OWN,
                     "write 2, idle, idle");
    check_lengthened(__LINE__, rule, "write 2, idle", known, WRI_VALUES_KNOWN,
                     "write 8, idle, idle");
    check_lengthened(__LINE__, rule, "write 2, idle", known, WRI_VALUES_BETWEEN,
                     "write 5, idle, idle");
    check_lengthened(__LINE__, rule, "write 2, idle", "  write(_)\n  idle()\n  idle()",
                     WRI_VALUES_OWN, NULL); /* only one of them names a value */
    check_lengthened(__LINE__, "  write(2)\n  write(3)\n  idle()", "write 2, write 3, idle",
                     known, WRI_VALUES_KNOWN, NULL); /* one names two */
}

/* One that the first is likely to include: some calls gone, some terms and orders and guards. */
static void generalise(uint64_t *random, const wri_pattern *special, wri_pattern *general)
{
    unsigned moved[WRI_PATTERN_CALLS] = { 0 };
    uint32_t gone = special->count > 1 && one_in(random, 2)
                        ? UINT32_C(1) << below(random, special->count)
                        : 0;
    *general = (wri_pattern){ .variable_count = special->variable_count };
    for (unsigned i = 0; i < special->count; i++) {
        unsigned to = moved[i] = general->count;
        if ((gone >> i & 1) != 0)
            continue;
        general->calls[to] = special->calls[i];
        for (unsigned j = 0; j < i; j++)
            if ((special->before[i] >> j & 1) != 0 && (gone >> j & 1) == 0)
                general->before[to] |= UINT32_C(1) << moved[j];
        general->count++;
    }
    for (unsigned i = 0; i < special->guard_count; i++) {
        wri_guard guard = special->guards[i];
        guard.last = 0;
        for (unsigned j = 0; j < special->count; j++)
            if ((special->guards[i].last >> j & 1) != 0 && (gone >> j & 1) == 0)
                guard.last |= UINT32_C(1) << moved[j];
        guard.consumed ^= one_in(random, 4);
        if (!one_in(random, 3))
            general->guards[general->guard_count++] = guard;
    }
    if (one_in(random, 2))
        change_terms(random, general);
}

/* A value of the kind that is in the range, if a few tries find one. */
static int64_t some_of(uint64_t *random, const wr_kind *kind, const wri_term *range)
{
    int64_t value = 0;
    for (unsigned i = 0; i < 50; i++) {
        value = some_value(random, &sequence, kind);
        if (range->least <= value && value <= range->most)
            break;
    }
    return value;
}

/* Calls that fit the pattern, in an order that it allows, with others between them. False: it did
 * not come to that. */
static bool make_instance(uint64_t *random, const wri_pattern *pattern)
{
    int64_t  values[WRI_PATTERN_VARIABLES + 1];
    uint64_t bound = 0;
    uint32_t left = (uint32_t)((UINT64_C(1) << pattern->count) - 1);
    sequence.count = 0;
    while (left != 0 && sequence.count < 20) {
        wri_made *made = &calls[sequence.count];
        unsigned  next = (unsigned)below(random, pattern->count);
        if (one_in(random, 3)) {
            sequence.count +=
                some_call(random, &sequence, (unsigned)below(random, COMMAND_COUNT), made);
            continue;
        }
        if ((left >> next & 1) == 0 || (pattern->before[next] & left) != 0)
            continue;
        const wri_pattern_call *call = &pattern->calls[next];
        if (!some_call(random, &sequence, call->command, made))
            return false;
        for (unsigned i = 0; i < patterned_commands[call->command].arity; i++) {
            const wri_term *term = &call->terms[i];
            if (term->sort == WRI_TERM_RANGE)
                made->arguments[i] = some_of(random, PATTERNED[call->command].takes[i], term);
            if (term->sort != WRI_TERM_VARIABLE)
                continue;
            if ((bound >> term->variable & 1) == 0)
                values[term->variable] = made->arguments[i];
            bound |= UINT64_C(1) << term->variable;
            made->arguments[i] = values[term->variable];
        }
        if (call->result != WRI_NO_VARIABLE) {
            values[call->result] = (int64_t)sequence.count;
            bound |= UINT64_C(1) << call->result;
        }
        sequence.count++;
        left &= ~(UINT32_C(1) << next);
    }
    return left == 0;
}

TEST(what_is_a_case_of_another_bug_has_it)
{
    unsigned long said = 0, tried = 0, guarded = 0;
    for (uint64_t seed = 0; seed < 20000 && failures == 0; seed++) {
        uint64_t random = wri_prng_stream(seed, 7);
        some_pattern(&random, &set[0], 5, COMMAND_COUNT);
        generalise(&random, &set[0], &set[1]);
        CHECK(wri_subsume_is_case_of(&patterned, &set[0], &set[0]));
        if (!wri_subsume_is_case_of(&patterned, &set[1], &set[0]))
            continue;
        said++;
        guarded += set[1].guard_count > 0;
        for (unsigned i = 0; i < 30; i++)
            if (make_instance(&random, &set[0]) && match_in(&patterned, &set[0], &sequence)) {
                CHECK(match_in(&patterned, &set[1], &sequence));
                tried++;
            }
    }
    CHECK(said > 10000 && said < 19000 && tried > 200000 && guarded > 2000);
    printf("pattern: %lu bugs were cases of others, %lu of them with guards; %lu sequences\n",
           said, guarded, tried);
}

int main(int argc, char **argv)
{
    build_machine();
    for (size_t i = 0; i < SET; i++)
        set_of[i] = &set[i];
    avoider = wri_avoider_make();
    CHECK(avoider != NULL);
    int status = run_tests(argc, argv);
    wri_avoider_free(avoider);
    if (failures == 0)
        puts("pattern: all checks passed");
    return status != 0 ? status : failures != 0;
}
