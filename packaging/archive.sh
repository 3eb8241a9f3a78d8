#!/usr/bin/env bash
# Makes the archive of a release: the command, the driver with a manifest, manual pages, completions, licences.
#
#   packaging/archive.sh COMMAND DRIVER TARGET OUT [GENERATOR]
#
# TARGET is the name of the platform (x86_64-unknown-linux-gnu), OUT a folder. GENERATOR is a command of the same version that
# runs here (default: COMMAND).
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
command=$1 driver=$2 target=$3 out=$4 generator=${5:-$1}

name=quadrille-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work/$name
put_command "$command" "$generator" "$to"
put_driver "$driver" "$generator" "$to" lib/libvk_quadrille.so ../../../lib/libvk_quadrille.so
cp "$root"/LICENSE-APACHE "$root"/LICENSE-MIT "$root"/CHANGELOG.md "$to"
cp "$root/emulator/cli/README.md" "$to/README.md"
python3 "$here/notices.py" quadrille-cli quadrille-vulkan >"$to/NOTICES.txt"
chmod -R u=rwX,go=rX "$to"
settle "$to"
mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -"${PACKAGE_COMPRESSION:-9}"n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
