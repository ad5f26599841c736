/* cover/model/model.h: the model: parameters, relations, constraints and kept rows.
 *
 * Parameters have levels. Relations say which parameters are covered together. No row may break a
 * constraint. Kept rows exist already. A reader of a language or the public interface makes a
 * model; building, searching and checking only read it. After reading, everything speaks of
 * levels (numbers from 0), never of names.
 */
#ifndef WRC_COVER_MODEL_MODEL_H
#define WRC_COVER_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell that no tuple needs. Also "not chosen yet" in a partial row. */
#define WRC_ANY UINT32_MAX

/* A mistake, in one line: "model.txt:3:14: expected a value, found ','". */
typedef struct wrc_complaint {
    char text[512];
} wrc_complaint;

typedef enum wrc_domain {
    WRC_DOMAIN_TEXT,    /* named values, equal or not */
    WRC_DOMAIN_NUMBER,  /* a list of integers */
    WRC_DOMAIN_BOOLEAN, /* false and true; as numbers 0 and 1 */
    WRC_DOMAIN_RANGE,   /* first, first + step, …: never written out */
} wrc_domain;

typedef struct wrc_value {
    const char *text; /* as it is printed */
    int64_t number; /* what constraints compute with; for texts a number unique to the spelling */
    uint32_t weight; /* a hint: among equally good levels, how often this one; 1 is usual */
    const char *const
        *aliases; /* further spellings that take turns in the output; NULL-ended or NULL */
} wrc_value;

typedef struct wrc_parameter {
    const char      *name;
    wrc_domain       domain;
    uint32_t         levels;      /* how many values, the invalid ones included: they come last */
    uint32_t         invalid;     /* how many of the last are invalid: at most one in a row */
    const wrc_value *values;      /* `levels` of them; NULL for a range */
    int64_t          first, step; /* a range: level i is first + i * step */
} wrc_parameter;

/* Every combination of the levels of every `strength` of these parameters is to be in some row.
 * Relations may overlap. "Full" is strength == count. */
typedef struct wrc_relation {
    const char     *name; /* or NULL */
    uint32_t        strength;
    uint32_t        count;
    const uint32_t *parameters; /* ascending, each once */
} wrc_relation;

/* Levels of some parameters, such as (a = 1, b = x). */
typedef struct wrc_tuple {
    uint32_t  strength;
    uint32_t *columns, *levels;
} wrc_tuple;

/* An expression over whole values. Numbers are int64_t; an operation that has no value (division
 * by zero, overflow) makes the comparison it stands in false. Truth is 0 or 1. */
typedef enum wrc_operator {
    WRC_OP_NUMBER, /* `number` */
    WRC_OP_VALUE,  /* the number of `parameter`'s value */
    WRC_OP_IN,     /* `parameter`'s level is in `set` */
    WRC_OP_NEGATE, /* - left */
    WRC_OP_ADD,
    WRC_OP_SUBTRACT,
    WRC_OP_MULTIPLY,
    WRC_OP_DIVIDE,
    WRC_OP_REMAINDER,
    WRC_OP_EQUAL,
    WRC_OP_UNEQUAL,
    WRC_OP_LESS,
    WRC_OP_AT_MOST,
    WRC_OP_GREATER,
    WRC_OP_AT_LEAST,
    WRC_OP_NOT, /* ! left */
    WRC_OP_AND,
    WRC_OP_OR,
    WRC_OP_IMPLIES,
} wrc_operator;

/* Levels, as intervals that are ascending and apart, so that a range needs no list. */
typedef struct wrc_interval {
    uint32_t from, to; /* both in it */
} wrc_interval;

typedef struct wrc_set {
    uint32_t            count;
    const wrc_interval *intervals;
} wrc_set;

typedef struct wrc_expression {
    wrc_operator                 op;
    uint32_t                     parameter;
    int64_t                      number;
    wrc_set                      set;
    const struct wrc_expression *left, *right;
} wrc_expression;

