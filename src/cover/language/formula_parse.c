/* cover/language/formula_parse.c: reads a formula, by recursive descent.
 *
 * A term is a number, a text or a truth; its type decides which operators it takes. A term
 * remembers that it is one parameter, or a constant: a comparison of the two is a set of levels.
 */
#include "cover/language/formula_parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/model/expression.h"

#define DEEPEST 200  /* brackets, negations, implications within each other */
#define LONGEST 1000 /* sums and products in a row */

typedef enum term_kind {
    NUMBER,
    TEXT,
    TRUTH,
} term_kind;

static const char *const KINDS[] = { "a number", "a text", "a condition" };

typedef struct term {
    term_kind             kind;
    const wrc_expression *expression; /* NULL for texts */
    uint32_t              parameter;  /* it is this parameter alone, or WRC_ANY */
    wrc_span              spelled;    /* a constant: as it was written */
    bool                  bare;       /* a text without quotes */
    const char           *at;
} term;

typedef struct parser {
    wrc_draft        *draft;
    const wrc_source *source;
    wrc_token         token;
    const char       *before; /* the end of the token before it */
    unsigned          brackets, depth;
} parser;

static bool parse_any(parser *p, term *to);

/* ---- Tokens ----------------------------------------------------------------------------- */

static void advance(parser *p)
{
    p->before = p->token.next;
    p->token = wrc_token_at(p->source, p->token.next, p->brackets > 0);
}

static bool take(parser *p, const char *symbol)
{
    if (!wrc_token_is(&p->token, symbol))
        return false;
    advance(p);
    return true;
}

static bool expected(parser *p, const char *what)
{
    return wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, p->token.at }, what);
}

static bool need(parser *p, const char *symbol)
{
    char what[16] = "'";
    if (take(p, symbol))
        return true;
    strncat(strncat(what, symbol, 10), "'", 2);
    return expected(p, what);
}

static bool refuse(const parser *p, const char *at, const char *wanted, term_kind found)
{
    return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, at },
                               "expected %s, found %s", wanted, KINDS[found]);
}

static bool deeper(parser *p)
{
    if (++p->depth <= DEEPEST)
        return true;
    return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, p->token.at },
                               "expected at most %d levels of nesting, found more", DEEPEST);
}

/* ---- Terms ------------------------------------------------------------------------------ */

static const wrc_model *model_of(const parser *p)
{
    return &p->draft->model;
}

static bool done(parser *p, term *to, term_kind kind, const wrc_expression *expression,
                 const char *at)
{
    *to = (term){ .kind = kind, .expression = expression, .parameter = WRC_ANY, .at = at };
    return expression != NULL || wrc_draft_out_of_memory(p->draft);
}

static bool is_constant(const term *t)
{
    return t->parameter == WRC_ANY && (!t->expression || t->expression->op == WRC_OP_NUMBER);
}

/* A name that is no parameter can only be a value. */
static bool must_be_known(parser *p, const term *t)
{
    if (!t->bare)
        return true;
    wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, t->at }, "a parameter");
    return wrc_scan_suggest_parameter(p->draft->complaint, t->spelled, model_of(p));
}

static bool must_be(parser *p, const term *t, term_kind wanted)
{
    if (t->kind == wanted)
        return true;
    return must_be_known(p, t) && refuse(p, t->at, KINDS[wanted], t->kind);
}

static bool parameter_term(parser *p, uint32_t parameter, term *to)
{
    wrc_memory *memory = p->draft->memory;
    const char *at = p->token.at;
    wrc_domain  domain = model_of(p)->parameters[parameter].domain;
    bool        fine;
    if (domain == WRC_DOMAIN_BOOLEAN)
        fine = done(p, to, TRUTH,
                    wrc_formula_compared(memory, model_of(p), parameter, WRC_OP_EQUAL, 1), at);
    else
        fine = done(p, to, domain == WRC_DOMAIN_TEXT ? TEXT : NUMBER,
                    wrc_expression_value(memory, parameter), at);
    to->parameter = parameter;
    advance(p);
    return fine;
}

