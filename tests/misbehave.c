/* tests/misbehave.c: every way in which code under test goes wrong, one property each.
 *
 * Most fail exactly when n >= 500, so the smallest case is known: n = 500. The line that goes
 * wrong is marked with AT and the property's name; isolation_test looks the mark up, so that
 * no line number stands anywhere. What only a sanitizer sees is compiled in only with one.
 */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <warren.h>

#include "sanitized.h"

#define NOT_INLINED __attribute__((noinline))

static bool wrong(wr_case *t)
{
    return wr_int(t, "n", 0, 1000) >= 500;
}

/* Tells a test that it has come here (drive.h). */
static void mark(void)
{
    const char *path = getenv("TEST_MARKS");
    int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0 && write(file, ".", 1) == 1)
        close(file);
}

/* ---- Signals ---- */

static volatile int zero, sink;

NOT_INLINED static void write_to_nowhere(void)
{
    int *volatile nowhere = (int *)(uintptr_t)16;
    *nowhere = 1; /* AT segv */
}

WR_PROPERTY(segv)
{
    if (wrong(t))
        write_to_nowhere();
}

WR_PROPERTY(bus)
{
    if (!wrong(t))
        return;
    int            file = memfd_create("empty", MFD_CLOEXEC);
    volatile char *beyond = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    beyond[0] = 1; /* AT bus */
}

#if !SANITIZED /* UBSan says it first, see divides_by_zero */
WR_PROPERTY(fpe)
{
    if (wrong(t))
        sink = 1000 / zero; /* AT fpe */
}
#endif

WR_PROPERTY(ill)
{
    if (wrong(t))
#if defined(__x86_64__)
        __asm__ volatile("ud2"); /* AT ill */
#else
        raise(SIGILL);
#endif
}

WR_PROPERTY(aborts)
{
    if (wrong(t))
        abort(); /* AT aborts */
}

WR_PROPERTY(plain_assert)
{
    bool bad = wrong(t);
    assert(!bad); /* AT plain_assert */
}

/* Names of libc functions are only the beginnings of these. */
NOT_INLINED static void abort_transaction(void)
{
    *(int *volatile)(uintptr_t)16 = 1; /* AT named_like_libc */
}

WR_PROPERTY(named_like_libc)
{
    if (wrong(t))
        abort_transaction();
}

WR_PROPERTY(terminated)
{
    if (wrong(t))
        raise(SIGTERM);
}

WR_PROPERTY(interrupted)
{
    if (wrong(t))
        raise(SIGINT);
}

WR_PROPERTY(hung_up)
{
    if (wrong(t))
        raise(SIGHUP);
}

WR_PROPERTY(alarmed)
{
    if (!wrong(t))
        return;
    struct itimerval soon = { .it_value = { .tv_usec = 1000 } };
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;)
        pause();
}

WR_PROPERTY(kills_itself)
{
    if (wrong(t))
        raise(SIGKILL);
}

/* The zygote, that is. */
WR_PROPERTY(kills_its_parent)
{
    if (!wrong(t))
        return;
    kill(getppid(), SIGKILL);
    for (;;)
        pause();
}

WR_PROPERTY(crashes_with_own_handler)
{
    signal(SIGSEGV, SIG_DFL);
    if (wrong(t))
        raise(SIGSEGV);
}

static void *crash(void *unused)
{
    write_to_nowhere();
    return unused;
}

WR_PROPERTY(thread_crashes)
{
    pthread_t thread;
    if (wrong(t) && pthread_create(&thread, NULL, crash, NULL) == 0)
        pthread_join(thread, NULL);
}

/* ---- Stacks ---- */

NOT_INLINED static int dig(volatile int *from, int depth)
{
    volatile int here[16];
    here[depth & 15] = *from;
    if (depth == -1)
        return 0;
    return dig(&here[depth & 15], depth + 1) + here[0]; /* AT stack_overflow */
}

WR_PROPERTY(stack_overflow)
{
    if (wrong(t))
        sink = dig(&zero, 0);
}

