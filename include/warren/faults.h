/* warren/faults.h: calls that fail: of malloc(), read(), open(), fsync() and others.
 *
 *     #include <warren.h>
 *     #include <warren/faults.h>
 *
 *     WR_PROPERTY(parse_survives_a_failing_allocation) {
 *         const char *text = wr_text(t, "text", 0, 20);
 *         wr_faults(t, "fault", NULL);
 *         tree *parsed = tree_parse(text);
 *         wr_faults_end(t);
 *         wr_assert(t, parsed != NULL || wr_faulted(t));
 *         tree_free(parsed);
 *     }
 *
 * One call of the code under test fails, as the draw "fault" says: 0 is none, 2 the second one.
 * The draw is one like any other: every explorer answers it, a report shows it, and no fault is
 * simplest.
 *
 *  - Include this header in one file of the test program, or in several. It lays functions of the
 *    same names before those of the C library, so it is for programs that are linked dynamically,
 *    on x86-64 and aarch64. A program that does not include it pays nothing. The library as two
 *    files has it in warren.h, for a file that defines WR_FAULTS.
 *  - Only calls from wr_faults() to wr_faults_end() count, and only those of the thread that runs
 *    the property. Calls by Warren and by the C library itself do not count. Calls of your test
 *    between the two do.
 *  - A call that the compiler knows not to need, such as that of a malloc() whose result is freed
 *    at once, is not made.
 */
#ifndef WARREN_FAULTS_H
#define WARREN_FAULTS_H

#include "../warren.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The calls that can fail, and how they do. The errno of the failure is in brackets. */
enum wr_fault {
    WR_FAULT_MEMORY = 1 << 0, /* malloc(), calloc(), realloc(), strdup(), mmap(), ... [ENOMEM] */
    WR_FAULT_OPEN = 1 << 1,   /* open(), fopen(), opendir(), pipe(), dup(), socket() [EMFILE] */
    WR_FAULT_SHORT = 1 << 2,  /* read(), write() and others transfer one byte of several */
    WR_FAULT_EINTR = 1 << 3,  /* calls that wait are interrupted [EINTR] */
    WR_FAULT_EAGAIN = 1 << 4, /* there is nothing to read yet, or no room to write [EAGAIN] */
    WR_FAULT_NO_SPACE = 1 << 5, /* write(), fflush(), fclose(), mkdir(), ... [ENOSPC] */
    WR_FAULT_IO = 1 << 6,       /* read(), pread(), fread(), fgets(), ... [EIO] */
    WR_FAULT_SYNC = 1 << 7,     /* fsync(), fdatasync(), msync() [EIO] */
    WR_FAULT_THREAD = 1 << 8,   /* pthread_create(), fork() [EAGAIN] */
    /* From this call on, time(), gettimeofday() and clock_gettime(CLOCK_REALTIME) say an hour
     * more. The next such fault takes the hour back. */
    WR_FAULT_CLOCK = 1 << 9
};

/* Zero means default, which is in brackets. */
typedef struct wr_fault_options {
    unsigned which; /* a sum of the above (WR_FAULT_MEMORY) */
    /* The fault is one of the first so many calls (1000); in a machine, of those that a command
     * makes (8), and at most 63. */
    size_t            within;
    unsigned          most;    /* so many faults, at most 8 (1) */
    bool              lasting; /* the calls after that one fail, too; not SHORT, EINTR, EAGAIN */
    unsigned          percent; /* of a machine's calls at random have a fault (20) */
    WR_WORD_ uint64_t reserve_[4];
} wr_fault_options;

/* From here on the call fails whose number is drawn: among those of all sorts that are asked for.
 * NULL options: the defaults. If the call can fail in several ways, "fault: how" is drawn when it
 * is made. With .most another draw of `name` says, after each fault, how many calls later the
 * next one is; 0: there is none. */
WR_API void wr_faults(wr_case *t, const char *name, const wr_fault_options *options);
/* From here on they do not. The end of the property ends them, too. */
WR_API void wr_faults_end(wr_case *t);
/* Has a call failed since the last wr_faults() of this case, or in this call of a machine? */
WR_API bool wr_faulted(wr_case *t);
/* Warren calls this when it lets a call fail: in gdb, `break wr_fault_here`. */
WR_API void wr_fault_here(const char *function);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* ---- Internal ---- */

