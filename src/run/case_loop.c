/* run/case_loop.c: runs cases, in the worker.
 *
 * A batch of plain random cases takes the fast path: between two cases lie a few stores and a
 * comparison or two. The cases of every other explorer go through one loop, which calls the
 * explorer before and after each case. A single case is traced, and checked for everything that
 * can be checked. setjmp is called once a batch, not once a case: a case that jumps out returns
 * into the loop, which goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "constants/dictionary.h"
#include "core/clock.h"
#include "explore/answer.h"
#include "faults/faults.h"
#include "observe/coverage.h"
#include "plan/align.h"
#include "run/leaks.h"
#include "run/processes.h"
#include "run/worker.h"

static wri_align      align;
static wri_trace      trace, plan;
static wri_text       text;
static wri_exact      exact;
static wri_aligned    aligned;
static wri_example    example;
static wri_as_given   as_given;
static wri_from_bytes from_bytes;
static wri_to_bytes   to_bytes;
static uint8_t       *packed; /* WRI_BYTES_MOST of them, once they are wanted */

/* The state of the running case. It is static, so a jump out of the case changes nothing. */
static struct {
    uint64_t at, end, spare;
    enum { STAGE_BODY, STAGE_TEARDOWN, STAGE_DEFERRED, STAGE_OVER } stage;
    wri_record *largest;
    bool        forgiven; /* the checker will not report the leak again */
} now;

/* ---- The end of a case ---- */

static void close_case(wr_case *t, const wr_options *options)
{
    t->closing = true;
    wri_faults_close(t);
    if (now.stage == STAGE_BODY) {
        now.stage = STAGE_TEARDOWN;
        if (options->teardown != NULL)
            options->teardown(t);
    }
    now.stage = STAGE_DEFERRED;
    wri_case_finish(t);
    wri_faults_forget();
    now.stage = STAGE_OVER;
    t->closing = false;
}

_Noreturn void wri_case_loop_end_stray(void)
{
    atomic_store(&wri_worker_now.slot->stray, now.at + 1);
    _exit(0);
}

static void end_if_stray(const wr_case *t)
{
    if (wri_worker_copied() || t->stray)
        wri_case_loop_end_stray();
}

/* Who answers in such a child: nobody. */
static uint64_t stray_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                             uint32_t label)
{
    (void)self, (void)t, (void)request, (void)label;
    wri_case_loop_end_stray();
}

static void stray_array(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)request, (void)label, (void)count, (void)width, (void)numbers;
    wri_case_loop_end_stray();
}

/* Children, or processes that a case made for the nurse. */
static bool any_left(bool beside)
{
    return wri_processes_any() || (beside && wri_processes_beside());
}

/* After a case that forked: waits a tenth of a second for children to end or to come back, and
 * longer for one that has work to do and may have got no processor. If any does neither, the
 * batch ends with this case, and the processes end with the worker. `beside`: the nurse's
 * children count, too. */
static bool child_came_back(bool beside)
{
    wri_worker     *w = &wri_worker_now;
    struct timespec moment = { .tv_nsec = 1000000 };
    double          began = wri_clock_seconds(), waited = 0;
    for (; waited < 0.1 || (waited < 0.5 && wri_processes_waiting());
         waited = wri_clock_seconds() - began) {
        siginfo_t info = { 0 };
        if (atomic_load(&w->slot->stray) != 0)
            return true;
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 &&
            !any_left(beside))
            break;
        if (info.si_pid != 0)
            waitpid(info.si_pid, NULL, WNOHANG | __WALL);
        nanosleep(&moment, NULL);
    }
    w->slot->left = !w->keeps && !w->setup.in_process && any_left(beside);
    if (w->slot->left)
        atomic_store(&w->slot->stop, 1);
    return atomic_load(&w->slot->stray) != 0;
}

static void set_verdict(wri_slot *slot, wri_verdict_kind kind, const char *message)
{
    slot->verdict.kind = kind;
    slot->verdict.frames = 0;
    slot->verdict.line = 0;
    slot->verdict.file[0] = '\0';
    snprintf(slot->verdict.message, sizeof slot->verdict.message, "%s", message);
}

