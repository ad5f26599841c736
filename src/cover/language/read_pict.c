/* cover/language/read_pict.c: PICT's language.
 *
 * Parameters come first, a line each, with weights, aliases, invalid values and values of other
 * parameters. Then come sub-models, then constraints that end in semicolons. A value may contain
 * nearly anything, so parameters are read by lines, and constraints by the marks that PICT itself
 * looks for. A comparison is on numbers, decimals included, if all values of the parameter are
 * numbers; otherwise it is on texts. PICT only warns of an unknown parameter in a constraint or a
 * sub-model, and is silent on an unknown value. This reader refuses both: the constraint would be
 * lost, or rows would vanish.
 */
#include "cover/model/expression.h"
#include "cover/model/formula.h"
#include "cover/language/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 200 /* brackets and negations within each other */

typedef struct pict {
    wrc_draft        *draft;
    const wrc_source *source;
    uint32_t          no_colon; /* the first line of a parameter without ':'; 0: none */
    /* Constraints: */
    const char *at;
    const char *counted; /* up to here lines have been */
    uint32_t    line;
    unsigned    depth;
} pict;

/* ---- Parameters -------------------------------------------------------------------------- */

/* An invalid value is printed with its mark; the value itself has none. */
static bool add_spelling(wrc_draft *draft, wrc_place at, wrc_span text, bool invalid,
                         uint32_t weight, bool first)
{
    char *marked = malloc(text.length + 2);
    if (!marked)
        return wrc_draft_out_of_memory(draft);
    marked[0] = '~';
    memcpy(marked + 1, text.at, text.length);
    const char *spelled = invalid ? marked : marked + 1;
    size_t      length = text.length + invalid;
    bool        fine = first ? wrc_draft_value(draft, at, spelled, length, invalid, weight)
                             : wrc_draft_alias(draft, spelled, length);
    free(marked);
    return fine;
}

static bool add_spellings(wrc_draft *draft, const wrc_source *source, wrc_span names,
                          uint32_t weight)
{
    bool invalid = names.length > 0 && names.at[0] == '~';
    if (invalid)
        names = wrc_scan_trim((wrc_span){ names.at + 1, names.length - 1 });
    for (bool first = true; names.at; first = false) {
        wrc_span name = wrc_scan_split(&names, '|');
        if (!add_spelling(draft, (wrc_place){ source, name.at }, name, invalid, weight, first))
            return false;
    }
    return true;
}

/* `value (5)`: takes the weight off. Text that is no number belongs to the value. */
static uint32_t take_weight(wrc_span *value)
{
    const char *open = value->length > 0 ? memrchr(value->at, '(', value->length) : NULL;
    int64_t     weight;
    if (!open || value->at[value->length - 1] != ')')
        return 1;
    wrc_span inside =
        wrc_scan_trim((wrc_span){ open + 1, (size_t)(value->at + value->length - open) - 2 });
    if (!wrc_model_whole_number(inside.at, inside.length, &weight) || weight < 1 ||
        weight > UINT32_MAX)
        return 1;
    *value = wrc_scan_trim((wrc_span){ value->at, (size_t)(open - value->at) });
    return (uint32_t)weight;
}

static bool read_value(wrc_draft *draft, const wrc_source *source, wrc_span value)
{
    if (value.length > 1 && value.at[0] == '<' && value.at[value.length - 1] == '>') {
        wrc_span name = wrc_scan_trim((wrc_span){ value.at + 1, value.length - 2 });
        uint32_t other = wrc_draft_find(draft, name.at, name.length);
        if (other != WRC_ANY && other + 1 < draft->parameters.count)
            return wrc_draft_same_values(draft, other);
    }
    uint32_t weight = take_weight(&value);
    return add_spellings(draft, source, value, weight);
}

/* `NAME @ 3`: takes the order off, which PICT reads, and nothing describes. */
static bool take_order(wrc_draft *draft, wrc_span *name)
{
    const char *sign = name->length > 0 ? memchr(name->at, '@', name->length) : NULL;
    double      order;
    if (!sign)
        return true;
    wrc_span after =
        wrc_scan_trim((wrc_span){ sign + 1, (size_t)(name->at + name->length - sign) - 1 });
    if (!wrc_model_decimal_number(after.at, after.length, &order))
        return true;
    *name = wrc_scan_trim((wrc_span){ name->at, (size_t)(sign - name->at) });
    return wrc_draft_remark(draft, "the order of a single parameter is not looked at: %.*s",
                            name->length > 60 ? 60 : (int)name->length, name->at);
}

