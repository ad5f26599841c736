/* cover/search/grow.c: grows an array column by column (IPOG).
 *
 * frontier.h keeps the open tuples of the new column. First every row gets the level that covers
 * most of them. Then each tuple that is left goes to a row that still has room for it, found by
 * shelf.h, or to a new row. Several orders of the columns are raced by the amount of work, never
 * by the clock.
 */
#include "cover/search/stages.h"

#include "core/prng.h"
#include "cover/model/blocks.h"
#include "cover/search/frontier.h"
#include "cover/search/shelf.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_LIMIT (UINT64_C(1) << 28)       /* of the array */
#define RACE_WORK (UINT64_C(4) * 1000 * 1000) /* units looked at, over all runners */
#define RACE_RUNNERS 12
#define REFUSALS 4           /* levels refused before all that fit are asked for */
#define ROOM_TRIES 4096      /* rows that may refuse before a new one */
#define UNDECIDED_LIMIT 4096 /* rows without a level offered to each level */

typedef struct grower {
    const wrc_goal *goal;
    wrc_complaint  *complaint;
    wrc_array      *array;
    wrc_blocks      blocks;
    uint64_t        random;
    wrc_frontier    frontier; /* of the column that is being added */
    wrc_shelf       shelf;    /* rows with room that have one of its levels */

    uint32_t *order;
    uint8_t  *is_earlier; /* by column */
    uint32_t *used;       /* by level of the new column: the rows that have it */
    bool      rare_first; /* which level wins a tie: one that fits few rows, or one used little */
    uint64_t *mask, *allowed;
    uint64_t *head, *next; /* open rows by level of the new column */
    uint64_t  next_room;
    uint32_t *row;
} grower;

static bool no_memory(grower *g)
{
    return wrc_model_complain(g->complaint, "not enough memory for the array");
}

static bool too_large(grower *g)
{
    return wrc_model_complain(g->complaint,
                              "the model asks for more tuples than can be covered in memory");
}

/* ---- Horizontal growth ---- */

/* 1: the first level should rather be used, as it fits fewer rows or was used less. */
static int compare_levels(const grower *g, uint32_t a, uint32_t b)
{
    if (g->rare_first && g->frontier.refused[a] != g->frontier.refused[b])
        return g->frontier.refused[a] > g->frontier.refused[b] ? 1 : -1;
    return g->used[a] < g->used[b] ? 1 : g->used[a] > g->used[b] ? -1 : 0;
}

/* The best of the tied levels; chance decides among equals. */
static uint32_t break_tie(grower *g)
{
    uint32_t words = (g->frontier.levels + 63) / 64, choice = WRC_ANY, equals = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = g->frontier.ties[w]; left != 0; left &= left - 1) {
            uint32_t l = w * 64 + (uint32_t)__builtin_ctzll(left);
            int      better = choice == WRC_ANY ? 1 : compare_levels(g, l, choice);
            if (better < 0)
                continue;
            equals = better == 0 ? equals + 1 : 1;
            if (equals == 1 || wri_prng_scale(wri_prng_next(&g->random), equals - 1) == 0)
                choice = l;
        }
    }
    return choice;
}

static bool can_take(grower *g, const uint32_t *row, uint32_t column, uint32_t level)
{
    if (g->goal->oracle == NULL)
        return true;
    g->frontier.work += wrc_oracle_cost(g->goal->oracle, column);
    return wrc_oracle_allows_level(g->goal->oracle, row, column, level);
}

/* Takes from the mask every level that the row cannot have. */
static void mask_allowed(grower *g, const uint32_t *row)
{
    wrc_oracle_levels(g->goal->oracle, row, g->frontier.column, g->allowed);
    for (uint32_t w = 0; w < (g->frontier.levels + 63) / 64; w++)
        g->mask[w] &= g->allowed[w];
}

