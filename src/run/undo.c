/* run/undo.c: undoes the changes that cases made to the process.
 *
 * Before each case it restores the arithmetic (core/arithmetic.h), the locale and errno: whether
 * they changed can be asked without a system call. Between batches it restores the working
 * directory, the environment, signal handlers, their stack and the mask, the umask, interval
 * timers and soft limits of resources. It does not restore global variables, nor timers of
 * timer_create(): --fork-each is for those.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/hash.h"
#include "run/worker.h"

extern char **environ;

/* A copy of an environment: the strings one after the other. `work` is a copy of that copy,
 * and `strings` point into it: what is put in place may be changed in place. */
typedef struct copied {
    struct copied *older; /* may still be pointed to by today's environment */
    char         **strings;
    char          *texts, *work;
    size_t         count, bytes;
    uint64_t       hash; /* of the text */
} copied;

wri_undo_start wri_undo_started;

/* The C library decides on the type of a timer's name, and of a limit's, so no array can hold
 * them. */
#define EACH_TIMER(X) X(ITIMER_REAL, 0) X(ITIMER_VIRTUAL, 1) X(ITIMER_PROF, 2)
#define EACH_LIMIT(X)                                                                            \
    X(RLIMIT_AS, 0)                                                                              \
    X(RLIMIT_CPU, 1)                                                                             \
    X(RLIMIT_DATA, 2)                                                                            \
    X(RLIMIT_FSIZE, 3)                                                                           \
    X(RLIMIT_MEMLOCK, 4) X(RLIMIT_NOFILE, 5) X(RLIMIT_NPROC, 6) X(RLIMIT_STACK, 7)

static struct {
    char             folder[PATH_MAX];
    struct stat      folder_id;
    char           **environment; /* the array itself */
    copied          *copy;
    struct sigaction actions[NSIG];
    sigset_t         mask;
    stack_t          stack; /* of handlers */
    struct rlimit    limits[8];
    char             locale[512];
    locale_t         own_locale; /* this thread's */
    mode_t           creation_mask;
    struct itimerval timers[3];
} was;

static uint64_t environment_hash(char **strings, size_t *count, size_t *bytes)
{
    uint64_t hash = 0;
    size_t   i = 0;
    *bytes = 0;
    for (; strings != NULL && strings[i] != NULL; i++) {
        size_t length = strlen(strings[i]);
        hash = wri_hash_step(hash, wri_hash_bytes(strings[i], length));
        *bytes += length + 1;
    }
    *count = i;
    return hash;
}

static bool environment_changed(void)
{
    size_t count, bytes;
    return was.copy == NULL || environ != was.environment ||
           environment_hash(environ, &count, &bytes) != was.copy->hash ||
           count != was.copy->count;
}

static void remember_environment(void)
{
    if (!environment_changed())
        return;
    copied *copy = calloc(1, sizeof *copy);
    if (copy == NULL)
        _exit(99);
    copy->hash = environment_hash(environ, &copy->count, &copy->bytes);
    copy->strings = calloc(copy->count + 1, sizeof *copy->strings);
    copy->texts = malloc(copy->bytes + 1);
    copy->work = malloc(copy->bytes + 1);
    if (copy->strings == NULL || copy->texts == NULL || copy->work == NULL)
        _exit(99);
    char *at = copy->texts;
    for (size_t i = 0; i < copy->count; i++)
        at = stpcpy(at, environ[i]) + 1;
    copy->older = was.copy;
    was.copy = copy;
    was.environment = environ;
}

/* ---- Before each case ---- */

/* glibc counts the changes of the global locale there, for gettext's sake. Another libc may have
 * no such count. */
extern int _nl_msg_cat_cntr __attribute__((weak));

/* The thread-local storage of the C library: that with errno in it. */
typedef struct storage {
    const char *words;
    size_t      bytes;
} storage;

static int find_storage(struct dl_phdr_info *info, size_t size, void *found)
{
    storage *libc = found;
    if (size < sizeof *info || info->dlpi_tls_data == NULL)
        return 0;
    libc->words = info->dlpi_tls_data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            libc->bytes = info->dlpi_phdr[i].p_memsz;
    return (uintptr_t)&errno - (uintptr_t)libc->words < libc->bytes;
}

/* The word in that storage that follows uselocale(); one that never changes where there is none.
 * So a case can ask for it without a call. */
static const void *const *find_own_locale(void)
{
    static const void *const none;
    const void *const       *found = &none;
    storage                  libc = { 0 };
    if (dl_iterate_phdr(find_storage, &libc) == 0)
        return &none;
    locale_t plain = newlocale(LC_ALL_MASK, "C", NULL), before = uselocale(plain);
    for (size_t at = 0; at + sizeof plain <= libc.bytes; at += sizeof plain)
        if (memcmp(libc.words + at, &plain, sizeof plain) == 0)
            found = (const void *const *)(const void *)(libc.words + at);
    uselocale(LC_GLOBAL_LOCALE);
    bool follows = *(const void *const volatile *)found != plain;
    uselocale(before);
    return follows ? found : &none;
}

