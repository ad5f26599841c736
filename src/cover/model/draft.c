/* cover/model/draft.c: collects the parts of a model one after the other.
 *
 * Parameters are kept as they were written until they are settled. Then the types are known:
 * levels are ordered, valid ones first, and get numbers. A whole number is its own number. A text
 * gets its rank among all texts of the model, so that values of two parameters can be compared.
 */
#include "cover/model/draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WRITTEN_OUT 1000000 /* values of one parameter that is not a range */
#define MOST_LEVELS ((uint64_t)UINT32_MAX - 1)
#define MOST_PARAMETERS 1000000

typedef struct drafted_value {
    const char *text;
    uint32_t    weight;
    bool        invalid;
    const char *at;      /* where it stands in the text */
    wrc_list    aliases; /* of const char * */
} drafted_value;

typedef struct drafted {
    const char *name;
    wrc_place   at;
    wrc_typing  typing;
    wrc_list    values; /* of drafted_value */
    int64_t     first, last, step;
    bool        range;
    bool        decimal; /* every value is a number */
} drafted;

bool wrc_draft_out_of_memory(wrc_draft *draft)
{
    return wrc_model_complain(draft->complaint, "out of memory");
}

static bool add(wrc_draft *draft, wrc_list *list, const void *item, size_t size)
{
    return wrc_list_add(list, item, size) || wrc_draft_out_of_memory(draft);
}

static drafted *latest(const wrc_draft *draft)
{
    return (drafted *)draft->parameters.items + draft->parameters.count - 1;
}

bool wrc_draft_open(wrc_draft *draft, wrc_complaint *complaint)
{
    memset(draft, 0, sizeof *draft);
    draft->complaint = complaint;
    draft->memory = wrc_memory_open();
    return draft->memory != NULL || wrc_draft_out_of_memory(draft);
}

static void free_values(drafted *parameter)
{
    drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++)
        free(values[i].aliases.items);
    free(values);
    memset(&parameter->values, 0, sizeof parameter->values);
}

void wrc_draft_close(wrc_draft *draft)
{
    drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++)
        free_values(&parameters[i]);
    free(parameters);
    free(draft->relations.items);
    free(draft->compounds.items);
    free(draft->constraints.items);
    free(draft->remarks.items);
    free(draft->rows.items);
    wrc_memory_close(draft->memory);
    memset(draft, 0, sizeof *draft);
}

/* ---- Parameters ------------------------------------------------------------------------- */

uint32_t wrc_draft_find(const wrc_draft *draft, const char *name, size_t length)
{
    const drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++)
        if (wrc_model_same_text(name, length, parameters[i].name, strlen(parameters[i].name),
                                draft->model.fold_case))
            return (uint32_t)i;
    return WRC_ANY;
}

bool wrc_draft_parameter(wrc_draft *draft, wrc_place at, const char *name, size_t length,
                         wrc_typing typing)
{
    drafted parameter = { .typing = typing, .at = at };
    if (length == 0)
        return wrc_source_complain(draft->complaint, at,
                                   "expected a parameter's name, found none");
    if (draft->parameters.count == MOST_PARAMETERS)
        return wrc_source_complain(draft->complaint, at,
                                   "expected at most %d parameters, found more", MOST_PARAMETERS);
    parameter.name = wrc_memory_text(draft->memory, name, length);
    if (!parameter.name)
        return wrc_draft_out_of_memory(draft);
    return add(draft, &draft->parameters, &parameter, sizeof parameter);
}

static bool add_value(wrc_draft *draft, wrc_place at, const drafted_value *value)
{
    drafted *to = latest(draft);
    if (to->values.count == MOST_WRITTEN_OUT)
        return wrc_source_complain(draft->complaint, at,
                                   "expected at most %d values of %.60s, found more",
                                   MOST_WRITTEN_OUT, to->name);
    return add(draft, &to->values, value, sizeof *value);
}

