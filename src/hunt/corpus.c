/* hunt/corpus.c: carries an explorer's finds over to the next run.
 *
 * Before the first case, the stored corpus goes to the explorer, to be run as it is. After the
 * last case, the fewest and smallest cases that together show everything are stored.
 */
#include <stdlib.h>

#include "explore/fewest.h"
#include "hunt/internal.h"
#include "store/corpus.h"

wri_recalled wri_corpus_recall(wri_quest *quest)
{
    wri_recalled recalled = { 0 };
    wri_corpus   corpus = { 0 };
    wri_note     note;
    if (quest->store == NULL)
        return recalled;
    if (!wri_corpus_read(quest->store, &quest->owner, &corpus, &note)) {
        quest->trouble.store_broken = true; /* the run goes on, and ends in status 99 */
        wri_quest_warn(quest, "%s", note.text);
    }
    recalled.count = corpus.count;
    for (size_t i = 0; i < corpus.count; i++)
        recalled.partly |= !quest->explorer->keeping->recall(quest->exploring, &corpus.cases[i]);
    wri_corpus_free(&corpus);
    return recalled;
}

/* ---- Remembering ---- */

static void let_go(wri_keepsake *kept)
{
    wri_trace_free(&kept->trace);
    free(kept->features);
}

static void write_corpus(wri_quest *quest, const wri_keepsake *kept, size_t count)
{
    wri_note   note;
    wri_corpus corpus = { .cases = calloc(count + 1, sizeof *corpus.cases),
                          .notes = calloc(count + 1, sizeof *corpus.notes) };
    bool       room = corpus.cases != NULL && corpus.notes != NULL;
    wri_note_refuse(&note, WRI_QUEST_NO_MEMORY);
    for (size_t i = 0; i < count && room; i++) {
        corpus.cases[corpus.count] = kept[i].trace;
        corpus.notes[corpus.count++] = (char *)(uintptr_t)kept[i].note;
    }
    if (!room || !wri_corpus_write(quest->store, &quest->owner, &corpus, &note))
        wri_quest_warn(quest, "the corpus could not be stored: %s", note.text);
    else {
        if (note.text[0] != '\0')
            wri_quest_warn(quest, "%s", note.text);
        wri_history_keep_cases(quest, kept, count);
    }
    free(corpus.cases);
    free(corpus.notes);
}

/* ---- Smaller ---- */

/* Each case is shrunk with so many executions at most, and all of them with so many, or a tenth
 * of those that were spent on finding them. */
#define MOST_FOR_ONE 100
#define MOST_FOR_ALL 2000

typedef struct shrinking {
    wri_quest      *quest;
    const uint32_t *needed; /* features that the case must go on to show, ascending */
    size_t          count;
    uint64_t        number; /* of the try */
    bool            stuck;  /* a try failed: that is more important */
} shrinking;

/* A run that is limited in time takes a tenth more at most. */
static bool time_is_over(const wri_quest *quest)
{
    return quest->time_ms != 0 &&
           (wri_clock_seconds() - quest->started) * 1000 >= (double)quest->time_ms * 1.1;
}

static bool try_smaller(void *context, const wri_trace *plan, wri_trial *trial)
{
    shrinking  *now = context;
    wri_quest  *quest = now->quest;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.explorer = quest->explorer; /* it looks on */
    job.from = ++now->number;
    wri_quest_try(quest, &job, plan, &outcome, trial);
    if (wri_verdict_failed(&outcome.verdict)) { /* a bug is a bug, whatever it was looked for */
        wri_quest_met(quest, &outcome);
        now->stuck = true;
    }
    trial->same =
        !wri_verdict_failed(&outcome.verdict) &&
        quest->explorer->keeping->shows(quest->exploring, now->number, now->needed, now->count);
    return !wri_interrupt_came() && !now->stuck && !time_is_over(quest);
}

