#!/usr/bin/env bash
# cover_test.sh WARREN: the command `warren cover`: languages, formats, rows that are kept, what is
# measured, what is refused, and files that are replaced as a whole.
set -euo pipefail

warren=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-cover.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

wrong=0
complain() {
    echo "cover: $*"
    wrong=1
}

# expect STATUS WANTED ARGUMENTS...: what the command prints on standard output, with a newline.
expect() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$warren" cover "$@" >out 2>err || status=$?
    [ "$status" = "$wanted" ] || complain "warren cover $*: status $status, wanted $wanted"
    [ "$(cat out)" = "$text" ] || complain "warren cover $*: printed"$'\n'"$(cat out)"
}

# told TEXT...: each is in what the last command said on standard error.
told() {
    local text
    for text in "$@"; do
        grep -qF -e "$text" err || complain "not said: $text; but"$'\n'"$(cat err)"
    done
}

# refused LINE ARGUMENTS...: one line on standard error, none on standard output, status 99.
refused() {
    local line=$1
    shift
    expect 99 '' "$@"
    [ "$(cat err)" = "$line" ] || complain "warren cover $*: said"$'\n'"$(cat err)"
}

# ---- The four languages say the same ----

cat >m.acts <<'END'
[System]
Name: same
[Parameter]
p0 (int) : 0, 1
p1 (int) : 0, 1, 2
p2 (int) : 0, 1
[Constraint]
p0 = 1 => p1 != 2
END
cat >m.pict <<'END'
p0: 0, 1
p1: 0, 1, 2
p2: 0, 1
IF [p0] = 1 THEN [p1] <> 2;
END
printf '2\n3\n2 3 2\n' >m.model
printf '1\n2\n- 1 - 4\n' >m.constraints
cat >m.warren <<'END'
parameter p0: 0..1
parameter p1: 0..2
parameter p2: 0..1
require p0 = 1 => p1 != 2
END
"$warren" cover m.acts -q >acts.csv
for model in m.pict m.model m.warren; do
    "$warren" cover "$model" -q >other.csv
    cmp -s acts.csv other.csv || complain "$model gives other rows than m.acts"
done
"$warren" cover m.model m.constraints -q | cmp -s - acts.csv || complain "a second file is not read"
"$warren" cover - -q <m.pict | cmp -s - acts.csv || complain "standard input is not read"
[ "$(wc -l <acts.csv)" = 7 ] || complain "m.acts has $(wc -l <acts.csv) lines, wanted 7"

# ---- Verified, and summed up ----

"$warren" cover m.acts --verify >out 2>err || complain "--verify: status $?"
told '6 rows: there are no fewer' '16 tuples: 15 covered, 1 infeasible, 0 missing' 'method: '
printf 'parameter a: x\nparameter b: y\n' >one.warren
"$warren" cover one.warren >one.csv 2>err || complain "one row: status $?"
told '1 row: there are no fewer'
[ "$("$warren" cover one.warren --measure one.csv | head -1)" = "1 row" ] || complain "--measure: one row"
"$warren" cover m.acts --infeasible infeasible.txt >out 2>err
[ "$(cat infeasible.txt)" = "p0=1, p1=2" ] || complain "--infeasible: $(cat infeasible.txt)"
cat >large.warren <<'END'
parameter a: 0..9
parameter b: 0..9
parameter c: 0..9
parameter d: 0..20/2 invalid -1
parameter e: x, y, z
parameter f: true, false
cover 2 of all
cover 3 of d, e, f
require a + b < 15
require e = x => c % 2 = 0 and a != b
keep a = 0, b = 9, e = x, c = 2
keep a = 9, b = 9
END
"$warren" cover large.warren --verify >large.csv 2>err || complain "--verify: status $?"
told '0 missing' '1 row kept' '1 kept row is left out: it breaks a constraint or has two invalid'
[ "$(sed -n '2s/,[^,]*,[^,]*$//p' large.csv | cut -d, -f1-3)" = 0,9,2 ] ||
    complain "the kept row is not the first"

# ---- Values that the constraints exclude ----

