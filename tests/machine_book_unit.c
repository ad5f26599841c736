/* tests/machine_book_unit.c: logs as calls, and calls as plans: what any case did, and any part
 * of it, can be done again; random sequences are as long as they should be, are none that were
 * run, and have no bug that is known.
 */
#include "core/hash.h"
#include "plan/align.h"
#include "lone_case.h"
#include "machine/calls/book.h"
#include "machine/calls/log.h"
#include "machine/calls/sequence.h"
#include "machine/play/stage.h"
#include "match_in.h"
#include "unit.h"

/* ---- A machine with all sorts of arguments ---- */

#define NOTES 4096

static uint64_t notes[NOTES]; /* what the calls saw */
static unsigned note_count;
static unsigned calls_made, calls_until_failure = UINT32_MAX;

static void note(uint64_t what)
{
    CHECK(note_count < NOTES);
    notes[note_count++] = what;
}

static void begin_call(wr_case *t, uint64_t command)
{
    note(command);
    if (calls_made++ == calls_until_failure)
        wr_fail(t, "call %u", calls_until_failure);
}

static uint64_t the_boxes[NOTES]; /* the call that gave each; its address is the handle */

static void do_make(wr_case *t, wr_call *call)
{
    begin_call(t, 1);
    note((uint64_t)wr_value(call, 0));
    the_boxes[calls_made] = calls_made;
    wr_give(call, &the_boxes[calls_made]);
}

static void do_cover(wr_case *t, wr_call *call)
{
    begin_call(t, 2);
    note((uint64_t)wr_value(call, 0));
    the_boxes[calls_made] = calls_made;
    wr_give(call, wr_value(call, 0) == 2 ? NULL : &the_boxes[calls_made]);
}

static void do_put(wr_case *t, wr_call *call)
{
    begin_call(t, 3);
    note(*(uint64_t *)wr_handle(call, 0));
    note((uint64_t)wr_value(call, 1));
}

static void do_name(wr_case *t, wr_call *call)
{
    const char *text = wr_pointer(call, 1);
    begin_call(t, 4);
    note(*(uint64_t *)wr_handle(call, 0));
    note(wri_hash_bytes(text, strlen(text)));
}

static void do_measure(wr_case *t, wr_call *call)
{
    begin_call(t, 5);
    note((uint64_t)(wr_value(call, 0) / 100));
    note((uint64_t)(wr_value(call, 1) % 3));
}

static void do_close(wr_case *t, wr_call *call)
{
    begin_call(t, 6);
    note(*(uint64_t *)wr_handle(call, 0));
    note(*(uint64_t *)wr_handle(call, 1));
}

static void do_swap(wr_case *t, wr_call *call)
{
    begin_call(t, 7);
    note((uint64_t)wr_value(call, 0));
    note((uint64_t)wr_value(call, 1));
}

static int64_t last_rolled;

static void do_roll(wr_case *t, wr_call *call)
{
    (void)call;
    begin_call(t, 8);
    last_rolled = wr_int(t, "die", 1, 1000000);
    note((uint64_t)last_rolled);
}

static void do_pay(wr_case *t, wr_call *call)
{
    begin_call(t, 9);
    note((uint64_t)(wr_value(call, 0) + wr_value(call, 1)));
}

static int64_t draw_size(wr_case *t)
{
    return wr_int(t, NULL, -50, 1000);
}

static int64_t draw_text(wr_case *t)
{
    return (int64_t)(intptr_t)wr_text(t, NULL, 0, 12);
}

static int64_t draw_amount(wr_case *t)
{
    int64_t whole = wr_int(t, NULL, 0, 900);
    return whole + wr_int(t, NULL, 0, 99);
}

static int64_t hundreds(int64_t value)
{
    return value / 100;
}

static int64_t rest_of_three(int64_t value)
{
    return value % 3;
}

static int64_t draw_pair(wr_case *t)
{
    int64_t first = wr_int(t, NULL, 0, 3);
    return 4 * first + wr_int(t, NULL, 0, 3);
}

static int64_t draw_moved(wr_case *t)
{
    return 500 + wr_int(t, NULL, -5, 90);
}

