/* chase/same_bug.c: is a smallest failing sequence a known bug in another way?
 *
 *     v1 = new()  add(v1, "b\n")       readline(v1)                              known
 *     v1 = new()  prepend(v1, "b\n")   readline(v1)                              another command
 *     v1 = new()  add(v1, "b\n")       v2 = copy(v1)       readline(v2)          another handle
 *     v1 = new()  v2 = new()  add(v1, "b\n")  move(v2, v1)  readline(v2)         likewise
 *     start(2, 8)  advance(10)         if start(1, 8)  advance(9)  is known:     other numbers
 *     start(1, 8)  advance(2)  advance(7)                                        a sum
 *
 * Each of these can be turned into the known bug in small steps that all fail in the same place.
 * Steps that are natural are taken: a call becomes one of another command with the same kinds of
 * arguments and results; a handle that was made out of another is replaced by that one; two calls
 * with numbers become one with their sum; numbers move half-way. Other steps are not: taking out
 * what a bug needs, until another bug is left, would show that any two bugs are one.
 */
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"
#include "machine/calls/log.h"
#include "machine/study/trial.h"

/* The most calls that are made to compare one failure with the known bugs. */
#define EFFORT 600
/* A sequence of so many calls is long: the bug is about how often something is done. */
#define MANY_CALLS 10
/* If so many bugs look alike, they are one. */
#define MANY_ALIKE 4
/* After n times as many failures that were known, the next n are only counted. */
#define DULL_PART 16
/* A rule of so many calls says enough to know a bug by, values and guards aside. */
#define ENOUGH_CALLS 3

typedef struct morph {
    wri_chase   *chase;
    wri_sequence calls; /* what the failure has become by now */
    wri_sequence draft, part;
    bool        *selected;
    size_t      *order;
    size_t       effort;
} morph;

/* ---- Trying ---- */

/* Does the draft fail in the same way, in its last call? Known bugs may be in it. */
static bool fails(morph *m, const wri_sequence *draft)
{
    const wri_lab *lab = wri_chase_lab(m->chase);
    size_t         at;
    if (draft->count == 0 || draft->count > m->effort)
        return false;
    m->effort -= draft->count;
    return lab->run(lab->context, draft, &at) == WRI_TRIED_SAME && at + 1 == draft->count;
}

static bool adopt(morph *m)
{
    return fails(m, &m->draft) && wri_sequence_copy(&m->calls, &m->draft);
}

/* Takes calls out of a sequence, and those that cannot be made without them. `alive`: a handle
 * that no call may consume, either; SIZE_MAX: none. False: the last call is one of them. */
static bool take_out(morph *m, const wri_sequence *from, size_t one, size_t other, size_t alive)
{
    const wri_machine *machine = m->chase->machine;
    for (size_t i = 0; i < from->count; i++)
        m->selected[i] = i != one && i != other &&
                         (alive == SIZE_MAX || i + 1 == from->count ||
                          !wri_made_ends(machine, &from->calls[i], (int64_t)alive));
    wri_sequence_deselect_takers(machine, from, m->selected);
    return m->selected[from->count - 1] &&
           wri_sequence_select(machine, from, m->selected, m->order, &m->draft);
}

/* ---- Steps ---- */

/* Calls that took the handle `from` take the handle `to`. */
static bool replace_handle(morph *m, size_t from, size_t to)
{
    const wri_machine *machine = m->chase->machine;
    int64_t            instead = (int64_t)to;
    wri_class          given = { .kind = wri_made_gives(machine, &m->calls.calls[from]),
                                 .value = (int64_t)from };
    return wri_trial_recast(machine, &m->calls, &given, &instead, 1, &m->part);
}

/* A handle that was made out of another one of its kind: that one does as well. */
static bool bypass(morph *m, size_t call)
{
    const wri_machine *machine = m->chase->machine;
    const wri_made    *made = &m->calls.calls[call];
    const wr_kind     *kind = wri_made_gives(machine, made);
    for (unsigned i = 0; kind != NULL && i < wri_made_arity(machine, made); i++)
        if (wri_made_kind(machine, made, i) == kind &&
            replace_handle(m, call, (size_t)made->arguments[i]) &&
            take_out(m, &m->part, call, SIZE_MAX, (size_t)made->arguments[i]) && adopt(m))
            return true;
    return false;
}

