/* cover/check/witness.c: searches for a row that has a tuple, or shows that there is none.
 *
 * Constraints that share parameters, directly or through others, belong together; a tuple asks
 * only those that its parameters are in. Answers are remembered: the same pair is in many
 * triples.
 */
#include "cover/check/witness.h"

#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "cover/model/blocks.h"
#include "cover/model/cpu.h"

#define FEW_MEMBERS 64    /* of a component: the narrowest of them can be looked for each time */
#define MOST_STEPS 100000 /* values tried for one question */
#define ALL_STEPS 100000000 /* for all questions; what comes after gets few */
#define CLOCK_STEPS 64      /* between two looks at the clock */
#define FEW_STEPS 300
#define FOLLOWED ((size_t)1 << 25) /* cells of all rows that say what follows from one cell */

/* ---- What a constraint says of a row that is not complete ---------------------------------- */

typedef enum known {
    UNKNOWN,  /* open cells decide */
    NO_VALUE, /* a division by zero, an overflow */
    KNOWN,
} known;

typedef struct number {
    known   known;
    int64_t value;
} number;

static number evaluate(const wrc_model *model, const wrc_expression *e, const uint32_t *row);

static number truth(bool holds)
{
    return (number){ KNOWN, holds };
}

static number evaluate_set(const wrc_expression *e, const uint32_t *row)
{
    uint32_t level = row[e->parameter];
    if (level == WRC_ANY)
        return (number){ UNKNOWN, 0 };
    for (uint32_t i = 0; i < e->set.count; i++)
        if (level >= e->set.intervals[i].from && level <= e->set.intervals[i].to)
            return truth(true);
    return truth(false);
}

static number calculate(wrc_operator op, int64_t a, int64_t b)
{
    number result = { KNOWN, 0 };
    bool   none = false;
    switch (op) {
    case WRC_OP_ADD: none = __builtin_add_overflow(a, b, &result.value); break;
    case WRC_OP_SUBTRACT: none = __builtin_sub_overflow(a, b, &result.value); break;
    case WRC_OP_MULTIPLY: none = __builtin_mul_overflow(a, b, &result.value); break;
    default:
        none = b == 0 || (a == INT64_MIN && b == -1);
        if (!none)
            result.value = op == WRC_OP_DIVIDE ? a / b : a % b;
        break;
    }
    return none ? (number){ NO_VALUE, 0 } : result;
}

static bool compare(wrc_operator op, int64_t a, int64_t b)
{
    switch (op) {
    case WRC_OP_EQUAL: return a == b;
    case WRC_OP_UNEQUAL: return a != b;
    case WRC_OP_LESS: return a < b;
    case WRC_OP_AT_MOST: return a <= b;
    case WRC_OP_GREATER: return a > b;
    default: return a >= b;
    }
}

static number evaluate_comparison(const wrc_model *model, const wrc_expression *e,
                                  const uint32_t *row)
{
    number a = evaluate(model, e->left, row), b = evaluate(model, e->right, row);
    if (a.known == NO_VALUE || b.known == NO_VALUE)
        return truth(false);
    if (a.known == UNKNOWN || b.known == UNKNOWN)
        return (number){ UNKNOWN, 0 };
    return truth(compare(e->op, a.value, b.value));
}

static number evaluate_arithmetic(const wrc_model *model, const wrc_expression *e,
                                  const uint32_t *row)
{
    number a = evaluate(model, e->left, row), b = evaluate(model, e->right, row);
    if (a.known == NO_VALUE || b.known == NO_VALUE)
        return (number){ NO_VALUE, 0 };
    if (a.known == UNKNOWN || b.known == UNKNOWN)
        return (number){ UNKNOWN, 0 };
    return calculate(e->op, a.value, b.value);
}

/* One side that is `enough` decides; an implication is its left side's negation or the right. */
static number evaluate_joined(const wrc_model *model, const wrc_expression *e,
                              const uint32_t *row)
{
    bool   enough = e->op != WRC_OP_AND;
    number a = evaluate(model, e->left, row);
    if (e->op == WRC_OP_IMPLIES && a.known == KNOWN)
        a.value = !a.value;
    if (a.known == KNOWN && (a.value != 0) == enough)
        return truth(enough);
    number b = evaluate(model, e->right, row);
    if (b.known == KNOWN && (b.value != 0) == enough)
        return truth(enough);
    return a.known == KNOWN && b.known == KNOWN ? truth(!enough) : (number){ UNKNOWN, 0 };
}

