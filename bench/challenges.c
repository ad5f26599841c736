/* bench/challenges.c: properties that fail by design, for `shrink` to measure.
 *
 * First the fifteen of the shrinking challenge, then the others. Where a structure is drawn piece
 * by piece, the pieces have no names and the whole is shown.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <warren.h>

/* ---- Lists ---- */

static int32_t *whole_range(wr_case *t, const char *name, size_t n)
{
    return wr_i32s(t, name, n, INT32_MIN, INT32_MAX);
}

static size_t count_distinct(const int32_t *xs, size_t n)
{
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && xs[k] != xs[i])
            k++;
        distinct += k == i;
    }
    return distinct;
}

WR_PROPERTY(reverse)
{
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = whole_range(t, "xs", n);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, xs[i] == xs[n - 1 - i]);
}

WR_PROPERTY(lengthlist)
{
    size_t   n = wr_size(t, "n", 1, 100);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 1000);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, xs[i] < 900);
}

WR_PROPERTY(coupling)
{
    size_t   n = wr_size(t, "n", 0, 20);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 10);
    for (size_t i = 0; i < n; i++)
        wr_assume(t, (size_t)xs[i] < n);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, (size_t)xs[i] == i || (size_t)xs[xs[i]] != i);
}

WR_PROPERTY(deletion)
{
    size_t   n = wr_size(t, "n", 1, 50);
    int32_t *xs = whole_range(t, "xs", n);
    size_t   at = wr_pick(t, "i", n);
    size_t   times = 0;
    for (size_t i = 0; i < n; i++)
        times += xs[i] == xs[at];
    wr_assert(t, times == 1);
}

WR_PROPERTY(distinct)
{
    size_t   n = wr_size(t, "n", 0, 50);
    int32_t *xs = whole_range(t, "xs", n);
    wr_assert(t, count_distinct(xs, n) < 3);
}

WR_PROPERTY(above_999)
{
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = whole_range(t, "xs", n);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, xs[i] <= 999);
}

WR_PROPERTY(sum)
{
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 5000);
    int64_t  total = 0;
    for (size_t i = 0; i < n; i++)
        total += xs[i];
    wr_assert(t, total < 10000);
}

/* ---- Lists of lists ---- */

typedef struct list {
    int32_t *xs;
    size_t   n;
} list;

typedef struct lists {
    list  *of;
    size_t n;
} lists;

static void show_lists(wr_out *out, const void *value)
{
    const lists *all = value;
    wr_put(out, "[");
    for (size_t i = 0; i < all->n; i++) {
        wr_put(out, i > 0 ? ", [" : "[");
        for (size_t k = 0; k < all->of[i].n; k++)
            wr_put(out, "%s%d", k > 0 ? ", " : "", all->of[i].xs[k]);
        wr_put(out, "]");
    }
    wr_put(out, "]");
}

static lists draw_lists(wr_case *t)
{
    lists all = { .n = wr_size(t, NULL, 0, 50) };
    all.of = wr_alloc(t, all.n * sizeof *all.of);
    for (wr_each(t, i, all.n)) {
        all.of[i].n = wr_size(t, NULL, 0, 50);
        all.of[i].xs = whole_range(t, NULL, all.of[i].n);
    }
    wr_show_by(t, "lists", show_lists, &all);
    return all;
}

static size_t total_length(const lists *all)
{
    size_t total = 0;
    for (size_t i = 0; i < all->n; i++)
        total += all->of[i].n;
    return total;
}

WR_PROPERTY(large_union_list)
{
    lists    all = draw_lists(t);
    int32_t *together = wr_alloc(t, total_length(&all) * sizeof *together);
    size_t   n = 0;
    for (size_t i = 0; i < all.n; i++)
        for (size_t k = 0; k < all.of[i].n; k++)
            together[n++] = all.of[i].xs[k];
    wr_assert(t, count_distinct(together, n) <= 4);
}

WR_PROPERTY(nestedlists)
{
    lists all = draw_lists(t);
    wr_assert(t, total_length(&all) <= 10);
}