/* A range that is no longer alone becomes a list. */
static bool write_out(wrc_draft *draft, wrc_place at, int64_t first, int64_t last, int64_t step,
                      bool invalid)
{
    uint64_t steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
    for (uint64_t i = 0; i <= steps; i++) {
        char          text[24];
        int           length = snprintf(text, sizeof text, "%lld",
                                        (long long)((uint64_t)first + i * (uint64_t)step));
        drafted_value value = {
            wrc_memory_text(draft->memory, text, (size_t)length), 1, invalid, at.at, { 0 }
        };
        if (!value.text)
            return wrc_draft_out_of_memory(draft);
        if (!add_value(draft, at, &value))
            return false;
    }
    return true;
}

static bool not_alone(wrc_draft *draft, wrc_place at)
{
    drafted *to = latest(draft);
    if (!to->range)
        return true;
    to->range = false;
    return write_out(draft, at, to->first, to->last, to->step, false);
}

bool wrc_draft_value(wrc_draft *draft, wrc_place at, const char *text, size_t length,
                     bool invalid, uint32_t weight)
{
    drafted_value value = {
        wrc_memory_text(draft->memory, text, length), weight, invalid, at.at, { 0 }
    };
    if (!value.text)
        return wrc_draft_out_of_memory(draft);
    return not_alone(draft, at) && add_value(draft, at, &value);
}

bool wrc_draft_alias(wrc_draft *draft, const char *text, size_t length)
{
    drafted       *to = latest(draft);
    drafted_value *value = (drafted_value *)to->values.items + to->values.count - 1;
    const char    *copy = wrc_memory_text(draft->memory, text, length);
    return copy ? add(draft, &value->aliases, &copy, sizeof copy)
                : wrc_draft_out_of_memory(draft);
}

bool wrc_draft_range(wrc_draft *draft, wrc_place at, int64_t first, int64_t last, int64_t step,
                     bool invalid)
{
    drafted *to = latest(draft);
    if (step < 1)
        return wrc_source_complain(draft->complaint, at,
                                   "expected a step of 1 or more, found %lld", (long long)step);
    if (last < first)
        return wrc_source_complain(draft->complaint, at,
                                   "expected a range that ascends, found %lld..%lld",
                                   (long long)first, (long long)last);
    if (((uint64_t)last - (uint64_t)first) / (uint64_t)step >= MOST_LEVELS)
        return wrc_source_complain(draft->complaint, at,
                                   "expected at most %llu values of %.60s, found a wider range",
                                   (unsigned long long)MOST_LEVELS, to->name);
    if (!to->range && to->values.count == 0 && !invalid) {
        to->range = true;
        to->first = first;
        to->last = last;
        to->step = step;
        return true;
    }
    return not_alone(draft, at) && write_out(draft, at, first, last, step, invalid);
}

static bool copy_value(wrc_draft *draft, const drafted_value *from)
{
    const char *const *aliases = from->aliases.items;
    drafted_value      value = *from;
    memset(&value.aliases, 0, sizeof value.aliases);
    value.at = latest(draft)->at.at;
    if (!add_value(draft, latest(draft)->at, &value))
        return false;
    for (size_t i = 0; i < from->aliases.count; i++)
        if (!wrc_draft_alias(draft, aliases[i], strlen(aliases[i])))
            return false;
    return true;
}

bool wrc_draft_same_values(wrc_draft *draft, uint32_t other)
{
    drafted  *from = (drafted *)draft->parameters.items + other;
    wrc_place at = latest(draft)->at;
    if (from->range)
        return wrc_draft_range(draft, at, from->first, from->last, from->step, false);
    for (size_t i = 0, count = from->values.count; i < count; i++) {
        drafted_value value = ((drafted_value *)from->values.items)[i];
        if (!copy_value(draft, &value))
            return false;
    }
    return true;
}

/* ---- Settling --------------------------------------------------------------------------- */

static bool is_whole(const char *text, size_t length)
{
    int64_t number;
    return wrc_model_whole_number(text, length, &number);
}

static bool is_boolean(const char *text, size_t length)
{
    return wrc_model_same_text(text, length, "true", 4, true) ||
           wrc_model_same_text(text, length, "false", 5, true);
}

static bool is_decimal(const char *text, size_t length)
{
    double number;
    return wrc_model_decimal_number(text, length, &number);
}

