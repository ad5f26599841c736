#!/usr/bin/env bash
# docs_test.sh [--write] BUILD CC: the pages say what is true of the library in the folder BUILD.
#
# Every fenced ```c block of README.md and docs/*.md is a program: it is compiled as a reader
# would, with warnings as errors, and run. A comment on the line before the block says otherwise:
#
#     <!-- fails -->       it must exit with 1
#     <!-- skips -->       it must exit with 77
#     <!-- misuse -->      it must exit with 99
#     <!-- hangs -->       only a transcript runs it
#     <!-- sort.c -->      the name of the file; may stand together with one of the others
#     <!-- signals -->     it is compiled with the flags of docs/signals.md
#     <!-- cover -->       it is linked with the library of covering arrays instead
#     <!-- fragment -->    it is not compiled
#
# A block that follows <!-- disk.txt model --> is a model: `warren cover` covers it, verified.
#
# A ```console block is a transcript. Its lines that begin with "$ " are commands; they run in a
# folder that has the named files of the page up to there, compiled. The other lines are all that
# these commands print; only times and addresses may be others. A line "..." stands for lines that
# are left out, if the text beside the block has the words "left out". With --write, transcripts
# are changed to what is printed. A report stands in no other block.
#
# Besides: docs/options.md and the manual page name the same options as --help; the pages name
# each field of a JSON report; functions are in the files that docs/inside.md and docs/tour.md
# name; links between the files lead somewhere.
set -euo pipefail

write=false
[[ $1 != --write ]] || { write=true; shift; }
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

# ---- What a reader has: cc, pkg-config and warren ----

mkdir "$work/bin" "$work/pkgconfig"
printf '#!/bin/sh\nexec "%s" -Wall -Wextra -Werror "$@"\n' "$cc" >"$work/bin/cc"
chmod +x "$work/bin/cc"
ln -s "$build/warren" "$work/bin/warren"
for library in warren warren-cover; do
    printf 'Name: %s\nDescription: as built\nVersion: 0\nCflags: -I%s/include\nLibs: -L%s -l%s\n' \
        "$library" "$source" "$build" "$library" >"$work/pkgconfig/$library.pc"
done
export PATH=$work/bin:$PATH PKG_CONFIG_PATH=$work/pkgconfig

# ---- Programs, and what they print ----

