/* hunt/examples.c: runs the explicit cases of a property (WR_EXAMPLE) before all others.
 *
 * The user has written down such a case and wants to see that one: a failure is reported as it
 * is, neither shrunk nor stored.
 */
#include <string.h>

#include "hunt/hunt.h"
#include "hunt/internal.h"
#include "report/block.h"

static bool is_token(const wr_example_ *example)
{
    return example->count == 1 && strchr(example->texts[0], '=') == NULL;
}

/* True: the example cannot be run, and the property is in error. */
static bool refuse(wri_quest *quest, const wr_example_ *example, const char *why)
{
    char line[512];
    snprintf(line, sizeof line, "%s%s%s:%d: WR_EXAMPLE(%s): %.300s",
             quest->why == NULL ? "" : quest->why, quest->why == NULL ? "" : "\n",
             wri_block_file(example->file), example->line, example->property, why);
    wri_quest_refuse(quest, line);
    return true;
}

/* Runs the case of a token. False: it does not fit, and the property is in error. */
static bool run_token(wri_quest *quest, const wr_example_ *example, wri_outcome *outcome)
{
    wri_saved saved;
    wri_note  note;
    wri_job   job = wri_quest_job(quest);
    bool      begins = strncmp(example->texts[0], "w1", 2) == 0;
    if (!wri_token_read(example->texts[0], &saved, &note))
        return !refuse(quest, example, begins ? note.text : "expected NAME = VALUE, or a token");
    job.manner = WRI_MANNER_EXACT;
    job.loud = true;
    bool own = saved.property == wri_trace_label_hash(quest->property->name);
    if (own)
        wri_quest_single(quest, &job, &saved.choices, true, outcome);
    bool fits = own && outcome->verdict.kind != WRI_STALE && outcome->exact_done &&
                wri_trace_shape(&outcome->trace) == saved.shape;
    wri_saved_free(&saved);
    return fits || !refuse(quest, example,
                           own ? "the token is stale: it does not fit the property any more"
                               : "the token is of another property");
}

static void run_values(wri_quest *quest, const wr_example_ *example, wri_outcome *outcome)
{
    wri_job job = wri_quest_job(quest);
    job.manner = WRI_MANNER_EXAMPLE;
    job.example = example;
    job.loud = true;
    wri_quest_single(quest, &job, NULL, true, outcome);
}

/* A mistake in the example itself is no case: the token of what was drawn does not show it. */
static void forget_token(wri_quest *quest, wri_bug *bug)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_EXACT;
    wri_quest_single(quest, &job, &bug->trace, true, &outcome);
    if (outcome.verdict.kind == WRI_MISUSE)
        return;
    wri_bug_own(&bug->failure.token, NULL);
    wri_bug_own(&bug->failure.replay, NULL);
}

static bool is_misused(wri_quest *quest, const wr_example_ *example, const wri_outcome *outcome)
{
    size_t before = quest->bug_count;
    if (!wri_quest_misused(quest, outcome))
        return false;
    if (quest->bug_count > before && !is_token(example))
        forget_token(quest, &quest->bugs[before]);
    return true;
}

/* Does a draw of the case have the name of this "name = value"? */
static bool is_drawn(const wri_failure *failure, const char *text)
{
    size_t length = strcspn(text, "=");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < failure->value_count; i++)
        if (strlen(failure->values[i].name) == length &&
            memcmp(failure->values[i].name, text, length) == 0)
            return true;
    return false;
}

/* Only a case that ran to its end can be told that no draw has a name. This one ended before: the
 * draw may have come later, or the name is misspelt, and the case is another than was meant. */
static void warn_of_names(wri_quest *quest, const wr_example_ *example,
                          const wri_failure *failure)
{
    for (size_t i = 0; i < example->count && !failure->values_lost && !is_token(example); i++)
        if (!is_drawn(failure, example->texts[i]))
            wri_quest_warn(quest,
                           "the example at %s:%d says \"%s\", and no draw before the failure has "
                           "this name",
                           wri_block_file(example->file), example->line, example->texts[i]);
}

/* True: the property ends with this example. */
static bool try_example(wri_quest *quest, const wr_example_ *example)
{
    wri_outcome outcome;
    if (!is_token(example))
        run_values(quest, example, &outcome);
    else if (!run_token(quest, example, &outcome))
        return true;
    if (is_misused(quest, example, &outcome) || wri_quest_ends(quest, &outcome.verdict))
        return true;
    if (outcome.verdict.kind == WRI_DISCARD || outcome.verdict.kind == WRI_OVERRUN)
        wri_quest_warn(quest, "the example at %s:%d %s", wri_block_file(example->file),
                       example->line,
                       outcome.verdict.kind == WRI_DISCARD ? "is discarded by a precondition"
                                                           : "is too large");
    if (!wri_verdict_failed(&outcome.verdict))
        return false;
    size_t before = quest->bug_count;
    wri_quest_settle_example(quest, &outcome, example);
    if (quest->bug_count > before)
        warn_of_names(quest, example, &quest->bugs[before].failure);
    return !quest->many;
}

/* All faulty ones are told, and the first that fails. */
bool wri_examples_try(wri_quest *quest)
{
    bool ends = false;
    for (const wr_example_ *at = wri_registry_examples(); at != NULL; at = at->next)
        if (strcmp(at->property, quest->property->name) == 0 && !wri_interrupt_came()) {
            ends |= try_example(quest, at);
            if (ends && quest->status != WRI_STATUS_ERROR)
                return true;
        }
    return ends;
}
