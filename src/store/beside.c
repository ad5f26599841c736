/* store/beside.c: texts, with a database beside them.
 *
 *     .warren/failures/...      what a run tries first, for version control
 *     .warren/campaign.db       what is known besides
 *
 * Failures, corpora and rules are read from the texts and written there first. The database gets
 * each bug, its status, and the items of a run. It is opened when something is written. A
 * database that cannot be used is told of once; the run goes on without it.
 *
 * A campaign elsewhere gets what the database has, at once, and before each property the texts
 * get what it knows. While it is away the database has all; then it catches up.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/bugs.h"
#include "store/catch_up.h"

typedef struct beside {
    wri_store     base;
    wri_store    *texts;
    char         *root, *path; /* the folder, and the file of the database */
    wri_campaign *campaign;    /* NULL: not opened yet, */
    bool          gone;        /* or not to be used */
    wri_campaign *elsewhere;   /* NULL: this machine is alone, or cannot be otherwise */
    char         *url;
    bool          told;    /* that it cannot be reached */
    wri_note      pending; /* trouble that nobody could be told of yet; or "" */
} beside;

/* ---- opening ---- */

/* Version control keeps the texts and not the database. */
static void write_ignore(const beside *in)
{
    char *path = NULL;
    if (asprintf(&path, "%s/.gitignore", in->root) < 0)
        return;
    FILE *out = fopen(path, "wx");
    if (out != NULL) {
        fputs("campaign.db*\n", out);
        fclose(out);
    }
    free(path);
}

/* Is there a database, or a folder where one can be made? */
static bool has_place(const beside *in)
{
    struct stat status;
    return stat(in->path, &status) == 0 ||
           (stat(in->root, &status) == 0 && access(in->root, W_OK) == 0);
}

/* Returns whether the database can be used. False, and a line: it cannot, and now we know. */
static bool is_ready(beside *in, bool *failed, wri_note *note)
{
    *failed = false;
    if (in->campaign != NULL || in->gone || !has_place(in))
        return in->campaign != NULL;
    bool made = access(in->path, F_OK) != 0;
    in->campaign = wri_sqlite_open(in->path, WRI_SQLITE_MAKE, note);
    in->gone = *failed = in->campaign == NULL;
    if (in->campaign != NULL && made)
        write_ignore(in);
    return in->campaign != NULL;
}

/* The database failed, with a line in the note: it is not used any more. */
static bool give_up(beside *in)
{
    if (in->campaign != NULL)
        in->campaign->close(in->campaign);
    in->campaign = NULL;
    in->gone = true;
    return false;
}

/* ---- elsewhere ---- */

/* Says once that the others cannot be reached; it is tried again. Any other fault ends that. */
static bool complain(beside *in, wri_note *note)
{
    bool     silent = in->told && in->elsewhere->away;
    wri_note why;
    if (note != NULL) {
        why = *note;
        wri_note_refuse(note, "%.700s (%s)", why.text,
                        in->elsewhere->away ? "what is found is given later"
                                            : "what is found stays here");
    }
    in->told = true;
    if (!in->elsewhere->away) {
        in->elsewhere->close(in->elsewhere);
        in->elsewhere = NULL;
    }
    return silent;
}

/* Gives the others what is new here. */
static bool give(beside *in, wri_note *note)
{
    return in->elsewhere == NULL || in->campaign == NULL ||
           wri_catch_up_all(in->campaign, in->elsewhere, in->campaign, in->url, WRI_CAMPAIGN_ALL,
                            note) ||
           complain(in, note);
}

/* How others' runs went is not taken: it would be as much as all of them give. */
#define TAKEN (1u << WRI_ITEM_BUG | 1u << WRI_ITEM_CASE | 1u << WRI_ITEM_FEATURE)

