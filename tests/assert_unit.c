/* tests/assert_unit.c: what assertions accept, and the message of each that fails; what a case
 * shows, owns and defers. */
#include <errno.h>
#include <limits.h>
#include <math.h>

#include "lone_case.h"
#include "unit.h"

#define ANSWER 42 /* a macro that must not be expanded in a message */

/* The message of the assertion that fails in the body; "" when none does. */
static const char *message_of(void (*body)(wr_case *t))
{
    wri_verdict_kind kind = run_as(FAST, body, 1, NULL);
    CHECK(kind == WRI_PASS || kind == WRI_ASSERTION);
    return kind == WRI_PASS ? "" : the_verdict.message;
}

/* ASSERTS(name, "message") { body } */
#define ASSERTS(name_, wanted)                                                                   \
    static void body_of_##name_(wr_case *t);                                                     \
    TEST(name_)                                                                                  \
    {                                                                                            \
        CHECK_TEXT(message_of(body_of_##name_), wanted);                                         \
    }                                                                                            \
    static void body_of_##name_(__attribute__((unused)) wr_case *t)

/* ---- The text of the expressions ---- */

ASSERTS(a_message_has_the_expressions_as_written,
        "assertion failed: errno != EAGAIN\n  errno  = 11\n  EAGAIN = 11")
{
    errno = EAGAIN;
    wr_assert_ne(t, errno, EAGAIN);
}

ASSERTS(a_comparison_has_parentheses_beside_another,
        "assertion failed: b == (n != 3)\n  b      = true\n  n != 3 = false")
{
    bool b = true;
    int  n = 3;
    wr_assert_eq(t, b, n != 3);
}

ASSERTS(a_condition_has_parentheses,
        "assertion failed: (b ? 1 : 2) < n\n  b ? 1 : 2 = 1\n  n         = 0")
{
    bool b = true;
    int  n = 0;
    wr_assert_lt(t, b ? 1 : 2, n);
}

ASSERTS(what_binds_tighter_has_none,
        "assertion failed: *p->next + f(n == 1) == \"=?\"[n]\n"
        "  *p->next + f(n == 1) = 6\n  \"=?\"[n]              = '=' (61)")
{
    struct {
        const int *next;
    } one, *p = &one;
    int n = 0, five = 6;
    one.next = &five;
#define f(x) (x)
    wr_assert_eq(t, *p->next + f(n == 1), "=?"[n]);
#undef f
}

ASSERTS(null_stays_null, "assertion failed: s != NULL\n  s = NULL")
{
    const char *s = NULL;
    wr_assert_ne(t, s, NULL);
}

ASSERTS(every_relation_has_the_expressions_as_written,
        "assertion failed: n < ANSWER\n  n      = 50\n  ANSWER = 42")
{
    int n = 50;
    wr_assert_lt(t, n, ANSWER);
}

ASSERTS(memory_has_the_expressions_as_written,
        "assertion failed: \"abc\" and \"abd\" hold the same 3 bytes\n"
        "  1 differs, the first at offset 2 (- \"abc\", + \"abd\")\n"
        "  000000 - 61 62 63  abc\n         + 61 62 64  abd\n                ^^")
{
    wr_assert_mem_eq(t, "abc", "abd", ANSWER - 39);
}

ASSERTS(memory_has_marks_below_what_differs,
        "assertion failed: a and b hold the same 20 bytes\n"
        "  2 differ, the first at offset 17 (0x11) (- a, + b)\n"
        "  000000   30 31 32 33 34 35 36 37 38 39 30 31 32 33 34 35  0123456789012345\n"
        "  000010 - 36 37 38 39  6789\n"
        "         + 36 2d 38 2b  6-8+\n"
        "             ^^    ^^")
{
    const char *a = "01234567890123456789", *b = "01234567890123456-8+";
    wr_assert_mem_eq(t, a, b, 20);
}

ASSERTS(a_distance_has_its_expressions_as_written,
        "assertion failed: x is within 0.5 of ANSWER\n  x      = 40.0\n  ANSWER = 42.0\n"
        "  they differ by 2.0")
{
    double x = 40;
    wr_assert_near(t, x, ANSWER, 0.5);
}

/* ---- Literals ---- */

ASSERTS(a_literal_is_not_echoed, "assertion failed: a == 900\n  a = 77")
{
    int a = 77;
    wr_assert_eq(t, a, 900);
}

ASSERTS(no_kind_of_number_is_echoed, "assertion failed: a == -0x1.8p+3\n  a = 1000000")
{
    int a = 1000000;
    wr_assert_eq(t, a, -0x1.8p+3);
}

ASSERTS(a_long_number_has_hexadecimal_digits,
        "assertion failed: a == 1\n  a = 12345678 (0xbc614e)")
{
    unsigned a = 12345678;
    wr_assert_eq(t, a, 1);
}

ASSERTS(a_number_at_a_power_of_two_has_hexadecimal_digits,
        "assertion failed: a == b\n  a = 65537 (0x10001)\n  b = 32767 (0x7fff)")
{
    int a = 65537, b = 32767;
    wr_assert_eq(t, a, b);
}

ASSERTS(a_character_has_its_number_beside_a_number,
        "assertion failed: n == 'x'\n  n   = 121\n  'x' = 120")
{
    int n = 'y';
    wr_assert_eq(t, n, 'x');
}

ASSERTS(two_literals_leave_nothing_to_show, "assertion failed: 1u > 1e3")
{
    wr_assert_gt(t, 1u, 1e3);
}

ASSERTS(a_sum_of_literals_is_shown, "assertion failed: 1 + 1 == 3\n  1 + 1 = 2")
{
    wr_assert_eq(t, 1 + 1, 3);
}

ASSERTS(a_string_behind_a_literal_is_shown,
        "assertion failed: \"a\"[n] == 'b'\n  \"a\"[n] = 'a' (97)")
{
    int n = 0;
    wr_assert_eq(t, "a"[n], 'b');
}

/* ---- Types ---- */

ASSERTS(a_bool_is_true_or_false, "assertion failed: b == true\n  b = false")
{
    bool b = false;
    wr_assert_eq(t, b, true);
}

ASSERTS(a_char_is_a_character, "assertion failed: c == d\n  c = 'a' (97)\n  d = '\\n' (10)")
{
    char c = 'a', d = '\n';
    wr_assert_eq(t, c, d);
}

#if CHAR_MIN < 0
#define BYTE_255 "(-1)"
#else
#define BYTE_255 "(255)"
#endif

ASSERTS(a_quote_and_a_byte_are_characters,
        "assertion failed: c == d\n  c = '\\'' (39)\n  d = '\\xff' " BYTE_255)
{
    char c = '\'', d = (char)-1;
    wr_assert_eq(t, c, d);
}

ASSERTS(a_small_integer_type_is_a_number, "assertion failed: i == u\n  i = -97\n  u = 97")
{
    int8_t  i = -97;
    uint8_t u = 97;
    wr_assert_eq(t, i, u);
}

ASSERTS(a_bit_field_is_an_integer,
        "assertion failed: s.low == s.high\n  s.low  = -1\n  s.high = 7")
{
    struct {
        int      low : 3;
        unsigned high : 3;
    } s = { -1, 7 };
    wr_assert_eq(t, s.low, s.high);
}

ASSERTS(integers_compare_by_value, "assertion failed: a < b\n  a = 1\n  b = -1")
{
    unsigned a = 1;
    int      b = -1;
    wr_assert_gt(t, a, b);
    wr_assert_lt(t, a, b);
}

ASSERTS(a_char_compares_by_value, "")
{
    char c = (char)-1;
    if (CHAR_MIN == 0) /* a plain char has no sign here */
        return;
    wr_assert_lt(t, c, 0u);
    wr_assert_lt(t, c, 0.5);
    wr_assert_eq(t, c, -1);
}

ASSERTS(pointers_are_not_read, "")
{
    char *wild = (char *)(uintptr_t)8;
    wr_assert_ne(t, wild, NULL);
    wr_assert_ne(t, (void *)wild, (void *)"text");
    wr_assert_not_null(t, wild);
}

/* ---- Texts ---- */

ASSERTS(the_first_difference_is_marked,
        "assertion failed: s equals \"ab\\nd\"\n  s = \"ab\\nc\"\n      \"ab\\nd\"\n"
        "           ^ first difference at byte 3 (lengths 4 and 4)")
{
    const char *s = "ab\nc";
    wr_assert_str_eq(t, s, "ab\nd");
}

ASSERTS(the_mark_stands_under_a_whole_character,
        "assertion failed: a equals b\n  a = \"x\xc3\xa9\"\n  b = \"x\xc3\xa8\"\n"
        "        ^ first difference at byte 2 (lengths 3 and 3)")
{
    const char *a = "x\xc3\xa9", *b = "x\xc3\xa8";
    wr_assert_eq(t, a, b);
}

ASSERTS(a_string_that_is_null_says_so, "assertion failed: s equals \"\"\n  s = NULL")
{
    const char *s = NULL;
    wr_assert_str_eq(t, s, "");
}

ASSERTS(strings_are_in_order, "assertion failed: s < \"abc\" (as strings)\n  s = \"abd\"")
{
    const char *s = "abd";
    wr_assert_lt(t, s, "abc");
}

ASSERTS(strings_that_must_differ_are_shown,
        "assertion failed: s differs from \"abc\"\n  s = \"abc\"")
{
    const char *s = "abc";
    wr_assert_str_ne(t, s, "abd");
    wr_assert_str_ne(t, s, NULL);
    wr_assert_str_ne(t, s, "abc");
}

ASSERTS(a_text_contains_a_part,
        "assertion failed: s contains part\n  s    = \"abc\"\n  part = \"ac\"")
{
    const char *s = "abc", *part = "ac";
    wr_assert_str_contains(t, s, "");
    wr_assert_str_contains(t, s, "abc");
    wr_assert_str_contains(t, s, "c");
    wr_assert_str_contains(t, s, part);
}

ASSERTS(nothing_contains_null, "assertion failed: s contains NULL\n  s = \"abc\"")
{
    const char *s = "abc";
    wr_assert_str_contains(t, s, NULL);
}

ASSERTS(a_text_starts_with_its_start, "assertion failed: s starts with \"abcd\"\n  s = \"abc\"")
{
    const char *s = "abc";
    wr_assert_str_starts_with(t, s, "");
    wr_assert_str_starts_with(t, s, "abc");
    wr_assert_str_starts_with(t, s, "abcd");
}

/* ---- Pointers and ranges ---- */

/* An address is another one in each run. */
ASSERTS(addresses_are_not_told,
        "assertion failed: one == other\n  one   = not NULL\n  other = NULL")
{
    void *one = &one, *other = NULL;
    wr_assert_eq(t, one, other);
}

ASSERTS(a_pointer_must_be_null, "assertion failed: error is NULL\n  error = \"bad\\n\"")
{
    char text[] = "bad\n", *error = text;
    wr_assert_null(t, (void *)NULL);
    wr_assert_null(t, error);
}

ASSERTS(a_pointer_must_not_be_null, "assertion failed: p is not NULL")
{
    int n = 0, *p = NULL;
    wr_assert_not_null(t, &n);
    wr_assert_not_null(t, p);
}

ASSERTS(a_value_lies_between,
        "assertion failed: x is between 0 and most\n  x    = 11\n  most = 10")
{
    int      x = 0;
    unsigned most = 10;
    wr_assert_between(t, x, 0, most);
    wr_assert_between(t, most, 0, most);
    wr_assert_between(t, -0.5, -1, most);
    wr_assert_between(t, "b", "a", "c");
    x = 11;
    wr_assert_between(t, x, 0, most);
}

ASSERTS(nan_lies_nowhere, "assertion failed: x is between 0 and 1\n  x = nan")
{
    double x = (double)NAN;
    wr_assert_between(t, x, 0, 1);
}

/* ---- Identity ---- */

static int which;

static void two_in_a_line(wr_case *t)
{
    /* clang-format off */
    wr_assert_null(t, which == 0 ? "a" : NULL); wr_assert_not_null(t, which == 1 ? NULL : "a");
    /* clang-format on */
}

TEST(assertions_of_one_line_are_different_bugs)
{
    uint32_t classes[2];
    for (which = 0; which < 2; which++) {
        CHECK(run_as(FAST, two_in_a_line, 1, NULL) == WRI_ASSERTION);
        classes[which] = the_verdict.failure_class;
    }
    CHECK(classes[0] != classes[1]);
}

/* ---- Memory ---- */

static int  released;
static char thing[4];

static int release(char *p)
{
    CHECK(p == thing);
    return ++released;
}

static void release_constant(const char *p)
{
    CHECK(p == thing);
    released++;
}

static void owns(wr_case *t)
{
    const char *constant = thing;
    char       *text = wr_take(t, strdup("taken"));
    CHECK_TEXT(text, "taken");
    CHECK(wr_take(t, NULL) == NULL);
    wr_defer_as(t, release, thing);
    wr_defer_as(t, release_constant, constant);
    wr_fail(t, "at the end");
}

/* A sanitizer's build sees a leak where wr_take() does not free. */
TEST(taken_memory_and_typed_deferrals_end_with_the_case)
{
    released = 0;
    CHECK(run_as(FAST, owns, 1, NULL) == WRI_ASSERTION);
    CHECK(released == 2);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    return status;
}
