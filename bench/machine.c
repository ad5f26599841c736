/* bench/machine.c: what a call of a machine costs.
 *
 * A process registry with five commands runs as a child of this one (`calls`), at random and
 * guided; the best of several runs counts. CPU time is that of all processes, and calls are
 * counted where they are made. Models, preconditions, handles, the tables of what was called: all
 * of it is in. So is, where bugs are known, everything that is drawn and not called: the rules
 * are given as a file
 * (`--known`), and sequences grow as they do by themselves, or have 40 calls each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"
#include "rules.h"

static char output[1 << 16];

/* The first rules, in a file; none: NULL. */
static const char *known_file(unsigned rules)
{
    const char *end = RULES;
    for (unsigned i = 0; i < rules && end != NULL; i++)
        end = strstr(end + 1, "\nrule ");
    if (rules == 0)
        return NULL;
    FILE  *file = fopen(KNOWN, "w");
    size_t length = end == NULL ? sizeof RULES - 1 : (size_t)(end + 1 - RULES);
    if (file == NULL || fwrite(RULES, 1, length, file) != length || fclose(file) != 0) {
        fprintf(stderr, "machine: %s cannot be written\n", KNOWN);
        exit(99);
    }
    return KNOWN;
}

typedef struct run {
    const char *explore, *cases, *calls; /* calls: of each sequence; NULL: as they grow */
    unsigned    rules;
} run;

/* Calls a CPU second. */
static double pace(const run *what)
{
    const char *known = known_file(what->rules);
    char       *arguments[] = { SUBJECT,
                                "--cases",
                                (char *)what->cases,
                                "--explore",
                                (char *)what->explore,
                                "--seed",
                                "1",
                                "--jobs",
                                "1",
                                "--no-store",
                                "--format",
                                "json",
                                NULL,
                                NULL,
                                NULL,
                                NULL,
                                NULL };
    size_t      used = sizeof arguments / sizeof *arguments - 5;
    if (known != NULL) {
        arguments[used++] = "--known";
        arguments[used++] = (char *)known;
    }
    if (what->calls != NULL) {
        arguments[used++] = "--calls";
        arguments[used++] = (char *)what->calls;
    }
    child       ran = run_child(arguments, output, sizeof output, true, NULL, NULL);
    const char *counted = strstr(output, "{\"calls\"");
    if (ran.status != 0 || counted == NULL) {
        progress_over();
        fprintf(stderr, "machine: the run %s, %u rules, ended with status %d\n", what->explore,
                what->rules, ran.status);
        exit(99);
    }
    return json_number(json_member(counted, "calls")) / ran.cpu;
}

static double better(double a, double b)
{
    return a > b ? a : b;
}

static double best_pace(const run *what, unsigned rounds)
{
    double best = 0;
    for (unsigned i = 0; i < rounds; i++) {
        progress("machine: %s, %u rules, round %u of %u", what->explore, what->rules, i + 1,
                 rounds);
        best = better(best, pace(what));
    }
    return best;
}

#define ROUNDS 9
#define TURNS 27 /* of those that are compared, each as much shorter */

static int by_size(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* With so many bugs known, for sequences of so many calls. What is compared is run in turns, and
 * the median of the rounds' ratios counts: the machine may be faster now than it was a minute
 * ago. */
static void known_bugs(results *all, const char *calls, const char *cases, unsigned rounds)
{
    char   name[128];
    double without = 0, six = 0, ratios[TURNS];
    for (unsigned i = 0; i < rounds; i++) {
        progress("machine: known bugs, round %u of %u", i + 1, rounds);
        double now = pace(&(run){ "random", cases, calls, 0 });
        ratios[i] = now / pace(&(run){ "random", cases, calls, RULES_MOST });
        without = better(without, now);
        six = better(six, pace(&(run){ "random", cases, calls, BUGS }));
    }
    qsort(ratios, rounds, sizeof *ratios, by_size);
    const char *length = calls == NULL ? "sequences as they grow" : "sequences of 40";
    snprintf(name, sizeof name, "calls a CPU second, %s, no bug known", length);
    result(all, name, without, "calls/s", AT_LEAST, 2e6);
    snprintf(name, sizeof name, "calls a CPU second, %s, six bugs known", length);
    result(all, name, six, "calls/s", AT_LEAST, 2e6);
    snprintf(name, sizeof name, "cost of a call, %s, 20 bugs known to none", length);
    result(all, name, ratios[rounds / 2], "times", AT_MOST, 2);
}

int main(int argc, char **argv)
{
    results all = { .name = "machine" };
    bool    quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: machine [--quick]\n");
        return 99;
    }
    unsigned rounds = quick ? 3 : ROUNDS, turns = quick ? 3 : TURNS;
    printf(
        "machine: what a call costs. CPU time of all processes, --jobs 1, seed 1, the best of %u "
        "runs;\nknown bugs: %u runs in turns, of ratios the median.\n",
        rounds, turns);
    known_bugs(&all, NULL, quick ? "5000" : "10000", turns);
    known_bugs(&all, "40", quick ? "50000" : "70000", turns);
    result(&all, "calls a CPU second, --explore guide",
           best_pace(&(run){ "guide", quick ? "100000" : "500000", NULL, 0 }, rounds), "calls/s",
           AT_LEAST, 1e6);
    progress_over();
    print_rows(&all, 0, "Warren");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
