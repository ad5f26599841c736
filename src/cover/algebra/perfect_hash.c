/* cover/algebra/perfect_hash.c: covering perfect hash families.
 *
 * A few arrays over GF(q) lie one below the other; each consists of all linear forms. A column is
 * a point of t coordinates in each of these parts, a row is a form, and the cell is its value. A
 * part covers t columns if their points are independent in it, so every t columns need one such
 * part. The first `shared` coordinates of a column may be the same in all parts. Then forms over
 * these coordinates give the same rows in each part, and are needed once.
 *
 * Points are drawn column by column. A column stays if it completes no t columns that are
 * dependent in every part. The table says how far each seed went; fewer columns are the beginning
 * of its array.
 */
#include "cover/algebra/family.h"

#include "core/grow.h"
#include "core/prng.h"
#include "cover/algebra/count.h"
#include "cover/algebra/field.h"

#include <stdlib.h>
#include <string.h>

#define STRONGEST 8 /* room for a point */
#define TRIES 2000  /* points drawn in vain before giving up: part of what a seed means */

typedef struct entry {
    uint16_t field;
    uint8_t  strength, shared, parts;
    uint32_t columns; /* how far the seed goes */
    uint64_t seed;
} entry;

static const entry table[] = {
#include "cover/algebra/perfect_hash.inc"
};

#define ENTRIES (sizeof table / sizeof *table)

/* Points that are being chosen, and for every t - 1 of the columns the form that vanishes on
 * them in each part: a further point is independent of them where that form does not vanish.
 * A form of zeros stands for columns that are dependent already. */
typedef struct search {
    entry     is;
    wrc_field field;
    uint32_t  columns, room;
    uint8_t  *points; /* column by column, part by part */
    uint8_t  *forms;  /* set by set, part by part */
    size_t    sets, set_room;
    uint64_t  random;
} search;

static size_t column_size(const search *s)
{
    return (size_t)s->is.parts * s->is.strength;
}

static const uint8_t *point(const search *s, uint32_t column, uint32_t part)
{
    return s->points + column * column_size(s) + (size_t)part * s->is.strength;
}

static uint8_t dot(const search *s, const uint8_t *a, const uint8_t *b)
{
    const wrc_field *f = &s->field;
    uint32_t         q = f->size, sum = 0;
    for (uint32_t i = 0; i < s->is.strength; i++)
        sum = f->sums[sum * q + f->products[a[i] * q + b[i]]];
    return (uint8_t)sum;
}

static void draw_column(search *s)
{
    uint8_t *at = s->points + s->columns * column_size(s);
    for (uint32_t i = 0; i < column_size(s); i++) {
        uint32_t coordinate = i % s->is.strength;
        bool     again = i >= s->is.strength && coordinate < s->is.shared;
        at[i] = again ? at[coordinate]
                      : (uint8_t)wri_prng_scale(wri_prng_next(&s->random), s->field.size - 1);
    }
}

/* Whether the drawn column is independent, in some part, of every t - 1 of those before it. */
static bool column_fits(const search *s)
{
    const uint8_t *form = s->forms;
    for (uint64_t set = 0; set < s->sets; set++) {
        bool independent = false;
        for (uint32_t part = 0; part < s->is.parts; part++, form += s->is.strength)
            independent = independent || dot(s, form, point(s, s->columns, part)) != 0;
        if (!independent)
            return false;
    }
    return true;
}

/* row -= times * by, from `from` on. */
static void subtract_row(const search *s, uint8_t *row, const uint8_t *by, uint8_t times,
                         uint32_t from)
{
    const wrc_field *f = &s->field;
    uint8_t          minus = (uint8_t)wrc_field_negative(f, times);
    for (uint32_t i = from; i < s->is.strength; i++)
        row[i] = f->sums[row[i] * f->size + f->products[minus * f->size + by[i]]];
}

/* The form that vanishes on t - 1 points, by elimination; zeros if they are dependent. */
static void find_form(const search *s, uint8_t rows[][STRONGEST], uint8_t *form)
{
    const wrc_field *f = &s->field;
    uint32_t         t = s->is.strength, rank = 0, free_column = t - 1, pivot[STRONGEST];
    memset(form, 0, t);
    for (uint32_t column = 0; column < t; column++) {
        uint32_t row = rank;
        while (row < t - 1 && rows[row][column] == 0)
            row++;
        if (row >= t - 1) {
            if (rank < column)
                return; /* a second column without a pivot */
            free_column = column;
            continue;
        }
        uint8_t swap[STRONGEST];
        memcpy(swap, rows[row], t);
        memcpy(rows[row], rows[rank], t);
        uint8_t inverse = (uint8_t)wrc_field_inverse(f, swap[column]);
        for (uint32_t i = 0; i < t; i++)
            rows[rank][i] = f->products[swap[i] * f->size + inverse];
        for (uint32_t other = 0; other < t - 1; other++)
            if (other != rank && rows[other][column] != 0)
                subtract_row(s, rows[other], rows[rank], rows[other][column], column);
        pivot[rank++] = column;
    }
    form[free_column] = 1;
    for (uint32_t row = 0; row < rank; row++)
        form[pivot[row]] = (uint8_t)wrc_field_negative(f, rows[row][free_column]);
}

