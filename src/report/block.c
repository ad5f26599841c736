/* report/block.c: a failure as text for a reader. The message comes first, then the values, then
 * the effort of finding them, then the command that replays them. */
#include "report/block.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/escape.h"

#define WIDEST_NAME 20 /* longer names do not move the others' `=` */

const wri_palette *wri_palette_of(bool color)
{
    static const wri_palette COLORS = { "\033[32m", "\033[31m", "\033[33m", "\033[2m",
                                        "\033[0m" };
    static const wri_palette NONE = { "", "", "", "", "" };
    return color ? &COLORS : &NONE;
}

void wri_block_count(FILE *out, uint64_t count, const char *thing)
{
    fprintf(out, "%" PRIu64 " %s%s", count, thing, count == 1 ? "" : "s");
}

void wri_block_seconds(FILE *out, double seconds)
{
    wri_escape_decimal(out, seconds, seconds >= 0.1 ? 1 : 2);
    fputs(" s", out);
}

/* The rest of a path behind a folder; NULL: it does not lie below. */
static const char *below(const char *path, const char *folder)
{
    size_t length = folder == NULL ? 0 : strlen(folder);
    bool   lies = length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/';
    return lies ? path + length + 1 : NULL;
}

/* A compiler names the folder as $PWD has it, which may have links in it. */
const char *wri_block_file(const char *path)
{
    char *named = get_current_dir_name(), *real = getcwd(NULL, 0);
    if (path != NULL && below(path, named) != NULL)
        path = below(path, named);
    else if (path != NULL && below(path, real) != NULL)
        path = below(path, real);
    free(named);
    free(real);
    while (path != NULL && path[0] == '.' && path[1] == '/' && path[2] != '\0')
        path += 2;
    return path;
}

bool wri_block_place(FILE *out, const char *file, int line)
{
    if (!file || !*file)
        return false;
    wri_escape_line(out, wri_block_file(file));
    if (line > 0)
        fprintf(out, ":%d", line);
    return true;
}

void wri_block_unmet(FILE *out, const wri_assertion *assertion)
{
    fprintf(out, "never %s: ", assertion->reached > 0 ? "true" : "reached");
    wri_escape_label(out, assertion->label);
    fputs(" (", out);
    wri_block_place(out, assertion->file, assertion->line);
    putc(')', out);
}

/* A draw may be called "". */
static const char *name_of(const wri_value *value)
{
    return value->name[0] == '\0' ? "\"\"" : value->name;
}

static size_t name_column(const wri_failure *failure)
{
    size_t column = 0;
    for (size_t i = 0; i < failure->value_count; i++) {
        size_t width = strlen(name_of(&failure->values[i]));
        if (width > column && width <= WIDEST_NAME)
            column = width;
    }
    return column;
}

void wri_block_values(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    size_t column = name_column(failure);
    for (size_t i = 0; i < failure->value_count; i++) {
        const wri_value *value = &failure->values[i];
        size_t           width = strlen(name_of(value));
        size_t           after = width < column ? column - width : 0;
        fputs("    ", out);
        wri_escape_line(out, name_of(value));
        fprintf(out, "%*s = ", (int)after, "");
        wri_escape_plain(out, value->text, (int)(4 + (after ? column : width) + 3));
        putc('\n', out);
    }
    if (failure->values_lost > 0) {
        fprintf(out, "    %s(and ", palette->dim);
        wri_block_count(out, failure->values_lost, "more value");
        fprintf(out, ")%s\n", palette->plain);
    }
}

/* "  word: text" with the text's other lines below its first. */
static void put_field(FILE *out, const char *word, const char *text, const char *color,
                      const wri_palette *palette)
{
    if (!text || !*text)
        return;
    fprintf(out, "  %s%s:%s ", color, word, palette->plain);
    wri_escape_plain(out, text, (int)strlen(word) + 4);
    putc('\n', out);
}

void wri_block_notes(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    for (size_t i = 0; i < failure->note_count; i++)
        put_field(out, "note", failure->notes[i], palette->dim, palette);
}

