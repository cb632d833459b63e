# Completion of warg for fish, made by 'warg completion fish'.
complete -c warg -f
complete -c warg -l help -s h -d 'print the help'
complete -c warg -n __fish_use_subcommand -a play -d 'plays, and it'\''s fun'
complete -c warg -n '__fish_seen_subcommand_from play' -l out -s o -d 'where to, it'\''s said in two lines' -rF
complete -c warg -n '__fish_seen_subcommand_from play' -l rules -d 'by which rules' -rF
complete -c warg -n '__fish_seen_subcommand_from play' -l format -s f -d 'form [of the result]: a choice' -xa 'table json'
complete -c warg -n '__fish_seen_subcommand_from play' -l agent -s a -d 'who plays' -x
complete -c warg -n '__fish_seen_subcommand_from play' -l quiet -s q -d 'say $nothing \\ at all'
complete -c warg -n '__fish_seen_subcommand_from play' -F
complete -c warg -n __fish_use_subcommand -a tell -d 'tells [all]'
complete -c warg -n '__fish_seen_subcommand_from tell; and not __fish_seen_subcommand_from more less' -a more -d 'Tells more'
complete -c warg -n '__fish_seen_subcommand_from tell; and not __fish_seen_subcommand_from more less' -a less -d 'Tells less: it'\''s short'
complete -c warg -n '__fish_seen_subcommand_from tell; and __fish_seen_subcommand_from more' -l games -d 'how many' -x
complete -c warg -n '__fish_seen_subcommand_from tell; and __fish_seen_subcommand_from more' -F
complete -c warg -n __fish_use_subcommand -a shell -d 'for a shell'
complete -c warg -n '__fish_seen_subcommand_from shell' -a 'bash zsh'
