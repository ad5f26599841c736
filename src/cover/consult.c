/* cover/consult.c: what is known before the solver is asked, and what is learned from it. */
#include "cover/consult.h"

#include <stdlib.h>

#include "cover/expression.h"

enum {
    LEARNED = 1 << 16, /* tuples that are remembered */
    LONGEST = 8,       /* cells of one: longer ones are seldom met again */
};

/* ---- Opening and closing ---- */

static bool list_ends(wri_consult *c, wri_ends *ends)
{
    c->ends = ends;
    for (uint32_t v = 0; v < c->rules->variables; v++) {
        const wri_cuts *cuts = &c->clauses.cuts[v];
        uint32_t       *last = malloc((cuts->count + 1) * sizeof *last);
        if (last == NULL)
            return false;
        for (size_t i = 0; i < cuts->count; i++)
            last[i] = cuts->cuts[i].level;
        last[cuts->count] = c->rules->levels[v] - 1;
        ends[v] = (wri_ends){ (uint32_t)cuts->count + 1, last };
    }
    return true;
}

static bool reserve(wri_consult *c)
{
    size_t variables = c->rules->variables;
    c->cells = malloc(variables * sizeof *c->cells);
    c->chosen = malloc(variables * sizeof *c->chosen);
    c->before = malloc(variables * sizeof *c->before);
    c->spare = malloc(variables * sizeof *c->spare);
    c->placed = calloc(variables, sizeof *c->placed);
    c->solution = malloc(variables * sizeof *c->solution);
    c->assumed = malloc(2 * variables * sizeof *c->assumed);
    c->row = calloc(c->rules->model->parameter_count, sizeof *c->row);
    c->alone = malloc(c->rules->model->parameter_count * sizeof *c->alone);
    if (c->alone == NULL || c->cells == NULL || c->chosen == NULL || c->before == NULL || c->placed == NULL ||
        c->solution == NULL || c->assumed == NULL || c->row == NULL || c->spare == NULL)
        return false;
    for (uint32_t p = 0; p < c->rules->model->parameter_count; p++)
        c->alone[p] = WRI_ANY;
    return true;
}

wri_opening wri_consult_open(wri_consult *c, const wri_solver_engine *engine,
                             const wri_rules *rules, wri_ends *ends, const wri_rule **culprit)
{
    *c = (wri_consult){ .rules = rules };
    if (!wri_forbidden_open(&c->refused, rules->model) ||
        !wri_clauses_open(&c->clauses, engine, rules->model, rules->variables, rules->levels,
                          rules->variable_of))
        return WRI_NO_MEMORY;
    for (size_t r = 0; r < rules->count; r++)
        if (!wri_clauses_add(&c->clauses, rules->rules[r].holds, NULL)) {
            *culprit = &rules->rules[r];
            return WRI_TOO_LARGE;
        }
    if (!list_ends(c, ends) || !wri_values_open(&c->values, rules->variables, ends) ||
        !wri_known_open(&c->known, rules->variables, wri_values_count(&c->values)) || !reserve(c))
        return WRI_NO_MEMORY;
    return engine->solve(c->clauses.solver, NULL, 0) ? WRI_OPENED : WRI_CONTRADICTORY;
}

void wri_consult_close(wri_consult *c)
{
    wri_forbidden_close(&c->refused);
    wri_clauses_close(&c->clauses);
    wri_values_close(&c->values);
    wri_known_close(&c->known);
    wri_pairs_close(&c->pairs);
    void *all[] = { c->cells, c->chosen, c->before, c->placed, c->spare, c->row, c->alone,
                    c->solution, c->assumed };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *c = (wri_consult){ 0 };
}

/* ---- The cells of a question ---- */

static void choose(wri_consult *c, uint32_t variable, uint32_t level)
{
    c->cells[variable] = wri_value_of(&c->values, variable, level);
    c->chosen[c->chosen_count++] = variable;
}

/* Reads a row; `variable` comes last, with the level instead of its cell. False: a pair excludes
 * that, and the rest was not read. */
