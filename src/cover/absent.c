/* cover/absent.c: marks the values that rows have, and lists those without a mark.
 *
 * The marks are bits: the values of the first parameter, then those of the second, and so on.
 * They take memory only when the first row comes, for then building is done.
 */
#include "cover/absent.h"

#include <stdlib.h>

#define MOST_VALUES (UINT64_C(1) << 28) /* of all parameters together: 32 MB of marks */
#define MOST_OF_ONE 2 /* values named of one parameter: those of others are named, too */

static void begin(wrc_absent *absent, const wrc_model *model)
{
    uint64_t values = 0;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        values += model->parameters[p].levels;
    absent->begun = true;
    if (values <= MOST_VALUES)
        absent->seen = calloc((size_t)(values / 64 + 1), sizeof *absent->seen);
    absent->count = absent->seen ? values : 0;
}

static bool is_seen(const wrc_absent *absent, uint64_t value)
{
    return absent->seen[value / 64] >> value % 64 & 1;
}

void wrc_absent_row(wrc_absent *absent, const wrc_model *model, const uint32_t *row)
{
    if (!absent->begun)
        begin(absent, model);
    uint64_t first = 0;
    for (uint32_t p = 0; absent->count > 0 && p < model->parameter_count; p++) {
        uint64_t value = first + row[p];
        if (row[p] < model->parameters[p].levels && !is_seen(absent, value)) {
            absent->seen[value / 64] |= UINT64_C(1) << value % 64;
            absent->count--;
        }
        first += model->parameters[p].levels;
    }
}

uint32_t wrc_absent_some(const wrc_absent *absent, const wrc_model *model,
                         uint32_t columns[WRC_ABSENT_NAMED], uint32_t levels[WRC_ABSENT_NAMED])
{
    uint64_t first = 0;
    uint32_t found = 0;
    for (uint32_t p = 0; absent->count > 0 && p < model->parameter_count; p++) {
        uint32_t count = model->parameters[p].levels;
        for (uint32_t i = 0, of = 0; found < WRC_ABSENT_NAMED && of < MOST_OF_ONE && i < count;
             i++)
            if (!is_seen(absent, first + i)) {
                columns[found] = p;
                levels[found++] = i;
                of++;
            }
        first += count;
    }
    return found;
}

void wrc_absent_free(wrc_absent *absent)
{
    free(absent->seen);
    *absent = (wrc_absent){ 0 };
}