static const wr_kind    PAIR = { "pair", .draw = draw_pair };
static const wr_kind    MOVED = { "moved", .draw = draw_moved };
static const wr_kind    FEW = { "few", .values = 5 };
static const wr_kind    LETTER = { "letter", .values = 3, .symmetric = true };
static const wr_kind    SIZE = { "size", .draw = draw_size };
static const wr_kind    TEXT = { "text", .draw = draw_text };
static const wr_kind    AMOUNT = { "amount", .draw = draw_amount, .abstract = hundreds };
static const wr_kind    COARSE = { "coarse", .values = 20, .abstract = rest_of_three };
static const wr_kind    BOX = { "box", .handle = true };
static const wr_kind    LID = { "lid", .handle = true };
static const wr_command COMMANDS[] = {
    { "make", do_make, .takes = { &FEW }, .gives = &BOX, .weight = 6 },
    { "cover", do_cover, .takes = { &LETTER }, .gives = &LID },
    { "put", do_put, .takes = { &BOX, &SIZE }, .weight = 2 },
    { "name", do_name, .takes = { &BOX, &TEXT } },
    { "measure", do_measure, .takes = { &AMOUNT, &COARSE } },
    { "close", do_close, .takes = { &BOX, &LID }, .consumes = 3u },
    { "swap", do_swap, .takes = { &LETTER, &LETTER } },
    { "roll", do_roll, .weight = 1 },
    { "pay", do_pay, .takes = { &PAIR, &MOVED } },
    { 0 },
};

static void start(wr_case *t, void *model)
{
    (void)model;
    note((uint64_t)wr_int(t, "first", 0, 1000));
    for (wr_each(t, i, wr_size(t, "more", 0, 4)))
        note((uint64_t)wr_int(t, "another", 0, 1000));
}

static const wr_machine MACHINE = { .commands = COMMANDS, .start = start };

static void play(wr_case *t)
{
    note_count = calls_made = 0;
    wr_play_(t, &MACHINE, "unit", __FILE__, __LINE__);
}

/* ---- Another one, with few sequences ---- */

static void do_nothing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static void do_give(wr_case *t, wr_call *call)
{
    static int thing;
    (void)t;
    wr_give(call, &thing);
}

static const wr_command SMALL_COMMANDS[] = {
    { "give", do_give, .gives = &BOX },
    { "take", do_nothing, .takes = { &BOX } },
    { "write", do_nothing, .takes = { &LETTER, &LETTER } },
    { "read", do_nothing, .takes = { &LETTER } },
    { 0 },
};
static const wr_machine SMALL = { .commands = SMALL_COMMANDS };

static void play_small(wr_case *t)
{
    wr_play_(t, &SMALL, "small", __FILE__, __LINE__);
}

static const wr_command SINGLE_COMMANDS[] = { { "only", do_nothing, .weight = 1 }, { 0 } };
static const wr_machine SINGLE = { .commands = SINGLE_COMMANDS };

static void play_single(wr_case *t)
{
    wr_play_(t, &SINGLE, "single", __FILE__, __LINE__);
}

/* ---- Runs ---- */

static wri_stage  stage;
static wri_played played;

static void set_stage(const wri_play_terms *terms)
{
    stage.played = &played;
    stage.random = wri_answer_randomly();
    the_case.stage = &stage;
    played = (wri_played){ 0 };
    CHECK(wri_stage_begin(&stage, terms));
}

static void of_calls(wri_calls_law law, uint32_t calls)
{
    set_stage(&(wri_play_terms){ .law = (uint8_t)law, .calls = calls });
}

static const wri_machine *machine_of(const wr_machine *table, const char *name)
{
    char               error[256];
    const wri_machine *machine = wri_machine_read(table, name, "", 0, error, sizeof error);
    CHECK(machine != NULL);
    return machine;
}

static wri_trace    plan;
static wri_sequence wanted, had;

static wri_verdict_kind run_aligned(void (*body)(wr_case *t))
{
    static wri_align align;
    wri_aligned      aligned;
    CHECK(wri_trace_valid(&plan));
    CHECK(wri_align_start(&align, &plan));
    wri_verdict_kind kind = run_as(TRACED, body, 7, wri_answer_aligned(&aligned, &align));
    wri_align_free(&align);
    return kind;
}

/* ---- There and back ---- */

static void any_case_is_its_calls(uint32_t calls, uint64_t seeds)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    static uint64_t    seen[NOTES];
    for (uint64_t seed = 0; seed < seeds; seed++) {
        wri_book *book = wri_book_make(machine);
        of_calls(WRI_CALLS_FIXED, calls);
        CHECK(book != NULL && run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted));
        CHECK(wanted.count == calls_made && wanted.count == calls && played.calls == calls);
        CHECK(wri_book_read(book, &the_trace));
        unsigned count = note_count;
        memcpy(seen, notes, sizeof seen);
        CHECK(wri_book_plan(book, &wanted, 0, &plan));
        CHECK(run_aligned(play) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &had));
        CHECK(wri_sequence_same(&wanted, &had));
        CHECK(note_count == count && memcmp(seen, notes, count * sizeof *notes) == 0);
        wri_book_free(book);
    }
}