static bool read_row(wri_consult *c, const uint32_t *row, uint32_t variable, uint32_t level)
{
    const uint64_t *never = NULL;
    if (variable != WRI_ANY && c->pairs.never != NULL)
        never = wri_pairs_with(&c->pairs, wri_value_of(&c->values, variable, level));
    c->chosen_count = 0;
    for (uint32_t v = 0; v < c->rules->variables; v++) {
        uint32_t cell = row[c->rules->parameters[v]];
        if (cell == WRI_ANY || v == variable)
            continue;
        choose(c, v, cell);
        if (never != NULL && wri_pairs_is_in(never, c->cells[v]))
            return false;
    }
    if (variable != WRI_ANY)
        choose(c, variable, level);
    return never == NULL || !wri_pairs_is_in(never, c->cells[variable]);
}

/* Brings what the solver was asked last to the front, as it came then: it has followed it. */
static void arrange(wri_consult *c)
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

static void prepare(wri_consult *c)
{
    if (!c->prepared)
        wri_pairs_open(&c->pairs, &c->clauses, &c->values, &c->known);
    c->prepared = true;
}

/* Whether two of the chosen cells exclude each other. */
static bool has_never_pair(const wri_consult *c)
{
    if (c->pairs.never == NULL)
        return false;
    for (uint32_t i = 0; i < c->chosen_count; i++) {
        const uint64_t *never = wri_pairs_with(&c->pairs, c->cells[c->chosen[i]]);
        for (uint32_t k = 0; k <= i; k++)
            if (wri_pairs_is_in(never, c->cells[c->chosen[k]]))
                return true;
    }
    return false;
}

static bool holds_refused(const wri_consult *c, const uint32_t *row, bool last_only)
{
    if (c->refused.tuples == 0)
        return false;
    for (uint32_t i = last_only ? c->chosen_count - 1 : 0; i < c->chosen_count; i++) {
        uint32_t v = c->chosen[i];
        uint32_t level = wri_value_level(&c->values, v, c->cells[v]);
        if (wri_forbidden_by(&c->refused, row, c->rules->parameters[v], level))
            return true;
    }
    return false;
}

/* Whether a complete row in c->row holds the variable's rules. */
static bool holds_rules_of(const wri_consult *c, uint32_t v)
{
    const wri_rules *rules = c->rules;
    for (size_t i = rules->starts[v]; i < rules->starts[v + 1]; i++)
        if (!wri_expression_holds(rules->model, rules->rules[rules->of[i]].holds, c->row))
            return false;
    return true;
}

static bool holds_all_rules(const wri_consult *c)
{
    for (size_t r = 0; r < c->rules->count; r++)
        if (!wri_expression_holds(c->rules->model, c->rules->rules[r].holds, c->row))
            return false;
    return true;
}

/* Writes a row of values into c->row. */
static void spell(const wri_consult *c, const uint32_t *values)
{
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->row[c->rules->parameters[v]] = wri_value_level(&c->values, v, values[v]);
}

/* Whether a known row holds with the last of the chosen cells changed; then that is known, too. */
static bool can_be_changed(wri_consult *c, uint32_t known)
{
    uint32_t last = c->chosen[c->chosen_count - 1];
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->solution[v] = wri_known_row(&c->known, known)[v];
    c->solution[last] = c->cells[last];
    spell(c, c->solution);
    if (!holds_rules_of(c, last))
        return false;
    wri_known_add(&c->known, c->solution);
    return true;
}

static bool is_shown(wri_consult *c)
{
    uint32_t found[WRI_KNOWN_FOUND];
    uint32_t last = c->chosen[c->chosen_count - 1];
    if (wri_known_find(&c->known, c->cells, c->chosen, c->chosen_count, found) > 0)
        return true;
    uint32_t count =
        wri_known_find(&c->known, c->cells, c->chosen, c->chosen_count - 1, found);
    for (uint32_t i = 0; i < count; i++)
        if (wri_known_row(&c->known, found[i])[last] != c->cells[last] &&
            can_be_changed(c, found[i]))
            return true;
    return false;
}

/* ---- The solver ---- */

static size_t literals_of(const wri_consult *c, uint32_t v, int *literals)
{
    return wri_clauses_cell(&c->clauses, v, wri_value_level(&c->values, v, c->cells[v]), literals);
}

