/* machine/calls/other_values.c: other values that an argument could have.
 *
 * A kind with .values has the rest of its values, a number has the rest of its range. Any other
 * value is drawn again with some of its choices changed. */
#include "core/prng.h"
#include "machine/calls/fragments.h"

/* Values that are thought of for one argument, at most. */
#define OTHERS 32

/* One of few, in order, without the one that there is. */
static bool other_of_few(uint64_t values, int64_t now, unsigned number, int64_t *value)
{
    *value = (int64_t)number + ((int64_t)number >= now);
    return *value >= 0 && (uint64_t)*value < values;
}

/* Neighbours and ends last: what is far from them is more like any other. */
static bool other_in_range(const wri_drawn_range *range, int64_t now, unsigned number,
                           int64_t *value)
{
    uint64_t at = (uint64_t)now - (uint64_t)range->least, max = range->node.max, other;
    if (max <= OTHERS) {
        if (!other_of_few(max + 1, (int64_t)at, number, value))
            return false;
        *value = (int64_t)((uint64_t)*value + (uint64_t)range->least);
        return true;
    }
    switch (number % 8) {
    case 4: other = at + 1; break;
    case 5: other = at - 1; break;
    case 6: other = number == 6 ? 0 : at + number; break;
    case 7: other = number == 7 ? max : at - number; break;
    default: other = wri_prng_scale(wri_prng_mix(at + number * WRI_GAMMA), max); break;
    }
    if (number >= OTHERS)
        return false;
    if (other > max || other == at)
        other = at > max / 2 ? at - 1 - number % 16 : at + 1 + number % 16;
    *value = (int64_t)(other + (uint64_t)range->least);
    return true;
}

/* The number of changes that a drawn node allows. A length allows none: a larger one would ask
 * for more. */
static uint64_t changeable(const wri_node *node)
{
    if (node->max == 0 || node->kind == WRI_LENGTH || node->kind == WRI_CONSTRUCTOR ||
        node->kind == WRI_REAL)
        return 0;
    return node->what == WRI_ARRAY ? node->count : node->what == WRI_CHOICE;
}

static uint64_t count_changeable(const wri_trace *fragment)
{
    uint64_t count = 0;
    for (size_t i = 1; i < fragment->node_count; i++)
        count += changeable(&fragment->nodes[i]);
    return count;
}

/* Another number up to `max`, in this turn: the next, the one before, and others. */
enum { NEXT, BEFORE, FAR };

static uint64_t changed(uint64_t number, uint64_t max, uint64_t turn)
{
    uint64_t other = turn == NEXT ? (number == max ? 0 : number + 1)
                     : turn == BEFORE
                         ? (number == 0 ? max : number - 1)
                         : wri_prng_scale(wri_prng_mix(number + turn * WRI_GAMMA), max);
    return other != number ? other : number > max / 2 ? number - 1 : number + 1;
}

/* All of them at random, the first at least to another; or one of them, each in turn. */
static void change(wri_trace *fragment, uint64_t count, unsigned number)
{
    uint64_t turn = number / 2, at = 0;
    for (size_t i = 1; i < fragment->node_count; i++) {
        wri_node *node = &fragment->nodes[i];
        for (uint64_t k = 0, here = changeable(node); k < here; k++, at++) {
            uint64_t *one =
                node->what == WRI_ARRAY ? &fragment->numbers[node->number + k] : &node->number;
            if (number % 2 != 0 && at > 0)
                *one = wri_prng_scale(wri_prng_mix(*one + (at + count * number) * WRI_GAMMA),
                                      node->max);
            else if (number % 2 != 0)
                *one = changed(*one, node->max, FAR + turn);
            else if (at == turn % count)
                *one = changed(*one, node->max, turn / count);
        }
    }
}

static wri_book_entry *keep_other(wri_book *book, unsigned kind, int64_t value,
                                  wri_value_state state, const wri_trace *choices)
{
    wri_book_entry *there = wri_book_find(book, WRI_OF_VALUE, kind, value);
    if (there != NULL)
        return there;
    there = wri_book_add(book, WRI_OF_VALUE, kind, value);
    if (there == NULL || !wri_trace_copy(&there->fragment, choices))
        return NULL;
    there->state = (uint8_t)state;
    return there;
}

/* Changes one number of the drawn value, or all, and keeps the result in the book. A value that
 * is not opaque is a guess: its choices were not run yet. */
static bool other_drawn(wri_book *book, unsigned kind, int64_t now, unsigned number,
                        int64_t *value)
{
    const wri_book_entry *there = wri_book_find(book, WRI_OF_VALUE, kind, now);
    uint64_t              count = there == NULL ? 0 : count_changeable(&there->fragment);
    wri_trace             other = { 0 };
    if (count == 0 || number >= OTHERS || !wri_trace_copy(&other, &there->fragment))
        return false;
    change(&other, count, number);
    const wri_book_entry *made =
        keep_other(book, kind, wri_log_drawn_choices(&other, 1, other.node_count),
                   wri_made_is_opaque(now) ? WRI_VALUE_SEEN : WRI_VALUE_GUESSED, &other);
    wri_trace_free(&other);
    if (made == NULL)
        return false;
    *value = made->state == WRI_VALUE_OTHER  ? made->comes_to
             : made->state == WRI_VALUE_NONE ? now
                                             : made->value;
    return true;
}

