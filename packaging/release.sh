#!/usr/bin/env bash
# Makes all packages of a release for Linux: wheels and source distribution, archives, Debian packages, npm package, bill of
# materials, checksums. Needs Rust with the targets, Python, npm, dpkg-dev and, for processors other than the host's, binutils for
# them. Zig, which comes from PyPI, compiles C++ and links, so that the programs run with glibc 2.28 and later, wherever they are
# built.
#
#   packaging/release.sh OUT [PROCESSOR...]      OUT is a folder, PROCESSOR x86_64 or aarch64 (default: the host's)
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
out=$(realpath -m "$1")
shift
host=$(uname -m)
# Debian's names of the processors.
declare -A debian_name=([x86_64]=amd64 [aarch64]=arm64)
for processor in "$host" "$@"; do
    [[ -n ${debian_name[$processor]:-} ]] || { echo "no packages for the processor $processor" >&2; exit 1; }
done
# A relative path begins at the folder of the caller, as for cargo.
target=$(realpath -m "${CARGO_TARGET_DIR:-$root/target}")
cd "$root"
export CARGO_TARGET_DIR=$target CARGO_INCREMENTAL=0
mkdir -p "$out"

step() { printf '\n-- release: %s (%s s)\n' "$*" "$SECONDS"; }

step "tools"
tools=$target/release-tools
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
export PATH=$tools/bin:$PATH

# of_processor PROCESSOR: its packages. Those of the host come first, because its command writes the manual pages of all.
of_processor() {
    local processor=$1 platform=$1-unknown-linux-gnu architecture=${debian_name[$1]} wheel size
    export STRIP=strip
    [[ $processor == "$host" ]] || STRIP=$processor-linux-gnu-strip

    step "$processor: the command and the driver"
    # One by one: built beside the command, the driver would have the C++ front end, too, and load slower.
    cargo zigbuild --locked --profile dist --target "$platform.2.28" -p quadrille-cli
    cargo zigbuild --locked --profile dist --target "$platform.2.28" -p quadrille-vulkan
    local command=$target/$platform/dist/quadrille driver=$tools/$processor/libvk_quadrille.so
    install -D "$target/$platform/dist/libvk_quadrille.so" "$driver"
    $STRIP --strip-unneeded "$driver"

    step "$processor: archive, Debian package"
    "$here/archive.sh" "$command" "$driver" "$platform" "$out" "$generator"
    "$here/debian.sh" "$command" "$driver" "$architecture" "$out" "$generator"

    step "$processor: wheel"
    tar -xzOf "$out/quadrille-$version-$platform.tar.gz" "quadrille-$version-$platform/share/vulkan/icd.d/quadrille_icd.json" \
        >"$tools/$processor/icd.json"
    DRIVER_MANIFEST=$tools/$processor/icd.json python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation \
        -w "$out" ./emulator/python \
        --config-settings "build-args=--locked --profile dist --target $platform --zig --compatibility manylinux_2_28"
    wheel=$out/quadrille_gpu-$version-cp39-abi3-manylinux_2_28_$processor.whl
    [[ $processor != "$host" ]] || auditwheel show "$wheel"
    size=$(stat -c %s "$wheel")
    if ((size > 15000000)); then
        echo "the wheel has $size bytes, more than 15 MB" >&2
        return 1
    fi
}

generator=$target/$host-unknown-linux-gnu/dist/quadrille
of_processor "$host"
for processor in "$@"; do
    [[ $processor == "$host" ]] || of_processor "$processor"
done

step "source distribution, npm package, bill of materials"
python -m build --sdist --no-isolation --outdir "$out" emulator/python >/dev/null
if [[ -f $tools/x86_64/libvk_quadrille.so ]]; then
    (cd emulator/npm && node build.js "$tools/x86_64/libvk_quadrille.so" && npm pack --silent --pack-destination "$out")
fi
python3 "$here/sbom.py" >"$out/quadrille.cdx.json"
# The folder may have folders, too, such as that of packaging/crates.sh.
rm -f "$out/SHA256SUMS"
sums=$(cd "$out" && find . -maxdepth 1 -type f -printf '%P\0' | sort -z | xargs -0 sha256sum --)
echo "$sums" >"$out/SHA256SUMS"
ls -l "$out"
