/* data/type.c: checks a table of types and counts its values.
 *
 * Least costs come from a fixpoint over all types that a table leads to. Counts come from
 * convolution, 128 bits wide. Counting ends because no circle of constructors is free, which the
 * check ensures.
 */
#include "data/type.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reserve.h"

#define FORMS_MOST 64
#define ENDLESS UINT64_MAX
/* Costs that add up to more are all alike: no case is that large. */
#define COST_MOST (UINT64_C(1) << 40)

static wri_type *all_types;

static void free_counts(wri_counts *counts)
{
    free(counts->ways);
    free(counts->known);
}

static void free_types(wri_type *first)
{
    while (first != NULL) {
        wri_type *next = first->next;
        for (unsigned i = 0; i < first->form_count; i++)
            for (unsigned part = 0; part < WRI_PARTS; part++)
                free_counts(&first->forms[i].counts[part]);
        for (unsigned values = 0; values <= WRI_POWERS; values++)
            free_counts(&first->powers[values]);
        free_counts(&first->counts);
        free(first->forms);
        free(first);
        first = next;
    }
}

void wri_types_forget(void)
{
    free_types(all_types);
    all_types = NULL;
}

/* ---- Collecting ---- */

/* The types that are being looked at: those of one table, and of all that it leads to. */
typedef struct search {
    wr_case  *t;
    wri_type *first, *last;
} search;

