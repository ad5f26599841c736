/* cover/language/read_casa.c: CASA's two files.
 *
 * The model file has the strength, the number of parameters, and how many values each has. The
 * file of constraints has the number of clauses, then each clause as its length and so many
 * signed symbols, "- 6" or "+ 6". Symbols number all values of all parameters through, from 0. A
 * clause holds if one of its literals does: the symbol is, or is not, in the row. Parameters have
 * no names there; they are called p0, p1, …, and their values 0, 1, …, as in the other notations
 * of the same models.
 */
#include "cover/language/readers.h"

#include <stdio.h>
#include <stdlib.h>

#include "cover/model/formula.h"

typedef struct numbers {
    wrc_draft        *draft;
    const wrc_source *source;
    const char       *at;
    const char       *counted; /* up to here lines have been */
    uint32_t          line;
} numbers;

static uint32_t line_of(numbers *from, const char *at)
{
    for (; from->counted < at; from->counted++)
        from->line += *from->counted == '\n';
    return from->line;
}

static bool next_number(numbers *from, const char *what, uint64_t most, uint64_t *number)
{
    wrc_token token = wrc_token_at(from->source, from->at, true);
    int64_t   value;
    if (token.kind != WRC_TOKEN_NUMBER ||
        !wrc_model_whole_number(token.span.at, token.span.length, &value) ||
        (uint64_t)value > most)
        return wrc_scan_expected(from->draft->complaint, (wrc_place){ from->source, token.at },
                                 what);
    from->at = token.next;
    *number = (uint64_t)value;
    return true;
}

static bool at_the_end(numbers *from, const char *what)
{
    wrc_token token = wrc_token_at(from->source, from->at, true);
    return token.kind == WRC_TOKEN_END ||
           wrc_scan_expected(from->draft->complaint, (wrc_place){ from->source, token.at }, what);
}

static bool add_parameter(numbers *from, uint64_t index)
{
    char     name[32];
    int      length = snprintf(name, sizeof name, "p%llu", (unsigned long long)index);
    uint64_t levels = 0;
    if (!next_number(from, "a number of values, 1 or more", UINT32_MAX - 1, &levels))
        return false;
    wrc_place at = { from->source, from->at };
    if (levels == 0)
        return wrc_source_complain(from->draft->complaint, at,
                                   "expected 1 or more values, found 0");
    return wrc_draft_parameter(from->draft, at, name, (size_t)length, WRC_TYPE_NUMBER) &&
           wrc_draft_range(from->draft, at, 0, (int64_t)levels - 1, 1, false);
}

static bool read_model(numbers *from)
{
    uint64_t strength = 0, count = 0;
    if (!next_number(from, "a strength", UINT32_MAX, &strength) ||
        !next_number(from, "a number of parameters", 1000000, &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!add_parameter(from, i))
            return false;
    from->draft->strength = (uint32_t)strength;
    return at_the_end(from, "the end of the file, for there are no more parameters");
}

/* The parameter that a symbol is a value of; *symbol becomes the level. */
static uint32_t owner(const uint64_t *starts, uint32_t count, uint64_t *symbol)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= *symbol)
            low = middle;
        else
            high = middle;
    }
    *symbol -= starts[low];
    return low;
}

static bool read_literal(numbers *from, const uint64_t *starts, wrc_list *literals)
{
    wrc_draft       *draft = from->draft;
    const wrc_model *model = &draft->model;
    wrc_token        sign = wrc_token_at(from->source, from->at, true);
    bool             negative = wrc_token_is(&sign, "-");
    uint64_t         symbol = 0;
    if (!negative && !wrc_token_is(&sign, "+"))
        return wrc_scan_expected(draft->complaint, (wrc_place){ from->source, sign.at },
                                 "'-' or '+'");
    from->at = sign.next;
    if (!next_number(from, "a symbol of the model", starts[model->parameter_count] - 1, &symbol))
        return false;
    uint32_t    parameter = owner(starts, model->parameter_count, &symbol);
    wrc_formula literal =
        wrc_formula_compared(draft->memory, model, parameter,
                             negative ? WRC_OP_UNEQUAL : WRC_OP_EQUAL, (int64_t)symbol);
    return (literal && wrc_list_add(literals, &literal, sizeof literal)) ||
           wrc_draft_out_of_memory(draft);
}

static bool read_clause(numbers *from, const uint64_t *starts)
{
    wrc_draft  *draft = from->draft;
    uint64_t    length = 0;
    wrc_list    literals = { 0 };
    const char *start = from->at;
    bool        fine = next_number(from, "the length of a clause", UINT32_MAX, &length);
    for (uint64_t i = 0; fine && i < length; i++)
        fine = read_literal(from, starts, &literals);
    if (fine) {
        wrc_formula clause = wrc_formula_join(draft->memory, &draft->model, WRC_OP_OR,
                                              literals.items, literals.count);
        wrc_token   first = wrc_token_at(from->source, start, true);
        first = wrc_token_at(from->source, first.next, true); /* behind the length */
        size_t written = first.at < from->at ? (size_t)(from->at - first.at) : 0;
        fine = clause ? wrc_draft_constraint(draft, clause, first.at, written,
                                             line_of(from, first.at))
                      : wrc_draft_out_of_memory(draft);
    }
    free(literals.items);
    return fine;
}

/* The first symbol of each parameter; one more, for the end. */
static uint64_t *symbol_starts(const wrc_model *model)
{
    uint64_t *starts = calloc(model->parameter_count + 1, sizeof *starts);
    for (uint32_t p = 0; starts && p < model->parameter_count; p++)
        starts[p + 1] = starts[p] + model->parameters[p].levels;
    return starts;
}

static bool read_clauses(numbers *from)
{
    uint64_t  count = 0;
    uint64_t *starts = symbol_starts(&from->draft->model);
    if (!starts)
        return wrc_draft_out_of_memory(from->draft);
    bool fine = next_number(from, "the number of clauses", UINT32_MAX, &count);
    for (uint64_t i = 0; fine && i < count; i++)
        fine = read_clause(from, starts);
    free(starts);
    return fine && at_the_end(from, "the end of the file, for there are no more clauses");
}

bool wrc_read_casa(wrc_draft *draft, const wrc_source *source, const wrc_source *constraints)
{
    numbers model = { draft, source, source->text, source->text, 1 };
    if (!read_model(&model) || !wrc_draft_settle(draft))
        return false;
    if (!constraints)
        return true;
    numbers clauses = { draft, constraints, constraints->text, constraints->text, 1 };
    return read_clauses(&clauses);
}
