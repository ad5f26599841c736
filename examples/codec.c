/* codec.c: numbers in as few bytes as they need, there and back.
 *
 * Seven bits to a byte, lowest first; the top bit says that another byte follows. What an encoder
 * wrote, the decoder must give back: the round trip is one of the most useful properties there
 * is. decode_short() adds the bits up in 32 bits and is wrong from 2^32 on. The last property
 * gives the decoder bytes that no encoder wrote.
 *
 * buggy_decoder_gives_back_what_was_encoded fails by design, with value = 4294967296.
 */
#include <warren.h>

#define LONGEST 10 /* bytes of the largest uint64_t */

/* Returns how many bytes it wrote: 1 to LONGEST. */
static size_t encode(uint64_t value, uint8_t *out)
{
    size_t n = 0;
    while (value >= 0x80) {
        out[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (uint8_t)value;
    return n;
}

/* Returns how many bytes it read; 0 when the input ends too early or the number does not fit. */
static size_t decode(const uint8_t *in, size_t length, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < length && i < LONGEST; i++) {
        if (i == LONGEST - 1 && in[i] > 1)
            return 0;
        *value |= (uint64_t)(in[i] & 0x7f) << (7 * i);
        if (in[i] < 0x80)
            return i + 1;
    }
    return 0;
}

static size_t decode_short(const uint8_t *in, size_t length, uint64_t *value)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < length && i < LONGEST; i++) {
        if (7 * i < 32)
            bits |= (uint32_t)(in[i] & 0x7f) << (7 * i);
        *value = bits;
        if (in[i] < 0x80)
            return i + 1;
    }
    return 0;
}

typedef size_t decoder(const uint8_t *in, size_t length, uint64_t *value);

static void check_round_trip(wr_case *t, decoder *decoding)
{
    uint64_t value = wr_u64(t, "value");
    uint64_t back = 0;
    uint8_t  bytes[LONGEST];
    size_t   length = encode(value, bytes);
    wr_label(t, "length %zu", length);
    wr_assert_eq(t, decoding(bytes, length, &back), length);
    wr_assert_eq(t, back, value);
}

WR_PROPERTY(decoder_gives_back_what_was_encoded) {
    check_round_trip(t, decode);
}

WR_PROPERTY(buggy_decoder_gives_back_what_was_encoded) {
    check_round_trip(t, decode_short);
}

WR_PROPERTY(numbers_in_a_row_come_back_one_by_one) {
    size_t    n = wr_size(t, "n", 0, 20);
    uint64_t *values = wr_u64s(t, "values", n, 0, UINT64_MAX);
    uint8_t  *bytes = wr_alloc(t, n * LONGEST);
    size_t    written = 0, read = 0;
    for (size_t i = 0; i < n; i++)
        written += encode(values[i], bytes + written);
    for (size_t i = 0; i < n; i++) {
        uint64_t back;
        read += decode(bytes + read, written - read, &back);
        wr_assert_eq(t, back, values[i]);
    }
    wr_assert_eq(t, read, written);
}

WR_PROPERTY(decoder_stays_inside_any_bytes) {
    size_t   n = wr_size(t, "n", 0, 2 * LONGEST);
    uint8_t *bytes = wr_bytes(t, "bytes", n);
    uint64_t value;
    size_t   read = decode(wr_guarded_copy(t, bytes, n), n, &value);
    wr_classify(t, read == 0, "refused");
    wr_assert_le(t, read, n);
    wr_assert_le(t, read, (size_t)LONGEST);
}
