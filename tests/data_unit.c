/* tests/data_unit.c: types and lazy values, without a worker or a hunt.
 *
 * Counts are compared with published sequences and with brute force; distributions by chi-square
 * with fixed seeds, so that nothing here fails by chance: the bound is one that a right program
 * passes with all but one seed in 10^5, and a change of the stream may need another seed.
 */
#include <math.h>

#include "data/tree.h"
#include "data/type.h"
#include "plan/align.h"
#include "plan/rearrange.h"
#include "explore/guide/mutant.h"
#include "lone_case.h"
#include "unit.h"

/* ---- Types ---- */

enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", { "Leaf", .cost = WR_FREE }, { "Node", .args = { &TREE, &TREE } });
enum { BASE, ARROW };
WR_TYPE(TYPE, "Type", { "Base" }, { "Arrow", .args = { &TYPE, &TYPE } });
enum { CON, VAR, LAM, APP };
WR_TYPE(TERM, "Term", { "Con" }, { "Var", .index = WR_ANY_INDEX },
        { "Lam", .args = { &TYPE, &TERM }, .show = "lam %0. %1" },
        { "App", .args = { &TERM, &TERM } });
/* Free constructors, an index that costs nothing, several of a cost, types of one constructor. */
WR_TYPE(LIST, "List", { "Nil", .cost = WR_FREE },
        { "Cons", .args = { &TREE, &LIST }, .cost = 2 });
WR_TYPE(PAIR, "Pair", { "Pair", .args = { &LIST, &TYPE }, .index = 3, .cost = WR_FREE });
WR_TYPE(COLOUR, "Colour", { "Red" }, { "Green" }, { "Blue", .cost = 3 }, { "Any", .index = 5 });

static uint64_t counted(const wr_type *table, uint64_t size)
{
    return (uint64_t)wri_type_count(wri_type_of(&the_case, table), size);
}

TEST(binary_trees_are_catalan_numbers)
{
    static const uint64_t CATALAN[] = { 1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796 };
    for (uint64_t n = 0; n < sizeof CATALAN / sizeof *CATALAN; n++)
        CHECK(counted(&TREE, n) == CATALAN[n]);
    CHECK(counted(&TREE, 35) == UINT64_C(3116285494907301262));
}

TEST(large_counts_are_not_used)
{
    wri_type *type = wri_type_of(&the_case, &TREE);
    CHECK(wri_type_count(type, 60) != WRI_UNCOUNTED);
    CHECK(wri_type_count(type, 80) == WRI_UNCOUNTED); /* about 2^150 */
    CHECK(wri_type_count(type, WRI_COUNTED + 1) == WRI_UNCOUNTED);
}

/* By brute force: how many values of a size, one constructor after the other, one argument's size
 * after the other; slow, and with nothing that the library knows. */
static uint64_t brute(const wr_type *table, uint64_t size);

static uint64_t brute_args(const wr_type *const *args, unsigned left, uint64_t size)
{
    uint64_t ways = 0;
    if (left == 0 || args[0] == NULL)
        return size == 0;
    for (uint64_t k = 0; k <= size; k++) {
        uint64_t rest = brute_args(args + 1, left - 1, size - k);
        if (rest > 0)
            ways += rest * brute(args[0], k);
    }
    return ways;
}

static uint64_t brute(const wr_type *table, uint64_t size)
{
    uint64_t ways = 0;
    for (const wr_con *con = table->constructors; con->name != NULL; con++) {
        uint64_t cost = con->cost == WR_FREE ? 0 : con->cost == 0 ? 1 : con->cost;
        uint64_t most = con->index == WR_ANY_INDEX ? size : 0;
        uint64_t indices = con->index == 0 || con->index == WR_ANY_INDEX ? 1 : con->index;
        for (uint64_t k = 0; k <= most && cost + k <= size; k++)
            ways += indices * brute_args(con->args, 8, size - cost - k);
    }
    return ways;
}

