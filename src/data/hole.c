/* data/hole.c: trees in a walk.
 *
 * Each hole that is filled is a step of the walk. A requirement that said no is asked again
 * without the property, with all nodes hidden. The nodes it looks at tell how far back the walk
 * may go.
 */
#include "data/hole.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/path.h"
#include "data/ways.h"

static wri_type *type_of(const wr_node *e)
{
    return (wri_type *)(uintptr_t)e->type_;
}

/* ---- Trees ---- */

wr_node *wri_hole_tree(wr_case *t, const wr_type *type)
{
    wri_walk *walk = t->walk;
    wri_type *prepared = wri_type_of(t, type);
    wri_tree *tree = wri_walk_take(walk, sizeof *tree);
    wri_walk_note_draw(walk); /* also where it does not fit */
    if (walk->hooks.sized != NULL)
        walk->budget += walk->hooks.sized(t, type, prepared->minimal);
    if (walk->tree_count == WRI_WALK_TREES || prepared->minimal > walk->budget ||
        prepared->shallow > walk->terms.depth || tree == NULL)
        wri_walk_beyond(t);
    *tree = (wri_tree){
        .t = t,
        .root = { .tag_ = -1, .span_ = WRI_NO_NODE, .type_ = prepared, .tree_ = tree },
    };
    walk->trees[walk->tree_count++] = (wri_walk_tree){ tree, type, walk->made };
    walk->tree_next = walk->tree_count;
    walk->budget -= prepared->minimal;
    walk->open++;
    if (walk->paths != NULL && !wri_path_begin(walk, &tree->root))
        wri_walk_beyond(t);
    wri_walk_tell(walk);
    return &tree->root;
}

/* ---- Filling ---- */

static uint64_t depth_of(const wr_node *e)
{
    uint64_t depth = 0;
    for (; e->parent_ != NULL; e = e->parent_)
        depth++;
    return depth;
}

/* Is this hole all that may still cost, so that it must use up the budget? */
static bool must_use_up(const wri_walk *walk)
{
    return walk->open == 1 && walk->terms.exact && walk->terms.prune;
}

/* The ranks that can be chosen, of these; none: the case ends. */
static uint64_t feasible(const wr_node *e, uint64_t ranks)
{
    wr_case  *t = e->tree_->t;
    wri_walk *walk = t->walk;
    wri_type *type = type_of(e);
    uint64_t  fitting = ranks & wri_type_ranks_within(type, walk->budget);
    if (WRI_UNLIKELY(walk->terms.depth != WRI_NO_BOUND))
        fitting &= wri_type_ranks_of_depth(type, walk->terms.depth - depth_of(e));
    if (fitting != ranks)
        walk->walked->cut = true;
    if (WRI_UNLIKELY(fitting == 0))
        wri_walk_beyond(t);
    if (!must_use_up(walk))
        return fitting;
    uint64_t size = walk->budget + type->minimal;
    uint64_t exact = fitting & wri_type_ranks_of_size(type, size);
    if (exact != fitting)
        walk->walked->cut |= (fitting & ~exact & wri_type_ranks_beyond(type, size)) != 0;
    if (exact == 0)
        wri_walk_barren(t);
    return exact;
}

/* The step fills in the node; what it stands on can be taken back from here on. */
static void fills(wri_walk *walk, wr_node *e, bool index)
{
    wri_trail *trail = &walk->trails[walk->made - 1];
    trail->node = e;
    trail->index = index;
    if (index)
        e->index_size_ = (uint32_t)walk->made;
    else
        e->size_ = (uint32_t)walk->made;
}

/* Fills the node with a rank, and pays for it; false: there is no room for its arguments. */
static inline bool become(wri_walk *walk, wr_node *e, uint64_t rank)
{
    const wri_type *type = e->type_;
    const wri_form *form = type->by_rank[rank];
    wr_node        *arguments = wri_walk_take(walk, form->arity * sizeof *arguments);
    if (arguments == NULL)
        return false;
    walk->budget -= form->minimal - type->minimal;
    walk->open += form->parts - 1;
    walk->loose += form->loose_index;
    wri_walk_tell(walk);
    e->tag_ = form->tag;
    wri_tree_make_arguments(e, form, arguments);
    return true;
}

