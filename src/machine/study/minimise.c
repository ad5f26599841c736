/* machine/study/minimise.c: looks thoroughly for a failing sequence with fewer calls.
 *
 *     new new link(v1, v2) link(v1, v2) release(v1) release(v2)
 *     new link(v1, v1) link(v1, v1) unlink(v1) release(v1)
 *
 * No call of the first line can go, and no two calls. In the second line one call is gone, the
 * calls that took its handle take another, and a call has another command. So a base is made
 * first: the sequence without a call, where its handle is replaced in each possible way. Then
 * each base is tried with one more change: another call goes, an argument gets another value, or
 * a call gets another command. Besides, all calls of a command go at once or become calls of
 * another command, and two values become equal.
 *
 * That is all of one base and one change. After it the sequence changes at random, several things
 * at a time, and may stay as long as it is: from there, one change may be enough. It ends after
 * many steps without a shorter sequence, or when its budget of calls is used up.
 */
#include <string.h>

#include "core/prng.h"
#include "machine/study/draft.h"

/* With fewer calls nothing is changed at random: one base and one change are all there is. */
#define LONG_SEQUENCE 4
/* So many steps at random for each call, and none was taken out: it is not gone on. */
#define PATIENCE 300
/* A step is so many changes, at most. */
#define CHANGES_MOST 3
/* An argument gets so many other values, at most, */
#define VALUES_MOST 24
/* all of its kind, if these are few, */
#define FEW_VALUES 6
/* and so many that the lab knows of. */
#define OTHERS 4
/* A call of another command is tried with so many arguments. */
#define CALLS_MOST 8

typedef struct minimising {
    wri_drafts   d;
    wri_sequence base; /* the sequence without a call */
    wri_made     gone; /* which was this one */
} minimising;

/* ---- Bases ---- */

/* The calls that take a dead handle go; or those that consumed it; or none: then only a draft in
 * which such a call has changed can be tried. */
typedef enum { WITHOUT_USERS, WITHOUT_CONSUMERS, AS_IT_IS, MENDINGS } mending;

static bool mend(minimising *m, mending how)
{
    size_t user, consumer;
    while (how != AS_IT_IS && wri_drafts_find_dead(m->d.lab->machine, &m->base, &user, &consumer))
        if (!wri_drafts_without(&m->d, &m->base, how == WITHOUT_CONSUMERS ? consumer : user,
                                &m->d.part) ||
            !wri_sequence_copy(&m->base, &m->d.part))
            return false;
    return true;
}

/* The sequence without a call whose handle no other replaces. */
static bool make_plain_base(minimising *m, size_t call)
{
    return wri_drafts_without(&m->d, m->d.failing, call, &m->base);
}

static bool is_taken_before(const wri_machine *machine, const wri_sequence *sequence,
                            const wr_kind *kind, size_t handle, size_t before)
{
    for (size_t i = handle + 1; i <= before; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &sequence->calls[i]); j++)
            if (wri_made_kind(machine, &sequence->calls[i], j) == kind &&
                sequence->calls[i].arguments[j] == (int64_t)handle)
                return true;
    return false;
}

/* Calls that took its handle take that of another call. False: they cannot. */
static bool make_base_with(minimising *m, size_t call, size_t other, mending how)
{
    const wri_machine  *machine = m->d.lab->machine;
    const wri_sequence *failing = m->d.failing;
    int64_t             instead = (int64_t)other;
    wri_class           given = { .kind = wri_made_gives(machine, &failing->calls[call]),
                                  .value = (int64_t)call };
    return wri_made_gives(machine, &failing->calls[other]) == given.kind &&
           !is_taken_before(machine, failing, given.kind, call, other) &&
           wri_trial_recast(machine, failing, &given, &instead, 1, &m->d.draft) &&
           wri_drafts_without(&m->d, &m->d.draft, call, &m->base) && mend(m, how);
}

