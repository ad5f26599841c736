#!/usr/bin/env bash
# docs_test.sh BUILD CC: what the documentation says is true of the library in the folder BUILD.
#
# Every fenced ```c block of README.md and docs/*.md is a program: it is compiled as a reader
# would, with warnings as errors, and run. A comment on the line before the block says otherwise:
#
#     <!-- fails -->       it must exit with 1
#     <!-- skips -->       it must exit with 77
#     <!-- sort.c -->      the name of the file; may stand together with one of the others
#     <!-- signals -->     it is compiled with the flags of docs/signals.md
#     <!-- cover -->       it is linked with the library of covering arrays instead
#     <!-- fragment -->    it is not compiled
#
# A block that follows <!-- model --> is a model: `warren cover` covers it, verified.
#
# A block that follows <!-- prints --> must be in what the last program printed, line by line in
# this order; figures of effort and time, tokens and paths may be others. Besides: docs/options.md
# and the manual page name the same options as --help; functions are in the files that docs/inside.md
# and docs/tour.md name; links between the files lead somewhere.
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-docs.XXXXXX")
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset "${!WARREN_@}"

# What docs/signals.md says for this compiler.
compiler=gcc
[[ ${cc##*/} != *clang* ]] || compiler=clang
read -ra signals <<<"$(sed -n "s/^| $compiler | \`\(.*\)\` |$/\1/p" "$source/docs/signals.md")"

wrong=0
complain() {
    echo "docs: $*"
    wrong=1
}

# ---- Programs, and what they print ----

# Takes a file apart: NUMBER.c, or NUMBER.text for what must be printed, with NUMBER.marks, the
# words of the comment before it and the line where the block starts.
take_apart() { # take_apart FILE FOLDER
    awk -v folder="$2" '
        /^```/ && inside { inside = 0; kept = 0; marks = ""; next }
        /^```/ {
            inside = 1
            program = $0 ~ /^```c[ \t]*$/
            model = marks ~ /model/
            kept = program || model || marks ~ /prints/
            if (kept) {
                name = sprintf("%s/%03d", folder, ++count)
                print NR, marks > (name ".marks")
                name = name (program ? ".c" : model ? ".model" : ".text")
                printf "" > name
            }
            next
        }
        inside { if (kept) print > name; next }
        /^<!--.*-->[ \t]*$/ { marks = $0; gsub(/<!--|-->/, "", marks); next }
        NF { marks = "" }
        END { if (inside) print "a fence is not closed" > (folder "/broken") }
    ' "$1"
}

# What may differ from run to run, or is being improved: effort, time, shares, tokens, paths.
blur() {
    sed -E -e 's/^ *[0-9.]+%  #* */SHARE /' -e 's/[0-9]+(\.[0-9]+)? s\b/TIME/g' -e 's/\bw1[A-Za-z0-9_-]+/TOKEN/g' \
        -e '/^ *(found|known) /s/[0-9]+/N/g' -e '/^ *found .*, shrunk/s/(found|, shrunk).*//' \
        -e 's/ 0x[0-9a-f]{6,}/ ADDRESS/g' -e 's/^( *stored: ).*/\1PATH/' -e 's/==[0-9]+==/==N==/' \
        -e 's/code: [0-9]+ of [0-9]+/code: N of N/' "$1"
}

# Every line of the first must be in the second, in this order.
printed_in_order() {
    awk 'NR == FNR { if (NF) wanted[++count] = $0; next }
         BEGIN { at = 1 }
         at <= count && $0 == wanted[at] { at++ }
         END { if (at <= count) { print wanted[at]; exit 1 } }' <(blur "$1") <(blur "$2")
}

run_program() { # run_program PLACE CODE WORDS...
    local place=$1 code=$2 file=example.c wanted=0 status=0 word flags=() libraries=(-lwarren)
    shift 2
    for word in "$@"; do
        case $word in
            fragment) return ;;
            fails) wanted=1 ;;
            skips) wanted=77 ;;
            signals) flags=("${signals[@]}") ;;
            cover) libraries=(-lwarren-cover) ;;
            *.c) file=$word ;;
            *) complain "$place: <!-- $word --> means nothing" ;;
        esac
    done
    rm -rf "$work/run"
    mkdir "$work/run"
    cp "$code" "$work/run/$file"
    cd "$work/run"
    programs=$((programs + 1))
    if ! "$cc" -g -Wall -Wextra -Werror -I"$source/include" ${flags[@]+"${flags[@]}"} \
        -o "${file%.c}" "$file" \
        -L"$build" "${libraries[@]}" -lm -lpthread >"$work/compiler" 2>&1; then
        cat "$work/compiler"
        complain "$place: it does not compile"
        return
    fi
    # By variables, not by options: a program with a main() of its own may not read any.
    WARREN_SEED=1 WARREN_CASES=200 WARREN_NO_STORE=1 WARREN_COLOR=never \
        "./${file%.c}" >"$work/printed" 2>&1 || status=$?
    if [ "$status" != "$wanted" ]; then
        cat "$work/printed"
        complain "$place: it exits with $status, wanted $wanted"
    fi
}

