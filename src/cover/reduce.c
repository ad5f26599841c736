/* cover/reduce.c: fewer rows, by search.
 *
 * One row is taken away; what only it had is open. A move takes an open tuple and changes one
 * cell so that some row has it, the one that opens fewest others; cells that were just changed
 * rest for a while. When nothing is open the array is saved and the next row goes.
 *
 * Every tuple has one word: how many rows have it, and the exclusive or of their numbers. So
 * where only one row has it, the word says which; from that each cell knows at any time how many
 * tuples would open if it changed, and a move is weighed without looking at the array.
 */
#include "cover/build.h"

#include "core/prng.h"
#include "cover/feasible.h"
#include "cover/tuples.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROWS_LIMIT 65535                   /* a row's number is half a word */
#define OPEN_LIMIT 65535                   /* and so is the place of an open tuple in its list */
#define TUPLES_LIMIT (UINT64_C(1) << 27)   /* words in memory */
#define SETS_LIMIT (UINT64_C(1) << 27)     /* words of the sets of rows by cell */
#define ONE UINT32_C(0x10000)              /* one row, in a word */
#define NEVER (UINT32_C(0x8000) << 16)     /* the word of an infeasible tuple: taken for covered */
#define TENURE_SHORT 3                     /* moves that a changed cell rests, at most, where */
#define TENURE_LONG 10                     /* little is open: by turns, as models differ in what */
#define TENURE_TURN 10000                  /* is better; each for so many moves */
#define TENURE_MORE 13                     /* and so many more where a lot is open */
#define ROWS_TRIED 32                      /* for a tuple that no change of one cell gives */
#define DEFAULT_WORK (UINT64_C(240) * 1000 * 1000) /* what about a second of search does */
#define MOVE_WORK 80                       /* of one move, besides what is counted one by one */
#define CANDIDATE_WORK 6
#define WORD_WORK(tuples) ((tuples) > FAR_TUPLES ? 8 : (tuples) > NEAR_TUPLES ? 4 : 2)
#define NEAR_TUPLES (UINT64_C(1) << 17)    /* words that are close to the processor */
#define FAR_TUPLES (UINT64_C(1) << 20)
#define EVENT_WORK 10                      /* of a tuple that opens and is shut again */
#define READING_LIMIT (UINT64_C(1) << 28)  /* tuples of rows that are read, by default */
#define CLOCK_MOVES 64                     /* moves between looks at the clock */
#define FEWEST_MOVES CLOCK_MOVES           /* with fewer the array stays as it is */
#define WALK_ONE_IN 1000                   /* moves that take any row instead of the best */

/* Where a column is in a relation. */
typedef struct occurrence {
    uint32_t relation, position;
} occurrence;

typedef struct reducer {
    const wri_goal *goal;
    wri_array      *best; /* covers; what the caller gets */
    uint64_t        random;
    uint64_t        move;
    uint64_t        work; /* done so far: what a move costs depends on what is open */
    uint32_t        word_cost;
    bool            starting; /* rows are being read: no tuple is listed as open */
    bool            failed; /* out of memory, or too much open: the search ends */

    uint32_t       columns, rows, strength; /* rows that are left; the greatest strength */
    uint64_t       floor; /* fewer rows cannot be: the tuples of some combination */
    wri_numbering *relations;
    uint64_t      *first; /* word of each relation */
    uint64_t       tuples;
    uint32_t      *words;
    uint32_t     **offsets; /* by relation: before + level of each position, row by row */
    occurrence    *occurrences;
    uint32_t      *occurs; /* where a column's occurrences start; columns + 1 */

    uint32_t *ids;     /* which rows are left: a row keeps its number; the kept ones first */
    uint64_t *left;    /* the same as a set */
    uint32_t  removed; /* the row that went last, while what it had is open; or WRI_ANY */
    uint32_t *dirty;   /* rows that have changed since the array was saved */
    uint32_t  dirty_count;
    uint8_t  *is_dirty;

    uint32_t *cells;
    uint32_t *loss;   /* of each cell: the tuples with it that no other row has */
    uint64_t *rested; /* of each cell: from which move on it may change again */
    uint32_t *value;  /* the number of a column's level 0 among all levels of all columns */
    uint32_t  values, set_words;
    uint64_t *having; /* by value: the set of the rows that have it */

    uint32_t  open, open_room;
    uint32_t *open_word, *open_strength, *open_columns, *open_values;
    uint32_t *next, *previous; /* cell to cell, a list of the open tuples with a value */
    uint32_t *head, *wanted;   /* by value: that list, and how long it is */

    uint32_t *row;
} reducer;

