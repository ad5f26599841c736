/* data/read.c: trees of explicit cases, read from the text that a report prints.
 *
 * A constructor is read as its table shows it. Several may begin alike: the one that takes the
 * longest text wins. "_" is a hole, which is chosen as the simplest value when somebody looks.
 */
#include <stdlib.h>
#include <string.h>

#include "data/tree.h"
#include "gen/example.h"

#define TRIES_MOST 100000

/* A node of the text. */
struct wri_written {
    int                 tag; /* negative: a hole */
    bool                indexed;
    uint32_t            index;
    struct wri_written *args;
};

/* The constructors that are being read, from the innermost on: one that begins with an argument
 * of its own type is not tried again at the same place. */
typedef struct trying {
    const wri_form      *form;
    const char          *at;
    const struct trying *outer;
} trying;

typedef struct reader {
    wr_case *t;
    unsigned tries;
} reader;

static const char *read_node(reader *r, wri_type *type, const char *at, wri_written *node,
                             const trying *outer);

static const char *read_index(const char *at, wri_written *node)
{
    char *end;
    if (*at == '_')
        return at + 1;
    if (*at < '0' || *at > '9')
        return NULL;
    node->index = (uint32_t)strtoul(at, &end, 10);
    node->indexed = true;
    return end;
}

/* One step of a form: the sign behind % says which; NULL: it does not fit. */
static const char *read_part(reader *r, const wri_form *form, char sign, const char *at,
                             wri_written *node, const trying *now)
{
    if (sign == '%')
        return *at == '%' ? at + 1 : NULL;
    if (sign == 'i')
        return read_index(at, node);
    unsigned argument = (unsigned)(sign - '0');
    return read_node(r, form->args[argument], at, &node->args[argument], now);
}

static const char *read_shown(reader *r, const wri_form *form, const char *shown, const char *at,
                              wri_written *node, const trying *now)
{
    for (; *shown != '\0' && at != NULL; shown++) {
        if (*shown == '%')
            at = read_part(r, form, *++shown, at, node, now);
        else
            at = *at == *shown ? at + 1 : NULL;
    }
    return at;
}

/* Name, index, and arguments in brackets: the form of a constructor without its own. */
static const char *read_plain(reader *r, const wri_form *form, const char *at, wri_written *node,
                              const trying *now)
{
    char   shown[64] = "";
    size_t length = strlen(form->con->name);
    if (strncmp(at, form->con->name, length) != 0)
        return NULL;
    strcat(shown, wri_form_indexed(form) ? " %i" : "");
    for (unsigned i = 0; i < form->arity; i++) {
        char argument[] = { i == 0 ? '(' : ',', ' ', '%', (char)('0' + i), '\0' };
        if (i == 0)
            memmove(argument + 1, argument + 2, sizeof argument - 2);
        strcat(shown, argument);
    }
    strcat(shown, form->arity > 0 ? ")" : "");
    return read_shown(r, form, shown, at + length, node, now);
}

static bool is_tried(const trying *outer, const wri_form *form, const char *at)
{
    while (outer != NULL && (outer->form != form || outer->at != at))
        outer = outer->outer;
    return outer != NULL;
}

static const char *read_node(reader *r, wri_type *type, const char *at, wri_written *node,
                             const trying *outer)
{
    const char *longest = *at == '_' ? at + 1 : NULL;
    *node = (wri_written){ .tag = -1 };
    for (unsigned i = 0; i < type->form_count; i++) {
        const wri_form *form = &type->forms[i];
        trying          now = { form, at, outer };
        if (is_tried(outer, form, at) || ++r->tries > TRIES_MOST)
            continue;
        wri_written made = { .tag = (int)i,
                             .args = wr_alloc(r->t, form->arity * sizeof *made.args) };
        const char *end = form->con->show != NULL
                              ? read_shown(r, form, form->con->show, at, &made, &now)
                              : read_plain(r, form, at, &made, &now);
        if (end == NULL || (longest != NULL && end <= longest))
            continue;
        longest = end;
        *node = made;
    }
    return longest;
}

wri_written *wri_written_read(wr_case *t, const char *name, wri_type *type)
{
    const char *text = wri_example_text(t, name);
    if (text == NULL)
        return NULL;
    reader       r = { .t = t };
    wri_written *root = wri_memory_take(t, sizeof *root);
    const char  *end = read_node(&r, type, text, root, NULL);
    if (end == NULL || *end != '\0')
        wri_example_wrong(t, "expected a value of type %s", type->table->name);
    return root;
}

/* The written node of a node of the tree; NULL: the text has none. */
static const wri_written *written_of(const wr_node *e)
{
    if (e->parent_ == NULL)
        return e->tree_->written;
    const wri_written *parent = written_of(e->parent_);
    return parent == NULL || parent->tag != e->parent_->tag_ ? NULL : &parent->args[e->position_];
}

void wri_written_expect_tag(const wr_node *e)
{
    const wri_written *written = written_of(e);
    const wri_type    *type = e->type_;
    uint64_t           rank = 0;
    if (written == NULL || written->tag < 0)
        return;
    while (type->tag_of[rank] != written->tag)
        rank++;
    *wri_example_expect(e->tree_->t, 1) = rank;
}

void wri_written_expect_index(const wr_node *e)
{
    const wri_written *written = written_of(e);
    if (written != NULL && written->tag == e->tag_ && written->indexed)
        *wri_example_expect(e->tree_->t, 1) = written->index;
}

/* ---- A tree near another one ---- */

/* A hole agrees with everything. */
static bool agrees(const wr_node *e, const wri_written *written)
{
    if (written->tag < 0)
        return true;
    if (written->tag != e->tag_ || (written->indexed && written->index != e->index_))
        return false;
    for (unsigned i = 0; i < e->arity_; i++)
        if (!agrees(&e->args_[i], &written->args[i]))
            return false;
    return true;
}

static size_t count_nodes(const wr_node *e)
{
    size_t count = 1;
    for (unsigned i = 0; i < e->arity_; i++)
        count += count_nodes(&e->args_[i]);
    return count;
}

size_t wri_written_change(const wr_node *e, const wri_written *written)
{
    size_t number = 1;
    if (agrees(e, written))
        return 0;
    for (;;) {
        unsigned differing = 0, only = 0;
        size_t   before = 1, at = 0;
        if (written->tag != e->tag_ || (written->indexed && written->index != e->index_))
            return number;
        for (unsigned i = 0; i < e->arity_; before += count_nodes(&e->args_[i++]))
            if (!agrees(&e->args_[i], &written->args[i])) {
                differing++;
                only = i;
                at = before;
            }
        if (differing != 1)
            return number;
        number += at;
        e = &e->args_[only];
        written = &written->args[only];
    }
}
