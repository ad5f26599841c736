/* machine/calls/fragments.c: the entries of a book, found by hash. Numbers that were never drawn
 * are made from the range of a number that was. See fragments.h. */
#include "machine/calls/fragments.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"

static size_t place_of(const wri_book *book, wri_book_entry_sort what, unsigned kind,
                       int64_t value)
{
    uint64_t hash = wri_hash_step((uint64_t)what << 8 | kind, (uint64_t)value);
    size_t   at = hash & (book->place_count - 1);
    for (; book->places[at] != 0; at = (at + 1) & (book->place_count - 1)) {
        const wri_book_entry *there = &book->entries[book->places[at] - 1];
        if (there->sort == what && there->kind == kind && there->value == value)
            break;
    }
    return at;
}

wri_book_entry *wri_book_find(const wri_book *book, wri_book_entry_sort what, unsigned kind,
                              int64_t value)
{
    if (book->place_count == 0)
        return NULL;
    uint32_t there = book->places[place_of(book, what, kind, value)];
    return there == 0 ? NULL : &book->entries[there - 1];
}

static bool more_places(wri_book *book)
{
    size_t    count = book->place_count == 0 ? 256 : 2 * book->place_count;
    uint32_t *places = calloc(count, sizeof *places);
    if (places == NULL)
        return false;
    free(book->places);
    book->places = places;
    book->place_count = count;
    for (size_t i = 0; i < book->count; i++) {
        const wri_book_entry *there = &book->entries[i];
        wri_book_entry_sort   what = (wri_book_entry_sort)there->sort;
        places[place_of(book, what, there->kind, there->value)] = (uint32_t)i + 1;
    }
    return true;
}

wri_book_entry *wri_book_add(wri_book *book, wri_book_entry_sort what, unsigned kind,
                             int64_t value)
{
    wri_book_entry  made = { .sort = (uint8_t)what, .kind = (uint8_t)kind, .value = value };
    wri_book_entry *entries = wri_grow(book->entries, sizeof *entries, book->count, &book->room);
    if (entries == NULL)
        return NULL;
    book->entries = entries;
    if (book->count >= book->place_count / 2 && !more_places(book))
        return NULL;
    if (!wri_trace_reserve(&made.fragment, 1, 0))
        return NULL;
    made.fragment.nodes[made.fragment.node_count++] =
        (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    book->places[place_of(book, what, kind, value)] = (uint32_t)book->count + 1;
    entries[book->count] = made;
    return &entries[book->count++];
}

bool wri_fragments_put_node(wri_trace *to, const wri_trace *from, const wri_node *node,
                            uint32_t parent, uint32_t tie)
{
    size_t count = node->what == WRI_ARRAY ? node->count : 0;
    if (!wri_trace_reserve(to, to->node_count + 1, to->number_count + count))
        return false;
    wri_node *put = &to->nodes[to->node_count++];
    *put = *node;
    put->parent = parent;
    put->tie = tie;
    if (node->what != WRI_ARRAY)
        return true;
    put->number = to->number_count;
    if (count > 0)
        memcpy(to->numbers + to->number_count, from->numbers + node->number,
               count * sizeof *to->numbers);
    to->number_count += count;
    return true;
}

/* The only choice of a value, if it is a number out of a range; NULL: it is not. */
static const wri_node *only_choice(const wri_book_entry *entry)
{
    const wri_node *node = &entry->fragment.nodes[1];
    bool            alone = entry->fragment.node_count == 2 && node->what == WRI_CHOICE &&
                 entry->sort == WRI_OF_VALUE && entry->state == WRI_VALUE_SEEN;
    return alone && (node->kind == WRI_INTEGER || node->kind == WRI_LENGTH) ? node : NULL;
}

static int64_t offset_of(const wri_book_entry *entry, const wri_node *node)
{
    return (int64_t)((uint64_t)entry->value - (uint64_t)wri_log_choice_value(node));
}

/* It is the choice's own number, or others that were seen say so, and none says otherwise: that
 * takes a look at the whole book. */
static bool is_usual(const wri_book *book, const wri_book_entry *entry, int64_t offset)
{
    bool another = false;
    if (offset == 0)
        return true;
    for (size_t i = 0; i < book->count; i++) {
        const wri_book_entry *there = &book->entries[i];
        const wri_node       *node = there->kind == entry->kind ? only_choice(there) : NULL;
        if (node == NULL)
            continue;
        if (offset_of(there, node) != offset)
            return false;
        another |= there->value != entry->value;
    }
    return another;
}

/* The range that the value is out of, if its offset is the usual one. */
static bool read_range(const wri_book_entry *entry, wri_drawn_range *range)
{
    const wri_node *node = only_choice(entry);
    if (node == NULL || wri_made_is_opaque(entry->value))
        return false;
    int64_t offset = offset_of(entry, node);
    *range = (wri_drawn_range){ .node = *node,
                                .least = (int64_t)((uint64_t)node->lo + (uint64_t)offset),
                                .offset = offset };
    return true;
}

bool wri_book_ranged(const wri_book *book, const wri_book_entry *entry, wri_drawn_range *range)
{
    return read_range(entry, range) && is_usual(book, entry, range->offset);
}

static bool in_range(const wri_drawn_range *range, int64_t value)
{
    uint64_t above = (uint64_t)value - (uint64_t)range->least;
    return value >= range->least && above <= range->node.max;
}

/* Makes up the choices that draw this number, from a range of which another number was seen. */
static wri_book_entry *make_up(wri_book *book, unsigned kind, int64_t value)
{
    if (book->machine->values[kind].table->abstract != NULL)
        return NULL;
    for (size_t i = 0; i < book->count; i++) {
        const wri_book_entry *there = &book->entries[i];
        wri_drawn_range       range;
        if (there->kind != kind || !read_range(there, &range) || !in_range(&range, value) ||
            !is_usual(book, there, range.offset))
            continue;
        wri_node *other = &range.node;
        int64_t   choice = (int64_t)((uint64_t)value - (uint64_t)range.offset);
        other->number = other->kind == WRI_INTEGER
                            ? wri_choice_integer_number(choice, other->lo, other->max)
                            : (uint64_t)choice - (uint64_t)other->lo;
        wri_book_entry *made = wri_book_add(book, WRI_OF_VALUE, kind, value);
        bool            put =
            made != NULL && wri_fragments_put_node(&made->fragment, NULL, other, 0, WRI_NO_NODE);
        return put ? made : NULL;
    }
    return NULL;
}

wri_book_entry *wri_book_draws(wri_book *book, unsigned kind, int64_t value)
{
    wri_book_entry *there = wri_book_find(book, WRI_OF_VALUE, kind, value);
    return there != NULL ? there : make_up(book, kind, value);
}
