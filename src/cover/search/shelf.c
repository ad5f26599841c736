/* cover/search/shelf.c: puts rows on the shelf, and finds those with room for some cells.
 *
 * Words for 64 blocks at once (`tops`) let a search over many rows skip blocks that cannot fit. A
 * bit there may outlive the row that set it, which costs a look.
 */
#include "cover/search/shelf.h"

#include "core/grow.h"
#include "cover/model/model.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS_APART 256 /* sets of a column; the levels of a wider one share them */

bool wrc_shelf_open(wrc_shelf *s, uint32_t columns, const uint32_t *levels)
{
    *s = (wrc_shelf){ .columns = columns };
    s->first = malloc((columns + 1) * sizeof *s->first);
    if (s->first == NULL)
        return false;
    for (uint32_t c = 0; c < columns; c++) {
        s->first[c] = s->width;
        s->width += (levels[c] < LEVELS_APART ? levels[c] : LEVELS_APART) + 1;
    }
    s->first[columns] = s->width;
    return true;
}

void wrc_shelf_close(wrc_shelf *s)
{
    free(s->first);
    free(s->words);
    free(s->tops);
    free(s->rows);
    free(s->barred);
    *s = (wrc_shelf){ 0 };
}

/* ---- Putting ---- */

static bool reserve_blocks(wrc_shelf *s, uint64_t blocks)
{
    uint64_t *words = realloc(s->words, blocks * s->width * sizeof *words);
    if (words != NULL)
        s->words = words;
    uint64_t *tops = realloc(s->tops, (blocks / 64 + 1) * s->width * sizeof *tops);
    if (tops != NULL)
        s->tops = tops;
    uint64_t *rows = realloc(s->rows, blocks * 64 * sizeof *rows);
    if (rows != NULL)
        s->rows = rows;
    if (words == NULL || tops == NULL || rows == NULL)
        return false;
    s->blocks = blocks;
    return true;
}

static bool start_block(wrc_shelf *s, uint64_t block)
{
    if (block >= s->blocks && !reserve_blocks(s, s->blocks * 2 + 4))
        return false;
    memset(s->words + block * s->width, 0, s->width * sizeof *s->words);
    if (block % 64 == 0)
        memset(s->tops + block / 64 * s->width, 0, s->width * sizeof *s->tops);
    return true;
}

/* The place in a block of the word for a column's level; the last word is for open cells. */
static inline uint32_t place_of(const wrc_shelf *s, uint32_t column, uint32_t level)
{
    return level == WRC_ANY ? s->first[column + 1] - 1 : s->first[column] + level % LEVELS_APART;
}

static inline void mark(wrc_shelf *s, uint64_t slot, uint32_t column, uint32_t level)
{
    uint32_t place = place_of(s, column, level);
    uint64_t block = slot / 64;
    s->words[block * s->width + place] |= UINT64_C(1) << (slot % 64);
    s->tops[block / 64 * s->width + place] |= UINT64_C(1) << (block % 64);
}

bool wrc_shelf_put(wrc_shelf *s, uint64_t row, const uint32_t *cells, const uint8_t *which)
{
    uint64_t slot = s->count;
    if (slot % 64 == 0 && !start_block(s, slot / 64))
        return false;
    s->rows[slot] = row;
    s->count++;
    for (uint32_t c = 0; c < s->columns; c++)
        if (which[c])
            mark(s, slot, c, cells[c]);
    return true;
}

void wrc_shelf_fill(wrc_shelf *s, uint64_t slot, wrc_cells tuple)
{
    uint64_t *words = s->words + slot / 64 * s->width;
    for (uint32_t i = 0; i < tuple.count; i++) {
        words[place_of(s, tuple.columns[i], WRC_ANY)] &= ~(UINT64_C(1) << (slot % 64));
        mark(s, slot, tuple.columns[i], tuple.levels[i]);
    }
}

/* ---- Barring ---- */

void wrc_shelf_bar(wrc_shelf *s, uint32_t column, uint32_t level)
{
    uint32_t levels = s->first[column + 1] - s->first[column] - 1;
    if (levels == LEVELS_APART || level >= levels)
        return;
    uint32_t *wider = wri_grow(s->barred, sizeof *wider, s->barred_count, &s->barred_room);
    if (wider == NULL)
        return;
    s->barred = wider;
    wider[s->barred_count++] = place_of(s, column, level);
}

void wrc_shelf_unbar(wrc_shelf *s)
{
    s->barred_count = 0;
}

static uint64_t barred(const wrc_shelf *s, const uint64_t *words)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < s->barred_count; i++)
        rows |= words[s->barred[i]];
    return rows;
}

/* ---- Finding ---- */

/* The rows, or blocks, that fit among the 64 that words stand for. */
static inline uint64_t fitting(const wrc_shelf *s, const uint64_t *words, wrc_cells tuple,
                               bool room)
{
    uint64_t among = UINT64_MAX;
    for (uint32_t i = 0; i < tuple.count && among != 0; i++) {
        uint64_t have = words[place_of(s, tuple.columns[i], tuple.levels[i])];
        if (room)
            have |= words[place_of(s, tuple.columns[i], WRC_ANY)];
        among &= have;
    }
    return among;
}

/* The places from `from` on among the first `count` of those that a word stands for. */
static inline uint64_t window(uint64_t from, uint64_t count)
{
    return (count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) & UINT64_MAX << from;
}

/* The first block from this one on that may have a row that fits; UINT64_MAX: none. */
static uint64_t find_block(const wrc_shelf *s, uint64_t from, wrc_cells tuple, bool room)
{
    uint64_t blocks = (s->count + 63) / 64, skip = from % 64;
    for (uint64_t top = from / 64; top * 64 < blocks; top++, skip = 0) {
        uint64_t among =
            fitting(s, s->tops + top * s->width, tuple, room) & window(skip, blocks - top * 64);
        if (among != 0)
            return top * 64 + (uint64_t)__builtin_ctzll(among);
    }
    return UINT64_MAX;
}

uint64_t wrc_shelf_find(const wrc_shelf *s, uint64_t from, wrc_cells tuple, bool room)
{
    uint64_t block = from / 64;
    for (; (block = find_block(s, block, tuple, room)) != UINT64_MAX; block++) {
        uint64_t among = fitting(s, s->words + block * s->width, tuple, room) &
                         window(block == from / 64 ? from % 64 : 0, s->count - block * 64);
        if (room && among != 0)
            among &= ~barred(s, s->words + block * s->width);
        if (among != 0)
            return block * 64 + (uint64_t)__builtin_ctzll(among);
    }
    return UINT64_MAX;
}
