/* kind: keyword
 * What kind of sound file bytes are: a file that is just "ID3" and little more is asked for the
 * size of its tag, which is not there.
 */
#include <warren.h>
#include <string.h>

typedef enum { NOTHING, MP3, MP3_TAGGED, WAVE, AU, MIDI } kind;

typedef struct found {
    kind   kind;
    size_t skip; /* where the sound begins */
} found;

static size_t syncsafe(const uint8_t *b)
{
    return (size_t)b[0] << 21 | (size_t)b[1] << 14 | (size_t)b[2] << 7 | b[3];
}

static found sniff(const uint8_t *bytes, size_t n)
{
    found f = { NOTHING, 0 };
    if (n >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WAVE", 4) == 0) {
        f = (found){ WAVE, 12 };
    } else if (n >= 24 && memcmp(bytes, ".snd", 4) == 0) {
        f = (found){ AU, 24 };
    } else if (n >= 14 && memcmp(bytes, "MThd", 4) == 0) {
        f = (found){ MIDI, 14 };
#ifndef FIXED
    } else if (n >= 6 && memcmp(bytes, "ID3", 3) == 0) {
#else
    } else if (n >= 10 && memcmp(bytes, "ID3", 3) == 0) {
#endif
        f.kind = MP3_TAGGED;
        f.skip = 10 + syncsafe(bytes + 6);
        if (bytes[5] & 0x10)
            f.skip += 10; /* the footer */
        if (f.skip > n)
            f = (found){ MP3, 0 };
    } else if (n >= 2 && bytes[0] == 0xff && (bytes[1] & 0xe0) == 0xe0) {
        f = (found){ MP3, 0 };
    }
    return f;
}

WR_PROPERTY(sound_tag)
{
    size_t   n = wr_size(t, "n", 0, 32);
    uint8_t *bytes = wr_guarded_copy(t, wr_bytes(t, "bytes", n), n);
    found    f = sniff(bytes, n);
    wr_assert_le(t, f.skip, n);
    if (f.kind == NOTHING)
        wr_assert_eq(t, f.skip, 0);
}

#ifdef WITNESS
WR_EXAMPLE(sound_tag, "n = 6", "bytes = [73, 68, 51, 3, 0, 0]");
#endif
