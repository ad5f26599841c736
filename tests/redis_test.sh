#!/usr/bin/env bash
# redis_test.sh WARREN TOGETHER MERGING: a campaign of several machines over a real Redis server,
# which this starts and stops. A machine is a folder with a store of its own.
#
# Exits with 77 where there is no redis-server. With TEST_FULL=1 it also kills workers and the
# server 200 times.
set -euo pipefail

warren=$1
together=$2
merging=$3
command -v redis-server >/dev/null || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-redis.XXXXXX")
cd "$work"
unset WARREN_STORE
server=

wrong=0
complain() {
    echo "redis: $*"
    wrong=1
}

start_server() { # start_server OPTION...
    redis-server --port 0 --unixsocket "$work/socket" --save '' --appendonly no --dir "$work" \
        "$@" >server.log 2>&1 &
    server=$!
    for _ in {1..100}; do
        # Each answer of the server, also an error, begins with one of these.
        ask PING >/dev/null 2>&1 && return
        sleep 0.05
    done
    complain "the server does not start: $(cat server.log)"
}
stop_server() {
    [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server=
}
trap 'stop_server; rm -rf "$work"' EXIT

ask() { redis-cli -s "$work/socket" "$@"; }
url=redis+unix://$work/socket

# run MACHINE CAMPAIGN ARGUMENTS...: a worker on this machine.
run() {
    local machine=$1 campaign=$2
    shift 2
    mkdir -p "$machine/.warren"
    (cd "$machine" && "$together" --store "$url/$campaign" --seed 1 --cases 100 --no-fork \
        --color never "$@") >out 2>&1 || true
}
keys() { "$warren" bugs "$@" | cut -d ' ' -f 1 | sort | tr '\n' ' '; }
ten=d77a88f9fa5195eb eleven=b8a747fcbbd760b4 twelve=45babd4dd4f6c616

# ---- A server that is none ----
# impostor REPLY PAUSE: to every command this reply, with a pause after each byte.
impostor() {
    perl -MSocket -MTime::HiRes=sleep -e '
        $SIG{PIPE} = "IGNORE";
        socket(S, PF_UNIX, SOCK_STREAM, 0) && bind(S, sockaddr_un($ARGV[0])) && listen(S, 5) or die $!;
        while (accept(C, S)) {
            while (sysread(C, $got, 65536)) {
                for (split //, $ARGV[1]) { syswrite(C, $_) or last; sleep $ARGV[2] if $ARGV[2] }
            }
        }' "$work/impostor" "$1" "$2" &
    server=$!
    for _ in {1..200}; do [ ! -S impostor ] || break; sleep 0.05; done
}
refused() { # refused LINE
    local status=0 found
    found=$(timeout 60 "$warren" bugs "redis+unix://$work/impostor/c" 2>&1) || status=$?
    [ "$status $found" = "99 warren bugs: redis+unix://$work/impostor/c: the server $1" ] ||
        complain "of an impostor: status $status, $found"
    stop_server
    rm -f impostor
}
if command -v perl >/dev/null; then
    impostor $'-ERR \e[31mred\r\n' 0
    refused 'says: ERR ?[31mred'
    impostor $'garbage\r\n' 0
    refused 'cannot be reached: Protocol error, got "g" as reply type byte'
    if [ -n "${TEST_FULL-}" ]; then
        impostor "\$1000000"$'\r\n'"$(printf '%01000d' 0)" 0.2
        refused 'cannot be reached: its reply takes too long'
    fi
fi

start_server

# ---- Any order of merges says the same ----
MERGING_STORE=$url/model "$merging" --no-store --seed 1 --cases 25 --quiet >out 2>&1 ||
    complain "the model: $(cat out)"

# ---- Each takes what others know, and gives what it learns ----
run one demo fails_10
run two demo fails_11 fails_10
grep -q 'known from an earlier run' out || complain "the second machine does not know: $(cat out)"
[ "$(keys "$url/demo")" = "$eleven $ten " ] || complain "the campaign has $(keys "$url/demo")"
[ "$(keys two/.warren)" = "$eleven $ten " ] || complain "machine two has $(keys two/.warren)"
run one demo fails_11
grep -q 'known from an earlier run' out || complain "the first machine does not know: $(cat out)"
[ "$(ask --raw KEYS '*' | grep -cv '^warren:{\(demo\|whole\|model[^}]*\)}:')" = 0 ] ||
    complain "there are keys without the prefix"

# ---- All properties of a program ----
run five whole
[ "$("$warren" bugs "$url/whole" | wc -l)" = 40 ] || complain "a whole program: $(cat out)"

# ---- The commands ----
"$warren" merge copy "$url/demo" || complain "a campaign is not merged into a folder"
[ "$(keys copy)" = "$eleven $ten " ] || complain "the copy has $(keys copy)"
"$warren" forget fails_10 --store "$url/demo" || complain "a bug is not forgotten"
run one demo fails_12
[ "$(keys one/.warren)" = "$twelve $eleven " ] || complain "machine one has $(keys one/.warren)"

# ---- The server stops in the middle of a campaign: with its data, and without ----
stop_server
run one demo fails_13
grep -q 'the server cannot be reached.*what is found is given later' out ||
    complain "nobody says that the server is away: $(cat out)"
[ "$(grep -c 'cannot be reached' out)" = 1 ] || complain "it is said more than once: $(cat out)"
start_server # empty
run one demo fails_14
count=$("$warren" bugs "$url/demo" | wc -l)
[ "$count" = 4 ] || complain "after its data was lost, the server has $count bugs"

# A server that answers nothing.
kill -STOP "$server"
run three demo fails_15
kill -CONT "$server"
grep -q 'the server cannot be reached' out || complain "a silent server: $(cat out)"
run three demo fails_16
count=$("$warren" bugs "$url/demo" | wc -l)
[ "$count" = 6 ] || complain "after it was silent, the server has $count bugs"

# ---- Bad input: one line, and the store of this machine stays ----
refused() { # refused LINE COMMAND...
    local line=$1 status=0
    shift
    sums=$(find one -type f -name '*.txt' -exec sha1sum {} + | sort)
    "$@" >out 2>err </dev/null || status=$?
    [ "$status" = 99 ] || complain "$*: status $status"
    [ "$(cat out err)" = "${line//URL/$url}" ] || complain "$*: $(cat out err)"
    [ "$sums" = "$(find one -type f -name '*.txt' -exec sha1sum {} + | sort)" ] ||
        complain "$*: the store of this machine is another one"
}
ask SET 'warren:{type}:bug' text >/dev/null
refused "warren bugs: URL/type: a key of this campaign is of another type" "$warren" bugs "$url/type"
ask HSET 'warren:{demo}:bug:rubbish' epoch rubbish >/dev/null
ask ZADD 'warren:{demo}:bug' 1000 'warren:{demo}:bug:rubbish' >/dev/null
refused "warren bugs: URL/demo: the key warren:{demo}:bug:rubbish cannot be understood" \
    "$warren" bugs "$url/demo"
run one demo fails_10
grep -q 'cannot be understood (what is found stays here)' out || complain "rubbish: $(cat out)"
ask SET 'warren:{newer}:version' 2 >/dev/null
refused "warren bugs: URL/newer: this campaign is of a newer version of Warren" \
    "$warren" bugs "$url/newer"
refused "warren bugs: rediss://x/y: expected redis://HOST[:PORT]/CAMPAIGN or \
redis+unix:///PATH/CAMPAIGN" "$warren" bugs rediss://x/y
refused "warren bugs: --store: a password on the command line can be seen by others: set \
WARREN_REDIS_PASSWORD or WARREN_REDIS_PASSWORD_FILE" "$warren" bugs redis://me:secret@x/y

# ---- A password ----
stop_server
start_server --requirepass 'open sesame'
refused "warren bugs: URL/demo: the server wants a password (WARREN_REDIS_PASSWORD)" \
    "$warren" bugs "$url/demo"
refused "warren bugs: URL/demo: the server refuses the password" \
    env WARREN_REDIS_PASSWORD=wrong-secret "$warren" bugs "$url/demo"
echo 'open sesame' >password
WARREN_REDIS_PASSWORD_FILE=$work/password run four demo fails_17
WARREN_REDIS_PASSWORD='open sesame' "$warren" bugs "$url/demo" >out
[ "$(wc -l <out)" = 1 ] || complain "with a password: $(cat out)"
grep -rqF sesame four out && complain "a password was written down"

# ---- Killed at random moments: no bug is lost, and none is there twice ----
if [ "${TEST_FULL:-0}" = 1 ]; then
    stop_server
    start_server
    for round in {1..200}; do
        for machine in k1 k2; do
            mkdir -p "$machine/.warren"
            (cd "$machine" && exec "$together" --store "$url/killed" --seed "$round" --cases 100 \
                --no-fork --quiet) >/dev/null 2>&1 &
            eval "$machine=$!"
        done
        sleep "$(printf 0.%03d $((RANDOM % 300 + 20)))"
        # shellcheck disable=SC2154
        [ $((round % 3)) != 0 ] || kill -9 "$k1" 2>/dev/null || true
        if [ $((round % 5)) = 0 ]; then
            stop_server
            sleep 0.1
            start_server
        fi
        # shellcheck disable=SC2154
        wait "$k1" "$k2" || true
        stored=$(cat k1/.warren/failures/*.txt 2>/dev/null | grep -c "^warren failure 1" || true)
        [ "$("$warren" bugs k1/.warren | wc -l)" -ge "$stored" ] || complain "round $round: a bug is lost"
    done
    run k1 killed
    run k2 killed
    for machine in k1 k2; do
        count=$("$warren" bugs "$machine/.warren" | wc -l)
        [ "$count" = 40 ] || complain "machine $machine has $count bugs"
    done
    count=$("$warren" bugs "$url/killed" | wc -l)
    [ "$count" = 40 ] || complain "the campaign has $count bugs"
fi

[ "$wrong" = 0 ] && echo "redis: all checks passed"
exit "$wrong"
