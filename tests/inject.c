/* tests/inject.c: makes the n-th call of a kind fail. The dynamic loader puts this before the C
 * library (LD_PRELOAD), so the program under test is the one that users have.
 *
 * INJECT_COUNTS names a file with a counter for each kind of call, which all processes of a run
 * share. INJECT_AT is "KIND N once": the N-th call of that kind fails; or "KIND N on": all from
 * it on do. Calls inside the C library count only if it makes them through its own symbols: those
 * of malloc, calloc and realloc.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t *counts; /* NULL: not yet, or not asked for */
static int               kind = -1;
static uint32_t          first;
static bool              goes_on;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("INJECT_COUNTS"), *at = getenv("INJECT_AT");
    char        name[16] = "", how[8] = "";
    int         file = path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR);
    if (file < 0)
        return;
    void *mapped = (void *)syscall(SYS_mmap, NULL, sizeof *counts * INJECT_KINDS,
                                   PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (mapped == MAP_FAILED)
        return;
    if (at != NULL && sscanf(at, "%15s %u %7s", name, &first, how) == 3)
        for (int i = 0; i < INJECT_KINDS; i++)
            if (strcmp(INJECT_NAMES[i], name) == 0)
                kind = i;
    goes_on = strcmp(how, "on") == 0;
    counts = mapped;
}

/* From here on this process's calls are neither counted nor made to fail. */
void inject_rest(void)
{
    counts = NULL;
}

/* Counts a call, and says whether it is to fail, with this reason. */
static bool fails(int what, int reason)
{
    if (counts == NULL)
        return false;
    uint32_t number = atomic_fetch_add(&counts[what], 1) + 1;
    if (what != kind || number < first || (number > first && !goes_on))
        return false;
    errno = reason;
    return true;
}

/* The function that this one stands before. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* ---- Memory: dlsym() itself allocates ---- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);

void *malloc(size_t bytes)
{
    return fails(INJECT_MEMORY, ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(INJECT_MEMORY, ENOMEM) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails(INJECT_MEMORY, ENOMEM) ? NULL : __libc_realloc(memory, bytes);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (fails(INJECT_MMAP, ENOMEM))
        return MAP_FAILED;
    return REAL(mmap)(where, bytes, protection, flags, file, offset);
}

/* ---- Processes ---- */

pid_t fork(void)
{
    return fails(INJECT_FORK, EAGAIN) ? -1 : REAL(fork)();
}

int pipe2(int ends[2], int flags)
{
    return fails(INJECT_PIPE, EMFILE) ? -1 : REAL(pipe2)(ends, flags);
}

/* ---- Files ---- */

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails(INJECT_OPEN, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails(INJECT_OPEN, EMFILE) ? -1 : REAL(openat)(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *how)
{
    return fails(INJECT_OPEN, EMFILE) ? NULL : REAL(fopen)(path, how);
}

int memfd_create(const char *name, unsigned flags)
{
    return fails(INJECT_OPEN, EMFILE) ? -1 : REAL(memfd_create)(name, flags);
}

int dup(int file)
{
    return fails(INJECT_OPEN, EMFILE) ? -1 : REAL(dup)(file);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(INJECT_OPEN, ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return fails(INJECT_WRITE, ENOSPC) ? -1 : REAL(write)(file, bytes, count);
}

/* The bytes are written, but nobody can know: as if the last of them had found no room. */
int fflush(FILE *file)
{
    return REAL(fflush)(file) != 0 || (file != NULL && fails(INJECT_WRITE, ENOSPC)) ? EOF : 0;
}

int fclose(FILE *file)
{
    return REAL(fclose)(file) != 0 || fails(INJECT_WRITE, ENOSPC) ? EOF : 0;
}

int rename(const char *from, const char *to)
{
    return fails(INJECT_RENAME, EIO) ? -1 : REAL(rename)(from, to);
}

int fsync(int file)
{
    return fails(INJECT_FSYNC, EIO) ? -1 : REAL(fsync)(file);
}
