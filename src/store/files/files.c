/* store/files/files.c: a store of text files, made for people and version control.
 *
 *     .warren/failures/sort.sorting_sorts.0123456789abcdef.txt
 *     .warren/corpus/sort.sorting_sorts.fedcba9876543210.txt
 *     .warren/rules/sort.sorting_sorts.fedcba9876543210.rules
 *
 * A file's name is made of the program, the property and the key. Names are made safe and cut, so
 * two owners may share the beginning of a name; the key tells them apart. No name is read back:
 * the content of a failure's file says its owner and its key.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/grow.h"
#include "core/prng.h"
#include "store/files/failures.h"
#include "store/files/file.h"

#define NAME_PART 100 /* characters of a program or property in a file's name */

/* A failure in a file of another name than its key gives, e.g. prog.property.copy.txt. */
typedef struct named {
    uint64_t key;
    char    *path;
} named;

typedef struct files {
    wri_store base;
    char     *root; /* e.g. "/home/me/project/.warren"; "" is the root of the file system */
    named    *named;
    size_t    named_count, named_room;
} files;

/* ---- names ---- */

static bool safe_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '_' || c == '-';
}

/* Writes the name without characters that a file's name should not have, cut to NAME_PART. */
static void make_safe(char *safe, const char *name)
{
    size_t length = strnlen(name, NAME_PART);
    for (size_t i = 0; i < length; i++)
        safe[i] = safe_character(name[i]) ? name[i] : '_';
    safe[length] = '\0';
}

/* A path longer than PATH_MAX is cut here, and then refused by the system. */
typedef struct path {
    char text[PATH_MAX + 512];
} path;

/* "PROGRAM.PROPERTY.": the beginning of the names of an owner's files. */
typedef struct prefix {
    char text[2 * NAME_PART + 3];
} prefix;

static prefix prefix_of(const wri_owner *owner)
{
    prefix made;
    bool   any = owner->property == NULL;
    char   program[NAME_PART + 1], property[NAME_PART + 1];
    make_safe(program, owner->program);
    make_safe(property, any ? "" : owner->property);
    snprintf(made.text, sizeof made.text, any ? "%s." : "%s.%s.", program, property);
    return made;
}

static path path_of(const files *in, const char *folder, const wri_owner *owner, const char *rest)
{
    path made;
    snprintf(made.text, sizeof made.text, "%s/%s/%s%s", in->root, folder, prefix_of(owner).text,
             rest);
    return made;
}

static path path_of_key(const files *in, const char *folder, const wri_owner *owner, uint64_t key,
                        const char *kind)
{
    char rest[32];
    snprintf(rest, sizeof rest, "%016llx.%s", (unsigned long long)key, kind);
    return path_of(in, folder, owner, rest);
}

static path failure_path(wri_store *store, const wri_owner *owner, uint64_t key)
{
    const files *in = (files *)store;
    path         made = path_of_key(in, "failures", owner, key, "txt");
    for (size_t i = 0; i < in->named_count; i++)
        if (in->named[i].key == key)
            snprintf(made.text, sizeof made.text, "%s", in->named[i].path);
    return made;
}

static path set_path(wri_store *store, const wri_owner *owner, wri_set set)
{
    const files *in = (files *)store;
    uint64_t     key = wri_store_key(owner, 0);
    return set == WRI_SET_CORPUS ? path_of_key(in, "corpus", owner, key, "txt")
                                 : path_of_key(in, "rules", owner, key, "rules");
}

/* Notes the path of a key, unless the key gives it. False: memory is out. */
static bool remember(files *in, const wri_owner *owner, uint64_t key, const char *where)
{
    if (strcmp(failure_path(&in->base, owner, key).text, where) == 0)
        return true;
    named *grown = wri_grow(in->named, sizeof *grown, in->named_count, &in->named_room);
    if (grown == NULL)
        return false;
    in->named = grown;
    grown[in->named_count] = (named){ key, strdup(where) };
    return grown[in->named_count].path != NULL && ++in->named_count > 0;
}

/* ---- failures ---- */

static char *where(wri_store *store, const wri_owner *owner, uint64_t key)
{
    return strdup(failure_path(store, owner, key).text);
}

static char *replay_argument(wri_store *store, const wri_owner *owner, uint64_t key)
{
    return wri_file_print("@%s", wri_folder_from_here(failure_path(store, owner, key).text));
}

