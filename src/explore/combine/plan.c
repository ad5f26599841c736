/* explore/combine/plan.c: answers the draws of a case by its plan, and writes down what it drew.
 *
 * A draw is found by its name and by how many of that name came before. A plan that names no
 * value leaves the bin to chance, and a bin leaves the value in it to chance. A draw that cannot
 * have what is planned has any value.
 */
#include "explore/combine/plan.h"

#include <string.h>

#include "core/hash.h"
#include "explore/answer.h"
#include "explore/special.h"
#include "observe/watch.h"

/* So many draws of one name are columns, and so many calls of a machine's sequence. */
#define OCCURRENCES 4
#define COMMANDS 6
#define COUNTED 512 /* a power of two */
#define LABELS 64

/* How many draws of a name the case made. */
typedef struct counted {
    uint64_t stamp; /* of the case */
    uint32_t label, count;
} counted;

typedef struct noted {
    const wri_record *at; /* in the journal: a draft that is taken back takes it back */
    uint32_t          label;
} noted;

static wri_work     work;
static wri_errand  *errand;
static wri_planned *planned; /* of the case that runs */
static size_t       row;     /* of its cells */
static uint64_t     stamp;
static counted      counts[COUNTED];
static noted        stack[COUNTED];
static size_t       stack_count;
static uint32_t     draws;
static wri_drawn    drawn;
static uint64_t     labels[LABELS];
static size_t       label_count;
static bool         signals, comparisons;

/* ---- Which column a draw is ---- */

static counted *counter(uint32_t label)
{
    for (uint32_t i = label;; i++) {
        counted *at = &counts[i % COUNTED];
        if (at->stamp != stamp)
            *at = (counted){ .stamp = stamp, .label = label };
        if (at->label == label)
            return at;
    }
}

/* Counts a draw of this name, and says how many came before; UINT16_MAX: too many. */
static uint16_t count_draw(const wr_case *t, uint32_t label)
{
    while (stack_count > 0 && stack[stack_count - 1].at >= t->next)
        counter(stack[--stack_count].label)->count--;
    if (stack_count == COUNTED / 2)
        return UINT16_MAX;
    stack[stack_count++] = (noted){ t->next, label };
    uint32_t before = counter(label)->count++;
    return before < UINT16_MAX ? (uint16_t)before : UINT16_MAX;
}

static int find_column(uint32_t label, uint16_t occurrence, bool first)
{
    for (uint32_t i = 0; i < errand->columns; i++)
        if (errand->known[i].label == label && errand->known[i].occurrence == occurrence &&
            errand->known[i].first == first)
            return (int)i;
    return -1;
}

/* Tells the parent of a column, or of a wider range of one. */
static void tell_column(const wr_case *t, const wri_request *request, uint32_t label,
                        uint16_t occurrence, bool first)
{
    uint32_t count = errand->met_count < WRI_MET ? errand->met_count : WRI_MET, i = 0;
    while (i < count && (errand->met[i].column.label != label ||
                         errand->met[i].column.occurrence != occurrence ||
                         errand->met[i].column.first != first))
        i++;
    planned->met_later = 1;
    if (i == WRI_MET || (i < count && errand->met[i].column.max >= request->max))
        return;
    uint64_t number = i < count ? errand->met[i].number : *work.at;
    uint32_t place = i < count ? errand->met[i].place : draws;
    errand->met[i] =
        (wri_met_column){ wri_column_of(t, request, label, occurrence, first), number, place };
    if (i == count)
        errand->met_count = count + 1;
}

static bool may_be_column(const wri_request *request, uint16_t occurrence)
{
    bool command = request->kind == WRI_COMMAND;
    return occurrence < (command ? COMMANDS : OCCURRENCES) &&
           (!command || request->max < WRI_LEVELS);
}

