/* cover/search/reduce.c: takes rows away, by search.
 *
 * One row is taken away; the tuples that only it had are open. A move takes an open tuple and
 * changes one cell so that some row has it: the cell that opens the fewest others. Cells that
 * were just changed rest for a while. When nothing is open, the array is saved and the next row
 * goes. tally.h knows at any time how many tuples a change would open and cover, so a move is
 * weighed without looking at the array.
 */
#include "cover/search/stages.h"

#include "core/prng.h"
#include "cover/model/cpu.h"
#include "cover/search/tally.h"

#include <string.h>

#define TENURE_SHORT 3    /* moves that a changed cell rests, at most, where */
#define TENURE_LONG 10    /* little is open: by turns, as models differ in what */
#define TENURE_TURN 10000 /* is better; each for so many moves */
#define TENURE_MORE 13    /* and so many more where a lot is open */
#define ROWS_TRIED 32     /* for a tuple that no change of one cell gives */
#define DEFAULT_WORK (UINT64_C(240) * 1000 * 1000) /* what about a second of search does */
#define VAIN_WORK(spent) (UINT64_C(500) * 1000 + (spent) / 3 * 2) /* without a row gained, */
#define HOPEFUL 8  /* and so many times that where merging has gained some, or where */
#define FEW_OPEN 8 /* the first row that goes opens so few tuples at most. */
#define NEARLY 2   /* With so few open it is worth all the work, */
#define NEAR 24    /* and with so few, a fifth less than at first, */
#define FARTHER 3  /* so many times the work till then; */
#define WORTH (UINT64_C(100) * 1000) /* but not for an array that was built with less */
#define MOVE_WORK 80                 /* of one move, besides what is counted one by one */
#define CANDIDATE_WORK 6
#define WORDS (UINT64_C(1) << 27)         /* of a tally: half a gigabyte */
#define READING_LIMIT (UINT64_C(1) << 28) /* tuples of rows that are read, by default */
#define CLOCK_MOVES 64                    /* moves between looks at the clock */
#define FEWEST_MOVES CLOCK_MOVES          /* with fewer the array stays as it is */
#define WALK_ONE_IN 1000                  /* moves that take any row instead of the best */

typedef struct reducer {
    const wrc_goal *goal;
    wrc_blocks      blocks;
    wrc_tally       tally;
    wrc_array      *best; /* covers; what the caller gets */
    uint64_t        random;
    uint64_t        move;
    double          until; /* when the time given is over */
    uint32_t        columns;
    bool            merged;                 /* rows have become one before */
    uint32_t        first_open, least_open; /* tuples, since the first row went */

    uint32_t  rows;    /* that are left */
    uint32_t *ids;     /* which rows these are: a row keeps its number; the kept ones first */
    uint64_t *left;    /* the same as a set */
    uint32_t  removed; /* the row that went last, while what it had is open; or WRC_ANY */
    uint32_t *dirty;   /* rows that have changed since the array was saved */
    uint32_t  dirty_count;
    uint8_t  *is_dirty;
    uint64_t *rested; /* of each cell: from which move on it may change again */
    uint32_t *row;
} reducer;

/* ---- Changing cells, removing rows ---- */

static uint32_t tenure(const reducer *x)
{
    uint32_t more =
        x->tally.open.count / 12 < TENURE_MORE ? x->tally.open.count / 12 : TENURE_MORE;
    bool is_long = x->move / TENURE_TURN % 2 == 1;
    return (is_long ? TENURE_LONG : TENURE_SHORT) + more;
}

static void change(reducer *x, uint32_t row, uint32_t column, uint32_t level)
{
    size_t at = (size_t)row * x->columns + column;
    if (x->tally.cells[at] == level)
        return;
    wrc_tally_change(&x->tally, row, column, level);
    if (!x->is_dirty[row])
        x->dirty[x->dirty_count++] = row;
    x->is_dirty[row] = 1;
    x->rested[at] = x->move + 1 + wri_prng_scale(wri_prng_next(&x->random), tenure(x) - 1);
}

/* Takes away the row at a place of the list; the last of the list comes there. */
static void remove_row(reducer *x, uint32_t place)
{
    uint32_t row = x->ids[place];
    x->ids[place] = x->ids[--x->rows];
    x->left[row / 64] ^= UINT64_C(1) << (row % 64);
    x->removed = row;
    wrc_tally_remove(&x->tally, row);
}

