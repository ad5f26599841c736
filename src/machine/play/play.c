/* machine/play/play.c: one case of a machine: a length, and then one call after the other.
 *
 * In the log a sequence is a loop that is tied to its length. A call is an element of the loop:
 * the command, then its arguments. A handle is the number of the call that gave it. So code that
 * edits logs removes calls like any other elements. After an edit a call may be impossible: its
 * command cannot be called now, or a handle is gone. Such a call is taken back; it is not in the
 * log of the case that was run, and the length is one less.
 *
 * choose.c draws a call; wary.c does so if some calls are to be avoided.
 */
#include "machine/play/play.h"

#include <string.h>

#include "core/hash.h"
#include "machine/play/choose.h"
#include "machine/calls/log.h"

/* ---- Making the call ---- */

uint8_t wri_play_number(wri_play *play, unsigned kind, size_t giver, uint32_t variable)
{
    wri_holding *all = &play->holdings[kind];
    uint32_t     number = wri_machine_next_handle(all->live, all->count, all->last);
    if (all->count >= WRI_HANDLES && play->refusals != NULL)
        wri_refused_forget(play->refusals, play->machine, kind, number);
    all->last = number;
    all->last_at = play->made;
    all->count += all->count < WRI_HANDLES;
    all->variables[number] = variable;
    all->givers[number] = (uint32_t)giver;
    return (uint8_t)number;
}

/* The number that the call's result will have. A claimed one has it since it was given. */
static void prepare_result(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    if (command->claims)
        play->call.giving = play->also.numbers[play->also.claimed++];
    else
        play->call.giving =
            wri_play_number(play, command->gives, play->made, play->variables + 1);
    if (play->t->trace != NULL)
        play->t->trace->nodes[play->t->span].number =
            play->machine->handles[play->call.command->gives].label;
}

static void look_closely(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    play->copied = true;
    if (table->copy == NULL) {
        memcpy(play->before, play->model, table->model_size);
        return;
    }
    memset(play->before, 0, table->model_size);
    table->copy(play->before, play->model);
}

/* Frees the copy that .copy made, once, even if the observer jumps out. */
void wri_play_free_copy(wri_play *play)
{
    if (play->copied && play->machine->table->free != NULL)
        play->machine->table->free(play->before);
    play->copied = false;
}

static void check_unchanged(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    bool same = table->equal == NULL ? memcmp(play->before, play->model, table->model_size) == 0
                                     : table->equal(play->before, play->model);
    wri_play_free_copy(play);
    if (same)
        return;
    wr_class(play->t, "observer");
    wri_case_end(play->t, WRI_ASSERTION, play->machine->file, play->machine->line,
                 "machine %s: command \"%s\" is an observer and has changed the model",
                 play->machine->name, play->call.command->table->name);
}

/* The log says which handles the call kept, for code that plans calls after it. */
static void note_kept(const wri_play *play)
{
    if (play->t->trace != NULL && play->call.kept != 0)
        play->t->trace->nodes[play->t->span].count = play->call.kept;
}

void wri_play_consume(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    uint32_t                   dying = command->table->consumes & ~(uint32_t)play->call.kept;
    for (uint32_t left = dying; left != 0; left &= left - 1) {
        unsigned argument = (unsigned)__builtin_ctz(left);
        wri_play_end_handle(play, command->kinds[argument],
                            (uint64_t)play->call.values[argument]);
    }
}

/* The next step of the macro, if this was one. */
static void follow_macro(wri_play *play)
{
    unsigned number = (unsigned)(play->call.command - play->machine->commands);
    if (play->call.command->claims)
        return;
    if (play->macro->steps[play->step] != number || ++play->step == play->macro->count)
        play->macro = NULL;
}

/* Has a callback noted a failure? */
static inline void check_later(wri_play *play)
{
    if (WRI_UNLIKELY(atomic_load_explicit(&play->t->called, memory_order_relaxed) &
                     WRI_CALLED_LATER))
        wri_play_fail_now(play);
}

static void check_invariant(wri_play *play)
{
    if (play->machine->table->invariant != NULL)
        play->machine->table->invariant(play->t, play->model);
    check_later(play);
}

/* Before it is made: it may be the last that is heard of the process. */
static void count_call(wri_play *play)
{
    if (play->t->stage == NULL)
        return;
    play->t->stage->played->calls += !play->call.command->claims;
    play->t->stage->played->within = WRI_IN_CALL;
}

static void show_fault(wr_case *t, const char *fault)
{
    wri_play_show_fault(t->play, fault);
}

static void open_faults(wri_play *play, uint64_t first)
{
    wri_faults_terms terms = play->machine->faults;
    terms.show = show_fault;
    wri_faults_note_choice(play->t, false);
    wri_faults_open(play->t, &terms, first);
}