/* Whether some parameter's name is more than one token, such as max-age. */
static bool has_odd_names(wrc_draft *draft)
{
    for (uint32_t i = 0; !draft->names_looked_at && i < draft->model.parameter_count; i++) {
        const char *name = draft->model.parameters[i].name;
        size_t      length = strlen(name);
        wrc_source  alone = { "", name, name + length };
        draft->odd_names |= wrc_token_at(&alone, name, false).span.length != length;
    }
    draft->names_looked_at = true;
    return draft->odd_names;
}

/* The longest parameter's name that stands here: with `max` and `max-age`, the second. */
static uint32_t find_parameter(parser *p)
{
    const wrc_model *model = model_of(p);
    size_t           left = (size_t)(p->source->end - p->token.at), longest = 0;
    uint32_t         found = WRC_ANY;
    if (!has_odd_names(p->draft))
        return wrc_model_find(model, p->token.span.at, p->token.span.length);
    for (uint32_t i = 0; i < model->parameter_count; i++) {
        const char *name = model->parameters[i].name;
        size_t      length = strlen(name);
        if (length <= longest || length > left || length < p->token.span.length ||
            !wrc_model_same_text(p->token.at, length, name, length, model->fold_case))
            continue;
        const char *next = p->token.at + length;
        if (length > p->token.span.length && wrc_token_at(p->source, next - 1, false).next > next)
            continue; /* it goes on */
        longest = length;
        found = i;
    }
    if (longest > p->token.span.length)
        p->token.next = p->token.at + longest;
    return found;
}

static bool name_term(parser *p, term *to)
{
    wrc_span span = p->token.span;
    uint32_t parameter = find_parameter(p);
    if (parameter != WRC_ANY)
        return parameter_term(p, parameter, to);
    *to = (term){
        .kind = TEXT, .parameter = WRC_ANY, .spelled = span, .bare = true, .at = p->token.at
    };
    advance(p);
    bool yes = wrc_span_is(span, "true", true);
    if (!yes && !wrc_span_is(span, "false", true))
        return true;
    bool fine = done(p, to, TRUTH, wrc_formula_truth(p->draft->memory, yes), span.at);
    to->spelled = span;
    return fine;
}

static bool number_term(parser *p, term *to)
{
    wrc_token token = p->token;
    int64_t   number;
    if (!wrc_model_whole_number(token.span.at, token.span.length, &number))
        return expected(p, "a whole number below 2^63");
    advance(p);
    if (!done(p, to, NUMBER, wrc_expression_number(p->draft->memory, number), token.at))
        return false;
    to->spelled = token.span;
    return true;
}

static bool bracket_term(parser *p, term *to)
{
    const char *at = p->token.at;
    p->brackets++;
    advance(p);
    if (!deeper(p) || !parse_any(p, to))
        return false;
    if (!wrc_token_is(&p->token, ")"))
        return expected(p, "')'");
    p->brackets--;
    p->depth--;
    advance(p);
    to->at = at;
    return true;
}

static bool text_term(parser *p, term *to)
{
    *to =
        (term){ .kind = TEXT, .parameter = WRC_ANY, .spelled = p->token.span, .at = p->token.at };
    advance(p);
    return true;
}

static bool negative_term(parser *p, term *to);

static bool primary(parser *p, term *to)
{
    if (wrc_token_is(&p->token, "("))
        return bracket_term(p, to);
    if (wrc_token_is(&p->token, "-"))
        return negative_term(p, to);
    if (p->token.kind == WRC_TOKEN_NAME)
        return name_term(p, to);
    if (p->token.kind == WRC_TOKEN_NUMBER) {
        uint32_t parameter = wrc_model_find(model_of(p), p->token.span.at, p->token.span.length);
        int64_t  number;
        bool     whole = wrc_model_whole_number(p->token.span.at, p->token.span.length, &number);
        return whole || parameter == WRC_ANY ? number_term(p, to)
                                             : parameter_term(p, parameter, to);
    }
    if (p->token.kind == WRC_TOKEN_TEXT)
        return text_term(p, to);
    return expected(p, "a parameter, a value or '('");
}

/* ---- Arithmetic ------------------------------------------------------------------------- */

