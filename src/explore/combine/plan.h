/* explore/combine/plan.h: what the parent and a worker tell each other about the cases of an
 * order.
 *
 * The parent writes the columns that it knows and, for each case, a plan: the level or the number
 * of each column. The worker writes the levels and numbers that the case drew, and the columns
 * that it met and the parent does not know. Both lie in the worker's block.
 */
#ifndef WRI_EXPLORE_COMBINE_PLAN_H
#define WRI_EXPLORE_COMBINE_PLAN_H

#include "explore/column.h"
#include "explore/explorer.h"
#include "observe/signals.h"

#define WRI_COLUMNS 64
/* The most cases of an order. */
#define WRI_PLANNED 256
/* Columns that a batch can report. */
#define WRI_MET 256
/* Comparisons of a case that are told. */
#define WRI_TOLD 24

typedef enum wri_cell_manner {
    WRI_CELL_FREE,   /* any level, at random */
    WRI_CELL_LEVEL,  /* a value of this level */
    WRI_CELL_NUMBER, /* this number */
    WRI_CELL_WHOLE,
    /* this whole number as users write it, from a file of rows */ WRI_CELL_REAL, /* this real, as
                                                                                     its bits,
                                                                                     likewise */
    WRI_CELL_WORD, /* the constant of this name, as a hash, likewise */
} wri_cell_manner;

typedef struct wri_cell {
    uint64_t number;
    uint8_t  manner, level;
    bool     negative; /* WHOLE: number is below zero, as a complement */
} wri_cell;

/* How a case ended. */
typedef enum wri_planned_end {
    WRI_ENDING_NONE, /* it was not run */
    WRI_ENDING_HELD,
    WRI_ENDING_FAILED,
    WRI_ENDING_REFUTED, /* discarded, or too large */
} wri_planned_end;

/* How the free draws of a case are made. */
typedef enum wri_temper {
    WRI_TEMPER_BINS,    /* a bin at random */
    WRI_TEMPER_UNIFORM, /* every value with the same chance */
    WRI_TEMPER_ENDS,    /* three in four at an end of its range */
    WRI_TEMPER_ROUND,   /* half of them are round numbers */
} wri_temper;

typedef struct wri_planned {
    uint64_t stream; /* of the draws that are no columns */
    /* ---- Of the worker ---- */
    uint64_t outcome;   /* a hash of the ending and the labels */
    uint32_t count;     /* of comparisons */
    uint8_t  ending;    /* wri_planned_end */
    uint8_t  misfit;    /* 1 + the first column whose number the draw cannot have */
    uint8_t  met_later; /* columns were drawn that the parent does not know */
    uint8_t  others;    /* draws that can be no columns were made */
    uint8_t  temper;    /* of the parent: wri_temper */
} wri_planned;

typedef struct wri_met_column {
    wri_column column;
    uint64_t   number; /* of the case */
    uint32_t   place;  /* which of its draws it was */
} wri_met_column;

/* wr_relate(): a higher strength among some draws. */
#define WRI_RELATIONS 32
typedef struct wri_relation {
    uint32_t strength, count;
    char     names[WRI_RELATED][WRI_COLUMN_NAME];
} wri_relation;

typedef struct wri_errand {
    uint64_t    from; /* the number of the first case */
    uint32_t    columns, cases;
    bool        comparisons; /* are told */
    wri_column  known[WRI_COLUMNS];
    wri_planned planned[WRI_PLANNED];
    wri_cell    cells[WRI_PLANNED * WRI_COLUMNS];
    /* ---- Of the worker ---- */
    uint8_t        levels[WRI_PLANNED * WRI_COLUMNS];
    uint64_t       numbers[WRI_PLANNED * WRI_COLUMNS];
    uint32_t       met_count;
    wri_met_column met[WRI_MET];
    uint32_t       relation_count;
    wri_relation   relations[WRI_RELATIONS];
    wri_comparison made[WRI_PLANNED * WRI_TOLD];
} wri_errand;

/* ---- The worker's side ---- */

bool      wri_plan_begin(const wri_work *work, wr_case *t);
bool      wri_plan_next(wr_case *t, uint64_t number);
wri_after wri_plan_learn(wr_case *t, uint32_t verdict, wri_left left);
bool      wri_plan_end(wr_case *t);

#endif
