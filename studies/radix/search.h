/* studies/radix/search.h: the subjects of the study, the explorers, and searches by them.
 *
 * A subject is a program with one property over a tree, and a list of its faults. A line of the
 * list is `NUMBER | SIZE | words`: the size of the smallest value that is known to show the
 * fault. A line `# bound B, runs R, deep from D` says how it is searched: up to size B, R runs of
 * its precondition; faults from size D on are deep.
 */
#ifndef RADIX_SEARCH_H
#define RADIX_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "notes.h"

typedef struct fault {
    int  size; /* 0: not known */
    char words[96];
} fault;

typedef struct subject {
    const char *half, *name, *program, *list;
    fault       faults[FAULTS_MOST]; /* number i is at i - 1 */
    size_t      fault_count;
    unsigned    bound, deep_from;
    double      runs;
    bool        at_once; /* one search notes all its faults */
    bool        chosen;
} subject;

extern subject      SUBJECTS[];
extern const size_t SUBJECT_COUNT;
void read_subjects(void); /* their lists; ends the program with 99 if one is wrong */
bool is_deep(const subject *of, size_t fault);

enum {
    DEEPENING,
    AT_ONCE,
    RANDOM,
    SKEWED,
    RESTART,
    BARE,
    RADIX_1,
    RADIX_5,
    RADIX_7,
    COMPETING,
    ROOMY,
    AUTO,
    EXPLORER_COUNT
};

typedef struct explorer {
    const char *name;
    char       *options[10];
    bool        fixed;   /* the seed makes no difference */
    bool        wanted;  /* without being asked for */
    bool        refused; /* by this build */
} explorer;

extern explorer EXPLORERS[EXPLORER_COUNT];
void            probe_explorers(void); /* which ones this build refuses */

typedef struct search {
    double first[FAULTS_MOST]; /* the run that shows fault i + 1 first; negative: none */
    double runs, cpu;
} search;

/* All faults of a subject: in one search that notes them, or in one for each. `bound` 0: the
 * subject's own. */
void search_all(const subject *of, const explorer *by, unsigned bound, double runs, size_t seed,
                search *into);

/* Runs a program's examples, or `cases` random ones, with its faults noted, or the given fault on
 * (0: none). Returns its status. */
int run_noted(const char *program, const char *cases, notes *into);
int run_with_fault(const char *program, const char *cases, size_t number);

#endif
