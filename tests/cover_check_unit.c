/* tests/cover_check_unit.c: the checker against brute force, rows out of files, and writers.
 *
 * Small random models with constraints, invalid values and overlapping relations, and random
 * rows: what the checker counts must be what trying every row of the model counts.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/prng.h"
#include "cover/check/check.h"
#include "cover/language/read.h"
#include "cover/language/rows.h"
#include "cover/check/witness.h"
#include "cover/language/write.h"
#include "unit.h"

/* The checker asks only when its own search is given up: here it never is. */
static const wrc_opinion NOBODY;

static wrc_model *read_model(const char *text)
{
    wrc_complaint complaint = { "" };
    wrc_model    *model =
        wrc_read_text("m", text, strlen(text), NULL, NULL, 0, (wrc_asked){ 0 }, &complaint);
    if (!model) {
        printf("%s\n%s\n", complaint.text, text);
        failures++;
    }
    return model;
}

/* ---- Brute force -------------------------------------------------------------------------- */

enum { COLUMNS = 5, MOST_LEVELS = 4 };

static uint32_t below(uint64_t *random, uint32_t count)
{
    return (uint32_t)wri_prng_scale(wri_prng_next(random), count - 1);
}

static char *random_model(uint64_t *random)
{
    char  *text;
    size_t size;
    FILE  *out = open_memstream(&text, &size);
    for (int p = 0; p < COLUMNS; p++) {
        fprintf(out, "parameter p%d: 0", p);
        uint32_t levels = 1 + below(random, MOST_LEVELS), invalid = below(random, 4) == 0;
        for (uint32_t i = 1; i < levels; i++)
            fprintf(out, ", %u", i);
        fputs(invalid ? " invalid 7, 8\n" : "\n", out);
    }
    fprintf(out, "cover %u of all\n", 1 + below(random, 3));
    fprintf(out, "cover %u of p0, p2, p3\n", 1 + below(random, 3));
    for (uint32_t i = below(random, 4); i > 0; i--)
        fprintf(out, "require p%u + p%u != %u or p%u in {1..1}\n", below(random, 5),
                below(random, 5), below(random, 5), below(random, 5));
    if (below(random, 3) == 0)
        fprintf(out, "require 6 / p%u < 4\n", below(random, 5));
    fclose(out);
    return text;
}

static bool next_row(const wrc_model *model, uint32_t *row)
{
    for (uint32_t p = model->parameter_count; p-- > 0; row[p] = 0)
        if (++row[p] < model->parameters[p].levels)
            return true;
    return false;
}

static uint32_t invalid_cells(const wrc_model *model, const uint32_t *row)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        count += row[p] >= wrc_parameter_valid_levels(&model->parameters[p]);
    return count;
}

static bool has(const uint32_t *row, uint32_t mask, const uint32_t *tuple)
{
    for (uint32_t p = 0; p < COLUMNS; p++)
        if (mask >> p & 1 && row[p] != tuple[p])
            return false;
    return true;
}

/* Whether a row, complete and of this model, has as many invalid values as the tuple, and it. */
static bool shows(const wrc_model *model, const uint32_t *row, uint32_t mask,
                  const uint32_t *tuple, uint32_t invalid)
{
    return invalid_cells(model, row) == invalid && has(row, mask, tuple);
}

static bool can_be(const wrc_model *model, uint32_t mask, const uint32_t *tuple, uint32_t invalid)
{
    uint32_t row[COLUMNS] = { 0 };
    do
        if (shows(model, row, mask, tuple, invalid) && !wrc_witness_broken_constraint(model, row))
            return true;
    while (next_row(model, row));
    return false;
}

static bool asked_for(const wrc_model *model, uint32_t mask)
{
    for (uint32_t r = 0; r < model->relation_count; r++) {
        uint32_t of = 0;
        for (uint32_t i = 0; i < model->relations[r].count; i++)
            of |= 1u << model->relations[r].parameters[i];
        if ((mask & of) == mask &&
            (uint32_t)__builtin_popcount(mask) == model->relations[r].strength)
            return true;
    }
    return false;
}

static void count_tuple(const wrc_model *model, const uint32_t *rows, uint32_t row_count,
                        uint32_t mask, const uint32_t *tuple, uint32_t invalid, wrc_coverage *to)
{
    bool covered = false;
    for (uint32_t r = 0; r < row_count; r++)
        covered = covered || shows(model, rows + r * COLUMNS, mask, tuple, invalid);
    to->tuples++;
    if (covered)
        to->covered++;
    else if (can_be(model, mask, tuple, invalid))
        to->missing++;
    else
        to->infeasible++;
}