static number evaluate(const wrc_model *model, const wrc_expression *e, const uint32_t *row)
{
    number a;
    switch (e->op) {
    case WRC_OP_NUMBER: return (number){ KNOWN, e->number };
    case WRC_OP_VALUE:
        if (row[e->parameter] == WRC_ANY)
            return (number){ UNKNOWN, 0 };
        return (number){ KNOWN, wrc_parameter_number(&model->parameters[e->parameter],
                                                     row[e->parameter]) };
    case WRC_OP_IN: return evaluate_set(e, row);
    case WRC_OP_NEGATE:
        a = evaluate(model, e->left, row);
        return a.known == KNOWN ? calculate(WRC_OP_SUBTRACT, 0, a.value) : a;
    case WRC_OP_NOT:
        a = evaluate(model, e->left, row);
        return a.known == KNOWN ? truth(!a.value) : a;
    case WRC_OP_AND:
    case WRC_OP_OR:
    case WRC_OP_IMPLIES: return evaluate_joined(model, e, row);
    case WRC_OP_ADD:
    case WRC_OP_SUBTRACT:
    case WRC_OP_MULTIPLY:
    case WRC_OP_DIVIDE:
    case WRC_OP_REMAINDER: return evaluate_arithmetic(model, e, row);
    default: return evaluate_comparison(model, e, row);
    }
}

static bool broken(const wrc_model *model, const wrc_constraint *constraint, const uint32_t *row)
{
    number holds = evaluate(model, constraint->holds, row);
    return holds.known == KNOWN && !holds.value;
}

const wrc_constraint *wrc_witness_broken_constraint(const wrc_model *model, const uint32_t *row)
{
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (broken(model, &model->constraints[i], row))
            return &model->constraints[i];
    return NULL;
}

/* ---- What belongs together ---------------------------------------------------------------- */

/* Numbers in one row after the other: those of i are items[starts[i]] … items[starts[i + 1]]. */
typedef struct lists {
    uint32_t *starts, *items;
} lists;

typedef struct memo {
    uint64_t   key[2];
    wrc_answer answer;
    bool       used;
} memo;

struct wrc_witness {
    const wrc_model *model;
    wrc_opinion      second;
    wrc_blocks       blocks;
    uint32_t        *component; /* of each parameter; WRC_ANY: in no constraint */
    uint32_t         components;
    lists            members; /* parameters of a component */
    lists            naming;  /* constraints that name a parameter */
    lists            named;   /* parameters that a constraint names */
    uint32_t        *row, *asked;
    uint32_t        *trail, trail_count; /* the cells of the row that are chosen, in order */
    uint32_t        *first; /* of each parameter: its cells' place in `following`; or NULL */
    uint32_t **following;   /* of each cell: a row with all that follows from it, once known */
    uint64_t   steps;       /* that are left for this question */
    bool       late;        /* the time is over: every question ends at once */
    uint64_t   spent;       /* on all of them */
    uint64_t   spent_following; /* on what follows from single cells */
    memo      *memos;
    size_t     memo_count, memo_room; /* a power of two */
    uint32_t   impossible;            /* components that no valid row satisfies */
    bool      *is_impossible;
    bool       contradiction; /* a constraint that names no parameter is false */
};

static void mark_parameters(const wrc_expression *e, bool *named)
{
    if (!e)
        return;
    if (e->op == WRC_OP_VALUE || e->op == WRC_OP_IN)
        named[e->parameter] = true;
    mark_parameters(e->left, named);
    mark_parameters(e->right, named);
}

static uint32_t find_root(uint32_t *parents, uint32_t p)
{
    while (parents[p] != p)
        p = parents[p] = parents[parents[p]];
    return p;
}

/* One pass over all constraints: counts, or fills in, which constraints name a parameter. */
static void visit(wrc_witness *f, bool *named, uint32_t *parents, bool fill)
{
    uint32_t count = f->model->parameter_count;
    for (uint32_t c = 0; c < f->model->constraint_count; c++) {
        uint32_t first = WRC_ANY;
        memset(named, 0, count);
        mark_parameters(f->model->constraints[c].holds, named);
        for (uint32_t p = 0; p < count; p++) {
            if (!named[p])
                continue;
            if (fill)
                f->naming.items[f->naming.starts[p]++] = c;
            else
                f->naming.starts[p + 1]++;
            if (first == WRC_ANY)
                first = p;
            parents[find_root(parents, p)] = find_root(parents, first);
        }
    }
}

static void add_up(uint32_t *starts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        starts[i + 1] += starts[i];
}

