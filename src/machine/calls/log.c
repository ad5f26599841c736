/* machine/calls/log.c: reads the calls out of the log of a case: see log.h. */
#include "machine/calls/log.h"

#include "core/hash.h"

bool wri_log_find_calls(const wri_trace *trace, uint32_t *length, uint32_t *loop)
{
    for (size_t i = 1; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_LOOP && node->label == WRI_CALL_LABEL && node->parent == 0 &&
            node->tie != WRI_NO_NODE) {
            *loop = (uint32_t)i;
            *length = node->tie;
            return true;
        }
    }
    return false;
}

void wri_log_end_at_last_call(wri_trace *trace)
{
    uint32_t length, loop;
    uint64_t made = 0;
    if (!wri_log_find_calls(trace, &length, &loop))
        return;
    for (size_t i = loop + 1; i < trace->node_count; i++)
        made += trace->nodes[i].parent == loop && trace->nodes[i].what == WRI_ELEMENT;
    if (made > trace->nodes[length].number)
        return; /* its length was overwritten */
    trace->nodes[length].number = made;
    trace->nodes[loop].count = made;
}

/* ---- What was drawn ---- */

int64_t wri_log_choice_value(const wri_node *node)
{
    if (node->kind == WRI_INTEGER)
        return wri_choice_integer_value(node->number, node->lo, node->max);
    if (node->kind == WRI_LENGTH)
        return (int64_t)(node->number + (uint64_t)node->lo);
    return (int64_t)node->number;
}

static uint64_t hash_node(uint64_t hash, const wri_trace *trace, const wri_node *node)
{
    if (node->what == WRI_CHOICE)
        return wri_hash_step(hash, node->number);
    hash = wri_hash_step(hash, node->count);
    for (uint64_t i = 0; i < node->count; i++)
        hash = wri_hash_step(hash, trace->numbers[node->number + i]);
    return hash;
}

int64_t wri_log_drawn_choices(const wri_trace *trace, size_t from, size_t to)
{
    uint64_t hash = to - from;
    for (size_t i = from; i < to; i++)
        if (trace->nodes[i].what >= WRI_CHOICE)
            hash = hash_node(hash, trace, &trace->nodes[i]);
    return wri_made_opaque(hash);
}

int64_t wri_log_drawn(const wri_trace *trace, size_t from, size_t to, int64_t value)
{
    bool one = to - from == 1 && trace->nodes[from].what == WRI_CHOICE;
    if (!wri_made_may_be_pointer(value) ||
        (one && wri_log_choice_value(&trace->nodes[from]) == value))
        return value;
    return wri_log_drawn_choices(trace, from, to);
}

/* ---- Calls ---- */

/* The call that is being read. */
typedef struct reading {
    const wri_machine *machine;
    wri_sequence      *sequence;
    uint32_t           element;
    unsigned           read; /* the command and its arguments: how many of them were there */
    uint32_t           more; /* the first node that its function drew; WRI_NO_NODE: none */
} reading;

static void end_call(reading *now, const wri_trace *trace)
{
    now->sequence->calls[now->sequence->count++].kept = (uint8_t)trace->nodes[now->element].count;
}

static bool complete(const reading *now)
{
    const wri_made *call = &now->sequence->calls[now->sequence->count];
    return now->read > 0 && now->read - 1 == now->machine->commands[call->command].arity;
}

/* Nothing of the call comes from this node on. */
static void end_drawn(reading *now, const wri_trace *trace, uint32_t at)
{
    if (now->more != WRI_NO_NODE)
        now->sequence->calls[now->sequence->count].drawn =
            wri_log_drawn_choices(trace, now->more, at);
    now->more = WRI_NO_NODE;
}

/* One that was not drawn to its end was not made: that is so of the last one at most. */
static bool begin_call(reading *now, const wri_trace *trace, uint32_t element)
{
    end_drawn(now, trace, element);
    if (now->element != WRI_NO_NODE && !complete(now))
        return false;
    if (now->element != WRI_NO_NODE)
        end_call(now, trace);
    now->element = element;
    now->read = 0;
    return wri_sequence_reserve(now->sequence, now->sequence->count + 1);
}

static bool read_command(reading *now, const wri_node *node)
{
    if (node->what != WRI_CHOICE || node->kind != WRI_COMMAND ||
        node->number >= now->machine->command_count)
        return false;
    now->sequence->calls[now->sequence->count] = (wri_made){ .command = (uint8_t)node->number };
    return true;
}

/* A handle was given by a call before, and is of the kind that is taken. */
static bool read_argument(reading *now, const wri_node *node, unsigned argument)
{
    const wri_sequence *before = now->sequence;
    wri_made           *call = &before->calls[before->count];
    const wr_kind      *kind = wri_made_kind(now->machine, call, argument);
    bool                drawn = wri_machine_draws_kind(kind);
    unsigned            what = drawn ? WRI_SPAN : WRI_CHOICE;
    unsigned            sort = kind->handle ? WRI_HANDLE : drawn ? 0 : WRI_INDEX;
    if (node->what != what || (what == WRI_CHOICE && node->kind != sort))
        return false;
    call->arguments[argument] = (int64_t)node->count;
    return !kind->handle || (node->count < before->count &&
                             wri_made_gives(now->machine, &before->calls[node->count]) == kind);
}

static bool read_part(reading *now, const wri_trace *trace, uint32_t number)
{
    const wri_node *node = &trace->nodes[number];
    unsigned        at = now->read;
    if (at > 0 && complete(now) && now->more == WRI_NO_NODE)
        now->more = number;
    if (at == 0 ? !read_command(now, node) : !complete(now) && !read_argument(now, node, at - 1))
        return false;
    now->read += at == 0 || !complete(now);
    return true;
}

bool wri_sequence_read(const wri_machine *machine, const wri_trace *trace, wri_sequence *sequence)
{
    uint32_t length, loop;
    reading  now = {
         .machine = machine, .sequence = sequence, .element = WRI_NO_NODE, .more = WRI_NO_NODE
    };
    sequence->count = 0;
    if (!wri_log_find_calls(trace, &length, &loop))
        return false;
    wri_configuration_read(trace, length, &sequence->settings);
    for (uint32_t i = loop + 1; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->parent == loop && node->what == WRI_ELEMENT) {
            if (!begin_call(&now, trace, i))
                return false;
        } else if (node->parent < loop) { /* after the last call */
            end_drawn(&now, trace, i);
        } else if (node->parent == now.element && !read_part(&now, trace, i)) {
            return false;
        }
    }
    end_drawn(&now, trace, (uint32_t)trace->node_count);
    if (now.element != WRI_NO_NODE && complete(&now))
        end_call(&now, trace);
    return true;
}
