/* cli/options.c: the options of a test program.
 *
 * One table says what options there are (cli/option_table.h reads it). The conductor decides what
 * an option means.
 */
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_table.h"
#include "core/folder.h"
#include "explore/explorer.h"
#include "machine/table/heuristics.h"

#define FIELD(member) WRI_OPTION_FIELD(wri_settings, member)
#define BAR_AND_WORD(word) "|" #word
#define AND_WORD(word) " " #word
#define DURATION "a duration above 0, such as 30s, 500ms, 2m or 1h, up to 8760h"
#define LONGEST_MS (UINT64_C(8760) * 3600 * 1000) /* a year: in nanoseconds it still fits */

static const wri_option OPTIONS[] = {
    { "cases", 0, "N", "CASES", WRI_OPTION_NUMBER, FIELD(cases), 1, UINT64_MAX, WRI_GIVEN_CASES,
      .expected = "a whole number from 1 to 18446744073709551615",
      .help = "cases a property, discards not counted (1000)", .group = "Everyday" },
    { "time", 0, "DUR", "TIME", WRI_OPTION_DURATION, FIELD(time_ms), 1, LONGEST_MS,
      WRI_GIVEN_TIME, .expected = DURATION, .help = "stop a property after so long" },
    { "seed", 0, "N", "SEED", WRI_OPTION_SEED, FIELD(seed), 0, UINT64_MAX, WRI_GIVEN_SEED,
      .expected = "a whole number below 2^64, decimal or 0x hexadecimal",
      .help = "the same run again (from the clock)" },
    { "replay", 0, "TOKEN", "REPLAY", WRI_OPTION_TOKEN, FIELD(replay),
      .expected = "a token, which begins with w1, or @FILE",
      .help = "one case again: a token, or @FILE that holds one" },
    { "bugs", 0, "HOW", "BUGS", WRI_OPTION_WORD, FIELD(many_bugs), .given = WRI_GIVEN_BUGS,
      .words = "one|many", .help = "one: stop at the first bug; many: go on (one)" },
    { "why", .variable = "WHY", FIELD(why),
      .help = "tell which other cases fail like the smallest one" },
    { "jobs", 0, "N", "JOBS", WRI_OPTION_NUMBER, FIELD(jobs), 1, 256,
      .expected = "a whole number from 1 to 256", .help = "worker processes (the cores)" },
    { "list", .help = "print the properties' names and places", FIELD(list) },
    { "quiet", 'q', .variable = "QUIET", FIELD(quiet), .rival = "verbose",
      .help = "print failures only" },
    { "verbose", 'v', .variable = "VERBOSE", FIELD(verbose), .rival = "quiet",
      .help = "print seeds, executions, rates" },
    { "help", 'h', .help = "print this", FIELD(help) },
    { "version", .help = "print the version", FIELD(version) },
    { "explore", 0, "HOW", "EXPLORE", WRI_OPTION_WORD, FIELD(explore), .given = WRI_GIVEN_EXPLORE,
      .words = "auto" WRI_NAMED_EXPLORERS(BAR_AND_WORD),
      .help = ("" WRI_NAMED_EXPLORERS(AND_WORD)) + 1, .group = "Which cases" },
    { "until-stable", .variable = "UNTIL_STABLE", FIELD(until_stable),
      .help = "stop a property when its cases show nothing new" },
    { "check-coverage", .variable = "CHECK_COVERAGE", FIELD(check_coverage),
      .help = "fail when a wr_cover or wr_sometimes is missed" },
    { "confidence", 0, "N", "CONFIDENCE", WRI_OPTION_NUMBER, FIELD(confidence), 2,
      1000000000000000000, .expected = "a whole number from 2 to 1000000000000000000",
      .help = "one wrong verdict on a wr_cover in N (1000000)" },
    { "seed-files", 0, "DIR", "SEED_FILES", WRI_OPTION_TEXT, FIELD(seed_files),
      .rival = "fuzz-files", .expected = "a folder", .help = "start from the files of a folder" },
    { "fuzz-files", 0, "PATH", "FUZZ_FILES", WRI_OPTION_TEXT, FIELD(fuzz_files),
      .rival = "seed-files", .expected = "a file or folder",
      .help = "start from inputs of a fuzzing target (WR_FUZZ)" },
    { "fuzz-export", 0, "DIR", "FUZZ_EXPORT", WRI_OPTION_TEXT, FIELD(fuzz_export),
      .rival = "no-store", .expected = "a folder",
      .help = "write the corpus as such inputs, and run nothing" },
    { "export", 0, "DIR", "EXPORT", WRI_OPTION_TEXT, FIELD(export_to), .rival = "no-store",
      .expected = "a folder", .help = "write the corpus as files, and run nothing" },
    { "shard", 0, "I/N", "SHARD", WRI_OPTION_PART, FIELD(shard), 1, 100000,
      .expected = "I/N with I from 1 to N, such as 2/5: the second of five parts",
      .help = "run one of N disjoint parts of the cases" },
    { "size", 0, "N", "SIZE", WRI_OPTION_NUMBER, FIELD(size), 0, 1000000, WRI_GIVEN_SIZE,
      .expected = "a whole number from 0 to 1000000",
      .help = "how large recursive values grow (30), or all cases" },
    { "depth", 0, "N", "DEPTH", WRI_OPTION_NUMBER, FIELD(depth), 0, 1000000, WRI_GIVEN_DEPTH,
      .expected = "a whole number from 0 to 1000000",
      .help = "enumerate: all values up to this depth" },
    { "at-once", .variable = "AT_ONCE", FIELD(at_once), .rival = "exactly",
      .help = "enumerate: up to the size in one search" },
    { "exactly", .variable = "EXACTLY", FIELD(exactly), .rival = "at-once",
      .help = "enumerate: only cases of just this size" },
    { "lean", 0, "HOW", "LEAN", WRI_OPTION_WORD, FIELD(plain), .words = "on|off",
      .help = "random draws prefer ends and repeats: on, off (on)" },
    { "strength", 0, "T", "STRENGTH", WRI_OPTION_NUMBER, FIELD(strength), 0, 16,
      WRI_GIVEN_STRENGTH, .expected = "a whole number from 0 to 16",
      .help = "combine: all combinations of T draws (2, then 3)" },
    { "fineness", 0, "F", "FINENESS", WRI_OPTION_NUMBER, FIELD(fineness), 1, 16,
      WRI_GIVEN_FINENESS, .expected = "a whole number from 1 to 16",
      .help = "radix: rows say F constructors on the way down a tree" },
    { "budget", 0, "N", "BUDGET", WRI_OPTION_NUMBER, FIELD(budget), 1, 1000000000000,
      WRI_GIVEN_BUDGET, .expected = "a whole number from 1 to 1000000000000",
      .help = "radix: runs of a row in the first round (10000)" },
    { "radix", 0, "HOW", "RADIX", WRI_OPTION_NUMBER, FIELD(radix), 2, 64, .words = "off|auto",
      .expected = "off, auto or a base from 2 to 64",
      .help = "combine: ranges as digits: off, auto, BASE (off)" },
    { "thin", 0, "HOW", "THIN", WRI_OPTION_WORD, FIELD(thin),
      .words = "off|combinations|distance",
      .help = "combine: off, combinations, distance (off)" },
    { "rows", 0, "FILE", "ROWS", WRI_OPTION_TEXT, FIELD(rows), .expected = "a file of rows",
      .help = "combine: rows that run as cases" },
    { "rows-out", 0, "FILE", "ROWS_OUT", WRI_OPTION_TEXT, FIELD(rows_out), .expected = "a file",
      .help = "combine: write the rows that were run" },
    { "constants", 0, "HOW", "CONSTANTS", WRI_OPTION_WORD, FIELD(constants),
      .words = "auto|on|off", .help = "draw constants of the program: on, off (guide, combine)" },
    { "redraw", 0, "HOW", "REDRAW", WRI_OPTION_WORD, FIELD(redraw), .given = WRI_GIVEN_REDRAW,
      .words = "uniform|skewed|off", .help = "refuted trees: uniform, skewed, off (uniform)" },
    { "swarm", 0, "HOW", "SWARM", WRI_OPTION_WORD, FIELD(no_swarm), .words = "on|off",
      .help = "restart: new weights now and then: on, off (on)" },
    { "learn", 0, "HOW", "LEARN", WRI_OPTION_WORD, FIELD(no_learning), .words = "on|off",
      .help = "restart: weights by what was refuted: on, off (on)" },
    { "deadline", 0, "DUR", "DEADLINE", WRI_OPTION_DURATION, FIELD(deadline_ms), 1, LONGEST_MS,
      WRI_GIVEN_DEADLINE, .expected = DURATION, .help = "CPU time one case may take (10s)",
      .group = "One case: its limits and its process" },
    { "memory", 0, "SIZE", "MEMORY", WRI_OPTION_BYTES, FIELD(memory), 1, UINT64_MAX,
      WRI_GIVEN_MEMORY,
      .expected = "bytes above 0, or a number with K, M, G or T, such as 512M, below 2^64",
      .help = "memory one case may hold (no limit)" },
    { "processes", 0, "N", "PROCESSES", WRI_OPTION_NUMBER, FIELD(processes), 1, 1000000,
      WRI_GIVEN_PROCESSES, .expected = "a whole number from 1 to 1000000",
      .help = "processes one case may have at a time (64)" },
    { "fork-each", .variable = "FORK_EACH", FIELD(fork_each), .given = WRI_GIVEN_FORK_EACH,
      .rival = "no-fork", .help = "a process for each case" },
    { "no-fork", .variable = "NO_FORK", FIELD(no_fork), .rival = "fork-each",
      .help = "run in this process, for a debugger" },
    { "shrink", 0, "HOW", "SHRINK", WRI_OPTION_WORD, FIELD(shrink), .given = WRI_GIVEN_SHRINK,
      .words = "bottom-up|top-down|off", .help = "bottom-up, top-down, off (bottom-up)",
      .group = "Failures: shrinking and keeping them" },
    { "shrink-time", 0, "DUR", "SHRINK_TIME", WRI_OPTION_DURATION, FIELD(shrink_time_ms), 1,
      LONGEST_MS, WRI_GIVEN_SHRINK_TIME, .expected = DURATION,
      .help = "time to shrink one failure (30s)" },
    { "store", 0, "DIR", "STORE", WRI_OPTION_TEXT, FIELD(store), .rival = "no-store",
      .expected = "a folder, sqlite:FOLDER or redis://HOST/CAMPAIGN",
      .help = "where failures are kept (.warren beside .git)" },
    { "no-store", .variable = "NO_STORE", FIELD(no_store), .rival = "store",
      .help = "keep and read nothing" },
    { "forget-stale", .variable = "FORGET_STALE", FIELD(forget_stale),
      .help = "remove stored failures that do not fit any more" },
    { "format", 0, "HOW", "FORMAT", WRI_OPTION_WORD, FIELD(format),
      .words = "human|github|tap|json|events", .help = "human, github, tap, json, events (human)",
      .group = "Reports" },
    { "junit", 0, "FILE", "JUNIT", WRI_OPTION_TEXT, FIELD(junit), .expected = "a file",
      .help = "write a JUnit file, too" },
    { "sarif", 0, "FILE", "SARIF", WRI_OPTION_TEXT, FIELD(sarif), .expected = "a file",
      .help = "write a SARIF file, too" },
    { "html", 0, "FILE", "HTML", WRI_OPTION_TEXT, FIELD(html), .expected = "a file",
      .help = "write a page for a browser, too" },
    { "observations", 0, "FILE", "OBSERVATIONS", WRI_OPTION_TEXT, FIELD(observations),
      .expected = "a file", .help = "write each case as a line of JSON, too" },
    { "color", 0, "WHEN", "COLOR", WRI_OPTION_WORD, FIELD(color), .words = "auto|always|never",
      .help = "auto, always, never (auto)" },
    { "patterns", 0, "HOW", "PATTERNS", WRI_OPTION_WORD, FIELD(abstraction),
      .given = WRI_GIVEN_PATTERNS, .words = "shared|objects|names|off",
      .help = "rules of bugs: shared, objects, names, off (shared)", .group = "Machines" },
    { "known", 0, "FILE", "KNOWN", WRI_OPTION_TEXT, FIELD(known), .expected = "a file of rules",
      .help = "a file of rules of bugs that are known" },
    { "order", 0, "HOW", "ORDER", WRI_OPTION_WORD, FIELD(order), .words = "partial|beside|as-is",
      .help = "orders of calls: partial, beside, as-is (partial)" },
    { "values", 0, "HOW", "VALUES", WRI_OPTION_WORD, FIELD(values_together),
      .words = "one-by-one|together", .help = "values vary: one-by-one, together (one-by-one)" },
    { "guards", 0, "HOW", "GUARDS", WRI_OPTION_WORD, FIELD(no_guards), .words = "on|off",
      .help = "learn what makes a bug harmless: on, off (on)" },
    { "join", 0, "HOW", "JOIN", WRI_OPTION_WORD, FIELD(join), .words = "off|on",
      .help = "tell failures of one cause as one bug: off, on (off)" },
    { "results", 0, "HOW", "RESULTS", WRI_OPTION_WORD, FIELD(no_results), .words = "on|off",
      .help = "run the same calls only once: on, off (on)" },
    { "calls", 0, "N", "CALLS", WRI_OPTION_NUMBER, FIELD(calls), 1, 1000000,
      .rival = "mean-calls", .expected = "a whole number from 1 to 1000000",
      .help = "every sequence has so many calls" },
    { "mean-calls", 0, "N", "MEAN_CALLS", WRI_OPTION_NUMBER, FIELD(mean_calls), 1, 1000000,
      .rival = "calls", .expected = "a whole number from 1 to 1000000",
      .help = "lengths are geometric, with this mean" },
    { NULL, 0, "LIST", "WITHOUT", WRI_OPTION_SET, FIELD(without), .words = WRI_HEURISTIC_WORDS,
      .expected = "names of heuristics" },
    /* store/redis/address.c reads these itself. */
    { NULL, 0, "TEXT", "REDIS_PASSWORD", WRI_OPTION_TEXT, FIELD(redis_password) },
    { NULL, 0, "FILE", "REDIS_PASSWORD_FILE", WRI_OPTION_TEXT, FIELD(redis_password) },
};
static const wri_option_table TABLE = { OPTIONS, sizeof OPTIONS / sizeof *OPTIONS };
_Static_assert(sizeof OPTIONS / sizeof *OPTIONS <= WRI_OPTION_MOST, "a reading has no room");