/* PICT's mark of an invalid value is printed but does not belong to the value. */
static const char *bare(const drafted *parameter, const drafted_value *value)
{
    bool marked = parameter->typing == WRC_TYPE_NUMERIC && value->invalid;
    return marked ? value->text + 1 + strspn(value->text + 1, " \t") : value->text;
}

static bool all_are(const drafted *parameter, bool (*is)(const char *, size_t))
{
    const drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++) {
        const char *text = bare(parameter, &values[i]);
        if (!is(text, strlen(text)))
            return false;
    }
    return true;
}

static bool must_be(wrc_draft *draft, const drafted *parameter, bool (*is)(const char *, size_t),
                    const char *what)
{
    const drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++)
        if (!is(values[i].text, strlen(values[i].text)))
            return wrc_source_complain(draft->complaint, parameter->at,
                                       "expected %s as value of %.60s, found %.60s", what,
                                       parameter->name, values[i].text);
    return true;
}

/* Whether some numeric parameter has a decimal. If so, the numbers of all numeric
 * values are their ranks, as for texts; otherwise each value is its own number. */
static bool any_decimal(const wrc_draft *draft)
{
    drafted *parameters = draft->parameters.items;
    bool     any = false;
    for (size_t i = 0; i < draft->parameters.count; i++) {
        parameters[i].decimal = all_are(&parameters[i], is_decimal);
        any = any || (parameters[i].typing == WRC_TYPE_NUMERIC && parameters[i].decimal &&
                      !all_are(&parameters[i], is_whole));
    }
    return any;
}

static bool choose_domain(wrc_draft *draft, const drafted *from, bool decimals,
                          wrc_domain *domain)
{
    switch (from->typing) {
    case WRC_TYPE_NUMBER:
        *domain = WRC_DOMAIN_NUMBER;
        return must_be(draft, from, is_whole, "a whole number");
    case WRC_TYPE_BOOLEAN:
        *domain = WRC_DOMAIN_BOOLEAN;
        return must_be(draft, from, is_boolean, "true or false");
    case WRC_TYPE_TEXT: *domain = WRC_DOMAIN_TEXT; return true;
    case WRC_TYPE_NUMERIC:
        *domain = !decimals && all_are(from, is_whole) ? WRC_DOMAIN_NUMBER : WRC_DOMAIN_TEXT;
        return true;
    case WRC_TYPE_GUESSED:
        *domain = all_are(from, is_whole)     ? WRC_DOMAIN_NUMBER
                  : all_are(from, is_boolean) ? WRC_DOMAIN_BOOLEAN
                                              : WRC_DOMAIN_TEXT;
        return true;
    }
    return true;
}

/* A value whose number is its rank. Decimals are ordered by size, texts by spelling. */
typedef struct ranked {
    const char *text;
    double      size;
    bool        decimal, fold_case;
    wrc_value  *value;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->decimal != y->decimal)
        return x->decimal ? -1 : 1;
    if (x->decimal)
        return (x->size > y->size) - (x->size < y->size);
    return wrc_model_compare_text(x->text, y->text, x->fold_case);
}

static void give_ranks(wrc_list *all)
{
    ranked *items = all->items;
    int64_t rank = 0;
    if (all->count > 0)
        qsort(items, all->count, sizeof *items, compare_ranked);
    for (size_t i = 0; i < all->count; i++) {
        rank += i > 0 && compare_ranked(&items[i - 1], &items[i]) != 0;
        items[i].value->number = rank;
    }
}

static const char *const *settle_aliases(wrc_draft *draft, const wrc_list *aliases)
{
    size_t       bytes = aliases->count * sizeof(char *);
    const char **settled = wrc_memory_take(draft->memory, bytes + sizeof(char *));
    if (!settled)
        return NULL;
    memcpy(settled, aliases->items, bytes);
    settled[aliases->count] = NULL;
    return settled;
}

