/* report/json.c: one JSON object a line for each property, and nothing else on that stream.
 *
 * Each line is flushed, so a reader can take lines as they come. Warnings that are not about one
 * property go to stderr. Later versions add fields, and never remove one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "report/block.h"
#include "report/escape.h"

/* Seconds from one line of progress to the next: whoever reads them shows them to a person. */
#define BETWEEN 0.25

typedef struct json {
    wri_reporter base;
    FILE        *out;
    double       told; /* when there was a line of progress */
} json;

/* The n-th object of a list, up to its first member. */
static void open_object(FILE *out, size_t n, const char *name, const char *text)
{
    fprintf(out, "%s{\"%s\": ", n > 0 ? ", " : "", name);
    wri_escape_json(out, text);
}

/* ,"name": */
static void put_name(FILE *out, const char *name)
{
    fprintf(out, ", \"%s\": ", name);
}

static void put_string(FILE *out, const char *name, const char *text)
{
    put_name(out, name);
    wri_escape_json(out, text);
}

static void put_number(FILE *out, const char *name, uint64_t number)
{
    put_name(out, name);
    fprintf(out, "%" PRIu64, number);
}

static void put_key(FILE *out, const char *name, uint64_t key)
{
    put_name(out, name);
    fprintf(out, "\"%016" PRIx64 "\"", key);
}

static void put_boolean(FILE *out, const char *name, bool value)
{
    put_name(out, name);
    fputs(value ? "true" : "false", out);
}

/* , "name": [ */
static void open_list(FILE *out, const char *name, char bracket)
{
    put_name(out, name);
    putc(bracket, out);
}

static void put_list(FILE *out, const char *name, const char *const *texts, size_t count)
{
    open_list(out, name, '[');
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        wri_escape_json(out, texts[i]);
    }
    putc(']', out);
}

/* The values, notes and output of a case. */
static void put_case(FILE *out, const wri_failure *case_)
{
    fputs("\"values\": {", out);
    for (size_t i = 0; i < case_->value_count; i++) {
        fputs(i ? ", " : "", out);
        wri_escape_json(out, case_->values[i].name);
        fputs(": ", out);
        wri_escape_json(out, case_->values[i].text);
    }
    putc('}', out);
    if (case_->values_lost > 0)
        put_number(out, "values_lost", case_->values_lost);
    put_list(out, "notes", case_->notes, case_->note_count);
    put_string(out, "output", case_->output);
}

static uint64_t line_number(int line)
{
    return line > 0 ? (uint64_t)line : 0;
}

/* A case that did not end when the run was to stop. */
static void put_running(FILE *out, const wri_failure *running)
{
    put_name(out, "running");
    fputs("{\"message\": ", out);
    wri_escape_json(out, running->message);
    put_string(out, "file", wri_block_file(running->file));
    put_number(out, "line", line_number(running->line));
    put_string(out, "function", running->function);
    fputs(", ", out);
    put_case(out, running);
    put_string(out, "replay", running->replay);
    put_string(out, "token", running->token);
    putc('}', out);
}

/* A machine's members of a failure. */
static void put_calls(FILE *out, const wri_failure *failure)
{
    if (failure->rule)
        put_string(out, "rule", failure->rule);
    put_number(out, "calls_found", failure->calls_found);
    put_number(out, "calls_before", failure->calls_before);
    put_number(out, "calls_after", failure->calls_after);
    if (failure->possibly > 0)
        put_number(out, "possibly", failure->possibly);
    if (failure->unexplained > 0)
        put_number(out, "unexplained", failure->unexplained);
    if (failure->same_origin > 0)
        put_number(out, "same_origin", failure->same_origin);
}

