/* cover/language/rows.c: reads comma- and tab-separated rows, and turns values into levels.
 *
 * A cell that begins with a quote ends with one, and two quotes within are one. A row may be
 * shorter than the line of names; the rest of it is open then.
 */
#include "cover/language/rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/prng.h"
#include "cover/language/read.h"
#include "cover/language/scan.h"
#include "cover/model/draft.h"

typedef struct table {
    const wrc_model *model;
    wrc_source       source;
    const char      *at;
    char             separator;
    char            *cell; /* what was read last, without quotes */
    size_t           length;
    bool             quoted;
    wrc_list         columns; /* uint32_t: the parameter, or WRC_ANY */
    wrc_list         rows;
    wrc_rows        *to;
    wrc_complaint   *complaint;
} table;

static bool out_of_memory(table *t)
{
    return wrc_model_complain(t->complaint, "out of memory");
}

static bool at_line_end(const table *t)
{
    return t->at >= t->source.end || *t->at == '\n' ||
           (*t->at == '\r' && (t->at + 1 >= t->source.end || t->at[1] == '\n'));
}

static void skip_line_end(table *t)
{
    if (t->at < t->source.end && *t->at == '\r')
        t->at++;
    if (t->at < t->source.end && *t->at == '\n')
        t->at++;
}

static bool read_quoted(table *t)
{
    const char *start = t->at++;
    for (; t->at < t->source.end; t->at++) {
        if (*t->at == '"') {
            if (t->at + 1 >= t->source.end || t->at[1] != '"') {
                t->at++;
                return true;
            }
            t->at++;
        }
        t->cell[t->length++] = *t->at;
    }
    return wrc_source_complain(t->complaint, (wrc_place){ &t->source, start },
                               "expected a closing quote, found the end of the file");
}

/* Up to the separator or the end of the line, which it leaves. */
static bool read_cell(table *t)
{
    t->length = 0;
    t->quoted = t->at < t->source.end && *t->at == '"';
    if (t->quoted && !read_quoted(t))
        return false;
    while (!at_line_end(t) && *t->at != t->separator)
        t->cell[t->length++] = *t->at++;
    if (!t->quoted) {
        wrc_span trimmed = wrc_scan_trim((wrc_span){ t->cell, t->length });
        memmove(t->cell, trimmed.at, trimmed.length);
        t->length = trimmed.length;
    }
    return true;
}

/* Goes on to the next cell; false: the line is at its end. */
static bool more_cells(table *t)
{
    if (at_line_end(t))
        return false;
    t->at++;
    return true;
}

static void note(table *t, const char *at, const char *what)
{
    wrc_complaint said;
    if (t->to->example[0])
        return;
    wrc_source_complain(&said, (wrc_place){ &t->source, at }, "%s '%.*s'", what,
                        t->length > 40 ? 40 : (int)t->length, t->cell);
    memcpy(t->to->example, said.text, sizeof t->to->example - 1);
}

/* ---- Names -------------------------------------------------------------------------------- */

static void skip_comments(table *t)
{
    while (t->at < t->source.end && (*t->at == '#' || at_line_end(t))) {
        const char *newline = memchr(t->at, '\n', (size_t)(t->source.end - t->at));
        t->at = newline ? newline + 1 : t->source.end;
    }
}

static char find_separator(const table *t)
{
    const char *newline = memchr(t->at, '\n', (size_t)(t->source.end - t->at));
    size_t      length = (size_t)((newline ? newline : t->source.end) - t->at);
    return memchr(t->at, '\t', length) ? '\t' : ',';
}

static bool named_before(const table *t, uint32_t parameter)
{
    const uint32_t *columns = t->columns.items;
    for (size_t i = 0; i < t->columns.count; i++)
        if (columns[i] == parameter)
            return true;
    return false;
}

static bool read_names(table *t)
{
    skip_comments(t);
    if (t->at >= t->source.end)
        return wrc_source_complain(t->complaint, (wrc_place){ &t->source, t->at },
                                   "expected a line with the parameters' names, found the end of "
                                   "the file");
    t->separator = find_separator(t);
    do {
        const char *at = t->at;
        if (!read_cell(t))
            return false;
        uint32_t parameter = wrc_model_find(t->model, t->cell, t->length);
        if (parameter != WRC_ANY && named_before(t, parameter))
            return wrc_source_complain(t->complaint, (wrc_place){ &t->source, at },
                                       "expected each parameter once, found %.60s again",
                                       t->model->parameters[parameter].name);
        if (parameter == WRC_ANY) {
            t->to->ignored++;
            note(t, at, "no parameter is called");
        }
        if (!wrc_list_add(&t->columns, &parameter, sizeof parameter))
            return out_of_memory(t);
    } while (more_cells(t));
    skip_line_end(t);
    if (t->to->ignored == t->columns.count)
        return wrc_model_complain(t->complaint, "%s", t->to->example);
    return true;
}

