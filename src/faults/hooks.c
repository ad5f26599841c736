/* faults/hooks.c: the functions that <warren/faults.h> lays before those of the C library.
 *
 * Each asks whether its call is to fail, and else jumps to the function that the program would
 * have called. While no call can fail that is a load and a jump more. The first call of each
 * function looks for the other one: that of a sanitizer's run-time, which has a second name for
 * it, or the next of that name after the program's own.
 *
 * A call counts if it comes from the code under test. A call from Warren does not, and neither
 * does one from a library that has one of these functions itself: strdup() calls malloc(), and
 * counts once. So the numbers of calls are the same with every C library.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/faults.h"

/* Planted in the program: dlsym(RTLD_NEXT, name), as seen from there. */
extern void *wr_fault_next_(const char *name) __attribute__((weak));

bool wri_hooks_planted(void)
{
    return wr_fault_next_ != NULL;
}

/* ---- The table ---- */

/* X(name, the sorts in which it can fail). */
#define MEMORY WR_FAULT_MEMORY
#define OPEN WR_FAULT_OPEN
#define READ (WR_FAULT_SHORT | WR_FAULT_EINTR | WR_FAULT_EAGAIN | WR_FAULT_IO)
#define WRITE (WR_FAULT_SHORT | WR_FAULT_EINTR | WR_FAULT_EAGAIN | WR_FAULT_NO_SPACE)
#define SPACE WR_FAULT_NO_SPACE
#define WAIT WR_FAULT_EINTR
#define HOOKS(X)                                                                                 \
    X(malloc, MEMORY)                                                                            \
    X(calloc, MEMORY)                                                                            \
    X(realloc, MEMORY)                                                                           \
    X(reallocarray, MEMORY)                                                                      \
    X(posix_memalign, MEMORY)                                                                    \
    X(aligned_alloc, MEMORY)                                                                     \
    X(memalign, MEMORY)                                                                          \
    X(strdup, MEMORY)                                                                            \
    X(strndup, MEMORY)                                                                           \
    X(asprintf, MEMORY)                                                                          \
    X(vasprintf, MEMORY)                                                                         \
    X(__asprintf_chk, MEMORY)                                                                    \
    X(__vasprintf_chk, MEMORY)                                                                   \
    X(getline, MEMORY)                                                                           \
    X(getdelim, MEMORY)                                                                          \
    X(__getdelim, MEMORY)                                                                        \
    X(mmap, MEMORY)                                                                              \
    X(mmap64, MEMORY)                                                                            \
    X(open, OPEN)                                                                                \
    X(open64, OPEN)                                                                              \
    X(openat, OPEN)                                                                              \
    X(openat64, OPEN)                                                                            \
    X(creat, OPEN)                                                                               \
    X(creat64, OPEN)                                                                             \
    X(__open_2, OPEN)                                                                            \
    X(__open64_2, OPEN)                                                                          \
    X(__openat_2, OPEN)                                                                          \
    X(__openat64_2, OPEN)                                                                        \
    X(fopen, OPEN)                                                                               \
    X(fopen64, OPEN)                                                                             \
    X(fdopen, OPEN)                                                                              \
    X(freopen, OPEN)                                                                             \
    X(freopen64, OPEN)                                                                           \
    X(tmpfile, OPEN)                                                                             \
    X(tmpfile64, OPEN)                                                                           \
    X(opendir, OPEN)                                                                             \
    X(mkstemp, OPEN)                                                                             \
    X(mkstemp64, OPEN)                                                                           \
    X(pipe, OPEN)                                                                                \
    X(pipe2, OPEN)                                                                               \
    X(dup, OPEN)                                                                                 \
    X(dup2, OPEN)                                                                                \
    X(dup3, OPEN)                                                                                \
    X(socket, OPEN)                                                                              \
    X(accept, OPEN | WAIT | WR_FAULT_EAGAIN)                                                     \
    X(accept4, OPEN | WAIT | WR_FAULT_EAGAIN)                                                    \
    X(connect, WAIT)                                                                             \
    X(read, READ)                                                                                \
    X(__read_chk, READ)                                                                          \
    X(pread, READ)                                                                               \
    X(pread64, READ)                                                                             \
    X(__pread_chk, READ)                                                                         \
    X(__pread64_chk, READ)                                                                       \
    X(readv, READ & ~WR_FAULT_SHORT)                                                             \
    X(recv, READ)                                                                                \
    X(__recv_chk, READ)                                                                          \
    X(recvfrom, READ)                                                                            \
    X(recvmsg, READ & ~WR_FAULT_SHORT)                                                           \
    X(write, WRITE)                                                                              \
    X(pwrite, WRITE)                                                                             \
    X(pwrite64, WRITE)                                                                           \
    X(writev, WRITE & ~WR_FAULT_SHORT)                                                           \
    X(send, WRITE & ~WR_FAULT_NO_SPACE)                                                          \
    X(sendto, WRITE & ~WR_FAULT_NO_SPACE)                                                        \
    X(sendmsg, WRITE & ~(WR_FAULT_NO_SPACE | WR_FAULT_SHORT))                                    \
    X(fread, WR_FAULT_IO)                                                                        \
    X(__fread_chk, WR_FAULT_IO)                                                                  \
    X(fgets, WR_FAULT_IO)                                                                        \
    X(__fgets_chk, WR_FAULT_IO)                                                                  \
    X(fwrite, SPACE)                                                                             \
    X(fputs, SPACE)                                                                              \
    X(fflush, SPACE)                                                                             \
    X(fclose, SPACE)                                                                             \
    X(ferror, 0)                                                                                 \
    X(clearerr, 0)                                                                               \
    X(ftruncate, SPACE | WAIT)                                                                   \
    X(ftruncate64, SPACE | WAIT)                                                                 \
    X(mkdir, SPACE)                                                                              \
    X(rename, SPACE)                                                                             \
    X(link, SPACE)                                                                               \
    X(symlink, SPACE)                                                                            \
    X(fsync, WR_FAULT_SYNC)                                                                      \
    X(fdatasync, WR_FAULT_SYNC)                                                                  \
    X(msync, WR_FAULT_SYNC)                                                                      \
    X(poll, WAIT)                                                                                \
    X(select, WAIT)                                                                              \
    X(waitpid, WAIT)                                                                             \
    X(nanosleep, WAIT)                                                                           \
    X(pthread_create, WR_FAULT_THREAD)                                                           \
    X(fork, WR_FAULT_THREAD)                                                                     \
    X(time, WR_FAULT_CLOCK)                                                                      \
    X(gettimeofday, WR_FAULT_CLOCK)                                                              \
    X(clock_gettime, WR_FAULT_CLOCK)

