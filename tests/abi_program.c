/* abi_program.c: a property, a tree, a machine and a covering array, each with a bug to find.
 *
 * abi_test.sh compiles it with the header as it is, with an older one and with a newer one. The
 * newer one has a member `added` in every struct; SET names the struct in which it is set.
 */
#include <stdio.h>
#include <string.h>

#include <warren.h>
#include <warren/cover.h>

#ifdef SET
#define IN_OPTIONS 1
#define IN_CON 2
#define IN_KIND 3
#define IN_COMMAND 4
#define IN_MACRO 5
#define IN_MACHINE 6
#define IN_COVERING 7
#define ADDED(where) .added = SET == where
#else
#define ADDED(where)
#endif

WR_PROPERTY_WITH(numbers, .cases = 5000, .size = 20, ADDED(IN_OPTIONS))
{
    wr_assert_lt(t, wr_int(t, "x", 0, 1000), 10);
}

extern const wr_type TERM;
enum { LEAF, FORK };
WR_TYPE(TERM, "Term", { "Leaf", .index = 4, ADDED(IN_CON) },
        { "Fork", .args = { &TERM, &TERM }, ADDED(IN_CON) });

WR_PROPERTY(trees)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_assert(t, wr_tag(e) == LEAF || wr_tag(wr_arg(e, 1)) == LEAF);
}

typedef struct pile {
    unsigned height;
} pile;

static void do_make(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, 1));
    ((pile *)wr_model(call))->height = 0;
}

static void do_put(wr_case *t, wr_call *call)
{
    pile *p = wr_model(call);
    p->height += wr_value(call, 1) == 2;
    wr_assert_lt(t, p->height, 3);
}

static bool has_room(const wr_call *call)
{
    return ((pile *)wr_model(call))->height < 9;
}

static const wr_kind    STONE = { "stone", .values = 4, ADDED(IN_KIND) };
static const wr_kind    PILE = { "pile", .handle = true, .type = "pile *", ADDED(IN_KIND) };
static const wr_command COMMANDS[] = {
    { "make", do_make, .gives = &PILE, ADDED(IN_COMMAND) },
    { "put", do_put, .takes = { &PILE, &STONE }, .when = has_room, ADDED(IN_COMMAND) },
    { 0 },
};
static const wr_macro MACROS[] = { { "begin", { "make", "put" }, ADDED(IN_MACRO) }, { 0 } };
WR_MACHINE(piles, .commands = COMMANDS, .macros = MACROS, .model_size = sizeof(pile),
           .options = { .cases = 3000, ADDED(IN_OPTIONS) }, ADDED(IN_MACHINE));

static void is_small(wr_case *t)
{
    wr_assert_lt(t, wr_int(t, "y", 0, 1000), 20);
}

static int cover(void)
{
    wr_covering_options options = { .seed = 3, .moves = 100, ADDED(IN_COVERING) };
    wr_covering        *c = wr_covering_new();
    wr_covering_range(c, "a", 0, 3, 1);
    wr_covering_range(c, "b", 0, 3, 1);
    wr_covering_range(c, "c", 0, 2, 1);
    int status = wr_covering_build(c, &options) ? 0 : 99;
    printf("%s%u rows\n", wr_covering_error(c), (unsigned)wr_covering_rows(c));
    wr_covering_free(c);
    return status;
}

int main(int argc, char **argv)
{
    static const wr_options options = {
        .name = "small", .cases = 500, .seed = 4, ADDED(IN_OPTIONS)
    };
    if (argc > 1 && strcmp(argv[1], "check") == 0)
        return wr_check(&options, is_small);
    if (argc > 1 && strcmp(argv[1], "cover") == 0)
        return cover();
    return wr_main(argc, argv);
}
