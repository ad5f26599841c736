/* run/worker.c: the process that runs cases, from its first order to its last.
 *
 * It waits for an order, runs it (case_loop.c), and undoes its side effects (undo.c). A fork() in
 * the code under test gives the child a private copy of the case.
 */
#include "run/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/hash.h"
#include "explore/answer.h"
#include "faults/faults.h"
#include "run/processes.h"

wri_worker wri_worker_now;

static wri_stage stage;

uint64_t wri_worker_place_hash(const wri_verdict *verdict)
{
    const char *slash = memrchr(verdict->file, '/', strnlen(verdict->file, sizeof verdict->file));
    const char *name = slash == NULL ? verdict->file : slash + 1;
    size_t      room = sizeof verdict->file - (size_t)(name - verdict->file);
    return wri_hash_step(wri_hash_bytes(name, strnlen(name, room)), (uint64_t)verdict->line);
}

uint64_t wri_worker_assertion_origin(const wri_verdict *verdict)
{
    uint64_t kind = verdict->kind | (uint64_t)verdict->failure_class << 32;
    return wri_hash_step(kind, wri_worker_place_hash(verdict));
}

bool wri_worker_runs_code(void)
{
    uint32_t phase = atomic_load(&wri_worker_now.slot->phase);
    return phase == WRI_PHASE_CASE || phase == WRI_PHASE_SETUP || phase == WRI_PHASE_TEARDOWN;
}

/* ---- The process ---- */

/* In a child that the code under test forked: what the case writes from here on is the
 * child's own, and the first draw or the end of the body shows that it came back. */
