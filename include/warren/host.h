/* warren/host.h: the part that all headers for test frameworks share. Include the one of your
 * framework instead: warren/cmocka.h, check.h, criterion.h, unity.h, gtest.h or catch2.h.
 *
 * A framework's header defines two macros. Each makes a test of the framework out of a property:
 *
 *     WR_CMOCKA_PROPERTY(name) { body }
 *     WR_CMOCKA_PROPERTY_WITH(name, .cases = 5000) { body }
 */
#ifndef WARREN_HOST_H
#define WARREN_HOST_H

#include <stdio.h>

#include "../warren.h"

/* Defines wr_hosted_NAME_(), which runs the property, and begins its body. `test` is the
 * framework's test; it stands between the two. */
/* clang-format off */
#define WR_HOSTED_(name_, test, ...)                                                             \
    static void wr_body_##name_(wr_case *t);                                                     \
    WR_QUIETLY_(static const wr_options wr_options_##name_ = { __VA_ARGS__ };)                   \
    static const wr_told *wr_hosted_##name_##_(void)                                             \
    {                                                                                            \
        wr_options own = wr_options_##name_;                                                     \
        if (own.name == NULL)                                                                    \
            own.name = #name_;                                                                   \
        return wr_tell(&own, wr_body_##name_);                                                   \
    }                                                                                            \
    test                                                                                         \
    static void wr_body_##name_(__attribute__((unused)) wr_case *t)
/* clang-format on */

/* The statuses of wr_tell() that a framework tells apart. */
#define WR_HOST_HELD_ 0
#define WR_HOST_SKIPPED_ 77

#endif
