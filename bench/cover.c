/* bench/cover.c: how few rows, how soon.
 *
 * Runs `warren cover` on the models that tools for covering arrays are compared by, and counts
 * rows and CPU seconds. Bars are the fewest rows that PICT, jenny, ACTS's IPOG or NIST's library
 * of arrays were measured or published to have; notes say what else is known. Rows are checked
 * by the command's own checker (--verify) wherever the time is not what is measured.
 *
 *     cover [--quick]     quick: the default effort only, and nothing that takes minutes
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "results.h"

#define MODEL_FILE BUILT "/cover-model.txt"
#define ROWS_FILE BUILT "/cover-rows.csv"
#define NO_BAR 0

/* What the command came to. */
typedef struct outcome {
    double rows, cpu;
    bool   well; /* it ended well, and where it was to check the rows it found nothing wrong */
} outcome;

/* ---- One run ---- */

/* The first line has the names. */
static double count_rows(void)
{
    return count_lines(ROWS_FILE) - 1;
}

/* `options` is up to eight words, ended by NULL. */
static outcome run_cover(const char *model, unsigned strength, const char *const *options)
{
    char  t[16], output[256];
    char *arguments[16] = { WARREN, "cover", (char *)model, "-t", t, "-q", "-o", ROWS_FILE };
    for (size_t i = 0; options[i] != NULL; i++)
        arguments[8 + i] = (char *)options[i];
    snprintf(t, sizeof t, "%u", strength);
    remove(ROWS_FILE);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    return (outcome){ count_rows(), ran.cpu, ran.status == 0 };
}

/* "10^2 4 2^7" as a model file. */
static bool write_model(const char *shape)
{
    FILE *out = fopen(MODEL_FILE, "w");
    if (out == NULL)
        return false;
    unsigned column = 0, levels, count;
    int      used;
    fputs("model shape\n", out);
    for (const char *at = shape; sscanf(at, " %u%n", &levels, &used) == 1;) {
        at += used;
        count = 1;
        if (sscanf(at, "^%u%n", &count, &used) == 1)
            at += used;
        while (count-- > 0)
            fprintf(out, "parameter p%u: 0..%u\n", column++, levels - 1);
    }
    return fclose(out) == 0;
}

static row *tell(results *all, const char *measure, outcome got, double figure, const char *unit,
                 double bar)
{
    progress_over();
    row *one = result(all, measure, got.well ? figure : 1e9, unit, AT_MOST, bar);
    if (!got.well)
        snprintf(one->note, sizeof one->note, "the command did not end well");
    return one;
}

/* ---- Without constraints ---- */

typedef struct line {
    const char *shape;
    unsigned    strength;
    double      bar;   /* the fewest rows of the other tools */
    double      known; /* the fewest rows known at all */
} line;

static const line LINES[] = {
    { "10^2 4 3^2 2^7", 2, 100, 100 },
    { "10^2 4 3^2 2^7", 3, 400, 400 },
    { "10^2 4 3^2 2^7", 4, 1358, 1200 },
    { "10^2 4 3^2 2^7", 5, 4219, 3600 },
    { "10^2 4 3^2 2^7", 6, 10919, 7200 },
    { "3^4", 2, 9, 9 },
    { "3^13", 2, 18, 15 },
    { "4^15 3^17 2^29", 2, 33, 28 },
    { "4 3^39 2^35", 2, 26, 20 },
    { "2^100", 2, 13, 10 },
    { "10^20", 2, 193, 155 },
    { "4^100", 2, 52, 39 },
    { "5^10", 3, 291, 185 },
    { "6^6", 3, 357, 258 },
    { "3^13", 3, 69, 45 },
    { "10^10", 3, 2170, 1215 },
    { "2^20", 4, 61, 39 },
    { "4^10", 4, 700, 496 },
    { "6^6", 4, 2162, 1653 },
    { "2^15", 5, 122, 79 },
    { "2^15", 6, 268, 128 },
    { "2^20", 5, 155, 99 },
    { "2^20", 6, 363, 300 },
    { "3^10", 6, 2190, 1431 },
    { "4^10", 5, 3026, 1792 },
    { "3^20", 4, 358, 271 },
    { "4^100", 3, 398, NO_BAR },
    { "2^100", 4, 132, NO_BAR },
    { "4^15 3^17 2^29", 3, 191, NO_BAR },
};

