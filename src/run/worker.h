/* run/worker.h: the process that runs cases. */
#ifndef WRI_RUN_WORKER_H
#define WRI_RUN_WORKER_H

#include <sys/types.h>

#include <signal.h>

#include "core/arithmetic.h"
#include "run/shared.h"

typedef struct wri_worker_setup {
    wri_shared    *shared;
    wri_start     *start;
    wri_layout     layout;
    void          *read_only; /* the cradles of all slots, and the known bugs of machines: */
    size_t         read_only_bytes; /* workers cannot write there */
    const char    *tempdir_base;    /* this slot's */
    wri_arithmetic arithmetic;      /* the program's, in which cases begin */
    bool           in_process;      /* --no-fork: no handlers, no redirection */
} wri_worker_setup;

/* Called once, in the zygote: the preparations that workers inherit. `mask` is the workers'
 * signal mask. Returns NULL, or what cannot be done; errno says why. */
const char *wri_worker_prepare(const sigset_t *mask);
/* The main function of a worker: takes orders until it is told to end. */
_Noreturn void wri_worker_main(const wri_worker_setup *setup, pid_t nurse);

/* The same in this process, for --no-fork: begin once, then obey each order. */
bool wri_worker_begin(const wri_worker_setup *setup);
void wri_worker_obey(void);
void wri_worker_finish(void);

/* ---- Between the files of the worker ---- */

/* Memory that the kernel clears in every copy of the process. `end` is that of the hot loop,
 * which so ends in a copy at no cost. */
typedef struct wri_original {
    volatile uint32_t is_here;
    volatile uint64_t end;
} wri_original;

typedef struct wri_worker {
    wri_worker_setup  setup;
    wr_case          *t;
    wri_slot         *slot;
    const wr_options *ready_for;  /* the options whose worker_setup has run */
    void (*on_crash)(wr_case *t); /* --no-fork: called before a crash ends the process */
    pid_t         pid;
    wri_original *original;
    bool          keeps;  /* worker_setup started processes: they are its own */
    long          faults; /* of children that were waited for: tells of new ones */
} wri_worker;
extern WRI_HIDDEN wri_worker wri_worker_now;
/* Does it run the user's code: a case, worker_setup or worker_teardown? */
bool wri_worker_runs_code(void);

/* Is this process a copy of the worker? One that no handler was told of costs a load to find. */
static inline bool wri_worker_copied(void)
{
    return wri_worker_now.original->is_here == 0;
}
/* The same, and also one that has its memory in common with the worker: vfork(). */
bool wri_worker_is_other(void);

/* case_loop.c: carries out the slot's order. */
void wri_case_loop_batch(wri_worker *w);
void wri_case_loop_single(wri_worker *w);
void wri_case_loop_free(void);
/* The answerer in a forked child of the code under test that returned: it ends the process. */
wri_answerer *wri_case_loop_stray(void);
/* In a child of the code under test that came back to us: says so, and is gone. */
_Noreturn void wri_case_loop_end_stray(void);

/* signals.c: crashes become verdicts before the process dies. This signal asks a worker where its
 * case is (wri_slot.located). */
#define WRI_SIGNAL_WHERE (SIGRTMAX - 3)
void wri_signals_install(bool in_process);
/* Fills in return addresses. With a signal's context they begin at the faulting instruction.
 * Without one they begin at `caller`, a return address into the calling code. */
void wri_signals_fill_frames(wri_verdict *verdict, void *context, void *caller);
/* Fills in the frame of a stack overflow: a call that the recursion makes again and again. The
 * lowest of their addresses stays the same wherever in the recursion the stack ends. */
void wri_signals_fill_recursion(wri_verdict *verdict);

/* undo.c: the state in which every case begins. */
typedef struct wri_undo_start {
    wri_arithmetic     arithmetic;
    uint16_t           calm_x87; /* its control word; one that never is, where that may trap */
    const int         *locale_count; /* changes with every setlocale() */
    int                locale_counted;
    const void *const *own_locale; /* changes with every uselocale() of this thread */
    const void        *own_locale_began;
    int               *error; /* errno */
} wri_undo_start;
extern WRI_HIDDEN wri_undo_start wri_undo_started;

/* Remembers this state as it is now. */
void wri_undo_remember_case(void);
void wri_undo_locale(void);

/* Restores it; takes about a nanosecond where nothing has changed. A control word is stored
 * unasked where that is faster than to ask for it, and the registers of long doubles, which MMX
 * instructions fill, are emptied unasked. */
static inline void wri_undo_before_case(void)
{
    const wri_undo_start *start = &wri_undo_started;
#if defined(__x86_64__)
    uint16_t x87;
    __asm__ volatile("ldmxcsr %1\n\tfnstcw %0" : "=m"(x87) : "m"(start->arithmetic.control));
    if (WRI_UNLIKELY(x87 != start->calm_x87))
        wri_arithmetic_set(&start->arithmetic);
    else
        wri_arithmetic_empty();
#else
    if (WRI_UNLIKELY(!wri_arithmetic_is(start->arithmetic.control)))
        wri_arithmetic_set(&start->arithmetic);
#endif
    if (WRI_UNLIKELY(*start->locale_count != start->locale_counted ||
                     *start->own_locale != start->own_locale_began))
        wri_undo_locale();
    *start->error = 0;
}

/* Remembers the state of the process, and restores it after a batch. */
void wri_undo_remember(const sigset_t *mask);
void wri_undo(void);
/* Was standard input, output or error closed? */
bool wri_undo_descriptors_closed(void);

/* sanitizer.c */
void wri_sanitizer_install(void);
bool wri_sanitizer_present(void);       /* any is linked in */
bool wri_sanitizer_leaks_present(void); /* a leak checker is linked in */
bool wri_sanitizer_leaks_found(void);   /* runs it */
/* Fills in a LEAK verdict from the report that the checker printed. */
void wri_output_describe_leak(int output, wri_verdict *verdict);

/* output.c: the output of the code under test. */
bool wri_output_prepare(void); /* called once: no input, and output to nowhere */
bool wri_output_redirect(int output, bool all);
/* The worker's descriptor of its output. If code under test has closed it, or opened another file
 * there, it is made again from standard error; -1: that is another file, too. */
int wri_output_own(void);
/* Undoes the flags that code under test has set: O_NONBLOCK, for one. */
void wri_output_undo_flags(int output);
/* Copies the printed output, or its last `room` bytes; returns how many. */
size_t wri_output_read(int output, char *to, size_t room);
void   wri_output_clear(int output);
/* Empties an output of more than `most` bytes, up to the first report in it. */
void wri_output_trim(int output, off_t most);
/* Writes what was printed. Standard error goes to `output` again, if code under test has turned
 * it elsewhere: to a pipe that is full, perhaps. */
void wri_output_flush(int output);
/* The printed text, or the end of it; the caller frees it. NULL: nothing was printed. */
char *wri_output_text(int output);
/* The place in a frame of a report: "    #1 0x55 in name /path/file.c:12:3"; false: it has none,
 * or one in a sanitizer. */
bool wri_output_frame_place(const char *line, char *file, size_t room, int *number);
/* Looks for a sanitizer's report that did not end the process; fills in the verdict. */
bool wri_output_report_found(int output, wri_verdict *verdict);

#endif
