#!/usr/bin/env bash
# observations_test.sh PAGED OBSERVED MISBEHAVE: each case as a line of JSON (--observations).
#
# Every line must be JSON with the members of its type. Times aside, the file is the same with any
# --jobs and for every explorer, and the run's own report is what it is without the option.
set -euo pipefail

paged=$1 observed=$2 misbehave=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-observations.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
wrong=0
fail() {
    echo "observations_test: $1"
    wrong=1
}
ulimit -c 0

# NAME WORDS...: writes NAME.1 with one worker and NAME.3 with three.
both() {
    local name=$1
    shift
    "$@" --seed 3 --no-store --jobs 1 --observations "$name.1" >/dev/null 2>&1 || true
    "$@" --seed 3 --no-store --jobs 3 --observations "$name.3" >/dev/null 2>&1 || true
}

for how in random guide enumerate restart combine auto; do
    both "$how" "$paged" --cases 100 --explore "$how"
done
both feedback "$paged" --cases 300 --explore feedback a_queue_is_first_in_first_out
both many "$paged" --cases 200 --bugs many numbers_have_as_many_digits_as_printed
both shown "$observed" shows_much shows_from_threads counts_no_discards violates_in_two_places
both crash "$misbehave" segv exits scribbles_over_the_case forked_child_draws noisy skips
both left_out "$observed" shows_much --cases 10500

out() {
    "$observed" --seed 1 --no-store --format json shows_much "$@" | sed -E 's/"[a-z_]*seconds": [0-9.]+//g'
}
cmp <(out) <(out --observations beside) || fail "the report is another one"

echo old >kept
for path in . no/such/folder/x; do
    status=0
    "$paged" --cases 1 --no-store --observations "$path" >out 2>err || status=$?
    [ "$status" = 99 ] && [ "$(wc -l <err)" = 1 ] || fail "$path: status $status, $(cat err)"
    grep -q -- "--observations: cannot write $path: " err || fail "$path: $(cat err)"
done
"$paged" --cases 1 --observations kept no_such_property >/dev/null 2>&1 && fail "no such property"
"$paged" --cases 1 --observations kept --bogus >/dev/null 2>&1 && fail "no such option"
[ "$(cat kept)" = old ] || fail "a run that did not begin has emptied the file"
status=0
"$observed" --cases 5 --no-store --observations /dev/full shows_much >/dev/null 2>err || status=$?
[ "$status" = 99 ] && [ "$(wc -l <err)" = 1 ] || fail "/dev/full: status $status, $(cat err)"

python3 - <<'PYTHON' || fail "the files"
import collections
import json

CASE = {"type", "run_start", "property", "status", "status_reason", "representation", "arguments",
        "how_generated", "features", "timing", "coverage", "metadata"}
MESSAGE = {"type", "run_start", "property", "title", "content"}


def lines(name):
    read = []
    with open(name, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            case = line["type"] == "test_case"
            assert set(line) == (CASE if case else MESSAGE), line
            assert line["type"] in ("test_case", "info", "alert", "error"), line
            assert line.pop("run_start") > 1e9
            if case:
                assert line["status"] in ("passed", "failed", "gave_up"), line
                assert (line["status"] == "passed") == (line["status_reason"] == ""), line
                assert line.pop("timing")["execute:test"] >= 0
            read.append(line)
    return read


def both(name):
    one, three = lines(name + ".1"), lines(name + ".3")
    assert one == three, name
    return one


def count(read):
    return collections.Counter((line["property"], line.get("status", line.get("title")))
                               for line in read if line["type"] == "test_case")


for how in "random", "guide", "enumerate", "restart", "combine", "auto", "feedback":
    read = both(how)
    cases = [line for line in read if line["type"] == "test_case"]
    assert len(cases) > 20, how
    assert how == "auto" or all(how in line["how_generated"] for line in cases
                                if how == "feedback" or "queue" not in line["property"]), how
    failed = [line for line in cases if line["status"] == "failed"]
    assert failed and all("(paged.c:" in line["status_reason"] for line in failed), how
    assert any(line["type"] == "error" and "replay: " in line["content"] for line in read), how

of = count(both("random"))
assert of["sorting_keeps_the_values", "passed"] == 100, of
of = count(both("many"))
assert sum(of.values()) == 200 and of["numbers_have_as_many_digits_as_printed", "failed"] > 3, of

read = both("shown")
of = count(read)
assert of["shows_much", "passed"] == 1000 and of["counts_no_discards", "gave_up"] > 100, of
first = next(line for line in read if line["property"] == "shows_much")
assert isinstance(first["arguments"]["n"], int), first
assert first["features"]["a constant, 100%"] == "", first
assert first["features"]["parity"] in ("even", "odd"), first
odd = sum(line["features"]["parity"] == "odd" for line in read if line["property"] == "shows_much")
assert 300 < odd < 700, odd
assert all((line["arguments"]["n"] % 2 == 1) == (line["features"]["parity"] == "odd")
           for line in read if line["property"] == "shows_much")

# A sanitizer prints addresses and process numbers, which the messages have.
one, three = (count(lines("crash." + jobs)) for jobs in "13")
assert one == three, (one, three)
of = one
assert of["segv", "failed"] == of["exits", "failed"] == of["noisy", "failed"] == 1, of
assert of["skips", "gave_up"] == 1, of

read = both("left_out")
assert len(read) == 10001 and read[-1]["title"] == "cases left out", len(read)
PYTHON
exit "$wrong"
