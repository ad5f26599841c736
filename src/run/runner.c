/* run/runner.c: gives orders to workers, enforces limits, and collects results.
 *
 * Every number in shared memory is checked before it is used, because code under test can write
 * there.
 */
#include "run/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/hash.h"
#include "observe/coverage.h"
#include "run/death.h"
#include "run/layout.h"
#include "run/place/addr2line.h"
#include "run/processes.h"
#include "run/worker.h"
#include "run/zygote.h"

#define TICK_MS 10
/* A worker that has grown by this much is replaced between two orders. */
#define GROWN_BYTES ((uint64_t)64 << 20)

/* The parent's knowledge of a slot, in memory of its own. */
typedef struct post {
    bool        busy, alive, ended;
    uint32_t    number; /* of the order that runs, */
    wri_task    task;   /* and the order itself */
    wri_job     job;
    unsigned    tries;   /* workers that died before they took it */
    const void *owner;   /* the property that the worker has served */
    wri_course  course;  /* what it was last seen doing */
    uint64_t    kill_ms; /* it was asked where it is, and is killed then at the latest; 0: not */
    uint64_t    first_resident; /* of the worker when it was new */
    uint64_t    others;         /* processes and threads of the machine that are not its own */
    uint64_t    most;           /* the limit that it passed: bytes, or processes */
    uint32_t    killed_for;     /* WRI_DEADLINE, WRI_MEMORY, WRI_PROCESSES, or 0 */
    uint64_t    whole_ms;       /* DEADLINE: which it was */
    bool        abandoned;      /* killed because the run is interrupted: no verdict */
    bool        killed;         /* killed because it is not needed any more */
    uint64_t    awaited_ms;     /* since when its nurse must do something; 0: she need not */
    bool        freed;          /* all processes below her were killed meanwhile */
    bool        died;
    int         status;
} post;

struct wri_runner {
    wri_runner_setup  setup;
    wri_shared       *shared;
    wri_mapping       mapping;
    unsigned          slots;
    wri_worker_setup *workers;
    post             *posts;
    char            **tempdirs; /* a path for each slot */
    pid_t             zygote;
    unsigned          lost; /* zygotes, since a worker began */
    bool              leak_check_dies;
    char              stuck[256]; /* why no worker can be started; "": they can */
    unsigned          times_stuck;
    uint64_t          interrupted_ms; /* when the judge first saw it */
    uint64_t          longest_ms;     /* of the cases seen so far, the longest took so long */
    void (*waits)(void *context);     /* called while the judge runs a case; NULL: not called */
    void          *waits_for;
    uint64_t       whole_ms;     /* the deadline of the property, also for worker_teardown */
    bool           died_idle;    /* a worker died while it ran nothing: */
    wri_verdict    idle_verdict; /* of this, */
    bool           in_teardown;  /* or while it ran worker_teardown, */
    const void    *idle_owner;   /* after it had served this property */
    wri_trace      trace;        /* of the judge's last case */
    char          *text, *output;
    bool           in_process_ready;
    wri_arithmetic arithmetic; /* the program's; while the runner lives, this process has plain */
};

/* ---- Starting ---- */

/* A file in memory. */
static int make_output(void)
{
    int file = memfd_create("warren-output", MFD_CLOEXEC);
    int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, WRI_OUTPUT_FIRST);
    if (high >= 0) {
        close(file);
        file = high;
    }
    if (file >= 0)
        fcntl(file, F_SETFL, O_APPEND);
    return file;
}

/* The files in memory. */
static bool make_outputs(wri_runner *runner, char *error, size_t error_size)
{
    for (unsigned i = 0; i < runner->slots; i++) {
        runner->workers[i].layout.output = runner->setup.no_fork ? -1 : make_output();
        if (runner->setup.no_fork || runner->workers[i].layout.output >= 0)
            continue;
        snprintf(error, error_size,
                 "cannot open a file in memory for each of the %u workers of --jobs %u: %s",
                 runner->slots, runner->setup.jobs, strerror(errno));
        return false;
    }
    return true;
}

/* Names the folder of each slot. No other run has these names, also none that has the same
 * process number in another container. */
static bool name_folders(wri_runner *runner)
{
    char    *folder = wri_folder_temporary();
    bool     named = folder != NULL;
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0)
        number = wri_prng_mix((uint64_t)time(NULL) ^ (uint64_t)getpid() << 32);
    for (unsigned i = 0; i < runner->slots && named; i++) {
        named = asprintf(&runner->tempdirs[i], "%s/warren-%016llx-%u", folder,
                         (unsigned long long)number, i) >= 0;
        runner->tempdirs[i] = named ? runner->tempdirs[i] : NULL;
        runner->workers[i].tempdir_base = runner->tempdirs[i];
    }
    free(folder);
    return named;
}

static bool lay_out_slots(wri_runner *runner, char *error, size_t error_size)
{
    if (!wri_layout_map(&runner->mapping, runner->workers, runner->slots, runner->setup.explorers,
                        runner->setup.machines, runner->setup.sketched, runner->setup.told)) {
        snprintf(error, error_size, "cannot map %zu bytes of shared memory: %s",
                 runner->mapping.bytes, strerror(errno));
        return false;
    }
    runner->shared = runner->mapping.shared;
    wri_coverage_attach(runner->mapping.coverage);
    for (unsigned i = 0; i < runner->slots; i++) {
        wri_worker_setup *worker = &runner->workers[i];
        worker->in_process = runner->setup.no_fork;
        worker->arithmetic = runner->arithmetic;
    }
    return name_folders(runner) && make_outputs(runner, error, error_size);
}

/* A zygote that dies is tried so often. One that does not answer never will: a handler of
 * pthread_atfork() holds it up. */
#define TRIES 3

