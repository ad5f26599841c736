#!/usr/bin/env bash
# consumers_test.sh BUILD CC: the build files of docs/getting-started.md that install_test.sh does
# not try. Each builds a project whose property fails, against Warren as it is installed from BUILD,
# and the test of the build system finds the bug. A tool that is not there is passed over.
#   Autotools    PKG_CHECK_MODULES
#   CMake        warren_discover_tests(): names, prefixes, arguments, folders, mistakes
#   Meson        a subproject behind a wrap file, where Warren is not installed
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
expect=$source/tests/expect.sh
page=$source/docs/getting-started.md
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-consumers.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!WARREN_@}"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name warren.pc)")
LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH pkg-config --variable=libdir warren)
export CC=$cc WARREN_SEED=1

block() { # block MARK: the block of the page that follows the first such mark
    awk -v mark="<!-- $1 -->" '
        /^```/ && inside { exit }
        /^```/ && found { inside = 1; next }
        inside
        $0 == mark { found = 1 }' "$page"
}
there() {
    local tool
    for tool in "${@:2}"; do
        command -v "$tool" >/dev/null || { echo "== $1: there is no $tool: passed over" && return 1; }
    done
    echo "== $1"
}

if there Autotools autoreconf automake make pkg-config; then
    mkdir -p autotools/.warren
    for file in configure.ac Makefile.am; do
        block "$file" >"autotools/$file"
    done
    block 'path.c fails' >autotools/path.c
    (
        cd autotools
        export PKG_CONFIG_PATH LD_LIBRARY_PATH
        autoreconf -i >log 2>&1 && ./configure >>log 2>&1 || { cat log && exit 1; }
        "$expect" 2 'FAIL: path' '# FAIL:  1' -- make check
        grep -q 'assertion failed: strstr' path.log
    )
    compgen -G "autotools/.warren/failures/path.*" >/dev/null
fi

echo "== CMake: warren_discover_tests"
mkdir -p cmake/.warren
block 'path.c fails' >cmake/path.c
cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(paths LANGUAGES C)
find_package(warren 0.1 REQUIRED)
enable_testing()
add_executable(path path.c)
target_link_libraries(path PRIVATE warren::warren)
warren_discover_tests(path PREFIX "a b/" STORE ${CMAKE_SOURCE_DIR}/.warren
                      ARGUMENTS --cases 77 --format json PROPERTIES LABELS "one;two")
END
run_cmake() { cmake -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$work/prefix" "$@"; }
run_cmake >log 2>&1 || { cat log && exit 1; }
"$expect" 0 path_is_not_built -- ctest --test-dir cmake/build -N
cmake --build cmake/build >log 2>&1 || { cat log && exit 1; }
[ "$(ctest --test-dir cmake/build -N | sed -n 's/^ *Test *#[0-9]*: //p')" = \
    "a b/joined_path_ends_with_the_file
a b/joined_path_has_no_double_slash" ]
status=0
ctest --test-dir cmake/build -V >log || status=$?
[ "$status" = 8 ]
for text in '1 tests failed out of 2' 'has_no_double_slash .Failed.' '"cases": 77' 'one *='; do
    grep -qE -- "$text" log || { cat log && echo "not printed: $text" && exit 1; }
done
compgen -G "cmake/.warren/failures/path.*" >/dev/null
# A property more, and nothing else is changed. Then a program that cannot list its properties.
cat >>cmake/path.c <<'END'
WR_PROPERTY(third) { wr_assert_le(t, wr_int(t, "x", 0, 9), 9); }
END
cmake --build cmake/build >log 2>&1 || { cat log && exit 1; }
[ "$(ctest --test-dir cmake/build -N | grep -c 'Test *#')" = 3 ]
echo 'int main(void) { return 3; }' >>cmake/path.c
"$expect" 2 'warren_discover_tests:' 'returned 3: ' -- cmake --build cmake/build
[ ! -e cmake/build/path ]
echo 'warren_discover_tests(no_target)' >>cmake/CMakeLists.txt
status=0
run_cmake >log 2>&1 || status=$?
[ "$status" = 1 ]
grep -q "warren_discover_tests: no_target is no target" log

if there 'Meson, as a subproject' meson ninja python3; then
    mkdir -p meson/.warren meson/subprojects
    ln -s "$source" meson/subprojects/warren
    block meson.build >meson/meson.build
    block 'path.c fails' >meson/path.c
    block warren.wrap | sed 's/^\[wrap-git\]/[wrap-file]/; s/^\(url\|revision\|depth\) .*//' >meson/subprojects/warren.wrap
    echo 'directory = warren' | sed -i '1r /dev/stdin' meson/subprojects/warren.wrap
    (
        cd meson
        export PKG_CONFIG_PATH='' # Warren is not installed
        meson setup --buildtype plain build >log 2>&1 || { cat log && exit 1; }
        "$expect" 1 'Fail:               1' -- meson test -C build
        grep -q 'assertion failed: strstr' build/meson-logs/testlog.txt
    )
    compgen -G "meson/.warren/failures/path.*" >/dev/null
fi
