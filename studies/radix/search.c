/* studies/radix/search.c: see search.h. */
#include "search.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "json.h"

#define SUBJECT(half_, name_)                                                                    \
    { .half = half_,                                                                             \
      .name = #name_,                                                                            \
      .program = BUILT "/radix_" half_ "_" #name_,                                               \
      .list = LISTS "/" half_ "/" #name_ ".faults",                                              \
      .bound = 18,                                                                               \
      .deep_from = 14,                                                                           \
      .runs = 300000 },
subject SUBJECTS[] = {
#include "radix_list.h"
};
const size_t SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS;

explorer EXPLORERS[EXPLORER_COUNT] = {
    [DEEPENING] = { "deepening", { "--explore", "enumerate" }, true, true, false },
    [AT_ONCE] = { "at once", { "--explore", "enumerate", "--at-once" }, true, true, false },
    [RANDOM] = { "random", { "--explore", "random" }, false, true, false },
    [SKEWED] = { "skewed", { "--explore", "random", "--redraw", "skewed" }, false, true, false },
    [RESTART] = { "restart", { "--explore", "restart" }, false, true, false },
    [BARE] = { "bare",
               { "--explore", "restart", "--swarm", "off", "--learn", "off" },
               false,
               true,
               false },
    [RADIX_1] = { "radix 1,1",
                  { "--explore", "radix", "--strength", "1", "--fineness", "1", "--budget",
                    "100000" },
                  false,
                  true,
                  false },
    [RADIX_5] = { "radix 5,5",
                  { "--explore", "radix", "--strength", "5", "--fineness", "5", "--budget",
                    "100000" },
                  false,
                  true,
                  false },
    [RADIX_7] = { "radix 7,3",
                  { "--explore", "radix", "--strength", "7", "--fineness", "3", "--budget",
                    "10000" },
                  false,
                  true,
                  false },
    /* Three configurations in turn, as published. */
    [COMPETING] = { "competing", { "--explore", "radix" }, false, true, false },
    /* At its own default size, whatever the others have. */
    [ROOMY] = { "restart 30", { "--explore", "restart", "--size", "30" }, false, true, false },
    [AUTO] = { "auto", { "--explore", "auto" }, false, false, false },
};

bool is_deep(const subject *of, size_t at)
{
    return of->faults[at].size >= (int)of->deep_from;
}

/* ---- Lists of faults ---- */

/* NUMBER, SIZE or ?, words; a '|' or a ',' may stand between. */
static bool read_fault(subject *of, const char *line)
{
    char         *end;
    unsigned long number = strtoul(line, &end, 10);
    if (number != of->fault_count + 1 || number > FAULTS_MOST)
        return false;
    fault *one = &of->faults[of->fault_count++];
    line = end + strspn(end, " |,\t:.");
    one->size = (int)strtol(line + strspn(line, "<>=~ "), &end, 10);
    end += strcspn(end, " |,\t");
    end += strspn(end, " |,\t");
    snprintf(one->words, sizeof one->words, "%.*s", (int)strcspn(end, "\n"), end);
    return true;
}

static void read_list(subject *of)
{
    char  line[512];
    bool  fine = true;
    FILE *in = fopen(of->list, "r");
    while (in != NULL && fine && fgets(line, sizeof line, in) != NULL) {
        if (isdigit((unsigned char)line[0]))
            fine = read_fault(of, line);
        else
            sscanf(line, "# bound %u, runs %lf, deep from %u", &of->bound, &of->runs,
                   &of->deep_from);
    }
    if (in != NULL)
        fclose(in);
    if (in == NULL || !fine || of->fault_count == 0) {
        fprintf(stderr, "%s: not a list of faults, numbered from 1\n", of->list);
        exit(99);
    }
}

void read_subjects(void)
{
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        read_list(&SUBJECTS[i]);
}

/* ---- Running a subject ---- */

static char output[1 << 20];

static child run_subject(const char *program, char *const *options, size_t count)
{
    static char *const COMMON[] = { "--jobs",   "1",    "--no-store", "--shrink", "off",
                                    "--format", "json", "--time",     "3600s" };
    char              *arguments[48] = { (char *)program };
    size_t             used = 1;
    for (size_t i = 0; i < sizeof COMMON / sizeof *COMMON; i++)
        arguments[used++] = COMMON[i];
    for (size_t i = 0; i < count; i++)
        arguments[used++] = options[i];
    return run_child(arguments, output, sizeof output, false, NULL, NULL);
}

