/* studies/tcas/tcas.c: how many of the faults of a collision-avoidance unit do covering arrays
 * expose, and how many as many random tests?
 *
 * The tables are those of the paper that Radix Coverage comes from, with its figures beside ours:
 * plain arrays and arrays of digits, over ranges that know nothing of the code and over values
 * that someone picked who knows it. Every line is the mean over seeds, with the least and the
 * most.
 *
 * Behind them stand the tests of the library's explorers, with the unit as a property.
 *
 *     tcas [--quick]     the tables
 *     tcas --explorers [WORDS]   the lines of explorers alone, or those with these words
 *     tcas --assert N    exits 1 unless the unit and its faults are as they are known to be, and
 *                        seeds 1..N of a few lines are within wide bounds
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explored.h"
#include "hunt.h"
#include "known.h"
#include "quantile.h"
#include "results.h"
#include "seeds.h"

#define SEEDS_MOST 100
#define QUICK_SHARE 5 /* of the seeds, one in so many */

/* An array is a little more regular than random tests; one that is far too regular loses half of
 * the faults. So many may be lost in the mean, or so many standard errors of the difference where
 * that is more; with the few seeds of a test, so many. */
#define LOST_MOST 2
#define ERRORS_BY_LUCK 3
#define LOST_MOST_OF_FEW 8

#define MANY_TESTS 200000

/* ---- What is tried ---- */

typedef struct line {
    design      what;
    size_t      seeds;   /* 0: it has too many rows to be run */
    const char *paper;   /* faults and time there */
    double      rows;    /* bars: at most, in every seed; 0: none */
    double      seconds; /* at most, in the mean */
    double      found;   /* at least, in the mean: what the paper has at most */
    bool        slow;    /* not in the quick form */
    bool        asserted;
} line;

typedef struct table {
    const char *title;
    const line *lines;
    size_t      count;
} table;

static const line EVERY_LINES[] = {
    { { &EVERY, SMALLEST_BASE, 2, 0 }, 100, "26 in 2.53 min", .rows = 1001, .asserted = true },
    { { &EVERY, SMALLEST_BASE, 3, 0 }, 100, "28 in 53.23 min", .rows = 1001, .asserted = true },
    { { &EVERY, SMALLEST_BASE, 4, 0 }, 20, "-", .seconds = 5 },
    { { &EVERY, FEWEST_ROWS, 2, 0 }, 100, "-", .rows = 1001, .seconds = 0.5 },
    { { &EVERY, FEWEST_ROWS, 3, 0 }, 100, "-", .rows = 1001, .seconds = 0.5 },
    { { &EVERY, FEWEST_ROWS, 4, 0 }, 20, "-", .rows = 1720, .seconds = 5 },
    { { &EVERY, WHOLE, 2, 0 }, 20, "18 in 46.29 h", .rows = 1002001, .seconds = 2 },
    { { &EVERY, WHOLE, 3, 0 }, 0, "not finished", .rows = 0 },
    { { &EVERY, SMALLEST_BASE, 2, MANY_TESTS }, 20, "-", .found = 28 },
};

static const line TENTH_LINES[] = {
    { { &TENTH, SMALLEST_BASE, 2, 0 }, 100, "9 in 45.6 s", .rows = 101 },
    { { &TENTH, SMALLEST_BASE, 3, 0 }, 20, "30 in 148.1 s", .rows = 182, .asserted = true },
    { { &TENTH, SMALLEST_BASE, 4, 0 }, 20, "35 in 25.98 min", .rows = 845, .seconds = 2 },
    { { &TENTH, FEWEST_ROWS, 2, 0 }, 100, "-", .rows = 101, .seconds = 0.1 },
    { { &TENTH, FEWEST_ROWS, 3, 0 }, 100, "-", .rows = 182, .seconds = 0.2 },
    { { &TENTH, FEWEST_ROWS, 4, 0 }, 20, "-", .rows = 845, .seconds = 2 },
    { { &TENTH, WHOLE, 2, 0 }, 100, "17 in 102.71 s", .rows = 10201, .asserted = true },
    { { &TENTH, WHOLE, 3, 0 }, 20, "35 in 76.58 h", .rows = 1030301 },
    { { &TENTH, WHOLE, 4, 0 }, 1, "not finished", .rows = 104060401, .slow = true },
    { { &TENTH, SMALLEST_BASE, 2, MANY_TESTS }, 20, "-", .found = 35 },
};

