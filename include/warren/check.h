/* warren/check.h: a property as a test of Check.
 *
 *     WR_CHECK_PROPERTY(sorting_keeps_the_length) { ... }
 *
 *     tcase_add_test(tcase, sorting_keeps_the_length);
 *
 * A property that fails fails the test, at the place of its assertion, with the report. Check
 * has no skipped tests: a property that skips passes. Check ends a test after 4 seconds; use
 * tcase_set_timeout() for a property that takes longer.
 */
#ifndef WARREN_CHECK_H
#define WARREN_CHECK_H

#include <check.h>

#include "host.h"

#define WR_CHECK_PROPERTY(name) WR_CHECK_PROPERTY_WITH(name, WR_NO_OPTIONS_)
#define WR_CHECK_PROPERTY_WITH(name_, ...)                                                       \
    WR_HOSTED_(                                                                                  \
        name_, START_TEST(name_) { wr_check_end_(wr_hosted_##name_##_()); } END_TEST,            \
        __VA_ARGS__)

static inline void wr_check_end_(const wr_told *told)
{
    if (told->status != WR_HOST_HELD_ && told->status != WR_HOST_SKIPPED_)
        _ck_assert_failed(told->file, told->line, "property failed", "%s", told->report);
}

#endif
