/* store/files/gather.c: reads all failures of a store, and merges stores.
 *
 * A merge goes item by item for bugs and for all that a database has, and line by line for the
 * texts of corpora, whose name is made of their owner. A text of rules gets the entries that it
 * has not. So a merge that was cut short is done again.
 */
#include "store/gather.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/grow.h"
#include "store/catch_up.h"
#include "store/files/file.h"

#define DATABASE "campaign.db"
#define WITH_DATABASE "sqlite:"

/* ---- where a store is ---- */

/* A store by its parts; a part that it has not is NULL. */
typedef struct place {
    char *root;     /* the folder of texts */
    char *database; /* the path, there or not */
} place;

static void leave(place *at)
{
    free(at->root);
    free(at->database);
    *at = (place){ .root = NULL };
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_url(const char *name)
{
    return strstr(name, "://") != NULL;
}

/* A Warren without SQLite goes by the texts of a folder. */
static bool has_database(const place *at)
{
    return is_url(at->database) ||
           (is_file(at->database) && (at->root == NULL || wri_sqlite_available(NULL)));
}

static wri_campaign *open_database(const char *name, wri_sqlite_how how, wri_note *note)
{
    return is_url(name) ? wri_redis_open(name, note) : wri_sqlite_open(name, how, note);
}

/* Takes the name of a store apart. must: it is there. */
static bool find(const char *where, bool must, place *at, wri_note *note)
{
    bool named = where != NULL && where[0] != '\0';
    if (named && strncmp(where, WITH_DATABASE, strlen(WITH_DATABASE)) == 0)
        where += strlen(WITH_DATABASE);
    *at = (place){ .root = NULL };
    if (named && (is_file(where) || is_url(where))) {
        at->database = strdup(where);
        return at->database != NULL || wri_note_refuse(note, "memory is out");
    }
    at->root = wri_files_root(where);
    at->database = at->root == NULL ? NULL : wri_file_print("%s/" DATABASE, at->root);
    if (at->database == NULL)
        return wri_note_refuse(note, "memory is out");
    if (named && must && !is_folder(at->root))
        return wri_note_refuse(note, "%s: there is no store here", at->root);
    return true;
}

/* ---- reading ---- */

static int compare(const void *left, const void *right)
{
    const wri_gathered *a = left, *b = right;
    const wri_item     *x = &a->bug, *y = &b->bug;
    int                 order =
        strcmp(x->program == NULL ? "" : x->program, y->program == NULL ? "" : y->program);
    if (order == 0)
        order = strcmp(x->property, y->property);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

static void sort(wri_gathering *all)
{
    if (all->count > 1)
        qsort(all->list, all->count, sizeof *all->list, compare);
}

static wri_gathered *look_up(const wri_gathering *all, const wri_gathered *like)
{
    return all->count == 0 ? NULL
                           : bsearch(like, all->list, all->count, sizeof *all->list, compare);
}

void wri_gather_free(wri_gathering *gathering)
{
    for (size_t i = 0; i < gathering->count; i++) {
        wri_item_free(&gathering->list[i].bug);
        free(gathering->list[i].path);
    }
    free(gathering->list);
    *gathering = (wri_gathering){ .list = NULL };
}

static wri_gathered *add(wri_gathering *all)
{
    wri_gathered *grown = wri_grow(all->list, sizeof *grown, all->count, &all->room);
    if (grown == NULL)
        return NULL;
    all->list = grown;
    grown[all->count] = (wri_gathered){ .bug = { .kind = WRI_ITEM_BUG } };
    return &grown[all->count++];
}

typedef struct taking {
    wri_gathering *all;
    bool           no_memory;
} taking;

static bool take_item(void *context, const wri_item *item)
{
    taking       *now = context;
    wri_gathered *made = add(now->all);
    now->no_memory = made == NULL || !wri_item_copy(&made->bug, item);
    return !now->no_memory;
}

/* The bugs of the database, if there is one. They come in order. */
static bool read_database(const place *at, wri_gathering *all, wri_note *note)
{
    wri_campaign_wish wish = { .after = 0 };
    taking            now = { .all = all };
    if (!has_database(at))
        return true;
    wri_campaign *database = open_database(at->database, WRI_SQLITE_READ, note);
    if (database == NULL)
        return false;
    bool read = database->each(database, WRI_ITEM_BUG, &wish, take_item, &now, note) &&
                (!now.no_memory || wri_note_refuse(note, "memory is out"));
    database->close(database);
    if (read)
        sort(all);
    return read;
}

static bool take_text(wri_gathering *texts, const char *path, wri_gather_complaints *complaints)
{
    wri_stored stored;
    wri_note   wrong;
    if (!wri_stored_read(path, &stored, &wrong)) {
        complaints->count++;
        complaints->tell(wrong.text);
        return true;
    }
    wri_gathered *made = add(texts);
    bool          taken = made != NULL && (made->path = strdup(path)) != NULL &&
                 wri_item_set_owner(&made->bug, stored.program, stored.property) &&
                 wri_bugs_stored(&made->bug, &stored);
    if (made != NULL)
        made->bug.key = stored.key;
    wri_stored_free(&stored);
    return taken;
}

/* PROGRAM.PROPERTY.KEY.txt, and neither a temporary file nor a bad one. */
static int is_text(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - 4, ".txt") == 0;
}

static int is_rules(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 6 && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - 6, ".rules") == 0;
}