static void run_line(results *all, const line *one, const char *const *options, const char *how)
{
    char measure[96];
    snprintf(measure, sizeof measure, "%s, t=%u%s", one->shape, one->strength, how);
    progress("%s", measure);
    write_model(one->shape);
    outcome got = run_cover(MODEL_FILE, one->strength, options);
    row    *told = tell(all, measure, got, got.rows, "rows", one->bar);
    if (got.well && one->known > 0)
        snprintf(told->note, sizeof told->note, "fewest known %.0f; %.2f CPU s with checking",
                 one->known, got.cpu);
}

static void plain_lines(results *all)
{
    size_t from = all->count;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        run_line(all, &LINES[i], (const char *const[]){ "--verify", NULL }, "");
    print_rows(all, from,
               "Default effort: no more rows than PICT, jenny, IPOG and NIST's library");
}

static const line SEARCHED[] = {
    { "3^4", 2, 9, 9 },           { "3^13", 2, 15, 15 },      { "4^15 3^17 2^29", 2, 29, 28 },
    { "4 3^39 2^35", 2, 22, 20 }, { "2^100", 2, 10, 10 },     { "10^20", 2, 189, 155 },
    { "5^10", 3, 250, 185 },      { "10^10", 3, 1331, 1215 }, { "10^2 4 3^2 2^7", 4, 1300, 1200 },
};

static void searched_lines(results *all)
{
    size_t from = all->count;
    for (size_t i = 0; i < sizeof SEARCHED / sizeof *SEARCHED; i++)
        run_line(all, &SEARCHED[i],
                 (const char *const[]){ "--verify", "--optimise", "10s", NULL }, ", 10 s");
    print_rows(all, from, "Ten seconds of search");
}

/* ---- With constraints ---- */

typedef struct constrained {
    const char *model;
    double      pairs, triples; /* bars */
    const char *pairs_known, *triples_known;
} constrained;

static const constrained MODELS[] = {
    { "spin_s", 19, 82, "ACTS 26, FastCA (1000 s) 19", "ACTS 98, FastCA (1000 s) 80" },
    { "spin_v", 32, 205, "ACTS 45, FastCA (1000 s) 31", "ACTS 286, FastCA (1000 s) 195" },
    { "gcc", 17, 85, "ACTS 23, FastCA (1000 s) 16", "ACTS 108, FastCA (1000 s) 75" },
    { "apache", 30, 150, "ACTS 33, FastCA (1000 s) 30", "ACTS 173, FastCA (1000 s) 133" },
    { "bugzilla", 16, 52, "ACTS 19, FastCA (1000 s) 16", "ACTS 68, FastCA (1000 s) 48" },
    { "tcas", 100, 400, "ACTS 100, FastCA (1000 s) 100", "ACTS 405, FastCA (1000 s) 400" },
};

static void run_constrained(results *all, const constrained *one, unsigned strength,
                            const char *duration)
{
    char measure[96], path[512];
    bool pairs = strength == 2;
    snprintf(measure, sizeof measure, "%s, t=%u, %s", one->model, strength, duration);
    snprintf(path, sizeof path, "%s/%s.txt", MODELS_FOLDER, one->model);
    progress("%s", measure);
    outcome got = run_cover(path, strength,
                            (const char *const[]){ "--verify", "--optimise", duration, NULL });
    row    *told = tell(all, measure, got, got.rows, "rows", pairs ? one->pairs : one->triples);
    if (got.well)
        snprintf(told->note, sizeof told->note, "%s",
                 pairs ? one->pairs_known : one->triples_known);
}

