/* cover/model/list.h: items of one size, as many as come. */
#ifndef WRC_COVER_MODEL_LIST_H
#define WRC_COVER_MODEL_LIST_H

#include <stdbool.h>
#include <string.h>

#include "core/grow.h"

typedef struct wrc_list {
    void  *items; /* to be freed by the owner */
    size_t count, room;
} wrc_list;

/* Copies an item to the end. False: no memory. */
static inline bool wrc_list_add(wrc_list *list, const void *item, size_t size)
{
    void *items = wri_grow(list->items, size, list->count, &list->room);
    if (items == NULL)
        return false;
    list->items = items;
    memcpy((char *)items + size * list->count++, item, size);
    return true;
}

#endif
