/* machine/pattern/abstract.c: the pattern of a sequence as it is.
 *
 * Every call of the sequence becomes a call of the pattern, in the same order. The level says how
 * much of the arguments is kept. Nothing is tried here: generalising is for study/.
 */
#include "machine/pattern/pattern.h"

/* While variables are given out: what each stands for. A handle is the call that gave it,
 * whatever its kind. */
typedef struct naming {
    wri_pattern   *pattern;
    const wr_kind *kinds[WRI_PATTERN_VARIABLES]; /* of values; NULL: a handle */
    int64_t        values[WRI_PATTERN_VARIABLES];
} naming;

/* The variable of a value; WRI_NO_VARIABLE: there are too many. */
static uint8_t name_of(naming *names, const wr_kind *kind, int64_t value)
{
    unsigned *count = &names->pattern->variable_count;
    for (unsigned i = 0; i < *count; i++)
        if (names->kinds[i] == kind && names->values[i] == value)
            return (uint8_t)i;
    if (*count == WRI_PATTERN_VARIABLES)
        return WRI_NO_VARIABLE;
    names->kinds[*count] = kind;
    names->values[*count] = value;
    return (uint8_t)(*count)++;
}

static bool abstract_argument(naming *names, const wr_kind *kind, int64_t value, wri_level level,
                              wri_term *term)
{
    if (level > (kind->handle ? WRI_LEVEL_OBJECTS : WRI_LEVEL_SHARED))
        return true; /* it is anything */
    term->sort = WRI_TERM_VARIABLE;
    term->variable = name_of(names, kind->handle ? NULL : kind, value);
    return term->variable != WRI_NO_VARIABLE;
}

static bool abstract_call(naming *names, const wri_machine_command *command, const wri_made *made,
                          size_t place, wri_level level)
{
    wri_pattern_call *call = &names->pattern->calls[place];
    *call = (wri_pattern_call){ .command = command->like, .result = WRI_NO_VARIABLE };
    for (unsigned i = 0; i < command->arity; i++)
        if (!abstract_argument(names, command->table->takes[i], made->arguments[i], level,
                               &call->terms[i]))
            return false;
    if (!command->giving || level > WRI_LEVEL_OBJECTS)
        return true;
    call->result = name_of(names, NULL, (int64_t)place);
    return call->result != WRI_NO_VARIABLE;
}

bool wri_abstract_calls(const wri_machine *machine, const wri_sequence *sequence, wri_level level,
                        wri_pattern *pattern)
{
    naming names = { .pattern = pattern };
    if (sequence->count > WRI_PATTERN_CALLS)
        return false;
    *pattern = (wri_pattern){ .count = (unsigned)sequence->count };
    for (unsigned i = 0; i < pattern->count; i++) {
        const wri_made *made = &sequence->calls[i];
        pattern->before[i] = (UINT32_C(1) << i) - 1;
        if (!abstract_call(&names, &machine->commands[made->command], made, i, level))
            return false;
    }
    return true;
}
