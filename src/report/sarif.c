/* report/sarif.c: a SARIF 2.1.0 file, which code hosts show beside the lines that it names.
 *
 * A property is a rule, and each of its bugs is a result: with its place, its smallest case as
 * text, and a fingerprint that stays the same from run to run. Results are collected in memory,
 * and written at the end.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/block.h"
#include "report/draft.h"
#include "report/escape.h"
#include "warren.h"

#define SCHEMA                                                                                   \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

typedef struct sarif {
    wri_reporter base;
    wri_draft    draft;
    FILE        *rules, *results; /* write to the texts */
    char        *rules_text, *results_text;
    size_t       rules_size, results_size;
    size_t       rule_count, result_count;
} sarif;

/* A path as a reference: bytes that a URI may not have are written as %HH. */
static void put_uri(FILE *out, const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    fputs(path[0] == '/' ? "\"file://" : "\"", out);
    for (const char *at = path; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (isascii(byte) && (isalnum(byte) || strchr("-._~/+", byte) != NULL))
            putc(byte, out);
        else
            fprintf(out, "%%%c%c", hex[byte >> 4], hex[byte & 15]);
    }
    putc('"', out);
}

/* "physicalLocation": {...}. A place that is not known has no file. */
static void put_place(FILE *out, const char *file, int line)
{
    fputs("\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", out);
    put_uri(out, wri_block_file(file));
    putc('}', out);
    if (line > 0)
        fprintf(out, ", \"region\": {\"startLine\": %d}", line);
    putc('}', out);
}

static void put_locations(FILE *out, const wri_result *result, const wri_failure *failure)
{
    bool        known = failure != NULL && failure->file[0] != '\0';
    const char *file = known ? failure->file : result->file;
    fputs(", \"locations\": [{", out);
    if (file != NULL && file[0] != '\0') {
        put_place(out, file, known ? failure->line : result->line);
        fputs(", ", out);
    }
    fputs("\"logicalLocations\": [{\"name\": ", out);
    wri_escape_json(out, result->property);
    fputs(", \"kind\": \"function\"}]}]", out);
}

static void put_message(FILE *out, const wri_result *result, const wri_failure *failure)
{
    char *text = wri_block_text(result, failure);
    fputs(", \"message\": {\"text\": ", out);
    wri_escape_json(out, text);
    putc('}', out);
    free(text);
}

static void put_properties(FILE *out, const wri_failure *failure)
{
    if (failure->key != 0)
        fprintf(out, ", \"partialFingerprints\": {\"warrenBug/v1\": \"%016" PRIx64 "\"}",
                failure->key);
    fputs(", \"properties\": {\"kind\": ", out);
    wri_escape_json(out, failure->kind);
    fputs(", \"replay\": ", out);
    wri_escape_json(out, failure->replay);
    putc('}', out);
}

static void put_result(sarif *s, const wri_result *result, const wri_failure *failure)
{
    FILE *out = s->results;
    fprintf(out, "%s\n      {\"ruleId\": ", s->result_count > 0 ? "," : "");
    wri_escape_json(out, result->property);
    fprintf(out, ", \"ruleIndex\": %zu, \"level\": \"error\"", s->rule_count);
    put_message(out, result, failure);
    put_locations(out, result, failure);
    if (failure != NULL)
        put_properties(out, failure);
    putc('}', out);
    s->result_count++;
}

static void put_rule(sarif *s, const wri_result *result)
{
    FILE *out = s->rules;
    fprintf(out, "%s\n        {\"id\": ", s->rule_count > 0 ? "," : "");
    wri_escape_json(out, result->property);
    fputs(", \"shortDescription\": {\"text\": ", out);
    wri_escape_json(out, result->property);
    fputs("}, \"defaultConfiguration\": {\"level\": \"error\"}}", out);
    s->rule_count++;
}

static void sarif_result(wri_reporter *self, const wri_result *result)
{
    sarif *s = (sarif *)self;
    for (size_t i = 0; i < result->failure_count; i++)
        put_result(s, result, &result->failures[i]);
    if (result->failure_count == 0 && wri_status_bad(result->status))
        put_result(s, result, NULL);
    put_rule(s, result);
}

static void sarif_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    (void)case_;
    sarif_result(self, result);
}

static void put_log(sarif *s, FILE *out, const wri_summary *summary)
{
    fputs("{\n  \"$schema\": \"" SCHEMA "\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
          "    \"tool\": {\"driver\": {\"name\": \"Warren\", \"semanticVersion\": \"" WR_VERSION
          "\",\n      \"rules\": [",
          out);
    fwrite(s->rules_text, 1, s->rules_size, out);
    fprintf(out,
            "]}},\n    \"invocations\": [{\"executionSuccessful\": %s}],\n"
            "    \"results\": [",
            summary->errors == 0 && !summary->stopped ? "true" : "false");
    fwrite(s->results_text, 1, s->results_size, out);
    fputs("]\n  }]\n}\n", out);
}

static bool collected(FILE *texts)
{
    return fflush(texts) == 0 && !ferror(texts);
}

static void sarif_end(wri_reporter *self, const wri_summary *summary)
{
    sarif *s = (sarif *)self;
    FILE  *out = wri_draft_open(&s->draft);
    bool   whole = out != NULL && collected(s->rules) && collected(s->results);
    if (whole)
        put_log(s, out, summary);
    if (out != NULL && wri_draft_close(&s->draft, out, whole))
        return;
    fprintf(stderr, "%s: --sarif: cannot write %s: %s\n", program_invocation_name, s->draft.path,
            strerror(errno));
    self->broken = true;
}

static void sarif_free(wri_reporter *self)
{
    sarif *s = (sarif *)self;
    if (s->rules != NULL)
        fclose(s->rules);
    if (s->results != NULL)
        fclose(s->results);
    free(s->rules_text);
    free(s->results_text);
    wri_draft_free(&s->draft);
    free(s);
}

wri_reporter *wri_sarif_new(const char *path, char *error, size_t error_size)
{
    sarif *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->base = (wri_reporter){ .result = sarif_result,
                                  .replayed = sarif_replayed,
                                  .end = sarif_end,
                                  .free = sarif_free };
        s->rules = open_memstream(&s->rules_text, &s->rules_size);
        s->results = open_memstream(&s->results_text, &s->results_size);
        if (s->rules != NULL && s->results != NULL && wri_draft_find(&s->draft, path))
            return &s->base;
    }
    snprintf(error, error_size, "--sarif: cannot write %s: %s", path, strerror(errno));
    if (s != NULL)
        sarif_free(&s->base);
    return NULL;
}
