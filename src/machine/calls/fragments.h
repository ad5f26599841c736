/* machine/calls/fragments.h: what a book is made of, for those who read a case into it and make
 * plans of it.
 *
 * A fragment is a span of a log with all that was chosen in it, as a trace whose node 0 is the
 * span. Three sorts are kept: of a value, what drew it; of a call, what it drew besides its
 * arguments, by its command and values; and what the case drew besides its calls.
 */
#ifndef WRI_MACHINE_CALLS_FRAGMENTS_H
#define WRI_MACHINE_CALLS_FRAGMENTS_H

#include "machine/calls/book.h"
#include "machine/calls/log.h"

typedef enum { WRI_OF_VALUE, WRI_OF_CALL } wri_entry_sort;

/* What is known of the value that choices come to: that it is the entry's; of choices that were
 * made up, nothing until they are run, so that the entry has a hash of them; that it is another;
 * and that it did not come to any. */
typedef enum {
    WRI_VALUE_SEEN,
    WRI_VALUE_GUESSED,
    WRI_VALUE_OTHER,
    WRI_VALUE_NONE
} wri_value_state;

typedef struct wri_entry {
    uint8_t   sort;
    uint8_t   kind;     /* WRI_OF_VALUE: its number, WRI_OF_CALL: the command's */
    uint8_t   state;    /* WRI_OF_VALUE: wri_value_state */
    int64_t   value;    /* WRI_OF_CALL: a hash of its values */
    int64_t   comes_to; /* WRI_VALUE_OTHER: this */
    wri_trace fragment;
} wri_entry;

/* A number that was drawn by one choice out of a range. */
typedef struct wri_drawn_range {
    wri_node node;
    int64_t  least;  /* what it can be, up to node.max more, */
    int64_t  offset; /* which is the choice's number and this */
} wri_drawn_range;

struct wri_book {
    const wri_machine *machine;
    wri_entry         *entries;
    size_t             count, room;
    uint32_t    *places; /* entries plus one by their hash; a power of two, half of them free */
    size_t       place_count;
    wri_trace    frame;  /* of the case that was read last, without its calls */
    uint32_t     length; /* in it: how many calls there are, */
    uint32_t     loop;   /* and where they were */
    wri_sequence read;
};

/* NULL: there is none. */
wri_entry *wri_book_find(const wri_book *book, wri_entry_sort what, unsigned kind, int64_t value);
/* An empty one, of a span alone, where there is none yet. NULL: out of memory. */
wri_entry *wri_book_add(wri_book *book, wri_entry_sort what, unsigned kind, int64_t value);
/* What draws a value: what did so, or, of a number from a range of which another one was seen,
 * what would. NULL: that is not known. */
wri_entry *wri_book_draws(wri_book *book, unsigned kind, int64_t value);
/* What a call is known by that draws something by itself: its handles do not matter. */
int64_t wri_book_hash(const wri_book *book, const wri_made *call);
/* Adds a node to a fragment; its parent there, and what its tie is there. False: out of memory.
 */
bool wri_fragments_put_node(wri_trace *to, const wri_trace *from, const wri_node *node,
                            uint32_t parent, uint32_t tie);

/* Does an argument need a place in the book? What it is says how to draw most of them. */
static inline bool wri_book_keeps(const wr_kind *kind)
{
    return !kind->handle && (kind->draw != NULL || kind->abstract != NULL);
}

/* Is the value such a number, that of its choice, or always so much more or less, as another
 * value of the kind shows? */
bool wri_book_ranged(const wri_book *book, const wri_entry *entry, wri_drawn_range *range);

#endif