# Takes a file apart: NUMBER.c, NUMBER.model or NUMBER.console, with NUMBER.marks: the lines where
# the block begins and ends, and the words of the comment before it.
take_apart() { # take_apart FILE FOLDER
    awk -v folder="$2" '
        /^```/ && inside {
            if (kept) {
                print begin, NR, marks > (block ".marks")
                close(block ".marks")
                close(name)
            }
            inside = 0
            marks = ""
            next
        }
        /^```/ {
            inside = 1
            begin = NR
            kind = $0 ~ /^```c[ \t]*$/ ? "c" : $0 ~ /^```console[ \t]*$/ ? "console" : \
                   marks ~ /model/ ? "model" : ""
            kept = kind != ""
            block = sprintf("%s/%03d", folder, ++count)
            name = block "." kind
            if (kept)
                printf "" > name
            next
        }
        inside && kept { print > name; next }
        inside {
            if (/^(ok|FAIL|FLAKY|ERROR|GAVE UP|proved|found|held|stopped|skip)  [a-z_]+/ ||
                /^  (replay|stored|rule|note|output|known from|found after|found in)/ ||
                /^ +[0-9.]+%  #/)
                print NR > (folder "/reports")
            next
        }
        /^<!--.*-->[ \t]*$/ { marks = $0; gsub(/<!--|-->/, "", marks); next }
        NF { marks = "" }
        END { if (inside) print "a fence is not closed" > (folder "/broken") }
    ' "$1"
}

# What differs from run to run, or between compilers: times, seeds from the clock, addresses, numbers
# of processes, how many blocks the compiler made.
blur() {
    sed -E -e '/^slow  .* has been running for /d' -e 's/[0-9]+(\.[0-9]+)? s$/TIME/' \
        -e 's/(in|,) [0-9]+(\.[0-9]+)? s([;,])/\1 TIME\3/g' \
        -e 's/\b0x[0-9a-f]{6,}/ADDRESS/g' -e 's/==[0-9]+==/==N==/' \
        -e 's/code: [0-9]+ of [0-9]+/code: N of N/' -e 's/, [0-9]+\/s,/, SPEED,/' \
        -e 's/; seed [0-9]{5,}$/; seed N/'
}

# Are the lines of the second file those of the first, in which "..." stands for any?
matches() { # matches WANTED PRINTED
    awk 'NR == FNR { wanted[++count] = $0; next }
         { printed[++lines] = $0 }
         function same(from, to, at,    i) {   # are wanted[from..to] at printed[at]?
             for (i = from; i <= to; i++)
                 if (at + i - from > lines || wanted[i] != printed[at + i - from])
                     return 0
             return 1
         }
         END {
             at = from = 1
             for (i = 1; i <= count; i++)
                 if (wanted[i] == "...") {
                     if (from == 1 ? !same(1, i - 1, 1) : 0)
                         exit 1
                     if (from > 1)
                         while (at <= lines && !same(from, i - 1, at))
                             at++
                     if (at > lines)
                         exit 1
                     at += i - from
                     from = i + 1
                 }
             rest = count - from + 1
             if (from == 1 ? count != lines : lines - rest < at)
                 exit 1
             exit !same(from, count, lines - rest + 1)
         }' <(blur <"$1") <(blur <"$2")
}

# Runs one command of a transcript. What it prints goes to the new transcript, or the old lines do,
# if they are as good.
run_command() { # run_command PLACE COMMAND WANTED NEW
    (cd "$files" && timeout 300 bash -c "$2" </dev/null >"$work/printed" 2>&1) || true
    commands=$((commands + 1))
    if matches "$3" "$work/printed"; then
        cat "$3" >>"$4"
        return
    fi
    cat "$work/printed" >>"$4"
    $write && return
    diff "$3" "$work/printed" || true
    complain "$1: this is not what it prints: $2"
}

run_transcript() { # run_transcript PLACE TRANSCRIPT NEW
    local place=$1 line command="" more=false
    : >"$3"
    : >"$work/wanted"
    while IFS= read -r line; do
        if $more; then
            command+=$'\n'$line
            echo "$line" >>"$3"
        elif [[ $line == "$ "* ]]; then
            [ -z "$command" ] || run_command "$place" "$command" "$work/wanted" "$3"
            command=${line#"$ "}
            : >"$work/wanted"
            echo "$line" >>"$3"
        else
            echo "$line" >>"$work/wanted"
            continue
        fi
        more=false
        [[ $line != *\\ ]] || more=true
    done <"$2"
    if [ -z "$command" ]; then
        complain "$place: a transcript begins with its command"
    else
        run_command "$place" "$command" "$work/wanted" "$3"
    fi
}

# The text beside a block, up to the fences before and after it, says that lines are left out.
check_left_out() { # check_left_out PAGE BEGIN END TRANSCRIPT
    grep -qxF ... "$4" || return 0
    awk -v begin="$2" -v end="$3" '
        NR < begin && /^```/ { before = ""; next }
        NR < begin { before = before " " $0 }
        NR > end && /^```/ { exit }
        NR > end { after = after " " $0 }
        END { exit (before after) !~ /left out/ }' "$1" ||
        complain "${1#"$source/"}:$2: the text does not say which lines are left out"
}

compile() { # compile PLACE FILE OPTION...: in the folder where the file is
    local place=$1 file=$2
    shift 2
    programs=$((programs + 1))
    cc -g -o "${file%.c}" "$file" -I"$source/include" -L"$build" "$@" -lm -lpthread \
        >"$work/compiler" 2>&1 && return
    cat "$work/compiler"
    complain "$place: it does not compile"
    return 1
}

run_program() { # run_program PLACE CODE WORDS...
    local place=$1 code=$2 file=example.c named=false wanted=0 status=0 word
    local options=() library=-lwarren
    shift 2
    for word in "$@"; do
        case $word in
            fragment) return ;;
            fails) wanted=1 ;;
            skips) wanted=77 ;;
            misuse) wanted=99 ;;
            hangs) wanted=none ;;
            signals) options=("${signals[@]}") ;;
            cover) library=-lwarren-cover ;;
            *.c) file=$word named=true ;;
            *) complain "$place: <!-- $word --> means nothing" ;;
        esac
    done
    cp "$code" "$files/$file"
    cd "$files"
    compile "$place" "$file" ${options[@]+"${options[@]}"} "$library" || return 0
    [ "$wanted" != none ] || return 0
    # By variables, not by options: a program with a main() of its own may not read any.
    WARREN_SEED=1 WARREN_CASES=200 WARREN_NO_STORE=1 WARREN_COLOR=never \
        "./${file%.c}" >"$work/printed" 2>&1 || status=$?
    if [ "$status" != "$wanted" ]; then
        cat "$work/printed"
        complain "$place: it exits with $status, wanted $wanted"
    fi
    $named || rm "$file" "${file%.c}"
}