# absent LINE MODEL ARGUMENTS...: the command says nothing of such values, or this line first.
absent() {
    local line=$1 said
    shift
    "$warren" cover "$@" >out 2>err || complain "warren cover $*: status $?"
    said=$(grep '^warren cover: no row has' err || true)
    [ "$said" = "$line" ] || complain "warren cover $*: said"$'\n'"$said"
}
printf 'parameter pack: none, fast\nparameter level: 1..9\n' >none.warren
absent '' none.warren
echo 'require pack = none => level > 9' >>none.warren
absent 'warren cover: no row has this value, for the constraints exclude it: pack=none' none.warren
absent '' none.warren -q
echo 'require level >= 4' >>none.warren
absent 'warren cover: no row has any of these values, for the constraints exclude them: '\
'pack=none, level=1, level=2 and 1 more' none.warren
printf 'parameter a: 0..100\nparameter b: x, y\nrequire b = x => a > 100\n' >digits.warren
absent 'warren cover: no row has this value, for the constraints exclude it: b=x' \
    digits.warren --radix auto
absent '' digits.warren --radix 10 --radix-local none # values are not covered
printf 'A: 1, 2\nB: 3, ~4\nC: x, y\n{ A, B } @ 2\nIF [A] = 1 THEN [C] <> [C];\n' >group.pict
absent 'warren cover: no row has this value, for the constraints exclude it: A=1' group.pict

# ---- Formats ----

printf 'model tiny\nparameter name: "a b", "c,d"\nparameter on: true\n' >tiny.warren
expect 0 'name,on
"c,d",true
a b,true' tiny.warren -t 1 -q
expect 0 $'name\ton\nc,d\ttrue\na b\ttrue' tiny.warren -t 1 -q --format tsv
expect 0 '[
  {"name": "c,d", "on": true},
  {"name": "a b", "on": true}
]' tiny.warren -t 1 -q --format json
"$warren" cover tiny.warren -q --format acts >out
grep -qx '# Number of configurations: 2' out || complain "--format acts does not count the rows"
printf 'A: a | b | c\nB: ~-1, 0, 1\n' >alias.pict
"$warren" cover alias.pict -q --format tsv >out
[ "$(cut -f1 out | sort | tr '\n' ' ')" = "A a b c " ] || complain "aliases do not take turns"
[ "$(cut -f2 out | grep -c '^~-1$')" = 1 ] || complain "an invalid value has lost its mark"

# ---- PICT's sub-models ----

cat >sub.pict <<'END'
PLATFORM: x86, x64, arm
CPUS:     1, 2, 4
RAM:      1GB, 4GB, 64GB
HDD:      SCSI, IDE
OS:       Win7, Win8, Win10
APP:      Word, Excel
{ PLATFORM, CPUS, RAM, HDD } @ 2
IF [OS] = "Win7" THEN [PLATFORM] <> "arm";
END
"$warren" cover sub.pict --verify >sub.csv 2>err || complain "sub.pict: status $?"
configurations=$(tail -n +2 sub.csv | cut -d, -f1-4 | sort -u | wc -l)
[ "$configurations" -ge 9 ] && [ "$configurations" -le 12 ] ||
    complain "the sub-model has $configurations configurations"
# Each of them with each application: that is what makes it a compound.
[ "$(tail -n +2 sub.csv | cut -d, -f1-4,6 | sort -u | wc -l)" = $((2 * configurations)) ] ||
    complain "a configuration is not with every application"
! grep -q '^arm.*Win7' sub.csv || complain "a row of sub.pict breaks a constraint"

# ---- A colon that PICT does not need ----

printf 'A: 1, 2\nB 3, 4\n' >colon.pict
expect 0 $'A,B 3\n2,4\n1,4' colon.pict
told "warren cover: colon.pict:2: there is no ':', so the parameter is called 'B 3'"

# ---- The same again ----

"$warren" cover large.warren -q --seed 5 >one.csv
"$warren" cover large.warren -q --seed 5 | cmp -s - one.csv || complain "a seed does not repeat"
"$warren" cover large.warren -q --seed 5 | cmp -s - large.csv && complain "a seed changes nothing"
"$warren" cover large.warren --optimise 300ms >timed.csv 2>err
again=$(sed -n 's/.*(again: \(.*\)).*/\1/p' err)
[ -z "$again" ] || # nothing to be found is nothing to be repeated
    "$warren" cover large.warren -q $again | cmp -s - timed.csv || complain "$again does not repeat"

