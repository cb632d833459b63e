# xmpp.bash - prosody for the scripts of this folder, on free ports of loopback. Sourced behind
# common.bash; `prosody_start ACCOUNT...` sets $client and $component, the passwords are "secret" and
# "mawsecret". Without prosody a script says so and is done.
if [[ ! -x /usr/bin/prosody ]]; then
    echo "$script_name: prosody is not installed: nothing was tried"
    finish
fi
others=

prosody_start()
{
    local account
    mkdir -p prosody/data prosody/certs
    # shellcheck disable=SC2034 # component: for the scripts
    read -r client component < <(python3 -c '
import socket
both = [socket.socket(), socket.socket()]
for one in both:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in both])')
    sed -e "s/15222/$client/; s/15347/$component/; s/\"tls\"; //; /^  ssl = /d" \
        "$WARG_SOURCE/tests/data/maw/prosody.cfg.lua" >prosody/prosody.cfg.lua
    export MAW_XMPP_DIR=$work/prosody
    prosody -F --config prosody/prosody.cfg.lua >prosody/output.txt 2>&1 &
    prosody=$!
    trap 'kill $server $others $prosody 2>/dev/null; rm -rf "$work"' EXIT
    await 'prosody' prosody/prosody.log "service 'c2s' on \["
    for account; do
        prosodyctl --config prosody/prosody.cfg.lua register "$account" localhost secret \
            >register.txt 2>&1 || fail "the account $account: $(cat register.txt)"
    done
}
