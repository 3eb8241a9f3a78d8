#!/usr/bin/env bash
# Makes the Debian package: the command, the driver for every Vulkan program of the system, manual pages, completions.
#
#   packaging/debian.sh COMMAND DRIVER ARCHITECTURE OUT [GENERATOR]
#
# ARCHITECTURE is Debian's name (amd64), OUT a folder. GENERATOR is a command of the same version that runs here (default:
# COMMAND). dpkg-shlibdeps (package dpkg-dev) finds the libraries that the package needs.
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
command=$1 driver=$2 architecture=$3 out=$4 generator=${5:-$1}

case $architecture in
    amd64) triplet=x86_64-linux-gnu ;;
    arm64) triplet=aarch64-linux-gnu ;;
    *) echo "no such architecture: $architecture" >&2; exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/quadrille
library=lib/$triplet/quadrille/libvk_quadrille.so
put_command "$command" "$generator" "$to/usr"
put_driver "$driver" "$generator" "$to/usr" "$library" "/usr/$library"

documents=$to/usr/share/doc/quadrille
mkdir -p "$documents"
{
    cat "$here/debian/copyright"
    python3 "$here/notices.py" --debian quadrille-cli quadrille-vulkan
} >"$documents/copyright"
# Debian's changelog has one entry per version; the file of the repository is the one of upstream.
date=$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
printf 'quadrille (%s) unstable; urgency=medium\n\n  * See changelog.gz of the repository.\n\n -- %s  %s\n' \
    "$version" "$(sed -n 's/^Maintainer: //p' "$here/debian/control")" "$date" | gzip -9n >"$documents/changelog.Debian.gz"
gzip -9nc "$root/CHANGELOG.md" >"$documents/changelog.gz"
gzip -9n "$to"/usr/share/man/man1/*.1
install -D -m 644 "$here/debian/lintian-overrides" "$to/usr/share/lintian/overrides/quadrille"

# dpkg-shlibdeps reads debian/control of a source package.
mkdir -p "$work/debian"
printf 'Source: quadrille\n\nPackage: quadrille\nArchitecture: any\n' >"$work/debian/control"
# For libraries that have since become parts of libc6, it requires the libc6 of this machine; versions of symbols are exact.
glibc=$(readelf -V "$to/usr/bin/quadrille" "$to/usr/$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
programs=("$to/usr/bin/quadrille" "$to/usr/$library")
# The libraries of another architecture are not installed here; its programs need those that the generator needs.
[[ $architecture == "$(dpkg --print-architecture)" ]] || programs=("$(realpath "$generator")")
needs=$(cd "$work" && dpkg-shlibdeps -O "${programs[@]}" |
    sed "s/libc6 (>= [^)]*)/libc6 (>= ${glibc#GLIBC_})/")
mkdir -p "$to/DEBIAN"
size=$(du -sk --apparent-size "$to/usr" | cut -f 1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
    -e "s/@DEPENDS@/${needs#shlibs:Depends=}/" "$here/debian/control" >"$to/DEBIAN/control"
chmod -R u=rwX,go=rX "$to"
settle "$to"
(cd "$to" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$to/DEBIAN/md5sums"
mkdir -p "$out"
dpkg-deb --root-owner-group --build -Zxz -z"${PACKAGE_COMPRESSION:-6}" "$to" "$out/quadrille_${version}_$architecture.deb"
