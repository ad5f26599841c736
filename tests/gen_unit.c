/* tests/gen_unit.c: the generators and the codecs beneath them, without a worker or a hunt.
 *
 * A case is built by hand over plain memory and run in two ways: on the fast path, and traced
 * with the same stream. Seeds are fixed: nothing here fails by chance.
 */
#include <float.h>
#include <math.h>
#include <regex.h>

#include "core/arithmetic.h"
#include "core/hash.h"
#include "core/lean.h"
#include "drawn.h"
#include "gen/draw.h"
#include "gen/show.h"
#include "unit.h"

/* ---- Codecs ---- */

TEST(integer_numbers_go_round_zero)
{
    static const int64_t FIRST[] = { 0, 1, -1, 2, -2, 3, -3, 4, 5, 6, 7 };
    for (uint64_t i = 0; i < 11; i++)
        CHECK(wri_choice_integer_value(i, -3, 10) == FIRST[i]);
    for (uint64_t i = 0; i < 5; i++)
        CHECK(wri_choice_integer_value(i, 5, 4) == 5 + (int64_t)i &&
              wri_choice_integer_value(i, -9, 4) == -5 - (int64_t)i);
    for (uint64_t i = 0; i < 7; i++)
        CHECK(wri_choice_integer_value(i, INT64_MIN, UINT64_MAX) == FIRST[i]);
}

static void check_integer(int64_t lo, int64_t hi, uint64_t number)
{
    uint64_t max = (uint64_t)hi - (uint64_t)lo;
    if (number > max)
        number = wri_prng_scale(number, max);
    int64_t value = wri_choice_integer_value(number, lo, max);
    CHECK(value >= lo && value <= hi);
    CHECK(wri_choice_integer_number(value, lo, max) == number);
}

TEST(integers_come_back_from_their_numbers)
{
    static const int64_t EDGES[] = {
        INT64_MIN, INT64_MIN + 1, INT32_MIN,  -129,          -128,     -2, -1, 0, 1, 2, 127, 128,
        255,       INT32_MAX,     UINT32_MAX, INT64_MAX - 1, INT64_MAX
    };
    size_t   edges = sizeof EDGES / sizeof *EDGES;
    uint64_t state = 1;
    for (size_t a = 0; a < edges; a++)
        for (size_t b = a; b < edges; b++) {
            uint64_t max = (uint64_t)EDGES[b] - (uint64_t)EDGES[a];
            for (uint64_t i = 0; i < 20; i++) {
                check_integer(EDGES[a], EDGES[b], i);
                check_integer(EDGES[a], EDGES[b], max - (i < max ? i : max));
                check_integer(EDGES[a], EDGES[b], wri_prng_next(&state));
            }
            for (size_t c = a; c <= b; c++)
                check_integer(EDGES[a], EDGES[b],
                              wri_choice_integer_number(EDGES[c], EDGES[a], max));
        }
}

static bool same_real(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check_real(double value)
{
    uint64_t number = wri_choice_real_number(value);
    if (!same_real(wri_choice_real_value(number), value)) {
        fprintf(stderr, "%s:%d: %a has number %llx, which is %a\n", __FILE__, __LINE__, value,
                (unsigned long long)number, wri_choice_real_value(number));
        exit(1);
    }
    CHECK(wri_choice_real_number(wri_choice_real_value(number)) == number);
}

TEST(reals_come_back_from_their_numbers)
{
    static const double EDGES[] = { 0.0,
                                    1.0,
                                    0.5,
                                    0.1,
                                    1.5,
                                    2.25,
                                    1e15,
                                    1e16,
                                    4503599627370496.0,
                                    4503599627370495.5,
                                    2251799813685248.0,
                                    2251799813685247.5,
                                    9007199254740991.0,
                                    9007199254740992.0,
                                    1e300,
                                    DBL_MAX,
                                    DBL_MIN,
                                    DBL_EPSILON,
                                    5e-324,
                                    2.2250738585072009e-308,
                                    1e-310,
                                    FLT_MAX,
                                    FLT_MIN,
                                    INFINITY,
                                    NAN };
    uint64_t            state = 2;
    for (size_t i = 0; i < sizeof EDGES / sizeof *EDGES; i++) {
        check_real(EDGES[i]);
        check_real(-EDGES[i]);
    }
    for (int i = 0; i < 200000; i++) {
        uint64_t word = wri_prng_next(&state);
        double   value;
        memcpy(&value, &word, sizeof value);
        check_real(value);
        check_real((double)(int64_t)word / (double)(1 << (word & 15)));
        uint64_t number =
            wri_choice_real_number(wri_choice_real_value(word)); /* every number decodes */
        CHECK(same_real(wri_choice_real_value(number), wri_choice_real_value(word)));
    }
}

TEST(whole_reals_are_simplest)
{
    static const double FIRST[] = { 0, 1, -1, 2, -2, 3, -3 };
    static const double RISING[] = { 0, 1, -1, 2, 100, 1000000, 1.5, 1e300 };
    for (uint64_t i = 0; i < 7; i++)
        CHECK(wri_choice_real_value(i) == FIRST[i] && !signbit(wri_choice_real_value(0)));
    for (size_t i = 1; i < sizeof RISING / sizeof *RISING; i++)
        CHECK(wri_choice_real_number(RISING[i - 1]) < wri_choice_real_number(RISING[i]));
    CHECK(wri_choice_real_number(1.5) < wri_choice_real_number(1.25));
    CHECK(wri_choice_real_number(1.25) < wri_choice_real_number(1.1));
}

TEST(different_reals_have_different_numbers)
{
    static const double VALUES[] = { 0.0,    1,       0.5,     0.25,     1.5,
                                     5e-324, DBL_MIN, DBL_MAX, INFINITY, NAN };
    size_t              count = sizeof VALUES / sizeof *VALUES;
    for (size_t a = 0; a < 2 * count; a++)
        for (size_t b = 0; b < a; b++)
            CHECK(wri_choice_real_number(a < count ? VALUES[a] : -VALUES[a - count]) !=
                  wri_choice_real_number(b < count ? VALUES[b] : -VALUES[b - count]));
}

/* ---- Printed forms ---- */

static void show_point(wr_out *out, const void *value)
{
    const int *xy = value;
    wr_put(out, "(%d, ", xy[0]);
    wr_put(out, "%d)", xy[1]);
}

static void show_numbers(wr_case *t)
{
    wri_show_signed(t, "least", INT64_MIN);
    wri_show_unsigned(t, "most", UINT64_MAX);
    wri_show_bool(t, "yes", true);
    wri_show_bool(t, "no", false);
    wri_show_word(t, "word", "100%s");
    wri_show_signed(t, NULL, 5);
    wr_show(t, "own", "<%d>", 3);
    wr_show(t, "nul", "a%cb", 0);
    wr_show_by(t, "point", show_point, (int[]){ 1, -2 });
    wr_note(t, "at %d%%", 50);
}

static void show_reals(wr_case *t)
{
    static const double VALUES[] = {
        0,       -0.0,    1,    100000,          0.1, 1.5,      -2.25,    1e100, 5e-324,
        DBL_MAX, 1.0 / 3, 1e15, 123456789012345, NAN, INFINITY, -INFINITY
    };
    char name[8];
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        snprintf(name, sizeof name, "d%zu", i);
        wri_show_real(t, name, VALUES[i], false);
    }
    wri_show_real(t, "float", (double)0.1f, true);
    wri_show_real(t, "as double", (double)0.1f, false);
    wri_show_real(t, "tiny", (double)1e-45f, true);
}

