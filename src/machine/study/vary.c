/* machine/study/vary.c: finds the values that a failure needs.
 *
 * If all values are changed in the same way, a test shows little: their sum may matter, or their
 * distance, or a remainder. So each value gets one that has nothing to do with the others: once
 * far from its own, once next to it. Numbers of a wide range also get other distances. If the
 * failure stays, no value matters. If not, each kind is tried alone, then each value, while all
 * values that do not matter are changed. If a kind has so few values that all are in use, they
 * change places, and become equal. A value that is left is needed. For a number its range is
 * found: how far it goes, and whether all numbers between fail with all that the others may be.
 *
 * A pattern cannot say "less than". If only the order of values matters, it says nothing of them.
 */
#include "core/prng.h"
#include "machine/study/trial.h"

#include <string.h>

/* An end of a number's range is looked for with so many tests. */
#define END_TESTS 12
/* So many other values are tried where the calls cannot be made with those before. */
#define VALUE_TESTS 8
/* So many values are looked at for one that is nowhere else. */
#define FRESH_TESTS 8
/* A kind of more numbers is wide: that two of them are far from each other, or leave the same
 * when they are divided, may be chance. */
#define WIDE 16
/* The rounds in which values that are all taken are made the same. */
enum { AS_FIRST = 1, AS_LAST };

typedef uint64_t set; /* of classes */
_Static_assert(WRI_CLASSES <= 64, "a set is one number");

typedef struct varying {
    const wri_lab      *lab;
    const wri_sequence *failing;
    const wri_class    *classes;
    size_t              count;
    wri_term           *terms;
    int64_t             values[WRI_CLASSES]; /* it fails with these: others where any will do */
    int64_t             trial[WRI_CLASSES];
    set                 taken; /* of kinds whose values were all in use */
    wri_sequence        draft;
} varying;

/* The effect of other values. */
typedef enum {
    STAYS,   /* it fails with them, too, or there are no others */
    GONE,    /* not any more */
    UNKNOWN, /* the calls cannot be made with any, */
    BARRED,  /* or some have another bug in them, maybe for the sake of these values */
} wri_effect;

static set classes_of_kind(const varying *v, size_t first)
{
    set kind = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->classes[i].kind == v->classes[first].kind)
            kind |= wri_machine_bit(i);
    return kind;
}

/* ---- Other values ---- */

/* Numbers it could be, and that can be asked for; within what it is known to need. */
static bool find_limits(const varying *v, size_t class, int64_t *least, int64_t *most)
{
    const wri_lab   *lab = v->lab;
    const wri_class *c = &v->classes[class];
    const wri_term  *term = &v->terms[class];
    *least = 0;
    *most = (int64_t)c->kind->values - 1;
    if (c->kind->abstract != NULL ||
        (c->kind->values == 0 &&
         !lab->range(lab->context, v->failing, c->call, c->argument, least, most)))
        return false;
    if (term->sort == WRI_TERM_RANGE) {
        *least = term->least > *least ? term->least : *least;
        *most = term->most < *most ? term->most : *most;
    }
    return *least < *most;
}

/* By number: the end that is farther, the numbers next to it, first the one on the way to 0, and
 * others. */
static int64_t number_between(int64_t value, int64_t least, int64_t most, unsigned number)
{
    uint64_t below = (uint64_t)value - (uint64_t)least, above = (uint64_t)most - (uint64_t)value;
    bool     down = above == 0 || (below > 0 && value > 0);
    if (number == 0)
        return below > above ? least : most;
    if (number == 1 || (number == 2 && below > 0 && above > 0))
        return down == (number == 1) ? value - 1 : value + 1;
    return (int64_t)((uint64_t)least +
                     wri_prng_scale(wri_prng_mix((uint64_t)value + number * WRI_GAMMA),
                                    below + above));
}

/* The demand on another value. FRESH: no class of the kind has or had it; FREE: none has it now;
 * DIFFERENT, when all are taken: any but its own. */
typedef enum { FRESH, FREE, DIFFERENT } wri_demand;

static bool meets(const varying *v, size_t class, int64_t value, wri_demand demand)
{
    const wr_kind *kind = v->classes[class].kind;
    if (value == v->classes[class].value)
        return false;
    for (size_t i = 0; i < v->count && demand != DIFFERENT; i++)
        if (v->classes[i].kind == kind &&
            (v->trial[i] == value || (demand == FRESH && v->classes[i].value == value)))
            return false;
    return true;
}

