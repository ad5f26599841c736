/* bench/machine.c: what a call of a machine costs.
 *
 * A process registry with five commands runs as a child of this one (`calls`): at random, guided, and
 * at random with twenty bugs that are known and avoided (registry.rules); the best of several runs
 * counts. CPU time is that of all processes, and calls are counted where they are made. Models,
 * preconditions, handles, the tables of what was called: all of it is in.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"

static char output[1 << 16];

/* Calls a CPU second. `rules` may be NULL. */
static double pace(const char *explore, const char *cases, const char *rules)
{
    char *arguments[] = { SUBJECT,    "--cases", (char *)cases, "--explore", (char *)explore,
                          "--seed",   "1",       "--jobs",      "1",         "--no-store",
                          "--format", "json",    "--calls",     "40",        "--bugs",
                          "many",     rules == NULL ? NULL : "--known", (char *)rules, NULL };
    child ran = run_child(arguments, output, sizeof output, true, NULL, NULL);
    const char *counted = strstr(output, "{\"calls\"");
    if (ran.status != 0 || counted == NULL) {
        progress_over();
        fprintf(stderr, "machine: the run %s ended with status %d\n", explore, ran.status);
        exit(99);
    }
    return json_number(json_member(counted, "calls")) / ran.cpu;
}

static double best_pace(const char *explore, const char *cases, const char *rules,
                        unsigned rounds)
{
    double best = 0;
    for (unsigned i = 0; i < rounds; i++) {
        progress("machine: %s, round %u of %u", explore, i + 1, rounds);
        double now = pace(explore, cases, rules);
        best = now > best ? now : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    results all = { .name = "machine" };
    bool    quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: machine [--quick]\n");
        return 99;
    }
    unsigned rounds = quick ? 2 : 5;
    printf("machine: what a call costs. CPU time of all processes, --jobs 1, --bugs many, --calls 40, "
           "seed 1,\nthe best of %u runs.\n", rounds);
    const char *cases = quick ? "50000" : "250000";
    double      plain = best_pace("random", cases, NULL, rounds);
    double      known = best_pace("random", cases, RULES, rounds);
    result(&all, "calls a CPU second, --explore random", plain, "calls/s", AT_LEAST, 2e6);
    result(&all, "calls a CPU second, twenty bugs known", known, "calls/s", AT_LEAST, 2e6);
    result(&all, "what a call costs then, to one without", plain / known, "times", AT_MOST, 2);
    result(&all, "calls a CPU second, --explore guide",
           best_pace("guide", cases, NULL, rounds), "calls/s", AT_LEAST, 1e6);
    progress_over();
    print_rows(&all, 0, "Warren");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