/* PICT describes `NAME: VALUE, …` only, and takes the first comma where there is no colon. */
static bool remark_no_colon(pict *p, uint32_t number, wrc_span name)
{
    p->no_colon = p->no_colon ? p->no_colon : number;
    return wrc_draft_remark(
        p->draft, "%.160s:%u: there is no ':', so the parameter is called '%.*s'",
        p->source->file, number, name.length > 60 ? 60 : (int)name.length, name.at);
}

static bool read_parameter(pict *p, wrc_span line, uint32_t number)
{
    wrc_draft        *draft = p->draft;
    const wrc_source *source = p->source;
    wrc_span          rest = line;
    const char       *colon = memchr(line.at, ':', line.length);
    wrc_span          name = wrc_scan_split(&rest, colon ? ':' : ',');
    if (!take_order(draft, &name) || (!colon && rest.at && !remark_no_colon(p, number, name)))
        return false;
    if (!rest.at)
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, line.at + line.length },
                                 "':' and values");
    if (wrc_scan_trim(rest).length == 0)
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, line.at + line.length },
                                 "a value");
    if (!wrc_draft_parameter(draft, (wrc_place){ source, line.at }, name.at, name.length,
                             WRC_TYPE_NUMERIC))
        return false;
    while (rest.at)
        if (!read_value(draft, source, wrc_scan_split(&rest, ',')))
            return false;
    return true;
}

/* ---- Sub-models -------------------------------------------------------------------------- */

static bool read_order(wrc_draft *draft, const wrc_source *source, wrc_span rest,
                       uint32_t *strength)
{
    int64_t order;
    *strength = WRC_ANY; /* as the rest of the model */
    if (rest.length == 0)
        return true;
    if (rest.at[0] != '@')
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, rest.at }, "'@'");
    rest = wrc_scan_trim((wrc_span){ rest.at + 1, rest.length - 1 });
    if (!wrc_model_whole_number(rest.at, rest.length, &order) || order < 1 || order >= UINT32_MAX)
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, rest.at },
                                 "an order, 1 or more");
    *strength = (uint32_t)order;
    return true;
}

static bool read_submodel(wrc_draft *draft, const wrc_source *source, wrc_span line)
{
    const char *close = memchr(line.at, '}', line.length);
    wrc_list    group = { 0 };
    uint32_t    strength;
    if (!close)
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, line.at + line.length },
                                 "'}'");
    wrc_span names = { line.at + 1, (size_t)(close - line.at) - 1 };
    wrc_span rest = { close + 1, (size_t)(line.at + line.length - close) - 1 };
    bool     fine = read_order(draft, source, wrc_scan_trim(rest), &strength) &&
                wrc_read_group(draft, source, names, &group) &&
                wrc_draft_compound(draft, (wrc_place){ source, line.at }, strength, group.items,
                                   (uint32_t)group.count);
    free(group.items);
    return fine;
}

/* ---- Constraints: what is next ------------------------------------------------------------ */

static bool white(char c)
{
    return c > 0 && c <= ' ';
}

/* Blanks, line ends, and lines that begin with '#'. */
static void skip_blanks(pict *p)
{
    const char *end = p->source->end;
    bool        fresh = p->at == p->source->text || p->at[-1] == '\n';
    for (; p->at < end; p->at++) {
        if (*p->at == '#' && fresh) {
            const char *newline = memchr(p->at, '\n', (size_t)(end - p->at));
            p->at = newline ? newline - 1 : end - 1;
        } else if (!white(*p->at)) {
            return;
        } else {
            fresh = fresh || *p->at == '\n';
        }
    }
}

/* PICT knows its words by their beginnings: no blank need follow. */
static bool next_is(pict *p, const char *text)
{
    size_t length = strlen(text);
    skip_blanks(p);
    return (size_t)(p->source->end - p->at) >= length &&
           wrc_model_same_text(p->at, length, text, length, true);
}

static bool take(pict *p, const char *text)
{
    if (!next_is(p, text))
        return false;
    p->at += strlen(text);
    return true;
}

