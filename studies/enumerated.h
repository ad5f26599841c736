/* studies/enumerated.h: asking a test program to try all cases up to a size, and what it says. */
#ifndef STUDIES_ENUMERATED_H
#define STUDIES_ENUMERATED_H

#include <stdbool.h>
#include <stddef.h>

typedef enum manner {
    DEEPENING, /* size after size: what fails first is smallest */
    AT_ONCE    /* one search of everything up to the size */
} manner;

#define SIZES_MOST 64
#define WORKERS_MOST 16

typedef struct enumerated {
    bool   ran;                     /* to its end, and it could be read */
    bool   failed;                  /* some case did */
    double cpu;                     /* seconds, of all its processes */
    double cases;                   /* that were not refuted */
    double runs;                    /* of the property, up to the end or to the failing case */
    double size;                    /* of the failing case */
    double cases_of[SIZES_MOST];    /* by size, where it deepened; negative: not said */
    double by_worker[WORKERS_MOST]; /* runs */
    size_t workers;
    char   values[160]; /* of the failing case, "e = T, k = 0" */
} enumerated;

/* What fails is not made smaller: that is not what is measured. */
enumerated enumerate(const char *program, const char *property, unsigned size, manner how,
                     unsigned jobs);

#endif
