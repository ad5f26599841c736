/* studies/combine/combine.c: how many tests find a bug of plain values: drawn uniformly, by
 * `--explore random`, and by `--explore combine`.
 *
 * A subject is a property with one bug. Its first line names the kind of the bug: at an edge of a
 * range, in the middle of one, or between several draws. Half of the subjects were open while the
 * explorer was written (tuned). Other people wrote the others (sealed), which are first run with
 * --first-sealed when the explorer is done. That keeps their first figures in a file for good. A
 * second sealed half, by others again, runs only when it is asked for.
 *
 *     combine [--quick] [--seeds N] [--cases N] [--explorers NAME,NAME...] [SUBJECT...]
 *     combine --first-sealed     runs the sealed half once, and writes first_sealed.txt
 *     combine --first-sealed second    the same of the second sealed half
 *     combine second             runs the second sealed half, after its first run
 *     combine --check            exits 1 unless each bug is where its subject says
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
#define SEEDS_MOST 255
#define CASES 1000000 /* of a run; a bug that it misses counts as so many tests */

/* The second sealed half; "second" in an argument. */
#define SECOND "sealed_second"

/* ---- The subjects ---- */

typedef struct subject {
    const char *half, *name, *program, *source;
    char        kind[16];
    bool        chosen;
} subject;

#define HALF(half)
#define SUBJECT(half, name)                                                                      \
    { half, #name, BUILT "/combine_" half "_" #name, LISTS "/" half "/" #name ".c", "", false },
static subject SUBJECTS[] = {
#include "combine_list.h"
};
#undef HALF
#undef SUBJECT
#define SUBJECT_COUNT (sizeof SUBJECTS / sizeof *SUBJECTS)

#define HALF(half) half,
#define SUBJECT(half, name)
static const char *const HALVES[] = {
#include "combine_list.h"
};
#define HALF_COUNT (sizeof HALVES / sizeof *HALVES)

static const char *const KINDS[] = { "edge",     "middle",      "pair",   "triple",
                                     "relation", "conditional", "assumed" };
#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)

static bool known_kind(const char *kind)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i], kind) == 0)
            return true;
    return false;
}

/* The kind is the word after "kind:" in the first line. */
static void read_kinds(void)
{
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        subject *of = &SUBJECTS[i];
        FILE    *in = fopen(of->source, "r");
        if (in == NULL || fscanf(in, "/* kind: %15[a-z]", of->kind) != 1 ||
            !known_kind(of->kind)) {
            fprintf(stderr, "%s:1: no kind of bug\n", of->source);
            exit(99);
        }
        fclose(in);
    }
}

/* ---- The explorers ---- */

typedef struct explorer {
    const char *name;
    char       *options[5];
    bool        wanted, refused;
} explorer;

enum { UNIFORM, RANDOM, BINS, COMBINE, AUTO, EXPLORER_COUNT };
static explorer EXPLORERS[EXPLORER_COUNT] = {
    [UNIFORM] = { "uniform", { "--explore", "random", "--lean", "off" }, true, false },
    [RANDOM] = { "random", { "--explore", "random" }, true, false },
    /* No array: every draw has a bin of its own at random. */
    [BINS] = { "bins", { "--explore", "combine", "--strength", "0" }, true, false },
    [COMBINE] = { "combine", { "--explore", "combine" }, true, false },
    [AUTO] = { "auto", { "--explore", "auto" }, false, false },
};

static size_t  seeds = SEEDS;
static double  cases = CASES;
static double *costs;  /* shared: of each subject, explorer and seed; negative: missed */
static char   *output; /* of one run */
static size_t  longest = 1 << 20;

/* A bug that few tests find gets more seeds: its figures are compared to within a half. */
#define SEEDS_MORE 5
static size_t seeds_of(size_t at)
{
    const char *kind = SUBJECTS[at].kind;
    bool        more =
        strcmp(kind, "middle") == 0 || strcmp(kind, "pair") == 0 || strcmp(kind, "triple") == 0;
    return more ? seeds * SEEDS_MORE : seeds;
}

static double *costs_of(size_t at, size_t by)
{
    return &costs[(at * EXPLORER_COUNT + by) * SEEDS_MOST];
}

