/* kind: edge
 * Where a span of a texture array ends: the end of the last one does not fit into 32 bits. */
#include <warren.h>

#define LAYERS 64
#define ROWS 4096
#define COLUMNS 128

typedef struct texture {
    uint32_t layers, rows, columns;
    uint32_t bytes, samples; /* of a texel */
    bool     read_only;
} texture;

static uint32_t texel(const texture *of)
{
    return of->bytes * of->samples;
}

static uint32_t row_bytes(const texture *of)
{
    return of->columns * texel(of);
}

static uint64_t whole(const texture *of)
{
    return (uint64_t)of->layers * of->rows * row_bytes(of);
}

/* May columns 0..right - 1 of the row be written? The buffer has `room` bytes. */
static bool may_write(const texture *of, uint32_t layer, uint32_t row, uint32_t right,
                      uint64_t room)
{
    if (of->read_only || layer >= of->layers || row >= of->rows || right > of->columns)
        return false;
#ifndef FIXED
    int32_t end = (int32_t)((layer * of->rows + row) * row_bytes(of) + right * texel(of));
    return end > 0 && (uint64_t)end <= room;
#else
    uint64_t end =
        ((uint64_t)layer * of->rows + row) * row_bytes(of) + (uint64_t)right * texel(of);
    return end <= room;
#endif
}

WR_PROPERTY(texture)
{
    static const uint32_t BYTES[] = { 1, 2, 3, 4 };
    texture               of = { LAYERS, ROWS, COLUMNS, 1, 1, false };
    of.bytes = BYTES[wr_pick(t, "format", 4)];
    of.read_only = wr_bool(t, "read_only");
    of.samples = 1u << wr_pick(t, "samples", 5);
    uint32_t layer = (uint32_t)wr_int(t, "layer", 0, LAYERS - 1);
    uint32_t row = (uint32_t)wr_int(t, "row", 0, ROWS - 1);
    uint32_t right = (uint32_t)wr_int(t, "right", 1, COLUMNS);
    wr_assert_eq(t, may_write(&of, layer, row, right, whole(&of)), !of.read_only);
    wr_assert(t, !may_write(&of, layer + LAYERS, row, right, whole(&of)));
}

#ifdef WITNESS
WR_EXAMPLE(texture, "format = 3", "samples = 4", "layer = 63", "row = 4095", "right = 128");
#endif
