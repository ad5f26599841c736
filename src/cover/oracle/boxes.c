/* cover/oracle/boxes.c: judges boxes of levels as a whole, or halves them. */
#include "cover/oracle/boxes.h"

#include <string.h>

enum { BOXES = 1 << 20 }; /* for one question */

/* ---- What a rule says of a box ---- */

static bool has_set(const wrc_expression *e)
{
    return e != NULL && (e->op == WRC_OP_IN || has_set(e->left) || has_set(e->right));
}

/* Sets stand beside comparisons, not in them: else a rule cannot be judged. */
static bool can_be_judged(const wrc_expression *e)
{
    if (e->op == WRC_OP_NOT)
        return can_be_judged(e->left);
    if (wrc_operator_joins(e->op))
        return can_be_judged(e->left) && can_be_judged(e->right);
    return e->op == WRC_OP_IN || !has_set(e);
}

static wrc_range judge(const wrc_halving *h, const wrc_expression *e)
{
    if (e->op == WRC_OP_IN)
        return wrc_range_of_membership(&e->set, h->box[h->rules->variable_of[e->parameter]]);
    if (!wrc_operator_joins(e->op))
        return wrc_range_truth(wrc_expression_range(e, h->values));
    wrc_range left = judge(h, e->left);
    if (e->op == WRC_OP_NOT || e->op == WRC_OP_IMPLIES)
        left = (wrc_range){ 1 - left.high, 1 - left.low, false };
    if (e->op == WRC_OP_NOT)
        return left;
    wrc_range right = judge(h, e->right);
    if (e->op == WRC_OP_AND)
        return (wrc_range){ left.low & right.low, left.high & right.high, false };
    return (wrc_range){ left.low | right.low, left.high | right.high, false };
}

/* All rules together. */
static wrc_range judge_all(const wrc_halving *h)
{
    wrc_range all = { 1, 1, false };
    for (size_t r = 0; r < h->rules->count && all.high; r++) {
        wrc_range one = judge(h, h->rules->rules[r].holds);
        all.low &= one.low;
        all.high &= one.high;
    }
    return all;
}

/* ---- Boxes ---- */

static void set_box(wrc_halving *h, uint32_t v, wrc_interval levels)
{
    uint32_t p = h->rules->parameters[v];
    h->box[v] = levels;
    h->values[p] = wrc_range_of_levels(&h->rules->model->parameters[p], levels);
}

static uint32_t widest(const wrc_halving *h)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < h->rules->variables; v++)
        if (h->box[v].to - h->box[v].from > h->box[best].to - h->box[best].from)
            best = v;
    return best;
}

/* The first row of a box that holds altogether. */
static void take_box(wrc_halving *h)
{
    for (uint32_t v = 0; v < h->rules->variables; v++)
        h->row[h->rules->parameters[v]] = h->box[v].from;
    h->found = true;
}

/* Whether a row of the box holds; the half that holds altogether, if one does, is taken first. */
static bool search(wrc_halving *h, wrc_range truth)
{
    if (!truth.high || h->boxes == 0)
        return false;
    if (truth.low) {
        take_box(h);
        return true;
    }
    uint32_t     v = widest(h), middle = h->box[v].from + (h->box[v].to - h->box[v].from) / 2;
    wrc_interval whole = h->box[v];
    wrc_interval halves[2] = { { whole.from, middle }, { middle + 1, whole.to } };
    wrc_range    truths[2];
    h->boxes--;
    for (int i = 0; i < 2; i++) {
        set_box(h, v, halves[i]);
        truths[i] = judge_all(h);
    }
    int first = truths[1].low > truths[0].low;
    for (int i = 0; i < 2; i++) {
        set_box(h, v, halves[first ^ i]);
        if (search(h, truths[first ^ i]))
            return true;
    }
    set_box(h, v, whole);
    return false;
}

/* ---- Questions ---- */

/* Whether the row that was found last holds with the cells that are chosen now. */
static bool holds_again(wrc_halving *h, const uint32_t *row, uint32_t variable, uint32_t level)
{
    const wrc_rules *rules = h->rules;
    for (uint32_t v = 0; v < rules->variables; v++) {
        uint32_t p = rules->parameters[v], cell = v == variable ? level : row[p];
        if (cell != WRC_ANY)
            h->row[p] = cell;
    }
    for (size_t r = 0; r < rules->count; r++)
        if (!wrc_expression_holds(rules->model, rules->rules[r].holds, h->row))
            return false;
    return true;
}

bool wrc_halving_allows(wrc_halving *h, const uint32_t *row, uint32_t variable, uint32_t level)
{
    const wrc_rules *rules = h->rules;
    if (h->gave_up)
        return false;
    if (h->found && holds_again(h, row, variable, level))
        return true;
    for (uint32_t v = 0; v < rules->variables; v++) {
        uint32_t cell = v == variable ? level : row[rules->parameters[v]];
        set_box(h, v,
                cell != WRC_ANY ? (wrc_interval){ cell, cell }
                                : (wrc_interval){ 0, rules->levels[v] - 1 });
    }
    h->boxes = BOXES;
    bool allowed = search(h, judge_all(h));
    h->gave_up = h->boxes == 0;
    return allowed;
}

wrc_opening wrc_halving_open(wrc_halving *h, const wrc_rules *rules)
{
    size_t parameters = rules->model->parameter_count;
    *h = (wrc_halving){ .rules = rules };
    for (size_t r = 0; r < rules->count; r++)
        if (!can_be_judged(rules->rules[r].holds))
            return WRC_TOO_LARGE;
    h->box = wrc_blocks_take(&h->blocks, rules->variables, sizeof *h->box);
    h->values = wrc_blocks_take(&h->blocks, parameters, sizeof *h->values);
    h->row = wrc_blocks_take(&h->blocks, parameters, sizeof *h->row);
    uint32_t *open = wrc_blocks_take(&h->blocks, parameters, sizeof *open);
    if (h->blocks.failed)
        return WRC_NO_MEMORY;
    memset(h->row, 0xFF, parameters * sizeof *h->row);
    memset(open, 0xFF, parameters * sizeof *open);
    bool possible = wrc_halving_allows(h, open, WRC_ANY, 0);
    return h->gave_up ? WRC_TOO_LARGE : possible ? WRC_OPENED : WRC_CONTRADICTORY;
}

void wrc_halving_close(wrc_halving *h)
{
    wrc_blocks_free(&h->blocks);
    *h = (wrc_halving){ 0 };
}
