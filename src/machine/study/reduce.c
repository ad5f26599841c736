/* machine/study/reduce.c: finds the smallest part of a sequence that still fails.
 *
 * A failure shows in the last call, and mostly a few related calls are its cause. So the smallest
 * parts are tried first, because they cost least. The first part is the failing call with the
 * calls that gave its handles. Then one or two other calls join that have a value in common with
 * them.
 *
 * If that is not enough, calls are ranked: common values first, then later calls before earlier
 * ones. As many calls are taken from the top as it takes to fail; the rest is not needed. From
 * these, runs of calls are removed, long runs first.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/study/trial.h"

/* Parts with one more call, and with two, are tried until so many calls were made. */
#define SINGLES_EFFORT 60
#define PAIRS_EFFORT 40
/* A part has so many calls left out, at most, because they cannot be made. */
#define LEFT_OUT_MOST 16

typedef enum { NOT, EXACTLY, SMALLER } outcome;

/* A thing that calls can have in common: a value of a kind; or a handle, by the call that gave
 * it. */
typedef struct shared {
    const wr_kind *kind; /* NULL: nothing */
    int64_t        value;
} shared;

typedef struct reduction {
    const wri_lab         *lab;
    const wri_study_setup *setup;
    wri_sequence          *failing;
    wri_sequence           part;
    bool                  *base;     /* of failing's calls: those that are in every part, */
    bool                  *selected; /* and in this one, */
    size_t                *order;    /* and where they come from */
    size_t                *ranks;    /* the others, the most likely ones first */
    size_t                 rank_count;
    shared                *marks;     /* all that the ranked calls have, as a hash table, */
    size_t                 mark_room; /* of a size that is a power of two */
    size_t                 related;   /* so many have something in common with the base */
    size_t                 spent;     /* calls of the parts that were tried */
    bool                   over;      /* no more tries */
} reduction;

/* ---- Trying a part ---- */

static void make_part(reduction *r)
{
    if (!wri_sequence_select(r->lab->machine, r->failing, r->selected, r->order, &r->part))
        r->part.count = 0;
}

static void leave_out(reduction *r, size_t place)
{
    r->selected[r->order[place]] = false;
    wri_sequence_deselect_takers(r->lab->machine, r->failing, r->selected);
    make_part(r);
}

/* Does the selected part fail? SMALLER: a part of it does, which is the sequence from now on. */
static outcome try_part(reduction *r)
{
    size_t    at = SIZE_MAX, left_out = 0;
    wri_tried tried = WRI_TRIED_IMPOSSIBLE;
    if (r->over)
        return NOT;
    make_part(r);
    while (r->part.count > 0) {
        tried = wri_trial_try(r->lab, &r->part, &at);
        r->over = tried == WRI_TRIED_STOP;
        r->spent += r->part.count;
        if (tried != WRI_TRIED_IMPOSSIBLE || at >= r->part.count - 1 ||
            r->setup->reduction == WRI_REDUCE_TOP_DOWN || left_out++ == LEFT_OUT_MOST)
            break;
        leave_out(r, at);
    }
    if (tried != WRI_TRIED_SAME)
        return NOT;
    if (left_out == 0 && at == r->part.count - 1)
        return EXACTLY;
    r->part.count = at + 1;
    return wri_sequence_copy(r->failing, &r->part) ? SMALLER : NOT;
}

/* The part is the sequence from now on. */
static bool adopt(reduction *r)
{
    make_part(r);
    return r->part.count > 0 && wri_sequence_copy(r->failing, &r->part);
}

/* The base, and these. */
static void select_with(reduction *r, const size_t *calls, size_t count)
{
    memcpy(r->selected, r->base, r->failing->count * sizeof *r->selected);
    for (size_t i = 0; i < count; i++)
        r->selected[calls[i]] = true;
    wri_sequence_select_givers(r->lab->machine, r->failing, r->selected);
}

static outcome try_with(reduction *r, const size_t *calls, size_t count)
{
    select_with(r, calls, count);
    return try_part(r);
}

/* ---- Which calls have to do with each other ---- */

