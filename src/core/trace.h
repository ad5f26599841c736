/* core/trace.h: the full log of one case, as a tree.
 *
 * Every case writes the journal (core/case.h): numbers and bounds, nothing else. A traced run of
 * the same case adds the data that the shrinker, tokens and reports need. They are kinds, spans
 * as parent links, and the length that an array is tied to. Nodes stand in the order in which
 * they were made. A span is not an interval of nodes, so everything goes by parent links.
 *
 * The same struct serves as a plan: the answers for a case that is replayed. An answer is looked
 * up by its address: the span, the label, and how many of that label came before in the span.
 */
#ifndef WRI_CORE_TRACE_H
#define WRI_CORE_TRACE_H

#include "core/choice.h"
#include "core/prng.h"

typedef enum wri_node_what {
    WRI_SPAN, /* a group of nodes; node 0 is the case itself */
    WRI_LOOP, /* a span of `count` ELEMENT spans: a wr_each loop */
    WRI_ELEMENT,
    WRI_CHOICE, /* one number */
    WRI_ARRAY,  /* `count` numbers of one bound, at `number` in the trace's numbers */
} wri_node_what;

#define WRI_NO_NODE UINT32_MAX

typedef struct wri_node {
    uint8_t  what;    /* wri_node_what */
    uint8_t  kind;    /* wri_kind of a choice or of an array's elements */
    uint16_t letters; /* wri_letters of its numbers; not kept in tokens */
    uint32_t label;   /* hash of the name or label */
    uint32_t parent;  /* the span it was made in; WRI_NO_NODE for node 0 */
    uint32_t tie;     /* ARRAY, LOOP: the LENGTH choice that it is tied to, or WRI_NO_NODE */
    uint64_t count;   /* ARRAY, LOOP: its elements; argument of a call: its value in a sequence
                         (machine/calls/sequence.h), once the case has run; ELEMENT that is a
                         call: its .kept in a sequence */
    uint64_t number;  /* CHOICE: the answer. ARRAY: index of its first number. ELEMENT: the label
                         of the HANDLEs that can name it, counted from 0; 0: none can */
    uint64_t max;
    int64_t  lo; /* INTEGER, LENGTH: the request's lo, for the codec. REAL: 1 for floats. Others:
                    the request's mask */
} wri_node;

typedef struct wri_trace {
    wri_node *nodes;
    uint64_t *numbers;
    size_t    node_count, node_room;
    size_t    number_count, number_room;
} wri_trace;

/* The answer of a choice, or of one element of an array. */
static inline uint64_t wri_trace_number(const wri_trace *trace, uint32_t node, uint64_t element)
{
    const wri_node *at = &trace->nodes[node];
    return at->what == WRI_ARRAY ? trace->numbers[at->number + element] : at->number;
}

/* The number of choices in a trace. Each element of an array counts as one; a forced choice
 * (max 0) does not count. */
size_t wri_trace_choices(const wri_trace *trace);

/* Is every index in this trace within bounds, and every answer within its max? Traces from a
 * worker's memory or from a file are checked before any other function reads them. */
bool wri_trace_valid(const wri_trace *trace);

/* A hash of all requests (kinds and bounds, not answers, not names). A token carries it. */
uint32_t wri_trace_shape(const wri_trace *trace);

/* These traces own their memory. wri_trace_copy() replaces the content of `to`. False: out of
 * memory. */
bool wri_trace_copy(wri_trace *to, const wri_trace *from);
bool wri_trace_reserve(wri_trace *trace, size_t nodes, size_t numbers);
void wri_trace_free(wri_trace *trace);

uint32_t wri_trace_label_hash(const char *label);

/* A cache of the hashes of names. Names are constants of the program, and the place in the
 * cache goes by a name's offset in the program. So the collisions do not depend on the address
 * that the program is loaded at. An empty place holds the hash of NULL. */
#define WRI_KNOWN_NAMES 256
typedef struct wri_known_name {
    const char *name;
    uint32_t    hash;
} wri_known_name;
extern __attribute__((visibility("hidden"))) wri_known_name wri_known_names[WRI_KNOWN_NAMES];
extern __attribute__((visibility("hidden")))
const char *wri_trace_constants; /* the address that offsets are counted from */

static inline wri_known_name *wri_trace_place_of_name(const char *name)
{
    uint64_t offset = (uintptr_t)name - (uintptr_t)wri_trace_constants;
    return &wri_known_names[(offset * WRI_GAMMA) >> 56]; /* eight bits */
}

uint32_t wri_trace_name_hash_anew(const char *name);
/* wri_trace_label_hash(), cached. Not for several threads. */
static inline uint32_t wri_trace_name_hash(const char *name)
{
    const wri_known_name *known = wri_trace_place_of_name(name);
    return known->name == name ? known->hash : wri_trace_name_hash_anew(name);
}

#endif
