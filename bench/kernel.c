/* bench/kernel.c: a branchy piece of code, to see what instrumenting it costs.
 *
 * A scanner of numbers, names and brackets over a text made of few characters, so that every
 * block is short and every branch is taken now and then. `observe` compiles it plain and with
 * each set of flags.
 */
#include <warren.h>

#define LENGTH 4096

__attribute__((noinline)) static uint32_t scan(const uint8_t *text, size_t length)
{
    uint32_t sum = 0, depth = 0, number = 0, name = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = text[i];
        if (c < 10) {
            number = number * 10 + c;
            if (number > 99999)
                number -= 99999;
        } else if (c < 16) {
            name = name * 31 + c;
            if ((name & 7) == 3)
                sum ^= name;
        } else if (c == 16) {
            if (depth < 100)
                depth++;
        } else if (c == 17) {
            if (depth > 0)
                depth--;
            else
                sum += 7;
        } else {
            sum += number == name ? 1 : number ^ depth;
            number = name = 0;
        }
    }
    return sum;
}

WR_PROPERTY(scans)
{
    static uint8_t text[LENGTH];
    uint64_t       state = wr_uint(t, "state", 1, UINT64_MAX);
    for (size_t i = 0; i < LENGTH; i += 8) { /* xorshift, eight characters a step */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for (size_t k = 0; k < 8; k++)
            text[i + k] = (uint8_t)((state >> 8 * k & 0xff) % 20);
    }
    volatile uint32_t sum = scan(text, LENGTH);
    (void)sum;
}
