/* faults/faults.h: calls of the code under test that fail.
 *
 * The program's calls of malloc(), read() and others come to hooks.c, because <warren/faults.h>
 * lays functions of those names before the C library's. window.c counts them from wr_faults() to
 * wr_faults_end(), and says which of them is to fail. draw.c draws that number; in a machine it
 * is an argument of each call (machine/).
 *
 * The thread that runs the case counts, and no other: the order of calls in several threads is
 * not the same when the case is run again.
 */
#ifndef WRI_FAULTS_FAULTS_H
#define WRI_FAULTS_FAULTS_H

#include "core/case.h"
#include "warren/faults.h"

#define WRI_FAULT_SORTS 10
#define WRI_FAULT_ALL ((1u << WRI_FAULT_SORTS) - 1)
#define WRI_FAULTS_MOST 8
#define WRI_FAULTS_WITHIN 1000
#define WRI_FAULTS_WITHIN_CALL 8
#define WRI_FAULTS_PERCENT 20

/* A sort of faults: the bit is its place. "the 2nd " and then `noun` and `verb`. */
typedef struct wri_fault_sort {
    const char *word, *noun, *verb;
    int         error;
    bool        lasts; /* calls after the first may go on failing */
} wri_fault_sort;
extern WRI_HIDDEN const wri_fault_sort wri_fault_sorts[WRI_FAULT_SORTS];

/* What may fail, and how: of a window. */
typedef struct wri_faults_terms {
    uint32_t which;
    uint64_t within;
    unsigned most;
    bool     lasting;
    /* Draws the number of the next call that is to fail, counted from now; 0: none. */
    uint64_t (*draw)(wr_case *t, const struct wri_faults_terms *terms);
    /* Shows a fault. NULL: it is a note. */
    void (*show)(wr_case *t, const char *fault);
    const char *name;
} wri_faults_terms;

/* The terms that options ask for, and what is wrong with the options; NULL: nothing is. */
wri_faults_terms wri_faults_terms_of(const wr_fault_options *options, const char *name);
const char      *wri_faults_wrong(const wr_fault_options *options);
/* Draws the fault, and opens the window. `who` asks for it, in a message of misuse. */
void wri_faults_draw(wr_case *t, const char *name, const wr_fault_options *options,
                     const char *who);

/* Can calls of these sorts be made to fail in this program? NULL: they can; else what hinders. */
const char *wri_faults_hindered(uint32_t which);

/* From here on calls count, and number `first` of them fails; 0: none. */
void wri_faults_open(wr_case *t, const wri_faults_terms *terms, uint64_t first);
bool wri_faults_is_open(void);
/* From here on they do not. Without effect if none do. */
void wri_faults_close(wr_case *t);
/* The case is over: the next one finds no fault of it, in no clock and no stream. */
void wri_faults_forget(void);
/* Has a call failed since the last wri_faults_open() of this case? */
bool wri_faults_hit(const wr_case *t);
/* This process is a copy that the code under test made: none of its calls counts. */
void wri_faults_leave(void);
/* The last choice is that of the next fault. If it turns out to be past the last call, a walk
 * tries no larger one; and the log says that there is none, if it may be `corrected`. A machine's
 * calls stay as they were planned. */
void wri_faults_note_choice(const wr_case *t, bool corrected);

/* ---- The passes of a case ----
 *
 * A plain random case with faults runs twice: the first pass counts the calls, in the second one
 * of them fails. Before its first such case a process runs it once more, without a fault and
 * without counting; and so it does before each single case. Then what the code under test
 * allocates once and keeps is there already, in a fresh process as in one that has run many
 * cases, and the same number means the same call. */

/* The cases from here on are plain random ones of this property, so `counts`; or a single one. */
void wri_faults_begin(const void *property, bool counts, bool single);
/* Has the process run a case before this pass? */
bool wri_faults_is_warm(void);
/* A pass is over. Does the case begin once more? `jumped`: the pass did not come to its end. */
bool wri_faults_has_more(bool jumped);
/* It does, or the next case. */
void wri_faults_next(const wr_case *t, const void *property, uint64_t seed, bool more);
/* In a case whose calls are counted: the number for the window that opens. False: they are not,
 * or it is open, and a further fault is drawn. */
bool wri_faults_planned(uint64_t *number);

/* ---- Between window.c and hooks.c ---- */

/* A call of one of these sorts, with this return address. Returns the number of the sort that it
 * is to fail with, and has set errno; negative: it is not to fail. */
int wri_faults_meet(uint32_t sorts, const char *function, const void *caller);
/* The seconds that clocks are ahead, for this caller. */
int64_t wri_faults_clock(const void *caller);

/* Is the caller code under test? Not Warren, and no library that has one of the functions. */
bool wri_hooks_foreign(const void *caller);
void wri_hooks_prepare(void);
/* Do calls of this sort come here? The function that was tried, else. */
const char *wri_hooks_missing(uint32_t sorts);
bool        wri_hooks_planted(void);
/* No stream has met a fault. */
void wri_hooks_forget(void);

#endif