static int column_of(const wr_case *t, const wri_request *request, uint32_t label, bool first)
{
    uint16_t occurrence = count_draw(t, first ? ~label : label);
    draws++;
    if (!may_be_column(request, occurrence))
        return -1;
    int found = find_column(label, occurrence, first);
    if (found >= 0 ? request->max > errand->known[found].max : errand->columns < WRI_COLUMNS)
        tell_column(t, request, label, occurrence, first);
    planned->met_later |= found < 0;
    return found;
}

/* ---- Answers ---- */

static uint64_t leave_to_chance(wr_case *t, const wri_request *request, uint32_t label,
                                uint64_t *random)
{
    wri_answerer *base = wri_answer_randomly();
    uint64_t      number;
    bool numeric = request->fresh == NULL && request->weights == NULL && request->legal == 0 &&
                   request->kind != WRI_COMMAND;
    if (!numeric)
        return base->choose(base, t, request, label);
    bool known = planned->temper == WRI_TEMPER_KNOWN && t->known != NULL;
    if ((planned->temper == WRI_TEMPER_UNIFORM ||
         (planned->temper == WRI_TEMPER_KNOWN && !known)) &&
        request->kind != WRI_REAL)
        return wri_prng_scale(wri_prng_next(random), request->max);
    bool round = planned->temper == WRI_TEMPER_ROUND;
    if ((round || known) && wri_prng_next(random) >> 63 &&
        wri_special_draw(t, request, &drawn, round, random, &number))
        return number;
    for (unsigned i = 0; i < 3; i++) {
        unsigned level = wri_column_any_level(t, request, &drawn, random);
        uint64_t end = planned->temper == WRI_TEMPER_ENDS ? wri_prng_next(random) >> 61 : 0;
        if (end > 1 && !wri_column_is_own(request))
            level = (end & 1) != 0 ? WRI_BIN_LOWEST : WRI_BIN_HIGHEST;
        if (wri_column_draw(t, request, level, &drawn, random, &number))
            return number;
    }
    return base->choose(base, t, request, label);
}

/* A value of a file as a number; false: the draw does not have it. */
static bool number_of_cell(const wr_case *t, const wri_request *request, const wri_cell *cell,
                           uint64_t *number)
{
    double real;
    if (cell->manner == WRI_CELL_WORD || t->constants != NULL) {
        for (*number = 0; t->constants != NULL && *number <= request->max; ++*number) {
            const wr_constant *at = &t->constants[*number];
            if (at->name != NULL
                    ? cell->manner == WRI_CELL_WORD &&
                          wri_trace_label_hash(at->name) == cell->number
                    : cell->manner == WRI_CELL_WHOLE && (uint64_t)at->value == cell->number)
                return wri_request_legal(request, *number);
        }
        return false;
    }
    memcpy(&real, &cell->number, sizeof real);
    if (request->kind == WRI_REAL) {
        if (cell->manner == WRI_CELL_WHOLE)
            real = cell->negative ? (double)(int64_t)cell->number : (double)cell->number;
        real = request->single ? (double)(float)real : real;
        *number = wri_choice_real_number(real);
        return request->range == NULL || (real >= request->range[0] && real <= request->range[1]);
    }
    bool     based = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    uint64_t lo = based ? (uint64_t)request->lo : 0, offset = cell->number - lo;
    bool     below = cell->negative
                         ? !(based && request->lo < 0) || (int64_t)cell->number < request->lo
                         : !(based && request->lo < 0) && cell->number < lo;
    if (cell->manner != WRI_CELL_WHOLE || below || offset > request->max)
        return false;
    *number = wri_column_number(request, offset);
    return wri_request_legal(request, *number);
}

/* By the plan; false: the draw cannot have it. */
static bool answer_as_planned(wr_case *t, const wri_request *request, int column,
                              const wri_cell *cell, uint64_t *random, uint64_t *number)
{
    switch (cell->manner) {
    case WRI_CELL_LEVEL: return wri_column_draw(t, request, cell->level, &drawn, random, number);
    case WRI_CELL_NUMBER: *number = cell->number; return wri_request_legal(request, *number);
    case WRI_CELL_WHOLE:
    case WRI_CELL_WORD:
    case WRI_CELL_REAL:
        if (number_of_cell(t, request, cell, number))
            return true;
        if (planned->misfit == 0)
            planned->misfit = (uint8_t)(column + 1);
        return false;
    default: return false;
    }
}