programs=0
shown=0
for page in "$source"/README.md "$source"/CONTRIBUTING.md "$source"/docs/*.md; do
    name=${page#"$source/"}
    folder=$work/${name//\//_}
    mkdir "$folder"
    take_apart "$page" "$folder"
    [ ! -e "$folder/broken" ] || complain "$name: $(cat "$folder/broken")"
    : >"$work/printed"
    for marks in "$folder"/*.marks; do
        [ -e "$marks" ] || continue
        read -r line words <"$marks"
        read -ra words <<<"$words"
        block=${marks%.marks}
        if [ -e "$block.c" ]; then
            run_program "$name:$line" "$block.c" ${words[@]+"${words[@]}"}
        elif [ -e "$block.model" ]; then
            programs=$((programs + 1))
            "$build/warren" cover "$block.model" --verify >"$work/printed" 2>&1 || {
                cat "$work/printed"
                complain "$name:$line: it is no model"
            }
        else
            shown=$((shown + 1))
            missing=$(printed_in_order "$block.text" "$work/printed") || {
                cat "$work/printed"
                complain "$name:$line: the program above does not print: $missing"
            }
        fi
    done
done
echo "docs: $programs programs, $shown of their reports"
[ "$programs" -gt 10 ] || complain "only $programs programs were found"

# ---- Options ----

cat >"$work/none.c" <<'END'
#include <warren.h>
WR_PROPERTY(none) { wr_bool(t, NULL); }
END
"$cc" -I"$source/include" -o "$work/none" "$work/none.c" -L"$build" -lwarren -lm
long_options() { grep -oE -e '--[a-z][a-z-]+' | sort -u; }
"$work/none" --help | sed -n 's/^  \(-., \)\?\(--[a-z-]*\).*/\2/p' | sort -u >"$work/there"
[ "$(wc -l <"$work/there")" -gt 15 ] || complain "--help names too few options to be true"

compare_options() { # compare_options NAME <OPTIONS
    long_options >"$work/named"
    for option in $(comm -23 "$work/named" "$work/there"); do
        complain "$1 names $option, which --help does not"
    done
    for option in $(comm -13 "$work/named" "$work/there"); do
        complain "$1 does not name $option, which --help does"
    done
}
compare_options docs/options.md <"$source/docs/options.md"
sed -e 's/\\-/-/g' "$source/docs/man/man3/warren.3" >"$work/page"
grep -v pkg-config "$work/page" >"$work/options" # which has options of its own
compare_options docs/man/man3/warren.3 <"$work/options"

# The same for `warren cover`.
mv "$work/there" "$work/of_properties"
"$build/warren" cover --help | sed -n 's/^  \(-., \)\?\(--[a-z-]*\).*/\2/p' | sort -u >"$work/there"
cp "$work/there" "$work/of_cover"
compare_options docs/covering-arrays.md <"$source/docs/covering-arrays.md"
sed -e 's/\\-/-/g' "$source/docs/man/man1/warren-cover.1" | compare_options docs/man/man1/warren-cover.1
sort -u "$work/of_properties" "$work/of_cover" >"$work/there"

