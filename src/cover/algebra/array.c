/* cover/algebra/array.c: adds rows at the end of an array. */
#include "cover/algebra/array.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(wrc_array *array, uint64_t rows)
{
    if (rows <= array->room)
        return true;
    uint64_t room = rows + rows / 2 + 16;
    if (room > SIZE_MAX / sizeof *array->cells / (array->columns + 1))
        return false;
    uint32_t *cells = realloc(array->cells, room * (array->columns + 1) * sizeof *cells);
    if (cells == NULL)
        return false;
    array->cells = cells;
    array->room = room;
    return true;
}

bool wrc_array_add(wrc_array *array, const uint32_t *row)
{
    if (!reserve(array, array->rows + 1))
        return false;
    memcpy(array->cells + array->rows * array->columns, row, array->columns * sizeof *row);
    array->rows++;
    return true;
}

void wrc_array_free(wrc_array *array)
{
    free(array->cells);
    array->cells = NULL;
    array->rows = array->room = 0;
}
