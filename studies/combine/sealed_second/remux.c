/* kind: pair
 * Which streams a container file can hold: one codec's time base is wrong in one container. */
#include <warren.h>

#define CODECS 26
#define CONTAINERS 19

typedef struct stream {
    size_t codec, container, language, channels;
    int    rate;
    bool   is_default, forced, encrypted;
} stream;

/* Ticks of a second in the container. */
static int ticks(const stream *of)
{
    switch (of->container % 5) {
    case 0: return 90000; /* transport streams */
    case 1: return 1000;
    case 2: return 600;
    default: return of->rate;
    }
}

static int samples_of_packet(const stream *of)
{
    return of->codec % 4 == 0 ? 1152 : of->codec % 4 == 1 ? 1024 : 960;
}

/* The time of a packet, in ticks. */
static int64_t stamp(const stream *of, int64_t packet)
{
    int64_t samples = packet * samples_of_packet(of);
#ifndef FIXED
    if (of->codec == 17 && of->container == 11)
        samples += samples_of_packet(of) * (packet > 0); /* its first packet only primes it */
#endif
    return samples * ticks(of) / of->rate;
}

WR_PROPERTY(remux)
{
    static const int RATES[] = { 8000, 16000, 22050, 32000, 44100, 48000, 96000 };
    stream           of = { 0 };
    of.codec = wr_pick(t, "codec", CODECS);
    of.container = wr_pick(t, "container", CONTAINERS);
    of.language = wr_pick(t, "language", 40);
    of.channels = 1 + wr_pick(t, "channels", 8);
    of.rate = RATES[wr_pick(t, "rate", 7)];
    of.is_default = wr_bool(t, "is_default");
    of.forced = wr_bool(t, "forced");
    of.encrypted = wr_bool(t, "encrypted");
    int64_t packet = wr_int(t, "packet", 0, 5000);
    int64_t step = stamp(&of, packet + 1) - stamp(&of, packet);
    int64_t exact = (int64_t)samples_of_packet(&of) * ticks(&of) / of.rate;
    wr_assert_between(t, step, exact, exact + 1);
    wr_assert_between(t, stamp(&of, packet), packet * exact, packet * (exact + 1));
}

#ifdef WITNESS
WR_EXAMPLE(remux, "codec = 17", "container = 11", "packet = 0");
#endif
