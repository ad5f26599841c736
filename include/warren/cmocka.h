/* warren/cmocka.h: a property as a test of cmocka.
 *
 *     WR_CMOCKA_PROPERTY(sorting_keeps_the_length) { ... }
 *
 *     int main(void)
 *     {
 *         const struct CMUnitTest tests[] = { cmocka_unit_test(sorting_keeps_the_length) };
 *         return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 *
 * A property that fails fails the test, at the place of its assertion, with the report.
 */
#ifndef WARREN_CMOCKA_H
#define WARREN_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs those above. */
#include <cmocka.h>

#include "host.h"

#define WR_CMOCKA_PROPERTY(name) WR_CMOCKA_PROPERTY_WITH(name, WR_NO_OPTIONS_)
#define WR_CMOCKA_PROPERTY_WITH(name_, ...)                                                      \
    WR_HOSTED_(                                                                                  \
        name_,                                                                                   \
        static void name_(void **wr_state_) {                                                    \
            (void)wr_state_;                                                                     \
            wr_cmocka_end_(wr_hosted_##name_##_());                                              \
        },                                                                                       \
        __VA_ARGS__)

static inline void wr_cmocka_end_(const wr_told *told)
{
    if (told->status == WR_HOST_SKIPPED_)
        _skip(told->file, told->line);
    if (told->status == WR_HOST_HELD_)
        return;
    print_error("%s\n", told->report);
    _fail(told->file, told->line);
}

#endif
