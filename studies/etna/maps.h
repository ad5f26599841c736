/* studies/etna/maps.h: what the two kinds of search tree have in common: maps from numbers to
 * values as nodes, and the sorted list that says what they should hold.
 *
 * A value is a part of the case that nobody has looked at, until two different ones are compared:
 * so properties that do not depend on values are not run once for each of them.
 */
#ifndef ETNA_MAPS_H
#define ETNA_MAPS_H

#include <warren.h>

/* Keys and values: number k costs k. */
WR_TYPE(NUMBER, "Number", { "Number", .index = WR_ANY_INDEX, .cost = WR_FREE, .show = "%i" });

typedef struct map {
    int               colour; /* of red-black trees only */
    size_t            key;
    wr_node          *value;
    const struct map *left, *right; /* NULL: empty */
} map;

#define KEYS 64 /* keys are below this */

static wr_case *now; /* the case that is run: whose memory maps are in */

static const map *new_map(int colour, const map *left, size_t key, wr_node *value,
                          const map *right)
{
    map *made = wr_alloc(now, sizeof *made);
    *made = (map){ colour, key, value, left, right };
    return made;
}

static size_t draw_key(wr_case *t, const char *name)
{
    return wr_need_index_below(wr_tree(t, name, &NUMBER), KEYS);
}

/* The same node with other parts. */
static const map *with_parts(const map *m, const map *left, const map *right)
{
    return new_map(m->colour, left, m->key, m->value, right);
}

/* The key's value; NULL: it has none. */
static wr_node *find(const map *m, size_t key)
{
    while (m != NULL && m->key != key)
        m = key < m->key ? m->left : m->right;
    return m == NULL ? NULL : m->value;
}

static bool same_value(wr_node *a, wr_node *b)
{
    return a == NULL || b == NULL ? a == b : wr_equal(a, b);
}

/* ---- The model ---- */

typedef struct entry {
    size_t   key;
    wr_node *value;
} entry;

#define ENTRIES_MOST (2 * KEYS)
typedef struct list {
    size_t count;
    entry  at[ENTRIES_MOST];
} list;

static void append(list *all, size_t key, wr_node *value)
{
    wr_assert_lt(now, all->count, (size_t)ENTRIES_MOST);
    all->at[all->count++] = (entry){ key, value };
}

/* What a map holds, from left to right. */
static void append_map(list *all, const map *m)
{
    if (m == NULL)
        return;
    append_map(all, m->left);
    append(all, m->key, m->value);
    append_map(all, m->right);
}

static list list_of(const map *m)
{
    list all = { 0 };
    append_map(&all, m);
    return all;
}

static bool same_list(const list *a, const list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].key != b->at[i].key || !same_value(a->at[i].value, b->at[i].value))
            return false;
    return true;
}

static bool sorted(const map *m)
{
    list all = list_of(m);
    for (size_t i = 1; i < all.count; i++)
        if (all.at[i - 1].key >= all.at[i].key)
            return false;
    return true;
}

/* Of two sorted lists; where both have a key, the first one's value. */
static list merged(const list *a, const list *b)
{
    list   all = { 0 };
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool from_a = k == b->count || (i < a->count && a->at[i].key <= b->at[k].key);
        if (from_a && k < b->count && a->at[i].key == b->at[k].key)
            k++;
        const entry *next = from_a ? &a->at[i++] : &b->at[k++];
        append(&all, next->key, next->value);
    }
    return all;
}

static list inserted(const list *all, size_t key, wr_node *value)
{
    list one = { 1, { { key, value } } };
    return merged(&one, all);
}

static list deleted(const list *all, size_t key)
{
    list rest = { 0 };
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].key != key)
            append(&rest, all->at[i].key, all->at[i].value);
    return rest;
}

#endif
