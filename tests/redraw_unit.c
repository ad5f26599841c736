/* tests/redraw_unit.c: cases that are refuted and drawn again, without a worker or a hunt.
 *
 * What satisfies a precondition is found by trying all choices one after the other, with nothing
 * that the library counts; then random cases are compared with it by chi-square. Seeds are fixed,
 * so that nothing here fails by chance: a right program passes each comparison with all but one
 * seed in 10^5, and a change of the stream may need another seed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "data/ways.h"
#include "explore/answer.h"
#include "explore/redraw.h"
#include "unit.h"

/* ---- A case ---- */

typedef void body(wr_case *t);

static wr_case     the_case;
static wri_verdict the_verdict;
static wri_redraw *redraw;
static unsigned    runs; /* of the last case, */
static uint64_t    its_number;
static uint64_t    sizes_before[2]; /* of its trees, when it was first refuted; 0: not known */

static void build_case(void)
{
    wr_case *t = &the_case;
    t->journal = calloc(WRI_JOURNAL_RECORDS, sizeof *t->journal);
    if (!wri_arena_start(&t->arena, WRI_MAX_CASE_BYTES) || t->journal == NULL)
        abort();
    t->journal_end = t->limit = t->journal + WRI_JOURNAL_RECORDS;
    t->verdict = &the_verdict;
    wri_case_current = t;
}

static void free_case(void)
{
    wri_redraw_free(redraw);
    wri_arena_free(&the_case.arena);
    free(the_case.journal);
    wri_types_forget();
}

static void begin(wr_case *t, uint64_t stream)
{
    runs++;
    the_verdict.kind = WRI_NONE;
    wri_case_begin(t, stream, its_number);
}

static void note_sizes(const wr_case *t)
{
    unsigned count = 0;
    for (const wri_tree *tree = t->trees; tree != NULL; tree = tree->before)
        count++;
    for (const wri_tree *tree = t->trees; tree != NULL; tree = tree->before)
        if (--count < 2)
            sizes_before[count] = tree->sized ? tree->root.size_ : 0;
}

/* Runs the case of a number as a worker does; did it hold? */
static bool draw(body *run, uint64_t number, wri_redraw_manner manner)
{
    wr_case *t = &the_case;
    runs = 0;
    its_number = number;
    memset(sizes_before, 0, sizeof sizes_before);
    wri_redraw_end(redraw, t);
    t->answerer = wri_answer_randomly();
    begin(t, wri_prng_stream(1, number));
    if (setjmp(t->out) == 0) {
        run(t);
    } else {
        if (runs == 1)
            note_sizes(t);
        if (the_verdict.kind != WRI_DISCARD || !wri_redraw_refuted(&redraw, t, manner))
            return false;
        begin(t, t->random);
        run(t);
    }
    return true;
}

/* ---- What a case has found ---- */

static char     found[400];     /* its trees, as text */
static uint64_t found_sizes[2]; /* and their sizes */

static uint64_t size_of(wr_node *root)
{
    uint64_t spare = 0;
    wr_force(root);
    CHECK(wri_ways_spare_of(root, 1000, &spare));
    return 1000 - spare;
}

static void finds(wr_case *t, wr_node *a, wr_node *b)
{
    found_sizes[0] = size_of(a);
    found_sizes[1] = b == NULL ? 0 : size_of(b);
    snprintf(found, sizeof found, "%s|%s", wr_shown(t, a), b == NULL ? "" : wr_shown(t, b));
}

/* ---- All choices, one after the other ---- */

#define STEPS 64
static struct {
    wri_answerer base;
    uint64_t     numbers[STEPS], last[STEPS];
    size_t       made, count;
} all;

/* Nothing larger than the case's size is of interest. */
static uint64_t next_number(wri_answerer *self, wr_case *t, const wri_request *request,
                            uint32_t label)
{
    (void)self, (void)label;
    uint64_t spare;
    for (wri_tree *tree = t->trees; tree != NULL; tree = tree->before)
        if (!wri_ways_spare_of(&tree->root, t->size, &spare))
            wr_discard_(t);
    if (all.made == all.count) {
        if (all.count == STEPS)
            abort();
        all.numbers[all.count] = 0;
        /* An index that costs has no end; up to the size is enough. */
        all.last[all.count++] = request->max < 64 ? request->max : t->size;
    }
    uint64_t number = all.numbers[all.made++];
    if (!wri_request_legal(request, number))
        wr_discard_(t);
    return number;
}

