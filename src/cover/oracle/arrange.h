/* cover/oracle/arrange.h: an order of variables that keeps those of one group close. */
#ifndef WRC_COVER_ORACLE_ARRANGE_H
#define WRC_COVER_ORACLE_ARRANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Group g has the members from starts[g] to before starts[g + 1]. Fills in each variable's
 * position so that the groups' extents are short together; no order is proved best. False when
 * memory is short. */
bool wrc_arrange(uint32_t variables, size_t groups, const size_t *starts, const uint32_t *members,
                 uint32_t *position);

#endif