static bool expected(pict *p, const char *what)
{
    skip_blanks(p);
    return wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, p->at }, what);
}

static bool need(pict *p, const char *text, const char *what)
{
    return take(p, text) || expected(p, what);
}

static bool deeper(pict *p)
{
    if (++p->depth <= DEEPEST)
        return true;
    return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, p->at },
                               "expected at most %d levels of nesting, found more", DEEPEST);
}

static bool made(pict *p, wrc_formula formula)
{
    return formula != NULL || wrc_draft_out_of_memory(p->draft);
}

static bool escaped(const pict *p)
{
    return *p->at == '\\' && p->at + 1 < p->source->end && strchr("\\\"]", p->at[1]) != NULL;
}

/* The text up to a closing character; \" \] and \\ mean the character itself. Ends in a zero
 * byte. */
static bool read_text(pict *p, char close, const char *what, wrc_span *text)
{
    const char *start = p->at;
    size_t      length = 0;
    for (; p->at < p->source->end && *p->at != close && *p->at != '\n'; p->at++)
        p->at += escaped(p);
    if (p->at >= p->source->end || *p->at != close)
        return wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, p->at }, what);
    char *copy = wrc_memory_take(p->draft->memory, (size_t)(p->at - start) + 1);
    if (!copy)
        return wrc_draft_out_of_memory(p->draft);
    const char *end = p->at;
    for (p->at = start; p->at < end; p->at++) {
        p->at += escaped(p);
        copy[length++] = *p->at;
    }
    p->at = end + 1;
    copy[length] = '\0';
    *text = (wrc_span){ copy, length };
    return true;
}

/* ---- Constraints: terms ------------------------------------------------------------------- */

/* A constant, or a pattern. */
typedef struct constant {
    bool     number;
    double   size;
    int64_t  whole;
    bool     is_whole;
    wrc_span text;
} constant;

/* The question of a comparison to each level of a parameter. */
typedef struct question {
    const wrc_model *model;
    uint32_t         parameter;
    wrc_operator     op;
    const constant  *of;
} question;

static const char *value_text(const wrc_parameter *parameter, uint32_t level)
{
    const char *text = parameter->values[level].text;
    return level >= wrc_parameter_valid_levels(parameter) ? text + 1 : text; /* behind the mark */
}

static bool numeric(const wrc_parameter *parameter)
{
    for (uint32_t i = 0; i < parameter->levels; i++) {
        const char *text = value_text(parameter, i);
        double      size;
        if (!wrc_model_decimal_number(text, strlen(text), &size))
            return false;
    }
    return true;
}

static int compare_level(const question *q, const char *text)
{
    int64_t whole;
    if (!q->of->number)
        return wrc_model_compare_text(text, q->of->text.at, q->model->fold_case);
    if (q->of->is_whole && wrc_model_whole_number(text, strlen(text), &whole))
        return (whole > q->of->whole) - (whole < q->of->whole);
    double size = 0;
    wrc_model_decimal_number(text, strlen(text), &size);
    return (size > q->of->size) - (size < q->of->size);
}

static bool level_fits(void *state, uint32_t level)
{
    const question *q = state;
    const char     *text = value_text(&q->model->parameters[q->parameter], level);
    return wrc_operator_holds(q->op, compare_level(q, text), 0);
}

static char folded(char c, bool fold_case)
{
    return fold_case && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* `*` is any run of characters, `?` any one. */
static bool matches(const char *pattern, const char *text, bool fold_case)
{
    const char *star = NULL, *again = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == '?' || folded(*pattern, fold_case) == folded(*text, fold_case)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool level_matches(void *state, uint32_t level)
{
    const question *q = state;
    return matches(q->of->text.at, value_text(&q->model->parameters[q->parameter], level),
                   q->model->fold_case);
}

static bool level_is_invalid(void *state, uint32_t level)
{
    return level >= wrc_parameter_valid_levels(state);
}

static bool read_constant(pict *p, constant *to)
{
    size_t length = 0;
    *to = (constant){ 0 };
    if (take(p, "\""))
        return read_text(p, '"', "'\"'", &to->text);
    while (p->at + length < p->source->end && strchr("+-.0123456789eE", p->at[length]) != NULL)
        length++;
    while (length > 0 && !wrc_model_decimal_number(p->at, length, &to->size))
        length--; /* ELSE may follow at once */
    if (length == 0)
        return expected(p, "a number or a text in quotes");
    to->number = true;
    to->is_whole = wrc_model_whole_number(p->at, length, &to->whole);
    p->at += length;
    return true;
}

static bool read_name(pict *p, uint32_t *parameter)
{
    const char *at = p->at;
    wrc_span    name;
    if (!read_text(p, ']', "']'", &name))
        return false;
    name = wrc_scan_trim(name);
    *parameter = wrc_model_find(&p->draft->model, name.at, name.length);
    if (*parameter == WRC_ANY)
        return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, at },
                                   "expected a parameter's name, found '%.*s'",
                                   name.length > 60 ? 60 : (int)name.length, name.at) ||
               wrc_scan_suggest_parameter(p->draft->complaint, name, &p->draft->model);
    return true;
}

