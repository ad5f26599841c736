/* machine/others.c: which other values an argument could have: one of few, another number in its range,
 * or what was drawn with one of its numbers changed. */
#include "machine/entries.h"

/* Values that are thought of for one argument, at most. */
#define OTHERS 32

/* One of few, in order, without the one that there is. */
static bool other_of_few(uint64_t values, int64_t now, unsigned number, int64_t *value)
{
    *value = (int64_t)number + ((int64_t)number >= now);
    return *value >= 0 && (uint64_t)*value < values;
}

/* Neighbours and ends last: what is far from them is more like any other. */
static bool other_in_range(const wri_node *node, int64_t now, unsigned number, int64_t *value)
{
    uint64_t at = (uint64_t)now - (uint64_t)node->lo, other;
    if (node->max <= OTHERS) {
        if (!other_of_few(node->max + 1, (int64_t)at, number, value))
            return false;
        *value = (int64_t)((uint64_t)*value + (uint64_t)node->lo);
        return true;
    }
    switch (number % 8) {
    case 4: other = at + 1; break;
    case 5: other = at - 1; break;
    case 6: other = number == 6 ? 0 : at + number; break;
    case 7: other = number == 7 ? node->max : at - number; break;
    default: other = wri_scale(wri_mix(at + number * WRI_GAMMA), node->max); break;
    }
    if (number >= OTHERS)
        return false;
    if (other > node->max || other == at)
        other = at > node->max / 2 ? at - 1 - number % 16 : at + 1 + number % 16;
    *value = (int64_t)(other + (uint64_t)node->lo);
    return true;
}

/* Where a change of something that was drawn can be made: never in a length, which would ask for
 * more. */
static bool next_number(wri_trace *fragment, unsigned *left, uint64_t **number, uint64_t *max)
{
    for (size_t i = 1; i < fragment->node_count; i++) {
        wri_node *node = &fragment->nodes[i];
        uint64_t  count = node->what == WRI_ARRAY ? node->count : node->what == WRI_CHOICE;
        if (count == 0 || node->max == 0 || node->kind == WRI_LENGTH ||
            node->kind == WRI_CONSTRUCTOR || node->kind == WRI_REAL)
            continue;
        if (*left < count) {
            *number = node->what == WRI_ARRAY ? &fragment->numbers[node->number + *left]
                                              : &node->number;
            *max = node->max;
            return true;
        }
        *left -= (unsigned)count;
    }
    return false;
}

/* The same with one of its numbers changed: each in turn goes one up, and is kept in the book. */
static bool other_drawn(wri_book *book, unsigned kind, int64_t now, unsigned number,
                        int64_t *value)
{
    const wri_entry *there = wri_book_find(book, WRI_OF_VALUE, kind, now);
    wri_trace    other = { 0 };
    uint64_t    *changed, max;
    if (there == NULL || number >= OTHERS || !wri_trace_copy(&other, &there->fragment))
        return false;
    bool done = next_number(&other, &number, &changed, &max);
    if (done) {
        *changed = *changed == max ? 0 : *changed + 1;
        *value = wri_drawn(&other, 1, other.node_count);
        if (wri_book_find(book, WRI_OF_VALUE, kind, *value) == NULL) {
            wri_entry *made = wri_book_add(book, WRI_OF_VALUE, kind, *value);
            done = made != NULL && wri_trace_copy(&made->fragment, &other);
        }
        done &= *value != now;
    }
    wri_trace_free(&other);
    return done;
}

/* One that was seen. */
static bool other_seen(const wri_book *book, unsigned kind, int64_t now, unsigned number,
                       int64_t *value)
{
    for (size_t i = 0; i < book->count; i++) {
        const wri_entry *there = &book->entries[i];
        if (there->sort != WRI_OF_VALUE || there->kind != kind || there->value == now)
            continue;
        *value = there->value;
        if (number-- == 0)
            return true;
    }
    return false;
}

/* The argument's kind; NULL: there is no such argument, or it is a handle. */
static const wr_kind *kind_of(const wri_book *book, const wri_sequence *sequence, size_t call,
                              unsigned argument, unsigned *number)
{
    if (call >= sequence->count)
        return NULL;
    const wri_machine_command *command =
        &book->machine->commands[sequence->calls[call].command];
    if (argument >= command->arity || command->table->takes[argument]->handle)
        return NULL;
    *number = command->kinds[argument];
    return command->table->takes[argument];
}

/* The number's own range, if it is one. */
static const wri_node *range_of(wri_book *book, unsigned kind, int64_t value)
{
    const wri_entry *there = wri_book_draws(book, kind, value);
    return there == NULL ? NULL : wri_ranged(&there->fragment);
}

bool wri_book_other(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    unsigned number, int64_t *value)
{
    unsigned       of;
    const wr_kind *kind = kind_of(book, sequence, call, argument, &of);
    if (kind == NULL)
        return false;
    int64_t now = sequence->calls[call].arguments[argument];
    if (kind->abstract != NULL)
        return other_seen(book, of, now, number, value);
    if (kind->draw == NULL)
        return other_of_few(kind->values, now, number, value);
    const wri_node *range = range_of(book, of, now);
    return range != NULL ? other_in_range(range, now, number, value)
                         : other_drawn(book, of, now, number, value);
}

bool wri_book_some(wri_book *book, const wr_kind *kind, unsigned number, int64_t *value)
{
    const wri_entry *last = NULL;
    for (size_t i = 0; i < book->count; i++) {
        const wri_entry *there = &book->entries[i];
        if (there->sort != WRI_OF_VALUE || book->machine->values[there->kind].table != kind)
            continue;
        last = there;
        *value = there->value;
        if (number-- == 0)
            return true;
    }
    bool            known = last != NULL && kind->abstract == NULL;
    const wri_node *range = known ? wri_ranged(&last->fragment) : NULL;
    return range != NULL && other_in_range(range, last->value, number, value);
}

bool wri_book_range(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    int64_t *least, int64_t *most)
{
    unsigned        of;
    const wr_kind  *kind = kind_of(book, sequence, call, argument, &of);
    const wri_node *range = NULL;
    if (kind == NULL || kind->symmetric || kind->abstract != NULL)
        return false;
    *least = 0;
    if (kind->draw == NULL) {
        *most = (int64_t)kind->values - 1;
        return true;
    }
    range = range_of(book, of, sequence->calls[call].arguments[argument]);
    if (range == NULL)
        return false;
    *least = range->lo;
    *most = (int64_t)((uint64_t)range->lo + range->max);
    return *most >= *least; /* and not one of unsigned numbers */
}