/* False: it cannot be started, and `error` has a line that says why. */
static bool start_zygote(wri_runner *runner, char *error, size_t error_size)
{
    const wri_start *start = runner->workers[0].start;
    bool             silent = false;
    for (int i = 0; i < TRIES && !silent; i++) {
        runner->zygote = wri_zygote_start(runner->workers, runner->slots, wri_interrupt_restore);
        if (runner->zygote > 0 && wri_zygote_ready(start, runner->zygote))
            return true;
        silent = runner->zygote > 0 && wri_zygote_lives(runner->zygote);
        snprintf(error, error_size, "cannot start the process that makes workers: %.*s",
                 (int)sizeof start->why,
                 runner->zygote < 0      ? strerror(errno)
                 : start->why[0] != '\0' ? start->why
                 : wri_interrupt_came()  ? "the run was stopped"
                                         : "it does not answer");
        if (silent) {
            kill(runner->zygote, SIGKILL); /* there are no nurses yet */
            wri_zygote_end(runner->zygote);
        }
        runner->zygote = 0;
    }
    return false;
}

wri_runner *wri_runner_start(const wri_runner_setup *setup, char *error, size_t error_size)
{
    wri_runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL)
        return NULL;
    runner->setup = *setup;
    wri_arithmetic_get(&runner->arithmetic);
    wri_arithmetic_plain();
    wri_addr2line_hurry(wri_interrupt_hurries);
    runner->slots = setup->no_fork ? 1 : setup->jobs + 1;
    runner->workers = calloc(runner->slots, sizeof *runner->workers);
    runner->posts = calloc(runner->slots, sizeof *runner->posts);
    runner->tempdirs = calloc(runner->slots, sizeof *runner->tempdirs);
    runner->text = malloc(WRI_TEXT_BYTES);
    runner->output = calloc(1, WRI_OUTPUT_KEPT + 1);
    if (runner->workers == NULL || runner->posts == NULL || runner->tempdirs == NULL ||
        runner->text == NULL || runner->output == NULL ||
        !wri_trace_reserve(&runner->trace, 1, 0) || !lay_out_slots(runner, error, error_size)) {
        wri_runner_free(runner);
        return NULL;
    }
    if (setup->no_fork || start_zygote(runner, error, error_size))
        return runner;
    wri_runner_free(runner);
    return NULL;
}

static void give_order(wri_slot *slot, wri_task task)
{
    slot->task = task;
    atomic_fetch_add(&slot->order_number, 1);
    wri_futex_wake(&slot->order_number);
}

static void wait_for_deaths(wri_runner *runner, uint64_t milliseconds)
{
    uint64_t until = wri_limits_clock_ms() + milliseconds;
    for (;;) {
        bool     any = false;
        uint32_t event = atomic_load(&runner->shared->event);
        for (unsigned i = 0; i < runner->slots; i++)
            any |=
                runner->posts[i].alive && !atomic_load(&runner->workers[i].layout.cradle->dead);
        if (!any || wri_limits_clock_ms() >= until)
            return;
        wri_futex_wait(&runner->shared->event, event, TICK_MS);
    }
}

/* Workers that wait are asked to end, so that their teardown runs; the others are killed. */
static void end_workers(wri_runner *runner)
{
    for (unsigned i = 0; i < runner->slots; i++) {
        wri_slot *slot = runner->workers[i].layout.slot;
        pid_t     pid = atomic_load(&runner->workers[i].layout.cradle->pid);
        if (!runner->posts[i].alive)
            continue;
        if (runner->posts[i].busy && pid > 0)
            kill(pid, SIGKILL);
        else
            give_order(slot, WRI_TASK_END);
    }
    wait_for_deaths(runner, wri_interrupt_came() ? 300 : 2000);
    wri_zygote_end(runner->zygote); /* and whoever is left with it */
}

void wri_runner_free(wri_runner *runner)
{
    if (runner == NULL)
        return;
    if (runner->zygote > 0)
        end_workers(runner);
    if (runner->in_process_ready)
        wri_worker_finish();
    for (unsigned i = 0; i < runner->slots && runner->workers != NULL; i++) {
        if (runner->workers[i].layout.output > 0)
            close(runner->workers[i].layout.output);
        if (runner->tempdirs != NULL && runner->tempdirs[i] != NULL) {
            wri_folder_remove(runner->tempdirs[i]);
            free(runner->tempdirs[i]);
        }
    }
    wri_coverage_attach(NULL);
    if (runner->shared != NULL)
        munmap(runner->shared, runner->mapping.bytes);
    wri_trace_free(&runner->trace);
    free(runner->workers);
    free(runner->posts);
    free(runner->tempdirs);
    free(runner->text);
    free(runner->output);
    wri_arithmetic_set(&runner->arithmetic);
    free(runner);
    wri_place_forget();
}

/* ---- Orders ---- */

static uint64_t resident_bytes(pid_t pid)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    unsigned long total = 0, resident = 0;
    if (sscanf(text, "%lu %lu", &total, &resident) != 2)
        return 0;
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool zygote_lives(wri_runner *runner)
{
    return runner->setup.no_fork || wri_zygote_lives(runner->zygote);
}

/* Code under test killed the zygote, and all workers have died with it: whoever was at work is
 * told so in its place, and there is a new one. */
static void lose_zygote(wri_runner *runner)
{
    bool hopeless = ++runner->lost > TRIES; /* it dies before any worker begins */
    for (unsigned i = 0; i < runner->slots; i++) {
        wri_cradle *cradle = runner->workers[i].layout.cradle;
        pid_t       pid = atomic_load(&cradle->pid);
        if (pid > 0) {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
        }
        /* One that had not begun has done nothing: its order waits for another worker. */
        bool again = !hopeless && runner->posts[i].busy &&
                     !atomic_load(&runner->workers[i].layout.slot->began);
        atomic_store(&cradle->pid, 0);
        atomic_store(&cradle->nurse, 0);
        atomic_store(&cradle->wanted, again);
        atomic_store(&cradle->status, SIGKILL);
        atomic_store(&cradle->dead, runner->posts[i].alive && !again);
        if (!runner->posts[i].busy)
            runner->posts[i].alive = false;
    }
    char error[256];
    if (start_zygote(runner, error, sizeof error))
        return;
    for (unsigned i = 0; i < runner->slots; i++) { /* as for workers that do not start */
        wri_verdict *verdict = &runner->workers[i].layout.slot->verdict;
        snprintf(verdict->message, sizeof verdict->message, "%s", error);
        atomic_store(&runner->workers[i].layout.cradle->dead, runner->posts[i].alive);
    }
}

/* A nurse that does not start a worker, or does not tell of a death, is replaced after so long.
 */