static bool settle_value(wrc_draft *draft, const drafted *parameter, const drafted_value *from,
                         wrc_domain domain, wrc_value *to, wrc_list *texts)
{
    const char *text = bare(parameter, from);
    *to = (wrc_value){ .text = from->text, .weight = from->weight };
    if (from->aliases.count > 0) {
        to->aliases = settle_aliases(draft, &from->aliases);
        if (!to->aliases)
            return wrc_draft_out_of_memory(draft);
    }
    if (domain == WRC_DOMAIN_NUMBER)
        wrc_model_whole_number(text, strlen(text), &to->number);
    else if (domain == WRC_DOMAIN_BOOLEAN)
        to->number = wrc_model_compare_text(text, "true", true) == 0;
    else {
        ranked item = { text, 0, parameter->typing == WRC_TYPE_NUMERIC && parameter->decimal,
                        draft->model.fold_case, to };
        if (item.decimal)
            wrc_model_decimal_number(text, strlen(text), &item.size);
        return add(draft, texts, &item, sizeof item);
    }
    return true;
}

/* A value as it is compared with the others; of the same, the first comes first. */
typedef struct spelling {
    const char          *text;
    bool                 fold_case;
    const drafted_value *value;
} spelling;

static int compare_spellings(const void *a, const void *b)
{
    const spelling *x = a, *y = b;
    int             order = wrc_model_compare_text(x->text, y->text, x->fold_case);
    return order != 0 ? order : (x->value > y->value) - (x->value < y->value);
}

/* The same value twice is a mistake. */
static bool refuse_doubles(wrc_draft *draft, const drafted *from)
{
    bool                 fine = true, fold_case = draft->model.fold_case;
    size_t               count = from->values.count;
    const drafted_value *values = from->values.items;
    spelling            *sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return wrc_draft_out_of_memory(draft);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (spelling){ bare(from, &values[i]), fold_case, &values[i] };
    qsort(sorted, count, sizeof *sorted, compare_spellings);
    for (size_t i = 1; i < count && fine; i++)
        if (wrc_model_compare_text(sorted[i - 1].text, sorted[i].text, fold_case) == 0)
            fine = wrc_source_complain(draft->complaint,
                                       (wrc_place){ from->at.source, sorted[i].value->at },
                                       "expected each value of %.60s once, found %.60s twice",
                                       from->name, sorted[i].text);
    free(sorted);
    return fine;
}

static bool settle_values(wrc_draft *draft, const drafted *from, wrc_parameter *to,
                          wrc_list *texts)
{
    const drafted_value *values = from->values.items;
    size_t               count = from->values.count, at = 0;
    wrc_value           *settled = wrc_memory_take(draft->memory, count * sizeof *settled);
    if (!settled)
        return wrc_draft_out_of_memory(draft);
    to->levels = (uint32_t)count;
    to->values = settled;
    for (int invalid = 0; invalid <= 1; invalid++)
        for (size_t i = 0; i < count; i++)
            if (values[i].invalid == (bool)invalid) {
                to->invalid += (uint32_t)invalid;
                if (!settle_value(draft, from, &values[i], to->domain, &settled[at++], texts))
                    return false;
            }
    if (to->invalid == to->levels)
        return wrc_source_complain(draft->complaint, from->at,
                                   "expected a valid value of %.60s, found none", from->name);
    return refuse_doubles(draft, from);
}

static bool settle_parameter(wrc_draft *draft, const drafted *from, bool decimals,
                             wrc_parameter *to, wrc_list *texts)
{
    *to = (wrc_parameter){ .name = from->name };
    if (from->range) {
        if (from->typing == WRC_TYPE_TEXT || from->typing == WRC_TYPE_BOOLEAN)
            return wrc_source_complain(draft->complaint, from->at,
                                       "expected numbers for the range of %.60s", from->name);
        to->domain = WRC_DOMAIN_RANGE;
        to->first = from->first;
        to->step = from->step;
        to->levels =
            (uint32_t)(((uint64_t)from->last - (uint64_t)from->first) / (uint64_t)from->step) + 1;
        return true;
    }
    if (from->values.count == 0)
        return wrc_source_complain(draft->complaint, from->at,
                                   "expected a value of %.60s, found none", from->name);
    return choose_domain(draft, from, decimals, &to->domain) &&
           settle_values(draft, from, to, texts);
}

