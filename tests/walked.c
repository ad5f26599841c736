/* tests/walked.c: properties whose cases are enumerated; enumerate_test.c knows what comes out.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <warren.h>
#include <warren/observe.h>

/* ---- Trees ---- */

extern const wr_type TREE, TERM;
enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", { "Leaf", .show = "." },
        { "Node", .args = { &TREE, &TREE }, .show = "(%0 %1)" });

WR_PROPERTY(looks_at_all)
{
    wr_force(wr_tree(t, "e", &TREE));
}

WR_PROPERTY(looks_at_nothing)
{
    wr_tree(t, "e", &TREE);
}

WR_PROPERTY(looks_at_the_left_side)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_need(e, 1u << NODE);
    wr_force(wr_arg(e, 0));
}

WR_PROPERTY(two_trees)
{
    wr_node *a = wr_tree(t, "a", &TREE), *b = wr_tree(t, "b", &TREE);
    wr_force(b);
    wr_force(a);
}

static unsigned nodes(wr_node *e)
{
    return wr_tag(e) == LEAF ? 0 : 1 + nodes(wr_arg(e, 0)) + nodes(wr_arg(e, 1));
}

WR_PROPERTY(has_fewer_than_five_nodes)
{
    wr_assert(t, nodes(wr_tree(t, "e", &TREE)) < 5);
}

WR_PROPERTY(draws_after_a_tree)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    unsigned n = nodes(e);
    int64_t  k = wr_int(t, "k", 0, 1000);
    wr_assert(t, n != 1 || k != 6);
}

/* Walked through, the size would never come to this value, nor to trees below it. */
WR_PROPERTY(a_bug_of_draws_and_two_trees)
{
    int64_t  size = wr_int(t, "size", 0, 100000);
    bool     flag = wr_bool(t, "flag");
    wr_node *a = wr_tree(t, "a", &TREE), *b = wr_tree(t, "b", &TREE);
    wr_force(b);
    wr_classify(t, flag, "flag");
    wr_assert(t, size != 100000 || nodes(a) < 3);
}

WR_PROPERTY(crashes_on_a_deep_right_side)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    unsigned depth = 0;
    for (; wr_tag(e) == NODE; e = wr_arg(e, 1))
        depth++;
    if (depth == 4)
        raise(SIGSEGV);
}

/* Finite: two colours, each with one of three numbers. */
WR_TYPE(COLOUR, "Colour", { "Red", .index = 3 }, { "Green", .index = 3 });
WR_TYPE(PAIR, "Pair", { "Pair", .args = { &COLOUR, &COLOUR } });

WR_PROPERTY(finite_data)
{
    wr_force(wr_tree(t, "p", &PAIR));
}

WR_PROPERTY(equal_pairs_are_found)
{
    wr_node *p = wr_tree(t, "p", &PAIR);
    wr_need_same(wr_arg(p, 0), wr_arg(p, 1));
    wr_force(p);
}

/* ---- Closed terms, a published sequence ---- */

/* Natural size: a variable costs its number and one. Closed ones: 0, 1, 1, 3, 6, 17, 41, 116, ...
 */
enum { VAR, LAM, APP };
WR_TYPE(TERM, "Term", { "Var", .index = WR_ANY_INDEX }, { "Lam", .args = { &TERM } },
        { "App", .args = { &TERM, &TERM } });

WR_PROPERTY(two_terms)
{
    wr_node *a = wr_tree(t, "a", &TERM), *b = wr_tree(t, "b", &TERM);
    wr_force(a);
    wr_force(b);
}

static bool is_closed(wr_node *e, size_t depth)
{
    switch (wr_tag(e)) {
    case VAR: return wr_index(e) < depth;
    case LAM: return is_closed(wr_arg(e, 0), depth + 1);
    default: return is_closed(wr_arg(e, 0), depth) && is_closed(wr_arg(e, 1), depth);
    }
}

static bool closed(wr_node *e)
{
    return is_closed(e, 0);
}

static void need_closed(wr_node *e, size_t depth)
{
    switch (wr_need(e, 1u << LAM | 1u << APP | (depth > 0 ? 1u << VAR : 0))) {
    case VAR: wr_need_index_below(e, depth); break;
    case LAM: need_closed(wr_arg(e, 0), depth + 1); break;
    default: need_closed(wr_arg(e, 0), depth); need_closed(wr_arg(e, 1), depth);
    }
}

WR_PROPERTY(closed_terms_required)
{
    wr_require(t, closed, wr_tree(t, "e", &TERM));
}

WR_PROPERTY(closed_terms_assumed)
{
    wr_assume(t, closed(wr_tree(t, "e", &TERM)));
}

