/* data/path.c: the part of a path that a node must match, handed down from its parent. */
#include "data/path.h"

#include "data/tree.h"

/* The state of a node that is chosen, in counterpart_: which place of the path it must match, or
 * must not. The argument that goes on, from 1, is in opened_. A walk uses neither otherwise. */
#define FREE 0u
#define MATCH(at) (((at) + 1u) << 1)
#define REFUSE(at) (((at) + 1u) << 1 | 1u)
#define PLACE(state) (((state) >> 1) - 1u)
#define REFUSES(state) (((state)&1u) != 0)

static const wri_path *path_of(const wr_node *e)
{
    const wri_walk *walk = e->tree_->t->walk;
    size_t          number = 0;
    while (number < walk->tree_count && walk->trees[number].tree != e->tree_)
        number++;
    return &walk->paths->of[number < WRI_PATH_TREES ? number : 0];
}

/* The arguments into which a path goes, a bit for each. */
static unsigned ways_on(const wri_type *type, const wri_form *form)
{
    unsigned ways = 0;
    for (unsigned i = 0; i < form->arity; i++)
        ways |= (unsigned)(form->args[i] == type) << i;
    return ways;
}

uint64_t wri_path_ends(const wri_type *type)
{
    uint64_t ends = 0;
    for (unsigned tag = 0; tag < type->form_count; tag++)
        ends |= (uint64_t)(ways_on(type, &type->forms[tag]) == 0) << tag;
    return ends;
}

/* Is this the last place of the path? */
static bool is_last(const wri_type *type, const wri_path *path, unsigned at)
{
    return at + 1u >= path->length || ways_on(type, &type->forms[path->tags[at]]) == 0;
}

/* The cost beyond the least that the path has from a place on. */
static uint64_t cost_from(const wri_type *type, const wri_path *path, unsigned at)
{
    uint64_t cost = 0;
    for (bool last = at >= path->length; !last; at++) {
        cost += type->forms[path->tags[at]].minimal - type->minimal;
        last = is_last(type, path, at);
    }
    return cost;
}

bool wri_path_begin(wri_walk *walk, wr_node *root)
{
    const wri_path *path = path_of(root);
    const wri_type *type = root->type_;
    root->counterpart_ = FREE;
    if (walk->tree_count > WRI_PATH_TREES || path->length == 0)
        return true;
    for (unsigned i = 0; i < path->length; i++)
        if (path->tags[i] >= type->form_count)
            return true; /* another type than the path is of */
    uint64_t cost = cost_from(type, path, 0);
    if (cost > walk->budget)
        return false;
    root->counterpart_ = MATCH(0u);
    walk->budget -= cost;
    walk->reserved += cost;
    return true;
}

/* Which of the arguments goes on with the path? The first look at one of them decides. */
static unsigned turn_of(wr_node *e, unsigned ways)
{
    wri_walk *walk = e->tree_->t->walk;
    if ((ways & (ways - 1)) == 0)
        return (unsigned)__builtin_ctz(ways);
    if (e->opened_ == 0) {
        const wri_step *step = wri_walk_make(e->tree_->t, WRI_SILENT, WRI_ARGS - 1, true, ways);
        walk->trails[walk->made - 1].node = e;
        walk->trails[walk->made - 1].turn = true;
        e->opened_ = (uint32_t)(step->number & (WRI_ARGS - 1)) + 1;
    }
    return e->opened_ - 1;
}

/* The state that a hole has from its parent. */
static uint32_t inherited(wr_node *e, const wri_path *path)
{
    wr_node *from = e->parent_;
    if (from == NULL)
        return e->counterpart_;
    uint32_t        state = from->counterpart_;
    const wri_type *type = from->type_;
    if (state == FREE || PLACE(state) >= path->length || e->type_ != type ||
        from->tag_ != path->tags[PLACE(state)] || is_last(type, path, PLACE(state)))
        return FREE;
    if (REFUSES(state))
        return REFUSE(PLACE(state) + 1u);
    unsigned turn = turn_of(from, ways_on(type, wri_form_of(from)));
    return e->position_ == turn  ? MATCH(PLACE(state) + 1u)
           : e->position_ < turn ? REFUSE(PLACE(state) + 1u)
                                 : FREE;
}

static uint64_t rank_of(const wri_type *type, unsigned tag)
{
    unsigned rank = 0;
    while (type->tag_of[rank] != tag)
        rank++;
    return UINT64_C(1) << rank;
}

uint64_t wri_path_narrow(wr_node *e, uint64_t ranks)
{
    wri_walk       *walk = e->tree_->t->walk;
    const wri_path *path = path_of(e);
    const wri_type *type = e->type_;
    uint32_t        state = inherited(e, path);
    e->counterpart_ = state;
    e->opened_ = 0;
    if (state == FREE)
        return ranks;
    unsigned at = PLACE(state);
    uint64_t rank = rank_of(type, path->tags[at]), cost;
    if (REFUSES(state))
        return is_last(type, path, at) ? ranks & ~rank : ranks;
    cost = cost_from(type, path, at);
    walk->budget += cost;
    walk->reserved -= cost;
    return ranks & rank;
}

void wri_path_filled(wr_node *e)
{
    wri_walk *walk = e->tree_->t->walk;
    if (e->counterpart_ == FREE || REFUSES(e->counterpart_))
        return;
    const wri_path *path = path_of(e);
    unsigned        at = PLACE(e->counterpart_);
    uint64_t        cost = is_last(e->type_, path, at) ? 0 : cost_from(e->type_, path, at + 1);
    walk->budget -= cost;
    walk->reserved += cost;
}
