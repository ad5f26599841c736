/* cover/check/check.c: compares the rows of an array with the relations of the model.
 *
 * Rows without invalid values count for tuples of valid values. For each parameter with invalid
 * values, the rows with one of them count for the tuples that contain it. For a tuple that is not
 * covered, cover/check/witness.h decides whether a row can have it.
 */
#include "cover/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/model/blocks.h"
#include "cover/model/cpu.h"
#include "cover/model/list.h"
#include "cover/check/census.h"
#include "cover/check/witness.h"

#define MOST_HELD ((uint64_t)1 << 32) /* bytes of rows */
#define USUALLY_SHOWN 20
#define CLOCK_LOOKS 16 /* at rows or combinations, between two at the clock */

struct wrc_checker {
    const wrc_model *model;
    wrc_list         rows;
    wrc_tuple_taker *infeasible; /* or NULL */
    void            *state;
    uint64_t         most_shown; /* missing tuples that are listed */
};

wrc_checker *wrc_checker_open(const wrc_model *model, wrc_complaint *complaint)
{
    wrc_checker *checker = calloc(1, sizeof *checker);
    if (!checker) {
        wrc_model_complain(complaint, "out of memory");
        return NULL;
    }
    checker->model = model;
    checker->most_shown = USUALLY_SHOWN;
    return checker;
}

bool wrc_checker_row(wrc_checker *checker, const uint32_t *row, wrc_complaint *complaint)
{
    size_t bytes = checker->model->parameter_count * sizeof *row;
    if (checker->rows.count * (uint64_t)bytes > MOST_HELD)
        return wrc_model_complain(complaint, "too many rows to check: more than %zu are not held",
                                  checker->rows.count);
    return wrc_list_add(&checker->rows, row, bytes) ||
           wrc_model_complain(complaint, "out of memory");
}

void wrc_checker_close(wrc_checker *checker)
{
    if (checker)
        free(checker->rows.items);
    free(checker);
}

void wrc_checker_list(wrc_checker *checker, wrc_tuple_taker *infeasible, void *state)
{
    checker->infeasible = infeasible;
    checker->state = state;
}

void wrc_checker_show(wrc_checker *checker, uint64_t most)
{
    checker->most_shown = most;
}

uint64_t wrc_checker_rows(const wrc_checker *checker)
{
    return checker->rows.count;
}

static const uint32_t *row_at(const wrc_checker *checker, uint64_t r)
{
    return (const uint32_t *)checker->rows.items + r * checker->model->parameter_count;
}

/* ---- Rows that should not be there --------------------------------------------------------- */

/* The parameter whose value is invalid; WRC_ANY: none is. *count says how many are. */
static uint32_t invalid_parameter(const wrc_model *model, const uint32_t *row, uint32_t *count)
{
    uint32_t found = WRC_ANY;
    *count = 0;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        if (row[p] != WRC_ANY && row[p] >= wrc_parameter_valid_levels(&model->parameters[p])) {
            found = p;
            ++*count;
        }
    return found;
}

static bool has_open_cell(const wrc_model *model, const uint32_t *row)
{
    for (uint32_t p = 0; p < model->parameter_count; p++)
        if (row[p] == WRC_ANY)
            return true;
    return false;
}

static bool is_late(double until)
{
    return until > 0 && wrc_cpu_seconds() > until;
}

bool wrc_checker_faults(wrc_checker *checker, double until, wrc_faults *faults)
{
    memset(faults, 0, sizeof *faults);
    for (uint64_t r = 0; r < checker->rows.count; r++) {
        if (r % CLOCK_LOOKS == 0 && is_late(until))
            return false;
        const uint32_t       *row = row_at(checker, r);
        uint32_t              invalid;
        const wrc_constraint *constraint = wrc_witness_broken_constraint(checker->model, row);
        invalid_parameter(checker->model, row, &invalid);
        bool open = has_open_cell(checker->model, row);
        faults->broken += constraint != NULL;
        faults->crowded += invalid > 1;
        faults->open += open;
        if (faults->example == 0 && (constraint || invalid > 1 || open)) {
            faults->example = r + 1;
            faults->constraint = constraint;
        }
    }
    return true;
}

/* ---- The rows of one kind ------------------------------------------------------------------ */

/* The rows without invalid values, or with one of one parameter (`with`), by columns. That
 * parameter's levels are only its invalid ones here, from 0. */
typedef struct part {
    wrc_census census;
    wrc_blocks blocks;
    uint32_t   with;
    uint32_t  *levels;
    uint32_t **cells;
} part;

static bool belongs(const wrc_checker *checker, const uint32_t *row, uint32_t with)
{
    uint32_t count;
    return invalid_parameter(checker->model, row, &count) == with && count <= 1;
}