NOT_INLINED static int dig_wide(volatile int *from, int depth)
{
    volatile char here[1 << 20];
    here[0] = (char)*from;
    here[sizeof here - 1] = 1;
    if (depth == -1)
        return 0;
    return dig_wide(from, depth + 1) + here[0]; /* AT wide_stack_overflow */
}

WR_PROPERTY(wide_stack_overflow)
{
    if (wrong(t))
        sink = dig_wide(&zero, 0);
}

/* Writes past the upper end of the stack. */
WR_PROPERTY(stack_overrun)
{
    volatile char         here[8] = { 0 };
    static volatile char *at; /* not where it would be overwritten */
    static bool           bad;
    at = here;
    bad = wrong(t);
    while (bad)
        *at++ = 1; /* AT stack_overrun */
    sink = here[0];
}

/* ---- Ends of the process ---- */

NOT_INLINED static void leave(int status)
{
    exit(status); /* AT exits */
}

WR_PROPERTY(exits)
{
    if (wrong(t))
        leave(3);
}

WR_PROPERTY(exits_quietly)
{
    if (wrong(t))
        _exit(0);
}

WR_PROPERTY(exits_its_thread)
{
    if (wrong(t))
        pthread_exit(NULL);
}

/* ---- Hangs and hunger ---- */

/* Compilers differ in which of a loop's lines they name: it has one. */
#define SPIN                                                                                     \
    for (;;)                                                                                     \
    sink ^= 1 /* never overflows, however long it takes */

/* Each case that fails takes a deadline: few choices, few steps. */
WR_PROPERTY(endless_loop)
{
    if (wr_int(t, "n", 0, 3) >= 2)
        SPIN; /* AT endless_loop */
}

WR_PROPERTY(has_no_case_that_counts)
{
    usleep(2000);
    wr_assume(t, wr_int(t, "n", 0, 9) > 9);
}

WR_PROPERTY(hangs_at_once)
{
    (void)wr_bool(t, "b");
    SPIN;
}

WR_PROPERTY(endless_sleep)
{
    if (wr_int(t, "n", 0, 3) < 2)
        return;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        pause();
}

WR_PROPERTY(stops_itself)
{
    if (wr_int(t, "n", 0, 3) >= 2)
        raise(SIGSTOP); /* AT stops_itself */
}

WR_PROPERTY(eats_memory)
{
    if (wr_int(t, "n", 0, 3) < 2)
        return;
    for (int i = 0; i < 500; i++) { /* without a limit it holds */
        char *more =
            mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more != MAP_FAILED)
            memset(more, 1, 1 << 20);
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL); /* spares the machine */
    }
}

/* ---- Descriptors ---- */

static void close_everything(void)
{
    for (int i = 0; i < 1024; i++)
        close(i);
}

WR_PROPERTY(closes_descriptors)
{
    if (wrong(t))
        close_everything();
}

WR_PROPERTY(closes_descriptors_and_fails)
{
    if (!wrong(t))
        return;
    close_everything();
    wr_assert(t, !"closed"); /* AT closes_descriptors_and_fails */
}

WR_PROPERTY(closes_descriptors_and_crashes)
{
    if (!wrong(t))
        return;
    close_everything();
    write_to_nowhere();
}

/* The test looks at this file afterwards. */
WR_PROPERTY_WITH(opens_a_file_under_every_number, .cases = 100)
{
    wr_int(t, "n", 0, 1000);
    mark();
    int file = open(getenv("TEST_MARKS"), O_RDWR);
    for (int i = 3; i < 1000; i++)
        dup2(file, i);
}

WR_PROPERTY(sets_flags_and_fails)
{
    bool bad = wrong(t);
    for (int i = 0; i <= 2; i++)
        wr_assert(t, !(fcntl(i, F_GETFL) & O_NONBLOCK) || !bad);
    for (int i = 0; i <= 2; i++)
        fcntl(i, F_SETFL, O_NONBLOCK);
    fputs("at no place in particular\n", stderr);
    assert(!bad); /* AT sets_flags_and_fails */
}

/* ---- Memory ---- */

