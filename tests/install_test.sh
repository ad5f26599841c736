#!/usr/bin/env bash
# install_test.sh BUILD CC: installs what is in the folder BUILD under a temporary prefix and uses
# it as others do: with pkg-config, shared and static; from a CMake project; from C11 and C++20
# with pedantic warnings; from a program built with AddressSanitizer. And warren/observe.h from code
# under test: C and C++, with the library and without, and switched off. The build files of
# docs/getting-started.md, for Make, CMake and, if it is installed, Meson.
# Covering arrays: their library, shared and static, and the program `warren`.
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
expect=$source/tests/expect.sh
name=${cc##*/}
case $name in
    *clang*) cxx=${cc%"$name"}${name/clang/clang++} ;;
    *gcc*) cxx=${cc%"$name"}${name/gcc/g++} ;;
    *) cxx=c++ ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/warren-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "== install"
touch "$work/before"
cmake --install "$build" --prefix "$work/prefix"
# Who installs may be another user than who owns the build folder.
written=$(find "$build" -maxdepth 1 -name '*.pc' -newer "$work/before")
[ -z "$written" ] || { echo "install_test.sh: installing wrote $written" && exit 1; }
other=(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nowhere)
if [ "$(id -u)" = 0 ] && "${other[@]}" test -r "$build/libwarren.a" 2>/dev/null; then
    chmod 711 "$work" && mkdir other && chown 65534:65534 other
    "${other[@]}" cmake --install "$build" --prefix "$work/other" >/dev/null
fi
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name warren.pc)")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir warren)
grep -q "^$libdir/pkgconfig/warren.pc$" "$build/install_manifest.txt"
DESTDIR=$work/stage cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmp "$PKG_CONFIG_PATH/warren.pc" "$work/stage$PKG_CONFIG_PATH/warren.pc"
# Each function has a manual page.
grep -qx '.so man3/warren-draws.3' "$work/prefix/share/man/man3/wr_int.3"
grep -qx '.so man3/warren-machines.3' "$work/prefix/share/man/man3/WR_MACHINE.3"
read -ra shared <<<"$(pkg-config --cflags --libs warren)"
read -ra cflags <<<"$(pkg-config --cflags warren)"
static=("${cflags[@]}" "$libdir/libwarren.a" -lm)
export LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

strict=(-Wall -Wextra -Wpedantic -Werror)
run=(--seed 1 --no-store --color never)

# What each example's failing property ends with.
smallest() {
    case $1 in
        reverse) echo 'xs = [0, 1]' ;;
        sort) echo 'keys   = [0, 0]' ;;
        parser) echo 'text = "a"' ;;
        map) echo 'n            = 3' ;;
        codec) echo 'value = 4294967296' ;;
        cursor) echo 'calls = list_append(0);' ;;
        *) echo "install_test.sh: what does the example $1 end with?" >&2 && return 1 ;;
    esac
}

for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    echo "== $name, shared"
    value=$(smallest "$name")
    "$cc" -Wall -Wextra -Werror -o "$name" "$example" "${shared[@]}"
    "$expect" 1 'FAIL  buggy_' "$value" -- "./$name" "${run[@]}"
    "$expect" 0 ' held' -- "./$name" "${run[@]}" '[!b]*'
done

echo "== reverse, static"
"$cc" -O2 -o reverse_static "$source/examples/reverse.c" "${static[@]}"
"$expect" 1 'xs = [0, 1]' -- env -u LD_LIBRARY_PATH ./reverse_static "${run[@]}"

echo "== reverse, built with AddressSanitizer"
"$cc" -g -fsanitize=address -o reverse_asan "$source/examples/reverse.c" "${shared[@]}"
"$expect" 1 'xs = [0, 1]' -- ./reverse_asan "${run[@]}"

echo "== C11"
cat >eleven.c <<'END'
#include <warren.h>

typedef struct point {
    int x, y;
} point;