static void show_texts(wr_case *t)
{
    wr_show_text(t, "empty", "");
    wr_show_text(t, "escapes", "a\"b\\c\n\t\r\x01z\x7f");
    wr_show_text(t, "gap",
                 "\x1f"
                 "a");
    wr_show_text(t, "utf8", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x87");
    wr_show_text(t, "broken", "\xc3(\xff\xed\xa0\x80\xc0\x80\xe2\x82");
    wr_show_text(t, "c1",
                 "\xc2\x9b"
                 "1m");
    wr_show_text(t, "no text", NULL);
    wr_show_bytes(t, "bytes", (char[]){ 0, 'a', 0, '\n', '\xc3', '\xa9', '\xc3' }, 7);
    wr_show_bytes(t, "no bytes", NULL, 0);
}

static void show_arrays(wr_case *t)
{
    wri_show_array(t, "none", WRI_SHOW_SIGNED, 0, 4, NULL);
    wri_show_array(t, "i8", WRI_SHOW_SIGNED, 3, 1, (int8_t[]){ 0, 1, -1 });
    wri_show_array(t, "i16", WRI_SHOW_SIGNED, 2, 2, (int16_t[]){ -300, 300 });
    wri_show_array(t, "i32", WRI_SHOW_SIGNED, 1, 4, (int32_t[]){ INT32_MIN });
    wri_show_array(t, "i64", WRI_SHOW_SIGNED, 1, 8, (int64_t[]){ INT64_MIN });
    wri_show_array(t, "u8", WRI_SHOW_UNSIGNED, 2, 1, (uint8_t[]){ 0, 255 });
    wri_show_array(t, "u16", WRI_SHOW_UNSIGNED, 1, 2, (uint16_t[]){ 65535 });
    wri_show_array(t, "u32", WRI_SHOW_UNSIGNED, 1, 4, (uint32_t[]){ UINT32_MAX });
    wri_show_array(t, "u64", WRI_SHOW_UNSIGNED, 1, 8, (uint64_t[]){ UINT64_MAX });
    wri_show_array(t, "flags", WRI_SHOW_BOOL, 2, 1, (bool[]){ true, false });
    wri_show_array(t, "doubles", WRI_SHOW_REAL, 2, 8, (double[]){ 0.1, 2 });
    wri_show_array(t, "floats", WRI_SHOW_REAL, 2, 4, (float[]){ 0.1f, -0.0f });
}

TEST(values_print_as_documented)
{
    static const char *REALS[] = { "0.0",
                                   "-0.0",
                                   "1.0",
                                   "100000.0",
                                   "0.1",
                                   "1.5",
                                   "-2.25",
                                   "1e+100",
                                   "5e-324",
                                   "1.7976931348623157e+308",
                                   "0.3333333333333333",
                                   "1e+15",
                                   "123456789012345.0",
                                   "nan",
                                   "inf",
                                   "-inf" };
    char               name[8];
    RUN(show_numbers, 0, true);
    CHECK_TEXT(shown("least"), "-9223372036854775808");
    CHECK_TEXT(shown("most"), "18446744073709551615");
    CHECK_TEXT(shown("yes"), "true");
    CHECK_TEXT(shown("no"), "false");
    CHECK_TEXT(shown("word"), "100%s");
    CHECK_TEXT(shown("own"), "<3>");
    CHECK_TEXT(shown("nul"), "a b");
    CHECK_TEXT(shown("point"), "(1, -2)");
    CHECK_TEXT(shown("a note"), "at 50%");
    RUN(show_reals, 0, true);
    for (size_t i = 0; i < sizeof REALS / sizeof *REALS; i++) {
        snprintf(name, sizeof name, "d%zu", i);
        CHECK_TEXT(shown(name), REALS[i]);
    }
    CHECK_TEXT(shown("float"), "0.1");
    CHECK_TEXT(shown("as double"), "0.10000000149011612");
    CHECK_TEXT(shown("tiny"), "1e-45");
}

TEST(texts_and_arrays_print_as_documented)
{
    RUN(show_texts, 0, true);
    CHECK_TEXT(shown("empty"), "\"\"");
    CHECK_TEXT(shown("escapes"), "\"a\\\"b\\\\c\\n\\t\\r\\x01z\\x7f\"");
    CHECK_TEXT(shown("gap"), "\"\\x1f\"\"a\"");
    CHECK_TEXT(shown("utf8"), "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x87\"");
    CHECK_TEXT(shown("broken"), "\"\\xc3(\\xff\\xed\\xa0\\x80\\xc0\\x80\\xe2\\x82\"");
    CHECK_TEXT(shown("c1"), "\"\\xc2\\x9b\"\"1m\"");
    CHECK_TEXT(shown("no text"), "NULL");
    CHECK_TEXT(shown("bytes"), "\"\\x00\"\"a\\x00\\n\xc3\xa9\\xc3\"");
    CHECK_TEXT(shown("no bytes"), "\"\"");
    RUN(show_arrays, 0, true);
    CHECK_TEXT(shown("none"), "[]");
    CHECK_TEXT(shown("i8"), "[0, 1, -1]");
    CHECK_TEXT(shown("i16"), "[-300, 300]");
    CHECK_TEXT(shown("i32"), "[-2147483648]");
    CHECK_TEXT(shown("i64"), "[-9223372036854775808]");
    CHECK_TEXT(shown("u8"), "[0, 255]");
    CHECK_TEXT(shown("u16"), "[65535]");
    CHECK_TEXT(shown("u32"), "[4294967295]");
    CHECK_TEXT(shown("u64"), "[18446744073709551615]");
    CHECK_TEXT(shown("flags"), "[true, false]");
    CHECK_TEXT(shown("doubles"), "[0.1, 2.0]");
    CHECK_TEXT(shown("floats"), "[0.1, -0.0]");
}

static void show_long(wr_case *t)
{
    char *text = wr_alloc(t, 60001);
    wri_show_signed(t, "before", 1);
    for (size_t i = 0; i < 60000; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    wr_show_text(t, "long", text);
    text[1] = 'x';
    wr_show_text(t, "odd", text + 1);
    memset(text, 'x', 60000);
    wr_show(t, "printed", "%s", text);
    wri_show_array(t, "array", WRI_SHOW_UNSIGNED, 60000, 1, text);
    wri_show_signed(t, "after", 2);
    for (int i = 0; i < 20; i++)
        wr_show_text(t, "more", text);
    wri_show_signed(t, "small", 3);
}

static void check_cut(const char *text)
{
    CHECK(text != NULL && strlen(text) <= 16384 && strlen(text) > 16384 - 8);
    CHECK(strcmp(text + strlen(text) - 3, "...") == 0);
}

TEST(long_texts_are_cut_and_what_does_not_fit_is_counted)
{
    RUN(show_long, 0, true);
    CHECK_TEXT(shown("before"), "1");
    check_cut(shown("long"));
    check_cut(shown("odd"));
    /* No half character before "...". */
    CHECK((unsigned char)shown("long")[strlen(shown("long")) - 4] == 0xa9);
    CHECK((unsigned char)shown("odd")[strlen(shown("odd")) - 4] == 0xa9);
    check_cut(shown("printed"));
    check_cut(shown("array"));
    CHECK_TEXT(shown("after"), "2");
    CHECK(the_text.lost > 0 && the_text.used <= the_text.room);
    CHECK_TEXT(shown("small"), "3"); /* one that fits still gets in */
}

/* ---- Everything at once: fast and traced ---- */

static void *draw_some(wr_case *t, void *context)
{
    int64_t *value = wr_alloc(t, sizeof *value);
    *value = wr_int(t, context, -5, 5);
    keep(value, sizeof *value);
    return value;
}

typedef struct point {
    int    x;
    double y;
} point;

static void draw_point(wr_case *t, void *element, void *context)
{
    point *p = element;
    (void)context;
    p->x = (int)wr_int(t, "x", 0, 9);
    p->y = wr_double(t, "y", -1, 1);
    keep(&p->x, sizeof p->x);
    keep(&p->y, sizeof p->y);
}

static size_t tree_nodes;

static void              *grow_tree(wr_case *t, size_t form, size_t budget, void *context);
static const wr_recursion TREE = { .label = "tree", .leaves = 2, .forms = 4, .grow = grow_tree };

static void *grow_tree(wr_case *t, size_t form, size_t budget, void *context)
{
    (void)context;
    tree_nodes++;
    KEEP(size_t, form);
    KEEP(size_t, budget);
    if (form == 2)
        return wr_recurse(t, &TREE, budget);
    if (form == 3) {
        wr_recurse(t, &TREE, budget / 2);
        wr_recurse(t, &TREE, budget / 2);
    }
    return NULL;
}

static const wr_constant COLOURS[] = { { "RED", 10 }, { "GREEN", 20 }, { "BLUE", -30 } };
static const char *const WORDS[] = {
    "while", "9lives", "\xc3\xa9t\xc3\xa9", "averyveryverylongword", "if", NULL, "\xff"
};

static void draw_reals(wr_case *t)
{
    KEEP(double, wr_double(t, "d", -10, 1e6));
    KEEP(double, wr_any_double(t, "any d"));
    KEEP(float, wr_float(t, "f", 0.1f, 0.3f));
    KEEP(float, wr_any_float(t, "any f"));
    size_t n = wr_size(t, "n", 0, 20);
    keep(wr_doubles(t, "ds", n, 0, 1), n * sizeof(double));
    keep(wr_floats(t, "fs", n, -3, 1e30f), n * sizeof(float));
}

static void draw_everything(wr_case *t)
{
    drawn_bytes = tree_nodes = 0;
    draw_reals(t);
    size_t n = wr_size(t, "n", 0, 12);
    keep_text(wr_text(t, "text", 0, 20));
    keep_text(wr_text(t, "fixed", 3, 3));
    keep_text(wr_utf8(t, "utf8", 0, 20));
    wr_words(t, 7, WORDS);
    keep_text(wr_text(t, "wordy", 0, 10));
    keep_text(wr_identifier(t, "identifier", 1, 8));
    keep_text(wr_text_of(t, "acgt", "acgt", 2, 9));
    keep_text(wr_text_of(t, "single", "x", 0, 9));
    keep_text(wr_matching(t, "matching", "(ab|c[x-z]{2}|\\d+)*!?"));
    KEEP(int64_t, wr_enum(t, "colour", 3, COLOURS));
    KEEP(bool, wr_optional(t, "optional", draw_some, "some") != NULL);
    wr_array(t, n, sizeof(point), draw_point, NULL);
    keep(wr_unique_ints(t, "unique", n, -6, 6), n * sizeof(int64_t));
    keep(wr_permutation(t, "order", n), n * sizeof(size_t));
    keep(wr_subset(t, "subset", n), n);
    keep(wr_bools(t, "bools", n), n);
    keep(wr_picks(t, "picks", n, 5), n * sizeof(size_t));
    wr_recurse(t, &TREE, WR_SIZE);
}

/* Enough of them to meet a NaN with a payload. */
static void draw_many_reals(wr_case *t)
{
    drawn_bytes = 0;
    for (int i = 0; i < 100; i++) {
        KEEP(double, wr_any_double(t, "d"));
        KEEP(float, wr_any_float(t, "f"));
    }
}

TEST(both_paths_draw_the_same)
{
    for (uint64_t seed = 0; seed < 2000; seed++)
        check_both_paths(draw_everything, seed);
    for (uint64_t seed = 0; seed < 500; seed++)
        check_both_paths(draw_many_reals, seed);
}

/* Every way to round, subnormal numbers flushed to zero, and everything that can trap trapping.
 */
static const wri_arithmetic ODD[] = {
#if defined(__x86_64__)
    { .control = 0x3f80, .x87 = 0x77f }, { .control = 0x5f80, .x87 = 0xb7f },
    { .control = 0x7f80, .x87 = 0xf7f }, { .control = 0x9fc0, .x87 = 0x37f },
    { .control = 0x0000, .x87 = 0x340 }, { .control = 0xe040, .x87 = 0xf40 },
#elif defined(__aarch64__)
    { .control = 1u << 22 }, { .control = 2u << 22 }, { .control = 3u << 22 },
    { .control = 1u << 24 }, { .control = 0x9f00u },  { .control = 3u << 22 | 3u << 24 },
#else
    { .control = 0 },
#endif
};

static void draw_reals_alone(wr_case *t)
{
    drawn_bytes = 0;
    for (int i = 0; i < 20; i++)
        draw_reals(t);
    KEEP(float, wr_float(t, "tiny f", 0, 1e-40f));
    KEEP(double, wr_double(t, "tiny d", -1e-310, 1e-310));
}

TEST(reals_do_not_depend_on_the_arithmetic_of_the_property)
{
    static char          plain[sizeof drawn], plain_text[1 << 16];
    const wri_arithmetic usual = { .control = WRI_PLAIN_CONTROL, .x87 = WRI_PLAIN_X87 };
    for (uint64_t seed = 0; seed < 100; seed++)
        for (manner how = FAST; how <= SHOWN; how++) {
            CHECK(run_as(how, draw_reals_alone, seed, NULL) == WRI_PASS);
            size_t   bytes = drawn_bytes, text = how == SHOWN ? the_text.used : 0;
            uint64_t journal = journal_hash();
            CHECK(text < sizeof plain_text);
            memcpy(plain, drawn, bytes);
            memcpy(plain_text, the_text.bytes, text);
            for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++) {
                wri_arithmetic_set(&ODD[i]);
                uint32_t         set = wri_arithmetic_control(); /* what this processor has */
                wri_verdict_kind end = run_as(how, draw_reals_alone, seed, NULL);
                bool             kept = wri_arithmetic_is(set);
                wri_arithmetic_set(&usual);
                CHECK(end == WRI_PASS && kept && journal_hash() == journal);
                CHECK(drawn_bytes == bytes && memcmp(plain, drawn, bytes) == 0);
                CHECK(how != SHOWN || memcmp(plain_text, the_text.bytes, text) == 0);
            }
        }
}

TEST(a_trace_played_back_draws_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++)
        check_every_path(draw_everything, seed);
}

