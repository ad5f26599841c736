/* store/store.c: the parts of a store that do not depend on its kind. */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "store/campaign.h"

uint64_t wri_store_key(const wri_owner *owner, uint64_t origin)
{
    uint64_t key = wri_hash_step(origin, wri_hash_bytes(owner->program, strlen(owner->program)));
    return wri_hash_step(key, wri_hash_bytes(owner->property, strlen(owner->property)));
}

#define WITH_DATABASE "sqlite:"

/* The name without what says that it needs a database. */
static const char *without_database(const char *where, bool *must)
{
    *must = where != NULL && strncmp(where, WITH_DATABASE, strlen(WITH_DATABASE)) == 0;
    return *must ? where + strlen(WITH_DATABASE) : where;
}

/* A campaign elsewhere keeps its texts in the usual folder here. */
static wri_campaign *open_elsewhere(const char **where, bool *must, wri_note *note)
{
    wri_campaign *elsewhere = wri_redis_open(*where, note);
    *where = NULL;
    *must = true;
    return elsewhere;
}

wri_store *wri_store_open(const char *where, wri_note *note)
{
    bool          must;
    const char   *folder = without_database(where, &must), *url = NULL;
    wri_campaign *elsewhere = NULL;
    if (folder != NULL && strstr(folder, "://") != NULL) {
        url = folder;
        elsewhere = open_elsewhere(&folder, &must, note);
        if (elsewhere == NULL)
            return NULL;
    }
    wri_store *texts = wri_files_open(folder, note), *opened = texts;
    char      *root = texts == NULL ? NULL : wri_files_root(folder);
    if (must || (texts != NULL && wri_sqlite_available(NULL)))
        opened = wri_beside_open(texts, root, must, elsewhere, url, note);
    free(root);
    return opened;
}

void wri_stored_free(wri_stored *stored)
{
    free(stored->where);
    free(stored->program);
    free(stored->property);
    free(stored->kind);
    free(stored->place);
    free(stored->message);
    free(stored->values);
    free(stored->token);
    wri_saved_free(&stored->saved);
    memset(stored, 0, sizeof *stored);
}

void wri_stored_text_free(wri_stored_text *text)
{
    free(text->bytes);
    free(text->where);
    memset(text, 0, sizeof *text);
}