static void draw_point(wr_case *t, void *element, void *context)
{
    point *p = element;
    (void)context;
    p->x = (int)wr_int(t, "x", -9, 9);
    p->y = (int)wr_int(t, "y", -9, 9);
}

WR_PROPERTY(holds) {
    size_t      n = wr_size(t, "n", 0, 5);
    point      *points = wr_array(t, n, sizeof *points, draw_point, NULL);
    const char *name = wr_identifier(t, "name", 1, 8);
    wr_assume(t, wr_chance(t, NULL, 9, 10));
    wr_assert_ne(t, name, "");
    for (wr_each(t, i, n))
        wr_assert_le(t, points[i].x + wr_bool(t, NULL), 10);
    wr_assert_near(t, (double)n, n + 0.25, 0.5);
    wr_note(t, "%zu points", n);
    wr_label(t, "%s", n == 0 ? "empty" : "full");
    wr_collect(t, "points", n);
    wr_cover(t, n > 0, 10, "some");
    wr_sometimes_gt(t, n, 2, "more than two");
    wr_always(t, n <= 5, "at most five");
}

WR_PROPERTY_WITH(fails, .cases = 5000) {
    wr_assert_lt(t, wr_int(t, "x", 0, 1000), 10);
}

int main(int argc, char **argv)
{
    return wr_main(argc, argv);
}
END
"$cc" -std=c11 "${strict[@]}" -o eleven eleven.c "${shared[@]}"
"$cc" -std=c11 "${strict[@]}" -o eleven_static eleven.c "${static[@]}"
for program in ./eleven ./eleven_static; do
    "$expect" 1 'FAIL  fails' 'x = 10' '1 held, 1 failed' -- "$program" "${run[@]}"
    "$expect" 0 -- "$program" "${run[@]}" holds
    "$expect" 99 -- "$program" "${run[@]}" no_such_property
done

echo "== C++20"
cat >twenty.cpp <<'END'
#include <warren.h>

#include <algorithm>
#include <string>
#include <vector>

WR_PROPERTY(holds) {
    size_t           n = wr_size(t, "n", 0, 30);
    int32_t         *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    std::vector<int> ys(xs, xs + n);
    std::sort(ys.begin(), ys.end());
    for (wr_each(t, i, n))
        if (i > 0)
            wr_assert_le(t, ys[i - 1], ys[i]);
    wr_assert_eq(t, ys.size(), n);
    wr_assert_eq(t, std::string("a").c_str(), "a");
    wr_assert(t, std::is_sorted(ys.begin(), ys.end()));
    wr_label(t, "%zu", n);
    wr_classify(t, n == 0, "empty");
    wr_collect(t, "size", ys.size());
    wr_collect(t, "first", n > 0 && xs[0] > 0);
    wr_cover(t, n > 0, 10.5, "some");
    wr_sometimes_gt(t, n, 2, "more than two");
    wr_always(t, n <= 30, "at most thirty");
    wr_maximise(t, "size", ys.size());
    wr_state(t, "size", n % 3);
}

enum class colour { red, green };
enum plain { first, second };

WR_PROPERTY_WITH(compares, .may_draw_nothing = true) {
    int  *p = nullptr;
    plain one = first;
    wr_assert_eq(t, p, nullptr);
    wr_assert_eq(t, colour::red, colour::red);
    wr_assert_ne(t, one, second);
    wr_assert_ne(t, INT64_C(9007199254740993), 9007199254740992.0);
}

extern const wr_type TERM;
WR_TYPE(TYPE, "Type", { .name = "Base" }, { .name = "Arrow", .args = { &TYPE, &TYPE } });
WR_TYPE(TERM, "Term", { .name = "Var", .index = WR_ANY_INDEX },
        { .name = "Lam", .args = { &TYPE, &TERM }, .show = "lam %0. %1" });

WR_PROPERTY(terms) {
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_assert(t, wr_tag(e) == 0 ? wr_index(e) <= 255 : wr_equal(wr_arg(e, 1), wr_arg(e, 1)));
}

static void nothing(wr_case *) {}

