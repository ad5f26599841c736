/* data/varied.c: a tree that is another one, but for one part.
 *
 * One choice says which node of the other tree is left open: none is simplest. All nodes around
 * it are copied, and are no choices: they follow the other tree when that shrinks. The open node
 * is a hole like any other.
 */
#include "data/hole.h"
#include "gen/draw.h"
#include "gen/example.h"

static wri_type *type_of(const wr_node *e)
{
    return (wri_type *)(uintptr_t)e->type_;
}

static size_t count_nodes(wr_node *e)
{
    size_t count = 0;
    for (wr_node *at = e; at != NULL; at = wri_tree_following(at, e, true))
        count++;
    return count;
}

static uint64_t size_of(wr_node *e)
{
    uint64_t size = 0;
    for (wr_node *at = e; at != NULL; at = wri_tree_following(at, e, true))
        size += wri_form_of(at)->cost + (wri_form_of(at)->costly_index ? at->index_ : 0);
    return size;
}

/* The hole is about as large as the part that it stands for. */
static void give_size(wr_case *t, wr_node *hole, wr_node *part)
{
    hole->size_ = wri_size_near(t, type_of(hole), size_of(part));
    if (hole->parent_ != NULL)
        hole->parent_->split_ = true;
    else
        hole->tree_->sized = true;
}

/* Copies all nodes but number `changed`, from 1, each before its arguments; 0: all. */
static void copy_around(wr_case *t, wr_node *to, wr_node *from, size_t changed)
{
    wr_node *a = to, *b = from;
    for (size_t number = 1; a != NULL; number++) {
        bool hole = number == changed;
        if (!hole)
            wri_tree_settle(a, b);
        else if (t->walk == NULL)
            give_size(t, a, b);
        a = wri_tree_following(a, to, !hole);
        b = wri_tree_following(b, from, !hole);
        number += hole ? count_nodes(from) : 0; /* no other one is */
    }
}

wr_node *wr_varied(wr_case *t, const char *name, wr_node *e)
{
    if (e == NULL)
        wri_case_misuse(t, "wr_varied%s: no tree was given", wri_draw_named(t, name));
    wr_force(e);
    wri_written *written =
        WRI_UNLIKELY(t->example != NULL) ? wri_written_read(t, name, type_of(e)) : NULL;
    if (written != NULL)
        *wri_example_expect(t, 1) = wri_written_change(e, written);
    wr_begin(t, name);
    size_t changed = (size_t)wri_draw_index(t, "changed", count_nodes(e));
    wr_end(t);
    struct wri_example *example = t->example; /* its text is read */
    t->example = NULL;
    wr_node *varied = wr_tree(t, name, type_of(e)->table);
    t->example = example;
    varied->tree_->written = written;
    copy_around(t, varied, e, changed);
    if (varied->tree_->shown)
        wri_tree_show_again(varied->tree_);
    return varied;
}
