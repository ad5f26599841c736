/* tests/combine_unit.c: bins of ranges, the goals and rows of an array, rows of files, and walks,
 * each without a process. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "explore/combine/goals.h"
#include "explore/combine/rows.h"
#include "explore/combine/walks.h"
#include "check.h"
#include "unit.h"

#define CHECK_NUMBER(got, expected) CHECK((uint64_t)(got) == (uint64_t)(expected))
#define CHECK_TEXT(got, expected) CHECK(strcmp(got, expected) == 0)

/* ---- Bins ---- */

static wri_request whole(int64_t lo, uint64_t max)
{
    return (wri_request){ .kind = WRI_INTEGER, .lo = lo, .max = max, .name = "x" };
}

/* Every level of a column has a value, and the value has the level. Returns the levels. */
static uint64_t check_levels(const wri_request *request)
{
    static wr_case  t;
    wri_column      column = wri_column_of(&t, request, 1, 0, false);
    const wri_drawn none = { 0 };
    uint64_t        random = 7;
    for (unsigned level = 0; level < WRI_LEVELS; level++)
        for (int i = 0; (column.levels >> level & 1) != 0 && i < 50; i++) {
            uint64_t number;
            CHECK(wri_column_draw(&t, request, level, &none, &random, &number));
            CHECK(request->kind == WRI_REAL || number <= request->max);
            CHECK_NUMBER(wri_column_level(request, number), level);
        }
    for (int i = 0; i < 300; i++) {
        uint64_t number = 0;
        unsigned level = wri_column_any_level(&t, request, &none, &random);
        CHECK((column.levels >> level & 1) != 0);
        CHECK(wri_column_draw(&t, request, level, &none, &random, &number));
    }
    return column.levels;
}

TEST(every_bin_of_every_range_has_a_value_of_its_own)
{
    static const int64_t LOWS[] = { 0, 1, -1, -5, -1000, 7, INT64_MIN, INT64_MAX, INT64_MIN + 3 };
    static const uint64_t MOST[] = {
        1, 2, 7, 8, 9, 10, 11, 12, 100, 1000, UINT32_MAX, INT64_MAX, UINT64_MAX - 1, UINT64_MAX
    };
    for (size_t i = 0; i < sizeof LOWS / sizeof *LOWS; i++)
        for (size_t k = 0; k < sizeof MOST / sizeof *MOST; k++) {
            if (LOWS[i] < 0 && MOST[k] > (uint64_t)INT64_MAX + (0 - (uint64_t)LOWS[i]))
                continue; /* no range: it would end beyond 2^63 */
            wri_request request = whole(LOWS[i], MOST[k]);
            uint64_t    levels = check_levels(&request);
            CHECK((levels & 1) != 0 && __builtin_popcountll(levels) > 1);
        }
    wri_request request = whole(-1000, 2000);
    CHECK_NUMBER(__builtin_popcountll(check_levels(&request)), 11);
}

TEST(bins_of_reals_have_values_of_their_own)
{
    static const double RANGES[][2] = { { 0, 1 }, { -1, 1 }, { -10, 20 }, { 1e10, 1e11 } };
    wri_request         any = { .kind = WRI_REAL, .max = UINT64_MAX, .name = "d" };
    CHECK((check_levels(&any) >> WRI_BIN_NAN & 1) != 0);
    for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
        wri_request request = any;
        request.range = RANGES[i];
        uint64_t levels = check_levels(&request);
        CHECK((levels >> WRI_BIN_ZERO & 1) == (RANGES[i][0] < 0));
    }
}

TEST(a_choice_among_few_is_its_own_levels)
{
    wri_request pick = { .kind = WRI_INDEX, .max = 35, .name = "p" };
    CHECK_NUMBER(__builtin_popcountll(check_levels(&pick)), 36);
    wri_request flag = { .kind = WRI_BOOLEAN, .max = 1, .name = "b" };
    CHECK_NUMBER(check_levels(&flag), 3);
}

