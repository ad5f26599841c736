/* trie.c: a compressed trie from strings to numbers, with prefix queries and cursors, as a
 * machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define LONGEST 4 /* characters of a key */
#define MOST_KEYS 10

/* ---- The library ---- */

typedef struct node {
    char         label[LONGEST + 1]; /* of the edge that leads here */
    bool         has_value;
    int          value;
    int          below;   /* keys here and below */
    struct node *child;   /* the first */
    struct node *sibling; /* the next, with a greater label */
} node;

typedef struct trie {
    node     root;
    unsigned version;
    char     scratch[LONGEST + 1];
} trie;

typedef struct cursor {
    char       *prefix;
    char        own[LONGEST + 1];
    char        last[LONGEST + 1]; /* the key that was given last */
    bool        started;
    const node *ahead; /* the one to be given next, or NULL */
    char        ahead_key[LONGEST + 1];
    unsigned    version; /* of the trie, when `ahead` was found */
} cursor;

static node *node_new(const char *label)
{
    node *n = calloc(1, sizeof *n);
    if (n == NULL)
        abort();
    strcpy(n->label, label);
    return n;
}

static node **place_of(node *parent, char first)
{
    node **at = &parent->child;
    while (*at != NULL && (*at)->label[0] < first)
        at = &(*at)->sibling;
    return at;
}

static size_t common(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] != '\0' && a[n] == b[n])
        n++;
    return n;
}

/* The node of exactly this key, with or without a value. */
static node *find(trie *t, const char *key)
{
    node *n = &t->root;
    while (n != NULL && *key != '\0') {
        n = *place_of(n, *key);
        if (n == NULL || strncmp(key, n->label, strlen(n->label)) != 0)
            return NULL;
        key += strlen(n->label);
    }
    return n;
}

static void add_below(trie *t, const char *key, int how_many)
{
    node *n = &t->root;
    n->below += how_many;
    while (*key != '\0') {
        n = *place_of(n, *key);
        if (n == NULL || strncmp(key, n->label, strlen(n->label)) != 0)
            return;
        n->below += how_many;
        key += strlen(n->label);
    }
}

/* False: it is a new key and there are too many. */
static bool trie_put(trie *t, const char *key, int value)
{
    node *old = find(t, key);
    bool  is_new = old == NULL || !old->has_value;
    if (t->root.below >= MOST_KEYS && (is_new || FAULT(7)))
        return false;
    t->version++;
    node *n = &t->root;
    for (const char *rest = key; *rest != '\0';) {
        node **at = place_of(n, *rest);
        if (*at == NULL || (*at)->label[0] != *rest) { /* a new leaf */
            node *leaf = node_new(rest);
            leaf->sibling = *at;
            *at = leaf;
            n = leaf;
            break;
        }
        node  *next = *at;
        size_t same = common(rest, next->label);
        if (next->label[same] != '\0') { /* split the edge */
            node *upper = node_new("");
            memcpy(upper->label, next->label, same);
            upper->below = next->below;
            upper->sibling = next->sibling;
            upper->child = next;
            next->sibling = NULL;
            memmove(next->label, next->label + same, strlen(next->label + same) + 1);
            *at = upper;
            if (FAULT(1) && rest[same] == '\0') {
                n = next;
                break;
            }
            next = upper;
        }
        n = next;
        rest += same;
    }
    n->value = value;
    n->has_value = true;
    if (is_new || (FAULT(4) && n->child != NULL))
        add_below(t, key, 1);
    return true;
}

static bool trie_get(trie *t, const char *key, int *value)
{
    const node *n = find(t, key);
    if (n == NULL || !n->has_value)
        return false;
    *value = n->value;
    return true;
}

static void free_nodes(node *n)
{
    while (n != NULL) {
        node *next = n->sibling;
        free_nodes(n->child);
        free(n);
        n = next;
    }
}

/* On the way to a key that was removed, a node without keys goes, and one that has no value and
 * only one child joins it. */