TEST(all_zeros_is_the_simplest)
{
    CHECK(run(draw_everything, 0, true, &zeros) == WRI_PASS);
    CHECK_TEXT(shown("d"), "0.0");
    CHECK_TEXT(shown("f"), "0.1");
    CHECK_TEXT(shown("ds"), "[]");
    CHECK_TEXT(shown("text"), "\"\"");
    CHECK_TEXT(shown("fixed"), "\"aaa\"");
    CHECK_TEXT(shown("identifier"), "\"a\"");
    CHECK_TEXT(shown("acgt"), "\"aa\"");
    CHECK_TEXT(shown("matching"), "\"\"");
    CHECK_TEXT(shown("colour"), "RED");
    CHECK_TEXT(shown("optional"), "NULL");
    CHECK(tree_nodes == 1);
}

static void draw_simple_collections(wr_case *t)
{
    wr_permutation(t, "order", 5);
    wr_unique_ints(t, "unique", 5, -10, 10);
    wr_subset(t, "subset", 2);
    wr_matching(t, "class", "[^b-z][\\W][Z-a0][ -/]{2}(x|y)");
    wr_utf8(t, "utf8", 2, 2);
}

TEST(all_zeros_is_in_order)
{
    CHECK(run(draw_simple_collections, 0, true, &zeros) == WRI_PASS);
    CHECK_TEXT(shown("order"), "[0, 1, 2, 3, 4]");
    CHECK_TEXT(shown("unique"), "[0, 1, -1, 2, -2]"); /* each 0 is bumped to the next */
    CHECK_TEXT(shown("subset"), "[false, false]");
    CHECK_TEXT(shown("class"), "\"a a  x\"");
    CHECK_TEXT(shown("utf8"), "\"aa\"");
}

