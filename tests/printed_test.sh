#!/usr/bin/env bash
# printed_test.sh BUILD CC: the calls that a report prints are C. Compiled alone, with the
# declarations of the library that was tested, they show the same failure.
#
# show NAME STATUS COMMAND...: every failure in the report of the command becomes a program:
# NAME.before, the calls, NAME.after. Each must compile and end with the status, or by a signal
# where the status is `crash`. `check` in NAME.before keeps the result of a call; the programs
# return 1 if the last one was wrong.
set -euo pipefail

build=$(cd "$1" && pwd)
cc=$2
sources=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The calls of each failure, in files NAME.1, NAME.2 ... Prints how many there are.
take_calls() {
    "${@:2}" --no-store --color never --seed 1 --verbose >report 2>/dev/null || true
    awk -v name="$1" '
        /^    calls = / { count++; on = 1; sub(/^    calls = /, ""); print > (name "." count); next }
        on && /^            / { sub(/^            /, ""); print > (name "." count); next }
        { on = 0 }
        END { print count + 0 }' report
}

show() {
    local name=$1 wanted=$2 count status
    shift 2
    count=$(take_calls "$name" "$@")
    [[ $count -gt 0 ]] || { echo "$name: the report has no calls"; cat report; exit 1; }
    for ((i = 1; i <= count; i++)); do
        cat "$name.before" "$name.$i" "$name.after" >"$name.c"
        # shellcheck disable=SC2086
        "$cc" -std=gnu17 -Wno-unused-function -I"$sources/include" $flags -o "$name" "$name.c" \
            $libraries || { cat "$name.$i"; exit 1; }
        status=0
        { "./$name" || status=$?; } >/dev/null 2>&1
        [[ $wanted == crash && $status -ge 128 || $wanted == "$status" ]] || {
            echo "$name: status $status instead of $wanted of"
            cat "$name.$i"
            exit 1
        }
    done
    echo "$name: $count"
}

end='    return !right;
}'

# ---- A library as it is: each call is a function of it ----
cat >contracts.before <<'END'
#include "collections.h"
int main(void)
{
    int right = 1;
END
echo "$end" >contracts.after
flags="-g -I$sources/studies/contracts"
libraries="$sources/studies/contracts/collections.c"
# Contracts of equality fail without a crash: only Warren's own checks show them.
"$build/studies/contracts/contracts_machine" --no-store --color never --seed 1 --cases 300 \
    --bugs many --verbose >contracts.report 2>/dev/null || true
awk '/^FAIL/ { crash = 0 } /^  killed by/ { crash = 1 } crash || /^FAIL/' contracts.report >crashes
only_crashes() { cat crashes; }
show contracts crash only_crashes

# ---- Functions that have the system as an argument, and a result that is looked at ----
cat >registry.before <<'END'
#include <stddef.h>
#include "processes.h"
static registry all;
static int right = 1;
#define spawn() registry_spawn(&all)
#define register(name, p) (right = registry_register(&all, *(name) - 'a', p))
#define unregister(name) (right = registry_unregister(&all, *(name) - 'a'))
#define whereis(name) (right = registry_whereis(&all, *(name) - 'a') != NULL)
#define kill(p) registry_kill(&all, p)
int main(void)
{
    registry_start(&all);
END
echo "$end" >registry.after
flags="-I$sources/studies/registry"
libraries="$sources/studies/registry/processes.c"
show registry 1 "$build/studies/registry/registry_machines" registry --bugs many --cases 300

# ---- The example ----
cat >cursors.before <<'END'
#include "cursor.c"
static list all;
static int right = 1;
#define list_append(item) list_append(&all, item)
#define list_remove_only(place) list_remove_only(&all, place)
#define cursor_open() cursor_open(&all)
#define cursor_close(c) cursor_close(&all, c)
#define cursor_next(c) (right = cursor_next(&all, c) >= 0) /* the report expects an element */
int main(void)
{
END
echo "$end" >cursors.after
flags="-I$sources/examples"
libraries="$build/libwarren.a -lm -ldl -lpthread"
show cursors 1 "$build/examples/cursor" buggy_cursors_see_every_element

# ---- Arguments that stay alive, handles that die with others, ids, several results ----
cat >parcels.before <<'END'
#include <stdbool.h>
#include <stdlib.h>
typedef struct parcel { bool refused; } parcel;
static parcel *box;
static int right = 1;
static parcel *pack(void) { return calloc(1, sizeof(parcel)); }
static void post(parcel *p) { if (box == NULL) box = p; else p->refused = true; }
static void fetch(void) { free(box); box = NULL; }
static void weigh(parcel *p) { right = !p->refused; }
int main(void)
{
END
cat >leaves.before <<'END'
static int trees, leaves, felled, grown[100], right = 1;
static int plant(void) { return trees++; }
static int grow(int tree) { (void)tree; grown[leaves] = felled; return leaves++; }
static void fell(int tree) { (void)tree; felled++; }
static void turn(int leaf) { right = grown[leaf] == felled; }
int main(void)
{
END
cat >pipes.before <<'END'
#include <stdlib.h>
typedef struct reader { int value, pipes; } reader;
typedef struct writer { reader *other; } writer;
static int pipes, right = 1;
static reader *make_pipe(writer **w)
{
    pipes++;
    *w = calloc(1, sizeof **w);
    return (*w)->other = calloc(1, sizeof(reader));
}
static void put(writer *w, int value) { w->other->value = value; w->other->pipes = pipes; }
static void get(reader *r) { right = r->value != 2 || r->pipes == pipes; }
int main(void)
{
END
for name in parcels leaves pipes; do
    echo "$end" >$name.after
done
flags=
libraries=
api=$build/tests/machines_api
show parcels 1 "$api" parcels_come_back
show leaves 1 "$api" leaves_die_with_their_tree
show pipes 1 "$api" pipes_have_two_ends
