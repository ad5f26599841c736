/* explore/combine/rows.c: reads rows. Which draw a cell is for shows when its row runs. */
#include "explore/combine/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/grow.h"

#define LONGEST_CELL 200
#define LARGEST_FILE ((size_t)64 << 20)

typedef struct reading {
    wri_rows   *rows;
    const char *at, *end;
    uint32_t    line;
    char        separator;
    char        cell[LONGEST_CELL + 1];
    char       *error;
    size_t      room;
} reading;

static bool refuse(reading *r, const char *expected, const char *found)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%.60s", found);
    for (char *at = shown; *at != '\0'; at++)
        *at = *at < ' ' || *at == '\x7f' ? '?' : *at;
    snprintf(r->error, r->room, "%s:%u: expected %s, found \"%s\"", r->rows->path, r->line,
             expected, shown);
    return false;
}

static bool no_memory(reading *r)
{
    snprintf(r->error, r->room, "%s: out of memory", r->rows->path);
    return false;
}

/* ---- Cells ---- */

static bool at_line_end(const reading *r)
{
    return r->at >= r->end || *r->at == '\n' ||
           (*r->at == '\r' && (r->at + 1 >= r->end || r->at[1] == '\n'));
}

/* A cell that begins with a quote ends with one, and two quotes within are one. */
static bool read_cell(reading *r)
{
    size_t used = 0;
    bool   quoted = r->at < r->end && *r->at == '"';
    r->at += quoted;
    for (;; r->at++) {
        if (quoted ? r->at >= r->end : at_line_end(r) || *r->at == r->separator)
            break;
        if (quoted && *r->at == '"' && (r->at + 1 >= r->end || *++r->at != '"'))
            break;
        if (*r->at == '\0' || (quoted && *r->at == '\n') || used == LONGEST_CELL) {
            r->cell[used] = '\0';
            return refuse(r, "a cell of a line and at most 200 bytes", r->cell);
        }
        r->cell[used++] = *r->at;
    }
    while (!quoted && used > 0 && r->cell[used - 1] == ' ')
        used--;
    r->cell[used] = '\0';
    if (!at_line_end(r) && *r->at != r->separator)
        return refuse(r, "a comma, a tab or the end of the line", r->cell);
    return true;
}

/* Goes on to the next cell of the line; false: there is none. */
static bool next_cell(reading *r)
{
    if (at_line_end(r))
        return false;
    r->at++;
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    return true;
}

static void end_line(reading *r)
{
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    r->at += r->at < r->end;
    r->line++;
}

/* ---- Names ---- */

/* "x", "x[2]", "xs.first", "xs[1].first" */
static bool read_name(reading *r)
{
    wri_rows  *rows = r->rows;
    wri_column column = { .kind = UINT8_MAX };
    char       name[LONGEST_CELL + 1];
    snprintf(name, sizeof name, "%s", r->cell);
    size_t length = strlen(name);
    column.first = length > 6 && strcmp(name + length - 6, ".first") == 0;
    if (column.first)
        name[length -= 6] = '\0';
    char *bracket = strrchr(name, '['), *rest;
    if (bracket != NULL && bracket > name && length > 2 && name[length - 1] == ']') {
        unsigned long which = strtoul(bracket + 1, &rest, 10);
        if (rest == name + length - 1 && rest > bracket + 1 && which < UINT16_MAX) {
            column.occurrence = (uint16_t)which;
            *bracket = '\0';
        }
    }
    if (name[0] == '\0' || strlen(name) >= WRI_COLUMN_NAME)
        return refuse(r, "the name of a draw, of at most 47 bytes", r->cell);
    if (rows->column_count == WRI_COLUMNS)
        return refuse(r, "at most 64 names", r->cell);
    column.label = wri_trace_label_hash(name);
    memcpy(column.name, name, strlen(name) + 1);
    for (unsigned i = 0; i < rows->column_count; i++)
        if (rows->columns[i].label == column.label &&
            rows->columns[i].occurrence == column.occurrence &&
            rows->columns[i].first == column.first)
            return refuse(r, "a name that is not there yet", r->cell);
    rows->columns[rows->column_count++] = column;
    return true;
}

static bool read_names(reading *r)
{
    while (r->at < r->end && (*r->at == '#' || at_line_end(r)))
        end_line(r);
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t      length = end == NULL ? (size_t)(r->end - r->at) : (size_t)(end - r->at);
    r->separator = memchr(r->at, '\t', length) != NULL ? '\t' : ',';
    r->rows->names_line = r->line;
    if (r->at >= r->end)
        return refuse(r, "a line of names", "");
    do {
        if (!read_cell(r) || !read_name(r))
            return false;
    } while (next_cell(r));
    end_line(r);
    return true;
}

