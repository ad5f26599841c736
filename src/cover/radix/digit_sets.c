/* cover/radix/digit_sets.c: lists the sets of digits, and which of their tuples are open. */
#include "cover/radix/digit_sets.h"

#include "cover/algebra/count.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TUPLES (UINT64_C(1) << 28)
#define MOST_SETS (UINT64_C(1) << 23)
#define MOST_STEPS (UINT64_C(1) << 28) /* to find out which combinations there are */

/* ---- Every set of columns ---- */

static uint32_t relation_columns(const wrc_layout *layout, const wrc_relation *relation,
                                 uint32_t *columns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < relation->count; i++) {
        const wrc_group *group = &layout->groups[relation->parameters[i]];
        for (uint32_t j = 0; j < group->count; j++)
            columns[count++] = group->first + j;
    }
    return count;
}

static uint32_t strength_of(const wrc_relation *relation, uint32_t columns)
{
    return relation->strength < columns ? relation->strength : columns;
}

typedef bool set_taker(void *state, const uint32_t *columns, uint32_t count); /* false: enough */

static bool each_set(const wrc_layout *layout, const wrc_model *model, set_taker *take,
                     void *state)
{
    uint32_t *columns = malloc(3 * (size_t)(layout->columns + 1) * sizeof *columns);
    if (columns == NULL)
        return false;
    uint32_t *at = columns + layout->columns + 1, *chosen = at + layout->columns + 1;
    bool      going = true;
    for (uint32_t r = 0; going && r < model->relation_count; r++) {
        uint32_t count = relation_columns(layout, &model->relations[r], columns);
        uint32_t strength = strength_of(&model->relations[r], count);
        for (uint32_t i = 0; i < strength; i++)
            at[i] = i;
        do {
            for (uint32_t i = 0; i < strength; i++)
                chosen[i] = columns[at[i]];
            going = strength == 0 || take(state, chosen, strength);
        } while (going && wrc_count_next_set(at, strength, count));
    }
    free(columns);
    return going;
}

/* ---- What it would take ---- */

typedef struct counting {
    wrc_digit_totals *totals;
    const wrc_layout *layout;
} counting;

static bool count_set(void *state, const uint32_t *columns, uint32_t count)
{
    counting         *c = state;
    wrc_digit_totals *t = c->totals;
    uint64_t          product = 1;
    for (uint32_t i = 0; i < count; i++)
        product = wrc_count_times(product, c->layout->radices[columns[i]]);
    t->sets++;
    t->columns += count;
    t->tuples = product > MOST_TUPLES ? product : t->tuples + product;
    t->widest = product > t->widest ? product : t->widest;
    return t->tuples <= MOST_TUPLES;
}

/* Whether the parts of every parameter are few enough to be listed and looked through. */
static bool parts_fit(const wrc_layout *layout, const wrc_model *model)
{
    uint32_t strongest = wrc_model_strongest(model->relations, model->relation_count);
    for (uint32_t p = 0; p < layout->parameters; p++) {
        const wrc_group *group = &layout->groups[p];
        uint64_t         parts = 0;
        if (group->count > WRC_MOST_DIGITS)
            return false;
        for (uint32_t i = 1; i <= group->count && i <= strongest; i++)
            parts += wrc_count_choose(group->count, i);
        if (wrc_group_has_gaps(group) && wrc_count_times(parts, group->levels) > MOST_STEPS)
            return false;
    }
    return true;
}

bool wrc_digit_totals_of(wrc_digit_totals *totals, const wrc_layout *layout,
                         const wrc_model *model)
{
    *totals = (wrc_digit_totals){ 0 };
    uint32_t *columns = malloc((layout->columns + 1) * sizeof *columns);
    bool      fits = columns != NULL && parts_fit(layout, model);
    for (uint32_t r = 0; fits && r < model->relation_count; r++) {
        uint32_t count = relation_columns(layout, &model->relations[r], columns);
        fits = wrc_count_choose(count, strength_of(&model->relations[r], count)) <= MOST_SETS;
    }
    free(columns);
    counting c = { totals, layout };
    return fits && each_set(layout, model, count_set, &c) && totals->sets <= MOST_SETS;
}