static bool is_first_of_its_kind(const wri_sequence *sequence, size_t call)
{
    for (size_t i = 0; i < call; i++)
        if (sequence->calls[i].command == sequence->calls[call].command)
            return false;
    return true;
}

TEST(what_calls_draw_by_themselves_comes_along)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    unsigned           rolled = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        wri_book *book = wri_book_make(machine);
        of_calls(WRI_CALLS_FIXED, 4);
        last_rolled = 0;
        CHECK(book != NULL && run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted) && wri_book_read(book, &the_trace));
        if (wanted.calls[3].command == 7 && is_first_of_its_kind(&wanted, 3)) {
            int64_t before = last_rolled;
            wanted.calls[0] = wanted.calls[3];
            wanted.count = 1;
            CHECK(wri_book_plan(book, &wanted, 0, &plan) && run_aligned(play) == WRI_PASS);
            CHECK(calls_made == 1 && last_rolled == before);
            rolled++;
        }
        wri_book_free(book);
    }
    CHECK(rolled > 5);
}

/* Leaves calls out, and what depends on them. */
static void leave_out(const wri_machine *machine, wri_sequence *sequence, uint64_t *random)
{
    size_t moved[512], left = 0;
    for (size_t i = 0; i < sequence->count; i++) {
        wri_made call = sequence->calls[i];
        bool     gone = wri_prng_scale(wri_prng_next(random), 2) == 0;
        for (unsigned k = 0; k < machine->commands[call.command].arity; k++)
            if (wri_machine_takes_handle(machine, call.command, k)) {
                size_t from = moved[call.arguments[k]];
                gone |= from == SIZE_MAX;
                call.arguments[k] = (int64_t)from;
            }
        moved[i] = gone ? SIZE_MAX : left;
        sequence->calls[left] = call;
        left += !gone;
    }
    sequence->count = left;
}

TEST(so_is_any_part_of_it)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    uint64_t           random = 3;
    wri_book          *book = wri_book_make(machine);
    CHECK(book != NULL);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        of_calls(WRI_CALLS_FIXED, (uint32_t)(seed % 60));
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted) && wri_book_read(book, &the_trace));
        leave_out(machine, &wanted, &random);
        CHECK(wri_book_plan(book, &wanted, 0, &plan));
        CHECK(run_aligned(play) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &had) && wri_sequence_same(&wanted, &had));
    }
    wri_book_free(book);
}

TEST(the_last_call_is_the_one_that_failed)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    for (uint64_t seed = 0; seed < 500; seed++) {
        of_calls(WRI_CALLS_FIXED, 30);
        calls_until_failure = (unsigned)(seed % 30);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_ASSERTION);
        CHECK(wri_sequence_read(machine, &the_trace, &had));
        CHECK(had.count == calls_until_failure + 1 && played.calls == had.count);
    }
    calls_until_failure = UINT32_MAX;
}

/* Nothing is believed: what comes of it does not matter, as long as it is calls of the machine.
 */
TEST(logs_are_checked)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    uint64_t           random = 5, refused = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        wri_book *book = wri_book_make(machine);
        of_calls(WRI_CALLS_FIXED, 30);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS && wri_trace_copy(&plan, &the_trace));
        for (unsigned i = 0; i < 3; i++) {
            wri_node *node =
                &plan.nodes[1 + wri_prng_scale(wri_prng_next(&random), plan.node_count - 2)];
            switch (wri_prng_next(&random) % 5) {
            case 0: node->count = wri_prng_next(&random) % 40; break;
            case 1: node->kind = (uint8_t)(wri_prng_next(&random) % 8); break;
            case 2: node->what = (uint8_t)(wri_prng_next(&random) % 5); break;
            case 3: node->number = node->max = wri_prng_next(&random); break;
            default:
                ((uint8_t *)node)[wri_prng_next(&random) % sizeof *node] = (uint8_t)seed;
                break;
            }
        }
        if (wri_trace_valid(&plan)) {
            bool read = wri_sequence_read(machine, &plan, &had);
            CHECK(wri_book_read(book, &plan) <= read);
            refused += !read;
            for (size_t i = 0; read && i < had.count; i++)
                CHECK(had.calls[i].command < machine->command_count);
        }
        wri_book_free(book);
    }
    CHECK(refused > 50);
}