TEST(counts_are_those_of_brute_force)
{
    static const wr_type *const TABLES[] = { &TYPE, &TERM, &LIST, &PAIR, &COLOUR };
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        for (uint64_t size = 0; size <= 9; size++)
            CHECK(counted(TABLES[i], size) == brute(TABLES[i], size));
    /* Con; Var 0. Var 1. Var 2, lam Base. Con, lam Base. Var 0, four applications. */
    CHECK(counted(&TERM, 1) == 2 && counted(&TERM, 2) == 1 && counted(&TERM, 3) == 7);
}

TEST(least_costs_are_found)
{
    CHECK(wri_type_of(&the_case, &TREE)->minimal == 0);
    CHECK(wri_type_of(&the_case, &TERM)->minimal == 1);
    CHECK(wri_type_of(&the_case, &PAIR)->minimal == 1);
    const wri_type *term = wri_type_of(&the_case, &TERM);
    CHECK(term->forms[LAM].minimal == 3 && term->forms[APP].minimal == 3);
    const wri_type *colour = wri_type_of(&the_case, &COLOUR);
    CHECK(colour->tag_of[0] == 0 && colour->tag_of[1] == 1 && colour->tag_of[2] == 3 &&
          colour->tag_of[3] == 2);
}

/* ---- Tables that make no sense ---- */

