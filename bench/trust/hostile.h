/* bench/trust/hostile.h: properties that do their worst to whoever runs them.
 *
 * A kind of hostility is a property. Its macro says how it must end: HOLDS, FAILS, or EITHER
 * where that depends on the machine or on luck. ENDS_RUN marks a kind that ends the program that
 * runs it, which nothing can prevent; then only the processes that are left are looked at. Most
 * kinds misbehave in one half of their cases: n >= 2.
 */
#ifndef TRUST_HOSTILE_H
#define TRUST_HOSTILE_H

#include <stdbool.h>
#include <sys/types.h>

#include <warren.h>

typedef struct kind {
    const char  *name, *ends; /* "held", "failed", "either", "run" */
    struct kind *next;
} kind;

void add_kind(kind *one);

#define KIND(name_, ends_, ...)                                                                  \
    static kind                              kind_##name_ = { #name_, ends_, 0 };                \
    __attribute__((constructor)) static void enter_kind_##name_(void)                            \
    {                                                                                            \
        add_kind(&kind_##name_);                                                                 \
    }                                                                                            \
    WR_PROPERTY_WITH(name_, .cases = 12, __VA_ARGS__)
#define HOLDS(kind) KIND(kind, "held", .skip = 0)
#define FAILS(kind) KIND(kind, "failed", .skip = 0)
#define EITHER(kind) KIND(kind, "either", .skip = 0)
#define ENDS_RUN(kind) KIND(kind, "run", .skip = 0)
#define HOLDS_WITH(kind, ...) KIND(kind, "held", __VA_ARGS__)
#define EITHER_WITH(kind, ...) KIND(kind, "either", __VA_ARGS__)
#define FAILS_WITH(kind, ...) KIND(kind, "failed", __VA_ARGS__)
#define FLAKY_WITH(kind, ...) KIND(kind, "flaky", __VA_ARGS__)

/* Does this case misbehave? */
bool bad(wr_case *t);
/* The process above another one; 0: not known. */
pid_t parent_of(pid_t pid);
/* A child as fork() makes it, of which no handler is told. */
pid_t copy_this_process(void);
/* Sleeps or computes for ever. */
void sleep_for_ever(void);
void spin_for_ever(void);
void write_to_nowhere(void);
/* Keeps a value from the optimiser. */
extern volatile int sink, zero;

#endif
