/* machine/play/stage.c: a worker's memory for playing machines: see stage.h. */
#include "machine/play/stage.h"

bool wri_stage_begin(wri_stage *stage, const wri_play_terms *terms)
{
    stage->terms = *terms;
    if (terms->known != NULL && stage->avoider == NULL)
        stage->avoider = wri_avoider_make();
    if (terms->known != NULL && stage->avoider == NULL)
        return false;
    return terms->ran == NULL || wri_ran_list_begin(&stage->mine);
}

void wri_stage_free(wri_stage *stage)
{
    wri_avoider_free(stage->avoider);
    wri_ran_list_free(&stage->mine);
    *stage = (wri_stage){ 0 };
}