/* ---- Reals ---- */

static void draw_in_range(wr_case *t)
{
    static const float LOW[] = { 0.1f, -1, 16777216, -FLT_MAX, 1e-45f };
    static const float HIGH[] = { 0.10000001f, 0, 16777218, FLT_MAX, 1e-44f };
    for (int i = 0; i < 5; i++) {
        float f = wr_float(t, "f", LOW[i], HIGH[i]);
        CHECK(f >= LOW[i] && f <= HIGH[i]);
        double d = wr_double(t, "d", (double)LOW[i], (double)HIGH[i]);
        CHECK(d >= (double)LOW[i] && d <= (double)HIGH[i]);
        float *fs = wr_floats(t, "fs", 5, LOW[i], HIGH[i]);
        for (int k = 0; k < 5; k++)
            CHECK(fs[k] >= LOW[i] && fs[k] <= HIGH[i]);
    }
    double d = wr_double(t, "all", -DBL_MAX, DBL_MAX);
    CHECK(isfinite(d));
    CHECK(wr_double(t, "one", 0.3, 0.3) == 0.3);
}

static bool saw_nan, saw_infinity, saw_negative;

static void draw_any_real(wr_case *t)
{
    double d = wr_any_double(t, "d");
    float  f = wr_any_float(t, "f");
    saw_nan |= isnan(d);
    saw_infinity |= isinf(d);
    saw_negative |= d < 0 && f < 0;
}

TEST(reals_stay_in_range_and_any_means_any)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        RUN(draw_in_range, seed, seed % 2 == 0);
        RUN(draw_any_real, seed, seed % 2 == 0);
    }
    CHECK(saw_nan && saw_infinity && saw_negative);
}

/* ---- Text ---- */

/* An independent reading of UTF-8 (RFC 3629), strict; returns code points, or -1; `longest` is
 * the most bytes that one of them takes. */
