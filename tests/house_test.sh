#!/usr/bin/env bash
# house_test.sh CC LIBWARREN.A LIBWARREN-COVER.A: the rules for src/ as a whole.
#
# A room is a folder under src/. It includes only itself and rooms before it in the list below. A
# name says its room and is defined once. Headers compile alone; folders and functions stay small.
# Each line of the output names one thing that breaks a rule.
set -euo pipefail

rooms="core
    cover/model cover/language cover/oracle cover/algebra cover/search cover/radix cover/check
    cover constants gen data observe faults report report/page plan
    machine/table machine/calls machine/pattern machine/play machine/study
    explore explore/guide explore/combine explore/radix run/place run shrink
    store store/files store/sqlite store/redis quest chase hunt fleet cli"

cc=$1
archives=("$2" "$3")
cd "$(dirname "${BASH_SOURCE[0]}")/../src"
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-house.XXXXXX")
trap 'rm -rf "$work"' EXIT
mapfile -t sources < <(find . -name '*.[ch]' -printf '%P\n' | LC_ALL=C sort)
mapfile -t headers < <(printf '%s\n' "${sources[@]}" | grep '\.h$')

# ---- The include graph: lines "FILE INCLUDED" ----
awk -F'"' '/^#include "/ { print FILENAME, $2 }' "${sources[@]}" >"$work/includes"
check_includes() {
    awk -v list="$rooms" '
        function room(file) { sub(/\/[^\/]*$/, "", file); return file }
        function bad(why) { print $1 " includes " $2 ": " why }
        BEGIN { count = split(list, order); for (i = 1; i <= count; i++) place[order[i]] = i }
        { from = room($1); to = room($2) }
        $2 ~ /^warren(\.h|\/)/ { next } # public
        !(from in place) { print $1 ": its folder is no room of the list"; next }
        !(to in place) { bad("in no room of the list"); next }
        place[to] > place[from] { bad("that goes up") }
        from ~ /^cover/ && to !~ /^(cover|core)/ { bad("cover/ uses cover/ and core/ only") }
        from == "cover/check" && to !~ /^(cover\/check|cover\/model|core)$/ {
            bad("the checker shares nothing but the model with the others")
        }
        to == "store/files" && from !~ /^store/ { bad("store/files/ is behind store.h") }
        from == "explore/radix" && $2 == "explore/combine/goals.h" { next } # covering arrays
        to ~ /^explore\/(guide|combine|radix)$/ && from != to { bad(to "/ is behind explorer.h") }
    ' "$work/includes"
    { tsort "$work/includes" 2>&1 >/dev/null || true; } |
        sed -n 's/^tsort: \(.*\.[ch]\)$/\1: in a circle of includes/p' | sort -u
}

# ---- Names ----
# The words that may follow the prefix in a room: lines "ROOM WORD...". They are its files, its
# folders, and its types with their plurals; a room inside another has the types of both.
words() {
    printf '%s\n' "${sources[@]}" | awk -F/ '{
        room = $1; for (i = 2; i < NF; i++) room = room "/" $i
        sub(/\.[ch]$/, "", $NF); print room, $NF
        for (i = 1; i < NF; i++) print room, $i
    }'
    while read -r file type; do
        for room in $rooms; do
            [[ $room/ != ${file%/*}/* ]] || echo "$room ${type#wr?_} ${type#wr?_}s"
        done
    done <"$work/types"
}
# Lines "HEADER TYPE".
awk '
    FNR == 1 { text = "" }
    /^(__extension__ )?typedef/ && !/{/ { text = " " }
    text != "" { text = text $0 }
    text != "" && /;/ {
        sub(/;.*/, "", text); sub(/\)?\(.*\)$/, "", text); sub(/\[.*/, "", text)
        sub(/.*[ *]/, "", text); print FILENAME, text; text = ""
    }
    /^(typedef .*)?} [a-z_]+;/ { sub(/;.*/, ""); sub(/.*} /, ""); print FILENAME, $0 }
' "${headers[@]}" | sort -u >"$work/types"
# Lines "ARCHIVE OBJECT SYMBOL", with archive 0 or 1.
for i in 0 1; do
    nm -A --defined-only -g "${archives[i]}" |
        awk -v archive="$i" '{ split($1, at, ":"); print archive, at[2], $NF }'
