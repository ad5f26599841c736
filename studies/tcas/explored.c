/* studies/tcas/explored.c: see explored.h. */
#include "explored.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "json.h"
#include "noted.h"

static noted_tests *new_notes(char *path)
{
    int   file = mkstemp(path);
    void *at = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(noted_tests)) == 0)
        at = mmap(NULL, sizeof(noted_tests), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        perror(path);
        exit(99);
    }
    close(file);
    setenv("TCAS_NOTED", path, 1);
    return at;
}

static void try_faults(const noted_tests *tests, explored *into)
{
    for (uint32_t i = 0; i < tests->count; i++) {
        int in[INPUTS];
        for (int k = 0; k < INPUTS; k++)
            in[k] = tests->in[i][k];
        advice right = advise(&UNITS[0], in);
        for (int f = 1; f <= FAULTS; f++)
            if (into->first[f] == 0 && advise(&UNITS[f], in) != right)
                into->first[f] = i + 1;
    }
    into->tests = tests->count;
}

/* The rows until all combinations of the highest strength were tried. */
static double rows_of(const char *output)
{
    const char *all = json_member(output, "combinations"), *list;
    double      rows = -1;
    if (all == NULL)
        return rows;
    list = json_member(all, "strengths");
    for (const char *at = NULL; (at = json_next_element(list, at)) != NULL;)
        if (json_number(json_member(at, "left")) == 0)
            rows = json_number(json_member(at, "rows"));
    return rows;
}

void explore_seed(const exploring *how, size_t seed, explored *into)
{
    static char  output[1 << 16];
    char         path[] = "/tmp/warren-tcas.XXXXXX", seed_text[32], tests[32], program[512];
    noted_tests *noted = new_notes(path);
    char        *arguments[OPTIONS_MOST + 16] = { program,     (char *)how->property,
                                                  "--seed",    seed_text,
                                                  "--cases",   tests,
                                                  "--jobs",    "1",
                                                  "--format",  "json",
                                                  "--no-store" };
    size_t       count = 11;
    snprintf(program, sizeof program, PROPERTIES "/%s", how->program);
    snprintf(seed_text, sizeof seed_text, "%zu", seed);
    snprintf(tests, sizeof tests, "%llu", (unsigned long long)how->tests);
    for (size_t i = 0; i < OPTIONS_MOST && how->options[i] != NULL; i++)
        arguments[count++] = how->options[i];
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    *into = (explored){ .done = ran.status == 0, .seconds = ran.cpu, .rows = rows_of(output) };
    try_faults(noted, into);
    munmap(noted, sizeof *noted);
    unlink(path);
}

int faults_after(const explored *of, uint64_t tests)
{
    int count = 0;
    for (int f = 1; f <= FAULTS; f++)
        count += UNITS[f].repeats == 0 && of->first[f] > 0 && of->first[f] <= tests;
    return count;
}
