/* studies/faults/faults.c: how soon a fault in an error path is found.
 *
 *     faults [--quick]     the tables and the bars
 *
 * Sixteen functions with one fault each in an error path (functions.c), three libraries as Debian
 * has them (libraries.c), both under AddressSanitizer, in the default mode. The figure of a
 * property is the executions of its body up to the first failing one, the worst of the seeds. The
 * same functions without their faults must hold. At last the cost of an allocation while no call
 * can fail (cost.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"

#define SEEDS 10
#define QUICK_SEEDS 2
#define PROPERTIES 32
#define EXECUTIONS_MOST 200
#define COST_MOST 3
#define ROUNDS 10

static char output[1 << 20];

typedef struct property {
    char     name[64], message[64];
    double   worst;
    unsigned failed, held;
} property;

typedef struct table {
    property rows[PROPERTIES];
    size_t   count;
} table;

static property *row_of(table *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->rows[i].name, name) == 0)
            return &all->rows[i];
    if (all->count == PROPERTIES)
        return NULL;
    property *one = &all->rows[all->count++];
    snprintf(one->name, sizeof one->name, "%s", name);
    return one;
}

static void read_line(table *all, const char *line)
{
    char        name[64] = "", status[16] = "";
    const char *failure = json_member(line, "failure");
    if (!json_text(json_member(line, "property"), name, sizeof name) ||
        !json_text(json_member(line, "status"), status, sizeof status))
        return;
    property *one = row_of(all, name);
    if (one == NULL)
        return;
    one->held += strcmp(status, "held") == 0 || strcmp(status, "proved") == 0;
    if (failure == NULL || strcmp(status, "failed") != 0)
        return;
    double before = json_number(json_member(failure, "executions_before"));
    one->failed++;
    one->worst = before > one->worst ? before : one->worst;
    if (one->message[0] == '\0')
        json_text(json_member(failure, "kind"), one->message, sizeof one->message);
}

static void run(table *all, const char *program, unsigned seed)
{
    char  text[16];
    char *arguments[] = { (char *)program, "--seed",        text, "--format", "json",
                          "--no-store",    "--shrink-time", "1s", NULL };
    snprintf(text, sizeof text, "%u", seed);
    progress("faults: %s, seed %u", strrchr(program, '/') + 1, seed);
    run_child(arguments, output, sizeof output, false, NULL, NULL);
    for (char *line = output, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        read_line(all, line);
    }
}

static table run_all(const char *program, unsigned seeds)
{
    table all = { .count = 0 };
    for (unsigned seed = 1; seed <= seeds; seed++)
        run(&all, program, seed);
    progress_over();
    return all;
}

static void print_table(const table *all, const char *title, unsigned seeds)
{
    printf("\n%s\n  %-42s %7s %5s %11s  %s\n", title, "", "failed", "held", "executions", "kind");
    for (size_t i = 0; i < all->count; i++)
        printf("  %-42s %4u/%-2u %5u %11.0f  %s\n", all->rows[i].name, all->rows[i].failed, seeds,
               all->rows[i].held, all->rows[i].worst, all->rows[i].message);
    fflush(stdout);
}

static unsigned always_failed(const table *all, unsigned seeds, double *worst)
{
    unsigned count = 0;
    *worst = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->rows[i].failed == seeds) {
            count++;
            *worst = all->rows[i].worst > *worst ? all->rows[i].worst : *worst;
        }
    return count;
}

static unsigned ever_failed(const table *all, unsigned seeds)
{
    unsigned count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += all->rows[i].held != seeds;
    return count;
}

/* Of a program that prints nanoseconds. */
static double cost_of(const char *program)
{
    char *arguments[] = { (char *)program, NULL };
    run_child(arguments, output, sizeof output, false, NULL, NULL);
    return strtod(output, NULL);
}

/* The least of each program in some rounds, which take turns. */
static double cost_of_hooks(void)
{
    double hooked = 1e9, plain = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double now = cost_of(COST_HOOKED_PROGRAM);
        hooked = now < hooked ? now : hooked;
        now = cost_of(COST_PLAIN_PROGRAM);
        plain = now < plain ? now : plain;
    }
    return hooked - plain;
}

int main(int argc, char **argv)
{
    static results all = { .name = "faults" };
    unsigned       seeds = argc > 1 && strcmp(argv[1], "--quick") == 0 ? QUICK_SEEDS : SEEDS;
    double         worst;
    table          seeded = run_all(SEEDED_PROGRAM, seeds), right = run_all(RIGHT_PROGRAM, seeds);
    table          libraries = run_all(LIBRARIES_PROGRAM, seeds);
    print_table(&seeded, "Functions with a fault in an error path", seeds);
    print_table(&right, "The same without it", seeds);
    print_table(&libraries, "Libraries of Debian, as they are", seeds);

    result(&all, "functions whose fault every seed finds", always_failed(&seeded, seeds, &worst),
           "functions", AT_LEAST, 12);
    result(&all, "executions until then, the worst", worst, "executions", AT_MOST,
           EXECUTIONS_MOST);
    result(&all, "functions without a fault that fail", ever_failed(&right, seeds), "functions",
           EXACTLY, 0);
    if (libraries.count > 0) {
        double found = always_failed(&libraries, seeds, &worst);
        result(&all, "library properties that every seed refutes", found, "properties", AT_LEAST,
               2);
        result(&all, "executions until then, the worst", worst, "executions", AT_MOST,
               EXECUTIONS_MOST);
    }
    result(&all, "an allocation while none can fail: what it costs more", cost_of_hooks(), "ns",
           AT_MOST, COST_MOST);
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