#if !SANITIZED
WR_PROPERTY(frees_twice)
{
    char *volatile block = malloc(2000);
    free(block);
    if (wrong(t))
        free(block); /* AT frees_twice */
}

WR_PROPERTY(corrupts_the_heap)
{
    volatile char *volatile block = malloc(64);
    if (wrong(t))
        for (int i = 1; i <= 8; i++) /* the size that malloc has noted before the block */
            block[-i] = 0x41;
    free((void *)block); /* AT corrupts_the_heap */
}
#else
WR_PROPERTY(asan_heap_overflow)
{
    volatile char *volatile block = malloc(10);
    size_t at = wrong(t) ? 10 : 0;
    block[at] = 1; /* AT asan_heap_overflow */
    free((void *)block);
}

WR_PROPERTY(asan_use_after_free)
{
    char *volatile block = malloc(10);
    free(block);
    if (wrong(t))
        sink = block[3]; /* AT asan_use_after_free */
}

WR_PROPERTY(asan_frees_twice)
{
    char *volatile block = malloc(10);
    free(block);
    if (wrong(t))
        free(block); /* AT asan_frees_twice */
}

static void free_it(void *block)
{
    free(block); /* AT asan_fails_and_frees_twice */
}

WR_PROPERTY(asan_fails_and_frees_twice)
{
    char *volatile block = malloc(10);
    bool bad = wrong(t);
    free(block);
    if (bad)
        wr_defer(t, free_it, block);
    wr_assert(t, !bad);
}

WR_PROPERTY(asan_arena_overflow)
{
    char *volatile block = wr_alloc(t, 10);
    size_t at = wrong(t) ? 10 : 0;
    block[at] = 1; /* AT asan_arena_overflow */
}

static char *volatile kept;

/* What belongs to a case is gone with it. */
WR_PROPERTY(asan_keeps_what_a_case_owns)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    if (kept != NULL)
        sink = *kept; /* AT asan_keeps_what_a_case_owns */
    if (n >= 500)
        kept = wr_alloc(t, 10);
}

WR_PROPERTY(ubsan_overflow)
{
    volatile int most = 2147483647;
    if (wrong(t))
        sink = most + 1; /* AT ubsan_overflow */
}

/* As daemons do. */
WR_PROPERTY(ubsan_overflow_and_closes_others)
{
    volatile int most = 2147483647;
    bool bad = wrong(t);
    for (int i = 3; i < 1024; i++)
        close(i);
    if (bad)
        sink = most + 1; /* AT ubsan_overflow_and_closes_others */
}

WR_PROPERTY_WITH(ubsan_overflow_and_prints, .cases = 100)
{
    static char line[1 << 19];
    volatile int most = 2147483647;
    memset(line, '.', sizeof line - 1);
    if (wrong(t))
        sink = most + 1; /* AT ubsan_overflow_and_prints */
    fputs(line, stderr);
}

WR_PROPERTY(divides_by_zero)
{
    if (wrong(t))
        sink = 1000 / zero; /* AT divides_by_zero */
}

NOT_INLINED static void lose(size_t bytes)
{
    char *volatile block = malloc(bytes); /* AT leaks */
    block[0] = 1;
    block = NULL;
}

WR_PROPERTY(leaks)
{
    if (wrong(t))
        lose(300);
}

/* Only cases that return normally are looked at. */
WR_PROPERTY(leaks_and_discards)
{
    if (!wrong(t))
        return;
    lose(300);
    wr_assume(t, false);
}
#endif

WR_PROPERTY(guarded_overread)
{
    size_t         size = 32;
    volatile char *bytes = wr_guarded(t, size);
    size_t         at = wrong(t) ? size : size - 1;
    sink = bytes[at]; /* AT guarded_overread */
}

WR_PROPERTY(guarded_overwrite)
{
    volatile char *bytes = wr_guarded_copy(t, "abc", 3);
    bytes[wrong(t) ? 3 : 2] = 1; /* AT guarded_overwrite */
}

/* The case itself, its journal, and what parent and worker tell each other. */
WR_PROPERTY(scribbles_over_the_case)
{
    if (wrong(t))
        memset((void *)t, 0xa5, 65536);
}

