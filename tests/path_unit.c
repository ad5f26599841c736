/* tests/path_unit.c: walks under constructor paths, and the rows of radix, without a worker. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "data/hole.h"
#include "data/path.h"
#include "explore/radix/rows.h"
#include "unit.h"

enum { VAR, LAM, APP };
extern const wr_type TERM;
WR_TYPE(TERM, "Term", { "Var", .index = WR_ANY_INDEX }, { "Lam", .args = { &TERM } },
        { "App", .args = { &TERM, &TERM } });

/* ---- Walks ---- */

typedef void body(wr_case *t);

static wr_case     the_case;
static wri_verdict the_verdict;
static wri_walk    walk;
static wri_step    steps[WRI_MAX_STEPS];
static uint64_t    step_count, run_count;

static _Atomic uint64_t shared_run;
static _Atomic uint32_t nothing;

typedef struct sum {
    uint64_t cases, runs;
} sum;

static void build_case(void)
{
    wr_case *t = &the_case;
    t->journal = calloc(WRI_JOURNAL_RECORDS, sizeof *t->journal);
    if (!wri_arena_start(&t->arena, WRI_MAX_CASE_BYTES) || t->journal == NULL)
        abort();
    t->journal_end = t->journal + WRI_JOURNAL_RECORDS;
    t->limit = t->journal;
    t->verdict = &the_verdict;
    t->stop = &nothing;
    wri_case_current = t;
}

static void free_case(void)
{
    wri_walk_free(&walk);
    wri_arena_free(&the_case.arena);
    free(the_case.journal);
    wri_types_forget();
}

static void run_case(body *run, uint64_t *cases)
{
    wr_case *t = &the_case;
    the_verdict.kind = WRI_NONE;
    wri_case_begin(t, 1, run_count);
    if (setjmp(t->out) == 0) {
        run(t);
        *cases += !wri_walk_small(&walk);
    }
}

/* All cases of one bound, or, if `exact`, of one size. */
static sum walk_through(body *run, const wri_paths *paths, uint64_t bound, bool exact)
{
    static wri_walked walked;
    static sum        all;
    wri_walk_terms    terms = { .bound = bound,
                                .depth = WRI_NO_BOUND,
                                .exact = exact,
                                .prune = exact,
                                .fresh = true,
                                .wanted = UINT64_MAX };
    memset(&walked, 0, sizeof walked);
    all = (sum){ 0 };
    step_count = run_count = 0;
    if (!wri_walk_start(&walk, &terms, &walked, steps, &step_count, 0))
        abort();
    walk.paths = paths;
    walk.run = &run_count;
    walk.shared_run = &shared_run;
    walk.shown = &nothing;
    the_case.walk = &walk;
    while (wri_hole_next(&walk)) {
        run_case(run, &all.cases);
        all.runs++;
    }
    the_case.walk = NULL;
    return all;
}

/* ---- Members ---- */

static const wri_path *wanted;

/* As it was published: the rest of the path may be in any argument. */
static bool is_member(wr_node *e, unsigned at)
{
    if (at == wanted->length)
        return true;
    if (wr_tag(e) != wanted->tags[at])
        return false;
    switch (wr_tag(e)) {
    case VAR: return true;
    case LAM: return is_member(wr_arg(e, 0), at + 1);
    default: return is_member(wr_arg(e, 0), at + 1) || is_member(wr_arg(e, 1), at + 1);
    }
}

static void looks_at_all(wr_case *t)
{
    wr_force(wr_tree(t, "e", &TERM));
}

static void looks_at_members(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_force(e);
    wr_assume(t, is_member(e, 0));
}

static void check_members(const wri_path *path, uint64_t size, bool exact)
{
    wri_paths paths = { .of = { *path } };
    wanted = path;
    sum members = walk_through(looks_at_members, NULL, size, exact);
    sum own = walk_through(looks_at_all, &paths, size, exact);
    CHECK(own.cases == members.cases);
    CHECK(own.cases == 0 || own.runs < members.runs);
}

/* ---- Tests ---- */

TEST(a_path_has_each_of_its_members_once)
{
    static const wri_path PATHS[] = {
        { 1, { APP } },
        { 2, { LAM, VAR } },
        { 2, { APP, LAM } },
        { 3, { APP, APP, LAM } },
        { 4, { LAM, APP, LAM, VAR } },
        { 5, { APP, APP, APP, APP, LAM } },
    };
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        check_members(&PATHS[i], 8, false);
        check_members(&PATHS[i], 8, true);
    }
}

static bool closed(wr_node *e, unsigned lambdas)
{
    switch (wr_tag(e)) {
    case VAR: return wr_index(e) < lambdas;
    case LAM: return closed(wr_arg(e, 0), lambdas + 1);
    default: return closed(wr_arg(e, 0), lambdas) && closed(wr_arg(e, 1), lambdas);
    }
}

static void is_closed(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_assume(t, closed(e, 0));
}

static void is_closed_with_masks(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM), *at = e;
    wr_need(at, 1u << LAM);
    at = wr_arg(at, 0);
    wr_need(at, 1u << LAM);
    at = wr_arg(at, 0);
    wr_need(at, 1u << APP);
    wr_assume(t, closed(e, 0));
}