/* Does the base fail with a change? Then it is the sequence. */
typedef bool change(minimising *m);

static bool change_bases_without(minimising *m, size_t call, change *tries)
{
    const wri_machine *machine = m->d.lab->machine;
    size_t             count = m->d.failing->count;
    m->gone = m->d.failing->calls[call];
    if (make_plain_base(m, call) && tries(m))
        return true;
    if (wri_made_gives(machine, &m->gone) == NULL)
        return false;
    for (size_t i = 0; i < MENDINGS * count && !m->d.over; i++)
        if (i / MENDINGS != call && make_base_with(m, call, i / MENDINGS, i % MENDINGS) &&
            tries(m))
            return true;
    return false;
}

static bool change_bases(minimising *m, change *tries)
{
    for (size_t i = m->d.failing->count; i-- > 0 && !m->d.over;)
        if (change_bases_without(m, i, tries))
            return true;
    return false;
}

static bool try_base(minimising *m)
{
    return wri_sequence_copy(&m->d.draft, &m->base) && wri_drafts_try(&m->d);
}

/* ---- One more call goes ---- */

static bool try_without_another(minimising *m)
{
    for (size_t i = m->base.count; i-- > 0 && !m->d.over;)
        if (wri_drafts_without(&m->d, &m->base, i, &m->d.draft) && wri_drafts_try(&m->d))
            return true;
    return false;
}

/* ---- An argument gets another value ---- */

typedef struct values {
    int64_t  list[VALUES_MOST], least, most;
    unsigned count;
    bool     bounded; /* all numbers between these two can be tried */
} values;

static void add_value(values *to, int64_t value)
{
    unsigned i = 0;
    while (i < to->count && to->list[i] != value)
        i++;
    if (i == to->count && i < VALUES_MOST && value >= to->least && value <= to->most)
        to->list[to->count++] = value;
}

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Adds the arguments of a call that are numbers; `near`: and the numbers next to those. */
static void add_numbers(const wri_machine *machine, const wri_made *call, int64_t offset,
                        bool near, values *to)
{
    for (unsigned i = 0; i < wri_made_arity(machine, call); i++) {
        if (wri_machine_takes_handle(machine, call->command, i))
            continue;
        add_value(to, sum(offset, call->arguments[i]));
        for (int step = -1; step <= 1 && near; step += 2)
            add_value(to, sum(call->arguments[i], step));
    }
}

/* Numbers: what it is together with the call that is gone, what other arguments are, and what is
 * next to those. */
static void list_numbers(minimising *m, const wri_sequence *sequence, int64_t value, values *to)
{
    const wri_machine *machine = m->d.lab->machine;
    for (int64_t i = 0; i < FEW_VALUES && (uint64_t)to->most - (uint64_t)to->least < FEW_VALUES;
         i++)
        add_value(to, to->least + i);
    add_value(to, to->least > 0 ? to->least : to->most < 0 ? to->most : 0);
    add_numbers(machine, &m->gone, 0, false, to);
    add_numbers(machine, &m->gone, value, false, to);
    add_value(to, sum(value, 1));
    add_value(to, sum(value, -1));
    for (size_t i = 0; i < sequence->count; i++)
        add_numbers(machine, &sequence->calls[i], 0, false, to);
    for (size_t i = 0; i < sequence->count; i++)
        add_numbers(machine, &sequence->calls[i], 0, true, to);
}

/* Values of the kind that the sequence has, or the call that is gone. */
static void list_used(minimising *m, const wri_sequence *sequence, const wr_kind *kind,
                      values *to)
{
    const wri_machine *machine = m->d.lab->machine;
    for (size_t i = 0; i <= sequence->count; i++) {
        const wri_made *call = i == sequence->count ? &m->gone : &sequence->calls[i];
        for (unsigned j = 0; j < wri_made_arity(machine, call); j++)
            if (wri_made_kind(machine, call, j) == kind)
                add_value(to, call->arguments[j]);
    }
}

