/* machine/pattern/compile.c: makes patterns ready for the search of avoid.c.
 *
 * Everything that does not depend on a sequence is computed here, once for each set of patterns.
 * The calls of an ending get an order in which they are looked for. The call of which most is
 * known comes first; among equals, the latest one of the pattern. Its place bounds the places of
 * the others from above. A search that always takes the latest call need not come back for those
 * bounds. Calls that can stand for each other are looked for in one order only. A guard is looked
 * for as soon as everything that it depends on is known.
 */
#include "machine/pattern/compiled.h"

#include <string.h>

/* ---- Orders ---- */

/* The calls that must come before each call. A handle is taken only after it was given, so that
 * is part of the order, whether the pattern says so or not. */
typedef struct ordering {
    uint32_t before[WRI_PATTERN_CALLS];
} ordering;

static bool takes(const wri_pattern_call *call, unsigned variable)
{
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        if (call->terms[i].sort == WRI_TERM_VARIABLE && call->terms[i].variable == variable)
            return true;
    return false;
}

/* Makes the order transitive. */
static void complete(ordering *order, unsigned count)
{
    for (unsigned through = 0; through < count; through++)
        for (unsigned i = 0; i < count; i++)
            if ((order->before[i] >> through & 1) != 0)
                order->before[i] |= order->before[through];
}

static ordering order_of(const wri_pattern *pattern)
{
    ordering order = { { 0 } };
    for (unsigned i = 0; i < pattern->count; i++) {
        order.before[i] |= pattern->before[i];
        for (unsigned j = 0; j < pattern->count; j++)
            if (pattern->calls[j].result != WRI_NO_VARIABLE &&
                takes(&pattern->calls[i], pattern->calls[j].result))
                order.before[i] |= wri_pattern_bit(j);
    }
    complete(&order, pattern->count);
    return order;
}

/* The calls that no other must come after, but for those that are like another one. */
static uint32_t endings_of(const wri_pattern *pattern)
{
    ordering order = order_of(pattern);
    uint32_t others = 0, found = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        others |= order.before[i];
    for (unsigned i = 0; i < pattern->count; i++) {
        bool is_new = (others >> i & 1) == 0;
        for (uint32_t left = found; left != 0 && is_new; left &= left - 1) {
            unsigned last = (unsigned)__builtin_ctz(left);
            is_new = !wri_symmetry_is_alike(pattern, order.before, 0, last, last, i);
        }
        found |= is_new ? wri_pattern_bit(i) : 0;
    }
    return found;
}

/* If calls can stand for each other, with all that goes with them, what matches in one order
 * matches in the others. So each call may as well be the latest of those that it can change
 * places with while the calls behind it in the pattern stay: that leaves fewer ways to try. */
static ordering order_for(const wri_pattern *pattern, unsigned last)
{
    ordering order = order_of(pattern), more = order;
    uint32_t still = wri_pattern_bit(last);
    for (unsigned i = pattern->count; i-- > 0; still |= wri_pattern_bit(i))
        for (unsigned j = 0; j < i; j++)
            if (i != last && j != last &&
                wri_symmetry_is_alike(pattern, order.before, still, last, i, j))
                more.before[i] |= wri_pattern_bit(j);
    complete(&more, pattern->count);
    return more;
}

/* ---- Room ---- */

static size_t count_checks(const wri_pattern_call *call)
{
    size_t count = 0;
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        count += call->terms[i].sort != WRI_TERM_ANY;
    return count;
}

/* The most bytes of an ending: a guard may come with the call that consumes it. */
static size_t ending_bytes(const wri_pattern *pattern)
{
    size_t checks = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        checks += count_checks(&pattern->calls[i]);
    for (unsigned i = 0; i < pattern->guard_count; i++)
        checks += count_checks(&pattern->guards[i].call) + WRI_ARGUMENTS;
    return sizeof(wri_ending) + 2 * sizeof(wri_foreseen) +
           pattern->condition_count * sizeof(wri_condition) +
           pattern->count * (sizeof(wri_seek) + sizeof(wri_want)) +
           pattern->guard_count * sizeof(wri_compiled_guard) + checks * sizeof(wri_check);
}

size_t wri_avoided_bytes(const wri_pattern *const *patterns, size_t count)
{
    size_t bytes = sizeof(wri_avoided);
    for (size_t i = 0; i < count; i++)
        bytes += (size_t)__builtin_popcount(endings_of(patterns[i])) * ending_bytes(patterns[i]);
    return bytes;
}

