/* tests/cover_mutate_unit.c: models in every language, broken in many ways: a reader must accept
 * a sound model or say what was expected. */
#include "check.h"
#include "cover_examine.h"
#include "cover_mutations.h"
#include "unit.h"

TEST(broken_models_are_refused_and_sound_ones_read)
{
    uint64_t random = 2026;
    int      read = 0, refused = 0;
    for (int round = 0; round < 40000; round++) {
        char        text[4096];
        const char *seed = SEEDS[below(&random, SEED_COUNT)];
        size_t      size = strlen(seed);
        memcpy(text, seed, size);
        for (size_t i = below(&random, 4); i > 0; i--)
            size = mutate(&random, text, size, sizeof text);
        char *exact = malloc(size + 1);
        memcpy(exact, text, size); /* a block of its own: what is behind it is not to be read */
        if (examine_text(exact, size))
            read++;
        else
            refused++;
        free(exact);
    }
    CHECK(read > 10000 && refused > 10000);
}

TEST(the_seeds_themselves_are_read)
{
    for (int i = 0; i < SEED_COUNT; i++)
        CHECK(examine_text(SEEDS[i], strlen(SEEDS[i])));
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