/* Takes what the others know; the texts of this owner get it, too. */
static bool take(beside *in, const wri_owner *owner, wri_note *note)
{
    bool failed;
    if (in->elsewhere == NULL || !is_ready(in, &failed, note))
        return true;
    if (!wri_catch_up_all(in->elsewhere, in->campaign, in->campaign, in->url, TAKEN, note))
        return complain(in, note);
    return wri_catch_up_bugs(in->texts, in->campaign, owner, note) &&
           wri_catch_up_corpus(in->texts, in->campaign, owner, note);
}

/* ---- what is known ---- */

/* Merges a bug with what is known of it now; `change` says what. */
typedef bool change(wri_item *bug, const wri_item *there, const void *by);

static bool change_bug(beside *in, const wri_owner *owner, uint64_t key, change *make,
                       const void *by, wri_note *note)
{
    bool     failed, found = false;
    wri_item there = { .kind = WRI_ITEM_BUG }, bug = { .kind = WRI_ITEM_BUG, .key = key };
    if (!is_ready(in, &failed, note))
        return !failed;
    wri_note_refuse(note, "%s: memory is out", in->path);
    bool done = wri_campaign_get(in->campaign, WRI_ITEM_BUG, owner->program, owner->property, key,
                                 &there, &found, note) &&
                wri_item_set_owner(&bug, owner->program, owner->property) &&
                make(&bug, found ? &there : NULL, by) &&
                in->campaign->merge(in->campaign, &bug, 1, note);
    wri_item_free(&there);
    wri_item_free(&bug);
    return done ? give(in, note) : give_up(in);
}

static bool seen(wri_item *bug, const wri_item *there, const void *by)
{
    return wri_bugs_seen(bug, there, by);
}

typedef struct status_change {
    const wri_stored *stored; /* NULL: only its key is known */
    unsigned          status;
} status_change;

static bool with_status(wri_item *bug, const wri_item *there, const void *by)
{
    const status_change *to = by;
    if (!(there != NULL ? wri_item_copy(bug, there)
                        : to->stored == NULL || wri_bugs_stored(bug, to->stored)))
        return false;
    wri_bugs_set_status(bug, to->status);
    return true;
}

static bool put(wri_store *store, const wri_owner *owner, uint64_t key,
                const wri_failure *failure, wri_note *note)
{
    beside  *in = (beside *)store;
    wri_note trouble;
    wri_note_clear(note);
    if (!in->texts->put(in->texts, owner, key, failure, note))
        return false;
    if (!change_bug(in, owner, key, seen, failure, &trouble) && note != NULL &&
        note->text[0] == '\0')
        *note = trouble;
    return true;
}

static bool tell(wri_store *store, const wri_owner *owner, const wri_stored *stored,
                 unsigned status, wri_note *note)
{
    status_change to = { stored, status };
    return change_bug((beside *)store, owner, stored->key, with_status, &to, note);
}

static bool remove_failure(wri_store *store, const wri_owner *owner, uint64_t key, wri_note *note)
{
    beside       *in = (beside *)store;
    status_change to = { NULL, WRI_BUG_FORGOTTEN };
    if (!in->texts->remove(in->texts, owner, key, note))
        return false;
    change_bug(in, owner, key, with_status, &to, NULL);
    return true;
}

static bool record_items(beside *in, const wri_items *items, wri_note *note)
{
    bool failed;
    if (!is_ready(in, &failed, note))
        return !failed;
    return in->campaign->merge(in->campaign, items->list, items->count, note) ? give(in, note)
                                                                              : give_up(in);
}

static bool record(wri_store *store, const wri_items *items, wri_note *note)
{
    beside *in = (beside *)store;
    if (in->pending.text[0] == '\0')
        return record_items(in, items, note);
    record_items(in, items, NULL);
    *note = in->pending;
    wri_note_clear(&in->pending);
    return false;
}

/* ---- texts ---- */

