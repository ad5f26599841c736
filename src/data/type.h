/* data/type.h: the users' tables of types, checked and counted.
 *
 * A table is checked once in each process, with all tables that it leads to. Is every argument
 * there? Does every type have a finite value? Are there finitely many values of each size? The
 * result is the least cost of every type and an order of its constructors. The number of values
 * of each size is counted when random values are drawn.
 */
#ifndef WRI_DATA_TYPE_H
#define WRI_DATA_TYPE_H

#include "core/case.h"

__extension__ typedef unsigned __int128 wri_count;
/* Not counted, or too many to count: of no use for drawing. */
#define WRI_UNCOUNTED (~(wri_count)0)
/* Sums and products of an uncounted number are uncounted. */
static inline wri_count wri_count_plus(wri_count a, wri_count b)
{
    wri_count sum;
    return __builtin_add_overflow(a, b, &sum) ? WRI_UNCOUNTED : sum;
}

static inline wri_count wri_count_times(wri_count a, wri_count b)
{
    wri_count product;
    return __builtin_mul_overflow(a, b, &product) ? WRI_UNCOUNTED : product;
}

/* Values of a larger size are not counted. */
#define WRI_COUNTED 192

typedef struct wr_type_ wri_type;

/* For sizes below this the constructors that fit are known beforehand. */
#define WRI_MASKS 64

/* At most this many values of a type are counted together. */
#define WRI_POWERS 32

#define WRI_ARGS 8
#define WRI_PARTS (WRI_ARGS + 1)

/* The number of values of each size, counted when first asked for. */
typedef struct wri_counts {
    wri_count *ways; /* WRI_COUNTED + 1 of them; NULL: nothing is counted yet */
    bool      *known;
} wri_counts;

/* A constructor. Its size is split over its parts: first its index, if the index has a cost,
 * then its arguments. */
typedef struct wri_form {
    const wr_con *con;
    int32_t       tag;
    unsigned      arity, parts;
    bool       costly_index, loose_index; /* its index costs its value; its index costs nothing */
    uint64_t   cost;                      /* its own */
    uint64_t   minimal;                   /* least cost of a value that begins with it */
    uint64_t   maximal;                   /* greatest cost of such a value */
    uint64_t   shallow;              /* the least depth of such a value: none without arguments */
    uint64_t   ended;                /* cases of a walk that were refuted at it */
    uint64_t   least[WRI_PARTS + 1]; /* least cost of the parts from this one on */
    wri_type  *args[WRI_ARGS];
    wri_counts counts[WRI_PARTS]; /* of the parts from this one on, together */
} wri_form;

/* A set of tags, and the same set by rank. */
typedef struct wri_tag_set {
    uint64_t tags, ranks;
} wri_tag_set;

struct wr_type_ {
    const wr_type *table;
    wri_type      *next; /* in the list of all known types */
    uint32_t       label;
    unsigned       form_count;
    wri_form      *forms;      /* by tag */
    uint8_t        tag_of[64]; /* by rank: the least cost first, then the first in the table */
    wri_form      *by_rank[64];
    wri_tag_set    tag_sets[8]; /* a cache */
    uint64_t       all;         /* every rank */
    uint64_t       with_index;  /* the tags with an index */
    uint64_t       minimal;     /* least cost of a value */
    uint64_t       maximal;     /* greatest cost of a value; UINT64_MAX: no limit */
    bool           maximal_known;
    uint64_t       shallow;          /* depth of a value, at least */
    uint64_t       fits[WRI_MASKS];  /* by the cost beyond the least: the ranks that fit */
    uint64_t       exact[WRI_MASKS]; /* by size: the ranks that have a value of that size */
    uint64_t       exact_known;      /* the sizes for which `exact` is known */
    wri_counts     counts;
    wri_counts     powers[WRI_POWERS + 1]; /* by number of values: ways to spend a cost */
    unsigned       mark;                   /* used by the check */
};

/* The type of a table. An invalid table is misuse, and ends the case. */
wri_type *wri_type_of(wr_case *t, const wr_type *table);

/* The number of values of exactly this size: of the type, of a constructor, of a constructor's
 * parts from `part` on. */
wri_count wri_type_count(wri_type *type, uint64_t size);
wri_count wri_form_count(wri_form *form, uint64_t size);
wri_count wri_type_parts_count(wri_form *form, unsigned part, uint64_t size);
/* The number of ways to spend `cost` on `values` values, at most WRI_POWERS, beyond their
 * least cost. */
wri_count wri_type_power_count(wri_type *type, unsigned values, uint64_t cost);
/* The number of values of one part alone. */
wri_count wri_type_part_count(wri_form *form, unsigned part, uint64_t size);

/* The least cost of one part. */
static inline uint64_t wri_form_part_least(const wri_form *form, unsigned part)
{
    return form->least[part] - form->least[part + 1];
}

static inline bool wri_form_indexed(const wri_form *form)
{
    return form->con->index != 0;
}

/* Sets of ranks: those that fit if `spare` may be spent beyond the type's least cost; */
uint64_t               wri_type_count_fitting(const wri_type *type, uint64_t spare);
static inline uint64_t wri_type_ranks_within(const wri_type *type, uint64_t spare)
{
    return spare < WRI_MASKS ? type->fits[spare] : wri_type_count_fitting(type, spare);
}
/* those with values of exactly this size, or all ranks, if that is not counted; */
uint64_t wri_type_ranks_of_size(wri_type *type, uint64_t size);
/* those with values larger than `size`; */
uint64_t wri_type_ranks_beyond(const wri_type *type, uint64_t size);
/* those with values of at most this depth. */
uint64_t wri_type_ranks_of_depth(const wri_type *type, uint64_t depth);

/* The types known so far, linked by `next`. */
wri_type *wri_types_known(void);
/* Frees all types; for tests. */
void wri_types_forget(void);

#endif