static int run_program(const char *program, const explorer *by, const char *seed,
                       const char *most)
{
    char  *arguments[20] = { (char *)program, "--jobs",     "1",        "--no-store",
                             "--shrink",      "off",        "--format", "json",
                             "--seed",        (char *)seed, "--cases",  (char *)most };
    size_t count = 12;
    for (size_t i = 0; by != NULL && by->options[i] != NULL; i++)
        arguments[count++] = by->options[i];
    return run_child(arguments, output, longest, false, NULL, NULL).status;
}

/* The tests up to the failing one; negative: none failed. */
static double run_subject(const subject *of, const explorer *by, size_t seed)
{
    char seed_text[32], most[32];
    snprintf(seed_text, sizeof seed_text, "%zu", seed);
    snprintf(most, sizeof most, "%.0f", cases);
    int status = run_program(of->program, by, seed_text, most);
    if (status != 0 && status != 1) {
        fprintf(stderr, "combine: %s by %s, seed %zu: status %d\n", of->name, by->name, seed,
                status);
        return -1;
    }
    /* Discarded cases are tests, too, though they do not count among the cases. */
    const char *failure = json_member(output, "failure");
    double tests = failure == NULL ? -1 : json_number(json_member(failure, "executions_before"));
    return tests > cases ? -1 : tests;
}

/* Those that this build does not have are refused with status 99. */
static void probe_explorers(void)
{
    for (size_t i = 0; i < EXPLORER_COUNT; i++)
        EXPLORERS[i].refused = run_program(SUBJECTS[0].program, &EXPLORERS[i], "1", "1") == 99;
}

typedef struct task {
    size_t at, by, seed;
} task;

static void do_task(size_t index, const void *context)
{
    const task *now = (const task *)context + index;
    costs_of(now->at, now->by)[now->seed] =
        run_subject(&SUBJECTS[now->at], &EXPLORERS[now->by], now->seed + 1);
    progress("combine: %s by %s, seed %zu", SUBJECTS[now->at].name, EXPLORERS[now->by].name,
             now->seed + 1);
}

static void run_all(void)
{
    size_t count = 0;
    task  *tasks = calloc(SUBJECT_COUNT * EXPLORER_COUNT * SEEDS_MOST, sizeof *tasks);
    if (tasks == NULL)
        exit(99);
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            for (size_t s = 0; s < seeds_of(at); s++)
                if (SUBJECTS[at].chosen && EXPLORERS[by].wanted && !EXPLORERS[by].refused)
                    tasks[count++] = (task){ at, by, s };
    share_out(count, do_task, tasks);
    progress_over();
    free(tasks);
}

/* ---- What they add up to ---- */

typedef struct tally {
    bool   known;
    size_t seeds, found;
    double median, p90; /* a run that found nothing counts as the longest */
} tally;

static tally tally_of(size_t at, size_t by)
{
    double        sorted[SEEDS_MOST];
    const double *had = costs_of(at, by);
    tally         all = { .known = EXPLORERS[by].wanted && !EXPLORERS[by].refused,
                          .seeds = seeds_of(at) };
    for (size_t s = 0; s < seeds_of(at); s++) {
        all.found += had[s] >= 0;
        sorted[s] = had[s] >= 0 ? had[s] : cases;
    }
    all.median = median_of(sorted, seeds_of(at));
    all.p90 = p90_of(sorted, seeds_of(at));
    return all;
}

/* How many times the tests of `one` those of `other` are. */
static double times(size_t at, size_t one, size_t other, bool slow_end)
{
    tally a = tally_of(at, one), b = tally_of(at, other);
    return slow_end ? b.p90 / fmax(a.p90, 1) : b.median / fmax(a.median, 1);
}

static bool of_kind(size_t at, const char *half, const char *kind)
{
    return SUBJECTS[at].chosen && strcmp(SUBJECTS[at].half, half) == 0 &&
           (kind == NULL || strcmp(SUBJECTS[at].kind, kind) == 0);
}

/* ---- Tables ---- */

static void print_tally(const tally *one)
{
    if (!one->known)
        printf(" |%8s %8s %5s", "-", "-", "-");
    else
        printf(" |%8.0f %8.0f %2zu/%-2zu", one->median, one->p90, one->found, one->seeds);
}

static void print_times(size_t at, size_t one, size_t other)
{
    if (!tally_of(at, one).known || !tally_of(at, other).known)
        printf(" %8s", "-");
    else
        printf(" %8.2f", times(at, one, other, false));
}

