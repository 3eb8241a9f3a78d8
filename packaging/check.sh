#!/usr/bin/env bash
# Checks that a tag can be released: its version is that of all packages, the changelog has an entry, and no placeholder remains.
#
#   packaging/check.sh v0.2.0     with a name of another form, or that of a branch (GITHUB_REF_TYPE): prints the problems alone
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
cd "$root"
tag=$1

problems=()
# A manual run of the workflow has the name of a branch, which may begin with a v, too.
is_tag=
[[ ${GITHUB_REF_TYPE:-tag} == tag && $tag == v* ]] && is_tag=yes
if [[ $is_tag && $tag != "v$version" ]]; then
    problems+=("the tag $tag is not the version $version")
fi
grep -q "\"version\": \"$version\"" emulator/npm/package.json || problems+=("emulator/npm/package.json has another version")
grep -q "version: \"$version\"" packaging/conda/recipe.yaml || problems+=("packaging/conda/recipe.yaml has another version")
grep -q "^## \[$version\] - " CHANGELOG.md || problems+=("CHANGELOG.md has no entry for $version")
[[ -f conformance/releases/$version.txt ]] || problems+=("conformance/releases/$version.txt is missing: see packaging/README.md")
places=$("$here/owner.sh" --list)
[[ -z $places ]] || problems+=("a placeholder for the owner remains in $(echo "$places" | tr '\n' ' ')")
for problem in "${problems[@]}"; do
    echo "$problem" >&2
done
if ((${#problems[@]})) && [[ $is_tag ]]; then
    exit 1
fi
