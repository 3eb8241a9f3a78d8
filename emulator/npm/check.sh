#!/usr/bin/env bash
# Checks the npm package and examples/browser in a copy: lock files, types, the files of the package, tests in Chromium. Also
# tests the comparison of pictures of conformance/clients/browser.
#
#   emulator/npm/check.sh [TARGET [DRIVER]]   TARGET is cargo's target folder (default: that of the repository),
#                                             DRIVER the library of the driver (default: the one of `cargo test`)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
# Relative paths begin at the folder of the caller, as for cargo.
target=$(realpath -m "${1:-${CARGO_TARGET_DIR:-$root/target}}")
driver=$(realpath -m "${2:-$target/debug/deps/libvk_quadrille.so}")
cd "$root/emulator/npm"
work=$target/npm-check
mkdir -p "$work/emulator/npm" "$work/examples/browser"

step() { printf '\n-- npm: %s (%s s)\n' "$*" "$SECONDS"; }

CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
export CHROMIUM
if [[ -z $CHROMIUM ]]; then
    echo "no chromium, chromium-browser or google-chrome is on the path, and CHROMIUM names no browser" >&2
    exit 1
fi

step "lock files"
for lock in package-lock.json "$root"/{examples,conformance/clients}/browser/package-lock.json; do
    if grep -n '"resolved": "http' "$lock"; then
        echo "$lock names addresses of a registry" >&2
        exit 1
    fi
done

step "packages"
# The installed packages stay for the next run.
for folder in emulator/npm examples/browser; do
    find "$work/$folder" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
    tar -C "$root/$folder" --exclude=./node_modules --exclude=./driver --exclude=./out -cf - . | tar -C "$work/$folder" -xf -
    cd "$work/$folder"
    if ! cmp -s package-lock.json node_modules/installed; then
        npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
        cp package-lock.json node_modules/installed
    fi
done

step "the package"
cd "$work/emulator/npm"
python3 "$root/packaging/notices.py" quadrille-vulkan >"$work/NOTICES.txt"
node build.js "$driver" "$work/NOTICES.txt"
files=$(npm pack --dry-run --json --loglevel=error | node -e '
    const [{ files }] = JSON.parse(require("fs").readFileSync(0));
    console.log(files.map(({ path }) => path).sort().join(" "))')
wanted="LICENSE-APACHE LICENSE-MIT README.md driver/NOTICES.txt driver/libvk_quadrille.so driver/quadrille_icd.json lib/browser.js lib/driver.js lib/enable.d.ts"
wanted+=" lib/enable.js lib/index.d.ts lib/index.js package.json"
if [[ $files != "$wanted" ]]; then
    printf 'the package consists of\n%s\ninstead of\n%s\n' "$files" "$wanted" >&2
    exit 1
fi

step "types"
npx tsc --noEmit --strict --target es2022 --module nodenext --skipLibCheck test/types.ts
step "tests"
npm test --silent
step "FLIP, which compares pictures of browsers"
node --test "$root/conformance/clients/browser/flip.test.mjs"
step "the example"
cd "$work/examples/browser"
CI=1 TEST_OUTPUT=$work/out npm test --silent
step "done"
