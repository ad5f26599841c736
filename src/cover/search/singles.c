/* cover/search/singles.c: covers every level of every column, and no more.
 *
 * Growing keeps far too much for each level if there are a million of them and the strength is 1.
 * Here a row takes, for each column, the next level that is not covered yet and that the
 * constraints allow beside the others. Each row begins with a level that is bound to be new, or
 * is found to be infeasible. If the next levels are refused, because the chosen ones leave a
 * column hardly anything, the constraints complete the row, and its new levels are taken.
 */
#include "cover/search/stages.h"

#include "cover/model/blocks.h"

#include <string.h>

#define TRIES 8                         /* levels that a column offers to a row */
#define CELLS_LIMIT (UINT64_C(1) << 28) /* of the array */

typedef struct collector {
    const wrc_goal *goal;
    wrc_array      *array;
    wrc_complaint  *complaint;
    wrc_blocks      blocks;
    uint32_t      **done; /* of each column, or NULL: of each level 0, or how many levels from
                           * it on are known to need no row */
    uint32_t *cursor;     /* of each column: levels before it are done */
    uint32_t *offer;      /* of each column: where the last row found one */
    uint32_t *row, *complete;
} collector;

static bool no_memory(collector *s)
{
    return wrc_model_complain(s->complaint, "not enough memory for the array");
}

static void set_done(collector *s, uint32_t column, uint32_t level)
{
    uint32_t *done = s->done[column];
    if (done != NULL && level < s->goal->levels[column] && done[level] == 0)
        done[level] = 1;
}

/* The first level from `from` on that is not done; `levels` where there is none. Each visit
 * makes the jumps longer. */
static uint32_t next_level(collector *s, uint32_t column, uint32_t from)
{
    uint32_t levels = s->goal->levels[column], *done = s->done[column];
    if (done == NULL)
        return levels;
    while (from < levels && done[from] != 0) {
        uint32_t next = from + done[from];
        if (next < levels)
            done[from] += done[next];
        from = next;
    }
    return from;
}

static bool can_take(const collector *s, uint32_t column, uint32_t level)
{
    return s->goal->oracle == NULL ||
           wrc_oracle_allows_level(s->goal->oracle, s->row, column, level);
}

static void take(collector *s, uint32_t column, uint32_t level)
{
    s->row[column] = level;
    set_done(s, column, level);
}

/* Goes on where the last row found one: what was refused there is likely to be so again. */
static void offer(collector *s, uint32_t column)
{
    uint32_t levels = s->goal->levels[column];
    uint32_t level = next_level(s, column, s->offer[column]);
    s->cursor[column] = next_level(s, column, s->cursor[column]);
    for (int i = 0; i < TRIES && s->cursor[column] < levels; i++) {
        if (level >= levels)
            level = s->cursor[column];
        if (can_take(s, column, level)) {
            take(s, column, level);
            s->offer[column] = level;
            return;
        }
        level = next_level(s, column, level + 1);
    }
}

/* The others stay open, to be filled at random. */
static void take_new(collector *s)
{
    size_t columns = s->goal->columns;
    memcpy(s->complete, s->row, columns * sizeof *s->row);
    wrc_oracle_complete(s->goal->oracle, s->complete, NULL);
    for (uint32_t c = 0; c < columns; c++)
        if (s->row[c] == WRC_ANY && s->complete[c] != WRC_ANY &&
            next_level(s, c, s->complete[c]) == s->complete[c])
            take(s, c, s->complete[c]);
}

static void extend_row(collector *s)
{
    bool refused = false;
    for (uint32_t c = 0; c < s->goal->columns; c++) {
        if (s->row[c] != WRC_ANY)
            continue;
        offer(s, c);
        refused |= s->row[c] == WRC_ANY && s->cursor[c] < s->goal->levels[c];
    }
    if (refused)
        take_new(s);
}

static bool add_row(collector *s)
{
    if ((s->array->rows + 1) * s->array->columns > CELLS_LIMIT)
        return wrc_model_complain(s->complaint, "the model asks for more rows than can be held");
    return wrc_array_add(s->array, s->row) || no_memory(s);
}

/* A row as it is before anything is chosen. */
static void begin_row(collector *s, const uint32_t *given)
{
    for (uint32_t c = 0; c < s->goal->columns; c++) {
        s->row[c] = s->goal->fixed != NULL ? s->goal->fixed[c] : WRC_ANY;
        if (s->row[c] == WRC_ANY && given != NULL)
            s->row[c] = given[c];
        if (s->row[c] != WRC_ANY)
            set_done(s, c, s->row[c]);
    }
}

/* Rows for all levels of a column that are not done yet. */
static bool collect_column(collector *s, uint32_t column)
{
    for (;;) {
        uint32_t level = s->cursor[column] = next_level(s, column, s->cursor[column]);
        if (level >= s->goal->levels[column])
            return true;
        begin_row(s, NULL);
        set_done(s, column, level);
        if (!can_take(s, column, level))
            continue; /* no row has it */
        s->row[column] = level;
        extend_row(s);
        if (!add_row(s))
            return false;
    }
}

static bool collect(collector *s)
{
    for (uint64_t r = 0; r < s->goal->kept_count; r++) {
        begin_row(s, s->goal->kept + r * s->goal->columns);
        extend_row(s);
        if (!add_row(s))
            return false;
    }
    for (uint32_t c = 0; c < s->goal->columns; c++)
        if (!collect_column(s, c))
            return false;
    return true;
}

static bool reserve(collector *s)
{
    size_t columns = s->goal->columns + 1;
    s->done = wrc_blocks_take(&s->blocks, columns, sizeof *s->done);
    s->cursor = wrc_blocks_take(&s->blocks, columns, sizeof *s->cursor);
    s->offer = wrc_blocks_take(&s->blocks, columns, sizeof *s->offer);
    s->row = wrc_blocks_take(&s->blocks, columns, sizeof *s->row);
    s->complete = wrc_blocks_take(&s->blocks, columns, sizeof *s->complete);
    if (s->blocks.failed)
        return false;
    for (uint32_t b = 0; b < s->goal->relation_count; b++)
        for (uint32_t i = 0; i < s->goal->relations[b].count; i++) {
            uint32_t c = s->goal->relations[b].parameters[i];
            if (s->done[c] == NULL)
                s->done[c] = wrc_blocks_take(&s->blocks, s->goal->levels[c], sizeof **s->done);
        }
    return !s->blocks.failed;
}

bool wrc_singles_collect(const wrc_goal *goal, wrc_array *out, wrc_complaint *complaint)
{
    collector s = { .goal = goal, .array = out, .complaint = complaint };
    *out = (wrc_array){ .columns = goal->columns };
    bool well = reserve(&s) ? collect(&s) : no_memory(&s);
    wrc_blocks_free(&s.blocks);
    if (!well)
        wrc_array_free(out);
    return well;
}
