/* report/tap.c: the Test Anything Protocol, version 13, for prove, Automake and others. Readers
 * of version 14 take it; many of version 13 refuse 14.
 *
 * A property is a test point. A failure is a YAML block below it, in which every text is a
 * double-quoted string (JSON's escapes are YAML's). Everything else is a comment.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/block.h"
#include "report/escape.h"

typedef struct tap {
    wri_reporter base;
    FILE        *out;
    wri_style    style;
    size_t       points; /* so far */
} tap;

/* On one line; '#' and '\' would start a directive or an escape. */
static void put_description(FILE *out, const char *text)
{
    for (size_t bytes; text && *text; text += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        if (character == '#' || character == '\\')
            putc('\\', out);
        if (wri_escape_unsafe(character))
            putc(' ', out);
        else
            fwrite(text, 1, bytes, out);
    }
}

/* Each line of the text as a comment. */
static void put_comment(FILE *out, const char *word, const char *text)
{
    fprintf(out, "# %s", word);
    for (; text && *text; text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        wri_escape_line(out, text);
        text += length;
        if (text[0] == '\n' && text[1])
            fputs("\n#   ", out);
    }
    putc('\n', out);
}

static void put_point(tap *p, bool ok, const char *property)
{
    fprintf(p->out, "%s %zu - ", ok ? "ok" : "not ok", ++p->points);
    put_description(p->out, property);
}

static void put_string(FILE *out, const char *indent, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "%s%s: ", indent, name);
    wri_escape_json(out, text);
    putc('\n', out);
}

static void put_number(FILE *out, const char *indent, const char *name, uint64_t number)
{
    fprintf(out, "%s%s: %" PRIu64 "\n", indent, name, number);
}

static void put_values(FILE *out, const char *indent, const wri_failure *failure)
{
    if (failure->value_count > 0)
        fprintf(out, "%svalues:\n", indent);
    for (size_t i = 0; i < failure->value_count; i++) {
        fprintf(out, "%s  ", indent);
        wri_escape_json(out, failure->values[i].name);
        fputs(": ", out);
        wri_escape_json(out, failure->values[i].text);
        putc('\n', out);
    }
}

static void put_notes(FILE *out, const char *indent, const wri_failure *failure)
{
    if (failure->note_count > 0)
        fprintf(out, "%snotes:\n", indent);
    for (size_t i = 0; i < failure->note_count; i++) {
        fprintf(out, "%s  - ", indent);
        wri_escape_json(out, failure->notes[i]);
        putc('\n', out);
    }
}

/* `first` is the indentation of the first line: a list's item starts with a dash. */
static void put_failure(FILE *out, const char *first, const char *indent,
                        const wri_failure *failure)
{
    fprintf(out, "%smessage: ", first);
    wri_escape_json(out, failure->message);
    putc('\n', out);
    put_string(out, indent, "kind", failure->kind);
    put_string(out, indent, "file", wri_block_file(failure->file));
    if (failure->line > 0)
        put_number(out, indent, "line", (uint64_t)failure->line);
    put_values(out, indent, failure);
    put_string(out, indent, "rule", failure->rule);
    if (failure->possibly > 0)
        put_number(out, indent, "possibly", failure->possibly);
    if (failure->unexplained > 0)
        put_number(out, indent, "unexplained", failure->unexplained);
    if (failure->same_origin > 0)
        put_number(out, indent, "same_origin", failure->same_origin);
    put_notes(out, indent, failure);
    put_string(out, indent, "output", failure->output);
    if (failure->flaky || (failure->flaky_why && *failure->flaky_why))
        fprintf(out, "%sflaky: %s\n", indent, failure->flaky ? "true" : "false");
    put_string(out, indent, "flaky_why", failure->flaky_why);
    if (failure->unfinished)
        fprintf(out, "%sunfinished: true\n", indent);
    put_number(out, indent, "executions_before", failure->executions_before);
    put_number(out, indent, "executions_after", failure->executions_after);
    put_number(out, indent, "seen", failure->seen);
    put_string(out, indent, "replay", failure->replay);
    put_string(out, indent, "stored", failure->stored);
}

static void put_yaml(FILE *out, const wri_result *result)
{
    fputs("  ---\n", out);
    put_string(out, "  ", "status", wri_status_name(result->status));
    put_string(out, "  ", "why", result->why);
    put_number(out, "  ", "cases", result->cases);
    put_number(out, "  ", "seed", result->seed);
    if (result->failure_count > 0)
        put_failure(out, "  ", "  ", &result->failures[0]);
    if (result->failure_count > 1)
        fputs("  others:\n", out);
    for (size_t i = 1; i < result->failure_count; i++)
        put_failure(out, "    - ", "      ", &result->failures[i]);
    fputs("  ...\n", out);
}

/* "# table NAME 12 ROW", "# cover 120 of 1000, wanted 20% LABEL", "# largest NAME 7" */
static void put_observations(tap *p, const wri_result *result)
{
    for (size_t i = 0; i < result->table_count; i++)
        for (size_t k = 0; k < result->tables[i].row_count; k++) {
            fputs("# table ", p->out);
            wri_escape_label(p->out, result->tables[i].name);
            fprintf(p->out, " %" PRIu64 " ", result->tables[i].rows[k].cases);
            wri_escape_label(p->out, result->tables[i].rows[k].label);
            putc('\n', p->out);
        }
    for (size_t i = 0; i < result->cover_count; i++) {
        fprintf(p->out, "# cover %" PRIu64 " of %" PRIu64 ", wanted ", result->covers[i].cases,
                result->cases);
        wri_escape_real(p->out, result->covers[i].wanted);
        fputs("% ", p->out);
        wri_escape_label(p->out, result->covers[i].label);
        putc('\n', p->out);
    }
    for (size_t i = 0; i < result->best_count; i++) {
        fputs(result->bests[i].least ? "# smallest " : "# largest ", p->out);
        wri_escape_label(p->out, result->bests[i].name);
        putc(' ', p->out);
        wri_escape_real(p->out, result->bests[i].value);
        putc('\n', p->out);
    }
}

