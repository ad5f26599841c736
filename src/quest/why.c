/* quest/why.c: from a bug's smallest case to the reason why it fails.
 *
 * First each number by itself: does it matter, and how far can it move? Then arrays: where do the
 * elements that matter have to stand? Then two numbers at a time: do they move together? At last
 * the whole is sampled.
 */
#include "quest/why.h"

#include <stdlib.h>
#include <string.h>

#include "quest/study.h"

/* Two numbers that move together. */
typedef struct relation {
    uint32_t a, b; /* spots */
    bool     sum;  /* a + b; else a - b */
    int64_t  lo, hi;
} relation;

static wri_answered with(wri_study *study, const wri_spot *spot, int64_t value)
{
    wri_study_plan(study);
    wri_study_set(study, spot, value);
    return wri_study_ask(study);
}

/* Cases of known bugs say nothing: what is learnt may be about them, too. */
static bool goes_on(wri_answered answer)
{
    return answer == WRI_ANSWERED_FAILS || answer == WRI_ANSWERED_KNOWN;
}

/* ---- Each by itself ---- */

#define TRIES_ALONE 7

/* Does it fail with other values, too, whatever they are? */
static bool is_free(wri_study *study, const wri_spot *spot)
{
    unsigned fails = 0;
    for (unsigned i = 0; i < TRIES_ALONE && !study->over; i++) {
        int64_t value = i == 0   ? spot->least
                        : i == 1 ? spot->most
                        : i == 2 ? (spot->value < spot->most ? spot->value + 1 : spot->value - 1)
                                 : wri_study_any(study, spot);
        if (value == spot->value)
            continue;
        wri_answered answer = with(study, spot, value);
        if (answer == WRI_ANSWERED_HOLDS)
            return false;
        fails += goes_on(answer);
    }
    return fails > 0 || spot->least == spot->most;
}

static void set_free(wri_study *study, wri_spot *spot, bool free)
{
    (void)study;
    spot->free = free;
    spot->lo = free ? spot->least : spot->value;
    spot->hi = free ? spot->most : spot->value;
}

#define TRIES_TOGETHER 14

/* All free ones at random. Where that holds, one after the other goes back to its value in the
 * bug's case; the one with which it fails again is not free. */
static bool free_together(wri_study *study)
{
    int64_t values[WRI_STUDY_SPOTS];
    for (size_t i = 0; i < study->spot_count; i++)
        values[i] =
            study->spots[i].free ? wri_study_any(study, &study->spots[i]) : study->spots[i].value;
    for (size_t back = 0; back <= study->spot_count && !study->over; back++) {
        wri_study_plan(study);
        for (size_t i = study->spot_count; i-- > 0;) /* lengths come before their elements */
            if (values[i] != study->spots[i].value)
                wri_study_set(study, &study->spots[i], values[i]);
        wri_study_stir_idle(study);
        wri_answered answer = wri_study_run(study);
        if (back > 0 && answer != WRI_ANSWERED_HOLDS) {
            set_free(study, &study->spots[back - 1], false);
            return false;
        }
        if (back == 0 && answer != WRI_ANSWERED_HOLDS)
            return true;
        while (back < study->spot_count && values[back] == study->spots[back].value)
            back++;
        if (back < study->spot_count)
            values[back] = study->spots[back].value;
    }
    return true;
}

static void find_free(wri_study *study)
{
    for (size_t i = 0; i < study->spot_count; i++)
        set_free(study, &study->spots[i], is_free(study, &study->spots[i]));
    for (unsigned good = 0, bad = 0; good < TRIES_TOGETHER && bad < 8 && !study->over;)
        if (free_together(study))
            good++;
        else
            bad++;
}

/* ---- How far ---- */

/* Cases of known bugs count as failing on the way, but a range does not end with one. */
typedef struct way {
    uint64_t good, bad; /* distances: it fails, and it does not */
    uint64_t sure;      /* it fails for no known reason */
} way;

static void step(way *on, uint64_t distance, wri_answered answer)
{
    if (!goes_on(answer))
        on->bad = distance;
    else
        on->good = distance;
    if (answer == WRI_ANSWERED_FAILS)
        on->sure = distance;
}

