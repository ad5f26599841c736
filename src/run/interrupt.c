/* run/interrupt.c: Ctrl-C, and the other signals that ask a run to end. */
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "run/runner.h"

/* A run that has not ended so long after an interrupt, whatever holds it up, is interrupted once
 * more: that ends the program the usual way. A person who presses Ctrl-C waits for the report,
 * and can press it again; a supervisor that sends SIGTERM kills soon. */
static const struct {
    int    signal;
    time_t last_ms;
} INTERRUPTS[] = { { SIGINT, 15000 }, { SIGTERM, 1900 }, { SIGHUP, 1900 } };
/* So long before, nothing that a report can do without is waited for. */
#define LEFT_MS 900
#define INTERRUPT_COUNT (sizeof INTERRUPTS / sizeof *INTERRUPTS)

static volatile sig_atomic_t interrupted;
static _Atomic int64_t  hurry_ms; /* when an interrupted run has little time left; 0: it has */
static bool             watching;
static struct sigaction before_watch[INTERRUPT_COUNT];
static struct sigaction before_pipe, before_full;
static timer_t          timers[INTERRUPT_COUNT]; /* each sends its signal again */
static bool             has_timer[INTERRUPT_COUNT];
static volatile sig_atomic_t has_alarm;
static struct sigaction      before_alarm;
static bool                  term_was_blocked;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void on_alarm(int unused)
{
    (void)unused;
    raise(interrupted);
}

/* The user may have no timers left (RLIMIT_SIGPENDING). The process has this one. */
static void set_alarm(time_t ms)
{
    struct sigaction action = { .sa_handler = on_alarm };
    struct itimerval last = { .it_value = { ms / 1000, ms % 1000 * 1000 } };
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &before_alarm);
    setitimer(ITIMER_REAL, &last, NULL);
    has_alarm = true;
}

static void on_interrupt(int signal)
{
    interrupted = signal;
    for (size_t i = 0; i < INTERRUPT_COUNT; i++) {
        time_t            ms = INTERRUPTS[i].last_ms;
        struct itimerspec last = { .it_value = { ms / 1000, ms % 1000 * 1000000 } };
        if (INTERRUPTS[i].signal != signal)
            continue;
        hurry_ms = now_ms() + ms - LEFT_MS;
        if (!has_timer[i] || timer_settime(timers[i], 0, &last, NULL) != 0)
            set_alarm(ms);
    }
}

/* A program that was started with SIGTERM blocked would not hear it. */
static void unblock_term(void)
{
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    term_was_blocked =
        sigprocmask(SIG_UNBLOCK, &term, &before) == 0 && sigismember(&before, SIGTERM) == 1;
}

static void block_term_again(void)
{
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    if (term_was_blocked)
        sigprocmask(SIG_BLOCK, &term, NULL);
    term_was_blocked = false;
}

static void unset_alarm(void)
{
    struct itimerval none = { .it_value = { 0, 0 } };
    if (has_alarm && setitimer(ITIMER_REAL, &none, NULL) == 0)
        sigaction(SIGALRM, &before_alarm, NULL);
    has_alarm = false;
}

void wri_interrupt_watch(void)
{
    /* Once: a second Ctrl-C ends the program the usual way. */
    struct sigaction action = { .sa_handler = on_interrupt,
                                .sa_flags = (int)SA_RESETHAND | SA_RESTART };
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < INTERRUPT_COUNT; i++) {
        struct sigevent again = { .sigev_notify = SIGEV_SIGNAL,
                                  .sigev_signo = INTERRUPTS[i].signal };
        has_timer[i] = timer_create(CLOCK_MONOTONIC, &again, &timers[i]) == 0;
        /* Under nohup, or in the background of a script, a program ignores what it is told to. */
        if (sigaction(INTERRUPTS[i].signal, NULL, &before_watch[i]) == 0 &&
            (INTERRUPTS[i].signal == SIGTERM || before_watch[i].sa_handler != SIG_IGN))
            sigaction(INTERRUPTS[i].signal, &action, NULL);
    }
    unblock_term();
    watching = true;
    sigaction(SIGPIPE, &ignore, &before_pipe); /* a report that nobody reads is an error, */
    sigaction(SIGXFSZ, &ignore, &before_full); /* and so is a file that is too large */
}

void wri_interrupt_restore(void)
{
    if (!watching)
        return;
    for (size_t i = 0; i < INTERRUPT_COUNT; i++)
        sigaction(INTERRUPTS[i].signal, &before_watch[i], NULL);
    sigaction(SIGPIPE, &before_pipe, NULL);
    sigaction(SIGXFSZ, &before_full, NULL);
}

void wri_interrupt_unwatch(void)
{
    wri_interrupt_restore();
    watching = false;
    for (size_t i = 0; i < INTERRUPT_COUNT; i++) {
        if (has_timer[i])
            timer_delete(timers[i]);
        has_timer[i] = false;
    }
    unset_alarm();
    block_term_again();
}

bool wri_interrupt_hurries(void)
{
    return hurry_ms != 0 && now_ms() > hurry_ms;
}

bool wri_interrupt_came(void)
{
    return interrupted != 0;
}
