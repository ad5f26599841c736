#!/usr/bin/env bash
# run_command_test.sh WARREN TOGETHER GUIDED: many test programs as one campaign, some of which
# crash, hang, print rubbish or are no test programs; bugs that are told once; interrupts.
set -euo pipefail

warren=$1
together=$2
guided=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-run.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!WARREN_@}"
ln -s "$together" together
ln -s "$guided" guided

wrong=0
complain() {
    echo "run: $*"
    wrong=1
}

# expect STATUS COMMAND...: leaves what it prints in out and err, with times as T.
expect() {
    local wanted=$1 status=0
    shift
    timeout 120 "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] || complain "$*: status $status, wanted $wanted: $(cat out err)"
    sed -i -E 's/[0-9]+\.[0-9]+ s/T/g' out
}
has() { # has FILE LINE: just one such line
    [ "$(grep -cxF -- "$2" "$1")" = 1 ] || complain "wanted the line \"$2\", got $(cat "$1")"
}

# program NAME COMMANDS: one property, and what it does when it is to be tested.
program() {
    printf '#!/bin/sh\ncase "$*" in *--list*)\n%s\nexit 0;; esac\n%s\n' \
        "echo '{\"property\": \"p\", \"file\": \"x.c\", \"line\": 1}'" "$2" >"$1"
    chmod +x "$1"
}

# ---- Each property once ----
few=(-- --cases 20 '*_[1g][0a]*') # fails_10, four_gates, shows_gates, shows_a_gap
expect 1 "$warren" run together guided --no-store --seed 1 "${few[@]}"
has out 'FAIL  together fails_10  1 case, T'
has out 'ok    guided shows_a_gap  20 cases, 1 feature, T'
has out '    x = 15'
has out '  replay: ./together fails_10 --replay w1prIlSMJLi1QH6AcPxDhN0A'
[[ $(tail -n 1 out) == '4 properties of 2 programs: 3 held, 1 failed; 1 bug, 61 cases, '*' in T' ]] ||
    complain "the last line is $(tail -n 1 out)"
[ ! -s err ] || complain "on standard error: $(cat err)"
expect 0 "$warren" run guided --quiet --no-store "${few[@]}"
[ "$(wc -l <out)" = 1 ] || complain "--quiet prints $(cat out)"
expect 1 "$warren" run together guided --no-store --seed 1 --format json "${few[@]}"
[ "$(grep -c '^{"program": "guided", "property": "[a-z_]*", "status": "held", ' out)" = 3 ] ||
    complain "--format json: $(cat out)"
grep -q '^{"event": "end", .*"held": 3, "failed": 1, .*"status": 1}$' out ||
    complain "--format json has no end: $(cat out)"

# ---- Programs that are not as they should be ----
program crashes 'kill -SEGV $$'
program babbles "yes '{\"a\": [1,2'"
program lies "printf '\\033[31mred\\n'
    echo '{\"property\": \"p\", \"status\": \"held\", \"failures\": [{}, 7]}'
    echo '{\"property\": \"q\", \"status\": \"held\"}'"
program idles 'exit 0'
program fails 'exit 3'
printf '#!/bin/sh\nkill -ABRT $$\n' >unlisted && chmod +x unlisted
touch no_program
expect 99 "$warren" run crashes babbles lies idles fails unlisted ./no_program no_program \
    nowhere /bin/true \
    together --no-store --seed 1 -- fails_10
no_list='--list named no properties, as a test program does: it'
has err 'crashes: it was ended by signal 11 (Segmentation fault), after 0 of 1 properties'
has err 'babbles: it printed 1000 lines that are no report, and was ended, after 0 of 1 properties'
has err 'lies: 2 of its lines are no report; the first is "\x1b[31mred"'
has err 'idles: it ended with status 0, after 0 of 1 properties'
has err 'fails: it ended with status 3, after 0 of 1 properties'
has err "unlisted: $no_list was ended by signal 6 (Aborted)"
has err './no_program: it cannot be run: Permission denied'
has err 'no_program: it cannot be run: Permission denied'
has err 'nowhere: it cannot be run: No such file or directory'
has err "/bin/true: $no_list ended with status 0"
[ "$(wc -l <err)" = 10 ] || complain "standard error has other lines: $(cat err)"
has out 'ok    lies p  0 cases, T'
has out 'FAIL  together fails_10  1 case, T'
[[ $(tail -n 1 out) == '6 properties of 11 programs: 1 held, 1 failed, 4 could not be run; 1 bug, '* ]] ||
    complain "the last line is $(tail -n 1 out)"
[[ $(tail -n 1 out) == *'; 5 programs could not be used' ]] || complain "the last line is $(tail -n 1 out)"

# A program that tells one property twice, and another never.
cat >twice <<'END'
#!/bin/sh
for p in p q; do
    case "$*" in *--list*) place=', "file": "x.c"' ;; *) p=p place= ;; esac
    echo "{\"property\": \"$p\", \"status\": \"held\"$place}"
done
END
chmod +x twice
expect 99 "$warren" run twice --no-store
has err 'twice: it ended with status 0, after 2 of 2 properties'
[[ $(tail -n 1 out) == '2 properties of 1 program: 1 held, 1 could not be run; '* ]] ||
    complain "the last line is $(tail -n 1 out)"

# Members that are of other types than they should be; and warnings, which are told.
program odd 'echo "{\"property\": \"p\", \"status\": \"failed\", \"cases\": -1, \"seconds\": \"x\",
 \"failures\": [{\"bug\": \"b\", \"values\": [1, \"x\"], \"message\": 5}, {\"bug\": []}, \"b\"],
 \"warnings\": [1, {\"a\": 2}, \"it could not be stored\"], \"why\": 7}" | tr -d "\n"; exit 1'
