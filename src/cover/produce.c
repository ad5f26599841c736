/* cover/produce.c: unfolds a model, builds its rows, folds them back, and checks them if asked.
 * */
#include "cover/produce.h"

#include <stdlib.h>
#include <string.h>

#include "cover/check/witness.h"
#include "cover/compound.h"
#include "cover/model/cpu.h"
#include "cover/oracle/oracle.h"
#include "cover/radix/radix.h"

#define CHEAP_LOOKS 5e8        /* at cells, to count the tuples: about a second */
#define CHEAP_PATIENCE 3000000 /* values to try for it: the same */
#define LEAST_SECONDS 0.005    /* for all of it: so much is always given */

typedef struct production {
    const wrc_model  *model;  /* as it was read */
    const wrc_model  *target; /* what is built and checked */
    wrc_model        *unfolded;
    wrc_radix        *radix;  /* NULL: parameters stay whole */
    uint32_t         *digits; /* of the row that is checked */
    const wrc_demand *demand;
    wrc_row_taker    *take;
    void             *state;
    wrc_checker      *checker; /* NULL: rows are not checked */
    wrc_complaint    *complaint;
    bool              failed; /* the complaint says why */
    double            start;  /* in CPU seconds */
    uint64_t          broken; /* rows that break a constraint when their digits are together */
    bool              looks_for_absent;
    wrc_absent        absent;
} production;

/* Looks at cells that checking takes for each row, about. */
static double looks_per_row(const wrc_model *model)
{
    double looks = 0;
    for (uint32_t r = 0; r < model->relation_count; r++) {
        double combinations = 1;
        for (uint32_t i = 0; i < model->relations[r].strength; i++)
            combinations *= (double)(model->relations[r].count - i) / (i + 1);
        looks += combinations;
    }
    return looks;
}

static bool is_cheap(const production *p, uint64_t rows)
{
    return looks_per_row(p->target) * (double)(rows + 1) <= CHEAP_LOOKS;
}

/* A row as it was built: checked, and handed on without what is behind the model's columns. */
static bool take_row(void *state, const uint32_t *row)
{
    production *p = state;
    if (p->checker && !p->demand->verify && !is_cheap(p, wrc_checker_rows(p->checker))) {
        wrc_checker_close(p->checker);
        p->checker = NULL;
    }
    if (p->checker && p->radix) {
        p->broken += wrc_witness_broken_constraint(p->model, row) != NULL;
        wrc_radix_divide(p->radix, row, p->digits);
    }
    if (p->checker && !wrc_checker_row(p->checker, p->radix ? p->digits : row, p->complaint)) {
        p->failed = true;
        return false;
    }
    if (p->looks_for_absent)
        wrc_absent_row(&p->absent, p->model, row);
    return p->take(p->state, row);
}

/* ---- Checking ----------------------------------------------------------------------------- */

static bool oracle_allows(void *state, const uint32_t *row)
{
    return wrc_oracle_allows(state, row);
}

/* Constraints that a second opinion is needed for; without any there is nothing to ask. */
static bool open_second(const wrc_model *model, wrc_oracle **oracle, wrc_opinion *second,
                        wrc_complaint *complaint)
{
    *oracle = NULL;
    *second = (wrc_opinion){ 0 };
    if (model->constraint_count == 0)
        return true;
    *oracle = wrc_oracle_open(model, complaint);
    *second = (wrc_opinion){ .allows = oracle_allows, .state = *oracle };
    return *oracle != NULL;
}

static void list_tuple(void *state, const wrc_tuple *tuple)
{
    const production *p = state;
    p->demand->infeasible(p->demand->infeasible_state, p->target, tuple);
}

static bool check_rows(production *p, wrc_outcome *outcome)
{
    wrc_oracle *oracle;
    wrc_opinion second;
    double      now = wrc_cpu_seconds(), built = now - p->start;
    double      until = now + (built > LEAST_SECONDS ? built : LEAST_SECONDS);
    if (!p->checker)
        return true;
    if (!open_second(p->target, &oracle, &second, p->complaint))
        return false;
    second.patience = p->demand->verify ? 0 : CHEAP_PATIENCE;
    second.until = p->demand->verify ? 0 : until;
    if (p->demand->infeasible)
        wrc_checker_list(p->checker, list_tuple, p);
    bool fine = wrc_checker_faults(p->checker, second.until, &outcome->faults);
    outcome->faults.broken += p->broken;
    outcome->coverage.stopped = !fine;
    fine = !fine || wrc_check(p->checker, second, &outcome->coverage, p->complaint);
    if (fine && oracle && wrc_oracle_gave_up(oracle))
        fine = wrc_model_complain(p->complaint,
                                  "the constraints tie too many values together to be checked");
    wrc_oracle_close(oracle);
    outcome->checked = fine && !outcome->coverage.stopped;
    if (outcome->checked && outcome->coverage.needed > outcome->built.lower_bound) {
        outcome->built.lower_bound = outcome->coverage.needed;
        outcome->built.bound_reason = "some parameters have so many feasible combinations";
    }
    return fine;
}

