/* studies/radix/faults.h: faults of a subject of trees, each switched on alone by its number.
 *
 * A subject says FAULT(2) where its second fault is. Its property hands the check to
 * try_faults(). With SUBJECT_FAULTS=2,5 in the environment a case fails if one of these faults
 * shows in it. With RADIX_NOTES=FILE no fault fails a case: the file notes which run shows each
 * of them first, and a case fails when there is nothing more to note.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <warren.h>

#include "notes.h"

static uint64_t faults_on, faults_asked; /* bit i - 1 is number i */
static bool     faults_are_tried;        /* one by one */

/* The numbers of SUBJECT_FAULTS. */
static inline uint64_t faults_wanted(void)
{
    static uint64_t wanted;
    static bool     read;
    const char     *at = read ? NULL : getenv("SUBJECT_FAULTS");
    read = true;
    for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
        long next = strtol(at, &end, 10);
        if (end == at)
            break;
        if (next > 0 && next <= FAULTS_MOST)
            wanted |= UINT64_C(1) << (next - 1);
    }
    return wanted;
}

/* Asked where it makes a difference: a fault that is not asked about cannot show. */
static inline bool fault_is_on(int number)
{
    faults_asked |= UINT64_C(1) << (number - 1);
    return ((faults_are_tried ? faults_on : faults_wanted()) >> (number - 1) & 1) != 0;
}
#define FAULT(number) fault_is_on(number)

/* The file of notes; NULL: none is wanted. */
static inline notes *faults_notes(void)
{
    static notes *mapped;
    static bool   looked;
    const char   *path = looked ? NULL : getenv("RADIX_NOTES");
    looked = true;
    if (path == NULL)
        return mapped;
    int   file = open(path, O_RDWR);
    void *at = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || at == MAP_FAILED) {
        perror(path);
        exit(99);
    }
    close(file);
    mapped = at;
    return mapped;
}

/* A precondition calls this when it begins. */
static inline void count_run(void)
{
    notes *into = faults_notes();
    if (into != NULL)
        into->runs++;
}

/* Does the code under test go wrong with this fault, the only one that is on? 0: with none. */
typedef bool shows_fault(int number, void *context);

static inline bool faults_show(int number, shows_fault *shows, void *context)
{
    faults_are_tried = true;
    faults_on = number > 0 ? UINT64_C(1) << (number - 1) : 0;
    bool wrong = shows(number, context);
    faults_on = 0;
    return wrong;
}

static inline void faults_note(wr_case *t, notes *into, int count, uint64_t asked,
                               shows_fault *shows, void *context)
{
    bool all = true;
    into->cases++;
    for (int i = 1; i <= count && into->runs <= into->limit; i++)
        if (into->first[i - 1] == 0 && (asked >> (i - 1) & 1) != 0 &&
            faults_show(i, shows, context))
            into->first[i - 1] = into->runs;
    for (int i = 0; i < count; i++)
        all = all && into->first[i] != 0;
    if (all || into->runs >= into->limit)
        wr_fail(t, "nothing more to note");
}

/* Tries those of the `count` faults that were asked about. */
static inline void try_asked(wr_case *t, int count, uint64_t asked, shows_fault *shows,
                             void *context)
{
    notes *into = faults_notes();
    if (into != NULL) {
        faults_note(t, into, count, asked, shows, context);
        return;
    }
    asked &= faults_wanted();
    for (int i = 1; i <= count; i++)
        if ((asked >> (i - 1) & 1) != 0 && faults_show(i, shows, context))
            wr_fail(t, "fault %d shows", i);
}

/* Tries `count` faults, and the code without any. */
static inline void try_faults(wr_case *t, int count, shows_fault *shows, void *context)
{
    faults_asked = 0;
    wr_assert(t, !faults_show(0, shows, context));
    try_asked(t, count, faults_asked, shows, context);
}

#endif