static const line PICKED_LINES[] = {
    { { &PICKED, SMALLEST_BASE, 2, 0 }, 100, "-", .rows = 0 },
    { { &PICKED, SMALLEST_BASE, 3, 0 }, 20, "-", .rows = 0 },
    { { &PICKED, SMALLEST_BASE, 4, 0 }, 20, "-", .asserted = true },
    { { &PICKED, SMALLEST_BASE, 5, 0 }, 20, "-", .rows = 0 },
    { { &PICKED, SMALLEST_BASE, 6, 0 }, 20, "26", .found = 26 },
    { { &PICKED, WHOLE, 2, 0 }, 100, "-", .rows = 100 },
    { { &PICKED, WHOLE, 3, 0 }, 100, "-", .rows = 400 },
    { { &PICKED, WHOLE, 4, 0 }, 20, "-", .rows = 1358, .asserted = true },
    { { &PICKED, WHOLE, 5, 0 }, 20, "-", .rows = 4236 },
    { { &PICKED, WHOLE, 6, 0 }, 20, "35", .rows = 10948, .found = 35 },
};

#define LINES(of) (of), sizeof(of) / sizeof *(of)

static const table TABLES[] = {
    { "Ranges 0..1000 (the paper's table 4)", LINES(EVERY_LINES) },
    { "Ranges 0, 10, .. 1000 (the paper's table 5)", LINES(TENTH_LINES) },
    { "Picked values (the paper, section 5.1; at t = 6 plain arrays took 7.3 times the memory)",
      LINES(PICKED_LINES) },
};
#define TABLE_COUNT (sizeof TABLES / sizeof *TABLES)

static void name_line(const design *what, char *name, size_t room)
{
    static const char *const HOW[] = { [WHOLE] = "plain", [FEWEST_ROWS] = "radix, fewest rows" };
    const char              *after = what->go_on > 0 ? ", then random" : "";
    if (what->how == SMALLEST_BASE)
        snprintf(name, room, "radix, base %u%s", smallest_base(what->where), after);
    else
        snprintf(name, room, "%s%s", HOW[what->how], after);
}

/* ---- Many seeds ---- */

typedef struct spread {
    double least, most, sum, squares;
} spread;

typedef struct tally {
    size_t seeds, done;
    spread tests, found, by_chance, seconds, mebibytes;
} tally;

static void widen(spread *s, double figure, bool first)
{
    s->least = first || figure < s->least ? figure : s->least;
    s->most = first || figure > s->most ? figure : s->most;
    s->sum += figure;
    s->squares += figure * figure;
}

static double mean(const spread *s, const tally *of)
{
    return s->sum / (double)of->done;
}

static double variance(const spread *s, const tally *of)
{
    double center = mean(s, of), found = s->squares / (double)of->done - center * center;
    return found > 0 ? found : 0;
}

static tally try_line(const line *l, size_t seeds)
{
    haul  caught[SEEDS_MOST];
    tally all = { .seeds = seeds };
    hunt_seeds(&l->what, seeds, caught);
    for (size_t i = 0; i < seeds; i++) {
        if (!caught[i].done)
            continue;
        bool first = all.done++ == 0;
        widen(&all.tests, (double)caught[i].tests, first);
        widen(&all.found, caught[i].found, first);
        widen(&all.by_chance, caught[i].by_chance, first);
        widen(&all.seconds, caught[i].seconds, first);
        widen(&all.mebibytes, caught[i].mebibytes, first);
    }
    return all;
}

/* ---- The tables ---- */

static void print_head(const char *title)
{
    char faults[32];
    progress_over();
    snprintf(faults, sizeof faults, "faults of %d", distinct_faults());
    printf("\n%s\n  %-26s %2s %17s  %-15s %-15s %8s %6s %6s  %s\n", title, "array", "t", "rows",
           faults, "random", "seconds", "MiB", "seeds", "the paper");
}

static void print_counts(const spread *s, const tally *of)
{
    char text[32];
    snprintf(text, sizeof text, "%.1f (%.0f-%.0f)", mean(s, of), s->least, s->most);
    printf(" %-15s", text);
}

/* No array has fewer rows than the widest inputs have combinations. */
static uint64_t fewest_rows(const design *what)
{
    uint64_t rows = 1;
    bool     used[INPUTS] = { false };
    for (unsigned t = 0; t < what->strength; t++) {
        int widest = -1;
        for (int i = 0; i < INPUTS; i++)
            if (!used[i] &&
                (widest < 0 || what->where->inputs[i].count > what->where->inputs[widest].count))
                widest = i;
        used[widest] = true;
        rows *= what->where->inputs[widest].count;
    }
    return rows;
}