/* Filling has moved each start to the next one's place. */
static void move_back(uint32_t *starts, uint32_t count)
{
    memmove(starts + 1, starts, count * sizeof *starts);
    starts[0] = 0;
}

static void number_components(wrc_witness *f, uint32_t *parents)
{
    uint32_t count = f->model->parameter_count;
    for (uint32_t p = 0; p < count; p++)
        f->component[p] = WRC_ANY;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t root = find_root(parents, p);
        if (f->naming.starts[p + 1] == f->naming.starts[p])
            continue;
        if (f->component[root] == WRC_ANY)
            f->component[root] = f->components++;
        f->component[p] = f->component[root];
        f->members.starts[f->component[p] + 1]++;
    }
    add_up(f->members.starts, f->components);
    for (uint32_t p = 0; p < count; p++)
        if (f->component[p] != WRC_ANY)
            f->members.items[f->members.starts[f->component[p]]++] = p;
    move_back(f->members.starts, f->components);
}

static bool list_named(wrc_witness *f)
{
    uint32_t count = f->model->constraint_count,
             total = f->naming.starts[f->model->parameter_count];
    f->named.starts = wrc_blocks_take(&f->blocks, (size_t)count + 2, sizeof *f->named.starts);
    f->named.items = wrc_blocks_take(&f->blocks, (size_t)total + 1, sizeof *f->named.items);
    if (f->blocks.failed)
        return false;
    for (uint32_t i = 0; i < total; i++)
        f->named.starts[f->naming.items[i] + 1]++;
    add_up(f->named.starts, count);
    for (uint32_t p = 0; p < f->model->parameter_count; p++)
        for (uint32_t i = f->naming.starts[p]; i < f->naming.starts[p + 1]; i++)
            f->named.items[f->named.starts[f->naming.items[i]]++] = p;
    move_back(f->named.starts, count);
    return true;
}

static bool find_components(wrc_witness *f)
{
    uint32_t  count = f->model->parameter_count;
    uint32_t *parents = malloc(count * sizeof *parents);
    bool     *named = malloc(count), fine = parents && named;
    for (uint32_t p = 0; fine && p < count; p++)
        parents[p] = p;
    if (fine) {
        visit(f, named, parents, false);
        add_up(f->naming.starts, count);
        f->naming.items =
            wrc_blocks_take(&f->blocks, (size_t)f->naming.starts[count] + 1, sizeof(uint32_t));
        fine = f->naming.items != NULL;
    }
    if (fine) {
        visit(f, named, parents, true);
        move_back(f->naming.starts, count);
        number_components(f, parents);
        fine = list_named(f);
    }
    free(parents);
    free(named);
    return fine;
}

/* ---- Searching ---------------------------------------------------------------------------- */

static bool breaks_one(const wrc_witness *f, uint32_t parameter)
{
    for (uint32_t i = f->naming.starts[parameter]; i < f->naming.starts[parameter + 1]; i++)
        if (broken(f->model, &f->model->constraints[f->naming.items[i]], f->row))
            return true;
    return false;
}

/* Needs one that is left. */
static void take_step(wrc_witness *f)
{
    f->steps--;
    if (f->second.until > 0 && f->steps % CLOCK_STEPS == 0)
        f->late = f->late || wrc_cpu_seconds() > f->second.until;
    if (f->late)
        f->steps = 0;
}

/* How many levels of an open cell break nothing yet, as far as `most`; *first is the first. */
static uint32_t choices(wrc_witness *f, uint32_t parameter, uint32_t most, uint32_t *first)
{
    uint32_t found = 0, valid = wrc_parameter_valid_levels(&f->model->parameters[parameter]);
    for (uint32_t level = 0; level < valid && found < most && f->steps > 0; level++) {
        f->row[parameter] = level;
        take_step(f);
        if (breaks_one(f, parameter))
            continue;
        if (found++ == 0)
            *first = level;
    }
    f->row[parameter] = WRC_ANY;
    return found;
}

/* Whether the constraints that name a parameter are all decided already. */
static bool settled(const wrc_witness *f, uint32_t parameter)
{
    for (uint32_t i = f->naming.starts[parameter]; i < f->naming.starts[parameter + 1]; i++) {
        const wrc_constraint *c = &f->model->constraints[f->naming.items[i]];
        if (evaluate(f->model, c->holds, f->row).known == UNKNOWN)
            return false;
    }
    return true;
}

