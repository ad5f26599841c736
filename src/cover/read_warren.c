/* cover/read_warren.c: Warren's own language for models.
 *
 *     model disk
 *     parameter type:    single, span, mirror
 *     parameter size:    0..1000
 *     parameter cluster: 512..65536/512 invalid 0
 *     parameter quick:   true, false
 *     cover 2 of all
 *     cover full of type, quick
 *     require type = mirror => size % 2 = 0
 *     keep type = span, size = 100
 *
 * A line says one thing and begins with the word for it; parameters come before what names them;
 * # starts a comment. Formulas are those of cover/parse.h.
 */
#include "cover/parse.h"
#include "cover/read.h"

#include <stdlib.h>
#include <string.h>

typedef struct warren {
    wri_draft        *draft;
    const wri_source *source;
    wri_lines         lines;
    wri_token         token;
} warren;

static void advance(warren *w)
{
    w->token = wri_token_at(w->source, w->token.next, false);
}

static bool take(warren *w, const char *symbol)
{
    if (!wri_token_is(&w->token, symbol))
        return false;
    advance(w);
    return true;
}

static wri_place place(const warren *w)
{
    return (wri_place){ w->source, w->token.at };
}

static bool expected(const warren *w, const char *what)
{
    return wri_expected(w->draft->complaint, place(w), what);
}

static bool at_end(const warren *w)
{
    return w->token.kind == WRI_TOKEN_END || wri_token_is(&w->token, "#");
}

static bool need_end(const warren *w, const char *what)
{
    return at_end(w) || expected(w, what);
}

/* ---- model, parameter -------------------------------------------------------------------- */

static bool read_model(warren *w)
{
    if (w->token.kind != WRI_TOKEN_NAME && w->token.kind != WRI_TOKEN_TEXT)
        return expected(w, "the model's name");
    w->draft->model.name =
        wri_memory_text(w->draft->memory, w->token.span.at, w->token.span.length);
    if (!w->draft->model.name)
        return wri_out_of_memory(w->draft);
    advance(w);
    return need_end(w, "the end of the line");
}

/* A number with its sign; *span is how it was written. */
static bool read_number(warren *w, int64_t *number, wri_span *span)
{
    const char *start = w->token.at;
    if (wri_token_is(&w->token, "-"))
        advance(w);
    *span = (wri_span){ start, (size_t)(w->token.next - start) };
    if (w->token.kind != WRI_TOKEN_NUMBER || !wri_whole_number(span->at, span->length, number))
        return expected(w, "a whole number below 2^63");
    advance(w);
    return true;
}

static bool read_range(warren *w, wri_place at, int64_t first, bool invalid)
{
    int64_t  last, step = 1;
    wri_span span;
    advance(w);
    if (!read_number(w, &last, &span) || (take(w, "/") && !read_number(w, &step, &span)))
        return false;
    return wri_draft_range(w->draft, at, first, last, step, invalid);
}

static bool is_decimal(const warren *w)
{
    int64_t number;
    return w->token.kind == WRI_TOKEN_NUMBER &&
           !wri_whole_number(w->token.span.at, w->token.span.length, &number);
}

static bool read_value(warren *w, bool invalid)
{
    wri_place at = place(w);
    wri_span  span = w->token.span;
    int64_t   number;
    bool      word = w->token.kind == WRI_TOKEN_NAME || w->token.kind == WRI_TOKEN_TEXT;
    if (word || is_decimal(w)) {
        advance(w);
    } else if (w->token.kind == WRI_TOKEN_NUMBER || wri_token_is(&w->token, "-")) {
        if (!read_number(w, &number, &span))
            return false;
        if (wri_token_is(&w->token, ".."))
            return read_range(w, at, number, invalid);
    } else {
        return expected(w, "a value");
    }
    return wri_draft_value(w->draft, at, span.at, span.length, invalid, 1);
}

static bool read_values(warren *w, bool invalid)
{
    do
        if (!read_value(w, invalid))
            return false;
    while (take(w, ","));
    return true;
}

static bool read_parameter(warren *w)
{
    wri_span name = w->token.span;
    if (w->draft->settled)
        return expected(w, "no more parameters after cover, require or keep");
    if (w->token.kind != WRI_TOKEN_NAME)
        return expected(w, "a parameter's name");
    if (!wri_draft_parameter(w->draft, place(w), name.at, name.length, WRI_TYPE_GUESSED))
        return false;
    advance(w);
    if (!take(w, ":"))
        return expected(w, "':'");
    return read_values(w, false) && (!take(w, "invalid") || read_values(w, true)) &&
           need_end(w, "',', 'invalid' or the end of the line");
}

/* ---- cover -------------------------------------------------------------------------------- */

static bool read_strength(warren *w, uint32_t *strength)
{
    int64_t  number = 0;
    wri_span span;
    if (take(w, "full")) {
        *strength = 0;
        return true;
    }
    wri_place at = place(w);
    if (w->token.kind != WRI_TOKEN_NUMBER || !read_number(w, &number, &span))
        return expected(w, "a strength or 'full'");
    *strength = (uint32_t)number;
    return (number >= 1 && number < UINT32_MAX) ||
           wri_expected(w->draft->complaint, at, "a strength, 1 or more");
}