/* Any failure at the path counts: a key whose path is taken is taken. */
static bool get(wri_store *store, const wri_owner *owner, uint64_t key, wri_stored *stored,
                wri_note *note)
{
    bool read = wri_stored_read(failure_path(store, owner, key).text, stored, note);
    stored->key = key;
    return read;
}

/* A file of the project is named from the folder that has the store: the text is for version
 * control, and the project stands elsewhere on another machine. */
static const char *in_project(const files *in, const char *file)
{
    size_t length = (size_t)(wri_folder_last_name(in->root) - in->root);
    bool   below = file != NULL && length > 1 && strncmp(file, in->root, length) == 0;
    return below && file[length] != '\0' ? file + length : file;
}

static bool put(wri_store *store, const wri_owner *owner, uint64_t key,
                const wri_failure *failure, wri_note *note)
{
    wri_failure told = *failure;
    told.file = in_project((files *)store, failure->file);
    return wri_failures_write(failure_path(store, owner, key).text, owner, key, &told, note);
}

static bool remove_failure(wri_store *store, const wri_owner *owner, uint64_t key, wri_note *note)
{
    path of = failure_path(store, owner, key);
    return unlink(of.text) == 0 ||
           wri_note_refuse(note, "%s: cannot remove this file: %s", of.text, strerror(errno));
}

/* PREFIX, something without a dot, ".txt". So property "a" passes over the files of "a.b", and
 * everybody passes over temporary files. `any`: the property stands there, too. */
static bool file_of(const char *name, const char *start, bool any)
{
    size_t length = strlen(start);
    if (strncmp(name, start, length) != 0)
        return false;
    const char *dot = any ? strrchr(name + length, '.') : strchr(name + length, '.');
    return dot != NULL && strcmp(dot, ".txt") == 0;
}

/* By bytes, in every locale. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Two owners may have one name after it was made safe: the content of the file decides. */
static bool belongs(const wri_stored *stored, const wri_owner *owner)
{
    if (owner->property == NULL)
        return strcmp(stored->program, owner->program) == 0;
    return strcmp(stored->property, owner->property) == 0 &&
           (stored->program[0] == '\0' || strcmp(stored->program, owner->program) == 0);
}

/* A copy of a file before it gets a key of its own. */
static uint64_t own_key(const wri_stored *list, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].key == key)
            return own_key(list, count, wri_prng_mix(key + 1));
    return key;
}

/* Reads one file of the list, behind the `count` that are there. False when it is not the owner's
 * or cannot be read; in the second case the note has a line. */
static bool take(files *in, const wri_owner *owner, const char *of, wri_stored *list,
                 size_t count, wri_note *note)
{
    wri_stored *stored = &list[count];
    note->text[0] = '\0';
    if (!wri_stored_read(of, stored, note))
        return false;
    stored->key = own_key(list, count, stored->key);
    bool      mine = belongs(stored, owner);
    wri_owner whose = { owner->program, stored->property };
    if (mine && remember(in, &whose, stored->key, of))
        return true;
    if (mine)
        wri_note_refuse(note, "%s: memory is out", of);
    wri_stored_free(stored);
    return false;
}

static bool list(wri_store *store, const wri_owner *owner, wri_stored **found, size_t *count,
                 void (*complain)(void *context, const char *line), void *context, wri_note *note)
{
    files          *in = (files *)store;
    prefix          start = prefix_of(owner);
    path            folder;
    struct dirent **names = NULL;
    wri_note        problem;
    snprintf(folder.text, sizeof folder.text, "%s/failures", in->root);
    int  there = scandir(folder.text, &names, NULL, compare_names);
    bool none = there < 0 && errno == ENOENT;
    *count = 0;
    *found = there < 0 ? NULL : calloc((size_t)there + 1, sizeof **found);
    if (*found == NULL && !none)
        wri_note_refuse(note, "%s: cannot read this folder: %s (--no-store goes without)",
                        folder.text, strerror(errno));
    for (int i = 0; i < there; free(names[i++])) {
        if (*found == NULL || !file_of(names[i]->d_name, start.text, owner->property == NULL))
            continue;
        path of = path_of(in, "failures", owner, names[i]->d_name + strlen(start.text));
        if (take(in, owner, of.text, *found, *count, &problem))
            ++*count;
        else if (problem.text[0] != '\0' && complain != NULL)
            complain(context, problem.text);
    }
    free(names);
    return *found != NULL || none;
}

/* ---- sets ---- */