/* ---- Open tuples ---- */

static bool reserve_open(reducer *x)
{
    if (x->open < x->open_room)
        return true;
    uint32_t   room = x->open_room * 2 + 64;
    uint32_t **lists[] = { &x->open_word, &x->open_strength, &x->open_columns, &x->open_values,
                           &x->next, &x->previous };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        uint32_t *list = realloc(*lists[i], (size_t)room * x->strength * sizeof *list);
        if (list == NULL)
            return false;
        *lists[i] = list;
    }
    x->open_room = room;
    return true;
}

/* Cell `node` of the open tuples joins the list of its value. */
static inline void link_cell(reducer *x, uint32_t node, uint32_t value)
{
    uint32_t after = x->head[value];
    x->next[node] = after;
    x->previous[node] = WRI_ANY;
    if (after != WRI_ANY)
        x->previous[after] = node;
    x->head[value] = node;
    x->wanted[value]++;
}

static inline void unlink_cell(reducer *x, uint32_t node, uint32_t value)
{
    uint32_t before = x->previous[node], after = x->next[node];
    if (after != WRI_ANY)
        x->previous[after] = before;
    if (before != WRI_ANY)
        x->next[before] = after;
    else
        x->head[value] = after;
    x->wanted[value]--;
}

/* The columns of a tuple of relation n: those of its prefix, and the last. */
static inline uint32_t column_at(const wri_numbering *n, const uint32_t *member, uint32_t last,
                                 uint32_t i)
{
    return n->columns[i + 1 < n->strength ? member[i] : last];
}

static void open_tuple(reducer *x, uint32_t word, const uint32_t *row, const wri_numbering *n,
                       const uint32_t *member, uint32_t last)
{
    if (x->open >= OPEN_LIMIT || !reserve_open(x)) {
        x->failed = true;
        return;
    }
    uint32_t at = x->open++;
    x->words[word] = at;
    x->open_word[at] = word;
    x->open_strength[at] = n->strength;
    for (uint32_t i = 0; i < n->strength; i++) {
        uint32_t column = column_at(n, member, last, i), node = at * x->strength + i;
        x->open_columns[node] = column;
        x->open_values[node] = x->value[column] + row[column];
        link_cell(x, node, x->open_values[node]);
    }
}

/* The last of the list takes the place of the one that goes. */
static void shut_tuple(reducer *x, uint32_t at)
{
    uint32_t last = --x->open, node = at * x->strength, moved = last * x->strength;
    for (uint32_t i = 0; i < x->open_strength[at]; i++)
        unlink_cell(x, node + i, x->open_values[node + i]);
    if (at == last)
        return;
    x->open_word[at] = x->open_word[last];
    x->open_strength[at] = x->open_strength[last];
    for (uint32_t i = 0; i < x->open_strength[at]; i++) {
        unlink_cell(x, moved + i, x->open_values[moved + i]);
        x->open_columns[node + i] = x->open_columns[moved + i];
        x->open_values[node + i] = x->open_values[moved + i];
        link_cell(x, node + i, x->open_values[node + i]);
    }
    x->words[x->open_word[at]] = at;
}

/* ---- Words ---- */

static inline void weigh(reducer *x, uint32_t row, const wri_numbering *n, const uint32_t *member,
                         uint32_t last, uint32_t by)
{
    uint32_t *loss = x->loss + (size_t)row * x->columns;
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        loss[n->columns[member[i]]] += by;
    loss[n->columns[last]] += by;
}

/* A row does not have the tuple any longer; its cells are still those that it was in. */
static inline void leave(reducer *x, uint32_t word, uint32_t row, const wri_numbering *n,
                         const uint32_t *member, uint32_t last)
{
    uint32_t now = (x->words[word] - ONE) ^ row;
    x->words[word] = now;
    if (now >= 2 * ONE)
        return;
    if (now >= ONE) {
        weigh(x, now - ONE, n, member, last, 1);
    } else {
        x->work += EVENT_WORK;
        weigh(x, row, n, member, last, UINT32_MAX);
        open_tuple(x, word, x->cells + (size_t)row * x->columns, n, member, last);
    }
}