/* The place of the row whose going opens least; chance decides among equals. */
static uint32_t least_row(reducer *x)
{
    uint64_t least = UINT64_MAX;
    uint32_t choice = WRC_ANY, equals = 0;
    for (uint32_t i = (uint32_t)x->goal->kept_count; i < x->rows; i++) {
        const uint32_t *loss = x->tally.loss + (size_t)x->ids[i] * x->columns;
        uint64_t        sum = 0;
        for (uint32_t c = 0; c < x->columns; c++)
            sum += loss[c];
        equals = sum == least ? equals + 1 : 1;
        if (sum < least ||
            (sum == least && wri_prng_scale(wri_prng_next(&x->random), equals - 1) == 0))
            choice = i;
        least = sum < least ? sum : least;
    }
    x->tally.work += (uint64_t)x->rows * x->columns / 8;
    return choice;
}

/* ---- Moves ---- */

static bool is_frozen(const reducer *x, uint32_t row, uint32_t column)
{
    return row < x->goal->kept_count &&
           x->goal->kept[(size_t)row * x->columns + column] != WRC_ANY;
}

static bool allows(const reducer *x, uint32_t row, uint32_t column, uint32_t level)
{
    return x->goal->oracle == NULL ||
           wrc_oracle_allows_level(x->goal->oracle, x->tally.cells + (size_t)row * x->columns,
                                   column, level);
}

typedef struct candidate {
    uint32_t row, column, level;
    int64_t  score;
    uint64_t rested;
} candidate;

/* Whether a move is better than the best so far: by what it covers less what it opens, then by
 * how long its cell has not changed. */
static bool is_better(const candidate *one, const candidate *best)
{
    return best->row == WRC_ANY || one->score > best->score ||
           (one->score == best->score && one->rested < best->rested);
}

/* A tuple in hand. */
typedef struct tuple {
    uint32_t        count;
    const uint32_t *columns, *values;
} tuple;

static void consider(reducer *x, uint32_t row, const tuple *t, candidate *best)
{
    const uint32_t *cells = x->tally.cells + (size_t)row * x->columns;
    uint32_t        i = 0;
    x->tally.work += CANDIDATE_WORK;
    while (x->tally.value[t->columns[i]] + cells[t->columns[i]] == t->values[i])
        i++;
    uint32_t column = t->columns[i];
    size_t   at = (size_t)row * x->columns + column;
    int64_t  loss = x->tally.loss[at];
    if (is_frozen(x, row, column) ||
        (best->row != WRC_ANY &&
         (int64_t)x->tally.open.wanted[t->values[i]] - loss < best->score))
        return;
    candidate one = { row, column, t->values[i] - x->tally.value[column],
                      wrc_tally_gain(&x->tally, row, column, t->values[i]) - loss,
                      x->rested[at] };
    if (one.rested > x->move && one.score < (int64_t)x->tally.open.count)
        return;
    if (is_better(&one, best) && allows(x, row, column, one.level))
        *best = one;
}

/* The best change of one cell that gives some row the tuple: among the rows that lack one cell
 * of it, 64 at a time. */
static candidate best_change(reducer *x, const tuple *t)
{
    candidate best = { .row = WRC_ANY };
    x->tally.work += MOVE_WORK + (uint64_t)x->tally.set_words * t->count / 2;
    for (uint32_t w = 0; w < x->tally.set_words; w++) {
        uint64_t all = x->left[w], all_but_one = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t have = x->tally.having[(size_t)t->values[i] * x->tally.set_words + w];
            all_but_one = (all_but_one & have) | (all & ~have);
            all &= have;
        }
        for (; all_but_one != 0; all_but_one &= all_but_one - 1)
            consider(x, w * 64 + (uint32_t)__builtin_ctzll(all_but_one), t, &best);
    }
    return best;
}

static bool touches(const reducer *x, const tuple *t, uint32_t column)
{
    uint32_t component = wrc_oracle_component(x->goal->oracle, column);
    for (uint32_t i = 0; component != WRC_ANY && i < t->count; i++)
        if (wrc_oracle_component(x->goal->oracle, t->columns[i]) == component)
            return true;
    return false;
}

/* Writes into x->row the row as it has to be to have the tuple: of the cells that the constraints
 * tie to it, those that can stay do, from a place at random on. */
