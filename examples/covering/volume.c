/* A function with four arguments, tried with every pair of their values that makes sense: fifteen
 * calls instead of ninety.
 *
 *     cc volume.c $(pkg-config --cflags --libs warren-cover) -o volume && ./volume
 */
#include <warren/cover.h>

#include <stdio.h>
#include <string.h>

/* The code under test: bytes that a volume of `size` megabytes can hold. Its bug takes two: the
 * copies of a mirror are counted as space where clusters are small. */
static long long capacity(const char *type, long long size, long long cluster, bool compressed)
{
    long long copies = strcmp(type, "mirror") == 0 && cluster >= 1024 ? 2 : 1;
    return size * 1048576 / copies / cluster * cluster * (compressed ? 2 : 1);
}

static const char *const TYPES[] = { "single", "span", "mirror" };
static const char *const CLUSTERS[] = { "512", "1024", "4096" };
static const char *const ANSWERS[] = { "false", "true" };

int main(void)
{
    int          wrong = 0;
    wr_covering *c = wr_covering_new();
    wr_covering_values(c, "type", 3, TYPES);
    wr_covering_range(c, "size", 250, 1250, 250);
    wr_covering_values(c, "cluster", 3, CLUSTERS);
    wr_covering_values(c, "compressed", 2, ANSWERS);
    wr_covering_require(c, "compressed => cluster <= 1024");
    if (!wr_covering_build(c, NULL)) {
        printf("%s\n", wr_covering_error(c));
        return 2;
    }
    for (uint64_t row = 0; row < wr_covering_rows(c); row++) {
        const char *type = TYPES[wr_covering_level(c, row, 0)];
        long long   size = wr_covering_number(c, row, 1), cluster = wr_covering_number(c, row, 2);
        bool        compressed = wr_covering_number(c, row, 3) != 0;
        long long   most = size * 1048576 * (compressed ? 2 : 1);
        if (strcmp(type, "mirror") == 0 && capacity(type, size, cluster, compressed) * 2 > most) {
            printf("a mirror of %lld MB with clusters of %lld holds too much\n", size, cluster);
            wrong++;
        }
    }
    printf("%llu calls, %d wrong\n", (unsigned long long)wr_covering_rows(c), wrong);
    wr_covering_free(c);
    return wrong > 0;
}