static inline void enter(reducer *x, uint32_t word, uint32_t row, const wri_numbering *n,
                         const uint32_t *member, uint32_t last)
{
    uint32_t was = x->words[word];
    x->words[word] = (was + ONE) ^ row;
    if (was >= 2 * ONE)
        return;
    if (was >= ONE) {
        weigh(x, was - ONE, n, member, last, UINT32_MAX);
    } else {
        if (!x->starting)
            shut_tuple(x, was);
        x->words[word] = ONE + row;
        weigh(x, row, n, member, last, 1);
    }
}

/* The word before those that a row has with a prefix, but for the offsets of the last column. */
static inline uint32_t start_of(const reducer *x, uint32_t b, uint64_t prefix,
                                const uint32_t *offset)
{
    const wri_numbering *n = &x->relations[b];
    const uint32_t      *member = wri_prefix(n, prefix);
    uint32_t             from = wri_prefix_from(n, prefix);
    uint64_t             rank = 0;
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        rank = rank * n->levels[member[i]] + (offset[member[i]] - n->before[member[i]]);
    return (uint32_t)(x->first[b] + n->base[prefix] + rank * wri_prefix_span(n, from)) -
           n->before[from];
}

static void leave_all(reducer *x, uint32_t row)
{
    for (uint32_t b = 0; b < x->goal->relation_count; b++) {
        const wri_numbering *n = &x->relations[b];
        const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
        for (uint64_t p = 0; p < n->prefixes; p++) {
            uint32_t start = start_of(x, b, p, offset), from = wri_prefix_from(n, p);
            x->work += (uint64_t)(n->count - from) * x->word_cost;
            for (uint32_t last = from; last < n->count; last++)
                leave(x, start + offset[last], row, n, wri_prefix(n, p), last);
        }
    }
}

/* The tuples in which the changed position is in the prefix: two stretches of memory each. */
static void change_in_prefixes(reducer *x, uint32_t b, uint32_t row, uint32_t position,
                               uint32_t level)
{
    const wri_numbering *n = &x->relations[b];
    const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
    for (uint64_t i = n->with[position]; i < n->with[position + 1]; i++) {
        uint32_t        prefix = n->containing[i], from = wri_prefix_from(n, prefix);
        const uint32_t *member = wri_prefix(n, prefix);
        uint64_t        old = 0, new = 0, span = wri_prefix_span(n, from);
        for (uint32_t j = 0; j + 1 < n->strength; j++) {
            uint32_t p = member[j], has = offset[p] - n->before[p];
            old = old * n->levels[p] + has;
            new = new * n->levels[p] + (p == position ? level : has);
        }
        uint64_t start = x->first[b] + n->base[prefix] - n->before[from];
        x->work += (uint64_t)(n->count - from) * x->word_cost;
        uint32_t leaving = (uint32_t)(start + old * span);
        uint32_t entering = (uint32_t)(start + new * span);
        for (uint32_t last = from; last < n->count; last++) {
            leave(x, leaving + offset[last], row, n, member, last);
            enter(x, entering + offset[last], row, n, member, last);
        }
    }
}

/* Those in which it comes last: the first prefixes, two words each. */
static void change_as_last(reducer *x, uint32_t b, uint32_t row, uint32_t position,
                           uint32_t level)
{
    const wri_numbering *n = &x->relations[b];
    const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
    uint64_t             prefixes = wri_choose(position, n->strength - 1);
    uint32_t             old = offset[position], new = n->before[position] + level;
    x->work += prefixes * x->word_cost;
    for (uint64_t p = 0; p < prefixes; p++) {
        uint32_t start = start_of(x, b, p, offset);
        leave(x, start + old, row, n, wri_prefix(n, p), position);
        enter(x, start + new, row, n, wri_prefix(n, p), position);
    }
}

static inline void flip(reducer *x, uint32_t row, uint32_t value)
{
    x->having[(size_t)value * x->set_words + row / 64] ^= UINT64_C(1) << (row % 64);
}

