/* machine/play/wary.c: random calls that avoid known bugs and sequences that were run.
 *
 * A call that would complete a known bug, or a sequence that was run before, is not made: another
 * one is drawn. If there is one such call, there are many. So a call is first drafted outside of
 * the log, and the reason why it was refused is remembered (refused.h). Some calls are refused
 * before they are ever drawn. A call that is a bug by itself is refused from the beginning. The
 * last call of a simple bug is refused as soon as the calls before it are made.
 *
 * This is strategy: it decides which calls are not drawn.
 */
#include <string.h>

#include "machine/play/choose.h"
#include "machine/calls/log.h"

/* ---- Calls that are not to be made ---- */

/* The last of so many cases. */
static bool is_bold(const wri_play *play)
{
    unsigned bold = play->t->stage->terms.bold;
    return bold != 0 && play->t->index % bold == bold - 1;
}

/* Was the sequence run before that ends with this call? Then another call is drawn; if that does
 * not help the sequence goes on, and has one call more. */
static bool repeats(wri_play *play)
{
    const wri_stage *stage = play->wary;
    if (play->signature == NULL || !wri_play_is_last(play) || play->rounds == play->most)
        return false;
    uint64_t hash = wri_signature_with(play->signature, play->machine, &play->now);
    if (!wri_ran_has(stage->terms.ran, hash) && !wri_ran_listed(&stage->mine, hash))
        return false;
    if (++play->repeats < WRI_TRIES)
        return true;
    play->repeats = 0;
    wri_play_set_rounds(play, play->rounds + 1);
    return false;
}

/* The number is not drawn again for the argument. */
static void refuse(wri_play *play, wri_refusal *why, int64_t number)
{
    if (!wri_machine_fits_mask(&play->machine->commands[why->command], why->argument))
        return;
    why->number = (uint8_t)number;
    wri_refused_add(play->refusals, why);
}

/* A call that completes a known bug for the sake of one argument, or of none, is not drawn again
 * with it, until another call makes a difference. */
static void note_why(wri_play *play)
{
    uint32_t    arguments;
    wri_refusal why;
    if (!WRI_USES(play->wary->terms.without, refusals) ||
        !wri_avoider_why(play->wary->avoider, &arguments, &why.until) ||
        (arguments & (arguments - 1)) != 0)
        return;
    why.command = play->now.command;
    why.argument = (uint8_t)(arguments == 0 ? WRI_ARGUMENTS : __builtin_ctz(arguments));
    if (arguments != 0)
        refuse(play, &why, play->call.values[why.argument]);
    else
        wri_refused_add(play->refusals, &why);
}

/* Sequences that may end with any call are short: there, most of what is foreseen would never
 * have been drawn. */
static bool is_foresighted(const wri_play *play)
{
    const wri_play_terms *terms = &play->wary->terms;
    return terms->law != WRI_CALLS_GEOMETRIC && WRI_USES(terms->without, foreseen);
}

/* Is such a call one that is not even to be drawn for the first time? */
static void note_foreseen(wri_play *play, const wri_foreseen *calls, int64_t number,
                          int64_t value)
{
    wri_avoider *avoider = play->wary->avoider;
    uint32_t     arguments;
    wri_refusal  why;
    if ((play->refusals->spent[calls->command][calls->argument] >> number & 1) != 0 ||
        !wri_avoider_is_sure(avoider, calls, value) ||
        !wri_avoider_why(avoider, &arguments, &why.until))
        return;
    why.command = calls->command;
    why.argument = calls->argument;
    refuse(play, &why, number);
}

static void look_ahead(wri_play *play)
{
    unsigned            count;
    const wri_foreseen *calls =
        wri_avoider_foresees(play->wary->avoider, play->now.command, &count);
    for (; count > 0; count--, calls++)
        note_foreseen(play, calls, play->call.values[calls->source],
                      play->now.arguments[calls->source]);
}

/* The draws of .start are part of the sequence. */
static void settle(wri_play *play)
{
    const wri_trace  *trace = play->t->trace;
    wri_configuration settings;
    if (play->wary == NULL)
        return;
    wri_configuration_read(trace, trace->node_count, &settings);
    if (play->refusals != NULL)
        wri_avoider_settle(play->wary->avoider, &settings);
    if (play->signature != NULL)
        play->signature->hash = wri_configuration_hash(&settings);
}

