/* cover/read.c: which language a file is in, and what the languages share. */
#include "cover/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

char *wri_read_file(const char *path, size_t *size, wri_complaint *complaint)
{
    bool  standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    char *bytes = file ? read_all(file, size) : NULL;
    if (!bytes)
        wri_complain(complaint, "%.200s: cannot be read: %s", path, strerror(errno));
    if (file && !standard)
        fclose(file);
    return bytes;
}

/* ---- Telling the languages apart --------------------------------------------------------- */

/* The first line that says something, or an empty one. */
static wri_span first_line(const wri_source *source)
{
    wri_lines lines;
    wri_lines_open(&lines, source);
    while (wri_lines_next(&lines)) {
        wri_span line = wri_trim(lines.line);
        bool     comment = line.length > 0 &&
                       (line.at[0] == '#' || (line.length > 1 && memcmp(line.at, "--", 2) == 0));
        if (line.length > 0 && !comment)
            return line;
    }
    return (wri_span){ source->end, 0 };
}

static bool all_numbers(const wri_source *source)
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
static bool begins_as_warren(const wri_source *source, wri_span line)
{
    wri_token first = wri_token_at(source, line.at, false);
    wri_token second = wri_token_at(source, first.next, false);
    wri_token third = wri_token_at(source, second.next, false);
    bool      named = second.kind == WRI_TOKEN_NAME || second.kind == WRI_TOKEN_TEXT;
    if (wri_span_is(first.span, "model", false))
        return named && !wri_token_is(&third, ":");
    return wri_span_is(first.span, "parameter", false) && named;
}

static bool read_language(wri_draft *draft, const wri_source *source, const wri_source *second,
                          wri_asked asked)
{
    wri_span line = first_line(source);
    if (line.length > 0 && line.at[0] == '<')
        return wri_expected(draft->complaint, (wri_place){ source, line.at },
                            "a model in text form (XML is not read)");
    if (all_numbers(source))
        return wri_read_casa(draft, source, second);
    if (second)
        return wri_complain(
            draft->complaint,
            "%.150s: expected no second file, for %.150s is not in CASA's language", second->file,
            source->file);
    if (line.length > 0 && line.at[0] == '[')
        return wri_read_acts(draft, source);
    return begins_as_warren(source, line) ? wri_read_warren(draft, source)
                                          : wri_read_pict(draft, source, asked.case_sensitive);
}

wri_model *wri_read_text(const char *file, const char *text, size_t size, const char *second_file,
                         const char *second_text, size_t second_size, wri_asked asked,
                         wri_complaint *complaint)
{
    wri_source source, second;
    wri_draft  draft;
    wri_model *model = NULL;
    if (!wri_source_open(&source, file, text, size, complaint) ||
        (second_text &&
         !wri_source_open(&second, second_file, second_text, second_size, complaint)) ||
        !wri_draft_open(&draft, complaint))
        return NULL;
    if (read_language(&draft, &source, second_text ? &second : NULL, asked))
        model = wri_draft_finish(&draft, asked.strength);
    wri_draft_close(&draft);
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

wri_model *wri_read_model(const char *path, const char *second, wri_asked asked,
                          wri_complaint *complaint)
{
    size_t     size, second_size = 0;
    char      *text = wri_read_file(path, &size, complaint);
    char      *found = second ? NULL : beside(path);
    char      *second_text = NULL;
    wri_model *model = NULL;
    second = second ? second : found;
    if (text && second)
        second_text = wri_read_file(second, &second_size, complaint);
    if (text && (!second || second_text))
        model =
            wri_read_text(path, text, size, second, second_text, second_size, asked, complaint);
    free(text);
    free(second_text);
    free(found);
    return model;
}

/* ---- Shared by the languages -------------------------------------------------------------- */

bool wri_read_group(wri_draft *draft, const wri_source *source, wri_span list, wri_list *group)
{
    while (list.at) {
        wri_span name = wri_split(&list, ',');
        uint32_t parameter = wri_model_find(&draft->model, name.at, name.length);
        if (parameter == WRI_ANY)
            return wri_expected(draft->complaint, (wri_place){ source, name.at },
                                "a parameter's name");
        if (!wri_list_add(group, &parameter, sizeof parameter))
            return wri_out_of_memory(draft);
    }
    return true;
}

static bool read_number(wri_span span, int64_t *number)
{
    span = wri_trim(span);
    return wri_whole_number(span.at, span.length, number);
}

bool wri_read_range(wri_span span, int64_t *first, int64_t *last, int64_t *step)
{
    const char *end = span.at + span.length;
    const char *dots = memmem(span.at, span.length, "..", 2);
    if (!dots)
        return false;
    const char *slash = memchr(dots, '/', (size_t)(end - dots));
    *step = 1;
    return read_number((wri_span){ span.at, (size_t)(dots - span.at) }, first) &&
           read_number((wri_span){ dots + 2, (size_t)((slash ? slash : end) - dots - 2) },
                       last) &&
           (!slash || read_number((wri_span){ slash + 1, (size_t)(end - slash - 1) }, step));
}
