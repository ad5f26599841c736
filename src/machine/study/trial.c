/* machine/study/trial.c: runs a sequence in the lab, and finds values that it does not have: see
 * trial.h. */
#include "machine/study/trial.h"

/* So many values of a kind are looked at. */
#define VALUES_MOST 64

wri_tried wri_trial_try(const wri_lab *lab, const wri_sequence *sequence, size_t *at)
{
    *at = SIZE_MAX;
    return lab->veto(lab->context, sequence) ? WRI_TRIED_IMPOSSIBLE
                                             : lab->run(lab->context, sequence, at);
}

bool wri_trial_fails_at_end(const wri_lab *lab, const wri_sequence *sequence)
{
    size_t at;
    return wri_trial_try(lab, sequence, &at) == WRI_TRIED_SAME && at + 1 == sequence->count;
}

bool wri_trial_fresh_of(const wri_lab *lab, const wri_sequence *sequence, const wr_kind *kind,
                        int64_t *value)
{
    for (unsigned i = 0; i < VALUES_MOST; i++) {
        *value = (int64_t)i;
        if (kind->values > 0 ? i >= kind->values : !lab->some(lab->context, kind, i, value))
            return false;
        if (wri_sequence_uses(lab->machine, sequence, kind, *value) == 0)
            return true;
    }
    return false;
}

/* A value next to this one: then it is as large as it was beside all others. */
static bool is_next_fresh(const wri_lab *lab, const wri_sequence *sequence, const wr_kind *kind,
                          int64_t *value, int64_t from)
{
    for (*value = from + 1; *value >= from - 1; *value -= 2)
        if (*value >= 0 && (uint64_t)*value < kind->values &&
            wri_sequence_uses(lab->machine, sequence, kind, *value) == 0)
            return true;
    return false;
}

bool wri_trial_fresh_value(const wri_lab *lab, const wri_sequence *sequence, size_t call,
                           unsigned argument, int64_t *value)
{
    const wr_kind *kind = wri_made_kind(lab->machine, &sequence->calls[call], argument);
    if (kind->values > 0)
        return is_next_fresh(lab, sequence, kind, value,
                             sequence->calls[call].arguments[argument]) ||
               wri_trial_fresh_of(lab, sequence, kind, value);
    for (unsigned i = 0; i < VALUES_MOST; i++) {
        if (!lab->other(lab->context, sequence, call, argument, i, value))
            return false;
        if (wri_sequence_uses(lab->machine, sequence, kind, *value) == 0)
            return true;
    }
    return false;
}

static size_t class_of(const wri_class *classes, size_t count, const wr_kind *kind, int64_t value)
{
    size_t i = 0;
    while (i < count && (classes[i].kind != kind || classes[i].value != value))
        i++;
    return i;
}

size_t wri_trial_classes_of(const wri_machine *machine, const wri_sequence *sequence,
                            wri_class classes[WRI_CLASSES])
{
    size_t count = 0;
    for (size_t i = 0; i < sequence->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &sequence->calls[i]); j++) {
            const wr_kind *kind = wri_made_kind(machine, &sequence->calls[i], j);
            int64_t        value = sequence->calls[i].arguments[j];
            size_t         k = class_of(classes, count, kind, value);
            if (kind->handle || k == WRI_CLASSES)
                continue;
            if (k == count)
                classes[count++] = (wri_class){ kind, value, 0, i, j };
            classes[k].uses++;
        }
    for (unsigned i = 0; i < sequence->settings.count && count < WRI_CLASSES; i++)
        classes[count++] =
            (wri_class){ &wri_configuration_kinds[i], sequence->settings.list[i].value, 1,
                         WRI_SETTING_CALL, i };
    return count;
}

bool wri_trial_recast(const wri_machine *machine, const wri_sequence *from,
                      const wri_class *classes, const int64_t *values, size_t count,
                      wri_sequence *to)
{
    if (!wri_sequence_copy(to, from))
        return false;
    for (size_t i = 0; i < to->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &to->calls[i]); j++) {
            int64_t *value = &to->calls[i].arguments[j];
            size_t k = class_of(classes, count, wri_made_kind(machine, &to->calls[i], j), *value);
            if (k < count)
                *value = values[k];
        }
    for (size_t k = 0; k < count; k++)
        if (classes[k].call == WRI_SETTING_CALL)
            to->settings.list[classes[k].argument].value = values[k];
    return true;
}

uint64_t wri_trial_between(uint64_t low, uint64_t high)
{
    unsigned least = low == 0 ? 0 : 64 - (unsigned)__builtin_clzll(low);
    unsigned most = 63 - (unsigned)__builtin_clzll(high - 1);
    return least <= most ? UINT64_C(1) << (least + most) / 2 : low + (high - low) / 2;
}
