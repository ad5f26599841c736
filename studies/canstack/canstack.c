/* studies/canstack/canstack.c: how many calls until each of nine faults is found, by which mode.
 *
 * Runs the machine once for each seed and mode, with all faults on, as a user would. A fault's
 * figure is the number of calls made until it was reported, smallest case and all, or, where
 * failures are not shrunk, until it was met. All calls count: exploring, shrinking, generalising.
 *
 *     canstack [--quick]     the tables
 *     canstack --assert N    exits 1 unless seeds 1..N find all faults in the default mode
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"
#include "seeds.h"
#include "stack.h"

#define SEEDS_MOST 20
#define SEEDS 4
#define QUICK_SEEDS 2

/* ---- The modes ---- */

typedef struct mode {
    const char *name;
    const char *machine;
    const char *options[16]; /* up to NULL */
    bool        told;    /* the fault is the class of a failure: such modes know no patterns */
    bool        shrinks; /* a fault counts as found when it is reported */
    unsigned    cases;
    const char *paper[CAN_FAULTS]; /* what the paper printed for its own nine, in its order */
} mode;

#define PUBLISHED                                                                                \
    "--bugs", "many", "--shrink", "top-down", "--results", "off", "--mean-calls", "40"

static const mode MODES[] = {
    { "QC+S",
      "canstack",
      { PUBLISHED, "--patterns", "off" },
      true,
      true,
      10000,
      { "5k", "1,000k", "2,000k", "500k", "1,000k", "2,000k", "-", "-", "1,000k" } },
    { "RDS",
      "canstack_without_macros",
      { "--explore", "feedback", "--bugs", "many", "--shrink", "off", "--patterns", "off" },
      true,
      false,
      80000,
      { "100k", "-", "-", "-", "-", "-", "-", "-", "-" } },
    { "RDS, macros",
      "canstack",
      { "--explore", "feedback", "--bugs", "many", "--shrink", "off", "--patterns", "off" },
      true,
      false,
      80000,
      { "" } },
    { "MoreBugs",
      "canstack",
      { PUBLISHED, "--order", "beside", "--values", "together", "--guards", "off" },
      false,
      true,
      16000,
      { "5k", "1,000k", "-", "2,000k", "-", "500k", "500k", "1,000k", "1,000k" } },
    { "default", "canstack", { "--bugs", "many" }, false, true, 6000, { "" } },
};
#define MODE_COUNT (sizeof MODES / sizeof *MODES)
#define DEFAULT_MODE (MODE_COUNT - 1)

/* ---- One seed ---- */

typedef struct trial {
    bool     run;
    double   calls;             /* all that were made */
    double   found[CAN_FAULTS]; /* after so many; 0: it was not found */
    unsigned reports;           /* that were kept, */
    unsigned unclear;           /* and those in which no fault had acted: of the model */
} trial;

static trial *trials; /* shared; of seed 1 and those after it */
static char   output[1 << 23];

/* The fault that a failure's note names, from 0; CAN_FAULTS: none. */
static unsigned fault_of(const char *failure)
{
    static const char START[] = "the fault that acted last: ";
    char              text[200];
    const char       *notes = json_member(failure, "notes");
    const char       *note = notes == NULL ? NULL : json_next_element(notes, NULL);
    if (note == NULL || !json_text(note, text, sizeof text) ||
        strncmp(text, START, sizeof START - 1) != 0)
        return CAN_FAULTS;
    unsigned long number = strtoul(text + sizeof START - 1, NULL, 10);
    return number >= 1 && number <= CAN_FAULTS ? (unsigned)number - 1 : CAN_FAULTS;
}

static void enter_failure(trial *into, const char *failure, bool shrinks)
{
    unsigned fault = fault_of(failure);
    double   calls = json_number(json_member(failure, shrinks ? "calls_before" : "calls_found"));
    if (fault == CAN_FAULTS)
        into->unclear++;
    else if (into->found[fault] <= 0 || calls < into->found[fault])
        into->found[fault] = calls;
}

