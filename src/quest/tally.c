/* quest/tally.c: sums up the rows of batches, and sorts them for the report. */
#include "quest/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/share.h"

/* ---- Rows ---- */

static uint32_t *cell_of(const wri_tally *tally, uint64_t key)
{
    size_t cells = 2 * tally->room;
    for (size_t i = (size_t)key % cells;; i = (i + 1) % cells)
        if (tally->index[i] == 0 || tally->rows[tally->index[i] - 1].key == key)
            return &tally->index[i];
}

static bool grow(wri_tally *tally)
{
    size_t        room = tally->room * 2 + 16;
    wri_observed *rows = realloc(tally->rows, room * sizeof *rows);
    uint32_t     *index = calloc(2 * room, sizeof *index);
    if (rows != NULL)
        tally->rows = rows;
    if (rows == NULL || index == NULL) {
        free(index);
        return false;
    }
    free(tally->index);
    tally->index = index;
    tally->room = room;
    for (size_t i = 0; i < tally->count; i++)
        *cell_of(tally, rows[i].key) = (uint32_t)(i + 1);
    return true;
}

/* The row with this key: there already, or new and zeroed; NULL when memory is out. */
static wri_observed *row_for(wri_tally *tally, const wri_observed *like)
{
    if (tally->count == tally->room && !grow(tally))
        return NULL;
    uint32_t *cell = cell_of(tally, like->key);
    if (*cell != 0)
        return &tally->rows[*cell - 1];
    wri_observed *row = &tally->rows[tally->count++];
    *cell = (uint32_t)tally->count;
    *row = *like;
    row->cases[0] = row->cases[1] = row->both = 0;
    row->measured = row->first = 0;
    return row;
}

static void add_row(wri_tally *tally, const wri_observed *from)
{
    wri_observed *row = row_for(tally, from);
    if (row == NULL)
        return;
    for (int i = 0; i < 2; i++)
        row->cases[i] += from->cases[i];
    row->both += from->both;
    if (from->first != 0 && (row->first == 0 || from->first < row->first))
        row->first = from->first;
    if (from->measured != 0 && (row->measured == 0 || from->best > row->best)) {
        row->best = from->best;
        row->measured = 1;
    }
}

static bool is_slot(uint32_t sort)
{
    return sort == WR_SEE_MAXIMISE_ || sort == WR_SEE_MINIMISE_;
}

/* Makes a copied row one that can be true; false: there is nothing in it. */
static bool mend(wri_observed *row, uint64_t cases)
{
    if (row->sort >= WR_SEE_SORTS_ || memchr(row->name, '\0', sizeof row->name) == NULL ||
        memchr(row->detail, '\0', sizeof row->detail) == NULL)
        return false;
    for (int i = 0; i < 2; i++)
        row->cases[i] = row->cases[i] < cases ? row->cases[i] : cases;
    uint64_t fewer = row->cases[0] < row->cases[1] ? row->cases[0] : row->cases[1];
    uint64_t sum = row->cases[0] + row->cases[1], most = sum > cases ? sum - cases : 0;
    row->both = row->both < fewer ? row->both : fewer;
    row->both = row->both > most ? row->both : most;
    row->wanted = row->wanted > 100 ? 100 : row->wanted > 0 ? row->wanted : 0;
    return sum > 0 || (is_slot(row->sort) && row->measured != 0);
}

void wri_tally_take(wri_tally *tally, const wri_seen *seen, uint64_t cases)
{
    uint32_t count = atomic_load(&((wri_seen *)(uintptr_t)seen)->count);
    for (uint32_t i = 0; i < count && i < WRI_SEEN_ROWS; i++) {
        wri_observed row = seen->rows[i];
        if (mend(&row, cases))
            add_row(tally, &row);
    }
}

void wri_tally_add(wri_tally *tally, const wri_tally *from)
{
    for (size_t i = 0; i < from->count; i++)
        add_row(tally, &from->rows[i]);
}

static void add_site(const wr_site_ *site, void *context)
{
    wri_observed row = { .sort = (uint32_t)site->sort,
                         .line = site->line,
                         .wanted = site->percent };
    bool         placed = site->sort != WR_SEE_COVER_;
    row.key =
        wri_observed_key(row.sort, site->label, NULL, placed ? site->file : NULL, site->line);
    wri_seen_text(row.name, site->label);
    wri_seen_path(row.detail, site->file);
    add_row(context, &row);
}

void wri_tally_add_sites(wri_tally *tally)
{
    wri_seen_visit_sites(add_site, tally);
}

