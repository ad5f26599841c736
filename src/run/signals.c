/* run/signals.c: records a crash as a verdict before the process dies of it.
 *
 * The handler writes the signal, the address and the frames to shared memory. Then the signal
 * takes its default action; nothing is ever resumed. The handler has a stack of its own, so that
 * a stack overflow can be told from other faults.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "run/libc.h"
#include "run/place/place.h"
#include "run/worker.h"

static const int CRASHES[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };

#define HANDLER_STACK ((size_t)256 << 10)

/* AddressSanitizer reports SIGSEGV, SIGBUS and SIGFPE itself, and better. */
extern void __asan_init(void) __attribute__((weak));

static uintptr_t stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

static uintptr_t program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

static void prepare_frames(void)
{
    void *frames[4];
    wri_libc_backtrace(frames, 4); /* loads the unwinder now, not in a handler */
    wri_place_prepare();
}

/* Our own frames, which the backtrace has first, end where the instruction or the caller is
 * found. */
void wri_signals_fill_frames(wri_verdict *verdict, void *context, void *caller)
{
    void     *frames[WRI_FRAMES * 3];
    int       count = wri_libc_backtrace(frames, (int)(sizeof frames / sizeof *frames));
    uintptr_t fault = context == NULL ? 0 : program_counter(context);
    uintptr_t wanted = context == NULL ? (uintptr_t)caller : fault;
    int       first = 1;
    for (int i = count - 1; i > 0 && wanted != 0; i--)
        if ((uintptr_t)frames[i] == wanted)
            first = i;
    verdict->frames = 0;
    if (fault != 0 && (first == 1 || (uintptr_t)frames[first] != fault))
        verdict->frame[verdict->frames++] = fault + 1; /* as a return address would be */
    for (int i = first; i < count && verdict->frames < WRI_FRAMES; i++)
        verdict->frame[verdict->frames++] =
            (uintptr_t)frames[i] + ((uintptr_t)frames[i] == fault ? 1 : 0);
}

void wri_signals_fill_recursion(wri_verdict *verdict)
{
    void     *frames[WRI_FRAMES * 8];
    int       count = wri_libc_backtrace(frames, (int)(sizeof frames / sizeof *frames));
    uintptr_t lowest = UINTPTR_MAX;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (frames[i] == frames[j] && (uintptr_t)frames[i] < lowest)
                lowest = (uintptr_t)frames[i];
    verdict->frames = lowest == UINTPTR_MAX ? 0 : 1;
    verdict->frame[0] = lowest;
}

/* The address where the frames of cases begin; the stack grows down from it. */
static uintptr_t stack_base;

/* A write beyond the base is that of an array that lies on the stack. */
static bool is_stack_overflow(int signal, const siginfo_t *info, const ucontext_t *context)
{
    uintptr_t touched = (uintptr_t)info->si_addr;
    uintptr_t pointer = stack_pointer(context);
    uintptr_t distance = touched > pointer ? touched - pointer : pointer - touched;
    bool      beyond = pointer < stack_base && touched >= stack_base;
    return (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0 && !beyond &&
           distance < ((uintptr_t)1 << 16);
}

static void describe(wri_verdict *verdict, int signal, const siginfo_t *info, ucontext_t *context)
{
    verdict->line = 0;
    verdict->file[0] = '\0';
    verdict->frames = 0;
    verdict->signal = signal;
    verdict->address = info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : UINT64_MAX;
    if (is_stack_overflow(signal, info, context)) {
        verdict->kind = WRI_STACK;
        strcpy(verdict->message, "stack overflow");
        wri_signals_fill_recursion(verdict);
        return;
    }
    verdict->kind = WRI_SIGNAL;
    verdict->message[0] = '\0';                      /* the parent has the words */
    if (wri_place_alone(program_counter(context))) { /* unwinding costs more than the crash */
        verdict->frame[0] = program_counter(context) + 1;
        verdict->frames = 1;
        return;
    }
    wri_signals_fill_frames(verdict, context, NULL);
}

/* Like raise(), also in a process that was made without the C library's knowledge: musl's raise()
 * would send the signal to the process that this one is a copy of. */
static void send_to_self(int signal)
{
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal);
}