static trial read_trial(const child *ran, bool shrinks)
{
    trial       one = { .run = ran->status == 0 || ran->status == 1 };
    const char *failures = json_member(output, "failures");
    const char *subsumed = json_member(output, "subsumed");
    one.calls = json_number(json_member(output, "calls"));
    one.reports = (unsigned)json_list_length(failures);
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;)
        enter_failure(&one, at, shrinks);
    for (const char *at = NULL; (at = json_next_element(subsumed, at)) != NULL;)
        enter_failure(&one, at, shrinks);
    return one;
}

typedef struct inquiry {
    const mode *by;
    unsigned    cases;
} inquiry;

static void ask_one(size_t index, const void *context)
{
    const inquiry *about = context;
    char           seed[32], cases[32];
    char          *arguments[32] = { MACHINE,     (char *)about->by->machine,
                                     "--seed",    seed,
                                     "--cases",   cases,
                                     "--format",  "json",
                                     "--jobs",    "1",
                                     "--no-store" };
    size_t         count = 11;
    for (size_t i = 0; about->by->options[i] != NULL; i++)
        arguments[count++] = (char *)about->by->options[i];
    snprintf(seed, sizeof seed, "%zu", index + 1);
    snprintf(cases, sizeof cases, "%u", about->cases);
    setenv("CANSTACK_TELL", about->by->told ? "1" : "0", 1);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    trials[index] = read_trial(&ran, about->by->shrinks);
}

/* ---- Many seeds ---- */

typedef struct tally {
    size_t   seeds, run;
    double   calls, reports;    /* means */
    double   found[CAN_FAULTS]; /* the mean of those that found it; 0: none did */
    size_t   finders[CAN_FAULTS];
    double   all_found;           /* the mean of those that found all */
    size_t   all_finders, fewest; /* the fewest faults that a seed found */
    unsigned unclear;
} tally;

/* How many faults the seed found; after how many calls all of them. */
static size_t count_found(const trial *one, double *last)
{
    size_t count = 0;
    *last = 0;
    for (size_t f = 0; f < CAN_FAULTS; f++) {
        count += one->found[f] > 0;
        *last = one->found[f] > *last ? one->found[f] : *last;
    }
    return count;
}

static void add_trial(tally *all, const trial *one)
{
    double last;
    size_t count = count_found(one, &last);
    all->run += one->run;
    all->calls += one->calls;
    all->reports += one->reports;
    all->unclear += one->unclear;
    all->fewest = count < all->fewest ? count : all->fewest;
    for (size_t f = 0; f < CAN_FAULTS; f++) {
        all->found[f] += one->found[f];
        all->finders[f] += one->found[f] > 0;
    }
    if (count == CAN_FAULTS) {
        all->all_finders++;
        all->all_found += last;
    }
}

static double mean(double sum, size_t count)
{
    return count == 0 ? 0 : sum / (double)count;
}

static tally try_mode(const mode *by, size_t seeds, unsigned cases)
{
    tally all = { .seeds = seeds, .fewest = CAN_FAULTS };
    memset(trials, 0, seeds * sizeof *trials);
    share_out(seeds, ask_one, &(inquiry){ by, cases });
    for (size_t i = 0; i < seeds; i++)
        add_trial(&all, &trials[i]);
    for (size_t f = 0; f < CAN_FAULTS; f++)
        all.found[f] = mean(all.found[f], all.finders[f]);
    all.calls = mean(all.calls, seeds);
    all.reports = mean(all.reports, seeds);
    all.all_found = mean(all.all_found, all.all_finders);
    return all;
}

/* ---- The tables ---- */

/* "12.3k", with how many seeds found it where not all did; "-": none. */
static void put_calls(double calls, size_t finders, size_t seeds)
{
    char text[64] = "-";
    if (finders > 0)
        snprintf(text, sizeof text, calls < 10000 ? "%.0f" : "%.0fk",
                 calls < 10000 ? calls : calls / 1000);
    if (finders > 0 && finders < seeds)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %zu/%zu", finders, seeds);
    printf(" %14s", text);
}