/* The index finds only one of two parameters with the same name. */
static bool refuse_twins(wrc_draft *draft)
{
    const drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++) {
        const char *name = parameters[i].name;
        uint32_t    found = wrc_model_find(&draft->model, name, strlen(name));
        if (found == i)
            continue;
        const drafted *second = &parameters[found > i ? found : i];
        return wrc_source_complain(
            draft->complaint, second->at,
            "expected a new name, found %.60s, which is a parameter already", second->name);
    }
    return true;
}

bool wrc_draft_settle(wrc_draft *draft)
{
    const drafted *from = draft->parameters.items;
    size_t         count = draft->parameters.count;
    bool           decimals = any_decimal(draft), fine = true;
    wrc_list       texts = { 0 };
    wrc_parameter *to = wrc_memory_take(draft->memory, count * sizeof *to);
    if (!to)
        return wrc_draft_out_of_memory(draft);
    if (count == 0)
        return wrc_model_complain(draft->complaint,
                                  "expected at least one parameter, found none");
    for (size_t i = 0; i < count && fine; i++)
        fine = settle_parameter(draft, &from[i], decimals, &to[i], &texts);
    if (fine) {
        give_ranks(&texts);
        draft->model.parameters = to;
        draft->model.parameter_count = (uint32_t)count;
        draft->settled = wrc_model_index(&draft->model, draft->memory);
        fine = (draft->settled || wrc_draft_out_of_memory(draft)) && refuse_twins(draft);
    }
    free(texts.items);
    return fine;
}