/* A range may be wider than INT64_MAX. */
static int64_t at_distance(int64_t from, uint64_t distance, bool up)
{
    return (int64_t)(up ? (uint64_t)from + distance : (uint64_t)from - distance);
}

/* The last value that fails, from `value` on towards `end`. */
static int64_t reach(wri_study *study, const wri_spot *spot, int64_t end)
{
    int64_t  good = spot->value;
    bool     up = end > good;
    uint64_t room = up ? (uint64_t)end - (uint64_t)good : (uint64_t)good - (uint64_t)end;
    room -= room == UINT64_MAX; /* the end is looked at by itself */
    way on = { .bad = room + 1 };
    if (room == 0 || !goes_on(with(study, spot, up ? good + 1 : good - 1)))
        return good;
    wri_answered answer = with(study, spot, end);
    bool         whole = goes_on(answer), sure = answer == WRI_ANSWERED_FAILS;
    for (int i = 0; i < 6 && whole && room > 1; i++) {
        answer = with(study, spot, wri_study_random(study, up ? good : end, up ? end : good));
        whole = answer != WRI_ANSWERED_HOLDS;
        sure |= answer == WRI_ANSWERED_FAILS;
    }
    if (whole && sure)
        return end;
    for (uint64_t next = 1; next != 0 && next <= room && on.bad > room && !study->over; next *= 2)
        step(&on, next, with(study, spot, at_distance(good, next, up)));
    while (on.bad - on.good > 1 && on.good + (on.bad - on.good) / 2 <= room && !study->over) {
        uint64_t middle = on.good + (on.bad - on.good) / 2;
        step(&on, middle, with(study, spot, at_distance(good, middle, up)));
    }
    return at_distance(good, on.sure, up);
}

/* Does it fail so many higher, as far as the range goes; or so many lower? */
static bool repeats(wri_study *study, const wri_spot *spot, uint64_t step, bool up)
{
    static const uint64_t TIMES[] = { 1, 2, 3, 5, 8 };
    unsigned              fails = 0;
    uint64_t              room = up ? (uint64_t)spot->most - (uint64_t)spot->value
                                    : (uint64_t)spot->value - (uint64_t)spot->least;
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++) {
        if (TIMES[i] * step > room)
            break;
        int64_t      by = (int64_t)(TIMES[i] * step);
        wri_answered answer = with(study, spot, up ? spot->value + by : spot->value - by);
        if (!goes_on(answer))
            return false;
        fails += answer == WRI_ANSWERED_FAILS;
    }
    return fails >= 2;
}

/* Steps up; or down, to the lowest value that is left. */
static bool find_step_towards(wri_study *study, wri_spot *spot, bool up)
{
    static const uint16_t STEPS[] = { 2,  3,  4,   5,   6,   7,   8,    9,    10,  11,
                                      12, 13, 14,  15,  16,  20,  24,   25,   32,  50,
                                      60, 64, 100, 128, 256, 512, 1000, 1024, 4096 };
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && !study->over; i++) {
        if (STEPS[i] <= (uint64_t)spot->hi - (uint64_t)spot->lo ||
            !repeats(study, spot, STEPS[i], up))
            continue;
        uint64_t down = ((uint64_t)spot->lo - (uint64_t)spot->least) / STEPS[i] * STEPS[i];
        spot->step = STEPS[i];
        spot->lo = at_distance(spot->lo, up ? 0 : down, false);
        spot->hi = at_distance(spot->hi, up ? 0 : down, false);
        return true;
    }
    return false;
}

static void find_step(wri_study *study, wri_spot *spot)
{
    if ((spot->hi == spot->most && spot->lo < spot->hi) ||
        study->bug->trace.nodes[spot->node].kind == WRI_REAL)
        return;
    if (!find_step_towards(study, spot, true))
        find_step_towards(study, spot, false);
}

