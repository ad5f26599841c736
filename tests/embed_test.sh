#!/usr/bin/env bash
# embed_test.sh CC: another CMake project builds Warren beside its own sources, by add_subdirectory
# and by FetchContent, links each of its targets, makes tests of its properties, and builds nothing of
# Warren that it does not link.
set -euo pipefail

cc=$1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-embed.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >number.c <<'END'
#include <warren.h>

WR_PROPERTY(a_number_is_itself) {
    int64_t n = wr_int(t, "n", 0, 9);
    wr_assert_eq(t, n, n);
}
END
cat >rows.c <<'END'
#include <warren/cover.h>

int main(void)
{
    wr_covering *c = wr_covering_new();
    wr_covering_range(c, "a", 0, 1, 1);
    wr_covering_range(c, "b", 0, 1, 1);
    bool built = wr_covering_build(c, NULL) && wr_covering_rows(c) == 4;
    wr_covering_free(c);
    return built ? 0 : 1;
}
END

project() { # project HOW COVER...: a project that takes Warren in this way, and these kinds of cover
    cat <<END
cmake_minimum_required(VERSION 3.25)
project(embedding C)
enable_testing()
$1
foreach(kind warren static)
  add_executable(number_\${kind} number.c)
  target_link_libraries(number_\${kind} PRIVATE warren::\${kind})
  warren_discover_tests(number_\${kind} PREFIX \${kind}. ARGUMENTS --no-store)
endforeach()
foreach(kind ${*:2})
  add_executable(rows_\${kind} rows.c)
  target_link_libraries(rows_\${kind} PRIVATE warren::\${kind})
  add_test(NAME rows_\${kind} COMMAND rows_\${kind})
endforeach()
warren_signals(number_static)
END
}

configure() { # configure: the project in CMakeLists.txt, afresh
    rm -f build/CMakeCache.txt
    cmake -G Ninja -B build -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug >configured 2>&1 ||
        { cat configured && exit 1; }
}

echo "== add_subdirectory"
project "add_subdirectory($source warren)" >CMakeLists.txt
configure
ninja -C build -t inputs all >inputs # of what a build without a target builds
grep -q 'libwarren\.so' inputs
! grep warren_cover_objects inputs || { echo "embed_test: covering arrays would be built" && exit 1; }

echo "== FetchContent"
project "include(FetchContent)
FetchContent_Declare(warren SOURCE_DIR $source)
FetchContent_MakeAvailable(warren)" cover cover_static >CMakeLists.txt
configure
cmake --build build >built 2>&1 || { cat built && exit 1; }
tests=$(ctest --test-dir build -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort | tr '\n' ' ')
[ "$tests" = "rows_cover rows_cover_static static.a_number_is_itself warren.a_number_is_itself " ] ||
    { echo "embed_test: the tests are: $tests" && exit 1; }
ctest --test-dir build --output-on-failure
