/* bench/cover_stop.c: what the search for fewer rows costs where it gains nothing.
 *
 * Runs `warren cover` on small models: shapes of the literature, and models made at random. Each
 * is run as a first array (--moves 1), as usual, and with a second of search. If the usual array
 * has as many rows as the first one, it may take twice the first one's CPU time. If the search
 * ended early, a second of it finds no fewer rows.
 *
 *     cover_stop [--quick]     quick: one model in four
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "results.h"

#define MODEL_FILE BUILT "/cover-stop-model.txt"
#define ROWS_FILE BUILT "/cover-stop-rows.csv"
#define RUNS 3      /* the shortest of so many counts */
#define LEAST 0.002 /* seconds: a process takes about so long by itself */
#define ENDED 0.25  /* seconds: a search that takes less has ended before its time */
#define MADE 64     /* models at random */

typedef struct outcome {
    double rows, cpu; /* rows < 0: it did not end well */
} outcome;

/* The first line has the names. */
static double count_rows(void)
{
    return count_lines(ROWS_FILE) - 1;
}

static outcome run_cover(unsigned strength, const char *option, const char *value, int runs)
{
    char    t[16], output[256];
    outcome best = { -1, 1e9 };
    snprintf(t, sizeof t, "%u", strength);
    for (int i = 0; i < runs; i++) {
        char *arguments[] = { WARREN, "cover",   MODEL_FILE,     "-t",          t,
                              "-o",   ROWS_FILE, (char *)option, (char *)value, NULL };
        child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
        if (ran.status != 0)
            return (outcome){ -1, 0 };
        best.cpu = ran.cpu < best.cpu ? ran.cpu : best.cpu;
    }
    best.rows = count_rows();
    return best;
}

/* ---- Models ---- */

static const char *const SHAPES[] = {
    "2^5",
    "2 3 4 5",
    "3^4 4",
    "3^4 6",
    "2^10 7",
    "2^5 3^4 5",
    "2^6 3^2 5 6",
    "2^5 3 4^2 5 6",
    "2^14 4",
    "2^5 3^6 4",
    "2^9 3 5^3 6 8",
    "2^3 3^6 4^6",
    "2^16 3^6 4^5 5",
    "2^3 3^12 4^8 5",
    "3^4",
    "3^13",
    "2^20",
    "5^5",
    "6^6",
    "7^7",
    "4^10",
    "10^4",
    "5 3^8 2^2",
    "7 6 5 4^6 3^8",
    "5 4^4 3^11 2^5",
    "6 5 4^6 3^8",
    "4 3^13 2^11",
    "8^2 7^2 6^2",
    "2^8 3^4",
    "3^8",
    "3^10",
    "4^5",
    "4^6",
    "5^6",
    "2^6",
    "2^12 3",
    "9 8 7 6 5",
    "4^3 5^3",
    "6^4 2^4",
    "2^30",
    "10 2^8",
    "12 3^3 2^3",
    "15 10 2^3",
    "4^2 3^5 2^6",
    "5^3 4^2 3",
    "20 3^4",
    "2^4 3^4 4^4",
    "7^2 5^2 3^2",
    "3^6 2",
    "2^7",
    "4^15 3^5",
    "10^2 4 3^2 2^7",
    "3^20",
    "5^10",
    "2^11 3^2 4",
    "6^2 5^3 4 3^2",
    "11 7 5 3 2^4",
    "2^2 3^2 4^2 5^2",
    "8 4^3 2^5",
    "2^13 5",
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static void write_shape(FILE *out, const char *shape)
{
    unsigned column = 0, levels, count;
    int      used;
    for (const char *at = shape; sscanf(at, " %u%n", &levels, &used) == 1;) {
        at += used;
        count = 1;
        if (sscanf(at, "^%u%n", &count, &used) == 1)
            at += used;
        while (count-- > 0)
            fprintf(out, "parameter p%u: 0..%u\n", column++, levels - 1);
    }
}

static unsigned below(uint64_t *random, unsigned count)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*random >> 33) % count);
}