WR_PROPERTY(scribbles_around_the_case)
{
    if (!wrong(t))
        return;
    memset((char *)t - 24576, 0x5a, 24576);
    abort(); /* AT scribbles_around_the_case */
}

/* ---- Children ---- */

WR_PROPERTY(forked_child_returns)
{
    if (!wrong(t))
        return;
    pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL, 0);
}

WR_PROPERTY(forked_child_draws)
{
    if (!wrong(t))
        return;
    pid_t child = fork();
    if (child == 0)
        for (;;) {
            wr_int(t, "more", 0, 5);
            wr_assume(t, false);
        }
    waitpid(child, NULL, 0);
}

/* No handler is told of these children. */
static pid_t copy_this_process(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

WR_PROPERTY(copied_child_returns)
{
    if (!wrong(t))
        return;
    pid_t child = copy_this_process();
    if (child > 0)
        waitpid(child, NULL, 0);
}

WR_PROPERTY(copied_child_draws)
{
    if (!wrong(t))
        return;
    pid_t child = copy_this_process();
    if (child == 0)
        for (;;) {
            wr_int(t, "more", 0, 5);
            wr_assume(t, false);
        }
    waitpid(child, NULL, 0);
}

WR_PROPERTY(copied_child_fails)
{
    if (!wrong(t))
        return;
    pid_t child = copy_this_process();
    wr_assert(t, child != 0);
    waitpid(child, NULL, 0);
}

WR_PROPERTY(copied_child_is_not_waited_for)
{
    if (wrong(t))
        copy_this_process();
}

/* What such a child does for itself is not the property's doing. */
WR_PROPERTY(copied_children_end_as_they_like)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    if (n % 100 != 0)
        return;
    pid_t child = copy_this_process();
    if (child == 0 && n < 300)
        exit(3);
    if (child == 0 && n < 600)
        write_to_nowhere();
    if (child == 0)
        _exit(5);
    waitpid(child, NULL, 0);
}

/* It goes on in the worker's memory and on its stack. */
WR_PROPERTY(vforked_child_returns)
{
    if (wrong(t))
        syscall(SYS_vfork);
}

/* Each child has many more, up to a bound that only a mistake of Warren's reaches. */
static void start_processes(wr_case *t, bool sessions)
{
    static _Atomic unsigned *count;
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED || wr_int(t, "n", 0, 3) < 2)
        return;
    while (atomic_fetch_add(count, 1) < 1000) {
        if (fork() == 0 && sessions)
            setsid();
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    for (;;)
        pause();
}

WR_PROPERTY(starts_processes)
{
    start_processes(t, false);
}

WR_PROPERTY(starts_processes_in_sessions)
{
    start_processes(t, true);
}

/* One for each case: all of them together are too many. */
WR_PROPERTY_WITH(leaves_a_child_a_case, .cases = 12, .processes = 4)
{
    wr_int(t, "n", 0, 1000);
    pid_t child = copy_this_process();
    if (child == 0)
        for (;;)
            pause();
}

/* They outlive their case, and must not outlive the run. */
WR_PROPERTY_WITH(leaves_children, .cases = 4)
{
    wr_bool(t, "b");
    if (fork() == 0) {
        setsid();
        prctl(PR_SET_PDEATHSIG, 0);
        for (;;)
            pause();
    }
}

/* ---- What is in the way of those who look after a case ---- */

static void *lock_errors(void *unused)
{
    flockfile(stderr);
    for (;;)
        pause();
    return unused;
}

WR_PROPERTY_WITH(locks_standard_error, .cases = 20)
{
    pthread_t thread;
    if (wr_int(t, "n", 0, 1000) > 0 && ftrylockfile(stderr) == 0) {
        funlockfile(stderr);
        wr_assert(t, pthread_create(&thread, NULL, lock_errors, NULL) == 0);
        while (ftrylockfile(stderr) == 0)
            funlockfile(stderr);
    }
}

