/* studies/radix/tuned/loops.c: constant propagation in a language of loops, on programs that read
 * a variable only where it has a value on every way. The first variable is the input.
 */
#include <string.h>

#include "faults.h"

#define VARIABLES 3
#define FAULTS 16
#define INPUTS 4
#define STEPS_MOST 60

/* ---- Programs as lazy data ---- */

enum { NUMBER, READ, ADD, LESS };
enum { SKIP, ASSIGN, SEQUENCE, LOOP, CHOICE };
WR_TYPE(VARIABLE, "Variable", { "Variable", .index = VARIABLES, .cost = WR_FREE, .show = "v%i" });
WR_TYPE(EXPRESSION, "Expression", [NUMBER] = { "Number", .index = 3, .show = "%i" },
        [READ] = { "Read", .args = { &VARIABLE }, .show = "%0" },
        [ADD] = { "Add", .args = { &EXPRESSION, &EXPRESSION }, .show = "(%0 + %1)" },
        [LESS] = { "Less", .args = { &EXPRESSION, &EXPRESSION }, .show = "(%0 < %1)" });
WR_TYPE(STATEMENT, "Statement", [SKIP] = { "Skip", .show = "skip" },
        [ASSIGN] = { "Assign", .args = { &VARIABLE, &EXPRESSION }, .show = "%0 := %1" },
        [SEQUENCE] = { "Sequence", .args = { &STATEMENT, &STATEMENT }, .show = "{ %0; %1 }" },
        [LOOP] = { "Loop", .args = { &EXPRESSION, &STATEMENT }, .show = "while %0 %1" },
        [CHOICE] = { "Choice", .args = { &EXPRESSION, &STATEMENT, &STATEMENT },
                     .show = "if %0 %1 else %2" });

/* Sets of variables, a bit for each. */
typedef unsigned variables;

static void demand_expression(wr_node *e, variables given)
{
    switch (wr_tag(e)) {
    case NUMBER: wr_index(e); break;
    case READ:
        if ((given >> wr_index(wr_arg(e, 0)) & 1) == 0)
            wr_need(e, 0);
        break;
    default: demand_expression(wr_arg(e, 0), given); demand_expression(wr_arg(e, 1), given);
    }
}

/* Those that surely have a value behind the statement. */
static variables demand_statement(wr_node *e, variables given)
{
    variables one;
    switch (wr_tag(e)) {
    case SKIP: return given;
    case ASSIGN:
        demand_expression(wr_arg(e, 1), given);
        return given | 1u << wr_index(wr_arg(e, 0));
    case SEQUENCE: return demand_statement(wr_arg(e, 1), demand_statement(wr_arg(e, 0), given));
    case LOOP:
        demand_expression(wr_arg(e, 0), given);
        demand_statement(wr_arg(e, 1), given);
        return given;
    default:
        demand_expression(wr_arg(e, 0), given);
        one = demand_statement(wr_arg(e, 1), given);
        return one & demand_statement(wr_arg(e, 2), given);
    }
}

static bool is_assigned(wr_node *e)
{
    count_run();
    demand_statement(e, 1u);
    return true;
}

/* ---- Programs as they are worked on ---- */

typedef struct part part;
struct part {
    int         tag, number; /* of a number, or of a variable */
    const part *args[3];
};

#define PARTS_MOST 4096
static part   parts[PARTS_MOST];
static size_t used;

static const part *make(int tag, int number, const part *a, const part *b, const part *c)
{
    part *made = &parts[used++ % PARTS_MOST];
    *made = (part){ tag, number, { a, b, c } };
    return made;
}

static const part *number(int of)
{
    return make(NUMBER, of, NULL, NULL, NULL);
}

static const part *copy_expression(wr_node *e)
{
    int tag = wr_tag(e);
    if (tag == NUMBER)
        return number((int)wr_index(e));
    if (tag == READ)
        return make(READ, (int)wr_index(wr_arg(e, 0)), NULL, NULL, NULL);
    const part *a = copy_expression(wr_arg(e, 0));
    return make(tag, 0, a, copy_expression(wr_arg(e, 1)), NULL);
}