_Noreturn static void refuse(search *s, const char *format, ...) WR_PRINTF_(2, 3);
_Noreturn static void refuse(search *s, const char *format, ...)
{
    char    why[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    free_types(s->first);
    wri_case_misuse(s->t, "%s", why);
}

static wri_type *find(wri_type *first, const wr_type *table)
{
    while (first != NULL && first->table != table)
        first = first->next;
    return first;
}

static unsigned count_forms(search *s, const wr_type *table)
{
    unsigned count = 0;
    if (table->name == NULL)
        refuse(s, "wr_type: a type has no name");
    if (table->constructors == NULL || table->constructors[0].name == NULL)
        refuse(s, "wr_type %s: it has no constructor", table->name);
    while (count <= FORMS_MOST && table->constructors[count].name != NULL)
        count++;
    if (count > FORMS_MOST)
        refuse(s, "wr_type %s: it has more than %d constructors", table->name, FORMS_MOST);
    return count;
}

/* Adds a type to those looked at, unless it is known; its arguments come later. */
static wri_type *add(search *s, const wr_type *table)
{
    wri_type *type = find(all_types, table);
    if (type == NULL)
        type = find(s->first, table);
    if (type != NULL)
        return type;
    unsigned count = count_forms(s, table);
    type = calloc(1, sizeof *type);
    wri_form *forms = calloc(count, sizeof *forms);
    if (type == NULL || forms == NULL) {
        free(type);
        free(forms);
        free_types(s->first);
        wri_case_end(s->t, WRI_MISUSE, "", 0, "there is no memory for the table of a type");
    }
    type->table = table;
    type->label = wri_trace_label_hash(table->name);
    type->forms = forms;
    type->form_count = count;
    type->minimal = type->shallow = ENDLESS;
    type->all = count == FORMS_MOST ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    if (s->last == NULL)
        s->first = type;
    else
        s->last->next = type;
    s->last = type;
    return type;
}

static void check_show(search *s, const wri_type *type, const wri_form *form)
{
    for (const char *at = form->con->show; at != NULL && *at != '\0'; at++) {
        if (*at != '%')
            continue;
        at++;
        bool argument = *at >= '0' && (unsigned)(*at - '0') < form->arity;
        if (!argument && *at != '%' && !(*at == 'i' && wri_form_indexed(form)))
            refuse(s, "wr_type %s: constructor %s cannot show %%%.1s", type->table->name,
                   form->con->name, at);
    }
}

static void read_form(search *s, wri_type *type, unsigned tag)
{
    wri_form     *form = &type->forms[tag];
    const wr_con *con = &type->table->constructors[tag];
    form->con = con;
    if (WRI_RESERVE_USED(con))
        refuse(s, "wr_type %s: constructor %s " WRI_RESERVE_WHY, type->table->name, con->name);
    form->tag = (int32_t)tag;
    form->cost = con->cost == WR_FREE ? 0 : con->cost == 0 ? 1 : con->cost;
    form->costly_index = con->index == WR_ANY_INDEX;
    if (con->index != WR_ANY_INDEX && con->index > UINT32_MAX)
        refuse(s, "wr_type %s: constructor %s has more indices than 2^32 - 1", type->table->name,
               con->name);
    form->loose_index = con->index != 0 && !form->costly_index;
    while (form->arity < WRI_ARGS && con->args[form->arity] != NULL) {
        form->args[form->arity] = add(s, con->args[form->arity]);
        form->arity++;
    }
    for (unsigned i = form->arity; i < WRI_ARGS; i++)
        if (con->args[i] != NULL)
            refuse(s,
                   "wr_type %s: constructor %s has an argument %u, but its argument %u has no "
                   "type",
                   type->table->name, con->name, i, form->arity);
    form->parts = form->arity + form->costly_index;
    if (wri_form_indexed(form))
        type->with_index |= UINT64_C(1) << tag;
    check_show(s, type, form);
}

/* ---- Costs ---- */

static uint64_t cost_of(const wri_form *form)
{
    uint64_t cost = form->cost;
    for (unsigned i = 0; i < form->arity; i++) {
        if (form->args[i]->minimal == ENDLESS)
            return ENDLESS;
        cost += form->args[i]->minimal;
    }
    return cost < COST_MOST ? cost : COST_MOST;
}

/* A type that contains itself has no largest value. A constructor whose index costs counts as
 * endless, too. */
static uint64_t most_of(wri_type *type)
{
    if (type->maximal_known)
        return type->maximal;
    uint64_t most = 0;
    type->maximal_known = true;
    type->maximal = ENDLESS; /* for whoever comes back here */
    for (unsigned i = 0; i < type->form_count; i++) {
        wri_form *form = &type->forms[i];
        uint64_t  sum = form->costly_index ? ENDLESS : form->cost;
        for (unsigned k = 0; k < form->arity; k++)
            if (__builtin_add_overflow(sum, most_of(form->args[k]), &sum))
                sum = ENDLESS;
        form->maximal = sum;
        most = sum > most ? sum : most;
    }
    type->maximal = most;
    return most;
}

static uint64_t depth_of(const wri_form *form)
{
    uint64_t depth = 0;
    for (unsigned i = 0; i < form->arity; i++) {
        uint64_t below = form->args[i]->shallow;
        if (below == ENDLESS)
            return ENDLESS;
        depth = below + 1 > depth ? below + 1 : depth;
    }
    return depth;
}

static bool lower(uint64_t *least, uint64_t found)
{
    bool is_lower = found < *least;
    *least = is_lower ? found : *least;
    return is_lower;
}

/* The least costs and depths: each round may find lower ones, until none does. */
static void find_costs(wri_type *first)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (wri_type *type = first; type != NULL; type = type->next)
            for (unsigned i = 0; i < type->form_count; i++) {
                wri_form *form = &type->forms[i];
                form->minimal = cost_of(form);
                form->shallow = depth_of(form);
                changed |= lower(&type->minimal, form->minimal);
                changed |= lower(&type->shallow, form->shallow);
            }
    }
}

static void find_least(wri_form *form)
{
    for (unsigned part = form->parts; part-- > 0;) {
        bool index = form->costly_index && part == 0;
        form->least[part] =
            form->least[part + 1] + (index ? 0 : form->args[part - form->costly_index]->minimal);
    }
}

