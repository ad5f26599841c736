/* tests/import_unit.c: bytes from elsewhere as plans. Each draw that can have them is drawn once
 * at random, then planned with the bytes, and run again: it must draw just these. */
#include "explore/answer.h"
#include "lone_case.h"
#include "plan/align.h"
#include "plan/import.h"
#include "unit.h"

#include <warren.h>

static char   drawn[4096];
static size_t drawn_count;

static void keep(const void *bytes, size_t count)
{
    memcpy(drawn, bytes, count);
    drawn_count = count;
}

static void draws_bytes(wr_case *t)
{
    wr_int(t, "before", 0, 1000);
    size_t n = wr_size(t, "n", 2, 300);
    keep(wr_bytes(t, "data", n), n);
    wr_int(t, "after", 0, 1000);
}

static void draws_signed_bytes(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 300);
    keep(wr_i8s(t, "data", n, -128, 127), n);
}

static void draws_digits(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 9);
    keep(wr_u8s(t, "digits", n, '0', '9'), n);
}

static void draws_four_bytes(wr_case *t)
{
    keep(wr_bytes(t, "data", 4), 4);
}

static void draws_text(wr_case *t)
{
    char *text = wr_text(t, "text", 0, 100);
    keep(text, strlen(text));
}

static void draws_text_of(wr_case *t)
{
    char *text = wr_text_of(t, "text", "ba\n\xff\"", 1, 100);
    keep(text, strlen(text));
}

static void draws_utf8(wr_case *t)
{
    char *text = wr_utf8(t, "text", 0, 100);
    keep(text, strlen(text));
}

static void draws_identifier(wr_case *t)
{
    char *text = wr_identifier(t, "name", 2, 9);
    keep(text, strlen(text));
}

static void draws_pieces(wr_case *t)
{
    static const char *const PIECES[] = { "a", "ab", "", "bc", "\n" };
    char                    *text = wr_pieces(t, "text", 5, PIECES, 3, 9);
    keep(text, strlen(text));
}

static void draws_text_with_a_name(wr_case *t)
{
    wr_identifier(t, "name", 1, 9);
    draws_text(t);
}

static void draws_two(wr_case *t)
{
    draws_text(t);
    draws_bytes(t);
}

static void draws_none(wr_case *t)
{
    size_t n = wr_size(t, "n", 0, 9);
    wr_i32s(t, "numbers", n, 0, 256);
    wr_picks(t, "picks", n, 10);
    wr_matching(t, "name", "[a-z]{1,9}");
}

static wri_import import;
static wri_trace  plan;

static unsigned find(void (*body)(wr_case *t))
{
    CHECK(run_as(TRACED, body, 5, NULL) == WRI_PASS);
    return wri_import_find(&import, &the_trace);
}

static void run_plan(void (*body)(wr_case *t))
{
    static wri_align align;
    wri_aligned      aligned;
    CHECK(wri_trace_valid(&plan) && wri_align_start(&align, &plan));
    CHECK(run_as(TRACED, body, 6, wri_answer_aligned(&aligned, &align)) == WRI_PASS);
    wri_align_free(&align);
}

/* The draw has the bytes, and the rest of the case is as it was. */
static void check_draws(void (*body)(wr_case *t), const char *bytes, size_t count)
{
    wri_note why = { "" };
    if (!wri_import_plan(&import, bytes, count, &plan, &why))
        CHECK_TEXT(why.text, "no reason to refuse");
    run_plan(body);
    CHECK(drawn_count == count && memcmp(drawn, bytes, count) == 0);
    char  *back;
    size_t back_count;
    CHECK(wri_import_bytes(&import, &the_trace, &back, &back_count));
    CHECK(back_count == count && memcmp(back, bytes, count) == 0);
    free(back);
}

static void check_refused(const char *bytes, size_t count, const char *reason)
{
    wri_note why = { "" };
    CHECK(!wri_import_plan(&import, bytes, count, &plan, &why));
    CHECK_TEXT(why.text, reason);
}

static void done(void)
{
    wri_import_free(&import);
    wri_trace_free(&plan);
}

