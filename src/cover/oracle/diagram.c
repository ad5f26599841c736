/* cover/oracle/diagram.c: makes and joins decision diagrams. */
#include "cover/oracle/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"
#include "core/prng.h"

/* A join that is remembered; a newer one takes the place of an older. */
typedef struct wrc_applied {
    uint32_t kind, a, b, result;
} wrc_applied;

enum { NOTHING, AND, OR, NOT };

enum { WORK_PER_EDGE = 8 };

bool wrc_diagrams_open(wrc_diagrams *store, uint32_t variables, const uint32_t *levels,
                       size_t limit)
{
    *store = (wrc_diagrams){ .variables = variables, .levels = levels, .limit = limit };
    store->unique_room = 256;
    store->node_room = 256;
    store->nodes = malloc(store->node_room * sizeof *store->nodes);
    store->unique = calloc(store->unique_room, sizeof *store->unique);
    store->applied = calloc(store->unique_room, sizeof *store->applied);
    if (store->nodes == NULL || store->unique == NULL || store->applied == NULL) {
        wrc_diagrams_close(store);
        return false;
    }
    store->nodes[WRC_NO] = store->nodes[WRC_YES] = (wrc_diagram_node){ .variable = variables };
    store->node_count = 2;
    return true;
}

void wrc_diagrams_close(wrc_diagrams *store)
{
    free(store->nodes);
    free(store->edges);
    free(store->unique);
    free(store->applied);
    memset(store, 0, sizeof *store);
}

/* ---- Nodes ---- */

static uint64_t hash_of(uint32_t variable, const wrc_edge *edges, size_t count)
{
    uint64_t hash = variable;
    for (size_t i = 0; i < count; i++)
        hash = wri_hash_step(hash, (uint64_t)edges[i].to << 32 | edges[i].child);
    return hash;
}

static const wrc_edge *edges_of(const wrc_diagrams *store, uint32_t node)
{
    return &store->edges[store->nodes[node].first_edge];
}

/* Doubles the table of nodes, and the cache with it, which starts again. */
static bool widen_unique(wrc_diagrams *store)
{
    uint32_t     room = store->unique_room * 2;
    uint32_t    *wider = calloc(room, sizeof *wider);
    wrc_applied *applied = calloc(room, sizeof *applied);
    if (wider == NULL || applied == NULL) {
        free(wider);
        free(applied);
        return false;
    }
    for (uint32_t n = WRC_YES + 1; n < store->node_count; n++) {
        const wrc_diagram_node *node = &store->nodes[n];
        uint64_t at = hash_of(node->variable, edges_of(store, n), node->edge_count);
        while (wider[at & (room - 1)] != 0)
            at++;
        wider[at & (room - 1)] = n;
    }
    free(store->unique);
    free(store->applied);
    store->unique = wider;
    store->applied = applied;
    store->unique_room = room;
    return true;
}

static bool make_room(wrc_diagrams *store, size_t edges)
{
    wrc_diagram_node *nodes =
        wri_grow(store->nodes, sizeof *nodes, store->node_count, &store->node_room);
    if (nodes == NULL)
        return false;
    store->nodes = nodes;
    if (store->edge_count + edges > store->edge_room) {
        size_t    room = (store->edge_room + edges) * 2;
        wrc_edge *wider = realloc(store->edges, room * sizeof *wider);
        if (wider == NULL)
            return false;
        store->edges = wider;
        store->edge_room = room;
    }
    return store->node_count < store->unique_room / 2 || widen_unique(store);
}

static uint32_t fail(wrc_diagrams *store)
{
    store->failed = true;
    return WRC_NO_DIAGRAM;
}

bool wrc_diagrams_step(wrc_diagrams *store)
{
    if (++store->work / WORK_PER_EDGE > store->limit)
        store->failed = true;
    return !store->failed;
}

static size_t without_repeats(wrc_edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && edges[kept - 1].child == edges[i].child)
            edges[kept - 1].to = edges[i].to;
        else
            edges[kept++] = edges[i];
    return kept;
}

uint32_t wrc_diagram_node_of(wrc_diagrams *store, uint32_t variable, wrc_edge *edges,
                             size_t count)
{
    count = without_repeats(edges, count);
    if (count == 1)
        return edges[0].child;
    if (!make_room(store, count)) /* first: it moves the table */
        return fail(store);
    uint64_t at = hash_of(variable, edges, count);
    uint32_t n;
    for (; (n = store->unique[at & (store->unique_room - 1)]) != 0; at++) {
        const wrc_diagram_node *node = &store->nodes[n];
        if (node->variable == variable && node->edge_count == count &&
            memcmp(edges_of(store, n), edges, count * sizeof *edges) == 0)
            return n;
    }
    if (store->edge_count + count > store->limit)
        return fail(store);
    store->nodes[store->node_count] =
        (wrc_diagram_node){ variable, (uint32_t)count, store->edge_count };
    memcpy(&store->edges[store->edge_count], edges, count * sizeof *edges);
    store->edge_count += count;
    return store->unique[at & (store->unique_room - 1)] = store->node_count++;
}

/* ---- Joining ---- */

static uint32_t join(wrc_diagrams *store, uint32_t kind, uint32_t a, uint32_t b);

