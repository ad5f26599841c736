/* cover/oracle/by_solver.c: answers from what is known, asks the solver otherwise, and learns
 * from its answer. */
#include "cover/oracle/by_solver.h"

#include <stdlib.h>

#include "cover/model/expression.h"

enum {
    LEARNED = 1 << 16, /* tuples that are remembered */
    LONGEST = 8,       /* cells of one: longer ones are seldom met again */
};

/* ---- Opening and closing ---- */

static bool list_ends(wrc_consult *c, wrc_ends *ends)
{
    c->ends = ends;
    for (uint32_t v = 0; v < c->rules->variables; v++) {
        const wrc_cuts *cuts = &c->clauses.cuts[v];
        uint32_t       *last = wrc_blocks_take(&c->blocks, cuts->count + 1, sizeof *last);
        if (last == NULL)
            return false;
        for (size_t i = 0; i < cuts->count; i++)
            last[i] = cuts->cuts[i].level;
        last[cuts->count] = c->rules->levels[v] - 1;
        ends[v] = (wrc_ends){ (uint32_t)cuts->count + 1, last };
    }
    return true;
}

static bool reserve(wrc_consult *c)
{
    size_t variables = c->rules->variables;
    size_t parameters = c->rules->model->parameter_count;
    c->cells = wrc_blocks_take(&c->blocks, variables, sizeof *c->cells);
    c->chosen = wrc_blocks_take(&c->blocks, variables, sizeof *c->chosen);
    c->before = wrc_blocks_take(&c->blocks, variables, sizeof *c->before);
    c->spare = wrc_blocks_take(&c->blocks, variables, sizeof *c->spare);
    c->placed = wrc_blocks_take(&c->blocks, variables, sizeof *c->placed);
    c->solution = wrc_blocks_take(&c->blocks, variables, sizeof *c->solution);
    c->assumed = wrc_blocks_take(&c->blocks, 2 * variables, sizeof *c->assumed);
    c->row = wrc_blocks_take(&c->blocks, parameters, sizeof *c->row);
    c->alone = wrc_blocks_take(&c->blocks, parameters, sizeof *c->alone);
    for (size_t p = 0; c->alone != NULL && p < parameters; p++)
        c->alone[p] = WRC_ANY;
    return !c->blocks.failed;
}

wrc_opening wrc_consult_open(wrc_consult *c, const wrc_rules *rules, wrc_ends *ends,
                             const wrc_rule **culprit)
{
    *c = (wrc_consult){ .rules = rules };
    if (!wrc_forbidden_open(&c->refused, rules->model) || !wrc_clauses_open(&c->clauses, rules))
        return WRC_NO_MEMORY;
    for (size_t r = 0; r < rules->count; r++)
        if (!wrc_clauses_add(&c->clauses, rules->rules[r].holds, NULL)) {
            *culprit = &rules->rules[r];
            return WRC_TOO_LARGE;
        }
    if (!list_ends(c, ends) || !wrc_value_classes_open(&c->values, rules->variables, ends) ||
        !wrc_known_open(&c->known, rules->variables, wrc_value_classes_count(&c->values)) ||
        !reserve(c))
        return WRC_NO_MEMORY;
    return wrc_solver_solve(c->clauses.solver, NULL, 0) ? WRC_OPENED : WRC_CONTRADICTORY;
}

void wrc_consult_close(wrc_consult *c)
{
    wrc_forbidden_close(&c->refused);
    wrc_clauses_close(&c->clauses);
    wrc_value_classes_close(&c->values);
    wrc_known_close(&c->known);
    wrc_pairs_close(&c->pairs);
    wrc_blocks_free(&c->blocks);
    *c = (wrc_consult){ 0 };
}

/* ---- The cells of a question ---- */

static void choose(wrc_consult *c, uint32_t variable, uint32_t level)
{
    c->cells[variable] = wrc_values_at(&c->values, variable, level);
    c->chosen[c->chosen_count++] = variable;
}

/* Reads a row; `variable` comes last, with the level instead of its cell. False: a pair excludes
 * that, and the rest was not read. */
static bool read_row(wrc_consult *c, const uint32_t *row, uint32_t variable, uint32_t level)
{
    const uint64_t *never = NULL;
    if (variable != WRC_ANY && c->pairs.never != NULL)
        never = wrc_pairs_with(&c->pairs, wrc_values_at(&c->values, variable, level));
    c->chosen_count = 0;
    for (uint32_t v = 0; v < c->rules->variables; v++) {
        uint32_t cell = row[c->rules->parameters[v]];
        if (cell == WRC_ANY || v == variable)
            continue;
        choose(c, v, cell);
        if (never != NULL && wrc_pairs_is_in(never, c->cells[v]))
            return false;
    }
    if (variable != WRC_ANY)
        choose(c, variable, level);
    return never == NULL || !wrc_pairs_is_in(never, c->cells[variable]);
}

