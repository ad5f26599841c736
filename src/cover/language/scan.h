/* cover/language/scan.h: splits a text into lines, spans and tokens.
 *
 * Formulas are read token by token, parameter lists line by line: the languages allow nearly
 * anything in a value. Everything points into the text.
 */
#ifndef WRC_COVER_LANGUAGE_SCAN_H
#define WRC_COVER_LANGUAGE_SCAN_H

#include "cover/model/source.h"

typedef struct wrc_span {
    const char *at;
    size_t      length;
} wrc_span;

/* Lines one after the other, without their ends. */
typedef struct wrc_lines {
    const wrc_source *source;
    const char       *next;   /* what is still to come */
    wrc_span          line;   /* the current one */
    uint32_t          number; /* of it, from 1 */
} wrc_lines;

/* Complains at a place: "expected WHAT, found " and the token that stands there. False. */
bool wrc_scan_expected(wrc_complaint *complaint, wrc_place at, const char *what);
/* The same where `found` stands at that place, which may be more than a token. */
bool wrc_scan_expected_not(wrc_complaint *complaint, wrc_place at, const char *what,
                           wrc_span found);

/* Ends a complaint about an unknown name with the one that was probably meant, if there is one: a
 * word of the list, which ends with NULL; a parameter; a value of a parameter. False. */
bool wrc_scan_suggest(wrc_complaint *complaint, wrc_span given, const char *const *words);
bool wrc_scan_suggest_parameter(wrc_complaint *complaint, wrc_span given, const wrc_model *model);
bool wrc_scan_suggest_value(wrc_complaint *complaint, wrc_span given,
                            const wrc_parameter *parameter);

void wrc_lines_open(wrc_lines *lines, const wrc_source *source);
bool wrc_lines_next(wrc_lines *lines); /* false: there are no more */

wrc_span wrc_scan_trim(wrc_span span);
/* The text before the first `c` in *rest, trimmed; *rest goes on behind it. At the end of *rest
 * its pointer becomes NULL. */
wrc_span wrc_scan_split(wrc_span *rest, char c);
bool     wrc_span_is(wrc_span span, const char *text, bool fold_case);

typedef enum wrc_token_kind {
    WRC_TOKEN_END, /* of the text, or of the line outside parentheses */
    WRC_TOKEN_NAME,
    WRC_TOKEN_NUMBER,
    WRC_TOKEN_TEXT,   /* in quotes, which are not in the span */
    WRC_TOKEN_SYMBOL, /* an operator, a bracket, or a character that is none of these */
} wrc_token_kind;

typedef struct wrc_token {
    wrc_token_kind kind;
    wrc_span       span;
    const char    *at, *next; /* where it starts, quotes and all, and what follows it */
} wrc_token;

/* The token at or after `at`. Blanks are skipped, and line ends where `across` is set. */
wrc_token wrc_token_at(const wrc_source *source, const char *at, bool across);
/* Whether it is this symbol, or this word in any case. */
bool wrc_token_is(const wrc_token *token, const char *symbol);

#endif
