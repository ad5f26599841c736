/* cli/cover_options.c: from the arguments of `warren cover` to what is asked for.
 *
 * One table says what options there are; reading and --help follow it. A mistake is one line:
 * who, what was expected, what was given.
 */
#include "cli/cover_options.h"

#include <stdarg.h>
#include <string.h>

#include "cli/values.h"

typedef struct row row;
struct row {
    const char *name;
    char        letter;
    const char *argument; /* NULL: a flag */
    bool (*read)(const row *option, wri_cover_options *to, const char *text);
    size_t      field;
    uint64_t    low, high;
    const char *words; /* "a|b|c": the value is the position */
    const char *expected, *help;
};

#define FIELD(member) offsetof(wri_cover_options, member)

static bool read_flag(const row *, wri_cover_options *, const char *);
static bool read_number(const row *, wri_cover_options *, const char *);
static bool read_seed(const row *, wri_cover_options *, const char *);
static bool read_text(const row *, wri_cover_options *, const char *);
static bool read_duration(const row *, wri_cover_options *, const char *);
static bool read_format(const row *, wri_cover_options *, const char *);
static bool read_radix(const row *, wri_cover_options *, const char *);
static bool read_local(const row *, wri_cover_options *, const char *);

static const row OPTIONS[] = {
    { "strength", 't', "T", read_number, FIELD(strength), 1, 1000000, NULL,
      "a whole number, 1 or more", "cover every T parameters together (2)" },
    { "radix", 0, "HOW", read_radix, 0, 2, UINT32_MAX, NULL, "off, auto or a base of 2 or more",
      "wide parameters as digits: off, auto, BASE (off)" },
    { "radix-local", 0, "HOW", read_local, 0, 0, 0, "all|none", "all or none",
      "values of a parameter that is split: all, none (all)" },
    { "format", 0, "HOW", read_format, 0, 0, 0, "csv|tsv|json|acts", "csv, tsv, json or acts",
      "csv, tsv, json, acts (csv)" },
    { "seed", 0, "N", read_seed, FIELD(seed), 0, UINT64_MAX, NULL,
      "a whole number below 2^64, decimal or 0x hexadecimal", "other rows, as good (1)" },
    { "keep", 0, "FILE", read_text, FIELD(keep), 0, 0, NULL, "a file of rows",
      "rows that are there already: add what is missing" },
    { "optimise", 0, "DUR", read_duration, FIELD(optimise_ms), 1, UINT64_C(31536000000), NULL,
      "a duration such as 10s, 500ms, 2m or 1h", "look for fewer rows for so long" },
    { "moves", 0, "N", read_number, FIELD(moves), 1, UINT64_MAX, NULL,
      "a whole number, 1 or more", "look for fewer rows so many moves (about 1s)" },
    { "verify", 0, NULL, read_flag, FIELD(verify), 0, 0, NULL, NULL,
      "check the rows by other means" },
    { "infeasible", 0, "FILE", read_text, FIELD(infeasible), 0, 0, NULL, "a file",
      "write the tuples that no row can have" },
    { "measure", 0, "FILE", read_text, FIELD(measure), 0, 0, NULL, "a file of rows",
      "say what these rows cover, and build nothing" },
    { "output", 'o', "FILE", read_text, FIELD(output), 0, 0, NULL, "a file",
      "where the rows go (standard output)" },
    { "case-sensitive", 0, NULL, read_flag, FIELD(case_sensitive), 0, 0, NULL, NULL,
      "A and a differ, in PICT's language, too" },
    { "quiet", 'q', NULL, read_flag, FIELD(quiet), 0, 0, NULL, NULL, "no summary" },
    { "help", 'h', NULL, read_flag, FIELD(help), 0, 0, NULL, NULL, "print this" },
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

/* ---- Values ------------------------------------------------------------------------------- */

static void keep(const row *option, wri_cover_options *to, const void *value, size_t size)
{
    memcpy((char *)to + option->field, value, size);
}

static bool read_flag(const row *option, wri_cover_options *to, const char *text)
{
    bool yes = true;
    (void)text;
    keep(option, to, &yes, sizeof yes);
    return true;
}

static bool read_number(const row *option, wri_cover_options *to, const char *text)
{
    uint64_t value;
    if (!wri_values_digits(&text, 10, &value) || *text || value < option->low ||
        value > option->high)
        return false;
    keep(option, to, &value, sizeof value);
    return true;
}

static bool read_seed(const row *option, wri_cover_options *to, const char *text)
{
    uint64_t value;
    if (!wri_values_seed(text, &value))
        return false;
    keep(option, to, &value, sizeof value);
    return true;
}

static bool read_text(const row *option, wri_cover_options *to, const char *text)
{
    keep(option, to, &text, sizeof text);
    return *text != '\0';
}

static bool read_duration(const row *option, wri_cover_options *to, const char *text)
{
    uint64_t ms;
    if (!wri_values_duration(text, option->high, &ms) || ms < option->low || ms > option->high)
        return false;
    keep(option, to, &ms, sizeof ms);
    return true;
}

static bool read_format(const row *option, wri_cover_options *to, const char *text)
{
    int found = wri_values_word(option->words, text);
    to->format = (uint32_t)(found < 0 ? 0 : found);
    to->json = strcmp(text, "json") == 0;
    return found >= 0;
}

static bool read_radix(const row *option, wri_cover_options *to, const char *text)
{
    int found = wri_values_word("off|auto", text);
    to->radix = (uint64_t)(found < 0 ? 0 : found);
    return found >= 0 || (wri_values_digits(&text, 10, &to->radix) && !*text &&
                          to->radix >= option->low && to->radix <= option->high);
}

static bool read_local(const row *option, wri_cover_options *to, const char *text)
{
    int found = wri_values_word(option->words, text);
    to->no_local = found == 1;
    return found >= 0;
}

/* ---- Arguments ---------------------------------------------------------------------------- */

typedef struct reading {
    wri_cover_options *to;
    char              *error;
    size_t             size;
} reading;

__attribute__((format(printf, 2, 3))) static bool mistake(reading *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(r->error, r->size, format, values);
    va_end(values);
    return false;
}

static const row *find_option(const char *argument, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const row *o = &OPTIONS[i];
        if (length == 2 && argument[1] == o->letter && o->letter)
            return o;
        if (length > 2 && strlen(o->name) == length - 2 && strncmp(argument, "--", 2) == 0 &&
            memcmp(argument + 2, o->name, length - 2) == 0)
            return o;
    }
    return NULL;
}

