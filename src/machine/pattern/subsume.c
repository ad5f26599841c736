/* machine/pattern/subsume.c: is one bug a case of another?
 *
 * A sequence that fits `special` has the calls of `special`, in one of its orders. If the calls
 * of `general` are found among them in every order, the sequence has the bug `general`, too. An
 * argument that `special` leaves open is taken as a value of its own, equal to no other. Guards
 * add a condition: all that makes `general` harmless must make `special` harmless.
 */
#include "machine/pattern/pattern.h"

#define ORDERS_MOST 1000
#define STEPS_MOST 1000000 /* calls placed, and held against each other, over all orders */

/* An argument of `special`, as far as it is certain. */
typedef enum { OPEN, VARIABLE, NUMBER } symbol_sort;
typedef struct symbol {
    symbol_sort sort;
    int64_t     which;
} symbol;

typedef struct comparison {
    const wri_machine *machine;
    const wri_pattern *general, *special;
    uint32_t           before[WRI_PATTERN_CALLS]; /* of special, and what follows from handles */
    uint64_t           known;                     /* the variables of special */
    unsigned           places[WRI_PATTERN_CALLS]; /* of special's calls, in this order of them */
    unsigned           images[WRI_PATTERN_CALLS]; /* general's calls are these of special's */
    uint64_t           bound;                     /* variables of general, */
    symbol             symbols[WRI_PATTERN_VARIABLES]; /* and what they are */
    unsigned           orders, steps;
} comparison;

/* ---- Terms ---- */

typedef struct extent {
    int64_t least, most;
} extent;

/* All that an argument can be. */
static extent extent_of(const wr_kind *kind, const wri_term *term)
{
    extent all = { INT64_MIN, INT64_MAX };
    if (kind->abstract == NULL && kind->values > 0 && kind->values <= INT64_MAX)
        all = (extent){ 0, (int64_t)kind->values - 1 };
    if (term->sort == WRI_TERM_RANGE)
        all = (extent){ term->least > all.least ? term->least : all.least,
                        term->most < all.most ? term->most : all.most };
    return all;
}

static bool is_within(extent inner, const wri_term *range)
{
    return range->least <= inner.least && inner.most <= range->most;
}

static symbol symbol_of(const wri_term *term)
{
    if (term->sort == WRI_TERM_VARIABLE)
        return (symbol){ VARIABLE, term->variable };
    if (term->sort == WRI_TERM_RANGE && term->least == term->most)
        return (symbol){ NUMBER, term->least };
    return (symbol){ OPEN, 0 };
}

static symbol symbol_of_result(const wri_pattern_call *call)
{
    if (call->result == WRI_NO_VARIABLE)
        return (symbol){ OPEN, 0 };
    return (symbol){ VARIABLE, call->result };
}

/* An open symbol is not even the same as itself: it was met only once. */
static bool is_same(symbol a, symbol b)
{
    return a.sort != OPEN && a.sort == b.sort && a.which == b.which;
}

static bool is_bound(const comparison *c, unsigned variable)
{
    return variable != WRI_NO_VARIABLE && (c->bound >> variable & 1) != 0;
}

static bool agrees(comparison *c, unsigned variable, symbol is)
{
    if (is_bound(c, variable))
        return is_same(c->symbols[variable], is);
    c->bound |= UINT64_C(1) << variable;
    c->symbols[variable] = is;
    return true;
}

static bool covers_term(comparison *c, const wr_kind *kind, const wri_term *general,
                        const wri_term *special)
{
    if (general->sort == WRI_TERM_VARIABLE)
        return agrees(c, general->variable, symbol_of(special));
    return general->sort == WRI_TERM_ANY || is_within(extent_of(kind, special), general);
}

/* Fits every call that fits `special`'s one the call of `general`, too? Binds variables also
 * where not. */
static bool covers(comparison *c, const wri_pattern_call *general,
                   const wri_pattern_call *special)
{
    const wri_machine_command *command = &c->machine->commands[general->command];
    if (general->command != special->command)
        return false;
    for (unsigned i = 0; i < command->arity; i++)
        if (!covers_term(c, command->table->takes[i], &general->terms[i], &special->terms[i]))
            return false;
    return general->result == WRI_NO_VARIABLE ||
           agrees(c, general->result, symbol_of_result(special));
}

