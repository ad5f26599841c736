/* data/tree.c: lazy values: nodes that are chosen when they are looked at.
 *
 * A chosen node has its arguments as holes. Every node is a span of the log, inside its parent's;
 * its constructor is a choice in it, and so is its index. The span's label is the type's, so the
 * content of one node can be put into any other node of the type. The spans of a constructor's
 * arguments are opened in the order of the arguments. If a later one is looked at first, the
 * spans of earlier ones stay empty.
 */
#include "data/tree.h"

#include "core/hash.h"
#include "data/hole.h"

/* An index that costs may be as large as this: more than any size that is counted, so that no
 * value of such a size is missed; and always the same, so that a token fits at every size. */
#define INDEX_MOST 255
_Static_assert(INDEX_MOST >= WRI_COUNTED, "values of a size that is counted would be missed");

static const char INDEX_NAME[] = "index";

static WRI_ASIDE wr_node *draw_tree(wr_case *t, const char *name, const wr_type *type)
{
    if (type == NULL)
        wri_case_misuse(t, "wr_tree \"%s\": no type was given", name == NULL ? "" : name);
    if (t->walk != NULL)
        return wri_hole_tree(t, type);
    wri_type *prepared = wri_type_of(t, type);
    wri_tree *tree = wri_memory_take(t, sizeof *tree);
    *tree = (wri_tree){
        .t = t,
        .before = t->trees,
        .root = { .tag_ = -1, .span_ = WRI_NO_NODE, .type_ = prepared, .tree_ = tree },
    };
    t->trees = tree;
    if (WRI_UNLIKELY(t->example != NULL))
        tree->written = wri_written_read(t, name, prepared);
    if (t->trace != NULL) {
        tree->branch = wri_branch_open(t, NULL, wri_trace_name_hash(name));
        wri_tree_begin_showing(tree, name);
    }
    return &tree->root;
}

wr_node *wr_tree(wr_case *t, const char *name, const wr_type *type)
{
    if (t->walk != NULL && t->walk->tree_next < t->walk->tree_count)
        return wri_hole_same_tree(t, type);
    return draw_tree(t, name, type);
}

void wri_tree_refute(const wr_node *e)
{
    wr_discard_(e->tree_->t);
}

wr_node *wri_tree_following(wr_node *e, const wr_node *top, bool into)
{
    if (into && e->arity_ > 0)
        return e->args_;
    for (; e != top; e = e->parent_)
        if (e->position_ + 1u < e->parent_->arity_)
            return e + 1;
    return NULL;
}

/* ---- Where choices stand in the log ---- */

static void open_spans(wr_node *e);

static wri_branch branch_of(wr_node *e)
{
    open_spans(e);
    return (wri_branch){ .span = e->span_, .counterpart = e->counterpart_ };
}

/* Opens the node's span, and those of the arguments before it. */
static void open_spans(wr_node *e)
{
    wr_node *parent = e->parent_;
    if (e->span_ != WRI_NO_NODE)
        return;
    wri_branch within = parent == NULL ? e->tree_->branch : branch_of(parent);
    wr_node   *first = parent == NULL ? e : parent->args_ + parent->opened_;
    for (wr_node *at = first; at <= e; at++) {
        wri_branch branch =
            wri_branch_open(e->tree_->t, &within, ((const wri_type *)at->type_)->label);
        at->span_ = branch.span;
        at->counterpart_ = branch.counterpart;
    }
    if (parent != NULL)
        parent->opened_ = e->position_ + 1u;
}

/* Demands may ask for more and more, and never for an end: a case that goes on and on is given up
 * long before the stack is full. */
#define CHOICES_FREE 4096
#define CHOICES_EACH 4 /* for each of the property's size */

static void check_growth(const wri_tree *tree)
{
    const wr_case *t = tree->t;
    if (tree->choices > CHOICES_FREE && !t->recorded &&
        tree->choices / CHOICES_EACH > CHOICES_FREE / CHOICES_EACH + t->size)
        wri_case_end(tree->t, WRI_OVERRUN, "", 0,
                     "a tree has more than %zu choices: its requirements have no end",
                     tree->choices);
}

/* Makes a choice of the node in its span. */
static uint64_t choose_in(wr_node *e, const wri_request *request)
{
    wri_tree *tree = e->tree_;
    wr_case  *t = tree->t;
    tree->choices++;
    if (WRI_UNLIKELY(tree->choices > CHOICES_FREE))
        check_growth(tree);
    if (t->trace == NULL)
        return wri_case_choose(t, request);
    wri_branch branch = branch_of(e);
    uint32_t   back = wri_branch_enter(t, &branch);
    uint64_t   number = wri_case_choose(t, request);
    wri_branch_leave(t, back);
    return number;
}

/* ---- Constructors ---- */

