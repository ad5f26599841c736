/* warren/catch2.h: a property as a test of Catch2, version 2 or 3.
 *
 *     WR_CATCH_PROPERTY(keeps_the_length, "[sorting]") { ... }
 *
 * A property that fails fails the test. Catch2 names the line of the property; the report names
 * the assertion's. Catch2 before 3.3 has no skipped tests: there a property that skips passes.
 */
#ifndef WARREN_CATCH2_H
#define WARREN_CATCH2_H

#if defined(__has_include) && __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_test_macros.hpp>
#endif

#include "host.h"

#define WR_CATCH_PROPERTY(name, tags) WR_CATCH_PROPERTY_WITH(name, tags, WR_NO_OPTIONS_)
#define WR_CATCH_PROPERTY_WITH(name_, tags_, ...)                                                \
    WR_HOSTED_(                                                                                  \
        name_,                                                                                   \
        TEST_CASE(#name_, tags_) {                                                               \
            const wr_told *wr_told_ = wr_hosted_##name_##_();                                    \
            if (wr_told_->status == WR_HOST_SKIPPED_) {                                          \
                WR_CATCH_SKIP_;                                                                  \
            } else if (wr_told_->status != WR_HOST_HELD_) {                                      \
                FAIL(wr_told_->report);                                                          \
            } else {                                                                             \
                SUCCEED();                                                                       \
            }                                                                                    \
        },                                                                                       \
        __VA_ARGS__)

#ifdef SKIP
#define WR_CATCH_SKIP_ SKIP("the property was skipped")
#else
#define WR_CATCH_SKIP_ SUCCEED("the property was skipped")
#endif

#endif
