/* kind: pair
 * A sound card's setup: the row of 88.2 kHz gives too small a memory, which only the longest
 * latency needs.
 */
#include <warren.h>

typedef enum { PCM16, PCM24, PCM32, FLOAT32 } sample;

static const wr_constant SAMPLES[] = { WR_CONSTANT(PCM16), WR_CONSTANT(PCM24), WR_CONSTANT(PCM32),
                                       WR_CONSTANT(FLOAT32) };
static const unsigned    RATES[] = { 8000,  11025, 16000, 22050, 32000,  44100,
                                     48000, 64000, 88200, 96000, 176400, 192000 };
static const unsigned    WIDTHS[] = { 2, 3, 4, 4 };

enum { PERIODS_MAX = 16, RATE_COUNT = sizeof RATES / sizeof *RATES };

/* Frames of the card's memory that each rate may use. */
static const unsigned ROOM[RATE_COUNT] = {
    [0] = 8192,  [1] = 8192,  [2] = 16384, [3] = 16384,   [4] = 32768,   [5] = 32768,
    [6] = 32768, [7] = 65536, [9] = 65536, [10] = 131072, [11] = 131072,
#ifndef FIXED
    [8] = 44032,
#else
    [8] = 65536,
#endif
};

typedef struct setup {
    unsigned period_frames, periods;
    unsigned buffer_frames;
    uint64_t bytes_per_second;
} setup;

static unsigned power_of_two_at_least(unsigned n)
{
    unsigned p = 16;
    while (p < n)
        p *= 2;
    return p;
}

/* The smallest buffer of at least `latency_ms`; powers of two only if the clock is shared. */
static bool configure(size_t rate, sample format, unsigned channels, unsigned latency_ms,
                      unsigned periods, bool shared, setup *s)
{
    uint64_t wanted = ((uint64_t)RATES[rate] * latency_ms + 999) / 1000;
    unsigned period = (unsigned)((wanted + periods - 1) / periods);
    if (period < 16)
        period = 16;
    if (shared && power_of_two_at_least(period) * periods <= ROOM[rate])
        period = power_of_two_at_least(period);
    while ((uint64_t)period * periods > ROOM[rate])
        period--;
    s->period_frames = period;
    s->periods = periods;
    s->buffer_frames = period * periods;
    s->bytes_per_second = (uint64_t)RATES[rate] * channels * WIDTHS[format];
    return s->bytes_per_second <= 24576000;
}

WR_PROPERTY(sound_setup)
{
    size_t   rate = wr_pick(t, "rate", RATE_COUNT);
    sample   format = (sample)wr_enum(t, "format", 4, SAMPLES);
    unsigned channels = (unsigned)wr_int(t, "channels", 1, 32);
    unsigned latency_ms = (unsigned)wr_int(t, "latency_ms", 1, 500);
    unsigned periods = (unsigned)wr_int(t, "periods", 2, PERIODS_MAX);
    bool     shared = wr_bool(t, "shared");
    setup    s;
    bool     fits = configure(rate, format, channels, latency_ms, periods, shared, &s);

    wr_assert(t, fits == (s.bytes_per_second <= UINT64_C(192000) * 32 * 4));
    wr_assert_eq(t, s.periods, periods);
    wr_assert_ge(t, s.period_frames, 16);
    wr_assert_eq(t, s.buffer_frames, s.period_frames * s.periods);
    /* As long as was asked for, in whole milliseconds. */
    wr_assert_ge(t, (uint64_t)s.buffer_frames * 1000, (uint64_t)RATES[rate] * latency_ms);
    wr_assert_le(t, s.buffer_frames, 131072);
}

#ifdef WITNESS
WR_EXAMPLE(sound_setup, "rate = 8", "latency_ms = 500", "periods = 2");
#endif
