/* tests/page_unit.c: pages of results that no program would have: hostile names, too many bugs.
 *
 *     page_unit                 checks the pieces
 *     page_unit --write DIR     writes DIR/hostile.html and DIR/large.html, for page_test.sh and
 *                               page_browser_test.sh
 */
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "explore/sketch.h"
#include "report/page/markup.h"
#include "report/page/page.h"
#include "check.h"
#include "unit.h"

/* ---- Pieces ---- */

#define PUT(expected, ...)                                                                       \
    do {                                                                                         \
        char  *text = NULL;                                                                      \
        size_t size;                                                                             \
        FILE  *out = open_memstream(&text, &size);                                               \
        wri_markup_put(out, __VA_ARGS__);                                                        \
        fclose(out);                                                                             \
        if (strcmp(text, expected) != 0) {                                                       \
            printf("%s:%d: expected %s\ngot %s\n", __FILE__, __LINE__, expected, text);          \
            failures++;                                                                          \
        }                                                                                        \
        free(text);                                                                              \
    } while (0)

TEST(texts_are_escaped_in_elements_and_attributes)
{
    PUT("&lt;b&gt;&amp;&quot;&#39;", "%t", "<b>&\"'");
    PUT("a&#10;b&#9;c", "%t", "a\nb\tc");
    PUT("\\x1b[31m\\x00", "%t%t", "\x1b[31m", "\\x00");
    PUT("\\x07\\x7f\\u0085", "%t", "\x07\x7f\xc2\x85");
    PUT("\\u202egnp.\\u2066\\u200f\\u061c", "%t",
        "\xe2\x80\xaegnp.\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c");
    PUT("\\ufeff\\u2028\\uffff\\u1fffe\\ue0041", "%t",
        "\xef\xbb\xbf\xe2\x80\xa8\xef\xbf\xbf\xf0\x9f\xbf\xbe\xf3\xa0\x81\x81");
    PUT("\\xff\\xc0\\x80\\xed\\xa0\\x80", "%t", "\xff\xc0\x80\xed\xa0\x80");
    PUT("gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x87", "%t", "gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x87");
    PUT("[]", "[%t]", (const char *)NULL);
    PUT("one", "%l", "one\ntwo");
}

TEST(numbers_are_for_readers)
{
    PUT("0 999 1,000 18,446,744,073,709,551,615", "%u %u %u %u", (uint64_t)0, (uint64_t)999,
        (uint64_t)1000, UINT64_MAX);
    PUT("1000 00000000000000ff", "%i %k", (uint64_t)1000, (uint64_t)255);
    PUT("0 % 100 % 47.4 % 0.84 % &lt;0.01 % 99.9 %", "%p %p %p %p %p %p", 0.0, 1.0, 0.4744,
        0.0084, 0.00001, 0.99999);
    PUT("-1.50 0.05 s 12.3 s 1e+300 100%", "%d %s %s %r 100%%", -1.5, 0.05, 12.34, 1e300);
}

TEST(long_texts_are_cut)
{
    char *text = calloc(1, 10001);
    memset(text, 'x', 10000);
    char  *told = NULL;
    size_t size;
    FILE  *out = open_memstream(&told, &size);
    wri_markup_put(out, "%c", text);
    fclose(out);
    CHECK(size < WRI_MARKUP_MOST + 100);
    CHECK(strstr(told, "and 6,000 more bytes") != NULL);
    free(told);
    free(text);
}

/* ---- Results ---- */

#define NASTY                                                                                    \
    "</td></script><script>alert(1)</script><img src=x onerror=alert(2)> \"'&amp; "              \
    "\xe2\x80\xae\x1b[31m\xff\xc0 ]]> -->"

static const wri_value       VALUES[] = { { NASTY, NASTY }, { "", "" }, { "xs", "[0, 1]" } };
static const char *const     NOTES[] = { NASTY, "" };
static const wri_label_count ROWS[] = { { NASTY, 700 }, { "b, c", 300 }, { "", 1 } };
static const wri_label_count COMMANDS[] = { { "b", 900 }, { "c", 100 } };
static const wri_table       TABLES[] = { { NASTY, ROWS, 3 },
                                          { "called", COMMANDS, 2 },
                                          { "connected", ROWS, 3 } };