/* The node has this constructor from here on; its arguments are holes. */
static void become(wr_node *e, unsigned tag)
{
    const wri_form *form = &((wri_type *)(uintptr_t)e->type_)->forms[tag];
    wr_node        *arguments = NULL;
    if (form->arity > 0)
        arguments = wri_memory_take(e->tree_->t, form->arity * sizeof *arguments);
    wri_tree_make_arguments(e, form, arguments);
    e->tag_ = (int32_t)tag;
}

/* Chooses among these ranks, of which there is at least one. A type with one constructor leaves
 * nothing to choose. */
static int choose(wr_node *e, uint64_t ranks)
{
    const wri_type *type = e->type_;
    uint64_t        rank = 0;
    if (e->tree_->t->walk != NULL)
        return wri_hole_fill(e, ranks);
    if (type->form_count > 1) {
        wri_request request = { .kind = WRI_CONSTRUCTOR,
                                .max = type->form_count - 1,
                                .legal = ranks == type->all ? 0 : ranks,
                                .name = type->table->name,
                                .fresh = wri_size_fresh_rank,
                                .about = e };
        if (WRI_UNLIKELY(e->tree_->written != NULL))
            wri_written_expect_tag(e);
        rank = choose_in(e, &request);
    }
    become(e, type->tag_of[rank]);
    if (WRI_UNLIKELY(e->tree_->shown))
        wri_tree_show_again(e->tree_);
    return e->tag_;
}

int wr_choose_tag_(wr_node *e)
{
    const wri_walk *walk = e->tree_->t->walk;
    uint64_t        ranks = ((const wri_type *)e->type_)->all;
    if (walk == NULL)
        return choose(e, ranks);
    if (!walk->asking)
        return wri_hole_fill(e, ranks);
    wri_hole_reveal_tag(e);
    return e->tag_;
}

/* Tags as ranks. Predicates ask for the same few sets again and again. */
static uint64_t ranks_of(wri_type *type, uint64_t tags)
{
    wri_tag_set *known = &type->tag_sets[tags * UINT64_C(0x9e3779b97f4a7c15) >> 61];
    if (known->tags != tags || tags == 0) {
        known->tags = tags;
        known->ranks = 0;
        for (unsigned rank = 0; rank < type->form_count; rank++)
            known->ranks |= (tags >> type->tag_of[rank] & 1) << rank;
    }
    return known->ranks;
}

int wr_choose_needed_(wr_node *e, uint64_t tags)
{
    if (e->tag_ < 0 && WRI_UNLIKELY(wri_hole_asked_apart(e)))
        wri_hole_reveal_tag(e);
    if (e->tag_ >= 0) {
        if ((tags >> e->tag_ & 1) == 0)
            wri_tree_refute(e);
        return e->tag_;
    }
    uint64_t ranks = ranks_of((wri_type *)(uintptr_t)e->type_, tags);
    if (ranks == 0)
        wri_tree_refute(e);
    return e->tree_->t->walk != NULL ? wri_hole_fill(e, ranks) : choose(e, ranks);
}

static const char *type_name(const wr_node *e)
{
    return ((const wri_type *)e->type_)->table->name;
}

wr_node *wr_choose_arg_(wr_node *e, size_t i)
{
    int tag = wr_tag(e);
    if (i >= e->arity_)
        wri_case_misuse(e->tree_->t, "wr_arg: constructor %s of %s has no argument %zu",
                        ((const wri_type *)e->type_)->forms[tag].con->name, type_name(e), i);
    return e->args_ + i;
}

/* ---- Indices ---- */

/* The largest index that the node's constructor allows. */
static size_t index_most(const wr_node *e)
{
    const wri_form *form = wri_form_of(e);
    return form->costly_index ? INDEX_MOST : form->con->index - 1;
}

static size_t choose_index(wr_node *e, size_t most)
{
    if (e->tree_->t->walk != NULL)
        return wri_hole_index(e, most);
    wri_request request = { .kind = WRI_INDEX,
                            .max = most,
                            .name = INDEX_NAME,
                            .fresh = wri_size_fresh_index,
                            .about = e };
    if (WRI_UNLIKELY(e->tree_->written != NULL))
        wri_written_expect_index(e);
    e->index_ = (uint32_t)choose_in(e, &request);
    e->indexed_ = true;
    if (WRI_UNLIKELY(e->tree_->shown))
        wri_tree_show_again(e->tree_);
    return e->index_;
}

size_t wr_choose_index_(wr_node *e)
{
    wr_tag(e);
    if (WRI_UNLIKELY(wri_hole_asked_apart(e)) && wri_form_indexed(wri_form_of(e))) {
        wri_hole_reveal_index(e);
        return e->index_;
    }
    if (!wri_form_indexed(wri_form_of(e)))
        wri_case_misuse(e->tree_->t, "wr_index: constructor %s of %s has no index",
                        wri_form_of(e)->con->name, type_name(e));
    return choose_index(e, index_most(e));
}

