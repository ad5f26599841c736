/* tests/unit.h: tests of a unit that register themselves, and can be run by name.
 *
 *     TEST(reals_come_back_from_their_numbers) { ... }
 *
 *     gen_unit                                        runs all tests, in the order of the file
 *     gen_unit reals_come_back_from_their_numbers     runs one
 *     gen_unit --list                                 prints the names
 */
#ifndef WRI_TESTS_UNIT_H
#define WRI_TESTS_UNIT_H

#include <stdio.h>
#include <string.h>

typedef struct unit_test {
    const char *name;
    void (*run)(void);
    struct unit_test *next;
} unit_test;

static unit_test *unit_first, **unit_end = &unit_first;

#define TEST(name_)                                                                              \
    static void                              name_(void);                                        \
    __attribute__((constructor)) static void unit_enter_##name_(void)                            \
    {                                                                                            \
        static unit_test test = { #name_, name_, NULL };                                         \
        *unit_end = &test;                                                                       \
        unit_end = &test.next;                                                                   \
    }                                                                                            \
    static void name_(void)

/* Runs the tests that the arguments name; all of them where there are none. Returns 0, or 99 and
 * a line if a name is not that of a test. */
static int run_tests(int argc, char **argv)
{
    for (const unit_test *test = unit_first; test != NULL && argc < 2; test = test->next)
        test->run();
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (const unit_test *test = unit_first; test != NULL; test = test->next)
            puts(test->name);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        const unit_test *test = unit_first;
        while (test != NULL && strcmp(test->name, argv[i]) != 0)
            test = test->next;
        if (test == NULL) {
            printf("%s: \"%s\" is not the name of a test (--list prints them)\n", argv[0],
                   argv[i]);
            return 99;
        }
        test->run();
    }
    return 0;
}

#endif