bool wri_book_redraw(wri_book *book, const wri_made *call, unsigned number, int64_t *drawn)
{
    const wri_book_entry *there = wri_book_find(book, WRI_OF_CALL, call->command, call->drawn);
    uint64_t              count = there == NULL ? 0 : count_changeable(&there->fragment);
    wri_trace             other = { 0 };
    if (count == 0 || number >= OTHERS || !wri_trace_copy(&other, &there->fragment))
        return false;
    change(&other, count, number);
    *drawn = wri_log_drawn_choices(&other, 1, other.node_count);
    wri_book_entry *made = wri_book_find(book, WRI_OF_CALL, call->command, *drawn);
    if (made == NULL) {
        made = wri_book_add(book, WRI_OF_CALL, call->command, *drawn);
        made = made != NULL && wri_trace_copy(&made->fragment, &other) ? made : NULL;
    }
    wri_trace_free(&other);
    return made != NULL;
}

static wri_book_entry *guess_of(const wri_book *book, const wri_made *call, unsigned argument)
{
    unsigned        kind = book->machine->commands[call->command].kinds[argument];
    wri_book_entry *there = wri_book_find(book, WRI_OF_VALUE, kind, call->arguments[argument]);
    return there != NULL && there->state == WRI_VALUE_GUESSED ? there : NULL;
}

bool wri_book_guessed(const wri_book *book, const wri_made *call, unsigned argument)
{
    return guess_of(book, call, argument) != NULL;
}

/* One that was seen. */
static bool other_seen(const wri_book *book, unsigned kind, int64_t now, unsigned number,
                       int64_t *value)
{
    for (size_t i = 0; i < book->count; i++) {
        const wri_book_entry *there = &book->entries[i];
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
    const wri_machine_command *command = &book->machine->commands[sequence->calls[call].command];
    if (argument >= command->arity || command->table->takes[argument]->handle)
        return NULL;
    *number = command->kinds[argument];
    return command->table->takes[argument];
}

/* The number's own range, if it is one. */
static bool find_range(wri_book *book, unsigned kind, int64_t value, wri_drawn_range *range)
{
    const wri_book_entry *there = wri_book_draws(book, kind, value);
    return there != NULL && wri_book_ranged(book, there, range);
}

bool wri_book_other(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    unsigned number, int64_t *value)
{
    unsigned        of;
    wri_drawn_range range;
    const wr_kind  *kind = kind_of(book, sequence, call, argument, &of);
    if (kind == NULL)
        return false;
    int64_t now = sequence->calls[call].arguments[argument];
    if (kind->abstract != NULL)
        return other_seen(book, of, now, number, value);
    if (!wri_machine_draws_kind(kind))
        return other_of_few(kind->values, now, number, value);
    return find_range(book, of, now, &range) ? other_in_range(&range, now, number, value)
                                             : other_drawn(book, of, now, number, value);
}

bool wri_book_some(wri_book *book, const wr_kind *kind, unsigned number, int64_t *value)
{
    const wri_book_entry *last = NULL;
    wri_drawn_range       range;
    for (size_t i = 0; i < book->count; i++) {
        const wri_book_entry *there = &book->entries[i];
        if (there->sort != WRI_OF_VALUE || there->state != WRI_VALUE_SEEN ||
            book->machine->values[there->kind].table != kind)
            continue;
        last = there;
        *value = there->value;
        if (number-- == 0)
            return true;
    }
    return last != NULL && kind->abstract == NULL && wri_book_ranged(book, last, &range) &&
           other_in_range(&range, last->value, number, value);
}

/* That of a setting. */
static bool setting_range(const wri_book *book, const wri_sequence *sequence, unsigned which,
                          int64_t *least, int64_t *most)
{
    const wri_book_entry *there =
        wri_book_find(book, WRI_OF_FRAME, 0, (int64_t)sequence->settings.rest);
    uint32_t        length, loop;
    const wri_node *node = NULL;
    if (there != NULL && wri_log_find_calls(&there->fragment, &length, &loop))
        node = wri_configuration_node(&there->fragment, length, which);
    if (node != NULL)
        wri_configuration_range(node, least, most);
    return node != NULL;
}

bool wri_book_range(wri_book *book, const wri_sequence *sequence, size_t call, unsigned argument,
                    int64_t *least, int64_t *most)
{
    if (call == WRI_SETTING_CALL)
        return setting_range(book, sequence, argument, least, most);
    unsigned        of;
    const wr_kind  *kind = kind_of(book, sequence, call, argument, &of);
    wri_drawn_range range;
    if (kind == NULL || kind->symmetric || kind->abstract != NULL)
        return false;
    *least = 0;
    if (!wri_machine_draws_kind(kind)) {
        *most = (int64_t)kind->values - 1;
        return true;
    }
    if (!find_range(book, of, sequence->calls[call].arguments[argument], &range))
        return false;
    *least = range.least;
    *most = (int64_t)((uint64_t)range.least + range.node.max);
    return *most >= *least; /* and not one of unsigned numbers */
}

/* The value may have been seen before, drawn in another way. */
void wri_book_learn(wri_book *book, const wri_made *guessed, unsigned argument, bool came,
                    int64_t value)
{
    wri_book_entry *guess = guess_of(book, guessed, argument);
    wri_trace       choices = { 0 };
    if (guess == NULL)
        return;
    guess->state = (uint8_t)(!came                   ? WRI_VALUE_NONE
                             : value == guess->value ? WRI_VALUE_SEEN
                                                     : WRI_VALUE_OTHER);
    guess->comes_to = value;
    if (guess->state == WRI_VALUE_OTHER && wri_trace_copy(&choices, &guess->fragment))
        keep_other(book, guess->kind, value, WRI_VALUE_SEEN, &choices); /* may move the guess */
    wri_trace_free(&choices);
}
