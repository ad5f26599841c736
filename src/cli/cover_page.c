/* cli/cover_page.c: counts what rows cover, and how soon, for a page.
 *
 * The independent checker counts each strength. The curve and the map of pairs count distinct
 * tuples of the rows, row by row; tuples with open or impossible values are in neither.
 */
#include "cli/cover_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cover/language/write.h"
#include "report/draft.h"
#include "report/page/array.h"

#define MOST_STRENGTHS 6
#define MOST_MISSING 200
#define MOST_PAIRED 24
#define MOST_POINTS 120
#define MOST_WORK UINT64_C(300000000) /* tuples that a curve looks at */
#define MOST_BITS UINT64_C(1000000000)

void wri_cover_page_row(wri_cover_page *page, const uint32_t *row)
{
    size_t columns = page->model->parameter_count;
    if (page->rows == page->room) {
        uint64_t  room = page->room * 2 + 64;
        uint32_t *grown = realloc(page->cells, room * columns * sizeof *grown);
        page->short_of_memory |= grown == NULL;
        if (grown == NULL)
            return;
        page->cells = grown;
        page->room = room;
    }
    memcpy(page->cells + page->rows++ * columns, row, columns * sizeof *row);
}

void wri_cover_page_free(wri_cover_page *page)
{
    free(page->cells);
    *page = (wri_cover_page){ .cells = NULL };
}

/* The figures of the page, beside the rows. */
typedef struct figures {
    const wrc_model   *model;
    wri_array_strength strengths[MOST_STRENGTHS];
    size_t             strength_count;
    char              *missing[MOST_MISSING];
    size_t             missing_count;
    wri_curve_point    points[2][MOST_POINTS + 1];
    wri_chart_line     curves[2];
    size_t             curve_count;
    wri_chart_cell     pairs[MOST_PAIRED * MOST_PAIRED];
    size_t             paired;
    const char       **names;
} figures;

static void take_strength(void *state, const wrc_coverage *coverage)
{
    figures  *f = state;
    wrc_tuple tuple;
    if (f->strength_count == MOST_STRENGTHS)
        return;
    f->strengths[f->strength_count++] =
        (wri_array_strength){ coverage->strength, coverage->tuples, coverage->covered,
                              coverage->infeasible, coverage->missing };
    for (size_t at = 0;
         f->missing_count < MOST_MISSING && wrc_coverage_missing(coverage, &at, &tuple);) {
        char text[1024];
        wrc_write_tuple(f->model, &tuple, text, sizeof text);
        f->missing[f->missing_count] = strdup(text);
        f->missing_count += f->missing[f->missing_count] != NULL;
    }
}

/* ---- Distinct tuples ---- */

/* All combinations of two or three columns have their bits behind one another. */
typedef struct bits {
    uint64_t *words;
    uint64_t  at; /* where those of the next combination begin */
} bits;

/* Is this the first time? */
static bool take_bit(bits *b, uint64_t number)
{
    uint64_t mask = UINT64_C(1) << (number & 63), *word = &b->words[number >> 6];
    bool     first = (*word & mask) == 0;
    *word |= mask;
    return first;
}

static uint64_t levels_of(const wrc_model *model, size_t column)
{
    return model->parameters[column].levels;
}

/* The new tuples of a row. */
static uint64_t count_new(const wrc_model *model, const uint32_t *row, unsigned strength, bits *b)
{
    size_t   columns = model->parameter_count;
    uint64_t found = 0;
    b->at = 0;
    for (size_t i = 1; i < columns; i++)
        for (size_t k = 0; k < i; k++) {
            uint64_t pair = levels_of(model, k) * row[i] + row[k];
            uint64_t each = levels_of(model, i) * levels_of(model, k);
            bool     open = row[i] == WRC_ANY || row[k] == WRC_ANY;
            if (strength == 2) {
                found += !open && take_bit(b, b->at + pair);
                b->at += each;
            }
            for (size_t m = 0; strength == 3 && m < k; m++) {
                uint64_t levels = levels_of(model, m);
                found +=
                    !open && row[m] != WRC_ANY && take_bit(b, b->at + pair * levels + row[m]);
                b->at += each * levels;
            }
        }
    return found;
}

/* How many tuples there are; UINT64_MAX: too many to look at. */
static uint64_t count_all(const wrc_model *model, unsigned strength, uint64_t rows)
{
    uint64_t sum = 0, combinations = 0;
    for (size_t i = 1; i < model->parameter_count; i++)
        for (size_t k = 0; k < i; k++)
            for (size_t m = 0; m < (strength == 3 ? k : 1); m++) {
                double all = (double)levels_of(model, i) * (double)levels_of(model, k) *
                             (strength == 3 ? (double)levels_of(model, m) : 1);
                if (all > (double)MOST_BITS || (sum += (uint64_t)all) > MOST_BITS ||
                    ++combinations > MOST_WORK / (rows + 1))
                    return UINT64_MAX;
            }
    return sum;
}