TEST(bytes_are_drawn)
{
    char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    CHECK(find(draws_bytes) == 1 && import.spelt);
    check_draws(draws_bytes, all, sizeof all);
    check_draws(draws_bytes, all, 2);
    check_refused(all, 1, "it has 1 byte, and the draw takes 2 to 300");
    check_refused(all, 0, "it has 0 bytes, and the draw takes 2 to 300");
    done();
    CHECK(find(draws_signed_bytes) == 1);
    check_draws(draws_signed_bytes, all, sizeof all);
    done();
    CHECK(find(draws_digits) == 1);
    check_draws(draws_digits, "0190", 4);
    check_refused("12x", 3, "the draw cannot have the byte 0x78, at offset 2");
    done();
    CHECK(find(draws_four_bytes) == 1);
    check_draws(draws_four_bytes, all + 100, 4);
    check_refused(all, 5, "it has 5 bytes, and the draw takes 4 to 4");
    done();
}

TEST(texts_are_drawn)
{
    CHECK(find(draws_text) == 1 && import.spelt);
    check_draws(draws_text, "int main(void) { }", 18);
    check_draws(draws_text, "", 0);
    check_refused("a\nb", 3, "the draw cannot have the byte 0x0a, at offset 1");
    done();
    CHECK(find(draws_utf8) == 1 && import.spelt);
    check_draws(draws_utf8, "plain", 5);
    check_draws(draws_utf8, "\x01\x1f\x7f~ ", 5);
    check_draws(draws_utf8, "h\xc3\xa9 \xe2\x82\xac", 7);
    check_draws(draws_utf8, "\xed\x9f\xbf\xee\x80\x80\xf0\x9f\x90\xb0\xf4\x8f\xbf\xbf", 14);
    check_refused("a\xff", 2, "the draw cannot have the byte 0xff, at offset 1");
    check_refused("a\0b", 3, "the draw cannot have the byte 0x00, at offset 1");
    done();
}

/* The caller tells the letters, one by one. */
TEST(an_alphabet_is_learnt)
{
    CHECK(find(draws_text_of) == 1 && !import.spelt && wri_import_last(&import) == 4);
    for (uint64_t i = 0; i <= wri_import_last(&import); i++) {
        CHECK(wri_import_letter(&import, i, &plan));
        run_plan(draws_text_of);
        CHECK(drawn_count == 1);
        CHECK(wri_import_spell(&import, i, drawn, 1));
    }
    check_draws(draws_text_of, "ab\n\xff\"\"b", 7);
    check_refused("abc", 3, "the draw cannot have the byte 0x63, at offset 2");
    done();
}

TEST(identifiers_are_drawn)
{
    CHECK(find(draws_identifier) == 1 && import.spelt);
    check_draws(draws_identifier, "ab", 2);
    check_draws(draws_identifier, "_x9_Z0", 6);
    check_refused("9x", 2, "the draw cannot have the byte 0x39, at offset 0");
    check_refused("x-", 2, "the draw cannot have the byte 0x2d, at offset 1");
    check_refused("", 0, "it has 0 bytes, and the draw takes 2 to 9");
    check_refused("x", 1, "it has 1 byte, and the draw takes 2 to 9");
    check_refused("abcdefghij", 10, "it has 10 bytes, and the draw takes 2 to 9");
    done();
}

/* Three copies of a piece are drawn, as there must be so many. */
TEST(pieces_are_drawn)
{
    CHECK(find(draws_pieces) == 1 && !import.spelt && wri_import_last(&import) == 4);
    for (uint64_t i = 0; i <= wri_import_last(&import); i++) {
        CHECK(wri_import_letter(&import, i, &plan));
        run_plan(draws_pieces);
        CHECK(wri_import_spell(&import, i, drawn, drawn_count / 3));
    }
    check_draws(draws_pieces, "abc\nabab", 8);
    check_draws(draws_pieces, "abcbc", 5); /* a, bc, bc */
    check_draws(draws_pieces, "", 0);      /* the empty one, three times */
    check_draws(draws_pieces, "ab", 2);
    check_refused("ac", 2, "the pieces of the draw do not make it up");
    check_refused("aaaaaaaaaa", 10, "it has 10 pieces, and the draw takes 3 to 9");
    done();
}

TEST(one_draw_is_meant)
{
    CHECK(find(draws_text_with_a_name) == 1);
    check_draws(draws_text_with_a_name, "int main(void) { }", 18);
    done();
    CHECK(find(draws_two) == 2);
    done();
    CHECK(find(draws_none) == 0);
    done();
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    return status;
}
