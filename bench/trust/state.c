/* bench/trust/state.c: hostile properties that change the state of their process: descriptors,
 * folders, limits, seccomp, locale, arithmetic, environment; and the ends of a process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

extern char **environ;

/* ---- Descriptors ---- */

FAILS(closes_standard_descriptors)
{
    if (bad(t))
        for (int i = 0; i <= 2; i++)
            close(i);
}

FAILS(closes_all_descriptors)
{
    if (bad(t))
        for (int i = 0; i < 1024; i++)
            close(i);
}

FAILS(closes_all_descriptors_and_fails)
{
    if (!bad(t))
        return;
    for (int i = 0; i < 1024; i++)
        close(i);
    wr_fail(t, "fails");
}

HOLDS(closes_other_descriptors)
{
    if (bad(t))
        for (int i = 3; i < 1024; i++)
            close(i);
}

HOLDS(turns_all_descriptors_to_nowhere)
{
    if (!bad(t))
        return;
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 300; i++)
        if (fcntl(i, F_GETFD) != -1)
            dup2(null, i);
}

HOLDS(opens_all_descriptors)
{
    if (bad(t))
        while (open("/dev/null", O_RDONLY) >= 0)
            continue;
}

static int full_pipe(void)
{
    static char bytes[4096];
    int         pipes[2];
    if (pipe(pipes) != 0 || fcntl(pipes[1], F_SETFL, O_NONBLOCK) != 0)
        return -1;
    while (write(pipes[1], bytes, sizeof bytes) > 0)
        continue;
    fcntl(pipes[1], F_SETFL, 0);
    return pipes[1];
}

static void turn_to_full_pipe(FILE *stream, int file)
{
    static char buffers[3][8192];
    static bool done[3];
    if (done[file])
        return;
    done[file] = true;
    dup2(full_pipe(), file);
    setvbuf(stream, buffers[file], _IOFBF, sizeof buffers[file]);
    fputs("nobody reads this\n", stream);
}

HOLDS(standard_error_is_a_full_pipe)
{
    if (bad(t))
        turn_to_full_pipe(stderr, 2);
}

EITHER(standard_output_is_a_full_pipe)
{
    if (bad(t))
        turn_to_full_pipe(stdout, 1);
}

FAILS(standard_error_is_a_full_pipe_and_it_fails)
{
    if (!bad(t))
        return;
    turn_to_full_pipe(stderr, 2);
    wr_fail(t, "fails");
}

FAILS(prints_into_a_full_pipe)
{
    char line[100000];
    memset(line, '.', sizeof line);
    if (bad(t) && write(full_pipe(), line, sizeof line) < 0)
        return;
}

HOLDS(prints_ten_megabytes)
{
    static char line[1 << 16];
    memset(line, '.', sizeof line);
    if (bad(t))
        for (int i = 0; i < 160; i++)
            fwrite(line, 1, sizeof line, i % 2 ? stdout : stderr);
}

FAILS(prints_for_ever)
{
    if (bad(t))
        for (;;)
            fputs("a line on standard error\n", stderr);
}

HOLDS(truncates_and_seeks_its_output)
{
    if (!bad(t))
        return;
    for (int i = 0; i <= 2; i++) {
        if (ftruncate(i, 0) != 0)
            lseek(i, 1 << 20, SEEK_SET);
        fcntl(i, F_SETFL, O_NONBLOCK);
    }
}

EITHER(closes_its_streams)
{
    if (!bad(t))
        return;
    fclose(stdout);
    fclose(stderr);
    fclose(stdin);
}

HOLDS(turns_its_streams_elsewhere)
{
    if (!bad(t))
        return;
    wr_assert(t, freopen("/dev/null", "w", stdout) != NULL);
    wr_assert(t, freopen("/dev/null", "w", stderr) != NULL);
}

HOLDS(takes_the_terminal)
{
    if (!bad(t))
        return;
    int            terminal = open("/dev/tty", O_RDWR);
    struct termios settings;
    for (int file = 0; file < 4; file++) {
        int at = file == 3 ? terminal : file;
        if (tcgetattr(at, &settings) == 0) {
            cfmakeraw(&settings);
            tcsetattr(at, TCSANOW, &settings);
        }
        tcsetpgrp(at, getpgrp());
        ioctl(at, TIOCNOTTY);
        ioctl(at, TIOCSCTTY, 1);
    }
    if (terminal >= 0)
        close(terminal);
}

HOLDS(reads_its_input)
{
    char byte;
    wr_bool(t, "b");
    wr_assert_eq(t, (int)read(0, &byte, 1), 0);
}

/* ---- Folders and files ---- */

HOLDS(goes_to_another_folder)
{
    if (bad(t))
        wr_assert(t, chdir("/") == 0);
}

HOLDS(removes_the_folder_it_is_in)
{
    if (!bad(t))
        return;
    const char *folder = wr_tempdir(t);
    wr_assert(t, chdir(folder) == 0 && rmdir(folder) == 0);
}