/* The level by which a draw counts. */
static uint8_t level_drawn(const wri_column *known, const wri_request *request,
                           const wri_cell *cell, bool as_planned, uint64_t number)
{
    bool special = cell->manner == WRI_CELL_LEVEL && as_planned &&
                   known->shape != WRI_SHAPE_OWN &&
                   (cell->level == WRI_BIN_REUSED || cell->level == WRI_BIN_KNOWN);
    if (special)
        return cell->level;
    if (request->max == known->max && request->lo == known->lo)
        return (uint8_t)wri_column_level(request, number);
    if (known->shape != WRI_SHAPE_RANGE)
        return (uint8_t)(known->shape == WRI_SHAPE_OWN && number < WRI_LEVELS
                             ? number
                             : wri_column_level(request, number));
    wri_request range = *request; /* narrower than at other times: bins of what it is now */
    uint64_t    offset = wri_column_offset(&range, number);
    return (uint8_t)(offset == 0              ? WRI_BIN_LOWEST
                     : offset == request->max ? WRI_BIN_HIGHEST
                                              : WRI_BIN_PART + (offset * 4 / request->max) % 4);
}

static uint64_t answer_column(wr_case *t, const wri_request *request, uint32_t label, int column)
{
    const wri_column *known = &errand->known[column];
    const wri_cell   *cell = &errand->cells[row + (size_t)column];
    uint64_t random = wri_prng_mix(planned->stream + ((uint64_t)column + 1) * WRI_GAMMA), number;
    bool     as_planned = answer_as_planned(t, request, column, cell, &random, &number);
    if (!as_planned)
        number = leave_to_chance(t, request, label, &random);
    if (number == WRI_NO_ANSWER)
        return number;
    errand->levels[row + (size_t)column] = level_drawn(known, request, cell, as_planned, number);
    errand->numbers[row + (size_t)column] = number;
    return number;
}

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    (void)self;
    wri_answerer *base = wri_answer_randomly();
    if (!wri_column_fits(request)) {
        planned->others |= request->max > 0;
        t->constants = NULL;
        return base->choose(base, t, request, label);
    }
    int      column = column_of(t, request, label, false);
    uint64_t number = column >= 0 ? answer_column(t, request, label, column)
                                  : leave_to_chance(t, request, label, &t->random);
    t->constants = NULL;
    if (number != WRI_NO_ANSWER)
        wri_drawn_add(&drawn, request, number);
    return number;
}

static void choose_many(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)self;
    wri_answerer *base = wri_answer_randomly();
    base->choose_many(base, t, request, label, count, width, numbers);
    planned->others |= count > 0;
    if (count == 0 || !wri_column_fits(request))
        return;
    int column = column_of(t, request, label, true);
    if (column < 0)
        return;
    if (errand->cells[row + (size_t)column].manner != WRI_CELL_FREE)
        numbers[0] = answer_column(t, request, label, column);
    errand->levels[row + (size_t)column] = (uint8_t)wri_column_level(request, numbers[0]);
    errand->numbers[row + (size_t)column] = numbers[0];
}

/* ---- Outcomes ---- */

static void on_hit(wri_watch *self, wr_case *t, wri_feature_class class, uint64_t key,
                   uint32_t *cache, const char *text)
{
    (void)self, (void)t, (void)cache, (void)text;
    if (class != WRI_FEATURE_LABEL && class != WRI_FEATURE_CELL)
        return;
    for (size_t i = 0; i < label_count; i++)
        if (labels[i] == key)
            return;
    if (label_count < LABELS)
        labels[label_count++] = key;
}

static void on_value(wri_watch *self, wr_case *t, uint64_t key, double value, const char *text)
{
    (void)self, (void)t, (void)key, (void)value, (void)text;
}

