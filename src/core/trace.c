/* core/trace.c: counts, checks and copies traces, and hashes labels. */
#include "core/trace.h"

#include "core/hash.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

size_t wri_trace_choices(const wri_trace *trace)
{
    size_t choices = 0;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_CHOICE)
            choices += node->max > 0;
        else if (node->what == WRI_ARRAY)
            choices += node->count;
    }
    return choices;
}

static bool node_valid(const wri_trace *trace, size_t index)
{
    const wri_node *node = &trace->nodes[index];
    if (node->what > WRI_ARRAY || node->kind > WRI_HANDLE)
        return false;
    if (index == 0)
        return node->what == WRI_SPAN && node->parent == WRI_NO_NODE;
    if (node->parent >= index || trace->nodes[node->parent].what > WRI_ELEMENT)
        return false;
    if (node->tie != WRI_NO_NODE &&
        (node->tie >= index || trace->nodes[node->tie].what != WRI_CHOICE))
        return false;
    if (node->what == WRI_CHOICE)
        return node->number <= node->max;
    if (node->what == WRI_ARRAY) {
        if (node->number > trace->number_count ||
            node->count > trace->number_count - node->number)
            return false;
        for (uint64_t i = 0; i < node->count; i++)
            if (trace->numbers[node->number + i] > node->max)
                return false;
    }
    return true;
}

bool wri_trace_valid(const wri_trace *trace)
{
    if (trace->node_count == 0)
        return false;
    for (size_t i = 0; i < trace->node_count; i++)
        if (!node_valid(trace, i))
            return false;
    return true;
}

uint32_t wri_trace_shape(const wri_trace *trace)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what < WRI_CHOICE)
            continue;
        hash = wri_hash_step(hash, (uint64_t)node->kind * 2 + (node->what == WRI_ARRAY));
        hash = wri_hash_step(hash, node->max);
        if (node->what == WRI_ARRAY)
            hash = wri_hash_step(hash, node->count);
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

/* Returns the array with room for so many, at least half as much again. NULL: out of memory. */
static void *roomier(void *array, size_t size, size_t needed, size_t *room)
{
    size_t larger = *room < 64 ? 64 : *room;
    while (larger < needed)
        larger += larger / 2;
    void *grown = realloc(array, larger * size);
    if (grown != NULL)
        *room = larger;
    return grown;
}

bool wri_trace_reserve(wri_trace *trace, size_t nodes, size_t numbers)
{
    if (nodes > trace->node_room) {
        wri_node *grown = roomier(trace->nodes, sizeof *grown, nodes, &trace->node_room);
        if (grown == NULL)
            return false;
        trace->nodes = grown;
    }
    if (numbers > trace->number_room) {
        uint64_t *grown = roomier(trace->numbers, sizeof *grown, numbers, &trace->number_room);
        if (grown == NULL)
            return false;
        trace->numbers = grown;
    }
    return true;
}

bool wri_trace_copy(wri_trace *to, const wri_trace *from)
{
    if (!wri_trace_reserve(to, from->node_count, from->number_count))
        return false;
    if (from->node_count > 0)
        memcpy(to->nodes, from->nodes, from->node_count * sizeof *to->nodes);
    if (from->number_count > 0)
        memcpy(to->numbers, from->numbers, from->number_count * sizeof *to->numbers);
    to->node_count = from->node_count;
    to->number_count = from->number_count;
    return true;
}

void wri_trace_free(wri_trace *trace)
{
    free(trace->nodes);
    free(trace->numbers);
    memset(trace, 0, sizeof *trace);
}

/* The memory of this program's constants, its string literals among them. */
const char        *wri_trace_constants;
static const char *constants_end;

static int find_constants(struct dl_phdr_info *module, size_t bytes, void *unused)
{
    uintptr_t end = 0, start = UINTPTR_MAX;
    (void)bytes, (void)unused;
    for (unsigned i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0)
            continue;
        start = part->p_vaddr < start ? part->p_vaddr : start;
        end = part->p_vaddr + part->p_filesz > end ? part->p_vaddr + part->p_filesz : end;
    }
    for (unsigned i = 0; i < module->dlpi_phnum; i++) { /* nothing writable in between */
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0 && part->p_vaddr >= start &&
            part->p_vaddr < end)
            end = part->p_vaddr;
    }
    constants_end = wri_trace_constants = (const char *)module->dlpi_addr;
    if (start < end) {
        wri_trace_constants = (const char *)(module->dlpi_addr + start);
        constants_end = (const char *)(module->dlpi_addr + end);
    }
    return 1; /* the program itself comes first, and is enough */
}

wri_known_name wri_known_names[WRI_KNOWN_NAMES];

uint32_t wri_trace_name_hash_anew(const char *name)
{
    if (wri_trace_constants == NULL)
        dl_iterate_phdr(find_constants, NULL);
    uint32_t hash = wri_trace_label_hash(name);
    if (name >= wri_trace_constants && name < constants_end)
        *wri_trace_place_of_name(name) = (wri_known_name){ .name = name, .hash = hash };
    return hash;
}

uint32_t wri_trace_label_hash(const char *label)
{
    uint64_t hash = label == NULL ? 0 : wri_hash_bytes(label, strlen(label));
    return (uint32_t)(hash ^ (hash >> 32));
}
