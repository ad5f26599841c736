/* cover/search/build.c: builds the rows of a model, goal by goal.
 *
 * A model becomes goals that share no row. One is for the valid levels. The others are for one
 * invalid level each, one strength lower and with its cell fixed. Each goal goes through the
 * stages by itself. Then all rows are handed out: the kept ones first, as they were, then those
 * of each goal, the rows that add most first.
 */
#include "cover/search/build.h"

#include "core/grow.h"
#include "core/prng.h"
#include "cover/search/relabel.h"
#include "cover/search/stages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MANY_ROWS 20000                  /* from so many on, growing takes long */
#define HELD_ROWS (UINT64_C(200) * 1000) /* more than these are streamed where they can be */
#define GROWN_CELLS (UINT64_C(1) << 24)  /* more than these take long to grow */
#define HELD_CELLS (UINT64_C(1) << 28)   /* more than these cannot be held */
#define WIDE_LEVELS 4096
#define NOWHERE UINT32_MAX

/* The model as one oracle sees it: of the invalid levels only those of one parameter, or none. */
typedef struct view {
    wrc_model   model;
    wrc_oracle *oracle; /* NULL: nothing is constrained */
} view;

/* One goal and what became of it. */
typedef struct task {
    wrc_goal      goal;
    wrc_relation *relations;
    uint32_t     *fixed;
    uint32_t     *kept;
    size_t        kept_room;
    uint32_t      parameter, level; /* the invalid one; NOWHERE: the goal of the valid levels */
    bool          needs_row;        /* whatever it is: strength 1 with the invalid level */
    wrc_algebra  *algebra; /* the best construction if there were no constraints; or NULL */
    wrc_array     array;
    uint64_t      work; /* that the first array took */
} task;

typedef struct builder {
    const wrc_model  *model;
    const wrc_effort *effort;
    wrc_row_taker    *take;
    void             *state;
    wrc_built        *built;
    wrc_complaint    *complaint;
    wrc_blocks        blocks;
    uint32_t         *levels; /* valid ones of each parameter */
    view             *views;  /* 0: valid levels only; then by parameter, opened where needed */
    task             *tasks;
    uint32_t          task_count;
    uint32_t         *kept_task;  /* of each of the model's kept rows; NOWHERE: skipped */
    uint64_t         *kept_place; /* and which of that task's rows it is */
    uint64_t          random;
} builder;

static bool no_memory(builder *b)
{
    return wrc_model_complain(b->complaint, "not enough memory for the array");
}

/* ---- Views ---- */

static bool open_view(builder *b, view *v, uint32_t whole)
{
    const wrc_model *model = b->model;
    v->model = *model;
    wrc_parameter *parameters =
        wrc_blocks_take(&b->blocks, model->parameter_count + 1, sizeof *parameters);
    if (parameters == NULL)
        return no_memory(b);
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        parameters[p] = model->parameters[p];
        if (p != whole) {
            parameters[p].levels = wrc_parameter_valid_levels(&model->parameters[p]);
            parameters[p].invalid = 0;
        }
    }
    v->model.parameters = parameters;
    v->oracle = wrc_oracle_open(&v->model, b->complaint);
    return v->oracle != NULL;
}

/* A parameter that no constraint speaks of does not need a view of its own. */
static view *view_of(builder *b, uint32_t parameter)
{
    view *all = &b->views[0];
    if (parameter == NOWHERE || all->oracle == NULL ||
        wrc_oracle_component(all->oracle, parameter) == WRC_ANY)
        return all;
    view *own = &b->views[parameter + 1];
    return own->oracle != NULL || open_view(b, own, parameter) ? own : NULL;
}

static bool open_views(builder *b)
{
    b->views = wrc_blocks_take(&b->blocks, b->model->parameter_count + 1, sizeof *b->views);
    if (b->views == NULL)
        return no_memory(b);
    return b->model->constraint_count == 0 || open_view(b, &b->views[0], NOWHERE);
}

/* ---- Relations ---- */

static bool is_subset(const wrc_relation *a, const wrc_relation *of)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (at < of->count && of->parameters[at] < a->parameters[i])
            at++;
        if (at == of->count || of->parameters[at] != a->parameters[i])
            return false;
    }
    return true;
}

/* Whether covering `other` covers `a`. The first of two equal ones stays. */
static bool is_within(const wrc_relation *a, const wrc_relation *other)
{
    return a->strength <= other->strength && is_subset(a, other) &&
           (a->strength < other->strength || a->count < other->count || a > other);
}

