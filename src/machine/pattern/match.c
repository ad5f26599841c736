/* machine/pattern/match.c: is a bug in a sequence? Written as plainly as it gets.
 *
 * All ways to find the pattern's calls in the sequence are tried, the last call first, until one
 * is found that no guard makes harmless. avoid.c gives the same answers faster, and the tests
 * compare both. A question that takes too many steps is answered with yes.
 */
#include "machine/pattern/pattern.h"

#include <string.h>

#define LOOKS_MOST 200000

typedef struct matching {
    const wri_machine  *machine;
    const wri_pattern  *pattern;
    const wri_sequence *sequence;
    size_t              end;  /* the call that the match must end with */
    unsigned            last; /* and the call of the pattern that it is */
    unsigned            looks, most;
    uint64_t            bound; /* 1 << v: the variable has a value */
    int64_t             values[WRI_PATTERN_VARIABLES];
    size_t              places[WRI_PATTERN_CALLS];
} matching;

/* ---- One call ---- */

/* May the variable be this? It is from now on, if it was nothing before. */
static bool agrees(matching *m, unsigned variable, int64_t value)
{
    if ((m->bound >> variable & 1) != 0)
        return m->values[variable] == value;
    m->bound |= UINT64_C(1) << variable;
    m->values[variable] = value;
    return true;
}

static bool fits_term(matching *m, const wri_term *term, int64_t value)
{
    if (term->sort == WRI_TERM_RANGE)
        return term->least <= value && value <= term->most;
    return term->sort == WRI_TERM_ANY || agrees(m, term->variable, value);
}

static bool fits_arguments(matching *m, const wri_pattern_call *call, const wri_made *made)
{
    if (wri_machine_like(m->machine, made->command) != call->command)
        return false;
    for (unsigned i = 0; i < m->machine->commands[call->command].arity; i++)
        if (!fits_term(m, &call->terms[i], made->arguments[i]))
            return false;
    return true;
}

/* Binds variables also where it fails: whoever asks puts `bound` back. */
static bool fits(matching *m, const wri_pattern_call *call, size_t place)
{
    return fits_arguments(m, call, &m->sequence->calls[place]) &&
           (call->result == WRI_NO_VARIABLE || agrees(m, call->result, (int64_t)place));
}

/* ---- Guards ---- */

/* The same for a call beside the pattern's: what is not bound is anything. */
static bool fits_beside(const matching *m, const wri_pattern_call *call, size_t place)
{
    const wri_made *made = &m->sequence->calls[place];
    if (wri_machine_like(m->machine, made->command) != call->command)
        return false;
    for (unsigned i = 0; i < m->machine->commands[call->command].arity; i++) {
        const wri_term *term = &call->terms[i];
        int64_t         value = made->arguments[i];
        if (term->sort == WRI_TERM_RANGE && (value < term->least || value > term->most))
            return false;
        if (term->sort == WRI_TERM_VARIABLE && (m->bound >> term->variable & 1) != 0 &&
            m->values[term->variable] != value)
            return false;
    }
    return call->result == WRI_NO_VARIABLE || (m->bound >> call->result & 1) == 0 ||
           m->values[call->result] == (int64_t)place;
}

/* The first place behind all other calls of the pattern. */
static size_t gap_of(const matching *m)
{
    size_t gap = 0;
    for (unsigned i = 0; i < m->pattern->count; i++)
        if (i != m->last && m->places[i] >= gap)
            gap = m->places[i] + 1;
    return gap;
}

/* The last such call decides: what has consumed it has consumed earlier ones. */
static bool holds(const matching *m, const wri_guard *guard, size_t gap)
{
    wri_pattern_call again = m->pattern->calls[m->last];
    again.result = WRI_NO_VARIABLE; /* another call gives another handle */
    if ((guard->last >> m->last & 1) == 0)
        return false;
    for (size_t i = m->end; i-- > gap;) {
        if (fits_beside(m, &guard->call, i))
            return true;
        if (guard->consumed && fits_beside(m, &again, i))
            return false;
    }
    return false;
}

static bool is_harmless(const matching *m)
{
    size_t gap = gap_of(m);
    for (unsigned i = 0; i < m->pattern->guard_count; i++)
        if (holds(m, &m->pattern->guards[i], gap))
            return true;
    return false;
}

/* ---- All calls ---- */

/* May call i of the pattern be at this place, given where those in `placed` are? */
static bool in_order(const matching *m, unsigned i, size_t place, uint32_t placed)
{
    for (unsigned j = 0; j < m->pattern->count; j++) {
        if ((placed >> j & 1) == 0)
            continue;
        if (m->places[j] == place ||
            ((m->pattern->before[i] >> j & 1) != 0 && m->places[j] > place) ||
            ((m->pattern->before[j] >> i & 1) != 0 && m->places[j] < place))
            return false;
    }
    return true;
}

static bool has_place(const matching *m, unsigned i)
{
    uint8_t result = m->pattern->calls[i].result;
    return result != WRI_NO_VARIABLE && (m->bound >> result & 1) != 0;
}

/* The call to look for next: one whose handle is taken by those that were found, for there is
 * only one place for it. */
static unsigned next_call(const matching *m, uint32_t placed)
{
    unsigned next = m->pattern->count;
    for (unsigned i = m->pattern->count; i-- > 0;)
        if ((placed >> i & 1) == 0 && (next == m->pattern->count || has_place(m, i))) {
            next = i;
            if (has_place(m, i))
                break;
        }
    return next;
}

static bool place_others(matching *m, uint32_t placed)
{
    unsigned i = next_call(m, placed);
    if (i == m->pattern->count)
        return !is_harmless(m);
    uint64_t bound = m->bound;
    size_t   from = m->end, least = 0;
    if (has_place(m, i)) {
        least = (size_t)m->values[m->pattern->calls[i].result];
        from = least < from ? least + 1 : least;
    }
    for (size_t place = from; place-- > least; m->bound = bound) {
        if (++m->looks > m->most)
            return true;
        m->places[i] = place;
        if (in_order(m, i, place, placed) && fits(m, &m->pattern->calls[i], place) &&
            place_others(m, placed | UINT32_C(1) << i))
            return true;
    }
    return false;
}

static bool ends_there(matching *m, unsigned most)
{
    if (m->sequence->count == 0 ||
        !wri_conditions_hold(m->pattern->conditions, m->pattern->condition_count,
                             &m->sequence->settings))
        return false;
    m->end = m->sequence->count - 1;
    m->most = most;
    for (m->last = 0; m->last < m->pattern->count; m->last++) {
        m->bound = 0;
        m->places[m->last] = m->end;
        if (fits(m, &m->pattern->calls[m->last], m->end) &&
            place_others(m, wri_pattern_bit(m->last)))
            return true;
    }
    return false;
}

bool wri_match_at_end(const wri_machine *machine, const wri_pattern *pattern,
                      const wri_sequence *sequence)
{
    matching m = { .machine = machine, .pattern = pattern, .sequence = sequence };
    return ends_there(&m, LOOKS_MOST);
}

bool wri_match_places_at_end(const wri_machine *machine, const wri_pattern *pattern,
                             const wri_sequence *sequence, unsigned most, size_t *places)
{
    matching m = { .machine = machine, .pattern = pattern, .sequence = sequence };
    if (!ends_there(&m, most) || m.looks > most)
        return false;
    memcpy(places, m.places, pattern->count * sizeof *places);
    return true;
}
