/* machine/generalise.c: from a smallest sequence to the pattern of its bug.
 *
 * Two arguments may be the same by chance, and a value may matter or not: each is a question that
 * a test answers. Of arguments with one value, one at a time gets another; of a handle, one that
 * the same call gave once more. Then all values are changed at once, and only if the failure is
 * gone with them, one by one, to see which of them it needs. Of a number it is found out how far
 * it can go. What comes after what, and what makes it harmless, is left to order.c and guards.c.
 */
#include "machine/learn.h"

#include <string.h>

/* An end of a number's range is looked for with so many tests. */
#define END_TESTS 12
/* So many other values are tried where the calls cannot be made with those before. */
#define VALUE_TESTS 8

typedef struct study {
    const wri_lab *lab;
    wri_sequence   failing; /* in its last call */
    wri_sequence   apart;   /* the same with the handles that can be others being others, */
    size_t         places[WRI_PATTERN_CALLS]; /* and where its calls are there */
    wri_sequence   draft;
    wri_pattern   *pattern;
    wri_class      classes[WRI_CLASSES]; /* of failing */
    size_t         count;
    wri_term       terms[WRI_CLASSES];       /* what each must be, if it is not anything */
    uint32_t       freed[WRI_PATTERN_CALLS]; /* 1u << i: argument i can be another handle */
} study;

/* ---- What is the same by chance ---- */

typedef bool part_function(study *s, size_t call, unsigned argument);

/* One argument of a value that several have gets another. */
static bool part_value(study *s, size_t call, unsigned argument)
{
    int64_t value;
    if (!wri_fresh_value(s->lab, &s->failing, NULL, call, argument, &value) ||
        !wri_sequence_copy(&s->draft, &s->failing))
        return false;
    s->draft.calls[call].arguments[argument] = value;
    return wri_fails_at_end(s->lab, &s->draft) && wri_sequence_copy(&s->failing, &s->draft);
}

/* The same for a handle: what gave it is called once more, right after. */
static bool part_handle(study *s, size_t call, unsigned argument)
{
    size_t   giver = s->places[s->failing.calls[call].arguments[argument]];
    size_t   user = s->places[call] + 1;
    wri_made again = s->apart.calls[giver];
    if (!wri_sequence_copy(&s->draft, &s->apart) ||
        !wri_sequence_insert(s->lab->machine, &s->draft, giver + 1, &again))
        return false;
    s->draft.calls[user].arguments[argument] = (int64_t)giver + 1;
    if (!wri_fails_at_end(s->lab, &s->draft) || !wri_sequence_copy(&s->apart, &s->draft))
        return false;
    for (size_t i = 0; i < s->failing.count; i++)
        s->places[i] += s->places[i] > giver;
    s->freed[call] |= 1u << argument;
    return true;
}

/* All arguments that are `value`, from the last on. Of two that are left one is enough to try. */
static void part_uses(study *s, const wr_kind *kind, int64_t value, unsigned uses,
                      part_function *part)
{
    unsigned together = uses;
    for (size_t i = s->failing.count; i-- > 0;)
        for (unsigned j = wri_arity(s->lab->machine, &s->failing.calls[i]); j-- > 0;)
            if (wri_kind_of(s->lab->machine, &s->failing.calls[i], j) == kind &&
                s->failing.calls[i].arguments[j] == value) {
                bool try = together > 1 && (uses > 1 || together > 2);
                together -= try && part(s, i, j);
                uses--;
            }
}

static void part_values(study *s)
{
    s->count = wri_classes_of(s->lab->machine, &s->failing, s->classes);
    for (size_t i = 0; i < s->count; i++)
        part_uses(s, s->classes[i].kind, s->classes[i].value, s->classes[i].uses, part_value);
    s->count = wri_classes_of(s->lab->machine, &s->failing, s->classes);
}

static unsigned uses_of(const wri_machine *machine, const wri_sequence *sequence, size_t giver)
{
    unsigned uses = 0;
    for (size_t i = giver + 1; i < sequence->count; i++)
        for (unsigned j = 0; j < wri_arity(machine, &sequence->calls[i]); j++)
            uses += wri_takes_handle(machine, sequence->calls[i].command, j) &&
                    sequence->calls[i].arguments[j] == (int64_t)giver;
    return uses;
}

static void part_handles(study *s)
{
    const wri_machine *machine = s->lab->machine;
    if (!wri_sequence_copy(&s->apart, &s->failing))
        return;
    for (size_t i = 0; i < s->failing.count; i++)
        s->places[i] = i;
    for (size_t i = 0; i < s->failing.count; i++) {
        const wri_machine_command *command = &machine->commands[s->failing.calls[i].command];
        if (command->giving)
            part_uses(s, command->table->gives, (int64_t)i, uses_of(machine, &s->failing, i),
                      part_handle);
    }
}