# ---- Rows that are there already ----

head -4 acts.csv >some.csv
"$warren" cover m.acts --keep some.csv --verify >kept.csv 2>err || complain "--keep: status $?"
head -4 kept.csv | cmp -s - some.csv || complain "kept rows are not the first"
printf 'p1\tother\n2\t1\n7\t\n' >odd.tsv
"$warren" cover m.acts --keep odd.tsv --verify >kept.csv 2>err || complain "--keep: status $?"
told "odd.tsv:1:4: no parameter is called 'other' (1 column ignored, 1 cell left open)"

# ---- What rows cover ----

printf 'parameter a: 0..9\nparameter b: 0..9\n' >wide3.warren
printf 'a,b\n4,5\n' >one3.csv

printf 'p0,p1,p2\n0,0,0\n1,1,1\n' >two.csv
expect 0 '2 rows
strength 1: 85.71 % of 7 tuples covered, 1 missing, 0 infeasible
  of 3 combinations of parameters 66.67 % have 100 %, 66.67 % have 75 %, 100.00 % have 50 %, 100.00 % have 25 % or more of their tuples
  missing: p1=2
strength 2: 40.00 % of 15 tuples covered, 9 missing, 1 infeasible
  of 3 combinations of parameters 0.00 % have 100 %, 0.00 % have 75 %, 33.33 % have 50 %, 100.00 % have 25 % or more of their tuples
  missing: p0=0, p1=1
  missing: p0=0, p1=2
  missing: p0=1, p1=0
  missing: p0=0, p2=1
  missing: p0=1, p2=0
  missing: p1=0, p2=1
  missing: p1=1, p2=0
  missing: p1=2, p2=0
  missing: p1=2, p2=1' m.acts --measure two.csv
"$warren" cover m.acts --measure acts.csv -t 3 >out
grep -q '^strength 2: 100.00 %' out || complain "an array does not cover what it was built for"
grep -q '^strength 3: 60.00 % of 10 tuples covered, 4 missing, 2 infeasible' out ||
    complain "strength 3 is measured as $(grep '^strength 3' out)"
"$warren" cover m.acts --measure two.csv --format json >out
grep -q '"covered": 6, "infeasible": 1, "missing": 9' out || complain "--measure has other JSON"

# Every missing tuple in JSON, as many as are asked for otherwise.
for how in '' '--missing 3'; do
    "$warren" cover wide3.warren --measure one3.csv --format json $how >out
    listed=$(grep -o '"a": [0-9]*, "b"' out | wc -l)
    [ "$listed" = "$([ -n "$how" ] && echo 3 || echo 99)" ] || complain "JSON lists $listed tuples"
done
"$warren" cover wide3.warren --measure one3.csv --missing 25 >out
[ "$(grep -c '^  missing: ' out)" = 43 ] || complain "--missing 25: $(grep -c missing: out)"
"$warren" cover wide3.warren --measure one3.csv >out
[ "$(grep -c '^  missing: ' out)" = 38 ] || complain "20 are listed: $(grep -c missing: out)"

# Without a model the rows make one.
printf '# rows\na,b,c\n1,x,\n2,"y, z",*\n1,"y, z",\n' >own.csv
expect 0 '3 rows
strength 1: 100.00 % of 4 tuples covered, 0 missing, 0 infeasible
  of 2 combinations of parameters 100.00 % have 100 %, 100.00 % have 75 %, 100.00 % have 50 %, 100.00 % have 25 % or more of their tuples
strength 2: 75.00 % of 4 tuples covered, 1 missing, 0 infeasible
  of 1 combinations of parameters 0.00 % have 100 %, 100.00 % have 75 %, 100.00 % have 50 %, 100.00 % have 25 % or more of their tuples
  missing: a=2, b=x' --measure own.csv
