/* cli/run.c: the command `warren run`, many test programs as one campaign. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/option_table.h"
#include "fleet/fleet.h"

#define MOST_PROGRAMS 10000

typedef struct options {
    wri_fleet_options fleet;
    uint32_t          json;
    unsigned          given;
    bool              help;
    const char      **programs;
} options;

#define FIELD(member) WRI_OPTION_FIELD(options, member)
#define SEED_GIVEN 1u
#define DURATION "a duration above 0, such as 30s, 500ms, 2m or 8h, up to 8760h"
#define LONGEST_MS (UINT64_C(8760) * 3600 * 1000)

static const wri_option ROWS[] = {
    { "for", 0, "DUR", NULL, WRI_OPTION_DURATION, FIELD(fleet.for_ms), 1, LONGEST_MS,
      .expected = DURATION, .help = "go round the properties for so long" },
    { "jobs", 0, "N", NULL, WRI_OPTION_NUMBER, FIELD(fleet.jobs), 1, 256,
      .expected = "a whole number from 1 to 256",
      .help = "worker processes of all programs (the cores)" },
    { "seed", 0, "N", NULL, WRI_OPTION_SEED, FIELD(fleet.seed), 0, UINT64_MAX, SEED_GIVEN,
      .expected = "a whole number below 2^64, decimal or 0x hexadecimal",
      .help = "the same campaign again (from the clock)" },
    { "store", 0, "STORE", NULL, WRI_OPTION_TEXT, FIELD(fleet.store), .rival = "no-store",
      .expected = "a folder, sqlite:FOLDER or redis://HOST/CAMPAIGN",
      .help = "the store of all programs (.warren beside .git)" },
    { "no-store", FIELD(fleet.no_store), .rival = "store", .help = "keep and read nothing" },
    { "on-bug", 0, "COMMAND", NULL, WRI_OPTION_TEXT, FIELD(fleet.on_bug), .expected = "a command",
      .help = "run this for each new bug, with its JSON as input" },
    { "patience", 0, "DUR", NULL, WRI_OPTION_DURATION, FIELD(fleet.patience_ms), 1, LONGEST_MS,
      .expected = DURATION, .help = "end a program that is silent for so long (60s)" },
    { "format", 0, "HOW", NULL, WRI_OPTION_WORD, FIELD(json), .words = "human|json",
      .help = "human, json (human)" },
    { "quiet", 'q', FIELD(fleet.quiet), .help = "print failures only" },
    { "help", 'h', FIELD(help), .help = "print this" },
};
static const wri_option_table TABLE = { ROWS, sizeof ROWS / sizeof *ROWS };

static int cannot(const char *line)
{
    fprintf(stderr, "warren run: %s\n", line);
    return WRI_CANNOT;
}

static int help(void)
{
    fputs("usage: warren run PROGRAM... [OPTION...] [-- OPTION... PATTERN...]\n\n"
          "Runs test programs as one campaign. Options and patterns behind -- are for the\n"
          "programs.\n\n",
          stdout);
    wri_option_table_help(&TABLE, stdout);
    fputs(
        "\nDUR is 30s, 500ms, 2m or 8h.\n\n"
        "exit status: 0 all held; 1 a property failed, gave up or was flaky; 77 all were\n"
        "skipped; 99 a program could not be run as asked; 130 interrupted with nothing failed\n",
        stdout);
    return fflush(stdout) == 0 ? 0 : cannot("cannot write to standard output");
}

static bool take_program(wri_option_reading *reading, char *text)
{
    options *to = reading->to;
    if (text[0] == '\0')
        return wri_option_table_mistake(reading, "expected a program, got \"\"");
    if (to->fleet.program_count >= MOST_PROGRAMS)
        return wri_option_table_mistake(reading, "more than %d programs", MOST_PROGRAMS);
    to->programs[to->fleet.program_count++] = text;
    return true;
}

static unsigned cores(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

static uint64_t seed_from_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + (uint64_t)getpid();
}

/* What is not given comes from the environment, or is usual. */
static void complete(options *with)
{
    wri_fleet_options *fleet = &with->fleet;
    const char        *no_store = getenv("WARREN_NO_STORE");
    fleet->programs = with->programs;
    fleet->json = with->json != 0;
    fleet->seed_given = (with->given & SEED_GIVEN) != 0;
    if (!fleet->seed_given)
        fleet->seed = seed_from_clock();
    if (fleet->jobs == 0)
        fleet->jobs = cores();
    if (fleet->patience_ms == 0)
        fleet->patience_ms = 60000;
    if (fleet->store == NULL && no_store != NULL && strcmp(no_store, "1") == 0)
        fleet->no_store = true;
    if (fleet->store == NULL && !fleet->no_store)
        fleet->store = getenv("WARREN_STORE");
}

static int run(options *with, int argc, char **argv)
{
    char               error[512];
    wri_option_reading reading = { &TABLE, with,         &with->given,
                                   error,  sizeof error, .operand = take_program };
    int                own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    if (!wri_option_table_arguments(&reading, own, argv))
        return cannot(error);
    if (with->help)
        return help();
    if (with->fleet.program_count == 0)
        return cannot("expected a program, got nothing");
    if (own < argc) {
        with->fleet.extra = (const char *const *)argv + own + 1;
        with->fleet.extra_count = (size_t)(argc - own - 1);
    }
    complete(with);
    return wri_fleet_run(&with->fleet);
}

int wri_run_command(int argc, char **argv)
{
    options with = { .programs = calloc((size_t)argc + 1, sizeof(char *)) };
    int     status = with.programs == NULL ? cannot("memory is out") : run(&with, argc, argv);
    free(with.programs);
    return status;
}
