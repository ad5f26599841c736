/* hunt/export.c: writes the corpus of a property as files (--export DIR), for a fuzzer.
 *
 * A file has the content of the property's only bytes or text draw in one case, as --seed-files
 * reads it. Its name is made of its content, so the same case is written once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/hash.h"
#include "hunt/internal.h"
#include "plan/import.h"
#include "store/corpus.h"

static void refuse(wri_quest *quest, const char *what, const char *why)
{
    char line[1200];
    snprintf(line, sizeof line, "--export: %s%s%s", what, why[0] == '\0' ? "" : ": ", why);
    quest->status = WRI_STATUS_ERROR;
    quest->why = strdup(line);
}

/* False: errno says why. */
static bool write_file(const char *folder, const char *bytes, size_t count)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%016llx", folder, (unsigned long long)wri_hash_bytes(bytes, count)) <
        0)
        return false;
    FILE *out = fopen(path, "wbe");
    bool  written = out != NULL && fwrite(bytes, 1, count, out) == count;
    written = out != NULL && fclose(out) == 0 && written;
    free(path);
    return written;
}

/* Runs a case, to see what its draw has, and writes that. A case that does not fit any more is
 * left out. False: no more can be written. */
static bool export_case(wri_quest *quest, const wri_import *import, const wri_trace *plan)
{
    wri_outcome outcome;
    char       *bytes;
    size_t      count;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_EXACT;
    wri_quest_single(quest, &job, plan, false, &outcome);
    if (outcome.verdict.kind == WRI_STALE ||
        !wri_import_bytes(import, &outcome.trace, &bytes, &count)) {
        wri_quest_warn(quest,
                       "--export: a case of the corpus has not this draw, and was left out");
        return true;
    }
    bool written = write_file(quest->settings->export_to, bytes, count);
    if (!written)
        refuse(quest, quest->settings->export_to, strerror(errno));
    quest->cases += written;
    free(bytes);
    return written;
}

void wri_export_corpus(wri_quest *quest)
{
    const char *folder = quest->settings->export_to;
    wri_corpus  corpus = { 0 };
    wri_import  import;
    wri_note    note;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        refuse(quest, folder, strerror(errno));
    } else if (quest->store == NULL) {
        refuse(quest, "there is no store", "");
    } else if (!wri_corpus_read(quest->store, &quest->owner, &corpus, &note)) {
        refuse(quest, note.text, "");
    } else if (corpus.count == 0) {
        refuse(quest, "the property has no corpus yet: --explore guide makes one", "");
    } else if (!wri_seeds_find_draw(quest, &import)) {
        refuse(quest, "no file was written", "");
    } else {
        for (size_t i = 0; i < corpus.count && !wri_interrupt_came(); i++)
            if (!export_case(quest, &import, &corpus.cases[i]))
                break;
        wri_import_free(&import);
    }
    wri_corpus_free(&corpus);
}
