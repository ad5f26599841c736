/* cover/oracle/oracle.c: splits the constraints into components, and hands each question to its
 * component. */
#include "cover/oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "core/grow.h"
#include "cover/oracle/component.h"
#include "cover/model/expression.h"

enum {
    TUPLES = 1 << 10,
    EDGES = 1 << 21,
    TRIES = 8, /* random levels tried before all that are allowed are listed */
};

struct wrc_oracle {
    const wrc_model  *model;
    wrc_oracle_limits limits;
    uint32_t         *component_of, *variable_of; /* of each parameter */
    wrc_component    *components;
    uint32_t          component_count;
    wrc_rule         *rules; /* component by component */
    size_t            rule_count, rule_room;
    uint64_t         *bits; /* for the levels of one parameter */
};

wrc_oracle_limits wrc_oracle_defaults(void)
{
    return (wrc_oracle_limits){ .tuples = TUPLES, .edges = EDGES };
}

static bool no_memory(wrc_complaint *complaint)
{
    return wrc_model_complain(complaint, "not enough memory for the constraints");
}

/* ---- Naming constraints ---- */

static void append(wrc_complaint *complaint, const char *text)
{
    size_t length = strlen(complaint->text);
    snprintf(complaint->text + length, sizeof complaint->text - length, "%s", text);
}

/* "line 3: a = 1", or without a line the constraint alone. */
static void append_constraint(wrc_complaint *complaint, const wrc_constraint *constraint)
{
    char line[32] = "";
    if (constraint->line > 0)
        snprintf(line, sizeof line, "line %u: ", (unsigned)constraint->line);
    append(complaint, line);
    append(complaint, constraint->text != NULL ? constraint->text : "a constraint");
}

/* Names each constraint that is in the set; where they do not all fit, how many more there are.
 */
static void append_constraints(wrc_complaint *complaint, const wrc_model *model, const bool *in)
{
    char   rest[40];
    size_t left = 0, named = 0;
    for (uint32_t i = 0; i < model->constraint_count; i++)
        left += in[i];
    for (uint32_t i = 0; i < model->constraint_count; i++) {
        const char *text = model->constraints[i].text;
        size_t      length = strlen(complaint->text) + (text == NULL ? 12 : strlen(text));
        if (!in[i])
            continue;
        if (named > 0 && length + 64 > sizeof complaint->text) {
            snprintf(rest, sizeof rest, "; and %zu more", left);
            append(complaint, rest);
            return;
        }
        append(complaint, named++ > 0 ? "; " : "");
        append_constraint(complaint, &model->constraints[i]);
        left--;
    }
}

/* ---- Contradictions ---- */

static bool complain_of_contradiction(const wrc_component *c, wrc_complaint *complaint)
{
    size_t count = 0;
    bool  *in = calloc(c->rules.model->constraint_count, sizeof *in);
    if (in == NULL)
        return no_memory(complaint);
    for (size_t r = 0; r < c->rules.count; r++)
        in[c->rules.rules[r].constraint] = true;
    wrc_ways[c->way].reduce(c, in);
    for (uint32_t i = 0; i < c->rules.model->constraint_count; i++)
        count += in[i];
    wrc_model_complain(complaint, "no row can satisfy %s: ",
                       count == 1 ? "this constraint" : "these constraints together");
    append_constraints(complaint, c->rules.model, in);
    free(in);
    return false;
}

/* ---- Splitting ---- */

static bool add_rule(wrc_oracle *oracle, const wrc_expression *holds, uint32_t constraint)
{
    if (holds->op == WRC_OP_AND)
        return add_rule(oracle, holds->left, constraint) &&
               add_rule(oracle, holds->right, constraint);
    wrc_rule *rules =
        wri_grow(oracle->rules, sizeof *rules, oracle->rule_count, &oracle->rule_room);
    if (rules == NULL)
        return false;
    oracle->rules = rules;
    rules[oracle->rule_count++] = (wrc_rule){ holds, constraint };
    return true;
}

static uint32_t first_parameter(const wrc_expression *e)
{
    uint32_t found = WRC_ANY;
    for (; e != NULL && found == WRC_ANY; e = e->left) {
        if (e->op == WRC_OP_VALUE || e->op == WRC_OP_IN)
            return e->parameter;
        if (e->right != NULL)
            found = first_parameter(e->right);
    }
    return found;
}