/* The join of two nodes of which both ask the variable, or one does not care. */
static uint32_t join_edges(wrc_diagrams *store, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t variable_a = store->nodes[a].variable, variable_b = store->nodes[b].variable;
    uint32_t variable = variable_a < variable_b ? variable_a : variable_b;
    size_t   count_a = variable_a == variable ? store->nodes[a].edge_count : 0;
    size_t   count_b = variable_b == variable ? store->nodes[b].edge_count : 0;
    size_t   first_a = store->nodes[a].first_edge, first_b = store->nodes[b].first_edge;
    wrc_edge few[16], *joined = few;
    if (count_a + count_b > 16 && (joined = malloc((count_a + count_b) * sizeof *joined)) == NULL)
        return fail(store);
    wrc_edge last = { store->levels[variable] - 1, 0 };
    size_t   count = 0, i = 0, k = 0;
    for (bool more = true; more && !store->failed;) {
        wrc_edge edge_a = last, edge_b = last; /* read anew: joining moves the edges */
        edge_a.child = a;
        edge_b.child = b;
        if (count_a > 0)
            edge_a = store->edges[first_a + i];
        if (count_b > 0)
            edge_b = store->edges[first_b + k];
        uint32_t to = edge_a.to < edge_b.to ? edge_a.to : edge_b.to;
        joined[count++] = (wrc_edge){ to, join(store, kind, edge_a.child, edge_b.child) };
        i += edge_a.to == to;
        k += edge_b.to == to;
        more = to != last.to;
    }
    uint32_t result =
        store->failed ? WRC_NO_DIAGRAM : wrc_diagram_node_of(store, variable, joined, count);
    if (joined != few)
        free(joined);
    return result;
}

static uint32_t join(wrc_diagrams *store, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t decides = kind == AND ? WRC_NO : WRC_YES;
    if (store->failed)
        return WRC_NO_DIAGRAM;
    if (a == decides || b == decides)
        return decides;
    if (a <= WRC_YES || a == b)
        return b;
    if (b <= WRC_YES)
        return a;
    if (a > b) {
        uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    uint64_t           hash = wri_prng_mix(((uint64_t)a << 32 | b) + kind);
    const wrc_applied *seen = &store->applied[hash & (store->unique_room - 1)];
    if (seen->kind == kind && seen->a == a && seen->b == b)
        return seen->result;
    uint32_t result = wrc_diagrams_step(store) ? join_edges(store, kind, a, b) : WRC_NO_DIAGRAM;
    if (result != WRC_NO_DIAGRAM)
        store->applied[hash & (store->unique_room - 1)] = (wrc_applied){ kind, a, b, result };
    return result;
}

uint32_t wrc_diagram_and(wrc_diagrams *store, uint32_t a, uint32_t b)
{
    return join(store, AND, a, b);
}

uint32_t wrc_diagram_or(wrc_diagrams *store, uint32_t a, uint32_t b)
{
    return join(store, OR, a, b);
}

uint32_t wrc_diagram_not(wrc_diagrams *store, uint32_t a)
{
    if (store->failed)
        return WRC_NO_DIAGRAM;
    if (a <= WRC_YES)
        return a == WRC_NO ? WRC_YES : WRC_NO;
    const wrc_applied *seen = &store->applied[wri_prng_mix(a) & (store->unique_room - 1)];
    if (seen->kind == NOT && seen->a == a)
        return seen->result;
    wrc_diagram_node node = store->nodes[a];
    wrc_edge        *edges = malloc(node.edge_count * sizeof *edges);
    if (edges == NULL)
        return fail(store);
    for (size_t i = 0; i < node.edge_count; i++) {
        edges[i] = store->edges[node.first_edge + i];
        edges[i].child = wrc_diagram_not(store, edges[i].child);
    }
    uint32_t result = store->failed
                          ? WRC_NO_DIAGRAM
                          : wrc_diagram_node_of(store, node.variable, edges, node.edge_count);
    free(edges);
    if (result != WRC_NO_DIAGRAM)
        store->applied[wri_prng_mix(a) & (store->unique_room - 1)] =
            (wrc_applied){ NOT, a, 0, result };
    return result;
}

/* ---- Clearing out ---- */

/* Children have lower numbers than their parents: one pass down marks, one pass up copies. */
static void mark(const wrc_diagrams *store, const uint32_t *roots, size_t count, uint32_t *live)
{
    for (size_t i = 0; i < count; i++)
        live[roots[i]] = true;
    for (uint32_t n = store->node_count; n-- > WRC_YES + 1;)
        for (uint32_t e = 0; live[n] && e < store->nodes[n].edge_count; e++)
            live[edges_of(store, n)[e].child] = true;
}

bool wrc_diagrams_keep(wrc_diagrams *store, uint32_t *roots, size_t count)
{
    wrc_diagrams kept;
    uint32_t    *renamed = calloc(store->node_count, sizeof *renamed); /* 0: goes */
    if (renamed == NULL ||
        !wrc_diagrams_open(&kept, store->variables, store->levels, store->limit)) {
        free(renamed);
        return false;
    }
    mark(store, roots, count, renamed);
    renamed[WRC_NO] = WRC_NO;
    renamed[WRC_YES] = WRC_YES;
    for (uint32_t n = WRC_YES + 1; n < store->node_count && !kept.failed; n++) {
        wrc_diagram_node node = store->nodes[n];
        if (renamed[n] == 0)
            continue;
        for (uint32_t e = 0; e < node.edge_count; e++)
            store->edges[node.first_edge + e].child =
                renamed[store->edges[node.first_edge + e].child];
        renamed[n] = wrc_diagram_node_of(&kept, node.variable, &store->edges[node.first_edge],
                                         node.edge_count);
    }
    for (size_t i = 0; i < count; i++)
        roots[i] = renamed[roots[i]];
    free(renamed);
    bool failed = kept.failed;
    wrc_diagrams_close(store);
    *store = kept;
    return !failed;
}
