#!/usr/bin/env bash
# amalgamation_test.sh LIBWARREN.A: script/amalgamate writes the library as two files. gcc and clang
# compile them without a warning, as C11 and as C17. Programs with a property and with a machine
# report the same with them and with the library.
set -euo pipefail

library=$1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
expect=$source/tests/expect.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-amalgamation.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!WARREN_@}"
for tool in python3 gcc clang; do
    command -v "$tool" >/dev/null || { echo "amalgamation_test.sh: there is no $tool" && exit 77; }
done

"$source/script/amalgamate" "$work/one"
# gcc reads the file again for each `if` to look at its indentation: 7 s, with TEST_FULL=1 only.
strict=(-Wall -Wextra -Werror)
[ "${TEST_FULL:-0}" = 1 ] || strict+=(-Wno-misleading-indentation)
for standard in c11 c17; do
    clang -std=$standard "${strict[@]}" -fsyntax-only one/warren.c
    gcc -std=$standard "${strict[@]}" -fsyntax-only one/warren.c
done
gcc "${strict[@]}" -O0 -c one/warren.c -o warren.o
if [ "${TEST_FULL:-0}" = 1 ]; then
    gcc -std=c17 "${strict[@]}" -O2 -c one/warren.c -o warren.o
    clang -std=c11 "${strict[@]}" -O2 -c one/warren.c -o warren-clang.o
    # The same sources give the same two files.
    "$source/script/amalgamate" "$work/two"
    cmp one/warren.c two/warren.c
    cmp one/warren.h two/warren.h
fi

# It needs the C library and nothing else.
! grep -nE '^#include <(sqlite3|hiredis)' one/warren.h

without_times() { sed -E 's/"(seconds|workers|replay|program)": ([0-9.]+|\[[0-9, ]*\]|"[^"]*")//g'; }
for example in reverse cursor; do
    gcc -g -std=c11 -Ione "$source/examples/$example.c" warren.o -o "$example" -lm -ldl
    gcc -g -std=c11 -I"$source/include" "$source/examples/$example.c" "$library" \
        -o "$example-with-library" -lm -ldl
    for program in "$example" "$example-with-library"; do
        status=0
        (exec -a "$example" "./$program" --seed 1 --no-store --format json) >"$program.json" || status=$?
        [ "$status" = 1 ] || { cat "$program.json" && exit 1; }
    done
    diff <(without_times <"$example.json") <(without_times <"$example-with-library.json")
done
"$expect" 1 'FAIL  buggy_reverse_moves_every_element' 'reverse.c:' 'xs = [0, 1]' -- \
    ./reverse --seed 1 --no-store

# A main() of the program wins.
cat >own.c <<'END'
#include "warren.h"
WR_PROPERTY(fails) {
    wr_assert_lt(t, wr_int(t, "x", 0, 1000), 10);
}
int main(int argc, char **argv)
{
    return 40 + wr_main(argc, argv);
}
END
gcc -Ione own.c warren.o -o own -lm -ldl
"$expect" 41 'x = 10' -- ./own --seed 1 --no-store

# A folder that cannot be made is one line.
echo kept >file
"$expect" 99 'amalgamate: ' 'file/folder' -- "$source/script/amalgamate" "$work/file/folder"
[ "$(cat file)" = kept ]
"$expect" 99 'usage: ' -- "$source/script/amalgamate" --unknown
