/* machine/book.c: see book.h.
 *
 * A fragment is a span of a log with all that was chosen in it, as a trace whose node 0 is the span.
 * Three sorts are kept: of a value, what drew it; of a call, what it drew besides its arguments,
 * by its command and values; and what the case drew besides its calls. A plan is put together from
 * them.
 */
#include "machine/book.h"

#include <stdlib.h>
#include <string.h>

#include "machine/log.h"

/* Other values that are thought of for one argument, at most. */
#define OTHERS 32

typedef enum { OF_VALUE, OF_CALL } sort;

typedef struct entry {
    uint8_t   sort;
    uint8_t   kind;  /* OF_VALUE: its number, OF_CALL: the command's */
    int64_t   value; /* OF_CALL: a hash of its values */
    wri_trace fragment;
} entry;

struct wri_book {
    const wri_machine *machine;
    entry             *entries;
    size_t             count, room;
    uint32_t          *places; /* entries plus one by their hash; a power of two, half of them free */
    size_t             place_count;
    wri_trace          frame;  /* of the case that was read last, without its calls */
    uint32_t           length; /* in it: how many calls there are, */
    uint32_t           loop;   /* and where they were */
    wri_sequence       read;
};

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
    free(book->read.calls);
    free(book);
}

/* ---- Entries ---- */

static size_t place_of(const wri_book *book, sort what, unsigned kind, int64_t value)
{
    uint64_t hash = wri_hash_step((uint64_t)what << 8 | kind, (uint64_t)value);
    size_t   at = hash & (book->place_count - 1);
    for (; book->places[at] != 0; at = (at + 1) & (book->place_count - 1)) {
        const entry *there = &book->entries[book->places[at] - 1];
        if (there->sort == what && there->kind == kind && there->value == value)
            break;
    }
    return at;
}

static entry *find(const wri_book *book, sort what, unsigned kind, int64_t value)
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
        const entry *there = &book->entries[i];
        places[place_of(book, (sort)there->sort, there->kind, there->value)] = (uint32_t)i + 1;
    }
    return true;
}

