/* kind: edge
 * The buffer for a picture's rows: a width just below 65536 wraps to a tiny row when colour is
 * halved both ways.
 */
#include <warren.h>

typedef enum { S444, S422, S420, S411 } sampling;

typedef struct picture {
    uint16_t width, height;
    sampling sampling;
    unsigned components; /* 1 or 3 */
} picture;

typedef struct layout {
    uint16_t mcu_width, mcu_height;
    uint32_t padded_width, padded_height;
    uint64_t bytes; /* of all planes */
} layout;

static uint16_t pad_to(uint16_t n, uint16_t unit)
{
    return (uint16_t)(((uint32_t)n + unit - 1u) & ~(unit - 1u));
}

static uint32_t pad_wide(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static bool lay_out(const picture *p, layout *l)
{
    if (p->width == 0 || p->height == 0)
        return false;
    l->mcu_width = 8;
    l->mcu_height = 8;
    if (p->components == 3) {
        switch (p->sampling) {
        case S444: break;
        case S422: l->mcu_width = 16; break;
        case S420:
            l->mcu_width = 16;
            l->mcu_height = 16;
            break;
        case S411: l->mcu_width = 32; break;
        }
    }
    l->padded_height = pad_wide(p->height, l->mcu_height);
#ifndef FIXED
    if (l->mcu_width == 16 && l->mcu_height == 16)
        l->padded_width = pad_to(p->width, l->mcu_width); /* the fast path */
    else
        l->padded_width = pad_wide(p->width, l->mcu_width);
#else
    (void)pad_to;
    l->padded_width = pad_wide(p->width, l->mcu_width);
#endif
    uint64_t luma = (uint64_t)l->padded_width * l->padded_height;
    uint64_t parts = (uint64_t)(l->mcu_width / 8) * (l->mcu_height / 8);
    l->bytes = luma + (p->components == 3 ? 2 * luma / parts : 0);
    return true;
}

WR_PROPERTY(jpeg_rows)
{
    static const wr_constant SAMPLINGS[] = { WR_CONSTANT(S444), WR_CONSTANT(S422),
                                             WR_CONSTANT(S420), WR_CONSTANT(S411) };
    picture                  p;
    p.width = (uint16_t)wr_uint(t, "width", 0, 65535);
    p.height = (uint16_t)wr_uint(t, "height", 0, 65535);
    p.components = wr_bool(t, "colour") ? 3 : 1;
    p.sampling = (sampling)wr_enum(t, "sampling", 4, SAMPLINGS);

    layout l;
    bool   done = lay_out(&p, &l);
    wr_assert_eq(t, done, p.width > 0 && p.height > 0);
    if (!done)
        return;
    wr_assert_ge(t, l.padded_width, p.width);
    wr_assert_lt(t, l.padded_width, p.width + 32u);
    wr_assert_ge(t, l.padded_height, p.height);
    wr_assert_ge(t, l.bytes, (uint64_t)p.width * p.height);
    if (p.components == 1)
        wr_assert_eq(t, l.bytes, (uint64_t)l.padded_width * l.padded_height);
}

#ifdef WITNESS
WR_EXAMPLE(jpeg_rows, "width = 65530", "height = 5", "colour = true", "sampling = S420");
#endif