run_model() { # run_model PLACE MODEL WORDS...
    local file=model.txt word
    for word in "${@:3}"; do
        [[ $word != *.* ]] || file=$word
    done
    programs=$((programs + 1))
    cp "$2" "$files/$file"
    warren cover "$files/$file" --verify >"$work/printed" 2>&1 || {
        cat "$work/printed"
        complain "$1: it is no model"
    }
}

# Puts a new transcript in the place of an old one.
replace_block() { # replace_block PAGE BEGIN END NEW
    { head -n "$2" "$1"; cat "$4"; tail -n +"$3" "$1"; } >"$work/page.md"
    cp "$work/page.md" "$1"
}

programs=0
commands=0
for page in "$source"/README.md "$source"/CONTRIBUTING.md "$source"/docs/*.md; do
    name=${page#"$source/"}
    folder=$work/${name//\//_}
    files=$folder/files
    mkdir -p "$files/.warren" # or a store would be looked for further up
    take_apart "$page" "$folder"
    [ ! -e "$folder/broken" ] || complain "$name: $(cat "$folder/broken")"
    [ ! -e "$folder/reports" ] ||
        complain "$name: a report that is no transcript, in line $(tr '\n' ' ' <"$folder/reports")"
    for marks in "$folder"/*.marks; do
        [ -e "$marks" ] || continue
        read -r begin end words <"$marks"
        read -ra words <<<"$words"
        block=${marks%.marks}
        if [ -e "$block.c" ]; then
            run_program "$name:$begin" "$block.c" ${words[@]+"${words[@]}"}
        elif [ -e "$block.model" ]; then
            run_model "$name:$begin" "$block.model" ${words[@]+"${words[@]}"}
        else
            check_left_out "$page" "$begin" "$end" "$block.console"
            run_transcript "$name:$begin" "$block.console" "$block.new"
        fi
    done
    # The last first: those before it keep their lines.
    for new in $($write && ls -r "$folder"/*.new 2>/dev/null); do
        read -r begin end _ <"${new%.new}.marks"
        replace_block "$page" "$begin" "$end" "$new"
    done
done
echo "docs: $programs programs, $commands commands of transcripts"
[ "$programs" -gt 10 ] || complain "only $programs programs were found"
[ "$commands" -gt 10 ] || complain "only $commands commands were found"

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
grep -v pkg-config "$source/docs/covering-arrays.md" | compare_options docs/covering-arrays.md
sed -e 's/\\-/-/g' "$source/docs/man/man1/warren-cover.1" | compare_options docs/man/man1/warren-cover.1

# The same for the commands that look at stores.
for command in run bugs show forget merge replay import export new; do
    "$build/warren" $command --help | sed -n 's/^  \(-., \)\?\(--[a-z-]*\).*/\2/p'
done | sort -u >"$work/there"
cp "$work/there" "$work/of_campaigns"
sed -e 's/\\-/-/g; /--replay ,/d' "$source/docs/man/man1/warren.1" | compare_options docs/man/man1/warren.1
sort -u "$work/of_properties" "$work/of_cover" "$work/of_campaigns" >"$work/there"

# Each option that the other pages name is one, unless it is another program's.
others=" --preset --build --install --prefix --cflags --libs --output-on-failure --args --list \
--quick --static --variable --help --parallel --test-dir --print-errorlogs --target --exec --json-lines \
--error-exitcode --port --save --appendonly --requirepass --deep --first-sealed --array --cpus-per-task "
for page in "$source"/README.md "$source"/docs/*.md; do
    for option in $(long_options <"$page"); do
        grep -qxe "$option" "$work/there" || [[ $others == *" $option "* ]] ||
            complain "${page#"$source/"} names $option, which is not an option"
    done
done

# Each field of a JSON report is on one of the pages.
grep -oE '(put_[a-z]+|open_list)\(out, "[a-z_]+"|\\"[a-z_]+\\": ' "$source/src/report/json.c" |
    grep -oE '"[a-z_]+\\?"' | tr -d '"\\' | sort -u >"$work/fields"
[ "$(wc -l <"$work/fields")" -gt 50 ] || complain "src/report/json.c has too few fields to be true"
while read -r field; do
    grep -qF "\`$field\`" "$source"/docs/*.md || complain "no page names the JSON field $field"
done <"$work/fields"

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