/* Constants are worked out at once. */
static bool constant_term(parser *p, wrc_operator op, int64_t a, int64_t b, term *to)
{
    int64_t number;
    if (!wrc_operator_calculate(op, a, b, &number))
        return wrc_source_complain(p->draft->complaint, (wrc_place){ p->source, to->at },
                                   "expected a calculation that has a value below 2^63");
    return done(p, to, NUMBER, wrc_expression_number(p->draft->memory, number), to->at);
}

static bool combine(parser *p, wrc_operator op, term *left, const term *right)
{
    if (!must_be(p, left, NUMBER) || !must_be(p, right, NUMBER))
        return false;
    if (is_constant(left) && is_constant(right))
        return constant_term(p, op, left->expression->number, right->expression->number, left);
    return done(p, left, NUMBER,
                wrc_expression_make(p->draft->memory, op, left->expression, right->expression),
                left->at);
}

static bool negative_term(parser *p, term *to)
{
    const char *at = p->token.at;
    int64_t     number;
    advance(p);
    if (p->token.kind == WRC_TOKEN_NUMBER && p->token.at == at + 1 &&
        wrc_model_whole_number(at, (size_t)(p->token.next - at), &number)) {
        wrc_span spelled = { at, (size_t)(p->token.next - at) };
        advance(p);
        if (!done(p, to, NUMBER, wrc_expression_number(p->draft->memory, number), at))
            return false;
        to->spelled = spelled;
        return true;
    }
    if (!deeper(p) || !primary(p, to) || !must_be(p, to, NUMBER))
        return false;
    p->depth--;
    to->at = at;
    if (is_constant(to))
        return constant_term(p, WRC_OP_SUBTRACT, 0, to->expression->number, to);
    return done(p, to, NUMBER,
                wrc_expression_make(p->draft->memory, WRC_OP_NEGATE, to->expression, NULL), at);
}

typedef struct operation {
    const char  *symbol;
    wrc_operator op;
} operation;

static const operation *find_operation(const parser *p, const operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wrc_token_is(&p->token, operations[i].symbol))
            return &operations[i];
    return NULL;
}

static bool parse_row(parser *p, const operation *operations, size_t count,
                      bool (*part)(parser *, term *), term *to)
{
    const operation *found;
    if (!part(p, to))
        return false;
    for (int length = 0; (found = find_operation(p, operations, count)) != NULL; length++) {
        term right;
        if (length == LONGEST)
            return expected(p, "the end of so long a calculation");
        advance(p);
        if (!part(p, &right) || !combine(p, found->op, to, &right))
            return false;
    }
    return true;
}

static bool parse_product(parser *p, term *to)
{
    static const operation OPERATIONS[] = { { "*", WRC_OP_MULTIPLY },
                                            { "/", WRC_OP_DIVIDE },
                                            { "%", WRC_OP_REMAINDER } };
    return parse_row(p, OPERATIONS, 3, primary, to);
}

static bool parse_sum(parser *p, term *to)
{
    static const operation OPERATIONS[] = { { "+", WRC_OP_ADD }, { "-", WRC_OP_SUBTRACT } };
    return parse_row(p, OPERATIONS, 2, parse_product, to);
}

/* ---- Comparisons ------------------------------------------------------------------------ */

static wrc_operator mirrored(wrc_operator op)
{
    switch (op) {
    case WRC_OP_LESS: return WRC_OP_GREATER;
    case WRC_OP_AT_MOST: return WRC_OP_AT_LEAST;
    case WRC_OP_GREATER: return WRC_OP_LESS;
    case WRC_OP_AT_LEAST: return WRC_OP_AT_MOST;
    default: return op;
    }
}