static int utf8_length(const char *text, int *longest)
{
    const unsigned char *s = (const unsigned char *)text;
    int                  points = 0;
    *longest = 0;
    while (*s != 0) {
        int bytes;
#define MORE(i) (s[i] >= 0x80 && s[i] <= 0xbf)
        if (s[0] <= 0x7f)
            bytes = 1;
        else if (s[0] >= 0xc2 && s[0] <= 0xdf && MORE(1))
            bytes = 2;
        else if (((s[0] == 0xe0 && s[1] >= 0xa0) || (s[0] == 0xed && s[1] <= 0x9f) ||
                  (s[0] > 0xe0 && s[0] < 0xed) || s[0] == 0xee || s[0] == 0xef) &&
                 MORE(1) && MORE(2))
            bytes = 3;
        else if (((s[0] == 0xf0 && s[1] >= 0x90) || (s[0] == 0xf4 && s[1] <= 0x8f) ||
                  (s[0] > 0xf0 && s[0] < 0xf4)) &&
                 MORE(1) && MORE(2) && MORE(3))
            bytes = 4;
        else
            return -1;
#undef MORE
        s += bytes;
        points++;
        if (bytes > *longest)
            *longest = bytes;
    }
    return points;
}

static int with_longest[5];
static int words_seen;

static void draw_texts(wr_case *t)
{
    int   longest;
    char *utf8 = wr_utf8(t, "utf8", 2, 9);
    int   points = utf8_length(utf8, &longest);
    CHECK(points >= 2 && points <= 9);
    with_longest[longest]++;
    const char *text = wr_text(t, "text", 1, 5);
    CHECK(strlen(text) >= 1 && strlen(text) <= 5);
    for (const char *at = text; *at != '\0'; at++)
        CHECK(*at >= ' ' && *at <= '~');
    const char *identifier = wr_identifier(t, "id", 0, 6);
    CHECK(strlen(identifier) >= 1 && strlen(identifier) <= 6);
    CHECK(strchr("0123456789", identifier[0]) == NULL);
    CHECK(strspn(identifier, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
          strlen(identifier));
    const char *acgt = wr_text_of(t, "acgt", "acgt", 0, 300);
    CHECK(strspn(acgt, "acgt") == strlen(acgt) && strlen(acgt) <= 300);
}

static void draw_words(wr_case *t)
{
    int longest;
    wr_words(t, 7, WORDS);
    const char *text = wr_text(t, "text", 3, 8);
    const char *identifier = wr_identifier(t, "id", 1, 8);
    const char *utf8 = wr_utf8(t, "utf8", 3, 8);
    CHECK(strlen(text) >= 3 && strlen(text) <= 8 && strlen(identifier) <= 8);
    CHECK(utf8_length(utf8, &longest) >= 3 && utf8_length(utf8, &longest) <= 8);
    CHECK(strcmp(identifier, "9lives") != 0);
    words_seen += strcmp(text, "while") == 0 || strcmp(text, "9lives") == 0;
    words_seen += (strcmp(utf8, "\xc3\xa9t\xc3\xa9") == 0) * 1000;
}

TEST(texts_are_valid_and_of_every_width)
{
    for (uint64_t seed = 0; seed < 2000; seed++)
        RUN(draw_texts, seed, seed % 2 == 0);
    for (int bytes = 1; bytes <= 4; bytes++)
        CHECK(with_longest[bytes] > 200);
    for (uint64_t seed = 0; seed < 1000; seed++)
        RUN(draw_words, seed, seed % 2 == 0);
    CHECK(words_seen % 1000 > 60 && words_seen % 1000 < 250); /* about one in eight */
    CHECK(words_seen >= 10000);
}

/* ---- Regular expressions ---- */

/* Ours, and the same for regcomp() where that has another spelling. */
static const char *const EXPRESSIONS[][2] = {
    { "", "" },
    { "abc", NULL },
    { "a|bc|def", NULL },
    { "a|", "a|()" },
    { "[a-z]+", NULL },
    { "[^a-z]*", NULL },
    { "x{3}y{2,4}z{1,}", NULL },
    { "(ab|cd)+e?", NULL },
    { "(?:ab|(cd|ef)*){2}", "(ab|(cd|ef)*){2}" },
    { "\\d{1,3}(\\.\\d{1,3}){3}", "[0-9]{1,3}(\\.[0-9]{1,3}){3}" },
    { "\\w+@\\w+\\.(com|org)", "[A-Za-z0-9_]+@[A-Za-z0-9_]+\\.(com|org)" },
    { "\\s\\S", "[ \t\n\r\f\v][^ \t\n\r\f\v]" },
    { "\\D\\W", "[^0-9][^A-Za-z0-9_]" },
    { "...", NULL },
    { ".*", NULL },
    { "[]a]*[a-]+", NULL },
    { "[^]a]", NULL },
    { "\\x41\\x7e?[\\x30-\\x39]", "A~?[0-9]" },
    { "[\\d_-]+", "[0-9_-]+" },
    { "^anchored$", NULL },
    { "\\(\\[\\{\\*\\+\\?\\|\\)\\\\", NULL },
    { "a\\nb\\tc\\rd", "a\nb\tc\rd" },
    { "(((a|b){0,2}c){1,3}|d)?", NULL },
    { "[+-]?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?",
      "[+-]?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?" },
    { "]}", "\\]\\}" },
    { "x(){5}y", "xy" },
};

static const char *expression, *last_match;

static void draw_matching(wr_case *t)
{
    last_match = wr_matching(t, "m", expression);
}

/* Does the whole text match? The expression is put in a group between anchors. */
static bool matches(const regex_t *compiled, const char *text)
{
    regmatch_t all;
    return regexec(compiled, text, 1, &all, 0) == 0 && all.rm_so == 0 &&
           (size_t)all.rm_eo == strlen(text);
}

static size_t check_expression(const char *ours, const char *posix)
{
    regex_t compiled;
    char    whole[300], first[200] = "";
    size_t  different = 0;
    if (strcmp(posix, "") == 0 || posix[0] == '^')
        snprintf(whole, sizeof whole, "%s", posix[0] == '^' ? posix : "^$");
    else
        snprintf(whole, sizeof whole, "^(%s)$", posix);
    CHECK(regcomp(&compiled, whole, REG_EXTENDED) == 0);
    expression = ours;
    for (uint64_t seed = 0; seed < 500; seed++) {
        RUN(draw_matching, seed, seed % 2 == 0);
        if (!matches(&compiled, last_match)) {
            fprintf(stderr, "%s:%d: %s does not match \"%s\"\n", __FILE__, __LINE__, posix,
                    last_match);
            exit(1);
        }
        different += strcmp(first, last_match) != 0;
        snprintf(first, sizeof first, "%s", last_match);
    }
    regfree(&compiled);
    return different;
}

TEST(strings_match_their_expression)
{
    for (size_t i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++) {
        const char *ours = EXPRESSIONS[i][0];
        const char *posix = EXPRESSIONS[i][1] == NULL ? ours : EXPRESSIONS[i][1];
        size_t      different = check_expression(ours, posix);
        if (strcspn(ours, ".[*|") < strlen(ours) && strchr(ours, '\\') == NULL)
            CHECK(different > 50);
    }
}

static void check_rounds(const char *unbounded, size_t least)
{
    size_t shortest = SIZE_MAX, longest = 0, bs = 0;
    expression = unbounded;
    for (uint64_t seed = 0; seed < 500; seed++) {
        RUN(draw_matching, seed, false);
        size_t length = strlen(last_match);
        shortest = length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
        bs += strchr(last_match, 'b') != NULL;
    }
    CHECK(shortest == least && longest == least + 16);
    CHECK(bs > 300);
}

TEST(unbounded_repetitions_add_up_to_16)
{
    check_rounds("[ab]*", 0);
    check_rounds("(a|b)+", 1);
    check_rounds("[ab]{2,}", 2);
}

/* Wrong ones, with the column that the message must name. */
static const struct {
    const char *expression;
    int         column;
} WRONG[] = {
    { "(", 2 },
    { "(a", 3 },
    { ")", 1 },
    { "a)", 2 },
    { "*a", 1 },
    { "a**", 3 },
    { "a{", 3 },
    { "a{x}", 3 },
    { "a{2", 4 },
    { "a{3,2}", 6 },
    { "[a", 3 },
    { "[", 2 },
    { "[z-a]", 5 },
    { "\\", 2 },
    { "\\q", 2 },
    { "\\xg0", 3 },
    { "\\x00", 3 },
    { "\\xff", 3 },
    { "a^b", 2 },
    { "a$b", 2 },
    { "(?=a)", 2 },
    { "a{1001}", 6 },
    { "[[:alpha:]]", 2 },
    { "a\xc3\xa9", 2 },
    { "[^\\x01-\\x7f]", 12 },
    { "a|*", 3 },
    { "[a-\\d]", 6 },
    { "x{,3}", 3 },
};

TEST(wrong_expressions_are_misuse)
{
    char column[32];
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        expression = WRONG[i].expression;
        CHECK(run(draw_matching, 0, i % 2 == 0, NULL) == WRI_MISUSE);
        snprintf(column, sizeof column, "column %d:", WRONG[i].column);
        if (strstr(the_verdict.message, column) == NULL) {
            fprintf(stderr, "%s:%d: wanted %s got %s\n", __FILE__, __LINE__, column,
                    the_verdict.message);
            exit(1);
        }
    }
}

