/* tests/constants_unit.c: constants of machine code, of tables and of texts, from bytes of both
 * machines and from this program's own file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "constants/decode.h"
#include "constants/dictionary.h"
#include "core/prng.h"
#include "check.h"
#include "starve.h"
#include "unit.h"

/* ---- Code ---- */

typedef struct found {
    int64_t  compared[16], loaded[16];
    size_t   compared_count, loaded_count;
    uint64_t addresses[8], reals[8];
    size_t   address_count, real_count;
    double   real;
    char     bytes[64];
    size_t   byte_count;
} found;

static void on_number(void *context, uint64_t number, unsigned width, wri_decoded_use use)
{
    found   *to = context;
    unsigned unused = 64 - 8 * width;
    int64_t  value = (int64_t)(number << unused) >> unused;
    if (use == WRI_DECODED_COMPARED && to->compared_count < 16)
        to->compared[to->compared_count++] = value;
    else if (use == WRI_DECODED_LOADED && to->loaded_count < 16)
        to->loaded[to->loaded_count++] = value;
}

static void on_real(void *context, double value, wri_decoded_use use)
{
    (void)use;
    ((found *)context)->real = value;
}

static void on_real_at(void *context, uint64_t address, unsigned width, wri_decoded_use use)
{
    found *to = context;
    (void)use;
    if (to->real_count < 8)
        to->reals[to->real_count++] = address << 4 | width;
}

static void on_address(void *context, uint64_t address)
{
    found *to = context;
    if (to->address_count < 8)
        to->addresses[to->address_count++] = address;
}

static void on_bytes(void *context, const char *bytes, size_t count)
{
    found *to = context;
    if (to->byte_count + count <= sizeof to->bytes)
        memcpy(to->bytes + to->byte_count, bytes, count);
    to->byte_count += count;
}

static bool has(const int64_t *values, size_t count, int64_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == wanted)
            return true;
    return false;
}
#define COMPARED(of, value) CHECK(has((of).compared, (of).compared_count, value))
#define LOADED(of, value) CHECK(has((of).loaded, (of).loaded_count, value))

#define X86(...)                                                                                 \
    decode_x86((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))
static found decode_x86(const uint8_t *code, size_t bytes)
{
    found             of = { 0 };
    const wri_decoded to = { on_number, on_real, on_real_at, on_address, on_bytes, &of };
    wri_decode_x86(code, bytes, 0x1000, &to);
    return of;
}

TEST(comparisons_of_x86_code_give_their_numbers)
{
    found of = X86(0x81, 0xff, 0x38, 0x30, 0, 0,             /* cmp $12344, %edi */
                   0x3c, 0xfe,                               /* cmp $0xfe, %al */
                   0x48, 0x3d, 0x00, 0x10, 0, 0,             /* cmp $4096, %rax */
                   0x66, 0x81, 0x7b, 0x08, 0x34, 0x12,       /* cmpw $0x1234, 8(%rbx) */
                   0x83, 0xbc, 0x24, 0x90, 0, 0, 0, 0x2a,    /* cmpl $42, 0x90(%rsp) */
                   0x48, 0x81, 0xf9, 0x18, 0xfc, 0xff, 0xff, /* cmp $-1000, %rcx */
                   0xc3);
    COMPARED(of, 12344);
    COMPARED(of, -2);
    COMPARED(of, 4096);
    COMPARED(of, 0x1234);
    COMPARED(of, 42);
    COMPARED(of, -1000);
    CHECK(of.compared_count == 6);
}

TEST(a_range_that_x86_code_asks_for_gives_both_ends)
{
    found of = X86(0x8d, 0x87, 0x78, 0xec, 0xff, 0xff, /* lea -5000(%rdi), %eax */
                   0x3d, 0xe8, 0x03, 0, 0,             /* cmp $1000, %eax */
                   0x83, 0xe9, 0x1e,                   /* sub $30, %ecx */
                   0x83, 0xf9, 0x0a);                  /* cmp $10, %ecx */
    COMPARED(of, 5000);
    COMPARED(of, 6000);
    COMPARED(of, 30);
    COMPARED(of, 40);
}