/* In process, the last words need memory, and the crash may have left the heap locked: whatever
 * hangs then goes the crash's way after a moment. */
static volatile sig_atomic_t crash;

static void on_hang(int unused)
{
    (void)unused;
    send_to_self(crash);
    _exit(128 + crash);
}

static void limit_last_words(int signal)
{
    struct sigaction end = { .sa_handler = SIG_DFL }, hang = { .sa_handler = on_hang };
    crash = signal;
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGALRM, &hang, NULL);
    alarm(2);
}

static void on_crash(int signal, siginfo_t *info, void *context)
{
    static volatile sig_atomic_t again;
    wr_case                     *t = wri_worker_now.t;
    struct sigaction             plain = { .sa_handler = SIG_DFL };
    sigaction(signal, &plain, NULL);
    if (wri_worker_now.setup.in_process)
        limit_last_words(signal);
    if (t != NULL && !again && !wri_worker_is_other() && !wri_verdict_failed(t->verdict)) {
        again = 1; /* a fault while describing one: the signal alone must do */
        describe(t->verdict, signal, info, context);
        if (wri_worker_now.setup.in_process && wri_worker_now.on_crash != NULL)
            wri_worker_now.on_crash(t);
        wr_case_failed(t);
    }
    send_to_self(signal);
}

/* exit() inside a case: the frames say who called it. */
static void on_exit_called(int status, void *unused)
{
    (void)unused;
    wr_case *t = wri_worker_now.t;
    if (t == NULL || wri_worker_is_other() || !wri_worker_runs_code())
        return;
    if (wri_verdict_failed(t->verdict))
        return;
    t->verdict->kind = WRI_EXIT;
    t->verdict->status = status;
    t->verdict->line = 0;
    t->verdict->file[0] = '\0';
    snprintf(t->verdict->message, sizeof t->verdict->message, "the property called exit(%d)",
             status);
    wri_signals_fill_frames(t->verdict, NULL, __builtin_return_address(0));
}

/* The parent asks where the case is, and will kill the process: it stays here. */
static void on_where(int signal, siginfo_t *info, void *context)
{
    wri_worker *w = &wri_worker_now;
    (void)signal, (void)info;
    if (w->t == NULL || wri_worker_is_other() || !wri_worker_runs_code())
        return;
    wri_signals_fill_frames(w->t->verdict, context, NULL);
    atomic_store(&w->slot->located, 1);
    atomic_fetch_add(&w->setup.shared->event, 1);
    wri_futex_wake(&w->setup.shared->event);
    for (;;)
        pause();
}

void wri_signals_install(bool in_process)
{
    prepare_frames();
    stack_base = (uintptr_t)__builtin_frame_address(0);
    stack_t alternate = { .ss_size = HANDLER_STACK };
    alternate.ss_sp =
        mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (alternate.ss_sp != MAP_FAILED)
        sigaltstack(&alternate, NULL);
    struct sigaction action = { .sa_sigaction = on_crash,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof CRASHES / sizeof *CRASHES; i++) {
        bool left_to_asan = __asan_init != NULL && (CRASHES[i] == SIGSEGV ||
                                                    CRASHES[i] == SIGBUS || CRASHES[i] == SIGFPE);
        if (!left_to_asan)
            sigaction(CRASHES[i], &action, NULL);
    }
    if (!in_process) {
        action.sa_sigaction = on_where;
        sigaction(WRI_SIGNAL_WHERE, &action, NULL);
        signal(SIGPIPE, SIG_DFL);
        wri_libc_on_exit(on_exit_called);
    }
}
