/* machine/study/order.c: finds which calls of a pattern must come before which, by tests.
 *
 * Each call in turn is moved before all earlier ones that it need not come after. If the failure
 * stays, their order does not matter. If not, the earlier calls are halved until it is known
 * which of them the call needs. A call always comes after those that gave its handles, and after
 * all that the calls before it need. The call that fails is the last one, unless another can be:
 * one of its command, or any call if the failure is seen after calls.
 *
 * An order that the pattern already includes, up to names, is not run. WRI_ORDER_BESIDE is the
 * published, simpler way: a single call is moved after those that follow it, as far as it goes.
 */
#include "machine/study/trial.h"

typedef uint32_t set; /* of calls */

typedef struct arrangement {
    const wri_lab      *lab;
    const wri_sequence *failing;
    wri_pattern        *pattern;
    wri_sequence        draft;
    unsigned            count;
    bool                inferring; /* what the pattern says already is not run */
    set                 moved;     /* what moves with the call that is looked at: all it needs */
    unsigned            mover;
    unsigned            instead; /* comes last when the last one moves; count: the last stays */
} arrangement;

static set below(unsigned call)
{
    return call < 32 ? wri_pattern_bit(call) - 1 : UINT32_MAX;
}

/* ---- One order ---- */

/* Adds to the order those from `from` up to `to` that are in `calls`. */
static size_t write_order(set calls, unsigned from, unsigned to, size_t *order, size_t count)
{
    for (unsigned i = from; i < to; i++)
        if ((calls >> i & 1) != 0)
            order[count++] = i;
    return count;
}

static set substituted(const arrangement *o)
{
    return o->instead < o->count ? wri_pattern_bit(o->instead) : 0;
}

/* With the mover, and all it needs, just before the first of `others`, and last what is last
 * instead of it. */
static void arrange(const arrangement *o, set others, size_t *order)
{
    set      moved = o->moved | wri_pattern_bit(o->mover), last = substituted(o);
    unsigned first = (others & ~last) == 0 ? o->mover : (unsigned)__builtin_ctz(others & ~last);
    size_t   count = write_order(~last, 0, first, order, 0);
    count = write_order(moved, first, o->count, order, count);
    count = write_order(~moved & ~last, first, o->count, order, count);
    write_order(last, 0, o->count, order, count);
}

static bool fails_in_order(arrangement *o, const size_t *order)
{
    if (!wri_sequence_arrange(o->lab->machine, o->failing, order, o->count, &o->draft))
        return false;
    return (o->inferring && wri_pattern_meets_at_end(o->lab->machine, o->pattern, &o->draft)) ||
           wri_trial_fails_at_end(o->lab, &o->draft);
}

/* Does it still fail when the mover comes before all of these? */
static bool is_free_of(arrangement *o, set others)
{
    size_t order[WRI_PATTERN_CALLS];
    arrange(o, others, order);
    return fails_in_order(o, order);
}

/* ---- One call ---- */

static void need(arrangement *o, unsigned call)
{
    o->moved |= wri_pattern_bit(call) | o->pattern->before[call];
}

/* The later half of a set of calls. */
static set later_half(set calls)
{
    set      half = 0;
    unsigned wanted = (unsigned)(__builtin_popcount(calls) + 1) / 2;
    for (unsigned i = 32; i-- > 0 && wanted > 0;)
        if ((calls >> i & 1) != 0) {
            half |= wri_pattern_bit(i);
            wanted--;
        }
    return half;
}

/* Finds out which of these the mover needs. `some`: one of them, for certain. */
static void look_among(arrangement *o, set others, bool some)
{
    others &= ~o->moved;
    if (others == 0)
        return;
    if (!some && is_free_of(o, others))
        return;
    if ((others & (others - 1)) == 0) {
        need(o, (unsigned)__builtin_ctz(others));
        return;
    }
    set later = later_half(others), needed = o->moved;
    look_among(o, later, false);
    look_among(o, others & ~later, o->moved == needed);
}

