/* cover/language/write.c: writes rows as CSV, TSV, JSON and as ACTS does, and tuples as text and
 * JSON. */
#include "cover/language/write.h"

#include <stdlib.h>
#include <string.h>

/* ---- Texts -------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *text)
{
    putc_unlocked('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc_unlocked('"', out);
        putc_unlocked(*text, out);
    }
    putc_unlocked('"', out);
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Blanks at the ends, and a # that would begin a comment, are quoted as well. */
static void put_csv(FILE *out, const char *text)
{
    size_t length = strlen(text);
    bool   edges = length > 0 && (blank(text[0]) || blank(text[length - 1]) || text[0] == '#');
    if (edges || strpbrk(text, ",\"\r\n"))
        put_quoted(out, text);
    else
        fputs_unlocked(text, out);
}

/* PICT quotes nothing; what would break the line is quoted all the same. */
static void put_tsv(FILE *out, const char *text)
{
    if (strpbrk(text, "\t\r\n") || text[0] == '"')
        put_quoted(out, text);
    else
        fputs_unlocked(text, out);
}

/* How many bytes the character of UTF-8 has that begins here; 0: these bytes are none. */
static size_t utf8_length(const unsigned char *text)
{
    size_t        length = text[0] < 0x80   ? 1
                           : text[0] < 0xc2 ? 0
                           : text[0] < 0xe0 ? 2
                           : text[0] < 0xf0 ? 3
                           : text[0] < 0xf5 ? 4
                                            : 0;
    unsigned char low = text[0] == 0xe0 ? 0xa0 : text[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = text[0] == 0xed ? 0x9f : text[0] == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (text[i] < low || text[i] > high)
            return 0;
    return length;
}

/* Bytes that are not UTF-8 become U+FFFD, one by one. */
static void put_json(FILE *out, const char *text)
{
    putc_unlocked('"', out);
    while (*text) {
        unsigned char c = (unsigned char)*text;
        size_t        length = utf8_length((const unsigned char *)text);
        if (length == 0)
            fputs_unlocked("\xef\xbf\xbd", out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ')
            fprintf(out, "\\u%04x", c);
        else
            fwrite_unlocked(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
    putc_unlocked('"', out);
}

/* ---- Cells -------------------------------------------------------------------------------- */

/* The spelling whose turn it is. */
static const char *spelling(wrc_writer *writer, uint32_t parameter, uint32_t level)
{
    const wrc_value *value = &writer->model->parameters[parameter].values[level];
    if (!value->aliases)
        return value->text;
    uint32_t *turn = &writer->turns[parameter][level];
    if (*turn > 0 && !value->aliases[*turn - 1])
        *turn = 0;
    const char *text = *turn == 0 ? value->text : value->aliases[*turn - 1];
    ++*turn;
    return text;
}

/* Numbers that JSON writes as we do: no sign but minus, no zeros first. */
static bool json_number(const wrc_parameter *parameter, const char *text)
{
    const char *digits = text + (text[0] == '-');
    return parameter->domain == WRC_DOMAIN_NUMBER && strspn(digits, "0123456789") > 0 &&
           digits[strspn(digits, "0123456789")] == '\0' && (digits[0] != '0' || !digits[1]);
}

static void put_json_value(FILE *out, const wrc_parameter *parameter, const char *text)
{
    bool yes = wrc_model_compare_text(text, "true", true) == 0;
    bool no = wrc_model_compare_text(text, "false", true) == 0;
    if (parameter->domain == WRC_DOMAIN_BOOLEAN && (yes || no))
        fputs_unlocked(yes ? "true" : "false", out);
    else if (json_number(parameter, text))
        fputs_unlocked(text, out);
    else
        put_json(out, text);
}

static void put_text(wrc_writer *writer, FILE *out, uint32_t p, const char *text)
{
    switch (writer->format) {
    case WRC_FORMAT_JSON: put_json_value(out, &writer->model->parameters[p], text); break;
    case WRC_FORMAT_TSV: put_tsv(out, text); break;
    default: put_csv(out, text); break;
    }
}

/* Faster than printf: arrays of ranges are the long ones. */
static void put_number(FILE *out, int64_t number)
{
    char     digits[24];
    size_t   at = sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        digits[--at] = '-';
    fwrite_unlocked(digits + at, 1, sizeof digits - at, out);
}

static void put_cell(wrc_writer *writer, FILE *out, uint32_t p, uint32_t level)
{
    const wrc_parameter *parameter = &writer->model->parameters[p];
    if (level == WRC_ANY)
        fputs_unlocked(writer->format == WRC_FORMAT_JSON ? "\"*\"" : "*", out);
    else if (parameter->domain == WRC_DOMAIN_RANGE)
        put_number(out, wrc_parameter_number(parameter, level));
    else
        put_text(writer, out, p, spelling(writer, p, level));
}

static void put_json_row(wrc_writer *writer, const uint32_t *row)
{
    fputs_unlocked(writer->rows > 0 ? ",\n  {" : "\n  {", writer->out);
    for (uint32_t p = 0; p < writer->columns; p++) {
        fputs_unlocked(p > 0 ? ", " : "", writer->out);
        put_json(writer->out, writer->model->parameters[p].name);
        fputs_unlocked(": ", writer->out);
        put_cell(writer, writer->out, p, row[p]);
    }
    putc_unlocked('}', writer->out);
}

static char separator(const wrc_writer *writer)
{
    return writer->format == WRC_FORMAT_TSV ? '\t' : ',';
}

static void put_names(wrc_writer *writer, FILE *out)
{
    for (uint32_t p = 0; p < writer->columns; p++) {
        if (p > 0)
            putc_unlocked(separator(writer), out);
        if (writer->format == WRC_FORMAT_TSV)
            put_tsv(out, writer->model->parameters[p].name);
        else
            put_csv(out, writer->model->parameters[p].name);
    }
    putc_unlocked('\n', out);
}

static void begin(wrc_writer *writer)
{
    if (writer->format == WRC_FORMAT_JSON)
        putc_unlocked('[', writer->out);
    else if (writer->format != WRC_FORMAT_ACTS)
        put_names(writer, writer->out);
    writer->begun = true;
}

bool wrc_writer_row(wrc_writer *writer, const uint32_t *row)
{
    FILE *out = writer->held ? writer->held : writer->out;
    if (!writer->begun)
        begin(writer);
    if (writer->format == WRC_FORMAT_JSON) {
        put_json_row(writer, row);
    } else {
        for (uint32_t p = 0; p < writer->columns; p++) {
            if (p > 0)
                putc_unlocked(separator(writer), out);
            put_cell(writer, out, p, row[p]);
        }
        putc_unlocked('\n', out);
    }
    writer->rows++;
    return ferror(out) == 0;
}

/* ---- Before and after --------------------------------------------------------------------- */

static bool has_aliases(const wrc_parameter *parameter)
{
    for (uint32_t i = 0; parameter->values && i < parameter->levels; i++)
        if (parameter->values[i].aliases)
            return true;
    return false;
}

static bool prepare_turns(wrc_writer *writer)
{
    const wrc_model *model = writer->model;
    writer->turns = calloc(model->parameter_count, sizeof *writer->turns);
    for (uint32_t p = 0; writer->turns && p < model->parameter_count; p++)
        if (has_aliases(&model->parameters[p])) {
            writer->turns[p] = calloc(model->parameters[p].levels, sizeof *writer->turns[p]);
            if (!writer->turns[p])
                return false;
        }
    return writer->turns != NULL;
}

bool wrc_writer_open(wrc_writer *writer, FILE *out, const wrc_model *model, wrc_format format,
                     uint32_t columns, wrc_complaint *complaint)
{
    *writer = (wrc_writer){ .out = out, .model = model, .format = format, .columns = columns };
    if (format == WRC_FORMAT_ACTS)
        writer->held = tmpfile();
    if (prepare_turns(writer) && (format != WRC_FORMAT_ACTS || writer->held))
        return true;
    wrc_writer_close(writer, false);
    return wrc_model_complain(complaint, "no memory, or no temporary file, to write rows");
}

static uint32_t most_values(const wrc_writer *writer)
{
    uint32_t most = 0;
    for (uint32_t p = 0; p < writer->columns; p++)
        if (writer->model->parameters[p].levels > most)
            most = writer->model->parameters[p].levels;
    return most;
}

static void put_acts(wrc_writer *writer)
{
    const wrc_model *model = writer->model;
    char             bytes[1 << 14];
    size_t           got;
    fprintf(writer->out, "# ACTS Test Suite Generation: %s\n# '*' represents don't care value\n",
            model->name ? model->name : "model");
    fprintf(writer->out,
            "# Degree of interaction coverage: %u\n# Number of parameters: %u\n"
            "# Maximum number of values per parameter: %u\n# Number of configurations: %llu\n",
            wrc_model_strongest(model->relations, model->relation_count), writer->columns,
            most_values(writer), (unsigned long long)writer->rows);
    put_names(writer, writer->out);
    rewind(writer->held);
    while ((got = fread(bytes, 1, sizeof bytes, writer->held)) > 0)
        fwrite_unlocked(bytes, 1, got, writer->out);
}

static void end(wrc_writer *writer)
{
    if (!writer->begun)
        begin(writer);
    if (writer->held)
        put_acts(writer);
    else if (writer->format == WRC_FORMAT_JSON)
        fputs_unlocked(writer->rows > 0 ? "\n]\n" : "]\n", writer->out);
}

bool wrc_writer_close(wrc_writer *writer, bool complete)
{
    bool fine = !writer->held || (fflush(writer->held) == 0 && !ferror(writer->held));
    if (complete)
        end(writer);
    if (writer->held)
        fclose(writer->held);
    for (uint32_t p = 0; writer->turns && p < writer->model->parameter_count; p++)
        free(writer->turns[p]);
    free(writer->turns);
    writer->turns = NULL;
    writer->held = NULL;
    return fine && fflush(writer->out) == 0 && !ferror(writer->out);
}

void wrc_write_tuple_json(const wrc_model *model, const wrc_tuple *tuple, FILE *out)
{
    putc_unlocked('{', out);
    for (uint32_t i = 0; i < tuple->strength; i++) {
        const wrc_parameter *p = &model->parameters[tuple->columns[i]];
        fputs_unlocked(i > 0 ? ", " : "", out);
        put_json(out, p->name);
        fputs_unlocked(": ", out);
        if (p->domain == WRC_DOMAIN_RANGE)
            put_number(out, wrc_parameter_number(p, tuple->levels[i]));
        else
            put_json_value(out, p, p->values[tuple->levels[i]].text);
    }
    putc_unlocked('}', out);
}

void wrc_write_tuple(const wrc_model *model, const wrc_tuple *tuple, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < tuple->strength && used < size; i++) {
        const wrc_parameter *p = &model->parameters[tuple->columns[i]];
        const char          *comma = i > 0 ? ", " : "";
        int                  wrote;
        if (p->domain == WRC_DOMAIN_RANGE)
            wrote = snprintf(text + used, size - used, "%s%s=%lld", comma, p->name,
                             (long long)wrc_parameter_number(p, tuple->levels[i]));
        else
            wrote = snprintf(text + used, size - used, "%s%s=%s", comma, p->name,
                             p->values[tuple->levels[i]].text);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}
