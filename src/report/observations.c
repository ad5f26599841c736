/* report/observations.c: one line of JSON for each case, as other libraries of property-based
 * testing write it, and tools that draw pictures of cases read it.
 *
 * The file is written while the run goes on, a line at a time. It is opened, and an older one
 * emptied, when the run begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/block.h"
#include "report/draft.h"
#include "report/escape.h"

typedef struct observations {
    wri_reporter base;
    wri_draft    draft;
    FILE        *out; /* NULL: not open */
    const char  *program;
    double       began; /* seconds since 1970 */
    uint64_t     seed;
    uint64_t     lines; /* of the running property */
} observations;

static void give_up(observations *o)
{
    if (!o->base.broken)
        fprintf(stderr, "%s: --observations: cannot write %s: %s\n", program_invocation_name,
                o->draft.path, strerror(errno));
    o->base.broken = true;
}

/* ---- Parts of a line ---- */

/* "type", "run_start", "property". */
static void begin_line(observations *o, const char *type, const char *property)
{
    fprintf(o->out, "{\"type\": \"%s\", \"run_start\": ", type);
    wri_escape_decimal(o->out, o->began, 3);
    fputs(", \"property\": ", o->out);
    wri_escape_json(o->out, property);
}

static void end_line(observations *o)
{
    fputs("}\n", o->out);
    if (fflush(o->out) != 0 || ferror(o->out))
        give_up(o);
}

static const char *digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

/* Readers take numbers for doubles: one of more digits would be another one to them. */
#define DIGITS 15

/* Is a printed value a number of JSON, or true or false? */
static bool is_literal(const char *text)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return true;
    const char *from = text + (*text == '-'), *at = digits(from);
    if (at == from || (*from == '0' && at > from + 1))
        return false;
    if (*at == '.') {
        const char *point = at;
        at = digits(at + 1);
        if (at == point + 1)
            return false;
    }
    return *at == '\0' && at - from <= DIGITS;
}

static void put_arguments(FILE *out, const wri_failure *values)
{
    fputs(", \"arguments\": {", out);
    for (size_t i = 0; i < values->value_count; i++) {
        fputs(i > 0 ? ", " : "", out);
        wri_escape_json(out, values->values[i].name);
        fputs(": ", out);
        if (is_literal(values->values[i].text))
            fputs(values->values[i].text, out);
        else
            wri_escape_json(out, values->values[i].text);
    }
    putc('}', out);
}

/* The values, a line each, as a JSON string. False: memory is out. */
static bool put_representation(FILE *out, const char *property, const wri_failure *values)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *lines = open_memstream(&text, &size);
    if (lines == NULL)
        return false;
    fprintf(lines, "%s", property);
    for (size_t i = 0; i < values->value_count; i++)
        fprintf(lines, "\n%s = %s", values->values[i].name, values->values[i].text);
    bool whole = fclose(lines) == 0;
    fputs(", \"representation\": ", out);
    wri_escape_json(out, whole ? text : "");
    free(text);
    return whole;
}

static bool same_name(const wri_value *features, size_t one, size_t count, size_t other)
{
    return other < count && strcmp(features[one].name, features[other].name) == 0;
}

/* Of a table with several rows each stands with its row: the names of an object differ. They are
 * sorted. */
static void put_features(FILE *out, const wri_value *features, size_t count)
{
    fputs(", \"features\": {", out);
    for (size_t i = 0; i < count; i++) {
        bool several =
            same_name(features, i, count, i + 1) || same_name(features, i, count, i - 1);
        char *name = NULL;
        fputs(i > 0 ? ", " : "", out);
        if (several && asprintf(&name, "%s: %s", features[i].name, features[i].text) < 0)
            name = NULL;
        wri_escape_json(out, several && name != NULL ? name : features[i].name);
        fputs(": ", out);
        wri_escape_json(out, several ? "" : features[i].text);
        free(name);
    }
    putc('}', out);
}

static void put_metadata(observations *o, const wri_report_case *ran)
{
    const wri_failure *values = ran->values;
    fprintf(o->out, ", \"metadata\": {\"case\": %" PRIu64 ", \"seed\": \"%" PRIu64 "\"",
            ran->number, o->seed);
    if (values->values_lost > 0)
        fprintf(o->out, ", \"values_left_out\": %zu", values->values_lost);
    fputs(", \"notes\": [", o->out);
    for (size_t i = 0; i < values->note_count; i++) {
        fputs(i > 0 ? ", " : "", o->out);
        wri_escape_json(o->out, values->notes[i]);
    }
    fputs("]}", o->out);
}

/* ---- Lines ---- */