TEST(a_value_drawn_before_comes_again)
{
    wr_case     t = { 0 };
    wri_request a = whole(-50, 1000), b = whole(0, 100);
    wri_drawn   drawn = { 0 };
    uint64_t    random = 3, number, same = 0;
    wri_drawn_add(&drawn, &a, wri_choice_integer_number(-7, -50, 1000));
    CHECK(!wri_column_draw(&t, &b, WRI_BIN_REUSED, &drawn, &random, &number)); /* not in range */
    wri_drawn_add(&drawn, &a, wri_choice_integer_number(42, -50, 1000));
    for (int i = 0; i < 400; i++) {
        CHECK(wri_column_draw(&t, &b, WRI_BIN_REUSED, &drawn, &random, &number));
        CHECK(number >= 41 && number <= 43);
        same += number == 42;
    }
    CHECK(same > 250 && same < 350);
}

/* ---- Goals ---- */

#define MOST_ROWS 5000

/* Makes rows until nothing is open, as a property would answer them. Returns how many. */
typedef bool  answering(const uint8_t *row, uint8_t *drawn);
static size_t make_rows(wri_goals *goals, answering *answer, uint8_t rows[][WRI_FACTORS],
                        uint64_t seed)
{
    uint64_t random = seed;
    size_t   count = 0;
    uint8_t  row[WRI_FACTORS];
    while (count < MOST_ROWS && wri_goals_row(goals, WRI_STRENGTHS, &random, row)) {
        uint8_t *drawn = rows[count++];
        for (unsigned i = 0; i < goals->factor_count; i++)
            drawn[i] = row[i] != WRI_ABSENT ? row[i] : (uint8_t)(random >> (i % 32) & 1);
        wri_goals_wait(goals, row, true);
        bool holds = answer == NULL || answer(row, drawn);
        wri_goals_wait(goals, row, false);
        if (holds)
            wri_goals_count(goals, drawn);
        else
            memset(drawn, WRI_ABSENT, WRI_FACTORS);
    }
    return count;
}

static void begin_goals(wri_goals *goals, const unsigned *levels, unsigned count,
                        unsigned strength)
{
    wri_factor factors[WRI_FACTORS] = { 0 };
    uint16_t   all[WRI_FACTORS];
    for (unsigned i = 0; i < count; i++) {
        factors[i] =
            (wri_factor){ .column = (uint16_t)i, .levels = (UINT64_C(1) << levels[i]) - 1 };
        all[i] = (uint16_t)i;
    }
    CHECK(wri_goals_begin(goals, factors, count));
    CHECK(wri_goals_add(goals, strength, all, count));
}

static bool has_triple(uint8_t rows[][WRI_FACTORS], size_t count, const unsigned *at,
                       const unsigned *levels)
{
    for (size_t r = 0; r < count; r++)
        if (rows[r][at[0]] == levels[0] && rows[r][at[1]] == levels[1] &&
            rows[r][at[2]] == levels[2])
            return true;
    return false;
}

static uint8_t rows[MOST_ROWS][WRI_FACTORS];

TEST(the_rows_have_every_triple)
{
    static const unsigned LEVELS[] = { 2, 2, 3, 5, 4, 2 };
    wri_goals             goals = { 0 };
    begin_goals(&goals, LEVELS, 6, 3);
    size_t count = make_rows(&goals, NULL, rows, 1);
    CHECK(count >= 60 && count <= 110);
    for (unsigned a = 0; a < 6; a++)
        for (unsigned b = a + 1; b < 6; b++)
            for (unsigned c = b + 1; c < 6; c++)
                for (unsigned i = 0; i < LEVELS[a] * LEVELS[b] * LEVELS[c]; i++)
                    CHECK(has_triple(rows, count, (unsigned[]){ a, b, c },
                                     (unsigned[]){ i % LEVELS[a], i / LEVELS[a] % LEVELS[b],
                                                   i / LEVELS[a] / LEVELS[b] }));
    wri_goals_sum sum = wri_goals_sum_up(&goals, 3);
    CHECK(sum.left == 0 && sum.missed == 0 && sum.covered > 0);
    wri_goals_free(&goals);
}