/* ---- Other values ---- */

TEST(any_other_value_can_be_had)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    uint64_t           tried = 0, of_range = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        wri_book *book = wri_book_make(machine);
        of_calls(WRI_CALLS_FIXED, 20);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted) && wri_book_read(book, &the_trace));
        for (size_t call = 0; call < wanted.count; call++) {
            wri_made *now = &wanted.calls[call];
            if (strcmp(machine->commands[now->command].table->name, "cover") == 0)
                continue; /* it may give nothing then */
            for (unsigned k = 0; k < machine->commands[now->command].arity; k++) {
                int64_t own = now->arguments[k], other, least, most;
                if (wri_book_range(book, &wanted, call, k, &least, &most)) {
                    CHECK(least <= own && own <= most);
                    of_range += most == 1000 && least == -50;
                }
                for (unsigned i = 0; wri_book_other(book, &wanted, call, k, i, &other); i++) {
                    CHECK(other != own && i < 64 &&
                          !wri_machine_takes_handle(machine, now->command, k));
                    now->arguments[k] = other;
                    if (wri_book_guessed(book, now, k)) {
                        now->arguments[k] = own;
                        continue;
                    }
                    CHECK(wri_book_plan(book, &wanted, 0, &plan) &&
                          run_aligned(play) == WRI_PASS);
                    CHECK(wri_sequence_read(machine, &the_trace, &had));
                    CHECK(wri_sequence_same(&wanted, &had));
                    now->arguments[k] = own;
                    tried++;
                }
            }
        }
        wri_book_free(book);
    }
    CHECK(tried > 5000 && of_range > 50);
}

/* What choices come to that were made up is known when they were run. */
TEST(numbers_are_made_up_and_found_out)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    uint64_t           guessed = 0, moved = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        wri_book *book = wri_book_make(machine);
        of_calls(WRI_CALLS_FIXED, 30);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted) && wri_book_read(book, &the_trace));
        for (size_t call = 0; call < wanted.count; call++) {
            int64_t  own = wanted.calls[call].arguments[0], other, again, least, most;
            wri_made guess = wanted.calls[call];
            if (guess.command != 8)
                continue;
            CHECK(own >= 0 && own <= 15 &&
                  !wri_book_range(book, &wanted, call, 0, &least, &most));
            moved += wri_book_range(book, &wanted, call, 1, &least, &most) && least == 495 &&
                     most == 590;
            CHECK(wri_book_other(book, &wanted, call, 0, 0, &other));
            guess.arguments[0] = other;
            if (!wri_book_guessed(book, &guess, 0))
                continue;
            wanted.calls[call] = guess;
            CHECK(wri_book_plan(book, &wanted, 0, &plan) && run_aligned(play) == WRI_PASS);
            CHECK(wri_sequence_read(machine, &the_trace, &had) && had.count == wanted.count);
            int64_t came = had.calls[call].arguments[0];
            CHECK(came >= 0 && came <= 15 && came != own);
            wri_book_learn(book, &guess, 0, true, came);
            wanted.calls[call].arguments[0] = own;
            CHECK(wri_book_other(book, &wanted, call, 0, 0, &again) && again == came);
            wanted.calls[call].arguments[0] = came;
            CHECK(wri_book_plan(book, &wanted, 0, &plan) && run_aligned(play) == WRI_PASS);
            CHECK(wri_sequence_read(machine, &the_trace, &had) &&
                  wri_sequence_same(&wanted, &had));
            guessed++;
        }
        wri_book_free(book);
    }
    CHECK(guessed > 30 && moved > 30);
}