static void find_ranges(wri_study *study)
{
    for (size_t i = 0; i < study->spot_count && !study->over; i++) {
        wri_spot *spot = &study->spots[i];
        if (spot->free || spot->summed)
            continue;
        spot->hi = reach(study, spot, spot->most);
        spot->lo = reach(study, spot, spot->least);
    }
}

static void find_steps(wri_study *study, const relation *relations, size_t count)
{
    for (uint32_t i = 0; i < study->spot_count && !study->over; i++) {
        wri_spot *spot = &study->spots[i];
        bool      bound = spot->free || spot->summed || spot->length;
        for (size_t k = 0; k < count; k++)
            bound |= relations[k].a == i || relations[k].b == i;
        if (!bound && study->bug->trace.nodes[spot->node].kind == WRI_INTEGER)
            find_step(study, spot);
    }
}

/* ---- Arrays ---- */

static size_t constrained(const wri_study *study, const wri_study_list *list, wri_spot **first)
{
    size_t count = 0;
    for (size_t i = study->spot_count; i-- > 0;) {
        const wri_spot *spot = &study->spots[i];
        if (spot->node != list->array || spot->free || spot->summed)
            continue;
        *first = (wri_spot *)spot;
        count++;
    }
    return count;
}

/* Does it fail with more elements in front, or behind? */
static bool may_grow(wri_study *study, const wri_study_list *list, bool front)
{
    uint64_t count = study->bug->trace.nodes[list->array].count;
    unsigned fails = 0;
    for (uint64_t more = 1; more <= 6; more++) {
        wri_study_plan(study);
        wri_study_resize(study, list->length, count + more, front);
        if (study->plan.nodes[list->array].count == count)
            continue;
        wri_answered answer = wri_study_ask(study);
        if (answer == WRI_ANSWERED_HOLDS)
            return false;
        fails += goes_on(answer);
    }
    return fails > 1;
}

/* One more element between two of the pattern. */
static bool may_part(wri_study *study, const wri_study_list *list, const wri_spot *first)
{
    for (int i = 0; i < 4; i++) {
        wri_study_plan(study);
        uint64_t count = study->plan.nodes[list->array].count;
        wri_study_resize(study, list->length, count + 1, true);
        wri_node *node = &study->plan.nodes[list->array];
        if (node->count == count)
            return false;
        uint64_t *numbers = study->plan.numbers + node->number, made = numbers[0];
        memmove(numbers, numbers + 1, (first->element + 1) * sizeof *numbers);
        numbers[first->element + 1] = made;
        if (wri_study_run(study) == WRI_ANSWERED_HOLDS)
            return false;
    }
    return true;
}

static wri_spot *length_spot(wri_study *study, const wri_study_list *list)
{
    for (size_t i = 0; i < study->spot_count; i++)
        if (study->spots[i].node == list->length)
            return &study->spots[i];
    return NULL;
}

/* The sum of an array matters if what one element loses another may gain. */
static bool is_sum(wri_study *study, const wri_study_list *list)
{
    unsigned  fails = 0;
    wri_spot *first = NULL;
    if (constrained(study, list, &first) < 2 ||
        study->bug->trace.nodes[list->array].kind != WRI_INTEGER)
        return false;
    for (size_t i = 0; i < study->spot_count; i++)
        for (size_t k = 0; k < study->spot_count && fails < 6; k++) {
            const wri_spot *a = &study->spots[i], *b = &study->spots[k];
            if (i == k || a->node != list->array || b->node != list->array || a->free)
                continue;
            uint64_t gives = (uint64_t)a->value - (uint64_t)a->least;
            uint64_t takes = (uint64_t)b->most - (uint64_t)b->value;
            uint64_t most = gives < takes ? gives : takes;
            if (most == 0)
                continue;
            int64_t by = wri_study_random(study, 1, (int64_t)(most < 1000 ? most : 1000));
            wri_study_plan(study);
            wri_study_set(study, a, a->value - by);
            wri_study_set(study, b, b->value + by);
            if (wri_study_run(study) != WRI_ANSWERED_FAILS)
                return false;
            fails++;
        }
    return fails >= 2;
}

