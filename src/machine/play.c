/* machine/play.c: a case of a machine: how many calls, and then one call after the other.
 *
 * In the log a sequence is a loop of elements tied to its length, and a call is an element: the
 * command, among those that can be called now, and its arguments. A handle is the number of the
 * call that gave it. So whoever edits a log can take calls out like any other elements. A call
 * that then cannot be made (its command may not be called now, a handle is gone) is taken back
 * and is not in the log of the case that was run: the length is one less.
 *
 * A random call that would complete a known bug, or a sequence that was run before, is taken back
 * too, and another one is drawn.
 */
#include "machine/play.h"

#include <string.h>

#include "core/walk.h"
#include "gen/draw.h"
#include "machine/log.h"

/* Arguments are drawn so often at random for a .when that says no to them, or where the call would be
 * one to avoid. */
#define TRIES 8

static inline uint64_t bit(uint64_t number)
{
    return UINT64_C(1) << number;
}

/* ---- What can be called ---- */

/* A .when that looks at an argument before there are any has not said no. */
static bool may_be_called(wri_play *play, const wri_machine_command *command)
{
    play->call.command = command;
    play->call.drawn = command->arity == 0;
    if (_setjmp(play->looked) != 0)
        return true;
    return command->table->when(&play->call);
}

/* Where a handle dies, another argument cannot be the same. */
static bool enough_handles(const wri_play *play, const wri_machine_command *command)
{
    for (unsigned i = 0; i < command->arity; i++) {
        unsigned same = 0;
        if (!command->table->takes[i]->handle)
            continue;
        for (unsigned j = 0; j < command->arity; j++)
            same += command->table->takes[j] == command->table->takes[i];
        if ((unsigned)__builtin_popcountll(play->holdings[command->kinds[i]].live) < same)
            return false;
    }
    return true;
}

static bool callable(wri_play *play, const wri_machine_command *command)
{
    if ((command->needs & ~play->available) != 0)
        return false;
    if (command->giving && play->holdings[command->gives].live == UINT64_MAX)
        return false;
    if (command->exclusive && !enough_handles(play, command))
        return false;
    return command->table->when == NULL || may_be_called(play, command);
}

static uint64_t callable_now(wri_play *play)
{
    uint64_t legal = 0;
    for (unsigned i = 0; i < play->machine->command_count; i++)
        legal |= (uint64_t)callable(play, &play->machine->commands[i]) << i;
    return legal;
}

/* ---- Choosing a command ---- */

static uint32_t macro_weight(const wri_macro *macro)
{
    return macro->table->weight == 0 ? 1 : macro->table->weight;
}

/* Begins with a macro: its first command, if that can be called. */
static bool begin_macro(wri_play *play, const wri_macro *macro, uint64_t legal, uint64_t *command)
{
    if ((legal >> macro->steps[0] & 1) == 0)
        return false;
    play->macro = macro;
    play->step = 0;
    play->macro_at = play->made;
    *command = macro->steps[0];
    return true;
}

/* The macro that a sequence begins with, or one by its weight among all that can be called. */
static bool choose_macro(wri_play *play, uint64_t legal, uint64_t *command)
{
    const wri_machine *machine = play->machine;
    uint64_t           all = machine->weight;
    for (unsigned i = 0; i < machine->macro_count; i++) {
        if (machine->macros[i].table->first && play->made == 0)
            return begin_macro(play, &machine->macros[i], legal, command);
        all += macro_weight(&machine->macros[i]);
    }
    uint64_t wanted = wri_scale(wri_next(&play->t->random), all - 1);
    for (unsigned i = 0; i < machine->macro_count; i++) {
        uint32_t weight = macro_weight(&machine->macros[i]);
        if (wanted < weight)
            return begin_macro(play, &machine->macros[i], legal, command);
        wanted -= weight;
    }
    return false;
}

static uint64_t choose_by_weight(wri_play *play, uint64_t legal)
{
    const uint32_t *weights = play->machine->weights;
    uint64_t        sum = 0;
    for (uint64_t left = legal; left != 0; left &= left - 1)
        sum += weights[__builtin_ctzll(left)];
    uint64_t wanted = wri_scale(wri_next(&play->t->random), sum - 1);
    for (;; legal &= legal - 1) {
        uint32_t weight = weights[__builtin_ctzll(legal)];
        if (wanted < weight)
            return (uint64_t)__builtin_ctzll(legal);
        wanted -= weight;
    }
}

