/* constants/decode.h: the constants that machine code uses.
 *
 * Code is read from its first byte to its last, one instruction after the other. A decoder knows
 * how long instructions are and which of them compare, take a number off another, or load one.
 * All else is passed over. A byte that begins no instruction is passed over, too.
 */
#ifndef WRI_CONSTANTS_DECODE_H
#define WRI_CONSTANTS_DECODE_H

#include <stddef.h>
#include <stdint.h>

/* What code does with a constant. */
typedef enum wri_decoded_use {
    WRI_DECODED_LOADED,
    WRI_DECODED_COMPARED,
} wri_decoded_use;

/* Takes what a decoder finds. */
typedef struct wri_decoded {
    /* A number of `width` bytes: 1, 2, 4 or 8. */
    void (*number)(void *context, uint64_t number, unsigned width, wri_decoded_use use);
    /* A real of 4 or 8 bytes, and one that lies in the module's data. */
    void (*real)(void *context, double value, wri_decoded_use use);
    void (*real_at)(void *context, uint64_t address, unsigned width, wri_decoded_use use);
    /* The code refers to this address. */
    void (*address)(void *context, uint64_t address);
    /* Memory is compared with these bytes. */
    void (*bytes)(void *context, const char *bytes, size_t count);
    void *context;
} wri_decoded;

/* Decodes code that lies at `address`. */
void wri_decode_x86(const uint8_t *code, size_t bytes, uint64_t address, const wri_decoded *to);
void wri_decode_arm(const uint8_t *code, size_t bytes, uint64_t address, const wri_decoded *to);

#endif