static bool say_stray(wri_slot *slot)
{
    set_verdict(slot, WRI_STRAY,
                "a forked child returned from the property: end it with _exit()");
    return true;
}

static bool stray_failure(wr_case *t, wri_slot *slot)
{
    if (!t->forked)
        return false;
    t->forked = false;
    return child_came_back(false) && say_stray(slot);
}

/* A child that no handler was told of: _Fork(), clone() or vfork(). With CLONE_PARENT it is the
 * nurse's. */
static bool hidden_stray(wri_slot *slot)
{
    const wri_worker *w = &wri_worker_now;
    bool              waits = !w->setup.in_process && !w->keeps && !slot->left && any_left(true);
    return (wri_worker_is_other() || (waits && child_came_back(true)) ||
            atomic_load(&slot->stray) != 0) &&
           say_stray(slot);
}

/* Forgets what is left of functions that have returned. A leak checker takes every pointer on the
 * stack and in registers for a living one, and later functions keep some, in the gaps of their
 * frames. So a function that was there before the case calls this. Its own frame must have no
 * such gap: an instrumented one would. */
static WRI_COLD __attribute__((no_sanitize("address"))) void forget_returned(void)
{
    char dead[32 << 10];
    if (!wri_sanitizer_leaks_present())
        return;
    memset(dead, 0, sizeof dead);
    __asm__ volatile("" ::"r"(dead) : "memory");
#if defined(__x86_64__)
    __asm__ volatile("xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\t"
                     "xor %%edi, %%edi\n\txor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\t"
                     "xor %%r10d, %%r10d\n\txor %%r11d, %%r11d" ::
                         : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#endif
}

static bool reported(wri_slot *slot, int output)
{
    wri_output_flush(output);
    return wri_output_report_found(output, &slot->verdict);
}

/* A log that is not whole fits no reason: the parent must look at the case. */
static bool has_reason(const wri_reason *reason)
{
    const wri_trace *log = wri_worker_now.t->trace;
    return !reason->known || (log != NULL && wri_reason_matches(reason, log));
}

static bool known_origin(uint64_t origin)
{
    wri_slot   *slot = wri_worker_now.slot;
    wri_shared *shared = wri_worker_now.setup.shared;
    uint32_t    count = atomic_load(&shared->known_count);
    for (uint32_t i = 0; i < count && i < WRI_KNOWN_BUGS; i++)
        if (shared->known[i] == origin && has_reason(&shared->reasons[i])) {
            slot->known_hits[i]++;
            atomic_fetch_add_explicit(&slot->known, 1, memory_order_relaxed);
            return true;
        }
    return false;
}

/* The checker has reported leaks after a batch. True: the parent must look into them. */
static bool leaked_anew(wri_slot *slot, int output)
{
    uint64_t index = 0;
    switch (wri_leaks_blame(output, known_origin, &index)) {
    case WRI_LEAKS_EARLY: slot->spoiled = true; /* fall through */
    case WRI_LEAKS_KNOWN: slot->leaked = true; return false;
    case WRI_LEAKS_NEW: slot->leaker = index + 1; break;
    case WRI_LEAKS_UNSURE: break;
    }
    return true;
}

static bool leaked(wri_slot *slot, int output)
{
    if (!wri_sanitizer_leaks_found())
        return false;
    if (slot->task == WRI_TASK_BATCH && !slot->job.audit && !leaked_anew(slot, output))
        return false;
    wri_output_describe_leak(output, &slot->verdict);
    now.forgiven = slot->leaker > 0 || (!slot->job.loud && wri_leaks_forgive(output));
    return true;
}

/* What no case is seen doing, looked for after it: all of it costs system calls. */
static bool hidden_failure(wri_slot *slot)
{
    atomic_store(&slot->phase, WRI_PHASE_CHECK);
    int  output = wri_output_own();
    bool found = true;
    if (hidden_stray(slot))
        found = true;
    else if (!wri_worker_now.setup.in_process && wri_undo_descriptors_closed())
        set_verdict(slot, WRI_DESCRIPTORS,
                    "standard input, output or error was closed and left closed");
    else if (!wri_worker_now.setup.in_process && reported(slot, output))
        found = true;
    else
        found = leaked(slot, output);
    if (!found && slot->job.audit && !wri_worker_now.setup.in_process)
        wri_undo(); /* what cannot be undone without dying is this case's doing */
    atomic_store(&slot->phase, WRI_PHASE_CASE);
    return found;
}

/* ---- Plain random cases ---- */

static void trace_into_slot(wri_worker *w)
{
    wri_layout *layout = &w->setup.layout;
    wr_case    *t = w->t;
    trace = layout->trace;
    plan = layout->plan;
    plan.node_count = w->slot->plan_nodes;
    plan.number_count = w->slot->plan_numbers;
    text = (wri_text){ .bytes = layout->text, .room = WRI_TEXT_BYTES };
    t->trace = &trace;
    t->text = &text;
    t->shared_nodes = &w->slot->nodes;
    t->shared_numbers = &w->slot->numbers;
    t->shared_text = &w->slot->text;
    t->limit = t->journal;
}

/* The case that ended is told, if anybody asks. */
static WRI_COLD void tell_case(const wri_slot *slot)
{
    if (slot->job.told)
        wri_told_end_case(wri_worker_now.setup.layout.told, wri_worker_now.t, now.at,
                          &slot->verdict);
}

static bool known_bug(const wri_verdict *verdict)
{
    return verdict->kind == WRI_ASSERTION && known_origin(wri_worker_assertion_origin(verdict));
}
static void make_up(void)
{
    now.end += now.spare > 0;
    now.spare -= now.spare > 0;
}

/* Counts a case that jumped out or has failed; false when the parent must look at it. What a
 * case showed that counts for nothing is taken back. */
static bool counted(wri_slot *slot)
{
    tell_case(slot);
    if (slot->verdict.kind == WRI_DISCARD || slot->verdict.kind == WRI_OVERRUN)
        wri_seen_take_back(&slot->seen, now.at);
    switch (slot->verdict.kind) {
    case WRI_DISCARD:
        atomic_fetch_add_explicit(&slot->discarded, 1, memory_order_relaxed);
        make_up();
        break;
    case WRI_OVERRUN:
        atomic_fetch_add_explicit(&slot->overrun, 1, memory_order_relaxed);
        make_up();
        break;
    default:
        if (!known_bug(&slot->verdict))
            return false;
    }
    slot->verdict.kind = WRI_NONE;
    return true;
}

/* The rare things after a case that returned; false when it has failed by them. */
static WRI_COLD bool close_carefully(wr_case *t, wri_slot *slot, const wri_job *job)
{
    end_if_stray(t);
    wri_case_check_spans(t, 0);
    close_case(t, job->options);
    if (stray_failure(t, slot))
        return false;
    bool violated = wri_observe_finish(t);
    if (violated && !counted(slot))
        return false;
    now.stage = STAGE_BODY; /* of the next */
    if (job->audit && hidden_failure(slot))
        return false;
    if (!violated)
        tell_case(slot);
    return true;
}

/* Must the case be closed carefully? */
static inline bool has_more_to_do(const wr_case *t)
{
    return t->after != 0 || t->deferred != NULL;
}

/* The case that ended was looked at. */
static inline void end_sketch(wr_case *t, uint32_t verdict)
{
    if (WRI_UNLIKELY(t->drew != NULL))
        wri_sketch_end(t, verdict != WRI_DISCARD && verdict != WRI_OVERRUN);
}

/* What a case with faults draws is what its last pass draws. */
static inline void end_sketch_of_pass(wr_case *t)
{
    if (WRI_UNLIKELY(t->drew != NULL)) {
        wri_faults_close(t);
        if (wri_faults_has_more(false))
            wri_sketch_drop();
    }
    end_sketch(t, WRI_NONE);
}

static wri_sketch *sketch_of(const wri_job *job)
{
    return job->sketched ? wri_worker_now.setup.layout.sketch : NULL;
}

static void begin_body(wr_case *t, const wr_options *options)
{
    if (options->setup != NULL)
        options->setup(t);
    if (options->faults != NULL)
        wri_faults_draw(t, "fault", options->faults, ".faults");
}

static WRI_ASIDE void prepare(wr_case *t, const wr_options *options)
{
    if (t->trace != NULL)
        wri_case_begin_slow(t);
    wri_sketch_begin(sketch_of(&wri_worker_now.slot->job), t);
    if (t->text != NULL)
        wri_told_begin_case(wri_worker_now.setup.layout.told);
    begin_body(t, options);
}

static void count_pass(wri_slot *slot, bool warm)
{
    atomic_fetch_add_explicit(&slot->warm, warm, memory_order_relaxed);
    atomic_fetch_add_explicit(&slot->redrawn, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&slot->passes, 1, memory_order_relaxed);
}

/* The first pass of a case with faults is over, and the second begins? */
static WRI_COLD bool has_second_pass(wr_case *t, wri_slot *slot, const wri_job *job)
{
    bool more = wri_faults_has_more(false), warm = wri_faults_is_warm();
    wri_faults_next(t, job->options, job->seed, more);
    if (more)
        count_pass(slot, !warm);
    return more;
}

/* The hot loop: from now.at on, until the end, a stop, or a case that ends the batch. */
static bool run_cases(wr_case *t, wri_slot *slot, const wri_job *job)
{
    wr_body          *body = job->body;
    const wr_options *options = job->options;
    wri_original     *original = wri_worker_now.original;
    uint64_t          seed = job->seed;
    bool prepared = t->trace != NULL || options->setup != NULL || options->faults != NULL ||
                    sketch_of(job) != NULL;
    now.stage = STAGE_BODY;
    original->end = now.end;

    for (uint64_t at = now.at; at < original->end; at++) {
        now.at = at;
        atomic_store_explicit(&slot->index, at, memory_order_relaxed);
        wri_case_begin(t, wri_prng_stream(seed, at), at);
        wri_undo_before_case();
        if (WRI_UNLIKELY(prepared))
            prepare(t, options);
        body(t);
        end_sketch_of_pass(t);
        if (WRI_UNLIKELY(t->next > now.largest))
            now.largest = t->next;
        if (WRI_UNLIKELY(has_more_to_do(t))) {
            if (job->audit)
                forget_returned();
            if (!close_carefully(t, slot, job))
                return false;
            if (has_second_pass(t, slot, job))
                at--;
        }
        if (WRI_UNLIKELY(atomic_load_explicit(&slot->stop, memory_order_relaxed))) {
            end_if_stray(t);
            now.at = at + 1;
            return true;
        }
    }
    end_if_stray(t);
    now.at = original->end;
    return true;
}

/* ---- The cases of other explorers ---- */

static void run_body(wr_case *t, const wri_job *job)
{
    wri_undo_before_case();
    begin_body(t, job->options);
    job->body(t);
    end_if_stray(t);
    if (t->trace != NULL)
        wri_case_check_spans(t, 0);
}

/* Explorers compute in plain arithmetic. One that refutes cases tries all of them, and computes
 * no reals; it has many short cases. */
static inline void be_plain(const wri_explorer *by)
{
    if (!(by->needs & WRI_REFUTES))
        wri_arithmetic_calm();
}

/* The random stream of a case. After the same choices a walk goes the same way, so all of its
 * cases have one stream. */
static inline uint64_t stream_of(const wri_explorer *by, const wri_job *job)
{
    return by->needs & WRI_REFUTES ? job->seed : wri_prng_stream(job->seed, now.at);
}

/* The same loop for any explorer, which decides on each case and learns from it. */
static bool run_explored(wr_case *t, wri_slot *slot, const wri_job *job)
{
    const wri_explorer *by = job->explorer;
    for (; now.at < now.end; now.at++) {
        now.stage = STAGE_BODY;
        atomic_store_explicit(&slot->index, now.at, memory_order_relaxed);
        wri_case_begin(t, stream_of(by, job), now.at);
        if (t->trace != NULL)
            wri_case_begin_slow(t);
        if (!by->next(t, now.at))
            return true;
        wri_sketch_begin(sketch_of(job), t);
        if (job->told)
            wri_told_begin_case(wri_worker_now.setup.layout.told);
        run_body(t, job);
        now.largest = t->next > now.largest ? t->next : now.largest;
        if (job->audit)
            forget_returned();
        bool fine = !has_more_to_do(t) || close_carefully(t, slot, job);
        be_plain(by);
        uint32_t verdict = fine ? WRI_NONE : slot->verdict.kind;
        bool     stop = by->learn(t, verdict, WRI_LEFT_RETURNING) == WRI_AFTER_STOP;
        end_sketch(t, verdict); /* learning may have dropped it */
        if (stop || !fine)
            return false;
        if (WRI_UNLIKELY(atomic_load_explicit(&slot->stop, memory_order_relaxed))) {
            now.at++;
            return true;
        }
    }
    return true;
}

/* ---- After a jump ---- */

/* A refuted case begins once more, with the stream going on. */
static void begin_again(wr_case *t, wri_slot *slot)
{
    atomic_fetch_add_explicit(&slot->redrawn, 1, memory_order_relaxed);
    slot->verdict.kind = WRI_NONE;
    now.stage = STAGE_BODY;
    wri_case_begin(t, t->random, now.at);
    if (t->trace != NULL)
        wri_case_begin_slow(t);
}

/* Case now.at of a batch once more, to its end; a jump out comes back to the batch. True: go on
 * with the next. */
static bool run_again(wr_case *t, wri_slot *slot, const wri_job *job)
{
    wri_seen_take_back(&slot->seen, now.at);
    begin_again(t, slot);
    wri_sketch_begin(sketch_of(job), t);
    run_body(t, job);
    end_sketch(t, WRI_NONE);
    now.largest = t->next > now.largest ? t->next : now.largest;
    if (!close_carefully(t, slot, job))
        return false;
    job->explorer->learn(t, WRI_NONE, WRI_LEFT_RETURNING);
    now.at++;
    return !atomic_load(&slot->stop);
}

/* The case was refuted, and has nothing to close: most cases of many enumerations end like
 * this. */
static bool only_refuted(const wr_case *t, const wri_slot *slot, const wri_job *job)
{
    return (job->explorer->needs & WRI_REFUTES) && slot->verdict.kind == WRI_DISCARD &&
           !has_more_to_do(t);
}

static bool close_jumped(wr_case *t, wri_slot *slot, const wri_job *job)
{
    now.largest = t->next > now.largest ? t->next : now.largest;
    close_case(t, job->options);
    wri_observe_finish(t);
    return wri_verdict_failed(&slot->verdict) || !stray_failure(t, slot);
}

/* After a jump out of case now.at; true: go on with the next. */
static bool after_jump(wr_case *t, wri_slot *slot, const wri_job *job)
{
    end_if_stray(t);
    be_plain(job->explorer);
    end_sketch(t, slot->verdict.kind);
    if (!only_refuted(t, slot, job) && !close_jumped(t, slot, job))
        return false;
    wri_faults_next(t, job->options, job->seed, false);
    t->forked = false;
    /* A jump may leak, and no later case is to blame. */
    bool leaking = job->audit && wri_sanitizer_leaks_found();
    wri_leaks_end_early();
    switch (job->explorer->learn(t, slot->verdict.kind,
                                 leaking ? WRI_LEFT_LEAKING : WRI_LEFT_JUMPING)) {
    case WRI_AFTER_AGAIN: return run_again(t, slot, job);
    case WRI_AFTER_STOP: return false;
    case WRI_AFTER_IGNORE: slot->verdict.kind = WRI_NONE; break;
    case WRI_AFTER_COUNT:
        if (!counted(slot))
            return false;
    }
    now.at++;
    slot->spoiled |= leaking;
    return !leaking && !atomic_load_explicit(&slot->stop, memory_order_relaxed);
}

/* ---- Batches ---- */

static wri_work work_of(wri_slot *slot, void *block)
{
    return (wri_work){ .block = block,
                       .seed = slot->job.seed,
                       .at = &now.at,
                       .end = now.end,
                       .shared_at = &slot->index,
                       .seen = &slot->seen,
                       .redraw = slot->job.redraw,
                       .stop = &slot->stop };
}

/* How random answers are made. */
static void answer_as_asked(wr_case *t, const wri_job *job)
{
    const wri_dictionary *own = job->constants ? wri_dictionary_own() : NULL;
    bool empty = own == NULL || own->number_count + own->real_count + own->word_count == 0;
    wri_answer_leaning(!job->plain);
    t->known = empty ? NULL : own;
}

static void begin_batch(wri_worker *w)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    end_if_stray(t); /* of worker_setup */
    t->recorded = t->forked = false;
    t->careful = job->audit || job->options->teardown != NULL;
    t->limit = t->journal + (job->plain || job->constants ? 0 : WRI_MAX_CHOICES);
    t->trace = NULL;
    t->text = NULL;
    /* A crash in this process wants its token printed. */
    if (job->traced || job->told || (job->explorer->needs & WRI_NEEDS_TRACE) ||
        (w->setup.in_process && !(job->explorer->needs & WRI_REFUTES))) {
        trace_into_slot(w);
        text.room = WRI_TOLD_TEXT;
        t->text = job->told ? &text : NULL;
        t->careful |= job->told || (job->explorer->needs & WRI_HOT) != 0; /* for its spans */
    }
    answer_as_asked(t, job);
    t->answerer = wri_answer_randomly();
    t->seen = &slot->seen;
    t->drew = NULL;
    t->stated = NULL;
    if (sketch_of(job) != NULL)
        memset(sketch_of(job), 0, sizeof(wri_sketch));
    if (job->told)
        wri_told_begin(w->setup.layout.told);
    now.at = job->from;
    now.end = job->from + job->count;
    now.spare = job->spare;
    now.largest = t->journal;
    slot->verdict.kind = WRI_NONE;
    slot->end = WRI_BATCH_DONE;
    wri_leaks_begin(&now.at);
    wri_faults_begin(job->options, (job->explorer->needs & WRI_HOT) != 0, false);
    wri_work work = work_of(slot, w->setup.layout.block);
    if (!job->explorer->begin(&work, t))
        wri_case_no_memory();
}