/* A command at random: the next of the macro that is being called, or any. */
static uint64_t fresh_command(wr_case *t, const wri_request *request)
{
    wri_play *play = request->about;
    uint64_t  command;
    (void)t;
    play->fresh = true;
    if (play->macro != NULL && (request->legal >> play->macro->steps[play->step] & 1) != 0)
        return play->macro->steps[play->step];
    play->macro = NULL;
    if (play->machine->macro_count > 0 && choose_macro(play, request->legal, &command))
        return command;
    return choose_by_weight(play, request->legal);
}

/* One choice of a sequence, at random on the fast path. */
static uint64_t choose(wr_case *t, const wri_request *request)
{
    if (WRI_UNLIKELY(wri_slow(t)))
        return wri_choose(t, request);
    return wri_record_choice(t, request->fresh(t, request), request->max);
}

static bool draw_command(wri_play *play, uint64_t legal)
{
    wri_request request = { .kind = WRI_COMMAND,
                            .max = play->machine->command_count - 1,
                            .legal = legal,
                            .name = WRI_COMMAND_NAME,
                            .fresh = fresh_command,
                            .about = play };
    uint64_t    number = choose(play->t, &request);
    if (number == WRI_NO_ANSWER)
        return false;
    play->call.command = &play->machine->commands[number];
    play->now = (wri_made){ .command = (uint8_t)number };
    return true;
}

/* ---- Drawing arguments ---- */

/* What an argument is for whoever compares calls: kept with the call, and in the log. */
static void note_argument(wri_play *play, unsigned argument, uint32_t node, int64_t value)
{
    play->now.arguments[argument] = value;
    play->t->trace->nodes[node].count = (uint64_t)value;
}

static int64_t abstracted(const wr_kind *kind, int64_t value, int64_t otherwise)
{
    return kind->abstract == NULL ? otherwise : kind->abstract(value);
}

/* One of them at random. */
static uint64_t some_of(wr_case *t, uint64_t left)
{
    uint64_t skip = wri_scale(wri_next(&t->random), (uint64_t)__builtin_popcountll(left) - 1);
    while (skip-- > 0)
        left &= left - 1;
    return (uint64_t)__builtin_ctzll(left);
}

/* One that a macro gave to itself, or any. */
static uint64_t fresh_handle(wr_case *t, const wri_request *request)
{
    const wri_play    *play = request->about;
    unsigned           kind = play->call.command->kinds[play->asked];
    const wri_holding *all = &play->holdings[kind];
    uint64_t           left = request->legal;
    if (play->macro != NULL && all->count > 0 && all->last_at >= play->macro_at &&
        (left >> all->last & 1) != 0)
        return all->last;
    return some_of(t, left);
}

/* Those alive; what dies in this call is not named twice. */
static uint64_t legal_handles(const wri_play *play, unsigned argument)
{
    const wri_machine_command *command = play->call.command;
    uint32_t                   consumes = command->table->consumes;
    uint64_t                   legal = play->holdings[command->kinds[argument]].live;
    for (unsigned i = 0; command->exclusive && i < argument; i++)
        if (command->table->takes[i] == command->table->takes[argument] &&
            ((consumes >> i | consumes >> argument) & 1) != 0)
            legal &= ~bit((uint64_t)play->call.values[i]);
    return legal;
}

static bool draw_handle(wri_play *play, unsigned argument)
{
    wri_request request = { .kind = WRI_HANDLE,
                            .max = WRI_HANDLES - 1,
                            .legal = legal_handles(play, argument),
                            .name = play->call.command->table->takes[argument]->name,
                            .fresh = fresh_handle,
                            .about = play };
    play->asked = argument;
    uint64_t number = request.legal == 0 ? WRI_NO_ANSWER : choose(play->t, &request);
    if (number == WRI_NO_ANSWER)
        return false;
    play->call.values[argument] = (int64_t)number;
    if (play->t->trace != NULL)
        note_argument(play, argument, wri_last_node(play->t),
                      play->holdings[play->call.command->kinds[argument]].givers[number]);
    return true;
}

