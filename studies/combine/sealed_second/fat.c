/* kind: edge
 * Making a FAT file system: a disk of exactly 4085 clusters is laid out as FAT12, and every
 * reader takes it for FAT16. */
#include <warren.h>

#define SECTOR 512

typedef struct disk {
    uint32_t sectors, per_cluster, reserved, root_entries;
    bool     two_fats;
} disk;

typedef enum { FAT12, FAT16, FAT32 } width;

/* What a reader does; the standard says so. */
static width width_read(uint32_t clusters)
{
    return clusters < 4085 ? FAT12 : clusters < 65525 ? FAT16 : FAT32;
}

static width width_made(uint32_t clusters)
{
#ifndef FIXED
    return clusters < 4085 ? FAT12 : clusters <= 65525 ? FAT16 : FAT32;
#else
    return clusters < 4085 ? FAT12 : clusters < 65525 ? FAT16 : FAT32;
#endif
}

/* Sectors of one table; generous, as mkfs is. */
static uint32_t table_sectors(const disk *of)
{
    uint32_t most = of->sectors / of->per_cluster + 2;
    uint32_t bytes = most < 4085 ? most * 3 / 2 + 1 : most < 65525 ? most * 2 : most * 4;
    return (bytes + SECTOR - 1) / SECTOR;
}

static uint32_t clusters_of(const disk *of)
{
    uint32_t root = (of->root_entries * 32 + SECTOR - 1) / SECTOR;
    uint32_t before = of->reserved + root + table_sectors(of) * (of->two_fats ? 2 : 1);
    return of->sectors > before ? (of->sectors - before) / of->per_cluster : 0;
}

WR_PROPERTY(fat)
{
    disk of = { 0 };
    of.sectors = (uint32_t)wr_int(t, "sectors", 720, 16000000);
    of.per_cluster = 1u << wr_pick(t, "cluster_bits", 4);
    of.reserved = (uint32_t)wr_int(t, "reserved", 1, 32);
    of.root_entries = 16 * (uint32_t)wr_int(t, "root_blocks", 1, 64);
    of.two_fats = wr_bool(t, "two_fats");
    uint32_t clusters = clusters_of(&of);
    wr_assert_eq(t, width_made(clusters), width_read(clusters));
}

#ifdef WITNESS
WR_EXAMPLE(fat, "sectors = 66043", "cluster_bits = 0", "reserved = 1", "root_blocks = 1",
           "two_fats = false");
#endif
