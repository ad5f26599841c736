/* cover/oracle/consensus.h: all forbidden tuples that rules imply.
 *
 * Two tuples that agree but for one parameter imply a third, in which that parameter may have the
 * levels of both. Taken to its end, this finds every tuple that cannot be widened, so a partial
 * row can be completed exactly if it holds none of them. The number of tuples can explode. There
 * is a limit, and then another way answers.
 */
#ifndef WRC_COVER_ORACLE_CONSENSUS_H
#define WRC_COVER_ORACLE_CONSENSUS_H

#include "cover/oracle/diagram.h"
#include "cover/oracle/forbidden.h"

/* Adds to the list every widest tuple that the rules (diagrams of one store) forbid together.
 * `parameters` has the parameter of each variable. False when there are more than `limit`, a
 * parameter has more than 64 levels, or memory is short; the list may then have some. */
bool wrc_consensus(const wrc_diagrams *store, const uint32_t *rules, size_t rule_count,
                   const uint32_t *parameters, uint32_t limit, wrc_forbidden *list);

#endif