/* A parameter beside a constant. To be equal, or not, the constant must be one of its values. */
static bool compare_number(parser *p, wrc_operator op, term *left, uint32_t parameter,
                           const term *constant)
{
    int64_t number = constant->expression->number;
    char    text[24], what[96] = "a value of ";
    size_t  length = (size_t)snprintf(text, sizeof text, "%" PRId64, number);
    if ((op == WRC_OP_EQUAL || op == WRC_OP_UNEQUAL) &&
        wrc_model_level_of(model_of(p), parameter, text, length) == WRC_ANY) {
        strncat(what, model_of(p)->parameters[parameter].name, 60);
        return wrc_scan_expected_not(p->draft->complaint, (wrc_place){ p->source, constant->at },
                                     what, (wrc_span){ text, length });
    }
    return done(p, left, TRUTH,
                wrc_formula_compared(p->draft->memory, model_of(p), parameter, op, number),
                left->at);
}

static bool compare_numbers(parser *p, wrc_operator op, term *left, const term *right)
{
    wrc_memory *memory = p->draft->memory;
    if (is_constant(left) && is_constant(right))
        return done(p, left, TRUTH,
                    wrc_formula_truth(memory, wrc_operator_holds(op, left->expression->number,
                                                                 right->expression->number)),
                    left->at);
    if (left->parameter != WRC_ANY && is_constant(right))
        return compare_number(p, op, left, left->parameter, right);
    if (right->parameter != WRC_ANY && is_constant(left))
        return compare_number(p, mirrored(op), left, right->parameter, left);
    return done(p, left, TRUTH,
                wrc_expression_make(memory, op, left->expression, right->expression), left->at);
}

static bool compare_text(parser *p, wrc_operator op, term *left, uint32_t parameter,
                         const term *constant)
{
    wrc_span spelled = constant->spelled;
    uint32_t level = wrc_model_level_of(model_of(p), parameter, spelled.at, spelled.length);
    char     what[96] = "a value of ";
    if (level == WRC_ANY) {
        strncat(what, model_of(p)->parameters[parameter].name, 60);
        wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, constant->at }, what);
        return wrc_scan_suggest_value(p->draft->complaint, spelled,
                                      &model_of(p)->parameters[parameter]);
    }
    return done(p, left, TRUTH,
                wrc_formula_compared(p->draft->memory, model_of(p), parameter, op,
                                     model_of(p)->parameters[parameter].values[level].number),
                left->at);
}

static bool compare_texts(parser *p, wrc_operator op, term *left, const term *right)
{
    if (op != WRC_OP_EQUAL && op != WRC_OP_UNEQUAL)
        return refuse(p, left->at, "numbers to compare by size", TEXT);
    if (left->parameter != WRC_ANY && right->parameter == WRC_ANY)
        return compare_text(p, op, left, left->parameter, right);
    if (right->parameter != WRC_ANY && left->parameter == WRC_ANY)
        return compare_text(p, op, left, right->parameter, left);
    if (left->parameter == WRC_ANY) {
        wrc_scan_expected(p->draft->complaint, (wrc_place){ p->source, left->at }, "a parameter");
        return wrc_scan_suggest_parameter(p->draft->complaint, left->spelled, model_of(p));
    }
    return done(p, left, TRUTH,
                wrc_expression_make(p->draft->memory, op, left->expression, right->expression),
                left->at);
}

static bool compare_truths(parser *p, wrc_operator op, term *left, const term *right)
{
    wrc_memory      *memory = p->draft->memory;
    const wrc_model *model = model_of(p);
    if (op != WRC_OP_EQUAL && op != WRC_OP_UNEQUAL)
        return refuse(p, left->at, "numbers to compare by size", TRUTH);
    wrc_formula other = op == WRC_OP_EQUAL ? right->expression
                                           : wrc_formula_not(memory, model, right->expression);
    wrc_formula both = wrc_formula_and(memory, model, left->expression, other);
    wrc_formula neither =
        wrc_formula_and(memory, model, wrc_formula_not(memory, model, left->expression),
                        wrc_formula_not(memory, model, other));
    return done(p, left, TRUTH, wrc_formula_or(memory, model, both, neither), left->at);
}

/* A constant is what it stands beside: a parameter with named values may have some that look
 * like numbers or truths, and some tools write those in quotes. */