static bool solve(wri_consult *c)
{
    size_t count = 0;
    arrange(c);
    for (uint32_t i = 0; i < c->before_count; i++)
        count += literals_of(c, c->before[i], &c->assumed[count]);
    return c->clauses.engine->solve(c->clauses.solver, c->assumed, count);
}

static void keep_solution(wri_consult *c)
{
    for (uint32_t v = 0; v < c->rules->variables; v++)
        c->solution[v] =
            wri_value_of(&c->values, v, wri_clauses_solution(&c->clauses, v).from);
    wri_known_add(&c->known, c->solution);
}

/* The levels around a cell's that no rule tells from it, as far as a part can hold them. */
static wri_part part_of(const wri_consult *c, uint32_t v)
{
    uint32_t from = wri_value_level(&c->values, v, c->cells[v]);
    uint32_t width = c->ends[v].last[c->cells[v] - c->values.first[v]] - from + 1;
    return (wri_part){ c->rules->parameters[v], from,
                       width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1 };
}

static bool is_needed(const wri_consult *c, uint32_t v)
{
    int    literals[2];
    bool   needed = false;
    size_t count = literals_of(c, v, literals);
    for (size_t i = 0; i < count; i++)
        needed |= c->clauses.engine->failed(c->clauses.solver, literals[i]);
    return needed;
}

/* Remembers the cells that the solver needed to say no, if they are few. */
static void learn(wri_consult *c)
{
    wri_part parts[LONGEST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->chosen_count; i++) {
        if (!is_needed(c, c->chosen[i]))
            continue;
        if (count == LONGEST)
            return;
        parts[count++] = part_of(c, c->chosen[i]);
    }
    if (count > 0 && c->refused.tuples < LEARNED)
        wri_forbidden_add(&c->refused, parts, count); /* without memory it is asked again */
}

static bool ask_solver(wri_consult *c)
{
    bool allowed = solve(c);
    if (allowed)
        keep_solution(c);
    else
        learn(c);
    return allowed;
}

/* ---- Answers ---- */

bool wri_consult_row(wri_consult *c, const uint32_t *row, uint32_t variable, uint32_t level)
{
    bool last_only = variable != WRI_ANY;
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

bool wri_consult_knows(wri_consult *c, uint32_t count)
{
    prepare(c);
    return c->pairs.never != NULL && count <= 2;
}

bool wri_consult_tuple(wri_consult *c, const uint32_t *variables, const uint32_t *levels,
                       uint32_t count)
{
    uint32_t found[WRI_KNOWN_FOUND];
    prepare(c);
    if (c->pairs.never != NULL && count == 2)
        return !wri_pairs_never(&c->pairs, wri_value_of(&c->values, variables[0], levels[0]),
                                wri_value_of(&c->values, variables[1], levels[1]));
    c->chosen_count = 0;
    for (uint32_t i = 0; i < count; i++)
        choose(c, variables[i], levels[i]);
    if (has_never_pair(c))
        return false;
    if (wri_known_find(&c->known, c->cells, c->chosen, count, found) > 0)
        return true;
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->rules->parameters[variables[i]]] = levels[i];
    bool refused = holds_refused(c, c->alone, false);
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->rules->parameters[variables[i]]] = WRI_ANY;
    return !refused && ask_solver(c);
}

void wri_consult_excluded(wri_consult *c, uint32_t variable, uint32_t level, wri_cell_taker *take,
                          void *state)
{
    prepare(c);
    if (c->pairs.never == NULL)
        return;
    const uint64_t *never = wri_pairs_with(&c->pairs, wri_value_of(&c->values, variable, level));
    for (uint32_t w = 0; w < c->pairs.words; w++)
        for (uint64_t rest = never[w]; rest != 0; rest &= rest - 1) {
            uint32_t value = w * 64 + (uint32_t)__builtin_ctzll(rest);
            uint32_t v = c->pairs.variable_of[value];
            uint32_t from = wri_value_level(&c->values, v, value);
            if (v != variable && c->ends[v].last[value - c->values.first[v]] == from)
                take(state, c->rules->parameters[v], from);
        }
}
