/* store/store.h: failures, corpora and rules, from one run to the next.
 *
 *     wri_store *store = wri_store_open(NULL, &note);
 *     wri_owner  who = wri_owner_of(argv[0], "sorting_sorts");
 *     store->put(store, &who, wri_store_key(&who, origin), &failure, &note);
 *
 * A store is an object with functions. Its texts are folders of files (store/files/), with a
 * database beside them (store/beside.c). The owner and a key identify a failure. The owner and a
 * kind identify a set of lines. A path is never an identity: people read `where`, and programs do
 * not.
 *
 * Every text in a store may come from a checkout, a merge or an editor. A function that cannot
 * read one returns false and writes a line that names the place, e.g. the file and the line.
 */
#ifndef WRI_STORE_STORE_H
#define WRI_STORE_STORE_H

#include "core/failure.h"
#include "core/folder.h"
#include "store/item.h"
#include "store/token.h"

#define WRI_STORE_BYTES ((size_t)16 << 20) /* the largest text that is read and written */

/* Whose failures and sets: a program, by the last name of its path, and a property. */
typedef struct wri_owner {
    const char *program, *property;
} wri_owner;

static inline wri_owner wri_owner_of(const char *program, const char *property)
{
    return (wri_owner){ wri_folder_last_name(program), property };
}

/* The key of a bug that has this origin (kind and place). Another owner has another key. */
uint64_t wri_store_key(const wri_owner *owner, uint64_t origin);

/* A failure that was read back. */
typedef struct wri_stored {
    uint64_t  key;
    char     *where;   /* e.g. the path of its file */
    char     *program; /* last name; "" when the file does not say */
    char     *property;
    char     *kind, *place; /* place: "sort.c:42", the function, or "" */
    char     *message;      /* "" when the file does not say */
    char     *values;       /* a line each, "xs = [0, 1]", as the file has them; or "" */
    uint64_t  seed;
    bool      minimal;
    char     *token;
    wri_saved saved; /* the case of the token */
} wri_stored;

void wri_stored_free(wri_stored *stored);

/* A text that was read. `bytes` end in a NUL that is not counted. */
typedef struct wri_stored_text {
    char  *bytes; /* NULL: there is no text */
    size_t size;
    char  *where;
} wri_stored_text;

void wri_stored_text_free(wri_stored_text *text);

/* A set of lines grows by lines at its end; the same line twice means the same as once. */
typedef enum wri_set {
    WRI_SET_CORPUS, /* cases that are run first (store/corpus.h) */
    WRI_SET_RULES,  /* the known bugs of a machine (chase/rules.c) */
} wri_set;

typedef struct wri_store wri_store;
struct wri_store {
    /* All failures of the owner, in a fixed order; without a property all that say they are of
     * its program. `complain` is told about each one that cannot
     * be read, and that one stays as it is. The caller frees each with wri_stored_free(), and
     * then the list. False when the store itself cannot be read. */
    bool (*list)(wri_store *, const wri_owner *, wri_stored **list, size_t *count,
                 void (*complain)(void *context, const char *line), void *context, wri_note *);
    /* One failure; false when there is none, or when it cannot be read. */
    bool (*get)(wri_store *, const wri_owner *, uint64_t key, wri_stored *, wri_note *);
    /* Writes a failure as a whole or not at all. An entry that differs only in the seed stays. An
     * old entry that cannot be read is kept aside; then the note of a success says under which
     * name, and else it is empty. NULL texts count as "". */
    bool (*put)(wri_store *, const wri_owner *, uint64_t key, const wri_failure *, wri_note *);
    /* Removes a failure. */
    bool (*remove)(wri_store *, const wri_owner *, uint64_t key, wri_note *);
    /* The place of a failure, there or not, for people. Malloced; NULL: memory is out. */
    char *(*where)(wri_store *, const wri_owner *, uint64_t key);
    /* The argument of --replay for this failure, e.g.
     * "@.warren/failures/a.b.0123456789abcdef.txt". Malloced; NULL: there is none, or memory is
     * out. */
    char *(*replay_argument)(wri_store *, const wri_owner *, uint64_t key);
    /* A set as one text; no set is no error. The caller frees the text, also after false. */
    bool (*get_set)(wri_store *, const wri_owner *, wri_set, wri_stored_text *, wri_note *);
    /* Adds lines at the end of a set, or replaces all of it. */
    bool (*add_to_set)(wri_store *, const wri_owner *, wri_set, const char *lines, wri_note *);
    bool (*replace_set)(wri_store *, const wri_owner *, wri_set, const char *text, wri_note *);
    /* Moves a set that cannot be read out of the way, and keeps it; the note says under which
     * name. */
    bool (*set_aside)(wri_store *, const wri_owner *, wri_set, wri_note *);
    /* The two that follow are for a store with a database, and NULL in another. Each returns
     * false, and a line, when the database fails. It is not used any more then, and nothing
     * more is said about it. */
    /* A stored failure has this status now (enum wri_bug_status). */
    bool (*tell)(wri_store *, const wri_owner *, const wri_stored *, unsigned status, wri_note *);
    /* Keeps items, if there is a store already. */
    bool (*record)(wri_store *, const wri_items *items, wri_note *);
    void (*close)(wri_store *);
};

/* Opens the store of this name: a folder, with a database beside its texts if there can be one.
 * "sqlite:FOLDER" is the same, but there must be one. "redis://HOST/CAMPAIGN" is the usual folder
 * and shares what it knows with other machines. NULL, and a line, when the store cannot be
 * opened. */
wri_store *wri_store_open(const char *where, wri_note *note);
/* The texts alone, in the folder of this name; NULL or "": .warren beside the nearest .git or
 * .warren above the current folder, else .warren here. Nothing is made until something is
 * written. */
wri_store *wri_files_open(const char *where, wri_note *note);
/* The path of that folder. Malloced. */
char *wri_files_root(const char *where);
/* A store of these texts and a database in the folder `root`, which is made when it is needed.
 * must: without the database it is not opened. `elsewhere`, if there is one, gets all that the
 * database has, and gives what it has; `url` is its name. The store owns the texts and
 * `elsewhere`, also after NULL. */
struct wri_campaign;
wri_store *wri_beside_open(wri_store *texts, const char *root, bool must,
                           struct wri_campaign *elsewhere, const char *url, wri_note *note);

/* Files that a user names on the command line: a failure (--replay @FILE), a text (--known FILE).
 * The old content of the second argument is overwritten, not freed; after false it is empty. */
bool wri_stored_read(const char *path, wri_stored *stored, wri_note *note);
bool wri_stored_text_read(const char *path, wri_stored_text *text, wri_note *note);

#endif