WR_PROPERTY_WITH(turns_standard_error_to_a_full_pipe, .cases = 20)
{
    static char buffer[8192];
    static bool done;
    int         pipes[2];
    wr_int(t, "n", 0, 1000);
    if (done)
        return;
    done = true;
    wr_assert(t, pipe(pipes) == 0 && fcntl(pipes[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(pipes[1], buffer, sizeof buffer) > 0)
        continue;
    fcntl(pipes[1], F_SETFL, 0);
    dup2(pipes[1], 2);
    setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
    fputs("nobody reads this\n", stderr);
}

/* The process above, that is. */
WR_PROPERTY_WITH(stops_its_parent, .cases = 20)
{
    kill(getppid(), SIGSTOP);
    wr_assert(t, !wrong(t)); /* AT stops_its_parent */
}

static pid_t parent_of(pid_t pid)
{
    char  path[64];
    int   parent = 0;
    FILE *file = NULL;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%*d %*s %*c %d", &parent) != 1)
        parent = 0;
    if (file != NULL)
        fclose(file);
    return parent;
}

WR_PROPERTY_WITH(stops_the_parent_of_its_parent, .cases = 20)
{
    kill(parent_of(getppid()), SIGSTOP);
    if (wrong(t))
        write_to_nowhere();
}

WR_PROPERTY_WITH(kills_the_parent_of_its_parent, .cases = 20)
{
    if (!wrong(t))
        return;
    kill(parent_of(getppid()), SIGKILL);
    for (;;)
        pause();
}

static void *crash_in_a_while(void *unused)
{
    (void)unused;
    usleep(200000);
    write_to_nowhere();
    return NULL;
}

WR_PROPERTY_WITH(fails_and_leaves_a_thread_that_crashes, .cases = 1)
{
    pthread_t thread;
    wr_int(t, "x", 0, 1);
    if (pthread_create(&thread, NULL, crash_in_a_while, NULL) == 0)
        pthread_detach(thread);
    wr_fail(t, "and leaves a thread");
}

WR_PROPERTY_WITH(takes_its_time, .cases = 1)
{
    wr_int(t, "x", 0, 1);
    usleep(800000);
}

WR_PROPERTY_WITH(limits_those_above_it, .cases = 20)
{
    struct rlimit none = { 0, 0 };
    if (!wrong(t))
        return;
    prlimit(getppid(), RLIMIT_NOFILE, &none, NULL);
    prlimit(parent_of(getppid()), RLIMIT_NOFILE, &none, NULL);
    abort();
}

WR_PROPERTY(asks_to_be_traced)
{
    if (!wrong(t))
        return;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    write_to_nowhere();
}

/* Where that is forbidden, it just fails. */
WR_PROPERTY_WITH(traces_its_parent, .cases = 20)
{
    bool waits = wr_bool(t, "waits");
    if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 && waits)
        waitpid(getppid(), NULL, WUNTRACED);
    wr_assert(t, !wrong(t)); /* AT traces_its_parent */
}

/* The folder of the worker is elsewhere, and behind it a link that leads elsewhere, too. */
WR_PROPERTY_WITH(moves_its_folder_away, .cases = 20)
{
    const char *folder = wr_tempdir(t);
    char       *base = wr_format(t, "%s/..", folder);
    char       *real = realpath(base, NULL);
    static int  count;
    char       *other = wr_format(t, "%s/other-%d-%d", getenv("TMPDIR"), (int)getpid(), ++count);
    wr_int(t, "n", 0, 1000);
    wr_assert(t, real != NULL && rename(real, other) == 0);
    wr_assert(t, symlink(getenv("TMPDIR"), real) == 0);
    wr_tempdir(t);
    free(real);
}

WR_PROPERTY_WITH(runs_itself, .cases = 20)
{
    char *const arguments[] = { "misbehave", "--no-store", "runs_itself", NULL };
    if (wr_int(t, "n", 0, 3) >= 2)
        execv("/proc/self/exe", arguments);
}

/* ---- Deferred, setup, teardown ---- */

static wr_case *now;

static void fail_later(void *unused)
{
    (void)unused;
    wr_assert(now, !"deferred"); /* AT deferred_fails */
}

WR_PROPERTY(deferred_fails)
{
    now = t;
    if (wrong(t))
        wr_defer(t, fail_later, NULL);
}

static bool is_wrong;

static void draw_first(wr_case *t)
{
    is_wrong = wrong(t);
}

static void fail_last(wr_case *t)
{
    wr_assert(t, !is_wrong); /* AT teardown_fails */
}

WR_PROPERTY_WITH(teardown_fails, .setup = draw_first, .teardown = fail_last)
{
    (void)t;
}

static void fail_first(wr_case *t)
{
    wr_assert(t, !wrong(t)); /* AT setup_fails */
}

WR_PROPERTY_WITH(setup_fails, .setup = fail_first)
{
    (void)t;
}

static void crash_later(void *unused)
{
    (void)unused;
    write_to_nowhere();
}

WR_PROPERTY(deferred_crashes)
{
    if (wrong(t))
        wr_defer(t, crash_later, NULL);
}

/* The first failure is the one that counts. */
WR_PROPERTY(fails_twice)
{
    now = t;
    bool bad = wrong(t);
    if (bad)
        wr_defer(t, fail_later, NULL);
    wr_assert(t, !bad); /* AT fails_twice */
}

static void give_up(void)
{
    _exit(7);
}

WR_PROPERTY_WITH(worker_setup_exits, .worker_setup = give_up)
{
    wrong(t);
}

WR_PROPERTY_WITH(worker_teardown_crashes, .worker_teardown = write_to_nowhere)
{
    wrong(t);
}

WR_PROPERTY_WITH(fails_and_worker_teardown_crashes, .worker_teardown = write_to_nowhere)
{
    wr_assert(t, !wrong(t));
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

WR_PROPERTY_WITH(worker_teardown_hangs, .worker_teardown = sleep_for_ever)
{
    wrong(t);
}

WR_PROPERTY_WITH(worker_teardown_exits, .worker_teardown = give_up)
{
    wrong(t);
}

/* ---- Assertions ---- */

WR_PROPERTY(fails)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    if (n >= 500)
        wr_fail(t, "n is %d", (int)n); /* AT fails */
}

WR_PROPERTY(assert_eq)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_eq(t, n, n < 500 ? n : 7); /* AT assert_eq */
}

