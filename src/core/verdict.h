/* core/verdict.h: how a case can end, from one table. */
#ifndef WRI_CORE_VERDICT_H
#define WRI_CORE_VERDICT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Every kind from ASSERTION on is a failure. `placed`: the place is part of the bug's
 * identity; without it the kind alone is. */
#define WRI_VERDICTS(X)                                                                          \
    X(NONE, "none", false)                                                                       \
    X(PASS, "pass", false)                                                                       \
    X(DISCARD, "discard", false)                                                                 \
    X(SKIP, "skip", false)                                                                       \
    X(OVERRUN, "too large", false)                                                               \
    X(STALE, "stale", false)                                                                     \
    X(MISUSE, "misuse", false)                                                                   \
    X(ASSERTION, "assertion", true)                                                              \
    X(SIGNAL, "signal", true)                                                                    \
    X(SANITIZER, "sanitizer", true)                                                              \
    X(LEAK, "leak", true)                                                                        \
    X(EXIT, "exit", true)                                                                        \
    X(STACK, "stack overflow", false)                                                            \
    X(DEADLINE, "deadline", false)                                                               \
    X(MEMORY, "memory", false)                                                                   \
    X(KILLED, "killed", false)                                                                   \
    X(DESCRIPTORS, "closed descriptors", false)                                                  \
    X(STRAY, "forked child", false)                                                              \
    X(PROCESSES, "processes", false)

typedef enum wri_verdict_kind {
#define WRI_VERDICT_ENUM(name, text, placed) WRI_##name,
    WRI_VERDICTS(WRI_VERDICT_ENUM)
#undef WRI_VERDICT_ENUM
        WRI_VERDICT_COUNT
} wri_verdict_kind;

#define WRI_FRAMES 12

/* How one case ended. Plain memory without pointers: a worker fills it in, in shared memory.
 * The parent copies it and trusts no length in it. */
typedef struct wri_verdict {
    uint32_t kind;          /* wri_verdict_kind */
    int32_t  signal;        /* SIGNAL: which */
    int32_t  status;        /* EXIT: which */
    int32_t  line;          /* 0: not known */
    uint32_t failure_class; /* ASSERTION: distinguishes failures at one place (wr_class); 0: no
                               class */
    uint32_t frames;        /* how many addresses follow */
    uint64_t frame[WRI_FRAMES]; /* return addresses outside libc and Warren, innermost first */
    uint64_t address;           /* the address that faulted; UINT64_MAX: not known */
    char     file[256];
    char     message[4096];
} wri_verdict;

static inline bool wri_verdict_failed(const wri_verdict *verdict)
{
    return verdict->kind >= WRI_ASSERTION && verdict->kind < WRI_VERDICT_COUNT;
}

/* A verdict that cannot end the case: of an assertion that failed in code without a `t`, or of a
 * draw or an assertion in another thread than the one that runs the case. It is kept until the
 * case is over, and survives the death of the process. */
enum { WRI_VIOLATION_NONE, WRI_VIOLATION_WRITING, WRI_VIOLATION_DONE };
typedef struct wri_violation {
    _Atomic uint32_t state;
    wri_verdict      verdict;
} wri_violation;

/* Begins to write the violation. False: there is one already, and the first one counts. */
bool wri_violation_begin(wri_violation *violation);
/* Makes a verdict of the violation. False: there is none. The violation need not be
 * well-formed. */
bool wri_violation_take(wri_violation *violation, wri_verdict *verdict);

const char *wri_verdict_name(uint32_t kind);
bool        wri_verdict_placed(uint32_t kind);

#endif