/* After a case that failed. A sanitizer reports a place once. Leaked memory is reported again,
 * also that of the cases before in a batch. */
static bool is_spoiled(const wri_slot *slot)
{
    uint32_t kind = slot->verdict.kind;
    bool     leaks = kind == WRI_LEAK ? !now.forgiven : wri_sanitizer_leaks_present();
    return leaks || (kind > WRI_ASSERTION && kind != WRI_LEAK) || wri_undo_descriptors_closed();
}

static void end_batch(wri_worker *w, bool stopped)
{
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    wri_arithmetic_calm();
    bool drew = job->explorer->end != NULL && job->explorer->end(w->t);
    atomic_store(&slot->index, now.at);
    if (stopped && slot->verdict.kind != WRI_NONE)
        slot->end = WRI_BATCH_ENDED;
    else if (!job->audit && hidden_failure(slot))
        slot->end = WRI_BATCH_SUSPECT;
    if (!w->setup.in_process && slot->end == WRI_BATCH_ENDED)
        slot->spoiled |= is_spoiled(slot);
    slot->largest = (uint64_t)(now.largest - w->t->journal);
    slot->drew = now.largest > w->t->journal || drew;
}

void wri_case_loop_batch(wri_worker *w)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    bool      hot = (job->explorer->needs & WRI_HOT) != 0;
    bool      summed = !(job->explorer->needs & WRI_NEEDS_SIGNALS); /* else each case by itself */
    begin_batch(w);
    if (summed)
        wri_coverage_begin();
    bool jumped = _setjmp(t->out) != 0;
    if (jumped && job->audit)
        forget_returned();
    bool stopped = jumped && !after_jump(t, slot, job);
    if (!stopped && now.at < now.end)
        stopped = !(hot ? run_cases : run_explored)(t, slot, job);
    if (summed)
        wri_coverage_end();
    wri_arithmetic_calm();
    forget_returned();
    end_batch(w, stopped);
}