/* ---- Parts, and which of their combinations there are ---- */

static void describe_part(const wrc_layout *layout, const wrc_group *group, uint32_t mask,
                          wrc_digit_part *part)
{
    *part = (wrc_digit_part){ .size = 1 };
    for (uint32_t digit = 0; digit < group->count; digit++)
        if (mask >> digit & 1) {
            part->digits[part->count++] = (uint8_t)digit;
            part->size *= layout->radices[group->first + digit];
        }
}

static bool add_parts(wrc_digit_sets *s, uint32_t parameter, uint32_t most)
{
    const wrc_group *group = &s->layout->groups[parameter];
    uint32_t         masks = UINT32_C(1) << group->count, number = s->part_from[parameter];
    s->part_of[parameter] = wrc_blocks_take(&s->blocks, masks, sizeof **s->part_of);
    if (s->part_of[parameter] == NULL)
        return false;
    wrc_digit_part *parts = realloc(s->parts, ((size_t)number + masks) * sizeof *parts);
    if (parts == NULL)
        return false;
    s->parts = parts;
    for (uint32_t mask = 1; mask < masks; mask++) {
        if ((uint32_t)__builtin_popcount(mask) > most)
            continue;
        describe_part(s->layout, group, mask, &parts[number]);
        parts[number].at = s->combinations;
        s->combinations += parts[number].size;
        s->part_of[parameter][mask] = number++;
    }
    s->part_from[parameter + 1] = number;
    return true;
}

static void find_existing(wrc_digit_sets *s, uint32_t parameter)
{
    const wrc_group *group = &s->layout->groups[parameter];
    for (uint32_t level = 0; level < group->levels; level++) {
        uint32_t digits[WRC_MOST_DIGITS];
        wrc_layout_divide(s->layout, parameter, level, digits);
        for (uint32_t i = s->part_from[parameter]; i < s->part_from[parameter + 1]; i++) {
            const wrc_digit_part *part = &s->parts[i];
            s->exists[part->at + wrc_digit_part_combination(s->layout, group, part, digits)] = 1;
        }
    }
}

static bool open_parts(wrc_digit_sets *s, const wrc_model *model)
{
    uint32_t parameters = s->layout->parameters;
    s->part_from = wrc_blocks_take(&s->blocks, parameters + 1, sizeof *s->part_from);
    s->part_of = wrc_blocks_take(&s->blocks, parameters + 1, sizeof *s->part_of);
    for (uint32_t p = 0; !s->blocks.failed && p < parameters; p++)
        if (!add_parts(s, p, wrc_model_strongest(model->relations, model->relation_count)))
            return false;
    s->exists = wrc_blocks_take(&s->blocks, s->combinations + 1, 1);
    if (s->blocks.failed)
        return false;
    memset(s->exists, 1, s->combinations);
    for (uint32_t p = 0; p < parameters; p++) {
        if (!wrc_group_has_gaps(&s->layout->groups[p]))
            continue;
        for (uint32_t i = s->part_from[p]; i < s->part_from[p + 1]; i++)
            memset(s->exists + s->parts[i].at, 0, s->parts[i].size);
        find_existing(s, p);
    }
    return true;
}

/* ---- Sets and their tuples ---- */

/* The part that the columns before `end` close with, and where it begins. */
static uint32_t last_part(const wrc_digit_sets *s, const uint32_t *columns, uint32_t end,
                          uint32_t *begin)
{
    uint32_t owner = s->layout->owners[columns[end - 1]], mask = 0;
    for (*begin = end; *begin > 0 && s->layout->owners[columns[*begin - 1]] == owner; --*begin)
        mask |= UINT32_C(1) << (columns[*begin - 1] - s->layout->groups[owner].first);
    return s->part_of[owner][mask];
}

typedef struct filling {
    wrc_digit_sets *sets;
    uint32_t       *next; /* the next set of each parameter */
    uint32_t        before;
} filling;

static bool count_end(void *state, const uint32_t *columns, uint32_t count)
{
    filling *f = state;
    f->sets->set_from[f->sets->layout->owners[columns[count - 1]] + 1]++;
    return true;
}