enum {
#define NUMBER(name, sorts) AT_##name,
    HOOKS(NUMBER)
#undef NUMBER
        COUNT
};

/* A sanitizer's run-time has each of its own under these names, too. */
#define OTHER_NAMES(name, sorts) extern char __interceptor_##name[] __attribute__((weak));
HOOKS(OTHER_NAMES)
#undef OTHER_NAMES

static const struct {
    const char *name;
    uint32_t    sorts;
    char       *sanitizer;
} ROWS[COUNT] = {
#define ROW(name, sorts) { #name, sorts, __interceptor_##name },
    HOOKS(ROW)
#undef ROW
};

static _Atomic(void *) reals[COUNT];

/* These run before a sanitizer's run-time has begun. */
#define BARE __attribute__((no_sanitize("address", "undefined")))
/* A hook jumps and does not call, however it is compiled: leak checkers know memory of the
 * dynamic linker by the caller of malloc(). */
#ifdef __clang__
#define JUMP __attribute__((musttail))
#define HOOK BARE WR_API
#else
#define JUMP
#define HOOK BARE __attribute__((optimize("O2"))) WR_API
#endif

static BARE __attribute__((cold, noinline)) void *find(int at)
{
    void *real = ROWS[at].sanitizer;
    if (real == NULL && wr_fault_next_ != NULL)
        real = wr_fault_next_(ROWS[at].name);
    if (real == NULL)
        abort(); /* a library that has no such function calls it */
    atomic_store_explicit(&reals[at], real, memory_order_relaxed);
    return real;
}