/* ---- Single cases ---- */

static wri_answerer *answer_from_plan(void)
{
    size_t         count = 0;
    const uint8_t *bytes = wri_bytes_unpack(&plan, 0, &count);
    return wri_answer_from_bytes(&from_bytes, bytes, bytes == NULL ? 0 : count);
}

/* Ends the log with the bytes of its answers, as an array. */
static void log_packed(wri_slot *slot)
{
    size_t words = 1 + (to_bytes.count + 7) / 8;
    if (trace.node_count >= WRI_MAX_NODES || trace.number_count + words > WRI_MAX_NUMBERS)
        return;
    trace.nodes[trace.node_count++] = (wri_node){ .what = WRI_ARRAY,
                                                  .tie = WRI_NO_NODE,
                                                  .count = words,
                                                  .number = trace.number_count,
                                                  .max = UINT64_MAX };
    trace.numbers[trace.number_count + words - 1] = 0;
    trace.numbers[trace.number_count] = to_bytes.count;
    memcpy(&trace.numbers[trace.number_count + 1], packed, to_bytes.count);
    trace.number_count += words;
    slot->nodes = trace.node_count;
    slot->numbers = trace.number_count;
}

static wri_answerer *answerer_for(const wri_job *job)
{
    switch (job->manner) {
    case WRI_MANNER_EXACT: return wri_answer_exactly(&exact, &plan);
    case WRI_MANNER_ORDER: return wri_answer_in_order(&exact, &plan);
    case WRI_MANNER_ALIGNED:
        if (!wri_align_start(&align, &plan))
            wri_case_no_memory();
        return wri_answer_aligned(&aligned, &align);
    case WRI_MANNER_EXAMPLE: return wri_answer_as_given(&as_given, &example);
    case WRI_MANNER_BYTES: return answer_from_plan();
    case WRI_MANNER_PACK:
        packed = packed == NULL ? malloc(WRI_BYTES_MOST) : packed;
        if (packed == NULL)
            wri_case_no_memory();
        return wri_answer_to_bytes(&to_bytes, wri_answer_exactly(&exact, &plan), packed,
                                   WRI_BYTES_MOST);
    default: return wri_answer_randomly();
    }
}

