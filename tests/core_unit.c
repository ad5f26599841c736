/* tests/core_unit.c: the room core/ by itself: the stream, the arena, traces, paths. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "core/arena.h"
#include "core/folder.h"
#include "core/grow.h"
#include "core/note.h"
#include "core/prng.h"
#include "core/trace.h"
#include "unit.h"

/* These numbers are what a seed means: a change of them changes every run of every user. */
TEST(a_seed_means_the_same_stream_for_ever)
{
    uint64_t first = wri_prng_stream(1, 0), later = wri_prng_stream(42, 1000000);
    CHECK(first == UINT64_C(0x97e5df3f4209048e));
    CHECK(wri_prng_next(&first) == UINT64_C(0x2c81a64177c1767b));
    CHECK(wri_prng_next(&later) == UINT64_C(0xba76836ec5341e95));
}

TEST(streams_of_neighbouring_cases_share_nothing)
{
    for (uint64_t index = 0; index < 100; index++) {
        uint64_t one = wri_prng_stream(7, index), two = wri_prng_stream(7, index + 1);
        uint64_t drawn = wri_prng_next(&one);
        for (int i = 0; i < 100; i++)
            CHECK(wri_prng_next(&two) != drawn);
    }
}

TEST(scaling_reaches_both_ends_of_any_bound)
{
    CHECK(wri_prng_scale(0, 9) == 0 && wri_prng_scale(UINT64_MAX, 9) == 9);
    CHECK(wri_prng_scale(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
    CHECK(wri_prng_scale(UINT64_MAX, 0) == 0);
}

TEST(an_arena_gives_aligned_memory_up_to_its_limit)
{
    wri_arena arena = { 0 };
    CHECK(wri_arena_start(&arena, (size_t)1 << 20));
    for (size_t bytes = 0; bytes < 100; bytes++) {
        char *block = wri_arena_take(&arena, bytes);
        CHECK(block != NULL && (uintptr_t)block % WRI_ALIGN == 0);
        memset(block, 1, bytes);
    }
    CHECK(wri_arena_take(&arena, (size_t)2 << 20) == NULL);
    CHECK(wri_arena_take(&arena, SIZE_MAX - 8) == NULL);
    wri_arena_reset(&arena);
    CHECK(wri_arena_take(&arena, (size_t)1 << 18) != NULL);
    wri_arena_free(&arena);
}

static wri_node choice(uint32_t parent, uint64_t number, uint64_t max)
{
    return (wri_node){ .what = WRI_CHOICE,
                       .kind = WRI_INTEGER,
                       .parent = parent,
                       .tie = WRI_NO_NODE,
                       .number = number,
                       .max = max };
}

/* A case of two choices. */
static wri_trace two_choices(uint64_t first, uint64_t second)
{
    wri_trace trace = { 0 };
    CHECK(wri_trace_reserve(&trace, 3, 0));
    trace.nodes[0] = (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    trace.nodes[1] = choice(0, first, 10);
    trace.nodes[2] = choice(0, second, 10);
    trace.node_count = 3;
    return trace;
}

TEST(a_trace_that_points_outside_is_not_valid)
{
    wri_trace trace = two_choices(1, 2);
    CHECK(wri_trace_valid(&trace) && wri_trace_choices(&trace) == 2);
    trace.nodes[2].number = 11;
    CHECK(!wri_trace_valid(&trace));
    trace.nodes[2].number = 2;
    trace.nodes[2].parent = 7;
    CHECK(!wri_trace_valid(&trace));
    trace.nodes[2].parent = 0;
    trace.nodes[2].what = WRI_ARRAY;
    trace.nodes[2].count = 3;
    CHECK(!wri_trace_valid(&trace));
    wri_trace_free(&trace);
}

TEST(the_shape_of_a_trace_is_its_requests_not_its_answers)
{
    wri_trace one = two_choices(1, 2), two = two_choices(3, 4), copy = { 0 };
    CHECK(wri_trace_shape(&one) == wri_trace_shape(&two));
    two.nodes[1].max = 9;
    CHECK(wri_trace_shape(&one) != wri_trace_shape(&two));
    CHECK(wri_trace_copy(&copy, &one) && wri_trace_shape(&copy) == wri_trace_shape(&one));
    CHECK(copy.nodes != one.nodes && copy.nodes[2].number == 2);
    wri_trace_free(&one);
    wri_trace_free(&two);
    wri_trace_free(&copy);
}

TEST(an_array_grows_one_by_one_and_keeps_its_elements)
{
    size_t room = 0;
    int   *array = NULL;
    for (size_t i = 0; i < 1000; i++) {
        array = wri_grow(array, sizeof *array, i, &room);
        CHECK(array != NULL && room > i);
        array[i] = (int)i;
    }
    for (size_t i = 0; i < 1000; i++)
        CHECK(array[i] == (int)i);
    free(array);
}

TEST(a_folder_is_removed_without_following_links)
{
    char folder[] = "/tmp/warren-core-XXXXXX", other[] = "/tmp/warren-core-XXXXXX", path[100];
    CHECK(mkdtemp(folder) != NULL && mkdtemp(other) != NULL);
    snprintf(path, sizeof path, "%s/link", folder);
    CHECK(symlink(other, path) == 0);
    snprintf(path, sizeof path, "%s/deeper", folder);
    CHECK(mkdir(path, 0700) == 0);
    wri_folder_remove(folder);
    CHECK(access(folder, F_OK) != 0);
    CHECK(access(other, F_OK) == 0);
    CHECK(rmdir(other) == 0);
    CHECK(strcmp(wri_folder_last_name("/a/b/c"), "c") == 0);
    CHECK(strcmp(wri_folder_last_name("c"), "c") == 0);
}

TEST(a_folder_of_any_depth_is_removed_also_one_that_is_shut)
{
    char folder[] = "/tmp/warren-core-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 700 && at >= 0; i++) {
        int inner = -1;
        if (mkdirat(at, i == 0 ? "lifted-1" : "deeper", 0700) == 0)
            inner = openat(at, i == 0 ? "lifted-1" : "deeper", O_RDONLY | O_DIRECTORY);
        if (i % 100 == 50)
            fchmod(at, 0);
        close(at);
        at = inner;
    }
    CHECK(at >= 0 && close(at) == 0);
    wri_folder_remove(folder);
    CHECK(access(folder, F_OK) != 0);
}

TEST(what_took_a_folders_place_is_removed)
{
    char other[] = "/tmp/warren-core-XXXXXX", path[100];
    CHECK(mkdtemp(other) != NULL);
    snprintf(path, sizeof path, "%s-link", other);
    CHECK(symlink(other, path) == 0);
    wri_folder_remove(path);
    CHECK(access(path, F_OK) != 0 && access(other, F_OK) == 0);
    CHECK(mkfifo(path, 0600) == 0);
    wri_folder_remove(path);
    CHECK(access(path, F_OK) != 0 && rmdir(other) == 0);
}

TEST(a_note_that_is_too_long_is_cut)
{
    wri_note note;
    CHECK(!wri_note_refuse(&note, "%2000d", 1) && strlen(note.text) == sizeof note.text - 1);
    CHECK(!wri_note_refuse(NULL, "nobody reads this"));
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
