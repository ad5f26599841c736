/* run/worker.c: running cases.
 *
 * A batch is a run of random cases on the fast path: between two cases lie a few stores and
 * a comparison or two. A single case is traced, and checked for everything that can be
 * checked. setjmp is called once a batch, not once a case: a case that jumps out comes back
 * into the loop, which goes on.
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/hole.h"
#include "plan/align.h"
#include "explore/answer.h"
#include "explore/guide/guide.h"
#include "explore/redraw.h"
#include "observe/coverage.h"

wri_worker wri_worker_now;

static wri_align    align;
static wri_trace    trace, plan;
static wri_text     text;
static wri_exact    exact;
static wri_aligned  aligned;
static wri_guide    guide;
static wri_walk     walk;
static wri_in_order in_order;
static wri_redraw  *redraw;
static wri_stage    stage;

/* Where the running case stands; static, so that a jump out of it changes nothing. */
static struct {
    uint64_t at, end, spare;
    enum { STAGE_BODY, STAGE_TEARDOWN, STAGE_DEFERRED, STAGE_OVER } stage;
    wri_record *largest;
} now;

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

/* ---- The end of a case ---- */

static void close_case(wr_case *t, const wr_options *options)
{
    if (now.stage == STAGE_BODY) {
        now.stage = STAGE_TEARDOWN;
        if (options->teardown != NULL)
            options->teardown(t);
    }
    now.stage = STAGE_DEFERRED;
    wri_case_finish(t);
    now.stage = STAGE_OVER;
}

/* A forked child of the code under test that came back here: says so, and is gone. */
_Noreturn static void end_stray(void)
{
    atomic_store(&wri_worker_now.slot->stray, now.at + 1);
    _exit(0);
}

static void end_if_stray(const wr_case *t)
{
    if (t->stray)
        end_stray();
}

/* Who answers in such a child: nobody. */
static uint64_t stray_choice(wri_answerer *self, wr_case *t, const wri_request *request,
                             uint32_t label)
{
    (void)self, (void)t, (void)request, (void)label;
    end_stray();
}

static void stray_array(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)request, (void)label, (void)count, (void)width, (void)numbers;
    end_stray();
}

/* After a case that forked: waits a moment for children to end or to come back. Those that
 * do neither are the code's own business. */
static bool child_came_back(wr_case *t)
{
    struct timespec moment = { .tv_nsec = 1000000 };
    for (int i = 0; i < 100; i++) {
        siginfo_t info = { 0 };
        if (atomic_load(&wri_worker_now.slot->stray) != 0)
            return true;
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD)
            break;
        if (info.si_pid != 0)
            waitpid(info.si_pid, NULL, WNOHANG);
        nanosleep(&moment, NULL);
    }
    t->forked = false;
    return atomic_load(&wri_worker_now.slot->stray) != 0;
}

static void set_verdict(wri_slot *slot, wri_verdict_kind kind, const char *message)
{
    slot->verdict.kind = kind;
    slot->verdict.frames = 0;
    slot->verdict.line = 0;
    slot->verdict.file[0] = '\0';
    snprintf(slot->verdict.message, sizeof slot->verdict.message, "%s", message);
}

static bool stray_failure(wr_case *t, wri_slot *slot)
{
    if (!t->forked || !child_came_back(t))
        return false;
    set_verdict(slot, WRI_STRAY,
                "a forked child returned from the property: end it with _exit()");
    return true;
}

/* What no case is seen doing, looked for after it: all of it costs system calls. */
static bool hidden_failure(wri_slot *slot, int output)
{
    atomic_store(&slot->phase, WRI_PHASE_CHECK);
    bool found = true;
    if (!wri_worker_now.setup.in_process && wri_undo_descriptors_closed())
        set_verdict(slot, WRI_DESCRIPTORS,
                    "standard input, output or error was closed and left closed");
    else if (!wri_worker_now.setup.in_process && wri_output_report_found(output, &slot->verdict))
        found = true;
    else if (wri_sanitizer_leaks_found())
        wri_output_describe_leak(output, &slot->verdict);
    else
        found = false;
    atomic_store(&slot->phase, WRI_PHASE_CASE);
    return found;
}