/* Ranks: nothing that costs less comes later, so that 0 again and again comes to an end. */
static void find_ranks(wri_type *type)
{
    for (unsigned tag = 0; tag < type->form_count; tag++) {
        unsigned at = tag;
        for (; at > 0 && type->forms[type->tag_of[at - 1]].minimal > type->forms[tag].minimal;
             at--)
            type->tag_of[at] = type->tag_of[at - 1];
        type->tag_of[at] = (uint8_t)tag;
    }
    for (unsigned rank = 0; rank < type->form_count; rank++)
        type->by_rank[rank] = &type->forms[type->tag_of[rank]];
}

uint64_t wri_type_count_fitting(const wri_type *type, uint64_t spare)
{
    unsigned rank = 0;
    while (rank < type->form_count &&
           type->forms[type->tag_of[rank]].minimal - type->minimal <= spare)
        rank++;
    return rank == FORMS_MOST ? UINT64_MAX : (UINT64_C(1) << rank) - 1;
}

static void find_fits(wri_type *type)
{
    for (uint64_t spare = 0; spare < WRI_MASKS; spare++)
        type->fits[spare] = wri_type_count_fitting(type, spare);
}

enum { UNSEEN, ENTERED, LEFT };

/* A value that has another of its own type inside, and costs no more than that, could have it
 * again and again: there would be no end of values of one size. */
static void refuse_free_circles(search *s, wri_type *type)
{
    type->mark = ENTERED;
    for (unsigned i = 0; i < type->form_count; i++) {
        wri_form *form = &type->forms[i];
        for (unsigned k = 0; k < form->arity; k++) {
            uint64_t others = form->cost + form->least[0] - form->args[k]->minimal;
            if (form->minimal == ENDLESS || others > 0 || form->args[k]->mark == LEFT)
                continue;
            if (form->args[k]->mark == ENTERED)
                refuse(s, "wr_type %s: constructor %s leads back to type %s and costs nothing",
                       type->table->name, form->con->name, form->args[k]->table->name);
            refuse_free_circles(s, form->args[k]);
        }
    }
    type->mark = LEFT;
}

wri_type *wri_type_of(wr_case *t, const wr_type *table)
{
    wri_type *known = find(all_types, table);
    search    s = { .t = t };
    if (known != NULL)
        return known;
    add(&s, table);
    for (wri_type *type = s.first; type != NULL; type = type->next)
        for (unsigned i = 0; i < type->form_count; i++)
            read_form(&s, type, i);
    find_costs(s.first);
    for (wri_type *type = s.first; type != NULL; type = type->next)
        most_of(type);
    for (wri_type *type = s.first; type != NULL; type = type->next)
        if (type->minimal == ENDLESS)
            refuse(&s, "wr_type %s: it has no finite value", type->table->name);
    for (wri_type *type = s.first; type != NULL; type = type->next) {
        for (unsigned i = 0; i < type->form_count; i++)
            find_least(&type->forms[i]);
        find_ranks(type);
        find_fits(type);
    }
    for (wri_type *type = s.first; type != NULL; type = type->next)
        if (type->mark == UNSEEN)
            refuse_free_circles(&s, type);
    s.last->next = all_types;
    all_types = s.first;
    return s.first;
}

/* ---- Counts ---- */

/* Is there a place for the count, and does it wait to be filled in? */
static bool to_be_counted(wri_counts *counts, uint64_t size)
{
    if (counts->ways == NULL) {
        counts->ways = calloc(WRI_COUNTED + 1, sizeof *counts->ways);
        counts->known = calloc(WRI_COUNTED + 1, sizeof *counts->known);
        if (counts->ways == NULL || counts->known == NULL) {
            free_counts(counts);
            *counts = (wri_counts){ 0 };
            return false;
        }
    }
    return !counts->known[size];
}

static wri_count counted(const wri_counts *counts, uint64_t size)
{
    return counts->ways == NULL ? WRI_UNCOUNTED : counts->ways[size];
}

static void count(wri_counts *counts, uint64_t size, wri_count ways)
{
    counts->ways[size] = ways;
    counts->known[size] = true;
}

