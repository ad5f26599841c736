/* chase/two_bugs.c: two bugs of one call and place that differ in values and in how often calls
 * are repeated.
 *
 * A counter that is as large as a number, and a size that a number must not exceed, are one bug
 * that needs more calls for one value than for another. But two values may be special each for
 * itself, and one of them only once there are several calls: these are two. So where the calls
 * that one of them has more name no values, it is tried whether their number matters to the other
 * one, too: whether its values fail among as many calls. If they do, values between those of both
 * are tried there: what is special ends between them, and what grows with the number of calls
 * does not.
 */
#include "chase/internal.h"
#include "machine/study/trial.h"

typedef struct comparison {
    const wri_machine  *machine;
    const wri_pattern  *known;
    const wri_pattern  *pattern; /* of these calls: */
    const wri_sequence *calls;
} comparison;

/* ---- The values of both ---- */

static bool names_value(const wri_machine *machine, const wri_pattern_call *call)
{
    for (unsigned i = 0; i < machine->commands[call->command].arity; i++)
        if (call->terms[i].sort == WRI_TERM_RANGE)
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

static bool names_alike(const comparison *c, unsigned at, unsigned known)
{
    const wri_pattern_call *mine = &c->pattern->calls[at], *its = &c->known->calls[known];
    bool                    alike = mine->command == its->command;
    for (unsigned i = 0; alike && i < c->machine->commands[mine->command].arity; i++)
        alike = (mine->terms[i].sort == WRI_TERM_RANGE) == (its->terms[i].sort == WRI_TERM_RANGE);
    return alike;
}

static const wr_kind *kind_of(const wri_machine *machine, const wri_pattern_call *call,
                              unsigned argument)
{
    return machine->commands[call->command].table->takes[argument];
}

/* Does the call have the same value? */
static bool has_term(const wri_machine *machine, const wri_pattern_call *call,
                     const wr_kind *kind, const wri_term *term)
{
    for (unsigned i = 0; i < machine->commands[call->command].arity; i++)
        if (kind_of(machine, call, i) == kind && wri_term_same(&call->terms[i], term))
            return true;
    return false;
}

/* Does a later call name all that this one does? Then a rule may say it of this one by chance: of
 * two that are the same it is not asked in which of them the value matters. */
static bool is_named_later(const wri_machine *machine, const wri_pattern *pattern, unsigned at)
{
    const wri_pattern_call *call = &pattern->calls[at];
    for (unsigned i = 0; i < machine->commands[call->command].arity; i++) {
        bool named = call->terms[i].sort != WRI_TERM_RANGE;
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
static bool find_pair(const comparison *c, pair *now)
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

/* Do the same calls name values, so that those which one has more of name none? */
static bool is_comparable(const comparison *c)
{
    pair now = { 0 };
    for (; find_pair(c, &now); now.at++, now.known++)
        ;
    return now.at == c->pattern->count && now.known == c->known->count;
}

static int64_t nearest(const wri_term *term, int64_t value)
{
    return value < term->least ? term->least : value > term->most ? term->most : value;
}

static int64_t middle(int64_t a, int64_t b)
{
    return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

typedef enum { ITS_OWN, OF_KNOWN, BETWEEN } values;

static int64_t value_as(int64_t own, const wri_term *term, values which)
{
    int64_t known = nearest(term, own);
    return which == ITS_OWN ? own : which == OF_KNOWN ? known : middle(own, known);
}

static void put_values(const comparison *c, values which, wri_sequence *calls)
{
    for (pair now = { 0 }; find_pair(c, &now); now.at++, now.known++) {
        wri_made       *call = &calls->calls[now.at];
        const wri_term *terms = c->known->calls[now.known].terms;
        for (unsigned i = 0; i < wri_arity(c->machine, call); i++)
            if (terms[i].sort == WRI_TERM_RANGE)
                call->arguments[i] = value_as(call->arguments[i], &terms[i], which);
    }
}

/* ---- Trying them ---- */

static bool is_call(const wri_sequence *calls, size_t at, uint8_t command)
{
    return at < calls->count && calls->calls[at].command == command;
}

/* Each call is repeated as often as in the known bug, at least. */
static bool lengthen(const comparison *c, wri_sequence *calls)
{
    const wri_pattern *known = c->known;
    size_t             at = 0;
    for (unsigned i = 0; i < known->count;) {
        uint8_t command = known->calls[i].command;
        for (; i < known->count && known->calls[i].command == command; i++, at++) {
            wri_made again = calls->calls[at == 0 ? 0 : at - 1];
            if (!is_call(calls, at, command) &&
                !wri_sequence_insert(c->machine, calls, at, &again))
                return false;
        }
        while (is_call(calls, at, command))
            at++;
    }
    return true;
}

/* Known bugs may well be in it. */
static wri_tried try_with(wri_chase *chase, const comparison *c, values which)
{
    wri_lab      lab = wri_chase_lab(chase);
    wri_sequence calls = { 0 };
    wri_tried    tried = WRI_TRIED_IMPOSSIBLE;
    size_t       at;
    if (wri_sequence_copy(&calls, c->calls)) {
        put_values(c, which, &calls);
        if (lengthen(c, &calls))
            tried = lab.run(lab.context, &calls, &at);
    }
    wri_sequence_free(&calls);
    return tried;
}

bool wri_chase_is_apart(wri_chase *chase, const wri_pattern *known, const wri_sequence *calls,
                        const wri_pattern *pattern)
{
    comparison c = {
        .machine = chase->machine, .known = known, .pattern = pattern, .calls = calls
    };
    values of_shorter = calls->count < known->count ? ITS_OWN : OF_KNOWN;
    return is_comparable(&c) && try_with(chase, &c, of_shorter) == WRI_TRIED_SAME &&
           try_with(chase, &c, BETWEEN) == WRI_TRIED_PASSED;
}
