/* explore/redraw.c: the trie of refuted choices.
 *
 * A fork is a request, a branch one of its answers. A branch knows the number of values left
 * below it. They are all counted when its fork is first met. Each refutation is subtracted from
 * every branch that led to it. So a redraw costs no more than a look at the alternatives on the
 * way.
 *
 * The trees of a case are a list that grows when a run draws one more. The counts are of
 * combinations of values of all trees, also of trees that a run does not draw. So a case without
 * one of the trees is as likely as a case with it.
 */
#include "explore/redraw.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "data/ways.h"
#include "explore/answer.h"

#define FORKS ((size_t)1 << 17)
#define BRANCHES ((size_t)1 << 18)
#define PATH_MOST 4096
#define TREES 16

/* Branch 0 leads to the first fork; so 0 is also "none". */
typedef struct branch {
    wri_count left;   /* values below it that are not refuted */
    uint64_t  number; /* the answer */
    uint32_t  fork;   /* what is asked then; 0: that is not known yet */
    uint32_t  next;   /* of the same fork, with a larger number; 0: none */
} branch;

typedef struct fork {
    wri_count each; /* answers of an index that were not given yet have so many values each, */
    uint64_t  rest; /* and there are so many of them */
    uint64_t  max, legal;
    uint32_t  first; /* branch */
    uint8_t   kind;
} fork;

typedef struct sized {
    wri_type *type;
    uint64_t  size;
} sized;

struct wri_redraw {
    wri_answerer base;
    fork        *forks;
    branch      *branches;
    size_t       fork_count, branch_count;
    sized        trees[TREES];
    unsigned     tree_count;
    unsigned     runs; /* of this case, after the first; 0: it was not drawn again yet */
    bool         lost; /* it cannot go on: the case is discarded */
    size_t       made; /* choices of this run, */
    size_t       kept; /* the first of which are those of the run before */
    uint32_t     path[PATH_MOST + 1]; /* branches taken, behind branch 0 */
};

/* ---- Ends ---- */

_Noreturn static void give_up(wri_redraw *redraw, wr_case *t)
{
    redraw->lost = true;
    wr_discard_(t);
}

/* So many values below the branch taken last are refuted. */
static void take_away(wri_redraw *redraw, wri_count values)
{
    for (size_t i = 0; i <= redraw->made; i++)
        redraw->branches[redraw->path[i]].left -= values;
}

/* ---- Trees ---- */

static wri_type *type_of(const wri_tree *tree)
{
    return (wri_type *)(uintptr_t)tree->root.type_;
}

/* Another tree: there are so many times more combinations. False: there is no place for it, or
 * more combinations than can be counted. */
static bool add_tree(wri_redraw *redraw, wri_type *type, uint64_t size)
{
    wri_count values = wri_type_count(type, size);
    if (redraw->tree_count == TREES || values == WRI_UNCOUNTED)
        return false;
    redraw->trees[redraw->tree_count++] = (sized){ type, size };
    for (size_t i = 0; i < redraw->branch_count; i++)
        redraw->branches[i].left = wri_count_times(redraw->branches[i].left, values);
    for (size_t i = 0; i < redraw->fork_count; i++)
        redraw->forks[i].each = wri_count_times(redraw->forks[i].each, values);
    return redraw->branches[0].left != WRI_UNCOUNTED;
}

/* The trees of the case, the first drawn first; how many, which may be more than there is room.
 */
static unsigned list_trees(const wr_case *t, wri_tree *trees[TREES])
{
    unsigned count = 0, at;
    for (const wri_tree *tree = t->trees; tree != NULL; tree = tree->before)
        count++;
    at = count;
    for (wri_tree *tree = t->trees; tree != NULL && count <= TREES; tree = tree->before)
        trees[--at] = tree;
    return count;
}

/* Which of the known trees is this one, that was drawn after number next - 1? One more, if none
 * is of its type. Its result does not depend on what other runs have added behind it. */
static unsigned find_tree(wri_redraw *redraw, wr_case *t, const wri_tree *tree, unsigned next)
{
    while (next < redraw->tree_count && redraw->trees[next].type != type_of(tree))
        next++;
    if (next == redraw->tree_count &&
        !add_tree(redraw, type_of(tree), wri_size_at_random(t, type_of(tree))))
        give_up(redraw, t);
    return next;
}

