/* cover/oracle/rule_diagram.h: an expression as a decision diagram.
 *
 * Operators on truths become joins of diagrams. A comparison is worked out parameter by
 * parameter: after some of them are chosen, the rest depends only on the sums that they enter.
 * Whole intervals of levels are decided at once where they can be.
 */
#ifndef WRC_COVER_ORACLE_RULE_DIAGRAM_H
#define WRC_COVER_ORACLE_RULE_DIAGRAM_H

#include "cover/oracle/diagram.h"
#include "cover/model/model.h"

/* The rows of which the expression is true. `variable_of` has the store's variable of each
 * parameter in it. WRC_NO_DIAGRAM at the store's limit. */
uint32_t wrc_rule_diagram(wrc_diagrams *store, const wrc_model *model,
                          const uint32_t *variable_of, const wrc_expression *holds);

#endif
