/* tests/signals_subject.c: instrumented code to look at. See signals_subject.h. */
#include "signals_subject.h"

#include <string.h>

#include "warren.h"

/* Something happened that a compiler may not move, nor fold with another. */
static volatile int effect;

int is_magic_8(uint64_t x)
{
    if (x == MAGIC_8)
        effect = 1;
    return effect;
}

int is_magic_4(uint32_t x)
{
    if (x == MAGIC_4)
        effect = 2;
    return effect;
}

int is_magic_2(uint16_t x)
{
    if (x == MAGIC_2)
        effect = 3;
    return effect;
}

int are_equal(uint64_t x, uint64_t y)
{
    if (x == y)
        effect = 4;
    return effect;
}

int chooses(uint32_t x)
{
    switch (x) {
    case 1000: effect = 1; break;
    case 2000: effect += 2; break;
    case 3000: effect -= 3; break;
    case 4000: effect *= 4; break;
    default: break;
    }
    return effect;
}

#define ONE(n)                                                                                   \
    case (n):                                                                                    \
        effect += (n) / 7;                                                                       \
        break;
#define TEN(n)                                                                                   \
    ONE(n)                                                                                       \
    ONE((n) + 100)                                                                               \
    ONE((n) + 200)                                                                               \
    ONE((n) + 300)                                                                               \
    ONE((n) + 400) ONE((n) + 500) ONE((n) + 600) ONE((n) + 700) ONE((n) + 800) ONE((n) + 900)

int chooses_of_many(uint32_t x)
{
    switch (x) {
        TEN(100)
        TEN(1100)
        TEN(2100)
        TEN(3100)
    default: break;
    }
    return effect;
}

int counts_zeros(const int *xs, size_t n)
{
    int zeros = 0;
    for (size_t i = 0; i < n; i++)
        if (xs[i] == 0) {
            effect = (int)i;
            zeros++;
        }
    return zeros;
}

int takes_a_path(int which)
{
    effect = 0;
    if (which == 1)
        effect = 10;
    if (which == 2)
        effect = 20;
    return effect;
}

const int never_called_line = __LINE__ + 1;
int       never_called(int x)
{
    effect = x;
    return effect + 1;
}

int says_hello(const char *text)
{
    return strcmp(text, "hello") == 0;
}
