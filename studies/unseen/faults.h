/* studies/unseen/faults.h: faults that can be switched on, by number: SUBJECT_FAULTS=2,5 in the
 * environment. A subject says FAULT(2) where its second fault is.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stdlib.h>

#define FAULT(number) fault_is_on(number)

static bool fault_is_on(int number)
{
    static unsigned long on;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FAULTS");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                on |= 1UL << next;
        }
        read = true;
    }
    return (on >> number & 1) != 0;
}

#endif
