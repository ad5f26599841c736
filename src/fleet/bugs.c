/* fleet/bugs.c: which bugs are new, and --on-bug for each of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/grow.h"
#include "core/hash.h"
#include "fleet/internal.h"
#include "fleet/json.h"
#include "store/gather.h"

/* The store knows a program by its last name. */
static uint64_t hash_of(const char *program, const char *property)
{
    const char *last = wri_folder_last_name(program);
    return wri_hash_step(wri_hash_bytes(last, strlen(last)),
                         wri_hash_bytes(property, strlen(property)));
}

static wri_fleet_bug *find(wri_fleet *fleet, uint64_t property, const char *key)
{
    for (size_t i = 0; i < fleet->bug_count; i++)
        if (fleet->bugs[i].property == property && strcmp(fleet->bugs[i].key, key) == 0)
            return &fleet->bugs[i];
    return NULL;
}

/* NULL: memory is out. */
static wri_fleet_bug *add(wri_fleet *fleet, uint64_t property, const char *key)
{
    wri_fleet_bug *grown =
        wri_grow(fleet->bugs, sizeof *grown, fleet->bug_count, &fleet->bug_room);
    fleet->no_memory |= grown == NULL;
    if (grown == NULL)
        return NULL;
    fleet->bugs = grown;
    wri_fleet_bug *one = &fleet->bugs[fleet->bug_count++];
    *one = (wri_fleet_bug){ .property = property };
    snprintf(one->key, sizeof one->key, "%s", key);
    return one;
}

static void ignore_line(const char *line)
{
    (void)line; /* the programs tell what is wrong with the store */
}

void wri_fleet_bugs_read(wri_fleet *fleet)
{
    wri_gathering         all;
    wri_gather_complaints complaints = { .tell = ignore_line };
    wri_note              note;
    if (fleet->options->no_store)
        return;
    bool read = wri_gather(fleet->options->store, &all, &complaints, &note);
    for (size_t i = 0; i < all.count && read; i++) {
        const wri_item *bug = &all.list[i].bug;
        uint64_t        status = bug->numbers[WRI_BUG_STATUS];
        char            key[20];
        snprintf(key, sizeof key, "%016llx", (unsigned long long)bug->key);
        /* A bug that was mended or forgotten, and fails again, is news. */
        if (status != WRI_BUG_MENDED && status != WRI_BUG_FORGOTTEN)
            add(fleet, hash_of(bug->program == NULL ? "" : bug->program, bug->property), key);
    }
    wri_gather_free(&all);
}

/* ---- New ones ---- */

static void enqueue(wri_fleet *fleet, const char *program, const char *property,
                    const char *failure)
{
    char  *object = wri_screen_named(program, property, failure);
    char **grown = wri_grow(fleet->queue, sizeof *grown, fleet->queue_count, &fleet->queue_room);
    fleet->no_memory |= object == NULL || grown == NULL;
    if (grown != NULL)
        fleet->queue = grown;
    if (grown != NULL && object != NULL)
        fleet->queue[fleet->queue_count++] = object;
    else
        free(object);
}

bool wri_fleet_bugs_take(wri_fleet *fleet, const wri_fleet_property *property,
                         const char *failure)
{
    const char *program = fleet->programs[property->program].name;
    uint64_t    hash = hash_of(program, property->name);
    char       *key = wri_json_text(wri_json_member(failure, "bug"));
    if (key == NULL)
        return false;
    wri_fleet_bug *bug = find(fleet, hash, key);
    bool           added = bug == NULL && (bug = add(fleet, hash, key)) != NULL;
    free(key);
    if (bug == NULL || bug->met)
        return false;
    bug->met = true;
    fleet->summary.bugs++;
    fleet->summary.new_bugs += added;
    wri_screen_bug(&fleet->screen, program, property->name, failure, !added);
    if (fleet->options->on_bug != NULL && added)
        enqueue(fleet, program, property->name, failure);
    return added;
}

/* ---- --on-bug ---- */

/* A file of this text that has no name; -1: there is none. */
static int as_file(const char *text)
{
    int file = memfd_create("bug", MFD_CLOEXEC);
    if (file >= 0 && (write(file, text, strlen(text)) != (ssize_t)strlen(text) ||
                      lseek(file, 0, SEEK_SET) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

static void start_next(wri_fleet *fleet)
{
    const char *words[] = { "/bin/sh", "-c", fleet->options->on_bug, NULL };
    char       *object = fleet->queue[fleet->queue_from++];
    wri_note    note = { "no memory" };
    int         file = as_file(object);
    fleet->hook = (wri_fleet_job){ .task = WRI_FLEET_HOOK };
    if (file < 0 || !wri_child_start(&fleet->hook.child, words, file, &note))
        wri_screen_warn(&fleet->screen, "--on-bug", note.text);
    if (file >= 0)
        close(file);
    free(object);
}

bool wri_fleet_bugs_tell(wri_fleet *fleet)
{
    wri_fleet_hearing hearing = { fleet, &fleet->hook };
    if (fleet->hook.child.pid > 0) {
        if (wri_child_take(&fleet->hook.child, wri_fleet_hear, &hearing))
            wri_fleet_hear_end(fleet, &fleet->hook);
        return false;
    }
    if (fleet->queue_from == fleet->queue_count || fleet->stopped)
        return true;
    start_next(fleet);
    return false;
}