/* ---- Batches ---- */

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

static bool known_bug(const wri_verdict *verdict, uint64_t *hits)
{
    const wri_shared *shared = wri_worker_now.setup.shared;
    if (verdict->kind != WRI_ASSERTION)
        return false;
    uint32_t count = atomic_load(&((wri_shared *)(uintptr_t)shared)->known_count);
    uint64_t origin = wri_worker_assertion_origin(verdict);
    for (uint32_t i = 0; i < count && i < WRI_KNOWN_BUGS; i++)
        if (shared->known[i] == origin) {
            hits[i]++;
            return true;
        }
    return false;
}

static void make_up(void)
{
    if (now.spare > 0) {
        now.spare--;
        now.end++;
    }
}

/* Counts a case that jumped out or has failed; false when the parent must look at it. What a
 * case showed that counts for nothing is taken back. */
static bool counted(wri_slot *slot)
{
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
        if (!known_bug(&slot->verdict, slot->known_hits))
            return false;
        atomic_fetch_add_explicit(&slot->known, 1, memory_order_relaxed);
    }
    slot->verdict.kind = WRI_NONE;
    return true;
}

/* The rare things after a case that returned; false when it has failed by them. */
static WRI_COLD bool close_carefully(wr_case *t, wri_slot *slot, const wri_job *job)
{
    end_if_stray(t);
    close_case(t, job->options);
    if (stray_failure(t, slot) || (wri_observe_finish(t) && !counted(slot)))
        return false;
    return !(job->audit && hidden_failure(slot, wri_worker_now.setup.layout.output));
}

/* The hot loop: from now.at on, until the end, a stop, or a case that ends the batch. */
static bool run_cases(wr_case *t, wri_slot *slot, const wri_job *job)
{
    wr_body          *body = job->body;
    const wr_options *options = job->options;
    uint64_t          seed = job->seed, end = now.end;
    bool              careful = job->audit || options->teardown != NULL;
    bool              traced = t->trace != NULL;
    wri_record       *largest = now.largest;
    for (uint64_t at = now.at; at < end; at++) {
        now.at = at;
        now.stage = STAGE_BODY;
        atomic_store_explicit(&slot->index, at, memory_order_relaxed);
        wri_case_begin(t, wri_prng_stream(seed, at), at);
        if (WRI_UNLIKELY(traced))
            wri_case_begin_slow(t);
        if (options->setup != NULL)
            options->setup(t);
        body(t);
        largest = t->next > largest ? t->next : largest;
        now.largest = largest;
        if (WRI_UNLIKELY(careful || t->deferred != NULL || t->forked || t->stray ||
                         atomic_load_explicit(&t->called, memory_order_relaxed) != 0) &&
            !close_carefully(t, slot, job))
            return false;
        if (WRI_UNLIKELY(atomic_load_explicit(&slot->stop, memory_order_relaxed))) {
            now.at = at + 1;
            return true;
        }
    }
    now.at = end;
    return true;
}

static bool guided(const wri_job *job)
{
    return job->manner == WRI_MANNER_GUIDED || job->manner == WRI_MANNER_WATCHED;
}

/* The same loop, with a guide that decides on each case and learns from it. */
static bool run_guided(wr_case *t, wri_slot *slot, const wri_job *job)
{
    bool careful = job->audit || job->options->teardown != NULL;
    for (; now.at < now.end; now.at++) {
        now.stage = STAGE_BODY;
        atomic_store_explicit(&slot->index, now.at, memory_order_relaxed);
        wri_case_begin(t, wri_prng_stream(job->seed, now.at), now.at);
        wri_case_begin_slow(t);
        wri_guide_next(&guide, t, now.at);
        if (job->options->setup != NULL)
            job->options->setup(t);
        job->body(t);
        now.largest = t->next > now.largest ? t->next : now.largest;
        bool rare = careful || t->deferred != NULL || t->forked || t->stray ||
                    atomic_load_explicit(&t->called, memory_order_relaxed) != 0;
        bool fine = !rare || close_carefully(t, slot, job);
        wri_guide_learn(&guide, t, !fine, false);
        if (!fine)
            return false;
        if (WRI_UNLIKELY(atomic_load_explicit(&slot->stop, memory_order_relaxed))) {
            now.at++;
            return true;
        }
    }
    return true;
}