static void tidy(node **at, const char *rest)
{
    node *here = *at;
    rest += strlen(here->label);
    if (*rest != '\0')
        tidy(place_of(here, *rest), rest);
    if (here->below == 0) {
        *at = here->sibling;
        here->sibling = NULL;
        free_nodes(here);
    } else if (!here->has_value && here->child != NULL && here->child->sibling == NULL) {
        node *only = here->child;
        char  label[LONGEST + 1];
        strcpy(label, here->label);
        strcat(label, only->label);
        if (FAULT(2))
            label[3] = '\0';
        strcpy(only->label, label);
        only->sibling = here->sibling;
        *at = only;
        free(here);
    }
}

static bool trie_remove(trie *t, const char *key)
{
    if (FAULT(3))
        add_below(t, key, -1);
    node *n = find(t, key);
    if (n == NULL || !n->has_value)
        return false;
    if (!FAULT(3))
        add_below(t, key, -1);
    n->has_value = false;
    bool merges = n->child != NULL && n->child->sibling == NULL && n != &t->root;
    if (!FAULT(5) || !merges)
        t->version++;
    if (*key != '\0')
        tidy(place_of(&t->root, *key), key);
    return true;
}

static int trie_count(const trie *t, const char *prefix)
{
    const node *n = &t->root;
    while (*prefix != '\0') {
        const node *next = n->child;
        while (next != NULL && next->label[0] < *prefix)
            next = next->sibling;
        if (next == NULL)
            return 0;
        size_t same = common(prefix, next->label);
        if (prefix[same] != '\0' && next->label[same] != '\0')
            return 0;
        if (same == 0)
            return 0;
        prefix += same;
        n = next;
    }
    return n->below;
}

/* The length of the longest key that `text` begins with, or -1. */
static int trie_longest(const trie *t, const char *text)
{
    const node *n = &t->root;
    int         longest = n->has_value && !FAULT(8) ? 0 : -1;
    for (size_t done = 0; text[done] != '\0';) {
        const node *next = n->child;
        while (next != NULL && next->label[0] != text[done])
            next = next->sibling;
        if (next == NULL || strncmp(text + done, next->label, strlen(next->label)) != 0)
            break;
        done += strlen(next->label);
        n = next;
        if (n->has_value)
            longest = (int)done;
    }
    return longest;
}

