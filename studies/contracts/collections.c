/* studies/contracts/collections.c: see collections.h. */
#include "collections.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a function has forgotten to ask. */
#ifdef REPAIRED
static const bool repaired = true;
#define FORGETS(bad, ...)                                                                        \
    do {                                                                                         \
        if (bad)                                                                                 \
            return __VA_ARGS__;                                                                  \
    } while (0)
#else
static const bool repaired = false;
#define FORGETS(bad, ...) ((void)(bad))
#endif

#define MOST 64

/* Everything starts with the pointer to what it gets later, if it gets anything. */
typedef struct thing {
    void *body;
} thing;

static void *zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static uint64_t mix(uint64_t hash, uint64_t next)
{
    return (hash ^ next) * UINT64_C(0x100000001b3);
}

void thing_free(void *one)
{
    free(((thing *)one)->body);
    free(one);
}

/* ---- Lists ---- */

typedef struct list_body {
    int   *items; /* NULL: cleared */
    size_t count;
    int    room[MOST + 1];
} list_body;

struct list {
    list_body *body;
};

list *list_new(void)
{
    return zeroed(sizeof(list));
}

void list_init(list *l)
{
    if (l->body != NULL)
        return;
    l->body = zeroed(sizeof *l->body);
    l->body->items = l->body->room;
}

void list_add(list *l, int item)
{
    if (l->body == NULL || l->body->count == MOST)
        return;
    l->body->items = l->body->room;
    l->body->items[l->body->count++] = item;
}

int list_last(const list *l)
{
    FORGETS(l->body == NULL, -1);
    return l->body->count == 0 ? -1 : l->body->items[l->body->count - 1];
}

void list_remove_last(list *l)
{
    FORGETS(l->body == NULL, );
    if (l->body->count > 0)
        l->body->count--;
}

void list_reverse(list *l)
{
    FORGETS(l->body == NULL, );
    for (size_t i = 0, j = l->body->count; i + 1 < j; i++) {
        int item = l->body->items[i];
        l->body->items[i] = l->body->items[--j];
        l->body->items[j] = item;
    }
}

bool list_contains(const list *l, int item)
{
    FORGETS(l->body == NULL, false);
    for (size_t i = 0; i < l->body->count; i++)
        if (l->body->items[i] == item)
            return true;
    return false;
}

void list_clear(list *l)
{
    if (l->body == NULL)
        return;
    l->body->items = NULL;
    l->body->count = 0;
}

/* The sentinel is where every search for a place ends. */
void list_sort(list *l)
{
    if (l->body == NULL)
        return;
    FORGETS(l->body->items == NULL, );
    int *items = l->body->items;
    items[l->body->count] = INT_MAX;
    for (size_t i = l->body->count; i-- > 0;) {
        int    item = items[i];
        size_t place = i;
        for (; items[place + 1] < item; place++)
            items[place] = items[place + 1];
        items[place] = item;
    }
}

static size_t list_count(const list *l)
{
    return l->body == NULL ? 0 : l->body->count;
}

bool list_equal(const void *a, const void *b)
{
    const list *one = a, *other = b;
    size_t      count = list_count(one);
    if (count != list_count(other))
        return false;
    return count == 0 ||
           memcmp(one->body->items, other->body->items, count * sizeof *one->body->items) == 0;
}

uint64_t list_hash(const void *l)
{
    const list *one = l;
    uint64_t    hash = 1;
    for (size_t i = 0; i < list_count(one); i++)
        hash = mix(hash, (uint64_t)one->body->items[i]);
    return hash;
}

/* ---- Queues ---- */

typedef struct queue_body {
    int   *ring; /* NULL: closed */
    size_t head, count;
    int    room[MOST];
} queue_body;

struct queue {
    queue_body *body;
};

queue *queue_new(void)
{
    return zeroed(sizeof(queue));
}

/* Once it was closed it stays so. */
void queue_open(queue *q)
{
    if (q->body != NULL)
        return;
    q->body = zeroed(sizeof *q->body);
    q->body->ring = q->body->room;
}

void queue_push(queue *q, int item)
{
    FORGETS(q->body == NULL, );
    if (q->body->ring != NULL && q->body->count < MOST)
        q->body->ring[(q->body->head + q->body->count++) % MOST] = item;
}

int queue_pop(queue *q)
{
    FORGETS(q->body == NULL, -1);
    if (q->body->count == 0)
        return -1;
    int item = q->body->ring[q->body->head];
    q->body->head = (q->body->head + 1) % MOST;
    q->body->count--;
    return item;
}

