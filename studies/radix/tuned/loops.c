/* studies/radix/tuned/loops.c: constant propagation in a language of loops, on programs that read
 * a variable only where it has a value on every way. A program reads inputs and prints numbers.
 */
#include <string.h>

#include "faults.h"

#define VARIABLES 3
#define FAULTS 16
#define INPUTS 4
#define STEPS_MOST 60

/* ---- Programs as lazy data ---- */

enum { INPUT, NUMBER, READ, NOT, ADD, LESS };
enum { SKIP, PRINT, ASSIGN, SEQUENCE, LOOP, CHOICE };
WR_TYPE(VARIABLE, "Variable", { "Variable", .index = VARIABLES, .cost = WR_FREE, .show = "v%i" });
WR_TYPE(EXPRESSION, "Expression", [INPUT] = { "Input", .show = "input" },
        [NUMBER] = { "Number", .index = 4, .show = "%i" },
        [READ] = { "Read", .args = { &VARIABLE }, .show = "%0" },
        [NOT] = { "Not", .args = { &EXPRESSION }, .show = "!%0" },
        [ADD] = { "Add", .args = { &EXPRESSION, &EXPRESSION }, .show = "(%0 + %1)" },
        [LESS] = { "Less", .args = { &EXPRESSION, &EXPRESSION }, .show = "(%0 < %1)" });
WR_TYPE(STATEMENT, "Statement", [SKIP] = { "Skip", .show = "skip" },
        [PRINT] = { "Print", .args = { &EXPRESSION }, .show = "print %0" },
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
    case INPUT: break;
    case NUMBER: wr_index(e); break;
    case NOT: demand_expression(wr_arg(e, 0), given); break;
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
    case PRINT: demand_expression(wr_arg(e, 0), given); return given;
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
    demand_statement(e, 0);
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
    if (tag == INPUT)
        return make(INPUT, 0, NULL, NULL, NULL);
    const part *a = copy_expression(wr_arg(e, 0));
    return make(tag, 0, a, tag == NOT ? NULL : copy_expression(wr_arg(e, 1)), NULL);
}

