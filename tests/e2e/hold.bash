# hold.bash - what the scripts share that let no game of the natural-language division begin until all are there
# that are to play. Sourced behind common.bash; the server's address is in $address, its operator's token in `key`.

printf '%s\n' 'a token of an operator, 40 characters long' >key
chmod 600 key
key=$PWD/key

# operate JSON: an act of the operator, which is asked twice.
operate()
{
    local confirm
    confirm=$(post_act "$1" | sed -n 's/.*"confirm":"\([0-9a-f]*\)".*/\1/p')
    post_act "${1%\}},\"confirm\":\"$confirm\"}" | grep -q '"done"' || fail "$1: $(post_act "$1")"
}

post_act()
{
    curl -s -X POST -H "Authorization: Bearer $(<"$key")" -H 'Content-Type: application/json' --data "$1" \
        "http://$address/api/v1/operator/acts"
}

# go_on_with COUNT: so many wait, and games go on.
go_on_with()
{
    until_true "$patience" wait_there "$1" || fail "not $1 wait: $(progress)"
    operate '{"act":"go-on"}'
}

wait_there()
{
    [[ $(progress) =~ \"waiting\":$1[^0-9] ]]
}

progress()
{
    curl -s -H "Authorization: Bearer $(<"$key")" "http://$address/api/v1/progress"
}