/* The members of a failure. The object stays open. */
static void open_failure(FILE *out, size_t n, const wri_failure *failure)
{
    open_object(out, n, "message", failure->message);
    put_string(out, "kind", failure->kind);
    put_string(out, "file", wri_block_file(failure->file));
    put_number(out, "line", line_number(failure->line));
    if (failure->function && *failure->function)
        put_string(out, "function", failure->function);
    fputs(", ", out);
    put_case(out, failure);
    put_string(out, "replay", failure->replay);
    put_string(out, "token", failure->token);
    if (failure->key != 0)
        put_key(out, "bug", failure->key);
    if (failure->stored)
        put_string(out, "stored", failure->stored);
    put_number(out, "executions_before", failure->executions_before);
    put_number(out, "executions_after", failure->executions_after);
    put_number(out, "seen", failure->seen);
    put_number(out, "choices_before", failure->first_choices);
    put_number(out, "choices", failure->choices);
    if (failure->sized)
        put_number(out, "size", failure->size);
    put_boolean(out, "from_store", failure->from_store);
    if (failure->example_file != NULL) {
        put_string(out, "example_file", wri_block_file(failure->example_file));
        put_number(out, "example_line", line_number(failure->example_line));
    }
    if (failure->reason)
        put_string(out, "why", failure->reason);
    put_boolean(out, "unfinished", failure->unfinished);
    put_boolean(out, "flaky", failure->flaky);
    if (failure->flaky_why && *failure->flaky_why)
        put_string(out, "flaky_why", failure->flaky_why);
    if (failure->counted)
        put_calls(out, failure);
}

/* The further failures that are ways of the one of this number, from 1; 0: that are of none. */
static void put_behind(FILE *out, const char *name, const wri_result *result, size_t way_of)
{
    size_t count = 0;
    for (size_t i = 0; i < result->subsumed_count; i++) {
        const wri_failure *behind = &result->failures[result->failure_count + i];
        if (behind->way_of != way_of)
            continue;
        if (count == 0)
            open_list(out, name, '[');
        open_failure(out, count++, behind);
        putc('}', out);
    }
    if (count > 0)
        putc(']', out);
}

static void put_failure(FILE *out, size_t n, const wri_result *result, size_t at)
{
    open_failure(out, n, &result->failures[at]);
    put_behind(out, "ways", result, at + 1);
    putc('}', out);
}

static void put_failures(FILE *out, const wri_result *result)
{
    if (result->failure_count > 0) {
        open_list(out, "failures", '[');
        for (size_t i = 0; i < result->failure_count; i++)
            put_failure(out, i, result, i);
        putc(']', out);
        put_name(out, "failure");
        put_failure(out, 0, result, 0);
    }
    put_behind(out, "subsumed", result, 0);
}

/* A member of an object, the first or a later one, whose name is not ours. */
static void put_count(FILE *out, size_t number, const char *name, uint64_t count)
{
    fputs(number > 0 ? ", " : "", out);
    wri_escape_json(out, name);
    fprintf(out, ": %" PRIu64, count);
}

static void put_labels(FILE *out, const char *name, const wri_label_count *rows, size_t count)
{
    open_list(out, name, '{');
    for (size_t i = 0; i < count; i++)
        put_count(out, i, rows[i].label, rows[i].cases);
    putc('}', out);
}

static void put_decimal(FILE *out, const char *name, double number, unsigned digits)
{
    put_name(out, name);
    wri_escape_decimal(out, number, digits);
}

static void put_stability(FILE *out, const wri_stability *stable)
{
    put_name(out, "stable");
    fprintf(out, "{\"reached\": %s", stable->reached ? "true" : "false");
    put_number(out, "cases", stable->cases);
    put_number(out, "last", stable->last);
    put_number(out, "features", stable->features);
    put_decimal(out, "unseen", stable->unseen, 1);
    put_decimal(out, "probability", stable->probability, 9);
    put_decimal(out, "bound", stable->bound, 9);
    putc('}', out);
}

static void put_size_row(FILE *out, const wri_size_row *row)
{
    fprintf(out, "{\"size\": %" PRIu64, row->size);
    put_number(out, "cases", row->cases);
    if (row->values != UINT64_MAX)
        put_number(out, "values", row->values);
    put_number(out, "runs", row->runs);
    putc('}', out);
}

