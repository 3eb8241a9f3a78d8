#!/usr/bin/env bash
# Packages all crates, and installs the command from the packaged crates and a copy of their dependencies, as `cargo install
# quadrille-cli` does from crates.io.
#
#   packaging/crates.sh FOLDER [OPTION...]     FOLDER receives the command; options are those of `cargo install`, such as --debug
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
to=$(realpath -m "$1")
shift
cd "$root"

target=${CARGO_TARGET_DIR:-$root/target}
rm -rf "$target/package"
cargo package --workspace --exclude quadrille-conformance --exclude quadrille-python --no-verify --allow-dirty --locked 2>&1 |
    grep -v 'is not included in the published package\|^ *Updating'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo vendor --quiet --locked --versioned-dirs "$work/crates" >/dev/null
for crate in "$target"/package/*-"$version".crate; do
    name=$(basename "$crate" .crate)
    tar -C "$work/crates" -xzf "$crate"
    printf '{"files":{},"package":"%s"}' "$(sha256sum "$crate" | cut -d ' ' -f 1)" >"$work/crates/$name/.cargo-checksum.json"
done
cd "$work"
cargo install quadrille-cli --version "$version" --root "$to" --offline "$@" \
    --config 'source.crates-io.replace-with="packaged"' --config "source.packaged.directory=\"$work/crates\""