static void choose_level(wrc_witness *f, uint32_t parameter, uint32_t level)
{
    f->row[parameter] = level;
    f->trail[f->trail_count++] = parameter;
}

static void take_back(wrc_witness *f, uint32_t mark)
{
    while (f->trail_count > mark)
        f->row[f->trail[--f->trail_count]] = WRC_ANY;
}

/* Chooses the levels of open cells that a constraint leaves only one. False: one has none. */
static bool force_named(wrc_witness *f, uint32_t constraint)
{
    for (uint32_t i = f->named.starts[constraint]; i < f->named.starts[constraint + 1]; i++) {
        uint32_t p = f->named.items[i], level = 0;
        if (f->row[p] != WRC_ANY)
            continue;
        uint32_t found = choices(f, p, 2, &level);
        if (found == 0 || f->steps == 0)
            return false;
        if (found == 1)
            choose_level(f, p, level);
    }
    return true;
}

/* Chooses what has to be, after the cells of the trail from `mark` on were chosen. False: it does
 * not go together, or no step is left. */
static bool follow(wrc_witness *f, uint32_t mark)
{
    for (uint32_t at = mark; at < f->trail_count; at++) {
        uint32_t p = f->trail[at];
        for (uint32_t i = f->naming.starts[p]; i < f->naming.starts[p + 1]; i++) {
            uint32_t c = f->naming.items[i];
            number   holds = evaluate(f->model, f->model->constraints[c].holds, f->row);
            if (holds.known == KNOWN && !holds.value)
                return false;
            if (holds.known == UNKNOWN && !force_named(f, c))
                return false;
        }
    }
    return true;
}

/* ---- What follows from one cell ----------------------------------------------------------- */

/* The steps of a question, after so many were spent on those before it. */
static uint64_t allowance(const wrc_witness *f, uint64_t spent)
{
    uint64_t patience = f->second.patience ? f->second.patience : ALL_STEPS;
    return f->late ? 0 : spent < patience ? MOST_STEPS : FEW_STEPS;
}

/* The row of what has to be beside a cell; where nothing can, the cell itself is another. NULL:
 * it is not known. */
static const uint32_t *following(wrc_witness *f, uint32_t parameter, uint32_t level)
{
    size_t     count = f->model->parameter_count;
    uint32_t **row = f->first ? &f->following[f->first[parameter] + level] : NULL;
    if (!row || *row || !(*row = wrc_blocks_take(&f->blocks, count, sizeof **row)))
        return row ? *row : NULL;
    uint64_t most = allowance(f, f->spent_following);
    f->steps = most;
    choose_level(f, parameter, level);
    bool fine = follow(f, 0) || f->steps == 0;
    f->spent_following += most - f->steps;
    memcpy(*row, f->row, count * sizeof **row);
    take_back(f, 0);
    if (!fine)
        (*row)[parameter] = WRC_ANY;
    return *row;
}

static bool is_invalid(const wrc_witness *f, uint32_t parameter)
{
    return f->asked[parameter] >= wrc_parameter_valid_levels(&f->model->parameters[parameter]);
}

/* Whether some of the component's cells that are asked for exclude another at once. The
 * consequences of a cell are for rows whose other values are valid. */
