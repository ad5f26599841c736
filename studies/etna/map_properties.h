/* studies/etna/map_properties.h: what is asked of either kind of search tree: that inserting and
 * deleting leave a valid one, that keys are found in it or not, and that it holds what a sorted
 * list would. Included where insert(), delete(), draw_map() and valid() are defined.
 */
#ifndef ETNA_MAP_PROPERTIES_H
#define ETNA_MAP_PROPERTIES_H

#include "maps.h"

static void insert_is_valid(wr_case *t)
{
    const map *m = draw_map(t, "m");
    size_t     key = draw_key(t, "key");
    wr_assert(t, valid(insert(m, key, wr_tree(t, "value", &NUMBER))));
}

static void insert_post(wr_case *t)
{
    const map *m = draw_map(t, "m");
    size_t     key = draw_key(t, "key"), other = draw_key(t, "other");
    wr_node   *value = wr_tree(t, "value", &NUMBER);
    wr_assert(
        t, same_value(find(insert(m, key, value), other), key == other ? value : find(m, other)));
}

static void insert_model(wr_case *t)
{
    const map *m = draw_map(t, "m");
    size_t     key = draw_key(t, "key");
    wr_node   *value = wr_tree(t, "value", &NUMBER);
    list       before = list_of(m), after = list_of(insert(m, key, value));
    list       wanted = inserted(&before, key, value);
    wr_assert(t, same_list(&after, &wanted));
}

static void delete_is_valid(wr_case *t)
{
    const map *m = draw_map(t, "m");
    wr_assert(t, valid(delete (m, draw_key(t, "key"))));
}

static void delete_post(wr_case *t)
{
    const map *m = draw_map(t, "m");
    size_t     key = draw_key(t, "key"), other = draw_key(t, "other");
    wr_assert(t, same_value(find(delete (m, key), other), key == other ? NULL : find(m, other)));
}

static void delete_model(wr_case *t)
{
    const map *m = draw_map(t, "m");
    size_t     key = draw_key(t, "key");
    list       before = list_of(m), after = list_of(delete (m, key));
    list       wanted = deleted(&before, key);
    wr_assert(t, same_list(&after, &wanted));
}

#endif