/* Calls `with` for each file of a part of the folder, by name. False, and a line, when it returns
 * false or the folder cannot be read. */
typedef struct part {
    const char *root, *folder;
    int (*is_one)(const struct dirent *);
    bool (*with)(void *context, const char *path, const char *name, wri_note *);
    void *context;
} part;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool each_file(const part *of, wri_note *note)
{
    struct dirent **names = NULL;
    char           *folder = wri_file_print("%s/%s", of->root, of->folder);
    int             count = folder == NULL ? -1 : scandir(folder, &names, of->is_one, by_name);
    bool            done = folder != NULL && (count >= 0 || errno == ENOENT);
    if (!done)
        wri_note_refuse(note, "%s: cannot read this folder: %s", folder == NULL ? "" : folder,
                        strerror(errno));
    for (int i = 0; i < count; free(names[i++])) {
        char *path = done ? wri_file_print("%s/%s", folder, names[i]->d_name) : NULL;
        if (done && path == NULL)
            done = wri_note_refuse(note, "memory is out");
        done = done && of->with(of->context, path, names[i]->d_name, note);
        free(path);
    }
    free(names);
    free(folder);
    return done;
}

typedef struct reading {
    wri_gathering          texts;
    wri_gather_complaints *complaints;
} reading;

static bool read_one(void *context, const char *path, const char *name, wri_note *note)
{
    reading *now = context;
    (void)name;
    return take_text(&now->texts, path, now->complaints) ||
           wri_note_refuse(note, "%s: memory is out", path);
}

/* Adds the text of a bug. The database says more, and its case is the better one or the same. A
 * copy of a text is a bug of its own. */
static bool join(wri_gathering *all, size_t sorted, wri_gathered *text)
{
    wri_gathering before = { .list = all->list, .count = sorted };
    wri_gathered *there = look_up(&before, text);
    bool          changed;
    if (there == NULL || there->path != NULL) {
        there = add(all);
        if (there == NULL)
            return false;
        *there = *text;
        *text = (wri_gathered){ .path = NULL };
        return true;
    }
    there->path = text->path;
    text->path = NULL;
    return wri_item_merge(&there->bug, &text->bug, &changed);
}

static bool read_texts(const place *at, wri_gathering *all, wri_gather_complaints *complaints,
                       wri_note *note)
{
    reading now = { .complaints = complaints };
    part    failures = { at->root, "failures", is_text, read_one, &now };
    size_t  sorted = all->count;
    bool    read = at->root == NULL || each_file(&failures, note);
    for (size_t i = 0; i < now.texts.count && read; i++)
        read = join(all, sorted, &now.texts.list[i]) || wri_note_refuse(note, "memory is out");
    wri_gather_free(&now.texts);
    sort(all);
    return read;
}

static bool gather(const place *at, wri_gathering *all, wri_gather_complaints *complaints,
                   wri_note *note)
{
    return read_database(at, all, note) && read_texts(at, all, complaints, note);
}

bool wri_gather(const char *where, wri_gathering *gathering, wri_gather_complaints *complaints,
                wri_note *note)
{
    place at;
    *gathering = (wri_gathering){ .list = NULL };
    bool gathered = find(where, true, &at, note) && gather(&at, gathering, complaints, note);
    leave(&at);
    return gathered;
}

static bool copy_item(void *context, const wri_item *item)
{
    wri_items *items = context;
    wri_item  *made = wri_items_add(items, item->kind, item->program, item->property, item->key);
    return made != NULL && wri_item_copy(made, item);
}

bool wri_gather_items(const char *where, wri_item_kind kind, wri_items *items, wri_note *note)
{
    place             at;
    wri_campaign_wish all = { .after = 0 };
    bool              read = find(where, true, &at, note);
    if (read && has_database(&at)) {
        wri_campaign *database = open_database(at.database, WRI_SQLITE_READ, note);
        read = database != NULL && database->each(database, kind, &all, copy_item, items, note);
        if (database != NULL)
            database->close(database);
    }
    leave(&at);
    return read;
}

