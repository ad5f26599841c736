/* tests/cover_memory_unit.c: covering arrays while memory runs out, at each allocation in turn.
 *
 * Whatever fails, the answer is an array that a check finds complete, or one line that says why
 * there is none. Leaks are the sanitizers' to find.
 */
#include <stdio.h>

#include "check.h"
#include "cover/language/read.h"
#include "cover/language/rows.h"
#include "cover/language/write.h"
#include "cover/produce.h"
#include "cover_mutations.h"
#include "sanitized.h"
#include "starve.h"
#include "unit.h"

/* One allocation of so many fails. */
#ifndef STEP
#define STEP (SANITIZED ? 7 : 1)
#endif

/* A model and how to build it. The second text has CASA's constraints. */
typedef struct job {
    const char *text, *second;
    wrc_demand  demand;
    wrc_format  format;
} job;

static wrc_model *read_model(const job *task, wrc_complaint *complaint)
{
    return wrc_read_text("m", task->text, strlen(task->text), "c", task->second,
                         task->second == NULL ? 0 : strlen(task->second), (wrc_asked){ 0 },
                         complaint);
}

static bool write_row(void *state, const uint32_t *row)
{
    return wrc_writer_row(state, row);
}

static void see_tuple(void *state, const wrc_model *model, const wrc_tuple *tuple)
{
    char text[200];
    wrc_write_tuple(model, tuple, text, sizeof text);
    ++*(size_t *)state;
}

/* Reads, builds, writes. False: it was refused, with a line. */
static bool do_task(const job *task, wrc_outcome *outcome, wrc_complaint *complaint)
{
    wrc_writer writer;
    size_t     infeasible = 0;
    wrc_demand demand = task->demand;
    FILE      *out = fopen("/dev/null", "w");
    wrc_model *model = read_model(task, complaint);
    *outcome = (wrc_outcome){ 0 };
    demand.infeasible = demand.verify ? see_tuple : NULL;
    demand.infeasible_state = &infeasible;
    bool done = model != NULL && wrc_writer_open(&writer, out, model, task->format,
                                                 model->parameter_count, complaint);
    if (done) {
        done = wrc_produce(model, &demand, write_row, &writer, outcome, complaint);
        if (!wrc_writer_close(&writer, done) && done)
            done = wrc_model_complain(complaint, "not written");
    }
    CHECK(!done || !outcome->checked || outcome->coverage.missing == 0);
    CHECK(!done || outcome->built.rows > 0);
    wrc_coverage_free(&outcome->coverage);
    wrc_model_free(model);
    fclose(out);
    return done;
}

static void try_task(const job *task)
{
    wrc_outcome outcome = { 0 };
    bool        done = false;
    STARVE(STEP)
    {
        wrc_complaint complaint = { "" };
        done = do_task(task, &outcome, &complaint);
        CHECK(done || (complaint.text[0] != '\0' && strchr(complaint.text, '\n') == NULL));
        CHECK(done || starved());
        if (failures > 0) {
            printf("allocation %zu of %zu: %s\n", starving.at, starving.count, complaint.text);
            break;
        }
    }
    CHECK(done); /* at last nothing failed */
}

#define PAIRS "a: 1, 2, 3\nb: x, y, z\nc: 0, 1\nd: p, q, r\n"
#define WIDE                                                                                     \
    "model wide\nparameter a: 0..40\nparameter b: 0..30\nparameter c: 0..9\ncover 2 of all\n"

TEST(a_search_without_memory_is_refused_or_complete)
{
    try_task(&(job){ PAIRS "IF [a] = 1 THEN [b] <> \"x\";\n",
                     .demand = { .effort.moves = 20, .verify = true } });
    try_task(&(job){ "a: 1, 2, 3\nb: x (5), y | why, ~z\nc: 0, 1\n",
                     .demand = { .effort.moves = 20, .count = true },
                     .format = WRC_FORMAT_ACTS });
}

TEST(groups_without_memory_are_refused_or_complete)
{
    try_task(&(job){ PAIRS "{ a, b, c } @ 2\nIF [a] = 1 THEN [b] <> \"x\";\n",
                     .demand = { .effort.moves = 5, .verify = true } });
}

TEST(an_algebraic_array_without_memory_is_refused_or_complete)
{
    try_task(&(job){ "2\n6\n5 5 5 5 5 5\n", .demand = { .effort.moves = 1, .verify = true },
                     .format = WRC_FORMAT_JSON });
    try_task(&(job){ "2\n5\n6 4 3 2 2\n", .demand = { .effort.moves = 1, .verify = true } });
    try_task(&(job){ "3\n5\n4 4 4 4 3\n", .demand = { .effort.moves = 1, .count = true } });
}

