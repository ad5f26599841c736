/* tests/example_unit.c: explicit cases. Every kind of draw reads back what a report prints of it:
 * values drawn at random become an example, and the example draws the same values.
 */
#include "data/type.h"
#include "drawn.h"
#include "explore/answer.h"
#include "gen/example.h"
#include "unit.h"

/* ---- What is printed is read ---- */

static const char *const TOKENS[] = { "a", "ab", "", "<!--", "-->", "\xc3\xa9" };
static const wr_piece    PARTS[] = { WR_PIECE("\0"), WR_PIECE("IHDR"), WR_PIECE("\xff\0") };
static const wr_constant COLOURS[] = { { "RED", 10 }, { "GREEN", 20 }, { NULL, -30 } };

extern const wr_type TERM;
WR_TYPE(LIST, "List", { "[]" }, { "Item", .args = { &TERM, &LIST }, .show = "%0:%1" });
WR_TYPE(TERM, "Term", { "Con" }, { "Var", .index = WR_ANY_INDEX },
        { "Lam", .args = { &TERM }, .index = 4, .show = "lam %i. %0" },
        { "App", .args = { &TERM, &TERM } },
        { "Sum", .args = { &TERM, &TERM }, .show = "(%0 + %1)" },
        { "All", .args = { &LIST }, .show = "{%0}" });

static void *draw_some(wr_case *t, void *context)
{
    KEEP(int64_t, wr_int(t, context, -5, 5));
    return drawn;
}

static void draw_numbers(wr_case *t)
{
    static const uint32_t WEIGHTS[] = { 0, 1, 5, 2 };
    KEEP(int64_t, wr_int(t, "int", -100, 100));
    KEEP(int64_t, wr_int(t, "int", -100, -10));
    KEEP(int64_t, wr_i64(t, "i64"));
    KEEP(uint64_t, wr_u64(t, "u64"));
    KEEP(uint64_t, wr_uint(t, "high", UINT64_C(1) << 63, UINT64_MAX));
    KEEP(bool, wr_bool(t, "bool"));
    KEEP(bool, wr_chance(t, "chance", 1, 3));
    KEEP(size_t, wr_pick(t, "pick", 9));
    KEEP(size_t, wr_weighted(t, "weighted", 4, WEIGHTS));
    KEEP(int64_t, wr_enum(t, "colour", 3, COLOURS));
    KEEP(double, wr_double(t, "real", -10, 1e6));
    KEEP(double, wr_any_double(t, "any"));
    KEEP(float, wr_any_float(t, "float"));
    KEEP(bool, wr_optional(t, "optional", draw_some, "some") != NULL);
}

static void draw_arrays(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 6);
    keep(wr_bytes(t, "bytes", n), n);
    keep(wr_i32s(t, "i32s", n, -5, 1000), n * sizeof(int32_t));
    keep(wr_u64s(t, "u64s", n, UINT64_C(1) << 63, UINT64_MAX), n * sizeof(uint64_t));
    keep(wr_u64s(t, "low", n, 7, UINT64_MAX), n * sizeof(uint64_t));
    keep(wr_doubles(t, "doubles", n, -1, 1), n * sizeof(double));
    keep(wr_floats(t, "floats", n, -1e30f, 1), n * sizeof(float));
    keep(wr_bools(t, "bools", n), n);
    keep(wr_picks(t, "picks", n, 5), n * sizeof(size_t));
    keep(wr_unique_ints(t, "unique", n, -6, 6), n * sizeof(int64_t));
    keep(wr_permutation(t, "order", n), n * sizeof(size_t));
    for (wr_each(t, i, n))
        KEEP(int64_t, wr_int(t, "each", 0, 9));
}