static bool clashes(wrc_witness *f, uint32_t component, const uint32_t *columns, uint32_t count)
{
    uint32_t invalid = 0;
    for (uint32_t i = 0; i < count; i++)
        invalid += is_invalid(f, columns[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (f->component[columns[i]] != component || invalid > is_invalid(f, columns[i]))
            continue;
        uint32_t        level = f->asked[columns[i]];
        const uint32_t *row = following(f, columns[i], level);
        if (row && row[columns[i]] != level)
            return true;
        for (uint32_t k = 0; row && k < count; k++)
            if (row[columns[k]] != WRC_ANY && row[columns[k]] != f->asked[columns[k]])
                return true;
    }
    return false;
}

static bool number_cells(wrc_witness *f)
{
    size_t cells = 0, count = f->model->parameter_count;
    for (size_t p = 0; p < count; p++)
        cells += f->model->parameters[p].levels;
    if (cells > FOLLOWED / count)
        return true;
    f->first = wrc_blocks_take(&f->blocks, count, sizeof *f->first);
    f->following = wrc_blocks_take(&f->blocks, cells + 1, sizeof *f->following);
    cells = 0;
    for (size_t p = 0; f->first && p < count; p++) {
        f->first[p] = (uint32_t)cells;
        cells += f->model->parameters[p].levels;
    }
    return !f->blocks.failed;
}

/* ---- All that is open --------------------------------------------------------------------- */

/* The open cell with the fewest choices; WRC_ANY: nothing is open that matters. */
static uint32_t narrowest(wrc_witness *f, uint32_t component)
{
    uint32_t best = WRC_ANY, least = UINT32_MAX, level;
    for (uint32_t i = f->members.starts[component]; i < f->members.starts[component + 1]; i++) {
        uint32_t p = f->members.items[i];
        if (f->row[p] != WRC_ANY || settled(f, p))
            continue;
        uint32_t here = choices(f, p, least, &level);
        if (here < least) {
            least = here;
            best = p;
        }
    }
    return best;
}

/* The cell to choose next, from a member on: those before it are chosen, or do not matter. */
static uint32_t next_open(wrc_witness *f, uint32_t component, uint32_t *from)
{
    uint32_t end = f->members.starts[component + 1];
    if (end - f->members.starts[component] <= FEW_MEMBERS)
        return narrowest(f, component);
    for (; *from < end; (*from)++) {
        uint32_t p = f->members.items[*from];
        if (f->row[p] == WRC_ANY && !settled(f, p))
            return p;
    }
    return WRC_ANY;
}

static bool complete(wrc_witness *f, uint32_t component, uint32_t from)
{
    uint32_t p = next_open(f, component, &from), mark = f->trail_count;
    if (p == WRC_ANY)
        return f->steps > 0;
    for (uint32_t level = 0; level < wrc_parameter_valid_levels(&f->model->parameters[p]);
         level++) {
        if (f->steps == 0)
            return false;
        take_step(f);
        choose_level(f, p, level);
        if (follow(f, mark) && complete(f, component, from))
            return true;
        take_back(f, mark);
    }
    return false;
}

static wrc_answer search(wrc_witness *f, uint32_t component, const uint32_t *columns,
                         uint32_t count)
{
    uint64_t most = allowance(f, f->spent);
    f->steps = most;
    for (uint32_t i = 0; i < count; i++)
        if (f->component[columns[i]] == component)
            choose_level(f, columns[i], f->asked[columns[i]]);
    bool found = follow(f, 0) && complete(f, component, f->members.starts[component]);
    take_back(f, 0);
    f->spent += most - f->steps;
    if (found)
        return WRC_ANSWER_YES;
    return f->steps > 0 ? WRC_ANSWER_NO : WRC_ANSWER_UNKNOWN;
}

/* ---- Remembering -------------------------------------------------------------------------- */

static bool grow_memos(wrc_witness *f)
{
    size_t room = f->memo_room ? 2 * f->memo_room : 1024;
    memo  *more = calloc(room, sizeof *more);
    if (!more)
        return false;
    for (size_t i = 0; i < f->memo_room; i++)
        if (f->memos[i].used) {
            size_t at = f->memos[i].key[0] & (room - 1);
            while (more[at].used)
                at = (at + 1) & (room - 1);
            more[at] = f->memos[i];
        }
    free(f->memos);
    f->memos = more;
    f->memo_room = room;
    return true;
}

static memo *find_memo(wrc_witness *f, const uint64_t key[2])
{
    if (2 * f->memo_count >= f->memo_room && !grow_memos(f))
        return NULL;
    size_t at = key[0] & (f->memo_room - 1);
    while (f->memos[at].used && memcmp(f->memos[at].key, key, sizeof f->memos[at].key) != 0)
        at = (at + 1) & (f->memo_room - 1);
    return &f->memos[at];
}

/* The same for every order of the columns. */
static void make_key(const wrc_witness *f, uint32_t component, const uint32_t *columns,
                     uint32_t count, uint64_t key[2])
{
    key[0] = wri_prng_mix(component + 1);
    key[1] = wri_prng_mix(~(uint64_t)component);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cell = (uint64_t)columns[i] << 32 | f->asked[columns[i]];
        if (f->component[columns[i]] != component)
            continue;
        key[0] += wri_prng_mix(cell);
        key[1] += wri_prng_mix(~cell);
    }
}

static wrc_answer ask_component(wrc_witness *f, uint32_t component, const uint32_t *columns,
                                uint32_t count)
{
    uint64_t key[2];
    if (clashes(f, component, columns, count))
        return WRC_ANSWER_NO;
    make_key(f, component, columns, count, key);
    memo *found = find_memo(f, key);
    if (found && found->used)
        return found->answer;
    wrc_answer answer = search(f, component, columns, count);
    if (answer == WRC_ANSWER_UNKNOWN && f->second.allows && !f->late)
        answer = f->second.allows(f->second.state, f->asked) ? WRC_ANSWER_YES_ELSE
                                                             : WRC_ANSWER_NO_ELSE;
    if (found) {
        *found = (memo){ { key[0], key[1] }, answer, true };
        f->memo_count++;
    }
    return answer;
}