static uint32_t tenure(const reducer *x)
{
    uint32_t more = x->open / 12 < TENURE_MORE ? x->open / 12 : TENURE_MORE;
    bool     is_long = x->move / TENURE_TURN % 2 == 1;
    return (is_long ? TENURE_LONG : TENURE_SHORT) + more;
}

static void change(reducer *x, uint32_t row, uint32_t column, uint32_t level)
{
    size_t at = (size_t)row * x->columns + column;
    if (x->cells[at] == level)
        return;
    for (uint32_t i = x->occurs[column]; i < x->occurs[column + 1]; i++) {
        occurrence           o = x->occurrences[i];
        const wri_numbering *n = &x->relations[o.relation];
        change_in_prefixes(x, o.relation, row, o.position, level);
        change_as_last(x, o.relation, row, o.position, level);
        x->offsets[o.relation][(size_t)row * n->count + o.position] =
            n->before[o.position] + level;
    }
    flip(x, row, x->value[column] + x->cells[at]);
    flip(x, row, x->value[column] + level);
    x->cells[at] = level;
    if (!x->is_dirty[row])
        x->dirty[x->dirty_count++] = row;
    x->is_dirty[row] = 1;
    x->rested[at] = x->move + 1 + wri_scale(wri_next(&x->random), tenure(x) - 1);
}

/* ---- Rows ---- */

static void read_row(reducer *x, uint32_t row, const uint32_t *cells)
{
    memcpy(x->cells + (size_t)row * x->columns, cells, x->columns * sizeof *cells);
    for (uint32_t c = 0; c < x->columns; c++)
        flip(x, row, x->value[c] + cells[c]);
    for (uint32_t b = 0; b < x->goal->relation_count; b++) {
        const wri_numbering *n = &x->relations[b];
        for (uint32_t p = 0; p < n->count; p++)
            x->offsets[b][(size_t)row * n->count + p] = n->before[p] + cells[n->columns[p]];
    }
}

/* Takes away the row at a place of the list; the last of the list comes there. */
static void remove_row(reducer *x, uint32_t place)
{
    uint32_t row = x->ids[place];
    x->ids[place] = x->ids[--x->rows];
    x->left[row / 64] ^= UINT64_C(1) << (row % 64);
    x->removed = row;
    leave_all(x, row);
    for (uint32_t c = 0; c < x->columns; c++)
        flip(x, row, x->value[c] + x->cells[(size_t)row * x->columns + c]);
}

/* The place of the row whose going opens least; chance decides among equals. */
static uint32_t least_row(reducer *x)
{
    uint64_t least = UINT64_MAX;
    uint32_t choice = WRI_ANY, equals = 0;
    for (uint32_t i = (uint32_t)x->goal->kept_count; i < x->rows; i++) {
        const uint32_t *loss = x->loss + (size_t)x->ids[i] * x->columns;
        uint64_t        sum = 0;
        for (uint32_t c = 0; c < x->columns; c++)
            sum += loss[c];
        equals = sum == least ? equals + 1 : 1;
        if (sum < least ||
            (sum == least && wri_scale(wri_next(&x->random), equals - 1) == 0))
            choice = i;
        least = sum < least ? sum : least;
    }
    x->work += (uint64_t)x->rows * x->columns / 8;
    return choice;
}

/* ---- Moves ---- */

/* How many open tuples the row would have if it had this cell. */
static uint32_t gain_of(reducer *x, uint32_t row, uint32_t column, uint32_t value)
{
    const uint32_t *cells = x->cells + (size_t)row * x->columns;
    uint32_t        gain = 0;
    x->work += 2 * x->wanted[value];
    for (uint32_t node = x->head[value]; node != WRI_ANY; node = x->next[node]) {
        uint32_t        t = node / x->strength, i = 0;
        const uint32_t *other = x->open_columns + (size_t)t * x->strength;
        const uint32_t *wants = x->open_values + (size_t)t * x->strength;
        while (i < x->open_strength[t] &&
               (other[i] == column || x->value[other[i]] + cells[other[i]] == wants[i]))
            i++;
        gain += i == x->open_strength[t];
    }
    return gain;
}