static bool adapt(parser *p, term *t, const term *beside)
{
    wrc_memory *memory = p->draft->memory;
    wrc_span    spelled = t->spelled;
    int64_t     number;
    bool        yes = wrc_span_is(spelled, "true", true);
    if (!spelled.at || t->parameter != WRC_ANY || beside->parameter == WRC_ANY)
        return true;
    if (beside->kind == TEXT)
        t->kind = TEXT;
    else if (t->kind == TEXT && beside->kind == NUMBER &&
             wrc_model_whole_number(spelled.at, spelled.length, &number))
        return done(p, t, NUMBER, wrc_expression_number(memory, number), t->at);
    else if (t->kind == TEXT && beside->kind == TRUTH &&
             (yes || wrc_span_is(spelled, "false", true)))
        return done(p, t, TRUTH, wrc_formula_truth(memory, yes), t->at);
    return true;
}

static bool compare(parser *p, wrc_operator op, term *left, term *right)
{
    if (!adapt(p, left, right) || !adapt(p, right, left))
        return false;
    if (left->kind != right->kind) {
        const term *odd = left->parameter == WRC_ANY ? left : right;
        return must_be(p, odd, odd == left ? right->kind : left->kind);
    }
    return left->kind == NUMBER ? compare_numbers(p, op, left, right)
           : left->kind == TEXT ? compare_texts(p, op, left, right)
                                : compare_truths(p, op, left, right);
}

/* ---- Sets ------------------------------------------------------------------------------- */

/* One value of a set, or first..last: what is true of `of` then. */
static bool parse_member(parser *p, const term *of, wrc_formula *to)
{
    term first, last, left = *of, again = *of;
    if (!parse_sum(p, &first))
        return false;
    if (!wrc_token_is(&p->token, "..")) {
        bool fine = compare(p, WRC_OP_EQUAL, &left, &first);
        *to = left.expression;
        return fine;
    }
    advance(p);
    if (!parse_sum(p, &last) || !must_be(p, of, NUMBER) || !must_be(p, &first, NUMBER) ||
        !must_be(p, &last, NUMBER) || !compare(p, WRC_OP_AT_LEAST, &left, &first) ||
        !compare(p, WRC_OP_AT_MOST, &again, &last))
        return false;
    *to = wrc_formula_and(p->draft->memory, model_of(p), left.expression, again.expression);
    return *to != NULL || wrc_draft_out_of_memory(p->draft);
}

static bool parse_members(parser *p, const term *of, wrc_list *members)
{
    wrc_formula member;
    p->brackets++;
    advance(p);
    do
        if (!parse_member(p, of, &member))
            return false;
        else if (!wrc_list_add(members, &member, sizeof member))
            return wrc_draft_out_of_memory(p->draft);
    while (take(p, ","));
    if (!wrc_token_is(&p->token, "}"))
        return expected(p, "',' or '}'");
    p->brackets--;
    advance(p);
    return true;
}

static bool parse_set(parser *p, bool negated, term *to)
{
    wrc_list    members = { 0 };
    wrc_formula joined = NULL;
    bool        fine =
        wrc_token_is(&p->token, "{") ? parse_members(p, to, &members) : expected(p, "'{'");
    if (fine) {
        joined = wrc_formula_join(p->draft->memory, model_of(p), WRC_OP_OR, members.items,
                                  members.count);
        if (negated)
            joined = wrc_formula_not(p->draft->memory, model_of(p), joined);
        fine = done(p, to, TRUTH, joined, to->at);
    }
    free(members.items);
    return fine;
}

static bool parse_comparison(parser *p, term *to)
{
    static const operation OPERATIONS[] = {
        { "=", WRC_OP_EQUAL },    { "==", WRC_OP_EQUAL },    { "!=", WRC_OP_UNEQUAL },
        { "<>", WRC_OP_UNEQUAL }, { "<", WRC_OP_LESS },      { "<=", WRC_OP_AT_MOST },
        { ">", WRC_OP_GREATER },  { ">=", WRC_OP_AT_LEAST },
    };
    const operation *found;
    term             right;
    if (!parse_sum(p, to))
        return false;
    if (take(p, "in"))
        return parse_set(p, false, to);
    if (wrc_token_is(&p->token, "not")) {
        advance(p);
        return wrc_token_is(&p->token, "in") ? (advance(p), parse_set(p, true, to))
                                             : expected(p, "'in'");
    }
    found = find_operation(p, OPERATIONS, sizeof OPERATIONS / sizeof *OPERATIONS);
    if (!found)
        return true;
    advance(p);
    return parse_sum(p, &right) && compare(p, found->op, to, &right);
}