/* ---- Asking ------------------------------------------------------------------------------- */

/* The answer for all is the worst answer for one. */
static wrc_answer worse(wrc_answer a, wrc_answer b)
{
    static const int RANK[] = { [WRC_ANSWER_YES] = 0,
                                [WRC_ANSWER_YES_ELSE] = 1,
                                [WRC_ANSWER_UNKNOWN] = 2,
                                [WRC_ANSWER_NO_ELSE] = 3,
                                [WRC_ANSWER_NO] = 4 };
    return RANK[a] > RANK[b] ? a : b;
}

static bool asked_before(const wrc_witness *f, const uint32_t *columns, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (f->component[columns[i]] == f->component[columns[at]])
            return true;
    return false;
}

/* A component that nothing satisfies makes everything impossible, unless an invalid level of
 * the tuple itself is what it needs. */
static bool impossible_elsewhere(const wrc_witness *f, const uint32_t *columns, uint32_t count)
{
    uint32_t own = 0;
    for (uint32_t i = 0; i < count; i++)
        own += f->component[columns[i]] != WRC_ANY &&
               f->is_impossible[f->component[columns[i]]] && !asked_before(f, columns, i);
    return f->impossible > own;
}

bool wrc_witness_free(const wrc_witness *f, const uint32_t *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (f->component[columns[i]] != WRC_ANY)
            return false;
    return f->impossible == 0 && !f->contradiction;
}

wrc_answer wrc_witness_tuple(wrc_witness *f, const uint32_t *columns, const uint32_t *levels,
                             uint32_t count)
{
    wrc_answer answer = WRC_ANSWER_YES;
    if (f->contradiction || (f->impossible > 0 && impossible_elsewhere(f, columns, count)))
        return WRC_ANSWER_NO;
    for (uint32_t i = 0; i < count; i++)
        f->asked[columns[i]] = levels[i];
    for (uint32_t i = 0; i < count && answer != WRC_ANSWER_NO; i++)
        if (f->component[columns[i]] != WRC_ANY && !asked_before(f, columns, i))
            answer = worse(answer, ask_component(f, f->component[columns[i]], columns, count));
    for (uint32_t i = 0; i < count; i++)
        f->asked[columns[i]] = WRC_ANY;
    return answer;
}

void wrc_witness_close(wrc_witness *f)
{
    if (!f)
        return;
    wrc_blocks_free(&f->blocks);
    free(f->memos);
    free(f);
}

static bool make_room(wrc_witness *f)
{
    size_t count = f->model->parameter_count;
    f->component = wrc_blocks_take(&f->blocks, count, sizeof *f->component);
    f->members.starts = wrc_blocks_take(&f->blocks, count + 2, sizeof *f->members.starts);
    f->members.items = wrc_blocks_take(&f->blocks, count, sizeof *f->members.items);
    f->naming.starts = wrc_blocks_take(&f->blocks, count + 2, sizeof *f->naming.starts);
    f->row = wrc_blocks_take(&f->blocks, count, sizeof *f->row);
    f->trail = wrc_blocks_take(&f->blocks, count, sizeof *f->trail);
    f->asked = wrc_blocks_take(&f->blocks, count, sizeof *f->asked);
    f->is_impossible = wrc_blocks_take(&f->blocks, count + 1, sizeof *f->is_impossible);
    for (size_t p = 0; !f->blocks.failed && p < count; p++)
        f->asked[p] = f->row[p] = WRC_ANY;
    return !f->blocks.failed;
}

wrc_witness *wrc_witness_open(const wrc_model *model, wrc_opinion second)
{
    wrc_witness *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->model = model;
    f->second = second;
    if (!make_room(f) || !find_components(f) || !number_cells(f)) {
        wrc_witness_close(f);
        return NULL;
    }
    for (uint32_t c = 0; c < model->constraint_count; c++)
        if (broken(model, &model->constraints[c], f->asked))
            f->contradiction = true;
    for (uint32_t c = 0; c < f->components; c++) {
        f->is_impossible[c] = ask_component(f, c, NULL, 0) == WRC_ANSWER_NO;
        f->impossible += f->is_impossible[c];
    }
    return f;
}
