/* store/files/file.c: reads and replaces files.
 *
 * A new text goes to a file of a temporary name, is synchronised, and takes the old one's place
 * by a rename. So a reader sees the old text or the new one, never a part.
 */
#include "store/files/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/folder.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1 /* the kernel's number */
#endif

#define MOST_ASIDE 1000 /* bad versions of one file */

char *wri_file_print(const char *format, ...)
{
    va_list values;
    char   *text = NULL;
    va_start(values, format);
    int length = vasprintf(&text, format, values);
    va_end(values);
    return length < 0 ? NULL : text;
}

/* ---- reading ---- */

/* A pipe or a terminal may let its reader wait for ever, and a device may have no end: they are
 * refused, with ESPIPE. */
static FILE *open_regular(const char *path)
{
    struct stat status;
    int         file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool        known = file >= 0 && fstat(file, &status) == 0;
    bool        regular = known && S_ISREG(status.st_mode);
    FILE       *opened = regular ? fdopen(file, "rb") : NULL;
    int         reason = !known || regular ? errno : S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    if (file >= 0 && opened == NULL)
        close(file);
    errno = reason;
    return opened;
}

/* Reads up to one byte more than is allowed: then the text is too large, and its reader sees
 * that. The buffer is made as large at once; the system gives memory only to the part that is
 * used. */
bool wri_stored_text_read(const char *path, wri_stored_text *text, wri_note *note)
{
    FILE *file = open_regular(path);
    int   reason = file == NULL ? errno : ENOMEM;
    *text = (wri_stored_text){ .where = strdup(path), .bytes = malloc(WRI_STORE_BYTES + 2) };
    bool read = file != NULL && text->where != NULL && text->bytes != NULL;
    if (read) {
        text->size = fread(text->bytes, 1, WRI_STORE_BYTES + 1, file);
        read = !ferror(file);
        reason = read ? ENOMEM : errno;
    }
    if (file != NULL)
        fclose(file);
    char *fitting = read ? realloc(text->bytes, text->size + 1) : NULL;
    if (fitting != NULL) {
        text->bytes = fitting;
        fitting[text->size] = '\0';
        return true;
    }
    wri_stored_text_free(text);
    wri_note_refuse(note, "%s: cannot read this file: %s", path,
                    reason == ESPIPE ? "it is a pipe or a device" : strerror(reason));
    errno = reason;
    return false;
}

/* ---- writing ---- */

/* Another process may make the folder at the same time; that is no error. */
static bool make_folder(const char *folder, wri_note *note)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0)
        return true;
    int reason = errno;
    if (stat(folder, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return true;
        reason = ENOTDIR;
    }
    return wri_note_refuse(note, "%s: cannot make this folder: %s", folder, strerror(reason));
}

/* Makes the folders that `path` lies in. */
static bool make_folders(const char *path, wri_note *note)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return wri_note_refuse(note, "%s: memory is out", path);
    bool  made = true;
    char *slash = strchr(folder + (path[0] == '/'), '/');
    while (made && slash != NULL) {
        *slash = '\0';
        made = make_folder(folder, note);
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(folder);
    return made;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        size -= (size_t)written;
    }
    return fsync(file) == 0 || errno == EINVAL; /* EINVAL: it cannot be synchronised */
}

/* Makes `temporary` with this text. After false errno says why, and a part may be there. */
static bool write_file(const char *temporary, const char *text, size_t size)
{
    unlink(temporary); /* left behind by a process that had this one's number */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool written = write_all(file, text, size);
    int  reason = errno;
    if (close(file) != 0 && written)
        return false;
    errno = reason;
    return written;
}

bool wri_file_replace(const char *path, const char *text, size_t size, wri_note *note)
{
    if (!make_folders(path, note))
        return false;
    char *temporary = wri_file_print("%s.tmp.%ld", path, (long)getpid());
    if (temporary == NULL)
        return wri_note_refuse(note, "%s: memory is out", path);
    bool replaced = write_file(temporary, text, size) && rename(temporary, path) == 0;
    if (!replaced && errno == ENOENT) /* a run of another machine took it for a stray one */
        replaced = write_file(temporary, text, size) && rename(temporary, path) == 0;
    if (!replaced) {
        int reason = errno;
        unlink(temporary);
        wri_note_refuse(note, "%s: cannot write this file: %s", path, strerror(reason));
    }
    free(temporary);
    return replaced;
}

/* PATH.tmp.PID, of a process that is gone? */
static bool is_stray(const char *name)
{
    const char *dot = strrchr(name, '.');
    char       *end = NULL;
    long        pid = dot == NULL ? 0 : strtol(dot + 1, &end, 10);
    return dot >= name + 4 && strncmp(dot - 4, ".tmp", 4) == 0 && pid > 0 && *end == '\0' &&
           kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

void wri_file_remove_strays(const char *folder)
{
    DIR *files = opendir(folder);
    for (const struct dirent *at; files != NULL && (at = readdir(files)) != NULL;)
        if (is_stray(at->d_name))
            unlinkat(dirfd(files), at->d_name, 0);
    if (files != NULL)
        closedir(files);
}

/* Fails with EEXIST when there is a file of the new name. Some file systems cannot check that
 * themselves. */
static bool rename_to_free(const char *path, const char *aside)
{
    if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, aside, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    struct stat there;
    if (lstat(aside, &there) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(path, aside) == 0;
}

bool wri_file_set_aside(const char *path, wri_note *note)
{
    struct stat what;
    if (lstat(path, &what) != 0 || !S_ISREG(what.st_mode))
        return true;
    bool moved = false;
    errno = EEXIST;
    for (unsigned number = 1; !moved && errno == EEXIST && number <= MOST_ASIDE; number++) {
        char *aside = number == 1 ? wri_file_print("%s.bad", path)
                                  : wri_file_print("%s.bad%u", path, number);
        moved = aside != NULL && rename_to_free(path, aside);
        int reason = aside == NULL ? ENOMEM : errno;
        if (moved)
            wri_note_refuse(note, "%s: the damaged file is kept as %s", path,
                            wri_folder_last_name(aside));
        free(aside);
        errno = reason;
    }
    return moved || wri_note_refuse(note, "%s: cannot move this file, which cannot be read: %s",
                                    path, strerror(errno));
}