static void print_figures(const tally *all, const char *paper)
{
    char rows[40];
    snprintf(rows, sizeof rows, all->tests.least < all->tests.most ? "%.0f-%.0f" : "%.0f",
             all->tests.least, all->tests.most);
    printf(" %17s ", rows);
    print_counts(&all->found, all);
    print_counts(&all->by_chance, all);
    printf(" %8.3f %6.1f %6zu  %s\n", mean(&all->seconds, all), all->mebibytes.most, all->seeds,
           paper);
}

static void print_line(const line *l, const tally *all)
{
    char name[48];
    progress_over();
    name_line(&l->what, name, sizeof name);
    printf("  %-26s %2u", name, l->what.strength);
    if (all->seeds == 0)
        printf(" %17llu  %-56s  %s\n", (unsigned long long)fewest_rows(&l->what),
               "or more: not run", l->paper);
    else if (all->done < all->seeds)
        printf(" could not be run in %zu of %zu seeds\n", all->seeds - all->done, all->seeds);
    else
        print_figures(all, l->paper);
    fflush(stdout);
}

/* What a line that was not run in every seed has instead of a figure: never within a bar. */
static double unless_missing(const tally *all, relation wanted, double figure)
{
    return all->done == all->seeds ? figure : wanted == AT_MOST ? 1e18 : -1e18;
}

static row *enter(results *into, const line *l, const tally *all, const char *what, double figure,
                  const char *in, relation wanted, double bar)
{
    char name[48], measure[96];
    name_line(&l->what, name, sizeof name);
    snprintf(measure, sizeof measure, "%s, %s, t=%u: %s", l->what.where->name, name,
             l->what.strength, what);
    return result(into, measure, unless_missing(all, wanted, figure), in, wanted, bar);
}

static double most_lost(const tally *all)
{
    double both = variance(&all->found, all) + variance(&all->by_chance, all);
    return fmax(LOST_MOST, ERRORS_BY_LUCK * sqrt(both / (double)all->done));
}

static void enter_line(results *into, const line *l, const tally *all)
{
    double found = mean(&all->found, all), chance = mean(&all->by_chance, all);
    if (l->rows > 0)
        enter(into, l, all, "rows", all->tests.most, "rows", AT_MOST, l->rows);
    if (l->seconds > 0)
        enter(into, l, all, "processor time", mean(&all->seconds, all), "s", AT_MOST, l->seconds);
    if (l->found > 0)
        enter(into, l, all, "faults", found, "faults", AT_LEAST, l->found);
    row *beside = enter(into, l, all, "faults beyond random's", found - chance, "faults",
                        AT_LEAST, -most_lost(all));
    snprintf(beside->note, sizeof beside->note,
             "%.0f tests, %zu seeds: %.2f faults, random %.2f; %.1f MiB; the paper: %s",
             all->tests.most, all->seeds, found, chance, all->mebibytes.most, l->paper);
}

static void print_table(results *into, const table *t, bool quick)
{
    print_head(t->title);
    for (size_t i = 0; i < t->count; i++) {
        const line *l = &t->lines[i];
        size_t      seeds = quick && l->seeds > QUICK_SHARE ? l->seeds / QUICK_SHARE : l->seeds;
        if (quick && l->slow)
            continue;
        progress("tcas: %s, t=%u", t->title, l->what.strength);
        tally all = seeds > 0 ? try_line(l, seeds) : (tally){ .seeds = 0 };
        print_line(l, &all);
        if (seeds > 0)
            enter_line(into, l, &all);
    }
}

/* ---- Explorers ---- */

#define EXPLORED_SEEDS 31
#define SHORT 1001
#define LONG 5000
#define ARRAY 5001 /* the tests of a line whose array is counted */
#define ARRAY_SEEDS 9

