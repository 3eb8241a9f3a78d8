#!/usr/bin/env bash
# Installs a release for the later steps of a job: the program of the action setup-quadrille.
#
# Reads REPOSITORY, VERSION, REF (the version of the action) and VULKAN; writes GITHUB_OUTPUT, GITHUB_PATH and GITHUB_ENV. ARCHIVE
# names an archive that is installed instead of a release.
set -euo pipefail

fail() {
    echo "::error::setup-quadrille: $*" >&2
    exit 1
}

machine=$(uname -m)
case $(uname -s)-$machine in
    Linux-x86_64 | Linux-aarch64) target=$machine-unknown-linux-gnu ;;
    *) fail "there is no release for $(uname -s) on $machine" ;;
esac

version=${VERSION:-}
version=${version#v}
if [[ -z $version && ${REF:-} =~ ^v([0-9]+\.[0-9]+\.[0-9]+)$ ]]; then
    version=${BASH_REMATCH[1]}
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive=${ARCHIVE:-}
if [[ -z $archive ]]; then
    if [[ -z $version ]]; then
        tag=$(gh release view --repo "$REPOSITORY" --json tagName --jq .tagName) || fail "$REPOSITORY has no release"
        version=${tag#v}
    fi
    archive=$work/quadrille-$version-$target.tar.gz
    gh release download "v$version" --repo "$REPOSITORY" --dir "$work" --pattern "$(basename "$archive")" --pattern SHA256SUMS \
        || fail "there is no release $version for $target"
    (cd "$work" && grep " $(basename "$archive")\$" SHA256SUMS | sha256sum --check --strict --quiet) \
        || fail "the archive is damaged"
fi

tools=${RUNNER_TOOL_CACHE:-$HOME}/quadrille
mkdir -p "$tools"
tar -C "$tools" -xzf "$archive"
path=$tools/$(basename "$archive" .tar.gz)
version=$("$path/bin/quadrille" --version | sed 's/^quadrille //')
printf 'version=%s\npath=%s\n' "$version" "$path" >>"$GITHUB_OUTPUT"
echo "$path/bin" >>"$GITHUB_PATH"
if [[ ${VULKAN:-true} == true ]]; then
    # Not a pipe: `grep -q` ends at the first match, and `ldconfig` with a long list would then fail by a broken pipe.
    if ! grep -q 'libvulkan\.so\.1' <<<"$(ldconfig -p)"; then
        sudo=()
        [[ $(id -u) == 0 ]] || sudo=(sudo)
        "${sudo[@]}" apt-get update -qq
        "${sudo[@]}" apt-get install -y -qq --no-install-recommends libvulkan1
    fi
    # Older loaders read only the second variable; the third keeps Mesa's device selection layer from interfering.
    manifest=$path/share/vulkan/icd.d/quadrille_icd.json
    printf '%s\n' "VK_DRIVER_FILES=$manifest" "VK_ICD_FILENAMES=$manifest" "NODEVICE_SELECT=1" >>"$GITHUB_ENV"
fi
echo "installed quadrille $version"