/* ---- Values ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_open(const char *text)
{
    return text[0] == '\0' || strcmp(text, "*") == 0;
}

/* Reads all that a cell can mean. The draw decides later which of that it can have. */
static bool read_value(reading *r, wri_cell *cell)
{
    const char *text = r->cell;
    char       *rest;
    *cell = (wri_cell){ .manner = WRI_CELL_WHOLE, .negative = text[0] == '-' };
    if (is_open(text)) {
        cell->manner = WRI_CELL_FREE;
        return true;
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        cell->number = text[0] == 't';
        return true;
    }
    errno = 0;
    bool digit = is_digit(text[text[0] == '-' || text[0] == '+']);
    cell->number =
        cell->negative ? (uint64_t)strtoll(text, &rest, 10) : strtoull(text, &rest, 10);
    if (digit && *rest == '\0' && rest > text && errno == 0)
        return true;
    double real = strtod(text, &rest);
    bool   is_real = *rest == '\0' && rest > text;
    cell->manner = is_real ? WRI_CELL_REAL : WRI_CELL_WORD;
    cell->negative = false;
    cell->number = wri_trace_label_hash(text);
    if (is_real)
        memcpy(&cell->number, &real, sizeof real);
    return true;
}

static bool add_row(reading *r, wri_cell **cells)
{
    wri_rows *rows = r->rows;
    uint32_t *lines = wri_grow(rows->lines, sizeof *lines, rows->count, &rows->line_room);
    if (lines == NULL)
        return no_memory(r);
    rows->lines = lines;
    wri_cell *grown =
        wri_grow(rows->cells, rows->column_count * sizeof *grown, rows->count, &rows->room);
    if (grown == NULL)
        return no_memory(r);
    rows->cells = grown;
    lines[rows->count] = r->line;
    *cells = &grown[rows->count++ * rows->column_count];
    memset(*cells, 0, rows->column_count * sizeof **cells);
    return true;
}

/* A row may be shorter than the names; the rest of it is open. */
static bool read_row(reading *r)
{
    wri_cell *cells;
    unsigned  column = 0;
    if (!add_row(r, &cells))
        return false;
    do {
        if (!read_cell(r))
            return false;
        if (column == r->rows->column_count)
            return refuse(r, "as many cells as names", r->cell);
        if (!read_value(r, &cells[column++]))
            return false;
    } while (next_cell(r));
    end_line(r);
    return true;
}

bool wri_rows_parse(wri_rows *rows, const char *path, const char *text, size_t size, char *error,
                    size_t room)
{
    reading r = {
        .rows = rows, .at = text, .end = text + size, .line = 1, .error = error, .room = room
    };
    memset(rows, 0, sizeof *rows);
    rows->path = path;
    if (!read_names(&r))
        return false;
    while (r.at < r.end) {
        if (at_line_end(&r))
            end_line(&r);
        else if (!read_row(&r))
            return false;
    }
    return true;
}

/* ---- Files ---- */

static bool read_all(FILE *in, char **text, size_t *size)
{
    size_t room = 0;
    *text = NULL;
    *size = 0;
    for (;;) {
        if (*size == room) {
            room = room == 0 ? 65536 : room * 2;
            char *grown = room > LARGEST_FILE ? NULL : realloc(*text, room);
            if (grown == NULL) {
                errno = room > LARGEST_FILE ? EFBIG : ENOMEM;
                return false;
            }
            *text = grown;
        }
        size_t got = fread(*text + *size, 1, room - *size, in);
        *size += got;
        if (got == 0)
            return ferror(in) == 0;
    }
}

/* A pipe is read to its end. One that nobody writes to has nothing, and is not waited for. */
static FILE *open_rows(const char *path)
{
    int   file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *in = file < 0 || fcntl(file, F_SETFL, 0) != 0 ? NULL : fdopen(file, "r");
    if (file >= 0 && in == NULL)
        close(file);
    return in;
}

bool wri_rows_read(wri_rows *rows, const char *path, char *error, size_t room)
{
    FILE  *in = open_rows(path);
    char  *text = NULL;
    size_t size = 0;
    memset(rows, 0, sizeof *rows);
    if (in == NULL || !read_all(in, &text, &size)) {
        snprintf(error, room, "%s: cannot be read: %s", path, strerror(errno));
        if (in != NULL)
            fclose(in);
        free(text);
        return false;
    }
    fclose(in);
    bool fine = wri_rows_parse(rows, path, text, size, error, room);
    free(text);
    return fine;
}

void wri_rows_free(wri_rows *rows)
{
    free(rows->cells);
    free(rows->lines);
    memset(rows, 0, sizeof *rows);
}

void wri_rows_put(FILE *out, const char *text)
{
    if (strpbrk(text, ",\t\"\n\r") == NULL && text[0] != ' ' && text[0] != '#') {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}