TEST(groups_nest_64_deep_and_no_deeper)
{
    char nested[200];
    for (int depth = 64; depth <= 65; depth++) {
        memset(nested, '(', (size_t)depth);
        nested[depth] = 'a';
        memset(nested + depth + 1, ')', (size_t)depth);
        nested[2 * depth + 1] = '\0';
        expression = nested;
        CHECK(run(draw_matching, 0, true, NULL) == (depth == 64 ? WRI_PASS : WRI_MISUSE));
    }
}

/* ---- Collections ---- */

static void draw_unique(wr_case *t)
{
    static const struct {
        size_t  n;
        int64_t lo, hi;
    } TRIES[] = { { 0, 1, 1 },
                  { 1, 5, 5 },
                  { 10, 0, 9 },
                  { 100, -50, 49 },
                  { 40, INT64_MIN, INT64_MAX },
                  { 3, -4, -2 },
                  { 1000, 0, 1100 } };
    for (size_t i = 0; i < sizeof TRIES / sizeof *TRIES; i++) {
        int64_t *values = wr_unique_ints(t, "u", TRIES[i].n, TRIES[i].lo, TRIES[i].hi);
        for (size_t a = 0; a < TRIES[i].n; a++) {
            CHECK(values[a] >= TRIES[i].lo && values[a] <= TRIES[i].hi);
            for (size_t b = 0; b < a; b++)
                CHECK(values[a] != values[b]);
        }
    }
}

static size_t first_of_three[6];

static void draw_orders(wr_case *t)
{
    bool    seen[50] = { false };
    size_t *order = wr_permutation(t, "order", 50);
    for (size_t i = 0; i < 50; i++) {
        CHECK(order[i] < 50 && !seen[order[i]]);
        seen[order[i]] = true;
    }
    wr_permutation(t, "none", 0);
    CHECK(wr_permutation(t, "one", 1)[0] == 0);
    size_t *three = wr_permutation(t, "three", 3);
    first_of_three[three[0] * 2 + (three[1] > three[2])]++;
    size_t *picks = wr_picks(t, "picks", 20, 3);
    bool   *subset = wr_subset(t, "subset", 20);
    for (size_t i = 0; i < 20; i++)
        CHECK(picks[i] < 3 && (*(uint8_t *)&subset[i] <= 1));
    wr_picks(t, "no picks", 0, 0);
}

TEST(collections_hold_what_they_promise)
{
    for (uint64_t seed = 0; seed < 100; seed++)
        RUN(draw_unique, seed, seed % 2 == 0);
    for (uint64_t seed = 0; seed < 3000; seed++)
        RUN(draw_orders, seed, seed % 2 == 0);
    for (int i = 0; i < 6; i++)
        CHECK(first_of_three[i] > 400 && first_of_three[i] < 600);
}

static void draw_one_tie(wr_case *t)
{
    size_t n = wr_size(t, "n", 3, 3);
    wr_unique_ints(t, "u", n, 0, 100);
    wr_text(t, "text", 0, 9);
    wr_array(t, n, sizeof(point), draw_point, NULL);
}

/* The loops belong to "n", the text's array to the text's own length. */
TEST(collections_are_tied_to_their_length)
{
    size_t loops = 0, arrays = 0;
    drawn_bytes = 0;
    RUN(draw_one_tie, 1, true);
    for (size_t i = 0; i < the_trace.node_count; i++) {
        const wri_node *node = &the_trace.nodes[i];
        if (node->what == WRI_LOOP) {
            loops++;
            CHECK(node->tie == 1 && node->count == 3);
        } else if (node->what == WRI_ARRAY) {
            arrays++;
            const wri_node *length = &the_trace.nodes[node->tie];
            CHECK(node->tie == i - 1 && length->kind == WRI_LENGTH);
            CHECK(length->number == node->count && length->parent == node->parent);
        }
    }
    CHECK(loops == 2 && arrays == 1);
}

static int64_t bumped[10];

static void draw_bumped(wr_case *t)
{
    memcpy(bumped, wr_unique_ints(t, "u", 10, -5, 4), sizeof bumped);
}