#define BAD(identifier, name, ...)                                                               \
    extern const wr_type identifier;                                                             \
    static const wr_con  identifier##_constructors[] = { __VA_ARGS__, { 0 } };                   \
    const wr_type        identifier = { name, identifier##_constructors }
BAD(HOLEY, "Holey", { "Two", .args = { NULL, &TREE } });
static const wr_con NONE[] = { { 0 } };
const wr_type       EMPTY = { "Empty", NONE };
const wr_type       NO_TABLE = { "NoTable", NULL };
const wr_type       NAMELESS = { NULL, NONE };
BAD(ENDLESS, "Endless", { "More", .args = { &TREE, &ENDLESS } });
extern const wr_type EVEN, ODD;
BAD(EVEN, "Even", { "E", .args = { &ODD } });
BAD(ODD, "Odd", { "O", .args = { &EVEN } });
BAD(CIRCLE, "Circle", { "End", .cost = 1 },
    { "Round", .args = { &TREE, &CIRCLE }, .cost = WR_FREE });
extern const wr_type CHICKEN, EGG;
BAD(CHICKEN, "Chicken", { "End", .cost = 1 }, { "Hatch", .args = { &EGG }, .cost = WR_FREE });
BAD(EGG, "Egg", { "Lay", .args = { &CHICKEN }, .cost = WR_FREE });
BAD(LEADS, "Leads", { "To", .args = { &HOLEY } });
BAD(SHOWS, "Shows", { "S", .args = { &TREE }, .show = "%0 %1" });
BAD(INDEXED, "Indexed", { "I", .show = "%i" });
static wr_con many[66];
const wr_type MANY = { "Many", many };

static const char NO_ARGUMENT[] =
    "wr_type Holey: constructor Two has an argument 1, but its argument 0 has no type";

static const wr_type *bad;

static void draw_bad(wr_case *t)
{
    wr_tree(t, "e", bad);
}

static void refused(const wr_type *table, const char *why)
{
    bad = table;
    CHECK(run(draw_bad, 1, false, NULL) == WRI_MISUSE);
    CHECK_TEXT(the_verdict.message, why);
}

TEST(bad_tables_are_refused)
{
    for (int i = 0; i < 65; i++)
        many[i].name = "One";
    refused(NULL, "wr_tree \"e\": no type was given");
    refused(&HOLEY, NO_ARGUMENT);
    refused(&LEADS, NO_ARGUMENT);
    refused(&EMPTY, "wr_type Empty: it has no constructor");
    refused(&NO_TABLE, "wr_type NoTable: it has no constructor");
    refused(&NAMELESS, "wr_type: a type has no name");
    refused(&ENDLESS, "wr_type Endless: it has no finite value");
    refused(&EVEN, "wr_type Even: it has no finite value");
    refused(&CIRCLE,
            "wr_type Circle: constructor Round leads back to type Circle and costs nothing");
    refused(&CHICKEN,
            "wr_type Egg: constructor Lay leads back to type Chicken and costs nothing");
    refused(&MANY, "wr_type Many: it has more than 64 constructors");
    refused(&SHOWS, "wr_type Shows: constructor S cannot show %1");
    refused(&INDEXED, "wr_type Indexed: constructor I cannot show %i");
    many[64].name = NULL; /* 64 are allowed */
    bad = &MANY;
    CHECK(run(draw_bad, 1, false, NULL) == WRI_PASS);
    CHECK(wri_type_of(&the_case, &MANY)->all == UINT64_MAX);
}

/* ---- Random trees ---- */

static const wr_type *drawn_type;
static char           drawn[2000];
static uint64_t       drawn_size;

static uint64_t size_of(wr_node *e)
{
    const wri_form *form = wri_form_of(e);
    uint64_t        size = form->cost + (form->costly_index ? e->index_ : 0);
    for (uint32_t i = 0; i < e->arity_; i++)
        size += size_of(e->args_ + i);
    return size;
}

static void draw_tree(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", drawn_type);
    wr_force(e);
    snprintf(drawn, sizeof drawn, "%s", wr_shown(t, e));
    drawn_size = size_of(e);
}

#define VALUES_MOST 512

/* The chi-square that a right program stays below but for one seed in 10^5, by Wilson's and
 * Hilferty's approximation. */
static double chi_square_most(double freedom)
{
    double part = 2 / (9 * freedom), root = 1 - part + 4.265 * sqrt(part);
    return freedom * root * root * root;
}

/* All values of one size come alike: chi-square over so many trees of that size that each is
 * expected a hundred times. */
static void all_alike(const wr_type *table, uint64_t size)
{
    static char     values[VALUES_MOST][120];
    static unsigned seen[VALUES_MOST];
    unsigned        count = 0, runs = 0;
    uint64_t        there = counted(table, size);
    CHECK(there > 1 && there <= VALUES_MOST);
    memset(seen, 0, sizeof seen);
    drawn_type = table;
    the_case.size = size;
    for (uint64_t seed = 0; runs < 100 * there; seed++) {
        unsigned i = 0;
        RUN(draw_tree, seed, false);
        CHECK(drawn_size <= size || drawn_size == wri_type_of(&the_case, table)->minimal);
        if (drawn_size != size)
            continue;
        runs++;
        CHECK(strlen(drawn) < sizeof values[0]);
        while (i < count && strcmp(values[i], drawn) != 0)
            i++;
        if (i == count) {
            CHECK(count < there);
            strcpy(values[count++], drawn);
        }
        seen[i]++;
    }
    CHECK(count == there);
    double expected = (double)runs / (double)there, square = 0;
    for (unsigned i = 0; i < count; i++)
        square += (seen[i] - expected) * (seen[i] - expected) / expected;
    double most = chi_square_most((double)count - 1);
    if (square > most)
        fprintf(stderr, "%s of size %d: chi-square %.1f of %.1f\n", table->name, (int)size,
                square, most);
    CHECK(square <= most);
    the_case.size = 30;
}

TEST(values_of_a_size_are_equally_likely)
{
    all_alike(&TREE, 5);
    all_alike(&TREE, 6);
    all_alike(&TERM, 4);
    all_alike(&TERM, 6);
    all_alike(&PAIR, 5);
    all_alike(&COLOUR, 1);
}

TEST(large_trees_have_about_their_size)
{
    unsigned large = 0;
    drawn_type = &TERM;
    the_case.size = 1000;
    for (uint64_t seed = 0; seed < 200; seed++) {
        RUN(draw_tree, seed, false);
        large += drawn_size > 300;
    }
    CHECK(large > 60);
    the_case.size = 0; /* the least there is */
    RUN(draw_tree, 1, false);
    CHECK(drawn_size == 1);
    the_case.size = 30;
}

TEST(both_paths_draw_the_same)
{
    char fast[sizeof drawn];
    drawn_type = &TERM;
    for (uint64_t seed = 0; seed < 300; seed++) {
        RUN(draw_tree, seed, false);
        strcpy(fast, drawn);
        RUN(draw_tree, seed, true);
        CHECK_TEXT(drawn, fast);
        CHECK(strcmp(the_text.bytes + 3, fast) == 0);
    }
}

/* ---- Laziness ---- */

static size_t drawn_choices(void)
{
    return (size_t)(the_case.next - the_case.journal);
}

static void look_at_root(wr_case *t)
{
    wr_tag(wr_tree(t, "e", &TERM));
}

static void compare_roots(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    wr_need(a, 1u << APP);
    wr_need(b, 1u << LAM);
    CHECK(!wr_equal(a, b) && wr_equal(a, a));
    CHECK_TEXT(wr_shown(t, a), "App(_, _)");
    CHECK_TEXT(wr_shown(t, b), "lam _. _");
}

TEST(nothing_is_chosen_that_is_not_looked_at)
{
    RUN(look_at_root, 3, false);
    CHECK(drawn_choices() == 1);
    RUN(compare_roots, 3, false);
    CHECK(drawn_choices() == 2);
}

static bool in_scope(wr_node *e, size_t bound)
{
    int tag = wr_need(e, bound > 0 ? 15 : 13);
    if (tag == VAR)
        return wr_need_index_below(e, bound) < bound;
    if (tag == LAM)
        return in_scope(wr_arg(e, 1), bound + 1);
    return tag != APP || (in_scope(wr_arg(e, 0), bound) && in_scope(wr_arg(e, 1), bound));
}

static void demand(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    CHECK(in_scope(a, 0));
    wr_need_same(b, a);
    CHECK(wr_equal(a, b) && wr_hash(a) == wr_hash(b));
}

static void demand_in_vain(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_need(e, 1u << VAR);
    wr_need_index_below(e, 3);
    wr_need(e, 1u << LAM);
}

static void demand_no_index(wr_case *t)
{
    wr_need_index_below(wr_tree(t, "e", &TERM), 0);
}

static void demand_index_of_tree(wr_case *t)
{
    wr_need_index_below(wr_tree(t, "e", &TREE), 1);
}

static void compare_types(wr_case *t)
{
    wr_equal(wr_tree(t, "a", &TREE), wr_tree(t, "b", &TERM));
}

TEST(demands_choose_what_fits)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        RUN(demand, seed, seed % 2 == 0);
        CHECK(run(demand_in_vain, seed, seed % 2 == 0, NULL) == WRI_DISCARD);
    }
    CHECK(run(demand_no_index, 1, false, NULL) == WRI_DISCARD);
    CHECK(run(demand_index_of_tree, 1, false, NULL) == WRI_MISUSE);
    CHECK_TEXT(the_verdict.message, "wr_need_index_below: no constructor of Tree has an index");
    CHECK(run(compare_types, 1, false, NULL) == WRI_MISUSE);
    CHECK_TEXT(the_verdict.message, "wr_equal: one tree is of type Tree, the other of type Term");
}

