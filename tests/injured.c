/* tests/injured.c: small properties, each of which needs another part of Warren. inject_test
 * makes calls fail while they run; the properties themselves make none that could.
 */
#include <string.h>
#include <warren.h>

WR_PROPERTY(holds)
{
    int64_t x = wr_int(t, "x", 0, 100);
    wr_classify(t, x > 50, "large");
    wr_assert_le(t, x, 100);
}

WR_PROPERTY(fails)
{
    size_t   n = wr_size(t, "n", 0, 10);
    int32_t *xs = wr_i32s(t, "xs", n, 0, 100);
    wr_text(t, "text", 0, 5);
    for (size_t i = 0; i < n; i++)
        wr_assert_lt(t, xs[i], 50);
}

WR_PROPERTY(fails_elsewhere)
{
    wr_assert_lt(t, wr_int(t, "x", 0, 1000), 10);
}

WR_PROPERTY(reads)
{
    const char *s = wr_text(t, "s", 0, 10);
    bool        twice = wr_bool(t, "twice");
    wr_label(t, twice ? "twice" : "once");
    wr_classify(t, strchr(s, 'b') != NULL, "b");
}

static int *volatile nowhere;

WR_PROPERTY(crashes)
{
    if (wr_int(t, "x", 0, 1000) > 20)
        *nowhere = 1;
}

WR_PROPERTY(crashes_anew)
{
    if (wr_int(t, "x", 0, 1000) > 30)
        *nowhere = 2;
}

/* One condition after the other: the labels of each lead to the next. */
WR_PROPERTY(has_gates)
{
    static const uint8_t KEY[] = { 3, 1, 2 };
    for (size_t i = 0; i < sizeof KEY; i++) {
        if (wr_int(t, "step", 0, 7) != KEY[i])
            return;
        wr_label(t, i == 0 ? "one" : i == 1 ? "two" : "three");
    }
    wr_fail(t, "the last gate is open");
}

/* ---- A tree ---- */

extern const wr_type TREE;
enum { LEAF, NODE };
WR_TYPE(TREE, "Tree", { "Leaf", .show = "." },
        { "Node", .args = { &TREE, &TREE }, .show = "(%0 %1)" });

static unsigned nodes(wr_node *e)
{
    return wr_tag(e) == LEAF ? 0 : 1 + nodes(wr_arg(e, 0)) + nodes(wr_arg(e, 1));
}

WR_PROPERTY(grows)
{
    wr_node *tree = wr_tree(t, "tree", &TREE);
    wr_assert_lt(t, nodes(tree), 3);
}

/* ---- A machine with two bugs ---- */

typedef struct shelf {
    int books, marks;
} shelf;

static void do_add(wr_case *t, wr_call *call)
{
    shelf *s = wr_model(call);
    s->books++;
    wr_assert(t, s->books < 4 && "the shelf has room");
}

static void do_mark(wr_case *t, wr_call *call)
{
    shelf *s = wr_model(call);
    s->marks += (int)wr_value(call, 0);
    wr_assert(t, (s->marks < 5 || s->books == 0) && "marks are few");
}

static void do_clear(wr_case *t, wr_call *call)
{
    (void)t;
    memset(wr_model(call), 0, sizeof(shelf));
}

static const wr_kind    DIGIT = { "digit", .values = 6 };
static const wr_command COMMANDS[] = {
    { "add", .call = do_add },
    { "mark", do_mark, .takes = { &DIGIT } },
    { "clear", .call = do_clear },
    { 0 },
};
WR_MACHINE(shelves, .commands = COMMANDS, .model_size = sizeof(shelf));
