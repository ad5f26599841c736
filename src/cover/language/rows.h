/* cover/language/rows.h: reads rows that exist already from files.
 *
 * Cells are separated by commas or tabs, and a line of names comes first. Lines before it that
 * begin with # are skipped, as ACTS writes them. Columns are found by name. An empty cell and a *
 * are open.
 */
#ifndef WRC_COVER_LANGUAGE_ROWS_H
#define WRC_COVER_LANGUAGE_ROWS_H

#include "cover/model/model.h"

typedef struct wrc_rows {
    uint32_t  columns;
    uint64_t  count;
    uint32_t *cells;        /* count * columns levels, WRC_ANY where open */
    uint64_t  unknown;      /* cells whose value the model does not have; they are open */
    uint64_t  ignored;      /* columns of no parameter */
    char      example[160]; /* of the first of these, where it stands */
} wrc_rows;

/* The rows in a text. */
bool wrc_rows_parse(const wrc_model *model, const char *file, const char *text, size_t size,
                    wrc_rows *rows, wrc_complaint *complaint);
bool wrc_rows_read(const wrc_model *model, const char *path, wrc_rows *rows,
                   wrc_complaint *complaint);
void wrc_rows_free(wrc_rows *rows);

/* A model of which these are rows: each column is a parameter, and its values are those that it
 * has somewhere. A column without any is left out. NULL with a complaint. */
wrc_model *wrc_rows_model(const char *file, const char *text, size_t size, uint32_t strength,
                          wrc_complaint *complaint);

/* Puts rows behind those that the model keeps already. */
bool wrc_rows_keep(wrc_model *model, const wrc_rows *rows, wrc_complaint *complaint);

#endif