static bool make_columns(const wrc_checker *checker, part *p)
{
    const wrc_model *model = checker->model;
    uint32_t         columns = model->parameter_count;
    p->census = (wrc_census){ .columns = columns };
    p->levels = wrc_blocks_take(&p->blocks, columns, sizeof *p->levels);
    p->cells = wrc_blocks_take(&p->blocks, columns, sizeof *p->cells);
    if (p->blocks.failed)
        return false;
    for (uint64_t r = 0; r < checker->rows.count; r++)
        p->census.rows += belongs(checker, row_at(checker, r), p->with);
    for (uint32_t c = 0; c < columns; c++) {
        const wrc_parameter *parameter = &model->parameters[c];
        p->levels[c] = c == p->with ? parameter->invalid : wrc_parameter_valid_levels(parameter);
        p->cells[c] = wrc_blocks_take(&p->blocks, p->census.rows + 1, sizeof *p->cells[c]);
    }
    p->census.levels = p->levels;
    p->census.cells = p->cells;
    return !p->blocks.failed;
}

static bool make_part(const wrc_checker *checker, uint32_t with, part *p)
{
    const wrc_model *model = checker->model;
    *p = (part){ .with = with };
    if (!make_columns(checker, p))
        return false;
    uint64_t at = 0;
    for (uint64_t r = 0; r < checker->rows.count; r++) {
        const uint32_t *row = row_at(checker, r);
        if (!belongs(checker, row, with))
            continue;
        for (uint32_t c = 0; c < model->parameter_count; c++) {
            uint32_t shift = c == with ? wrc_parameter_valid_levels(&model->parameters[c]) : 0;
            p->cells[c][at] = row[c] == WRC_ANY ? WRC_ANY : row[c] - shift;
            p->census.open = p->census.open || row[c] == WRC_ANY;
        }
        at++;
    }
    return true;
}

/* ---- Counting ------------------------------------------------------------------------------ */

typedef struct count {
    const wrc_checker *checker;
    const wrc_model   *model;
    wrc_witness       *witness;
    wrc_coverage      *to;
    const part        *part;
    uint32_t           relation; /* that is looked at, of the model's; WRC_ANY: none of them */
    uint64_t           most;     /* feasible tuples of one combination, in this part */
    double             until;
    uint32_t          *levels;
    wrc_complaint     *complaint;
} count;

/* Whether an earlier relation has this combination at the same strength: it is counted once. */
static bool counted_before(const count *c, const wrc_combination *combination)
{
    for (uint32_t r = 0; c->relation != WRC_ANY && r < c->relation; r++) {
        const wrc_relation *relation = &c->model->relations[r];
        uint32_t            found = 0;
        if (relation->strength != combination->strength)
            continue;
        for (uint32_t i = 0; i < relation->count && found < combination->strength; i++)
            found += relation->parameters[i] == combination->columns[found];
        if (found == combination->strength)
            return true;
    }
    return false;
}

static bool show_missing(count *c, const wrc_combination *combination)
{
    uint32_t  t = combination->strength;
    wrc_list *list = &c->to->list;
    if (c->to->shown == c->checker->most_shown)
        return true;
    bool fine = wrc_list_add(list, &t, sizeof t);
    for (uint32_t i = 0; fine && i < t; i++)
        fine = wrc_list_add(list, &combination->columns[i], sizeof t);
    for (uint32_t i = 0; fine && i < t; i++)
        fine = wrc_list_add(list, &c->levels[i], sizeof t);
    c->to->shown++;
    return fine || wrc_model_complain(c->complaint, "out of memory");
}

/* One tuple that no row has. */
static bool count_absent(count *c, const wrc_combination *combination, uint64_t tuple,
                         uint64_t *infeasible)
{
    wrc_census_levels(&c->part->census, combination, tuple, c->levels);
    for (uint32_t i = 0; i < combination->strength; i++)
        if (combination->columns[i] == c->part->with)
            c->levels[i] += wrc_parameter_valid_levels(&c->model->parameters[c->part->with]);
    wrc_answer answer =
        wrc_witness_tuple(c->witness, combination->columns, c->levels, combination->strength);
    if (answer == WRC_ANSWER_NO || answer == WRC_ANSWER_NO_ELSE) {
        wrc_tuple found = { combination->strength, (uint32_t *)combination->columns, c->levels };
        if (c->checker->infeasible)
            c->checker->infeasible(c->checker->state, &found);
        ++*infeasible;
        c->to->searched += answer == WRC_ANSWER_NO;
        return true;
    }
    c->to->missing++;
    c->to->undecided += answer == WRC_ANSWER_UNKNOWN;
    return show_missing(c, combination);
}

static void count_share(wrc_coverage *to, uint64_t covered, uint64_t feasible)
{
    uint64_t percent = feasible == 0 ? 100 : covered * 100 / feasible;
    for (uint64_t i = 0; i <= percent; i++)
        to->at_least[i]++;
}