uint32_t wrc_build_drop_contained(wrc_relation *all, uint32_t count)
{
    uint32_t left = 0;
    bool     gone[count + 1];
    for (uint32_t i = 0; i < count; i++) {
        gone[i] = false;
        for (uint32_t j = 0; j < count && !gone[i]; j++)
            gone[i] = i != j && is_within(&all[i], &all[j]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!gone[i])
            all[left++] = all[i];
    return left;
}

/* The rest of a relation for rows that have the invalid level. */
static uint32_t reduce_relation(task *t, const wrc_relation *from, wrc_relation *to)
{
    uint32_t *places = (uint32_t *)to->parameters;
    bool      has = t->parameter == NOWHERE;
    *to = (wrc_relation){ from->name, from->strength, 0, places };
    for (uint32_t i = 0; i < from->count; i++) {
        has |= from->parameters[i] == t->parameter;
        if (from->parameters[i] != t->parameter)
            places[to->count++] = from->parameters[i];
    }
    to->strength -= t->parameter != NOWHERE;
    to->strength = to->strength < to->count ? to->strength : to->count;
    t->needs_row |= has && to->strength == 0;
    return has && to->strength > 0 ? to->count : 0;
}

static bool take_relations(builder *b, task *t)
{
    size_t total = 0, used = 0;
    for (uint32_t r = 0; r < b->model->relation_count; r++)
        total += b->model->relations[r].count;
    uint32_t *places = wrc_blocks_take(&b->blocks, total + 1, sizeof *places);
    t->relations =
        wrc_blocks_take(&b->blocks, b->model->relation_count + 1, sizeof *t->relations);
    if (b->blocks.failed)
        return no_memory(b);
    for (uint32_t r = 0; r < b->model->relation_count; r++) {
        wrc_relation *to = &t->relations[t->goal.relation_count];
        to->parameters = places + used;
        uint32_t count = reduce_relation(t, &b->model->relations[r], to);
        used += count;
        t->goal.relation_count += count > 0;
    }
    t->goal.relation_count = wrc_build_drop_contained(t->relations, t->goal.relation_count);
    t->goal.relations = t->relations;
    return true;
}

/* ---- Tasks ---- */

/* Adds the goal of an invalid level, or of the valid ones; one that the constraints rule out
 * altogether needs nothing. */
static bool add_task(builder *b, uint32_t parameter, uint32_t level)
{
    uint32_t columns = b->model->parameter_count;
    task    *t = &b->tasks[b->task_count++];
    view    *v = view_of(b, parameter);
    *t = (task){ .parameter = parameter, .level = level };
    t->goal = (wrc_goal){ .columns = columns, .levels = b->levels };
    if (v == NULL)
        return false;
    if (v->oracle != NULL && wrc_oracle_components(v->oracle) > 0)
        t->goal.oracle = v->oracle;
    if (!take_relations(b, t))
        return false;
    if (parameter == NOWHERE)
        return true;
    t->fixed = wrc_blocks_take(&b->blocks, columns + 1, sizeof *t->fixed);
    if (t->fixed == NULL)
        return no_memory(b);
    memset(t->fixed, 0xFF, columns * sizeof *t->fixed);
    t->fixed[parameter] = level;
    t->goal.fixed = t->fixed;
    if (t->goal.oracle != NULL && !wrc_oracle_allows(t->goal.oracle, t->fixed)) {
        t->goal.relation_count = 0;
        t->needs_row = false;
    }
    return true;
}

static bool add_tasks(builder *b)
{
    const wrc_model *model = b->model;
    size_t           count = 1;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        count += model->parameters[p].invalid;
    b->tasks = wrc_blocks_take(&b->blocks, count, sizeof *b->tasks);
    if (b->tasks == NULL)
        return no_memory(b);
    if (!add_task(b, NOWHERE, 0))
        return false;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        for (uint32_t l = b->levels[p]; l < model->parameters[p].levels; l++)
            if (!add_task(b, p, l))
                return false;
    return true;
}

static bool count_levels(builder *b)
{
    const wrc_model *model = b->model;
    b->levels = wrc_blocks_take(&b->blocks, model->parameter_count + 1, sizeof *b->levels);
    if (b->levels == NULL)
        return no_memory(b);
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        b->levels[p] = wrc_parameter_valid_levels(&model->parameters[p]);
        if (b->levels[p] == 0)
            return wrc_model_complain(b->complaint, "a parameter has no valid value");
    }
    return true;
}

/* ---- Kept rows ---- */

