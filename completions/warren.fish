# Completion in fish, for `warren` and for test programs. Options and the names of properties are what
# the program itself prints. For a test program of a project:
#
#     warren_complete ./sorting

# The options of a --help: the option's name, a tab, its help.
function __warren_options
    $argv --help 2>/dev/null | sed -nE 's/^ +(-[a-z], )?(--[a-z-]+)( [A-Z\/]+)? +(.*)/\2\t\4/p'
end

function __warren_command
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; or begin
            echo $word
            return
        end
    end
    return 1
end

complete -c warren -n 'not __warren_command' -f \
    -a "(warren --help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +(.*)/\1\t\2/p')"
complete -c warren -n '__warren_command >/dev/null' \
    -a '(string match -q -- "-*" (commandline -ct); and __warren_options warren (__warren_command))'

function warren_complete -d 'complete options and properties of a test program'
    for program in $argv
        complete -c (path basename -- $program 2>/dev/null; or basename $program) -f \
            -a "($program --list 2>/dev/null | string replace -r ' .*' '')"
        complete -c (path basename -- $program 2>/dev/null; or basename $program) \
            -a "(string match -q -- '-*' (commandline -ct); and __warren_options $program)"
    end
end