TEST(one_more_call_is_drawn_at_random)
{
    const wri_machine *machine = machine_of(&MACHINE, "unit");
    uint64_t           more = 0, none = 0;
    wri_book          *book = wri_book_make(machine);
    for (uint64_t seed = 0; seed < 800; seed++) {
        unsigned extra = 1 + (unsigned)(seed % machine->command_count);
        of_calls(WRI_CALLS_FIXED, 6);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &wanted) && wri_book_read(book, &the_trace));
        CHECK(wri_book_plan(book, &wanted, extra, &plan));
        set_stage(
            &(wri_play_terms){ .law = WRI_CALLS_FIXED, .extra = (uint8_t)extra, .told = true });
        CHECK(run_aligned(play) == WRI_PASS && played.there && played.sequences == 0);
        CHECK(wri_sequence_read(machine, &the_trace, &had));
        CHECK(had.count == 7 || (had.count == 6 && (extra == 3 || extra == 4 || extra == 6)));
        CHECK(had.count == 6 || had.calls[6].command == extra - 1);
        more += had.count == 7;
        none += had.count == 6;
        had.count = 6;
        CHECK(wri_sequence_same(&wanted, &had));
    }
    CHECK(more > 500 && none > 20);
    wri_book_free(book);
}

/* ---- Lengths ---- */

TEST(lengths_are_as_they_should_be)
{
    uint64_t sum = 0, longest = 0, singles = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        of_calls(WRI_CALLS_GEOMETRIC, 10);
        CHECK(run_as(TRACED, play_single, seed, NULL) == WRI_PASS);
        sum += played.calls;
        longest = played.calls > longest ? played.calls : longest;
        singles += played.calls == 1;
        of_calls(WRI_CALLS_FIXED, (uint32_t)(seed % 1000));
        CHECK(run_as(FAST, play_single, seed, NULL) == WRI_PASS);
        CHECK(played.calls == seed % 1000 && played.sequences == 1);
    }
    CHECK(sum > 97000 && sum < 103000 && longest > 60 && singles > 850 && singles < 1150);
}

/* A log that was made with long sequences replays where they are short, and the other way round.
 */
TEST(a_log_replays_whoever_hunts)
{
    static const wri_calls_law LAWS[] = { WRI_CALLS_LEAN, WRI_CALLS_FIXED };
    for (uint64_t seed = 0; seed < 200; seed++) {
        wri_exact exact;
        of_calls(LAWS[seed % 2], 200);
        CHECK(run_as(TRACED, play, seed, NULL) == WRI_PASS && wri_trace_copy(&plan, &the_trace));
        of_calls(LAWS[(seed + 1) % 2], 50);
        CHECK(run_as(TRACED, play, 1, wri_answer_exactly(&exact, &plan)) == WRI_PASS);
        CHECK(wri_exact_done(&exact) && wri_trace_shape(&plan) == wri_trace_shape(&the_trace));
    }
}

/* ---- What was run ---- */

static wri_ran  ran;
static uint64_t listed[WRI_RAN_LISTED], listed_count;

static uint64_t signature_of(const wri_machine *machine, const wri_sequence *sequence)
{
    wri_signature signature;
    wri_signature_begin(&signature, machine);
    for (size_t i = 0; i < sequence->count; i++)
        wri_signature_add(&signature, machine, &sequence->calls[i]);
    return signature.hash;
}

/* What a worker's batch has run is known to it, what others have when the parent has added it. */
TEST(no_sequence_is_run_twice)
{
    const wri_machine *machine = machine_of(&SMALL, "small");
    static wri_ran     own;
    uint64_t           longer = 0;
    stage.mine = (wri_ran_list){ .hashes = listed, .shared_count = &listed_count };
    for (uint64_t seed = 0; seed < 4000; seed++) {
        if (seed % 500 == 0) {
            for (uint64_t i = 0; i < listed_count; i++)
                wri_ran_add(&ran, listed[i]);
            set_stage(&(wri_play_terms){ .law = WRI_CALLS_FIXED, .calls = 3, .ran = &ran });
        }
        CHECK(run_as(TRACED, play_small, seed, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &had));
        CHECK(!wri_ran_has(&own, signature_of(machine, &had)));
        wri_ran_add_sequence(&own, machine, &had);
        longer += had.count > 3;
    }
    CHECK(longer > 3000);
    wri_ran_clear(&ran);
    wri_ran_clear(&own);
    set_stage(&(wri_play_terms){ .law = WRI_CALLS_FIXED, .calls = 2, .ran = &ran });
    for (uint64_t seed = 0; seed < 100; seed++) { /* there is one of each length */
        uint64_t before = played.calls;
        CHECK(run_as(TRACED, play_single, seed, NULL) == WRI_PASS);
        CHECK(played.calls - before == 2 + seed);
    }
    wri_ran_clear(&ran);
    wri_stage_free(&stage);
}

