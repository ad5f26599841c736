/* tests/signals_unit.c: what instrumented code tells of a case. `signals_unit print` says what it
 * saw of a fixed case, for the test that two runs see the same. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "observe/coverage.h"
#include "observe/signals.h"
#include "run/place/place.h"
#include "signals_subject.h"
#include "check.h"
#include "sanitized.h"
#include "unit.h"

/* ---- Comparisons ---- */

/* How many comparisons of the case have these sides, in this order. */
static size_t compared(uint64_t a, uint64_t b, unsigned width, bool constant)
{
    size_t                count, found = 0;
    const wri_comparison *made = wri_comparisons_made(&count);
    for (size_t i = 0; i < count; i++)
        found += made[i].a == a && made[i].b == b && made[i].width == width &&
                 made[i].constant == constant;
    return found;
}

static size_t comparisons(void)
{
    size_t count;
    wri_comparisons_made(&count);
    return count;
}

TEST(a_comparison_with_a_constant_has_its_sides_and_width)
{
    wri_signals_begin();
    is_magic_8(77);
    is_magic_4(66);
    is_magic_2(55);
    wri_signals_end();
    CHECK(compared(MAGIC_8, 77, 8, true) == 1);
    CHECK(compared(MAGIC_4, 66, 4, true) == 1);
    CHECK(compared(MAGIC_2, 55, 2, true) == 1);
    CHECK(comparisons() == 3);
}

TEST(equal_sides_are_not_kept)
{
    wri_signals_begin();
    is_magic_8(MAGIC_8);
    are_equal(9, 9);
    wri_signals_end();
    CHECK(comparisons() == 0);
}

TEST(a_comparison_of_variables_is_no_constant)
{
    wri_signals_begin();
    are_equal(123456789, 987654321);
    wri_signals_end();
    CHECK(compared(123456789, 987654321, 8, false) + compared(987654321, 123456789, 8, false) ==
          1);
}

TEST(the_same_comparison_is_kept_once)
{
    wri_signals_begin();
    for (int i = 0; i < 1000; i++)
        is_magic_8(77);
    is_magic_8(78);
    wri_signals_end();
    CHECK(compared(MAGIC_8, 77, 8, true) == 1);
    CHECK(comparisons() == 2);
}

TEST(no_more_than_there_is_room_for_are_kept)
{
    wri_signals_begin();
    for (uint32_t i = 0; i < 3 * WRI_COMPARISONS; i++)
        chooses(i * 5000 + 1); /* four places, or five */
    for (uint32_t i = 0; i < 3 * WRI_COMPARISONS; i++)
        chooses_of_many(i * 5000 + 1); /* sixteen */
    wri_signals_end();
    CHECK(comparisons() == WRI_COMPARISONS);
    wri_signals_begin();
    wri_signals_end();
    CHECK(comparisons() == 0);
}

TEST(a_loop_does_not_take_all_the_room)
{
    wri_signals_begin();
    for (uint64_t i = 0; i < 3 * WRI_COMPARISONS; i++)
        is_magic_8(i);
    is_magic_4(66);
    wri_signals_end();
    CHECK(comparisons() == WRI_COMPARISONS_OF_A_PLACE + 1);
    CHECK(compared(MAGIC_8, 1, 8, true) == 1);
    CHECK(compared(MAGIC_4, 66, 4, true) == 1);
}

/* A compiler may make comparisons of a switch; then their width is the operand's as well. */
TEST(each_case_of_a_switch_is_a_comparison)
{
    wri_signals_begin();
    chooses(2000);
    wri_signals_end();
    CHECK(compared(1000, 2000, 4, true) >= 1);
    CHECK(compared(3000, 2000, 4, true) >= 1);
    CHECK(compared(4000, 2000, 4, true) >= 1);
    CHECK(compared(2000, 2000, 4, true) == 0);
}

