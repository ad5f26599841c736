/* tests/values_unit.c: values that parsers read: pieces, words inside of texts, code points,
 * names of files, addresses, dates, formats; and how reals lean.
 */
#include <arpa/inet.h>
#include <float.h>
#include <math.h>

#include "core/utf8.h"
#include "drawn.h"
#include "unit.h"

static const char *const TOKENS[] = { "a", "", "<!--", "-->", "\xc3\xa9" };
static const wr_piece    PARTS[] = {
       WR_PIECE("\0"), WR_PIECE("IHDR"), WR_PIECE("\xff\0\xff"), { NULL, 0 }
};
static const char *const WORDS[] = { "while", "9lives", "&amp;", "\xc3\xa9t\xc3\xa9",
                                     "averyveryverylongword" };

/* ---- Every way of running a case ---- */

static void draw_all(wr_case *t)
{
    size_t n;
    drawn_bytes = 0;
    keep_text(wr_pieces(t, "pieces", 5, TOKENS, 0, 9));
    uint8_t *bytes = wr_byte_pieces(t, "bytes", 4, PARTS, 1, 5, &n);
    keep(bytes, n + 1);
    keep_text(wr_pieces(t, "none", 0, NULL, 0, 0));
    KEEP(uint32_t, wr_codepoint(t, "code"));
    keep_text(wr_filename(t, "file", 1, 20));
    keep_text(wr_ipv4(t, "ipv4"));
    keep_text(wr_ipv6(t, "ipv6"));
    struct tm date = wr_date(t, "date", 1, 9999), time = wr_time(t, "time");
    keep(&date.tm_year, sizeof date.tm_year);
    keep(&date.tm_yday, sizeof date.tm_yday);
    keep(&time.tm_sec, sizeof time.tm_sec);
    keep_text(wr_printf_format(t, "format", "lldixX"));
    wr_words(t, 5, WORDS);
    keep_text(wr_text(t, "text", 0, 30));
    keep_text(wr_identifier(t, "identifier", 1, 30));
    keep_text(wr_utf8(t, "utf8", 0, 30));
    keep_text(wr_filename(t, "word", 1, 8));
}

TEST(every_path_draws_the_same)
{
    for (uint64_t seed = 0; seed < 1000; seed++)
        check_every_path(draw_all, seed);
}

TEST(all_zeros_is_the_simplest)
{
    CHECK(run(draw_all, 0, true, &zeros) == WRI_PASS);
    CHECK_TEXT(shown("pieces"), "\"\"");
    CHECK_TEXT(shown("bytes"), "\"\\x00\"");
    CHECK_TEXT(shown("code"), "U+0061");
    CHECK_TEXT(shown("file"), "\"a\"");
    CHECK_TEXT(shown("ipv4"), "\"0.0.0.0\"");
    CHECK_TEXT(shown("ipv6"), "\"::\"");
    CHECK_TEXT(shown("date"), "2000-01-01");
    CHECK_TEXT(shown("time"), "00:00:00");
    CHECK_TEXT(shown("format"), "\"%lld\"");
    CHECK_TEXT(shown("text"), "\"\"");
    CHECK_TEXT(shown("identifier"), "\"a\"");
}

/* ---- Pieces ---- */

static size_t pieces_most;
static bool   piece_seen[5];

static void draw_pieces(wr_case *t)
{
    const char *text = wr_pieces(t, "text", 5, TOKENS, 2, 7);
    size_t      count = 0;
    while (*text != '\0') {
        size_t i = 4;
        while (i > 0 &&
               (TOKENS[i][0] == '\0' || strncmp(text, TOKENS[i], strlen(TOKENS[i])) != 0))
            i--;
        CHECK(strncmp(text, TOKENS[i], strlen(TOKENS[i])) == 0);
        text += strlen(TOKENS[i]);
        piece_seen[i] = true;
        count++;
    }
    CHECK(count <= 7);
    pieces_most = count > pieces_most ? count : pieces_most;
}

