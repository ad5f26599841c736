/* core/arithmetic.c: reads and sets the processor's floating-point control words. */
#include "core/arithmetic.h"

void wri_arithmetic_get(wri_arithmetic *words)
{
    words->control = wri_arithmetic_control();
    words->x87 = WRI_PLAIN_X87;
#if defined(__x86_64__)
    __asm__ volatile("fnstcw %0" : "=m"(words->x87)::"memory");
#endif
    words->odd = !wri_arithmetic_is(WRI_PLAIN_CONTROL) || words->x87 != WRI_PLAIN_X87;
}

void wri_arithmetic_set(const wri_arithmetic *words)
{
#if defined(__x86_64__)
    /* A flag of the x87 unit traps at its next instruction, once the mask is gone. */
    __asm__ volatile("fnclex; fldcw %0; ldmxcsr %1" ::"m"(words->x87), "m"(words->control)
                     : "memory");
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)words->control) : "memory");
#else
    (void)words;
#endif
}

void wri_arithmetic_swap(wri_arithmetic *was)
{
    static const wri_arithmetic PLAIN = { .control = WRI_PLAIN_CONTROL, .x87 = WRI_PLAIN_X87 };
    wri_arithmetic_get(was);
    was->odd = true;
    wri_arithmetic_set(&PLAIN);
}
