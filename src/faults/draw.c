/* faults/draw.c: wr_faults(): the draw of the call that fails. */
#include "core/reserve.h"
#include "faults/faults.h"
#include "gen/draw.h"
#include "gen/example.h"
#include "gen/show.h"

/* No fault in one case of two. Otherwise every bit length of the number is about equally likely:
 * nobody knows how many calls there are. */
static uint64_t fresh(wr_case *t, const wri_request *request)
{
    uint64_t word = wri_prng_next(&t->random), number;
    if (wri_faults_planned(&number))
        return number < request->max ? number : request->max;
    if (word >> 63 != 0)
        return 0;
    return 1 + wri_lean_small(word << 1, request->max - 1);
}

/* The number of the call that fails, counted from now; 0: none does. */
static uint64_t draw(wr_case *t, const wri_faults_terms *terms)
{
    wri_request request = {
        .kind = WRI_INDEX, .max = terms->within, .name = terms->name, .fresh = fresh
    };
    if (wri_example_given(t))
        wri_example_unsigned(t, terms->name, 0, terms->within);
    uint64_t number = wri_case_choose(t, &request);
    wri_faults_note_choice(t, true);
    wri_show_unsigned(t, terms->name, number);
    return number;
}

const char *wri_faults_wrong(const wr_fault_options *options)
{
    if (options == NULL)
        return NULL;
    if (WRI_RESERVE_USED(options))
        return WRI_RESERVE_WHY;
    if ((options->which & ~WRI_FAULT_ALL) != 0)
        return ".which is no sum of WR_FAULT_ constants";
    if (options->within > WRI_MAX_CHOICES)
        return ".within is too large";
    if (options->most > WRI_FAULTS_MOST)
        return ".most is above 8";
    if (options->percent > 100)
        return ".percent is above 100";
    return NULL;
}

wri_faults_terms wri_faults_terms_of(const wr_fault_options *options, const char *name)
{
    static const wr_fault_options NONE;
    const wr_fault_options       *own = options == NULL ? &NONE : options;
    return (wri_faults_terms){
        .which = own->which == 0 ? WR_FAULT_MEMORY : own->which,
        .within = own->within == 0 ? WRI_FAULTS_WITHIN : own->within,
        .most = own->most == 0 ? 1 : own->most,
        .lasting = own->lasting,
        .draw = draw,
        .name = name,
    };
}

void wri_faults_draw(wr_case *t, const char *name, const wr_fault_options *options,
                     const char *who)
{
    const char *wrong = wri_faults_wrong(options);
    if (wrong != NULL)
        wri_case_misuse(t, "%s: %s", who, wrong);
    wri_faults_terms terms = wri_faults_terms_of(options, name);
    if ((wrong = wri_faults_hindered(terms.which)) != NULL)
        wri_case_misuse(t, "%s: %s", who, wrong);
    wri_faults_open(t, &terms, draw(t, &terms));
}

void wr_faults(wr_case *t, const char *name, const wr_fault_options *options)
{
    if (wri_faults_is_open())
        wri_case_misuse(t, "wr_faults: calls can fail already: first wr_faults_end()");
    if (t->closing)
        wri_case_misuse(t, "wr_faults: the property is over");
    wri_faults_draw(t, name, options, "wr_faults");
}

void wr_faults_end(wr_case *t)
{
    if (!wri_faults_is_open())
        wri_case_misuse(t, "wr_faults_end: no call can fail: there was no wr_faults()");
    wri_faults_close(t);
}

bool wr_faulted(wr_case *t)
{
    return wri_faults_hit(t);
}
