/* cover/compound.c: builds the groups of a model, and makes each a parameter. */
#include "cover/compound.h"

#include <stdlib.h>
#include <string.h>

#include "cover/model/draft.h"
#include "cover/model/formula.h"

/* The rows of one group: its cells only, each once, those without invalid values first. */
typedef struct group {
    const wrc_relation *of;
    const wrc_model    *model;
    wrc_list            rows;
    uint32_t            invalid; /* how many of the last have an invalid value */
    uint32_t           *cells;   /* room for one row */
    bool                full;    /* memory was out */
} group;

typedef struct unfolding {
    const wrc_model *model;
    wrc_memory      *memory;
    wrc_complaint   *complaint;
    wrc_parameter   *parameters; /* the model's, then one for each group */
    wrc_list         constraints;
} unfolding;

static bool no_memory(wrc_complaint *complaint)
{
    return wrc_model_complain(complaint, "out of memory");
}

/* ---- The rows of a group ------------------------------------------------------------------- */

static size_t row_bytes(const group *g)
{
    return g->of->count * sizeof(uint32_t);
}

static uint32_t *group_row(const group *g, size_t at)
{
    return (uint32_t *)g->rows.items + at * g->of->count;
}

static bool take_row(void *state, const uint32_t *row)
{
    group *g = state;
    for (uint32_t i = 0; i < g->of->count; i++)
        g->cells[i] = row[g->of->parameters[i]];
    g->full = !wrc_list_add(&g->rows, g->cells, row_bytes(g));
    return !g->full;
}

static bool is_invalid(const group *g, const uint32_t *cells)
{
    for (uint32_t i = 0; i < g->of->count; i++)
        if (cells[i] >= wrc_parameter_valid_levels(&g->model->parameters[g->of->parameters[i]]))
            return true;
    return false;
}

/* Each row once, those without invalid values first; rows keep their order. */
static bool sort_rows(group *g)
{
    size_t    bytes = row_bytes(g), count = g->rows.count, kept = 0;
    uint32_t *sorted = malloc(count * bytes + 1);
    if (!sorted)
        return false;
    for (int invalid = 0; invalid <= 1; invalid++)
        for (size_t i = 0; i < count; i++) {
            const uint32_t *row = group_row(g, i);
            bool            known = is_invalid(g, row) != (bool)invalid;
            for (size_t j = 0; j < kept && !known; j++)
                known = memcmp(sorted + j * g->of->count, row, bytes) == 0;
            if (known)
                continue;
            memcpy(sorted + kept++ * g->of->count, row, bytes);
            g->invalid += (uint32_t)invalid;
        }
    free(g->rows.items);
    g->rows = (wrc_list){ sorted, kept, count };
    return true;
}

/* The kept rows' cells of the group; what else they have is open. */
static uint32_t *kept_cells(const wrc_model *model, const wrc_relation *of)
{
    size_t    columns = model->parameter_count, cells = (size_t)model->kept_count * columns;
    uint32_t *kept = malloc((cells + 1) * sizeof *kept);
    for (size_t i = 0; kept && i < cells; i++)
        kept[i] = WRC_ANY;
    for (uint64_t r = 0; kept && r < model->kept_count; r++)
        for (uint32_t i = 0; i < of->count; i++)
            kept[r * columns + of->parameters[i]] = model->kept[r * columns + of->parameters[i]];
    return kept;
}

static bool build_group(const wrc_model *model, const wrc_effort *effort, group *g,
                        wrc_complaint *complaint)
{
    wrc_model  alone = *model;
    wrc_effort steady = { .seed = effort->seed, .moves = effort->moves, .stop = effort->stop };
    wrc_built  built;
    uint32_t  *kept = kept_cells(model, g->of);
    alone.relation_count = 1;
    alone.relations = g->of;
    alone.compound_count = 0;
    alone.kept = kept;
    g->cells = malloc(row_bytes(g));
    bool fine = kept && g->cells ? wrc_build(&alone, &steady, take_row, g, &built, complaint)
                                 : no_memory(complaint);
    if (fine && (g->full || !sort_rows(g)))
        fine = no_memory(complaint);
    free(kept);
    return fine;
}

