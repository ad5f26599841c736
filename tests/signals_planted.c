/* tests/signals_planted.c: only includes warren.h, which plants the stubs that code in a shared
 * library reaches Warren by when there is a sanitizer's run-time. */
#include "warren.h"