static set givers(const arrangement *o, unsigned call)
{
    const wri_made *made = &o->failing->calls[call];
    set             found = 0;
    for (unsigned i = 0; i < wri_made_arity(o->lab->machine, made); i++)
        if (wri_machine_takes_handle(o->lab->machine, made->command, i))
            found |= wri_pattern_bit((unsigned)made->arguments[i]);
    return found;
}

static void begin_with(arrangement *o, unsigned mover)
{
    o->mover = mover;
    o->moved = 0;
    for (unsigned i = 0; i < mover; i++)
        if ((givers(o, mover) >> i & 1) != 0)
            need(o, i);
}

static void look_at(arrangement *o, unsigned mover)
{
    begin_with(o, mover);
    look_among(o, below(mover), false);
    o->pattern->before[mover] = o->moved;
}

/* The latest call that could come last: of the same command, where it is that which fails, and
 * nothing needs it. */
static unsigned substitute(const arrangement *o)
{
    unsigned last = o->count - 1;
    set      needed = o->moved;
    for (unsigned i = 0; i < last; i++)
        needed |= o->pattern->before[i];
    for (unsigned i = last; i-- > 0;)
        if ((o->lab->afterwards ||
             o->failing->calls[i].command == o->failing->calls[last].command) &&
            (needed >> i & 1) == 0)
            return i;
    return o->count;
}

static void look_at_last(arrangement *o)
{
    unsigned last = o->count - 1;
    begin_with(o, last);
    o->instead = substitute(o);
    if (o->instead == o->count)
        return;
    set others = below(last) & ~o->moved;
    if (is_free_of(o, others)) {
        o->pattern->before[last] = o->moved;
    } else if (others != wri_pattern_bit(o->instead) &&
               is_free_of(o, wri_pattern_bit(o->instead))) {
        look_among(o, others & ~wri_pattern_bit(o->instead), true);
        o->pattern->before[last] = o->moved;
    }
}

static void learn_partial(arrangement *o)
{
    for (unsigned i = 1; i + 1 < o->count; i++)
        look_at(o, i);
    if (o->count > 1)
        look_at_last(o);
}

/* ---- As published: a single call beside those that follow it ---- */

/* A call that is beside all up to `to`. */
typedef struct beside {
    unsigned             call, to;
    const struct beside *outer;
} beside;

/* `other` comes later in the order than `call`. */
static void move_after(size_t *order, size_t call, size_t other)
{
    size_t at = 0;
    while (order[at] != call)
        at++;
    do
        order[at] = order[at + 1];
    while (order[at++] != other);
    order[at] = call;
}

/* Does it fail with `call` after `other`? The calls that are beside this block come before
 * theirs, or after. */
static bool fails_after(arrangement *o, const beside *outer, bool after, size_t call,
                        size_t other)
{
    size_t order[WRI_PATTERN_CALLS];
    write_order(below(o->count), 0, o->count, order, 0);
    for (; after && outer != NULL; outer = outer->outer)
        move_after(order, outer->call, outer->to);
    move_after(order, call, other);
    return fails_in_order(o, order);
}

static void learn_beside(arrangement *o, const beside *outer, unsigned from, unsigned end)
{
    beside inner = { from, from, outer };
    if (from + 1 >= end)
        return;
    while (inner.to + 1 < end && fails_after(o, outer, false, from, inner.to + 1) &&
           (outer == NULL || fails_after(o, outer, true, from, inner.to + 1)))
        o->pattern->before[++inner.to] &= ~wri_pattern_bit(from);
    learn_beside(o, inner.to > from ? &inner : outer, from + 1, inner.to + 1);
    learn_beside(o, outer, inner.to > from ? inner.to + 1 : from + 1, end);
}

void wri_order_learn(const wri_lab *lab, wri_ordering ordering, const wri_sequence *smallest,
                     wri_pattern *pattern)
{
    arrangement o = { .lab = lab,
                      .failing = smallest,
                      .pattern = pattern,
                      .count = pattern->count,
                      .inferring = ordering == WRI_ORDER_PARTIAL,
                      .instead = pattern->count };
    if (ordering == WRI_ORDER_PARTIAL)
        learn_partial(&o);
    else if (ordering == WRI_ORDER_BESIDE)
        learn_beside(&o, NULL, 0, o.count);
    wri_sequence_free(&o.draft);
}