/* The file with the first figures of a sealed half. */
static const char *first_of(const char *half)
{
    return strcmp(half, SECOND) == 0 ? LISTS "/second_sealed.txt" : LISTS "/first_sealed.txt";
}

/* The line of the subject in its half's first figures, by an explorer: "median p90 found". */
static bool first_figures(const subject *of, const char *by, char *figures, size_t room)
{
    char  line[200], subject_name[64], explorer_name[32];
    int   rest = 0;
    bool  found = false;
    FILE *in = fopen(first_of(of->half), "r");
    while (in != NULL && !found && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = sscanf(line, "%63s %31s %n", subject_name, explorer_name, &rest) == 2 &&
                strcmp(subject_name, of->name) == 0 && strcmp(explorer_name, by) == 0;
    }
    if (in != NULL)
        fclose(in);
    snprintf(figures, room, "%s", found ? line + rest : "");
    return found;
}

static void print_subject(size_t at)
{
    char first[120];
    printf("  %-12s %-12s", SUBJECTS[at].kind, SUBJECTS[at].name);
    for (size_t by = 0; by < EXPLORER_COUNT; by++) {
        tally one = tally_of(at, by);
        if (by != AUTO || one.known)
            print_tally(&one);
    }
    printf(" |");
    print_times(at, COMBINE, UNIFORM);
    print_times(at, COMBINE, RANDOM);
    if (strcmp(SUBJECTS[at].half, "tuned") != 0)
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            if (first_figures(&SUBJECTS[at], EXPLORERS[by].name, first, sizeof first))
                printf(" | first %s: %s", EXPLORERS[by].name, first);
    printf("\n");
}

static void print_head(const char *half)
{
    printf("\nThe %s half: tests to the failing one, seeds 1..%zu: median, 90 %% and found; how "
           "many times\nthose of combine the others need (a miss counts as %.0f tests)\n  %-25s",
           half, seeds, cases, "");
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        if (by != AUTO || EXPLORERS[by].wanted)
            printf(" | %-22s", EXPLORERS[by].name);
    printf(" |  uniform   random\n");
}

/* ---- Bars ---- */

/* The figures of all subjects of a kind, sorted; those that no build can have are left out. */
typedef struct figures {
    size_t count;
    double of[SUBJECT_COUNT];
} figures;

static figures ratios(const char *half, const char *kind, size_t one, size_t other, bool slow_end)
{
    figures all = { 0 };
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (of_kind(at, half, kind) && tally_of(at, one).known && tally_of(at, other).known)
            all.of[all.count++] = times(at, one, other, slow_end);
    median_of(all.of, all.count);
    return all;
}

/* Without any figure the bar is missed. */
static void enter(results *all, const char *half, const char *measure, const figures *from,
                  double figure, const char *unit, relation wanted, double bar)
{
    char text[96];
    snprintf(text, sizeof text, "%s, %s", half, measure);
    row *entered = result(all, text,
                          from->count > 0     ? figure
                          : wanted == AT_MOST ? 1e9
                                              : -1,
                          unit, wanted, bar);
    if (from->count == 0)
        snprintf(entered->note, sizeof entered->note, "not measured: an explorer is missing");
}

static size_t subjects_of(const char *half, const char *kind)
{
    size_t count = 0;
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        count += of_kind(at, half, kind);
    return count;
}

static void enter_edges(results *all, const char *half)
{
    figures from = ratios(half, "edge", COMBINE, UNIFORM, false);
    if (subjects_of(half, "edge") == 0)
        return;
    enter(all, half, "edges: uniform draws to combine, median", &from,
          median_of(from.of, from.count), "times", AT_LEAST, 10);
    from = ratios(half, "edge", COMBINE, RANDOM, false);
    enter(all, half, "edges: random to combine, median", &from, median_of(from.of, from.count),
          "times", AT_LEAST, 2);
}

static void enter_middles(results *all, const char *half)
{
    figures from = ratios(half, "middle", RANDOM, COMBINE, false);
    if (subjects_of(half, "middle") == 0)
        return;
    enter(all, half, "middles: combine to random, the worst", &from,
          from.count > 0 ? from.of[from.count - 1] : 0, "times", AT_MOST, 1.5);
    from = ratios(half, "middle", UNIFORM, COMBINE, false);
    enter(all, half, "middles: combine to uniform draws, the worst", &from,
          from.count > 0 ? from.of[from.count - 1] : 0, "times", AT_MOST, 1.5);
}