static int16_t wrapping_sum(const int16_t *xs, size_t n)
{
    uint16_t total = 0;
    for (size_t i = 0; i < n; i++)
        total = (uint16_t)(total + (uint16_t)xs[i]);
    return (int16_t)total;
}

WR_PROPERTY(bound5)
{
    static const char *const NAMES[] = { "a", "b", "c", "d", "e" };
    int16_t                  sums[5];
    for (size_t i = 0; i < 5; i++) {
        size_t   n = wr_size(t, NULL, 0, 10);
        int16_t *xs = wr_i16s(t, NAMES[i], n, INT16_MIN, INT16_MAX);
        sums[i] = wrapping_sum(xs, n);
    }
    for (size_t i = 0; i < 5; i++)
        wr_assume(t, sums[i] < 256);
    wr_assert(t, wrapping_sum(sums, 5) < 5 * 256);
}

/* ---- Two integers ---- */

typedef struct two {
    int64_t x, y;
} two;

static two draw_two(wr_case *t)
{
    two drawn;
    drawn.x = wr_int(t, "x", 1, 1000);
    drawn.y = wr_int(t, "y", 1, 1000);
    return drawn;
}

static int64_t distance(two drawn)
{
    return llabs(drawn.x - drawn.y);
}

WR_PROPERTY(difference_zero)
{
    two drawn = draw_two(t);
    wr_assert(t, drawn.x < 10 || distance(drawn) != 0);
}

WR_PROPERTY(difference_small)
{
    two drawn = draw_two(t);
    wr_assert(t, drawn.x < 10 || distance(drawn) < 1 || distance(drawn) > 4);
}

WR_PROPERTY(difference_one)
{
    two drawn = draw_two(t);
    wr_assert(t, drawn.x < 10 || distance(drawn) != 1);
}

/* ---- Expressions ---- */

enum { LITERAL, SUM, QUOTIENT };

typedef struct expression {
    size_t             form;
    int32_t            literal;
    struct expression *left, *right;
} expression;

static void *grow_expression(wr_case *t, size_t form, size_t budget, void *recursion)
{
    expression *e = wr_alloc(t, sizeof *e);
    e->form = form;
    if (form == LITERAL) {
        e->literal = wr_i32(t, NULL);
        return e;
    }
    e->left = wr_recurse(t, recursion, budget);
    e->right = wr_recurse(t, recursion, budget);
    return e;
}

static void show_expression(wr_out *out, const void *value)
{
    const expression *e = value;
    if (e->form == LITERAL) {
        wr_put(out, "%d", e->literal);
        return;
    }
    const expression *sides[] = { e->left, e->right };
    for (size_t i = 0; i < 2; i++) {
        bool compound = sides[i]->form != LITERAL;
        wr_put(out, "%s%s", i == 0 ? "" : e->form == SUM ? " + " : " / ", compound ? "(" : "");
        show_expression(out, sides[i]);
        wr_put(out, "%s", compound ? ")" : "");
    }
}

static bool divides_by_literal_zero(const expression *e)
{
    if (e->form == LITERAL)
        return false;
    if (e->form == QUOTIENT && e->right->form == LITERAL && e->right->literal == 0)
        return true;
    return divides_by_literal_zero(e->left) || divides_by_literal_zero(e->right);
}

/* False: it divides by zero. Arithmetic wraps. */
static bool evaluate(const expression *e, int32_t *value)
{
    int32_t left, right;
    *value = e->literal;
    if (e->form == LITERAL)
        return true;
    if (!evaluate(e->left, &left) || !evaluate(e->right, &right))
        return false;
    if (e->form == SUM)
        *value = (int32_t)((uint32_t)left + (uint32_t)right);
    else if (right != 0)
        *value = (int32_t)(uint32_t)((int64_t)left / right);
    return e->form == SUM || right != 0;
}

WR_PROPERTY(calculator)
{
    wr_recursion recursion = {
        .label = "expression", .leaves = 1, .forms = 3, .grow = grow_expression
    };
    recursion.context = &recursion;
    expression *e = wr_recurse(t, &recursion, 5);
    int32_t     value;
    wr_show_by(t, "e", show_expression, e);
    wr_assume(t, !divides_by_literal_zero(e));
    wr_assert(t, evaluate(e, &value));
}