/* ---- One call ---- */

/* The wants of all endings of a command. */
typedef struct wanted {
    unsigned count;
    wri_want list[WRI_WANTS];
} wanted;

/* An ending while it is planned. */
typedef struct planning {
    const wri_machine *machine;
    const wri_pattern *pattern;
    ordering           order;
    wri_avoided       *to;
    wanted            *wants; /* of all endings of the command */
    size_t             used;  /* bytes of `to` */
    unsigned           last;
    uint64_t           bound;                          /* variables that are known by now, */
    uint32_t           binders[WRI_PATTERN_VARIABLES]; /* and by which calls of the plan */
    unsigned           plan[WRI_PATTERN_CALLS];
    unsigned           planned;
} planning;

static const wri_seek NO_SEEK = { .key = WRI_NO_VARIABLE, .result = WRI_NO_VARIABLE };

static void *take(planning *p, size_t bytes, uint32_t *offset)
{
    *offset = (uint32_t)p->used;
    p->used += bytes;
    return (char *)p->to + *offset;
}

static bool is_bound(const planning *p, unsigned variable)
{
    return variable != WRI_NO_VARIABLE && (p->bound >> variable & 1) != 0;
}

/* Is the argument's value known before the call is found? */
static bool is_key(const planning *p, const wri_term *term)
{
    return term->sort == WRI_TERM_RANGE
               ? term->least == term->most
               : term->sort == WRI_TERM_VARIABLE && is_bound(p, term->variable);
}

/* Few calls have a handle in common; many have a value. */
static unsigned best_slot(const planning *p, const wri_pattern_call *call)
{
    unsigned best = WRI_SLOT_COMMAND;
    if (is_bound(p, call->result))
        return WRI_SLOT_RESULT;
    for (unsigned i = 0; i < p->machine->commands[call->command].arity; i++)
        if (is_key(p, &call->terms[i]) &&
            (best == WRI_SLOT_COMMAND ||
             (wri_machine_takes_handle(p->machine, call->command, i) &&
              !wri_machine_takes_handle(p->machine, call->command, best))))
            best = i;
    return best;
}

/* Returns the slot. */
static unsigned set_key(planning *p, const wri_pattern_call *call, wri_seek *seek)
{
    unsigned        slot = best_slot(p, call);
    const wri_term *term = slot < WRI_ARGUMENTS ? &call->terms[slot] : NULL;
    seek->tag = (uint16_t)wri_compiled_slot_tag(call->command, slot);
    seek->distance = wri_compiled_slot_distance(slot);
    if (slot == WRI_SLOT_RESULT)
        seek->key = call->result;
    else
        p->to->slots[call->command] |= (uint16_t)(1u << slot);
    if (term != NULL && term->sort == WRI_TERM_VARIABLE)
        seek->key = term->variable;
    else if (term != NULL)
        seek->number = term->least;
    if (seek->key != WRI_NO_VARIABLE)
        seek->binders |= p->binders[seek->key];
    return slot;
}

static unsigned uses_in(const wri_pattern_call *call, unsigned variable)
{
    unsigned uses = call->result == variable;
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        uses += call->terms[i].sort == WRI_TERM_VARIABLE && call->terms[i].variable == variable;
    return uses;
}

/* Is it nowhere else, so that the argument may as well be anything? */
static bool is_alone(const planning *p, unsigned variable)
{
    const wri_pattern *pattern = p->pattern;
    unsigned           uses = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        uses += uses_in(&pattern->calls[i], variable);
    for (unsigned i = 0; i < pattern->guard_count; i++)
        if ((pattern->guards[i].last >> p->last & 1) != 0) {
            uses += uses_in(&pattern->guards[i].call, variable);
            uses += pattern->guards[i].consumed * uses_in(&pattern->calls[p->last], variable);
        }
    return uses == 1;
}

/* Adds a check for each term but the one of `slot`. New variables are bound from here on, if the
 * call is one of the pattern's. */
