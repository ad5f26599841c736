/* tests/behave.c: properties about what Warren does around a case, seen from inside one.
 *
 * Those that look at what came before are meant for --jobs 1: then one worker runs them all.
 * With BEHAVE_LOG=FILE some append a line for each case; with BEHAVE_CHECK=1 main() calls
 * wr_check() as another framework would.
 */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <warren.h>

/* Other processes append to the same file: one write a line. */
__attribute__((format(printf, 1, 2))) static void log_line(const char *format, ...)
{
    const char *path = getenv("BEHAVE_LOG");
    char        line[256];
    va_list     arguments;
    if (path == NULL)
        return;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    assert(file >= 0 && write(file, line, (size_t)length) == length);
    close(file);
}

/* ---- What a batch changes is undone after it ---- */

static char   first_folder[PATH_MAX];
static mode_t first_mask;
static bool   changed;

__attribute__((constructor)) static void look_around(void)
{
    assert(getcwd(first_folder, sizeof first_folder) != NULL);
    first_mask = umask(0);
    umask(first_mask);
    setenv("BEHAVE_KEPT", "kept", 1);
    setenv("BEHAVE_REMOVED", "there", 1);
}

static void on_signal(int number)
{
    (void)number;
}

static void change_the_process(wr_case *t)
{
    changed = true;
    wr_assert_eq(t, chdir("/"), 0);
    setenv("BEHAVE_KEPT", "changed", 1);
    unsetenv("BEHAVE_REMOVED");
    setenv("BEHAVE_ADDED", "added", 1);
    char *home = getenv("HOME");
    if (home != NULL && home[0] != '\0')
        home[0] = '#'; /* in place */
    signal(SIGUSR1, on_signal);
    struct sigaction masking = { .sa_handler = SIG_DFL };
    sigemptyset(&masking.sa_mask);
    sigaddset(&masking.sa_mask, SIGUSR1);
    sigaction(SIGUSR2, &masking, NULL);
    sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &files);
    signal(SIGSEGV, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigprocmask(SIG_BLOCK, &some, NULL);
    setlocale(LC_ALL, "C.UTF-8");
    umask(0177);
    fesetround(FE_UPWARD);
    alarm(1000);
}

static void find_the_process_unchanged(wr_case *t)
{
    struct sigaction action;
    sigset_t         mask;
    stack_t          stack;
    struct rlimit    files;
    wr_assert_str_eq(t, getenv("BEHAVE_KEPT"), "kept");
    wr_assert_str_eq(t, getenv("BEHAVE_REMOVED"), "there");
    wr_assert_str_eq(t, getenv("BEHAVE_ADDED"), NULL);
    wr_assert(t, getenv("HOME") == NULL || getenv("HOME")[0] != '#');
    sigaction(SIGUSR1, NULL, &action);
    wr_assert(t, action.sa_handler == SIG_DFL);
    sigaction(SIGUSR2, NULL, &action);
    wr_assert_eq(t, sigismember(&action.sa_mask, SIGUSR1), 0);
    wr_assert(t, sigaltstack(NULL, &stack) == 0 && stack.ss_flags == 0);
    wr_assert(t, getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > 3);
    sigaction(SIGSEGV, NULL, &action);
    wr_assert(t, action.sa_handler != SIG_IGN);
    sigaction(SIGPIPE, NULL, &action);
    wr_assert(t, action.sa_handler == SIG_DFL);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    wr_assert_eq(t, sigismember(&mask, SIGUSR2), 0);
    wr_assert_str_eq(t, setlocale(LC_ALL, NULL), "C");
    mode_t now = umask(first_mask);
    wr_assert_eq(t, now, first_mask);
    wr_assert_eq(t, fegetround(), FE_TONEAREST);
    wr_assert_eq(t, alarm(0), 0);
    setenv("BEHAVE_AGAIN", "works", 1); /* libc's own idea of the environment still holds */
    wr_assert_str_eq(t, getenv("BEHAVE_AGAIN"), "works");
    unsetenv("BEHAVE_AGAIN");
}