static bool next_case(void)
{
    while (all.count > 0 && all.numbers[all.count - 1] >= all.last[all.count - 1])
        all.count--;
    if (all.count == 0)
        return false;
    all.numbers[all.count - 1]++;
    return true;
}

/* What satisfies the preconditions, each with how often it was drawn. */
#define VALUES 8192
static struct value {
    char     text[80];
    uint64_t sizes[2];
    unsigned drawn;
} values[VALUES];
static size_t value_count;

static void find_all(body *run, size_t size)
{
    wr_case *t = &the_case;
    t->size = size;
    t->answerer = &all.base;
    all.base.choose = next_number;
    all.count = value_count = 0;
    do {
        all.made = 0;
        begin(t, 0);
        if (setjmp(t->out) == 0) {
            run(t);
            if (found_sizes[0] <= size && found_sizes[1] <= size) {
                struct value *at = &values[value_count++];
                if (value_count > VALUES || strlen(found) >= sizeof at->text)
                    abort();
                *at = (struct value){ .sizes = { found_sizes[0], found_sizes[1] } };
                strcpy(at->text, found);
            }
        }
    } while (next_case());
}

static struct value *find_value(void)
{
    for (size_t i = 0; i < value_count; i++)
        if (strcmp(values[i].text, found) == 0)
            return &values[i];
    return NULL;
}

/* Draws so many cases; what they find must be known, and have the sizes of the first run, where
 * all runs draw the same trees. */
static unsigned draw_all(body *run, unsigned cases, wri_redraw_manner manner, bool same_sizes)
{
    unsigned held = 0;
    for (unsigned i = 0; i < cases; i++) {
        if (!draw(run, i, manner))
            continue;
        struct value *at = find_value();
        CHECK(at != NULL);
        if (at == NULL)
            return held;
        at->drawn++;
        held++;
        for (int k = 0; k < 2 && same_sizes; k++)
            CHECK(sizes_before[k] == 0 || sizes_before[k] == found_sizes[k]);
    }
    return held;
}

/* ---- Comparisons ---- */

/* The chi-square that a right program stays below but for one seed in 10^5, by Wilson's and
 * Hilferty's approximation. */
static double chi_square_most(double freedom)
{
    double part = 2 / (9 * freedom), root = 1 - part + 4.265 * sqrt(part);
    return freedom * root * root * root;
}

typedef struct group {
    uint64_t sizes[2];
    unsigned there, drawn;
    double   square;
} group;

static bool is_in(const struct value *value, const group *of)
{
    return value->sizes[0] == of->sizes[0] && value->sizes[1] == of->sizes[1];
}

static group group_of(const struct value *first)
{
    group of = { .sizes = { first->sizes[0], first->sizes[1] } };
    for (size_t i = 0; i < value_count; i++)
        if (is_in(&values[i], &of)) {
            of.there++;
            of.drawn += values[i].drawn;
        }
    double expected = (double)of.drawn / of.there;
    for (size_t i = 0; i < value_count && of.drawn > 0; i++)
        if (is_in(&values[i], &of))
            of.square += (values[i].drawn - expected) * (values[i].drawn - expected) / expected;
    return of;
}

/* Goes through all sizes with enough cases for a comparison; returns how many of them, and how
 * many values they have. Where `alike` is wanted their chi-squares are checked. */