/* Brings what the solver was asked last to the front, as it came then: it has followed it. */
static void arrange(wrc_consult *c)
{
    uint32_t *arranged = c->spare, count = 0, last = c->chosen[c->chosen_count - 1];
    for (uint32_t i = 0; i + 1 < c->chosen_count; i++)
        c->placed[c->chosen[i]] = true;
    for (uint32_t i = 0; i < c->before_count; i++)
        if (c->placed[c->before[i]]) {
            arranged[count++] = c->before[i];
            c->placed[c->before[i]] = false;
        }
    for (uint32_t i = 0; i + 1 < c->chosen_count; i++)
        if (c->placed[c->chosen[i]]) {
            arranged[count++] = c->chosen[i];
            c->placed[c->chosen[i]] = false;
        }
    arranged[count++] = last;
    c->spare = c->before;
    c->before = arranged;
    c->before_count = count;
}

/* ---- What is known ---- */

static void prepare(wrc_consult *c)
{
    if (!c->prepared)
        wrc_pairs_open(&c->pairs, &c->clauses, &c->values, &c->known);
    c->prepared = true;
}

/* Whether two of the chosen cells exclude each other. */
static bool has_never_pair(const wrc_consult *c)
{
    if (c->pairs.never == NULL)
        return false;
    for (uint32_t i = 0; i < c->chosen_count; i++) {
        const uint64_t *never = wrc_pairs_with(&c->pairs, c->cells[c->chosen[i]]);
        for (uint32_t k = 0; k <= i; k++)
            if (wrc_pairs_is_in(never, c->cells[c->chosen[k]]))
                return true;
    }
    return false;
}

static bool holds_refused(const wrc_consult *c, const uint32_t *row, bool last_only)
{
    if (c->refused.tuples == 0)
        return false;
    for (uint32_t i = last_only ? c->chosen_count - 1 : 0; i < c->chosen_count; i++) {
        uint32_t v = c->chosen[i];
        uint32_t level = wrc_value_classes_level(&c->values, v, c->cells[v]);
        if (wrc_forbidden_by(&c->refused, row, c->rules->parameters[v], level))
            return true;
    }
    return false;
}

/* Whether a complete row in c->row holds the variable's rules. */
static bool holds_rules_of(const wrc_consult *c, uint32_t v)
{
    const wrc_rules *rules = c->rules;
    for (size_t i = rules->starts[v]; i < rules->starts[v + 1]; i++)
        if (!wrc_expression_holds(rules->model, rules->rules[rules->of[i]].holds, c->row))
            return false;
    return true;
}

static bool holds_all_rules(const wrc_consult *c)
{
    for (size_t r = 0; r < c->rules->count; r++)
        if (!wrc_expression_holds(c->rules->model, c->rules->rules[r].holds, c->row))
            return false;
    return true;
}

/* Writes a row of values into c->row. */
static void spell(const wrc_consult *c, const uint32_t *values)
{
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->row[c->rules->parameters[v]] = wrc_value_classes_level(&c->values, v, values[v]);
}

/* Whether a known row holds with the last of the chosen cells changed; then that is known, too.
 */
static bool can_be_changed(wrc_consult *c, uint32_t known)
{
    uint32_t last = c->chosen[c->chosen_count - 1];
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->solution[v] = wrc_known_row(&c->known, known)[v];
    c->solution[last] = c->cells[last];
    spell(c, c->solution);
    if (!holds_rules_of(c, last))
        return false;
    wrc_known_add(&c->known, c->solution);
    return true;
}

static bool is_shown(wrc_consult *c)
{
    uint32_t found[WRC_KNOWN_FOUND];
    uint32_t last = c->chosen[c->chosen_count - 1];
    if (wrc_known_find(&c->known, c->cells, c->chosen, c->chosen_count, found) > 0)
        return true;
    uint32_t count = wrc_known_find(&c->known, c->cells, c->chosen, c->chosen_count - 1, found);
    for (uint32_t i = 0; i < count; i++)
        if (wrc_known_row(&c->known, found[i])[last] != c->cells[last] &&
            can_be_changed(c, found[i]))
            return true;
    return false;
}

/* ---- The solver ---- */

static size_t literals_of(const wrc_consult *c, uint32_t v, int *literals)
{
    return wrc_clauses_cell(&c->clauses, v, wrc_value_classes_level(&c->values, v, c->cells[v]),
                            literals);
}