/* Which number is tried: far and near ones in turn, and one that is like no other class's. */
static unsigned number_of(size_t class, unsigned round, unsigned attempt)
{
    bool near = (round + class) % 2 != 0;
    if (round > 1 || attempt > (near ? 1 : 0))
        return 3 + (unsigned)class + FRESH_TESTS * round + attempt;
    return near ? 1 + attempt : 0;
}

/* Asks for another value by its number. Neighbouring classes ask for different numbers, or values
 * that were drawn alike would change alike. If there are few values, numbers start again at 0. */
static bool ask_for_other(const varying *v, size_t class, unsigned round, unsigned attempt,
                          int64_t *value)
{
    const wri_lab   *lab = v->lab;
    const wri_class *c = &v->classes[class];
    unsigned         number = (unsigned)class + round + attempt;
    return lab->other(lab->context, v->failing, c->call, c->argument, number, value) ||
           lab->other(lab->context, v->failing, c->call, c->argument, attempt, value);
}

/* Rounds differ in what is tried first, and so do the classes of a round. */
static bool look_for(const varying *v, size_t class, unsigned round, wri_demand demand,
                     int64_t *value)
{
    const wri_class *c = &v->classes[class];
    int64_t          least, most;
    bool             ranged = find_limits(v, class, &least, &most);
    if (!ranged && (v->terms[class].sort == WRI_TERM_RANGE ||
                    (c->kind->values > 0 && c->kind->abstract == NULL)))
        return false;
    for (unsigned i = 0; i < FRESH_TESTS; i++) {
        if (ranged)
            *value = number_between(c->value, least, most, number_of(class, round, i));
        else if (!ask_for_other(v, class, round, i, value))
            return false;
        if (meets(v, class, *value, demand))
            return true;
    }
    return false;
}

/* The value that the kind's first class has now, or its last. */
static int64_t value_at_end(const varying *v, size_t class, bool last)
{
    size_t at = last ? v->count - 1 : 0;
    while (v->classes[at].kind != v->classes[class].kind)
        at = last ? at - 1 : at + 1;
    return v->trial[at];
}

/* Another value, like no other class's if there is one. If all are taken, classes swap values.
 * Then different ones are made the same: a pattern allows that, too. */
static bool find_other(varying *v, size_t class, unsigned round, int64_t *value)
{
    bool alike = (v->taken >> class & 1) != 0 && (round == AS_FIRST || round == AS_LAST) &&
                 v->terms[class].sort != WRI_TERM_RANGE;
    if (look_for(v, class, round, FRESH, value))
        return true;
    if (alike) {
        *value = value_at_end(v, class, round == AS_LAST);
        return meets(v, class, *value, DIFFERENT);
    }
    if (look_for(v, class, round, FREE, value))
        return true;
    v->taken |= classes_of_kind(v, class);
    return look_for(v, class, round, DIFFERENT, value);
}

/* ---- Trying them ---- */

/* The effect of the trial's values. */
static wri_effect try_values(varying *v)
{
    const wri_lab *lab = v->lab;
    size_t         at;
    if (!wri_trial_recast(lab->machine, v->failing, v->classes, v->trial, v->count, &v->draft))
        return GONE;
    if (lab->veto(lab->context, &v->draft))
        return BARRED;
    wri_tried tried = lab->run(lab->context, &v->draft, &at);
    if (tried == WRI_TRIED_IMPOSSIBLE)
        return UNKNOWN;
    return tried == WRI_TRIED_SAME && at + 1 == v->draft.count ? STAYS : GONE;
}

/* Other values of all these. False: there are none. If all values of a kind are taken, a class
 * was tried beside few others. So one round has the first values of the rest. */
static bool change(varying *v, set changed, unsigned round)
{
    bool any = false;
    memcpy(v->trial, v->values, sizeof v->trial);
    for (size_t i = 0; i < v->count; i++)
        if (round == AS_FIRST && (v->taken >> i & 1) != 0)
            v->trial[i] = v->classes[i].value;
    for (size_t i = 0; i < v->count; i++) {
        int64_t other;
        if ((changed >> i & 1) != 0 && find_other(v, i, round, &other)) {
            v->trial[i] = other;
            any = true;
        }
    }
    return any;
}

