/* tests/fleet_unit.c: which text is JSON and what it holds, whose turn is next, and the history
 * of new features. Whole campaigns are in run_command_test.sh. */
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "fleet/json.h"
#include "fleet/screen.h"
#include "fleet/turns.h"
#include "check.h"
#include "unit.h"

TEST(only_a_whole_object_is_an_object)
{
    static const char *const GOOD[] = { "{}", " { } ", "{\"a\": 1}\n", "{\"a\":[],\"b\":{}}",
                                        "{\"\\u00e9\\\"\": [1, -2.5e+3, true, null, \"\"]}" };
    static const char *const BAD[] = { "",
                                       " ",
                                       "[]",
                                       "1",
                                       "{",
                                       "}",
                                       "{}}",
                                       "{} x",
                                       "{\"a\"}",
                                       "{\"a\":}",
                                       "{\"a\": 1,}",
                                       "{\"a\": [1,]}",
                                       "{a: 1}",
                                       "{\"a\": 'b'}",
                                       "{\"a\": \"\\x\"}",
                                       "{\"a\": \"\\u12\"}",
                                       "{\"a\": \"\n\"}",
                                       "{\"a\": tru}",
                                       "{\"a\": .5}",
                                       "{\"a\": 1.}",
                                       "{\"a\": 1e}",
                                       "{\"a\": \"",
                                       "{\"a\": \"\\",
                                       "{\"a\" 1}",
                                       "{,}",
                                       "{\"a\": [}" };
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        CHECK(wri_json_is_object(GOOD[i]));
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        CHECK(!wri_json_is_object(BAD[i]));
}

TEST(an_object_that_is_too_deep_is_refused)
{
    char text[100002] = "{\"a\": ";
    memset(text + 6, '[', sizeof text - 7);
    CHECK(!wri_json_is_object(text));
}

static void check_text(int line, const char *value, const char *expected)
{
    char *text = wri_json_text(value);
    if (text == NULL || strcmp(text, expected) != 0) {
        printf("%s:%d: expected %s, found %s\n", __FILE__, line, expected, text);
        failures++;
    }
    free(text);
}
#define CHECK_TEXT(value, expected) check_text(__LINE__, value, expected)