told "own.csv:2:5: no parameter is called 'c' (1 column ignored, 0 cells left open)"
"$warren" cover --measure - -q <own.csv | head -1 | grep -qx '3 rows' || complain "--measure - reads nothing"
: >empty.csv
refused 'empty.csv: expected at least one parameter, found none' --measure empty.csv

# Bytes that are not UTF-8 are valid JSON.
printf 'n\xff: \xc3\xa9, \xff\xfe, \xed\xa0\x80, "\xf0\x9f\x90\x87"\nb: x, y\n' >bytes.pict
"$warren" cover bytes.pict -q --format json >bytes.json || complain "bytes.pict: status $?"
if command -v iconv >/dev/null; then
    iconv -f UTF-8 -t UTF-8 bytes.json >/dev/null || complain "JSON is not UTF-8"
fi
LC_ALL=C grep -qF $'"n\xef\xbf\xbd": "\xc3\xa9"' bytes.json || complain "JSON changes what is UTF-8"

# ---- A summary that would take long, and rows that would be many ----

{
    for p in a b c d e f g h; do echo "parameter $p: 0..19"; done
    echo 'require a + b + c + d + e + f + g + h <= 5'
} >tight.warren
"$warren" cover tight.warren --moves 1 >out 2>err || complain "tight.warren: status $?"
told 'tuples: not counted, for that takes longer than building (--verify counts them)'
for p in a b c d; do echo "parameter $p: 0..1000"; done >many.warren
("$warren" cover many.warren -t 3 2>err || true) | head -1 >out
told 'warren cover: 1003003001 rows follow; --radix auto makes fewer'
[ "$(cat out)" = a,b,c,d ] || complain "many rows: $(cat out)"

# ---- Ranges, wide and split into digits ----

printf 'parameter a: 0..100\nparameter b: 0..100\nparameter c: 0..100\n' >wide.warren
"$warren" cover wide.warren --verify >out 2>err || complain "wide.warren: status $?"
told '10201 rows: there are no fewer'
"$warren" cover wide.warren --radix auto --verify >out 2>err || complain "--radix auto: status $?"
told '0 missing' '3 parameters as digits'
[ "$(tail -n +2 out | cut -d, -f1 | sort -u | wc -l)" = 101 ] || complain "--radix loses values"

# ---- What is refused ----

printf 'A: 1, 2\n[A] = "x";\n' >typed.pict
refused 'typed.pict:2:7: expected a number, for the values of A are numbers, found a text' typed.pict
printf '[Parameter]\na(int):0,1\n[Constraint]\na = \n' >cut.acts
refused "cut.acts:4:5: expected a parameter, a value or '(', found the end of the line" cut.acts
printf '2\n1\n' >short.model
refused 'short.model:3:1: expected a number of values, 1 or more, found the end of the file' \
    short.model
: >empty
refused 'empty: expected at least one parameter, found none' empty
printf 'parameter a: 0..9\nrequire a > 5\nrequire a != 7\nrequire a < 3\n' >never.warren
expect 99 '' never.warren
told 'never.warren: ' 'a > 5' 'a < 3'
! grep -q 'a != 7' err || complain "a contradiction names more than it needs"
refused 'warren cover: nowhere: cannot be read: No such file or directory' nowhere
refused "warren cover: expected a model's file, got nothing"
refused 'warren cover: --format: expected csv, tsv, json or acts, got "xml"' m.acts --format xml
refused 'warren cover: "--colour" is not an option (--help names them)' m.acts --colour
refused 'warren cover: "--strenght" is not an option (did you mean --strength?)' m.acts --strenght 3
refused 'warren cover: --moves: cannot be given together with --optimise' m.acts --moves 5 --optimise 1s
refused 'warren cover: --missing: expected with --measure, got it alone' m.acts --missing 3
printf 'A: 1, 2\nB: x, y\nIF [A] = 3 THEN [B] = "x";\n' >unknown.pict
refused "unknown.pict:3:10: expected a value of A, found '3'" unknown.pict
printf 'mdl backup\nparameter a: 1, 2\n' >misspelt.warren
refused "misspelt.warren:1:11: expected ':' and values, found the end of the line (read as PICT's \
language; ACTS's begins with '[', Warren's with model or parameter)" misspelt.warren
refused 'two.csv:1:1: no parameter is called '"'p0'" tiny.warren --measure two.csv
status=0
"$warren" frobnicate >out 2>err || status=$?
[ "$status" = 99 ] && [ "$(wc -l <err)" = 1 ] || complain "an unknown command: $status"
told 'warren: "frobnicate" is not a command (--help names them)'
"$warren" cove >out 2>err || true
told 'warren: "cove" is not a command (did you mean cover?)'
"$warren" --version | grep -q '^warren [0-9]' || complain "--version prints no version"
"$warren" --help | grep -q '^  cover' || complain "--help does not name cover"