static bool is_fixed(const reducer *x, uint32_t column)
{
    return x->goal->fixed != NULL && x->goal->fixed[column] != WRI_ANY;
}

static bool is_frozen(const reducer *x, uint32_t row, uint32_t column)
{
    return row < x->goal->kept_count &&
           x->goal->kept[(size_t)row * x->columns + column] != WRI_ANY;
}

static bool allows(const reducer *x, uint32_t row, uint32_t column, uint32_t level)
{
    return x->goal->oracle == NULL ||
           wri_oracle_allows_level(x->goal->oracle, x->cells + (size_t)row * x->columns, column,
                                   level);
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
    return best->row == WRI_ANY || one->score > best->score ||
           (one->score == best->score && one->rested < best->rested);
}

/* A tuple in hand. */
typedef struct tuple {
    uint32_t        count;
    const uint32_t *columns, *values;
} tuple;

static void consider(reducer *x, uint32_t row, const tuple *t, candidate *best)
{
    const uint32_t *cells = x->cells + (size_t)row * x->columns;
    uint32_t        i = 0;
    x->work += CANDIDATE_WORK;
    while (x->value[t->columns[i]] + cells[t->columns[i]] == t->values[i])
        i++;
    uint32_t column = t->columns[i];
    size_t   at = (size_t)row * x->columns + column;
    int64_t  loss = x->loss[at];
    if (is_frozen(x, row, column) ||
        (best->row != WRI_ANY && (int64_t)x->wanted[t->values[i]] - loss < best->score))
        return;
    candidate one = { row, column, t->values[i] - x->value[column],
                      gain_of(x, row, column, t->values[i]) - loss, x->rested[at] };
    if (one.rested > x->move && one.score < (int64_t)x->open)
        return;
    if (is_better(&one, best) && allows(x, row, column, one.level))
        *best = one;
}

/* The best change of one cell that gives some row the tuple: among the rows that lack one cell
 * of it, 64 at a time. */
