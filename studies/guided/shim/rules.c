/* studies/guided/shim/rules.c: searches that are a few lines each, as baselines.
 *
 * uniform   every number of every case is uniform and new.
 * draft     one current list; a case appends an element to it or updates one; the new list is
 *           kept when its case shows no fewer labels than the last that was kept.
 * post      one current list; a case appends an element; the new list is kept when the set of
 *           labels seen in the whole run grew.
 *
 * An element of a list is what a round of wr_each draws, or one number drawn outside of a loop.
 * It is kept as the seed of its numbers. The list is the input: where it ends, the case ends. A
 * length that the property asks for is the most that the list may have.
 *
 *     guided_rules RULE SEED CASES TARGET
 *
 * prints "found N", the number of the case that failed, or "none".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/prng.h"
#include "warren.h"

#define LABELS_MOST 256 /* a power of two */

typedef struct label_set {
    uint64_t hashes[LABELS_MOST];
    size_t   count;
} label_set;

struct wr_case {
    bool            listed; /* by a list, not uniform */
    const uint64_t *elements;
    size_t          count, next;
    size_t          most;   /* elements that can be of use, once the property has said so */
    bool            inside; /* a round: its numbers are one element's */
    uint64_t        stream;
    label_set       labels;
    label_set      *ever; /* in the whole run */
    jmp_buf         out;
};

enum { RETURNED, ENDED, FAILED };

const shim_property *shim_properties;

/* ---- What the properties call ---- */

static void next_element(wr_case *t)
{
    if (!t->listed)
        return;
    if (t->next == t->count)
        longjmp(t->out, ENDED);
    t->stream = t->elements[t->next++];
}

uint64_t shim_draw(wr_case *t, size_t bytes, uint64_t max)
{
    (void)bytes;
    if (!t->inside)
        next_element(t);
    return wri_prng_scale(wri_prng_next(&t->stream), max);
}

size_t shim_length(wr_case *t, size_t lo, size_t hi)
{
    if (!t->listed)
        return lo + (size_t)wri_prng_scale(wri_prng_next(&t->stream), hi - lo);
    t->most = t->next + hi;
    return hi;
}

bool shim_round(wr_case *t, size_t i, size_t n)
{
    t->inside = i < n;
    if (t->inside)
        next_element(t);
    return t->inside;
}

static void add_label(label_set *set, uint64_t hash)
{
    size_t at = hash % LABELS_MOST;
    while (set->hashes[at] != 0 && set->hashes[at] != hash)
        at = (at + 1) % LABELS_MOST;
    if (set->hashes[at] == hash)
        return;
    if (set->count == LABELS_MOST - 1)
        abort();
    set->hashes[at] = hash;
    set->count++;
}

void wr_label(wr_case *t, const char *format, ...)
{
    char    text[80];
    va_list arguments;
    if (!t->listed)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uint64_t hash = wri_hash_bytes(text, strlen(text)) | 1;
    add_label(&t->labels, hash);
    add_label(t->ever, hash);
}

_Noreturn void wr_fail(wr_case *t, const char *format, ...)
{
    (void)format;
    longjmp(t->out, FAILED);
}

/* ---- The rules ---- */

static bool fails(const shim_property *property, wr_case *t)
{
    int how = setjmp(t->out);
    if (how == RETURNED)
        property->body(t);
    return how == FAILED;
}

/* The list under way, with what the last kept case showed. */
typedef struct search {
    uint64_t *elements; /* room for one more than there are cases */
    size_t    count, most, labels;
    label_set ever;
    uint64_t  random;
} search;

typedef bool rule(const shim_property *property, search *s);

static bool uniform(const shim_property *property, search *s)
{
    wr_case t = { .stream = wri_prng_next(&s->random) };
    return fails(property, &t);
}

/* Runs the list with `count` elements. */
static bool listed_fails(const shim_property *property, search *s, size_t count, size_t *labels)
{
    wr_case t = { .listed = true,
                  .elements = s->elements,
                  .count = count,
                  .most = SIZE_MAX,
                  .ever = &s->ever };
    bool    failed = fails(property, &t);
    s->most = t.most;
    *labels = t.labels.count;
    return failed;
}

static bool draft(const shim_property *property, search *s)
{
    bool   coin = (wri_prng_next(&s->random) & 1) != 0;
    bool   append = s->count == 0 || (coin && s->count < s->most);
    size_t at =
        append ? s->count : (size_t)wri_prng_scale(wri_prng_next(&s->random), s->count - 1);
    uint64_t before = s->elements[at];
    size_t   labels;
    s->elements[at] = wri_prng_next(&s->random);
    if (listed_fails(property, s, s->count + append, &labels))
        return true;
    if (labels >= s->labels) {
        s->labels = labels;
        s->count += append;
    } else {
        s->elements[at] = before;
    }
    return false;
}

static bool post(const shim_property *property, search *s)
{
    size_t seen = s->ever.count, labels;
    s->elements[s->count] = wri_prng_next(&s->random);
    if (listed_fails(property, s, s->count + 1, &labels))
        return true;
    s->count += s->ever.count > seen;
    return false;
}

static const struct {
    const char *name;
    rule       *next;
} RULES[] = { { "uniform", uniform }, { "draft", draft }, { "post", post } };

static rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        if (strcmp(RULES[i].name, name) == 0)
            return RULES[i].next;
    return NULL;
}

static const shim_property *find_property(const char *name)
{
    const shim_property *at = shim_properties;
    while (at != NULL && strcmp(at->name, name) != 0)
        at = at->next;
    return at;
}

int main(int argc, char **argv)
{
    rule                *next = argc == 5 ? find_rule(argv[1]) : NULL;
    const shim_property *property = argc == 5 ? find_property(argv[4]) : NULL;
    if (next == NULL || property == NULL) {
        fprintf(stderr, "usage: guided_rules uniform|draft|post SEED CASES TARGET\n");
        return 99;
    }
    size_t cases = strtoul(argv[3], NULL, 10);
    search s = { .elements = calloc(cases + 1, sizeof *s.elements),
                 .random = wri_prng_stream(strtoull(argv[2], NULL, 10), 0) };
    if (s.elements == NULL) {
        perror("guided_rules");
        return 99;
    }
    for (size_t i = 1; i <= cases; i++)
        if (next(property, &s)) {
            printf("found %zu\n", i);
            free(s.elements);
            return 1;
        }
    printf("none\n");
    free(s.elements);
    return 0;
}