/* Its function runs. The last argument may say that a call which it makes fails. */
static void run_call(wri_play *play)
{
    const wri_machine         *machine = play->machine;
    const wri_machine_command *command = play->call.command;
    unsigned                   last = command->arity - 1;
    if (command->arity > 0 && wri_machine_is_fault(machine, command->table->takes[last]))
        open_faults(play, (uint64_t)play->call.values[last]);
    command->table->call(play->t, &play->call);
    wri_faults_close(play->t);
}

static void make_call(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    bool watched = command->table->observer && play->machine->table->model_size > 0;
    if (command->giving)
        prepare_result(play);
    if (WRI_UNLIKELY(wri_case_showing(play->t)) && !command->claims)
        wri_play_show(play);
    wri_play_observe(play);
    if (!command->claims) {
        play->also.given = play->also.claimed = 0;
        play->variables += command->giving + command->also;
    }
    if (watched)
        look_closely(play);
    count_call(play);
    play->call.given = false;
    play->call.kept = 0;
    play->call.running = true;
    uint32_t depth = play->t->depth;
    run_call(play);
    check_later(play);
    wri_case_check_spans(play->t, depth);
    play->call.running = false;
    if (play->t->stage != NULL)
        play->t->stage->played->within = WRI_AFTER_CALL;
    if (watched)
        check_unchanged(play);
    note_kept(play);
    wri_play_consume(play);
    if (play->machine->contracting)
        wri_play_contracts(play);
    check_invariant(play);
    if (play->macro != NULL)
        follow_macro(play);
    play->made++;
}

/* Makes the call that was drawn. */
static void make(wri_play *play)
{
    const wr_command *table = play->call.command->table;
    if (WRI_UNLIKELY(table->known_bug != NULL && table->known_bug(&play->call)))
        wri_play_expect(play, make_call);
    else
        make_call(play);
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
               ++play->refused[command - play->machine->commands] >= WRI_TRIES;
    return tries % WRI_TRIES == 0;
}

/* Nothing can be called, or no call is one to make: the sequence ends here. */
static void end_early(wri_play *play)
{
    if (play->cornered)
        play->wary->played->cut++;
    wri_play_set_rounds(play, play->made);
}

/* A sequence ends while its log has so much room left, for what one more call and .stop draw. */
#define ROOM_LEFT (WRI_MAX_CHOICES / 16)

/* Is the log as good as full? The next call could make the case too large. */
static bool is_full(const wri_play *play)
{
    return (size_t)(play->t->next - play->t->journal) > WRI_MAX_CHOICES - ROOM_LEFT;
}

static void end_full(wri_play *play)
{
    wri_stage *stage = play->t->stage;
    if (stage != NULL && play->t->answerer == stage->random)
        stage->played->full++;
    wri_play_set_rounds(play, play->made);
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
        wri_play_set_rounds(play, play->rounds - 1);
        *legal = 0;
    } else if (given_up(play, tries)) {
        play->macro = NULL;
        *legal &= ~wri_machine_bit((uint64_t)(play->call.command - play->machine->commands));
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
    if (stage != NULL && play->rounds - play->made <= stage->terms.tail)
        play->t->answerer = stage->random; /* from now on */
    if (stage == NULL || stage->terms.extra == 0 || !wri_play_is_last(play))
        return NULL;
    *legal &= wri_machine_bit(stage->terms.extra - 1u);
    play->t->answerer = stage->random;
    return planned;
}

