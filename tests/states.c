/* tests/states.c: cases that hang, and cases that leave something behind for others to die of.
 *
 * state_test runs them: who is blamed, what is told, and how long it takes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <warren.h>

#include "sanitized.h"

#define NOT_INLINED __attribute__((noinline))

static volatile unsigned sink;

static void sleep_ms(long milliseconds)
{
    struct timespec moment = { .tv_sec = milliseconds / 1000,
                               .tv_nsec = milliseconds % 1000 * 1000000 };
    nanosleep(&moment, NULL);
}

/* ---- Hangs ---- */

/* Compilers differ in which of a loop's lines they name: it has one. */
#define SPIN                                                                                     \
    for (;;)                                                                                     \
    sink++

NOT_INLINED static void spin(void)
{
    SPIN; /* AT spins */
}

/* Tells the test which process hangs, by a file. */
static void tell_of_hanging(void)
{
    const char *path = getenv("TEST_MARKS");
    int         file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        dprintf(file, "%20ld\n", (long)getpid());
        close(file);
    }
}

NOT_INLINED static void wait_for_nobody(void)
{
    tell_of_hanging();
    for (;;)
        pause(); /* AT sleeps */
}

WR_PROPERTY(spins)
{
    size_t n = wr_size(t, "n", 0, 20);
    wr_i32s(t, "xs", n, 0, 1000);
    if (wr_int(t, "x", 0, 1000) >= 78 && n >= 3)
        spin();
}

WR_PROPERTY(sleeps)
{
    size_t n = wr_size(t, "n", 0, 20);
    wr_i32s(t, "xs", n, 0, 1000);
    if (wr_int(t, "x", 0, 1000) >= 78 && n >= 3)
        wait_for_nobody();
}

/* Takes 2 ms for each n: longer than the deadline from n = 150 on, with --deadline 300ms. */
WR_PROPERTY(gets_slower)
{
    struct timespec start, now;
    int64_t         n = wr_int(t, "n", 0, 1000);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec <
             2000000 * n);
}

static void slow_setup(void)
{
    sleep_ms(400);
}

/* worker_setup has the whole deadline, also when cases are in a hurry. */
WR_PROPERTY_WITH(spins_after_a_slow_setup, .worker_setup = slow_setup)
{
    if (wr_int(t, "n", 0, 3) >= 2)
        spin();
}

/* Would run on the first processor, if it were let: it has little of it while others want it. */
WR_PROPERTY_WITH(is_kept_from_running, .cases = 1)
{
    struct timespec start, now;
    cpu_set_t       first;
    wr_bool(t, "b");
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    setpriority(PRIO_PROCESS, 0, 19);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 20);
}

/* ---- What is left behind ---- */

NOT_INLINED static void *crash_later(void *unused)
{
    sleep_ms(30);
    *(int *volatile)(uintptr_t)16 = 1; /* AT thread */
    return unused;
}

/* The thread crashes when the worker has run all it had to. */
WR_PROPERTY_WITH(leaves_a_thread, .cases = 1)
{
    pthread_t thread;
    wr_bool(t, "b");
    if (pthread_create(&thread, NULL, crash_later, NULL) == 0)
        pthread_detach(thread);
}

static void set_timer(timer_t *timer)
{
    struct sigevent   event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    struct itimerspec soon = { .it_value = { .tv_nsec = 30000000 } };
    if (timer_create(CLOCK_MONOTONIC, &event, timer) == 0)
        timer_settime(*timer, 0, &soon, NULL);
}

WR_PROPERTY_WITH(leaves_a_timer, .cases = 1)
{
    static timer_t timer;
    wr_bool(t, "b");
    set_timer(&timer);
}

static void on_tick(int unused)
{
    (void)unused;
}

