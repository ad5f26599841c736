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

int main(void)
{
    build_machine();
    for (size_t i = 0; i < SET; i++)
        set_of[i] = &set[i];
    avoider = wri_avoider_make();
    CHECK(avoider != NULL);
    the_fast_search_says_what_the_plain_one_says();
    wri_avoider_free(avoider);
    if (failures == 0)
        puts("pattern: all checks passed");
    return failures != 0;
}