/* Draws a call and makes it; false: it is not to be made. */
static bool try_call(wri_play *play, uint64_t *legal)
{
    wr_case *t = play->t;
    wri_case_span_begin(t, WRI_CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    wri_answerer *planned = begin_extra(play, legal);
    bool          drawn = *legal != 0 && wri_play_draw(play, *legal);
    if (drawn)
        make(play);
    t->answerer = planned == NULL ? t->answerer : planned;
    if (drawn)
        wri_case_span_end(t);
    return drawn;
}

/* As try_call(), of calls at random some of which are not to be made. */
static bool try_draft(wri_play *play, uint64_t legal)
{
    if (!wri_play_draft(play, legal))
        return false;
    size_t nodes = play->t->trace->node_count;
    make(play);
    wri_play_note_drawn(play, nodes);
    wri_case_span_end(play->t);
    return true;
}

/* The commands no call of which is one to make. */
static uint64_t refused_commands(const wri_play *play)
{
    return play->refusals == NULL ? 0 : play->refusals->given_up | play->refusals->exhausted;
}

static void next_call(wri_play *play)
{
    wr_case *t = play->t;
    uint64_t possible = wri_play_callable(play), legal = possible & ~refused_commands(play);
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
    void (*release)(void *handle) = wri_play_handle_kind(play, kind)->release;
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
        wri_play_consume(play);
    for (unsigned i = 0; i < play->machine->handle_count; i++)
        release_all(play, i);
    if (table->stop != NULL)
        table->stop(play->t, play->model);
}

/* After that, also where it jumps out. */
static void free_models(void *pointer)
{
    wri_play         *play = pointer;
    const wr_machine *table = play->machine->table;
    play->t->play = NULL;
    wri_play_free_copy(play);
    if (table->free != NULL)
        table->free(play->model);
}

static wri_play *begin_play(wr_case *t, const wri_machine *machine)
{
    size_t    bytes = machine->table->model_size;
    wri_play *play = wri_memory_take(t, sizeof *play);
    *play = (wri_play){ .t = t, .machine = machine, .text = t->text };
    play->model = wr_alloc(t, bytes);
    play->system = wr_alloc(t, machine->table->system_size);
    play->before = machine->observing ? wri_memory_take(t, bytes) : NULL;
    play->holdings = wri_memory_take(t, machine->handle_count * sizeof *play->holdings);
    play->uses = wri_memory_take(t, machine->value_count * sizeof *play->uses);
    for (unsigned i = 0; i < machine->handle_count; i++)
        play->holdings[i].live = play->holdings[i].count = 0;
    memset(play->uses, 0, machine->value_count * sizeof *play->uses);
    play->call.play = t->play = play;
    if (t->stage != NULL)
        t->stage->played->within = WRI_AFTER_CALL;
    wri_play_be_wary(play);
    wr_defer(t, free_models, play);
    wr_defer(t, end_play, play);
    return play;
}

/* ---- Its length ---- */

static wri_calls_law law_of(const wr_case *t)
{
    return t->stage == NULL ? WRI_CALLS_LEAN : (wri_calls_law)t->stage->terms.law;
}

/* A recorded length keeps the bound that it was recorded with, whoever hunts now. */
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
    size_t asked =
        t->stage->terms.calls > WRI_CALLS_LONG ? t->stage->terms.calls : WRI_CALLS_LONG;
    return asked < WRI_MAX_CHOICES ? asked : WRI_MAX_CHOICES;
}

static uint64_t fresh_length(wr_case *t, const wri_request *request)
{
    uint64_t calls = t->stage->terms.calls, length = 1;
    if (t->stage->terms.law == WRI_CALLS_FIXED || calls == 0)
        return calls < request->max ? calls : request->max;
    while (length < request->max && wri_prng_scale(wri_prng_next(&t->random), calls - 1) != 0)
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
                                               : wri_play_choose(t, &request);
    play->length_node = wri_case_last_node(t);
    wri_case_span_begin(t, WRI_CALL_LABEL, WRI_LOOP, play->rounds, play->length_node);
    play->loop_node = t->span;
}

/* The number of living handles of a kind that equal this one. */
static uint64_t count_equal(const wr_kind *kind, const wri_holding *all, unsigned number)
{
    uint64_t count = 0;
    for (uint64_t left = all->live; left != 0; left &= left - 1)
        count += kind->equal(all->objects[number], all->objects[__builtin_ctzll(left)]);
    return count;
}

/* The living handles of a kind, in any order: by .hash, or by which of them are equal, or by
 * their number. */
static uint64_t hash_handles(const wr_kind *kind, const wri_holding *all)
{
    uint64_t sum = 0;
    for (uint64_t left = all->live; left != 0; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctzll(left);
        uint64_t one = kind->hash != NULL    ? kind->hash(all->objects[number])
                       : kind->equal != NULL ? count_equal(kind, all, number)
                                             : 0;
        sum += wri_prng_mix(one + 1);
    }
    return sum;
}

/* Tells the state that the sequence led to: the model, and which handles are alive. Without a
 * model the handles are all there is. */
static void tell_state(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    wri_played       *played = play->t->stage->played;
    played->callable = wri_play_callable(play);
    played->state = table->hash != NULL ? table->hash(play->model)
                                        : wri_hash_bytes(play->model, table->model_size);
    for (unsigned i = 0; i < play->machine->handle_count; i++) {
        const wri_holding *all = &play->holdings[i];
        played->state = wri_hash_step(
            played->state,
            table->model_size > 0 ? all->live : hash_handles(wri_play_handle_kind(play, i), all));
    }
    if (wri_play_claims(play))
        played->state = wri_hash_step(played->state, play->also.claimed + 1u);
    played->there = true;
}

void wr_play_(wr_case *t, const wr_machine *table, const char *name, const char *file, int line)
{
    wri_machine *machine = wri_machine_of(t, table, name, file, line);
    const char  *hindered =
        machine->faults.which == 0 ? NULL : wri_faults_hindered(machine->faults.which);
    if (WRI_UNLIKELY(hindered != NULL))
        wri_case_misuse(t, "machine %s: .faults: %s", name, hindered);
    wri_play *play = begin_play(t, machine);
    if (table->start != NULL)
        table->start(t, play->model);
    check_invariant(play);
    wri_play_look_around(play);
    draw_length(play);
    while (play->made < play->rounds)
        (is_full(play) ? end_full : next_call)(play);
    if (t->stage != NULL && t->stage->terms.told && !play->over)
        tell_state(play);
    if (t->stage != NULL)
        t->stage->played->within = WRI_AFTER_ALL;
    wri_case_span_end(t);
}
