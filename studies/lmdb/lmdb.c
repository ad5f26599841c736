/* studies/lmdb/lmdb.c: what a cursor of LMDB does that it should not, each misbehaviour once.
 *
 * Hunts for many bugs with the machine of machine.c, on the library that is installed, and prints
 * each report: what went wrong, the calls, and the rule. Then the bars: that a known loss of data
 * is among the reports, how many there are, and how many calls have shown nothing new since the
 * last of them; in the default mode and without guards.
 *
 *     lmdb [--quick]     the reports and the bars
 *     lmdb --assert N    exits 1 unless the loss is among the reports of seeds 1..N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"
#include "seeds.h"

#define SEEDS 3
#define QUICK_SEEDS 1
#define CASES "50000"
#define FEW_CASES "200" /* that are enough for the loss */
#define SEEDS_MOST 100

#define SECONDS_MOST 30
#define REPORTS_MOST 12
#define QUIET_CALLS 1e6

#ifdef MACHINE

static char output[1 << 22];

/* ---- Reports ---- */

/* The next line of the text is this call, with any arguments. */
static bool next_is(const char **at, const char *call)
{
    size_t length = strlen(call);
    if (strncmp(*at, call, length) != 0 || (*at)[length] != '(')
        return false;
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
    return true;
}

/* put(k, a), the cursor on it, put(k, b), the cursor deletes: and b is gone, too. */
static bool is_the_loss(const char *calls)
{
    const char *at = calls;
    return next_is(&at, "put") && next_is(&at, "cursor_get") && next_is(&at, "put") &&
           next_is(&at, "cursor_del") && *at == '\0';
}

static void print_lines(const char *title, const char *lines)
{
    const char *word = title;
    while (*lines != '\0') {
        int length = (int)strcspn(lines, "\n");
        printf("     %-6s %.*s\n", word, length, lines);
        lines += length + (lines[length] == '\n');
        word = "";
    }
}

static void print_report(const char *failure, unsigned number)
{
    static char text[4096];
    printf("\n  %2u\n", number);
    if (json_text(json_member(failure, "message"), text, sizeof text))
        print_lines("", text);
    if (json_text(json_member(json_member(failure, "values"), "calls"), text, sizeof text))
        print_lines("calls", text);
    if (json_text(json_member(failure, "rule"), text, sizeof text))
        print_lines("rule", text);
}

/* ---- A run ---- */

typedef struct hunt {
    bool     run, loss;
    double   seconds, calls, last_new; /* calls until the last report was met */
    unsigned reports;
} hunt;

static void note_new(hunt *into, const char *failure)
{
    double met = json_number(json_member(failure, "calls_found"));
    into->last_new = met > into->last_new ? met : into->last_new;
}

static void read_failure(hunt *into, const char *failure, bool printing)
{
    char calls[4096] = "";
    note_new(into, failure);
    into->reports++;
    if (json_text(json_member(json_member(failure, "values"), "calls"), calls, sizeof calls))
        into->loss |= is_the_loss(calls);
    if (printing)
        print_report(failure, into->reports);
}

static hunt hunt_once(unsigned seed, const char *cases, const char *guards, bool printing)
{
    char  seed_text[16];
    char *arguments[] = { MACHINE,  "--bugs",     "many",          "--guards",    (char *)guards,
                          "--seed", seed_text,    "--cases",       (char *)cases, "--format",
                          "json",   "--no-store", "--shrink-time", "5s",          NULL };
    snprintf(seed_text, sizeof seed_text, "%u", seed);
    progress("lmdb: seed %u, guards %s", seed, guards);
    child       ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    hunt        one = { .run = ran.status == 1, .seconds = ran.seconds };
    const char *failures = json_member(output, "failures");
    const char *subsumed = json_member(output, "subsumed");
    progress_over();
    one.calls = json_number(json_member(output, "calls"));
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;)
        read_failure(&one, at, printing);
    for (const char *at = NULL; (at = json_next_element(subsumed, at)) != NULL;)
        note_new(&one, at);
    return one;
}

/* ---- The tables ---- */

static void enter_loss(results *into)
{
    hunt few = hunt_once(1, FEW_CASES, "on", false);
    result(into, "the loss of data among the reports of " FEW_CASES " cases", few.loss, "reports",
           EXACTLY, 1);
    result(into, "seconds of that run", few.seconds, "s", AT_MOST, SECONDS_MOST);
}

/* The worst of the seeds. */
static void enter_reports(results *into, const hunt *hunts, unsigned seeds, const char *guards)
{
    unsigned most = 0;
    double   quiet = hunts[0].calls;
    char     measure[96];
    for (unsigned i = 0; i < seeds; i++) {
        double now = hunts[i].calls - hunts[i].last_new;
        quiet = now < quiet ? now : quiet;
        most = hunts[i].reports > most ? hunts[i].reports : most;
    }
    snprintf(measure, sizeof measure, "guards %s: reports, the most of a seed", guards);
    result(into, measure, most, "reports", AT_MOST, REPORTS_MOST);
    snprintf(measure, sizeof measure, "guards %s: calls since the last new report", guards);
    result(into, measure, quiet, "calls", AT_LEAST, QUIET_CALLS);
}

static void print_hunts(const hunt *hunts, unsigned seeds, const char *guards)
{
    printf("\nGuards %s\n  %6s %8s %10s %18s %8s %6s\n", guards, "seed", "reports", "calls",
           "since the last new", "seconds", "loss");
    for (unsigned i = 0; i < seeds; i++)
        printf("  %6u %8u %10.0f %18.0f %8.1f %6s%s\n", i + 1, hunts[i].reports, hunts[i].calls,
               hunts[i].calls - hunts[i].last_new, hunts[i].seconds, hunts[i].loss ? "yes" : "no",
               hunts[i].run ? "" : "  could not be run");
    fflush(stdout);
}

static int tables(bool quick)
{
    static const char *const GUARDS[] = { "on", "off" };
    static results           all = { .name = "lmdb" };
    unsigned                 seeds = quick ? QUICK_SEEDS : SEEDS;
    printf("lmdb: a cursor over sorted duplicates beside a model, --bugs many, %s cases a seed,\n"
           "seeds 1..%u. The reports of seed 1:\n",
           CASES, seeds);
    enter_loss(&all);
    for (unsigned g = 0; g < 2; g++) {
        hunt hunts[SEEDS];
        for (unsigned i = 0; i < seeds; i++)
            hunts[i] = hunt_once(i + 1, CASES, GUARDS[g], i == 0 && g == 0);
        print_hunts(hunts, seeds, GUARDS[g]);
        enter_reports(&all, hunts, seeds, GUARDS[g]);
    }
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int assert_seeds(size_t seeds)
{
    int wrong = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        hunt one = hunt_once(seed, FEW_CASES, "on", false);
        wrong |= !one.run || !one.loss;
        printf("seed %u: %u reports, %s the loss\n", seed, one.reports,
               one.loss ? "with" : "without");
    }
    return wrong;
}

#else

static int assert_seeds(size_t seeds)
{
    (void)seeds;
    return 77;
}

static int tables(bool quick)
{
    results none = { .name = "lmdb" };
    (void)quick;
    printf("lmdb: not run: LMDB was not there when Warren was built (Debian: liblmdb-dev)\n");
    return write_results(&none, RESULTS) == 0 ? 0 : 1;
}

#endif

int main(int argc, char **argv)
{
    return main_over_seeds(argc, argv, "lmdb", SEEDS_MOST, tables, assert_seeds);
}