/* A copy without blanks at the ends of lines, which nobody sees; malloced. */
static char *without_blanks(const char *text)
{
    char *copy = strdup(text), *to = copy, *line = copy;
    for (const char *at = text; copy != NULL && (at == text || at[-1] != '\0'); at++) {
        bool ends = *at == '\n' || *at == '\0';
        while (ends && to > line && strchr(" \t\r", to[-1]) != NULL)
            to--;
        *to++ = *at;
        line = ends ? to : line;
    }
    return copy;
}

static void put_output(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    char *text = failure->output == NULL ? NULL : without_blanks(failure->output);
    if (text != NULL && text[strspn(text, "\n")] != '\0') {
        fprintf(out, "  %soutput:%s\n    ", palette->dim, palette->plain);
        wri_escape_plain(out, text, 4);
        putc('\n', out);
    }
    free(text);
}

/* A case with a caution is told as it was found: it may be large or small. */
static void put_shrinking(FILE *out, const wri_failure *failure)
{
    bool cautious = failure->flaky_why != NULL && *failure->flaky_why != '\0';
    if (failure->sized && !failure->flaky)
        fprintf(out, ", of size %" PRIu64 ": no smaller case fails", failure->size);
    if (failure->executions_after == 0 || failure->flaky || failure->sized || failure->unshrunk ||
        cautious)
        return;
    if (failure->choices != failure->first_choices) {
        fputs(", shrunk from ", out);
        wri_block_count(out, failure->first_choices, "choice");
        fprintf(out, " to %zu in ", failure->choices);
    } else {
        fputs(failure->as_found ? ", already minimal (" : ", shrunk (", out);
        wri_block_count(out, failure->choices, "choice");
        fputs(failure->as_found ? "), confirmed in " : ") in ", out);
    }
    wri_block_count(out, failure->executions_after, "execution");
    if (failure->counted) {
        fputs(", ", out);
        wri_block_count(out, failure->calls_after, "call");
    }
}

/* The effort, in one line. */
static void put_effort(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    fprintf(out, "  %s", palette->dim);
    if (failure->replayed) {
        fprintf(out, "replayed%s\n", palette->plain);
        return;
    }
    if (failure->example_file != NULL) {
        fprintf(out, "the example at %s:%d", wri_block_file(failure->example_file),
                failure->example_line);
    } else if (failure->from_store) {
        fputs("known from an earlier run", out);
    } else if (failure->cases_before == 0) {
        fputs("found in the first case", out);
    } else {
        fputs("found after ", out);
        wri_block_count(out, failure->cases_before, "case");
    }
    put_shrinking(out, failure);
    if (failure->seen > 1)
        fprintf(out, ", seen %" PRIu64 " times", failure->seen);
    fprintf(out, "%s\n", palette->plain);
}

static void put_reason(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    if (failure->reason == NULL)
        return;
    fprintf(out, "  %swhy:%s ", palette->dim, palette->plain);
    wri_escape_line(out, failure->reason);
    putc('\n', out);
}

/* Which calls make it fail; below each other, as in a file of rules. */
static void put_rule(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    if (!failure->rule || !*failure->rule)
        return;
    fprintf(out, "  %srule:%s\n    ", palette->dim, palette->plain);
    wri_escape_plain(out, failure->rule, 4);
    putc('\n', out);
}

static void put_same_origin(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    if (failure->same_origin > 0)
        fprintf(out, "  %sfails in the same place as bug %zu%s\n", palette->dim,
                failure->same_origin, palette->plain);
}

/* How many other sequences of calls its rules have. */
static void put_others(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    size_t others = failure->ways > 0 ? failure->ways - 1 : 0;
    if (others > 0)
        fprintf(out, "  %s%zu other sequence%s here: --verbose shows %s%s\n", palette->dim,
                others, others == 1 ? " fails" : "s fail", others == 1 ? "it" : "them",
                palette->plain);
}