static unsigned compare(const char *name, bool alike, unsigned *compared)
{
    unsigned groups = 0;
    *compared = 0;
    for (size_t i = 0; i < value_count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen |= values[k].sizes[0] == values[i].sizes[0] &&
                    values[k].sizes[1] == values[i].sizes[1];
        group of = seen ? (group){ 0 } : group_of(&values[i]);
        if (of.there < 2 || of.drawn < 5 * of.there)
            continue;
        groups++;
        *compared += of.there;
        double most = chi_square_most(of.there - 1);
        if (alike && of.square > most)
            printf("%s, sizes %d and %d: chi-square %.1f of %.1f\n", name, (int)of.sizes[0],
                   (int)of.sizes[1], of.square, most);
        CHECK(!alike || of.square <= most);
    }
    return groups;
}

/* ---- Preconditions ---- */

enum { NIL, CONS };
WR_TYPE(LIST, "List", { "Nil", .show = "." },
        { "Cons", .args = { &LIST }, .index = 5, .show = "%i%0" });
enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", { "Leaf", .cost = WR_FREE, .show = "." },
        { "Node", .args = { &TREE, &TREE }, .index = 3, .show = "(%0%i%1)" });
enum { VAR, LAM, APP };
WR_TYPE(TERM, "Term", { "Var", .index = WR_ANY_INDEX, .show = "%i" },
        { "Lam", .args = { &TERM }, .show = "L%0" },
        { "App", .args = { &TERM, &TERM }, .show = "(%0 %1)" });
/* One constructor, two types, holes of each at a time. */
WR_TYPE(BOTH, "Both", { "Both", .args = { &LIST, &TREE, &LIST }, .show = "%0 %1 %2" });

static bool sorted(wr_node *e)
{
    size_t last = 0;
    for (; wr_tag(e) == CONS; e = wr_arg(e, 0)) {
        if (wr_index(e) < last)
            return false;
        last = wr_index(e);
    }
    return true;
}

/* The height of a balanced tree; -1: it is none. */
static int height(wr_node *e)
{
    if (wr_tag(e) == LEAF)
        return 0;
    int left = height(wr_arg(e, 0)), right = left < 0 ? -1 : height(wr_arg(e, 1));
    int apart = left - right;
    return right < 0 || apart < -1 || apart > 1 ? -1 : 1 + (left > right ? left : right);
}

static bool balanced(wr_node *e)
{
    return height(e) >= 0;
}

static bool closed_in(wr_node *e, size_t bound)
{
    switch (wr_tag(e)) {
    case VAR: return wr_index(e) < bound;
    case LAM: return closed_in(wr_arg(e, 0), bound + 1);
    default: return closed_in(wr_arg(e, 0), bound) && closed_in(wr_arg(e, 1), bound);
    }
}

static bool closed(wr_node *e)
{
    return closed_in(e, 0);
}

static void sorted_list(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &LIST);
    wr_require(t, sorted, e);
    finds(t, e, NULL);
}

static void balanced_tree(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, balanced, e);
    finds(t, e, NULL);
}

static void closed_term(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_require(t, closed, e);
    finds(t, e, NULL);
}

/* Two preconditions, in the order of looking that is the worst. */
static void all_of_both(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &BOTH);
    wr_assume(t, sorted(wr_arg(e, 2)));
    wr_assume(t, balanced(wr_arg(e, 1)));
    wr_assume(t, wr_tag(wr_arg(e, 0)) == CONS && wr_index(wr_arg(e, 0)) == 2);
    finds(t, e, NULL);
}

/* Two trees that depend on each other. */
static void ordered_pair(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &LIST), *b = wr_tree(t, "b", &LIST);
    wr_assume(t, wr_tag(a) == CONS && wr_tag(b) == CONS && wr_index(a) > wr_index(b) + 1);
    wr_require(t, sorted, a);
    finds(t, a, b);
}

/* A second tree that is drawn only when the first is accepted. */
static void one_after_the_other(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &LIST);
    wr_require(t, sorted, a);
    wr_node *b = wr_tree(t, "b", &TREE);
    wr_assume(t, wr_tag(a) == NIL || wr_tag(b) == LEAF || wr_index(b) * 2 == wr_index(a));
    finds(t, a, b);
}

