/* cover/language/read_acts.c: ACTS's text form.
 *
 * Sections in square brackets: [System], [Parameter], [Relation], [Constraint], [Test Set]. A
 * parameter is `name (type) : value, value ; invalid, invalid`, with a base choice in square
 * brackets; a relation `name : (parameter, …, strength)`; a constraint is one line. Lines that
 * begin with -- are comments. Ranges, 0..1000 and 0..1000/10, are allowed in (int) parameters.
 */
#include "cover/language/formula_parse.h"
#include "cover/language/readers.h"

#include <stdlib.h>
#include <string.h>

typedef struct acts {
    wrc_draft        *draft;
    const wrc_source *source;
    wrc_lines         lines;
    bool (*section)(struct acts *, wrc_span line);
    bool     base_choices;
    wrc_list columns; /* of the test set: parameters, WRC_ANY: not yet named */
} acts;

static wrc_place place(const acts *a, wrc_span span)
{
    return (wrc_place){ a->source, span.at };
}

static bool wanted(const acts *a, wrc_span span, const char *what)
{
    return wrc_scan_expected(a->draft->complaint, place(a, span), what);
}

/* ---- [System] and [Parameter] ------------------------------------------------------------ */

static bool read_system(acts *a, wrc_span line)
{
    wrc_span rest = line, key = wrc_scan_split(&rest, ':');
    if (!rest.at || !wrc_span_is(key, "name", true))
        return wanted(a, line, "'Name:'");
    rest = wrc_scan_trim(rest);
    a->draft->model.name = wrc_memory_text(a->draft->memory, rest.at, rest.length);
    return a->draft->model.name != NULL || wrc_draft_out_of_memory(a->draft);
}

static wrc_span without_quotes(wrc_span span)
{
    bool quoted = span.length > 1 && span.at[0] == '"' && span.at[span.length - 1] == '"';
    return quoted ? (wrc_span){ span.at + 1, span.length - 2 } : span;
}

/* [443] is ACTS's base choice, which no covering array needs. */
static wrc_span without_base_choice(acts *a, wrc_span value)
{
    if (value.length < 3 || value.at[0] != '[' || value.at[value.length - 1] != ']')
        return value;
    a->base_choices = true;
    return wrc_scan_trim((wrc_span){ value.at + 1, value.length - 2 });
}

static bool read_value(acts *a, wrc_span value, wrc_typing typing, bool invalid)
{
    int64_t first, last, step;
    value = without_quotes(without_base_choice(a, value));
    if (value.length == 0)
        return wanted(a, value, "a value");
    if (typing == WRC_TYPE_NUMBER && wrc_read_range(value, &first, &last, &step))
        return wrc_draft_range(a->draft, place(a, value), first, last, step, invalid);
    return wrc_draft_value(a->draft, place(a, value), value.at, value.length, invalid, 1);
}

static bool read_values(acts *a, wrc_span list, wrc_typing typing, bool invalid)
{
    while (list.at)
        if (!read_value(a, wrc_scan_split(&list, ','), typing, invalid))
            return false;
    return true;
}

static bool read_type(acts *a, wrc_span type, wrc_typing *typing)
{
    static const struct {
        const char *name;
        wrc_typing  typing;
    } TYPES[] = { { "int", WRC_TYPE_NUMBER },
                  { "range", WRC_TYPE_NUMBER },
                  { "enum", WRC_TYPE_TEXT },
                  { "boolean", WRC_TYPE_BOOLEAN },
                  { "bool", WRC_TYPE_BOOLEAN } };
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (wrc_span_is(type, TYPES[i].name, true)) {
            *typing = TYPES[i].typing;
            return true;
        }
    return wanted(a, type, "int, enum, boolean or range");
}