TEST(of_a_large_switch_the_nearest_cases_are_compared)
{
    wri_signals_begin();
    chooses_of_many(2550);
    wri_signals_end();
    CHECK(compared(2500, 2550, 4, true) >= 1);
    CHECK(compared(2600, 2550, 4, true) >= 1);
    CHECK(comparisons() <= 17);
    wri_signals_begin();
    chooses_of_many(1000000);
    wri_signals_end();
    CHECK(compared(4000, 1000000, 4, true) >= 1);
    wri_signals_begin();
    chooses_of_many(0);
    wri_signals_end();
    CHECK(compared(100, 0, 4, true) >= 1);
}

/* Wherever the heap is: this is run as a program that is not position-independent, too. */
TEST(pointers_are_not_compared)
{
    void *got[64]; /* the heap grows while the case runs */
    wri_signals_begin();
    for (size_t i = 0; i < sizeof got / sizeof *got; i++) {
        got[i] = malloc(100000);
        are_equal((uintptr_t)got[i], 0);
        are_equal(i + 1, (uintptr_t)got[i] + 4);
    }
    are_equal((uintptr_t)got, 0);
    wri_signals_end();
    CHECK(comparisons() == 0);
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        free(got[i]);
}

TEST(numbers_that_are_no_addresses_are_compared)
{
    wri_signals_begin();
    are_equal(UINT64_C(1) << 45, 1);
    are_equal(1 << 20, UINT64_MAX);
    are_equal(UINT64_C(1) << 62, 3);
    wri_signals_end();
    CHECK(comparisons() == 3);
}

static void *compares_elsewhere(void *unused)
{
    (void)unused;
    is_magic_8(4711);
    return NULL;
}

TEST(other_threads_do_not_count)
{
    pthread_t thread;
    wri_signals_begin();
    CHECK(pthread_create(&thread, NULL, compares_elsewhere, NULL) == 0);
    pthread_join(thread, NULL);
    wri_signals_end();
    CHECK(compared(MAGIC_8, 4711, 8, true) == 0);
}

TEST(what_is_done_after_the_end_does_not_count)
{
    wri_signals_begin();
    is_magic_8(1);
    wri_signals_end();
    is_magic_8(2);
    is_magic_4(3);
    CHECK(comparisons() == 1);
}

#if SANITIZED /* its run-time tells of strcmp() */
TEST(texts_are_compared_byte_by_byte)
{
    size_t first;
    wri_signals_begin();
    says_hello("heXlo");
    wri_signals_end();
    CHECK(compared('X', 'l', 1, false) + compared('l', 'X', 1, false) == 1);
    first = comparisons();
    wri_signals_begin();
    says_hello("hello");
    wri_signals_end();
    CHECK(comparisons() < first);
}
#else /* this test tells instead */
#define TOLD __attribute__((visibility("default")))
TOLD void __sanitizer_weak_hook_memcmp(void *, const void *, const void *, size_t, int);
TOLD void __sanitizer_weak_hook_strcmp(void *, const char *, const char *, int);
TOLD void __sanitizer_weak_hook_strncmp(void *, const char *, const char *, size_t, int);
TOLD void __sanitizer_weak_hook_strcasecmp(void *, const char *, const char *, int);
TOLD void __sanitizer_weak_hook_strncasecmp(void *, const char *, const char *, size_t, int);

