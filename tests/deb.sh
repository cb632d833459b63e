#!/usr/bin/env bash
# The Debian package of `./dev deb`: what is in it, its scripts, its units, and that equal sources give equal
# bytes. Run by `./dev deb check [long]` behind the build. The long form builds the sources in another
# folder, too, and installs, runs, upgrades and purges the package in a Debian of its own (tests/deb_long.bash).
#
# A last line `N passed, N failed`, as .ci/run reads it.
set -u
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." || exit 1
# shellcheck source=../dev
source ./dev
# shellcheck source=../packaging/deb.sh
source packaging/deb.sh

form=${1:-short}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check WHAT COMMAND...: its output is shown when it fails.
check()
{
    local what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
        printf 'deb: %-50s ok\n' "$what"
    else
        failed=$((failed + 1))
        printf 'deb: %-50s FAILED\n' "$what"
        cat "$work/said"
    fi
}

skipped()
{
    printf 'deb: %-50s skipped: %s\n' "$1" "$2"
}

# ---- what is in it ----

holds_what_it_should()
{
    local line status=0
    dpkg-deb -c "$package" >"$work/list" || return 1
    for line in \
        '-rwxr-xr-x root/root .* \./usr/bin/warg$' \
        '-rwxr-xr-x root/root .* \./usr/libexec/warg-cell$' \
        '-rw-r--r-- root/root .* \./usr/lib/[^/]*/libwarg\.so\.' \
        '-rw-r--r-- root/root .* \./usr/lib/[^/]*/libwarg\.a$' \
        '-rw-r--r-- root/root .* \./usr/include/warg_agent\.h$' \
        '-rw-r--r-- root/root .* \./lib/systemd/system/warg-contest\.service$' \
        '-rw-r--r-- root/root .* \./lib/systemd/system/warg-runner\.service$' \
        '-rw-r--r-- root/root .* \./lib/systemd/system/warg-backup\.timer$' \
        '-rw-r--r-- root/root .* \./usr/share/man/man1/warg-contest\.1\.gz$' \
        '-rw-r--r-- root/root .* \./usr/share/bash-completion/completions/warg$\|completions/warg\.bash$' \
        '-rw-r--r-- root/root .* \./usr/share/doc/warg/docs/operations\.md$' \
        '-rw-r--r-- root/root .* \./usr/share/doc/warg/docs/nginx-contest\.conf$' \
        '-rw-r----- root/root .* \./etc/warg/server\.yml$' \
        '-rw-r----- root/root .* \./etc/warg/environment$'; do
        grep -q -- "$line" "$work/list" || { echo "not in it: $line"; status=1; }
    done
    # Nobody but root could have written there, and nothing is set to another user.
    if grep -E '^[^l].{7}w|^-..[sS]|^-.{5}[sS]' "$work/list"; then
        status=1
    fi
    [[ $(grep -c 'root/root' "$work/list") == $(wc -l <"$work/list") ]] || { echo 'not all of it is of root'; status=1; }
    return "$status"
}

tells_what_it_should()
{
    local conffiles
    dpkg-deb -I "$package" >"$work/told" || return 1
    cat "$work/told"
    conffiles=$(dpkg-deb --ctrl-tarfile "$package" | tar -xO ./conffiles)
    [[ $conffiles == $'/etc/warg/environment\n/etc/warg/server.yml' ]] || { echo "conffiles: $conffiles"; return 1; }
    grep -q '^ Package: warg$' "$work/told" && grep -q '^ Depends: .*libsqlite3-0.*adduser' "$work/told" &&
        grep -q "^ Version: $version\$" "$work/told"
}

# What is in it is what its list of sums says.
sums_are_right()
{
    rm -rf "$work/tree"
    dpkg-deb -R "$package" "$work/tree" && (cd "$work/tree" && md5sum --quiet -c DEBIAN/md5sums)
}

# Links are resolved at the start and can't be changed: these programs are for strangers.
is_hardened()
{
    local file
    for file in "$work/tree/usr/bin/warg" "$work/tree/usr/libexec/warg-cell"; do
        readelf -lW "$file" | grep -q GNU_RELRO && readelf -dW "$file" | grep -q BIND_NOW &&
            readelf -hW "$file" | grep -q 'DYN ' || { echo "$file"; return 1; }
        [[ -z $(nm "$file" 2>/dev/null) ]] || { echo "$file is not stripped"; return 1; }
    done
    # Where it was built is no business of anybody.
    ! grep -qF "$PWD" "$work/tree/usr/bin/warg" "$work/tree/usr/libexec/warg-cell" "$work"/tree/usr/lib/*/*
}

# They are read by dash, and only by it.
scripts_are_good()
{
    local script
    for script in postinst prerm postrm; do
        sh -n "$work/tree/DEBIAN/$script" || return 1
        [[ $(head -n 1 "$work/tree/DEBIAN/$script") == '#!/bin/sh' ]] || return 1
        if command -v shellcheck >/dev/null; then
            shellcheck -s sh "$work/tree/DEBIAN/$script" || return 1
        fi
    done
}

# Commands that units name are not installed on this machine; all else must be right.
units_are_good()
{
    systemd-analyze verify "$work"/tree/lib/systemd/system/* 2>&1 |
        grep -vE 'is not executable: No such file|Command .man ' >"$work/verified"
    cat "$work/verified"
    [[ ! -s $work/verified ]]
}

lintian_is_silent()
{
    lintian --fail-on error,warning "$package"
}

# ---- equal bytes ----

same_again()
{
    deb_make build "$version" "$work/again.deb" && cmp "$package" "$work/again.deb"
}

# The sources in another folder, compiled anew.
same_elsewhere()
{
    local place=$work/elsewhere/tree epoch
    epoch=$(deb_epoch)
    mkdir -p "$place"
    git ls-files -z | tar --null -T - -c | tar -x -C "$place" || return 1
    (cd "$place" && SOURCE_DATE_EPOCH=$epoch ./dev deb "$version") &&
        cmp "$package" "$place/build/deb/$(basename "$package")"
}

# ---- all of it ----

version=$(deb_version)
package=$PWD/$DEB_PLACE/${DEB_NAME}_${version}_$(dpkg --print-architecture).deb

check 'it is made' deb_make build "$version" "$package"
check 'it holds what it should' holds_what_it_should
check 'it tells what it should' tells_what_it_should
check 'sums are right' sums_are_right
check 'programs are hardened' is_hardened
check 'scripts are good' scripts_are_good
if command -v systemd-analyze >/dev/null; then
    check 'units are good' units_are_good
else
    skipped 'units are good' 'no systemd-analyze here'
fi
if command -v lintian >/dev/null; then
    check 'lintian is silent' lintian_is_silent
else
    skipped 'lintian is silent' 'no lintian here'
fi
check 'made again it has the same bytes' same_again
if [[ $form == long ]]; then
    [[ ${DEB_ELSEWHERE:-yes} == no ]] || check 'built elsewhere it has the same bytes' same_elsewhere
    # shellcheck source=deb_long.bash
    source tests/deb_long.bash
fi

echo "$passed passed, $failed failed"
((failed == 0))