int queue_peek(const queue *q)
{
    FORGETS(q->body == NULL, -1);
    return q->body->count == 0 ? -1 : q->body->ring[q->body->head];
}

void queue_close(queue *q)
{
    if (q->body == NULL)
        return;
    q->body->ring = NULL;
    q->body->count = 0;
}

/* The sum of what was in it. */
int queue_drain(queue *q)
{
    if (q->body == NULL)
        return 0;
    FORGETS(q->body->ring == NULL, 0);
    int sum = q->body->ring[q->body->head];
    for (size_t i = 1; i < q->body->count; i++)
        sum += q->body->ring[(q->body->head + i) % MOST];
    q->body->count = 0;
    return sum;
}

/* ---- Maps ---- */

#define KEYS 16

typedef struct map_body {
    bool there[KEYS];
    int  values[KEYS];
} map_body;

struct map {
    map_body *body;
};

map *map_new(void)
{
    return zeroed(sizeof(map));
}

void map_init(map *m)
{
    if (m->body == NULL)
        m->body = zeroed(sizeof *m->body);
}

void map_put(map *m, int key, int value)
{
    FORGETS(m->body == NULL, );
    m->body->there[key] = true;
    m->body->values[key] = value;
}

int map_get(const map *m, int key)
{
    FORGETS(m->body == NULL, -1);
    return m->body->there[key] ? m->body->values[key] : -1;
}

void map_remove(map *m, int key)
{
    FORGETS(m->body == NULL, );
    m->body->there[key] = false;
}

int map_count(const map *m)
{
    int count = 0;
    FORGETS(m->body == NULL, 0);
    for (int i = 0; i < KEYS; i++)
        count += m->body->there[i];
    return count;
}

/* -1: it has no such key. */
static int value_at(const map *m, int key)
{
    return m->body != NULL && m->body->there[key] ? m->body->values[key] : -1;
}

bool map_equal(const void *a, const void *b)
{
    for (int i = 0; i < KEYS; i++)
        if (value_at(a, i) != value_at(b, i))
            return false;
    return true;
}

uint64_t map_hash(const void *m)
{
    uint64_t hash = 1;
    for (int i = 0; i < KEYS; i++)
        hash = mix(hash, (uint64_t)value_at(m, i));
    return hash;
}

/* ---- Iterators ---- */

typedef struct iterator_body {
    const list *over; /* NULL: finished */
    size_t      at;
} iterator_body;

struct iterator {
    iterator_body *body;
};

iterator *iterator_new(void)
{
    return zeroed(sizeof(iterator));
}

void iterator_start(iterator *i, const list *l)
{
    if (i->body == NULL)
        i->body = zeroed(sizeof *i->body);
    *i->body = (iterator_body){ .over = l };
}

int iterator_next(iterator *i)
{
    FORGETS(i->body == NULL, -1);
    const list *l = i->body->over;
    return l == NULL || i->body->at >= list_count(l) ? -1 : l->body->items[i->body->at++];
}

void iterator_rewind(iterator *i)
{
    FORGETS(i->body == NULL, );
    i->body->at = 0;
}

void iterator_skip(iterator *i, int items)
{
    FORGETS(i->body == NULL, );
    i->body->at += (size_t)items;
}

void iterator_finish(iterator *i)
{
    if (i->body != NULL)
        i->body->over = NULL;
}

int iterator_count(const iterator *i)
{
    if (i->body == NULL)
        return 0;
    FORGETS(i->body->over == NULL, 0);
    const list_body *body = i->body->over->body;
    return body == NULL ? 0 : (int)body->count;
}

/* ---- Buffers ---- */

typedef struct buffer_body {
    unsigned char *bytes; /* NULL: closed */
    size_t         length, at;
    unsigned char  room[MOST];
} buffer_body;

struct buffer {
    buffer_body *body;
};

buffer *buffer_new(void)
{
    return zeroed(sizeof(buffer));
}

/* Once it was closed it stays so. */
void buffer_open(buffer *b)
{
    if (b->body != NULL)
        return;
    b->body = zeroed(sizeof *b->body);
    b->body->bytes = b->body->room;
}

void buffer_write(buffer *b, int byte)
{
    if (b->body != NULL && b->body->bytes != NULL && b->body->length < MOST)
        b->body->bytes[b->body->length++] = (unsigned char)byte;
}