static wri_effect fails_changed(varying *v, set changed, unsigned round)
{
    bool barred = false;
    for (unsigned i = 0; i < VALUE_TESTS; i++, round += 3) {
        if (!change(v, changed, round))
            return i == 0 ? STAYS : barred ? BARRED : UNKNOWN;
        wri_effect effect = try_values(v);
        if (effect == STAYS || effect == GONE)
            return effect;
        barred |= effect == BARRED;
    }
    return barred ? BARRED : UNKNOWN;
}

/* ---- Distances ---- */

/* So the values of a wide kind are put to each other: each where it is, but with another distance
 * to all before it, which is a little more; next to each other, upwards and downwards; and
 * anywhere. */
enum { SHIFTED, UPWARDS, DOWNWARDS, ANYWHERE, PLACINGS };

/* Those classes of a wide kind that are several. The other tries show enough about kinds with few
 * numbers. */
static set several_of_wide(const varying *v, set changed)
{
    set     wide = 0;
    int64_t least, most;
    for (size_t i = 0; i < v->count; i++)
        if ((changed >> i & 1) != 0 && find_limits(v, i, &least, &most) &&
            (uint64_t)most - (uint64_t)least >= WIDE)
            wide |= wri_machine_bit(i);
    for (size_t i = 0; i < v->count; i++)
        if ((classes_of_kind(v, i) & wide) == wri_machine_bit(i))
            wide &= ~wri_machine_bit(i);
    return wide;
}

/* The new value of the class that has this rank among its kind's; `first` is the kind's first. */
static int64_t placed(const varying *v, size_t class, size_t first, size_t rank, unsigned placing,
                      int64_t least, int64_t most)
{
    int64_t value = v->classes[class].value, from = v->classes[first].value;
    bool    down = placing == DOWNWARDS;
    if (placing == ANYWHERE)
        return number_between(value, least, most, PLACINGS + (unsigned)rank * FRESH_TESTS);
    if (placing != SHIFTED)
        value = number_between(from, least, most, PLACINGS * placing);
    uint64_t by = placing == SHIFTED ? rank * (rank + 1) / 2 : rank;
    uint64_t room = down ? (uint64_t)value - (uint64_t)least : (uint64_t)most - (uint64_t)value;
    return (int64_t)((uint64_t)value + (down == (by <= room) ? 0 - by : by));
}

/* Are two of a kind the same now? Whether they may be is another question. */
static bool coincide(const varying *v)
{
    for (size_t i = 0; i < v->count; i++)
        for (size_t j = 0; j < i; j++)
            if (v->classes[i].kind == v->classes[j].kind && v->trial[i] == v->trial[j])
                return true;
    return false;
}

/* False: there is no room for them. */
static bool place(varying *v, set wide, unsigned placing)
{
    int64_t least, most;
    memcpy(v->trial, v->values, sizeof v->trial);
    for (size_t i = 0; i < v->count; i++) {
        set    before = classes_of_kind(v, i) & wide & (wri_machine_bit(i) - 1);
        size_t rank = (size_t)__builtin_popcountll(before);
        if ((wide >> i & 1) == 0 || !find_limits(v, i, &least, &most))
            continue;
        size_t  first = before == 0 ? i : (size_t)__builtin_ctzll(before);
        int64_t value = placed(v, i, first, rank, placing, least, most);
        if (value < least || value > most)
            return false;
        v->trial[i] = value;
    }
    return !coincide(v);
}

/* Does it stay whatever the distances are? */
static wri_effect keep_apart(varying *v, set changed)
{
    set        wide = WRI_USES(v->lab->without, distances) ? several_of_wide(v, changed) : 0;
    wri_effect effect = STAYS;
    for (unsigned i = 0; i < PLACINGS && wide != 0 && effect != GONE; i++)
        if (place(v, wide, i))
            effect = try_values(v);
    return effect == GONE ? GONE : STAYS;
}

/* ---- Any ---- */

/* Can all these be anything at once? Two are far and near in turn; of more, some are both at the
 * same time, and are tried once more; and so are values that are all taken. */
static wri_effect vary(varying *v, set changed)
{
    bool       many = __builtin_popcountll(changed) > 2;
    wri_effect effect = STAYS;
    for (unsigned i = 0; i < (many || (changed & v->taken) != 0 ? 3u : 2u) && effect == STAYS;
         i++)
        effect = fails_changed(v, changed, i);
    if (effect != STAYS)
        return effect;
    int64_t others[WRI_CLASSES];
    memcpy(others, v->trial, sizeof others);
    effect = keep_apart(v, changed);
    if (effect == STAYS)
        memcpy(v->values, others, sizeof v->values);
    return effect;
}