/* The first case changes it. The folder tells when a batch has ended since. */
WR_PROPERTY_WITH(finds_the_process_unchanged_after_a_batch, .cases = 5000)
{
    char here[PATH_MAX];
    wr_int(t, "n", 0, 1000);
    if (!changed) {
        change_the_process(t);
        return;
    }
    wr_assert(t, getcwd(here, sizeof here) != NULL);
    bool undone = strcmp(here, first_folder) == 0;
    wr_classify(t, undone, "undone");
    if (undone)
        find_the_process_unchanged(t);
}

/* ---- Setup, teardown, deferred ---- */

static int setups, teardowns, worker_setups;

static void set_up(wr_case *t)
{
    wr_int(t, "drawn in setup", 0, 9);
    wr_assert_eq(t, setups, teardowns);
    setups++;
}

static void tear_down(wr_case *t)
{
    (void)t;
    teardowns++;
}

static void set_up_worker(void)
{
    worker_setups++;
    log_line("worker setup %ld\n", (long)getpid());
}

static void tear_down_worker(void)
{
    log_line("worker teardown %ld\n", (long)getpid());
}

WR_PROPERTY_WITH(is_set_up_and_torn_down, .setup = set_up, .teardown = tear_down,
                 .worker_setup = set_up_worker, .worker_teardown = tear_down_worker)
{
    wr_assert_eq(t, worker_setups, 1);
    wr_assert_eq(t, setups, teardowns + 1);
    wr_assume(t, wr_int(t, "n", 0, 9) < 7); /* a discarded case is torn down, too */
}

static char   order[64];
static size_t order_used, pending;

static void note_order(void *what)
{
    order[order_used++] = *(char *)what;
    order[order_used] = '\0';
}

WR_PROPERTY(deferred_calls_run_last_first)
{
    if (pending > 0) { /* of the case before */
        char expected[64];
        for (size_t i = 0; i < pending; i++)
            expected[i] = (char)('a' + pending - 1 - i);
        expected[pending] = '\0';
        wr_assert_str_eq(t, order, expected);
    }
    order_used = 0;
    order[0] = '\0';
    pending = 0; /* the draw may end the case */
    pending = wr_size(t, "n", 1, 20);
    for (size_t i = 0; i < pending; i++) {
        char *what = wr_alloc(t, 1);
        *what = (char)('a' + i);
        wr_defer(t, note_order, what);
    }
    wr_assume(t, wr_bool(t, "kept"));
}

/* ---- Folders ---- */

static bool is_empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    int  entries = 0;
    if (folder == NULL)
        return false;
    while (readdir(folder) != NULL)
        entries++;
    closedir(folder);
    return entries == 2; /* . and .. */
}

WR_PROPERTY_WITH(a_folder_lives_as_long_as_its_case, .cases = 30)
{
    static char earlier[PATH_MAX];
    struct stat status;
    wr_assert(t, earlier[0] == '\0' || (stat(earlier, &status) != 0 && errno == ENOENT));
    const char *one = wr_tempdir(t), *two = wr_tempdir(t);
    wr_assert(t, is_empty_folder(one));
    wr_assert(t, is_empty_folder(two));
    wr_assert(t, strcmp(one, two) != 0);
    snprintf(earlier, sizeof earlier, "%s", one);
    char *inner = wr_format(t, "%s/inner", one), *file = wr_format(t, "%s/file", inner);
    wr_assert_eq(t, mkdir(inner, 0700), 0);
    wr_assert_eq(t, symlink("/", wr_format(t, "%s/link", one)), 0); /* is not followed */
    int opened = open(file, O_WRONLY | O_CREAT, 0600);
    wr_assert(t, opened >= 0);
    close(opened);
    chmod(inner, 0);
    wr_assume(t, wr_bool(t, "kept"));
}

WR_PROPERTY_WITH(a_folder_has_its_name_from_everywhere, .cases = 30)
{
    wr_bool(t, "b");
    const char *folder = wr_tempdir(t);
    wr_assert_eq(t, chdir(folder), 0);
    wr_assert(t, is_empty_folder(folder));
}

/* ---- Memory ---- */

