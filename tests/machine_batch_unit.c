/* tests/machine_batch_unit.c: machines in workers: the log of the case that ends a batch, also of
 * one that crashes; calls counted up to the failing one; known bugs and sequences that were run
 * kept away from, by what the parent has written, in whatever order batches come back; a plan and
 * where it leads.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "chase/internal.h"
#include "machine/calls/book.h"
#include "machine/calls/log.h"
#include "machine/calls/sequence.h"
#include "run/runner.h"
#include "unit.h"

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                      \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

/* ---- A machine with two bugs, one of which crashes ---- */

typedef struct model {
    int64_t last, count;
} model;

enum { OPEN, WRITE, BREAK, END, COMMAND_COUNT };

static void do_open(wr_case *t, wr_call *call)
{
    (void)t;
    wr_give(call, wr_model(call));
}

static void do_write(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert(t, !(m->last == 1 && wr_value(call, 1) == 2)); /* 1 and then 2 */
    m->last = wr_value(call, 1);
    m->count++;
}

static void do_break(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    (void)t;
    if (m->last == 3)
        raise(SIGKILL);
}

static void do_end(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static uint64_t hash_count(const void *of)
{
    return (uint64_t)((const model *)of)->count;
}

static const wr_kind    FILES = { "file", .handle = true };
static const wr_kind    VALUE = { "value", .values = 4 };
static const wr_command COMMANDS[] = {
    [OPEN] = { "open", do_open, .gives = &FILES },
    [WRITE] = { "write", do_write, .takes = { &FILES, &VALUE }, .weight = 3 },
    [BREAK] = { "break", do_break, .takes = { &FILES } },
    [END] = { "end", do_end, .takes = { &FILES }, .consumes = 1u },
    [COMMAND_COUNT] = { 0 },
};
WR_MACHINE(writing, .commands = COMMANDS, .model_size = sizeof(model), .hash = hash_count);

static wri_machine     *machine;
static wri_runner      *runner;
static const wri_limits LIMITS = { .deadline_ms = 60000 };

static wri_job job_of(uint64_t from, uint64_t count, const wri_play_terms *terms)
{
    return (wri_job){ .body = wr_body_writing,
                      .options = &wr_machine_writing.options,
                      .size = 30,
                      .seed = 1,
                      .from = from,
                      .count = count,
                      .traced = true,
                      .play = *terms };
}

static wri_batch run_batch(unsigned slot, uint64_t from, uint64_t count,
                           const wri_play_terms *terms)
{
    wri_batch batch;
    wri_job   job = job_of(from, count, terms);
    job.explorer = &wri_explorer_random;
    wri_runner_batch(runner, slot, &job, false);
    while (wri_runner_wait(runner, &LIMITS, 1000) < 0)
        continue;
    wri_runner_batch_now(runner, slot, &batch);
    return batch;
}

/* ---- What a batch leaves behind ---- */

TEST(the_log_of_the_failing_case_is_there)
{
    const wri_play_terms terms = { .law = WRI_CALLS_FIXED, .calls = 30 };
    wri_sequence         calls = { 0 };
    unsigned             crashed = 0, failed = 0;
    for (uint64_t from = 0; from < 60;) {
        wri_outcome outcome;
        wri_batch   batch = run_batch(1, from, 60 - from, &terms);
        uint64_t    held = batch.next - from;
        CHECK(batch.played.sequences == held + (batch.end == WRI_BATCH_ENDED));
        from = batch.next + 1;
        if (batch.end != WRI_BATCH_ENDED) {
            CHECK(batch.played.calls == 30 * held);
            break;
        }
        wri_runner_batch_outcome(runner, 1, &outcome);
        CHECK(wri_sequence_read(machine, wri_runner_batch_trace(runner, 1), &calls));
        CHECK(calls.count > 0 && batch.played.calls == 30 * held + calls.count);
        unsigned last = calls.calls[calls.count - 1].command;
        CHECK(outcome.died ? last == BREAK : last == WRITE);
        crashed += outcome.died;
        failed += !outcome.died;
    }
    CHECK(crashed >= 3 && failed >= 3);
    free(calls.calls);
}

/* ---- What workers are told ---- */

static wri_pattern_call any_call(unsigned command)
{
    wri_pattern_call call = { .command = (uint8_t)command, .result = WRI_NO_VARIABLE };
    return call;
}

static wri_pattern_call write_of(int64_t value)
{
    wri_pattern_call call = any_call(WRITE);
    call.terms[1] = (wri_term){ .sort = WRI_TERM_RANGE, .least = value, .most = value };
    return call;
}

static const wri_avoided *avoid(const wri_pattern *const *patterns, size_t count)
{
    size_t             bytes = wri_avoided_bytes(patterns, count);
    wri_avoided       *compiled = malloc(bytes);
    const wri_avoided *known = NULL;
    CHECK(compiled != NULL);
    if (compiled != NULL) {
        wri_avoided_write(machine, patterns, count, compiled);
        known = wri_runner_avoid(runner, compiled, bytes);
    }
    free(compiled);
    return known;
}

TEST(known_bugs_are_kept_away_from)
{
    wri_pattern        numbers = { .count = 2,
                                   .calls = { write_of(1), write_of(2) },
                                   .before = { 0, 1 } };
    wri_pattern        crash = { .count = 2,
                                 .calls = { write_of(3), any_call(BREAK) },
                                 .before = { 0, 1 } };
    const wri_pattern *both[] = { &numbers, &crash };
    wri_play_terms     terms = { .law = WRI_CALLS_FIXED, .calls = 30 };
    terms.known = avoid(both, 2);
    CHECK(terms.known != NULL);
    wri_batch batch = run_batch(1, 0, 2000, &terms);
    CHECK(batch.end == WRI_BATCH_DONE && batch.next == 2000 && batch.played.cut == 0);
    CHECK(batch.played.calls == 30 * 2000 && batch.played.sequences == 2000);
    terms.known = avoid(both, 1);
    CHECK(run_batch(1, 0, 2000, &terms).end == WRI_BATCH_ENDED);
}

/* Whichever worker a batch runs in, it knows what was added, and itself. */
TEST(batches_do_not_depend_on_who_runs_them)
{
    wri_play_terms terms = { .law = WRI_CALLS_FIXED, .calls = 1, .ran = wri_runner_ran(runner) };
    wri_pattern none = { .count = 2, .calls = { write_of(1), write_of(2) }, .before = { 0, 1 } };
    wri_pattern crash = { .count = 2,
                          .calls = { write_of(3), any_call(BREAK) },
                          .before = { 0, 1 } };
    const wri_pattern *both[] = { &none, &crash };
    const uint64_t    *hashes;
    terms.known = avoid(both, 2);
    wri_batch one = run_batch(1, 0, 50, &terms);
    size_t    listed = wri_runner_list_ran(runner, 1, &hashes);
    uint64_t  sum = 0, again = 0;
    CHECK(one.end == WRI_BATCH_DONE && listed >= 50 && one.played.calls > 100);
    for (size_t i = 0; i < listed; i++)
        sum += hashes[i];
    wri_batch two = run_batch(2, 0, 50, &terms); /* nothing was added */
    CHECK(two.played.calls == one.played.calls);
    CHECK(wri_runner_list_ran(runner, 2, &hashes) == listed);
    for (size_t i = 0; i < listed; i++)
        again += hashes[i];
    CHECK(sum == again);
    for (size_t i = 0; i < listed; i++)
        wri_ran_add(wri_runner_ran(runner), hashes[i]);
    CHECK(run_batch(2, 0, 50, &terms).played.calls > two.played.calls);
    wri_ran_clear(wri_runner_ran(runner));
}

/* A batch that began here and has run one sequence. */
static wri_ran_part part_of(uint64_t from, uint64_t hash)
{
    uint64_t *hashes = malloc(sizeof *hashes);
    CHECK(hashes != NULL);
    *hashes = hash;
    return (wri_ran_part){ .from = from, .hashes = hashes, .count = 1 };
}

/* Where there is room for two more, which of three batches are remembered? A digit each. */
static int remembered_of(const uint64_t *froms, uint64_t settled)
{
    wri_ran     *ran = wri_runner_ran(runner);
    wri_ran_part parts[3];
    wri_quest    quest = { .runner = runner };
    wri_chase    chase = { .quest = &quest, .pace = { .ran = parts, .ran_count = 3 } };
    uint64_t     hash = 1000;
    while (ran->count + 2 < WRI_RAN_PLACES / 2)
        wri_ran_add(ran, hash++);
    for (unsigned i = 0; i < 3; i++)
        parts[i] = part_of(froms[i], froms[i]);
    wri_chase_settle_ran(&chase, settled);
    CHECK(chase.pace.ran_count == 0);
    int which = 100 * wri_ran_has(ran, 100) + 10 * wri_ran_has(ran, 200) + wri_ran_has(ran, 300);
    wri_ran_clear(ran);
    return which;
}

TEST(of_what_has_no_room_the_earlier_is_remembered)
{
    static const uint64_t ORDERS[][3] = {
        { 100, 200, 300 }, { 100, 300, 200 }, { 200, 100, 300 },
        { 200, 300, 100 }, { 300, 100, 200 }, { 300, 200, 100 }
    };
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++) {
        CHECK(remembered_of(ORDERS[i], UINT64_MAX) == 110);
        CHECK(remembered_of(ORDERS[i], 200) == 100);
    }
}