/* ---- forgetting ---- */

static bool note_forgotten(const char *path, const wri_item *bug, wri_note *note)
{
    wri_campaign *database = open_database(path, WRI_SQLITE_MAKE, note);
    wri_item      copy = { .kind = WRI_ITEM_BUG };
    if (database == NULL)
        return false;
    bool noted = wri_item_copy(&copy, bug) || wri_note_refuse(note, "memory is out");
    wri_bugs_set_status(&copy, WRI_BUG_FORGOTTEN);
    noted = noted && database->merge(database, &copy, 1, note);
    wri_item_free(&copy);
    database->close(database);
    return noted;
}

bool wri_gather_forget(const char *where, const wri_gathered *bug, wri_note *note)
{
    place at;
    bool  forgotten = find(where, true, &at, note);
    if (forgotten && has_database(&at))
        forgotten = note_forgotten(at.database, &bug->bug, note);
    if (forgotten && bug->path != NULL && unlink(bug->path) != 0)
        forgotten =
            wri_note_refuse(note, "%s: cannot remove this file: %s", bug->path, strerror(errno));
    leave(&at);
    return forgotten;
}

/* ---- merging bugs ---- */

static bool put_text(const place *to, const wri_item *bug, wri_note *note)
{
    wri_store *texts = wri_files_open(to->root, note);
    bool       put = texts != NULL && wri_catch_up_bug(texts, bug, note);
    if (texts != NULL)
        texts->close(texts);
    return put;
}

/* Brings the text of a bug to what is known of it now. A bug that is mended keeps its text as a
 * test; one that is forgotten has none. */
static bool settle_text(const place *to, const wri_gathered *there, const wri_gathered *from,
                        wri_note *note)
{
    wri_item known = { .kind = WRI_ITEM_BUG };
    bool     changed = true, kept = there != NULL && there->path != NULL;
    bool     copied = wri_item_copy(&known, there == NULL ? &from->bug : &there->bug);
    if (copied && there != NULL)
        copied = wri_item_merge(&known, &from->bug, &changed);
    if (!copied) {
        wri_item_free(&known);
        return wri_note_refuse(note, "memory is out");
    }
    uint64_t status = known.numbers[WRI_BUG_STATUS];
    bool     has_case = known.texts[WRI_BUG_TOKEN] != NULL;
    bool     better = there == NULL || strcmp(wri_item_text(&known, WRI_BUG_TOKEN),
                                              wri_item_text(&there->bug, WRI_BUG_TOKEN)) != 0;
    bool     wanted = has_case && status != WRI_BUG_FORGOTTEN &&
                  (kept ? better : from->path != NULL || status != WRI_BUG_MENDED);
    bool settled = true;
    if (kept && status == WRI_BUG_FORGOTTEN)
        settled = unlink(there->path) == 0 || errno == ENOENT;
    else if (wanted)
        settled = put_text(to, &known, note);
    wri_item_free(&known);
    return settled;
}

static bool merge_bug_texts(const place *to, const place *from, wri_gather_complaints *complaints,
                            wri_campaign *database, wri_note *note)
{
    wri_gathering mine = { .list = NULL }, theirs = { .list = NULL };
    bool merged = gather(to, &mine, complaints, note) && gather(from, &theirs, complaints, note);
    for (size_t i = 0; i < theirs.count && merged; i++) {
        const wri_gathered *one = &theirs.list[i];
        if (to->root != NULL)
            merged = settle_text(to, look_up(&mine, one), one, note);
        if (merged && database != NULL)
            merged = database->merge(database, &one->bug, 1, note);
    }
    wri_gather_free(&mine);
    wri_gather_free(&theirs);
    return merged;
}

/* ---- merging lines and rules ---- */

typedef struct uniting {
    const place *to;
    const char  *folder;
    bool         by_entries; /* entries with an empty line between two; else lines */
} uniting;

/* The length of the first entry or line of a text, with what ends it. */
static size_t first_length(const char *text, bool entry)
{
    const char *end = strstr(text, entry ? "\n\n" : "\n");
    return end == NULL ? strlen(text) : (size_t)(end - text) + 1;
}

static bool has_entry(const char *text, const char *entry, size_t length, bool by_entries)
{
    for (size_t here; *text != '\0'; text += here) {
        text += by_entries ? strspn(text, "\n") : 0;
        here = first_length(text, by_entries);
        if (here == length && memcmp(text, entry, length) == 0)
            return true;
    }
    return false;
}

