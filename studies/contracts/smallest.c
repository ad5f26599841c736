/* studies/contracts/smallest.c: the smallest sequence of calls for each fault, made directly.
 *
 *     smallest N    makes those of fault N, from 0; crashes, or ends with 1 where a contract is
 *                   broken. A library that is repaired ends with 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collections.h"
#include "faults.h"

/* What they return is of no interest. */
#define SMALLEST(name, ...)                                                                      \
    static int name(void)                                                                        \
    {                                                                                            \
        __VA_ARGS__;                                                                             \
        return 0;                                                                                \
    }

SMALLEST(last, list_last(list_new()))
SMALLEST(remove_last, list_remove_last(list_new()))
SMALLEST(reverse, list_reverse(list_new()))
SMALLEST(contains, list_contains(list_new(), 0))
SMALLEST(sort, list *l = list_new(); list_init(l); list_clear(l); list_sort(l))
SMALLEST(push, queue_push(queue_new(), 0))
SMALLEST(pop, queue_pop(queue_new()))
SMALLEST(peek, queue_peek(queue_new()))
SMALLEST(drain, queue *q = queue_new(); queue_open(q); queue_close(q); queue_drain(q))
SMALLEST(put, map_put(map_new(), 0, 0))
SMALLEST(get, map_get(map_new(), 0))
SMALLEST(remove_key, map_remove(map_new(), 0))
SMALLEST(count, map_count(map_new()))
SMALLEST(next, iterator_next(iterator_new()))
SMALLEST(rewind_unready, iterator_rewind(iterator_new()))
SMALLEST(skip, iterator_skip(iterator_new(), 0))
SMALLEST(count_finished, iterator *i = iterator_new(); iterator_start(i, list_new());
         iterator_finish(i); iterator_count(i))
SMALLEST(flush, buffer_flush(buffer_new()))
SMALLEST(cut, buffer_truncate(buffer_new()))
SMALLEST(seek, buffer *b = buffer_new(); buffer_open(b); buffer_close(b); buffer_seek(b, 0))

static int nothing_over_nothing(void)
{
    ratio *r = ratio_new();
    ratio_set_over(r, 0);
    ratio_set_under(r, 0);
    return !ratio_equal(r, r);
}

static int capital_letters(void)
{
    word *one = word_new(), *other = word_new();
    word_set(one, "tea");
    word_set(other, "Tea");
    return !word_equal(one, other) || word_hash(one) != word_hash(other);
}

static int longer_path(void)
{
    path *one = path_new(), *other = path_new();
    path_set(one, "usr");
    path_set(other, "usr/lib");
    return path_equal(one, other) != path_equal(other, one);
}

static int view_of_a_bag(void)
{
    bag *b = bag_new();
    bag_fill(b, 1);
    bag *view = bag_view(b);
    return bag_equal(b, view) != bag_equal(view, b);
}

static int hidden_numbers(void)
{
    cell *one = cell_new(), *other = cell_new();
    cell_set(one, 1);
    cell_hide(one);
    cell_hide(other);
    return !cell_equal(one, other) || cell_hash(one) != cell_hash(other);
}

static int (*const SEQUENCES[FAULTS])(void) = {
    last,
    remove_last,
    reverse,
    contains,
    sort,
    push,
    pop,
    peek,
    drain,
    put,
    get,
    remove_key,
    count,
    next,
    rewind_unready,
    skip,
    count_finished,
    flush,
    cut,
    seek,
    nothing_over_nothing,
    capital_letters,
    longer_path,
    view_of_a_bag,
    hidden_numbers,
};

int main(int argc, char **argv)
{
    unsigned long number = argc == 2 ? strtoul(argv[1], NULL, 10) : FAULTS;
    if (number < FAULTS)
        _exit(SEQUENCES[number]()); /* nobody frees anything */
    fprintf(stderr, "usage: smallest N, below %d\n", FAULTS);
    return 99;
}
