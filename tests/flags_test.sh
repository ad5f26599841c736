#!/usr/bin/env bash
# flags_test.sh CC LIBRARY [CFLAG...]: one program compiled in many ways, one report.
#
# reals.c is compiled at several levels of optimisation, -Ofast among them, and run with several
# numbers of workers. The JSON must be the same bytes, but for the seconds. Guided cases draw no
# constants of the program, which differ from compiler to compiler. The flags are those of
# the library's sanitizers: with these, only the library's own compiler can compile the program.
# With TEST_FULL=1: both compilers, more levels, a sanitizer, more workers and seeds. The last line
# counts the reports, for script/bench.
set -euo pipefail
cc=$1
library=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-flags.XXXXXX")
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=${library%/*} ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
unset "${!WARREN_@}"

ways=(-O0 -O2 -Ofast)
compilers=("$cc")
jobs=(1 2)
seeds=(1 2)
if [[ ${TEST_FULL:-0} = 1 ]]; then
    ways=(-O0 -O2 -O3 -Ofast)
    jobs=(1 2 7)
    seeds=(1 2 3)
fi
if [[ ${TEST_FULL:-0} = 1 && $# = 0 ]]; then
    ways+=("-O1 -fsanitize=address") # a sanitized program may use a library that is not
    seeds=(1 2 3 4 5 6 7 8 9 10)
    for other in gcc clang; do
        [[ $cc = *"$other"* ]] || ! command -v "$other" >/dev/null || compilers+=("$other")
    done
fi

# The report of a program: all runs of a seed, one after the other.
report() { # PROGRAM JOBS SEED
    local common=(--no-store --format json --jobs "$2" --seed "$3")
    "$1" "${common[@]}" --cases 300 || [[ $? = 1 ]]
    "$1" "${common[@]}" --cases 3000 --bugs many fails_by_bits || [[ $? = 1 ]]
    "$1" "${common[@]}" --cases 20000 --explore guide --constants off guided || [[ $? = 1 ]]
    "$1" "${common[@]}" --cases 500 --explore enumerate doubles guided || [[ $? = 1 ]]
}
# Times, the program's path, and how many cases each worker ran.
without_times() { sed -E 's/"(seconds|workers|replay)": ([0-9.]+|\[[0-9, ]*\]|"[^"]*")//g'; }

reports=0 different=0 first=
for compiler in "${compilers[@]}"; do
    for way in "${ways[@]}"; do
        program=$work/reals
        read -ra options <<<"$way"
        "$compiler" "${options[@]}" "$@" -I"$here/../include" "$here/reals.c" -o "$program" \
            "$library" -lm
        for job in "${jobs[@]}"; do
            for seed in "${seeds[@]}"; do
                report "$program" "$job" "$seed" | without_times >"$work/now"
                [[ -e $work/seed$seed ]] || { cp "$work/now" "$work/seed$seed"; first=$way; }
                reports=$((reports + 1))
                if ! cmp -s "$work/now" "$work/seed$seed"; then
                    echo "$compiler $way --jobs $job --seed $seed: not what $first reports:"
                    diff "$work/seed$seed" "$work/now" | cut -c 1-300 | head -4 || true
                    different=$((different + 1))
                fi
            done
        done
        echo "${compiler##*/} $way: ${#seeds[@]} seeds, jobs ${jobs[*]}"
    done
done
grep -q '"status": "failed"' "$work/seed1" || { echo "fails_by_bits held"; different=$((different + 1)); }
grep -q '"subnormal": [1-9]' "$work/seed1" || { echo "no subnormal number"; different=$((different + 1)); }
echo "flags: $reports reports; different (bar: 0): $different"
exit $((different > 0))