/* ---- Producing ---------------------------------------------------------------------------- */

static bool is_counted(const production *p)
{
    return p->demand->count && p->model->constraint_count > 0;
}

/* Some values may be in no row for another reason: if digits are covered without them, or if the
 * rows of one sub-model fit none of another. */
static bool tells_absent(const production *p)
{
    return p->demand->absent && p->model->constraint_count > 0 && p->model->compound_count < 2 &&
           !(p->radix && p->demand->radix_no_local);
}

static void name_absent(const production *p, wrc_outcome *outcome)
{
    outcome->absent = p->absent.count;
    outcome->absent_named =
        wrc_absent_some(&p->absent, p->model, outcome->absent_columns, outcome->absent_levels);
}

static bool open_checker(production *p)
{
    if (!p->demand->verify && !(is_counted(p) && is_cheap(p, 0)))
        return true;
    p->checker = wrc_checker_open(p->target, p->complaint);
    return p->checker != NULL;
}

/* Wide parameters become digits: these are what is built and checked from here on. */
static bool open_radix(production *p, wrc_outcome *outcome)
{
    if (!p->demand->radix)
        return true;
    wrc_radix_options options = { .base = p->demand->radix_base,
                                  .no_local = p->demand->radix_no_local,
                                  .seed = p->demand->effort.seed };
    p->radix = wrc_radix_open(p->target, &options, p->complaint);
    if (!p->radix)
        return false;
    p->target = wrc_radix_digits(p->radix);
    outcome->split = wrc_radix_split(p->radix, &outcome->base);
    p->digits = malloc((p->target->parameter_count + 1) * sizeof *p->digits);
    return p->digits || wrc_model_complain(p->complaint, "out of memory");
}

static bool build(production *p, wrc_built *built)
{
    const wrc_effort *effort = &p->demand->effort;
    return p->radix ? wrc_radix_build(p->radix, effort, take_row, p, built, p->complaint)
                    : wrc_build(p->target, effort, take_row, p, built, p->complaint);
}

static bool produce(production *p, wrc_outcome *outcome)
{
    if (!wrc_compound_unfold(p->model, &p->demand->effort, &p->unfolded, p->complaint))
        return false;
    p->target = p->unfolded ? p->unfolded : p->model;
    if (!open_radix(p, outcome) || !open_checker(p))
        return false;
    p->looks_for_absent = tells_absent(p);
    if (!build(p, &outcome->built))
        return false;
    name_absent(p, outcome);
    bool fine = !p->failed && check_rows(p, outcome);
    outcome->uncounted = is_counted(p) && !outcome->checked;
    return fine;
}

bool wrc_produce(const wrc_model *model, const wrc_demand *demand, wrc_row_taker *take,
                 void *state, wrc_outcome *outcome, wrc_complaint *complaint)
{
    production p = {
        .model = model,
        .demand = demand,
        .take = take,
        .state = state,
        .complaint = complaint,
        .start = wrc_cpu_seconds(),
    };
    memset(outcome, 0, sizeof *outcome);
    bool fine = produce(&p, outcome);
    wrc_checker_close(p.checker);
    wrc_absent_free(&p.absent);
    wrc_radix_close(p.radix);
    free(p.digits);
    wrc_model_free(p.unfolded);
    return fine;
}

/* ---- Measuring ---------------------------------------------------------------------------- */

bool wrc_produce_measure(const wrc_model *model, const uint32_t *cells, uint64_t rows,
                         uint32_t strength, uint64_t most_missing,
                         void (*told)(void *state, const wrc_coverage *coverage), void *state,
                         wrc_faults *faults, wrc_complaint *complaint)
{
    wrc_checker *checker = wrc_checker_open(model, complaint);
    wrc_oracle  *oracle = NULL;
    wrc_opinion  second;
    bool         fine = checker && open_second(model, &oracle, &second, complaint);
    for (uint64_t r = 0; fine && r < rows; r++)
        fine = wrc_checker_row(checker, cells + r * model->parameter_count, complaint);
    if (fine) {
        wrc_checker_faults(checker, 0, faults);
        wrc_checker_show(checker, most_missing);
    }
    for (uint32_t t = 1; fine && t <= strength && t <= model->parameter_count; t++) {
        wrc_coverage coverage;
        fine = wrc_check_measure(checker, second, t, &coverage, complaint);
        if (fine)
            told(state, &coverage);
        wrc_coverage_free(&coverage);
    }
    wrc_oracle_close(oracle);
    wrc_checker_close(checker);
    return fine;
}
