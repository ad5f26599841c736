/* explore/guide/pool.c: features and their owners, picking, and making room.
 *
 * A pick is a lottery by weight (Walker's alias method), so it costs one look whatever the number
 * of features. When the pool is full, entries that own only common features go first.
 */
#include "explore/guide/pool.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"

/* A log that is larger is not kept: a change of it costs too much. */
#define LARGEST_ENTRY (WRI_POOL_ARENA / 8)

void wri_pool_clear(wri_pool *pool)
{
    memset(pool, 0, offsetof(wri_pool, remarks));
}

static uint32_t at_most(uint32_t count, uint32_t limit)
{
    return count < limit ? count : limit;
}

/* The place of a feature in the index, or of a new one. */
static uint32_t place_of(const wri_pool *pool, uint64_t key, wri_feature_class class,
                         uint8_t bucket)
{
    uint64_t hash = wri_prng_mix(key + bucket * WRI_GAMMA);
    for (;; hash++) { /* it is never full */
        uint32_t place = (uint32_t)(hash % WRI_POOL_INDEX), at = pool->index[place];
        if (at == 0)
            return place;
        const wri_feature *there = &pool->features[at - 1];
        if (there->key == key && there->bucket == bucket && there->class == class)
            return place;
    }
}

void wri_pool_keep(wri_pool *to, const wri_pool *from)
{
    uint32_t features = at_most(from->feature_count, WRI_POOL_FEATURES);
    uint32_t picks = at_most(from->picks[WRI_FEATURE_CLASSES], WRI_POOL_FEATURES);
    uint32_t entries = at_most(from->entry_count, WRI_POOL_ENTRIES);
    memcpy(to, from, offsetof(wri_pool, index));
    memcpy(to->remarks, from->remarks, at_most(from->remarks_used, WRI_POOL_REMARKS));
    memcpy(to->tickets, from->tickets, picks * sizeof *to->tickets);
    memcpy(to->features, from->features, features * sizeof *to->features);
    memcpy(to->entries, from->entries, entries * sizeof *to->entries);
    memcpy(to->arena, from->arena, from->used <= WRI_POOL_ARENA ? from->used : 0);
}

void wri_pool_copy(wri_pool *to, const wri_pool *from)
{
    wri_pool_keep(to, from);
    memset(to->index, 0, sizeof to->index);
    for (uint32_t i = 0; i < at_most(to->feature_count, WRI_POOL_FEATURES); i++) {
        const wri_feature *of = &to->features[i];
        to->index[place_of(to, of->key, (wri_feature_class)of->class, of->bucket)] = i + 1;
    }
}

/* How many features a class may have; all together fit. */
static const uint32_t MOST[WRI_FEATURE_CLASSES] = {
    [WRI_FEATURE_LABEL] = 16384, [WRI_FEATURE_SLOT] = 2048,     [WRI_FEATURE_CELL] = 8192,
    [WRI_FEATURE_EDGE] = 30720,  [WRI_FEATURE_DISTANCE] = 6144, [WRI_FEATURE_PAIR] = 2048,
};

uint32_t wri_pool_find(const wri_pool *pool, uint64_t key, wri_feature_class class,
                       uint8_t bucket)
{
    return pool->index[place_of(pool, key, class, bucket)] - 1; /* 0 becomes WRI_NOBODY */
}

