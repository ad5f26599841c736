/* core/grow.h: arrays that grow by one element after the other. */
#ifndef WRI_CORE_GROW_H
#define WRI_CORE_GROW_H

#include <stdlib.h>

/* The array, with room for one more than `count` elements of this size: the old one, or, about
 * twice as large, in its place. NULL: memory is out, and the old one is as it was. */
static inline void *wri_grow(void *array, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return array;
    size_t larger = *room * 2 + 16;
    void  *grown = realloc(array, larger * size);
    if (grown != NULL)
        *room = larger;
    return grown;
}

#endif