#define COMBINE "--explore", "combine"
#define OFF "--constants", "off"
static const struct {
    exploring how;
    double    after_short,
        in_every; /* bars: the median after SHORT tests; after LONG, in every seed */
    const char *paper;
} EXPLORINGS[] = {
    { { "random, uniform", "tcas_plain", "every", { "--lean", "off" }, LONG }, 0, 0, "" },
    { { "random", "tcas_plain", "every", { NULL }, LONG }, 0, 0, "" },
    { { "combine, strength 0", "tcas_plain", "every", { COMBINE, "--strength", "0", OFF }, LONG },
      28,
      0,
      "" },
    { { "combine", "tcas_plain", "every", { COMBINE, OFF }, LONG }, 32, 0, "" },
    { { "combine, thin combinations",
        "tcas_plain",
        "every",
        { COMBINE, OFF, "--thin", "combinations" },
        LONG },
      0,
      0,
      "" },
    { { "combine, thin distance",
        "tcas_plain",
        "every",
        { COMBINE, OFF, "--thin", "distance" },
        LONG },
      0,
      0,
      "" },
    { { "combine, constants", "tcas_plain", "every", { COMBINE }, LONG }, 0, 0, "" },
    { { "combine, signals", "tcas_signalled", "every", { COMBINE, OFF }, LONG }, 36, 38, "" },
    { { "combine, signals, constants", "tcas_signalled", "every", { COMBINE }, LONG }, 0, 0, "" },
    { { "0..1000, radix, t = 2",
        "tcas_plain",
        "every",
        { COMBINE, OFF, "--radix", "auto", "--strength", "2" },
        ARRAY },
      0,
      0,
      "26" },
    { { "0..1000, radix, t = 3",
        "tcas_plain",
        "every",
        { COMBINE, OFF, "--radix", "auto", "--strength", "3" },
        ARRAY },
      0,
      0,
      "28" },
    { { "tenth, radix, t = 2",
        "tcas_plain",
        "tenth",
        { COMBINE, OFF, "--radix", "auto", "--strength", "2" },
        ARRAY },
      0,
      0,
      "9" },
    { { "tenth, radix, t = 3",
        "tcas_plain",
        "tenth",
        { COMBINE, OFF, "--radix", "auto", "--strength", "3" },
        ARRAY },
      0,
      0,
      "30" },
    { { "picked, plain, t = 2",
        "tcas_picked",
        "picked",
        { COMBINE, OFF, "--strength", "2" },
        ARRAY },
      0,
      0,
      "" },
    { { "picked, plain, t = 3",
        "tcas_picked",
        "picked",
        { COMBINE, OFF, "--strength", "3" },
        ARRAY },
      0,
      0,
      "" },
};
#define EXPLORING_COUNT (sizeof EXPLORINGS / sizeof *EXPLORINGS)

static const char *only; /* lines with these words; NULL: all */

static explored *explored_seeds; /* shared: of each line and seed */
static size_t    explored_count;

static size_t explored_seeds_of(size_t at)
{
    bool few = EXPLORINGS[at].how.tests == ARRAY && explored_count > ARRAY_SEEDS;
    if (only != NULL && strstr(EXPLORINGS[at].how.words, only) == NULL)
        return 0;
    return few ? ARRAY_SEEDS : explored_count;
}

static void explore_task(size_t index, const void *context)
{
    (void)context;
    size_t at = index / explored_count, seed = index % explored_count;
    if (seed >= explored_seeds_of(at))
        return;
    explore_seed(&EXPLORINGS[at].how, seed + 1, &explored_seeds[index]);
    progress("tcas: %s, seed %zu", EXPLORINGS[at].how.words, seed + 1);
}

/* The faults after so many tests; 0: after as many as the array has rows. */
static void spread_after(size_t at, uint64_t tests, double list[EXPLORED_SEEDS])
{
    for (size_t s = 0; s < explored_seeds_of(at); s++) {
        const explored *one = &explored_seeds[at * explored_count + s];
        list[s] = one->done ? faults_after(one, tests > 0 ? tests : (uint64_t)one->rows) : -1;
    }
}

static void print_after(size_t at, uint64_t tests)
{
    double list[EXPLORED_SEEDS];
    char   text[32];
    spread_after(at, tests, list);
    double middle = median_of(list, explored_seeds_of(at));
    snprintf(text, sizeof text, "%g (%.0f-%.0f)", middle, list[0],
             list[explored_seeds_of(at) - 1]);
    printf(" %-12s", text);
}

static double rows_of_array(size_t at)
{
    double list[EXPLORED_SEEDS];
    for (size_t s = 0; s < explored_seeds_of(at); s++)
        list[s] = explored_seeds[at * explored_count + s].rows;
    return median_of(list, explored_seeds_of(at));
}