static void print_faults(const tally *all)
{
    progress_over();
    printf(
        "\nMean calls until each fault is found (of the seeds that found it; i/n where not all)\n"
        "  %-45s",
        "fault");
    for (size_t m = 0; m < MODE_COUNT; m++)
        printf(" %14s", MODES[m].name);
    for (size_t f = 0; f < CAN_FAULTS; f++) {
        printf("\n  %zu %-43s", f + 1, CAN_FAULT_NAMES[f]);
        for (size_t m = 0; m < MODE_COUNT; m++)
            put_calls(all[m].found[f], all[m].finders[f], all[m].seeds);
    }
    printf("\n  %-45s", "all nine");
    for (size_t m = 0; m < MODE_COUNT; m++)
        put_calls(all[m].all_found, all[m].all_finders, all[m].seeds);
    printf("\n  %-45s", "calls made in all, of a seed");
    for (size_t m = 0; m < MODE_COUNT; m++)
        put_calls(all[m].calls, all[m].seeds, all[m].seeds);
    printf("\n  %-45s", "reports, of a seed");
    for (size_t m = 0; m < MODE_COUNT; m++)
        printf(" %14.1f", all[m].reports);
    printf("\n");
}

static void print_paper(void)
{
    printf("\nThe paper's table, of other faults in another stack, in its order\n  %-45s",
           "fault");
    for (size_t m = 0; m < MODE_COUNT; m++)
        if (MODES[m].paper[1] != NULL)
            printf(" %14s", MODES[m].name);
    for (size_t f = 0; f < CAN_FAULTS; f++) {
        printf("\n  %-45zu", f + 1);
        for (size_t m = 0; m < MODE_COUNT; m++)
            if (MODES[m].paper[1] != NULL)
                printf(" %14s", MODES[m].paper[f]);
    }
    printf("\n");
    fflush(stdout);
}

static void enter_rows(results *into, const tally *all)
{
    const tally *by_default = &all[DEFAULT_MODE];
    size_t       seeds = 0, run = 0;
    for (size_t m = 0; m < MODE_COUNT; m++) {
        seeds += all[m].seeds;
        run += all[m].run;
    }
    result(into, "runs that ended as they should", (double)run, "runs", EXACTLY, (double)seeds);
    row *found = result(into, "default: faults found, the worst seed", (double)by_default->fewest,
                        "faults", EXACTLY, CAN_FAULTS);
    snprintf(found->note, sizeof found->note, "seeds 1..%zu, %.0f calls each", by_default->seeds,
             by_default->calls);
    result(into, "default: failures that no fault explains", by_default->unclear, "reports",
           EXACTLY, 0);
}

static int tables(bool quick)
{
    static results all = { .name = "canstack" };
    tally          reached[MODE_COUNT];
    size_t         seeds = quick ? QUICK_SEEDS : SEEDS;
    printf("canstack: nine faults of a stack for CAN buses, all on, by mode; seeds 1..%zu,\n"
           "--jobs 1. QC+S and MoreBugs: sequences of 40 calls in the mean. QC+S and RDS are "
           "told which fault\n"
           "a failure is of, or they would report one at each place.\n",
           seeds);
    for (size_t m = 0; m < MODE_COUNT; m++) {
        progress("canstack: %s", MODES[m].name);
        reached[m] = try_mode(&MODES[m], seeds, MODES[m].cases);
    }
    print_faults(reached);
    print_paper();
    enter_rows(&all, reached);
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int assert_seeds(size_t seeds)
{
    tally reached = try_mode(&MODES[DEFAULT_MODE], seeds, MODES[DEFAULT_MODE].cases);
    printf("seeds 1..%zu: %zu faults at least, %u failures without one\n", seeds, reached.fewest,
           reached.unclear);
    return reached.run != seeds || reached.fewest != CAN_FAULTS || reached.unclear > 0;
}

int main(int argc, char **argv)
{
    trials = shared_memory(SEEDS_MOST * sizeof *trials);
    return main_over_seeds(argc, argv, "canstack", SEEDS_MOST, tables, assert_seeds);
}