void wri_tally_free(wri_tally *tally)
{
    free(tally->rows);
    free(tally->index);
    *tally = (wri_tally){ 0 };
}

/* ---- For the report ---- */

/* Pointers to the rows of these sorts, in order; none when there is no memory. */
static const wri_observed **rows_of(const wri_tally *tally, uint32_t first, uint32_t last,
                                    int (*order)(const void *, const void *), size_t *count)
{
    const wri_observed **rows = calloc(tally->count + 1, sizeof *rows);
    *count = 0;
    for (size_t i = 0; i < tally->count && rows != NULL; i++)
        if (tally->rows[i].sort >= first && tally->rows[i].sort <= last)
            rows[(*count)++] = &tally->rows[i];
    if (*count > 0)
        qsort(rows, *count, sizeof *rows, order);
    return rows;
}

static int by_count(const void *a, const void *b)
{
    const wri_observed *x = *(const wri_observed *const *)a, *y = *(const wri_observed *const *)b;
    if (x->cases[1] != y->cases[1])
        return x->cases[1] < y->cases[1] ? 1 : -1;
    int names = strcmp(x->name, y->name);
    return names != 0 ? names : strcmp(x->detail, y->detail);
}

/* By name; then numbers in their order, then texts, most frequent first. */
static int by_row(const void *a, const void *b)
{
    const wri_observed *x = *(const wri_observed *const *)a, *y = *(const wri_observed *const *)b;
    int                 names = strcmp(x->name, y->name);
    if (names != 0 || x->sort != y->sort)
        return names != 0 ? names : x->sort < y->sort ? -1 : 1;
    if (isnan(x->order) || isnan(y->order))
        return isnan(x->order) != isnan(y->order) ? (isnan(x->order) ? 1 : -1) : by_count(a, b);
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : strcmp(x->detail, y->detail);
}

static int by_place(const void *a, const void *b)
{
    const wri_observed *x = *(const wri_observed *const *)a, *y = *(const wri_observed *const *)b;
    int                 files = strcmp(x->detail, y->detail);
    return files != 0 ? files : x->line != y->line ? (x->line < y->line ? -1 : 1) : by_row(a, b);
}

static void tell_labels(const wri_tally *tally, wri_result *result)
{
    size_t               count;
    const wri_observed **rows = rows_of(tally, WR_SEE_LABEL_, WR_SEE_LABEL_, by_count, &count);
    wri_label_count     *labels = calloc(count + 1, sizeof *labels);
    for (size_t i = 0; i < count && labels != NULL; i++)
        labels[i] = (wri_label_count){ rows[i]->name, rows[i]->cases[1] };
    result->labels = labels;
    result->label_count = labels == NULL ? 0 : count;
    free(rows);
}

/* Rows of all tables lie behind one another. */
static void tell_tables(const wri_tally *tally, wri_result *result)
{
    size_t               count, tables = 0;
    const wri_observed **rows = rows_of(tally, WR_SEE_TABLE_, WR_SEE_STATE_, by_row, &count);
    wri_label_count     *cells = calloc(count + 1, sizeof *cells);
    wri_table           *list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count && cells != NULL && list != NULL; i++) {
        bool first = i == 0 || rows[i]->sort != rows[i - 1]->sort ||
                     strcmp(rows[i]->name, rows[i - 1]->name) != 0;
        cells[i] = (wri_label_count){ rows[i]->detail, rows[i]->cases[1] };
        if (first)
            list[tables++] = (wri_table){ .name = rows[i]->name, .rows = &cells[i] };
        list[tables - 1].row_count++;
    }
    if (tables == 0)
        free(cells);
    result->tables = list;
    result->table_count = tables;
    free(rows);
}

static void tell_covers(const wri_tally *tally, wri_result *result)
{
    size_t               count, told = 0;
    const wri_observed **rows = rows_of(tally, WR_SEE_COVER_, WR_SEE_COVER_, by_place, &count);
    wri_cover           *covers = calloc(count + 1, sizeof *covers);
    double               cases = (double)result->cases;
    for (size_t i = 0; i < count && covers != NULL; i++) {
        if (wri_observed_reached(rows[i]) == 0)
            continue; /* another property's */
        uint64_t          yes = rows[i]->cases[1];
        double            wanted = rows[i]->wanted / 100;
        bool              below = cases > 0 && (double)yes < wanted * cases;
        wri_interval      between = wri_share_interval(yes, result->cases);
        wri_share_verdict verdict =
            wri_share_judge(yes, result->cases, wanted,
                            result->confidence > 0 ? result->confidence : WRI_SHARE_CONFIDENCE);
        covers[told++] = (wri_cover){ .label = rows[i]->name,
                                      .file = rows[i]->detail,
                                      .line = rows[i]->line,
                                      .wanted = rows[i]->wanted,
                                      .cases = yes,
                                      .low = 100 * between.low,
                                      .high = 100 * between.high,
                                      .below = below,
                                      .enough = verdict == WRI_SHARE_ENOUGH,
                                      .missed = verdict == WRI_SHARE_MISSED };
    }
    result->covers = covers;
    result->cover_count = told;
    free(rows);
}

