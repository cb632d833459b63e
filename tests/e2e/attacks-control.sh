#!/usr/bin/env bash
# The attackers attack: where nothing is confined, attack.c, attack.py and Attack.java get what the table attacks.txt says
# that they get, as root and as an ordinary user, and put everything back. So a refusal in a cell is the cell's.
#
#     attacks-control.sh [--print]     --print: what each attack got, a line each, in place of a verdict
#
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# It runs no warg: once is enough.
if is_sanitized; then
    echo 'skipped: what attackers do where nothing confines them is the same under a sanitizer'
    exit 77
fi
if ! mountpoint -q /; then
    echo 'skipped: a chroot whose root is no mount refuses attackers some calls by itself'
    exit 77
fi

table=$agents/attacks.txt
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3)
declare -A languages kinds expected
while read -r name kind where as_root as_user _; do
    [[ $name && $name != '#' ]] || continue
    kinds[$name]=$kind languages[$name]=,$where,
    expected[root,$name]=$as_root expected[user,$name]=$as_user
done <"$table"

# ---- the programs, at a place that another user can reach too ----

chmod 755 "$work"
mkdir bin
cp "$agents/attack.py" "$agents/attack_host.py" bin
cc -std=gnu17 -Wall -Wextra -Werror -o bin/attack "$agents/attack.c" -lpthread || fail 'attack.c does not compile'
cc -std=gnu17 -shared -fPIC -o bin/libattack.so "$agents/attack.c" -lpthread || fail 'no library of attack.c'
programs=(c)
[[ -x $python ]] && programs+=(py) || echo 'skipped: attack.py, no python3 here'
if command -v javac >/dev/null; then
    programs+=(java)
    javac -d bin "$agents/Attack.java" || fail 'Attack.java does not compile'
else
    echo 'skipped: Attack.java, no javac here'
fi

# run_attacker LANGUAGE ARGUMENT...: in the working folder.
run_attacker()
{
    local language=$1
    shift
    case $language in
    c) ./attack "$@" ;;
    py) "$python" -B attack.py "$@" ;;
    java) java -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp . Attack "$@" ;;
    esac
}

# ---- the table has all of them, and no others ----

for language in "${programs[@]}"; do
    (cd bin && run_attacker "$language" --list) >list.txt
    [[ -s list.txt ]] || fail "$language: --list says nothing"
    while read -r name kind; do
        [[ ${kinds[$name]:-} == "$kind" ]] || fail "$language: $name is of kind $kind, in the table: ${kinds[$name]:-none}"
        [[ ${languages[$name]:-} == *",$language,"* ]] || fail "$language: $name is not in the table for this language"
    done <list.txt
    for name in "${!languages[@]}"; do
        [[ ${languages[$name]} != *",$language,"* ]] || grep -q "^$name " list.txt ||
            fail "$language: the table has $name, --list has not"
    done
done

# ---- what succeeds ----

grep -q '^Seccomp:[[:space:]]*0' /proc/self/status || {
    echo 'skipped: here everything is confined already'
    [[ -e $work/failed ]] && exit 1
    exit 77
}

# has_capability NAME: this script, over the whole machine.
has_capability()
{
    local -A number=([dac_override]=1 [setgid]=6 [setuid]=7 [net_raw]=13 [sys_chroot]=18 [sys_pacct]=20 [sys_admin]=21
        [sys_boot]=22 [sys_nice]=23 [sys_resource]=24 [sys_time]=25 [mknod]=27)
    local effective
    effective=$(awk '$1 == "CapEff:" { print $2 }' /proc/self/status)
    (((16#$effective >> ${number[$1]}) & 1))
}

# wanted WHO NAME: yes, no, or maybe.
wanted()
{
    local value=${expected[$1,$2]}
    case $value in
    yes | no | maybe) echo "$value" ;;
    -) echo maybe ;;
    *) if has_capability "$value"; then echo yes; else echo no; fi ;;
    esac
}

# What a shell of that user runs in a sandbox: the listener, a Java machine to be attached to, one attacker.
cat >bin/sandbox.sh <<'BOX'
python=$1 language=$2 what=$3
mkdir host
export TMPDIR=$PWD # what Python leaves there goes with the sandbox
"$python" attack_host.py host >host.txt 2>host.err &
host=$!
jvm=
trap 'kill $host $jvm 2>/dev/null' EXIT
for ((end = SECONDS + 100; SECONDS < end; )); do
    [[ -s host.txt ]] && break
    sleep 0.05
done
case $language in
c) attacker=(./attack) ;;
py) attacker=("$python" -B attack.py) ;;
java)
    java -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp . Attack --only hold --seconds 60 >/dev/null &
    jvm=$!
    attacker=(java -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp . Attack --host-jvm "$jvm" --library "$PWD/libattack.so")
    ;;
esac
# shellcheck disable=SC2046 # a list of words
timeout 150 "${attacker[@]}" -p "$(cat host/game.port)" --control $(cat host.txt) --only "$what" --but stop-self \
    --mib 4 --count 5 --seconds 1 <host.txt 9<host.txt
echo "status $?"
BOX

everything=network,files,secrets,processes,kernel,extra,eater

# attack_as WHO LANGUAGE: what came of it is in WHO-LANGUAGE.txt.
attack_as()
{
    local box=$work/$1-$2 as=()
    cp -r bin "$box"
    echo victim >"$box/victim.txt"
    if [[ $1 == user && $(id -u) == 0 ]]; then
        as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
        chown -R 65534:65534 "$box"
    fi
    (cd "$box" && "${as[@]}" bash sandbox.sh "$python" "$2" $everything) 2>"$box.err" |
        grep -aE '^[a-z][a-z0-9-]* (refused|HOLE|skipped) |^status ' >"$box.txt"
    grep -q '^status 3$' "$box.txt" || fail "$1, $2: $(tail -n 1 "$box.txt") $(tail -n 5 "$box.err")"
    [[ $(cat "$box/victim.txt") == victim ]] || fail "$1, $2: victim.txt is not as it was"
    rm -rf "$box"
}

# judge WHO LANGUAGE: against the table.
judge()
{
    local name word rest should
    for name in "${!languages[@]}"; do
        [[ ${languages[$name]} == *",$2,"* && $name != stop-self ]] || continue
        read -r word rest <<<"$(grep -a "^$name " "$work/$1-$2.txt" | cut -d ' ' -f 2-)"
        should=$(wanted "$1" "$name")
        case $should-$word in
        yes-HOLE | no-refused | maybe-?*) ;;
        *) fail "$1, $2: $name should succeed: $should, but: ${word:-nothing} $rest" ;;
        esac
    done
}

tried=(user)
[[ $(id -u) == 0 && $(awk '{ print $1, $2, $3 }' /proc/self/uid_map) == '0 0 4294967295' ]] && tried=(root user)
name_before=$(uname -n)
for who in "${tried[@]}"; do
    for language in "${programs[@]}"; do
        attack_as "$who" "$language"
        if [[ ${1:-} == --print ]]; then
            sed "s/^/$who $language /" "$who-$language.txt"
        else
            judge "$who" "$language"
        fi
    done
done

# ---- everything is as it was ----

[[ $(uname -n) == "$name_before" ]] || fail 'the machine has another name'
for folder in /tmp /var/tmp /dev/shm /dev /usr /usr/bin /etc /run /bin /lib /boot /opt /var /srv /mnt /root /home ''; do
    left=$(compgen -G "$folder/attack.[0-9]*.tmp*") && fail "left: $left"
done

finish
