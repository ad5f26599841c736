/* observe/signals.h: the edges and comparisons that the compiler's instrumentation reports.
 *
 * Code compiled with gcc's -fsanitize-coverage=trace-pc,trace-cmp or clang's
 * -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp calls functions, or fills in
 * counters, of observe/signals.c. The user need not ask for it. A place has the same number in
 * every run of a program, wherever it is loaded.
 */
#ifndef WRI_OBSERVE_SIGNALS_H
#define WRI_OBSERVE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An edge that a case took, and its count (255: 255 or more). */
typedef struct wri_edge {
    uint32_t number; /* below WRI_EDGES */
    uint32_t count;
} wri_edge;
#define WRI_EDGES (1u << 16)

/* A comparison whose sides differed (see wri_signals_tell_equal()), as unsigned numbers of
 * `width` bytes. Comparisons of pointers are left out: they differ from run to run. */
typedef struct wri_comparison {
    uint64_t a, b;
    uint32_t place;    /* a hash of its place in the program */
    uint32_t when;     /* number of nodes in the case's log then; 0: the case has no log */
    uint8_t  width;    /* 1, 2, 4 or 8 */
    bool     constant; /* a is a constant of the program */
} wri_comparison;
#define WRI_COMPARISONS 512
#define WRI_COMPARISONS_OF_A_PLACE 64 /* about: the first so many */

/* Does any code of this program report edges, or comparisons? */
bool wri_edges_present(void);
bool wri_comparisons_present(void);

/* Called before a case: forgets all edges and comparisons. From here on only this thread
 * counts. */
void wri_signals_begin(void);
/* Whether comparisons whose sides are equal are told, too, from now on. */
void wri_signals_tell_equal(bool on);
/* The edges and comparisons of the case, in the order of their first time. Each edge appears
 * once, and each comparison with the same place and sides. They lie in this process's memory,
 * valid until the next begin. */
const wri_edge       *wri_edges_taken(size_t *count);
const wri_comparison *wri_comparisons_made(size_t *count);
/* Called after a case: edges and comparisons do not count any more. */
void wri_signals_end(void);

#endif