/* ---- Walks ---- */

static bool walks(const wri_job *job)
{
    return job->manner == WRI_MANNER_WALKED;
}

/* A case that was not refuted. It may be one that was met at a smaller bound. */
static void count_walked(wri_slot *slot)
{
    wri_walked *walked = &slot->walked;
    uint64_t    values = wri_walk_small(&walk) ? 0 : wri_hole_values(&walk);
    if (values == 0) {
        walked->repeated++;
        wri_seen_take_back(&slot->seen, now.at);
        return;
    }
    walked->cases++;
    walked->values = values > UINT64_MAX - walked->values ? UINT64_MAX : walked->values + values;
}

/* The case jumped out; false when the parent must look at it. */
static bool count_jumped(wr_case *t, wri_slot *slot)
{
    wri_walked *walked = &slot->walked;
    uint32_t    kind = slot->verdict.kind;
    if (kind != WRI_DISCARD && kind != WRI_OVERRUN) {
        bool again = wri_failed(&slot->verdict) && wri_walk_small(&walk);
        count_walked(slot); /* it is one, whatever came of it */
        if (again) {        /* it is none of this size, and was told of at its own */
            slot->verdict.kind = WRI_NONE;
            return true;
        }
        if (!known_bug(&slot->verdict, slot->known_hits))
            return false;
        atomic_fetch_add_explicit(&slot->known, 1, memory_order_relaxed);
        slot->verdict.kind = WRI_NONE;
        return true;
    }
    walked->cut |= kind == WRI_OVERRUN;
    if (kind == WRI_OVERRUN || walk.beyond)
        walked->beyond++;
    else if (walk.barren)
        walked->repeated++;
    else
        wri_hole_refuted(t);
    wri_seen_take_back(&slot->seen, now.at);
    slot->verdict.kind = WRI_NONE;
    return true;
}

static const char NOT_DETERMINISTIC[] = "the property is not deterministic: on the same choices "
                                        "it asked for fewer, so its cases cannot "
                                        "be enumerated";

/* The loop through all cases, from now.at on. */
static bool run_walk(wr_case *t, wri_slot *slot, const wri_job *job)
{
    const wr_options *options = job->options;
    bool              careful = job->audit || options->teardown != NULL;
    for (; now.at < now.end && slot->walked.cases < job->terms.wanted; now.at++) {
        if (!wri_hole_next(&walk)) {
            slot->walked.over = true;
            return true;
        }
        now.stage = STAGE_BODY;
        atomic_store_explicit(&slot->index, now.at, memory_order_relaxed);
        wri_case_begin(t, job->seed, now.at);
        if (options->setup != NULL)
            options->setup(t);
        job->body(t);
        if (WRI_UNLIKELY(careful || t->deferred != NULL || t->forked || t->stray ||
                         atomic_load_explicit(&t->called, memory_order_relaxed) != 0) &&
            !close_carefully(t, slot, job)) {
            count_walked(slot);
            return false;
        }
        if (WRI_UNLIKELY(!wri_hole_as_before(&walk))) {
            set_verdict(slot, WRI_MISUSE, NOT_DETERMINISTIC);
            return false;
        }
        count_walked(slot);
        if (WRI_UNLIKELY(atomic_load_explicit(&slot->stop, memory_order_relaxed))) {
            now.at++;
            return true;
        }
    }
    return true;
}