static bool add_set(void *state, const uint32_t *columns, uint32_t count)
{
    filling        *f = state;
    wrc_digit_sets *s = f->sets;
    wrc_digit_set  *set = &s->sets[f->next[s->layout->owners[columns[count - 1]]]++];
    set->part = last_part(s, columns, count, &set->before_count);
    set->before = f->before;
    memcpy(s->before + f->before, columns, set->before_count * sizeof *columns);
    f->before += set->before_count;
    return true;
}

/* Every tuple so far continued by every combination of a part that there is, in place. */
static uint64_t continue_tuples(uint8_t *tuples, uint64_t count, const wrc_digit_part *part,
                                const uint8_t *exists)
{
    for (uint64_t i = count; i-- > 0;) {
        uint8_t open = tuples[i];
        for (uint32_t j = 0; j < part->size; j++)
            tuples[i * part->size + j] = open & exists[j];
    }
    return count * part->size;
}

/* Opens the tuples of a set, and says how many bytes they take. */
static uint64_t open_tuples(wrc_digit_sets *s, wrc_digit_set *set)
{
    const uint32_t *before = s->before + set->before;
    uint8_t        *tuples = s->open + set->tuples;
    uint64_t        count = 1;
    tuples[0] = 1;
    for (uint32_t from = 0, end = 0; from < set->before_count; from = end) {
        while (end < set->before_count &&
               s->layout->owners[before[end]] == s->layout->owners[before[from]])
            end++;
        uint32_t              begin;
        const wrc_digit_part *part = &s->parts[last_part(s, before, end, &begin)];
        count = continue_tuples(tuples, count, part, s->exists + part->at);
    }
    const wrc_digit_part *part = &s->parts[set->part];
    count = continue_tuples(tuples, count, part, s->exists + part->at);
    for (uint64_t i = 0; i < count; i++)
        set->open += tuples[i];
    return count;
}

static void open_all_tuples(wrc_digit_sets *s)
{
    uint64_t at = 0;
    for (uint32_t p = 0; p < s->layout->parameters; p++)
        for (uint32_t i = s->set_from[p]; i < s->set_from[p + 1]; i++) {
            s->sets[i].tuples = at;
            at += open_tuples(s, &s->sets[i]);
            s->open_count[p] += s->sets[i].open;
            s->open_total += s->sets[i].open;
        }
    s->sets[s->set_from[s->layout->parameters]].tuples = at;
}

static bool fill_sets(wrc_digit_sets *s, const wrc_model *model)
{
    uint32_t parameters = s->layout->parameters;
    filling  f = { s, calloc(parameters + 1, sizeof *f.next), 0 };
    bool     filled = f.next != NULL && each_set(s->layout, model, count_end, &f);
    for (uint32_t p = 0; filled && p < parameters; p++) {
        s->set_from[p + 1] += s->set_from[p];
        f.next[p] = s->set_from[p];
    }
    filled = filled && each_set(s->layout, model, add_set, &f);
    free(f.next);
    return filled;
}

bool wrc_digit_sets_open(wrc_digit_sets *s, const wrc_layout *layout, const wrc_model *model)
{
    wrc_digit_totals totals;
    *s = (wrc_digit_sets){ .layout = layout };
    if (!wrc_digit_totals_of(&totals, layout, model) || !open_parts(s, model))
        return false;
    s->set_from = wrc_blocks_take(&s->blocks, layout->parameters + 1, sizeof *s->set_from);
    s->sets = wrc_blocks_take(&s->blocks, totals.sets + 1, sizeof *s->sets);
    s->before = wrc_blocks_take(&s->blocks, totals.columns + 1, sizeof *s->before);
    s->open = wrc_blocks_take(&s->blocks, totals.tuples + 1, 1);
    s->open_count = wrc_blocks_take(&s->blocks, layout->parameters + 1, sizeof *s->open_count);
    if (s->blocks.failed || !fill_sets(s, model))
        return false;
    open_all_tuples(s);
    return true;
}

void wrc_digit_sets_close(wrc_digit_sets *s)
{
    wrc_blocks_free(&s->blocks);
    free(s->parts);
    *s = (wrc_digit_sets){ 0 };
}