static void find_places(wri_study *study)
{
    for (size_t i = 0; i < study->list_count && !study->over; i++) {
        wri_study_list *list = &study->lists[i];
        wri_spot       *first = NULL, *length = length_spot(study, list);
        list->summed = is_sum(study, list);
        for (size_t k = 0; k < study->spot_count && list->summed; k++)
            study->spots[k].summed |= study->spots[k].node == list->array;
        size_t count = constrained(study, list, &first);
        if (list->length == WRI_NO_NODE || length == NULL || count == 0)
            continue;
        list->back = may_grow(study, list, false);
        list->front = may_grow(study, list, true);
        list->place = list->front && list->back ? WRI_REASON_RUN
                      : list->front             ? WRI_REASON_BACK
                                                : WRI_REASON_FRONT;
        if (list->place == WRI_REASON_RUN && (count == 1 || may_part(study, list, first)))
            list->place = WRI_REASON_ANYWHERE;
        if (list->front || list->back)
            length->free = false; /* its range is found, where elements come from */
    }
}

/* ---- Two at a time ---- */

#define MOST_RELATIONS 4

static bool fits(const wri_spot *spot, int64_t by)
{
    int64_t to;
    return !__builtin_add_overflow(spot->value, by, &to) && to >= spot->least && to <= spot->most;
}

static wri_answered moved(wri_study *study, const wri_spot *a, int64_t by_a, const wri_spot *b,
                          int64_t by_b)
{
    if (!fits(a, by_a) || !fits(b, by_b))
        return WRI_ANSWERED_VOID;
    wri_study_plan(study);
    if (b->length && by_b != 0)
        wri_study_set(study, b, b->value + by_b);
    if (by_a != 0)
        wri_study_set(study, a, a->value + by_a);
    if (!b->length && by_b != 0)
        wri_study_set(study, b, b->value + by_b);
    return wri_study_ask(study);
}

/* Do they fail when both move this way, though not when one does? */
static bool move_together(wri_study *study, const wri_spot *a, const wri_spot *b, int direction,
                          bool sum)
{
    static const int8_t BY[] = { 1, 2, 3, 7, 19 };
    unsigned            fails = 0, alone = 0;
    for (size_t i = 0; i < sizeof BY; i++) {
        int64_t      by = direction * BY[i], by_b = sum ? -by : by;
        wri_answered answer = moved(study, a, by, b, by_b);
        if (answer == WRI_ANSWERED_HOLDS || (i == 0 && answer == WRI_ANSWERED_VOID))
            return false;
        if (answer != WRI_ANSWERED_FAILS)
            continue;
        fails++;
        if (alone < 2 && (moved(study, a, by, b, 0) == WRI_ANSWERED_HOLDS ||
                          moved(study, a, 0, b, by_b) == WRI_ANSWERED_HOLDS))
            alone++;
    }
    return fails >= 2 && alone > 1;
}

static bool may_relate(const wri_study *study, const wri_spot *spot)
{
    const wri_node *node = &study->bug->trace.nodes[spot->node];
    for (size_t i = 0; i < study->list_count; i++)
        if (study->lists[i].summed && study->lists[i].length == spot->node)
            return false;
    return spot->most > 2 && !spot->summed &&
           (node->kind == WRI_INTEGER || node->kind == WRI_LENGTH || node->kind == WRI_INDEX);
}

/* Of two values; at the end of the numbers where it lies beyond. */
static int64_t combined(bool sum, int64_t a, int64_t b)
{
    int64_t value;
    bool    beyond =
        sum ? __builtin_add_overflow(a, b, &value) : __builtin_sub_overflow(a, b, &value);
    return !beyond ? value : a < 0 ? INT64_MIN : INT64_MAX;
}

/* How far the relation's value may go: as far as one of them could alone, if not to the end of
 * its range. */