static void start_walk(wri_worker *w, const wri_job *job)
{
    wri_slot *slot = w->slot;
    size_t    count = slot->steps <= WRI_MAX_STEPS ? (size_t)slot->steps : 0;
    if (!wri_walk_start(&walk, &job->terms, &slot->walked, w->setup.layout.steps, &slot->steps,
                        count))
        abort(); /* reported as any other crash */
    walk.run = &now.at;
    walk.end = job->from + job->count;
    walk.shared_run = &slot->index;
    walk.shown = &slot->seen.count;
    w->t->limit = w->t->journal;
    w->t->trace = NULL;
    w->t->text = NULL;
    w->t->walk = &walk;
}

static bool learnt_and_counted(wr_case *t, wri_slot *slot, const wri_job *job)
{
    if (guided(job))
        wri_guide_learn(&guide, t, slot->verdict.kind != WRI_DISCARD,
                        slot->verdict.kind == WRI_DISCARD);
    return counted(slot);
}

/* The case of a walk was refuted, and nothing else is to be done about it: most cases of many
 * walks end like this. */
static bool only_refuted(wr_case *t, const wri_slot *slot, const wri_job *job)
{
    return walks(job) && slot->verdict.kind == WRI_DISCARD && job->options->teardown == NULL &&
           t->deferred == NULL && !t->forked && !t->stray && !job->audit &&
           atomic_load_explicit(&t->called, memory_order_relaxed) == 0;
}

/* ---- Drawn again ---- */

static void run_body(wr_case *t, const wri_job *job)
{
    if (job->options->setup != NULL)
        job->options->setup(t);
    job->body(t);
}

/* May what is refuted be drawn again? Only where nobody learns from it. */
static bool redraws(const wri_slot *slot, const wri_job *job)
{
    return job->manner == WRI_MANNER_RANDOM && slot->verdict.kind == WRI_DISCARD &&
           !atomic_load_explicit(&slot->stop, memory_order_relaxed);
}

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
    run_body(t, job);
    now.largest = t->next > now.largest ? t->next : now.largest;
    if (!close_carefully(t, slot, job))
        return false;
    wri_redraw_end(redraw, t);
    now.at++;
    return !atomic_load(&slot->stop);
}

/* ---- Batches of any kind ---- */

/* After a jump out of case now.at; true: go on with the next. */
static bool after_jump(wr_case *t, wri_slot *slot, const wri_job *job)
{
    if (only_refuted(t, slot, job)) {
        count_jumped(t, slot);
        now.at++;
        return !atomic_load_explicit(&slot->stop, memory_order_relaxed);
    }
    end_if_stray(t);
    now.largest = t->next > now.largest ? t->next : now.largest;
    close_case(t, job->options);
    wri_observe_finish(t);
    if (!wri_failed(&slot->verdict) && stray_failure(t, slot))
        return false;
    if (redraws(slot, job) && !(job->audit && wri_sanitizer_leaks_found()) &&
        wri_redraw_refuted(&redraw, t, job->redraw))
        return run_again(t, slot, job);
    wri_redraw_end(redraw, t);
    if (!(walks(job) ? count_jumped(t, slot) : learnt_and_counted(t, slot, job)))
        return false;
    now.at++;
    if (job->audit &&
        wri_sanitizer_leaks_found()) { /* a jump may leak, and no later case is to blame */
        slot->spoiled = true;
        return false;
    }
    return !atomic_load(&slot->stop);
}