static void add_checks(planning *p, const wri_pattern_call *call, unsigned slot, wri_seek *seek,
                       bool binding)
{
    wri_check *checks = take(p, 0, &seek->checks);
    for (unsigned i = 0; i < p->machine->commands[call->command].arity; i++) {
        const wri_term *term = &call->terms[i];
        wri_check       check = { .sort = WRI_CHECK_RANGE,
                                  .argument = (uint8_t)i,
                                  .variable = term->variable,
                                  .least = term->least,
                                  .most = term->most };
        if (term->sort == WRI_TERM_ANY || i == slot)
            continue;
        if (term->sort == WRI_TERM_VARIABLE && !is_bound(p, term->variable)) {
            if (!binding || is_alone(p, term->variable))
                continue;
            check.sort = WRI_CHECK_BIND;
            p->bound |= wri_machine_bit(term->variable);
            p->binders[term->variable] = wri_pattern_bit(p->planned);
        } else if (term->sort == WRI_TERM_VARIABLE) {
            check.sort = WRI_CHECK_SAME;
            seek->binders |= p->binders[term->variable];
        }
        checks[seek->check_count++] = check;
    }
    p->used += seek->check_count * sizeof *checks;
}

/* ---- The plan ---- */

/* How much is known of the call, or will be of others once it is found. One that is there in any
 * case, because it gave a handle, tells little. Few calls have a handle in common, so one that
 * takes one leads to others; values do not. */
static unsigned rank(const planning *p, const wri_pattern_call *call)
{
    unsigned keys = 0, terms = 0, ranges = 0, handles = 0;
    for (unsigned i = 0; i < p->machine->commands[call->command].arity; i++) {
        const wri_term *term = &call->terms[i];
        keys += is_key(p, term);
        terms += term->sort != WRI_TERM_ANY;
        ranges += term->sort == WRI_TERM_RANGE;
        handles += term->sort == WRI_TERM_VARIABLE && !is_alone(p, term->variable) &&
                   wri_machine_takes_handle(p->machine, call->command, i);
    }
    if (is_bound(p, call->result))
        return terms > 0 ? 1000 : 10;
    if (keys > 0)
        return 100 * keys + terms;
    return handles > 0 ? 11 : ranges;
}

static unsigned next_call(const planning *p, uint32_t left)
{
    unsigned best = (unsigned)__builtin_ctz(left);
    for (; left != 0; left &= left - 1) {
        unsigned call = (unsigned)__builtin_ctz(left);
        unsigned now = rank(p, &p->pattern->calls[call]);
        unsigned known = rank(p, &p->pattern->calls[best]);
        if (now > known || (now == known && __builtin_popcount(p->order.before[call]) >=
                                                __builtin_popcount(p->order.before[best])))
            best = call;
    }
    return best;
}

/* Is it by the same value of the same slot that both are looked up? */
static bool are_listed_together(const wri_seek *a, const wri_seek *b)
{
    return a->tag == b->tag && a->key == b->key && a->number == b->number;
}

/* Notes how the call stands to those that are planned already. If a later call is found in the
 * same list, the search for this one begins behind it. */
static void relate(const planning *p, unsigned call, const wri_seek *seeks, wri_seek *seek)
{
    for (unsigned i = 0; i < p->planned; i++) {
        unsigned other = p->plan[i];
        if ((p->order.before[call] >> other & 1) != 0)
            seek->after |= wri_pattern_bit(i);
        if ((p->order.before[other] >> call & 1) != 0)
            seek->before |= wri_pattern_bit(i);
        if (p->pattern->calls[other].command == p->pattern->calls[call].command)
            seek->rivals |= wri_pattern_bit(i);
        if ((seek->before >> i & 1) != 0 && are_listed_together(&seeks[i], seek))
            seek->behind = i + 1;
    }
}

static void plan_call(planning *p, unsigned number, wri_seek *seeks)
{
    const wri_pattern_call *call = &p->pattern->calls[number];
    wri_seek               *seek = &seeks[p->planned];
    *seek = NO_SEEK;
    unsigned slot = set_key(p, call, seek);
    relate(p, number, seeks, seek);
    add_checks(p, call, slot, seek, true);
    if (call->result != WRI_NO_VARIABLE && slot != WRI_SLOT_RESULT) {
        seek->result = call->result;
        p->bound |= wri_machine_bit(call->result);
        p->binders[call->result] = wri_pattern_bit(p->planned);
    }
    p->plan[p->planned++] = number;
}

/* A call beside the pattern's, when all those are found. */
static void plan_beside(planning *p, const wri_pattern_call *call, wri_seek *seek)
{
    *seek = NO_SEEK;
    add_checks(p, call, set_key(p, call, seek), seek, false);
}