wri_count wri_type_part_count(wri_form *form, unsigned part, uint64_t size)
{
    if (form->costly_index && part == 0)
        return 1;
    return wri_type_count(form->args[part - form->costly_index], size);
}

/* The count behind the last part. An index that costs nothing still has its values. */
static wri_count rest_count(const wri_form *form, uint64_t size)
{
    if (size > 0)
        return 0;
    return wri_form_indexed(form) && !form->costly_index ? form->con->index : 1;
}

/* By what the first part has; only sizes that are possible for both sides are asked for, so that
 * counting comes to an end. */
wri_count wri_type_parts_count(wri_form *form, unsigned part, uint64_t size)
{
    if (part == form->parts)
        return rest_count(form, size);
    if (size > WRI_COUNTED)
        return WRI_UNCOUNTED;
    if (size < form->least[part])
        return 0;
    wri_counts *counts = &form->counts[part];
    if (!to_be_counted(counts, size))
        return counted(counts, size);
    wri_count ways = 0;
    for (uint64_t k = wri_form_part_least(form, part); k + form->least[part + 1] <= size; k++) {
        wri_count own = wri_type_part_count(form, part, k);
        if (own != 0)
            ways = wri_count_plus(
                ways, wri_count_times(own, wri_type_parts_count(form, part + 1, size - k)));
    }
    count(counts, size, ways);
    return ways;
}

wri_count wri_form_count(wri_form *form, uint64_t size)
{
    return size < form->minimal ? 0 : wri_type_parts_count(form, 0, size - form->cost);
}

wri_count wri_type_count(wri_type *type, uint64_t size)
{
    if (size > WRI_COUNTED)
        return WRI_UNCOUNTED;
    if (!to_be_counted(&type->counts, size))
        return counted(&type->counts, size);
    wri_count ways = 0;
    for (unsigned i = 0; i < type->form_count; i++)
        ways = wri_count_plus(ways, wri_form_count(&type->forms[i], size));
    count(&type->counts, size, ways);
    return ways;
}

wri_count wri_type_power_count(wri_type *type, unsigned values, uint64_t cost)
{
    if (values == 0)
        return cost == 0;
    if (values == 1)
        return wri_type_count(type, type->minimal + cost);
    if (!to_be_counted(&type->powers[values], cost))
        return counted(&type->powers[values], cost);
    wri_count ways = 0;
    for (uint64_t k = 0; k <= cost; k++) {
        wri_count own = wri_type_count(type, type->minimal + k);
        if (own != 0)
            ways = wri_count_plus(
                ways, wri_count_times(own, wri_type_power_count(type, values - 1, cost - k)));
    }
    count(&type->powers[values], cost, ways);
    return ways;
}

/* ---- Which fit ---- */

uint64_t wri_type_ranks_of_size(wri_type *type, uint64_t size)
{
    if (size >= WRI_MASKS)
        return type->all;
    if ((type->exact_known >> size & 1) == 0) {
        for (unsigned rank = 0; rank < type->form_count; rank++)
            if (wri_form_count(&type->forms[type->tag_of[rank]], size) != 0)
                type->exact[size] |= UINT64_C(1) << rank;
        type->exact_known |= UINT64_C(1) << size;
    }
    return type->exact[size];
}

uint64_t wri_type_ranks_beyond(const wri_type *type, uint64_t size)
{
    uint64_t ranks = 0;
    for (unsigned rank = 0; rank < type->form_count; rank++)
        ranks |= (uint64_t)(type->forms[type->tag_of[rank]].maximal > size) << rank;
    return ranks;
}

uint64_t wri_type_ranks_of_depth(const wri_type *type, uint64_t depth)
{
    uint64_t ranks = 0;
    for (unsigned rank = 0; rank < type->form_count; rank++)
        ranks |= (uint64_t)(type->forms[type->tag_of[rank]].shallow <= depth) << rank;
    return ranks;
}

wri_type *wri_types_known(void)
{
    return all_types;
}