void buffer_flush(buffer *b)
{
    FORGETS(b->body == NULL, );
    b->body->at = b->body->length;
}

void buffer_truncate(buffer *b)
{
    FORGETS(b->body == NULL, );
    b->body->length = b->body->at;
}

void buffer_close(buffer *b)
{
    if (b->body == NULL)
        return;
    b->body->bytes = NULL;
    b->body->length = b->body->at = 0;
}

/* The byte that it now stands at is marked as read. */
void buffer_seek(buffer *b, int place)
{
    if (b->body == NULL)
        return;
    FORGETS(b->body->bytes == NULL, );
    b->body->at = (size_t)place < b->body->length ? (size_t)place : b->body->length;
    b->body->bytes[b->body->at % MOST] &= 0x7f;
}

/* ---- Ratios ---- */

struct ratio {
    void *body;
    int   over, under;
};

ratio *ratio_new(void)
{
    ratio *r = zeroed(sizeof *r);
    r->over = r->under = 1;
    return r;
}

void ratio_set_over(ratio *r, int over)
{
    r->over = over;
}

void ratio_set_under(ratio *r, int under)
{
    r->under = under;
}

/* Nothing over nothing is not a number, and differs from itself. */
bool ratio_equal(const void *a, const void *b)
{
    const ratio *one = a, *other = b;
    if (repaired)
        return one->over * other->under == other->over * one->under;
    return (double)one->over / one->under == (double)other->over / other->under;
}

/* ---- Words ---- */

struct word {
    void       *body;
    const char *text;
};

word *word_new(void)
{
    word *w = zeroed(sizeof *w);
    w->text = "";
    return w;
}

void word_set(word *w, const char *text)
{
    w->text = text;
}

bool word_equal(const void *a, const void *b)
{
    return strcasecmp(((const word *)a)->text, ((const word *)b)->text) == 0;
}

/* Letters are hashed as they are written. */
uint64_t word_hash(const void *w)
{
    uint64_t hash = 1;
    for (const char *at = ((const word *)w)->text; *at != '\0'; at++)
        hash = mix(hash, (unsigned char)*at | (repaired ? 0x20u : 0));
    return hash;
}

/* ---- Paths ---- */

struct path {
    void       *body;
    const char *text;
};

path *path_new(void)
{
    path *p = zeroed(sizeof *p);
    p->text = "home";
    return p;
}

void path_set(path *p, const char *text)
{
    p->text = text;
}

/* The other may be longer. */
bool path_equal(const void *a, const void *b)
{
    const char *one = ((const path *)a)->text, *other = ((const path *)b)->text;
    return repaired ? strcmp(one, other) == 0 : strncmp(one, other, strlen(one)) == 0;
}

/* ---- Bags ---- */

struct bag {
    void      *body;
    const bag *of; /* a view: of this one */
    int        amount;
};

bag *bag_new(void)
{
    return zeroed(sizeof(bag));
}

/* Views are only for looking. */
void bag_fill(bag *b, int amount)
{
    if (b->of == NULL)
        b->amount = amount;
}

bag *bag_view(const bag *b)
{
    bag *view = zeroed(sizeof *view);
    view->of = b->of != NULL ? b->of : b;
    return view;
}

static int amount_of(const bag *b)
{
    return b->of != NULL ? b->of->amount : b->amount;
}

/* A bag with something in it does not know what a view is; a view knows what a bag is. */
bool bag_equal(const void *a, const void *b)
{
    const bag *one = a, *other = b;
    int        amount = amount_of(one);
    if (amount != amount_of(other))
        return false;
    return repaired || amount == 0 || one->of != NULL || other->of == NULL;
}

/* ---- Cells ---- */

struct cell {
    void *body;
    bool  hidden;
    int   number;
};

cell *cell_new(void)
{
    return zeroed(sizeof(cell));
}

void cell_set(cell *c, int number)
{
    c->number = number;
}

void cell_hide(cell *c)
{
    c->hidden = true;
}

bool cell_equal(const void *a, const void *b)
{
    const cell *one = a, *other = b;
    if (one->hidden || other->hidden)
        return one->hidden == other->hidden;
    return one->number == other->number;
}

/* What is hidden is hashed all the same. */
uint64_t cell_hash(const void *c)
{
    const cell *one = c;
    return repaired && one->hidden ? 1 : mix(2, (uint64_t)one->number);
}
