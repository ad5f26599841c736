/* cover/language/read_warren.c: Warren's own language for models.
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
 * # starts a comment. Formulas are those of cover/language/formula_parse.h.
 */
#include "cover/language/formula_parse.h"
#include "cover/language/readers.h"

#include <stdlib.h>
#include <string.h>

typedef struct warren {
    wrc_draft        *draft;
    const wrc_source *source;
    wrc_lines         lines;
    wrc_token         token;
} warren;

static void advance(warren *w)
{
    w->token = wrc_token_at(w->source, w->token.next, false);
}

static bool take(warren *w, const char *symbol)
{
    if (!wrc_token_is(&w->token, symbol))
        return false;
    advance(w);
    return true;
}

static wrc_place place(const warren *w)
{
    return (wrc_place){ w->source, w->token.at };
}

static bool expected(const warren *w, const char *what)
{
    return wrc_scan_expected(w->draft->complaint, place(w), what);
}

static bool expected_parameter(const warren *w, const char *what)
{
    expected(w, what);
    return wrc_scan_suggest_parameter(w->draft->complaint, w->token.span, &w->draft->model);
}

static bool at_end(const warren *w)
{
    return w->token.kind == WRC_TOKEN_END || wrc_token_is(&w->token, "#");
}

static bool need_end(const warren *w, const char *what)
{
    return at_end(w) || expected(w, what);
}

/* ---- model, parameter -------------------------------------------------------------------- */

static bool read_model(warren *w)
{
    if (w->token.kind != WRC_TOKEN_NAME && w->token.kind != WRC_TOKEN_TEXT)
        return expected(w, "the model's name");
    w->draft->model.name =
        wrc_memory_text(w->draft->memory, w->token.span.at, w->token.span.length);
    if (!w->draft->model.name)
        return wrc_draft_out_of_memory(w->draft);
    advance(w);
    return need_end(w, "the end of the line");
}

/* A number with its sign; *span is how it was written. */
static bool read_number(warren *w, int64_t *number, wrc_span *span)
{
    const char *start = w->token.at;
    if (wrc_token_is(&w->token, "-"))
        advance(w);
    *span = (wrc_span){ start, (size_t)(w->token.next - start) };
    if (w->token.kind != WRC_TOKEN_NUMBER ||
        !wrc_model_whole_number(span->at, span->length, number))
        return expected(w, "a whole number below 2^63");
    advance(w);
    return true;
}

static bool read_range(warren *w, wrc_place at, int64_t first, bool invalid)
{
    int64_t  last, step = 1;
    wrc_span span;
    advance(w);
    if (!read_number(w, &last, &span) || (take(w, "/") && !read_number(w, &step, &span)))
        return false;
    return wrc_draft_range(w->draft, at, first, last, step, invalid);
}

static bool is_decimal(const warren *w)
{
    int64_t number;
    return w->token.kind == WRC_TOKEN_NUMBER &&
           !wrc_model_whole_number(w->token.span.at, w->token.span.length, &number);
}

static bool read_value(warren *w, bool invalid)
{
    wrc_place at = place(w);
    wrc_span  span = w->token.span;
    int64_t   number;
    bool      word = w->token.kind == WRC_TOKEN_NAME || w->token.kind == WRC_TOKEN_TEXT;
    if (word || is_decimal(w)) {
        advance(w);
    } else if (w->token.kind == WRC_TOKEN_NUMBER || wrc_token_is(&w->token, "-")) {
        if (!read_number(w, &number, &span))
            return false;
        if (wrc_token_is(&w->token, ".."))
            return read_range(w, at, number, invalid);
    } else {
        return expected(w, "a value");
    }
    return wrc_draft_value(w->draft, at, span.at, span.length, invalid, 1);
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
    wrc_span name = w->token.span;
    if (w->draft->settled)
        return expected(w, "no more parameters after cover, require or keep");
    if (w->token.kind != WRC_TOKEN_NAME)
        return expected(w, "a parameter's name");
    if (!wrc_draft_parameter(w->draft, place(w), name.at, name.length, WRC_TYPE_GUESSED))
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
    wrc_span span;
    if (take(w, "full")) {
        *strength = 0;
        return true;
    }
    wrc_place at = place(w);
    if (w->token.kind != WRC_TOKEN_NUMBER || !read_number(w, &number, &span))
        return expected(w, "a strength or 'full'");
    *strength = (uint32_t)number;
    return (number >= 1 && number < UINT32_MAX) ||
           wrc_scan_expected(w->draft->complaint, at, "a strength, 1 or more");
}

static bool add_all(warren *w, wrc_list *group)
{
    for (uint32_t p = 0; p < w->draft->model.parameter_count; p++)
        if (!wrc_list_add(group, &p, sizeof p))
            return wrc_draft_out_of_memory(w->draft);
    return true;
}

