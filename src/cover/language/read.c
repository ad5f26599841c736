/* cover/language/read.c: finds out which language a file is in, and reads lists and ranges for
 * all of them. */
#include "cover/language/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cover/language/readers.h"

#define MOST_BYTES ((size_t)256 << 20)

/* ---- Files ------------------------------------------------------------------------------ */

static char *read_all(FILE *file, size_t *size)
{
    size_t room = 1 << 16, got;
    char  *bytes = malloc(room);
    for (*size = 0; bytes && (got = fread(bytes + *size, 1, room - *size, file)) > 0;) {
        *size += got;
        if (*size > MOST_BYTES) {
            errno = EFBIG;
            break;
        }
        if (*size == room) {
            char *more = realloc(bytes, room *= 2);
            if (!more)
                free(bytes);
            bytes = more;
        }
    }
    if (bytes && (ferror(file) || *size > MOST_BYTES)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

char *wrc_read_file(const char *path, size_t *size, wrc_complaint *complaint)
{
    bool  standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    char *bytes = file ? read_all(file, size) : NULL;
    if (!bytes)
        wrc_model_complain(complaint, "%.200s: cannot be read: %s", path, strerror(errno));
    if (file && !standard)
        fclose(file);
    return bytes;
}

/* ---- Telling the languages apart --------------------------------------------------------- */

/* The first line that says something, or an empty one. */
static wrc_span first_line(const wrc_source *source)
{
    wrc_lines lines;
    wrc_lines_open(&lines, source);
    while (wrc_lines_next(&lines)) {
        wrc_span line = wrc_scan_trim(lines.line);
        bool     comment = line.length > 0 &&
                       (line.at[0] == '#' || (line.length > 1 && memcmp(line.at, "--", 2) == 0));
        if (line.length > 0 && !comment)
            return line;
    }
    return (wrc_span){ source->end, 0 };
}

static bool all_numbers(const wrc_source *source)
{
    bool any = false;
    for (const char *c = source->text; c < source->end; c++) {
        if (strchr("0123456789 \t\r\n", *c) == NULL)
            return false;
        any = any || (*c >= '0' && *c <= '9');
    }
    return any;
}

/* `model NAME` or `parameter NAME: …`. */
static bool begins_as_warren(const wrc_source *source, wrc_span line)
{
    wrc_token first = wrc_token_at(source, line.at, false);
    wrc_token second = wrc_token_at(source, first.next, false);
    wrc_token third = wrc_token_at(source, second.next, false);
    bool      named = second.kind == WRC_TOKEN_NAME || second.kind == WRC_TOKEN_TEXT;
    if (wrc_span_is(first.span, "model", false))
        return named && !wrc_token_is(&third, ":");
    return wrc_span_is(first.span, "parameter", false) && named;
}

/* Is it "parameter" but for two letters too many, too few, or others? */
static bool is_nearly_parameter(wrc_span word)
{
    static const char RIGHT[] = "parameter";
    enum { LENGTH = sizeof RIGHT - 1 };
    unsigned cost[LENGTH + 1];
    if (word.length < LENGTH - 2 || word.length > LENGTH + 2)
        return false;
    for (unsigned j = 0; j <= LENGTH; j++)
        cost[j] = j;
    for (unsigned i = 1; i <= word.length; i++) {
        unsigned before = cost[0]++;
        for (unsigned j = 1; j <= LENGTH; j++) {
            unsigned other = before + (word.at[i - 1] != RIGHT[j - 1]);
            before = cost[j];
            unsigned fewer = (before < cost[j - 1] ? before : cost[j - 1]) + 1;
            cost[j] = other < fewer ? other : fewer;
        }
    }
    return cost[LENGTH] <= 2;
}

/* PICT's parameters may have names of several words: a model of Warren's with one wrong word in
 * its first line is one of PICT's, with other names. */
static bool remark_on_names(wrc_draft *draft, const wrc_source *source)
{
    wrc_lines lines;
    wrc_lines_open(&lines, source);
    while (wrc_lines_next(&lines)) {
        wrc_span line = wrc_scan_trim(lines.line), rest = line;
        if (line.length == 0 || !memchr(line.at, ':', line.length))
            continue;
        wrc_span name = wrc_scan_split(&rest, ':'), words = name;
        wrc_span first = wrc_scan_split(&words, ' ');
        if (words.at && is_nearly_parameter(first))
            return wrc_draft_remark(
                draft,
                "%.160s:%u: read as PICT's language, in which this parameter is called '%.*s'; "
                "Warren's begins with 'parameter' or 'model'",
                source->file, lines.number, name.length > 60 ? 60 : (int)name.length, name.at);
    }
    return true;
}

/* Adds the remark, which nobody sees of a model that cannot be read, to the complaint. False. */
static bool explain(const wrc_draft *draft, const char *remark)
{
    char  *text = draft->complaint->text;
    size_t used = strlen(text);
    if (remark != NULL && strstr(text, "read as PICT") == NULL)
        snprintf(text + used, sizeof draft->complaint->text - used, "; %s", remark);
    return false;
}

static bool read_language(wrc_draft *draft, const wrc_source *source, const wrc_source *second,
                          wrc_asked asked)
{
    wrc_span line = first_line(source);
    if (line.length > 0 && line.at[0] == '<')
        return wrc_scan_expected(draft->complaint, (wrc_place){ source, line.at },
                                 "a model in text form (XML is not read)");
    if (all_numbers(source))
        return wrc_read_casa(draft, source, second);
    if (second)
        return wrc_model_complain(
            draft->complaint,
            "%.150s: expected no second file, for %.150s is not in CASA's language", second->file,
            source->file);
    if (line.length > 0 && line.at[0] == '[')
        return wrc_read_acts(draft, source);
    if (begins_as_warren(source, line))
        return wrc_read_warren(draft, source);
    if (!remark_on_names(draft, source))
        return false;
    const char *const *odd = draft->remarks.count > 0 ? draft->remarks.items : NULL;
    const char        *remark = odd == NULL ? NULL : *odd;
    return wrc_read_pict(draft, source, asked.case_sensitive) || explain(draft, remark);
}

wrc_model *wrc_read_text(const char *file, const char *text, size_t size, const char *second_file,
                         const char *second_text, size_t second_size, wrc_asked asked,
                         wrc_complaint *complaint)
{
    wrc_source source, second;
    wrc_draft  draft;
    wrc_model *model = NULL;
    if (!wrc_source_open(&source, file, text, size, complaint) ||
        (second_text &&
         !wrc_source_open(&second, second_file, second_text, second_size, complaint)) ||
        !wrc_draft_open(&draft, complaint))
        return NULL;
    if (read_language(&draft, &source, second_text ? &second : NULL, asked))
        model = wrc_draft_finish(&draft, asked.strength);
    wrc_draft_close(&draft);
    return model;
}

/* PATH with another ending, if there is such a file; malloced, or NULL. */
static char *with_ending(const char *path, size_t length, const char *ending)
{
    struct stat status;
    char       *name = malloc(length + strlen(ending) + 1);
    if (!name)
        return NULL;
    memcpy(name, path, length);
    strcpy(name + length, ending);
    if (stat(name, &status) == 0)
        return name;
    free(name);
    return NULL;
}

/* X.constraints beside X.model, if it is there; malloced, or NULL. */
static char *beside(const char *path)
{
    static const char *const MODELS[] = { ".model", ".citmodel" };
    size_t                   length = strlen(path);
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        size_t ending = strlen(MODELS[i]);
        if (length <= ending || strcmp(path + length - ending, MODELS[i]) != 0)
            continue;
        char *found = with_ending(path, length - ending, ".constraints");
        return found ? found : with_ending(path, length - ending, ".constraint");
    }
    return NULL;
}

wrc_model *wrc_read_model(const char *path, const char *second, wrc_asked asked,
                          wrc_complaint *complaint)
{
    size_t     size, second_size = 0;
    char      *text = wrc_read_file(path, &size, complaint);
    char      *found = second ? NULL : beside(path);
    char      *second_text = NULL;
    wrc_model *model = NULL;
    second = second ? second : found;
    if (text && second)
        second_text = wrc_read_file(second, &second_size, complaint);
    if (text && (!second || second_text))
        model =
            wrc_read_text(path, text, size, second, second_text, second_size, asked, complaint);
    free(text);
    free(second_text);
    free(found);
    return model;
}

/* ---- Shared by the languages -------------------------------------------------------------- */

bool wrc_read_group(wrc_draft *draft, const wrc_source *source, wrc_span list, wrc_list *group)
{
    while (list.at) {
        wrc_span name = wrc_scan_split(&list, ',');
        uint32_t parameter = wrc_model_find(&draft->model, name.at, name.length);
        if (parameter == WRC_ANY)
            return wrc_scan_expected(draft->complaint, (wrc_place){ source, name.at },
                                     "a parameter's name");
        if (!wrc_list_add(group, &parameter, sizeof parameter))
            return wrc_draft_out_of_memory(draft);
    }
    return true;
}

static bool read_number(wrc_span span, int64_t *number)
{
    span = wrc_scan_trim(span);
    return wrc_model_whole_number(span.at, span.length, number);
}

bool wrc_read_range(wrc_span span, int64_t *first, int64_t *last, int64_t *step)
{
    const char *end = span.at + span.length;
    const char *dots = memmem(span.at, span.length, "..", 2);
    if (!dots)
        return false;
    const char *slash = memchr(dots, '/', (size_t)(end - dots));
    *step = 1;
    return read_number((wrc_span){ span.at, (size_t)(dots - span.at) }, first) &&
           read_number((wrc_span){ dots + 2, (size_t)((slash ? slash : end) - dots - 2) },
                       last) &&
           (!slash || read_number((wrc_span){ slash + 1, (size_t)(end - slash - 1) }, step));
}