/* ---- Single cases ---- */

TEST(a_plan_tells_where_it_leads)
{
    wri_book      *book = wri_book_make(machine);
    wri_sequence   calls = { 0 };
    wri_trace      plan = { 0 };
    wri_outcome    outcome;
    wri_play_terms terms = { .law = WRI_CALLS_FIXED, .calls = 6, .told = true };
    wri_job        job = job_of(3, 1, &terms);
    wri_made       made[] = { { .command = OPEN },
                              { .command = WRITE, .arguments = { 0, 2 } },
                              { .command = WRITE, .arguments = { 0, 0 } } };
    wri_sequence   wanted = { .calls = made, .count = 3 };
    job.manner = WRI_MANNER_RANDOM;
    wri_runner_single(runner, &job, NULL, false, &LIMITS, &outcome);
    CHECK(book != NULL && wri_book_read(book, &outcome.trace));
    CHECK(wri_book_plan(book, &wanted, 0, &plan));
    job.manner = WRI_MANNER_ALIGNED;
    wri_runner_single(runner, &job, &plan, false, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_PASS && outcome.played.calls == 3 && outcome.played.there);
    CHECK(outcome.played.callable == 0xf);
    CHECK(wri_sequence_read(machine, &outcome.trace, &calls) &&
          wri_sequence_same(&calls, &wanted));
    uint64_t state = outcome.played.state;
    CHECK(wri_book_plan(book, &wanted, WRITE + 1, &plan));
    job.play.extra = WRITE + 1;
    wri_runner_single(runner, &job, &plan, false, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_PASS && outcome.played.calls == 4);
    CHECK(outcome.played.there && outcome.played.state != state);
    CHECK(wri_sequence_read(machine, &outcome.trace, &calls) && calls.count == 4);
    CHECK(calls.calls[3].command == WRITE);
    free(calls.calls);
    wri_trace_free(&plan);
    wri_book_free(book);
}

int main(int argc, char **argv)
{
    char             error[256];
    wri_runner_setup setup = { .jobs = 2, .machines = true };
    machine = wri_machine_read(&wr_machine_writing, "writing", "", 0, error, sizeof error);
    runner = wri_runner_start(&setup, error, sizeof error);
    CHECK(machine != NULL && runner != NULL);
    int status = run_tests(argc, argv);
    wri_runner_free(runner);
    puts("machine_batch: all checks passed");
    return status;
}
