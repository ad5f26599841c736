/* tests/pattern_unit.c: patterns of bugs: what a pattern means in the cases at hand, that the fast
 * search says the same as the plain one, and that what is said to be a case of another bug is one.
 * Random patterns have orders of any shape, ranges, handles, and guards of all sorts.
 */
#include "check.h"
#include "patterned.h"

#define LONGEST 64

static wri_made     calls[LONGEST];
static wri_sequence sequence = { .calls = calls, .room = LONGEST };

/* ---- The fast search against the plain one ---- */

#define SET 5

static wri_pattern        set[SET];
static const wri_pattern *set_of[SET];
static wri_avoider       *avoider;

typedef struct tally {
    unsigned long asked, met, guarded;
} tally;

/* The first pattern that the sequence ends with; -1: none. */
static int plainly(size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wri_matches_at_end(&patterned, &set[i], &sequence))
            return (int)i;
    return -1;
}

/* Would it be another answer without guards? */
static bool guards_matter(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wri_pattern bare = set[i];
        bare.guard_count = 0;
        if (bare.guard_count != set[i].guard_count &&
            wri_matches_at_end(&patterned, &bare, &sequence))
            return true;
    }
    return false;
}

static void compare_along(const wri_avoided *known, size_t count, tally *all)
{
    size_t length = sequence.count;
    wri_avoider_begin(avoider, &patterned, known);
    for (sequence.count = 1; sequence.count <= length; sequence.count++) {
        const wri_made *last = &sequence.calls[sequence.count - 1];
        int             wanted = plainly(count), got = wri_avoider_meets(avoider, last);
        CHECK(got == wanted);
        all->asked++;
        all->met += got >= 0;
        all->guarded += got < 0 && guards_matter(count);
        wri_avoider_add(avoider, last);
    }
    sequence.count = length;
}

static void both_searches_agree_on_all(uint64_t seed, unsigned commands, tally *all)
{
    uint64_t     random = wri_stream(seed, commands);
    size_t       count = 1 + below(&random, SET);
    wri_avoided *known;
    for (size_t i = 0; i < count; i++)
        some_pattern(&random, &set[i], 5, commands);
    known = malloc(wri_avoided_bytes(set_of, count));
    wri_avoided_write(&patterned, set_of, count, known);
    for (unsigned i = 0; i < 3; i++) {
        some_sequence(&random, &sequence, 1 + below(&random, 20), commands);
        compare_along(known, count, all);
    }
    free(known);
}

static void the_fast_search_says_what_the_plain_one_says(void)
{
    static const unsigned COMMANDS[] = { 2, 5, COMMAND_COUNT };
    tally all = { 0 };
    for (uint64_t seed = 0; seed < 20000 && failures == 0; seed++)
        both_searches_agree_on_all(seed, COMMANDS[seed % 3], &all);
    CHECK(all.met > all.asked / 20 && all.met < all.asked * 19 / 20 && all.guarded > 5000);
    printf("pattern: %lu questions, %lu met a bug, %lu guards\n", all.asked, all.met, all.guarded);
}

/* ---- One bug a case of another ---- */

/* One that the first is likely to include: some calls gone, some terms and orders and guards. */
static void generalise(uint64_t *random, const wri_pattern *special, wri_pattern *general)
{
    unsigned moved[WRI_PATTERN_CALLS] = { 0 };
    uint32_t gone = special->count > 1 && one_in(random, 2)
                        ? UINT32_C(1) << below(random, special->count)
                        : 0;
    *general = (wri_pattern){ .variable_count = special->variable_count };
    for (unsigned i = 0; i < special->count; i++) {
        unsigned to = moved[i] = general->count;
        if ((gone >> i & 1) != 0)
            continue;
        general->calls[to] = special->calls[i];
        for (unsigned j = 0; j < i; j++)
            if ((special->before[i] >> j & 1) != 0 && (gone >> j & 1) == 0)
                general->before[to] |= UINT32_C(1) << moved[j];
        general->count++;
    }
    for (unsigned i = 0; i < special->guard_count; i++) {
        wri_guard guard = special->guards[i];
        guard.last = 0;
        for (unsigned j = 0; j < special->count; j++)
            if ((special->guards[i].last >> j & 1) != 0 && (gone >> j & 1) == 0)
                guard.last |= UINT32_C(1) << moved[j];
        guard.consumed ^= one_in(random, 4);
        if (!one_in(random, 3))
            general->guards[general->guard_count++] = guard;
    }
    if (one_in(random, 2))
        change_terms(random, general);
}