static void set_index(wri_walk *walk, wr_node *e, size_t index)
{
    bool costly = wri_form_of(e)->costly_index;
    walk->budget -= costly ? index : 0;
    walk->open -= costly;
    walk->loose -= !costly;
    wri_walk_tell(walk);
    e->index_ = (uint32_t)index;
    e->indexed_ = true;
}

/* The explorer may take another alternative than the simplest. */
static inline void pick(wri_walk *walk, size_t at)
{
    if (walk->hooks.pick != NULL && !walk->steps[at].lone)
        walk->hooks.pick(walk, at);
}

/* Steps lie in shared memory: what does not fit any more was written by somebody else. */
static inline void refill(wri_walk *walk, size_t at)
{
    const wri_trail *trail = &walk->trails[at];
    wr_node         *e = trail->node;
    pick(walk, at);
    uint64_t number = walk->steps[at].number;
    if (trail->turn) {
        e->opened_ = (uint32_t)(number & (WRI_ARGS - 1)) + 1;
    } else if (trail->index) {
        if (number > trail->all)
            abort();
        set_index(walk, e, number);
    } else if (number > 63 || (trail->all >> number & 1) == 0 || !become(walk, e, number)) {
        abort(); /* reported as any other crash */
    }
}

/* A silent step is no choice of the log. */
static int fill(wr_node *e, uint64_t ranks, bool silent)
{
    wr_case        *t = e->tree_->t;
    wri_walk       *walk = t->walk;
    const wri_type *type = e->type_;
    if (walk->paths != NULL && (ranks = wri_path_narrow(e, ranks)) == 0)
        wri_tree_refute(e);
    uint64_t        mask = feasible(e, ranks);
    const wri_step *step =
        wri_walk_make(t, silent ? WRI_SILENT : WRI_CONSTRUCTOR, type->form_count - 1, true, mask);
    fills(walk, e, false);
    pick(walk, walk->made - 1);
    if (WRI_UNLIKELY(step->number > 63 || (mask >> step->number & 1) == 0 ||
                     !become(walk, e, step->number)))
        wri_walk_beyond(t);
    if (walk->paths != NULL)
        wri_path_filled(e);
    return e->tag_;
}

int wri_hole_fill(wr_node *e, uint64_t ranks)
{
    return fill(e, ranks, type_of(e)->form_count == 1);
}

void wri_hole_settle(wr_node *e, int tag)
{
    const wri_type *type = e->type_;
    unsigned        rank = 0;
    while (type->tag_of[rank] != tag)
        rank++;
    fill(e, UINT64_C(1) << rank, true);
}

size_t wri_hole_index(wr_node *e, size_t most)
{
    wr_case  *t = e->tree_->t;
    wri_walk *walk = t->walk;
    bool      costly = wri_form_of(e)->costly_index;
    uint64_t  largest = costly && walk->budget < most ? walk->budget : most;
    bool      used_up = costly && must_use_up(walk);
    walk->walked->cut |= largest < most;
    if (used_up && walk->budget > most)
        wri_walk_barren(t);
    wri_step *step = wri_walk_make(t, WRI_INDEX, most, false, largest);
    fills(walk, e, true);
    if (used_up) {
        step->number = step->at = largest;
        step->left = 0;
    } else {
        pick(walk, walk->made - 1);
    }
    if (WRI_UNLIKELY(step->number > largest))
        wri_walk_beyond(t);
    set_index(walk, e, step->number);
    return e->index_;
}

void wri_hole_set_index(wr_node *e, size_t index)
{
    wr_case  *t = e->tree_->t;
    wri_walk *walk = t->walk;
    bool      costly = wri_form_of(e)->costly_index;
    if (costly && index > walk->budget)
        wri_walk_beyond(t);
    if (costly && must_use_up(walk) && index != walk->budget)
        wri_walk_barren(t);
    wri_walk_make(t, WRI_SILENT, 0, true, 1);
    fills(walk, e, true);
    set_index(walk, e, index);
}

bool wri_hole_next(wri_walk *walk)
{
    return wri_walk_next(walk, refill);
}

