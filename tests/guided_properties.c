/* tests/guided_properties.c: properties for guide_test. Their bugs lie behind conditions that
 * random cases do not meet, one after the other; what each is for is told above it. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <warren.h>
#include <warren/observe.h>

#include "sanitized.h"

/* ---- Gates ---- */

/* How many of four bytes are right, one after the other, each with a label. */
static int gates(wr_case *t, int count)
{
    static const uint8_t KEYS[] = { 137, 42, 201, 77 };
    for (int i = 0; i < count; i++) {
        if (wr_u8(t, "byte") != KEYS[i])
            return i;
        wr_label(t, "gate %d", i + 1);
    }
    return count;
}

WR_PROPERTY(four_gates)
{
    wr_assert(t, gates(t, 4) < 4);
}

/* Nothing is wrong with it: for corpora, remarks and stability. */
WR_PROPERTY(shows_gates)
{
    wr_u8(t, "unused");
    wr_classify(t, gates(t, 3) == 3, "all open");
}

WR_PROPERTY(shows_little)
{
    wr_label(t, "%d mod 7", (int)(wr_u8(t, "n") % 7));
}

WR_PROPERTY(shows_nothing)
{
    wr_u8(t, "n");
}

/* Its bug lies behind a header that no random case has. */
WR_PROPERTY(reads_a_file)
{
    size_t   n = wr_size(t, "n", 0, 64);
    uint8_t *file = wr_bytes(t, "file", n);
    bool     header = n > 12 && memcmp(file, "WARREN-FILE ", 12) == 0;
    wr_classify(t, header, "header");
    wr_assert(t, !header || file[12] != 0x80);
}

/* A file can become each of these. */
WR_PROPERTY(reads_letters)
{
    wr_assert(t, strcmp(wr_text_of(t, "text", "-AEFILNRW a\"\n\\\x80", 0, 20), "WARREN-FILE a") !=
                     0);
}

WR_PROPERTY(reads_pieces)
{
    static const char *const PIECES[] = { "W", "AR", "", "REN", "-FILE", "a\"\x01", " a" };
    wr_assert(t, strcmp(wr_pieces(t, "text", 7, PIECES, 6, 20), "WARREN-FILE a") != 0);
}

/* The bug stands at the very edge of what is labelled: where a case that is made smaller comes
 * to. */
WR_PROPERTY(fails_at_the_edge)
{
    uint64_t n = wr_uint(t, "n", 0, 1000000000);
    wr_label(t, n >= 5003 ? "large" : "small");
    wr_assert(t, n != 5003);
}

/* What it draws and does is as the environment says: as if it had been edited between runs. */
WR_PROPERTY(changes_shape)
{
    const char *shape = getenv("BEHAVE_SHAPE") == NULL ? "" : getenv("BEHAVE_SHAPE");
    if (strcmp(shape, "skips") == 0)
        wr_skip(t, "not now");
    if (strcmp(shape, "draws more") == 0)
        wr_bool(t, "more");
    if (strcmp(shape, "draws another") == 0)
        wr_label(t, "%s", wr_double(t, "another", 0, 9) > 5 ? "above" : "below");
    else if (strcmp(shape, "draws nothing") != 0)
        gates(t, 2);
    wr_label(t, "always");
    wr_assert(t, strcmp(shape, "fails") != 0);
}

/* ---- In the middle of a run something goes wrong ---- */

static void touch_nothing(void)
{
    *(volatile int *)(uintptr_t)16 = 1;
}

WR_PROPERTY(crashes)
{
    if (gates(t, 2) == 2)
        touch_nothing();
}

WR_PROPERTY(aborts)
{
    if (gates(t, 2) == 2)
        abort();
}

WR_PROPERTY_WITH(hangs, .shrink_time_ms = 1, .deadline_ms = 300)
{
    volatile unsigned rounds = 0;
    if (gates(t, 2) == 2)
        for (;;)
            rounds++;
}

WR_PROPERTY(exits)
{
    if (gates(t, 2) == 2)
        exit(3);
}

#if SANITIZED
WR_PROPERTY(leaks)
{
    if (gates(t, 2) == 2) {
        char *volatile lost = malloc(77);
        lost[0] = 1;
        lost = NULL;
    }
}

WR_PROPERTY(overruns)
{
    char *volatile block = wr_malloced(t, "four", 4);
    wr_defer(t, free, block);
    if (gates(t, 2) == 2)
        block[4] = 1;
}
#endif

WR_PROPERTY(discards_most)
{
    uint8_t unused = wr_u8(t, "unused");
    int     open = gates(t, 3);
    wr_assume(t, unused % 10 == 3);
    wr_assert(t, open < 3);
}

/* What is shown by cases that do not count is a way, too. */
WR_PROPERTY(discards_on_the_way)
{
    int open = gates(t, 4);
    wr_assume(t, open == 0 || open == 4);
    wr_assert(t, open < 4);
}