static void find_bounds(relation *of, const wri_spot *a, const wri_spot *b)
{
    bool    b_low = b->lo > b->least && !b->free, b_high = b->hi < b->most && !b->free;
    bool    low = of->sum ? b_low : b_high, high = of->sum ? b_high : b_low;
    int64_t down = combined(of->sum, a->value, of->sum ? b->lo : b->hi);
    int64_t up = combined(of->sum, a->value, of->sum ? b->hi : b->lo);
    of->lo = INT64_MIN;
    of->hi = INT64_MAX;
    if (a->lo > a->least && !a->free)
        of->lo = combined(of->sum, a->lo, b->value);
    if (low && (of->lo == INT64_MIN || down < of->lo))
        of->lo = down;
    if (a->hi < a->most && !a->free)
        of->hi = combined(of->sum, a->hi, b->value);
    if (high && (of->hi == INT64_MAX || up > of->hi))
        of->hi = up;
}

/* How far they go together, as a range of one of them. */
static int64_t reach_together(wri_study *study, const wri_spot *a, const wri_spot *b, bool sum,
                              int direction)
{
    way on = { .bad = UINT64_MAX };
    for (int64_t by = 1; on.bad == UINT64_MAX && !study->over; by *= 4) {
        int64_t move = direction * by;
        if (by > ((int64_t)1 << 40) || !fits(a, move) || !fits(b, sum ? -move : move))
            return direction > 0 ? a->most : a->least;
        step(&on, (uint64_t)by, moved(study, a, move, b, sum ? -move : move));
    }
    while (on.bad - on.good > 1 && !study->over) {
        uint64_t middle = on.good + (on.bad - on.good) / 2;
        int64_t  move = direction * (int64_t)middle;
        step(&on, middle, moved(study, a, move, b, sum ? -move : move));
    }
    return a->value + direction * (int64_t)on.sure;
}

static bool relate(wri_study *study, uint32_t a, uint32_t b, relation *found)
{
    wri_spot *x = &study->spots[a], *y = &study->spots[b];
    for (int sum = 0; sum < 2; sum++)
        for (int direction = 1; direction >= -1 && !study->over; direction -= 2) {
            if (!move_together(study, x, y, direction, sum != 0))
                continue;
            *found = (relation){ .a = a, .b = b, .sum = sum != 0 };
            find_bounds(found, x, y);
            int64_t lo = reach_together(study, x, y, sum != 0, -1);
            int64_t hi = reach_together(study, x, y, sum != 0, 1);
            if (found->lo == INT64_MIN && found->hi == INT64_MAX)
                continue;
            x->free = y->free = false;
            x->lo = lo;
            x->hi = hi;
            y->lo = y->least;
            y->hi = y->most;
            return true;
        }
    return false;
}

static size_t find_relations(wri_study *study, relation *found)
{
    size_t count = 0;
    bool   bound[WRI_STUDY_SPOTS] = { false };
    for (uint32_t a = 0; a < study->spot_count; a++)
        for (uint32_t b = a + 1; b < study->spot_count && count < MOST_RELATIONS; b++) {
            const wri_spot *x = &study->spots[a], *y = &study->spots[b];
            if (study->over || (x->free && y->free) || bound[b] || !may_relate(study, x) ||
                !may_relate(study, y))
                continue;
            if (relate(study, a, b, &found[count])) {
                bound[b] = true;
                count++;
            }
        }
    return count;
}

/* ---- The reason ---- */

static uint32_t list_of(const wri_study *study, const wri_spot *spot)
{
    for (uint32_t i = 0; i < study->list_count; i++)
        if (study->lists[i].array == spot->node)
            return i;
    return WRI_REASON_CHOICE;
}

/* The variable of a spot; adds it if need be. */
static bool variable_of(const wri_study *study, wri_reason *to, uint32_t spot,
                        uint32_t *variables)
{
    const wri_spot *of = &study->spots[spot];
    if (variables[spot] < WRI_REASON_VARIABLES)
        return true;
    if (to->variable_count == WRI_REASON_VARIABLES)
        return false;
    variables[spot] = to->variable_count;
    to->variables[to->variable_count++] =
        (wri_reason_variable){ .address = study->addresses[of->node],
                               .kin =
                                   wri_reason_kin(&study->bug->trace, study->addresses, of->node),
                               .list = list_of(study, of),
                               .element = (uint32_t)of->element };
    return true;
}

