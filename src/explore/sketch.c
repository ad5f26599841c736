/* explore/sketch.c: counts what cases draw, for the page of a run.
 *
 * A draw is noted with its place in the journal, because a machine's draft may be taken back. The
 * notes of a case count when it has ended and was not discarded.
 */
#include "explore/sketch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/play/play.h"

/* All of the first so many cases are looked at, and then one in so many: the draws of the others
 * take the fast path. */
#define ALL_OF 4096
#define ONE_IN 64
#define NOTES 1024
#define MOST_OF_ARRAY 64
#define WALK 0xf0 /* and the number of a walk: such a note is of a node, not of a column */
_Static_assert(WRI_SKETCH_NAMES < WALK, "columns and walks differ");

typedef struct note {
    const wri_record *at;
    uint8_t           column, level;
} note;

static wri_sketch *now; /* of the case that is looked at; NULL: none is */
static note        notes[NOTES];
static size_t      note_count;
static wri_record *usual_limit;
static bool        dropped;

static size_t place_of_pair(size_t a, size_t b)
{
    return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

/* ---- In the worker ---- */

/* The column of a request; WRI_SKETCH_NAMES: there is no room for it. */
static uint32_t column_of(const wr_case *t, const wri_request *request)
{
    uint32_t label = wri_trace_name_hash(request->name), i = 0;
    bool     own = wri_column_is_own(request);
    for (; i < now->count; i++) {
        const wri_column *at = &now->columns[i];
        if (at->label == label && at->kind == request->kind &&
            (at->shape == WRI_SHAPE_OWN) == own)
            break;
    }
    if (i == WRI_SKETCH_NAMES)
        return i;
    wri_column *at = &now->columns[i];
    if (i == now->count) {
        *at = wri_column_of(t, request, label, 0, false);
        now->count++;
    } else if (at->max != request->max || at->lo != request->lo) {
        wri_column wider = wri_column_of(t, request, label, 0, false);
        wider.levels |= at->levels;
        now->varies[i] = 1;
        *at = wider.max > at->max ? wider : *at;
        at->levels |= wider.levels;
    }
    return i;
}

/* The node of this name; WRI_SKETCH_NODES: there is no room for it. */
static uint32_t node_of(wri_sketch_walk *walk, const char *name)
{
    uint32_t i = 0;
    while (i < walk->count && strncmp(walk->names[i], name, WRI_SKETCH_NODE - 1) != 0)
        i++;
    if (i == walk->count && i < WRI_SKETCH_NODES) {
        snprintf(walk->names[i], WRI_SKETCH_NODE, "%s", name);
        walk->count++;
    }
    return i;
}

static void add_note(const wri_record *at, uint32_t column, uint32_t level)
{
    if (note_count < NOTES)
        notes[note_count++] = (note){ at, (uint8_t)column, (uint8_t)level };
}

static void note_step(const wri_record *at, unsigned walk, const char *name)
{
    uint32_t node = node_of(&now->walks[walk], name);
    if (node < WRI_SKETCH_NODES)
        add_note(at, WALK + walk, node);
}

static void stated(wr_case *t, const char *name, const char *row)
{
    char node[WRI_SKETCH_NODE];
    snprintf(node, sizeof node, "%s %s", name, row);
    /* It goes with the last choice: the next one is not made yet. */
    note_step(t->next > t->journal ? t->next - 1 : t->next, WRI_SKETCH_STATES, node);
}

static void note_call(const wr_case *t, uint64_t number)
{
    const wri_machine *machine = t->play == NULL ? NULL : t->play->machine;
    if (machine != NULL && number < machine->command_count)
        note_step(t->next, WRI_SKETCH_CALLS, machine->commands[number].table->name);
}

/* A length that belongs to a text is told as that. */
static void mark_text(uint32_t label)
{
    for (uint32_t i = 0; i < now->count; i++)
        if (now->columns[i].label == label && now->columns[i].kind == WRI_LENGTH)
            now->texts |= 1u << i;
}

static void drew(wr_case *t, const wri_request *request, const uint64_t *numbers, size_t count)
{
    while (note_count > 0 && notes[note_count - 1].at >= t->next)
        note_count--;
    if (request->kind == WRI_COMMAND && count == 1)
        note_call(t, numbers[0]);
    if (!wri_column_fits(request) || request->kind == WRI_COMMAND || count == 0)
        return;
    if (request->letters != 0) { /* of a text, whose length has a column */
        mark_text(wri_trace_name_hash(request->name));
        return;
    }
    uint32_t column = column_of(t, request);
    for (size_t i = 0; i < count && i < MOST_OF_ARRAY && column < WRI_SKETCH_NAMES; i++) {
        unsigned level = wri_column_level(request, numbers[i]);
        if (level < WRI_LEVELS)
            add_note(t->next, column, level);
    }
}

void wri_sketch_begin(wri_sketch *sketch, wr_case *t)
{
    now = sketch != NULL && (t->index < ALL_OF || t->index % ONE_IN == 0) ? sketch : NULL;
    if (now == NULL)
        return;
    note_count = 0;
    dropped = false;
    usual_limit = t->limit;
    t->limit = t->journal;
    t->drew = drew;
    t->stated = stated;
}

void wri_sketch_drop(void)
{
    dropped = true;
}

static void count_steps(unsigned number)
{
    wri_sketch_walk *walk = &now->walks[number];
    const note      *last = NULL;
    for (size_t i = 0; i < note_count; i++) {
        const note *at = &notes[i];
        if (at->column != WALK + number)
            continue;
        walk->times[at->level]++;
        if (last != NULL)
            walk->steps[last->level][at->level]++;
        last = at;
    }
}

void wri_sketch_end(wr_case *t, bool counts)
{
    uint8_t first[WRI_SKETCH_NAMES];
    counts &= !dropped;
    memset(first, WRI_ABSENT, sizeof first);
    for (unsigned i = 0; i < WRI_SKETCH_WALKS && counts; i++)
        count_steps(i);
    for (size_t i = 0; i < note_count && counts; i++) {
        const note *at = &notes[i];
        if (at->column >= WALK)
            continue;
        now->drawn[at->column][at->level]++;
        if (first[at->column] == WRI_ABSENT)
            first[at->column] = at->level;
    }
    for (size_t i = 1; i < WRI_SKETCH_NAMES && counts; i++)
        for (size_t k = 0; k < i && first[i] != WRI_ABSENT; k++)
            if (first[k] != WRI_ABSENT)
                now->pairs[place_of_pair(i, k)][first[i]] |= UINT64_C(1) << first[k];
    now->cases += counts;
    t->drew = NULL;
    t->stated = NULL;
    t->limit = usual_limit;
}

/* ---- In the parent ---- */

/* A column from a worker's memory, as printing needs it. */
static wri_column mended(const wri_column *from)
{
    wri_column column;
    bool      *flags[] = { &column.first, &column.any, &column.single, &column.dictionary };
    memcpy(&column, from, sizeof column);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = *(unsigned char *)flags[i] != 0; /* a bool holds 0 or 1 */
    column.name[sizeof column.name - 1] = '\0';
    memset(column.words + sizeof column.words - 2, 0, 2);
    column.shape = column.shape > WRI_SHAPE_REAL ? WRI_SHAPE_OWN : column.shape;
    return column;
}

/* The place of a column in `to`, which has it then, if there is room. */
static uint32_t find(wri_sketch *to, const wri_column *column, bool varies)
{
    uint32_t i = 0;
    while (i < to->count &&
           (to->columns[i].label != column->label || to->columns[i].kind != column->kind ||
            (to->columns[i].shape == WRI_SHAPE_OWN) != (column->shape == WRI_SHAPE_OWN)))
        i++;
    if (i == WRI_SKETCH_NAMES)
        return i;
    wri_column *at = &to->columns[i];
    if (i == to->count) {
        *at = *column;
        to->count++;
    }
    to->varies[i] |= varies || at->max != column->max || at->lo != column->lo;
    uint64_t levels = at->levels | column->levels;
    *at = column->max > at->max ? *column : *at;
    at->levels = levels;
    return i;
}

/* Pairs of columns i and k < i of a sketch, which are a and b in another. */
static void add_pairs(wri_sketch *to, size_t a, size_t b, const uint64_t bits[WRI_LEVELS])
{
    uint64_t *sum = to->pairs[place_of_pair(a, b)];
    for (unsigned level = 0; level < WRI_LEVELS; level++)
        for (uint64_t left = bits[level]; left != 0; left &= left - 1) {
            unsigned other = (unsigned)__builtin_ctzll(left);
            if (a > b)
                sum[level] |= UINT64_C(1) << other;
            else
                sum[other] |= UINT64_C(1) << level;
        }
}

static void add_walk(wri_sketch_walk *to, const wri_sketch_walk *from)
{
    uint32_t place[WRI_SKETCH_NODES];
    uint32_t count = from->count < WRI_SKETCH_NODES ? from->count : WRI_SKETCH_NODES;
    for (uint32_t i = 0; i < count; i++) {
        char name[WRI_SKETCH_NODE];
        snprintf(name, sizeof name, "%.*s", WRI_SKETCH_NODE - 1, from->names[i]);
        place[i] = node_of(to, name);
        if (place[i] < WRI_SKETCH_NODES)
            to->times[place[i]] += from->times[i];
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (place[i] < WRI_SKETCH_NODES && place[k] < WRI_SKETCH_NODES)
                to->steps[place[i]][place[k]] += from->steps[i][k];
}

void wri_sketch_add(wri_sketch **to, const wri_sketch *from)
{
    uint32_t place[WRI_SKETCH_NAMES];
    if (from == NULL || from->cases == 0)
        return;
    if (*to == NULL)
        *to = calloc(1, sizeof **to);
    if (*to == NULL)
        return;
    uint32_t count = from->count < WRI_SKETCH_NAMES ? from->count : WRI_SKETCH_NAMES;
    (*to)->cases += from->cases;
    for (unsigned i = 0; i < WRI_SKETCH_WALKS; i++)
        add_walk(&(*to)->walks[i], &from->walks[i]);
    for (uint32_t i = 0; i < count; i++) {
        wri_column column = mended(&from->columns[i]);
        place[i] = find(*to, &column, from->varies[i]);
        if (place[i] == WRI_SKETCH_NAMES)
            continue;
        (*to)->texts |= (from->texts >> i & 1u) << place[i];
        for (unsigned level = 0; level < WRI_LEVELS; level++)
            (*to)->drawn[place[i]][level] += from->drawn[i][level];
        for (uint32_t k = 0; k < i; k++)
            if (place[k] < WRI_SKETCH_NAMES && place[k] != place[i])
                add_pairs(*to, place[i], place[k], from->pairs[place_of_pair(i, k)]);
    }
}

/* ---- For the report ---- */

/* Bins in the order of their values, as far as that is the same in every range. */
static const uint8_t ORDER[WRI_BINS] = {
    WRI_BIN_MINUS_INFINITE,
    WRI_BIN_LOWEST,
    WRI_BIN_LOWEST_BUT_ONE,
    WRI_BIN_PART,
    WRI_BIN_PART + 1,
    WRI_BIN_PART + 2,
    WRI_BIN_PART + 3,
    WRI_BIN_HIGHEST_BUT_ONE,
    WRI_BIN_HIGHEST,
    WRI_BIN_INFINITE,
    WRI_BIN_MINUS_ONE,
    WRI_BIN_ZERO,
    WRI_BIN_ONE,
    WRI_BIN_NAN,
    WRI_BIN_REUSED,
    WRI_BIN_KNOWN,
};

/* Bins of a range that varies have words for names. */
static void print_level(const wri_sketch *sketch, uint32_t i, unsigned level, char *to,
                        size_t room)
{
    static const char *const WORDS[WRI_BIN_PART + 4] = {
        [WRI_BIN_LOWEST] = "lowest",
        [WRI_BIN_LOWEST_BUT_ONE] = "lowest but one",
        [WRI_BIN_HIGHEST_BUT_ONE] = "highest but one",
        [WRI_BIN_HIGHEST] = "highest",
        [WRI_BIN_PART] = "first part",
        [WRI_BIN_PART + 1] = "second part",
        [WRI_BIN_PART + 2] = "third part",
        [WRI_BIN_PART + 3] = "last part",
    };
    bool range = sketch->columns[i].shape == WRI_SHAPE_RANGE && sketch->varies[i];
    if (range && level < sizeof WORDS / sizeof *WORDS && WORDS[level] != NULL)
        snprintf(to, room, "%s", WORDS[level]);
    else
        wri_column_print_level(&sketch->columns[i], level, to, room);
}

/* Levels that can be, or came all the same. */
static uint64_t levels_of(const wri_sketch *sketch, uint32_t i)
{
    uint64_t levels = sketch->columns[i].levels;
    bool     own = sketch->columns[i].shape == WRI_SHAPE_OWN;
    if (!own)
        levels &= ~(UINT64_C(1) << WRI_BIN_REUSED | UINT64_C(1) << WRI_BIN_KNOWN);
    for (unsigned level = 0; level < WRI_LEVELS; level++)
        levels |= (uint64_t)(sketch->drawn[i][level] > 0) << level;
    return own ? levels : levels & ((UINT64_C(1) << WRI_BINS) - 1);
}

static bool tell_name(const wri_sketch *sketch, uint32_t i, wri_drawn_name *name)
{
    uint64_t levels = levels_of(sketch, i);
    name->bins = sketch->columns[i].shape != WRI_SHAPE_OWN;
    bool of_text = (sketch->texts >> i & 1u) != 0;
    if (asprintf(&name->name, "%s%s", of_text ? "length of " : "", sketch->columns[i].name) < 0)
        name->name = NULL;
    name->levels = calloc((size_t)__builtin_popcountll(levels) + 1, sizeof *name->levels);
    for (unsigned k = 0; k < WRI_LEVELS && name->levels != NULL; k++) {
        char     text[200];
        unsigned level = name->bins && k < WRI_BINS ? ORDER[k] : k;
        if ((levels >> level & 1) == 0)
            continue;
        print_level(sketch, i, level, text, sizeof text);
        name->levels[name->level_count] =
            (wri_label_count){ strdup(text), sketch->drawn[i][level] };
        if (name->levels[name->level_count++].label == NULL)
            return false;
    }
    return name->name != NULL && name->levels != NULL;
}

static wri_drawn_pair pair_of(const wri_sketch *sketch, uint32_t i, uint32_t k)
{
    wri_drawn_pair pair = { .covered = 0 };
    for (unsigned level = 0; level < WRI_LEVELS; level++)
        pair.covered += (uint64_t)__builtin_popcountll(sketch->pairs[place_of_pair(i, k)][level]);
    if (pair.covered > 0)
        pair.all = (uint64_t)__builtin_popcountll(levels_of(sketch, i)) *
                   (uint64_t)__builtin_popcountll(levels_of(sketch, k));
    return pair;
}

static bool tell_walk(const wri_sketch_walk *walk, wri_drawn_walk *told)
{
    told->nodes = calloc(walk->count + 1, sizeof *told->nodes);
    told->steps = calloc((size_t)walk->count * walk->count + 1, sizeof *told->steps);
    bool made = told->nodes != NULL && told->steps != NULL;
    for (uint32_t i = 0; i < walk->count && made; i++) {
        told->nodes[told->node_count++] =
            (wri_label_count){ strdup(walk->names[i]), walk->times[i] };
        made = told->nodes[i].label != NULL;
        for (uint32_t k = 0; k < walk->count; k++)
            if (walk->steps[i][k] > 0)
                told->steps[told->step_count++] = (wri_drawn_step){ i, k, walk->steps[i][k] };
    }
    return made;
}

wri_drawn_values wri_sketch_tell(const wri_sketch *sketch)
{
    wri_drawn_values values = { .cases = 0 };
    if (sketch == NULL)
        return values;
    values.cases = sketch->cases;
    values.names = calloc(sketch->count + 1, sizeof *values.names);
    values.pairs = calloc(WRI_SKETCH_PAIRS, sizeof *values.pairs);
    bool told = values.names != NULL && values.pairs != NULL;
    for (uint32_t i = 0; i < sketch->count && told; i++) {
        values.count++;
        told = tell_name(sketch, i, &values.names[i]);
        for (uint32_t k = 0; k < i; k++)
            values.pairs[place_of_pair(i, k)] = pair_of(sketch, i, k);
    }
    for (unsigned i = 0; i < WRI_SKETCH_WALKS && told; i++)
        told = tell_walk(&sketch->walks[i], &values.walks[i]);
    values.paired = values.count;
    if (!told)
        wri_sketch_untell(&values);
    return values;
}

void wri_sketch_untell(wri_drawn_values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        for (size_t k = 0; k < values->names[i].level_count; k++)
            free((char *)(uintptr_t)values->names[i].levels[k].label);
        free(values->names[i].levels);
        free(values->names[i].name);
    }
    for (unsigned i = 0; i < WRI_SKETCH_WALKS; i++) {
        for (size_t k = 0; k < values->walks[i].node_count; k++)
            free((char *)(uintptr_t)values->walks[i].nodes[k].label);
        free(values->walks[i].nodes);
        free(values->walks[i].steps);
    }
    free(values->names);
    free(values->pairs);
    *values = (wri_drawn_values){ .cases = 0 };
}