WR_PROPERTY(closed_terms_needed)
{
    need_closed(wr_tree(t, "e", &TERM), 0);
}

WR_PROPERTY(closed_terms_labelled)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_label(t, "drawn");
    wr_require(t, closed, e);
    wr_classify(t, wr_tag(e) == APP, "application");
}

/* ---- Several requirements ---- */

static bool leans_left(wr_node *e)
{
    return wr_tag(e) == LEAF || (wr_tag(wr_arg(e, 1)) == LEAF && leans_left(wr_arg(e, 0)));
}

static bool is_even(wr_node *e)
{
    return nodes(e) % 2 == 0;
}

WR_PROPERTY(one_requirement_after_the_other)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, is_even, e);
    wr_require(t, leans_left, e);
}

WR_PROPERTY(the_same_as_one_condition)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_assume(t, is_even(e) && leans_left(e));
}

/* The second looks at the small tree alone, which is drawn and looked at first. */
static bool is_a_node(wr_node *e)
{
    return wr_tag(e) == NODE;
}

WR_PROPERTY(an_older_look_decides)
{
    wr_node *a = wr_tree(t, "a", &TREE), *b = wr_tree(t, "b", &TREE);
    wr_tag(a);
    wr_require(t, is_even, b);
    wr_require(t, is_a_node, a);
}

WR_PROPERTY(nothing_is_met)
{
    wr_assume(t, wr_tag(wr_tree(t, "e", &TREE)) > NODE);
}

/* ---- Plain draws ---- */

WR_PROPERTY(a_byte_and_a_flag)
{
    wr_u8(t, "a");
    wr_bool(t, "b");
}

WR_PROPERTY(two_integers)
{
    int32_t a = wr_i32(t, "a"), b = wr_i32(t, "b");
    wr_assert(t, a + b != 9 || a < 5);
}

WR_PROPERTY(a_list)
{
    size_t   n = wr_size(t, "n", 0, 10);
    int32_t *x = wr_i32s(t, "x", n, -100, 100);
    int32_t  sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    wr_assert(t, n != 3 || sum != -7);
}

WR_PROPERTY(unique_numbers)
{
    wr_unique_ints(t, "u", 3, 0, 6);
}

WR_PROPERTY(a_word)
{
    wr_assert(t, strcmp(wr_text(t, "s", 0, 8), "bad") != 0);
}

WR_PROPERTY(a_real)
{
    wr_assert(t, wr_double(t, "d", 0, 100) != 2.5);
}

WR_PROPERTY(any_real)
{
    double d = wr_any_double(t, "d");
    wr_assert(t, d == d);
}

WR_PROPERTY(weighted_picks)
{
    static const uint32_t WEIGHTS[] = { 3, 0, 1 };
    size_t                picked = wr_weighted(t, "w", 3, WEIGHTS);
    wr_assert(t, picked != 1);
    wr_pick(t, "p", 100);
}

WR_PROPERTY(length_does_not_fit)
{
    wr_size(t, "n", 5, 9);
}

WR_PROPERTY(draws_nothing_at_all)
{
    (void)t;
}

static unsigned           recursions;
static void              *grow(wr_case *t, size_t form, size_t budget, void *context);
static const wr_recursion EXPRESSION = { .label = "e", .leaves = 1, .forms = 2, .grow = grow };
static void              *grow(wr_case *t, size_t form, size_t budget, void *context)
{
    (void)context;
    recursions++;
    if (form == 1) {
        wr_recurse(t, &EXPRESSION, budget);
        wr_recurse(t, &EXPRESSION, budget);
    }
    return NULL;
}

WR_PROPERTY(recursion)
{
    recursions = 0;
    wr_recurse(t, &EXPRESSION, WR_SIZE);
    wr_assert(t, recursions != 5);
}

/* ---- What could be missed ---- */

WR_TYPE(BIT, "Bit", { "No" }, { "Yes" });

WR_PROPERTY(draws_what_must_cost_after_a_tree)
{
    if (wr_tag(wr_tree(t, "a", &BIT)) == 1)
        wr_assert(t, wr_size(t, "n", 1, 3) < 2);
}

WR_PROPERTY(one_tree_after_the_other)
{
    wr_force(wr_tree(t, "a", &TREE));
    wr_force(wr_tree(t, "b", &TREE));
}

static bool is_a_leaf(wr_node *e)
{
    return wr_tag(e) == LEAF;
}

static bool even_on_the_left(wr_node *e)
{
    return wr_tag(e) == LEAF || nodes(wr_arg(e, 0)) % 2 == 1;
}