/* ---- Guards ---- */

/* A guard's term in the terms of `special`. A variable that `general` does not have is anything.
 */
static wri_term translate(const comparison *c, const wri_term *term)
{
    if (term->sort != WRI_TERM_VARIABLE)
        return *term;
    symbol is = is_bound(c, term->variable) ? c->symbols[term->variable] : (symbol){ OPEN, 0 };
    if (is.sort == VARIABLE)
        return (wri_term){ .sort = WRI_TERM_VARIABLE, .variable = (uint8_t)is.which };
    if (is.sort == NUMBER)
        return wri_term_constant(is.which);
    return (wri_term){ .sort = WRI_TERM_ANY };
}

static bool is_known(const comparison *c, unsigned variable)
{
    return variable != WRI_NO_VARIABLE && (c->known >> variable & 1) != 0;
}

/* Is all that fits the term of a guard of `general` something that fits special's? */
static bool guards_term(const comparison *c, const wr_kind *kind, const wri_term *special,
                        const wri_term *general)
{
    wri_term term = translate(c, general);
    if (special->sort == WRI_TERM_RANGE)
        return is_within(extent_of(kind, &term), special);
    if (special->sort == WRI_TERM_ANY || !is_known(c, special->variable))
        return true;
    return term.sort == WRI_TERM_VARIABLE && term.variable == special->variable;
}

static bool guards_call(const comparison *c, const wri_pattern_call *special,
                        const wri_pattern_call *general)
{
    const wri_machine_command *command = &c->machine->commands[special->command];
    if (special->command != general->command)
        return false;
    for (unsigned i = 0; i < command->arity; i++)
        if (!guards_term(c, command->table->takes[i], &special->terms[i], &general->terms[i]))
            return false;
    return !is_known(c, special->result) ||
           (is_bound(c, general->result) &&
            is_same(c->symbols[general->result], (symbol){ VARIABLE, special->result }));
}

/* Does every call that consumes special's guards consume general's? It need not have the values
 * that `special` leaves open. */
static bool consumes_alike(const comparison *c, unsigned last)
{
    const wri_pattern_call *general = &c->general->calls[last];
    const wri_pattern_call *special = &c->special->calls[c->images[last]];
    for (unsigned i = 0; i < c->machine->commands[general->command].arity; i++)
        if (general->terms[i].sort == WRI_TERM_VARIABLE &&
            symbol_of(&special->terms[i]).sort == OPEN)
            return false;
    return true;
}

static bool is_guarded_alike(const comparison *c, unsigned last, const wri_guard *general)
{
    for (unsigned i = 0; i < c->special->guard_count; i++) {
        const wri_guard *special = &c->special->guards[i];
        if ((special->last >> c->images[last] & 1) != 0 &&
            (!special->consumed || (general->consumed && consumes_alike(c, last))) &&
            guards_call(c, &special->call, &general->call))
            return true;
    }
    return false;
}

/* Which call of `general` comes last, and where is the one before it? */
static unsigned last_of(const comparison *c, unsigned *gap)
{
    unsigned last = 0;
    *gap = 0;
    for (unsigned i = 1; i < c->general->count; i++)
        if (c->places[c->images[i]] > c->places[c->images[last]])
            last = i;
    for (unsigned i = 0; i < c->general->count; i++)
        if (i != last && c->places[c->images[i]] + 1 > *gap)
            *gap = c->places[c->images[i]] + 1;
    return last;
}

/* Does what makes `general` harmless in these calls make `special` harmless? */
static bool guards_agree(const comparison *c)
{
    unsigned gap, last = last_of(c, &gap), end = c->special->count - 1;
    bool     same_stretch = c->places[c->images[last]] == end && gap == end;
    for (unsigned i = 0; i < c->general->guard_count; i++) {
        const wri_guard *guard = &c->general->guards[i];
        if ((guard->last >> last & 1) != 0 &&
            (!same_stretch || !is_guarded_alike(c, last, guard)))
            return false;
    }
    return true;
}

/* ---- One order ---- */

/* May call i of `general` be this of special's, given what those after i are? */
static bool in_order(const comparison *c, unsigned i, unsigned image)
{
    for (unsigned j = i + 1; j < c->general->count; j++) {
        unsigned place = c->places[c->images[j]];
        if (c->images[j] == image ||
            ((c->general->before[i] >> j & 1) != 0 && place > c->places[image]) ||
            ((c->general->before[j] >> i & 1) != 0 && place < c->places[image]))
            return false;
    }
    return true;
}

