/* bench/trust/threads.c: hostile properties that use threads and locks, and signals to
 * themselves. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "hostile.h"

static wr_case *now;

static bool start(void *(*body)(void *), void *of)
{
    pthread_t      thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool made = pthread_create(&thread, &attributes, body, of) == 0;
    pthread_attr_destroy(&attributes);
    return made;
}

static void start_and_wait(void *(*body)(void *), void *of)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, of) == 0)
        pthread_join(thread, NULL);
}

/* ---- Threads ---- */

static void *sleeps(void *unused)
{
    sleep_for_ever();
    return unused;
}

static void *spins(void *unused)
{
    spin_for_ever();
    return unused;
}

static void *crashes(void *unused)
{
    write_to_nowhere();
    return unused;
}

static void *crashes_later(void *unused)
{
    usleep(20000);
    write_to_nowhere();
    return unused;
}

static void *exits(void *unused)
{
    exit(3);
    return unused;
}

static void *asserts(void *unused)
{
    wr_assert(now, now == NULL && "in a thread");
    return unused;
}

static void *draws(void *unused)
{
    sink = (int)wr_int(now, "more", 0, 9);
    return unused;
}

static void *prints(void *unused)
{
    for (;;)
        puts("a line");
    return unused;
}

static int dig(volatile char *from, int depth)
{
    volatile char here[256];
    here[depth & 255] = *from;
    return depth < 0 ? 0 : dig(here, depth + 1) + here[0];
}

static void *digs(void *unused)
{
    char first = 0;
    sink = dig(&first, 0);
    return unused;
}

HOLDS(thread_left_sleeping)
{
    if (bad(t))
        start(sleeps, NULL);
}

HOLDS(thread_left_spinning)
{
    if (bad(t))
        start(spins, NULL);
}

HOLDS(thread_left_printing)
{
    if (bad(t))
        start(prints, NULL);
}

FAILS(thread_crashes)
{
    if (bad(t))
        start_and_wait(crashes, NULL);
}

EITHER(thread_crashes_later)
{
    if (bad(t))
        start(crashes_later, NULL);
}

FAILS(thread_exits)
{
    if (bad(t))
        start_and_wait(exits, NULL);
}

EITHER(thread_asserts)
{
    now = t;
    if (bad(t))
        start_and_wait(asserts, NULL);
}

EITHER(thread_draws)
{
    now = t;
    if (bad(t))
        start_and_wait(draws, NULL);
}

FAILS(thread_overflows_its_stack)
{
    if (bad(t))
        start_and_wait(digs, NULL);
}

HOLDS(hundred_threads)
{
    if (bad(t))
        for (int i = 0; i < 100; i++)
            start(sleeps, NULL);
}

EITHER(main_thread_ends_alone)
{
    if (bad(t))
        pthread_exit(NULL);
}

static void *cancels(void *thread)
{
    pthread_cancel(*(pthread_t *)thread);
    return NULL;
}

EITHER(main_thread_is_cancelled)
{
    static pthread_t self;
    self = pthread_self();
    if (!bad(t))
        return;
    start_and_wait(cancels, &self);
    sleep_for_ever();
}

static pthread_key_t key;

static void crash_at_end(void *unused)
{
    (void)unused;
    write_to_nowhere();
}

static void *sets_key(void *unused)
{
    pthread_setspecific(key, &key);
    return unused;
}

FAILS(destructor_of_a_thread_crashes)
{
    if (!bad(t))
        return;
    pthread_key_create(&key, crash_at_end);
    start_and_wait(sets_key, NULL);
}

/* ---- Locks ---- */

FAILS(deadlock)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!bad(t))
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

HOLDS(lock_is_left_locked)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (bad(t))
        pthread_mutex_trylock(&lock);
}

FAILS(waits_for_a_condition)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t  condition = PTHREAD_COND_INITIALIZER;
    if (!bad(t))
        return;
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&condition, &lock);
}

static void *locks(void *stream)
{
    flockfile(stream);
    sleep_for_ever();
    return NULL;
}

static void lock_stream(FILE *stream)
{
    if (ftrylockfile(stream) != 0)
        return;
    funlockfile(stream);
    start(locks, stream);
    while (ftrylockfile(stream) == 0)
        funlockfile(stream);
}

HOLDS(standard_error_is_left_locked)
{
    if (bad(t))
        lock_stream(stderr);
}

HOLDS(standard_output_is_left_locked)
{
    if (bad(t))
        lock_stream(stdout);
}

FAILS(standard_error_is_left_locked_and_it_fails)
{
    if (!bad(t))
        return;
    lock_stream(stderr);
    wr_fail(t, "fails");
}

FAILS(standard_output_is_left_locked_and_it_crashes)
{
    if (!bad(t))
        return;
    lock_stream(stdout);
    write_to_nowhere();
}

/* ---- Signals to itself ---- */

#define DIES_OF(name, signal_)                                                                   \
    FAILS(name)                                                                                  \
    {                                                                                            \
        if (bad(t))                                                                              \
            raise(signal_);                                                                      \
    }
DIES_OF(dies_of_segv, SIGSEGV)
DIES_OF(dies_of_bus, SIGBUS)
DIES_OF(dies_of_fpe, SIGFPE)
DIES_OF(dies_of_ill, SIGILL)
DIES_OF(dies_of_trap, SIGTRAP)
DIES_OF(dies_of_sys, SIGSYS)
DIES_OF(dies_of_kill, SIGKILL)
DIES_OF(dies_of_term, SIGTERM)
DIES_OF(dies_of_abrt, SIGABRT)
DIES_OF(dies_of_quit, SIGQUIT)
DIES_OF(dies_of_usr1, SIGUSR1)
DIES_OF(dies_of_pipe, SIGPIPE)
DIES_OF(dies_of_xcpu, SIGXCPU)
DIES_OF(dies_of_a_realtime_signal, SIGRTMIN + 3)

