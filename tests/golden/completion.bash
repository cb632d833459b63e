# Completion of warg for bash, made by 'warg completion bash'.
_warg()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} options=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'play tell shell --help --version' -- "$current"))
        return
    fi
    case $command in
    tell)
        if ((COMP_CWORD == 2)); then
            COMPREPLY=($(compgen -W 'more less' -- "$current"))
            return
        fi
        command+=" ${COMP_WORDS[2]}" ;;
    esac
    case "$command $before" in
    'play --out'|'play -o') COMPREPLY=($(compgen -d -- "$current")); return ;;
    'play --rules') COMPREPLY=($(compgen -f -- "$current")); return ;;
    'play --format'|'play -f') COMPREPLY=($(compgen -W 'table json' -- "$current")); return ;;
    'play --agent'|'play -a') :; return ;;
    'tell more --games') :; return ;;
    esac
    case $command in
    'play') [[ $current == -* ]] && options='--out --rules --format --agent --quiet --help' || COMPREPLY=($(compgen -f -- "$current")) ;;
    'tell more') [[ $current == -* ]] && options='--games --help' || COMPREPLY=($(compgen -d -- "$current")) ;;
    'tell less') [[ $current == -* ]] && options='--help' || : ;;
    'shell') [[ $current == -* ]] && options='--help' || COMPREPLY=($(compgen -W 'bash zsh' -- "$current")) ;;
    esac
    [[ $options ]] && COMPREPLY=($(compgen -W "$options" -- "$current"))
}
complete -o filenames -F _warg warg