/* ---- Heaps ---- */

typedef struct heap {
    int64_t      root;
    struct heap *left, *right;
} heap;

static heap *draw_heap(wr_case *t, int64_t least, size_t size)
{
    wr_begin(t, "heap");
    heap  *h = wr_alloc(t, sizeof *h);
    size_t half = (size - 1) / 2;
    h->root = wr_int(t, NULL, least, INT32_MAX);
    if (half > 0 && wr_bool(t, NULL))
        h->left = draw_heap(t, h->root, half);
    if (half > 0 && wr_bool(t, NULL))
        h->right = draw_heap(t, h->root, half);
    wr_end(t);
    return h;
}

static void show_heap(wr_out *out, const void *value)
{
    const heap *h = value;
    if (h == NULL) {
        wr_put(out, "_");
        return;
    }
    wr_put(out, "(%lld ", (long long)h->root);
    show_heap(out, h->left);
    wr_put(out, " ");
    show_heap(out, h->right);
    wr_put(out, ")");
}

static heap *merge(wr_case *t, heap *a, heap *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    heap *less = a->root <= b->root ? a : b, *other = less == a ? b : a;
    heap *merged = wr_alloc(t, sizeof *merged);
    *merged = (heap){ less->root, merge(t, less->right, other), less->left };
    return merged;
}

/* Pre-order, the right child before the left; false where it goes down. */
static bool goes_up(const heap *h, int64_t *last)
{
    if (h == NULL)
        return true;
    if (h->root < *last)
        return false;
    *last = h->root;
    return goes_up(h->right, last) && goes_up(h->left, last);
}

WR_PROPERTY(binheap)
{
    heap *h = draw_heap(t, INT32_MIN, 20);
    wr_show_by(t, "heap", show_heap, h);
    int64_t last = h->root;
    wr_assert(t, goes_up(merge(t, h->left, h->right), &last));
}

/* ---- Others of the same kinds ---- */

WR_PROPERTY(parallel_arrays)
{
    size_t    n = wr_size(t, "n", 0, 40);
    uint16_t *ids = wr_u16s(t, "ids", n, 0, 1000);
    uint16_t *weights = wr_u16s(t, "weights", n, 0, 1000);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, ids[i] < 100 || weights[i] <= ids[i]);
}

WR_PROPERTY(brackets_in_text)
{
    const char *s = wr_text(t, "s", 0, 60);
    const char *open = strchr(s, '(');
    wr_assert(t, open == NULL || strchr(open, ')') == NULL);
}

WR_PROPERTY(matrix_column)
{
    size_t  rows = wr_size(t, "rows", 1, 8), columns = wr_size(t, "columns", 1, 8);
    int64_t sums[8] = { 0 };
    for (wr_each(t, r, rows)) {
        int32_t *row = wr_i32s(t, "row", columns, 0, 100);
        for (size_t c = 0; c < columns; c++)
            sums[c] += row[c];
    }
    for (size_t c = 0; c < columns; c++)
        wr_assert(t, sums[c] < 150);
}

WR_PROPERTY(fraction)
{
    double x = wr_double(t, "x", -1e6, 1e6);
    wr_assert(t, x < 2 || floor(x) == x);
}

WR_PROPERTY(twice_the_same_key)
{
    size_t   n = wr_size(t, "n", 1, 30);
    int32_t *keys = whole_range(t, "keys", n);
    size_t   i = wr_pick(t, "i", n), j = wr_pick(t, "j", n);
    wr_assert(t, i == j || keys[i] != keys[j]);
}

WR_PROPERTY(no_involution)
{
    size_t  n = wr_size(t, "n", 0, 20);
    size_t *order = wr_permutation(t, "order", n);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, order[order[i]] == i);
}

typedef struct tree {
    int64_t      leaf;
    struct tree *left, *right;
} tree;

static void *grow_tree(wr_case *t, size_t form, size_t budget, void *recursion)
{
    tree *made = wr_alloc(t, sizeof *made);
    if (form == 0) {
        made->leaf = wr_int(t, NULL, 0, 1000);
        return made;
    }
    made->left = wr_recurse(t, recursion, budget);
    made->right = wr_recurse(t, recursion, budget);
    return made;
}