done >"$work/symbols"
# The inline functions of a header are names of the header's module, too.
sed -n 's/^static inline [^(]*[ *]\(wr[a-z]_[a-z0-9_]*\)(.*/\1/p;t say;b;:say F' "${headers[@]}" |
    paste - - | awk '{ file = $2; sub(/.*\//, "", file); print($2 ~ /^cover/, file, $1) }' \
    >>"$work/symbols"
check_names() {
    awk '{ print $3 }' "$work/symbols" | sort | uniq -d | sed 's/$/: defined twice/'
    awk '{ print $2 }' "$work/types" | sort | uniq -d | sed 's/$/: a type of two headers/'
    # A macro may have two forms in one header, by a condition. script/amalgamate puts headers of
    # all rooms but cover/ into one file.
    grep -oE '^# *define WRI_[A-Z0-9_]+' "${headers[@]}" | sed 's/:.* /: /' | sort -u |
        awk '{ print $2 }' | sort | uniq -d | sed 's/$/: a macro of two headers/'
    # An archive does not tell folders: of files with one name, one must fit.
    awk '
        function fits(room, symbol,    at, rest) {
            if (substr(symbol, 1, 4) != (room ~ /^cover/ ? "wrc_" : "wri_")) return 0
            for (rest = substr(symbol, 5); rest != ""; rest = at ? substr(rest, 1, at - 1) : "") {
                for (at = length(rest); at && substr(rest, at, 1) != "_"; at--);
                if ((room, rest) in word) return 1
            }
            return 0
        }
        FILENAME == ARGV[1] { for (i = 2; i <= NF; i++) word[$1, $i] = 1; next }
        FILENAME == ARGV[2] {
            file = $1; sub(/.*\//, "", file); room = $1; sub(/\/[^\/]*$/, "", room)
            key = (room ~ /^cover/) file; homes[key] = homes[key] " " room; next
        }
        $3 ~ /^(wr_|__sanitizer_|main$)/ { next }
        {
            file = $2; sub(/\.o$/, "", file); key = $1 file
            count = split(homes[key], home)
            for (i = 1; i <= count; i++) if (fits(home[i], $3)) next
            print $3 ": its first word names nothing in" homes[key] " (" file ")"
        }
    ' <(words) <(printf '%s\n' "${sources[@]}") "$work/symbols"
}

# ---- Sizes ----
check_sizes() {
    find . -type f -printf '%P\n' | xargs wc -l | awk '
        $2 ~ /\// { sub(/\/[^\/]*$/, "", $2); files[$2]++; lines[$2] += $1 }
        END { for (f in files) if (files[f] > 30 || lines[f] > 6000)
                  print f "/: " files[f] " files (30), " lines[f] " lines (6000)" }'
    awk '
        /^[A-Za-z_]/ { start = FNR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
        /^{/ { inside = 1 }
        /^}/ && inside { inside = 0; if (FNR - start + 1 > 60)
            print FILENAME ":" start ": " name " has " FNR - start + 1 " lines (60)" }
    ' "${sources[@]}"
    LC_ALL=C.UTF-8 grep -nE '^.{99}' "${sources[@]}" | sed 's/:\([0-9]*\):.*/:\1: over 98 columns/' || true
}

check_headers() {
    # hosts_test.sh compiles the headers for test frameworks, which need the frameworks.
    local public
    mapfile -t public < <(grep -L '"host\.h"' ../include/*.h ../include/*/*.h)
    if ! command -v "$cc" >/dev/null; then
        echo "$cc: no such compiler, so no header was compiled"
        return
    fi
    "$cc" -std=gnu17 -D_GNU_SOURCE -DWR_BUILDING_ -I. -I../include -fmax-errors=1 \
        -x c -fsyntax-only "${headers[@]}" "${public[@]}" 2>&1 |
        grep -E 'error:|warning:' || true
}

{
    check_includes
    check_names
    check_sizes
    check_headers
} | tee "$work/broken"
[ ! -s "$work/broken" ]