static void run_batch(wri_worker *w)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    t->walk = NULL;
    t->recorded = false;
    wri_redraw_end(redraw, t);
    if (walks(job)) {
        start_walk(w, job);
    } else if (w->setup.in_process || guided(job) || job->traced) {
        trace_into_slot(w); /* a crash will want its token printed */
        t->text = NULL;
        if (guided(job))
            wri_guide_start(&guide, job->pool, job->seed, job->manner == WRI_MANNER_WATCHED);
    } else {
        t->limit = t->journal + WRI_MAX_CHOICES;
        t->trace = NULL;
        t->text = NULL;
    }
    t->answerer = walks(job) ? wri_answer_enumerating() : wri_answer_randomly();
    t->seen = &slot->seen;
    now.at = job->from;
    now.end = job->from + job->count;
    now.spare = job->spare;
    now.largest = t->journal;
    slot->verdict.kind = WRI_NONE;
    slot->end = WRI_BATCH_DONE;
    bool go_on = true;
    if (!guided(job)) /* there each case is looked at by itself */
        wri_coverage_begin();
    if (_setjmp(t->out) != 0)
        go_on = after_jump(t, slot, job);
    if (go_on && now.at < now.end &&
        !(walks(job)    ? run_walk
          : guided(job) ? run_guided
                        : run_cases)(t, slot, job))
        go_on = false;
    if (guided(job))
        wri_guide_stop(&guide);
    else
        wri_coverage_end();
    if (walks(job))
        wri_hole_sum_up(&walk);
    if (!go_on && slot->verdict.kind != WRI_NONE)
        slot->end = WRI_BATCH_ENDED;
    else if (!job->audit && hidden_failure(slot, w->setup.layout.output))
        slot->end = WRI_BATCH_SUSPECT;
    /* What leaked stays leaked, and a sanitizer reports a place once. */
    if (!w->setup.in_process && slot->end == WRI_BATCH_ENDED)
        slot->spoiled |= slot->verdict.kind > WRI_ASSERTION || wri_undo_descriptors_closed();
    atomic_store(&slot->index, now.at);
    slot->largest = (uint64_t)(now.largest - t->journal);
    slot->drew = now.largest > t->journal || (walks(job) && walk.drew);
    t->walk = NULL;
}

/* ---- Single cases ---- */

static wri_answerer *answerer_for(const wri_job *job)
{
    switch (job->manner) {
    case WRI_MANNER_EXACT: return wri_answer_exactly(&exact, &plan);
    case WRI_MANNER_ORDER: return wri_answer_in_order(&in_order, &plan);
    case WRI_MANNER_ALIGNED:
        if (!wri_align_start(&align, &plan))
            abort(); /* reported as any other crash */
        return wri_answer_aligned(&aligned, &align);
    default: return wri_answer_randomly();
    }
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
        !wri_redraw_refuted(&redraw, t, job->redraw))
        return false;
    begin_again(t, slot);
    return true;
}

static void run_single(wri_worker *w)
{
    wr_case  *t = w->t;
    wri_slot *slot = w->slot;
    wri_job  *job = &slot->job;
    trace_into_slot(w);
    if (job->silent)
        t->text = NULL;
    wri_redraw_end(redraw, t);
    t->answerer = answerer_for(job);
    t->recorded = job->manner == WRI_MANNER_EXACT || job->manner == WRI_MANNER_ORDER;
    t->seen = NULL;
    slot->verdict.kind = WRI_NONE;
    slot->exact_done = true;
    now.at = job->from;
    now.stage = STAGE_BODY;
    atomic_store(&slot->index, job->from);
    wri_case_begin(t, wri_prng_stream(job->seed, job->from), job->from);
    wri_case_begin_slow(t);
    if (job->pool != NULL) {
        wri_guide_start(&guide, job->pool, job->seed, true);
        wri_guide_watch(&guide, t, job->from);
    }
    if (_setjmp(t->out) == 0)
        run_body(t, job);
    else if (refuted_again(t, slot, job))
        run_body(t, job);
    end_if_stray(t);
    if (now.stage != STAGE_OVER)
        close_case(t, job->options);
    wri_observe_finish(t);
    if (job->pool != NULL)
        wri_guide_watched(&guide, t);
    if (job->manner == WRI_MANNER_EXACT)
        slot->exact_done = wri_exact_done(&exact);
    if (job->manner == WRI_MANNER_ORDER)
        slot->exact_done = wri_in_order_done(&in_order);
    if (slot->verdict.kind == WRI_NONE) {
        if (!stray_failure(t, slot) && !hidden_failure(slot, w->setup.layout.output))
            slot->verdict.kind = WRI_PASS;
    }
    slot->text_lost = text.lost;
    slot->spoiled = !w->setup.in_process && wri_undo_descriptors_closed();
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
    static wri_answerer  nobody = { .choose = stray_choice, .choose_many = stray_array };
    copy.stray = true;
    copy.verdict = &own;
    copy.answerer = &nobody;
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
    atomic_store(&wri_worker_now.slot->forks, 1);
}

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
    prepare_case(w);
    wri_case_current = wri_case_current_here = w->t;
    return wri_arena_start(&w->t->arena, WRI_MAX_CASE_BYTES);
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
    if (wanted->worker_setup != NULL)
        wanted->worker_setup();
    if (changed && !w->setup.in_process) { /* else it is as the zygote left it */
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
    atomic_store(&slot->phase, WRI_PHASE_CASE);
    make_ready(w);
    if (!wri_stage_begin(&stage, &slot->job.play))
        abort(); /* reported as any other crash */
    if (slot->order == WRI_ORDER_BATCH)
        run_batch(w);
    else
        run_single(w);
    fflush(NULL);
    if (!w->setup.in_process)
        wri_undo();
    if (slot->order == WRI_ORDER_BATCH && !w->setup.in_process)
        wri_output_clear(w->setup.layout.output);
    atomic_store(&slot->phase, WRI_PHASE_IDLE);
}

