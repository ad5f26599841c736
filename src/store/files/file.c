/* store/files/file.c: reading and replacing files.
 *
 * Whoever reads a file of the store sees the old text or the new one, never a part: text goes to
 * a temporary name, is synchronised, and takes the old one's place. What the text means is the
 * readers' business.
 */
#include "store/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/refuse.h"

#define MOST_ASIDE 1000 /* of one file */

char *wri_file_print(const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int   length = vsnprintf(NULL, 0, format, values);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(values);
    return text;
}

char *wri_file_print_by(void (*put)(FILE *out, const void *what), const void *what, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    put(out, what);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- reading ---- */

/* What wri_file_read() returns, of an open file. */
static char *read_bytes(FILE *file, size_t *count)
{
    size_t room = 4096;
    char  *bytes = malloc(room);
    *count = 0;
    while (bytes != NULL && *count <= WRI_FILE_BYTES) {
        *count += fread(bytes + *count, 1, room - *count, file);
        if (ferror(file)) {
            int reason = errno;
            free(bytes);
            errno = reason;
            return NULL;
        }
        if (*count < room)
            return bytes;
        room *= 2;
        char *more = realloc(bytes, room);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    return bytes;
}

char *wri_file_read(const char *path, size_t *count)
{
    char *bytes = NULL;
    FILE *file = fopen(path, "rbe");
    *count = 0;
    if (file == NULL)
        return NULL;
    bytes = read_bytes(file, count);
    int reason = errno;
    fclose(file);
    errno = reason;
    return bytes;
}

/* ---- writing ---- */

/* Another process may make it at the same time; what counts is that it is there. */
static bool make_folder(const char *folder, char *error, size_t error_size)
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
    return wri_refuse(error, error_size, "%s: cannot make this folder: %s", folder,
                      strerror(reason));
}

/* Makes the folders that `path` lies in. */
static bool make_folders(const char *path, char *error, size_t error_size)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool  made = true;
    char *slash = strchr(folder + (path[0] == '/'), '/');
    while (made && slash != NULL) {
        *slash = '\0';
        made = make_folder(folder, error, error_size);
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

/* Makes `temporary` with this text. On false errno says why, and it may be there in part. */
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

bool wri_file_replace(const char *path, const char *text, size_t size, char *error,
                      size_t error_size)
{
    if (!make_folders(path, error, error_size))
        return false;
    char *temporary = wri_file_print("%s.tmp.%ld", path, (long)getpid());
    if (temporary == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool replaced = write_file(temporary, text, size) && rename(temporary, path) == 0;
    if (!replaced) {
        int reason = errno;
        unlink(temporary);
        wri_refuse(error, error_size, "%s: cannot write this file: %s", path, strerror(reason));
    }
    free(temporary);
    return replaced;
}

/* Fails with EEXIST where there is a file of the new name. Not every file system can do that by
 * itself. */
static bool rename_to_free(const char *path, const char *aside)
{
    if (renameat2(AT_FDCWD, path, AT_FDCWD, aside, RENAME_NOREPLACE) == 0)
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

bool wri_file_set_aside(const char *path, char *error, size_t error_size)
{
    bool moved = false;
    errno = EEXIST;
    for (unsigned number = 1; !moved && errno == EEXIST && number <= MOST_ASIDE; number++) {
        char *aside = number == 1 ? wri_file_print("%s.bad", path)
                                  : wri_file_print("%s.bad%u", path, number);
        moved = aside != NULL && rename_to_free(path, aside);
        int reason = aside == NULL ? ENOMEM : errno;
        free(aside);
        errno = reason;
    }
    return moved ||
           wri_refuse(error, error_size, "%s: cannot move this file, which cannot be read: %s",
                      path, strerror(errno));
}