/* ---- Values ---- */

uint64_t wri_hole_count(const wri_walk *walk)
{
    wri_ways all;
    uint64_t left = walk->budget + walk->reserved;
    if (left > WRI_COUNTED || walk->terms.depth != WRI_NO_BOUND)
        return UINT64_MAX; /* nobody has counted that */
    wri_ways_start(&all, left);
    for (size_t i = 0; i < walk->tree_count; i++)
        wri_ways_add_open(&all, &walk->trees[i].tree->root, NULL);
    wri_count sum = 0;
    for (uint64_t cost = walk->terms.exact ? all.most : 0; cost <= all.most; cost++)
        sum = wri_count_plus(sum, all.by_cost[cost]);
    return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

/* ---- Asked apart ---- */

/* Hidden, a tag is -2 and below, and a node has no arguments. */
static void hide(const wri_trail *trail)
{
    wr_node *e = trail->node;
    if (e == NULL || trail->turn)
        return;
    if (trail->index) {
        e->indexed_ = false;
        e->split_ = true;
    } else {
        e->tag_ = -2 - e->tag_;
        e->arity_ = 0;
    }
}

static void show(wr_node *e, bool index)
{
    if (index) {
        e->indexed_ = true;
        e->split_ = false;
    } else if (e->tag_ < 0) {
        e->tag_ = -2 - e->tag_;
        e->arity_ = (uint8_t)wri_form_of(e)->arity;
    }
}

_Noreturn static void undecided(wri_walk *walk, const wr_node *e)
{
    walk->undecided = true;
    longjmp(e->tree_->t->out, 1);
}

static void reveal(wr_node *e, bool index, bool open, size_t step)
{
    wri_walk *walk = e->tree_->t->walk;
    if (open)
        undecided(walk, e);
    show(e, index);
    walk->deepest = step > walk->deepest ? step : walk->deepest;
}

void wri_hole_reveal_tag(wr_node *e)
{
    reveal(e, false, e->tag_ == -1, e->size_);
}

void wri_hole_reveal_index(wr_node *e)
{
    reveal(e, true, !e->split_, e->index_size_);
}

/* Whether it refutes what is chosen, asked for itself; walk->deepest is then what it looked at.
 */
static bool refutes(wr_case *t, const wri_requirement *requirement)
{
    wri_walk        *walk = t->walk;
    jmp_buf          kept;
    volatile bool    holds = false;
    struct wri_seen *seen = t->seen;
    memcpy(&kept, &t->out, sizeof kept);
    t->seen = NULL; /* what it shows now does not count */
    walk->asking = true;
    walk->undecided = false;
    walk->deepest = 0;
    t->verdict->kind = WRI_NONE;
    for (size_t i = 0; i < walk->made; i++)
        hide(&walk->trails[i]);
    if (_setjmp(t->out) == 0)
        holds = requirement->predicate(&walk->trees[requirement->tree].tree->root);
    else if (t->verdict->kind != WRI_DISCARD)
        walk->undecided = true;
    for (size_t i = 0; i < walk->made; i++)
        if (walk->trails[i].node != NULL && !walk->trails[i].turn)
            show(walk->trails[i].node, walk->trails[i].index);
    walk->asking = false;
    t->seen = seen;
    memcpy(&t->out, &kept, sizeof kept);
    return !holds && !walk->undecided;
}

/* The requirement whose last look is the oldest says how far back. */
static void ask_all(wr_case *t)
{
    wri_walk *walk = t->walk;
    for (unsigned i = 0; i < walk->terms.requirement_count; i++) {
        const wri_requirement *at = &walk->terms.requirements[i];
        if (at->tree < walk->tree_next && at->type == walk->trees[at->tree].type &&
            refutes(t, at) && walk->deepest < walk->keep)
            walk->keep = walk->deepest;
    }
    t->verdict->kind = WRI_DISCARD;
}

/* Beyond BLAME_ALL refuted cases, one in BLAME_EVERY stands for the others. */
#define BLAME_ALL 256
#define BLAME_EVERY 16

static void blame_draw(wri_walk *walk, const char *name, uint64_t weight)
{
    for (size_t i = 0; i < sizeof walk->blamed / sizeof *walk->blamed; i++)
        if (walk->blamed[i].count == 0 || walk->blamed[i].name == name) {
            walk->blamed[i].name = name;
            walk->blamed[i].count += weight;
            return;
        }
}

/* The case was refuted: by what was chosen last, of what it was refuted for. */
static void blame(wri_walk *walk)
{
    uint64_t weight = 1;
    if (walk->walked->refuted > BLAME_ALL) {
        if (walk->walked->refuted % BLAME_EVERY != 0)
            return;
        weight = BLAME_EVERY;
    }
    size_t last = walk->keep < walk->made ? walk->keep : walk->made;
    if (last == 0)
        return;
    const wri_trail *trail = &walk->trails[last - 1];
    if (trail->node != NULL)
        wri_form_of(trail->node)->ended += weight;
    else
        blame_draw(walk, trail->name, weight);
}

void wri_hole_refuted(wr_case *t)
{
    wri_walk *walk = t->walk;
    if (walk->counted)
        return;
    if (walk->within >= 0 && walk->terms.requirement_count > 1)
        ask_all(t);
    walk->walked->refuted++;
    blame(walk);
}

/* ---- Requirements ---- */

static bool same_requirement(const wri_requirement *a, const wri_requirement *b)
{
    return a->predicate == b->predicate && a->tree == b->tree && a->type == b->type;
}

/* The number of a requirement, which is its place in the case. Every case asks the same ones in
 * the same order, as far as it comes; if one does not, they are not asked apart any more, for
 * what is required only now and then refutes nothing else. Negative: not of a whole tree, or too
 * many. */
static int number_requirement(wri_walk *walk, bool (*predicate)(wr_node *), const wr_node *e)
{
    wri_walked     *walked = walk->walked;
    unsigned        place = wri_hole_asked(walk, walk->asked_next - 1);
    wri_requirement now = { .predicate = predicate };
    while (now.tree < walk->tree_count && e != &walk->trees[now.tree].tree->root)
        now.tree++;
    if (now.tree == walk->tree_count || place >= WRI_REQUIREMENTS)
        return -1;
    now.type = walk->trees[now.tree].type;
    if (place == walked->requirement_count)
        walked->requirements[walked->requirement_count++] = now;
    else if (!same_requirement(&walked->requirements[place], &now))
        walked->irregular = true;
    return (int)place;
}

/* The requirement that is asked now: as in the case before, or for the first time. NULL: there
 * are too many in one case. */
static const wri_asked *now_asked(wri_walk *walk, bool (*predicate)(wr_node *), wr_node *e)
{
    wri_asked *asked = &walk->asked[walk->asked_next];
    if (walk->asked_next == WRI_ASKED)
        return NULL;
    if (walk->asked_next++ < walk->asked_count && asked->predicate == predicate &&
        asked->node == e)
        return asked;
    *asked = (wri_asked){ predicate, e, walk->made, number_requirement(walk, predicate, e) };
    walk->asked_count = walk->asked_next;
    return asked;
}

/* May the requirement be asked again at once? Not so where the case has shown something, or the
 * worker is to come back. */
static bool may_ask_again(const wr_case *t, const wri_asked *asked)
{
    return asked != NULL && !t->arena.poison && t->arena.extra == NULL && !t->stray;
}

static bool must_come_back(const wr_case *t)
{
    return *t->walk->run + 1 >= t->walk->end ||
           atomic_load_explicit(t->walk->shown, memory_order_relaxed) != 0 ||
           atomic_load_explicit(t->stop, memory_order_relaxed) != 0;
}

/* A requirement does not hold. As long as the next case differs only in what was chosen since it
 * was asked, all before it would go the same way: only the requirement is asked, and that is a
 * run. False: it is over with this case. */
static WRI_ASIDE bool ask_again(wr_case *t, const wri_asked *asked, char *arena)
{
    wri_walk *walk = t->walk;
    if (!may_ask_again(t, asked))
        return false;
    do {
        if (must_come_back(t))
            return false;
        if (walk->terms.requirement_count > 1) {
            ask_all(t);
            t->verdict->kind = WRI_NONE;
        }
        walk->walked->refuted++;
        blame(walk);
        if (!wri_walk_advance(walk, asked->made, refill)) {
            walk->counted = true;
            return false;
        }
        walk->keep = SIZE_MAX;
        atomic_store_explicit(walk->shared_run, ++*walk->run, memory_order_relaxed);
        t->arena.next = arena;
    } while (!asked->predicate(asked->node));
    return true;
}

bool wri_hole_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e)
{
    wri_walk        *walk = t->walk;
    const wri_asked *asked = now_asked(walk, predicate, e);
    char            *arena = t->arena.next;
    walk->within = asked == NULL ? -1 : asked->number;
    if (!predicate(e) && !ask_again(t, asked, arena))
        return false;
    walk->within = -1;
    return true;
}

