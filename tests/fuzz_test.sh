#!/usr/bin/env bash
# fuzz_test.sh BUILD CC: a property as the target of libFuzzer, and of AFL++ where it is installed. What
# the fuzzer finds becomes a shrunk, stored failure, and a corpus goes both ways.
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
expect=$source/tests/expect.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-fuzz.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir .warren
unset "${!WARREN_@}"
with=(-I"$source/include" -L"$build" -lwarren -Wl,-rpath,"$build")

cat >test.c <<'END'
#include <warren/fuzz.h>
#include <string.h>

WR_PROPERTY(no_record_is_bad)
{
    int32_t  id = wr_i32(t, "id");
    size_t   n = wr_size(t, "n", 0, 20);
    uint8_t *tag = wr_bytes(t, "tag", n);
    char    *name = wr_text(t, "name", 0, 8);
    bool     known = id == 1234567;
    wr_classify(t, n > 10, "many bytes");
    wr_classify(t, known, "the id is known");
    wr_classify(t, known && n >= 4 && memcmp(tag, "RIFF", 4) == 0, "the tag, too");
    wr_assert(t, !known || n < 4 || memcmp(tag, "RIFF", 4) != 0 || strlen(name) < 2);
}
WR_FUZZ(no_record_is_bad);
END
"$cc" -g -Wall -Wextra -Werror test.c -o test "${with[@]}"
# The answers in order: the id, the length, the tag, the length of the name, its letters.
printf '\x87\xd6\x12\x00\x05RIFF!\x03abc' >by_hand

echo "== a fuzzer's input fails, is shrunk and stored"
"$expect" 1 'the seed file by_hand fails' 'id   = 1234567' 'n    = 4' 'tag  = [82, 73, 70, 70]' \
    'name = "aa"' 'stored:' -- ./test --seed 1 --color never --fuzz-files by_hand
"$expect" 1 'FAIL' 'known from an earlier run' -- ./test --seed 1 --color never --verbose
rm -r .warren/*

echo "== what cannot be read"
"$expect" 99 '--fuzz-files: cannot read the file or folder nowhere: No such file' -- ./test --fuzz-files nowhere
mkdir large && head -c 1048577 /dev/zero >large/zeros
"$expect" 0 'large/zeros was not used: it is over 1 MiB' -- ./test --seed 1 --fuzz-files large
head -c 1048576 /dev/urandom >large/zeros # a value for each draw, whatever the bytes are
"$expect" 0 'held' -- ./test --seed 1 --fuzz-files large
"$expect" 99 '--fuzz-files' '--seed-files' -- ./test --fuzz-files large --seed-files large

echo "== a corpus becomes inputs, which lead to the same cases"
./test --explore guide --cases 300 --seed 2 --constants off >/dev/null
"$expect" 0 -- ./test --fuzz-export inputs
[ "$(find inputs -type f | wc -l)" -ge 1 ]
"$expect" 0 -- ./test --seed 1 --no-store --fuzz-files inputs
cp by_hand inputs
"$expect" 1 'inputs/by_hand fails' -- ./test --seed 1 --no-store --color never --fuzz-files inputs

if ! command -v clang >/dev/null || ! clang -fsanitize=fuzzer -x c - -o probe 2>/dev/null \
    <<<'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n > 0; }'; then
    echo "== no clang with libFuzzer: not tried"
else
    for library in shared static; do
        echo "== libFuzzer, $library"
        last=("${with[@]}")
        [ $library = shared ] || last=(-I"$source/include" "$build/libwarren.a" -lm)
        clang -g -O1 -fsanitize=fuzzer test.c -o fuzz "${last[@]}"
        status=0
        ./fuzz by_hand >out 2>&1 || status=$?
        [ $status != 0 ]
        grep -q 'id   = 1234567' out && grep -q 'FAIL  no_record_is_bad' out || { cat out && exit 1; }
    done
    status=0
    mkdir -p corpus
    ./fuzz -seed=1 -runs=1000000 corpus >out 2>&1 || status=$?
    [ $status != 0 ] || { tail -n 20 out && echo "libFuzzer found nothing" && exit 1; }
    "$expect" 1 'n    = 4' 'name = "aa"' -- ./test --seed 1 --no-store --color never --fuzz-files crash-*
    ./test --seed 1 --no-store --fuzz-files corpus >out 2>&1 || { cat out && exit 1; }
fi

if command -v afl-clang-fast >/dev/null; then
    echo "== AFL++"
    AFL_QUIET=1 afl-clang-fast -g test.c -o afl "${with[@]}"
    status=0
    ./afl <by_hand >out 2>&1 || status=$?
    [ $status != 0 ] && grep -q 'id   = 1234567' out || { cat out && exit 1; }
    mkdir seeds && printf 'seed' >seeds/one
    AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 \
        timeout -s KILL 60 afl-fuzz -V 3 -i seeds -o afl-out ./afl >out 2>&1 || { tail out && exit 1; }
    grep -q '^execs_done *: *[1-9]' afl-out/default/fuzzer_stats
else
    echo "== no afl-clang-fast: not tried"
fi
