/* bench/challenges.h: what the properties of challenges.c must shrink to.
 *
 * The fifteen are those of the shrinking challenge (jlink/shrinking-challenge) and three more;
 * the others are of the same kinds. An answer is the drawn values as a report prints them:
 * "name=text; name=text".
 */
#ifndef BENCH_CHALLENGES_H
#define BENCH_CHALLENGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct challenge {
    const char *name;
    const char *minimum;
    double      bar;   /* for the mean of executions after the first failure; 0: none */
    bool        large; /* first failures of 50 choices and more come up */
} challenge;

#define HELD_OUT .bar = 0

static const challenge CHALLENGES[] = {
    { "reverse", "n=2; xs=[0, 1]", .bar = 15, .large = true },
    { "deletion", "n=2; xs=[0, 0]; i=0", .bar = 30, .large = true },
    { "coupling", "n=2; xs=[1, 0]", .bar = 40 },
    { "distinct", "n=3; xs=[0, 1, -1]", .bar = 40, .large = true },
    { "lengthlist", "n=1; xs=[900]", .bar = 40, .large = true },
    { "above_999", "n=1; xs=[1000]", .bar = 35, .large = true },
    { "difference_zero", "x=10; y=10", .bar = 45 },
    { "difference_small", "x=10; y=6", .bar = 75 },
    { "difference_one", "x=10; y=9", .bar = 70 },
    { "nestedlists", "lists=[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]", .bar = 60, .large = true },
    { "calculator", "e=0 / (0 + 0)", .bar = 80, .large = true },
    { "sum", "n=2; xs=[5000, 5000]", .bar = 140, .large = true },
    { "large_union_list", "lists=[[0, 1, -1, 2, -2]]", .bar = 160, .large = true },
    { "bound5", "a=[]; b=[]; c=[]; d=[-1]; e=[-32768]", .bar = 200, .large = true },
    { "binheap", "heap=(0 _ (0 (0 _ _) (1 _ _)))", .bar = 250 },

    { "parallel_arrays", "n=1; ids=[100]; weights=[101]", HELD_OUT },
    { "brackets_in_text", "s=\"()\"", HELD_OUT },
    { "matrix_column", "rows=2; columns=1; row=[50]; row[1]=[100]", HELD_OUT },
    { "fraction", "x=2.5", HELD_OUT },
    { "twice_the_same_key", "n=2; keys=[0, 0]; i=0; j=1", HELD_OUT },
    { "no_involution", "n=3; order=[1, 2, 0]", HELD_OUT },
    { "deep_tree", "tree=(7 (0 0))", HELD_OUT },
    { "intervals_overlap", "n=2; intervals=0..0 0..5", HELD_OUT },
    { "integer_as_length", "k=2; x=50; x[1]=100", HELD_OUT },
    { "offset_wraps", "base=1; offset=4294967295", HELD_OUT },
    { "pushes_and_pops", "n=4; calls=[1, 1, 2, 2]", HELD_OUT },
    { "unsorted", "n=2; xs=[0, -1]", HELD_OUT },
    { "three_addends", "x=1; y=1; z=4998", HELD_OUT },
    { "states", "n=3; op=3; op[1]=1; op[2]=3", HELD_OUT },

    { "token_left_open", "text=\"<!--\"", .bar = 20 },
    { "tokens_in_order", "text=\"<\\\">\"", .bar = 80 },
    { "bytes_of_a_chunk", "bytes=\"IHDR\\x00\\xff\"", .bar = 35 },
    { "word_inside", "text=\"&amp;x\"", .bar = 180 },
    { "sharp_s", "c=U+00DF", .bar = 30 },
    { "astral", "c=U+10000", .bar = 40 },
    { "space_in_a_name", "name=\"a \"", .bar = 60 },
    { "private_address", "address=\"172.16.0.0\"", .bar = 80 },
    { "capital_address", "address=\"::A\"", .bar = 50 },
    { "leap_day", "day=2000-02-29", .bar = 35 },
    { "before_1950", "day=1949-12-01", .bar = 60 },
    { "last_second", "time=12:00:59", .bar = 50 },
    { "varied_bush", "a=(0 0); b=0", .bar = 80 },
    { "alternative_form", "format=\"%#.0x\"", .bar = 25 },
};

#define CHALLENGE_COUNT (sizeof CHALLENGES / sizeof *CHALLENGES)
#define FIFTEEN 15

#endif
