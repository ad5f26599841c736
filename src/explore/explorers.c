/* explore/explorers.c: the table of explorers. */
#include "explore/explorer.h"

const wri_explorer *const wri_explorers[WRI_EXPLORER_COUNT] = {
#define ROW(word) &wri_explorer_##word,
    WRI_EXPLORERS(ROW)
#undef ROW
};
