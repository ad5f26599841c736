/* studies/etna/bst.c: binary search trees with insert, delete and union, and eight mutants.
 *
 * Every property has a variant for each mutant of the function that it is about:
 * NAME_with_MUTANT.
 */
#include "maps.h"

#define INSERT_MUTANTS(_) _(ForgetsTheRest) _(KeepsTwoOfAKey) _(KeepsTheOldValue)
#define DELETE_MUTANTS(_) _(ForgetsTheRoot) _(TurnsTheWrongWay)
#define UNION_MUTANTS(_) _(JoinsSideBySide) _(TrustsTheRoots) _(PrefersTheSmallerRoot)

#define MUTANT_NUMBER_(name) name,
typedef enum mutant {
    NO_MUTANT,
    INSERT_MUTANTS(MUTANT_NUMBER_) DELETE_MUTANTS(MUTANT_NUMBER_) UNION_MUTANTS(MUTANT_NUMBER_)
} mutant;

static mutant active;

/* ---- The trees ---- */

enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", [LEAF] = { "Leaf", .cost = WR_FREE, .show = "." },
        [NODE] = { "Node", .args = { &TREE, &NUMBER, &NUMBER, &TREE }, .show = "(%0 %1:%2 %3)" });

static bool keys_between(wr_node *e, size_t low, size_t high)
{
    if (wr_tag(e) == LEAF)
        return true;
    size_t key = wr_need_index_below(wr_arg(e, 1), high);
    return key >= low && keys_between(wr_arg(e, 0), low, key) &&
           keys_between(wr_arg(e, 3), key + 1, high);
}

static bool is_search_tree(wr_node *e)
{
    return keys_between(e, 0, KEYS);
}

static const map *copy(wr_node *e)
{
    if (wr_tag(e) == LEAF)
        return NULL;
    const map *left = copy(wr_arg(e, 0)), *right = copy(wr_arg(e, 3));
    return new_map(0, left, wr_index(wr_arg(e, 1)), wr_arg(e, 2), right);
}

/* ---- The code under test ---- */

static const map *insert(const map *m, size_t key, wr_node *value)
{
    if (m == NULL || active == ForgetsTheRest)
        return new_map(0, NULL, key, value, NULL);
    if (key < m->key)
        return with_parts(m, insert(m->left, key, value), m->right);
    if (key > m->key || active == KeepsTwoOfAKey)
        return with_parts(m, m->left, insert(m->right, key, value));
    return active == KeepsTheOldValue ? m : new_map(0, m->left, key, value, m->right);
}

/* All of the first come before all of the second. */
static const map *join(const map *a, const map *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    return with_parts(a, a->left, with_parts(b, join(a->right, b->left), b->right));
}

static const map *delete (const map *m, size_t key)
{
    if (m == NULL)
        return NULL;
    if (key == m->key)
        return join(m->left, m->right);
    bool       left = (key < m->key) != (active == TurnsTheWrongWay);
    const map *rest = delete (left ? m->left : m->right, key);
    if (active == ForgetsTheRoot)
        return rest;
    return left ? with_parts(m, rest, m->right) : with_parts(m, m->left, rest);
}

static const map *below(const map *m, size_t key)
{
    if (m == NULL || key <= m->key)
        return m == NULL ? NULL : below(m->left, key);
    return with_parts(m, m->left, below(m->right, key));
}

static const map *above(const map *m, size_t key)
{
    if (m == NULL || key >= m->key)
        return m == NULL ? NULL : above(m->right, key);
    return with_parts(m, above(m->left, key), m->right);
}

static const map *both(const map *a, const map *b);

/* As if what lies right of the smaller root did not reach past the larger one. */
static const map *trust_roots(const map *a, const map *b)
{
    if (a->key == b->key)
        return with_parts(a, both(a->left, b->left), both(a->right, b->right));
    if (a->key < b->key)
        return with_parts(a, a->left, with_parts(b, both(a->right, b->left), b->right));
    return with_parts(a, with_parts(b, b->left, both(a->left, b->right)), a->right);
}

/* Where both have a key, the first one's value. */
static const map *both(const map *a, const map *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    if (active == JoinsSideBySide)
        return with_parts(a, a->left, both(a->right, b));
    if (active == TrustsTheRoots)
        return trust_roots(a, b);
    if (active == PrefersTheSmallerRoot && b->key < a->key)
        return both(b, a);
    return with_parts(a, both(a->left, below(b, a->key)), both(a->right, above(b, a->key)));
}

/* ---- Properties ---- */

static const map *draw_map(wr_case *t, const char *name)
{
    wr_node *e = wr_tree(t, name, &TREE);
    wr_require(t, is_search_tree, e);
    return copy(e);
}

static bool valid(const map *m)
{
    return sorted(m);
}

#include "map_properties.h"

static void union_is_valid(wr_case *t)
{
    const map *a = draw_map(t, "a"), *b = draw_map(t, "b");
    wr_assert(t, sorted(both(a, b)));
}

static void union_post(wr_case *t)
{
    const map *a = draw_map(t, "a"), *b = draw_map(t, "b");
    size_t     key = draw_key(t, "key");
    wr_node   *wanted = find(a, key) != NULL ? find(a, key) : find(b, key);
    wr_assert(t, same_value(find(both(a, b), key), wanted));
}

static void union_model(wr_case *t)
{
    const map *a = draw_map(t, "a"), *b = draw_map(t, "b");
    list       in_a = list_of(a), in_b = list_of(b), after = list_of(both(a, b));
    list       wanted = merged(&in_a, &in_b);
    wr_assert(t, same_list(&after, &wanted));
}

#define PROPERTY_(name, which)                                                                   \
    WR_PROPERTY(name##_with_##which)                                                             \
    {                                                                                            \
        now = t;                                                                                 \
        active = which;                                                                          \
        name(t);                                                                                 \
    }
#define INSERT_PROPERTIES_(which)                                                                \
    PROPERTY_(insert_is_valid, which) PROPERTY_(insert_post, which) PROPERTY_(insert_model, which)
#define DELETE_PROPERTIES_(which)                                                                \
    PROPERTY_(delete_is_valid, which) PROPERTY_(delete_post, which) PROPERTY_(delete_model, which)
#define UNION_PROPERTIES_(which)                                                                 \
    PROPERTY_(union_is_valid, which) PROPERTY_(union_post, which) PROPERTY_(union_model, which)

INSERT_PROPERTIES_(NO_MUTANT)
INSERT_MUTANTS(INSERT_PROPERTIES_)
DELETE_PROPERTIES_(NO_MUTANT)
DELETE_MUTANTS(DELETE_PROPERTIES_) UNION_PROPERTIES_(NO_MUTANT) UNION_MUTANTS(UNION_PROPERTIES_)