/* ---- Where it stands ---- */

/* How much of what is below a node's hole begins with a rank: by the number of values. */
static double weight(const wr_node *e, uint64_t budget, unsigned rank)
{
    wri_type *type = type_of(e);
    wri_form *form = &type->forms[type->tag_of[rank]];
    double    sum = 0;
    uint64_t  most = type->minimal + (budget < WRI_COUNTED ? budget : WRI_COUNTED);
    for (uint64_t size = form->minimal; size <= most && size <= WRI_COUNTED; size++) {
        wri_count count = wri_form_count(form, size);
        sum += count == WRI_UNCOUNTED ? 1e38 : (double)count;
    }
    return sum;
}

/* The shares of a step's alternatives: before the one taken, and the one taken. */
typedef struct shares {
    double before, taken;
} shares;

static shares shares_of(const wri_walk *walk, size_t at)
{
    const wri_step  *step = &walk->steps[at];
    const wri_trail *trail = &walk->trails[at];
    if (!step->masked) {
        double all = (double)trail->all + 1;
        return (shares){ (double)step->at / all, 1 / all };
    }
    bool weighed =
        trail->node != NULL && !trail->index && !trail->turn && walk->terms.bound != WRI_NO_BOUND;
    double all = 0, before = 0, taken = 0;
    for (uint64_t left = trail->all; left != 0; left &= left - 1) {
        unsigned rank = (unsigned)__builtin_ctzll(left);
        double   share = weighed ? weight(trail->node, trail->budget, rank) : 1;
        all += share;
        before += rank < step->number ? share : 0;
        taken += rank == step->number ? share : 0;
    }
    return all > 0 ? (shares){ before / all, taken / all } : (shares){ 0, 1 };
}

