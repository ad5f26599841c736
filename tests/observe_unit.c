/* tests/observe_unit.c: the table of observations, what a watch is told, and the tally. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quest/tally.h"
#include "observe/watch.h"
#include "check.h"
#include "unit.h"

/* ---- A watch that remembers ---- */

typedef struct memory {
    wri_watch base;
    unsigned  hits[WRI_FEATURE_CLASSES], values;
    uint64_t  last_key, last_slot;
    uint32_t  last_cache;
    double    last_value;
    char      last_text[200];
} memory;

static void on_hit(wri_watch *self, wr_case *t, wri_feature_class class, uint64_t key,
                   uint32_t *cache, const char *text)
{
    memory *m = (memory *)self;
    (void)t;
    m->hits[class]++;
    m->last_key = key;
    m->last_cache = (*cache)++;
    snprintf(m->last_text, sizeof m->last_text, "%s", text);
}

static void on_value(wri_watch *self, wr_case *t, uint64_t key, double value, const char *text)
{
    memory *m = (memory *)self;
    (void)t;
    m->values++;
    m->last_key = m->last_slot = key;
    m->last_value = value;
    snprintf(m->last_text, sizeof m->last_text, "%s", text);
}

static memory           watch;
static wri_seen         seen;
static wri_verdict      verdict;
static wri_violation    violation;
static _Atomic uint32_t stop;
static wr_case          the_case;

static wr_case *new_case(bool watched)
{
    memset(&the_case, 0, sizeof the_case);
    watch = (memory){ .base = { on_hit, on_value } };
    wri_seen_clear(&seen);
    stop = 0;
    the_case.seen = &seen;
    the_case.watch = watched ? &watch.base : NULL;
    the_case.verdict = &verdict;
    the_case.violation = &violation;
    the_case.stop = &stop;
    return &the_case;
}

static const wri_observed *row_named(const char *name)
{
    for (uint32_t i = 0; i < seen.count; i++)
        if (strcmp(seen.rows[i].name, name) == 0)
            return &seen.rows[i];
    return NULL;
}

/* ---- The watch ---- */

static void show(wr_case *t, int n)
{
    wr_label(t, "label");
    wr_label(t, "label %d", n);
    wr_classify(t, n > 0, "positive");
    wr_cover(t, n > 0, 5, "covered");
    wr_sometimes(t, n > 0, "sometimes");
    wr_always(t, n >= 0, "always");
    wr_reachable(t, "here");
}

TEST(a_watch_is_told_of_every_hit)
{
    wr_case *t = new_case(true);
    show(t, 1);
    CHECK(watch.hits[WRI_FEATURE_LABEL] == 7);
    show(t, 1); /* in the same case */
    CHECK(watch.hits[WRI_FEATURE_LABEL] == 14);
    CHECK(strcmp(watch.last_text, "here") == 0 && watch.last_cache == 1);
    t->index++;
    show(t, 0); /* what is not so is not told, but an always is */
    CHECK(watch.hits[WRI_FEATURE_LABEL] == 18);
    CHECK(row_named("positive")->cases[1] == 1 && row_named("label")->cases[1] == 2);
    CHECK(row_named("sometimes")->cases[1] == 1 && row_named("sometimes")->cases[0] == 1);
}

