/* gen/example.h: explicit cases (WR_EXAMPLE): values by name, in the form that a report prints.
 *
 * A draw of such a case looks for its text, reads it, and says which numbers answer the choices
 * that it makes next. A draw that the example does not name is answered 0, the simplest. A text
 * that cannot be read, or that no draw asked for, is misuse.
 */
#ifndef WRI_GEN_EXAMPLE_H
#define WRI_GEN_EXAMPLE_H

#include "gen/show.h"

/* The texts of one example. */
#define WRI_EXAMPLE_TEXTS 64

/* How often a name was drawn in this case. */
typedef struct wri_example_name {
    struct wri_example_name *next;
    const char              *name;
    unsigned                 count;
} wri_example_name;

typedef struct wri_example {
    const wr_example_ *given;
    const char        *now; /* the text that is read */
    bool               used[WRI_EXAMPLE_TEXTS];
    wri_example_name  *names;
    uint64_t          *numbers; /* the answers to come, */
    size_t             count, next;
} wri_example;

/* Before the body, and after it has returned. */
void wri_example_begin(wr_case *t, wri_example *example, const wr_example_ *given);
void wri_example_end(wr_case *t);
/* The answer to the next choice. False: the example says nothing. */
bool wri_example_answer(wri_example *example, uint64_t *number);

/* ---- For generators, whose case has an example: t->example is not NULL ---- */

static inline bool wri_example_given(const wr_case *t)
{
    return WRI_UNLIKELY(t->example != NULL);
}
/* The value's text for this draw; NULL: the example has none. */
const char *wri_example_text(wr_case *t, const char *name);
/* Ends the case: the text is not what was expected. */
_Noreturn void wri_example_wrong(wr_case *t, const char *expected, ...) WR_PRINTF_(2, 3);
/* The caller fills in the answers to its next `count` choices, in order. */
uint64_t *wri_example_expect(wr_case *t, size_t count);

/* Each of these reads the text of one draw, and expects its answer. False: there is none. */
void wri_example_signed(wr_case *t, const char *name, int64_t lo, uint64_t max);
bool wri_example_unsigned(wr_case *t, const char *name, uint64_t lo, uint64_t max);
void wri_example_bool(wr_case *t, const char *name);
/* "[1, 2]": n numbers of the request. `base` is added to what an unsigned number stands for. */
bool wri_example_array(wr_case *t, const char *name, wri_show_as as, const wri_request *request,
                       size_t n, uint64_t base);
void wri_example_real(wr_case *t, const char *name, const wri_request *request);
/* A word that is not quoted: is it this one, or that one? Returns whether it is `yes`. */
bool wri_example_either(wr_case *t, const char *text, const char *yes, const char *no);
/* A quoted text as bytes in memory of the case, with a NUL behind; NULL: the example has none. */
const char *wri_example_quoted(wr_case *t, const char *name, size_t *length);

#endif