/* Bugs of two or three draws: the array against bins at random. */
static void enter_array(results *all, const char *half)
{
    figures from = ratios(half, "pair", BINS, COMBINE, false);
    figures three = ratios(half, "triple", BINS, COMBINE, false);
    size_t  found = 0;
    size_t  subjects = subjects_of(half, "pair") + subjects_of(half, "triple");
    if (subjects == 0)
        return;
    memcpy(from.of + from.count, three.of, three.count * sizeof *three.of);
    from.count += three.count;
    enter(all, half, "2- and 3-way: array to bins at random, median", &from,
          median_of(from.of, from.count), "times", AT_MOST, 1.1);
    from = ratios(half, "pair", BINS, COMBINE, true);
    three = ratios(half, "triple", BINS, COMBINE, true);
    memcpy(from.of + from.count, three.of, three.count * sizeof *three.of);
    from.count += three.count;
    enter(all, half, "2- and 3-way: array to bins at random, 90 %", &from,
          median_of(from.of, from.count), "times", AT_MOST, 1);
    from = (figures){ 0 };
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (of_kind(at, half, "pair") || of_kind(at, half, "triple")) {
            tally one = tally_of(at, COMBINE);
            from.count += one.known;
            found += one.known && one.found == one.seeds;
        }
    enter(all, half, "2- and 3-way: found by combine in every seed", &from, (double)found,
          "subjects", EXACTLY, (double)subjects);
}

/* A yardstick that random reaches the end of measures little. */
static void enter_hardness(results *all, const char *half)
{
    figures from = { 0 };
    double  missed = 0;
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (of_kind(at, half, NULL) && tally_of(at, RANDOM).known) {
            from.count++;
            missed += 2 * tally_of(at, RANDOM).found < seeds_of(at);
        }
    enter(all, half, "missed by random in most seeds", &from,
          from.count > 0 ? 100 * missed / (double)from.count : 0, "%", AT_LEAST, 25);
}

static void put_half(results *all, const char *half)
{
    char   title[80];
    size_t first = all->count;
    if (subjects_of(half, NULL) == 0)
        return;
    print_head(half);
    for (size_t kind = 0; kind < KIND_COUNT; kind++)
        for (size_t at = 0; at < SUBJECT_COUNT; at++)
            if (of_kind(at, half, KINDS[kind]))
                print_subject(at);
    enter_edges(all, half);
    enter_middles(all, half);
    enter_array(all, half);
    enter_hardness(all, half);
    snprintf(title, sizeof title, "Bars, %s half (%zu subjects)", half, subjects_of(half, NULL));
    print_rows(all, first, title);
}

/* ---- The first figures of a sealed half ---- */

static bool has_first(const char *half)
{
    FILE *in = fopen(first_of(half), "r");
    return in != NULL && fclose(in) == 0;
}

/* A line for each subject and explorer: "NAME EXPLORER MEDIAN P90 FOUND/SEEDS". Never again. */
static int keep_first(const char *half)
{
    const char *file = first_of(half);
    if (has_first(half)) {
        fprintf(stderr, "combine: %s: the first figures are there, and stay\n", file);
        return 99;
    }
    run_all();
    FILE *out = fopen(file, "wx");
    if (out == NULL) {
        perror(file);
        return 99;
    }
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        for (size_t by = 0; by < EXPLORER_COUNT; by++) {
            tally one = tally_of(at, by);
            if (SUBJECTS[at].chosen && one.known)
                fprintf(out, "%s %s %.0f %.0f %zu/%zu\n", SUBJECTS[at].name, EXPLORERS[by].name,
                        one.median, one.p90, one.found, one.seeds);
        }
    return fclose(out) == 0 ? 0 : 1;
}

/* ---- The check ---- */

/* The object of a property in what a program of many printed; NULL: there is none. */
static const char *object_of(const char *name)
{
    char start[96];
    snprintf(start, sizeof start, "{\"property\": \"%s\",", name);
    return strstr(output, start);
}

