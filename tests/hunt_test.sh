#!/usr/bin/env bash
# hunt_test.sh EXAMPLE: script/hunt tells a mistake before it hunts, and a list is no hunt. script/test
# tells a mistake before it builds.
#
# The scripts run in a folder of their own. There a script in cmake's place "builds" every example as
# a link to this one, which has a bug; or the first one as a program without the property.
set -euo pipefail
example=$(readlink -f "$1")
tests=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-hunt.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/script" "$work/bin" "$work/build/release/examples"
cp "$tests/../script/hunt" "$tests/../script/test" "$tests/../script/configure" "$work/script"
printf '#!/bin/sh\n' >"$work/script/bootstrap"
cat >"$work/bin/cmake" <<END
#!/bin/sh
for word in "\$@"; do
    case \$word in
        example_reverse) ln -sf "\${FIRST:-$example}" "$work/build/release/examples/reverse" ;;
        example_*) ln -sf "$example" "$work/build/release/examples/\${word#example_}" ;;
    esac
done
END
printf '#!/bin/sh\necho "reverse: no property matches" >&2\nexit 99\n' >"$work/bin/without"
chmod +x "$work/script/bootstrap" "$work/bin/cmake" "$work/bin/without"

wrong=0
# says STATUS TEXT NOT OPTION...: so ends the script with these options; it prints TEXT, and not NOT.
script=hunt
says() {
    local status=0 wanted=$1 text=$2 not=$3 printed
    shift 3
    printed=$(cd "$work" && PATH=$work/bin:$PATH "script/$script" "$@" 2>&1) || status=$?
    if [ "$status" != "$wanted" ] || [[ $printed != *"$text"* ]] || [[ $printed == *"$not"* ]]; then
        printf 'script/%s %s: status %s, printed:\n%s\n' "$script" "$*" "$status" "$printed"
        wrong=1
    fi
}
says 0 'hunt: a bug was found by each program of examples/' 'not found' --seed 1 --color never
says 99 '(did you mean guide?)' 'examples/reverse.c' --explore gide
says 99 '(did you mean --seed?)' 'examples/reverse.c' --sede 1
says 0 'reverse.c:' 'found' --list
says 0 'warren' 'found' --version
says 1 'hunt: a bug that is there was not found' 'in each of' reversing_twice_changes_nothing
says 99 'in none of reverse sort' 'examples/reverse.c' no_such_property
FIRST=$work/bin/without says 1 'examples/sort.c' 'examples/reverse.c' reversing_twice_changes_nothing

script='test'
says 2 '--quik is an option neither of this script nor of ctest' 'building' --quik
says 2 '--quick is an option neither' 'building' -R options --quick
says 2 'hunt is not an option: -R hunt runs' 'building' hunt
exit "$wrong"