TEST(all_pairs_take_few_rows)
{
    unsigned levels[WRI_FACTORS];
    for (unsigned i = 0; i < 20; i++)
        levels[i] = i < 10 ? 2 : 5;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        wri_goals goals = { 0 };
        begin_goals(&goals, levels, 20, 2);
        size_t count = make_rows(&goals, NULL, rows, seed);
        CHECK(count >= 25 && count <= 55);
        wri_goals_free(&goals);
    }
}

/* Factor 3 exists only beside level 1 of factor 0. */
static bool only_beside(const uint8_t *row, uint8_t *drawn)
{
    (void)row;
    drawn[3] = drawn[0] == 1 ? drawn[3] : WRI_ABSENT;
    return true;
}

TEST(a_draw_that_exists_only_beside_a_value_is_no_goal_beside_others)
{
    static const unsigned LEVELS[] = { 3, 2, 4, 6 };
    wri_goals             goals = { 0 };
    begin_goals(&goals, LEVELS, 4, 2);
    size_t        count = make_rows(&goals, only_beside, rows, 2);
    wri_goals_sum sum = wri_goals_sum_up(&goals, 2);
    CHECK(sum.left == 0 && sum.missed == 0);
    CHECK_NUMBER(sum.covered, 6 + 12 + 8 + 6 + 12 + 24);
    CHECK(count < 80);
    wri_goals_free(&goals);
}

/* The first two are never both 1. */
static bool not_both(const uint8_t *row, uint8_t *drawn)
{
    (void)row;
    return !(drawn[0] == 1 && drawn[1] == 1);
}

static bool count_missed(void *context, const wri_combination *of, const uint8_t *levels)
{
    CHECK(of->factors[0] == 0 && of->factors[1] == 1 && levels[0] == 1 && levels[1] == 1);
    ++*(size_t *)context;
    return true;
}

TEST(a_pair_that_is_refuted_every_time_is_given_up_and_told)
{
    static const unsigned LEVELS[] = { 2, 2, 4, 4 };
    wri_goals             goals = { 0 };
    size_t                missed = 0;
    begin_goals(&goals, LEVELS, 4, 2);
    size_t        count = make_rows(&goals, not_both, rows, 3);
    wri_goals_sum sum = wri_goals_sum_up(&goals, 2);
    wri_goals_missed(&goals, 2, count_missed, &missed);
    CHECK(sum.left == 0 && sum.missed == 1 && missed == 1 && count < 80);
    wri_goals_free(&goals);
}

TEST(a_relation_adds_its_triples_alone)
{
    static const unsigned LEVELS[] = { 3, 3, 3, 3, 3 };
    wri_goals             goals = { 0 };
    begin_goals(&goals, LEVELS, 5, 2);
    CHECK(wri_goals_add(&goals, 3, (const uint16_t[]){ 0, 2, 4 }, 3));
    size_t count = make_rows(&goals, NULL, rows, 4);
    CHECK(count >= 27 && count < 45);
    CHECK_NUMBER(wri_goals_sum_up(&goals, 3).covered, 27);
    wri_goals_free(&goals);
}

TEST(combinations_that_do_not_fit_are_left_out)
{
    unsigned levels[64];
    for (unsigned i = 0; i < 64; i++)
        levels[i] = 12;
    wri_goals goals = { 0 };
    begin_goals(&goals, levels, 64, 3);
    CHECK(goals.too_many && goals.count == 0);
    wri_goals_free(&goals);
}

/* ---- Rows of files ---- */

static void refuses(const char *text, const char *why)
{
    wri_rows read;
    char     error[300] = "";
    CHECK(!wri_rows_parse(&read, "rows.csv", text, strlen(text), error, sizeof error));
    CHECK_TEXT(error, why);
    wri_rows_free(&read);
}