/* The first key after the cursor's last one, into `key`. */
static const node *search(const cursor *c, const node *n, const char *before, char *key)
{
    char here[2 * LONGEST + 1];
    strcpy(here, before);
    strcat(here, n->label);
    if (n->has_value && strncmp(here, c->prefix, strlen(c->prefix)) == 0 &&
        (!c->started || strcmp(here, c->last) > 0)) {
        strcpy(key, here);
        return n;
    }
    for (const node *k = n->child; k != NULL; k = k->sibling) {
        const node *found = search(c, k, here, key);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void look_ahead(const trie *t, cursor *c)
{
    c->ahead = search(c, &t->root, "", c->ahead_key);
    c->version = t->version;
}

static cursor *cursor_open(trie *t, const char *prefix)
{
    cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort();
    c->prefix = FAULT(6) ? t->scratch : c->own;
    strcpy(c->prefix, prefix);
    look_ahead(t, c);
    return c;
}

/* The next key with the prefix, or NULL. Keys that came or went meanwhile are minded. */
static const char *cursor_next(const trie *t, cursor *c)
{
    if (c->version != t->version)
        look_ahead(t, c);
    if (c->ahead == NULL)
        return NULL;
    strcpy(c->last, c->ahead_key);
    c->started = true;
    look_ahead(t, c);
    return c->last;
}

static void cursor_close(cursor *c)
{
    free(c);
}

static void trie_clear(trie *t)
{
    free_nodes(t->root.child);
    memset(t, 0, sizeof *t);
}

/* ---- The model: the keys in order ---- */

typedef struct entry {
    char key[LONGEST + 1];
    int  value;
} entry;

typedef struct place {
    char prefix[LONGEST + 1], last[LONGEST + 1];
    bool started;
} place;

typedef struct model {
    trie  trie;
    int   count;
    entry entries[MOST_KEYS];
    place places[64]; /* of cursors */
} model;

static int index_of(const model *m, const char *key, bool *is_there)
{
    int i = 0;
    while (i < m->count && strcmp(m->entries[i].key, key) < 0)
        i++;
    *is_there = i < m->count && strcmp(m->entries[i].key, key) == 0;
    return i;
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void stop(wr_case *t, void *state)
{
    (void)t;
    trie_clear(&((model *)state)->trie);
}

/* ---- The commands ---- */

static int64_t draw_key(wr_case *t)
{
    return (int64_t)(intptr_t)wr_text_of(t, NULL, "ab", 0, LONGEST);
}

static void show_key(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", (const char *)(intptr_t)value);
}

static const wr_kind KEY = { "key", .draw = draw_key, .show = show_key };
static const wr_kind VALUE = { "value", .values = 10 };
static const wr_kind CURSOR = { "cursor", .handle = true, .type = "cursor *", .release = free };

static void do_put(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *key = wr_pointer(call, 0);
    int         value = (int)wr_value(call, 1);
    bool        is_there;
    int         at = index_of(m, key, &is_there);
    bool        fits = is_there || m->count < MOST_KEYS;
    wr_assert_eq(t, trie_put(&m->trie, key, value), fits);
    if (!fits)
        return;
    if (!is_there) {
        memmove(m->entries + at + 1, m->entries + at, (size_t)(m->count++ - at) * sizeof(entry));
        memset(&m->entries[at], 0, sizeof(entry));
        strcpy(m->entries[at].key, key);
    }
    m->entries[at].value = value;
}

static void do_get(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *key = wr_pointer(call, 0);
    bool        is_there;
    int         at = index_of(m, key, &is_there);
    int         value = -1;
    wr_assert_eq(t, trie_get(&m->trie, key, &value), is_there);
    if (is_there)
        wr_assert_eq(t, value, m->entries[at].value);
}

static void do_remove(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *key = wr_pointer(call, 0);
    bool        is_there;
    int         at = index_of(m, key, &is_there);
    wr_assert_eq(t, trie_remove(&m->trie, key), is_there);
    if (is_there) {
        memmove(m->entries + at, m->entries + at + 1, (size_t)(--m->count - at) * sizeof(entry));
        memset(&m->entries[m->count], 0, sizeof(entry));
    }
}

static void do_count(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *prefix = wr_pointer(call, 0);
    int         count = 0;
    for (int i = 0; i < m->count; i++)
        count += begins(m->entries[i].key, prefix);
    wr_assert_eq(t, trie_count(&m->trie, prefix), count);
}

static void do_longest(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *text = wr_pointer(call, 0);
    int         longest = -1;
    for (int i = 0; i < m->count; i++)
        if (begins(text, m->entries[i].key))
            longest = (int)strlen(m->entries[i].key);
    wr_assert_eq(t, trie_longest(&m->trie, text), longest);
}

static void do_open(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *prefix = wr_pointer(call, 0);
    place      *p = &m->places[wr_give(call, cursor_open(&m->trie, prefix))];
    (void)t;
    memset(p, 0, sizeof *p);
    strcpy(p->prefix, prefix);
}

static void do_next(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    place      *p = &m->places[wr_number(call, 0)];
    const char *expected = "(none)";
    for (int i = m->count - 1; i >= 0; i--) {
        const char *key = m->entries[i].key;
        if (begins(key, p->prefix) && (!p->started || strcmp(key, p->last) > 0))
            expected = key;
    }
    const char *got = cursor_next(&m->trie, wr_handle(call, 0));
    wr_assert_str_eq(t, got != NULL ? got : "(none)", expected);
    if (got != NULL) {
        p->started = true;
        memset(p->last, 0, sizeof p->last);
        strcpy(p->last, expected);
    }
}

static void do_close(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    cursor_close(wr_handle(call, 0));
    memset(&m->places[wr_number(call, 0)], 0, sizeof(place));
}

static const wr_command COMMANDS[] = {
    { "trie_put", do_put, .takes = { &KEY, &VALUE }, .weight = 4 },
    { "trie_get", do_get, .takes = { &KEY }, .weight = 2 },
    { "trie_remove", do_remove, .takes = { &KEY }, .weight = 3 },
    { "trie_count", do_count, .takes = { &KEY } },
    { "trie_longest", do_longest, .takes = { &KEY } },
    { "cursor_open", do_open, .takes = { &KEY }, .gives = &CURSOR },
    { "cursor_next", do_next, .takes = { &CURSOR }, .weight = 2 },
    { "cursor_close", do_close, .takes = { &CURSOR }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(trie_agrees_with_a_list, .commands = COMMANDS, .model_size = sizeof(model),
           .stop = stop);