static uint32_t leader(uint32_t *led_by, uint32_t p)
{
    while (led_by[p] != p)
        p = led_by[p] = led_by[led_by[p]];
    return p;
}

/* Unites the parameters of each expression. */
static void unite(uint32_t *led_by, const wrc_expression *e, uint32_t with)
{
    for (; e != NULL; e = e->left) {
        if (e->op == WRC_OP_VALUE || e->op == WRC_OP_IN)
            led_by[leader(led_by, e->parameter)] = leader(led_by, with);
        if (e->right != NULL)
            unite(led_by, e->right, with);
    }
}

/* Rules without a parameter are judged at once, and dropped. */
static bool judge_constants(wrc_oracle *oracle, wrc_complaint *complaint)
{
    size_t kept = 0;
    for (size_t r = 0; r < oracle->rule_count; r++) {
        wrc_rule rule = oracle->rules[r];
        if (first_parameter(rule.holds) != WRC_ANY)
            oracle->rules[kept++] = rule;
        else if (!wrc_expression_holds(oracle->model, rule.holds, NULL)) {
            wrc_model_complain(complaint, "no row can satisfy this constraint: ");
            append_constraint(complaint, &oracle->model->constraints[rule.constraint]);
            return false;
        }
    }
    oracle->rule_count = kept;
    return true;
}

/* Numbers the components in the order of their first parameters. */
static bool number_components(wrc_oracle *oracle)
{
    uint32_t  count = oracle->model->parameter_count;
    uint32_t *led_by = malloc(2 * ((size_t)count + 1) * sizeof *led_by);
    if (led_by == NULL)
        return false;
    uint32_t *number = led_by + count + 1;
    for (uint32_t p = 0; p < count; p++) {
        led_by[p] = p;
        number[p] = oracle->component_of[p] = WRC_ANY;
    }
    for (size_t r = 0; r < oracle->rule_count; r++) {
        uint32_t first = first_parameter(oracle->rules[r].holds);
        unite(led_by, oracle->rules[r].holds, first);
        oracle->component_of[first] = 0; /* it is in one; so are those that it leads to */
    }
    for (uint32_t p = 0; p < count; p++)
        if (oracle->component_of[p] != WRC_ANY)
            number[leader(led_by, p)] = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t *its = &number[leader(led_by, p)];
        if (*its == 0)
            *its = ++oracle->component_count; /* from 1 here */
        oracle->component_of[p] = *its == WRC_ANY ? WRC_ANY : *its - 1;
    }
    free(led_by);
    return true;
}

/* ---- Opening ---- */

/* Sorts the rules by component, as they come; *starts is where each one's begin. */
static bool sort_rules(wrc_oracle *oracle, size_t *starts)
{
    wrc_rule *sorted = malloc((oracle->rule_count + 1) * sizeof *sorted);
    if (sorted == NULL)
        return false;
    size_t count = 0;
    for (uint32_t k = 0; k < oracle->component_count; k++) {
        starts[k] = count;
        for (size_t r = 0; r < oracle->rule_count; r++)
            if (oracle->component_of[first_parameter(oracle->rules[r].holds)] == k)
                sorted[count++] = oracle->rules[r];
    }
    starts[oracle->component_count] = count;
    free(oracle->rules);
    oracle->rules = sorted;
    return true;
}

static bool open_component(wrc_oracle *oracle, uint32_t k, const size_t *starts,
                           wrc_complaint *complaint)
{
    const wrc_rule *culprit = NULL;
    uint32_t        count = 0;
    uint32_t       *parameters = malloc(oracle->model->parameter_count * sizeof *parameters);
    if (parameters == NULL)
        return no_memory(complaint);
    for (uint32_t p = 0; p < oracle->model->parameter_count; p++)
        if (oracle->component_of[p] == k)
            parameters[count++] = p;
    wrc_component *c = &oracle->components[k];
    switch (wrc_component_open(c, oracle->model, &oracle->limits, &oracle->rules[starts[k]],
                               starts[k + 1] - starts[k], parameters, count, oracle->variable_of,
                               &culprit)) {
    case WRC_OPENED: return true;
    case WRC_CONTRADICTORY: return complain_of_contradiction(c, complaint);
    case WRC_NO_MEMORY: return no_memory(complaint);
    case WRC_TOO_LARGE: break;
    }
    wrc_model_complain(complaint,
                       "this constraint ties too many values together to be decided: ");
    append_constraint(complaint, &oracle->model->constraints[culprit->constraint]);
    return false;
}

