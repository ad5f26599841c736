/* warren/fuzz.h: a property as the target of a fuzzer: libFuzzer, or AFL++ in persistent mode.
 *
 *     #include <warren/fuzz.h>
 *
 *     WR_PROPERTY(parsing_what_was_printed_gives_the_same) { ... }
 *
 *     WR_FUZZ(parsing_what_was_printed_gives_the_same)
 *
 *     clang -g -fsanitize=fuzzer,address test.c -o fuzz $(pkg-config --cflags --libs warren)
 *     afl-clang-fast -g test.c -o fuzz $(pkg-config --cflags --libs warren)
 *
 * The fuzzer's bytes become the answers of the property's draws, in order; each answer has a
 * place of its own, as wide as its type. A failed assertion is printed with its values, and ends
 * in abort(), so the fuzzer keeps the input. The same program, built without a fuzzer, shrinks
 * and stores it: ./test --fuzz-files crash-0123. --fuzz-files also takes a folder, such as a
 * corpus;
 * --fuzz-export DIR writes the corpus of a guided search as inputs of the fuzzer.
 *
 *  - Labels, states and numbers of the property lead libFuzzer as coverage does.
 *  - Cases run in the fuzzer's process: no deadline, no limits, no isolation but the fuzzer's.
 *  - Without a fuzzer WR_FUZZ defines nothing that is called.
 */
#ifndef WARREN_FUZZ_H
#define WARREN_FUZZ_H

/* The fuzzer gets the compiler's coverage. Include this header before warren.h. */
#if !defined(WR_SIGNALS) && !defined(WR_NO_SIGNALS)
#define WR_NO_SIGNALS
#endif
#include "../warren.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the named property on these bytes. `counters`, which may be NULL, has a byte for each of
 * `count` features, and those that the case shows are set. Aborts if the case fails; ends the
 * process if there is no such property. */
WR_API void wr_fuzz(const char *property, const uint8_t *data, size_t size, uint8_t *counters,
                    size_t count);

#ifdef __cplusplus
}
#define WR_FUZZ_LINKAGE_ extern "C"
#else
#define WR_FUZZ_LINKAGE_
#endif

/* libFuzzer takes this section for coverage. */
#define WR_FUZZ_COUNTERS_ 16384

/* clang-format off */
/* Makes the property, which the program defines, the target. Once in a program. */
#define WR_FUZZ(property)                                                                        \
    static uint8_t wr_fuzz_counters_[WR_FUZZ_COUNTERS_]                                          \
        __attribute__((used, section("__libfuzzer_extra_counters")));                            \
    WR_FUZZ_LINKAGE_ int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);               \
    WR_FUZZ_LINKAGE_ int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                \
    {                                                                                            \
        wr_fuzz(#property, data, size, wr_fuzz_counters_, WR_FUZZ_COUNTERS_);                    \
        return 0;                                                                                \
    }                                                                                            \
    WR_FUZZ_MAIN_                                                                                \
    typedef int wr_fuzz_ends_here_
/* clang-format on */

#ifdef __AFL_LOOP
#include <unistd.h>
__AFL_FUZZ_INIT();
#define WR_FUZZ_MAIN_                                                                            \
    int main(void)                                                                               \
    {                                                                                            \
        __AFL_INIT();                                                                            \
        const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;                                           \
        while (__AFL_LOOP(100000))                                                               \
            LLVMFuzzerTestOneInput(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);                       \
        return 0;                                                                                \
    }
#else
#define WR_FUZZ_MAIN_
#endif

#endif