/* Of values that are interchangeable all cases need only those that were used, and one more. */
static int64_t walk_through_few(wri_play *play, const wr_kind *kind, unsigned number)
{
    wr_case       *t = play->t;
    wri_value_use *use = &play->uses[number];
    uint64_t       all = kind->values == WRI_HANDLES ? UINT64_MAX : bit(kind->values) - 1;
    wri_request    request = { .kind = WRI_INDEX,
                               .max = kind->values - 1,
                               .legal = (use->used << 1 | 1) & all,
                               .name = kind->name };
    uint64_t       value = wri_choose(t, &request);
    use->used |= bit(value);
    return (int64_t)value;
}

static int64_t draw_of_few(wri_play *play, const wr_kind *kind, unsigned argument)
{
    wr_case *t = play->t;
    if (t->walk != NULL && kind->symmetric && kind->values <= WRI_HANDLES)
        return walk_through_few(play, kind, play->call.command->kinds[argument]);
    int64_t value = (int64_t)wri_draw_index(t, kind->name, kind->values - 1);
    if (t->trace != NULL)
        note_argument(play, argument, wri_last_node(t), abstracted(kind, value, value));
    return value;
}

/* What a user's function draws is not shown by itself: the call is. */
static int64_t draw_by_function(wri_play *play, const wr_kind *kind, unsigned argument)
{
    wr_case *t = play->t;
    t->text = NULL;
    wri_span_begin(t, play->machine->values[play->call.command->kinds[argument]].label, WRI_SPAN,
                   0, WRI_NO_NODE);
    uint32_t span = t->span;
    int64_t  value = kind->draw(t);
    wri_span_end(t);
    t->text = play->text;
    if (t->trace != NULL)
        note_argument(play, argument, span,
                      abstracted(kind, value, wri_drawn(t->trace, span + 1u,
                                                        t->trace->node_count)));
    return value;
}

static bool draw_arguments(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind *kind = command->table->takes[i];
        if (kind->handle) {
            if (!draw_handle(play, i))
                return false;
        } else if (kind->draw == NULL) {
            play->call.values[i] = draw_of_few(play, kind, i);
        } else {
            play->call.values[i] = draw_by_function(play, kind, i);
        }
    }
    play->call.drawn = true;
    return true;
}

static bool may_be_made(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    return command->arity == 0 || command->table->when == NULL ||
           command->table->when(&play->call);
}

static bool draw_call(wri_play *play, uint64_t legal)
{
    play->call.drawn = false;
    return draw_command(play, legal) && draw_arguments(play) && may_be_made(play);
}

/* ---- Making the call ---- */

/* The number was another handle's before: what was known of that one is not true of this one. */
static void forget_spent(wri_play *play, unsigned kind, unsigned number)
{
    const wri_machine *machine = play->machine;
    for (unsigned i = 0; i < machine->command_count; i++)
        for (unsigned k = 0; k < machine->commands[i].arity; k++)
            if (wri_takes_handle(machine, i, k) && machine->commands[i].kinds[k] == kind) {
                play->spent[i][k] &= ~bit(number);
                play->barred[i][k] &= ~bit(number);
            }
}

/* The number that the call's result will have: the next, or that of one that is dead. */
static void prepare_result(wri_play *play)
{
    wri_holding *all = &play->holdings[play->call.command->gives];
    uint32_t     number = all->count;
    if (number >= WRI_HANDLES) {
        for (number = all->last; (all->live >> number & 1) != 0;)
            number = (number + 1) % WRI_HANDLES;
        if (play->spent != NULL)
            forget_spent(play, play->call.command->gives, number);
    }
    play->call.giving = (uint8_t)number;
    all->last = number;
    all->last_at = play->made;
    all->count += all->count < WRI_HANDLES;
    all->variables[number] = play->variables + 1;
    all->givers[number] = (uint32_t)play->made;
    if (play->t->trace != NULL)
        play->t->trace->nodes[play->t->span].number =
            play->machine->handles[play->call.command->gives].label;
}

static void look_closely(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    if (table->copy == NULL) {
        memcpy(play->before, play->model, table->model_size);
        return;
    }
    memset(play->before, 0, table->model_size);
    table->copy(play->before, play->model);
}