static candidate best_change(reducer *x, const tuple *t)
{
    candidate best = { .row = WRI_ANY };
    x->work += MOVE_WORK + (uint64_t)x->set_words * t->count / 2;
    for (uint32_t w = 0; w < x->set_words; w++) {
        uint64_t all = x->left[w], all_but_one = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t have = x->having[(size_t)t->values[i] * x->set_words + w];
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
    uint32_t component = wri_oracle_component(x->goal->oracle, column);
    for (uint32_t i = 0; component != WRI_ANY && i < t->count; i++)
        if (wri_oracle_component(x->goal->oracle, t->columns[i]) == component)
            return true;
    return false;
}

static uint64_t next_random(void *state)
{
    return wri_next(state);
}

/* Writes into x->row the row as it has to be to have the tuple: of the cells that the constraints
 * tie to it, those that can stay do, from a place at random on. */
static void plan_row(reducer *x, uint32_t row, const tuple *t)
{
    const uint32_t *cells = x->cells + (size_t)row * x->columns;
    wri_oracle     *oracle = x->goal->oracle;
    for (uint32_t c = 0; c < x->columns; c++)
        x->row[c] = oracle != NULL && touches(x, t, c) ? WRI_ANY : cells[c];
    for (uint32_t c = 0; c < x->columns; c++)
        if (is_fixed(x, c))
            x->row[c] = x->goal->fixed[c];
    for (uint32_t i = 0; i < t->count; i++)
        x->row[t->columns[i]] = t->values[i] - x->value[t->columns[i]];
    if (oracle == NULL)
        return;
    uint32_t start = (uint32_t)wri_scale(wri_next(&x->random), x->columns - 1);
    for (uint32_t i = 0; i < x->columns; i++) {
        uint32_t c = (start + i) % x->columns;
        if (x->row[c] != WRI_ANY)
            continue;
        x->work += wri_oracle_cost(oracle, c);
        if (wri_oracle_allows_level(oracle, x->row, c, cells[c]))
            x->row[c] = cells[c];
    }
    wri_oracle_complete(oracle, x->row, next_random, &x->random);
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
    return x->ids[kept + wri_scale(wri_next(&x->random), x->rows - kept - 1)];
}

/* Of a few rows the one that would open least. */
static uint32_t best_of_some(reducer *x, const tuple *t)
{
    uint32_t choice = any_row(x);
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ROWS_TRIED; i++) {
        uint32_t row = any_row(x);
        uint64_t sum = 0;
        for (uint32_t j = 0; j < t->count; j++) {
            size_t at = (size_t)row * x->columns + t->columns[j];
            if (x->value[t->columns[j]] + x->cells[at] != t->values[j])
                sum += x->loss[at] + (x->rested[at] > x->move ? 1000 : 0);
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
    uint32_t at = (uint32_t)wri_scale(wri_next(&x->random), x->open - 1);
    uint32_t count = x->open_strength[at], columns[count], values[count];
    tuple    t = { count, columns, values };
    memcpy(columns, x->open_columns + (size_t)at * x->strength, sizeof columns);
    memcpy(values, x->open_values + (size_t)at * x->strength, sizeof values);
    x->move++;
    if (wri_scale(wri_next(&x->random), WALK_ONE_IN - 1) == 0) {
        force(x, any_row(x), &t);
        return;
    }
    candidate best = best_change(x, &t);
    if (best.row != WRI_ANY)
        change(x, best.row, best.column, best.level);
    else
        force(x, best_of_some(x, &t), &t);
}

/* The array covers: what has changed is written down. */
static void save(reducer *x)
{
    for (uint32_t i = 0; i < x->dirty_count; i++) {
        size_t at = (size_t)x->dirty[i] * x->columns;
        memcpy(x->best->cells + at, x->cells + at, x->columns * sizeof *x->cells);
        x->is_dirty[x->dirty[i]] = 0;
    }
    x->dirty_count = 0;
    x->removed = WRI_ANY;
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
                x->columns * sizeof *x->cells);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint32_t share_of(const wri_effort *effort)
{
    return effort->share > 0 ? effort->share : 1;
}

static void search(reducer *x, const wri_effort *effort)
{
    double   until = seconds_now() + effort->seconds;
    uint64_t moves = effort->seconds > 0 || effort->moves == 0 ? UINT64_MAX : effort->moves;
    uint64_t work = moves < UINT64_MAX || effort->seconds > 0 ? UINT64_MAX
                                                              : DEFAULT_WORK / share_of(effort);
    while (x->move < moves && x->work < work && !x->failed) {
        if (x->open == 0) {
            save(x);
            if (x->rows <= x->goal->kept_count + 1 || x->rows <= x->floor)
                return;
            remove_row(x, least_row(x));
            continue;
        }
        make_move(x);
        if (x->move % CLOCK_MOVES == 0 && ((effort->stop != NULL && *effort->stop) ||
                                           (effort->seconds > 0 && seconds_now() > until)))
            return;
    }
    if (x->open == 0 && !x->failed)
        save(x);
}

/* ---- Opening ---- */

static bool number_tuples(reducer *x)
{
    const wri_goal *goal = x->goal;
    uint64_t        total = 0;
    x->relations = calloc(goal->relation_count + 1, sizeof *x->relations);
    x->first = malloc((goal->relation_count + 1) * sizeof *x->first);
    x->offsets = calloc(goal->relation_count + 1, sizeof *x->offsets);
    if (x->relations == NULL || x->first == NULL || x->offsets == NULL)
        return false;
    for (uint32_t b = 0; b < goal->relation_count; b++) {
        const wri_relation *r = &goal->relations[b];
        if (!wri_numbering_open(&x->relations[b], r->parameters, r->count, goal->levels,
                                r->strength, TUPLES_LIMIT - total) ||
            !wri_numbering_list_containing(&x->relations[b]))
            return false;
        x->first[b] = total;
        total += x->relations[b].base[x->relations[b].prefixes];
        x->strength = r->strength > x->strength ? r->strength : x->strength;
        x->offsets[b] = malloc((size_t)x->rows * r->count * sizeof **x->offsets);
        if (x->offsets[b] == NULL)
            return false;
    }
    x->tuples = total;
    x->words = calloc(total + 1, sizeof *x->words);
    x->word_cost = WORD_WORK(total);
    return x->words != NULL;
}

static bool find_occurrences(reducer *x)
{
    uint32_t total = 0, at = 0;
    for (uint32_t b = 0; b < x->goal->relation_count; b++)
        total += x->relations[b].count;
    x->occurrences = malloc((total + 1) * sizeof *x->occurrences);
    x->occurs = malloc((x->columns + 1) * sizeof *x->occurs);
    if (x->occurrences == NULL || x->occurs == NULL)
        return false;
    for (uint32_t c = 0; c < x->columns; c++) {
        x->occurs[c] = at;
        for (uint32_t b = 0; b < x->goal->relation_count; b++)
            for (uint32_t p = 0; p < x->relations[b].count; p++)
                if (x->relations[b].columns[p] == c)
                    x->occurrences[at++] = (occurrence){ b, p };
    }
    x->occurs[x->columns] = at;
    return true;
}

static bool number_values(reducer *x)
{
    x->value = malloc((x->columns + 1) * sizeof *x->value);
    if (x->value == NULL)
        return false;
    for (uint32_t c = 0; c < x->columns; c++) {
        x->value[c] = x->values;
        x->values += is_fixed(x, c) ? x->goal->fixed[c] + 1 : x->goal->levels[c];
    }
    x->set_words = x->rows / 64 + 1;
    if ((uint64_t)x->values * x->set_words > SETS_LIMIT)
        return false;
    x->having = calloc((size_t)x->values * x->set_words, sizeof *x->having);
    x->head = malloc((x->values + 1) * sizeof *x->head);
    x->wanted = calloc(x->values + 1, sizeof *x->wanted);
    if (x->head != NULL)
        memset(x->head, 0xFF, x->values * sizeof *x->head);
    return x->having != NULL && x->head != NULL && x->wanted != NULL;
}

static bool reserve_rows(reducer *x)
{
    size_t cells = (size_t)x->rows * x->columns + 1;
    x->cells = malloc(cells * sizeof *x->cells);
    x->loss = calloc(cells, sizeof *x->loss);
    x->rested = calloc(cells, sizeof *x->rested);
    x->row = malloc((x->columns + 1) * sizeof *x->row);
    x->ids = malloc((x->rows + 1) * sizeof *x->ids);
    x->left = calloc(x->rows / 64 + 1, sizeof *x->left);
    x->dirty = malloc((x->rows + 1) * sizeof *x->dirty);
    x->is_dirty = calloc(x->rows + 1, 1);
    return x->ids != NULL && x->left != NULL && x->dirty != NULL && x->is_dirty != NULL &&
           x->cells != NULL && x->loss != NULL && x->rested != NULL && x->row != NULL &&
           number_values(x);
}

/* One combination of columns whose infeasible tuples are being marked. */
typedef struct marking {
    reducer             *x;
    const wri_numbering *n;
    const uint32_t      *member;
    uint64_t             start, span, infeasible;
} marking;

static void mark_infeasible(void *state, const uint32_t *levels)
{
    marking *that = state;
    uint32_t size = that->n->strength;
    uint64_t rank = 0;
    for (uint32_t i = 0; i + 1 < size; i++)
        rank = rank * that->n->levels[that->member[i]] + levels[i];
    that->x->words[that->start + rank * that->span + levels[size - 1]] = NEVER;
    that->infeasible++;
}

/* Marks the infeasible tuples of the combinations with this prefix. Each combination needs as
 * many rows as it has others. */
static bool exclude_prefix(reducer *x, wri_feasible *feasible, uint32_t b, uint64_t prefix)
{
    const wri_numbering *n = &x->relations[b];
    uint32_t             from = wri_prefix_from(n, prefix), columns[n->strength];
    uint64_t             ranks = wri_prefix_ranks(n, prefix);
    marking              that = { .x = x, .n = n, .member = wri_prefix(n, prefix),
                                  .span = wri_prefix_span(n, from) };
    for (uint32_t last = from; last < n->count; last++) {
        for (uint32_t i = 0; i < n->strength; i++)
            columns[i] = column_at(n, that.member, last, i);
        that.start = x->first[b] + n->base[prefix] + n->before[last] - n->before[from];
        that.infeasible = 0;
        if (!wri_feasible_list(feasible, columns, n->strength, mark_infeasible, &that))
            return false;
        uint64_t needed = ranks * n->levels[last] - that.infeasible;
        x->floor = needed > x->floor ? needed : x->floor;
    }
    return true;
}

static bool exclude_infeasible(reducer *x)
{
    wri_feasible *feasible = wri_feasible_open(x->goal);
    bool          well = feasible != NULL;
    for (uint32_t b = 0; well && b < x->goal->relation_count; b++)
        for (uint64_t p = 0; well && p < x->relations[b].prefixes; p++)
            well = exclude_prefix(x, feasible, b, p);
    wri_feasible_close(feasible);
    return well;
}

/* All rows, prefix by prefix: the tuples of one are close together. */
static void enter_all(reducer *x, uint32_t b)
{
    const wri_numbering *n = &x->relations[b];
    for (uint64_t p = 0; p < n->prefixes; p++) {
        for (uint32_t r = 0; r < x->rows; r++) {
            const uint32_t *offset = x->offsets[b] + (size_t)r * n->count;
            uint32_t        start = start_of(x, b, p, offset);
            for (uint32_t last = wri_prefix_from(n, p); last < n->count; last++)
                enter(x, start + offset[last], r, n, wri_prefix(n, p), last);
        }
    }
}

/* Reads the rows. False: they do not cover, and there is nothing that can be searched. */
static bool enter_rows(reducer *x)
{
    for (uint32_t r = 0; r < x->rows; r++) {
        x->ids[r] = r;
        x->left[r / 64] |= UINT64_C(1) << (r % 64);
        read_row(x, r, x->best->cells + (size_t)r * x->columns);
    }
    x->removed = WRI_ANY;
    x->starting = true;
    for (uint32_t b = 0; b < x->goal->relation_count; b++)
        enter_all(x, b);
    x->starting = false;
    for (uint64_t i = 0; i < x->tuples; i++)
        if (x->words[i] < ONE)
            return false;
    return true;
}

static void release(reducer *x)
{
    for (uint32_t b = 0; x->relations != NULL && b < x->goal->relation_count; b++) {
        wri_numbering_close(&x->relations[b]);
        if (x->offsets != NULL)
            free(x->offsets[b]);
    }
    void *blocks[] = { x->relations, x->first, x->offsets, x->words, x->occurrences, x->occurs,
                       x->cells, x->loss, x->rested, x->value, x->having, x->open_word,
                       x->open_strength, x->open_columns, x->open_values, x->next, x->previous,
                       x->head, x->wanted, x->row, x->ids, x->left, x->dirty, x->is_dirty };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
}

static void fill_rows(reducer *x)
{
    wri_filler filler = { .goal = x->goal };
    for (uint64_t r = 0; r < x->best->rows; r++)
        wri_fill_row(&filler, x->best->cells + r * x->columns, &x->random);
}

/* Whether reading the array alone would take much longer than the search is to take. */
static bool is_too_long(const reducer *x, const wri_effort *effort)
{
    uint64_t tuples = 0;
    for (uint32_t b = 0; b < x->goal->relation_count; b++)
        tuples += wri_choose(x->relations[b].count, x->relations[b].strength);
    return effort->seconds <= 0 && effort->moves == 0 &&
           tuples > READING_LIMIT / x->rows;
}

static void search_with(reducer *x, const wri_effort *effort)
{
    x->rows = (uint32_t)x->best->rows;
    fill_rows(x);
    if (number_tuples(x) && !is_too_long(x, effort) && find_occurrences(x) && reserve_rows(x) &&
        exclude_infeasible(x) && enter_rows(x)) {
        search(x, effort);
        finish(x);
    }
    release(x);
}

bool wri_reduce(const wri_goal *goal, const wri_effort *effort, wri_array *array, uint64_t *moves)
{
    reducer x = { .goal = goal, .best = array, .columns = goal->columns,
                  .random = wri_stream(effort->seed, 1) };
    *moves = 0;
    if (effort->seconds <= 0 && effort->moves > 0 && effort->moves < FEWEST_MOVES)
        return true;
    wri_merge(goal, &x.random, array);
    if (array->rows <= ROWS_LIMIT && array->rows > goal->kept_count + 1)
        search_with(&x, effort);
    *moves = x.move > FEWEST_MOVES ? x.move : FEWEST_MOVES;
    return true;
}
