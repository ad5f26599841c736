#!/usr/bin/env bash
# abi_test.sh CC LIBWARREN.SO LIBWARREN-COVER.SO: what a compiled program relies on.
#
# The libraries export the symbols that symbols.txt lists. A program that was compiled with an older
# or a newer header finds its bugs with these libraries; if it sets a member that they do not know,
# they refuse it. abidiff, if it is installed, compares the libraries with those of the last release
# (tests/abi/); `abi_test.sh --write LIBWARREN.SO LIBWARREN-COVER.SO` describes these two there.
set -euo pipefail

describe() { # describe LIBRARY: its public interface as abidw writes it
    abidw --headers-dir "$tests/../include" --no-corpus-path --no-comp-dir-path --no-show-locs \
        --drop-private-types --exported-interfaces-only "$1" | sed "s|path='[^']*/src/|path='src/|"
}
if [ "$1" = --write ]; then
    tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    for library in "$2" "$3"; do
        name=${library##*/}
        describe "$library" >"$tests/abi/${name%%.so*}.abi"
    done
    exit 0
fi

cc=$1
libraries=("$2" "$3")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-abi.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "== symbols: add a new one to tests/symbols.txt; removing one needs another SONAME"
for library in "${libraries[@]}"; do
    name=${library##*/}
    nm -D --defined-only "$library" |
        awk -v name="${name%%.so*}" '$2 != "w" { sub(/@.*/, "", $3); print name, $2, $3 }'
done | LC_ALL=C sort -u >symbols
diff -u "$tests/symbols.txt" symbols
for library in "${libraries[@]}"; do
    ! nm -D --defined-only --with-symbol-versions "$library" |
        grep -vE '@@WARREN_0\.1$|^0+ A WARREN_0\.1$' || { echo "a name without its version" && exit 1; }
    readelf -d "$library" | grep -q 'SONAME.*\.so\.0\.1\]'
done

if command -v abidiff >/dev/null && ! readelf -p .comment "$2" | grep -q clang; then
    echo "== abidiff: nothing that a compiled program relies on has changed since the last release"
    for library in "${libraries[@]}"; do
        name=${library##*/} status=0
        abidiff --headers-dir2 "$tests/../include" --no-show-locs --drop-private-types \
            "$tests/abi/${name%%.so*}.abi" "$library" >differences || status=$?
        # 1, 2: it could not run; 4: there is a change; 8: which breaks programs.
        [ "$((status & 11))" = 0 ] || { cat differences && exit 1; }
    done
fi

echo "== layout: the members of public structs are where they were"
"$cc" -I"$tests/../include" -fsyntax-only "$tests/abi_layout.c"

# A newer header: each struct that has a reserve has one member more. An older header: the last
# word of a struct was not there yet.
cp -r "$tests/../include" current
cp -r current newer
cp -r current older
sed -i -E 's/^( *WR_WORD_ )(uint64_t +reserve_)\[8\]/\1bool added; \1\2[7]/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[7\]/\1bool added; \1\2[6]/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[6\]/\1bool added; \1\2[5]/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[5\]/\1bool added; \1\2[4]/
           s/^( *WR_WORD_ )uint64_t +reserve_\[1\]/\1bool added/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[2\]/\1bool added; \1\2[1]/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[3\]/\1bool added; \1\2[2]/
           s/^( *WR_WORD_ )(uint64_t +reserve_)\[4\]/\1bool added; \1\2[3]/' newer/*.h newer/*/*.h
for header in warren.h warren/cover.h; do
    awk '
        function flush() { for (i = 1; i <= kept; i++) print held[i]; kept = 0 }
        /^typedef struct wr_.* {$/ { inside = $3; kept = 0; print; next }
        inside != "" { held[++kept] = $0 }
        inside != "" && /reserve_\[/ {
            word = held[kept]
            match(word, /\[[0-9]+\]/)
            count = substr(word, RSTART + 1, RLENGTH - 2)
            sub(/\[[0-9]+\]/, "[" count + 1 "]", word)
            kept -= inside ~ /^wr_(macro|covering_options)$/ ? 2 : 1 # two share a word
            held[kept] = word
        }
        inside != "" && /^}/ { flush(); inside = ""; next }
        inside == "" { print }
    ' "current/$header" >"older/$header"
done
[ "$(grep -c 'bool added' newer/warren.h)" = 6 ]
gone='^    .*( \*faults;|\*like;|\*show;|draw_in\)|weight; +\/\* like|first;|radix;|radix_no_local;)'
[ "$(cat current/*.h current/*/*.h | grep -cE "$gone")" = 9 ]
[ "$(cat older/*.h older/*/*.h | grep -cE "$gone")" = 0 ]

linked=("${libraries[@]}" "-Wl,-rpath,$(dirname "$2")" "-Wl,-rpath,$(dirname "$3")")
build() { # HEADER NAME OPTION...
    "$cc" -O1 -w "${@:3}" -I"$1" -o "$2" "$tests/abi_program.c" "${linked[@]}"
}
export WARREN_SEED=1 WARREN_NO_STORE=1 WARREN_COLOR=never
run() { # NAME: what it prints, and its statuses
    for argument in '*' check cover; do
        local status=0
        (exec -a program "./$1" "$argument") 2>&1 || status=$?
        echo "status $status"
    done | sed -E "s/[0-9.]+ m?s\b//; s,\./$1$,program,"
}

for header in current older newer; do
    echo "== the program, compiled with the $header header"
    build "$header" "with_$header"
    run "with_$header" >"$header.out"
done
cat current.out
[ "$(grep -c '^FAIL' current.out)" = 4 ]
grep -q 'x = 10$' current.out
diff current.out older.out
diff current.out newer.out

echo "== a newer program that sets a new member is refused"
for where in OPTIONS CON KIND COMMAND MACRO MACHINE COVERING; do
    build newer "set_$where" -DSET="IN_$where"
    run "set_$where" >out
    grep -q 'sets a member that this library does not know' out || {
        echo "not refused: $where" && cat out && exit 1
    }
    grep -q '^status 99' out
done