/* A call with two handles of a kind made one out of the other. */
static bool carry(morph *m, size_t call)
{
    const wri_machine *machine = m->chase->machine;
    const wri_made    *made = &m->calls.calls[call];
    unsigned           arity = wri_made_arity(machine, made);
    for (unsigned i = 0; i < arity; i++)
        for (unsigned j = 0; j < arity; j++) {
            const wr_kind *kind = wri_made_kind(machine, made, i);
            size_t         from = (size_t)made->arguments[i], to = (size_t)made->arguments[j];
            if (kind->handle && wri_made_kind(machine, made, j) == kind && to < from &&
                replace_handle(m, from, to) && take_out(m, &m->part, call, from, to) && adopt(m))
                return true;
        }
    return false;
}

static bool number_range(morph *m, const wri_sequence *sequence, size_t call, unsigned argument,
                         int64_t *least, int64_t *most)
{
    const wri_lab *lab = wri_chase_lab(m->chase);
    const wr_kind *kind = wri_made_kind(m->chase->machine, &sequence->calls[call], argument);
    if (kind->handle || kind->symmetric || (kind->values > 0 && kind->show != NULL))
        return false;
    *least = 0;
    *most = (int64_t)kind->values - 1;
    return kind->values > 0 || lab->range(lab->context, sequence, call, argument, least, most);
}

/* Do the calls differ in one number alone? */
static bool may_add(morph *m, size_t one, size_t other)
{
    const wri_made *a = &m->calls.calls[one], *b = &m->calls.calls[other];
    unsigned        differ = 0;
    bool            any = false;
    int64_t         least, most;
    if (a->command != b->command || wri_made_gives(m->chase->machine, a) != NULL)
        return false;
    for (unsigned i = 0; i < wri_made_arity(m->chase->machine, a); i++) {
        bool number = number_range(m, &m->calls, one, i, &least, &most);
        any |= number;
        differ += a->arguments[i] != b->arguments[i];
        if (!number && a->arguments[i] != b->arguments[i])
            return false;
    }
    return any && differ <= 1;
}

/* Two calls become one, with the sum of one of their numbers. */
static bool add_up(morph *m, size_t call)
{
    const wri_machine *machine = m->chase->machine;
    int64_t            least, most;
    for (size_t other = call + 1; other < m->calls.count; other++)
        for (unsigned i = 0; i < wri_made_arity(machine, &m->calls.calls[call]); i++) {
            if (!may_add(m, call, other) ||
                !number_range(m, &m->calls, other, i, &least, &most) ||
                !wri_sequence_copy(&m->part, &m->calls))
                continue;
            int64_t sum;
            if (__builtin_add_overflow(m->calls.calls[call].arguments[i],
                                       m->calls.calls[other].arguments[i], &sum) ||
                sum < least || sum > most)
                continue;
            m->part.calls[other].arguments[i] = sum;
            if (take_out(m, &m->part, call, SIZE_MAX, SIZE_MAX) && adopt(m))
                return true;
        }
    return false;
}

static bool drop(morph *m, size_t call)
{
    return take_out(m, &m->calls, call, SIZE_MAX, SIZE_MAX) && adopt(m);
}

/* One step; false: there is none. Then some calls may not be needed any more. */
static bool step(morph *m)
{
    static bool (*const STEPS[])(morph *, size_t) = { bypass, carry, add_up };
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++)
        for (size_t call = m->calls.count - 1; call-- > 0;)
            if (STEPS[i](m, call)) {
                for (size_t k = m->calls.count - 1; k-- > 0;)
                    if (k + 1 < m->calls.count)
                        drop(m, k);
                return true;
            }
    return false;
}

/* ---- As many calls ---- */

/* The call that gives the handle, if it has no place yet, and those that it needs. */
static void place_giver(morph *m, const wri_sequence *from, size_t giver, size_t *count)
{
    const wri_made *call = &from->calls[giver];
    if (m->selected[giver])
        return;
    m->selected[giver] = true;
    for (unsigned i = 0; i < wri_made_arity(m->chase->machine, call); i++)
        if (wri_machine_takes_handle(m->chase->machine, call->command, i))
            place_giver(m, from, (size_t)call->arguments[i], count);
    m->order[(*count)++] = giver;
}

/* Moves each call that gives a handle to just before the first call that takes it, so that
 * handles have numbers by their use. False: it does not fail any more, or memory is out. */
