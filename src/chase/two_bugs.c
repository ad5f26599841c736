/* chase/two_bugs.c: two bugs of one call and place that differ in values and in how often calls
 * are repeated.
 *
 * A counter that is as large as a number, and a size that a number must not exceed, are one bug
 * that needs more calls for one value than for another. But two values may be special each for
 * itself, and one of them only once there are several calls: these are two. So where the calls
 * that one of them has more name no values, it is tried whether their number matters to the other
 * one, too: whether its values fail among as many calls. If they do, values between those of both
 * are tried there: what is special ends between them, and what grows with the number of calls
 * does not.
 */
#include "chase/internal.h"
#include "machine/pattern/relate.h"

/* Known bugs may be in the sequence: it is run all the same. */
static wri_tried try_with(wri_chase *chase, const wri_comparison *c, wri_relate_values which)
{
    wri_lab      lab = wri_chase_lab(chase);
    wri_sequence calls = { 0 };
    wri_tried    tried = WRI_TRIED_IMPOSSIBLE;
    size_t       at;
    if (wri_relate_lengthen(c, which, &calls))
        tried = lab.run(lab.context, &calls, &at);
    wri_sequence_free(&calls);
    return tried;
}

bool wri_chase_is_apart(wri_chase *chase, const wri_pattern *known, const wri_sequence *calls,
                        const wri_pattern *pattern)
{
    wri_comparison c = {
        .machine = chase->machine, .known = known, .pattern = pattern, .calls = calls
    };
    wri_relate_values of_shorter =
        calls->count < known->count ? WRI_VALUES_OWN : WRI_VALUES_KNOWN;
    return WRI_CHASE_USES(chase, apart) && wri_relate_is_comparable(&c) &&
           try_with(chase, &c, of_shorter) == WRI_TRIED_SAME &&
           try_with(chase, &c, WRI_VALUES_BETWEEN) == WRI_TRIED_PASSED;
}