/* The level with the greatest gain that the row can take; WRC_ANY where nothing is gained. */
static uint32_t choose_level(grower *g, const uint32_t *row)
{
    uint32_t refused = 0;
    wrc_frontier_count(&g->frontier);
    for (uint32_t w = 0; w < (g->frontier.levels + 63) / 64; w++)
        g->mask[w] = UINT64_MAX;
    if (g->frontier.levels % 64 != 0)
        g->mask[g->frontier.levels / 64] = (UINT64_C(1) << (g->frontier.levels % 64)) - 1;
    for (;;) {
        if (wrc_frontier_best(&g->frontier, g->mask) == 0)
            return WRC_ANY;
        uint32_t level = break_tie(g);
        if (can_take(g, row, g->frontier.column, level))
            return level;
        g->mask[level / 64] &= ~(UINT64_C(1) << (level % 64));
        if (++refused == REFUSALS)
            mask_allowed(g, row);
    }
}

/* A level for every row, as long as something is open. */
static void extend_rows(grower *g)
{
    memset(g->used, 0, g->frontier.levels * sizeof *g->used);
    for (uint64_t r = 0; r < g->array->rows && g->frontier.open > 0; r++) {
        uint32_t *row = g->array->cells + r * g->array->columns;
        wrc_frontier_look(&g->frontier, row);
        if (row[g->frontier.column] == WRC_ANY)
            row[g->frontier.column] = choose_level(g, row);
        uint32_t level = row[g->frontier.column];
        if (level == WRC_ANY)
            continue;
        g->used[level]++;
        wrc_frontier_take(&g->frontier, level);
    }
}

/* ---- Vertical growth ---- */

/* Whether the row can take the tuple besides what it has; the row is filled in if so. */
static bool try_tuple(grower *g, uint32_t *row, wrc_cells t)
{
    for (uint32_t i = 0; i < t.count; i++)
        if (row[t.columns[i]] != WRC_ANY && row[t.columns[i]] != t.levels[i])
            return false;
    if (g->goal->oracle == NULL) {
        for (uint32_t i = 0; i < t.count; i++)
            row[t.columns[i]] = t.levels[i];
        return true;
    }
    memcpy(g->row, row, g->array->columns * sizeof *row);
    for (uint32_t i = 0; i < t.count; i++) {
        if (g->row[t.columns[i]] == t.levels[i])
            continue;
        if (!can_take(g, g->row, t.columns[i], t.levels[i]))
            return false;
        g->row[t.columns[i]] = t.levels[i];
    }
    memcpy(row, g->row, g->array->columns * sizeof *row);
    return true;
}

static bool has_tuple(const uint32_t *row, wrc_cells t)
{
    for (uint32_t i = 0; i < t.count; i++)
        if (row[t.columns[i]] != t.levels[i])
            return false;
    return true;
}

static uint32_t *row_in(const grower *g, uint64_t slot)
{
    return g->array->cells + g->shelf.rows[slot] * g->array->columns;
}

/* The tuple without the new column's cell, which is its last: by that the shelf is chosen. */
static wrc_cells earlier_cells(wrc_cells t)
{
    t.count--;
    return t;
}

static bool is_on_shelf(const grower *g, wrc_cells t)
{
    wrc_cells earlier = earlier_cells(t);
    uint64_t  slot = 0;
    for (; (slot = wrc_shelf_find(&g->shelf, slot, earlier, false)) != UINT64_MAX; slot++)
        if (has_tuple(row_in(g, slot), t))
            return true;
    return false;
}

/* A cell that is never with the tuple; one in a later column no row has. */
static void bar(void *state, uint32_t column, uint32_t level)
{
    grower *g = state;
    if (column < g->goal->columns && g->is_earlier[column])
        wrc_shelf_bar(&g->shelf, column, level);
}

static void bar_excluded(grower *g, wrc_cells t)
{
    wrc_shelf_unbar(&g->shelf);
    for (uint32_t i = 0; g->goal->oracle != NULL && i < t.count; i++)
        wrc_oracle_excluded(g->goal->oracle, t.columns[i], t.levels[i], bar, g);
    g->frontier.work += g->shelf.barred_count;
}

static bool place_on_shelf(grower *g, wrc_cells t)
{
    wrc_cells earlier = earlier_cells(t);
    uint64_t  slot = 0;
    bar_excluded(g, t);
    for (uint32_t tries = 0; tries < ROOM_TRIES; tries++, slot++) {
        slot = wrc_shelf_find(&g->shelf, slot, earlier, true);
        if (slot == UINT64_MAX)
            return false;
        if (try_tuple(g, row_in(g, slot), t)) {
            wrc_shelf_fill(&g->shelf, slot, earlier);
            return true;
        }
    }
    return false;
}

