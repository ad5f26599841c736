/* kind: container
 * A hash table with open addressing that closes gaps when it deletes: an entry that went once
 * round the table is not moved back.
 */
#include <warren.h>

enum { SLOTS = 64, KEYS = 500 };

typedef struct map {
    int key[SLOTS]; /* -1: free */
    int value[SLOTS];
    int used;
} map;

static unsigned home(int key)
{
    return (unsigned)key * 7u % SLOTS;
}

static int find(const map *m, int key)
{
    unsigned at = home(key);
    for (int i = 0; i < SLOTS && m->key[at] != -1; i++, at = (at + 1) % SLOTS)
        if (m->key[at] == key)
            return (int)at;
    return -1;
}

static bool put(map *m, int key, int value)
{
    int at = find(m, key);
    if (at < 0) {
        if (m->used >= SLOTS - 2)
            return false;
        at = (int)home(key);
        while (m->key[at] != -1)
            at = (at + 1) % SLOTS;
        m->key[at] = key;
        m->used++;
    }
    m->value[at] = value;
    return true;
}

static bool drop(map *m, int key)
{
    int at = find(m, key);
    if (at < 0)
        return false;
    unsigned gap = (unsigned)at, next = gap;
    m->used--;
    for (;;) {
        m->key[gap] = -1;
        for (;;) {
            next = (next + 1) % SLOTS;
            if (m->key[next] == -1)
                return true;
            unsigned h = home(m->key[next]);
            /* May the entry at `next` stay, since its home lies behind the gap? */
#ifndef FIXED
            bool stays = gap <= next ? gap < h && h <= next : gap < h;
#else
            bool stays = gap <= next ? gap < h && h <= next : gap < h || h <= next;
#endif
            if (!stays)
                break;
        }
        m->key[gap] = m->key[next];
        m->value[gap] = m->value[next];
        gap = next;
    }
}

WR_PROPERTY(probe_map)
{
    map m = { .used = 0 };
    for (int i = 0; i < SLOTS; i++)
        m.key[i] = -1;
    int    model[KEYS] = { 0 }; /* 0: not in the map */
    size_t n = wr_size(t, "n", 0, 16);
    for (wr_each(t, i, n)) {
        int key = (int)wr_int(t, "key", 0, KEYS - 1);
        if (wr_chance(t, "drop", 1, 3)) {
            wr_assert_eq(t, drop(&m, key), model[key] != 0);
            model[key] = 0;
        } else {
            int value = (int)wr_int(t, "value", 1, 1000);
            if (put(&m, key, value))
                model[key] = value;
        }
    }
    wr_classify(t, m.used > 8, "more than eight");
    for (int key = 0; key < KEYS; key++) {
        int at = find(&m, key);
        wr_assert_eq(t, at < 0 ? 0 : m.value[at], model[key]);
    }
}

#ifdef WITNESS
/* 9 is at home in the last slot, 64 in the first. */
WR_EXAMPLE(probe_map, "n = 3", "key = 9", "value = 1", "key[1] = 64", "value[1] = 2",
           "key[2] = 9", "drop[2] = true");
#endif
