/* studies/contracts/faults.c: see faults.h. */
#include "faults.h"

#include <stddef.h>
#include <string.h>

#define CRASH(function_, calls_)                                                                 \
    {                                                                                            \
        .function = #function_, .calls = calls_                                                  \
    }
#define UNREADY(kind, function_) CRASH(function_, #kind "_new, " #function_)

const fault FAULT_LIST[FAULTS] = {
    UNREADY(list, list_last),
    UNREADY(list, list_remove_last),
    UNREADY(list, list_reverse),
    UNREADY(list, list_contains),
    CRASH(list_sort, "list_new, list_init, list_clear, list_sort"),
    UNREADY(queue, queue_push),
    UNREADY(queue, queue_pop),
    UNREADY(queue, queue_peek),
    CRASH(queue_drain, "queue_new, queue_open, queue_close, queue_drain"),
    UNREADY(map, map_put),
    UNREADY(map, map_get),
    UNREADY(map, map_remove),
    UNREADY(map, map_count),
    UNREADY(iterator, iterator_next),
    UNREADY(iterator, iterator_rewind),
    UNREADY(iterator, iterator_skip),
    CRASH(iterator_count,
          "list_new, iterator_new, iterator_start, iterator_finish, iterator_count"),
    UNREADY(buffer, buffer_flush),
    UNREADY(buffer, buffer_truncate),
    CRASH(buffer_seek, "buffer_new, buffer_open, buffer_close, buffer_seek"),

    { .broken = "equality of \"ratio\" is not reflexive",
      .calls = "ratio_new, ratio_set_over 0, ratio_set_under 0" },
    { .broken = "\"word\": ", /* equal, and they hash differently */
      .calls = "word_new, word_new, word_set tea, word_set Tea" },
    { .broken = "equality of \"path\" is not symmetric",
      .calls = "path_new, path_new, path_set usr, path_set usr/lib" },
    { .broken = "equality of \"bag\" is not symmetric", .calls = "bag_new, bag_fill, bag_view" },
    { .broken = "\"cell\": ", .calls = "cell_new, cell_new, cell_set, cell_hide, cell_hide" },
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

int fault_of(const char *function, const char *message)
{
    for (int i = EASY; i < FAULTS; i++)
        if (starts_with(message, FAULT_LIST[i].broken))
            return i;
    for (int i = 0; i < EASY; i++)
        if (strcmp(function, FAULT_LIST[i].function) == 0)
            return i;
    return -1;
}