void wri_play_look_around(wri_play *play)
{
    unsigned count;
    settle(play);
    if (play->refusals == NULL || !is_foresighted(play))
        return;
    const wri_foreseen *calls = wri_avoider_foresees(play->wary->avoider, WRI_COMMANDS, &count);
    for (; count > 0; count--, calls++) {
        const wr_kind *kind =
            play->machine->commands[calls->command].table->takes[calls->argument];
        for (int64_t i = 0; i < (int64_t)kind->values && wri_refused_has_room(play->refusals);
             i++)
            note_foreseen(play, calls, i, wri_choose_abstracted(kind, i, i));
    }
}

/* A call drawn at random that is not to be made. */
static bool to_avoid(wri_play *play)
{
    const wri_stage *stage = play->wary;
    play->unwanted = play->refusals != NULL && wri_avoider_meets(stage->avoider, &play->now) >= 0;
    play->cornered |= play->unwanted;
    if (play->unwanted)
        note_why(play);
    return play->unwanted || repeats(play);
}

/* Can a sequence come that ends here? None is shorter than the one that all should be as long as.
 */
static bool worth_listing(const wri_play *play)
{
    const wri_play_terms *terms = &play->wary->terms;
    size_t                calls = play->made + 1;
    return wri_play_is_last(play) || (calls <= WRI_RAN_BEGINNINGS &&
                                      (terms->law != WRI_CALLS_FIXED || calls >= terms->calls));
}

/* A call that will be made. */
static void remember(wri_play *play)
{
    wri_stage *stage = play->wary;
    if (play->refusals != NULL) {
        wri_avoider_add(stage->avoider, &play->now);
        wri_refused_revive(play->refusals, &play->now);
        if (play->call.command->giving) /* a handle more that may be taken */
            play->refusals->exhausted = 0;
        if (is_foresighted(play))
            look_ahead(play);
    }
    if (play->signature == NULL)
        return;
    wri_signature_add(play->signature, play->machine, &play->now);
    play->listed = worth_listing(play) && wri_ran_list_add(&stage->mine, play->signature->hash);
}

/* The call may draw something else next time, so it does not count as run. */
void wri_play_note_drawn(wri_play *play, size_t from)
{
    const wri_trace *trace = play->t->trace;
    if (play->signature == NULL || trace->node_count == from)
        return;
    wri_signature_add_drawn(play->signature,
                            wri_log_drawn_choices(trace, from, trace->node_count));
    if (play->listed)
        wri_ran_list_drop_last(&play->wary->mine);
}

/* Sequences at random have rules, if any: only traced ones, for it takes a log to tell what a
 * call is. */
void wri_play_be_wary(wri_play *play)
{
    wri_stage *stage = play->t->stage;
    if (stage == NULL || !play->t->answerer->searches)
        return;
    play->planned = play->t->answerer != stage->random;
    stage->played->sequences++;
    if (play->t->trace == NULL || (stage->terms.known == NULL && stage->terms.ran == NULL))
        return;
    play->wary = stage;
    if (stage->terms.known != NULL && !is_bold(play)) {
        play->refusals = wri_memory_take(play->t, wri_refused_bytes(play->machine));
        wri_refused_begin(play->refusals, play->machine);
        wri_avoider_begin(stage->avoider, play->machine, stage->terms.known);
        wri_avoider_be(stage->avoider, stage->terms.short_search,
                       !WRI_USES(stage->terms.without, denials));
    }
    if (stage->terms.ran == NULL)
        return;
    play->signature = wri_memory_take(play->t, sizeof *play->signature);
    wri_signature_begin(play->signature, play->machine);
}

/* ---- Drafts ---- */

/* A call that is not in the log. One with an argument that a function draws is, and is taken
 * back. */
typedef struct draft {
    uint64_t legal;                  /* commands */
    bool     hopeless;               /* of this command no call is one to make */
    uint64_t numbers[WRI_ARGUMENTS]; /* the answers, */
    uint64_t masks[WRI_ARGUMENTS];   /* and what was legal */
} draft;

static void draft_command(wri_play *play, draft *now)
{
    wri_request request = { .legal = now->legal, .about = play };
    uint64_t    number = wri_choose_command(play->t, &request);
    play->call.command = &play->machine->commands[number];
    play->call.drawn = false;
    play->now = (wri_made){ .command = (uint8_t)number };
}