TEST(a_watch_is_told_of_cells_and_values)
{
    wr_case *t = new_case(true);
    wr_collect(t, "n", 1000);
    CHECK(watch.hits[WRI_FEATURE_CELL] == 1 && strcmp(watch.last_text, "n: 512..1023") == 0);
    uint64_t key = watch.last_key;
    wr_collect(t, "n", 600);
    CHECK(watch.last_key == key && watch.last_cache == 1);
    wr_state(t, "n", 600);
    CHECK(watch.hits[WRI_FEATURE_CELL] == 3 && strcmp(watch.last_text, "n: 600") == 0);
    wr_maximise(t, "m", 7u);
    CHECK(watch.values == 1 && watch.last_value == 7 && strcmp(watch.last_text, "m") == 0);
    wr_minimise(t, "m", 7);
    CHECK(watch.values == 2 && watch.last_value == -7);
    wr_maximise(t, "m", NAN);
    CHECK(watch.values == 2);
    CHECK(row_named("m")->best == 7);
    volatile char below = (char)-5; /* 251 where a char has no sign */
    wr_maximise(t, "below", below);
    CHECK(watch.values == 3 && watch.last_value == below && row_named("below")->best == below);
    wr_minimise(t, "above", below);
    CHECK(watch.values == 4 && watch.last_value == -below);
    wr_state(t, "of chars", below);
    CHECK(row_named("of chars")->order == below);
}

static void sometimes_less(wr_case *t, int a)
{
    wr_sometimes_lt(t, a, 10, "less");
}

/* What is told depends on the case alone: not on what the process ran before. */
TEST(a_gap_is_told_whatever_was_true_before)
{
    wr_case *t = new_case(true);
    sometimes_less(t, 30);
    CHECK(watch.values == 1 && watch.last_value == -20 && watch.hits[WRI_FEATURE_LABEL] == 0);
    uint64_t key = watch.last_key;
    sometimes_less(t, 9);
    CHECK(watch.values == 2 && watch.last_value == 1 && watch.hits[WRI_FEATURE_LABEL] == 1);
    CHECK(watch.last_key == key); /* the hit's: the gap is known to be that label's */
    for (int round = 0; round < 2; round++) {
        sometimes_less(t, 30);
        CHECK(watch.values == 3 && watch.last_value == -20 && watch.last_key == key);
        t = new_case(true);
        watch.values = 2;
    }
}

TEST(the_gap_of_an_always_is_not_its_labels)
{
    wr_case *t = new_case(true);
    wr_always_le(t, -5, 3u, "always"); /* by value */
    CHECK(watch.values == 1 && watch.last_value == -8 && watch.hits[WRI_FEATURE_LABEL] == 1);
    CHECK(watch.last_slot != watch.last_key);
    wr_sometimes_eq(t, 3, 5.5, "equal");
    CHECK(watch.last_value == -2.5);
    wr_always_ge(t, 3, 1, "at least");
    CHECK(watch.last_value == -2);
}

TEST(a_watch_is_told_though_the_table_is_full)
{
    wr_case *t = new_case(true);
    for (int i = 0; i < WRI_SEEN_ROWS; i++)
        wr_label(t, "label %d", i);
    CHECK(seen.count == WRI_SEEN_ROWS && seen.lost == 0 && stop == 1);
    wr_label(t, "one more");
    wr_label(t, "one more %d", 1);
    wr_collect(t, "one", 1);
    CHECK(seen.lost == 3 && watch.last_cache == 0);
    CHECK(watch.hits[WRI_FEATURE_LABEL] == WRI_SEEN_ROWS + 2 &&
          watch.hits[WRI_FEATURE_CELL] == 1);
    t->seen = NULL; /* a case that does not count */
    wr_label(t, "label %d", 1);
    CHECK(watch.hits[WRI_FEATURE_LABEL] == WRI_SEEN_ROWS + 3);
}

/* ---- The table ---- */

TEST(a_site_finds_its_row_again_after_a_clear)
{
    wr_case *t = new_case(false);
    for (int round = 0; round < 3; round++) {
        wri_seen_clear(&seen);
        for (t->index = 0; t->index < 5; t->index++) {
            if (round == 1)
                wr_label(t, "before");
            wr_label(t, "100%% alike");
        }
        CHECK(row_named("100% alike")->cases[1] == 5);
        CHECK(seen.count == (round == 1 ? 2u : 1u));
    }
}

