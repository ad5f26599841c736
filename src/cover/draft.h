/* cover/draft.h: a model in the making.
 *
 * A reader, or the public interface, first adds parameters and their values, then settles them
 * (from there on levels and numbers are known), then adds relations, constraints and rows, and
 * finishes. Every function that can fail returns false and has filled the complaint in; names
 * and texts are copied.
 */
#ifndef WRI_COVER_DRAFT_H
#define WRI_COVER_DRAFT_H

#include "cover/model.h"
#include "cover/scan.h"

/* Items of one size, as many as come. */
typedef struct wri_list {
    void  *items;
    size_t count, room;
} wri_list;
bool wri_list_add(wri_list *list, const void *item, size_t size);

typedef enum wri_typing {
    WRI_TYPE_GUESSED, /* whole numbers, or false and true, or texts */
    WRI_TYPE_NUMBER,  /* must be whole numbers */
    WRI_TYPE_TEXT,
    WRI_TYPE_BOOLEAN, /* must be false and true, in any case */
    WRI_TYPE_NUMERIC, /* decimals as well, when all values are some: as PICT guesses */
} wri_typing;

typedef struct wri_draft {
    wri_model       model; /* valid once settled, except relations, constraints and rows */
    wri_memory     *memory;
    wri_complaint  *complaint;
    wri_list        parameters; /* of wri_drafted */
    wri_list        relations, compounds, constraints, remarks;
    wri_list        rows; /* of rows, parameter_count levels each */
    uint32_t        strength; /* that the file itself asks for; 0: none */
    bool            settled;
    bool            odd_names; /* some parameter's name is not one token */
} wri_draft;

/* Nothing in it must be freed when this returned false. */
bool wri_draft_open(wri_draft *draft, wri_complaint *complaint);
void wri_draft_close(wri_draft *draft);
bool wri_out_of_memory(wri_draft *draft);

/* A further parameter; what follows is added to it. That names are new is seen when settling. */
bool wri_draft_parameter(wri_draft *draft, wri_place at, const char *name, size_t length,
                         wri_typing typing);
/* A value of the latest parameter, with its first spelling. */
bool wri_draft_value(wri_draft *draft, wri_place at, const char *text, size_t length,
                     bool invalid, uint32_t weight);
/* A further spelling of the latest value. */
bool wri_draft_alias(wri_draft *draft, const char *text, size_t length);
/* first, first + step, …, not beyond last. A parameter that has this alone stays a range; beside
 * other values it is written out, and then must be short. */
bool wri_draft_range(wri_draft *draft, wri_place at, int64_t first, int64_t last,
                     int64_t step, bool invalid);
/* Another parameter's values, all of them. */
bool wri_draft_same_values(wri_draft *draft, uint32_t other);
/* The parameter of this name among those added so far, or WRI_ANY. */
uint32_t wri_draft_find(const wri_draft *draft, const char *name, size_t length);

/* No more parameters: gives each its domain, its levels (valid ones first) and its numbers.
 * `draft->model` has them from here on. */
bool wri_draft_settle(wri_draft *draft);

/* Parameters may come in any order, and again. Strength 0 is "full"; WRI_ANY, for a compound, is
 * that of the whole model. */
bool wri_draft_relation(wri_draft *draft, wri_place at, const char *name, uint32_t strength,
                        const uint32_t *parameters, uint32_t count);
bool wri_draft_compound(wri_draft *draft, wri_place at, uint32_t strength,
                        const uint32_t *parameters, uint32_t count);
bool wri_draft_constraint(wri_draft *draft, const wri_expression *holds, const char *text,
                          size_t length, uint32_t line);
bool wri_draft_row(wri_draft *draft, const uint32_t *row);
bool wri_draft_remark(wri_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The model; NULL with a complaint. `strength` is what was asked for from outside, 0: nothing
 * was. Relations of the file hold; all parameters are covered at the strength asked for besides,
 * or at the file's own, or, in a file without relations, at 2. A parameter in no relation has
 * each of its values in some row. */
wri_model *wri_draft_finish(wri_draft *draft, uint32_t strength);

#endif
