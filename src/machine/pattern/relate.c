/* machine/pattern/relate.c: patterns that differ in values, or in how often calls are repeated:
 * see relate.h. */
#include "machine/pattern/relate.h"

#include <string.h>

static unsigned arity_of(const wri_machine *machine, const wri_pattern_call *call)
{
    return machine->commands[call->command].arity;
}

static bool is_value(const wri_term *term)
{
    return term->sort == WRI_TERM_RANGE;
}

/* ---- Without values ---- */

bool wri_relate_loosen(const wri_machine *machine, wri_pattern *pattern, unsigned calls)
{
    bool any = pattern->condition_count > 0;
    pattern->condition_count = 0;
    for (unsigned i = 0; i < calls; i++)
        for (unsigned j = 0; j < arity_of(machine, &pattern->calls[i]); j++)
            if (is_value(&pattern->calls[i].terms[j])) {
                pattern->calls[i].terms[j] = (wri_term){ .sort = WRI_TERM_ANY };
                any = true;
            }
    return any;
}

static bool names_value(const wri_machine *machine, const wri_pattern_call *call)
{
    for (unsigned i = 0; i < arity_of(machine, call); i++)
        if (is_value(&call->terms[i]))
            return true;
    return false;
}

/* The first call from here on that names a value; or the number of calls. */
static unsigned next_valued(const wri_machine *machine, const wri_pattern *pattern, unsigned from)
{
    while (from < pattern->count && !names_value(machine, &pattern->calls[from]))
        from++;
    return from;
}

bool wri_relate_names_values(const wri_machine *machine, const wri_pattern *pattern)
{
    return pattern->condition_count > 0 || next_valued(machine, pattern, 0) < pattern->count;
}

/* Is there a call of this command, or of one like it? */
static bool is_call(const wri_machine *machine, const wri_sequence *calls, size_t at,
                    uint8_t command)
{
    return at < calls->count && wri_machine_like(machine, calls->calls[at].command) == command;
}

bool wri_relate_repeats(const wri_machine *machine, const wri_pattern *pattern,
                        const wri_sequence *calls)
{
    size_t at = 0;
    for (unsigned i = 0; i < pattern->count; i++) {
        uint8_t command = pattern->calls[i].command;
        if (i > 0 && pattern->calls[i - 1].command == command)
            continue;
        if (!is_call(machine, calls, at, command))
            return false;
        while (is_call(machine, calls, at, command))
            at++;
    }
    return at == calls->count && calls->count != pattern->count;
}

/* ---- One for many ---- */

/* Is there no number between the two ranges? */
static bool touches(const wri_term *a, const wri_term *b)
{
    return (a->most == INT64_MAX || b->least <= a->most + 1) &&
           (b->most == INT64_MAX || a->least <= b->most + 1);
}

/* Hashes have no order, so a range that includes two of them has no ends. */
static void widen(wri_term *term, const wri_term *other)
{
    bool ordered = !wri_made_is_opaque(term->least) && !wri_made_is_opaque(other->least);
    if (!ordered || other->least < term->least)
        term->least = ordered ? other->least : INT64_MIN;
    if (!ordered || other->most > term->most)
        term->most = ordered ? other->most : INT64_MAX;
}

/* Counts the ranges that grow; false: the calls differ in more than values, or, if `exactly`,
 * the range would include more than both. */
static bool extend_call(const wri_machine *machine, wri_pattern_call *call,
                        const wri_pattern_call *other, bool exactly, unsigned *grown)
{
    bool alike = other->command == call->command && other->result == call->result;
    for (unsigned i = 0; alike && i < arity_of(machine, call); i++) {
        wri_term       *mine = &call->terms[i];
        const wri_term *its = &other->terms[i];
        if (wri_term_same(mine, its))
            continue;
        alike = is_value(mine) && is_value(its) &&
                (!exactly || (++*grown == 1 && touches(mine, its)));
        widen(mine, its);
    }
    return alike;
}

/* The same for conditions. */
static bool extend_conditions(wri_pattern *pattern, const wri_pattern *other, bool exactly,
                              unsigned *grown)
{
    bool alike = pattern->condition_count == other->condition_count;
    for (unsigned i = 0; alike && i < pattern->condition_count; i++) {
        wri_condition       *mine = &pattern->conditions[i];
        const wri_condition *its = &other->conditions[i];
        wri_term             all = { WRI_TERM_RANGE, 0, mine->least, mine->most };
        wri_term             more = { WRI_TERM_RANGE, 0, its->least, its->most };
        alike = wri_condition_of_same(mine, its);
        if (wri_term_same(&all, &more))
            continue;
        alike = alike && (!exactly || (++*grown == 1 && touches(&all, &more)));
        widen(&all, &more);
        mine->least = all.least;
        mine->most = all.most;
    }
    return alike;
}

