/* explore/column.h: a draw as a column of an array, and its values as levels.
 *
 * The draw `x` of a case is a column, and so is the second `x` (`x[1]`), the first element of an
 * array `xs` (`xs.first`) and the third command of a machine. A choice among few is its own
 * levels. A range is cut into bins: its ends, what is next to them, zero and its neighbours, and
 * four parts. A further level of a range is "a value that the case drew before", and one is "a
 * constant of the dictionary".
 */
#ifndef WRI_EXPLORE_COLUMN_H
#define WRI_EXPLORE_COLUMN_H

#include "core/case.h"

/* A level is below this. */
#define WRI_LEVELS 64
/* The level of a column that the case did not draw. */
#define WRI_ABSENT 0xff
/* Bytes of a column's name. */
#define WRI_COLUMN_NAME 48
/* Bytes of the names of its constants. If they do not fit, they are numbers. */
#define WRI_COLUMN_WORDS 320

typedef enum wri_shape {
    WRI_SHAPE_OWN,   /* the number is the level */
    WRI_SHAPE_RANGE, /* bins of whole numbers */
    WRI_SHAPE_REAL,  /* bins of reals */
} wri_shape;

/* The bins of a range, as levels. */
typedef enum wri_bin {
    WRI_BIN_LOWEST,
    WRI_BIN_LOWEST_BUT_ONE,
    WRI_BIN_HIGHEST_BUT_ONE,
    WRI_BIN_HIGHEST,
    WRI_BIN_ZERO,
    WRI_BIN_ONE,
    WRI_BIN_MINUS_ONE,
    WRI_BIN_PART, /* and three more */
    WRI_BIN_REUSED = WRI_BIN_PART + 4,
    WRI_BIN_KNOWN, /* of the dictionary */
    WRI_BIN_NAN,
    WRI_BIN_INFINITE,
    WRI_BIN_MINUS_INFINITE,
    WRI_BINS,
} wri_bin;

typedef struct wri_column {
    uint32_t label;      /* hash of the name */
    uint16_t occurrence; /* how many of that name came before in the case */
    uint8_t  kind;       /* wri_kind */
    uint8_t  shape;      /* wri_shape */
    bool     first;      /* the first element of an array */
    bool     any;        /* REAL: any double, not a range */
    bool     single;     /* REAL: floats */
    bool     dictionary; /* the case had a dictionary */
    uint64_t max;
    int64_t  lo;
    double   range[2]; /* REAL */
    uint64_t levels;   /* those that it can have, a bit for each */
    char     name[WRI_COLUMN_NAME];
    char     words[WRI_COLUMN_WORDS]; /* of wr_enum(): the names, each with its NUL; else empty */
} wri_column;

/* Is each of its values a level? */
bool wri_column_is_own(const wri_request *request);
/* Can this draw be a column at all? */
bool wri_column_fits(const wri_request *request);
/* The column of a draw. The levels do not say yet whether there is anything to reuse. */
wri_column wri_column_of(const wr_case *t, const wri_request *request, uint32_t label,
                         uint16_t occurrence, bool first);
/* "x", "x[1]", "xs.first". */
void wri_column_print_name(const wri_column *column, char *to, size_t room);

/* The values that a case drew so far, for the level REUSED. */
#define WRI_DRAWN 32
typedef struct wri_drawn {
    size_t   count;
    uint64_t values[WRI_DRAWN]; /* whole numbers, as the user sees them */
    bool     negative[WRI_DRAWN];
    double   reals[WRI_DRAWN];
    size_t   real_count;
} wri_drawn;
void wri_drawn_add(wri_drawn *drawn, const wri_request *request, uint64_t number);

/* A number whose level this is, with random words of `random`. False: this draw has none. `t` is
 * asked for its dictionary; NULL: it has none. */
bool wri_column_draw(const wr_case *t, const wri_request *request, unsigned level,
                     const wri_drawn *drawn, uint64_t *random, uint64_t *number);
/* A level at random: ends are likely, and what the case drew before. */
unsigned wri_column_any_level(const wr_case *t, const wri_request *request,
                              const wri_drawn *drawn, uint64_t *random);
/* A round number anywhere in the range. False: the draw has none. */
bool wri_column_draw_round(const wri_request *request, uint64_t *random, uint64_t *number);
/* The level of a number. It is never REUSED or KNOWN. */
unsigned wri_column_level(const wri_request *request, uint64_t number);

/* The request of a column, for the parent, which has no case. */
wri_request wri_column_request(const wri_column *column);
/* The level in words: "lowest", "250..499", "true", "3". */
void wri_column_print_level(const wri_column *column, unsigned level, char *to, size_t room);
/* The value of a number as reports print it. */
void wri_column_print_value(const wri_column *column, uint64_t number, char *to, size_t room);

/* The distance of a value from the lower end, for a draw of whole numbers, and back. */
uint64_t wri_column_offset(const wri_request *request, uint64_t number);
uint64_t wri_column_number(const wri_request *request, uint64_t offset);

#endif