/* ---- Relations, constraints, rows -------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The parameters of a relation, ascending, each once. */
static bool sort_group(wrc_draft *draft, const uint32_t *parameters, uint32_t count,
                       wrc_relation *to)
{
    uint32_t *sorted = wrc_memory_take(draft->memory, count * sizeof *sorted);
    if (!sorted)
        return wrc_draft_out_of_memory(draft);
    memcpy(sorted, parameters, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    to->parameters = sorted;
    for (uint32_t i = 0; i < count; i++)
        if (to->count == 0 || sorted[to->count - 1] != sorted[i])
            sorted[to->count++] = sorted[i];
    return true;
}

static bool add_group(wrc_draft *draft, wrc_list *to, wrc_place at, const char *name,
                      uint32_t strength, const uint32_t *parameters, uint32_t count)
{
    wrc_relation group = { 0 };
    if (count == 0)
        return wrc_source_complain(draft->complaint, at, "expected a parameter, found none");
    if (name && !(group.name = wrc_memory_text(draft->memory, name, strlen(name))))
        return wrc_draft_out_of_memory(draft);
    if (!sort_group(draft, parameters, count, &group))
        return false;
    group.strength = strength ? strength : group.count;
    if (group.strength > group.count && group.strength != WRC_ANY)
        return wrc_source_complain(
            draft->complaint, at,
            "expected a strength of at most %u, the number of parameters, found %u", group.count,
            group.strength);
    return add(draft, to, &group, sizeof group);
}

bool wrc_draft_relation(wrc_draft *draft, wrc_place at, const char *name, uint32_t strength,
                        const uint32_t *parameters, uint32_t count)
{
    return add_group(draft, &draft->relations, at, name, strength, parameters, count);
}

bool wrc_draft_compound(wrc_draft *draft, wrc_place at, uint32_t strength,
                        const uint32_t *parameters, uint32_t count)
{
    return add_group(draft, &draft->compounds, at, NULL, strength, parameters, count);
}

bool wrc_draft_constraint(wrc_draft *draft, const wrc_expression *holds, const char *text,
                          size_t length, uint32_t line)
{
    if (holds->op == WRC_OP_NUMBER && holds->number)
        return true; /* says nothing */
    char          *copy = wrc_memory_text(draft->memory, text, length);
    wrc_constraint constraint = { holds, copy, line };
    if (!copy)
        return wrc_draft_out_of_memory(draft);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return add(draft, &draft->constraints, &constraint, sizeof constraint);
}

bool wrc_draft_row(wrc_draft *draft, const uint32_t *row)
{
    return add(draft, &draft->rows, row, draft->model.parameter_count * sizeof *row);
}

bool wrc_draft_remark(wrc_draft *draft, const char *format, ...)
{
    char        text[512];
    const char *copy;
    va_list     values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    copy = wrc_memory_text(draft->memory, text, strlen(text));
    return copy ? add(draft, &draft->remarks, &copy, sizeof copy)
                : wrc_draft_out_of_memory(draft);
}

/* ---- The model -------------------------------------------------------------------------- */

/* A copy in the model's memory, or NULL, which for nothing is fine as well. */
static const void *keep(wrc_draft *draft, const wrc_list *list, size_t size, bool *fine)
{
    void *copy = wrc_memory_take(draft->memory, list->count * size);
    if (!copy)
        *fine = wrc_draft_out_of_memory(draft);
    else if (list->count > 0)
        memcpy(copy, list->items, list->count * size);
    return copy;
}

static bool add_parameters_at(wrc_draft *draft, uint32_t strength, const bool *left_out)
{
    uint32_t  count = 0;
    uint32_t *all = calloc(draft->model.parameter_count, sizeof *all);
    if (!all)
        return wrc_draft_out_of_memory(draft);
    for (uint32_t p = 0; p < draft->model.parameter_count; p++)
        if (!left_out || !left_out[p])
            all[count++] = p;
    bool added =
        count == 0 || wrc_draft_relation(draft, (wrc_place){ 0 }, NULL, strength, all, count);
    free(all);
    return added;
}

/* A parameter that no relation names still has its values. */
static bool add_single_values(wrc_draft *draft)
{
    const wrc_relation *relations = draft->relations.items;
    bool               *named = calloc(draft->model.parameter_count, sizeof *named), added;
    if (!named)
        return wrc_draft_out_of_memory(draft);
    for (size_t r = 0; r < draft->relations.count; r++)
        for (uint32_t i = 0; i < relations[r].count; i++)
            named[relations[r].parameters[i]] = true;
    added = add_parameters_at(draft, 1, named);
    free(named);
    return added;
}

/* Groups whose own strength was left open are as strong as the rest, as far as they can be. */
static void settle_compounds(wrc_draft *draft, uint32_t strength)
{
    wrc_relation *compounds = draft->compounds.items;
    for (size_t i = 0; i < draft->compounds.count; i++)
        if (compounds[i].strength == WRC_ANY)
            compounds[i].strength = strength < compounds[i].count ? strength : compounds[i].count;
}

static bool add_relations(wrc_draft *draft, uint32_t asked)
{
    uint32_t count = draft->model.parameter_count;
    uint32_t strength = asked ? asked : draft->strength;
    if (strength == 0 && draft->relations.count > 0)
        return add_single_values(draft);
    if (strength > count &&
        !wrc_draft_remark(draft, "strength %u is more than there are parameters: %u it is",
                          strength, count))
        return false;
    if (strength == 0)
        strength = 2;
    settle_compounds(draft, strength);
    return add_parameters_at(draft, strength < count ? strength : count, NULL);
}

wrc_model *wrc_draft_finish(wrc_draft *draft, uint32_t strength)
{
    wrc_model *model = wrc_memory_take(draft->memory, sizeof *model);
    bool       fine = model != NULL;
    if (!fine)
        wrc_draft_out_of_memory(draft);
    if (!fine || !add_relations(draft, strength))
        return NULL;
    *model = draft->model;
    model->relation_count = (uint32_t)draft->relations.count;
    model->relations = keep(draft, &draft->relations, sizeof(wrc_relation), &fine);
    model->constraint_count = (uint32_t)draft->constraints.count;
    model->constraints = keep(draft, &draft->constraints, sizeof(wrc_constraint), &fine);
    model->compound_count = (uint32_t)draft->compounds.count;
    model->compounds = keep(draft, &draft->compounds, sizeof(wrc_relation), &fine);
    model->remark_count = (uint32_t)draft->remarks.count;
    model->remarks = keep(draft, &draft->remarks, sizeof(char *), &fine);
    model->kept_count = draft->rows.count;
    model->kept = keep(draft, &draft->rows, model->parameter_count * sizeof(uint32_t), &fine);
    if (!fine)
        return NULL;
    model->memory = draft->memory;
    draft->memory = NULL; /* the model's from here on */
    return model;
}
