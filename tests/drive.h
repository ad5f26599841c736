/* tests/drive.h: running test programs from a test, and looking into what they tell.
 *
 * A program runs with its standard output and error in memory, a limit that only a hang can
 * reach, and no WARREN_ variable from outside. This process adopts whatever a program leaves
 * behind, so left_behind() counts it.
 */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef HANG_SECONDS
#define HANG_SECONDS 120
#endif

extern char **environ;
static int    failures;
static char   now_testing[300];
static char   scratch[64]; /* a folder for this test alone; TMPDIR of all programs */

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, now_testing, #condition);              \
            failures++;                                                                          \
        }                                                                                        \
    } while (0)

#define CHECK_TEXT(got, expected) check_text(__LINE__, got, expected)
#define CHECK_NUMBER(got, expected) check_number(__LINE__, got, expected)
#define CHECK_HAS(text, part) check_has(__LINE__, text, part)

__attribute__((unused)) static void check_text(int line, const char *got, const char *expected)
{
    if (strcmp(got, expected) == 0)
        return;
    printf("line %d: %s: expected '%s', got '%s'\n", line, now_testing, expected, got);
    failures++;
}

__attribute__((unused)) static void check_number(int line, long got, long expected)
{
    if (got == expected)
        return;
    printf("line %d: %s: expected %ld, got %ld\n", line, now_testing, expected, got);
    failures++;
}

__attribute__((unused)) static void check_has(int line, const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        return;
    printf("line %d: %s: expected '%s' in '%s'\n", line, now_testing, part, text);
    failures++;
}

