/* studies/power/power.c: how many executions find a bug, by each explorer and by `auto`.
 *
 * A subject is a property with one bug; its first line names the kind. An explorer is measured on
 * the plain program or on the one with the compiler's signals, by the median over the seeds. The
 * best single explorer of a subject is the one with the smallest median, of either build for the
 * figures with signals, and of the plain build for those without. Subjects of the tuned half were
 * open while `auto` was written. The sealed ones are first run with --first-sealed, which keeps
 * their first figures in a file for good.
 *
 *     power [--quick] [--seeds N] [--cases N] [--explorers NAME,...] [HALF|SUBJECT...]
 *     power --first-sealed     runs the sealed half once, and writes first_sealed.txt
 *     power --check [HALF]     exits 1 unless each bug is where its subject says
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "quantile.h"
#include "results.h"
#include "seeds.h"

#define SEEDS 9
#define SEEDS_MOST 99
#define FIRST HERE "/first_sealed.txt"
/* Below so many executions nobody waits for a bug: a ratio is over this, or over the best. */
#define PROMPT 100.0

/* ---- Subjects and explorers ---- */

static struct subject {
    const char *half, *name, *program, *source;
    char        kind[16];
    bool        chosen;
} SUBJECTS[] = {
#define SUBJECT(half, name)                                                                      \
    { half, #name, BUILT "/power_" half "_" #name, HERE "/" half "/" #name ".c", "", false },
#include "power_list.h"
#undef SUBJECT
};
#define SUBJECT_COUNT (sizeof SUBJECTS / sizeof *SUBJECTS)

static struct explorer {
    const char *title, *name; /* in the table; for --explore */
    bool        signals, unwanted;
} EXPLORERS[] = {
    { "random", "random", false, false },    { "enumerate", "enumerate", false, false },
    { "combine", "combine", false, false },  { "restart", "restart", false, false },
    { "guide", "guide", false, false },      { "auto", "auto", false, false },
    { "combine+s", "combine", true, false }, { "guide+s", "guide", true, false },
    { "auto+s", "auto", true, false },
};
enum { AUTO = 5, AUTO_SIGNALS = 8, EXPLORER_COUNT = sizeof EXPLORERS / sizeof *EXPLORERS };

static size_t  seeds = SEEDS;
static double  cases = 1000000;
static double *executions; /* shared: of each subject, explorer and seed; 0: missed */

static double *runs_of(size_t at, size_t by)
{
    return &executions[(at * EXPLORER_COUNT + by) * SEEDS_MOST];
}

static bool is_single(size_t by)
{
    return by != AUTO && by != AUTO_SIGNALS;
}

static void read_kinds(void)
{
    for (struct subject *of = SUBJECTS; of < SUBJECTS + SUBJECT_COUNT; of++) {
        FILE *in = fopen(of->source, "r");
        bool  named = in != NULL && fscanf(in, "/* kind: %15[a-z]", of->kind) == 1;
        if (in != NULL)
            fclose(in);
        if (!named) {
            fprintf(stderr, "%s:1: no kind of bug\n", of->source);
            exit(99);
        }
    }
}

/* ---- Runs ---- */

/* A run that is slower only draws refuted cases again, and has more executions than may count. */
#define CASES_A_SECOND 20000

/* Runs a program of BUILT; what it prints goes to `output`. */
static int run_program(const char *path, const char *explore, double most, size_t seed,
                       char *output, size_t room)
{
    char  count[32], number[32];
    char *arguments[] = { (char *)path, "--explore", (char *)explore, "--cases", count,
                          "--seed",     number,      "--jobs",        "1",       "--no-store",
                          "--shrink",   "off",       "--format",      "json",    NULL };
    snprintf(count, sizeof count, "%.0f", most);
    snprintf(number, sizeof number, "%zu", seed);
    return run_child(arguments, output, room, false, NULL, NULL).status;
}

typedef struct task {
    size_t at, by, seed;
} task;

static void do_task(size_t index, const void *context)
{
    static char            output[1 << 16];
    char                   path[512];
    const task            *now = (const task *)context + index;
    const struct subject  *of = &SUBJECTS[now->at];
    const struct explorer *by = &EXPLORERS[now->by];
    progress("power: %s by %s, seed %zu", of->name, by->title, now->seed);
    snprintf(path, sizeof path, "%s%s", of->program, by->signals ? "_signals" : "");
    int         status = run_program(path, by->name, cases, now->seed, output, sizeof output);
    const char *failure = status == 1 ? json_member(output, "failure") : NULL;
    double found = failure == NULL ? 0 : json_number(json_member(failure, "executions_before"));
    runs_of(now->at, now->by)[now->seed - 1] = found > cases ? 0 : found;
    if (status != 0 && status != 1)
        fprintf(stderr, "power: %s: status %d\n", path, status);
}

static void run_all(void)
{
    size_t count = 0;
    task  *tasks = calloc(SUBJECT_COUNT * EXPLORER_COUNT * seeds, sizeof *tasks);
    for (size_t at = 0; at < SUBJECT_COUNT && tasks != NULL; at++)
        for (size_t by = 0; by < EXPLORER_COUNT && SUBJECTS[at].chosen; by++)
            for (size_t seed = 1; seed <= seeds && !EXPLORERS[by].unwanted; seed++)
                tasks[count++] = (task){ at, by, seed };
    share_out(count, do_task, tasks);
    progress_over();
    free(tasks);
}

/* ---- Figures ---- */

/* A run that missed counts as infinite. */
static double median(size_t at, size_t by)
{
    double sorted[SEEDS_MOST];
    for (size_t i = 0; i < seeds; i++)
        sorted[i] = runs_of(at, by)[i] > 0 ? runs_of(at, by)[i] : INFINITY;
    return median_of(sorted, seeds);
}

static size_t found_by(size_t at, size_t by)
{
    size_t found = 0;
    for (size_t i = 0; i < seeds; i++)
        found += runs_of(at, by)[i] > 0;
    return found;
}

/* The smallest median of a single explorer; of the plain build only, or of both. */
static double best_of(size_t at, bool signals)
{
    double best = INFINITY;
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        if (is_single(by) && !EXPLORERS[by].unwanted && (signals || !EXPLORERS[by].signals))
            best = fmin(best, median(at, by));
    return best;
}

/* How many times the best explorer's executions `auto` needs. A miss of what another explorer
 * finds is infinite. NAN: nobody finds it. */
static double times_best(size_t at, size_t by)
{
    double best = best_of(at, EXPLORERS[by].signals), own = median(at, by);
    return isinf(best) && isinf(own) ? NAN : isinf(best) ? 0 : own / fmax(best, PROMPT);
}

static bool in_half(size_t at, const char *half)
{
    return SUBJECTS[at].chosen && strcmp(SUBJECTS[at].half, half) == 0;
}

/* ---- Tables ---- */

static void print_count(double count)
{
    if (isnan(count))
        printf(" %9s", "-");
    else if (isinf(count))
        printf(" %9s", "missed");
    else
        printf(count < 100 && count != floor(count) ? " %9.1f" : " %9.0f", count);
}

static void print_subjects(const char *half)
{
    printf("\nThe %s half: executions to the first failure, median of %zu seeds, of %.0f cases; "
           "and those of\nauto over the best explorer's, or over %.0f\n  %-24s",
           half, seeds, cases, PROMPT, "");
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        if (!EXPLORERS[by].unwanted)
            printf(" %9s", EXPLORERS[by].title);
    printf("    x best  x best+s\n");
    for (size_t at = 0; at < SUBJECT_COUNT; at++) {
        if (!in_half(at, half))
            continue;
        printf("  %-11s %-12s", SUBJECTS[at].kind, SUBJECTS[at].name);
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            if (!EXPLORERS[by].unwanted)
                print_count(median(at, by));
        print_count(times_best(at, AUTO));
        print_count(times_best(at, AUTO_SIGNALS));
        printf("\n");
    }
}

/* The ratios of a half, sorted. */
static size_t ratios(const char *half, size_t by, double *sorted)
{
    size_t count = 0;
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (in_half(at, half) && !isnan(times_best(at, by)))
            sorted[count++] = times_best(at, by);
    median_of(sorted, count);
    return count;
}

/* A ratio is finite in the file: a miss is so many times at least. */
static void enter_ratios(results *all, const char *half, size_t by)
{
    static const struct {
        const char *name;
        double      bar;
    } BARS[] = { { "median", 1.2 }, { "p90", 2.5 }, { "worst", 8 } };
    double sorted[SUBJECT_COUNT + 1];
    size_t count = ratios(half, by, sorted);
    if (EXPLORERS[by].unwanted || count == 0)
        return;
    double figures[] = { median_of(sorted, count), p90_of(sorted, count), sorted[count - 1] };
    for (size_t i = 0; i < 3; i++) {
        char text[96];
        snprintf(text, sizeof text, "%s, %s to the best: %s", half, EXPLORERS[by].title,
                 BARS[i].name);
        result(all, text, fmin(figures[i], cases), "times", AT_MOST, BARS[i].bar);
    }
}

static void enter_found(results *all, const char *half, size_t by)
{
    double any = 0, found = 0;
    char   text[96];
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (in_half(at, half) &&
            !isinf(fmin(best_of(at, EXPLORERS[by].signals), median(at, by)))) {
            any++;
            found += !isinf(median(at, by));
        }
    if (EXPLORERS[by].unwanted || any == 0)
        return;
    snprintf(text, sizeof text, "%s, found by %s of those any explorer finds", half,
             EXPLORERS[by].title);
    result(all, text, 100 * found / any, "%", AT_LEAST, 95);
}

/* Subjects that random finds by itself measure little. */
static void enter_hardness(results *all, const char *half)
{
    double count = 0, missed = 0;
    char   text[96];
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (in_half(at, half)) {
            count++;
            missed += isinf(median(at, 0));
        }
    snprintf(text, sizeof text, "%s, missed by random", half);
    if (!EXPLORERS[0].unwanted)
        result(all, text, 100 * missed / count, "%", AT_LEAST, 25);
}

static void tell_half(results *all, const char *half)
{
    char   title[64];
    size_t from = all->count, any = 0;
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        any += in_half(at, half);
    if (any == 0)
        return;
    print_subjects(half);
    for (size_t by = AUTO; by <= AUTO_SIGNALS; by += AUTO_SIGNALS - AUTO) {
        enter_ratios(all, half, by);
        enter_found(all, half, by);
    }
    enter_hardness(all, half);
    snprintf(title, sizeof title, "Bars, %s half (%zu subjects)", half, any);
    print_rows(all, from, title);
}

/* ---- The first figures of the sealed half ---- */

/* A line for each subject and explorer: "NAME EXPLORER MEDIAN FOUND/SEEDS"; inf: most missed. */
static int keep_first(void)
{
    FILE *out = fopen(FIRST, "wx"); /* never again */
    if (out == NULL) {
        perror(FIRST);
        return 99;
    }
    run_all();
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            if (SUBJECTS[at].chosen && !EXPLORERS[by].unwanted)
                fprintf(out, "%s %s %.0f %zu/%zu\n", SUBJECTS[at].name, EXPLORERS[by].title,
                        median(at, by), found_by(at, by), seeds);
    return fclose(out) == 0 ? 0 : 1;
}

static bool was_unsealed(void)
{
    FILE *in = fopen(FIRST, "r");
    return in != NULL && fclose(in) == 0;
}

/* ---- The check ---- */

/* Does the program of all subjects, which printed `output`, give this one the status? */
static bool has_status(const char *output, const char *name, const char *wanted)
{
    char start[96], status[32] = "not there";
    snprintf(start, sizeof start, "{\"property\": \"%s\",", name);
    const char *object = strstr(output, start);
    if (object != NULL)
        json_text(json_member(object, "status"), status, sizeof status);
    if (strcmp(status, wanted) != 0)
        printf("%s: %s, not %s\n", name, status, wanted);
    return strcmp(status, wanted) == 0;
}

/* All subjects of a half, as one program: the number that are not as they should be. */
static size_t wrong_in(const char *half, const char *form, double most, const char *wanted)
{
    static char output[1 << 20];
    char        path[512];
    size_t      wrong = 0;
    snprintf(path, sizeof path, BUILT "/power_%s_%s", half, form);
    run_program(path, "random", most, 1, output, sizeof output);
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (strcmp(SUBJECTS[at].half, half) == 0)
            wrong += !has_status(output, SUBJECTS[at].name, wanted);
    return wrong;
}

/* Each property holds without its bug, and fails in its example. NULL: of both halves. */
static int check(const char *half)
{
    static const char *const HALVES[] = { "tuned", "sealed" };
    size_t                   wrong = 0;
    for (size_t i = 0; i < 2; i++)
        if (half == NULL || strcmp(half, HALVES[i]) == 0)
            wrong += wrong_in(HALVES[i], "fixed", 2000, "held") +
                     wrong_in(HALVES[i], "witness", 1, "failed");
    if (wrong == 0)
        printf("the subjects fail in their examples, and hold without their bugs\n");
    return wrong > 0;
}

/* ---- Arguments ---- */

static bool choose(const char *word)
{
    size_t found = 0;
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (strcmp(SUBJECTS[at].half, word) == 0 || strcmp(SUBJECTS[at].name, word) == 0) {
            SUBJECTS[at].chosen = true;
            found++;
        }
    return found > 0;
}

static bool choose_explorers(char *names)
{
    size_t found = 0, asked = 0;
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        EXPLORERS[by].unwanted = true;
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ","), asked++)
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            if (strcmp(EXPLORERS[by].title, name) == 0) {
                EXPLORERS[by].unwanted = false;
                found++;
            }
    return found == asked && found > 0;
}