static bool has_status(const char *name, const char *wanted, const char *form)
{
    char        status[32] = "no such property";
    const char *object = object_of(name);
    if (object != NULL)
        json_text(json_member(object, "status"), status, sizeof status);
    if (strcmp(status, wanted) != 0)
        printf("%s, %s: %s, not %s\n", name, form, status, wanted);
    return strcmp(status, wanted) == 0;
}

/* A case that fails without its bug, or an example that does not show it. */
static size_t wrong_in(const char *half)
{
    char   program[sizeof BUILT + 64];
    size_t wrong = 0;
    for (int fixed = 0; fixed < 2; fixed++) {
        snprintf(program, sizeof program, BUILT "/combine_%s_%s", half,
                 fixed ? "fixed" : "witness");
        run_program(program, NULL, "1", fixed ? "2000" : "1");
        for (size_t at = 0; at < SUBJECT_COUNT; at++)
            if (strcmp(SUBJECTS[at].half, half) == 0)
                wrong += !has_status(SUBJECTS[at].name, fixed ? "held" : "failed",
                                     fixed ? "without its bug" : "its example");
    }
    return wrong;
}

static int check(void)
{
    size_t wrong = 0;
    for (size_t i = 0; i < HALF_COUNT; i++)
        wrong += wrong_in(HALVES[i]);
    if (wrong == 0)
        printf("%zu subjects fail in their examples, and hold without their bugs\n",
               SUBJECT_COUNT);
    return wrong > 0;
}

/* ---- Arguments ---- */

static bool choose_explorers(char *names)
{
    for (size_t i = 0; i < EXPLORER_COUNT; i++)
        EXPLORERS[i].wanted = false;
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        size_t i = 0;
        while (i < EXPLORER_COUNT && strcmp(EXPLORERS[i].name, name) != 0)
            i++;
        if (i == EXPLORER_COUNT)
            return false;
        EXPLORERS[i].wanted = true;
    }
    return true;
}

static size_t choose(const char *half, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        if ((half == NULL || strcmp(SUBJECTS[i].half, half) == 0) &&
            (name == NULL || strcmp(SUBJECTS[i].name, name) == 0)) {
            SUBJECTS[i].chosen = true;
            count++;
        }
    return count;
}

/* `first`: the sealed half whose first figures are wanted; NULL: none. */
static bool read_arguments(int argc, char **argv, const char **first)
{
    bool fine = true, some = false;
    for (int i = 1; i < argc && fine; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            seeds = 3;
            cases = CASES / 10;
        } else if (strcmp(argv[i], "--seeds") == 0 && more) {
            seeds = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--cases") == 0 && more) {
            cases = strtod(argv[++i], NULL);
        } else if (strcmp(argv[i], "--explorers") == 0 && more) {
            fine = choose_explorers(argv[++i]);
        } else if (strcmp(argv[i], "--first-sealed") == 0) {
            *first = more && strcmp(argv[i + 1], "second") == 0 ? SECOND : "sealed";
            i += strcmp(*first, SECOND) == 0;
            fine = some = choose(*first, NULL) > 0;
        } else if (strcmp(argv[i], "second") == 0) {
            fine = some = has_first(SECOND) && choose(SECOND, NULL) > 0;
        } else {
            fine = some = choose(NULL, argv[i]) > 0;
        }
    }
    /* A sealed half is run once before it is run again. */
    if (!some)
        choose("tuned", NULL);
    if (!some && has_first("sealed"))
        choose("sealed", NULL);
    return fine && seeds > 0 && seeds * SEEDS_MORE <= SEEDS_MOST && cases >= 1;
}

int main(int argc, char **argv)
{
    static results all = { .name = "combine" };
    const char    *first = NULL;
    output = malloc(longest);
    if (output == NULL)
        return 99;
    read_kinds();
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check();
    if (!read_arguments(argc, argv, &first)) {
        fprintf(stderr, "usage: combine [--quick] [--seeds N] [--cases N] [--explorers "
                        "NAME,NAME...] [SUBJECT...|second]\n"
                        "       combine --first-sealed [second] | --check\n");
        return 99;
    }
    costs = shared_memory(SUBJECT_COUNT * EXPLORER_COUNT * SEEDS_MOST * sizeof *costs);
    probe_explorers();
    if (first != NULL)
        return keep_first(first);
    run_all();
    for (size_t i = 0; i < HALF_COUNT; i++)
        put_half(&all, HALVES[i]);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
