# Completion in bash, for `warren` and for test programs. Options, their words and the names of
# properties are what the program itself prints. For the test programs of a project:
#
#     source /usr/share/bash-completion/completions/warren
#     complete -F _warren_program sorting parser

# _warren_words OPTION: the words that --help, on standard input, names for the option; or the
# kind of its value.
_warren_words() {
    awk -v option="$1" '
        {
            row = $0
            sub(/^ +(-[a-z], )?/, "", row)
            split(row, word, / +/)
            if (word[1] != option || word[2] !~ /^[A-Z\/]+$/)
                next
            if (word[2] !~ /^(HOW|WHEN)$/) {
                print word[2]
                exit
            }
            sub(/^[^ ]+ +[^ ]+ +/, "", row)
            sub(/ \([^)]*\)$/, "", row)
            if (row ~ /;/) {
                gsub(/:[^;]*;? ?/, " ", row)
            } else {
                sub(/^.*: /, "", row)
                gsub(/,/, " ", row)
            }
            gsub(/(^| )[A-Z]+( |$)/, " ", row)
            print row
            exit
        }'
}

# _warren_complete LIST COMMAND...: the current word, as an option, as the value of one, or as what
# the function LIST prints. The command prints --help.
_warren_complete() {
    local list=$1 current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''
    shift
    [[ $before != '=' ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $current != '=' ]] || current=''
    [[ $before != -* ]] || words=$("$@" --help 2>/dev/null | _warren_words "$before")
    case $words in
        FILE | DIR | STORE | MODEL) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        [A-Z]*) COMPREPLY=() ;;
        ?*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
        *)
            if [[ $current == -* ]]; then
                words=$("$@" --help 2>/dev/null | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            else
                mapfile -t COMPREPLY < <("$list" "$current" "$@")
            fi
            ;;
    esac
}

_warren_properties() { # CURRENT PROGRAM
    compgen -W "$("$2" --list 2>/dev/null | cut -d' ' -f1)" -- "$1"
}

_warren_files() { # CURRENT
    compgen -f -- "$1"
}

# A test program.
_warren_program() {
    local program=$1
    [[ $program != '~/'* ]] || program=$HOME/${program:2}
    _warren_complete _warren_properties "$program"
}

_warren() {
    local i command=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]} && break; }
    done
    if [ -n "$command" ]; then
        _warren_complete _warren_files "$1" "$command"
    else
        mapfile -t COMPREPLY < <(compgen -W "--help --version $("$1" --help 2>/dev/null |
            sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "${COMP_WORDS[COMP_CWORD]}")
    fi
}

complete -o filenames -F _warren warren
