/* cover/scan.h: a text that is read, and where in it something stands.
 *
 * Readers work on pointers into the text; a place is worked out only when there is something to
 * complain of. Formulas are read token by token, parameter lists line by line: the languages
 * allow nearly anything in a value.
 */
#ifndef WRI_COVER_SCAN_H
#define WRI_COVER_SCAN_H

#include "cover/model.h"

/* The text need not end in a zero byte but must outlive what points into it. */
typedef struct wri_source {
    const char *file; /* as complaints name it */
    const char *text, *end;
} wri_source;

/* Where in a source; without one, nowhere. */
typedef struct wri_place {
    const wri_source *source;
    const char       *at;
} wri_place;

typedef struct wri_span {
    const char *at;
    size_t      length;
} wri_span;

/* Lines one after the other, without their ends. */
typedef struct wri_lines {
    const wri_source *source;
    const char       *next;   /* what is still to come */
    wri_span          line;   /* the current one */
    uint32_t          number; /* of it, from 1 */
} wri_lines;

/* "file:line:column: " and what printf() makes of the rest; false. */
bool wri_complain_at(wri_complaint *complaint, wri_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with "expected WHAT, found " and what stands there. */
bool wri_expected(wri_complaint *complaint, wri_place at, const char *what);

/* Takes a byte order mark away, and refuses what is no text. */
bool wri_source_open(wri_source *source, const char *file, const char *text, size_t size,
                     wri_complaint *complaint);

void wri_lines_open(wri_lines *lines, const wri_source *source);
bool wri_lines_next(wri_lines *lines); /* false: there are no more */

wri_span wri_trim(wri_span span);
/* What stands before the first `c` in *rest, trimmed; *rest goes on behind it. At the end of
 * *rest its pointer becomes NULL. */
wri_span wri_split(wri_span *rest, char c);
bool wri_span_is(wri_span span, const char *text, bool fold_case);

typedef enum wri_token_kind {
    WRI_TOKEN_END,    /* of the text, or of the line outside parentheses */
    WRI_TOKEN_NAME,
    WRI_TOKEN_NUMBER,
    WRI_TOKEN_TEXT,   /* in quotes, which are not in the span */
    WRI_TOKEN_SYMBOL, /* an operator, a bracket, or a character that is none of these */
} wri_token_kind;

typedef struct wri_token {
    wri_token_kind kind;
    wri_span       span;
    const char    *at, *next; /* where it starts, quotes and all, and what follows it */
} wri_token;

/* The token at or after `at`. Blanks are skipped, and line ends where `across` is set. */
wri_token wri_token_at(const wri_source *source, const char *at, bool across);
/* Whether it is this symbol, or this word in any case. */
bool wri_token_is(const wri_token *token, const char *symbol);

#endif
