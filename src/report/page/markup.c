/* report/page/markup.c: formats of our own, in which every text is escaped. */
#include "report/page/markup.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "report/escape.h"

double wri_markup_share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : part >= whole ? 1 : (double)part / (double)whole;
}

/* Valid in HTML as it is, but a reader would not see it, or XML forbids it. */
static bool is_hidden(uint32_t character)
{
    return (wri_escape_unsafe(character) && character != '\n' && character != '\t') ||
           character == 0x200b || character == 0x2028 || character == 0x2029 ||
           character == 0xfeff || (character & 0xfffe) == 0xfffe ||
           (character >= 0xe0000 && character <= 0xe007f);
}

static const char *entity(uint32_t character)
{
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n': return "&#10;"; /* an attribute keeps it only so */
    case '\t': return "&#9;";
    default: return NULL;
    }
}

static void put_character(FILE *out, const char *text, size_t bytes, uint32_t character)
{
    const char *named = entity(character);
    if (named != NULL)
        fputs(named, out);
    else if (character == WRI_NOT_UTF8 || (is_hidden(character) && character < 0x80))
        fprintf(out, "\\x%02x", (unsigned char)*text);
    else if (is_hidden(character))
        fprintf(out, "\\u%04x", (unsigned)character);
    else
        fwrite(text, 1, bytes, out);
}

/* As many bytes as `most`, and the rest of the character there. Returns what is left. */
static const char *put_text(FILE *out, const char *text, size_t most)
{
    const char *start = text;
    for (size_t bytes; *text != '\0' && (size_t)(text - start) < most; text += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        put_character(out, text, bytes, character);
    }
    return text;
}

static void put_cut(FILE *out, const char *text)
{
    const char *rest = put_text(out, text, WRI_MARKUP_MOST);
    if (*rest != '\0')
        wri_markup_put(out, " … and %u more bytes", (uint64_t)strlen(rest));
}

static void put_grouped(FILE *out, uint64_t number)
{
    char   digits[24];
    size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (size_t i = 0; i < count; i++) {
        putc(digits[i], out);
        if ((count - i) % 3 == 1 && i + 1 < count)
            putc(',', out);
    }
}

/* "47.4 %", "0.02 %", "100 %": what is below all is not told as all. */
static void put_share(FILE *out, double share)
{
    double percent = share > 0 ? share * 100 : 0;
    if (percent >= 99.95 && percent < 100)
        percent = 99.9;
    unsigned digits = percent == 0 || percent >= 100 ? 0 : percent >= 1 ? 1 : 2;
    if (percent > 0 && percent < 0.005)
        fputs("&lt;0.01", out);
    else
        wri_escape_decimal(out, percent, digits);
    fputs(" %", out);
}

static void put_signed(FILE *out, double number)
{
    if (number < 0)
        putc('-', out);
    wri_escape_decimal(out, number < 0 ? -number : number, 2);
}

static void put_number(FILE *out, char how, uint64_t number)
{
    if (how == 'u')
        put_grouped(out, number);
    else
        fprintf(out, how == 'k' ? "%016" PRIx64 : "%" PRIu64, number);
}

static void put_real(FILE *out, char how, double number)
{
    switch (how) {
    case 'p': put_share(out, number); break;
    case 'd': put_signed(out, number); break;
    case 'r': wri_escape_real(out, number); break;
    default: wri_escape_decimal(out, number, number >= 10 ? 1 : 2); fputs(" s", out);
    }
}

static void put_words(FILE *out, char how, const char *text)
{
    text = text == NULL ? "" : text;
    if (how == 'c')
        put_cut(out, text);
    else
        put_text(out, text, how == 'l' ? strcspn(text, "\n") : SIZE_MAX);
}

void wri_markup_put(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            putc(*at, out);
            continue;
        }
        switch (*++at) {
        case 't':
        case 'l':
        case 'c': put_words(out, *at, va_arg(arguments, const char *)); break;
        case 'u':
        case 'i':
        case 'k': put_number(out, *at, va_arg(arguments, uint64_t)); break;
        case 'p':
        case 'd':
        case 'r':
        case 's': put_real(out, *at, va_arg(arguments, double)); break;
        default: putc(*at, out);
        }
    }
    va_end(arguments);
}