static void in_forked_child(void)
{
    if (wri_worker_now.t == NULL) /* the zygote, making a worker */
        return;
    const wri_layout    *layout = &wri_worker_now.setup.layout;
    wr_case              copy = *wri_worker_now.t;
    size_t               bytes = (size_t)(layout->end - (char *)layout->t);
    static wri_verdict   own;
    static wri_violation own_violation;
    wri_faults_leave();
    copy.stray = true;
    copy.verdict = &own;
    copy.answerer = wri_case_loop_stray();
    copy.limit = copy.journal;
    copy.trace = NULL; /* their counts are in memory that stays shared */
    copy.text = NULL;
    copy.walk = NULL;
    copy.stage = NULL;
    copy.seen = NULL;
    copy.watch = NULL;
    copy.violation = &own_violation;
    if (mmap(layout->t, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        _exit(0);
    *wri_worker_now.t = copy;
}

static void in_forking_worker(void)
{
    if (wri_worker_now.t == NULL)
        return;
    wri_worker_now.t->forked = true;
}

/* A page that the kernel clears in every copy of the process. Without that kernel, a copy that no
 * handler was told of is not noticed. */
static wri_original *mark_original(void)
{
    static wri_original here = { .is_here = 1 };
    size_t              bytes = (size_t)sysconf(_SC_PAGESIZE);
    wri_original       *page =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || madvise(page, bytes, MADV_WIPEONFORK) != 0)
        return &here;
    page->is_here = 1;
    return page;
}

bool wri_worker_is_other(void)
{
    return wri_worker_copied() || getpid() != wri_worker_now.pid;
}

static void find_frames(wri_verdict *verdict, void *caller)
{
    wri_signals_fill_frames(verdict, NULL, caller);
}

/* Another thread has misused the case, and cannot leave it. */
static void end_process(wr_case *t)
{
    if (wri_worker_now.setup.in_process && wri_worker_now.on_crash != NULL)
        wri_worker_now.on_crash(t);
    _exit(99);
}

static const wri_host HOST = { .find_frames = find_frames,
                               .end = end_process,
                               .end_copy = wri_case_loop_end_stray };

static void prepare_case(wri_worker *w)
{
    wr_case          *t = w->t;
    const wri_layout *layout = &w->setup.layout;
    memset(t, 0, sizeof *t);
    t->journal = t->next = layout->journal;
    t->journal_end = layout->journal + WRI_JOURNAL_RECORDS;
    t->verdict = &w->slot->verdict;
    t->tempdir_base = w->setup.tempdir_base;
    t->violation = &w->slot->violation;
    t->original = &w->original->is_here;
    t->host = &HOST;
    t->stop = &w->slot->stop;
    t->stage = &stage;
    stage.played = &w->slot->played;
    stage.random = wri_answer_randomly();
    stage.mine.hashes = layout->ran;
    stage.mine.shared_count = &w->slot->ran;
}

bool wri_worker_begin(const wri_worker_setup *setup)
{
    wri_worker *w = &wri_worker_now;
    w->setup = *setup;
    w->slot = setup->layout.slot;
    w->t = setup->layout.t;
    w->ready_for = NULL;
    w->pid = getpid();
    w->original = mark_original();
    prepare_case(w);
    if (setup->in_process) {
        wri_arithmetic_set(&setup->arithmetic);
        wri_undo_remember_case();
    }
    wri_case_current = wri_case_current_here = w->t;
    return wri_arena_start(&w->t->arena, WRI_MAX_CASE_BYTES);
}

/* Has this process any child, or had one that was waited for since the last call? A child that it
 * has not waited for may have left others behind. */
static bool started_processes(wri_worker *w)
{
    struct rusage used = { 0 };
    long          before = w->faults;
    getrusage(RUSAGE_CHILDREN, &used);
    w->faults = used.ru_minflt;
    return used.ru_minflt != before || wri_processes_any();
}

static void make_ready(wri_worker *w)
{
    const wr_options *wanted = w->slot->job.options;
    w->t->size = w->slot->job.size;
    if (w->ready_for == wanted)
        return;
    if (w->ready_for != NULL && w->ready_for->worker_teardown != NULL)
        w->ready_for->worker_teardown();
    bool changed = wanted->worker_setup != NULL ||
                   (w->ready_for != NULL && w->ready_for->worker_teardown != NULL);
    w->ready_for = wanted;
    wri_arithmetic_set(&w->setup.arithmetic);
    if (wanted->worker_setup != NULL) {
        wanted->worker_setup();
        w->keeps = started_processes(w);
    }
    if (changed && w->setup.in_process) {
        wri_undo_remember_case();
    } else if (changed) { /* else it is as the zygote left it */
        sigset_t mask;
        sigprocmask(SIG_SETMASK, NULL, &mask);
        wri_undo_remember(&mask);
    }
}

void wri_worker_obey(void)
{
    wri_worker *w = &wri_worker_now;
    wri_slot   *slot = w->slot;
    atomic_store(&slot->index, slot->job.from);
    atomic_store(&slot->phase, WRI_PHASE_SETUP);
    make_ready(w);
    wri_arithmetic_plain();
    if (!wri_stage_begin(&stage, &slot->job.play))
        wri_case_no_memory();
    atomic_store(&slot->phase, WRI_PHASE_CASE);
    if (slot->task == WRI_TASK_BATCH)
        wri_case_loop_batch(w);
    else
        wri_case_loop_single(w);
    atomic_store(&slot->phase, WRI_PHASE_CHECK);
    int output = wri_output_own();
    slot->deaf = output < 0 && !w->setup.in_process;
    wri_output_flush(output);
    slot->left |= !w->setup.in_process && !w->keeps && started_processes(w);
    if (!w->setup.in_process) {
        wri_undo();
        wri_output_undo_flags(output);
    }
    if (slot->task == WRI_TASK_BATCH && !w->setup.in_process)
        wri_output_clear(output);
    atomic_store(&slot->phase, WRI_PHASE_IDLE);
}

void wri_worker_finish(void)
{
    wri_worker *w = &wri_worker_now;
    if (w->ready_for != NULL && w->ready_for->worker_teardown != NULL) {
        w->t->verdict = &w->slot->last;
        w->slot->last = (wri_verdict){ .kind = WRI_NONE };
        atomic_store(&w->slot->phase, WRI_PHASE_TEARDOWN);
        w->ready_for->worker_teardown();
        atomic_store(&w->slot->phase, WRI_PHASE_IDLE);
    }
    w->ready_for = NULL;
    wri_arena_free(&w->t->arena);
    wri_case_loop_free();
    wri_stage_free(&stage);
    wri_case_current = wri_case_current_here = NULL;
    w->t = NULL; /* handlers have nothing to write to any more */
}

/* No core files, also where a program takes them: a limit of 1 tells the kernel so. */
static void no_core_files(void)
{
    struct rlimit limit = { 0, 0 };
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max >= 1 ? 1 : 0;
    setrlimit(RLIMIT_CORE, &limit);
}

/* An endless recursion must end: unlimited stacks are given a limit. */
static void limit_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > ((rlim_t)64 << 20)) {
        limit.rlim_cur = (rlim_t)64 << 20;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("" ::: "memory");
#endif
}

