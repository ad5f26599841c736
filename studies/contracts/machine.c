/* studies/contracts/machine.c: the collections as a machine without a model.
 *
 * It goes by crashes, and by what is true of equality and hashing whatever the things are.
 */
#include <warren.h>

#include "collections.h"

/* ---- Kinds ---- */

static int64_t draw_number(wr_case *t)
{
    return wr_int(t, NULL, 0, 9);
}

static const char *const WORDS[] = { "tea", "Tea", "milk", "salt", "rice" };
static const char *const PATHS[] = { "usr", "usr/lib", "etc", "var", "srv" };

static void show_word(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", WORDS[value]);
}

static void show_path(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", PATHS[value]);
}

static const wr_kind ITEM = { "item", .values = 5 };
static const wr_kind NUMBER = { "number", .draw = draw_number };
static const wr_kind TEXT = { "text", .values = 5, .show = show_word };
static const wr_kind PLACE = { "place", .values = 5, .show = show_path };

/* HANDLES(KIND, type, its equality and hash...) */
#define HANDLES(kind, type_, ...)                                                                \
    static const wr_kind kind = {                                                                \
        .name = #type_, .handle = true, .type = #type_ " *", .release = thing_free, __VA_ARGS__  \
    }
HANDLES(LIST, list, .equal = list_equal, .hash = list_hash);
HANDLES(QUEUE, queue, .equal = NULL);
HANDLES(MAP, map, .equal = map_equal, .hash = map_hash);
HANDLES(ITERATOR, iterator, .equal = NULL);
HANDLES(BUFFER, buffer, .equal = NULL);
HANDLES(RATIO, ratio, .equal = ratio_equal);
HANDLES(WORD, word, .equal = word_equal, .hash = word_hash);
HANDLES(PATH, path, .equal = path_equal);
HANDLES(BAG, bag, .equal = bag_equal);
HANDLES(CELL, cell, .equal = cell_equal, .hash = cell_hash);

/* ---- Commands: a call each, whose result nobody looks at ---- */

#define COMMAND(name, ...)                                                                       \
    static void do_##name(wr_case *t, wr_call *call)                                             \
    {                                                                                            \
        (void)t;                                                                                 \
        __VA_ARGS__;                                                                             \
    }
#define MAKES(name) COMMAND(name, wr_give(call, name()))
#define TAKES(name) COMMAND(name, name(wr_handle(call, 0)))
#define TAKES_TOO(name) COMMAND(name, name(wr_handle(call, 0), (int)wr_value(call, 1)))

MAKES(list_new)
TAKES(list_init)
TAKES_TOO(list_add)
TAKES(list_last)
TAKES(list_remove_last)
TAKES(list_reverse)
TAKES_TOO(list_contains)
TAKES(list_clear)
TAKES(list_sort)
MAKES(queue_new)
TAKES(queue_open)
TAKES_TOO(queue_push)
TAKES(queue_pop)
TAKES(queue_peek)
TAKES(queue_close)
TAKES(queue_drain)
MAKES(map_new)
TAKES(map_init)
COMMAND(map_put, map_put(wr_handle(call, 0), (int)wr_value(call, 1), (int)wr_value(call, 2)))
TAKES_TOO(map_get)
TAKES_TOO(map_remove)
TAKES(map_count)
MAKES(iterator_new)
COMMAND(iterator_start, iterator_start(wr_handle(call, 0), wr_handle(call, 1)))
TAKES(iterator_next)
TAKES(iterator_rewind)
TAKES_TOO(iterator_skip)
TAKES(iterator_finish)
TAKES(iterator_count)
MAKES(buffer_new)
TAKES(buffer_open)
TAKES_TOO(buffer_write)
TAKES(buffer_flush)
TAKES(buffer_truncate)
TAKES(buffer_close)
TAKES_TOO(buffer_seek)
MAKES(ratio_new)
TAKES_TOO(ratio_set_over)
TAKES_TOO(ratio_set_under)
MAKES(word_new)
COMMAND(word_set, word_set(wr_handle(call, 0), WORDS[wr_value(call, 1)]))
MAKES(path_new)
COMMAND(path_set, path_set(wr_handle(call, 0), PATHS[wr_value(call, 1)]))
MAKES(bag_new)
TAKES_TOO(bag_fill)
COMMAND(bag_view, wr_give(call, bag_view(wr_handle(call, 0))))
MAKES(cell_new)
TAKES_TOO(cell_set)
TAKES(cell_hide)

