/* studies/radix/notes.h: what a subject notes while a search goes through its cases: one search
 * looks for all faults at once. The file RADIX_NOTES of the environment is this struct. The
 * harness sets the limit, and reads the rest.
 */
#ifndef RADIX_NOTES_H
#define RADIX_NOTES_H

#include <stdint.h>

#define FAULTS_MOST 64

typedef struct notes {
    uint64_t limit;              /* of runs */
    uint64_t runs;               /* of the precondition, refuted ones too */
    uint64_t cases;              /* that met it */
    uint64_t first[FAULTS_MOST]; /* the run that showed fault i + 1 first; 0: none yet */
} notes;

#endif