# ---- A range that is wider than the largest number ----

cat >wide.warren <<'END'
parameter a: -9000000000000000000..9000000000000000000/4500000000000000000
parameter b: 0, 1
require a + b > 0
require a in {0, 4500000000000000000}
keep a = 4500000000000000000, b = 1
END
"$warren" cover wide.warren --verify >out 2>err || complain "a wide range: $(cat err)"
[ "$(sort out)" = "$(printf '%s\n' 0,1 4500000000000000000,0 4500000000000000000,1 a,b)" ] ||
    complain "a wide range: $(cat out)"
cat >wide.warren <<'END'
parameter a: -9000000000000000000..9000000000000000000/1500000000000000000
parameter b: 0..12
require a + b > 0
END
"$warren" cover wide.warren --strength 1 --verify --radix 2 >out 2>err ||
    complain "a wide range as digits: $(cat err)"
[ "$(sed 1d out | cut -d, -f1 | sort -u | wc -l)" = 7 ] ||
    complain "a wide range as digits: $(cat out)"

# ---- Files, pipes, interrupts ----

echo old >rows.csv
"$warren" cover m.acts -q -o rows.csv
cmp -s rows.csv acts.csv || complain "-o writes something else"
echo old >rows.csv
"$warren" cover never.warren -q -o rows.csv 2>err && complain "a contradiction is no error"
[ "$(cat rows.csv)" = old ] || complain "-o has replaced a file by nothing"
[ -z "$(find . -name 'rows.csv.*')" ] || complain "-o leaves files behind"
refused "warren cover: no/rows.csv: cannot be written: No such file or directory" m.acts -q -o no/rows.csv
if [ -e /dev/full ]; then
    status=0
    "$warren" cover m.acts >/dev/full 2>err || status=$?
    [ "$status" = 99 ] || complain "a full disk: $status"
    told 'warren cover: standard output: cannot be written: No space left on device'
fi
printf 'parameter a: 0..1000\nparameter b: 0..1000\nparameter c: 0..1000\n' >long.warren
("$warren" cover long.warren 2>err || true) | head -1 >out
[ "$(cat out)" = a,b,c ] && [ ! -s err ] || complain "a closed pipe: $(cat err)"

# Interrupted while it looks for fewer rows, it writes those that it has.
"$warren" cover large.warren --strength 3 --optimise 1h -o rows.csv 2>err &
pid=$!
for _ in $(seq 600); do
    [ -n "$(find . -name 'rows.csv.*')" ] && break
    sleep 0.1
done
sleep 2
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" = 0 ] || complain "interrupted: status $status"
"$warren" cover large.warren --strength 3 --measure rows.csv 2>err | grep -q '^strength 3: 100.00 %' ||
    complain "interrupted, it writes rows that do not cover"


# Ended, it leaves nothing behind.
"$warren" cover large.warren --strength 3 --optimise 1h -o gone.csv 2>err &
pid=$!
for _ in $(seq 600); do
    [ -n "$(find . -name 'gone.csv.*')" ] && break
    sleep 0.1
done
kill "$pid"
status=0
wait "$pid" 2>/dev/null || status=$?
[ "$status" = 143 ] || complain "ended: status $status"
[ -z "$(find . -name 'gone.csv*')" ] || complain "ended, it leaves $(find . -name 'gone.csv*')"

[ "$wrong" = 0 ] && echo "cover: all is as it should be"
exit "$wrong"