static bool read_group(warren *w, wrc_list *group)
{
    do {
        uint32_t parameter =
            wrc_model_find(&w->draft->model, w->token.span.at, w->token.span.length);
        if (w->token.kind != WRC_TOKEN_NAME || parameter == WRC_ANY)
            return expected_parameter(w, group->count == 0 ? "a parameter's name or 'all'"
                                                           : "a parameter's name");
        if (!wrc_list_add(group, &parameter, sizeof parameter))
            return wrc_draft_out_of_memory(w->draft);
        advance(w);
    } while (take(w, ","));
    return true;
}

static bool read_cover(warren *w)
{
    uint32_t  strength = 0;
    wrc_list  group = { 0 };
    wrc_place at = place(w);
    if (!read_strength(w, &strength))
        return false;
    if (!take(w, "of"))
        return expected(w, "'of'");
    bool all =
        wrc_token_is(&w->token, "all") && wrc_model_find(&w->draft->model, "all", 3) == WRC_ANY;
    bool fine = all ? add_all(w, &group) : read_group(w, &group);
    if (fine && all)
        advance(w);
    fine = fine && need_end(w, "',' or the end of the line") &&
           wrc_draft_relation(w->draft, at, NULL, strength, group.items, (uint32_t)group.count);
    free(group.items);
    return fine;
}

/* ---- require ------------------------------------------------------------------------------ */

static bool read_require(warren *w)
{
    const char *start = w->token.at, *at = start;
    wrc_formula holds = wrc_formula_parse(w->draft, w->source, &at);
    if (!holds)
        return false;
    w->token = wrc_token_at(w->source, at, false);
    if (!need_end(w, "an operator or the end of the line"))
        return false;
    wrc_span text = wrc_scan_trim((wrc_span){ start, (size_t)(at - start) });
    bool     fine = wrc_draft_constraint(w->draft, holds, text.at, text.length, w->lines.number);
    while (w->lines.next < at &&
           wrc_lines_next(&w->lines)) /* lines that brackets held together */
        continue;
    return fine;
}

/* ---- keep --------------------------------------------------------------------------------- */

static bool read_cell(warren *w, uint32_t *row)
{
    uint32_t parameter = wrc_model_find(&w->draft->model, w->token.span.at, w->token.span.length);
    char     what[96] = "a value of ";
    if (w->token.kind != WRC_TOKEN_NAME || parameter == WRC_ANY)
        return expected_parameter(w, "a parameter's name");
    advance(w);
    if (!take(w, "="))
        return expected(w, "'='");
    const char *start = w->token.kind == WRC_TOKEN_TEXT ? w->token.span.at : w->token.at;
    wrc_place   at = place(w);
    if (wrc_token_is(&w->token, "-"))
        advance(w);
    size_t length = (size_t)(w->token.span.at + w->token.span.length - start);
    row[parameter] = wrc_model_level_of(&w->draft->model, parameter, start, length);
    if (row[parameter] == WRC_ANY) {
        const wrc_parameter *known = &w->draft->model.parameters[parameter];
        wrc_scan_expected(w->draft->complaint, at, strncat(what, known->name, 60));
        return wrc_scan_suggest_value(w->draft->complaint, (wrc_span){ start, length }, known);
    }
    advance(w);
    return true;
}

static bool read_keep(warren *w)
{
    bool      fine;
    uint32_t *row = malloc(w->draft->model.parameter_count * sizeof *row);
    if (!row)
        return wrc_draft_out_of_memory(w->draft);
    for (uint32_t p = 0; p < w->draft->model.parameter_count; p++)
        row[p] = WRC_ANY;
    do
        fine = read_cell(w, row);
    while (fine && take(w, ","));
    fine = fine && need_end(w, "',' or the end of the line") && wrc_draft_row(w->draft, row);
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
    w->token = wrc_token_at(w->source, w->lines.line.at, false);
    if (at_end(w))
        return true;
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS; i++)
        if (wrc_span_is(w->token.span, STATEMENTS[i].word, false)) {
            if (STATEMENTS[i].uses && !w->draft->settled && !wrc_draft_settle(w->draft))
                return false;
            advance(w);
            return STATEMENTS[i].read(w);
        }
    const char *words[sizeof STATEMENTS / sizeof *STATEMENTS + 1] = { NULL };
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof *STATEMENTS; i++)
        words[i] = STATEMENTS[i].word;
    expected(w, "model, parameter, cover, require or keep");
    return wrc_scan_suggest(w->draft->complaint, w->token.span, words);
}

bool wrc_read_warren(wrc_draft *draft, const wrc_source *source)
{
    warren w = { .draft = draft, .source = source };
    bool   fine = true;
    wrc_lines_open(&w.lines, source);
    while (fine && wrc_lines_next(&w.lines))
        fine = read_line(&w);
    return fine && (draft->settled || wrc_draft_settle(draft));
}
