/* core/folder.c: names folders; removes a folder with everything in it.
 *
 * A folder may lie deeper than there are descriptors. One that is too deep is moved to the top,
 * and removed there later.
 */
#include "core/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *wri_folder_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] == '\0')
        return strdup("/tmp");
    char *here = folder[0] == '/' ? NULL : getcwd(NULL, 0), *path = NULL;
    if (here == NULL)
        return strdup(folder);
    bool made = asprintf(&path, "%s/%s", here, folder) >= 0;
    free(here);
    return made ? path : NULL;
}

const char *wri_folder_from_here(const char *path)
{
    char   here[PATH_MAX];
    size_t length;
    if (getcwd(here, sizeof here) == NULL || (length = strlen(here), length < 2))
        return path;
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

char *wri_folder_program(const char *name)
{
    char *program = NULL;
    bool  here = strchr(name, '/') == NULL && access(name, F_OK) == 0;
    return asprintf(&program, "%s%s", here ? "./" : "", name) < 0 ? NULL : program;
}

#define DEEPEST 64

/* Moves a folder that is too deep to `top`; if the new name is taken, to another one. */
static bool lift(int top, int folder, const char *name)
{
    static unsigned count;
    char            higher[32];
    for (int i = 0; i < 100; i++) {
        snprintf(higher, sizeof higher, "lifted-%u", ++count);
        if (renameat(folder, name, top, higher) == 0)
            return true;
    }
    return false;
}

/* Returns whether a folder was lifted to `top`. */
static bool empty(int top, int folder, unsigned depth)
{
    bool lifted = false;
    DIR *listing = fdopendir(folder);
    if (listing == NULL) {
        close(folder);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            unlinkat(dirfd(listing), entry->d_name, 0) == 0 ||
            unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR) == 0)
            continue;
        fchmodat(dirfd(listing), entry->d_name, 0700, 0);
        if (depth == DEEPEST) {
            lifted |= lift(top, dirfd(listing), entry->d_name);
            continue;
        }
        int inner = openat(dirfd(listing), entry->d_name,
                           O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            lifted |= empty(top, inner, depth + 1);
        unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR);
    }
    closedir(listing);
    return lifted;
}

/* Code under test may have put a link or a file in its place, or shut it. */
static int open_folder(const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        chmod(path, 0700);
    else
        unlink(path);
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Most often there is none: that costs one system call. */
void wri_folder_remove(const char *path)
{
    if (rmdir(path) == 0 || errno == ENOENT)
        return;
    int  top = open_folder(path);
    bool more = top >= 0;
    while (more) {
        int folder = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        more = folder >= 0 && empty(top, folder, 0);
    }
    if (top >= 0)
        close(top);
    rmdir(path);
}

void wri_folder_fill_standard(void)
{
    for (int i = 0; i <= 2; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF && open("/", O_RDONLY | O_DIRECTORY) != i)
            return;
}
