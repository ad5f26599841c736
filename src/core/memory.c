/* core/memory.c: the resources that a case gives its property besides choices: memory, guarded
 * buffers, deferred calls, a temporary folder. All of them end with the case. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/case.h"
#include "core/folder.h"

void *wri_memory_take(wr_case *t, size_t bytes)
{
    void *block = wri_arena_take(&t->arena, bytes);
    if (WRI_UNLIKELY(block == NULL))
        wri_case_end(t, WRI_OVERRUN, "", 0, "the case needs too much memory");
    return block;
}

void *wri_memory_array(wr_case *t, size_t n, size_t bytes)
{
    size_t product;
    return wri_memory_take(t, __builtin_mul_overflow(n, bytes, &product) ? SIZE_MAX : product);
}

void *wr_alloc(wr_case *t, size_t bytes)
{
    return memset(wri_memory_take(t, bytes), 0, bytes);
}

void *wr_copy(wr_case *t, const void *from, size_t bytes)
{
    void *block = wri_memory_take(t, bytes);
    return bytes == 0 ? block : memcpy(block, from, bytes);
}

char *wr_format(wr_case *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int   length = vsnprintf(NULL, 0, format, again);
    char *text = wri_memory_take(t, length < 0 ? 1 : (size_t)length + 1);
    va_end(again);
    text[0] = '\0';
    if (length >= 0)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void *wr_malloced(wr_case *t, const void *from, size_t bytes)
{
    bool  faulty = wri_case_calm();
    void *block = malloc(bytes == 0 ? 1 : bytes);
    wri_case_faulty = faulty;
    if (block == NULL)
        wri_case_end(t, WRI_OVERRUN, "", 0, "the case needs too much memory");
    return bytes == 0 ? block : memcpy(block, from, bytes);
}

void wr_defer(wr_case *t, void (*function)(void *), void *pointer)
{
    wri_deferred *now = wri_memory_take(t, sizeof *now);
    *now = (wri_deferred){ .next = t->deferred, .function = function, .pointer = pointer };
    t->deferred = now;
}

void *wr_take(wr_case *t, void *malloced)
{
    wr_defer(t, free, malloced);
    return malloced;
}

/* ---- Guarded buffers ---- */

typedef struct guarded {
    void  *memory;
    size_t bytes;
} guarded;

static void unmap(void *pointer)
{
    guarded *buffer = pointer;
    munmap(buffer->memory, buffer->bytes);
}

void *wr_guarded(wr_case *t, size_t bytes)
{
    size_t   page = (size_t)sysconf(_SC_PAGESIZE);
    guarded *buffer = wri_memory_take(t, sizeof *buffer);
    if (!wri_arena_count(&t->arena, bytes))
        wri_case_end(t, WRI_OVERRUN, "", 0, "the case needs too much memory");
    size_t usable = (bytes + page - 1) / page * page;
    buffer->bytes = usable + page;
    bool faulty = wri_case_calm();
    buffer->memory =
        mmap(NULL, buffer->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    wri_case_faulty = faulty;
    if (buffer->memory == MAP_FAILED)
        wri_case_end(t, WRI_OVERRUN, "", 0, "the case needs too much memory");
    char *guard = (char *)buffer->memory + usable;
    wr_defer(t, unmap, buffer);
    if (mprotect(guard, page, PROT_NONE) != 0)
        wri_case_end(t, WRI_OVERRUN, "", 0, "the case has too many guarded buffers");
    return guard - bytes;
}

void *wr_guarded_copy(wr_case *t, const void *from, size_t bytes)
{
    void *block = wr_guarded(t, bytes);
    return bytes == 0 ? block : memcpy(block, from, bytes);
}

/* ---- A folder ---- */

static void remove_folder(void *path)
{
    wri_folder_remove(path);
}

/* Code under test may have put a link in its place: nothing is made behind that. */
static bool make_base(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) == 0)
        return true;
    if (errno != EEXIST || lstat(path, &status) != 0)
        return false;
    return S_ISDIR(status.st_mode) || (unlink(path) == 0 && mkdir(path, 0700) == 0);
}

static const char *make_folder(wr_case *t)
{
    if (!make_base(t->tempdir_base))
        wri_case_misuse(t, "wr_tempdir: cannot make %s: %s", t->tempdir_base, strerror(errno));
    for (;;) {
        char *path = wr_format(t, "%s/%u", t->tempdir_base, t->tempdirs++);
        if (mkdir(path, 0700) == 0) {
            wr_defer(t, remove_folder, path);
            return path;
        }
        if (errno != EEXIST)
            wri_case_misuse(t, "wr_tempdir: cannot make %s: %s", path, strerror(errno));
    }
}

const char *wr_tempdir(wr_case *t)
{
    bool        faulty = wri_case_calm();
    const char *path = make_folder(t);
    wri_case_faulty = faulty;
    return path;
}