/* ---- Replaying, in another order ---- */

static bool right_first;

/* Everything, the right side first or the left. */
static void look(wr_node *e)
{
    wr_tag(e);
    if (wri_form_indexed(wri_form_of(e)))
        wr_index(e);
    for (uint32_t i = 0; i < e->arity_; i++)
        look(e->args_ + (right_first ? e->arity_ - 1 - i : i));
}

static void look_around(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    look(right_first ? b : a);
    look(right_first ? a : b);
    snprintf(drawn, sizeof drawn, "%s | %s", wr_shown(t, a), wr_shown(t, b));
}

/* A case that looks at its trees in another order has the same trees, by their addresses: from an
 * aligned replay, and from a mutant that changes nothing. */
TEST(the_order_of_looking_changes_nothing)
{
    char        first[sizeof drawn];
    wri_trace   plan = { 0 };
    wri_align   align = { 0 };
    wri_aligned aligned;
    wri_mutant  mutant = { 0 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        right_first = seed % 2 == 0;
        RUN(look_around, seed, true);
        strcpy(first, drawn);
        CHECK(wri_trace_copy(&plan, &the_trace));
        for (int again = 0; again < 2; again++, right_first = !right_first) {
            CHECK(wri_align_start(&align, &plan));
            CHECK(run(look_around, 99, true, wri_answer_aligned(&aligned, &align)) == WRI_PASS);
            CHECK_TEXT(drawn, first);
            CHECK(run(look_around, 98, true, wri_mutant_start(&mutant, &plan, plan.node_count)) ==
                  WRI_PASS);
            CHECK_TEXT(drawn, first);
        }
    }
    wri_trace_free(&plan);
    wri_align_free(&align);
    wri_mutant_free(&mutant);
}

