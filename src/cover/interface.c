/* cover/interface.c: the functions of warren/cover.h, which fill a draft and produce rows from
 * it. */
#include <warren/cover.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reserve.h"
#include "cover/language/formula_parse.h"
#include "cover/produce.h"
#include "cover/language/read.h"

struct wr_covering {
    wrc_draft     draft;
    bool          drafting; /* the draft is open */
    wrc_model    *model;    /* once it is complete */
    uint32_t      strength;
    wrc_list      cells;
    uint64_t      rows;
    wrc_outcome   outcome;
    bool          failed;
    wrc_complaint complaint;
};

wr_covering *wr_covering_new(void)
{
    wr_covering *c = calloc(1, sizeof *c);
    if (c) {
        c->drafting = wrc_draft_open(&c->draft, &c->complaint);
        c->failed = !c->drafting;
    }
    return c;
}

void wr_covering_free(wr_covering *c)
{
    if (!c)
        return;
    if (c->drafting)
        wrc_draft_close(&c->draft);
    wrc_model_free(c->model);
    free(c->cells.items);
    free(c);
}

const char *wr_covering_error(const wr_covering *c)
{
    return c->failed ? c->complaint.text : "";
}

/* The result of a call; the first failure stays. */
static bool done(wr_covering *c, bool fine)
{
    c->failed = c->failed || !fine;
    return fine;
}

static bool refuse(wr_covering *c, const char *why)
{
    return done(c, wrc_model_complain(&c->complaint, "%s", why));
}

/* ---- The model ------------------------------------------------------------------------------
 */

static bool may_add(wr_covering *c)
{
    if (c->failed)
        return false;
    if (c->model)
        return refuse(c, "the model is complete: nothing can be added any more");
    if (c->draft.settled)
        return refuse(c, "parameters come before relations, constraints and rows");
    return true;
}

/* A name that is there already is refused at once. */
static bool add_parameter(wr_covering *c, const char *name)
{
    if (!may_add(c))
        return false;
    if (wrc_draft_find(&c->draft, name, strlen(name)) != WRC_ANY)
        return done(c,
                    wrc_model_complain(
                        &c->complaint,
                        "expected a new name, found %.60s, which is a parameter already", name));
    return done(c, wrc_draft_parameter(&c->draft, (wrc_place){ 0 }, name, strlen(name),
                                       WRC_TYPE_GUESSED));
}

static int column_of(wr_covering *c, bool fine)
{
    return done(c, fine) ? (int)c->draft.parameters.count - 1 : -1;
}

int wr_covering_values(wr_covering *c, const char *name, size_t count, const char *const *values)
{
    bool fine = add_parameter(c, name);
    for (size_t i = 0; fine && i < count; i++)
        fine =
            wrc_draft_value(&c->draft, (wrc_place){ 0 }, values[i], strlen(values[i]), false, 1);
    return column_of(c, fine);
}

int wr_covering_range(wr_covering *c, const char *name, int64_t first, int64_t last, int64_t step)
{
    return column_of(c, add_parameter(c, name) && wrc_draft_range(&c->draft, (wrc_place){ 0 },
                                                                  first, last, step, false));
}

bool wr_covering_invalid(wr_covering *c, const char *value)
{
    if (!may_add(c))
        return false;
    if (c->draft.parameters.count == 0)
        return refuse(c, "an invalid value needs a parameter before it");
    return done(c, wrc_draft_value(&c->draft, (wrc_place){ 0 }, value, strlen(value), true, 1));
}

/* A model that comes as a whole takes the place of the draft. */
static bool take_model(wr_covering *c, wrc_model *model)
{
    c->model = model;
    return done(c, model != NULL);
}

static bool may_read(wr_covering *c)
{
    if (!may_add(c))
        return false;
    return c->draft.parameters.count == 0 || refuse(c, "a model is read instead of parameters");
}

bool wr_covering_read(wr_covering *c, const char *path)
{
    wrc_asked asked = { c->strength, false };
    return may_read(c) && take_model(c, wrc_read_model(path, NULL, asked, &c->complaint));
}

bool wr_covering_parse(wr_covering *c, const char *text)
{
    wrc_asked asked = { c->strength, false };
    return may_read(c) && take_model(c, wrc_read_text("model", text, strlen(text), NULL, NULL, 0,
                                                      asked, &c->complaint));
}

bool wr_covering_strength(wr_covering *c, unsigned strength)
{
    if (c->failed)
        return false;
    if (c->model)
        return refuse(c, "the strength comes before the model is read or built");
    if (strength == 0)
        return refuse(c, "a strength is 1 or more");
    c->strength = strength;
    return true;
}

/* Parameters are complete when the first thing comes that names them. */
static bool may_name(wr_covering *c)
{
    if (c->failed)
        return false;
    if (c->model)
        return refuse(c, "the model is complete: nothing can be added any more");
    return c->draft.settled || done(c, wrc_draft_settle(&c->draft));
}

bool wr_covering_relation(wr_covering *c, unsigned strength, size_t count,
                          const unsigned *columns)
{
    if (!may_name(c))
        return false;
    for (size_t i = 0; i < count; i++)
        if (columns[i] >= c->draft.model.parameter_count)
            return refuse(c, "a relation names a column that is not there");
    return done(c, wrc_draft_relation(&c->draft, (wrc_place){ 0 }, NULL, strength, columns,
                                      (uint32_t)count));
}