/* Three to eleven parameters of two to nine values, and up to four implications. */
static void write_random(FILE *out, uint64_t seed)
{
    uint64_t random = seed * 977 + 5;
    unsigned count = 3 + below(&random, 9), levels[12], rules = below(&random, 5);
    for (unsigned p = 0; p < count; p++) {
        levels[p] = 2 + below(&random, 2 + below(&random, 7));
        fprintf(out, "parameter p%u: 0..%u\n", p, levels[p] - 1);
    }
    for (unsigned i = 0; i < rules; i++) {
        unsigned a = below(&random, count), b = below(&random, count);
        fprintf(out, "require p%u = %u => p%u %s %u\n", a, below(&random, levels[a]), b,
                below(&random, 2) ? "!=" : "<=", below(&random, levels[b]));
    }
}

/* ---- All of them ---- */

typedef struct total {
    unsigned models, gain_nothing, slow, more_rows;
    double   worst, first, usual; /* the worst ratio; CPU seconds of those that gain nothing */
} total;

static void measure(total *sum, const char *name, unsigned strength)
{
    progress("%s, t=%u", name, strength);
    outcome first = run_cover(strength, "--moves", "1", RUNS);
    if (first.rows < 0)
        return; /* constraints that contradict each other */
    outcome usual = run_cover(strength, NULL, NULL, RUNS);
    outcome second = run_cover(strength, "--optimise", "1s", 1);
    bool    vain = usual.rows == first.rows;
    double  ratio = usual.cpu / (first.cpu > LEAST ? first.cpu : LEAST);
    progress_over();
    printf("%-20s %2u %7.0f %7.0f %7.0f %9.1f %9.1f %s\n", name, strength, first.rows, usual.rows,
           second.rows, 1e3 * first.cpu, 1e3 * usual.cpu, vain ? "gains nothing" : "");
    sum->models++;
    sum->gain_nothing += vain;
    sum->slow += vain && ratio > 2;
    sum->worst = vain && ratio > sum->worst ? ratio : sum->worst;
    sum->first += vain ? first.cpu : 0;
    sum->usual += vain ? usual.cpu : 0;
    sum->more_rows += usual.cpu < ENDED && usual.rows > second.rows;
}

static void measure_model(total *sum, unsigned number, unsigned strength)
{
    char  name[32];
    FILE *out = fopen(MODEL_FILE, "w");
    if (out == NULL)
        return;
    fputs("model stop\n", out);
    if (number < SHAPE_COUNT)
        write_shape(out, SHAPES[number]);
    else
        write_random(out, number);
    fclose(out);
    snprintf(name, sizeof name, number < SHAPE_COUNT ? "%s" : "at random",
             number < SHAPE_COUNT ? SHAPES[number] : "");
    measure(sum, name, strength);
}

int main(int argc, char **argv)
{
    static results all = { .name = "cover_stop" };
    bool           quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    total          sum = { 0 };
    if (argc > 2 || (argc == 2 && !quick)) {
        fprintf(stderr, "usage: cover_stop [--quick]\n");
        return 99;
    }
    printf("%-20s %2s %7s %7s %7s %9s %9s\n", "model", "t", "moves 1", "usual", "1 s", "moves 1",
           "usual");
    printf("%-20s %2s %7s %7s %7s %9s %9s\n", "", "", "rows", "rows", "rows", "CPU ms", "CPU ms");
    for (unsigned i = 0; i < SHAPE_COUNT + MADE; i += quick ? 4 : 1)
        measure_model(&sum, i, 2 + i % 2);
    result(&all, "models", sum.models, "", AT_LEAST, quick ? 20 : 100);
    row *slow = result(&all, "models that gain nothing and take over twice the time", sum.slow,
                       "", AT_MOST, 0);
    snprintf(slow->note, sizeof slow->note,
             "%u gain nothing: worst %.2f times, in all %.2f times", sum.gain_nothing, sum.worst,
             sum.usual / sum.first);
    result(&all, "models that end early and have more rows than after a second", sum.more_rows,
           "", AT_MOST, 0);
    print_rows(&all, 0, "Where the search gains nothing, it ends");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
