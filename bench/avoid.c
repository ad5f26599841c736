/* bench/avoid.c: what it costs to ask of a call whether it would complete a known bug.
 *
 * Sequences of a process registry are made as the library makes them: a call is drawn at random,
 * asked about, and remembered, or taken back and another one drawn. Drawing alone, without any
 * patterns, is measured as well and taken off. The rules are the six bugs of the registry, and
 * those with fourteen more: sequences of other lengths, orders, constants and guards. And those
 * of a queue: nearly all calls are of two commands, and what a guard names is not in the last
 * call.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/prng.h"
#include "machine/pattern/pattern.h"
#include "results.h"
#include "rules.h"

/* ---- The machines ---- */

static const wr_kind    NAME = { "name", .values = 5 };
static const wr_kind    PID = { "pid", .handle = true };
static const wr_command COMMANDS[] = {
    { "spawn", .gives = &PID },           { "register", .takes = { &NAME, &PID } },
    { "unregister", .takes = { &NAME } }, { "whereis", .takes = { &NAME } },
    { "kill", .takes = { &PID } },
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static const wr_kind    ITEM = { "item", .values = 10 };
static const wr_command QUEUE_COMMANDS[] = {
    { "push", .takes = { &ITEM } },
    { .name = "pop" },
    { .name = "clear" },
    { .name = "len" },
};
enum { QUEUE_COUNT = sizeof QUEUE_COMMANDS / sizeof *QUEUE_COMMANDS };

static wri_machine_command commands[COMMAND_COUNT], queue_commands[QUEUE_COUNT];
static const wri_machine   registry = { .name = "registry",
                                        .command_count = COMMAND_COUNT,
                                        .commands = commands };
static const wri_machine   queue = { .name = "queue",
                                     .command_count = QUEUE_COUNT,
                                     .commands = queue_commands };

static void build_commands(const wr_command *tables, unsigned count, wri_machine_command *built)
{
    for (unsigned i = 0; i < count; i++) {
        built[i] = (wri_machine_command){ .table = &tables[i],
                                          .giving = tables[i].gives != NULL,
                                          .like = (uint8_t)i };
        while (tables[i].takes[built[i].arity] != NULL)
            built[i].arity++;
    }
}

/* ---- The rules ---- */

/* What is measured: rules of a machine, and its calls at random. */
typedef struct subject {
    const wri_machine *machine;
    const char        *text;
    wri_made (*draw)(uint64_t *random, unsigned pid_count);
    wri_rules rules;
} subject;

static void read_rules(subject *of, size_t count)
{
    char error[256] = "not all rules are there";
    if (wri_rules_read(of->machine, of->text, strlen(of->text), &of->rules, error,
                       sizeof error) &&
        of->rules.count == count)
        return;
    fprintf(stderr, "avoid: %s\n", error);
    exit(99);
}

/* The first `count` of them; the caller's to free. NULL: none. */
static wri_avoided *known_rules(const subject *of, size_t count)
{
    const wri_pattern *patterns[RULES_MOST];
    for (size_t i = 0; i < count; i++)
        patterns[i] = &of->rules.list[i].pattern;
    wri_avoided *known = count == 0 ? NULL : malloc(wri_avoided_bytes(patterns, count));
    if (known != NULL)
        wri_avoided_write(of->machine, patterns, count, known);
    return known;
}

/* ---- Sequences ---- */

#define TRIES 200 /* a sequence that goes on no further ends */

typedef struct pace {
    double        seconds;
    unsigned long calls, questions;
} pace;

static uint32_t pids[WRI_HANDLES];

/* A call that can be made, all of them alike: as many processes as a machine can have at a time.
 */
static wri_made draw_of_registry(uint64_t *random, unsigned pid_count)
{
    uint64_t word = wri_prng_next(random);
    unsigned least = pid_count == WRI_HANDLES ? 1 : 0, most = pid_count == 0 ? 3 : 4;
    unsigned command = least + (unsigned)(word % (most - least + 1));
    wri_made made = { .command = (uint8_t)command };
    if (pid_count == 0 && command == 1)
        made.command = 0;
    else if (command == 4)
        made.arguments[0] = pids[(word >> 32) % pid_count];
    else if (command != 0)
        made.arguments[0] = (int64_t)((word >> 16) % 5);
    if (made.command == 1)
        made.arguments[1] = pids[(word >> 32) % pid_count];
    return made;
}

static wri_made draw_of_queue(uint64_t *random, unsigned pid_count)
{
    uint64_t word = wri_prng_next(random);
    wri_made made = { .command = (uint8_t)(word % QUEUE_COUNT) };
    (void)pid_count;
    if (made.command == 0)
        made.arguments[0] = (int64_t)((word >> 16) % 10);
    return made;
}

static void make_sequence(const subject *of, wri_avoider *avoider, uint64_t *random,
                          unsigned length, pace *all)
{
    unsigned count = 0, tries = 0, pid_count = 0;
    while (count < length && tries < TRIES) {
        wri_made made = of->draw(random, pid_count);
        all->questions++;
        if (wri_avoider_meets(avoider, &made) >= 0) {
            tries++;
            continue;
        }
        wri_avoider_add(avoider, &made);
        if (of->machine->commands[made.command].giving)
            pids[pid_count++] = count;
        count++;
        tries = 0;
    }
    all->calls += count;
}

static pace measure(const subject *of, wri_avoider *avoider, const wri_avoided *known,
                    unsigned length, unsigned sequences)
{
    struct timespec from, to;
    pace            all = { 0 };
    uint64_t        random = 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (unsigned i = 0; i < sequences; i++) {
        wri_avoider_begin(avoider, of->machine, known);
        make_sequence(of, avoider, &random, length, &all);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    all.seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    return all;
}

/* ---- Figures ---- */

static double nanoseconds(pace all, unsigned long per)
{
    return 1e9 * all.seconds / (double)per;
}

static void compare(results *all, const subject *of, wri_avoider *avoider, size_t count,
                    unsigned length, unsigned rounds, double bar)
{
    wri_avoided *known = known_rules(of, count);
    unsigned     sequences = 2000000 / length;
    double       question = 1e9, call = 1e9;
    pace         now = { 0 };
    char         name[96];
    for (unsigned i = 0; i < rounds; i++) {
        progress("avoid: %s, %zu rules, %u calls, round %u of %u", of->machine->name, count,
                 length, i + 1, rounds);
        pace bare = measure(of, avoider, NULL, length, sequences);
        now = measure(of, avoider, known, length, sequences);
        double drawing = nanoseconds(bare, bare.questions);
        double each = nanoseconds(now, now.questions) - drawing;
        double made = nanoseconds(now, now.calls) - drawing;
        question = each < question ? each : question;
        call = made < call ? made : call;
    }
    snprintf(name, sizeof name, "%s, %zu rules, %u calls: a question", of->machine->name, count,
             length);
    row *one = result(all, name, question, "ns", AT_MOST, bar);
    snprintf(one->note, sizeof one->note, "%.2f questions a call; %.0f ns more a call",
             (double)now.questions / (double)now.calls, call);
    free(known);
}

int main(int argc, char **argv)
{
    results all = { .name = "avoid" };
    bool    quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: avoid [--quick]\n");
        return 99;
    }
    unsigned     rounds = quick ? 2 : 7;
    wri_avoider *avoider = wri_avoider_make();
    subject      registered = { &registry, RULES, draw_of_registry, { 0 } };
    subject      queued = { &queue, QUEUE_RULES, draw_of_queue, { 0 } };
    build_commands(COMMANDS, COMMAND_COUNT, commands);
    build_commands(QUEUE_COMMANDS, QUEUE_COUNT, queue_commands);
    read_rules(&registered, RULES_MOST);
    read_rules(&queued, QUEUE_RULES_MOST);
    if (avoider == NULL)
        return 99;
    printf("avoid: what it costs to keep away from known bugs. CPU time, the best of %u runs.\n",
           rounds);
    compare(&all, &registered, avoider, BUGS, 40, rounds, 40);
    compare(&all, &registered, avoider, RULES_MOST, 40, rounds, 80);
    compare(&all, &registered, avoider, BUGS, 640, rounds, 80);
    compare(&all, &registered, avoider, RULES_MOST, 640, rounds, 160);
    compare(&all, &queued, avoider, QUEUE_RULES_MOST, 40, rounds, 160);
    compare(&all, &queued, avoider, QUEUE_RULES_MOST, 640, rounds, 320);
    progress_over();
    print_rows(&all, 0, "Warren");
    wri_avoider_free(avoider);
    wri_rules_free(&registered.rules);
    wri_rules_free(&queued.rules);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