/* A second tree that not every first one asks for, nor of the same type. */
static void now_and_then(wr_case *t)
{
    wr_node *a = wr_tree(t, "a", &LIST);
    wr_require(t, sorted, a);
    if (wr_tag(a) == NIL || wr_index(a) > 1) {
        finds(t, a, NULL);
        return;
    }
    wr_node *b = wr_tree(t, "b", wr_index(a) == 0 ? &LIST : &TREE);
    wr_assume(t, wr_tag(b) == 1 && wr_index(b) == 1);
    finds(t, a, b);
}

/* Demands: what they do not allow is refuted. */
static void demanded(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM), *inner;
    wr_need(e, 1u << LAM);
    inner = wr_arg(e, 0);
    wr_need(inner, 1u << LAM | 1u << APP);
    wr_assume(t, closed(e));
    if (wr_tag(inner) == APP)
        wr_need_same(wr_arg(inner, 0), wr_arg(inner, 1));
    finds(t, e, NULL);
}

#define CASES 20000

/* At least so many sizes, and so many values in all of them, must have been compared. */
static void are_alike(const char *name, body *run, size_t size, unsigned sizes, unsigned least)
{
    unsigned compared, groups;
    find_all(run, size);
    draw_all(run, CASES, WRI_REDRAW_UNIFORM, true);
    groups = compare(name, true, &compared);
    if (groups < sizes || compared < least)
        printf("%s: %u sizes, %u values were compared, of %zu\n", name, groups, compared,
               value_count);
    CHECK(groups >= sizes && compared >= least);
}

TEST(what_is_found_is_any_of_its_size)
{
    are_alike("sorted_list", sorted_list, 5, 4, 120);
    are_alike("balanced_tree", balanced_tree, 5, 4, 300);
    are_alike("closed_term", closed_term, 8, 5, 150);
    are_alike("all_of_both", all_of_both, 7, 2, 100);
    are_alike("ordered_pair", ordered_pair, 4, 7, 300);
    are_alike("one_after_the_other", one_after_the_other, 3, 6, 300);
}

/* All values of the sizes that are drawn often. */
static void are_reached(const char *name, body *run, size_t size, wri_redraw_manner manner)
{
    unsigned compared;
    find_all(run, size);
    draw_all(run, CASES, manner, run != now_and_then);
    CHECK(compare(name, false, &compared) > 2);
    for (size_t i = 0; i < value_count; i++) {
        group of = group_of(&values[i]);
        if (of.drawn > 50 * of.there && values[i].drawn == 0)
            printf("%s: %s was never drawn\n", name, values[i].text);
        CHECK(of.drawn <= 50 * of.there || values[i].drawn > 0);
    }
}

TEST(every_value_is_reached)
{
    are_reached("sorted_list", sorted_list, 5, WRI_REDRAW_SKEWED);
    are_reached("balanced_tree", balanced_tree, 5, WRI_REDRAW_SKEWED);
    are_reached("closed_term", closed_term, 8, WRI_REDRAW_SKEWED);
    are_reached("ordered_pair", ordered_pair, 4, WRI_REDRAW_SKEWED);
    are_reached("now_and_then", now_and_then, 4, WRI_REDRAW_SKEWED);
    are_reached("now_and_then", now_and_then, 4, WRI_REDRAW_UNIFORM);
    are_reached("demanded", demanded, 9, WRI_REDRAW_UNIFORM);
    are_reached("demanded", demanded, 9, WRI_REDRAW_SKEWED);
}

/* A comparison that could not tell would be worth nothing. */
TEST(the_skewed_manner_is_not_alike)
{
    double worst = 0;
    find_all(closed_term, 8);
    draw_all(closed_term, CASES, WRI_REDRAW_SKEWED, true);
    for (size_t i = 0; i < value_count; i++) {
        group of = group_of(&values[i]);
        if (of.there > 1 && of.square / chi_square_most(of.there - 1) > worst)
            worst = of.square / chi_square_most(of.there - 1);
    }
    CHECK(worst > 2);
}

TEST(more_cases_are_found)
{
    find_all(closed_term, 8);
    unsigned without = draw_all(closed_term, CASES, WRI_REDRAW_OFF, true);
    unsigned with = draw_all(closed_term, CASES, WRI_REDRAW_UNIFORM, true);
    CHECK(with > 3 * without / 2);
}

