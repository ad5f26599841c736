/* cli/cover_options.c: the options of `warren cover`. */
#include "cli/cover_options.h"

#include "cli/option_table.h"

#define FIELD(member) WRI_OPTION_FIELD(wri_cover_options, member)

static const wri_option OPTIONS[] = {
    { "strength", 't', "T", NULL, WRI_OPTION_NUMBER, FIELD(strength), 1, 1000000,
      .expected = "a whole number from 1 to 1000000",
      .help = "cover every T parameters together (2)" },
    { "radix", 0, "HOW", NULL, WRI_OPTION_NUMBER, FIELD(radix), 2, UINT32_MAX,
      .words = "off|auto", .expected = "off, auto or a base from 2 to 4294967295",
      .help = "wide parameters as digits: off, auto, BASE (off)" },
    { "radix-local", 0, "HOW", NULL, WRI_OPTION_WORD, FIELD(no_local), .words = "all|none",
      .help = "values of a parameter that is split: all, none (all)" },
    { "format", 0, "HOW", NULL, WRI_OPTION_WORD, FIELD(format), .words = "csv|tsv|json|acts",
      .help = "csv, tsv, json, acts (csv)" },
    { "seed", 0, "N", NULL, WRI_OPTION_SEED, FIELD(seed), 0, UINT64_MAX,
      .expected = "a whole number below 2^64, decimal or 0x hexadecimal",
      .help = "other rows, as good (1)" },
    { "keep", 0, "FILE", NULL, WRI_OPTION_TEXT, FIELD(keep), .expected = "a file of rows",
      .help = "rows that are there already: add what is missing" },
    { "optimise", 0, "DUR", NULL, WRI_OPTION_DURATION, FIELD(optimise_ms), 1,
      UINT64_C(31536000000),
      .expected = "a duration above 0, such as 10s, 500ms, 2m or 1h, up to 8760h",
      .help = "look for fewer rows for so long" },
    { "moves", 0, "N", NULL, WRI_OPTION_NUMBER, FIELD(moves), 1, UINT64_MAX,
      .expected = "a whole number from 1 to 18446744073709551615",
      .help = "look for fewer rows so many moves (up to 1s)" },
    { "verify", FIELD(verify), .help = "check the rows by other means" },
    { "infeasible", 0, "FILE", NULL, WRI_OPTION_TEXT, FIELD(infeasible), .expected = "a file",
      .help = "write the tuples that no row can have" },
    { "measure", 0, "FILE", NULL, WRI_OPTION_TEXT, FIELD(measure), .expected = "a file of rows",
      .help = "say what these rows cover, and build nothing" },
    { "missing", 0, "N", NULL, WRI_OPTION_NUMBER, FIELD(missing), 0, UINT64_MAX - 1,
      .expected = "a whole number up to 18446744073709551614",
      .help = "list so many missing tuples (20; json: all)" },
    { "output", 'o', "FILE", NULL, WRI_OPTION_TEXT, FIELD(output), .expected = "a file",
      .help = "where the rows go (standard output)" },
    { "html", 0, "FILE", NULL, WRI_OPTION_TEXT, FIELD(html), .expected = "a file",
      .help = "write a page for a browser, too" },
    { "case-sensitive", FIELD(case_sensitive),
      .help = "A and a differ, in PICT's language, too" },
    { "quiet", 'q', FIELD(quiet), .help = "no summary" },
    { "help", 'h', FIELD(help), .help = "print this" },
};
static const wri_option_table TABLE = { OPTIONS, sizeof OPTIONS / sizeof *OPTIONS };
_Static_assert(sizeof OPTIONS / sizeof *OPTIONS <= WRI_OPTION_MOST, "a reading has no room");

static bool take_operand(wri_option_reading *reading, char *text)
{
    wri_cover_options *to = reading->to;
    char               given[WRI_OPTION_QUOTED];
    if (to->constraints)
        return wri_option_table_mistake(
            reading, "expected one model, and CASA's constraints if it has some, got %s",
            wri_option_table_quoted(text, given));
    *(to->model ? &to->constraints : &to->model) = text;
    return *text || wri_option_table_mistake(reading, "expected a model's file, got \"\"");
}

/* Whether the options go together. */
static bool agree(wri_option_reading *reading)
{
    const wri_cover_options *o = reading->to;
    if (!o->model && !o->measure && !o->help)
        return wri_option_table_mistake(reading, "expected a model's file, got nothing");
    if (o->moves && o->optimise_ms)
        return wri_option_table_mistake(reading,
                                        "--moves: cannot be given together with --optimise");
    if (o->measure && (o->keep || o->output || o->radix || o->optimise_ms || o->moves))
        return wri_option_table_mistake(
            reading, "--measure: cannot be given together with options that build rows");
    if (o->missing != UINT64_MAX && !o->measure)
        return wri_option_table_mistake(reading,
                                        "--missing: expected with --measure, got it alone");
    return true;
}

bool wri_cover_options_read(wri_cover_options *options, int argc, char **argv, char *error,
                            size_t error_size)
{
    wri_option_reading reading = { &TABLE, options,    NULL,
                                   error,  error_size, .operand = take_operand };
    *options = (wri_cover_options){ .seed = 1, .missing = UINT64_MAX };
    return wri_option_table_arguments(&reading, argc, argv) && agree(&reading);
}

void wri_cover_help(FILE *out)
{
    fputs("usage: warren cover MODEL [CONSTRAINTS] [OPTION...]\n"
          "       warren cover [MODEL] --measure FILE [OPTION...]\n\n"
          "Prints rows in which every combination of values of every T parameters occurs that\n"
          "the constraints allow. MODEL is in ACTS's, PICT's, CASA's or Warren's language, told\n"
          "apart by what is in it; CONSTRAINTS is CASA's second file (for X.model it is\n"
          "X.constraints). A file - is standard input.\n\n",
          out);
    wri_option_table_help(&TABLE, out);
    fputs("\nRows go to standard output, a summary to standard error. The same seed gives the\n"
          "same rows; --optimise is timed, and says which --moves repeat it.\n\n"
          "exit status: 0 done; 1 --verify found something wrong; 99 it could not be done as\n"
          "asked; 130 interrupted, with all rows written that are needed\n",
          out);
}
