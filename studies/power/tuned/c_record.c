/* kind: field of a header
 * A header of eight bytes: a tag, big-endian, a version, and the number of entries. Version 3 has
 * entries of another size. */
#include <warren.h>

#define TAG 0x57617272u

static uint32_t big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static size_t entry_size(unsigned version)
{
    return version >= 3 ? 12 : 8;
}

/* The bytes that all entries take; 0: it is no header. */
static size_t body_size(const uint8_t *header)
{
    unsigned version = (unsigned)header[4] << 8 | header[5];
    unsigned count = (unsigned)header[6] << 8 | header[7];
    if (big(header) != TAG || version == 0 || version > 3)
        return 0;
#ifndef FIXED
    return count * (version > 3 ? 12u : 8u);
#else
    return count * entry_size(version);
#endif
}

WR_PROPERTY(c_record)
{
    const uint8_t *header = wr_bytes(t, "header", 8);
    size_t         size = body_size(header);
    unsigned       count = (unsigned)header[6] << 8 | header[7];
    unsigned       version = (unsigned)header[4] << 8 | header[5];
    wr_assert(t, size == 0 || size == count * entry_size(version));
}

#ifdef WITNESS
WR_EXAMPLE(c_record, "header = [87, 97, 114, 114, 0, 3, 0, 1]");
#endif