/* How often the part comes in the text, not counting overlaps. */
__attribute__((unused)) static long count_of(const char *text, const char *part)
{
    long count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

/* ---- Running ---- */

typedef struct run {
    pid_t pid;
    int   out_file, err_file;
    int   status; /* exit status; -1: a signal */
    int   signal; /* 0: none */
    char  out[1 << 20], err[1 << 16];
} run;

static const char *scratch_path(const char *name)
{
    static char path[4][400];
    static int  turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", scratch, name);
    return path[turn];
}

/* The file of a machine's rules in a store: RULES_OF is PROGRAM.MACHINE. Its name ends in a key.
 */
__attribute__((unused)) static const char *rules_file(const char *store, const char *rules_of)
{
    static char path[500];
    glob_t      found;
    snprintf(path, sizeof path, "%s/rules/%s.*.rules", store, rules_of);
    if (glob(path, 0, NULL, &found) == 0)
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static void remove_scratch(void)
{
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

__attribute__((unused)) static void begin_driving(void)
{
    snprintf(scratch, sizeof scratch, "/tmp/warren-test-XXXXXX");
    if (mkdtemp(scratch) == NULL || chdir(scratch) != 0) {
        perror(scratch);
        exit(1);
    }
    atexit(remove_scratch);
    setvbuf(stdout, NULL, _IOLBF, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGINT, SIG_DFL); /* in the background of a script they may be ignored */
    signal(SIGHUP, SIG_DFL);
    setenv("TMPDIR", scratch, 1);
    mkdir(scratch_path(".warren"), 0700); /* or a store would be looked for further up */
    for (char **at = environ; *at != NULL;) {
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
        if (strncmp(name, "WARREN_", 7) == 0 || strncmp(name, "BEHAVE_", 7) == 0)
            unsetenv(name);
        else
            at++;
    }
}

/* True: programs that are called from now on look for leaks, even if ASAN_OPTIONS said that this
 * test does not. False: as ASAN_OPTIONS said. */
__attribute__((unused)) static void look_for_leaks(bool always)
{
    static char before[400];
    if (always) {
        const char *options = getenv("ASAN_OPTIONS");
        snprintf(before, sizeof before, "%s", options == NULL ? "" : options);
    }
    char options[sizeof before + 20];
    snprintf(options, sizeof options, "%s%s", before, always ? ":detect_leaks=1" : "");
    setenv("ASAN_OPTIONS", options, 1);
}

/* Called in a new process before it becomes the program; false: it cannot. */
static bool (*before_program)(void);

__attribute__((unused)) static bool before_program_works(bool (*it)(void))
{
    int   status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(it() ? 0 : 1);
    waitpid(pid, &status, 0);
    return status == 0;
}

/* Mounts an empty folder there, for this process and its children. False: this user may not. */
__attribute__((unused)) static bool hide_folder(const char *path)
{
    int      uid = (int)getuid();
    unsigned spaces = CLONE_NEWNS | (uid == 0 ? 0u : (unsigned)CLONE_NEWUSER);
    char     map[64];
    if (unshare((int)spaces) != 0)
        return false;
    if (uid != 0) {
        snprintf(map, sizeof map, "%d %d 1", uid, uid);
        int users = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
        if (users < 0 || write(users, map, strlen(map)) < 0)
            return false;
        close(users);
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", path, "tmpfs", 0, NULL) == 0;
}

/* `line` is split at spaces; arguments have none inside. */
static run *start_line(const char *line)
{
    static char copy[8192];
    char       *words[64] = { 0 };
    size_t      count = 0;
    run        *r = calloc(1, sizeof *r);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = strtok(copy, " "); at != NULL && count < 63; at = strtok(NULL, " "))
        words[count++] = at;
    r->out_file = memfd_create("out", MFD_CLOEXEC);
    r->err_file = memfd_create("err", MFD_CLOEXEC);
    fflush(NULL);
    r->pid = fork();
    if (r->pid == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0);
        dup2(r->out_file, 1);
        dup2(r->err_file, 2);
        if (before_program != NULL && !before_program())
            _exit(126);
        execvp(words[0], words);
        perror(words[0]);
        _exit(127);
    }
    return r;
}

__attribute__((unused, format(printf, 1, 2))) static run *start(const char *format, ...)
{
    char    line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return start_line(line);
}

static void pause_ms(long milliseconds)
{
    struct timespec moment = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
    nanosleep(&moment, NULL);
}

static void read_back(int file, char *to, size_t room)
{
    ssize_t got = pread(file, to, room - 1, 0);
    to[got > 0 ? got : 0] = '\0';
}

/* What it has printed so far. */
__attribute__((unused)) static const char *so_far(run *r)
{
    read_back(r->out_file, r->out, sizeof r->out);
    return r->out;
}

static void finish(run *r)
{
    int  status = 0;
    long waited = 0;
    while (waitpid(r->pid, &status, WNOHANG) == 0) {
        pause_ms(2);
        waited += 2;
        if (waited > HANG_SECONDS * 1000L) {
            printf("%s: hangs\n", now_testing);
            failures++;
            kill(r->pid, SIGKILL);
            waited = 0;
        }
    }
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    read_back(r->out_file, r->out, sizeof r->out);
    read_back(r->err_file, r->err, sizeof r->err);
    close(r->out_file);
    close(r->err_file);
}

__attribute__((unused, format(printf, 1, 2))) static run *call(const char *format, ...)
{
    char    line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    run *r = start_line(line);
    finish(r);
    return r;
}

/* ---- What is left behind ---- */

static int children(void)
{
    char path[64], text[4096];
    int  count = 0;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *file = fopen(path, "r");
    if (file != NULL && fgets(text, sizeof text, file) != NULL)
        for (char *at = strtok(text, " \n"); at != NULL; at = strtok(NULL, " \n"))
            count++;
    if (file != NULL)
        fclose(file);
    return count;
}

/* Processes that are still there once those that were told to end have had the time. */
__attribute__((unused)) static int left_behind(void)
{
    int left = children();
    for (int i = 0; i < HANG_SECONDS * 200 && left > 0; i++) {
        pause_ms(5);
        left = children();
    }
    return left;
}

/* A program says that it has come to some place: it appends a byte to the file $TEST_MARKS. No
 * test knows how long that takes. */
__attribute__((unused)) static void expect_marks(void)
{
    setenv("TEST_MARKS", scratch_path("marks"), 1);
    unlink(getenv("TEST_MARKS"));
}

/* Waits for so many; false: they never came. */
__attribute__((unused)) static bool marked(long count)
{
    struct stat status = { 0 };
    for (int i = 0; i < HANG_SECONDS * 200; i++) {
        if (stat(getenv("TEST_MARKS"), &status) == 0 && status.st_size >= count)
            break;
        pause_ms(5);
    }
    unsetenv("TEST_MARKS");
    return status.st_size >= count;
}

/* Folders of cases that are still there. */
__attribute__((unused)) static int folders_left(void)
{
    DIR *folder = opendir(scratch);
    int  count = 0;
    for (struct dirent *at; folder != NULL && (at = readdir(folder)) != NULL;)
        if (strncmp(at->d_name, "warren-", 7) == 0) {
            printf("%s/%s\n", scratch, at->d_name);
            count++;
        }
    if (folder != NULL)
        closedir(folder);
    return count;
}

__attribute__((unused)) static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* ---- JSON: enough to look a value up by its path ---- */

static const char *json_skip(const char *at);

static const char *json_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *json_skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if (*at == '\0' || (unsigned char)*at < ' ')
            return NULL;
        if (*at == '\\' && *++at == '\0')
            return NULL;
    }
    return at + 1;
}