TEST(names_do_not_matter)
{
    const wri_machine *machine = machine_of(&SMALL, "small");
    wri_made           a[] = { { .command = 2, .arguments = { 2, 0 } },
                               { .command = 3, .arguments = { 1 } } };
    wri_made           b[] = { { .command = 2, .arguments = { 0, 1 } },
                               { .command = 3, .arguments = { 2 } } };
    wri_made           c[] = { { .command = 2, .arguments = { 0, 1 } },
                               { .command = 3, .arguments = { 1 } } };
    wri_made           d[] = { { .command = 2, .arguments = { 1, 1 } },
                               { .command = 3, .arguments = { 0 } } };
    wri_made           e[] = { { .command = 2, .arguments = { 2, 2 } },
                               { .command = 3, .arguments = { 0 } } };
    uint64_t           hashes[5];
    wri_made          *all[] = { a, b, c, d, e };
    for (unsigned i = 0; i < 5; i++)
        hashes[i] = signature_of(machine, &(wri_sequence){ .calls = all[i], .count = 2 });
    CHECK(hashes[0] == hashes[1] && hashes[3] == hashes[4]);
    CHECK(hashes[0] != hashes[2] && hashes[0] != hashes[3] && hashes[2] != hashes[3]);
}

/* ---- What is known ---- */

/* Patterns of random short sequences of the small machine. */
#define KNOWN 3

static const wri_avoided *compile(const wri_machine *machine, wri_pattern *patterns,
                                  uint64_t seed, size_t calls)
{
    const wri_pattern *list[KNOWN];
    for (unsigned i = 0; i < KNOWN; i++) {
        of_calls(WRI_CALLS_FIXED, (uint32_t)calls);
        CHECK(run_as(TRACED, play_small, KNOWN * seed + i, NULL) == WRI_PASS);
        CHECK(wri_sequence_read(machine, &the_trace, &had));
        CHECK(wri_abstract_calls(machine, &had, WRI_LEVEL_SHARED, &patterns[i]));
        list[i] = &patterns[i];
    }
    wri_avoided *known = malloc(wri_avoided_bytes(list, KNOWN));
    CHECK(known != NULL);
    wri_avoided_write(machine, list, KNOWN, known);
    return known;
}

TEST(known_bugs_are_not_met_again)
{
    const wri_machine *machine = machine_of(&SMALL, "small");
    static wri_pattern patterns[KNOWN];
    uint64_t           cut = 0, whole = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const wri_avoided *known = compile(machine, patterns, seed, 1 + seed % 3);
        wri_play_terms     terms = { .law = WRI_CALLS_FIXED, .calls = 12, .known = known };
        for (uint64_t i = 0; i < 20; i++) {
            set_stage(&terms);
            CHECK(run_as(TRACED, play_small, i, NULL) == WRI_PASS);
            CHECK(wri_sequence_read(machine, &the_trace, &had));
            for (unsigned k = 0; k < KNOWN; k++)
                CHECK(!match_in(machine, &patterns[k], &had));
            CHECK(had.count == 12 ? played.cut == 0 : played.cut == 1);
            CHECK(played.sequences == 1 && played.calls == had.count);
            cut += played.cut;
            whole += had.count == 12;
        }
        free((void *)(uintptr_t)known);
    }
    CHECK(cut > 200 && whole > 1000);
}

TEST(replay_knows_of_no_bugs)
{
    const wri_machine *machine = machine_of(&SMALL, "small");
    static wri_pattern patterns[KNOWN];
    const wri_avoided *known = compile(machine, patterns, 1, 2);
    of_calls(WRI_CALLS_FIXED, 30);
    CHECK(run_as(TRACED, play_small, 1, NULL) == WRI_PASS && wri_trace_copy(&plan, &the_trace));
    CHECK(wri_sequence_read(machine, &the_trace, &wanted));
    CHECK(match_in(machine, &patterns[0], &wanted));
    set_stage(&(wri_play_terms){ .law = WRI_CALLS_FIXED, .calls = 30, .known = known });
    CHECK(run_aligned(play_small) == WRI_PASS);
    CHECK(wri_sequence_read(machine, &the_trace, &had) && wri_sequence_same(&wanted, &had));
    free((void *)(uintptr_t)known);
}

TEST(any_short_case_is_its_calls)
{
    any_case_is_its_calls(40, 1000);
}

TEST(any_long_case_is_its_calls)
{
    any_case_is_its_calls(300, 100);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    wri_stage_free(&stage);
    wri_trace_free(&plan);
    free(wanted.calls);
    free(had.calls);
    free_case();
    puts("machine_book: all checks passed");
    return status;
}
