/* cover/absent.h: finds values that no row has.
 *
 * Every value is in some row, unless the constraints exclude it. A value that they exclude is
 * often a mistake in them, so the command names it.
 */
#ifndef WRC_COVER_ABSENT_H
#define WRC_COVER_ABSENT_H

#include "cover/model/model.h"

enum { WRC_ABSENT_NAMED = 6 };

typedef struct wrc_absent {
    uint64_t  count; /* values that no row has so far; 0 before the first row */
    bool      begun;
    uint64_t *seen; /* a bit for each value; NULL: no memory, and nothing is said */
} wrc_absent;

/* Marks the values of a row. */
void wrc_absent_row(wrc_absent *absent, const wrc_model *model, const uint32_t *row);
/* Names some of these values, of different parameters if possible; says how many it named. */
uint32_t wrc_absent_some(const wrc_absent *absent, const wrc_model *model,
                         uint32_t columns[WRC_ABSENT_NAMED], uint32_t levels[WRC_ABSENT_NAMED]);
void     wrc_absent_free(wrc_absent *absent);

#endif