WR_PROPERTY_WITH(fails, .cases = 5000, .setup = nothing) {
    wr_assert_lt(t, wr_int(t, "x", 0, 1000), 10);
}
END
"$cxx" -std=c++20 "${strict[@]}" -o twenty twenty.cpp "${shared[@]}"
"$expect" 1 'FAIL  fails' 'x = 10' '3 held, 1 failed' -- ./twenty "${run[@]}"
"$expect" 0 -- ./twenty "${run[@]}" holds compares terms

echo "== code under test that observes"
cat >seen.c <<'END'
#include <warren/observe.h>

int step(int n);
int evaluated;

static int counted(int n)
{
    evaluated++;
    return n;
}

int step(int n)
{
    const char *name = n % 2 == 0 ? "even" : "odd";
    WR_LABEL("a step");
    WR_LABELF("%s", name);
    WR_LABELF("plain");
    WR_CLASSIFY(counted(n) > 3, "more than three");
    WR_CLASSIFY(n > 4, name);
    WR_COLLECT("n", n);
    WR_COLLECT("name", name);
    WR_LOG("step %d of %s\n", n, name);
    WR_LOG("stepped\n");
    WR_SOMETIMES(n == 7, "seven");
    WR_ALWAYS(counted(n) >= 0, "not negative");
    WR_REACHABLE("in a step");
    if (n < 0)
        WR_UNREACHABLE("a step back");
    WR_SOMETIMES_LT(n, 5, "lt");
    WR_SOMETIMES_LE(n, 5u, "le");
    WR_SOMETIMES_GT(n, 5.5, "gt");
    WR_SOMETIMES_GE(n, 5L, "ge");
    WR_SOMETIMES_EQ(n, 5, "eq");
    WR_ALWAYS_LT(n, 50, "always lt");
    WR_ALWAYS_LE(n, 50, "always le");
    WR_ALWAYS_GT(n, -50, "always gt");
    WR_ALWAYS_GE(n, -50, "always ge");
    WR_ALWAYS_EQ(n, n, "always eq");
    WR_MAXIMISE("n", n);
    WR_MINIMISE("n", n * 0.5);
    WR_STATE("n", n % 4);
    return n + 1;
}
END
cat >stepper.c <<'END'
#include <warren.h>

int step(int n);

WR_PROPERTY(steps) {
    wr_assert_gt(t, step((int)wr_int(t, "n", 0, 9)), 0);
}
END
cat >alone.c <<'END'
int step(int n);
extern int evaluated;

int main(void)
{
    return step(1) == 2 && evaluated == 0 ? 0 : 1;
}
END
cp seen.c seen_too.cpp # the same text is C++
sed -i -e 's/int step(int n);/extern "C" int step(int n);/' -e 's/^int evaluated;/extern "C" { int evaluated; }/' \
    -e 's/^int step(int n)$/extern "C" int step(int n)/' seen_too.cpp
cat >>seen_too.cpp <<'END'

