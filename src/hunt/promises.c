/* hunt/promises.c: checks whether the cases showed everything that was promised.
 *
 * A wr_cover() is a promise of one property, and that property's cases are counted. A
 * wr_sometimes(), or a place that should be reached, is a promise of the program: one property
 * that keeps it is enough. Neither is checked if the run stopped early.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hunt/internal.h"

/* too few cases show "zero": 3.1% of 1000, wanted 50% (sort.c:42) */
static char *describe(const wri_cover *cover, uint64_t cases)
{
    char *line = NULL;
    int made = asprintf(&line, "too few cases show \"%s\": %.3g%% of %llu, wanted %.3g%% (%s:%d)",
                        cover->label, 100 * (double)cover->cases / (double)cases,
                        (unsigned long long)cases, cover->wanted, cover->file, cover->line);
    return made < 0 ? NULL : line;
}

/* Another line of the reason. */
static void add_reason(wri_quest *quest, const char *line)
{
    char *why = NULL;
    int   made = asprintf(&why, "%s%s%s", quest->why == NULL ? "" : quest->why,
                        quest->why == NULL ? "" : "\n", line);
    if (made < 0)
        return;
    free(quest->why);
    quest->why = why;
}

static void judge_cover(wri_quest *quest, const wri_cover *cover)
{
    char *line = describe(cover, quest->cases - quest->aside);
    if (line == NULL)
        return;
    if (quest->check_coverage && cover->missed) {
        quest->status = WRI_STATUS_FAILED;
        add_reason(quest, line);
    } else if (cover->below) {
        wri_quest_warn(quest, "%s%s", line, cover->missed ? "" : ", which may be chance");
    }
    free(line);
}

void wri_promises_check(wri_quest *quest)
{
    wri_result result = { .cases = quest->cases,
                          .aside = quest->aside,
                          .confidence = quest->settings->confidence };
    if (wri_status_bad(quest->status) || quest->status == WRI_STATUS_SKIPPED ||
        quest->bug_count > 0 || wri_interrupt_came())
        return;
    if (quest->explorer->needs & WRI_SKEWS)
        return;
    wri_tally_tell(&quest->tally, &result);
    for (size_t i = 0; i < result.cover_count; i++)
        if (result.covers[i].below)
            judge_cover(quest, &result.covers[i]);
    wri_tally_untell(&result);
}

bool wri_promises_open(const wri_quest *quest)
{
    wri_result result = { .cases = quest->cases,
                          .aside = quest->aside,
                          .confidence = quest->settings->confidence };
    bool       open = false;
    wri_tally_tell(&quest->tally, &result);
    for (size_t i = 0; i < result.cover_count; i++)
        open |= !result.covers[i].enough && !result.covers[i].missed;
    wri_tally_untell(&result);
    return open;
}

size_t wri_promises_tell(wri_tally *all, wri_reporter *reporter, bool whole, bool failing)
{
    wri_result     result = { 0 };
    wri_assertion *assertions;
    size_t         unmet = 0;
    wri_tally_add_sites(all);
    wri_tally_tell(all, &result);
    assertions = (wri_assertion *)(uintptr_t)result.assertions;
    for (size_t i = 0; i < result.assertion_count; i++) {
        assertions[i].unmet &= whole || assertions[i].reached > 0;
        unmet += assertions[i].unmet;
    }
    if (result.assertion_count > 0)
        WRI_TELL(reporter, assertions, assertions, result.assertion_count, failing && unmet > 0);
    wri_tally_untell(&result);
    return failing ? unmet : 0;
}
