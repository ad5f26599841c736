/* run/undo.c: what cases change in the process is undone between batches.
 *
 * The working directory, the environment, signal handlers and mask, the locale, the umask,
 * timers and the rounding mode. Changes of global variables are not: --fork-each is for those.
 */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "run/worker.h"

extern char **environ;

static struct {
    char             folder[PATH_MAX];
    struct stat      folder_id;
    char           **environment; /* the array itself */
    char           **strings;     /* a copy of its pointers */
    size_t           count;
    uint64_t         hash;        /* of the strings' text */
    char            *texts;       /* and the text, one after the other */
    size_t           text_bytes;
    struct sigaction actions[NSIG];
    sigset_t         mask;
    char             locale[512];
    mode_t           creation_mask;
} was;

static uint64_t environment_hash(char **strings, size_t *count)
{
    uint64_t hash = 0;
    size_t   i = 0;
    for (; strings != NULL && strings[i] != NULL; i++)
        hash = wri_hash_step(hash, wri_hash_bytes(strings[i], strlen(strings[i])));
    *count = i;
    return hash;
}

static void remember_environment(void)
{
    free(was.strings);
    free(was.texts);
    was.environment = environ;
    was.hash = environment_hash(environ, &was.count);
    was.text_bytes = 0;
    for (size_t i = 0; i < was.count; i++)
        was.text_bytes += strlen(environ[i]) + 1;
    was.strings = malloc((was.count + 1) * sizeof *was.strings);
    was.texts = malloc(was.text_bytes + 1);
    if (was.strings == NULL || was.texts == NULL)
        _exit(99);
    char *at = was.texts;
    for (size_t i = 0; i < was.count; i++) {
        was.strings[i] = environ[i];
        at = stpcpy(at, environ[i]) + 1;
    }
    was.strings[was.count] = NULL;
}

void wri_undo_remember(void)
{
    if (getcwd(was.folder, sizeof was.folder) == NULL || stat(".", &was.folder_id) != 0)
        was.folder[0] = '\0';
    remember_environment();
    for (int i = 1; i < NSIG; i++)
        sigaction(i, NULL, &was.actions[i]);
    sigprocmask(SIG_SETMASK, NULL, &was.mask);
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(was.locale, sizeof was.locale, "%s", locale == NULL ? "C" : locale);
    was.creation_mask = umask(0);
    umask(was.creation_mask);
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

/* The text of a string may have been changed in place, so a change of any kind puts the whole
 * environment back from the copy. */
static void undo_environment(void)
{
    size_t count;
    if (environ == was.environment && environment_hash(environ, &count) == was.hash &&
        count == was.count)
        return;
    char *at = was.texts;
    for (size_t i = 0; i < was.count; i++) {
        was.strings[i] = at;
        at += strlen(at) + 1;
    }
    environ = was.strings;
    was.environment = environ;
}

static void undo_signals(void)
{
    for (int i = 1; i < NSIG; i++) {
        struct sigaction is;
        if (sigaction(i, NULL, &is) == 0 && (is.sa_sigaction != was.actions[i].sa_sigaction ||
                                             is.sa_flags != was.actions[i].sa_flags))
            sigaction(i, &was.actions[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &was.mask, NULL);
    struct itimerval none = { { 0, 0 }, { 0, 0 } };
    setitimer(ITIMER_REAL, &none, NULL);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    setitimer(ITIMER_PROF, &none, NULL);
}

static void undo_locale(void)
{
    uselocale(LC_GLOBAL_LOCALE);
    const char *is = setlocale(LC_ALL, NULL);
    if (is == NULL || strcmp(is, was.locale) != 0)
        setlocale(LC_ALL, was.locale);
}

void wri_undo(void)
{
    undo_folder();
    undo_environment();
    undo_signals();
    undo_locale();
    umask(was.creation_mask);
    fesetenv(FE_DFL_ENV);
}

bool wri_descriptors_closed(void)
{
    for (int i = 0; i <= 2; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF)
            return true;
    return false;
}
