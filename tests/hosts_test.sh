#!/usr/bin/env bash
# hosts_test.sh BUILD CC: properties as tests of other frameworks, each with the framework itself: a
# property that holds, one that fails and one that skips. A framework that is not installed is
# passed over with a word.
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case ${cc##*/} in
    *clang*) cxx=clang++ ;;
    *) cxx=g++ ;;
esac
command -v "$cxx" >/dev/null || { echo "hosts_test.sh: there is no $cxx" && exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-hosts.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export WARREN_SEED=1 WARREN_NO_STORE=1

flags=(-g -Wall -Wextra -Werror -I "$source/include")
warren=("$build/libwarren.a" -lm)

# The bodies that every host gets: HOLDS, FAILS and SKIPS begin a property of the framework.
cat >bodies.h <<'END'
HOLDS {
    wr_assert_eq(t, wr_int(t, "x", 0, 9) - wr_int(t, "x", 0, 9) < 10, 1);
}
FAILS {
    int64_t small = wr_int(t, "small", 0, 1000);
    wr_assert_lt(t, small, 100);
}
SKIPS {
    wr_skip(t, "not here");
}
END

# check NAME TEXT...: runs ./NAME, which must fail, name the minimal case and how to replay it, and
# print these texts.
check() {
    local name=$1 text
    shift
    if "./$name" >"$name.out" 2>&1; then
        cat "$name.out" && echo "hosts_test.sh: $name did not fail" && exit 1
    fi
    for text in 'small = 100' 'assertion failed: small < 100' "$@"; do
        grep -qF -- "$text" "$name.out" ||
            { cat "$name.out" && echo "hosts_test.sh: $name does not print: $text" && exit 1; }
    done
    grep -qE "WARREN_REPLAY=w[^ ]* \./$name\$" "$name.out" ||
        { cat "$name.out" && echo "hosts_test.sh: $name prints no line to type again" && exit 1; }
}

# has HEADER: whether the host is installed.
has() {
    echo "#include <$1>" | "$cxx" -x c++ -E - >/dev/null 2>&1 && echo "== $1" && return
    echo "== $1 is not installed: passed over"
    return 1
}

if has cmocka.h; then
    cat >cmocka.c <<'END'
#include <warren/cmocka.h>
#define HOLDS WR_CMOCKA_PROPERTY(holds)
#define FAILS WR_CMOCKA_PROPERTY_WITH(fails, .cases = 5000)
#define SKIPS WR_CMOCKA_PROPERTY(skips)
#include "bodies.h"
int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(holds), cmocka_unit_test(fails),
                                        cmocka_unit_test(skips) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
    "$cc" "${flags[@]}" -o cmocka cmocka.c "${warren[@]}" -lcmocka
    check cmocka 'bodies.h:6: error: Failure!' '1 test(s).' '[  SKIPPED ] skips' \
        '[       OK ] holds' '1 FAILED TEST(S)'
fi

if has check.h; then
    cat >check.c <<'END'
#include <warren/check.h>
#define HOLDS WR_CHECK_PROPERTY(holds)
#define FAILS WR_CHECK_PROPERTY_WITH(fails, .cases = 5000)
#define SKIPS WR_CHECK_PROPERTY(skips)
#include "bodies.h"
int main(void)
{
    Suite *suite = suite_create("suite");
    TCase *tcase = tcase_create("tcase");
    tcase_add_test(tcase, holds);
    tcase_add_test(tcase, fails);
    tcase_add_test(tcase, skips);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
END
    read -ra check_libs <<<"$(pkg-config --libs check)"
    "$cc" "${flags[@]}" -o check check.c "${warren[@]}" "${check_libs[@]}"
    check check '66%: Checks: 3, Failures: 1' 'bodies.h:6:F:tcase:fails:0:'
fi

if has criterion/criterion.h; then
    cat >criterion.c <<'END'
#include <warren/criterion.h>
#define HOLDS WR_CRITERION_PROPERTY(suite, holds)
#define FAILS WR_CRITERION_PROPERTY_WITH(suite, fails, .cases = 5000)
#define SKIPS WR_CRITERION_PROPERTY(suite, skips)
#include "bodies.h"
END
    "$cc" "${flags[@]}" -o criterion criterion.c -lcriterion "${warren[@]}"
    check criterion 'suite::fails' 'Tested: 2 | Passing: 1 | Failing: 1' 'bodies.h:6'
fi

# Unity is not in Debian: two files, which npm has.
if unity=$(find "${UNITY:-/usr/include}" -name unity.c -path '*src*' 2>/dev/null | head -n 1) &&
    [ -n "$unity" ]; then
    echo "== $unity"
    cat >unity.c <<'END'
#include <warren/unity.h>
#define HOLDS WR_UNITY_PROPERTY(holds)
#define FAILS WR_UNITY_PROPERTY_WITH(fails, .cases = 5000)
#define SKIPS WR_UNITY_PROPERTY(skips)
#include "bodies.h"
void setUp(void) {}
void tearDown(void) {}
int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(holds);
    RUN_TEST(fails);
    RUN_TEST(skips);
    return UNITY_END();
}
END
    "$cc" -g -I "$source/include" -I "$(dirname "$unity")" -o unity unity.c "$unity" "${warren[@]}"
    check unity 'bodies.h:6:fails:FAIL:' 'skips:IGNORE' '3 Tests 1 Failures 1 Ignored'
else
    echo "== unity.h is not installed (UNITY names its folder): passed over"
fi

if has gtest/gtest.h; then
    cat >gtest.cc <<'END'
#include <warren/gtest.h>
#define HOLDS WR_GTEST_PROPERTY(Suite, Holds)
#define FAILS WR_GTEST_PROPERTY_WITH(Suite, Fails, .cases = 5000)
#define SKIPS WR_GTEST_PROPERTY(Suite, Skips)
#include "bodies.h"
END
    "$cxx" -std=c++17 "${flags[@]}" -o gtest gtest.cc -lgtest_main -lgtest "${warren[@]}" -lpthread
    check gtest 'bodies.h:6: Failure' '[       OK ] Suite.Holds' '[  SKIPPED ] Suite.Skips' \
        '[  FAILED  ] Suite.Fails'
fi

# Catch2's one header takes ten seconds to compile.
if [ -n "${TEST_FULL:-}" ] && has catch2/catch.hpp; then
    cat >catch2.cc <<'END'
#define CATCH_CONFIG_MAIN
#include <warren/catch2.h>
#define HOLDS WR_CATCH_PROPERTY(holds, "[suite]")
#define FAILS WR_CATCH_PROPERTY_WITH(fails, "[suite]", .cases = 5000)
#define SKIPS WR_CATCH_PROPERTY(skips, "[suite]")
#include "bodies.h"
END
    "$cxx" -std=c++17 "${flags[@]}" -o catch2 catch2.cc "${warren[@]}"
    check catch2 'test cases: 3 | 2 passed | 1 failed' 'bodies.h:6'
fi