/* May a refuted case be drawn again? Only where nobody learns from it. */
static bool redraws(const wri_slot *slot, const wri_job *job)
{
    return job->manner == WRI_MANNER_RANDOM && slot->verdict.kind == WRI_DISCARD;
}

/* After a jump out of a single case: was it refuted, and has begun once more? */
static bool refuted_again(wr_case *t, wri_slot *slot, const wri_job *job)
{
    if (!redraws(slot, job))
        return false;
    end_if_stray(t);
    if (now.stage != STAGE_OVER)
        close_case(t, job->options);
    wri_observe_finish(t);
    if (stray_failure(t, slot) || !redraws(slot, job) ||
        wri_explorer_random.learn(t, WRI_DISCARD, WRI_LEFT_JUMPING) != WRI_AFTER_AGAIN)
        return false;
    begin_again(t, slot);
    return true;
}

static void begin_case(wr_case *t, const wri_job *job)
{
    t->answerer = answerer_for(job);
    t->example = NULL;
    now.stage = STAGE_BODY;
    wri_case_begin(t, wri_prng_stream(job->seed, job->from), job->from);
    wri_case_begin_slow(t);
    if (job->manner == WRI_MANNER_EXAMPLE)
        wri_example_begin(t, &example, job->example);
}

static void begin_single(wri_worker *w, const wri_work *work)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    end_if_stray(t); /* of worker_setup */
    trace_into_slot(w);
    if (job->silent)
        t->text = NULL;
    wri_explorer_random.begin(work, t);
    answer_as_asked(t, job);
    t->recorded = job->manner == WRI_MANNER_EXACT || job->manner == WRI_MANNER_ORDER ||
                  job->manner == WRI_MANNER_PACK;
    t->seen = NULL;
    t->drew = NULL;
    t->stated = NULL;
    t->forked = false;
    slot->verdict.kind = WRI_NONE;
    slot->exact_done = true;
    now.at = job->from;
    wri_leaks_begin(&now.at);
    wri_faults_begin(job->options, job->manner == WRI_MANNER_RANDOM, true);
    atomic_store(&slot->index, job->from);
    begin_case(t, job);
}

