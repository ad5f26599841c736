/* data/size.c: random trees of a given size, all equally likely.
 *
 * A tree is given a size, and every node its exact share. A constructor is as likely as it has
 * values of the node's size. The size left after its own cost is split over index and arguments,
 * each split as likely as it has values. So all values of a size are equally likely, however
 * little of them is looked at. Sizes are not choices of the log: they only weigh random answers,
 * and are drawn when the first random answer is needed. If the values cannot be counted, or none
 * has this size, the size is a budget that is split at random.
 */
#include "core/lean.h"
#include "data/tree.h"

/* Trees do not become larger than this, whatever the property's size. */
#define SIZE_MOST 100000

wri_count wri_size_below(wr_case *t, wri_count count)
{
    wri_count most = count - 1, number;
    uint64_t  high = (uint64_t)(most >> 64), low = (uint64_t)most;
    if (high == 0)
        return wri_prng_scale(wri_prng_next(&t->random), low);
    uint64_t mask = UINT64_MAX >> __builtin_clzll(high);
    do
        number = (wri_count)(wri_prng_next(&t->random) & mask) << 64 | wri_prng_next(&t->random);
    while (number > most);
    return number;
}

/* ---- Shares ---- */

/* A size up to `most`, leaning as lengths do; one that there are values of. */
static uint32_t size_up_to(wr_case *t, wri_type *type, uint64_t most)
{
    uint64_t least = type->minimal < SIZE_MOST ? type->minimal : SIZE_MOST;
    uint64_t size = least;
    most = most < SIZE_MOST ? most : SIZE_MOST;
    if (most > least)
        size += wri_lean_length(t, most - least);
    while (size > least && wri_type_count(type, size) == 0)
        size--;
    return (uint32_t)size;
}

uint32_t wri_size_at_random(wr_case *t, wri_type *type)
{
    return size_up_to(t, type, t->size);
}

uint32_t wri_size_near(wr_case *t, wri_type *type, uint64_t size)
{
    return size_up_to(t, type, 2 * size + 1);
}

/* The share of one part in `left`, so that all values are equally likely. */
static uint64_t exact_share(wr_case *t, wri_form *form, unsigned part, uint64_t left,
                            wri_count ways)
{
    wri_count wanted = wri_size_below(t, ways);
    for (uint64_t k = wri_form_part_least(form, part);; k++) {
        wri_count own = wri_type_part_count(form, part, k);
        wri_count here = own == 0 ? 0 : own * wri_type_parts_count(form, part + 1, left - k);
        if (wanted < here)
            return k;
        wanted -= here;
    }
}

static uint64_t rough_share(wr_case *t, const wri_form *form, unsigned part, uint64_t left)
{
    uint64_t spare = left > form->least[part] ? left - form->least[part] : 0;
    if (part + 1 < form->parts)
        spare = wri_prng_scale(wri_prng_next(&t->random), spare);
    return wri_form_part_least(form, part) + spare;
}

static uint32_t share_of(wr_node *e);

/* Splits the node's size, less its own cost, over its index and its arguments. */
static void split(wr_node *e)
{
    wr_case  *t = e->tree_->t;
    wri_form *form = wri_form_of(e);
    uint64_t  size = share_of(e);
    uint64_t  left = size > form->cost ? size - form->cost : 0;
    e->split_ = true;
    for (unsigned part = 0; part < form->parts; part++) {
        wri_count ways = wri_type_parts_count(form, part, left);
        bool      exact = ways != 0 && ways != WRI_UNCOUNTED;
        uint64_t  share =
            exact ? exact_share(t, form, part, left, ways) : rough_share(t, form, part, left);
        share = share < SIZE_MOST ? share : SIZE_MOST;
        left -= share < left ? share : left;
        if (form->costly_index && part == 0)
            e->index_size_ = (uint32_t)share;
        else
            e->args_[part - form->costly_index].size_ = (uint32_t)share;
    }
}

static uint32_t share_of(wr_node *e)
{
    wri_tree *tree = e->tree_;
    if (e->parent_ != NULL) {
        if (!e->parent_->split_)
            split(e->parent_);
    } else if (!tree->sized) {
        e->size_ = wri_size_at_random(tree->t, (wri_type *)(uintptr_t)e->type_);
        tree->sized = true;
    }
    return e->size_;
}

/* ---- Answers ---- */

/* One of the bits that are set. */
static uint64_t some_bit(wr_case *t, uint64_t bits)
{
    uint64_t skip =
        wri_prng_scale(wri_prng_next(&t->random), (uint64_t)__builtin_popcountll(bits) - 1);
    while (skip-- > 0)
        bits &= bits - 1;
    return (uint64_t)__builtin_ctzll(bits);
}

/* Without counts: a constructor that can have this size, or at least is not larger, or the
 * smallest there is. */
static uint64_t rough_rank(wr_case *t, const wri_type *type, uint64_t legal, uint64_t size)
{
    uint64_t fitting = 0, small = 0;
    for (unsigned rank = 0; rank < type->form_count; rank++) {
        const wri_form *form = &type->forms[type->tag_of[rank]];
        uint64_t        bit = legal & UINT64_C(1) << rank;
        small |= form->minimal <= size ? bit : 0;
        fitting |= form->minimal == size || (form->minimal < size && form->parts > 0) ? bit : 0;
    }
    if ((fitting | small) == 0)
        return (uint64_t)__builtin_ctzll(legal);
    return some_bit(t, fitting != 0 ? fitting : small);
}

uint64_t wri_size_fresh_rank(wr_case *t, const wri_request *request)
{
    wr_node        *e = request->about;
    const wri_type *type = e->type_;
    uint64_t        legal = request->legal == 0 ? type->all : request->legal;
    uint64_t        size = share_of(e);
    wri_count       counts[64], all = 0;
    for (uint64_t left = legal; left != 0; left &= left - 1) {
        unsigned rank = (unsigned)__builtin_ctzll(left);
        counts[rank] = wri_form_count(&type->forms[type->tag_of[rank]], size);
        if (counts[rank] == WRI_UNCOUNTED || __builtin_add_overflow(all, counts[rank], &all))
            return rough_rank(t, type, legal, size);
    }
    if (all == 0)
        return rough_rank(t, type, legal, size);
    wri_count wanted = wri_size_below(t, all);
    for (uint64_t left = legal;; left &= left - 1) {
        unsigned rank = (unsigned)__builtin_ctzll(left);
        if (wanted < counts[rank])
            return rank;
        wanted -= counts[rank];
    }
}

uint64_t wri_size_fresh_index(wr_case *t, const wri_request *request)
{
    wr_node *e = request->about;
    if (wri_form_of(e)->costly_index) {
        if (!e->split_)
            split(e);
        if (e->index_size_ <= request->max)
            return e->index_size_;
    }
    return wri_prng_scale(wri_prng_next(&t->random), request->max);
}
