/* constants/harvest.h: the constants of one ELF file, each as often as it is met. */
#ifndef WRI_CONSTANTS_HARVEST_H
#define WRI_CONSTANTS_HARVEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text that counts as a word. */
#define WRI_HARVEST_LETTERS 64

typedef struct wri_harvested_number {
    int64_t  value;
    uint32_t weight;
} wri_harvested_number;

typedef struct wri_harvested_real {
    double   value;
    uint32_t weight;
} wri_harvested_real;

typedef struct wri_harvested {
    wri_harvested_number *numbers;
    size_t                number_count, number_room;
    wri_harvested_real   *reals;
    size_t                real_count, real_room;
    char                **words;
    size_t                word_count, word_room;
    bool                  no_memory; /* something was left out */
} wri_harvested;

/* Adds the constants of a file; none if it cannot be read. */
void wri_harvest(wri_harvested *to, const char *path);

#endif