TEST(members_are_found_by_their_whole_names)
{
    const char *object =
        "{\"ab\": 1, \"a\": \"x\\n\\u0041\\u00e9\\ud83d\\ude00\\u0000\\ud800\", "
        "\"list\": [{\"a\": 2}, 3], \"yes\": true, \"big\": 18446744073709551615}";
    CHECK(wri_json_is_object(object));
    CHECK_TEXT(wri_json_member(object, "a"),
               "x\nA\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(wri_json_number(wri_json_member(object, "ab")) == 1);
    CHECK(wri_json_member(object, "b") == NULL && wri_json_member(object, "abc") == NULL);
    CHECK(wri_json_true(wri_json_member(object, "yes")));
    CHECK(wri_json_number(wri_json_member(object, "big")) == UINT64_MAX);
    const char *list = wri_json_member(object, "list"), *first = wri_json_next(list, NULL);
    CHECK(wri_json_number(wri_json_member(first, "a")) == 2);
    const char *second = wri_json_next(list, first);
    CHECK(wri_json_number(second) == 3 && wri_json_next(list, second) == NULL);
    CHECK(wri_json_member(second, "a") == NULL && wri_json_text(second) == NULL);
    CHECK(wri_json_next(wri_json_member(object, "yes"), NULL) == NULL);
}

TEST(a_property_that_finds_nothing_rests_for_longer_and_longer)
{
    wri_turns turns;
    wri_turns_begin(&turns);
    CHECK(turns.due == 0 && turns.cases == 1000);
    CHECK(wri_turns_took(&turns, 0, &(wri_turn){ .features = 5, .whole = true }) == 5);
    CHECK(turns.due == 1 && turns.cases == 2000);
    CHECK(wri_turns_took(&turns, 1, &(wri_turn){ .features = 5, .whole = true }) == 0);
    CHECK(turns.due == 3 && turns.cases == 4000);
    CHECK(wri_turns_took(&turns, 3, &(wri_turn){ .features = 4 }) == 0);
    CHECK(turns.due == 7 && turns.cases == 4000); /* time ended it: it gets no longer */
    for (uint64_t round = 7; turns.barren < 20; round = turns.due)
        wri_turns_took(&turns, round, &(wri_turn){ .features = 0 });
    uint64_t last = turns.due;
    wri_turns_took(&turns, last, &(wri_turn){ .features = 0 });
    CHECK(turns.due == last + 64);
    CHECK(wri_turns_took(&turns, turns.due, &(wri_turn){ .features = 8 }) == 3);
    CHECK(turns.due == last + 65 && turns.barren == 0);
    wri_turns_took(&turns, turns.due, &(wri_turn){ .bugs = true });
    CHECK(turns.barren == 0 && !turns.over);
    wri_turns_took(&turns, turns.due, &(wri_turn){ .over = true });
    CHECK(turns.over);
}

/* Looks at all that is in a value. Returns how many values that is. */
static unsigned walk(const char *value, unsigned depth)
{
    unsigned count = 1;
    free(wri_json_text(value));
    (void)wri_json_number(value);
    (void)wri_json_true(value);
    (void)wri_json_member(value, "a");
    CHECK(wri_json_end(value) > value);
    for (const char *at = NULL; depth < 100 && (at = wri_json_next(value, at)) != NULL;) {
        free(wri_json_text(at));
        count += walk(*value == '{' ? wri_json_value(at) : at, depth + 1);
    }
    return count;
}

TEST(whatever_is_an_object_can_be_looked_at)
{
    static const char GOOD[] =
        "{\"a\": [1, -2.5e3, {\"b\": null}, []], \"\\ud83d\\ude00\\u0000\": \"\\n\\\\\", "
        "\"c\": {}, \"d\": true, \"a\": \"\"}";
    static const char SOME[] = "{}[],:\"\\u019dnx-+.eE \n\x01\x80";
    unsigned          objects = 0, values = 0;
    for (uint64_t i = 0; i < 60000; i++) {
        uint64_t random = wri_prng_stream(1, i);
        size_t   length = sizeof GOOD - 1 - (i % 3 == 0 ? wri_prng_next(&random) % 20 : 0);
        char    *text = malloc(length + 1); /* a sanitizer sees its end */
        memcpy(text, GOOD, length);
        text[length] = '\0';
        for (uint64_t k = wri_prng_next(&random) % 3; k > 0; k--)
            text[wri_prng_next(&random) % length] =
                SOME[wri_prng_next(&random) % (sizeof SOME - 1)];
        if (wri_json_is_object(text)) {
            objects++;
            values += walk(text + strcspn(text, "{"), 0);
        }
        free(text);
    }
    CHECK(objects > 10000 && values > 5 * objects);
}

TEST(each_turn_of_each_property_has_a_seed_of_its_own)
{
    uint64_t seeds[64];
    for (size_t i = 0; i < 64; i++) {
        wri_turns turns = { .taken = i / 8 };
        seeds[i] = wri_turns_seed(&turns, 7, i % 8);
        for (size_t k = 0; k < i; k++)
            CHECK(seeds[k] != seeds[i]);
    }
    CHECK(seeds[0] == wri_turns_seed(&(wri_turns){ .taken = 0 }, 7, 0));
    CHECK(seeds[0] != wri_turns_seed(&(wri_turns){ .taken = 0 }, 8, 0));
}

TEST(the_history_of_features_keeps_its_sum)
{
    wri_screen_history history = { .width = 0 };
    uint64_t           sum = 0;
    for (unsigned i = 0; i < 1000; i++)
        wri_screen_history_add(&history, i * 7.5, i);
    for (size_t i = 0; i < WRI_SCREEN_BINS; i++)
        sum += history.bins[i];
    CHECK(sum == 999 * 1000 / 2);
    CHECK(history.width == 256); /* the first power of two with room for 7492 s */
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
