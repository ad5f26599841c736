/* cli/fuzz.c: a property as the target of a fuzzer, which has main() and the process.
 *
 * A case runs in this process, answered by the fuzzer's bytes. Signals and sanitizers stay the
 * fuzzer's. Features that the case shows go into counters that libFuzzer takes for coverage.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "explore/answer.h"
#include "hunt/hunt.h"
#include "observe/watch.h"
#include "quest/bug.h"
#include "report/block.h"
#include "run/runner.h"
#include "store/token.h"

#include <warren/fuzz.h>

static struct {
    const wr_property_ *property;
    wri_runner         *runner;
    wri_trace           bytes; /* of the case, packed */
    uint8_t            *counters;
    size_t              count;
} target;

/* ---- Features ---- */

static void count_feature(uint64_t feature)
{
    target.counters[wri_hash_step(feature, 0) % target.count] = 1;
}

static void hit(wri_watch *self, wr_case *t, wri_feature_class class, uint64_t key,
                uint32_t *cache, const char *text)
{
    (void)self, (void)t, (void)cache, (void)text;
    if (class != WRI_FEATURE_EDGE && class != WRI_FEATURE_DISTANCE) /* the fuzzer's own */
        count_feature(key);
}

/* Each doubling of a number is a feature. */
static void value(wri_watch *self, wr_case *t, uint64_t key, double number, const char *text)
{
    (void)self, (void)t, (void)text;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    count_feature(wri_hash_step(key, bits >> 51)); /* sign, exponent, and one bit more */
}

static wri_watch watch_itself = { .hit = hit, .value = value };

static void watch(const wri_work *work, wr_case *t, uint64_t number)
{
    (void)number;
    t->seen = work->seen;
    t->watch = target.counters == NULL ? NULL : &watch_itself;
}

static void watched(wr_case *t)
{
    t->watch = NULL;
}

static const wri_explorer WATCHING = { .watch = watch, .watched = watched };

/* ---- The target ---- */

_Noreturn static void cannot(const char *what, const char *why)
{
    fprintf(stderr, "%s: WR_FUZZ: %s%s\n", program_invocation_short_name, what, why);
    _exit(99);
}

static void open_target(const char *name)
{
    char             error[300];
    wri_runner_setup setup = { .no_fork = true, .guest = true };
    wri_registry_ask();
    target.property = wri_registry_first();
    while (target.property != NULL && strcmp(target.property->name, name) != 0)
        target.property = target.property->next;
    if (target.property == NULL)
        cannot("there is no property called ", name);
    setup.machines = target.property->machine != NULL;
    target.runner = wri_runner_start(&setup, error, sizeof error);
    if (target.runner == NULL)
        cannot(error, "");
    wri_runner_no_leak_check(target.runner); /* the fuzzer has its own */
}

static void run(wri_manner manner, const wri_trace *plan, bool silent, wri_outcome *outcome)
{
    const wr_options *options = target.property->options;
    const wri_limits  none = { 0 };
    const wri_job     job = { .owner = target.property,
                              .body = target.property->body,
                              .options = options,
                              .size = options->size > 0 ? options->size : 30,
                              .redraw = WRI_REDRAW_OFF,
                              .manner = manner,
                              .silent = silent,
                              .explorer = &WATCHING };
    wri_runner_single(target.runner, &job, plan, false, &none, outcome);
}

/* Runs the case once more, for its values, and prints them. */
static void tell(const wri_outcome *failed)
{
    wri_outcome outcome;
    wri_bug     bug = { 0 };
    wri_trace   log = { 0 };
    uint32_t    label = wri_trace_label_hash(target.property->name);
    char       *token = wri_token_write(label, &failed->trace);
    bool        again = wri_trace_copy(&log, &failed->trace);
    if (again)
        run(WRI_MANNER_EXACT, &log, false, &outcome);
    if (again && wri_bug_describe(&bug, &outcome)) {
        wri_failure *told = &bug.failure;
        told->token = token;
        told->replayed = true; /* nobody has counted cases */
        fprintf(stderr, "\nFAIL  %s  ", target.property->name);
        wri_block_place(stderr, told->file, told->line);
        fputc('\n', stderr);
        wri_block_failure(stderr, told, wri_palette_of(false), false);
    }
    if (token != NULL)
        fprintf(stderr, "  replay, in the program without a fuzzer: %s --replay %s\n",
                target.property->name, token);
    fflush(stderr);
}

void wr_fuzz(const char *property, const uint8_t *data, size_t size, uint8_t *counters,
             size_t count)
{
    wri_outcome outcome;
    if (target.property == NULL)
        open_target(property);
    target.counters = count > 0 ? counters : NULL;
    target.count = count;
    target.bytes.number_count = 0;
    if (!wri_bytes_pack(&target.bytes, data, size < WRI_BYTES_MOST ? size : WRI_BYTES_MOST))
        cannot("out of memory", "");
    run(WRI_MANNER_BYTES, &target.bytes, true, &outcome);
    if (outcome.verdict.kind == WRI_MISUSE)
        cannot(outcome.verdict.message, "");
    if (!wri_verdict_failed(&outcome.verdict))
        return;
    target.counters = NULL;
    tell(&outcome);
    abort();
}
