/* observe/signals.h: what the compiler's instrumentation tells of a case.
 *
 * Code compiled with gcc's -fsanitize-coverage=trace-pc,trace-cmp or clang's
 * -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp calls, or fills in, what
 * observe/signals.c defines; nothing need be asked for. A place has a number that is the same
 * in every run of the same program, wherever it is loaded.
 */
#ifndef WRI_OBSERVE_SIGNALS_H
#define WRI_OBSERVE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An edge that a case took, and how often (255: that often or more). */
typedef struct wri_edge {
    uint32_t number; /* below WRI_EDGES */
    uint32_t count;
} wri_edge;
#define WRI_EDGES (1u << 16)

/* A comparison whose sides differed, both as unsigned numbers of `width` bytes. Those of pointers
 * are left out: they would be others in every run. */
typedef struct wri_comparison {
    uint64_t a, b;
    uint32_t place;    /* a hash of where it stands in the program */
    uint32_t when;     /* how many nodes the case's log had then; 0 when it has none */
    uint8_t  width;    /* 1, 2, 4 or 8 */
    bool     constant; /* a is a constant of the program */
} wri_comparison;
#define WRI_COMPARISONS 512
#define WRI_COMPARISONS_OF_A_PLACE 64 /* about: the first so many */

/* Is any code of this program instrumented so? */
bool wri_edges_present(void);
bool wri_comparisons_present(void);

/* Before a case: nothing was taken or compared. Only what this thread does from here on counts.
 */
void wri_signals_begin(void);
/* After it, in the order first taken or compared, each edge once, each comparison of the same
 * place and sides once. In the memory of this process, valid until the next begin. */
const wri_edge       *wri_edges_taken(size_t *count);
const wri_comparison *wri_comparisons_made(size_t *count);
/* The end of a case: what is taken from here on does not count. */
void wri_signals_end(void);

#endif
