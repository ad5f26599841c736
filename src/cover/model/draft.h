/* cover/model/draft.h: a model in the making.
 *
 * A reader, or the public interface, adds parameters and their values, then settles them: from
 * there on levels and numbers are known. Then it adds relations, constraints and rows, and
 * finishes. A function that fails returns false and has filled the complaint in. Names and texts
 * are copied.
 */
#ifndef WRC_COVER_MODEL_DRAFT_H
#define WRC_COVER_MODEL_DRAFT_H

#include "cover/model/list.h"
#include "cover/model/source.h"

typedef enum wrc_typing {
    WRC_TYPE_GUESSED, /* whole numbers, or false and true, or texts */
    WRC_TYPE_NUMBER,  /* must be whole numbers */
    WRC_TYPE_TEXT,
    WRC_TYPE_BOOLEAN, /* must be false and true, in any case */
    WRC_TYPE_NUMERIC, /* decimals as well, when all values are some: as PICT guesses */
} wrc_typing;

typedef struct wrc_draft {
    wrc_model      model; /* valid once settled, except relations, constraints and rows */
    wrc_memory    *memory;
    wrc_complaint *complaint;
    wrc_list       parameters; /* of wrc_drafted */
    wrc_list       relations, compounds, constraints, remarks;
    wrc_list       rows;     /* of rows, parameter_count levels each */
    uint32_t       strength; /* that the file itself asks for; 0: none */
    bool           settled;
    bool           names_looked_at, odd_names; /* for formulas: a name is more than one token */
} wrc_draft;

/* Nothing in it must be freed when this returned false. */
bool wrc_draft_open(wrc_draft *draft, wrc_complaint *complaint);
void wrc_draft_close(wrc_draft *draft);
bool wrc_draft_out_of_memory(wrc_draft *draft);

/* A further parameter; what follows is added to it. That names are new is seen when settling. */
bool wrc_draft_parameter(wrc_draft *draft, wrc_place at, const char *name, size_t length,
                         wrc_typing typing);
/* A value of the latest parameter, with its first spelling. */
bool wrc_draft_value(wrc_draft *draft, wrc_place at, const char *text, size_t length,
                     bool invalid, uint32_t weight);
/* A further spelling of the latest value. */
bool wrc_draft_alias(wrc_draft *draft, const char *text, size_t length);
/* first, first + step, …, not beyond last. A parameter that has this alone stays a range; beside
 * other values it is written out, and then must be short. */
bool wrc_draft_range(wrc_draft *draft, wrc_place at, int64_t first, int64_t last, int64_t step,
                     bool invalid);
/* Another parameter's values, all of them. */
bool wrc_draft_same_values(wrc_draft *draft, uint32_t other);
/* The parameter of this name among those added so far, or WRC_ANY. */
uint32_t wrc_draft_find(const wrc_draft *draft, const char *name, size_t length);

/* No more parameters: gives each its domain, its levels (valid ones first) and its numbers.
 * `draft->model` has them from here on. */
bool wrc_draft_settle(wrc_draft *draft);

/* Parameters may come in any order, and again. Strength 0 is "full"; WRC_ANY, for a compound, is
 * that of the whole model. */
bool wrc_draft_relation(wrc_draft *draft, wrc_place at, const char *name, uint32_t strength,
                        const uint32_t *parameters, uint32_t count);
bool wrc_draft_compound(wrc_draft *draft, wrc_place at, uint32_t strength,
                        const uint32_t *parameters, uint32_t count);
bool wrc_draft_constraint(wrc_draft *draft, const wrc_expression *holds, const char *text,
                          size_t length, uint32_t line);
bool wrc_draft_row(wrc_draft *draft, const uint32_t *row);
bool wrc_draft_remark(wrc_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The model; NULL with a complaint. `strength` is what was asked for from outside, 0: nothing
 * was. Relations of the file hold. Besides, all parameters are covered at the strength asked for,
 * or at the file's own. In a file without relations that is 2. A parameter in no relation has
 * each of its values in some row. */
wrc_model *wrc_draft_finish(wrc_draft *draft, uint32_t strength);

#endif