TEST(texts_are_compared_byte_by_byte)
{
    void *caller = (void *)&says_hello;
    char  long_text[2][300] = { "" };
    memset(long_text, 'x', sizeof long_text);
    long_text[0][290] = '\0'; /* too far off to be looked at */
    long_text[1][299] = '\0';
    wri_signals_begin();
    __sanitizer_weak_hook_strcmp(caller, "hello", "heXlo", 1);
    __sanitizer_weak_hook_strncmp(caller, "ab", "aY", 2, 1);
    __sanitizer_weak_hook_memcmp(caller, "a\0c", "a\0Z", 3, 1);
    __sanitizer_weak_hook_strcasecmp(caller, "HEAP", "heal", 1);
    __sanitizer_weak_hook_strncasecmp(caller, "[", "{", 1, -1);
    CHECK(comparisons() == 5);
    CHECK(compared('l', 'X', 1, false) == 1 && compared('b', 'Y', 1, false) == 1);
    CHECK(compared('c', 'Z', 1, false) == 1 && compared('p', 'l', 1, false) == 1);
    CHECK(compared('[', '{', 1, false) == 1);
    __sanitizer_weak_hook_strcmp(caller, long_text[0], long_text[1], -1);
    __sanitizer_weak_hook_strcmp(caller, "same", "same", 1); /* the result is not believed */
    __sanitizer_weak_hook_strncmp(caller, "same", "same", 4, 1);
    __sanitizer_weak_hook_strncmp(caller, "x", "y", 1, 0);
    __sanitizer_weak_hook_strcmp(caller, "x", "y", 0);
    __sanitizer_weak_hook_strcasecmp(caller, "x", "y", 0);
    __sanitizer_weak_hook_strncasecmp(caller, "x", "y", 1, 0);
    __sanitizer_weak_hook_memcmp(caller, "x", "y", 1, 0);
    CHECK(comparisons() == 5);
    wri_signals_end();
    __sanitizer_weak_hook_strcmp(caller, "after", "the end", 1);
    __sanitizer_weak_hook_strncmp(caller, "after", "the end", 1, 1);
    __sanitizer_weak_hook_memcmp(caller, "after", "the end", 1, 1);
    __sanitizer_weak_hook_strcasecmp(caller, "after", "the end", 1);
    __sanitizer_weak_hook_strncasecmp(caller, "after", "the end", 1, 1);
    CHECK(comparisons() == 5);
}
#endif

/* ---- Edges ---- */

static uint64_t path(int which)
{
    size_t   count;
    uint64_t hash = 1;
    wri_signals_begin();
    takes_a_path(which);
    const wri_edge *edges = wri_edges_taken(&count);
    wri_signals_end();
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        CHECK(edges[i].number < WRI_EDGES && edges[i].count > 0);
        for (size_t k = 0; k < i; k++)
            CHECK(edges[k].number != edges[i].number);
        hash = wri_hash_step(wri_hash_step(hash, edges[i].number), edges[i].count);
    }
    return hash;
}

TEST(another_path_has_other_edges)
{
    uint64_t paths[3] = { path(0), path(1), path(2) };
    CHECK(paths[0] != paths[1] && paths[1] != paths[2] && paths[0] != paths[2]);
    for (int i = 0; i < 3; i++)
        CHECK(path(i) == paths[i]);
}

static uint32_t most_often(size_t rounds)
{
    static const int xs[1000];
    size_t           count;
    uint32_t         most = 0;
    wri_signals_begin();
    counts_zeros(xs, rounds);
    wri_signals_end();
    const wri_edge *edges = wri_edges_taken(&count);
    for (size_t i = 0; i < count; i++)
        most = edges[i].count > most ? edges[i].count : most;
    return most;
}

TEST(edges_are_counted)
{
    CHECK(most_often(1) == 1);
    CHECK(most_often(10) >= 9 && most_often(10) <= 11);
    CHECK(most_often(20) > most_often(10));
}

TEST(a_case_that_does_nothing_takes_no_edge)
{
    size_t count;
    takes_a_path(1);
    wri_signals_begin();
    wri_signals_end();
    wri_edges_taken(&count);
    CHECK(count == 0);
}

/* ---- Two runs ---- */

static void print_everything(void)
{
    size_t           edge_count, comparison_count;
    static const int xs[] = { 1, 0, 2 };
    wri_signals_begin();
    takes_a_path(2);
    is_magic_8(77);
    chooses(5);
    counts_zeros(xs, 3);
    wri_signals_end();
    const wri_edge       *edges = wri_edges_taken(&edge_count);
    const wri_comparison *made = wri_comparisons_made(&comparison_count);
    for (size_t i = 0; i < edge_count; i++)
        printf("%u %u\n", edges[i].number, edges[i].count);
    for (size_t i = 0; i < comparison_count; i++)
        printf("%x %lx %lx\n", made[i].place, (unsigned long)made[i].a, (unsigned long)made[i].b);
    printf("%p\n", (void *)&failures); /* where the program was loaded */
}

