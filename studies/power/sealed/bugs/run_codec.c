/* Packing runs of bytes (PackBits) and back, with several bugs behind one assertion. */
#include <warren.h>
#include <stdlib.h>
#include <string.h>

/* Whether bug `number` is in: all are, but those of SUBJECT_FIXED=2,3 in the environment. */
static bool bug(int number)
{
    static unsigned long fixed;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FIXED");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                fixed |= 1UL << next;
        }
        read = true;
    }
    return (fixed >> number & 1) == 0;
}

/* A control byte c: 0 to 127, c + 1 bytes follow as they are; 129 to 255, the next byte comes
 * 257 - c times; 128 does nothing. */
static size_t pack(const uint8_t *in, size_t n, uint8_t *out)
{
    size_t made = 0, i = 0;
    while (i < n) {
        size_t run = 1;
        while (i + run < n && in[i + run] == in[i] && run < (bug(1) ? 129u : 128u))
            run++;
        if (run >= 3 || (run == 2 && i + run == n)) {
            out[made++] = (uint8_t)(257 - run);
            out[made++] = in[i];
            i += run;
            continue;
        }
        size_t begin = i;
        while (i < n && i - begin < 128) {
            if (i + 2 < n && in[i] == in[i + 1] && in[i] == in[i + 2])
                break;
            i++;
        }
        size_t count = i - begin;
        if (bug(2) && count == 128 && i < n)
            i++;
        out[made++] = (uint8_t)(count - 1);
        memcpy(out + made, in + begin, count);
        made += count;
    }
    return made;
}

static size_t unpack(const uint8_t *in, size_t n, uint8_t *out)
{
    size_t made = 0, i = 0;
    while (i < n) {
        uint8_t control = in[i++];
        if (control < 128) {
            size_t count = control + 1u;
            if (bug(3) && count == 1 && in[i] == 128)
                count = 0, i++;
            memcpy(out + made, in + i, count);
            made += count;
            i += count;
        } else if (control > 128) {
            size_t count = 257u - control;
            if (bug(4) && count == 2 && made >= 2 && out[made - 1] == 0 && in[i] == 255)
                count = 3;
            memset(out + made, in[i++], count);
            made += count;
        }
    }
    return made;
}

WR_PROPERTY(run_codec)
{
    uint8_t in[1200];
    size_t  n = 0, pieces = wr_size(t, "pieces", 0, 6);
    for (wr_each(t, i, pieces)) {
        uint8_t byte = wr_u8(t, "byte");
        size_t  count = (size_t)wr_uint(t, "count", 1, 150);
        bool    climbs = wr_bool(t, "climbs");
        for (size_t k = 0; k < count; k++)
            in[n++] = (uint8_t)(byte + (climbs ? k : 0));
    }
    uint8_t *packed = wr_alloc(t, 3000), *back = wr_alloc(t, 3000);
    size_t   m = unpack(packed, pack(in, n, packed), back);
    wr_assert(t, m == n && memcmp(in, back, n) == 0);
}