/* "A numeric parameter is only comparable to a number, and a string parameter to a string." */
static bool same_kind(pict *p, const char *at, uint32_t parameter, bool number)
{
    const wrc_parameter *of = &p->draft->model.parameters[parameter];
    if (numeric(of) == number)
        return true;
    return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, at },
                               "expected %s, for the values of %.60s are %s, found %s",
                               number ? "a text in quotes" : "a number", of->name,
                               number ? "texts" : "numbers", number ? "a number" : "a text");
}

/* A value that is to be equal, or not, must be there; as in PICT, by its first name. */
static bool must_be_value(pict *p, const char *at, const question *q)
{
    const wrc_parameter *of = &q->model->parameters[q->parameter];
    char                 what[96] = "a value of ";
    for (uint32_t i = 0; i < of->levels; i++)
        if (compare_level(q, value_text(of, i)) == 0)
            return true;
    if (wrc_model_level_of(q->model, q->parameter, q->of->text.at, q->of->text.length) != WRC_ANY)
        strcpy(what, "the first name of a value of ");
    strncat(what, of->name, 60);
    wrc_scan_expected_not(p->draft->complaint, (wrc_place){ p->source, at }, what,
                          (wrc_span){ at, (size_t)(p->at - at) });
    return wrc_scan_suggest_value(p->draft->complaint, q->of->text, of);
}

static bool read_levels(pict *p, uint32_t parameter, wrc_operator op, wrc_formula *to)
{
    constant    of;
    const char *at = (skip_blanks(p), p->at);
    if (!read_constant(p, &of) || !same_kind(p, at, parameter, of.number))
        return false;
    question q = { &p->draft->model, parameter, op, &of };
    if ((op == WRC_OP_EQUAL || op == WRC_OP_UNEQUAL) && !must_be_value(p, at, &q))
        return false;
    *to = wrc_formula_where(p->draft->memory, q.model, parameter, level_fits, &q);
    return made(p, *to);
}

static bool read_pattern(pict *p, uint32_t parameter, wrc_formula *to)
{
    constant    of;
    const char *at = (skip_blanks(p), p->at);
    if (!next_is(p, "\""))
        return expected(p, "a pattern in quotes");
    if (!read_constant(p, &of) || !same_kind(p, at, parameter, false))
        return false;
    question q = { &p->draft->model, parameter, WRC_OP_EQUAL, &of };
    *to = wrc_formula_where(p->draft->memory, q.model, parameter, level_matches, &q);
    return made(p, *to);
}

static bool read_set(pict *p, uint32_t parameter, wrc_formula *to)
{
    if (!need(p, "{", "'{'"))
        return false;
    *to = wrc_formula_truth(p->draft->memory, false);
    do {
        wrc_formula member;
        if (!read_levels(p, parameter, WRC_OP_EQUAL, &member))
            return false;
        *to = wrc_formula_or(p->draft->memory, &p->draft->model, *to, member);
    } while (take(p, ","));
    return need(p, "}", "',' or '}'") && made(p, *to);
}

static bool compare_parameters(pict *p, uint32_t parameter, wrc_operator op, wrc_formula *to)
{
    const char *at = p->at;
    uint32_t    other;
    if (!read_name(p, &other) ||
        !same_kind(p, at, parameter, numeric(&p->draft->model.parameters[other])))
        return false;
    *to = wrc_expression_make(p->draft->memory, op,
                              wrc_expression_value(p->draft->memory, parameter),
                              wrc_expression_value(p->draft->memory, other));
    return made(p, *to);
}

