/* plan/reason.h: what makes the cases of one bug fail, as conditions on their draws.
 *
 * "x >= 64" is a range of one variable, "y = x + 1" a difference of two. A variable is a draw, by
 * its address (plan/align.h says what that is), an element of an array, or the sum of an array.
 * All else that a case draws does not matter. A reason is plain data of a fixed size: workers
 * read it from shared memory, and trust no count in it.
 */
#ifndef WRI_PLAN_REASON_H
#define WRI_PLAN_REASON_H

#include "core/trace.h"

#define WRI_REASON_VARIABLES 10
#define WRI_REASON_CONDITIONS 16
#define WRI_REASON_LISTS 2

typedef enum wri_reason_place {
    WRI_REASON_FRONT,    /* the elements stand at the front of the array, */
    WRI_REASON_BACK,     /* at its end, */
    WRI_REASON_RUN,      /* side by side somewhere in it, */
    WRI_REASON_ANYWHERE, /* or in this order somewhere in it */
} wri_reason_place;

/* An array of which elements are variables. */
typedef struct wri_reason_list {
    uint64_t address;
    uint32_t place; /* wri_reason_place */
    uint32_t width; /* FRONT, BACK, RUN: the elements of the pattern, those between included */
} wri_reason_list;

#define WRI_REASON_CHOICE UINT32_MAX
#define WRI_REASON_TOTAL (UINT32_MAX - 1)

typedef struct wri_reason_variable {
    uint64_t address; /* of the draw */
    uint64_t kin;     /* the same for every element of a loop; 0: it is in none */
    uint32_t list;    /* number of its array's list; CHOICE: it is a choice; TOTAL: a sum */
    uint32_t element; /* of the pattern; of ANYWHERE, which in order */
} wri_reason_variable;

typedef enum wri_reason_sort {
    WRI_REASON_RANGE,      /* lo <= a <= hi */
    WRI_REASON_REMAINDER,  /* (a - lo) mod step <= hi - lo */
    WRI_REASON_DIFFERENCE, /* lo <= a - b <= hi */
    WRI_REASON_SUM,        /* lo <= a + b <= hi */
} wri_reason_sort;

typedef struct wri_reason_condition {
    uint32_t sort; /* wri_reason_sort */
    uint32_t a, b; /* variables */
    int64_t  lo, hi;
    uint64_t step;
} wri_reason_condition;

typedef struct wri_reason {
    uint32_t             variable_count, condition_count, list_count;
    bool                 known; /* false: nothing is, and every case may be of this bug */
    bool                 sure;  /* no sample was against it */
    bool                 moves; /* draws in an element of a loop may be in any one element */
    wri_reason_list      lists[WRI_REASON_LISTS];
    wri_reason_variable  variables[WRI_REASON_VARIABLES];
    wri_reason_condition conditions[WRI_REASON_CONDITIONS];
} wri_reason;

/* The addresses of a case's nodes. False: it has too many. */
#define WRI_REASON_NODES 1024
bool wri_reason_addresses(const wri_trace *trace, uint64_t *addresses);
/* The element of a loop that the node is in; 0: none. And the address of its draw that all
 * elements have. */
uint32_t wri_reason_element(const wri_trace *trace, uint32_t node);
uint64_t wri_reason_kin(const wri_trace *trace, const uint64_t *addresses, uint32_t node);

/* The number's value, such that a larger value is larger to people: of an integer or a length the
 * value, of a real its place among all reals, of others the number. And the number of a value. */
int64_t  wri_reason_value(const wri_node *node, uint64_t number);
uint64_t wri_reason_number(const wri_node *node, int64_t value);
int64_t  wri_reason_least(const wri_node *node);
int64_t  wri_reason_most(const wri_node *node);

/* Does the case fail for this reason, as far as its draws say? */
bool wri_reason_matches(const wri_reason *reason, const wri_trace *trace);

#endif
