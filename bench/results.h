/* bench/results.h: what was measured beside what was wanted.
 *
 * Rows are collected, printed as a table with the misses shown, and written to
 * build/results/NAME.json as INTERFACE.md says.
 */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { AT_MOST, AT_LEAST, EXACTLY } relation;

typedef struct row {
    char        measure[96];
    double      figure;
    const char *unit;
    relation    wanted;
    double      bar;
    double      better; /* a second, stricter bar; 0: none */
    char        note[200];
} row;

typedef struct results {
    const char *name;
    row         rows[96];
    size_t      count;
} results;

/* Adds a row and returns it, for its note. */
row *result(results *all, const char *measure, double figure, const char *unit, relation wanted,
            double bar);
bool row_met(const row *one);
/* Prints rows from..count-1 under a title, with a line for each note. */
void print_rows(const results *all, size_t from, const char *title);
/* Writes FOLDER/NAME.json and returns how many rows missed their bar; -1: cannot write. */
int write_results(const results *all, const char *folder);

/* A line on stderr that replaces the last one, where that is a terminal. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_over(void);

#endif