/* Keeps of a case's features those that no other case shows: they are all that it is for. */
static void keep_own(wri_keepsake *kept, size_t count, size_t which)
{
    wri_keepsake *of = &kept[which];
    size_t        left = 0;
    for (size_t i = 0; i < of->count; i++) {
        bool elsewhere = false;
        for (size_t k = 0; k < count && !elsewhere; k++)
            elsewhere =
                k != which && wri_fewest_has(kept[k].features, kept[k].count, of->features[i]);
        if (!elsewhere)
            of->features[left++] = of->features[i];
    }
    of->count = left;
}

static void make_smaller(wri_quest *quest, wri_keepsake *kept, size_t count)
{
    uint64_t  spent = quest->executions;
    uint64_t  budget = spent / 10 < MOST_FOR_ALL ? spent / 10 : MOST_FOR_ALL;
    shrinking now = { .quest = quest, .number = UINT64_MAX / 2 };
    quest->explorer->send(quest->exploring, &(wri_order){ 0 },
                          wri_runner_block(quest->runner, 0));
    for (size_t i = 0; i < count && !wri_interrupt_came(); i++) {
        uint64_t used = quest->executions - spent;
        if (used >= budget || now.stuck || time_is_over(quest))
            return;
        if (kept[i].best)
            continue; /* what it is the best in is not known here */
        keep_own(kept, count, i);
        now.needed = kept[i].features;
        now.count = kept[i].count;
        wri_shrink_setup setup = { .run = try_smaller,
                                   .context = &now,
                                   .time_ms = 60000,
                                   .max_executions = budget - used < MOST_FOR_ONE
                                                         ? budget - used
                                                         : MOST_FOR_ONE };
        wri_shrink(&setup, &kept[i].trace);
    }
}

/* ---- All of it ---- */

/* Leaves only those that are needed; returns how many. */
static size_t choose(wri_keepsake *kept, size_t count)
{
    wri_shown *shown = calloc(count + 1, sizeof *shown);
    bool      *chosen = calloc(count + 1, sizeof *chosen);
    size_t     left = 0;
    for (size_t i = 0; i < count && shown != NULL; i++)
        shown[i] = (wri_shown){ .features = kept[i].features,
                                .count = kept[i].count,
                                .size = wri_trace_choices(&kept[i].trace) };
    if (shown != NULL && chosen != NULL)
        wri_fewest(shown, count, chosen);
    for (size_t i = 0; i < count; i++)
        if (chosen != NULL && chosen[i])
            kept[left++] = kept[i];
        else
            let_go(&kept[i]);
    free(shown);
    free(chosen);
    return left;
}

/* A run that did not run all of the corpus, or was no run at all, has nothing to store; nor has
 * one that saw nothing else, unless fewer cases show it, or files brought what it saw. */
static bool has_learnt(const wri_quest *quest, const wri_recalled *recalled, size_t count)
{
    wri_learnt learnt = quest->explorer->keeping->learnt(quest->exploring);
    if (learnt == WRI_LEARNT_LESS || recalled->partly || quest->status == WRI_STATUS_SKIPPED ||
        quest->status == WRI_STATUS_ERROR)
        return false;
    return learnt == WRI_LEARNT_MORE || (count > 0 && wri_seeds_given(quest)) ||
           (count > 0 && count < recalled->count && quest->bug_count == 0);
}

void wri_corpus_remember(wri_quest *quest, const wri_recalled *recalled)
{
    const wri_keeping *keeping = quest->explorer->keeping;
    wri_keepsake      *kept = quest->store == NULL ? NULL : malloc(keeping->most * sizeof *kept);
    if (kept != NULL) {
        size_t count = choose(kept, keeping->keep(quest->exploring, kept, keeping->most));
        if (has_learnt(quest, recalled, count)) {
            if (quest->bug_count == 0)
                make_smaller(quest, kept, count);
            for (size_t i = 0; i < count; i++)
                keeping->describe(quest->exploring, &kept[i]);
            write_corpus(quest, kept, count);
        }
        for (size_t i = 0; i < count; i++)
            let_go(&kept[i]);
    }
    free(kept);
    wri_quest_settle_met(quest, quest->executions);
}
