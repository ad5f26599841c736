/* quest/why_text.c: reasons compared, and in words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quest/why.h"

/* ---- Comparing ---- */

static bool same_variable(const wri_reason *one, uint32_t a, const wri_reason *other, uint32_t b)
{
    const wri_reason_variable *x = &one->variables[a], *y = &other->variables[b];
    bool                       same = x->kin != 0 ? x->kin == y->kin : x->address == y->address;
    if (!same || (x->list < WRI_REASON_LISTS) != (y->list < WRI_REASON_LISTS))
        return false;
    if (x->list >= WRI_REASON_LISTS)
        return x->list == y->list;
    const wri_reason_list *in = &one->lists[x->list], *at = &other->lists[y->list];
    return in->place == at->place && x->element == y->element &&
           (in->place == WRI_REASON_ANYWHERE || in->width == at->width);
}

static bool is_of_two(const wri_reason_condition *of)
{
    return of->sort == WRI_REASON_DIFFERENCE || of->sort == WRI_REASON_SUM;
}

/* The other reason's condition on the same variables; NULL: it has none. */
static const wri_reason_condition *counterpart(const wri_reason *one, uint32_t condition,
                                               const wri_reason *other)
{
    const wri_reason_condition *of = &one->conditions[condition];
    for (uint32_t i = 0; i < other->condition_count; i++) {
        const wri_reason_condition *at = &other->conditions[i];
        if (at->sort == of->sort && at->step == of->step &&
            same_variable(one, of->a, other, at->a) &&
            (!is_of_two(of) || same_variable(one, of->b, other, at->b)))
            return at;
    }
    return NULL;
}

static bool has_variable(const wri_reason *of, const wri_reason *other, uint32_t variable)
{
    for (uint32_t i = 0; i < of->variable_count; i++)
        if (same_variable(of, i, other, variable))
            return true;
    return false;
}

static bool touch(const wri_reason_condition *one, const wri_reason_condition *other)
{
    return (one->hi == INT64_MAX || one->hi + 1 >= other->lo) &&
           (other->hi == INT64_MAX || other->hi + 1 >= one->lo);
}

bool wri_why_same_draws(const wri_reason *one, const wri_reason *other)
{
    bool same = one->variable_count == other->variable_count;
    for (uint32_t i = 0; i < one->variable_count && same; i++)
        same = has_variable(other, one, i);
    return same;
}

bool wri_why_alike(const wri_reason *one, const wri_reason *other)
{
    bool alike = wri_why_same_draws(one, other) && one->condition_count == other->condition_count;
    for (uint32_t i = 0; i < one->condition_count && alike; i++)
        alike = counterpart(one, i, other) != NULL;
    return alike;
}

static bool all_touch(const wri_reason *one, const wri_reason *other)
{
    if (!wri_why_same_draws(one, other))
        return false;
    for (uint32_t i = 0; i < one->condition_count; i++) {
        const wri_reason_condition *there = counterpart(one, i, other);
        if (there == NULL ? one->conditions[i].sort != WRI_REASON_RANGE
                          : !touch(&one->conditions[i], there))
            return false;
    }
    return true;
}

bool wri_why_moved(const wri_reason *one, const wri_reason *other)
{
    for (uint32_t i = 0; i < one->variable_count && i < other->variable_count; i++)
        for (uint32_t k = 0; k < other->variable_count; k++)
            if (one->variables[i].kin != 0 && one->variables[i].kin == other->variables[k].kin &&
                one->variables[i].address != other->variables[k].address)
                return true;
    return false;
}

static bool follows(const wri_reason_condition *wide, const wri_reason_condition *narrow)
{
    uint64_t apart = (uint64_t)narrow->lo - (uint64_t)wide->lo;
    if (wide->sort != WRI_REASON_REMAINDER || wide->step == 0)
        return narrow->lo >= wide->lo && narrow->hi <= wide->hi;
    return narrow->lo >= wide->lo &&
           apart % wide->step + ((uint64_t)narrow->hi - (uint64_t)narrow->lo) <=
               (uint64_t)wide->hi - (uint64_t)wide->lo;
}

/* Does each condition of `wide` follow from one of `narrow`? */
static bool includes(const wri_reason *wide, const wri_reason *narrow)
{
    for (uint32_t i = 0; i < wide->condition_count; i++) {
        const wri_reason_condition *of = &wide->conditions[i];
        const wri_reason_condition *in = counterpart(wide, i, narrow);
        if (in == NULL || !follows(of, in))
            return false;
    }
    return wide->condition_count > 0;
}

bool wri_why_joins(const wri_reason *one, const wri_reason *other)
{
    return one->known && other->known &&
           ((all_touch(one, other) && all_touch(other, one)) || includes(other, one));
}

/* ---- Words ---- */

