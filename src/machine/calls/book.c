/* machine/calls/book.c: reads cases into a book.
 *
 * Each node of a log goes to one fragment: that of a value, of a call, or of the frame around the
 * calls. fragments.h says what a book keeps; plan.c makes plans of it, other_values.c other
 * values. */
#include "machine/calls/book.h"

#include <stdlib.h>

#include "machine/calls/fragments.h"

wri_book *wri_book_make(const wri_machine *machine)
{
    wri_book *book = calloc(1, sizeof *book);
    if (book != NULL)
        book->machine = machine;
    return book;
}

void wri_book_free(wri_book *book)
{
    if (book == NULL)
        return;
    for (size_t i = 0; i < book->count; i++)
        wri_trace_free(&book->entries[i].fragment);
    wri_trace_free(&book->frame);
    free(book->entries);
    free(book->places);
    wri_sequence_free(&book->read);
    free(book);
}

/* For each node of the log that is read: the fragment it goes to, and its place there. */
#define NOBODY 0
#define FRAME SIZE_MAX

typedef struct owner {
    size_t   entry; /* its number plus one, or one of the above */
    uint32_t place;
} owner;

typedef struct reading {
    wri_book        *book;
    const wri_trace *trace;
    owner           *owners;
    uint32_t         loop;
    uint32_t         element; /* of the call, */
    size_t           call;    /* which is this one */
    unsigned         parts;   /* of it, the command and its arguments: how many were there */
} reading;

static wri_trace *fragment_of(wri_book *book, size_t number)
{
    return number == FRAME ? &book->frame : &book->entries[number - 1].fragment;
}

/* A new span to be kept, if that was not seen before. */
static bool begin_entry(reading *now, uint32_t node, wri_book_entry_sort what, unsigned kind,
                        int64_t value)
{
    if (wri_book_find(now->book, what, kind, value) != NULL)
        return true;
    if (wri_book_add(now->book, what, kind, value) == NULL)
        return false;
    now->owners[node].entry = now->book->count;
    return true;
}

/* A node goes where its parent is. */
static bool follow_parent(reading *now, uint32_t at)
{
    const wri_node *node = &now->trace->nodes[at];
    owner           up = now->owners[node->parent];
    if (up.entry == NOBODY)
        return true;
    wri_trace *to = fragment_of(now->book, up.entry);
    bool       tied = node->tie != WRI_NO_NODE && now->owners[node->tie].entry == up.entry;
    now->owners[at] = (owner){ .entry = up.entry, .place = (uint32_t)to->node_count };
    return wri_fragments_put_node(to, now->trace, node, up.place,
                                  tied ? now->owners[node->tie].place : WRI_NO_NODE);
}

/* A choice is kept in a span of its own. */
static bool keep_argument(reading *now, uint32_t at, unsigned argument)
{
    const wri_made            *call = &now->book->read.calls[now->call];
    const wri_machine_command *command = &now->book->machine->commands[call->command];
    const wr_kind             *kind = command->table->takes[argument];
    if (!wri_book_keeps(kind))
        return true;
    if (!begin_entry(now, at, WRI_OF_VALUE, command->kinds[argument], call->arguments[argument]))
        return false;
    size_t number = now->owners[at].entry;
    if (number == NOBODY || wri_machine_draws_kind(kind))
        return true;
    return wri_fragments_put_node(fragment_of(now->book, number), now->trace,
                                  &now->trace->nodes[at], 0, WRI_NO_NODE);
}

static bool begin_call(reading *now, uint32_t at, bool first)
{
    now->element = at;
    now->parts = 0;
    now->call += !first;
    if (now->call >= now->book->read.count) /* it was not drawn to its end */
        return true;
    const wri_made *call = &now->book->read.calls[now->call];
    return call->drawn == 0 || begin_entry(now, at, WRI_OF_CALL, call->command, call->drawn);
}

static bool read_node(reading *now, uint32_t at)
{
    const wri_node *node = &now->trace->nodes[at];
    if (node->parent == now->loop && node->what == WRI_ELEMENT)
        return begin_call(now, at, now->element == WRI_NO_NODE);
    if (node->parent != now->element || now->call >= now->book->read.count)
        return follow_parent(now, at);
    const wri_made *call = &now->book->read.calls[now->call];
    unsigned        part = now->parts++;
    if (part > now->book->machine->commands[call->command].arity)
        return follow_parent(now, at);
    return part == 0 || keep_argument(now, at, part - 1);
}

/* The frame begins anew with each log; the loop itself is in it, with nothing in it. */
static bool read_nodes(reading *now)
{
    wri_book *book = now->book;
    book->frame.node_count = book->frame.number_count = 0;
    if (!wri_fragments_put_node(&book->frame, now->trace, &now->trace->nodes[0], WRI_NO_NODE,
                                WRI_NO_NODE))
        return false;
    now->owners[0].entry = FRAME;
    for (uint32_t i = 1; i < now->trace->node_count; i++)
        if (!read_node(now, i))
            return false;
    return true;
}

/* The latest frame of these settings, if there are any, for sequences that have them. */
static bool keep_frame(wri_book *book)
{
    int64_t         rest = (int64_t)book->read.settings.rest;
    wri_book_entry *there = rest == 0 ? NULL : wri_book_find(book, WRI_OF_FRAME, 0, rest);
    if (there == NULL && rest != 0)
        there = wri_book_add(book, WRI_OF_FRAME, 0, rest);
    return rest == 0 || (there != NULL && wri_trace_copy(&there->fragment, &book->frame));
}

bool wri_book_read(wri_book *book, const wri_trace *trace)
{
    reading  now = { .book = book, .trace = trace, .element = WRI_NO_NODE };
    uint32_t length;
    if (!wri_log_find_calls(trace, &length, &now.loop) ||
        !wri_sequence_read(book->machine, trace, &book->read))
        return false;
    now.owners = calloc(trace->node_count, sizeof *now.owners);
    bool done = now.owners != NULL && trace->nodes[length].parent == 0 && read_nodes(&now) &&
                keep_frame(book);
    free(now.owners);
    if (!done)
        book->frame.node_count = 0;
    return done;
}