static void draw_curve(const wri_cover_page *page, figures *f, unsigned strength)
{
    uint64_t  all = count_all(page->model, strength, page->rows), sum = 0, last = 0;
    bits      b = { .words = all == UINT64_MAX ? NULL : calloc(all / 64 + 1, sizeof *b.words) };
    uint64_t *sums = calloc(page->rows + 1, sizeof *sums);
    wri_curve_point *points = f->points[f->curve_count];
    size_t           count = 0;
    for (uint64_t i = 0; i < page->rows && b.words != NULL && sums != NULL; i++)
        sums[i] = sum +=
            count_new(page->model, page->cells + i * page->model->parameter_count, strength, &b);
    for (uint64_t i = 0; i < page->rows && sum > 0; i++)
        if (i * MOST_POINTS / page->rows != last || i + 1 == page->rows || i == 0) {
            last = i * MOST_POINTS / page->rows;
            points[count++] = (wri_curve_point){ i + 1, 100 * sums[i] / sum };
        }
    if (count > 0)
        f->curves[f->curve_count++] =
            (wri_chart_line){ strength == 2 ? "pairs" : "triples", points, count };
    free(sums);
    free(b.words);
}

/* The pairs of two columns. */
static wri_chart_cell pairs_of(const wri_cover_page *page, size_t i, size_t k)
{
    const wrc_model *model = page->model;
    wri_chart_cell   cell = { .whole = levels_of(model, i) * levels_of(model, k) };
    bits             b = { .words =
                   cell.whole > MOST_BITS ? NULL : calloc(cell.whole / 64 + 1, sizeof *b.words) };
    for (uint64_t row = 0; row < page->rows && b.words != NULL; row++) {
        const uint32_t *at = page->cells + row * model->parameter_count;
        if (at[i] != WRC_ANY && at[k] != WRC_ANY)
            cell.part += take_bit(&b, levels_of(model, k) * at[i] + at[k]);
    }
    free(b.words);
    return cell;
}

/* ---- The page ---- */

static void print_value(const void *state, uint64_t row, size_t column, char *to, size_t room)
{
    const wri_cover_page *page = state;
    const wrc_parameter  *parameter = &page->model->parameters[column];
    uint32_t              level = page->cells[row * page->model->parameter_count + column];
    if (level == WRC_ANY)
        snprintf(to, room, "*");
    else if (parameter->values == NULL)
        snprintf(to, room, "%" PRId64, parameter->first + level * parameter->step);
    else
        snprintf(to, room, "%s", parameter->values[level].text);
}

static bool count_figures(const wri_cover_page *page, figures *f, wrc_complaint *complaint)
{
    wrc_faults faults;
    size_t     columns = page->model->parameter_count;
    f->model = page->model;
    f->names = calloc(columns + 1, sizeof *f->names);
    if (f->names == NULL || page->short_of_memory) {
        wrc_model_complain(complaint, "out of memory");
        return false;
    }
    for (size_t i = 0; i < columns; i++)
        f->names[i] = page->model->parameters[i].name;
    if (!wrc_produce_measure(page->model, page->cells, page->rows, page->strength, MOST_MISSING,
                             take_strength, f, &faults, complaint))
        return false;
    draw_curve(page, f, 2);
    if (page->strength > 2)
        draw_curve(page, f, 3);
    f->paired = columns < MOST_PAIRED ? columns : MOST_PAIRED;
    for (size_t i = 1; i < f->paired; i++)
        for (size_t k = 0; k < i; k++)
            f->pairs[i * (i - 1) / 2 + k] = pairs_of(page, i, k);
    return true;
}

static bool write_file(const wri_cover_page *page, const figures *f, wrc_complaint *complaint)
{
    wri_draft draft;
    wri_array array = { .name = page->model->name != NULL ? page->model->name : "rows",
                        .method = page->method,
                        .rows = page->rows,
                        .lower_bound = page->lower_bound,
                        .columns = page->model->parameter_count,
                        .names = f->names,
                        .strengths = f->strengths,
                        .strength_count = f->strength_count,
                        .missing = (const char *const *)f->missing,
                        .missing_count = f->missing_count,
                        .curves = f->curves,
                        .curve_count = f->curve_count,
                        .pairs = f->pairs,
                        .paired = f->paired,
                        .value = print_value,
                        .state = page };
    FILE     *out = wri_draft_find(&draft, page->path) ? wri_draft_open(&draft) : NULL;
    bool      written = out != NULL && wri_array_write(out, &array);
    written = out != NULL && wri_draft_close(&draft, out, written);
    if (!written)
        wrc_model_complain(complaint, "%.200s: cannot be written: %s", page->path,
                           strerror(errno));
    wri_draft_free(&draft);
    return written;
}

bool wri_cover_page_write(const wri_cover_page *page, wrc_complaint *complaint)
{
    figures *f = calloc(1, sizeof *f);
    bool     written =
        f != NULL && count_figures(page, f, complaint) && write_file(page, f, complaint);
    if (f == NULL)
        wrc_model_complain(complaint, "out of memory");
    for (size_t i = 0; f != NULL && i < f->missing_count; i++)
        free(f->missing[i]);
    if (f != NULL)
        free(f->names);
    free(f);
    return written;
}
