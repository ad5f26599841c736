/* plan/reason.c: matches cases with what makes a bug fail. */
#include "plan/reason.h"

#include <string.h>

#include "core/hash.h"

/* ---- Addresses ---- */

/* The last node before this one with the same parent and label. */
static size_t namesake(const wri_trace *trace, size_t node)
{
    const wri_node *at = &trace->nodes[node];
    for (size_t i = node; i-- > at->parent;)
        if (trace->nodes[i].parent == at->parent && trace->nodes[i].label == at->label &&
            (trace->nodes[i].what < WRI_CHOICE) == (at->what < WRI_CHOICE))
            return i;
    return node;
}

bool wri_reason_addresses(const wri_trace *trace, uint64_t *addresses)
{
    uint32_t before[WRI_REASON_NODES];
    if (trace->node_count > WRI_REASON_NODES || trace->node_count == 0)
        return false;
    addresses[0] = 1;
    before[0] = 0;
    for (size_t i = 1; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->parent >= i)
            return false;
        size_t last = namesake(trace, i);
        before[i] = last == i ? 0 : before[last] + 1;
        uint64_t hash = wri_hash_step(addresses[node->parent], node->label);
        addresses[i] = wri_hash_step(hash, before[i]);
    }
    return true;
}

uint32_t wri_reason_element(const wri_trace *trace, uint32_t node)
{
    while (node != 0 && trace->nodes[node].what != WRI_ELEMENT)
        node = trace->nodes[node].parent;
    return node;
}

uint64_t wri_reason_kin(const wri_trace *trace, const uint64_t *addresses, uint32_t node)
{
    uint32_t element = wri_reason_element(trace, node);
    if (element == 0)
        return 0;
    uint64_t hash = addresses[trace->nodes[element].parent];
    for (; node != element; node = trace->nodes[node].parent)
        hash = wri_hash_step(hash, trace->nodes[node].label);
    return hash;
}

/* ---- Values ---- */