static uint64_t spent_of(const wri_play *play, unsigned argument)
{
    return play->refusals == NULL ? 0 : play->refusals->spent[play->now.command][argument];
}

/* Those of an argument that are not known to be none to take. */
static uint64_t unspent(wri_play *play, draft *now, unsigned argument, uint64_t all)
{
    uint64_t left = all & ~spent_of(play, argument);
    now->hopeless = left == 0 && all != 0;
    play->cornered |= left != all;
    return left;
}

static bool draft_handle(wri_play *play, draft *now, unsigned argument)
{
    const wri_holding *all = &play->holdings[play->call.command->kinds[argument]];
    wri_request        request = { .about = play };
    now->masks[argument] = wri_play_legal_handles(play, argument);
    request.legal = unspent(play, now, argument, now->masks[argument]);
    if (request.legal == 0)
        return false;
    play->asked = argument;
    now->numbers[argument] = wri_choose_handle(play->t, &request);
    play->now.arguments[argument] = all->givers[now->numbers[argument]];
    return true;
}

static bool draft_value(wri_play *play, draft *now, unsigned argument)
{
    const wr_kind *kind = play->call.command->table->takes[argument];
    uint64_t       number = wri_choose_value(play, kind);
    if (kind->values <= WRI_HANDLES && (spent_of(play, argument) >> number & 1) != 0) {
        uint64_t all =
            kind->values == WRI_HANDLES ? UINT64_MAX : wri_machine_bit(kind->values) - 1;
        uint64_t left = unspent(play, now, argument, all);
        if (left == 0)
            return false;
        number = wri_choose_some_of(play->t, left);
    }
    now->masks[argument] = 0;
    now->numbers[argument] = number;
    play->now.arguments[argument] = wri_choose_abstracted(kind, (int64_t)number, (int64_t)number);
    return true;
}

static bool draft_arguments(wri_play *play, draft *now)
{
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++) {
        if (!(command->table->takes[i]->handle ? draft_handle : draft_value)(play, now, i))
            return false;
        play->call.values[i] = (int64_t)now->numbers[i];
    }
    play->call.drawn = true;
    return wri_play_may_be_made(play);
}

static void log_command(wri_play *play, const draft *now)
{
    wri_request request = { .kind = WRI_COMMAND,
                            .max = play->machine->command_count - 1,
                            .legal = now->legal };
    play->logged = true;
    wri_case_span_begin(play->t, WRI_CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    wri_case_log_choice(play->t, &request, play->machine->label, play->now.command);
}

static void log_arguments(wri_play *play, const draft *now)
{
    const wri_machine         *machine = play->machine;
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind          *kind = command->table->takes[i];
        const wri_machine_kind *known =
            &(kind->handle ? machine->handles : machine->values)[command->kinds[i]];
        wri_request request = { .kind = kind->handle ? WRI_HANDLE : WRI_INDEX,
                                .max = kind->handle ? WRI_HANDLES - 1 : kind->values - 1,
                                .legal = now->masks[i] };
        wri_case_log_choice(play->t, &request, known->label, now->numbers[i]);
        wri_play_note_argument(play, i, wri_case_last_node(play->t), play->now.arguments[i]);
    }
}

/* No call of the command is one to make. If arguments depend on each other, that is only true of
 * the drawn ones. */
static void give_up(wri_play *play)
{
    play->hopeless = play->cornered = true;
    if (!play->call.command->exclusive)
        play->refusals->exhausted |= wri_machine_bit(play->now.command);
}

/* A call of a plan is in the log before it is known what it is. */
static bool draft_planned(wri_play *play, uint64_t legal)
{
    play->logged = true;
    wri_case_span_begin(play->t, WRI_CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    if (!wri_play_draw(play, legal) || to_avoid(play))
        return false;
    remember(play);
    return true;
}

bool wri_play_draft(wri_play *play, uint64_t legal)
{
    draft now;
    if (play->planned)
        return draft_planned(play, legal);
    now.legal = legal;
    now.hopeless = false;
    draft_command(play, &now);
    if (play->call.command->plain) {
        if (!draft_arguments(play, &now) || to_avoid(play)) {
            if (now.hopeless)
                give_up(play);
            return false;
        }
        log_command(play, &now);
        log_arguments(play, &now);
    } else {
        log_command(play, &now);
        if (!wri_play_draw_arguments(play) || !wri_play_may_be_made(play) || to_avoid(play))
            return false;
    }
    remember(play);
    return true;
}
