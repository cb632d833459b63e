# deb_long.bash - the package in a Debian of its own: installed, run by its units, upgraded, removed. Sourced by deb.sh.
#
# Needs root and the network of packages. Where control groups of version 2 are there systemd is the first process
# of it; else the units' commands are started by hand. The Debian that it begins with is kept in build/deb/debian.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

debian=$work/debian
first=0

inside_files=(--mount --pid --uts --ipc --cgroup)

# inside COMMAND...: there, on its own loopback.
inside()
{
    if ((first)); then
        nsenter --target "$first" "${inside_files[@]}" --net -- "$@"
    else
        chroot "$debian" "$@"
    fi
}

# inside_online COMMAND...: there, on this machine's network.
inside_online()
{
    if ((first)); then
        nsenter --target "$first" "${inside_files[@]}" -- env DEBIAN_FRONTEND=noninteractive "$@"
    else
        chroot "$debian" env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# until_so SECONDS COMMAND...
until_so()
{
    local left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        ((left-- > 0)) || return 1
        sleep 0.2
    done
}

# ---- a Debian ----

make_debian()
{
    local base=$DEB_PLACE/debian
    if [[ ! -e $base/etc/debian_version ]]; then
        rm -rf "$base" "$base.part"
        debootstrap --include=systemd,systemd-sysv,dbus,curl,ca-certificates,sqlite3 bookworm "$base.part" || return 1
        mv "$base.part" "$base"
    fi
    cp -a "$base" "$debian" && cp -L /etc/resolv.conf "$debian/etc/resolv.conf"
}

# Makes what a first process of its own sees, and becomes it. The words are a program of its own: it is
# run in new namespaces.
# shellcheck disable=SC2016
readonly BOOT='
cd "$1" && mount --make-rprivate / && mount --bind . . && cd "$1" && mkdir -p oldroot || exit 1
mount -t proc proc proc && mount -t sysfs sysfs sys && mount -t cgroup2 cgroup2 sys/fs/cgroup || exit 1
mount -t tmpfs -o mode=755 tmpfs dev && mkdir dev/pts dev/shm || exit 1
for device in null zero full random urandom tty; do
    : >"dev/$device" && mount --bind "/dev/$device" "dev/$device" || exit 1
done
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && ln -s pts/ptmx dev/ptmx || exit 1
ln -s /proc/self/fd dev/fd && mount -t tmpfs tmpfs dev/shm || exit 1
mount -t tmpfs -o mode=755 tmpfs run && mount -t tmpfs -o mode=1777 tmpfs tmp || exit 1
ip link set lo up
pivot_root . oldroot && umount -l /oldroot || exit 1
exec env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --log-target=null --show-status=0'

# boot_debian: false where this machine can't; then it is a chroot.
boot_debian()
{
    local groups=/sys/fs/cgroup
    [[ $(stat -f -c %T $groups) == cgroup2fs ]] || groups=/sys/fs/cgroup/unified
    group=$groups/warg-deb-$$
    mkdir "$group" 2>/dev/null || return 1
    (
        echo "$BASHPID" >"$group/cgroup.procs" &&
            exec unshare --mount --pid --uts --ipc --cgroup --net --fork --kill-child bash -c "$BOOT" boot "$debian"
    ) >"$work/boot.txt" 2>&1 &
    booted=$!
    until_so 20 pgrep -P "$booted" || return 1
    first=$(pgrep -P "$booted")
    until_so 60 inside systemctl is-system-running || { first=0; return 1; }
}

end_debian()
{
    if ((first)); then
        kill -KILL "$first" "$booted" 2>/dev/null
        wait "$booted" 2>/dev/null
        until_so 20 no_group # its processes are still on their way out
    fi
}

no_group()
{
    find "$group" -depth -type d -exec rmdir {} +
}

# ---- the package in it ----

# package_of VERSION: its file there.
package_of()
{
    local file=$debian/var/cache/${DEB_NAME}_$1.deb
    [[ -e $file ]] || deb_make build "$1" "$file" || return 1
    echo "/var/cache/${DEB_NAME}_$1.deb"
}

# install_version VERSION: as an administrator does.
install_version()
{
    local file
    file=$(package_of "$1") && inside_online apt-get -q -y -o Dpkg::Options::=--force-confdef install "$file"
}

as_warg()
{
    inside setpriv --reuid warg --regid warg --init-groups env -C /var/lib/warg HOME=/var/lib/warg "$@"
}

is_installed()
{
    inside_online apt-get -q update && install_version 1.0 || return 1
    inside id warg | grep -q 'uid=[0-9]\{3\}(warg) gid=[0-9]\{3\}(warg)' || return 1
    [[ $(inside stat -c '%a %U:%G' /var/lib/warg /etc/warg /etc/warg/server.yml | tr '\n' ' ') == \
        '700 warg:warg 750 root:warg 640 root:warg ' ]] || return 1
    # Nothing runs before there is a site.
    if ((first)); then
        inside systemctl is-enabled warg-contest warg-runner warg-backup.timer | sort | uniq -c
        [[ $(inside systemctl is-enabled warg-contest warg-runner warg-backup.timer | sort -u) == disabled ]] || return 1
    fi
    inside warg version
}

units_are_good_there()
{
    inside systemd-analyze verify /lib/systemd/system/warg-{contest,runner,backup}.service 2>&1 |
        grep -v 'Command .man ' | tee "$work/verified"
    [[ ! -s $work/verified ]]
}

lintian_is_silent_there()
{
    inside_online apt-get -q -y --no-install-recommends install lintian >/dev/null &&
        inside lintian --fail-on error,warning "$(package_of 1.0)"
}

# The settings of the unit of runners leave cells all that they need.
cells_work_in_the_unit()
{
    inside bash -c 'sed -e "s|^ExecStart=.*|ExecStart=/usr/bin/warg cell probe --require namespaces|" -e "/^Restart/d" \
        -e "s|^\[Service\]|&\nType=oneshot|" /lib/systemd/system/warg-runner.service >/run/systemd/system/warg-trial.service
        systemctl daemon-reload; systemctl start warg-trial; rc=$?; journalctl -u warg-trial -o cat --no-pager; exit $rc'
}

check 'a Debian is there' make_debian
trap 'end_debian; rm -rf "$work"' EXIT
if boot_debian; then
    echo 'deb: systemd is the first process there'
else
    end_debian
    first=0
    echo 'deb: systemd can not be the first process there; commands of units are started by hand'
fi
check 'it is installed' is_installed
check 'lintian is silent there' lintian_is_silent_there
if ((first)); then
    check 'units are good there' units_are_good_there
    check 'cells work with the settings of the unit' cells_work_in_the_unit
fi

# ---- a site on it ----

as_site()
{
    inside setpriv --reuid warg --regid warg --init-groups env -C /var/lib/warg HOME=/var/lib/warg \
        WARG_SITE=/etc/warg "$@"
}

has_a_site()
{
    inside sed -i 's/^public_url:.*/public_url: https:\/\/contest.example.org/' /etc/warg/server.yml || return 1
    as_site warg contest init /etc/warg | grep -qE '^https://contest.example.org/invite/[0-9a-f]{64}$' || return 1
    if ((first)); then
        inside systemctl enable --now warg-contest warg-runner warg-backup.timer || return 1
    else
        # What the units say, by hand.
        as_site warg contest serve /etc/warg >"$work/serve.txt" 2>&1 &
        by_hand=$!
        as_site warg contest runner /etc/warg >"$work/runner.txt" 2>&1 &
        by_hand="$by_hand $!"
    fi
    until_so 60 inside curl -fsS http://127.0.0.1:8088/ready && as_site warg contest doctor
}

has_a_contest()
{
    printf '%s\n' 'contest: cup' 'division: protocol' \
        'dates: {zone: Asia/Tokyo, opens: 2090-04-01 09:00, submission_closes: 2090-07-21 24:00}' \
        'stages:' '  - {name: final, players: 5, games_per_set: 2, min_games: 4}' >"$debian/var/lib/warg/cup.yml"
    as_site warg contest new cup.yml && as_site warg contest open cup &&
        until_so 60 status_says '^cup  OPEN .*next: submission_closes' && as_site warg contest status cup
}

status_says()
{
    as_site warg contest status cup | grep -q "$1"
}

main_process()
{
    inside systemctl show -p MainPID --value "$1"
}

# client WORD...: asks the site's API as one person, whose login is kept.
client()
{
    inside python3 /var/cache/site_client.py --url http://127.0.0.1:8088 --origin https://contest.example.org --login /var/cache/login.json "$@"
}

version_is()
{
    client GET "contests/cup/versions/$1" | grep -q "\"state\":\"$2\""
}

# What a team hands in is unpacked, checked in cells and plays, under all that the units take away.
has_a_team()
{
    inside_online apt-get -q -y --no-install-recommends install python3 >/dev/null || return 1
    cp tests/e2e/agents/site_client.py tests/e2e/agents/checked_agent.py "$debian/var/cache/" || return 1
    client POST account '{"login":"ann","password":"a long enough one"}' >/dev/null &&
        client POST contests/cup/teams '{"name":"aces"}' >/dev/null &&
        client POST contests/cup/teams/aces/versions '{"language":"python","entry":"checked_agent.py"}' >"$work/version" ||
        return 1
    version=$(sed 's/.*"id":"\([0-9]*\)".*/\1/' "$work/version")
    inside sh -c 'cd /var/cache && python3 -m zipfile -c team.zip checked_agent.py' || return 1
    client PUT "contests/cup/versions/$version/file" @/var/cache/team.zip >/dev/null || return 1
    until_so 120 version_is "$version" ACTIVE || { client GET "contests/cup/versions/$version"; return 1; }
}

# Nobody has to get up: what is killed is there again, and each of the two lives without the other.
comes_again()
{
    local server runner
    server=$(main_process warg-contest) runner=$(main_process warg-runner)
    inside kill -KILL "$server" || return 1
    until_so 60 is_another warg-contest "$server" && until_so 60 is_ready || return 1
    [[ $(main_process warg-runner) == "$runner" ]] || { echo 'the runner was started anew with the server'; return 1; }
    server=$(main_process warg-contest)
    inside kill -KILL "$runner" || return 1
    until_so 60 is_another warg-runner "$runner" && until_so 60 status_says 'runner  *alive' || return 1
    [[ $(main_process warg-contest) == "$server" ]] || { echo 'the server was started anew with the runner'; return 1; }
    inside kill -KILL "$server" "$(main_process warg-runner)" || return 1
    until_so 60 is_another warg-contest "$server" && until_so 60 is_ready && until_so 60 status_says 'runner  *alive'
}

# is_another UNIT PROCESS
is_another()
{
    local process
    process=$(main_process "$1")
    [[ $process != 0 && $process != "$2" ]]
}

is_ready()
{
    inside curl -fsS http://127.0.0.1:8088/ready
}

is_backed_up()
{
    inside systemctl start warg-backup || return 1
    [[ $(inside sh -c 'stat -c "%a %U" /var/lib/warg/backups/*') == '700 warg' ]] && status_says 'backup [0-9]'
}

# The runner stops before the server, and the server starts before the runner.
began()
{
    inside systemctl show -p ActiveEnterTimestampMonotonic --value "$1"
}

is_upgraded()
{
    local tables before
    inside sh -c 'echo "# mine" >>/etc/warg/server.yml'
    tables=$(steps)
    before=$(began warg-contest)
    install_version 2.0 || return 1
    [[ $(inside dpkg-query -W -f '${Version}' warg) == 2.0 ]] || return 1
    inside grep -q '^# mine$' /etc/warg/server.yml || { echo 'a changed conffile is kept'; return 1; }
    [[ $(steps) == "$tables" ]] || return 1
    until_so 60 inside curl -fsS http://127.0.0.1:8088/ready || { echo 'the server runs again'; return 1; }
    until_so 60 status_says 'runner  *alive' || { echo 'the runner runs again'; return 1; }
    inside systemctl is-active warg-backup.timer || return 1
    (($(began warg-contest) > before && $(began warg-runner) >= $(began warg-contest))) ||
        { echo "the server starts first: $(began warg-contest) $(began warg-runner)"; return 1; }
}

# steps: how many migrations its store has.
steps()
{
    inside sqlite3 /var/lib/warg/data/site.db 'SELECT max(number) FROM migration'
}

# take_back STEPS: SQL that takes a site's store back to its first STEPS migrations, as an older program has made it.
take_back()
{
    python3 - src/site/site_store.c "$1" <<'END'
import re, sys
text, steps = open(sys.argv[1]).read(), int(sys.argv[2])
sql = {name: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', body))
       for name, body in re.findall(r"static const char (\w+)\[\] =(.*?);\n", text, re.S)}
for name in reversed(re.findall(r'\{"[^"]+", (\w+)\}', text)[steps:]):
    for statement in reversed([part.strip() for part in sql[name].split(";") if part.strip()]):
        for made, undone in ((r"CREATE TABLE (\w+)", "DROP TABLE {0};"), (r"CREATE (?:UNIQUE )?INDEX (\w+)", "DROP INDEX {0};"),
                             (r"ALTER TABLE (\w+) ADD COLUMN (\w+)", "ALTER TABLE {0} DROP COLUMN {1};")):
            match = re.match(made, statement)
            if match:
                print(undone.format(*match.groups()))
                break
        else:
            sys.exit("how is this taken back? " + statement)
print("DELETE FROM migration WHERE number > %d;" % steps)
END
}

readonly OLDER=10
is_brought_to_the_new_schema()
{
    local before tables sql
    tables=$(steps)
    sql=$(take_back $OLDER) || return 1
    inside systemctl stop warg-runner warg-contest || return 1
    as_site sqlite3 /var/lib/warg/data/site.db "$sql" && [[ $(steps) == "$OLDER" ]] || return 1
    inside systemctl start warg-runner
    install_version 2.5 || return 1
    [[ $(steps) == "$tables" ]] || { echo 'it has the older schema'; return 1; }
    before=/var/lib/warg/data/site.db.before-$OLDER
    [[ $(inside stat -c '%a %U' "$before") == '600 warg' ]] || { echo "no copy of before"; return 1; }
    [[ $(inside sqlite3 "$before" 'SELECT count(*) FROM team') == 1 ]] || return 1
    inside systemctl start warg-contest && until_so 60 is_ready && until_so 60 status_says 'runner  *alive' &&
        as_site warg contest doctor && version_is "$version" ACTIVE
}

# Only what ran is started by an upgrade.
stays_stopped()
{
    inside systemctl stop warg-runner && install_version 3.0 || return 1
    inside systemctl is-active warg-contest && ! inside systemctl is-active warg-runner
}

# A store that the new program can't take over: nothing runs, nothing is changed, and all goes on once it is mended.
# How older schemas are brought over is tested in tests/site/test_site_store.c.
stops_where_it_can_not_migrate()
{
    inside systemctl start warg-runner || return 1
    inside sqlite3 /var/lib/warg/data/site.db "INSERT INTO migration SELECT max(number) + 1, 'of tomorrow' FROM migration" || return 1
    ! install_version 4.0 || { echo 'the upgrade does not fail'; return 1; }
    ! inside systemctl is-active warg-contest || return 1
    inside sqlite3 /var/lib/warg/data/site.db "DELETE FROM migration WHERE name = 'of tomorrow'" || return 1
    inside_online dpkg --configure warg && until_so 60 status_says 'runner  *alive'
}

is_restored()
{
    inside systemctl stop warg-runner warg-contest || return 1
    inside mv /var/lib/warg/data /var/lib/warg/data.before || return 1
    as_site sh -c 'warg contest restore backups/2*' || return 1
    inside systemctl start warg-contest warg-runner && until_so 60 status_says '^cup  OPEN'
}

is_purged()
{
    local said
    said=$(inside_online apt-get -q -y purge warg 2>&1) || return 1
    grep -q '/var/lib/warg stays' <<<"$said" || { echo "$said"; return 1; }
    inside test -e /var/lib/warg/data/site.db || { echo 'purge has removed contests'; return 1; }
    ! inside test -e /usr/bin/warg && ! inside test -e /etc/warg/server.yml || return 1
    ((!first)) || ! inside systemctl is-active warg-contest
}

by_hand=
check 'a site is made and runs' has_a_site
check 'a contest is opened' has_a_contest
check 'a team hands in a program' has_a_team
if ((first)); then
    check 'what is killed comes again' comes_again
    check 'it is backed up' is_backed_up
    check 'it is upgraded' is_upgraded
    check 'its store is brought to the new schema' is_brought_to_the_new_schema
    check 'what did not run is not started' stays_stopped
    check 'an upgrade that can not be stops' stops_where_it_can_not_migrate
    check 'it is restored' is_restored
fi
# shellcheck disable=SC2086 # numbers
[[ ! $by_hand ]] || kill $by_hand
check 'it is purged, and contests stay' is_purged
