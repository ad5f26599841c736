/* studies/guided/others.c: further targets of the same kinds as those of targets.c.
 *
 * They have no bars: nothing was tuned to them, and what `guided` prints of them tells whether
 * the bars were met by a method or by luck. Labels are where a user would put them, which is not
 * always where a search would want them.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <warren.h>

/* A state of a structure as a label, or a slot where those are wanted. */
#ifdef WITH_SLOTS
#define SLOT(t, name, value) wr_maximise(t, name, (double)(value))
#else
#define SLOT(t, name, value) wr_label(t, name " %zu", (size_t)(value))
#endif

/* ---- A parser of keywords: the text is drawn at once ---- */

/* Is the text at *at this word? Then past it. */
static bool accept_word(const char *text, size_t *at, const char *word)
{
    size_t i = 0;
    while (word[i] != '\0' && text[*at + i] == word[i])
        i++;
    if (word[i] != '\0')
        return false;
    *at += i;
    return true;
}

WR_PROPERTY(keywords)
{
    char  *text = wr_text(t, "text", 0, 16);
    size_t at = 0;
    if (!accept_word(text, &at, "go"))
        return;
    wr_label(t, "go");
    if (!accept_word(text, &at, " "))
        return;
    wr_label(t, "space");
    if (!accept_word(text, &at, "up"))
        return;
    wr_label(t, "up");
    if (!accept_word(text, &at, ";"))
        return;
    wr_label(t, "semicolon");
    wr_assert(t, text[at] != '~');
}

/* ---- Conditions on wide integers ---- */

WR_PROPERTY(wide_numbers)
{
    int32_t a = wr_i32(t, "a");
    int64_t b = wr_i64(t, "b"), c = wr_i64(t, "c");
    if (a != 1000003)
        return;
    wr_label(t, "a");
    if (b <= 5000000000 || b >= 5000001000)
        return;
    wr_label(t, "b");
    if (c != b + a)
        return;
    wr_label(t, "c");
    wr_fail(t, "a sum");
}

/* ---- Type, length, value, and a check ---- */

static uint8_t crc8(const uint8_t *bytes, size_t n)
{
    uint8_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)((crc & 0x80) != 0 ? (crc << 1) ^ 0x07 : crc << 1);
    }
    return crc;
}

WR_PROPERTY(records)
{
    size_t   n = wr_size(t, "n", 0, 48), kinds = 0;
    uint8_t *bytes = wr_bytes(t, "bytes", n);
    for (size_t at = 0; at + 3 <= n;) {
        uint8_t kind = bytes[at], length = bytes[at + 1];
        if (at + 3 + length > n || kind != kinds + 1)
            return;
        if (crc8(bytes + at, 2 + (size_t)length) != bytes[at + 2 + length])
            return;
        kinds++;
        wr_label(t, "record %zu", kinds);
        if (kinds == 3 && length > 1 && bytes[at + 2] == 0xC3)
            wr_fail(t, "three records");
        at += 3 + (size_t)length;
    }
}

/* ---- A lock of six digits ---- */

WR_PROPERTY(lock)
{
    static const size_t DIGITS[] = { 3, 1, 4, 1, 5, 9 };
    for (wr_each(t, i, 6)) {
        if (wr_pick(t, "digit", 10) != DIGITS[i])
            return;
        wr_label(t, "digit %zu", i);
    }
    wr_fail(t, "open");
}

/* ---- Two counters that must meet ---- */

WR_PROPERTY(counters)
{
    int    rising = 0, falling = 24;
    size_t n = wr_size(t, "n", 0, 60);
    for (wr_each(t, i, n)) {
        switch (wr_pick(t, "call", 4)) {
        case 0: rising++; break;
        case 1: falling--; break;
        case 2: rising = 0; break;
        default: falling = 24; break;
        }
        if (rising >= falling)
            wr_fail(t, "met at %d", rising);
        wr_label(t, "gap %d", falling - rising);
    }
}

/* ---- Depth of brackets ---- */

WR_PROPERTY(brackets)
{
    size_t depth = 0;
    size_t n = wr_size(t, "n", 0, 80);
    for (wr_each(t, i, n)) {
        size_t c = wr_pick(t, "c", 4); /* ( ) and two letters */
        depth += c == 0;
        if (c == 1 && depth-- == 0)
            return;
        if (c == 3 && depth < 8)
            return;
        SLOT(t, "depth", depth);
        wr_assert(t, depth < 20);
    }
}

/* ---- A calculator: (a * 7) / (b - b) ---- */

typedef struct expression {
    char               operation; /* 'n': a number */
    int32_t            number;
    struct expression *left, *right;
} expression;

static const wr_recursion CALCULATOR;