WR_PROPERTY(grows_too_large)
{
    if (gates(t, 2) < 2)
        return;
    wr_label(t, "inside");
    if (wr_u8(t, "kind") % 16 == 3)
        for (;;)
            wr_u64(t, "more");
    wr_assert(t, wr_u8(t, "last") != 99);
}

WR_PROPERTY(crashes_twice)
{
    int open = gates(t, 3);
    if (open == 3)
        abort();
    if (open == 2 && wr_u8(t, "other") % 8 == 5)
        touch_nothing();
}

WR_PROPERTY(fails_and_crashes)
{
    int open = gates(t, 3);
    if (open == 3)
        touch_nothing();
    wr_assert(t, open < 2 || wr_u8(t, "other") % 8 != 5);
}

/* What the guide has learnt, which the worker shares with its parent, is written all over: it
 * lies at the start of the largest part of that memory. */
static char *find_pool(void)
{
    char         *start = NULL, line[400], rights[8];
    unsigned long from, to, largest = 0;
    FILE         *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && strcmp(rights, "rw-s") == 0 &&
            to - from > largest) {
            start = (char *)from;
            largest = to - from;
        }
    if (maps != NULL)
        fclose(maps);
    return start;
}

WR_PROPERTY_WITH(scribbles, .deadline_ms = 300, .shrink_time_ms = 1)
{
    static char *pool;
    if (pool == NULL)
        pool = find_pool();
    wr_label(t, "%d mod 50", (int)(wr_u16(t, "n") % 50));
    uint32_t how = wr_u32(t, "how");
    for (uint32_t i = 0; how % 64 == 1 && i < 200; i++)
        memset(pool + (how * (i + 1) * 2654435761u) % (3u << 20), (int)(how >> (i % 24)),
               1 + i % 8);
}

/* ---- Numbers, states, code without t ---- */

WR_PROPERTY(all_bits)
{
    uint32_t bits = (uint32_t)wr_uint(t, "bits", 0, (1u << 24) - 1) ^ 0x5a3c96u;
    wr_maximise(t, "bits", __builtin_popcount(bits));
    wr_assert(t, __builtin_popcount(bits) < 24);
}

WR_PROPERTY(no_bits)
{
    uint32_t bits = (uint32_t)wr_uint(t, "bits", 0, (1u << 24) - 1) ^ 0x5a3c96u;
    wr_minimise(t, "bits", __builtin_popcount(bits));
    wr_assert(t, bits != 0);
}

WR_PROPERTY(a_large_sum)
{
    unsigned sum = 0;
    for (int i = 0; i < 6; i++)
        sum += wr_u8(t, "part") ^ 0xaau;
    wr_sometimes_lt(t, 1500, sum, "a sum above 1500");
    wr_assert_le(t, sum, 1500);
}

/* A gap that is closed is something to show. */
WR_PROPERTY(shows_a_gap)
{
    unsigned n = wr_u8(t, "n");
    wr_sometimes_lt(t, 3, n % 100, "above three");
}

WR_PROPERTY(a_long_way)
{
    unsigned place = 0;
    size_t   n = wr_size(t, "n", 0, 30);
    for (wr_each(t, i, n)) {
        place = wr_pick(t, "turn", 8) == (place * 5 + 3) % 8 ? place + 1 : 0;
        wr_state(t, "place", place);
        wr_assert(t, place < 9);
    }
}

static int library_code(const uint8_t *bytes)
{
    if (bytes[0] != 17)
        return 0;
    WR_LABEL("first is right");
    if (bytes[1] != 171)
        return 1;
    WR_LABELF("%s is right", "second");
    if (bytes[2] != 91)
        return 2;
    WR_REACHABLE("third is right");
    return bytes[3] == 211 ? 4 : 3;
}

WR_PROPERTY(library_shows_it)
{
    wr_assert(t, library_code(wr_bytes(t, "bytes", 4)) < 4);
}

/* ---- Trees ---- */

static const wr_recursion TREE;
static size_t             longest; /* chain of the case that runs */

/* A chain goes from a node with three children to its last, and ends in a leaf that is 200. */
static void *grow(wr_case *t, size_t form, size_t budget, void *context)
{
    size_t *chain = wr_alloc(t, sizeof *chain);
    (void)context;
    for (size_t i = 0; i < form; i++) {
        const size_t *below = wr_recurse(t, &TREE, budget / 2);
        if (form == 3 && i == 2 && *below > 0)
            *chain = *below + 1;
    }
    if (form == 0)
        *chain = wr_u8(t, "leaf") == 200;
    if (*chain > 0)
        wr_label(t, "chain of %zu", *chain);
    longest = *chain > longest ? *chain : longest;
    return chain;
}

static const wr_recursion TREE = { .label = "tree", .leaves = 1, .forms = 4, .grow = grow };

WR_PROPERTY(a_chain_of_thirds)
{
    longest = 0;
    wr_recurse(t, &TREE, WR_SIZE);
    wr_assert(t, longest < 5);
}

/* ---- What generators promise ---- */

