/* report/draft.c: files that are renamed when they are whole. */
#include "report/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* malloced, or NULL. */
static char *joined(const char *format, const char *first, const char *second)
{
    char *text;
    return asprintf(&text, format, first, second) < 0 ? NULL : text;
}

/* From the root, because a property may change the folder; malloced, or NULL. Follows links,
 * so that a rename replaces the file and not the link to it. */
static char *whole_path(const char *path)
{
    char *here, *whole = realpath(path, NULL);
    if (whole || errno != ENOENT)
        return whole;
    if (path[0] == '/')
        return strdup(path);
    here = getcwd(NULL, 0);
    whole = here ? joined("%s/%s", here, path) : NULL;
    free(here);
    return whole;
}

static bool find_path(wri_draft *draft, const char *path)
{
    struct stat status;
    char        process[32];
    draft->path = whole_path(path);
    if (!draft->path)
        return false;
    if (stat(draft->path, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = EISDIR;
        return !S_ISDIR(status.st_mode);
    }
    snprintf(process, sizeof process, "%ld", (long)getpid());
    draft->first = joined("%s.%s.tmp", draft->path, process);
    return draft->first != NULL;
}

/* Opens the first file as a new one: one that is there belongs to somebody else. A pipe that
 * nobody reads is refused, and not waited for. */
FILE *wri_draft_open(const wri_draft *draft)
{
    int   flags = O_WRONLY | O_CLOEXEC | (draft->first ? O_CREAT | O_EXCL : O_NONBLOCK);
    int   file = open(draft->first ? draft->first : draft->path, flags, 0666);
    FILE *out = file < 0 || fcntl(file, F_SETFL, 0) != 0 ? NULL : fdopen(file, "w");
    if (file >= 0 && !out)
        close(file);
    return out;
}

bool wri_draft_close(const wri_draft *draft, FILE *out, bool whole)
{
    int why;
    whole = !ferror(out) && whole;
    whole = fclose(out) == 0 && whole;
    if (draft->first && whole)
        whole = rename(draft->first, draft->path) == 0;
    if (!draft->first || whole)
        return whole;
    why = errno;
    unlink(draft->first);
    errno = why;
    return false;
}

/* Better now than after an hour of hunting. */
static bool try_to_write(const wri_draft *draft)
{
    FILE *out;
    if (!draft->first)
        return access(draft->path, W_OK) == 0;
    out = wri_draft_open(draft);
    if (!out)
        return false;
    fclose(out);
    return unlink(draft->first) == 0;
}

bool wri_draft_find(wri_draft *draft, const char *path)
{
    *draft = (wri_draft){ 0 };
    return find_path(draft, path) && try_to_write(draft);
}

void wri_draft_free(wri_draft *draft)
{
    free(draft->path);
    free(draft->first);
    *draft = (wri_draft){ 0 };
}