void wri_worker_finish(void)
{
    wri_worker *w = &wri_worker_now;
    if (w->ready_for != NULL && w->ready_for->worker_teardown != NULL)
        w->ready_for->worker_teardown();
    w->ready_for = NULL;
    wri_arena_free(&w->t->arena);
    wri_align_free(&align);
    wri_guide_free(&guide);
    wri_walk_free(&walk);
    wri_redraw_free(redraw);
    redraw = NULL;
    wri_stage_free(&stage);
    wri_case_current = wri_case_current_here = NULL;
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

static uint32_t next_order(wri_slot *slot, uint32_t seen)
{
    for (int i = 0; i < 2000; i++) { /* the parent often answers at once */
        if (atomic_load_explicit(&slot->order_number, memory_order_acquire) != seen)
            return atomic_load(&slot->order_number);
        relax();
    }
    while (atomic_load(&slot->order_number) == seen)
        wri_futex_wait(&slot->order_number, seen, 60000);
    return atomic_load(&slot->order_number);
}

bool wri_worker_prepare(const sigset_t *mask)
{
    no_core_files();
    limit_stack();
    wri_signals_install(false);
    wri_sanitizer_install();
    if (pthread_atfork(NULL, in_forking_worker, in_forked_child) != 0 || !wri_output_prepare())
        return false;
    wri_undo_remember(mask);
    return true;
}

_Noreturn void wri_worker_main(const wri_worker_setup *setup, pid_t zygote)
{
    wri_slot *slot = setup->layout.slot;
    bool      judging = setup->layout.text != NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != zygote) /* it died before that was in force */
        _exit(0);
    setpgid(0, 0);
    if (mprotect(setup->read_only, setup->read_only_bytes, PROT_READ) != 0)
        _exit(99);
    if (!wri_output_redirect(setup->layout.output, judging) || !wri_worker_begin(setup))
        _exit(99);
    atomic_store(&slot->began, 1);
    for (uint32_t seen = atomic_load(&slot->done_number);;) {
        seen = next_order(slot, seen);
        if (slot->order == WRI_ORDER_END)
            break;
        wri_output_clear(setup->layout.output); /* the last worker here may have died */
        wri_worker_obey();
        atomic_store(&slot->done_number, seen);
        atomic_fetch_add(&setup->shared->event, 1);
        wri_futex_wake(&setup->shared->event);
    }
    wri_worker_finish();
    _exit(0);
}