/* ---- Where it ends ---- */

WR_TYPE(KEY, "Key", { "Key", .index = 1000000 });

static void looks_for_one_in_a_million(wr_case *t)
{
    wr_assume(t, wr_index(wr_tree(t, "e", &KEY)) == 123456);
}

static void never_likes_the_root(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_assume(t, wr_tag(e) == LEAF && wr_tag(e) == NODE);
}

static void looks_at_nothing(wr_case *t)
{
    wr_tree(t, "e", &TREE);
    wr_assume(t, t == NULL);
}

static void draws_before(wr_case *t)
{
    int64_t x = wr_int(t, "x", 0, 9);
    wr_assume(t, wr_index(wr_tree(t, "e", &KEY)) == 123456 && x == 3);
}

static void draws_behind(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_tag(e);
    wr_assume(t, wr_i64s(t, "xs", 3, 5, 5)[0] == 6);
}

static void has_many_trees(wr_case *t)
{
    for (int i = 0; i < 17; i++)
        wr_tag(wr_tree(t, "e", &LIST));
    wr_assume(t, t == NULL);
}

static void asks_otherwise_each_time(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &BOTH);
    wr_node *first = wr_arg(e, runs % 3);
    wr_tag(first);
    wr_assume(t, wr_tag(wr_arg(e, (runs + 1) % 3)) == 7);
}

TEST(limits_double_as_they_halve)
{
    unsigned with[WRI_REDRAWS + 1] = { 0 };
    for (uint64_t i = 0; i < 1024; i++)
        with[wri_redraws_of(i)]++;
    CHECK(with[32] == 512 && with[64] == 256 && with[128] == 128 && with[2048] == 8);
    CHECK(with[4096] == 8 && wri_redraws_of(UINT64_MAX) == 4096);
}

TEST(it_ends)
{
    the_case.size = 12;
    for (uint64_t i = 0; i < 200; i++) {
        CHECK(
            !draw(looks_for_one_in_a_million, i, i % 2 ? WRI_REDRAW_UNIFORM : WRI_REDRAW_SKEWED));
        CHECK(runs == 1 + wri_redraws_of(i));
        CHECK(!draw(looks_for_one_in_a_million, i, WRI_REDRAW_OFF) && runs == 1);
        CHECK(!draw(never_likes_the_root, i, WRI_REDRAW_UNIFORM) && runs <= 3);
        CHECK(!draw(looks_at_nothing, i, WRI_REDRAW_UNIFORM) && runs == 1);
        CHECK(!draw(draws_before, i, WRI_REDRAW_UNIFORM) && runs == 1);
        CHECK(!draw(draws_behind, i, WRI_REDRAW_UNIFORM) && runs == 1);
        CHECK(!draw(has_many_trees, i, WRI_REDRAW_UNIFORM) && runs == 1);
        CHECK(!draw(asks_otherwise_each_time, i, WRI_REDRAW_UNIFORM));
        CHECK(!draw(asks_otherwise_each_time, i, WRI_REDRAW_SKEWED));
    }
}

/* Too many values to be counted. */
TEST(large_sizes_are_discarded)
{
    unsigned discarded = 0;
    the_case.size = 100000;
    for (uint64_t i = 0; i < 50; i++)
        if (!draw(sorted_list, i, WRI_REDRAW_UNIFORM))
            discarded += runs == 1;
    CHECK(discarded > 10);
}

TEST(a_case_is_a_function_of_its_number)
{
    char first[200][sizeof found];
    the_case.size = 20;
    for (int turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < 200; i++) {
            unsigned number = turn == 0 ? i : 199 - i;
            strcpy(found, "");
            draw(closed_term, number, number % 3 == 0 ? WRI_REDRAW_SKEWED : WRI_REDRAW_UNIFORM);
            if (turn == 0)
                strcpy(first[number], found);
            CHECK(strcmp(first[number], found) == 0);
        }
}

int main(int argc, char **argv)
{
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    return status != 0 ? status : failures != 0;
}