static bool read_option(char **argv, int *at, bool *known)
{
    char *option = argv[*at], *value = argv[*at + 1];
    *known = true;
    if (strcmp(option, "--quick") == 0) {
        seeds = 3;
        cases = 20000;
        return true;
    }
    if (value == NULL || strncmp(option, "--", 2) != 0) {
        *known = false;
        return false;
    }
    ++*at;
    if (strcmp(option, "--seeds") == 0)
        return (seeds = strtoul(value, NULL, 10)) > 0 && seeds <= SEEDS_MOST;
    if (strcmp(option, "--cases") == 0)
        return (cases = strtod(value, NULL)) >= 1;
    return strcmp(option, "--explorers") == 0 && choose_explorers(value);
}

static int usage(void)
{
    fprintf(stderr, "usage: power [--quick] [--seeds N] [--cases N] [--explorers NAME,...] "
                    "[HALF|SUBJECT...]\n       power --first-sealed | --check [HALF]\n");
    return 99;
}

int main(int argc, char **argv)
{
    static results all = { .name = "power" };
    bool           known, some = false, first = false;
    read_kinds();
    if (argc >= 2 && strcmp(argv[1], "--check") == 0)
        return check(argv[2]);
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--first-sealed") == 0)
            first = some = choose("sealed");
        else if (!read_option(argv, &at, &known) && (known || !(some = choose(argv[at]))))
            return usage();
    }
    if (!some)
        choose("tuned");
    if (!some && was_unsealed())
        choose("sealed");
    executions = shared_memory(SUBJECT_COUNT * EXPLORER_COUNT * SEEDS_MOST * sizeof *executions);
    if (first)
        return keep_first();
    run_all();
    tell_half(&all, "tuned");
    tell_half(&all, "sealed");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