static bool shelve(grower *g, uint64_t row)
{
    return wrc_shelf_put(&g->shelf, row, g->array->cells + row * g->array->columns,
                         g->is_earlier) ||
           no_memory(g);
}

static bool place_in_new_row(grower *g, wrc_cells t)
{
    for (uint32_t c = 0; c < g->array->columns; c++)
        g->row[c] = g->goal->fixed != NULL ? g->goal->fixed[c] : WRC_ANY;
    for (uint32_t i = 0; i < t.count; i++)
        g->row[t.columns[i]] = t.levels[i];
    if ((g->array->rows + 1) * g->array->columns > CELLS_LIMIT)
        return too_large(g);
    if (!wrc_array_add(g->array, g->row))
        return no_memory(g);
    return shelve(g, g->array->rows - 1);
}

static bool place(void *state, const uint32_t *columns, const uint32_t *levels, uint32_t count)
{
    grower   *g = state;
    wrc_cells t = { columns, levels, count };
    g->frontier.work += g->shelf.count / 64 + 1;
    return is_on_shelf(g, t) || place_on_shelf(g, t) || place_in_new_row(g, t);
}

/* Whether a row has an open cell that a tuple of the new column may want. */
static bool has_room(const grower *g, const uint32_t *row)
{
    if (row[g->frontier.column] == WRC_ANY)
        return true;
    for (uint32_t c = 0; c < g->goal->columns; c++)
        if (g->is_earlier[c] && row[c] == WRC_ANY)
            return true;
    return false;
}

/* Lists the rows with room by the new column's level; those that have none yet at `levels`. */
static bool list_open_rows(grower *g)
{
    if (g->array->rows > g->next_room) {
        uint64_t *next = realloc(g->next, g->array->rows * 2 * sizeof *next);
        if (next == NULL)
            return no_memory(g);
        g->next = next;
        g->next_room = g->array->rows * 2;
    }
    for (uint32_t l = 0; l <= g->frontier.levels; l++)
        g->head[l] = UINT64_MAX;
    for (uint64_t r = g->array->rows; r-- > 0;) {
        const uint32_t *row = g->array->cells + r * g->array->columns;
        if (!has_room(g, row))
            continue;
        uint32_t level = row[g->frontier.column];
        level = level == WRC_ANY ? g->frontier.levels : level;
        g->next[r] = g->head[level];
        g->head[level] = r;
    }
    return true;
}

static bool fill_shelf(grower *g, uint32_t level)
{
    g->shelf.count = 0;
    for (uint64_t r = g->head[level]; r != UINT64_MAX; r = g->next[r])
        if (!shelve(g, r))
            return false;
    uint64_t *link = &g->head[g->frontier.levels];
    for (uint32_t offered = 0; *link != UINT64_MAX && offered < UNDECIDED_LIMIT;) {
        uint64_t r = *link;
        if (g->array->cells[r * g->array->columns + g->frontier.column] != WRC_ANY) {
            *link = g->next[r];
            continue;
        }
        if (!shelve(g, r))
            return false;
        offered++;
        link = &g->next[r];
    }
    return true;
}

static bool add_rows(grower *g)
{
    if (g->frontier.open == 0)
        return true;
    if (!list_open_rows(g))
        return false;
    for (uint32_t l = 0; l < g->frontier.levels && g->frontier.open > 0; l++) {
        if (!fill_shelf(g, l) || !wrc_frontier_each(&g->frontier, l, place, g))
            return false;
    }
    return true;
}

/* ---- Column by column ---- */

static bool grow_column(grower *g, uint32_t column)
{
    bool well = wrc_frontier_open(&g->frontier, column, g->is_earlier);
    if (well && g->frontier.open > 0) {
        extend_rows(g);
        well = add_rows(g);
    }
    wrc_frontier_close(&g->frontier);
    g->is_earlier[column] = 1;
    return well;
}

static bool start_rows(grower *g)
{
    const wrc_goal *goal = g->goal;
    g->array->columns = goal->columns;
    g->array->rows = 0;
    for (uint64_t r = 0; r < goal->kept_count; r++) {
        memcpy(g->row, goal->kept + r * goal->columns, goal->columns * sizeof *g->row);
        for (uint32_t c = 0; c < goal->columns; c++)
            if (wrc_goal_fixes(goal, c))
                g->row[c] = goal->fixed[c];
        if (!wrc_array_add(g->array, g->row))
            return no_memory(g);
    }
    return true;
}