/* Objects of one strength each, and the words of what was not reached. */
static void put_combined(FILE *out, const wri_combined *all)
{
    put_name(out, "combinations");
    fprintf(out, "{\"draws\": %u", all->draws);
    open_list(out, "strengths", '[');
    for (unsigned i = 0; i < all->tuple_count; i++) {
        const wri_tuples *of = &all->tuples[i];
        fprintf(out, "%s{\"strength\": %u", i ? ", " : "", of->strength);
        put_number(out, "covered", of->covered);
        put_number(out, "not_reached", of->missed);
        put_number(out, "impossible", of->infeasible);
        put_number(out, "left", of->left);
        if (of->left == 0)
            put_number(out, "rows", of->rows);
        putc('}', out);
    }
    putc(']', out);
    put_number(out, "rows", all->rows);
    put_number(out, "steps", all->steps);
    put_number(out, "boundaries", all->boundaries);
    put_number(out, "substitutions", all->sites);
    put_number(out, "candidates", all->candidates);
    open_list(out, "not_reached", '[');
    for (size_t i = 0; i < all->missed_count; i++) {
        fputs(i ? ", " : "", out);
        wri_escape_json(out, all->missed[i]);
    }
    fputs("]}", out);
}

/* What a long run has tried. */
static void put_surety(FILE *out, const wri_surety *sure)
{
    put_name(out, "tried");
    fprintf(out, "{\"draws\": %u", sure->draws);
    if (sure->draws > 0) {
        put_number(out, "strength", sure->tuples.strength);
        put_number(out, "covered", sure->tuples.covered);
        put_number(out, "left", sure->tuples.left + sure->tuples.missed);
    }
    if (sure->sized) {
        put_number(out, "size", sure->size);
        put_number(out, "values", sure->values);
    }
    if (sure->shown)
        put_decimal(out, "probability", sure->fresh, 9);
    put_number(out, "never", sure->never);
    if (sure->next != NULL)
        put_string(out, "next", sure->next);
    putc('}', out);
}

static void put_enumerated(FILE *out, const wri_result *result)
{
    const wri_enumerated *all = &result->enumerated;
    put_name(out, "enumeration");
    fprintf(out, "{\"exhausted\": %s", all->exhausted ? "true" : "false");
    if (all->exhausted)
        put_number(out, all->by_depth ? "depth" : "size", all->bound);
    put_number(out, "cases", all->cases > 0 ? all->cases : result->cases);
    if (all->values != UINT64_MAX)
        put_number(out, "values", all->values);
    put_number(out, "runs", all->runs);
    put_number(out, "refuted", result->discarded);
    open_list(out, "sizes", '[');
    for (size_t i = 0; i < all->size_count; i++) {
        fputs(i ? ", " : "", out);
        put_size_row(out, &all->sizes[i]);
    }
    putc(']', out);
    open_list(out, "refuters", '{');
    for (size_t i = 0; i < all->refuter_count; i++)
        put_count(out, i, all->refuters[i].name, all->refuters[i].count);
    putc('}', out);
    open_list(out, "workers", '[');
    for (size_t i = 0; i < all->worker_count; i++)
        fprintf(out, "%s%" PRIu64, i ? ", " : "", all->workers[i]);
    fputs("]}", out);
}

static void put_lines(FILE *out, const char *name, const wri_code_line *lines, size_t count)
{
    open_list(out, name, '[');
    for (size_t i = 0; i < count; i++) {
        open_object(out, i, "function", lines[i].function);
        put_string(out, "file", wri_block_file(lines[i].file));
        put_number(out, "line", line_number(lines[i].line));
        put_number(out, "cases", lines[i].cases);
        putc('}', out);
    }
    putc(']', out);
}

/* Only where code is instrumented. */
static void put_coverage(FILE *out, const wri_code_covered *code)
{
    if (code->known == 0)
        return;
    put_name(out, "coverage");
    fprintf(out, "{\"known\": %" PRIu64, code->known);
    put_number(out, "covered", code->covered);
    put_lines(out, "uncovered", code->uncovered, code->uncovered_count);
    put_lines(out, "rare", code->rare, code->rare_count);
    putc('}', out);
}