static bool add_condition(wri_reason *to, wri_reason_condition condition)
{
    if (to->condition_count == WRI_REASON_CONDITIONS)
        return false;
    to->conditions[to->condition_count++] = condition;
    return true;
}

static bool add_totals(wri_study *study, wri_reason *to)
{
    for (size_t i = 0; i < study->list_count; i++) {
        const wri_study_list *list = &study->lists[i];
        const wri_node       *node = &study->bug->trace.nodes[list->array];
        int64_t               sum = 0;
        wri_spot             *some = NULL;
        if (!list->summed)
            continue;
        for (size_t k = 0; k < study->spot_count; k++)
            if (study->spots[k].node == list->array) {
                if (__builtin_add_overflow(sum, study->spots[k].value, &sum))
                    return false;
                some = study->spots[k].value > study->spots[k].least &&
                               study->spots[k].value < study->spots[k].most
                           ? &study->spots[k]
                           : some;
            }
        if (some == NULL || node->what != WRI_ARRAY || to->variable_count == WRI_REASON_VARIABLES)
            return false;
        bool more = goes_on(with(study, some, some->value + 1));
        bool less = goes_on(with(study, some, some->value - 1));
        if (!more)
            find_step(study, some);
        to->variables[to->variable_count] =
            (wri_reason_variable){ .address = study->addresses[list->array],
                                   .list = WRI_REASON_TOTAL };
        uint64_t width = some->step;
        some->step = 0;
        if (more && less) /* not by itself: the sum may go round */
            continue;
        if (!add_condition(to, (wri_reason_condition){ .sort = width ? WRI_REASON_REMAINDER
                                                                     : WRI_REASON_RANGE,
                                                       .a = to->variable_count++,
                                                       .lo = less && !width ? INT64_MIN : sum,
                                                       .hi = more ? INT64_MAX : sum,
                                                       .step = width }))
            return false;
    }
    return true;
}

static void add_lists(const wri_study *study, wri_reason *to)
{
    to->list_count = (uint32_t)study->list_count;
    for (size_t i = 0; i < study->list_count; i++) {
        const wri_study_list *list = &study->lists[i];
        to->lists[i] =
            (wri_reason_list){ .address = study->addresses[list->array],
                               .place = list->place,
                               .width = (uint32_t)study->bug->trace.nodes[list->array].count };
    }
}

static bool compose(wri_study *study, const relation *relations, size_t count, wri_reason *to)
{
    uint32_t variables[WRI_STUDY_SPOTS];
    memset(to, 0, sizeof *to);
    memset(variables, 0xff, sizeof variables);
    add_lists(study, to);
    for (uint32_t i = 0; i < study->spot_count; i++) {
        const wri_spot *spot = &study->spots[i];
        bool            bound = false;
        for (size_t k = 0; k < count; k++)
            bound |= relations[k].a == i || relations[k].b == i;
        bool open = spot->lo == spot->least && spot->hi == spot->most;
        if (spot->free || spot->summed || (open && !bound))
            continue;
        if (!variable_of(study, to, i, variables))
            return false;
        wri_reason_condition one = { .sort = spot->step ? WRI_REASON_REMAINDER : WRI_REASON_RANGE,
                                     .a = variables[i],
                                     .lo = spot->lo,
                                     .hi = spot->hi,
                                     .step = spot->step };
        if (!open && !add_condition(to, one))
            return false;
    }
    for (size_t k = 0; k < count; k++)
        if (!add_condition(to, (wri_reason_condition){ .sort = relations[k].sum
                                                                   ? WRI_REASON_SUM
                                                                   : WRI_REASON_DIFFERENCE,
                                                       .a = variables[relations[k].a],
                                                       .b = variables[relations[k].b],
                                                       .lo = relations[k].lo,
                                                       .hi = relations[k].hi }))
            return false;
    return add_totals(study, to);
}

/* ---- Sampling ---- */

