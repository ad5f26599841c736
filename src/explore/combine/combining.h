/* explore/combine/combining.h: the state of the explorer in the parent. For the files of this
 * folder. */
#ifndef WRI_EXPLORE_COMBINE_COMBINING_H
#define WRI_EXPLORE_COMBINE_COMBINING_H

#include "explore/combine/goals.h"
#include "explore/combine/rows.h"
#include "explore/combine/compared.h"
#include "explore/ranges.h"
#include "report/draft.h"

/* The most cases of a round. */
#define WRI_ROUND 2048
/* Cases whose levels are remembered, to be counted again when a new column is met. */
#define WRI_REMEMBERED 8192

/* The purpose of a case of a round. */
typedef enum wri_purpose {
    WRI_PURPOSE_CHANCE, /* bins at random */
    WRI_PURPOSE_FILE,   /* a row of --rows */
    WRI_PURPOSE_ROW,    /* a row of the array */
    WRI_PURPOSE_THIN,   /* the best of some at random (--thin) */
    WRI_PURPOSE_WALK,
    /* a step of a walk */ WRI_PURPOSE_SITE, /* a side of a comparison set to the other
                                                (compared.h) */
    WRI_PURPOSE_FULL,                        /* one of all cases there are, where they are few */
} wri_purpose;

typedef struct wri_combined_case {
    uint8_t  purpose; /* wri_purpose */
    uint16_t walker;  /* WALK, SITE: which */
    uint32_t line;    /* FILE: of the row */
    uint8_t  row[WRI_FACTORS];
    uint8_t  levels[WRI_COLUMNS]; /* as drawn */
    uint64_t numbers[WRI_COLUMNS];
} wri_combined_case;

typedef struct wri_combining {
    wri_ranges ranges;
    wri_column columns[WRI_COLUMNS];
    unsigned   column_count;
    bool       crowded; /* there are more draws than columns */
    bool       changed; /* columns are new or wider since the goals were made */
    wri_goals  goals;
    unsigned   most;      /* the highest strength that is wanted */
    unsigned   added;     /* the goals have combinations up to this strength */
    bool       asked;     /* the user gave a strength */
    bool       open;      /* something is still to be tried, */
    bool       rows_left; /* also beside the rows of this round */
    bool       no_memory, stopped;
    char       error[300]; /* the run cannot go on for this reason */
    uint64_t   random;

    /* The round. */
    uint64_t           round_at; /* the place of its first case */
    unsigned           count, handed, columns_out;
    wri_planned       *planned;
    wri_cell          *cells; /* WRI_COLUMNS for each case */
    wri_combined_case *cases;
    wri_met_column    *met;
    size_t             met_count, met_room;

    /* Knowledge from earlier rounds. */
    uint8_t        *remembered; /* WRI_COLUMNS levels a case */
    uint64_t       *numbers;    /* and their numbers */
    size_t          remembered_count;
    wri_relation    relations[WRI_RELATIONS];
    unsigned        relation_count;
    wri_walks       walks;
    wri_compared   *compared;    /* NULL: no comparisons are told */
    wri_comparison *made;        /* of the cases of the round, WRI_TOLD each; NULL likewise */
    uint64_t        purposes[8]; /* cases of each */
    wri_rows        rows;        /* of --rows */
    wri_draft       rows_out;    /* of --rows-out */
    size_t          rows_begun, rows_done;
    char           *out; /* the lines for --rows-out, without the names */
    size_t          out_used, out_room;
    bool            others; /* draws that are no columns were made */
    uint64_t full, fulls;   /* of all cases: those that were planned, and how many there are */
    bool     exhausted;     /* all of them were run */
    uint64_t candidates;
    double   thinning;                      /* seconds */
    uint64_t rows_until[WRI_STRENGTHS + 1]; /* rows of the array when a strength was done */
    char   **missed;                        /* in words */
    size_t   missed_count;
} wri_combining;

/* ---- A round (round.c, planning.c) ---- */

/* Takes in what the round came to, and plans the next of at most so many cases. */
void wri_combining_finish(wri_combining *self);
/* Were all names drawn that rows and relations name? Sets the error. */
void wri_combining_check(wri_combining *self);
void wri_combining_plan(wri_combining *self, unsigned count);

/* ---- The best of some (thin.c) ---- */

/* Draws candidates for a case, and plans the best. False: there are no columns. */
bool wri_combining_thin(wri_combining *self, unsigned at);
/* The levels that the factors have by what a case drew. */
void wri_combining_factors(const wri_combining *self, const uint8_t *levels,
                           const uint64_t *numbers, uint8_t *drawn);

/* ---- Words (words.c) ---- */

/* Notes a case as a row for --rows-out, and writes all of them. */
void wri_combining_write(wri_combining *self, const wri_combined_case *one);
bool wri_combining_save(wri_combining *self);

void wri_combining_tell(void *self, wri_result *result);
void wri_combining_limits(void *self, wri_sayer *say, void *context);

#endif