/* Do two calls have a value in common, or a handle, whether given or taken? */
static bool share(const wri_machine *machine, const wri_sequence *sequence, size_t a, size_t b)
{
    const wri_made *x = &sequence->calls[a], *y = &sequence->calls[b];
    for (unsigned i = 0; i < wri_made_arity(machine, x); i++) {
        const wr_kind *kind = wri_made_kind(machine, x, i);
        if (kind->handle && x->arguments[i] == (int64_t)b)
            return true;
        for (unsigned j = 0; j < wri_made_arity(machine, y); j++)
            if (wri_made_kind(machine, y, j) == kind && x->arguments[i] == y->arguments[j])
                return true;
    }
    for (unsigned j = 0; j < wri_made_arity(machine, y); j++)
        if (wri_machine_takes_handle(machine, y->command, j) && y->arguments[j] == (int64_t)a)
            return true;
    return false;
}

static bool observes(const reduction *r, size_t call)
{
    return r->lab->machine->commands[r->failing->calls[call].command].table->observer;
}

/* The place of this thing in the table, or the place where it would be. */
static shared *mark_of(const reduction *r, shared it)
{
    size_t at = wri_prng_mix((uint64_t)it.value + (uint64_t)(uintptr_t)it.kind);
    for (;; at++) {
        shared *mark = &r->marks[at & (r->mark_room - 1)];
        if (mark->kind == NULL || (mark->kind == it.kind && mark->value == it.value))
            return mark;
    }
}

/* The part of a call of this number: its arguments, and then the handle that it gives. */
static shared part_of(const reduction *r, size_t call, unsigned number)
{
    const wri_machine *machine = r->lab->machine;
    const wri_made    *made = &r->failing->calls[call];
    if (number < wri_made_arity(machine, made))
        return (shared){ wri_made_kind(machine, made, number), made->arguments[number] };
    return (shared){ wri_made_gives(machine, made), (int64_t)call };
}

static void mark(reduction *r, size_t call)
{
    for (unsigned i = 0; i <= wri_made_arity(r->lab->machine, &r->failing->calls[call]); i++) {
        shared it = part_of(r, call, i);
        if (it.kind != NULL)
            *mark_of(r, it) = it;
    }
}

/* Does the call share something with one that is marked? */
static bool is_related(const reduction *r, size_t call)
{
    for (unsigned i = 0; i <= wri_made_arity(r->lab->machine, &r->failing->calls[call]); i++) {
        shared it = part_of(r, call, i);
        if (it.kind != NULL && mark_of(r, it)->kind != NULL)
            return true;
    }
    return false;
}

/* Lists the calls that have to do with those that are marked, the latest first. */
static size_t list_related(const reduction *r, const bool *ranked, bool observers, size_t *list)
{
    size_t count = 0;
    for (size_t i = r->failing->count; i-- > 0;)
        if (!ranked[i] && observes(r, i) == observers && is_related(r, i))
            list[count++] = i;
    return count;
}

/* The next so many of the ranks are these calls; what they have is marked from now on. */
static void add_ranks(reduction *r, bool *ranked, const size_t *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        r->ranks[r->rank_count++] = calls[i];
        ranked[calls[i]] = true;
        mark(r, calls[i]);
    }
}

/* Comparing each call with each would take too long for thousands of calls. */
static bool rank_related(reduction *r, bool *ranked, bool observers)
{
    size_t *list = &r->ranks[r->rank_count];
    size_t  count = list_related(r, ranked, observers, list);
    add_ranks(r, ranked, list, count);
    return count > 0;
}

static void rank_rest(reduction *r, const bool *ranked)
{
    for (int observers = 0; observers < 2; observers++)
        for (size_t i = r->failing->count; i-- > 0;)
            if (!ranked[i] && observes(r, i) == (observers == 1))
                r->ranks[r->rank_count++] = i;
}

/* All calls beside the base: first those that have to do with it, and those that have to do with
 * these, and so on; observers last among them; then all others. */
