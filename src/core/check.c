/* core/check.c: assertions, and the messages they fail with.
 *
 * wr_assert_eq() and its relatives pass both values with their types. This file compares them by
 * value, prints them, and ends the case.
 */
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

/* Of several assertions in one line each is another; what wr_fail() says may differ each time. */
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
    t->verdict->kind = wri_verdict_failed(t->verdict) ? t->verdict->kind : WRI_DISCARD;
    longjmp(t->out, 1);
}

void wr_skip(wr_case *t, const char *why)
{
    wri_case_end(t, WRI_SKIP, "", 0, "%s", why == NULL ? "" : why);
}

/* ---- Comparisons ---- */

long double wri_check_any_real(wr_any_ any)
{
    return any.sort == WR_REAL_     ? any.real
           : any.sort == WR_SIGNED_ ? (long double)any.as.i
                                    : (long double)any.as.u;
}

/* -1, 0, 1; 2 when they cannot be ordered (NaN). By value, whatever the types. */
static int order_of(wr_any_ a, wr_any_ b)
{
    if (a.sort == WR_REAL_ || b.sort == WR_REAL_) {
        /* Holds every 64-bit integer exactly. */
        long double x = wri_check_any_real(a), y = wri_check_any_real(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    bool a_negative = a.sort == WR_SIGNED_ && a.as.i < 0;
    bool b_negative = b.sort == WR_SIGNED_ && b.as.i < 0;
    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    return a.as.u < b.as.u ? -1 : a.as.u > b.as.u;
}

static bool holds(wr_relation_ relation, int order)
{
    switch (relation) {
    case WR_EQ_: return order == 0;
    case WR_NE_: return order != 0;
    case WR_LT_: return order == -1;
    case WR_LE_: return order == -1 || order == 0;
    case WR_GT_: return order == 1;
    default: return order == 1 || order == 0;
    }
}

static void say_quoted(words *w, const char *text, size_t length)
{
    char quoted[WRI_UTF8_QUOTED];
    say(w, "\"");
    for (const char *end = text + length; text < end && *text != '\0'; say(w, "%s", quoted))
        text += wri_utf8_quote(text, quoted);
    say(w, "\"");
}

static void say_value(words *w, wr_any_ any)
{
    switch (any.sort) {
    case WR_SIGNED_: say(w, "%" PRId64, any.as.i); break;
    case WR_UNSIGNED_:
    case WR_BOOL_: say(w, "%" PRIu64, any.as.u); break;
    case WR_REAL_:
        say(w, any.real == (long double)(double)any.real ? "%.17Lg" : "%.21Lg", any.real);
        break;
    case WR_STRING_:
        if (any.as.s == NULL)
            say(w, "NULL");
        else
            say_quoted(w, any.as.s, 200);
        break;
    default: say(w, "%p", any.as.p); break;
    }
    if (any.sort <= WR_UNSIGNED_ && any.as.u > 255 && !(any.sort == WR_SIGNED_ && any.as.i < 0))
        say(w, " (0x%" PRIx64 ")", any.as.u);
}

static const char *const RELATIONS[] = { "==", "!=", "<", "<=", ">", ">=" };

/* "x = 5"; nothing for a literal, which says so itself. */
static void say_side(words *w, int wide, const char *text, wr_any_ any)
{
    words value = { 0 };
    say_value(&value, any);
    if (strcmp(value.text, text) != 0)
        say(w, "\n  %*s = %s", -wide, text, value.text);
}

static void say_sides(words *w, const char *a_text, const char *b_text, wr_any_ a, wr_any_ b)
{
    int wide = (int)(strlen(a_text) > strlen(b_text) ? strlen(a_text) : strlen(b_text));
    wide = wide > 40 ? 40 : wide;
    say_side(w, wide, a_text, a);
    say_side(w, wide, b_text, b);
}

/* Both strings around the first difference, one above the other, and a mark under it. */
static void say_strings(words *w, const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] != '\0' && a[same] == b[same])
        same++;
    size_t start = same > 30 ? same - 30 : 0;
    while (start > 0 && ((unsigned char)a[start] & 0xc0) == 0x80)
        start--; /* not in the middle of a UTF-8 character */
    words before = { 0 };
    say_quoted(&before, a + start, same - start);
    size_t column = 0; /* characters, not bytes, stand before the difference */
    for (size_t i = 0; i + 1 < before.used; i++)
        column += ((unsigned char)before.text[i] & 0xc0) != 0x80;
    say(w, "\n  %s", start > 0 ? "..." : "");
    say_quoted(w, a + start, same - start + 40);
    say(w, "\n  %s", start > 0 ? "..." : "");
    say_quoted(w, b + start, same - start + 40);
    say(w, "\n  %*s^ first difference at byte %zu", (int)column + (start > 0 ? 3 : 0), "", same);
    say(w, " (lengths %zu and %zu)", strlen(a), strlen(b));
}

void wr_assert_str_eq_(wr_case *t, const char *file, int line, const char *a_text,
                       const char *b_text, const char *a, const char *b)
{
    if (a == b || (a != NULL && b != NULL && strcmp(a, b) == 0))
        return;
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s equals %s", a_text, b_text);
    if (a == NULL || b == NULL)
        say(&w, "\n  %s is NULL", a == NULL ? a_text : b_text);
    else
        say_strings(&w, a, b);
    fail(t, file, line, &w);
}

static bool strings_hold(wr_relation_ relation, const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return holds(relation, a == b ? 0 : 2);
    int order = strcmp(a, b);
    return holds(relation, order < 0 ? -1 : order > 0);
}

bool wri_check_any_holds(wr_relation_ relation, wr_any_ a, wr_any_ b)
{
    return a.sort == WR_STRING_ && b.sort == WR_STRING_ ? strings_hold(relation, a.as.s, b.as.s)
                                                        : holds(relation, order_of(a, b));
}

void wri_check_any_say(char *text, size_t room, const char *a_text, const char *b_text, wr_any_ a,
                       wr_any_ b)
{
    words  w = { 0 };
    size_t used = strlen(text);
    say_sides(&w, a_text, b_text, a, b);
    snprintf(text + used, room - used, "%s", w.text);
}

void wr_compare_(wr_case *t, const char *file, int line, const char *a_text, const char *b_text,
                 wr_relation_ relation, wr_any_ a, wr_any_ b)
{
    bool strings = a.sort == WR_STRING_ && b.sort == WR_STRING_;
    if (wri_check_any_holds(relation, a, b))
        return;
    if (strings && relation == WR_EQ_)
        wr_assert_str_eq_(t, file, line, a_text, b_text, a.as.s, b.as.s);
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s %s %s%s", a_text, RELATIONS[relation], b_text,
        strings ? " (as strings)" : "");
    say_sides(&w, a_text, b_text, a, b);
    fail(t, file, line, &w);
}

void wr_assert_near_(wr_case *t, const char *file, int line, const char *a_text,
                     const char *b_text, double a, double b, double tolerance)
{
    if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance)
        return;
    words w = begin(t, a_text, b_text);
    say(&w, "assertion failed: %s is within %g of %s", a_text, tolerance, b_text);
    say_sides(&w, a_text, b_text, wr_any_real_(a), wr_any_real_(b));
    say(&w, "\n  they differ by %.17g", fabs(a - b));
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
    say(&w, "assertion failed: %s and %s hold the same %zu bytes", a_text, b_text, bytes);
    say(&w, "\n  %zu differ, the first at offset %zu (- %s, + %s)", differing, same, a_text,
        b_text);
    say_memory(&w, x, y, bytes, same);
    fail(t, file, line, &w);
}