WR_PROPERTY(requires_now_and_then)
{
    bool     strict = wr_bool(t, "strict");
    wr_node *e = wr_tree(t, "e", &TREE);
    if (strict)
        wr_require(t, is_a_leaf, e);
    wr_require(t, even_on_the_left, e);
    wr_force(e);
}

WR_PROPERTY(assumes_now_and_then)
{
    bool     strict = wr_bool(t, "strict");
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_assume(t, !strict || is_a_leaf(e));
    wr_assume(t, even_on_the_left(e));
    wr_force(e);
}

static bool tree_leans(wr_node *e)
{
    if (wr_tag(e) > NODE)
        abort(); /* a tree of another type */
    return wr_tag(e) == LEAF || wr_tag(wr_arg(e, 1)) == LEAF;
}

static bool term_is_small(wr_node *e)
{
    return wr_tag(e) != APP || wr_tag(wr_arg(e, 0)) == LAM;
}

WR_PROPERTY(trees_of_either_type)
{
    bool     term = wr_bool(t, "term");
    wr_node *e = wr_tree(t, "e", term ? &TERM : &TREE);
    wr_require(t, term ? term_is_small : tree_leans, e);
    wr_force(e);
}

WR_PROPERTY(fails_when_it_is_small)
{
    wr_assert(t, nodes(wr_tree(t, "e", &TREE)) != 1);
}

WR_PROPERTY(crashes_when_it_is_small)
{
    if (nodes(wr_tree(t, "e", &TREE)) == 1)
        raise(SIGSEGV);
}

WR_PROPERTY(many_weights)
{
    static const uint32_t WEIGHTS[65] = { [3] = 1, [64] = 1 };
    wr_weighted(t, "w", 65, WEIGHTS);
}

WR_PROPERTY(texts)
{
    static const char *const WORDS[] = { "a", "ab" };
    wr_words(t, 2, WORDS);
    wr_utf8(t, "s", 0, 2);
}

/* Values that parsers read: each comes once. */
WR_PROPERTY(tokens)
{
    static const char *const TOKENS[] = { "a", "bc", "d" };
    wr_collect(t, "text", wr_pieces(t, "text", 3, TOKENS, 0, 2));
}

WR_PROPERTY(code_points)
{
    wr_codepoint(t, "c");
}

WR_PROPERTY(names)
{
    wr_collect(t, "name", wr_filename(t, "name", 1, 2));
}

WR_PROPERTY(addresses)
{
    wr_collect(t, "address", wr_ipv6(t, "address"));
}

WR_PROPERTY(dates)
{
    struct tm day = wr_date(t, "day", 2000, 2001);
    wr_assert(t, day.tm_yday != 365 || day.tm_year != 101);
}

WR_PROPERTY(formats)
{
    wr_collect(t, "format", wr_printf_format(t, "format", "d"));
}

WR_PROPERTY(varied_trees)
{
    wr_node *a = wr_tree(t, "a", &TREE), *b = wr_varied(t, "b", a);
    wr_force(b);
    wr_assert(t, nodes(a) != 2 || nodes(b) != 0);
}

WR_PROPERTY(a_small_number)
{
    wr_assert_le(t, wr_u8(t, "k"), 3);
}

static bool labels_and_refuses(wr_node *e)
{
    if (nodes(e) % 2 == 1)
        return true;
    WR_LABEL("refused");
    return false;
}

WR_PROPERTY(labels_in_a_requirement)
{
    wr_node *e = wr_tree(t, "e", &TREE);
    wr_require(t, labels_and_refuses, e);
    wr_require(t, even_on_the_left, e);
}

/* ---- What goes wrong ---- */

WR_PROPERTY(not_deterministic)
{
    static unsigned turn;
    wr_int(t, "a", 0, 100 + turn++ % 2);
    wr_bool(t, "b");
}

WR_PROPERTY(asks_for_less)
{
    static unsigned turn;
    wr_int(t, "k", 0, 7);
    if (++turn % 3 != 0)
        wr_int(t, "x", 0, 7);
}

WR_PROPERTY(leaks_when_it_is_seven)
{
    if (wr_int(t, "a", 0, 100) == 7)
        *(void *volatile *)wr_alloc(t, sizeof(void *)) = malloc(100);
}

WR_PROPERTY(has_two_bugs)
{
    int64_t a = wr_int(t, "a", 0, 255);
    wr_assert(t, a != 9);
    if (a == 100)
        raise(SIGSEGV);
}

WR_PROPERTY(fails_twice)
{
    int64_t a = wr_int(t, "a", 0, 255);
    wr_assert(t, a != 9);
    wr_assert(t, a != 100);
}

WR_PROPERTY(hangs_at_five)
{
    if (wr_int(t, "a", 0, 100) == 5)
        for (volatile int i = 0;; i++)
            ;
}
