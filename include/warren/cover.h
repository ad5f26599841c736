/* warren/cover.h: covering arrays: few rows in which all combinations of values occur.
 *
 *     wr_covering *c = wr_covering_new();
 *     wr_covering_range(c, "size", 0, 1000, 1);
 *     wr_covering_values(c, "mode", 3, (const char *const[]) { "fast", "slow", "safe" });
 *     wr_covering_require(c, "mode = safe => size < 500");
 *     if (!wr_covering_build(c, NULL))
 *         puts(wr_covering_error(c));
 *     for (uint64_t r = 0; r < wr_covering_rows(c); r++)
 *         try(wr_covering_number(c, r, 0), wr_covering_level(c, r, 1));
 *     wr_covering_free(c);
 *
 *  - Link with -lwarren-cover. This library needs no property and no libwarren.
 *  - First parameters, then what names them (relations, constraints, rows to keep), then build.
 *    A parameter that comes later is an error.
 *  - A function that fails returns false (or -1), and wr_covering_error() says why; from there on
 *    every call on the object fails, so it is enough to look at what building returns.
 *  - The same model and seed give the same rows on every machine, unless `seconds` is given.
 *  - An object belongs to one thread at a time; different ones are independent.
 */
#ifndef WARREN_COVER_H
#define WARREN_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef WR_API
#define WR_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A model and, once it is built, its rows. */
typedef struct wr_covering wr_covering;

/* NULL: out of memory. */
WR_API wr_covering *wr_covering_new(void);
WR_API void         wr_covering_free(wr_covering *c); /* NULL is fine */

/* The first thing that went wrong, in one line; "" when nothing did. It belongs to the object. */
WR_API const char *wr_covering_error(const wr_covering *c);

/* ---- The model ----------------------------------------------------------------------------- */

/* A parameter with named values, two of them never the same. Values that are all whole numbers,
 * or true and false, are such in constraints. Returns its column, from 0, or -1. */
WR_API int wr_covering_values(wr_covering *c, const char *name, size_t count,
                              const char *const *values);
/* first, first + step, …, not beyond last: at most 2^32 - 2 values, none of which is stored. */
WR_API int wr_covering_range(wr_covering *c, const char *name, int64_t first, int64_t last,
                             int64_t step);
/* A further value of the latest parameter, which a program is to reject: at most one in a row,
 * and with each combination of the others' valid values that is one shorter. Beside a range the
 * range is written out. */
WR_API bool wr_covering_invalid(wr_covering *c, const char *value);

/* A whole model instead, from a file or a text, in any of the languages that `warren cover`
 * reads. Parameters are in the order of the model. */
WR_API bool wr_covering_read(wr_covering *c, const char *path);
WR_API bool wr_covering_parse(wr_covering *c, const char *text);

/* Every combination of values of every `strength` parameters is in some row. Without this and
 * without relations it is 2. */
WR_API bool wr_covering_strength(wr_covering *c, unsigned strength);
/* The same for some columns only; relations may overlap. Strength 0 is all of them together. */
WR_API bool wr_covering_relation(wr_covering *c, unsigned strength, size_t count,
                                 const unsigned *columns);
/* What every row fulfils, in Warren's language: "a + b <= 10 => mode in {fast, slow}". */
WR_API bool wr_covering_require(wr_covering *c, const char *formula);
/* A row that exists already: as many values as there are columns, NULL where it is open. It is
 * the first, or next to the last one kept; building adds what is missing. */
WR_API bool wr_covering_keep(wr_covering *c, const char *const *values);

/* ---- The rows ------------------------------------------------------------------------------ */

/* Zero is the default in every member. */
typedef struct wr_covering_options {
    uint64_t seed;           /* other rows, as good; 0 is a seed like any other */
    uint64_t moves;          /* of the search for fewer rows; 0: about a second's worth */
    double   seconds;        /* > 0: search so long instead */
    unsigned radix;          /* 0: off; 1: wide parameters as digits in the best base; else the base */
    bool     radix_no_local; /* then not every value of a parameter need be in some row */
} wr_covering_options;

/* Finds the rows and holds them; options may be NULL. Can be called again with others. */
WR_API bool wr_covering_build(wr_covering *c, const wr_covering_options *options);

/* The same without holding them: `take` gets the levels of one row after the other, and returns
 * false when it has enough. For arrays of millions of rows. */
WR_API bool wr_covering_each(wr_covering *c, const wr_covering_options *options,
                             bool (*take)(void *state, const uint32_t *levels), void *state);

WR_API uint64_t wr_covering_rows(const wr_covering *c);        /* 0 before they are built */
WR_API uint64_t wr_covering_lower_bound(const wr_covering *c); /* there are no fewer rows */
WR_API uint64_t wr_covering_moves(const wr_covering *c);       /* that repeat what took `seconds` */

WR_API unsigned    wr_covering_columns(const wr_covering *c);
WR_API const char *wr_covering_name(const wr_covering *c, unsigned column);

/* A cell: the position of its value in the parameter, from 0 (invalid ones come last); the value
 * as a number (a range's, a whole number's, 0 or 1 for false and true; for texts nothing that
 * means anything); the value as a text, which is `space` where it had to be printed. Row and
 * column must be there. */
WR_API uint32_t    wr_covering_level(const wr_covering *c, uint64_t row, unsigned column);
WR_API int64_t     wr_covering_number(const wr_covering *c, uint64_t row, unsigned column);
WR_API const char *wr_covering_text(const wr_covering *c, uint64_t row, unsigned column,
                                    char *space, size_t size);

#ifdef __cplusplus
}
#endif

#endif
