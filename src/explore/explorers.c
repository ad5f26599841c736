/* explore/explorers.c: the table of explorers. A new explorer adds its word to
 * WRI_NAMED_EXPLORERS or WRI_EXPLORERS in explorer.h. */
#include "explore/explorer.h"

const wri_explorer *const wri_explorers[WRI_EXPLORER_COUNT] = {
#define ROW(word) &wri_explorer_##word,
    WRI_EXPLORERS(ROW)
#undef ROW
};