static bool add_all(warren *w, wri_list *group)
{
    for (uint32_t p = 0; p < w->draft->model.parameter_count; p++)
        if (!wri_list_add(group, &p, sizeof p))
            return wri_out_of_memory(w->draft);
    return true;
}

static bool read_group(warren *w, wri_list *group)
{
    do {
        uint32_t parameter =
            wri_model_find(&w->draft->model, w->token.span.at, w->token.span.length);
        if (w->token.kind != WRI_TOKEN_NAME || parameter == WRI_ANY)
            return expected(w, group->count == 0 ? "a parameter's name or 'all'"
                                                 : "a parameter's name");
        if (!wri_list_add(group, &parameter, sizeof parameter))
            return wri_out_of_memory(w->draft);
        advance(w);
    } while (take(w, ","));
    return true;
}

static bool read_cover(warren *w)
{
    uint32_t  strength = 0;
    wri_list  group = { 0 };
    wri_place at = place(w);
    if (!read_strength(w, &strength))
        return false;
    if (!take(w, "of"))
        return expected(w, "'of'");
    bool all =
        wri_token_is(&w->token, "all") && wri_model_find(&w->draft->model, "all", 3) == WRI_ANY;
    bool fine = all ? add_all(w, &group) : read_group(w, &group);
    if (fine && all)
        advance(w);
    fine = fine && need_end(w, "',' or the end of the line") &&
           wri_draft_relation(w->draft, at, NULL, strength, group.items, (uint32_t)group.count);
    free(group.items);
    return fine;
}

/* ---- require ------------------------------------------------------------------------------ */

static bool read_require(warren *w)
{
    const char *start = w->token.at, *at = start;
    wri_formula holds = wri_parse_formula(w->draft, w->source, &at);
    if (!holds)
        return false;
    w->token = wri_token_at(w->source, at, false);
    if (!need_end(w, "an operator or the end of the line"))
        return false;
    wri_span text = wri_trim((wri_span){ start, (size_t)(at - start) });
    bool     fine = wri_draft_constraint(w->draft, holds, text.at, text.length, w->lines.number);
    while (w->lines.next < at &&
           wri_lines_next(&w->lines)) /* lines that brackets held together */
        continue;
    return fine;
}

/* ---- keep --------------------------------------------------------------------------------- */

static bool read_cell(warren *w, uint32_t *row)
{
    uint32_t parameter = wri_model_find(&w->draft->model, w->token.span.at, w->token.span.length);
    char     what[96] = "a value of ";
    if (w->token.kind != WRI_TOKEN_NAME || parameter == WRI_ANY)
        return expected(w, "a parameter's name");
    advance(w);
    if (!take(w, "="))
        return expected(w, "'='");
    const char *start = w->token.kind == WRI_TOKEN_TEXT ? w->token.span.at : w->token.at;
    wri_place   at = place(w);
    if (wri_token_is(&w->token, "-"))
        advance(w);
    size_t length = (size_t)(w->token.span.at + w->token.span.length - start);
    row[parameter] = wri_level_of(&w->draft->model, parameter, start, length);
    if (row[parameter] == WRI_ANY)
        return wri_expected(w->draft->complaint, at,
                            strncat(what, w->draft->model.parameters[parameter].name, 60));
    advance(w);
    return true;
}

static bool read_keep(warren *w)
{
    bool      fine;
    uint32_t *row = malloc(w->draft->model.parameter_count * sizeof *row);
    if (!row)
        return wri_out_of_memory(w->draft);
    for (uint32_t p = 0; p < w->draft->model.parameter_count; p++)
        row[p] = WRI_ANY;
    do
        fine = read_cell(w, row);
    while (fine && take(w, ","));
    fine = fine && need_end(w, "',' or the end of the line") && wri_draft_row(w->draft, row);
    free(row);
    return fine;
}

/* ---- Lines -------------------------------------------------------------------------------- */

static bool read_line(warren *w)
{
    static const struct {
        const char *word;
        bool (*read)(warren *);
        bool uses; /* names parameters, so that they must all be known */
    } STATEMENTS[] = { { "model", read_model, false },
                       { "parameter", read_parameter, false },
                       { "cover", read_cover, true },
                       { "require", read_require, true },
                       { "keep", read_keep, true } };
    w->token = wri_token_at(w->source, w->lines.line.at, false);
    if (at_end(w))
        return true;
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS; i++)
        if (wri_span_is(w->token.span, STATEMENTS[i].word, false)) {
            if (STATEMENTS[i].uses && !w->draft->settled && !wri_draft_settle(w->draft))
                return false;
            advance(w);
            return STATEMENTS[i].read(w);
        }
    return expected(w, "model, parameter, cover, require or keep");
}

bool wri_read_warren(wri_draft *draft, const wri_source *source)
{
    warren w = { .draft = draft, .source = source };
    bool   fine = true;
    wri_lines_open(&w.lines, source);
    while (fine && wri_lines_next(&w.lines))
        fine = read_line(&w);
    return fine && (draft->settled || wri_draft_settle(draft));
}
