#!/usr/bin/env bash
# On a machine whose /etc/hosts knows no localhost, as a fresh debootstrap is, the name is the
# loopback address all the same (RFC 6761 6.3): for servers, bots, libwarg, and the tests of `net`.
if [[ ${WARG_EMPTY_HOSTS:-} != yes ]]; then
    # Root may make a mount namespace of its own, others with a user namespace where that is allowed.
    for how in --mount '--map-root-user --mount'; do
        # shellcheck disable=SC2086 # a list of words
        if unshare $how sh -c 'mount --bind /dev/null /etc/hosts' 2>/dev/null; then
            WARG_EMPTY_HOSTS=yes exec unshare $how bash "$0"
        fi
    done
    echo 'skipped: no namespace of its own, in which /etc/hosts could be empty'
    exit 77
fi
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

mount --bind /dev/null /etc/hosts
echo 'hosts: files' >nsswitch.conf # neither DNS nor systemd's, which know the name
mount --bind nsswitch.conf /etc/nsswitch.conf
! getent ahosts localhost >/dev/null || fail "the name is known here: $(getent ahosts localhost)"

serve set --host localhost --players 5 --games 2 --once --agent 'bot:sample*3'
"$WARG" bot aiwolf -h localhost -p "$port" -n one >one.txt 2>&1 &
one=$!
"$WARG_EXAMPLE" -h warg.localhost -p "$port" -n two >two.txt 2>&1 || fail "libwarg: $(cat two.txt)"
wait "$one" || fail "the bot: $(cat one.txt)"
wait "$server" || fail "the server: $(cat set.err)"

# Those that talk to localhost; not built where only some tests are.
for program in tcp web xmpp_client; do
    program=$(dirname "$WARG")/net-test_$program
    [[ -x $program ]] || continue
    "$program" >program.txt 2>&1 || fail "$program: $(grep -A 4 ERROR program.txt)"
done
finish