static const wri_cover       COVERS[] = { { NASTY, NASTY, 7, 50, 10, 1, 2, true, false, true } };
static const wri_best        BESTS[] = { { NASTY, true, -1e300 } };
static const wri_assertion   ASSERTIONS[] = { { NASTY, "always", NASTY, 7, 1, 1, 0, false } };
static const wri_size_row    SIZES[] = { { 1, 2, 3, 7 }, { 2, 20, 70, UINT64_MAX } };
static wri_refuter           REFUTERS[] = { { (char *)(uintptr_t)NASTY, 51 } };
static const char *const     WARNINGS[] = { NASTY };
static const wri_code_line   LINES[] = { { NASTY, NASTY, -1, 0 } };
static const wri_curve_point CURVE[] = { { 1, 1 }, { 7, 2 }, { 10000000, 3 } };
static wri_drawn_name        NAMES[] = {
           { (char *)(uintptr_t)NASTY, false, (wri_label_count *)(uintptr_t)ROWS, 3 },
           { (char *)(uintptr_t) "b", true, (wri_label_count *)(uintptr_t)ROWS, 3 }
};
static wri_drawn_step STEPS[] = { { 0, 1, 7 }, { 1, 1, 1 }, { 2, 0, 70 } };
static wri_drawn_pair PAIRS[] = { { 4, 9 } };

static wri_failure failure_of(unsigned i)
{
    return (wri_failure){ .kind = "assertion",
                          .message = NASTY "\nsecond line",
                          .file = NASTY,
                          .line = 42,
                          .function = "",
                          .values = VALUES,
                          .value_count = 3,
                          .notes = NOTES,
                          .note_count = 2,
                          .output = NASTY,
                          .replay = "./program 'name' --replay w1" NASTY,
                          .token = "w1AbC",
                          .key = i + 1,
                          .minimal = true,
                          .executions_before = 7,
                          .executions_after = 70,
                          .seen = 3,
                          .rule = i % 2 == 0 ? NASTY : NULL,
                          .flaky_why = i % 3 == 0 ? NASTY : NULL };
}

static wri_result result_of(const wri_failure *failure)
{
    return (wri_result){ .property = NASTY,
                         .file = NASTY,
                         .line = 1,
                         .status = failure == NULL ? WRI_STATUS_HELD : WRI_STATUS_FAILED,
                         .cases = 10000000,
                         .discarded = 51,
                         .executions = 20000000,
                         .features = 3,
                         .seconds = 100,
                         .seed = 1,
                         .why = NASTY,
                         .failures = failure,
                         .failure_count = failure != NULL,
                         .machine = { .asked = true, .calls = 9 },
                         .warnings = WARNINGS,
                         .warning_count = 1,
                         .labels = ROWS,
                         .label_count = 3,
                         .tables = TABLES,
                         .table_count = 3,
                         .covers = COVERS,
                         .cover_count = 1,
                         .bests = BESTS,
                         .best_count = 1,
                         .enumerated = { .asked = true,
                                         .runs = 73,
                                         .sizes = SIZES,
                                         .size_count = 2,
                                         .refuters = REFUTERS,
                                         .refuter_count = 1 },
                         .combined = { .asked = true,
                                       .draws = 2,
                                       .tuples = { { 2, 7, 1, 1, 0, 9 } },
                                       .tuple_count = 1,
                                       .missed = WARNINGS,
                                       .missed_count = 1 },
                         .coverage = { 10, 7, LINES, 1, NULL, 0 },
                         .explorer = NASTY,
                         .unseen = { .features = 3, .cases = 10000000, .unseen = 2, .last = 7 },
                         .curve = CURVE,
                         .curve_count = 3,
                         .drawn = { 5,
                                    NAMES,
                                    2,
                                    2,
                                    PAIRS,
                                    { { (wri_label_count *)(uintptr_t)ROWS, STEPS, 3, 3 } } } };
}

