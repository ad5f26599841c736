/* observe/observe.c: the observations of a property and of the code under test.
 *
 * An observation is counted in the case's table, and told to its watch if there is one. A site
 * with a constant name finds its row once and keeps the row's number. After that a hit is an
 * index, a comparison and an increment. Other threads than the case's put their observations into
 * a table of their own, under a lock. The case takes them in at its next observation or at its
 * end, and pays for no lock until then.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/arithmetic.h"
#include "core/utf8.h"
#include "observe/seen.h"
#include "observe/watch.h"

/* When the table is nearly full the batch ends, so that the parent can take it and clear it: what
 * is counted must not depend on how many cases a batch has. */
#define NEARLY_FULL (WRI_SEEN_ROWS * 3 / 4)

/* Something observed, before it is known where it is counted. */
typedef struct sighting {
    uint32_t    sort;
    bool        yes; /* false: it was looked at, and was not so */
    bool        valued;
    const char *name;
    const char *row;   /* of a table; else NULL */
    bool        pair;  /* the row is a pair of a machine's commands */
    double      order; /* of the row */
    double      value; /* larger is better */
    double      wanted;
    const char *file; /* of an assertion; else NULL */
    int         line;
} sighting;

/* ---- Counting ---- */

static bool asserts(uint32_t sort)
{
    return sort >= WR_SEE_SOMETIMES_;
}