WR_PROPERTY_WITH(memory_is_aligned_and_zeroed, .cases = 100)
{
    size_t n = wr_size(t, "n", 0, 30);
    for (size_t i = 0; i < n; i++) {
        size_t         bytes = wr_size(t, NULL, 0, 5000);
        unsigned char *block = wr_alloc(t, bytes);
        wr_assert(t, block != NULL);
        wr_assert_eq(t, (uintptr_t)block % 16, 0);
        for (size_t k = 0; k < bytes; k++)
            wr_assert_eq(t, block[k], 0);
        memset(block, 0xff, bytes); /* the next case gets the same memory */
    }
}

WR_PROPERTY_WITH(large_memory_is_zeroed_too, .cases = 20)
{
    size_t         bytes = wr_size(t, "bytes", 200000, 2000000);
    unsigned char *one = wr_alloc(t, bytes), *two = wr_alloc(t, bytes);
    for (size_t i = 0; i < bytes; i++)
        wr_assert(t, one[i] == 0 && two[i] == 0);
    memset(one, 1, bytes);
    memset(two, 2, bytes);
    wr_assert(t, one[bytes - 1] == 1);
}

WR_PROPERTY(malloced_memory_may_be_freed)
{
    size_t   n = wr_size(t, "n", 0, 100);
    uint8_t *bytes = wr_bytes(t, "bytes", n);
    uint8_t *copy = wr_malloced(t, bytes, n);
    wr_assert_mem_eq(t, copy, bytes, n);
    copy = realloc(copy, n + 100);
    wr_assert(t, copy != NULL);
    free(copy);
}

WR_PROPERTY(guarded_memory_ends_at_its_end)
{
    size_t   n = wr_size(t, "n", 0, 9000);
    uint8_t *block = wr_guarded(t, n);
    wr_assert_eq(t, ((uintptr_t)block + n) % 4096, 0);
    for (size_t i = 0; i < n; i++)
        wr_assert_eq(t, block[i], 0);
    memset(block, 1, n);
}

/* ---- The same seed, the same values ---- */