static void check_unchanged(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    bool same = table->equal == NULL ? memcmp(play->before, play->model, table->model_size) == 0
                                     : table->equal(play->before, play->model);
    if (table->free != NULL)
        table->free(play->before);
    if (!same)
        wri_misuse(play->t, "machine %s: command \"%s\" is an observer and has changed the model",
                   play->machine->name, play->call.command->table->name);
}

static void consume(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (uint32_t left = command->table->consumes; left != 0; left &= left - 1) {
        unsigned     argument = (unsigned)__builtin_ctz(left);
        unsigned     kind = command->kinds[argument];
        wri_holding *all = &play->holdings[kind];
        all->live &= ~bit((uint64_t)play->call.values[argument]);
        if (all->live == 0)
            play->available &= ~bit(kind);
    }
}

/* The next step of the macro, if this was one. */
static void follow_macro(wri_play *play)
{
    unsigned number = (unsigned)(play->call.command - play->machine->commands);
    if (play->macro->steps[play->step] != number || ++play->step == play->macro->count)
        play->macro = NULL;
}

static void check_invariant(wri_play *play)
{
    if (play->machine->table->invariant != NULL)
        play->machine->table->invariant(play->t, play->model);
}

/* Before it is made: it may be the last that is heard of the process. */
static void count_call(wri_play *play)
{
    if (play->t->stage == NULL)
        return;
    play->t->stage->played->calls++;
    play->t->stage->played->within = 1;
}

static void make_call(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    bool watched = command->table->observer && play->machine->table->model_size > 0;
    if (command->giving)
        prepare_result(play);
    if (WRI_UNLIKELY(wri_showing(play->t)))
        wri_play_show(play);
    wri_play_observe(play);
    play->variables += command->giving;
    if (watched)
        look_closely(play);
    count_call(play);
    play->call.given = false;
    play->call.running = true;
    command->table->call(play->t, &play->call);
    play->call.running = false;
    if (play->t->stage != NULL)
        play->t->stage->played->within = 0;
    if (watched)
        check_unchanged(play);
    consume(play);
    if (play->machine->contracting)
        wri_play_contracts(play);
    check_invariant(play);
    if (play->macro != NULL)
        follow_macro(play);
    play->made++;
}

/* ---- Calls that are not to be made ---- */

/* The sequence has so many calls, and the log says so. */
static void set_rounds(wri_play *play, size_t rounds)
{
    wri_trace *trace = play->t->trace;
    play->rounds = rounds;
    play->length->number = rounds;
    if (trace != NULL)
        trace->nodes[play->length_node].number = trace->nodes[play->loop_node].count = rounds;
}

static bool is_last(const wri_play *play)
{
    return play->made + 1 == play->rounds;
}

/* Was the sequence run before that ends with this call? Then another call is drawn; if that does
 * not help the sequence goes on, and has one call more. */
static bool repeats(wri_play *play)
{
    const wri_stage *stage = play->wary;
    if (play->signature == NULL || !is_last(play) || play->rounds == play->most)
        return false;
    uint64_t hash = wri_signature_with(play->signature, play->machine, &play->now);
    if (!wri_ran_has(stage->terms.ran, hash) && !wri_ran_listed(&stage->mine, hash))
        return false;
    if (++play->repeats < TRIES)
        return true;
    play->repeats = 0;
    set_rounds(play, play->rounds + 1);
    return false;
}

/* A call that completes a known bug for the sake of one argument, or of none, need not be drawn again
 * with it, until another call makes a difference. */
static void note_why(wri_play *play)
{
    uint32_t arguments;
    uint64_t until;
    unsigned command = play->now.command;
    if (!wri_avoider_why(play->wary->avoider, &arguments, &until) ||
        __builtin_popcount(arguments) > 1)
        return;
    unsigned argument = arguments == 0 ? 0 : (unsigned)__builtin_ctz(arguments);
    uint64_t number = arguments == 0 ? 0 : (uint64_t)play->call.values[argument];
    if (arguments == 0)
        play->given_up |= bit(command);
    else if (play->call.command->table->takes[argument]->draw == NULL && number < WRI_HANDLES)
        (until == 0 ? play->barred : play->spent)[command][argument] |= bit(number);
    play->until[command] |= until;
    play->reviving |= until;
}

