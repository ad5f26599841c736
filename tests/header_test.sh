#!/usr/bin/env bash
# header_test.sh CC LIBWARREN.A FLAG...: the public headers in every standard of C and C++, without a
# warning; what they say of a type that cannot be compared.
set -euo pipefail

cc=$1
library=$2
flags=("${@:3}") # what the library was built with
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=${cc##*/}
case $name in
    *clang*) cxx=${cc%"$name"}${name/clang/clang++} ;;
    *gcc*) cxx=${cc%"$name"}${name/gcc/g++} ;;
    *) cxx=c++ ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-header.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-qual -Werror "-I$tests/../include")

for standard in c99 gnu99 c11 c17 c2x; do
    echo "== $standard"
    "$cc" -std=$standard "${strict[@]}" -fsyntax-only "$tests/header_every.c"
done
for standard in c++11 c++14 c++17 c++20; do
    echo "== $standard"
    "$cxx" -std=$standard "${strict[@]}" -fsyntax-only "$tests/header_every.cpp"
done

echo "== an assignment in place of a comparison is told"
for macro in wr_assert wr_assume; do
    printf '#include <warren.h>\nWR_PROPERTY(sets) { int s = wr_bool(t, "s"); %s(t, s = 1); }\n' \
        $macro >assigns.c
    for command in "$cc -xc" "$cxx -xc++"; do
        if $command -Wall -Werror "-I$tests/../include" -fsyntax-only assigns.c >said 2>&1; then
            echo "header_test.sh: $command: $macro(t, s = 1) was not told" && exit 1
        fi
        grep -q parentheses said
        sed 's/s = 1/(s = 1)/' assigns.c >fine.c
        $command -Wall -Werror "-I$tests/../include" -fsyntax-only fine.c
    done
done

echo "== a count above the elements of an array is told, where the compiler can"
cat >counts.c <<'END'
#include <warren.h>
WR_PROPERTY(counts) {
    static const wr_constant MODES[] = { { "read", 1 }, { "write", 2 } };
    wr_enum(t, "mode", COUNT, MODES);
}
END
for command in "$cc -xc" "$cxx -xc++"; do
    $command -DCOUNT=2 -Wall -Werror "-I$tests/../include" -c counts.c -o counts.o
    if $command -dM -E - </dev/null | grep '__clang__' >/dev/null; then
        continue
    fi
    ! $command -DCOUNT=3 -Werror "-I$tests/../include" -c counts.c -o counts.o 2>said
    grep -q 'wr_enum.*reading' said
done

echo "== a type that cannot be compared gets one error, which says what can"
cat >struct.c <<'END'
#include <warren.h>
typedef struct point { int x, y; } point;
WR_PROPERTY(points) { point a = { 0, 0 }, b = a; wr_assert_eq(t, a, b); }
END
cat >number.c <<'END'
#include <warren.h>
WR_PROPERTY(numbers) { wr_assert_null(t, 5); }
END
cat >wide.c <<'END'
#include <warren.h>
WR_PROPERTY(wide) { __extension__ __int128 a = 0; wr_assert_lt(t, 1, a); }
END
cat >most.c <<'END'
#include <warren.h>
WR_PROPERTY(most) { __extension__ unsigned __int128 a = 0; wr_maximise(t, "a", a); }
END
cat >pointer.c <<'END'
#include <warren.h>
WR_PROPERTY(pointers) { char *s = wr_text(t, "s", 0, 9); wr_assert_ne(t, s, 'a'); }
END
cat >pointers.c <<'END'
#include <warren.h>
WR_PROPERTY(pointers) { int n = 5, *p = &n; wr_assert_between(t, p, p, n); }
END
for file in struct wide pointer pointers; do cp $file.c $file.cpp; done
refused() { # WORDS COMPILER... : it fails with one error, which has these words
    if "${@:2}" -I"$tests/../include" -fsyntax-only >said 2>&1; then
        echo "header_test.sh: $* was not refused" && return 1
    fi
    if [ "$(grep -c 'error:\|warning:' said)" != 1 ] || ! grep 'error:' said | grep -q "$1"; then
        cat said && return 1
    fi
}
refused 'bits, reals, strings and pointers' "$cc" -std=c11 struct.c
mv said struct.said
refused 'bits_reals_strings_and_pointers' "$cc" -std=c99 struct.c
refused 'bits, reals, strings and pointers' "$cxx" -std=c++11 struct.cpp
if echo '__int128 a;' | "$cc" -fsyntax-only -x c - 2>said; then
    refused 'integers of up to 64 bits' "$cc" -std=c11 wide.c
    refused 'integers_up_to_64_bits' "$cc" -std=c99 wide.c
    refused 'integers of up to 64 bits' "$cxx" -std=c++11 wide.cpp
    refused 'integers of up to 64 bits' "$cc" -std=c11 most.c
fi
refused 'take a pointer' "$cc" -std=c11 number.c
for file in pointer pointers; do
    refused 'do not compare a pointer with a number' "$cc" -std=c11 $file.c
    refused 'does_not_compare_a_pointer_with_a_number' "$cc" -std=c99 $file.c
    refused 'do not compare a pointer with a number' "$cxx" -std=c++11 $file.cpp
done
! grep -q classify struct.said || { echo "the error shows the condition" && cat struct.said; exit 1; }

echo "== a line without its semicolon is told as such"
cat >semicolon.c <<'END'
#include <warren.h>
WR_PROPERTY(semicolon) {
    int x = wr_i32(t, "x")
    wr_assert_eq(t, x, x);
    x = wr_i32(t, "x")
    wr_assert(t, x == x);
}
END
if "$cc" -I"$tests/../include" -fsyntax-only semicolon.c >said 2>&1 ||
    [ "$(grep 'error:' said | grep -c "expected.*;")" != 2 ] || grep -q 'called object' said; then
    cat said && exit 1
fi

echo "== C++ texts compare by content"
"$cxx" -std=c++17 -I"$tests/../include" -o every "$tests/header_every.cpp" "$library" -lm \
    "${flags[@]}"
"$tests/expect.sh" 1 'assertion failed: text equals "abc"' '"ab\x00""c"' '2 held, 1 failed' -- \
    ./every --seed 1 --no-store --color never