TEST(instructions_of_every_shape_are_as_long_as_they_are)
{
    found of = X86(0xf3, 0x0f, 0x1e, 0xfa,                               /* endbr64 */
                   0xc5, 0xf9, 0x2e, 0x05, 0x10, 0, 0, 0,                /* vucomisd 16(%rip) */
                   0xc4, 0xe3, 0x7d, 0x19, 0xc1, 0x01,                   /* vextractf128 $1 */
                   0x62, 0xf1, 0x7c, 0x48, 0x28, 0x40, 0x01,             /* vmovaps (evex) */
                   0xf6, 0x47, 0x10, 0x04, 0xf7, 0xd8,                   /* testb $4, neg */
                   0x48, 0xb8, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, /* movabs */
                   0x69, 0xc0, 0x10, 0x27, 0, 0,                         /* imul $10000 */
                   0x0f, 0x84, 0x11, 0x11, 0x11, 0x11,                   /* je */
                   0x0f, 0xba, 0xe0, 0x05, 0x66, 0x0f, 0x3a, 0x0b, 0xc0, 0x09, /* bt, roundsd */
                   0xc8, 0x10, 0, 0, 0xc2, 0x08, 0,                            /* enter, ret $8 */
                   0xa1, 1, 2, 3, 4, 5, 6, 7, 8,              /* mov moffs, %eax */
                   0x41, 0x81, 0xfd, 0x67, 0x45, 0x23, 0x01); /* cmp, %r13d */
    COMPARED(of, 0x1234567);
    LOADED(of, 0x123456789abc);
    CHECK(of.compared_count == 1);
    CHECK(of.real_count == 1 && of.reals[0] == ((0x100c + 0x10) << 4 | 8));
    CHECK(of.address_count == 1 && of.addresses[0] == 0x100c + 0x10);
}

TEST(x86_code_that_compares_memory_gives_its_letters)
{
    found of = X86(0x81, 0x3f, 'M', 'A', 'G', 'I',   /* cmpl $"MAGI", (%rdi) */
                   0x75, 0x08,                       /* jne */
                   0x66, 0x81, 0x7f, 0x04, 'C', 'K', /* cmpw $"CK", 4(%rdi) */
                   0x80, 0x7f, 0x06, 'Y');           /* cmpb $'Y', 6(%rdi) */
    CHECK(of.byte_count == 7 && memcmp(of.bytes, "MAGICKY", 7) == 0);
}