static const char *const SORTS[WR_SEE_SORTS_] = {
    [WR_SEE_COVER_] = "cover",
    [WR_SEE_SOMETIMES_] = "sometimes",
    [WR_SEE_ALWAYS_] = "always",
    [WR_SEE_REACHABLE_] = "reachable",
    [WR_SEE_UNREACHABLE_] = "unreachable",
};

static bool is_unmet(const wri_observed *row)
{
    return row->sort != WR_SEE_UNREACHABLE_ &&
           (row->sort == WR_SEE_SOMETIMES_ ? row->cases[1] : wri_observed_reached(row)) == 0;
}

static void tell_assertions(const wri_tally *tally, wri_result *result)
{
    size_t               count, told = 0;
    const wri_observed **rows =
        rows_of(tally, WR_SEE_COVER_, WR_SEE_UNREACHABLE_, by_place, &count);
    wri_assertion *assertions = calloc(count + 1, sizeof *assertions);
    for (size_t i = 0; i < count && assertions != NULL; i++) {
        uint64_t reached = wri_observed_reached(rows[i]);
        if (rows[i]->sort == WR_SEE_COVER_ && reached > 0)
            continue; /* told as a cover; one that was not reached is nobody's */
        assertions[told++] = (wri_assertion){ .label = rows[i]->name,
                                              .sort = SORTS[rows[i]->sort],
                                              .file = rows[i]->detail,
                                              .line = rows[i]->line,
                                              .reached = reached,
                                              .yes = rows[i]->cases[1],
                                              .no = rows[i]->cases[0],
                                              .unmet = is_unmet(rows[i]) };
    }
    result->assertions = assertions;
    result->assertion_count = told;
    free(rows);
}

static void tell_bests(const wri_tally *tally, wri_result *result)
{
    size_t               count;
    const wri_observed **rows =
        rows_of(tally, WR_SEE_MAXIMISE_, WR_SEE_MINIMISE_, by_row, &count);
    wri_best *bests = calloc(count + 1, sizeof *bests);
    for (size_t i = 0; i < count && bests != NULL; i++) {
        bool least = rows[i]->sort == WR_SEE_MINIMISE_;
        bests[i] = (wri_best){ rows[i]->name, least, least ? -rows[i]->best : rows[i]->best };
    }
    result->bests = bests;
    result->best_count = bests == NULL ? 0 : count;
    free(rows);
}

static int by_x(const void *a, const void *b)
{
    const wri_curve_point *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

void wri_tally_tell_curve(const wri_tally *tally, wri_result *result)
{
    wri_curve_point *points = calloc(tally->count + 1, sizeof *points);
    size_t           count = 0;
    for (size_t i = 0; i < tally->count && points != NULL; i++)
        if (tally->rows[i].sort != WR_SEE_WORD_ && tally->rows[i].cases[1] > 0 &&
            tally->rows[i].first > 0)
            points[count++].x = tally->rows[i].first;
    if (count > 0)
        qsort(points, count, sizeof *points, by_x);
    for (size_t i = 0; i < count; i++)
        points[i].y = i + 1;
    result->curve = points;
    result->curve_count = count;
}

void wri_tally_tell(const wri_tally *tally, wri_result *result)
{
    tell_labels(tally, result);
    tell_tables(tally, result);
    tell_covers(tally, result);
    tell_assertions(tally, result);
    tell_bests(tally, result);
}

void wri_tally_untell(wri_result *result)
{
    if (result->table_count > 0)
        free((void *)(uintptr_t)result->tables[0].rows);
    free((void *)(uintptr_t)result->labels);
    free((void *)(uintptr_t)result->tables);
    free((void *)(uintptr_t)result->covers);
    free((void *)(uintptr_t)result->assertions);
    free((void *)(uintptr_t)result->bests);
    free((void *)(uintptr_t)result->curve);
    result->label_count = result->table_count = result->cover_count = 0;
    result->assertion_count = result->best_count = 0;
}
