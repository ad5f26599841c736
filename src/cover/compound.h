/* cover/compound.h: PICT's sub-models.
 *
 * A group is built at its own strength; its rows are the values of one compound parameter, which
 * stands for the group in the relations outside. The parameters of the group stay in the model,
 * tied to the compound by constraints, so that everything else about them still holds; the
 * compounds are further columns behind those of the model.
 */
#ifndef WRI_COVER_COMPOUND_H
#define WRI_COVER_COMPOUND_H

#include "cover/build.h"

/* *unfolded: a model without groups, or NULL where the model has none. It points into the model,
 * which must outlive it; wri_model_free() frees it. False with a complaint. */
bool wri_unfold(const wri_model *model, const wri_effort *effort, wri_model **unfolded,
                wri_complaint *complaint);

#endif
