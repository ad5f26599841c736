/* chase/cause.c: which reports of a machine show one bug at several times and places?
 *
 *     begin()  begin()  end()  |  end()                                       known
 *     begin()  insert("a")  begin()  end()  |  insert("b")  insert("c")       another report
 *
 * The calls before the last one leave the system in a wrong state, and more than one command
 * notices, sooner or later. So the last call of the known report is put into the other report. If
 * it fails there, before the other failure is reached, then the other report goes through the
 * wrong state of the known one, and tells the same bug: it is a way of it.
 *
 * A bug may also be in the last call alone: then it fails after many calls that are as they
 * should be. So the calls before it must be special: there are several, or what they leave behind
 * is noticed in several places.
 */
#include "chase/internal.h"

#include <stdlib.h>

#include "machine/calls/log.h"

/* A state is special if so many calls lead to it, not counting those that give a handle, */
#define SEVERAL_CALLS 2
/* or if so many places show it; or one less, if so many calls lead to it. */
#define SEVERAL_PLACES 3
#define MANY_CALLS 3
/* The last call of a report is tried with so many choices of handles. */
#define TRIES 6
/* The most reports that are compared with each other. */
#define REPORTS_MOST 128

typedef struct report {
    size_t       bug;
    wri_sequence calls;
    uint64_t     key;
    unsigned     others; /* calls before the last that give no handle */
    unsigned     places; /* where it shows at once what they leave behind */
    size_t       of;     /* the report that it is a way of; its own number: of none */
} report;

typedef struct comparison {
    wri_chase   *chase;
    report       list[REPORTS_MOST];
    size_t       count;
    wri_sequence draft;
} comparison;

/* ---- A call in another sequence ---- */

/* The number-th choice of handles for a call at the end of the draft: the latest first. False:
 * there are no more. */
static bool aim(const comparison *all, wri_made *call, unsigned number)
{
    const wri_machine *machine = all->chase->machine;
    for (unsigned i = 0; i < wri_made_arity(machine, call); i++) {
        const wr_kind *kind = wri_made_kind(machine, call, i);
        unsigned       there = 0, at = 0;
        if (!kind->handle)
            continue;
        for (size_t k = 0; k < all->draft.count; k++)
            there += wri_made_gives(machine, &all->draft.calls[k]) == kind;
        if (there == 0)
            return false;
        unsigned wanted = number % there;
        number /= there;
        for (size_t k = all->draft.count; k-- > 0;)
            if (wri_made_gives(machine, &all->draft.calls[k]) == kind && at++ == wanted) {
                call->arguments[i] = (int64_t)k;
                break;
            }
    }
    return number == 0;
}

/* Is another bug that fails there in the draft? Then its failure says nothing of this one. */
static bool has_other_bug(const comparison *all, const report *one)
{
    const wri_chase_rules *rules = &all->chase->rules;
    for (size_t i = 0; i < rules->count; i++) {
        const wri_known_bug *known = &rules->known[i];
        if (known->key == one->key && known->bug != one->bug &&
            wri_pattern_meets_at_end(all->chase->machine, &known->pattern, &all->draft))
            return true;
    }
    return false;
}

/* Does the last call of the report fail in its place after the draft? */
static bool fails_after(comparison *all, const report *one)
{
    const wri_made *call = &one->calls.calls[one->calls.count - 1];
    uint64_t        key = one->key;
    wri_chase      *chase = all->chase;
    size_t          before = all->draft.count, at;
    bool            fails = false;
    for (unsigned i = 0; i < TRIES && !fails; i++) {
        wri_made last = *call;
        if (!aim(all, &last, i))
            break;
        if (!wri_sequence_append(&all->draft, &last))
            return false;
        chase->inquiry.key = key;
        const wri_lab *lab = wri_chase_lab(chase);
        fails = lab->run(lab->context, &all->draft, &at) == WRI_TRIED_SAME && at == before &&
                !has_other_bug(all, one);
        all->draft.count = before;
    }
    return fails;
}

/* ---- One cause ---- */

/* Are the calls of the report special enough to explain the other? */
static bool is_special(const report *one, const report *other)
{
    bool several = one->others >= SEVERAL_CALLS;
    return (several && one->key == other->key &&
            wri_sequence_commands(&one->calls) == wri_sequence_commands(&other->calls)) ||
           (one->others > 0 && one->places + (one->others >= MANY_CALLS) >= SEVERAL_PLACES);
}

/* Does the other report go through the wrong state of this one? */
static bool explains(comparison *all, const report *one, const report *other)
{
    if (!is_special(one, other) || !wri_sequence_copy(&all->draft, &other->calls))
        return false;
    for (size_t k = other->calls.count - 1; k > 0; k--) {
        all->draft.count = k;
        if (one->key == other->key && k + 1 == other->calls.count)
            continue; /* that may be its own failure, with other values */
        if (fails_after(all, one))
            return true;
    }
    return false;
}