static const part *copy_statement(wr_node *e)
{
    const part *a, *b;
    int         tag = wr_tag(e);
    switch (tag) {
    case SKIP: return make(SKIP, 0, NULL, NULL, NULL);
    case ASSIGN:
        return make(ASSIGN, (int)wr_index(wr_arg(e, 0)), copy_expression(wr_arg(e, 1)), NULL,
                    NULL);
    case SEQUENCE:
        a = copy_statement(wr_arg(e, 0));
        return make(tag, 0, a, copy_statement(wr_arg(e, 1)), NULL);
    case LOOP:
        a = copy_expression(wr_arg(e, 0));
        return make(tag, 0, a, copy_statement(wr_arg(e, 1)), NULL);
    default:
        a = copy_expression(wr_arg(e, 0));
        b = copy_statement(wr_arg(e, 1));
        return make(tag, 0, a, b, copy_statement(wr_arg(e, 2)));
    }
}

/* ---- Running them ---- */

typedef struct state {
    int      values[VARIABLES];
    unsigned steps;
} state;

static int value_of(const part *e, const state *in)
{
    switch (e->tag) {
    case NUMBER: return e->number;
    case READ: return in->values[e->number];
    case ADD: return (value_of(e->args[0], in) + value_of(e->args[1], in)) & 0xff;
    default: return value_of(e->args[0], in) < value_of(e->args[1], in);
    }
}

/* False: it takes too long. */
static bool run(const part *e, state *in)
{
    if (++in->steps > STEPS_MOST)
        return false;
    switch (e->tag) {
    case SKIP: return true;
    case ASSIGN: in->values[e->number] = value_of(e->args[0], in); return true;
    case SEQUENCE: return run(e->args[0], in) && run(e->args[1], in);
    case LOOP:
        while (value_of(e->args[0], in) != 0)
            if (!run(e->args[1], in))
                return false;
        return true;
    default: return run(e->args[value_of(e->args[0], in) != 0 ? 1 : 2], in);
    }
}

/* ---- The code under test: constant propagation ---- */

/* The variables that are known to hold a number. */
typedef struct knowledge {
    variables known;
    int       values[VARIABLES];
} knowledge;

static void forget(knowledge *of, variables which)
{
    of->known &= ~which;
}

static void learn(knowledge *of, int which, const part *e)
{
    bool certain = e->tag == NUMBER;
    if (certain) {
        of->known |= 1u << which;
        of->values[which] = e->number;
    } else if (!FAULT(1)) {
        forget(of, 1u << which);
    }
}

/* What both know alike. */
static knowledge join(const knowledge *a, const knowledge *b)
{
    knowledge both = *a;
    if (FAULT(2))
        return *b;
    for (int i = 0; i < VARIABLES; i++)
        if ((a->known & b->known & 1u << i) == 0 || (a->values[i] != b->values[i] && !FAULT(3)))
            forget(&both, 1u << i);
    return both;
}

static const part *fold_sum(const part *a, const part *b)
{
    bool zero = a->tag == NUMBER && a->number == 0;
    if (a->tag == NUMBER && b->tag == NUMBER)
        return number((a->number + b->number) & 0xff);
    if (zero && !FAULT(4))
        return b;
    return zero ? a : make(ADD, 0, a, b, NULL);
}

static const part *fold_less(const part *a, const part *b)
{
    if (a->tag == NUMBER && b->tag == NUMBER)
        return number(FAULT(5) ? a->number <= b->number : a->number < b->number);
    /* A variable is not less than itself. */
    if (a->tag == READ && b->tag == READ && (a->number == b->number || FAULT(6)))
        return number(0);
    return make(LESS, 0, a, b, NULL);
}

static const part *fold(const part *e, const knowledge *in)
{
    if (e->tag == READ && (in->known >> e->number & 1) != 0)
        return number(in->values[e->number]);
    if (e->tag == NUMBER || e->tag == READ)
        return e;
    const part *a = fold(e->args[0], in), *b = fold(e->args[1], in);
    return e->tag == ADD ? fold_sum(a, b) : fold_less(a, b);
}

