/* cover/rows.h: rows that exist already, out of files.
 *
 * Comma- or tab-separated, with a line of names first; lines before it that begin with # are
 * skipped, as ACTS writes them. Columns are found by name. An empty cell and a * are open.
 */
#ifndef WRI_COVER_ROWS_H
#define WRI_COVER_ROWS_H

#include "cover/draft.h"

typedef struct wri_rows {
    uint32_t  columns;
    uint64_t  count;
    uint32_t *cells;   /* count * columns levels, WRI_ANY where open */
    uint64_t  unknown; /* cells whose value the model does not have; they are open */
    uint64_t  ignored; /* columns of no parameter */
    char      example[160]; /* of the first of these, where it stands */
} wri_rows;

bool wri_rows_parse(const wri_model *model, const char *file, const char *text, size_t size,
                    wri_rows *rows, wri_complaint *complaint);
bool wri_rows_read(const wri_model *model, const char *path, wri_rows *rows,
                   wri_complaint *complaint);
void wri_rows_free(wri_rows *rows);

/* Puts rows behind those that the model keeps already. */
bool wri_rows_keep(wri_model *model, const wri_rows *rows, wri_complaint *complaint);

#endif