static void put_tables(FILE *out, const wri_result *result)
{
    open_list(out, "tables", '[');
    for (size_t i = 0; i < result->table_count; i++) {
        const wri_table *table = &result->tables[i];
        open_object(out, i, "name", table->name);
        put_labels(out, "rows", table->rows, table->row_count);
        putc('}', out);
    }
    putc(']', out);
}

static void put_covers(FILE *out, const wri_result *result)
{
    open_list(out, "cover", '[');
    for (size_t i = 0; i < result->cover_count; i++) {
        const wri_cover *cover = &result->covers[i];
        open_object(out, i, "label", cover->label);
        put_string(out, "file", wri_block_file(cover->file));
        put_number(out, "line", line_number(cover->line));
        put_name(out, "wanted");
        wri_escape_real(out, cover->wanted);
        put_number(out, "cases", cover->cases);
        put_name(out, "low");
        wri_escape_decimal(out, cover->low, 3);
        put_name(out, "high");
        wri_escape_decimal(out, cover->high, 3);
        put_boolean(out, "missed", cover->missed);
        putc('}', out);
    }
    putc(']', out);
}

static void put_assertions(FILE *out, const wri_result *result)
{
    open_list(out, "assertions", '[');
    for (size_t i = 0; i < result->assertion_count; i++) {
        const wri_assertion *assertion = &result->assertions[i];
        open_object(out, i, "label", assertion->label);
        put_string(out, "sort", assertion->sort);
        put_string(out, "file", wri_block_file(assertion->file));
        put_number(out, "line", line_number(assertion->line));
        put_number(out, "reached", assertion->reached);
        put_number(out, "true", assertion->yes);
        put_number(out, "false", assertion->no);
        putc('}', out);
    }
    putc(']', out);
}

/* JSON has no infinity. */
static void put_slots(FILE *out, const wri_result *result)
{
    open_list(out, "slots", '[');
    for (size_t i = 0; i < result->best_count; i++) {
        const wri_best *best = &result->bests[i];
        open_object(out, i, "name", best->name);
        put_string(out, "goal", best->least ? "minimise" : "maximise");
        put_name(out, "best");
        if (isfinite(best->value))
            wri_escape_real(out, best->value);
        else
            fputs("null", out);
        putc('}', out);
    }
    putc(']', out);
}

static void put_machine(FILE *out, const wri_machine_effort *machine)
{
    put_number(out, "calls", machine->calls);
    put_number(out, "patterns", machine->patterns);
    put_boolean(out, "saturated", machine->saturated);
}

/* All but the closing brace. */
static void put_result(FILE *out, const wri_result *result)
{
    open_object(out, 0, "property", result->property);
    put_string(out, "status", wri_status_name(result->status));
    put_number(out, "cases", result->cases);
    if (result->aside > 0)
        put_number(out, "sample", result->cases - result->aside);
    put_number(out, "discarded", result->discarded);
    put_number(out, "executions", result->executions);
    put_number(out, "redrawn", result->redrawn);
    if (result->features > 0)
        put_number(out, "features", result->features);
    put_decimal(out, "seconds", result->seconds, 6);
    put_number(out, "seed", result->seed);
    if (result->shards > 0)
        fprintf(out, ", \"shard\": \"%u/%u\"", result->shard, result->shards);
    if (result->enumerated.asked && result->enumerated.exhausted)
        put_number(out, "bound", result->enumerated.bound);
    if (result->why)
        put_string(out, "why", result->why);
    if (result->mended > 0)
        put_number(out, "mended", result->mended);
    put_string(out, "file", wri_block_file(result->file));
    put_number(out, "line", line_number(result->line));
    if (result->machine.asked)
        put_machine(out, &result->machine);
    put_failures(out, result);
    if (result->running)
        put_running(out, result->running);
    put_list(out, "warnings", result->warnings, result->warning_count);
    put_labels(out, "labels", result->labels, result->label_count);
    put_tables(out, result);
    put_covers(out, result);
    put_assertions(out, result);
    put_slots(out, result);
    put_coverage(out, &result->coverage);
    if (result->stable.asked)
        put_stability(out, &result->stable);
    if (result->enumerated.asked)
        put_enumerated(out, result);
    if (result->combined.asked)
        put_combined(out, &result->combined);
    if (result->sure.asked)
        put_surety(out, &result->sure);
}