/* As two checks in one process have it. */
TEST(a_site_has_no_row_in_another_table)
{
    static wri_seen other;
    wr_case        *t = new_case(false);
    memset(&seen, 0, sizeof seen);
    for (int round = 0; round < 2; round++) {
        wri_seen *now = round == 0 ? &seen : &other;
        wri_seen_clear(now);
        t->seen = now;
        if (round == 0)
            wr_label(t, "before");
        wr_label(t, "in both");
        CHECK(now->count == 2u - (unsigned)round);
        CHECK(strcmp(now->rows[now->count - 1].name, "in both") == 0);
        CHECK(now->rows[now->count - 1].cases[1] == 1);
    }
}

TEST(long_texts_are_cut_between_characters)
{
    char     text[200] = "";
    wr_case *t = new_case(false);
    for (int i = 0; i < 60; i++)
        strcat(text, "\xc3\xa9");
    wr_classify(t, true, text);
    CHECK(strlen(seen.rows[0].name) == 78);
    wr_collect(t, text, text);
    CHECK(strlen(seen.rows[1].name) == 78 && strlen(seen.rows[1].detail) == 78);
    wr_label(t, "%s", text);
    CHECK(seen.count == 2);
}

/* A row's text may be taken for a sighting's: another thread's, or a replay's. */
TEST(what_is_kept_of_a_text_is_kept_again)
{
    uint64_t random = 5;
    for (int round = 0; round < 20000; round++) {
        static const char PARTS[][4] = { "\n", "a", "\xc3\xa9", "\xe2\x82\xac", "\x80", "/" };
        char              text[300] = "", once[WRI_SEEN_BYTES], twice[WRI_SEEN_BYTES];
        for (uint64_t parts = 60 + wri_prng_next(&random) % 40; parts > 0; parts--)
            strcat(text, PARTS[wri_prng_next(&random) % 6]);
        wri_seen_text(once, text);
        wri_seen_text(twice, once);
        CHECK(strcmp(once, twice) == 0);
        CHECK(wri_observed_key(1, text, text, NULL, 0) ==
              wri_observed_key(1, once, once, NULL, 0));
        wri_seen_path(once, text);
        wri_seen_path(twice, once);
        CHECK(strcmp(once, twice) == 0);
        CHECK(wri_observed_key(1, "", NULL, text, 7) == wri_observed_key(1, "", NULL, once, 7));
    }
}

TEST(the_watch_reads_what_the_table_says)
{
    wr_case *t = new_case(true);
    wr_label(t, "hello\n");
    CHECK(strcmp(watch.last_text, "hello") == 0);
    uint64_t key = watch.last_key;
    wr_label(t, "%s", "hello");
    CHECK(watch.last_key == key && seen.count == 1);
    wr_collect(t, "n\n", "row\n\n");
    CHECK(strcmp(watch.last_text, "n: row") == 0);
    wr_label(t, "\n"); /* nothing is left of it */
    wr_label(t, "%s", "\n");
    CHECK(seen.count == 2);
}

TEST(what_is_taken_back_was_never_there)
{
    wr_case *t = new_case(false);
    wr_maximise(t, "m", 1);
    wr_sometimes(t, true, "s");
    t->index = 1;
    for (int i = 0; i < 2; i++) {
        wr_label(t, "l");
        wr_sometimes(t, i == 0, "both");
        wr_maximise(t, "m", 5 + i);
    }
    wri_seen_take_back(&seen, 1);
    CHECK(row_named("l")->cases[1] == 0 && row_named("both")->both == 0);
    CHECK(row_named("both")->cases[0] == 0 && row_named("both")->cases[1] == 0);
    CHECK(row_named("m")->best == 1 && row_named("s")->cases[1] == 1);
}

static const char *row_of(wr_case *t)
{
    return seen.rows[t->seen->count - 1].detail;
}