/* Failures that were only counted may be another bug: a reader should know of them. */
static void put_unexplained(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    if (failure->unexplained == 0)
        return;
    fprintf(out, "  %s", palette->caution);
    wri_block_count(out, failure->unexplained, "failure");
    fprintf(out, " here %s not explained by this bug's rules%s\n",
            failure->unexplained == 1 ? "is" : "are", palette->plain);
}

static void put_possibly(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    if (failure->possibly == 0)
        return;
    fprintf(out, "  %s", palette->caution);
    wri_block_count(out, failure->possibly, "failure");
    fprintf(out, " here %s possibly the same bug: the time for shrinking ran out%s\n",
            failure->possibly == 1 ? "is" : "are", palette->plain);
}

/* Says why the case is less certain, or less small, than a reader would think. */
static void put_cautions(FILE *out, const wri_failure *failure, const wri_palette *palette)
{
    const char *why = failure->flaky_why && *failure->flaky_why ? failure->flaky_why : NULL;
    if (failure->flaky)
        put_field(out, "flaky", why ? why : "the same choices did not fail again",
                  palette->caution, palette);
    else
        put_field(out, "caution", why, palette->caution, palette);
    if (failure->unfinished)
        put_field(
            out, "unfinished",
            failure->stopped
                ? "the run was stopped while it was shrunk, a smaller case may exist"
                : "the time for shrinking ran out, a smaller case may exist (--shrink-time)",
            palette->caution, palette);
}

/* Lines below the first look like values; a word must keep them apart. */
static bool has_details(const char *message)
{
    const char *end = message ? strchr(message, '\n') : NULL;
    return end && end[strspn(end, "\n")];
}

/* The function of a crash without a line. */
static void put_function(FILE *out, const wri_failure *failure)
{
    if (failure->line != 0 || failure->function == NULL || *failure->function == '\0')
        return;
    fputs("  in ", out);
    wri_escape_line(out, failure->function);
    fputs(", compiled without -g: the line is not known\n", out);
}

void wri_block_failure(FILE *out, const wri_failure *failure, const wri_palette *palette,
                       bool rules)
{
    fputs("  ", out);
    wri_escape_plain(out, failure->message, 2);
    putc('\n', out);
    put_function(out, failure);
    if (failure->value_count > 0 && has_details(failure->message))
        fprintf(out, "  %swith%s\n", palette->dim, palette->plain);
    wri_block_values(out, failure, palette);
    put_reason(out, failure, palette);
    if (rules) {
        put_rule(out, failure, palette);
        put_same_origin(out, failure, palette);
    } else {
        put_others(out, failure, palette);
    }
    put_unexplained(out, failure, palette);
    put_possibly(out, failure, palette);
    wri_block_notes(out, failure, palette);
    put_output(out, failure, palette);
    put_cautions(out, failure, palette);
    put_effort(out, failure, palette);
    put_field(out, "replay", failure->replay, palette->dim, palette);
    put_field(out, "stored", wri_block_file(failure->stored), palette->dim, palette);
}

/* Takes the margin of two blanks out of each line, and newlines off the end. */
static void cut_margin(char *text)
{
    char *start = text, *to = text;
    bool  begins = true;
    while (*text != '\0') {
        if (begins && strncmp(text, "  ", 2) == 0)
            text += 2;
        begins = *text == '\n';
        if (*text != '\0')
            *to++ = *text++;
    }
    while (to > start && to[-1] == '\n')
        to--;
    *to = '\0';
}

char *wri_block_text(const wri_result *result, const wri_failure *failure)
{
    char  *text = NULL;
    size_t size;
    FILE  *plain = open_memstream(&text, &size);
    if (plain == NULL)
        return NULL;
    if (failure != NULL)
        wri_block_failure(plain, failure, wri_palette_of(false), true);
    else
        wri_escape_plain(plain, result->why, 0);
    if (fclose(plain) == 0)
        cut_margin(text);
    return text;
}