/* `name (type)`; without a type it is guessed from the values. */
static bool read_name(acts *a, wrc_span head, wrc_typing *typing)
{
    const char *open = head.length > 0 ? memrchr(head.at, '(', head.length) : NULL;
    wrc_span    name = { head.at, open ? (size_t)(open - head.at) : head.length };
    *typing = WRC_TYPE_GUESSED;
    if (open) {
        wrc_span type = { open + 1, (size_t)(head.at + head.length - open) - 1 };
        if (type.length == 0 || type.at[type.length - 1] != ')')
            return wanted(a, (wrc_span){ type.at + type.length, 0 }, "')'");
        type.length--;
        if (!read_type(a, wrc_scan_trim(type), typing))
            return false;
    }
    name = wrc_scan_trim(name);
    if (name.length == 0)
        return wanted(a, head, "a parameter's name");
    return wrc_draft_parameter(a->draft, place(a, name), name.at, name.length, *typing);
}

static bool read_parameter(acts *a, wrc_span line)
{
    wrc_span   rest = line, head = wrc_scan_split(&rest, ':'), valid;
    wrc_typing typing;
    if (!rest.at)
        return wanted(a, (wrc_span){ line.at + line.length, 0 }, "':' and values");
    if (!read_name(a, head, &typing))
        return false;
    valid = wrc_scan_split(&rest, ';');
    if (!read_values(a, valid, typing, false))
        return false;
    rest = wrc_scan_trim(rest);
    return rest.length == 0 || read_values(a, rest, typing, true);
}

/* ---- [Relation] -------------------------------------------------------------------------- */

static bool read_members(acts *a, wrc_span members, const char *name)
{
    const char *comma = members.length > 0 ? memrchr(members.at, ',', members.length) : NULL;
    wrc_list    group = { 0 };
    int64_t     strength;
    if (!comma)
        return wanted(a, members, "parameters and a strength");
    wrc_span last =
        wrc_scan_trim((wrc_span){ comma + 1, (size_t)(members.at + members.length - comma) - 1 });
    if (!wrc_model_whole_number(last.at, last.length, &strength) || strength < 1 ||
        strength > UINT32_MAX)
        return wanted(a, last, "a strength, 1 or more");
    members.length = (size_t)(comma - members.at);
    bool fine = wrc_read_group(a->draft, a->source, members, &group) &&
                wrc_draft_relation(a->draft, place(a, members), name, (uint32_t)strength,
                                   group.items, (uint32_t)group.count);
    free(group.items);
    return fine;
}

static bool read_relation(acts *a, wrc_span line)
{
    wrc_span rest = line, name = wrc_scan_split(&rest, ':');
    rest = wrc_scan_trim(rest);
    if (!rest.at || rest.length < 2 || rest.at[0] != '(')
        return wanted(a, rest.at ? rest : (wrc_span){ line.at + line.length, 0 },
                      "': (parameters, strength)'");
    if (rest.at[rest.length - 1] != ')')
        return wanted(a, (wrc_span){ rest.at + rest.length, 0 }, "')'");
    char *copy = wrc_memory_text(a->draft->memory, name.at, name.length);
    if (!copy)
        return wrc_draft_out_of_memory(a->draft);
    return read_members(a, (wrc_span){ rest.at + 1, rest.length - 2 }, copy);
}

/* ---- [Constraint] ------------------------------------------------------------------------ */

static bool read_constraint(acts *a, wrc_span line)
{
    const char *at = line.at;
    wrc_formula holds = wrc_formula_parse(a->draft, a->source, &at);
    if (!holds)
        return false;
    if (at < a->source->end && *at != '\n')
        return wanted(a, (wrc_span){ at, 0 }, "an operator or the end of the line");
    wrc_span text = wrc_scan_trim((wrc_span){ line.at, (size_t)(at - line.at) });
    bool     fine = wrc_draft_constraint(a->draft, holds, text.at, text.length, a->lines.number);
    while (a->lines.next < at &&
           wrc_lines_next(&a->lines)) /* lines that brackets held together */
        continue;
    return fine;
}