static void              *size_of_tree(wr_case *t, size_t form, size_t budget, void *context);
static const wr_recursion COUNTED = { .label = "counted",
                                      .leaves = 2,
                                      .forms = 3,
                                      .weights = (const uint32_t[]){ 1, 0, 3 },
                                      .grow = size_of_tree };

static void *size_of_tree(wr_case *t, size_t form, size_t budget, void *context)
{
    size_t *depth = context;
    wr_assert(t, form == 0 || form == 2);
    wr_assert(t, form == 0 || budget > 0 || *depth == 0);
    for (size_t i = 0; i < 2 && form == 2; i++) {
        size_t       deeper = *depth + 1;
        wr_recursion child = COUNTED;
        child.context = &deeper;
        wr_recurse(t, &child, budget == 0 ? 0 : (budget - 1) / 2);
        wr_label(t, "depth %zu", deeper);
    }
    return NULL;
}

static bool is_utf8(const unsigned char *at)
{
    while (*at != '\0') {
        unsigned more = *at < 0x80 ? 0 : *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc2 ? 1 : 9;
        uint32_t point = more == 0 ? *at : *at & (0x3fu >> more);
        if (more > 3 || *at > 0xf4)
            return false;
        for (at++; more > 0; more--, at++) {
            if ((*at & 0xc0) != 0x80)
                return false;
            point = point << 6 | (*at & 0x3fu);
        }
        if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
            return false;
    }
    return true;
}

WR_PROPERTY(trees_keep_to_their_forms)
{
    size_t       depth = 0;
    wr_recursion recursion = COUNTED;
    recursion.context = &depth;
    wr_recurse(t, &recursion, WR_SIZE);
}

WR_PROPERTY(numbers_keep_to_their_ranges)
{
    static const uint32_t WEIGHTS[] = { 0, 3, 0, 0, 1, 0 };
    static uint32_t       many[100];
    double                real = wr_double(t, "real", -2.5, 1e9);
    wr_assert(t, real >= -2.5 && real <= 1e9);
    wr_label(t, "real %s", real < 0 ? "below" : real > 1e8 ? "large" : "small");
    float single = wr_float(t, "single", 0.25f, 0.75f);
    wr_assert(t, single >= 0.25f && single <= 0.75f);
    size_t index = wr_weighted(t, "index", 6, WEIGHTS);
    wr_assert(t, WEIGHTS[index] > 0);
    wr_label(t, "index %zu", index);
    many[90] = many[3] = 1;
    index = wr_weighted(t, "of many", 100, many);
    wr_assert(t, index == 90 || index == 3);
    wr_assert(t, !wr_chance(t, "never", 0, 9) && wr_chance(t, "always", 9, 9));
    int64_t n = wr_int(t, "n", -7, 90);
    wr_assert(t, n >= -7 && n <= 90);
    wr_state(t, "n", n);
    for (size_t i = 0; i < 5; i++)
        wr_assert(t, wr_ints(t, "ints", 5, -3, (int64_t)i)[i] <= (int64_t)i);
}

WR_PROPERTY(collections_keep_their_promises)
{
    bool     there[60] = { false };
    size_t   n = wr_size(t, "n", 0, 20);
    int64_t *unique = wr_unique_ints(t, "unique", n, -30, 29);
    for (size_t i = 0; i < n; i++) {
        wr_assert(t, unique[i] >= -30 && unique[i] < 30 && !there[unique[i] + 30]);
        there[unique[i] + 30] = true;
        wr_state(t, "unique", unique[i]);
    }
    memset(there, 0, sizeof there);
    size_t *order = wr_permutation(t, "order", n);
    for (size_t i = 0; i < n; i++) {
        wr_assert(t, order[i] < n && !there[order[i]]);
        there[order[i]] = true;
        wr_classify(t, order[i] == i, "in place");
    }
    wr_collect(t, "n", n);
}

WR_PROPERTY(texts_keep_their_promises)
{
    static regex_t pattern;
    static bool    ready;
    if (!ready)
        ready = regcomp(&pattern, "^([a-f]{2,4}|x[0-9]+y?)+$", REG_EXTENDED | REG_NOSUB) == 0;
    const char *matching = wr_matching(t, "matching", "([a-f]{2,4}|x\\d+y?)+");
    wr_assert(t, regexec(&pattern, matching, 0, NULL, 0) == 0);
    wr_label(t, "ends in %c", matching[strlen(matching) - 1]);
    const char *text = wr_utf8(t, "text", 2, 12);
    size_t      points = 0;
    for (const char *at = text; *at != '\0'; at++)
        points += ((unsigned char)*at & 0xc0) != 0x80;
    wr_assert(t, is_utf8((const unsigned char *)text) && points >= 2 && points <= 12);
    wr_collect(t, "bytes", strlen(text));
    const char *name = wr_identifier(t, "name", 1, 9);
    wr_assert(t, strlen(name) <= 9 && strspn(name, "0123456789") == 0);
    wr_collect(t, "name", strlen(name));
}