static void json_result(wri_reporter *self, const wri_result *result)
{
    FILE *out = ((json *)self)->out;
    put_result(out, result);
    fputs("}\n", out);
    wri_report_flush(self, out);
}

static void json_warn(wri_reporter *self, const char *line)
{
    (void)self;
    fputs("warning: ", stderr);
    wri_escape_plain(stderr, line, 9);
    putc('\n', stderr);
}

static void json_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    FILE *out = ((json *)self)->out;
    put_result(out, result);
    fputs(", \"case\": {", out);
    put_case(out, case_);
    fputs("}}\n", out);
    wri_report_flush(self, out);
}

/* ---- Events ---- */

static void json_begin(wri_reporter *self, const wri_run *run)
{
    FILE *out = ((json *)self)->out;
    open_object(out, 0, "event", "begin");
    put_number(out, "properties", run->properties);
    put_number(out, "seed", run->seed);
    fputs("}\n", out);
    wri_report_flush(self, out);
}

static void json_progress(wri_reporter *self, const wri_progress *progress)
{
    static const char *const PHASES[] = { "exploring", "confirming", "shrinking" };
    json                    *j = (json *)self;
    double                   now = wri_clock_seconds();
    if (now - j->told < BETWEEN)
        return;
    j->told = now;
    open_object(j->out, 0, "event", "progress");
    put_string(j->out, "property", progress->property);
    put_string(j->out, "phase", PHASES[progress->phase]);
    put_number(j->out, "cases", progress->cases);
    put_number(j->out, "discarded", progress->discarded);
    put_number(j->out, "features", progress->features);
    put_number(j->out, "failures", progress->failures);
    put_decimal(j->out, "seconds", progress->seconds, 6);
    fputs("}\n", j->out);
    wri_report_flush(self, j->out);
}

static void json_found(wri_reporter *self, const char *property, const wri_failure *failure)
{
    FILE *out = ((json *)self)->out;
    open_object(out, 0, "event", "found");
    put_string(out, "property", property);
    put_string(out, "kind", failure->kind);
    put_string(out, "message", failure->message);
    put_string(out, "file", wri_block_file(failure->file));
    put_number(out, "line", line_number(failure->line));
    fputs("}\n", out);
    wri_report_flush(self, out);
}

/* Each property's line has its own counts. An assertion that no property met goes to stderr. */
static void json_assertions(wri_reporter *self, const wri_assertion *assertions, size_t count,
                            bool failing)
{
    (void)self;
    for (size_t i = 0; i < count; i++)
        if (assertions[i].unmet) {
            fputs(failing ? "failed: " : "warning: ", stderr);
            wri_block_unmet(stderr, &assertions[i]);
            putc('\n', stderr);
        }
}

static void json_end(wri_reporter *self, const wri_summary *summary)
{
    json *j = (json *)self;
    (void)summary;
    wri_report_flush(self, j->out);
}

wri_reporter *wri_json_new(FILE *out, wri_style style)
{
    json *j = calloc(1, sizeof *j);
    (void)style;
    if (!j)
        return NULL;
    j->base = (wri_reporter){ .result = json_result,
                              .warn = json_warn,
                              .replayed = json_replayed,
                              .assertions = json_assertions,
                              .end = json_end };
    j->out = out;
    return &j->base;
}

wri_reporter *wri_json_events_new(FILE *out, wri_style style)
{
    wri_reporter *made = wri_json_new(out, style);
    if (made != NULL) {
        made->begin = json_begin;
        made->progress = json_progress;
        made->found = json_found;
    }
    return made;
}
