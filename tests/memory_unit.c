/* tests/memory_unit.c: whole runs in one process (--no-fork) while memory runs out, at each
 * allocation in turn. inject_test does the same from outside, with workers, for some of them.
 *
 * A run ends as usual, or with status 99 and a word why. A failing property is never called one
 * that holds. Leaks and wrong accesses are the sanitizers' to find.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <warren.h>

#include "check.h"
#include "sanitized.h"
#include "starve.h"
#include "unit.h"

/* One allocation of so many fails; under script/test --full each one. */
#ifndef STEP
#define STEP (SANITIZED ? 29 : 11)
#endif

enum { MOST_WORDS = 24 };

static char store[] = "/tmp/warren-memory-XXXXXX";

/* Shared with the process of a run: whether an allocation failed. True unless it tells. */
static bool *told_failed;

/* Runs the words as a command line, in this process, with output to the file. */
static void be_the_run(const char *line, int output)
{
    char *words[MOST_WORDS] = { "memory_unit" }, *copy = __real_strdup(line);
    int   count = 1;
    for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " "))
        words[count++] = at;
    dup2(output, 1);
    dup2(output, 2);
    int status = wr_main(count, words);
    *told_failed = starved();
    starving.at = 0;
    free(copy);
    exit(status);
}

/* The status of a run; `text` gets what it printed. -1: a signal ended it. */
static int run(const char *line, char *text, size_t room)
{
    int   status = 0, output = memfd_create("output", MFD_CLOEXEC);
    pid_t child = fork();
    if (child == 0)
        be_the_run(line, output);
    waitpid(child, &status, 0);
    ssize_t got = pread(output, text, room - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    close(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int remove_inside(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

static void empty_store(void)
{
    CHECK(nftw(store, remove_inside, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static bool says_why(const char *text)
{
    return strstr(text, "memory") != NULL || strstr(text, "Cannot allocate") != NULL ||
           strstr(text, "ERROR") != NULL || strstr(text, "cannot") != NULL;
}

/* One allocation fails, or it and all after it do. False: none did. */
static bool try_one(const char *options, int usual, size_t at, bool goes_on)
{
    static char text[1 << 16];
    char        line[400];
    snprintf(line, sizeof line, "--no-fork --seed 1 --color never --store %s %s", store, options);
    starving.at = at;
    starving.goes_on = goes_on;
    *told_failed = true;
    empty_store();
    int  status = run(line, text, sizeof text);
    bool good = status == usual || (status == 99 && *told_failed && says_why(text));
    CHECK(good);
    if (!good)
        printf("%s: allocation %zu %s: status %d\n%s\n", options, at, goes_on ? "on" : "once",
               status, text);
    return *told_failed;
}

/* Tries a run of these options, which usually ends with that status. */
static void try_run(const char *options, int usual)
{
    size_t at = 1, step = getenv("TEST_FULL") != NULL ? 1 : STEP;
    while (failures < 5 && try_one(options, usual, at, false)) {
        try_one(options, usual, at, true);
        at += step;
    }
    CHECK(at > 50);
}

TEST(random_cases)
{
    try_run("holds fails --cases 60", 1);
    try_run("holds --until-stable --cases 100 --verbose", 0);
}

TEST(reports_for_programs)
{
    try_run("holds fails --format json --cases 60", 1);
    try_run("holds fails --format tap --junit /dev/null --cases 60", 1);
}

TEST(other_explorers)
{
    try_run("has_gates --explore guide --constants off --cases 1000 --verbose", 1);
    try_run("grows --explore enumerate --size 8", 1);
    try_run("has_gates holds --explore auto --constants off --cases 1200 --verbose", 1);
}

TEST(machines)
{
    try_run("shelves --cases 60", 1);
}

int main(int argc, char **argv)
{
    CHECK(mkdtemp(store) != NULL);
    told_failed = mmap(NULL, sizeof *told_failed, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int status = run_tests(argc, argv);
    empty_store();
    rmdir(store);
    return status != 0 ? status : failures > 0;
}
