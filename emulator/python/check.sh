#!/usr/bin/env bash
# Checks the Python package and the examples that use it, in a virtual environment: formatting and lints of Python, the wheel as
# users build it, its types and tests, and the tests of examples/cluster, examples/ci and packaging. The lints of the workspace
# include the extension. The environment also has the programs that check the dependencies of all crates and the book.
#
#   emulator/python/check.sh [TARGET]        TARGET is cargo's target folder (default: that of the repository)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
# Relative paths begin at the folder of the caller, as for cargo.
target=$(realpath -m "${1:-${CARGO_TARGET_DIR:-$root/target}}")
cd "$root/emulator/python"
work=$target/python-check
mkdir -p "$work"
# Reuses the artifacts of the workspace.
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
# Includes the quadrille command if the workspace has been built.
export PATH=$work/venv/bin:$target/debug:$PATH VIRTUAL_ENV=$work/venv

step "format and lints"
# Every program in Python and every script of the repository.
git -C "$root" ls-files -z '*.py' '*.pyi' | sed -z "s|^|$root/|" >"$work/sources"
xargs -0 ruff format -q --check --config pyproject.toml <"$work/sources"
xargs -0 ruff check -q --config pyproject.toml <"$work/sources"
(cd "$root" && git ls-files -z '*.sh' '*.sbatch' .ci/run | xargs -0 shellcheck -x -P .)
hadolint "$root/examples/ci/Dockerfile" "$root/packaging/container/Containerfile"
check-jsonschema -q --builtin-schema vendor.github-workflows "$root"/examples/ci/github/*.yml "$root"/.github/workflows/*.yml
check-jsonschema -q --builtin-schema vendor.github-actions "$root/packaging/setup-quadrille/action.yml"
check-jsonschema -q --builtin-schema vendor.gitlab-ci "$root/examples/ci/gitlab.yml"

step "dependencies"
# conformance/tests/packages.rs checks licences and duplicates as well; advisories need a network. Rules hold for all
# platforms, of whose dependencies a build fetches only its own.
(cd "$root" && cargo fetch --locked && cargo deny --locked --offline check licenses bans sources)
step "the book"
mdbook build "$root/book" --dest-dir "$work/book"
lychee --offline --no-progress --include-fragments --root-dir "$work/book" "$work/book/**/*.html"

step "the wheel"
rm -rf "$work/wheel"
python -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$work/wheel" \
    --config-settings build-args="--profile dev --locked" .
python -m pip install -q --disable-pip-version-check --no-deps --force-reinstall "$work"/wheel/quadrille_gpu-*.whl

# Run in another folder, so that the tests import the installed package.
step "types"
(cd "$work" && mypy --strict -p quadrille)
# The stubs must match the native extension.
(cd "$work" && python -m mypy.stubtest --ignore-disjoint-bases quadrille._quadrille)
step "tests"
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work}
(cd "$work" && python -m pytest -q -p no:cacheprovider -p pytester --doctest-modules --pyargs quadrille)
(cd "$work" && python -m pytest -q -p no:cacheprovider -p pytester -rs --durations=5 "$root/emulator/python/tests")
step "examples"
export CHECKED_WHEEL=$work/wheel
(cd "$work" && python -m pytest -q -p no:cacheprovider --durations=5 "$root/examples/ci" "$root/examples/cluster")
step "packages"
export CHECKED_COMMAND=$target/debug/quadrille
(cd "$work" && python -m pytest -q -p no:cacheprovider -rs "$root/packaging")
"$root/packaging/check.sh" here
step "done"
