/* sort.c: a merge sort of records, checked for what a caller relies on.
 *
 * A sort promises three things: the keys ascend, every record is still there, and records with
 * equal keys keep their order. merge() keeps all three. hasty_merge() has < where <= belongs;
 * it keeps the first two, so that only the third property finds it, and only in arrays in which
 * a key comes twice. The example also shows an array of structs, filled in and printed by
 * functions of one's own.
 *
 * buggy_sort_keeps_equal_keys_in_order fails by design, with two records of key 0.
 */
#include <warren.h>

#include <string.h>

typedef struct record {
    int32_t key;
    size_t  place; /* where it was before sorting */
} record;

typedef void merger(const record *left, size_t lefts, const record *right, size_t rights,
                    record *out);

static void merge(const record *left, size_t lefts, const record *right, size_t rights,
                  record *out)
{
    while (lefts > 0 && rights > 0) {
        if (left->key <= right->key) {
            *out++ = *left++;
            lefts--;
        } else {
            *out++ = *right++;
            rights--;
        }
    }
    memcpy(out, left, lefts * sizeof *out);
    memcpy(out + lefts, right, rights * sizeof *out);
}

static void hasty_merge(const record *left, size_t lefts, const record *right, size_t rights,
                        record *out)
{
    while (lefts > 0 && rights > 0) {
        if (left->key < right->key) {
            *out++ = *left++;
            lefts--;
        } else {
            *out++ = *right++;
            rights--;
        }
    }
    memcpy(out, left, lefts * sizeof *out);
    memcpy(out + lefts, right, rights * sizeof *out);
}

/* Sorts by key; `room` is as long as the array. */
static void sort(record *records, size_t n, record *room, merger *merging)
{
    size_t half = n / 2;
    if (n < 2)
        return;
    sort(records, half, room, merging);
    sort(records + half, n - half, room, merging);
    merging(records, half, records + half, n - half, room);
    memcpy(records, room, n * sizeof *records);
}

/* ---- Drawing and printing records ---- */

typedef struct list {
    size_t  n;
    record *records;
} list;

static void draw_record(wr_case *t, void *element, void *context)
{
    record *r = element;
    size_t *place = context;
    r->key = wr_i32(t, NULL);
    r->place = (*place)++;
}

static void show_keys(wr_out *out, const void *value)
{
    const list *l = value;
    wr_put(out, "[");
    for (size_t i = 0; i < l->n; i++)
        wr_put(out, "%s%d", i == 0 ? "" : ", ", (int)l->records[i].key);
    wr_put(out, "]");
}

/* A list of up to 50 records, and the same list sorted. */
static void draw_and_sort(wr_case *t, merger *merging, list *before, list *after)
{
    size_t place = 0;
    before->n = after->n = wr_size(t, "n", 0, 50);
    before->records = wr_array(t, before->n, sizeof(record), draw_record, &place);
    wr_show_by(t, "keys", show_keys, before);
    after->records = wr_copy(t, before->records, before->n * sizeof(record));
    sort(after->records, after->n, wr_alloc(t, after->n * sizeof(record)), merging);
    wr_show_by(t, "sorted", show_keys, after);
}

/* ---- What a sort promises ---- */

static void check_keys_ascend(wr_case *t, merger *merging)
{
    list before, after;
    draw_and_sort(t, merging, &before, &after);
    for (size_t i = 1; i < after.n; i++)
        wr_assert_le(t, after.records[i - 1].key, after.records[i].key);
}

static void check_every_record_is_kept(wr_case *t, merger *merging)
{
    list before, after;
    draw_and_sort(t, merging, &before, &after);
    bool *seen = wr_alloc(t, after.n * sizeof *seen);
    for (size_t i = 0; i < after.n; i++) {
        const record *r = &after.records[i];
        wr_assert_lt(t, r->place, after.n);
        wr_assert(t, !seen[r->place]);
        wr_assert_eq(t, r->key, before.records[r->place].key);
        seen[r->place] = true;
    }
}

static void check_equal_keys_keep_their_order(wr_case *t, merger *merging)
{
    list before, after;
    draw_and_sort(t, merging, &before, &after);
    for (size_t i = 1; i < after.n; i++)
        if (after.records[i - 1].key == after.records[i].key)
            wr_assert_lt(t, after.records[i - 1].place, after.records[i].place);
}

WR_PROPERTY(sort_makes_keys_ascend) {
    check_keys_ascend(t, merge);
}

WR_PROPERTY(sort_keeps_every_record) {
    check_every_record_is_kept(t, merge);
}

WR_PROPERTY(sort_keeps_equal_keys_in_order) {
    check_equal_keys_keep_their_order(t, merge);
}

WR_PROPERTY(hasty_sort_makes_keys_ascend) {
    check_keys_ascend(t, hasty_merge);
}

WR_PROPERTY(hasty_sort_keeps_every_record) {
    check_every_record_is_kept(t, hasty_merge);
}

WR_PROPERTY(buggy_sort_keeps_equal_keys_in_order) {
    check_equal_keys_keep_their_order(t, hasty_merge);
}
