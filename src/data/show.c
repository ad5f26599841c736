/* data/show.c: the printed form of trees, as far as they are chosen.
 *
 * A report shows the tree as it is at the end of the case. The case may end in a crash, so its
 * text in shared memory is printed anew whenever a node is chosen. A tree with very many choices
 * is printed less often, and once more when the case is over.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/tree.h"
#include "gen/show.h"

/* Deeper parts are not printed. */
#define DEEPEST 10000

/* The text goes to an entry of the report, or to memory, or nowhere: then it is only measured. */
typedef struct sink {
    wr_out *out;
    char   *to;
    size_t  used;
} sink;

static void put(sink *s, const char *bytes, size_t count)
{
    if (s->out != NULL)
        wr_put(s->out, "%.*s", (int)count, bytes);
    else if (s->to != NULL)
        memcpy(s->to + s->used, bytes, count);
    s->used += count;
}

static void put_word(sink *s, const char *word)
{
    put(s, word, strlen(word));
}

static void put_index(sink *s, const wr_node *e)
{
    char digits[24] = "_";
    if (e->indexed_)
        snprintf(digits, sizeof digits, "%" PRIu32, e->index_);
    put_word(s, digits);
}

static void put_node(sink *s, const wr_node *e, unsigned depth);

/* By the constructor's own form, which was checked. */
static void put_form(sink *s, const wr_node *e, const char *form, unsigned depth)
{
    for (;;) {
        size_t plain = strcspn(form, "%");
        put(s, form, plain);
        form += plain;
        if (*form == '\0')
            return;
        if (form[1] == '%')
            put_word(s, "%");
        else if (form[1] == 'i')
            put_index(s, e);
        else
            put_node(s, &e->args_[form[1] - '0'], depth + 1);
        form += 2;
    }
}

static void put_node(sink *s, const wr_node *e, unsigned depth)
{
    if (e->tag_ < 0) {
        put_word(s, "_");
        return;
    }
    if (depth > DEEPEST || (s->out != NULL && s->out->cut)) {
        put_word(s, "...");
        return;
    }
    const wri_form *form = wri_form_of(e);
    if (form->con->show != NULL) {
        put_form(s, e, form->con->show, depth);
        return;
    }
    put_word(s, form->con->name);
    if (wri_form_indexed(form)) {
        put_word(s, " ");
        put_index(s, e);
    }
    for (uint32_t i = 0; i < e->arity_; i++) {
        put_word(s, i == 0 ? "(" : ", ");
        put_node(s, &e->args_[i], depth + 1);
    }
    if (e->arity_ > 0)
        put_word(s, ")");
}

char *wr_shown(wr_case *t, const wr_node *e)
{
    sink measured = { 0 };
    put_node(&measured, e, 0);
    sink s = { .to = wri_memory_take(t, measured.used + 1) };
    put_node(&s, e, 0);
    s.to[s.used] = '\0';
    return s.to;
}

/* ---- In reports ---- */

/* So many choices of a tree are shown at once; after that, every so many. */
#define SHOWN_AT_ONCE 512
#define SHOWN_EVERY 64

static void put_tree(wr_out *out, const void *value)
{
    sink s = { .out = out };
    put_node(&s, &((const wri_tree *)value)->root, 0);
}

static void show_at_end(void *pointer)
{
    wri_tree *tree = pointer;
    wri_show_again(tree->t, tree->entry, put_tree, tree);
}

void wri_tree_begin_showing(wri_tree *tree, const char *name)
{
    wr_case *t = tree->t;
    if (!wri_case_showing(t) || name == NULL || t->text->open)
        return;
    size_t lost = t->text->lost;
    tree->entry = wri_show_count(t);
    wr_show_by(t, name, put_tree, tree);
    tree->shown = t->text->lost == lost;
    if (tree->shown)
        wr_defer(t, show_at_end, tree);
}

void wri_tree_show_again(wri_tree *tree)
{
    if (tree->choices <= SHOWN_AT_ONCE || tree->choices % SHOWN_EVERY == 0)
        wri_show_again(tree->t, tree->entry, put_tree, tree);
}
