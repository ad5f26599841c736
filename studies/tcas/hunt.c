/* studies/tcas/hunt.c: see hunt.h. */
#include "hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/prng.h"
#include "model.h"

/* ---- Exposing faults ---- */

typedef struct chase {
    const setting *where;
    uint64_t       tests;
    uint64_t       exposed; /* a bit for each fault */
} chase;

static void expose(chase *c, const uint32_t *levels)
{
    int in[INPUTS];
    values_at(c->where, levels, in);
    advice right = advise(&UNITS[0], in);
    for (int f = 1; f <= FAULTS; f++)
        if (!(c->exposed >> f & 1) && advise(&UNITS[f], in) != right)
            c->exposed |= UINT64_C(1) << f;
    c->tests++;
}

static bool expose_row(void *state, const uint32_t *levels)
{
    expose(state, levels);
    return true;
}

/* Uniform and independent tests, until there are `tests`. */
static void expose_at_random(chase *c, uint64_t tests, uint64_t random)
{
    uint32_t levels[INPUTS];
    while (c->tests < tests) {
        for (int i = 0; i < INPUTS; i++)
            levels[i] =
                (uint32_t)wri_prng_scale(wri_prng_next(&random), c->where->inputs[i].count - 1);
        expose(c, levels);
    }
}

static int count_distinct(uint64_t exposed)
{
    int count = 0;
    for (int f = 1; f <= FAULTS; f++)
        count += UNITS[f].repeats == 0 && (exposed >> f & 1);
    return count;
}

int distinct_faults(void)
{
    return count_distinct(UINT64_MAX);
}

/* ---- One seed ---- */

static bool expose_by_array(chase *c, const design *what, uint64_t seed)
{
    unsigned radix[] = {
        [WHOLE] = 0, [SMALLEST_BASE] = smallest_base(what->where), [FEWEST_ROWS] = 1
    };
    wr_covering_options options = { .seed = seed, .radix = radix[what->how] };
    wr_covering        *model = model_of(what->where, what->strength);
    bool                fine = model != NULL && wr_covering_each(model, &options, expose_row, c);
    if (model != NULL && !fine)
        fprintf(stderr, "%s: %s\n", what->where->name, wr_covering_error(model));
    wr_covering_free(model);
    return fine;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void hunt(const design *what, uint64_t seed, haul *caught)
{
    chase  rows = { .where = what->where }, chance = rows;
    double start = processor_seconds();
    caught->done = expose_by_array(&rows, what, seed);
    expose_at_random(&rows, what->go_on, wri_prng_stream(seed, 0));
    caught->seconds = processor_seconds() - start;
    expose_at_random(&chance, rows.tests, wri_prng_stream(seed, 1));
    caught->tests = rows.tests;
    caught->found = count_distinct(rows.exposed);
    caught->by_chance = count_distinct(chance.exposed);
}

/* ---- Many seeds ---- */

static pid_t start_seed(const design *what, size_t seed, haul *caught)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        hunt(what, seed, caught);
        _exit(0);
    }
    return child;
}

/* Waits for any child and notes what it took. */
static void end_seed(pid_t *children, size_t count, haul *caught)
{
    struct rusage used;
    int           status = 0;
    pid_t         ended = wait4(-1, &status, 0, &used);
    for (size_t i = 0; i < count; i++) {
        if (children[i] != ended)
            continue;
        children[i] = -1;
        caught[i].done &= status == 0;
        caught[i].mebibytes = (double)used.ru_maxrss / 1024;
    }
}

static void run_seeds(const design *what, size_t count, pid_t *children, haul *caught)
{
    long   cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores < 1 ? 1 : (size_t)cores, running = 0;
    for (size_t i = 0; i < count; i++) {
        if (running == most) {
            end_seed(children, i, caught);
            running--;
        }
        children[i] = start_seed(what, i + 1, &caught[i]);
        running += children[i] > 0;
    }
    for (; running > 0; running--)
        end_seed(children, count, caught);
}

void hunt_seeds(const design *what, size_t count, haul *caught)
{
    pid_t *children = calloc(count, sizeof *children);
    haul  *shared = mmap(NULL, count * sizeof *shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (children != NULL && shared != MAP_FAILED)
        run_seeds(what, count, children, shared);
    for (size_t i = 0; i < count; i++)
        caught[i] = shared == MAP_FAILED ? (haul){ .done = false } : shared[i];
    if (shared != MAP_FAILED)
        munmap(shared, count * sizeof *shared);
    free(children);
}