TEST(digits_without_memory_are_refused_or_complete)
{
    try_task(&(job){ WIDE, .demand = { .effort.moves = 1, .radix = true, .verify = true },
                     .format = WRC_FORMAT_TSV });
    try_task(&(job){ WIDE "require a + b <= 60\n",
                     .demand = { .effort.moves = 1, .radix = true, .radix_base = 4 } });
}

static void note_rows(void *state, uint64_t rows)
{
    *(uint64_t *)state = rows;
}

static bool take_no_row(void *state, const uint32_t *row)
{
    (void)state, (void)row;
    return false;
}

/* The number of rows that are announced; 0: none. */
static uint64_t announced_rows(bool *done)
{
    job           task = { "3\n4\n1001 1001 1001 1001\n", .format = 0 };
    uint64_t      announced = 0;
    wrc_complaint complaint = { "" };
    wrc_outcome   outcome = { 0 };
    wrc_demand    demand = { .effort = {
                                 .moves = 1, .announce = note_rows, .announce_state = &announced } };
    wrc_model    *model = read_model(&task, &complaint);
    *done = model != NULL && wrc_produce(model, &demand, take_no_row, NULL, &outcome, &complaint);
    wrc_coverage_free(&outcome.coverage);
    wrc_model_free(model);
    return announced;
}

/* The last allocations are those of the rows. */
TEST(rows_that_there_is_no_memory_for_are_not_announced)
{
    bool done;
    memset(&starving, 0, sizeof starving);
    CHECK(announced_rows(&done) == UINT64_C(1001) * 1001 * 1001 && done);
    size_t count = starving.count;
    for (size_t at = count - 2; at <= count; at++) {
        memset(&starving, 0, sizeof starving);
        starving.at = at;
        CHECK((announced_rows(&done) > 0) == done);
    }
    memset(&starving, 0, sizeof starving);
}

TEST(every_language_without_memory_is_refused_or_read)
{
    for (int i = 0; i < SEED_COUNT; i++) {
        const char *rows = strstr(SEEDS[i], "\nR\n") + 3, *second = strchr(SEEDS[i], 'C');
        bool        casa = SEEDS[i][0] == '2';
        char        text[1024];
        snprintf(text, sizeof text, "%.*s", (int)(rows - 2 - SEEDS[i]), SEEDS[i]);
        if (casa)
            text[second - SEEDS[i]] = '\0';
        job task = { text, casa ? text + (second + 1 - SEEDS[i]) : NULL, .format = 0 };
        STARVE(STEP)
        {
            wrc_complaint complaint = { "" };
            wrc_rows      read;
            wrc_model    *model = read_model(&task, &complaint);
            bool          kept = model != NULL &&
                        wrc_rows_parse(model, "r", rows, strlen(rows), &read, &complaint);
            if (kept) {
                kept = wrc_rows_keep(model, &read, &complaint);
                wrc_rows_free(&read);
            }
            wrc_model_free(model);
            CHECK(kept || (starved() && complaint.text[0] != '\0'));
            wrc_model *own = wrc_rows_model("r", rows, strlen(rows), 2, &complaint);
            CHECK(own != NULL || starved());
            wrc_model_free(own);
        }
    }
}

static void see_coverage(void *state, const wrc_coverage *coverage)
{
    (void)state;
    CHECK(coverage->tuples == coverage->covered + coverage->infeasible + coverage->missing);
}

TEST(a_measurement_without_memory_is_refused_or_whole)
{
    static const char ROWS[] = "a,b,c,d\n1,y,0,p\n2,x,1,q\n3,z,0,r\n";
    job               task = { PAIRS "IF [a] = 1 THEN [b] <> \"x\";\n", .format = 0 };
    wrc_complaint     complaint = { "" };
    wrc_rows          rows;
    wrc_model        *model = read_model(&task, &complaint);
    CHECK(wrc_rows_parse(model, "r", ROWS, strlen(ROWS), &rows, &complaint));
    STARVE(1)
    {
        wrc_faults faults;
        complaint.text[0] = '\0';
        bool done = wrc_produce_measure(model, rows.cells, rows.count, 3, 5, see_coverage, NULL,
                                        &faults, &complaint);
        CHECK(done || (starved() && complaint.text[0] != '\0'));
    }
    wrc_rows_free(&rows);
    wrc_model_free(model);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
