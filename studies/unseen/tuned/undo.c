/* undo.c: a document with an undo log, groups of edits, marks and a save point, as a machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define ROOM 16      /* characters of a document */
#define LOG 8        /* groups that can be undone */
#define GROUP_ROOM 5 /* edits of a group */
#define MARKS 64

/* ---- The library ---- */

typedef struct edit {
    bool inserted;
    int  at, length;
    char text[ROOM];
} edit;

typedef struct group {
    int  count;
    edit edits[GROUP_ROOM];
} group;

typedef struct mark {
    int slot;
} mark;

typedef struct doc {
    char  text[ROOM + 1];
    int   length;
    group log[LOG];
    int   position; /* groups before it can be undone, the others can be redone */
    int   top;
    int   saved;   /* the position that was saved, or -1 */
    int   depth;   /* of open groups */
    bool  started; /* the open group has an edit */
    int   marks;
    int   places[MARKS];
    mark *owners[MARKS];
} doc;

static void put_text(doc *d, int at, const char *text, int length, bool undoing)
{
    if (at > d->length)
        at = d->length;
    if (length > ROOM - d->length)
        length = ROOM - d->length;
    memmove(d->text + at + length, d->text + at, (size_t)(d->length - at + 1));
    memcpy(d->text + at, text, (size_t)length);
    d->length += length;
    for (int i = 0; i < d->marks; i++) {
        if (FAULT(3) && undoing)
            d->places[i] += d->places[i] >= at ? length : 0;
        else
            d->places[i] += d->places[i] > at ? length : 0;
    }
}

static void cut_text(doc *d, int at, int length)
{
    if (at > d->length)
        at = d->length;
    if (length > d->length - at)
        length = d->length - at;
    memmove(d->text + at, d->text + at + length, (size_t)(d->length - at - length + 1));
    d->length -= length;
    for (int i = 0; i < d->marks; i++)
        if (d->places[i] > at)
            d->places[i] = d->places[i] - length > at ? d->places[i] - length : at;
}

/* The group for the next edit, or NULL: the open group is full. */
static group *next_group(doc *d, bool inserting)
{
    if (d->depth > 0 && d->started) {
        group *open = &d->log[d->position - 1];
        return open->count < GROUP_ROOM ? open : NULL;
    }
    if (!FAULT(4) && d->saved > d->position)
        d->saved = -1;
    if (!FAULT(1) || inserting)
        d->top = d->position;
    if (d->position == LOG) {
        memmove(d->log, d->log + 1, (LOG - 1) * sizeof *d->log);
        d->position--;
        if (FAULT(5))
            d->saved = d->saved > 0 ? d->saved : -1;
        else
            d->saved = d->saved >= 0 ? d->saved - 1 : -1;
    }
    group *next = &d->log[d->position++];
    if (d->top < d->position)
        d->top = d->position;
    next->count = 0;
    d->started = d->depth > 0;
    return next;
}

static void record(group *g, bool inserted, int at, const char *text, int length)
{
    edit *e = &g->edits[g->count++];
    memset(e, 0, sizeof *e);
    e->inserted = inserted;
    e->at = at;
    e->length = length;
    memcpy(e->text, text, (size_t)(FAULT(7) && length > 4 ? 4 : length));
}

/* False: no such place, no room, or the open group is full. */
static bool doc_insert(doc *d, int at, const char *text)
{
    int length = (int)strlen(text);
    if (at > d->length || d->length + length > ROOM)
        return false;
    group *g = next_group(d, true);
    if (g == NULL)
        return false;
    record(g, true, at, text, length);
    put_text(d, at, text, length, false);
    return true;
}

static bool doc_delete(doc *d, int at, int length)
{
    if (at + length > d->length)
        return false;
    group *g = next_group(d, false);
    if (g == NULL)
        return false;
    record(g, false, at, d->text + at, length);
    cut_text(d, at, length);
    return true;
}