/* Looks at what is not covered, as far as there is something to find out about it. */
static bool count_uncovered(count *c, const wrc_combination *combination, uint64_t *infeasible)
{
    uint64_t left = combination->tuples - combination->covered;
    bool     unbound = wrc_witness_free(c->witness, combination->columns, combination->strength);
    for (uint64_t i = 0; left > 0; i++) {
        if (wrc_census_covered(combination, i))
            continue;
        if (unbound && c->to->shown == c->checker->most_shown) {
            c->to->missing += left;
            break;
        }
        if (!count_absent(c, combination, i, infeasible))
            return false;
        left--;
    }
    return true;
}

static bool count_combination(void *state, const wrc_combination *combination)
{
    count   *c = state;
    uint64_t infeasible = 0;
    if (counted_before(c, combination))
        return true;
    c->to->stopped = c->to->combinations % CLOCK_LOOKS == 0 && is_late(c->until);
    if (c->to->stopped)
        return false;
    if (!count_uncovered(c, combination, &infeasible))
        return false;
    c->to->combinations++;
    c->to->tuples += combination->tuples;
    c->to->covered += combination->covered;
    c->to->infeasible += infeasible;
    if (combination->tuples - infeasible > c->most)
        c->most = combination->tuples - infeasible;
    count_share(c->to, combination->covered, combination->tuples - infeasible);
    return true;
}

/* Everything that rows of one kind are to cover. */
static bool count_part(count *c, const wrc_relation *relations, uint32_t relation_count, bool own)
{
    for (uint32_t r = 0; r < relation_count; r++) {
        const wrc_relation *relation = &relations[r];
        c->relation = own ? r : WRC_ANY;
        if (relation->strength > c->to->strength)
            c->to->strength = relation->strength;
        if (!wrc_census_combinations(&c->part->census, relation->parameters, relation->count,
                                     relation->strength, c->part->with, count_combination, c,
                                     c->complaint))
            return false;
    }
    return true;
}

/* First the rows without invalid values, then those with one of each parameter that has some. */
static bool count_all(wrc_checker *checker, wrc_opinion second, const wrc_relation *relations,
                      uint32_t relation_count, bool own, wrc_coverage *coverage,
                      wrc_complaint *complaint)
{
    const wrc_model *model = checker->model;
    count            c = { .checker = checker,
                           .model = model,
                           .to = coverage,
                           .until = second.until,
                           .complaint = complaint };
    bool             fine = true;
    memset(coverage, 0, sizeof *coverage);
    c.witness = wrc_witness_open(model, second);
    c.levels = calloc(wrc_model_strongest(relations, relation_count) + 1, sizeof *c.levels);
    if (!c.witness || !c.levels)
        fine = wrc_model_complain(complaint, "out of memory");
    for (uint32_t p = 0; fine && p <= model->parameter_count; p++) {
        uint32_t with = p == 0 ? WRC_ANY : p - 1;
        part     rows;
        if (with != WRC_ANY && model->parameters[with].invalid == 0)
            continue;
        fine = make_part(checker, with, &rows) || wrc_model_complain(complaint, "out of memory");
        c.part = &rows;
        c.most = 0;
        fine = fine && count_part(&c, relations, relation_count, own);
        coverage->needed += c.most; /* no row is in two parts */
        wrc_blocks_free(&rows.blocks);
    }
    wrc_witness_close(c.witness);
    free(c.levels);
    coverage->stopped = coverage->stopped || is_late(c.until);
    return fine || coverage->stopped;
}

bool wrc_check(wrc_checker *checker, wrc_opinion second, wrc_coverage *coverage,
               wrc_complaint *complaint)
{
    return count_all(checker, second, checker->model->relations, checker->model->relation_count,
                     true, coverage, complaint);
}

bool wrc_check_measure(wrc_checker *checker, wrc_opinion second, uint32_t strength,
                       wrc_coverage *coverage, wrc_complaint *complaint)
{
    uint32_t  columns = checker->model->parameter_count;
    uint32_t *all = calloc(columns, sizeof *all);
    if (!all)
        return wrc_model_complain(complaint, "out of memory");
    for (uint32_t p = 0; p < columns; p++)
        all[p] = p;
    wrc_relation everything = { NULL, strength, columns, all };
    bool         fine = count_all(checker, second, &everything, 1, false, coverage, complaint);
    free(all);
    return fine;
}

bool wrc_coverage_missing(const wrc_coverage *coverage, size_t *at, wrc_tuple *tuple)
{
    if (*at >= coverage->list.count)
        return false;
    uint32_t *from = (uint32_t *)coverage->list.items + *at;
    *tuple = (wrc_tuple){ *from, from + 1, from + 1 + *from };
    *at += 1 + 2 * (size_t)*from;
    return true;
}

void wrc_coverage_free(wrc_coverage *coverage)
{
    free(coverage->list.items);
    coverage->list = (wrc_list){ 0 };
    coverage->shown = 0;
}