/* ---- [Test Set] -------------------------------------------------------------------------- */

static bool read_columns(acts *a, wrc_span line)
{
    return wrc_read_group(a->draft, a->source, line, &a->columns);
}

static bool read_cells(acts *a, wrc_span line, uint32_t *row)
{
    const uint32_t *columns = a->columns.items;
    size_t          column = 0;
    for (; line.at; column++) {
        wrc_span value = wrc_scan_split(&line, ',');
        if (column == a->columns.count)
            return wanted(a, value, "the end of the row, for there are no more columns");
        value = without_quotes(value);
        uint32_t level =
            wrc_model_level_of(&a->draft->model, columns[column], value.at, value.length);
        bool any = wrc_span_is(value, "*", false) || value.length == 0;
        if (level == WRC_ANY && !any)
            return wanted(a, value, "a value of the column's parameter, or '*'");
        row[columns[column]] = level;
    }
    return true;
}

static bool read_row(acts *a, wrc_span line)
{
    if (a->columns.count == 0)
        return read_columns(a, line);
    uint32_t *row = malloc(a->draft->model.parameter_count * sizeof *row);
    if (!row)
        return wrc_draft_out_of_memory(a->draft);
    for (uint32_t p = 0; p < a->draft->model.parameter_count; p++)
        row[p] = WRC_ANY;
    bool fine = read_cells(a, line, row) && wrc_draft_row(a->draft, row);
    free(row);
    return fine;
}

/* ---- Sections ---------------------------------------------------------------------------- */

typedef bool reader(acts *, wrc_span);

static reader *find_section(wrc_span name)
{
    static const struct {
        const char *name;
        reader     *read;
    } SECTIONS[] = { { "[system]", read_system },
                     { "[parameter]", read_parameter },
                     { "[parameters]", read_parameter },
                     { "[relation]", read_relation },
                     { "[relations]", read_relation },
                     { "[constraint]", read_constraint },
                     { "[constraints]", read_constraint },
                     { "[test set]", read_row },
                     { "[testset]", read_row } };
    for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++)
        if (wrc_span_is(name, SECTIONS[i].name, true))
            return SECTIONS[i].read;
    return NULL;
}

/* The parameters are complete when the first section begins that uses them. */
static bool begin_section(acts *a, wrc_span line)
{
    reader *next = find_section(line);
    if (!next)
        return wrc_scan_expected_not(
            a->draft->complaint, place(a, line),
            "[System], [Parameter], [Relation], [Constraint] or [Test Set]", line);
    bool of_parameters = next == read_system || next == read_parameter;
    if (of_parameters && a->draft->settled)
        return wanted(a, line, "[Parameter] before the sections that name parameters");
    if (!of_parameters && !a->draft->settled && !wrc_draft_settle(a->draft))
        return false;
    a->section = next;
    return true;
}

static bool read_line(acts *a)
{
    wrc_span line = wrc_scan_trim(a->lines.line);
    if (line.length == 0 || (line.length > 1 && memcmp(line.at, "--", 2) == 0))
        return true;
    if (line.at[0] == '[' && line.at[line.length - 1] == ']' &&
        memchr(line.at, ':', line.length) == NULL)
        return begin_section(a, line);
    if (!a->section)
        return wanted(a, line, "a section, such as [Parameter]");
    return a->section(a, line);
}

bool wrc_read_acts(wrc_draft *draft, const wrc_source *source)
{
    acts a = { .draft = draft, .source = source };
    bool fine = true;
    wrc_lines_open(&a.lines, source);
    while (fine && wrc_lines_next(&a.lines))
        fine = read_line(&a);
    free(a.columns.items);
    if (fine && a.base_choices)
        fine = wrc_draft_remark(draft, "%.200s: base choices are read as ordinary values",
                                source->file);
    return fine && (draft->settled || wrc_draft_settle(draft));
}