static void *grow(wr_case *t, size_t form, size_t budget, void *context)
{
    expression *e = wr_alloc(t, sizeof *e);
    (void)context;
    e->operation = "n+-*/"[form];
    if (form == 0) {
        e->number = (int32_t)wr_int(t, "number", -100, 100);
        return e;
    }
    e->left = wr_recurse(t, &CALCULATOR, budget / 2);
    e->right = wr_recurse(t, &CALCULATOR, budget / 2);
    return e;
}

static const wr_recursion CALCULATOR = { .label = "e", .leaves = 1, .forms = 5, .grow = grow };

static bool is_number(const expression *e)
{
    return e->operation == 'n';
}

WR_PROPERTY(calculator)
{
    const expression *e = wr_recurse(t, &CALCULATOR, 8);
    if (e->operation != '/')
        return;
    wr_label(t, "a quotient");
    if (e->left->operation != '*' || !is_number(e->left->right) || e->left->right->number != 7)
        return;
    wr_label(t, "of a multiple of 7");
    const expression *by = e->right;
    if (by->operation != '-' || !is_number(by->left) || !is_number(by->right))
        return;
    wr_label(t, "by a difference");
    if (by->left->number == by->right->number && by->left->number > 10)
        wr_fail(t, "divides by zero");
}

/* ---- A text that comes twice ---- */

WR_PROPERTY(echo)
{
    char  *word = wr_identifier(t, "word", 1, 10), *again = wr_identifier(t, "again", 1, 10);
    size_t same = 0;
    while (word[same] != '\0' && word[same] == again[same])
        same++;
    wr_label(t, "same %zu", same);
    wr_assert(t, same < 6 || word[same] != again[same]);
}

/* ---- A ring buffer that loses a value when it is filled after a turn ---- */

#define RING 8

typedef struct ring {
    uint8_t bytes[RING];
    size_t  head, count, turns;
} ring;

static bool ring_put(ring *r, uint8_t byte)
{
    if (r->count == RING)
        return false;
    r->bytes[(r->head + r->count) % RING] = byte;
    /* The bug: full after two turns, the count stays. */
    r->count += r->count < RING - 1 || r->turns < 2;
    return true;
}

static bool ring_get(ring *r, uint8_t *byte)
{
    if (r->count == 0)
        return false;
    *byte = r->bytes[r->head];
    r->head = (r->head + 1) % RING;
    r->turns += r->head == 0;
    r->count--;
    return true;
}

WR_PROPERTY(wraparound)
{
    ring   r = { .count = 0 };
    size_t held = 0;
    size_t n = wr_size(t, "n", 0, 80);
    for (wr_each(t, i, n)) {
        uint8_t byte;
        switch (wr_pick(t, "call", 6)) {
        case 0: held += ring_put(&r, wr_u8(t, "byte")); break;
        case 1: held -= ring_get(&r, &byte); break;
        case 2: /* emptied, from the start */
            r = (ring){ .count = 0 };
            held = 0;
            break;
        default: break;
        }
        wr_assert_eq(t, r.count, held);
        if (r.count == RING)
            wr_label(t, "full");
        SLOT(t, "turns", r.turns);
    }
}

/* ---- A cache that keeps the oldest in its place when the oldest are hit in a row ---- */

#define CACHE 6

typedef struct cache {
    uint16_t keys[CACHE]; /* oldest first */
    size_t   count;
    size_t   row; /* hits on the oldest, one after the other, while full */
} cache;

static void move_to_end(cache *c, size_t at)
{
    uint16_t key = c->keys[at];
    memmove(c->keys + at, c->keys + at + 1, (c->count - at - 1) * sizeof *c->keys);
    c->keys[c->count - 1] = key;
}

/* Is it there? Then it is the newest from now on; the bug: not at the fourth hit in a row. */
static bool cache_find(cache *c, uint16_t key, bool correct)
{
    size_t at = 0;
    while (at < c->count && c->keys[at] != key)
        at++;
    c->row = at == 0 && c->count == CACHE ? c->row + 1 : 0;
    if (at == c->count)
        return false;
    if (correct || c->row < 4)
        move_to_end(c, at);
    return true;
}

static void cache_add(cache *c, uint16_t key)
{
    if (c->count == CACHE) {
        memmove(c->keys, c->keys + 1, (CACHE - 1) * sizeof *c->keys);
        c->count--;
    }
    c->keys[c->count++] = key;
}

WR_PROPERTY(eviction)
{
    cache  c = { .count = 0 }, model = { .count = 0 };
    size_t n = wr_size(t, "n", 0, 40);
    for (wr_each(t, i, n)) {
        uint16_t key = wr_u16(t, "key");
        bool     hit = cache_find(&c, key, false);
        wr_assert_eq(t, hit, cache_find(&model, key, true));
        if (c.row > 0)
            wr_label(t, "oldest hit %zu times", c.row);
        if (hit)
            continue;
        if (c.count == CACHE)
            wr_label(t, "evicted");
        cache_add(&c, key);
        cache_add(&model, key);
    }
}
