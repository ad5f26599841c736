/* tests/machines_joined.c: bugs that show in many ways, for --join.
 *
 * groups      one bug; four commands notice it
 * lines       one bug; several commands lead to it, on copies, too
 * texts       the same, and the table says which commands do the same job
 * two_pages   two bugs, in the same place and command
 * two_looks   two bugs: two commands are wrong, each by itself
 * spans       two bugs; no rule can say exactly which calls make the first
 */
#include <stdint.h>

#include <warren.h>

/* ---- Groups: the second group() is forgotten ---- */

typedef struct groups {
    int  depth, really;
    int  edits;
    bool saved;
} groups;

static void do_open(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    (void)t;
    g->depth = 1; /* the bug */
    g->really++;
}

static void do_close(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    wr_assert(t, (g->depth > 0) == (g->really > 0));
    g->depth -= g->depth > 0;
    g->really -= g->really > 0;
}

static void do_edit(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    (void)t;
    g->edits++;
}

static void do_undo(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    wr_assert(t, (g->depth > 0 || g->edits == 0) == (g->really > 0 || g->edits == 0));
    g->edits -= g->edits > 0;
}

static void do_save(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    wr_assert(t, (g->depth == 0) == (g->really == 0));
    g->saved = true;
}

static void do_print(wr_case *t, wr_call *call)
{
    groups *g = wr_model(call);
    wr_assert(t, !g->saved || (g->depth == 0) == (g->really == 0));
}

static const wr_command GROUPS[] = {
    { "open", do_open, .weight = 1 },
    { "close", do_close, .weight = 1 },
    { "edit", do_edit, .weight = 1 },
    { "undo", do_undo, .weight = 1 },
    { "save", do_save, .weight = 1 },
    { "print", do_print, .weight = 1 },
    { 0 },
};
WR_MACHINE(groups, .commands = GROUPS, .model_size = sizeof(groups));

/* ---- Lines: the third one cannot be read ---- */

#define TEXTS 64

typedef struct lines {
    int count[TEXTS];
} lines;

static const wr_kind TEXT = { "text", .handle = true, .type = "text *" };

static void do_new(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    (void)t;
    all->count[wr_give(call, all)] = 0;
}

static void do_add(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    (void)t;
    all->count[wr_number(call, 0)]++;
}

static void do_copy(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    int    count = all->count[wr_number(call, 0)];
    (void)t;
    all->count[wr_give(call, all)] = count;
}

static void do_read(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    wr_assert(t, all->count[wr_number(call, 0)] != 3);
}

static const wr_command LINES[] = {
    { "new", do_new, .gives = &TEXT },
    { "append", do_add, .takes = { &TEXT } },
    { "prepend", do_add, .takes = { &TEXT } },
    { "copy", do_copy, .takes = { &TEXT }, .gives = &TEXT },
    { "read", do_read, .takes = { &TEXT } },
    { 0 },
};
WR_MACHINE(lines, .commands = LINES, .model_size = sizeof(lines));

static const wr_command TEXTS_COMMANDS[] = {
    { "new", do_new, .gives = &TEXT },
    { "append", do_add, .takes = { &TEXT } },
    { "prepend", do_add, .takes = { &TEXT }, .like = "append" },
    { "insert", do_add, .takes = { &TEXT }, .like = "append" },
    { "read", do_read, .takes = { &TEXT } },
    { "look", do_read, .takes = { &TEXT }, .like = "read" },
    { 0 },
};
WR_MACHINE(texts, .commands = TEXTS_COMMANDS, .model_size = sizeof(lines));

/* ---- Two bugs ---- */

typedef struct pages {
    int64_t size, wanted;
} pages;

static int64_t draw_number(wr_case *t)
{
    return wr_int(t, NULL, 0, 60);
}
static const wr_kind NUMBER = { "number", .draw = draw_number };

static void do_set(wr_case *t, wr_call *call)
{
    pages *p = wr_model(call);
    (void)t;
    p->size = wr_value(call, 0);
    p->wanted = wr_value(call, 1);
}

/* Large pages are wrong, and so are many: neither needs the other. */
static void do_load(wr_case *t, wr_call *call)
{
    pages *p = wr_model(call);
    wr_assert(t, !(p->size >= 40 && p->wanted < 20) && !(p->wanted >= 40 && p->size < 20));
}

static const wr_command PAGES[] = {
    { "set", do_set, .takes = { &NUMBER, &NUMBER } },
    { "load", do_load, .weight = 1 },
    { 0 },
};
WR_MACHINE(two_pages, .commands = PAGES, .model_size = sizeof(pages));

static void do_look(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    wr_assert(t, all->count[wr_number(call, 0)] == 0);
}

static void do_see(wr_case *t, wr_call *call)
{
    lines *all = wr_model(call);
    wr_assert(t, all->count[wr_number(call, 0)] == 0);
}

static const wr_command LOOKS[] = {
    { "new", do_new, .gives = &TEXT },
    { "append", do_add, .takes = { &TEXT } },
    { "look", do_look, .takes = { &TEXT } },
    { "see", do_see, .takes = { &TEXT } },
    { 0 },
};
WR_MACHINE(two_looks, .commands = LOOKS, .model_size = sizeof(lines));

/* ---- Spans: one that lies within another is wrong, and so is the ninth ---- */

#define SPANS 300

typedef struct spans {
    int     count;
    int64_t from[SPANS], to[SPANS];
} spans;

static void do_span(wr_case *t, wr_call *call)
{
    spans  *all = wr_model(call);
    int64_t from = wr_value(call, 0), to = wr_value(call, 1);
    for (int i = 0; i < all->count; i++)
        wr_assert(t, !(all->from[i] < from && from < to && to < all->to[i]));
    if (from >= to || all->count == SPANS)
        return;
    all->from[all->count] = from;
    all->to[all->count++] = to;
}

static void do_count(wr_case *t, wr_call *call)
{
    const spans *all = wr_model(call);
    wr_assert(t, all->count < 9);
}

static const wr_command SPAN_COMMANDS[] = {
    { "span", do_span, .takes = { &NUMBER, &NUMBER } },
    { "count", do_count, .weight = 1 },
    { 0 },
};
WR_MACHINE(spans, .commands = SPAN_COMMANDS, .model_size = sizeof(spans));
