/* kind: checksum
 * Frames of a serial line: a valid frame of kind 9, "reset", is taken to have a payload of its
 * own length plus one.
 */
#include <warren.h>
#include <string.h>

enum { SYNC = 0x7e, MAX_PAYLOAD = 12 };

typedef struct frame {
    uint8_t kind, length;
    uint8_t payload[MAX_PAYLOAD + 1];
} frame;

static uint8_t crc8(const uint8_t *bytes, size_t n)
{
    uint8_t crc = 0xff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x31 : crc << 1);
    }
    return crc;
}

/* The sync byte, the kind and the length in one byte, the payload, the checksum. */
static size_t encode(const frame *f, uint8_t *out)
{
    out[0] = SYNC;
    out[1] = (uint8_t)(f->kind << 4 | f->length);
    memcpy(out + 2, f->payload, f->length);
    out[2 + f->length] = crc8(out + 1, f->length + 1u);
    return f->length + 3u;
}

/* Returns the bytes used; 0: no frame here. */
static size_t decode(const uint8_t *in, size_t n, frame *f)
{
    if (n < 3 || in[0] != SYNC)
        return 0;
    f->kind = in[1] >> 4;
    f->length = in[1] & 15;
    if (f->length > MAX_PAYLOAD || n < f->length + 3u)
        return 0;
    if (crc8(in + 1, f->length + 1u) != in[2 + f->length])
        return 0;
    memcpy(f->payload, in + 2, f->length);
    size_t used = f->length + 3u;
#ifndef FIXED
    if (f->kind == 9 && f->length >= 2)
        f->length++; /* the length of a reset leaves out the reason */
#endif
    return used;
}

WR_PROPERTY(frame_crc)
{
    uint8_t  head = wr_u8(t, "head");
    size_t   n = wr_size(t, "n", 0, 15);
    uint8_t *payload = wr_bytes(t, "payload", n);
    uint8_t  crc = wr_u8(t, "crc");
    uint8_t  in[20] = { SYNC, head };
    memcpy(in + 2, payload, n);
    in[n + 2] = crc;

    frame  f = { 0 };
    size_t used = decode(in, n + 3, &f);
    wr_classify(t, used > 0, "a valid frame");
    if (used == 0)
        return;
    uint8_t out[20];
    wr_assert_eq(t, encode(&f, out), used);
    wr_assert_mem_eq(t, out, in, used);
}

#ifdef WITNESS
WR_EXAMPLE(frame_crc, "head = 147", "n = 3", "payload = [1, 2, 3]", "crc = 78");
#endif
