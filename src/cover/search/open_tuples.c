/* cover/search/open_tuples.c: adds and drops open tuples. */
#include "cover/search/open_tuples.h"

#include <stdlib.h>
#include <string.h>

bool wrc_open_tuples_reserve(wrc_open_tuples *open, uint32_t strength, uint32_t values)
{
    *open = (wrc_open_tuples){ .strength = strength };
    open->head = malloc((values + 1) * sizeof *open->head);
    open->wanted = calloc(values + 1, sizeof *open->wanted);
    if (open->head == NULL || open->wanted == NULL)
        return false;
    memset(open->head, 0xFF, values * sizeof *open->head);
    return true;
}

void wrc_open_tuples_free(wrc_open_tuples *open)
{
    free(open->word);
    free(open->size);
    free(open->columns);
    free(open->values);
    free(open->next);
    free(open->previous);
    free(open->head);
    free(open->wanted);
    *open = (wrc_open_tuples){ 0 };
}

static bool make_room(wrc_open_tuples *open)
{
    uint32_t   room = open->room * 2 + 64;
    uint32_t **lists[] = { &open->word,   &open->size, &open->columns,
                           &open->values, &open->next, &open->previous };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        uint32_t *list = realloc(*lists[i], (size_t)room * open->strength * sizeof *list);
        if (list == NULL)
            return false;
        *lists[i] = list;
    }
    open->room = room;
    return true;
}

/* A cell joins the list of its value. */
static inline void link_cell(wrc_open_tuples *open, uint32_t cell, uint32_t value)
{
    uint32_t after = open->head[value];
    open->next[cell] = after;
    open->previous[cell] = WRC_ANY;
    if (after != WRC_ANY)
        open->previous[after] = cell;
    open->head[value] = cell;
    open->wanted[value]++;
}

static inline void unlink_cell(wrc_open_tuples *open, uint32_t cell, uint32_t value)
{
    uint32_t before = open->previous[cell], after = open->next[cell];
    if (after != WRC_ANY)
        open->previous[after] = before;
    if (before != WRC_ANY)
        open->next[before] = after;
    else
        open->head[value] = after;
    open->wanted[value]--;
}

uint32_t wrc_open_tuples_add(wrc_open_tuples *open, uint32_t word, uint32_t size)
{
    if (open->count == open->room && !make_room(open))
        return WRC_ANY;
    open->word[open->count] = word;
    open->size[open->count] = size;
    return open->count++;
}

void wrc_open_tuples_set(wrc_open_tuples *open, uint32_t at, uint32_t cell, uint32_t column,
                         uint32_t value)
{
    uint32_t place = at * open->strength + cell;
    open->columns[place] = column;
    open->values[place] = value;
    link_cell(open, place, value);
}

uint32_t wrc_open_tuples_drop(wrc_open_tuples *open, uint32_t at)
{
    uint32_t last = --open->count, cell = at * open->strength, moved = last * open->strength;
    for (uint32_t i = 0; i < open->size[at]; i++)
        unlink_cell(open, cell + i, open->values[cell + i]);
    if (at == last)
        return WRC_ANY;
    open->word[at] = open->word[last];
    open->size[at] = open->size[last];
    for (uint32_t i = 0; i < open->size[at]; i++) {
        unlink_cell(open, moved + i, open->values[moved + i]);
        open->columns[cell + i] = open->columns[moved + i];
        open->values[cell + i] = open->values[moved + i];
        link_cell(open, cell + i, open->values[cell + i]);
    }
    return open->word[at];
}
