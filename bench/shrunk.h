/* bench/shrunk.h: what one run of a failing property shrank to, read from its JSON report. */
#ifndef BENCH_SHRUNK_H
#define BENCH_SHRUNK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct shrunk {
    bool     failed; /* a failure was found, which is what must be */
    bool     sure;   /* neither flaky nor unfinished */
    uint32_t after;  /* executions after the first failure */
    uint32_t choices_before;
    char     answer[480]; /* "name=text; name=text" */
} shrunk;

/* Runs the property of the program with this seed, in up to so many cases. */
shrunk shrunk_run(const char *program, const char *property, uint64_t seed, const char *cases);

#endif