static bool put_in_order(morph *m, const wri_sequence *from, wri_sequence *to)
{
    const wri_machine *machine = m->chase->machine;
    size_t             count = 0;
    memset(m->selected, 0, from->count * sizeof *m->selected);
    for (size_t i = 0; i < from->count; i++) {
        const wri_made *call = &from->calls[i];
        if (wri_made_gives(machine, call) != NULL && i + 1 < from->count)
            continue;
        for (unsigned j = 0; j < wri_made_arity(machine, call); j++)
            if (wri_machine_takes_handle(machine, call->command, j))
                place_giver(m, from, (size_t)call->arguments[j], &count);
        m->order[count++] = i;
        m->selected[i] = true;
    }
    for (size_t i = 0; i < from->count; i++) /* those that nobody needs */
        if (!m->selected[i])
            return false;
    return wri_sequence_arrange(machine, from, m->order, count, to);
}

static bool play_one_part(const wri_machine *machine, const wri_made *a, const wri_made *b)
{
    const wr_command *one = machine->commands[a->command].table,
                     *other = machine->commands[b->command].table;
    return wri_machine_like(machine, a->command) == wri_machine_like(machine, b->command) ||
           (one->gives == other->gives && one->consumes == other->consumes &&
            memcmp(one->takes, other->takes, sizeof one->takes) == 0);
}

/* Gives the calls the commands of the known ones, one after the other. */
static bool take_commands(morph *m, const wri_sequence *known)
{
    const wri_machine *machine = m->chase->machine;
    if (known->count != m->calls.count)
        return false;
    for (size_t i = 0; i < known->count; i++)
        if (!play_one_part(machine, &m->calls.calls[i], &known->calls[i]))
            return false;
    if (!wri_sequence_copy(&m->part, &m->calls))
        return false;
    for (size_t i = 0; i < known->count; i++) {
        if (m->part.calls[i].command == known->calls[i].command)
            continue;
        m->part.calls[i].command = known->calls[i].command;
        if (!fails(m, &m->part))
            return false;
    }
    return true;
}

/* Values that are no numbers become those of the known calls: names and texts have no order, and
 * there is nothing between two of them. False: handles differ. */
static bool take_values(morph *m, const wri_sequence *known)
{
    const wri_machine *machine = m->chase->machine;
    int64_t            least, most;
    for (size_t i = 0; i < known->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &known->calls[i]); j++) {
            int64_t *value = &m->part.calls[i].arguments[j],
                    wanted = known->calls[i].arguments[j];
            if (*value == wanted || number_range(m, &m->part, i, j, &least, &most))
                continue;
            if (wri_made_kind(machine, &known->calls[i], j)->handle)
                return false;
            *value = wanted;
        }
    return true;
}

/* Sets each number of the draft half-way between both sequences, rounded down or up. True: the
 * draft is neither of the two. */
static bool half_way(morph *m, const wri_sequence *known, bool up)
{
    bool one = false, other = false;
    if (!wri_sequence_copy(&m->draft, &m->part))
        return false;
    for (size_t i = 0; i < known->count; i++)
        for (unsigned j = 0; j < wri_made_arity(m->chase->machine, &known->calls[i]); j++) {
            int64_t  a = m->part.calls[i].arguments[j], b = known->calls[i].arguments[j];
            int64_t  low = a < b ? a : b;
            uint64_t apart = (uint64_t)(a < b ? b : a) - (uint64_t)low;
            m->draft.calls[i].arguments[j] =
                (int64_t)((uint64_t)low + apart / 2 + (up && apart % 2 != 0));
            one |= m->draft.calls[i].arguments[j] != a;
            other |= m->draft.calls[i].arguments[j] != b;
        }
    return one && other;
}

/* Does it fail if one number is that of the known calls and the others stay, or the other way
 * round? */
static bool fails_in_a_corner(morph *m, const wri_sequence *known)
{
    for (size_t i = 0; i < known->count; i++)
        for (unsigned j = 0; j < wri_made_arity(m->chase->machine, &known->calls[i]); j++) {
            int64_t a = m->part.calls[i].arguments[j], b = known->calls[i].arguments[j];
            if (a == b)
                continue;
            if (!wri_sequence_copy(&m->draft, &m->part))
                return false;
            m->draft.calls[i].arguments[j] = b;
            if (fails(m, &m->draft))
                return true;
            if (!wri_sequence_copy(&m->draft, known))
                return false;
            m->draft.calls[i].arguments[j] = a;
            if (fails(m, &m->draft))
                return true;
        }
    return false;
}

