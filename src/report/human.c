/* report/human.c: the report for a terminal or a log.
 *
 * A property that held is one line. A property that failed is a block that can be read on its
 * own. At a terminal a status line is rewritten in place, and erased before anything else is
 * printed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/folder.h"
#include "report/block.h"
#include "report/escape.h"

/* So many places where refuted cases ended are told unasked. */
#define MOST_REFUTERS 4
#define MOST_LABELS 20
#define MOST_ROWS 12
#define BAR 20
#define WIDEST_PROPERTY 48

typedef struct human {
    wri_reporter       base;
    FILE              *out;
    wri_style          style;
    const wri_palette *palette;
    wri_run            run;
    size_t             width;       /* of the column of names; 0: not aligned */
    bool               status_line; /* there is one on the screen */
    bool               blank;       /* the last line printed was empty, or none was */
    const char        *announced;   /* the last property of which a slow case was told */
} human;

/* ---- The status line -------------------------------------------------------------------- */

static size_t terminal_width(FILE *out)
{
    struct winsize size = { 0 };
    const char    *columns = getenv("COLUMNS");
    long           given = columns ? strtol(columns, NULL, 10) : 0;
    int            file = fileno(out); /* a stream of reports has none of its own */
    if (ioctl(file < 0 ? STDOUT_FILENO : file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return given > 0 && given < 10000 ? (size_t)given : 80;
}

static void erase_status(human *h)
{
    if (h->status_line)
        fputs("\r\033[K", h->out);
    h->status_line = false;
}

/* One column is left free: a cursor past the last one would wrap. */
static void put_status(human *h, const char *text)
{
    size_t room = terminal_width(h->out) - 1;
    putc('\r', h->out);
    for (size_t bytes; *text && room > 0; text += bytes, room--) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        if (wri_escape_unsafe(character))
            putc('?', h->out);
        else
            fwrite(text, 1, bytes, h->out);
    }
    fputs("\033[K", h->out);
    h->status_line = true;
}

/* "size 13: 41%, 1203400 cases, 2100331 runs/s, about 4.1 s left" */
static void write_enumerating(FILE *line, const wri_progress *p)
{
    if (p->bound != UINT64_MAX)
        fprintf(line, "size %" PRIu64 ": ", p->bound);
    wri_escape_decimal(line, p->share * 100, 0);
    fputs("%, ", line);
    wri_block_count(line, p->cases, "case");
    if (p->seconds >= 0.01) {
        fputs(", ", line);
        wri_escape_decimal(line, (double)p->cases / p->seconds, 0);
        fputs("/s, ", line);
        wri_escape_decimal(line, (double)p->runs / p->seconds, 0);
        fputs(" runs/s", line);
    }
    if (p->share > 0.01 && p->bound_seconds > 0.5) {
        fputs(", about ", line);
        wri_block_seconds(line, p->bound_seconds * (1 - p->share) / p->share);
        fputs(" left", line);
    }
}

static void write_exploring(FILE *line, const wri_progress *p)
{
    if (p->bounded) {
        write_enumerating(line, p);
        return;
    }
    if (p->target > 0)
        fprintf(line, "%" PRIu64 "/%" PRIu64 " cases", p->cases, p->target);
    else
        wri_block_count(line, p->cases, "case");
    if (p->discarded > 0)
        fprintf(line, ", %" PRIu64 " discarded", p->discarded);
    if (p->seconds >= 0.01) {
        fputs(", ", line);
        wri_escape_decimal(line, (double)p->cases / p->seconds, 0);
        fputs("/s, ", line);
        wri_block_seconds(line, p->seconds);
    }
    if (p->failures > 0) {
        fputs(", ", line);
        wri_block_count(line, p->failures, "bug");
    }
}

/* "case 12 has been running for 7 s (Ctrl-C shows it)" */
static void put_slow(FILE *line, const wri_progress *p)
{
    fprintf(line, "case %" PRIu64 " has been running for ", p->slow_case);
    wri_escape_decimal(line, p->slow_seconds, 0);
    fputs(" s (Ctrl-C shows it)", line);
}

/* A narrow terminal cuts the end off: what the user can do stands first. */
static void write_progress(FILE *line, const wri_progress *p)
{
    fprintf(line, "%s  ", p->property);
    if (p->stopping) {
        fputs("stopping (again: at once), ", line);
    } else if (p->slow_case > 0) {
        put_slow(line, p);
        fputs(", ", line);
    }
    switch (p->phase) {
    case WRI_PHASE_EXPLORE: write_exploring(line, p); break;
    case WRI_PHASE_CONFIRM: fputs("confirming a failure", line); break;
    case WRI_PHASE_SHRINK:
        fputs("shrinking: ", line);
        wri_block_count(line, p->choices, "choice");
        fputs(", ", line);
        wri_block_count(line, p->executions, "execution");
        break;
    }
}

/* Without a status line a run that hangs would say nothing; once for each property. */
static void announce_slow(human *h, const wri_progress *p)
{
    if (p->slow_case == 0 || p->stopping || h->announced == p->property)
        return;
    h->announced = p->property;
    fprintf(h->out, "%sslow%s  ", h->palette->caution, h->palette->plain);
    wri_escape_line(h->out, p->property);
    fputs(": ", h->out);
    put_slow(h->out, p);
    putc('\n', h->out);
    h->blank = false;
    fflush(h->out);
}

static void human_progress(wri_reporter *self, const wri_progress *progress)
{
    human *h = (human *)self;
    char   text[512];
    FILE  *line;
    if (!h->style.live && !h->style.quiet)
        announce_slow(h, progress);
    if (!h->style.live || h->style.quiet)
        return;
    line = fmemopen(text, sizeof text, "w");
    if (!line)
        return;
    write_progress(line, progress);
    fputc('\0', line);
    fclose(line);
    text[sizeof text - 1] = '\0';
    put_status(h, text);
    wri_report_flush(&h->base, h->out);
}

/* ---- Lines ------------------------------------------------------------------------------ */

/* An empty line, unless there is one. */
static void put_gap(human *h)
{
    if (!h->blank)
        putc('\n', h->out);
    h->blank = true;
}

/* "ok  name" and blanks up to where the details start. */
static void put_headline(human *h, const char *color, const char *tag, const char *name)
{
    size_t used = strlen(tag) + 2 + strlen(name), column = h->width ? 4 + h->width : 0;
    fprintf(h->out, "%s%s%s  ", color, tag, h->palette->plain);
    wri_escape_line(h->out, name);
    fprintf(h->out, "%*s", used < column ? (int)(column - used + 2) : 2, "");
    h->blank = false;
}

static void put_warnings(human *h, const wri_result *result)
{
    for (size_t i = 0; i < result->warning_count; i++) {
        fprintf(h->out, "  %swarning:%s ", h->palette->caution, h->palette->plain);
        wri_escape_plain(h->out, result->warnings[i], 11);
        putc('\n', h->out);
    }
}

/* "   12.5%  ##                    empty", without the end of the line */
static void put_share(human *h, const char *label, uint64_t part, uint64_t cases)
{
    double share = part < cases ? (double)part / (double)cases : 1;
    int    bar = (int)(share * BAR + 0.5);
    int    blanks = share >= 0.9995 ? 0 : share >= 0.09995 ? 1 : 2;
    fprintf(h->out, "  %*s", blanks, "");
    wri_escape_decimal(h->out, share * 100, 1);
    fprintf(h->out, "%%  %s", h->palette->dim);
    for (int i = 0; i < bar; i++)
        putc('#', h->out);
    fprintf(h->out, "%s%*s  ", h->palette->plain, BAR - bar, "");
    wri_escape_label(h->out, label);
}

static void put_label(human *h, const wri_label_count *label, uint64_t cases)
{
    put_share(h, label->label, label->cases, cases);
    putc('\n', h->out);
}

static void put_labels(human *h, const wri_result *result)
{
    size_t shown = result->label_count;
    if (shown > MOST_LABELS && !h->style.verbose)
        shown = MOST_LABELS;
    for (size_t i = 0; i < shown; i++)
        put_label(h, &result->labels[i], result->cases);
    if (shown < result->label_count) {
        fprintf(h->out, "  %sand ", h->palette->dim);
        wri_block_count(h->out, result->label_count - shown, "more label");
        fprintf(h->out, " (--verbose)%s\n", h->palette->plain);
    }
}

/* ---- Code ------------------------------------------------------------------------------- */

/* Up to this number of uncovered lines is shown without --verbose. */
#define FEW_LINES 5

/* "not covered: parse_number  parser.c:42, 57": the lines of one function, from `from` on;
 * returns where the next begins. */
static size_t put_function(human *h, const wri_code_line *lines, size_t count, size_t from)
{
    const wri_code_line *first = &lines[from];
    size_t               at = from;
    fputs("    not covered: ", h->out);
    wri_escape_line(h->out, *first->function ? first->function : "??");
    if (*first->file) {
        fputs("  ", h->out);
        wri_escape_line(h->out, wri_folder_last_name(first->file));
    }
    for (; at < count && strcmp(lines[at].function, first->function) == 0 &&
           strcmp(lines[at].file, first->file) == 0;
         at++)
        if (lines[at].line > 0)
            fprintf(h->out, "%s%d", at == from ? ":" : ", ", lines[at].line);
    putc('\n', h->out);
    return at;
}

static void put_rare(human *h, const wri_code_line *line)
{
    fputs("    rare: ", h->out);
    wri_escape_line(h->out, *line->function ? line->function : "??");
    fputs("  ", h->out);
    wri_block_place(h->out, wri_folder_last_name(line->file), line->line);
    fputs(", ", h->out);
    wri_block_count(h->out, line->cases, "case");
    putc('\n', h->out);
}

/* For a property that failed, coverage depends on when it was stopped: --verbose shows it. */
static void put_coverage(human *h, const wri_result *result)
{
    const wri_code_covered *code = &result->coverage;
    bool                    bad = wri_status_bad(result->status) || result->failure_count > 0;
    if (code->known == 0 || (bad && !h->style.verbose))
        return;
    fprintf(h->out, "  code: %" PRIu64 " of %" PRIu64 " places covered\n", code->covered,
            code->known);
    if (!h->style.verbose && code->known - code->covered > FEW_LINES)
        return;
    for (size_t i = 0; i < code->uncovered_count;)
        i = put_function(h, code->uncovered, code->uncovered_count, i);
    for (size_t i = 0; i < code->rare_count && h->style.verbose; i++)
        put_rare(h, &code->rare[i]);
}

/* Which rows are the MOST_ROWS most frequent: those above `least`, and `ties` more of just that.
 */
typedef struct selection {
    uint64_t least;
    size_t   ties;
} selection;

static selection most_frequent(const wri_table *table)
{
    uint64_t  top[MOST_ROWS + 1];
    size_t    count = 0;
    selection chosen = { 0 };
    for (size_t i = 0; i < table->row_count; i++) {
        size_t at = count < MOST_ROWS ? count++ : MOST_ROWS;
        for (; at > 0 && top[at - 1] < table->rows[i].cases; at--)
            top[at] = top[at - 1];
        top[at] = table->rows[i].cases;
    }
    for (size_t i = 0; i < count; i++) {
        chosen.least = top[count - 1];
        chosen.ties += top[i] == chosen.least;
    }
    return chosen;
}

/* The table's name, its most frequent rows in their order, and how many there are besides. */
static void put_table(human *h, const wri_table *table, uint64_t cases)
{
    selection chosen = most_frequent(table);
    size_t    shown = 0;
    uint64_t  rest = 0;
    fputs("  ", h->out);
    wri_escape_label(h->out, table->name);
    fputs(":\n", h->out);
    for (size_t i = 0; i < table->row_count; i++) {
        const wri_label_count *row = &table->rows[i];
        bool                   tie = row->cases == chosen.least && chosen.ties > 0;
        if (h->style.verbose || row->cases > chosen.least || tie) {
            put_label(h, row, cases);
            chosen.ties -= tie;
            shown++;
        } else {
            rest += row->cases;
        }
    }
    if (shown < table->row_count) {
        fprintf(h->out, "  %sand ", h->palette->dim);
        wri_block_count(h->out, table->row_count - shown, "more row");
        fputs(", counted ", h->out);
        wri_block_count(h->out, rest, "time");
        fprintf(h->out, " (--verbose)%s\n", h->palette->plain);
    }
}

/* "   12.5%  ##                    empty (wanted 20%)" */
static void put_cover(human *h, const wri_cover *cover, uint64_t cases)
{
    put_share(h, cover->label, cover->cases, cases);
    fprintf(h->out, " %s(wanted ", cover->below ? h->palette->caution : h->palette->dim);
    wri_escape_real(h->out, cover->wanted);
    putc('%', h->out);
    if (h->style.verbose) {
        fputs("; ", h->out);
        wri_escape_decimal(h->out, cover->low, 1);
        fputs("% to ", h->out);
        wri_escape_decimal(h->out, cover->high, 1);
        fputs("% at 95% confidence", h->out);
    }
    fprintf(h->out, ")%s\n", h->palette->plain);
}

/* Shares of fewer cases than this say nothing. */
#define ENOUGH_FOR_SHARES 20

static void put_observations(human *h, const wri_result *result)
{
    bool enough = result->cases >= (h->style.verbose ? 1 : ENOUGH_FOR_SHARES);
    if (enough)
        put_labels(h, result);
    for (size_t i = 0; i < result->cover_count && enough; i++)
        put_cover(h, &result->covers[i], result->cases);
    for (size_t i = 0; i < result->table_count && enough; i++)
        put_table(h, &result->tables[i], result->cases);
    for (size_t i = 0; i < result->best_count && result->cases > 0; i++) {
        fprintf(h->out, "  %s ", result->bests[i].least ? "smallest" : "largest");
        wri_escape_label(h->out, result->bests[i].name);
        fputs(": ", h->out);
        wri_escape_real(h->out, result->bests[i].value);
        putc('\n', h->out);
    }
}

/* "1000 cases, 12 discarded, 0.01 s" */
static void put_counts(human *h, const wri_result *result)
{
    fputs(h->palette->dim, h->out);
    wri_block_count(h->out, result->cases, "case");
    if (result->discarded > 0)
        fprintf(h->out, ", %" PRIu64 " discarded", result->discarded);
    if (h->style.verbose) {
        fputs(", ", h->out);
        wri_block_count(h->out, result->executions, "execution");
        if (result->redrawn > 0)
            fprintf(h->out, ", %" PRIu64 " of them redrawn", result->redrawn);
        if (result->seconds > 0) {
            fputs(", ", h->out);
            wri_escape_decimal(h->out, (double)result->executions / result->seconds, 0);
            fputs("/s", h->out);
        }
    }
    fputs(", ", h->out);
    wri_block_seconds(h->out, result->seconds);
    fputs(h->palette->plain, h->out);
}

/* ---- Results ---------------------------------------------------------------------------- */

static void put_held(human *h, const wri_result *result)
{
    const char *tag = result->status == WRI_STATUS_PROVED ? "proved"
                      : result->status == WRI_STATUS_HELD ? "ok"
                                                          : "stopped";
    bool        stopped = result->status == WRI_STATUS_INTERRUPTED;
    put_headline(h, stopped ? h->palette->caution : h->palette->good, tag, result->property);
    put_counts(h, result);
    if (result->mended > 0) {
        fputs(", ", h->out);
        wri_block_count(h->out, result->mended, "stored failure");
        fputs(" mended", h->out);
    }
    putc('\n', h->out);
}

static void put_skipped(human *h, const wri_result *result)
{
    put_headline(h, h->palette->caution, "skip", result->property);
    wri_escape_line(h->out, result->why && *result->why ? result->why : "no reason given");
    putc('\n', h->out);
}

/* A machine's other bugs that fail where this one does, a line each: those that have its number
 * as `same_origin`. */
static void put_more_bugs(human *h, const wri_result *result, size_t number)
{
    size_t count = 0;
    for (size_t i = number + 1; i < result->failure_count; i++)
        count += result->failures[i].same_origin == number + 1;
    if (count == 0)
        return;
    fprintf(h->out, "  %s%zu more bug%s here: --verbose shows %s%s\n", h->palette->dim, count,
            count == 1 ? " fails" : "s fail", count == 1 ? "it" : "them", h->palette->plain);
    for (size_t i = number + 1; i < result->failure_count; i++)
        if (result->failures[i].same_origin == number + 1) {
            const char *replay = result->failures[i].replay;
            fprintf(h->out, "    %sbug %zu:%s ", h->palette->dim, i + 1, h->palette->plain);
            wri_escape_line(h->out, replay && *replay ? replay : "it cannot be replayed");
            putc('\n', h->out);
        }
}

/* Other sequences that show this bug, too: a line each, and with --verbose their blocks. */
static void put_ways(human *h, const wri_result *result, size_t number)
{
    for (size_t i = 0; i < result->subsumed_count; i++) {
        const wri_failure *behind = &result->failures[result->failure_count + i];
        if (behind->way_of != number + 1)
            continue;
        fprintf(h->out, "  %salso at%s ", h->palette->dim, h->palette->plain);
        wri_block_place(h->out, behind->file, behind->line);
        fputs(h->style.verbose ? ":" : ": ", h->out);
        if (h->style.verbose) {
            putc('\n', h->out);
            wri_block_failure(h->out, behind, h->palette, true);
            continue;
        }
        const char *replay = behind->replay;
        wri_escape_line(h->out, replay && *replay ? replay : "it cannot be replayed");
        putc('\n', h->out);
    }
}

/* "FAIL  name  sort.c:42  (1 of 3)" and the block below; where the place is not known, that of
 * the property in brackets. */
static void put_failed(human *h, const wri_result *result, size_t i)
{
    const wri_failure *failure = &result->failures[i];
    bool               placed = failure->file && *failure->file;
    put_gap(h);
    const char *tag = failure->misuse ? "ERROR" : failure->flaky ? "FLAKY" : "FAIL";
    fprintf(h->out, "%s%s%s  ", h->palette->bad, tag, h->palette->plain);
    wri_escape_line(h->out, result->property);
    fputs(placed ? "  " : "  (at ", h->out);
    wri_block_place(h->out, placed ? failure->file : result->file,
                    placed ? failure->line : result->line);
    fputs(placed ? "" : ")", h->out);
    if (result->failure_count > 1)
        fprintf(h->out, "  (%zu of %zu)", i + 1, result->failure_count);
    putc('\n', h->out);
    wri_block_failure(h->out, failure, h->palette, h->style.verbose);
    put_ways(h, result, i);
    if (!h->style.verbose)
        put_more_bugs(h, result, i);
    h->blank = false;
}

/* "GAVE UP  name  sort.c:42" and why below, likewise "ERROR": bad, with no case to show. */
static void put_bad(human *h, const wri_result *result)
{
    static const char *const TAGS[] = {
        [WRI_STATUS_FAILED] = "FAIL",
        [WRI_STATUS_FLAKY] = "FLAKY",
        [WRI_STATUS_GAVE_UP] = "GAVE UP",
        [WRI_STATUS_ERROR] = "ERROR",
    };
    const char *tag = TAGS[result->status];
    put_gap(h);
    fprintf(h->out, "%s%s%s  ", h->palette->bad, tag, h->palette->plain);
    wri_escape_line(h->out, result->property);
    if (result->file != NULL && *result->file != '\0') {
        fputs("  ", h->out);
        wri_block_place(h->out, result->file, result->line);
    }
    fputs("\n  ", h->out);
    wri_escape_plain(h->out, result->why && *result->why ? result->why : "no reason given", 2);
    putc('\n', h->out);
    /* A property that gave up has told how many cases it had. */
    bool told = result->status == WRI_STATUS_GAVE_UP && !result->enumerated.asked;
    if (result->status != WRI_STATUS_ERROR && (!told || h->style.verbose)) {
        fputs("  ", h->out);
        put_counts(h, result);
        putc('\n', h->out);
    }
    h->blank = false;
}

static void put_refuters(human *h, const wri_result *result)
{
    const wri_enumerated *all = &result->enumerated;
    if (result->discarded == 0 || result->discarded < result->cases)
        return;
    fputs("  precondition: ", h->out);
    if (result->cases > 0) {
        wri_escape_decimal(h->out, (double)all->runs / (double)result->cases, 1);
        fputs(" runs for each case; ", h->out);
    }
    if (all->refuter_count == 0)
        fputs("refuted before anything was chosen", h->out);
    else
        fputs("refuted by", h->out);
    for (size_t i = 0; i < all->refuter_count && (i < MOST_REFUTERS || h->style.verbose); i++) {
        fputs(i == 0 ? " " : ", ", h->out);
        wri_escape_line(h->out, all->refuters[i].name);
        fputs(" ", h->out);
        wri_escape_decimal(h->out,
                           100 * (double)all->refuters[i].count / (double)result->discarded, 0);
        fputs("%", h->out);
    }
    putc('\n', h->out);
}

static void put_enumerated(human *h, const wri_result *result)
{
    const wri_enumerated *all = &result->enumerated;
    bool                  bad = wri_status_bad(result->status) || result->failure_count > 0;
    if (!all->asked)
        return;
    if (!bad && result->cases > 0) {
        fputs("  ", h->out);
        wri_block_enumerated(h->out, result);
        putc('\n', h->out);
    }
    for (size_t i = 0; i < all->size_count && h->style.verbose; i++) {
        const wri_size_row *row = &all->sizes[i];
        fprintf(h->out, "    size %" PRIu64 ": ", row->size);
        wri_block_count(h->out, row->cases, "case");
        fputs(", ", h->out);
        wri_block_count(h->out, row->runs, "run");
        putc('\n', h->out);
    }
    put_refuters(h, result);
}

static void put_combined(human *h, const wri_result *result)
{
    const wri_combined *all = &result->combined;
    bool early = result->failure_count > 0 && all->tuple_count > 0 && all->tuples[0].covered == 0;
    if (!all->asked || all->draws == 0 || early || result->status == WRI_STATUS_ERROR)
        return;
    fputs("  ", h->out);
    wri_block_combined(h->out, all, h->style.verbose);
    putc('\n', h->out);
    for (size_t i = 0; i < all->missed_count && h->style.verbose; i++) {
        fputs("    not reached: ", h->out);
        wri_escape_line(h->out, all->missed[i]);
        putc('\n', h->out);
    }
    if (all->candidates > 0) {
        fprintf(h->out, "  thinned: %" PRIu64 " candidates in ", all->candidates);
        wri_escape_decimal(h->out, all->thinning, 2);
        fputs(" s\n", h->out);
    }
}

static void put_stability(human *h, const wri_stability *stable)
{
    if (!stable->asked)
        return;
    fputs("  ", h->out);
    wri_block_stability(h->out, stable);
    putc('\n', h->out);
}

/* How many of the failures are errors: no bugs, but misuse. */
static size_t count_errors(const wri_result *result)
{
    size_t count = 0;
    for (size_t i = 0; i < result->failure_count; i++)
        count += result->failures[i].misuse;
    return count;
}

/* "  3 bugs in 1000 cases, 0.1 s" */
static void put_bugs(human *h, const wri_result *result)
{
    size_t bugs = result->failure_count - count_errors(result);
    if (bugs == 0 || !(result->many || h->style.verbose))
        return;
    fputs("  ", h->out);
    if (result->many) {
        wri_block_count(h->out, bugs, "bug");
        fputs(" in ", h->out);
    }
    put_counts(h, result);
    putc('\n', h->out);
}

static void put_result(human *h, const wri_result *result)
{
    bool bad = wri_status_bad(result->status) || result->failure_count > 0;
    if (h->style.quiet && !bad)
        return;
    for (size_t i = 0; i < result->failure_count; i++)
        if (result->failures[i].same_origin == 0 || h->style.verbose)
            put_failed(h, result, i);
    put_bugs(h, result);
    bool error = result->status == WRI_STATUS_ERROR && count_errors(result) == 0;
    if ((result->failure_count == 0 && bad) || error)
        put_bad(h, result);
    else if (result->status == WRI_STATUS_SKIPPED)
        put_skipped(h, result);
    else if (!bad)
        put_held(h, result);
    if (result->running)
        wri_block_running(h->out, result->running, h->palette);
    put_stability(h, &result->stable);
    put_enumerated(h, result);
    put_combined(h, result);
    put_warnings(h, result);
    if (!h->style.quiet || result->failure_count == 0) {
        put_observations(h, result);
        put_coverage(h, result);
    }
    if (bad)
        put_gap(h);
}

static void human_result(wri_reporter *self, const wri_result *result)
{
    human *h = (human *)self;
    erase_status(h);
    put_result(h, result);
    wri_report_flush(&h->base, h->out);
}

static void human_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    human *h = (human *)self;
    erase_status(h);
    if (!h->style.quiet) {
        fprintf(h->out, "%sheld%s  ", h->palette->good, h->palette->plain);
        wri_escape_line(h->out, result->property);
        fputs(": the case does not fail\n", h->out);
        wri_block_values(h->out, case_, h->palette);
        wri_block_notes(h->out, case_, h->palette);
        put_warnings(h, result);
        h->blank = false;
    }
    wri_report_flush(&h->base, h->out);
}