static void list_handles(const wri_machine *machine, const wri_sequence *sequence, size_t before,
                         const wr_kind *kind, values *to)
{
    for (size_t i = 0; i < before; i++)
        if (wri_made_gives(machine, &sequence->calls[i]) == kind)
            add_value(to, (int64_t)i);
}

/* The values that an argument could have. */
static void list_values(minimising *m, const wri_sequence *sequence, size_t call,
                        unsigned argument, values *to)
{
    const wri_lab *lab = m->d.lab;
    const wr_kind *kind = wri_made_kind(lab->machine, &sequence->calls[call], argument);
    int64_t        value = sequence->calls[call].arguments[argument], other;
    *to = (values){ .least = INT64_MIN, .most = INT64_MAX };
    if (kind->handle) {
        list_handles(lab->machine, sequence, call, kind, to);
    } else if (kind->values > 0) {
        to->bounded = true;
        to->least = 0;
        to->most = (int64_t)kind->values - 1;
        list_numbers(m, sequence, value, to);
    } else if (lab->range(lab->context, sequence, call, argument, &to->least, &to->most)) {
        to->bounded = true;
        list_numbers(m, sequence, value, to);
    } else {
        list_used(m, sequence, kind, to);
        for (unsigned i = 0;
             i < OTHERS && lab->other(lab->context, sequence, call, argument, i, &other); i++)
            add_value(to, other);
    }
}

static bool try_values_of(minimising *m, size_t call, unsigned argument)
{
    values all;
    list_values(m, &m->base, call, argument, &all);
    for (unsigned i = 0; i < all.count && !m->d.over; i++) {
        if (all.list[i] == m->base.calls[call].arguments[argument] ||
            !wri_sequence_copy(&m->d.draft, &m->base))
            continue;
        m->d.draft.calls[call].arguments[argument] = all.list[i];
        if (wri_drafts_try(&m->d))
            return true;
    }
    return false;
}

static bool try_values(minimising *m)
{
    for (size_t i = m->base.count; i-- > 0;)
        for (unsigned j = 0; j < wri_made_arity(m->d.lab->machine, &m->base.calls[i]); j++)
            if (try_values_of(m, i, j))
                return true;
    return false;
}

/* ---- A call gets another command ---- */

/* Values for an argument of a call that is put in the place of another: first those that this one
 * had, then those of the sequence. */
static void list_values_for(minimising *m, const wri_sequence *sequence, size_t call,
                            const wr_kind *kind, values *to)
{
    const wri_lab  *lab = m->d.lab;
    const wri_made *old = &sequence->calls[call];
    int64_t         some;
    *to = (values){ .least = INT64_MIN, .most = INT64_MAX };
    for (unsigned i = 0; i < wri_made_arity(lab->machine, old); i++)
        if (wri_made_kind(lab->machine, old, i) == kind)
            add_value(to, old->arguments[i]);
    if (kind->handle) {
        list_handles(lab->machine, sequence, call, kind, to);
        return;
    }
    list_used(m, sequence, kind, to);
    for (unsigned i = 0; i < OTHERS && to->count < CALLS_MOST; i++)
        if (kind->values > 0 ? i < kind->values : lab->some(lab->context, kind, i, &some))
            add_value(to, kind->values > 0 ? (int64_t)i : some);
}

static bool is_taken(const wri_machine *machine, const wri_sequence *sequence, size_t call)
{
    const wr_kind *kind = wri_made_gives(machine, &sequence->calls[call]);
    return kind != NULL && is_taken_before(machine, sequence, kind, call, sequence->count - 1);
}

/* Could the call be one of this command, as far as the handle goes that it gives? The last call
 * shows the failure, and stays. */
static bool may_become(const minimising *m, const wri_sequence *sequence, size_t call,
                       unsigned command)
{
    const wri_machine *machine = m->d.lab->machine;
    const wri_made    *old = &sequence->calls[call];
    return command != old->command && (call + 1 < sequence->count || m->d.lab->afterwards) &&
           (!is_taken(machine, sequence, call) ||
            machine->commands[command].table->gives == wri_made_gives(machine, old));
}

