/* cover/write.h: rows, as people and other tools read them.
 *
 * One row at a time, so that nothing is held. Values that have several spellings take them in
 * turn. A cell that is still open is printed as *.
 */
#ifndef WRI_COVER_WRITE_H
#define WRI_COVER_WRITE_H

#include <stdio.h>

#include "cover/check.h"

typedef enum wri_format {
    WRI_FORMAT_CSV,  /* RFC 4180 with LF */
    WRI_FORMAT_TSV,  /* as PICT prints it */
    WRI_FORMAT_JSON, /* an array of objects */
    WRI_FORMAT_ACTS, /* ACTS's CSV: comments, names, rows */
} wri_format;

typedef struct wri_writer {
    FILE            *out;
    const wri_model *model;
    wri_format       format;
    uint32_t         columns; /* the first so many parameters are printed */
    uint64_t         rows;
    bool             begun; /* what comes before the rows is printed */
    uint32_t       **turns; /* of the parameters with aliases: which spelling each value is at */
    FILE            *held;  /* ACTS's rows: their number is printed before them */
} wri_writer;

/* Nothing is printed before the first row comes. */
bool wri_writer_open(wri_writer *writer, FILE *out, const wri_model *model, wri_format format,
                     uint32_t columns, wri_complaint *complaint);
/* False when writing failed: `out` says so, too. */
bool wri_writer_row(wri_writer *writer, const uint32_t *row);
/* Prints what comes after them, where they are all there, and frees what the writer has; `out`
 * stays open. */
bool wri_writer_close(wri_writer *writer, bool complete);

/* A tuple as a JSON object. */
void wri_missing_json(const wri_model *model, const wri_missing *missing, FILE *out);

#endif