static bool read_relation(pict *p, uint32_t parameter, wrc_formula *to)
{
    static const struct {
        const char  *symbol;
        wrc_operator op;
    } RELATIONS[] = { { "=", WRC_OP_EQUAL },    { "<>", WRC_OP_UNEQUAL },
                      { "<=", WRC_OP_AT_MOST }, { ">=", WRC_OP_AT_LEAST },
                      { ">", WRC_OP_GREATER },  { "<", WRC_OP_LESS } };
    for (size_t i = 0; i < sizeof RELATIONS / sizeof *RELATIONS; i++)
        if (take(p, RELATIONS[i].symbol))
            return take(p, "[") ? compare_parameters(p, parameter, RELATIONS[i].op, to)
                                : read_levels(p, parameter, RELATIONS[i].op, to);
    bool negated = take(p, "NOT");
    if (!(take(p, "IN")     ? read_set(p, parameter, to)
          : take(p, "LIKE") ? read_pattern(p, parameter, to)
                            : expected(p, "a relation")))
        return false;
    if (negated)
        *to = wrc_formula_not(p->draft->memory, &p->draft->model, *to);
    return made(p, *to);
}

/* IsNegative(name), or of any parameter: IsNegative(). */
static bool read_sign(pict *p, bool negative, wrc_formula *to)
{
    const wrc_model *model = &p->draft->model;
    wrc_memory      *memory = p->draft->memory;
    wrc_span         name;
    const char      *at;
    if (!need(p, "(", "'('"))
        return false;
    at = p->at;
    if (!read_text(p, ')', "')'", &name))
        return false;
    name = wrc_scan_trim(name);
    *to = wrc_formula_truth(memory, false);
    uint32_t only = wrc_model_find(model, name.at, name.length);
    if (name.length > 0 && only == WRC_ANY)
        return wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, at },
                                 "a parameter's name");
    for (uint32_t i = 0; i < model->parameter_count; i++)
        if (name.length == 0 || i == only)
            *to = wrc_formula_or(memory, model, *to,
                                 wrc_formula_where(memory, model, i, level_is_invalid,
                                                   (void *)&model->parameters[i]));
    if (!negative)
        *to = wrc_formula_not(memory, model, *to);
    return made(p, *to);
}

/* ---- Constraints: clauses ----------------------------------------------------------------- */

static bool read_clause(pict *p, wrc_formula *to);

static bool read_condition(pict *p, wrc_formula *to)
{
    uint32_t parameter;
    bool     fine;
    if (take(p, "(")) {
        fine = deeper(p) && read_clause(p, to) && need(p, ")", "')'");
    } else if (take(p, "NOT")) {
        fine = deeper(p) && read_condition(p, to);
        *to = fine ? wrc_formula_not(p->draft->memory, &p->draft->model, *to) : NULL;
        fine = fine && made(p, *to);
    } else {
        if (take(p, "ISNEGATIVE"))
            return read_sign(p, true, to);
        if (take(p, "ISPOSITIVE"))
            return read_sign(p, false, to);
        return need(p, "[", "a condition") && read_name(p, &parameter) &&
               read_relation(p, parameter, to);
    }
    p->depth--;
    return fine;
}

/* Parts in a row with AND, or with OR, between them. */
static bool read_parts(pict *p, wrc_operator op, const char *word,
                       bool (*part)(pict *, wrc_formula *), wrc_formula *to)
{
    wrc_list parts = { 0 };
    bool     fine;
    do {
        wrc_formula next;
        fine = part(p, &next) &&
               (wrc_list_add(&parts, &next, sizeof next) || wrc_draft_out_of_memory(p->draft));
    } while (fine && take(p, word));
    if (fine) {
        *to = wrc_formula_join(p->draft->memory, &p->draft->model, op, parts.items, parts.count);
        fine = made(p, *to);
    }
    free(parts.items);
    return fine;
}

static bool read_and(pict *p, wrc_formula *to)
{
    return read_parts(p, WRC_OP_AND, "AND", read_condition, to);
}

static bool read_clause(pict *p, wrc_formula *to)
{
    return read_parts(p, WRC_OP_OR, "OR", read_and, to);
}