template <typename T> static inline T twice(T n)
{
    WR_SOMETIMES(n > 1, "in a template");
    WR_ALWAYS_GE(n, T(0), "in a template, always");
    return n + n;
}
inline int both()
{
    WR_REACHABLE("in an inline function");
    return twice(1) + int(twice(2.5));
}
extern "C" int call_both() { return both(); }
END
warnings=("${strict[@]}" -Wshadow -Wconversion)
for level in -O0 -O2; do
    "$cc" -std=c11 "${warnings[@]}" "$level" -c seen.c -o seen.o "${cflags[@]}"
    "$cc" -std=c11 "${warnings[@]}" "$level" -DWR_OBSERVE_OFF -c seen.c -o seen_off.o "${cflags[@]}"
    "$cxx" -std=c++20 "${warnings[@]}" "$level" -c seen_too.cpp -o seen_too.o "${cflags[@]}"
    "$cxx" -std=c++20 "${warnings[@]}" "$level" -DWR_OBSERVE_OFF -c seen_too.cpp "${cflags[@]}" \
        -o seen_too_off.o
    "$cc" -fPIC "$level" -c seen.c -o seen_pic.o "${cflags[@]}"
    "$cc" -std=c11 "${warnings[@]}" "$level" -c stepper.c "${cflags[@]}"
    "$cc" -c alone.c
    ar rcs libseen.a seen.o
    for code in seen.o seen_off.o seen_too.o seen_too_off.o libseen.a; do
        "$cxx" -o alone alone.o "$code" # with no library: nothing happens
        "$expect" 0 -- ./alone
    done
    "$cc" -Wl,--gc-sections -o steps stepper.o libseen.a "${static[@]}"
    "$expect" 0 '100.0%  ####################  a step' 'step %d of %s' 'n:' 'largest n: 9' -- \
        ./steps "${run[@]}" --check-coverage --cases 2000
    "$cxx" -o steps stepper.o seen_too.o "${static[@]}"
    "$expect" 0 '100.0%  ####################  a step' -- ./steps "${run[@]}" --check-coverage
    "$cc" -shared -o libseen.so seen_pic.o
    "$cc" -o steps stepper.o libseen.so "${shared[@]}" -Wl,-rpath,"$work"
    "$expect" 0 '100.0%  ####################  a step' -- ./steps "${run[@]}" --check-coverage
    "$cc" -o steps stepper.o seen_off.o "${shared[@]}"
    "$expect" 0 '1 held' -- ./steps "${run[@]}" --check-coverage
done

echo "== covering arrays"
cat >pairs.c <<'END'
#include <warren/cover.h>

#include <stdio.h>

int main(void)
{
    static const char *const MODES[] = { "fast", "slow" };
    char                     space[24];
    wr_covering             *c = wr_covering_new();
    wr_covering_values(c, "mode", 2, MODES);
    wr_covering_range(c, "size", 0, 2, 1);
    wr_covering_require(c, "mode = slow => size > 0");
    if (!wr_covering_build(c, NULL))
        return 1;
    for (uint64_t row = 0; row < wr_covering_rows(c); row++)
        printf("%s %s\n", wr_covering_text(c, row, 0, space, sizeof space),
               wr_covering_text(c, row, 1, space, sizeof space));
    wr_covering_free(c);
    return 0;
}
END
cp pairs.c pairs.cpp
read -ra cover <<<"$(pkg-config --cflags --libs warren-cover)"
read -ra cover_private <<<"$(pkg-config --cflags --libs --static warren-cover | sed 's/-lwarren-cover//')"
"$cc" -std=c11 "${strict[@]}" -o pairs pairs.c "${cover[@]}"
"$cxx" -std=c++20 "${strict[@]}" -o pairs_cpp pairs.cpp "${cover[@]}"
"$cc" -o pairs_static pairs.c "$libdir/libwarren-cover.a" "${cover_private[@]}"
for program in ./pairs ./pairs_cpp ./pairs_static; do
    "$expect" 0 'slow 1' 'fast 0' -- "$program"
    [ "$("$program" | wc -l)" = 5 ]
done
printf 'parameter a: 0..2\nparameter b: 0..2\n' >model
"$expect" 0 '9 rows: there are no fewer' -- "$work/prefix/bin/warren" cover model --verify

echo "== CMake"
mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C)
find_package(warren 0.1 REQUIRED)
add_executable(with_shared eleven.c)
target_link_libraries(with_shared PRIVATE warren::warren)
add_executable(with_static eleven.c)
target_link_libraries(with_static PRIVATE warren::static)
foreach(library cover cover_static)
  add_executable(with_${library} pairs.c)
  target_link_libraries(with_${library} PRIVATE warren::${library})
endforeach()
END
cp eleven.c pairs.c project/
cmake -S project -B project/build -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build project/build
for program in with_shared with_static; do
    "$expect" 1 'FAIL  fails' 'x = 10' -- "project/build/$program" "${run[@]}"
    "$expect" 0 -- "project/build/$program" "${run[@]}" holds