static bool get_set(wri_store *store, const wri_owner *owner, wri_set set, wri_stored_text *text,
                    wri_note *note)
{
    path of = set_path(store, owner, set), old = path_of((files *)store, "rules", owner, "rules");
    if (set == WRI_SET_RULES && access(of.text, F_OK) != 0 && access(old.text, F_OK) == 0)
        of = old; /* two owners can share that name, so it is only read */
    if (wri_stored_text_read(of.text, text, note))
        return true;
    bool none = errno == ENOENT || errno == ENOTDIR;
    text->where = strdup(of.text);
    return text->where == NULL ? wri_note_refuse(note, "%s: memory is out", of.text) : none;
}

static bool replace_set(wri_store *store, const wri_owner *owner, wri_set set, const char *text,
                        wri_note *note)
{
    return wri_file_replace(set_path(store, owner, set).text, text, strlen(text), note);
}

static bool add_to_set(wri_store *store, const wri_owner *owner, wri_set set, const char *lines,
                       wri_note *note)
{
    wri_stored_text there;
    bool            added = get_set(store, owner, set, &there, note);
    char           *all =
        added ? wri_file_print("%s%s", there.bytes == NULL ? "" : there.bytes, lines) : NULL;
    added = added && (all == NULL ? wri_note_refuse(note, "%s: memory is out", there.where)
                                  : replace_set(store, owner, set, all, note));
    free(all);
    wri_stored_text_free(&there);
    return added;
}

static bool set_aside(wri_store *store, const wri_owner *owner, wri_set set, wri_note *note)
{
    return wri_file_set_aside(set_path(store, owner, set).text, note);
}

/* ---- the store ---- */

/* Is `name` in the folder whose path is the first `length` characters of `above`? The .git of a
 * worktree is a file. */
static bool holds(const char *above, size_t length, const char *name)
{
    struct stat status;
    char       *entry = wri_file_print("%.*s/%s", (int)length, above, name);
    bool        held = entry != NULL && lstat(entry, &status) == 0;
    free(entry);
    return held;
}

/* The length of the longest prefix of the absolute path `here` that holds a .git or .warren;
 * without one, the whole length. The root's length is 0. */
static size_t project_length(const char *here)
{
    size_t whole = strcmp(here, "/") == 0 ? 0 : strlen(here);
    for (size_t length = whole;; length--) {
        if (length == 0 || here[length] == '/' || length == whole)
            if (holds(here, length, ".git") || holds(here, length, ".warren"))
                return length;
        if (length == 0)
            return whole;
    }
}

char *wri_files_root(const char *name)
{
    if (name != NULL && name[0] != '\0') {
        size_t length = strlen(name);
        while (length > 0 && name[length - 1] == '/')
            length--;
        return wri_file_print("%.*s", (int)length, name);
    }
    char *here = getcwd(NULL, 0);
    bool  known = here != NULL && here[0] == '/';
    char *root = known ? wri_file_print("%.*s/.warren", (int)project_length(here), here)
                       : strdup(".warren");
    free(here);
    return root;
}

static void close_files(wri_store *store)
{
    files *in = (files *)store;
    for (size_t i = 0; i < in->named_count; i++)
        free(in->named[i].path);
    free(in->named);
    free(in->root);
    free(in);
}

/* A store is made in a folder that is there: a name with a typo makes none. */
static bool has_parent(const char *root, wri_note *note)
{
    const char *slash = strrchr(root, '/');
    size_t      length = slash == NULL ? 0 : (size_t)(slash - root);
    char       *parent = wri_file_print("%.*s/.", (int)length, root);
    struct stat status;
    bool there = length == 0 || parent == NULL || stat(parent, &status) == 0 || errno != ENOENT;
    if (!there)
        wri_note_refuse(note, "%s: there is no folder %.*s to make it in", root, (int)length,
                        root);
    free(parent);
    return there;
}

wri_store *wri_files_open(const char *name, wri_note *note)
{
    files *opened = calloc(1, sizeof *opened);
    char  *root = opened == NULL ? NULL : wri_files_root(name);
    if (root == NULL) {
        free(opened);
        wri_note_refuse(note, "memory is out");
        return NULL;
    }
    if (!has_parent(root, note)) {
        free(opened);
        free(root);
        return NULL;
    }
    *opened = (files){ .root = root,
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
                                 .close = close_files } };
    static const char *const FOLDERS[] = { "failures", "corpus", "rules" };
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        path folder;
        snprintf(folder.text, sizeof folder.text, "%s/%s", root, FOLDERS[i]);
        wri_file_remove_strays(folder.text);
    }
    return &opened->base;
}
