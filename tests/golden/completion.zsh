#compdef warg
# Completion of warg for zsh, made by 'warg completion zsh'.
_warg()
{
    local command=$words[2]
    local -a known
    if (( CURRENT == 2 )); then
        known=( 'play:plays, and it'\''s fun' 'tell:tells [all]' 'shell:for a shell')
        _describe command known
        return
    fi
    case $command in
    tell)
        if (( CURRENT == 3 )); then
            known=( 'more:Tells more' 'less:Tells less\: it'\''s short')
            _describe verb known
            return
        fi
        command+=" $words[3]"
        shift words
        (( CURRENT-- )) ;;
    esac
    shift words
    (( CURRENT-- ))
    case $command in
    'play') _arguments \
        '--out[where to, it'\''s said in two lines]:DIR:_files -/' \
        '-o[where to, it'\''s said in two lines]:DIR:_files -/' \
        '--rules[by which rules]:NAME|FILE:_files' \
        '--format[form \[of the result\]\: a choice]:table|json:(table json)' \
        '-f[form \[of the result\]\: a choice]:table|json:(table json)' \
        '*--agent[who plays]:SPEC: ' \
        '*-a[who plays]:SPEC: ' \
        '--quiet[say $nothing \\ at all]' \
        '-q[say $nothing \\ at all]' \
        '--help[print the help]' \
        '*:argument:_files' ;;
    'tell more') _arguments \
        '--games[how many]:N: ' \
        '--help[print the help]' \
        '*:argument:_files -/' ;;
    'tell less') _arguments \
        '--help[print the help]' ;;
    'shell') _arguments \
        '--help[print the help]' \
        '*:argument:(bash zsh)' ;;
    esac
}
if [[ $funcstack[1] == _warg ]]; then _warg "$@"; else compdef _warg warg; fi