static void brute_force(const wrc_model *model, const uint32_t *rows, uint32_t row_count,
                        wrc_coverage *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t mask = 1; mask < 1u << COLUMNS; mask++) {
        uint32_t tuple[COLUMNS] = { 0 };
        if (!asked_for(model, mask))
            continue;
        do {
            uint32_t invalid = 0;
            bool     first = true; /* of those that differ only outside of the mask */
            for (uint32_t p = 0; p < COLUMNS; p++) {
                first = first && (mask >> p & 1 || tuple[p] == 0);
                invalid += mask >> p & 1 &&
                           tuple[p] >= wrc_parameter_valid_levels(&model->parameters[p]);
            }
            if (first && invalid <= 1)
                count_tuple(model, rows, row_count, mask, tuple, invalid, to);
        } while (next_row(model, tuple));
    }
}

TEST(the_checker_counts_what_brute_force_counts)
{
    uint64_t random = 12345, missing = 0, infeasible = 0;
    for (int round = 0; round < 150; round++) {
        wrc_complaint complaint = { "" };
        wrc_coverage  got, wanted;
        char         *text = random_model(&random);
        wrc_model    *model = read_model(text);
        uint32_t      rows[40][COLUMNS], count = below(&random, 40);
        wrc_checker  *checker = model ? wrc_checker_open(model, &complaint) : NULL;
        for (uint32_t r = 0; checker && r < count; r++) {
            for (uint32_t p = 0; p < COLUMNS; p++)
                rows[r][p] = below(&random, model->parameters[p].levels);
            CHECK(wrc_checker_row(checker, rows[r], &complaint));
        }
        if (checker && wrc_check(checker, NOBODY, &got, &complaint)) {
            brute_force(model, rows[0], count, &wanted);
            CHECK(got.tuples == wanted.tuples);
            CHECK(got.covered == wanted.covered);
            CHECK(got.infeasible == wanted.infeasible && got.searched == wanted.infeasible);
            CHECK(got.missing == wanted.missing);
            missing += got.missing;
            infeasible += got.infeasible;
            wrc_coverage_free(&got);
        } else {
            printf("%s\n", complaint.text);
            failures++;
        }
        wrc_checker_close(checker);
        wrc_model_free(model);
        free(text);
    }
    CHECK(missing > 1000 && infeasible > 300); /* so there was something to tell apart */
}

/* ---- Measuring ---------------------------------------------------------------------------- */

TEST(coverage_is_measured_for_each_strength)
{
    wrc_model *model = read_model("parameter a: 0, 1\nparameter b: 0, 1\nparameter c: 0, 1\n"
                                  "require a = 0 or b = 0\n");
    static const uint32_t ROWS[][3] = { { 0, 0, 0 }, { 1, 0, 1 } };
    wrc_complaint         complaint = { "" };
    wrc_checker          *checker = wrc_checker_open(model, &complaint);
    wrc_coverage          got;
    char                  text[64];
    for (int i = 0; i < 2; i++)
        wrc_checker_row(checker, ROWS[i], &complaint);
    CHECK(wrc_check_measure(checker, NOBODY, 1, &got, &complaint));
    CHECK(got.tuples == 6 && got.covered == 5 && got.missing == 1 && got.combinations == 3);
    CHECK(got.at_least[50] == 3 && got.at_least[51] == 2 && got.at_least[100] == 2);
    size_t    at = 0;
    wrc_tuple tuple;
    CHECK(wrc_coverage_missing(&got, &at, &tuple));
    wrc_write_tuple(model, &tuple, text, sizeof text);
    CHECK(got.shown == 1 && strcmp(text, "b=1") == 0);
    CHECK(!wrc_coverage_missing(&got, &at, &tuple));
    wrc_coverage_free(&got);
    CHECK(wrc_check_measure(checker, NOBODY, 2, &got, &complaint));
    CHECK(got.tuples == 12 && got.covered == 6 && got.infeasible == 1 && got.missing == 5);
    CHECK(got.at_least[66] == 1 && got.at_least[67] == 0); /* a and b: two of three */
    wrc_coverage_free(&got);
    CHECK(wrc_check_measure(checker, NOBODY, 3, &got, &complaint));
    CHECK(got.tuples == 8 && got.covered == 2 && got.infeasible == 2 && got.missing == 4);
    wrc_coverage_free(&got);
    CHECK(wrc_check_measure(checker, NOBODY, 4, &got, &complaint));
    CHECK(got.tuples == 0);
    wrc_checker_close(checker);
    wrc_model_free(model);
}