typedef struct wrc_constraint {
    const wrc_expression *holds;
    const char           *text; /* as the user wrote it, on one line, for messages */
    uint32_t              line; /* 0: not from a file */
} wrc_constraint;

typedef struct wrc_model {
    const char          *name; /* or NULL */
    uint32_t             parameter_count, relation_count, constraint_count;
    const wrc_parameter *parameters;
    const wrc_relation
        *relations; /* never none: without any in the file, all at the strength asked */
    const wrc_constraint *constraints;
    uint64_t              kept_count; /* rows that are there already and stay, in order */
    const uint32_t       *kept; /* kept_count * parameter_count levels, WRC_ANY where open */
    /* PICT's sub-models: each group is built at its own strength, and its rows are the values of
     * one parameter outside. wrc_compound_unfold() (cover/compound.h) makes a model without
     * any of it: building and checking see none. */
    uint32_t            compound_count;
    const wrc_relation *compounds;
    uint32_t            remark_count; /* what a reader has to say, a line each */
    const char *const  *remarks;
    bool fold_case; /* names and values are the same in capitals and small letters */
    const uint32_t
            *name_index; /* for wrc_model_find: places by hash, WRC_ANY where free; or NULL */
    uint32_t name_room;  /* of it, a power of two */
    struct wrc_memory *memory; /* where all of it lives */
} wrc_model;

/* Memory that is freed as a whole. */
typedef struct wrc_memory wrc_memory;
wrc_memory               *wrc_memory_open(void);         /* NULL: out of memory */
void *wrc_memory_take(wrc_memory *memory, size_t bytes); /* NULL: out of memory; not zeroed */
char *wrc_memory_text(wrc_memory *memory, const char *text, size_t length);
void  wrc_memory_close(wrc_memory *memory); /* NULL is fine */

/* Frees the model with all that is in it; NULL is fine. */
void wrc_model_free(wrc_model *model);

/* The parameter of this name, or WRC_ANY. */
uint32_t wrc_model_find(const wrc_model *model, const char *name, size_t length);

/* Makes the index that it finds them by; false: out of memory. */
bool wrc_model_index(wrc_model *model, wrc_memory *memory);

/* The level of a parameter whose value is spelled so (an alias will do), or WRC_ANY. */
uint32_t wrc_model_level_of(const wrc_model *model, uint32_t parameter, const char *text,
                            size_t length);

/* Reads a whole decimal number; false when the text is another or it does not fit. */
bool wrc_model_whole_number(const char *text, size_t length, int64_t *number);

/* The same for decimals, such as -1.5e3, whatever the program's locale writes for the point. */
bool wrc_model_decimal_number(const char *text, size_t length, double *number);

/* Whether two spellings are the same. Letters without regard to case are those of ASCII, in every
 * locale. */
bool wrc_model_same_text(const char *a, size_t a_length, const char *b, size_t b_length,
                         bool fold_case);
/* As strcmp() has it. */
int wrc_model_compare_text(const char *a, const char *b, bool fold_case);

/* The greatest strength of some relations; 0: there are none. */
uint32_t wrc_model_strongest(const wrc_relation *relations, uint32_t count);

/* Fills a complaint in, as printf() does; false, so that it can be returned. */
bool wrc_model_complain(wrc_complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number that constraints see at a level. */
static inline int64_t wrc_parameter_number(const wrc_parameter *p, uint32_t level)
{
    /* A range may be wider than int64_t's largest number: then only the sum fits. */
    return p->domain == WRC_DOMAIN_RANGE
               ? (int64_t)((uint64_t)p->first + (uint64_t)level * (uint64_t)p->step)
               : p->values[level].number;
}

/* How many of the levels are valid: 0..valid-1. */
static inline uint32_t wrc_parameter_valid_levels(const wrc_parameter *p)
{
    return p->levels - p->invalid;
}

#endif
