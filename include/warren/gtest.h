/* warren/gtest.h: a property as a test of GoogleTest.
 *
 *     WR_GTEST_PROPERTY(Sorting, KeepsTheLength) { ... }
 *
 * A property that fails fails the test, at the place of its assertion, with the report.
 */
#ifndef WARREN_GTEST_H
#define WARREN_GTEST_H

#include <gtest/gtest.h>

#include "host.h"

#define WR_GTEST_PROPERTY(suite, name) WR_GTEST_PROPERTY_WITH(suite, name, WR_NO_OPTIONS_)
#define WR_GTEST_PROPERTY_WITH(suite_, name_, ...)                                               \
    WR_HOSTED_(                                                                                  \
        suite_##_##name_,                                                                        \
        TEST(suite_, name_) {                                                                    \
            const wr_told *wr_told_ = wr_hosted_##suite_##_##name_##_();                         \
            if (wr_told_->status == WR_HOST_SKIPPED_)                                            \
                GTEST_SKIP() << "the property was skipped";                                      \
            if (wr_told_->status != WR_HOST_HELD_)                                               \
                GTEST_FAIL_AT(wr_told_->file, wr_told_->line) << wr_told_->report;               \
        },                                                                                       \
        __VA_ARGS__)

#endif
