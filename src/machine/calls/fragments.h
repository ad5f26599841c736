/* machine/calls/fragments.h: what a book keeps. For book.c, plan.c and other_values.c.
 *
 * A fragment is a span of a log with all its choices, as a trace whose node 0 is the span. There
 * are three sorts: the choices that drew a value, the choices of a call besides its arguments,
 * and the frame. The frame is everything that a case drew besides its calls. Frames that differ
 * in more than settings are kept side by side.
 */
#ifndef WRI_MACHINE_CALLS_FRAGMENTS_H
#define WRI_MACHINE_CALLS_FRAGMENTS_H

#include "machine/calls/book.h"
#include "machine/calls/log.h"

typedef enum { WRI_OF_VALUE, WRI_OF_CALL, WRI_OF_FRAME } wri_book_entry_sort;

/* The state of an entry: which value do its choices draw? */
typedef enum {
    WRI_VALUE_SEEN,    /* it is the entry's value */
    WRI_VALUE_GUESSED, /* nothing: the choices were made up, and the entry has a hash of them */
    WRI_VALUE_OTHER,   /* they were run, and it is another value */
    WRI_VALUE_NONE     /* they were run, and came to none */
} wri_value_state;

typedef struct wri_book_entry {
    uint8_t   sort;
    uint8_t   kind;     /* WRI_OF_VALUE: its number, WRI_OF_CALL: the command's */
    uint8_t   state;    /* WRI_OF_VALUE: wri_value_state */
    int64_t   value;    /* WRI_OF_CALL: wri_made.drawn; WRI_OF_FRAME: wri_configuration.rest */
    int64_t   comes_to; /* WRI_VALUE_OTHER: this */
    wri_trace fragment;
} wri_book_entry;

/* A number that was drawn by one choice out of a range. */
typedef struct wri_drawn_range {
    wri_node node;
    int64_t  least;  /* what it can be, up to node.max more, */
    int64_t  offset; /* which is the choice's number and this */
} wri_drawn_range;

struct wri_book {
    const wri_machine *machine;
    wri_book_entry    *entries;
    size_t             count, room;
    uint32_t    *places; /* entries plus one by their hash; a power of two, half of them free */
    size_t       place_count;
    wri_trace    frame; /* of the case that was read last, without its calls */
    wri_sequence read;
};

/* The entry; NULL: there is none. */
wri_book_entry *wri_book_find(const wri_book *book, wri_book_entry_sort what, unsigned kind,
                              int64_t value);
/* Adds an entry whose fragment is an empty span. There must be none yet. NULL: out of memory. */
wri_book_entry *wri_book_add(wri_book *book, wri_book_entry_sort what, unsigned kind,
                             int64_t value);
/* The choices that draw a value. They were seen; or another number of the same range was seen,
 * and these choices would draw this one. NULL: not known. */
wri_book_entry *wri_book_draws(wri_book *book, unsigned kind, int64_t value);
/* Adds a node to a fragment, with this parent and this tie there. False: out of memory. */
bool wri_fragments_put_node(wri_trace *to, const wri_trace *from, const wri_node *node,
                            uint32_t parent, uint32_t tie);

/* Do arguments of this kind need an entry? The number of the others says how to draw them. */
static inline bool wri_book_keeps(const wr_kind *kind)
{
    return !kind->handle && (wri_machine_draws_kind(kind) || kind->abstract != NULL);
}

/* Is the value a number that one choice drew from a range? Its number may be that of the choice,
 * or always so much more or less; another value of the kind must confirm that. */
bool wri_book_ranged(const wri_book *book, const wri_book_entry *entry, wri_drawn_range *range);

#endif