typedef struct saying {
    const wri_bug    *bug;
    const wri_reason *reason;
    FILE             *out;
    uint64_t          addresses[WRI_REASON_NODES];
    uint32_t          nodes[WRI_REASON_VARIABLES];
    bool              any;
} saying;

/* The printed value that the node belongs to: those of one name come in the order drawn. */
static const char *name_of(const wri_bug *bug, uint32_t node)
{
    const wri_trace *trace = &bug->trace;
    size_t           before = 0;
    for (uint32_t i = 1; i < node; i++)
        before += trace->nodes[i].what >= WRI_CHOICE &&
                  trace->nodes[i].label == trace->nodes[node].label &&
                  trace->nodes[i].what == trace->nodes[node].what;
    for (size_t i = 0; i < bug->failure.value_count; i++) {
        const char *name = bug->failure.values[i].name;
        char        base[128];
        snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "["), name);
        if (wri_trace_label_hash(base) == trace->nodes[node].label && before-- == 0)
            return name;
    }
    return NULL;
}

/* A text has one name for its length and its letters. */
static bool is_own_length(const saying *s, uint32_t variable)
{
    const wri_trace *trace = &s->bug->trace;
    for (uint32_t i = s->nodes[variable] + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == s->nodes[variable] &&
            trace->nodes[i].label == trace->nodes[s->nodes[variable]].label)
            return true;
    return false;
}

static void put_name(saying *s, uint32_t variable)
{
    static const char *const   PLACES[] = { "i", "j", "k" };
    const wri_reason_variable *of = &s->reason->variables[variable];
    const char                *name = name_of(s->bug, s->nodes[variable]);
    name = name == NULL ? "a draw" : name;
    if (of->list == WRI_REASON_CHOICE)
        fprintf(s->out, "%s%s", is_own_length(s, variable) ? "length of " : "", name);
    else if (of->list == WRI_REASON_TOTAL)
        fprintf(s->out, "sum of %s", name);
    else {
        const wri_reason_list *list = &s->reason->lists[of->list];
        uint32_t               first = variable, order;
        while (first > 0 && s->reason->variables[first - 1].list == of->list)
            first--;
        order = variable - first;
        uint32_t more = of->element - s->reason->variables[first].element;
        if (list->place == WRI_REASON_FRONT)
            fprintf(s->out, "%s[%u]", name, of->element);
        else if (list->place == WRI_REASON_BACK)
            fprintf(s->out, "%s[last%s%.0u]", name, list->width - of->element > 1 ? " - " : "",
                    list->width - of->element - 1);
        else if (list->place == WRI_REASON_ANYWHERE)
            fprintf(s->out, "some %s[%s]", name, PLACES[order < 3 ? order : 2]);
        else
            fprintf(s->out, "some %s[i%s%.0u]", name, more > 0 ? " + " : "", more);
    }
}

static void put_value(saying *s, uint32_t variable, int64_t value)
{
    const wri_node *node = &s->bug->trace.nodes[s->nodes[variable]];
    const char     *letters = wri_choice_alphabet(node->letters);
    char            digits[WRI_REAL_DIGITS];
    if (s->reason->variables[variable].list == WRI_REASON_TOTAL)
        fprintf(s->out, "%" PRId64, value);
    else if (letters != NULL && (uint64_t)value < strlen(letters))
        fprintf(s->out, "'%c'", letters[value]);
    else if (node->kind == WRI_BOOLEAN)
        fprintf(s->out, "%s", value ? "true" : "false");
    else if (node->kind == WRI_REAL) {
        wri_choice_real_print(digits, wri_choice_real_value(wri_reason_number(node, value)),
                              false);
        fprintf(s->out, "%s", digits);
    } else
        fprintf(s->out, "%" PRId64, value);
}

static void put_range(saying *s, const wri_reason_condition *of)
{
    const wri_node *node = &s->bug->trace.nodes[s->nodes[of->a]];
    bool            sum = s->reason->variables[of->a].list == WRI_REASON_TOTAL;
    bool            low = sum ? of->lo != INT64_MIN : of->lo > wri_reason_least(node);
    bool            high = sum ? of->hi != INT64_MAX : of->hi < wri_reason_most(node);
    put_name(s, of->a);
    if (of->lo == of->hi) {
        fprintf(s->out, " = ");
        put_value(s, of->a, of->lo);
        return;
    }
    if (low && high) {
        fprintf(s->out, " in ");
        put_value(s, of->a, of->lo);
        fprintf(s->out, "..");
        put_value(s, of->a, of->hi);
        return;
    }
    fprintf(s->out, low ? " >= " : " <= ");
    put_value(s, of->a, low ? of->lo : of->hi);
}