static uint64_t mixed(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static void *draw_leaf(wr_case *t, void *context)
{
    int *value = wr_alloc(t, sizeof *value);
    (void)context;
    *value = (int)wr_int(t, "leaf", -5, 5);
    return value;
}

static void draw_pair(wr_case *t, void *element, void *context)
{
    int16_t *pair = element;
    (void)context;
    pair[0] = wr_i16(t, "first");
    pair[1] = (int16_t)wr_int(t, "second", -3, 300);
}

/* A hash of one draw of everything. */
static uint64_t draw_everything(wr_case *t)
{
    static const uint32_t    weights[] = { 1, 0, 5, 2 };
    static const wr_constant colours[] = { { "RED", 4 }, { "GREEN", -2 }, { "BLUE", 9 } };
    static const int64_t     magic[] = { 123456, -77 };
    uint64_t                 h = 0xcbf29ce484222325u;
#define MIX(type, draw)                                                                          \
    do {                                                                                         \
        type drawn = (draw);                                                                     \
        h = mixed(h, &drawn, sizeof drawn);                                                      \
    } while (0)
#define MIX_MANY(draw, bytes) h = mixed(h, (draw), (bytes))
    wr_dictionary(t, 2, magic);
    MIX(bool, wr_bool(t, "bool"));
    MIX(bool, wr_chance(t, "chance", 1, 3));
    MIX(int64_t, wr_int(t, "int", -100, 1000000));
    MIX(int64_t, wr_int(t, "again", -100, 1000000));
    MIX(uint64_t, wr_uint(t, "uint", 5, UINT64_MAX));
    MIX(int8_t, wr_i8(t, "i8"));
    MIX(int16_t, wr_i16(t, "i16"));
    MIX(int32_t, wr_i32(t, "i32"));
    MIX(int64_t, wr_i64(t, "i64"));
    MIX(uint8_t, wr_u8(t, "u8"));
    MIX(uint16_t, wr_u16(t, "u16"));
    MIX(uint32_t, wr_u32(t, "u32"));
    MIX(uint64_t, wr_u64(t, "u64"));
    MIX(double, wr_double(t, "double", -1.5, 1e9));
    MIX(double, wr_any_double(t, "any double") + 0.0 == 0 ? 0 : 1);
    MIX(float, wr_float(t, "float", -1, 1));
    MIX(size_t, wr_pick(t, "pick", 17));
    MIX(size_t, wr_weighted(t, "weighted", 4, weights));
    MIX(int64_t, wr_enum(t, "enum", 3, colours));
    size_t n = wr_size(t, "n", 0, 40);
    MIX_MANY(wr_bytes(t, "bytes", n), n);
    MIX_MANY(wr_bools(t, "bools", n), n);
    MIX_MANY(wr_i8s(t, "i8s", n, -7, 100), n);
    MIX_MANY(wr_i16s(t, "i16s", n, -7, 1000), n * 2);
    MIX_MANY(wr_i32s(t, "i32s", n, INT32_MIN, INT32_MAX), n * 4);
    MIX_MANY(wr_ints(t, "ints", n, INT64_MIN, INT64_MAX), n * 8);
    MIX_MANY(wr_u64s(t, "u64s", n, 1, UINT64_MAX), n * 8);
    MIX_MANY(wr_doubles(t, "doubles", n, -2, 2), n * 8);
    MIX_MANY(wr_floats(t, "floats", n, -2, 2), n * 4);
    MIX_MANY(wr_picks(t, "picks", n, 9), n * sizeof(size_t));
    MIX_MANY(wr_unique_ints(t, "unique", n, -20, 60), n * 8);
    MIX_MANY(wr_permutation(t, "permutation", n), n * sizeof(size_t));
    MIX_MANY(wr_subset(t, "subset", n), n);
    const char *texts[] = { wr_text(t, "text", 0, 20), wr_utf8(t, "utf8", 0, 20),
                            wr_identifier(t, "identifier", 1, 9),
                            wr_text_of(t, "text of", "abc", 0, 9),
                            wr_matching(t, "matching", "a[0-9]{1,3}(x|yy)*") };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        MIX_MANY(texts[i], strlen(texts[i]));
    for (wr_each(t, i, n))
        MIX(int64_t, wr_int(t, "in a loop", 0, (int64_t)i));
    MIX_MANY(wr_array(t, n, 4, draw_pair, NULL), n * 4);
    int *leaf = wr_optional(t, "optional", draw_leaf, NULL);
    MIX(int, leaf == NULL ? 99 : *leaf);
#undef MIX
#undef MIX_MANY
    return h;
}

WR_PROPERTY_WITH(draws_everything, .cases = 300)
{
    log_line("%016llx\n", (unsigned long long)draw_everything(t));
}

/* While exploring, draws take the fast path; when a failure is confirmed, the traced one. Did
 * they differ, the failure would not come again. */
WR_PROPERTY(fast_draws_equal_traced_draws)
{
    uint64_t hash = draw_everything(t);
    log_line("%016llx\n", (unsigned long long)hash);
    if (hash % 7 == 0)
        wr_fail(t, "hash");
}

/* ---- What is allowed ---- */

WR_PROPERTY_WITH(may_fork_and_wait, .cases = 50)
{
    int   n = (int)wr_int(t, "n", 0, 100), status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(n);
    wr_assert_eq(t, waitpid(child, &status, 0), child);
    wr_assert(t, WIFEXITED(status) && WEXITSTATUS(status) == n);
}

WR_PROPERTY_WITH(may_run_programs, .cases = 20)
{
    wr_bool(t, "b");
    wr_assert_eq(t, system("exit 0"), 0);
}

WR_PROPERTY(may_print)
{
    int64_t n = wr_int(t, "n", 0, 100);
    printf("SPOKEN %d\n", (int)n);
    fprintf(stderr, "SHOUTED %d\n", (int)n);
    wr_note(t, "NOTED");
}

WR_PROPERTY(standard_input_is_empty)
{
    wr_bool(t, "b");
    char byte;
    wr_assert_eq(t, read(0, &byte, 1), 0);
}

WR_PROPERTY(counts_labels)
{
    int64_t n = wr_int(t, "n", 0, 99);
    wr_classify(t, n < 50, "small");
    wr_label(t, "%s", n % 2 == 0 ? "even" : "odd");
}

WR_PROPERTY(discards_a_third)
{
    wr_assume(t, wr_int(t, "n", 0, 299) % 3 != 0);
}

/* Stays within bounds a shell of 1.5 MB grows in; recycled workers must not be seen. */
WR_PROPERTY_WITH(may_keep_growing, .cases = 400)
{
    wr_bool(t, "b");
    static char *volatile all[400];
    static size_t used;
    size_t        bytes = 500000;
    char         *more = malloc(bytes);
    memset(more, 1, bytes);
    all[used % 400] = more;
    wr_assert(t, all[used++ % 400] != NULL);
}

/* An interpreter's own words; no sanitizer said them. */
WR_PROPERTY_WITH(may_speak_of_runtime_errors, .cases = 50)
{
    fprintf(stderr, "runtime error: %d\n", (int)wr_int(t, "n", 0, 9));
    fprintf(stderr, "main.lua:3: runtime error: nil\n");
}

WR_PROPERTY_WITH(counts_many_labels, .cases = 20000)
{
    wr_label(t, "%d", (int)wr_int(t, "n", 0, 2000));
}

static void round_upward(void)
{
    fesetround(FE_UPWARD);
}

WR_PROPERTY_WITH(keeps_the_rounding_of_its_worker, .cases = 5000, .worker_setup = round_upward)
{
    wr_bool(t, "b");
    wr_assert_eq(t, fegetround(), FE_UPWARD);
}

/* Each shrinking try that fails is a bug of its own. */
WR_PROPERTY_WITH(fails_as_another_bug_each_time, .many_bugs = true)
{
    char class[32];
    int64_t x = wr_int(t, "x", 0, 1000000);
    snprintf(class, sizeof class, "%lld", (long long)x);
    wr_class(t, class);
    wr_fail(t, "failed at %lld", (long long)x);
}

/* As many choices, and as much in arrays, as a case may have: confirmed like any other. */
WR_PROPERTY_WITH(fails_with_many_choices, .shrink_time_ms = 1)
{
    uint64_t sum = 0;
    for (int i = 0; i < 250000; i++)
        sum += wr_u8(t, NULL);
    wr_assert(t, sum < 1000);
}

WR_PROPERTY_WITH(fails_with_long_arrays, .shrink_time_ms = 1)
{
    uint8_t *a = wr_bytes(t, NULL, 4000000), *b = wr_bytes(t, NULL, 4000000);
    wr_assert(t, a[0] != b[0] || a[1] == b[2]);
    wr_assert(t, a[5] > 255);
}

/* BEHAVE_MIND: the property as it is after it was changed. */
WR_PROPERTY(changes_its_mind)
{
    const char *mind = getenv("BEHAVE_MIND");
    if (mind != NULL && strcmp(mind, "draws another") == 0) {
        wr_bool(t, "other");
        return;
    }
    int64_t n = wr_int(t, "n", 0, 1000);
    bool    repaired =
        mind != NULL && (strcmp(mind, "repaired") == 0 || (strcmp(mind, "half") == 0 && n < 700));
    wr_assert(t, n < 500 || repaired);
    if (mind != NULL && strcmp(mind, "draws more") == 0)
        wr_bool(t, "more");
}

/* ---- From another framework ---- */

static void adds_up(wr_case *t)
{
    int64_t a = wr_int(t, "a", 0, 100), b = wr_int(t, "b", 0, 100);
    wr_assert_eq(t, a + b, b + a);
}

static void is_small(wr_case *t)
{
    int64_t n = wr_int(t, "n", 0, 1000);
    wr_assert_lt(t, n, 500);
}

int main(int argc, char **argv)
{
    if (getenv("BEHAVE_CHECK") == NULL)
        return wr_main(argc, argv);
    static const wr_options named = { .name = "is_small", .cases = 200 };
    struct sigaction        before, after;
    sigaction(SIGINT, NULL, &before);
    printf("adds_up %d\n", wr_check(NULL, adds_up));
    printf("is_small %d\n", wr_check(&named, is_small));
    printf("adds_up again %d\n", wr_check(NULL, adds_up));
    sigaction(SIGINT, NULL, &after);
    printf("SIGINT %s\n", after.sa_handler == before.sa_handler ? "as before" : "changed");
    return 0;
}