#define SILENCE_MS 5000
/* The death of a worker that a process of its own traces shows when that process is dead, too. */
#define TRACED_MS 300

/* A nurse answers in moments, unless somebody traces her, which does not show. If a new nurse
 * does not help, there is a new zygote. */
static void look_after_nurse(wri_runner *runner, unsigned slot)
{
    post       *at = &runner->posts[slot];
    wri_cradle *cradle = runner->workers[slot].layout.cradle;
    uint64_t    now = wri_limits_clock_ms();
    pid_t       nurse = atomic_load(&cradle->nurse);
    if (!at->alive || atomic_load(&cradle->dead) ||
        !(atomic_load(&cradle->wanted) || at->killed || at->killed_for != 0 || at->abandoned)) {
        at->awaited_ms = 0;
        return;
    }
    if (at->awaited_ms == 0) {
        at->awaited_ms = now;
        at->freed = false;
    }
    if (now - at->awaited_ms > 2 * SILENCE_MS && runner->zygote > 0) {
        kill(runner->zygote, SIGKILL);
        at->awaited_ms = now;
    } else if (now - at->awaited_ms > SILENCE_MS && nurse > 0) {
        kill(nurse, SIGKILL);
    } else if (now - at->awaited_ms > TRACED_MS && !at->freed && !atomic_load(&cradle->wanted)) {
        wri_processes_kill_below(nurse);
        at->freed = true;
    }
}

static void look_after_processes(wri_runner *runner)
{
    for (unsigned i = 0; i < runner->slots; i++)
        look_after_nurse(runner, i);
    if (!zygote_lives(runner))
        lose_zygote(runner);
}

static void note_death(wri_runner *runner, unsigned slot, const wri_verdict *verdict);

/* Told to end, a worker does so in moments. A worker_teardown has a deadline; one that failed has
 * been told of, and the next need not. */
static bool ends_slowly(wri_runner *runner, unsigned slot, pid_t pid, uint64_t until)
{
    uint64_t   ms = runner->in_teardown ? 100 : runner->whole_ms;
    wri_limits limits = { .whole_ms = ms };
    uint32_t   phase = atomic_load(&runner->workers[slot].layout.slot->phase);
    if (wri_interrupt_came() || phase != WRI_PHASE_TEARDOWN || ms == 0)
        return wri_limits_clock_ms() > until;
    runner->posts[slot].whole_ms = ms;
    return wri_limits_passed(&runner->posts[slot].course, pid, 0, phase, &limits,
                             &runner->longest_ms);
}

/* Of an interrupted run it is removed after the report: that may take longer than there is time.
 */
static void remove_folder(wri_runner *runner, unsigned slot)
{
    if (!wri_interrupt_came())
        wri_folder_remove(runner->tempdirs[slot]);
}

void wri_runner_drop(wri_runner *runner, unsigned slot)
{
    post       *at = &runner->posts[slot];
    wri_cradle *cradle = runner->workers[slot].layout.cradle;
    if (!at->alive)
        return;
    uint64_t until = wri_limits_clock_ms() + 1000;
    if (!at->busy)
        give_order(runner->workers[slot].layout.slot, WRI_TASK_END);
    while (!atomic_load(&cradle->dead)) {
        uint32_t event = atomic_load(&runner->shared->event);
        pid_t    pid = atomic_load(&cradle->pid);
        if (!at->killed && pid > 0 && (at->busy || ends_slowly(runner, slot, pid, until))) {
            kill(pid, SIGKILL);
            at->killed = true;
        }
        if (!atomic_load(&cradle->dead))
            wri_futex_wait(&runner->shared->event, event, TICK_MS);
        look_after_processes(runner);
    }
    atomic_store(&cradle->dead, 0);
    const wri_slot *there = runner->workers[slot].layout.slot;
    if (!at->busy && !wri_interrupt_came() && atomic_load(&there->phase) == WRI_PHASE_TEARDOWN) {
        at->killed_for = at->killed ? WRI_DEADLINE : 0;
        note_death(runner, slot, &there->last);
    }
    at->killed_for = 0;
    at->alive = at->busy = at->killed = false;
    remove_folder(runner, slot);
}

void wri_runner_end_workers(wri_runner *runner)
{
    for (unsigned i = 0; i < runner->slots; i++) /* side by side */
        if (runner->posts[i].alive && !runner->posts[i].busy)
            give_order(runner->workers[i].layout.slot, WRI_TASK_END);
    for (unsigned i = 0; i < runner->slots; i++)
        wri_runner_drop(runner, i);
}

/* The worker died while it ran nothing: of a thread, a timer or a process that an earlier case
 * left. The first such death is kept. */
static void note_idle_death(wri_runner *runner, unsigned slot)
{
    post       *at = &runner->posts[slot];
    wri_layout *layout = &runner->workers[slot].layout;
    at->alive = at->busy = false;
    atomic_store(&layout->cradle->dead, 0);
    remove_folder(runner, slot);
    note_death(runner, slot, &layout->slot->verdict);
}

bool wri_runner_died_idle(wri_runner *runner, wri_outcome *outcome)
{
    for (unsigned i = 0; i < runner->slots && !runner->setup.no_fork; i++)
        if (runner->posts[i].alive && !runner->posts[i].busy &&
            atomic_load(&runner->workers[i].layout.cradle->dead))
            note_idle_death(runner, i);
    if (!runner->died_idle)
        return false;
    runner->died_idle = false;
    *outcome = (wri_outcome){ .verdict = runner->idle_verdict,
                              .in_teardown = runner->in_teardown,
                              .owner = runner->idle_owner,
                              .died = true };
    runner->in_teardown = false;
    wri_place_find(&outcome->verdict, &outcome->place);
    outcome->origin = wri_death_origin(&outcome->verdict, &outcome->place);
    return true;
}

