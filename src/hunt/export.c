/* hunt/export.c: writes the corpus of a property as files, for a fuzzer.
 *
 * With --export DIR a file has the content of the property's only bytes or text draw in one case,
 * as --seed-files reads it. With --fuzz-export DIR it has the answers of all draws, as a fuzzing
 * target and --fuzz-files read them. Its name is made of its content, so the same case is written
 * once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/hash.h"
#include "explore/answer.h"
#include "hunt/internal.h"
#include "plan/import.h"
#include "store/corpus.h"

static void refuse(wri_quest *quest, const char *what, const char *why)
{
    char line[1200];
    snprintf(line, sizeof line, "%s: %s%s%s",
             quest->settings->export_to != NULL ? "--export" : "--fuzz-export", what,
             why[0] == '\0' ? "" : ": ", why);
    quest->status = WRI_STATUS_ERROR;
    quest->why = strdup(line);
}

static const char *folder_of(const wri_quest *quest)
{
    const wri_settings *settings = quest->settings;
    return settings->export_to != NULL ? settings->export_to : settings->fuzz_export;
}

bool wri_export_asked(const wri_settings *settings)
{
    return settings->export_to != NULL || settings->fuzz_export != NULL;
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

/* The bytes of the log's answers, which it ends with; malloced. */
static bool packed_bytes(const wri_trace *log, char **bytes, size_t *count)
{
    const wri_node *last = &log->nodes[log->node_count - 1];
    const uint8_t  *packed = last->what != WRI_ARRAY || last->max != UINT64_MAX
                                 ? NULL
                                 : wri_bytes_unpack(log, (size_t)last->number, count);
    *bytes = packed == NULL ? NULL : malloc(*count + 1);
    if (*bytes != NULL)
        memcpy(*bytes, packed, *count);
    return *bytes != NULL;
}

/* Runs a case, to see what its draws have, and writes that. A case that does not fit any more is
 * left out. False: no more can be written. */
static bool export_case(wri_quest *quest, const wri_import *import, const wri_trace *plan)
{
    wri_outcome outcome;
    char       *bytes;
    size_t      count;
    wri_job     job = wri_quest_job(quest);
    job.manner = import == NULL ? WRI_MANNER_PACK : WRI_MANNER_EXACT;
    wri_quest_single(quest, &job, plan, false, &outcome);
    if (outcome.verdict.kind == WRI_STALE ||
        !(import == NULL ? packed_bytes(&outcome.trace, &bytes, &count)
                         : wri_import_bytes(import, &outcome.trace, &bytes, &count))) {
        wri_quest_warn(quest, "a case of the corpus does not fit, and was not exported");
        return true;
    }
    bool written = write_file(folder_of(quest), bytes, count);
    if (!written)
        refuse(quest, folder_of(quest), strerror(errno));
    quest->cases += written;
    free(bytes);
    return written;
}

void wri_export_corpus(wri_quest *quest)
{
    const char *folder = folder_of(quest);
    wri_corpus  corpus = { 0 };
    wri_import  import;
    wri_note    note;
    bool        imports = quest->settings->export_to != NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        refuse(quest, folder, strerror(errno));
    } else if (quest->store == NULL) {
        refuse(quest, "there is no store", "");
    } else if (!wri_corpus_read(quest->store, &quest->owner, &corpus, &note)) {
        refuse(quest, note.text, "");
    } else if (corpus.count == 0) {
        refuse(quest, "the property has no corpus yet: --explore guide makes one", "");
    } else if (quest->settings->export_to != NULL && !wri_seeds_find_draw(quest, &import)) {
        refuse(quest, "no file was written", "");
    } else {
        for (size_t i = 0; i < corpus.count && !wri_interrupt_came(); i++)
            if (!export_case(quest, imports ? &import : NULL, &corpus.cases[i]))
                break;
        if (imports)
            wri_import_free(&import);
    }
    wri_corpus_free(&corpus);
}
