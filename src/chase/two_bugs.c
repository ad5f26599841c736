/* chase/two_bugs.c: are two failures two bugs, if they differ in values and in repeated calls?
 *
 *     add(8)  get()              fails
 *     add(2)  add(2)  get()      fails, in the same place
 *
 * If a sum that grows matters, this is one bug: a smaller value needs more calls. But each of the
 * values may be special for itself, and one of them only after two calls: these are two bugs. Two
 * tests tell. First the values of the shorter failure are tried with the calls of the longer one.
 * If that fails, too, values half-way between both are tried there: if they pass, both values are
 * special, and these are two bugs. Only calls that name no values may be repeated.
 */
#include "chase/internal.h"
#include "machine/pattern/relate.h"

/* Known bugs may be in the sequence: it is run all the same. */
static wri_tried try_with(wri_chase *chase, const wri_relate_pair *c, wri_relate_values which)
{
    wri_sequence calls = { 0 };
    wri_tried    tried = WRI_TRIED_IMPOSSIBLE;
    size_t       at;
    if (wri_relate_lengthen(c, which, &calls))
        tried = wri_chase_lab(chase)->run(chase, &calls, &at);
    wri_sequence_free(&calls);
    return tried;
}

bool wri_chase_is_apart(wri_chase *chase, const wri_pattern *known, const wri_sequence *calls,
                        const wri_pattern *pattern)
{
    wri_relate_pair c = {
        .machine = chase->machine, .known = known, .pattern = pattern, .calls = calls
    };
    wri_relate_values of_shorter =
        calls->count < known->count ? WRI_VALUES_OWN : WRI_VALUES_KNOWN;
    return WRI_CHASE_USES(chase, apart) && wri_relate_is_comparable(&c) &&
           try_with(chase, &c, of_shorter) == WRI_TRIED_SAME &&
           try_with(chase, &c, WRI_VALUES_BETWEEN) == WRI_TRIED_PASSED;
}
