/* report/escape.c: any bytes as JSON, as XML, and as text for a terminal. One decoder finds the
 * characters; each format then decides how it writes one. */
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

bool wri_escape_unsafe(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x61c ||
           (character >= 0x200e && character <= 0x200f) ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069) || character == WRI_NOT_UTF8;
}

/* Valid in JSON as it is, but not in YAML, or not kind to a reader. */
static bool json_wants_number(uint32_t character)
{
    return wri_escape_unsafe(character) || character == 0x2028 || character == 0x2029 ||
           character == 0xfeff || character == 0xfffe || character == 0xffff;
}

static void put_json_character(FILE *out, const char *text, size_t bytes, uint32_t character)
{
    static const char PLAIN[] = "\"\\\n\t\r\b\f", NAMED[] = "\"\\ntrbf";
    const char       *named = character < 0x80 ? strchr(PLAIN, (int)character) : NULL;
    if (character == WRI_NOT_UTF8)
        fputs(REPLACEMENT, out);
    else if (named)
        fprintf(out, "\\%c", NAMED[named - PLAIN]);
    else if (json_wants_number(character))
        fprintf(out, "\\u%04x", (unsigned)character);
    else
        fwrite(text, 1, bytes, out);
}

void wri_escape_json(FILE *out, const char *text)
{
    putc('"', out);
    for (size_t bytes; text && *text; text += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        put_json_character(out, text, bytes, character);
    }
    putc('"', out);
}

static bool xml_forbids(uint32_t character)
{
    bool control =
        character < 0x20 && character != '\t' && character != '\n' && character != '\r';
    return control || character == 0xfffe || character == 0xffff || character == WRI_NOT_UTF8;
}

/* The name or number that stands for a character; NULL: it stands for itself. White space in
 * an attribute, and a carriage return anywhere, would else be read back as something else. */
static const char *xml_entity(uint32_t character, bool attribute)
{
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\r': return "&#13;";
    case '\n': return attribute ? "&#10;" : NULL;
    case '\t': return attribute ? "&#9;" : NULL;
    default: return xml_forbids(character) ? REPLACEMENT : NULL;
    }
}

void wri_escape_xml(FILE *out, const char *text, bool attribute)
{
    for (size_t bytes; text && *text; text += bytes) {
        uint32_t    character;
        const char *entity;
        bytes = wri_utf8_next(text, &character);
        entity = xml_entity(character, attribute);
        if (entity)
            fputs(entity, out);
        else
            fwrite(text, 1, bytes, out);
    }
}

static void put_plain(FILE *out, const char *text, const char *end, int indent)
{
    for (size_t bytes; text < end; text += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        if (character == '\n')
            fprintf(out, "\n%*s", text[1] == '\n' ? 0 : indent, "");
        else if (character == '\t' || !wri_escape_unsafe(character))
            fwrite(text, 1, bytes, out);
        else if (character < 0x80 || character == WRI_NOT_UTF8)
            fprintf(out, "\\x%02x", (unsigned char)*text);
        else
            fprintf(out, "\\u%04x", (unsigned)character);
    }
}

void wri_escape_plain(FILE *out, const char *text, int indent)
{
    size_t length = text ? strlen(text) : 0;
    while (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0)
        put_plain(out, text, text + length, indent);
}

/* With a backslash doubled what is put can be read back, so two labels are never put alike. */
void wri_escape_label(FILE *out, const char *text)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n\\");
        put_plain(out, text, text + length, 0);
        text += length;
        if (*text)
            fputs(*text++ == '\n' ? "\\n" : "\\\\", out);
    }
}

void wri_escape_line(FILE *out, const char *text)
{
    if (text)
        put_plain(out, text, text + strcspn(text, "\n"), 0);
}

void wri_escape_decimal(FILE *out, double number, unsigned digits)
{
    uint64_t power = 1, whole;
    for (unsigned i = 0; i < digits; i++)
        power *= 10;
    number = number > 0 ? number : 0; /* NaN is not */
    number = number < 1e12 ? number : 1e12;
    whole = (uint64_t)(number * (double)power + 0.5);
    fprintf(out, "%" PRIu64, whole / power);
    if (digits > 0)
        fprintf(out, ".%0*" PRIu64, (int)digits, whole % power);
}

void wri_escape_real(FILE *out, double number)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, sizeof text, "%.17g", number);
    for (char *at = text; *at != '\0'; at++)
        putc(*at == ',' ? '.' : *at, out);
}
