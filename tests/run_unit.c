/* tests/run_unit.c: the room run/ by itself: a runner, its batches and single cases, and the
 * blocks of memory that an explorer's two sides share. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "explore/explorer.h"
#include "run/death.h"
#include "run/layout.h"
#include "run/runner.h"
#include "unit.h"

static wri_runner      *runner;
static const wri_limits LIMITS = { .deadline_ms = 10000 };

WR_PROPERTY(numbers_below_a_thousand)
{
    int64_t number = wr_int(t, "number", 0, 999);
    wr_assume(t, number % 2 == 0);
    wr_assert(t, number != 500);
}

static wri_job job_of(uint64_t from, uint64_t count)
{
    static const wr_options none = { 0 };
    return (wri_job){ .body = wr_body_numbers_below_a_thousand,
                      .options = &none,
                      .size = 30,
                      .seed = 1,
                      .from = from,
                      .count = count };
}

static wri_batch run_batch(const wri_job *job)
{
    wri_batch batch;
    wri_runner_batch(runner, 1, job, false);
    while (wri_runner_wait(runner, &LIMITS, 1000) < 0)
        continue;
    wri_runner_batch_now(runner, 1, &batch);
    return batch;
}

TEST(a_batch_counts_its_cases_and_ends_at_a_failure)
{
    wri_job job = job_of(0, 1000000);
    job.explorer = &wri_explorer_random;
    job.redraw = WRI_REDRAW_OFF;
    wri_batch   batch = run_batch(&job);
    wri_outcome outcome;
    CHECK(!batch.busy && batch.end == WRI_BATCH_ENDED && batch.drew);
    CHECK(batch.next > batch.discarded && batch.discarded > 0);
    wri_runner_batch_outcome(runner, 1, &outcome);
    CHECK(outcome.verdict.kind == WRI_ASSERTION && outcome.origin != 0);
    uint64_t journal = wri_runner_journal(runner, 1);
    wri_job  again = job_of(batch.next, 1);
    wri_runner_single(runner, &again, NULL, true, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_ASSERTION && wri_runner_journal(runner, 0) == journal);
    CHECK(outcome.trace.node_count == 2);
}

TEST(a_known_origin_is_counted_and_passed_over)
{
    wri_job job = job_of(0, 100000);
    job.explorer = &wri_explorer_random;
    job.redraw = WRI_REDRAW_OFF;
    wri_outcome outcome;
    CHECK(run_batch(&job).end == WRI_BATCH_ENDED);
    wri_runner_batch_outcome(runner, 1, &outcome);
    wri_runner_know(runner, outcome.origin, NULL);
    wri_batch batch = run_batch(&job);
    CHECK(batch.end == WRI_BATCH_DONE && batch.next == 100000 && batch.known > 0);
    CHECK(batch.known == batch.known_hits[0]);
    wri_runner_forget_all(runner);
}

TEST(a_plan_is_answered_by_address_and_by_order)
{
    wri_outcome outcome;
    wri_trace   plan = { 0 };
    wri_job     job = job_of(0, 1);
    wri_runner_single(runner, &job, NULL, true, &LIMITS, &outcome);
    CHECK(wri_trace_copy(&plan, &outcome.trace));
    plan.nodes[1].number = 500;
    job.manner = WRI_MANNER_ALIGNED;
    wri_runner_single(runner, &job, &plan, false, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_ASSERTION);
    job.manner = WRI_MANNER_EXACT;
    wri_runner_single(runner, &job, &plan, false, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_ASSERTION && outcome.exact_done);
    plan.nodes[1].max = 5; /* another property's */
    plan.nodes[1].number = 3;
    wri_runner_single(runner, &job, &plan, false, &LIMITS, &outcome);
    CHECK(outcome.verdict.kind == WRI_STALE);
    wri_trace_free(&plan);
}

TEST(an_exception_is_told_in_one_line_without_gaps)
{
    wri_verdict verdict = { 0 };
    int         output = open("/dev/null", O_RDWR);
    wri_death_describe(&verdict, SIGABRT, 0, "terminate called\n  what():  too long: aaa\n",
                       output);
    CHECK(strcmp(verdict.message, "killed by SIGABRT (Aborted): what(): too long: aaa") == 0);
    close(output);
}

TEST(explorers_that_are_used_have_their_blocks)
{
    CHECK(wri_runner_shared_block(runner, &wri_explorer_guide) != NULL);
    CHECK(wri_runner_shared_block(runner, &wri_explorer_enumerate) == NULL); /* it needs none */
    CHECK(wri_runner_block(runner, 1) != NULL);
    CHECK(wri_runner_block(runner, 0) != wri_runner_block(runner, 1));
}

