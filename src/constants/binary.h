/* constants/binary.h: an ELF file of this machine's byte order, by its sections.
 *
 * Nothing in the file is trusted: a section that does not lie in the file is empty.
 */
#ifndef WRI_CONSTANTS_BINARY_H
#define WRI_CONSTANTS_BINARY_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wri_binary {
    const uint8_t    *bytes;
    size_t            size;
    unsigned          machine; /* EM_X86_64, EM_AARCH64, ... */
    bool              fixed;   /* its addresses are those in memory */
    const Elf64_Shdr *sections;
    size_t            count;
    const char       *names; /* of sections */
    size_t            names_size;
} wri_binary;

/* A section, or a part of one. */
typedef struct wri_binary_part {
    uint64_t       address;
    const uint8_t *bytes;
    size_t         size;
} wri_binary_part;

/* False: it cannot be read, or is no ELF file of 64 bits. */
bool wri_binary_open(wri_binary *binary, const char *path);
void wri_binary_close(wri_binary *binary);
/* The name of a section, and its contents: empty if the file has none. */
const char     *wri_binary_name(const wri_binary *binary, size_t section);
wri_binary_part wri_binary_contents(const wri_binary *binary, size_t section);
/* The section of a kind (SHT_...); the number of sections: there is none. */
size_t wri_binary_find(const wri_binary *binary, uint32_t type);

/* Calls `take` for the program's file and for each shared object that is its own: not the C
 * library, not one of the system's folders, not Warren. */
void wri_binary_each_own(void (*take)(void *context, const char *path), void *context);

#endif
