/* studies/unseen/subjects.h: the machines of the study, their faults, and runs of them.
 *
 * A subject is a program with one machine, NAME.c, and a list of its faults, NAME.faults. A line
 * of the list is `INDEX | NAME | KIND | LENGTH | HOW | SEQUENCE`: LENGTH is the number of calls
 * of the shortest sequence that fails with this fault alone.
 */
#ifndef UNSEEN_SUBJECTS_H
#define UNSEEN_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_MOST 16
#define REPORTS_MOST 256

typedef struct fault {
    char     name[64], kind[16];
    unsigned length;
} fault;

typedef struct subject {
    const char *name, *half; /* "tuned" or "sealed" */
    const char *program, *list;
    fault       faults[FAULTS_MOST]; /* number i is at i - 1 */
    unsigned    fault_count;
} subject;

extern subject      SUBJECTS[];
extern const size_t SUBJECT_COUNT;
void read_subjects(void); /* their lists; ends the program with 99 if one is wrong */

/* Sets of faults: bit i - 1 is number i. */
typedef uint32_t faults;

static inline faults all_faults(const subject *of)
{
    return (faults)((UINT64_C(1) << of->fault_count) - 1);
}

/* A report of a run: one element of its failures. */
typedef struct report {
    faults   shows;  /* those of which each alone makes its calls fail */
    uint64_t where;  /* a hash of its place and of the command of its last call */
    unsigned length; /* in calls */
    double   calls;  /* that the run had made when it told */
} report;

typedef struct run {
    bool     ended; /* as it should */
    unsigned count; /* of reports */
    double   calls, cpu;
    report   reports[REPORTS_MOST];
} run;

typedef struct manner {
    const char *bugs, *explore; /* "many", "random" */
    unsigned    cases;
} manner;

/* Runs a subject with some faults on, and says which faults each report shows. */
void run_subject(const subject *of, faults on, const manner *how, size_t seed, run *into);

/* The faults that a run reports. A report whose calls fail with several faults counts for one
 * that no other report shows. */
faults found_in(const run *one);

#endif