/* ---- Numbers ---- */

static bool fails_as(study *s, size_t class, int64_t value)
{
    return wri_recast(s->lab->machine, &s->failing, &s->classes[class], &value, 1, &s->draft) &&
           wri_fails_at_end(s->lab, &s->draft);
}

/* The last number towards `limit` that fails; `open`: that is how far it goes. */
static int64_t find_end(study *s, size_t class, int64_t limit, bool *open)
{
    int64_t  from = s->classes[class].value;
    bool     up = limit > from;
    uint64_t failing = 0,
             passing = up ? (uint64_t)limit - (uint64_t)from : (uint64_t)from - (uint64_t)limit;
    *open = passing == 0 || fails_as(s, class, limit);
    for (unsigned i = 0; i < END_TESTS && !*open && failing + 1 < passing; i++) {
        uint64_t next = i == 0 ? 1 : wri_between(failing, passing);
        if (fails_as(s, class, (int64_t)((uint64_t)from + (up ? next : 0 - next))))
            failing = next;
        else
            passing = next;
    }
    return *open ? limit : (int64_t)((uint64_t)from + (up ? failing : 0 - failing));
}

/* Is it a number, alone of its value, of which others can be asked for? */
static bool is_number(const study *s, size_t class, int64_t *least, int64_t *most)
{
    const wri_class *c = &s->classes[class];
    return c->kind->values == 0 && c->uses == 1 && s->lab->range != NULL &&
           s->lab->range(s->lab->context, &s->failing, c->call, c->argument, least, most);
}

static void find_range(study *s, size_t class)
{
    int64_t least, most;
    bool    down, up;
    if (!is_number(s, class, &least, &most))
        return;
    int64_t low = find_end(s, class, least, &down), high = find_end(s, class, most, &up);
    if (down && up)
        return;
    s->terms[class] = (wri_term){ .sort = WRI_TERM_RANGE,
                                  .least = down && low != high ? INT64_MIN : low,
                                  .most = up && low != high ? INT64_MAX : high };
}

/* ---- Values that are needed ---- */

/* Has it failed with another value in all these places? */
static bool is_witnessed(const study *s, const wri_class *class)
{
    const wri_sequence *witness = s->lab->witness;
    if (witness == NULL || witness->count != s->failing.count)
        return false;
    int64_t other = witness->calls[class->call].arguments[class->argument];
    for (size_t i = 0; i < s->failing.count; i++) {
        const wri_made *call = &s->failing.calls[i];
        if (witness->calls[i].command != call->command)
            return false;
        for (unsigned j = 0; j < wri_arity(s->lab->machine, call); j++)
            if (wri_kind_of(s->lab->machine, call, j) == class->kind &&
                call->arguments[j] == class->value && witness->calls[i].arguments[j] != other)
                return false;
    }
    return other != class->value;
}

/* How far all values of a kind can be moved, so that which of them are less than others stays
 * the same: up, or else down; 0: not at all. */
static int64_t room_for(const study *s, const wr_kind *kind)
{
    int64_t least = INT64_MAX, most = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->classes[i].kind == kind) {
            least = s->classes[i].value < least ? s->classes[i].value : least;
            most = s->classes[i].value > most ? s->classes[i].value : most;
        }
    int64_t above = (int64_t)kind->values - 1 - most;
    return above > 0 ? above : -least;
}

static bool is_kind_witnessed(const study *s, const wr_kind *kind)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->classes[i].kind == kind && !is_witnessed(s, &s->classes[i]))
            return false;
    return true;
}

/* Another value for what could matter; false: none is known, or it has had one. */
static bool change_value(study *s, size_t class, int64_t *value)
{
    const wri_class *c = &s->classes[class];
    int64_t          least, most, room = c->kind->values > 0 ? room_for(s, c->kind) : 0;
    if (c->kind->symmetric || is_kind_witnessed(s, c->kind) || is_number(s, class, &least, &most))
        return false;
    *value = c->value + room;
    return room != 0 ||
           wri_fresh_value(s->lab, &s->failing, &s->draft, c->call, c->argument, value);
}

/* Other values for all that could matter. */
static unsigned change_values(study *s, int64_t *values)
{
    unsigned changed = 0;
    if (!wri_sequence_copy(&s->draft, &s->failing))
        return 0;
    for (size_t i = 0; i < s->count; i++) {
        const wri_class *c = &s->classes[i];
        if (change_value(s, i, &values[i])) {
            s->draft.calls[c->call].arguments[c->argument] = values[i];
            changed++;
        } else {
            values[i] = c->value;
        }
    }
    return changed;
}

