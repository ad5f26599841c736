/* explore/combine/rows.h: rows of a file that run as cases (--rows), and rows that are written to
 * one (--rows-out).
 *
 * The format is that of `warren cover`: cells with commas or tabs between, a line of names first.
 * Lines before it that begin with # are skipped; an empty cell and a * are open. Values are as
 * reports print them.
 */
#ifndef WRI_EXPLORE_COMBINE_ROWS_H
#define WRI_EXPLORE_COMBINE_ROWS_H

#include <stdio.h>

#include "explore/combine/plan.h"

typedef struct wri_rows {
    const char *path;
    unsigned    names_line, column_count;
    wri_column  columns[WRI_COLUMNS]; /* by name; nothing else is known of them */
    size_t      count, room;          /* of rows */
    wri_cell   *cells;                /* column_count for each */
    uint32_t   *lines;                /* where each row stands */
    size_t      line_room;
} wri_rows;

/* False: *error says why, in a line with the file and the line. */
bool wri_rows_read(wri_rows *rows, const char *path, char *error, size_t room);
/* The same from a text, which need not end with a NUL. */
bool wri_rows_parse(wri_rows *rows, const char *path, const char *text, size_t size, char *error,
                    size_t room);
void wri_rows_free(wri_rows *rows);

/* Writes a cell, in quotes if it must. */
void wri_rows_put(FILE *out, const char *text);

#endif
