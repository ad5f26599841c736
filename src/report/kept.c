/* report/kept.c: the format for people, written to memory, and a second reporter beside it that
 * notes where the property failed.
 */
#include "report/kept.h"

#include <stdlib.h>
#include <string.h>

typedef struct keeper {
    wri_reporter base;
    FILE        *stream;
    wri_kept    *kept;
} keeper;

static void keep_place(wri_reporter *self, const wri_result *result)
{
    wri_kept *kept = ((keeper *)self)->kept;
    if (!wri_status_bad(result->status) || kept->file != NULL)
        return;
    const wri_failure *first = result->failure_count == 0 ? NULL : &result->failures[0];
    bool               placed = first != NULL && first->file[0] != '\0';
    kept->file = strdup(placed ? first->file : result->file);
    kept->line = placed ? first->line : result->line;
}

static void free_keeper(wri_reporter *self)
{
    keeper *k = (keeper *)self;
    fclose(k->stream);
    free(k);
}

wri_reporter *wri_kept_new(wri_kept *kept, char *error, size_t error_size)
{
    keeper *k = calloc(1, sizeof *k);
    FILE   *stream = open_memstream(&kept->text, &kept->size);
    /* The report is freed first, and then the keeper, which closes the stream. */
    wri_reporter *report =
        k == NULL || stream == NULL ? NULL : wri_human_new(stream, (wri_style){ .quiet = true });
    if (report == NULL) {
        if (stream != NULL)
            fclose(stream);
        free(k);
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    *k = (keeper){ .base = { .result = keep_place, .free = free_keeper },
                   .stream = stream,
                   .kept = kept };
    report->also = &k->base;
    return report;
}

void wri_kept_free(wri_kept *kept)
{
    free(kept->text);
    free(kept->file);
    *kept = (wri_kept){ 0 };
}