static void plan_row(reducer *x, uint32_t row, const tuple *t)
{
    const uint32_t *cells = x->tally.cells + (size_t)row * x->columns;
    wrc_oracle     *oracle = x->goal->oracle;
    for (uint32_t c = 0; c < x->columns; c++)
        x->row[c] = oracle != NULL && touches(x, t, c) ? WRC_ANY : cells[c];
    for (uint32_t c = 0; c < x->columns; c++)
        if (wrc_goal_fixes(x->goal, c))
            x->row[c] = x->goal->fixed[c];
    for (uint32_t i = 0; i < t->count; i++)
        x->row[t->columns[i]] = t->values[i] - x->tally.value[t->columns[i]];
    if (oracle == NULL)
        return;
    uint32_t start = (uint32_t)wri_prng_scale(wri_prng_next(&x->random), x->columns - 1);
    for (uint32_t i = 0; i < x->columns; i++) {
        uint32_t c = (start + i) % x->columns;
        if (x->row[c] != WRC_ANY)
            continue;
        x->tally.work += wrc_oracle_cost(oracle, c);
        if (wrc_oracle_allows_level(oracle, x->row, c, cells[c]))
            x->row[c] = cells[c];
    }
    wrc_oracle_complete(oracle, x->row, &x->random);
}

/* Makes a row have the tuple, and change as little else as the constraints allow. */
static void force(reducer *x, uint32_t row, const tuple *t)
{
    plan_row(x, row, t);
    for (uint32_t c = 0; c < x->columns; c++)
        change(x, row, c, x->row[c]);
}

static uint32_t any_row(reducer *x)
{
    uint32_t kept = (uint32_t)x->goal->kept_count;
    return x->ids[kept + wri_prng_scale(wri_prng_next(&x->random), x->rows - kept - 1)];
}

/* The one of a few rows that would open least. */
static uint32_t best_of_some(reducer *x, const tuple *t)
{
    uint32_t choice = any_row(x);
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ROWS_TRIED; i++) {
        uint32_t row = any_row(x);
        uint64_t sum = 0;
        for (uint32_t j = 0; j < t->count; j++) {
            size_t at = (size_t)row * x->columns + t->columns[j];
            if (x->tally.value[t->columns[j]] + x->tally.cells[at] != t->values[j])
                sum += x->tally.loss[at] + (x->rested[at] > x->move ? 1000 : 0);
        }
        if (sum < least) {
            least = sum;
            choice = row;
        }
    }
    return choice;
}

static void make_move(reducer *x)
{
    uint32_t at = (uint32_t)wri_prng_scale(wri_prng_next(&x->random), x->tally.open.count - 1);
    uint32_t count = x->tally.open.size[at], columns[count], values[count];
    tuple    t = { count, columns, values };
    memcpy(columns, x->tally.open.columns + (size_t)at * x->tally.strength, sizeof columns);
    memcpy(values, x->tally.open.values + (size_t)at * x->tally.strength, sizeof values);
    x->move++;
    if (wri_prng_scale(wri_prng_next(&x->random), WALK_ONE_IN - 1) == 0) {
        force(x, any_row(x), &t);
        return;
    }
    candidate best = best_change(x, &t);
    if (best.row != WRC_ANY)
        change(x, best.row, best.column, best.level);
    else
        force(x, best_of_some(x, &t), &t);
}

/* The array covers: what has changed is written down. */
static void save(reducer *x)
{
    for (uint32_t i = 0; i < x->dirty_count; i++) {
        size_t at = (size_t)x->dirty[i] * x->columns;
        memcpy(x->best->cells + at, x->tally.cells + at, x->columns * sizeof *x->tally.cells);
        x->is_dirty[x->dirty[i]] = 0;
    }
    x->dirty_count = 0;
    x->removed = WRC_ANY;
}

/* Leaves the array as it was saved last, without the rows that had gone by then. */
static void finish(reducer *x)
{
    uint64_t rows = x->best->rows;
    x->best->rows = 0;
    for (uint64_t r = 0; r < rows; r++) {
        if (!(x->left[r / 64] >> (r % 64) & 1) && r != x->removed)
            continue;
        memmove(x->best->cells + x->best->rows++ * x->columns, x->best->cells + r * x->columns,
                x->columns * sizeof *x->tally.cells);
    }
}

static uint32_t share_of(const wrc_effort *effort)
{
    return effort->share > 0 ? effort->share : 1;
}

/* How long a search in vain goes on: the longer, the fewer tuples were open at some time. */
static uint64_t patience(reducer *x, uint64_t work, uint64_t most)
{
    uint32_t open = x->tally.open.count;
    uint64_t more = 0;
    if (x->first_open == 0) {
        x->first_open = open;
        more = open <= FEW_OPEN ? work * HOPEFUL : 0;
    } else if (open >= x->least_open) {
        return work;
    } else if (open <= NEARLY) {
        more = most;
    } else if (open <= NEAR && open * 5 <= (uint64_t)x->first_open * 4) {
        more = x->tally.work * FARTHER;
    }
    x->least_open = open;
    more = more < most ? more : most;
    return more > work ? more : work;
}