static void rank(reduction *r)
{
    bool  *ranked = r->selected;
    size_t observers;
    memcpy(ranked, r->base, r->failing->count * sizeof *ranked);
    memset(r->marks, 0, r->mark_room * sizeof *r->marks);
    for (size_t i = 0; i < r->failing->count; i++)
        if (r->base[i])
            mark(r, i);
    r->rank_count = 0;
    observers = list_related(r, ranked, true, r->order); /* of the base alone */
    rank_related(r, ranked, false);
    r->related = r->rank_count;
    while (rank_related(r, ranked, false))
        continue;
    add_ranks(r, ranked, r->order, observers);
    rank_related(r, ranked, true);
    rank_rest(r, ranked);
}

/* ---- From below ---- */

static outcome try_singles(reduction *r)
{
    size_t  effort = r->spent + SINGLES_EFFORT;
    outcome found = NOT;
    for (size_t i = 0; i < r->related && found == NOT && r->spent < effort; i++)
        found = try_with(r, &r->ranks[i], 1);
    return found;
}

/* Two calls are enough; perhaps the first only led to the second. */
static outcome try_second(reduction *r, const size_t pair[2])
{
    outcome found = try_with(r, &pair[1], 1);
    if (found != NOT)
        return found;
    select_with(r, pair, 2);
    return EXACTLY;
}

/* Calls of which the first has to do with the base, and the second with it or the first. */
static outcome try_pairs(reduction *r)
{
    size_t  effort = r->spent + PAIRS_EFFORT;
    outcome found = NOT;
    for (size_t i = 0; i < r->related; i++)
        for (size_t j = 0; j < r->rank_count && found == NOT; j++) {
            size_t pair[2] = { r->ranks[i], r->ranks[j] };
            if (j == i ||
                (j < r->related ? j < i
                                : !share(r->lab->machine, r->failing, pair[0], pair[1])) ||
                observes(r, pair[1]))
                continue;
            if (r->spent > effort)
                return NOT;
            found = try_with(r, pair, 2);
            if (found == EXACTLY && j >= r->related)
                found = try_second(r, pair);
        }
    return found;
}

/* Finds the least number of ranked calls with which it fails; `most` is known to be enough. */
static outcome find_needed(reduction *r, size_t *most)
{
    size_t  passing = 0, next = 1;
    outcome found = try_with(r, r->ranks, 0);
    if (found == EXACTLY)
        *most = 0;
    while (found != SMALLER && *most > passing + 1 && !r->over) {
        if (next >= *most || found == EXACTLY)
            next = passing + (*most - passing) / 2;
        found = try_with(r, r->ranks, next);
        if (found == EXACTLY)
            *most = next;
        else
            passing = next;
        next = passing * 2;
    }
    return found;
}

/* Leaves out what is ranked behind the last call that is needed. */
static outcome leave_out_rest(reduction *r)
{
    size_t most = r->rank_count;
    return find_needed(r, &most) == SMALLER ? SMALLER : try_with(r, r->ranks, most);
}

static void start_base(reduction *r)
{
    memset(r->base, 0, r->failing->count * sizeof *r->base);
    r->base[r->failing->count - 1] = true;
    wri_sequence_select_givers(r->lab->machine, r->failing, r->base);
    rank(r);
}

static outcome look_from_below(reduction *r)
{
    start_base(r);
    outcome found = try_with(r, r->ranks, 0);
    if (found == NOT)
        found = try_singles(r);
    if (found == NOT)
        found = try_pairs(r);
    return found;
}

/* ---- From above ---- */

static outcome take_part(reduction *r)
{
    outcome found = try_part(r);
    return found == EXACTLY && !adopt(r) ? NOT : found;
}

/* Takes out runs of calls, with what depends on them; the last one, too, where it is not the one
 * that fails. False: none could be. */
static bool take_out_runs(reduction *r, size_t length)
{
    bool   any = false;
    size_t pinned = r->lab->afterwards ? 0 : 1;
    for (size_t from = 0;
         from + pinned < r->failing->count && r->failing->count > 1 && !r->over;) {
        wri_sequence_select_without(r->selected, r->failing->count, from, length);
        wri_sequence_deselect_takers(r->lab->machine, r->failing, r->selected);
        if ((pinned == 0 || r->selected[r->failing->count - 1]) && take_part(r) != NOT)
            any = true;
        else
            from += length;
    }
    return any;
}

