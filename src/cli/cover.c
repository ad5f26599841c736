/* cli/cover.c: the command `warren cover`.
 *
 * It reads a model, hands rows to a writer as they come, and says on standard error how many
 * there are and why. The rooms of cover/ decide on the rows.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cover_options.h"
#include "cli/cover_page.h"
#include "cli/commands.h"
#include "cover/produce.h"
#include "cover/language/read.h"
#include "cover/language/rows.h"
#include "cover/language/write.h"

static volatile bool interrupted;
static const char *volatile behind[2]; /* files that are not complete yet: they go with us */

static void give_up(int signal_number)
{
    for (int i = 0; i < 2; i++)
        if (behind[i])
            unlink(behind[i]);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The first interrupt ends the search for fewer rows; the second ends the program. */
static void interrupt(int signal_number)
{
    if (interrupted)
        give_up(signal_number);
    interrupted = true;
}

static void catch_signals(void)
{
    struct sigaction ask = { .sa_handler = interrupt }, end = { .sa_handler = give_up };
    sigaction(SIGINT, &ask, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGPIPE, &end, NULL);
}

static int cannot(const char *why)
{
    fprintf(stderr, "warren cover: %s\n", why);
    return WRI_CANNOT;
}

static bool begins_with(const char *text, const char *path)
{
    return path && strncmp(text, path, strlen(path)) == 0 && text[strlen(path)] == ':';
}

/* A complaint that names a place in a file stands alone, as compilers have it. A file that cannot
 * be used is the command's complaint; any other is the model's. */
static int refuse(const wri_cover_options *o, const wrc_complaint *complaint)
{
    if (strstr(complaint->text, ": cannot be read: ") ||
        strstr(complaint->text, ": cannot be written: "))
        return cannot(complaint->text);
    const char *const FILES[] = { o->model,  o->constraints, o->keep, o->measure,
                                  o->output, o->infeasible,  o->html };
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        if (begins_with(complaint->text, FILES[i]) || strstr(complaint->text, ".constraints:")) {
            fprintf(stderr, "%s\n", complaint->text);
            return WRI_CANNOT;
        }
    fprintf(stderr, "%s: %s\n", o->model ? o->model : o->measure, complaint->text);
    return WRI_CANNOT;
}

/* ---- Where rows go --------------------------------------------------------------------------
 */

/* A regular file is written beside its place and takes it when it is complete. A terminal or a
 * pipe is written directly. */
typedef struct output {
    const char *path; /* NULL: standard output */
    char       *beside;
    FILE       *file;
} output;

static bool output_failed(output *out, wrc_complaint *complaint)
{
    wrc_model_complain(complaint, "%.200s: cannot be written: %s",
                       out->path ? out->path : "standard output", strerror(errno));
    if (out->file && out->file != stdout)
        fclose(out->file);
    if (out->beside)
        unlink(out->beside);
    free(out->beside);
    *out = (output){ 0 };
    return false;
}

static bool open_beside(output *out)
{
    size_t length = strlen(out->path);
    mode_t mask = umask(0);
    umask(mask);
    out->beside = malloc(length + 8);
    if (!out->beside)
        return false;
    memcpy(out->beside, out->path, length);
    strcpy(out->beside + length, ".XXXXXX");
    int descriptor = mkstemp(out->beside);
    if (descriptor < 0) {
        free(out->beside);
        out->beside = NULL;
        return false;
    }
    fchmod(descriptor, 0666 & ~mask);
    out->file = fdopen(descriptor, "w");
    return out->file != NULL;
}

static bool output_open(output *out, const char *path, wrc_complaint *complaint)
{
    struct stat status;
    *out = (output){ .path = path, .file = stdout };
    if (!path || strcmp(path, "-") == 0)
        return true;
    out->file = NULL;
    bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (direct)
        out->file = fopen(path, "w");
    else
        open_beside(out);
    return out->file != NULL || output_failed(out, complaint);
}

static bool output_close(output *out, wrc_complaint *complaint)
{
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    if (written && out->beside)
        written = fsync(fileno(out->file)) == 0;
    if (!written)
        return output_failed(out, complaint);
    if (out->file != stdout && fclose(out->file) != 0) {
        out->file = NULL;
        return output_failed(out, complaint);
    }
    out->file = NULL;
    if (out->beside && rename(out->beside, out->path) != 0)
        return output_failed(out, complaint);
    free(out->beside);
    out->beside = NULL;
    return true;
}

static void output_abandon(output *out)
{
    if (out->file && out->file != stdout)
        fclose(out->file);
    if (out->beside)
        unlink(out->beside);
    free(out->beside);
    *out = (output){ 0 };
}

/* ---- The model ------------------------------------------------------------------------------
 */

static void remark(const wri_cover_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void remark(const wri_cover_options *options, const char *format, ...)
{
    va_list values;
    if (options->quiet)
        return;
    va_start(values, format);
    fputs("warren cover: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

static void remark_on_rows(const wri_cover_options *options, const wrc_rows *rows)
{
    if (rows->ignored > 0 || rows->unknown > 0)
        remark(options, "%s (%" PRIu64 " column%s ignored, %" PRIu64 " cell%s left open)",
               rows->example, rows->ignored, rows->ignored == 1 ? "" : "s", rows->unknown,
               rows->unknown == 1 ? "" : "s");
}

static bool keep_rows(const wri_cover_options *options, wrc_model *model,
                      wrc_complaint *complaint)
{
    wrc_rows rows;
    if (!options->keep)
        return true;
    if (!wrc_rows_read(model, options->keep, &rows, complaint))
        return false;
    remark_on_rows(options, &rows);
    bool fine = wrc_rows_keep(model, &rows, complaint);
    wrc_rows_free(&rows);
    return fine;
}

static wrc_model *read_model(const wri_cover_options *options, wrc_complaint *complaint)
{
    wrc_asked  asked = { (uint32_t)options->strength, options->case_sensitive };
    wrc_model *model = wrc_read_model(options->model, options->constraints, asked, complaint);
    for (uint32_t i = 0; model && i < model->remark_count; i++)
        remark(options, "%s", model->remarks[i]);
    return model;
}

/* ---- The summary ----------------------------------------------------------------------------
 */

static const char *row_or_rows(uint64_t count)
{
    return count == 1 ? "row" : "rows";
}

static void tell_bound(const wrc_built *built)
{
    const char *reason = built->bound_reason ? built->bound_reason : "";
    if (built->rows <= built->lower_bound)
        fprintf(stderr, "%" PRIu64 " %s: there are no fewer (%s)\n", built->rows,
                row_or_rows(built->rows), reason);
    else if (built->lower_bound > 0)
        fprintf(stderr,
                "%" PRIu64 " rows; at least %" PRIu64 " %s needed (%s): a gap of %.1f %%\n",
                built->rows, built->lower_bound, built->lower_bound == 1 ? "is" : "are", reason,
                100.0 * (double)(built->rows - built->lower_bound) / (double)built->lower_bound);
    else
        fprintf(stderr, "%" PRIu64 " %s\n", built->rows, row_or_rows(built->rows));
}

static void tell_tuples(const wrc_coverage *coverage)
{
    fprintf(stderr, "%" PRIu64 " tuples: %" PRIu64 " covered, %" PRIu64 " infeasible",
            coverage->tuples, coverage->covered, coverage->infeasible);
    if (coverage->infeasible > coverage->searched)
        fprintf(stderr, " (%" PRIu64 " of them on the solver's word)",
                coverage->infeasible - coverage->searched);
    fprintf(stderr, ", %" PRIu64 " missing\n", coverage->missing);
}

static void tell_effort(const wri_cover_options *options, const wrc_outcome *outcome)
{
    const wrc_built *built = &outcome->built;
    fprintf(stderr, "method: %s", built->method ? built->method : "none");
    if (outcome->split > 0)
        fprintf(stderr, "; %u parameters as digits, base %u", outcome->split, outcome->base);
    if (built->kept > 0)
        fprintf(stderr, "; %" PRIu64 " %s kept", built->kept, row_or_rows(built->kept));
    if (built->moves > 0)
        fprintf(stderr, "; %" PRIu64 " moves", built->moves);
    if (built->moves > 0 && (options->optimise_ms || interrupted))
        fprintf(stderr, " (again: --seed %" PRIu64 " --moves %" PRIu64 ")", options->seed,
                built->moves);
    fputc('\n', stderr);
}

static void tell_missing(const wrc_model *model, const wrc_coverage *coverage)
{
    wrc_tuple tuple;
    for (size_t at = 0; model && wrc_coverage_missing(coverage, &at, &tuple);) {
        char text[256];
        wrc_write_tuple(model, &tuple, text, sizeof text);
        fprintf(stderr, "missing: %s\n", text);
    }
}

static bool all_well(const wrc_outcome *outcome)
{
    const wrc_faults *f = &outcome->faults;
    return !outcome->checked ||
           (outcome->coverage.missing == 0 && f->broken == 0 && f->crowded == 0 && f->open == 0);
}

static void remark_on_absent(const wri_cover_options *options, const wrc_model *model,
                             wrc_outcome *outcome)
{
    uint64_t  count = outcome->absent;
    uint32_t  named = outcome->absent_named;
    wrc_tuple values = { named, outcome->absent_columns, outcome->absent_levels };
    char      text[1024], more[40] = "";
    wrc_write_tuple(model, &values, text, sizeof text);
    if (count > named)
        snprintf(more, sizeof more, " and %" PRIu64 " more", count - named);
    if (count > 0)
        remark(options, "no row has %s, for the constraints exclude %s: %s%s",
               count == 1 ? "this value" : "any of these values", count == 1 ? "it" : "them",
               text, more);
}

static void summarise(const wri_cover_options *options, const wrc_model *model,
                      wrc_outcome *outcome)
{
    remark_on_absent(options, model, outcome);
    if (outcome->built.skipped > 0)
        remark(options, "%" PRIu64 " kept %s a constraint or %s two invalid values",
               outcome->built.skipped,
               outcome->built.skipped == 1 ? "row is left out: it breaks"
                                           : "rows are left out: they break",
               outcome->built.skipped == 1 ? "has" : "have");
    if (options->quiet)
        return;
    tell_bound(&outcome->built);
    if (outcome->checked)
        tell_tuples(&outcome->coverage);
    else if (outcome->uncounted)
        fputs("tuples: not counted, for that takes longer than building (--verify counts them)\n",
              stderr);
    if (options->verify && outcome->checked && all_well(outcome))
        fputs("verified: every row and every tuple, by independent code\n", stderr);
    tell_effort(options, outcome);
}

/* ---- Building -------------------------------------------------------------------------------
 */

/* A row goes to the file, and to the page if there is one. */
typedef struct destination {
    wrc_writer     writer;
    wri_cover_page page; /* path NULL: there is none */
} destination;

static bool write_row(void *state, const uint32_t *row)
{
    destination *to = state;
    if (to->page.path)
        wri_cover_page_row(&to->page, row);
    return wrc_writer_row(&to->writer, row);
}

static uint32_t strength_of(const wri_cover_options *options, const wrc_model *model)
{
    return options->strength ? (uint32_t)options->strength
                             : wrc_model_strongest(model->relations, model->relation_count);
}

static void write_tuple(void *state, const wrc_model *model, const wrc_tuple *tuple)
{
    char text[1024];
    wrc_write_tuple(model, tuple, text, sizeof text);
    fprintf(state, "%s\n", text);
}

static void announce(void *state, uint64_t rows)
{
    const wri_cover_options *options = state;
    remark(options, "%" PRIu64 " rows follow%s", rows,
           options->radix ? "" : "; --radix auto makes fewer");
}

static wrc_demand demand_of(const wri_cover_options *options, FILE *infeasible)
{
    return (wrc_demand){
        .effort = { .seed = options->seed,
                    .moves = options->moves,
                    .seconds = (double)options->optimise_ms / 1000,
                    .stop = &interrupted,
                    .announce = announce,
                    .announce_state = (void *)options },
        .radix = options->radix > 0,
        .radix_base = options->radix > 1 ? (uint32_t)options->radix : 0,
        .radix_no_local = options->no_local,
        .verify = options->verify || infeasible,
        .count = !options->quiet,
        .absent = !options->quiet,
        .infeasible = infeasible ? write_tuple : NULL,
        .infeasible_state = infeasible,
    };
}

static bool write_rows(const wri_cover_options *options, const wrc_model *model, FILE *out,
                       FILE *infeasible, wrc_outcome *outcome, wrc_complaint *complaint)
{
    destination to = { .page = { .model = model, .path = options->html } };
    wrc_demand  demand = demand_of(options, infeasible);
    if (!wrc_writer_open(&to.writer, out, model, (wrc_format)options->format,
                         model->parameter_count, complaint))
        return false;
    bool fine = wrc_produce(model, &demand, write_row, &to, outcome, complaint);
    fine =
        wrc_writer_close(&to.writer, fine) && fine; /* the output says what failed in writing */
    to.page.strength = strength_of(options, model);
    to.page.method = outcome->built.method;
    to.page.lower_bound = outcome->built.lower_bound;
    if (fine && options->html)
        fine = wri_cover_page_write(&to.page, complaint);
    wri_cover_page_free(&to.page);
    return fine;
}

static int build(const wri_cover_options *options, wrc_model *model, wrc_complaint *complaint)
{
    output      rows, infeasible = { 0 };
    wrc_outcome outcome;
    if (!keep_rows(options, model, complaint) || !output_open(&rows, options->output, complaint))
        return refuse(options, complaint);
    if (options->infeasible && !output_open(&infeasible, options->infeasible, complaint)) {
        output_abandon(&rows);
        return refuse(options, complaint);
    }
    behind[0] = rows.beside;
    behind[1] = infeasible.beside;
    catch_signals();
    complaint->text[0] = '\0';
    bool fine = write_rows(options, model, rows.file, infeasible.file, &outcome, complaint);
    bool told = complaint->text[0] != '\0';
    fine = fine || (!told && ferror(rows.file)); /* closing says what it was */
    behind[0] = behind[1] = NULL;
    if (fine)
        fine = output_close(&rows, complaint);
    if (fine && infeasible.file)
        fine = output_close(&infeasible, complaint);
    output_abandon(&rows);
    output_abandon(&infeasible);
    if (!fine) {
        wrc_coverage_free(&outcome.coverage);
        return refuse(options, complaint);
    }
    summarise(options, model, &outcome);
    bool well = all_well(&outcome);
    if (!well)
        tell_missing(model->compound_count || outcome.split ? NULL : model, &outcome.coverage);
    wrc_coverage_free(&outcome.coverage);
    if (!well)
        fputs("warren cover: the rows are wrong: this is a defect of Warren\n", stderr);
    return !well ? 1 : interrupted && !options->optimise_ms ? 130 : 0;
}

/* ---- Measuring ------------------------------------------------------------------------------
 */

enum { USUALLY_MISSING = 20 }; /* tuples that are listed for a reader */

typedef struct telling {
    const wrc_model *model;
    bool             json;
    bool             more; /* this is not the first */
} telling;

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 100 : 100.0 * (double)part / (double)whole;
}

static void tell_json(telling *t, const wrc_coverage *c)
{
    printf("%s\n  {\"strength\": %u, \"combinations\": %" PRIu64 ", \"tuples\": %" PRIu64
           ", \"covered\": %" PRIu64 ", \"infeasible\": %" PRIu64 ", \"missing\": %" PRIu64
           ",\n   \"percent\": %.4f, \"combinations_at_least\": {",
           t->more ? "," : "[", c->strength, c->combinations, c->tuples, c->covered,
           c->infeasible, c->missing, percent(c->covered, c->tuples - c->infeasible));
    for (int i = 0; i <= 100; i += 5)
        printf("%s\"%d\": %" PRIu64, i ? ", " : "", i, c->at_least[i]);
    fputs("},\n   \"missing_tuples\": [", stdout);
    wrc_tuple tuple;
    for (size_t at = 0, begun = 0; wrc_coverage_missing(c, &at, &tuple); begun = 1) {
        fputs(begun ? ", " : "", stdout);
        wrc_write_tuple_json(t->model, &tuple, stdout);
    }
    fputs("]}", stdout);
    t->more = true;
}

static void tell_text(const telling *t, const wrc_coverage *c)
{
    printf("strength %u: %.2f %% of %" PRIu64 " tuples covered, %" PRIu64 " missing, %" PRIu64
           " infeasible\n",
           c->strength, percent(c->covered, c->tuples - c->infeasible), c->tuples - c->infeasible,
           c->missing, c->infeasible);
    printf("  of %" PRIu64 " combinations of parameters", c->combinations);
    for (int i = 100; i >= 25; i -= 25)
        printf("%s %.2f %% have %d %%", i == 100 ? "" : ",",
               percent(c->at_least[i], c->combinations), i);
    fputs(" or more of their tuples\n", stdout);
    wrc_tuple tuple;
    for (size_t at = 0; wrc_coverage_missing(c, &at, &tuple);) {
        char text[1024];
        wrc_write_tuple(t->model, &tuple, text, sizeof text);
        printf("  missing: %s\n", text);
    }
    if (c->missing > c->shown)
        printf("  and %" PRIu64 " more\n", c->missing - c->shown);
}

static void tell_coverage(void *state, const wrc_coverage *coverage)
{
    telling *t = state;
    if (t->json)
        tell_json(t, coverage);
    else
        tell_text(t, coverage);
}

static void remark_on_faults(const wri_cover_options *options, const wrc_faults *faults)
{
    if (faults->broken > 0)
        remark(options, "%" PRIu64 " %s a constraint", faults->broken,
               faults->broken == 1 ? "row breaks" : "rows break");
    if (faults->crowded > 0)
        remark(options, "%" PRIu64 " %s more than one invalid value, and %s nothing",
               faults->crowded, faults->crowded == 1 ? "row has" : "rows have",
               faults->crowded == 1 ? "covers" : "cover");
}

static int measure_rows(const wri_cover_options *options, const wrc_model *model,
                        const wrc_rows *rows, wrc_complaint *complaint)
{
    bool       json = options->format == WRC_FORMAT_JSON;
    telling    t = { model, json, false };
    wrc_faults faults;
    uint32_t   strength = strength_of(options, model);
    uint64_t   missing =
        options->missing != UINT64_MAX || json ? options->missing : USUALLY_MISSING;
    remark_on_rows(options, rows);
    if (!json)
        printf("%" PRIu64 " %s\n", rows->count, row_or_rows(rows->count));
    bool fine = wrc_produce_measure(model, rows->cells, rows->count, strength, missing,
                                    tell_coverage, &t, &faults, complaint);
    if (json && t.more)
        puts("\n]");
    wri_cover_page page = { .model = model,
                            .path = options->html,
                            .strength = strength,
                            .cells = rows->cells,
                            .rows = rows->count };
    if (fine && options->html)
        fine = wri_cover_page_write(&page, complaint);
    if (!fine)
        return refuse(options, complaint);
    remark_on_faults(options, &faults);
    return fflush(stdout) == 0 ? 0 : cannot("the output cannot be written");
}

/* The model is read first; without one, the rows make it. */
static int measure(const wri_cover_options *options, wrc_complaint *complaint)
{
    size_t     size = 0;
    wrc_rows   rows = { 0 };
    int        status = WRI_CANNOT;
    wrc_model *model = options->model ? read_model(options, complaint) : NULL;
    char      *text =
        !options->model || model ? wrc_read_file(options->measure, &size, complaint) : NULL;
    if (text && !options->model)
        model =
            wrc_rows_model(options->measure, text, size, (uint32_t)options->strength, complaint);
    if (text && model && wrc_rows_parse(model, options->measure, text, size, &rows, complaint))
        status = measure_rows(options, model, &rows, complaint);
    else
        refuse(options, complaint);
    wrc_rows_free(&rows);
    wrc_model_free(model);
    free(text);
    return status;
}

int wri_cover_command(int argc, char **argv)
{
    wri_cover_options options;
    wrc_complaint     complaint = { "" };
    char              error[256];
    if (!wri_cover_options_read(&options, argc, argv, error, sizeof error))
        return cannot(error);
    if (options.help) {
        wri_cover_help(stdout);
        return fflush(stdout) == 0 ? 0 : cannot("the output cannot be written");
    }
    if (options.measure)
        return measure(&options, &complaint);
    wrc_model *model = read_model(&options, &complaint);
    if (!model)
        return refuse(&options, &complaint);
    int status = build(&options, model, &complaint);
    wrc_model_free(model);
    return status;
}
