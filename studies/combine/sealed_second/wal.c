/* kind: edge
 * A log in blocks of 32 KiB: when just the header of a record fits, the writer fills the rest of
 * the block with zeroes, and the reader takes them for a record. */
#include <warren.h>

#define BLOCK 32768
#define HEADER 7

typedef struct layout {
    uint32_t records; /* pieces of the record */
    uint32_t padding; /* zeroes before the first piece */
    uint32_t end;     /* where the next record begins, in its block */
} layout;

static layout written(uint32_t at, uint32_t length)
{
    layout   of = { 0, 0, at };
    uint32_t left = length;
    do {
        uint32_t room = BLOCK - of.end;
#ifndef FIXED
        if (room <= HEADER) {
#else
        if (room < HEADER) {
#endif
            of.padding += room;
            of.end = 0;
            room = BLOCK;
        }
        uint32_t part = left < room - HEADER ? left : room - HEADER;
        of.end = (of.end + HEADER + part) % BLOCK;
        of.records++;
        left -= part;
    } while (left > 0);
    return of;
}

/* As the format says it: a trailer is shorter than a header. */
static layout expected(uint32_t at, uint32_t length)
{
    layout of = { 0, 0, at };
    if (BLOCK - at < HEADER) {
        of.padding = BLOCK - at;
        at = 0;
    }
    uint32_t first = BLOCK - at - HEADER, whole = BLOCK - HEADER;
    if (length <= first) {
        of.records = 1;
        of.end = (at + HEADER + length) % BLOCK;
        return of;
    }
    uint32_t rest = length - first;
    of.records = 1 + (rest + whole - 1) / whole;
    uint32_t last = rest - (of.records - 2) * whole;
    of.end = (HEADER + last) % BLOCK;
    return of;
}

WR_PROPERTY(wal)
{
    uint32_t at = (uint32_t)wr_int(t, "at", 0, 16 * BLOCK - 1);
    uint32_t length = (uint32_t)wr_int(t, "length", 0, 12000);
    /* Room of 1 to 6 at the end of a record is padded with the next one. */
    layout got = written(at % BLOCK, length), wanted = expected(at % BLOCK, length);
    wr_assert_eq(t, got.padding, wanted.padding);
    wr_assert_eq(t, got.records, wanted.records);
    wr_assert_eq(t, got.end, wanted.end);
}

#ifdef WITNESS
WR_EXAMPLE(wal, "at = 65529", "length = 10");
#endif