static bool take_pattern(wri_option_reading *reading, char *text)
{
    wri_settings *settings = reading->to;
    if (!*text)
        return wri_option_table_mistake(
            reading, "PATTERN: expected a property's name or a glob, got \"\"");
    ((char **)settings->patterns)[settings->pattern_count++] = text;
    return true;
}

/* The name of this program without its arguments. A framework may start a test under a name that
 * is no program's: Criterion calls all of them boxfort-worker. Then it is the path of the
 * executable. */
static const char *own_name(void)
{
    static char path[PATH_MAX];
    ssize_t     length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (length <= 0 || strchr(program_invocation_name, '/') != NULL ||
        strcmp(wri_folder_last_name(path), program_invocation_name) == 0)
        return program_invocation_name;
    char *here = path + (wri_folder_from_here(path) - path);
    if (here == path)
        return path;
    here[-2] = '.'; /* "./" before it */
    return here - 2;
}

bool wri_options_read(wri_settings *settings, int argc, char **argv, char ***patterns_memory,
                      char *error, size_t error_size)
{
    wri_option_reading reading = { &TABLE, settings,   &settings->given,
                                   error,  error_size, .operand = take_pattern };
    memset(settings, 0, sizeof *settings);
    *patterns_memory = NULL;
    settings->program = argc > 0 && argv[0] ? argv[0] : own_name();
    if (!wri_option_table_environment(&reading))
        return false;
    if (argc <= 1)
        return true;
    char **patterns = calloc((size_t)argc, sizeof *patterns);
    if (!patterns)
        return wri_option_table_mistake(&reading, "out of memory");
    settings->patterns = patterns;
    if (!wri_option_table_arguments(&reading, argc - 1, argv + 1)) {
        settings->patterns = NULL;
        settings->pattern_count = 0;
        free(patterns);
        return false;
    }
    *patterns_memory = patterns;
    return true;
}

void wri_options_help(FILE *out, const char *program)
{
    fprintf(out, "usage: %s [OPTION...] [PATTERN...]\n\n", program);
    fputs("Runs the properties whose names match a PATTERN (a glob), or all of them.\n\n", out);
    wri_option_table_help(&TABLE, out);
    fputs("\nDUR is 30s, 500ms, 2m or 1h; SIZE is bytes, or 512K, 64M, 2G. Options have\n"
          "twins, such as WARREN_CASES=50 or WARREN_NO_FORK=1; the command line wins.\n\n"
          "exit status: 0 all held; 1 a property failed, gave up or was flaky; 77 all were\n"
          "skipped; 99 it could not run as asked; 130 interrupted with nothing failed\n",
          out);
}