static void draw_parts(wr_case *t)
{
    size_t         n;
    const uint8_t *bytes = wr_byte_pieces(t, "bytes", 4, PARTS, 0, 3, &n);
    for (size_t i = 0; i < n;) {
        if (bytes[i] == 'I') {
            CHECK(i + 4 <= n && memcmp(bytes + i, "IHDR", 4) == 0);
            i += 4;
        } else {
            CHECK(bytes[i] == 0 || (bytes[i] == 0xff && i + 3 <= n));
            i += bytes[i] == 0 ? 1 : 3;
        }
    }
    CHECK(bytes[n] == 0);
}

TEST(texts_are_made_of_their_pieces)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        RUN(draw_pieces, seed, seed % 2 == 0);
        RUN(draw_parts, seed, seed % 2 == 0);
    }
    CHECK(pieces_most == 7 && piece_seen[0] && piece_seen[2] && piece_seen[3] && piece_seen[4]);
}

/* ---- Words ---- */

static unsigned whole, inside, foreign;

static void draw_worded(wr_case *t)
{
    wr_words(t, 5, WORDS);
    const char *text = wr_text(t, "text", 0, 20);
    const char *name = wr_identifier(t, "name", 2, 9);
    const char *utf8 = wr_utf8(t, "utf8", 0, 12);
    whole += strcmp(text, "&amp;") == 0;
    inside += strstr(text, "&amp;") != NULL && strcmp(text, "&amp;") != 0;
    inside += (strstr(name, "9lives") != NULL) * 1000u;
    inside += (strstr(utf8, "\xc3\xa9t\xc3\xa9") != NULL && strlen(utf8) > 5) * 1000000u;
    foreign += strchr("0123456789", name[0]) != NULL || strchr(name, '&') != NULL ||
               strlen(name) > 9 || strlen(text) > 20;
}

TEST(words_come_as_texts_and_inside_of_texts)
{
    whole = inside = foreign = 0;
    for (uint64_t seed = 0; seed < 2000; seed++)
        RUN(draw_worded, seed, seed % 2 == 0);
    CHECK(whole > 40 && whole < 200); /* one text in eight, of three words */
    CHECK(inside % 1000 > 40 && inside / 1000 % 1000 > 20 && inside / 1000000 > 20);
    CHECK(foreign == 0);
}

static void give_words(wr_case *t)
{
    wr_words(t, 5, WORDS);
    wr_text(t, "text", 0, 8);
    wr_text_of(t, "other", "&amp;lt", 0, 3);
}

/* What the report warns of. */
TEST(a_case_knows_the_words_that_fitted_a_draw)
{
    RUN(give_words, 1, false);
    const bool *fits = the_case.words->fits;
    CHECK(fits[0] && fits[1] && fits[2] && !fits[3] && !fits[4]);
    CHECK(the_case.called & WRI_CALLED_WORDS);
}

/* ---- Code points and names ---- */

static unsigned codes_below[5];

static void draw_codes(wr_case *t)
{
    static const uint32_t BELOW[] = { 1, 0x80, 0x800, 0x10000, 0x110000 };
    uint32_t              code = wr_codepoint(t, "code");
    CHECK(code < 0x110000 && (code < 0xd800 || code >= 0xe000));
    for (int i = 0; i < 5; i++)
        codes_below[i] += code < BELOW[i] && (i == 0 || code >= BELOW[i - 1]);
}

static bool dot_first, blank, broken;

