/* core/verdict.c: names of verdicts, from the table; and violations, which wait for the end of
 * their case. */
#include "core/verdict.h"

static const struct {
    const char *name;
    bool        placed;
} VERDICTS[] = {
#define WRI_VERDICT_ROW(name, text, placed) { text, placed },
    WRI_VERDICTS(WRI_VERDICT_ROW)
#undef WRI_VERDICT_ROW
};

bool wri_violation_begin(wri_violation *violation)
{
    uint32_t none = WRI_VIOLATION_NONE;
    return atomic_compare_exchange_strong(&violation->state, &none, WRI_VIOLATION_WRITING);
}

bool wri_violation_take(wri_violation *violation, wri_verdict *verdict)
{
    if (atomic_load(&violation->state) != WRI_VIOLATION_DONE)
        return false;
    *verdict = violation->verdict;
    verdict->kind = verdict->kind == WRI_MISUSE ? WRI_MISUSE : WRI_ASSERTION;
    verdict->failure_class = 0;
    verdict->file[sizeof verdict->file - 1] = '\0';
    verdict->message[sizeof verdict->message - 1] = '\0';
    atomic_store(&violation->state, WRI_VIOLATION_NONE);
    return true;
}

const char *wri_verdict_name(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT ? VERDICTS[kind].name : "unknown";
}

bool wri_verdict_placed(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT && VERDICTS[kind].placed;
}