static void add_one(_Atomic uint64_t *counter)
{
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

/* Once a case. */
static inline void count(wri_observed *row, uint64_t stamp, bool yes)
{
    if (row->last[yes] == stamp)
        return;
    row->last[yes] = stamp;
    if (WRI_UNLIKELY(row->first == 0) && yes)
        row->first = stamp;
    add_one(&row->cases[yes]);
    if (WRI_UNLIKELY(row->last[!yes] == stamp))
        add_one(&row->both);
}

static void measure(wri_observed *row, uint64_t stamp, double value)
{
    if (row->measured != 0 && !(value > row->best))
        return;
    if (row->measured != stamp)
        row->before = row->measured == 0 ? NAN : row->best;
    row->best = value;
    row->measured = stamp;
}

static uint64_t key_of(const sighting *s)
{
    return wri_observed_key(s->sort, s->name, s->row, asserts(s->sort) ? s->file : NULL, s->line);
}

static void describe(wri_observed *row, const sighting *s)
{
    row->feature = wri_observed_key(s->sort, s->name, s->row, NULL, 0);
    row->sort = s->sort;
    row->order = s->order;
    row->wanted = s->wanted;
    row->line = s->line;
    wri_seen_text(row->name, s->name);
    if (s->row != NULL)
        wri_seen_text(row->detail, s->row);
    else if (s->file != NULL)
        wri_seen_path(row->detail, s->file);
}

/* The row of a sighting; NULL, and a loss, when the table is full. */
static wri_observed *row_of(wri_seen *seen, const sighting *s)
{
    uint64_t      key = key_of(s);
    wri_observed *row = wri_seen_find(seen, key);
    if (row != NULL)
        return row;
    row = wri_seen_add(seen, key);
    if (row == NULL) {
        atomic_fetch_add(&seen->lost, 1);
        return NULL;
    }
    describe(row, s);
    return row;
}

/* ---- Telling the watch ---- */

/* The gap that an always has left is a slot by itself, as its label is shown from the first. */
static uint64_t slot_key(const wri_observed *row)
{
    return row->sort == WR_SEE_ALWAYS_ ? wri_prng_mix(row->feature) : row->feature;
}

/* A table's row is a cell; everything else that is so is a label. */
static WRI_ASIDE void tell(wr_case *t, const sighting *s, wri_observed *row)
{
    char text[2 * WRI_SEEN_BYTES + 2];
    bool cell = s->row != NULL;
    if (s->valued)
        t->watch->value(t->watch, t, slot_key(row), s->value, row->name);
    if (s->sort == WR_SEE_MAXIMISE_ || s->sort == WR_SEE_MINIMISE_ ||
        (!s->yes && s->sort != WR_SEE_ALWAYS_))
        return;
    if (cell && row->cache == 0) /* else it is known by its number */
        snprintf(text, sizeof text, "%s: %s", row->name, row->detail);
    t->watch->hit(t->watch, t,
                  s->pair ? WRI_FEATURE_PAIR
                  : cell  ? WRI_FEATURE_CELL
                          : WRI_FEATURE_LABEL,
                  row->feature, &row->cache, cell && row->cache == 0 ? text : row->name);
}

static WRI_COLD void tell_of_no_row(wr_case *t, const sighting *s)
{
    wri_observed row = { 0 };
    describe(&row, s);
    tell(t, s, &row);
}

/* Counts and tells; returns the row, NULL where there is none. */
static wri_observed *note(wr_case *t, const sighting *s)
{
    wri_observed *row = t->seen == NULL ? NULL : row_of(t->seen, s);
    if (row != NULL) {
        if (s->sort != WR_SEE_MAXIMISE_ && s->sort != WR_SEE_MINIMISE_)
            count(row, t->index + 1, s->yes);
        if (s->valued)
            measure(row, t->index + 1, s->value);
        if (t->stop != NULL && t->seen->count > NEARLY_FULL)
            atomic_store(t->stop, 1);
    }
    if (t->watch != NULL && row != NULL)
        tell(t, s, row);
    else if (t->watch != NULL)
        tell_of_no_row(t, s);
    return row;
}

/* ---- Other threads ---- */

static pthread_mutex_t others_lock = PTHREAD_MUTEX_INITIALIZER;
static wri_seen        others; /* what they observed since the case last looked */

/* In a thread that runs no case. A forked child of the worker does not come here: the lock may
 * be held by a thread that it does not have. */
static void note_elsewhere(const sighting *s)
{
    wr_case *t = wri_case_current;
    if (t == NULL || t->stray)
        return;
    pthread_mutex_lock(&others_lock);
    wri_observed *row = row_of(&others, s);
    if (row != NULL) {
        count(row, 1, s->yes);
        if (s->valued)
            measure(row, 1, s->value);
    }
    pthread_mutex_unlock(&others_lock);
    atomic_fetch_or(&t->called, WRI_CALLED_OTHERS);
}

static void take_in_row(wr_case *t, const wri_observed *row)
{
    bool     table = row->sort == WR_SEE_TABLE_ || row->sort == WR_SEE_STATE_;
    sighting s = { .sort = row->sort,
                   .name = row->name,
                   .row = table ? row->detail : NULL,
                   .order = row->order,
                   .wanted = row->wanted,
                   .valued = row->measured != 0,
                   .value = row->best,
                   .file = table ? NULL : row->detail,
                   .line = row->line };
    for (int yes = 0; yes < 2; yes++)
        if (row->cases[yes] > 0) {
            s.yes = yes;
            note(t, &s);
            s.valued = false;
        }
}

static WRI_COLD void take_in_others(wr_case *t)
{
    atomic_fetch_and(&t->called, ~WRI_CALLED_OTHERS);
    pthread_mutex_lock(&others_lock);
    for (uint32_t i = 0; i < others.count; i++)
        take_in_row(t, &others.rows[i]);
    if (others.lost > 0 && t->seen != NULL)
        atomic_fetch_add(&t->seen->lost, others.lost);
    if (others.count > 0)
        wri_seen_clear(&others);
    pthread_mutex_unlock(&others_lock);
}

/* Counts the cases in which a word fitted a draw, and those in which it did not. */
static void take_in_words(const wr_case *t)
{
    for (const wri_words *list = t->word_lists; list != NULL && t->seen != NULL;
         list = list->before)
        for (size_t i = 0; i < list->count; i++) {
            sighting      s = { .sort = WR_SEE_WORD_, .name = list->words[i] };
            wri_observed *row = s.name == NULL ? NULL : row_of(t->seen, &s);
            if (row != NULL)
                count(row, t->index + 1, list->fits[i]);
        }
}

bool wri_observe_finish(wr_case *t)
{
    if (atomic_load_explicit(&t->called, memory_order_relaxed) == 0)
        return false;
    take_in_words(t);
    take_in_others(t);
    atomic_store(&t->called, 0);
    while (atomic_load(&t->violation->state) == WRI_VIOLATION_WRITING)
        sched_yield();
    return wri_violation_take(t->violation, t->verdict);
}

/* The case of a caller, whose `t` may be NULL; NULL: it is another thread, or no case runs. */
static inline wr_case *case_of(wr_case *t)
{
    wr_case *now = t != NULL ? t : wri_case_current_here;
    if (now != NULL && WRI_UNLIKELY(atomic_load_explicit(&now->called, memory_order_relaxed) &
                                    WRI_CALLED_OTHERS))
        take_in_others(now);
    return now;
}

static void observe(wr_case *t, const sighting *s)
{
    wr_case *now = case_of(t);
    if (now != NULL)
        note(now, s);
    else
        note_elsewhere(s);
}

/* ---- Constants ---- */

/* The site's row, if it has found it since the table was cleared. */
static inline wri_observed *row_at(const wr_case *t, const wr_site_ *site)
{
    wri_seen *seen = t->seen;
    return seen != NULL && site->epoch == seen->epoch ? &seen->rows[site->place] : NULL;
}

/* A label or an assertion whose row is known. */
static inline void hit(wr_case *t, wri_observed *row, bool yes)
{
    count(row, t->index + 1, yes);
    if (WRI_UNLIKELY(t->watch != NULL) && (yes || row->sort == WR_SEE_ALWAYS_))
        t->watch->hit(t->watch, t, WRI_FEATURE_LABEL, row->feature, &row->cache, row->name);
}

static void remember_row(const wr_case *t, wr_site_ *site, const wri_observed *row)
{
    if (row == NULL)
        return;
    site->place = (uint32_t)(row - t->seen->rows);
    site->epoch = t->seen->epoch;
}

/* A text that is made here has a byte more than is kept: it shows whether a character is cut. */
#define TEXT_BYTES (WRI_SEEN_BYTES + 1)

/* A format without arguments, as printf() would print it. */
static void plain_text(char to[TEXT_BYTES], const char *format)
{
    size_t used = 0;
    for (; *format != '\0' && used < TEXT_BYTES - 1; format++) {
        to[used++] = *format;
        format += format[0] == '%' && format[1] == '%';
    }
    to[used] = '\0';
}

static bool says_nothing(const char *label)
{
    return label == NULL || wri_seen_length(label) == 0;
}

static WRI_COLD void show_anew(wr_case *t, wr_case *now, wr_site_ *site, const char *label)
{
    char     text[TEXT_BYTES];
    sighting s = { .sort = WR_SEE_LABEL_, .yes = true, .name = label };
    if (says_nothing(label))
        return;
    if (site->condition != NULL && strchr(label, '%') != NULL) {
        plain_text(text, label);
        s.name = text;
    }
    if (now == NULL) {
        observe(t, &s);
        return;
    }
    site->label = label;
    remember_row(now, site, note(now, &s));
}

void wr_show_(wr_case *t, wr_site_ *site, const char *label)
{
    wr_case      *now = case_of(t);
    wri_observed *row = now == NULL ? NULL : row_at(now, site);
    /* A loop that was unrolled may show several constants at one site. */
    if (WRI_UNLIKELY(row == NULL || site->label != label))
        show_anew(t, now, site, label);
    else
        hit(now, row, true);
}

bool wri_observe_hit_row(wr_case *t, const wr_site_ *site, bool pair)
{
    wri_observed *row = row_at(t, site);
    if (WRI_UNLIKELY(row == NULL || (t->watch != NULL && row->cache == 0)))
        return false; /* the watch wants to know its name */
    count(row, t->index + 1, true);
    if (WRI_UNLIKELY(t->watch != NULL))
        t->watch->hit(t->watch, t, pair ? WRI_FEATURE_PAIR : WRI_FEATURE_CELL, row->feature,
                      &row->cache, row->name);
    return true;
}

void wri_observe_show_row(wr_case *t, wr_site_ *site, const char *table, const char *row,
                          bool pair)
{
    sighting s = {
        .sort = WR_SEE_TABLE_, .yes = true, .name = table, .row = row, .pair = pair, .order = NAN
    };
    remember_row(t, site, note(t, &s));
}

void wr_text_(wr_case *t, const char *label)
{
    if (!says_nothing(label))
        observe(t, &(sighting){ .sort = WR_SEE_LABEL_, .yes = true, .name = label });
}

void wr_label_(wr_case *t, const char *format, ...)
{
    char    label[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    wr_text_(t, label);
}

/* ---- Assertions ---- */

/* With a `t` the property is left. Without one the first violation of the case is kept. */
static WRI_COLD void violate(wr_case *t, const wr_site_ *site, const char *message)
{
    if (t != NULL)
        wri_case_end(t, WRI_ASSERTION, site->file, site->line, "%s", message);
    if (wri_case_current != NULL)
        wri_case_violate(wri_case_current, WRI_ASSERTION, site->file, site->line, message);
}

static sighting sighting_at(const wr_site_ *site, bool holds)
{
    return (sighting){ .sort = (uint32_t)site->sort,
                       .yes = holds,
                       .name = site->label,
                       .wanted = site->percent,
                       .file = site->file,
                       .line = site->line };
}

static WRI_COLD void check_anew(wr_case *t, wr_case *now, wr_site_ *site, bool holds)
{
    sighting s = sighting_at(site, holds);
    if (t != NULL && site->sort == WR_SEE_COVER_ && !(site->percent >= 0 && site->percent <= 100))
        wri_case_end(t, WRI_MISUSE, site->file, site->line,
                     "wr_cover \"%s\": wanted in %g %% of the cases; expected 0 to 100",
                     site->label, site->percent);
    if (now == NULL)
        observe(t, &s);
    else
        remember_row(now, site, note(now, &s));
}

static inline void check(wr_case *t, wr_case *now, wr_site_ *site, bool holds)
{
    wri_observed *row = now == NULL ? NULL : row_at(now, site);
    if (WRI_UNLIKELY(row == NULL))
        check_anew(t, now, site, holds);
    else
        hit(now, row, holds);
}

static WRI_COLD void check_fails(wr_case *t, const wr_site_ *site)
{
    char message[1024];
    if (site->sort == WR_SEE_UNREACHABLE_)
        snprintf(message, sizeof message, "unreachable, but reached: %s", site->label);
    else
        snprintf(message, sizeof message, "not always: %s\n  %s", site->label, site->condition);
    violate(t, site, message);
}

void wr_check_site_(wr_case *t, wr_site_ *site, bool holds)
{
    check(t, case_of(t), site, holds);
    if (!holds && WRI_UNLIKELY(site->sort == WR_SEE_ALWAYS_ || site->sort == WR_SEE_UNREACHABLE_))
        check_fails(t, site);
}

/* How near `a relation b` is to being true: larger is nearer. */
static double nearness(wr_relation_ relation, wr_any_ a, wr_any_ b)
{
    long double gap = wri_check_any_real(b) - wri_check_any_real(a);
    if (relation == WR_GT_ || relation == WR_GE_)
        gap = -gap;
    if (relation == WR_EQ_)
        gap = gap < 0 ? gap : -gap;
    return (double)gap;
}

static bool is_number(wr_any_ any)
{
    return any.sort != WR_STRING_ && any.sort != WR_TEXT_ && any.sort != WR_POINTER_;
}

/* Integers do not go by long double: rounding them would leave a flag, see below. */
static double as_double(const wr_any_ *number)
{
    return number->sort == WR_REAL_        ? (double)number->real
           : wri_check_any_signed(*number) ? (double)number->as.i
                                           : (double)number->as.u;
}

/* Plain arithmetic for what is done with this value. The long double of a real leaves flags
 * behind: they would trap at the property's next one, once it lets them. */
static wri_arithmetic plain_for(const wr_any_ *value)
{
    wri_arithmetic was;
    if (value->sort != WR_REAL_)
        return wri_arithmetic_plain();
    wri_arithmetic_swap(&was);
    return was;
}

static WRI_ASIDE void see_gap(wr_case *t, wr_site_ *site, bool holds, wr_relation_ relation,
                              const wr_any_ *a, const wr_any_ *b)
{
    sighting s = sighting_at(site, holds);
    double   near = is_number(*a) && is_number(*b) ? nearness(relation, *a, *b) : NAN;
    s.valued = !isnan(near);
    s.value = site->sort == WR_SEE_ALWAYS_ ? -near : near;
    observe(t, &s);
}

void wr_gap_(wr_case *t, wr_site_ *site, wr_relation_ relation, const char *a_text,
             const char *b_text, wr_any_ a, wr_any_ b)
{
    bool     holds = wri_check_any_holds(relation, a, b), always = site->sort == WR_SEE_ALWAYS_;
    wr_case *now = case_of(t);
    if (now != NULL && now->watch == NULL) { /* nobody is guided */
        check(t, now, site, holds);
    } else {
        wri_arithmetic was;
        wri_arithmetic_swap(&was);
        see_gap(t, site, holds, relation, &a, &b);
        wri_arithmetic_back(&was);
    }
    if (!holds && always) {
        char message[1024];
        snprintf(message, sizeof message, "not always: %s", site->label);
        wri_check_any_say(message, sizeof message, a_text, b_text, a, b);
        violate(t, site, message);
    }
}

/* ---- Tables, slots, states ---- */

/* Numbers below this are rows of their own; beyond, a row goes from a power of two to the next.
 */
#define FEW 16

static void row_of_integer(char *to, sighting *s, bool negative, uint64_t magnitude)
{
    const char *sign = negative ? "-" : "";
    if (magnitude < FEW) {
        snprintf(to, WRI_SEEN_BYTES, "%s%u", sign, (unsigned)magnitude);
        s->order = negative ? -(double)magnitude : (double)magnitude;
        return;
    }
    uint64_t low = UINT64_C(1) << (63 - __builtin_clzll(magnitude)), high = low + (low - 1);
    snprintf(to, WRI_SEEN_BYTES, "%s%llu..%s%llu", sign,
             (unsigned long long)(negative ? high : low), sign,
             (unsigned long long)(negative ? low : high));
    s->order = negative ? -(double)high : (double)low;
}

static void row_of_real(char *to, sighting *s, long double real)
{
    int exponent;
    s->order = (double)real;
    if (isnan(real) || isinf(real) || real == 0) {
        snprintf(to, WRI_SEEN_BYTES, isnan(real) ? "NaN" : "%Lg", real == 0 ? 0.0L : real);
        s->order = isnan(real) ? INFINITY : s->order; /* last, with infinity */
        return;
    }
    frexpl(real, &exponent);
    long double low = ldexpl(1, exponent - 1), high = ldexpl(1, exponent);
    if (real > 0)
        snprintf(to, WRI_SEEN_BYTES, "[%Lg, %Lg)", low, high);
    else
        snprintf(to, WRI_SEEN_BYTES, "(%Lg, %Lg]", -high, -low);
    s->order = (double)(real > 0 ? low : -high);
}

static void row_of_any(char *to, sighting *s, wr_any_ any)
{
    char text[TEXT_BYTES];
    s->order = NAN;
    switch (any.sort) {
    case WR_SIGNED_:
        row_of_integer(to, s, any.as.i < 0, any.as.i < 0 ? -any.as.u : any.as.u);
        break;
    case WR_UNSIGNED_: row_of_integer(to, s, false, any.as.u); break;
    case WR_REAL_: row_of_real(to, s, any.real); break;
    case WR_BOOL_:
        strcpy(to, any.as.u ? "true" : "false");
        s->order = any.as.u != 0;
        break;
    case WR_CHAR_:
        snprintf(to, WRI_SEEN_BYTES, any.as.i >= 0x20 && any.as.i < 0x7f ? "'%c'" : "0x%02x",
                 (unsigned char)any.as.i);
        s->order = (double)any.as.i;
        break;
    case WR_TEXT_:
        snprintf(text, sizeof text, "%.*s",
                 any.length < TEXT_BYTES ? (int)any.length : TEXT_BYTES, any.as.s);
        wri_seen_text(to, text);
        break;
    case WR_STRING_: wri_seen_text(to, any.as.s == NULL ? "NULL" : any.as.s); break;
    default: strcpy(to, any.as.p == NULL ? "NULL" : "not NULL"); break;
    }
}

static const char *name_or(const char *name)
{
    return name == NULL ? "" : name;
}

/* The functions below compute in plain arithmetic (core/arithmetic.h), whatever the property has
 * set: the same values must make the same rows. */

static WRI_ASIDE void collect(wr_case *t, const char *name, const wr_any_ *value)
{
    char     row[WRI_SEEN_BYTES];
    sighting s = { .sort = WR_SEE_TABLE_, .yes = true, .name = name_or(name), .row = row };
    row_of_any(row, &s, *value);
    observe(t, &s);
}

static WRI_ASIDE void see_state(wr_case *t, const char *name, const wr_any_ *number)
{
    char     row[WRI_SEEN_BYTES];
    sighting s = { .sort = WR_SEE_STATE_, .yes = true, .name = name_or(name), .row = row };
    if (number->sort == WR_SIGNED_)
        snprintf(row, sizeof row, "%lld", (long long)number->as.i);
    else if (number->sort == WR_UNSIGNED_)
        snprintf(row, sizeof row, "%llu", (unsigned long long)number->as.u);
    else
        row_of_any(row, &s, *number);
    s.order = is_number(*number) ? as_double(number) : NAN;
    if (t != NULL && WRI_UNLIKELY(t->stated != NULL) && !wri_case_is_elsewhere(t))
        t->stated(t, s.name, row);
    observe(t, &s);
}

static WRI_ASIDE void see_slot(wr_case *t, const char *name, const wr_any_ *value, bool larger)
{
    double number = is_number(*value) ? as_double(value) : NAN;
    if (isnan(number))
        return;
    observe(t, &(sighting){ .sort = larger ? WR_SEE_MAXIMISE_ : WR_SEE_MINIMISE_,
                            .name = name_or(name),
                            .valued = true,
                            .value = larger ? number : -number });
}

void wr_collect_(wr_case *t, const char *name, wr_any_ value)
{
    wri_arithmetic was = plain_for(&value);
    collect(t, name, &value);
    wri_arithmetic_back(&was);
}

void wr_state_(wr_case *t, const char *name, wr_any_ number)
{
    wri_arithmetic was = plain_for(&number);
    see_state(t, name, &number);
    wri_arithmetic_back(&was);
}

void wr_slot_(wr_case *t, const char *name, wr_any_ value, bool larger)
{
    wri_arithmetic was = plain_for(&value);
    see_slot(t, name, &value, larger);
    wri_arithmetic_back(&was);
}