static void plan_guard(planning *p, const wri_guard *guard, wri_compiled_guard *watch)
{
    wri_pattern_call again = p->pattern->calls[p->last];
    again.result = WRI_NO_VARIABLE; /* another call gives another handle */
    *watch = (wri_compiled_guard){ .consumed = guard->consumed };
    plan_beside(p, &guard->call, &watch->call);
    if (guard->consumed)
        plan_beside(p, &again, &watch->consumer);
    watch->binders = watch->call.binders | watch->consumer.binders;
    p->to->watched |= wri_machine_bit(guard->call.command);
}

/* The call of the plan that is the last which the guard depends on: those that have bound its
 * variables, and those that it must come after. */
static unsigned decider(const wri_ending *ending, const wri_compiled_guard *watch)
{
    return 31u - (unsigned)__builtin_clz(watch->binders | ending->tops);
}

/* Guards stand in the order in which they can be looked for. */
static void share_guards(const wri_ending *ending, wri_compiled_guard *watches, wri_seek *seeks)
{
    wri_compiled_guard sorted[WRI_PATTERN_GUARDS];
    unsigned           count = 0;
    for (unsigned call = 0; call < ending->seek_count; call++) {
        seeks[call].watches = ending->watches + count * (uint32_t)sizeof *watches;
        for (unsigned i = 0; i < ending->watch_count; i++)
            if (decider(ending, &watches[i]) == call)
                sorted[count++] = watches[i], seeks[call].watch_count++;
    }
    memcpy(watches, sorted, count * sizeof *watches);
}

static void plan_guards(planning *p, wri_ending *ending, wri_seek *seeks)
{
    const wri_pattern *pattern = p->pattern;
    for (unsigned i = 0; i < pattern->guard_count; i++)
        ending->watch_count += pattern->guards[i].last >> p->last & 1;
    wri_compiled_guard *watches =
        take(p, ending->watch_count * sizeof *watches, &ending->watches);
    wri_compiled_guard *next = watches;
    for (unsigned i = 0; i < pattern->guard_count; i++)
        if ((pattern->guards[i].last >> p->last & 1) != 0)
            plan_guard(p, &pattern->guards[i], next++);
    share_guards(ending, watches, seeks);
}

/* The last call's values are known before all others. */
static void plan_last(planning *p, wri_ending *ending)
{
    const wri_pattern_call *call = &p->pattern->calls[p->last];
    wri_seek                seek = NO_SEEK;
    add_checks(p, call, WRI_SLOT_COMMAND, &seek, true);
    memset(p->binders, 0, sizeof p->binders);
    ending->check_count = seek.check_count;
    ending->checks = seek.checks;
    ending->result = call->result;
    if (call->result != WRI_NO_VARIABLE)
        p->bound |= wri_machine_bit(call->result);
}

/* The calls of the plan that can be the latest: those that no other must come after. */
static uint32_t tops(const planning *p)
{
    uint32_t others = 0, found = 0;
    for (unsigned i = 0; i < p->pattern->count; i++)
        others |= i == p->last ? 0 : p->order.before[i];
    for (unsigned i = 0; i < p->planned; i++)
        found |= (others >> p->plan[i] & 1) == 0 ? wri_pattern_bit(i) : 0;
    return found;
}

/* The top that is found last; none decides if guards are consumed. */
static uint32_t decider_of(const planning *p, const wri_ending *ending)
{
    for (unsigned i = 0; i < p->pattern->guard_count; i++)
        if (p->pattern->guards[i].consumed)
            return WRI_PATTERN_CALLS;
    return ending->tops == 0 ? WRI_PATTERN_CALLS : 31u - (unsigned)__builtin_clz(ending->tops);
}

/* ---- What it wants ---- */

/* The argument of the last call that has bound the variable; WRI_ARGUMENTS: none has. */
static unsigned source_of(const planning *p, unsigned variable)
{
    const wri_pattern_call *last = &p->pattern->calls[p->last];
    unsigned                argument = 0;
    while (argument < WRI_ARGUMENTS && (last->terms[argument].sort != WRI_TERM_VARIABLE ||
                                        last->terms[argument].variable != variable))
        argument++;
    return argument;
}

