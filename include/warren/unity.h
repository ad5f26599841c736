/* warren/unity.h: a property as a test of Unity.
 *
 *     WR_UNITY_PROPERTY(sorting_keeps_the_length) { ... }
 *
 *     RUN_TEST(sorting_keeps_the_length);
 *
 * A property that fails fails the test, at the place of its assertion, with the report.
 */
#ifndef WARREN_UNITY_H
#define WARREN_UNITY_H

#include <unity.h>

#include "host.h"

#define WR_UNITY_PROPERTY(name) WR_UNITY_PROPERTY_WITH(name, WR_NO_OPTIONS_)
#define WR_UNITY_PROPERTY_WITH(name_, ...)                                                       \
    WR_HOSTED_(                                                                                  \
        name_, static void name_(void) { wr_unity_end_(wr_hosted_##name_##_()); }, __VA_ARGS__)

static inline void wr_unity_end_(const wr_told *told)
{
    if (told->status == WR_HOST_HELD_)
        return;
    Unity.TestFile = told->file;
    if (told->status == WR_HOST_SKIPPED_)
        UnityIgnore("the property was skipped", (UNITY_LINE_TYPE)told->line);
    UnityFail(told->report, (UNITY_LINE_TYPE)told->line);
}

#endif