TEST(rows_are_read_as_cover_writes_them)
{
    static const char TEXT[] = "# a comment\n\nx,mode[1],xs.first,d\n"
                               "-7,fast,*,0.5\r\n\ntrue,\"a,\"\"b\",18446744073709551615\n";
    wri_rows          read;
    char              error[300] = "";
    CHECK(wri_rows_parse(&read, "rows.csv", TEXT, strlen(TEXT), error, sizeof error));
    CHECK(read.column_count == 4 && read.count == 2);
    CHECK(read.columns[1].occurrence == 1 && strcmp(read.columns[1].name, "mode") == 0);
    CHECK(read.columns[2].first && read.columns[2].label == wri_trace_label_hash("xs"));
    CHECK(read.cells[0].negative && read.cells[0].number == (uint64_t)-7);
    CHECK(read.cells[1].number == wri_trace_label_hash("fast"));
    CHECK(read.cells[2].manner == WRI_CELL_FREE && read.cells[3].manner == WRI_CELL_REAL);
    CHECK(read.cells[4].number == 1 && read.cells[5].number == wri_trace_label_hash("a,\"b"));
    CHECK(read.cells[6].number == UINT64_MAX && read.cells[7].manner == WRI_CELL_FREE);
    CHECK(read.lines[0] == 4 && read.lines[1] == 6);
    wri_rows_free(&read);
}

TEST(rows_that_are_wrong_say_where)
{
    refuses("", "rows.csv:1: expected a line of names, found \"\"");
    refuses("\n\n", "rows.csv:3: expected a line of names, found \"\"");
    refuses("x,x\n", "rows.csv:1: expected a name that is not there yet, found \"x\"");
    refuses("x,\n", "rows.csv:1: expected the name of a draw, of at most 47 bytes, found \"\"");
    refuses("x\n1\n1,2\n", "rows.csv:3: expected as many cells as names, found \"2\"");
    refuses("x,y\n\"1\"2,3\n",
            "rows.csv:2: expected a comma, a tab or the end of the line, found \"1\"");
}

TEST(no_text_confuses_the_reader_of_rows)
{
    static const char SOME[] = "ab,\"\n\r\t[]1-. *#\0true";
    char              text[200], error[300];
    uint64_t          random = 11;
    for (int i = 0; i < 3000; i++) {
        wri_rows read;
        size_t   size = wri_prng_scale(wri_prng_next(&random), sizeof text - 1);
        for (size_t k = 0; k < size; k++)
            text[k] = SOME[wri_prng_scale(wri_prng_next(&random), sizeof SOME - 1)];
        error[0] = '\0';
        bool fine = wri_rows_parse(&read, "f", text, size, error, sizeof error);
        CHECK(fine == (error[0] == '\0') && strchr(error, '\n') == NULL);
        wri_rows_free(&read);
    }
}

/* ---- Walks ---- */

/* The outcome changes between 640 and 641. */
TEST(a_walk_ends_at_adjacent_values)
{
    static wri_walks walks;
    wri_column       column = { .kind = WRI_INTEGER, .shape = WRI_SHAPE_RANGE, .max = 1000 };
    uint64_t         random = 5;
    bool             at[1001] = { false };
    for (uint64_t x = 100; x <= 900; x += 800) {
        wri_sample sample = { .outcome = x > 640, .levels = { 7 }, .numbers = { x } };
        memset(&sample.levels[1], WRI_ABSENT, sizeof sample.levels - 1);
        wri_walks_note(&walks, &sample, &random);
    }
    CHECK(wri_walks_may(&walks));
    for (int i = 0; i < 60; i++) {
        wri_sample next;
        if (!wri_walks_step(&walks, 0, &column, 1, &random, &next))
            continue;
        CHECK(next.numbers[0] <= 1000);
        at[next.numbers[0]] = true;
        wri_walks_came(&walks, 0, next.numbers[0] > 640, true);
    }
    CHECK(at[640] && at[641] && walks.boundaries >= 3);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