static uint32_t find_task(const builder *b, uint32_t parameter, uint32_t level)
{
    for (uint32_t t = 0; t < b->task_count; t++)
        if (b->tasks[t].parameter == parameter && b->tasks[t].level == level)
            return t;
    return NOWHERE;
}

/* The task that a kept row belongs to: by its invalid level, where it has one. */
static uint32_t task_of_row(const builder *b, const uint32_t *row)
{
    uint32_t parameter = NOWHERE, level = 0;
    for (uint32_t p = 0; p < b->model->parameter_count; p++) {
        if (row[p] == WRC_ANY || row[p] < b->levels[p])
            continue;
        if (parameter != NOWHERE || row[p] >= b->model->parameters[p].levels)
            return NOWHERE;
        parameter = p;
        level = row[p];
    }
    uint32_t    t = find_task(b, parameter, level);
    wrc_oracle *oracle = b->tasks[t].goal.oracle;
    return oracle == NULL || wrc_oracle_allows(oracle, row) ? t : NOWHERE;
}

static bool keep_row(builder *b, task *t, const uint32_t *row)
{
    uint32_t  columns = b->model->parameter_count;
    uint32_t *kept = wri_grow(t->kept, columns * sizeof *kept, t->goal.kept_count, &t->kept_room);
    if (kept == NULL)
        return no_memory(b);
    memcpy(kept + t->goal.kept_count++ * columns, row, columns * sizeof *row);
    t->goal.kept = t->kept = kept;
    return true;
}

static bool sort_kept_rows(builder *b)
{
    uint64_t count = b->model->kept_count;
    b->kept_task = wrc_blocks_take(&b->blocks, count + 1, sizeof *b->kept_task);
    b->kept_place = wrc_blocks_take(&b->blocks, count + 1, sizeof *b->kept_place);
    if (b->blocks.failed)
        return no_memory(b);
    for (uint64_t r = 0; r < count; r++) {
        const uint32_t *row = b->model->kept + r * b->model->parameter_count;
        uint32_t        t = task_of_row(b, row);
        b->kept_task[r] = t;
        if (t == NOWHERE) {
            b->built->skipped++;
            continue;
        }
        b->kept_place[r] = b->tasks[t].goal.kept_count;
        if (!keep_row(b, &b->tasks[t], row))
            return false;
    }
    b->built->kept = count - b->built->skipped;
    return true;
}

/* ---- The stages ---- */

static bool is_plain(const wrc_goal *goal)
{
    return goal->oracle == NULL && goal->fixed == NULL && goal->kept_count == 0;
}

static bool built_by_algebra(builder *b, task *t, uint64_t best, wrc_array *array)
{
    if (!wrc_algebra_build(t->algebra, best, array))
        return false;
    if (t == b->tasks)
        b->built->method = wrc_algebra_name(t->algebra);
    return true;
}

/* Many rows, and algebra would have about the fewest if there were no constraints: then what
 * these leave of it is taken, and growing from nothing is not tried. */
static bool begun_by_algebra(builder *b, task *t)
{
    const char *why;
    uint64_t    rows = wrc_algebra_rows(t->algebra);
    uint64_t    bound = wrc_bound_rows(&t->goal, &why);
    return t->goal.oracle != NULL && rows >= MANY_ROWS && rows <= bound + bound / 50 &&
           wrc_extend(&t->goal, rows + rows / 20, b->effort->seed, &t->array, &t->work,
                      b->complaint);
}

/* Strength 1, and a column so wide that growing would take long. */
static bool wants_singles(const wrc_goal *goal)
{
    uint32_t widest = 0;
    for (uint32_t c = 0; c < goal->columns; c++)
        widest = goal->levels[c] > widest ? goal->levels[c] : widest;
    return wrc_model_strongest(goal->relations, goal->relation_count) == 1 &&
           widest > WIDE_LEVELS && goal->oracle != NULL;
}

/* The first array: what algebra has, where it is known to be minimal at once; otherwise what
 * growing gives, unless algebra has fewer rows. */
static bool first_array(builder *b, task *t)
{
    uint64_t    algebra = is_plain(&t->goal) ? wrc_algebra_rows(t->algebra) : UINT64_MAX;
    const char *why;
    bool        is_least = algebra < UINT64_MAX && algebra <= wrc_bound_rows(&t->goal, &why);
    if (wants_singles(&t->goal))
        return wrc_singles_collect(&t->goal, &t->array, b->complaint);
    if ((is_least && built_by_algebra(b, t, UINT64_MAX, &t->array)) || begun_by_algebra(b, t))
        return true;
    if (!wrc_grow(&t->goal, b->effort->seed, &t->array, &t->work, b->complaint))
        return false;
    wrc_array other = { 0 };
    if (algebra < t->array.rows && built_by_algebra(b, t, t->array.rows, &other)) {
        wrc_array_free(&t->array);
        t->array = other;
    }
    wrc_extend(&t->goal, t->array.rows, b->effort->seed, &t->array, &t->work, b->complaint);
    return true;
}