/* Those that the statement may change. `depth` loops and choices are around it. */
static variables changed(const part *e, unsigned depth)
{
    switch (e->tag) {
    case SKIP: return 0;
    case ASSIGN: return 1u << e->number;
    case SEQUENCE:
        return changed(e->args[0], depth) | (FAULT(7) ? 0 : changed(e->args[1], depth));
    case LOOP:
        if ((depth > 0 && FAULT(8)) || (depth > 2 && FAULT(15)))
            return 0;
        return changed(e->args[1], depth + 1);
    default:
        return (depth > 2 && FAULT(16) ? 0 : changed(e->args[1], depth + 1)) |
               (depth > 1 && FAULT(9) ? 0 : changed(e->args[2], depth + 1));
    }
}

static const part *propagate(const part *e, knowledge *in);

/* The body is entered again with what it has changed. */
static const part *propagate_loop(const part *e, knowledge *in)
{
    knowledge before = *in;
    if (fold(e->args[0], &before)->tag == NUMBER && fold(e->args[0], &before)->number == 0)
        return make(SKIP, 0, NULL, NULL, NULL);
    forget(in, FAULT(10) ? 0 : changed(e->args[1], 0));
    const part *condition = fold(e->args[0], FAULT(11) ? &before : in);
    knowledge   inside = *in;
    const part *body = propagate(e->args[1], &inside);
    if (FAULT(12))
        *in = inside;
    return make(LOOP, 0, condition, body, NULL);
}

static const part *propagate_choice(const part *e, knowledge *in)
{
    const part *condition = fold(e->args[0], in);
    knowledge   other = *in;
    if (condition->tag == NUMBER)
        return propagate(e->args[condition->number != 0 || FAULT(13) ? 1 : 2], in);
    const part *x = propagate(e->args[1], in);
    const part *y = propagate(e->args[2], FAULT(14) ? in : &other);
    *in = join(in, &other);
    return make(CHOICE, 0, condition, x, y);
}

static const part *propagate(const part *e, knowledge *in)
{
    const part *a;
    switch (e->tag) {
    case SKIP: return e;
    case ASSIGN:
        a = fold(e->args[0], in);
        learn(in, e->number, a);
        return make(ASSIGN, e->number, a, NULL, NULL);
    case SEQUENCE:
        a = propagate(e->args[0], in);
        return make(SEQUENCE, 0, a, propagate(e->args[1], in), NULL);
    case LOOP: return propagate_loop(e, in);
    default: return propagate_choice(e, in);
    }
}

/* ---- The property ---- */

typedef struct program {
    const part *as_written;
    variables   given; /* behind it */
} program;

/* On some input both end, and a variable that has a value has not the same. A loop that does not
 * end any more, or ends now, shows, too. */
static bool shows(int fault, void *context)
{
    const program *of = context;
    size_t         kept = used;
    knowledge      nothing = { 0 };
    const part    *made = propagate(of->as_written, &nothing);
    bool           differ = false;
    (void)fault;
    for (int input = 0; input < INPUTS && !differ; input++) {
        state one = { { input, 100, 101 }, 0 }, other = one;
        bool  ends = run(of->as_written, &one);
        differ = ends != run(made, &other);
        for (int i = 0; ends && i < VARIABLES && !differ; i++)
            differ = (of->given >> i & 1) != 0 && one.values[i] != other.values[i];
    }
    used = kept;
    return differ;
}

WR_PROPERTY(loops)
{
    wr_node *e = wr_tree(t, "e", &STATEMENT);
    wr_require(t, is_assigned, e);
    used = 0;
    program of = { copy_statement(e), demand_statement(e, 1u) };
    try_faults(t, FAULTS, shows, &of);
}

#ifdef WITNESS
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 v1 := 0 }");
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 if 0 skip else v1 := 0 }");
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 while v1 while v1 v1 := 0 }");
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 while v1 if v1 v1 := 0 else skip }");
#endif