static uint64_t outcome_of(const wr_case *t, uint32_t verdict)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < label_count; i++)
        sum += wri_prng_mix(labels[i]); /* in any order */
    uint64_t failed = verdict == WRI_NONE || verdict == WRI_DISCARD || verdict == WRI_OVERRUN
                          ? verdict
                          : verdict + ((uint64_t)(uint32_t)t->verdict->line << 32);
    return wri_hash_step(sum, failed);
}

/* The comparisons of the case, each place once as long as there is room. */
static void tell_comparisons(void)
{
    size_t                count, told = 0;
    const wri_comparison *made = wri_comparisons_made(&count);
    wri_comparison       *to = &errand->made[(size_t)(planned - errand->planned) * WRI_TOLD];
    for (size_t i = 0; i < count && told < WRI_TOLD; i++) {
        size_t k = 0;
        while (k < told && to[k].place != made[i].place)
            k++;
        if (k == told)
            to[told++] = made[i];
    }
    planned->count = (uint32_t)told;
}

/* ---- Relations ---- */

static void relate(wri_relating *self, unsigned strength, size_t count, const char *const *names)
{
    (void)self;
    wri_relation made = { .strength = strength };
    for (; made.count < count && made.count < WRI_RELATED; made.count++)
        strncpy(made.names[made.count], names[made.count], WRI_COLUMN_NAME - 1);
    uint32_t there =
        errand->relation_count < WRI_RELATIONS ? errand->relation_count : WRI_RELATIONS;
    for (uint32_t i = 0; i < there; i++)
        if (memcmp(&errand->relations[i], &made, sizeof made) == 0)
            return;
    if (there < WRI_RELATIONS)
        errand->relations[errand->relation_count++] = made;
}

static wri_relating relating = { relate };

/* ---- The worker's side ---- */

bool wri_plan_begin(const wri_work *given, wr_case *t)
{
    work = *given;
    errand = given->block;
    errand->met_count = errand->relation_count = 0;
    signals = wri_edges_present() || wri_comparisons_present();
    comparisons = wri_comparisons_present();
    errand->comparisons = comparisons;
    wri_signals_tell_equal(comparisons);
    t->relating = &relating;
    return true;
}

static void begin_case(wr_case *t)
{
    stamp++;
    stack_count = label_count = 0;
    draws = 0;
    drawn.count = drawn.real_count = drawn.latest_count = 0;
    memset(&errand->levels[row], WRI_ABSENT, errand->columns);
    planned->ending = WRI_ENDING_FAILED; /* unless learn() is called */
    planned->misfit = planned->met_later = planned->others = 0;
    t->constants = NULL;
    planned->count = 0;
    planned->outcome = 0;
    t->random = planned->stream;
}

bool wri_plan_next(wr_case *t, uint64_t number)
{
    static wri_answerer answerer = { .choose = choose,
                                     .choose_many = choose_many,
                                     .searches = true };
    static wri_watch    watch = { .hit = on_hit, .value = on_value };
    uint64_t            at = number - errand->from;
    if (at >= errand->cases || at >= WRI_PLANNED || errand->columns > WRI_COLUMNS)
        return false;
    planned = &errand->planned[at];
    row = (size_t)at * errand->columns;
    begin_case(t);
    t->answerer = &answerer;
    t->watch = &watch;
    if (signals)
        wri_signals_begin();
    return true;
}

wri_after wri_plan_learn(wr_case *t, uint32_t verdict, wri_left left)
{
    (void)left;
    t->watch = NULL;
    if (signals) {
        wri_signals_end();
        if (comparisons)
            tell_comparisons();
    }
    planned->outcome = outcome_of(t, verdict);
    planned->ending = verdict == WRI_NONE                                ? WRI_ENDING_HELD
                      : verdict == WRI_DISCARD || verdict == WRI_OVERRUN ? WRI_ENDING_REFUTED
                                                                         : WRI_ENDING_FAILED;
    return WRI_AFTER_COUNT;
}

bool wri_plan_end(wr_case *t)
{
    t->watch = NULL;
    t->relating = NULL;
    wri_signals_tell_equal(false);
    return false;
}
