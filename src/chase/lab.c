/* chase/lab.c: runs sequences of calls in the judge, for machine/study.
 *
 * The book makes a plan for a sequence. The plan is run, and the log of the case is read: a call
 * that could not be made is not in it. How it ended is remembered, as long as the same calls end
 * in the same way; the first contradiction is noticed here.
 */
#include "chase/internal.h"
#include "machine/calls/log.h"

/* It was seen by what ends the case, or looks at what all of it has left behind. */
static bool is_at_the_end(const wri_outcome *outcome)
{
    return outcome->played.within == WRI_AFTER_ALL || outcome->verdict.kind == WRI_LEAK ||
           outcome->verdict.kind == WRI_DESCRIPTORS;
}

/* Or by an invariant, or a contract. */
bool wri_chase_is_after_call(const wri_outcome *outcome)
{
    return outcome->played.within != WRI_IN_CALL || is_at_the_end(outcome);
}

/* A failure that is noticed after a call may be noticed after any other call, so the command is
 * no part of its key. */
uint64_t wri_chase_key(const wri_chase *chase, const wri_outcome *outcome,
                       const wri_sequence *made)
{
    uint64_t command =
        made->count == 0 || wri_chase_is_after_call(outcome)
            ? WRI_COMMANDS
            : wri_machine_like(chase->machine, made->calls[made->count - 1].command);
    return wri_prng_mix(outcome->origin + command * WRI_GAMMA);
}

static void forget_results(wri_chase *chase)
{
    wri_results_free(chase->results);
    chase->results = NULL;
}

/* Results are remembered up to renaming of symmetric values. */
static bool has_symmetric_kind(const wri_machine *machine)
{
    for (unsigned i = 0; i < machine->value_count; i++)
        if (machine->values[i].table->symmetric)
            return true;
    return false;
}

void wri_chase_doubt(wri_chase *chase)
{
    if (chase->results == NULL)
        return;
    forget_results(chase);
    wri_quest_warn(chase->quest,
                   "it is not deterministic: the same calls came to different ends, "
                   "so nothing that was run is gone by any more%s",
                   has_symmetric_kind(chase->machine)
                       ? " (or the values of a .symmetric kind are not all alike)"
                       : "");
}

/* So many tries and calls an inquiry has for each second of --shrink-time. They are counted, not
 * timed, so that a run does not depend on the machine: most machines can do several times as
 * much. The clock ends only the inquiries of slow code. */
#define TRIES_A_SECOND 10000
#define CALLS_A_SECOND 1000000
/* To look up how calls ended costs such a part of making them. */
#define PART_OF_CALLS 16

void wri_chase_give_time(wri_chase *chase)
{
    uint64_t ms = chase->quest->shrink_time_ms;
    uint64_t most = UINT64_MAX / CALLS_A_SECOND;
    ms = ms < most ? ms : most;
    chase->inquiry.tries = ms * TRIES_A_SECOND / 1000 + 1;
    chase->inquiry.calls = ms * CALLS_A_SECOND / 1000 + 1;
    chase->inquiry.until = wri_clock_seconds() + (double)chase->quest->shrink_time_ms / 1000;
    chase->inquiry.late = chase->inquiry.out_of_time = false;
}

bool wri_chase_is_out_of_time(wri_chase *chase)
{
    wri_inquiry *inquiry = &chase->inquiry;
    inquiry->late |= wri_interrupt_came() || wri_clock_seconds() > inquiry->until;
    return inquiry->late || inquiry->tries == 0 || inquiry->calls == 0;
}

/* The last try may be longer than what is left. */
void wri_chase_spend(wri_chase *chase, size_t calls)
{
    wri_inquiry *inquiry = &chase->inquiry;
    inquiry->tries -= inquiry->tries > 0;
    inquiry->calls -= inquiry->calls < calls ? inquiry->calls : calls;
}

void wri_chase_run(wri_chase *chase, const wri_trace *plan, bool fresh, bool loud,
                   wri_outcome *outcome)
{
    wri_quest *quest = chase->quest;
    wri_job    job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.play = wri_chase_terms(chase, 0);
    job.loud = loud;
    job.silent = !loud;
    wri_quest_single(quest, &job, plan, fresh || quest->fork_each, outcome);
    quest->live.executions++;
    wri_quest_progress(quest);
}

/* If a case fails at its end, the good end of a longer case says nothing about its beginnings:
 * one of them could fail at its own end. So remembered results go. */
void wri_chase_remember(wri_chase *chase, const wri_sequence *made, const wri_outcome *outcome,
                        uint64_t key)
{
    bool   failed = wri_verdict_failed(&outcome->verdict);
    size_t at = made->count == 0 ? 0 : made->count - 1;
    if (chase->results != NULL && failed && is_at_the_end(outcome))
        forget_results(chase);
    if (chase->results != NULL && !wri_results_add(chase->results, made, failed, key, at))
        wri_chase_doubt(chase);
}

static wri_tried compare(const wri_chase *chase, bool failed, uint64_t key)
{
    return !failed                     ? WRI_TRIED_PASSED
           : key == chase->inquiry.key ? WRI_TRIED_SAME
                                       : WRI_TRIED_OTHER;
}