WR_PROPERTY(assert_ne)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_ne(t, n, n < 500 ? 1001 : n); /* AT assert_ne */
}

WR_PROPERTY(assert_lt)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_lt(t, n, 500); /* AT assert_lt */
}

WR_PROPERTY(assert_le)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_le(t, n, 499u); /* AT assert_le */
}

WR_PROPERTY(assert_gt)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_gt(t, 500.0, n); /* AT assert_gt */
}

WR_PROPERTY(assert_ge)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_ge(t, 499ull, n); /* AT assert_ge */
}

WR_PROPERTY(assert_near)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_near(t, (double)n, 0.0, 499.5); /* AT assert_near */
}

WR_PROPERTY(assert_str_eq)
{
    bool bad = wrong(t);
    wr_assert_str_eq(t, bad ? "rabbit" : "rabbet", "rabbet"); /* AT assert_str_eq */
}

WR_PROPERTY(assert_strings)
{
    const char *word = wrong(t) ? "hole" : "warren";
    wr_assert_eq(t, word, "warren"); /* AT assert_strings */
}

WR_PROPERTY(assert_mem_eq)
{
    char a[40] = { 0 }, b[40] = { 0 };
    a[20] = wrong(t);
    wr_assert_mem_eq(t, a, b, sizeof a); /* AT assert_mem_eq */
}

/* ---- Neither held nor failed ---- */

WR_PROPERTY(skips)
{
    if (wrong(t))
        wr_skip(t, "not here");
}

WR_PROPERTY_WITH(skipped_by_option, .skip = "not today")
{
    wr_fail(t, "it ran");
}

WR_PROPERTY(discards_all)
{
    wr_int(t, "n", 0, 1000);
    wr_assume(t, false);
}

