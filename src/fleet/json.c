/* fleet/json.c: reading JSON that another process wrote. The text is scanned anew by each call;
 * nothing is built from it. */
#include "fleet/json.h"

#include <stdlib.h>
#include <string.h>

/* Deeper texts are refused: nothing that is read here needs it. */
#define DEEPEST 64

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* ---- Is it JSON? ---- */

/* Each returns the first byte behind what it looks for; NULL: that is not there. */
static const char *pass_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL)
            return NULL;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
    }
    return at + 1;
}

static const char *pass_digits(const char *at)
{
    size_t count = strspn(at, "0123456789");
    return count == 0 ? NULL : at + count;
}

static const char *pass_number(const char *at)
{
    at = pass_digits(*at == '-' ? at + 1 : at);
    if (at != NULL && *at == '.')
        at = pass_digits(at + 1);
    if (at != NULL && (*at == 'e' || *at == 'E'))
        at = pass_digits(at[1] == '+' || at[1] == '-' ? at + 2 : at + 1);
    return at;
}

static const char *pass_word(const char *at)
{
    static const char *const WORDS[] = { "true", "false", "null" };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strncmp(at, WORDS[i], strlen(WORDS[i])) == 0)
            return at + strlen(WORDS[i]);
    return NULL;
}

static const char *pass_value(const char *at, unsigned depth);

/* The elements of a list, or the members of an object, whose first bracket is at this place. */
static const char *pass_list(const char *at, unsigned depth)
{
    bool object = *at == '{';
    char close = object ? '}' : ']';
    at = skip_blanks(at + 1);
    if (*at == close)
        return at + 1;
    for (;; at = skip_blanks(at + 1)) {
        at = object ? pass_string(at) : at;
        at = object && at != NULL ? skip_blanks(at) : at;
        if (at == NULL || (object && *at++ != ':'))
            return NULL;
        at = pass_value(skip_blanks(at), depth - 1);
        at = at == NULL ? NULL : skip_blanks(at);
        if (at == NULL || *at != ',')
            return at != NULL && *at == close ? at + 1 : NULL;
    }
}

static const char *pass_value(const char *at, unsigned depth)
{
    if (depth == 0)
        return NULL;
    if (*at == '{' || *at == '[')
        return pass_list(at, depth);
    return *at == '"'                                 ? pass_string(at)
           : *at == '-' || (*at >= '0' && *at <= '9') ? pass_number(at)
                                                      : pass_word(at);
}

bool wri_json_is_object(const char *text)
{
    text = skip_blanks(text);
    text = *text == '{' ? pass_value(text, DEEPEST) : NULL;
    return text != NULL && *skip_blanks(text) == '\0';
}

/* ---- Looking things up ---- */

const char *wri_json_end(const char *value)
{
    return pass_value(value, DEEPEST + 1);
}

const char *wri_json_value(const char *name)
{
    return skip_blanks(skip_blanks(pass_string(name)) + 1);
}

const char *wri_json_next(const char *list, const char *at)
{
    list = list == NULL ? NULL : skip_blanks(list);
    if (list == NULL || (*list != '{' && *list != '['))
        return NULL;
    if (at != NULL)
        at = wri_json_end(*list == '{' ? wri_json_value(at) : at);
    at = skip_blanks(at == NULL ? list + 1 : at);
    at = *at == ',' ? skip_blanks(at + 1) : at;
    return *at == '}' || *at == ']' ? NULL : at;
}

const char *wri_json_member(const char *object, const char *name)
{
    object = object == NULL ? NULL : skip_blanks(object);
    if (object == NULL || *object != '{')
        return NULL;
    for (const char *at = NULL; (at = wri_json_next(object, at)) != NULL;)
        if (strncmp(at + 1, name, strlen(name)) == 0 && at[1 + strlen(name)] == '"')
            return wri_json_value(at);
    return NULL;
}

/* ---- Values ---- */

static unsigned hexadecimal(const char *at)
{
    char digits[5];
    memcpy(digits, at, 4);
    digits[4] = '\0';
    return (unsigned)strtoul(digits, NULL, 16);
}

/* The character of "\uXXXX", or of two that make one; *at goes to its last digit. */
static unsigned escaped(const char **at)
{
    unsigned first = hexadecimal(*at + 1);
    *at += 4;
    if (first >= 0xD800 && first < 0xDC00 && (*at)[1] == '\\' && (*at)[2] == 'u') {
        unsigned second = hexadecimal(*at + 3);
        if (second >= 0xDC00 && second < 0xE000) {
            *at += 6;
            return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        }
    }
    return first == 0 || (first >= 0xD800 && first < 0xE000) ? 0xFFFD : first;
}

static char *put_character(char *to, unsigned character)
{
    if (character < 0x80) {
        *to++ = (char)character;
    } else if (character < 0x800) {
        *to++ = (char)(0xC0 | character >> 6);
    } else if (character < 0x10000) {
        *to++ = (char)(0xE0 | character >> 12);
        *to++ = (char)(0x80 | (character >> 6 & 0x3F));
    } else {
        *to++ = (char)(0xF0 | character >> 18);
        *to++ = (char)(0x80 | (character >> 12 & 0x3F));
        *to++ = (char)(0x80 | (character >> 6 & 0x3F));
    }
    if (character >= 0x80)
        *to++ = (char)(0x80 | (character & 0x3F));
    return to;
}

char *wri_json_text(const char *value)
{
    static const char LETTERS[] = "bfnrt", MEANT[] = "\b\f\n\r\t";
    if (value == NULL || *value != '"')
        return NULL;
    /* A text is never longer than its spelling. */
    char *text = malloc((size_t)(pass_string(value) - value)), *to = text;
    if (text == NULL)
        return NULL;
    for (const char *at = value + 1; *at != '"'; at++) {
        const char *letter = *at == '\\' ? strchr(LETTERS, at[1]) : NULL;
        if (*at != '\\')
            *to++ = *at;
        else if (*++at == 'u')
            to = put_character(to, escaped(&at));
        else
            *to++ = letter != NULL ? MEANT[letter - LETTERS] : *at;
    }
    *to = '\0';
    return text;
}

uint64_t wri_json_number(const char *value)
{
    if (value == NULL || *value < '0' || *value > '9')
        return 0;
    return strtoull(value, NULL, 10);
}

bool wri_json_true(const char *value)
{
    return value != NULL && strncmp(value, "true", 4) == 0;
}