#define ARM(...)                                                                                 \
    decode_arm((const uint32_t[]){ __VA_ARGS__ },                                                \
               sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
static found decode_arm(const uint32_t *words, size_t count)
{
    uint8_t           code[64];
    found             of = { 0 };
    const wri_decoded to = { on_number, on_real, on_real_at, on_address, on_bytes, &of };
    for (size_t i = 0; i < 4 * count; i++)
        code[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    wri_decode_arm(code, 4 * count, 0x1000, &to);
    return of;
}

TEST(comparisons_of_arm_code_give_their_numbers)
{
    found of = ARM(0x7103e81f,  /* cmp w0, #250 */
                   0xf140081f,  /* cmp x0, #2, lsl #12 */
                   0x3100281f,  /* cmn w0, #10 */
                   0x52860701,  /* mov w1, #0x3038 */
                   0x6b01001f,  /* cmp w0, w1 */
                   0x7a4a1800); /* ccmp w0, #10, #0, ne */
    COMPARED(of, 250);
    COMPARED(of, 8192);
    COMPARED(of, -10);
    COMPARED(of, 12344);
    COMPARED(of, 10);
    LOADED(of, 12344);
}

TEST(arm_code_makes_numbers_of_parts_and_of_patterns)
{
    found of = ARM(0xd2935781,  /* mov x1, #0x9abc */
                   0xf2aacf01,  /* movk x1, #0x5678, lsl #16 */
                   0xf2c24681,  /* movk x1, #0x1234, lsl #32 */
                   0xeb01001f,  /* cmp x0, x1 */
                   0x3200f3e2); /* mov w2, #0x55555555 */
    COMPARED(of, 0x123456789abc);
    LOADED(of, 0x123456789abc);
    LOADED(of, 0x55555555);
    CHECK(!has(of.loaded, of.loaded_count, 0x9abc));
    of = ARM(0x51027c00,  /* sub w0, w0, #159 */
             0x7100281f); /* cmp w0, #10 */
    COMPARED(of, 159);
    COMPARED(of, 169);
}

TEST(arm_code_refers_to_data_by_page_and_offset)
{
    found of = ARM(0xb0000000,  /* adrp x0, 0x2000 */
                   0x91004000,  /* add x0, x0, #16 */
                   0xb0000001,  /* adrp x1, 0x2000 */
                   0xfd401020,  /* ldr d0, [x1, #32] */
                   0x1e6a1002); /* fmov d2, #0.25 */
    CHECK(of.address_count == 2 && of.addresses[0] == 0x2010 && of.addresses[1] == 0x2020);
    CHECK(of.real_count == 1 && of.reals[0] == (0x2020 << 4 | 8));
    CHECK(of.real == 0.25);
}

TEST(any_bytes_can_be_decoded)
{
    uint64_t random = 5;
    uint8_t  code[64];
    for (int i = 0; i < 20000; i++) {
        found             of = { 0 };
        const wri_decoded to = { on_number, on_real, on_real_at, on_address, on_bytes, &of };
        for (size_t k = 0; k < sizeof code; k += 8) {
            uint64_t word = wri_prng_next(&random);
            memcpy(code + k, &word, 8);
        }
        size_t bytes = (size_t)(i % 64);
        of.byte_count = sizeof of.bytes; /* letters are only counted */
        wri_decode_x86(code + 64 - bytes, bytes, (uint64_t)i, &to);
        of.byte_count = sizeof of.bytes;
        wri_decode_arm(code + 64 - bytes, bytes, (uint64_t)i, &to);
    }
}

/* ---- This program ---- */

static const int LIMITS[] = { 77001, 77002, 3, 77004 };
static const char *volatile WORD = "rhododendron";

/* Code whose constants this program's dictionary must have. */
static __attribute__((noinline)) int classify(int x, double d, int i)
{
    int sum = 0;
    sum += x >= 616161;
    sum += x >= 505000 && x <= 505099;
    sum += d > 273.15625;
    sum += x > LIMITS[i & 3];
    return sum;
}

static bool has_number(const wri_dictionary *in, int64_t value)
{
    for (size_t i = 0; i < in->number_count; i++)
        if (in->numbers[i].value == value)
            return true;
    return false;
}

TEST(the_own_dictionary_has_the_constants_of_the_code)
{
    const wri_dictionary *own = wri_dictionary_own();
    bool                  real = false, word = false;
    volatile int          x = (int)strlen(WORD);
    CHECK(classify(x, x, x) == 0);
    CHECK(own == wri_dictionary_own());
    CHECK(has_number(own, 77001) && has_number(own, 77002) && has_number(own, 77004));
#if defined __x86_64__ || defined __aarch64__
    CHECK(has_number(own, 616161) || has_number(own, 616160));
    CHECK(has_number(own, 505000) || has_number(own, 504999));
    CHECK(has_number(own, 505099) || has_number(own, 505100));
    for (size_t i = 0; i < own->real_count; i++)
        real |= own->reals[i].value == 273.15625;
    CHECK(real);
#endif
    for (size_t i = 0; i < own->word_count; i++)
        word |= strcmp(own->words[i], "rhododendron") == 0;
    CHECK(word);
}

TEST(a_dictionary_is_sorted_and_says_the_same_each_time)
{
    wri_dictionary one = wri_dictionary_read("/proc/self/exe");
    wri_dictionary other = wri_dictionary_read("/proc/self/exe");
    CHECK(one.number_count > 10 && one.number_count == other.number_count);
    CHECK(one.word_count > 10 && one.word_count == other.word_count);
    for (size_t i = 0; i < one.number_count; i++) {
        CHECK(one.numbers[i].value == other.numbers[i].value);
        CHECK(one.numbers[i].weight == other.numbers[i].weight && one.numbers[i].weight > 0);
        if (i > 0) {
            CHECK(one.numbers[i - 1].value < one.numbers[i].value);
            CHECK(one.numbers[i - 1].before + one.numbers[i - 1].weight == one.numbers[i].before);
        }
    }
    for (size_t i = 0; i < one.word_count; i++) {
        CHECK(strcmp(one.words[i], other.words[i]) == 0);
        CHECK(i == 0 || strcmp(one.words[i - 1], one.words[i]) < 0);
    }
    wri_dictionary_free(&one);
    wri_dictionary_free(&other);
}

TEST(chosen_constants_lie_in_the_range)
{
    static const wri_known_number NUMBERS[] = { { -7, 2, 0 }, { 10, 16, 2 }, { 500, 2, 18 } };
    static const wri_known_real   REALS[] = { { 0.5, 2, 0 }, { 2.25, 16, 2 } };
    const wri_dictionary          of = { NUMBERS, 3, REALS, 2, NULL, 0 };
    int64_t                       value = 0;
    double                        real = 0;
    size_t                        tens = 0, whole = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        CHECK(wri_dictionary_number(&of, 0, 10, wri_prng_mix(i), &value));
        CHECK(value == 9 || value == 10);
        CHECK(wri_dictionary_number(&of, INT64_MIN, INT64_MAX, wri_prng_mix(i), &value));
        CHECK(llabs(value + 7) <= 1 || llabs(value - 10) <= 1 || llabs(value - 500) <= 1);
        tens += llabs(value - 10) <= 1;
        CHECK(wri_dictionary_real(&of, 0.25, 20, wri_prng_mix(i), &real));
        CHECK(real == 0.5 || real == 2.25 || (real >= 9 && real <= 11));
        whole += real >= 9;
        CHECK(!wri_dictionary_number(&of, 11, 499, i, &value));
        CHECK(!wri_dictionary_real(&of, 3, 4, i, &real));
    }
    CHECK(tens > 700 && tens < 900);
    CHECK(whole > 150 && whole < 350);
}

/* What cannot be kept is left out: a dictionary is never wrong. */
TEST(memory_may_run_out)
{
    starving.count = 0;
    wri_dictionary whole = wri_dictionary_read("/proc/self/exe");
    size_t         step = starving.count / (getenv("TEST_FULL") != NULL ? 300 : 20) + 1;
    STARVE(step)
    {
        wri_dictionary of = wri_dictionary_read("/proc/self/exe");
        CHECK(of.number_count <= whole.number_count && of.word_count <= whole.word_count);
        for (size_t i = 0; i < of.number_count && i < 50; i++)
            CHECK(has_number(&whole, of.numbers[i].value));
        wri_dictionary_free(&of);
    }
    wri_dictionary_free(&whole);
}

TEST(files_that_are_no_programs_have_no_constants)
{
    char           path[] = "/tmp/warren-constants-XXXXXX", all[4096];
    int            file = mkstemp(path);
    FILE          *from = fopen("/proc/self/exe", "rb");
    size_t         count = from == NULL ? 0 : fread(all, 1, sizeof all, from);
    wri_dictionary of = wri_dictionary_read("/there/is/no/such/file");
    CHECK(of.number_count + of.real_count + of.word_count == 0);
    wri_dictionary_free(&of);
    CHECK(count == sizeof all && file >= 0);
    fclose(from);
    for (size_t bytes = 0; bytes <= count; bytes = bytes * 2 + 8) { /* cut short */
        CHECK(pwrite(file, all, bytes, 0) == (ssize_t)bytes);
        of = wri_dictionary_read(path);
        CHECK(of.number_count == 0);
        wri_dictionary_free(&of);
    }
    close(file);
    unlink(path);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