TEST(no_two_parts_of_the_mapping_overlap)
{
    wri_worker_setup workers[3] = { 0 };
    wri_mapping      mapping = { 0 };
    CHECK(wri_layout_map(&mapping, workers, 3, (1u << WRI_EXPLORER_COUNT) - 1, true, true, true));
    const char *end = (const char *)mapping.shared + mapping.bytes;
    CHECK(mapping.avoided != NULL && mapping.ran != NULL);
    for (unsigned i = 0; i < 3; i++) {
        const wri_layout *at = &workers[i].layout;
        CHECK(at->text != NULL && at->judge == (i == 0));
        CHECK((char *)at->told < (char *)at->t && at->told != NULL);
        CHECK((char *)at->slot < (char *)at->block && (char *)at->block < (char *)at->t);
        CHECK((char *)at->t < (char *)at->journal && at->end <= end);
        CHECK(i == 0 || workers[i - 1].layout.end <= (char *)at->slot);
        CHECK((char *)workers[i].read_only + workers[i].read_only_bytes <= (char *)at->slot);
    }
    CHECK(munmap(mapping.shared, mapping.bytes) == 0);
}

/* What a worker tells may be anything: records that are read lie within the bytes, and their
 * texts end. */
TEST(records_of_cases_may_hold_anything)
{
    static wri_told   told;
    wri_told_case     record;
    const wri_verdict verdict = {
        .kind = WRI_ASSERTION, .line = 7, .file = "a.c", .message = "m"
    };
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t random = wri_prng_mix(seed + 1);
        size_t   size = 0, at = 0;
        wri_told_begin(&told);
        for (unsigned i = 0; i < 4; i++)
            told.used += wri_told_put(told.bytes + told.used, i, &verdict, "vx\0001", 5, 0);
        size_t whole = told.used;
        for (unsigned i = 0; seed > 0 && i < 3; i++) {
            random = wri_prng_mix(random);
            told.bytes[random % whole] = (char)(random >> 32);
        }
        told.used = seed % 7 == 6 ? random : whole;
        char *copy = wri_told_copy(&told, &size);
        CHECK(copy != NULL && (seed > 0 ? size <= sizeof told.bytes : size == whole));
        for (size_t bytes; (bytes = wri_told_read(copy, size, at, &record)) > 0; at += bytes) {
            const char *text = copy + at + sizeof record + record.text + record.features;
            CHECK(bytes <= size - at && strlen(text) < record.reason);
            CHECK(seed > 0 || strcmp(text, "m (a.c:7)") == 0);
        }
        CHECK(at == size);
        free(copy);
    }
}

/* The conductor and the case loop call these without looking: explorer.h says which. */
TEST(every_explorer_has_what_its_needs_call_for)
{
    for (unsigned i = 0; i < WRI_EXPLORER_COUNT; i++) {
        const wri_explorer *row = wri_explorers[i];
        bool                judged = (row->needs & WRI_NEEDS_JUDGE) != 0;
        CHECK((row->name != NULL) == (i < WRI_EXPLORERS_NAMED));
        CHECK(row->open != NULL && row->close != NULL && row->give != NULL);
        CHECK(row->conclude != NULL);
        CHECK(!judged || (row->plan != NULL && row->judged != NULL));
        CHECK(!judged || (row->needs & WRI_NEEDS_MACHINE));
        CHECK(judged || row->take != NULL);
        CHECK(row->owns == 0 || (row->send != NULL && row->remarks != NULL));
        bool runs = !judged && row->owns == 0; /* an owner's orders are those of other rows */
        CHECK(!runs || (row->begin != NULL && row->learn != NULL));
        CHECK(!runs || (row->needs & WRI_HOT) || row->next != NULL);
        CHECK(!(row->needs & WRI_NEEDS_PACE) || row->back != NULL);
        const wri_keeping *keeping = row->keeping;
        if (keeping == NULL)
            continue;
        CHECK(row->send != NULL && row->watch != NULL && row->watched != NULL);
        CHECK(keeping->most > 0 && keeping->recall != NULL && keeping->learnt != NULL);
        CHECK(keeping->keep != NULL && keeping->shows != NULL && keeping->describe != NULL);
    }
}

int main(int argc, char **argv)
{
    char             error[256];
    wri_runner_setup setup = { .jobs = 1,
                               .explorers =
                                   1u << WRI_EXPLORER_guide | 1u << WRI_EXPLORER_enumerate };
    runner = wri_runner_start(&setup, error, sizeof error);
    if (runner == NULL) {
        puts(error);
        return 1;
    }
    int status = run_tests(argc, argv);
    wri_runner_free(runner);
    return status != 0 ? status : failures > 0;
}