/* This command is called: what was to be avoided may be so no more. */
static void revive(wri_play *play, unsigned command)
{
    play->reviving = 0;
    for (unsigned i = 0; i < play->machine->command_count; i++) {
        if ((play->until[i] >> command & 1) != 0) {
            memset(play->spent[i], 0, sizeof play->spent[i]);
            play->given_up &= ~bit(i);
            play->until[i] = 0;
        }
        play->reviving |= play->until[i];
    }
}

/* A call drawn at random that is not to be made. */
static bool to_avoid(wri_play *play)
{
    const wri_stage *stage = play->wary;
    play->unwanted = stage->terms.known != NULL &&
                     wri_avoider_meets(stage->avoider, &play->now) >= 0;
    play->cornered |= play->unwanted;
    if (play->unwanted)
        note_why(play);
    return play->unwanted || repeats(play);
}

/* Can a sequence come that ends here? None is shorter than the one that all should be as long as. */
static bool worth_listing(const wri_play *play)
{
    const wri_play_terms *terms = &play->wary->terms;
    size_t                calls = play->made + 1;
    return is_last(play) ||
           (calls <= WRI_RAN_BEGINNINGS && (terms->law != WRI_CALLS_FIXED || calls >= terms->calls));
}

/* A call that will be made. */
static void remember(wri_play *play)
{
    wri_stage *stage = play->wary;
    if (stage->terms.known != NULL)
        wri_avoider_add(stage->avoider, &play->now);
    if ((play->reviving >> play->now.command & 1) != 0)
        revive(play, play->now.command);
    if (play->signature == NULL)
        return;
    wri_signature_add(play->signature, play->machine, &play->now);
    if (worth_listing(play))
        wri_ran_list_add(&stage->mine, play->signature->hash);
}

/* ---- The sequence ---- */

/* Is the command given up for this call? */
static bool given_up(wri_play *play, unsigned tries)
{
    const wri_machine_command *command = play->call.command;
    if (play->hopeless)
        return true;
    if (play->unwanted) /* without arguments it is always the same */
        return command->arity == 0 ||
               ++play->refused[command - play->machine->commands] >= TRIES;
    return tries % TRIES == 0;
}

/* Nothing can be called, or no call is one to make: the sequence ends here. */
static void end_early(wri_play *play)
{
    if (play->cornered)
        play->wary->played->cut++;
    set_rounds(play, play->made);
}

/* A call that was drawn and is not made. At random another one is drawn, a command to whose
 * arguments .when says no again and again is given up; else the sequence has a call less. */
static void take_back(wri_play *play, const wri_mark *mark, unsigned tries, uint64_t *legal)
{
    wr_case *t = play->t;
    if (t->walk != NULL)
        wr_discard_(t);
    if (play->logged)
        wri_case_rewind(t, mark);
    if (!play->fresh) {
        set_rounds(play, play->rounds - 1);
        *legal = 0;
    } else if (given_up(play, tries)) {
        play->macro = NULL;
        *legal &= ~bit((uint64_t)(play->call.command - play->machine->commands));
        if (*legal == 0)
            end_early(play);
    }
}

/* The call that comes after a plan, drawn at random: the answerer who drew those before, and is
 * to be told of the end of the call; NULL: it is none. */
static wri_answerer *begin_extra(wri_play *play, uint64_t *legal)
{
    wri_stage    *stage = play->t->stage;
    wri_answerer *planned = play->t->answerer;
    if (stage == NULL || stage->terms.extra == 0 || !is_last(play))
        return NULL;
    *legal &= bit(stage->terms.extra - 1u);
    play->t->answerer = stage->random;
    return planned;
}

