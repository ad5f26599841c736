/* hunt/corpus.c: what a guided run has learnt, from one run to the next.
 *
 * Before the first case, the cases of the store's corpus are laid into the pool, to be run as
 * they are; after the last, the fewest and smallest of the pool's cases that show all there was
 * to be seen are stored. The pool was writable by code under test: what is taken from it is
 * checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/fewest.h"
#include "explore/pool.h"
#include "hunt/hunt.h"
#include "store/corpus.h"

static char *path_of(const wri_quest *quest)
{
    if (quest->folder == NULL || !quest->guided)
        return NULL;
    return wri_corpus_path(quest->folder, wri_base_name(quest->settings->program),
                           quest->property->name);
}

void wri_quest_recall(wri_quest *quest)
{
    wri_pool  *pool = wri_runner_pool(quest->runner);
    wri_corpus corpus = { 0 };
    char       error[512];
    char      *path = path_of(quest);
    if (path == NULL)
        return;
    if (!wri_corpus_read(path, wri_label_hash(quest->property->name), &corpus, error,
                         sizeof error)) {
        quest->store_broken = true; /* the run goes on, and ends in status 99 */
        wri_quest_warn(quest, "%s", error);
    }
    for (size_t i = 0; i < corpus.count; i++)
        if (wri_pool_add(pool, &corpus.cases[i], 0, false, NULL, 0) == WRI_NOBODY)
            break;
    pool->seeds = pool->entry_count;
    wri_corpus_free(&corpus);
    free(path);
}

/* ---- Remembering ---- */

/* What an entry is worth keeping for. */
typedef struct keepsake {
    wri_entry_view view;
    uint32_t      *features;
    size_t         count;
    char           note[160];
} keepsake;

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Of a slot only the best counts, and that is its owner's. */
static bool worth_keeping(const wri_pool *pool, uint32_t entry, uint32_t feature)
{
    const wri_feature *of = &pool->features[feature];
    return wri_feature_covers(of) || (of->class == WRI_FEATURE_SLOT && of->owner == entry);
}

/* Adds a feature's text to the note, as long as there is room. */
static void add_to_note(keepsake *kept, const wri_feature *feature)
{
    char   text[WRI_FEATURE_TEXT];
    size_t used = strlen(kept->note);
    memcpy(text, feature->text, sizeof text);
    text[sizeof text - 1] = '\0';
    if (text[0] == '\0' || feature->class >= WRI_FEATURE_EDGE ||
        used + strlen(text) + 3 > sizeof kept->note)
        return;
    snprintf(kept->note + used, sizeof kept->note - used, "%s%s", used > 0 ? ", " : "", text);
}

static bool take(wri_pool *pool, uint32_t entry, keepsake *kept)
{
    uint32_t limit = pool->feature_count;
    memset(kept, 0, sizeof *kept);
    if (limit > WRI_POOL_FEATURES || !wri_pool_look(pool, entry, &kept->view))
        return false;
    kept->features = malloc((kept->view.shown_count + 1) * sizeof *kept->features);
    for (uint32_t i = 0; i < kept->view.shown_count && kept->features != NULL; i++) {
        uint32_t feature = kept->view.shown[i];
        if (feature >= limit || !worth_keeping(pool, entry, feature))
            continue;
        kept->features[kept->count++] = feature;
        add_to_note(kept, &pool->features[feature]);
    }
    if (kept->count > 1)
        qsort(kept->features, kept->count, sizeof *kept->features, by_number);
    return kept->features != NULL;
}

static void write_chosen(wri_quest *quest, const char *path, const keepsake *kept, size_t count,
                         const bool *chosen)
{
    char       error[512];
    wri_corpus corpus = { .cases = calloc(count + 1, sizeof *corpus.cases),
                          .notes = calloc(count + 1, sizeof *corpus.notes) };
    for (size_t i = 0; i < count && corpus.cases != NULL && corpus.notes != NULL; i++)
        if (chosen[i]) {
            corpus.cases[corpus.count] = kept[i].view.trace;
            corpus.notes[corpus.count++] = (char *)(uintptr_t)kept[i].note;
        }
    if (!wri_corpus_write(path, wri_base_name(quest->settings->program), quest->property->name,
                          &corpus, error, sizeof error))
        wri_quest_warn(quest, "the corpus could not be stored: %s", error);
    free(corpus.cases);
    free(corpus.notes);
}

/* A run that did not come beyond the corpus, or was no run at all, knows no more than that. */
static bool has_learnt(const wri_quest *quest, const wri_pool *pool)
{
    return pool->cases > pool->seeds && quest->status != WRI_STATUS_SKIPPED &&
           quest->status != WRI_STATUS_ERROR;
}

void wri_quest_remember(wri_quest *quest)
{
    wri_pool *pool = wri_runner_pool(quest->runner);
    char     *path = has_learnt(quest, pool) ? path_of(quest) : NULL;
    if (path == NULL)
        return;
    uint32_t   entries =
        pool->entry_count < WRI_POOL_ENTRIES ? pool->entry_count : WRI_POOL_ENTRIES;
    size_t     count = 0;
    keepsake  *kept = malloc((entries + 1) * sizeof *kept);
    wri_shown *shown = calloc(entries + 1, sizeof *shown);
    bool      *chosen = calloc(entries + 1, sizeof *chosen);
    if (kept != NULL && shown != NULL && chosen != NULL) {
        for (uint32_t i = 0; i < entries; i++)
            if (take(pool, i, &kept[count]))
                count++;
        for (size_t i = 0; i < count; i++)
            shown[i] = (wri_shown){ .features = kept[i].features,
                                    .count = kept[i].count,
                                    .size = wri_trace_choices(&kept[i].view.trace) };
        wri_fewest(shown, count, chosen);
        write_chosen(quest, path, kept, count, chosen);
        for (size_t i = 0; i < count; i++)
            free(kept[i].features);
    }
    free(kept);
    free(shown);
    free(chosen);
    free(path);
}

/* ---- Remarks ---- */

void wri_quest_remarks(wri_quest *quest)
{
    wri_pool *pool = wri_runner_pool(quest->runner);
    uint32_t  used = pool->remarks_used;
    char     *lines = used == 0 || used > WRI_POOL_REMARKS ? NULL : malloc(used + 1);
    pool->remarks_used = 0;
    if (lines == NULL)
        return;
    memcpy(lines, pool->remarks, used);
    lines[used] = '\0';
    for (char *line = lines, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        quest->reporter->remark(quest->reporter, quest->property->name, line);
    }
    free(lines);
}