/* Which of the command's wants it is; WRI_WANTS: there are too many. */
static unsigned number_of(wanted *wants, const wri_want *want)
{
    for (unsigned i = 0; i < wants->count; i++)
        if (wants->list[i].tag == want->tag && wants->list[i].argument == want->argument)
            return i;
    if (wants->count == WRI_WANTS)
        return WRI_WANTS;
    wants->list[wants->count] = *want;
    return wants->count++;
}

/* Calls that are looked up by an argument of the last one: as many as there are of that. */
static uint64_t wants_of(const planning *p, const wri_seek *seeks)
{
    uint64_t wants = 0;
    for (unsigned i = 0; i < p->planned; i++) {
        wri_want want = { seeks[i].tag, source_of(p, seeks[i].key) };
        unsigned before = 0; /* those like it */
        if ((seeks[i].tag & 15) >= WRI_ARGUMENTS || want.argument == WRI_ARGUMENTS)
            continue;
        for (unsigned j = 0; j < i; j++)
            before += are_listed_together(&seeks[j], &seeks[i]);
        unsigned number = number_of(p->wants, &want);
        if (number < WRI_WANTS && before < WRI_PATTERN_COUNTED)
            wants |= wri_machine_bit(number * WRI_PATTERN_COUNTED + before);
    }
    return wants;
}

/* ---- One ending ---- */

/* Which argument of the last call alone matters. Its handle is another one each time. */
static void find_cause(const planning *p, wri_ending *ending)
{
    const wri_check *checks = (const void *)((const char *)p->to + ending->checks);
    ending->least = INT64_MIN;
    ending->most = INT64_MAX;
    ending->cause = WRI_SLOT_COMMAND;
    if (ending->check_count > 0)
        ending->cause = checks[0].argument;
    if (ending->check_count > 1 || ending->result != WRI_NO_VARIABLE)
        ending->cause = WRI_CAUSES;
    else if (ending->check_count > 0 && checks[0].sort == WRI_CHECK_RANGE) {
        ending->least = checks[0].least;
        ending->most = checks[0].most;
    }
}

/* Is there only this way to get such a handle, whatever the arguments? */
static bool gives_alone(const planning *p, const wri_pattern_call *call)
{
    const wri_machine *machine = p->machine;
    const wr_kind     *kind = machine->commands[call->command].table->gives;
    for (unsigned i = 0; i < machine->command_count; i++)
        if (i != call->command && machine->commands[i].table->gives == kind)
            return false;
    return call->result != WRI_NO_VARIABLE && count_checks(call) == 0;
}

/* Are all calls that must come after this one those that take its handle, or come after one that
 * does? One besides the last takes it, if guards look at where the others are. */
static bool comes_by_itself(const planning *p, unsigned giver)
{
    const wri_pattern *pattern = p->pattern;
    uint32_t           takers = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        takers |=
            takes(&pattern->calls[i], pattern->calls[giver].result) ? wri_pattern_bit(i) : 0;
    for (unsigned i = 0; i < pattern->count; i++)
        if ((p->order.before[i] >> giver & 1) != 0 && (takers >> i & 1) == 0 &&
            (p->order.before[i] & takers) == 0)
            return false;
    return (takers & ~wri_pattern_bit(p->last)) != 0 ||
           (takers != 0 && pattern->guard_count == 0);
}

/* Does a call that takes the handle show that this call was made, and in time? Then nobody needs
 * to look for it. Two calls of one command are always looked for: they must be two. */
static bool goes_without_saying(const planning *p, unsigned call)
{
    for (unsigned i = 0; i < p->pattern->count; i++)
        if (i != call && p->pattern->calls[i].command == p->pattern->calls[call].command)
            return false;
    return p->order.before[call] == 0 && gives_alone(p, &p->pattern->calls[call]) &&
           comes_by_itself(p, call);
}

/* The settings do not change in a sequence, so they are asked about first. */
static void plan_conditions(planning *p, wri_ending *ending)
{
    size_t bytes = p->pattern->condition_count * sizeof *p->pattern->conditions;
    ending->condition_count = p->pattern->condition_count;
    memcpy(take(p, bytes, &ending->conditions), p->pattern->conditions, bytes);
}