static void show_tree(wr_out *out, const void *value)
{
    const tree *at = value;
    if (at->left == NULL) {
        wr_put(out, "%lld", (long long)at->leaf);
        return;
    }
    wr_put(out, "(");
    show_tree(out, at->left);
    wr_put(out, " ");
    show_tree(out, at->right);
    wr_put(out, ")");
}

static size_t tree_depth(const tree *at)
{
    if (at->left == NULL)
        return 0;
    size_t left = tree_depth(at->left), right = tree_depth(at->right);
    return 1 + (left > right ? left : right);
}

WR_PROPERTY(deep_tree)
{
    wr_recursion recursion = { .label = "tree", .leaves = 1, .forms = 2, .grow = grow_tree };
    recursion.context = &recursion;
    tree *whole = wr_recurse(t, &recursion, 6), *at = whole;
    wr_show_by(t, "tree", show_tree, whole);
    while (at->left != NULL)
        at = at->left;
    wr_assert(t, tree_depth(whole) < 2 || at->leaf < 7);
}

WR_PROPERTY(intervals_overlap)
{
    size_t      n = wr_size(t, "n", 0, 20);
    int64_t    *lo = wr_alloc(t, n * sizeof *lo), *hi = wr_alloc(t, n * sizeof *hi);
    const char *shown = "";
    for (wr_each(t, i, n)) {
        lo[i] = wr_int(t, NULL, 0, 1000);
        hi[i] = wr_int(t, NULL, lo[i], 1000);
    }
    for (size_t i = 0; i < n; i++)
        shown = wr_format(t, "%s%s%lld..%lld", shown, i > 0 ? " " : "", (long long)lo[i],
                          (long long)hi[i]);
    wr_show(t, "intervals", "%s", shown);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            wr_assert(t, i == k || hi[i] - lo[i] < 5 || lo[k] < lo[i] || lo[k] > hi[i]);
}

WR_PROPERTY(integer_as_length)
{
    int64_t k = wr_int(t, "k", 0, 30), total = 0;
    for (wr_each(t, i, (size_t)k))
        total += llabs(wr_int(t, "x", -100, 100));
    wr_assert(t, total < 150);
}

WR_PROPERTY(offset_wraps)
{
    uint32_t base = wr_u32(t, "base"), offset = wr_u32(t, "offset");
    wr_assert(t, base + offset >= base);
}

WR_PROPERTY(pushes_and_pops)
{
    size_t   n = wr_size(t, "n", 0, 40), depth = 0, popped = 0;
    uint8_t *calls = wr_u8s(t, "calls", n, 0, 2);
    for (size_t i = 0; i < n; i++) {
        if (calls[i] == 1) {
            depth++;
            popped = 0;
        } else if (calls[i] == 2 && depth > 0) {
            depth--;
            popped++;
        }
        wr_assert(t, popped < 2);
    }
}

WR_PROPERTY(unsorted)
{
    size_t   n = wr_size(t, "n", 0, 60);
    int32_t *xs = whole_range(t, "xs", n);
    for (size_t i = 1; i < n; i++)
        wr_assert(t, xs[i - 1] <= xs[i]);
}

WR_PROPERTY(three_addends)
{
    int64_t x = wr_int(t, "x", 0, 10000), y = wr_int(t, "y", 0, 10000);
    int64_t z = wr_int(t, "z", 0, 10000);
    wr_assert(t, x == 0 || y == 0 || x + y + z < 5000);
}

/* The calls 3, 1, 3 in this order are too many; 0 and 2 do nothing, and 4 starts again. */
WR_PROPERTY(states)
{
    static const size_t AHEAD[] = { 3, 1, 3 };
    size_t              n = wr_size(t, "n", 0, 40), state = 0;
    for (wr_each(t, i, n)) {
        size_t op = wr_pick(t, "op", 5);
        state = op == AHEAD[state] ? state + 1 : op == 4 ? 0 : state;
        wr_assert(t, state < 3);
    }
}

/* ---- Values of parsers ---- */