static void find_position(wri_walk *walk)
{
    wri_walked *walked = walk->walked;
    double      position = 0, width = 1;
    walked->split = SIZE_MAX;
    for (size_t i = 0; i < walk->made; i++) {
        shares share = shares_of(walk, i);
        if (walked->split == SIZE_MAX && walk->steps[i].left != 0) {
            walked->split = i;
            walked->split_position = position + width * (share.before + share.taken);
        }
        position += width * share.before;
        width *= share.taken;
    }
    walked->position = position + width;
}

static void tell_blame(wri_walked *walked, const char *what, const char *of, uint64_t count)
{
    if (count == 0 || walked->blamed_count == WRI_BLAMED)
        return;
    wri_blamed *row = &walked->blamed[walked->blamed_count++];
    row->count = count;
    snprintf(row->name, sizeof row->name, of == NULL ? "%s" : "%s of %s",
             what == NULL ? "a draw" : what, of);
}

void wri_hole_sum_up(wri_walk *walk)
{
    wri_walked *walked = walk->walked;
    find_position(walk);
    walked->blamed_count = 0;
    for (wri_type *type = wri_types_known(); type != NULL; type = type->next)
        for (unsigned i = 0; i < type->form_count; i++) {
            tell_blame(walked, type->forms[i].con->name, type->table->name, type->forms[i].ended);
            type->forms[i].ended = 0;
        }
    for (size_t i = 0; i < sizeof walk->blamed / sizeof *walk->blamed; i++)
        tell_blame(walked, walk->blamed[i].name, NULL, walk->blamed[i].count);
}