/* The goals of invalid levels have a fixed share of the default effort; what the caller asks for
 * goes to the valid ones, so that the number of moves says it all. */
static wrc_effort effort_of(const builder *b, const task *t)
{
    wrc_effort effort = *b->effort;
    effort.spent = t->work;
    if (t != b->tasks) {
        effort.seconds = 0;
        effort.moves = 0;
        effort.share = 2 * b->task_count;
    }
    return effort;
}

static bool reduce_task(builder *b, task *t)
{
    const char *why;
    wrc_effort  effort = effort_of(b, t);
    uint64_t    moves = 0;
    if (t->array.rows > wrc_bound_rows(&t->goal, &why) &&
        !wrc_reduce(&t->goal, &effort, &t->array, &moves))
        return no_memory(b);
    if (t == b->tasks)
        b->built->moves = moves;
    return true;
}

static wrc_places *places_for(const builder *b, const task *t)
{
    return wrc_places_new(&t->goal, wri_prng_stream(b->effort->seed, 3));
}

/* Kept rows stay as they are, and the other rows depend on them. */
static bool relabel_task(builder *b, task *t)
{
    if (t->goal.kept_count > 0)
        return true;
    wrc_places *places = places_for(b, t);
    if (places == NULL)
        return no_memory(b);
    for (uint64_t r = 0; r < t->array.rows; r++)
        wrc_relabel(places, t->array.columns, t->array.cells + r * t->array.columns);
    free(places);
    return true;
}

static bool fill_task(builder *b, task *t)
{
    wrc_filler filler;
    bool       well = wrc_filler_open(&filler, &t->goal, b->model->parameters);
    if (well) {
        wrc_fill_array(&filler, &t->array, &b->random);
        wrc_merge_weigh(&filler, &b->random, &t->array);
    }
    wrc_filler_close(&filler);
    return well || no_memory(b);
}

static bool add_any_row(builder *b, task *t)
{
    uint32_t row[t->goal.columns + 1];
    for (uint32_t c = 0; c < t->goal.columns; c++)
        row[c] = t->fixed != NULL ? t->fixed[c] : WRC_ANY;
    return wrc_array_add(&t->array, row) || no_memory(b);
}

static bool build_task(builder *b, task *t)
{
    if (!first_array(b, t) || (t->needs_row && t->array.rows == 0 && !add_any_row(b, t)))
        return false;
    if (!reduce_task(b, t) || !relabel_task(b, t) || !fill_task(b, t))
        return false;
    wrc_order_rows(&t->goal, &t->array, b->effort->seconds <= 0 && b->effort->moves == 1);
    return true;
}

/* ---- Streaming ---- */

typedef struct stream {
    builder    *b;
    wrc_filler  filler;
    wrc_places *places;
    uint32_t   *row;
    uint64_t    rows, announced;
    bool        enough;
} stream;

static bool pass_on(void *state, const uint32_t *row)
{
    stream *s = state;
    if (s->rows == 0) /* now there is memory for them */
        wrc_effort_announce(s->b->effort, s->announced);
    memcpy(s->row, row, s->filler.goal->columns * sizeof *row);
    wrc_relabel(s->places, s->filler.goal->columns, s->row);
    wrc_fill_row(&s->filler, s->row, &s->b->random);
    s->rows++;
    s->enough = !s->b->take(s->b->state, s->row);
    return !s->enough;
}

/* Whether algebra has an array that is too large to be worth holding, and no other has far fewer
 * rows or can be held either. */
static bool is_streamed(const task *t)
{
    const char *why;
    uint64_t    bound = is_plain(&t->goal) ? wrc_bound_rows(&t->goal, &why) : 0;
    if (bound <= HELD_ROWS / 2)
        return false;
    uint64_t rows = wrc_algebra_rows(t->algebra);
    return rows != UINT64_MAX && rows > HELD_ROWS &&
           (rows - bound <= bound / 16 || bound > GROWN_CELLS / t->goal.columns);
}

