/* run/leaks.h: the memory that a case has allocated and has not freed, under AddressSanitizer.
 *
 * A leak checker looks through all memory, and names the places of what leaked with a symboliser:
 * that takes a tenth of a second. Where a property is known to leak, most cases need neither. A
 * case that keeps nothing leaked nothing. Memory that was allocated by the same calls as memory
 * that leaked before is taken for leaked. After the batch the checker must find just as many
 * leaks. If it does not, the batch counts for nothing, and each case is looked at.
 */
#ifndef WRI_RUN_LEAKS_H
#define WRI_RUN_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls that allocated memory, and the bug by which it leaked. In memory that workers share. */
typedef struct wri_leaky {
    uint64_t calls, origin;
} wri_leaky;
#define WRI_LEAKY 256

typedef enum {
    WRI_LEAKS_NONE,   /* the case has freed what it allocated */
    WRI_LEAKS_KNOWN,  /* what it keeps leaked before */
    WRI_LEAKS_UNSURE, /* only the checker can tell */
} wri_leaks;

/* Notes allocations from now on. */
void wri_leaks_begin(void);
/* Notes none from now on. *origin is the known bug. */
wri_leaks wri_leaks_look(uint64_t *origin);
/* What the case keeps is taken for leaked; how much that is, in all cases since the last
 * wri_leaks_settle(); and the checker forgets that. */
void   wri_leaks_assume(void);
size_t wri_leaks_assumed(void);
void   wri_leaks_settle(void);
/* The checker says that so much leaked of what the case keeps, by this bug; it forgets that. */
void wri_leaks_learn(size_t leaked, uint64_t origin);

#endif