# Each option that the other pages name is one, unless it is another program's.
others=" --preset --build --install --prefix --cflags --libs --output-on-failure --args --list \
--quick --static --variable --help --parallel --test-dir "
for page in "$source"/README.md "$source"/docs/*.md; do
    for option in $(long_options <"$page"); do
        grep -qxe "$option" "$work/there" || [[ $others == *" $option "* ]] ||
            complain "${page#"$source/"} names $option, which is not an option"
    done
done

# A twin is WARREN_ and the option's name; one that is not known is refused.
for twin in $(grep -ohE '\bWARREN_[A-Z_]*[A-Z]' "$source"/README.md "$source"/docs/*.md "$work/page" |
    sort -u); do
    [[ $twin != WARREN_TEST_PREFIX && $twin != WARREN_SANITIZE && $twin != WARREN_WERROR ]] ||
        continue
    status=0
    told=$(env "$twin=" "$work/none" --no-store --cases 1 2>&1) || status=$?
    [ "$status" = 0 ] || complain "the documentation names $twin: $told"
done

# ---- Functions ----

# Every name that the pages use is declared, and the reference has every draw.
declared=$(grep -oE '\b(wr|WR)_[A-Za-z0-9_]*[A-Za-z0-9]\b' "$source"/include/warren.h \
    "$source"/include/warren/*.h -h | sort -u)
for used in $(cat "$source"/README.md "$source"/docs/*.md "$work/page" |
    grep -oE '\b(wr|WR)_[a-zA-Z0-9_]*[A-Za-z0-9]\b' | sort -u); do
    grep -qxe "$used" <<<"$declared" || grep -rqwe "$used" "$source/src" ||
        [[ $used == wr_body_* ]] || complain "the documentation names $used, which is not there"
done
for function in $(grep -oE 'WR_API [a-z0-9_]+ +\**wr_[a-z0-9_]*[a-z0-9]\(wr_case \*t, const char \*name' \
    "$source/include/warren.h" | grep -oE 'wr_[a-z0-9_]+\(' | tr -d '('); do
    grep -qwe "$function" "$source/docs/generators.md" "$source/docs/writing-properties.md" ||
        complain "docs/generators.md does not name $function"
done

# ---- Functions ----

# The walks and the tour name functions and the files that define them: lines "PLACE FILE FUNCTION".
{
    awk -F'|' '/^\| `[a-z]+\// {
        count = split($2, word, "`"); file = ""
        for (i = 2; i <= count; i += 2)
            if (word[i] ~ /\.[ch]$/) file = word[i]
            else if (word[i] ~ /^[a-z0-9_]+$/ && file != "") print "docs/inside.md:" FNR, file, word[i]
    }' "$source/docs/inside.md"
    sed -n 's/^### .*`\([a-z_]*\)`, in `\(.*\)`$/docs\/tour.md: \2 \1/p' "$source/docs/tour.md"
} >"$work/functions"
[ "$(wc -l <"$work/functions")" -gt 100 ] || complain "the walks name too few functions to be true"
while read -r place file function; do
    grep -qE "^([A-Za-z_].*[ *])?$function\(" "$source/src/$file" ||
        complain "$place: $function is not in $file"
done <"$work/functions"

# ---- Links ----

anchors() { # as GitHub makes them of headings
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}
for page in "$source"/*.md "$source"/docs/*.md; do
    name=${page#"$source/"}
    # Code is not prose: [i](x) in it is no link.
    sed -e '/^```/,/^```/d' -e 's/`[^`]*`//g' "$page" | grep -oE '\]\([^)]+\)' |
        sed -E 's/^\]\(([^)]+)\)$/\1/' >"$work/links" || true
    while read -r link; do
        case $link in
            http://* | https://* | mailto:*) continue ;;
        esac
        target=${link%%#*}
        file=$page
        [ -z "$target" ] || file=$(dirname "$page")/$target
        if [ ! -e "$file" ]; then
            complain "$name: the link to $link leads nowhere"
        elif [[ $link == *"#"* ]] && ! anchors "$file" | grep -qxe "${link#*#}"; then
            complain "$name: there is no heading for $link"
        fi
    done <"$work/links"
done

# ---- The manual page ----

if command -v groff >/dev/null; then
    for page in "$source"/docs/man/man*/*; do
        complaints=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
        [ -z "$complaints" ] || complain "${page#"$source/"}: $complaints"
    done
fi

[ "$wrong" = 0 ] && echo "docs: all is as it says"
exit "$wrong"