WR_PROPERTY(token_left_open)
{
    static const char *const TOKENS[] = { "a", " ", "<", ">", "<!--", "-->", "&amp;", "\"" };
    const char              *text = wr_pieces(t, "text", 8, TOKENS, 0, 40);
    const char              *open = strstr(text, "<!--");
    wr_assert(t, open == NULL || strstr(open, "-->") != NULL);
}

WR_PROPERTY(tokens_in_order)
{
    static const char *const TOKENS[] = { "a", "b", "<", "[[", ">", "]]", "\"" };
    const char              *text = wr_pieces(t, "text", 7, TOKENS, 0, 60);
    const char              *open = strchr(text, '<');
    const char              *quote = open == NULL ? NULL : strchr(open, '"');
    wr_assert(t, quote == NULL || strchr(quote, '>') == NULL);
}

WR_PROPERTY(bytes_of_a_chunk)
{
    static const wr_piece PIECES[] = { WR_PIECE("\0"), WR_PIECE("IDAT"), WR_PIECE("IHDR"),
                                       WR_PIECE("\x89PNG"), WR_PIECE("\xff") };
    size_t                n;
    const uint8_t        *bytes = wr_byte_pieces(t, "bytes", 5, PIECES, 0, 30, &n);
    for (size_t i = 0; i + 6 <= n; i++)
        wr_assert(t, memcmp(bytes + i, "IHDR\0\xff", 6) != 0);
}

WR_PROPERTY(word_inside)
{
    static const char *const WORDS[] = { "&amp;", "&lt;" };
    wr_words(t, 2, WORDS);
    const char *text = wr_text(t, "text", 0, 40);
    const char *word = strstr(text, "&amp;");
    wr_assert(t, word == NULL || strchr(word, 'x') == NULL);
}

WR_PROPERTY(sharp_s)
{
    uint32_t c = wr_codepoint(t, "c");
    wr_assert(t, c < 0xdf || c == 0xd7 || (c > 0x2000 && c < 0x3000));
}

WR_PROPERTY(astral)
{
    wr_assert(t, wr_codepoint(t, "c") <= 0xffff);
}

WR_PROPERTY(space_in_a_name)
{
    const char *name = wr_filename(t, "name", 1, 30);
    wr_assert(t, strchr(name + 1, ' ') == NULL);
}

WR_PROPERTY(private_address)
{
    const char *address = wr_ipv4(t, "address");
    unsigned    second = (unsigned)strtoul(strchr(address, '.') + 1, NULL, 10);
    wr_assert(t, strncmp(address, "172.", 4) != 0 || second < 16 || second > 31);
}

WR_PROPERTY(capital_address)
{
    wr_assert(t, strpbrk(wr_ipv6(t, "address"), "ABCDEF") == NULL);
}

WR_PROPERTY(leap_day)
{
    struct tm day = wr_date(t, "day", 1900, 2100);
    wr_assert(t, day.tm_mon != 1 || day.tm_mday != 29);
}

WR_PROPERTY(before_1950)
{
    struct tm day = wr_date(t, "day", 1, 2100);
    wr_assert(t, day.tm_year >= 50 || day.tm_mon != 11);
}

WR_PROPERTY(last_second)
{
    struct tm time = wr_time(t, "time");
    wr_assert(t, time.tm_hour < 12 || time.tm_sec != 59);
}

WR_PROPERTY(alternative_form)
{
    const char *format = wr_printf_format(t, "format", "dxXo");
    wr_assert(t, strstr(format, "#.") == NULL);
}

/* ---- A value near another one ---- */

enum { LEAF, BRANCH };
WR_TYPE(BUSH, "Bush", { "Leaf", .index = 3, .show = "%i" },
        { "Branch", .args = { &BUSH, &BUSH }, .show = "(%0 %1)" });

static unsigned leaves(wr_node *e)
{
    return wr_tag(e) == LEAF ? 1 : leaves(wr_arg(e, 0)) + leaves(wr_arg(e, 1));
}

WR_PROPERTY(varied_bush)
{
    wr_node *a = wr_tree(t, "a", &BUSH), *b = wr_varied(t, "b", a);
    wr_force(b);
    wr_assert(t, leaves(b) >= leaves(a));
}
