/* report/block.h: a failure as text for a reader, the same on a terminal and in a JUnit file. */
#ifndef WRI_REPORT_BLOCK_H
#define WRI_REPORT_BLOCK_H

#include "report/report.h"

/* Escape sequences, or empty strings where colors were not asked for. */
typedef struct wri_palette {
    const char *good, *bad, *caution, *dim, *plain;
} wri_palette;

const wri_palette *wri_palette_of(bool color);

/* "1 case", "2 cases". */
void wri_block_count(FILE *out, uint64_t count, const char *thing);
/* "0.01 s", "2.5 s". */
void wri_block_seconds(FILE *out, double seconds);
/* The path of a file as reports show it: from the working folder on, if it lies below. */
const char *wri_block_file(const char *path);
/* "sort.c:42", "sort.c", or nothing; returns whether it is something. */
bool wri_block_place(FILE *out, const char *file, int line);

/* "never true: LABEL (sort.c:42)", "never reached: ..." */
void wri_block_unmet(FILE *out, const wri_assertion *assertion);

/* The drawn values, a line each, with their `=` aligned. */
void wri_block_values(FILE *out, const wri_failure *failure, const wri_palette *palette);
/* The notes, a line each. */
void wri_block_notes(FILE *out, const wri_failure *failure, const wri_palette *palette);
/* A case that was running when the run was to stop: where it was, and how to replay it. */
void wri_block_running(FILE *out, const wri_failure *running, const wri_palette *palette);
/* Everything below the headline: message, values, notes, output, effort, how to replay. A
 * machine's bug has its rules, or, without `rules`, the number of other sequences that fail
 * there. */
void wri_block_failure(FILE *out, const wri_failure *failure, const wri_palette *palette,
                       bool rules);

/* The same with all rules, without colors and without its margin; of a result without failures,
 * the reason. malloced; NULL: memory is out. */
char *wri_block_text(const wri_result *result, const wri_failure *failure);

/* "stable: ..." or "not stable: ...", without a newline. */
void wri_block_enumerated(FILE *out, const wri_result *result);
/* "all pairs of 12 draws: 46 rows; 3-way 62 %; not reached: 3 pairs (listed with --verbose)" */
void wri_block_combined(FILE *out, const wri_combined *all, bool listed);
void wri_block_stability(FILE *out, const wri_stability *stable);

/* What a long run has tried. */
void wri_block_surety(FILE *out, const wri_surety *sure);

#endif
