/* studies/contracts/collections.h: a small library of collections and values, with 25 faults.
 *
 * Twenty are of the kind that every other call finds. Things are made empty-handed and get what
 * they need later, when they are initialised, opened or started; many functions do not look
 * whether that has happened, or whether it was undone. Five are in equality and hashing, of small
 * values, and take a few calls that belong together.
 *
 * Compiled with REPAIRED, all of them are gone. A fault is known by the function that crashes, or
 * by the contract that is broken: faults.c has the list.
 */
#ifndef CONTRACTS_COLLECTIONS_H
#define CONTRACTS_COLLECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whatever is made here, of any type, is freed so. */
void thing_free(void *thing);

/* ---- Lists, to be initialised; one that is cleared keeps nothing, not even its memory ---- */
typedef struct list list;
list               *list_new(void);
void                list_init(list *l);
void                list_add(list *l, int item);
int                 list_last(const list *l); /* here and below: -1 for nothing */
void                list_remove_last(list *l);
void                list_reverse(list *l);
bool                list_contains(const list *l, int item);
void                list_clear(list *l);
void                list_sort(list *l);
bool                list_equal(const void *a, const void *b);
uint64_t            list_hash(const void *l);

/* ---- Queues, to be opened and closed ---- */
typedef struct queue queue;
queue               *queue_new(void);
void                 queue_open(queue *q);
void                 queue_push(queue *q, int item);
int                  queue_pop(queue *q);
int                  queue_peek(const queue *q);
void                 queue_close(queue *q);
int                  queue_drain(queue *q);

/* ---- Maps, to be initialised ---- */
typedef struct map map;
map               *map_new(void);
void               map_init(map *m);
void               map_put(map *m, int key, int value);
int                map_get(const map *m, int key);
void               map_remove(map *m, int key);
int                map_count(const map *m);
bool               map_equal(const void *a, const void *b);
uint64_t           map_hash(const void *m);

/* ---- Iterators over lists, to be started and finished ---- */
typedef struct iterator iterator;
iterator               *iterator_new(void);
void                    iterator_start(iterator *i, const list *l);
int                     iterator_next(iterator *i);
void                    iterator_rewind(iterator *i);
void                    iterator_skip(iterator *i, int items);
void                    iterator_finish(iterator *i);
int                     iterator_count(const iterator *i);

/* ---- Buffers, to be opened and closed ---- */
typedef struct buffer buffer;
buffer               *buffer_new(void);
void                  buffer_open(buffer *b);
void                  buffer_write(buffer *b, int byte);
void                  buffer_flush(buffer *b);
void                  buffer_truncate(buffer *b);
void                  buffer_close(buffer *b);
void                  buffer_seek(buffer *b, int place);

/* ---- Ratios: 1/1 at first; equal by what they come to ---- */
typedef struct ratio ratio;
ratio               *ratio_new(void);
void                 ratio_set_over(ratio *r, int over);
void                 ratio_set_under(ratio *r, int under);
bool                 ratio_equal(const void *a, const void *b);

/* ---- Words: empty at first; equal whatever the case of their letters ---- */
typedef struct word word;
word               *word_new(void);
void                word_set(word *w, const char *text);
bool                word_equal(const void *a, const void *b);
uint64_t            word_hash(const void *w);

/* ---- Paths: equal if they lead to the same place ---- */
typedef struct path path;
path               *path_new(void);
void                path_set(path *p, const char *text);
bool                path_equal(const void *a, const void *b);

/* ---- Bags of one sort of thing, and views of them; equal if there is as much in them ---- */
typedef struct bag bag;
bag               *bag_new(void);
void               bag_fill(bag *b, int amount);
bag               *bag_view(const bag *b);
bool               bag_equal(const void *a, const void *b);

/* ---- Cells, which hold a number; what is hidden in them no longer tells them apart ---- */
typedef struct cell cell;
cell               *cell_new(void);
void                cell_set(cell *c, int number);
void                cell_hide(cell *c);
bool                cell_equal(const void *a, const void *b);
uint64_t            cell_hash(const void *c);

#endif
