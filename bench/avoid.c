/* bench/avoid.c: what it costs to ask of a call whether it would complete a known bug.
 *
 * Sequences of a process registry are made as the library makes them: a call is drawn at random, asked
 * about, and remembered, or taken back and another one drawn. Drawing alone, without any
 * patterns, is measured as well and taken off. The rules are the six bugs of the registry, and
 * those with fourteen more: sequences of other lengths, orders, constants and guards.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/prng.h"
#include "machine/pattern.h"
#include "results.h"
#include "rules.h"

/* ---- The machine ---- */

static const wr_kind    NAME = { "name", .values = 5 };
static const wr_kind    PID = { "pid", .handle = true };
static const wr_command COMMANDS[] = {
    { "spawn", .gives = &PID },
    { "register", .takes = { &NAME, &PID } },
    { "unregister", .takes = { &NAME } },
    { "whereis", .takes = { &NAME } },
    { "kill", .takes = { &PID } },
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static wri_machine_command commands[COMMAND_COUNT];
static const wri_machine   registry = { .name = "registry", .command_count = COMMAND_COUNT,
                                        .commands = commands };

static void build_machine(void)
{
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        commands[i] = (wri_machine_command){ .table = &COMMANDS[i],
                                             .giving = COMMANDS[i].gives != NULL };
        while (COMMANDS[i].takes[commands[i].arity] != NULL)
            commands[i].arity++;
    }
}

/* ---- The rules ---- */

static wri_rules rules;

static void read_rules(void)
{
    char error[256];
    if (wri_rules_read(&registry, RULES, sizeof RULES - 1, &rules, error, sizeof error) &&
        rules.count == RULES_MOST)
        return;
    fprintf(stderr, "avoid: %s\n", error);
    exit(99);
}

/* The first `count` of them; the caller's to free. NULL: none. */
static wri_avoided *known_rules(size_t count)
{
    const wri_pattern *patterns[RULES_MOST];
    for (size_t i = 0; i < count; i++)
        patterns[i] = &rules.patterns[i];
    wri_avoided *known = count == 0 ? NULL : malloc(wri_avoided_bytes(patterns, count));
    if (known != NULL)
        wri_avoided_write(&registry, patterns, count, known);
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
static wri_made draw(uint64_t *random, unsigned pid_count)
{
    uint64_t word = wri_next(random);
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

static void make_sequence(wri_avoider *avoider, uint64_t *random, unsigned length, pace *all)
{
    unsigned count = 0, tries = 0, pid_count = 0;
    while (count < length && tries < TRIES) {
        wri_made made = draw(random, pid_count);
        all->questions++;
        if (wri_avoider_meets(avoider, &made) >= 0) {
            tries++;
            continue;
        }
        wri_avoider_add(avoider, &made);
        if (made.command == 0)
            pids[pid_count++] = count;
        count++;
        tries = 0;
    }
    all->calls += count;
}

static pace measure(wri_avoider *avoider, const wri_avoided *known, unsigned length,
                    unsigned sequences)
{
    struct timespec from, to;
    pace            all = { 0 };
    uint64_t        random = 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (unsigned i = 0; i < sequences; i++) {
        wri_avoider_begin(avoider, &registry, known);
        make_sequence(avoider, &random, length, &all);
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

static void compare(results *all, wri_avoider *avoider, size_t count, unsigned length,
                    unsigned rounds, double bar)
{
    wri_avoided *known = known_rules(count);
    unsigned     sequences = 2000000 / length;
    double       question = 1e9, call = 1e9;
    pace         now = { 0 };
    char         name[96];
    for (unsigned i = 0; i < rounds; i++) {
        progress("avoid: %zu rules, %u calls, round %u of %u", count, length, i + 1, rounds);
        pace bare = measure(avoider, NULL, length, sequences);
        now = measure(avoider, known, length, sequences);
        double drawing = nanoseconds(bare, bare.questions);
        double each = nanoseconds(now, now.questions) - drawing;
        double made = nanoseconds(now, now.calls) - drawing;
        question = each < question ? each : question;
        call = made < call ? made : call;
    }
    snprintf(name, sizeof name, "%zu rules, %u calls: a question", count, length);
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
    build_machine();
    read_rules();
    if (avoider == NULL)
        return 99;
    printf("avoid: what it costs to keep away from known bugs. CPU time, the best of %u runs.\n",
           rounds);
    compare(&all, avoider, BUGS, 40, rounds, 40);
    compare(&all, avoider, RULES_MOST, 40, rounds, 80);
    compare(&all, avoider, BUGS, 640, rounds, 80);
    compare(&all, avoider, RULES_MOST, 640, rounds, 160);
    progress_over();
    print_rows(&all, 0, "Warren");
    wri_avoider_free(avoider);
    wri_rules_free(&rules);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
