#!/usr/bin/env bash
# hunt_test.sh EXAMPLE: script/hunt tells a mistake before it hunts, and a list is no hunt.
#
# The script runs in a folder of its own. There a script in cmake's place "builds" every example as
# a link to this one, which has a bug.
set -euo pipefail
example=$(readlink -f "$1")
tests=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-hunt.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/script" "$work/bin" "$work/build/release/examples"
cp "$tests/../script/hunt" "$tests/../script/configure" "$work/script"
printf '#!/bin/sh\n' >"$work/script/bootstrap"
cat >"$work/bin/cmake" <<END
#!/bin/sh
for word in "\$@"; do
    case \$word in
        example_*) ln -sf "$example" "$work/build/release/examples/\${word#example_}" ;;
    esac
done
END
chmod +x "$work/script/bootstrap" "$work/bin/cmake"

wrong=0
# says STATUS TEXT NOT OPTION...: so ends the script with these options; it prints TEXT, and not NOT.
says() {
    local status=0 wanted=$1 text=$2 not=$3 printed
    shift 3
    printed=$(cd "$work" && PATH=$work/bin:$PATH script/hunt "$@" 2>&1) || status=$?
    if [ "$status" != "$wanted" ] || [[ $printed != *"$text"* ]] || [[ $printed == *"$not"* ]]; then
        printf 'script/hunt %s: status %s, printed:\n%s\n' "$*" "$status" "$printed"
        wrong=1
    fi
}
says 0 'hunt: a bug was found by each program of examples/' 'not found' --seed 1 --color never
says 99 '(did you mean guide?)' 'examples/reverse.c' --explore gide
says 99 '(did you mean --seed?)' 'examples/reverse.c' --sede 1
says 0 'reverse.c:' 'found' --list
says 0 'warren' 'found' --version
says 1 'hunt: a bug that is there was not found' 'in each of' reversing_twice_changes_nothing
exit "$wrong"
