/* cover/language/formula_parse.h: constraints in the notation that ACTS's and Warren's languages
 * share.
 *
 * Weakest first: `=>` (or `->`), `||`, `&&`, `!`, comparisons and `in`, `+ -`, `* / %`, unary
 * minus; also the words implies, or, and, not, and if … then … else. A name is a parameter or,
 * beside a parameter with named values, a value. A mistake in the types is refused with its
 * place.
 */
#ifndef WRC_COVER_LANGUAGE_FORMULA_PARSE_H
#define WRC_COVER_LANGUAGE_FORMULA_PARSE_H

#include "cover/language/scan.h"
#include "cover/model/draft.h"
#include "cover/model/formula.h"

/* Reads one formula from *at, which goes on behind it, up to the end of the line outside
 * parentheses. NULL with a complaint. */
wrc_formula wrc_formula_parse(wrc_draft *draft, const wrc_source *source, const char **at);

#endif