static bool solve(wrc_consult *c)
{
    size_t count = 0;
    arrange(c);
    for (uint32_t i = 0; i < c->before_count; i++)
        count += literals_of(c, c->before[i], &c->assumed[count]);
    return wrc_solver_solve(c->clauses.solver, c->assumed, count);
}

static void keep_solution(wrc_consult *c)
{
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->solution[v] = wrc_values_at(&c->values, v, wrc_clauses_solution(&c->clauses, v).from);
    wrc_known_add(&c->known, c->solution);
}

/* The levels around a cell's that no rule tells from it, as far as a part can hold them. */
static wrc_part part_of(const wrc_consult *c, uint32_t v)
{
    uint32_t from = wrc_value_classes_level(&c->values, v, c->cells[v]);
    uint32_t width = c->ends[v].last[c->cells[v] - c->values.first[v]] - from + 1;
    return (wrc_part){ c->rules->parameters[v], from,
                       width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1 };
}

static bool is_needed(const wrc_consult *c, uint32_t v)
{
    int    literals[2];
    bool   needed = false;
    size_t count = literals_of(c, v, literals);
    for (size_t i = 0; i < count; i++)
        needed |= wrc_solver_failed(c->clauses.solver, literals[i]);
    return needed;
}

/* Remembers the cells that the solver needed to say no, if they are few. */
static void learn(wrc_consult *c)
{
    wrc_part parts[LONGEST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->chosen_count; i++) {
        if (!is_needed(c, c->chosen[i]))
            continue;
        if (count == LONGEST)
            return;
        parts[count++] = part_of(c, c->chosen[i]);
    }
    if (count > 0 && c->refused.tuples < LEARNED)
        wrc_forbidden_add(&c->refused, parts, count); /* without memory it is asked again */
}

static bool ask_solver(wrc_consult *c)
{
    bool allowed = solve(c);
    if (allowed)
        keep_solution(c);
    else
        learn(c);
    return allowed;
}

/* ---- Answers ---- */

bool wrc_consult_row(wrc_consult *c, const uint32_t *row, uint32_t variable, uint32_t level)
{
    bool last_only = variable != WRC_ANY;
    if (!read_row(c, row, variable, level))
        return false;
    if (c->chosen_count == c->rules->variables) {
        spell(c, c->cells);
        return last_only ? holds_rules_of(c, variable) : holds_all_rules(c);
    }
    prepare(c);
    if ((!last_only && has_never_pair(c)) || holds_refused(c, row, last_only))
        return false;
    return c->chosen_count == 0 || is_shown(c) || ask_solver(c);
}

bool wrc_consult_knows(wrc_consult *c, uint32_t count)
{
    prepare(c);
    return c->pairs.never != NULL && count <= 2;
}

bool wrc_consult_tuple(wrc_consult *c, const uint32_t *variables, const uint32_t *levels,
                       uint32_t count)
{
    uint32_t found[WRC_KNOWN_FOUND];
    prepare(c);
    if (c->pairs.never != NULL && count == 2)
        return !wrc_pairs_never(&c->pairs, wrc_values_at(&c->values, variables[0], levels[0]),
                                wrc_values_at(&c->values, variables[1], levels[1]));
    c->chosen_count = 0;
    for (uint32_t i = 0; i < count; i++)
        choose(c, variables[i], levels[i]);
    if (has_never_pair(c))
        return false;
    if (wrc_known_find(&c->known, c->cells, c->chosen, count, found) > 0)
        return true;
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->rules->parameters[variables[i]]] = levels[i];
    bool refused = holds_refused(c, c->alone, false);
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->rules->parameters[variables[i]]] = WRC_ANY;
    return !refused && ask_solver(c);
}

void wrc_consult_excluded(wrc_consult *c, uint32_t variable, uint32_t level, wrc_cell_taker *take,
                          void *state)
{
    prepare(c);
    if (c->pairs.never == NULL)
        return;
    const uint64_t *never = wrc_pairs_with(&c->pairs, wrc_values_at(&c->values, variable, level));
    for (uint32_t w = 0; w < c->pairs.words; w++)
        for (uint64_t rest = never[w]; rest != 0; rest &= rest - 1) {
            uint32_t value = w * 64 + (uint32_t)__builtin_ctzll(rest);
            uint32_t v = c->pairs.variable_of[value];
            uint32_t from = wrc_value_classes_level(&c->values, v, value);
            if (v != variable && c->ends[v].last[value - c->values.first[v]] == from)
                take(state, c->rules->parameters[v], from);
        }
}
