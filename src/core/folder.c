/* core/folder.c: removes a folder with everything in it. */
#include "core/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEEPEST 256

static void empty(int folder, unsigned depth)
{
    DIR *listing = fdopendir(folder);
    if (listing == NULL) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(listing), entry->d_name, 0) == 0 || depth == DEEPEST)
            continue;
        fchmodat(dirfd(listing), entry->d_name, 0700, 0);
        int inner = openat(dirfd(listing), entry->d_name,
                           O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            empty(inner, depth + 1);
        unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR);
    }
    closedir(listing);
}

void wri_folder_remove(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0)
        empty(folder, 0);
    rmdir(path);
}