done
for program in with_cover with_cover_static; do
    "$expect" 0 'slow 1' -- "project/build/$program"
done

echo "== the build files of docs/getting-started.md"
page=$source/docs/getting-started.md
block() { # block MARK NUMBER: the block of the page that follows the NUMBERth such mark
    awk -v mark="<!-- $1 -->" -v number="$2" '
        /^```/ && inside { exit }
        /^```/ && found == number { inside = 1; next }
        inside
        $0 == mark { found++ }' "$page"
}
for tool in make cmake meson; do
    command -v "$tool" >/dev/null || continue
    mkdir -p "with_$tool/.warren" # or a store would be looked for further up
    block Makefile 1 >"with_$tool/Makefile"
    block CMakeLists.txt 1 >"with_$tool/CMakeLists.txt"
    block meson.build 1 >"with_$tool/meson.build"
    for result in 'path.c fails' path.c; do
        block "$result" 1 >"with_$tool/path.c"
        status=0
        (
            cd "with_$tool"
            export CC=$cc CMAKE_PREFIX_PATH=$work/prefix WARREN_SEED=1
            case $tool in
                make) make clean && make check ;;
                cmake) cmake -B build && cmake --build build && ctest --test-dir build ;;
                meson) { [ -e build ] || meson setup build; } && meson test -C build ;;
            esac
        ) || status=$?
        [ "$((status > 0))" = "$([ "$result" = path.c ]; echo $?)" ]
        compgen -G "with_$tool/.warren/failures/path.*" >/dev/null
    done
done

echo "== signals"
case ${cc##*/} in
    *clang*) read -ra signals <<<"$(pkg-config --variable=signals_clang warren)" ;;
    *) read -ra signals <<<"$(pkg-config --variable=signals_gcc warren)" ;;
esac
sharp=(-O1 -g "${signals[@]}" "$source/tests/signals_program.c")
"$cc" "${sharp[@]}" -o signals_shared "${shared[@]}"
"$cc" "${sharp[@]}" -o signals_static "${static[@]}"
"$cc" "${sharp[@]}" -fsanitize=address -o signals_asan "${shared[@]}"
"$cxx" -std=c++20 "${strict[@]}" "${signals[@]}" -o twenty_signals twenty.cpp "${shared[@]}"
"$expect" 0 'places covered' -- ./twenty_signals "${run[@]}" holds
mkdir signals
cat >signals/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C)
find_package(warren 0.1 REQUIRED)
add_executable(signals_cmake signals_program.c)
target_compile_options(signals_cmake PRIVATE -O1 -g)
target_link_libraries(signals_cmake PRIVATE warren::warren)
warren_signals(signals_cmake)
END
cp "$source/tests/signals_program.c" signals/
cmake -S signals -B signals/build -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build signals/build
for program in ./signals_shared ./signals_static ./signals_asan signals/build/signals_cmake; do
    "$expect" 0 'places covered' 'not covered: ' 'signals_program.c:' -- "$program" "${run[@]}" judges
done
if [[ ${cc##*/} == *clang* ]]; then
    echo "== beside libFuzzer, which brings functions of the same names"
    cat >fuzzed.c <<'END'
#include <warren.h>

static void holds(wr_case *t) { wr_assert_le(t, wr_int(t, "x", 0, 9), 9); }

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    return data != NULL && size > 9000 ? wr_check(NULL, holds) : 0;
}
END
    "$cc" -DWR_NO_SIGNALS -fsanitize=fuzzer,address -o fuzzed fuzzed.c "${shared[@]}"
    ./fuzzed -runs=10
    "$cc" -DWR_NO_SIGNALS -fsanitize=fuzzer -o fuzzed fuzzed.c "${static[@]}"
    ./fuzzed -runs=10
fi
echo "== warren new"
"$work/prefix/bin/warren" new first
PKG_CONFIG_PATH='' LD_LIBRARY_PATH='' "$expect" 0 'ok  reversing_twice' -- make -C first check CC="$cc"

echo "== all as expected"