/* In how many places does what the calls before the last leave behind show at once? */
static unsigned places_of(comparison *all, const report *one)
{
    unsigned count = 1;
    for (size_t i = 0; i < all->count; i++) {
        const report *other = &all->list[i];
        bool          before = other->key == one->key;
        for (size_t k = 0; k < i && !before; k++)
            before = all->list[k].key == other->key;
        if (before || !wri_sequence_copy(&all->draft, &one->calls))
            continue;
        all->draft.count--;
        count += fails_after(all, other);
    }
    return count;
}

static unsigned others_of(const comparison *all, const report *one)
{
    unsigned several = 0;
    for (size_t i = 0; i + 1 < one->calls.count; i++)
        several += wri_made_gives(all->chase->machine, &one->calls.calls[i]) == NULL;
    return several;
}

/* ---- All of it ---- */

/* The calls of a bug, and where they fail. False: it cannot be compared. */
static bool read_report(wri_chase *chase, size_t bug, report *into)
{
    wri_outcome outcome;
    wri_bug    *told = &chase->quest->bugs[bug];
    *into = (report){ .bug = bug };
    if (told->failure.subsumed || told->failure.flaky ||
        !wri_sequence_read(chase->machine, &told->trace, &into->calls) || into->calls.count < 2 ||
        !wri_book_read(chase->book, &told->trace))
        return false;
    wri_chase_run(chase, &told->trace, false, false, &outcome);
    const wri_sequence *made = wri_chase_calls(chase, &outcome.trace);
    into->key = made == NULL ? 0 : wri_chase_key(chase, &outcome, made);
    return wri_verdict_failed(&outcome.verdict) && made != NULL &&
           wri_sequence_same(made, &into->calls);
}

static int by_calls(const void *a, const void *b)
{
    const report *one = a, *other = b;
    if (one->calls.count != other->calls.count)
        return one->calls.count < other->calls.count ? -1 : 1;
    return (one->bug > other->bug) - (one->bug < other->bug);
}

static void read_reports(comparison *all)
{
    for (size_t i = 0; i < all->chase->quest->bug_count && all->count < REPORTS_MOST; i++) {
        report *next = &all->list[all->count];
        if (read_report(all->chase, i, next))
            all->count++;
        else
            wri_sequence_free(&next->calls);
    }
    qsort(all->list, all->count, sizeof *all->list, by_calls);
    for (size_t i = 0; i < all->count; i++)
        all->list[i].of = i;
}

/* The shorter report of this place that the calls are like; or this one. */
static size_t same_bug(comparison *all, size_t at)
{
    wri_chase       *chase = all->chase;
    wri_outcome      outcome;
    wri_sequence     calls = { 0 };
    size_t           bug = WRI_NO_BUG, found = at;
    const wri_trace *trace = &chase->quest->bugs[all->list[at].bug].trace;
    wri_chase_run(chase, trace, false, false, &outcome);
    if (!wri_verdict_failed(&outcome.verdict) || !wri_sequence_copy(&calls, &all->list[at].calls))
        return at;
    wri_chase_look_at(chase, &outcome, &calls);
    for (size_t i = at; i < all->count; i++)
        wri_chase_hold_rules(&chase->rules, all->list[i].bug, true);
    bug = wri_chase_same_as(chase, &calls);
    for (size_t i = at; i < all->count; i++)
        wri_chase_hold_rules(&chase->rules, all->list[i].bug, false);
    for (size_t i = 0; i < at; i++)
        if (all->list[i].bug == bug)
            found = i;
    wri_sequence_free(&calls);
    return found;
}

/* The shortest report comes first, and each other one is compared with those before it. */
static void compare(comparison *all)
{
    for (size_t i = 0; i < all->count && !wri_interrupt_came(); i++) {
        report *now = &all->list[i];
        size_t  same = same_bug(all, i);
        if (same != i) {
            now->of = all->list[same].of;
            continue;
        }
        now->others = others_of(all, now);
        now->places = places_of(all, now);
        for (size_t k = 0; k < i && now->of == i; k++)
            if (explains(all, &all->list[k], now))
                now->of = all->list[k].of;
    }
}

void wri_chase_join_reports(wri_chase *chase)
{
    comparison *all = NULL;
    if (chase->joins && WRI_CHASE_USES(chase, cause))
        all = calloc(1, sizeof *all);
    if (all == NULL)
        return;
    all->chase = chase;
    wri_chase_give_time(chase);
    read_reports(all);
    compare(all);
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].of != i) {
            wri_failure *way = &chase->quest->bugs[all->list[i].bug].failure;
            way->subsumed = true;
            way->way_of = all->list[all->list[i].of].bug + 1;
        }
        wri_sequence_free(&all->list[i].calls);
    }
    wri_sequence_free(&all->draft);
    free(all);
}
