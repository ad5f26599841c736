/* tests/header_every.c: every macro of the public headers, for each standard of C. Compilers must
 * not warn. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warren.h>

typedef struct pair {
    int      a : 3;
    unsigned b : 5;
} pair;
enum colour { RED, GREEN };

WR_PROPERTY(does_not_use_t)
{
}

static int release(const char *text)
{
    return text[0];
}

WR_PROPERTY_WITH(holds, .cases = 100)
{
    size_t      n = wr_size(t, "n", 0, 5);
    const char *name = wr_identifier(t, "name", 1, 8);
    char        text[8] = "abc";
    pair        p = { 1, 2 };
    enum colour c = RED;
    bool        yes = true;
    char        x = 'x';
    int         xs[2] = { 1, 2 };
    wr_assert_ne(t, name, "");
    errno = 0;
    wr_assert_ne(t, errno, EAGAIN);
    wr_assert_eq(t, p.a, 1);
    wr_assert_eq(t, p.b, 2);
    wr_assert_eq(t, c, RED);
    wr_assert_eq(t, text, "abc");
    wr_assert_eq(t, yes, true);
    wr_assert_eq(t, x, 'x');
    wr_assert_eq(t, xs, &xs[0]);
    wr_assert_ne(t, (void *)xs, NULL);
    wr_assert_ne(t, text, 0);
    (void)(n > 9 ? wr_assert_eq(t, n, 9) : wr_assert(t, n < 10));
    wr_assert_between(t, n, 0, 5);
    wr_assert_between(t, 0.5, 0, 1.5f);
    wr_assert_null(t, (int *)NULL);
    wr_assert_not_null(t, name);
    wr_assert_not_null(t, xs);
    wr_assert_str_eq(t, text, "abc");
    wr_assert_str_ne(t, text, "abd");
    wr_assert_str_contains(t, text, "bc");
    wr_assert_str_starts_with(t, text, "ab");
    wr_assert_mem_eq(t, text, "abc", 4);
    wr_defer_as(t, fclose, tmpfile());
    wr_defer_as(t, release, (const char *)text);
    name = (char *)wr_take(t, malloc(1));
    wr_show_text(t, "text", text);
    wr_show_bytes(t, "bytes", text, sizeof text);
    wr_assert_near(t, (double)n, (double)n + 0.25, 0.5);
    for (wr_each(t, i, n))
        wr_assert_le(t, (int)i, 10);
    wr_assume(t, n < 9);
    static const char *const tokens[] = { "a", "<!--" };
    static const wr_piece    pieces[] = { WR_PIECE("\0"), WR_PIECE("IHDR") };
    wr_assert_not_null(t, wr_pieces(t, "tokens", 2, tokens, 0, 3));
    wr_assert_not_null(t, wr_byte_pieces(t, "pieces", 2, pieces, 0, 3, &n));
    wr_assert_le(t, wr_codepoint(t, "code"), 0x10ffff);
    wr_assert_between(t, wr_date(t, "date", 1900, 2100).tm_mday, 1, 31);
    wr_label(t, "%s", n == 0 ? "empty" : "full");
    wr_label(t, "plain");
    wr_classify(t, n == 0, "empty");
    wr_collect(t, "points", n);
    wr_collect(t, "char", x);
    wr_cover(t, n > 0, 10, "some");
    wr_sometimes(t, n > 0, "some");
    wr_sometimes_gt(t, n, 2, "more than two");
    wr_always(t, n <= 5, "at most five");
    wr_maximise(t, "n", n);
    wr_state(t, "n", n);
    WR_SOMETIMES_GT(n, 2, "more than two");
    WR_ALWAYS(n <= 5, "at most five");
}

WR_EXAMPLE(holds, "n = 3", "name = \"abc\"");
WR_EXAMPLE(does_not_use_t, "w1AA");