static child run_by(const subject *of, const explorer *by, unsigned bound, const char *cases,
                    size_t seed)
{
    char   size[16], seed_text[32];
    char  *options[16] = { "--size", size, "--seed", seed_text, "--cases", (char *)cases };
    size_t count = 6;
    /* From size to size, a search ends where its runs do. */
    bool open = by == &EXPLORERS[DEEPENING] && bound == 0;
    snprintf(size, sizeof size, "%u", open ? 60 : bound > 0 ? bound : of->bound);
    snprintf(seed_text, sizeof seed_text, "%zu", seed);
    for (size_t i = 0; i < sizeof by->options / sizeof *by->options && by->options[i]; i++)
        options[count++] = by->options[i];
    return run_subject(of->program, options, count);
}

/* A new file of notes, and where it is mapped. */
static notes *new_notes(char *path, double limit)
{
    int   file = mkstemp(path);
    void *at = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(notes)) == 0)
        at = mmap(NULL, sizeof(notes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        perror(path);
        exit(99);
    }
    close(file);
    setenv("RADIX_NOTES", path, 1);
    ((notes *)at)->limit = (uint64_t)limit;
    return at;
}

static void end_notes(notes *of, const char *path)
{
    unsetenv("RADIX_NOTES");
    unlink(path);
    munmap(of, sizeof *of);
}

/* The options of an explorer are refused with status 99. A subject that never touches its notes
 * cannot note all faults at once. */
void probe_explorers(void)
{
    for (size_t i = 0; i < EXPLORER_COUNT && SUBJECT_COUNT > 0; i++)
        EXPLORERS[i].refused = run_by(&SUBJECTS[0], &EXPLORERS[i], 1, "1", 1).status == 99;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        char   path[] = "/tmp/warren-radix.XXXXXX";
        notes *of = new_notes(path, 1);
        if (SUBJECTS[i].chosen)
            run_by(&SUBJECTS[i], &EXPLORERS[DEEPENING], 3, "10", 1);
        SUBJECTS[i].at_once = of->runs > 0;
        end_notes(of, path);
    }
}

static void search_noting(const subject *of, const explorer *by, unsigned bound, double runs,
                          size_t seed, search *into)
{
    char   path[] = "/tmp/warren-radix.XXXXXX";
    notes *had = new_notes(path, runs);
    child  ran = run_by(of, by, bound, "1000000000000", seed);
    into->runs = (double)had->runs;
    into->cpu = ran.cpu;
    for (size_t i = 0; i < of->fault_count; i++)
        into->first[i] = had->first[i] > 0 ? (double)had->first[i] : -1;
    if (ran.status != 0 && ran.status != 1)
        fprintf(stderr, "radix: %s by %s, seed %zu: status %d\n", of->name, by->name, seed,
                ran.status);
    end_notes(had, path);
}

/* A case may take many runs: those up to the failing one count, if they are not too many. */
static void search_fault(const subject *of, const explorer *by, unsigned bound, double runs,
                         size_t seed, size_t at, search *into)
{
    char number[16], cases[32];
    snprintf(number, sizeof number, "%zu", at + 1);
    snprintf(cases, sizeof cases, "%.0f", runs);
    setenv("SUBJECT_FAULTS", number, 1);
    child ran = run_by(of, by, bound, cases, seed);
    unsetenv("SUBJECT_FAULTS");
    const char *failure = json_member(output, "failure");
    double found = failure == NULL ? -1 : json_number(json_member(failure, "executions_before"));
    into->first[at] = found > runs ? -1 : found;
    into->runs += json_number(json_member(output, "executions"));
    into->cpu += ran.cpu;
}

void search_all(const subject *of, const explorer *by, unsigned bound, double runs, size_t seed,
                search *into)
{
    *into = (search){ 0 };
    if (of->at_once)
        search_noting(of, by, bound, runs, seed, into);
    for (size_t i = 0; i < of->fault_count && !of->at_once; i++)
        search_fault(of, by, bound, runs, seed, i, into);
}

int run_noted(const char *program, const char *cases, notes *into)
{
    char   path[] = "/tmp/warren-radix.XXXXXX";
    char  *options[] = { "--cases", (char *)cases, "--seed", "1" };
    notes *of = new_notes(path, 1e15);
    int    status = run_subject(program, options, 4).status;
    *into = *of;
    end_notes(of, path);
    return status;
}

int run_with_fault(const char *program, const char *cases, size_t number)
{
    char  text[16];
    char *options[] = { "--cases", (char *)cases, "--seed", "1" };
    snprintf(text, sizeof text, "%zu", number);
    setenv("SUBJECT_FAULTS", text, 1);
    int status = run_subject(program, options, 4).status;
    unsetenv("SUBJECT_FAULTS");
    return status;
}