/* Ten of ten values: most draws meet one that is taken. */
TEST(what_is_logged_of_unique_values_is_what_was_returned)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        size_t next = 0;
        RUN(draw_bumped, seed, true);
        for (size_t i = 0; i < the_trace.node_count; i++)
            if (the_trace.nodes[i].what == WRI_CHOICE)
                CHECK(wri_choice_integer_value(the_trace.nodes[i].number, -5, 9) ==
                      bumped[next++]);
        CHECK(next == 10);
        RUN(draw_bumped, seed, seed % 2 == 0);
        for (size_t i = 0; i < 10; i++)
            CHECK(wri_choice_integer_value(the_case.journal[i].number, -5, 9) == bumped[i]);
    }
}

static int  present, form_counts[4];
static bool only_leaves_left;

static void *grow_counted(wr_case *t, size_t form, size_t budget, void *context)
{
    const wr_recursion *self = context;
    form_counts[form]++;
    CHECK(!only_leaves_left || form < 2);
    if (form >= 2) {
        wr_recursion inner = *self;
        only_leaves_left = budget == 0;
        wr_recurse(t, &inner, budget);
        only_leaves_left = false;
    }
    return context;
}

static void draw_recursion(wr_case *t)
{
    static const uint32_t WEIGHTS[] = { 1, 0, 0, 5 };
    wr_recursion          usual = { .label = "u", .leaves = 2, .forms = 4, .grow = grow_counted };
    usual.context = &usual;
    only_leaves_left = false;
    CHECK(wr_recurse(t, &usual, 3) == &usual);
    CHECK(form_counts[0] + form_counts[1] > 0);
    int before[2] = { form_counts[1], form_counts[2] };
    usual.weights = WEIGHTS;
    wr_recurse(t, &usual, 3);
    CHECK(form_counts[1] == before[0] && form_counts[2] == before[1]);
    only_leaves_left = true;
    wr_recurse(t, &usual, 0);
    only_leaves_left = false;
    present += wr_optional(t, "o", draw_some, NULL) != NULL;
    drawn_bytes = 0;
}

TEST(recursion_ends_and_options_are_both)
{
    for (uint64_t seed = 0; seed < 1000; seed++)
        RUN(draw_recursion, seed, seed % 2 == 0);
    for (int i = 0; i < 4; i++)
        CHECK(form_counts[i] > 100);
    CHECK(present > 400 && present < 600);
    size_t large = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        RUN(draw_everything, seed, false);
        CHECK(tree_nodes < 200);
        large += tree_nodes > 4;
    }
    CHECK(large > 30);
}

static void draw_constants(wr_case *t)
{
    static const int64_t MAGIC[] = { 123456789 };
    wr_dictionary(t, 1, MAGIC);
    int64_t colour = wr_enum(t, "colour", 3, COLOURS);
    CHECK(colour == 10 || colour == 20 || colour == -30);
    if (wri_case_showing(t))
        CHECK_TEXT(shown("colour"), colour == 10 ? "RED" : colour == 20 ? "GREEN" : "BLUE");
    words_seen += wr_i32(t, "x") == 123456789;
}

TEST(constants_are_named_and_the_dictionary_is_tried)
{
    words_seen = 0;
    for (uint64_t seed = 0; seed < 2000; seed++)
        RUN(draw_constants, seed, seed % 2 == 0);
    CHECK(words_seen > 5);
}

/* ---- Misuse ---- */

static void no_function(wr_case *t)
{
    wr_optional(t, "n", NULL, NULL);
}
static void no_draw(wr_case *t)
{
    wr_array(t, 1, 1, NULL, NULL);
}
static void reals_crossed(wr_case *t)
{
    wr_double(t, "n", 2, 1);
}
static void reals_nan(wr_case *t)
{
    wr_double(t, "n", NAN, 1);
}
static void reals_infinite(wr_case *t)
{
    wr_float(t, "n", 0, INFINITY);
}
static void reals_many(wr_case *t)
{
    wr_floats(t, "n", 0, 1, 0);
}
static void text_crossed(wr_case *t)
{
    wr_text(t, "n", 2, 1);
}
static void utf8_crossed(wr_case *t)
{
    wr_utf8(t, "n", 2, 1);
}
static void no_identifier(wr_case *t)
{
    wr_identifier(t, "n", 0, 0);
}
static void no_alphabet(wr_case *t)
{
    wr_text_of(t, "n", "", 0, 1);
}
static void no_constants(wr_case *t)
{
    wr_enum(t, "n", 0, COLOURS);
}
static void no_picks(wr_case *t)
{
    wr_picks(t, "n", 1, 0);
}
static void too_many(wr_case *t)
{
    wr_unique_ints(t, "n", 4, 0, 2);
}
static void no_regex(wr_case *t)
{
    wr_matching(t, "n", NULL);
}
static void no_leaf(wr_case *t)
{
    wr_recursion wrong = { .label = "n", .leaves = 0, .forms = 1, .grow = grow_tree };
    wr_recurse(t, &wrong, 1);
}
static void no_weight(wr_case *t)
{
    wr_recursion wrong = TREE;
    wrong.label = "n";
    wrong.weights = (const uint32_t[]){ 0, 0, 1, 1 };
    wr_recurse(t, &wrong, 0);
}

static void draw_nothing(wr_case *t, void *element, void *context)
{
    (void)t, (void)element, (void)context;
}
static void nameless(wr_case *t)
{
    wr_size(t, NULL, 10, 1);
}
static void array_crossed(wr_case *t)
{
    wr_i32s(t, "n", 1, 10, -1);
}
static void array_crossed_high(wr_case *t)
{
    wr_u64s(t, "n", 1, UINT64_MAX, 1);
}
/* The counts are negative numbers that became a size_t. */
static void negative_bytes(wr_case *t)
{
    wr_bytes(t, "n", (size_t)-5);
}
static void negative_integers(wr_case *t)
{
    wr_i16s(t, "n", (size_t)-5, 0, 1);
}
static void negative_flags(wr_case *t)
{
    wr_bools(t, "n", (size_t)-5);
}
static void negative_reals(wr_case *t)
{
    wr_doubles(t, "n", (size_t)-5, 0, 1);
}
static void negative_unique(wr_case *t)
{
    wr_unique_ints(t, "n", (size_t)-5, INT64_MIN, INT64_MAX);
}
static void negative_permutation(wr_case *t)
{
    wr_permutation(t, "n", (size_t)-5);
}
static void negative_elements(wr_case *t)
{
    wr_array(t, (size_t)-5, 1, draw_nothing, NULL);
}