/* On one line, whatever it is. */
static void set_text(wri_feature *feature, const char *text)
{
    snprintf(feature->text, sizeof feature->text, "%s", text == NULL ? "" : text);
    for (char *at = feature->text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
}

uint32_t wri_pool_feature(wri_pool *pool, uint64_t key, wri_feature_class class, uint8_t bucket,
                          const char *text)
{
    uint32_t *at = &pool->index[place_of(pool, key, class, bucket)];
    if (*at != 0)
        return *at - 1;
    if (pool->counts[class] >= MOST[class]) {
        pool->lost += bucket == 0 && class != WRI_FEATURE_DISTANCE; /* those are only hints */
        return WRI_NOBODY;
    }
    pool->counts[class]++;
    *at = ++pool->feature_count;
    wri_feature *made = &pool->features[*at - 1];
    *made = (wri_feature){
        .key = key, .owner = WRI_NOBODY, .class = (uint8_t) class, .bucket = bucket
    };
    set_text(made, text);
    if (pool->last[class] == 0)
        pool->first[class] = *at;
    else
        pool->features[pool->last[class] - 1].next = *at;
    pool->last[class] = *at;
    return *at - 1;
}

/* How often each class is picked from, if it has anything. */
static const double SHARES[WRI_FEATURE_CLASSES] = {
    [WRI_FEATURE_LABEL] = 60, [WRI_FEATURE_SLOT] = 20,    [WRI_FEATURE_CELL] = 20,
    [WRI_FEATURE_EDGE] = 10,  [WRI_FEATURE_DISTANCE] = 3,
};

static double weight_of(const wri_feature *feature)
{
    double weight = 1.0 / (1.0 + (double)feature->effort / 512.0);
    if (feature->class != WRI_FEATURE_SLOT)
        weight /= (double)(feature->cases + 1) * (double)(feature->cases + 1);
    if (feature->bucket > 0)
        weight *= 0.125;
    return feature->owner_discarded ? weight / 8 : weight;
}

/* ---- Entries ---- */

bool wri_pool_look(wri_pool *pool, uint32_t entry, wri_entry_view *view)
{
    size_t           offsets[5];
    const wri_entry *of = &pool->entries[entry];
    if (!of->live || of->at % 16 != 0 || of->at > WRI_POOL_ARENA ||
        wri_entry_parts(of, offsets) != of->bytes || of->bytes > WRI_POOL_ARENA - of->at)
        return false;
    *view = wri_pool_view(pool, entry);
    return wri_trace_valid(&view->trace);
}

/* Does the node have positions, and how many? */
static uint32_t positions_of(const wri_node *node)
{
    if (node->what == WRI_CHOICE)
        return node->max > 0;
    return node->what == WRI_ARRAY && node->max > 0 ? (uint32_t)node->count : 0;
}

static int by_place(const void *a, const void *b)
{
    const wri_entry *const *x = a, *const *y = b;
    return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

/* Moves the blocks of live entries together, in the order in which they lie. Of the others
 * nothing is left. */
static void compact(wri_pool *pool)
{
    static wri_entry *order[WRI_POOL_ENTRIES];
    uint32_t          count = 0;
    uint64_t          used = 0;
    for (uint32_t i = 0; i < pool->entry_count; i++)
        if (pool->entries[i].live)
            order[count++] = &pool->entries[i];
        else
            pool->entries[i] = (wri_entry){ 0 };
    if (count > 1)
        qsort(order, count, sizeof *order, by_place);
    for (uint32_t i = 0; i < count; i++) {
        memmove(pool->arena + used, pool->arena + order[i]->at, order[i]->bytes);
        order[i]->at = used;
        used += order[i]->bytes;
    }
    pool->used = used;
}

/* ---- Room ---- */

/* An entry is worth as much as the rarest feature that it is kept for. */
typedef struct worth {
    double   weight;
    uint32_t entry;
} worth;

static int by_worth(const void *a, const void *b)
{
    const worth *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* So many go at a time: to find out which costs as much as for one. */
#define PART_TO_GO 8

/* Lets the entries go that are worth least, and what they were kept for with them: else the next
 * case that shows it would be kept in their place. The best of a slot stays. */
static void evict(wri_pool *pool)
{
    static worth all[WRI_POOL_ENTRIES];
    static bool  goes[WRI_POOL_ENTRIES];
    uint32_t     count = 0;
    for (uint32_t i = 0; i < pool->entry_count; i++)
        all[i] = (worth){ .entry = i };
    for (uint32_t i = 0; i < pool->feature_count; i++) {
        const wri_feature *feature = &pool->features[i];
        if (feature->owner >= pool->entry_count || feature->class >= WRI_FEATURE_CLASSES)
            continue;
        double weight = SHARES[feature->class] * weight_of(feature);
        if (feature->class == WRI_FEATURE_SLOT)
            weight = HUGE_VAL;
        if (weight > all[feature->owner].weight)
            all[feature->owner].weight = weight;
    }
    for (uint32_t i = 0; i < pool->entry_count; i++) {
        const wri_entry *entry = &pool->entries[i];
        goes[i] = false;
        if (entry->live && entry->owned > 0 && all[i].weight < HUGE_VAL)
            all[count++] = all[i];
    }
    if (count == 0)
        return;
    qsort(all, count, sizeof *all, by_worth);
    for (uint32_t i = 0; i <= count / PART_TO_GO && i < count; i++)
        goes[all[i].entry] = true;
    for (uint32_t i = 0; i < pool->feature_count; i++) {
        wri_feature *feature = &pool->features[i];
        if (feature->owner >= pool->entry_count || !goes[feature->owner])
            continue;
        feature->owner = WRI_NOBODY;
        feature->given_up = true;
    }
    for (uint32_t i = 0; i < pool->entry_count; i++)
        if (goes[i]) {
            wri_pool_remark(pool, "case %llu let go: the pool is full",
                            (unsigned long long)pool->entries[i].number);
            wri_pool_drop(pool, i);
            pool->evicted++;
        }
    pool->stale = true;
}

static uint32_t free_entry(wri_pool *pool)
{
    if (pool->entry_count < WRI_POOL_ENTRIES)
        return pool->entry_count++;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < WRI_POOL_ENTRIES; i++)
            if (!pool->entries[i].live)
                return i;
        evict(pool);
    }
    return WRI_NOBODY;
}

static bool make_room(wri_pool *pool, size_t bytes)
{
    if (bytes > LARGEST_ENTRY) {
        pool->too_large++;
        return false;
    }
    if (pool->used + bytes <= WRI_POOL_ARENA)
        return true;
    compact(pool);
    for (uint64_t before = UINT64_MAX; pool->used + bytes > WRI_POOL_ARENA;) {
        if (pool->used >= before)
            return false;
        before = pool->used;
        evict(pool);
        compact(pool);
    }
    return true;
}

static void fill(wri_entry_view *view, const wri_trace *trace)
{
    uint32_t runs = 0, positions = 0;
    memcpy(view->trace.nodes, trace->nodes, trace->node_count * sizeof *trace->nodes);
    if (trace->number_count > 0)
        memcpy(view->trace.numbers, trace->numbers, trace->number_count * sizeof *trace->numbers);
    for (uint32_t i = 0; i < trace->node_count; i++) {
        uint32_t count = positions_of(&trace->nodes[i]);
        if (count > 0)
            view->runs[runs++] = (wri_run_of){ .node = i, .first = positions };
        positions += count;
    }
    memset(view->tried, 0, positions * sizeof *view->tried);
}

static uint32_t what_it_has(const wri_node *node, size_t index)
{
    if (node->what == WRI_SPAN)
        return index > 0 ? WRI_HAS_SPAN : 0;
    bool tied = (node->what == WRI_LOOP || node->what == WRI_ARRAY) && node->tie != WRI_NO_NODE;
    bool any = positions_of(node) > 0;
    return (any ? WRI_HAS_CHOICES : 0) | (any && node->max >= WRI_FEW ? WRI_HAS_WIDE : 0) |
           (tied ? WRI_HAS_LENGTH : 0);
}

uint32_t wri_pool_add(wri_pool *pool, const wri_trace *trace, uint64_t number, bool discarded,
                      const uint32_t *shown, uint32_t shown_count)
{
    wri_entry made = { .number = number,
                       .nodes = (uint32_t)trace->node_count,
                       .numbers = (uint32_t)trace->number_count,
                       .discarded = discarded,
                       .shown = shown_count,
                       .live = true };
    size_t    offsets[5];
    for (size_t i = 0; i < trace->node_count; i++) {
        uint32_t count = positions_of(&trace->nodes[i]);
        made.runs += count > 0;
        made.positions += count;
        made.has |= what_it_has(&trace->nodes[i], i);
    }
    made.bytes = wri_entry_parts(&made, offsets);
    if (!make_room(pool, made.bytes))
        return WRI_NOBODY;
    uint32_t at = free_entry(pool);
    if (at == WRI_NOBODY)
        return WRI_NOBODY;
    made.at = pool->used;
    pool->used += made.bytes;
    pool->entries[at] = made;
    pool->live_count++;
    wri_entry_view view = wri_pool_view(pool, at);
    fill(&view, trace);
    if (shown_count > 0)
        memcpy(view.shown, shown, shown_count * sizeof *shown);
    return at;
}

bool wri_pool_await(wri_pool *pool, const wri_trace *trace, bool blind)
{
    uint32_t at = wri_pool_add(pool, trace, 0, false, NULL, 0);
    if (at == WRI_NOBODY)
        return false;
    pool->entries[at].waits = true;
    pool->entries[at].blind = blind;
    pool->awaiting++;
    return true;
}

uint32_t wri_pool_take_awaited(wri_pool *pool)
{
    for (uint32_t i = 0; i < pool->entry_count; i++)
        if (pool->entries[i].waits) {
            pool->entries[i].waits = false;
            pool->awaiting--;
            return i;
        }
    pool->awaiting = 0;
    return WRI_NOBODY;
}

void wri_pool_drop(wri_pool *pool, uint32_t entry)
{
    pool->entries[entry].live = false;
    pool->live_count--;
}

void wri_pool_remark(wri_pool *pool, const char *format, ...)
{
    va_list arguments;
    size_t  room = WRI_POOL_REMARKS - pool->remarks_used;
    if (pool->talks && room < 2)
        pool->remarks_lost++;
    if (!pool->talks || room < 2)
        return;
    va_start(arguments, format);
    int made = vsnprintf(pool->remarks + pool->remarks_used, room - 1, format, arguments);
    va_end(arguments);
    if (made < 0 || (size_t)made >= room - 1) {
        pool->remarks_lost++;
        return;
    }
    pool->remarks_used += (uint32_t)made;
    pool->remarks[pool->remarks_used++] = '\n';
}

void wri_pool_own(wri_pool *pool, uint32_t entry, uint32_t feature)
{
    wri_feature *of = &pool->features[feature];
    if (of->owner != WRI_NOBODY && of->owner != entry) {
        wri_entry *before = &pool->entries[of->owner];
        if (--before->owned == 0) {
            wri_pool_remark(pool, "case %llu dropped: others show the same sooner",
                            (unsigned long long)before->number);
            wri_pool_drop(pool, of->owner);
        }
    }
    if (of->owner != entry)
        pool->entries[entry].owned++;
    of->owner = entry;
    of->owner_discarded = pool->entries[entry].discarded;
    pool->stale = true;
    of->cut = of->cut_now;
    of->best = of->now;
}

bool wri_pool_sound(const wri_pool *pool)
{
    if (pool->used > WRI_POOL_ARENA || pool->used % 16 != 0 ||
        pool->entry_count > WRI_POOL_ENTRIES || pool->feature_count > WRI_POOL_FEATURES)
        return false;
    for (uint32_t i = 0; i < pool->entry_count; i++) {
        const wri_entry *entry = &pool->entries[i];
        if (entry->live && (entry->bytes == 0 || entry->at > pool->used ||
                            entry->bytes > pool->used - entry->at))
            return false;
    }
    return true;
}

/* ---- Picking ---- */

/* After so many cases the weights are made anew; later in a run, when counts change little, and
 * with many features less often. */
static uint64_t weighed_every(const wri_pool *pool)
{
    uint64_t settled = pool->cases / 1024;
    return 32 + pool->feature_count / 8 + (settled < 512 ? settled : 512);
}

/* Makes a lottery of the weights in `keeps`: a ticket stands for its own feature with the
 * probability `keeps`, else for the other; then a draw is one look, however many there are
 * (Walker's method). Tickets that are worth less than one are filled up from those that are worth
 * more. */
static void make_lottery(wri_ticket *tickets, uint32_t count, double sum)
{
    static uint32_t less[WRI_POOL_FEATURES], more[WRI_POOL_FEATURES];
    uint32_t        less_count = 0, more_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        tickets[i].keeps *= (double)count / sum;
        tickets[i].feature[0] = tickets[i].feature[1];
        if (tickets[i].keeps < 1)
            less[less_count++] = i;
        else
            more[more_count++] = i;
    }
    while (less_count > 0 && more_count > 0) {
        uint32_t poor = less[--less_count], rich = more[more_count - 1];
        tickets[poor].feature[0] = tickets[rich].feature[1];
        tickets[rich].keeps -= 1 - tickets[poor].keeps;
        if (tickets[rich].keeps < 1) {
            more_count--;
            less[less_count++] = rich;
        }
    }
}

