#!/usr/bin/env bash
# campaign_test.sh WARREN TOGETHER GUIDED DATABASE: the commands that look at stores, on a folder of texts
# and on a database, and what they refuse. DATABASE is 1 where Warren has SQLite.
set -euo pipefail

warren=$1
together=$2
guided=$3
database=$4
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-campaign.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset WARREN_STORE

wrong=0
complain() {
    echo "campaign: $*"
    wrong=1
}

# expect STATUS TEXT COMMAND...: what the command prints on standard output, with times and
# processes as T and HOST.
expect() {
    local wanted=$1 text=$2 status=0 printed
    shift 2
    "$@" >out 2>err || status=$?
    [ "$status" = "$wanted" ] || complain "$*: status $status, wanted $wanted: $(cat err)"
    printed=$(sed -E "s/seen(\":|:) +[0-9][-0-9: UTC]*/seen\1 T/; s/_seen\": [0-9]+/_seen\": T/g
                      s|[^ \"]+/[0-9]+(\"\|$)|HOST\1|; s|$work/||g; s|[^ \"]*/tests/|tests/|g" out)
    [ "$printed" = "$text" ] || complain "$*: printed"$'\n'"$printed"$'\n'"wanted"$'\n'"$text"
}

# refused LINE COMMAND...: one line on standard error, nothing on standard output, status 99.
refused() {
    local line=$1
    shift
    expect 99 '' "$@"
    [ "$(cat err)" = "$line" ] || complain "$*: said"$'\n'"$(cat err)"
}

find_bugs() { # find_bugs STORE PATTERN: stores the bugs of these properties
    "$together" --store "$1" --seed 1 --cases 100 --no-fork --quiet "$2" >/dev/null && exit 1 || true
}

# ---- A store, as it is found ----
find_bugs a 'fails_1[01]'
ten=d77a88f9fa5195eb eleven=b8a747fcbbd760b4 twelve=45babd4dd4f6c616
line_10="$ten  open       fails_10  tests/together.c:24  assertion failed: x < 5 + 10"
line_11="$eleven  open       fails_11  tests/together.c:24  assertion failed: x < 5 + 11"
line_12="$twelve  open       fails_12  tests/together.c:24  assertion failed: x < 5 + 12"
expect 0 "$line_10"$'\n'"$line_11" "$warren" bugs a
token_10=w1prIlSMJLi1QH6AcPxDhN0A
shown="$line_10
  assertion failed: x < 5 + 10
    x      = 15
    5 + 10 = 15
values:
  x = 15"
times="first seen: T
last seen: T
found by:   HOST"
where="stored:     a/failures/together.fails_10.$ten.txt
replay:     together fails_10 --replay $token_10"
if [ "$database" = 1 ]; then
    expect 0 "$shown"$'\n'"$times"$'\n'"$where" "$warren" show d77a --store a
    [ "$(cat a/.gitignore)" = 'campaign.db*' ] || complain "no .gitignore"
fi
rm -f a/campaign.db* && find_bugs a 'fails_1[01]'
mkdir texts && cp -r a/failures texts/
expect 0 "$shown"$'\n'"${where/ a\// texts/}" "$warren" show fails_10 --store texts
expect 0 "{\"bug\": \"$ten\", \"program\": \"together\", \"property\": \"fails_10\", \
\"kind\": \"assertion\", \"file\": \"tests/together.c\", \"line\": 24, \
\"message\": \"assertion failed: x < 5 + 10\\n  x      = 15\\n  5 + 10 = 15\", \
\"status\": \"open\", \"minimal\": true, \"token\": \"$token_10\", \"values\": {\"x\": \"15\"}, \
\"rule\": \"\", \"first_seen\": T, \"last_seen\": T, \"found_by\": \"\", \
\"stored\": \"texts/failures/together.fails_10.$ten.txt\"}" \
    "$warren" show texts/failures/together.fails_10.$ten.txt --store texts --format json

# ---- Merging: any order, twice, also of stores that are texts or a database alone ----
find_bugs b 'fails_1[12]'
all=$line_10$'\n'$line_11$'\n'$line_12
sums() { (cd "$1" && find . -name '*.txt' -exec sha1sum {} + | sort); }
expect 0 '' "$warren" merge ab a b
expect 0 '' "$warren" merge ba b a
expect 0 "$all" "$warren" bugs ab
sums ab >once
cmp -s once <(sums ba) || complain "the order of a merge counts"
expect 0 '' "$warren" merge ab b ab
cmp -s once <(sums ab) || complain "a merge that is done again changes something"
expect 0 '' "$warren" merge both texts b
expect 0 "$all" "$warren" bugs both
if [ "$database" = 1 ]; then
    expect 0 '' "$warren" merge from_database ab/campaign.db
    expect 0 "$all" "$warren" bugs from_database
    cmp -s <(sums from_database) once || complain "a database gives other texts"
    touch alone.db
    expect 0 '' "$warren" merge alone.db ab
    expect 0 "$all" "$warren" bugs alone.db
fi

# Corpora and rules: the lines and entries of both.
mkdir -p a/corpus a/rules b/corpus b/rules
printf 'warren corpus 1 x p\nw1a one\nw1b two\n' >a/corpus/x.p.1.txt
printf 'warren corpus 1 x p\nw1b two\nw1c three\n' >b/corpus/x.p.1.txt
printf '# Bugs\n\n"one"\nf(?A)\n' >a/rules/x.p.1.rules
printf '# Bugs\n\n"two"\ng(?A)\n\n"one"\nf(?A)\n' >b/rules/x.p.1.rules
for i in 1 2; do
    expect 0 '' "$warren" merge sets a b
    [ "$(cat sets/corpus/x.p.1.txt)" = $'warren corpus 1 x p\nw1a one\nw1b two\nw1c three' ] ||
        complain "corpora: $(cat sets/corpus/x.p.1.txt)"
    [ "$(cat sets/rules/x.p.1.rules)" = $'# Bugs\n\n"one"\nf(?A)\n\n"two"\ng(?A)' ] ||
        complain "rules: $(cat sets/rules/x.p.1.rules)"
done

# ---- Four programs at once: every bug once ----
for i in 1 2 3 4; do
    "$together" --store four --seed $i --cases 100 --no-fork --quiet >/dev/null 2>&1 &
done
wait
[ "$("$warren" bugs four | wc -l)" = 40 ] || complain "four programs: $("$warren" bugs four | wc -l)"
[ "$database" = 0 ] || [ "$("$warren" bugs four/campaign.db | wc -l)" = 40 ] ||
    complain "four programs: the database has another number of bugs"

# ---- Forgetting; what is found again has returned ----
expect 0 '' "$warren" forget fails_11 --store ab
[ ! -e ab/failures/together.fails_11.$eleven.txt ] || complain "forget leaves the text"
expect 0 "$line_10"$'\n'"$line_12" "$warren" bugs ab
if [ "$database" = 1 ]; then
    expect 0 "$line_10"$'\n'"${line_11/open     /forgotten}"$'\n'"$line_12" "$warren" bugs ab --all
    expect 0 '' "$warren" merge ba ab
    expect 0 "$line_10"$'\n'"$line_12" "$warren" bugs ba
    [ ! -e ba/failures/together.fails_11.$eleven.txt ] || complain "a merge keeps a forgotten text"
    find_bugs ab fails_11
    expect 0 "$line_10"$'\n'"${line_11/open     /returned }"$'\n'"$line_12" "$warren" bugs ab
fi

# ---- A case again ----
"$warren" replay "$together" fails_10 --store a >out 2>&1 && complain "replay: it does not fail"
grep -q 'x < 5 + 10' out || complain "replay: $(cat out)"
"$warren" replay "$together" $token_10 >out 2>&1 && complain "replay: it does not fail"
grep -q 'x < 5 + 10' out || complain "replay: $(cat out)"
refused 'warren replay: ./nowhere: No such file or directory' "$warren" replay ./nowhere w1abc
refused 'warren replay: no bug is called "fails_99" (warren bugs lists them)' \
    "$warren" replay ./nowhere fails_99 --store a

# ---- A first test ----
expect 0 $'first/first.c\nfirst/Makefile\nBuild and run it: make -C first check' "$warren" new first
refused 'warren new: first: File exists' "$warren" new first
refused 'warren new: "../x": expected a name of letters, digits, _ and -' "$warren" new ../x
refused 'warren new: expected one name, got nothing' "$warren" new

# ---- A fuzzer's corpus, there and back ----
export WARREN_SEED=1 WARREN_CASES=100
mkdir files
printf 'WARREN-FILE x' >files/good
printf 'other' >files/other
"$warren" import "$guided" reads_a_file files --store fuzzed >out 2>&1 || complain "import: $(cat out)"
"$warren" export "$guided" reads_a_file written --store fuzzed >out 2>&1 || complain "export: $(cat out)"
grep -lq '^WARREN-FILE ' written/* || complain "what was imported is not exported: $(ls written)"
ls written >before
"$warren" export "$guided" reads_a_file written --store fuzzed >out 2>&1 || complain "export: $(cat out)"
ls written | cmp -s - before || complain "the same cases are other files"
"$warren" export "$guided" reads_a_file written --store nothing >out 2>&1 && complain "export of nothing"
grep -q 'export: the property has no corpus yet' out || complain "export of nothing: $(cat out)"
unset WARREN_SEED WARREN_CASES
refused 'warren export: expected a program, a property and a folder, got two' \
    "$warren" export "$guided" reads_a_file

# ---- What is wrong is told in one line, and stays ----
refused 'warren bugs: nowhere: there is no store here' "$warren" bugs nowhere
refused 'warren bugs: expected one store, got "b" besides' "$warren" bugs a b
refused 'warren show: expected a bug, got nothing' "$warren" show
mkdir -p two/failures && cp a/failures/*fails_10* two/failures/
sed 's/^key:.*/key: 0000000000000001/' a/failures/*fails_10* >two/failures/copy.txt
refused 'warren show: 2 bugs are called "fails_10" (warren bugs lists their keys)' \
    "$warren" show fails_10 --store two
refused 'warren show: "--fromat" is not an option (did you mean --format?)' "$warren" show --fromat x
refused 'warren merge: expected two stores, got one' "$warren" merge a
refused 'warren merge: expected two stores, got nothing' "$warren" merge
refused 'warren merge: http://x: expected redis://HOST[:PORT]/CAMPAIGN or redis+unix:///PATH/CAMPAIGN' \
    "$warren" merge a http://x
sums a >before
if [ "$database" = 1 ]; then
    echo rubbish that is long enough to be no database >rubbish.db
    refused 'warren bugs: rubbish.db: this file is no database' "$warren" bugs rubbish.db
    refused 'warren merge: rubbish.db: this file is no database' "$warren" merge a rubbish.db
    [ "$(cat rubbish.db)" = 'rubbish that is long enough to be no database' ] ||
        complain "rubbish was written to"
fi
cmp -s before <(sums a) || complain "a merge that was refused changes the store"
echo rubbish >a/failures/rubbish.txt
expect 99 "$line_10"$'\n'"$line_11" "$warren" bugs a
[ "$(cat err)" = "warren bugs: a/failures/rubbish.txt:1: expected 'warren failure 1', found 'rubbish'" ] ||
    complain "rubbish: $(cat err)"

[ "$wrong" = 0 ] && echo "campaign: all checks passed"
exit "$wrong"
