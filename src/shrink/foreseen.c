/* shrink/foreseen.c: a cache of executed cases that is also a prefix tree.
 *
 * A search follows one known trace as long as the plan gives that trace's answers. After each
 * answer the table gives a trace that agrees so far; if it has none, the plan must be run.
 */
#include "shrink/foreseen.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/grow.h"

/* The most that is kept, in nodes and numbers: about 100 MB. */
#define MOST_KEPT ((size_t)2 << 20)

void wri_foreseen_free(wri_known *known)
{
    for (size_t i = 0; i < known->count; i++)
        wri_trace_free(&known->cases[i].trace);
    free(known->cases);
    free(known->table.entries);
    free(known->counterparts);
    free(known->numbers);
    wri_align_free(&known->align);
    memset(known, 0, sizeof *known);
}

/* ---- The table ---- */

/* A case that memory is too short to remember is run again. */
static void remember(wri_known *known, uint64_t hash)
{
    uint32_t before;
    wri_hashes_put(&known->table, hash, (uint32_t)known->count, &before);
}

static uint64_t hash_numbers(uint64_t hash, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = wri_hash_step(hash, numbers[i]);
    return wri_hash_step(hash, count);
}

void wri_foreseen_add(wri_known *known, const wri_trace *trace, bool same)
{
    if (known->nodes_kept + trace->node_count + trace->number_count > MOST_KEPT)
        return;
    wri_known_case *cases = wri_grow(known->cases, sizeof *cases, known->count, &known->room);
    if (cases == NULL)
        return;
    known->cases = cases;
    wri_known_case *now = &cases[known->count];
    memset(now, 0, sizeof *now);
    if (!wri_trace_copy(&now->trace, trace))
        return;
    now->same = same;
    known->count++;
    known->nodes_kept += trace->node_count + trace->number_count;
    uint64_t hash = 1;
    remember(known, hash);
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_CHOICE)
            hash = wri_hash_step(hash, node->number);
        else if (node->what == WRI_ARRAY && node->count == 0) /* there may be no numbers at all */
            hash = hash_numbers(hash, NULL, 0);
        else if (node->what == WRI_ARRAY)
            hash = hash_numbers(hash, trace->numbers + node->number, node->count);
        else
            continue;
        remember(known, hash);
    }
}

/* ---- The walk ---- */

static bool set_counterpart(wri_known *known, size_t span, uint32_t counterpart)
{
    uint32_t *grown =
        wri_grow(known->counterparts, sizeof *grown, span, &known->counterpart_room);
    if (grown == NULL)
        return false;
    known->counterparts = grown;
    grown[span] = counterpart;
    return true;
}

/* Answers one node's request from the plan, and moves the hash on. False: it has no answer, or
 * memory is out. */
static bool answer(wri_known *known, const wri_node *node, uint64_t *hash)
{
    if (node->what == WRI_CHOICE) {
        bool masked =
            node->kind != WRI_INTEGER && node->kind != WRI_LENGTH && node->kind != WRI_REAL;
        wri_request request = { .kind = (wri_kind)node->kind,
                                .max = node->max,
                                .legal = masked ? (uint64_t)node->lo : 0 };
        uint64_t    number = wri_align_choice(&known->align, &request, node->label);
        *hash = wri_hash_step(*hash, number);
        return number != WRI_NO_ANSWER || !wri_kind_may_be_none(request.kind);
    }
    uint64_t *grown = wri_grow(known->numbers, sizeof *grown, node->count, &known->number_room);
    if (grown == NULL)
        return false;
    known->numbers = grown;
    wri_align_array(&known->align, node->max, node->label, node->count, known->numbers);
    *hash = hash_numbers(*hash, known->numbers, node->count);
    return true;
}

const wri_known_case *wri_foreseen_find(wri_known *known, const wri_trace *plan)
{
    if (known->count == 0 || !wri_align_start(&known->align, plan) ||
        !set_counterpart(known, 0, 0))
        return NULL;
    uint64_t              hash = 1;
    const wri_known_case *now = &known->cases[0]; /* no answer yet: it agrees with every case */
    for (size_t i = 1;; i++) {
        if (i >= now->trace.node_count)
            return now;
        const wri_node *node = &now->trace.nodes[i];
        wri_align_only(&known->align, known->counterparts[node->parent]);
        if (node->what < WRI_CHOICE) {
            uint32_t found =
                wri_align_find(&known->align, node->label, (wri_node_what)node->what);
            if (!set_counterpart(known, i, found))
                return NULL;
            continue;
        }
        if (!answer(known, node, &hash))
            return NULL;
        uint32_t which = wri_hashes_get(&known->table, hash);
        if (which == 0)
            return NULL;
        now = &known->cases[which - 1];
    }
}
