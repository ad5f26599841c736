/* studies/unseen/subjects.c: see subjects.h. */
#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"

#define SUBJECT(half, name)                                                                      \
    {                                                                                            \
        #name,                                                                                   \
        half,                                                                                    \
        BUILT "/unseen_" #name,                                                                  \
        LISTS "/" half "/" #name ".faults",                                                      \
        { { "", "", 0 } },                                                                       \
        0                                                                                        \
    },
subject SUBJECTS[] = {
#include "unseen_list.h"
};
const size_t SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS;

/* ---- Lists of faults ---- */

/* The next field of a line, without the spaces around it; "" behind the last. */
static char *next_field(char **line)
{
    char *field = *line + strspn(*line, " ");
    char *end = field + strcspn(field, "|\n");
    *line = end + (*end == '|');
    *end = '\0';
    while (end > field && end[-1] == ' ')
        *--end = '\0';
    return field;
}

static bool read_fault(char *line, subject *into)
{
    unsigned long number = strtoul(next_field(&line), NULL, 10);
    fault        *one = &into->faults[into->fault_count];
    snprintf(one->name, sizeof one->name, "%s", next_field(&line));
    snprintf(one->kind, sizeof one->kind, "%s", next_field(&line));
    one->length = (unsigned)strtoul(next_field(&line), NULL, 10);
    return number == ++into->fault_count && one->length > 0;
}

static bool read_list(subject *into)
{
    char  line[2000];
    FILE *list = fopen(into->list, "r");
    bool  fine = list != NULL;
    while (fine && into->fault_count < FAULTS_MOST && fgets(line, sizeof line, list) != NULL)
        fine = line[0] == '#' || line[0] == '\n' || read_fault(line, into);
    if (list != NULL)
        fclose(list);
    return fine && into->fault_count > 0;
}

void read_subjects(void)
{
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        if (!read_list(&SUBJECTS[i])) {
            fprintf(stderr, "unseen: %s: fault %u cannot be read\n", SUBJECTS[i].list,
                    SUBJECTS[i].fault_count);
            exit(99);
        }
}

/* ---- Runs ---- */

static void switch_on(faults on)
{
    char   text[FAULTS_MOST * 4] = "";
    size_t used = 0;
    for (unsigned i = 0; i < FAULTS_MOST; i++)
        if ((on >> i & 1) != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u",
                                     used == 0 ? "" : ",", i + 1);
    setenv("SUBJECT_FAULTS", text, 1);
}

static bool fails(const subject *of, faults on, const char *token)
{
    static char small[1 << 16];
    char *arguments[] = { (char *)of->program, "--replay", (char *)token, "--format", "json",
                          "--no-store",        NULL };
    switch_on(on);
    return run_child(arguments, small, sizeof small, false, NULL, NULL).status == 1;
}

/* If no fault alone makes the calls fail, those without which they do not. */
static faults shown_by(const subject *of, faults on, const char *token)
{
    faults shows = 0;
    if ((on & (on - 1)) == 0)
        return on;
    for (unsigned i = 0; i < of->fault_count; i++)
        if ((on >> i & 1) != 0 && fails(of, (faults)1 << i, token))
            shows |= (faults)1 << i;
    for (unsigned i = 0; i < of->fault_count && shows == 0; i++)
        if ((on >> i & 1) != 0 && !fails(of, on & ~((faults)1 << i), token))
            return (faults)1 << i;
    return shows;
}

static uint64_t hash_of(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The last line of the calls, up to its arguments and without the handle that it gives. */
static uint64_t hash_last_call(uint64_t hash, const char *calls)
{
    const char *line = strrchr(calls, '\n');
    line = line == NULL ? calls : line + 1;
    const char *gives = strstr(line, " = ");
    size_t      name = strcspn(line, "(");
    if (gives != NULL && gives < line + name) {
        name -= (size_t)(gives + 3 - line);
        line = gives + 3;
    }
    return hash_of(hash, line, name);
}

static unsigned lines_of(const char *text)
{
    unsigned count = text[0] != '\0';
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static report read_report(const subject *of, faults on, const char *failure)
{
    static char token[1 << 16], calls[1 << 16], message[1 << 12];
    const char *values = json_member(failure, "values");
    const char *made = values == NULL ? NULL : json_member(values, "calls");
    char        place[64];
    report      one = { .calls = json_number(json_member(failure, "calls_before")) };
    int used = snprintf(place, sizeof place, "%.0f", json_number(json_member(failure, "line")));
    token[0] = calls[0] = message[0] = '\0';
    json_text(json_member(failure, "token"), token, sizeof token);
    json_text(json_member(failure, "kind"), message, sizeof message);
    if (made != NULL)
        json_text(made, calls, sizeof calls);
    one.length = lines_of(calls);
    one.where =
        hash_last_call(hash_of(hash_of(1, place, (size_t)used), message, strlen(message)), calls);
    one.shows = shown_by(of, on, token);
    return one;
}

static char output[1 << 24];

/* A run that takes so long has missed the bar of time by far. */
#define LONGEST "60s"

void run_subject(const subject *of, faults on, const manner *how, size_t seed, run *into)
{
    char  seed_text[32], cases[32];
    char *arguments[] = { (char *)of->program,
                          "--bugs",
                          (char *)how->bugs,
                          "--explore",
                          (char *)how->explore,
                          "--seed",
                          seed_text,
                          "--cases",
                          cases,
                          "--jobs",
                          "1",
                          "--format",
                          "json",
                          "--no-store",
                          "--join",
                          "on",
                          "--time",
                          LONGEST,
                          NULL };
    snprintf(seed_text, sizeof seed_text, "%zu", seed);
    snprintf(cases, sizeof cases, "%u", how->cases);
    switch_on(on);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    into->ended = (ran.status == 0 || ran.status == 1) && output[0] == '{';
    into->count = 0;
    into->cpu = ran.cpu;
    if (!into->ended)
        return;
    into->calls = json_number(json_member(output, "calls"));
    const char *failures = json_member(output, "failures");
    const char *at = NULL;
    while (failures != NULL && into->count < REPORTS_MOST &&
           (at = json_next_element(failures, at)) != NULL)
        into->reports[into->count++] = read_report(of, on, at);
}

faults found_in(const run *one)
{
    faults found = 0;
    for (unsigned i = 0; i < one->count; i++)
        if ((one->reports[i].shows & (one->reports[i].shows - 1)) == 0)
            found |= one->reports[i].shows;
    for (unsigned i = 0; i < one->count; i++) {
        faults left = one->reports[i].shows & ~found;
        if ((one->reports[i].shows & found) == 0)
            found |= left & (~left + 1);
    }
    return found;
}