static void draw_names(wr_case *t)
{
    uint32_t    character = 0;
    const char *name = wr_filename(t, "name", 0, 12);
    size_t      length = strlen(name);
    CHECK(length >= 1 && length <= 12 && strchr(name, '/') == NULL);
    CHECK(strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
    dot_first |= name[0] == '.';
    blank |= strchr(name, ' ') != NULL;
    for (const char *at = name; *at != '\0' && character != WRI_NOT_UTF8;)
        at += wri_utf8_next(at, &character);
    broken |= character == WRI_NOT_UTF8;
    CHECK(strlen(wr_filename(t, "long", 255, 255)) == 255);
}

TEST(code_points_and_names_are_valid_and_of_all_sorts)
{
    for (uint64_t seed = 0; seed < 2000; seed++) {
        RUN(draw_codes, seed, seed % 2 == 0);
        RUN(draw_names, seed, seed % 2 == 0);
    }
    CHECK(codes_below[0] > 3);
    for (int i = 1; i < 5; i++)
        CHECK(codes_below[i] > 200);
    CHECK(dot_first && blank && broken);
}

/* Dots alone would be a folder's name. */
static uint64_t all_dots(wri_answerer *self, wr_case *t, const wri_request *request,
                         uint32_t label)
{
    (void)self, (void)t, (void)label;
    return request->kind == WRI_LENGTH ? request->max : 0;
}

static void only_dots(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                      size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)label, (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = request->max; /* the dot is the last of the first alphabet */
}

static void draw_dots(wr_case *t)
{
    CHECK_TEXT(wr_filename(t, "one", 1, 1), "_");
    CHECK_TEXT(wr_filename(t, "two", 1, 2), "._");
    CHECK_TEXT(wr_filename(t, "three", 1, 3), "...");
}

TEST(no_name_is_that_of_a_folder)
{
    wri_answerer dots = { .choose = all_dots, .choose_many = only_dots };
    CHECK(run(draw_dots, 0, true, &dots) == WRI_PASS);
}

/* ---- Addresses ---- */

static unsigned gaps, mixed, capitals, private_ones;

static void draw_addresses(wr_case *t)
{
    unsigned char parsed[16];
    char          again[INET6_ADDRSTRLEN];
    const char   *four = wr_ipv4(t, "four"), *six = wr_ipv6(t, "six");
    CHECK(inet_pton(AF_INET, four, parsed) == 1);
    CHECK(inet_ntop(AF_INET, parsed, again, sizeof again) != NULL && strcmp(again, four) == 0);
    CHECK(inet_pton(AF_INET6, six, parsed) == 1);
    private_ones += strncmp(four, "10.", 3) == 0 || strncmp(four, "192.168.", 8) == 0;
    gaps += strstr(six, "::") != NULL;
    mixed += strchr(six, '.') != NULL;
    capitals += strpbrk(six, "ABCDEF") != NULL;
}

TEST(addresses_can_be_parsed)
{
    for (uint64_t seed = 0; seed < 2000; seed++)
        RUN(draw_addresses, seed, seed % 2 == 0);
    CHECK(gaps > 500 && mixed > 200 && capitals > 200 && private_ones > 50);
}

/* ---- Dates and times ---- */

static unsigned leap_days, month_ends;

static void draw_dates(wr_case *t)
{
    struct tm date = wr_date(t, "date", 1850, 2150), again = date, time = wr_time(t, "time");
    CHECK(date.tm_year >= -50 && date.tm_year <= 250 && date.tm_hour == 0);
    time_t seconds = timegm(&again);
    gmtime_r(&seconds, &again);
    CHECK(again.tm_year == date.tm_year && again.tm_mon == date.tm_mon);
    CHECK(again.tm_mday == date.tm_mday && again.tm_wday == date.tm_wday);
    CHECK(again.tm_yday == date.tm_yday);
    leap_days += date.tm_mon == 1 && date.tm_mday == 29;
    month_ends += date.tm_mday >= 28;
    again = time;
    CHECK(timegm(&again) == time.tm_hour * 3600 + time.tm_min * 60 + time.tm_sec);
    CHECK(again.tm_hour == time.tm_hour && again.tm_min == time.tm_min && time.tm_sec < 60);
}

TEST(dates_are_valid_and_lean_to_leap_days)
{
    for (uint64_t seed = 0; seed < 4000; seed++)
        RUN(draw_dates, seed, seed % 2 == 0);
    CHECK(leap_days > 40 && month_ends > 800);
}

/* ---- Formats ---- */

static void draw_formats(wr_case *t)
{
    char        text[512];
    const char *integer = wr_printf_format(t, "integer", "lldiuoxX");
    const char *real = wr_printf_format(t, "real", "eEfFgGaA");
    const char *string = wr_printf_format(t, "string", "s");
    size_t      conversions = 0;
    for (const char *at = integer; *at != '\0'; at++) {
        conversions += *at == '%' && at[1] != '%';
        at += *at == '%' && at[1] == '%';
    }
    CHECK(conversions == 1 && strstr(integer, "ll") != NULL);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    CHECK(snprintf(text, sizeof text, integer, -1LL) > 0);
    CHECK(snprintf(text, sizeof text, real, 1e10) > 0);
    CHECK(snprintf(text, sizeof text, string, "some text") >= 0);
#pragma GCC diagnostic pop
}

TEST(formats_have_one_conversion)
{
    for (uint64_t seed = 0; seed < 1000; seed++)
        RUN(draw_formats, seed, seed % 2 == 0);
}

/* ---- Reals ---- */

static unsigned zeros_of[2], repeats, neighbours, array_repeats;

static void draw_pairs(wr_case *t)
{
    double a = wr_double(t, "a", -1000, 1000), b = wr_double(t, "b", -1000, 1000);
    float  c = wr_any_float(t, "c"), d = wr_any_float(t, "d");
    zeros_of[signbit(a) != 0] += a == 0;
    repeats += a == b && fabs(a) > 0.5 && a != 1000 && a != -1000;
    neighbours += nextafter(a, b) == b && a != b;
    neighbours += (nextafterf(c, d) == d && c != d) * 1000u;
    size_t   n = wr_size(t, "n", 20, 20);
    double  *xs = wr_doubles(t, "xs", n, 0.25, 0.75);
    unsigned same = 0;
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            same += xs[i] == xs[k] && xs[i] != 0.25 && xs[i] != 0.75 && xs[i] != 0.5;
    array_repeats += same > 0;
}

TEST(reals_lean_to_zeros_neighbours_and_repeats)
{
    for (uint64_t seed = 0; seed < 4000; seed++)
        RUN(draw_pairs, seed, seed % 2 == 0);
    CHECK(zeros_of[0] > 80 && zeros_of[1] > 60);
    CHECK(repeats > 100);
    CHECK(neighbours % 1000 > 20 && neighbours / 1000 > 20);
    CHECK(array_repeats > 1000);
}

/* ---- Misuse ---- */

static void too_few(wr_case *t)
{
    wr_pieces(t, "n", 0, NULL, 0, 1);
}
static void no_piece(wr_case *t)
{
    wr_pieces(t, "n", 2, (const char *[]){ "a", NULL }, 0, 1);
}
static void pieces_crossed(wr_case *t)
{
    size_t length;
    wr_byte_pieces(t, "n", 4, PARTS, 2, 1, &length);
}
static void name_too_long(wr_case *t)
{
    wr_filename(t, "n", 1, 256);
}
static void years_crossed(wr_case *t)
{
    wr_date(t, "n", 2001, 2000);
}
static void year_none(wr_case *t)
{
    wr_date(t, "n", 0, 2000);
}
static void conversion_unknown(wr_case *t)
{
    wr_printf_format(t, "n", "lln");
}
static void conversion_none(wr_case *t)
{
    wr_printf_format(t, "n", "ll");
}

TEST(misuse_is_told_with_function_and_name)
{
    static const struct {
        void (*body)(wr_case *t);
        const char *message;
    } ALL[] = { { too_few, "wr_pieces \"n\": no pieces" },
                { no_piece, "wr_pieces \"n\": piece 1 is NULL" },
                { pieces_crossed, "wr_byte_pieces \"n\": min 2 is above max 1" },
                { name_too_long, "wr_filename \"n\": a name has 1 to 256 bytes" },
                { years_crossed, "wr_date \"n\": years 2001 to 2000" },
                { year_none, "wr_date \"n\": years 0 to 2000" },
                { conversion_unknown, "wr_printf_format \"n\": 'n' is no conversion" },
                { conversion_none, "wr_printf_format \"n\": no conversion" } };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        CHECK(run(ALL[i].body, 1, false, NULL) == WRI_MISUSE);
        CHECK(strstr(the_verdict.message, ALL[i].message) != NULL);
    }
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    wri_trace_free(&plan);
    free_case();
    if (status == 0)
        puts("values_unit: ok");
    return status;
}