static void put_ran(wri_reporter *self, const wri_report_case *ran)
{
    static const char *const STATUSES[] = { [WRI_REPORT_PASSED] = "passed",
                                            [WRI_REPORT_FAILED] = "failed",
                                            [WRI_REPORT_GAVE_UP] = "gave_up" };
    observations            *o = (observations *)self;
    if (o->out == NULL || self->broken)
        return;
    begin_line(o, "test_case", ran->property);
    fprintf(o->out, ", \"status\": \"%s\", \"status_reason\": ", STATUSES[ran->status]);
    wri_escape_json(o->out, ran->reason);
    if (!put_representation(o->out, ran->property, ran->values))
        give_up(o);
    put_arguments(o->out, ran->values);
    fputs(", \"how_generated\": ", o->out);
    if (ran->explorer == NULL)
        fputs("null", o->out);
    else
        fprintf(o->out, "\"during %s phase\"", ran->explorer);
    put_features(o->out, ran->features, ran->feature_count);
    fputs(", \"timing\": {\"execute:test\": ", o->out);
    wri_escape_decimal(o->out, ran->seconds, 9);
    fputs("}, \"coverage\": null", o->out);
    put_metadata(o, ran);
    end_line(o);
    o->lines++;
}

static void put_message(observations *o, const char *type, const char *property,
                        const char *title, const char *content)
{
    if (o->out == NULL || o->base.broken)
        return;
    begin_line(o, type, property);
    fputs(", \"title\": ", o->out);
    wri_escape_json(o->out, title);
    fputs(", \"content\": ", o->out);
    wri_escape_json(o->out, content);
    end_line(o);
}

static void put_failure(observations *o, const wri_result *result, const wri_failure *failure)
{
    char *text = wri_block_text(result, failure);
    put_message(o, "error", result->property, failure->flaky ? "flaky" : "failed", text);
    free(text);
}

static void put_result(wri_reporter *self, const wri_result *result)
{
    observations *o = (observations *)self;
    for (size_t i = 0; i < result->warning_count; i++)
        put_message(o, "alert", result->property, "warning", result->warnings[i]);
    for (size_t i = 0; i < result->failure_count; i++)
        put_failure(o, result, &result->failures[i]);
    if (result->failure_count == 0 && result->why != NULL)
        put_message(o, wri_status_bad(result->status) ? "error" : "info", result->property,
                    wri_status_name(result->status), result->why);
    if (o->lines >= WRI_REPORT_CASES)
        put_message(o, "info", result->property, "cases left out",
                    "the first 10000 cases of the property are told, and no more");
    o->lines = 0;
}

/* A replayed case that held. */
static void put_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    put_ran(self, &(wri_report_case){ .property = result->property,
                                      .number = 1,
                                      .reason = "",
                                      .values = case_,
                                      .seconds = result->seconds });
    put_result(self, result);
}

static void put_warning(wri_reporter *self, const char *line)
{
    observations *o = (observations *)self;
    put_message(o, "alert", o->program, "warning", line);
}

/* ---- The file ---- */

/* One that is not regular is opened as other reports open it. */
static FILE *open_file(const wri_draft *draft)
{
    if (draft->first == NULL)
        return wri_draft_open(draft);
    int   file = open(draft->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (file >= 0 && out == NULL)
        close(file);
    return out;
}

static void begin(wri_reporter *self, const wri_run *run)
{
    observations   *o = (observations *)self;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    o->began = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    o->seed = run->seed;
    o->program = run->program;
    o->out = open_file(&o->draft);
    if (o->out == NULL)
        give_up(o);
}

static void end(wri_reporter *self, const wri_summary *summary)
{
    observations *o = (observations *)self;
    FILE         *out = o->out;
    (void)summary;
    o->out = NULL;
    if (out != NULL && fclose(out) != 0)
        give_up(o);
}

static void free_observations(wri_reporter *self)
{
    observations *o = (observations *)self;
    if (o->out != NULL)
        fclose(o->out);
    wri_draft_free(&o->draft);
    free(o);
}

wri_reporter *wri_observations_new(const char *path, char *error, size_t error_size)
{
    observations *o = calloc(1, sizeof *o);
    if (o != NULL) {
        o->base = (wri_reporter){ .begin = begin,
                                  .ran = put_ran,
                                  .result = put_result,
                                  .replayed = put_replayed,
                                  .warn = put_warning,
                                  .end = end,
                                  .free = free_observations };
        if (wri_draft_find(&o->draft, path))
            return &o->base;
    }
    snprintf(error, error_size, "--observations: cannot write %s: %s", path, strerror(errno));
    if (o != NULL)
        free_observations(&o->base);
    return NULL;
}