/* ---- The rest of the events ------------------------------------------------------------- */

static void human_begin(wri_reporter *self, const wri_run *run)
{
    human *h = (human *)self;
    h->run = *run;
    h->width = run->name_width < WIDEST_PROPERTY ? run->name_width : WIDEST_PROPERTY;
    if (!h->style.verbose || h->style.quiet)
        return;
    fprintf(h->out, "seed %" PRIu64 "%s, ", run->seed, run->seed_given ? "" : " from the clock");
    fprintf(h->out, "%zu %s\n", run->properties,
            run->properties == 1 ? "property" : "properties");
    h->blank = false;
    wri_report_flush(&h->base, h->out);
}

static void human_found(wri_reporter *self, const char *property, const wri_failure *failure)
{
    human *h = (human *)self;
    if (h->style.live || h->style.quiet)
        return;
    fprintf(h->out, "%sfound%s  ", h->palette->caution, h->palette->plain);
    wri_escape_line(h->out, property);
    fputs(": ", h->out);
    wri_escape_line(h->out, failure->message);
    if (failure->file && *failure->file) {
        fputs(" (", h->out);
        wri_block_place(h->out, failure->file, failure->line);
        putc(')', h->out);
    }
    fputs(", shrinking\n", h->out);
    h->blank = false;
    wri_report_flush(&h->base, h->out);
}