static void put_remainder(saying *s, const wri_reason_condition *of)
{
    const wri_node *node = &s->bug->trace.nodes[s->nodes[of->a]];
    bool            sum = s->reason->variables[of->a].list == WRI_REASON_TOTAL;
    uint64_t        width = (uint64_t)of->hi - (uint64_t)of->lo;
    int64_t         step = (int64_t)of->step, low = (of->lo % step + step) % step;
    int64_t         least = sum ? 0 : wri_reason_least(node);
    put_name(s, of->a);
    fprintf(s->out, " mod %" PRId64 " %s %" PRId64, step, width > 0 ? "in" : "=", low);
    if (width > 0)
        fprintf(s->out, "..%" PRIu64, (uint64_t)low + width);
    if ((uint64_t)of->lo - (uint64_t)least >= of->step)
        fprintf(s->out, ", from %" PRId64 " on", of->lo);
}

static void put_difference(saying *s, const wri_reason_condition *of)
{
    bool    exact = of->lo == of->hi, low = of->lo != INT64_MIN;
    int64_t by = low ? of->lo : of->hi;
    put_name(s, of->a);
    fprintf(s->out, " %s ", exact ? "=" : low ? ">=" : "<=");
    put_name(s, of->b);
    if (by != 0)
        fprintf(s->out, " %c %" PRIu64, by > 0 ? '+' : '-',
                by > 0 ? (uint64_t)by : 0 - (uint64_t)by);
    if (low && !exact && of->hi != INT64_MAX)
        fprintf(s->out, ", by at most %" PRIu64 " more", (uint64_t)of->hi - (uint64_t)of->lo);
}

static void put_sum(saying *s, const wri_reason_condition *of)
{
    bool exact = of->lo == of->hi, low = of->lo != INT64_MIN;
    put_name(s, of->a);
    fprintf(s->out, " + ");
    put_name(s, of->b);
    if (low && !exact && of->hi != INT64_MAX)
        fprintf(s->out, " in %" PRId64 "..%" PRId64, of->lo, of->hi);
    else
        fprintf(s->out, " %s %" PRId64, exact ? "=" : low ? ">=" : "<=", low ? of->lo : of->hi);
}

static void put_condition(saying *s, const wri_reason_condition *of)
{
    fprintf(s->out, "%s", s->any ? " and " : "");
    s->any = true;
    switch (of->sort) {
    case WRI_REASON_RANGE: put_range(s, of); break;
    case WRI_REASON_REMAINDER: put_remainder(s, of); break;
    case WRI_REASON_DIFFERENCE: put_difference(s, of); break;
    default: put_sum(s, of);
    }
}

/* Has an earlier draw this name? */
static bool is_repeated(const saying *s, uint32_t node, const char *name)
{
    bool repeated = false;
    for (uint32_t i = 1; i < node && !repeated; i++) {
        const wri_node *at = &s->bug->trace.nodes[i];
        const char     *of = at->what >= WRI_CHOICE && at->max > 0 ? name_of(s->bug, i) : NULL;
        repeated = of != NULL && strcmp(of, name) == 0;
    }
    return repeated;
}

/* The draws that no condition is about. A text is several draws of one name. */
static void put_others(saying *s)
{
    bool any = false;
    for (uint32_t node = 1; node < s->bug->trace.node_count; node++) {
        const wri_node *at = &s->bug->trace.nodes[node];
        const char *name = at->what >= WRI_CHOICE && at->max > 0 ? name_of(s->bug, node) : NULL;
        bool        used = false;
        for (uint32_t i = 0; i < s->reason->variable_count; i++)
            used |= s->nodes[i] == node;
        if (name == NULL || used || strchr(name, '[') != NULL || is_repeated(s, node, name))
            continue; /* one of each name is enough */
        fprintf(s->out, "%s%s", any ? ", " : s->any ? ", whatever " : "", name);
        any = true;
    }
}

char *wri_why_text(const wri_bug *bug, const wri_reason *reason)
{
    char  *text = NULL;
    size_t size;
    saying s = { .bug = bug, .reason = reason, .out = open_memstream(&text, &size) };
    if (s.out == NULL || !wri_reason_addresses(&bug->trace, s.addresses)) {
        if (s.out != NULL)
            fclose(s.out);
        free(text);
        return NULL;
    }
    for (uint32_t i = 0; i < reason->variable_count; i++)
        for (uint32_t node = 1; node < bug->trace.node_count; node++)
            if (s.addresses[node] == reason->variables[i].address)
                s.nodes[i] = node;
    fprintf(s.out, "fails for %s ", reason->sure ? "every" : "nearly every");
    for (uint32_t i = 0; i < reason->condition_count; i++)
        put_condition(&s, &reason->conditions[i]);
    put_others(&s);
    if (fclose(s.out) == 0)
        return text;
    free(text);
    return NULL;
}