/* The parent often answers at once. A worker that was kept waiting looks out for a shorter time.
 */
#define LONGEST_LOOK 2000
#define SHORTEST_LOOK 250

static uint32_t next_order(wri_slot *slot, uint32_t seen)
{
    static int look = SHORTEST_LOOK;
    for (int i = 0; i < look; i++) {
        if (atomic_load_explicit(&slot->order_number, memory_order_acquire) != seen) {
            look = look * 2 < LONGEST_LOOK ? look * 2 : LONGEST_LOOK;
            return atomic_load(&slot->order_number);
        }
        relax();
    }
    look = look / 2 > SHORTEST_LOOK ? look / 2 : SHORTEST_LOOK;
    while (atomic_load(&slot->order_number) == seen)
        wri_futex_wait(&slot->order_number, seen, 60000);
    return atomic_load(&slot->order_number);
}

const char *wri_worker_prepare(const sigset_t *mask)
{
    no_core_files();
    limit_stack();
    wri_signals_install(false);
    wri_sanitizer_install();
    errno = ENOMEM;
    if (pthread_atfork(NULL, in_forking_worker, in_forked_child) != 0)
        return "cannot watch for forks";
    if (!wri_output_prepare())
        return "cannot open /dev/null";
    wri_undo_remember(mask);
    return NULL;
}

/* The parent tells it, if no order was begun. */
_Noreturn static void cannot_start(wri_slot *slot, const char *what)
{
    snprintf(slot->verdict.message, sizeof slot->verdict.message, "%s: %s", what,
             strerror(errno));
    _exit(99);
}

_Noreturn void wri_worker_main(const wri_worker_setup *setup, pid_t nurse)
{
    wri_slot *slot = setup->layout.slot;
    bool      judging = setup->layout.judge;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != nurse) /* she died before that was in force */
        _exit(0);
    setpgid(0, 0);
    if (mprotect(setup->read_only, setup->read_only_bytes, PROT_READ) != 0)
        cannot_start(slot, "cannot protect memory");
    if (!wri_output_redirect(setup->layout.output, judging))
        cannot_start(slot, "cannot redirect its output");
    if (!wri_worker_begin(setup))
        cannot_start(slot, "cannot map memory");
    wri_output_undo_flags(setup->layout.output); /* the last worker here may have died */
    atomic_store(&slot->began, 1);
    for (uint32_t seen = atomic_load(&slot->done_number);;) {
        seen = next_order(slot, seen);
        if (slot->task == WRI_TASK_END)
            break;
        atomic_store(&slot->taken_number, seen);
        wri_output_clear(wri_output_own());
        wri_worker_obey();
        atomic_store(&slot->done_number, seen);
        atomic_fetch_add(&setup->shared->event, 1);
        wri_futex_wake(&setup->shared->event);
    }
    wri_worker_finish();
    _exit(0);
}