/* ---- The compound and what ties it --------------------------------------------------------- */

/* Whether a level of the compound has a value of one of its members. */
typedef struct membership {
    const group *group;
    uint32_t     member, level;
} membership;

static bool lacks(void *state, uint32_t row)
{
    const membership *m = state;
    return group_row(m->group, row)[m->member] != m->level;
}

static bool add_tie(unfolding *u, wrc_formula tie)
{
    wrc_constraint constraint = { tie, "(a row of a sub-model)", 0 };
    return tie != NULL && (tie->op == WRC_OP_NUMBER ||
                           wrc_list_add(&u->constraints, &constraint, sizeof constraint));
}

/* If the compound has a row with this value, the member has it. */
static bool tie_member(unfolding *u, const wrc_model *with, uint32_t compound, const group *g,
                       uint32_t member)
{
    uint32_t parameter = g->of->parameters[member];
    for (uint32_t level = 0; level < u->parameters[parameter].levels; level++) {
        membership      m = { g, member, level };
        wrc_formula     other = wrc_formula_where(u->memory, with, compound, lacks, &m);
        wrc_interval   *only = wrc_memory_take(u->memory, sizeof *only);
        wrc_expression *has = wrc_memory_take(u->memory, sizeof *has);
        if (!other || !only || !has)
            return no_memory(u->complaint);
        *only = (wrc_interval){ level, level };
        *has = (wrc_expression){ .op = WRC_OP_IN, .parameter = parameter, .set = { 1, only } };
        if (u->parameters[parameter].levels > 1 &&
            !add_tie(u, wrc_formula_or(u->memory, with, other, has)))
            return no_memory(u->complaint);
    }
    return true;
}

static bool add_compound(unfolding *u, const wrc_effort *effort, uint32_t index)
{
    uint32_t  compound = u->model->parameter_count + index;
    group     g = { .of = &u->model->compounds[index], .model = u->model };
    wrc_model with = { .parameters = u->parameters, .parameter_count = compound + 1 };
    bool      fine = build_group(u->model, effort, &g, u->complaint);
    if (fine && g.rows.count == 0)
        fine = wrc_model_complain(u->complaint, "a sub-model has no rows");
    if (fine) {
        u->parameters[compound] = (wrc_parameter){ .name = "{}",
                                                   .domain = WRC_DOMAIN_RANGE,
                                                   .levels = (uint32_t)g.rows.count,
                                                   .invalid = g.invalid,
                                                   .step = 1 };
        for (uint32_t i = 0; fine && i < g.of->count; i++)
            fine = tie_member(u, &with, compound, &g, i);
    }
    free(g.rows.items);
    free(g.cells);
    return fine;
}

/* ---- The model without groups -------------------------------------------------------------- */

static bool in_group(const wrc_relation *group_of, uint32_t parameter)
{
    for (uint32_t i = 0; i < group_of->count; i++)
        if (group_of->parameters[i] == parameter)
            return true;
    return false;
}

/* Members of groups make way for the groups. */
static bool unfold_relation(unfolding *u, const wrc_relation *from, wrc_relation *to)
{
    const wrc_model *model = u->model;
    uint32_t *members = wrc_memory_take(u->memory, ((size_t)from->count + model->compound_count) *
                                                       sizeof *members);
    uint64_t *met = calloc(model->compound_count, sizeof *met);
    *to = (wrc_relation){ from->name, from->strength, 0, members };
    for (uint32_t i = 0; members && met && i < from->count; i++) {
        bool grouped = false;
        for (uint32_t g = 0; g < model->compound_count; g++)
            if (in_group(&model->compounds[g], from->parameters[i])) {
                met[g]++;
                grouped = true;
            }
        if (!grouped)
            members[to->count++] = from->parameters[i];
    }
    for (uint32_t g = 0; members && met && g < model->compound_count; g++)
        if (met[g] > 0)
            members[to->count++] = model->parameter_count + g;
    bool fine = members && met;
    free(met);
    if (to->strength > to->count)
        to->strength = to->count;
    return fine || no_memory(u->complaint);
}

