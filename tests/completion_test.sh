#!/usr/bin/env bash
# completion_test.sh WARREN PROGRAM: completion of commands, options, their words and properties, in
# bash, and in zsh and fish where these are installed. PROGRAM is the example `reverse`.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
warren=$(realpath "$1")
PATH=$(dirname "$warren"):$PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-completion.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$2" "$work/reverse"
cd "$work"
touch model.pict

failed=0
expect() { # expect WHAT EXPECTED GOT
    [ "$2" != "$3" ] || return 0
    echo "completion_test.sh: $1: expected '$2', got '$3'"
    failed=1
}

echo "== bash"
complete_line() { # complete_line FUNCTION WORD...
    bash -c 'source "$1"; f=$2; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $f "$1"
        echo "${COMPREPLY[*]}"' - "$source/completions/warren.bash" "$@"
}
of_warren() { # of_warren EXPECTED WORD...
    expect "bash: warren ${*:2}" "$1" "$(complete_line _warren warren "${@:2}")"
}
of_program() {
    expect "bash: reverse ${*:2}" "$1" "$(complete_line _warren_program ./reverse "${@:2}")"
}
of_warren "run" ru
of_warren "--help --version" --
of_warren "--format" cover --fo
of_warren "csv tsv json acts" cover --format ''
of_warren "model.pict" cover mod
of_warren "model.pict" cover --measure m
of_program "--explore --export" --exp
of_program "combine" --explore com
of_program "combine" --explore = com
of_program "one many" --bugs ''
of_program "off auto" --radix ''
of_program "" --cases ''
of_program "model.pict" --junit mod
of_program "buggy_reverse_moves_every_element" bug

if command -v fish >/dev/null; then
    echo "== fish"
    fished() { # fished EXPECTED LINE
        expect "fish: $2" "$1" "$(HOME=$work fish --no-config -c "source $source/completions/warren.fish
            warren_complete ./reverse
            complete -C '$2'" | cut -f1 | paste -sd' ')"
    }
    fished "run" "warren ru"
    fished "--format" "warren cover --form"
    fished "--explore --export" "./reverse --exp"
    fished "buggy_reverse_moves_every_element" "./reverse bug"
else
    echo "== fish is not installed: not tried"
fi

if command -v zsh >/dev/null; then
    echo "== zsh"
    cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty -b z zsh -f -i
await() { # what comes, until the words have come or nothing has for long
    local all='' out tries=0
    while [[ $all != *$1* ]] && ((tries++ < 200)); do
        sleep 0.05
        while zpty -r -t z out; do all+=$out; done
    done
    [[ $all == *$1* ]]
}
zpty -w z "PS1=; fpath=($1/completions \$fpath); autoload -Uz compinit; compinit -D -u
autoload -Uz _warren; compdef '_warren program' reverse; setopt no_beep; echo is-\${:-ready}"
await is-ready || { echo "zsh does not get ready"; exit 1 }
ask() { # ask LINE REST: a tab after the line adds the rest
    zpty -n -w z "$1"$'\t'
    await "$1$2" || await "$2" || { echo "zsh: $1: expected $2"; exit 1 }
    zpty -n -w z $'\x15'
}
ask 'warren ru' n
ask 'warren cover --form' at
ask './reverse --expl' ore
ask './reverse --explore co' mbine
ask './reverse buggy' _reverse_moves_every_element
zpty -d z
END
    zsh -f ask.zsh "$source" </dev/null || failed=1
else
    echo "== zsh is not installed: not tried"
fi
exit $failed
