/* tests/share_unit.c: Wilson's interval for known counts, and, over simulated properties, how
 * often it holds and how often the sequential test of a share is wrong. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/prng.h"
#include "observe/share.h"
#include "check.h"
#include "unit.h"

static bool is_near(double found, double expected)
{
    return fabs(found - expected) < 5e-5;
}

TEST(wilsons_interval_for_known_counts)
{
    static const struct {
        uint64_t yes, cases;
        double   low, high;
    } KNOWN[] = { { 0, 0, 0, 1 },           { 0, 10, 0, 0.2775 },
                  { 10, 10, 0.7225, 1 },    { 5, 10, 0.2366, 0.7634 },
                  { 1, 1, 0.2065, 1 },      { 526, 1000, 0.4950, 0.5568 },
                  { 1, 1000000, 0, 0.0000 } };
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        wri_interval found = wri_share_interval(KNOWN[i].yes, KNOWN[i].cases);
        CHECK(is_near(found.low, KNOWN[i].low) && is_near(found.high, KNOWN[i].high));
        CHECK(found.low >= 0 && found.high <= 1 && found.low <= found.high);
    }
}

static bool happens(uint64_t *random, double share)
{
    return (double)(wri_prng_next(random) >> 11) * 0x1p-53 < share;
}

/* 95 % is what it says. Near the ends and with few cases it swings around that, as is known. */
TEST(wilsons_interval_holds_as_often_as_it_says)
{
    static const double   SHARES[] = { 0.02, 0.1, 0.3, 0.5, 0.9 };
    static const uint64_t CASES[] = { 50, 400 };
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 2; k++) {
            uint64_t random = wri_prng_stream(3, i * 2 + k);
            int      holds = 0;
            for (int run = 0; run < 4000; run++) {
                uint64_t yes = 0;
                for (uint64_t c = 0; c < CASES[k]; c++)
                    yes += happens(&random, SHARES[i]);
                wri_interval found = wri_share_interval(yes, CASES[k]);
                holds += found.low <= SHARES[i] && SHARES[i] <= found.high;
            }
            CHECK(holds >= 3680 && holds <= 3920); /* 92 % to 98 % */
        }
}

/* Runs a property until there is a verdict, which is asked for after every case. */
static wri_share_verdict decide(double share, double wanted, uint64_t confidence,
                                uint64_t *random, uint64_t *cases)
{
    wri_share_verdict verdict = WRI_SHARE_OPEN;
    uint64_t          yes = 0;
    for (*cases = 0; verdict == WRI_SHARE_OPEN;) {
        yes += happens(random, share);
        verdict = wri_share_judge(yes, ++*cases, wanted, confidence);
    }
    return verdict;
}

#define RUNS 1000
#define CONFIDENCE 20 /* so that there are wrong verdicts to count: 50, at most, on average; */
#define MOST_WRONG 71 /* and with three standard deviations */

/* So many of RUNS properties have this verdict. */
static int verdicts(double share, double wanted, wri_share_verdict which, uint64_t seed)
{
    int      count = 0;
    uint64_t cases, random = wri_prng_stream(17, seed);
    for (int run = 0; run < RUNS; run++)
        count += decide(share, wanted, CONFIDENCE, &random, &cases) == which;
    return count;
}

TEST(a_verdict_is_wrong_as_rarely_as_it_says)
{
    static const double WANTED[] = { 0.9, 0.5, 0.2 };
    for (size_t i = 0; i < 3; i++) {
        double wanted = WANTED[i];
        int    missed = verdicts(wanted, wanted, WRI_SHARE_MISSED, i);
        int    enough = verdicts(0.9 * wanted, wanted, WRI_SHARE_ENOUGH, i + 10);
        CHECK(missed <= MOST_WRONG && enough <= MOST_WRONG);
        CHECK(missed + enough > 0); /* and it spends what it says: it is not slow for nothing */
        CHECK(verdicts(0.7 * wanted, wanted, WRI_SHARE_MISSED, i + 20) >= RUNS - 25);
        CHECK(verdicts(0.5 + wanted / 2, wanted, WRI_SHARE_ENOUGH, i + 30) >= RUNS - 5);
    }
}

TEST(a_clear_share_needs_few_cases)
{
    uint64_t cases, random = 5;
    CHECK(decide(0.25, 0.5, 1000000, &random, &cases) == WRI_SHARE_MISSED && cases < 500);
    CHECK(decide(0.75, 0.5, 1000000, &random, &cases) == WRI_SHARE_ENOUGH && cases < 500);
    CHECK(decide(0.95, 0.5, 1000000000, &random, &cases) == WRI_SHARE_ENOUGH && cases < 1000);
}

TEST(ends_of_the_range)
{
    CHECK(wri_share_judge(0, 0, 0.5, 1000) == WRI_SHARE_OPEN);
    CHECK(wri_share_judge(0, 1000, 0, 1000) == WRI_SHARE_ENOUGH);
    CHECK(wri_share_judge(999, 1000, 1, 1000) == WRI_SHARE_MISSED); /* not always is not always */
    CHECK(wri_share_judge(20, 20, 1, 1000) == WRI_SHARE_OPEN);
    CHECK(wri_share_judge(100, 100, 1, 1000) == WRI_SHARE_ENOUGH);
    CHECK(wri_share_judge(0, UINT64_MAX, 1e-9, UINT64_MAX) == WRI_SHARE_MISSED);
    CHECK(wri_share_judge(0, 200, 0.1, 1000000) == WRI_SHARE_MISSED); /* nothing, soon */
    CHECK(wri_share_judge(UINT64_MAX, UINT64_MAX, 1e-9, UINT64_MAX) == WRI_SHARE_ENOUGH);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