static void constrained_lines(results *all)
{
    size_t from = all->count;
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++)
        run_constrained(all, &MODELS[i], 2, "10s");
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++)
        run_constrained(all, &MODELS[i], 3, "60s");
    print_rows(all, from, "Real models with constraints");
}

/* ---- Time ---- */

/* Bars for rows and for CPU seconds, of a shape or of a model under bench/models. */
typedef struct timed {
    const char *what;
    const char *shape; /* NULL: the model of that name */
    unsigned    strength;
    const char *option, *value; /* NULL: none */
    double      rows, seconds;  /* NO_BAR: not measured */
    bool        slow;           /* not in the quick form; the time is that of checking, too */
} timed;

#define RANGES "1001^6 2^3 3 4^2"
#define STEPS "101^6 2^3 3 4^2"

static const timed TIMED[] = {
    { "TCAS, first array", "10^2 4 3^2 2^7", 5, "--moves", "1", NO_BAR, 0.1, false },
    { "TCAS, first array", "10^2 4 3^2 2^7", 6, "--moves", "1", NO_BAR, 0.3, false },
    { "six ranges of 1001", RANGES, 2, NULL, NULL, 1002001, 2, false },
    { "six ranges of 101", STEPS, 2, NULL, NULL, 10201, 2, false },
    { "six ranges of 101", STEPS, 3, NULL, NULL, 1030301, 4, false },
    { "six ranges of 1001 as digits", RANGES, 2, "--radix", "auto", 1001, 0.5, false },
    { "six ranges of 1001 as digits", RANGES, 3, "--radix", "auto", 1001, 0.5, false },
    { "six ranges of 1001 as digits", RANGES, 4, "--radix", "auto", 1720, 5, false },
    { "six ranges of 101 as digits", STEPS, 2, "--radix", "auto", 101, 0.1, false },
    { "six ranges of 101 as digits", STEPS, 3, "--radix", "auto", 182, 0.2, false },
    { "six ranges of 101 as digits", STEPS, 4, "--radix", "auto", 845, 2, false },
    { "gcc", NULL, 4, "--moves", "1", NO_BAR, 120, true },
    { "apache", NULL, 4, "--moves", "1", NO_BAR, 120, true },
};

static void run_timed(results *all, const timed *one)
{
    char measure[96], path[512];
    snprintf(measure, sizeof measure, "%s, t=%u", one->what, one->strength);
    snprintf(path, sizeof path, "%s/%s.txt", MODELS_FOLDER, one->what);
    progress("%s", measure);
    if (one->shape != NULL)
        write_model(one->shape);
    outcome got = run_cover(
        one->shape != NULL ? MODEL_FILE : path, one->strength,
        (const char *const[]){ one->option, one->value, one->slow ? "--verify" : NULL, NULL });
    if (one->rows > 0)
        tell(all, measure, got, got.rows, "rows", one->rows);
    row *told = tell(all, measure, got, got.cpu, "CPU s", one->seconds);
    if (got.well && one->rows <= 0)
        snprintf(told->note, sizeof told->note, "%.0f rows%s", got.rows,
                 one->slow ? ", checked" : "");
}

static void timed_lines(results *all, bool quick)
{
    size_t from = all->count;
    for (size_t i = 0; i < sizeof TIMED / sizeof *TIMED; i++)
        if (!quick || !TIMED[i].slow)
            run_timed(all, &TIMED[i]);
    print_rows(all, from, "First arrays, wide ranges, digits");
}

/* ---- Other shapes ---- */

/* Made from a seed, as nobody publishes models like these with their sizes: no bar on rows, but
 * that they are finished, and checked, in a time that one can wait for. */
typedef struct made {
    const char *what;
    void (*write)(FILE *out, uint64_t *random);
    unsigned strength;
    double   seconds;
} made;

static unsigned below(uint64_t *random, unsigned count)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*random >> 33) % count);
}

static void write_booleans(FILE *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "parameter b%u: false, true\n", i);
}