/* ---- Values ------------------------------------------------------------------------------- */

/* PICT's mark of an invalid value may be there or not. */
static uint32_t find_level(const table *t, uint32_t parameter)
{
    uint32_t level = wrc_model_level_of(t->model, parameter, t->cell, t->length);
    if (level != WRC_ANY || t->length == 0)
        return level;
    if (t->cell[0] == '~')
        return wrc_model_level_of(t->model, parameter, t->cell + 1, t->length - 1);
    memmove(t->cell + 1, t->cell, t->length);
    t->cell[0] = '~';
    level = wrc_model_level_of(t->model, parameter, t->cell, t->length + 1);
    memmove(t->cell, t->cell + 1, t->length);
    return level;
}

static bool read_values(table *t, uint32_t *row)
{
    const uint32_t *columns = t->columns.items;
    size_t          column = 0;
    for (uint32_t p = 0; p < t->model->parameter_count; p++)
        row[p] = WRC_ANY;
    do {
        const char *at = t->at;
        if (!read_cell(t))
            return false;
        if (column == t->columns.count)
            return wrc_source_complain(t->complaint, (wrc_place){ &t->source, at },
                                       "expected at most %zu cells, found more",
                                       t->columns.count);
        uint32_t parameter = columns[column++];
        bool     open = t->length == 0 || (t->length == 1 && t->cell[0] == '*');
        if (parameter == WRC_ANY)
            continue;
        row[parameter] = find_level(t, parameter);
        if (row[parameter] == WRC_ANY && !open) {
            t->to->unknown++;
            note(t, at, "no such value:");
        }
    } while (more_cells(t));
    skip_line_end(t);
    return true;
}

static bool read_rows(table *t)
{
    size_t    bytes = t->model->parameter_count * sizeof(uint32_t);
    uint32_t *row = malloc(bytes);
    bool      fine = row != NULL || out_of_memory(t);
    while (fine && t->at < t->source.end) {
        if (at_line_end(t))
            skip_line_end(t); /* an empty line is no row */
        else
            fine =
                read_values(t, row) && (wrc_list_add(&t->rows, row, bytes) || out_of_memory(t));
    }
    free(row);
    return fine;
}

bool wrc_rows_parse(const wrc_model *model, const char *file, const char *text, size_t size,
                    wrc_rows *rows, wrc_complaint *complaint)
{
    table t = { .model = model, .to = rows, .complaint = complaint };
    bool  fine;
    memset(rows, 0, sizeof *rows);
    rows->columns = model->parameter_count;
    if (!wrc_source_open(&t.source, file, text, size, complaint))
        return false;
    t.at = t.source.text;
    t.cell = malloc(size + 2); /* a cell and a mark before it */
    fine = t.cell ? read_names(&t) && read_rows(&t) : out_of_memory(&t);
    free(t.cell);
    free(t.columns.items);
    if (!fine) {
        free(t.rows.items);
        return false;
    }
    rows->count = t.rows.count;
    rows->cells = t.rows.items;
    return true;
}

bool wrc_rows_read(const wrc_model *model, const char *path, wrc_rows *rows,
                   wrc_complaint *complaint)
{
    size_t size;
    char  *text = wrc_read_file(path, &size, complaint);
    bool   fine = text != NULL && wrc_rows_parse(model, path, text, size, rows, complaint);
    free(text);
    return fine;
}

/* ---- A model of rows ----------------------------------------------------------------------- */

/* A value that some row has in a column. */
typedef struct met {
    uint32_t    column;
    const char *text, *at;
    size_t      length;
} met;

/* All of them, each once, and where they are by hash: places in the list, from 1. */
typedef struct meeting {
    wrc_draft draft;
    wrc_list  names, values; /* of met */
    uint32_t *places;
    size_t    room; /* a power of two */
} meeting;

static uint32_t *place_of(const meeting *m, const met *value)
{
    const met *values = m->values.items;
    uint64_t   at = wri_hash_step(wri_hash_bytes(value->text, value->length), value->column);
    for (;; at++) {
        uint32_t *place = &m->places[at & (m->room - 1)];
        if (*place == 0)
            return place;
        const met *other = &values[*place - 1];
        if (other->column == value->column && other->length == value->length &&
            memcmp(other->text, value->text, value->length) == 0)
            return place;
    }
}