static WRI_ASIDE void weigh(wri_pool *pool)
{
    uint32_t used = 0;
    double   share = 0;
    for (unsigned class = 0; class < WRI_FEATURE_CLASSES; class ++) {
        double   sum = 0;
        uint32_t from = used;
        pool->picks[class] = used;
        for (uint32_t i = pool->first[class]; i != 0; i = pool->features[i - 1].next) {
            const wri_feature *feature = &pool->features[i - 1];
            if (feature->owner == WRI_NOBODY)
                continue;
            double weight = weight_of(feature);
            sum += weight;
            pool->tickets[used++] = (wri_ticket){ .keeps = weight, .feature = { 0, i - 1 } };
        }
        make_lottery(pool->tickets + from, used - from, sum);
        pool->shares[class] = share += used > from ? SHARES[class] : 0;
    }
    pool->picks[WRI_FEATURE_CLASSES] = used;
    pool->weighed = pool->cases;
    pool->stale = false;
}

static double part_of_one(uint64_t *random)
{
    return (double)(wri_prng_next(random) >> 11) * 0x1p-53;
}

/* A class that has anything: its sum is the first above the number. */
static unsigned pick_class(const wri_pool *pool, uint64_t *random)
{
    double wanted = part_of_one(random) * pool->shares[WRI_FEATURE_CLASSES - 1];
    unsigned class = 0;
    for (unsigned i = 0; i < WRI_FEATURE_CLASSES - 1; i++)
        class += pool->shares[i] <= wanted;
    return class;
}

uint32_t wri_pool_pick(wri_pool *pool, uint64_t *random)
{
    if (pool->stale || pool->cases >= pool->weighed + weighed_every(pool))
        weigh(pool);
    if (pool->picks[WRI_FEATURE_CLASSES] == 0)
        return WRI_NOBODY;
    unsigned class = pick_class(pool, random);
    uint32_t          from = pool->picks[class], count = pool->picks[class + 1] - from;
    double            drawn = part_of_one(random) * (double)count;
    uint32_t          number = (uint32_t)drawn;
    const wri_ticket *ticket = &pool->tickets[from + number];
    return ticket->feature[drawn - (double)number < ticket->keeps]; /* no branch: it is chance */
}