/* In how many ways all other trees can be completed; and the size of this one. */
static wri_count ways_of_others(wri_redraw *redraw, wr_case *t, const wri_tree *mine,
                                uint64_t *size)
{
    wri_tree *trees[TREES];
    bool      drawn[TREES] = { false };
    unsigned  count = list_trees(t, trees), at = 0;
    wri_count ways = 1;
    if (count > TREES)
        give_up(redraw, t);
    for (unsigned i = 0; i < count; i++, at++) {
        at = find_tree(redraw, t, trees[i], at);
        drawn[at] = true;
        if (trees[i] == mine)
            *size = redraw->trees[at].size;
        else
            ways = wri_count_times(ways,
                                   wri_ways_completions(&trees[i]->root, redraw->trees[at].size));
    }
    for (unsigned i = 0; i < redraw->tree_count; i++)
        if (!drawn[i])
            ways = wri_count_times(ways,
                                   wri_type_count(redraw->trees[i].type, redraw->trees[i].size));
    return ways;
}

/* ---- Forks ---- */

/* A branch that stands where `link` points to. */
static uint32_t add_branch(wri_redraw *redraw, wr_case *t, uint32_t *link, uint64_t number,
                           wri_count left)
{
    if (redraw->branch_count == BRANCHES)
        give_up(redraw, t);
    uint32_t made = (uint32_t)redraw->branch_count++;
    redraw->branches[made] = (branch){ .left = left, .number = number, .next = *link };
    *link = made;
    return made;
}

/* The share of one constructor: the rest is spent elsewhere. */
static wri_count ways_with(const wri_ways *others, const wri_type *type, wri_form *form)
{
    wri_count sum = 0;
    for (uint64_t cost = 0; cost <= others->most; cost++) {
        wri_count own = wri_form_count(form, type->minimal + cost);
        if (own != 0)
            sum = wri_count_plus(sum, wri_count_times(own, others->by_cost[others->most - cost]));
    }
    return sum;
}

/* The alternatives, from the last to the first; returns how many values they have together. */
static wri_count add_ranks(wri_redraw *redraw, wr_case *t, fork *to, const wri_type *type,
                           const wri_ways *others, wri_count factor)
{
    wri_count sum = 0;
    for (unsigned rank = type->form_count; rank-- > 0;) {
        if (to->legal != 0 && (to->legal >> rank & 1) == 0)
            continue;
        wri_form *form = &type->forms[type->tag_of[rank]];
        wri_count left = wri_count_times(factor, ways_with(others, type, form));
        if (left != 0)
            add_branch(redraw, t, &to->first, rank, left);
        sum = wri_count_plus(sum, left);
    }
    return sum;
}

static wri_count add_indices(wri_redraw *redraw, wr_case *t, fork *to, const wri_ways *others,
                             wri_count factor)
{
    wri_count sum = 0;
    for (uint64_t index = (to->max < others->most ? to->max : others->most) + 1; index-- > 0;) {
        wri_count left = wri_count_times(factor, others->by_cost[others->most - index]);
        if (left != 0)
            add_branch(redraw, t, &to->first, index, left);
        sum = wri_count_plus(sum, left);
    }
    return sum;
}

/* All alternatives of what the node is asked for. */
static wri_count add_alternatives(wri_redraw *redraw, wr_case *t, fork *to, wr_node *e)
{
    wri_ways  others;
    uint64_t  size = 0, spare;
    wri_count factor = ways_of_others(redraw, t, e->tree_, &size);
    if (!wri_ways_spare_of(&e->tree_->root, size, &spare))
        return 0;
    wri_ways_start(&others, spare);
    wri_ways_add_open(&others, &e->tree_->root, e);
    if (to->kind == WRI_CONSTRUCTOR)
        return add_ranks(redraw, t, to, e->type_, &others, factor);
    if (wri_form_of(e)->costly_index)
        return add_indices(redraw, t, to, &others, factor);
    to->each = wri_count_times(factor, others.by_cost[spare]);
    to->rest = to->max + 1;
    return wri_count_times(to->each, to->rest);
}

/* The branch taken last leads here for the first time. Demands refute the branches that they do
 * not allow. */
static void expand(wri_redraw *redraw, wr_case *t, const wri_request *request)
{
    branch *from = &redraw->branches[redraw->path[redraw->made]];
    if (redraw->fork_count == FORKS)
        give_up(redraw, t);
    fork *to = &redraw->forks[redraw->fork_count];
    *to = (fork){ .max = request->max, .legal = request->legal, .kind = (uint8_t)request->kind };
    wri_count values = add_alternatives(redraw, t, to, request->about);
    if (values > from->left)
        give_up(redraw, t); /* it is not deterministic */
    from->fork = (uint32_t)redraw->fork_count++;
    take_away(redraw, from->left - values);
}

/* The answer of an index that has so many before it that were not given yet, either. */
static uint32_t untried(wri_redraw *redraw, wr_case *t, fork *at, uint64_t number)
{
    uint32_t *link = &at->first;
    for (; *link != 0 && redraw->branches[*link].number <= number; number++)
        link = &redraw->branches[*link].next;
    at->rest--;
    return add_branch(redraw, t, link, number, at->each);
}