static void human_warn(wri_reporter *self, const char *line)
{
    human *h = (human *)self;
    erase_status(h);
    fprintf(h->out, "%swarning:%s ", h->palette->caution, h->palette->plain);
    wri_escape_plain(h->out, line, 9);
    putc('\n', h->out);
    h->blank = false;
    wri_report_flush(&h->base, h->out);
}

static void human_remark(wri_reporter *self, const char *property, const char *line)
{
    human *h = (human *)self;
    if (!h->style.verbose || h->style.quiet)
        return;
    erase_status(h);
    fputs(h->palette->dim, h->out);
    wri_escape_line(h->out, property);
    fputs(": ", h->out);
    wri_escape_line(h->out, line);
    fprintf(h->out, "%s\n", h->palette->plain);
    h->blank = false;
    wri_report_flush(&h->base, h->out);
}

/* The assertions that miss something; with --verbose all of them. */
static void human_assertions(wri_reporter *self, const wri_assertion *assertions, size_t count,
                             bool failing)
{
    human *h = (human *)self;
    erase_status(h);
    for (size_t i = 0; i < count; i++) {
        const wri_assertion *at = &assertions[i];
        if (at->unmet && (failing || !h->style.quiet)) {
            fprintf(h->out, "%s%s%s ", failing ? h->palette->bad : h->palette->caution,
                    failing ? "FAIL " : "warning:", h->palette->plain);
            wri_block_unmet(h->out, at);
            putc('\n', h->out);
        } else if (h->style.verbose) {
            fprintf(h->out, "%s: ", at->sort);
            wri_escape_label(h->out, at->label);
            fputs(" (", h->out);
            wri_block_place(h->out, at->file, at->line);
            fprintf(h->out, "), reached in %" PRIu64 ", true in %" PRIu64 ", false in ",
                    at->reached, at->yes);
            wri_block_count(h->out, at->no, "case");
            putc('\n', h->out);
        }
    }
    h->blank = false;
    wri_report_flush(&h->base, h->out);
}

