/* kind: edge
 * The length of wrapped base64: without padding, a text that fills its last line exactly is given
 * room for one more line end.
 */
#include <warren.h>
#include <string.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

typedef struct style {
    size_t width; /* digits of a line; 0: one line */
    bool   pad, crlf, final_newline;
} style;

/* How many bytes encode() writes. */
static size_t encoded_length(size_t n, const style *s)
{
    size_t digits = s->pad ? (n + 2) / 3 * 4 : (n * 4 + 2) / 3;
    if (s->width == 0 || digits == 0)
        return digits + (s->final_newline && digits > 0 ? 1 + s->crlf : 0);
#ifndef FIXED
    size_t ends = s->pad ? (digits - 1) / s->width : digits / s->width;
#else
    size_t ends = (digits - 1) / s->width;
#endif
    if (s->final_newline)
        ends = (digits + s->width - 1) / s->width;
    return digits + ends * (1 + s->crlf);
}

typedef struct writer {
    char        *out;
    size_t       n, column;
    const style *style;
} writer;

static void newline(writer *w)
{
    if (w->style->crlf)
        w->out[w->n++] = '\r';
    w->out[w->n++] = '\n';
    w->column = 0;
}

static void put(writer *w, char digit)
{
    if (w->style->width != 0 && w->column == w->style->width)
        newline(w);
    w->out[w->n++] = digit;
    w->column++;
}

static size_t encode(const uint8_t *bytes, size_t n, const style *s, char *out)
{
    writer w = { .out = out, .style = s };
    for (size_t i = 0; i < n; i += 3) {
        size_t   left = n - i;
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (left > 1)
            three |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2)
            three |= bytes[i + 2];
        put(&w, DIGITS[three >> 18]);
        put(&w, DIGITS[three >> 12 & 63]);
        if (left > 1 || s->pad)
            put(&w, left > 1 ? DIGITS[three >> 6 & 63] : '=');
        if (left > 2 || s->pad)
            put(&w, left > 2 ? DIGITS[three & 63] : '=');
    }
    if (s->final_newline && w.n > 0)
        newline(&w);
    return w.n;
}

WR_PROPERTY(base64_wrap)
{
    static const size_t WIDTHS[] = { 0, 60, 64, 72, 76, 100 };
    size_t              n = wr_size(t, "n", 0, 250);
    uint8_t            *bytes = wr_bytes(t, "bytes", n);
    style               s;
    s.width = WIDTHS[wr_pick(t, "width", 6)];
    s.pad = wr_bool(t, "pad");
    s.crlf = wr_bool(t, "crlf");
    s.final_newline = wr_bool(t, "final_newline");

    char  *out = wr_alloc(t, 1000);
    size_t written = encode(bytes, n, &s, out);
    wr_assert_eq(t, encoded_length(n, &s), written);
    for (size_t i = 0; i < written; i++)
        wr_assert(t, strchr(DIGITS, out[i]) != NULL || strchr("=\r\n", out[i]) != NULL);
}

#ifdef WITNESS
WR_EXAMPLE(base64_wrap, "n = 45", "width = 1");
#endif
