/* core/grow.h: arrays that grow. */
#ifndef WRI_CORE_GROW_H
#define WRI_CORE_GROW_H

#include <stdlib.h>

/* Returns the array with room for at least count + 1 elements. It may have moved, and is then
 * about twice as large as it was or must be. NULL: out of memory, and the old array is unchanged.
 */
static inline void *wri_grow(void *array, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return array;
    size_t larger = (count > *room ? count : *room) * 2 + 16;
    void  *grown = realloc(array, larger * size);
    if (grown != NULL)
        *room = larger;
    return grown;
}

#endif
