#!/usr/bin/env bash
# embed_test.sh CC: another CMake project builds Warren beside its own sources, by add_subdirectory
# and by FetchContent, links each of its targets, and neither builds nor lists Warren's own tests.
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

project() { # project HOW: a project that takes Warren in this way
    cat <<END
cmake_minimum_required(VERSION 3.25)
project(embedding C)
enable_testing()
$1
foreach(kind warren static)
  add_executable(number_\${kind} number.c)
  target_link_libraries(number_\${kind} PRIVATE warren::\${kind})
  add_test(NAME number_\${kind} COMMAND number_\${kind} --no-store)
endforeach()
foreach(kind cover cover_static)
  add_executable(rows_\${kind} rows.c)
  target_link_libraries(rows_\${kind} PRIVATE warren::\${kind})
  add_test(NAME rows_\${kind} COMMAND rows_\${kind})
endforeach()
warren_signals(number_static)
END
}

for how in "add_subdirectory($source warren)" "include(FetchContent)
FetchContent_Declare(warren SOURCE_DIR $source)
FetchContent_MakeAvailable(warren)"; do
    echo "== ${how##*$'\n'}"
    project "$how" >CMakeLists.txt
    rm -f build/CMakeCache.txt
    cmake -G Ninja -B build -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug >configured 2>&1 ||
        { cat configured && exit 1; }
    [ "$how" = "${how#add}" ] || cmake --build build >built 2>&1 || { cat built && exit 1; }
    tests=$(ctest --test-dir build -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort | tr '\n' ' ')
    [ "$tests" = "number_static number_warren rows_cover rows_cover_static " ] ||
        { echo "embed_test: the tests are: $tests" && exit 1; }
done
ctest --test-dir build --output-on-failure