/* A value of the kind that is in the range, if a few tries find one. */
static int64_t some_of(uint64_t *random, const wr_kind *kind, const wri_term *range)
{
    int64_t value = 0;
    for (unsigned i = 0; i < 50; i++) {
        value = some_value(random, &sequence, kind);
        if (range->least <= value && value <= range->most)
            break;
    }
    return value;
}

/* Calls that fit the pattern, in an order that it allows, with others between them. False: it did not
 * come to that. */
static bool make_instance(uint64_t *random, const wri_pattern *pattern)
{
    int64_t  values[WRI_PATTERN_VARIABLES + 1];
    uint64_t bound = 0;
    uint32_t left = (uint32_t)((UINT64_C(1) << pattern->count) - 1);
    sequence.count = 0;
    while (left != 0 && sequence.count < 20) {
        wri_made *made = &calls[sequence.count];
        unsigned  next = (unsigned)below(random, pattern->count);
        if (one_in(random, 3)) {
            sequence.count += some_call(random, &sequence, (unsigned)below(random, COMMAND_COUNT),
                                        made);
            continue;
        }
        if ((left >> next & 1) == 0 || (pattern->before[next] & left) != 0)
            continue;
        const wri_pattern_call *call = &pattern->calls[next];
        if (!some_call(random, &sequence, call->command, made))
            return false;
        for (unsigned i = 0; i < patterned_commands[call->command].arity; i++) {
            const wri_term *term = &call->terms[i];
            if (term->sort == WRI_TERM_RANGE)
                made->arguments[i] = some_of(random, PATTERNED[call->command].takes[i], term);
            if (term->sort != WRI_TERM_VARIABLE)
                continue;
            if ((bound >> term->variable & 1) == 0)
                values[term->variable] = made->arguments[i];
            bound |= UINT64_C(1) << term->variable;
            made->arguments[i] = values[term->variable];
        }
        if (call->result != WRI_NO_VARIABLE) {
            values[call->result] = (int64_t)sequence.count;
            bound |= UINT64_C(1) << call->result;
        }
        sequence.count++;
        left &= ~(UINT32_C(1) << next);
    }
    return left == 0;
}

static void what_is_a_case_of_another_bug_has_it(void)
{
    unsigned long said = 0, tried = 0, guarded = 0;
    for (uint64_t seed = 0; seed < 20000 && failures == 0; seed++) {
        uint64_t random = wri_stream(seed, 7);
        some_pattern(&random, &set[0], 5, COMMAND_COUNT);
        generalise(&random, &set[0], &set[1]);
        CHECK(wri_subsumes(&patterned, &set[0], &set[0]));
        if (!wri_subsumes(&patterned, &set[1], &set[0]))
            continue;
        said++;
        guarded += set[1].guard_count > 0;
        for (unsigned i = 0; i < 30; i++)
            if (make_instance(&random, &set[0]) && wri_matches(&patterned, &set[0], &sequence)) {
                CHECK(wri_matches(&patterned, &set[1], &sequence));
                tried++;
            }
    }
    CHECK(said > 10000 && said < 19000 && tried > 200000 && guarded > 2000);
    printf("pattern: %lu bugs were cases of others, %lu of them with guards; %lu sequences\n", said,
           guarded, tried);
}

int main(void)
{
    build_machine();
    for (size_t i = 0; i < SET; i++)
        set_of[i] = &set[i];
    avoider = wri_avoider_make();
    CHECK(avoider != NULL);
    the_fast_search_says_what_the_plain_one_says();
    what_is_a_case_of_another_bug_has_it();
    wri_avoider_free(avoider);
    if (failures == 0)
        puts("pattern: all checks passed");
    return failures != 0;
}
