/* cover/model.h: what is to be covered.
 *
 * Parameters with their levels, relations that say which of them are to be covered together,
 * constraints that no row may break, and rows that exist already. A reader of a language or the
 * public interface makes a model; building, searching and checking only read it. Everything
 * after reading speaks of levels (numbers from 0), never of names.
 */
#ifndef WRI_COVER_MODEL_H
#define WRI_COVER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell that no tuple needs. Also "not chosen yet" in a partial row. */
#define WRI_ANY UINT32_MAX

/* What went wrong, in one line: "model.txt:3:14: expected a value, found ','". */
typedef struct wri_complaint {
    char text[512];
} wri_complaint;

typedef enum wri_domain {
    WRI_DOMAIN_TEXT,    /* named values, equal or not */
    WRI_DOMAIN_NUMBER,  /* a list of integers */
    WRI_DOMAIN_BOOLEAN, /* false and true; as numbers 0 and 1 */
    WRI_DOMAIN_RANGE,   /* first, first + step, …: never written out */
} wri_domain;

typedef struct wri_value {
    const char *text; /* as it is printed */
    int64_t number;   /* what constraints compute with; for texts a number unique to the spelling */
    uint32_t weight;  /* a hint: among equally good levels, how often this one; 1 is usual */
    const char *const *aliases; /* further spellings that take turns in the output; NULL-ended or NULL */
} wri_value;

typedef struct wri_parameter {
    const char *name;
    wri_domain domain;
    uint32_t levels;         /* how many values, the invalid ones included: they come last */
    uint32_t invalid;        /* how many of the last are invalid: at most one in a row */
    const wri_value *values; /* `levels` of them; NULL for a range */
    int64_t first, step;     /* a range: level i is first + i * step */
} wri_parameter;

/* Every combination of the levels of every `strength` of these parameters is to be in some row.
 * Relations may overlap. "Full" is strength == count. */
typedef struct wri_relation {
    const char *name; /* or NULL */
    uint32_t strength;
    uint32_t count;
    const uint32_t *parameters; /* ascending, each once */
} wri_relation;

/* An expression over whole values. Numbers are int64_t; an operation that has no value (division
 * by zero, overflow) makes the comparison it stands in false. Truth is 0 or 1. */
typedef enum wri_operator {
    WRI_OP_NUMBER,    /* `number` */
    WRI_OP_VALUE,     /* the number of `parameter`'s value */
    WRI_OP_IN,        /* `parameter`'s level is in `set` */
    WRI_OP_NEGATE,    /* - left */
    WRI_OP_ADD, WRI_OP_SUBTRACT, WRI_OP_MULTIPLY, WRI_OP_DIVIDE, WRI_OP_REMAINDER,
    WRI_OP_EQUAL, WRI_OP_UNEQUAL, WRI_OP_LESS, WRI_OP_AT_MOST, WRI_OP_GREATER, WRI_OP_AT_LEAST,
    WRI_OP_NOT,       /* ! left */
    WRI_OP_AND, WRI_OP_OR, WRI_OP_IMPLIES,
} wri_operator;

/* Levels, as intervals that are ascending and apart, so that a range needs no list. */
typedef struct wri_interval {
    uint32_t from, to; /* both in it */
} wri_interval;

typedef struct wri_set {
    uint32_t count;
    const wri_interval *intervals;
} wri_set;

typedef struct wri_expression {
    wri_operator op;
    uint32_t parameter;
    int64_t number;
    wri_set set;
    const struct wri_expression *left, *right;
} wri_expression;

typedef struct wri_constraint {
    const wri_expression *holds;
    const char *text; /* as the user wrote it, on one line, for messages */
    uint32_t line;    /* 0: not from a file */
} wri_constraint;

typedef struct wri_model {
    const char *name; /* or NULL */
    uint32_t parameter_count, relation_count, constraint_count;
    const wri_parameter *parameters;
    const wri_relation *relations; /* never none: without any in the file, all at the strength asked */
    const wri_constraint *constraints;
    uint64_t kept_count;  /* rows that are there already and stay, in order */
    const uint32_t *kept; /* kept_count * parameter_count levels, WRI_ANY where open */
    /* PICT's sub-models: each group is built at its own strength, and its rows are the values of
     * one parameter outside. wri_unfold() (cover/compound.h) makes a model without any of it:
     * building and checking see none. */
    uint32_t compound_count;
    const wri_relation *compounds;
    uint32_t remark_count; /* what a reader has to say, a line each */
    const char *const *remarks;
    bool fold_case; /* names and values are the same in capitals and small letters */
    const uint32_t *name_index; /* for wri_model_find: places by hash, WRI_ANY where free; or NULL */
    uint32_t name_room;         /* of it, a power of two */
    struct wri_memory *memory; /* where all of it lives */
} wri_model;

/* Memory that is freed as a whole. */
typedef struct wri_memory wri_memory;
wri_memory *wri_memory_open(void);                     /* NULL: out of memory */
void *wri_memory_take(wri_memory *memory, size_t bytes); /* NULL: out of memory; not zeroed */
char *wri_memory_text(wri_memory *memory, const char *text, size_t length);
void wri_memory_close(wri_memory *memory); /* NULL is fine */

/* Frees the model with all that is in it; NULL is fine. */
void wri_model_free(wri_model *model);

/* The parameter of this name, or WRI_ANY. */
uint32_t wri_model_find(const wri_model *model, const char *name, size_t length);

/* Makes the index that it finds them by; false: out of memory. */
bool wri_model_index(wri_model *model, wri_memory *memory);

/* The level of a parameter whose value is spelled so (an alias will do), or WRI_ANY. */
uint32_t wri_level_of(const wri_model *model, uint32_t parameter, const char *text, size_t length);

/* Reads a whole decimal number; false when the text is another or it does not fit. */
bool wri_whole_number(const char *text, size_t length, int64_t *number);

/* The same for decimals, such as -1.5e3, whatever the program's locale writes for the point. */
bool wri_decimal_number(const char *text, size_t length, double *number);

/* Whether two spellings are the same. Letters without regard to case are those of ASCII, in every
 * locale. */
bool wri_same_text(const char *a, size_t a_length, const char *b, size_t b_length, bool fold_case);
/* As strcmp() has it. */
int wri_compare_text(const char *a, const char *b, bool fold_case);

/* Fills a complaint in, as printf() does; false, so that it can be returned. */
bool wri_complain(wri_complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number that constraints see at a level. */
static inline int64_t wri_number_at(const wri_parameter *p, uint32_t level)
{
    /* A range may be wider than int64_t's largest number: then only the sum fits. */
    return p->domain == WRI_DOMAIN_RANGE
               ? (int64_t)((uint64_t)p->first + (uint64_t)level * (uint64_t)p->step)
               : p->values[level].number;
}

/* How many of the levels are valid: 0..valid-1. */
static inline uint32_t wri_valid_levels(const wri_parameter *p)
{
    return p->levels - p->invalid;
}

#endif
