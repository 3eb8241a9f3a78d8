#!/usr/bin/env bash
# Prints the entry of the changelog for a tag: the notes of its release.
#
#   packaging/notes.sh v0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."
awk -v version="${1#v}" '
    /^## \[/ { inside = index($0, "## [" version "]") == 1; next }
    /^\[/ { inside = 0 }
    inside { print }
' CHANGELOG.md