FAILS(stops_itself)
{
    if (!bad(t))
        return;
    raise(SIGSTOP);
    sleep_for_ever();
}

static void do_nothing(int unused)
{
    (void)unused;
}

FAILS(handler_of_faults_returns)
{
    if (!bad(t))
        return;
    signal(SIGSEGV, do_nothing);
    write_to_nowhere();
}

static sigjmp_buf back;

static void jump_back(int unused)
{
    (void)unused;
    siglongjmp(back, 1);
}

HOLDS(handler_of_faults_jumps)
{
    if (!bad(t))
        return;
    signal(SIGSEGV, jump_back);
    if (sigsetjmp(back, 1) == 0)
        write_to_nowhere();
    signal(SIGSEGV, SIG_DFL);
}

static void crash_again(int unused)
{
    (void)unused;
    write_to_nowhere();
}

FAILS(handler_of_faults_crashes)
{
    if (!bad(t))
        return;
    signal(SIGSEGV, crash_again);
    write_to_nowhere();
}

FAILS(handler_of_abort_returns)
{
    if (!bad(t))
        return;
    signal(SIGABRT, do_nothing);
    abort();
}

FAILS(faults_are_blocked)
{
    sigset_t all;
    if (!bad(t))
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    write_to_nowhere();
}

FAILS(sleeps_with_all_signals_blocked)
{
    sigset_t all;
    if (!bad(t))
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    sleep_for_ever();
}

HOLDS(all_signals_are_left_blocked)
{
    sigset_t all;
    if (!bad(t))
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

HOLDS(all_signals_are_left_ignored)
{
    if (bad(t))
        for (int i = 1; i < NSIG; i++)
            signal(i, SIG_IGN);
}

FAILS(waits_for_a_signal)
{
    sigset_t none;
    if (!bad(t))
        return;
    sigemptyset(&none);
    for (;;)
        sigsuspend(&none);
}

FAILS(other_stack_is_gone_and_it_crashes)
{
    stack_t none = { .ss_flags = SS_DISABLE };
    if (!bad(t))
        return;
    sigaltstack(&none, NULL);
    write_to_nowhere();
}

FAILS(other_stack_is_gone_and_the_stack_overflows)
{
    stack_t none = { .ss_flags = SS_DISABLE };
    if (!bad(t))
        return;
    sigaltstack(&none, NULL);
    digs(NULL);
}

FAILS(other_stack_is_bad_and_it_crashes)
{
    static char guard[1 << 16] __attribute__((aligned(4096)));
    stack_t     shut = { .ss_sp = guard, .ss_size = sizeof guard };
    if (!bad(t))
        return;
    sigaltstack(&shut, NULL);
    mprotect(guard, sizeof guard, PROT_NONE);
    write_to_nowhere();
}

/* ---- Timers ---- */

FAILS(alarm_ends_it)
{
    if (!bad(t))
        return;
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { .tv_usec = 1000 } }, NULL);
    sleep_for_ever();
}

EITHER(alarm_is_left)
{
    if (bad(t))
        setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { .tv_usec = 3000 } }, NULL);
}

HOLDS(timers_are_left_running)
{
    if (!bad(t))
        return;
    static const __itimer_which_t which[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
    static const int              signals[] = { SIGALRM, SIGVTALRM, SIGPROF };
    for (int i = 0; i < 3; i++) {
        signal(signals[i], SIG_IGN);
        setitimer(which[i], &(struct itimerval){ { 0, 500 }, { 0, 500 } }, NULL);
    }
}

EITHER(timer_sends_a_signal_later)
{
    timer_t         timer;
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    if (bad(t) && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){ .it_value = { .tv_nsec = 20000000 } },
                      NULL);
}

static void tick(union sigval unused)
{
    (void)unused;
}

HOLDS(timer_starts_threads)
{
    timer_t         timer;
    struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick };
    if (bad(t) && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){ { 0, 1000000 }, { 0, 1000000 } }, NULL);
}

/* ---- Jumps ---- */

static ucontext_t home, away;
static int64_t    drawn;

static void draw_elsewhere(void)
{
    drawn = wr_int(now, "elsewhere", 0, 9);
}

HOLDS(draws_on_another_stack)
{
    static char stack[1 << 18];
    now = t;
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    away.uc_link = &home;
    makecontext(&away, draw_elsewhere, 0);
    swapcontext(&home, &away);
    wr_assert(t, drawn >= 0 && drawn <= 9);
}

static void assert_elsewhere(void)
{
    wr_assert(now, drawn < 2);
}

FAILS(asserts_on_another_stack)
{
    static char stack[1 << 18];
    now = t;
    drawn = wr_int(t, "n", 0, 3);
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    away.uc_link = &home;
    makecontext(&away, assert_elsewhere, 0);
    swapcontext(&home, &away);
}

static jmp_buf stale;

__attribute__((noinline)) static int mark_place(void)
{
    return setjmp(stale);
}

EITHER(jumps_into_a_function_that_returned)
{
    if (bad(t) && mark_place() == 0)
        longjmp(stale, 1);
}