/* A branch, as likely as it has values left. */
static uint32_t pick(wri_redraw *redraw, wr_case *t, fork *at, wri_count left)
{
    wri_count wanted = wri_size_below(t, left);
    for (uint32_t i = at->first; i != 0; i = redraw->branches[i].next) {
        if (wanted < redraw->branches[i].left)
            return i;
        wanted -= redraw->branches[i].left;
    }
    return untried(redraw, t, at, (uint64_t)(wanted / at->each));
}

/* ---- Answers ---- */

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    wri_redraw   *redraw = (wri_redraw *)self;
    wri_answerer *random = wri_answer_randomly();
    if (request->fresh != wri_size_fresh_rank && request->fresh != wri_size_fresh_index)
        return random->choose(random, t, request, label);
    const branch *from = &redraw->branches[redraw->path[redraw->made]];
    if (from->fork == 0)
        expand(redraw, t, request);
    fork *at = &redraw->forks[from->fork];
    if (at->kind != request->kind || at->max != request->max || at->legal != request->legal ||
        redraw->made == PATH_MOST)
        give_up(redraw, t);
    if (from->left == 0)
        wr_discard_(t);
    if (redraw->made >= redraw->kept)
        redraw->path[redraw->made + 1] = pick(redraw, t, at, from->left);
    return redraw->branches[redraw->path[++redraw->made]].number;
}

/* ---- From run to run ---- */

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static wri_redraw *make(void)
{
    wri_redraw *redraw = calloc(1, sizeof *redraw);
    if (redraw == NULL)
        return NULL;
    redraw->base = *wri_answer_randomly();
    redraw->base.choose = choose;
    redraw->forks = map(FORKS * sizeof *redraw->forks);
    redraw->branches = map(BRANCHES * sizeof *redraw->branches);
    if (redraw->forks != NULL && redraw->branches != NULL)
        return redraw;
    wri_redraw_free(redraw);
    return NULL;
}

void wri_redraw_free(wri_redraw *redraw)
{
    if (redraw == NULL)
        return;
    if (redraw->forks != NULL)
        munmap(redraw->forks, FORKS * sizeof *redraw->forks);
    if (redraw->branches != NULL)
        munmap(redraw->branches, BRANCHES * sizeof *redraw->branches);
    free(redraw);
}

/* After the first run, which was drawn without it: its trees, with the sizes that they had. */
static bool begin(wri_redraw *redraw, wr_case *t)
{
    wri_tree *trees[TREES];
    unsigned  count = list_trees(t, trees);
    if (count > TREES)
        return false;
    redraw->lost = false;
    redraw->made = 0;
    redraw->tree_count = 0;
    redraw->fork_count = redraw->branch_count = 1;
    redraw->path[0] = 0;
    redraw->branches[0] = (branch){ .left = 1 };
    for (unsigned i = 0; i < count; i++) {
        uint64_t size =
            trees[i]->sized ? trees[i]->root.size_ : wri_size_at_random(t, type_of(trees[i]));
        if (!add_tree(redraw, type_of(trees[i]), size))
            return false;
    }
    return true;
}

/* Has the run chosen anything but trees? */
static bool drew_otherwise(const wri_redraw *redraw, const wr_case *t)
{
    size_t in_trees = redraw->made;
    if (redraw->runs == 0) {
        in_trees = 0;
        for (const wri_tree *tree = t->trees; tree != NULL; tree = tree->before)
            in_trees += tree->choices;
    }
    return t->next != t->journal + in_trees;
}

/* How much of the run's path the next one has in common with it. */
static size_t common_path(const wri_redraw *redraw, wri_redraw_manner manner)
{
    size_t length = manner == WRI_REDRAW_SKEWED ? redraw->made : 0;
    while (length > 0 && redraw->branches[redraw->path[length]].left == 0)
        length--;
    return length;
}

bool wri_redraw_refuted(wri_redraw **given, wr_case *t, wri_redraw_manner manner)
{
    if (manner == WRI_REDRAW_OFF || t->trees == NULL || t->next == t->journal)
        return false;
    if (*given == NULL && (*given = make()) == NULL)
        return false;
    wri_redraw *redraw = *given;
    if (drew_otherwise(redraw, t))
        return false;
    if (redraw->runs == 0 && !begin(redraw, t))
        return false;
    if (redraw->runs > 0 && !redraw->lost)
        take_away(redraw, redraw->branches[redraw->path[redraw->made]].left);
    if (redraw->lost || redraw->branches[0].left == 0 || redraw->runs == wri_redraws_of(t->index))
        return false;
    redraw->runs++;
    redraw->kept = common_path(redraw, manner);
    redraw->made = 0;
    t->answerer = &redraw->base;
    return true;
}

void wri_redraw_end(wri_redraw *redraw, wr_case *t)
{
    if (redraw == NULL || redraw->runs == 0)
        return;
    redraw->runs = 0;
    t->answerer = wri_answer_randomly();
}
