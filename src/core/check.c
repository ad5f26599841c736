/* core/check.c: assertions, and the messages they fail with.
 *
 * wr_assert_eq() and its relatives pass both values with their types. This file compares them by
 * value, prints them, and ends the case.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/case.h"
#include "core/utf8.h"

/* Text that grows up to the size of a verdict's message; what does not fit is cut. */
typedef struct words {
    size_t used;
    char   text[sizeof((wri_verdict *)0)->message];
} words;

WR_PRINTF_(2, 3) static void say(words *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->used += (size_t)length;
    if (w->used >= sizeof w->text)
        w->used = sizeof w->text - 1;
}

_Noreturn static void fail(wr_case *t, const char *file, int line, const words *w)
{
    wri_case_end(t, WRI_ASSERTION, file, line, "%s", w->text);
}

/* Each assertion of a line counts as another one. The message of wr_fail() does not count: it may
 * differ each time. */
static void tell_apart(wr_case *t, const char *text)
{
    t->failure_class = t->failure_class * 31 + wri_trace_label_hash(text);
}

/* An empty message about two expressions. */
static words begin(wr_case *t, const char *a_text, const char *b_text)
{
    tell_apart(t, a_text);
    tell_apart(t, b_text);
    return (words){ 0 };
}

void wr_assertion_failed_(wr_case *t, const char *file, int line, const char *condition)
{
    tell_apart(t, condition);
    wri_case_end(t, WRI_ASSERTION, file, line, "assertion failed: %s", condition);
}