static void need_worker(wri_runner *runner, unsigned slot, bool fresh)
{
    post       *at = &runner->posts[slot];
    wri_slot   *there = runner->workers[slot].layout.slot;
    wri_cradle *cradle = runner->workers[slot].layout.cradle;
    if (runner->setup.no_fork) {
        if (!runner->in_process_ready) {
            runner->in_process_ready = wri_worker_begin(&runner->workers[slot]);
            wri_worker_now.on_crash = runner->setup.on_crash;
            if (!runner->setup.guest) {
                wri_signals_install(true);
                wri_sanitizer_install();
            }
        }
        return;
    }
    if (at->alive && !at->busy && atomic_load(&cradle->dead))
        note_idle_death(runner, slot);
    if (fresh)
        wri_runner_drop(runner, slot);
    if (at->alive)
        return;
    atomic_store(&there->done_number, atomic_load(&there->order_number));
    atomic_store(&cradle->dead, 0);
    atomic_store(&there->began, 0);
    atomic_store(&cradle->wanted, 1);
    at->alive = true;
    at->killed = at->abandoned = false; /* the worker before this one was */
    at->killed_for = 0;
    at->first_resident = 0;
    /* The zygote is woken by send(), when the order is there too. */
}

static void clear_slot(wri_slot *there, const wri_job *job)
{
    there->job = *job;
    atomic_store(&there->discarded, 0);
    atomic_store(&there->overrun, 0);
    atomic_store(&there->known, 0);
    atomic_store(&there->redrawn, 0);
    atomic_store(&there->passes, 0);
    atomic_store(&there->warm, 0);
    atomic_store(&there->stop, 0);
    atomic_store(&there->stray, 0);
    atomic_store(&there->located, 0);
    atomic_store(&there->index, job->from);
    memset(there->known_hits, 0, sizeof there->known_hits);
    there->verdict.kind = WRI_NONE;
    there->verdict.message[0] = '\0';
    atomic_store(&there->violation.state, WRI_VIOLATION_NONE);
    there->nodes = there->numbers = there->text = there->text_lost = there->largest = 0;
    there->end = WRI_BATCH_DONE;
    there->played = (wri_played){ 0 };
    there->ran = 0;
    there->spoiled = there->left = there->deaf = there->leaked = false;
    there->leaker = 0;
}

/* The job may be the post's own. */
static void send(wri_runner *runner, unsigned slot, wri_task task, const wri_job *job)
{
    post     *at = &runner->posts[slot];
    wri_slot *there = runner->workers[slot].layout.slot;
    bool      start = atomic_load(&runner->workers[slot].layout.cradle->wanted) != 0;
    clear_slot(there, job);
    *at = (post){ .busy = true,
                  .alive = at->alive,
                  .first_resident = at->first_resident,
                  .others = at->others,
                  .task = task,
                  .job = *job,
                  .owner = job->owner,
                  .course = { .since_ms = wri_limits_clock_ms() } };
    give_order(there, task);
    at->number = atomic_load(&there->order_number);
    if (runner->setup.no_fork) {
        wri_worker_obey();
        atomic_store(&there->done_number, at->number);
    } else if (start) {
        wri_zygote_wake(runner->zygote, runner->workers[slot].layout.cradle);
    }
}

uint64_t wri_runner_resident(wri_runner *runner)
{
    wri_layout *layout = &runner->workers[0].layout;
    uint64_t    until = wri_limits_clock_ms() + 5000;
    if (runner->setup.no_fork)
        return 0;
    need_worker(runner, 0, true);
    wri_zygote_wake(runner->zygote, layout->cradle);
    while (!atomic_load(&layout->slot->began) && !atomic_load(&layout->cradle->dead) &&
           !wri_interrupt_came() && wri_limits_clock_ms() < until) {
        uint32_t event = atomic_load(&runner->shared->event);
        wri_futex_wait(&runner->shared->event, event, 1);
        look_after_processes(runner);
    }
    pid_t pid = atomic_load(&layout->cradle->pid);
    return pid > 0 && atomic_load(&layout->slot->began) ? resident_bytes(pid) : 0;
}

/* ---- Limits ---- */

/* The output of a batch is dropped at its end; a batch that prints without measure cannot wait
 * for that. */
#define MOST_OUTPUT ((off_t)64 << 20)

/* The kernel counts all processes and threads of the machine, at next to no cost. To look at
 * those of a worker, one by one, takes a rise of that number. */
static bool has_too_many(wri_runner *runner, unsigned slot, uint64_t most)
{
    post          *at = &runner->posts[slot];
    pid_t          nurse = atomic_load(&runner->workers[slot].layout.cradle->nurse);
    struct sysinfo machine;
    if (most == 0 || nurse <= 0 || sysinfo(&machine) != 0)
        return false;
    if (machine.procs < at->others)
        at->others = machine.procs;
    if (machine.procs - at->others <= most / 2)
        return false;
    unsigned found = wri_processes_below(nurse, (unsigned)most + 2);
    at->others = machine.procs < found ? 0 : machine.procs - found;
    at->most = most;
    return found > most + 1; /* one is the worker */
}

/* A case that takes too long is asked where it is, and killed when it has said so, or after this
 * time. */
#define WHERE_MS 300

static void ask_where(wri_runner *runner, unsigned slot, pid_t pid)
{
    bool asked = syscall(SYS_tgkill, pid, pid, WRI_SIGNAL_WHERE) == 0;
    kill(pid, SIGCONT); /* it may have stopped */
    runner->posts[slot].kill_ms = wri_limits_clock_ms() + (asked ? WHERE_MS : 0);
}

static void kill_worker(wri_runner *runner, unsigned slot, pid_t pid)
{
    post *at = &runner->posts[slot];
    kill(-pid, SIGKILL); /* at once, whatever they are forking */
    if (at->killed_for == WRI_PROCESSES)
        wri_processes_kill_below(atomic_load(&runner->workers[slot].layout.cradle->nurse));
    kill(pid, SIGKILL);
    at->kill_ms = 0;
}

static uint32_t passed_limit(wri_runner *runner, unsigned slot, pid_t pid,
                             const wri_limits *limits)
{
    post     *at = &runner->posts[slot];
    wri_slot *there = runner->workers[slot].layout.slot;
    uint64_t index = atomic_load(&there->index) + atomic_load(&there->redrawn); /* each its own */
    if (wri_limits_passed(&at->course, pid, index, atomic_load(&there->phase), limits,
                          &runner->longest_ms))
        return WRI_DEADLINE;
    if (limits->memory != 0 && resident_bytes(pid) > limits->memory) {
        at->most = limits->memory;
        return WRI_MEMORY;
    }
    return has_too_many(runner, slot, limits->processes) ? WRI_PROCESSES : 0;
}