TEST(a_path_makes_the_cases_and_runs_of_masks_written_by_hand)
{
    static const wri_paths PATHS = { .of = { { 3, { LAM, LAM, APP } } } };
    for (int exact = 0; exact < 2; exact++) {
        sum own = walk_through(is_closed, &PATHS, 9, exact);
        sum masks = walk_through(is_closed_with_masks, NULL, 9, exact);
        CHECK(own.cases > 10);
        CHECK(own.cases == masks.cases);
        CHECK(own.runs == masks.runs);
    }
}

static void draws_two(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    wr_force(b);
    wr_force(a);
}

static void draws_two_with_masks(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    wr_need(a, 1u << LAM);
    wr_need(b, 1u << APP);
    wr_force(b);
    wr_force(a);
}

TEST(each_tree_has_a_path_of_its_own)
{
    static const wri_paths PATHS = { .of = { { 1, { LAM } }, { 1, { APP } } } };
    sum                    own = walk_through(draws_two, &PATHS, 9, false);
    sum                    masks = walk_through(draws_two_with_masks, NULL, 9, false);
    CHECK(own.cases > 100);
    CHECK(own.cases == masks.cases);
}

/* ---- Rows ---- */

static bool has_row(const wri_radix_rows *rows, const wri_path *path)
{
    for (size_t i = 0; i < rows->count; i++)
        if (memcmp(&rows->rows[i].paths.of[0], path, sizeof *path) == 0)
            return true;
    return false;
}

/* Nine constructors, of which the first four end a path, as in the paper's System F. */
static const wri_radix_shape NINE = { .trees = 1, .forms = { 9 }, .ends = { 15 } };

/* Every constructor beside every level of a draw; and every constructor where the draw is open.
 */
TEST(rows_have_levels_of_draws)
{
    wri_radix_shape shape = NINE;
    wri_radix_rows  rows;
    uint64_t        seen[9] = { 0 };
    unsigned        open = 0;
    shape.columns = 1;
    shape.column[0].levels = 0x57;
    CHECK(wri_radix_rows_make(&rows, &shape, 2, 1, 1));
    for (size_t i = 0; i < rows.count; i++) {
        uint8_t level = rows.rows[i].levels[0], tag = rows.rows[i].paths.of[0].tags[0];
        open += level == WRI_ABSENT;
        if (level != WRI_ABSENT)
            seen[tag] |= UINT64_C(1) << level;
    }
    CHECK(open == 9);
    for (unsigned tag = 0; tag < 9; tag++)
        CHECK(seen[tag] == 0x57);
    wri_radix_rows_free(&rows);
}

TEST(all_short_paths_are_rows_once)
{
    wri_radix_rows rows;
    CHECK(wri_radix_rows_make(&rows, &NINE, 7, 3, 1));
    CHECK(rows.count == 4 + 5 * 4 + 5 * 5 * 9);
    CHECK(has_row(&rows, &(wri_path){ 1, { 0 } }));
    CHECK(has_row(&rows, &(wri_path){ 2, { 8, 3 } }));
    CHECK(has_row(&rows, &(wri_path){ 3, { 4, 5, 6 } }));
    wri_radix_rows_free(&rows);
}

TEST(any_two_digits_have_all_combinations)
{
    wri_radix_rows  rows;
    wri_radix_shape shape = NINE;
    bool            seen[8][8][9] = { { { false } } };
    shape.ends[0] = 0; /* nothing is cut off */
    CHECK(wri_radix_rows_make(&rows, &shape, 2, 4, 1));
    for (size_t i = 0; i < rows.count; i++) {
        unsigned digits[8];
        for (unsigned k = 0; k < 8; k++) {
            unsigned tag = rows.rows[i].paths.of[0].tags[k / 2];
            digits[k] = k % 2 == 0 ? tag / 3 : tag % 3;
        }
        for (unsigned a = 0; a < 8; a++)
            for (unsigned b = 0; b < a; b++)
                seen[a][b][digits[a] * 3 + digits[b]] = true;
    }
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned k = 0; k < 9; k++)
                CHECK(seen[a][b][k]);
    CHECK(rows.count < 30);
    wri_radix_rows_free(&rows);
}

/* Five constructors need two digits, which have nine values. */
TEST(digits_of_no_constructor_are_passed_over)
{
    static const wri_radix_shape FIVE = { .trees = 2, .forms = { 5, 5 } };
    wri_radix_rows               rows;
    bool                         seen[2][2][5] = { { { false } } };
    CHECK(wri_radix_rows_make(&rows, &FIVE, 2, 2, 1));
    for (size_t i = 0; i < rows.count; i++)
        for (unsigned k = 0; k < 4; k++) {
            unsigned tag = rows.rows[i].paths.of[k / 2].tags[k % 2];
            CHECK(tag < 5);
            seen[k / 2][k % 2][tag < 5 ? tag : 0] = true;
        }
    for (unsigned k = 0; k < 20; k++)
        CHECK(seen[k / 10][k / 5 % 2][k % 5]);
    CHECK(rows.count < 60);
    wri_radix_rows_free(&rows);
}

TEST(a_strength_above_the_digits_is_capped)
{
    wri_radix_rows rows;
    CHECK(wri_radix_rows_make(&rows, &NINE, 16, 1, 1));
    CHECK(rows.strength == 2 && rows.count == 9);
    wri_radix_rows_free(&rows);
    wri_radix_shape wide = { .trees = 2, .forms = { 9, 9 } };
    CHECK(wri_radix_rows_make(&rows, &wide, 6, 8, 1));
    CHECK(rows.strength < 6 && rows.count > 9);
    wri_radix_rows_free(&rows);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    return status != 0 ? status : failures != 0;
}