static bool open_components(wrc_oracle *oracle, wrc_complaint *complaint)
{
    size_t *starts = malloc((oracle->component_count + 1) * sizeof *starts);
    oracle->components = calloc(oracle->component_count + 1, sizeof *oracle->components);
    bool fine = starts != NULL && oracle->components != NULL && sort_rules(oracle, starts);
    if (!fine)
        no_memory(complaint);
    for (uint32_t k = 0; k < oracle->component_count && fine; k++)
        fine = open_component(oracle, k, starts, complaint);
    free(starts);
    return fine;
}

/* The most levels that a parameter with constraints has. */
static uint32_t most_levels(const wrc_oracle *oracle)
{
    uint32_t most = 0;
    for (uint32_t p = 0; p < oracle->model->parameter_count; p++)
        if (oracle->component_of[p] != WRC_ANY && oracle->model->parameters[p].levels > most)
            most = oracle->model->parameters[p].levels;
    return most;
}

static bool read_constraints(wrc_oracle *oracle, wrc_complaint *complaint)
{
    const wrc_model *model = oracle->model;
    oracle->component_of = malloc((model->parameter_count + 1) * sizeof *oracle->component_of);
    oracle->variable_of = calloc(model->parameter_count + 1, sizeof *oracle->variable_of);
    if (oracle->component_of == NULL || oracle->variable_of == NULL)
        return no_memory(complaint);
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (!add_rule(oracle, model->constraints[i].holds, i))
            return no_memory(complaint);
    if (!judge_constants(oracle, complaint))
        return false;
    if (!number_components(oracle))
        return no_memory(complaint);
    oracle->bits = malloc((most_levels(oracle) / 64 + 1) * sizeof *oracle->bits);
    if (oracle->bits == NULL)
        return no_memory(complaint);
    return open_components(oracle, complaint);
}

wrc_oracle *wrc_oracle_open_within(const wrc_model *model, const wrc_oracle_limits *limits,
                                   wrc_complaint *complaint)
{
    wrc_oracle *oracle = calloc(1, sizeof *oracle);
    if (oracle == NULL) {
        no_memory(complaint);
        return NULL;
    }
    oracle->model = model;
    oracle->limits = *limits;
    if (read_constraints(oracle, complaint))
        return oracle;
    wrc_oracle_close(oracle);
    return NULL;
}

wrc_oracle *wrc_oracle_open(const wrc_model *model, wrc_complaint *complaint)
{
    wrc_oracle_limits limits = wrc_oracle_defaults();
    return wrc_oracle_open_within(model, &limits, complaint);
}

void wrc_oracle_close(wrc_oracle *oracle)
{
    if (oracle == NULL)
        return;
    for (uint32_t k = 0; oracle->components != NULL && k < oracle->component_count; k++)
        wrc_component_close(&oracle->components[k]);
    free(oracle->components);
    free(oracle->component_of);
    free(oracle->variable_of);
    free(oracle->rules);
    free(oracle->bits);
    free(oracle);
}

/* ---- Questions ---- */

static const wrc_way *way_of(const wrc_oracle *oracle, uint32_t component)
{
    return &wrc_ways[oracle->components[component].way];
}

uint32_t wrc_oracle_component(const wrc_oracle *oracle, uint32_t parameter)
{
    return oracle->component_of[parameter];
}

uint32_t wrc_oracle_components(const wrc_oracle *oracle)
{
    return oracle->component_count;
}

wrc_oracle_way wrc_oracle_way_of(const wrc_oracle *oracle, uint32_t component)
{
    return oracle->components[component].way;
}

bool wrc_oracle_gave_up(const wrc_oracle *oracle)
{
    for (uint32_t k = 0; k < oracle->component_count; k++)
        if (oracle->components[k].halving.gave_up)
            return true;
    return false;
}

bool wrc_oracle_allows(wrc_oracle *oracle, const uint32_t *row)
{
    for (uint32_t k = 0; k < oracle->component_count; k++)
        if (!way_of(oracle, k)->allows(&oracle->components[k], row, WRC_ANY, 0))
            return false;
    return true;
}

bool wrc_oracle_allows_level(wrc_oracle *oracle, const uint32_t *row, uint32_t parameter,
                             uint32_t level)
{
    uint32_t k = oracle->component_of[parameter];
    return k == WRC_ANY || way_of(oracle, k)->allows(&oracle->components[k], row,
                                                     oracle->variable_of[parameter], level);
}

