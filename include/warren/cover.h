/* warren/cover.h: covering arrays, which have all combinations of values in few rows.
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
 *  - First add parameters, then relations, constraints and rows to keep, then build. A parameter
 *    that comes later is an error.
 *  - A function that fails returns false (or -1), and wr_covering_error() says why. From then on
 *    every call on the object fails, so it is enough to check the result of building.
 *  - The same model and seed give the same rows on every machine, unless `seconds` is given.
 *  - An object belongs to one thread at a time. Different objects are independent.
 */
#ifndef WARREN_COVER_H
#define WARREN_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef WR_API
#define WR_API __attribute__((visibility("default")))
#endif

#ifndef WR_WORD_
#define WR_WORD_ __attribute__((aligned(8)))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A model and, once it is built, its rows. */
typedef struct wr_covering wr_covering;

/* Returns NULL if memory runs out. */
WR_API wr_covering *wr_covering_new(void);
WR_API void         wr_covering_free(wr_covering *c); /* NULL is fine */

/* The first error, in one line, or "". The text belongs to the object. */
WR_API const char *wr_covering_error(const wr_covering *c);

/* ---- The model ----------------------------------------------------------------------------- */

/* A parameter with named values, all different. In constraints the parameter is a number if all
 * values are whole numbers, and a condition if they are true and false. Returns its column, from
 * 0, or -1. */
WR_API int wr_covering_values(wr_covering *c, const char *name, size_t count,
                              const char *const *values);
/* A parameter with the values first, first + step, …, not beyond last: at most 2^32 - 2 values,
 * which take no memory. Returns its column, from 0, or -1. */
WR_API int wr_covering_range(wr_covering *c, const char *name, int64_t first, int64_t last,
                             int64_t step);
/* A further value of the latest parameter, which a program is to reject. A row has at most one
 * such value. It occurs with each combination of the others' valid values that is one shorter. A
 * range with an invalid value is written out. */
WR_API bool wr_covering_invalid(wr_covering *c, const char *value);

/* Read a whole model instead, from a file or a text, in any language of `warren cover`. The
 * columns are in the order of the model. */
WR_API bool wr_covering_read(wr_covering *c, const char *path);
WR_API bool wr_covering_parse(wr_covering *c, const char *text);

/* Every combination of values of every `strength` parameters is in some row. The default, without
 * relations, is 2. */
WR_API bool wr_covering_strength(wr_covering *c, unsigned strength);
/* The same for some columns only; relations may overlap. Strength 0: all of them together. */
WR_API bool wr_covering_relation(wr_covering *c, unsigned strength, size_t count,
                                 const unsigned *columns);
/* A condition that every row fulfils, such as "a + b <= 10 => mode in {fast, slow}".
 * A value behind =, != or in a set must be one of the parameter's. */
WR_API bool wr_covering_require(wr_covering *c, const char *formula);
/* A row that exists already: a value for each column, or NULL if the column is open. Kept rows
 * come first, in this order; building adds what is missing. */
WR_API bool wr_covering_keep(wr_covering *c, const char *const *values);

/* ---- The rows ------------------------------------------------------------------------------ */

/* Zero is the default in every member. */
typedef struct wr_covering_options {
    uint64_t seed;    /* another seed gives other rows, as good; 0 is a seed, too */
    uint64_t moves;   /* of the search for fewer rows; 0: about a second's worth, less in vain */
    double   seconds; /* > 0: search for this time instead */
    unsigned radix;   /* 0: off; 1: wide parameters as digits in the best base; else the base */
    bool     radix_no_local;       /* with a radix: not every value of a parameter need occur */
    WR_WORD_ uint64_t reserve_[8]; /* how structs grow: see warren.h */
} wr_covering_options;

/* Finds the rows and holds them; options may be NULL. Call it again to build by other options. */
WR_API bool wr_covering_build(wr_covering *c, const wr_covering_options *options);

/* The same without holding the rows, for arrays of millions of rows. `take` gets the levels of
 * one row after the other, and returns false to stop. */
/* clang-format off */
WR_API bool wr_covering_each(wr_covering *c, const wr_covering_options *options,
                             bool (*take)(void *state, const uint32_t *levels), void *state);
/* clang-format on */

WR_API uint64_t wr_covering_rows(const wr_covering *c);        /* 0 before building */
WR_API uint64_t wr_covering_lower_bound(const wr_covering *c); /* no array has fewer rows */
WR_API uint64_t wr_covering_moves(const wr_covering *c);       /* repeat a search by `seconds` */

/* How many parameters there are, and their names. */
WR_API unsigned    wr_covering_columns(const wr_covering *c);
WR_API const char *wr_covering_name(const wr_covering *c, unsigned column);

/* A cell; row and column must exist.
 *     level   the position of the value in the parameter, from 0; invalid values come last
 *     number  the value of a range or a whole number; 0 or 1 for false and true; else meaningless
 *     text    the value as a text, which is written to `space` if it has to be printed */
WR_API uint32_t    wr_covering_level(const wr_covering *c, uint64_t row, unsigned column);
WR_API int64_t     wr_covering_number(const wr_covering *c, uint64_t row, unsigned column);
WR_API const char *wr_covering_text(const wr_covering *c, uint64_t row, unsigned column,
                                    char *space, size_t size);

#ifdef __cplusplus
}
#endif

#endif