/* What another run prints; the address on the last line is cut off, and given back. */
static char *another_run(const char *program, char **address)
{
    char       *command = NULL, *text = calloc(1, 1 << 16);
    const char *emulator = getenv("TEST_EMULATOR"); /* for machine code of another machine */
    int   length = asprintf(&command, "%s '%s' print", emulator == NULL ? "" : emulator, program);
    FILE *run = length < 0 ? NULL : popen(command, "r");
    size_t got = run == NULL ? 0 : fread(text, 1, (1 << 16) - 1, run);
    CHECK(run != NULL && pclose(run) == 0);
    free(command);
    while (got > 0 && text[got - 1] == '\n')
        text[--got] = '\0';
    *address = strrchr(text, '\n');
    if (*address != NULL)
        *(*address)++ = '\0';
    return text;
}

static const char *program; /* argv[0] */

TEST(numbers_are_the_same_wherever_the_program_is_loaded)
{
    bool  moved = false;
    char *first_address, *address, *first = another_run(program, &first_address);
    CHECK(strlen(first) > 20);
    for (int i = 0; i < 5; i++) {
        char *text = another_run(program, &address);
        CHECK(strcmp(first, text) == 0);
        moved |= first_address != NULL && address != NULL && strcmp(first_address, address) != 0;
        free(text);
    }
    if (!moved)
        printf("note: every run was loaded at the same address\n");
    free(first);
}

/* ---- Coverage ---- */

static uint32_t cases_of(const char *function, int *line)
{
    size_t          count = wri_coverage_places();
    uintptr_t      *addresses = calloc(count + 1, sizeof *addresses);
    wri_place_name *names = calloc(count + 1, sizeof *names);
    uint32_t        most = 0;
    bool            found = false;
    for (size_t i = 0; i < count; i++) {
        addresses[i] = wri_coverage_address(i);
        CHECK(addresses[i] != 0);
    }
    CHECK(wri_place_name_all(addresses, count, names));
    for (size_t i = 0; i < count; i++) {
        if (names[i].function == NULL || strcmp(names[i].function, function) != 0)
            continue;
        uint32_t cases = wri_coverage_cases(i);
        most = cases > most ? cases : most;
        found = true;
        *line = names[i].line;
        CHECK(strstr(names[i].file, "signals_subject.c") != NULL);
    }
    CHECK(found);
    free(addresses);
    free(names);
    return most;
}

TEST(places_that_cases_come_to_are_counted)
{
    int    line;
    size_t bytes = wri_coverage_bytes();
    void  *memory = calloc(1, bytes + 1);
    CHECK(bytes > 0);
    wri_coverage_attach(memory);
    wri_coverage_begin();
    for (int i = 0; i < 7; i++)
        is_magic_4(1);
    wri_coverage_end();
    is_magic_2(1);
    CHECK(!wri_coverage_counted());
    CHECK(cases_of("is_magic_4", &line) == 1);
    CHECK(cases_of("is_magic_2", &line) == 0);
    wri_coverage_clear();
    CHECK(cases_of("is_magic_4", &line) == 0);
    for (int i = 0; i < 7; i++) {
        wri_signals_begin();
        is_magic_4(1);
        is_magic_4(2);
        wri_signals_end();
    }
    CHECK(wri_coverage_counted());
    CHECK(cases_of("is_magic_4", &line) == 7);
    CHECK(cases_of("never_called", &line) == 0);
    CHECK(line >= never_called_line && line <= never_called_line + 4);
    wri_coverage_attach(NULL);
    CHECK(wri_coverage_places() == 0);
    wri_place_forget();
    free(memory);
}

int main(int argc, char **argv)
{
    CHECK(wri_edges_present());
    CHECK(wri_comparisons_present());
    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        print_everything();
        return failures != 0;
    }
    program = argv[0];
    int status = run_tests(argc, argv);
    printf(failures == 0 ? "all held\n" : "%d failures\n", failures);
    return status != 0 ? status : failures != 0;
}