/* ---- Truth ------------------------------------------------------------------------------ */

static bool parse_negation(parser *p, term *to)
{
    const char *at = p->token.at;
    if (!take(p, "!") && !take(p, "not"))
        return parse_comparison(p, to);
    if (!deeper(p) || !parse_negation(p, to) || !must_be(p, to, TRUTH))
        return false;
    p->depth--;
    return done(p, to, TRUTH, wrc_formula_not(p->draft->memory, model_of(p), to->expression), at);
}

static bool add_part(parser *p, wrc_list *parts, const term *part)
{
    return must_be(p, part, TRUTH) &&
           (wrc_list_add(parts, &part->expression, sizeof part->expression) ||
            wrc_draft_out_of_memory(p->draft));
}

/* Parts in a row, with a symbol or a word between them. */
static bool parse_parts(parser *p, wrc_operator op, const char *symbol, const char *word,
                        bool (*part)(parser *, term *), term *to)
{
    wrc_list parts = { 0 };
    bool     fine = true;
    if (!part(p, to))
        return false;
    if (!wrc_token_is(&p->token, symbol) && !wrc_token_is(&p->token, word))
        return true;
    fine = add_part(p, &parts, to);
    while (fine && (take(p, symbol) || take(p, word))) {
        term next;
        fine = part(p, &next) && add_part(p, &parts, &next);
    }
    if (fine)
        fine = done(p, to, TRUTH,
                    wrc_formula_join(p->draft->memory, model_of(p), op, parts.items, parts.count),
                    to->at);
    free(parts.items);
    return fine;
}

static bool parse_and(parser *p, term *to)
{
    return parse_parts(p, WRC_OP_AND, "&&", "and", parse_negation, to);
}

static bool parse_or(parser *p, term *to)
{
    return parse_parts(p, WRC_OP_OR, "||", "or", parse_and, to);
}

static bool parse_truth(parser *p, term *to)
{
    return parse_any(p, to) && must_be(p, to, TRUTH);
}

static bool parse_if(parser *p, term *to)
{
    wrc_memory      *memory = p->draft->memory;
    const wrc_model *model = model_of(p);
    const char      *at = p->token.at;
    term             condition, then, otherwise;
    advance(p);
    if (!parse_truth(p, &condition) || !need(p, "then") || !parse_truth(p, &then))
        return false;
    wrc_formula holds = wrc_formula_implies(memory, model, condition.expression, then.expression);
    if (take(p, "else")) {
        if (!parse_truth(p, &otherwise))
            return false;
        holds = wrc_formula_and(
            memory, model, holds,
            wrc_formula_or(memory, model, condition.expression, otherwise.expression));
    }
    return done(p, to, TRUTH, holds, at);
}

static bool parse_implication(parser *p, term *to)
{
    term then;
    if (!parse_or(p, to))
        return false;
    if (!take(p, "=>") && !take(p, "->") && !take(p, "implies"))
        return true;
    if (!must_be(p, to, TRUTH) || !parse_truth(p, &then))
        return false;
    return done(
        p, to, TRUTH,
        wrc_formula_implies(p->draft->memory, model_of(p), to->expression, then.expression),
        to->at);
}

static bool parse_any(parser *p, term *to)
{
    if (!deeper(p))
        return false;
    bool fine = wrc_token_is(&p->token, "if") ? parse_if(p, to) : parse_implication(p, to);
    p->depth--;
    return fine;
}

wrc_formula wrc_formula_parse(wrc_draft *draft, const wrc_source *source, const char **at)
{
    parser p = { .draft = draft, .source = source, .token = wrc_token_at(source, *at, false) };
    term   whole;
    if (!parse_truth(&p, &whole))
        return NULL;
    *at = p.token.at;
    return whole.expression;
}