void wri_block_running(FILE *out, const wri_failure *running, const wri_palette *palette)
{
    fputs("  ", out);
    wri_escape_line(out, running->message);
    if (running->file && *running->file) {
        fputs(" (", out);
        wri_block_place(out, running->file, running->line);
        putc(')', out);
    }
    putc('\n', out);
    wri_block_values(out, running, palette);
    wri_block_notes(out, running, palette);
    put_field(out, "replay", running->replay, palette->dim, palette);
}

/* ---- Stability -------------------------------------------------------------------------- */

/* Two digits that count, rounded up if it is a bound: "0.06 %", "12 %". */
static void put_percent(FILE *out, double share, bool bound)
{
    double   percent = share > 0 ? share * 100 : 0, unit = 1;
    unsigned digits = 0;
    while (digits < 9 && percent > 0 && percent < 10 * unit) {
        unit /= 10;
        digits++;
    }
    wri_escape_decimal(out, percent + (bound ? unit * 0.499 : 0), digits);
    fputs(" %", out);
}

void wri_block_stability(FILE *out, const wri_stability *stable)
{
    uint64_t idle = stable->cases > stable->last ? stable->cases - stable->last : 0;
    fputs(stable->reached ? "stable: " : "not stable: ", out);
    if (stable->features == 0) {
        fputs("no case showed a feature to go by, such as a label", out);
        return;
    }
    wri_block_count(out, stable->features, "feature");
    if (stable->reached) {
        fprintf(out, ", nothing new in the last %" PRIu64 " of %" PRIu64 " cases; ", idle,
                stable->cases);
        fputs("the next case shows something new with a probability below ", out);
        put_percent(out, stable->bound, true);
        fputs(" (95 %)", out);
        return;
    }
    fprintf(out, ", the last new one in case %" PRIu64 " of %" PRIu64 "; ", stable->last,
            stable->cases);
    fputs("the next case shows something new with a probability of about ", out);
    put_percent(out, stable->probability, false);
    if (stable->unseen >= 0.5) {
        fputs("; about ", out);
        wri_escape_decimal(out, stable->unseen, 0);
        fputs(" more not seen yet", out);
    }
}

/* The size that was begun and not finished; nothing: there is none. */
static wri_size_row unfinished(const wri_enumerated *all)
{
    wri_size_row none = { 0 };
    if (all->size_count == 0)
        return none;
    const wri_size_row *last = &all->sizes[all->size_count - 1];
    return all->exhausted && last->size <= all->bound ? none : *last;
}

/* "held for all 12601451 values up to size 13" */
void wri_block_enumerated(FILE *out, const wri_result *result)
{
    const wri_enumerated *all = &result->enumerated;
    wri_size_row          last = unfinished(all);
    uint64_t              cases = all->cases > 0 ? all->cases : result->cases;
    if (result->status == WRI_STATUS_PROVED) {
        fputs("proved: held for every case, ", out);
        wri_block_count(out, cases, "case");
        fputs(" in all", out);
        return;
    }
    fputs(all->exhausted ? "held for all " : "held for ", out);
    if (all->values == UINT64_MAX)
        wri_block_count(out, cases - last.cases, "case");
    else
        wri_block_count(out, all->values - last.values, "value");
    if (all->exhausted)
        fprintf(out, " %s %s %" PRIu64, all->exactly ? "of" : "up to",
                all->by_depth ? "depth" : "size", all->bound);
    if (all->exhausted && !all->by_depth && all->depth != 0 && all->depth != UINT64_MAX)
        fprintf(out, " and depth %" PRIu64, all->depth);
    if (result->shards > 0)
        fprintf(out, " in shard %u of %u", result->shard, result->shards);
    if (last.cases > 0) {
        fputs(all->exhausted ? ", and for " : ": ", out);
        wri_block_count(out, last.cases, "case");
        fprintf(out, " of size %" PRIu64, last.size);
    }
}

/* ---- Combinations ---- */

static const char *kind_of_tuple(unsigned strength)
{
    static const char *const KINDS[] = { "", "value", "pair", "triple" };
    return strength < sizeof KINDS / sizeof *KINDS ? KINDS[strength] : "combination";
}