static bool list(wri_store *store, const wri_owner *owner, wri_stored **found, size_t *count,
                 void (*tell_of)(void *context, const char *line), void *context, wri_note *note)
{
    beside  *in = (beside *)store;
    wri_note trouble;
    if (owner->property != NULL && !take(in, owner, &trouble))
        in->pending = trouble; /* the run goes on with the texts of this machine */
    return in->texts->list(in->texts, owner, found, count, tell_of, context, note);
}

static bool get(wri_store *store, const wri_owner *owner, uint64_t key, wri_stored *stored,
                wri_note *note)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->get(texts, owner, key, stored, note);
}

static char *where(wri_store *store, const wri_owner *owner, uint64_t key)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->where(texts, owner, key);
}

static char *replay_argument(wri_store *store, const wri_owner *owner, uint64_t key)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->replay_argument(texts, owner, key);
}

static bool get_set(wri_store *store, const wri_owner *owner, wri_set set, wri_stored_text *text,
                    wri_note *note)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->get_set(texts, owner, set, text, note);
}

static bool add_to_set(wri_store *store, const wri_owner *owner, wri_set set, const char *lines,
                       wri_note *note)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->add_to_set(texts, owner, set, lines, note);
}

static bool replace_set(wri_store *store, const wri_owner *owner, wri_set set, const char *text,
                        wri_note *note)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->replace_set(texts, owner, set, text, note);
}

static bool set_aside(wri_store *store, const wri_owner *owner, wri_set set, wri_note *note)
{
    wri_store *texts = ((beside *)store)->texts;
    return texts->set_aside(texts, owner, set, note);
}

/* ---- the store ---- */

static void close_beside(wri_store *store)
{
    beside *in = (beside *)store;
    if (in->campaign != NULL)
        in->campaign->close(in->campaign);
    if (in->elsewhere != NULL)
        in->elsewhere->close(in->elsewhere);
    if (in->texts != NULL)
        in->texts->close(in->texts);
    free(in->root);
    free(in->path);
    free(in->url);
    free(in);
}

/* Makes the folder and the database now. */
static bool make_both(beside *in, wri_note *note)
{
    bool failed;
    if (mkdir(in->root, 0777) != 0 && errno != EEXIST)
        return wri_note_refuse(note, "%s: cannot make this folder: %s", in->root,
                               strerror(errno));
    wri_note_refuse(note, "%s: this folder cannot be written to", in->root);
    return is_ready(in, &failed, note);
}

/* A server that is away may come back; one that refuses us is a mistake. */
static bool is_welcome(beside *in, wri_note *note)
{
    char id[20];
    return in->elsewhere == NULL || in->elsewhere->id(in->elsewhere, id, note) ||
           in->elsewhere->away;
}

wri_store *wri_beside_open(wri_store *texts, const char *root, bool must, wri_campaign *elsewhere,
                           const char *url, wri_note *note)
{
    beside *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        if (texts != NULL)
            texts->close(texts);
        if (elsewhere != NULL)
            elsewhere->close(elsewhere);
        wri_note_refuse(note, "memory is out");
        return NULL;
    }
    *opened = (beside){ .texts = texts,
                        .root = root == NULL ? NULL : strdup(root),
                        .elsewhere = elsewhere,
                        .url = strdup(url == NULL ? "" : url),
                        .base = { .list = list,
                                  .get = get,
                                  .put = put,
                                  .remove = remove_failure,
                                  .where = where,
                                  .replay_argument = replay_argument,
                                  .get_set = get_set,
                                  .add_to_set = add_to_set,
                                  .replace_set = replace_set,
                                  .set_aside = set_aside,
                                  .tell = tell,
                                  .record = record,
                                  .close = close_beside } };
    bool made = texts != NULL && opened->root != NULL && opened->url != NULL &&
                asprintf(&opened->path, "%s/campaign.db", opened->root) >= 0;
    if (!made)
        wri_note_refuse(note, "memory is out");
    if (made && is_welcome(opened, note) && (!must || make_both(opened, note)))
        return &opened->base;
    close_beside(&opened->base);
    return NULL;
}