/* The result of running a sequence. */
static wri_tried judged(wri_chase *chase, const wri_sequence *wanted, const wri_outcome *outcome,
                        size_t *at)
{
    const wri_sequence *made = &chase->inquiry.made;
    bool                failed = wri_verdict_failed(&outcome->verdict);
    *at = SIZE_MAX;
    if (outcome->abandoned) {
        chase->inquiry.out_of_time = true;
        return WRI_TRIED_STOP;
    }
    if ((!failed && outcome->verdict.kind != WRI_PASS) ||
        !wri_sequence_read(chase->machine, &outcome->trace, &chase->inquiry.made))
        return WRI_TRIED_IMPOSSIBLE;
    uint64_t key = failed ? wri_chase_key(chase, outcome, made) : 0;
    if (!chase->inquiry.aside)
        wri_ran_add_sequence(wri_runner_ran(chase->quest->runner), chase->machine, made);
    wri_chase_remember(chase, made, outcome, key);
    bool settled = wri_configuration_same(&wanted->settings, &made->settings);
    *at = settled ? wri_sequence_common(wanted, made) : SIZE_MAX;
    if (failed && key != chase->inquiry.key)
        wri_chase_meet(chase, outcome, key);
    if (!settled || *at < made->count || (!failed && *at < wanted->count) || made->count == 0)
        return WRI_TRIED_IMPOSSIBLE;
    *at = made->count - 1;
    return compare(chase, failed, key);
}

static wri_tried try_calls(void *context, const wri_sequence *sequence, size_t *at)
{
    wri_chase  *chase = context;
    wri_outcome outcome;
    bool        failed;
    uint64_t    key;
    *at = SIZE_MAX;
    if (wri_chase_is_out_of_time(chase)) {
        chase->inquiry.out_of_time = true;
        return WRI_TRIED_STOP;
    }
    wri_chase_spend(chase, sequence->count / PART_OF_CALLS);
    if (chase->results != NULL && wri_results_find(chase->results, sequence, &failed, &key, at))
        return compare(chase, failed, key);
    if (!wri_book_plan(chase->book, sequence, 0, &chase->inquiry.plan))
        return WRI_TRIED_IMPOSSIBLE;
    wri_chase_run(chase, &chase->inquiry.plan, false, false, &outcome);
    uint64_t made = outcome.played.calls;
    chase->inquiry.calls -= chase->inquiry.calls < made ? chase->inquiry.calls : made;
    return judged(chase, sequence, &outcome, at);
}

/* Bugs whose own guards are not known forbid too much to learn others' by. So does a rule that
 * was wrong in this very case. */
static bool veto(void *context, const wri_sequence *sequence)
{
    wri_chase *chase = context;
    if (chase->inquiry.contradicts_rule && !chase->inquiry.learns_guards)
        return false;
    return wri_chase_knows(&chase->rules, sequence, chase->inquiry.learns_guards);
}

/* Runs choices that the book has made up, in the place of an argument, and says which value they
 * give. False: they give none. */
static bool find_out(wri_chase *chase, const wri_sequence *sequence, size_t call,
                     unsigned argument, int64_t *value)
{
    wri_made     guessed = sequence->calls[call];
    wri_sequence draft = { 0 };
    size_t       at;
    guessed.arguments[argument] = *value;
    if (!wri_book_guessed(chase->book, &guessed, argument))
        return true;
    wri_tried tried = WRI_TRIED_STOP;
    bool      came = false;
    if (wri_sequence_copy(&draft, sequence)) {
        draft.calls[call] = guessed;
        chase->inquiry.made.count = 0;
        if (!veto(chase, &draft))
            tried = try_calls(chase, &draft, &at);
        came = chase->inquiry.made.count > call &&
               wri_sequence_common(&draft, &chase->inquiry.made) >= call &&
               chase->inquiry.made.calls[call].command == guessed.command;
    }
    if (came)
        *value = chase->inquiry.made.calls[call].arguments[argument];
    if (tried != WRI_TRIED_STOP) /* else nothing was run */
        wri_book_learn(chase->book, &guessed, argument, came, *value);
    wri_sequence_free(&draft);
    return came;
}

/* So many that were made up are looked at for one that comes to something else. */
#define GUESSES 4

static bool other_value(void *context, const wri_sequence *sequence, size_t call,
                        unsigned argument, unsigned number, int64_t *value)
{
    wri_chase *chase = context;
    for (unsigned i = 0; i < GUESSES; i++) {
        if (!wri_book_other(chase->book, sequence, call, argument, number + i, value))
            return false;
        if (find_out(chase, sequence, call, argument, value) &&
            *value != sequence->calls[call].arguments[argument])
            return true;
    }
    return false;
}

static bool value_range(void *context, const wri_sequence *sequence, size_t call,
                        unsigned argument, int64_t *least, int64_t *most)
{
    wri_chase *chase = context;
    return wri_book_range(chase->book, sequence, call, argument, least, most);
}

static bool redraw(void *context, const wri_made *call, unsigned number, int64_t *drawn)
{
    wri_chase *chase = context;
    return wri_book_redraw(chase->book, call, number, drawn);
}

static bool some_value(void *context, const wr_kind *kind, unsigned number, int64_t *value)
{
    wri_chase *chase = context;
    return wri_book_some(chase->book, kind, number, value);
}

const wri_lab *wri_chase_lab(wri_chase *chase)
{
    chase->lab = (wri_lab){ .machine = chase->machine,
                            .run = try_calls,
                            .other = other_value,
                            .range = value_range,
                            .redraw = redraw,
                            .veto = veto,
                            .some = some_value,
                            .afterwards = chase->inquiry.after_call,
                            .without = chase->quest->settings->without,
                            .context = chase };
    return &chase->lab;
}

bool wri_chase_reduce(wri_chase *chase, wri_sequence *failing)
{
    return wri_reduce_calls(wri_chase_lab(chase), &chase->setup, failing);
}
