#!/usr/bin/env bash
# signals_test.sh PROGRAM...: what the report of each, a signals_program, says about its code.
set -euo pipefail
wrong=0

complain() {
    echo "signals: $*"
    wrong=1
}

# has TEXT PATTERN: the text has a line that matches.
has() {
    grep -Eq -- "$2" <<<"$1" || complain "$program: no line matches '$2' in:"$'\n'"$1"
}

for program in "$@"; do
    run=("$program" --seed 1 --no-store --color never)
    one=$("${run[@]}" judges --jobs 1)
    has "$one" '^  code: [0-9]+ of [0-9]+ places covered$'
    has "$one" '^    not covered: (beyond_the_limit|judge)  signals_program\.c:[0-9, ]+$'
    ! grep -q 'not covered: .*judges' <<<"$one" || complain "$program: the body of a property counts"
    four=$("${run[@]}" judges --jobs 4)
    [ "$(grep code: <<<"$one")" = "$(grep code: <<<"$four")" ] || complain "$program: jobs matter"

    less=$("${run[@]}" judges_one_side | sed -n 's/^  code: \([0-9]*\) of.*/\1/p')
    more=$(sed -n 's/^  code: \([0-9]*\) of.*/\1/p' <<<"$one")
    [ "$less" -lt "$more" ] || complain "$program: one side covers $less, both $more"

    json=$("${run[@]}" judges --format json)
    has "$json" '"coverage": \{"known": [0-9]+, "covered": [0-9]+, "uncovered": \[\{"function": "'
    has "$json" '"file": "[^"]*signals_program\.c", "line": [0-9]+, "cases": 0\}'

    # A line that most cases reach is not rare.
    rare=$("${run[@]}" judges --explore guide --cases 1000 --verbose |
        sed -n 's/^    rare: .*, \([0-9]*\) cases*$/\1/p' | sort -n | tail -1)
    [ "${rare:-0}" -le 100 ] || complain "$program: $rare of 1000 cases are rare"

    # How much a property that failed has covered depends on when it was stopped.
    failed=$("${run[@]}" fails) && complain "$program: fails did not fail"
    ! grep -q 'code:' <<<"$failed" || complain "$program: coverage of a failed property"
    failed=$("${run[@]}" fails --verbose) && complain "$program: fails did not fail"
    has "$failed" '^  code: '
done
exit "$wrong"