TEST(missing_tuples_are_listed_as_far_as_is_asked)
{
    wrc_model    *model = read_model("parameter a: 0..9\nparameter b: 0..9\nparameter c: 0..9\n");
    wrc_complaint complaint = { "" };
    wrc_checker  *checker = wrc_checker_open(model, &complaint);
    static const uint64_t MOST[] = { 0, 7, 1000 };
    wrc_checker_row(checker, (uint32_t[]){ 1, 2, 3 }, &complaint);
    for (size_t i = 0; i < sizeof MOST / sizeof *MOST; i++) {
        wrc_coverage got;
        wrc_tuple    tuple;
        uint64_t     listed = 0;
        wrc_checker_show(checker, MOST[i]);
        CHECK(wrc_check_measure(checker, NOBODY, 2, &got, &complaint));
        for (size_t at = 0; wrc_coverage_missing(&got, &at, &tuple); listed++)
            CHECK(tuple.strength == 2 && tuple.columns[0] < tuple.columns[1] &&
                  tuple.levels[1] < 10);
        CHECK(got.missing == 297 && listed == (MOST[i] < 297 ? MOST[i] : 297));
        wrc_coverage_free(&got);
    }
    wrc_checker_close(checker);
    wrc_model_free(model);
}

TEST(a_check_ends_when_its_time_is_over)
{
    wrc_model    *model = read_model("parameter a: 0..9\nparameter b: 0..9\nparameter c: 0..9\n"
                                        "require a + b + c < 20\n");
    wrc_complaint complaint = { "" };
    wrc_checker  *checker = wrc_checker_open(model, &complaint);
    wrc_opinion   over = { .until = 1e-9 };
    wrc_coverage  got;
    wrc_faults    faults;
    wrc_checker_row(checker, (uint32_t[]){ 1, 2, 3 }, &complaint);
    CHECK(!wrc_checker_faults(checker, over.until, &faults));
    CHECK(wrc_check(checker, over, &got, &complaint) && got.stopped);
    wrc_coverage_free(&got);
    CHECK(wrc_check(checker, NOBODY, &got, &complaint) && !got.stopped && got.missing > 0);
    wrc_coverage_free(&got);
    wrc_checker_close(checker);
    wrc_model_free(model);
}

TEST(what_is_too_much_is_refused)
{
    wrc_model    *model = read_model("parameter a: 0..99999\nparameter b: 0..99999\n");
    wrc_complaint complaint = { "" };
    wrc_checker  *checker = wrc_checker_open(model, &complaint);
    wrc_coverage  got;
    CHECK(!wrc_check(checker, NOBODY, &got, &complaint));
    CHECK(strcmp(complaint.text,
                 "too many tuples to look at: some 2 parameters have more than 2^32") == 0);
    wrc_checker_close(checker);
    wrc_model_free(model);
}

TEST(rows_that_should_not_be_there_are_found)
{
    wrc_model *model = read_model("parameter a: 0, 1 invalid 9\nparameter b: 0, 1 invalid 9\n"
                                  "require a = 0 or b = 0\n");
    static const uint32_t ROWS[][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, WRC_ANY }, { 2, 0 } };
    wrc_complaint         complaint = { "" };
    wrc_checker          *checker = wrc_checker_open(model, &complaint);
    wrc_faults            faults;
    for (int i = 0; i < 5; i++)
        wrc_checker_row(checker, ROWS[i], &complaint);
    wrc_checker_faults(checker, 0, &faults);
    CHECK(faults.broken == 2 && faults.crowded == 1 && faults.open == 1 && faults.example == 2);
    CHECK(faults.constraint == &model->constraints[0]);
    wrc_checker_close(checker);
    wrc_model_free(model);
}

/* ---- Rows --------------------------------------------------------------------------------- */

static const char PICT[] = "Name: \"a,b\", c | see | sea, ~bad\nSize: 1, 2.5, 10\nOn: x\n";