static bool widen_places(meeting *m)
{
    const met *values = m->values.items;
    if (2 * m->values.count < m->room)
        return true;
    free(m->places);
    m->room = m->room ? 2 * m->room : 256;
    m->places = calloc(m->room, sizeof *m->places);
    for (size_t i = 0; m->places && i < m->values.count; i++)
        *place_of(m, &values[i]) = (uint32_t)i + 1;
    return m->places != NULL;
}

/* Notes the cell that was read last; an open one says nothing. */
static bool meet(table *t, meeting *m, uint32_t column, const char *at)
{
    met value = { column, t->cell, at, t->length };
    if (t->length == 0 || (t->length == 1 && t->cell[0] == '*'))
        return true;
    if (!widen_places(m))
        return out_of_memory(t);
    uint32_t *place = place_of(m, &value);
    if (*place != 0)
        return true;
    value.text = wrc_memory_text(m->draft.memory, t->cell, t->length);
    *place = (uint32_t)m->values.count + 1;
    return (value.text && wrc_list_add(&m->values, &value, sizeof value)) || out_of_memory(t);
}

static bool meet_names(table *t, meeting *m)
{
    skip_comments(t);
    t->separator = find_separator(t);
    do {
        met name = { (uint32_t)m->names.count, NULL, t->at, 0 };
        if (!read_cell(t))
            return false;
        name.length = t->length;
        name.text = wrc_memory_text(m->draft.memory, t->cell, t->length);
        if (!name.text || !wrc_list_add(&m->names, &name, sizeof name))
            return out_of_memory(t);
    } while (more_cells(t));
    skip_line_end(t);
    return true;
}

static bool meet_values(table *t, meeting *m)
{
    while (t->at < t->source.end) {
        uint32_t column = 0;
        do {
            const char *at = t->at;
            if (!read_cell(t) || !meet(t, m, column++, at))
                return false;
        } while (more_cells(t));
        skip_line_end(t);
    }
    return true;
}

static int by_column(const void *a, const void *b)
{
    const met *x = a, *y = b;
    return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                  : (x->at > y->at) - (x->at < y->at);
}

static bool draft_columns(table *t, meeting *m)
{
    met       *values = m->values.items;
    const met *names = m->names.items;
    uint32_t   column = WRC_ANY;
    if (m->values.count > 0)
        qsort(values, m->values.count, sizeof *values, by_column);
    for (size_t i = 0; i < m->values.count && values[i].column < m->names.count; i++) {
        const met *name = &names[values[i].column];
        if (values[i].column != column &&
            !wrc_draft_parameter(&m->draft, (wrc_place){ &t->source, name->at }, name->text,
                                 name->length, WRC_TYPE_GUESSED))
            return false;
        column = values[i].column;
        if (!wrc_draft_value(&m->draft, (wrc_place){ &t->source, values[i].at }, values[i].text,
                             values[i].length, false, 1))
            return false;
    }
    return wrc_draft_settle(&m->draft);
}

wrc_model *wrc_rows_model(const char *file, const char *text, size_t size, uint32_t strength,
                          wrc_complaint *complaint)
{
    table      t = { .complaint = complaint };
    meeting    m = { .room = 0 };
    wrc_model *model = NULL;
    if (!wrc_source_open(&t.source, file, text, size, complaint) ||
        !wrc_draft_open(&m.draft, complaint))
        return NULL;
    t.at = t.source.text;
    t.cell = malloc(size + 2);
    if (t.cell ? meet_names(&t, &m) && meet_values(&t, &m) && draft_columns(&t, &m)
               : out_of_memory(&t))
        model = wrc_draft_finish(&m.draft, strength);
    free(t.cell);
    free(m.names.items);
    free(m.values.items);
    free(m.places);
    wrc_draft_close(&m.draft);
    return model;
}

void wrc_rows_free(wrc_rows *rows)
{
    free(rows->cells);
    memset(rows, 0, sizeof *rows);
}

bool wrc_rows_keep(wrc_model *model, const wrc_rows *rows, wrc_complaint *complaint)
{
    size_t    row = model->parameter_count * sizeof(uint32_t);
    size_t    old = (size_t)model->kept_count * row, added = (size_t)rows->count * row;
    uint32_t *both = wrc_memory_take(model->memory, old + added);
    if (!both)
        return wrc_model_complain(complaint, "out of memory");
    if (old > 0)
        memcpy(both, model->kept, old);
    if (added > 0)
        memcpy((char *)both + old, rows->cells, added);
    model->kept = both;
    model->kept_count += rows->count;
    return true;
}
