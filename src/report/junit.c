/* report/junit.c: a JUnit file, for CI servers.
 *
 * Test cases are collected in memory, and written at the end, so that a server never reads half
 * of a file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/block.h"
#include "report/draft.h"
#include "report/escape.h"

typedef struct junit {
    wri_reporter base;
    wri_draft    draft;
    char        *program;
    FILE        *cases; /* writes to `text` */
    char        *text;
    size_t       text_size;
    size_t       tests, failures, errors, skipped;
    unsigned     shard, shards; /* of the run */
} junit;

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    wri_escape_xml(out, value, true);
    putc('"', out);
}

static void put_time(FILE *out, double seconds)
{
    fputs(" time=\"", out);
    wri_escape_decimal(out, seconds, 6);
    putc('"', out);
}

/* ---- Test cases ------------------------------------------------------------------------- */

/* The text of the human format, in an element. Escaping needs it as a string first. */
static void put_body(FILE *out, const wri_result *result)
{
    char  *text = NULL;
    size_t size;
    FILE  *plain = open_memstream(&text, &size);
    if (!plain)
        return;
    for (size_t i = 0; i < result->failure_count; i++) {
        if (wri_block_place(plain, result->failures[i].file, result->failures[i].line))
            putc('\n', plain);
        wri_block_failure(plain, &result->failures[i], wri_palette_of(false), true);
    }
    if (result->why) {
        wri_escape_plain(plain, result->why, 0);
        putc('\n', plain);
    }
    if (fclose(plain) == 0)
        wri_escape_xml(out, text, false);
    free(text);
}

/* The message's first line: an attribute is a summary. */
static void put_message(FILE *out, const char *message)
{
    char *line = message ? strndup(message, strcspn(message, "\n")) : NULL;
    put_attribute(out, "message", line);
    free(line);
}

static void put_bad(junit *j, const wri_result *result)
{
    bool               error = result->status == WRI_STATUS_ERROR;
    const wri_failure *failure = result->failure_count ? &result->failures[0] : NULL;
    const char        *element = error ? "error" : "failure";
    fprintf(j->cases, "    <%s", element);
    put_attribute(j->cases, "type", failure ? failure->kind : wri_status_name(result->status));
    put_message(j->cases, failure ? failure->message : result->why);
    putc('>', j->cases);
    put_body(j->cases, result);
    fprintf(j->cases, "</%s>\n", element);
    *(error ? &j->errors : &j->failures) += 1;
}

static void put_skipped(junit *j, const wri_result *result)
{
    bool interrupted = result->status == WRI_STATUS_INTERRUPTED;
    fputs("    <skipped", j->cases);
    put_message(j->cases, interrupted ? "interrupted" : result->why);
    fputs("/>\n", j->cases);
    j->skipped++;
}

static void put_warnings(junit *j, const wri_result *result)
{
    if (result->warning_count == 0 && !result->running)
        return;
    fputs("    <system-err>", j->cases);
    if (result->running) {
        wri_escape_xml(j->cases, result->running->message, false);
        fputs("\nreplay: ", j->cases);
        wri_escape_xml(j->cases, result->running->replay, false);
        putc('\n', j->cases);
    }
    for (size_t i = 0; i < result->warning_count; i++) {
        fputs("warning: ", j->cases);
        wri_escape_xml(j->cases, result->warnings[i], false);
        putc('\n', j->cases);
    }
    fputs("</system-err>\n", j->cases);
}

static void junit_result(wri_reporter *self, const wri_result *result)
{
    junit *j = (junit *)self;
    bool   bad = wri_status_bad(result->status) || result->failure_count > 0;
    fputs("  <testcase", j->cases);
    put_attribute(j->cases, "classname", wri_block_file(result->program));
    put_attribute(j->cases, "name", result->property);
    put_time(j->cases, result->seconds);
    fputs(">\n", j->cases);
    if (bad)
        put_bad(j, result);
    else if (result->status == WRI_STATUS_SKIPPED || result->status == WRI_STATUS_INTERRUPTED)
        put_skipped(j, result);
    put_warnings(j, result);
    fputs("  </testcase>\n", j->cases);
    j->tests++;
}

static void junit_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    (void)case_;
    junit_result(self, result);
}

/* ---- The file --------------------------------------------------------------------------- */

static void put_suite(junit *j, FILE *out, const wri_summary *summary)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite", out);
    put_attribute(out, "name", j->program);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", j->tests,
            j->failures, j->errors, j->skipped);
    put_time(out, summary->seconds);
    fputs(">\n", out);
    if (j->shards > 0)
        fprintf(out, "  <properties><property name=\"shard\" value=\"%u/%u\"/></properties>\n",
                j->shard, j->shards);
    fwrite(j->text, 1, j->text_size, out);
    fputs("</testsuite>\n", out);
}

static void junit_end(wri_reporter *self, const wri_summary *summary)
{
    junit *j = (junit *)self;
    FILE  *out = wri_draft_open(&j->draft);
    bool   written = out && fflush(j->cases) == 0 && !ferror(j->cases);
    if (written)
        put_suite(j, out, summary);
    if (out && wri_draft_close(&j->draft, out, written))
        return;
    fprintf(stderr, "%s: --junit: cannot write %s: %s\n", program_invocation_name, j->draft.path,
            strerror(errno));
    self->broken = true;
}

/* ---- The rest --------------------------------------------------------------------------- */

static void junit_begin(wri_reporter *self, const wri_run *run)
{
    junit *j = (junit *)self;
    j->shard = run->shard;
    j->shards = run->shards;
    free(j->program);
    j->program = strdup(run->program ? wri_block_file(run->program) : ""); /* NULL is "" */
}

/* Unmet assertions that fail the run are a test case of their own. */
static void junit_assertions(wri_reporter *self, const wri_assertion *assertions, size_t count,
                             bool failing)
{
    junit *j = (junit *)self;
    char  *text = NULL;
    size_t size;
    FILE  *plain = failing ? open_memstream(&text, &size) : NULL;
    if (!plain)
        return;
    for (size_t i = 0; i < count; i++)
        if (assertions[i].unmet) {
            wri_block_unmet(plain, &assertions[i]);
            putc('\n', plain);
        }
    if (fclose(plain) == 0 && *text) {
        fputs("  <testcase", j->cases);
        put_attribute(j->cases, "classname", j->program);
        fputs(" name=\"assertions\" time=\"0.000000\">\n    <failure type=\"coverage\"",
              j->cases);
        put_message(j->cases, text);
        putc('>', j->cases);
        wri_escape_xml(j->cases, text, false);
        fputs("</failure>\n  </testcase>\n", j->cases);
        j->tests++;
        j->failures++;
    }
    free(text);
}

static void junit_free(wri_reporter *self)
{
    junit *j = (junit *)self;
    if (j->cases)
        fclose(j->cases);
    free(j->text);
    wri_draft_free(&j->draft);
    free(j->program);
    free(j);
}

wri_reporter *wri_junit_new(const char *path, char *error, size_t error_size)
{
    junit *j = calloc(1, sizeof *j);
    if (j) {
        j->base = (wri_reporter){ .begin = junit_begin,
                                  .result = junit_result,
                                  .replayed = junit_replayed,
                                  .assertions = junit_assertions,
                                  .end = junit_end,
                                  .free = junit_free };
        j->cases = open_memstream(&j->text, &j->text_size);
        if (j->cases && wri_draft_find(&j->draft, path))
            return &j->base;
    }
    snprintf(error, error_size, "--junit: cannot write %s: %s", path, strerror(errno));
    if (j)
        junit_free(&j->base);
    return NULL;
}
