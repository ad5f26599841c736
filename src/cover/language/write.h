/* cover/language/write.h: writes rows for people and other tools.
 *
 * Rows come one at a time, and none is held. Values with several spellings take them in turn. An
 * open cell is printed as *.
 */
#ifndef WRC_COVER_LANGUAGE_WRITE_H
#define WRC_COVER_LANGUAGE_WRITE_H

#include <stdio.h>

#include "cover/model/model.h"

typedef enum wrc_format {
    WRC_FORMAT_CSV,  /* RFC 4180 with LF */
    WRC_FORMAT_TSV,  /* as PICT prints it */
    WRC_FORMAT_JSON, /* an array of objects */
    WRC_FORMAT_ACTS, /* ACTS's CSV: comments, names, rows */
} wrc_format;

typedef struct wrc_writer {
    FILE            *out;
    const wrc_model *model;
    wrc_format       format;
    uint32_t         columns; /* the first so many parameters are printed */
    uint64_t         rows;
    bool             begun; /* what comes before the rows is printed */
    uint32_t       **turns; /* of the parameters with aliases: which spelling each value is at */
    FILE            *held;  /* ACTS's rows: their number is printed before them */
} wrc_writer;

/* Nothing is printed before the first row comes. */
bool wrc_writer_open(wrc_writer *writer, FILE *out, const wrc_model *model, wrc_format format,
                     uint32_t columns, wrc_complaint *complaint);
/* False when writing failed: `out` says so, too. */
bool wrc_writer_row(wrc_writer *writer, const uint32_t *row);
/* Prints what comes after them, where they are all there, and frees what the writer has; `out`
 * stays open. */
bool wrc_writer_close(wrc_writer *writer, bool complete);

/* A tuple as a JSON object: {"a": 1, "b": "x"}. */
void wrc_write_tuple_json(const wrc_model *model, const wrc_tuple *tuple, FILE *out);
/* "a=1, b=x", cut where it does not fit. */
void wrc_write_tuple(const wrc_model *model, const wrc_tuple *tuple, char *text, size_t size);

#endif
