/* data/type.h: types, as the tables of users say them, checked and counted.
 *
 * A table is looked at once in each process, with all tables that it leads to: is every argument
 * there, does every type have a finite value, do values of a size come to an end? What is known
 * then: the least cost of every type, an order of its constructors, and, when random values are
 * drawn, how many values of each size there are.
 */
#ifndef WRI_DATA_TYPE_H
#define WRI_DATA_TYPE_H

#include "core/case.h"

__extension__ typedef unsigned __int128 wri_count;
/* So many, or more than can be said, or not counted: no longer of use for drawing. */
#define WRI_UNCOUNTED (~(wri_count)0)
/* What is not counted stays so. */
static inline wri_count wri_plus(wri_count a, wri_count b)
{
    wri_count sum;
    return __builtin_add_overflow(a, b, &sum) ? WRI_UNCOUNTED : sum;
}

static inline wri_count wri_times(wri_count a, wri_count b)
{
    wri_count product;
    return __builtin_mul_overflow(a, b, &product) ? WRI_UNCOUNTED : product;
}

/* Larger values are not counted. */
#define WRI_COUNTED 192

typedef struct wr_type_ wri_type;

/* Small sizes, for which the constructors that fit are known beforehand. */
#define WRI_MASKS 64

/* So many values of a type are counted together. */
#define WRI_POWERS 32

#define WRI_ARGS 8
#define WRI_PARTS (WRI_ARGS + 1)

/* How many values there are of each size, found out when first asked. */
typedef struct wri_counts {
    wri_count *ways; /* WRI_COUNTED + 1 of them; NULL: none is known yet */
    bool      *known;
} wri_counts;

/* A constructor. Its parts are what its size is split over: first its index, if that costs
 * something, then its arguments. */
typedef struct wri_form {
    const wr_con *con;
    int32_t       tag;
    unsigned      arity, parts;
    bool          costly_index, loose_index; /* it has one that costs what it is, or nothing */
    uint64_t      cost;                      /* its own */
    uint64_t      minimal;                   /* of a value that begins with it */
    uint64_t      maximal;                   /* likewise, at most */
    uint64_t      shallow; /* the least depth of such a value: none without arguments */
    uint64_t      ended;   /* so many cases of a walk were refuted by it */
    uint64_t      least[WRI_PARTS + 1]; /* what the parts from this one on cost at least */
    wri_type     *args[WRI_ARGS];
    wri_counts    counts[WRI_PARTS]; /* of the parts from this one on, together */
} wri_form;

/* A set of tags, and the ranks that they have. */
typedef struct wri_tag_set {
    uint64_t tags, ranks;
} wri_tag_set;

struct wr_type_ {
    const wr_type *table;
    wri_type      *next; /* of all types known */
    uint32_t       label;
    unsigned       form_count;
    wri_form      *forms;      /* by tag */
    uint8_t        tag_of[64]; /* by rank: the least cost first, then the first in the table */
    wri_form      *by_rank[64];
    wri_tag_set    tag_sets[8]; /* some that were asked for */
    uint64_t       all;         /* every rank */
    uint64_t       with_index;  /* the tags that have one */
    uint64_t       minimal;     /* cost of a value */
    uint64_t       maximal;     /* likewise, at most; UINT64_MAX: there is no end */
    bool           maximal_known;
    uint64_t       shallow;          /* depth of a value, at least */
    uint64_t       fits[WRI_MASKS];  /* by what more than that may be spent: the ranks that fit */
    uint64_t       exact[WRI_MASKS]; /* by size: the ranks that have a value of it, */
    uint64_t       exact_known;      /* where that was found out */
    wri_counts     counts;
    wri_counts     powers[WRI_POWERS + 1]; /* of so many values together, beyond their least */
    unsigned       mark;                   /* while it is checked */
};

/* The type of a table. A table that makes no sense is misuse, and ends the case. */
wri_type *wri_type_of(wr_case *t, const wr_type *table);

/* How many values of exactly this size there are: of the type, of a constructor, of a
 * constructor's parts from one on. */
wri_count wri_type_count(wri_type *type, uint64_t size);
wri_count wri_form_count(wri_form *form, uint64_t size);
wri_count wri_type_parts_count(wri_form *form, unsigned part, uint64_t size);
/* How many ways there are to spend so much on `values` values, at most WRI_POWERS, beyond the
 * least that they cost. */
wri_count wri_type_power_count(wri_type *type, unsigned values, uint64_t cost);
/* Of one part alone. */
wri_count wri_type_part_count(wri_form *form, unsigned part, uint64_t size);

/* The least that one part costs. */
static inline uint64_t wri_part_least(const wri_form *form, unsigned part)
{
    return form->least[part] - form->least[part + 1];
}

static inline bool wri_form_indexed(const wri_form *form)
{
    return form->con->index != 0;
}

/* The ranks that fit when so much may be spent beside the type's least cost; those with values of
 * exactly this size (all, where that is not counted); those with values of this depth or less. */
uint64_t wri_type_ranks_within(const wri_type *type, uint64_t spare);
uint64_t wri_type_ranks_of_size(wri_type *type, uint64_t size);
uint64_t wri_type_ranks_beyond(const wri_type *type,
                               uint64_t        size); /* those with larger values */
uint64_t wri_type_ranks_of_depth(const wri_type *type, uint64_t depth);

/* The types known so far, linked by `next`. */
wri_type *wri_types_known(void);
/* Frees what is known of types; for tests. */
void wri_types_forget(void);

#endif
