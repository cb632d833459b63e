# deb.sh - the Debian package, by Debian's own tools alone. Sourced by ../dev.
#
# It is made of the build of `./dev build`, configured for /usr, so that nothing is compiled twice. Equal
# sources give equal bytes: every time in it is the one of the sources (SOURCE_DATE_EPOCH).
# shellcheck shell=bash disable=SC2034,SC2154

readonly DEB_PACKAGES='dpkg-dev binutils gzip'
readonly DEB_CHECK_PACKAGES='debootstrap'
# What the package is called, and where it is put together.
readonly DEB_NAME=warg
readonly DEB_PLACE=build/deb

# The time of the sources: of the last commit, or of the list of changes where no git is.
deb_epoch()
{
    echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}"
}

# The program's version, the time of its sources and the commit, so that later sources are a later version.
deb_version()
{
    local version
    version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" meson.build | head -n 1)
    printf '%s+%s' "$version" "$(date -u -d "@$(deb_epoch)" +%Y%m%d%H%M%S)"
    git rev-parse --short=8 HEAD 2>/dev/null | sed 's/^/./'
}

# deb_install BUILD ROOT: what meson installs.
deb_install()
{
    # The whole of it is stripped here, and libwarg.a by how it is made.
    DESTDIR=$(realpath -m "$2") quietly 'meson install' meson install -C "$1" --no-rebuild --strip
}

# deb_documents ROOT VERSION: licence, list of changes, pages packed as Debian has them.
deb_documents()
{
    local root=$1 version=$2 documents=$1/usr/share/doc/$DEB_NAME
    rm -f "$documents/LICENSE" # it is in the file that Debian reads
    install -m 644 packaging/debian/copyright "$documents/copyright"
    printf '%s (%s) unstable; urgency=medium\n\n  * Built from the tree; what is new is in CHANGELOG.md.\n\n -- %s  %s\n' \
        "$DEB_NAME" "$version" "$(sed -n 's/^Maintainer: //p' packaging/debian/control.in)" \
        "$(LC_ALL=C date -u -R -d "@$(deb_epoch)")" | gzip -9n >"$documents/changelog.gz"
    find "$root/usr/share/man" -type f -name '*.[0-9]' -exec gzip -9n {} +
}

# deb_site ROOT: units, configuration, and what is told to lintian.
deb_site()
{
    local root=$1
    install -d "$root/lib/systemd/system" "$root/etc/warg" "$root/usr/share/lintian/overrides" &&
        install -m 644 packaging/systemd/* "$root/lib/systemd/system/" &&
        install -m 640 packaging/etc/* "$root/etc/warg/" &&
        install -m 644 packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/$DEB_NAME"
}

# deb_needs ROOT: the packages that the programs need, by what they are linked to.
deb_needs()
{
    local root=$1 work
    work=$(mktemp -d)
    mkdir "$work/debian"
    printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$DEB_NAME" "$DEB_NAME" >"$work/debian/control"
    root=$(realpath "$root")
    (
        cd "$work" &&
            dpkg-shlibdeps -O --ignore-missing-info "-l$(dirname "$(find "$root/usr/lib" -name 'libwarg.so.0')")" \
                "$root/usr/bin/warg" "$root/usr/libexec/warg-cell" "$(find "$root/usr/lib" -name 'libwarg.so.*.*')" 2>/dev/null
    ) | sed -n 's/^shlibs:Depends=//p'
    rm -rf "$work"
}

# deb_control ROOT VERSION: everything in DEBIAN/.
deb_control()
{
    local root=$1 version=$2 needs kib script
    needs=$(deb_needs "$root")
    [[ $needs ]] || die 'deb: dpkg-shlibdeps does not say what the program needs'
    # As Debian's policy counts it; what a folder takes depends on the file system.
    kib=$(find "$root" -printf '%y %s\n' | awk '{kib += $1 == "f" ? int(($2 + 1023) / 1024) : 1} END {print kib}')
    install -d "$root/DEBIAN"
    sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$(dpkg --print-architecture)|" \
        -e "s|@KIB@|$kib|" -e "s|@SHLIBS@|$needs|" packaging/debian/control.in >"$root/DEBIAN/control"
    for script in postinst prerm postrm; do
        install -m 755 "packaging/debian/$script" "$root/DEBIAN/$script"
    done
    (cd "$root" && find etc -type f | LC_ALL=C sort | sed 's|^|/|') >"$root/DEBIAN/conffiles"
    printf 'libwarg 0 %s\n' "$DEB_NAME" >"$root/DEBIAN/shlibs"
    printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
    (cd "$root" && find usr lib -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
}

# deb_modes ROOT: by the file's place, whatever the umask was.
deb_modes()
{
    local root=$1
    find "$root" -type d -exec chmod 755 {} +
    find "$root/usr" "$root/lib" -type f -exec chmod 644 {} +
    find "$root/usr/bin" "$root/usr/libexec" -type f -exec chmod 755 {} +
    find "$root/usr/share/doc" -name '*.sh' -exec chmod 755 {} +
}

# deb_make BUILD VERSION FILE: the package of what was built in BUILD.
deb_make()
{
    local build=$1 version=$2 file=$3 root=$DEB_PLACE/root
    rm -rf "$root"
    mkdir -p "$root" "$(dirname "$file")"
    deb_install "$build" "$root" && deb_site "$root" && deb_documents "$root" "$version" &&
        deb_modes "$root" && deb_control "$root" "$version" || return 1
    find "$root" -exec touch -h -d "@$(deb_epoch)" {} +
    SOURCE_DATE_EPOCH=$(deb_epoch) quietly 'dpkg-deb' dpkg-deb --root-owner-group -Zxz --build "$root" "$file"
}

# deb_build BUILD: as a package has it.
deb_build()
{
    # shellcheck disable=SC2086 # a list of words
    configure "$1" $RELEASE && quietly 'meson configure' meson configure "$1" --prefix /usr \
        --libdir "$(library_folder)" && compile "$1" installed
}
