/* tests/check.h: for the units: a check that says where it failed, and goes on. main() returns
 * whether there were failures. */
#ifndef WRI_TESTS_CHECK_H
#define WRI_TESTS_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                               \
            failures++;                                                                          \
        }                                                                                        \
    } while (0)

#endif