expect 1 "$warren" run odd --no-store
has err 'odd: p: warning: it could not be stored'
[[ $(tail -n 1 out) == '1 property of 1 program: 0 held, 1 failed; 1 bug, '* ]] ||
    complain "the last line is $(tail -n 1 out)"

# A program that hangs, with a child in a session of its own.
nap=5432.$$
program hangs "setsid sleep $nap & trap '' TERM; while :; do sleep $nap; done"
left() { pgrep -f "^sleep $nap\$" || true; }
expect 99 "$warren" run hangs --no-store --patience 300ms
has err 'hangs: it said nothing for 0.3 s, and was ended, after 0 of 1 properties'
[ -z "$(left)" ] || complain "a program that hangs leaves $(left)"

# ---- An interrupt ends all ----
for signal in TERM INT; do
    # A shell gives its background commands no SIGINT.
    env --default-signal=INT "$warren" run hangs --no-store >out 2>err </dev/null &
    running=$!
    for ((i = 0; i < 300; i++)); do
        [ -z "$(left)" ] || break
        sleep 0.1
    done
    kill -$signal $running
    status=0
    wait $running || status=$?
    [ $status = 130 ] || complain "SIG$signal: status $status: $(cat out err)"
    [ -z "$(left)" ] || complain "SIG$signal leaves $(left)"
done

# ---- What the program was given, and what a program leaves, does not keep it ----
program leaves "setsid sh -c 'while :; do echo x; done >&2' & echo '{\"property\": \"p\", \"status\": \"held\"}'"
expect 0 timeout 20 "$warren" run leaves --no-store
expect 0 timeout 20 env --ignore-signal=CHLD "$warren" run guided --no-store -- four_gates
# end_of COMMAND...: told to end, it does so.
end_of() {
    "$@" 2>err </dev/null &
    local running=$! status=0
    sleep 0.7
    kill -TERM $running
    timeout 20 tail --pid=$running -f /dev/null || { kill -KILL $running && complain "$*: SIGTERM does not end it"; }
    wait $running || status=$?
    [ $status = 130 ] || complain "$*: status $status: $(cat err)"
    [ -z "$(left)" ] || complain "$*: it leaves $(left)"
}
end_of env --block-signal=TERM "$warren" run hangs --no-store >out
program long "i=0; while [ \$i -lt 2000 ]; do i=\$((i + 1)); echo '{\"property\": \"p\", \"status\": \"held\"}'; done
    sleep $nap"
mkfifo nobody_reads
exec 9<>nobody_reads
end_of "$warren" run long --no-store >nobody_reads
exec 9>&-

# ---- Round and round: each bug is told once, and a bug that is known is not told ----
for run in first second; do
    expect 1 "$warren" run together --seed 1 --for 2s --store store \
        --on-bug "cat >>$run" -- 'fails_1[0-3]'
    [ ! -s err ] || complain "--for: $(cat err)"
done
[ "$(cut -c 1-47 first | sort)" = '{"program": "together", "property": "fails_10",
{"program": "together", "property": "fails_11",
{"program": "together", "property": "fails_12",
{"program": "together", "property": "fails_13",' ] || complain "--on-bug got $(cat first)"
[ ! -e second ] || complain "--on-bug got known bugs: $(cat second)"
grep -q '; 4 bugs (0 new), ' out || complain "the last line is $(tail -n 1 out)"
grep -qE '^FAIL  together fails_10  [0-9]+ cases?, [0-9]+ turns?, T$' out || complain "turns: $(cat out)"
expect 1 "$warren" run together --no-store --seed 1 --on-bug 'echo "$0: no"; exit 3' -- fails_10
has err '--on-bug: it ended with status 3'
has err '--on-bug: /bin/sh: no'

# ---- At a terminal ----
if command -v script >/dev/null; then
    TERM=xterm COLUMNS=80 script -qec "'$warren' run guided --no-store --for 1s -- four_gates" \
        /dev/null >terminal </dev/null || complain "at a terminal: $(cat terminal)"
    grep -q '1/1 properties, ' terminal || complain "no line of progress: $(cat terminal)"
    grep -q 'new features' terminal || complain "no history: $(cat terminal)"
fi

# ---- Output that cannot be written ----
status=0
"$warren" run guided --no-store -- four_gates 2>err >/dev/full || status=$?
[ $status = 99 ] || complain "/dev/full: status $status"
has err 'warren run: cannot write to standard output: No space left on device'
for closed in '>&-' '<&- >&-'; do
    status=0
    eval "\"\$warren\" run guided --no-store -- four_gates 2>err $closed" || status=$?
    [ $status = 99 ] || complain "$closed: status $status"
    has err 'warren run: cannot write to standard output: Bad file descriptor'
done

# ---- What it refuses ----
refused() {
    expect 99 "$warren" run "${@:2}"
    has err "warren run: $1"
    [ ! -s out ] || complain "refused, and yet: $(cat out)"
}
refused 'expected a program, got nothing'
refused 'expected a program, got ""' ''
refused '--jobs: expected a whole number from 1 to 256, got "0"' together --jobs 0
refused '--no-store: cannot be given together with --store' together --store x --no-store
expect 0 "$warren" run --help

[ "$wrong" = 0 ] && echo "run: all checks passed"
[ "$wrong" = 0 ]