static bool write_page(const char *path, unsigned bugs, size_t *size)
{
    wri_page     *page = wri_page_new();
    wri_page_bug  known = { "open", 1, 1700000000, NASTY };
    wri_page_past past = { .bugs = &known, .runs = 3 };
    for (unsigned i = 0; i < bugs; i++) {
        wri_failure failure = failure_of(i);
        wri_result  result = result_of(&failure);
        wri_page_add(page, &result, i % 2 == 0 ? &past : NULL);
    }
    wri_result held = result_of(NULL);
    wri_page_add(page, &held, NULL);
    wri_page_assertions(page, ASSERTIONS, 1);
    char *text = NULL;
    FILE *out = path == NULL ? open_memstream(&text, size) : fopen(path, "w");
    bool  whole = out != NULL && wri_page_write(page, out, &(wri_page_head){ .name = NASTY });
    if (out != NULL)
        whole = fclose(out) == 0 && whole;
    if (text != NULL) {
        CHECK(strstr(text, "<img") == NULL && strstr(text, "<script>alert") == NULL);
        CHECK(strchr(text, '\x1b') == NULL && strstr(text, "\xe2\x80\xae") == NULL);
        CHECK(strchr(text, '\xff') == NULL);
    }
    free(text);
    wri_page_free(page);
    return whole;
}

TEST(a_page_of_fifty_bugs_in_ten_million_cases_is_below_two_megabytes)
{
    size_t size = 0;
    CHECK(write_page(NULL, 50, &size));
    CHECK(size < 2000000 && size > 100000);
}

TEST(a_page_has_a_bound_however_many_bugs_there_are)
{
    size_t size = 0;
    CHECK(write_page(NULL, 400, &size));
    CHECK(size < 3000000);
}

/* ---- Sketches ---- */

static wri_drawn_values told(const wri_sketch *from, wri_sketch **sum)
{
    wri_sketch_add(sum, from);
    return wri_sketch_tell(*sum);
}

TEST(sketches_merge_by_the_names_of_their_columns)
{
    static wri_sketch a, b; /* the same two columns, in another order */
    wri_sketch       *sum = NULL;
    wri_column        x = { .label = 1, .kind = WRI_BOOLEAN, .max = 1, .levels = 3, .name = "x" };
    wri_column        y = { .label = 2, .kind = WRI_BOOLEAN, .max = 1, .levels = 3, .name = "y" };
    a.cases = b.cases = 1;
    a.count = b.count = 2;
    a.columns[0] = b.columns[1] = x;
    a.columns[1] = b.columns[0] = y;
    a.drawn[0][0] = a.drawn[1][1] = 1; /* x = 0, y = 1 */
    a.pairs[0][1] = 1 << 0;
    b.drawn[0][0] = b.drawn[1][1] = 1; /* x = 1, y = 0 */
    b.pairs[0][1] = 1 << 0;
    wri_sketch_add(&sum, &a);
    wri_drawn_values values = told(&b, &sum);
    CHECK(values.cases == 2 && values.count == 2);
    CHECK(values.count == 2 && strcmp(values.names[0].name, "x") == 0 &&
          values.names[0].levels[0].cases == 1 && values.names[0].levels[1].cases == 1);
    CHECK(values.pairs != NULL && values.pairs[0].covered == 2 && values.pairs[0].all == 4);
    wri_sketch_untell(&values);
    free(sum);
}

TEST(a_sketch_of_rubbish_is_told_as_something)
{
    static wri_sketch rubbish;
    uint64_t          random = 1;
    wri_sketch       *sum = NULL;
    for (unsigned round = 0; round < 40; round++) {
        for (size_t i = 0; i < sizeof rubbish / 8; i++) {
            uint64_t word = wri_prng_next(&random);
            word &= round % 4 == 0 ? UINT64_C(0x0101010101010101) : UINT64_MAX;
            memcpy((char *)&rubbish + 8 * i, &word, 8);
        }
        memset(rubbish.varies, (int)(round & 1), sizeof rubbish.varies);
        rubbish.count = round % 3 == 0 ? UINT32_MAX : round % (WRI_SKETCH_NAMES + 1);
        wri_drawn_values values = told(&rubbish, &sum);
        CHECK(values.count <= WRI_SKETCH_NAMES);
        wri_sketch_untell(&values);
        free(sum);
        sum = NULL;
    }
}

int main(int argc, char **argv)
{
    char path[1000];
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        snprintf(path, sizeof path, "%s/hostile.html", argv[2]);
        bool written = write_page(path, 3, NULL);
        snprintf(path, sizeof path, "%s/large.html", argv[2]);
        return written && write_page(path, 50, NULL) ? 0 : 1;
    }
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