/* Is the failure gone with another value of this class alone? A value with which the calls cannot
 * be made does not tell: if none does, none is needed. */
static bool is_needed(study *s, size_t class)
{
    const wri_lab   *lab = s->lab;
    const wri_class *c = &s->classes[class];
    bool             known = false;
    int64_t          other;
    size_t           at;
    for (unsigned i = 0; i < VALUE_TESTS &&
                         wri_fresh_number(lab, &s->failing, c->call, c->argument, i, &other); i++) {
        if (!wri_recast(lab->machine, &s->failing, c, &other, 1, &s->draft))
            return true;
        if (lab->veto != NULL && lab->veto(lab->context, &s->draft)) {
            known = true; /* another bug is there, maybe for the sake of that value */
            continue;
        }
        wri_tried tried = lab->run(lab->context, &s->draft, &at);
        if (tried != WRI_TRIED_IMPOSSIBLE)
            return tried != WRI_TRIED_SAME || at + 1 != s->failing.count;
    }
    return known;
}

/* Does it fail with the changed values of this kind, NULL: of all kinds? `changed`: so many are.
 */
static bool fails_changed(study *s, const int64_t *values, const wr_kind *only, unsigned *changed)
{
    int64_t mixed[WRI_CLASSES];
    *changed = 0;
    for (size_t i = 0; i < s->count; i++) {
        bool change = only == NULL || s->classes[i].kind == only;
        mixed[i] = change ? values[i] : s->classes[i].value;
        *changed += mixed[i] != s->classes[i].value;
    }
    return *changed == 0 ||
           (wri_recast(s->lab->machine, &s->failing, s->classes, mixed, s->count, &s->draft) &&
            wri_fails_at_end(s->lab, &s->draft));
}

static void find_needed_of(study *s, const int64_t *values, const wr_kind *kind)
{
    unsigned changed;
    if (fails_changed(s, values, kind, &changed))
        return;
    for (size_t i = 0; i < s->count; i++)
        if (s->classes[i].kind == kind && values[i] != s->classes[i].value && is_needed(s, i))
            s->terms[i] = (wri_term){ .sort = WRI_TERM_RANGE,
                                      .least = s->classes[i].value,
                                      .most = s->classes[i].value };
}

/* All kinds at once, or kind by kind. */
static void find_needed(study *s)
{
    const wri_machine *machine = s->lab->machine;
    int64_t            values[WRI_CLASSES];
    unsigned           changed = change_values(s, values);
    if (changed == 0 || fails_changed(s, values, NULL, &changed))
        return;
    for (unsigned i = 0; i < machine->value_count; i++)
        find_needed_of(s, values, machine->values[i].table);
}

/* ---- The pattern ---- */

static void write_terms(study *s)
{
    const wri_machine *machine = s->lab->machine;
    for (size_t i = 0; i < s->failing.count; i++)
        for (unsigned j = 0; j < wri_arity(machine, &s->failing.calls[i]); j++) {
            wri_term *term = &s->pattern->calls[i].terms[j];
            if ((s->freed[i] >> j & 1) != 0)
                *term = (wri_term){ .sort = WRI_TERM_ANY };
            for (size_t k = 0; k < s->count; k++)
                if (s->classes[k].kind == wri_kind_of(machine, &s->failing.calls[i], j) &&
                    s->classes[k].value == s->failing.calls[i].arguments[j] &&
                    s->terms[k].sort != WRI_TERM_ANY)
                    *term = s->terms[k];
        }
}

static bool vary(study *s)
{
    part_values(s);
    part_handles(s);
    find_needed(s);
    for (size_t i = 0; i < s->count; i++)
        find_range(s, i);
    if (!wri_abstract(s->lab->machine, &s->failing, WRI_LEVEL_SHARED, s->pattern))
        return false;
    write_terms(s);
    return true;
}

bool wri_generalise(const wri_lab *lab, const wri_study_setup *setup, wri_sequence *smallest,
                    wri_pattern *pattern)
{
    study s = { .lab = lab, .pattern = pattern };
    bool  found = wri_abstract(lab->machine, smallest, setup->level, pattern) &&
                 wri_sequence_copy(&s.failing, smallest);
    if (found && setup->varying && setup->level == WRI_LEVEL_SHARED)
        found = vary(&s);
    if (found)
        wri_learn_order(lab, setup->ordering, &s.failing, pattern);
    if (found && setup->guards)
        wri_learn_guards(lab, &s.failing, setup->level, pattern);
    found = found && wri_sequence_copy(smallest, &s.failing);
    wri_sequence_free(&s.failing);
    wri_sequence_free(&s.apart);
    wri_sequence_free(&s.draft);
    return found;
}