/* Draws a call and makes it; false: it is not to be made. */
static bool try_call(wri_play *play, uint64_t *legal)
{
    wr_case      *t = play->t;
    wri_span_begin(t, WRI_CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    wri_answerer *planned = begin_extra(play, legal);
    bool          drawn = *legal != 0 && draw_call(play, *legal);
    if (drawn)
        make_call(play);
    t->answerer = planned == NULL ? t->answerer : planned;
    if (drawn)
        wri_span_end(t);
    return drawn;
}

/* ---- Drafts ---- */

/* Where calls are drawn that are not to be made, many are. So a call is first drawn without a word to
 * the log; an argument that a function draws is in it, and is taken back. */
typedef struct draft {
    uint64_t legal;                  /* commands */
    bool     hopeless;               /* of this command no call is one to make */
    uint64_t numbers[WRI_ARGUMENTS]; /* the answers, */
    uint64_t masks[WRI_ARGUMENTS];   /* and what was legal */
} draft;

static void draft_command(wri_play *play, draft *now)
{
    wri_request request = { .legal = now->legal, .about = play };
    uint64_t    number = fresh_command(play->t, &request);
    play->call.command = &play->machine->commands[number];
    play->call.drawn = false;
    play->now = (wri_made){ .command = (uint8_t)number };
}

static uint64_t spent_of(const wri_play *play, unsigned argument)
{
    return play->spent[play->now.command][argument] | play->barred[play->now.command][argument];
}

/* Those of an argument that are not known to be none to take. */
static uint64_t unspent(wri_play *play, draft *now, unsigned argument, uint64_t all)
{
    if (play->spent == NULL)
        return all;
    uint64_t left = all & ~spent_of(play, argument);
    now->hopeless = left == 0 && all != 0;
    return left;
}

static bool draft_handle(wri_play *play, draft *now, unsigned argument)
{
    const wri_holding *all = &play->holdings[play->call.command->kinds[argument]];
    wri_request        request = { .about = play };
    now->masks[argument] = legal_handles(play, argument);
    request.legal = unspent(play, now, argument, now->masks[argument]);
    if (request.legal == 0)
        return false;
    play->asked = argument;
    now->numbers[argument] = fresh_handle(play->t, &request);
    play->now.arguments[argument] = all->givers[now->numbers[argument]];
    return true;
}

static bool draft_value(wri_play *play, draft *now, unsigned argument)
{
    const wr_kind *kind = play->call.command->table->takes[argument];
    uint64_t       number = wri_scale(wri_next(&play->t->random), kind->values - 1);
    if (play->spent != NULL && spent_of(play, argument) != 0 && kind->values <= WRI_HANDLES) {
        uint64_t all = kind->values == WRI_HANDLES ? UINT64_MAX : bit(kind->values) - 1;
        uint64_t left = unspent(play, now, argument, all);
        if (left == 0)
            return false;
        number = some_of(play->t, left);
    }
    now->masks[argument] = 0;
    now->numbers[argument] = number;
    play->now.arguments[argument] = abstracted(kind, (int64_t)number, (int64_t)number);
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
    return may_be_made(play);
}

static void log_command(wri_play *play, const draft *now)
{
    wri_request request = { .kind = WRI_COMMAND,
                            .max = play->machine->command_count - 1,
                            .legal = now->legal };
    play->logged = true;
    wri_span_begin(play->t, WRI_CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    wri_log_choice(play->t, &request, play->machine->label, play->now.command);
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
        wri_log_choice(play->t, &request, known->label, now->numbers[i]);
        note_argument(play, i, wri_last_node(play->t), play->now.arguments[i]);
    }
}

/* As try_call(), of calls at random some of which are not to be made. */
static bool try_draft(wri_play *play, uint64_t legal)
{
    draft now = { .legal = legal };
    draft_command(play, &now);
    if (play->call.command->plain) {
        if (!draft_arguments(play, &now) || to_avoid(play)) {
            play->hopeless = now.hopeless;
            play->cornered |= now.hopeless;
            return false;
        }
        log_command(play, &now);
        log_arguments(play, &now);
    } else {
        log_command(play, &now);
        if (!draw_arguments(play) || !may_be_made(play) || to_avoid(play))
            return false;
    }
    remember(play);
    make_call(play);
    wri_span_end(play->t);
    return true;
}

static void next_call(wri_play *play)
{
    wr_case *t = play->t;
    uint64_t possible = callable_now(play), legal = possible & ~play->given_up;
    if (legal == 0 && t->walk != NULL)
        wr_discard_(t); /* a shorter sequence is the same */
    if (play->cornered)
        memset(play->refused, 0, sizeof play->refused);
    play->cornered = legal != possible;
    if (legal == 0)
        end_early(play);
    wri_mark mark = wri_case_mark(t);
    for (unsigned tries = 1; legal != 0; tries++) {
        play->fresh = play->unwanted = play->hopeless = false;
        play->logged = play->wary == NULL;
        if (play->wary == NULL ? try_call(play, &legal) : try_draft(play, legal))
            return;
        take_back(play, &mark, tries, &legal);
    }
}

/* A handle is released once, also where that jumps out. */
static void release_all(wri_play *play, unsigned kind)
{
    wri_holding *all = &play->holdings[kind];
    void (*release)(void *handle) = wri_handle_kind(play, kind)->release;
    while (release != NULL && all->live != 0) {
        unsigned number = (unsigned)__builtin_ctzll(all->live);
        all->live &= all->live - 1;
        release(all->objects[number]);
    }
}

/* Whatever has ended the case, but for a crash. A call that was left half-way may or may not have
 * consumed what it was to: that is not released, for twice would be worse than never. */
static void end_play(void *pointer)
{
    wri_play         *play = pointer;
    const wr_machine *table = play->machine->table;
    play->t->text = play->text;
    if (play->call.running)
        consume(play);
    for (unsigned i = 0; i < play->machine->handle_count; i++)
        release_all(play, i);
    if (table->stop != NULL)
        table->stop(play->t, play->model);
    if (table->free != NULL)
        table->free(play->model);
}

/* Sequences at random have rules, if any: only traced ones, for it takes a log to tell what a call
 * is. */
static void be_wary(wri_play *play)
{
    wri_stage *stage = play->t->stage;
    if (stage == NULL || play->t->answerer != stage->random)
        return;
    stage->played->sequences++;
    if (play->t->trace == NULL || (stage->terms.known == NULL && stage->terms.ran == NULL))
        return;
    play->wary = stage;
    if (stage->terms.known != NULL) {
        size_t count = play->machine->command_count;
        play->spent = wr_alloc(play->t, count * sizeof *play->spent);
        play->barred = wr_alloc(play->t, count * sizeof *play->barred);
        play->until = wr_alloc(play->t, count * sizeof *play->until);
        wri_avoider_begin(stage->avoider, play->machine, stage->terms.known);
    }
    if (stage->terms.ran == NULL)
        return;
    play->signature = wri_take(play->t, sizeof *play->signature);
    wri_signature_begin(play->signature, play->machine);
}

static wri_play *begin_play(wr_case *t, const wri_machine *machine)
{
    size_t    bytes = machine->table->model_size;
    wri_play *play = wri_take(t, sizeof *play);
    *play = (wri_play){ .t = t, .machine = machine, .text = t->text };
    play->model = wr_alloc(t, bytes);
    play->before = machine->observing ? wri_take(t, bytes) : NULL;
    play->holdings = wri_take(t, machine->handle_count * sizeof *play->holdings);
    play->uses = wri_take(t, machine->value_count * sizeof *play->uses);
    for (unsigned i = 0; i < machine->handle_count; i++)
        play->holdings[i].live = play->holdings[i].count = 0;
    memset(play->uses, 0, machine->value_count * sizeof *play->uses);
    play->call.play = play;
    if (t->stage != NULL)
        t->stage->played->within = 0;
    be_wary(play);
    wr_defer(t, end_play, play);
    return play;
}

/* ---- Its length ---- */

static wri_calls_law law_of(const wr_case *t)
{
    return t->stage == NULL ? WRI_CALLS_LEAN : (wri_calls_law)t->stage->terms.law;
}

/* What a length was recorded with stays its bound, whoever hunts now. */
static size_t most_calls(const wri_play *play)
{
    const wr_case      *t = play->t;
    const wri_answerer *answerer = t->answerer;
    uint64_t recorded = answerer->bound == NULL ? UINT64_MAX : answerer->bound(answerer);
    if (recorded <= WRI_MAX_CHOICES)
        return (size_t)recorded;
    if (play->machine->table->calls != 0)
        return play->machine->table->calls;
    if (law_of(t) == WRI_CALLS_LEAN)
        return WRI_CALLS;
    return t->stage->terms.calls > WRI_CALLS_LONG ? t->stage->terms.calls : WRI_CALLS_LONG;
}

static uint64_t fresh_length(wr_case *t, const wri_request *request)
{
    uint64_t calls = t->stage->terms.calls, length = 1;
    if (t->stage->terms.law == WRI_CALLS_FIXED || calls == 0)
        return calls < request->max ? calls : request->max;
    while (length < request->max && wri_scale(wri_next(&t->random), calls - 1) != 0)
        length++;
    return length;
}

static void draw_length(wri_play *play)
{
    wr_case    *t = play->t;
    wri_request request = { .kind = WRI_LENGTH,
                            .max = play->most = most_calls(play),
                            .name = "calls",
                            .fresh = fresh_length };
    play->length = t->next;
    play->rounds = law_of(t) == WRI_CALLS_LEAN ? wri_draw_length(t, "calls", 0, play->most)
                                               : choose(t, &request);
    play->length_node = wri_last_node(t);
    wri_span_begin(t, WRI_CALL_LABEL, WRI_LOOP, play->rounds, play->length_node);
    play->loop_node = t->span;
}

/* Where the sequence has led: the model, and which handles are alive. */
static void tell_state(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    wri_played       *played = play->t->stage->played;
    played->callable = callable_now(play);
    played->state = table->hash != NULL ? table->hash(play->model)
                                        : wri_hash_bytes(play->model, table->model_size);
    for (unsigned i = 0; i < play->machine->handle_count; i++)
        played->state = wri_hash_step(played->state, play->holdings[i].live);
    played->there = true;
}

void wr_play_(wr_case *t, const wr_machine *table, const char *name, const char *file, int line)
{
    wri_play *play = begin_play(t, wri_machine_of(t, table, name, file, line));
    if (table->start != NULL)
        table->start(t, play->model);
    check_invariant(play);
    draw_length(play);
    while (play->made < play->rounds)
        next_call(play);
    if (t->stage != NULL && t->stage->terms.told)
        tell_state(play);
    wri_span_end(t);
}

/* ---- What a command's functions ask ---- */

void *wr_model(const wr_call *call)
{
    return call->play->model;
}

WRI_COLD _Noreturn static void wrong_argument(const wr_call *call, const char *function,
                                              unsigned argument)
{
    const wr_command *command = call->command->table;
    if (argument >= call->command->arity)
        wri_misuse(call->play->t, "%s: command \"%s\" has no argument %u", function,
                   command->name, argument);
    wri_misuse(call->play->t, "%s: argument %u of command \"%s\" is a %s", function, argument,
               command->name, command->takes[argument]->handle ? "handle" : "value");
}

/* The argument, of the sort that is asked for. */
static int64_t argument_of(const wr_call *call, unsigned argument, bool handle,
                           const char *function)
{
    if (WRI_UNLIKELY(argument >= call->command->arity ||
                     call->command->table->takes[argument]->handle != handle))
        wrong_argument(call, function, argument);
    if (WRI_UNLIKELY(!call->drawn))
        longjmp(call->play->looked, 1);
    return call->values[argument];
}

int64_t wr_value(const wr_call *call, unsigned argument)
{
    return argument_of(call, argument, false, "wr_value");
}

void *wr_pointer(const wr_call *call, unsigned argument)
{
    return (void *)(intptr_t)argument_of(call, argument, false, "wr_pointer");
}

unsigned wr_number(const wr_call *call, unsigned argument)
{
    return (unsigned)argument_of(call, argument, true, "wr_number");
}

void *wr_handle(const wr_call *call, unsigned argument)
{
    int64_t number = argument_of(call, argument, true, "wr_handle");
    return call->play->holdings[call->command->kinds[argument]].objects[number];
}

unsigned wr_give(wr_call *call, void *handle)
{
    wri_play    *play = call->play;
    const char  *name = call->command->table->name;
    wri_holding *all = &play->holdings[call->command->gives];
    if (WRI_UNLIKELY(!call->running))
        wri_misuse(play->t, "wr_give: no function of a command runs");
    if (WRI_UNLIKELY(!call->command->giving))
        wri_misuse(play->t, "wr_give: command \"%s\" has no .gives", name);
    if (WRI_UNLIKELY(call->given))
        wri_misuse(play->t, "wr_give: command \"%s\" has given a handle before", name);
    call->given = true;
    if (handle == NULL)
        return call->giving;
    all->objects[call->giving] = handle;
    all->live |= bit(call->giving);
    play->available |= bit(call->command->gives);
    return call->giving;
}