/* The number-th choice of arguments for a call of the command in this place: one argument after
 * the other takes its other values. False: there are no more, or an argument has none. */
static bool make_other_call(minimising *m, const wri_sequence *sequence, size_t call,
                            unsigned command, unsigned number, wri_made *made)
{
    const wri_machine_command *table = &m->d.lab->machine->commands[command];
    bool                       taken = number == 0;
    *made = (wri_made){ .command = (uint8_t)command };
    for (unsigned i = 0; i < table->arity; i++) {
        values all;
        list_values_for(m, sequence, call, table->table->takes[i], &all);
        if (all.count == 0)
            return false;
        made->arguments[i] = all.list[0];
        if (taken)
            continue;
        taken = number < all.count;
        if (taken)
            made->arguments[i] = all.list[number];
        else
            number -= all.count - 1;
    }
    return taken;
}

static bool try_command(minimising *m, size_t call, unsigned command)
{
    wri_made made;
    for (unsigned i = 0;
         i < CALLS_MOST && !m->d.over && make_other_call(m, &m->base, call, command, i, &made);
         i++) {
        if (!wri_sequence_copy(&m->d.draft, &m->base))
            return false;
        m->d.draft.calls[call] = made;
        if (wri_drafts_try(&m->d))
            return true;
    }
    return false;
}

static bool try_commands(minimising *m)
{
    for (size_t i = m->base.count; i-- > 0;)
        for (unsigned j = 0; j < m->d.lab->machine->command_count && !m->d.over; j++)
            if (may_become(m, &m->base, i, j) && try_command(m, i, j))
                return true;
    return false;
}

/* ---- All at once ---- */

/* Until now the sequence was `before`, and now fails with a change that makes it no shorter. If
 * no call can go, the change is taken back. */
static bool go_on(minimising *m)
{
    if (m->d.failing->count < m->d.before.count || wri_drafts_take_out_singles(&m->d) ||
        change_bases(m, try_base))
        return true;
    wri_sequence_copy(m->d.failing, &m->d.before);
    return false;
}

static bool try_and_go_on(minimising *m)
{
    return wri_sequence_copy(&m->d.before, m->d.failing) && wri_drafts_try(&m->d) && go_on(m);
}

static bool take_out_command(minimising *m, unsigned command)
{
    wri_drafts *d = &m->d;
    size_t      count = 0;
    for (size_t i = 0; i < d->failing->count; i++) {
        d->selected[i] = d->failing->calls[i].command != command;
        count += !d->selected[i];
    }
    return count > 1 && wri_drafts_select(d, d->failing, &d->draft) && wri_drafts_try(d);
}

/* All calls of one command, but for the last call, become calls of the other. */
static bool replace_command(minimising *m, unsigned command, unsigned other)
{
    wri_drafts *d = &m->d;
    size_t      count = 0;
    if (!wri_sequence_copy(&d->draft, d->failing))
        return false;
    for (size_t i = 0; i < d->draft.count; i++) {
        wri_made made;
        if (d->draft.calls[i].command != command || !may_become(m, &d->draft, i, other))
            continue;
        if (!make_other_call(m, &d->draft, i, other, 0, &made))
            return false;
        d->draft.calls[i] = made;
        count++;
    }
    return count > 1 && try_and_go_on(m);
}

static bool change_commands(minimising *m)
{
    unsigned count = m->d.lab->machine->command_count;
    m->gone = m->d.failing->calls[0];
    for (unsigned i = 0; i < count && !m->d.over; i++) {
        if (take_out_command(m, i))
            return true;
        for (unsigned j = 0; j < count && !m->d.over; j++)
            if (i != j && replace_command(m, i, j))
                return true;
    }
    return false;
}

