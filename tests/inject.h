/* tests/inject.h: the kinds of calls that inject.c makes fail. */
#ifndef TESTS_INJECT_H
#define TESTS_INJECT_H

enum {
    INJECT_MEMORY, /* malloc, calloc, realloc */
    INJECT_MMAP,
    INJECT_FORK,
    INJECT_PIPE,
    INJECT_OPEN, /* and all else that makes a descriptor or a folder */
    INJECT_WRITE,
    INJECT_RENAME,
    INJECT_FSYNC,
    INJECT_KINDS
};

void inject_rest(void);

static const char *const INJECT_NAMES[INJECT_KINDS] = {
    [INJECT_MEMORY] = "memory", [INJECT_MMAP] = "mmap",   [INJECT_FORK] = "fork",
    [INJECT_PIPE] = "pipe",     [INJECT_OPEN] = "open",   [INJECT_WRITE] = "write",
    [INJECT_RENAME] = "rename", [INJECT_FSYNC] = "fsync",
};

#endif