static void plan_ending(planning *p, wri_ending *ending)
{
    const wri_pattern *pattern = p->pattern;
    plan_conditions(p, ending);
    uint32_t left = (uint32_t)(wri_machine_bit(pattern->count) - 1) & ~wri_pattern_bit(p->last);
    plan_last(p, ending);
    for (unsigned i = 0; i < pattern->count; i++)
        if ((left >> i & 1) != 0 && goes_without_saying(p, i))
            left &= ~wri_pattern_bit(i);
    ending->seek_count = (uint32_t)__builtin_popcount(left);
    wri_seek *seeks = take(p, ending->seek_count * sizeof *seeks, &ending->seeks);
    for (unsigned call; left != 0; left &= ~wri_pattern_bit(call)) {
        call = next_call(p, left);
        ending->needs |= wri_machine_bit(pattern->calls[call].command);
        plan_call(p, call, seeks);
    }
    ending->tops = tops(p);
    ending->decider = decider_of(p, ending);
    ending->wants = wants_of(p, seeks);
    find_cause(p, ending);
    plan_guards(p, ending, seeks);
    p->to->watched |= ending->needs | wri_machine_bit(pattern->calls[p->last].command);
}

/* ---- What is known before it is asked about ---- */

static const void *within(const wri_avoided *to, uint32_t offset)
{
    return (const char *)to + offset;
}

/* A list of what is foreseen, while it is written. */
typedef struct foresight {
    const wri_machine *machine;
    wri_avoided       *to;
    wri_foreseen      *list;
    unsigned           count;
} foresight;

/* Each is looked at whenever the command is called, so only so many; others are found out. */
#define FORESEEN_MOST 8

static void foresee(foresight *f, uint32_t ending, unsigned last, uint32_t tag, unsigned calls)
{
    if (f->count < FORESEEN_MOST)
        f->list[f->count++] = (wri_foreseen){ .ending = ending,
                                              .tag = (uint16_t)tag,
                                              .counted = (uint8_t)(wri_machine_bit(calls) - 1),
                                              .command = (uint8_t)last,
                                              .argument = (uint8_t)f->to->endings[ending].cause,
                                              .source = tag & 15 };
}

/* Are all calls but the last in one list, that of the value which decides of the last one? */
static bool is_one_list(const foresight *f, const wri_ending *ending, unsigned last)
{
    const wri_seek  *seeks = within(f->to, ending->seeks);
    const wri_check *check = within(f->to, ending->checks);
    unsigned         command = seeks[0].tag >> 4, slot = seeks[0].tag & 15;
    if (ending->watch_count > 0 || ending->seek_count > WRI_PATTERN_COUNTED ||
        slot >= WRI_ARGUMENTS || check->sort != WRI_CHECK_BIND || seeks[0].key != check->variable)
        return false;
    for (unsigned i = 0; i < ending->seek_count; i++)
        if (!are_listed_together(&seeks[i], &seeks[0]) || seeks[i].check_count > 0 ||
            seeks[i].result != WRI_NO_VARIABLE)
            return false;
    return f->machine->commands[command].table->takes[slot] ==
           f->machine->commands[last].table->takes[ending->cause];
}

/* Does the last call itself undo all guards, and is it none? */
static bool are_consumed(const foresight *f, const wri_ending *ending, unsigned last)
{
    const wri_compiled_guard *watches = within(f->to, ending->watches);
    for (unsigned i = 0; i < ending->watch_count; i++)
        if (!watches[i].consumed || watches[i].call.tag >> 4 == last)
            return false;
    return true;
}

/* A call that is a bug by itself: also before any is made, and again after it was. */
static bool is_alone_at(const foresight *f, unsigned command, const wri_ending *ending,
                        unsigned last)
{
    if (command == WRI_COMMANDS)
        return !wri_machine_takes_handle(f->machine, last, ending->cause);
    return command == last && are_consumed(f, ending, last);
}

static void foresee_ending(foresight *f, unsigned command, uint32_t number, unsigned last)
{
    const wri_machine_command *command_last = &f->machine->commands[last];
    const wri_ending          *ending = &f->to->endings[number];
    const wri_seek            *seeks = within(f->to, ending->seeks);
    if (ending->cause >= WRI_ARGUMENTS || !wri_machine_fits_mask(command_last, ending->cause))
        return;
    if (ending->seek_count > 0 && seeks[0].tag >> 4 == command && is_one_list(f, ending, last))
        foresee(f, number, last, seeks[0].tag, ending->seek_count);
    else if (ending->seek_count == 0 && is_alone_at(f, command, ending, last))
        foresee(f, number, last, wri_compiled_slot_tag(last, ending->cause), 0);
}