static bool uses(const wri_machine *machine, const wri_made *call, const wr_kind *kind)
{
    for (unsigned i = 0; i < wri_made_arity(machine, call); i++)
        if (wri_made_kind(machine, call, i) == kind)
            return true;
    return false;
}

/* All arguments of the kind get this value. Then fewer of their calls may do: if values add up,
 * only one number of calls. */
static bool level(minimising *m, const wr_kind *kind, int64_t value)
{
    wri_drafts *d = &m->d;
    for (size_t gone = 0; gone + 1 < d->failing->count && !d->over; gone++) {
        size_t left = gone;
        if (!wri_sequence_copy(&d->before, d->failing))
            return false;
        for (size_t i = 0; i < d->before.count; i++) {
            wri_made *call = &d->before.calls[i];
            bool      used = uses(d->lab->machine, call, kind);
            d->selected[i] = !used || left == 0;
            left -= used && left > 0;
            for (unsigned j = 0; j < wri_made_arity(d->lab->machine, call) && used; j++)
                if (wri_made_kind(d->lab->machine, call, j) == kind)
                    call->arguments[j] = value;
        }
        if (left > 0 || !wri_drafts_select(d, &d->before, &d->draft))
            return false;
        if (gone == 0 ? try_and_go_on(m) : wri_drafts_try(d))
            return true;
    }
    return false;
}

/* Each value of the sequence, and the greatest number that it could be. */
static bool level_values(minimising *m)
{
    wri_class classes[WRI_CLASSES];
    size_t    count = wri_trial_classes_of(m->d.lab->machine, m->d.failing, classes);
    for (size_t i = 0; i < count && !m->d.over; i++) {
        values all;
        if (classes[i].call == WRI_SETTING_CALL)
            continue;
        if (level(m, classes[i].kind, classes[i].value))
            return true;
        list_values(m, m->d.failing, classes[i].call, classes[i].argument, &all);
        if (all.bounded && level(m, classes[i].kind, all.most))
            return true;
    }
    return false;
}

/* All arguments with one value get another one that the sequence has. */
static bool make_values_equal(minimising *m)
{
    wri_drafts *d = &m->d;
    wri_class   classes[WRI_CLASSES];
    size_t      count = wri_trial_classes_of(d->lab->machine, d->failing, classes);
    for (size_t i = 0; i < count && !d->over; i++)
        for (size_t j = 0; j < count && !d->over; j++)
            if (i != j && classes[i].kind == classes[j].kind &&
                wri_trial_recast(d->lab->machine, d->failing, &classes[i], &classes[j].value, 1,
                                 &d->draft) &&
                try_and_go_on(m))
                return true;
    return false;
}

/* ---- At random ---- */

static void redraw_argument(minimising *m, size_t call, unsigned argument)
{
    wri_drafts *d = &m->d;
    values      all;
    list_values(m, &d->draft, call, argument, &all);
    if (all.bounded && wri_drafts_pick(d, 4) == 0)
        d->draft.calls[call].arguments[argument] =
            sum(all.least, (int64_t)wri_prng_scale(wri_prng_next(&d->random),
                                                   (uint64_t)all.most - (uint64_t)all.least));
    else if (all.count > 0)
        d->draft.calls[call].arguments[argument] = all.list[wri_drafts_pick(d, all.count)];
}

static void redraw_command(minimising *m, size_t call)
{
    wri_drafts *d = &m->d;
    unsigned    command = (unsigned)wri_drafts_pick(d, d->lab->machine->command_count);
    wri_made    made;
    if (may_become(m, &d->draft, call, command) &&
        make_other_call(m, &d->draft, call, command, (unsigned)wri_drafts_pick(d, 4), &made))
        d->draft.calls[call] = made;
}