HOLDS(changes_the_creation_mask)
{
    if (bad(t))
        umask(0777);
}

HOLDS(makes_a_deep_folder)
{
    if (!bad(t))
        return;
    int at = open(wr_tempdir(t), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 300 && at >= 0; i++) {
        int inner = mkdirat(at, "deeper", 0700) == 0 ? openat(at, "deeper", O_RDONLY) : -1;
        close(at);
        at = inner;
    }
    if (at >= 0)
        close(at);
}

HOLDS(makes_many_files)
{
    if (!bad(t))
        return;
    const char *folder = wr_tempdir(t);
    for (int i = 0; i < 200; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%d", folder, i);
        if (i % 3 == 0)
            mkfifo(path, 0600);
        else if (i % 3 == 1 && symlink("/", path) != 0)
            return;
        else
            close(open(path, O_WRONLY | O_CREAT, 0));
    }
}

HOLDS(shuts_its_folder)
{
    if (!bad(t))
        return;
    const char *folder = wr_tempdir(t);
    char       *inner = wr_format(t, "%s/inner", folder);
    mkdir(inner, 0700);
    chmod(inner, 0);
    chmod(folder, 0);
}

EITHER(puts_a_link_in_the_place_of_its_folder)
{
    if (!bad(t))
        return;
    char *base = realpath(wr_format(t, "%s/..", wr_tempdir(t)), NULL);
    char *other = wr_format(t, "%s.away", base);
    if (rename(base, other) == 0 && symlink("/", base) == 0)
        wr_tempdir(t);
    rename(other, wr_format(t, "%s/away", wr_tempdir(t)));
    free(base);
}

FAILS(crashes_with_a_folder)
{
    wr_tempdir(t);
    if (bad(t))
        abort();
}

/* ---- Limits ---- */

static void limit(int which, rlim_t most)
{
    setrlimit((__rlimit_resource_t)which, &(struct rlimit){ most, most });
}

HOLDS(no_more_processes)
{
    if (bad(t))
        limit(RLIMIT_NPROC, 0);
}

HOLDS(no_more_descriptors)
{
    if (bad(t))
        limit(RLIMIT_NOFILE, 3);
}

EITHER(no_more_memory)
{
    if (bad(t))
        limit(RLIMIT_AS, 1 << 20);
}

EITHER(no_more_data)
{
    if (bad(t))
        limit(RLIMIT_DATA, 0);
}

FAILS(a_second_of_processor_time)
{
    if (!bad(t))
        return;
    limit(RLIMIT_CPU, 1);
    spin_for_ever();
}

EITHER(a_small_stack)
{
    if (bad(t))
        limit(RLIMIT_STACK, 1 << 12);
}

EITHER(no_more_bytes_in_files)
{
    if (!bad(t))
        return;
    limit(RLIMIT_FSIZE, 0);
    fputs("a line\n", stderr);
    printf("a line\n");
}

HOLDS(least_priority)
{
    if (bad(t))
        sink = nice(19);
}

HOLDS(idle_policy_and_one_processor)
{
    if (!bad(t))
        return;
    struct sched_param none = { 0 };
    cpu_set_t          one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setscheduler(0, SCHED_IDLE, &none);
    sched_setaffinity(0, sizeof one, &one);
}

/* ---- prctl, seccomp, personality ---- */

HOLDS(odd_settings_of_the_process)
{
    if (!bad(t))
        return;
    prctl(PR_SET_NAME, "x\ny) R 1");
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 1000000000);
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    personality(ADDR_NO_RANDOMIZE);
}

HOLDS(new_namespaces)
{
    if (bad(t) && unshare(CLONE_NEWUSER) == 0)
        unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID);
}

