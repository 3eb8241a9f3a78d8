#!/usr/bin/env bash
# The Python package and the examples that use it, in a virtual environment of their own: formats and lints, the wheel
# as users build it, its types, its tests, and those of examples/cluster and examples/ci.
#
#   emulator/python/check.sh [TARGET]        TARGET is cargo's target folder (default: that of the repository)
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=${1:-${CARGO_TARGET_DIR:-$root/target}}
work=$target/python-check
mkdir -p "$work"
# Cargo shares what the workspace has built already.
export CARGO_TARGET_DIR=$target

step() { printf '\n-- python: %s (%s s)\n' "$*" "$SECONDS"; }

step "virtual environment"
python=$work/venv/bin/python
if ! cmp -s requirements-test.txt "$work/requirements.txt"; then
    rm -rf "$work/venv"
    python3 -m venv "$work/venv"
    "$python" -m pip install -q --disable-pip-version-check -r requirements-test.txt
    cp requirements-test.txt "$work/requirements.txt"
fi
# The command, too, if the workspace has been built.
export PATH=$work/venv/bin:$target/debug:$PATH VIRTUAL_ENV=$work/venv

step "lock file"
# It pins what the crates of the repository depend on, too: a new dependency of theirs goes in here.
cargo metadata --locked --format-version 1 >/dev/null || {
    echo "emulator/python/Cargo.lock is behind: write it anew by 'cargo metadata' there" >&2
    exit 1
}

step "format and lints"
sources=(python tests backend "$root/examples/ci" "$root/examples/cluster")
ruff format -q --check --config pyproject.toml "${sources[@]}"
ruff check -q --config pyproject.toml "${sources[@]}"
shellcheck check.sh "$root/.ci/run" "$root/examples/cluster/slurm.sbatch"
hadolint "$root/examples/ci/Dockerfile"
check-jsonschema -q --builtin-schema vendor.github-workflows "$root"/examples/ci/github/*.yml
check-jsonschema -q --builtin-schema vendor.gitlab-ci "$root/examples/ci/gitlab.yml"
cargo fmt --check
PYO3_BUILD_EXTENSION_MODULE=1 cargo clippy --locked -- -D warnings

step "the wheel"
rm -rf "$work/wheel"
python -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$work/wheel" \
    --config-settings build-args="--profile dev --locked" .
python -m pip install -q --disable-pip-version-check --no-deps --force-reinstall "$work"/wheel/quadrille-*.whl

# From elsewhere: what is tested is what was installed.
step "types"
(cd "$work" && mypy --strict -p quadrille)
# The stubs say what the native half has.
(cd "$work" && python -m mypy.stubtest --ignore-disjoint-bases quadrille._quadrille)
step "tests"
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work}
(cd "$work" && python -m pytest -q -p no:cacheprovider -p pytester --doctest-modules --pyargs quadrille)
(cd "$work" && python -m pytest -q -p no:cacheprovider -p pytester --durations=5 "$root/emulator/python/tests")
step "examples"
export CHECKED_WHEEL=$work/wheel
(cd "$work" && python -m pytest -q -p no:cacheprovider --durations=5 "$root/examples/ci" "$root/examples/cluster")
step "done"
