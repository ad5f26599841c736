/* core/verdict.c: names of verdicts, from the table. */
#include "core/verdict.h"

static const struct {
    const char *name;
    bool        placed;
} VERDICTS[] = {
#define WRI_VERDICT_ROW(name, text, placed) { text, placed },
    WRI_VERDICTS(WRI_VERDICT_ROW)
#undef WRI_VERDICT_ROW
};

const char *wri_verdict_name(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT ? VERDICTS[kind].name : "unknown";
}

bool wri_verdict_placed(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT && VERDICTS[kind].placed;
}