/* Do both fail because of one condition on their numbers? Then numbers between them fail, too. */
static bool are_numbers_one(morph *m, const wri_sequence *known)
{
    bool between = false;
    if (wri_sequence_same(&m->part, known))
        return true;
    for (int up = 0; up < 2; up++) {
        bool inside = half_way(m, known, up == 1);
        between |= inside;
        if (inside && fails(m, &m->draft))
            return true;
    }
    return !between && fails_in_a_corner(m, known);
}

static bool is_like(morph *m, const wri_sequence *known)
{
    return take_commands(m, known) && take_values(m, known) && are_numbers_one(m, known);
}

/* The same with handles numbered by their use, in both. */
static bool is_like_in_order(morph *m, const wri_sequence *known)
{
    wri_sequence mine = { 0 }, theirs = { 0 }, kept = m->calls;
    bool         like = false;
    if (known->count == m->calls.count && put_in_order(m, &m->calls, &mine) &&
        put_in_order(m, known, &theirs) &&
        !(wri_sequence_same(&mine, &m->calls) && wri_sequence_same(&theirs, known)) &&
        fails(m, &mine) && fails(m, &theirs)) {
        m->calls = mine;
        like = is_like(m, &theirs);
        m->calls = kept;
    }
    wri_sequence_free(&mine);
    wri_sequence_free(&theirs);
    return like;
}

/* ---- All of it ---- */

/* The bug whose rule the calls are, all of them, as far as guards do not matter; WRI_NO_BUG:
 * none. A rule of fewer calls may be nothing without its guards. */
static size_t find_rule(morph *m)
{
    const wri_chase_rules *rules = &m->chase->rules;
    for (size_t i = 0; i < rules->count; i++) {
        wri_pattern bare = rules->known[i].pattern;
        bare.guard_count = 0;
        if (bare.count >= ENOUGH_CALLS && bare.count == m->calls.count &&
            wri_chase_may_be(&m->chase->inquiry, &rules->known[i]) &&
            wri_pattern_meets_at_end(m->chase->machine, &bare, &m->calls))
            return rules->known[i].bug;
    }
    return WRI_NO_BUG;
}

/* Both have many calls, and the ones have commands that the others have. Few bugs need as many:
 * they are about how often something is done. */
static bool are_both_long(const wri_sequence *one, const wri_sequence *other)
{
    uint64_t a = wri_sequence_commands(one), b = wri_sequence_commands(other);
    return one->count >= MANY_CALLS && other->count >= MANY_CALLS &&
           ((a & ~b) == 0 || (b & ~a) == 0);
}

/* The known calls are among these, in their order, with other values, and no other command is
 * called: something is done more often, before or between. */
static bool does_it_more_often(const wri_machine *machine, const wri_sequence *known,
                               const wri_sequence *calls)
{
    size_t   at = 0;
    unsigned enough = 0;
    for (size_t i = 0; i < calls->count && at < known->count; i++)
        at += calls->calls[i].command == known->calls[at].command;
    for (size_t i = 0; i + 1 < known->count; i++)
        enough += wri_made_gives(machine, &known->calls[i]) == NULL;
    return at == known->count && enough >= ENOUGH_CALLS &&
           wri_sequence_commands(known) == wri_sequence_commands(calls);
}

/* So many bugs of one place have the same commands, and are told apart by numbers and by how
 * often each is called: then the numbers are the bug, and steps do not lead from one to the
 * other. */
static bool is_one_of_many(const morph *m, const wri_sequence *known, size_t *alike)
{
    *alike += wri_sequence_commands(&m->calls) == wri_sequence_commands(known);
    return *alike >= MANY_ALIKE;
}

/* An invariant or a contract fails after the call that broke it, so this call must be the same.
 */
static bool end_alike(const wri_machine *machine, const wri_sequence *one,
                      const wri_sequence *other)
{
    return one->count > 0 && other->count > 0 &&
           wri_machine_like(machine, one->calls[one->count - 1].command) ==
               wri_machine_like(machine, other->calls[other->count - 1].command);
}