/* Reals in their order, as integers. */
static int64_t place_of_real(double value)
{
    int64_t bits;
    value = value != value ? __builtin_nan("") : value;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double real_at(int64_t place)
{
    double  value;
    int64_t bits = place < 0 ? INT64_MIN - place : place;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_wide(const wri_node *node)
{
    return node->lo >= 0 && node->max > (uint64_t)INT64_MAX - (uint64_t)node->lo;
}

int64_t wri_reason_value(const wri_node *node, uint64_t number)
{
    if (node->kind == WRI_REAL)
        return place_of_real(wri_choice_real_value(number));
    if (node->kind == WRI_INTEGER && !is_wide(node))
        return wri_choice_integer_value(number, node->lo, node->max);
    if (node->kind == WRI_LENGTH)
        return (int64_t)number + node->lo;
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

uint64_t wri_reason_number(const wri_node *node, int64_t value)
{
    uint64_t number;
    if (node->kind == WRI_REAL)
        return wri_choice_real_number(real_at(value));
    if (node->kind == WRI_INTEGER && !is_wide(node))
        number = wri_choice_integer_number(value, node->lo, node->max);
    else
        number = (uint64_t)value - (node->kind == WRI_LENGTH ? (uint64_t)node->lo : 0);
    return number > node->max ? node->max : number;
}

int64_t wri_reason_least(const wri_node *node)
{
    if (node->kind == WRI_REAL)
        return place_of_real(-__builtin_huge_val());
    return node->kind == WRI_LENGTH || (node->kind == WRI_INTEGER && !is_wide(node)) ? node->lo
                                                                                     : 0;
}

int64_t wri_reason_most(const wri_node *node)
{
    if (node->kind == WRI_REAL)
        return place_of_real(__builtin_nan("")); /* it comes last */
    if (node->kind == WRI_LENGTH || (node->kind == WRI_INTEGER && !is_wide(node)))
        return (int64_t)((uint64_t)node->lo + node->max);
    return node->max > INT64_MAX ? INT64_MAX : (int64_t)node->max;
}

/* ---- Matching ---- */

/* A case that is being matched. */
typedef struct match {
    const wri_reason *reason;
    const wri_trace  *trace;
    uint32_t          nodes[WRI_REASON_VARIABLES]; /* where the variables are drawn */
    int64_t           values[WRI_REASON_VARIABLES];
    bool              set[WRI_REASON_VARIABLES];
    uint32_t          tries;   /* that are left */
    uint32_t          element; /* of a loop, for draws that are in any one; 0: in their own */
} match;

/* Elements in a long array have many places. */
#define MOST_TRIES 20000

static bool within(const wri_reason_condition *of, int64_t value)
{
    return of->lo <= value && value <= of->hi;
}

static bool holds(const match *m, const wri_reason_condition *of)
{
    int64_t a = m->values[of->a], result;
    switch (of->sort) {
    case WRI_REASON_RANGE: return within(of, a);
    case WRI_REASON_REMAINDER: {
        uint64_t rest = ((uint64_t)a - (uint64_t)of->lo) % (of->step == 0 ? 1 : of->step);
        return a >= of->lo && rest <= (uint64_t)of->hi - (uint64_t)of->lo;
    }
    case WRI_REASON_DIFFERENCE:
        return !__builtin_sub_overflow(a, m->values[of->b], &result) && within(of, result);
    default: return !__builtin_add_overflow(a, m->values[of->b], &result) && within(of, result);
    }
}

/* Do all conditions hold whose variables are known so far, and that speak of this one? */
static bool holds_for(const match *m, uint32_t variable)
{
    const wri_reason *reason = m->reason;
    for (uint32_t i = 0; i < reason->condition_count && i < WRI_REASON_CONDITIONS; i++) {
        const wri_reason_condition *of = &reason->conditions[i];
        bool two = of->sort == WRI_REASON_DIFFERENCE || of->sort == WRI_REASON_SUM;
        if (of->a >= WRI_REASON_VARIABLES || of->b >= WRI_REASON_VARIABLES)
            return false;
        if ((of->a == variable || (two && of->b == variable)) && m->set[of->a] &&
            (!two || m->set[of->b]) && !holds(m, of))
            return false;
    }
    return true;
}

static bool place_next(match *m, uint32_t variable, uint64_t from);

/* Takes this element for the variable, and goes on with the next. */
static bool take(match *m, uint32_t variable, uint64_t index)
{
    const wri_node *node = &m->trace->nodes[m->nodes[variable]];
    if (index >= node->count || m->tries == 0)
        return false;
    m->tries--;
    m->values[variable] = wri_reason_value(node, m->trace->numbers[node->number + index]);
    m->set[variable] = true;
    bool fits = holds_for(m, variable) && place_next(m, variable + 1, index);
    m->set[variable] = false;
    return fits;
}

/* The first element of the list: the others follow from it, unless they may be anywhere. */
static bool place_first(match *m, uint32_t variable, const wri_reason_list *list)
{
    uint64_t count = m->trace->nodes[m->nodes[variable]].count;
    uint64_t element = m->reason->variables[variable].element;
    uint64_t starts = count >= list->width ? count - list->width + 1 : 0;
    if (list->place == WRI_REASON_ANYWHERE) {
        for (uint64_t i = 0; i < count; i++)
            if (take(m, variable, i))
                return true;
        return false;
    }
    if (starts == 0)
        return false;
    if (list->place == WRI_REASON_FRONT)
        return take(m, variable, element);
    if (list->place == WRI_REASON_BACK)
        return take(m, variable, starts - 1 + element);
    for (uint64_t i = 0; i < starts; i++)
        if (take(m, variable, i + element))
            return true;
    return false;
}

/* Variables of a list stand one after the other, in the order of their elements. */
static bool place_next(match *m, uint32_t variable, uint64_t from)
{
    const wri_reason          *reason = m->reason;
    const wri_reason_variable *at = &reason->variables[variable];
    if (variable >= reason->variable_count || variable >= WRI_REASON_VARIABLES)
        return true;
    if (at->list >= WRI_REASON_LISTS)
        return place_next(m, variable + 1, from);
    const wri_reason_list     *list = &reason->lists[at->list];
    const wri_reason_variable *last = variable > 0 ? at - 1 : NULL;
    if (last == NULL || last->list != at->list)
        return place_first(m, variable, list);
    if (list->place != WRI_REASON_ANYWHERE)
        return take(m, variable, from + (uint64_t)at->element - last->element);
    for (uint64_t i = from + 1; i < m->trace->nodes[m->nodes[variable]].count; i++)
        if (take(m, variable, i))
            return true;
    return false;
}

static int64_t total(const wri_trace *trace, const wri_node *node)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < node->count; i++)
        if (__builtin_add_overflow(sum, wri_reason_value(node, trace->numbers[node->number + i]),
                                   &sum))
            return INT64_MAX;
    return sum;
}

static bool is_draw(const match *m, const uint64_t *addresses, const wri_reason_variable *of,
                    uint32_t node)
{
    if (m->element == 0 || of->kin == 0)
        return addresses[node] == of->address;
    return wri_reason_element(m->trace, node) == m->element &&
           wri_reason_kin(m->trace, addresses, node) == of->kin;
}

/* Finds the variable's node; takes its value if it is no element. */
static bool find(match *m, const uint64_t *addresses, uint32_t variable)
{
    const wri_reason_variable *at = &m->reason->variables[variable];
    wri_node_what              what = at->list == WRI_REASON_CHOICE ? WRI_CHOICE : WRI_ARRAY;
    uint32_t                   node = 1;
    while (node < m->trace->node_count &&
           (m->trace->nodes[node].what != what || !is_draw(m, addresses, at, node)))
        node++;
    if (node >= m->trace->node_count)
        return false;
    m->nodes[variable] = node;
    if (at->list == WRI_REASON_CHOICE)
        m->values[variable] =
            wri_reason_value(&m->trace->nodes[node], m->trace->nodes[node].number);
    else if (at->list == WRI_REASON_TOTAL)
        m->values[variable] = total(m->trace, &m->trace->nodes[node]);
    else
        return at->list < WRI_REASON_LISTS;
    m->set[variable] = true;
    return holds_for(m, variable);
}

static bool matches_in(const wri_reason *reason, const wri_trace *trace,
                       const uint64_t *addresses, uint32_t element)
{
    match m = { .reason = reason, .trace = trace, .tries = MOST_TRIES, .element = element };
    for (uint32_t i = 0; i < reason->variable_count && i < WRI_REASON_VARIABLES; i++)
        if (!find(&m, addresses, i))
            return false;
    return place_next(&m, 0, 0);
}

bool wri_reason_matches(const wri_reason *reason, const wri_trace *trace)
{
    uint64_t addresses[WRI_REASON_NODES];
    if (!wri_reason_addresses(trace, addresses))
        return false;
    if (!reason->moves)
        return matches_in(reason, trace, addresses, 0);
    for (uint32_t i = 1; i < trace->node_count; i++)
        if (trace->nodes[i].what == WRI_ELEMENT && matches_in(reason, trace, addresses, i))
            return true;
    return false;
}