static void look_after(wri_runner *runner, unsigned slot, const wri_limits *limits)
{
    post     *at = &runner->posts[slot];
    wri_slot *there = runner->workers[slot].layout.slot;
    pid_t     pid = atomic_load(&runner->workers[slot].layout.cradle->pid);
    uint64_t  now = wri_limits_clock_ms();
    if (pid > 0 && at->kill_ms != 0 && (atomic_load(&there->located) || now >= at->kill_ms))
        kill_worker(runner, slot, pid);
    if (pid <= 0 || at->killed_for != 0 || at->abandoned || now - at->course.looked_ms < TICK_MS)
        return;
    wri_output_trim(runner->workers[slot].layout.output, MOST_OUTPUT);
    at->killed_for = passed_limit(runner, slot, pid, limits);
    at->whole_ms = limits->whole_ms;
    if (at->killed_for == WRI_DEADLINE && !at->job.silent)
        ask_where(runner, slot, pid);
    else if (at->killed_for != 0)
        kill_worker(runner, slot, pid);
}

/* A worker that died before it took its order did not die of it: another one gets the order. */
static bool try_again(wri_runner *runner, unsigned slot)
{
    post     *at = &runner->posts[slot];
    wri_slot *there = runner->workers[slot].layout.slot;
    unsigned  tries = at->tries + 1;
    if (!atomic_load(&there->began) || atomic_load(&there->taken_number) == at->number ||
        tries >= TRIES)
        return false;
    wri_job job = at->job;
    note_idle_death(runner, slot);
    need_worker(runner, slot, false);
    send(runner, slot, at->task, &job);
    at->tries = tries;
    return true;
}

/* Has the order ended, one way or the other? */
static bool has_ended(wri_runner *runner, unsigned slot)
{
    post       *at = &runner->posts[slot];
    wri_slot   *there = runner->workers[slot].layout.slot;
    wri_cradle *cradle = runner->workers[slot].layout.cradle;
    if (!at->busy)
        return false;
    if (atomic_load(&there->began))
        runner->lost = 0;
    if (atomic_load(&there->done_number) == at->number) {
        if (at->killed_for != 0 || at->abandoned) /* too late: it is done, and yet will die */
            wri_runner_drop(runner, slot);
        at->killed_for = 0;
        at->abandoned = at->busy = false;
        if (there->left && !wri_processes_alone(atomic_load(&cradle->nurse)))
            wri_runner_drop(runner, slot);
        return true;
    }
    if (!atomic_load(&cradle->dead) || try_again(runner, slot))
        return false;
    at->status = atomic_load(&cradle->status);
    at->died = true;
    at->busy = at->alive = false;
    atomic_store(&cradle->dead, 0);
    remove_folder(runner, slot);
    return true;
}

int wri_runner_wait(wri_runner *runner, const wri_limits *limits, uint64_t milliseconds)
{
    uint64_t until = wri_limits_clock_ms() + milliseconds;
    runner->whole_ms = limits->whole_ms;
    bool news = !wri_interrupt_came(); /* an interrupt would be */
    for (;;) {
        uint32_t event = atomic_load(&runner->shared->event);
        for (unsigned i = runner->setup.no_fork ? 0 : 1; i < runner->slots; i++) {
            if (has_ended(runner, i))
                return (int)i;
            if (runner->posts[i].busy)
                look_after(runner, i, limits);
        }
        if (wri_limits_clock_ms() >= until || (wri_interrupt_came() && news))
            return -1;
        wri_futex_wait(&runner->shared->event, event, TICK_MS);
        look_after_processes(runner);
    }
}

/* ---- Outcomes ---- */

/* Says which limit it was. */
static void tell_limit(const post *at, wri_verdict *verdict)
{
    static const char *const WHO[] = { [WRI_PHASE_SETUP] = "worker_setup ",
                                       [WRI_PHASE_CHECK] = "looking after the case ",
                                       [WRI_PHASE_LEAKS] = "the leak checker ",
                                       [WRI_PHASE_TEARDOWN] = "worker_teardown " };
    const char *who = at->course.phase < sizeof WHO / sizeof *WHO ? WHO[at->course.phase] : NULL;
    bool        seconds = at->whole_ms % 1000 == 0;
    if (at->killed_for == WRI_DEADLINE)
        snprintf(verdict->message, sizeof verdict->message,
                 "%stook longer than the deadline: %llu %s %s", who == NULL ? "" : who,
                 (unsigned long long)(seconds ? at->whole_ms / 1000 : at->whole_ms),
                 seconds ? "s" : "ms",
                 at->course.asleep ? "on the clock, most of it asleep" : "of CPU time");
    if (at->killed_for == WRI_PROCESSES)
        snprintf(verdict->message, sizeof verdict->message,
                 "the case had more than %llu processes (--processes)",
                 (unsigned long long)at->most);
    if (at->killed_for == WRI_MEMORY)
        snprintf(verdict->message, sizeof verdict->message,
                 "the process used more than %.4g MB of memory (--memory)",
                 (double)at->most / 1048576);
    if (at->killed_for == WRI_MEMORY && at->course.phase == WRI_PHASE_SETUP) {
        verdict->kind = WRI_MISUSE; /* no case of this property can be run */
        strcpy(verdict->message, "worker_setup uses more memory than the limit (--memory)");
    }
}

/* A death that no case is blamed for. The first one is kept; one in worker_teardown says so. */
static void note_death(wri_runner *runner, unsigned slot, const wri_verdict *verdict)
{
    post       *at = &runner->posts[slot];
    wri_layout *layout = &runner->workers[slot].layout;
    char        printed[512] = "", why[sizeof verdict->message];
    if (runner->died_idle)
        return;
    wri_verdict *kept = &runner->idle_verdict;
    runner->died_idle = true;
    runner->in_teardown = verdict == &layout->slot->last;
    runner->idle_owner = at->owner;
    *kept = *verdict;
    printed[wri_output_read(layout->output, printed, sizeof printed - 1)] = '\0';
    wri_death_describe(kept, atomic_load(&layout->cradle->status), at->killed_for, printed,
                       layout->output);
    tell_limit(at, kept);
    if (runner->in_teardown && at->killed_for == 0) {
        snprintf(why, sizeof why, "%s", kept->message);
        snprintf(kept->message, sizeof kept->message, "worker_teardown: %.*s",
                 (int)sizeof kept->message - 20, why);
    }
}