/* Are the first so many calls of `general` there? The last comes first: what it takes says which
 * those before it are. */
static bool is_among(comparison *c, unsigned count)
{
    if (count == 0)
        return guards_agree(c);
    uint64_t bound = c->bound;
    unsigned i = count - 1;
    for (unsigned image = c->special->count; image-- > 0; c->bound = bound) {
        if (++c->steps > STEPS_MOST)
            return false;
        c->images[i] = image;
        if (in_order(c, i, image) &&
            covers(c, &c->general->calls[i], &c->special->calls[image]) && is_among(c, i))
            return true;
    }
    return false;
}

/* ---- All orders ---- */

/* Is it so in all orders that begin with the calls that were placed? */
static bool in_all_orders(comparison *c, uint32_t placed, unsigned count)
{
    if (count == c->special->count) {
        c->bound = 0;
        return ++c->orders <= ORDERS_MOST && is_among(c, c->general->count);
    }
    for (unsigned i = 0; i < c->special->count; i++) {
        if ((placed >> i & 1) != 0 || (c->before[i] & ~placed) != 0)
            continue;
        c->places[i] = count;
        if (++c->steps > STEPS_MOST || !in_all_orders(c, placed | UINT32_C(1) << i, count + 1))
            return false;
    }
    return true;
}

/* The calls whose handles this one takes come before it, whether or not the pattern says so. */
static uint32_t givers(const wri_machine *machine, const wri_pattern *pattern, unsigned user)
{
    const wri_pattern_call *call = &pattern->calls[user];
    uint32_t                found = 0;
    for (unsigned i = 0; i < machine->commands[call->command].arity; i++)
        for (unsigned j = 0; j < pattern->count; j++)
            if (wri_machine_takes_handle(machine, call->command, i) && j != user &&
                call->terms[i].sort == WRI_TERM_VARIABLE &&
                call->terms[i].variable == pattern->calls[j].result)
                found |= UINT32_C(1) << j;
    return found;
}

static uint64_t variables_of(const wri_machine *machine, const wri_pattern *pattern)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < pattern->count; i++) {
        const wri_pattern_call *call = &pattern->calls[i];
        for (unsigned j = 0; j < machine->commands[call->command].arity; j++)
            if (call->terms[j].sort == WRI_TERM_VARIABLE)
                found |= UINT64_C(1) << call->terms[j].variable;
        if (call->result != WRI_NO_VARIABLE)
            found |= UINT64_C(1) << call->result;
    }
    return found;
}

wri_call_counts wri_subsume_count_calls(const wri_pattern *pattern)
{
    wri_call_counts count = { { 0 } };
    for (unsigned i = 0; i < pattern->count; i++)
        count.of[pattern->calls[i].command]++;
    return count;
}

bool wri_subsume_has_calls(wri_call_counts all, wri_call_counts some)
{
    for (unsigned i = 0; i < WRI_COMMANDS; i++)
        if (some.of[i] > all.of[i])
            return false;
    return true;
}

/* Do all settings that `special` allows meet the conditions of `general`? */
static bool covers_settings(const wri_pattern *general, const wri_pattern *special)
{
    for (unsigned i = 0; i < general->condition_count; i++) {
        const wri_condition *wide = &general->conditions[i], *narrow = special->conditions;
        const wri_condition *end = narrow + special->condition_count;
        while (narrow < end && !wri_condition_of_same(wide, narrow))
            narrow++;
        if (narrow == end || narrow->least < wide->least || narrow->most > wide->most)
            return false;
    }
    return true;
}

bool wri_subsume_is_case_of(const wri_machine *machine, const wri_pattern *general,
                            const wri_pattern *special)
{
    comparison c = { .machine = machine, .general = general, .special = special };
    if (general->count == 0 || !covers_settings(general, special) ||
        !wri_subsume_has_calls(wri_subsume_count_calls(special),
                               wri_subsume_count_calls(general)))
        return false;
    for (unsigned i = 0; i < special->count; i++)
        c.before[i] = special->before[i] | givers(machine, special, i);
    c.known = variables_of(machine, special);
    return in_all_orders(&c, 0, 0);
}