static const part *copy_statement(wr_node *e)
{
    const part *a, *b;
    int         tag = wr_tag(e);
    switch (tag) {
    case SKIP: return make(SKIP, 0, NULL, NULL, NULL);
    case PRINT: return make(PRINT, 0, copy_expression(wr_arg(e, 0)), NULL, NULL);
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

#define PRINTS_MOST 64

typedef struct state {
    int      values[VARIABLES], printed[PRINTS_MOST];
    unsigned input, steps, prints;
} state;

/* The n-th number that is read. */
static int next_input(state *in)
{
    static const int NUMBERS[INPUTS][4] = {
        { 0, 0, 1, 0 }, { 1, 0, 0, 2 }, { 2, 1, 0, 0 }, { 3, 3, 2, 0 }
    };
    return NUMBERS[in->input % INPUTS][in->input / INPUTS < 4 ? in->input / INPUTS : 3];
}

static int value_of(const part *e, state *in)
{
    int a;
    switch (e->tag) {
    case INPUT:
        a = next_input(in);
        in->input += INPUTS;
        return a;
    case NUMBER: return e->number;
    case READ: return in->values[e->number];
    case NOT: return value_of(e->args[0], in) == 0;
    default:
        a = value_of(e->args[0], in);
        return e->tag == ADD ? (a + value_of(e->args[1], in)) & 0xff
                             : a < value_of(e->args[1], in);
    }
}

/* False: it takes too long. */
static bool run(const part *e, state *in)
{
    if (++in->steps > STEPS_MOST)
        return false;
    switch (e->tag) {
    case SKIP: return true;
    case PRINT: in->printed[in->prints++ % PRINTS_MOST] = value_of(e->args[0], in); return true;
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

/* (e + n) + m is e + (n + m). */
static const part *fold_sum(const part *a, const part *b)
{
    bool nested = a->tag == ADD && a->args[1]->tag == NUMBER;
    if (a->tag == NUMBER && b->tag == NUMBER)
        return number((a->number + b->number) & 0xff);
    if (nested && b->tag == NUMBER)
        return make(ADD, 0, a->args[0],
                    number(FAULT(4) ? b->number : (a->args[1]->number + b->number) & 0xff), NULL);
    return make(ADD, 0, a, b, NULL);
}

static const part *fold_less(const part *a, const part *b)
{
    if (a->tag == NUMBER && b->tag == NUMBER)
        return number(a->number < b->number);
    /* A variable is not less than itself. */
    if (a->tag == READ && b->tag == READ && (a->number == b->number || FAULT(6)))
        return number(0);
    return make(LESS, 0, a, b, NULL);
}

static const part *fold(const part *e, const knowledge *in)
{
    if (e->tag == READ && (in->known >> e->number & 1) != 0)
        return number(in->values[e->number]);
    if (e->tag == NUMBER || e->tag == READ || e->tag == INPUT)
        return e;
    const part *a = fold(e->args[0], in);
    if (e->tag == NOT)
        return a->tag == NUMBER ? number(a->number == 0) : make(NOT, 0, a, NULL, NULL);
    const part *b = fold(e->args[1], in);
    return e->tag == ADD ? fold_sum(a, b) : fold_less(a, b);
}

/* Those that the statement may change. `depth` loops and choices are around it. */
static variables changed(const part *e, unsigned depth)
{
    switch (e->tag) {
    case SKIP:
    case PRINT: return 0;
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

/* Those that an expression reads. */
static variables read_by(const part *e)
{
    if (e->tag == READ)
        return 1u << e->number;
    return (e->args[0] == NULL ? 0 : read_by(e->args[0])) |
           (e->args[1] == NULL ? 0 : read_by(e->args[1]));
}

/* Where the expression is 0, a variable that stands alone in it is. */
static void learn_zero(knowledge *of, const part *e)
{
    if (e->tag == NOT && e->args[0]->tag == READ && FAULT(11))
        e = e->args[0];
    if (e->tag == READ) {
        of->known |= 1u << e->number;
        of->values[e->number] = 0;
    }
}

static const part *propagate(const part *e, knowledge *in);

/* The body is entered again with what it has changed. */
static const part *propagate_loop(const part *e, knowledge *in)
{
    const part *never = fold(e->args[0], in);
    if (never->tag == NUMBER && never->number == 0)
        return make(SKIP, 0, NULL, NULL, NULL);
    variables forgotten = changed(e->args[1], 0);
    if ((forgotten & ~read_by(e->args[0])) != 0 && FAULT(10))
        forgotten &= read_by(e->args[0]);
    forget(in, forgotten);
    const part *condition = fold(e->args[0], in);
    knowledge   inside = *in;
    const part *body = propagate(e->args[1], &inside);
    if (FAULT(12))
        *in = inside;
    learn_zero(in, e->args[0]);
    return make(LOOP, 0, condition, body, NULL);
}

static const part *propagate_choice(const part *e, knowledge *in)
{
    const part *condition = fold(e->args[0], in);
    knowledge   other = *in;
    if (condition->tag == NUMBER)
        return propagate(e->args[condition->number != 0 ? 1 : 2], FAULT(5) ? &other : in);
    learn_zero(&other, e->args[0]);
    if (condition->tag == READ && FAULT(13))
        learn(in, condition->number, number(1));
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
    case PRINT: return make(PRINT, 0, fold(e->args[0], in), NULL, NULL);
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

/* On some input a program that ends prints something else, or does not end. */
static bool shows(int fault, void *context)
{
    size_t      kept = used;
    knowledge   nothing = { 0 };
    const part *made = propagate(context, &nothing);
    bool        differ = false;
    (void)fault;
    for (unsigned input = 0; input < INPUTS && !differ; input++) {
        state one = { .input = input }, other = one;
        if (!run(context, &one))
            continue;
        differ = !run(made, &other) || one.prints != other.prints ||
                 memcmp(one.printed, other.printed, sizeof one.printed) != 0;
    }
    used = kept;
    return differ;
}

WR_PROPERTY(loops)
{
    wr_node *e = wr_tree(t, "e", &STATEMENT);
    wr_require(t, is_assigned, e);
    used = 0;
    part program = *copy_statement(e);
    try_faults(t, FAULTS, shows, &program);
}

/* One for each of the deep ones. */
#ifdef WITNESS
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 if 0 skip else v1 := 0 }");
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 while v1 while v1 v1 := 0 }");
WR_EXAMPLE(loops, "e = { v1 := 1; while v1 while v1 while v1 while v1 if v1 v1 := 0 else skip }");
#endif
