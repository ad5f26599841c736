#!/usr/bin/env bash
# reference_test.sh WARREN: the manual pages of the functions are what the headers say, and those of
# the subcommands what WARREN prints. Every function that the libraries export is on a page, and a
# public name without a comment is noticed.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python3 "$source/script/reference.py" "$source" "$(realpath "$1")" --check

missing=0
while read -r _ _ name; do
    case $name in
        wr_cov_*) continue ;; # called by the compiler
        wr_*_ | WARREN_* | main | __*) continue ;;
    esac
    sed -n '/^.SH NAME/,/^.SH SYNOPSIS/p' "$source"/docs/man/man3/warren-*.3 |
        grep -qE "^$name(,| |\$)" || { echo "reference_test.sh: no page has $name" && missing=1; }
done <"$source/tests/symbols.txt"
[ $missing = 0 ]

work=$(mktemp -d "${TMPDIR:-/tmp}/warren-reference.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/man"
cp -r "$source/include" "$work"
cp -r "$source/docs/man/man3" "$work/docs/man"
# A function without a comment, one with a new comment, one that is gone.
sed -i -e 's|^/\* True or false; false is simpler. \*/||' -e 's|^ \* index below n (n > 0)||' \
    -e 's|/\* A length\. |/* A number of things. |' "$work/include/warren.h"
rm "$work/docs/man/man3/warren-machines.3"
status=0
python3 "$source/script/reference.py" "$work" --check >"$work/out" || status=$?
[ $status = 1 ]
grep -q 'wr_bool has no comment' "$work/out"
grep -q 'warren-draws.3 is not what its source says' "$work/out"
grep -q 'warren-machines.3 is not what its source says' "$work/out"
! grep -q 'warren-trees.3' "$work/out"