static const wr_command COMMANDS[] = {
    { "list_new", do_list_new, .gives = &LIST },
    { "list_init", do_list_init, .takes = { &LIST } },
    { "list_add", do_list_add, .takes = { &LIST, &ITEM } },
    { "list_last", do_list_last, .takes = { &LIST } },
    { "list_remove_last", do_list_remove_last, .takes = { &LIST } },
    { "list_reverse", do_list_reverse, .takes = { &LIST } },
    { "list_contains", do_list_contains, .takes = { &LIST, &ITEM } },
    { "list_clear", do_list_clear, .takes = { &LIST } },
    { "list_sort", do_list_sort, .takes = { &LIST } },
    { "queue_new", do_queue_new, .gives = &QUEUE },
    { "queue_open", do_queue_open, .takes = { &QUEUE } },
    { "queue_push", do_queue_push, .takes = { &QUEUE, &ITEM } },
    { "queue_pop", do_queue_pop, .takes = { &QUEUE } },
    { "queue_peek", do_queue_peek, .takes = { &QUEUE } },
    { "queue_close", do_queue_close, .takes = { &QUEUE } },
    { "queue_drain", do_queue_drain, .takes = { &QUEUE } },
    { "map_new", do_map_new, .gives = &MAP },
    { "map_init", do_map_init, .takes = { &MAP } },
    { "map_put", do_map_put, .takes = { &MAP, &ITEM, &ITEM } },
    { "map_get", do_map_get, .takes = { &MAP, &ITEM } },
    { "map_remove", do_map_remove, .takes = { &MAP, &ITEM } },
    { "map_count", do_map_count, .takes = { &MAP } },
    { "iterator_new", do_iterator_new, .gives = &ITERATOR },
    { "iterator_start", do_iterator_start, .takes = { &ITERATOR, &LIST } },
    { "iterator_next", do_iterator_next, .takes = { &ITERATOR } },
    { "iterator_rewind", do_iterator_rewind, .takes = { &ITERATOR } },
    { "iterator_skip", do_iterator_skip, .takes = { &ITERATOR, &NUMBER } },
    { "iterator_finish", do_iterator_finish, .takes = { &ITERATOR } },
    { "iterator_count", do_iterator_count, .takes = { &ITERATOR } },
    { "buffer_new", do_buffer_new, .gives = &BUFFER },
    { "buffer_open", do_buffer_open, .takes = { &BUFFER } },
    { "buffer_write", do_buffer_write, .takes = { &BUFFER, &ITEM } },
    { "buffer_flush", do_buffer_flush, .takes = { &BUFFER } },
    { "buffer_truncate", do_buffer_truncate, .takes = { &BUFFER } },
    { "buffer_close", do_buffer_close, .takes = { &BUFFER } },
    { "buffer_seek", do_buffer_seek, .takes = { &BUFFER, &NUMBER } },
    { "ratio_new", do_ratio_new, .gives = &RATIO },
    { "ratio_set_over", do_ratio_set_over, .takes = { &RATIO, &NUMBER } },
    { "ratio_set_under", do_ratio_set_under, .takes = { &RATIO, &NUMBER } },
    { "word_new", do_word_new, .gives = &WORD },
    { "word_set", do_word_set, .takes = { &WORD, &TEXT } },
    { "path_new", do_path_new, .gives = &PATH },
    { "path_set", do_path_set, .takes = { &PATH, &PLACE } },
    { "bag_new", do_bag_new, .gives = &BAG },
    { "bag_fill", do_bag_fill, .takes = { &BAG, &NUMBER } },
    { "bag_view", do_bag_view, .takes = { &BAG }, .gives = &BAG },
    { "cell_new", do_cell_new, .gives = &CELL },
    { "cell_set", do_cell_set, .takes = { &CELL, &NUMBER } },
    { "cell_hide", do_cell_hide, .takes = { &CELL } },
    { 0 },
};
WR_MACHINE(collections, .commands = COMMANDS);