static void write_clauses(FILE *out, uint64_t *random)
{
    write_booleans(out, 120);
    for (int i = 0; i < 400; i++) {
        fprintf(out, "require %sb%u or ", below(random, 2) ? "!" : "", below(random, 120));
        fprintf(out, "%sb%u or ", below(random, 2) ? "!" : "", below(random, 120));
        fprintf(out, "%sb%u\n", below(random, 4) ? "" : "!", below(random, 120));
    }
}

/* A tree, with groups of which one or exactly one is needed, and clauses across it. */
static void write_features(FILE *out, uint64_t *random)
{
    write_booleans(out, 1400);
    fputs("require b0\n", out);
    for (unsigned i = 1; i + 3 <= 1400; i += 3) {
        unsigned parent = below(random, i < 200 ? i : 200), kind = below(random, 4);
        for (unsigned k = i; k < i + 3; k++)
            fprintf(out, "require b%u => b%u\n", k, parent);
        if (kind > 1)
            fprintf(out, "require b%u => b%u or b%u or b%u\n", parent, i, i + 1, i + 2);
        for (unsigned k = i; kind == 3 && k < i + 3; k++)
            fprintf(out, "require !b%u or !b%u\n", k, k == i ? i + 2 : k - 1);
    }
    for (int i = 0; i < 600; i++) {
        unsigned from = 1 + below(random, 1399), to = 1 + below(random, 1399);
        fprintf(out, "require b%u => b%u or b%u\n", from, to, below(random, 1400));
    }
}

static void write_modes(FILE *out, uint64_t *random)
{
    fputs("parameter mode: 0..9\n", out);
    for (unsigned i = 0; i < 60; i++)
        fprintf(out, "parameter p%u: none, low, middle, high\n", i);
    for (unsigned i = 0; i < 60; i++) {
        fprintf(out, "require if mode in {%u, %u, %u}", below(random, 10), below(random, 10),
                below(random, 10));
        fprintf(out, " then p%u = none else p%u != none\n", i, i);
    }
}

static void write_order(FILE *out, uint64_t *random)
{
    (void)random;
    fputs("parameter a: 0..1000\nparameter b: 0..1000\nparameter c: 0..1000\n"
          "require a < b and b < c\n",
          out);
}

static void write_million(FILE *out, uint64_t *random)
{
    (void)random;
    fputs("parameter a: 0..999999\nparameter b: 0..999999\nrequire a <= b\n", out);
}

static const made MADE[] = {
    { "120 booleans, 400 clauses of three", write_clauses, 2, 30 },
    { "1400 features in a tree, 600 clauses across", write_features, 2, 60 },
    { "60 parameters that do not apply in some of 10 modes", write_modes, 2, 15 },
    { "three ranges of 1001 in order", write_order, 2, 30 },
    { "two ranges of a million, one not above the other", write_million, 1, 15 },
};

static void run_made(results *all, const made *one)
{
    char     measure[96];
    uint64_t random = 1;
    FILE    *out = fopen(MODEL_FILE, "w");
    if (out == NULL)
        return;
    one->write(out, &random);
    fclose(out);
    snprintf(measure, sizeof measure, "%s, t=%u", one->what, one->strength);
    progress("%s", measure);
    outcome got = run_cover(MODEL_FILE, one->strength, (const char *const[]){ "--verify", NULL });
    row    *told = tell(all, measure, got, got.cpu, "CPU s", one->seconds);
    if (got.well)
        snprintf(told->note, sizeof told->note, "%.0f rows; with checking", got.rows);
}

static void made_lines(results *all)
{
    size_t from = all->count;
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++)
        run_made(all, &MADE[i]);
    print_rows(all, from, "Other shapes, default effort");
}

int main(int argc, char **argv)
{
    static results all = { .name = "cover" };
    bool           quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc > 2 || (argc == 2 && !quick)) {
        fprintf(stderr, "usage: cover [--quick]\n");
        return 99;
    }
    plain_lines(&all);
    if (!quick) {
        searched_lines(&all);
        constrained_lines(&all);
    }
    timed_lines(&all, quick);
    made_lines(&all);
    int missed = write_results(&all, RESULTS);
    return missed == 0 ? 0 : 1;
}
