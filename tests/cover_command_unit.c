/* tests/cover_command_unit.c: the whole of `warren cover` on broken models, with random options.
 *
 * Each run is a process of its own, with limits on memory and time. It may do what was asked, or
 * say in one line why not. It must not crash, hang, find its own rows wrong, or end otherwise.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cli/commands.h"
#include "cover_mutations.h"
#include "sanitized.h"
#include "unit.h"

enum {
    ROUNDS = SANITIZED ? 60 : 250,
    FULL_ROUNDS = 2000, /* under script/test --full */
    ENOUGH = 1 << 18,   /* bytes of rows that are read before the pipe is closed */
    CPU_SECONDS = 120,  /* what takes longer hangs */
    SECONDS = 600,      /* the same for what sleeps */
    MEMORY = 1 << 30,
};

#if SANITIZED
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}
#endif

static char folder[64];

static const char *file(const char *name)
{
    static char paths[4][96];
    static int  next;
    char       *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text, size_t size)
{
    FILE *out = fopen(file(name), "w");
    CHECK(out != NULL && fwrite(text, 1, size, out) == size);
    if (out != NULL)
        fclose(out);
}

/* ---- Options ---- */

typedef struct words {
    char *word[24];
    int   count;
    char  number[24];
} words;

static void add(words *w, const char *word)
{
    w->word[w->count++] = (char *)word;
    w->word[w->count] = NULL;
}

static bool one_in(uint64_t *random, size_t count)
{
    return below(random, count) == 0;
}

/* The search is short, so that a run is. */
static void choose_options(uint64_t *random, bool casa, bool rows, words *w)
{
    static const char *const STRENGTHS[] = { "1", "2", "2", "3", "0", "x" };
    static const char *const FORMATS[] = { "csv", "tsv", "json", "acts", "xml" };
    static const char *const RADICES[] = { "auto", "auto", "2", "10", "off", "1" };
    static char              model[96], constraints[96], kept[96], infeasible[96], output[96];
    snprintf(model, sizeof model, "%s/m", folder);
    snprintf(constraints, sizeof constraints, "%s/c", folder);
    snprintf(kept, sizeof kept, "%s/r", folder);
    snprintf(infeasible, sizeof infeasible, "%s/i", folder);
    snprintf(output, sizeof output, "%s/o", folder);
    bool measure = rows && one_in(random, 3);
    *w = (words){ 0 };
    if (!measure || !one_in(random, 3))
        add(w, model);
    if (casa)
        add(w, constraints);
    if (one_in(random, 2))
        add(w, "-t"), add(w, STRENGTHS[below(random, 6)]);
    if (one_in(random, 3))
        add(w, "--format"), add(w, FORMATS[below(random, 5)]);
    if (one_in(random, 4))
        add(w, "--quiet");
    if (one_in(random, 8))
        add(w, "--case-sensitive");
    if (measure) {
        add(w, "--measure"), add(w, kept);
        if (one_in(random, 2))
            add(w, "--missing"), add(w, "3");
        return;
    }
    add(w, "--moves"), add(w, one_in(random, 2) ? "1" : "300");
    if (rows && one_in(random, 2))
        add(w, "--keep"), add(w, kept);
    if (one_in(random, 3))
        add(w, "--radix"), add(w, RADICES[below(random, 6)]);
    if (one_in(random, 8))
        add(w, "--radix-local"), add(w, "none");
    if (one_in(random, 2))
        add(w, "--verify");
    if (one_in(random, 8))
        add(w, "--infeasible"), add(w, infeasible);
    if (one_in(random, 8))
        add(w, "-o"), add(w, output);
}

/* ---- One run ---- */

static void be_the_command(words *w, const int *pipes)
{
    int errors = open(file("e"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(pipes[1], 1);
    dup2(errors, 2);
    close(pipes[0]);
    close(pipes[1]);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS });
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ MEMORY, MEMORY });
    if (!SANITIZED)
        setrlimit(RLIMIT_AS, &(struct rlimit){ MEMORY, MEMORY });
    alarm(SECONDS);
    exit(wri_cover_command(w->count, w->word));
}

/* Reads what the command writes, up to enough of it. Says whether that was all. */
static bool read_rows(int descriptor)
{
    static char bytes[1 << 14];
    size_t      total = 0;
    ssize_t     got = 1;
    while (total < ENOUGH && got > 0) {
        got = read(descriptor, bytes, sizeof bytes);
        total += got > 0 ? (size_t)got : 0;
    }
    close(descriptor);
    return got == 0;
}

static size_t count_lines(const char *name)
{
    FILE  *in = fopen(file(name), "r");
    size_t lines = 0;
    for (int c; in != NULL && (c = getc(in)) != EOF;)
        lines += c == '\n';
    if (in != NULL)
        fclose(in);
    return lines;
}

/* Prints what it takes to repeat a run. */
static void complain(const words *w, const char *text, size_t size, int status)
{
    fprintf(stderr, "ended with %s %d:", WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    for (int i = 0; i < w->count; i++)
        fprintf(stderr, " %s", w->word[i]);
    fprintf(stderr, "\n----\n%.*s\n----\n", (int)size, text);
}

/* The exit status of a run that ended as it may: 0, or 99 and a line that says why. */
static int run(words *w, const char *text, size_t size)
{
    int pipes[2], status = 0;
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0)
        be_the_command(w, pipes);
    close(pipes[1]);
    bool all = read_rows(pipes[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    bool cut = !all && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE;
    bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    bool refused = WIFEXITED(status) && WEXITSTATUS(status) == 99 && count_lines("e") >= 1;
    CHECK(cut || done || refused);
    if (!cut && !done && !refused)
        complain(w, text, size, status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static int run_round(uint64_t *random)
{
    char        text[4096];
    const char *seed = SEEDS[below(random, SEED_COUNT)];
    size_t      size = strlen(seed);
    words       w;
    memcpy(text, seed, size);
    for (size_t i = below(random, 4); i > 0; i--)
        size = mutate(random, text, size, sizeof text);
    const char *rows = memmem(text, size, "\nR\n", 3), *end = rows ? rows : text + size;
    const char *second = memchr(text, 'C', (size_t)(end - text));
    bool        casa = second != NULL && strchr("0123456789", text[0]) != NULL;
    write_file("m", text, (size_t)((casa ? second : end) - text));
    if (casa)
        write_file("c", second + 1, (size_t)(end - second) - 1);
    if (rows)
        write_file("r", rows + 3, (size_t)(text + size - rows) - 3);
    choose_options(random, casa, rows != NULL, &w);
    return run(&w, text, size);
}

TEST(the_command_survives_broken_models_and_any_options)
{
    uint64_t random = 2026;
    int      rounds = getenv("TEST_FULL") != NULL ? FULL_ROUNDS : ROUNDS, done = 0, refused = 0;
    snprintf(folder, sizeof folder, "/tmp/warren-cover-command.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    for (int round = 0; round < rounds && failures < 3; round++) {
        int status = run_round(&random);
        done += status == 0;
        refused += status == 99;
    }
    CHECK(done > rounds / 8 && refused > rounds / 8);
    for (const char *name = "mcrieo"; *name; name++)
        unlink(file((char[]){ *name, '\0' }));
    rmdir(folder);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
