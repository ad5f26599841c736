/* kind: length and checksum
 * A message: a length of 32 bits, big-endian, a kind of 16 bits, the data, and a word that is the
 * exclusive or of all 16-bit words before it. Kind 0x0702 must have data. */
#include <warren.h>

static unsigned word_at(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static uint32_t long_at(const uint8_t *at)
{
    return (uint32_t)word_at(at) << 16 | word_at(at + 2);
}

/* Is it a message that may be taken? */
static bool is_fine(const uint8_t *data, size_t n)
{
    if (n < 8 || n % 2 != 0 || long_at(data) != n)
        return false;
    unsigned check = 0;
    for (size_t i = 0; i + 2 < n; i += 2)
        check ^= word_at(data + i);
    if (check != word_at(data + n - 2))
        return false;
#ifndef FIXED
    return true;
#else
    return word_at(data + 4) != 0x0702 || n > 8;
#endif
}

WR_PROPERTY(c_chunk)
{
    size_t         n = wr_size(t, "n", 0, 16);
    const uint8_t *data = wr_bytes(t, "data", n);
    if (is_fine(data, n) && word_at(data + 4) == 0x0702)
        wr_assert(t, n > 8);
}

#ifdef WITNESS
WR_EXAMPLE(c_chunk, "n = 8", "data = [0, 0, 0, 8, 7, 2, 7, 10]");
#endif