static void draw_texts(wr_case *t)
{
    size_t length;
    keep_text(wr_text(t, "text", 0, 12));
    keep_text(wr_text_of(t, "acgt", "acgt", 2, 9));
    keep_text(wr_utf8(t, "utf8", 0, 8));
    keep_text(wr_identifier(t, "identifier", 1, 8));
    keep_text(wr_matching(t, "matching", "(ab|a|c[x-z]{2}|\\d+)*(!|x?)[^a]?"));
    keep_text(wr_pieces(t, "pieces", 6, TOKENS, 2, 9));
    uint8_t *bytes = wr_byte_pieces(t, "parts", 3, PARTS, 0, 5, &length);
    keep(bytes, length);
    KEEP(uint32_t, wr_codepoint(t, "code"));
    keep_text(wr_filename(t, "file", 1, 12));
    keep_text(wr_ipv4(t, "ipv4"));
    keep_text(wr_ipv6(t, "ipv6"));
    KEEP(int, wr_date(t, "date", 1900, 2100).tm_yday);
    KEEP(int, wr_time(t, "time").tm_sec);
    keep_text(wr_printf_format(t, "integer", "lldiuoxX"));
    keep_text(wr_printf_format(t, "string", "s"));
}

static void draw_trees(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_varied(t, "b", a), *c = wr_tree(t, "a", &TERM);
    wr_force(b);
    wr_tag(c);
    keep_text(wr_shown(t, a));
    keep_text(wr_shown(t, b));
    keep_text(wr_shown(t, c));
}

static void draw_all(wr_case *t)
{
    drawn_bytes = 0;
    draw_numbers(t);
    draw_arrays(t);
    draw_texts(t);
    draw_trees(t);
}

/* The values of the case that was shown last, as texts; a name that comes again has its number.
 */
#define TEXTS 64
static char        text_bytes[TEXTS][4096];
static const char *texts[TEXTS];

static size_t take_texts(void)
{
    size_t      count = 0;
    const char *names[TEXTS];
    for (const char *at = the_text.bytes; at < the_text.bytes + the_text.used; count++) {
        const char *name = at + 1, *value = name + strlen(name) + 1;
        unsigned    before = 0;
        CHECK(count < TEXTS && *at == WRI_TEXT_VALUE);
        for (size_t i = 0; i < count; i++)
            before += strcmp(names[i], name) == 0;
        names[count] = strdup(name);
        snprintf(text_bytes[count], sizeof *text_bytes, "%s = %s", name, value);
        if (before > 0)
            snprintf(text_bytes[count], sizeof *text_bytes, "%s[%u] = %s", name, before, value);
        texts[count] = text_bytes[count];
        at = value + strlen(value) + 1;
    }
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)names[i]);
    return count;
}

static const wr_example_ *running;

static void (*exampled_body)(wr_case *t);

static void body_of_example(wr_case *t)
{
    static wri_example example;
    wri_example_begin(t, &example, running);
    static wri_as_given given;
    t->answerer = wri_answer_as_given(&given, &example);
    exampled_body(t);
    wri_example_end(t);
}

/* Runs the body as an example of these texts. */
static wri_verdict_kind run_example(void (*body)(wr_case *t), size_t count,
                                    const char *const *given)
{
    wr_example_ example = {
        .property = "p", .file = "t.c", .line = 7, .count = count, .texts = given
    };
    running = &example;
    exampled_body = body;
    wri_verdict_kind kind = run_as(SHOWN, body_of_example, 5, NULL);
    the_case.example = NULL;
    return kind;
}

TEST(what_a_report_prints_can_be_read)
{
    static char first[sizeof drawn];
    for (uint64_t seed = 0; seed < 500; seed++) {
        RUN(draw_all, seed, true);
        size_t bytes = drawn_bytes;
        memcpy(first, drawn, bytes);
        size_t           count = take_texts();
        wri_verdict_kind kind = run_example(draw_all, count, texts);
        if (kind != WRI_PASS)
            fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, the_verdict.message);
        CHECK(kind == WRI_PASS);
        CHECK(drawn_bytes == bytes && memcmp(first, drawn, bytes) == 0);
    }
}

/* ---- What is not named, and what is wrong ---- */