static inline BARE void *real_at(int at)
{
    void *real = atomic_load_explicit(&reals[at], memory_order_relaxed);
    return __builtin_expect(real != NULL, 1) ? real : find(at);
}

/* ---- Whose call is it? ---- */

#define RANGES 16
typedef struct range {
    uintptr_t from, to;
} range;
static range    ranges[RANGES];
static unsigned range_count;
static bool     prepared;

/* In a static libwarren, its code: script and build give that section a name. */
extern const char __start_wri_text[] __attribute__((weak));
extern const char __stop_wri_text[] __attribute__((weak));

static void add_range(uintptr_t from, uintptr_t to)
{
    if (range_count < RANGES && from < to)
        ranges[range_count++] = (range){ from, to };
}

typedef struct object {
    const struct dl_phdr_info *info;
    range                      code;
} object;

static bool has(const object *one, const void *address)
{
    return (uintptr_t)address >= one->code.from && (uintptr_t)address < one->code.to;
}

static object object_of(const struct dl_phdr_info *info)
{
    object one = { info, { UINTPTR_MAX, 0 } };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
            continue;
        one.code.from = from < one.code.from ? from : one.code.from;
        one.code.to = to > one.code.to ? to : one.code.to;
    }
    return one;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *first)
{
    object one = object_of(info);
    bool   program = *(bool *)first;
    bool   own = has(&one, (const void *)(uintptr_t)wri_hooks_planted);
    bool   taken = own || info->dlpi_addr == getauxval(AT_BASE);
    (void)size;
    *(bool *)first = false;
    for (int i = 0; i < COUNT && !taken; i++)
        taken = reals[i] != NULL && has(&one, reals[i]);
    if (program) /* also with a static libc: then nobody tells it from the code under test */
        add_range((uintptr_t)__start_wri_text, (uintptr_t)__stop_wri_text);
    else if (taken)
        add_range(one.code.from, one.code.to);
    return 0;
}

void wri_hooks_prepare(void)
{
    bool first = true;
    if (prepared)
        return;
    for (int i = 0; i < COUNT; i++) { /* of those, a C library may lack some */
        void *real = ROWS[i].sanitizer;
        reals[i] = real != NULL ? real : wr_fault_next_(ROWS[i].name);
    }
    dl_iterate_phdr(look_at, &first);
    prepared = true;
}

bool wri_hooks_foreign(const void *caller)
{
    for (unsigned i = 0; i < range_count; i++)
        if ((uintptr_t)caller >= ranges[i].from && (uintptr_t)caller < ranges[i].to)
            return false;
    return true;
}

/* ---- Do calls come here? ---- */

static const char *volatile tried; /* compilers take these functions not to write to it */

/* A call that was made to find out. */
static bool is_trial(int at)
{
    if (tried == NULL || strcmp(tried, ROWS[at].name) != 0)
        return false;
    tried = NULL;
    return true;
}

static const char *try_call(const char *name, const volatile void *result, bool frees)
{
    if (frees)
        free((void *)(uintptr_t)result);
    bool came = tried == NULL;
    tried = NULL;
    return came ? NULL : name;
}