/* An empty one, of a span alone, where there is none yet. NULL: out of memory. */
static entry *add(wri_book *book, sort what, unsigned kind, int64_t value)
{
    entry made = { .sort = (uint8_t)what, .kind = (uint8_t)kind, .value = value };
    if (book->count == book->room) {
        size_t room = book->room * 2 + 64;
        entry *grown = realloc(book->entries, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        book->entries = grown;
        book->room = room;
    }
    if (book->count >= book->place_count / 2 && !more_places(book))
        return NULL;
    if (!wri_trace_reserve(&made.fragment, 1, 0))
        return NULL;
    made.fragment.nodes[made.fragment.node_count++] =
        (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    book->places[place_of(book, what, kind, value)] = (uint32_t)book->count + 1;
    book->entries[book->count] = made;
    return &book->entries[book->count++];
}

/* What a call is known by that draws something by itself: its handles do not matter. */
static int64_t hash_of_values(const wri_book *book, const wri_made *call)
{
    const wri_machine_command *command = &book->machine->commands[call->command];
    uint64_t                   hash = command->arity;
    for (unsigned i = 0; i < command->arity; i++)
        if (!command->table->takes[i]->handle)
            hash = wri_hash_step(hash, (uint64_t)call->arguments[i]);
    return (int64_t)hash;
}

/* ---- Fragments ---- */

/* Adds a node to a fragment; its parent there, and what its tie is there. False: out of memory. */
static bool put_node(wri_trace *to, const wri_trace *from, const wri_node *node, uint32_t parent,
                     uint32_t tie)
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

/* All of a fragment but its span, under a node of a plan. */
static bool put_fragment(wri_trace *to, const wri_trace *fragment, uint32_t under)
{
    uint32_t first = (uint32_t)to->node_count;
    for (size_t i = 1; i < fragment->node_count; i++) {
        const wri_node *node = &fragment->nodes[i];
        uint32_t        parent = node->parent == 0 ? under : first + node->parent - 1;
        uint32_t        tie = node->tie == WRI_NO_NODE ? WRI_NO_NODE : first + node->tie - 1;
        if (!put_node(to, fragment, node, parent, tie))
            return false;
    }
    return true;
}

/* ---- Reading ---- */

/* Of each node of the log that is read: the fragment it goes to, and where it stands there. */
#define NOBODY SIZE_MAX
#define FRAME (SIZE_MAX - 1)

typedef struct owner {
    size_t   entry; /* its number, or one of the above */
    uint32_t place;
} owner;

typedef struct reading {
    wri_book        *book;
    const wri_trace *trace;
    owner           *owners;
    uint32_t         loop;
    uint32_t         element;  /* of the call, */
    size_t           call;     /* which is this one */
    unsigned         parts;    /* of it, the command and its arguments: how many were there */
} reading;

static wri_trace *fragment_of(wri_book *book, size_t number)
{
    return number == FRAME ? &book->frame : &book->entries[number].fragment;
}

/* A new span to be kept, if that was not seen before. */
static bool begin_entry(reading *now, uint32_t node, sort what, unsigned kind, int64_t value)
{
    now->owners[node] = (owner){ .entry = NOBODY };
    if (find(now->book, what, kind, value) != NULL)
        return true;
    if (add(now->book, what, kind, value) == NULL)
        return false;
    now->owners[node] = (owner){ .entry = now->book->count - 1 };
    return true;
}

/* A node goes where its parent is. */
static bool follow_parent(reading *now, uint32_t at)
{
    const wri_node *node = &now->trace->nodes[at];
    owner           up = now->owners[node->parent];
    now->owners[at] = (owner){ .entry = NOBODY };
    if (up.entry == NOBODY)
        return true;
    wri_trace *to = fragment_of(now->book, up.entry);
    bool tied = node->tie != WRI_NO_NODE && now->owners[node->tie].entry == up.entry;
    now->owners[at] = (owner){ .entry = up.entry, .place = (uint32_t)to->node_count };
    return put_node(to, now->trace, node, up.place,
                    tied ? now->owners[node->tie].place : WRI_NO_NODE);
}

/* Does an argument need a place in the book? What it is says how to draw most of them. */
static bool is_kept(const wr_kind *kind)
{
    return !kind->handle && (kind->draw != NULL || kind->abstract != NULL);
}

/* A choice is kept in a span of its own. */
static bool keep_argument(reading *now, uint32_t at, unsigned argument)
{
    const wri_made            *call = &now->book->read.calls[now->call];
    const wri_machine_command *command = &now->book->machine->commands[call->command];
    const wr_kind             *kind = command->table->takes[argument];
    now->owners[at] = (owner){ .entry = NOBODY };
    if (!is_kept(kind))
        return true;
    if (!begin_entry(now, at, OF_VALUE, command->kinds[argument], call->arguments[argument]))
        return false;
    size_t number = now->owners[at].entry;
    if (number == NOBODY || kind->draw != NULL)
        return true;
    return put_node(fragment_of(now->book, number), now->trace, &now->trace->nodes[at], 0,
                    WRI_NO_NODE);
}

static bool begin_call(reading *now, uint32_t at, bool first)
{
    now->element = at;
    now->parts = 0;
    now->call += !first;
    now->owners[at] = (owner){ .entry = NOBODY };
    if (now->call >= now->book->read.count) /* it was not drawn to its end */
        return true;
    const wri_made *call = &now->book->read.calls[now->call];
    return begin_entry(now, at, OF_CALL, call->command, hash_of_values(now->book, call));
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
    now->owners[at] = (owner){ .entry = NOBODY };
    return part == 0 || keep_argument(now, at, part - 1);
}

/* The frame begins anew with each log; the loop itself is in it, with nothing in it. */
static bool read_nodes(reading *now, uint32_t length)
{
    wri_book *book = now->book;
    book->frame.node_count = book->frame.number_count = 0;
    if (!put_node(&book->frame, now->trace, &now->trace->nodes[0], WRI_NO_NODE, WRI_NO_NODE))
        return false;
    now->owners[0] = (owner){ .entry = FRAME };
    for (uint32_t i = 1; i < now->trace->node_count; i++)
        if (!read_node(now, i))
            return false;
    book->length = now->owners[length].place;
    book->loop = now->owners[now->loop].place;
    return true;
}

bool wri_book_read(wri_book *book, const wri_trace *trace)
{
    reading  now = { .book = book, .trace = trace, .element = WRI_NO_NODE };
    uint32_t length;
    if (!wri_find_calls(trace, &length, &now.loop) ||
        !wri_sequence_read(book->machine, trace, &book->read))
        return false;
    now.owners = calloc(trace->node_count, sizeof *now.owners);
    bool done = now.owners != NULL && trace->nodes[length].parent == 0 && read_nodes(&now, length);
    free(now.owners);
    if (!done)
        book->frame.node_count = 0;
    return done;
}

/* ---- Planning ---- */

/* The numbers of handles are those that a case will give them (machine/play.c), if all calls
 * give what they can. */
typedef struct giving {
    uint64_t live;
    uint32_t count, last;
} giving;

typedef struct planning {
    wri_book           *book;
    const wri_sequence *sequence;
    wri_trace          *plan;
    uint8_t            *numbers; /* of what each call gives */
    giving              given[64];
} planning;

static void give(planning *now, size_t call)
{
    const wri_machine_command *command =
        &now->book->machine->commands[now->sequence->calls[call].command];
    giving  *all = &now->given[command->gives];
    uint32_t number = all->count;
    if (number >= WRI_HANDLES)
        for (number = all->last; all->live != UINT64_MAX && (all->live >> number & 1) != 0;)
            number = (number + 1) % WRI_HANDLES;
    all->last = number;
    all->count += all->count < WRI_HANDLES;
    all->live |= UINT64_C(1) << number;
    now->numbers[call] = (uint8_t)number;
}

static void consume(planning *now, const wri_machine_command *command, const wri_made *call)
{
    for (uint32_t left = command->table->consumes; left != 0; left &= left - 1) {
        unsigned argument = (unsigned)__builtin_ctz(left);
        now->given[command->kinds[argument]].live &=
            ~(UINT64_C(1) << now->numbers[call->arguments[argument]]);
    }
}

static bool put_choice(planning *now, wri_kind kind, const char *name, uint64_t number,
                       uint64_t max, uint32_t parent)
{
    wri_node node = { .what = WRI_CHOICE, .kind = (uint8_t)kind, .label = wri_label_hash(name),
                      .number = number, .max = max };
    return number <= max && put_node(now->plan, NULL, &node, parent, WRI_NO_NODE);
}

static bool put_handle(planning *now, const wri_machine_command *command, unsigned argument,
                       int64_t giver, size_t call, uint32_t parent)
{
    if (giver < 0 || (size_t)giver >= call)
        return false;
    const wri_machine_command *by =
        &now->book->machine->commands[now->sequence->calls[giver].command];
    return by->giving && by->gives == command->kinds[argument] &&
           put_choice(now, WRI_HANDLE, command->table->takes[argument]->name,
                      now->numbers[giver], WRI_HANDLES - 1, parent);
}

/* The only choice of a fragment, if it is a number out of a range; NULL: it is not. */
static const wri_node *ranged(const wri_trace *fragment)
{
    const wri_node *node = &fragment->nodes[1];
    bool alone = fragment->node_count == 2 && node->what == WRI_CHOICE;
    return alone && (node->kind == WRI_INTEGER || node->kind == WRI_LENGTH) ? node : NULL;
}

static bool in_range(const wri_node *node, int64_t value)
{
    uint64_t above = (uint64_t)value - (uint64_t)node->lo;
    return value >= node->lo && above <= node->max;
}

/* What draws a value that was not seen: a number from a range of which another one was. NULL: none
 * does. */
static entry *make_up(wri_book *book, unsigned kind, int64_t value)
{
    if (book->machine->values[kind].table->abstract != NULL)
        return NULL;
    for (size_t i = 0; i < book->count; i++) {
        const wri_node *node =
            book->entries[i].sort == OF_VALUE && book->entries[i].kind == kind
                ? ranged(&book->entries[i].fragment) : NULL;
        if (node == NULL || !in_range(node, value))
            continue;
        wri_node other = *node;
        other.number = node->kind == WRI_INTEGER
                           ? wri_integer_number(value, node->lo, node->max)
                           : (uint64_t)value - (uint64_t)node->lo;
        entry *made = add(book, OF_VALUE, kind, value);
        return made != NULL && put_node(&made->fragment, NULL, &other, 0, WRI_NO_NODE) ? made
                                                                                      : NULL;
    }
    return NULL;
}

static bool put_kept(planning *now, unsigned kind, int64_t value, uint32_t parent)
{
    const wri_machine_kind *known = &now->book->machine->values[kind];
    const entry            *there = find(now->book, OF_VALUE, kind, value);
    if (there == NULL)
        there = make_up(now->book, kind, value);
    if (there == NULL)
        return false;
    if (known->table->draw == NULL)
        return put_fragment(now->plan, &there->fragment, parent);
    wri_node span = { .what = WRI_SPAN, .label = known->label };
    return put_node(now->plan, NULL, &span, parent, WRI_NO_NODE) &&
           put_fragment(now->plan, &there->fragment, (uint32_t)now->plan->node_count - 1);
}

static bool put_argument(planning *now, size_t at, unsigned argument, uint32_t parent)
{
    const wri_made            *call = &now->sequence->calls[at];
    const wri_machine_command *command = &now->book->machine->commands[call->command];
    const wr_kind             *kind = command->table->takes[argument];
    int64_t                    value = call->arguments[argument];
    if (kind->handle)
        return put_handle(now, command, argument, value, at, parent);
    if (is_kept(kind))
        return put_kept(now, command->kinds[argument], value, parent);
    return value >= 0 &&
           put_choice(now, WRI_INDEX, kind->name, (uint64_t)value, kind->values - 1, parent);
}

static bool put_call(planning *now, size_t at)
{
    const wri_machine         *machine = now->book->machine;
    const wri_made            *call = &now->sequence->calls[at];
    const wri_machine_command *command = &machine->commands[call->command];
    wri_node element = { .what = WRI_ELEMENT, .label = WRI_CALL_LABEL };
    if (command->giving)
        element.number = machine->handles[command->gives].label;
    if (!put_node(now->plan, NULL, &element, now->book->loop, WRI_NO_NODE))
        return false;
    uint32_t node = (uint32_t)now->plan->node_count - 1;
    if (!put_choice(now, WRI_COMMAND, WRI_COMMAND_NAME, call->command, machine->command_count - 1, node))
        return false;
    for (unsigned i = 0; i < command->arity; i++)
        if (!put_argument(now, at, i, node))
            return false;
    if (command->giving)
        give(now, at);
    consume(now, command, call);
    const entry *besides = find(now->book, OF_CALL, call->command, hash_of_values(now->book, call));
    return besides == NULL || put_fragment(now->plan, &besides->fragment, node);
}

bool wri_book_plan(wri_book *book, const wri_sequence *sequence, unsigned extra, wri_trace *plan)
{
    planning now = { .book = book, .sequence = sequence, .plan = plan };
    size_t   rounds = sequence->count + (extra != 0);
    if (book->frame.node_count == 0 || !wri_trace_copy(plan, &book->frame) ||
        rounds > plan->nodes[book->length].max)
        return false;
    plan->nodes[book->length].number = plan->nodes[book->loop].count = rounds;
    now.numbers = calloc(sequence->count + 1, 1);
    bool done = now.numbers != NULL;
    for (size_t i = 0; done && i < sequence->count; i++)
        done = put_call(&now, i);
    free(now.numbers);
    return done;
}

/* ---- Other values ---- */

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
    const entry *there = find(book, OF_VALUE, kind, now);
    wri_trace    other = { 0 };
    uint64_t    *changed, max;
    if (there == NULL || number >= OTHERS || !wri_trace_copy(&other, &there->fragment))
        return false;
    bool done = next_number(&other, &number, &changed, &max);
    if (done) {
        *changed = *changed == max ? 0 : *changed + 1;
        *value = wri_drawn(&other, 1, other.node_count);
        if (find(book, OF_VALUE, kind, *value) == NULL) {
            entry *made = add(book, OF_VALUE, kind, *value);
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
        const entry *there = &book->entries[i];
        if (there->sort != OF_VALUE || there->kind != kind || there->value == now)
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
    const entry *there = find(book, OF_VALUE, kind, value);
    if (there == NULL)
        there = make_up(book, kind, value);
    return there == NULL ? NULL : ranged(&there->fragment);
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
    const entry *last = NULL;
    for (size_t i = 0; i < book->count; i++) {
        const entry *there = &book->entries[i];
        if (there->sort != OF_VALUE || book->machine->values[there->kind].table != kind)
            continue;
        last = there;
        *value = there->value;
        if (number-- == 0)
            return true;
    }
    const wri_node *range = last == NULL || kind->abstract != NULL ? NULL : ranged(&last->fragment);
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