static bool read_if(pict *p, wrc_formula *to)
{
    wrc_memory      *memory = p->draft->memory;
    const wrc_model *model = &p->draft->model;
    wrc_formula      condition, then, otherwise;
    if (!read_clause(p, &condition) || !need(p, "THEN", "AND, OR or THEN") ||
        !read_clause(p, &then))
        return false;
    *to = wrc_formula_implies(memory, model, condition, then);
    if (take(p, "ELSE")) {
        if (!read_clause(p, &otherwise))
            return false;
        *to = wrc_formula_and(memory, model, *to,
                              wrc_formula_or(memory, model, condition, otherwise));
    }
    return made(p, *to);
}

static bool read_constraint(pict *p)
{
    const char *start = p->at;
    wrc_formula holds;
    if (!(take(p, "IF") ? read_if(p, &holds) : read_clause(p, &holds)))
        return false;
    size_t length = (size_t)(p->at - start);
    if (!need(p, ";", "AND, OR or ';'"))
        return false;
    for (; p->counted < start; p->counted++)
        p->line += *p->counted == '\n';
    return wrc_draft_constraint(p->draft, holds, start, length, p->line);
}

/* ---- The parts of a file ------------------------------------------------------------------ */

static bool starts_with(wrc_span line, const char *word)
{
    size_t length = strlen(word);
    return line.length >= length && wrc_model_same_text(line.at, length, word, length, true);
}

/* As PICT finds out: nothing else tells a constraint from a parameter. */
static bool is_constraint(wrc_span line)
{
    bool named =
        memchr(line.at, '[', line.length) != NULL && memchr(line.at, ']', line.length) != NULL;
    bool sign = memmem(line.at, line.length, "(", 1) != NULL &&
                (starts_with(line, "ISNEGATIVE") || starts_with(line, "ISPOSITIVE"));
    if (wrc_span_is(line, "IF", true) || sign)
        return true;
    if (starts_with(line, "IF") && line.length > 2 && (white(line.at[2]) || line.at[2] == '('))
        return named || memchr(line.at, ':', line.length) == NULL;
    return named && (line.at[0] == '[' || line.at[0] == '(' || starts_with(line, "NOT ") ||
                     starts_with(line, "NOT["));
}

/* Parameters and sub-models. Constraints begin at p->at. */
static bool read_lines(pict *p)
{
    wrc_lines lines;
    wrc_lines_open(&lines, p->source);
    p->at = p->source->end;
    while (wrc_lines_next(&lines)) {
        wrc_span line = wrc_scan_trim(lines.line);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        if (is_constraint(line)) {
            p->at = line.at;
            break;
        }
        bool submodel = line.at[0] == '{';
        if (submodel && !p->draft->settled && !wrc_draft_settle(p->draft))
            return false;
        if (!submodel && p->draft->settled)
            return wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, line.at },
                                     "a sub-model or a constraint");
        if (!(submodel ? read_submodel(p->draft, p->source, line)
                       : read_parameter(p, line, lines.number)))
            return false;
    }
    return p->draft->settled || wrc_draft_settle(p->draft);
}

/* Adds to a complaint with a place what may be behind it: a line without its colon, or a file in
 * another language with a mistake in its first word. Sub-models and constraints are PICT's. */
static bool explain(const pict *p)
{
    char *text = p->draft->complaint->text;
    if (strchr(text, ':') == NULL)
        return false;
    size_t used = strlen(text), room = sizeof p->draft->complaint->text - used;
    if (p->no_colon)
        snprintf(text + used, room, " (line %u has no ':')", p->no_colon);
    else if (!p->draft->settled)
        snprintf(text + used, room,
                 " (read as PICT's language; ACTS's begins with '[', Warren's with model or "
                 "parameter)");
    return false;
}

bool wrc_read_pict(wrc_draft *draft, const wrc_source *source, bool case_sensitive)
{
    pict p = { .draft = draft, .source = source, .counted = source->text, .line = 1 };
    draft->model.fold_case = !case_sensitive;
    if (!read_lines(&p))
        return explain(&p);
    for (skip_blanks(&p); p.at < source->end; skip_blanks(&p))
        if (!read_constraint(&p))
            return explain(&p);
    return true;
}