/* A pass of a case with faults is over. Begins it once more, and is told of nothing that the
 * first pass did; or the first pass is all there is. */
static bool second_pass(wr_case *t, wri_slot *slot, const wri_job *job, bool jumped)
{
    wri_faults_close(t);
    if (!wri_faults_has_more(jumped))
        return false;
    if (now.stage != STAGE_OVER)
        close_case(t, job->options);
    wri_observe_finish(t);
    if (!jumped &&
        (slot->verdict.kind != WRI_NONE || stray_failure(t, slot) || hidden_failure(slot)))
        return false;
    wri_faults_next(t, job->options, job->seed, true);
    count_pass(slot, false);
    if (!wri_worker_now.setup.in_process) {
        wri_output_flush(wri_output_own());
        wri_output_clear(wri_output_own());
    }
    slot->verdict.kind = WRI_NONE;
    t->forked = false;
    begin_case(t, job);
    return true;
}

static void run_single(wr_case *t, wri_slot *slot, const wri_job *job)
{
    do
        run_body(t, job);
    while (second_pass(t, slot, job, false));
    if (t->example != NULL)
        wri_example_end(t);
}

void wri_case_loop_single(wri_worker *w)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    wri_work  work = work_of(slot, w->setup.layout.block);
    begin_single(w, &work);
    if (job->explorer != NULL)
        job->explorer->watch(&work, t, job->from);
    if (_setjmp(t->out) == 0 || refuted_again(t, slot, job) || second_pass(t, slot, job, true))
        run_single(t, slot, job);
    forget_returned();
    end_if_stray(t);
    if (now.stage != STAGE_OVER)
        close_case(t, job->options);
    wri_arithmetic_calm();
    wri_observe_finish(t);
    if (job->explorer != NULL)
        job->explorer->watched(t);
    if (t->recorded)
        slot->exact_done = wri_exact_done(&exact);
    if (slot->verdict.kind == WRI_NONE && !stray_failure(t, slot) && !hidden_failure(slot))
        slot->verdict.kind = WRI_PASS;
    if (job->manner == WRI_MANNER_PACK)
        log_packed(slot);
    slot->text_lost = text.lost;
    bool leaks = slot->verdict.kind == WRI_LEAK && !now.forgiven;
    slot->spoiled = !w->setup.in_process && (leaks || wri_undo_descriptors_closed());
}

wri_answerer *wri_case_loop_stray(void)
{
    static wri_answerer nobody = { .choose = stray_choice, .choose_many = stray_array };
    return &nobody;
}

void wri_case_loop_free(void)
{
    free(packed);
    packed = NULL;
    wri_align_free(&align);
    for (unsigned i = 0; i < WRI_EXPLORER_COUNT; i++)
        if (wri_explorers[i]->free != NULL)
            wri_explorers[i]->free();
}