static void draw_few(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 5);
    wr_i32s(t, "xs", n, -10, 10);
    wr_int(t, "k", 3, 9);
    wr_text(t, "s", 0, 4);
    wr_weighted(t, "w", 100, (const uint32_t[100]){ [3] = 1, [99] = 1 });
    wr_unique_ints(t, "u", 3, 0, 5);
    wr_permutation(t, "o", 3);
    wr_permutation(t, NULL, 3);
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_force(e);
}

TEST(values_that_are_not_named_are_simplest)
{
    CHECK(run_example(draw_few, 2, (const char *[]){ "n = 2", "xs = [0, -1]" }) == WRI_PASS);
    CHECK_TEXT(shown("n"), "2");
    CHECK_TEXT(shown("xs"), "[0, -1]");
    CHECK_TEXT(shown("k"), "3");
    CHECK_TEXT(shown("s"), "\"\"");
    CHECK_TEXT(shown("e"), "Con");
    CHECK(run_example(draw_few, 1, (const char *[]){ "e=App(_, Var 2)" }) == WRI_PASS);
    CHECK_TEXT(shown("e"), "App(Con, Var 2)");
    CHECK(run_example(draw_few, 2, (const char *[]){ "w = 99", "o = [2, 0, 1]" }) == WRI_PASS);
    CHECK_TEXT(shown("w"), "99");
    CHECK_TEXT(shown("o"), "[2, 0, 1]");
}

TEST(wrong_examples_are_told_with_their_place)
{
    static const char *const WRONG[][3] = {
        { "n = 6", NULL, "expected a number from 0 to 5" },
        { "n = x", NULL, "expected a number" },
        { "n = 2 3", NULL, "expected nothing behind the value" },
        { "k = 2", NULL, "expected a number from 3 to 9" },
        { "m = 2", NULL, "no draw has this name; draws are called " },
        { "k[1] = 3", NULL, "no draw has this name; draws are called " },
        { "k", "n = 1", "expected \"name = value\", or one token" },
        { "xs = [0, -1]", NULL, "expected 0 values" },
        { "n = 2", "xs = [0]", "expected [ and 2 values" },
        { "n = 2", "xs = [0, 11]", "expected a number from -10 to 10" },
        { "n = 2", "xs = 0, 1", "expected [ and 2 values" },
        { "s = abc", NULL, "expected a text in quotes" },
        { "s = \"abc", NULL, "expected a quote at the end" },
        { "s = \"a\\q\"", NULL, "expected one of \\n" },
        { "s = \"\\n\"", NULL, "a character that the draw has not" },
        { "s = \"abcde\"", NULL, "expected 0 to 4 characters" },
        { "w = 2", NULL, "the weight of this value is 0" },
        { "u = [1, 2, 1]", NULL, "expected each number once" },
        { "o = [1, 2, 1]", NULL, "expected each number once" },
        { "e = App(Con)", NULL, "expected a value of type Term" },
        { "e = Con Con", NULL, "expected a value of type Term" },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        CHECK(run_example(draw_few, WRONG[i][1] == NULL ? 1 : 2, WRONG[i]) == WRI_MISUSE);
        if (strstr(the_verdict.message, WRONG[i][2]) == NULL)
            fprintf(stderr, "%s\n", the_verdict.message);
        CHECK(strstr(the_verdict.message, WRONG[i][2]) != NULL);
        CHECK(strncmp(the_verdict.message, "t.c:7: WR_EXAMPLE(p, \"", 22) == 0);
    }
}

static void draw_too_many(wr_case *t)
{
    wr_ints(t, "many", SIZE_MAX / 8 + 2, 0, 9);
}

TEST(an_example_of_too_many_values_is_too_large)
{
    CHECK(run_example(draw_too_many, 1, (const char *[]){ "many = [1, 2, 3]" }) == WRI_OVERRUN);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    wri_trace_free(&plan);
    wri_types_forget();
    free_case();
    if (status == 0)
        puts("example_unit: ok");
    return status;
}
