/* paged.c: a test program whose page (--html) has one of everything. Places on it are of this
 * file's name, wherever it is built. */
#line 4 "paged.c"
#include <stdlib.h>
#include <string.h>
#include <warren.h>

/* ---- A property that holds: labels, tables, covers, slots ---- */

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

WR_PROPERTY(sorting_keeps_the_values)
{
    size_t   n = wr_size(t, "n", 0, 40);
    int32_t *xs = wr_i32s(t, "xs", n, -1000, 1000);
    bool     stable = wr_bool(t, "stable");
    int64_t  sum = 0, after = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    qsort(xs, n, sizeof *xs, compare);
    size_t repeats = 0;
    for (size_t i = 0; i < n; i++) {
        after += xs[i];
        repeats += i > 0 && xs[i] == xs[i - 1];
    }
    wr_classify(t, n == 0, "empty");
    wr_classify(t, n == 1, "single");
    wr_classify(t, repeats > 0, "has repeats");
    wr_classify(t, n > 1 && xs[0] == -1000, "lowest value");
    wr_classify(t, stable && repeats > 2, "stable and crowded");
    wr_cover(t, n > 20, 20, "more than 20 values");
    wr_collect(t, "repeats", repeats);
    wr_maximise(t, "most repeats", repeats);
    wr_sometimes(t, n == 40, "full length");
    wr_assert_eq(t, sum, after);
}

/* ---- Bugs ---- */

static unsigned digits(uint32_t number)
{
    unsigned count = 1;
    while (number > 10) { /* the bug: 10 has two */
        number /= 10;
        count++;
    }
    return count;
}

WR_PROPERTY(numbers_have_as_many_digits_as_printed)
{
    uint32_t    number = (uint32_t)wr_uint(t, "number", 0, 100000);
    const char *unit = wr_text(t, "unit", 0, 4);
    char       *text = wr_format(t, "%u", number);
    wr_label(t, "%zu digits", strlen(text));
    wr_note(t, "printed as %s %s", text, unit);
    wr_assert_eq(t, digits(number), strlen(text));
}

/* ---- Combinations of settings ---- */

WR_PROPERTY(settings_fit_together)
{
    int64_t level = wr_int(t, "level", 0, 9);
    size_t  codec = wr_pick(t, "codec", 4);
    bool    checksum = wr_bool(t, "checksum");
    int64_t window = wr_int(t, "window", 10, 1000);
    double  ratio = wr_double(t, "ratio", 0, 1);
    bool    fast = wr_bool(t, "fast");
    wr_classify(t, level == 9 && window == 1000, "everything at its limit");
    wr_classify(t, codec == 3 && !checksum, "raw");
    wr_collect(t, "level", level);
    wr_assert(t, !(fast && level == 9 && codec == 3 && window == 10 && ratio > 2));
}

/* ---- An enumeration ---- */

WR_PROPERTY_WITH(no_square_is_two_more_than_a_cube, .explore = WR_ENUMERATE, .size = 10)
{
    int64_t a = wr_int(t, "a", 0, 1000), b = wr_int(t, "b", 0, 1000);
    wr_assume(t, a > b);
    wr_label(t, "%s", a % 2 == 0 ? "even" : "odd");
    wr_assert(t, a * a != b * b * b + 2 || a == 0);
}

/* ---- A machine ---- */

enum { ROOM = 3 };
typedef struct queue {
    int64_t values[ROOM];
    int     first, count;
} queue;
typedef struct model {
    queue  *real;
    int     count;
    int64_t values[ROOM];
} model;

static queue *opened;

static void start(wr_case *t, void *m)
{
    opened = wr_alloc(t, sizeof *opened);
    *(model *)m = (model){ .real = opened };
}

static bool has_room(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->count < ROOM;
}

static bool has_values(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->count > 0;
}

static const wr_kind VALUE = { "value", .values = 4 };

static void do_put(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->real->values[(m->real->first + m->real->count++) % ROOM] = wr_value(call, 0);
    m->values[m->count++] = wr_value(call, 0);
}

static void do_get(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t got = m->real->values[m->real->first];
    m->real->first = (m->real->first + 1) % ROOM;
    m->real->count--;
    wr_assert_eq(t, got, m->values[0]);
    memmove(m->values, m->values + 1, sizeof m->values - sizeof m->values[0]);
    m->count--;
}

static void do_clear(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->real->count = m->count = 0; /* the bug is next: `first` stays, and put forgets it */
    if (m->real->first == 2)
        m->real->values[0] = -1;
}

static void do_size(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_state(t, "values", m->count);
    wr_assert_eq(t, m->real->count, m->count);
}

static void do_find(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    bool   found = false, expected = false;
    for (int i = 0; i < m->count; i++) {
        found |= m->real->values[i] == wr_value(call, 0); /* the bug: it ignores `first` */
        expected |= m->values[i] == wr_value(call, 0);
    }
    wr_assert_eq(t, found, expected);
}

static const wr_command COMMANDS[] = { { "put", do_put, .takes = { &VALUE }, .when = has_room },
                                       { "get", do_get, .when = has_values },
                                       { .name = "clear", .call = do_clear },
                                       { "size", do_size, .observer = true },
                                       { "find", do_find, .takes = { &VALUE }, .observer = true },
                                       { 0 } };
WR_MACHINE(a_queue_is_first_in_first_out, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start);
