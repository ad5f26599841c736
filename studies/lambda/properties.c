/* studies/lambda/properties.c: closed lambda terms that have a simple type, for `lambda` to
 * count.
 *
 * Terms are in de Bruijn's notation and have no annotations. Applications and abstractions cost
 * 1, index k costs k + 1: that is called natural size. A term's type is inferred by unification
 * while the term is chosen, so that a part that cannot be typed is given up at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <warren.h>

enum { VAR, LAM, APP };
WR_TYPE(TERM, "Term", [VAR] = { "Var", .index = WR_ANY_INDEX, .show = "%i" },
        [LAM] = { "Lam", .args = { &TERM }, .show = "(\\ %0)" },
        [APP] = { "App", .args = { &TERM, &TERM }, .show = "(%0 %1)" });

/* ---- Types ---- */

/* An arrow, or a variable that may stand for another type. */
typedef struct type {
    struct type *from, *to; /* NULL: a variable */
    struct type *is;        /* what it stands for; NULL: nothing is known */
} type;

#define TYPES_MOST 65536
static type   types[TYPES_MOST];
static size_t types_used;

static type *new_type(type *from, type *to)
{
    if (types_used == TYPES_MOST) {
        fputs("there is no room for types\n", stderr);
        abort();
    }
    types[types_used] = (type){ .from = from, .to = to };
    return &types[types_used++];
}

static type *resolved(type *one)
{
    while (one->is != NULL)
        one = one->is;
    return one;
}

static bool occurs(const type *variable, type *in)
{
    in = resolved(in);
    return in == variable ||
           (in->from != NULL && (occurs(variable, in->from) || occurs(variable, in->to)));
}

static bool unify(type *one, type *other)
{
    one = resolved(one);
    other = resolved(other);
    if (one == other)
        return true;
    if (one->from != NULL && other->from != NULL)
        return unify(one->from, other->from) && unify(one->to, other->to);
    if (one->from != NULL)
        return unify(other, one);
    if (occurs(one, other))
        return false;
    one->is = other;
    return true;
}

/* ---- Terms ---- */

typedef struct binding {
    const struct binding *outer;
    type                 *is;
} binding;

/* The type as an arrow: nothing else is a type of an abstraction, and a variable can be one. */
static type *as_arrow(type *wanted)
{
    wanted = resolved(wanted);
    if (wanted->from == NULL)
        wanted->is = new_type(new_type(NULL, NULL), new_type(NULL, NULL));
    return resolved(wanted);
}

static bool variable_has_type(wr_node *e, size_t depth, const binding *at, type *wanted)
{
    for (size_t k = wr_need_index_below(e, depth); k > 0; k--)
        at = at->outer;
    return unify(at->is, wanted);
}

static bool has_type(wr_node *e, size_t depth, const binding *scope, type *wanted)
{
    type *arrow, *from;
    switch (wr_need(e, 1u << LAM | 1u << APP | (depth > 0 ? 1u << VAR : 0))) {
    case VAR: return variable_has_type(e, depth, scope, wanted);
    case LAM:
        arrow = as_arrow(wanted);
        return has_type(wr_arg(e, 0), depth + 1, &(binding){ scope, arrow->from }, arrow->to);
    default:
        from = new_type(NULL, NULL);
        return has_type(wr_arg(e, 0), depth, scope, new_type(from, wanted)) &&
               has_type(wr_arg(e, 1), depth, scope, from);
    }
}

static bool is_typable(wr_node *e)
{
    types_used = 0;
    return has_type(e, 0, NULL, new_type(NULL, NULL));
}

WR_PROPERTY(typable)
{
    wr_require(t, is_typable, wr_tree(t, "e", &TERM));
}