WR_PROPERTY(lo_above_hi)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    if (n >= 500)
        wr_int(t, "m", 2, 1);
}

WR_PROPERTY(draws_nothing)
{
    (void)t;
}

WR_PROPERTY_WITH(draws_too_much, .cases = 60)
{
    for (;;)
        wr_bool(t, NULL);
}

/* ---- Not a function of what is drawn ---- */

WR_PROPERTY(counts_cases)
{
    static int count;
    wr_int(t, "n", 0, 1000);
    wr_assert(t, ++count < 100); /* AT counts_cases */
}

WR_PROPERTY(asks_by_count)
{
    static int count;
    count++;
    if (count >= 100)
        wr_bool(t, "odd");
    wr_int(t, "n", 0, 1000);
    wr_assert(t, count < 200); /* AT asks_by_count */
}

WR_PROPERTY(depends_on_earlier_cases)
{
    static bool armed;
    int64_t     n = wr_int(t, "n", 0, 1000);
    wr_assert(t, !(armed && n < 500)); /* AT depends_on_earlier_cases */
    armed |= n >= 500;
}

/* ---- Words of others ---- */

WR_PROPERTY(prints_words_of_a_sanitizer)
{
    bool bad = wrong(t);
    fputs("parsed \"ERROR: AddressSanitizer: whatever\"\n", stderr);
    if (bad)
        _exit(3);
}

/* ---- Many bugs, much output, much else ---- */

WR_PROPERTY(three_bugs)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert(t, n % 10 != 7); /* AT three_bugs */
    if (n >= 500 && n % 10 == 3)
        write_to_nowhere();
    wr_assert(t, n < 900);
}

WR_PROPERTY(two_bugs_in_a_line)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert(t, n % 10 != 7), wr_assert_lt(t, n, 900);
}

WR_PROPERTY(noisy)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    printf("on standard output: %d\n", (int)n);
    fprintf(stderr, "on standard error: %d\n", (int)n);
    wr_note(t, "a note: %d", (int)n);
    wr_assert(t, n < 500); /* AT noisy */
}

/* A message of libc after more output than is kept. */
WR_PROPERTY_WITH(very_noisy, .cases = 200)
{
    int64_t     n = wr_int(t, "n", 0, 1000);
    static char line[1001];
    memset(line, '.', 1000);
    for (int i = 0; i < 200; i++)
        fprintf(stderr, "%s\n", line);
    assert(n < 500); /* AT very_noisy */
}

WR_PROPERTY_WITH(crashes_in_its_folder, .cases = 200)
{
    const char *folder = wr_tempdir(t);
    char       *inner = wr_format(t, "%s/inner", folder);
    FILE       *file = fopen(inner, "w");
    assert(file != NULL);
    fputs("x", file);
    fclose(file);
    if (wrong(t))
        abort(); /* AT crashes_in_its_folder */
}

/* For Ctrl-C: no end to it. */
WR_PROPERTY_WITH(long_run, .cases = 1u << 30)
{
    wr_int(t, "n", 0, 1000);
    mark();
    nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

WR_PROPERTY_WITH(long_case, .cases = 1u << 30)
{
    wr_int(t, "n", 0, 1000);
    mark();
    for (;;)
        pause();
}

/* Many steps to the smallest case, each slow. */
WR_PROPERTY(long_shrink)
{
    size_t   n = wr_size(t, "n", 0, 200);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 1000000);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)xs[i];
    if (sum < 20000000)
        return;
    mark();
    nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
    wr_fail(t, "too much"); /* AT long_shrink */
}

WR_PROPERTY_WITH(slow, .cases = 6)
{
    wr_int(t, "n", 0, 1000);
    nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
}

WR_PROPERTY_WITH(makes_many_choices, .cases = 4)
{
    for (int i = 0; i < 25000; i++)
        wr_bool(t, "bit");
}

WR_PROPERTY(crashes_before_a_choice)
{
    (void)t;
    abort(); /* AT crashes_before_a_choice */
}

/* The last: after all that, the run goes on. */
WR_PROPERTY(holds)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert(t, n >= 0 && n <= 1000);
}
