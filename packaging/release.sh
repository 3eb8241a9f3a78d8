#!/usr/bin/env bash
# Makes all packages of a release for Linux on x86-64: wheel and source distribution, archive, Debian package, npm package, bill of
# materials, checksums. Needs Rust, Python, npm and dpkg-dev. Zig, which comes from PyPI, compiles C++ and links, so that the
# programs run with glibc 2.28 and later, wherever they are built.
#
#   packaging/release.sh OUT      OUT is a folder
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
out=$(realpath -m "$1")
cd "$root"
target=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TARGET_DIR=$target CARGO_INCREMENTAL=0
platform=x86_64-unknown-linux-gnu
mkdir -p "$out"

step() { printf '\n-- release: %s (%s s)\n' "$*" "$SECONDS"; }

step "tools"
tools=$target/release-tools
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
export PATH=$tools/bin:$PATH

step "the command and the driver"
cargo zigbuild --locked --profile dist --target $platform.2.28 -p quadrille-cli -p quadrille-vulkan
command=$target/$platform/dist/quadrille driver=$tools/libvk_quadrille.so
cp "$target/$platform/dist/libvk_quadrille.so" "$driver"
strip --strip-unneeded "$driver"

step "wheel and source distribution"
python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$out" ./emulator/python \
    --config-settings "build-args=--locked --profile dist --target $platform --zig --compatibility manylinux_2_28"
wheel=$out/quadrille_gpu-$version-cp39-abi3-manylinux_2_28_x86_64.whl
auditwheel show "$wheel"
size=$(stat -c %s "$wheel")
if ((size > 15000000)); then
    echo "the wheel has $size bytes, more than 15 MB" >&2
    exit 1
fi
python -m build --sdist --no-isolation --outdir "$out" emulator/python >/dev/null

step "archive, Debian package, npm package, bill of materials"
"$here/archive.sh" "$command" "$driver" $platform "$out"
"$here/debian.sh" "$command" "$driver" amd64 "$out"
(cd emulator/npm && node build.js "$driver" && npm pack --silent --pack-destination "$out")
python3 "$here/sbom.py" >"$out/quadrille.cdx.json"
(cd "$out" && rm -f SHA256SUMS && sha256sum -- * >SHA256SUMS)
ls -l "$out"