/* Plans that were edited have parents before their children, and answer a case. */
TEST(edits_keep_logs_whole)
{
    wri_trace  log = { 0 }, other = { 0 }, plan = { 0 };
    wri_mutant mutant = { 0 };
    uint64_t   random = 7;
    unsigned   done = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        right_first = seed % 3 != 0;
        RUN(look_around, seed, true);
        CHECK(wri_trace_copy(&log, &the_trace));
        RUN(look_around, seed + 1000, true);
        CHECK(wri_trace_copy(&other, &the_trace));
        bool edited = seed % 2 == 0 ? wri_rearrange_regrow(&plan, &log, &random)
                                    : wri_rearrange_graft(&plan, &log, &other, &random);
        if (!edited) /* the other has no such span */
            continue;
        done++;
        CHECK(wri_trace_valid(&plan));
        CHECK(run(look_around, seed, true, wri_mutant_start(&mutant, &plan, plan.node_count)) ==
              WRI_PASS);
    }
    CHECK(done > 200);
    wri_trace_free(&log);
    wri_trace_free(&other);
    wri_trace_free(&plan);
    wri_mutant_free(&mutant);
}

/* ---- Printing ---- */

static void look_by_and_by(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &TERM);
    wr_show(t, "x", "1");
    wr_node *b = wr_tree(t, "b", &TERM);
    wr_note(t, "between");
    wr_need(b, 1u << VAR);
    wr_need(a, 1u << APP);
    wr_need(wr_arg(a, 1), 1u << LAM);
    wr_show(t, "y", "2");
    wr_need(wr_arg(a, 0), 1u << CON);
    wr_need_index_below(b, 1);
}

TEST(reports_show_the_end)
{
    static const char WANTED[] = "va\0App(Con, lam _. _)\0vx\0"
                                 "1\0vb\0Var 0\0nbetween\0vy\0"
                                 "2";
    RUN(look_by_and_by, 5, true);
    CHECK(the_text.used == sizeof WANTED && memcmp(the_text.bytes, WANTED, sizeof WANTED) == 0);
}

static void *count_nodes(wr_case *t, wr_node *e, void **made, void *context)
{
    size_t *count = wr_alloc(t, sizeof *count);
    (void)context;
    *count = 1;
    for (uint32_t i = 0; i < e->arity_; i++)
        *count += *(size_t *)made[i];
    return count;
}

/* A tree deeper than a stack. */
static void fold_a_deep_tree(wr_case *t)
{
    wr_node *e = wr_tree(t, NULL, &TREE), *at = e;
    t->size = 100000; /* or it would be given up as growing without an end */
    for (int i = 0; i < 100000; i++) {
        wr_need(at, 1u << NODE);
        wr_need(wr_arg(at, 1), 1u << LEAF);
        at = wr_arg(at, 0);
    }
    wr_need(at, 1u << LEAF);
    CHECK(*(size_t *)wr_fold(t, e, count_nodes, NULL) == 200001);
    CHECK(wr_equal(e, e));
    wr_force(e);
    wr_hash(e);
    CHECK(strlen(wr_shown(t, e)) > 10000);
}

TEST(deep_trees_need_no_stack)
{
    RUN(fold_a_deep_tree, 1, false);
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    wri_types_forget();
    return status;
}
