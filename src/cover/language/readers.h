/* cover/language/readers.h: one reader for each language, and what they share.
 *
 * A reader takes everything from the source into the draft. False, with a complaint: a mistake.
 */
#ifndef WRC_COVER_LANGUAGE_READERS_H
#define WRC_COVER_LANGUAGE_READERS_H

#include "cover/language/scan.h"
#include "cover/model/draft.h"

bool wrc_read_acts(wrc_draft *draft, const wrc_source *source);
bool wrc_read_casa(wrc_draft *draft, const wrc_source *source, const wrc_source *constraints);
bool wrc_read_pict(wrc_draft *draft, const wrc_source *source, bool case_sensitive);
bool wrc_read_warren(wrc_draft *draft, const wrc_source *source);

/* Adds the parameters that a list with commas names to `group`. */
bool wrc_read_group(wrc_draft *draft, const wrc_source *source, wrc_span list, wrc_list *group);
/* "first..last" or "first..last/step"; false where it is no range. */
bool wrc_read_range(wrc_span span, int64_t *first, int64_t *last, int64_t *step);

#endif
