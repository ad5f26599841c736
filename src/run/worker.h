/* run/worker.h: the process that runs cases. */
#ifndef WRI_RUN_WORKER_H
#define WRI_RUN_WORKER_H

#include <sys/types.h>

#include <signal.h>

#include "run/shared.h"

typedef struct wri_worker_setup {
    wri_shared *shared;
    wri_layout  layout;
    void       *read_only; /* the cradles of all slots and what is known of machines: not for */
    size_t      read_only_bytes; /* workers to write to */
    const char *tempdir_base;    /* this slot's */
    bool        in_process;      /* --no-fork: no handlers, no redirection */
} wri_worker_setup;

/* Once, in the zygote: everything that workers inherit and need not do themselves. `mask` is the
 * signal mask that they will have. */
bool wri_worker_prepare(const sigset_t *mask);
/* A worker forked by the zygote: takes orders until it is told to end. */
_Noreturn void wri_worker_main(const wri_worker_setup *setup, pid_t zygote);

/* The same in this process, for --no-fork: begin once, then carry out orders one by one. */
bool wri_worker_begin(const wri_worker_setup *setup);
void wri_worker_obey(void);
void wri_worker_finish(void);

/* ---- Between the files of the worker ---- */

typedef struct wri_worker {
    wri_worker_setup  setup;
    wr_case          *t;
    wri_slot         *slot;
    const wr_options *ready_for;  /* whose worker_setup has run */
    void (*on_crash)(wr_case *t); /* in process: the last words before the signal goes its way */
} wri_worker;
extern WRI_HIDDEN wri_worker wri_worker_now;

/* case_loop.c: carries out the slot's order. */
void wri_case_loop_batch(wri_worker *w);
void wri_case_loop_single(wri_worker *w);
void wri_case_loop_free(void);
/* Answers in a forked child of the code under test that came back: it ends the process. */
wri_answerer *wri_case_loop_stray(void);

/* signals.c: crashes become verdicts before the process dies. */
void wri_signals_install(bool in_process);
/* Fills in return addresses: with a signal's context from the instruction that faulted on,
 * else from `caller` on, a return address of the function that was called from outside. */
void wri_signals_fill_frames(wri_verdict *verdict, void *context, void *caller);

/* undo.c: what a batch may have changed in the process. */
void wri_undo_remember(const sigset_t *mask);
void wri_undo(void);
/* Standard input, output or error was closed. */
bool wri_undo_descriptors_closed(void);

/* sanitizer.c */
void wri_sanitizer_install(void);
bool wri_sanitizer_leaks_present(void); /* a leak checker is linked in */
bool wri_sanitizer_leaks_found(void);   /* runs it */
/* Fills in a LEAK verdict from the report that the checker printed. */
void wri_output_describe_leak(int output, wri_verdict *verdict);

/* output.c: what the code under test prints. */
bool wri_output_prepare(void); /* once: no input, and output to nowhere */
bool wri_output_redirect(int output, bool all);
/* Copies what was printed, or the last `room` bytes of it; returns how many. */
size_t wri_output_read(int output, char *to, size_t room);
void   wri_output_clear(int output);
/* A sanitizer's report that did not end the process; fills in the verdict. */
bool wri_output_report_found(int output, wri_verdict *verdict);

#endif