static void put_tallies(FILE *out, const wri_summary *s)
{
    const struct {
        size_t      count;
        const char *word;
    } tallies[] = { { s->held, "held" },
                    { s->failed, "failed" },
                    { s->flaky, "flaky" },
                    { s->gave_up, "gave up" },
                    { s->errors, "in error" },
                    { s->skipped, "skipped" },
                    { s->interrupted, "interrupted" },
                    { s->not_run, "not run" },
                    { s->unmet, s->unmet == 1 ? "assertion unmet" : "assertions unmet" } };
    const char *comma = "";
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        if (tallies[i].count > 0) {
            fprintf(out, "%s%zu %s", comma, tallies[i].count, tallies[i].word);
            comma = ", ";
        }
    if (!*comma)
        fputs("nothing was run", out);
}

static void human_end(wri_reporter *self, const wri_summary *summary)
{
    human *h = (human *)self;
    bool   bad = summary->failed || summary->flaky || summary->gave_up || summary->errors ||
               summary->unmet;
    erase_status(h);
    if (bad || !h->style.quiet) {
        fputs(bad                ? h->palette->bad
              : summary->stopped ? h->palette->caution
                                 : h->palette->good,
              h->out);
        put_tallies(h->out, summary);
        fprintf(h->out, "%s in ", h->palette->plain);
        wri_block_seconds(h->out, summary->seconds);
        fprintf(h->out, "; seed %" PRIu64, h->run.seed);
        if (h->run.shards > 0)
            fprintf(h->out, "; shard %u of %u", h->run.shard, h->run.shards);
        fputs(summary->stopped ? "; stopped\n" : "\n", h->out);
    }
    wri_report_flush(&h->base, h->out);
}

static void human_free(wri_reporter *self)
{
    human *h = (human *)self;
    erase_status(h);
    fflush(h->out);
    free(h);
}

wri_reporter *wri_human_new(FILE *out, wri_style style)
{
    human *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->base = (wri_reporter){ .begin = human_begin,
                              .progress = human_progress,
                              .found = human_found,
                              .result = human_result,
                              .warn = human_warn,
                              .remark = human_remark,
                              .replayed = human_replayed,
                              .assertions = human_assertions,
                              .end = human_end,
                              .free = human_free };
    h->out = out;
    h->style = style;
    h->palette = wri_palette_of(style.color);
    h->blank = true;
    return &h->base;
}