static const char *json_skip_group(const char *at, char close, bool named)
{
    at = json_space(at + 1);
    if (*at == close)
        return at + 1;
    for (;;) {
        if (named) {
            if (*at != '"' || (at = json_skip_string(at)) == NULL)
                return NULL;
            at = json_space(at);
            if (*at++ != ':')
                return NULL;
        }
        if ((at = json_skip(at)) == NULL)
            return NULL;
        at = json_space(at);
        if (*at == close)
            return at + 1;
        if (*at++ != ',')
            return NULL;
        at = json_space(at);
    }
}

/* Behind a value; NULL: it is none. */
static const char *json_skip(const char *at)
{
    at = json_space(at);
    if (*at == '"')
        return json_skip_string(at);
    if (*at == '{')
        return json_skip_group(at, '}', true);
    if (*at == '[')
        return json_skip_group(at, ']', false);
    size_t length = strspn(at, "-+.0123456789eEtrufalsn");
    return length == 0 ? NULL : at + length;
}

/* The value of "a.b.2": members by name, elements by number; NULL: not there. */
static const char *json_find(const char *at, const char *path)
{
    while (at != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        long   wanted = strtol(path, NULL, 10);
        at = json_space(at);
        bool named = *at == '{';
        if (*at != '{' && *at != '[')
            return NULL;
        char        close = named ? '}' : ']';
        const char *found = NULL;
        at = json_space(at + 1);
        for (long i = 0; *at != close && found == NULL; i++) {
            const char *name = at;
            if (named) {
                at = json_skip_string(at);
                at = json_space(at) + 1;
            }
            if (named ? strncmp(name + 1, path, length) == 0 && name[length + 1] == '"'
                      : i == wanted)
                found = json_space(at);
            at = json_space(json_skip(at));
            at += *at == ',';
            at = json_space(at);
        }
        at = found;
        path += length + (path[length] == '.');
    }
    return at;
}

/* Text of a string, digits of a number, "" when it is not there. */
__attribute__((unused)) static const char *json_text(const char *json, const char *path)
{
    static char texts[8][8192];
    static int  turn;
    char       *text = texts[turn = (turn + 1) % 8], *to = text;
    const char *at = json_find(json, path);
    if (at == NULL)
        return "";
    if (*at != '"') {
        snprintf(text, sizeof texts[0], "%.*s", (int)(json_skip(at) - at), at);
        return text;
    }
    for (at++; *at != '"' && to < text + sizeof texts[0] - 1; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        at++;
        *to++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
    }
    *to = '\0';
    return text;
}

__attribute__((unused)) static long json_number(const char *json, const char *path)
{
    const char *at = json_find(json, path);
    return at == NULL ? -1 : strtol(at, NULL, 10);
}

/* The line of a property; "" when there is none. */
__attribute__((unused)) static const char *line_of(const run *r, const char *property)
{
    char head[200];
    snprintf(head, sizeof head, "{\"property\": \"%s\"", property);
    const char *at = strstr(r->out, head);
    return at == NULL ? "" : at;
}

/* ---- Running the tests ---- */

typedef struct test {
    const char *name;
    void (*run)(void);
} test;
#define TEST(name)                                                                               \
    {                                                                                            \
#name, name                                                                              \
    }

/* Runs those whose name has one of `words` in it, all where there are none; the exit status. */
__attribute__((unused)) static int drive(const test *tests, size_t count, char **words,
                                         int word_count)
{
    for (size_t i = 0; i < count; i++) {
        bool wanted = word_count <= 0;
        for (int k = 0; k < word_count; k++)
            wanted |= strstr(tests[i].name, words[k]) != NULL;
        if (!wanted)
            continue;
        int before = failures;
        snprintf(now_testing, sizeof now_testing, "%s", tests[i].name);
        tests[i].run();
        printf("%s %s\n", failures == before ? "ok  " : "FAIL", tests[i].name);
    }
    printf("%d checks failed\n", failures);
    return failures == 0 ? 0 : 1;
}

#endif