static bool stream_task(builder *b, task *t, bool *enough)
{
    stream s = { .b = b,
                 .row = malloc((t->goal.columns + 1) * sizeof *s.row),
                 .announced = wrc_algebra_rows(t->algebra),
                 .places = places_for(b, t) };
    bool   well = s.row != NULL && s.places != NULL &&
                wrc_filler_open(&s.filler, &t->goal, b->model->parameters);
    well = well && (wrc_algebra_stream(t->algebra, pass_on, &s) || s.enough);
    wrc_filler_close(&s.filler);
    free(s.places);
    free(s.row);
    b->built->streamed = true;
    b->built->rows += s.rows;
    *enough = s.enough;
    return well || no_memory(b);
}

/* ---- Handing out ---- */

static bool hand_kept(builder *b)
{
    for (uint64_t r = 0; r < b->model->kept_count; r++) {
        if (b->kept_task[r] == NOWHERE)
            continue;
        const wrc_array *array = &b->tasks[b->kept_task[r]].array;
        b->built->rows++;
        if (!b->take(b->state, array->cells + b->kept_place[r] * array->columns))
            return false;
    }
    return true;
}

static bool hand_others(builder *b, const task *t)
{
    for (uint64_t r = t->goal.kept_count; r < t->array.rows; r++) {
        b->built->rows++;
        if (!b->take(b->state, t->array.cells + r * t->array.columns))
            return false;
    }
    return true;
}

static void hand_out(builder *b)
{
    if (!hand_kept(b))
        return;
    for (uint32_t t = 0; t < b->task_count; t++)
        if (!hand_others(b, &b->tasks[t]))
            return;
}

/* ---- All of it ---- */

static bool can_be_held(builder *b, const task *t, uint64_t bound)
{
    return bound <= HELD_CELLS / (t->goal.columns + 1) ||
           wrc_model_complain(b->complaint,
                              "at least %" PRIu64 " rows are needed: more than can be held",
                              bound);
}

/* Chooses a construction for each goal, and says how few rows there can be. */
static bool describe(builder *b)
{
    for (uint32_t i = 0; i < b->task_count; i++) {
        task       *t = &b->tasks[i];
        const char *why = NULL;
        wrc_goal    unconstrained = t->goal;
        unconstrained.oracle = NULL;
        t->algebra = wrc_algebra_open(&unconstrained);
        uint64_t bound =
            t->goal.relation_count > 0 ? wrc_bound_rows(&t->goal, &why) : t->needs_row;
        b->built->lower_bound += bound;
        if (i == 0)
            b->built->bound_reason = why;
        if (!is_streamed(t) && !can_be_held(b, t, bound))
            return false;
    }
    return true;
}

/* An oracle that could not decide something has said no to it: then nothing is promised. */
static bool was_decided(builder *b)
{
    for (uint32_t p = 0; p <= b->model->parameter_count; p++)
        if (b->views[p].oracle != NULL && wrc_oracle_gave_up(b->views[p].oracle))
            return wrc_model_complain(
                b->complaint, "the constraints tie too many values together to be decided");
    return true;
}

static bool build_all(builder *b)
{
    bool     enough = false;
    uint32_t first = 0;
    b->built->method = "columns";
    if (is_streamed(&b->tasks[0])) {
        b->built->method = wrc_algebra_name(b->tasks[0].algebra);
        if (!stream_task(b, &b->tasks[0], &enough))
            return false;
        first = 1;
    }
    for (uint32_t t = first; t < b->task_count && !enough; t++)
        if (!build_task(b, &b->tasks[t]))
            return false;
    if (!was_decided(b))
        return false;
    if (!enough)
        hand_out(b);
    return true;
}

static void release(builder *b)
{
    for (uint32_t i = 0; i < b->task_count; i++) {
        free(b->tasks[i].kept);
        wrc_algebra_close(b->tasks[i].algebra);
        wrc_array_free(&b->tasks[i].array);
    }
    for (uint32_t p = 0; b->views != NULL && p <= b->model->parameter_count; p++)
        wrc_oracle_close(b->views[p].oracle);
    wrc_blocks_free(&b->blocks);
}

bool wrc_build(const wrc_model *model, const wrc_effort *effort, wrc_row_taker *take, void *state,
               wrc_built *built, wrc_complaint *complaint)
{
    builder b = { .model = model,
                  .effort = effort,
                  .take = take,
                  .state = state,
                  .built = built,
                  .complaint = complaint,
                  .random = wri_prng_stream(effort->seed, 2) };
    *built = (wrc_built){ 0 };
    bool well = count_levels(&b) && open_views(&b) && add_tasks(&b) && sort_kept_rows(&b) &&
                describe(&b) && build_all(&b);
    release(&b);
    return well;
}