static void take_out_singles(reduction *r)
{
    while (take_out_runs(r, 1))
        continue;
}

static bool fails_itself(reduction *r)
{
    size_t at;
    if (wri_trial_try(r->lab, r->failing, &at) != WRI_TRIED_SAME)
        return false;
    r->failing->count = at + 1;
    return true;
}

/* ---- From below, and then from above ---- */

static bool reduce_in_runs(reduction *r)
{
    bool any = false;
    for (size_t length = r->failing->count / 4; length > 1; length /= 2)
        any |= take_out_runs(r, length);
    any |= take_out_runs(r, 1);
    take_out_singles(r);
    return any || fails_itself(r);
}

static bool reduce_from_below(reduction *r)
{
    outcome found;
    do
        found = look_from_below(r);
    while (found == SMALLER);
    if (found == EXACTLY)
        return adopt(r);
    while ((found = leave_out_rest(r)) == SMALLER)
        start_base(r);
    return (found == NOT || adopt(r)) && reduce_in_runs(r);
}

/* ---- As published ---- */

/* As QuickCheck shrinks a list: all of it is taken out, halves, quarters, and so on, and after
 * each success it starts again. It does not know that the last call is the one that fails, nor
 * that calls depend on others: a part where a handle is missing is none. */
static bool take_out_any(reduction *r)
{
    for (size_t length = r->failing->count; length > 0; length /= 2)
        for (size_t from = 0; from < r->failing->count; from += length) {
            wri_sequence_select_without(r->selected, r->failing->count, from, length);
            if (take_part(r) != NOT)
                return true;
        }
    return false;
}

static bool reduce_from_above(reduction *r)
{
    bool any = false;
    while (take_out_any(r) || (!r->setup->varying && wri_rename_singly(r->lab, r->failing)))
        any = true;
    return any || fails_itself(r);
}

/* The table of what calls have in common has room for twice as much as all of them have. */
static size_t room_for_marks(const reduction *r)
{
    size_t parts = 0, room = 8;
    for (size_t i = 0; i < r->failing->count; i++)
        parts += wri_made_arity(r->lab->machine, &r->failing->calls[i]) + 1;
    while (room < 2 * parts)
        room *= 2;
    return room;
}

static bool allocate(reduction *r, size_t count)
{
    r->mark_room = room_for_marks(r);
    r->marks = calloc(r->mark_room, sizeof *r->marks);
    r->base = calloc(count, sizeof *r->base);
    r->selected = calloc(count, sizeof *r->selected);
    r->order = calloc(count, sizeof *r->order);
    r->ranks = calloc(count, sizeof *r->ranks);
    return r->marks != NULL && r->base != NULL && r->selected != NULL && r->order != NULL &&
           r->ranks != NULL;
}

static bool reduce(reduction *r)
{
    return r->setup->reduction == WRI_REDUCE_BOTTOM_UP ? reduce_from_below(r)
                                                       : reduce_from_above(r);
}

bool wri_reduce_calls(const wri_lab *lab, const wri_study_setup *setup, wri_sequence *failing)
{
    reduction r = { .lab = lab, .setup = setup, .failing = failing };
    size_t    count = failing->count;
    bool      simpler = failing->count > 0 && wri_configure_simply(lab, failing);
    bool      reduced = failing->count > 0 && allocate(&r, failing->count) && reduce(&r);
    while (reduced && wri_configure_simply(lab, failing))
        reduce(&r);
    reduced |= simpler;
    reduced |= failing->count < count; /* what is left has failed, though time may be out */
    if (reduced)
        wri_configure_draws(lab, failing);
    if (reduced && setup->varying)
        wri_rename_jointly(lab, failing);
    while (reduced && !setup->varying && wri_rename_singly(lab, failing))
        continue;
    free(r.marks);
    free(r.base);
    free(r.selected);
    free(r.order);
    free(r.ranks);
    wri_sequence_free(&r.part);
    return reduced;
}
