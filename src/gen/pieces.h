/* gen/pieces.h: splits bytes into pieces of a given list. */
#ifndef WRI_GEN_PIECES_H
#define WRI_GEN_PIECES_H

#include <stddef.h>

#include <warren.h>

/* For each place in the bytes: how few pieces make up the rest (SIZE_MAX: none do), and the first
 * of them. Both lists have room for `length` + 1. Returns the first piece that is empty; `count`:
 * there is none. */
size_t wri_pieces_split(const wr_piece *pieces, size_t count, const char *bytes, size_t length,
                        size_t *fewest, size_t *first);

#endif