/* The functions. Each is a jump into Warren, which calls the one that the program would have
 * called. They are weak, so a program's own function of such a name wins; but the run-time of a
 * sanitizer that clang links in has weak ones, too. */
/* clang-format off */
#if defined(WR_ASAN_)
#define WR_FAULTS_BINDING_ ".globl"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WR_FAULTS_BINDING_ ".globl"
#endif
#endif
#ifndef WR_FAULTS_BINDING_
#define WR_FAULTS_BINDING_ ".weak"
#endif
#define WR_FAULTY_                                                                               \
    "malloc,calloc,realloc,reallocarray,posix_memalign,aligned_alloc,memalign,strdup,strndup,"   \
    "asprintf,vasprintf,__asprintf_chk,__vasprintf_chk,getline,getdelim,__getdelim,mmap,mmap64," \
    "open,open64,openat,openat64,creat,creat64,__open_2,__open64_2,__openat_2,__openat64_2,"     \
    "fopen,fopen64,fdopen,freopen,freopen64,tmpfile,tmpfile64,opendir,mkstemp,mkstemp64,pipe,"   \
    "pipe2,dup,dup2,dup3,socket,accept,accept4,connect,read,__read_chk,pread,pread64,"           \
    "__pread_chk,__pread64_chk,readv,recv,__recv_chk,recvfrom,recvmsg,write,pwrite,pwrite64,"    \
    "writev,send,sendto,sendmsg,fread,__fread_chk,fgets,__fgets_chk,fwrite,fputs,fflush,fclose," \
    "ferror,clearerr,ftruncate,ftruncate64,mkdir,rename,link,symlink,fsync,fdatasync,msync,"     \
    "poll,select,waitpid,nanosleep,pthread_create,fork,time,gettimeofday,clock_gettime"
#if !defined(WR_BUILDING_) && defined(__x86_64__)
__asm__(".pushsection .text.wr_faults_,\"axG\",@progbits,wr_faults_,comdat\n"
        ".irp name," WR_FAULTY_ "\n"
        WR_FAULTS_BINDING_ " \\name\n"
        ".type \\name,@function\n"
        "\\name:\n"
        "endbr64\n"
        "jmp wr_fault_\\name\\()_@PLT\n"
        ".size \\name,.-\\name\n"
        ".endr\n"
        /* dlsym(RTLD_NEXT, name), called from the program: the next one after the program's. */
        ".weak wr_fault_next_\n"
        ".type wr_fault_next_,@function\n"
        "wr_fault_next_:\n"
        "endbr64\n"
        "subq $8,%rsp\n"
        "movq %rdi,%rsi\n"
        "movq $-1,%rdi\n"
        "call dlsym@PLT\n"
        "addq $8,%rsp\n"
        "ret\n"
        ".size wr_fault_next_,.-wr_fault_next_\n"
        ".popsection\n");
#elif !defined(WR_BUILDING_) && defined(__aarch64__)
__asm__(".pushsection .text.wr_faults_,\"axG\",@progbits,wr_faults_,comdat\n"
        ".irp name," WR_FAULTY_ "\n"
        WR_FAULTS_BINDING_ " \\name\n"
        ".type \\name,@function\n"
        "\\name:\n"
        "hint #34\n"
        "b wr_fault_\\name\\()_\n"
        ".size \\name,.-\\name\n"
        ".endr\n"
        ".weak wr_fault_next_\n"
        ".type wr_fault_next_,@function\n"
        "wr_fault_next_:\n"
        "hint #34\n"
        "stp x29,x30,[sp,#-16]!\n"
        "mov x1,x0\n"
        "mov x0,#-1\n"
        "bl dlsym\n"
        "ldp x29,x30,[sp],#16\n"
        "ret\n"
        ".size wr_fault_next_,.-wr_fault_next_\n"
        ".popsection\n");
#endif
/* clang-format on */

#endif
