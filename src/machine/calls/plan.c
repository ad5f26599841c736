/* machine/calls/plan.c: makes a plan for calls, out of the fragments of a book. */
#include <stdlib.h>

#include "machine/calls/fragments.h"

/* All of a fragment but its span, under a node of a plan. */
static bool put_fragment(wri_trace *to, const wri_trace *fragment, uint32_t under)
{
    uint32_t first = (uint32_t)to->node_count;
    for (size_t i = 1; i < fragment->node_count; i++) {
        const wri_node *node = &fragment->nodes[i];
        uint32_t        parent = node->parent == 0 ? under : first + node->parent - 1;
        uint32_t        tie = node->tie == WRI_NO_NODE ? WRI_NO_NODE : first + node->tie - 1;
        if (!wri_fragments_put_node(to, fragment, node, parent, tie))
            return false;
    }
    return true;
}

/* The numbers of handles are those that a case will give them, if all calls give what they can.
 */
typedef struct giving {
    uint64_t live;
    uint32_t count, last;
} giving;

typedef struct planning {
    wri_book           *book;
    const wri_sequence *sequence;
    wri_trace          *plan;
    uint8_t            *numbers; /* of what each call gives */
    giving              given[WRI_KINDS_MOST];
    uint32_t            loop;
} planning;

static void give(planning *now, size_t call)
{
    const wri_machine_command *command =
        &now->book->machine->commands[now->sequence->calls[call].command];
    giving  *all = &now->given[command->gives];
    uint32_t number = wri_machine_next_handle(all->live, all->count, all->last);
    all->last = number;
    all->count += all->count < WRI_HANDLES;
    all->live |= UINT64_C(1) << number;
    now->numbers[call] = (uint8_t)number;
}

static void consume(planning *now, const wri_machine_command *command, const wri_made *call)
{
    for (unsigned i = 0; i < command->arity; i++)
        if (wri_made_consumes(now->book->machine, call, i))
            now->given[command->kinds[i]].live &=
                ~(UINT64_C(1) << now->numbers[call->arguments[i]]);
}

static bool put_choice(planning *now, wri_kind kind, const char *name, uint64_t number,
                       uint64_t max, uint32_t parent)
{
    wri_node node = { .what = WRI_CHOICE,
                      .kind = (uint8_t)kind,
                      .label = wri_trace_label_hash(name),
                      .number = number,
                      .max = max };
    return number <= max && wri_fragments_put_node(now->plan, NULL, &node, parent, WRI_NO_NODE);
}

static bool put_handle(planning *now, const wri_machine_command *command, unsigned argument,
                       int64_t giver, size_t call, uint32_t parent)
{
    const wr_kind *kind = command->table->takes[argument];
    return giver >= 0 && (size_t)giver < call &&
           wri_made_gives(now->book->machine, &now->sequence->calls[giver]) == kind &&
           put_choice(now, WRI_HANDLE, kind->name, now->numbers[giver], WRI_HANDLES - 1, parent);
}

static bool put_kept(planning *now, unsigned kind, int64_t value, uint32_t parent)
{
    const wri_machine_kind *known = &now->book->machine->values[kind];
    const wri_book_entry   *there = wri_book_draws(now->book, kind, value);
    if (there == NULL)
        return false;
    if (!wri_machine_draws_kind(known->table))
        return put_fragment(now->plan, &there->fragment, parent);
    wri_node span = { .what = WRI_SPAN, .label = known->label };
    return wri_fragments_put_node(now->plan, NULL, &span, parent, WRI_NO_NODE) &&
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
    if (wri_book_keeps(kind))
        return put_kept(now, command->kinds[argument], value, parent);
    return value >= 0 &&
           put_choice(now, WRI_INDEX, kind->name, (uint64_t)value, kind->values - 1, parent);
}

static bool put_call(planning *now, size_t at)
{
    const wri_machine         *machine = now->book->machine;
    const wri_made            *call = &now->sequence->calls[at];
    const wri_machine_command *command = &machine->commands[call->command];
    wri_node                   element = { .what = WRI_ELEMENT, .label = WRI_CALL_LABEL };
    if (command->giving)
        element.number = machine->handles[command->gives].label;
    if (!wri_fragments_put_node(now->plan, NULL, &element, now->loop, WRI_NO_NODE))
        return false;
    uint32_t node = (uint32_t)now->plan->node_count - 1;
    if (!put_choice(now, WRI_COMMAND, WRI_COMMAND_NAME, call->command, machine->command_count - 1,
                    node))
        return false;
    for (unsigned i = 0; i < command->arity; i++)
        if (!put_argument(now, at, i, node))
            return false;
    if (command->giving)
        give(now, at);
    consume(now, command, call);
    if (call->drawn == 0)
        return true;
    const wri_book_entry *besides =
        wri_book_find(now->book, WRI_OF_CALL, call->command, call->drawn);
    return besides != NULL && put_fragment(now->plan, &besides->fragment, node);
}

/* The frame with the settings of the sequence; without settings, the last that was read. NULL:
 * there is none. */
static const wri_trace *find_frame(const wri_book *book, const wri_sequence *sequence)
{
    int64_t rest = (int64_t)sequence->settings.rest;
    if (rest == 0)
        return book->frame.node_count == 0 ? NULL : &book->frame;
    const wri_book_entry *there = wri_book_find(book, WRI_OF_FRAME, 0, rest);
    return there == NULL ? NULL : &there->fragment;
}

static bool put_frame(const planning *now, uint32_t *length, uint32_t *loop)
{
    const wri_trace *frame = find_frame(now->book, now->sequence);
    return frame != NULL && wri_trace_copy(now->plan, frame) &&
           wri_log_find_calls(now->plan, length, loop) &&
           wri_configuration_write(&now->sequence->settings, now->plan, *length);
}

bool wri_book_plan(wri_book *book, const wri_sequence *sequence, size_t more, wri_trace *plan)
{
    planning now = { .book = book, .sequence = sequence, .plan = plan };
    size_t   rounds = sequence->count + more;
    uint32_t length;
    if (!put_frame(&now, &length, &now.loop) || rounds > plan->nodes[length].max)
        return false;
    plan->nodes[length].number = plan->nodes[now.loop].count = rounds;
    now.numbers = calloc(sequence->count + 1, 1);
    bool done = now.numbers != NULL;
    for (size_t i = 0; done && i < sequence->count; i++)
        done = put_call(&now, i);
    free(now.numbers);
    return done;
}
