/* core/arithmetic.h: how the processor computes reals: rounding, flushing to zero, traps.
 *
 * Code under test changes that: fesetround(), feenableexcept(), or -Ofast, whose programs begin
 * by flushing subnormal numbers to zero. Results of Warren must not depend on it. So a draw and
 * an explorer compute in plain arithmetic: to nearest, with subnormal numbers, without traps.
 *
 *     wri_arithmetic was = wri_arithmetic_plain();
 *     draw(...);                    // never inlined: see below
 *     wri_arithmetic_back(&was);
 *
 * A compiler does not know that arithmetic depends on a control word, and may move it past the
 * words' changes. So the code between these calls is a function that is not inlined and that
 * writes to memory.
 */
#ifndef WRI_CORE_ARITHMETIC_H
#define WRI_CORE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wri_arithmetic {
    uint32_t control; /* x86-64: MXCSR; AArch64: FPCR */
    uint16_t x87;     /* x86-64: the control word of long doubles */
    bool     odd;     /* it is not plain: wri_arithmetic_back() has to do something */
} wri_arithmetic;

#if defined(__x86_64__)
#define WRI_PLAIN_CONTROL 0x1f80u
#define WRI_CONTROL_FLAGS 0x3fu /* what happened so far: no part of how it computes */
#define WRI_PLAIN_X87 0x37fu
#define WRI_X87_REGISTERS "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#else
#define WRI_PLAIN_CONTROL 0u
#define WRI_CONTROL_FLAGS 0u
#define WRI_PLAIN_X87 0u
#endif

/* The control word of float and double. */
static inline uint32_t wri_arithmetic_control(void)
{
    uint32_t control = 0;
#if defined(__x86_64__)
    __asm__ volatile("stmxcsr %0" : "=m"(control)::"memory");
#elif defined(__aarch64__)
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word)::"memory");
    control = (uint32_t)word;
#endif
    return control;
}

/* Is that how it computes now? */
static inline bool wri_arithmetic_is(uint32_t control)
{
    return ((wri_arithmetic_control() ^ control) & ~WRI_CONTROL_FLAGS) == 0;
}

static inline void wri_arithmetic_get(wri_arithmetic *words)
{
    words->control = wri_arithmetic_control();
    words->x87 = WRI_PLAIN_X87;
#if defined(__x86_64__)
    __asm__ volatile("fnstcw %0" : "=m"(words->x87)::"memory");
#endif
    words->odd = !wri_arithmetic_is(WRI_PLAIN_CONTROL) || words->x87 != WRI_PLAIN_X87;
}

static inline void wri_arithmetic_set(const wri_arithmetic *words)
{
#if defined(__x86_64__)
    /* A flag of the x87 unit traps at its next instruction, once the mask is gone. Its registers
     * are empty between calls, and a full one makes the next result NaN. */
    __asm__ volatile("fnclex; emms; fldcw %0; ldmxcsr %1" ::"m"(words->x87), "m"(words->control)
                     : "memory", WRI_X87_REGISTERS);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)words->control) : "memory");
#else
    (void)words;
#endif
}

/* Empties the registers of long doubles; their control word must be plain. */
static inline void wri_arithmetic_empty(void)
{
#if defined(__x86_64__)
    __asm__ volatile("emms" ::: WRI_X87_REGISTERS);
#endif
}

/* Fills in the words that are there, and sets plain ones. */
static inline void wri_arithmetic_swap(wri_arithmetic *was)
{
    static const wri_arithmetic PLAIN = { .control = WRI_PLAIN_CONTROL, .x87 = WRI_PLAIN_X87 };
    wri_arithmetic_get(was);
    was->odd = true;
    wri_arithmetic_set(&PLAIN);
}

static inline wri_arithmetic wri_arithmetic_plain(void)
{
    wri_arithmetic was = { .odd = !wri_arithmetic_is(WRI_PLAIN_CONTROL) };
    if (__builtin_expect(was.odd, 0))
        wri_arithmetic_swap(&was);
    return was;
}

/* After code that may have left anything. A draw need not look at long doubles' word: it uses
 * none. */
static inline void wri_arithmetic_calm(void)
{
    wri_arithmetic was;
    wri_arithmetic_get(&was);
    if (__builtin_expect(was.odd, 0))
        wri_arithmetic_swap(&was);
    else
        wri_arithmetic_empty();
}

static inline void wri_arithmetic_back(const wri_arithmetic *was)
{
    if (__builtin_expect(was->odd, 0))
        wri_arithmetic_set(was);
}

#endif
