/* warren/criterion.h: a property as a test of Criterion.
 *
 *     WR_CRITERION_PROPERTY(sorting, keeps_the_length) { ... }
 *
 * The test is called sorting::keeps_the_length. A property that fails fails the test. Criterion
 * names the line of the property; the report names the assertion's.
 */
#ifndef WARREN_CRITERION_H
#define WARREN_CRITERION_H

#include <criterion/criterion.h>

#include "host.h"

#define WR_CRITERION_PROPERTY(suite, name) WR_CRITERION_PROPERTY_WITH(suite, name, WR_NO_OPTIONS_)
#define WR_CRITERION_PROPERTY_WITH(suite_, name_, ...)                                           \
    WR_HOSTED_(                                                                                  \
        suite_##_##name_,                                                                        \
        Test(suite_, name_) {                                                                    \
            const wr_told *wr_told_ = wr_hosted_##suite_##_##name_##_();                         \
            if (wr_told_->status == WR_HOST_SKIPPED_)                                            \
                cr_skip_test("the property was skipped");                                        \
            if (wr_told_->status != WR_HOST_HELD_)                                               \
                cr_assert_fail("%s", wr_told_->report);                                          \
        },                                                                                       \
        __VA_ARGS__)

#endif