#define CHECK_ROW(value, text)                                                                   \
    do {                                                                                         \
        wr_collect(t, "row", value);                                                             \
        if (strcmp(row_of(t), text) != 0) {                                                      \
            printf("%s:%d: %s: got %s\n", __FILE__, __LINE__, #value, row_of(t));                \
            failures++;                                                                          \
        }                                                                                        \
    } while (0)

TEST(rows_say_what_is_in_them)
{
    wr_case *t = new_case(false);
    CHECK_ROW(0, "0");
    CHECK_ROW(-15, "-15");
    CHECK_ROW(16u, "16..31");
    CHECK_ROW(-16, "-31..-16");
    CHECK_ROW(INT64_MIN, "-18446744073709551615..-9223372036854775808");
    CHECK_ROW(UINT64_MAX, "9223372036854775808..18446744073709551615");
    CHECK_ROW(0.3, "[0.25, 0.5)");
    CHECK_ROW(-4.0, "(-8, -4]");
    CHECK_ROW((double)INFINITY, "inf");
    CHECK_ROW((double)NAN, "NaN");
    CHECK_ROW((bool)(t != NULL), "true");
    CHECK_ROW((char)'a', "'a'");
    CHECK_ROW((char)-5, "0xfb");
    CHECK_ROW((char)0, "0x00");
    CHECK_ROW("text", "text");
    CHECK_ROW((char *)NULL, "NULL");
    CHECK_ROW((void *)t, "not NULL");
}

/* ---- The tally ---- */

TEST(a_table_that_was_scribbled_over_does_no_harm)
{
    wri_tally tally = { 0 };
    uint64_t  random = 1;
    for (int round = 0; round < 20; round++) {
        unsigned char *bytes = (unsigned char *)&seen;
        for (size_t i = 0; i < sizeof seen; i++)
            bytes[i] = (unsigned char)wri_prng_next(&random);
        for (int i = 0; i < 20; i++) { /* some that look right */
            seen.rows[i].sort = (uint32_t)i % WR_SEE_SORTS_;
            seen.rows[i].name[79] = seen.rows[i].detail[79] = '\0';
        }
        seen.count = round % 2 == 0 ? UINT32_MAX : WRI_SEEN_ROWS;
        wri_tally_take(&tally, &seen, 100);
    }
    CHECK(tally.count > 0);
    for (size_t i = 0; i < tally.count; i++)
        CHECK(tally.rows[i].cases[1] <= 2000 && wri_observed_reached(&tally.rows[i]) <= 2000);
    wri_result result = { .cases = 2000 };
    wri_tally_tell(&tally, &result);
    CHECK(result.label_count > 0 && result.table_count > 0 && result.cover_count > 0);
    wri_tally_untell(&result);
    wri_tally_free(&tally);
    memset(&seen, 0, sizeof seen);
}

static bool misses(uint64_t yes, uint64_t cases, double wanted)
{
    wri_tally tally = { 0 };
    wr_case  *t = new_case(false);
    wr_cover(t, true, 1, "c");
    seen.rows[0].cases[1] = yes;
    seen.rows[0].cases[0] = cases - yes;
    seen.rows[0].wanted = wanted;
    wri_tally_take(&tally, &seen, cases);
    wri_result result = { .cases = cases };
    wri_tally_tell(&tally, &result);
    bool missed = result.cover_count == 1 && result.covers[0].missed;
    wri_tally_untell(&result);
    wri_tally_free(&tally);
    return missed;
}

TEST(a_cover_is_missed_only_when_that_is_sure)
{
    CHECK(misses(0, 1000, 10));
    CHECK(misses(40, 1000, 10));
    CHECK(!misses(80, 1000, 10));           /* six standard deviations it is not */
    CHECK(!misses(0, 20, 10));              /* few cases prove nothing */
    CHECK(!misses(9900000, 100000000, 10)); /* sure, and near enough */
    CHECK(misses(8000000, 100000000, 10));
    CHECK(misses(999, 1000, 100)); /* not always is not always */
    CHECK(misses(500, 1000, 100));
    CHECK(!misses(0, 1000, 0));
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    printf("%d checks failed\n", failures);
    return status != 0 ? status : failures != 0;
}