static bool read_option(reading *r, int argc, char **argv, int *i)
{
    size_t      length = strcspn(argv[*i], "=");
    const char *value = argv[*i][length] ? argv[*i] + length + 1 : NULL;
    const row  *option = find_option(argv[*i], length);
    if (!option)
        return mistake(r, "\"%.60s\" is not an option (--help names them)", argv[*i]);
    if (!option->argument && value)
        return mistake(r, "--%s: expected no value, got \"%.60s\"", option->name, value);
    if (option->argument && !value) {
        if (*i + 1 >= argc)
            return mistake(r, "--%s: expected %s, got nothing", option->name, option->expected);
        value = argv[++*i];
    }
    if (!option->read(option, r->to, value))
        return mistake(r, "--%s: expected %s, got \"%.60s\"", option->name, option->expected,
                       value);
    return true;
}

static bool read_operand(reading *r, const char *text)
{
    if (r->to->constraints)
        return mistake(
            r, "expected one model, and CASA's constraints if it has some, got \"%.60s\"", text);
    if (r->to->model)
        r->to->constraints = text;
    else
        r->to->model = text;
    return *text != '\0' || mistake(r, "expected a model's file, got \"\"");
}

static bool agree(reading *r)
{
    const wri_cover_options *o = r->to;
    if (!o->model && !o->help)
        return mistake(r, "expected a model's file, got nothing");
    if (o->moves && o->optimise_ms)
        return mistake(r, "--moves: expected without --optimise, got both");
    if (o->measure && (o->keep || o->output || o->radix || o->optimise_ms || o->moves))
        return mistake(r, "--measure: expected without options that build rows, got both");
    return true;
}

bool wri_cover_options_read(wri_cover_options *options, int argc, char **argv, char *error,
                            size_t error_size)
{
    reading r = { options, error, error_size };
    bool    operands_only = false;
    *options = (wri_cover_options){ .seed = 1 };
    for (int i = 0; i < argc; i++) {
        bool option = !operands_only && argv[i][0] == '-' && argv[i][1];
        if (option && strcmp(argv[i], "--") == 0)
            operands_only = true;
        else if (!(option ? read_option(&r, argc, argv, &i) : read_operand(&r, argv[i])))
            return false;
    }
    return agree(&r);
}

void wri_cover_help(FILE *out)
{
    fputs("usage: warren cover MODEL [CONSTRAINTS] [OPTION...]\n\n"
          "Prints rows in which every combination of values of every T parameters occurs that\n"
          "the constraints allow. MODEL is in ACTS's, PICT's, CASA's or Warren's language, told\n"
          "apart by what is in it; CONSTRAINTS is CASA's second file (for X.model it is\n"
          "X.constraints). A file - is standard input.\n\n",
          out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const row *o = &OPTIONS[i];
        char       left[40], letter[8] = "";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        fprintf(out, "  %-20s  %s\n", left, o->help);
    }
    fputs("\nRows go to standard output, a summary to standard error. The same seed gives the\n"
          "same rows; --optimise is timed, and says which --moves repeat it.\n\n"
          "exit status: 0 done; 1 --verify found something wrong; 99 it could not be done as\n"
          "asked; 130 interrupted, with all rows written that are needed\n",
          out);
}