static void put_remarks(tap *p, const wri_result *result)
{
    for (size_t i = 0; i < result->warning_count; i++)
        put_comment(p->out, "warning: ", result->warnings[i]);
    if (result->running) {
        put_comment(p->out, "", result->running->message);
        put_comment(p->out, "replay: ", result->running->replay);
    }
    if (p->style.quiet)
        return;
    fputs("# ", p->out);
    wri_block_count(p->out, result->cases, "case");
    fprintf(p->out, ", %" PRIu64 " discarded, ", result->discarded);
    wri_block_count(p->out, result->executions, "execution");
    fputs(", ", p->out);
    if (result->machine.asked) {
        wri_block_count(p->out, result->machine.calls, "call");
        fputs(", ", p->out);
    }
    wri_block_seconds(p->out, result->seconds);
    if (result->mended > 0) {
        fputs(", ", p->out);
        wri_block_count(p->out, result->mended, "stored failure");
        fputs(" mended", p->out);
    }
    putc('\n', p->out);
    if (result->stable.asked) {
        fputs("# ", p->out);
        wri_block_stability(p->out, &result->stable);
        putc('\n', p->out);
    }
    if (result->enumerated.asked && !wri_status_bad(result->status)) {
        fputs("# ", p->out);
        wri_block_enumerated(p->out, result);
        putc('\n', p->out);
    }
    if (result->combined.asked && result->combined.draws > 0 &&
        result->status != WRI_STATUS_ERROR) {
        fputs("# ", p->out);
        wri_block_combined(p->out, &result->combined, true);
        putc('\n', p->out);
    }
    if (result->sure.asked) {
        fputs("# tried: ", p->out);
        wri_block_surety(p->out, &result->sure);
        putc('\n', p->out);
    }
    for (size_t i = 0; i < result->label_count; i++) {
        fprintf(p->out, "# label %" PRIu64 " ", result->labels[i].cases);
        wri_escape_label(p->out, result->labels[i].label);
        putc('\n', p->out);
    }
    put_observations(p, result);
}

static void tap_result(wri_reporter *self, const wri_result *result)
{
    tap *p = (tap *)self;
    bool bad = wri_status_bad(result->status) || result->failure_count > 0;
    put_point(p, !bad, result->property);
    if (!bad && result->status == WRI_STATUS_SKIPPED) {
        fputs(" # SKIP ", p->out);
        put_description(p->out, result->why && *result->why ? result->why : "no reason given");
    } else if (!bad && result->status == WRI_STATUS_INTERRUPTED) {
        fputs(" # SKIP interrupted", p->out);
    }
    putc('\n', p->out);
    if (bad)
        put_yaml(p->out, result);
    if (result->status != WRI_STATUS_SKIPPED)
        put_remarks(p, result);
    wri_report_flush(self, p->out);
}

static void tap_begin(wri_reporter *self, const wri_run *run)
{
    tap *p = (tap *)self;
    fprintf(p->out, "TAP version 13\n1..%zu\n# seed %" PRIu64, run->properties, run->seed);
    if (run->shards > 0)
        fprintf(p->out, ", shard %u of %u", run->shard, run->shards);
    putc('\n', p->out);
    wri_report_flush(self, p->out);
}

static void tap_warn(wri_reporter *self, const char *line)
{
    tap *p = (tap *)self;
    put_comment(p->out, "warning: ", line);
    wri_report_flush(self, p->out);
}

static void tap_remark(wri_reporter *self, const char *property, const char *line)
{
    tap *p = (tap *)self;
    if (!p->style.verbose || p->style.quiet)
        return;
    fputs("# ", p->out);
    wri_escape_line(p->out, property);
    fputs(": ", p->out);
    wri_escape_line(p->out, line);
    putc('\n', p->out);
    wri_report_flush(self, p->out);
}

static void tap_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    tap *p = (tap *)self;
    put_point(p, true, result->property);
    fputs("\n# held: the case does not fail\n", p->out);
    for (size_t i = 0; i < case_->value_count; i++) {
        fputs("# ", p->out);
        wri_escape_line(p->out, case_->values[i].name);
        fputs(" = ", p->out);
        wri_escape_json(p->out, case_->values[i].text);
        putc('\n', p->out);
    }
    for (size_t i = 0; i < result->warning_count; i++)
        put_comment(p->out, "warning: ", result->warnings[i]);
    wri_report_flush(self, p->out);
}

static void tap_assertions(wri_reporter *self, const wri_assertion *assertions, size_t count,
                           bool failing)
{
    tap *p = (tap *)self;
    for (size_t i = 0; i < count; i++)
        if (assertions[i].unmet) {
            fputs(failing ? "# failed: " : "# warning: ", p->out);
            wri_block_unmet(p->out, &assertions[i]);
            putc('\n', p->out);
        }
}

static void tap_end(wri_reporter *self, const wri_summary *summary)
{
    tap *p = (tap *)self;
    if (summary->stopped)
        fputs("Bail out! interrupted\n", p->out);
    wri_report_flush(self, p->out);
}

wri_reporter *wri_tap_new(FILE *out, wri_style style)
{
    tap *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->base = (wri_reporter){ .begin = tap_begin,
                              .result = tap_result,
                              .warn = tap_warn,
                              .remark = tap_remark,
                              .replayed = tap_replayed,
                              .assertions = tap_assertions,
                              .end = tap_end };
    p->out = out;
    p->style = style;
    return &p->base;
}