static void search(reducer *x, const wrc_effort *effort)
{
    uint64_t moves = effort->seconds > 0 || effort->moves == 0 ? UINT64_MAX : effort->moves;
    bool     by_default = effort->seconds <= 0 && effort->moves == 0;
    uint64_t most = by_default ? DEFAULT_WORK / share_of(effort) : UINT64_MAX;
    uint64_t in_vain = VAIN_WORK(effort->spent) * (x->merged ? HOPEFUL : 1);
    uint64_t work = in_vain < most && by_default ? in_vain : most;
    while (x->move < moves && x->tally.work < work && !x->tally.failed) {
        if (x->tally.open.count == 0) {
            work = x->rows < x->best->rows ? most : work;
            save(x);
            if (x->rows <= x->goal->kept_count + 1 || x->rows <= x->tally.floor)
                return;
            remove_row(x, least_row(x));
        } else {
            make_move(x);
        }
        if (by_default && effort->spent >= WORTH)
            work = patience(x, work, most);
        if (x->move % CLOCK_MOVES == 0 && ((effort->stop != NULL && *effort->stop) ||
                                           (effort->seconds > 0 && wrc_cpu_seconds() > x->until)))
            return;
    }
    if (x->tally.open.count == 0 && !x->tally.failed)
        save(x);
}

/* ---- Opening ---- */

static bool reserve(reducer *x)
{
    size_t cells = (size_t)x->rows * x->columns + 1;
    x->rested = wrc_blocks_take(&x->blocks, cells, sizeof *x->rested);
    x->row = wrc_blocks_take(&x->blocks, x->columns + 1, sizeof *x->row);
    x->ids = wrc_blocks_take(&x->blocks, x->rows + 1, sizeof *x->ids);
    x->left = wrc_blocks_take(&x->blocks, x->rows / 64 + 1, sizeof *x->left);
    x->dirty = wrc_blocks_take(&x->blocks, x->rows + 1, sizeof *x->dirty);
    x->is_dirty = wrc_blocks_take(&x->blocks, x->rows + 1, 1);
    if (x->blocks.failed)
        return false;
    for (uint32_t r = 0; r < x->rows; r++) {
        x->ids[r] = r;
        x->left[r / 64] |= UINT64_C(1) << (r % 64);
    }
    x->removed = WRC_ANY;
    return true;
}

/* Whether reading the array alone would take much longer than the search is to take. */
static bool is_too_long(const reducer *x, const wrc_effort *effort)
{
    uint64_t most = READING_LIMIT / x->rows;
    for (uint32_t b = 0; b < x->goal->relation_count; b++) {
        const wrc_relation *r = &x->goal->relations[b];
        uint64_t            tuples = wrc_count_choose(r->count, r->strength);
        if (tuples > most)
            return effort->seconds <= 0 && effort->moves == 0;
        most -= tuples;
    }
    return false;
}

static void search_with(reducer *x, const wrc_effort *effort)
{
    x->rows = (uint32_t)x->best->rows;
    wrc_fill_array(&(wrc_filler){ .goal = x->goal }, x->best, &x->random);
    if (!is_too_long(x, effort) && wrc_tally_open(&x->tally, x->goal, x->rows, WORDS) &&
        reserve(x) && wrc_tally_read(&x->tally, x->best->cells)) {
        search(x, effort);
        finish(x);
    }
    wrc_blocks_free(&x->blocks);
    wrc_tally_close(&x->tally);
}

bool wrc_reduce(const wrc_goal *goal, const wrc_effort *effort, wrc_array *array, uint64_t *moves)
{
    reducer x = { .goal = goal,
                  .best = array,
                  .columns = goal->columns,
                  .random = wri_prng_stream(effort->seed, 1),
                  .until = wrc_cpu_seconds() + effort->seconds };
    *moves = 0;
    if (effort->seconds <= 0 && effort->moves > 0 && effort->moves < FEWEST_MOVES)
        return true;
    uint64_t rows = array->rows;
    wrc_merge(goal, &x.random, array);
    x.merged = array->rows < rows;
    if (array->rows <= WRC_TALLIED_ROWS && array->rows > goal->kept_count + 1)
        search_with(&x, effort);
    *moves = x.move > FEWEST_MOVES ? x.move : FEWEST_MOVES;
    return true;
}