static void find_place(wri_outcome *outcome)
{
    wri_verdict *verdict = &outcome->verdict;
    bool         failed = wri_verdict_failed(verdict) || verdict->kind == WRI_MISUSE;
    if ((failed || outcome->abandoned) && verdict->line == 0)
        wri_place_find(verdict, &outcome->place);
    if (failed)
        outcome->origin = wri_death_origin(verdict, &outcome->place);
    size_t used = strlen(verdict->message);
    if (verdict->kind == WRI_DEADLINE && outcome->place.function[0] != '\0')
        snprintf(verdict->message + used, sizeof verdict->message - used, ", in %s",
                 outcome->place.function);
}

static void take_outcome(wri_runner *runner, unsigned slot, wri_outcome *outcome)
{
    post       *at = &runner->posts[slot];
    wri_layout *layout = &runner->workers[slot].layout;
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = layout->slot->verdict;
    outcome->verdict.file[sizeof outcome->verdict.file - 1] = '\0';
    outcome->verdict.message[sizeof outcome->verdict.message - 1] = '\0';
    outcome->died = at->died;
    outcome->exact_done = layout->slot->exact_done || at->died;
    size_t used =
        layout->output < 0 ? 0 : wri_output_read(layout->output, runner->output, WRI_OUTPUT_KEPT);
    runner->output[used] = '\0';
    outcome->output = runner->output;
    outcome->abandoned = at->abandoned;
    if (at->abandoned) {
        outcome->verdict.kind = WRI_NONE;
    } else if (at->died && at->killed_for == 0 && !atomic_load(&layout->slot->began)) {
        char why[200];
        snprintf(why, sizeof why, "%.199s", outcome->verdict.message);
        outcome->verdict =
            (wri_verdict){ .kind = WRI_MISUSE }; /* not the property's fault: nothing can go on */
        snprintf(runner->stuck, sizeof runner->stuck, "a worker process could not be started%s%s",
                 why[0] == '\0' ? "" : ": ", why);
        runner->times_stuck++;
        strcpy(outcome->verdict.message, runner->stuck);
    } else if (at->died && wri_violation_take(&layout->slot->violation, &outcome->verdict)) {
        at->killed_for = 0; /* whatever the process died of came after it */
    } else if (at->died || outcome->verdict.kind >= WRI_VERDICT_COUNT) {
        wri_death_describe(&outcome->verdict, at->status, at->killed_for, runner->output,
                           layout->output);
        tell_limit(at, &outcome->verdict);
    }
    if ((at->killed_for != 0 || at->abandoned) && !atomic_load(&layout->slot->located))
        outcome->verdict.frames = 0;
    find_place(outcome);
}

/* A slot's counts of calls, if so many cases can have made them; else zeros. */
static wri_played take_played(wri_runner *runner, unsigned slot, uint64_t cases)
{
    wri_played played = runner->workers[slot].layout.slot->played;
    if (played.calls / WRI_MAX_CHOICES > cases || played.sequences > cases ||
        played.cut > played.sequences || played.full > played.sequences)
        played.calls = played.sequences = played.cut = played.full = 0;
    return played;
}