static bool doc_undo(doc *d)
{
    if (d->depth > 0 || d->position == 0)
        return false;
    const group *g = &d->log[--d->position];
    for (int i = g->count - 1; i >= 0; i--) {
        const edit *e = &g->edits[i];
        if (e->inserted)
            cut_text(d, e->at, e->length);
        else
            put_text(d, e->at, e->text, e->length, true);
    }
    return true;
}

static bool doc_redo(doc *d)
{
    if (d->depth > 0 || d->position == d->top)
        return false;
    const group *g = &d->log[d->position++];
    for (int i = 0; i < g->count; i++) {
        const edit *e = &g->edits[i];
        if (e->inserted)
            put_text(d, e->at, e->text, e->length, false);
        else
            cut_text(d, e->at, e->length);
    }
    return true;
}

static void doc_begin(doc *d)
{
    if (FAULT(6))
        d->depth = 1;
    else
        d->depth++;
}

static bool doc_end(doc *d)
{
    if (d->depth == 0)
        return false;
    if (--d->depth == 0)
        d->started = false;
    return true;
}

static bool doc_save(doc *d)
{
    if (d->depth > 0)
        return false;
    if (FAULT(2))
        d->top = d->position;
    d->saved = d->position;
    return true;
}

static bool doc_modified(const doc *d)
{
    return d->saved != d->position;
}

static mark *mark_new(doc *d, int at)
{
    mark *k = calloc(1, sizeof *k);
    if (k == NULL)
        abort();
    k->slot = d->marks++;
    d->places[k->slot] = at;
    d->owners[k->slot] = k;
    return k;
}

static int mark_place(const doc *d, const mark *k)
{
    return d->places[k->slot];
}

static void mark_free(doc *d, mark *k)
{
    int last = --d->marks;
    d->places[k->slot] = d->places[last];
    d->owners[k->slot] = d->owners[last];
    if (!FAULT(8))
        d->owners[k->slot]->slot = k->slot;
    d->places[last] = 0;
    d->owners[last] = NULL;
    free(k);
}

/* ---- The model: the texts before and after each group, and what moves the marks ---- */

typedef struct step {
    bool inserted;
    int  at, length;
} step;

typedef struct model {
    doc  doc;
    char texts[LOG + 1][ROOM + 1]; /* texts[now] is the document */
    step steps[LOG][GROUP_ROOM];   /* from texts[i] to texts[i + 1] */
    int  counts[LOG];
    int  now, last, saved;
    int  depth;
    bool started;
    bool marked[MARKS];
    int  places[MARKS];
} model;

static void move_marks(model *m, step s)
{
    for (int i = 0; i < MARKS; i++) {
        if (!m->marked[i] || m->places[i] <= s.at)
            continue;
        if (s.inserted)
            m->places[i] += s.length;
        else
            m->places[i] = m->places[i] < s.at + s.length ? s.at : m->places[i] - s.length;
    }
}

static bool expect_edit(model *m, step s, const char *text)
{
    int length = (int)strlen(m->texts[m->now]);
    if (s.inserted ? s.at > length || length + s.length > ROOM : s.at + s.length > length)
        return false;
    if (m->started && m->counts[m->now - 1] == GROUP_ROOM)
        return false;
    if (!m->started) {
        if (m->saved > m->now)
            m->saved = -1;
        if (m->now == LOG) {
            memmove(m->texts, m->texts + 1, sizeof m->texts - sizeof m->texts[0]);
            memmove(m->steps, m->steps + 1, sizeof m->steps - sizeof m->steps[0]);
            memmove(m->counts, m->counts + 1, sizeof m->counts - sizeof m->counts[0]);
            m->now--;
            if (m->saved >= 0)
                m->saved--;
        }
        memcpy(m->texts[m->now + 1], m->texts[m->now], ROOM + 1);
        m->counts[m->now++] = 0;
        m->last = m->now;
        m->started = m->depth > 0;
    }
    char *now = m->texts[m->now];
    char  rest[ROOM + 1];
    strcpy(rest, now + s.at + (s.inserted ? 0 : s.length));
    strcpy(now + s.at, s.inserted ? text : "");
    strcat(now, rest);
    m->steps[m->now - 1][m->counts[m->now - 1]++] = s;
    move_marks(m, s);
    return true;
}