/* The forms of one set of columns; false: it is dependent in every part. */
static bool add_forms(search *s, const uint32_t *set)
{
    uint32_t t = s->is.strength;
    uint8_t *forms = wri_grow(s->forms, column_size(s), s->sets, &s->set_room);
    if (forms == NULL)
        return false;
    s->forms = forms;
    bool independent = false;
    for (uint32_t part = 0; part < s->is.parts; part++) {
        uint8_t rows[STRONGEST][STRONGEST];
        for (uint32_t i = 0; i < t - 1; i++)
            memcpy(rows[i], point(s, set[i], part), t);
        uint8_t *form = s->forms + s->sets * column_size(s) + (size_t)part * t;
        find_form(s, rows, form);
        for (uint32_t i = 0; i < t; i++)
            independent = independent || form[i] != 0;
    }
    s->sets++;
    return independent;
}

/* The sets that the drawn column completes. */
static bool accept_column(search *s)
{
    uint32_t set[STRONGEST], count = s->is.strength - 2;
    uint64_t before = s->sets;
    uint32_t last = s->columns;
    if (last >= count) {
        for (uint32_t i = 0; i < count; i++)
            set[i] = i;
        set[count] = last;
        do {
            if (!add_forms(s, set)) {
                s->sets = before;
                return false;
            }
        } while (wrc_count_next_set(set, count, last));
    }
    s->columns++;
    return true;
}

static bool search_open(search *s, const entry *e, uint32_t columns)
{
    *s = (search){ .is = *e, .room = columns, .random = wri_prng_stream(e->seed, e->field) };
    s->points = malloc((columns + 1) * column_size(s));
    return s->points != NULL && wrc_field_open(&s->field, e->field);
}

static void search_close(search *s)
{
    wrc_field_close(&s->field);
    free(s->points);
    free(s->forms);
}

/* Draws columns until there are enough, or none fits any more. */
static void draw_columns(search *s)
{
    for (uint32_t tries = 0; s->columns < s->room && tries < TRIES; tries++) {
        draw_column(s);
        if (column_fits(s) && accept_column(s))
            tries = 0;
    }
}

static uint64_t rows_of(const entry *e)
{
    uint64_t all = wrc_count_power(e->field, e->strength),
             once = wrc_count_power(e->field, e->shared);
    return e->parts * (all - once) + once;
}

static void plan(wrc_plan *p)
{
    for (uint32_t i = 0; i < ENTRIES; i++) {
        if (table[i].strength != p->strength || table[i].field < p->levels ||
            table[i].columns < p->columns || rows_of(&table[i]) >= p->rows)
            continue;
        p->rows = rows_of(&table[i]);
        p->entry = i;
    }
}

/* The rows of all forms; those that look at shared coordinates only, in the first part alone. */
static uint32_t *write_rows(const search *s, uint32_t part, uint32_t columns, uint32_t *cells)
{
    uint32_t q = s->field.size, t = s->is.strength;
    uint64_t forms = wrc_count_power(q, t), once = wrc_count_power(q, s->is.shared);
    for (uint64_t number = part == 0 ? 0 : once; number < forms; number++) {
        uint8_t  form[STRONGEST];
        uint64_t rest = number;
        for (uint32_t i = 0; i < t; i++, rest /= q)
            form[i] = (uint8_t)(rest % q);
        for (uint32_t column = 0; column < columns; column++)
            *cells++ = dot(s, form, point(s, column, part));
    }
    return cells;
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    search s;
    bool   built = search_open(&s, &table[p->entry], p->columns);
    if (built) {
        draw_columns(&s);
        built = s.columns == p->columns;
    }
    for (uint32_t part = 0; built && part < s.is.parts; part++)
        cells = write_rows(&s, part, p->columns, cells);
    search_close(&s);
    return built;
}

const wrc_family wrc_family_hash = { "covering perfect hash family", plan, build };