static void remember_locale(void)
{
    static const int          none;
    static const void *const *own;
    wri_undo_start           *start = &wri_undo_started;
    if (own == NULL)
        own = find_own_locale();
    start->locale_count = &_nl_msg_cat_cntr != NULL ? &_nl_msg_cat_cntr : &none;
    start->own_locale = own;
    start->locale_counted = *start->locale_count;
    start->own_locale_began = *start->own_locale;
}

void wri_undo_remember_case(void)
{
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(was.locale, sizeof was.locale, "%s", locale == NULL ? "C" : locale);
    was.own_locale = uselocale(NULL);
    remember_locale();
    wri_undo_started.error = &errno;
    wri_arithmetic_get(&wri_undo_started.arithmetic);
    wri_undo_started.arithmetic.control &= ~WRI_CONTROL_FLAGS;
    wri_undo_started.calm_x87 =
        wri_undo_started.arithmetic.x87 == WRI_PLAIN_X87 ? WRI_PLAIN_X87 : UINT16_MAX;
}

void wri_undo_locale(void)
{
    uselocale(was.own_locale);
    const char *is = setlocale(LC_ALL, NULL);
    if (is == NULL || strcmp(is, was.locale) != 0)
        setlocale(LC_ALL, was.locale);
    remember_locale();
}

/* ---- Between batches ---- */

void wri_undo_remember(const sigset_t *mask)
{
    wri_undo_remember_case();
    if (getcwd(was.folder, sizeof was.folder) == NULL || stat(".", &was.folder_id) != 0)
        was.folder[0] = '\0';
    remember_environment();
    for (int i = 1; i < NSIG; i++)
        sigaction(i, NULL, &was.actions[i]);
    sigaltstack(NULL, &was.stack);
    was.mask = *mask;
    was.creation_mask = umask(0);
    umask(was.creation_mask);
#define READ(timer, i) getitimer(timer, &was.timers[i]);
    EACH_TIMER(READ)
#undef READ
#define READ(which, i) getrlimit(which, &was.limits[i]);
    EACH_LIMIT(READ)
#undef READ
}

static void undo_folder(void)
{
    struct stat id;
    if (was.folder[0] == '\0')
        return;
    if (stat(".", &id) != 0 || id.st_ino != was.folder_id.st_ino ||
        id.st_dev != was.folder_id.st_dev)
        if (chdir(was.folder) != 0)
            was.folder[0] = '\0'; /* it is gone: nothing to go back to */
}

/* A change of any kind puts the whole environment back from the copy. */
static void undo_environment(void)
{
    copied *copy = was.copy;
    if (!environment_changed())
        return;
    memcpy(copy->work, copy->texts, copy->bytes);
    char *at = copy->work;
    for (size_t i = 0; i < copy->count; i++) {
        copy->strings[i] = at;
        at += strlen(at) + 1;
    }
    copy->strings[copy->count] = NULL;
    environ = was.environment = copy->strings;
}

/* The kernel fills in so many bytes of a set; those behind them have any value. */
#define SET_BYTES (NSIG / 8)

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_sigaction == b->sa_sigaction && a->sa_flags == b->sa_flags &&
           memcmp(&a->sa_mask, &b->sa_mask, SET_BYTES) == 0;
}

/* Signals that a case blocked, and that came meanwhile. To ignore one forgets it. */
static void drop_pending(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigset_t         pending;
    if (sigpending(&pending) != 0)
        return;
    for (int i = 1; i < NSIG; i++)
        if (sigismember(&pending, i) == 1)
            sigaction(i, &ignore, NULL);
}

/* In this order: no timer of a case sends a signal any more, and none that it sent is left, when
 * the actions are those of the start. */
static void undo_signals(void)
{
    stack_t stack;
#define SET(timer, i) setitimer(timer, &was.timers[i], NULL);
    EACH_TIMER(SET)
#undef SET
    drop_pending();
    for (int i = 1; i < NSIG; i++) {
        struct sigaction is;
        if (sigaction(i, NULL, &is) == 0 && !same_action(&is, &was.actions[i]))
            sigaction(i, &was.actions[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &was.mask, NULL);
    if (sigaltstack(NULL, &stack) == 0 &&
        (stack.ss_sp != was.stack.ss_sp || stack.ss_flags != was.stack.ss_flags))
        sigaltstack(&was.stack, NULL);
}

static void undo_limits(void)
{
    struct rlimit is;
#define SET(which, i)                                                                            \
    if (getrlimit(which, &is) == 0 && is.rlim_cur != was.limits[i].rlim_cur) {                   \
        is.rlim_cur = was.limits[i].rlim_cur;                                                    \
        setrlimit(which, &is);                                                                   \
    }
    EACH_LIMIT(SET)
#undef SET
}

void wri_undo(void)
{
    undo_limits();
    undo_folder();
    undo_environment();
    undo_signals();
    wri_undo_locale();
    umask(was.creation_mask);
}

bool wri_undo_descriptors_closed(void)
{
    for (int i = 0; i <= 2; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF)
            return true;
    return false;
}
