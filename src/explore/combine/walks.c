/* explore/combine/walks.c: which case, which draw, where to; and the halving. */
#include "explore/combine/walks.h"

#include <string.h>

#include "core/prng.h"

/* ---- Places of values: whole numbers and reals in their order ---- */

static uint64_t place_of_real(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double real_at(uint64_t place)
{
    uint64_t bits = place >> 63 ? place & ~(UINT64_C(1) << 63) : ~place;
    double   value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t place_of(const wri_column *column, uint64_t number)
{
    wri_request request = wri_column_request(column);
    if (column->kind == WRI_REAL)
        return place_of_real(wri_choice_real_answer(&request, number));
    return wri_column_offset(&request, number);
}

static uint64_t number_at(const wri_column *column, uint64_t place)
{
    wri_request request = wri_column_request(column);
    if (column->kind == WRI_REAL)
        return wri_choice_real_number(real_at(place));
    return wri_column_number(&request, place);
}

static bool is_numeric(const wri_column *column)
{
    return column->kind == WRI_INTEGER || column->kind == WRI_LENGTH ||
           (column->kind == WRI_REAL && !column->any);
}

/* ---- Cases ---- */

void wri_walks_note(wri_walks *walks, const wri_sample *sample, uint64_t *random)
{
    unsigned at = 0;
    while (at < walks->class_count && walks->classes[at].outcome != sample->outcome)
        at++;
    if (at == WRI_WALK_CLASSES)
        return;
    wri_outcome_class *class = &walks->classes[at];
    if (at == walks->class_count) {
        walks->class_count++;
        *class = (wri_outcome_class){ .outcome = sample->outcome };
    }
    class->seen++;
    uint64_t place = class->count < WRI_OF_A_CLASS
                         ? class->count++
                         : wri_prng_scale(wri_prng_next(random), class->seen - 1);
    if (place < WRI_OF_A_CLASS)
        class->samples[place] = *sample;
}

bool wri_walks_may(const wri_walks *walks)
{
    unsigned held = 0;
    for (unsigned i = 0; i < walks->class_count; i++)
        held += walks->classes[i].count > 0 && !walks->classes[i].samples[0].refuted;
    return held > 0 && walks->class_count > 1;
}

static const wri_sample *any_of(const wri_outcome_class *class, uint64_t *random)
{
    return &class->samples[wri_prng_scale(wri_prng_next(random), class->count - 1)];
}

/* Each outcome is as likely as any other, however rare its cases are. */
static const wri_outcome_class *any_class(const wri_walks *walks, bool held,
                                          const wri_outcome_class *but, uint64_t *random)
{
    const wri_outcome_class *chosen = NULL;
    uint64_t                 found = 0;
    for (unsigned i = 0; i < walks->class_count; i++) {
        const wri_outcome_class *at = &walks->classes[i];
        bool                     fits = at != but && (!held || !at->samples[0].refuted);
        if (fits && wri_prng_scale(wri_prng_next(random), found++) == 0)
            chosen = at;
    }
    return chosen;
}

/* ---- Walks ---- */

static bool any_column(const wri_sample *of, const wri_column *columns, unsigned count,
                       uint64_t *random, unsigned *column)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < count; i++)
        if (of->levels[i] != WRI_ABSENT && is_numeric(&columns[i]) && columns[i].max > 1 &&
            wri_prng_scale(wri_prng_next(random), found++) == 0)
            *column = i;
    return found > 0;
}

/* The value that another whole number of the case has. */
static bool value_of_another(const wri_walker *walker, const wri_column *columns, unsigned count,
                             uint64_t *random, uint64_t *place)
{
    const wri_column *to = &columns[walker->column];
    uint64_t          found = 0;
    for (unsigned i = 0; i < count; i++) {
        const wri_column *from = &columns[i];
        if (i == walker->column || walker->base.levels[i] == WRI_ABSENT || !is_numeric(from) ||
            from->kind == WRI_REAL || to->kind == WRI_REAL)
            continue;
        uint64_t there =
            place_of(from, walker->base.numbers[i]) + (uint64_t)from->lo - (uint64_t)to->lo;
        if (there <= to->max && wri_prng_scale(wri_prng_next(random), found++) == 0)
            *place = there;
    }
    return found > 0;
}

/* The value to walk to: that of a case with another outcome, that of another draw, or an end of
 * the range. */
static uint64_t destination(const wri_walks *walks, const wri_walker *walker,
                            const wri_column *columns, unsigned count,
                            const wri_outcome_class *from, uint64_t *random)
{
    const wri_column        *column = &columns[walker->column];
    uint64_t                 word = wri_prng_next(random), place = 0;
    const wri_outcome_class *to = any_class(walks, false, from, random);
    const wri_sample        *sample = to == NULL ? NULL : any_of(to, random);
    if ((word & 3) == 0 && value_of_another(walker, columns, count, random, &place))
        return place;
    if ((word & 1) != 0 && sample != NULL && sample->levels[walker->column] != WRI_ABSENT)
        return place_of(column, sample->numbers[walker->column]);
    if (column->kind == WRI_REAL)
        return place_of_real(column->range[word >> 2 & 1]);
    return (word & 4) != 0 ? column->max : 0;
}

static bool begin_walk(const wri_walks *walks, wri_walker *walker, const wri_column *columns,
                       unsigned count, uint64_t *random)
{
    const wri_outcome_class *from = any_class(walks, true, NULL, random);
    memset(walker, 0, sizeof *walker);
    if (from == NULL)
        return false;
    walker->base = *any_of(from, random);
    if (!any_column(&walker->base, columns, count, random, &walker->column))
        return false;
    const wri_column *column = &columns[walker->column];
    walker->same = place_of(column, walker->base.numbers[walker->column]);
    walker->other = destination(walks, walker, columns, count, from, random);
    return walker->busy = walker->same != walker->other;
}

static uint64_t middle(uint64_t a, uint64_t b)
{
    return a < b ? a + (b - a) / 2 : b + (a - b) / 2;
}

bool wri_walks_step(wri_walks *walks, unsigned which, const wri_column *columns, unsigned count,
                    uint64_t *random, wri_sample *next)
{
    wri_walker *walker = &walks->walkers[which];
    for (unsigned tries = 0; !walker->busy && tries < 8; tries++)
        begin_walk(walks, walker, columns, count, random);
    if (!walker->busy)
        return false;
    walker->tried = walker->moved ? middle(walker->same, walker->other) : walker->other;
    walker->out = true;
    *next = walker->base;
    next->numbers[walker->column] = number_at(&columns[walker->column], walker->tried);
    walks->steps++;
    return true;
}

void wri_walks_came(wri_walks *walks, unsigned which, uint64_t outcome, bool present)
{
    wri_walker *walker = &walks->walkers[which];
    bool        changed = outcome != walker->base.outcome;
    walker->out = false;
    if (!present || (!walker->moved && !changed)) {
        walker->busy = false;
        return;
    }
    if (changed)
        walker->other = walker->tried;
    else
        walker->same = walker->tried;
    walker->moved = true;
    uint64_t apart = walker->same < walker->other ? walker->other - walker->same
                                                  : walker->same - walker->other;
    if (apart <= 1) {
        walker->busy = false;
        walks->boundaries++;
    }
}
