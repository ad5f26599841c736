/* gen/collect.c: values made of values: one of several constants, optional and repeated values,
 * sets, permutations, recursive values; and the constants that random answers prefer.
 *
 * Nothing here decides: a generator only fills in bounds, masks and weights. A collection whose
 * elements can be dropped one by one is a loop of element spans or a packed array.
 */
#include <stdio.h>
#include <string.h>

#include "core/walk.h"
#include "gen/draw.h"
#include "gen/example.h"

#define ARRAY_LABEL UINT32_C(0x61727261)
#define UNIQUE_LABEL UINT32_C(0x756e6971)

/* ---- One of some ---- */

static void read_constant(wr_case *t, const char *name, size_t n, const wr_constant *constants)
{
    char        number[32];
    const char *text = wri_example_text(t, name);
    for (size_t i = 0; i < n && text != NULL; i++) {
        snprintf(number, sizeof number, "%lld", (long long)constants[i].value);
        if (strcmp(text, constants[i].name == NULL ? number : constants[i].name) != 0)
            continue;
        *wri_example_expect(t, 1) = i;
        return;
    }
    if (text != NULL)
        wri_example_wrong(t, "expected the name of a constant");
}

int64_t wr_enum(wr_case *t, const char *name, size_t n, const wr_constant *constants)
{
    if (n == 0 || constants == NULL)
        wri_case_misuse(t, "wr_enum%s: no constants were given", wri_draw_named(t, name));
    if (wri_example_given(t))
        read_constant(t, name, n, constants);
    if (wri_case_slow(t))
        t->constants = constants;
    const wr_constant *chosen = &constants[wri_draw_index(t, name, n - 1)];
    if (WRI_UNLIKELY(wri_case_showing(t))) {
        if (chosen->name != NULL)
            wri_show_word(t, name, chosen->name);
        else
            wri_show_signed(t, name, chosen->value);
    }
    return chosen->value;
}

void *wr_optional(wr_case *t, const char *name, void *(*draw)(wr_case *t, void *context),
                  void *context)
{
    if (draw == NULL)
        wri_case_misuse(t, "wr_optional%s: no function was given", wri_draw_named(t, name));
    const char *text = wri_example_given(t) ? wri_example_text(t, name) : NULL;
    if (text != NULL)
        *wri_example_expect(t, 1) = wri_example_either(t, text, "present", "NULL");
    wr_begin(t, name);
    bool present = wr_bool(t, NULL);
    wri_show_word(t, name, present ? "present" : "NULL");
    void *value = present ? draw(t, context) : NULL;
    wr_end(t);
    return value;
}

/* ---- Elements ---- */