const char *wri_hooks_missing(uint32_t sorts)
{
    static uint32_t known;
    const char     *missing = NULL;
    struct timespec moment;
    char            byte;
    bool            faulty = wri_case_faulty;
    sorts &= ~known;
    wri_case_faulty = true; /* so that the hooks look */
#define TRY(sort, name, call)                                                                    \
    if ((sorts & (sort)) != 0 && missing == NULL) {                                              \
        tried = #name;                                                                           \
        missing = try_call(#name, NULL, ((void)(call), false));                                  \
    }
    if ((sorts & WR_FAULT_MEMORY) != 0) {
        tried = "malloc";
        void *volatile block = malloc(1);
        missing = try_call("malloc", block, true);
    }
    TRY(WR_FAULT_OPEN, dup, dup(-1))
    TRY(WR_FAULT_IO | WR_FAULT_SHORT | WR_FAULT_EAGAIN | WR_FAULT_EINTR, read, read(-1, &byte, 1))
    TRY(WR_FAULT_NO_SPACE, ftruncate, ftruncate(-1, 0))
    TRY(WR_FAULT_SYNC, fsync, fsync(-1))
    TRY(WR_FAULT_CLOCK, clock_gettime, clock_gettime(CLOCK_REALTIME, &moment))
#undef TRY
    wri_case_faulty = faulty;
    if (missing == NULL)
        known |= sorts;
    return missing;
}

/* ---- Calls ---- */

/* Does this call fail? The sort of the fault; negative: it does not. */
static __attribute__((cold, noinline)) int meet(int at, uint32_t sorts, const void *caller)
{
    return is_trial(at) ? -1 : wri_faults_meet(sorts, ROWS[at].name, caller);
}

#define CALLER __builtin_return_address(0)
#define FAILS(name, sorts)                                                                       \
    (WRI_UNLIKELY(wri_case_faulty) ? meet(AT_##name, (uint32_t)(sorts), CALLER) : -1)
#define REAL(name, type) ((type)(uintptr_t)real_at(AT_##name))

/* X(result, name, parameters, arguments, the result of a call that fails). */
#define PLAIN(result, name, parameters, arguments, failed)                                       \
    HOOK result wr_fault_##name##_ parameters;                                                   \
    HOOK result wr_fault_##name##_ parameters                                                    \
    {                                                                                            \
        if (FAILS(name, ROWS[AT_##name].sorts) >= 0)                                             \
            return failed;                                                                       \
        JUMP return REAL(name, result(*) parameters) arguments;                                  \
    }

/* ---- Memory ---- */

PLAIN(void *, malloc, (size_t bytes), (bytes), NULL)
PLAIN(void *, calloc, (size_t count, size_t bytes), (count, bytes), NULL)
PLAIN(void *, realloc, (void *block, size_t bytes), (block, bytes), NULL)
PLAIN(void *, reallocarray, (void *block, size_t count, size_t bytes), (block, count, bytes),
      NULL)
PLAIN(int, posix_memalign, (void **block, size_t at, size_t bytes), (block, at, bytes), ENOMEM)
PLAIN(void *, aligned_alloc, (size_t at, size_t bytes), (at, bytes), NULL)
PLAIN(void *, memalign, (size_t at, size_t bytes), (at, bytes), NULL)
PLAIN(char *, strdup, (const char *text), (text), NULL)
PLAIN(char *, strndup, (const char *text, size_t most), (text, most), NULL)
PLAIN(int, vasprintf, (char **text, const char *format, va_list list), (text, format, list), -1)
PLAIN(int, __vasprintf_chk, (char **text, int flag, const char *format, va_list list),
      (text, flag, format, list), -1)
PLAIN(ssize_t, getline, (char **line, size_t *room, FILE *file), (line, room, file), -1)
PLAIN(ssize_t, getdelim, (char **line, size_t *room, int end, FILE *file),
      (line, room, end, file), -1)
PLAIN(ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *file),
      (line, room, end, file), -1)
PLAIN(void *, mmap, (void *where, size_t bytes, int protection, int flags, int file, off_t from),
      (where, bytes, protection, flags, file, from), MAP_FAILED)
PLAIN(void *, mmap64,
      (void *where, size_t bytes, int protection, int flags, int file, off64_t from),
      (where, bytes, protection, flags, file, from), MAP_FAILED)

HOOK int wr_fault_asprintf_(char **text, const char *format, ...) WR_PRINTF_(2, 3);
HOOK int wr_fault_asprintf_(char **text, const char *format, ...)
{
    va_list list;
    if (FAILS(asprintf, MEMORY) >= 0)
        return -1;
    va_start(list, format);
    int length = REAL(vasprintf, int (*)(char **, const char *, va_list))(text, format, list);
    va_end(list);
    return length;
}

HOOK int wr_fault___asprintf_chk_(char **text, int flag, const char *format, ...)
    WR_PRINTF_(3, 4);
HOOK int wr_fault___asprintf_chk_(char **text, int flag, const char *format, ...)
{
    va_list list;
    if (FAILS(__asprintf_chk, MEMORY) >= 0)
        return -1;
    va_start(list, format);
    int length = REAL(__vasprintf_chk,
                      int (*)(char **, int, const char *, va_list))(text, flag, format, list);
    va_end(list);
    return length;
}

/* ---- Streams that a fault has met: ferror() knows of it ---- */

#define STREAMS 16
static FILE *failed[STREAMS];

static FILE **find_failed(const FILE *file)
{
    for (unsigned i = 0; i < STREAMS; i++)
        if (failed[i] == file)
            return &failed[i];
    return NULL;
}

static void remember_failed(FILE *file)
{
    FILE **free_place = find_failed(NULL);
    if (find_failed(file) == NULL && free_place != NULL)
        *free_place = file;
}

static void forget_failed(const FILE *file)
{
    FILE **place = file == NULL ? NULL : find_failed(file);
    if (place != NULL)
        *place = NULL;
}

void wri_hooks_forget(void)
{
    memset(failed, 0, sizeof failed);
}

/* ---- Opening ---- */

/* The mode is there only if a file may be made; who passes it on unasked passes on any number. */
#define OPENS(name, parameters, arguments)                                                       \
    HOOK int wr_fault_##name##_ parameters;                                                      \
    HOOK int wr_fault_##name##_ parameters                                                       \
    {                                                                                            \
        va_list more;                                                                            \
        va_start(more, flags);                                                                   \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;           \
        va_end(more);                                                                            \
        return FAILS(name, OPEN) >= 0 ? -1 : REAL(name, int(*) parameters) arguments;            \
    }
OPENS(open, (const char *path, int flags, ...), (path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENS(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPENS(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
PLAIN(int, creat, (const char *path, mode_t mode), (path, mode), -1)
PLAIN(int, creat64, (const char *path, mode_t mode), (path, mode), -1)
PLAIN(int, __open_2, (const char *path, int flags), (path, flags), -1)
PLAIN(int, __open64_2, (const char *path, int flags), (path, flags), -1)
PLAIN(int, __openat_2, (int folder, const char *path, int flags), (folder, path, flags), -1)
PLAIN(int, __openat64_2, (int folder, const char *path, int flags), (folder, path, flags), -1)
PLAIN(FILE *, fopen, (const char *path, const char *how), (path, how), NULL)
PLAIN(FILE *, fopen64, (const char *path, const char *how), (path, how), NULL)
PLAIN(FILE *, fdopen, (int file, const char *how), (file, how), NULL)
PLAIN(FILE *, tmpfile, (void), (), NULL)
PLAIN(FILE *, tmpfile64, (void), (), NULL)
PLAIN(DIR *, opendir, (const char *path), (path), NULL)
PLAIN(int, mkstemp, (char *path), (path), -1)
PLAIN(int, mkstemp64, (char *path), (path), -1)
PLAIN(int, pipe, (int ends[2]), (ends), -1)
PLAIN(int, pipe2, (int ends[2], int flags), (ends, flags), -1)
PLAIN(int, dup, (int file), (file), -1)
PLAIN(int, dup2, (int file, int to), (file, to), -1)
PLAIN(int, dup3, (int file, int to, int flags), (file, to, flags), -1)
PLAIN(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
PLAIN(int, accept, (int file, struct sockaddr *from, socklen_t *room), (file, from, room), -1)
PLAIN(int, accept4, (int file, struct sockaddr *from, socklen_t *room, int flags),
      (file, from, room, flags), -1)
PLAIN(int, connect, (int file, const struct sockaddr *to, socklen_t room), (file, to, room), -1)

/* The file is closed, as by a freopen() that fails. */
#define REOPENS(name)                                                                            \
    HOOK FILE *wr_fault_##name##_(const char *path, const char *how, FILE *file);                \
    HOOK FILE *wr_fault_##name##_(const char *path, const char *how, FILE *file)                 \
    {                                                                                            \
        bool fails = FAILS(name, OPEN) >= 0;                                                     \
        forget_failed(file);                                                                     \
        if (!fails)                                                                              \
            return REAL(name, FILE * (*)(const char *, const char *, FILE *))(path, how, file);  \
        REAL(fclose, int (*)(FILE *))(file);                                                     \
        errno = EMFILE;                                                                          \
        return NULL;                                                                             \
    }
REOPENS(freopen)
REOPENS(freopen64)

/* ---- Reading and writing ---- */

/* A call that transfers up to `count` bytes; one of a single byte cannot be short. */
#define TRANSFERS(name, parameters, arguments)                                                   \
    HOOK ssize_t wr_fault_##name##_ parameters;                                                  \
    HOOK ssize_t wr_fault_##name##_ parameters                                                   \
    {                                                                                            \
        uint32_t sorts = ROWS[AT_##name].sorts & ~(count < 2 ? (uint32_t)WR_FAULT_SHORT : 0);    \
        int      sort = FAILS(name, sorts);                                                      \
        if (sort >= 0 && 1 << sort != WR_FAULT_SHORT)                                            \
            return -1;                                                                           \
        count = sort >= 0 ? 1 : count;                                                           \
        return REAL(name, ssize_t(*) parameters) arguments;                                      \
    }
TRANSFERS(read, (int file, void *to, size_t count), (file, to, count))
TRANSFERS(__read_chk, (int file, void *to, size_t count, size_t room), (file, to, count, room))
TRANSFERS(pread, (int file, void *to, size_t count, off_t at), (file, to, count, at))
TRANSFERS(pread64, (int file, void *to, size_t count, off64_t at), (file, to, count, at))
TRANSFERS(__pread_chk, (int file, void *to, size_t count, off_t at, size_t room),
          (file, to, count, at, room))
TRANSFERS(__pread64_chk, (int file, void *to, size_t count, off64_t at, size_t room),
          (file, to, count, at, room))
TRANSFERS(recv, (int file, void *to, size_t count, int flags), (file, to, count, flags))
TRANSFERS(__recv_chk, (int file, void *to, size_t count, size_t room, int flags),
          (file, to, count, room, flags))
TRANSFERS(recvfrom,
          (int file, void *to, size_t count, int flags, struct sockaddr *from, socklen_t *room),
          (file, to, count, flags, from, room))
TRANSFERS(write, (int file, const void *from, size_t count), (file, from, count))
TRANSFERS(pwrite, (int file, const void *from, size_t count, off_t at), (file, from, count, at))
TRANSFERS(pwrite64, (int file, const void *from, size_t count, off64_t at),
          (file, from, count, at))
TRANSFERS(send, (int file, const void *from, size_t count, int flags), (file, from, count, flags))
TRANSFERS(sendto,
          (int file, const void *from, size_t count, int flags, const struct sockaddr *to,
           socklen_t room),
          (file, from, count, flags, to, room))
PLAIN(ssize_t, readv, (int file, const struct iovec *to, int count), (file, to, count), -1)
PLAIN(ssize_t, recvmsg, (int file, struct msghdr *to, int flags), (file, to, flags), -1)
PLAIN(ssize_t, writev, (int file, const struct iovec *from, int count), (file, from, count), -1)
PLAIN(ssize_t, sendmsg, (int file, const struct msghdr *from, int flags), (file, from, flags), -1)

/* ---- Streams ---- */

#define STREAM(result, name, parameters, arguments, failure)                                     \
    HOOK result wr_fault_##name##_ parameters;                                                   \
    HOOK result wr_fault_##name##_ parameters                                                    \
    {                                                                                            \
        if (FAILS(name, ROWS[AT_##name].sorts) < 0)                                              \
            return REAL(name, result(*) parameters) arguments;                                   \
        remember_failed(file);                                                                   \
        return failure;                                                                          \
    }
STREAM(size_t, fread, (void *to, size_t bytes, size_t count, FILE *file),
       (to, bytes, count, file), 0)
STREAM(size_t, __fread_chk, (void *to, size_t room, size_t bytes, size_t count, FILE *file),
       (to, room, bytes, count, file), 0)
STREAM(char *, fgets, (char *to, int room, FILE *file), (to, room, file), NULL)
STREAM(char *, __fgets_chk, (char *to, size_t all, int room, FILE *file), (to, all, room, file),
       NULL)
STREAM(size_t, fwrite, (const void *from, size_t bytes, size_t count, FILE *file),
       (from, bytes, count, file), 0)
STREAM(int, fputs, (const char *text, FILE *file), (text, file), EOF)

/* The bytes are written, but nobody can know: as if the last of them had found no room. */
HOOK int wr_fault_fflush_(FILE *file);
HOOK int wr_fault_fflush_(FILE *file)
{
    bool fails = FAILS(fflush, SPACE) >= 0;
    int  result = REAL(fflush, int (*)(FILE *))(file);
    if (!fails)
        return result;
    if (file != NULL)
        remember_failed(file);
    errno = ENOSPC;
    return EOF;
}

HOOK int wr_fault_fclose_(FILE *file);
HOOK int wr_fault_fclose_(FILE *file)
{
    bool fails = FAILS(fclose, SPACE) >= 0;
    forget_failed(file);
    int result = REAL(fclose, int (*)(FILE *))(file);
    if (!fails)
        return result;
    errno = ENOSPC;
    return EOF;
}

HOOK int wr_fault_ferror_(FILE *file);
HOOK int wr_fault_ferror_(FILE *file)
{
    return file != NULL && find_failed(file) != NULL ? 1 : REAL(ferror, int (*)(FILE *))(file);
}

HOOK void wr_fault_clearerr_(FILE *file);
HOOK void wr_fault_clearerr_(FILE *file)
{
    forget_failed(file);
    REAL(clearerr, void (*)(FILE *))(file);
}

/* ---- Files, threads, waiting ---- */

PLAIN(int, ftruncate, (int file, off_t length), (file, length), -1)
PLAIN(int, ftruncate64, (int file, off64_t length), (file, length), -1)
PLAIN(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
PLAIN(int, rename, (const char *from, const char *to), (from, to), -1)
PLAIN(int, link, (const char *from, const char *to), (from, to), -1)
PLAIN(int, symlink, (const char *from, const char *to), (from, to), -1)
PLAIN(int, fsync, (int file), (file), -1)
PLAIN(int, fdatasync, (int file), (file), -1)
PLAIN(int, msync, (void *from, size_t bytes, int flags), (from, bytes, flags), -1)
PLAIN(int, poll, (struct pollfd * all, nfds_t count, int timeout), (all, count, timeout), -1)
PLAIN(int, select, (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout),
      (count, in, out, other, timeout), -1)
PLAIN(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), -1)
PLAIN(int, nanosleep, (const struct timespec *wanted, struct timespec *left), (wanted, left), -1)
PLAIN(int, pthread_create,
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context),
      (thread, attributes, run, context), EAGAIN)
PLAIN(pid_t, fork, (void), (), -1)

/* ---- Clocks: those that somebody can set ---- */

HOOK time_t wr_fault_time_(time_t *to);
HOOK time_t wr_fault_time_(time_t *to)
{
    (void)FAILS(time, WR_FAULT_CLOCK);
    time_t now = REAL(time, time_t(*)(time_t *))(NULL) + (time_t)wri_faults_clock(CALLER);
    if (to != NULL)
        *to = now;
    return now;
}

HOOK int wr_fault_gettimeofday_(struct timeval *to, void *zone);
HOOK int wr_fault_gettimeofday_(struct timeval *to, void *zone)
{
    (void)FAILS(gettimeofday, WR_FAULT_CLOCK);
    int result = REAL(gettimeofday, int (*)(struct timeval *, void *))(to, zone);
    if (result == 0 && to != NULL)
        to->tv_sec += (time_t)wri_faults_clock(CALLER);
    return result;
}

HOOK int wr_fault_clock_gettime_(clockid_t clock, struct timespec *to);
HOOK int wr_fault_clock_gettime_(clockid_t clock, struct timespec *to)
{
    bool steps = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    (void)FAILS(clock_gettime, steps ? WR_FAULT_CLOCK : 0);
    int result = REAL(clock_gettime, int (*)(clockid_t, struct timespec *))(clock, to);
    if (result == 0 && steps)
        to->tv_sec += (time_t)wri_faults_clock(CALLER);
    return result;
}