/* The trace of a case that asked for nothing. */
static void clear_trace(wri_runner *runner)
{
    runner->trace.nodes[0] =
        (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    runner->trace.node_count = 1;
    runner->trace.number_count = 0;
}

/* Copies a slot's trace, if it is valid; else that of a case that asked for nothing. False: there
 * is no memory for it. */
static bool take_trace(wri_runner *runner, unsigned slot)
{
    wri_layout *layout = &runner->workers[slot].layout;
    wri_slot   *there = layout->slot;
    wri_trace   seen = layout->trace;
    seen.node_count = there->nodes <= WRI_MAX_NODES ? there->nodes : 0;
    seen.number_count = there->numbers <= WRI_MAX_NUMBERS ? there->numbers : 0;
    runner->trace.node_count = runner->trace.number_count = 0;
    bool room = wri_trace_copy(&runner->trace, &seen);
    if (!room || !wri_trace_valid(&runner->trace))
        clear_trace(runner);
    return room;
}

/* Copies the judge's trace and text, as much as is valid. */
static void take_log(wri_runner *runner, wri_outcome *outcome)
{
    wri_layout *layout = &runner->workers[0].layout;
    wri_slot   *there = layout->slot;
    if (!take_trace(runner, 0))
        outcome->verdict = (wri_verdict){ .kind = WRI_MISUSE, .message = "out of memory" };
    outcome->trace = runner->trace;
    outcome->text_used = there->text <= WRI_TEXT_BYTES ? there->text : 0;
    outcome->text_lost = there->text_lost;
    memcpy(runner->text, layout->text, outcome->text_used);
    outcome->text = runner->text;
}

/* A single case may take so long after an interrupt: nobody wants to wait for its deadline. */
#define PATIENCE_MS 700
static void lose_patience(wri_runner *runner)
{
    post    *at = &runner->posts[0];
    pid_t    pid = atomic_load(&runner->workers[0].layout.cradle->pid);
    uint64_t now = wri_limits_clock_ms();
    if (runner->interrupted_ms == 0)
        runner->interrupted_ms = now;
    if (now - runner->interrupted_ms < PATIENCE_MS || pid <= 0 || at->killed_for != 0 ||
        at->abandoned)
        return;
    at->abandoned = true;
    ask_where(runner, 0, pid);
}

static void wait_for_judge(wri_runner *runner, const wri_limits *limits)
{
    runner->whole_ms = limits->whole_ms;
    for (int spin = 0; spin < 4000 && runner->posts[0].alive; spin++)
        if (has_ended(runner, 0))
            return;
    for (;;) {
        uint32_t event = atomic_load(&runner->shared->event);
        if (has_ended(runner, 0))
            return;
        look_after(runner, 0, limits);
        if (wri_interrupt_came())
            lose_patience(runner);
        if (runner->waits != NULL)
            runner->waits(runner->waits_for);
        wri_futex_wait(&runner->shared->event, event, TICK_MS);
        look_after_processes(runner);
    }
}

/* Has the worker run cases of another property? What they left, in memory or in threads, is
 * nothing to this one. */
static bool is_foreign(const wri_runner *runner, unsigned slot, const wri_job *job)
{
    return runner->posts[slot].owner != NULL && runner->posts[slot].owner != job->owner;
}

/* To try each case again would take seconds for each. */
static void tell_stuck(wri_runner *runner, wri_outcome *outcome)
{
    *outcome = (wri_outcome){ .verdict = { .kind = WRI_MISUSE }, .output = "", .text = "" };
    strcpy(outcome->verdict.message, runner->stuck);
    clear_trace(runner);
    outcome->trace = runner->trace;
}

void wri_runner_single(wri_runner *runner, const wri_job *job, const wri_trace *plan, bool fresh,
                       const wri_limits *limits, wri_outcome *outcome)
{
    wri_layout *layout = &runner->workers[0].layout;
    if (runner->stuck[0] != '\0') {
        tell_stuck(runner, outcome);
        return;
    }
    need_worker(runner, 0, fresh || is_foreign(runner, 0, job));
    layout->slot->plan_nodes = layout->slot->plan_numbers = 0;
    if (plan != NULL && plan->node_count <= WRI_MAX_NODES &&
        plan->number_count <= WRI_MAX_NUMBERS) {
        memcpy(layout->plan.nodes, plan->nodes, plan->node_count * sizeof *plan->nodes);
        if (plan->number_count > 0)
            memcpy(layout->plan.numbers, plan->numbers,
                   plan->number_count * sizeof *plan->numbers);
        layout->slot->plan_nodes = plan->node_count;
        layout->slot->plan_numbers = plan->number_count;
    }
    if (layout->output >= 0)
        wri_output_clear(layout->output);
    send(runner, 0, WRI_TASK_SINGLE, job);
    wait_for_judge(runner, limits);
    if (runner->posts[0].died && atomic_load(&layout->slot->phase) == WRI_PHASE_LEAKS &&
        !atomic_load(&runner->shared->no_leak_check)) { /* the check died, not the case */
        runner->leak_check_dies = true;
        wri_runner_no_leak_check(runner);
        wri_runner_single(runner, job, plan, true, limits, outcome);
        return;
    }
    take_outcome(runner, 0, outcome);
    take_log(runner, outcome);
    uint64_t redrawn = atomic_load(&layout->slot->redrawn);
    uint64_t passes = atomic_load(&layout->slot->passes);
    outcome->redrawn = redrawn <= WRI_REDRAWS ? redrawn : 0;
    outcome->passes = passes <= outcome->redrawn ? passes : 0;
    outcome->played = take_played(runner, 0, 1 + outcome->redrawn);
    uint32_t kind = outcome->verdict.kind;
    if (layout->slot->spoiled || layout->slot->deaf ||
        (kind > WRI_ASSERTION && kind != WRI_LEAK) || kind == WRI_MISUSE)
        wri_runner_drop(runner, 0);
}

void wri_runner_batch(wri_runner *runner, unsigned slot, const wri_job *job, bool fresh)
{
    post *at = &runner->posts[slot];
    if (at->alive && !fresh) {
        pid_t    pid = atomic_load(&runner->workers[slot].layout.cradle->pid);
        uint64_t now = wri_limits_clock_ms();
        if (pid > 0 && now - at->course.looked_ms > 100) { /* now and then is enough */
            uint64_t resident = resident_bytes(pid);
            if (at->first_resident == 0)
                at->first_resident = resident;
            fresh = resident > at->first_resident + GROWN_BYTES;
        }
    }
    const wri_slot *there = runner->workers[slot].layout.slot;
    need_worker(runner, slot,
                fresh || is_foreign(runner, slot, job) || there->spoiled || there->deaf);
    send(runner, slot, WRI_TASK_BATCH, job);
}

/* Did the worker die after the last case, of what one of the cases did? An audit looks after each
 * case, and knows which. */
static bool died_after_cases(const post *at, wri_slot *there)
{
    return at->died && !at->job.audit && atomic_load(&there->phase) == WRI_PHASE_CHECK;
}

void wri_runner_batch_now(wri_runner *runner, unsigned slot, wri_batch *batch)
{
    post     *at = &runner->posts[slot];
    wri_slot *there = runner->workers[slot].layout.slot;
    uint64_t  from = at->job.from, to = from + at->job.count + at->job.spare;
    uint64_t  next = atomic_load(&there->index);
    memset(batch, 0, sizeof *batch);
    batch->busy = at->busy;
    batch->died = at->died;
    batch->worker = slot == 0 ? 0 : slot - 1;
    batch->next = next < from ? from : next > to ? to : next;
    uint64_t ran = batch->next - from;
    batch->discarded = atomic_load(&there->discarded);
    batch->overrun = atomic_load(&there->overrun);
    batch->known = atomic_load(&there->known);
    if (batch->discarded > ran || batch->overrun > ran || batch->known > ran ||
        batch->discarded + batch->overrun + batch->known > ran)
        batch->discarded = batch->overrun = batch->known = 0;
    batch->redrawn = atomic_load(&there->redrawn);
    if (batch->redrawn / WRI_REDRAWS > ran + 1)
        batch->redrawn = 0;
    batch->passes = atomic_load(&there->passes);
    batch->warm = atomic_load(&there->warm);
    if (batch->passes > batch->redrawn || batch->warm > batch->passes)
        batch->passes = batch->warm = 0;
    memcpy(batch->known_hits, there->known_hits, sizeof batch->known_hits);
    batch->played = take_played(runner, slot, ran + 1 + batch->redrawn);
    batch->largest = there->largest;
    batch->lost = atomic_load(&there->seen.lost);
    batch->drew = there->drew != 0 || at->died;
    batch->end = !at->died                     ? there->end
                 : died_after_cases(at, there) ? WRI_BATCH_SUSPECT
                                               : WRI_BATCH_ENDED;
    batch->suspicion = at->died ? WRI_KILLED : there->verdict.kind;
    batch->excused = batch->end == WRI_BATCH_DONE && there->spoiled;
    batch->leaked = batch->end == WRI_BATCH_DONE && there->leaked;
    batch->leaker = there->leaker > from && there->leaker <= batch->next ? there->leaker : 0;
    batch->crowded = at->died && at->killed_for == WRI_PROCESSES;
    batch->checks_die = at->died && atomic_load(&there->phase) == WRI_PHASE_LEAKS;
    runner->leak_check_dies |= batch->checks_die;
}

void wri_runner_batch_outcome(wri_runner *runner, unsigned slot, wri_outcome *outcome)
{
    take_outcome(runner, slot, outcome);
}

uint64_t wri_runner_journal(wri_runner *runner, unsigned slot)
{
    wri_layout       *layout = &runner->workers[slot].layout;
    const wri_record *next = layout->t->next;
    if (next < layout->journal || next > layout->journal + WRI_JOURNAL_RECORDS)
        return 0;
    return wri_hash_bytes(layout->journal, (size_t)(next - layout->journal) * sizeof *next);
}

const wri_trace *wri_runner_batch_trace(wri_runner *runner, unsigned slot)
{
    return take_trace(runner, slot) ? &runner->trace : NULL;
}

const wri_avoided *wri_runner_avoid(wri_runner *runner, const wri_avoided *known, size_t bytes)
{
    return bytes > WRI_AVOIDED_BYTES ? NULL : memcpy(runner->mapping.avoided, known, bytes);
}

wri_ran *wri_runner_ran(wri_runner *runner)
{
    return runner->mapping.ran;
}

size_t wri_runner_list_ran(wri_runner *runner, unsigned slot, const uint64_t **hashes)
{
    const wri_layout *layout = &runner->workers[slot].layout;
    uint64_t          count = layout->slot->ran;
    *hashes = layout->ran;
    return count < WRI_RAN_LISTED ? (size_t)count : WRI_RAN_LISTED;
}

void *wri_runner_block(wri_runner *runner, unsigned slot)
{
    return runner->workers[slot].layout.block;
}

void *wri_runner_shared_block(wri_runner *runner, const wri_explorer *explorer)
{
    for (unsigned i = 0; i < WRI_EXPLORER_COUNT; i++)
        if (wri_explorers[i] == explorer)
            return runner->mapping.blocks[i];
    return NULL;
}

void *const *wri_runner_shared_blocks(wri_runner *runner)
{
    return runner->mapping.blocks;
}

void wri_runner_stop(wri_runner *runner, unsigned slot)
{
    atomic_store(&runner->workers[slot].layout.slot->stop, 1);
}

uint64_t wri_runner_running_ms(const wri_runner *runner, unsigned slot)
{
    const post *at = &runner->posts[slot];
    bool        runs = at->busy && at->course.cpu_ms != 0 && at->course.phase == WRI_PHASE_CASE;
    return runs ? wri_limits_clock_ms() - at->course.since_ms : 0;
}

uint64_t wri_runner_slowest_ms(wri_runner *runner, uint64_t *index)
{
    uint64_t longest = 0;
    for (unsigned i = 0; i < runner->slots; i++) {
        uint64_t ms = wri_runner_running_ms(runner, i);
        if (ms <= longest)
            continue;
        longest = ms;
        *index = atomic_load(&runner->workers[i].layout.slot->index);
    }
    return longest;
}

void wri_runner_on_wait(wri_runner *runner, void (*waits)(void *context), void *context)
{
    runner->waits = waits;
    runner->waits_for = context;
}

uint64_t wri_runner_longest_ms(const wri_runner *runner)
{
    return runner->longest_ms;
}

void wri_runner_forget_longest(wri_runner *runner)
{
    runner->longest_ms = 0;
}

void wri_runner_no_leak_check(wri_runner *runner)
{
    atomic_store(&runner->shared->no_leak_check, 1);
}

void wri_runner_leak_check_again(wri_runner *runner)
{
    if (!runner->leak_check_dies)
        atomic_store(&runner->shared->no_leak_check, 0);
}

/* ---- Known bugs, and what was observed ---- */

unsigned wri_runner_know(wri_runner *runner, uint64_t origin, const wri_reason *reason)
{
    uint32_t count = atomic_load(&runner->shared->known_count);
    if (count == WRI_KNOWN_BUGS)
        return 0;
    runner->shared->known[count] = origin;
    runner->shared->reasons[count].known = false;
    if (reason != NULL)
        runner->shared->reasons[count] = *reason;
    atomic_store(&runner->shared->known_count, count + 1);
    return count + 1;
}

void wri_runner_forget_all(wri_runner *runner)
{
    atomic_store(&runner->shared->known_count, 0);
}

#define TIMES_STUCK 3

const char *wri_runner_stuck(const wri_runner *runner)
{
    return runner->stuck[0] == '\0' ? NULL : runner->stuck;
}

/* Code under test may have set limits for the processes above it. */
static void replace_zygote(wri_runner *runner)
{
    uint64_t until = wri_limits_clock_ms() + SILENCE_MS;
    kill(runner->zygote, SIGKILL);
    while (zygote_lives(runner) && wri_limits_clock_ms() < until)
        wri_futex_wait(&runner->shared->event, atomic_load(&runner->shared->event), 1);
    runner->lost = 0;
    lose_zygote(runner);
}

void wri_runner_hope(wri_runner *runner)
{
    if (runner->stuck[0] == '\0' || runner->times_stuck >= TIMES_STUCK)
        return;
    runner->stuck[0] = '\0';
    if (runner->zygote > 0)
        replace_zygote(runner);
}

const wri_seen *wri_runner_seen(wri_runner *runner, unsigned slot)
{
    return &runner->workers[slot].layout.slot->seen;
}

const wri_sketch *wri_runner_sketch(const wri_runner *runner, unsigned slot)
{
    return runner->workers[slot].layout.sketch;
}

const wri_told *wri_runner_told(const wri_runner *runner, unsigned slot)
{
    return runner->workers[slot].layout.told;
}

size_t wri_runner_put_told(const wri_runner *runner, unsigned slot, uint64_t index,
                           const wri_verdict *verdict, char *to)
{
    const wri_layout *layout = &runner->workers[slot].layout;
    return wri_told_put(to, index, verdict, layout->text, layout->slot->text, 0);
}

void wri_runner_forget_seen(wri_runner *runner, unsigned slot)
{
    wri_seen_clear(&runner->workers[slot].layout.slot->seen);
}