/* Writes the refusals that calls of the command lead to; WRI_COMMANDS: those that hold from the
 * beginning. Returns as plan_command() does. */
static size_t write_foreseen(const wri_machine *machine, unsigned command, wri_avoided *to,
                             size_t used)
{
    foresight f = { .machine = machine, .to = to, .list = (void *)((char *)to + used) };
    for (unsigned last = 0; last < machine->command_count; last++)
        for (uint32_t i = to->first[last]; i < to->first[last + 1]; i++)
            foresee_ending(&f, command, i, last);
    to->foreseen[command] = (uint32_t)used;
    to->foreseen_count[command] = (uint8_t)f.count;
    return used + f.count * sizeof *f.list;
}

/* ---- What can never be called ---- */

/* Do the values of the last call not matter? A range may be all that the kind has. */
static bool is_any(const wri_machine *machine, const wri_avoided *known, const wri_ending *ending,
                   unsigned command)
{
    const wri_check *checks = within(known, ending->checks);
    for (unsigned i = 0; i < ending->check_count; i++) {
        const wr_kind *kind = machine->commands[command].table->takes[checks[i].argument];
        bool all = checks[i].least <= 0 && checks[i].most >= (int64_t)kind->values - 1 &&
                   kind->values > 0 && kind->abstract == NULL;
        if (checks[i].sort != WRI_CHECK_BIND && (checks[i].sort != WRI_CHECK_RANGE || !all))
            return false;
    }
    return true;
}

uint64_t wri_avoided_forbidden(const wri_machine *machine, const wri_avoided *known)
{
    uint64_t forbidden = 0;
    for (unsigned command = 0; command < machine->command_count; command++)
        for (uint32_t i = known->first[command]; i < known->first[command + 1]; i++) {
            const wri_ending *ending = &known->endings[i];
            if (ending->seek_count == 0 && ending->watch_count == 0 &&
                ending->condition_count == 0 && is_any(machine, known, ending, command))
                forbidden |= known->alike[command];
        }
    return forbidden;
}

/* ---- All of them ---- */

/* Those that end with this command, in the order of the patterns. Their parts stand behind
 * `used`; returns where the next would. */
static size_t plan_command(const wri_machine *machine, const wri_pattern *const *patterns,
                           size_t count, unsigned command, wri_avoided *to, size_t used)
{
    uint32_t next = to->first[command];
    wanted   wants = { .count = 0 };
    for (size_t i = 0; i < count; i++)
        for (uint32_t left = endings_of(patterns[i]); left != 0; left &= left - 1) {
            planning p = { .machine = machine,
                           .pattern = patterns[i],
                           .to = to,
                           .wants = &wants,
                           .used = used,
                           .last = (unsigned)__builtin_ctz(left) };
            if (patterns[i]->calls[p.last].command != command)
                continue;
            p.order = order_for(patterns[i], p.last);
            to->endings[next] = (wri_ending){ .pattern = (uint32_t)i };
            plan_ending(&p, &to->endings[next++]);
            used = p.used;
        }
    to->first[command + 1] = next;
    to->wants[command] = (uint32_t)used;
    to->want_count[command] = (uint8_t)wants.count;
    memcpy((char *)to + used, wants.list, wants.count * sizeof *wants.list);
    return used + wants.count * sizeof *wants.list;
}

void wri_avoided_write(const wri_machine *machine, const wri_pattern *const *patterns,
                       size_t count, wri_avoided *to)
{
    size_t endings = 0;
    for (size_t i = 0; i < count; i++)
        endings += (size_t)__builtin_popcount(endings_of(patterns[i]));
    memset(to, 0, sizeof *to);
    to->machine = wri_machine_mark(machine);
    to->ending_count = (uint32_t)endings;
    size_t used = sizeof *to + endings * sizeof *to->endings;
    for (unsigned command = 0; command < machine->command_count; command++) {
        unsigned arity = machine->commands[command].arity;
        to->arity[command] = (uint8_t)arity;
        to->like[command] = wri_machine_like(machine, command);
        to->alike[to->like[command]] |= wri_machine_bit(command);
        to->width = arity >= to->width ? arity + 1 : to->width;
        used = plan_command(machine, patterns, count, command, to, used);
    }
    for (unsigned command = 0; command < machine->command_count; command++)
        used = write_foreseen(machine, command, to, used);
    write_foreseen(machine, WRI_COMMANDS, to, used);
}
