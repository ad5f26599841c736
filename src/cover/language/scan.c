/* cover/language/scan.c: splits a text into lines, spans and tokens. */
#include "cover/language/scan.h"

#include <stdio.h>
#include <string.h>

#include "core/spelling.h"

/* ---- What stands at a place --------------------------------------------------------------- */

#define MOST_SHOWN 30

/* Prints a text in quotes, on one line and not too long. */
static void print_found(wrc_span text, char found[MOST_SHOWN + 8])
{
    size_t shown = 0;
    found[shown++] = '\'';
    for (size_t i = 0; i < text.length && shown < MOST_SHOWN; i++)
        found[shown++] = (unsigned char)text.at[i] < ' ' || text.at[i] == 127 ? '?' : text.at[i];
    strcpy(found + shown, text.length > MOST_SHOWN - 1 ? "...'" : "'");
}

bool wrc_scan_expected_not(wrc_complaint *complaint, wrc_place at, const char *what,
                           wrc_span found)
{
    char text[MOST_SHOWN + 8];
    print_found(found, text);
    return wrc_source_complain(complaint, at, "expected %s, found %s", what, text);
}

bool wrc_scan_expected(wrc_complaint *complaint, wrc_place at, const char *what)
{
    wrc_token token = wrc_token_at(at.source, at.at, false);
    at.at = token.at;
    if (token.kind != WRC_TOKEN_END)
        return wrc_scan_expected_not(complaint, at, what,
                                     (wrc_span){ at.at, (size_t)(token.next - at.at) });
    return wrc_source_complain(complaint, at, "expected %s, found the end of the %s", what,
                               at.at >= at.source->end ? "file" : "line");
}

/* ---- What was meant ----------------------------------------------------------------------- */

typedef struct meant {
    char        given[WRI_SPELLING_MOST];
    const char *name;
    size_t      far;
} meant;

static meant unknown(wrc_span given)
{
    meant  made = { .name = NULL };
    size_t most = sizeof made.given - 1;
    if (given.length > 0)
        memcpy(made.given, given.at, given.length < most ? given.length : most);
    made.far = wri_spelling_far(made.given);
    return made;
}

static void consider(meant *what, const char *name)
{
    if (wri_spelling_nearer(what->given, name, &what->far))
        what->name = name;
}

static bool suggest(wrc_complaint *complaint, const meant *what)
{
    size_t used = strlen(complaint->text);
    if (what->name != NULL)
        snprintf(complaint->text + used, sizeof complaint->text - used, " (did you mean %s?)",
                 what->name);
    return false;
}

bool wrc_scan_suggest(wrc_complaint *complaint, wrc_span given, const char *const *words)
{
    meant what = unknown(given);
    for (; *words != NULL; words++)
        consider(&what, *words);
    return suggest(complaint, &what);
}

bool wrc_scan_suggest_parameter(wrc_complaint *complaint, wrc_span given, const wrc_model *model)
{
    meant what = unknown(given);
    for (uint32_t i = 0; i < model->parameter_count; i++)
        consider(&what, model->parameters[i].name);
    return suggest(complaint, &what);
}

bool wrc_scan_suggest_value(wrc_complaint *complaint, wrc_span given,
                            const wrc_parameter *parameter)
{
    meant what = unknown(given);
    for (uint32_t i = 0; parameter->values != NULL && i < parameter->levels; i++)
        consider(&what, parameter->values[i].text);
    return suggest(complaint, &what);
}

/* ---- Lines ------------------------------------------------------------------------------ */

void wrc_lines_open(wrc_lines *lines, const wrc_source *source)
{
    *lines = (wrc_lines){ source, source->text, { source->text, 0 }, 0 };
}

bool wrc_lines_next(wrc_lines *lines)
{
    const char *end = lines->source->end;
    if (lines->next >= end)
        return false;
    const char *newline = memchr(lines->next, '\n', (size_t)(end - lines->next));
    lines->line = (wrc_span){ lines->next, (size_t)((newline ? newline : end) - lines->next) };
    lines->next = newline ? newline + 1 : end;
    lines->number++;
    if (lines->line.length > 0 && lines->line.at[lines->line.length - 1] == '\r')
        lines->line.length--;
    return true;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

wrc_span wrc_scan_trim(wrc_span span)
{
    while (span.length > 0 && blank(span.at[0])) {
        span.at++;
        span.length--;
    }
    while (span.length > 0 && blank(span.at[span.length - 1]))
        span.length--;
    return span;
}

wrc_span wrc_scan_split(wrc_span *rest, char c)
{
    const char *found = rest->length > 0 ? memchr(rest->at, c, rest->length) : NULL;
    wrc_span    first = { rest->at, found ? (size_t)(found - rest->at) : rest->length };
    if (found) {
        rest->length -= first.length + 1;
        rest->at = found + 1;
    } else {
        *rest = (wrc_span){ NULL, 0 };
    }
    return wrc_scan_trim(first);
}

bool wrc_span_is(wrc_span span, const char *text, bool fold_case)
{
    return wrc_model_same_text(span.at, span.length, text, strlen(text), fold_case);
}

/* ---- Tokens ----------------------------------------------------------------------------- */

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_name(char c)
{
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* A point belongs to a name or a decimal, but two of them are a range's. */
static const char *name_end(const char *at, const char *end)
{
    while (at < end && (in_name(*at) || (*at == '.' && at + 1 < end && in_name(at[1]))))
        at++;
    return at;
}

static size_t symbol_length(const char *at, const char *end)
{
    static const char *const SYMBOLS[] = { "&&", "||", "=>", "->", "==",
                                           "!=", "<>", "<=", ">=", ".." };
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++)
        if (end - at >= 2 && memcmp(at, SYMBOLS[i], 2) == 0)
            return 2;
    return 1;
}

/* Up to the closing quote; without one on the line, it is a symbol alone. */
static wrc_token quoted_token(const char *at, const char *end)
{
    const char *c = at + 1;
    while (c < end && *c != '"' && *c != '\n')
        c++;
    if (c >= end || *c != '"')
        return (wrc_token){ WRC_TOKEN_SYMBOL, { at, 1 }, at, at + 1 };
    return (wrc_token){ WRC_TOKEN_TEXT, { at + 1, (size_t)(c - at) - 1 }, at, c + 1 };
}

wrc_token wrc_token_at(const wrc_source *source, const char *at, bool across)
{
    const char *end = source->end;
    while (at < end && (blank(*at) || (across && *at == '\n')))
        at++;
    if (at >= end || *at == '\n')
        return (wrc_token){ WRC_TOKEN_END, { at, 0 }, at, at };
    if (*at == '"')
        return quoted_token(at, end);
    if (in_name(*at)) {
        const char    *next = name_end(at, end);
        wrc_token_kind kind = digit(*at) ? WRC_TOKEN_NUMBER : WRC_TOKEN_NAME;
        for (const char *c = at; kind == WRC_TOKEN_NUMBER && c < next; c++)
            if (!digit(*c) && *c != '.')
                kind = WRC_TOKEN_NAME; /* such as 2nd */
        return (wrc_token){ kind, { at, (size_t)(next - at) }, at, next };
    }
    size_t length = symbol_length(at, end);
    return (wrc_token){ WRC_TOKEN_SYMBOL, { at, length }, at, at + length };
}

bool wrc_token_is(const wrc_token *token, const char *symbol)
{
    return (token->kind == WRC_TOKEN_SYMBOL || token->kind == WRC_TOKEN_NAME) &&
           wrc_span_is(token->span, symbol, true);
}
