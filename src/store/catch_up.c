/* store/catch_up.c: brings the texts of this machine to what a campaign of many knows. */
#include "store/catch_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "store/bugs.h"
#include "store/corpus.h"

/* ---- items ---- */

bool wri_catch_up_all(wri_campaign *from, wri_campaign *to, wri_campaign *notes, const char *name,
                      unsigned kinds, wri_note *note)
{
    char          id[20] = "", mark[1200];
    wri_campaign *other = from == notes ? to : from;
    uint64_t      given, last;
    if (other->id != NULL && !other->id(other, id, note))
        return false;
    snprintf(mark, sizeof mark, "%s %.1000s %s", from == notes ? "to" : "from", name, id);
    if (!notes->get_mark(notes, mark, &given, note) || !from->last_change(from, &last, note))
        return false;
    return last == given || (wri_campaign_give(from, given, kinds, to, note) &&
                             notes->set_mark(notes, mark, last, note));
}

/* ---- bugs ---- */

bool wri_catch_up_bug(wri_store *texts, const wri_item *bug, wri_note *note)
{
    wri_bugs_failure made;
    wri_owner        owner = { bug->program == NULL ? "" : bug->program, bug->property };
    if (!wri_bugs_to_failure(bug, &made))
        return wri_note_refuse(note, "memory is out");
    bool put = texts->put(texts, &owner, bug->key, &made.failure, note);
    wri_bugs_failure_free(&made);
    return put;
}

typedef struct writing {
    wri_store       *texts;
    const wri_owner *owner;
    wri_note        *note;
    bool             failed;
} writing;

/* A token that somebody else has written may be anything. */
static bool has_case(const wri_item *bug, const wri_owner *owner)
{
    wri_saved saved;
    bool      read = wri_token_read(wri_item_text(bug, WRI_BUG_TOKEN), &saved, NULL);
    bool      has = read && saved.property == wri_trace_label_hash(owner->property);
    wri_saved_free(&saved);
    return has;
}

static bool write_bug(void *context, const wri_item *bug)
{
    writing   *now = context;
    wri_stored there;
    uint64_t   status = bug->numbers[WRI_BUG_STATUS];
    if ((status != WRI_BUG_OPEN && status != WRI_BUG_RETURNED) || !has_case(bug, now->owner))
        return true;
    if (now->texts->get(now->texts, now->owner, bug->key, &there, NULL)) {
        wri_stored_free(&there);
        return true;
    }
    now->failed = !wri_catch_up_bug(now->texts, bug, now->note);
    return !now->failed;
}

bool wri_catch_up_bugs(wri_store *texts, wri_campaign *from, const wri_owner *owner,
                       wri_note *note)
{
    writing           now = { texts, owner, note, false };
    wri_campaign_wish wish = { .program = owner->program, .property = owner->property };
    return from->each(from, WRI_ITEM_BUG, &wish, write_bug, &now, note) && !now.failed;
}

/* ---- the corpus ---- */

typedef struct choosing {
    uint64_t  *keys; /* of cases that are the smallest to show a feature */
    size_t     count, room;
    wri_corpus corpus;
    size_t     case_room, note_room;
    uint32_t   property;
    bool       failed;
} choosing;

static bool choose(void *context, const wri_item *feature)
{
    choosing *now = context;
    uint64_t *grown = wri_grow(now->keys, sizeof *grown, now->count, &now->room);
    now->failed = grown == NULL;
    if (now->failed)
        return false;
    now->keys = grown;
    grown[now->count++] = feature->numbers[WRI_FEATURE_CASE];
    return true;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool take_case(void *context, const wri_item *item)
{
    choosing   *now = context;
    wri_corpus *to = &now->corpus;
    wri_saved   saved;
    if (now->count == 0 ||
        bsearch(&item->key, now->keys, now->count, sizeof *now->keys, compare) == NULL ||
        !wri_token_read(wri_item_text(item, WRI_CASE_TOKEN), &saved, NULL))
        return true;
    wri_trace *cases = wri_grow(to->cases, sizeof *cases, to->count, &now->case_room);
    to->cases = cases == NULL ? to->cases : cases;
    char **notes = wri_grow(to->notes, sizeof *notes, to->count, &now->note_room);
    to->notes = notes == NULL ? to->notes : notes;
    char *note = strdup(wri_item_text(item, WRI_CASE_NOTE));
    now->failed = cases == NULL || notes == NULL || note == NULL;
    if (now->failed || saved.property != now->property) {
        free(note);
        wri_saved_free(&saved);
        return !now->failed;
    }
    cases[to->count] = saved.choices;
    notes[to->count++] = note;
    return true;
}

bool wri_catch_up_corpus(wri_store *texts, wri_campaign *from, const wri_owner *owner,
                         wri_note *note)
{
    choosing          now = { .property = wri_trace_label_hash(owner->property) };
    wri_campaign_wish wish = { .program = owner->program, .property = owner->property };
    bool              done = wri_corpus_read(texts, owner, &now.corpus, note);
    now.case_room = now.note_room = now.corpus.count;
    done = done && from->each(from, WRI_ITEM_FEATURE, &wish, choose, &now, note);
    size_t before = now.corpus.count;
    if (done && now.count > 0) {
        qsort(now.keys, now.count, sizeof *now.keys, compare);
        done = from->each(from, WRI_ITEM_CASE, &wish, take_case, &now, note);
    }
    if (now.failed)
        done = wri_note_refuse(note, "memory is out");
    if (done && now.corpus.count > before)
        done = wri_corpus_write(texts, owner, &now.corpus, note);
    wri_corpus_free(&now.corpus);
    free(now.keys);
    return done;
}
