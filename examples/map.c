/* map.c: a hash map against a model.
 *
 * The map is a table with linear probing. The model is the plainest thing that means the same: an
 * array with a place for every key. A case is a sequence of operations, each done to both; after
 * each of them the map must know exactly what the model knows. map_remove() leaves a mark behind,
 * so that a search goes on past it. map_empty_slot() just empties the slot, and whatever had been
 * pushed past that slot can no longer be found.
 *
 * buggy_map_agrees_with_the_model fails by design: two keys that collide are put, and the first
 * is removed.
 */
#include <warren.h>

#define SLOTS 16
#define KEYS 64

typedef enum { EMPTY, USED, REMOVED } state;

typedef struct map {
    struct {
        state    state;
        unsigned key;
        int      value;
    } slots[SLOTS];
} map;

/* Where the search for a key starts: four keys share a slot, so collisions are common. */
static size_t home(unsigned key)
{
    return key / 4 % SLOTS;
}

/* The slot that holds the key, or SLOTS. */
static size_t map_find(const map *m, unsigned key)
{
    for (size_t i = 0; i < SLOTS; i++) {
        size_t at = (home(key) + i) % SLOTS;
        if (m->slots[at].state == EMPTY)
            return SLOTS;
        if (m->slots[at].state == USED && m->slots[at].key == key)
            return at;
    }
    return SLOTS;
}

/* Says no when the map is full. */
static bool map_put(map *m, unsigned key, int value)
{
    size_t at = map_find(m, key);
    for (size_t i = 0; at == SLOTS && i < SLOTS; i++)
        if (m->slots[(home(key) + i) % SLOTS].state != USED)
            at = (home(key) + i) % SLOTS;
    if (at == SLOTS)
        return false;
    m->slots[at].state = USED;
    m->slots[at].key = key;
    m->slots[at].value = value;
    return true;
}

static const int *map_get(const map *m, unsigned key)
{
    size_t at = map_find(m, key);
    return at == SLOTS ? NULL : &m->slots[at].value;
}

static void map_remove(map *m, unsigned key)
{
    size_t at = map_find(m, key);
    if (at != SLOTS)
        m->slots[at].state = REMOVED;
}

static void map_empty_slot(map *m, unsigned key)
{
    size_t at = map_find(m, key);
    if (at != SLOTS)
        m->slots[at].state = EMPTY;
}

/* ---- The model, and the property ---- */

typedef struct model {
    size_t count;
    bool   has[KEYS];
    int    value[KEYS];
} model;

static void check_same(wr_case *t, const map *m, const model *expected)
{
    for (unsigned key = 0; key < KEYS; key++) {
        const int *value = map_get(m, key);
        if (!expected->has[key] && value != NULL)
            wr_fail(t, "the map has key %u, which is not there", key);
        if (expected->has[key] && value == NULL)
            wr_fail(t, "the map has lost key %u", key);
        if (expected->has[key])
            wr_assert_eq(t, *value, expected->value[key]);
    }
}

typedef enum { PUT, REMOVE } operation;
static const wr_constant OPERATIONS[] = { WR_CONSTANT(PUT), WR_CONSTANT(REMOVE) };

static void check_against_model(wr_case *t, void (*removing)(map *m, unsigned key))
{
    map    m = { 0 };
    model  expected = { 0 };
    size_t n = wr_size(t, "n", 0, 40);
    for (wr_each(t, i, n)) {
        operation what = (operation)wr_enum(t, "operation", 2, OPERATIONS);
        unsigned  key = (unsigned)wr_uint(t, "key", 0, KEYS - 1);
        if (what == PUT) {
            int  value = (int)wr_int(t, "value", -100, 100);
            bool fits = expected.has[key] || expected.count < SLOTS;
            wr_assert_eq(t, map_put(&m, key, value), fits);
            if (fits) {
                expected.count += !expected.has[key];
                expected.has[key] = true;
                expected.value[key] = value;
            }
        } else {
            removing(&m, key);
            expected.count -= expected.has[key];
            expected.has[key] = false;
        }
        check_same(t, &m, &expected);
    }
    wr_classify(t, expected.count == SLOTS, "ends full");
    wr_classify(t, expected.count == 0, "ends empty");
}

WR_PROPERTY(map_agrees_with_the_model) {
    check_against_model(t, map_remove);
}

WR_PROPERTY(buggy_map_agrees_with_the_model) {
    check_against_model(t, map_empty_slot);
}