/* Their text behind ours, without what ours has. Malloced; NULL: memory is out. */
static char *unite(const char *ours, const char *theirs, bool by_entries)
{
    char *all = malloc(strlen(ours) + 2 * strlen(theirs) + 4), *at = all;
    if (all == NULL)
        return NULL;
    at = stpcpy(at, ours);
    if (at != all && at[-1] != '\n')
        *at++ = '\n';
    for (size_t length; *theirs != '\0'; theirs += length) {
        theirs += by_entries ? strspn(theirs, "\n") : 0;
        length = first_length(theirs, by_entries);
        if (has_entry(ours, theirs, length, by_entries))
            continue;
        if (by_entries && length > 0 && at != all)
            *at++ = '\n';
        memcpy(at, theirs, length);
        at += length;
        if (length > 0 && at[-1] != '\n')
            *at++ = '\n';
    }
    *at = '\0';
    return all;
}

static bool unite_file(void *context, const char *path, const char *name, wri_note *note)
{
    const uniting  *now = context;
    wri_stored_text theirs = { 0 }, ours = { 0 };
    char           *here = wri_file_print("%s/%s/%s", now->to->root, now->folder, name);
    bool            read = here != NULL && wri_stored_text_read(path, &theirs, note);
    bool            fresh = here != NULL && access(here, F_OK) != 0;
    if (here == NULL)
        wri_note_refuse(note, "memory is out");
    if (read && !fresh)
        read = wri_stored_text_read(here, &ours, note);
    if (read &&
        (theirs.size > WRI_STORE_BYTES || ours.size > WRI_STORE_BYTES ||
         strlen(theirs.bytes) != theirs.size || (!fresh && strlen(ours.bytes) != ours.size)))
        read = wri_note_refuse(note, "%s: this is no text of a store", path);
    char *all = read ? unite(fresh ? "" : ours.bytes, theirs.bytes, now->by_entries) : NULL;
    bool  same = all != NULL && !fresh && strcmp(all, ours.bytes) == 0;
    bool  united = all != NULL ? same || wri_file_replace(here, all, strlen(all), note)
                               : read && wri_note_refuse(note, "memory is out");
    free(all);
    free(here);
    wri_stored_text_free(&theirs);
    wri_stored_text_free(&ours);
    return united;
}

static bool unite_folders(const place *to, const place *from, wri_note *note)
{
    uniting cases = { to, "corpus", false }, rules = { to, "rules", true };
    part    corpora = { from->root, "corpus", is_text, unite_file, &cases };
    part    known = { from->root, "rules", is_rules, unite_file, &rules };
    return to->root == NULL || from->root == NULL ||
           (each_file(&corpora, note) && each_file(&known, note));
}

/* ---- merging stores ---- */

/* Both are databases if one of them is nothing else; else there may be none. */
static bool open_databases(const place *to, const place *from, wri_campaign *open[2],
                           wri_note *note)
{
    bool must = to->root == NULL || has_database(from) || has_database(to);
    open[0] = open[1] = NULL;
    if (!must && !wri_sqlite_available(NULL))
        return true;
    if (to->root != NULL && mkdir(to->root, 0777) != 0 && errno != EEXIST)
        return wri_note_refuse(note, "%s: cannot make this folder: %s", to->root,
                               strerror(errno));
    if (has_database(from) &&
        (open[1] = open_database(from->database, WRI_SQLITE_READ, note)) == NULL)
        return false;
    open[0] = open_database(to->database, WRI_SQLITE_MAKE, note);
    return open[0] != NULL;
}

static bool merge_places(const place *to, const place *from, wri_gather_complaints *complaints,
                         wri_note *note)
{
    wri_campaign *open[2];
    bool          merged = open_databases(to, from, open, note) &&
                  merge_bug_texts(to, from, complaints, open[0], note) &&
                  unite_folders(to, from, note);
    if (merged && open[1] != NULL)
        merged = wri_campaign_give(open[1], 0, WRI_CAMPAIGN_ALL, open[0], note);
    for (int i = 0; i < 2; i++)
        if (open[i] != NULL)
            open[i]->close(open[i]);
    return merged;
}

bool wri_gather_merge(const char *to, const char *from, wri_gather_complaints *complaints,
                      wri_note *note)
{
    place here = { .root = NULL }, there = { .root = NULL };
    bool  merged = find(from, true, &there, note) && find(to, false, &here, note) &&
                  merge_places(&here, &there, complaints, note);
    leave(&here);
    leave(&there);
    return merged;
}