TEST(rows_are_read_by_their_names)
{
    static const char TEXT[] = "# from ACTS\nSize,Other,name\n10,1,sea\n2.5,,\"\"\"a,b\"\"\"\n"
                               "\n*,2,bad\r\n7,,~bad\n";
    wrc_model        *model = read_model("Size: 1, 2.5, 10\nName: c | sea, ~bad\nOn: x\n");
    wrc_complaint     complaint = { "" };
    wrc_rows          rows;
    CHECK(wrc_rows_parse(model, "r", TEXT, strlen(TEXT), &rows, &complaint));
    static const uint32_t WANTED[] = { 2,       0, WRC_ANY, 1,       WRC_ANY, WRC_ANY,
                                       WRC_ANY, 1, WRC_ANY, WRC_ANY, 1,       WRC_ANY };
    CHECK(rows.count == 4 && memcmp(rows.cells, WANTED, sizeof WANTED) == 0);
    CHECK(rows.unknown == 2 && rows.ignored == 1);
    CHECK(strcmp(rows.example, "r:2:6: no parameter is called 'Other'") == 0);
    CHECK(wrc_rows_keep(model, &rows, &complaint) && model->kept_count == 4);
    CHECK(memcmp(model->kept, WANTED, sizeof WANTED) == 0);
    wrc_rows_free(&rows);
    CHECK(!wrc_rows_parse(model, "r", "Size\n1,2\n", 9, &rows, &complaint));
    CHECK(strcmp(complaint.text, "r:2:3: expected at most 1 cells, found more") == 0);
    CHECK(!wrc_rows_parse(model, "r", "Size,size\n", 10, &rows, &complaint));
    CHECK(strcmp(complaint.text, "r:1:6: expected each parameter once, found Size again") == 0);
    CHECK(!wrc_rows_parse(model, "r", "Size\n\"1\n", 8, &rows, &complaint));
    CHECK(strcmp(complaint.text, "r:2:1: expected a closing quote, found the end of the file") ==
          0);
    CHECK(!wrc_rows_parse(model, "r", "# nothing\n", 10, &rows, &complaint));
    CHECK(!wrc_rows_parse(model, "r", "other\n", 6, &rows, &complaint));
    wrc_model_free(model);
}

/* ---- Writers ------------------------------------------------------------------------------ */

static char *written(const wrc_model *model, wrc_format format, const uint32_t *rows,
                     size_t count)
{
    char         *text;
    size_t        size;
    FILE         *out = open_memstream(&text, &size);
    wrc_writer    writer;
    wrc_complaint complaint = { "" };
    CHECK(wrc_writer_open(&writer, out, model, format, model->parameter_count, &complaint));
    for (size_t i = 0; i < count; i++)
        CHECK(wrc_writer_row(&writer, rows + i * model->parameter_count));
    CHECK(wrc_writer_close(&writer, true));
    fclose(out);
    return text;
}

static void check_text(int line, char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) {
        printf("%s:%d: wanted\n%s\ngot\n%s\n", __FILE__, line, wanted, got);
        failures++;
    }
    free(got);
}

TEST(each_format_is_written_and_quoted)
{
    wrc_model *model = read_model("parameter a: \"x,y\", \"two words\", \"tab\there\"\n"
                                  "parameter n: 1, 2 invalid -7\nparameter r: -10..1000/10\n"
                                  "parameter b: false, true\n");
    static const uint32_t ROWS[] = { 0, 0, 0, 1, 1, 2, 2, 0, 2, 1, 101, WRC_ANY };
    check_text(__LINE__, written(model, WRC_FORMAT_CSV, ROWS, 3),
               "a,n,r,b\n\"x,y\",1,-10,true\ntwo words,-7,10,false\ntab\there,2,1000,*\n");
    check_text(__LINE__, written(model, WRC_FORMAT_TSV, ROWS, 3),
               "a\tn\tr\tb\nx,y\t1\t-10\ttrue\ntwo words\t-7\t10\tfalse\n"
               "\"tab\there\"\t2\t1000\t*\n");
    check_text(__LINE__, written(model, WRC_FORMAT_JSON, ROWS, 3),
               "[\n  {\"a\": \"x,y\", \"n\": 1, \"r\": -10, \"b\": true},\n"
               "  {\"a\": \"two words\", \"n\": -7, \"r\": 10, \"b\": false},\n"
               "  {\"a\": \"tab\\u0009here\", \"n\": 2, \"r\": 1000, \"b\": \"*\"}\n]\n");
    check_text(__LINE__, written(model, WRC_FORMAT_JSON, ROWS, 0), "[]\n");
    check_text(__LINE__, written(model, WRC_FORMAT_ACTS, ROWS, 1),
               "# ACTS Test Suite Generation: model\n# '*' represents don't care value\n"
               "# Degree of interaction coverage: 2\n# Number of parameters: 4\n"
               "# Maximum number of values per parameter: 102\n# Number of configurations: 1\n"
               "a,n,r,b\n\"x,y\",1,-10,true\n");
    wrc_model_free(model);
}

TEST(spellings_take_turns)
{
    wrc_model            *model = read_model(PICT);
    static const uint32_t ROWS[] = { 2, 0, 0, 2, 1, 0, 2, 2, 0, 2, 0, 0, 3, 0, 0 };
    check_text(__LINE__, written(model, WRC_FORMAT_TSV, ROWS, 5),
               "Name\tSize\tOn\nc\t1\tx\nsee\t2.5\tx\nsea\t10\tx\nc\t1\tx\n~bad\t1\tx\n");
    wrc_model_free(model);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