static void text_agrees(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_str_eq(t, m->doc.text, m->texts[m->now]);
}

/* ---- The commands ---- */

static const char *const TEXTS[] = { "a", "bc", "def" };

static void show_text(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", TEXTS[value]);
}

static int64_t draw_length(wr_case *t)
{
    return wr_int(t, NULL, 1, 8);
}

static const wr_kind PLACE = { "place", .values = ROOM };
static const wr_kind TEXT = { "text", .values = 3, .show = show_text };
static const wr_kind LENGTH = { "length", .draw = draw_length };
static const wr_kind MARK = { "mark", .handle = true, .type = "mark *", .release = free };

static void do_insert(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    int         at = (int)wr_value(call, 0);
    const char *text = TEXTS[wr_value(call, 1)];
    bool        expected = expect_edit(m, (step){ true, at, (int)strlen(text) }, text);
    wr_assert_eq(t, doc_insert(&m->doc, at, text), expected);
}

static void do_delete(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    at = (int)wr_value(call, 0), length = (int)wr_value(call, 1);
    bool   expected = expect_edit(m, (step){ false, at, length }, "");
    wr_assert_eq(t, doc_delete(&m->doc, at, length), expected);
}

static bool is_inside(const wr_call *call)
{
    const model *m = wr_model(call);
    return (size_t)wr_value(call, 0) <= strlen(m->texts[m->now]);
}

static void do_undo(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    bool   can = m->depth == 0 && m->now > 0;
    wr_assert_eq(t, doc_undo(&m->doc), can);
    if (!can)
        return;
    m->now--;
    for (int i = m->counts[m->now] - 1; i >= 0; i--) {
        step s = m->steps[m->now][i];
        s.inserted = !s.inserted;
        move_marks(m, s);
    }
}

static void do_redo(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    bool   can = m->depth == 0 && m->now < m->last;
    wr_assert_eq(t, doc_redo(&m->doc), can);
    if (!can)
        return;
    for (int i = 0; i < m->counts[m->now]; i++)
        move_marks(m, m->steps[m->now][i]);
    m->now++;
}

static void do_begin(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    doc_begin(&m->doc);
    m->depth++;
}

static bool not_deep(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->depth < 3;
}

static void do_end(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, doc_end(&m->doc), m->depth > 0);
    if (m->depth > 0 && --m->depth == 0)
        m->started = false;
}

static void do_save(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, doc_save(&m->doc), m->depth == 0);
    if (m->depth == 0)
        m->saved = m->now;
}

static void do_modified(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, doc_modified(&m->doc), m->saved != m->now);
}

static void do_mark(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    int      at = (int)wr_value(call, 0);
    unsigned number = wr_give(call, mark_new(&m->doc, at));
    (void)t;
    m->marked[number] = true;
    m->places[number] = at;
}

static void do_place(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, mark_place(&m->doc, wr_handle(call, 0)), m->places[wr_number(call, 0)]);
}

static void do_unmark(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    mark_free(&m->doc, wr_handle(call, 0));
    m->marked[wr_number(call, 0)] = false;
}

static const wr_command COMMANDS[] = {
    { "doc_insert", do_insert, .takes = { &PLACE, &TEXT }, .when = is_inside, .weight = 5 },
    { "doc_delete", do_delete, .takes = { &PLACE, &LENGTH }, .when = is_inside, .weight = 2 },
    { "doc_undo", do_undo, .weight = 2 },
    { "doc_redo", do_redo, .weight = 2 },
    { "doc_begin", do_begin, .when = not_deep },
    { "doc_end", do_end, .weight = 2 },
    { "doc_save", do_save, .weight = 1 },
    { "doc_modified", do_modified, .observer = true },
    { "mark_new", do_mark, .takes = { &PLACE }, .gives = &MARK, .when = is_inside },
    { "mark_place", do_place, .takes = { &MARK } },
    { "mark_free", do_unmark, .takes = { &MARK }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(undo, .commands = COMMANDS, .model_size = sizeof(model), .invariant = text_agrees);