/* ---- Order ---- */

static size_t rank_of(const varying *v, size_t class)
{
    size_t rank = 0;
    for (size_t i = 0; i < v->count; i++)
        rank += v->classes[i].kind == v->classes[class].kind &&
                v->classes[i].value < v->classes[class].value;
    return rank;
}

/* So all values of a kind are moved, in their order: as low as they get, as high, with the most
 * between, and each by one. */
enum { LOW, HIGH, APART, NEXT, MOVES };

static int64_t moved(const wri_class *class, int64_t least, int64_t most, size_t rank,
                     size_t count, unsigned move)
{
    uint64_t step = ((uint64_t)most - (uint64_t)least) / (count - 1);
    switch (move) {
    case LOW: return least + (int64_t)rank;
    case HIGH: return most - (int64_t)(count - 1 - rank);
    case APART: return (int64_t)((uint64_t)least + rank * step);
    default: return class->value + 1;
    }
}

/* False: they are there, or cannot be. */
static bool move_in_order(varying *v, set kind, unsigned move)
{
    size_t  count = (size_t)__builtin_popcountll(kind);
    int64_t least, most;
    bool    any = false;
    memcpy(v->trial, v->values, sizeof v->trial);
    for (size_t i = 0; i < v->count; i++) {
        if ((kind >> i & 1) == 0)
            continue;
        if (!find_limits(v, i, &least, &most) || (move == NEXT && v->classes[i].value == most))
            return false;
        v->trial[i] = moved(&v->classes[i], least, most, rank_of(v, i), count, move);
        any |= v->trial[i] != v->classes[i].value;
    }
    return any;
}

/* Is which is less all that matters of them? */
static bool keeps_order(varying *v, set kind)
{
    unsigned moves = 0;
    if (__builtin_popcountll(kind) < 2)
        return false;
    for (unsigned i = 0; i < MOVES; i++)
        if (move_in_order(v, kind, i)) {
            if (try_values(v) != STAYS)
                return false;
            moves++;
        }
    return moves > 1;
}

/* ---- Numbers ---- */

static bool fails_as(varying *v, size_t class, int64_t value)
{
    return wri_trial_recast(v->lab->machine, v->failing, &v->classes[class], &value, 1,
                            &v->draft) &&
           wri_trial_fails_at_end(v->lab, &v->draft);
}

/* The last number towards `limit` that fails; `open`: that is how far it goes. */
static int64_t find_end(varying *v, size_t class, int64_t limit, bool *open)
{
    int64_t  from = v->classes[class].value;
    bool     up = limit > from;
    uint64_t failing = 0,
             passing = up ? (uint64_t)limit - (uint64_t)from : (uint64_t)from - (uint64_t)limit;
    *open = passing == 0 || fails_as(v, class, limit);
    for (unsigned i = 0; i < END_TESTS && !*open && failing + 1 < passing; i++) {
        uint64_t next = i == 0 ? 1 : wri_trial_between(failing, passing);
        if (fails_as(v, class, (int64_t)((uint64_t)from + (up ? next : 0 - next))))
            failing = next;
        else
            passing = next;
    }
    return *open ? limit : (int64_t)((uint64_t)from + (up ? failing : 0 - failing));
}

/* How far it goes, if it is a number, and alone of its value. */
static wri_term find_range(varying *v, size_t class)
{
    int64_t  least, most;
    bool     down, up;
    wri_term alone = wri_term_constant(v->classes[class].value);
    if (v->classes[class].uses != 1 || !find_limits(v, class, &least, &most))
        return alone;
    int64_t low = find_end(v, class, least, &down), high = find_end(v, class, most, &up);
    if (low == high || (down && up))
        return alone;
    return (wri_term){ .sort = WRI_TERM_RANGE,
                       .least = down ? INT64_MIN : low,
                       .most = up ? INT64_MAX : high };
}

/* All these at an end of their ranges, which is the same for all or not for two that follow one
 * another; from the least, or from the most. */