/* The bug of this place whose smallest calls these are alike. */
static size_t find_like(morph *m)
{
    const wri_chase_rules *rules = &m->chase->rules;
    size_t                 tried = WRI_NO_BUG, found = WRI_NO_BUG, alike = 0;
    wri_sequence           known = { 0 };
    for (size_t i = 0; i < rules->count && found == WRI_NO_BUG; i++) {
        size_t bug = rules->known[i].bug;
        if (wri_chase_is_old(bug) || bug == tried ||
            !wri_chase_may_be(&m->chase->inquiry, &rules->known[i]))
            continue;
        tried = bug;
        if (wri_sequence_read(m->chase->machine, &m->chase->quest->bugs[bug].trace, &known) &&
            end_alike(m->chase->machine, &m->calls, &known) &&
            (are_both_long(&m->calls, &known) ||
             does_it_more_often(m->chase->machine, &known, &m->calls) || is_like(m, &known) ||
             is_like_in_order(m, &known) || is_one_of_many(m, &known, &alike)))
            found = bug;
    }
    wri_sequence_free(&known);
    return found;
}

static bool begin(morph *m, const wri_sequence *failing)
{
    m->selected = calloc(failing->count + 1, sizeof *m->selected);
    m->order = calloc(failing->count + 1, sizeof *m->order);
    return m->selected != NULL && m->order != NULL && wri_sequence_copy(&m->calls, failing);
}

static void end(morph *m)
{
    wri_sequence_free(&m->calls);
    wri_sequence_free(&m->draft);
    wri_sequence_free(&m->part);
    free(m->selected);
    free(m->order);
}

/* Is there a rule that it could be at all? */
static bool may_be_known(const wri_chase *chase)
{
    for (size_t i = 0; i < chase->rules.count; i++)
        if (wri_chase_may_be(&chase->inquiry, &chase->rules.known[i]))
            return true;
    return false;
}

/* ---- Failures that are known again and again ---- */

static wri_dull *dull_here(const wri_chase *chase)
{
    for (size_t i = 0; i < chase->dull_count; i++)
        if (chase->dull[i].key == chase->inquiry.key)
            return &chase->dull[i];
    return NULL;
}

size_t wri_chase_find_dull(wri_chase *chase)
{
    wri_dull *here = dull_here(chase);
    if (here == NULL || here->left == 0)
        return WRI_NO_BUG;
    here->left--;
    return here->bug;
}

void wri_chase_note_known(wri_chase *chase, size_t bug)
{
    wri_dull *here = dull_here(chase);
    if (here == NULL && bug != WRI_NO_BUG) {
        wri_dull *grown = realloc(chase->dull, (chase->dull_count + 1) * sizeof *grown);
        if (grown == NULL)
            return;
        chase->dull = grown;
        here = &grown[chase->dull_count++];
        *here = (wri_dull){ .key = chase->inquiry.key };
    }
    if (here == NULL)
        return;
    here->known = bug == WRI_NO_BUG ? 0 : here->known + 1;
    here->bug = bug;
    here->left = here->known / DULL_PART;
}

/* The bug that the calls of this failure are in another way. Natural steps make them shorter. */
size_t wri_chase_same_as(wri_chase *chase, wri_sequence *failing)
{
    morph  m = { .chase = chase, .effort = EFFORT };
    size_t bug = WRI_NO_BUG;
    if (begin(&m, failing)) {
        bug = find_rule(&m);
        bug = bug == WRI_NO_BUG ? find_like(&m) : bug;
        while (bug == WRI_NO_BUG && m.calls.count > 1 && step(&m)) {
            bug = find_rule(&m);
            bug = bug == WRI_NO_BUG ? find_like(&m) : bug;
        }
        if (bug == WRI_NO_BUG)
            wri_sequence_copy(failing, &m.calls);
    }
    end(&m);
    return bug;
}

size_t wri_chase_find_same(wri_chase *chase, wri_sequence *failing)
{
    wri_pattern pattern;
    if (!may_be_known(chase) || !wri_chase_reduce(chase, failing))
        return WRI_NO_BUG;
    size_t bug = wri_chase_same_as(chase, failing);
    if (bug == WRI_NO_BUG)
        return bug;
    wri_chase_shorten(chase, bug, failing);
    if (wri_generalise_calls(wri_chase_lab(chase), &chase->setup, failing, &pattern)) {
        wri_chase_know_pattern(chase, bug, &pattern, failing);
        wri_chase_write_rules(&chase->rules);
    }
    return bug;
}
