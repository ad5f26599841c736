/* tests/drawn.h: for the units of generators: what a lone case drew and printed, answerers of our
 * own, and the check that every way of running a case draws the same.
 */
#ifndef WRI_TESTS_DRAWN_H
#define WRI_TESTS_DRAWN_H

#include "core/hash.h"
#include "lone_case.h"

/* The text of the entry with this name, or of the first note. */
static const char *shown(const char *name)
{
    for (const char *at = the_text.bytes; at < the_text.bytes + the_text.used;) {
        char        tag = *at++;
        const char *key = tag == WRI_TEXT_VALUE ? at : "a note";
        CHECK(tag == WRI_TEXT_VALUE || tag == WRI_TEXT_NOTE);
        if (tag == WRI_TEXT_VALUE)
            at += strlen(at) + 1;
        if (strcmp(key, name) == 0)
            return at;
        at += strlen(at) + 1;
    }
    return NULL;
}

/* ---- Answerers of our own ---- */

static uint64_t zero_choose(wri_answerer *self, wr_case *t, const wri_request *request,
                            uint32_t label)
{
    (void)self, (void)t, (void)label;
    return wri_request_next_legal(request, 0);
}

static void zero_many(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                      size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)request, (void)label, (void)width;
    memset(numbers, 0, count * sizeof *numbers);
}

static __attribute__((unused))
wri_answerer zeros = { .choose = zero_choose, .choose_many = zero_many };

static wri_trace plan;
static size_t    plan_next;

static const wri_node *planned(wri_node_what what, const wri_request *request)
{
    while (plan_next < plan.node_count && plan.nodes[plan_next].what < WRI_CHOICE)
        plan_next++;
    CHECK(plan_next < plan.node_count);
    const wri_node *node = &plan.nodes[plan_next++];
    CHECK(node->what == what && node->kind == request->kind && node->max == request->max);
    return node;
}

static uint64_t plan_choose(wri_answerer *self, wr_case *t, const wri_request *request,
                            uint32_t label)
{
    (void)self, (void)t, (void)label;
    return planned(WRI_CHOICE, request)->number;
}

static void plan_many(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                      size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)t, (void)label, (void)width;
    const wri_node *node = planned(WRI_ARRAY, request);
    CHECK(node->count == count);
    memcpy(numbers, plan.numbers + node->number, count * sizeof *numbers);
}

static wri_answerer as_planned = { .choose = plan_choose, .choose_many = plan_many };

/* What a case drew, as bytes. */
static char   drawn[1 << 20];
static size_t drawn_bytes;

static void keep(const void *bytes, size_t count)
{
    CHECK(count <= sizeof drawn - drawn_bytes);
    memcpy(drawn + drawn_bytes, bytes, count);
    drawn_bytes += count;
}

static void keep_text(const char *text)
{
    keep(text, strlen(text) + 1);
}

#define KEEP(type, expression) keep(&(type){ expression }, sizeof(type))

/* The journal as one number; what fills the last record of an array up is not looked at. */
static uint64_t journal_hash(void)
{
    uint64_t hash = 0;
    for (const wri_record *at = the_case.journal; at < the_case.next;) {
        bool   is_array = at->max == 0 && at->number > 0;
        size_t bytes = is_array ? at->number * at[1].max : 0;
        hash = wri_hash_step(hash, at->number);
        hash = wri_hash_step(hash, is_array ? at[1].number : at->max);
        if (is_array)
            hash = wri_hash_step(hash, wri_hash_bytes(at + 2, bytes));
        at += is_array ? 2 + (bytes + sizeof *at - 1) / sizeof *at : 1;
    }
    return hash;
}

static inline void check_both_paths(void (*body)(wr_case *t), uint64_t seed)
{
    static char fast[sizeof drawn];
    RUN(body, seed, false);
    size_t   bytes = drawn_bytes;
    uint64_t random = the_case.random, journal = journal_hash();
    memcpy(fast, drawn, bytes);
    RUN(body, seed, true);
    CHECK(drawn_bytes == bytes && memcmp(fast, drawn, bytes) == 0);
    CHECK(the_case.random == random && journal_hash() == journal);
}

/* The fast path, the traced one, and a replay of its trace draw the same. */
static inline void check_every_path(void (*body)(wr_case *t), uint64_t seed)
{
    static char first[sizeof drawn];
    check_both_paths(body, seed);
    size_t bytes = drawn_bytes;
    memcpy(first, drawn, bytes);
    CHECK(wri_trace_copy(&plan, &the_trace));
    plan_next = 0;
    CHECK(run(body, 77777, true, &as_planned) == WRI_PASS);
    CHECK(drawn_bytes == bytes && memcmp(first, drawn, bytes) == 0);
    CHECK(plan.node_count == the_trace.node_count);
}

#endif