bool wr_covering_require(wr_covering *c, const char *formula)
{
    wrc_source  source;
    const char *at = formula;
    size_t      length = strlen(formula);
    if (!may_name(c) ||
        !done(c, wrc_source_open(&source, "formula", formula, length, &c->complaint)))
        return false;
    wrc_formula holds = wrc_formula_parse(&c->draft, &source, &at);
    if (holds && wrc_token_at(&source, at, true).kind != WRC_TOKEN_END)
        return done(c, wrc_scan_expected(&c->complaint, (wrc_place){ &source, at },
                                         "an operator or the end"));
    return done(c, holds && wrc_draft_constraint(&c->draft, holds, formula, length, 0));
}

bool wr_covering_keep(wr_covering *c, const char *const *values)
{
    if (!may_name(c))
        return false;
    const wrc_model *model = &c->draft.model;
    uint32_t        *row = malloc(model->parameter_count * sizeof *row);
    bool             fine = row != NULL || wrc_draft_out_of_memory(&c->draft);
    for (uint32_t p = 0; fine && p < model->parameter_count; p++) {
        row[p] = values[p] ? wrc_model_level_of(model, p, values[p], strlen(values[p])) : WRC_ANY;
        if (values[p] && row[p] == WRC_ANY)
            fine = wrc_model_complain(&c->complaint, "expected a value of %.60s, found %.60s",
                                      model->parameters[p].name, values[p]);
    }
    fine = fine && wrc_draft_row(&c->draft, row);
    free(row);
    return done(c, fine);
}

static bool complete(wr_covering *c)
{
    if (c->model)
        return true;
    if (!may_name(c))
        return false;
    return take_model(c, wrc_draft_finish(&c->draft, c->strength));
}

/* ---- The rows -------------------------------------------------------------------------------
 */

static bool produce(wr_covering *c, const wr_covering_options *options, wrc_row_taker *take,
                    void *state)
{
    static const wr_covering_options NONE;
    const wr_covering_options       *o = options ? options : &NONE;
    if (c->failed || !complete(c))
        return false;
    if (WRI_RESERVE_USED(o))
        return refuse(c, "wr_covering_options " WRI_RESERVE_WHY);
    wrc_demand demand = {
        .effort = { .seed = o->seed, .moves = o->moves, .seconds = o->seconds },
        .radix = o->radix > 0,
        .radix_base = o->radix > 1 ? o->radix : 0,
        .radix_no_local = o->radix_no_local,
    };
    c->rows = 0;
    return done(c, wrc_produce(c->model, &demand, take, state, &c->outcome, &c->complaint));
}

static bool hold_row(void *state, const uint32_t *row)
{
    wr_covering *c = state;
    return wrc_list_add(&c->cells, row, c->model->parameter_count * sizeof *row);
}

bool wr_covering_build(wr_covering *c, const wr_covering_options *options)
{
    c->cells.count = 0;
    if (!produce(c, options, hold_row, c))
        return false;
    if (c->cells.count < c->outcome.built.rows)
        return refuse(c, "out of memory");
    c->rows = c->cells.count;
    return true;
}

bool wr_covering_each(wr_covering *c, const wr_covering_options               *options,
                      bool (*take)(void *state, const uint32_t *levels), void *state)
{
    return produce(c, options, take, state);
}

uint64_t wr_covering_rows(const wr_covering *c)
{
    return c->rows;
}

uint64_t wr_covering_lower_bound(const wr_covering *c)
{
    return c->outcome.built.lower_bound;
}

uint64_t wr_covering_moves(const wr_covering *c)
{
    return c->outcome.built.moves;
}

static const wrc_model *model_of(const wr_covering *c)
{
    return c->model ? c->model : &c->draft.model;
}

unsigned wr_covering_columns(const wr_covering *c)
{
    return c->model || c->draft.settled ? model_of(c)->parameter_count
                                        : (unsigned)c->draft.parameters.count;
}

const char *wr_covering_name(const wr_covering *c, unsigned column)
{
    bool there = (c->model || c->draft.settled) && column < model_of(c)->parameter_count;
    return there ? model_of(c)->parameters[column].name : NULL;
}

uint32_t wr_covering_level(const wr_covering *c, uint64_t row, unsigned column)
{
    return ((const uint32_t *)c->cells.items)[row * c->model->parameter_count + column];
}

int64_t wr_covering_number(const wr_covering *c, uint64_t row, unsigned column)
{
    return wrc_parameter_number(&c->model->parameters[column], wr_covering_level(c, row, column));
}

const char *wr_covering_text(const wr_covering *c, uint64_t row, unsigned column, char *space,
                             size_t size)
{
    const wrc_parameter *parameter = &c->model->parameters[column];
    if (parameter->domain != WRC_DOMAIN_RANGE)
        return parameter->values[wr_covering_level(c, row, column)].text;
    snprintf(space, size, "%" PRId64, wr_covering_number(c, row, column));
    return space;
}