static void change_something(minimising *m)
{
    wri_drafts *d = &m->d;
    size_t      call = wri_drafts_pick(d, d->draft.count);
    unsigned    arity = wri_made_arity(d->lab->machine, &d->draft.calls[call]);
    size_t      what = wri_drafts_pick(d, 6);
    if (what == 0 && d->draft.count > 1)
        wri_drafts_move_call(d);
    else if (what == 1)
        redraw_command(m, call);
    else if (what == 2)
        for (unsigned i = 0; i < arity; i++)
            redraw_argument(m, call, i);
    else if (arity > 0)
        redraw_argument(m, call, (unsigned)wri_drafts_pick(d, arity));
}

/* Some base, or the sequence as it is. */
static bool pick_base(minimising *m)
{
    wri_drafts *d = &m->d;
    size_t      count = d->failing->count, call = wri_drafts_pick(d, count);
    m->gone = d->failing->calls[call];
    if (wri_drafts_pick(d, 3) == 0)
        return wri_sequence_copy(&m->base, d->failing);
    size_t  other = wri_drafts_pick(d, count);
    mending how = (mending)wri_drafts_pick(d, MENDINGS);
    return (other != call && wri_made_gives(d->lab->machine, &m->gone) != NULL &&
            make_base_with(m, call, other, how)) ||
           make_plain_base(m, call);
}

static void try_step(minimising *m)
{
    wri_drafts *d = &m->d;
    if (!pick_base(m) || !wri_sequence_copy(&d->draft, &m->base))
        return;
    for (size_t i = wri_drafts_pick(d, CHANGES_MOST) + 1; i-- > 0;)
        change_something(m);
    wri_drafts_try(d);
}

/* Until a call has gone; if none does, it is what it was before. */
static bool wander(minimising *m)
{
    wri_drafts  *d = &m->d;
    size_t       count = d->failing->count;
    wri_sequence before = { 0 };
    if (count < LONG_SEQUENCE || !wri_sequence_copy(&before, d->failing))
        return false;
    for (size_t left = count * PATIENCE; left > 0 && !d->over && d->failing->count == count;
         left--)
        try_step(m);
    bool less = d->failing->count < count;
    if (!less)
        wri_sequence_copy(d->failing, &before);
    wri_sequence_free(&before);
    return less;
}

/* ---- All of it ---- */

static bool take_out_singles(minimising *m)
{
    return wri_drafts_take_out_singles(&m->d);
}

static bool change_handles(minimising *m)
{
    return change_bases(m, try_base);
}

static bool take_out_pairs(minimising *m)
{
    return change_bases(m, try_without_another);
}

static bool change_values(minimising *m)
{
    return change_bases(m, try_values);
}

static bool change_calls(minimising *m)
{
    return change_bases(m, try_commands);
}

typedef bool way(minimising *m);

static bool take_ways(minimising *m, way *const *ways, size_t count)
{
    for (size_t i = 0; i < count && !m->d.over; i++)
        if (ways[i](m))
            return true;
    return false;
}

/* The systematic changes may take half of the calls that are left, and the random ones the rest.
 */
static bool make_shorter(minimising *m)
{
    static way *const WAYS[] = { take_out_singles, change_handles, take_out_pairs,
                                 change_commands,  level_values,   make_values_equal,
                                 change_values,    change_calls };
    size_t            kept = m->d.effort / 2;
    m->d.effort -= kept;
    bool less = take_ways(m, WAYS, sizeof WAYS / sizeof *WAYS);
    m->d.over = m->d.stopped;
    m->d.effort += kept;
    return less || (!m->d.over && wander(m));
}

bool wri_minimise_calls(const wri_lab *lab, wri_sequence *failing, size_t effort)
{
    minimising m = { .base = { 0 } };
    size_t     count = failing->count;
    if (wri_drafts_open(&m.d, lab, failing, effort))
        while (failing->count > 1 && !m.d.over && make_shorter(&m))
            continue;
    wri_drafts_close(&m.d);
    wri_sequence_free(&m.base);
    if (failing->count < count)
        wri_rename_jointly(lab, failing);
    return failing->count < count;
}
