/* constants/dictionary.h: the constants of the program that runs: numbers and words that its own
 * code compares with, or has in tables.
 *
 * They come from the files of the program and of its own shared objects, never from memory, so
 * one program has one dictionary, wherever it is loaded. Another compiler may lead to another
 * one. Code of Warren, of the C library and of system libraries is left out.
 */
#ifndef WRI_CONSTANTS_DICTIONARY_H
#define WRI_CONSTANTS_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `weight` is large for a constant of a comparison, and small for one of a table. */
typedef struct wri_known_number {
    int64_t  value;
    uint32_t weight;
    uint64_t before; /* the weights of all entries before it */
} wri_known_number;

typedef struct wri_known_real {
    double   value; /* finite */
    uint32_t weight;
    uint64_t before;
} wri_known_real;

typedef struct wri_dictionary {
    const wri_known_number *numbers; /* ascending, each once */
    size_t                  number_count;
    const wri_known_real   *reals; /* ascending, each once */
    size_t                  real_count;
    /* Texts of 2 to 64 printable characters, in the order of strcmp(), each once. */
    const char *const *words;
    size_t             word_count;
} wri_dictionary;

/* The dictionary of this process. It is read at the first call, and lies in this process until it
 * ends; a fork has it, too. Never NULL: a program that cannot be read has an empty dictionary. */
const wri_dictionary *wri_dictionary_own(void);
/* The dictionary of one ELF file; wri_dictionary_free() frees it. It is empty if the file cannot
 * be read. */
wri_dictionary wri_dictionary_read(const char *path);
void           wri_dictionary_free(wri_dictionary *dictionary);

/* Chooses one of the numbers from lo to hi, by weight. One in two is the number itself, the
 * others are next to it. False: no number lies there. */
bool wri_dictionary_number(const wri_dictionary *dictionary, int64_t lo, int64_t hi,
                           uint64_t word, int64_t *value);
/* Likewise a real; one in four is a whole number of the program. */
bool wri_dictionary_real(const wri_dictionary *dictionary, double lo, double hi, uint64_t word,
                         double *value);

#endif