static int64_t value_of(wri_study *study, const wri_spot *spot)
{
    int64_t value = spot->free || spot->summed
                        ? (spot->summed ? spot->value : wri_study_any(study, spot))
                        : wri_study_random(study, spot->lo, spot->hi);
    if (spot->step == 0)
        return value;
    uint64_t times = ((uint64_t)spot->most - (uint64_t)value) / spot->step;
    return value + (int64_t)(wri_prng_scale(wri_prng_next(&study->random), times) * spot->step);
}

/* A value such that the relation holds with the other's. */
static int64_t related(wri_study *study, const relation *of, int64_t a)
{
    const wri_spot *b = &study->spots[of->b];
    int64_t         lo = b->lo, hi = b->hi, end;
    if (of->sum) {
        lo = of->lo != INT64_MIN && !__builtin_sub_overflow(of->lo, a, &end) && end > lo ? end
                                                                                         : lo;
        hi = of->hi != INT64_MAX && !__builtin_sub_overflow(of->hi, a, &end) && end < hi ? end
                                                                                         : hi;
    } else {
        lo = of->hi != INT64_MAX && !__builtin_sub_overflow(a, of->hi, &end) && end > lo ? end
                                                                                         : lo;
        hi = of->lo != INT64_MIN && !__builtin_sub_overflow(a, of->lo, &end) && end < hi ? end
                                                                                         : hi;
    }
    return lo > hi ? b->value : wri_study_random(study, lo, hi);
}

static void grow_lists(wri_study *study)
{
    for (size_t i = 0; i < study->list_count; i++) {
        const wri_study_list *list = &study->lists[i];
        const wri_spot       *length = length_spot(study, list);
        uint64_t              count = study->plan.nodes[list->array].count;
        if (length == NULL || list->length == WRI_NO_NODE)
            continue;
        uint64_t to = (uint64_t)value_of(study, length);
        if (list->front && to > count) {
            uint64_t front = list->back
                                 ? wri_prng_scale(wri_prng_next(&study->random), to - count)
                                 : to - count;
            wri_study_resize(study, list->length, count + front, true);
            wri_study_resize(study, list->length, to, false);
        } else {
            wri_study_resize(study, list->length, to, list->front && !list->back);
        }
    }
}

/* A case for which the reason holds, as the plan. False: none was found. */
static bool draw(wri_study *study, const wri_reason *reason, const relation *relations,
                 size_t count)
{
    for (int tries = 0; tries < 12; tries++) {
        int64_t values[WRI_STUDY_SPOTS];
        for (size_t i = 0; i < study->spot_count; i++)
            values[i] = value_of(study, &study->spots[i]);
        for (size_t k = 0; k < count; k++)
            values[relations[k].b] = related(study, &relations[k], values[relations[k].a]);
        wri_study_plan(study);
        for (size_t i = 0; i < study->spot_count; i++)
            if (!study->spots[i].length)
                wri_study_set(study, &study->spots[i], values[i]);
        grow_lists(study);
        wri_study_stir_idle(study);
        for (size_t i = 0; i < study->spot_count; i++)
            for (size_t k = 0; k < count; k++)
                if (study->spots[i].length && (relations[k].a == i || relations[k].b == i))
                    wri_study_set(study, &study->spots[i], values[i]);
        if (wri_reason_matches(reason, &study->plan))
            return true;
    }
    return false;
}

#define SAMPLES 30

/* The share of failing samples, in percent. */
static unsigned sample(wri_study *study, const wri_reason *reason, const relation *relations,
                       size_t count)
{
    unsigned fails = 1, holds = 0;
    for (int i = 0; i < SAMPLES && !study->over; i++) {
        if (!draw(study, reason, relations, count))
            continue;
        wri_answered answer = wri_study_run(study);
        fails += answer == WRI_ANSWERED_FAILS;
        holds += answer == WRI_ANSWERED_HOLDS;
    }
    return study->over ? 0 : 100 * fails / (fails + holds);
}

