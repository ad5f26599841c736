/* studies/shrinking/subjects.h: what the properties of tuned.c and held_out.c must shrink to.
 *
 * An answer is the drawn values as a report prints them: "name=text; name=text". Each follows
 * from the order of the shrinker (plan/compare.h): fewer choices first, then the first draw as
 * simple as any failing case has it, then the second, and so on. The reason stands above each
 * property.
 */
#ifndef STUDIES_SUBJECTS_H
#define STUDIES_SUBJECTS_H

typedef struct subject {
    const char *half, *kind, *name, *minimum;
} subject;

static const subject SUBJECTS[] = {
    { "tuned", "affine", "affine_simple", "x=10; y=37" },
    { "tuned", "affine", "affine_down", "x=20; y=4960" },
    { "tuned", "affine", "affine_signed", "x=41; y=77" },
    { "tuned", "affine", "nine_fifths", "c=40; f=104" },
    { "tuned", "affine", "affine_three", "x=5; y=5; z=18" },
    { "tuned", "affine", "affine_neighbours", "n=2; xs=[9, 37]" },
    { "tuned", "sum", "sum_exact", "a=0; b=500; c=1000" },
    { "tuned", "sum", "sum_ascending", "a=0; b=1; c=89" },
    { "tuned", "sum", "sum_of_four", "a=3; b=3; c=94; d=100" },
    { "tuned", "sum", "sum_balanced", "n=3; xs=[1, 2, -3]" },
    { "tuned", "sum", "weighted_sum", "a=0; b=20; c=200" },
    { "tuned", "step", "three_in_step", "x=20; y=21; z=22" },
    { "tuned", "step", "progression", "a=10; b=11; c=12" },
    { "tuned", "step", "multiples", "a=7; b=14; c=21" },
    { "tuned", "step", "steps_of_five", "n=3; xs=[51, 56, 61]" },
    { "tuned", "step", "opposites", "x=12; y=-12; z=12" },
    { "tuned", "bits", "low_byte", "x=90" },
    { "tuned", "bits", "low_bits_of_two", "x=9; y=5" },
    { "tuned", "bits", "remainder", "x=41" },
    { "tuned", "bits", "low_bits_above", "x=1009" },
    { "tuned", "bits", "exclusive_or", "x=0; y=60" },
    { "tuned", "stride", "every_twelfth", "x=101" },
    { "tuned", "stride", "two_strides", "x=23; y=34" },
    { "tuned", "stride", "end_of_a_page", "address=4080; length=17" },
    { "tuned", "stride", "last_minute", "minute=1439" },
    { "tuned", "length", "length_in_front", "n=4; bytes=[3, 0, 0, 0]" },
    { "tuned", "length", "length_at_the_end", "n=3; xs=[0, 0, 3]" },
    { "tuned", "length", "two_records", "n=5; bytes=[1, 0, 2, 0, 0]" },
    { "tuned", "length", "count_beside", "k=1; n=1; xs=[50]" },
    { "tuned", "length", "framed", "n=4; bytes=[4, 0, 0, 4]" },
    { "tuned", "set", "opcode", "op=23" },
    { "tuned", "set", "far_set", "x=2003" },
    { "tuned", "set", "prime", "x=503" },
    { "tuned", "set", "square", "x=2025" },
    { "tuned", "set", "two_of_a_set", "x=12; y=47" },
    { "tuned", "set", "area", "w=2; h=180" },
    { "tuned", "set", "palindrome", "x=101" },
    { "tuned", "large", "table_grows",
      "n=26; keys=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
      "13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 0]" },
    { "tuned", "large", "crowded", "n=12; xs=[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]" },
    { "tuned", "large", "two_full_pages",
      "n=16; xs=[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, "
      "1, 1]" },
};

#define SUBJECT_COUNT (sizeof SUBJECTS / sizeof *SUBJECTS)

#endif
