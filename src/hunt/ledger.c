/* hunt/ledger.c: see parts.h. */
#include "hunt/ledger.h"

#include <stdlib.h>

#include "core/grow.h"

/* Parts are kept apart in about 16 kB: a run of hours must not grow by what it counts. */
#define MOST_PARTS ((16 << 10) / sizeof(wri_part))

static void add_counts(wri_part *to, const wri_part *from)
{
    to->cases += from->cases;
    to->discarded += from->discarded;
    to->overrun += from->overrun;
    to->known += from->known;
    to->redrawn += from->redrawn;
    to->calls += from->calls;
    to->sequences += from->sequences;
    to->cut += from->cut;
    for (size_t i = 0; i < WRI_KNOWN_BUGS; i++)
        to->hits[i] += from->hits[i];
}

/* Parts that lie before every failure to come count as one. */
static void join(wri_parts *parts, uint64_t settled)
{
    size_t    kept = 0;
    wri_part *joined = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        wri_part *at = &parts->list[i];
        if (at->from >= settled || joined == NULL) {
            parts->list[kept] = *at;
            joined = at->from < settled ? &parts->list[kept] : joined;
            kept++;
            continue;
        }
        joined->from = at->from < joined->from ? at->from : joined->from;
        add_counts(joined, at);
        wri_tally_add(&joined->tally, &at->tally);
        wri_tally_free(&at->tally);
    }
    parts->count = kept;
}

void wri_parts_add(wri_parts *parts, const wri_part *part, uint64_t settled)
{
    if (parts->count >= MOST_PARTS)
        join(parts, settled);
    wri_part *list = wri_grow(parts->list, sizeof *list, parts->count, &parts->room);
    if (list == NULL) {
        wri_tally lost = part->tally;
        wri_tally_free(&lost);
        return;
    }
    parts->list = list;
    list[parts->count++] = *part;
}

wri_part wri_parts_sum(const wri_parts *parts, uint64_t before, wri_tally *tally)
{
    wri_part sum = { 0 };
    for (size_t i = 0; i < parts->count; i++) {
        const wri_part *at = &parts->list[i];
        if (at->from > before)
            continue;
        add_counts(&sum, at);
        if (tally != NULL)
            wri_tally_add(tally, &at->tally);
    }
    return sum;
}

wri_part wri_parts_drop(wri_parts *parts, uint64_t after)
{
    wri_part dropped = { 0 };
    size_t   kept = 0;
    for (size_t i = 0; i < parts->count; i++) {
        wri_part *at = &parts->list[i];
        if (at->from <= after) {
            parts->list[kept++] = *at;
            continue;
        }
        add_counts(&dropped, at);
        wri_tally_free(&at->tally);
    }
    parts->count = kept;
    return dropped;
}

void wri_parts_free(wri_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        wri_tally_free(&parts->list[i].tally);
    free(parts->list);
    *parts = (wri_parts){ 0 };
}