/* Interrupts every 50 us, as long as anybody listens. */
WR_PROPERTY(leaves_an_interval_timer)
{
    struct sigaction tick = { .sa_handler = on_tick };
    struct itimerval often = { { 0, 50 }, { 0, 50 } };
    wr_int(t, "n", 0, 1000);
    sigaction(SIGALRM, &tick, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

WR_PROPERTY(leaves_a_signal_pending)
{
    sigset_t all;
    wr_int(t, "n", 0, 1000);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    raise(SIGUSR1);
    raise(SIGRTMIN);
}

/* A long double is computed in registers that MMX instructions fill. */
WR_PROPERTY(leaves_registers_full)
{
    double d = wr_double(t, "d", 0, 1);
    wr_assert_le(t, d, 1.0);
    wr_collect(t, "d", d);
#if defined(__x86_64__)
    __asm__ volatile("pxor %%mm0, %%mm0" ::: "memory");
#endif
}

/* The next instruction of that unit would trap. */
WR_PROPERTY(leaves_an_exception_pending)
{
    double d = wr_double(t, "d", 0, 1);
    wr_assert_le(t, d, 1.0);
#if defined(__x86_64__)
    unsigned short traps = 0;
    __asm__ volatile("fnclex\n\tfldcw %0\n\tfldz\n\tfldz\n\tfdivrp" ::"m"(traps));
#endif
}

/* The copy is no child of this process, and goes on with the property. */
WR_PROPERTY(copies_itself_beside)
{
    if (wr_int(t, "n", 0, 9) == 7)
        syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}

static void wait_at_fork(void)
{
    tell_of_hanging();
    for (;;)
        pause();
}

static void linger_at_fork(void)
{
    sleep_ms(500);
}

__attribute__((constructor)) static void hang_at_fork(void)
{
    const char *where = getenv("STATES_HANGS_AT_FORK");
    bool        before = where != NULL && strcmp(where, "before") == 0;
    if (where != NULL)
        pthread_atfork(before ? wait_at_fork : NULL, NULL, before ? NULL : wait_at_fork);
    if (getenv("STATES_LINGERS_AT_FORK") != NULL)
        pthread_atfork(NULL, NULL, linger_at_fork);
}

/* From now on, waiting for an order kills the worker. */
WR_PROPERTY_WITH(forbids_to_wait, .cases = 1)
{
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { .len = 4, .filter = filter };
    wr_bool(t, "b");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Only reading, writing and _exit() are left: looking after the case kills the worker. */
WR_PROPERTY_WITH(forbids_nearly_all, .cases = 300)
{
    if (wr_int(t, "n", 0, 1000) >= 500)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

/* ---- Memory ---- */

static char *kept;

static void large_setup(void)
{
    size_t bytes = (size_t)300 << 20;
    kept = malloc(bytes);
    memset(kept, 1, bytes);
    sleep_ms(100); /* to be seen */
}

WR_PROPERTY_WITH(has_a_large_setup, .worker_setup = large_setup)
{
    wr_assert_eq(t, kept[wr_int(t, "n", 0, 1000)], 1);
}

#if SANITIZED
WR_PROPERTY(leaks_when_it_fails)
{
    int64_t n = wr_int(t, "n", 0, 9);
    char   *block = malloc(10);
    strcpy(block, "abc");
    wr_assert_lt(t, n + (int64_t)strlen(block), 9);
    free(block);
}

WR_PROPERTY(leaks_when_it_is_500)
{
    int64_t n = wr_int(t, "n", 0, 999);
    char *volatile block = malloc(10);
    wr_assert_ne(t, n, 500);
    free(block);
}

WR_PROPERTY(leaks_when_it_is_7)
{
    char *volatile block = wr_int(t, "n", 0, 10) == 7 ? malloc(10) : NULL;
    block = NULL;
}

/* A byte in a file for each worker. */
static void count_worker(void)
{
    const char *path = getenv("STATES_WORKERS");
    int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0 && write(file, "w", 1) == 1)
        close(file);
}

/* A text that leaks alone, or with the node that holds it: then it is no bug of its own. */
NOT_INLINED static void lose(bool both)
{
    char **volatile node = malloc(sizeof *node); /* AT lose_node */
    *node = malloc(100);                         /* AT lose_text */
    if (!both)
        free(node);
    node = NULL;
}

/* Leaves the pointer in all of the stack that later functions may have. */
NOT_INLINED __attribute__((no_sanitize("address"))) static void leave_everywhere(void *pointer)
{
    void *volatile all[1000];
    for (size_t i = 0; i < 1000; i++)
        all[i] = pointer;
}

WR_PROPERTY_WITH(leaks_and_leaves_pointers, .cases = 100)
{
    if (wr_int(t, "n", 0, 99) >= 30)
        leave_everywhere(malloc(40));
}

static char *cache[64]; /* kept, and no leak */

WR_PROPERTY_WITH(leaks_in_two_places, .cases = 1000, .worker_setup = count_worker)
{
    int64_t n = wr_int(t, "n", 0, 99);
    if (n < 64 && cache[n] == NULL)
        cache[n] = malloc(10);
    if (n >= 80 || n < 10)
        lose(n >= 80);
}
#endif

/* After all of them, in the same run. */
WR_PROPERTY(holds)
{
    wr_int(t, "n", 0, 1000);
}