static bool grow_in_order(grower *g, wrc_array *out)
{
    g->array = out;
    g->frontier.work = 0;
    memset(g->is_earlier, 0, g->goal->columns);
    if (!start_rows(g))
        return false;
    /* A fixed column is in no relation, and its level may be none of the valid ones. */
    for (uint32_t i = 0; i < g->goal->columns; i++)
        if (!wrc_goal_fixes(g->goal, g->order[i]) && !grow_column(g, g->order[i]))
            return false;
    return true;
}

/* Wide columns first; equals in the model's order for the first runner, in any for the others. */
static void choose_order(grower *g, bool shuffled)
{
    const uint32_t *levels = g->goal->levels;
    uint32_t        count = g->goal->columns;
    for (uint32_t i = 0; i < count; i++)
        g->order[i] = i;
    for (uint32_t i = count; shuffled && i-- > 1;) {
        uint32_t j = (uint32_t)wri_prng_scale(wri_prng_next(&g->random), i),
                 swapped = g->order[i];
        g->order[i] = g->order[j];
        g->order[j] = swapped;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t column = g->order[i], at = i;
        for (; at > 0 && levels[g->order[at - 1]] < levels[column]; at--)
            g->order[at] = g->order[at - 1];
        g->order[at] = column;
    }
}

static bool reserve_all(grower *g)
{
    size_t columns = g->goal->columns + 1, levels = 0;
    for (uint32_t c = 0; c < g->goal->columns; c++)
        levels = g->goal->levels[c] > levels ? g->goal->levels[c] : levels;
    size_t words = levels / 64 + 1;
    g->order = wrc_blocks_take(&g->blocks, columns, sizeof *g->order);
    g->is_earlier = wrc_blocks_take(&g->blocks, columns, 1);
    g->row = wrc_blocks_take(&g->blocks, columns, sizeof *g->row);
    g->used = wrc_blocks_take(&g->blocks, levels + 1, sizeof *g->used);
    g->mask = wrc_blocks_take(&g->blocks, words, sizeof *g->mask);
    g->allowed = wrc_blocks_take(&g->blocks, words, sizeof *g->allowed);
    g->head = wrc_blocks_take(&g->blocks, levels + 1, sizeof *g->head);
    return (!g->blocks.failed && wrc_shelf_open(&g->shelf, g->goal->columns, g->goal->levels)) ||
           no_memory(g);
}

static void release_all(grower *g)
{
    wrc_blocks_free(&g->blocks);
    free(g->next);
    wrc_shelf_close(&g->shelf);
    wrc_frontier_release(&g->frontier);
}

/* Further runners start while there is work left for them; the fewest rows win. */
static bool race(grower *g, wrc_array *out, uint64_t *work)
{
    choose_order(g, false);
    g->rare_first = true;
    if (!grow_in_order(g, out))
        return false;
    uint64_t spent = g->frontier.work, most = g->frontier.work;
    for (uint32_t runner = 1; runner < RACE_RUNNERS && spent + most <= RACE_WORK; runner++) {
        wrc_array other = { 0 };
        choose_order(g, true);
        g->rare_first = runner % 2 == 0;
        bool well = grow_in_order(g, &other);
        if (well && other.rows < out->rows) {
            wrc_array loser = *out;
            *out = other;
            other = loser;
        }
        wrc_array_free(&other);
        if (!well)
            return false;
        spent += g->frontier.work;
        most = g->frontier.work > most ? g->frontier.work : most;
    }
    *work += spent;
    return true;
}

bool wrc_grow(const wrc_goal *goal, uint64_t seed, wrc_array *out, uint64_t *work,
              wrc_complaint *complaint)
{
    grower g = { .goal = goal, .complaint = complaint, .random = wri_prng_stream(seed, 0) };
    *out = (wrc_array){ .columns = goal->columns };
    bool well = wrc_frontier_reserve(&g.frontier, goal, complaint) && reserve_all(&g) &&
                race(&g, out, work);
    release_all(&g);
    if (!well)
        wrc_array_free(out);
    return well;
}
