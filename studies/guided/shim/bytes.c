/* studies/guided/shim/bytes.c: the targets for fuzzers that mutate bytes: libFuzzer and AFL++.
 *
 * A number is little-endian in its natural width, a length is scaled from one byte, and where the
 * bytes end the case ends. GUIDED_TARGET in the environment names the property. Labels mean
 * nothing here.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "warren.h"

struct wr_case {
    const uint8_t *data;
    size_t         left;
    jmp_buf        out;
};

const shim_property        *shim_properties;
static const shim_property *target;
static unsigned long        executions;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

uint64_t shim_draw(wr_case *t, size_t bytes, uint64_t max)
{
    uint64_t number = 0;
    if (t->left < bytes)
        longjmp(t->out, 1);
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)t->data[i] << (8 * i);
    t->data += bytes;
    t->left -= bytes;
    return max == UINT64_MAX ? number : number % (max + 1);
}

size_t shim_length(wr_case *t, size_t lo, size_t hi)
{
    return lo + (size_t)shim_draw(t, 1, UINT8_MAX) * (hi - lo + 1) / 256;
}

bool shim_round(wr_case *t, size_t i, size_t n)
{
    (void)t;
    return i < n;
}

void wr_label(wr_case *t, const char *format, ...)
{
    (void)t;
    (void)format;
}

/* AFL++ counts its executions itself and wants a crash; libFuzzer need only stop. */
_Noreturn void wr_fail(wr_case *t, const char *format, ...)
{
    (void)t;
    (void)format;
#ifdef __AFL_LOOP
    abort();
#else
    printf("found %lu\n", executions);
    fflush(stdout);
    _exit(1);
#endif
}

static void find_target(void)
{
    const char *name = getenv("GUIDED_TARGET");
    target = shim_properties;
    while (target != NULL && (name == NULL || strcmp(target->name, name) != 0))
        target = target->next;
    if (target != NULL)
        return;
    fprintf(stderr, "GUIDED_TARGET must name a target\n");
    _exit(99);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_case t = { .data = data, .left = size };
    if (target == NULL)
        find_target();
    executions++;
    if (setjmp(t.out) == 0)
        target->body(&t);
    return 0;
}

#ifdef __AFL_LOOP
__AFL_FUZZ_INIT();

int main(void)
{
    find_target();
    __AFL_INIT();
    const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000))
        LLVMFuzzerTestOneInput(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
#endif