bool wrc_oracle_allows_tuple(wrc_oracle *oracle, const uint32_t *parameters,
                             const uint32_t *levels, uint32_t count)
{
    uint32_t       variables[count + 1];
    wrc_component *c = &oracle->components[oracle->component_of[parameters[0]]];
    for (uint32_t i = 0; i < count; i++)
        variables[i] = oracle->variable_of[parameters[i]];
    return wrc_ways[c->way].allows_tuple(c, variables, levels, count);
}

bool wrc_oracle_knows(wrc_oracle *oracle, uint32_t component, uint32_t count)
{
    return way_of(oracle, component)->knows(&oracle->components[component], count);
}

void wrc_oracle_excluded(wrc_oracle *oracle, uint32_t parameter, uint32_t level,
                         wrc_cell_taker *take, void *state)
{
    uint32_t k = oracle->component_of[parameter];
    if (k != WRC_ANY && way_of(oracle, k)->excluded != NULL)
        way_of(oracle, k)->excluded(&oracle->components[k], oracle->variable_of[parameter], level,
                                    take, state);
}

uint32_t wrc_oracle_cost(const wrc_oracle *oracle, uint32_t parameter)
{
    uint32_t k = oracle->component_of[parameter];
    return k == WRC_ANY ? 0 : way_of(oracle, k)->cost(&oracle->components[k]);
}

static uint32_t count_bits(const uint64_t *bits, uint32_t levels)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < (levels + 63) / 64; w++)
        count += (uint32_t)__builtin_popcountll(bits[w]);
    return count;
}

uint32_t wrc_oracle_levels(wrc_oracle *oracle, const uint32_t *row, uint32_t parameter,
                           uint64_t *bits)
{
    uint32_t levels = oracle->model->parameters[parameter].levels;
    uint32_t k = oracle->component_of[parameter];
    if (k != WRC_ANY) {
        way_of(oracle, k)->levels(&oracle->components[k], row, oracle->variable_of[parameter],
                                  bits);
        return count_bits(bits, levels);
    }
    memset(bits, 0xff, (levels + 63) / 64 * sizeof *bits);
    if (levels % 64 != 0)
        bits[levels / 64] = (UINT64_C(1) << levels % 64) - 1;
    return levels;
}

/* ---- Completing ---- */

/* The level whose bit comes after `skip` that are set. */
static uint32_t level_after(const uint64_t *bits, uint32_t skip)
{
    uint32_t word = 0, count;
    while (skip >= (count = (uint32_t)__builtin_popcountll(bits[word]))) {
        skip -= count;
        word++;
    }
    uint64_t rest = bits[word];
    while (skip-- > 0)
        rest &= rest - 1;
    return word * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* Any allowed level as likely as any other: a few at a venture, or else one of the list. */
static uint32_t random_level(wrc_oracle *oracle, wrc_component *c, const uint32_t *row,
                             uint32_t v, uint64_t *random)
{
    const wrc_way *way = &wrc_ways[c->way];
    for (int i = 0; i < TRIES; i++) {
        uint32_t level = (uint32_t)wri_prng_scale(wri_prng_next(random), c->levels[v] - 1);
        if (way->allows(c, row, v, level))
            return level;
    }
    if (!way->lists)
        return way->level(c, row, v);
    way->levels(c, row, v, oracle->bits);
    uint32_t allowed = count_bits(oracle->bits, c->levels[v]);
    return level_after(oracle->bits,
                       (uint32_t)wri_prng_scale(wri_prng_next(random), allowed - 1));
}

void wrc_oracle_complete(wrc_oracle *oracle, uint32_t *row, uint64_t *random)
{
    for (uint32_t p = 0; p < oracle->model->parameter_count; p++) {
        uint32_t k = oracle->component_of[p], v = oracle->variable_of[p];
        if (k == WRC_ANY || row[p] != WRC_ANY)
            continue;
        wrc_component *c = &oracle->components[k];
        row[p] = random != NULL ? random_level(oracle, c, row, v, random)
                                : wrc_ways[c->way].level(c, row, v);
    }
}

bool wrc_oracle_row_holds(const wrc_model *model, const uint32_t *row)
{
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (!wrc_expression_holds(model, model->constraints[i].holds, row))
            return false;
    return true;
}