void wr_fail_(wr_case *t, const char *file, int line, const char *format, ...)
{
    char    text[sizeof t->verdict->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wri_case_end(t, WRI_ASSERTION, file, line, "%s", text);
}

void wr_class(wr_case *t, const char *name)
{
    t->failure_class = wri_trace_label_hash(name);
}

void wr_discard_(wr_case *t)
{
    if (wri_case_is_elsewhere(t))
        wri_case_misuse_thread(t, "", 0,
                               "a case is discarded in another thread than the property's");
    wri_case_end_copy(t);
    t->verdict->kind = wri_verdict_failed(t->verdict) ? t->verdict->kind : WRI_DISCARD;
    longjmp(t->out, 1);
}

void wr_skip(wr_case *t, const char *why)
{
    /* The first case that passes would hide every bug of the property. */
    if (t->closing && !wri_verdict_failed(t->verdict))
        wri_case_misuse(t,
                        "wr_skip: in a teardown or a deferred function, when the case has run: "
                        "skip in the property or its setup");
    wri_case_end(t, WRI_SKIP, "", 0, "%s", why == NULL ? "" : why);
}

/* ---- Comparisons ---- */

static bool is_text(wr_any_ any)
{
    return any.sort == WR_STRING_ || any.sort == WR_TEXT_;
}

bool wri_check_any_signed(wr_any_ any)
{
    return any.sort == WR_SIGNED_ || any.sort == WR_CHAR_;
}

long double wri_check_any_real(wr_any_ any)
{
    return any.sort == WR_REAL_        ? any.real
           : wri_check_any_signed(any) ? (long double)any.as.i
                                       : (long double)any.as.u;
}

static size_t length_of(wr_any_ any)
{
    return any.sort == WR_TEXT_ ? any.length : strlen(any.as.s);
}

/* As strcmp() says; 2 where one of them is NULL. */
static int order_of_texts(wr_any_ a, wr_any_ b)
{
    if (a.as.s == NULL || b.as.s == NULL)
        return a.as.s == b.as.s ? 0 : 2;
    size_t x = length_of(a), y = length_of(b), both = x < y ? x : y;
    int    order = both == 0 ? 0 : memcmp(a.as.s, b.as.s, both);
    order = order == 0 ? (x > y) - (x < y) : order;
    return (order > 0) - (order < 0);
}

/* -1, 0, 1; 2 when they cannot be ordered (NaN). By value, whatever the types. */
static int order_of(wr_any_ a, wr_any_ b)
{
    if (is_text(a) && is_text(b))
        return order_of_texts(a, b);
    if (a.sort == WR_REAL_ || b.sort == WR_REAL_) {
        /* Holds every 64-bit integer exactly. */
        long double x = wri_check_any_real(a), y = wri_check_any_real(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    bool a_negative = wri_check_any_signed(a) && a.as.i < 0;
    bool b_negative = wri_check_any_signed(b) && b.as.i < 0;
    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    return a.as.u < b.as.u ? -1 : a.as.u > b.as.u;
}

bool wri_check_any_holds(wr_relation_ relation, wr_any_ a, wr_any_ b)
{
    int order = order_of(a, b);
    switch (relation) {
    case WR_EQ_: return order == 0;
    case WR_NE_: return order != 0;
    case WR_LT_: return order == -1;
    case WR_LE_: return order == -1 || order == 0;
    case WR_GT_: return order == 1;
    default: return order == 1 || order == 0;
    }
}

/* ---- Values in messages ---- */

static void say_quoted(words *w, const char *text, size_t length)
{
    char quoted[WRI_UTF8_QUOTED];
    say(w, "\"");
    for (size_t at = 0; at < length; say(w, "%s", quoted))
        at += wri_utf8_quote(text + at, length - at, quoted);
    say(w, "\"");
}

static void say_text(words *w, wr_any_ any)
{
    size_t length = any.as.s == NULL ? 0 : length_of(any);
    if (any.as.s == NULL)
        say(w, "NULL");
    else
        say_quoted(w, any.as.s, length < 200 ? length : 200);
    if (length > 200)
        say(w, "... (%zu bytes)", length);
}

static void say_char(words *w, char c)
{
    char quoted[WRI_UTF8_QUOTED];
    wri_utf8_quote(&c, 1, quoted);
    say(w, "'%s' (%d)", c == '\'' ? "\\'" : c == '"' ? "\"" : quoted, c);
}

/* Hexadecimal digits help where the number has more decimal ones than an eye can count, and where
 * it lies at a power of two: 255, 256, 257. */
#define LONG_DECIMAL 10000000
static bool wants_hex(uint64_t number)
{
    uint64_t below = number - 1, above = number + 1;
    return number >= LONG_DECIMAL ||
           (number > 250 &&
            ((number & below) == 0 || (number & above) == 0 || (below & (below - 1)) == 0));
}

static void say_integer(words *w, wr_any_ any)
{
    if (any.sort == WR_SIGNED_)
        say(w, "%" PRId64, any.as.i);
    else
        say(w, "%" PRIu64, any.as.u);
    if (!(any.sort == WR_SIGNED_ && any.as.i < 0) && wants_hex(any.as.u))
        say(w, " (0x%" PRIx64 ")", any.as.u);
}

/* As drawn values are shown; a long double that is no double has all its digits. */
static void say_real(words *w, long double value)
{
    char digits[WRI_REAL_DIGITS];
    if (value != (long double)(double)value && !isnan(value)) {
        say(w, "%.21Lg", value);
        return;
    }
    wri_choice_real_print(digits, (double)value, false);
    say(w, "%s", digits);
}

static void say_value(words *w, wr_any_ any)
{
    switch (any.sort) {
    case WR_SIGNED_:
    case WR_UNSIGNED_: say_integer(w, any); break;
    case WR_BOOL_: say(w, any.as.u != 0 ? "true" : "false"); break;
    case WR_CHAR_: say_char(w, (char)any.as.i); break;
    case WR_REAL_: say_real(w, any.real); break;
    case WR_STRING_:
    case WR_TEXT_: say_text(w, any); break;
    default: say(w, any.as.p == NULL ? "NULL" : "not NULL"); break; /* else another each run */
    }
}

/* Is this expression one token that says its value itself: a number, 'c', "text", true, NULL? */
static bool is_literal(const char *text)
{
    static const char *const NAMES[] = { "true", "false", "NULL", "nullptr" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(text, NAMES[i]) == 0)
            return true;
    text += *text == '-';
    if (*text == '"' || *text == '\'') {
        const char *end = text + 1;
        while (*end != '\0' && *end != *text)
            end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
        return end[0] != '\0' && end[1] == '\0';
    }
    bool digit = (*text >= '0' && *text <= '9') || *text == '.';
    for (; *text != '\0' && digit; text++)
        digit = isalnum((unsigned char)*text) || *text == '.' ||
                (strchr("+-", *text) != NULL && strchr("eEpP", text[-1]) != NULL);
    return digit;
}

/* Does an operator bind no tighter than `==`? Then the expression needs parentheses beside one.
 */
static bool is_loose(const char *text)
{
    int  depth = 0;
    char quote = '\0';
    for (const char *at = text; *at != '\0'; at++) {
        if (quote != '\0') {
            at += at[0] == '\\' && at[1] != '\0';
            quote = *at == quote && at[-1] != '\\' ? '\0' : quote;
            continue;
        }
        quote = *at == '"' || *at == '\'' ? *at : '\0';
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        bool arrow = at > text && at[-1] == '-' && *at == '>';
        bool binary = at > text && at[-1] == ' ' && (at[1] == ' ' || at[1] == at[0]);
        if (depth == 0 && !arrow && (strchr("=?|^<>", *at) != NULL || (*at == '&' && binary)))
            return true;
    }
    return false;
}

/* The two expressions with their operator, as C writes it. */
static void say_expression(words *w, const char *a, const char *relation, const char *b)
{
    static const char *const FORMATS[] = { "assertion failed: %s %s %s",
                                           "assertion failed: (%s) %s %s",
                                           "assertion failed: %s %s (%s)",
                                           "assertion failed: (%s) %s (%s)" };
    say(w, FORMATS[is_loose(a) + 2 * is_loose(b)], a, relation, b);
}

static const char *const RELATIONS[] = { "==", "!=", "<", "<=", ">", ">=" };

/* An expression, as it stands in the source, and its value. */
typedef struct side {
    const char *text;
    wr_any_     any;
} side;

/* Expressions that are longer do not stand in a column. */
#define WIDEST 60

/* Does a literal say its value itself? A 'c' does not say the number that the others are. */
static bool says_itself(const side *one, size_t count, const side *sides)
{
    bool numbers = one->text[0] == '\'';
    for (size_t i = 0; i < count; i++)
        numbers &= &sides[i] == one ||
                   (!is_literal(sides[i].text) &&
                    (sides[i].any.sort == WR_SIGNED_ || sides[i].any.sort == WR_UNSIGNED_));
    return is_literal(one->text) && !numbers;
}

/* Lines such as "x = 5", for all sides but literals that say it. Their values stand one below the
 * other, unless an expression is very long. */
static void say_sides(words *w, size_t count, const side *sides)
{
    size_t wide = 0;
    for (size_t i = 0; i < count; i++)
        if (!says_itself(&sides[i], count, sides) && strlen(sides[i].text) > wide)
            wide = strlen(sides[i].text);
    for (size_t i = 0; i < count; i++) {
        wr_any_ any = sides[i].any;
        if (says_itself(&sides[i], count, sides))
            continue;
        if (any.sort == WR_CHAR_ && is_literal(sides[i].text))
            any.sort = WR_SIGNED_;
        say(w, "\n  %*s = ", wide > WIDEST ? 0 : -(int)wide, sides[i].text);
        say_value(w, any);
    }
}

void wri_check_any_say(char *text, size_t room, const char *a_text, const char *b_text, wr_any_ a,
                       wr_any_ b)
{
    words  w = { 0 };
    size_t used = strlen(text);
    say_sides(&w, 2, (side[]){ { a_text, a }, { b_text, b } });
    snprintf(text + used, room - used, "%s", w.text);
}

/* ---- Texts ---- */

static size_t characters(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* The start of a line with a text: "name = " in a column that is `wide`, nothing for a literal.
 */
static void say_name(words *w, const char *name, size_t wide)
{
    bool named = wide > 0 && !is_literal(name);
    say(w, "\n  %-*s%s", (int)wide, named ? name : "", wide == 0 ? "" : named ? " = " : "   ");
}

/* How wide the column with names of both sides is. 0: there is none to be shown. */
static size_t name_width(const char *a, const char *b)
{
    size_t x = is_literal(a) ? 0 : strlen(a), y = is_literal(b) ? 0 : strlen(b);
    size_t wide = x > y ? x : y;
    return wide > WIDEST ? 0 : wide;
}

/* Both texts around the first difference, one above the other, and a mark under it. */
static void say_difference(words *w, const char *a_text, const char *b_text, wr_any_ a, wr_any_ b)
{
    size_t wide = name_width(a_text, b_text);
    size_t x = length_of(a), y = length_of(b), same = 0;
    while (same < x && same < y && a.as.s[same] == b.as.s[same])
        same++;
    size_t start = same > 30 ? same - 30 : 0;
    while (start > 0 && ((unsigned char)a.as.s[start] & 0xc0) == 0x80)
        start--;      /* not in the middle of a UTF-8 character */
    size_t at = same; /* the start of the character that differs */
    while (at > start && same < x && ((unsigned char)a.as.s[at] & 0xc0) == 0x80)
        at--;
    words       before = { 0 };
    const char *dots = start > 0 ? "..." : "";
    say_quoted(&before, a.as.s + start, at - start);
    say_name(w, a_text, wide);
    say(w, "%s", dots);
    say_quoted(w, a.as.s + start, x - start < same - start + 40 ? x - start : same - start + 40);
    say_name(w, b_text, wide);
    say(w, "%s", dots);
    say_quoted(w, b.as.s + start, y - start < same - start + 40 ? y - start : same - start + 40);
    size_t column =
        (wide == 0 ? 0 : wide + 3) + strlen(dots) + characters(before.text, before.used - 1);
    say(w, "\n  %*s^ first difference at byte %zu (lengths %zu and %zu)", (int)column, "", same,
        x, y);
}

static bool texts_hold(wr_text_relation_ relation, wr_any_ a, wr_any_ b)
{
    int order = order_of_texts(a, b);
    if (relation == WR_EQUALS_ || relation == WR_DIFFERS_)
        return (order == 0) == (relation == WR_EQUALS_);
    if (a.as.s == NULL || b.as.s == NULL)
        return false;
    size_t length = length_of(a), part = length_of(b);
    if (relation == WR_CONTAINS_)
        return memmem(a.as.s, length, b.as.s, part) != NULL;
    return length >= part && memcmp(a.as.s, b.as.s, part) == 0;
}

void wr_compare_text_(wr_case *t, const char *file, int line, const char *a_text,
                      const char *b_text, wr_text_relation_ relation, wr_any_ a, wr_any_ b)
{
    static const char *const WORDS[] = { "equals", "differs from", "contains", "starts with" };
    if (texts_hold(relation, a, b))
        return;
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s %s %s", a_text, WORDS[relation], b_text);
    if (relation == WR_EQUALS_ && a.as.s != NULL && b.as.s != NULL)
        say_difference(&w, a_text, b_text, a, b);
    else
        say_sides(&w, 2, (side[]){ { a_text, a }, { b_text, b } });
    fail(t, file, line, &w);
}

/* ---- Values ---- */

/* In C a comparison is an int: beside a bool it is meant as one. */
static void agree(wr_any_ *one, const wr_any_ *other)
{
    if (other->sort == WR_BOOL_ && (one->sort == WR_SIGNED_ || one->sort == WR_UNSIGNED_) &&
        one->as.u <= 1)
        one->sort = WR_BOOL_;
}

void wr_compare_(wr_case *t, const char *file, int line, const char *a_text, const char *b_text,
                 wr_relation_ relation, wr_any_ a, wr_any_ b)
{
    bool texts = is_text(a) && is_text(b);
    if (wri_check_any_holds(relation, a, b))
        return;
    if (texts && relation == WR_EQ_)
        wr_compare_text_(t, file, line, a_text, b_text, WR_EQUALS_, a, b);
    if (!texts) { /* a pointer is compared, not the text that it may point to */
        a.sort = is_text(a) ? WR_POINTER_ : a.sort;
        b.sort = is_text(b) ? WR_POINTER_ : b.sort;
    }
    words w = begin(t, a_text, b_text);
    say_expression(&w, a_text, RELATIONS[relation], b_text);
    say(&w, texts ? " (as strings)" : "");
    agree(&a, &b);
    agree(&b, &a);
    say_sides(&w, 2, (side[]){ { a_text, a }, { b_text, b } });
    fail(t, file, line, &w);
}

void wr_assert_between_(wr_case *t, const char *file, int line, const char *x_text,
                        const char *lo_text, const char *hi_text, wr_any_ x, wr_any_ lo,
                        wr_any_ hi)
{
    if (wri_check_any_holds(WR_GE_, x, lo) && wri_check_any_holds(WR_LE_, x, hi))
        return;
    words w = begin(t, x_text, lo_text);
    say(&w, "assertion failed: %s is between %s and %s", x_text, lo_text, hi_text);
    say_sides(&w, 3, (side[]){ { x_text, x }, { lo_text, lo }, { hi_text, hi } });
    fail(t, file, line, &w);
}

void wr_assert_near_(wr_case *t, const char *file, int line, const char *a_text,
                     const char *b_text, double a, double b, double tolerance)
{
    if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance)
        return;
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s is within %g of %s", a_text, tolerance, b_text);
    say_sides(&w, 2, (side[]){ { a_text, wr_any_real_(a) }, { b_text, wr_any_real_(b) } });
    say(&w, "\n  they differ by ");
    say_real(&w, (long double)fabs(a - b));
    fail(t, file, line, &w);
}

void wr_assert_null_(wr_case *t, const char *file, int line, const char *text, wr_any_ pointer,
                     bool null)
{
    if ((pointer.as.p == NULL) == null)
        return;
    words w = begin(t, text, null ? "null" : "not null");
    say(&w, "assertion failed: %s is %sNULL", text, null ? "" : "not ");
    if (null)
        say_sides(&w, 1, &(side){ text, pointer });
    fail(t, file, line, &w);
}

/* ---- Memory ---- */

static void say_row(words *w, const unsigned char *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        say(w, " %02x", bytes[i]);
    say(w, "  ");
    for (size_t i = from; i < to; i++)
        say(w, "%c", bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : '.');
}

/* A line with marks below the bytes of a row that differ. */
static void say_marks(words *w, const unsigned char *a, const unsigned char *b, size_t from,
                      size_t to)
{
    while (to > from && a[to - 1] == b[to - 1])
        to--;
    say(w, "\n         ");
    for (size_t i = from; i < to; i++)
        say(w, a[i] == b[i] ? "   " : " ^^");
}

/* The rows of sixteen bytes around the first difference, of both. */
static void say_memory(words *w, const unsigned char *a, const unsigned char *b, size_t bytes,
                       size_t same)
{
    size_t first = same / 16 * 16;
    first = first >= 16 ? first - 16 : 0;
    for (size_t row = first; row < bytes && row < first + 64; row += 16) {
        size_t end = bytes - row < 16 ? bytes : row + 16;
        bool   differs = memcmp(a + row, b + row, end - row) != 0;
        say(w, "\n  %06zx %s", row, differs ? "-" : " ");
        say_row(w, a, row, end);
        if (differs) {
            say(w, "\n         +");
            say_row(w, b, row, end);
            say_marks(w, a, b, row, end);
        }
    }
}

void wr_assert_mem_eq_(wr_case *t, const char *file, int line, const char *a_text,
                       const char *b_text, const void *a, const void *b, size_t bytes)
{
    if (bytes == 0 || memcmp(a, b, bytes) == 0)
        return;
    const unsigned char *x = a, *y = b;
    size_t               same = 0, differing = 0;
    while (x[same] == y[same])
        same++;
    for (size_t i = same; i < bytes; i++)
        differing += x[i] != y[i];
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s and %s hold the same %zu byte%s", a_text, b_text, bytes,
        bytes == 1 ? "" : "s");
    say(&w, "\n  %zu differ%s, the first at offset %zu", differing, differing == 1 ? "s" : "",
        same);
    if (same > 9)
        say(&w, " (0x%zx)", same);
    say(&w, " (- %s, + %s)", a_text, b_text);
    say_memory(&w, x, y, bytes, same);
    fail(t, file, line, &w);
}
