/* cover/compound.h: PICT's sub-models.
 *
 * A group is built at its own strength. Its rows are the values of one compound parameter, which
 * stands for the group in the relations outside. The parameters of the group stay in the model,
 * and constraints tie them to the compound, so that everything else about them still holds. The
 * compounds are further columns behind those of the model.
 */
#ifndef WRC_COVER_COMPOUND_H
#define WRC_COVER_COMPOUND_H

#include "cover/search/build.h"

/* *unfolded: a model without groups, or NULL where the model has none. It points into the model,
 * which must outlive it; wrc_model_free() frees it. False with a complaint. */
bool wrc_compound_unfold(const wrc_model *model, const wrc_effort *effort, wrc_model **unfolded,
                         wrc_complaint *complaint);

#endif
