/* machine/calls/configuration.c: reads and writes the configuration of a case: see
 * configuration.h. */
#include "machine/calls/configuration.h"

#include "core/hash.h"
#include "machine/calls/log.h"

void wri_configuration_range(const wri_node *node, int64_t *least, int64_t *most)
{
    *least = node->kind == WRI_INDEX ? 0 : node->lo;
    *most = (int64_t)((uint64_t)*least + node->max);
}

/* A length that an array or a loop is tied to is no setting: with another one, .start would draw
 * more or less. */
static bool is_setting(const wri_trace *trace, size_t end, size_t at)
{
    const wri_node *node = &trace->nodes[at];
    int64_t         least, most;
    if (node->what != WRI_CHOICE || node->max == 0 ||
        (node->kind != WRI_INTEGER && node->kind != WRI_INDEX && node->kind != WRI_LENGTH))
        return false;
    wri_configuration_range(node, &least, &most);
    for (size_t i = at + 1; i < end; i++)
        if (trace->nodes[i].tie == at)
            return false;
    return least < most; /* and not a range of unsigned numbers that goes too far */
}

/* The next setting from `at` on, or `end`. */
static size_t next_setting(const wri_trace *trace, size_t end, size_t at)
{
    while (at < end && !is_setting(trace, end, at))
        at++;
    return at;
}

static uint64_t hash_rest(uint64_t hash, const wri_trace *trace, const wri_node *node,
                          bool listed)
{
    if (node->what < WRI_CHOICE)
        return hash;
    hash = wri_hash_step(hash, (uint64_t)node->label << 8 | node->kind);
    if (listed)
        return hash;
    if (node->what == WRI_CHOICE)
        return wri_hash_step(hash, node->number);
    hash = wri_hash_step(hash, node->count);
    for (uint64_t i = 0; i < node->count; i++)
        hash = wri_hash_step(hash, trace->numbers[node->number + i]);
    return hash;
}

static uint32_t count_label(const wri_configuration *settings, uint32_t label)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < settings->count; i++)
        count += settings->list[i].label == label;
    return count;
}

void wri_configuration_read(const wri_trace *trace, size_t end, wri_configuration *settings)
{
    size_t next = next_setting(trace, end, 1);
    *settings = (wri_configuration){ 0 };
    for (size_t i = 1; i < end; i++) {
        const wri_node *node = &trace->nodes[i];
        bool            listed = i == next && settings->count < WRI_SETTINGS;
        settings->rest = hash_rest(settings->rest, trace, node, listed);
        if (listed) {
            uint32_t number = count_label(settings, node->label);
            settings->list[settings->count++] =
                (wri_setting){ node->label, number, wri_log_choice_value(node) };
        }
        if (i == next)
            next = settings->count < WRI_SETTINGS ? next_setting(trace, end, i + 1) : end;
    }
}

bool wri_configuration_same(const wri_configuration *a, const wri_configuration *b)
{
    bool same = a->rest == b->rest && a->count == b->count;
    for (unsigned i = 0; i < a->count && same; i++)
        same = a->list[i].value == b->list[i].value;
    return same;
}

uint64_t wri_configuration_hash(const wri_configuration *settings)
{
    uint64_t hash = settings->rest == 0 ? 1 : wri_hash_step(1, settings->rest);
    for (unsigned i = 0; i < settings->count; i++)
        hash = wri_hash_step(hash, (uint64_t)settings->list[i].value);
    return hash == 0 ? 1 : hash;
}

const wri_node *wri_configuration_node(const wri_trace *trace, size_t end, unsigned which)
{
    size_t at = next_setting(trace, end, 1);
    while (which-- > 0 && at < end)
        at = next_setting(trace, end, at + 1);
    return at < end ? &trace->nodes[at] : NULL;
}

bool wri_configuration_write(const wri_configuration *settings, wri_trace *trace, size_t end)
{
    for (unsigned i = 0; i < settings->count; i++) {
        const wri_node *found = wri_configuration_node(trace, end, i);
        int64_t         least, most, value = settings->list[i].value;
        if (found == NULL || found->label != settings->list[i].label)
            return false;
        wri_configuration_range(found, &least, &most);
        if (value < least || value > most)
            return false;
        trace->nodes[found - trace->nodes].number =
            found->kind == WRI_INTEGER ? wri_choice_integer_number(value, found->lo, found->max)
                                       : (uint64_t)value - (uint64_t)least;
    }
    return true;
}