/* "all pairs of 12 draws: 46 rows", or "3-way 62 %" */
static void put_tuples(FILE *out, const wri_tuples *of, unsigned draws, bool first)
{
    uint64_t all = of->covered + of->missed + of->left;
    if (first && of->strength <= 3)
        fprintf(out, "%s%ss", of->left == 0 ? "all " : "", kind_of_tuple(of->strength));
    else
        fprintf(out, "%s%u-way", of->left == 0 ? "all " : "", of->strength);
    if (first) {
        fputs(" of ", out);
        wri_block_count(out, draws, "draw");
    }
    if (of->left > 0) {
        fputs(first ? ": " : " ", out);
        wri_escape_decimal(out, 100 * (double)of->covered / (double)all, 0);
        fputs(" %", out);
    } else {
        fputs(": ", out);
        wri_block_count(out, of->rows, "row");
    }
}

static void put_missed(FILE *out, const wri_combined *all, bool listed)
{
    bool any = false;
    for (unsigned i = 0; i < all->tuple_count; i++) {
        const wri_tuples *of = &all->tuples[i];
        if (of->missed == 0)
            continue;
        fputs(any ? ", " : "; not reached: ", out);
        wri_block_count(out, of->missed, kind_of_tuple(of->strength));
        any = true;
    }
    if (any && !listed)
        fputs(" (listed with --verbose)", out);
    any = false;
    for (unsigned i = 0; i < all->tuple_count; i++) {
        const wri_tuples *of = &all->tuples[i];
        if (of->infeasible == 0)
            continue;
        fputs(any ? ", " : "; impossible: ", out);
        wri_block_count(out, of->infeasible, kind_of_tuple(of->strength));
        any = true;
    }
}

void wri_block_combined(FILE *out, const wri_combined *all, bool listed)
{
    bool first = true;
    for (unsigned i = 0; i < all->tuple_count; i++) {
        /* All pairs are all values, too. */
        if (i + 1 < all->tuple_count && all->tuples[i].strength < 2 && all->tuples[i].left == 0)
            continue;
        fputs(first ? "" : "; ", out);
        put_tuples(out, &all->tuples[i], all->draws, first);
        first = false;
    }
    if (all->tuple_count == 0) {
        fputs("bins of ", out);
        wri_block_count(out, all->draws, "draw");
        fputs(" at random", out);
    }
    put_missed(out, all, listed);
    if (all->boundaries > 0) {
        fprintf(out, "; %" PRIu64 " %s walked to", all->boundaries,
                all->boundaries == 1 ? "boundary" : "boundaries");
    }
}

/* ---- How sure ---- */

/* "all 4096 values up to size 9; 97 % of the triples of 5 draws" */
void wri_block_surety(FILE *out, const wri_surety *sure)
{
    const wri_tuples *tuples = &sure->tuples;
    uint64_t          all = tuples->covered + tuples->missed + tuples->left;
    const char       *before = "";
    if (sure->sized) {
        fputs("all ", out);
        wri_block_count(out, sure->values, "value");
        fprintf(out, " up to size %" PRIu64, sure->size);
        before = "; ";
    }
    if (sure->draws > 0 && all > 0) {
        fputs(before, out);
        wri_escape_decimal(out, floor(100 * (double)tuples->covered / (double)all), 0);
        fprintf(out, " %% of the %ss of ", kind_of_tuple(tuples->strength));
        wri_block_count(out, sure->draws, "draw");
        before = "; ";
    }
    if (sure->shown) {
        fprintf(out, "%sthe next random case shows a new label with a probability of about ",
                before);
        put_percent(out, sure->fresh, false);
        before = "; ";
    }
    if (sure->never > 0) {
        fputs(before, out);
        wri_block_count(out, sure->never, "wanted label");
        fputs(" never shown", out);
        before = "; ";
    }
    if (before[0] == '\0')
        fputs("random cases only", out);
}