void *wr_array(wr_case *t, size_t n, size_t bytes,
               void (*draw)(wr_case *t, void *element, void *context), void *context)
{
    if (draw == NULL)
        wri_case_misuse(t, "wr_array: no function was given");
    wri_draw_check_count(t, "wr_array", NULL, n);
    char *elements = wri_memory_array(t, n, bytes);
    memset(elements, 0, n * bytes);
    wri_case_span_begin(t, ARRAY_LABEL, WRI_LOOP, n, wri_case_find_length(t, n));
    for (size_t i = 0; i < n; i++) {
        wri_case_span_begin(t, ARRAY_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
        draw(t, elements + i * bytes, context);
        wri_case_span_end(t);
    }
    wri_case_span_end(t);
    return elements;
}

bool *wr_bools(wr_case *t, const char *name, size_t n)
{
    _Static_assert(sizeof(bool) == 1, "an array of flags is packed as bytes");
    wri_request request = { .kind = WRI_BOOLEAN, .max = 1, .name = name };
    wri_draw_check_count(t, "wr_bools", name, n);
    if (wri_example_given(t))
        wri_example_array(t, name, WRI_SHOW_BOOL, &request, n, 0);
    bool *flags = wri_case_choose_many(t, &request, n, 1, WRI_NO_NODE);
    wri_show_array(t, name, WRI_SHOW_BOOL, n, 1, flags);
    return flags;
}

bool *wr_subset(wr_case *t, const char *name, size_t n)
{
    wri_draw_check_count(t, "wr_subset", name, n);
    return wr_bools(t, name, n);
}

size_t *wr_picks(wr_case *t, const char *name, size_t n, size_t below)
{
    if (below == 0 && n > 0)
        wri_case_misuse(t, "wr_picks%s: there is nothing to pick: the count is 0",
                        wri_draw_named(t, name));
    wri_draw_check_count(t, "wr_picks", name, n);
    wri_request request = { .kind = WRI_INDEX, .max = below == 0 ? 0 : below - 1, .name = name };
    if (wri_example_given(t))
        wri_example_array(t, name, WRI_SHOW_UNSIGNED, &request, n, 0);
    size_t *picks = wri_case_choose_many(t, &request, n, sizeof(size_t), WRI_NO_NODE);
    wri_show_array(t, name, WRI_SHOW_UNSIGNED, n, sizeof(size_t), picks);
    return picks;
}

/* ---- Values that differ ---- */

/* The numbers taken so far. Slots hold an index into `numbers` plus one; 0 is free. Between a
 * number and its `beyond` all are taken. */
typedef struct taken {
    uint64_t *numbers, *beyond;
    size_t    count;
    size_t   *slots;
    size_t    mask; /* slots are a power of two, at least twice as many as numbers */
} taken;

static taken none_taken(wr_case *t, size_t n)
{
    size_t slots = 4;
    while (slots / 2 < n)
        slots *= 2;
    return (taken){ .numbers = wri_memory_array(t, n, sizeof(uint64_t)),
                    .beyond = wri_memory_array(t, n, sizeof(uint64_t)),
                    .slots = wr_alloc(t, slots * sizeof(size_t)),
                    .mask = slots - 1 };
}

/* The slot of a number, or the free one where it would be. */
static size_t *slot_of(const taken *set, uint64_t number)
{
    size_t at = (size_t)wri_prng_mix(number) & set->mask;
    while (set->slots[at] != 0 && set->numbers[set->slots[at] - 1] != number)
        at = (at + 1) & set->mask;
    return &set->slots[at];
}

/* Takes the number, which is one of 0 to `max`; false when it was taken before. */
static bool take(taken *set, uint64_t number, uint64_t max)
{
    size_t *slot = slot_of(set, number);
    if (*slot != 0)
        return false;
    set->numbers[set->count] = number;
    set->beyond[set->count++] = number == max ? 0 : number + 1;
    *slot = set->count;
    return true;
}

/* The first number from this one on that is not taken; after `max` comes 0. Each step makes the
 * next way shorter by half, so a full range is not looked through again and again. */
static uint64_t first_free(const taken *set, uint64_t number)
{
    for (size_t at = *slot_of(set, number); at != 0;) {
        size_t next = *slot_of(set, set->beyond[at - 1]);
        number = set->beyond[at - 1];
        if (next != 0)
            set->beyond[at - 1] = set->beyond[next - 1];
        at = next;
    }
    return number;
}

static uint64_t choose_integer(wr_case *t, const char *name, int64_t lo, uint64_t max)
{
    if (!wri_case_slow(t))
        return wri_draw_record(t, wri_lean(t, max, lo), max);
    wri_request request = { .kind = WRI_INTEGER, .max = max, .lo = lo, .name = name };
    return wri_case_choose(t, &request);
}

/* The log must say what the property saw: else a replay of it would bump again. */
static void amend_last_choice(wr_case *t, uint64_t number)
{
    t->next[-1].number = number;
    if (t->walk != NULL)
        wri_walk_amend(t, number);
    if (t->trace != NULL)
        t->trace->nodes[wri_case_last_node(t)].number = number;
}

/* No two of the n numbers of the example are equal. */
static void check_differ(wr_case *t, size_t n)
{
    taken set = none_taken(t, n);
    for (size_t i = 0; i < n; i++)
        if (!take(&set, t->example->numbers[i], UINT64_MAX))
            wri_example_wrong(t, "expected each number once");
}

static uint64_t choose_new(wr_case *t, const char *name, int64_t lo, uint64_t max, taken *set)
{
    uint64_t drawn = choose_integer(t, name, lo, max);
    uint64_t number = first_free(set, drawn);
    take(set, number, max);
    if (number != drawn)
        amend_last_choice(t, number);
    return number;
}

static void read_unique(wr_case *t, const char *name, size_t n, int64_t lo, uint64_t max)
{
    wri_request request = { .kind = WRI_INTEGER, .lo = lo, .max = max };
    if (wri_example_array(t, name, WRI_SHOW_SIGNED, &request, n, 0))
        check_differ(t, n);
}

int64_t *wr_unique_ints(wr_case *t, const char *name, size_t n, int64_t lo, int64_t hi)
{
    uint64_t max = (uint64_t)hi - (uint64_t)lo;
    if (lo > hi && n > 0)
        wri_case_misuse(t, "wr_unique_ints%s: lo %lld is above hi %lld", wri_draw_named(t, name),
                        (long long)lo, (long long)hi);
    wri_draw_check_count(t, "wr_unique_ints", name, n);
    if (n > 0 && n - 1 > max)
        wri_case_misuse(t, "wr_unique_ints%s: %lld to %lld has no %zu different values",
                        wri_draw_named(t, name), (long long)lo, (long long)hi, n);
    if (wri_example_given(t))
        read_unique(t, name, n, lo, max);
    int64_t *values = wri_memory_array(t, n, sizeof *values);
    taken    set = none_taken(t, n);
    wri_case_span_begin(t, UNIQUE_LABEL, WRI_LOOP, n, wri_case_find_length(t, n));
    for (size_t i = 0; i < n; i++) {
        wri_case_span_begin(t, UNIQUE_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
        values[i] = wri_choice_integer_value(choose_new(t, name, lo, max, &set), lo, max);
        wri_case_span_end(t);
    }
    wri_case_span_end(t);
    wri_show_array(t, name, WRI_SHOW_SIGNED, n, sizeof *values, values);
    return values;
}

/* Which of the numbers behind it each place takes, for the order that is given. */
static void read_order(wr_case *t, const char *name, size_t n)
{
    wri_request request = { .kind = WRI_INDEX, .max = n == 0 ? 0 : n - 1 };
    if (!wri_example_array(t, name, WRI_SHOW_UNSIGNED, &request, n, 0))
        return;
    check_differ(t, n);
    uint64_t *order = t->example->numbers;
    size_t   *now = wri_memory_array(t, n, sizeof *now);
    for (size_t i = 0; i < n; i++)
        now[i] = i;
    for (size_t i = 0; i < n; i++) {
        size_t other = i;
        while (now[other] != order[i])
            other++;
        now[other] = now[i];
        order[i] = other - i;
    }
}

/* Each place takes one of the numbers still behind it: 0 leaves it as it is. The places are
 * elements of a loop, so that one that stays as it is can be deleted with one of the length. */
size_t *wr_permutation(wr_case *t, const char *name, size_t n)
{
    wri_draw_check_count(t, "wr_permutation", name, n);
    if (wri_example_given(t))
        read_order(t, name, n);
    size_t  *order = wri_memory_array(t, n, sizeof *order);
    uint32_t label = t->trace == NULL ? 0 : wri_trace_label_hash(name);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    wri_case_span_begin(t, label, WRI_LOOP, n, wri_case_find_length(t, n));
    for (size_t i = 0; i < n; i++) {
        wri_case_span_begin(t, label, WRI_ELEMENT, 0, WRI_NO_NODE);
        size_t other = i + (size_t)wri_draw_index(t, name, n - 1 - i);
        size_t moved = order[i];
        order[i] = order[other];
        order[other] = moved;
        wri_case_span_end(t);
    }
    wri_case_span_end(t);
    wri_show_array(t, name, WRI_SHOW_UNSIGNED, n, sizeof *order, order);
    return order;
}

/* ---- Recursion ---- */

#define FORMS_MOST 64

static void check_recursion(wr_case *t, const wr_recursion *recursion)
{
    if (recursion == NULL || recursion->grow == NULL)
        wri_case_misuse(t, "wr_recurse: no function was given");
    if (recursion->leaves == 0 || recursion->leaves > recursion->forms ||
        recursion->forms > FORMS_MOST)
        wri_case_misuse(t,
                        "wr_recurse%s: %zu leaves of %zu forms; expected 1 to 64 forms, "
                        "1 leaf or more",
                        wri_draw_named(t, recursion->label), recursion->leaves, recursion->forms);
}

/* Leaves and others alike when little is left; three others to two leaves before. */
static void usual_weights(const wr_recursion *recursion, size_t budget, uint32_t *weights)
{
    uint32_t leaves = (uint32_t)recursion->leaves;
    uint32_t others = (uint32_t)recursion->forms - leaves;
    uint32_t of_a_leaf = others == 0 ? 1 : others * (budget > 4 ? 2 : 1);
    uint32_t of_another = leaves * (budget > 4 ? 3 : 1);
    for (size_t i = 0; i < recursion->forms; i++)
        weights[i] = i < leaves ? of_a_leaf : of_another;
}

/* The forms that the budget and the weights allow, as a mask; 0 when there is none. */
static uint64_t legal_forms(const wr_recursion *recursion, size_t budget, const uint32_t *weights)
{
    size_t   allowed = budget == 0 ? recursion->leaves : recursion->forms;
    uint64_t legal = 0;
    for (size_t i = 0; i < allowed; i++)
        legal |= (uint64_t)(weights[i] > 0) << i;
    return legal;
}

static size_t choose_form(wr_case *t, const wr_recursion *recursion, size_t budget)
{
    uint32_t    usual[FORMS_MOST];
    wri_request request = { .kind = WRI_INDEX,
                            .max = recursion->forms - 1,
                            .weights = recursion->weights,
                            .name = recursion->label,
                            .toll = 1 };
    if (request.weights == NULL) {
        usual_weights(recursion, budget, usual);
        request.weights = usual;
    }
    request.legal = legal_forms(recursion, budget, request.weights);
    if (request.legal == 0)
        wri_case_misuse(t, "wr_recurse%s: no form has a weight at budget %zu",
                        wri_draw_named(t, recursion->label), budget);
    return (size_t)wri_case_choose(t, &request);
}

void *wr_recurse(wr_case *t, const wr_recursion *recursion, size_t budget)
{
    check_recursion(t, recursion);
    if (budget == WR_SIZE)
        budget = t->size;
    wr_begin(t, recursion->label);
    size_t form = choose_form(t, recursion, budget);
    void  *value = recursion->grow(t, form, budget == 0 ? 0 : budget - 1, recursion->context);
    wr_end(t);
    return value;
}

/* ---- Draws that belong together ---- */

void wr_relate(wr_case *t, unsigned strength, size_t n, const char *const *names)
{
    if (n < 2 || n > WRI_RELATED || strength < 1 || strength > n || names == NULL)
        wri_case_misuse(
            t,
            "wr_relate: expected 2 to %d names and a strength from 1 to their number, "
            "got %zu names and strength %u",
            WRI_RELATED, n, strength);
    for (size_t i = 0; i < n; i++)
        if (names[i] == NULL)
            wri_case_misuse(t, "wr_relate: name %zu is NULL", i);
    if (t->relating != NULL)
        t->relating->relate(t->relating, strength, n, names);
}

/* ---- Constants worth trying ---- */

void wr_dictionary(wr_case *t, size_t n, const int64_t *numbers)
{
    if (n > 0 && numbers == NULL)
        wri_case_misuse(t, "wr_dictionary: no numbers were given");
    int64_t *copy = wri_memory_array(t, n, sizeof *copy);
    if (n > 0)
        memcpy(copy, numbers, n * sizeof *copy);
    t->dictionary = copy;
    t->dictionary_count = n;
}