static bool unfold_relations(unfolding *u, wrc_model *to)
{
    wrc_relation *relations =
        wrc_memory_take(u->memory, u->model->relation_count * sizeof *relations);
    if (!relations)
        return no_memory(u->complaint);
    for (uint32_t r = 0; r < u->model->relation_count; r++)
        if (!unfold_relation(u, &u->model->relations[r], &relations[r]))
            return false;
    to->relations = relations;
    return true;
}

/* The model's rows with the compounds' columns open. */
static bool unfold_kept(unfolding *u, wrc_model *to)
{
    size_t    from = u->model->parameter_count, columns = from + u->model->compound_count;
    size_t    rows = (size_t)u->model->kept_count;
    uint32_t *kept = wrc_memory_take(u->memory, rows * columns * sizeof *kept);
    if (!kept)
        return no_memory(u->complaint);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            kept[r * columns + c] = c < from ? u->model->kept[r * from + c] : WRC_ANY;
    to->kept = kept;
    return true;
}

static bool unfold_constraints(unfolding *u, wrc_model *to)
{
    size_t          old = u->model->constraint_count, added = u->constraints.count;
    wrc_constraint *all = wrc_memory_take(u->memory, (old + added) * sizeof *all);
    if (!all)
        return no_memory(u->complaint);
    if (old > 0)
        memcpy(all, u->model->constraints, old * sizeof *all);
    if (added > 0)
        memcpy(all + old, u->constraints.items, added * sizeof *all);
    to->constraints = all;
    to->constraint_count = (uint32_t)(old + added);
    return true;
}

static bool unfold_all(unfolding *u, const wrc_effort *effort, wrc_model **unfolded)
{
    const wrc_model *model = u->model;
    size_t           columns = (size_t)model->parameter_count + model->compound_count;
    wrc_model       *to = wrc_memory_take(u->memory, sizeof *to);
    u->parameters = wrc_memory_take(u->memory, columns * sizeof *u->parameters);
    if (!to || !u->parameters)
        return no_memory(u->complaint);
    memcpy(u->parameters, model->parameters, model->parameter_count * sizeof *u->parameters);
    for (uint32_t g = 0; g < model->compound_count; g++)
        if (!add_compound(u, effort, g))
            return false;
    for (uint32_t g = 0; g < model->compound_count;
         g++) /* what is invalid is the compound's now */
        for (uint32_t i = 0; i < model->compounds[g].count; i++)
            u->parameters[model->compounds[g].parameters[i]].invalid = 0;
    *to = *model;
    to->parameters = u->parameters;
    to->parameter_count = (uint32_t)columns;
    to->compound_count = 0;
    to->memory = u->memory;
    *unfolded = to;
    return unfold_relations(u, to) && unfold_kept(u, to) && unfold_constraints(u, to);
}

bool wrc_compound_unfold(const wrc_model *model, const wrc_effort *effort, wrc_model **unfolded,
                         wrc_complaint *complaint)
{
    unfolding u = { .model = model, .complaint = complaint };
    *unfolded = NULL;
    if (model->compound_count == 0)
        return true;
    u.memory = wrc_memory_open();
    bool fine = u.memory ? unfold_all(&u, effort, unfolded) : no_memory(complaint);
    free(u.constraints.items);
    if (!fine) {
        wrc_memory_close(u.memory);
        *unfolded = NULL;
    }
    return fine;
}