static void go_to_corner(varying *v, set wide, bool high, bool in_turn)
{
    int64_t least, most;
    memcpy(v->trial, v->values, sizeof v->trial);
    for (size_t i = 0; i < v->count; i++)
        if ((wide >> i & 1) != 0 && find_limits(v, i, &least, &most)) {
            v->trial[i] = high ? most : least;
            high ^= in_turn;
        }
}

/* Does it fail with all that these ranges allow, as far as can be seen? */
static bool hold(varying *v, set wide)
{
    if (vary(v, wide) == GONE)
        return false;
    for (unsigned i = 0; i < 4 && (wide & (wide - 1)) != 0; i++) {
        go_to_corner(v, wide, i % 2 != 0, i > 1);
        if (try_values(v) == GONE)
            return false;
    }
    return true;
}

/* Each has its range if that holds with those of the ones before it; else it is the value that is
 * needed. */
static void choose_ranges(varying *v, set wide, const wri_term *ranges)
{
    set chosen = 0;
    for (size_t i = 0; i < v->count; i++)
        if ((wide >> i & 1) != 0) {
            v->values[i] = v->classes[i].value;
            v->terms[i] = wri_term_constant(v->classes[i].value);
        }
    for (size_t i = 0; i < v->count && (wide & (wide - 1)) != 0; i++)
        if ((wide >> i & 1) != 0) {
            v->terms[i] = ranges[i];
            if (hold(v, chosen | wri_machine_bit(i)))
                chosen |= wri_machine_bit(i);
            else
                v->terms[i] = wri_term_constant(v->classes[i].value);
        }
}

/* The ranges of all needed classes, each found with the others as they are. */
static void find_ranges(varying *v, set needed)
{
    set      wide = 0;
    wri_term found[WRI_CLASSES];
    for (size_t i = 0; i < v->count; i++)
        if ((needed >> i & 1) != 0) {
            found[i] = find_range(v, i);
            wide |= found[i].least < found[i].most ? wri_machine_bit(i) : 0;
        }
    for (size_t i = 0; i < v->count; i++)
        if ((needed >> i & 1) != 0)
            v->terms[i] = found[i];
    if (wide != 0 && !hold(v, wide))
        choose_ranges(v, wide, found);
}

/* ---- All of it ---- */

static bool needs(wri_effect effect)
{
    return effect == GONE || effect == BARRED;
}

/* Those of a kind that are needed, if not all can be anything, as this says. */
static set find_needed(varying *v, set kind, wri_effect together)
{
    set needed = 0;
    if (!needs(together) || keeps_order(v, kind))
        return 0;
    for (size_t i = 0; i < v->count; i++)
        if ((kind >> i & 1) != 0 &&
            (kind == wri_machine_bit(i) || needs(vary(v, wri_machine_bit(i)))))
            needed |= wri_machine_bit(i);
    return needed;
}

/* The same of all kinds. */
static set find_needed_kinds(varying *v, set all, wri_effect together)
{
    set needed = 0, seen = 0;
    for (size_t i = 0; i < v->count; i++) {
        set kind = classes_of_kind(v, i) & all & ~seen;
        seen |= kind;
        if (kind != 0)
            needed |= find_needed(v, kind, kind == all ? together : vary(v, kind));
    }
    return needed;
}

/* An .abstract may say what it has not said yet: where it said one thing only, that is needed. */
static bool may_be_unseen(const varying *v, size_t class)
{
    const wri_lab   *lab = v->lab;
    const wri_class *c = &v->classes[class];
    int64_t          value;
    return c->kind->abstract != NULL &&
           !lab->other(lab->context, v->failing, c->call, c->argument, 0, &value);
}

void wri_vary_learn(const wri_lab *lab, const wri_sequence *failing, const wri_class *classes,
                    size_t count, wri_term *terms)
{
    varying v = {
        .lab = lab, .failing = failing, .classes = classes, .count = count, .terms = terms
    };
    set all = 0;
    for (size_t i = 0; i < count; i++) {
        terms[i] = (wri_term){ .sort = WRI_TERM_ANY };
        v.values[i] = classes[i].value;
        all |= classes[i].kind->symmetric ? 0 : wri_machine_bit(i);
    }
    wri_effect together = all == 0 ? STAYS : vary(&v, all);
    if (together != STAYS)
        find_ranges(&v, find_needed_kinds(&v, all, together));
    for (size_t i = 0; i < count; i++)
        if (may_be_unseen(&v, i))
            terms[i] = wri_term_constant(classes[i].value);
    wri_sequence_free(&v.draft);
}