/* Only the bug's own values, where no more is sure. */
static void narrow(wri_study *study)
{
    for (size_t i = 0; i < study->spot_count; i++) {
        wri_spot *spot = &study->spots[i];
        bool      inside = spot->length && !spot->free;
        for (size_t k = 0; k < study->list_count; k++)
            inside |= spot->node == study->lists[k].length && study->lists[k].summed;
        spot->free &= !spot->summed && !inside;
        spot->summed = false;
        spot->step = 0;
        spot->lo = spot->free ? spot->least : spot->value;
        spot->hi = spot->free ? spot->most : spot->value;
    }
    for (size_t i = 0; i < study->list_count; i++) {
        wri_study_list *list = &study->lists[i];
        list->front = list->back = list->summed = false;
        list->place = WRI_REASON_FRONT;
    }
}

/* A reason that most samples agree with is good enough to avoid the bug; a few may be excepted.
 */
#define ENOUGH 80

/* ---- One bug or two ---- */

/* The value of the variable in the case. False: it has none. */
static bool value_in(const wri_trace *trace, uint64_t address, int64_t *value)
{
    uint64_t addresses[WRI_REASON_NODES];
    if (!wri_reason_addresses(trace, addresses))
        return false;
    for (size_t i = 1; i < trace->node_count; i++)
        if (addresses[i] == address && trace->nodes[i].what == WRI_CHOICE) {
            *value = wri_reason_value(&trace->nodes[i], trace->nodes[i].number);
            return true;
        }
    return false;
}

#define POINTS_BETWEEN 5

/* Sets the plan's variables to a point between two cases: `at` of POINTS_BETWEEN + 1 steps.
 * False: it is one of the two. */
static bool go_between(wri_study *study, const wri_reason *reason, const wri_bug *other, int at)
{
    bool here = true, there = true;
    wri_study_plan(study);
    for (uint32_t i = 0; i < reason->variable_count; i++)
        for (size_t k = 0; k < study->spot_count; k++) {
            const wri_spot *spot = &study->spots[k];
            int64_t         from = spot->value, to, value;
            if (study->addresses[spot->node] != reason->variables[i].address)
                continue;
            if (!value_in(&other->trace, reason->variables[i].address, &to) ||
                __builtin_mul_overflow(to / 2 - from / 2, at, &value))
                return false;
            value = from + value / (POINTS_BETWEEN + 1) * 2;
            here &= value == from;
            there &= value == to;
            wri_study_set(study, spot, value);
        }
    return !here && !there;
}

bool wri_why_connected(wri_quest *quest, const wri_bug *bug, const wri_reason *reason,
                       const wri_bug *other, double until)
{
    wri_study study;
    unsigned  between = 0;
    bool      connected = wri_study_begin(&study, quest, bug, until);
    for (uint32_t i = 0; i < reason->variable_count; i++)
        connected &= reason->variables[i].list == WRI_REASON_CHOICE;
    for (int at = 1; at <= POINTS_BETWEEN && connected; at++)
        if (go_between(&study, reason, other, at)) {
            between++;
            connected = goes_on(wri_study_run(&study));
        }
    wri_study_end(&study);
    return connected && between >= 3;
}

bool wri_why_learn(wri_quest *quest, const wri_bug *bug, double until, wri_reason *reason)
{
    wri_study study;
    relation  relations[MOST_RELATIONS];
    bool      learnt = wri_study_begin(&study, quest, bug, until);
    if (learnt) {
        find_free(&study);
        find_places(&study);
        find_ranges(&study);
        size_t count = find_relations(&study, relations);
        find_steps(&study, relations, count);
        learnt = !study.over && compose(&study, relations, count, reason);
        unsigned share = learnt ? sample(&study, reason, relations, count) : 0;
        reason->sure = share == 100;
        learnt = learnt && share >= ENOUGH && wri_reason_matches(reason, &bug->trace);
        if (!learnt && !study.over) {
            narrow(&study);
            learnt = compose(&study, relations, 0, reason);
            share = learnt ? sample(&study, reason, relations, 0) : 0;
            reason->sure = share == 100;
            learnt = share >= ENOUGH && wri_reason_matches(reason, &bug->trace);
        }
    }
    wri_study_end(&study);
    reason->known = learnt;
    return learnt;
}