size_t wr_choose_index_below_(wr_node *e, size_t k)
{
    const wri_type *type = e->type_;
    if (type->with_index == 0)
        wri_case_misuse(e->tree_->t, "wr_need_index_below: no constructor of %s has an index",
                        type_name(e));
    wr_need(e, type->with_index);
    if (!e->indexed_ && WRI_UNLIKELY(wri_hole_asked_apart(e)))
        wri_hole_reveal_index(e);
    if (k == 0 || (e->indexed_ && e->index_ >= k))
        wri_tree_refute(e);
    if (e->indexed_)
        return e->index_;
    size_t most = index_most(e);
    return choose_index(e, most < k - 1 ? most : k - 1);
}

/* ---- Two trees ---- */

static void check_types(const char *what, const wr_node *a, const wr_node *b)
{
    if (a->type_ != b->type_)
        wri_case_misuse(a->tree_->t, "%s: one tree is of type %s, the other of type %s", what,
                        type_name(a), type_name(b));
}

static bool has_index(const wr_node *e)
{
    return wri_form_indexed(wri_form_of(e));
}

/* An index that must be this one is no choice. */
static void need_index(wr_node *e, size_t index)
{
    if (!e->indexed_ && WRI_UNLIKELY(wri_hole_asked_apart(e)))
        wri_hole_reveal_index(e);
    if (e->indexed_ ? e->index_ != index : index > index_most(e))
        wri_tree_refute(e);
    if (e->indexed_)
        return;
    if (e->tree_->t->walk != NULL) {
        wri_hole_set_index(e, index);
        return;
    }
    e->index_ = (uint32_t)index;
    e->indexed_ = true;
    if (WRI_UNLIKELY(e->tree_->shown))
        wri_tree_show_again(e->tree_);
}

void wr_need_same(wr_node *e, wr_node *known)
{
    check_types("wr_need_same", e, known);
    wr_node *a = e, *b = known;
    while (a != NULL) {
        bool same = a == b;
        if (!same) {
            wr_need(a, UINT64_C(1) << wr_tag(b));
            if (has_index(b))
                need_index(a, wr_index(b));
        }
        a = wri_tree_following(a, e, !same);
        b = wri_tree_following(b, known, !same);
    }
}

bool wr_equal(wr_node *a, wr_node *b)
{
    check_types("wr_equal", a, b);
    wr_node *top_a = a, *top_b = b;
    while (a != NULL) {
        bool same = a == b;
        if (!same && wr_tag(a) != wr_tag(b))
            return false;
        if (!same && has_index(a) && wr_index(a) != wr_index(b))
            return false;
        a = wri_tree_following(a, top_a, !same);
        b = wri_tree_following(b, top_b, !same);
    }
    return true;
}

void wri_tree_settle(wr_node *e, const wr_node *like)
{
    bool walking = e->tree_->t->walk != NULL;
    if (e->tag_ < 0 && walking)
        wri_hole_settle(e, like->tag_);
    else if (e->tag_ < 0)
        become(e, (unsigned)like->tag_);
    if (!has_index(like) || e->indexed_)
        return;
    if (walking) {
        wri_hole_set_index(e, like->index_);
        return;
    }
    e->index_ = like->index_;
    e->indexed_ = true;
}

/* ---- One tree as a whole ---- */

uint64_t wr_hash(wr_node *e)
{
    uint64_t hash = ((const wri_type *)e->type_)->label;
    for (wr_node *at = e; at != NULL; at = wri_tree_following(at, e, true)) {
        hash = wri_hash_step(hash, (uint64_t)wr_tag(at));
        if (has_index(at))
            hash = wri_hash_step(hash, wr_index(at));
    }
    return hash;
}

void wr_force(wr_node *e)
{
    for (wr_node *at = e; at != NULL; at = wri_tree_following(at, e, true)) {
        wr_tag(at);
        if (has_index(at))
            wr_index(at);
    }
}

void wr_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e)
{
    if (predicate == NULL)
        wri_case_misuse(t, "wr_require: no predicate was given");
    if (!(t->walk != NULL ? wri_hole_require(t, predicate, e) : predicate(e)))
        wr_discard_(t);
}

/* A node whose arguments are being made; trees may be deeper than the stack. */
typedef struct frame {
    struct frame *up;
    wr_node      *node;
    uint32_t      next; /* argument */
    void         *made[];
} frame;

static frame *enter(wr_case *t, wr_node *e, frame *up)
{
    wr_tag(e);
    frame *made = wri_memory_take(t, sizeof *made + e->arity_ * sizeof *made->made);
    made->up = up;
    made->node = e;
    made->next = 0;
    return made;
}

void *wr_fold(wr_case *t, wr_node                                                     *e,
              void *(*make)(wr_case *t, wr_node *e, void **made, void *context), void *context)
{
    if (make == NULL)
        wri_case_misuse(t, "wr_fold: no function was given");
    frame *now = enter(t, e, NULL);
    for (;;) {
        if (now->next < now->node->arity_) {
            now = enter(t, now->node->args_ + now->next, now);
            continue;
        }
        void *value = make(t, now->node, now->made, context);
        now = now->up;
        if (now == NULL)
            return value;
        now->made[now->next++] = value;
    }
}