bool wri_relate_extend(const wri_machine *machine, wri_pattern *pattern, const wri_pattern *other,
                       bool exactly)
{
    wri_pattern wider = *pattern;
    unsigned    grown = 0;
    bool        alike =
        other->count == pattern->count &&
        memcmp(other->before, pattern->before, pattern->count * sizeof *pattern->before) == 0;
    for (unsigned i = 0; alike && i < pattern->count; i++)
        alike = extend_call(machine, &wider.calls[i], &other->calls[i], exactly, &grown);
    if (alike && extend_conditions(&wider, other, exactly, &grown))
        *pattern = wider;
    else
        alike = false;
    return alike;
}

/* ---- Two patterns that name values for the same arguments ---- */

static bool names_alike(const wri_relate_pair *c, unsigned at, unsigned known)
{
    const wri_pattern_call *mine = &c->pattern->calls[at], *its = &c->known->calls[known];
    bool                    alike = mine->command == its->command;
    for (unsigned i = 0; alike && i < arity_of(c->machine, mine); i++)
        alike = is_value(&mine->terms[i]) == is_value(&its->terms[i]);
    return alike;
}

static const wr_kind *kind_of(const wri_machine *machine, const wri_pattern_call *call,
                              unsigned argument)
{
    return machine->commands[call->command].table->takes[argument];
}

/* Does an argument of the call, of this kind, have the same term? */
static bool has_term(const wri_machine *machine, const wri_pattern_call *call,
                     const wr_kind *kind, const wri_term *term)
{
    for (unsigned i = 0; i < arity_of(machine, call); i++)
        if (kind_of(machine, call, i) == kind && wri_term_same(&call->terms[i], term))
            return true;
    return false;
}

/* Does a later call name all values of this one? Then the pattern may have them here by chance:
 * if a value occurs twice, no test tells in which of the two calls it matters. */
static bool is_named_later(const wri_machine *machine, const wri_pattern *pattern, unsigned at)
{
    const wri_pattern_call *call = &pattern->calls[at];
    for (unsigned i = 0; i < arity_of(machine, call); i++) {
        bool named = !is_value(&call->terms[i]);
        for (unsigned k = at + 1; k < pattern->count && !named; k++)
            named =
                has_term(machine, &pattern->calls[k], kind_of(machine, call, i), &call->terms[i]);
        if (!named)
            return false;
    }
    return true;
}

/* Two calls that name values for the same arguments. */
typedef struct pair {
    unsigned at, known;
} pair;

/* The next pair, from this one on. False: there is none. */
static bool find_pair(const wri_relate_pair *c, pair *now)
{
    for (;;) {
        now->at = next_valued(c->machine, c->pattern, now->at);
        now->known = next_valued(c->machine, c->known, now->known);
        bool more = now->at < c->pattern->count, known_more = now->known < c->known->count;
        if (more && known_more && names_alike(c, now->at, now->known))
            return true;
        if (more && is_named_later(c->machine, c->pattern, now->at))
            now->at++;
        else if (known_more && is_named_later(c->machine, c->known, now->known))
            now->known++;
        else
            return false;
    }
}

bool wri_relate_is_comparable(const wri_relate_pair *c)
{
    pair now = { 0 };
    while (find_pair(c, &now)) {
        now.at++;
        now.known++;
    }
    return now.at == c->pattern->count && now.known == c->known->count &&
           c->pattern->condition_count + c->known->condition_count == 0;
}

/* ---- Values and repeated calls of the one, put into the other ---- */

static int64_t middle(int64_t a, int64_t b)
{
    return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

static int64_t value_as(int64_t own, const wri_term *term, wri_relate_values which)
{
    int64_t known = own < term->least ? term->least : own > term->most ? term->most : own;
    return which == WRI_VALUES_OWN ? own : which == WRI_VALUES_KNOWN ? known : middle(own, known);
}

static void put_values(const wri_relate_pair *c, wri_relate_values which, wri_sequence *calls)
{
    for (pair now = { 0 }; find_pair(c, &now); now.at++, now.known++) {
        wri_made       *call = &calls->calls[now.at];
        const wri_term *terms = c->known->calls[now.known].terms;
        for (unsigned i = 0; i < wri_made_arity(c->machine, call); i++)
            if (is_value(&terms[i]))
                call->arguments[i] = value_as(call->arguments[i], &terms[i], which);
    }
}

bool wri_relate_lengthen(const wri_relate_pair *c, wri_relate_values which, wri_sequence *to)
{
    const wri_pattern *known = c->known;
    size_t             at = 0;
    if (!wri_sequence_copy(to, c->calls))
        return false;
    put_values(c, which, to);
    for (unsigned i = 0; i < known->count;) {
        uint8_t command = known->calls[i].command;
        for (; i < known->count && known->calls[i].command == command; i++, at++) {
            wri_made again = to->calls[at == 0 ? 0 : at - 1];
            if (!is_call(c->machine, to, at, command) &&
                !wri_sequence_insert(c->machine, to, at, &again))
                return false;
        }
        while (is_call(c->machine, to, at, command))
            at++;
    }
    return true;
}