TEST(misuse_is_told_with_function_and_name)
{
    static const struct {
        void (*body)(wr_case *t);
        const char *function;
    } ALL[] = { { no_function, "wr_optional \"n\"" },
                { no_draw, "wr_array" },
                { reals_crossed, "wr_double \"n\": lo 2 is above hi 1" },
                { reals_nan, "wr_double \"n\"" },
                { reals_infinite, "wr_float \"n\"" },
                { reals_many, "wr_floats \"n\"" },
                { text_crossed, "wr_text \"n\"" },
                { utf8_crossed, "wr_utf8 \"n\"" },
                { no_identifier, "wr_identifier \"n\"" },
                { no_alphabet, "wr_text_of \"n\"" },
                { no_constants, "wr_enum \"n\"" },
                { no_picks, "wr_picks \"n\"" },
                { too_many, "wr_unique_ints \"n\"" },
                { no_regex, "wr_matching \"n\"" },
                { no_leaf, "wr_recurse \"n\"" },
                { no_weight, "wr_recurse \"n\"" },
                { nameless, "wr_size: lo 10 is above hi 1" },
                { array_crossed, "wr_i32s \"n\": lo 10 is above hi -1" },
                { array_crossed_high, "wr_u64s \"n\": lo 18446744073709551615 is above hi 1" },
                { negative_bytes, "wr_bytes \"n\": n is 18446744073709551611, which is -5" },
                { negative_integers, "wr_i16s \"n\": n is" },
                { negative_flags, "wr_bools \"n\": n is" },
                { negative_reals, "wr_doubles \"n\": n is" },
                { negative_unique, "wr_unique_ints \"n\": n is" },
                { negative_permutation, "wr_permutation \"n\": n is" },
                { negative_elements, "wr_array: n is" } };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        CHECK(run(ALL[i].body, 0, i % 2 == 0, NULL) == WRI_MISUSE);
        CHECK(strncmp(the_verdict.message, ALL[i].function, strlen(ALL[i].function)) == 0);
    }
}

static void long_regex(wr_case *t)
{
    char *open = wr_alloc(t, 300001);
    memset(open, '(', 300000);
    wr_matching(t, "m", open);
}

TEST(of_a_long_expression_the_place_is_shown)
{
    const char *END = "(((...\", column 65: groups are nested more than 64 deep";
    CHECK(run(long_regex, 0, true, NULL) == WRI_MISUSE);
    size_t length = strlen(the_verdict.message), end = strlen(END);
    CHECK(length < 200 && strcmp(the_verdict.message + length - end, END) == 0);
}

/* ---- Too much ---- */

/* Counts whose bytes do not fit a size_t. */
#define HUGE_COUNT (SIZE_MAX / 8 + 2)

static void huge_dictionary(wr_case *t)
{
    wr_dictionary(t, HUGE_COUNT, (const int64_t[]){ 1, 2 });
}
static void huge_words(wr_case *t)
{
    wr_words(t, HUGE_COUNT, (const char *const[]){ "a", "b" });
}
static void huge_words_too(wr_case *t)
{
    volatile size_t most = SIZE_MAX; /* compilers know that no array is so long */
    wr_words(t, most, (const char *const[]){ "a", "b" });
}
static void huge_unique(wr_case *t)
{
    wr_unique_ints(t, "n", HUGE_COUNT, INT64_MIN, INT64_MAX);
}
static void huge_permutation(wr_case *t)
{
    wr_permutation(t, "n", HUGE_COUNT);
}
static void huge_array(wr_case *t)
{
    wr_array(t, HUGE_COUNT, 8, draw_point, NULL);
}
static void huge_numbers(wr_case *t)
{
    wr_ints(t, "n", HUGE_COUNT, 0, 9);
}
static void huge_text(wr_case *t)
{
    wr_utf8(t, "n", HUGE_COUNT, SIZE_MAX);
}
static void much_guarded(wr_case *t)
{
    for (int i = 0; i < 3; i++)
        wr_guarded(t, (size_t)30 << 20);
}
static void some_guarded(wr_case *t)
{
    for (int i = 0; i < 2; i++)
        wr_guarded(t, (size_t)30 << 20);
}

TEST(a_case_that_asks_for_too_much_memory_ends)
{
    static void (*const ALL[])(wr_case * t) = { huge_dictionary,  huge_words, huge_words_too,
                                                huge_unique,      huge_array, huge_numbers,
                                                huge_permutation, huge_text,  much_guarded };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        CHECK(run(ALL[i], 0, i % 2 == 0, NULL) == WRI_OVERRUN);
        RUN(some_guarded, 0, i % 2 == 0); /* each case begins with none */
    }
}

/* ---- Loops ---- */

static int loop_cases;

static wr_case *count_evaluation(wr_case *t)
{
    loop_cases++;
    return t;
}

static void loop_in_a_case(wr_case *t)
{
    for (wr_each(count_evaluation(t), i, 3))
        wr_bool(t, "b");
}

TEST(a_loop_evaluates_its_case_once)
{
    RUN(loop_in_a_case, 0, false);
    CHECK(loop_cases == 1);
    RUN(loop_in_a_case, 0, true);
    CHECK(loop_cases == 2);
}

/* ---- Marks ---- */

/* Draws, takes back what it drew inside a span, and draws something else. */
static void takes_a_draft_back(wr_case *t)
{
    wr_int(t, "kept", 0, 100);
    wri_mark mark = wri_case_mark(t);
    wr_begin(t, "draft");
    wr_text(t, "taken_back", 3, 9);
    wr_i32s(t, "also", 4, 0, 9);
    wri_case_rewind(t, &mark);
    wr_bool(t, "after");
}

TEST(a_draft_taken_back_leaves_no_trace)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        RUN(takes_a_draft_back, seed, true);
        CHECK(the_trace.node_count == 3 && the_trace.number_count == 0);
        CHECK(the_trace.nodes[2].kind == WRI_BOOLEAN && the_trace.nodes[2].parent == 0);
        CHECK(the_case.next == the_case.journal + 2);
        CHECK(shown("kept") != NULL && shown("after") != NULL && shown("taken_back") == NULL);
        uint64_t kept = the_case.journal[0].number, after = the_case.journal[1].number;
        RUN(takes_a_draft_back, seed, false);
        CHECK(the_case.journal[0].number == kept && the_case.journal[1].number == after);
        CHECK(the_case.next == the_case.journal + 2);
    }
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    puts("gen_unit: ok");
    return status;
}