static void print_explored(size_t at)
{
    double rows = rows_of_array(at);
    bool   array = EXPLORINGS[at].how.tests == ARRAY;
    printf("  %-28s", EXPLORINGS[at].how.words);
    print_after(at, SHORT);
    print_after(at, LONG);
    if (array && rows >= 0) {
        printf(" %6.0f", rows);
        print_after(at, 0);
    } else {
        printf(" %6s %-12s", "", "");
    }
    printf(" %s\n", EXPLORINGS[at].paper);
}

static void enter_explored(results *into, size_t at)
{
    double list[EXPLORED_SEEDS];
    char   measure[96];
    if (EXPLORINGS[at].after_short > 0) {
        spread_after(at, SHORT, list);
        snprintf(measure, sizeof measure, "%s: faults after %d tests", EXPLORINGS[at].how.words,
                 SHORT);
        result(into, measure, median_of(list, explored_seeds_of(at)), "faults", AT_LEAST,
               EXPLORINGS[at].after_short);
    }
    if (EXPLORINGS[at].in_every > 0) {
        spread_after(at, LONG, list);
        median_of(list, explored_seeds_of(at));
        snprintf(measure, sizeof measure, "%s: faults after %d, worst seed",
                 EXPLORINGS[at].how.words, LONG);
        result(into, measure, list[0], "faults", AT_LEAST, EXPLORINGS[at].in_every);
    }
}

static void explorers(results *into, bool quick)
{
    explored_count = quick ? 5 : EXPLORED_SEEDS;
    explored_seeds = shared_memory(EXPLORING_COUNT * explored_count * sizeof *explored_seeds);
    share_out(EXPLORING_COUNT * explored_count, explore_task, NULL);
    progress_over();
    printf("\nThe unit as a property: faults of %d that the tests expose, seeds 1..%zu: median "
           "(least-\n"
           "most); the rows of the array, and the faults after so many tests\n  %-28s %-12s "
           "%-12s %6s %-12s %s\n",
           distinct_faults(), explored_count, "--explore", "after 1001", "after 5000", "rows",
           "after these", "the paper");
    for (size_t at = 0; at < EXPLORING_COUNT; at++) {
        if (explored_seeds_of(at) == 0)
            continue;
        print_explored(at);
        enter_explored(into, at);
    }
}

static int explorers_alone(void)
{
    static results all = { .name = "tcas" };
    explorers(&all, false);
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int tables(bool quick)
{
    static results all = { .name = "tcas" };
    int            unknown = check_known();
    printf(
        "Faults that repeat no other, of %d: the mean over seeds, in brackets the least and the\n"
        "most; random: as many tests, uniform. Seconds are processor time, of making the rows "
        "and\n"
        "running them; MiB the most that a process took.\n",
        FAULTS);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        print_table(&all, &TABLES[i], quick);
    explorers(&all, quick);
    result(&all, "what is known of the unit and is not so", unknown, "things", EXACTLY, 0);
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

static int assert_line(const line *l, size_t seeds)
{
    tally all = try_line(l, seeds);
    bool  run = all.done == seeds;
    bool  few_rows = all.tests.most <= l->rows || !(l->rows > 0);
    bool  as_random = all.found.sum >= all.by_chance.sum - LOST_MOST_OF_FEW * (double)seeds;
    if (run && few_rows && as_random)
        return 0;
    print_line(l, &all);
    return 1;
}

static int assert_seeds(size_t seeds)
{
    int wrong = check_known();
    for (size_t t = 0; t < TABLE_COUNT; t++)
        for (size_t i = 0; i < TABLES[t].count; i++)
            if (TABLES[t].lines[i].asserted)
                wrong += assert_line(&TABLES[t].lines[i], seeds);
    if (wrong == 0)
        printf("the unit is as it is known, and seeds 1..%zu are within bounds\n", seeds);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    bool   quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    bool   alone = (argc == 2 || argc == 3) && strcmp(argv[1], "--explorers") == 0;
    bool   asserting = argc == 3 && strcmp(argv[1], "--assert") == 0;
    size_t seeds = asserting ? strtoul(argv[2], NULL, 10) : 0;
    if (argc > 1 && !quick && !alone && (seeds == 0 || seeds > SEEDS_MOST)) {
        fprintf(stderr,
                "usage: tcas [--quick] | tcas --explorers [WORDS] | tcas --assert SEEDS\n");
        return 99;
    }
    only = alone ? argv[2] : NULL;
    return asserting ? assert_seeds(seeds) : alone ? explorers_alone() : tables(quick);
}