EITHER(only_reads_and_writes_from_now_on)
{
    if (bad(t))
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

/* Every system call but those of `kept` gives `instead`. */
static void filter(const int *allowed, size_t count, unsigned instead)
{
    struct sock_filter lines[40];
    size_t             used = 0;
    lines[used++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++) {
        lines[used++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
        lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, instead);
    struct sock_fprog program = { .len = (unsigned short)used, .filter = lines };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

EITHER(every_system_call_kills)
{
    if (bad(t))
        filter(NULL, 0, SECCOMP_RET_KILL_PROCESS);
}

EITHER(every_system_call_fails)
{
    if (bad(t))
        filter(NULL, 0, SECCOMP_RET_ERRNO | EPERM);
}

EITHER(every_system_call_fails_but_the_end)
{
    static const int end[] = { SYS_exit_group, SYS_rt_sigreturn, SYS_futex };
    if (bad(t))
        filter(end, 3, SECCOMP_RET_ERRNO | ENOSYS);
}

EITHER(every_system_call_sends_a_signal)
{
    if (bad(t))
        filter(NULL, 0, SECCOMP_RET_TRAP);
}

static void on_tick(int unused)
{
    (void)unused;
}

HOLDS(leaves_an_interval_timer)
{
    struct sigaction tick = { .sa_handler = on_tick };
    struct itimerval often = { { 0, 50 }, { 0, 50 } };
    if (!bad(t))
        return;
    sigaction(SIGALRM, &tick, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

HOLDS(leaves_a_signal_pending)
{
    sigset_t all;
    if (!bad(t))
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    raise(SIGUSR1);
}

/* ---- Locale, arithmetic, environment ---- */

HOLDS(sets_another_locale)
{
    if (!bad(t))
        return;
    setlocale(LC_ALL, "C.UTF-8");
    uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
}

HOLDS(rounds_upward)
{
    if (bad(t))
        fesetround(FE_UPWARD);
}

EITHER(arithmetic_sends_signals)
{
    if (bad(t))
        feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
    sink = (int)wr_double(t, "x", 0, 1);
}

#if defined(__x86_64__)
HOLDS(flushes_small_numbers)
{
    if (bad(t))
        __builtin_ia32_ldmxcsr(0x9fc0);
}

/* Long doubles are computed in these registers. */
HOLDS(leaves_registers_full)
{
    double x = wr_double(t, "x", 0, 1);
    wr_assert_le(t, x, 1.0);
    __asm__ volatile("pxor %%mm0, %%mm0" ::: "memory");
}

/* Comparisons of memory would go backwards. */
EITHER(goes_backwards_through_memory)
{
    if (bad(t))
        __asm__ volatile("std");
}
#endif

HOLDS(clears_the_environment)
{
    if (bad(t))
        clearenv();
}

HOLDS(changes_the_environment)
{
    if (!bad(t))
        return;
    setenv("TRUST_MARK", "spoiled", 1);
    setenv("PATH", "/nowhere", 1);
    setenv("WARREN_CASES", "1", 1);
    setenv("TMPDIR", "/nowhere", 1);
}

HOLDS(puts_its_stack_into_the_environment)
{
    char text[] = "TRUST_MARK=on the stack";
    if (bad(t))
        putenv(text);
    memset(text, 'x', sizeof text - 1);
}

EITHER(points_the_environment_nowhere)
{
    if (bad(t))
        environ = (char **)(uintptr_t)64;
}

HOLDS(changes_the_time_zone)
{
    if (!bad(t))
        return;
    setenv("TZ", "XYZ-13:37", 1);
    tzset();
}

/* ---- Ends and hangs ---- */

FAILS(exits)
{
    if (bad(t))
        exit(3);
}

FAILS(exits_with_success)
{
    if (bad(t))
        exit(0);
}

FAILS(exits_at_once)
{
    if (bad(t))
        _exit(0);
}

FAILS(exits_quickly)
{
    if (bad(t))
        quick_exit(4);
}

FAILS(aborts)
{
    if (bad(t))
        abort();
}

FAILS(hangs_while_it_exits)
{
    if (!bad(t))
        return;
    atexit(spin_for_ever);
    exit(0);
}

FAILS(crashes_while_it_exits)
{
    if (!bad(t))
        return;
    atexit(write_to_nowhere);
    exit(0);
}

HOLDS(asks_for_work_at_exit)
{
    if (bad(t))
        for (int i = 0; i < 100; i++)
            atexit(spin_for_ever);
}

FAILS(spins)
{
    if (bad(t))
        spin_for_ever();
}

FAILS(sleeps)
{
    if (bad(t))
        sleep_for_ever();
}

EITHER(draws_for_ever)
{
    if (bad(t))
        for (;;)
            wr_bool(t, NULL);
}

/* ---- Around a case ---- */

static wr_case *now;

static void fail_later(void *unused)
{
    (void)unused;
    wr_fail(now, "later");
}

static void crash_later(void *unused)
{
    (void)unused;
    write_to_nowhere();
}

static void hang_later(void *unused)
{
    (void)unused;
    spin_for_ever();
}

FAILS(fails_when_it_is_over)
{
    now = t;
    if (bad(t))
        wr_defer(t, fail_later, NULL);
}

FAILS(crashes_when_it_is_over)
{
    if (bad(t))
        wr_defer(t, crash_later, NULL);
}

FAILS(hangs_when_it_is_over)
{
    if (bad(t))
        wr_defer(t, hang_later, NULL);
}

static bool worse;

static void draw_first(wr_case *t)
{
    worse = bad(t);
}

static void hang_last(wr_case *t)
{
    (void)t;
    if (worse)
        spin_for_ever();
}

FAILS_WITH(teardown_hangs, .setup = draw_first, .teardown = hang_last)
{
    (void)t;
}

static void crash_first(wr_case *t)
{
    if (bad(t))
        write_to_nowhere();
}

FAILS_WITH(setup_crashes, .setup = crash_first)
{
    (void)t;
}

EITHER(fails_by_chance)
{
    struct timespec moment;
    wr_bool(t, "b");
    clock_gettime(CLOCK_MONOTONIC, &moment);
    wr_assert(t, moment.tv_nsec / 1000 % 2 == 0);
}

EITHER(discards_all)
{
    wr_assume(t, bad(t) && false);
}
